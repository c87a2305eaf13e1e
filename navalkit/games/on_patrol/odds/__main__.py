"""Prints how deadly the escorts' weapons are, beside what history shows."""

from .calibrate import report

print(report())
