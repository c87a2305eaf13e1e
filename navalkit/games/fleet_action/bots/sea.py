"""The position as a player sees it: his ships, where enemies lie or may go, and what all fire is worth there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from navalkit.grids.square_headings import distance

from ..rules.movement import can_move, reach
from ..state import HIDDEN, Fate, State, sight
from ..state.observation import Observation
from ..state.scenario import Scenario
from .chart import FAR, Array, Chart, chart
from .power import power
from .say import FIGURES
from .worth import Stakes, destroyed, stakes


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Places side by side: squares and headings, one entry each."""

    squares: Array
    headings: Array


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """How places of a ship lie to an enemy's: arrays of her places x its places."""

    far: Array  # range, at most `FAR`
    to: Array  # bearing of the enemy from her bow, in eighth-turns of any whole circle
    back: Array  # bearing of her from the enemy's bow, likewise
    seen: Array  # whether land and fog leave the line clear


@dataclass(frozen=True, slots=True, eq=False)
class Foe:
    """An enemy ship, or a disc that may be any of several. Two discs in one square are never equal."""

    ships: tuple[int, ...]  # the ships it may be, each as likely as the others
    square: int  # where it lies, or is thought to lie
    places: Places  # where it may be when the guns fire
    moves: bool  # whether it will choose among them; if not, each is as likely as the others


