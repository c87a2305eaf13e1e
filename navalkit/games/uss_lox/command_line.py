"""The odds that `navalkit odds uss-lox` answers: those of `odds`, and the bounds of the captains."""

from .bots.bounds import bounds
from .odds import escape, sink, survive_escort

ODDS = {"sink": sink, "escape": escape, "survive_escort": survive_escort, "bounds": bounds}
