"""Plays a few scenes one after the other, so that what happened is seen to happen; the kernel stays free meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from navalkit.view.scene import Scene

PAUSE = 0.2
"""Seconds that each scene stands."""


class Film:
    """Scenes on their way to a last one, which stays.

    Parameters
    ----------
    show : callable
        Called with each scene.

    Attributes
    ----------
    calm : bool
        Whether the last scene is shown at once: for browsers that ask for reduced motion.
    """

    def __init__(self, show: Callable[[Scene], None]) -> None:
        self._show = show
        self.calm = False
        self._last: Scene | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        """Whether there is something to skip."""
        return self._task is not None

    def play(self, frames: Sequence[Scene], last: Scene) -> None:
        """Show the frames in turn, and then the last scene; without an event loop that alone."""
        self._stop()
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            frames = ()
        if self.calm or not frames:
            self._show(last)
            return
        self._last = last
        self._show(frames[0])
        self._task = loop.create_task(self._go(frames[1:], last))

    def skip(self) -> bool:
        """Show the last scene now; whether there was anything to skip."""
        if self._task is None or self._last is None:
            return False
        self._stop()
        self._show(self._last)
        return True

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _go(self, frames: Sequence[Scene], last: Scene) -> None:
        for scene in (*frames, last):
            await asyncio.sleep(PAUSE)
            if scene is last:
                self._task = None
            self._show(scene)
