"""The conformance suite: what every game must keep to, checked along random walks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs

import numpy as np

from navalkit.core.awaited import finish
from navalkit.core.errors import IllegalActionError
from navalkit.core.files.record import GameRecord
from navalkit.core.game import CHANCE, TERMINAL, Game
from navalkit.core.match import Match
from navalkit.core.registry import game_class, names
from navalkit.view.questions import Question
from navalkit.walks import shows
from navalkit.walks.told import Moment, Sight
from navalkit.walks.walk import WHAT, walk_of

Permute = Callable[[Any, int, np.random.Generator], Any]
"""(state, player, generator) -> a state that differs only in what the player cannot see."""

LONGEST = 100_000
"""Plies after which a walk counts as one that never ends."""
PICKS = 3
"""How many outcomes of a chance node that cannot be listed are looked at."""
STRANGERS = 40
"""How many actions from elsewhere each state is asked about."""
ASKED = 6
"""At how many decisions of a walk what a class is asked, shown and told is looked at."""


def check_game(
    game: Game[Any, Any], *, seeds: Iterable[int] = range(5), walks: int = 2, permute: Permute | None = None
) -> None:
    """Walk through a game at random and check, at every state on the way, what the protocol promises.

    Chance adds up to 1 and all its actions apply; an action is legal exactly if ``why_not`` has nothing to
    say, and an illegal one is refused with just that sentence; nothing is legal after the end, and only then
    is there an outcome; states are hashable values that ``apply`` leaves alone; notation reads back as it was
    written; events name rules that exist; records, links, undo and redo lead back to the same game. Of some decisions
    on the way every question can be put, its choices differ, and what the players of `navalkit.walks` decide is among
    them.

    Parameters
    ----------
    game : Game
        With the options it is to be checked under.
    seeds : iterable of int
        Seeds of the matches.
    walks : int
        Random walks a seed.
    permute : callable, optional
        For a game that hides something: changes what a player cannot see. The observation must stay the same, and
        if the player is on turn what is legal, what a class is asked of the decision and shown before it is told, and
        how it is explained.

    Raises
    ------
    AssertionError
        With the seed, the walk, the ply and what is wrong there.

    Examples
    --------
    >>> from navalkit import load
    >>> check_game(load("uss-lox"), seeds=range(1), walks=1)
    """
    _expect(
        permute is not None or not game.hides,
        f"{game.name} hides something: give check_game a permute, so that its observations can be checked.",
    )
    found = [_walk(game, seed, walk) for seed in seeds for walk in range(walks)]
    everything = list(dict.fromkeys(action for match in found for action in _actions(match)))
    for i, match in enumerate(found):
        rng = np.random.default_rng([match.seed, i])
        for ply in range(match.ply + 1):
            where = f"{game!r}, seed {match.seed}, walk {i}, ply {ply}"
            picks = rng.choice(len(everything), min(STRANGERS, len(everything)), replace=False)
            check_state(game, match.at(ply), [everything[p] for p in picks], where)
            if permute:
                _check_honesty(game, match.at(ply), permute, rng, where)
        _check_asking(match, permute, rng, f"{game!r}, seed {match.seed}, walk {i}")
        check_match(match, f"{game!r}, seed {match.seed}, walk {i}")


def check_state(game: Game[Any, Any], state: Any, strangers: Iterable[Any], where: str) -> None:
    """Check one state; ``strangers`` are actions that may or may not be legal here."""
    strangers = list(strangers)
    text = game.format_state(state)
    twin = game.parse_state(text)
    _expect(
        twin == state and hash(twin) == hash(state),
        f"{where}: the state reads back differently from {text!r}.",
    )
    turn, legal, outcome = game.turn(state), game.legal(state), game.outcome(state)
    _expect(turn in (CHANCE, TERMINAL, *range(len(game.players))), f"{where}: turn gives {turn}.")
    _expect((outcome is None) == (turn != TERMINAL), f"{where}: turn is {turn} and the outcome {outcome}.")
    if outcome:
        _expect(len(outcome.scores) == len(game.players), f"{where}: {len(outcome.scores)} scores in the outcome.")
    possible = list(legal)
    if turn == CHANCE:
        dist = game.chance(state)
        _expect(not legal, f"{where}: {legal[:1]} is legal on chance's turn.")
        if dist.listed:
            total = sum(p for _, p in dist.items())
            _expect(total == 1, f"{where}: the probabilities of chance add up to {total}.")
            possible = list(dist)
        else:  # too many outcomes to list: look at some, and let the draw itself say whether a stranger is one
            possible = [dist.pick(seed) for seed in range(PICKS)]
            possible += [action for action in strangers if action in dist]
            _expect(all(dist[action] > 0 for action in possible), f"{where}: chance draws what it calls impossible.")
    elif turn == TERMINAL:
        _expect(not legal, f"{where}: {legal[:1]} is legal after the end.")
    else:
        _expect(bool(legal), f"{where}: nothing is legal, and the game is not over.")
        _expect(len(set(legal)) == len(legal), f"{where}: an action stands twice among the legal ones.")
        if turn in game.automatic:
            _expect(len(legal) == 1, f"{where}: player {turn} is automatic and has {len(legal)} actions.")
    for action in possible:
        _check_action(game, state, action, where)
    for action in strangers:
        reason = game.why_not(state, action)
        _expect(
            (reason is None) == (action in possible),
            f"{where}: {action} is possible: {action in possible}, and why_not says {reason!r}.",
        )
        if reason is not None:
            _check_refusal(game, state, action, reason, where)
    _expect(game.format_state(state) == text, f"{where}: looking at the state, or playing on, changed it.")


def check_match(match: Match, where: str) -> None:
    """Check that record, link, and undo and redo lead back to the same finished match."""
    game, record = match.game, match.record()
    for name, twin in (
        ("the record", GameRecord.loads(record.dumps())),
        ("the sealed record", GameRecord.loads(record.dumps(seal=True))),
        (
            "the link",  # it leaves out what its reader does not need
            replace(
                GameRecord.from_link_text(record.link_text()), comments=record.comments, commitment=record.commitment
            ),
        ),
    ):
        _expect(twin == record, f"{where}: {name} reads back differently.")
    if game.name in names() and type(game) is game_class(game.name):  # no variant made for a test
        _same(Match.replay(record), match, f"{where}, replayed")
        query = parse_qs(match.share().removeprefix("?"))
        link = query["record"][0] if "record" in query else None
        if link:
            _same(Match.replay(GameRecord.from_link_text(link)), match, f"{where}, from its link")
        else:
            _expect(query.get("seed") == [str(match.seed)], f"{where}: the link has neither record nor seed.")
    again = Match.new(game, match.seed)
    for ply in match.plies:
        if ply.by >= 0 and ply.by not in game.automatic:
            again.play(ply.action)
    _same(again, match, f"{where}, played again")
    while again.can_undo():
        again.undo(analysis=True)
    _expect(
        again.state == Match.new(game, match.seed).state,
        f"{where}: undoing everything does not lead to the start.",
    )
    while again.can_redo():
        again.redo()
    _same(again, match, f"{where}, undone and redone")


def _walk(game: Game[Any, Any], seed: int, walk: int) -> Match:
    rng = np.random.default_rng([seed, walk])
    match = Match.new(game, seed)
    while not match.over:
        _expect(match.ply < LONGEST, f"{game!r}, seed {seed}: no end after {LONGEST:,} plies.")
        legal = match.legal()
        _expect(
            bool(legal),
            f"{game!r}, seed {seed}, ply {match.ply}: nothing is legal, and the game is not over.",
        )
        match.play(legal[int(rng.integers(len(legal)))])
    return match


def _actions(match: Match) -> Iterable[Any]:
    """What was played, and what might have been."""
    for ply in range(match.ply):
        yield match.plies[ply].action
        yield from match.game.legal(match.at(ply))


def _check_action(game: Game[Any, Any], state: Any, action: Any, where: str) -> None:
    reason = game.why_not(state, action)
    _expect(reason is None, f"{where}: {action} is possible, and why_not says {reason!r}.")
    text = game.format_action(action)
    _expect(game.parse_action(text) == action, f"{where}: {text!r} reads back as another action.")
    step, again = game.apply(state, action), game.apply(state, action)
    _expect(step == again, f"{where}: {action} does not always lead to the same state and events.")
    for event in step.events:
        _expect(
            event.rule in game.rules(),
            f"{where}: {action} gives an event under an unknown rule {event.rule!r}.",
        )
        _expect(bool(event.text.strip()), f"{where}: {action} gives an event without a sentence.")


def _check_refusal(game: Game[Any, Any], state: Any, action: Any, reason: str, where: str) -> None:
    try:
        game.apply(state, action)
    except IllegalActionError as error:
        _expect(str(error) == reason, f"{where}: {action} is refused with {error}, not with {reason!r}.")
    else:
        raise AssertionError(f"{where}: {action} is applied although why_not says {reason!r}.")


def _check_honesty(game: Game[Any, Any], state: Any, permute: Permute, rng: np.random.Generator, where: str) -> None:
    for player in range(len(game.players)):
        other = permute(state, player, rng)
        same = game.observe(other, player) == game.observe(state, player)
        _expect(same, f"{where}: player {player} sees what is hidden.")
        if game.turn(state) == player:
            _expect(
                game.legal(other) == game.legal(state),
                f"{where}: what is legal tells player {player} what is hidden.",
            )


def _check_asking(match: Match, permute: Permute | None, rng: np.random.Generator, where: str) -> None:
    """What a class is asked at some decisions of a match."""
    game, walk = match.game, walk_of(match.game)
    seats = shows.seats(game)
    asked = [moment for moment in walk.row(match) if moment.who and len(walk.answers(game, moment)) > 1]
    for moment in asked[:: max(1, len(asked) // ASKED)]:
        captain = walk.captain(game, moment.seat, seats)[0] if moment.captain else ""
        here, at = replace(moment, captain=captain, person=bool(captain)), f"{where}, ply {moment.ply}"
        questions, shown, told = _asked(game, here)
        for question in questions:
            for what in ("id", "label"):
                found = [getattr(choice, what) for choice in question.choices]
                _expect(len(set(found)) == len(found) > 1, f"{at}: choices of {question.kind!r} have the same {what}.")
        right = {choice.id for question in questions if question.kind == WHAT for choice in question.choices}
        _expect(not right or told.right in right, f"{at}: {told.right} is decided, and is no choice.")
        if permute:
            others, seen, why = _asked(game, replace(here, state=permute(here.state, here.seat, rng)))
            _expect(others == questions, f"{at}: a question tells what is hidden.")
            _expect(seen == shown, f"{at}: what is shown before the decision is told tells what is hidden.")
            _expect(why.lines == told.lines, f"{at}: how a decision is explained tells what is hidden.")


def _asked(game: Game[Any, Any], here: Moment[Any]) -> tuple[list[Question], Any, Any]:
    """All questions of a decision, what is shown while they are open, and the decision."""
    walk = walk_of(game)
    sight = Sight(game, (here,), 0, here.who, here.state, asked=True)
    shown = walk.scene(sight, walk.camera()), walk.tables(sight), walk.titled(sight), walk.place((here,), 0)
    told = finish(walk.deciding(game, here, here.who))
    return [walk.ask(kind, game, here, here.who) for kind in walk.asks], shown, told


def _same(one: Match, other: Match, where: str) -> None:
    _expect(one.plies == other.plies, f"{where}: the plies are not the same.")
    _expect(one.log == other.log, f"{where}: the log is not the same.")
    _expect(one.outcome == other.outcome, f"{where}: the outcome is not the same.")


def _expect(condition: bool, sentence: str) -> None:
    """AssertionError with the sentence, also where Python leaves ``assert`` out."""
    if not condition:
        raise AssertionError(sentence)
