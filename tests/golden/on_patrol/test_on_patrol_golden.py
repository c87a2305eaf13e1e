"""Golden hunts: records, their logs and every decision of their escorts, kept word for word.

Each hunt below is stored as ``<name>.toml`` with its log, in which each escort's decision stands in full before what
came of it. A change of the rules, of notation or of a sentence shows here, line by line. If the change is meant, write
the files anew with

    NAVALKIT_RENEW=1 python -m pytest tests/golden

and look at the difference before it goes in. There is a hunt for every mode, one for every weapon, and one with
two boats.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path

import pytest

import navalkit as nk
from navalkit.games.on_patrol.explain import explain
from navalkit.games.on_patrol.state import ESCORTS, EscortMove

FOLDER = Path(__file__).parent
SEA = """title = "{title}"
date = {date}
package = "{package}"
night = {night}
turns = {turns}
points = 6
speed = "slow"
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
            ships=listed(self.ships),
            escorts=listed(self.escorts),
            places="[]" if self.ships else listed(places),
            boats="".join(
                BOAT.format(place=place, depth=depth, marker=f'marker = "{marker}"\n' if marker else "")
                for place, depth, marker in self.boats
            ),
        )

    def play(self) -> nk.Match:
        game = nk.load("on-patrol", scenario=self.scenario)
        match = nk.Match.new(game, seed=self.seed, players=["script", "rules"])
        orders = {f"S{n}": chain(self.orders, repeat(self.orders[-1])) for n in range(1, len(self.boats) + 1)}
        while not match.over:
            boat = str(match.legal()[0]).split(",")[0].split()[0]
            match.play(f"{boat} {next(orders[boat])}")
        return match


CONVOY = ("liberty", "tanker", "tramp", "tramp")
CONTACT = (("M36 6", 100, "contact"),)
HUNTS = [
    Hunt("mode_1_in_formation", (("M200 6", 200, ""),), ("",), {1}, {"104.3.1"}, CONVOY, ("flower",) * 3),
    Hunt(
        "mode_2_torpedoes", (("J32 3", 75, ""),), ("fire 2 at 3", "ahead 1, dive 125", "ahead 1"), {1, 2},
        {"T1", "torpedo", "D1"}, CONVOY, ("flower",) * 2,
    ),
    Hunt("mode_3_contact", CONTACT, ("ahead 2", "port 2"), {3}, {"105.4.6", "depth charge"}),
    Hunt("mode_4_periscope", (("M36 6", 25, ""),), ("ahead 1",), {4}, {"105.4.6"}),
    Hunt("mode_5_surfaced", (("M36 6", 0, ""),), ("ahead 1",), {5}, {"gun", "ram", "R1"}),
    Hunt("mode_6_lost", CONTACT, ("dive 150", "dive 200", "dive 250", "port 2"), {3, 6}, {"106.2.2"}, turns=16),
    Hunt("mode_7_prolonged", CONTACT, ("ahead 1",), {3, 7}, {"P1", "P2", "P3"}, turns=2),
    Hunt("weapon_depth_charge", CONTACT, ("ahead 1",), {3}, {"depth charge", "A2"}, package="basic"),
    Hunt("weapon_k_gun", CONTACT, ("ahead 1",), {3}, {"k-gun", "105.4.12"}, package="optional"),
    Hunt("weapon_hedgehog", CONTACT, ("ahead 1",), {3}, {"hedgehog", "damage"}, escorts=("buckley",) * 2),
    Hunt("weapon_squid", CONTACT, ("ahead 1",), {3}, {"squid"}, escorts=("loch",) * 2, date="1944-05-01"),
    Hunt("weapon_one_ton", CONTACT, ("ahead 1",), {3}, {"one-ton charge"}, escorts=("v-and-w",) * 2),
    Hunt(
        "two_boats", (("M36 6", 100, "contact"), ("AK36 6", 100, "contact")), ("ahead 1", "port 2"), {3},
        {"105.4.6", "107.1"}, escorts=("captain",) * 4, places=("M20 3", "U20 3", "AC20 3", "AK20 3"), night=True,
    ),
]  # fmt: skip


def told(match: nk.Match) -> Iterator[str]:
    """The log, each escort's decision before what it led to."""
    for number, ply in enumerate(match.plies):
        if ply.by == ESCORTS:
            yield explain(match.at(number), ply.action.escort, match.game.sea).explain()
        yield from map(str, ply.events)


def log_text(match: nk.Match) -> str:
    return "".join(f"{line}\n" for line in told(match))


def load(hunt: Hunt) -> nk.Match:
    return nk.Match.load(FOLDER / f"{hunt.name}.toml")


@pytest.fixture(scope="module", autouse=True)
def renewed() -> None:
    """Writes the golden files anew, if asked to."""
    if os.environ.get("NAVALKIT_RENEW") != "1":
        return
    for hunt in HUNTS:
        match = hunt.play()
        match.save(FOLDER / f"{hunt.name}.toml")
        (FOLDER / f"{hunt.name}.log").write_text(log_text(match), encoding="utf-8")


each_hunt = pytest.mark.parametrize("hunt", HUNTS, ids=lambda hunt: hunt.name)


@each_hunt
def test_a_golden_record_replays_to_its_result_and_log(hunt: Hunt) -> None:
    match = load(hunt)  # replays, and compares result and score
    assert match.over
    assert log_text(match) == (FOLDER / f"{hunt.name}.log").read_text(encoding="utf-8")
    assert match.dumps() == (FOLDER / f"{hunt.name}.toml").read_text(encoding="utf-8")


@each_hunt
def test_its_seed_and_orders_still_play_the_same_hunt(hunt: Hunt) -> None:
    assert hunt.play().plies == load(hunt).plies


@each_hunt
def test_its_decisions_are_the_moves_that_were_made(hunt: Hunt) -> None:
    match = load(hunt)
    for number, ply in enumerate(match.plies):
        if ply.by == ESCORTS:
            assert explain(match.at(number), ply.action.escort, match.game.sea).action == ply.action


@each_hunt
def test_it_shows_what_it_is_there_for(hunt: Hunt) -> None:
    match = load(hunt)
    shown = {event.rule for event in match.log}
    modes = {1}
    for number, ply in enumerate(match.plies):
        if isinstance(ply.action, EscortMove):
            shown |= {charge.weapon for charge in ply.action.charges}
            modes.add(explain(match.at(number), ply.action.escort, match.game.sea).mode)
        elif ply.by < 0:
            shown.add(ply.action.task.kind)
    assert hunt.shows <= shown
    assert hunt.modes <= modes


def test_every_file_belongs_to_a_hunt() -> None:
    names = {hunt.name for hunt in HUNTS}
    assert {path.stem for path in FOLDER.iterdir() if path.suffix in (".toml", ".log")} == names


def test_there_is_a_hunt_for_every_mode_and_every_weapon() -> None:
    assert set().union(*(hunt.modes for hunt in HUNTS)) == set(range(1, 8))
    weapons = {"depth charge", "k-gun", "hedgehog", "squid", "one-ton charge", "gun", "ram", "torpedo"}
    assert weapons <= set().union(*(hunt.shows for hunt in HUNTS))
