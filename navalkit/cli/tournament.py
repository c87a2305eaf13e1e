"""``navalkit tournament``: the machine players of a game measured against each other, or on the same games."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from navalkit.core.errors import OptionError
from navalkit.core.registry import load, package_of
from navalkit.players import player
from navalkit.players.meeting import Meeting, Result
from navalkit.players.ratings import ratings

from .text import SAY, options


def tournament(arguments: argparse.Namespace) -> int:
    """Every pair of players, sides swapped; in a game for one, every player on the same games: who scores more wins."""
    given, n, seed, jobs = options(arguments.option), arguments.n, arguments.seed, arguments.jobs
    if n < 1 or jobs < 1 or seed < 0:
        raise OptionError(SAY("tournament.numbers"))
    game = load(arguments.game, **given)
    tuned = dict(map(_tuned, arguments.player)) or {name: {} for name in ("random", *package_of(game).bots)}
    for name, own in tuned.items():
        player(name, game, **own)  # so that a wrong name is heard of before anything is played
    meeting = Meeting(game.name, options=given, tuned=tuned)
    sides = [role for number, role in enumerate(game.players) if number not in game.automatic]
    met: dict[tuple[str, str], Result] = {}
    if len(sides) == 1:
        alone = {}
        for name in tuned:
            alone[name] = meeting.alone(name, n, seed, jobs)
            print(f"{name}: {alone[name]}", flush=True)
        met = {(one, two): alone[one].against(alone[two]) for one, two in combinations(tuned, 2)}
        return _rated(met, tuned)
    for name in tuned if arguments.even else ():
        result = meeting.even(name, n, seed, jobs)
        print(SAY("tournament.even-result", name=name, side=sides[0], result=str(result)), flush=True)
    for one, two in () if arguments.even else combinations(tuned, 2):
        both, first, second = meeting.meet(one, two, n, seed, jobs)
        met[one, two] = both
        facts = {"one": one, "two": two, "result": str(both), "first": first.share, "second": second.share}
        print(SAY("tournament.pair", side=sides[0], other=sides[1], **facts), flush=True)
    return _rated(met, tuned)


def _rated(met: Mapping[tuple[str, str], Result], tuned: Mapping[str, Any]) -> int:
    """What ratings the meetings of more than two players come to; 0."""
    for name, rating in (ratings(met) if len(tuned) > 2 and met else {}).items():
        print(SAY("tournament.rating", name=name, rating=str(rating)))
    return 0


def _tuned(text: str) -> tuple[str, dict[str, Any]]:
    """A player and its options, written ``ismcts:iterations=400,depth=2``."""
    name, _, rest = text.partition(":")
    return name, {key: _number(value) for key, value in options(rest.split(",") if rest else ()).items()}


def _number(text: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
