"""What the escorts find out (104.1.3), row by row, and whom they hunt (104.2.1, 104.2.2)."""

from __future__ import annotations
from dataclasses import replace
from typing import Any

import pytest

from navalkit.games.on_patrol.combat.damage import as_escorts_see
from navalkit.games.on_patrol.combat.rolls import searchers
from navalkit.games.on_patrol.escort.pattern import Step, assign, mode, search_ends, sight, torpedoes_appear
from navalkit.games.on_patrol.rules.game import carry_out
from navalkit.games.on_patrol.sea.state import (
    Boat,
    Fleet,
    Hunt,
    Light,
    Marker,
    MarkerKind,
    Order,
    Phase,
    Role,
    Score,
    Shot,
    State,
    Torpedo,
    Tube,
    Vessel,
)
from navalkit.games.on_patrol.sea.tables import Sea
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from navalkit.testing import said
from ...sentences import PATROL

DAY, NIGHT = Sea("advanced", 1943), Sea("advanced", 1943, night=True)
GUIDE = Place(Hex.parse("M20"), 3)
FAR = "AA90"


def at(text: str, direction: int = 3) -> Place:
    return Place(Hex.parse(text), direction)


def ship(id: str, place: Place, speed: int = 3, **hunt: Any) -> Vessel:
    role = {"M": Role.MERCHANT, "C": Role.CAPITAL, "E": Role.ESCORT}[id[0]]
    type = {"M": "liberty", "C": "kongo", "E": "flower"}[id[0]]
    return Vessel(id, role, type, place, speed, station=id, hunt=Hunt(**hunt))


def boat(id: str = "S1", place: Place | None = None, depth: int = 50, **fields: Any) -> Boat:
    tubes = (Tube("bow", "G7e"), Tube("stern", "G7e"))
    return Boat(id, "viic", place or at("M40", 6), depth, 1, 10, tubes, (("G7e", 9),), **fields)


def sea(*ships: Vessel, boats: tuple[Boat, ...] | None = None, **fields: Any) -> State:
    fields.setdefault("phase", Phase.SEARCH)
    boats = (boat(),) if boats is None else boats
    return State(5, fields.pop("phase"), Fleet(GUIDE, "slow 1"), ships, boats, **fields)


def marked(state: State, kind: MarkerKind, place: Place | None = None, id: str = "S1") -> State:
    return state.with_marker(Marker(id, kind, place or state.boat(id).place))


def only(step: Step | State) -> tuple[MarkerKind, Place] | None:
    """Kind and place of the one marker there is."""
    state = step if isinstance(step, State) else step.state
    assert len(state.markers) <= 1
    return (state.markers[0].kind, state.markers[0].place) if state.markers else None


# Row by row ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("depth", "kind"), [(0, "surfaced"), (25, "visible"), (50, None)])
def test_104_1_3_a_visible_boat_has_her_own_marker_under_her(depth: int, kind: str | None) -> None:
    hers = boat(depth=depth)
    step = sight(sea(ship("M1", at("M20")), boats=(hers,)), DAY)
    assert only(step) == ((MarkerKind(kind), hers.place) if kind else None)
    assert [event.rule for event in step.events] == (["104.1.3"] if kind else [])


def test_104_1_3_it_moves_with_her_while_she_stays_in_sight() -> None:
    state = sight(sea(ship("M1", at("M20")), boats=(boat(depth=0),), phase=Phase.BOATS), DAY).state
    step = carry_out(state, Order("S1", (0, 0), 0), DAY)
    assert only(step) == (MarkerKind.SURFACED, at("M38", 6))
    dived = carry_out(step.state, Order("S1", (0,), 25), DAY)
    assert only(dived) == (MarkerKind.VISIBLE, at("M37", 6))


