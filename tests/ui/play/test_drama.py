"""What a film tells, and when: no text or mark of it runs ahead of what has been shown."""

from __future__ import annotations
import random
import re

import pytest

from navalkit.core.words import speaking
from navalkit.ui.board import Board, Stage
from navalkit.ui.play.app import Films
from navalkit.ui.play.controller import Controller
from navalkit.view.film import FADE, LONGEST
from navalkit.view.scene import Text

GAMES = ("fleet-action", "on-patrol", "task-force", "uss-lox", "wolf-pack")
EVERY = 50  # ms between two frames that are looked at
NAME = re.compile(r"[A-Z]\d+")  # a ship that comes into sight
DEPTH = re.compile(r"^S\d (· \d+ ft|surfaced|· surface)")


def texts(shapes):
    return {shape.text for shape in shapes if isinstance(shape, Text) and (shape.style.fill or shape.style.stroke)}


def played(name, seed, orders):
    """The films of a game of chance orders: the scene before, the last, the film, and the headline it leads to."""
    control, rng = Controller(name), random.Random(seed)
    with speaking(control.voice):
        control.new(seed=seed)
        films = Films(control)
        before = control.scene()
        films.to(before)
        for _ in range(orders):
            if control.match.over or not (legal := control.legal):
                break
            shots = [each for each in legal if type(each).__name__ in ("Guns", "Attack", "Torpedoes")]
            control.give(rng.choice(shots if shots and rng.random() < 0.7 else legal))
            control.window = control.page.frame(control.glance(), control.look)
            last = control.scene()
            made = films.to(last)
            if made is not None and made.ms:
                yield before, last, made, control.headline()
            before = last


def look(going, t):
    """The piece that is seen of a going at a moment, as the page's script has it."""
    if not going.ms:
        return going.after
    p = min(max((t - going.at) / going.ms, 0), 1)
    if going.before is None:
        return going.after if p > 0 else None
    if going.after is None:
        return going.before if p < 1 else None
    q = p if going.changes < 0 else min(max((t - going.changes) / FADE, 0), 1)
    return going.before if q <= 0 else going.after


def frame(made, last, t):
    """The texts of a frame: of what stands still, of pieces, of marks, and the headline."""
    told = made.told if made.told >= 0 else made.ms
    old = {layer.name: layer for layer in made.under}
    still = set()
    for layer in last.layers:
        if not layer.pieces:
            shown = old.get(layer.name, layer) if t < told else layer
            still |= set() if layer.late and t < made.ms else texts(shown.flat)
    pieces = [piece for going in made.goings if (piece := look(going, t)) is not None]
    marks = [mark for mark in made.marks if mark.at <= t < mark.at + mark.ms]
    said = [beat.text for beat in made.beats if beat.at <= t]
    return still, pieces, marks, said[-1] if said else ""


@pytest.mark.parametrize("name", GAMES)
def test_no_frame_before_the_verdict_tells_what_has_not_been_shown(name):
    kinds = set()
    for seed in range(4):
        for before, last, made, headline in played(name, seed, 60):
            told = made.told if made.told >= 0 else made.ms
            kinds.add(frozenset(mark.kind for mark in made.marks))
            assert round(told) <= round(made.ms) <= LONGEST
            known = {text for layer in before.layers for text in texts(layer.flat)}
            known |= {text for layer in made.under for text in texts(layer.flat)}  # a window that moved shows more
            final = {text for layer in last.layers for text in texts(layer.flat)}
            known |= {text for text in final if DEPTH.search(text)}  # her own order, and she is seen to go
            for t in range(0, int(told), EVERY):
                still, pieces, _, said = frame(made, last, t)
                assert still <= known, (headline, t, still - known)
                assert not said or said != headline, (headline, t)
                read = [piece for piece in pieces if set(map(type, piece.shapes)) == {Text}]
                words = {text for piece in read for text in texts(piece.shapes) if not NAME.fullmatch(text)}
                sinks = any(mark.kind == "sink" and mark.at <= t for mark in made.marks)  # then she may be called lost
                assert sinks or words <= known, (headline, t, words - known)
            still, pieces, _, _ = frame(made, last, made.ms + 1)
            assert still | {text for piece in pieces for text in texts(piece.shapes)} == final, headline
    assert len(kinds) >= 3, kinds


def test_a_number_of_the_verdict_comes_after_what_it_is_made_of():
    """Fleet Action: no count of hits before the last die, no damage before the count; dice as many as were thrown."""
    seen = 0
    for _, _, made, headline in (film for seed in range(6) for film in played("fleet-action", seed, 40)):
        dice = [mark for mark in made.marks if mark.kind == "die"]
        counts = [mark for mark in made.marks if mark.kind == "count"]
        if not dice or len(counts) != 1:
            continue
        seen += 1
        (count,), (said,) = counts, [beat for beat in made.beats if re.search(r"^\d+ hits? of \d+", beat.text)]
        hits, thrown = map(int, re.findall(r"\d+", said.text))
        assert (sum(mark.share[1] for mark in dice), len(dice)) == (hits, thrown)
        assert max(mark.at for mark in dice) <= said.at <= count.at <= made.told, headline
    assert seen > 2


def test_a_card_that_can_change_nothing_is_not_held_back_and_one_that_decides_is():
    holds = {True: 0, False: 0}
    for _, _, made, _ in (film for seed in range(8) for film in played("uss-lox", seed, 40)):
        bars = [mark for mark in made.marks if mark.kind == "bar"]
        if not bars:
            continue
        decides = 0 < bars[-1].share[0] < 1
        rings = [mark for mark in made.marks if mark.kind == "ring"]
        holds[decides] += 1
        assert bool(rings) is decides
        assert bars[-1].share[1] in (0, 1)
        assert all(a.share[1] == b.share[0] for a, b in zip(bars, bars[1:], strict=False))
        assert made.told >= bars[-1].at
    assert min(holds.values()) > 2, holds


def test_a_torpedo_runs_once():
    ran = 0
    for seed in range(5):
        control, rng = Controller("on-patrol"), random.Random(seed)
        with speaking(control.voice):
            control.new(seed=seed)
            films = Films(control)
            films.to(control.scene())
            while not control.match.over and control.match.ply < 400:
                before = control.match.state
                control.give(rng.choice(control.legal))
                control.window = control.page.frame(control.glance(), control.look)
                made, after = films.to(control.scene()), control.match.state
                tracks = sum(mark.kind == "track" for mark in made.marks)
                ran += tracks
                assert tracks <= len(before.torpedoes) + after.launched - before.launched
    assert ran > 10


def test_another_game_begins_without_rings_or_a_film_of_the_last():
    control, board = Controller("uss-lox"), Board()
    stage = Stage(board)
    with speaking(control.voice):
        control.new(seed=3)
        films = Films(control)
        films.to(control.scene())
        control.give(control.legal[0])
        stage.show(control.scene(), films.to(control.scene()))
        assert stage.rings
        control.new(seed=4)
        stage.forget()
        stage.show(control.scene(), films.to(control.scene()))
    assert stage.rings == [] and stage.film is None


def test_reduced_motion_shows_the_last_picture_of_the_same_film():
    for _, last, made, _ in played("uss-lox", 2, 12):
        still, pieces, _, _ = frame(made, last, made.ms + 1)
        assert still | {text for piece in pieces for text in texts(piece.shapes)} == {
            text for layer in last.layers for text in texts(layer.flat)}
