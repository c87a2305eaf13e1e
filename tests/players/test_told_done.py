"""What is said of an order is what it does: counted again for every order that could be given, the rare ones too."""

from __future__ import annotations
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from navalkit.core.awaited import run
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.trace import Decision
from navalkit.core.words import percent
from navalkit.games.on_patrol.board.page import NAMED, PAGE as PATROL
from navalkit.games.on_patrol.bots import Skipper
from navalkit.games.on_patrol.combat.damage import damage_points
from navalkit.games.on_patrol.rules.game import carried_out, outcome
from navalkit.games.on_patrol.sea.state import Phase as Patrol, Role, Score, Shot, State as Sea
from navalkit.games.on_patrol.sea.tables import TABLES
from navalkit.games.task_force.page import PAGE as FORCE
from navalkit.games.task_force.state import Fly, Phase as Step, Scratch
from navalkit.games.uss_lox import cards
from navalkit.games.uss_lox.bots import Greedy
from navalkit.games.uss_lox.page import PAGE as LOX_PAGE, average
from navalkit.games.uss_lox.state import Attack, Decline, Escape, Flip, Phase
from navalkit.games.wolf_pack import odds
from navalkit.games.wolf_pack.cards import CLEARS, ROWS, Card
from navalkit.games.wolf_pack.page import PAGE as WOLF_PAGE
from navalkit.games.wolf_pack.state import Discard, Pass, Play
from navalkit.players import player
from navalkit.players.generic import Careless
from navalkit.testing import heard, said
from navalkit.view.page import Glance
from ..samples import sizes
from ..sentences import LOX, PATROL_PAGE, PATROL_SKIPPER, PATROL_WHY, TASK, WOLF
from .test_told_true import glance, number


def played(name: str, options: dict[str, Any], captain: str, seed: int, slips: float = 0.5) -> Iterator[Match]:
    """A game at every decision, in which the captain slips; at last the game that is over."""
    game = load(name, **options)
    asked = player(captain, game)
    slipping = Careless(asked, game, slips) if slips else asked
    match, rng = Match.new(game, seed), np.random.default_rng(seed)
    while not match.over:
        yield match
        match.play(slipping.decide(match.observe(), match.legal(), rng).action)
    yield match


# -- Wolf Pack -------------------------------------------------------------------------------------

WHY_WOLF = (
    "raid.spare", "water", "early", "late", "late.many", "next", "clears", "clears.mine", "clears.none", "keeps",
    "keeps.some",
)


@sizes("games", 2, 20)
def test_wolf_pack_counts_the_hand_and_the_rows_for_every_card_that_could_be_played(games: int) -> None:
    """W9 to W13: the other cards in hand, what lies in the rows, and what they know of the hand."""
    met = Counter[str]()
    for seed in range(300, 300 + games):
        for match in played("wolf-pack", {}, "careful", seed):
            if match.over:
                continue
            here, state, me = glance(match), match.state, match.turn
            hand, mine, theirs = state.hands[me], state.rows[me], state.rows[1 - me]
            due = ROWS[1 - me][theirs]
            for action in match.legal():
                text = WOLF_PAGE.because(here, Decision(action, "", ""))
                told = heard(text, WOLF, *(f"because.{key}" for key in WHY_WOLF))
                keys = {key.removeprefix("because.") for key in told}
                met.update(keys)
                facts = next(iter(told.values()), {})
                match action:
                    case Discard(card=card) if card in (Card.MOUSE, Card.MISS):
                        assert keys == {"raid.spare"} and number(facts["n"]) == sum(hand) - 1
                    case Discard(card=card) if card is CLEARS[me]:
                        assert keys == {"early" if theirs < 2 else "late.many" if hand[card] > 1 else "late"}
                        assert number(facts["laid"]) == theirs
                        if keys == {"late"}:
                            assert facts["wanted"] == due.title
                            assert facts["chance"] == pytest.approx(float(odds.may_hold(match.observe())[due]))
                    case Discard(card=card) if "next" in keys:
                        assert number(facts["of"]) == sum(hand) and ROWS[me][mine] is card
                    case Play(card=card) if card is CLEARS[me]:
                        assert keys == {"clears" if theirs else "clears.mine" if mine else "clears.none"}
                        assert not theirs or number(facts["n"]) == theirs
                        assert not (theirs or mine) or number(facts["mine"]) == mine
                    case Pass() if hand[ROWS[me][mine]]:
                        known = sum(state.known[me])
                        open_ = known == sum(hand)
                        assert keys == ({"keeps"} if not known else set() if open_ else {"keeps.some"})
                        assert not open_ or heard(text, WOLF, "because.keeps.open")
                        assert not keys or number(facts["n"]) == sum(hand)
                        assert keys != {"keeps.some"} or number(facts["known"]) == known
    assert {*WHY_WOLF} - {"late.many"} <= met.keys(), met


