"""The rules of Task Force, each test named by the rule it shows."""

from __future__ import annotations
import datetime
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import navalkit as nk
from navalkit.core.errors import DataError, IllegalActionError, NotationError, OptionError, PeekError
from navalkit.core.game import CHANCE, TERMINAL
from navalkit.core.match import Match
from navalkit.games.task_force import SMALL, TaskForce, belief, daily_seed
from navalkit.games.task_force.bots import BOTS
from navalkit.games.task_force.game import parse_action
from navalkit.games.task_force.state import EMPTY, HIT, MISSILES, SUBMARINE, UNSEEN, Fly, Phase, Scratch, State, Strike
from navalkit.players import player
from navalkit.testing import check_game, refused, said
from navalkit.testing.strategies import states
from ...samples import sizes
from ...sentences import CORE, TASK

GAME = TaskForce()
# A map to play on: ships in column A and rows 1 to 9, missiles and submarines where the tests want them.
SHIPS = "A3-A7,C1-F1,C4-C7,E3-G3,E6-G6,B9-D9,H1-I1,I3-I4,J6-J7,H8-I8"
MISSILES_AT = "B3=AIR,B4=AIR,B5=CRU,B6=CRU,D2=D-1,E2=D-1,F2=D-2,C2=D-2,H6=D-3,I6=D-3"
SUBMARINES_AT = "F10,H10,J10"


def state(**changes: str) -> State:
    """The map above with fields of its notation changed."""
    fields = {
        "phase": "turn",
        "fleet": SHIPS_SORTED,
        "submarines": SUBMARINES_AT,
        "missiles": MISSILES_SORTED,
        "afloat": "AIR,CRU,D-1,D-2,D-3",
        "anti_air": "3",
        "strikes": "2",
        "helicopters": "1,2,3",
    } | changes
    written = " ".join(f'{k}="{v}"' if "=" in v else f"{k}={v}" for k, v in fields.items() if v)
    return GAME.parse_state(f"({written})")


def _sorted(texts: str) -> str:
    return ",".join(sorted(texts.split(","), key=lambda t: GAME.sea.grid.number(t.partition("=")[0].partition("-")[0])))


SHIPS_SORTED, MISSILES_SORTED = _sorted(SHIPS), _sorted(MISSILES_AT)


def play(start: State, *orders: str) -> tuple[State, list[str]]:
    """The state after these orders, and the rules of the events on the way."""
    rules: list[str] = []
    for order in orders:
        step = GAME.apply(start, GAME.parse_action(order))
        start, rules = step.state, [*rules, *(event.rule for event in step.events)]
    return start, rules


def scratched(*names: str) -> str:
    return f"{sum(1 << GAME.sea.grid.number(name) for name in names):x}"


def hidden(seed: int, game: TaskForce = GAME) -> State:
    return Match.new(game, seed).state


def check_hints(game: TaskForce, s: State) -> None:
    """Every hint of the source, square by square."""
    columns, deep = game.sea.grid.columns, game.options["deep"]
    at = {square: i for i, ship in enumerate(s.fleet) for square in ship}
    assert len(at) == sum(map(len, s.fleet)) == game.sea.waters.squares

    def near(square: int) -> list[int]:
        r, c = divmod(square, columns)
        steps = ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
        return [y * columns + x for y, x in steps if 0 <= y < game.sea.grid.rows and 0 <= x < columns]

    for square, ship in at.items():  # T1c
        assert all(at.get(other, ship) == ship for other in near(square))
    for ship in s.fleet:  # T1b, T1d, T1f
        across = ship == tuple(range(ship[0], ship[0] + len(ship))) and ship[0] // columns == ship[-1] // columns
        assert across or ship == tuple(range(ship[0], ship[-1] + 1, columns))
        assert len(ship) != 5 or all(square % columns < deep for square in ship)
        assert len(ship) != 2 or all(square % columns >= deep for square in ship)
    if game.options["fleet"] == "full":
        assert Counter(map(len, s.fleet)) == {5: 1, 4: 2, 3: 3, 2: 4}
        assert {ship[1] - ship[0] for ship in s.fleet if len(ship) == 4} == {1, columns}  # T1e
    missiles = dict(s.missiles)
    assert len(s.submarines) == game.options["submarines"] and not set(s.submarines) & (set(at) | set(missiles))
    for square in s.submarines:  # T2a, T2b
        assert not any(n in at or n in missiles or n in s.submarines for n in near(square))
    assert Counter(missiles.values()) == dict.fromkeys(range(5), game.options["missiles"])  # T2c
    for square in missiles:  # T2d
        assert square not in at and any(n in at for n in near(square))


