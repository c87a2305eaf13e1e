"""What Fleet Action's captains say of boats and flights is so: by the orders that are legal then, by the page's own
figures, and by when flights come."""

from __future__ import annotations
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from navalkit.core.game import CHANCE
from navalkit.core.match import Match
from navalkit.core.trace import Decision
from navalkit.games.fleet_action.board import points
from navalkit.games.fleet_action.board.forecast import bound, foretold
from navalkit.games.fleet_action.board.page import PAGE
from navalkit.games.fleet_action.bots import prowl
from navalkit.games.fleet_action.bots.sea import Sea
from navalkit.games.fleet_action.craft import Attack, Patrol, Place, Seek
from navalkit.games.fleet_action.rules.raiding import GUARDED
from navalkit.games.fleet_action.state import Done, Fate, Guns, Move, Phase, Torpedoes
from navalkit.grids.square import distance
from navalkit.testing import heard
from ..samples import sizes
from ..sentences import FLEET_BOTS, FLEET_PAGE
from .test_told_once import hints
from .test_told_true import glance


def asked(scenario: str, seeds: range, every: int = 1) -> Iterator[tuple[Match, Decision]]:
    yield from hints("fleet-action", {"scenario": scenario}, "admiral", "admiral", seeds, every)


def reason(hint: Decision, *keys: str) -> dict[str, Any]:
    return heard(hint.reason, FLEET_BOTS, *keys)


def said(hint: Decision, prefix: str) -> dict[str, Any]:
    """What a reason says of sentences whose keys begin like that, by the rest of the key."""
    keys = [key for key in FLEET_BOTS.tables["en"] if key == prefix or key.startswith(f"{prefix}.")]
    return {key.removeprefix(prefix).removeprefix("."): facts for key, facts in reason(hint, *keys).items()}


# Boats ------------------------------------------------------------------------------------------------------------

def fires(match: Match, order: Move) -> set[str]:
    """At whom a boat can fire in this move if she is given that order, and nobody does anything else."""
    game, side = match.game, match.turn
    state = game.apply(match.state, order).state
    while state.phase is not Phase.FIRE or state.side != side:
        action = next(iter(game.chance(state))) if game.turn(state) == CHANCE else Done()
        state = game.apply(state, action).state
    return {fire.target for fire in game.legal(state) if isinstance(fire, Guns | Torpedoes) and fire.ship == order.who}


@sizes("games", 2, 8)
def test_a_boats_captain_names_whom_she_can_fire_at_and_whom_she_meets(games: int) -> None:
    """F41 to F50: of each reason what it claims, place by place."""
    told = Counter[str]()
    for scenario, seed in (("night_convoy", 120_300), ("night_convoy", 120_306), ("wounded_cruiser", 120_302)):
        for match, hint in asked(scenario, range(seed, seed + games)):
            found = said(hint, "why.boat")
            if not found:
                continue
            (key, facts), = found.items()
            told[key] += 1
            seen, order = match.observe(), hint.action
            battle, view = seen.battle, seen.view
            assert isinstance(order, Move)
            ship, there = battle.numbers[order.who], battle.grid.number(order.square)
            foe = battle.numbers.get(facts.get("foe", ""), -1)
            known, second = foe >= 0 and view.ships[foe].square >= 0, view.side != view.first
            sea = Sea(seen)
            here = prowl.survey(sea, ship, [order])
            named = [n for n, each in enumerate(sea.foes) if facts.get("foe") == (
                battle.units[each.ships[0]].name if len(each.ships) == 1
                else FLEET_BOTS("disc", square=battle.grid.names[each.square]))]
            if key.startswith("strike"):
                assert here.strikes[named[0], 1] == here.strike[1] > 0
            if key == "strike":
                assert known and second and facts["foe"] in fires(match, order), (match.ply, hint.reason)
            elif key == "strike.moves":
                assert known and not second
            elif key == "strike.believed":
                assert not known
            elif key in ("approach", "placed"):
                assert here.later[1] > here.later[0]
                assert here.promises[named[0], 1] == here.later[1]
                away = [distance(battle.grid, square, view.ships[foe].square) if known else 0
                        for square in (view.ships[ship].square, there)]
                assert (key == "approach") == (known and away[1] < away[0]), (match.ply, hint.reason)
            elif key == "dive":
                level = [each for each in match.legal() if isinstance(each, Move) and each.who == order.who
                         and (each.square, each.heading) == (order.square, order.heading) and not each.depth]
                assert order.depth and all(prowl.survey(sea, ship, [each]).danger[1] > here.danger[1] for each in level)
            else:
                assert key == "evade" and here.danger[1] < here.danger[0]
    assert {"strike", "approach", "dive", "evade", "placed"} <= told.keys(), told


