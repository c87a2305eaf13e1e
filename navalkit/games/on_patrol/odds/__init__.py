"""The odds of On Patrol: torpedoes, attacks, search and depth, as plain questions with exact answers."""

from .exact import ODDS, Depth, attack, depth_to_go, found, sink, sunk_after, torpedo

__all__ = ["ODDS", "Depth", "attack", "depth_to_go", "found", "sink", "sunk_after", "torpedo"]
