"""The card table of Wolf Pack and its films: nothing hidden is named, and a turn is seen card by card."""

from __future__ import annotations
import re
from collections import Counter

import numpy as np
import pytest

from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.trace import Decision
from navalkit.core.words import Event, Voice, speaking
from navalkit.games.wolf_pack import PAGE
from navalkit.games.wolf_pack.cards import ROWS, Card, listed
from navalkit.games.wolf_pack.scene import deeds, together
from navalkit.games.wolf_pack.state import Discard, Phase, Play
from navalkit.players import player
from navalkit.testing import said
from navalkit.view.film import LONGEST, Mark, Travel, film
from navalkit.view.page import Glance, Look, Moment
from navalkit.view.scene import Box, Text
from ...boxes import box, outside
from ...sentences import WOLF

IDS = re.compile(r"hand [a-z-]+ \d+|theirs \d|row [01] [012]|played [01] \d+|target [01] \d+|deck|discards")


def turns(seed: int, tall: bool = False, me: int = 0, room: tuple[float, float] | None = None, hole: Box | None = None):
    """A game of careful players: before each action of ``me`` the scene, what was told since the last one, and it."""
    game = load("wolf-pack")
    match, rng, since, before = Match.new(game, seed), np.random.default_rng(seed), 0, None
    told: tuple[Event, ...] = ()
    careful = player("careful", game)
    while not match.over:
        if match.turn == me:
            seen = game.observe(match.state, me)
            moments = tuple(
                Moment(game.observe(ply.state, me), tuple(event for event in ply.events if event.seen_by(me)))
                for ply in match.plies[since:]
            )
            told = (*told, *(event for moment in moments for event in moment.events))
            look = Look(tall=tall, room=room, hole=hole, told=told)
            scene = PAGE.scene(Glance(game, seen, me, tuple(match.legal())), look)
            yield seen, scene, moments, before
            since, before = match.ply, scene
        match.play(careful.decide(game.observe(match.state, match.turn), match.legal(), rng).action)


@pytest.mark.parametrize("tall", [False, True])
def test_pieces_have_names_that_tell_nothing_hidden_and_lie_on_the_table(tall: bool) -> None:
    for seen, scene, _, _ in turns(3, tall):
        pieces = scene.pieces()
        assert all(IDS.fullmatch(id) for id in pieces)
        assert sum(id.startswith("hand ") for id in pieces) == sum(seen.hand)
        assert sum(id.startswith("theirs ") for id in pieces) == seen.their_size
        backs = {pieces[f"theirs {i}"].shapes for i in range(sum(seen.known), seen.their_size)}
        assert len(backs) <= 1  # what is not known looks the same
        assert all(0 < piece.x < scene.width and 0 < piece.y < scene.height for piece in pieces.values())
        assert len({cell.id for cell in scene.cells}) == len(scene.cells)


def test_cards_known_to_be_held_are_shown() -> None:
    shown = 0
    for seen, scene, _, _ in turns(5):
        for i, card in enumerate(listed(seen.known)):
            told = scene.cell(f"theirs {i}")
            assert told is not None and card.title in told.alt
            shown += 1
    assert shown


@pytest.mark.parametrize("me", [0, 1])
def test_the_film_of_a_turn_shows_each_card_that_was_told_of(me: int) -> None:
    struck = 0
    for _, scene, moments, before in turns(7, me=me):
        if before is None:
            continue
        effects = PAGE.effects(load("wolf-pack"), moments, Look(), before, scene)
        there = {**before.pieces(), **scene.pieces()}
        goes = [each for each in effects if isinstance(each, Travel)]
        assert all(each.piece in there and (not each.was or each.was in there) for each in goes)
        told = [event for moment in moments for event in moment.events]
        marks = [each for each in effects if isinstance(each, Mark)]
        assert film(before, scene, effects).ms <= LONGEST
        hits = sum(event.kind == "struck" for event in told)
        assert sum(mark.kind == "sink" for mark in marks) == hits
        struck += hits
        drawn = sum(event.kind == "drawn" and event.facts["by"] == me for event in told)
        assert sum(each.piece.startswith("hand ") and each.was == "deck" for each in goes) <= drawn
        named = {event.facts["card"] for event in told if event.kind in ("discarded", "lost")}
        assert named <= {mark.text for mark in marks}
    assert struck


def test_a_card_of_theirs_turns_over_as_it_is_laid() -> None:
    game = load("wolf-pack")
    seen_one = False
    for _, scene, moments, before in turns(7):
        for effect in PAGE.effects(game, moments, Look(), before, scene) if before else ():
            if isinstance(effect, Travel) and effect.was.startswith("theirs ") and effect.piece.startswith("row 1 "):
                assert scene.pieces()[effect.piece].flips
                seen_one = True
    assert seen_one


