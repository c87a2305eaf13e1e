"""What can be stepped through: a hunt played by a machine captain, a saved game, or a ready-made position."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import NamedTuple
from urllib.parse import parse_qs

import numpy as np

from navalkit.core.awaited import Steps, finish
from navalkit.core.errors import OptionError, RecordError
from navalkit.core.files.record import GameRecord
from navalkit.core.match import Match
from navalkit.games.on_patrol import OnPatrol
from navalkit.games.on_patrol.board.moments import Moment, moments, unfolded
from navalkit.games.on_patrol.escort import positions as ready_made
from navalkit.games.on_patrol.sea.scenario import names, scenario
from navalkit.players import player

from .. import files
from .say import STEP

FIRST = ("night-convoy", 2)
"""What the page opens with: scenario and seed."""
CAPTAIN = "skipper"
"""The machine player that commands the boats."""
KEPT = 8
"""Hunts that are kept: the same one is asked for again and again."""
_hunts: dict[tuple[str, int], Show] = {}


class Kind(StrEnum):
    """What there is to step through."""

    SCENARIO = "scenario"
    POSITION = "position"
    TOUR = "tour"
    FILE = "file"


class Item(NamedTuple):
    """An entry of the chooser: a ready-made thing by its name, or a file, which has none."""

    kind: Kind
    name: str = ""

    @property
    def file(self) -> str:
        """What the files saved from it are called."""
        return f"{self.kind}-{self.name}" if self.name else str(self.kind)


@dataclass(frozen=True, eq=False)
class Show:
    """Something to step through."""

    item: Item
    """Its entry of the chooser."""
    title: str
    about: str
    game: OnPatrol
    """Under whose rules it stands."""
    row: tuple[Moment, ...]
    match: Match | None = None
    """The whole hunt; None for a position."""
    query: str = ""
    """The link to it, without a step."""


def asks(query: str) -> bool:
    """Whether a query string asks for something to step through."""
    return bool(parse_qs(query.lstrip("?")).keys() & {"record", "position", "scenario"})


def eyes(query: str) -> str:
    """For whose eyes a query string asks: "class", "me", or ""."""
    found = parse_qs(query.lstrip("?")).get("view", [""])[-1]
    return found if found in ("class", "me") else ""


class Asked(NamedTuple):
    """What an address asks for: something to show, a step, what to step by, and how many lines are told."""

    show: Show
    step: int
    unit: str
    told: int


def from_query(query: str) -> Steps[Asked | None]:
    """What a query string asks for; None if for nothing. OptionError, DataError, RecordError if there is no such
    scenario or position, or a figure or the record is wrong."""
    asked, step = files.asked(query)
    if not asks(query):
        return None
    if "record" in asked:
        show = saved((yield from Match.replaying(GameRecord.from_link_text(asked["record"]))))
    elif "position" in asked:
        show = position(asked["position"])
    else:
        show = yield from hunting(asked["scenario"], _number(asked.get("seed", str(FIRST[1])), "seed"))
    return Asked(show, step or 0, asked.get("by", ""), _number(asked.get("line", "0"), "line"))


def _number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise OptionError(STEP("unknown.number", what=what, text=repr(text[:40])))
    return int(text)


def from_file(data: bytes) -> Steps[Show]:
    """A saved game, or a scenario of one's own played to its end; RecordError, OptionError if it is neither."""
    if re.search(rb"^\s*\[\[boat\]\]", data, re.MULTILINE):  # a saved game has it within a line: its own scenario
        return (yield from _own(data.decode("utf-8", "replace"), FIRST[1]))
    return saved((yield from Match.replaying(GameRecord.loads(data))))


@cache
def choices() -> tuple[tuple[str, Item], ...]:
    """What the chooser offers: (label, entry), hunts first."""
    hunts = [(STEP("show.hunt", title=scenario(name).title), Item(Kind.SCENARIO, name)) for name in names()]
    made = [(STEP("show.position", title=p.title), Item(Kind.POSITION, p.id)) for p in ready_made.positions().values()]
    return (*hunts, *made)


def hunt(name: str, seed: int) -> Show:
    """A scenario played to its end by the machine captain; the same seed gives the same hunt. OptionError if there is
    no such scenario, or the seed is out of range."""
    return finish(hunting(name, seed))


def hunting(name: str, seed: int) -> Steps[Show]:
    """As `hunt`, in steps."""
    if (name, seed) not in _hunts:
        show = yield from _hunted(name, seed)
        while len(_hunts) >= KEPT:
            del _hunts[next(iter(_hunts))]
        _hunts[name, seed] = show
    return _hunts[name, seed]


def _hunted(name: str, seed: int) -> Steps[Show]:
    game = OnPatrol(scenario=name)
    match = yield from _played(game, seed)
    made = game.scenario
    query = f"?scenario={name}&seed={seed}"
    return Show(Item(Kind.SCENARIO, name), made.title, made.about, game, _at_sea(match), match, query=query)


def _own(text: str, seed: int) -> Steps[Show]:
    """A scenario of one's own, from its TOML text, played to its end; OptionError if the text is no scenario."""
    game = OnPatrol(scenario=text)
    match = yield from _played(game, seed)
    made = game.scenario
    return Show(Item(Kind.FILE), made.title, made.about, game, _at_sea(match), match, query=match.share())


def _played(game: OnPatrol, seed: int) -> Steps[Match]:
    match, captain, rng = Match.new(game, seed), player(CAPTAIN, game), np.random.default_rng(seed)
    while not match.over:
        match.play(captain.decide(match.observe(), match.legal(), rng).action)
        yield match.state.turn / (game.scenario.turns + 1)
    return match


def _at_sea(match: Match) -> tuple[Moment, ...]:
    """The moments of a match from the first on at which its ships are at sea: twelve have their formation to roll."""
    return tuple(moment for moment in moments(match) if moment.state.vessels)


def saved(match: Match) -> Show:
    """A game from a file or a link; RecordError if it is a game of something else."""
    game = match.game
    if not isinstance(game, OnPatrol):
        raise RecordError(STEP("open.foreign", game=game.name, own=OnPatrol.name))
    made = game.scenario
    n = match.stray_luck
    title = STEP("show.saved", title=made.title) if n is None else STEP("show.luck", title=made.title, n=n)
    return Show(Item(Kind.FILE), title, made.about, game, _at_sea(match), match, query=match.share())


def position(name: str) -> Show:
    """A ready-made position, and what the escorts do in it; DataError if there is none."""
    made = ready_made.find(name)
    game = OnPatrol(package=made.state.package)
    row = unfolded(game, made.state)
    about = STEP("show.rule", about=made.about, rule=made.rule)
    query = f"?position={made.id}"
    return Show(Item(Kind.POSITION, made.id), made.title, about, game, row, query=query)
