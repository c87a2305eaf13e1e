"""A game's options: names, defaults and ranges, checked in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .echo import brief
from .errors import OptionError
from .files.datafile import sourced
from .language.say import SAY, suggested

if TYPE_CHECKING:
    from .language.words import Text

_BOOLS = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option of a game."""

    name: str
    """As written in Python and in records."""
    default: bool | int | str
    """Its value when nothing is said; its type is the option's type."""
    label: Text
    """What a page writes beside it."""
    help: Text
    """One sentence on what it does."""
    low: int | None = None
    high: int | None = None
    """Inclusive range of a whole number."""
    choices: tuple[str, ...] = ()
    """The values of a text option; with ``read`` those that a page offers first."""
    read: Callable[[str], str] | None = None
    """For a text option of endless values: text -> the same value in its one standard form, so that equal values are
    equal texts. Raises OptionError with the reason for a text it cannot take."""
    form: str = ""
    """What ``read`` takes, in words."""

    def values(self) -> str:
        """The valid values in words."""
        if isinstance(self.default, bool):
            return SAY("options.true_false")
        if isinstance(self.default, int):
            return SAY("options.whole_number", low=self.low, high=self.high)
        return self.form if self.read else SAY("options.one_of") + ", ".join(self.choices)

    def check(self, value: Any) -> bool | int | str:
        """``value`` if it is valid (texts such as "yes" or "12" are read); OptionError otherwise."""
        if isinstance(value, str) and not isinstance(self.default, str):
            value = self._read(value)
        if isinstance(self.default, bool):
            ok = isinstance(value, bool)
        elif isinstance(self.default, int):
            low, high = self.low, self.high
            ok = type(value) is int and low is not None and high is not None and low <= value <= high
        elif self.read and isinstance(value, str):
            try:
                return self.read(value)
            except OptionError as error:
                wrong = brief(value)
                said = SAY("options.wrong", name=self.name, values=self.values(), value=wrong, near="").rstrip(".")
                raise OptionError(f"{said}: {error}") from None
        else:
            ok = value in self.choices
        if not ok:
            wrong, meant = brief(value), suggested(value, self.choices)
            raise OptionError(SAY("options.wrong", name=self.name, values=self.values(), value=wrong, near=meant))
        return value  # type: ignore[no-any-return]

    def _read(self, text: str) -> Any:
        word = text.strip().lower()
        if isinstance(self.default, bool):
            return _BOOLS.get(word, text)
        return int(word) if word.isascii() and word.isdigit() and len(word) < 10 else text


def read_options(rows: Iterable[dict[str, Any]], **more: Mapping[str, Any]) -> tuple[OptionSpec, ...]:
    """The options in the rows of a game's TOML; ``more`` adds fields to some by name, such as readers of texts."""
    found = (sourced(row, f"option {row.get('name')}") for row in rows)
    return tuple(
        OptionSpec(**{**row, "choices": tuple(row.get("choices", ())), **more.get(row["name"], {})}) for row in found
    )


def check_options(owner: str, specs: Sequence[OptionSpec], given: Mapping[str, Any]) -> Mapping[str, Any]:
    """All options of ``owner`` with their values, defaults filled in; OptionError for an unknown name (the sentence
    lists the valid ones) or a value out of range."""
    known = {spec.name: spec for spec in specs}
    for name in given:
        if name not in known:
            valid = ", ".join(f"{spec.name} ({spec.values()})" for spec in specs) or "none"
            meant = suggested(name, known)
            raise OptionError(SAY("options.unknown", owner=owner, name=brief(name), near=meant, valid=valid))
    return MappingProxyType({name: spec.check(given.get(name, spec.default)) for name, spec in known.items()})
