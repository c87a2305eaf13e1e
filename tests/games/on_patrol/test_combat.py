"""Combat on the hex sea, rule by rule: torpedoes, attacks, search, sight, guns, ramming, damage."""

from __future__ import annotations
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from navalkit.core.dist import Dist
from navalkit.core.words import Phrase
from navalkit.games.on_patrol.combat import damage, rolls, torpedoes
from navalkit.games.on_patrol.combat.rolls import HANDLERS, opening, still_due
from navalkit.games.on_patrol.sea.combat_tables import COMBAT
from navalkit.games.on_patrol.sea.state import (
    Boat,
    Charge,
    Fleet,
    Hunt,
    Light,
    Marker,
    MarkerKind,
    Phase,
    Role,
    Score,
    Shot,
    State,
    Task,
    Torpedo,
    Tube,
    Vessel,
)
from navalkit.games.on_patrol.sea.tables import TABLES, Sea
from navalkit.grids.hex import DIRECTIONS, Hex, opposite, turned
from navalkit.grids.hex_moves import Place
from navalkit.testing import said
from ...sentences import PATROL, PATROL_WHY

DAY, NIGHT = Sea("advanced", 1943), Sea("advanced", 1943, night=True)
BASIC = Sea("basic", 1943)


def at(text: str, direction: int) -> Place:
    return Place(Hex.parse(text), direction)


def ship(id: str, place: Place, type: str = "", **fields: Any) -> Vessel:
    role = {"M": Role.MERCHANT, "C": Role.CAPITAL, "E": Role.ESCORT}[id[0]]
    type = type or {"M": "tramp", "C": "kongo", "E": "v-and-w"}[id[0]]
    return Vessel(id, role, type, place, fields.pop("speed", 2), **fields)


def boat(place: Place, depth: int = 100, **fields: Any) -> Boat:
    return Boat(fields.pop("id", "S1"), fields.pop("type", "viic"), place, depth, fields.pop("speed", 1),
                fields.pop("hull", 10), **fields)  # fmt: skip


def sea(*pieces: Vessel | Boat | Torpedo, turn: int = 5, phase: Phase = Phase.ESCORTS, **fields: Any) -> State:
    return State(
        turn,
        phase,
        Fleet(at("M20", 3), "slow 1"),
        tuple(p for p in pieces if isinstance(p, Vessel)),
        tuple(p for p in pieces if isinstance(p, Boat)),
        tuple(p for p in pieces if isinstance(p, Torpedo)),
        **fields,
    )


def resolve(state: State, task: Task, result: str | int, sea: Sea = DAY) -> tuple[State, tuple[Task, ...], list[str]]:
    """A result that can happen, and what follows: state, rolls and the sentences told."""
    handler = HANDLERS[task.kind]
    assert handler.odds(state, task, sea)[result] > 0
    after, tasks, events = handler.resolve(state, task, result, sea)
    assert all(event.rule and event.text for event in events)
    return after, tasks, [event.text for event in events]


def loaded(bow: int = 4, stern: int = 1, type: str = "G7a", **fields: Any) -> Boat:
    tubes = (Tube("bow", type),) * bow + (Tube("stern", type),) * stern
    return boat(at("M20", 6), tubes=tubes, **fields)


# Torpedoes -----------------------------------------------------------------------------------------------------------


def test_T1_every_course_has_its_tubes_and_its_launch_hex() -> None:
    place = at("M20", 6)
    for direction in (5, 6, 1):
        assert torpedoes.tubes_for(place, direction) == ("bow", Hex.parse("M19"))
    for direction in (2, 3, 4):
        assert torpedoes.tubes_for(place, direction) == ("stern", Hex.parse("M22")), "the stern is M21"


@pytest.mark.parametrize(
    ("boat", "shots", "wrong"),
    [
        (loaded(depth=100), [Shot(4, 6)], None),
        (loaded(depth=0), [Shot(2, 5), Shot(2, 1), Shot(1, 3)], None),
        (loaded(depth=125), [], None),
        (loaded(depth=125), [Shot(1, 6)], PATROL_WHY.phrase("torpedoes.ft_torpedoes_launched", depth=125)),
        (loaded(), [Shot(5, 6)], PATROL_WHY.phrase("torpedoes.tubes", tubes=4, end="bow", number=5)),
        (loaded(), [Shot(3, 6), Shot(2, 1)], PATROL_WHY.phrase("torpedoes.tubes", tubes=1, end="bow", number=2)),
        (loaded(), [Shot(0, 6)], PATROL_WHY.phrase("torpedoes.tubes", number=0)),
        (loaded(), [Shot(1, 6, "G7e")], PATROL_WHY.phrase("torpedoes.tubes_of_type", tubes=0, type="G7e")),
        (loaded(), [Shot(1, 6, "Mk99")], PATROL_WHY.phrase("torpedoes.no_torpedo", type="Mk99")),
    ],
)
def test_T1_what_may_be_launched(boat: Boat, shots: list[Shot], wrong: Phrase | None) -> None:
    reason = torpedoes.why_not_launch(boat, shots)
    assert said(reason, wrong) if wrong else reason is None