# -- what hides ------------------------------------------------------------------------------------


def test_T1_T2_every_map_keeps_every_hint() -> None:
    for seed in range(60):
        check_hints(GAME, hidden(seed))


@pytest.mark.slow
def test_T1_T2_ten_thousand_maps_keep_every_hint() -> None:
    for seed in range(10_000):
        check_hints(GAME, hidden(seed))


@pytest.mark.parametrize(
    "options", [SMALL, {**SMALL, "submarines": 2, "columns": 6}, {"rows": 12}, {"rows": 9, "deep": 6}]
)
def test_T1a_the_size_of_the_map_is_an_option(options: dict[str, Any]) -> None:
    game = TaskForce(**options)
    for seed in range(5):
        check_hints(game, hidden(seed, game))
    assert game.observe(game.initial(), 0).marks == UNSEEN * game.sea.grid.size


@pytest.mark.parametrize(
    "options", [{"rows": 7}, {"rows": 8}, {"rows": 6, "columns": 12}, {"rows": 14, "columns": 5, "deep": 3}]
)
def test_T1a_the_smallest_maps_that_hold_the_fleet_are_played_on(options: dict[str, Any]) -> None:
    game = TaskForce(**options)
    for seed in range(3):
        check_hints(game, hidden(seed, game))


@pytest.mark.parametrize("options", [{"rows": 5}, {"rows": 6}, {"columns": 7, "rows": 8}, {"deep": 9, "rows": 10}])
def test_T1b_a_map_too_small_is_refused_in_one_sentence(options: dict[str, Any]) -> None:
    with refused(OptionError, TASK, "no.too_small", fleet="full"):
        TaskForce(**options)


def test_T2e_a_map_on_which_hiding_would_begin_anew_for_ever_is_refused() -> None:
    with refused(OptionError, TASK, "no.no_room"):
        TaskForce(rows=7, columns=9, deep=5)
    with refused(OptionError, TASK, "no.no_room"):
        TaskForce(rows=3, columns=3, deep=2, fleet="tiny")
    with refused(OptionError, CORE, "options.whole_number", low=3, high=14):
        TaskForce(rows=15)


def test_T1g_the_fleet_is_one_chance_step_that_cannot_be_listed() -> None:
    start = GAME.initial()
    assert GAME.turn(start) == CHANCE and not GAME.legal(start)
    draw = GAME.chance(start)
    action = draw.pick(3)
    assert action in draw and draw.pick(3) == action != draw.pick(4)
    assert draw[action].numerator == 1 and draw[action].denominator == 358_714_693_566
    assert Scratch("A1") not in draw and draw[Scratch("A1")] == 0
    assert (
        all(a in draw for a in draw.sample(np.random.default_rng(1), 2))
        and draw.sample(np.random.default_rng(1)) in draw
    )
    with refused(DataError, CORE, "unlisted"):
        list(draw.items())


def test_T2e_where_there_is_no_room_everything_is_drawn_anew() -> None:
    game = TaskForce(**{**SMALL, "submarines": 3})
    again = [match for match in (Match.new(game, seed) for seed in range(60)) if match.state.tries > 1]
    assert again
    for match in again:
        check_hints(game, match.state)
        assert [e.rule for e in match.log].count("T2e") == match.state.tries - 1
        assert Match.replay(match.record()).plies == match.plies


