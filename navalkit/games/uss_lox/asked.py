"""The questions about USS Lox that the command line asks, too."""

from .bots.bounds import bounds
from .odds import escape, sink, survive_escort

ODDS = {"sink": sink, "escape": escape, "survive_escort": survive_escort, "bounds": bounds}