def test_T1_launched_torpedoes_lie_on_the_launch_hex_and_are_numbered() -> None:
    state, tasks, events = torpedoes.launch(sea(loaded(), launched=3), "S1", [Shot(2, 5), Shot(1, 3)])
    assert [(t.id, str(t.at), t.direction, t.run) for t in state.torpedoes] == [
        ("T4", "M19", 5, 0), ("T5", "M19", 5, 0), ("T6", "M22", 3, 0),
    ]  # fmt: skip
    assert state.launched == 6 and tasks == () and len(events) == 2
    assert [tube.torpedo for tube in state.boat("S1").tubes] == ["", "", "G7a", "G7a", ""]


def test_T6_tubes_are_reloaded_from_the_racks_while_they_last() -> None:
    one_left = loaded(reloads=(("G7e", 1),))
    state = torpedoes.launch(sea(one_left), "S1", [Shot(2, 6)]).state
    tubes = state.boat("S1").tubes
    assert tubes[:2] == (Tube("bow", "G7e", 20), Tube("bow", "", 0)) and state.boat("S1").reloads == ()
    assert torpedoes.why_not_launch(state.boat("S1"), [Shot(3, 6)]) is not None
    for turn in range(1, 21):
        state, _, events = torpedoes.reload(state)
        assert state.boat("S1").tubes[0].ready == 20 - turn
        assert bool(events) is (turn == 20)
    assert torpedoes.why_not_launch(state.boat("S1"), [Shot(3, 6)]) is None


@given(st.integers(1, 6), st.integers(0, 60), st.integers(-6, 6), st.integers(-6, 6), st.integers(1, 6))
def test_T2_a_torpedo_runs_to_the_first_ship_in_its_row(d: int, begun: int, q: int, r: int, heading: int) -> None:
    torpedo = Torpedo("T1", "G7a", "S1", Hex(0, 0), d, begun)
    target = ship("M1", Place(Hex(q, r), heading))
    after, met, left = torpedoes.run(sea(target, torpedo), torpedo, 7)
    # Hex by hex, the hexes it may still reach this turn:
    lane = [Hex(0, 0).step(d, n) for n in range(min(7, max(0, 55 - begun)) + 1)]
    hit = next((n for n, h in enumerate(lane) if h in target.place.hexes), None)
    if hit is not None:
        assert (met, left) == ("M1", 7 - hit) and after is not None and after.at == lane[hit]
        assert after.run == begun + hit
        # Met once, it is not met again, though her other hex may lie on the row too.
        assert torpedoes.run(sea(target), after._replace(met=("M1",)), left)[1] is None
    elif begun + 7 >= 55:
        assert after is None
    else:
        assert after == torpedo._replace(at=lane[-1], run=begun + 7) and met is None


def test_T2_all_torpedoes_run_in_phase_4_and_end_with_their_range() -> None:
    far, spent = Torpedo("T1", "G7e", "S1", Hex(0, 0), 1), Torpedo("T2", "G7a", "S1", Hex(0, 9), 1, run=50)
    state, tasks, events = opening(sea(far, spent, phase=Phase.TORPEDOES), DAY)
    assert state.torpedoes == (far._replace(at=Hex(0, 0).step(1, 5), run=5),) and tasks == ()
    assert [event.kind for event in events] == ["spent"] and str(spent.at.step(1, 5)) in events[0].text


@pytest.mark.parametrize(("begun", "met"), [(51, "M1"), (52, None)])
def test_T2_its_last_hex_counts_and_none_beyond(begun: int, met: str | None) -> None:
    torpedo = Torpedo("T1", "G7a", "S1", Hex.parse("M20"), 6, run=begun)  # it runs 55 hexes
    assert torpedoes.run(sea(ship("M1", at("M16", 1)), torpedo), torpedo, 7).ship == met


def test_T2_a_torpedo_that_misses_runs_on_to_the_next_ship() -> None:
    near, next_ = ship("M1", at("M17", 1)), ship("M2", at("M15", 1))
    start = sea(near, next_, Torpedo("T1", "G7a", "S1", Hex.parse("M20"), 6), phase=Phase.TORPEDOES)
    state, (task,), _ = opening(start, DAY)
    assert (task.actor, task.target, task.at, task.detail) == ("T1", "M1", Hex.parse("M17"), (4,))
    state, (task,), _ = resolve(state, task, "miss")
    assert (task.target, task.at, task.detail) == ("M2", Hex.parse("M15"), (2,))
    state, tasks, _ = resolve(state, task, "miss")
    assert tasks == () and state.torpedoes[0].at == Hex.parse("M13") and state.torpedoes[0].met == ("M1", "M2")


