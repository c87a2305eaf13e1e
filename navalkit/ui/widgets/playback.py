"""Stepping by itself: a button that plays and stops, and a speed."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable

from ..say import SAY
from . import Dropdown
from .spoken import KeyButton, Spoken

SPEEDS = {"slow": 2.0, "normal": 1.0, "fast": 0.35}
"""Seconds a step."""


class SpeedChoice(Dropdown, Spoken):
    """How fast something steps by itself: its value is seconds a step."""

    def __init__(self) -> None:
        super().__init__(options=[("", seconds) for seconds in SPEEDS.values()], value=SPEEDS["normal"])
        self.add_class("nk-speed")
        self.relabel()

    def relabel(self) -> None:
        seconds: float = self.get_interact_value()
        self.options = [(SAY(f"speed.{name}"), seconds) for name, seconds in SPEEDS.items()]
        self.value, self.tooltip = seconds, SAY("speed")


class Playback(ABC):
    """What steps by itself while ``playing``, until it is at its end or is stopped."""

    def __init__(self) -> None:
        self.play, self.speed = KeyButton("play", lambda _: self.toggle()), SpeedChoice()
        self.linger = 0.0
        """Seconds that what is shown now takes to be seen: the next step waits for it."""
        self._timer: asyncio.TimerHandle | None = None

    @property
    @abstractmethod
    def at_end(self) -> bool:
        """Whether there is no further step."""

    @abstractmethod
    def step(self) -> None:
        """Go one step on."""

    def rewind(self) -> bool:
        """Go from the end to where playing begins anew; False where it does not."""
        return False

    @property
    def playing(self) -> bool:
        """Whether it steps by itself."""
        return self._timer is not None

    def toggle(self) -> None:
        """Play, or stop."""
        if self.playing:
            self.stop()
            return
        if not self.at_end or self.rewind():
            self.play.say("play.stop")
            self._schedule()

    def stop(self) -> None:
        """Step no further by itself."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.play.say("play")

    def by_hand(self, call: Callable[..., None]) -> None:
        """What a press of a reader does: it steps no further by itself."""
        self.stop()
        call()

    def tick(self) -> None:
        """One step by itself."""
        self._timer = None
        if not self.at_end:
            self.step()
        if self.at_end:
            self.stop()
        else:
            self._schedule()

    def seen(self) -> None:
        """Wait anew: what was asked for has only now come."""
        if self._timer is not None:
            self._timer.cancel()
            self._schedule()

    def _schedule(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(max(self.speed.value, self.linger), self.tick)
