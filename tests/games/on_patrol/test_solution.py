"""Firing solutions: exact over the fleet's dice, against every sequence of dice played out with the rules."""

from __future__ import annotations
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from navalkit.games.on_patrol.combat import torpedoes
from navalkit.games.on_patrol.odds import solution as module
from navalkit.games.on_patrol.odds.solution import solution, solutions
from navalkit.games.on_patrol.sea.combat_tables import COMBAT
from navalkit.games.on_patrol.sea.state import Boat, Fleet, Phase, Role, State, Torpedo, Tube, Vessel
from navalkit.games.on_patrol.sea.tables import TABLES, Sea, move_fleet
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place

GUIDE = Place(Hex.parse("M20"), 3)
NAME = next(iter(COMBAT.torpedoes))
SHORT = replace(COMBAT.torpedoes[NAME], range=15, speed=5)


def convoy(row: str, *, stopped: str = "") -> State:
    ships = []
    for n, label in enumerate(("I20", "I13", "M20", "M13", "AC20"), 1):
        place = Place(Hex.parse(label), 3)
        offset = Hex(place.bow.q - GUIDE.bow.q, place.bow.r - GUIDE.bow.r)
        ships.append(Vessel(f"M{n}", Role.MERCHANT, "liberty", place, 1, offset=offset, stopped=f"M{n}" == stopped))
    return State(1, Phase.BOATS, Fleet(GUIDE, row), tuple(ships), ())


def played_out(state: State, at: Hex, direction: int, sea: Sea, turns: int) -> dict[str, Fraction]:
    """The same by playing every sequence of dice, and every result of every roll, hex by hex."""
    hits: dict[str, Fraction] = {}

    def follow(now: State, torpedo: Torpedo, left: int, chance: Fraction) -> list[tuple[Torpedo, Fraction]]:
        """Run on from where the torpedo is; what is still running afterwards."""
        after, ship, rest = torpedoes.run(now, torpedo, left)
        if after is None or ship is None:
            return [(after, chance)] if after else []
        vessel = now.vessel(ship)
        tons = TABLES.vessels[vessel.type].tons
        odds = torpedoes.hit(NAME, torpedoes.aspect(direction, vessel), after.run, sea, tons)
        hits[ship] = hits.get(ship, Fraction(0)) + chance * odds["hit"]
        return follow(now, after._replace(met=(*after.met, ship)), rest, chance * odds["miss"])

    for dice in product(range(1, 7), repeat=turns):
        now, running = state, [(Torpedo("T1", NAME, "S1", at, direction), Fraction(1, 6**turns))]
        for die in dice:
            now, _, _ = move_fleet(now, die)
            running = [end for torpedo, chance in running for end in follow(now, torpedo, SHORT.speed, chance)]
    return {ship: chance for ship, chance in hits.items() if chance}


@pytest.mark.parametrize("row", ["slow 1", "fast 2"])
@pytest.mark.parametrize(
    ("label", "direction"), [("M26", 6), ("D20", 1), ("D22", 2), ("U24", 5), ("I26", 1), ("N9", 4), ("AC26", 6)]
)
def test_a_solution_is_what_every_sequence_of_dice_gives(
    monkeypatch: pytest.MonkeyPatch, row: str, label: str, direction: int
) -> None:
    tables = replace(COMBAT, torpedoes={NAME: SHORT})
    monkeypatch.setattr(module, "COMBAT", tables)
    monkeypatch.setattr(torpedoes, "COMBAT", tables)
    module._hits.cache_clear()
    sea = Sea("advanced", 1942)
    state = convoy(row, stopped="M5" if row == "fast 2" else "")
    at = Hex.parse(label)
    assert dict(solution(state, at, direction, NAME, sea).hits) == played_out(state, at, direction, sea, 3)
    module._hits.cache_clear()


@pytest.mark.parametrize(("label", "direction"), [("M28", 6), ("D20", 1), ("U24", 5), ("H27", 1)])
def test_104_4_2_a_solution_knows_that_capital_ships_flee_each_at_her_own_speed(
    monkeypatch: pytest.MonkeyPatch, label: str, direction: int
) -> None:
    tables = replace(COMBAT, torpedoes={NAME: SHORT})
    monkeypatch.setattr(module, "COMBAT", tables)
    monkeypatch.setattr(torpedoes, "COMBAT", tables)
    module._hits.cache_clear()
    capitals = [type_ for type_ in TABLES.vessels.values() if type_.role is Role.CAPITAL]
    slow, fast = min(capitals, key=lambda v: v.speed), max(capitals, key=lambda v: v.speed)
    assert slow.speed < fast.speed
    ships = []
    fleet_of = ((slow, "M20", 1), (fast, "I20", 2), (fast, "AC20", 2), (slow, "M12", 1))
    for n, (type_, bow, speed) in enumerate(fleet_of, 1):
        place = Place(Hex.parse(bow), 3)
        offset = Hex(place.bow.q - GUIDE.bow.q, place.bow.r - GUIDE.bow.r)
        ships.append(Vessel(f"C{n}", Role.CAPITAL, type_.id, place, speed, offset=offset, stopped=n == 4))
    fleet = Fleet(GUIDE, "fast 2", emergency=True)
    state = State(1, Phase.BOATS, fleet, tuple(ships), (), package="advanced")
    sea, at = Sea("advanced", 1942), Hex.parse(label)
    expected = played_out(state, at, direction, sea, 3)
    assert dict(solution(state, at, direction, NAME, sea).hits) == expected
    assert expected or label == "D20"
    module._hits.cache_clear()


def test_solutions_are_given_for_courses_with_a_ready_tube_alone() -> None:
    boat = Boat("S1", "viic", Place(Hex.parse("M30"), 6), 50, 1, 10, (Tube("bow", NAME), Tube("stern", "")))
    found = {s.direction: s for s in solutions(convoy("slow 1"), boat, Sea("basic", 1942))}
    assert set(found) == {5, 6, 1}
    assert found[6].best == "M3" and found[6].total <= 1
    assert not found[5].hits or found[5].total < found[6].total
