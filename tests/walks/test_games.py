"""Every game is walked by the same protocol: those that say something of their decisions, and one that says nothing."""

from __future__ import annotations
import tomllib
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

import navalkit as nk
from navalkit.core.awaited import Steps, finish
from navalkit.core.errors import IllegalActionError, OptionError, RecordError
from navalkit.core.registry import names, package
from navalkit.core.trace import Weigher
from navalkit.games.fleet_action import scenarios
from navalkit.games.fleet_action.board.workshop import FleetWorkshop
from navalkit.view.draft import Draft
from navalkit.view.scene import Text
from navalkit.walks import shows
from navalkit.walks.shows import Show
from navalkit.walks.stepper import CLASS, PREDICT, RULE, WHAT_IF, Stepper
from navalkit.walks.told import Told
from navalkit.walks.walk import WORDS, walk_of

GAMES = (*names(), "toy")
SOME = 12
"""Decisions of a match that are looked at."""


@pytest.fixture(params=GAMES)
def show(request: pytest.FixtureRequest, toys: ModuleType) -> Iterator[Show]:
    """A game's first show, nothing of it explained yet."""
    played = finish(shows.from_query(request.param, "")).show
    yield replace(played, known=OrderedDict())


def some(show: Show) -> list[int]:
    """Indices of moments at which there is something to predict, over the whole match."""
    found = [at for at in range(len(show.row)) if show.askable(at)]
    return found[:: max(1, len(found) // SOME)]


def told(show: Show, at: int) -> Told[Any, Any]:
    return finish(show.walk.deciding(show.game, show.row[at], show.row[at].who))


def asks_one_by_one(show: Show) -> bool:
    """Whether a question is about actions, so that its answers are those of the rules."""
    return show.walk.asks[0] == "what"


def test_who_sat_there_decides_again_as_it_was_played(show: Show) -> None:
    for at in some(show):
        moment, after = show.row[at], show.row[at + 1]
        if after.by == moment.seat and not moment.person and asks_one_by_one(show):
            assert told(show, at).right == show.walk.answer(show.game, after.action)


def test_a_decision_is_told_in_lines_whose_rules_exist_and_the_order_is_the_last(show: Show) -> None:
    rules = show.game.rules()
    for at in some(show):
        lines = told(show, at).lines
        assert lines[-1].kind == "move" and all(line.text for line in lines)
        assert {line.rule for line in lines} - {""} <= rules.keys()


def test_every_wrong_answer_is_told_why(show: Show) -> None:
    if not asks_one_by_one(show):
        return
    for at in some(show)[:4]:
        decided = told(show, at)
        answers = show.walk.answers(show.game, show.row[at])
        result = finish(show.walk.result(decided, "what", dict.fromkeys(answers, 1)))
        assert result.right[0] == decided.right and set(result.notes or ()) == answers.keys() - set(result.right)
        weighed = finish(decided.weighing(tuple(answers)))
        assert all(note.text for note in (result.notes or {}).values())
        if isinstance(decided.player, Weigher):
            assert weighed.keys() == answers.keys()
            assert all(each.facts or each.rejected for answer, each in weighed.items() if answer not in result.right)


def test_stepping_back_and_forth_thinks_once(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, walk = [], type(show.walk)
    deciding = walk.deciding

    def counted(self: Any, game: Any, moment: Any, *rest: Any) -> Steps[Told[Any, Any]]:
        asked.append(moment.ply)
        return (yield from deciding(self, game, moment, *rest))

    monkeypatch.setattr(walk, "deciding", counted)
    stepper = Stepper(show)
    stepper.go(some(show)[0])
    for _ in range(3):
        for _ in range(4):
            stepper.forward()
        for _ in range(4):
            stepper.back()
    assert asked and len(asked) == len(set(asked))


@pytest.mark.parametrize("unit", [RULE, "decision"])
def test_a_link_brings_the_very_step_back(show: Show, unit: str) -> None:
    stepper = Stepper(show, CLASS)
    stepper.step_by(unit)
    stepper.go(some(show)[-1])
    stepper.forward()
    stepper.forward()
    other = Stepper(shows.blank(show.name))
    assert other.open_query(stepper.link)
    assert (other.at, other.told, other.unit, other.sees) == (stepper.at, stepper.told, unit, CLASS)
    assert other.moment.state == stepper.moment.state and other.lines == stepper.lines


def test_a_link_to_a_record_brings_a_game_back(show: Show) -> None:
    assert show.match is not None
    saved = shows.saved(show.name, show.match)
    asked = finish(shows.from_query(show.name, f"{saved.query}&ply=3"))
    assert [moment.state for moment in asked.show.row] == [moment.state for moment in show.row]
    assert asked.show.row[asked.at].ply >= 3 and shows.game_of(saved.query) == show.name


def test_what_is_to_be_predicted_is_not_to_be_seen(show: Show) -> None:
    stepper = Stepper(show)
    stepper.use(PREDICT)
    for at in some(show):
        stepper.go(at)
        assert stepper.asked and stepper.sight.told is None and not stepper.lines and not stepper.shown_layers
        question = stepper.asking.question
        assert question is not None and len(question.choices) > 1
        stepper.answer(question.choices[0].id)
        stepper.confirm()
        assert stepper.guess is not None and stepper.result and stepper.lines
    right, made = stepper.asking.score(stepper.walk)
    assert 0 <= right <= made == len(some(show))


def test_what_may_be_supposed_can_be_supposed_and_compared(show: Show) -> None:
    stepper = Stepper(show)
    for at in some(show)[:4]:
        stepper.go(at)
        stepper.use(WHAT_IF)
        for change in stepper.changes:
            try:
                stepper.suppose(change.key)
            except IllegalActionError:
                continue
            assert stepper.decided is not None and stepper.differences
            if change.captain:
                assert stepper.differences[0].changed  # who decides
        stepper.reset()
        assert not stepper.differences
        with pytest.raises(OptionError) as error:
            stepper.suppose("nothing")
        assert str(error.value) == WORDS("unknown.change", asked="'nothing'")


def test_every_unit_stops_somewhere_and_at_both_ends(show: Show) -> None:
    stepper = Stepper(show)
    for unit in stepper.units:
        found = show.stops("decision" if unit == RULE else unit)
        assert found[0] == 0 and found[-1] == len(show.row) - 1 and list(found) == sorted(set(found))


def test_of_a_moment_of_note_is_told_what_makes_it_so(show: Show) -> None:
    stepper = Stepper(show)
    for stepper.at, moment in enumerate(show.row):
        news = stepper.news
        seen = [event for event in moment.events if event.seen_by(moment.seat)]
        noted = {event.text for event in seen if show.walk.key(event)}
        assert len(news) <= 2 and set(news) <= (noted or {event.text for event in seen})
        assert bool(news) == bool(seen)


def test_a_step_can_be_seen_and_compared_with_the_one_before(show: Show) -> None:
    stepper, camera = Stepper(show), show.walk.camera()
    for at in some(show)[:3]:
        stepper.go(at)
        scene = show.walk.scene(stepper.sight, camera)
        assert scene.width > 100 and scene.title


def test_a_game_without_a_page_is_shown_in_words(toys: ModuleType) -> None:
    stepper = Stepper(finish(shows.from_query("toy", "")).show)
    scene = stepper.walk.scene(stepper.sight, stepper.walk.camera())
    said = [shape.text for layer in scene.layers for shape in layer.shapes if isinstance(shape, Text)]
    assert said and said[1] == str(stepper.show.game.observe(stepper.state, stepper.moment.seat))


# One's own game -------------------------------------------------------------------------------------------------------


def own(name: str, seats: tuple[str, ...]) -> nk.Match:
    """A game that a person played to its end."""
    game = nk.load(name)
    match = nk.Match.new(game, 3, seats)
    while not match.over:
        match.play(match.legal()[0])
    return match


def test_a_persons_decisions_are_explained_by_the_adviser_of_the_page() -> None:
    show = shows.saved("wolf-pack", own("wolf-pack", ("Ann", "random")))
    page = package("wolf-pack").offered("PAGE", None)
    decisions = [moment for moment in show.row if moment.who]
    assert {moment.captain for moment in decisions if moment.person} == {page.adviser}
    assert {moment.captain for moment in decisions if not moment.person} == {"random"}
    at = next(i for i, moment in enumerate(show.row) if moment.person)
    decided = told(show, at)
    captain = show.walk.called(show.game, page.adviser)
    said = list(show.walk.summed(decided, show.row, at))
    assert said[0] == WORDS("headline.advised", captain=captain, text=decided.lines[-1].text)
    played = show.row[at + 1].action
    assert (len(said) == 2) == (show.walk.answer(show.game, played) != decided.right)


def test_a_game_that_hides_something_is_walked_once_it_is_over_or_an_analysis() -> None:
    match = nk.Match.new("wolf-pack", 3, ("Ann", "random"))
    match.play(match.legal()[0])
    with pytest.raises(RecordError) as refused:
        shows.saved("wolf-pack", match)
    assert str(refused.value) == WORDS("open.secret")
    match.undo(analysis=True)
    match.play(match.legal()[0])
    assert match.analysis and len(shows.saved("wolf-pack", match).row) > 1


def test_a_record_of_another_game_is_refused() -> None:
    match = own("uss-lox", ("Ann",))
    with pytest.raises(RecordError) as refused:
        shows.saved("wolf-pack", match)
    assert str(refused.value) == WORDS("open.foreign", game="uss-lox", own="wolf-pack")


# The hooks and their defaults -----------------------------------------------------------------------------------------


def test_a_game_that_offers_nothing_has_the_defaults(toys: ModuleType) -> None:
    game = nk.load("toy")
    assert walk_of(game) is walk_of(type(game)()) and walk_of(game).units == walk_of(nk.load("uss-lox")).units
    assert [label for label, _ in shows.choices("toy")] == []


FAULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "?position=nowhere": ("unknown.position", {"name": "'nowhere'", "names": WORDS("field.none")}),
    "?seed=x": ("unknown.number", {"what": "seed", "text": "'x'"}),
    "?seed=1&players=a,b,c": ("unknown.players", {"game": nk.load("wolf-pack").title, "n": 2, "m": 3}),
}


@pytest.mark.parametrize("query", FAULTS)
def test_a_link_that_asks_for_what_there_is_not_is_refused_in_a_sentence(query: str) -> None:
    key, facts = FAULTS[query]
    with pytest.raises(OptionError) as refused:
        finish(shows.from_query("wolf-pack", query))
    assert str(refused.value) == WORDS(key, **facts)


@pytest.mark.parametrize("battle", ["river_plate", "night_convoy"])
def test_a_battle_of_ones_own_is_opened_from_its_file_with_its_own_title(battle: str) -> None:
    text = scenarios.text(battle).replace("moves = ", "moves = 1  # ", 1)
    drawn_up = Draft(FleetWorkshop(), tomllib.loads(text)).text
    for file in (text, drawn_up):
        show = finish(shows.from_file("fleet-action", file.encode()))
        told, match = scenarios.own(file), show.match
        assert match is not None and match.over and match.game.chosen["custom"] == file.strip()
        assert show.walk.about(show.game) == (show.walk.name(told.title), show.walk.name(told.blurb))
        again = finish(shows.from_file("fleet-action", match.dumps().encode()))
        assert again.match is not None and again.row == show.row, "a saved game of it is no scenario"