def test_T2_a_ship_that_steams_onto_a_torpedo_meets_it_and_boats_do_not() -> None:
    torpedo = Torpedo("T1", "G7a", "S1", Hex.parse("M20"), 6, run=8)
    other = boat(at("M18", 1), 0, id="S2")
    _, (task,), _ = opening(sea(ship("M1", at("M20", 1)), other, torpedo, phase=Phase.TORPEDOES), DAY)
    assert task.at == Hex.parse("M20") and task.detail == (7,)
    _, tasks, _ = opening(sea(other, torpedo, phase=Phase.TORPEDOES), DAY)
    assert tasks == ()


def test_T3_the_aspect_is_the_angle_between_track_and_course() -> None:
    for heading in DIRECTIONS:
        target = ship("M1", at("M20", heading))
        words = [torpedoes.aspect(turned(heading, turn), target) for turn in range(6)]
        assert words == ["end", "quarter", "beam", "end", "beam", "quarter"]


def test_T3_small_ships_are_harder_and_great_ones_easier_to_hit() -> None:
    chances = [torpedoes.hit("MkVIII", "beam", 20, BASIC, tons)["hit"] for tons in (925, 2500, 2501, 19_999, 20_000)]
    assert chances[0] == chances[1] < chances[2] == chances[3] < chances[4]
    for aspect in COMBAT.aspects:
        by_run = [torpedoes.hit("G7a", aspect, run, BASIC)["hit"] for run in range(56)]
        assert by_run == sorted(by_run, reverse=True)


def test_T4_a_torpedo_must_run_three_hexes_in_the_advanced_game() -> None:
    state = sea(ship("M1", at("M18", 1)), Torpedo("T1", "G7a", "S1", Hex.parse("M20"), 6), phase=Phase.TORPEDOES)
    opened, (task,), _ = opening(state, DAY)
    assert set(HANDLERS["torpedo"].odds(opened, task, DAY)) == {"unarmed", "miss"}
    assert set(HANDLERS["torpedo"].odds(opened, task, BASIC)) == {"hit", "miss"}
    after, tasks, (text,) = resolve(opened, task, "unarmed")
    assert after.torpedoes == () and tasks == () and after.vessel("M1").hits == 0
    said(text, PATROL, "unarmed")


@pytest.mark.parametrize(("run", "armed"), [(0, False), (2, False), (3, True), (4, True)])
def test_T4_after_three_hexes_it_is_armed(run: int, armed: bool) -> None:
    assert ("unarmed" in torpedoes.hit("G7a", "beam", run, DAY)) is not armed


def test_T5_duds_are_of_their_year_and_do_nothing() -> None:
    duds = [COMBAT.torpedoes["Mk14"].dud(year) for year in (1941, 1942, 1943, 1944, 1945)]
    assert duds[0] == duds[1] > duds[2] > duds[3] == duds[4]
    assert "dud" not in torpedoes.hit("Mk14", "beam", 10, BASIC)
    state = sea(ship("M1", at("M16", 1)), Torpedo("T1", "G7a", "S1", Hex.parse("M20"), 6), phase=Phase.TORPEDOES)
    opened, (task,), _ = opening(state, DAY)
    after, _, _ = resolve(opened, task, "dud")
    assert after.torpedoes == () and after.vessel("M1").hits == 0


# What a hit does to a ship -------------------------------------------------------------------------------------------


def struck(target: Vessel, turn: int = 5) -> tuple[State, tuple[Task, ...], list[str]]:
    torpedo = Torpedo("T1", "MkVIII", "S1", target.place.bow.step(3, 5), 6, run=2)
    state, (task,), _ = opening(sea(target, torpedo, turn=turn, phase=Phase.TORPEDOES), DAY)
    return resolve(state, task, "hit")


def test_D1_a_ship_sinks_with_the_hit_of_her_tonnage() -> None:
    state, tasks, _ = struck(ship("M1", at("M20", 1)))
    hurt = state.vessel("M1")
    assert (hurt.hits, hurt.sunk, hurt.torpedoed) == (1, 0, 5) and len(tasks) == 1
    state, tasks, _ = struck(hurt, turn=7)
    assert state.vessel("M1").sunk == 7 and tasks == () and state.torpedoes == ()
    assert state.points == (Score("sunk", "M1", TABLES.vessels["tramp"].value),)
    state, tasks, (text,) = struck(state.vessel("M1"), turn=8)
    assert state.vessel("M1").hits == 2 and state.points == ()
    said(text, PATROL, "wreck")