class Sea:
    """A position, from what one side sees. ``figures``: what the player goes by (bots.toml). ``own``: the ships of the
    side that are on the board."""

    def __init__(self, seen: Observation, figures: Mapping[str, float] = FIGURES) -> None:
        self.figures = figures
        self.battle: Scenario = seen.battle
        self.view: State = seen.view
        self.me = seen.me
        self.chart: Chart = chart(self.battle.grid, self.battle.land)
        self.stakes: Stakes = stakes(self.battle, self.view, self.me, figures)
        ships = self.view.ships
        self.own = tuple(n for n in self.battle.fleet(self.me) if ships[n].fate is Fate.AT_SEA)
        self.foes = (*self._known(), *self._discs(seen))
        self._standing: dict[int, Array] = {}
        self._ours: dict[tuple[int, Foe, float, bool], Array] = {}
        self._theirs: dict[tuple[Foe, int, bool], Array] = {}
        zone = np.array(self.battle.zones)
        fog = [z for z, pips in enumerate(self.view.weather) if pips == sight.FOG]
        self._foggy: Array = np.isin(zone, fog)
        self._silent: Array = np.zeros((2, self.battle.grid.size), dtype=bool)
        for side, ports in enumerate(self.battle.harbours):
            self._silent[side, sorted(ports)] = True
        self.masked = sight.masked(self.battle, self.view.weather)
        self.dark = sight.is_night(self.battle, self.view.move)

    def _known(self) -> list[Foe]:
        """The enemies whose place is known; those still to move may be wherever they can go."""
        found = []
        waits = self.view.side == self.view.first  # the other side moves after this one
        for n in self.battle.fleet(1 - self.me):
            ship = self.view.ships[n]
            if ship.fate is Fate.AT_SEA and ship.square != HIDDEN:
                places = [(ship.square, ship.heading)]
                if waits and can_move(self.view, n):
                    places += reach(self.battle, self.view, n)
                found.append(Foe((n,), ship.square, _places(places), waits))
        return found

    def _discs(self, seen: Observation) -> list[Foe]:
        """The others: where discs lie, or, behind the screen, where the scenario sets them out."""
        battle, ships = self.battle, self.view.ships
        unknown = tuple(
            n for n in battle.fleet(1 - self.me) if ships[n].fate is Fate.AT_SEA and ships[n].square == HIDDEN
        )
        if seen.discs:
            return [Foe(unknown, square, _all_round(square), False) for square in seen.discs]
        return [
            Foe((n,), battle.units[n].square, _all_round(battle.units[n].square), False)
            for n in unknown
            if battle.units[n].square >= 0
        ]

    # What fire is worth ------------------------------------------------------------------------------------------

    def ours(self, ship: int, foe: Foe, before: float = 0.0, fish: bool = True) -> Array:
        """Worth of a ship's fire at an enemy: ranges x bearings of it x bearings of the ship (see `power`).

        ``before`` is the share of what sinks it that others do to it anyway; what they do is not counted again.
        Without ``fish`` her torpedoes are left out.
        """
        if (key := (ship, foe, before, fish)) not in self._ours:
            self._ours[key] = self._at_them(ship, foe, before, fish)
        return self._ours[key]

    def _at_them(self, ship: int, foe: Foe, before: float, fish: bool) -> Array:
        share = np.minimum(before + self._share(ship, foe, fish), 1.0)
        price = float(np.mean([self.stakes.point[n] * self._left(n) for n in foe.ships]))
        return price * (destroyed(share) - destroyed(np.array(before)))

    def _share(self, ship: int, foe: Foe, fish: bool = True) -> Array:
        """Mean damage of a ship's fire at an enemy, as a share of what sinks it."""
        own, card = self.view.ships[ship], self.battle.card(ship)
        yards = self.battle.torpedo_yards
        tables = [power(card, own.out, own.loaded * fish, self._left(n), yards) / self._left(n) for n in foe.ships]
        return np.asarray(sum(tables) / len(tables))

    @cached_property
    def engaged(self) -> Array:
        """For each enemy the share of what sinks it that ships which have moved do to it, each firing at the best."""
        done = np.zeros(len(self.foes))
        for ship in self.own if self.foes else ():
            own = self.view.ships[ship]
            if can_move(self.view, ship):
                continue
            here = _places([(own.square, own.heading)])
            tables = [self.ours(ship, foe, float(done[n])) for n, foe in enumerate(self.foes)]
            worth = [float(self._at(here, foe, each).mean()) for foe, each in zip(self.foes, tables, strict=True)]
            if max(worth) > 0:
                aim = int(np.argmax(worth))
                share = float(self._at(here, self.foes[aim], self._share(ship, self.foes[aim])).mean())
                done[aim] = min(1.0, done[aim] + share)
        return done

    def theirs(self, foe: Foe, ship: int, fish: bool = True) -> Array:
        """Worth of an enemy's fire at a ship, likewise; less than in full, for what is fired at her spares another."""
        if (key := (foe, ship, fish)) not in self._theirs:
            self._theirs[key] = self._at_us(foe, ship, fish)
        return self._theirs[key]

    def _at_us(self, foe: Foe, ship: int, fish: bool) -> Array:
        tables = []
        for n in foe.ships:
            other = self.view.ships[n]
            fire = power(
                self.battle.card(n), other.out, other.loaded * fish, self._left(ship), self.battle.torpedo_yards
            )
            tables.append(self.figures["boldness"] * self._worth(ship, fire))
        return np.asarray(sum(tables) / len(tables))

    def _worth(self, ship: int, fire: Array) -> Array:
        """The worth of mean damage to a ship."""
        left = self._left(ship)
        return self.stakes.point[ship] * left * destroyed(fire / left)

    def _left(self, ship: int) -> int:
        return self.battle.card(ship).sinking_rate + 1 - self.view.ships[ship].damage

    def exchange(self, ship: int, at: Places, foe: Foe) -> tuple[Array, Array]:
        """Worth of one move's fire of a ship at an enemy, and of the enemy's at her: her places x its places."""
        before = 0.0 if not can_move(self.view, ship) else float(self.engaged[self.foes.index(foe)])
        lines = self._lines(at, foe)
        dealt = self._at(at, foe, self.ours(ship, foe, before), lines)
        they = self._fires(foe.places.squares, 1 - self.me)
        # The same lines the other way round: its own bearing first, then how she lies to it.
        taken = self.theirs(foe, ship)[lines.far, lines.back % 8, lines.to % 4]
        return dealt, taken * (lines.seen & they & self.shows(lines.far, self.view.ships[ship].marked))

    def _at(self, at: Places, foe: Foe, table: Array, lines: Lines | None = None) -> Array:
        """A table of a ship's fire at an enemy, read off where she may fire at it: her places x its places."""
        lines = lines or self._lines(at, foe)
        marked = all(self.view.ships[n].marked for n in foe.ships)
        may = lines.seen & self._fires(at.squares, self.me)[:, None] & self.shows(lines.far, marked)
        return np.asarray(table[lines.far, lines.to % 8, lines.back % 4] * may)

    def _lines(self, at: Places, foe: Foe) -> Lines:
        """How her places lie to an enemy's."""
        a, b = at.squares[:, None], foe.places.squares[None, :]
        far = np.minimum(self.chart.distance[a, b], FAR)
        to = self.chart.bearing[a, b] - at.headings[:, None]
        back = self.chart.bearing[b, a] - foe.places.headings[None, :]
        clear = ~(self._foggy[a] | self._foggy[b])
        if self.masked:
            clear = clear & self.chart.sight(at.squares, self.masked)[:, foe.places.squares]
        return Lines(far, to, back, clear)

    def _fires(self, squares: Array, side: int) -> Array:
        """Whether ships of a side may fire from there: not from their harbours."""
        return np.asarray(~self._silent[side, squares])

    def shows(self, far: Array, marked: bool) -> Array:
        """Whether a ship that far away is known to the other: by night only near by, or if she has fired."""
        return np.asarray((far <= sight.NIGHT_SIGHT) if self.dark and not marked else (far < FAR))

    def standing(self, column: int) -> Array:
        """What each own ship's exchange with an enemy is worth from where she lies: own ships x its places."""
        if column not in self._standing:
            foe, rows = self.foes[column], []
            for row, n in enumerate(self.own):
                ship = self.view.ships[n]
                dealt, taken = self.exchange(n, _places([(ship.square, ship.heading)]), foe)
                rows.append((dealt * self.aims[row, column] - taken * self.aimed_at[row, column])[0])
            self._standing[column] = np.array(rows)
        return self._standing[column]

    # How nearness is shared --------------------------------------------------------------------------------------

    @cached_property
    def near(self) -> Array:
        """How near enemies and own ships lie, halved every few squares: own ships x enemies."""
        grid = self.battle.grid
        away = [[distance(grid, self.view.ships[n].square, foe.square) for foe in self.foes] for n in self.own]
        return np.asarray(0.5 ** (np.array(away, dtype=float).reshape(len(self.own), len(self.foes)) / 4))

    @cached_property
    def aims(self) -> Array:
        """What share of a ship's fire an enemy is likely to get, the nearer and the dearer the more: rows sum to 1."""
        worth = np.array([[self.ours(ship, foe).max() for foe in self.foes] for ship in self.own])
        likely = self.near * worth.reshape(self.near.shape)
        return np.asarray(likely / np.maximum(likely.sum(axis=1, keepdims=True), 1e-12))

    @cached_property
    def aimed_at(self) -> Array:
        """What share of an enemy's fire a ship is likely to get, likewise: columns sum to 1."""
        worth = np.array([[self.theirs(foe, ship).max() for foe in self.foes] for ship in self.own])
        likely = self.near * worth.reshape(self.near.shape)
        return np.asarray(likely / np.maximum(likely.sum(axis=0, keepdims=True), 1e-12))


def _places(places: list[tuple[int, int]]) -> Places:
    found = np.array(places)
    return Places(found[:, 0], found[:, 1])


def _all_round(square: int) -> Places:
    """A square on every heading."""
    return Places(np.full(8, square), np.arange(8))