# -- Task Force ------------------------------------------------------------------------------------

SMALL = {"rows": 6, "columns": 6, "deep": 4, "fleet": "small", "submarines": 1, "missiles": 1}


@sizes("games", 2, 8)
def test_task_force_calls_no_square_of_a_flight_as_good_as_any(games: int) -> None:
    """The squares of a flight were never compared, and others were, by the planner's own values."""
    met = Counter[str]()
    for seed in range(700_800, 700_800 + games):
        *_, match = played("task-force", SMALL, "planner", seed, 0.2)
        table = run(FORCE.report(match.game, match, ()))
        assert table
        for step, _, _, verdict in table.rows:
            before, action = match.at(int(step) - 1), match.plies[int(step) - 1].action
            flown = isinstance(action, Fly) or before.phase is Step.FLIGHT
            assert flown or isinstance(action, Scratch)
            (key,) = heard(verdict, TASK, "report.good", "report.worse", "report.flown")
            assert (key == "report.flown") == flown, (step, action, verdict)
            met[key] += 1
    assert {"report.flown", "report.good"} <= met.keys(), met


# -- USS Lox ---------------------------------------------------------------------------------------

HOME = {"home": True}
FACES = {"face_estimates": True, "king_ships": True, "queen_ships": True, "jokers": True}


@pytest.mark.parametrize("options", [{}, HOME], ids=["tonnage", "home"])
def test_uss_lox_tells_after_an_encounter_what_counts_in_this_game(options: dict[str, Any]) -> None:
    """The guide says of tonnage what the strip says on the same page."""
    met, goal = 0, "home" if options else "tonnage"
    for seed in range(440_100, 440_112):
        for match in played("uss-lox", options, "greedy", seed):
            here = glance(match)
            strip = heard(LOX_PAGE.aims(here).camps[0].aims, LOX, "strip.goal.tonnage", "strip.goal.home")
            assert set(strip) == {f"strip.goal.{goal}"}
            text = LOX_PAGE.guide(here)
            told = heard(text, LOX, "guide.debrief.tonnage", "guide.debrief.home")
            assert text and set(told) == ({f"guide.debrief.{goal}"} if match.state.phase is Phase.DEBRIEF else set())
            met += bool(told)
    assert met > 20, met


@sizes("games", 12, 60)
def test_uss_lox_names_no_more_torpedoes_than_are_left_and_no_cards_where_none_lies(games: int) -> None:
    met = Counter[str]()
    for seed in range(440_100, 440_100 + games):
        for match in played("uss-lox", {"plan_patrol": True}, "greedy", seed, 0.3):
            state, here = match.state, glance(match)
            for order in LOX_PAGE.orders(here):
                action = order.action
                text = LOX_PAGE.because(here, Decision(action, "", ""))
                if isinstance(action, Flip):
                    most = min(3, state.torpedoes)
                    (facts,) = heard(text, LOX, "because.flip").values()
                    help_ = said(order.help, LOX, "order.flip.help")
                    assert number(facts["n"]) == number(help_["n"]) == most
                    chance = here.once(average)[0][most]
                    assert facts["chance"] == percent(chance) and help_["chance"] == chance
                    met[f"flip {most}"] += 1
                elif action == Decline() and state.phase is Phase.TARGET and Attack(1) in match.legal():
                    (key,) = heard(text, LOX, "because.decline", "because.decline.last")
                    assert (key == "because.decline") == (state.ocean_left > 0)
                    met[key] += 1
    assert {"flip 1", "flip 2", "flip 3", "because.decline", "because.decline.last"} <= met.keys(), met


