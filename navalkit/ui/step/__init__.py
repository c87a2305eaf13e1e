"""The stepper: one decision at a time, of anybody who can say why, on the board and in words."""