@pytest.mark.parametrize("me", [0, 1])
def test_the_first_message_is_one_line_to_the_player(me: int) -> None:
    for _, _, moments, _ in turns(11, me=me):
        with speaking(Voice(reader=me)):
            told = PAGE.happened([event for moment in moments for event in moment.events])
        said(told, WOLF, f"start.{me}", transports=6, u_boats=4)
        assert len(told) < 100
        break


def test_a_card_that_lies_in_the_row_is_not_shown_twice() -> None:
    for seen, scene, _, _ in turns(13):
        for side in (0, 1):
            if seen.last[side] == Play(Card.PERISCOPE) and seen.rows[side] == 1:
                assert not any(id.startswith(f"played {side}") for id in scene.pieces())


@pytest.mark.parametrize("room", [(320.0, 440.0), (344.0, 500.0), (360.0, 530.0), (390.0, 634.0), (430.0, 720.0)])
def test_a_phones_table_stays_on_its_board(room: tuple[float, float]) -> None:
    for _, scene, _, _ in turns(3, tall=True, room=room):
        assert (scene.width, scene.height) == room
        for cell in scene.cells:
            assert all(0 <= x <= room[0] and 0 <= y <= room[1] for x, y in cell.outline), cell.id


def test_a_card_the_row_waits_for_is_not_said_to_be_of_use_after_itself() -> None:
    """Why a card of the own row is parted with, of every card that may be, by where its place in the row is."""
    told = Counter[str]()
    for seed in range(3):
        for seen, *_ in turns(seed):
            if seen.phase is not Phase.DISCARD:
                continue
            row, laid = ROWS[0], seen.rows[0]
            for card in (card for card in row if seen.hand[card] == 1):
                why = PAGE.because(Glance(load("wolf-pack"), seen, 0, ()), Decision(Discard(card), "careful", ""))
                place, facts = row.index(card), {"card": card.title, "left": seen.unseen[card]}
                if place < laid:
                    key, facts = "laid", {"card": card.title}
                else:
                    key = "next" if place == laid else "later"
                    facts |= {} if place == laid else {"first": row[laid].title}
                said(why, WOLF, f"because.{key}", **facts)
                told[key] += 1
    assert set(told) == {"laid", "next", "later"}


def test_what_is_not_certain_is_not_called_so() -> None:
    """Of a row said to be complete soon, and of a card that the other side may hold."""
    for key in ("lays.all", "lays.some", "lays.none", "raids"):
        facts = {"waits": "TORPEDO", "held": "TORPEDO", "n": 4, "card": "SONAR"}
        for chance in (0.0004, 0.004, 0.996, 0.9996):
            told = WOLF(f"because.{key}", chance=chance, **facts)
            assert not re.search(r"\b(0|100) ?%", told), told


HOLES = {
    "844x390": ((792.0, 366.0), (552.0, 96.0, 780.0, 280.0)),
    "first game": ((792.0, 366.0), (552.0, 130.0, 780.0, 280.0)),
    "667x375": ((667.0, 299.0), (427.0, 96.0, 655.0, 265.0)),
}


@pytest.mark.parametrize("lang", PAGE.languages)
@pytest.mark.parametrize("size", HOLES)
def test_a_lying_phones_column_says_what_they_did_and_what_is_gone_and_no_text_runs_into_another(size, lang) -> None:
    (width, height), hole = HOLES[size]
    left, top, right, low = hole
    with speaking(Voice(lang, 0)):
        for _, scene, moments, _ in turns(3, room=(width, height), hole=hole):
            texts = [each for each in scene.shapes() if isinstance(each, Text) and each.text and each.style.fill]
            column = [each for each in texts if each.x > left]
            assert outside(column, (left, top, right, low), em=0.5) == []
            flat = [box(each, 0.5) for each in texts if each.turn is None]
            for i, (a0, b0, a1, b1) in enumerate(flat):
                assert all(a1 <= c0 or c1 <= a0 or b1 <= d0 or d1 <= b0 for c0, d0, c1, d1 in flat[i + 1 :]), texts[i]
            acted = [event for moment in moments for event in moment.events]
            if acted and low - top > 180:
                words = {each.text for each in column}
                assert {str(WOLF.get(f"short.{card}")) for card in Card} <= words
                who, what = deeds(acted, 0)[-1] if deeds(acted, 0) else ("", "")
                assert not what or what.split()[0] in " ".join(each.text for each in column), (who, what)


def test_two_equal_cards_are_said_once() -> None:
    a, b = Card.WATER.title, Card.SONAR.title
    said(together([a, a]), WOLF, "twice", card=a)
    said(together([a, b]), WOLF, "and", some=a, last=b)
    assert together([a]) == a and together([]) == ""