@sizes("games", 60, 300)
def test_the_greedy_captain_says_of_an_attack_that_it_takes_more_only_if_it_does(games: int) -> None:
    """L4c: an escape costs what the escort's card counts; an attack that costs as much is only less sure."""
    met = Counter[str]()
    game = load("uss-lox")
    greedy = Greedy(game, 0.6, counting=True)
    for seed in range(440_100, 440_100 + games):
        for match in played("uss-lox", {}, "greedy", seed, 0.3):
            if match.over or match.state.phase is not Phase.ESCORT:
                continue
            hint = greedy.decide(match.state, match.legal())
            chosen = hint.action
            cost = cards.pips(match.state.ship) if isinstance(chosen, Escape) else getattr(chosen, "torpedoes", 0)
            for option in hint.options:
                for key in heard(option.rejected, LOX, "captain.more", "captain.unsure"):
                    assert (key == "captain.more") == (option.action.torpedoes > cost)
                    assert key == "captain.more" or (option.action.torpedoes == cost and isinstance(chosen, Escape))
                    met[key] += 1
    assert {"captain.more", "captain.unsure"} <= met.keys(), met


@sizes("games", 60, 300)
def test_uss_lox_says_at_the_end_which_of_the_ships_that_were_sunk_was_the_largest(games: int) -> None:
    """A2: a card that counts in the place of a face card is no ship that was sunk."""
    met = Counter[str]()
    for seed in range(440_100, 440_100 + games):
        *_, match = played("uss-lox", FACES, "greedy", seed, 0.1)
        told = heard(LOX_PAGE.why(match.game, match, 0), LOX, "ended.win", "ended.win.one")
        later = [str(event.facts["ship"]) for event in match.log if event.kind == "estimate_later"]
        sunk = [str(event.facts["ship"]) for event in match.log if event.kind == "sunk"]
        counts = dict(zip(later, match.state.estimated, strict=True)) | dict(zip(sunk, match.state.sunk, strict=True))
        for key, facts in told.items():
            ship = str(facts["ship"])
            assert ship in counts and (key == "ended.win.one") == (len(counts) == 1)
            assert cards.pips(counts[ship]) == max(map(cards.pips, counts.values()))
            met["later" if ship in later else "sunk"] += 1
    assert {"later", "sunk"} <= met.keys(), met


# -- On Patrol -------------------------------------------------------------------------------------


def seas(name: str, games: int, every: int) -> Iterator[Match]:
    """Positions of hunts in which a boat is to be ordered."""
    for seed in range(550_000, 550_000 + games):
        for turn, match in enumerate(played("on-patrol", {"scenario": name}, "skipper", seed, 0.3)):
            if not match.over and turn % every == 0 and match.state.phase is not Patrol.END:
                yield match


def without(state: Sea, how: str) -> Sea:
    """The sea with all that was to be sunk "gone", or "sunk" just now; "far": sunk, and of the escorts one is left."""
    escorts = [v for v in state.vessels if v.role is Role.ESCORT]
    if how == "far" and escorts:
        escorts = [max(escorts, key=lambda v: v.place.bow.distance(state.boats[0].place.bow))]
    sunk = [replace(v, sunk=max(1, state.turn)) for v in state.vessels if v.role is not Role.ESCORT]
    return replace(state, vessels=(*escorts, *(sunk if how != "gone" else ())))


LEAVES = "leaves", "leaves.wrecks", "leaves.none", "leaves.out"