def test_D1_hits_cost_speed() -> None:
    speeds = [damage.top_speed(ship("C1", at("M20", 1), hits=hits)) for hits in range(5)]
    assert speeds == [5, 4, 3, 2, 1], "a battleship of 5 hexes a turn and 5 hits"
    assert damage.top_speed(ship("C1", at("M20", 1), stopped=True)) == 0
    assert damage.top_speed(ship("C1", at("M20", 1), sunk=3)) == 0


def test_D2_a_ship_hit_may_lie_dead_in_the_water() -> None:
    state, (task,), _ = struck(ship("M1", at("M20", 1)))
    assert task.kind == "stop"
    stopped, tasks, _ = resolve(state, task, "stopped")
    assert stopped.vessel("M1").stopped and stopped.vessel("M1").speed == 0 and tasks == ()
    assert resolve(state, task, "under way")[0] == state
    chances = [torpedoes.stops("kongo", hits)["stopped"] for hits in range(1, 5)]
    assert chances == sorted(chances) and chances[0] < chances[-1]
    _, tasks, _ = struck(ship("C1", at("M20", 1), stopped=True))
    assert tasks == (), "a ship that lies still already is not rolled for"


# Attacks -------------------------------------------------------------------------------------------------------------


def test_A1_charges_attack_the_boats_within_their_reach() -> None:
    bow = Hex.parse("M20")
    for weapon, reach in (("depth charge", 1), ("k-gun", 1), ("hedgehog", 1), ("one-ton charge", 1), ("squid", 2)):
        for distance in range(4):
            charge = Charge(weapon, "E1", bow.step(2, distance))
            tasks = opening(sea(boat(at("M20", 3)), charges=(charge,), phase=Phase.ATTACKS), DAY).tasks
            assert len(tasks) == (distance <= reach)
            if tasks:
                assert tasks[0].kind == ("damage" if weapon == "hedgehog" else "depth")
                assert tasks[0].detail[:2] == (weapon, distance) and tasks[0].target == "S1"


def test_A1_depth_and_absence_are_out_of_reach() -> None:
    bow = Hex.parse("M20")
    deep, gone = boat(at("M20", 3), 425), boat(at("M20", 3), away=3, id="S2")
    charges = (Charge("hedgehog", "E1", bow), Charge("squid", "E1", bow), Charge("depth charge", "E1", bow))
    tasks = rolls.attacks(sea(deep, gone, charges=charges))
    assert [task.detail[0] for task in tasks] == ["depth charge"]
    assert len(rolls.attacks(sea(replace(deep, depth=400), charges=charges))) == 3


def test_A1_two_charges_of_one_escort_on_a_hex_are_two_rolls() -> None:
    charge = Charge("depth charge", "E1", Hex.parse("M20"))
    tasks = rolls.attacks(sea(boat(at("M20", 3)), boat(at("M20", 1), id="S2"), charges=(charge, charge)))
    assert len(tasks) == len(set(tasks)) == 4


@pytest.mark.parametrize("result", ["miss", 0, 25, 50])
def test_105_4_12_the_depth_is_rolled_before_the_damage(result: str | int) -> None:
    state = sea(boat(at("M20", 3)), charges=(Charge("depth charge", "E1", Hex.parse("M20")),), phase=Phase.ATTACKS)
    _, (task,), _ = opening(state, DAY)
    after, tasks, _ = resolve(state, task, result)
    assert after == state
    if result == "miss":
        assert tasks == ()
    else:
        assert [(t.kind, t.detail) for t in tasks] == [("damage", ("depth charge", 0, 1, result))]
        assert HANDLERS["damage"].odds(state, tasks[0], DAY) == rolls.damage_of("depth charge", int(result))


def test_A2_an_error_that_cannot_hurt_is_not_rolled_for() -> None:
    state = sea(boat(at("M20", 3)), charges=(Charge("depth charge", "E1", Hex.parse("M19")),))
    (task,) = rolls.attacks(state)
    assert [len(resolve(state, task, error)[1]) for error in (0, 25, 50)] == [1, 1, 0]


def test_A2_damage_is_worse_the_nearer_in_depth_and_distance() -> None:
    for weapon in COMBAT.weapons:
        means = {
            (distance, error): rolls.damage_of(weapon, error, distance).mean
            for distance in range(3)
            for error in (0, 25, 50)
        }
        for (distance, error), mean in means.items():
            assert all(mean >= m for (d, e), m in means.items() if d >= distance and e >= error)


def test_A2_hull_points_are_lost_and_told() -> None:
    state = sea(boat(at("M20", 3), hull=5), charges=(Charge("hedgehog", "E1", Hex.parse("M20")),))
    (task,) = rolls.attacks(state)
    unhurt, _, (text,) = resolve(state, task, 0)
    assert unhurt == state
    said(text, PATROL, "harmless")
    hurt, _, (text,) = resolve(sea(boat(at("M20", 3), hull=7), charges=state.charges), task, 6)
    assert hurt.boat("S1").hull == 1
    said(text, PATROL, "damage", points=6, hull=1)


