"""What the sea is drawn with: the window on it, water, ships, names."""
