"""Until Pillow is there, which only pictures to take home need."""
