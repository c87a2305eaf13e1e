"""Why a room refuses something."""

from __future__ import annotations
from pathlib import Path

from navalkit.core.errors import NavalkitError
from navalkit.core.words import Words
from .door import folder

SAY = Words.load("navalkit.rooms")


class RoomError(NavalkitError):
    """A room refuses something; ``status`` is what the server answers with."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


class RemovedError(RoomError):
    """The seat of a phone was taken away: its key opens nothing any more, and it may come in again with another."""

    def __init__(self) -> None:
        super().__init__(SAY("no.removed"), 403)


class UnwrittenError(RoomError):
    """What was to be done cannot be written down now, as on a full disk: nothing of it is done."""

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(SAY("no.written", why=why), 503)


class DamagedError(RoomError):
    """The file itself is damaged, or is none: nothing can be read of it, nor written."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(SAY("no.file", path=path, why=why), 500)


class StrangeError(RoomError):
    """A room's part of the file is not as this version of navalkit writes it: that class alone is refused."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(SAY("no.read", code=code, why=why), 500)


def damage(error: BaseException) -> DamagedError | None:
    """What is said of an error that comes of a damaged file, met anywhere; None if it comes of none."""
    import sqlite3

    if type(error) is not sqlite3.DatabaseError:  # those beneath it say that it is in use, full, and so on
        return None
    return DamagedError(folder() / "rooms.sqlite3", str(error))