# -- the carrier group -----------------------------------------------------------------------------


def test_T3a_the_carrier_group_begins_whole() -> None:
    s = hidden(1)
    assert s.afloat == (0, 1, 2, 3, 4) and s.anti_air == 3 and s.helicopters == (1, 2, 3) and s.strikes == 2
    bare = hidden(1, TaskForce(anti_air=0, helicopters=False, strike_fighters=0))
    assert bare.anti_air == bare.strikes == 0 and bare.helicopters == ()


def test_T3b_aircraft_are_lost_with_their_ship() -> None:
    s, _ = play(state(anti_air="0"), "D2", "B3")
    assert s.afloat == (1, 3, 4) and s.helicopters == (2, 3) and s.strikes == 0
    said(GAME.why_not(s, Fly(1, "A1")) or "", TASK, "no.flown")
    assert GAME.why_not(s, Strike("D2"))


# -- turns -----------------------------------------------------------------------------------------


def test_T4a_a_square_is_scratched_once() -> None:
    s, rules = play(state(), "I9")
    assert s.seen(GAME.sea.grid.number("I9")) and rules == ["T4b"]
    with refused(IllegalActionError, TASK, "no.scratched", square="I9"):
        play(s, "I9")
    with refused(IllegalActionError, TASK, "no.square", square="K3"):
        play(s, "K3")


def test_T4b_an_empty_square_does_nothing() -> None:
    s, rules = play(state(), "I9")
    assert rules == ["T4b"] and replace(s, scratched=0) == state()


def test_T4c_a_hit_is_shown() -> None:
    s, rules = play(state(), "A3")
    assert rules == ["T4c"] and GAME.observe(s, 0).marks[20] == HIT


def test_T5a_a_missile_for_a_ship_that_is_gone_is_ignored() -> None:
    s, rules = play(state(afloat="CRU,D-1,D-2,D-3", strikes="0"), "B3")
    assert rules == ["T5a"] and s.anti_air == 3 and s.afloat == (1, 2, 3, 4)


def test_T5b_an_anti_air_missile_must_be_used() -> None:
    s, rules = play(state(), "B3", "B5", "D2")
    assert rules == ["T5b"] * 3 and s.anti_air == 0 and s.afloat == (0, 1, 2, 3, 4)


def test_T5c_a_missile_destroys_the_ship_it_names_when_nothing_stops_it() -> None:
    s, rules = play(state(anti_air="0"), "B3", "B5")
    assert rules == ["T5c"] * 2 and s.afloat == (2, 3, 4)
    s, rules = play(state(afloat="AIR,D-1,D-2,D-3"), "D2")  # anti-air missiles are the cruiser's
    assert rules == ["T5c"] and s.anti_air == 3 and s.afloat == (0, 3, 4)


def test_T6_a_submarine_takes_the_rightmost_ship() -> None:
    s, rules = play(state(), "F10", "H10", "J10")
    assert rules == ["T6"] * 3 and s.afloat == (0, 1) and s.anti_air == 3 and s.helicopters == ()


def test_T7a_a_flight_begins_at_the_edge_and_each_helicopter_flies_once() -> None:
    s = state()
    said(GAME.why_not(s, Fly(1, "E5")) or "", TASK, "no.edge")
    said(GAME.why_not(s, Fly(4, "A1")), TASK, "no.number", number=4)
    s, rules = play(s, "fly helicopter 2 from A1")
    assert rules == ["T7a", "T4b"] and s.phase is Phase.FLIGHT and s.helicopters == (1, 3) and s.flying == 2
    assert all(isinstance(action, Scratch) for action in GAME.legal(s))
    said(GAME.why_not(s, Strike("A1")) or "", TASK, "no.now.flight")
    s, _ = play(state(scratched=scratched("A1")), "I9")
    said(GAME.why_not(s, Fly(1, "A1")) or "", TASK, "no.scratched")
    flown = replace(state(), helicopters=(1, 3))
    said(GAME.why_not(flown, Fly(2, "A1")) or "", TASK, "no.flown", number=2)
    assert GAME.why_not(flown, Fly(3, "A1")) is None


