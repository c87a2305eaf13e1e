"""The one error boundary of all pages."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any, Protocol

from navalkit.core.errors import NavalkitError

from .say import SAY

log = logging.getLogger(__name__)


class Say(Protocol):
    """What puts a message into a page's status line."""

    def __call__(self, text: str, error: bool = False) -> None: ...


def guarded(call: Callable[..., None], say: Say, comfort: str) -> Callable[..., None]:
    """``call`` made safe for a widget's callback.

    What a reader did wrong becomes one sentence in the status line; what we did wrong is logged, and raised where
    $NAVALKIT_RAISE is set, as tests do.

    Parameters
    ----------
    call : callable
    say : callable (text, error)
    comfort : str
        What the reader is told after the sentence that something went wrong.
    """

    def safe(*args: Any) -> None:
        try:
            call(*args)
        except NavalkitError as error:
            text = str(error)
            say(text[:1].upper() + text[1:], error=True)
        except Exception:
            log.exception("a callback of the page failed")
            say(SAY("inside", comfort=comfort), error=True)
            if os.environ.get("NAVALKIT_RAISE"):
                raise

    return safe