def test_104_1_3_a_boat_that_dives_leaves_a_marker_where_her_move_began() -> None:
    state = sight(sea(ship("M1", at("M20")), boats=(boat(depth=25),), phase=Phase.BOATS), DAY).state
    step = carry_out(state, Order("S1", (0, -1), 75), DAY)
    assert only(step) == (MarkerKind.CONTACT, at("M40", 6))
    assert step.events[-1].kind == "disappears"


def test_104_1_3_a_boat_lost_at_night_leaves_a_marker_where_she_was_seen_last() -> None:
    near = sea(ship("M1", at("M37")), boats=(boat(depth=0),))
    seen = sight(near, NIGHT).state
    assert only(seen) == (MarkerKind.SURFACED, at("M40", 6))
    away = seen.with_vessel(replace(seen.vessel("M1"), place=at("M20")))
    assert only(sight(away, NIGHT)) == (MarkerKind.CONTACT, at("M40", 6))


def test_104_1_3_a_boat_found_has_a_marker_that_does_not_move_with_her() -> None:
    state = sea(ship("E1", at("M30"), contact=("S1",)))
    found = search_ends(state, DAY)
    assert only(found) == (MarkerKind.CONTACT, at("M40", 6))
    moved = carry_out(replace(found.state, phase=Phase.BOATS), Order("S1", (0, 0), 50), DAY)
    assert only(moved) == (MarkerKind.CONTACT, at("M40", 6))


def test_104_1_3_an_echo_on_the_radar_is_found_too() -> None:
    assert only(search_ends(sea(ship("E1", at("M30"), echoes=("S1",))), DAY)) == (MarkerKind.CONTACT, at("M40", 6))


def test_104_1_3_a_boat_in_sight_keeps_her_own_marker_when_found() -> None:
    state = sight(sea(ship("E1", at("M30"), contact=("S1",)), boats=(boat(depth=25),)), DAY).state
    assert only(search_ends(state, DAY)) == (MarkerKind.VISIBLE, at("M40", 6))


def test_104_1_3_a_boat_missed_has_her_marker_inverted() -> None:
    state = marked(sea(ship("E1", at("M30"), boat="S1")), MarkerKind.CONTACT, at("M41", 6))
    assert searchers(state, DAY)
    assert only(search_ends(state, DAY)) == (MarkerKind.INVERTED, at("M41", 6))
    assert only(search_ends(state.without_marker("S1"), DAY)) is None


def test_104_1_3_missed_is_a_search_really_made_wherever_the_boat_is() -> None:
    """The escorts know that they searched, and not whether they had a chance."""
    state = marked(sea(ship("E1", at("M30"), boat="S1")), MarkerKind.CONTACT, at("M41", 6))
    away = state.with_boat(replace(state.boat("S1"), place=at(FAR)))
    assert not searchers(away, DAY)
    assert only(search_ends(away, DAY)) == (MarkerKind.INVERTED, at("M41", 6))
    elsewhere = marked(state, MarkerKind.CONTACT, at("A1", 6))
    assert only(search_ends(elsewhere, DAY)) == (MarkerKind.INVERTED, at("A1", 6))


def test_104_1_3_missed_needs_a_search_by_an_escort_that_hunts_her() -> None:
    for escort in (ship("E1", at("M30")), ship("E1", at("M30"), speed=5, boat="S1")):  # hunts nobody, too fast
        state = marked(sea(escort), MarkerKind.CONTACT)
        assert only(search_ends(state, DAY)) == only(state)


@pytest.mark.parametrize(("depth", "sea_", "kind"), [
    (25, NIGHT, MarkerKind.INVERTED), (0, NIGHT, MarkerKind.INVERTED), (50, NIGHT, MarkerKind.CONTACT),
    (25, Sea("basic", 1943), MarkerKind.VISIBLE),
])  # fmt: skip
def test_104_1_3_a_miss_by_radar_is_a_miss_too(depth: int, sea_: Sea, kind: MarkerKind) -> None:
    """Too fast for her sonar, she still searches by radar, as long as the boat is not too deep for it (108.3.2)."""
    hunter = ship("E1", at("M30"), speed=5, boat="S1")
    state = marked(sea(hunter, boats=(boat(depth=depth),)), MarkerKind.CONTACT)
    assert only(search_ends(sight(state, sea_).state, sea_))[0] is kind