# The boat's hull -----------------------------------------------------------------------------------------------------


def test_H1_damage_costs_depth_and_speed() -> None:
    found = [damage.limits(boat(at("M20", 3), hull=points)) for points in (10, 9, 5, 3, 1, 0)]
    assert [limit.depth for limit in found] == [500, 450, 250, 150, 50, 50]
    assert [limit.submerged for limit in found] == [2, 2, 1, 1, 1, 0]
    assert [limit.surfaced for limit in found] == [3, 3, 2, 1, 1, 0]
    for type_ in TABLES.boats.values():
        limits = [damage.limits(boat(at("M20", 3), hull=n, type=type_.id)) for n in range(type_.hull, 0, -1)]
        assert limits[0] == (type_.test_depth, type_.submerged, type_.surfaced)
        assert limits == sorted(limits, reverse=True) and all(limit.depth % 25 == 0 for limit in limits)


def test_H2_a_boat_below_her_limit_may_be_crushed() -> None:
    safe, deep = boat(at("M20", 3), 250, hull=5), boat(at("M20", 3), 275, hull=5, id="S2")
    state = sea(safe, deep, boat(at("M20", 3), 600, hull=5, id="S3", sunk=2))
    assert damage.crush(safe) == Dist.point(0) and damage.crush_tasks(state) == (Task("crush", "S2", "S2"),)
    means = [damage.crush(boat(at("M20", 3), depth, hull=5)).mean for depth in range(250, 601, 25)]
    assert means == sorted(means) and means[1] > 0
    hurt, _, (text,) = resolve(state, Task("crush", "S2", "S2"), 2)
    said(text, PATROL, "crush", below=25, points=2)
    assert hurt.boat("S2").hull == 3
    state = sea(replace(deep, hull=1, depth=75))
    _, _, (text, lost) = resolve(state, Task("crush", "S2", "S2"), 2)
    said(text, PATROL, "crush", points=1, hull=0)  # she had no more
    said(lost, PATROL, "sunk_boat", boat="S2")
    assert resolve(state, Task("crush", "S2", "S2"), 0)[0] == state


def test_H3_no_hull_points_left_is_sunk() -> None:
    marker = Marker("S1", MarkerKind.CONTACT, at("M20", 3))
    charges = (Charge("hedgehog", "E1", Hex.parse("M20")),) * 2
    state = sea(boat(at("M20", 3), hull=5), charges=charges, markers=(marker,))
    first, second = rolls.attacks(state)
    assert still_due(state, second)
    after, _, texts = resolve(state, first, 12)
    assert (after.boat("S1").hull, after.boat("S1").sunk, after.markers) == (0, 5, ())
    assert after.points == (Score("lost", "S1", -TABLES.boats["viic"].value),)
    said(texts[-1], PATROL, "sunk_boat", boat="S1")
    said(texts[0], PATROL, "damage", boat="S1", points=5, hull=0)  # of twelve points five are hers to lose
    assert not still_due(after, second), "the rest of the pattern falls on a wreck"


# Search --------------------------------------------------------------------------------------------------------------


def test_L1_the_sonar_beam_is_blind_near_far_and_astern() -> None:
    place = at("M20", 1)
    for depth in (25, 200, 300, 500):
        rows = [row for (duty, _), row in COMBAT.sonar.items() if duty == "hunt" and depth <= row.depth]
        for h in place.bow.disc(27):
            if h == place.bow:
                assert not rolls.covers(place, h, depth)
                continue
            near_far = rows[0].blind < place.bow.distance(h) <= rows[0].reach
            off_astern = abs((place.bow.bearing(h) - 60 * opposite(1) + 180) % 360 - 180)
            if abs(off_astern - 30) > 1e-6:  # just between two directions, the one to port counts
                assert rolls.covers(place, h, depth) is (near_far and off_astern > 30)


@pytest.mark.parametrize(
    ("vessel", "target", "why"),
    [
        (ship("M1", at("M20", 1)), boat(at("M10", 1)), PATROL_WHY.phrase("search.has_no_sonar")),
        (ship("E1", at("M20", 6), sunk=3), boat(at("M10", 1)), PATROL_WHY.phrase("search.has_no_sonar")),
        (ship("E1", at("M20", 6), speed=4), boat(at("M10", 1)), PATROL_WHY.phrase("search.went_hexes_sonar")),
        (ship("E1", at("M20", 6)), boat(at("M10", 1), 0), PATROL_WHY.phrase("search.on_surface_where")),
        (ship("E1", at("M20", 6)), boat(at("M30", 1)), PATROL_WHY.phrase("search.out_sonar_beam")),
        (ship("E1", at("M45", 6)), boat(at("M20", 1), speed=0), PATROL_WHY.phrase("search.lies_still_too")),
    ],
)
def test_L1_what_sonar_cannot_find_has_a_reason(vessel: Vessel, target: Boat, why: Phrase) -> None:
    chance, reason = rolls.sonar(vessel, target, "hunt")
    assert chance == 0
    said(reason, why)
    state = sea(vessel, target, phase=Phase.SEARCH)
    assert all(task.kind != "sonar" for task in opening(state, DAY).tasks)


