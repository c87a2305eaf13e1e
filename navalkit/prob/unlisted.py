"""A chance node whose outcomes are too many to list, but equally likely, easy to draw and easy to recognise."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, NoReturn

from navalkit.core.errors import DataError
from navalkit.core.game import Draw
from navalkit.core.language.say import SAY
from navalkit.core.luck.dist import IntegerSource
from navalkit.core.luck.seeds import Stream


class Unlisted(Draw):
    """A uniform `Draw` that samples and recognises its outcomes without listing them.

    Whatever needs the list (iteration, moments, tables) raises DataError.

    ``sampler``: random generator -> one outcome, each with the same chance. ``contains``: whether something is an
    outcome. ``count``: the exact number of outcomes; asked for when it is needed. ``slot`` names what is decided, as in
    `Draw`.
    """

    __slots__ = ("_sampler", "_contains", "_count")
    listed: ClassVar[bool] = False

    def __init__(
        self,
        sampler: Callable[[IntegerSource], Any],
        contains: Callable[[object], bool],
        count: Callable[[], int],
        *,
        slot: str,
    ) -> None:
        self._weights = self._urn = self._ends = None
        self._total = 0
        self.slot, self.deck, self.index = slot, (), 0
        self._sampler, self._contains, self._count = sampler, contains, count

    def pick(self, seed: int) -> Any:
        """The outcome that ``seed`` has in this slot."""
        return self._sampler(Stream(seed, self.slot))

    def sample(self, rng: IntegerSource, size: int | None = None) -> Any:
        """One outcome, or a list of ``size`` of them."""
        return self._sampler(rng) if size is None else [self._sampler(rng) for _ in range(size)]

    def __contains__(self, outcome: object) -> bool:
        return self._contains(outcome)

    @property
    def total(self) -> int:
        """How many outcomes there are."""
        return self._count()

    def prob(self, outcome: object) -> Fraction:
        """1 by the number of outcomes, or 0 for what is none."""
        return Fraction(1, self._count()) if self._contains(outcome) else Fraction(0)

    __getitem__ = prob

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<Unlisted draw of {self.slot!r}>"

    def _counts(self) -> NoReturn:
        raise DataError(SAY("unlisted", slot=repr(self.slot)))
