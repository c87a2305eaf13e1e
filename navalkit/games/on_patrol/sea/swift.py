"""What makes the rules quicker and changes nothing in them: `replace` for states, and answers kept (`Latest`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache, update_wrapper
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, TypeVar

S = TypeVar("S")
T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(old: S, /, **changes: Any) -> S:
        """``dataclasses.replace`` at a quarter of its time, for classes with slots that check nothing when made."""
        values, setters = _of(type(old))
        new = object.__new__(type(old))
        for put, value in zip(setters.values(), values(old), strict=True):
            put(new, value)
        for name, value in changes.items():
            setters[name](new, value)
        return new


@cache
def _of(kind: type) -> tuple[Callable[[Any], tuple[Any, ...]], dict[str, Callable[[Any, Any], None]]]:
    names = [field.name for field in fields(kind)]
    return attrgetter(*names), {name: vars(kind)[name].__set__ for name in names}


class Latest(Generic[S, T]):
    """A function that answers for what it was asked about last without asking again.

    One action asks several times who moves next, and what she does, of one and the same state; a cache by value
    would spend more on the hash of a state than on the answer. What is equal is nearly always made of the same objects,
    and so is found equal at once.
    """

    def __init__(self, function: Callable[[S], T]) -> None:
        self._function = function
        self._kept: tuple[S, T] | None = None
        update_wrapper(self, function)

    def __call__(self, of: S) -> T:
        kept = self._kept  # one tuple, so that a second thread never pairs a state with another's answer
        if kept is None or (kept[0] is not of and kept[0] != of):
            kept = self._kept = of, self._function(of)
        return kept[1]
