"""How a class is led from a second window or the teacher's phone: a page, orders for its kernel, and what it lays out.

A ticket, good once, has a key of 192 bits lead that the device has drawn; it is sent as a header with JSON, so that no
other site can send it.
Orders are written into the file; the kernel takes them. The key opens this one class: no kernel, no file, no other
room.
"""

from __future__ import annotations
from typing import Any

from jupyter_server.auth.decorator import allow_unauthenticated
from tornado.web import HTTPError

from navalkit.rooms.refused import RoomError
from navalkit.rooms.store import ORDERS, Rooms
from . import SAY
from .phones import EventsHandler, PagePart, PhoneHandler
from .watch import Seen, Watch

LEAD = "X-Navalkit-Lead"
"""The header with the ticket or the key."""
PAIR = "pair"
"""The order that has a key lead, for a ticket."""
LONGEST = 200
"""Characters of what an order is about, and of its id."""


class LeadPage(PagePart):
    """The page: the same for all rooms."""

    @allow_unauthenticated
    def get(self, code: str = "") -> None:
        super().get("lead.html")


class LeadHandler(PhoneHandler):
    """Takes an order."""

    @allow_unauthenticated
    def post(self, typed: str) -> None:
        sent, code = self.json(), self.code(typed)
        given = [sent.get(name, "") for name in ("order", "what", "id", "stand", "key")]
        if not all(isinstance(each, str) and len(each) <= LONGEST for each in given):
            raise HTTPError(400)
        order, what, id, stand, drawn = given
        if order == PAIR:
            try:
                self.finish({"key": self.phones.rooms.pair(code, self.request.headers.get(LEAD, ""), drawn)})
            except RoomError:
                self._slowed()
                raise
            return
        self._leads(code)
        if order not in ORDERS or not id:
            raise HTTPError(400)
        if not self.phones.taps.allows((code, LEAD)):
            raise HTTPError(429)
        self.finish({"id": id, "number": self.phones.rooms.order(code, id, order, what, stand)})

    def _leads(self, code: str) -> None:
        if not self.phones.rooms.leads(code, self.request.headers.get(LEAD, "")):
            self._slowed()
            raise no_leader(self.phones.rooms, code)

    def _slowed(self) -> None:
        """Who guesses is slowed down; who has the key never is."""
        if not self.phones.wrong.allows((self.request.remote_ip, LEAD)):
            raise HTTPError(429)


class LeadEvents(EventsHandler):
    """What the kernel lays out for the leader, whenever it changes."""

    @property
    def watch(self) -> Watch:
        return self.phones.desks

    def who(self, code: str) -> int:
        if not self.phones.rooms.leads(code, self.request.headers.get(LEAD, "")):
            raise no_leader(self.phones.rooms, code)
        return 0

    def tell(self, seen: Seen | None) -> None:
        """Send it to who leads: a line whose key is no longer the one is over."""
        if self.phones.rooms.leads(self._code, self.request.headers.get(LEAD, "")):
            super().tell(seen)
        else:
            self._end()


def no_leader(rooms: Rooms, code: str) -> RoomError:
    """Why a device does not lead: the class has ended, or it never did."""
    return RoomError(SAY("phone.ended"), 410) if rooms.over(code) else RoomError(SAY("phone.lead"), 403)


def leading() -> list[tuple[str, Any]]:
    """The addresses below a room's."""
    return [("/lead", LeadPage), ("/lead/order", LeadHandler), ("/lead/events", LeadEvents)]
