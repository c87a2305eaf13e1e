"""What all pages are without their widgets: a status line, word of every change, and the one error boundary."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from navalkit.core.errors import NavalkitError
from navalkit.core.language.words import ENGLISH, Voice, speaking, voice

from .say import SAY

log = logging.getLogger(__name__)

PHONE = 640
"""Pages narrower than this, in px, get the tall board."""


@dataclass
class Status:
    """The status line: what just happened, and whether it is an error."""

    text: str = ""
    error: bool = False
    count: int = 0
    """Goes up with every message, so that a reader notices the same words said twice."""


@dataclass(kw_only=True, eq=False)
class Model:
    """What a page does."""

    changed: Callable[[], None] = lambda: None
    """Called when something else is to be seen: the page repaints."""
    status: Status = field(default_factory=Status)
    lang: str = field(default_factory=lambda: voice().lang)
    """The reader's language; a page that does not speak it speaks English."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages the page speaks, English first."""
        return SAY.languages

    @property
    def voice(self) -> Voice:
        """For whom sentences are made."""
        return Voice(self.lang if self.lang in self.languages else ENGLISH)

    @property
    def comfort(self) -> str:
        """What the reader is told after the sentence that something went wrong."""
        return SAY("comfort")

    def say(self, text: str, error: bool = False) -> None:
        """Put a message into the status line."""
        self.status.text, self.status.error = text, error
        self.repaint()

    def repaint(self) -> None:
        """Something else is to be seen: the count goes up, so that what waits for it notices."""
        self.status.count += 1
        self.changed()

    def guard(self, call: Callable[..., object]) -> Callable[..., None]:
        """``call`` made safe for a widget's callback, in its reader's language.

        What a reader did wrong becomes one sentence in the status line; what we did wrong is logged, and raised where
        $NAVALKIT_RAISE is set, as tests do.
        """

        def safe(*args: Any) -> None:
            with speaking(self.voice):
                try:
                    call(*args)
                except NavalkitError as error:
                    text = str(error)
                    self.say(text[:1].upper() + text[1:], error=True)
                except Exception:
                    log.exception("a callback of the page failed")
                    self.say(SAY("inside", comfort=self.comfort), error=True)
                    if os.environ.get("NAVALKIT_RAISE"):
                        raise

        return safe
