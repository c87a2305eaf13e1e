"""Prints how deadly the escorts' weapons are, a pattern and a run, beside what history shows."""

from . import calibrate, runs

print(calibrate.report(), runs.report(), sep="\n\n")
