"""What a scenario came to between machine captains: figures that stand in its own file, and on its card.

    [measured]
    captain = "admiral"              # who played, on every side
    games = 60
    seed = 20                        # of the run: navalkit balance GAME -n 60 --seed 20 --captain admiral
    share = 0.48                     # of the first side, a draw half a point; where one plays alone, of games won
    length = [8, 9]                  # of the middle half, in `unit`
    unit = "moves"
    one_blow = 0.0                   # the share that one blow alone decided
    decided = { guns = 1.0 }

A game whose scenarios are files says where they lie: ``SCENARIOS`` of its package, a folder ("data/scenarios").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from navalkit.core.errors import DataError
from navalkit.core.files.datafile import read
from navalkit.core.language.say import SAY
from navalkit.core.registry import package
from navalkit.prob.intervals import wilson


@dataclass(frozen=True, slots=True)
class Measured:
    """Games of a scenario between machine captains, summed up; DataError if a figure is out of range."""

    captain: str
    """Who played on every side."""
    games: int
    seed: int
    """Of the run."""
    share: float
    """The first side's share of the points, from 0 to 1, a draw half a point; alone, of games won."""
    length: tuple[float, ...] = ()
    """The shortest and the longest of the middle half, in ``unit``; () where it was not kept."""
    unit: str = ""
    """"moves", "turns"."""
    decided: Mapping[str, float] = field(default_factory=dict)
    """What decided the games -> its share of them."""
    one_blow: float = 0.0
    """The share of games that one blow alone decided."""
    title: str = ""
    """Of the scenario."""
    sides: tuple[str, ...] = ()
    """What the scenario calls them, the first first; () where one plays alone."""

    def __post_init__(self) -> None:
        shares = (self.share, self.one_blow, *self.decided.values())
        whole = abs(sum(self.decided.values()) - 1) < 0.02 if self.decided else True
        good = self.games > 0 <= self.seed and all(0 <= share <= 1 for share in shares) and whole
        if not good or (self.length and not 0 < self.length[0] <= self.length[-1]) or len(self.length) not in (0, 2):
            raise DataError(SAY("measured.wrong", what=str(self), games=self.games))

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        return wilson(self.share, self.games)

    def toml(self) -> str:
        """The table of these figures, as it stands in a scenario's file."""
        decided = ", ".join(f"{what} = {share:.2f}" for what, share in self.decided.items())
        return (
            f'[measured]\ncaptain = "{self.captain}"\ngames = {self.games}\nseed = {self.seed}\n'
            f"share = {self.share:.3f}\nlength = [{', '.join(f'{n:g}' for n in self.length)}]\n"
            f'unit = "{self.unit}"\none_blow = {self.one_blow:.2f}\ndecided = {{ {decided} }}\n'
        )


def measured(game: str, scenario: str) -> Measured | None:
    """What stands in the file of a game's scenario; None where nothing was measured.

    Parameters
    ----------
    game : str
        Its name, such as "fleet-action".
    scenario : str
        The value of its option ``scenario``.

    Raises
    ------
    DataError
        If a field is unknown, missing or out of range.

    Examples
    --------
    >>> measured("fleet-action", "river_plate").sides
    ('British', 'Germans')
    """
    ours = package(game)
    folder = ours.offered("SCENARIOS", "")
    if not folder or not scenario.replace("-", "_").isidentifier():  # a text of one's own
        return None
    file = read(ours.module, f"{folder}/{scenario}.toml")
    return of(file) if "measured" in file else None


def of(file: Mapping[str, Any]) -> Measured:
    """The figures in the file of a scenario."""
    row, known = file["measured"], {each.name for each in fields(Measured)} - {"title", "sides"}
    if wrong := sorted(set(row) - known) or sorted({"captain", "games", "seed", "share"} - set(row)):
        raise DataError(SAY("measured.fields", listed=", ".join(sorted(known)), name=wrong[0]))
    named = {"title": file["title"], "sides": tuple(file.get("sides", ())), "length": tuple(row.get("length", ()))}
    return Measured(**{**row, **named})
