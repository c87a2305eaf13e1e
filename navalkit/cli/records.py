"""``navalkit card``, ``replay`` and ``explain``: what is printed of a game, and told of a saved one."""

from __future__ import annotations
import argparse
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import zip_longest
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, TypeVar

import numpy as np

from navalkit.core.awaited import Steps, part
from navalkit.core.errors import LONGEST_ECHO, OptionError, brief, cut
from navalkit.core.files import write_atomic
from navalkit.core.match import Match
from navalkit.core.record import GameRecord
from navalkit.core.registry import load
from navalkit.core.seeds import daily_seed
from navalkit.core.trace import Decision, thinking
from navalkit.core.words import Words
from navalkit.players import player
from navalkit.view.page import Look, glance_at, page_of

# -- What the commands share: a parser that fails in one line, options in, tables out --------------

SAY = Words.load("navalkit.cli")


class Parser(argparse.ArgumentParser):
    """Ends with one line on stderr and code 2 after a bad order."""

    def error(self, message: str) -> NoReturn:
        told = re.sub(rf"\S{{{LONGEST_ECHO},}}", lambda word: cut(word[0]), message)
        print(SAY("bad-order", command=self.prog, message=told), file=sys.stderr)
        raise SystemExit(2)


def options(pairs: Sequence[str]) -> Mapping[str, str]:
    """Options written NAME=VALUE; OptionError for any other text."""
    given = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise OptionError(SAY("refuse.option", pair=brief(pair)))
        given[name.strip()] = value.strip()
    return given


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns side by side; the first is left-aligned, the others right."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        first, *others = zip(row, widths, strict=True)
        cells = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        print("  ".join(cells).rstrip())


T = TypeVar("T")

LATE, LOOK = 0.5, 0.1
"""Seconds after which a bar is shown, and between two looks of it."""
_LONG = 30


def watched() -> bool:
    """Whether anybody sees a bar: a file or another program has no use for one."""
    return sys.stderr.isatty()


class Progress:
    """A bar for work of more than half a second; its line is empty again once the work is over. A `with` statement ends
    it; called with what is done and how much there is, it is one for `navalkit.sim`."""

    def __init__(self) -> None:
        self._due = time.monotonic() + LATE
        self._shown = False

    def __call__(self, done: int, total: int) -> None:
        self._show(done / total, SAY("progress.of", done=done, total=total))

    def watch(self, steps: Steps[T]) -> T:
        """The answer of work in steps; the bar stands where their shares say."""
        try:
            while True:
                share = next(steps)
                if share is not None:
                    self._show(share, SAY("progress.share", share=share))
        except StopIteration as stop:
            value: T = stop.value
            return value

    def clear(self) -> None:
        """Empty the line, for something else to be printed there."""
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._shown = False

    def _show(self, share: float, said: str) -> None:
        now = time.monotonic()
        if now < self._due or not watched():
            return
        self._due, self._shown = now + LOOK, True
        full = int(_LONG * share)
        bar = f"[{'#' * full}{'.' * (_LONG - full)}]"
        print(f"\r\033[K{bar} {SAY('progress.bar', said=said)}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.clear()


def card(arguments: argparse.Namespace) -> int:
    from navalkit.view.files import printed
    from navalkit.view.painters import svg

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
        from navalkit.view.painters import svg

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
            verdict = SAY(f"explain.{_beside(decision, ply.action)}", name=name, action=str(decision.action))
            progress.clear()
            print(f"{number}. {game.players[ply.by]}: {ply.action} ({verdict})")
            print("\n".join(f"   {line}" for line in decision.explain().splitlines()), flush=True)
    return 0


def _beside(decision: Decision[Any], played: Any) -> str:
    """How an action that was played compares with what a machine decides: the same, alike in all that it weighed, or
    another."""
    weighed = {each.action: (each.value, each.facts) for each in decision.options if each.value is not None}
    alike = played in weighed and weighed[played] == weighed.get(decision.action)
    return "same" if played == decision.action else "alike" if alike else "other"


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
        who = f"{game.players[ply.by]}: " if ply.by >= 0 and len(game.players) > 1 else ""
        yield f"{number:>4}. {who}{ply.action}"
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


def _date(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise OptionError(SAY("card.no-day", text=brief(text))) from None
