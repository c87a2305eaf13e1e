"""The game of the day: whose day a seed is of, and how a day is written."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

from navalkit.core.errors import OptionError
from navalkit.core.luck.seeds import daily_seed

from ..say import SAY

DAYS = 366
"""How many past daily games are recognised."""


def today() -> date:
    """The day by UTC, so that it is the same day for everybody."""
    return datetime.now(UTC).date()


def spell(day: date) -> str:
    """A day as "21 November 2026"."""
    return SAY("day", day=day.day, month=SAY(f"month.{day.month}"), year=day.year)


@lru_cache(maxsize=16)
def day_of(game: str, seed: int, now: date) -> date | None:
    """The day within the last year whose seed this is, of a game by its name; None if it is no day's."""
    days = (now - timedelta(days=n) for n in range(DAYS))
    return next((day for day in days if daily_seed(game, day) == seed), None)


class Streak:
    """The daily games of one kind that the reader has ended on their own day, in order: kept in the browser."""

    def __init__(self) -> None:
        self.days: list[date] = []

    def loads(self, text: str | None) -> None:
        """Take what the browser kept; what is damaged is dropped."""
        try:
            self.days = sorted({date.fromisoformat(day) for day in (text or "").split()})[-DAYS:]
        except ValueError:
            self.days = []

    def dumps(self) -> str:
        """What the browser is to keep."""
        return " ".join(day.isoformat() for day in self.days)

    def note(self, day: date, now: date) -> bool:
        """Put a day's game among them, if it is today's; whether it is new there."""
        if day != now or day in self.days:
            return False
        self.days = [*self.days, day][-DAYS:]
        return True

    def length(self, now: date) -> int:
        """Days in a row, up to today; a game of today that is still to come breaks nothing."""
        last = now if now in self.days else now - timedelta(days=1)
        return next(n for n in range(len(self.days) + 1) if last - timedelta(days=n) not in self.days)


def read_day(text: str) -> date | None:
    """A day from a link, None for "today"; OptionError if it is none."""
    if text == "today":
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise OptionError(SAY("day.bad", day=repr(text[:20]))) from None
