"""Pictures without widgets. `scene` says what is to be seen; `text`, `svg` and `png` paint it in a `theme`.

Import from the modules (``from navalkit.view.painters import svg``): each is named after the one function it is
for, and `png` alone needs Pillow.
"""
