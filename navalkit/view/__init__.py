"""Pictures without widgets. `scene` says what is to be seen, `painters` and `files` paint it in a `theme`.

Import from the modules (``from navalkit.view.painters import svg``); ``files.png`` alone needs Pillow.
"""
