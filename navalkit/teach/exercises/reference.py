"""What answers are held against: a value the library works out, or a salted hash of one."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from navalkit.core.errors import DataError

from ..say import SAY
from .formula import NO_NAMES, value
from .kinds import Function, Kind

_ROUNDS = 20_000  # slow enough that trying a million numbers takes an hour


class Computed:
    """A value worked out when it is first needed.

    ``source``: for a function of the student's it is called with each case; the formula then is the name of a listed
    function. ``names``: the numbers of a family, for the formula; a callable is given them by name.
    """

    def __init__(self, kind: Kind, source: str | Callable[..., Any], names: Mapping[str, Any] = NO_NAMES) -> None:
        self.kind, self.source, self.names = kind, source, names

    @cached_property
    def value(self) -> Any:
        """The reference."""
        if isinstance(self.kind, Function):
            return [self._of(*case) for case in self.kind.cases]
        return self._of()

    def _of(self, *case: Any) -> Any:
        if callable(self.source):
            return self.source(*case, **self.names)
        return value(f"{self.source}({', '.join(map(repr, case))})" if case else self.source, self.names)

    def right(self, answer: Any) -> bool:
        """Whether an answer, as read, is right."""
        return self.kind.same(answer, self.value)

    def remark(self, answer: Any) -> str:
        """A sentence on a wrong answer, or ""."""
        return self.kind.remark(answer, self.value)


@dataclass(frozen=True)
class Sealed:
    """A value that is kept as a hash: for what the library cannot work out, or a teacher will not let it."""

    kind: Kind
    salt: str
    digest: str
    """Made by `seal`."""
    of: str = ""
    """The kind of answer that was sealed, with the decimals it was rounded to; "" if the seal does not tell."""

    def __post_init__(self) -> None:
        if not re.fullmatch("[0-9a-f]{64}", self.digest):
            raise DataError(SAY("formula.digest"))
        if self.of not in ("", self.kind.of):
            raise DataError(SAY("formula.other_kind", of=repr(self.of), kind=repr(self.kind.of)))

    def right(self, answer: Any) -> bool:
        """Whether an answer, as read, has the hash."""
        return hmac.compare_digest(_digest(self.kind.kept(answer), self.salt), self.digest)

    def remark(self, answer: Any) -> str:
        """Nothing: the right value is not known here."""
        return ""


def seal(kind: Kind, answer: Any) -> Sealed:
    """An answer as a salted hash. It is no lock: of a few possible answers all can be tried."""
    salt = secrets.token_hex(8)
    return Sealed(kind, salt, _digest(kind.kept(kind.read(answer)), salt), kind.of)


def _digest(text: str, salt: str) -> str:
    return hashlib.pbkdf2_hmac("sha256", text.encode(), salt.encode(), _ROUNDS).hex()


def reference(kind: Kind, row: Any, names: Mapping[str, Any] = NO_NAMES) -> Computed | Sealed:
    """The reference that the entry ``answer`` of an exercise describes: a formula, or a table of salt and digest."""
    if isinstance(row, str) or callable(row):
        return Computed(kind, row, names)
    sealed = isinstance(row, Mapping) and {"salt", "digest"} <= set(row) <= {"salt", "digest", "of"}
    if sealed and all(isinstance(text, str) for text in row.values()):
        return Sealed(kind, **row)
    raise DataError(SAY("formula.answer"))
