"""The rows of On Patrol's tables, typed: ships, boats, the four tables of the source, formations, packages."""

from __future__ import annotations
from dataclasses import dataclass

from navalkit.grids.hex import Hex
from .state import MarkerKind, Role

D66 = tuple(10 * tens + units for tens in range(1, 7) for units in range(1, 7))
"""The 36 equally likely results of two dice read as tens and units."""


@dataclass(frozen=True, slots=True)
class VesselType:
    """A type of surface ship.

    Parameters
    ----------
    id, name : str
    role : Role
    kind : str
        "destroyer", "frigate", "corvette", "trawler", "carrier", "battleship", "cruiser", "tanker" or "freighter".
    nation : str
        "" for ships of any.
    tons : int
    knots : float
    speed : int
        Greatest speed in hexes a turn.
    hits : int
        Torpedo hits that sink her.
    value : int
        Victory points.
    sonar : bool
    radar_from : int
        The year from which she has radar, 0 never.
    depth_charges, k_guns : int
        How many she may use in a turn.
    ahead : str
        "hedgehog", "squid" or "", from the year ``ahead_from``.
    one_ton : int
        One-ton charges carried (102.5), from the year ``one_ton_from``.
    guns : int
        Rating 0 to 4.
    source : str
    """

    id: str
    name: str
    role: Role
    kind: str
    tons: int
    knots: float
    speed: int
    hits: int
    value: int
    source: str
    nation: str = ""
    sonar: bool = False
    radar_from: int = 0
    depth_charges: int = 0
    k_guns: int = 0
    ahead: str = ""
    ahead_from: int = 0
    one_ton: int = 0
    one_ton_from: int = 0
    guns: int = 0

    def radar(self, year: int) -> bool:
        """Whether she has radar in that year."""
        return 0 < self.radar_from <= year

    def ahead_in(self, year: int) -> str:
        """Her ahead-thrown weapon in that year, "" if she has none."""
        return self.ahead if self.ahead_from <= year else ""

    def one_ton_in(self, year: int) -> int:
        """One-ton charges she carries in that year."""
        return self.one_ton if self.one_ton_from <= year else 0

    def speed_after(self, hits: int) -> int:
        """Her greatest speed after torpedo hits: what is left of it is what is left of her, rounded up; 0 sunk."""
        return max(0, -(-self.speed * (self.hits - hits) // self.hits))


@dataclass(frozen=True, slots=True)
class BoatType:
    """A type of submarine.

    Parameters
    ----------
    id, name, nation : str
    year : int
        The first year she is met.
    hull : int
        Hull points.
    test_depth : int
        Feet.
    surfaced, submerged : int
        Greatest speed in hexes a turn.
    bow, stern : int
        Tubes.
    reloads : int
        Torpedoes beside those in the tubes.
    torpedoes : tuple of str
        Types she may carry, best first; ``since`` has the first year of each.
    value : int
        Victory points she costs if lost.
    source : str
    """

    id: str
    name: str
    nation: str
    year: int
    hull: int
    test_depth: int
    surfaced: int
    submerged: int
    bow: int
    stern: int
    reloads: int
    torpedoes: tuple[str, ...]
    since: tuple[int, ...]
    value: int
    source: str

    def carries(self, year: int) -> tuple[str, ...]:
        """The torpedo types she may carry in that year, best first."""
        return tuple(t for t, since in zip(self.torpedoes, self.since, strict=True) if since <= year)


@dataclass(frozen=True, slots=True)
class FleetMove:
    """One cell of the Fleet Movement Table.

    Parameters
    ----------
    before, after : int
        The turn made on the spot before and after the hexes: -1 port, 0 none, 1 starboard.
    hexes : int or None
        Hexes entered; None for the present emergency speed (M).
    text : str
        The cell as printed: "L2", "M".
    """

    before: int
    hexes: int | None
    after: int
    text: str


@dataclass(frozen=True, slots=True)
class FleetRow:
    """A row of the Fleet Movement Table; ``starred`` rows are of the advanced game."""

    id: str
    label: str
    moves: tuple[FleetMove, ...]
    source: str
    starred: bool = False

    @property
    def speed(self) -> int:
        """Hexes of all its cells; 0 for emergency speed, which is each ship's own."""
        return self.moves[0].hexes or 0


@dataclass(frozen=True, slots=True)
class ActionRow:
    """A row of the Escort Action Table.

    Parameters
    ----------
    id, label : str
    text : str
        The action in our words.
    source : str
    marker : MarkerKind or None
        The marker that leads here; None for no marker and for rows that depend on no marker.
    mode : int
        1 to 7; 0 for the rows of two and three markers.
    movement : str
        "formation", "radial", "diameter", "run" (mode 7) or "".
    speed : str
        "convoy", "search", "full" or "".
    contact_speed : str
        The speed of escorts in sonar contact with the boat, "" if it is no other.
    gunfire, ram : bool
        Whether ships in sight fire guns, and the nearest escort goes to ram.
    boats : int
        The number of boats marked, in the rows of two and three markers.
    """

    id: str
    label: str
    text: str
    source: str
    marker: MarkerKind | None = None
    mode: int = 0
    movement: str = ""
    speed: str = ""
    contact_speed: str = ""
    gunfire: bool = False
    ram: bool = False
    boats: int = 1


@dataclass(frozen=True, slots=True)
class DetectionRow:
    """A row of the Submarine Detection Table.

    Parameters
    ----------
    id : str
        "visible", "disappears", "found", "missed", "torpedoes" or "end".
    phase : int
        0 for any.
    event, effect : str
        What happens, and what is done, in our words.
    source : str
    marker : MarkerKind or None
        The marker laid (visible stands for surfaced too); None at the end of the turn.
    hex : str
        Where it is laid.
    follows : bool
        Whether it moves with the boat.
    """

    id: str
    phase: int
    event: str
    effect: str
    source: str
    marker: MarkerKind | None = None
    hex: str = ""
    follows: bool = False


@dataclass(frozen=True, slots=True)
class DepthRow:
    """A row of the depth table: two dice from ``low`` to ``high``, read as tens and units.

    ``error`` is the difference from the boat's depth in feet, None for a miss.
    """

    id: str
    low: int
    high: int
    text: str
    source: str
    error: int | None = None

    @property
    def rolls(self) -> tuple[int, ...]:
        """The results of the 36 that lead to this row."""
        return tuple(r for r in D66 if self.low <= r <= self.high)


@dataclass(frozen=True, slots=True)
class FormationRow:
    """One of the formations 1 to 10.

    Parameters
    ----------
    number : int
    bows : tuple of Hex
        Bow hex of the first ship in each column, in the order of the source's columns.
    direction : int
        The course of all.
    ships : tuple of int
        Ships in each column.
    source : str
    """

    number: int
    bows: tuple[Hex, ...]
    direction: int
    ships: tuple[int, ...]
    source: str

    @property
    def total(self) -> int:
        """Ships in all columns."""
        return sum(self.ships)


@dataclass(frozen=True, slots=True)
class Package:
    """A whole set of rules (101.2): ``parts`` are what it adds to the basic game."""

    id: str
    label: str
    parts: tuple[str, ...]
    source: str
