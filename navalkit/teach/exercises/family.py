"""Families of exercises: the same question with other numbers, drawn from a student's seed.

Nothing is stored and nothing is random: seed, exercise and number of the retest say which numbers they are, so that a
teacher's machine finds the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice, product
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import DataError

from ..say import SAY
from .formula import value

MOST_CASES = 5000
Names = dict[str, Any]


@dataclass(frozen=True)
class Family:
    """Where the numbers of an exercise come from."""

    key: str
    """The id of the exercise whose numbers these are; exercises with the same key have the same."""
    draw: Mapping[str, Sequence[Any]]
    """Name -> what it may be. The first of each are the lesson's own numbers."""
    let: Mapping[str, str]
    """Names that follow from those drawn, in order."""
    where: Sequence[str]
    """What must be true of the numbers."""

    def __post_init__(self) -> None:
        cases = 1
        for name, choices in self.draw.items():
            if not name.isidentifier() or not isinstance(choices, list) or not choices:
                raise DataError(SAY("exercise.no_values", name=brief(name)))
            cases *= len(choices)
        if cases > MOST_CASES:
            raise DataError(SAY("exercise.too_many", n=cases, most=MOST_CASES))

    def names(self, seed: str = "", retest: int = 0) -> Names:
        """The numbers of a seed; without one, the lesson's own. ``retest``: 0 first; each further one gives other
        numbers, until all have been used."""
        if not seed and retest == 0:
            return self._named(next(product(*self.draw.values())))
        found = list(islice(self._in_order(seed), retest + 1))
        if not found:
            raise DataError(SAY("exercise.none_fit"))
        return found[retest % len(found)]

    def _in_order(self, seed: str) -> Iterator[Names]:
        """All cases in the order of a seed; without one, the lesson's own comes last."""
        cases = list(product(*self.draw.values()))
        own = cases[0]
        order = sorted(range(len(cases)), key=lambda i: sha256(f"{seed}|{self.key}|{i}".encode()).digest())
        if not seed:
            order.sort(key=lambda i: cases[i] == own)
        return filter(self._fits, (self._named(cases[i]) for i in order))

    def _named(self, case: Sequence[Any]) -> Names:
        names = dict(zip(self.draw, case, strict=True))
        for name, formula in self.let.items():
            names[name] = value(formula, names)
        return names

    def _fits(self, names: Names) -> bool:
        return all(value(condition, names) for condition in self.where)
