"""What a game's page says, as data: orders with their odds, charts, tables. Widgets show it; they know no game.

Each game has a module ``page.py`` with these functions (``seen`` is what ``game.observe`` gave):

``scene(game, seen, tall, odds) -> Scene`` (``odds``: the orders a click may give, with their odds),
``now(game, seen) -> str``, ``orders(game, seen, legal) -> tuple of Order``,
``charts(game, seen) -> tuple of Chart``, ``guide(game, seen) -> str``, ``facts(game, seen) -> Table | None``,
and for the end
``report(game, match, others) -> Table | None`` and ``compare(game, name, mine, other) -> Table | None``.

These a page may have besides:

``complete(game, seen, text) -> str``, which makes a typed order whole that leaves something open;
``goes_on(game, before, after, notes) -> bool``, whether a drag over the board may go on after the order that led from
one observation to the next (a board is dragged over only where the page has this);
``split(text) -> tuple of str``, the orders of a typed line, and ``due(game, given, seen, text) -> bool | None``,
whether one of them, typed when ``given`` was seen, is to be given now, later (False) or never (None);
``happened(events) -> str``, in few words what the events since the player's last action brought, where their own
sentences would be too many;
``daily(day) -> int``, the seed of the map that everybody plays on that day, under the usual options;
``card(game, match) -> tuple of Scene``, the sheets to print of a match: one to play on, then its solution; and
``sheets(game, seen) -> tuple of Scene``, sheets to print of how the game stands.

``players(game) -> tuple of str``, the players by the names that the page gives them, in the order of the game's;
``film(game, moments, tall, last) -> sequence of Scene``, the pictures that are played before the scene ``last``:
``moments`` are, for each action since the player was last shown the board, what was seen before it and the events it
brought (`navalkit.ui.film` plays them, and any press skips them).

A page with a board too large to show at once has ``camera(game, seen, held, move, tall) -> Any``: the window after a
click on the cell "view:" + ``move``, ``held`` being the one before (None the usual one); its ``scene`` takes it as
``view``.

A page with notes of the player's own on its board says ``NOTES = True``; then ``scene`` takes ``notes``, the ids of the
cells switched on, all of which begin with "note:". With ``HOVERS = True`` it takes ``hover``, the id of the cell under
the pointer or "", and with ``REASONS = True`` it takes ``reasons``, the `Decision` of the hint, or after the end of the
machine player whose move is looked at, or None. ``UNIT`` is what a score counts ("ships"; tons, if left out).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Order:
    """One legal action as a button.

    Parameters
    ----------
    text : str
        Its notation.
    label : str
        What the button says.
    odds : str
        The exact odds, written under the label ("72 %"), or "".
    help : str
        A sentence for the tooltip.
    group : str
        Orders of one group stand together ("fire", "flip"). Those of the group "board" have no button: they are
        given on the board, or typed.
    """

    text: str
    label: str
    odds: str = ""
    help: str = ""
    group: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars over a few categories.

    Parameters
    ----------
    key : str
        Names the chart ("sink").
    title, x_label, y_label : str
        What stands on it, units included.
    x : tuple of str
        The categories; without any, title and note stand alone.
    y : tuple of float
        A value each.
    labels : tuple of str
        What is written over each bar.
    percent : bool
        Whether y is a probability, drawn from 0 to 100 %.
    note : str
        The assumptions, in one sentence.
    """

    key: str
    title: str
    x_label: str
    y_label: str
    x: tuple[str, ...]
    y: tuple[float, ...]
    labels: tuple[str, ...]
    percent: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A small table with a title; ``rows`` hold as many cells as ``head``."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
