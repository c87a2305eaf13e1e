"""The lobby: what there is to play, to step through and to explore, as one page of plain HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from navalkit.core import registry
from navalkit.core.language.words import Words

from .drawn import lobby_art as art
from .starts import starts
from .tutorial import has_tutorial

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


_TOOLS = {
    "stepper": ("step_escorts.ipynb", art.escort_stepper),
    "explorer": ("explore_sinking.ipynb", art.sinking_explorer),
    "lessons": ("lessons/index.ipynb", art.lessons),
}


def tools() -> Iterator[Entry]:
    """A card for everything that is no game."""
    for name, (address, picture) in _TOOLS.items():
        yield Entry(SAY(f"{name}.title"), SAY(f"{name}.line"), address, picture(), SAY("open"))


def games(folder: Path) -> Iterator[Entry]:
    """A card for every game there is: those with a first game come first, and of these those with the fewest rules."""
    found = [(package, package.game) for package in map(registry.package, registry.names())]
    for package, game in sorted(found, key=lambda each: (not has_tutorial(each[0].name), len(each[1]().rules()))):
        address = package.page(folder)
        asked = f"{address}{'&' if '?' in address else '?'}"
        ways = [(SAY("first"), f"{asked}first=1")] if has_tutorial(package.name) else []
        ways += [(SAY("today"), f"{asked}day=today"), (SAY("step"), package.stepper)]
        picture, facts = package.picture, _facts(package)
        yield Entry(game.title, game.blurb, address, picture, SAY("play"), tuple(ways), package.name, facts)


def _facts(package: registry.Package) -> str:
    """How hard and how long a game is as it is offered first, and for how many."""
    players = SAY("one" if package.game().deciders == 1 else "two")
    offered = starts(package.name)
    if not offered:
        return players
    levels = "●" * offered[0].difficulty + "○" * (5 - offered[0].difficulty)
    return SAY("facts", levels=levels, minutes=offered[0].minutes, players=players)


def page(folder: Path) -> str:
    """The lobby as HTML; its links are relative, so that they hold under every server and base URL. ``folder``: folder
    of the notebooks, in which those of the games are looked for."""

    def card(entry: Entry, begin: bool) -> str:
        ways = "".join(f'<a href="{escape(address)}">{escape(said, quote=False)}</a>' for said, address in entry.ways)
        ways = f'<p class="nk-lobby-ways">{ways}</p>' if ways else ""
        facts = f'<p class="nk-lobby-facts">{escape(entry.facts)}</p>' if entry.facts else ""
        badge = f'<span class="nk-lobby-here">{SAY("here")}</span>' if begin else ""
        game = f' data-game="{escape(entry.game)}" data-continue="{SAY("continue")}"' if entry.game else ""
        return (
            f'<li class="nk-lobby-entry"{game}>{badge}{entry.picture}<h3><a href="{escape(entry.address)}">'
            f'{escape(entry.title)}</a></h3><p>{escape(entry.line)}</p>{facts}'
            f'<p class="nk-lobby-state">{entry.action}</p>{ways}</li>'
        )

    def section(title: str, entries: Iterator[Entry]) -> str:
        cards = (card(entry, begin=not number and bool(entry.game)) for number, entry in enumerate(entries))
        return f'<h2>{title}</h2><ul class="nk-lobby-entries">{"".join(cards)}</ul>'

    about = f'<p class="nk-lobby-about">{SAY("about")}</p>'
    return f'<div class="nk-lobby">{about}{section(SAY("games"), games(folder))}{section(SAY("tools"), tools())}</div>'
