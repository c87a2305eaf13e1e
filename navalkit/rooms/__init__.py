"""Rooms: what lets phones, and a second player, into a page without a kernel of their own.

A room is a few rows in one SQLite file (`store`), the only link between the server and the kernels. Phones talk to the
server alone (`navalkit.serve.phones`); a kernel asks questions of a class (`classroom`) or shares a game (`table`)."""

from __future__ import annotations
from typing import NamedTuple


class Order(NamedTuple):
    """An order of a class's leader: one of `store.ORDERS`, what it is about, and where the one who gave it saw the
    class stand."""

    number: int
    word: str
    what: str
    stand: str = ""


class Move(NamedTuple):
    """Something done in a game that two devices share: "play" with its notation; "ask", "yes", "no" for an undo; of a
    game that is over "again" for another, which is agreed to by "new"."""

    number: int
    seat: int
    kind: str
    text: str
    at: float
