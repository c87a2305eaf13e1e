"""How often each clause was asked for: the referees count what they decide, by the rule that decides it."""

from __future__ import annotations
from collections import Counter
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

Decides = TypeVar("Decides", bound=Callable)  # type: ignore[type-arg]

EXERCISED: Counter[str] = Counter()
"""Rule -> how often a referee has decided something by it."""


def by(*rules: str) -> None:
    """Note that something was decided by these rules."""
    EXERCISED.update(rules)


def decides(*rules: str) -> Callable[[Decides], Decides]:
    """A function of a referee that answers by these rules: each call counts."""

    def marked(function: Decides) -> Decides:
        @wraps(function)
        def counted(*args, **named):
            EXERCISED.update(rules)
            return function(*args, **named)

        return counted  # type: ignore[return-value]

    return marked
