"""All that a lesson's notebook needs, with one line: ``from navalkit.teach.lesson import *``.

Games are there under their own names (``uss_lox.odds.sink("8D", 1)``), beside matches, distributions, hexes, pictures,
the mathematics of the standard library and the exercises.
"""

# ruff: noqa: F401
from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb, factorial, log, log2, sqrt

import numpy as np

from navalkit.core.luck.dist import Dist
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.games import fleet_action, on_patrol, task_force, uss_lox, wolf_pack
from navalkit.games.fleet_action import odds as _fleet_odds
from navalkit.games.on_patrol import odds as _patrol_odds
from navalkit.games.on_patrol.escort.positions import find, positions
from navalkit.games.task_force import odds as _task_odds
from navalkit.games.uss_lox import cards as _cards
from navalkit.games.uss_lox import cribbage as _cribbage
from navalkit.games.uss_lox import odds as _lox_odds
from navalkit.games.wolf_pack import odds as _wolf_odds
from navalkit.grids.hex import Hex, Place, any_heading, shortest_path, williamson
from navalkit.players import player
from navalkit.prob import deals
from navalkit.sim import play, summary

from . import ask, bars, begin, board, check, fresh, hex_map, report, use
from .pictures import sea_chart
from .questions.hidden import map_of
from .questions.hunting import MARKER, RIVALS, Seen, found, hunts, on_ring, towards
from .questions.lox import best_patrol, share_of_hits, tons_to_come
from .questions.patrol import escorts_to_move
from .questions.scoring import brier, mean_score, salvoes, surprise

__all__ = [name for name in dir() if not name.startswith("_") and name != "annotations"]