def test_L1_noise_and_knowing_where_to_listen_matter() -> None:
    escort = ship("E1", at("M20", 6), speed=3)
    for distance in (5, 10, 15, 20):
        still, slow, fast = (
            rolls.sonar(escort, boat(at("M20", 6).ahead(distance), speed=speed), "hunt")[0] for speed in (0, 1, 2)
        )
        assert still < slow <= fast and slow > rolls.sonar(escort, boat(at("M20", 6).ahead(distance)))[0] > 0


def test_L1_a_ship_hunts_by_contact_or_by_an_upright_marker() -> None:
    target = boat(at("M10", 6))
    for kind in (*MarkerKind, None):
        markers = (Marker("S1", kind, target.place),) if kind else ()
        for follows in ("S1", "S2", ""):
            for contact in ((), ("S1",), ("S2",)):
                escort = ship("E1", at("M20", 6), hunt=Hunt(boat=follows, contact=contact))
                hunts = contact == ("S1",) or (follows == "S1" and kind not in (None, MarkerKind.INVERTED))
                state = sea(escort, target, markers=markers, phase=Phase.SEARCH)
                opened, (task,), _ = opening(state, DAY)
                expected = rolls.sonar(escort, target, "hunt" if hunts else "sweep")[0]
                assert HANDLERS["sonar"].odds(opened, task, DAY)["found"] == expected > 0


def test_108_3_contact_is_kept_by_each_escort_and_found_anew_each_turn() -> None:
    held = Hunt(boat="S1", contact=("S1", "S2"))
    first, second = ship("E1", at("M20", 6), hunt=held), ship("E2", at("O20", 6), hunt=held)
    away = ship("E3", at("Q20", 3), hunt=held)
    start = sea(first, second, away, boat(at("M10", 6)), boat(at("M50", 6), id="S2", away=3), phase=Phase.SEARCH)
    state, (one, two), _ = opening(start, BASIC)
    held_still = [escort.hunt.contact for escort in state.escorts]
    assert held_still == [("S1",), ("S1",), ()], "let go where no sonar bears"
    state, _, _ = resolve(state, one, "found", BASIC)
    state, _, _ = resolve(state, two, "missed", BASIC)
    assert [escort.hunt.contact for escort in state.escorts] == [("S1",), (), ()]


def test_108_3_a_boat_that_sonar_holds_is_not_lost_by_radar() -> None:
    start = sea(ship("E1", at("M20", 6)), boat(at("M15", 6), 25), phase=Phase.SEARCH)
    state, (by_sonar, by_radar), _ = opening(start, DAY)
    assert (by_sonar.kind, by_radar.kind) == ("sonar", "radar")
    for first, second, held in (("found", "missed", True), ("missed", "found", True), ("missed", "missed", False)):
        after = resolve(resolve(state, by_sonar, first)[0], by_radar, second)[0]
        assert after.vessel("E1").hunt.found("S1") is held


def test_L2_radar_finds_boats_at_0_and_25_ft_where_there_is_radar() -> None:
    escort = ship("E1", at("M20", 6), speed=5)
    chances = [rolls.radar(escort, boat(at("M10", 6), depth), DAY)[0] for depth in (0, 25, 50)]
    assert chances[0] > chances[1] > chances[2] == 0
    assert rolls.radar(escort, boat(at("M10", 6), 0), BASIC)[0] == 0, "not in the basic game"
    assert rolls.radar(escort, boat(at("M10", 6), 0), Sea("advanced", 1940))[0] == 0, "not yet aboard"
    astern = rolls.radar(escort, boat(at("M30", 6), 0), DAY)[0]
    assert astern == chances[0], "radar looks round"
    state, (task,), _ = opening(sea(escort, boat(at("M10", 6), 0), phase=Phase.SEARCH), DAY)
    assert task.kind == "radar"
    hunt = resolve(state, task, "found")[0].vessel("E1").hunt
    assert hunt.found("S1") and not hunt.contact, "contact is sonar's: it alone slows her down (104.2.1)"


# Sight ---------------------------------------------------------------------------------------------------------------


def test_104_1_4a_by_day_a_boat_is_visible_down_to_25_ft() -> None:
    far = ship("M1", at("M200", 1))
    for depth, rule in ((0, "104.1.4a"), (25, "104.1.4a"), (50, "")):
        target = boat(at("M20", 1), depth)
        assert damage.visible(sea(far, target), target, DAY) == rule
    assert damage.visible(sea(boat(at("M20", 1), 0)), boat(at("M20", 1), 0), DAY) == "", "nobody is there to see her"


