"""Golden patrols of USS Lox, played by the scripted captain of their name."""

from __future__ import annotations
from pathlib import Path

import navalkit as nk
from ..suite import Golden, WholeSuite


def steady(match: nk.Match) -> str:
    """Fires two, escapes if he can afford it, chases every extra target, and stays out to the end."""
    legal = [str(action) for action in match.legal()]
    for wish in ("plan 12", "escape", "chase", "attack 2", "attack 1", "attack 0"):
        if wish in legal:
            return wish
    return next(order for order in legal if order.startswith("flip"))


def choosy(match: nk.Match) -> str:
    """Lets small ships go, fires three at the others and at every escort, and returns with 30,000 tons."""
    legal = [str(action) for action in match.legal()]
    if "return" in legal and match.state.tons >= 30_000:
        return "return"
    if "plan 6" in legal:
        return "plan 6"
    if "decline" in legal and "chase" not in legal and match.state.ship // 4 < 6:
        return "decline"
    for wish in ("chase", "attack 3", "attack 2", "attack 1", "attack 0"):
        if wish in legal:
            return wish
    return [order for order in legal if order.startswith("flip")][-1]


CAPTAINS = {"steady": steady, "choosy": choosy}
ALL = dict(jokers=True, face_estimates=True, plan_patrol=True, king_ships=True, queen_ships=True, nob=True, patrols=2)
PATROLS = (
    Golden("basic_win", 2, ("L1", "L2a", "L3b", "L3c", "L4a", "L4b", "L5", "L7"), "win", ("choosy",)),
    Golden("basic_loss", 13, ("L1", "L3a", "L3c", "L4b", "L4c", "L4d", "L7"), "loss", ("steady",)),
    Golden("basic_last_torpedo", 6, ("L3b", "L6", "L7"), "win", ("steady",)),
    Golden("jokers", 52, ("A1", "L3b", "L4c"), "win", ("steady",), {"jokers": True}),
    Golden("face_estimates", 14, ("A2", "L3b", "L5"), "win", ("choosy",), {"face_estimates": True}),
    Golden("plan_patrol", 13, ("A3", "L3b", "L4c"), "win", ("steady",), {"plan_patrol": True}),
    Golden("king_ships", 40, ("A4", "L3b", "L4c"), "win", ("steady",), {"king_ships": True}),
    Golden("queen_ships", 11, ("A5", "L3b", "L5"), "win", ("choosy",), {"queen_ships": True}),
    Golden("nob", 13, ("A6", "L3b"), "win", ("steady",), {"nob": True}),
    Golden("second_patrol", 24, ("A7", "L3b", "L6"), "win", ("steady",), {"patrols": 2}),
    Golden("second_patrol_empty_deck", 31480, ("A7", "L3c"), "loss", ("steady",), {"patrols": 2}),
    Golden("all_options", 3070, ("A1", "A2", "A3", "A4", "A5", "A6", "A7", "L7"), "win", ("steady",), ALL),
)


class TestGoldenPatrols(WholeSuite):
    game = "uss-lox"
    folder = Path(__file__).parent
    goldens = PATROLS
    silent = {"L0", "L2b", "L4e"}

    def play(self, golden: Golden) -> nk.Match:
        captain = CAPTAINS[golden.players[0]]
        match = nk.Match.new(nk.load(self.game, **golden.options), golden.seed, golden.players)
        while not match.over:
            match.play(captain(match))
        return match