@pytest.mark.parametrize("how", ["sunk", "gone", "far"])
@sizes("games", 1, 4)
def test_the_skipper_says_what_it_keeps_away_from(games: int, how: str) -> None:
    """Ships afloat, the place where the last sank, or nothing at all; and further off only if she is."""
    met = Counter[str]()
    for name in ("lone-merchant", "small-convoy"):
        for match in seas(name, games, 3):
            state = without(match.state, how)
            hint = Skipper(match.game).decide(state, match.legal())
            (key,) = heard(hint.reason, PATROL_SKIPPER, *LEAVES)
            afloat = [v.place.bow for v in state.vessels if not v.sunk]
            assert key == ("leaves" if afloat else "leaves.none" if how == "gone" else "leaves.wrecks")
            boat = state.boat(hint.action.boat)
            here, there = ([each.place.bow.distance(bow) for bow in afloat or [v.place.bow for v in state.vessels]]
                           for each in (boat, carried_out(boat, hint.action)))
            gained = heard(hint.reason, PATROL_SKIPPER, "gain.ships", "cost.ships", "gain.wrecks", "cost.wrecks")
            by = min(there, default=0) - min(here, default=0)
            what = "ships" if afloat else "wrecks"
            assert set(gained) == ({f"gain.{what}"} if by > 0 else {f"cost.{what}"} if by < 0 else set())
            assert heard(hint.findings, PATROL_SKIPPER, "armed.no", "armed.sunk"), "not that only escorts are here"
            met.update([key, *gained])
    alone = {"leaves.none"} if how == "gone" else {"leaves.wrecks", "gain.wrecks"}
    assert {"leaves", "gain.ships", *alone} | ({"cost.ships"} if how == "far" else set()) <= met.keys(), met


def test_the_page_of_a_hunt_whose_ships_are_gone_is_not_one_of_hunters() -> None:
    """Of a convoy none is left; of hunters alone there never was one."""
    told = 0
    for name, hunted in (("small-convoy", True), ("carrier-group", True), ("hunter-group", False)):
        for match in seas(name, 1, 5):
            here = Glance(match.game, replace(without(match.state, "gone"), markers=()), 0, match.legal())
            camp = PATROL.aims(here).camps[1]
            assert bool(heard(camp.name, PATROL_PAGE, "strip.convoy")) == hunted
            keys = {*heard(PATROL.guide(here), PATROL_PAGE, "guide.none_left", "guide.hunters", "guide.spent")}
            assert keys == {"guide.spent"} or keys == {"guide.none_left" if hunted else "guide.hunters"}
            assert ("why.fled" in heard(PATROL.why(match.game, _Ended(here.seen), 0), PATROL_PAGE)) == hunted
            told += 1
    assert told > 10, told


class _Ended:
    """A match, of which its last position alone is asked for."""

    def __init__(self, state: Sea) -> None:
        self.state = state


@pytest.mark.parametrize("n", range(1, 8))
def test_on_patrol_names_the_last_ships_sunk_and_counts_the_others(n: int) -> None:
    match = Match.new(load("on-patrol", scenario="small-convoy"), 1)
    ships: Sequence[str] = [f"M{k + 1}" for k in range(n)]
    state = replace(match.state, points=tuple(Score("sunk", ship, 3) for ship in ships))
    text = PATROL.why(match.game, _Ended(state), 0)
    more = heard(text, PATROL_PAGE, "why.more")
    assert sum(ship in text for ship in ships) == min(n, NAMED)
    assert [number(facts["n"]) for facts in more.values()] == ([n - NAMED] if n > NAMED else [])


