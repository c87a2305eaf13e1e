"""The lobby: what there is to play, to step through and to explore, as one page of plain HTML."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from ipywidgets import HTML

from navalkit.core import registry

from . import lobby_art as art


@dataclass(frozen=True, slots=True)
class Entry:
    """One card of the lobby.

    Parameters
    ----------
    title, line : str
        Name, and what it is in one sentence.
    address : str
        Its page, relative to the lobby's folder.
    picture : str
        An SVG.
    action : str
        What the card invites to.
    """

    title: str
    line: str
    address: str
    picture: str
    action: str = "Open it"


TOOLS = (
    Entry("Escort stepper", "Step through an escort's decision, rule by rule, in front of a class.",
          "step_escorts.ipynb", art.escort_stepper()),
    Entry("Sinking explorer", "Move a slider and watch the chance of sinking a ship change.",
          "explore_sinking.ipynb", art.sinking_explorer()),
    Entry("Lessons", "Exercises that check your answer without giving theirs away.",
          "lessons/index.ipynb", art.lessons()),
)  # fmt: skip


def games(folder: Path) -> Iterator[Entry]:
    """A card for every game there is, those with the fewest rules first."""
    found = [(package, package.game) for package in map(registry.package, registry.names())]
    for package, game in sorted(found, key=lambda each: len(each[1]().rules())):
        yield Entry(game.title, game.blurb, address(package.name, folder), package.picture, "Play")


def address(game: str, folder: Path) -> str:
    """The page of a game, relative to the folder of notebooks: its own, or the one that plays any game."""
    own = f"play_{game.replace('-', '_')}.ipynb"
    return own if (folder / own).is_file() else "play.ipynb?" + urlencode({"game": game})


def page(folder: Path) -> str:
    """The lobby as HTML; its links are relative, so that they hold under every server and base URL.

    Parameters
    ----------
    folder : Path
        Folder of the notebooks, in which those of the games are looked for.
    """

    def card(entry: Entry) -> str:
        return (
            f'<li class="nk-entry">{entry.picture}<h3><a href="{escape(entry.address)}">{escape(entry.title)}'
            f'</a></h3><p>{escape(entry.line)}</p><p class="nk-state">{entry.action}</p></li>'
        )

    def section(title: str, entries: Iterator[Entry]) -> str:
        return f'<h2>{title}</h2><ul class="nk-entries">{"".join(map(card, entries))}</ul>'

    return f'<div class="nk-lobby">{section("Games", games(folder))}{section("Tools and lessons", iter(TOOLS))}</div>'


def lobby(folder: str | Path = ".") -> HTML:
    """The lobby as a widget, for the notebook in `folder`."""
    return HTML(page(Path(folder)))