def test_104_1_3_missed_is_also_to_run_through_the_zone_without_contact() -> None:
    state = marked(sea(ship("E1", at(FAR), cleared="S1")), MarkerKind.CONTACT)
    ended = search_ends(state, DAY).state
    assert only(ended) == (MarkerKind.INVERTED, at("M40", 6))
    assert not ended.vessel("E1").hunt.cleared


@pytest.mark.parametrize("kind", [MarkerKind.TORPEDO, MarkerKind.INVERTED])
def test_104_1_3_a_miss_leaves_torpedo_and_inverted_markers(kind: MarkerKind) -> None:
    state = marked(sea(ship("E1", at("M30"))), kind)
    assert only(search_ends(state, DAY)) == only(state)


def test_104_1_3_torpedoes_lay_a_marker_ahead_of_the_bow() -> None:
    step = torpedoes_appear(sea(), "S1")
    assert only(step) == (MarkerKind.TORPEDO, at("M39", 6))
    assert step.state.markers[0].target == Hex.parse("M39")


@pytest.mark.parametrize("kind", list(MarkerKind))
def test_104_1_3_torpedoes_replace_inverted_and_older_torpedo_markers_alone(kind: MarkerKind) -> None:
    state = marked(sea(), kind, at("A1"))
    after = only(torpedoes_appear(state, "S1"))
    replaced = kind in (MarkerKind.INVERTED, MarkerKind.TORPEDO)
    assert after == ((MarkerKind.TORPEDO, at("M39", 6)) if replaced else (kind, at("A1")))


def test_104_1_3_a_boat_that_dives_from_sight_and_fires_leaves_a_contact_marker() -> None:
    state = sight(sea(ship("M1", at("M20")), boats=(boat(depth=25),), phase=Phase.BOATS), DAY).state
    step = carry_out(state, Order("S1", (), 50, (Shot(1, 6),)), DAY)
    assert only(step) == (MarkerKind.CONTACT, at("M40", 6))
    assert step.state.torpedoes == (Torpedo("T1", "G7e", "S1", Hex.parse("M39"), 6),)


def test_104_1_3_a_stern_shot_too_is_marked_at_hex_b() -> None:
    state = sea(ship("M1", at("M60")), phase=Phase.BOATS)
    step = carry_out(state, Order("S1", (), None, (Shot(1, 3),)), DAY)
    assert step.state.torpedoes[0].at == Hex.parse("M42")
    assert only(step) == (MarkerKind.TORPEDO, at("M39", 6))


def test_104_1_2_escorts_know_of_boats_what_they_see_alone() -> None:
    boats = (boat("S1", depth=25), boat("S2", at("AA20"), 100))
    state = sea(ship("E1", at("M30")), boats=boats, points=(Score("sunk", "M9", 8),), launched=3)
    seen = as_escorts_see(state, DAY)
    assert seen.boats == (Boat("S1", "", at("M40", 6), 25, 0, 0),)
    assert (seen.points, seen.todo, seen.launched) == ((), (), 0)
    assert as_escorts_see(state, NIGHT).boats == ()
    assert as_escorts_see(replace(state, lights=(Light(Hex.parse("M40"), 3, 5),)), NIGHT).boats == seen.boats


# Who hunts whom ------------------------------------------------------------------------------------------------------


def hunters(state: State) -> dict[str, str]:
    return {v.id: v.hunt.boat for v in state.escorts if v.hunt.boat}


def packs(escorts: int, *boats: str, **columns: str) -> State:
    """Escorts E1, E2 ... in columns A, I, Q ..., and the markers of boats in the columns named."""
    ships = (ship(f"E{n}", Place(Hex.at(8 * n - 7, 20), 3)) for n in range(1, escorts + 1))
    state = sea(*ships, boats=tuple(boat(id, at(f"{columns[id]}40", 6)) for id in boats))
    for id in boats:
        state = marked(state, MarkerKind.CONTACT, id=id)
    return state


