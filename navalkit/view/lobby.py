"""The lobby: what there is to play, to step through and to explore, as one page of plain HTML."""

from __future__ import annotations
import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import import_module, resources
from itertools import takewhile
from math import exp
from pathlib import Path
from typing import Any

from navalkit.core import registry
from navalkit.core.errors import DataError, OptionError
from navalkit.core.files import read
from navalkit.core.match import Match
from navalkit.core.registry import load, package
from navalkit.core.shown import Markup, html, many
from navalkit.core.words import ENGLISH, SAY as CORE, Text, Words, voice
from .art import path, svg

# -- The ways to begin a game, as a newcomer chooses among them: each a card that says what it is and whom it suits
# They stand in ``starts.toml`` beside a game, the one to begin with first:
#
#     [[start]]
#     title = "Lone merchant"
#     about = "A tanker without escort, and a boat off her bow."
#     forces = "1 boat against 1 ship"
#     difficulty = 1                   # to 5
#     minutes = 10
#     suits = "a first hunt"
#     options = { scenario = "lone-merchant" }
#     opens = true                     # a page that is asked for nothing else begins with it
#     promised = true                  # the first game promises it at its end: it comes next
#     de = { title = "..." }           # what another language says otherwise, by its name
#
# A line above them, ``last = true``, puts the game at the end of the lobby.

_FILE = "starts.toml"


@dataclass(frozen=True, slots=True)
class Start:
    """A way to begin."""

    title: str
    about: str
    forces: str
    difficulty: int
    """1 (easy) to 5."""
    minutes: int
    """How long a game takes."""
    suits: str
    options: Mapping[str, Any] = field(default_factory=dict)
    """Of the game; those left out are its defaults."""
    opens: bool = False
    """Whether a page that is asked for nothing else begins with it: a game whose usual scenario is not for learning."""
    promised: bool = False
    """Whether it is what the first game promises at its end."""
    tongues: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """What is said in another language ("de"), by the names of these fields."""

    def said(self, name: str) -> str:
        """One of its texts, for the present reader."""
        plain = {"title": self.title, "about": self.about, "forces": self.forces, "suits": self.suits}
        return self.tongues.get(voice().lang, {}).get(name, plain[name])


@dataclass(frozen=True, slots=True)
class Stocked:
    """One thing of a `Stock`: a ship."""

    name: str
    """As an option names it."""
    group: str
    """Under which heading it stands ("cruiser")."""
    about: str
    """What is said beside its name ("York class")."""
    cells: tuple[str, ...]
    """What is told of it, a cell each."""
    worth: int
    """What it counts in the sum of those chosen."""


@dataclass(frozen=True, slots=True)
class Stock:
    """What options that name several things, with commas between, are put together from; a package's ``STOCK``."""

    fields: tuple[str, ...]
    """Those options ("blue", "red")."""
    needs: Mapping[str, Any]
    """The options under which they count."""
    head: Text
    """Over the names and over each of the cells, with "|" between."""
    things: Callable[[], tuple[Stocked, ...]]
    """For the present reader."""


def starts(name: str) -> tuple[Start, ...]:
    """Those of a game, by the game's name ("uss-lox"); () where it tells none."""
    return _load_starts(package(name).module)


def _read_starts(module: str) -> Mapping[str, Any]:
    found = import_module(module)
    if "__path__" not in vars(found) or not (resources.files(module) / _FILE).is_file():
        return {}
    return read(module, _FILE)


@cache
def _load_starts(module: str) -> tuple[Start, ...]:
    known = {each.name for each in fields(Start)}
    return tuple(
        Start(**{name: row[name] for name in row if name in known},
              tongues={name: dict(row[name]) for name in row if name not in known})
        for row in _read_starts(module).get("start", ())
    )


# -- A first game: a few minutes with a scripted seed, one idea a step, and success certain --------
# It stands in ``first.toml`` beside a game: seed, options, seats, how the game is won, and the steps, each a sentence
# and the order that it asks for (the last has none). ``first.de.toml`` has the sentences in German. A test replays
# every one. A chapter's has a title, and as ``next`` that of the start it promises.

@dataclass(frozen=True, slots=True)
class Step:
    """One idea: what it says, by language, and the order that it asks for, in notation; "" to be read alone."""

    say: Mapping[str, str]
    order: str = ""
    cards: tuple[str, ...] = ()
    """Of an example in a primer: what it shows ("8D")."""

    @property
    def text(self) -> str:
        """What it says to the present reader."""
        return self.say.get(voice().lang, self.say[ENGLISH])