def test_104_1_4b_by_night_she_is_visible_near_a_ship_or_a_torpedoed_one() -> None:
    target = boat(at("M20", 6), 25)
    for distance in range(10):
        bow = target.place.bow.step(6, distance)
        calm = ship("M1", Place(bow, 6).ahead())  # her stern is nearest
        hit, long_ago, sunk = (
            replace(calm, torpedoed=4, hits=1), replace(calm, torpedoed=3, hits=1), replace(calm, torpedoed=4, sunk=4),
        )  # fmt: skip
        for vessel, reach in ((calm, 4), (hit, 7), (long_ago, 4), (sunk, -1)):
            rule = damage.visible(sea(vessel, target, turn=5), target, NIGHT)
            assert rule == ("104.1.4b" if distance <= reach else ""), (vessel, distance)
    assert damage.visible(sea(ship("M1", at("M22", 1)), target), replace(target, depth=50), NIGHT) == ""


def test_104_1_4c_star_shells_show_her_until_phase_8_of_the_next_turn() -> None:
    target, far = boat(at("M20", 6), 0), ship("E1", at("M60", 1))
    for turn, phase, shown in ((5, Phase.STAR_SHELLS, True), (6, Phase.SEARCH, True), (6, Phase.BOATS, True),
                               (6, Phase.STAR_SHELLS, False)):  # fmt: skip
        state = sea(far, target, turn=turn, phase=phase, lights=(Light(Hex.parse("M23"), 3, 6),))
        assert damage.visible(state, target, NIGHT) == ("104.1.4c" if shown else "")
        assert damage.daylight_at(state, Hex.parse("M24"), NIGHT) is shown
        assert not damage.daylight_at(state, Hex.parse("M27"), NIGHT)


@pytest.mark.parametrize(("fuel", "radius", "rule"), [(False, 7, "107.2.2"), (True, 20, "107.2.3")])
def test_107_2_burning_tankers_light_the_sea(fuel: bool, radius: int, rule: str) -> None:
    tanker = ship("M1", at("M20", 6), "t2", torpedoed=4, hits=1, fuel=fuel)
    edge, beyond = Hex.parse("M20").step(6, radius), Hex.parse("M20").step(6, radius + 1)
    state = sea(tanker, turn=5)
    assert damage.lit(state, edge) == rule and damage.lit(state, beyond) == ""
    assert damage.lit(sea(tanker, turn=4), edge) == "", "from the turn after she is hit"
    assert damage.lit(sea(replace(tanker, type="tramp"), turn=5), edge) == "", "a cargo ship lights no sea"
    sunk = replace(tanker, sunk=6)
    for turn, phase, lit in ((6, Phase.END, True), (7, Phase.BOATS, True), (7, Phase.STAR_SHELLS, False)):
        assert bool(damage.lit(sea(sunk, turn=turn, phase=phase), edge)) is lit
    assert damage.lit(sea(replace(tanker, torpedoed=1), turn=30), edge) == rule, "while she floats she burns"


def test_V1_what_a_boat_makes_out_depends_on_depth_and_light() -> None:
    by_day = [damage.sight_range(depth, True) for depth in range(0, 151, 25)]
    by_night = [damage.sight_range(depth, False) for depth in range(0, 151, 25)]
    assert by_day == sorted(by_day, reverse=True) and by_night == sorted(by_night, reverse=True)
    assert all(day >= night for day, night in zip(by_day, by_night, strict=True))
    assert by_day[4] > 0 == by_day[5], "at 100 ft she hears, deeper nothing"


def test_104_1_5_she_may_attack_only_what_she_makes_out() -> None:
    target = boat(at("M20", 6), 50)
    reach = damage.sight_range(50, False)
    near, far = (ship("M1", Place(Hex.parse("M20").step(6, n + 1), 6)) for n in (reach, reach + 1))
    assert damage.sees(sea(near, target), target, near, NIGHT) and not damage.sees(sea(far, target), target, far, NIGHT)
    assert damage.sees(sea(far, target), target, far, DAY)
    torpedoed = replace(far, torpedoed=4, hits=1)
    assert damage.sees(sea(torpedoed, target, turn=5), target, torpedoed, NIGHT)
    assert damage.in_sight(sea(near, replace(far, id="M2"), target), target, NIGHT) == ("M1",)
    assert damage.in_sight(sea(near, replace(near, id="M2", sunk=4), target), target, DAY) == ("M1",)
    assert not damage.sees(sea(near, target), replace(target, sunk=3), near, DAY)