def test_104_2_1_one_marker_is_for_all_escorts() -> None:
    step = assign(packs(5, "S1", S1="A"))
    assert set(hunters(step.state).values()) == {"S1"}
    (event,) = step.events
    said(event, PATROL, "assigned", escorts="E1, E2, E3, E4, E5", boat="S1", mode=3)
    assert assign(step.state).state == step.state


@pytest.mark.parametrize(("escorts", "sent"), [(1, ""), (2, "E2"), (5, "E4 E5"), (6, "E4 E5 E6")])
def test_104_2_1_double_the_nearest_half_rounded_down_goes_to_the_second(escorts: int, sent: str) -> None:
    """The second boat lies off the last escort."""
    last = Hex.at(8 * escorts - 7, 1).label[:-1]
    state = assign(packs(escorts, "S1", S1="A")).state
    both = replace(state, boats=(*state.boats, boat("S2", at(f"{last}40", 6))))
    found = hunters(assign(marked(both, MarkerKind.CONTACT, id="S2")).state)
    assert [id for id, hunted in found.items() if hunted == "S2"] == sent.split()
    assert list(found.values()).count("S1") == escorts - len(sent.split())


def test_104_2_1_triple_half_of_each_force_goes_to_the_third() -> None:
    state = assign(packs(8, "S1", "S2", S1="A", S2="BE")).state
    assert list(hunters(state).values()) == ["S1"] * 4 + ["S2"] * 4
    third = replace(state, boats=(*state.boats, boat("S3", at("AB40", 6))))
    found = hunters(assign(marked(third, MarkerKind.TORPEDO, id="S3")).state)
    assert list(found.values()) == ["S1", "S1", "S3", "S3", "S3", "S3", "S2", "S2"]


def test_104_2_1_boats_found_together_go_by_number() -> None:
    together = hunters(assign(packs(6, "S1", "S2", "S3", S1="A", S2="A", S3="A")).state)
    assert [list(together.values()).count(id) for id in ("S1", "S2", "S3")] == [2, 2, 2]


def test_104_2_1_they_stay_with_their_boat_until_her_marker_is_gone() -> None:
    state = assign(packs(4, "S1", "S2", S1="A", S2="Y")).state
    before = hunters(state)
    nearer = marked(state, MarkerKind.CONTACT, at("A21", 6), "S2")
    assert hunters(assign(nearer).state) == before
    sunk = state.with_boat(replace(state.boat("S2"), sunk=5)).without_marker("S2")
    assert hunters(assign(sunk).state) == dict.fromkeys(before, "S1")
    step = assign(sunk.without_marker("S1"))
    assert hunters(step.state) == {}
    assert [event.kind for event in step.events] == ["return"]


def test_104_2_1_a_new_boat_ends_manoeuvre_and_circle() -> None:
    state = marked(sea(ship("E1", at("M30"), boat="S2", ring=6, contact=("S1",))), MarkerKind.CONTACT)
    assert assign(state).state.vessel("E1").hunt == Hunt(boat="S1", contact=("S1",))


def test_104_2_1_a_ship_dead_in_the_water_hunts_nobody() -> None:
    state = marked(sea(ship("E1", at("M30"), boat="S1")), MarkerKind.CONTACT)
    state = state.with_vessel(replace(state.vessel("E1"), stopped=True))
    assert hunters(assign(state).state) == {}


@pytest.mark.parametrize(
    ("kind", "number"), [(None, 1), ("torpedo", 2), ("contact", 3), ("visible", 4), ("surfaced", 5), ("inverted", 6)]
)
def test_104_2_1_the_marker_gives_the_mode(kind: str | None, number: int) -> None:
    state = sea()
    assert mode(marked(state, MarkerKind(kind)) if kind else state, "S1") == number