def test_T7b_a_flight_goes_on_from_any_of_its_squares() -> None:
    s, _ = play(state(scratched=scratched("J1", "D1")), "fly helicopter 1 from A1", "A2", "A3")
    assert {str(a) for a in GAME.legal(s)} == {"B1", "B2", "B3", "A4"}
    with refused(IllegalActionError, TASK, "no.flight"):
        play(s, "C1")


@pytest.mark.parametrize(("start", "way"), [("A4", ["B4"]), ("F10", []), ("J9", ["J10"])])
def test_T7c_a_missile_or_submarine_ends_the_flight_and_does_no_harm(start: str, way: list[str]) -> None:
    s, rules = play(state(), f"fly helicopter 3 from {start}", *way)
    assert rules[-2:] == ["T7c", "T7c"] and s.phase is Phase.TURN and not s.flight and s.flying == 0
    assert s.afloat == (0, 1, 2, 3, 4) and s.anti_air == 3


def test_T7c_a_flight_with_no_way_on_ends() -> None:
    s, rules = play(state(scratched=scratched("A2", "B1")), "fly helicopter 1 from A1")
    assert rules == ["T7a", "T4b", "T7c"] and s.phase is Phase.TURN


def test_T8_a_strike_scratches_all_around_and_harms_nobody() -> None:
    s, rules = play(state(scratched=scratched("B4", "A3")), "strike B4")
    assert {GAME.sea.grid.names[i] for i in range(100) if s.seen(i)} == {f"{c}{r}" for c in "ABC" for r in (3, 4, 5)}
    assert s.strikes == 1 and s.afloat == (0, 1, 2, 3, 4) and s.anti_air == 3
    assert rules[0] == "T8" and len(rules) == 8 and rules.count("T8") == 3  # B3 and B5 are missiles
    said(GAME.why_not(s, Strike("B4")) or "", TASK, "no.around")
    said(GAME.why_not(s, Strike("J1")) or "", TASK, "no.centre")
    cross = state(scratched=scratched("E5", "D5", "F5", "E4", "E6"))  # its corners are still to be scratched
    assert GAME.why_not(cross, Strike("E5")) is None
    corner, _ = play(state(scratched=scratched("J10")), "strike J10")
    assert corner.scratched.bit_count() == 4
    said(GAME.why_not(state(strikes="0", scratched="1"), Strike("A1")) or "", TASK, "no.strike")


# -- the end ---------------------------------------------------------------------------------------

ALL_HITS = [GAME.sea.grid.names[s] for ship in state().fleet for s in ship]


def test_T9a_the_last_hit_wins_no_matter_who_makes_it() -> None:
    for last, order in (("A3", "A3"), ("A3", "fly helicopter 1 from A3"), ("A4", "strike A3")):
        done = scratched(*(name for name in ALL_HITS if name != last))
        s, rules = play(state(scratched=done), order)
        assert rules[-1] == "T9a" and s.phase is Phase.END and s.result == "win" and s.flying == 0
        assert GAME.turn(s) == TERMINAL and not GAME.legal(s)


def test_T9b_the_last_ship_lost_loses() -> None:
    s, rules = play(state(afloat="D-3", helicopters="", strikes="", anti_air=""), "F10")
    outcome = GAME.outcome(s)
    assert rules == ["T6", "T9b"] and outcome and outcome.result == "loss" and outcome.scores == (0.0,)


