"""One line says all of the gravest that was done since one's last order, by either side: in the games that Wolf Pack's
test in test_seats does not cover."""

from __future__ import annotations
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.words import Event, speaking
from navalkit.games.fleet_action.board.effects import FIRES
from navalkit.games.on_patrol.board.page import PAGE as PATROL
from navalkit.games.on_patrol.rules.game import parts
from navalkit.testing import heard
from navalkit.ui.play.controller import Controller
from navalkit.view.page import Glance
from ..samples import sizes
from ..sentences import FLEET_PAGE, PATROL_PAGE


def told(name: str, seed: int) -> list[tuple[str, list[Event]]]:
    """Headline and events before each order of a game at random, against the page's own players."""
    control, dice, found = Controller(name), random.Random(seed), []
    control.new(seed)
    while not control.match.over and len(found) < 60:
        with speaking(control.voice):
            found.append((control.headline(), control._latest()))
        control.give(dice.choice(control.legal))
    return found


def test_a_battles_headline_names_all_who_sank_or_lost_a_turret_or_were_hit() -> None:
    seen = Counter[str]()
    for seed in (0, 1, 3):
        for line, events in told("fleet-action", seed):
            sunk, turrets = ([str(e.facts["ship"]) for e in events if e.kind == kind] for kind in ("sunk", "turret"))
            hurt = Counter[str]()
            for event in events:
                if event.kind in FIRES:
                    hurt[event.facts["target"]] += event.facts["points"]
            if sunk or turrets:
                assert all(ship in line for ship in sunk or turrets), (line, sunk, turrets)
                seen["grave"] += 1
            elif hurt := +hurt:
                assert all(target in line and str(points) in line for target, points in hurt.items()), (line, hurt)
                seen["several" if len(hurt) > 1 else "one"] += 1
            else:
                seen["quiet"] += 1
    assert min(seen[each] for each in ("grave", "one", "quiet")) > 0 and seen["several"] > 0, seen


def line(name: str, *events: tuple[str, Mapping[str, Any]]) -> str:
    """The headline of these events: kinds with facts."""
    made: Sequence[Event] = [Event("", kind, kind, facts) for kind, facts in events]
    return Controller(name).page.headline(made)


@pytest.mark.parametrize("name, said, events", [
    ("fleet-action", FLEET_PAGE.phrase("headline.sunk.several", n=2, ships="Ajax, Exeter"),
     [("sunk", {"ship": ship, "damage": 90, "rate": 80}) for ship in ("Ajax", "Exeter")]),
    ("fleet-action", FLEET_PAGE.phrase("headline.turret.several", n=2, ships="Exeter"),
     [("turret", {"ship": "Exeter", "mount": mount}) for mount in "13"]),
    ("on-patrol", PATROL_PAGE.phrase("headline.sunk_ship.several", ships="M3, M1", points=18),
     [("sunk_ship", {"ship": ship, "value": value}) for ship, value in (("M3", 12), ("M1", 6))]),
    ("on-patrol", PATROL_PAGE.phrase("headline.search_missed", actors="E2, E3", boat="S2"),
     [("search_missed", {"actor": ship, "boat": boat, "by": "sonar"})
      for ship, boat in (("E1", "S1"), ("E2", "S2"), ("E4", "S1"), ("E3", "S2"))]),
    ("on-patrol", PATROL_PAGE.phrase("headline.damage", actors="E2", boat="S2", hull=4),
     [("damage", {"escort": ship, "boat": boat, "points": 3, "hull": hull})
      for ship, boat, hull in (("E1", "S1", 7), ("E2", "S2", 4))]),
    ("on-patrol", PATROL_PAGE.phrase("headline.damage", actors="E2", boat="S2", hull=3),
     [("damage", {"escort": "E2", "boat": "S2", "points": 3, "hull": 4}),
      ("gun_hit", {"ship": "E1", "boat": "S2", "points": 1, "hull": 3}),
      ("gun_hit", {"ship": "E1", "boat": "S1", "points": 1, "hull": 9})]),
    ("on-patrol", PATROL_PAGE.phrase("headline.search_found", actors="E1, E2", boat="S1"),
     [("moves", {"boat": "S1", "place": "A1", "depth": 25}), ("visible", {"boat": "S1"}),
      *(("search_found", {"actor": ship, "boat": "S1", "by": "radar"}) for ship in ("E1", "E2"))]),
    ("on-patrol", PATROL_PAGE.phrase("headline.hit.several", ships="M3, M1"),
     [("hit", {"ship": ship, "hits": 1, "most": 2}) for ship in ("M3", "M1")]),
])  # fmt: skip
def test_of_several_alike_none_is_left_out(name: str, said: Any, events: list[tuple[str, Mapping[str, Any]]]) -> None:
    assert line(name, *events) == str(said)


