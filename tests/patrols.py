"""Two patrols of USS Lox that the tests of the page play: found anew each time, so that they follow the rules."""

from __future__ import annotations
from itertools import count

from navalkit.core.errors import IllegalActionError
from navalkit.core.match import Match

# The first ship gets away and her escort is shaken off; the next two are sunk.
# All but the last are orders that the board takes.
WON = ("flip A1", "attack 2", "escape", "flip B1", "attack 2", "flip C1", "attack 2", "return")
# The second escort is met with nothing and sinks the boat.
LOST = ("flip A1", "attack 2", "escape", "flip B1", "attack 2", "attack 0")


def play(seed: int, orders: tuple[str, ...]) -> Match:
    """The match that these orders lead to."""
    match = Match.new("uss-lox", seed=seed)
    for order in orders:
        match.play(order)
    return match


def _first(orders: tuple[str, ...], result: str) -> Match:
    """The patrol of the lowest seed in which these orders are legal and end so."""
    for seed in count(3):
        try:
            match = play(seed, orders)
        except IllegalActionError:
            continue
        if match.outcome and match.outcome.result == result:
            return match
    raise AssertionError


HOME, SUNK = _first(WON, "win"), _first(LOST, "loss")
SEED, SEED_LOST = HOME.seed, SUNK.seed
TONS = f"{HOME.outcome.facts['tonnage']:,} t" if HOME.outcome else ""
SHIP = HOME.at(2).ship
