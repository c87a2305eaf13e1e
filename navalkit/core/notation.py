"""Actions that are written in one form."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

__all__ = ["written_as"]

A = TypeVar("A")


@dataclass_transform(frozen_default=True)
def written_as(form: str) -> Callable[[type[A]], type[A]]:
    """A frozen, slotted dataclass whose text is ``form``, filled from its fields.

    >>> @written_as("fly helicopter {number} from {square}")
    ... class Fly:
    ...     number: int
    ...     square: str
    >>> str(Fly(1, "A3"))
    'fly helicopter 1 from A3'
    """
    fill = re.sub(r"{(?=\w)", "{0.", form).format

    def make(kind: type[A]) -> type[A]:
        kind.__str__ = lambda self: fill(self)  # type: ignore[method-assign]
        return dataclass(frozen=True, slots=True)(kind)

    return make
