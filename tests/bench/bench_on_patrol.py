"""How fast escorts decide, hunts run and the hex sea is drawn."""

from __future__ import annotations
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

import navalkit as nk
from navalkit.games.on_patrol.board.scene import scene
from navalkit.games.on_patrol.board.shapes import View, water
from navalkit.games.on_patrol.escort import automaton as escort
from navalkit.games.on_patrol.rules.game import OnPatrol
from navalkit.games.on_patrol.sea.state import Fleet, Hunt, Marker, MarkerKind, Phase, Role, State, Vessel
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from navalkit.ui.board import Board
from navalkit.view.painters import svg
from tests.bench.measure import best, row

GUIDE = Place(Hex.parse("U20"), 3)
TRACED, PLAIN, REDRAW = 0.050, 0.005, 0.050
"""The aims, in seconds: all six escorts with their reasons, and without; a full redraw."""


def hunt() -> State:
    """Eighteen ships in formation 1, and six escorts after a boat off the convoy's bow."""
    ships = [f"{column}{row}" for column in ("E", "M", "U", "AC", "AK", "AS") for row in (20, 13, 6)]
    escorts = ("U28", "-D20", "BA20", "-D8", "BA8", "U1")
    vessels = [_vessel(f"M{n}", Role.MERCHANT, "liberty", label) for n, label in enumerate(ships, 1)]
    vessels += [_vessel(f"E{n}", Role.ESCORT, "fletcher", label) for n, label in enumerate(escorts, 1)]
    marker = Marker("S1", MarkerKind.CONTACT, Place(Hex.parse("Q33"), 2))
    return State(3, Phase.ESCORTS, Fleet(GUIDE, "slow 1"), tuple(vessels), (), markers=(marker,))


def _vessel(id: str, role: Role, type: str, label: str) -> Vessel:
    place = Place(Hex.parse(label), 3)
    offset = Hex(place.bow.q - GUIDE.bow.q, place.bow.r - GUIDE.bow.r)
    return Vessel(id, role, type, place, 3, offset=offset, hunt=Hunt("S1" if role is Role.ESCORT else ""))


def bench_decisions() -> list[dict[str, Any]]:
    """All decisions of six escorts among eighteen ships."""
    state = hunt()

    def decide(trace: bool) -> Callable[[], None]:
        def all_six() -> None:
            escort._reasoned.cache_clear()
            for ship in state.escorts:
                escort.decide(state, ship, trace=trace)

        return all_six

    traced, plain = best(decide(True)), best(decide(False))
    return [
        row("six escorts decide, with their reasons", traced, "the aim of 50 ms", TRACED, "18 ships in convoy"),
        row("six escorts decide, the moves alone", plain, "the aim of 5 ms", PLAIN, "the same moves"),
    ]


def bench_turns() -> dict[str, Any]:
    """Turns a second of a whole hunt without drawing, the captain choosing at random."""
    game = OnPatrol(scenario="night-convoy")
    turns, start = 0, time.perf_counter()
    for seed in range(6):
        match, rng = nk.Match.new(game, seed=seed), np.random.default_rng(seed)
        while not match.over:
            legal = match.legal()
            match.play(legal[int(rng.integers(len(legal)))])
        turns += match.state.turn
    seconds = time.perf_counter() - start
    return row(
        "turns of the night convoy",
        seconds,
        "one turn in 100 ms",
        turns * 0.1,
        f"{turns / seconds:,.0f} turns a second",
    )


def bench_redraw() -> list[dict[str, Any]]:
    """A sea of 60 by 60 hexes: the picture made and painted on the canvas anew, and with one ship moved."""
    state = hunt()
    side = 9.0
    size = (60 * 1.5 * side, 60 * 3**0.5 * side)
    view = View(Hex.parse("U20"), 2, size)
    board = Board()

    def anew() -> None:
        water.cache_clear()
        board.show(scene(state, view))
        board.redraw()

    anew()
    frames = board.painter.frames
    full = best(anew)
    per_frame = (board.painter.frames - frames) / 5
    moved = [state.with_vessel(replace(v, place=v.place.ahead())) for v in state.escorts]
    turn = iter(range(10**6))

    def one_ship() -> None:
        board.show(scene(moved[next(turn) % len(moved)], view))

    part = best(one_ship)
    drawn = best(lambda: svg(scene(state, view)))
    sent = board.painter.last_frame_bytes / 1000
    note = f"{len(view.hexes()):,} hexes, {per_frame:.0f} message a frame, {sent:,.0f} kB for one ship"
    return [
        row("full redraw of a sea of 60 x 60 hexes", full, "the aim of 50 ms", REDRAW, note),
        row(
            "redraw after one ship has moved", part, "the full redraw", full, "what the browser knows is not sent"
        ),
        row("the same sea on the canvas", full, "as SVG", drawn, "both from one scene"),
    ]
