"""Games in progress on the server's disk, so that they survive the death of their kernel.

Each lies in a file of its own for the owner alone, under an unguessable token; the browser keeps the token.
The record on disk is whole, seed and hidden things included: it never leaves the server.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from pathlib import Path

from ..errors import RecordError
from ..language.say import SAY
from ..match import Match
from .atomic import write_atomic
from .record import GameRecord

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")
KEEP_SECONDS = 60 * 24 * 3600
"""How long a game lies untouched before it is cleared away (60 days)."""


def home() -> Path:
    """Where navalkit keeps its files: $NAVALKIT_HOME, $XDG_STATE_HOME/navalkit or ~/.local/state/navalkit."""
    if given := os.environ.get("NAVALKIT_HOME"):
        return Path(given)
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "navalkit"


def new_token() -> str:
    """A token nobody can guess (192 random bits)."""
    return secrets.token_urlsafe(24)


class Store:
    """A folder of games in progress."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = (folder or home()) / "games"

    def _path(self, token: str) -> Path:
        if not _TOKEN.fullmatch(token):
            raise RecordError(SAY("store.token"))
        return self.folder / f"{token}.toml"

    def save(self, token: str, match: Match) -> None:
        """Keep the match under the token: whole, or the one before stays."""
        path = self._path(token)
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            os.chmod(self.folder, 0o700)
            self._clear()
        write_atomic(path, match.record().dumps(), mode=0o600)

    def load(self, token: str) -> GameRecord:
        """The record kept under the token; RecordError if there is none or it is damaged."""
        path = self._path(token)
        if not path.is_file():
            raise RecordError(SAY("store.gone"))
        return GameRecord.load(path)

    def forget(self, token: str) -> None:
        """Drop the match kept under the token, if there is one."""
        self._path(token).unlink(missing_ok=True)

    def _clear(self) -> None:
        limit = time.time() - KEEP_SECONDS
        for path in self.folder.glob("*.toml"):
            if path.stat().st_mtime < limit:
                path.unlink(missing_ok=True)