@dataclass(frozen=True, slots=True)
class Tutorial:
    """The first game of a game."""

    seed: int
    options: Mapping[str, Any]
    """Of the game."""
    seats: tuple[str, ...]
    """As a page has them: "" is a person."""
    steps: tuple[Step, ...]
    """In order."""
    win: Mapping[str, tuple[str, ...]]
    """By language how the game is won, in a few lines."""
    primer: tuple[Step, ...] = ()
    """What has to be known besides, one thing an example."""
    title: Mapping[str, str] = field(default_factory=dict)
    """By language what a chapter's first game is called."""
    next: str = ""
    """The title of the `Start` that a chapter's first game promises at its end."""

    @property
    def called(self) -> str:
        """What a chapter's first game is called, for the present reader."""
        return self.title.get(voice().lang, self.title[ENGLISH])

    @property
    def how_to_win(self) -> tuple[str, ...]:
        """How the game is won, said to the present reader."""
        return self.win.get(voice().lang, self.win[ENGLISH])

    def leads(self, match: Match, me: int) -> bool:
        """Whether a match is this first game, and was followed as far as it was played."""
        game = match.game
        if match.seed != self.seed or game != load(game.name, **self.options):
            return False
        own = (ply.action for ply in match.plies if ply.by == me)
        return all(not step.order or action == game.parse_action(step.order)
                   for action, step in zip(own, self.steps, strict=False))


def tutorial(name: str, chapter: str = "") -> Tutorial:
    """The first game of a game, by the game's name ("uss-lox"), or of one of its chapters; OptionError if it has none;
    DataError if a language has not as many steps as English."""
    module = package(name).module
    if not has_tutorial(name) or chapter not in ("", *chapters(name)):
        raise OptionError(CORE("first.none", name=name))
    return _load_tutorial(module, chapter)


def chapters(name: str) -> tuple[str, ...]:
    """The chapters of a game that have a first game of their own: "boats" where there is a file first_boats.toml."""
    if not has_tutorial(name):
        return ()
    files = (file.name for file in resources.files(import_module(package(name).module)).iterdir())
    return tuple(sorted(file[6:-5] for file in files if file.startswith("first_") and file.count(".") == 1))


def suggested(match: Match, me: int) -> frozenset[int]:
    """The plies of a match at which a player gave the order that the game's first game asks for: as far as it is that
    game, and was followed."""
    name = match.game.name
    every = [tutorial(name, chapter) for chapter in ("", *chapters(name))] if has_tutorial(name) else []
    played = (each for each in every if match.seed == each.seed and match.game == load(name, **each.options))
    if (first := next(played, None)) is None:
        return frozenset()
    orders = (step.order for step in first.steps if step.order)
    own = (number for number, ply in enumerate(match.plies) if ply.by == me)
    same = takewhile(lambda pair: match.plies[pair[0]].action == match.game.parse_action(pair[1]),
                     zip(own, orders, strict=False))
    return frozenset(ply for ply, _ in same)


def has_tutorial(name: str) -> bool:
    """Whether a game has a first game; one that is a single module has none."""
    module = import_module(package(name).module)
    return "__path__" in vars(module) and (resources.files(module) / "first.toml").is_file()


@cache
def _load_tutorial(module: str, chapter: str) -> Tutorial:
    tables = {}
    for file in resources.files(module).iterdir():
        first, _, rest = file.name.partition(".")
        if first == "_".join(filter(None, ("first", chapter))) and rest.endswith("toml"):
            tables[rest.removesuffix("toml").strip(".") or ENGLISH] = tomllib.loads(file.read_text(encoding="utf-8"))
    plain = tables[ENGLISH]
    if any(len(table["step"]) != len(plain["step"]) for table in tables.values()):
        raise DataError(CORE("first.steps", module=module))
    steps = tuple(Step({lang: table["step"][n]["say"] for lang, table in tables.items()}, row.get("order", ""))
                  for n, row in enumerate(plain["step"]))
    win = {lang: tuple(table["win"]) for lang, table in tables.items()}
    primer = tuple(Step({lang: table["primer"][n]["say"] for lang, table in tables.items()}, cards=tuple(row["cards"]))
                   for n, row in enumerate(plain.get("primer", ())))
    title = {lang: table.get("title", "") for lang, table in tables.items()}
    return Tutorial(plain["seed"], plain.get("options", {}), tuple(plain.get("seats", ())), steps, win, primer, title,
                    plain.get("next", ""))


# -- The lobby's pictures of its tools; a game's own is in its package -----------------------------

def escort_stepper() -> str:
    """A question, its answers, and the path that was taken."""
    def box(x: int, y: int, text: str, taken: bool) -> str:
        edge = 'class="nk-art-evidence"' if taken else 'class="nk-art-line"'
        return (
            f'<rect {edge} x="{x - 34}" y="{y - 14}" width="68" height="28" rx="7"/>'
            f'<text class="nk-art-text" x="{x}" y="{y + 5}">{text}</text>'
        )

    return svg('<path class="nk-art-line" d="M124 44 80 84"/><path class="nk-art-evidence" d="M156 44l44 40"/>',
               box(140, 30, "contact?", True), box(66, 98, "search", False), box(214, 98, "attack", True))


