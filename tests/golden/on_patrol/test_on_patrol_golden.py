"""Golden hunts of On Patrol, with every decision of their escorts word for word in the log.

There is a hunt for every mode, one for every weapon, and one with two boats.
"""

from __future__ import annotations
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path

import navalkit as nk
from navalkit.games.on_patrol.escort.positions import explain
from navalkit.games.on_patrol.sea.state import ESCORTS, EscortMove
from ..suite import GoldenSuite, reasons

SEA = """title = "{title}"
date = {date}
package = "{package}"
night = {night}
turns = {turns}
points = 6
speed = "{speed}"
ships = {ships}
escorts = {escorts}
places = {places}
{boats}"""
BOAT = """
[[boat]]
type = "viic"
place = "{place}"
depth = {depth}
{marker}"""


@dataclass(frozen=True)
class Hunt:
    """One golden hunt.

    Parameters
    ----------
    name : str
    boats : tuple of (str, int, str)
        Place, depth and marker at the start.
    orders : tuple of str
        Given one after the other, without the boat's id; the last one again and again.
    modes : set of int
        That the escorts must go through.
    shows : set of str
        Weapons that must be used, kinds of roll that must be made and rules that must come up.
    """

    name: str
    result: str
    boats: tuple[tuple[str, int, str], ...]
    orders: tuple[str, ...]
    modes: set[int]
    shows: set[str]
    ships: tuple[str, ...] = ()
    escorts: tuple[str, ...] = ("captain", "captain")
    places: tuple[str, ...] = ()
    date: str = "1943-05-01"
    package: str = "advanced"
    night: bool = False
    turns: int = 8
    seed: int = 1

    @property
    def scenario(self) -> str:
        def listed(words: tuple[str, ...]) -> str:
            return "[" + ", ".join(f'"{word}"' for word in words) + "]"

        places = self.places or tuple(f"{column}20 3" for column in "MUEC"[: len(self.escorts)])
        return SEA.format(
            title=self.name.replace("_", " "),
            date=self.date,
            package=self.package,
            night=str(self.night).lower(),
            turns=self.turns,
            speed="slow" if self.ships else "fast",
            ships=listed(self.ships),
            escorts=listed(self.escorts),
            places="[]" if self.ships else listed(places),
            boats="".join(
                BOAT.format(place=place, depth=depth, marker=f'marker = "{marker}"\n' if marker else "")
                for place, depth, marker in self.boats
            ),
        )


CONVOY = ("liberty", "tanker", "tramp", "tramp")
CONTACT = (("M36 6", 100, "contact"),)
HUNTS = (
    Hunt("mode_1_in_formation", "draw", (("M200 6", 200, ""),), ("",), {1}, {"104.3.1"}, CONVOY, ("flower",) * 3),
    Hunt(
        "mode_2_torpedoes", "win", (("J32 3", 75, ""),), ("fire 2 at 3", "ahead 1, dive 125", "ahead 1"), {1, 2},
        {"T1", "torpedo", "D1"}, CONVOY, ("flower",) * 2,
    ),
    Hunt("mode_3_contact", "loss", CONTACT, ("ahead 2", "port 2"), {3}, {"105.4.6", "depth charge"}),
    Hunt("mode_4_periscope", "loss", (("M36 6", 25, ""),), ("ahead 1",), {4}, {"105.4.6"}),
    Hunt("mode_5_surfaced", "loss", (("M36 6", 0, ""),), ("ahead 1",), {5}, {"gun", "ram", "R1"}),
    Hunt("mode_6_lost", "draw", CONTACT, ("dive 150", "dive 200", "dive 250", "port 2"), {3, 6}, {"106.2.2"}, turns=16),
    Hunt("mode_7_prolonged", "loss", CONTACT, ("ahead 1",), {3, 7}, {"P1", "P2", "P3"}, turns=2),
    Hunt("weapon_depth_charge", "draw", CONTACT, ("ahead 1",), {3}, {"depth charge", "A2"}, package="basic"),
    Hunt("weapon_k_gun", "draw", CONTACT, ("ahead 1",), {3}, {"k-gun", "105.4.12"}, package="optional"),
    Hunt("weapon_hedgehog", "loss", CONTACT, ("ahead 1",), {3}, {"hedgehog", "damage"}, escorts=("buckley",) * 2),
    Hunt("weapon_squid", "loss", CONTACT, ("ahead 1",), {3}, {"squid"}, escorts=("loch",) * 2, date="1944-05-01"),
    Hunt("weapon_one_ton", "loss", CONTACT, ("ahead 1",), {3}, {"one-ton charge"}, escorts=("v-and-w",) * 2),
    Hunt(
        "two_boats", "loss", (("M36 6", 100, "contact"), ("AK36 6", 100, "contact")), ("ahead 1", "port 2"), {3},
        {"105.4.6", "107.1"}, escorts=("captain",) * 4, places=("M20 3", "U20 3", "AC20 3", "AK20 3"), night=True,
    ),
)  # fmt: skip


class TestGoldenHunts(GoldenSuite):
    game = "on-patrol"
    folder = Path(__file__).parent
    goldens = HUNTS

    def play(self, hunt: Hunt) -> nk.Match:
        game = nk.load(self.game, scenario=hunt.scenario)
        match = nk.Match.new(game, seed=hunt.seed, players=["script", "rules"])
        orders = {f"S{n}": chain(hunt.orders, repeat(hunt.orders[-1])) for n in range(1, len(hunt.boats) + 1)}
        while not match.over:
            boat = str(match.legal()[0]).split(",")[0].split()[0]
            match.play(f"{boat} {next(orders[boat])}")
        return match

    def lines(self, match: nk.Match) -> Iterator[str]:
        """The log, each escort's decision before what it led to."""
        for number, ply in enumerate(match.plies):
            if ply.by == ESCORTS:
                yield from reasons(explain(match.at(number), ply.action.escort, match.game.sea))
            yield from map(self.line, ply.events)

    def shown(self, match: nk.Match) -> set[str]:
        """Rules, weapons that were used and kinds of roll that were made."""
        found = super().shown(match)
        for ply in match.plies:
            if isinstance(ply.action, EscortMove):
                found |= {charge.weapon for charge in ply.action.charges}
            elif ply.by < 0:
                found.add(ply.action.task.kind)
        return found

    def test_its_decisions_are_the_moves_that_were_made_in_the_modes_wanted(self, golden: Hunt) -> None:
        match, modes = self.load(golden), {1}
        for number, ply in enumerate(match.plies):
            if ply.by == ESCORTS:
                decision = explain(match.at(number), ply.action.escort, match.game.sea)
                assert decision.action == ply.action
                modes.add(decision.mode)
        assert golden.modes <= modes

    def test_there_is_a_hunt_for_every_mode_and_every_weapon(self) -> None:
        assert set().union(*(hunt.modes for hunt in HUNTS)) == set(range(1, 8))
        weapons = {"depth charge", "k-gun", "hedgehog", "squid", "one-ton charge", "gun", "ram", "torpedo"}
        assert weapons <= set().union(*(hunt.shows for hunt in HUNTS))