def test_who_is_found_and_attacked_is_told_both() -> None:
    found = [("found", {"ships": "E1, E2", "boat": "S1"})]
    attacks = [("attacks", {"escort": ship, "charges": "", "marked": ()}) for ship in ("E1", "E3")]
    told = heard(line("on-patrol", *found, *attacks), PATROL_PAGE, "headline.found", "headline.attacks")
    assert set(told) == {"headline.found", "headline.attacks"} and "E3" in str(told["headline.attacks"])
    told = heard(line("on-patrol", *found, *attacks, ("harmless", {"escort": "E1", "boat": "S1"})), PATROL_PAGE,
                 "headline.found", "headline.attacks", "headline.harmless")
    assert set(told) == {"headline.found", "headline.harmless"}


@sizes("games", 6, 40)
def test_a_boats_headline_is_so_at_the_end_of_the_turn(games: int) -> None:
    """Found, as long as she is; what is left of her hull after all the blows of a turn; and the points that they cost,
    with which the strip adds up."""
    seen = Counter[str]()
    for seed in range(705_000, 705_000 + games):
        dice = random.Random(seed)
        match = Match.new(load("on-patrol", scenario="night-convoy" if seed % 2 else "small-convoy"), seed)
        while not match.over:
            near = [order for order in match.legal() if order.depth in (0, 25) and not order.shots]
            ply, before = len(match.plies), parts(match.state)["damage"]
            match.play(dice.choice(near or match.legal()))
            events = [event for each in match.plies[ply:] for event in each.events]
            line, (boat,) = PATROL.headline(events), match.state.boats
            kinds = {event.kind for event in events}
            told = heard(line, PATROL_PAGE, "headline.damage", "headline.gun_hit", "headline.ram_hit", "headline.crush")
            for facts in told.values():
                assert facts["hull"] == boat.hull, (seed, match.state.turn, line)
                seen["hull"] += 1
                cost = before - parts(match.state)["damage"]
                less = heard(line, PATROL_PAGE, "headline.less")
                assert (less["headline.less"]["points"] if less else 0) == cost, (seed, line)
                seen["cost"] += cost > 0
            if not match.over:
                strip = heard(PATROL.aims(Glance(match.game, match.observe(), 0, match.legal())).camps[1].aims,
                              PATROL_PAGE, "strip.hurt", "strip.lost")
                lost = parts(match.state)["damage"]
                assert set(strip) == {"strip.hurt" if lost else "strip.lost"}
                assert not lost or int(strip["strip.hurt"]["damage"]) == -lost
            if heard(line, PATROL_PAGE, "headline.moves"):
                assert not kinds & {"found", "search_found", "surfaced", "visible"}, (seed, line, kinds)
                seen["quiet"] += 1
            if heard(line, PATROL_PAGE, "headline.attacks"):
                assert not kinds & {"damage", "harmless"}
                seen["attacks"] += 1
    assert seen["hull"] and seen["quiet"] and seen["cost"], seen


@pytest.mark.parametrize("name", ["task-force", "uss-lox"])
def test_whatever_happened_has_a_headline_and_is_told_a_press_away(name: str) -> None:
    control, dice = Controller(name), random.Random(2)
    control.new(2)
    for _ in range(40):
        if control.match.over:
            break
        control.give(dice.choice(control.legal))
        with speaking(control.voice):
            events, whole = control._latest(), control.happened()
            assert control.headline() and all(event.text in whole for event in events), whole