def test_on_patrol_tells_what_its_points_are_made_of() -> None:
    """W1: the points of the ships, of boats lost and away, and what damage costs, are told apart and add up."""
    game = load("on-patrol", scenario="three-boats")
    state = Match.new(game, 1).state
    one, two, three = state.boats
    sunk = Score("sunk", "M1", 30)
    value = TABLES.boats[two.type].value
    hurt, lost, away = replace(one, hull=one.hull // 2), replace(two, sunk=3, hull=0), replace(three, away=3)
    cases = {
        (): (replace(state, points=(sunk,)), 30),
        ("damage",): (replace(state, points=(sunk,), boats=(hurt, two, three)), 30 - damage_points(hurt)),
        ("away", "lost"): (replace(state, points=(sunk, Score("lost", two.id, -value), Score("away", three.id, 2)),
                                   boats=(one, lost, away)), 32 - value),
    }
    for kinds, (ended, total) in cases.items():
        told = heard(PATROL.why(game, _Ended(ended), 0), PATROL_PAGE)
        told = {key: facts for key, facts in told.items() if key.startswith("why.")}
        parts = {key: number(facts["points"]) for key, facts in told.items() if key.startswith("why.part.")}
        assert set(parts) == {f"why.part.{kind}" for kind in (*kinds, *["sunk"] * bool(kinds))}
        if kinds:
            assert parts.pop("why.part.sunk") == 30 and number(told["why.sum"]["points"]) == total
            assert 30 + parts.pop("why.part.away", 0) - sum(parts.values()) == total
        ends = heard(outcome(ended, game.sea).text, PATROL_WHY, "victory.damage")
        assert set(ends) == {f"victory.{kind}" for kind in kinds if kind == "damage"}
        assert all(number(facts["points"]) == 30 - total for facts in ends.values())


def test_on_patrol_tells_what_damage_cost_where_it_lost_a_hunt_without_a_ship_sunk() -> None:
    """W1: besides that the ships got away; not where it changed nothing, nor where no boat is left."""
    game = load("on-patrol", scenario="three-boats")
    state = Match.new(game, 1).state
    one, two, three = state.boats
    hurt, lost = replace(one, hull=one.hull // 2), replace(two, sunk=3, hull=0)
    cost, value = damage_points(hurt), TABLES.boats[two.type].value
    gone, none = Score("lost", two.id, -value), (replace(one, sunk=1), replace(two, sunk=2), replace(three, sunk=3))
    cases = [
        ({}, {"none"}), ({"boats": (hurt, two, three)}, {"none", "hurt"}),
        ({"boats": (hurt, two, three), "points": (Score("away", three.id, game.sea.points),)}, {"none", "hurt"}),
        ({"boats": (hurt, two, three), "points": (Score("away", three.id, game.sea.points + cost),)}, {"none"}),
        ({"boats": (hurt, lost, three), "points": (gone,)}, {"boat", "hurt"}),
        ({"boats": (one, lost, three), "points": (gone,)}, {"boat"}), ({"boats": none}, {"boat"}),
    ]
    for changes, keys in cases:
        told = heard(PATROL.why(game, _Ended(replace(state, **changes)), 0), PATROL_PAGE)
        assert {key for key in told if key.startswith("why.")} == {f"why.{key}" for key in keys}, changes
        assert number(told["why.hurt"]["points"]) == cost if "hurt" in keys else True


def test_on_patrol_tells_on_how_many_courses_the_torpedoes_run() -> None:
    """The chance is that of the best course, and not all torpedoes need run on it."""
    met = Counter[str]()
    for seed in range(7000, 7012):
        for match in played("on-patrol", {"scenario": "small-convoy"}, "skipper", seed, 0.0):
            if match.over:
                continue
            hint = Skipper(match.game).decide(match.observe(), match.legal())
            shots = hint.action.shots
            for fired in (shots, (*shots, Shot(1, (shots[0].direction + 1) % 6 + 1))) if shots else ():
                order = replace(hint, action=hint.action._replace(shots=fired))
                told = heard(PATROL.because(glance(match), order), PATROL_PAGE, "because.fires",
                             "because.fires.courses")
                ((key, facts),) = told.items()
                courses = len({shot.direction for shot in fired})
                assert (key == "because.fires") == (courses == 1)
                assert number(facts["n"]) == sum(shot.number for shot in fired)
                assert courses == 1 or number(facts["courses"]) == courses
                met[key] += 1
            near = min((v for v in match.state.vessels if v.role is not Role.ESCORT and not v.sunk), default=None,
                       key=lambda v: v.place.bow.distance(match.state.boat(hint.action.boat).place.bow))
            for facts in heard(PATROL.because(glance(match), hint), PATROL_PAGE, "because.approaches").values():
                assert near and facts["ship"] == near.id
                met["because.approaches"] += 1
        if len(met) == 3:
            break
    assert {"because.fires", "because.fires.courses", "because.approaches"} <= met.keys(), met
