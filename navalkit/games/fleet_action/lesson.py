"""What lessons ask of Fleet Action: a boat that was heard once, and where she is after searches in vain."""

from __future__ import annotations
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import resources

from navalkit.core.match import Match
from .cards import HOME
from .game import FleetAction
from .raids import where

__all__ = ["lost_contact", "sea_of"]

_ROWS, _COLUMNS = 10, 8


def lost_contact() -> Match:
    """A battle of Fleet Action in which a destroyer heard a dived boat in E5, and then searched there twice in vain."""
    told = tomllib.loads((resources.files(HOME) / "data" / "hunt.toml").read_text(encoding="utf-8"))
    match = Match.new(FleetAction(custom=told["scenario"]), told["seed"])
    for order in told["orders"]:
        match.play(order)
    return match


def _places(known: str, sweeps: Sequence[str], gear: str) -> dict[str, Fraction]:
    searches = [{square: sweep.split().count(square) for square in sweep.split()} for sweep in sweeps]
    return where({known: Fraction(1)}, searches, gear=gear, rows=_ROWS, columns=_COLUMNS)


def place_chance(square: str, known: str, sweeps: Sequence[str], gear: str = "asdic 1941") -> Fraction:
    """The chance that a dived boat is in a square (rules F42, F50).

    ``known``: where she was heard. ``sweeps``: for each move since, the squares searched in vain, such as "F5 F5"; ""
    for none. ``gear``: what with. DataError if there is no such gear.
    """
    return _places(known, sweeps, gear).get(square, Fraction(0))


def best_search(known: str, sweeps: Sequence[str], gear: str = "asdic 1941") -> str:
    """The square in which she is likeliest, ties by row and column; the rest as in `place_chance`."""
    places = _places(known, sweeps, gear)
    return max(places, key=lambda square: places[square])


def sea_of(places: Mapping[str, Fraction]) -> Iterator[str]:
    """The squares she may be in as lines of text, in percent; ``places``: square -> chance, as `raids.where` has it."""
    columns = sorted({square[0] for square in places})
    rows = sorted({int(square[1:]) for square in places})
    yield " " * 3 + "".join(f"{column:>6}" for column in columns)
    for row in rows:
        chances = (places.get(f"{column}{row}") for column in columns)
        shown = ("." if chance is None else f"{100 * float(chance):.1f}" for chance in chances)
        yield f"{row:3}" + "".join(f"{each:>6}" for each in shown)
