"""Reads the fields of a scenario one by one, so that what is wrong has a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import DataError
from navalkit.grids.hex import DIRECTIONS, Hex, Place

from .say import WHY


class Fields:
    """Reads a table of a scenario field by field, and names the one that is wrong.

    Each reader raises ``DataError`` if the field is not what it should be.

    ``data``: the table. ``where``: what it is, for the sentences: "scenario night-convoy, boat 1". DataError if
    ``data`` is no table.
    """

    def __init__(self, data: object, where: str) -> None:
        if not isinstance(data, Mapping):
            raise DataError(WHY("fields.table_fields_not", where=where, data=data))
        self.data, self.where, self.known = data, where, set[str]()

    def wrong(self, name: str, right: str) -> DataError:
        """The error that says what a field must be, and what it is."""
        given = self.data.get(name)
        value = f"[{', '.join(map(brief, given[:40]))}]" if isinstance(given, list) else brief(given)
        value = value if name in self.data else "missing"
        return DataError(WHY("fields.must", where=self.where, name=name, right=right, value=value[:80]))

    def take(self, name: str, kind: type[Any], right: str, default: Any = None) -> Any:
        """A field of a kind; the default if it is missing and there is one."""
        self.known.add(name)
        if name not in self.data and default is not None:
            return default
        value = self.data.get(name)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise self.wrong(name, right)
        return value

    def number(self, name: str, numbers: range, default: int | None = None) -> int:
        """A whole number out of a range, or the default."""
        right = WHY("fields.whole_number", numbers=numbers[0], numbers2=numbers[-1])
        right += WHY("fields.steps", step=numbers.step) if numbers.step > 1 else ""
        value: int = self.take(name, int, right, default)
        if value not in numbers and value != default:
            raise self.wrong(name, right)
        return value

    def word(self, name: str, words: Mapping[str, Any] | tuple[str, ...], default: str | None = None) -> str:
        """One of some words, or the default."""
        right = WHY("fields.one", listed=', '.join(words))
        value: str = self.take(name, str, right, default)
        if value not in words and value != default:
            raise self.wrong(name, right)
        return value

    def words(self, name: str, words: Mapping[str, Any], most: int) -> tuple[str, ...]:
        """A list of some words, none if the field is missing."""
        right = WHY("fields.list_most", most=most, listed=', '.join(words))
        value = self.take(name, list, right, [])
        if len(value) > most or any(not isinstance(w, str) or w not in words for w in value):
            raise self.wrong(name, right)
        return tuple(value)

    def place(self, name: str) -> Place:
        """A place on the sea, written as bow hex and course."""
        value = self.take(name, str, WHY("fields.bow_hex_course"))
        return self.as_place(name, value)

    def as_place(self, name: str, value: object) -> Place:
        """A value of a field as a place."""
        bow, _, course = str(value).strip().partition(" ")
        try:
            return Place(Hex.parse(bow), DIRECTIONS[DIRECTIONS.index(int(course))])
        except ValueError:  # no label, no number, or no direction
            raise self.wrong(name, WHY("fields.bow_hex_course_2", value=value)) from None

    def done(self) -> None:
        """Complains about a field that was never asked for."""
        if odd := [key for key in self.data if key not in self.known]:
            listed = ", ".join(sorted(self.known))
            raise DataError(WHY("fields.unknown", where=self.where, name=brief(odd[0]), listed=listed))