# Flights ----------------------------------------------------------------------------------------------------------

@sizes("games", 2, 6)
def test_a_strikes_captain_and_the_buttons_beside_it_tell_the_same(games: int) -> None:
    """F62 to F67: that no ship would take more damage is said where no button shows more, else who would, and why she
    is not attacked; and the damage found is the button's, where no fighters are met."""
    told = Counter[str]()
    for scenario in ("force_z", "rudder"):
        for match, hint in asked(scenario, range(770_100, 770_100 + games)):
            found = said(hint, "why.attack")
            if not found:
                continue
            told.update(found.keys())
            seen, order = match.observe(), hint.action
            battle = seen.battle
            assert isinstance(order, Attack)
            shown = {each.target: foretold(seen, each) for each in match.legal()
                     if isinstance(each, Attack) and each.flight == order.flight}
            most = max(float(points(each.mean)) for each in shown.values())
            (least,) = {name for name in found if name in ("", "value", "joins")}
            assert least == "" or (least == "joins") == bool(bound(seen, battle.numbers[order.target]))
            mine = float(points(shown[order.target].mean))
            other = [facts["other"] for name, facts in found.items() if name in ("less", "sent", "fuel")]
            assert (mine < most) == bool(other), (match.ply, hint.reason)
            assert all(float(points(shown[name].mean)) == most for name in other)
            assert "sent" not in found or bound(seen, battle.numbers[other[0]])
            met = next(iter(heard(hint.findings, FLEET_BOTS, "air.met", "air.met.likely").values()))
            drops = heard(hint.findings, FLEET_BOTS, "air.drops")["air.drops"]
            if int(str(met["n"]).split()[0]):
                assert least, "fighters count"
            else:
                assert float(drops["points"]) == pytest.approx(float(shown[order.target].mean), abs=0.06)
            keys = {f"why.attack.{key}".rstrip(".") for key in found}  # the page says the same
            assert set(heard(PAGE.because(glance(match), hint), FLEET_BOTS, *keys)) == keys
    assert {"", "value", "joins", "less"} <= told.keys(), told


@sizes("games", 3, 5)
def test_a_patrols_captain_says_what_it_guards_and_what_that_is_worth(games: int) -> None:
    """F61: all within two squares of the ship it is over; nothing in reach is worth more, or it is the base."""
    told = Counter[str]()
    for scenario in ("force_z", "carriers_in_the_cloud")[:1 + (games > 3)]:
        for match, hint in asked(scenario, range(880_000, 880_000 + games), 1 if scenario == "force_z" else 5):
            found = said(hint, "why.patrol")
            if not found:
                continue
            (key, facts), = found.items()
            told[key] += 1
            seen = match.observe()
            battle, view, value = seen.battle, seen.view, Sea(seen).stakes.value

            def near(name: str, battle: Any = battle, view: Any = view, me: int = seen.me) -> list[int]:
                square = view.ships[battle.numbers[name]].square
                return [n for n in battle.fleet(me) if view.ships[n].fate is Fate.AT_SEA and not view.ships[n].dived
                        and distance(battle.grid, square, view.ships[n].square) <= GUARDED]

            worth = {each.target: sum(value[n] for n in near(each.target)) for each in match.legal()
                     if isinstance(each, Patrol) and each.flight == facts["flight"]}
            best = worth[facts["target"]] >= max(worth.values()) - 1e-6
            base = battle.flights[battle.wings[facts["flight"]]].base
            assert best or (key == "base" and battle.units[base].name == facts["target"])
            assert key != "alone" or len(near(facts["target"])) == 1
            assert key != "with" or int(str(facts["n"]).split()[0]) == len(near(facts["target"])) - 1
    assert {"alone", "with"} <= told.keys(), told


