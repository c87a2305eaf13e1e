"""What can be set in a question: a whole number, a choice, a switch, or marks on a small board of cells."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import NotationError, OptionError
from navalkit.core.language.words import Text
from navalkit.core.options import OptionSpec

from .say import SAY

Value = int | str | bool
Settings = Mapping[str, Any]
"""Control -> value: every control of a question has one."""


@dataclass(frozen=True, slots=True)
class Control(ABC):
    """One thing that can be set; the subclasses say what.

    Parameters
    ----------
    name : str
        As written in Python and in links ("torpedoes").
    default : int, str or bool
    say : callable
        Finds its sentences: "label" as on the page, "unit" for what it counts ("hexes"), "help" for a sentence more;
        "" for what there is not. Its question adds what it finds itself.
    """

    name: str
    default: Any
    say: Callable[[str], str] = field(default=lambda part: "", kw_only=True, compare=False, repr=False)

    @property
    def label(self) -> str:
        """As written on the page."""
        return self.say("label")

    @abstractmethod
    def check(self, value: Any) -> Value:
        """``value`` in its one standard form, read from a link's text if it is one; OptionError if it is wrong."""

    def values(self) -> Sequence[Value]:
        """All values in rising order; empty where they are too many to try."""
        return ()

    def near(self, value: Any) -> tuple[Value | None, Value | None]:
        """The values a step down and a step up, None where there is none."""
        values = self.values()
        i = values.index(value) if value in values else -1
        down, up = (i - 1, i + 1) if i >= 0 else (-1, len(values))
        return (values[down] if down >= 0 else None), (values[up] if up < len(values) else None)

    def text(self, value: Any) -> str:
        """The value as a link has it."""
        return str(value)

    def shown(self, value: Any) -> str:
        """The value as people read it."""
        return f"{value} {self.say('unit')}".strip()


@dataclass(frozen=True, slots=True)
class Whole(Control):
    """A whole number from ``low`` to ``high`` in steps of ``step``."""

    low: int
    high: int
    step: int = 1

    def check(self, value: Any) -> int:
        spec = OptionSpec(self.name, self.default, self.name, "", self.low, self.high)
        number = int(spec.check(value))
        if (number - self.low) % self.step:
            raise OptionError(
                SAY("error.steps", name=self.name, low=self.low, high=self.high, step=self.step, number=number)
            )
        return number

    def values(self) -> Sequence[Value]:
        return range(self.low, self.high + 1, self.step)


@dataclass(frozen=True, slots=True)
class Choice(Control):
    """One of some words."""

    choices: Mapping[str, Text]
    """Each with what the page writes for it: "" for the sentence "is.CHOICE", or else the word itself."""
    ordered: bool = False
    """Whether they stand in an order that means something, so that "a step up" does too."""
    stride: int = 1
    """How far apart neighbours stand (4 in a pack sorted by rank, suit by suit)."""
    read: Callable[[str], str] = str
    """Makes other spellings of a choice the one that is listed."""

    def check(self, value: Any) -> str:
        words = list(self.choices)
        try:
            text = self.read(value)
        except NotationError as error:
            raise OptionError(f"{self.name}: {error}") from None
        if text in words:
            return text
        for word in words:
            if word.casefold() == text.casefold():
                return word
        key, first = ("error.choice", words) if len(words) <= 12 else ("error.choices", words[:8])
        facts = {"some": ", ".join(first), "last": words[-1], "all": len(words)}
        raise OptionError(SAY(key, name=self.name, value=brief(value), **facts))

    def values(self) -> Sequence[Value]:
        return list(self.choices)

    def near(self, value: Any) -> tuple[Value | None, Value | None]:
        """See `Control.near`; nothing is near where the choices have no order."""
        if not self.ordered:
            return None, None
        words = list(self.choices)
        i = words.index(value)
        down, up = i - self.stride, i + self.stride
        return (words[down] if down >= 0 else None), (words[up] if up < len(words) else None)

    def shown(self, value: Any) -> str:
        return str(self.choices[value]) or self.say(f"is.{value}") or str(value)


@dataclass(frozen=True, slots=True)
class Switch(Control):
    """Yes or no."""

    default: bool = False

    def check(self, value: Any) -> bool:
        return bool(OptionSpec(self.name, self.default, self.name, "").check(value))

    def values(self) -> Sequence[Value]:
        return (False, True)

    def text(self, value: Any) -> str:
        return "yes" if value else "no"

    def shown(self, value: Any) -> str:
        return self.say("yes" if value else "no")


def option(spec: OptionSpec) -> Switch:
    """A game's own option as a control."""
    said = {"label": spec.label, "help": spec.help}
    return Switch(spec.name, say=lambda part: str(said.get(part, "")))


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a board of marks: its id in notation, what stands on it, its name, and its suit of colour."""

    id: str
    label: str
    name: Text
    tone: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks(Control):
    """Marks on a small board: cards clicked away, squares scratched. The value is a text, one word a mark."""

    rows: tuple[tuple[Cell, ...], ...]
    marks: tuple[str, ...] = ("", "")
    """The marks a cell goes through: what follows its id in notation; the first is no mark at all. Their names are the
    sentences "mark.0", "mark.1" ..., or their numbers where the marks are counted."""
    read: Callable[[str], str] = str
    """Makes other spellings of a cell's id the one on the board; NotationError if it is none."""
    tally: bool = False
    """Whether marks are numbers of equal cards: an id then stands in the text that often."""
    default: Any = ""
    _ids: dict[str, int] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        self._ids.update({cell.id: i for i, cell in enumerate(cell for row in self.rows for cell in row)})

    def levels(self, value: Any) -> dict[str, int]:
        """Cell -> number of its mark; cells without one are left out. OptionError for what cannot be read."""
        words = value.replace(",", " ").split() if isinstance(value, str) else [str(word) for word in value]
        found: dict[str, int] = {}
        for word in words:
            id, level = self._read(word)
            if id in found and not self.tally:
                raise OptionError(SAY("error.twice", name=self.name, cell=id))
            found[id] = found.get(id, 0) + level if self.tally else level
            if found[id] >= len(self.marks):
                raise OptionError(SAY("error.many", name=self.name, cell=id, most=len(self.marks) - 1))
        return found

    def _read(self, word: str) -> tuple[str, int]:
        signs = self.marks[1:] if not self.tally else ("",)
        for level, sign in sorted(enumerate(signs, 1), key=lambda pair: -len(pair[1])):
            if word.endswith(sign):
                try:
                    id = self.read(word[: len(word) - len(sign)])
                except NotationError as error:
                    raise OptionError(f"{self.name}: {error}") from None
                if id in self._ids:
                    return id, level
        example = next(iter(self._ids)) + signs[0]
        raise OptionError(SAY("error.mark", name=self.name, word=brief(word), example=example))

    def check(self, value: Any) -> str:
        return self.write(self.levels(value))

    def write(self, levels: Mapping[str, int]) -> str:
        """The notation of marks, in the order of the board."""
        words: list[str] = []
        for id in sorted((id for id, level in levels.items() if level), key=self._ids.__getitem__):
            words += [id] * levels[id] if self.tally else [id + self.marks[levels[id]]]
        return " ".join(words)

    def near(self, value: Any) -> tuple[Value | None, Value | None]:
        """A step down is the bare board; there is no step up."""
        return ("" if value else None), None

    def shown(self, value: Any) -> str:
        return str(value) or self.say("none")


def defaults(controls: Iterable[Control]) -> dict[str, Any]:
    """The defaults of some controls."""
    return {control.name: control.default for control in controls}