@pytest.mark.parametrize(
    ("left", "rank"), [(5, "Admiral"), (4, "Captain"), (3, "Commander"), (2, "Lieutenant"), (1, "Ensign")]
)
def test_T9c_the_rank_is_by_ships_left(left: int, rank: str) -> None:
    ours = ",".join(["AIR", "CRU", "D-1", "D-2", "D-3"][:left])
    done = scratched(*(name for name in ALL_HITS if name != "A3"))
    s, _ = play(state(scratched=done, afloat=ours, helicopters="", strikes="", anti_air=""), "A3")
    outcome = GAME.outcome(s)
    assert outcome and outcome.scores == (left,) and outcome.facts["rank"] == rank and rank in outcome.text


def test_T9d_the_game_never_says_that_a_ship_is_complete() -> None:
    kinds = set()
    for seed in range(4):
        match, rng = Match.new(GAME, seed), np.random.default_rng(seed)
        while not match.over:
            legal = match.legal()
            kinds |= {e.kind for e in match.play(legal[int(rng.integers(len(legal)))])}
    words = " ".join(str(nk.games.task_force.state.SAY.tables["en"][kind]) for kind in kinds)
    assert not any(word in words for word in ("sunk", "complete", "frigate", "battlecruiser"))


def test_T10_the_map_of_the_day_is_everybodys() -> None:
    days = [datetime.date(2025, 1, 1) + datetime.timedelta(days=i) for i in range(400)]
    seeds = [daily_seed(day) for day in days]
    assert len(set(seeds)) == 400 and all(0 <= seed < 10**9 for seed in seeds)
    assert seeds[:2] == [daily_seed(datetime.date(2025, 1, 1)), daily_seed(datetime.date(2025, 1, 2))]


def test_every_event_names_a_rule_and_every_rule_is_tested_or_a_setting() -> None:
    tests = " ".join(name for name in globals() if name.startswith("test_T"))
    of_the_map = {"T1c", "T1d", "T1e", "T1f", "T2a", "T2b", "T2c", "T2d"}  # all of them in check_hints
    assert {rule for rule in GAME.rules() if f"_{rule}_" not in tests} == of_the_map


# -- notation --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("C7", Scratch("C7")),
        ("scratch c7", Scratch("C7")),
        ("fly helicopter 1 from A3", Fly(1, "A3")),
        ("FLY 2  j10", Fly(2, "J10")),
        ("strike E5", Strike("E5")),
    ],
)
def test_orders_are_read_as_people_write_them(text: str, action: Any) -> None:
    assert parse_action(text) == action == parse_action(str(action))


@pytest.mark.parametrize("text", ["", "C", "7C", "fire C7", "strike", "fleet A1", "missiles A1=XYZ", "submarines 7"])
def test_what_is_no_order_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_action(text)


def test_a_flight_must_say_which_helicopter() -> None:
    with refused(NotationError, TASK, "wrong.which", square="A3"):
        parse_action("fly helicopter from A3")


@pytest.mark.parametrize(
    "wrong",
    [
        {"fleet": SHIPS_SORTED.replace("A3-A7", "B3-B7")},
        {"submarines": "A1,F10,H10"[:6]},
        {"missiles": MISSILES_SORTED.replace("B3=AIR", "J9=AIR")},
        {"phase": "flight"},
        {"phase": "end"},
        {"result": "draw"},
        {"scratched": "f" * 30},
        {"afloat": "CRU,AIR"},
        {"afloat": "AIR,CRU", "helicopters": "1"},
        {"speed": "3"},
    ],
)
def test_a_state_that_cannot_be_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(NotationError):
        state(**wrong)


@given(states(TaskForce(**SMALL)))
@settings(max_examples=40, deadline=None)
def test_states_read_back_as_they_were_written(s: State) -> None:
    game = TaskForce(**SMALL)
    assert game.parse_state(game.format_state(s)) == s


# -- honesty ---------------------------------------------------------------------------------------


