"""``navalkit card``, ``replay`` and ``explain``: what is printed of a game, and told of a saved one."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import date
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from navalkit.core.awaited import part
from navalkit.core.echo import brief
from navalkit.core.errors import OptionError
from navalkit.core.files.atomic import write_atomic
from navalkit.core.files.record import GameRecord
from navalkit.core.game import Game
from navalkit.core.luck.seeds import daily_seed
from navalkit.core.match import Match
from navalkit.core.player import thinking
from navalkit.core.plies import Ply
from navalkit.core.registry import load
from navalkit.players import player
from navalkit.view.page import Look, glance_at, page_of

from .progress import Progress
from .text import SAY, options


def card(arguments: argparse.Namespace) -> int:
    from navalkit.view.painters.printed import printed
    from navalkit.view.painters.svg import svg

    game = load(arguments.game, **options(arguments.option))
    page = page_of(game.name)
    if not page.prints_card:
        raise OptionError(SAY("card.none", game=game.title))
    seed = arguments.seed
    if arguments.day is not None:
        if seed is not None or arguments.option:
            raise OptionError(SAY("card.day-alone"))
        seed = daily_seed(game.name, _date(arguments.day))
    match = Match.new(game, seed)
    file, sheets = Path(arguments.file), page.card(game, match)
    if file.suffix == ".html":
        written = {file: printed(sheets)}
    elif file.suffix == ".svg":
        written = {file: svg(sheets[0]), file.with_stem(f"{file.stem}-solution"): svg(sheets[1])}
    else:
        raise OptionError(SAY("card.ending", file=brief(arguments.file)))
    for path, text in written.items():
        write_atomic(path, text)
    print(SAY("card.written", game=game.title, seed=match.seed, files=" + ".join(map(str, written))))
    return 0


def replay(arguments: argparse.Namespace) -> int:
    match = _loaded(arguments.file)
    if match.secret and not arguments.all:
        raise OptionError(SAY("replay.hidden"))
    last = match.ply if arguments.ply is None else arguments.ply
    if not 0 <= last <= match.ply:
        raise OptionError(SAY("replay.no-ply", last=match.ply, asked=last))
    for line in story(match, last):
        print(line)
    if arguments.svg:
        from navalkit.view.painters.svg import svg

        write_atomic(Path(arguments.svg), svg(page_of(match.game.name).scene(glance_at(match, ply=last), Look())))
    return 0


def explain(arguments: argparse.Namespace) -> int:
    match = _loaded(arguments.file)
    game = match.game
    name = arguments.player or page_of(game.name).adviser
    bot = player(name, game)
    if note := luck(match):
        print(note)
    plies = [(n, ply) for n, ply in enumerate(match.plies, 1) if ply.by >= 0 and ply.by not in game.automatic]
    with Progress() as progress:
        for done, (number, ply) in enumerate(plies):
            state = match.at(number - 1)
            rng = np.random.default_rng([match.seed, number])
            thought = thinking(bot, game.observe(state, ply.by), game.legal(state), rng)
            decision = progress.watch(part(thought, done / len(plies), (done + 1) / len(plies)))
            same = decision.action == ply.action
            verdict = SAY("explain.same") if same else SAY("explain.other", name=name, action=str(decision.action))
            progress.clear()
            print(f"{number}. {game.players[ply.by]}: {ply.action} ({verdict})")
            print("\n".join(f"   {line}" for line in decision.explain().splitlines()), flush=True)
    return 0


def _loaded(file: str) -> Match:
    """The match of a file; what takes long shows how far it has come."""
    with Progress() as progress:
        return progress.watch(Match.replaying(GameRecord.load(file)))


def story(match: Match, last: int) -> Iterator[str]:
    """A match as lines of text, up to ply ``last``: actions, events with their rule ids, comments, result."""
    game = match.game
    yield f"{game.title}, seed {match.seed}" + ("" if game == type(game)() else f", {game!r}")
    if match.commitment:
        yield SAY("replay.commitment", text=match.commitment)
    if note := luck(match):
        yield note
    for number, (ply, comment) in enumerate(
        zip_longest(match.plies[:last], [match.comments.get(i, "") for i in range(1, last + 1)]), 1
    ):
        yield f"{number:>4}. {_who(game, ply)}{ply.action}"
        yield from (f"      {event}" for event in ply.events)
        if comment:
            yield f"      ({comment})"
    outcome = match.outcome if last == match.ply else None
    if outcome:
        yield f"{outcome.result}: {outcome.text}" + (SAY("replay.analysis") if match.analysis else "")


def luck(match: Match) -> str:
    """One sentence if the luck of a match is not its seed's, else ""."""
    if match.true_to_seed:
        return ""
    return SAY("replay.luck", action=match.stray_luck)


def _who(game: Game[Any, Any], ply: Ply) -> str:
    """Who acted, where that is not plain."""
    return f"{game.players[ply.by]}: " if ply.by >= 0 and len(game.players) > 1 else ""


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise OptionError(SAY("card.no-day", text=brief(text))) from None
