"""The process behind the light page: it plays guests' orders and says what each of them sees, without a widget.

It reads questions as lines of JSON and answers each with one line. A guest has the same controller as a page has, so
that board, orders, sentences and what may be known are the same; what leaves here is made of the guest's observation.
"""

from __future__ import annotations

import json
import logging
import sys
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from navalkit.core.awaited import Awaited, run
from navalkit.core.errors import NavalkitError, NotationError, OutOfTimeError
from navalkit.core.language.words import speaking
from navalkit.rooms import boards
from navalkit.rooms.store import RoomError, Rooms
from navalkit.rooms.table import Table
from navalkit.view.page import Order
from navalkit.view.page import Table as Figures
from navalkit.view.scene import Scene

from ..model import PHONE
from ..play.controller import Controller
from ..say import SAY

log = logging.getLogger(__name__)

MOST = 60
"""Guests whose games are kept in mind."""
_LOG = 80
"""Lines of the log that are sent."""
_SOON = 0.25
"""Seconds that odds and figures may take; without them the board comes all the same."""


class Desk:
    """The guests of all rooms."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._guests: OrderedDict[tuple[str, int], Controller] = OrderedDict()

    def guest(self, code: str, seat: int, size: Sequence[int]) -> Controller:
        """The guest in a seat, up to date, with a board of this size (width, height, px)."""
        key = code, seat
        control = self._guests.get(key)
        if control is None:
            table = Table(self._rooms, code, seat)
            control = self._guests[key] = Controller(table.match.game.name)
            control.sit_down(table)
            while len(self._guests) > MOST:
                self._guests.popitem(last=False)
        self._guests.move_to_end(key)
        control.room = float(size[0]), float(size[1])
        control.tall = size[0] < PHONE
        control.status.text, control.status.error = "", False
        control.catch_up()
        return control

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to one question of the server."""
        try:
            control = self.guest(asked["room"], asked["seat"], asked["size"])
            with speaking(control.voice):
                do = asked["do"]
                return {"status": 200, "view": act(control, do)}
        except RoomError as error:
            self._guests.pop((asked["room"], asked["seat"]), None)  # it is made anew from the file
            return {"status": error.status, "error": str(error)}
        except NavalkitError as error:
            text = str(error)
            return {"status": 400, "error": text[:1].upper() + text[1:]}
        except Exception:
            log.exception(SAY("table.failed"))
            self._guests.pop((asked["room"], asked["seat"]), None)
            return {"status": 500, "error": SAY("inside", comfort="")}


def act(control: Controller, do: dict[str, Any]) -> dict[str, Any]:
    """Do what a guest asks for, and say what they see then.

    ``do``: one of ``point`` (a cell's id), ``give`` (the notation on a button), ``type`` (a line), ``undo``, ``agree``
    (true or false), ``rules`` for the rules by id instead; {} only looks. NavalkitError for an order
    that cannot be given.
    """
    if "rules" in do:
        return {"rules": [[id, rule.text] for id, rule in control.game.rules().items()]}
    for key, value in do.items():
        if key == "agree":
            control.answer_undo(value is True)
        elif key == "undo":
            control.undo()
        elif not isinstance(value, str):
            raise NotationError(SAY("order.empty"))
        elif key == "point":
            control.point(value)
        elif key == "type":
            control.order(value)
        elif key == "give":
            given = next((order.action for order in control.orders() if order.text == value), None)
            if given is None:
                raise RoomError(SAY("order.gone"), 409)
            control.give(given)
    return view(control)


def view(control: Controller) -> dict[str, Any]:
    """All that a guest sees: made of what the guest may know."""
    glance, page, match, table = control.glance(), control.page, control.match, control.table
    assert table is not None
    rules = control.game.rules()
    over = match.over
    seen = {
        "game": control.game.title,
        "side": control.name_of_seat,
        "mine": match.turn == control.me,
        "over": over,
        "headline": control.ending() or control.headline(),
        "happened": control.happened(),
        "now": page.now(glance),
        "said": control.status.text,
        "guide": page.guide(glance),
        "example": page.example,
        "orders": [_order(order) for order in control.orders()],
        "board": board(control.scene()),
        "log": [
            [event.text, event.rule, rules[event.rule].text if event.rule in rules else ""]
            for event in control.events()[: -_LOG - 1 : -1]
        ],
        "tables": [asdict(each) for each in _tables(control) if each is not None],
        "undo": {"asks": table.asks, "me": table.me, "can": control.can_undo() and not over},
        "clock": [table.left(player) for player in range(2)] if table.minutes else None,
        "running": match.turn if table.minutes and not over else None,
        "analysis": match.analysis,
        "commitment": match.bound,
    }
    if over:
        seen["record"], seen["seed"] = match.dumps(), str(match.seed)
        if "record=" in (query := match.share()):  # a link holds no longer game
            seen["review"] = f"play.ipynb?game={control.name}&{query[1:]}&review={control.me + 1}"
    return seen


def board(scene: Scene) -> dict[str, Any]:
    """The board with its cells, those that do something when they are tapped first of all."""
    cells = [
        [cell.id, cell.alt, boards.points(cell.outline), cell.action is not None or cell.pick is not None or
         cell.window is not None]
        for cell in scene.cells
    ]  # fmt: skip
    return boards.picture(scene) | {"cells": cells}


def _order(order: Order) -> dict[str, Any]:
    return {
        "text": order.text,
        "label": order.label,
        "odds": _soon(order.odds) or "",
        "help": order.help,
        "primary": order.primary,
    }


def _tables(control: Controller) -> Iterable[Figures | None]:
    page, match = control.page, control.match
    if match.over:
        yield _soon(page.report(control.game, match, ()))
    yield _soon(page.facts(control.glance()))


def _soon(data: Any) -> Any:
    """Data that is there, or comes soon; else None."""
    if not isinstance(data, Awaited):
        return data
    try:
        return run(data, seconds=_SOON)
    except OutOfTimeError:
        return None


def main() -> None:
    """Answer until the server closes the line."""
    desk = Desk(Rooms(Path(sys.argv[1])))
    for line in sys.stdin:
        asked = json.loads(line)
        told = desk.answer(asked) | {"number": asked["number"]}
        print(json.dumps(told, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
