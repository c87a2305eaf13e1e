"""The lobby: what there is to play, to step through and to explore, as one page of plain HTML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path

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
    notebook : str
        Its page, relative to the lobby's folder.
    picture : callable
        Draws its SVG.
    game : str, optional
        Name in the registry; a game is open only when the registry has it.
    """

    title: str
    line: str
    notebook: str
    picture: Callable[[], str]
    game: str = ""

    def is_open(self, folder: Path) -> bool:
        """Whether the entry can be entered: its notebook is there and its game is built."""
        return (folder / self.notebook).is_file() and (not self.game or self.game in registry.names())


GAMES = (
    Entry("USS Lox", "Command a submarine on patrol, and see the exact chance of every shot before you fire.",
          "play_uss_lox.ipynb", art.uss_lox, "uss-lox"),
    Entry("Task Force", "Find a hidden fleet on a square sea, with a map of where it can still be.",
          "play_task_force.ipynb", art.task_force, "task-force"),
    Entry("Wolf Pack", "Convoy against U-boats with hidden hands: bluff, and read your opponent.",
          "play_wolf_pack.ipynb", art.wolf_pack, "wolf-pack"),
    Entry("Fleet Action", "Two fleets fire at the same moment: ranges, salvoes and expected damage.",
          "play_fleet_action.ipynb", art.fleet_action, "fleet-action"),
    Entry("On Patrol", "A submarine among escorts that follow written rules you can look up.",
          "play_on_patrol.ipynb", art.on_patrol, "on-patrol"),
)
TOOLS = (
    Entry("Escort stepper", "Step through an escort's decision, rule by rule, in front of a class.",
          "step_escorts.ipynb", art.escort_stepper),
    Entry("Sinking explorer", "Move a slider and watch the chance of sinking a ship change.",
          "explore_sinking.ipynb", art.sinking_explorer),
    Entry("Lessons", "Exercises that check your answer without giving theirs away.",
          "lessons/index.ipynb", art.lessons),
)


def page(folder: Path) -> str:
    """The lobby as HTML; its links are relative, so that they hold under every server and base URL.

    Parameters
    ----------
    folder : Path
        Folder of the notebooks, in which the entries are looked for.
    """

    def card(entry: Entry) -> str:
        is_open = entry.is_open(folder)
        title = escape(entry.title)
        head = f'<a href="{escape(entry.notebook)}">{title}</a>' if is_open else title
        state = "Open it" if not entry.game else "Play"
        return (
            f'<li class="nk-entry{" nk-open" if is_open else ""}">{entry.picture()}<h3>{head}</h3>'
            f'<p>{escape(entry.line)}</p><p class="nk-state">{state if is_open else "Not built yet"}</p></li>'
        )

    def section(title: str, entries: tuple[Entry, ...]) -> str:
        return f'<h2>{title}</h2><ul class="nk-entries">{"".join(map(card, entries))}</ul>'

    return f'<div class="nk-lobby">{section("Games", GAMES)}{section("Tools and lessons", TOOLS)}</div>'


def lobby(folder: str | Path = ".") -> HTML:
    """The lobby as a widget, for the notebook in `folder`."""
    return HTML(page(Path(folder)))