def sinking_explorer() -> str:
    """Bars of the chance of sinking for 0 to 5 torpedoes, over a slider."""
    heights = (6, 26, 48, 64, 74, 80)
    colours = ("#56b4e9", "#56b4e9", "#56b4e9", "#e69f00", "#56b4e9", "#56b4e9")
    bars = "".join(f'<rect x="{52 + 32 * i}" y="{98 - height}" width="20" height="{height}" fill="{colour}"/>'
                   for i, (height, colour) in enumerate(zip(heights, colours, strict=True)))
    return svg(bars, '<path class="nk-art-line" d="M40 98h204M40 122h204"/>',
               '<circle class="nk-art-hull" cx="158" cy="122" r="8"/>')


def workshop() -> str:
    """Squares with a coast, and a ship that is being put among them."""
    lines = "".join(f'<path class="nk-art-line" d="M{70 + 28 * n} 20v112M56 {20 + 28 * n}h168"/>' for n in range(5))
    coast = '<path class="nk-art-hull" d="M56 132v-52l26 4 18 20 30 6 4 22z"/>'
    ship = '<path fill="#0072b2" d="M132 62h38l16 10-16 10h-38z"/>'
    return svg(lines, coast, ship, '<rect class="nk-art-evidence" x="126" y="48" width="66" height="48"/>')


def lessons() -> str:
    """A page with a curve, a line to fill in and a tick."""
    bell = [(86 + x, 88 - 46 * exp(-(((x - 40) / 17) ** 2))) for x in range(0, 81, 4)]
    tail = [point for point in bell if point[0] >= 126]
    area = path([(126, 88), *tail, (166, 88)], "", closed=True, attributes='fill="#56b4e9"')
    return svg('<rect class="nk-art-hull" x="68" y="12" width="144" height="140" rx="6"/>', area,
               path(bell, "nk-art-line"), '<path class="nk-art-line" d="M86 88h80M86 112h64"/>',
               '<path fill="none" stroke="#009e73" stroke-width="6" d="M172 108l9 9 17-21"/>')


SAY = Words.load("navalkit.view", "lobby.toml")


@dataclass(frozen=True, slots=True)
class Entry:
    """One card of the lobby."""

    title: str
    line: str
    """Name, and what it is in one sentence."""
    address: str
    """Its page, relative to the lobby's folder."""
    picture: str
    """An SVG."""
    action: str
    """What the card invites to."""
    ways: tuple[tuple[str, str], ...] = ()
    """What else it leads to, each with its address: its first game, today's."""
    game: str = ""
    """Its name where it is a game: the browser knows whether one of it is under way."""
    facts: str = ""
    """How hard and how long it is, and for how many."""
    invite: str = ""
    """Where somebody is invited to play against one; "" where nobody can be."""


EXPLORER = "explore_sinking"
"""The page of the explorer, by its name."""
WORKSHOP = "edit"
"""The page on which scenarios are made, by its name."""
_TOOLS = {
    "stepper": ("step_escorts", escort_stepper),
    "explorer": (EXPLORER, sinking_explorer),
    "workshop": (WORKSHOP, workshop),
    "lessons": ("lessons/index", lessons),
}


def tools(lessons: str | None = None) -> Iterator[Entry]:
    """A card for everything that is no game. ``lessons``: their address if it is not that of our server, "" where there
    are none."""
    for name, (page, picture) in _TOOLS.items():
        address = registry.page_url(page) if name != "lessons" or lessons is None else lessons
        if address:
            facts = SAY("lessons.once") if name == "lessons" and lessons else ""
            yield Entry(SAY(f"{name}.title"), SAY(f"{name}.line"), address, picture(), SAY("open"), facts=facts)


def games(folder: Path) -> Iterator[Entry]:
    """A card for every game there is: those with a first game come first, and of these those with the fewest rules; a
    game that asks for it comes last of all."""

    def place(offered: registry.Package) -> tuple[bool, bool, int]:
        last = _read_starts(offered.module).get("last", False)
        return last, not has_tutorial(offered.name), len(offered.game().rules())

    for offered in sorted(map(registry.package, registry.names()), key=place):
        game = offered.game
        address = offered.page(folder)
        asked = f"{address}{'&' if '?' in address else '?'}"
        ways = [(SAY("first"), f"{asked}first=1")] if has_tutorial(offered.name) else []
        ways += [(tutorial(offered.name, each).called, f"{asked}first={each}") for each in chapters(offered.name)]
        ways += [(SAY("today"), f"{asked}day=today"), (SAY("step"), offered.stepper)]
        picture, facts = offered.picture, _facts(offered)
        invite = f"{asked}friend=1" if offered.game().deciders == 2 else ""
        yield Entry(game.title, str(game.blurb), address, picture, SAY("play"), tuple(ways), offered.name, facts,
                    invite)


