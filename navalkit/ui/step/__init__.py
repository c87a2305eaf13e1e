"""The escort stepper: one decision of an escort at a time, on the board and in words."""
