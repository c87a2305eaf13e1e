"""One chance to win: what a card says of a way to begin, what a hint says, and where the curve of a review begins."""

from __future__ import annotations
from math import sqrt

import numpy as np
import pytest

from navalkit.core.awaited import finish
from navalkit.core.match import Match
from navalkit.core.registry import load, names, package
from navalkit.players import player
from navalkit.players.meeting import Measured, figures, measured
from navalkit.players.review import Judge, Yardstick
from navalkit.view.page import page_of
from ..samples import sizes

GAMES = 160
"""Play-outs from the start."""
NEAR = 0.05
"""How far two captains of one strength may move a scenario, besides luck."""


def offered(game: str) -> Yardstick:
    found: Yardstick = package(game).offered("REVIEW", None)
    return found


def told(game: str) -> list[Measured]:
    """The figures that cards of this game show, of games between those who give its hints."""
    rows = (each for each in figures().values() if each.game == game and each.kind == "balance")
    return [each for each in rows if measured(game, each.options) == each]


BEGINNINGS = [each for game in names() if not offered(game).unit for each in told(game)]


@pytest.mark.parametrize(
    "figure",
    [pytest.param(each, id=each.name, marks=[] if each.name == "wolf-pack/a-short-hunt" else pytest.mark.slow)
     for each in BEGINNINGS],
)
def test_a_curve_begins_where_the_card_has_it(figure: Measured) -> None:
    """By play-outs from the start on seeds of the test's own, within three errors of both."""
    yardstick = offered(figure.game)
    judge = Judge(Match.new(load(figure.game, **figure.options), 5), 0, yardstick, seed=2611)
    n = GAMES * (yardstick.times if yardstick.rest else 1)
    ends = finish(judge._hoped(0, n, None, shown=True))
    error = sqrt(np.var(ends) / n + figure.value * (1 - figure.value) / figure.games)
    assert abs(float(np.mean(ends)) - figure.value) < 3 * error + NEAR


@pytest.mark.parametrize("game", [name for name in names() if offered(name).doubt is None])
def test_who_gives_hints_judges_too_and_the_page_says_who_else(game: str) -> None:
    """Of a game whose cards tell a chance to win; where ships are counted a plain captain plays out, and it is said."""
    yardstick = offered(game)
    adviser, first = page_of(game).adviser, yardstick.captains[0]
    assert str(yardstick.by) and (first == adviser or yardstick.adviser or yardstick.hints == adviser)
    players = {each.players[0] for each in told(game)}
    assert not players or players <= {adviser, yardstick.adviser or first}
    assert len(yardstick.captains) > 1 or yardstick.unit or (yardstick.rivals and yardstick.hints == adviser)


@sizes("patrols", 1, 8)
def test_uss_lox_expects_of_a_hint_what_its_curve_has_there(patrols: int) -> None:
    """L7: the same tables, exact where few cards are unseen."""
    asked = 0
    for seed in range(700, 700 + patrols):
        match, optimal = Match.new("uss-lox", seed), player("optimal", load("uss-lox"))
        hints = []
        while not match.over:
            hints.append((match.ply, optimal.decide(match.observe(), match.legal())))
            match.play(hints[-1][1].action)
        judge = Judge(match, 0, offered("uss-lox"))
        for ply, hint in hints:
            value, doubt = finish(judge.value(ply, 1))
            if hint.options[0].value is not None:
                assert value == pytest.approx(float(hint.options[0].value)) and doubt >= 0
                asked += 1
    assert asked


@sizes("moments", 6, 40)
def test_wolf_packs_hint_and_curve_share_one_chance(moments: int) -> None:
    """The hint's chance is that of its own card, the curve's that of going on from there: they agree in the mean."""
    game = load("wolf-pack", transports=3, u_boats=2)
    careful, adviser, apart = player("careful", game), player("ismcts", game, iterations=400), []
    for seed in range(800, 800 + moments):
        match, rng, asked = Match.new(game, seed, ["careful"] * 2), np.random.default_rng(seed), None
        while not match.over:
            if match.ply > 20 and asked is None and len(match.legal()) > 1:
                asked = match.ply, adviser.decide(match.observe(), match.legal(), rng)
            match.play(careful.decide(match.observe(), match.legal(), rng).action)
        if asked and asked[1].options[0].value is not None:
            ply, hint = asked
            value, _ = finish(Judge(match, match.plies[ply].by, offered("wolf-pack")).value(ply, 240))
            apart.append(float(hint.options[0].value) - value)
    assert abs(np.mean(apart)) < 0.03 + 3 * np.std(apart) / sqrt(len(apart))