def peep(s: State, player_: int, rng: np.random.Generator, game: TaskForce = GAME) -> State:
    """A state that looks the same and hides something else."""
    other = belief.elsewhere(game.observe(s, 0), s, rng)
    if other.fleet and s.phase is not Phase.END and other.phase in (Phase.TURN, Phase.FLIGHT):
        check_hints(game, other)
    return other


@pytest.mark.parametrize("options", [SMALL, {**SMALL, "submarines": 3}, {**SMALL, "anti_air": 0}])
def test_small_games_conform(options: dict[str, Any]) -> None:
    game = TaskForce(**options)
    check_game(game, seeds=range(2), walks=1, permute=lambda s, who, rng: peep(s, who, rng, game))


def test_the_full_game_conforms() -> None:
    check_game(GAME, seeds=range(1), walks=1, permute=peep)


def test_an_observation_shows_scratched_squares_only() -> None:
    match, rng = Match.new(GAME, 8), np.random.default_rng(8)
    where = {Phase.TURN: 0, Phase.FLIGHT: 0}
    while not match.over:
        seen, s = match.observe(), match.state
        where[s.phase] += 1
        truth = dict.fromkeys((q for ship in s.fleet for q in ship), HIT) | dict.fromkeys(s.submarines, SUBMARINE)
        truth |= {q: MISSILES[t] for q, t in s.missiles}
        expected = "".join(truth.get(q, EMPTY) if s.seen(q) else UNSEEN for q in range(100))
        assert seen.marks == expected and seen.fleet == () and seen.chart == ""
        legal = match.legal()
        match.play(legal[int(rng.integers(len(legal)))])
    assert all(where.values())
    seen, s = match.observe(), match.state
    assert seen.fleet == s.fleet
    assert seen.chart == "".join(truth.get(q, EMPTY) for q in range(100)), "nothing is hidden any more"


def test_going_back_asks_first_and_a_record_in_play_is_sealed() -> None:
    match = Match.new(GAME, 8)
    match.play("A1")
    with pytest.raises(PeekError):
        match.undo()
    assert "fleet " not in match.dumps() and Match.loads(match.dumps()).plies == match.plies
    assert "record" not in match.share()


@pytest.mark.parametrize("name", BOTS)
def test_captains_decide_by_what_they_see_alone(name: str) -> None:
    game = TaskForce(**SMALL)
    captain = player(name, game)
    for seed in range(3):
        match = Match.new(game, seed)
        while not match.over:
            rng = np.random.default_rng([seed, match.ply])
            other = belief.elsewhere(match.observe(), match.state, rng)
            here = captain.decide(match.observe(), match.legal(), np.random.default_rng(match.ply))
            there = captain.decide(game.observe(other, 0), game.legal(other), np.random.default_rng(match.ply))
            assert here == there and here.explain() == there.explain()
            assert here.action in match.legal() and here.options[0].action == here.action and len(str(here.reason)) > 10
            match.play(here.action)


@sizes("captains", ("random", "hunter", "bayes"), ("random", "hunter", "bayes", "planner"))
def test_the_captains_rank_as_they_should(captains: tuple[str, ...]) -> None:
    game = TaskForce(rows=8, columns=8, deep=5, fleet="small")
    mean = {}
    for name in captains:
        captain, ships = player(name, game, **({"sample": 200} if name in ("bayes", "planner") else {})), []
        for seed in range(10):
            match, rng = Match.new(game, seed), np.random.default_rng(seed)
            while not match.over:
                match.play(captain.decide(match.observe(), match.legal(), rng).action)
            ships.append(match.outcome.scores[0] if match.outcome else 0)
        mean[name] = np.mean(ships)
    assert mean["random"] < mean["hunter"] < mean["bayes"] <= mean.get("planner", 5)


def test_captains_refuse_bad_options() -> None:
    with pytest.raises(OptionError):
        player("bayes", GAME, sample=3)
    with pytest.raises(OptionError):
        player("planner", GAME, caution=-1.0)
    with pytest.raises(OptionError):
        player("greedy", GAME)
