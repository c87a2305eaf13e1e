"""The board in the browser: its canvas, the painter's script, and the films it plays."""