@sizes("games", 4, 12)
def test_a_call_is_told_with_when_they_come_and_when_the_first_bombers_can(games: int) -> None:
    """F57: what the battle then has them come in."""
    told = Counter[str]()
    for match, hint in asked("force_z", range(770_100, 770_100 + games)):
        found = said(hint, "why.call")
        if not found:
            continue
        game, battle = match.game, match.game.battle
        after = game.apply(match.state, hint.action).state
        told.update(found.keys())
        (called,) = (n for n, own in enumerate(after.flights) if own.place is Place.COMING
                     and battle.flights[n].side == match.turn)
        there = after.flights[called].ready
        assert int(found[""]["move"]) == there
        bombers = [own.ready for n, own in enumerate(after.flights) if battle.flights[n].side != match.turn
                   and not battle.flights[n].fighter and own.place is Place.COMING]
        seen = match.observe()
        in_sight = bool(seen.sky) or any(own.place is Place.ALOFT for n, own in enumerate(seen.view.flights)
                                         if battle.flights[n].side != match.turn)
        assert ("seen" in found) == in_sight
        for key in {"before", "after"} & found.keys():
            assert int(found[key]["move"]) == min(bombers)
            assert (key == "before") == (there <= min(bombers))
    assert told["after"] and told[""] >= games, told


# Headlines --------------------------------------------------------------------------------------------------------

@sizes("games", 1, 3)
def test_headlines_count_ships_and_say_that_flights_attack(games: int) -> None:
    told = Counter[str]()
    for match, _ in asked("force_z", range(880_000, 880_000 + games)):
        for back in (4, 10, 30):
            events = [event for ply in match.plies[-back:] for event in ply.events]
            line = PAGE.headline(events)
            found = heard(line, FLEET_PAGE, "headline.moved", "headline.wide", "headline.wide.air")
            told.update(found.keys())
            ships = {event.facts["ship"] for event in events if event.kind.partition(".")[0] == "moved"}
            if "headline.moved" in found:
                assert int(found["headline.moved"]["n"]) == len(ships)
            if "headline.wide" in found:
                assert found["headline.wide"]["ship"] in match.game.battle.numbers
            if "headline.wide.air" in found:
                assert found["headline.wide.air"]["ship"] in match.game.battle.wings
            moved = heard(PAGE.happened(events), FLEET_PAGE, "happened.moved")
            if moved:
                plain = {event.facts["ship"] for event in events if event.kind == "moved"}
                assert int(moved["happened.moved"]["n"]) == len(plain) > 1
    assert {"headline.moved", "headline.wide.air"} <= told.keys(), told


@sizes("games", 1, 4)
def test_a_headline_says_of_a_search_that_it_is_one(games: int) -> None:
    told = 0
    for match, hint in asked("night_convoy", range(640_500, 640_500 + games)):
        if isinstance(hint.action, Seek):
            events = match.game.apply(match.state, hint.action).events
            found = heard(PAGE.headline(events), FLEET_PAGE, "headline.ordered", "headline.ordered.hunt")
            assert list(found) == ["headline.ordered.hunt"]
            assert found["headline.ordered.hunt"]["target"] == hint.action.square
            told += 1
    assert told


@sizes("games", 1, 3)
def test_the_fighters_that_a_strikes_captain_expects_are_not_told_as_known(games: int) -> None:
    """F61: where none are seen over her some may be likely."""
    expected = 0
    for match, hint in asked("carriers_in_the_cloud", range(640_700, 640_700 + games), 2):
        met = heard(hint.findings, FLEET_BOTS, "air.met", "air.met.likely")
        if not met:
            continue
        seen = match.observe()
        battle = seen.battle
        square = seen.view.ships[battle.numbers[hint.action.target]].square
        known = [own.square for n, own in enumerate(seen.view.flights) if battle.flights[n].side != seen.me
                 and battle.flights[n].fighter and own.place is Place.ALOFT]
        near = any(distance(battle.grid, place, square) <= GUARDED for place in (*known, *(at for at, _ in seen.sky)))
        assert near or "air.met.likely" in met or not int(str(met["air.met"]["n"]).split()[0])
        expected += "air.met.likely" in met
    assert expected