def test_107_1_star_shells_are_fired_by_the_furthest_escort_over_every_marker() -> None:
    near, far = ship("E1", at("M30", 1), station="A"), ship("E2", at("M50", 1), station="B")
    marker = Marker("S1", MarkerKind.CONTACT, at("M20", 6))
    old = (Light(Hex(0, 0), 3, 5),)
    state, _, (event,) = damage.star_shells(sea(near, far, markers=(marker,), lights=old, turn=5), NIGHT)
    assert state.lights == (Light(Hex.parse("M19"), 3, 6), Light(Hex.parse("M16"), 3, 6))
    assert event.facts["escort"] == "E2"
    torpedo = marker._replace(kind=MarkerKind.TORPEDO)
    assert damage.star_shells(sea(near, markers=(torpedo,)), NIGHT).state.lights[0].at == Hex.parse("M20")
    for waters in (DAY, replace(NIGHT, package="basic")):
        assert damage.star_shells(sea(near, markers=(marker,), lights=old), waters).state.lights == ()
    assert damage.star_shells(sea(ship("M1", at("M30", 1)), markers=(marker,)), NIGHT).state.lights == ()


# Guns and ramming ----------------------------------------------------------------------------------------------------


def surfaced(*pieces: Vessel | Boat, kind: MarkerKind = MarkerKind.SURFACED) -> State:
    boats = [p for p in pieces if isinstance(p, Boat)]
    return sea(*pieces, markers=tuple(Marker(b.id, kind, b.place) for b in boats), phase=Phase.GUNFIRE)


def test_G1_ships_fire_at_the_nearest_boat_marked_as_surfaced() -> None:
    gunner, unarmed = ship("E1", at("M30", 6)), ship("M1", at("P30", 6))
    near, far = boat(at("M25", 1), 0), boat(at("M20", 1), 0, id="S2")
    assert opening(surfaced(gunner, unarmed, near, far), DAY).tasks == (Task("gun", "E1", "S1"),)
    for kind in (MarkerKind.VISIBLE, MarkerKind.CONTACT, MarkerKind.INVERTED, MarkerKind.TORPEDO):
        assert opening(surfaced(gunner, near, kind=kind), DAY).tasks == ()
    assert opening(surfaced(gunner, replace(near, depth=25)), DAY).tasks == (), "she has dived"
    assert opening(surfaced(replace(gunner, sunk=4), near), DAY).tasks == ()


def test_G1_guns_need_light_range_and_a_clear_line() -> None:
    gunner, target = ship("E1", at("M30", 6)), boat(at("M20", 1), 0)
    between = ship("M1", at("M25", 6))
    assert damage.gunfire(surfaced(gunner, between, target), DAY) == ()
    assert damage.gunfire(surfaced(gunner, replace(between, sunk=4), target), DAY) == (), "sinking, but there"
    assert damage.gunfire(surfaced(gunner, target), NIGHT) == ()
    assert len(damage.gunfire(surfaced(gunner, ship("M1", at("P20", 6)), target), NIGHT)) == 1, "seen by the merchant"
    assert damage.gunfire(surfaced(ship("E1", at("M99", 6)), target), DAY) == ()
    assert len(damage.gunfire(surfaced(ship("E1", at("M30", 3)), target), DAY)) == 1, "her own stern hides nothing"


@pytest.mark.parametrize(("waters", "gunnery"), [(DAY, True), (BASIC, False)])
def test_G1_hits_cost_hull_points(waters: Sea, gunnery: bool) -> None:
    state = surfaced(ship("E1", at("M30", 6)), boat(at("M20", 1), 0, hull=2))
    (task,) = opening(state, waters).tasks
    odds = HANDLERS["gun"].odds(state, task, waters)
    assert odds == damage.gun(3, 10, gunnery) and set(odds) == {0, 2}
    assert resolve(state, task, 0, waters)[0] == state
    after, _, texts = resolve(state, task, 2, waters)
    assert after.boat("S1").sunk == 5 and len(texts) == 2


def test_R1_ramming_is_rolled_by_tonnage() -> None:
    vessel, target = ship("E1", at("M20", 6), "flower"), boat(at("M20", 1), 0)
    task = Task("ram", vessel.id, target.id, target.place.bow)
    state = sea(vessel, target)
    assert HANDLERS["ram"].odds(state, task, DAY) == damage.ram(925)
    assert damage.ram(925).mean < damage.ram(2050).mean
    after, _, (text,) = resolve(state, task, 8)
    said(text, PATROL, "ram_hit", boat="S1", points=8)
    assert after.boat("S1").hull == 2
    unhurt, _, (text,) = resolve(state, task, 0)
    assert unhurt == state
    said(text, PATROL, "ram_missed")


def test_a_phase_without_rolls_of_combat_opens_with_nothing() -> None:
    for phase in (Phase.CONVOY, Phase.CAPITAL, Phase.ESCORTS, Phase.BOATS, Phase.STAR_SHELLS, Phase.END):
        state = sea(ship("E1", at("M20", 6)), boat(at("M10", 1), 0), phase=phase)
        assert opening(state, DAY) == (state, (), ())