def _facts(package: registry.Package) -> str:
    """How hard and how long a game is as it is offered first, and for how many."""
    players = SAY("one" if package.game().deciders == 1 else "two")
    offered = starts(package.name)
    if not offered:
        return players
    levels = "●" * offered[0].difficulty + "○" * (5 - offered[0].difficulty)
    return SAY("facts", levels=levels, minutes=offered[0].minutes, players=players)


ROOM = "../../room/"
"""The page that asks for a room's code, from the lobby's on our own server."""


def page(folder: Path, *, alone: bool = False, lessons: str = "") -> Markup:
    """The lobby as HTML; its links are relative, so that they hold under every server and base URL. ``folder``: folder
    of the notebooks, in which those of the games are looked for. What the reader has played is known to the browser
    alone: lobby.js puts it in its places, in the words that are sent with them. ``alone``: whether there is
    no server: then friends are not offered, and lessons at the address given, if any."""

    def card(entry: Entry, begin: bool) -> Markup:
        ways = html('<p class="nk-lobby-ways">{}</p>', many('<a href="{1}">{0}</a>', entry.ways))
        facts = html('<p class="nk-lobby-facts">{}</p>', entry.facts)
        badge = html('<span class="nk-lobby-here">{}</span>', SAY("here")) if begin else ""
        game, day = html(""), html("")
        if entry.game:
            game = html(' data-game="{}" data-continue="{}"', entry.game, SAY("continue"))
            day = html('<p class="nk-lobby-day" hidden></p>')
        form = (
            '<li class="nk-lobby-entry"{}>{}{}<h3><a href="{}">{}</a></h3><p>{}</p>{}{}'
            '<p class="nk-lobby-state">{}</p>{}</li>'
        )
        return html(form, game, badge, Markup(entry.picture), entry.address, entry.title, entry.line, facts, day,
                    entry.action, ways)

    def section(title: str, entries: Iterable[Entry]) -> Markup:
        cards = (card(entry, begin=not number and bool(entry.game)) for number, entry in enumerate(entries))
        return html('<h2>{}</h2><ul class="nk-lobby-entries">{}</ul>', title, many("{}", cards))

    offered = list(games(folder))
    sections = section(SAY("games"), offered) + section(SAY("tools"), tools(lessons if alone else None))
    friend = "" if alone else _friend(offered)
    words = {key.removeprefix("script."): SAY.tables[voice().lang][key] for key in SAY.tables[voice().lang]
             if key.startswith("script.")}
    form = '<div class="nk-lobby" lang="{}" data-words="{}"><div class="nk-lobby-top">{}{}{}</div>{}</div>'
    return html(form, voice().lang, json.dumps(words), _today(len(offered)), _under_way(), friend, _own() + sections)


def _today(games: int) -> Markup:
    form = ('<section class="nk-lobby-part nk-lobby-today"><h2>{}</h2><ol class="nk-lobby-week"></ol>'
            '<p><a class="nk-lobby-next" hidden></a></p></section>')
    return html(form, SAY("done.none", n=games))


def _under_way() -> Markup:
    form = ('<section class="nk-lobby-part nk-lobby-carry" hidden><h2>{}</h2><p></p><p><a class="nk-lobby-button">{}'
            '</a></p></section>')
    return html(form, SAY("carry.title"), SAY("carry.on"))


def _own() -> Markup:
    """The reader's own scenarios, which the browser knows."""
    form = '<section class="nk-lobby-own" data-edit="{}" hidden><h2>{}</h2><ul></ul><p>{}</p></section>'
    return html(form, registry.page_url(WORKSHOP), SAY("own.title"), SAY("own.about"))


def _friend(offered: Iterable[Entry]) -> Markup:
    """How a friend is asked, or found by a code."""
    invited = [(entry.invite, SAY("friend.invite", game=entry.title)) for entry in offered if entry.invite]
    form = ('<section class="nk-lobby-part nk-lobby-friend"><h2>{}</h2><p>{}</p><p class="nk-lobby-keys">{}'
            '<a class="nk-lobby-button" data-nk-room href="{}">{}</a></p></section>')
    keys = many('<a class="nk-lobby-button" href="{}">{}</a>', invited)
    return html(form, SAY("friend.title"), SAY("friend.about"), keys, ROOM, SAY("friend.code"))
