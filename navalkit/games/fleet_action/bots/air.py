"""The sky as one side sees it: where its flights come home, what an attack of theirs does, and who is looked for."""

from __future__ import annotations
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import ceil

import numpy as np

from navalkit.grids.square import distance
from .. import planes, sight
from ..craft import Duty, Flight, Place, Raid
from ..rules import flying, raiding
from ..state import HIDDEN, Action, Fate, Squadron, State
from .belief import Array, destroyed
from .sea import Sea

SPARE = 1  # moves aloft that a flight keeps in hand


class Air:
    """The sky as one side sees it."""

    def __init__(self, sea: Sea, legal: Sequence[Action]) -> None:
        self.sea, self.battle, self.view, self.me = sea, sea.battle, sea.view, sea.me
        self.grid = self.battle.grid
        self.legal = frozenset(legal)
        self.own = [n for n, squadron in enumerate(self.battle.flights) if squadron.side == self.me]
        self.targets = [n for n in self.battle.fleet(1 - self.me) if self.view.ships[n].fate is Fate.AT_SEA
                        and self.view.ships[n].square >= 0 and not self.view.ships[n].dived]
        self._way_back: dict[int, Array] = {}

    def flight(self, n: int) -> tuple[Flight, Squadron]:
        return self.view.flights[n], self.battle.flights[n]

    def may(self, action: Action) -> bool:
        return action in self.legal

    def name(self, ship: int) -> str:
        return self.battle.units[ship].name

    # Where home is ----------------------------------------------------------------------------------------------

    def homes(self, n: int) -> list[int]:
        """Squares from which, or near which, a flight comes home."""
        squadron = self.battle.flights[n]
        if squadron.base < 0:
            return list(squadron.entry)
        if "floatplane" in squadron.plane.roles:
            ships = [squadron.base]
        else:
            ships = [ship for ship in self.sea.own
                     if self.battle.card(ship).deck and flying.deck_shut(self.battle, self.view, ship) is None]
        return [self.view.ships[ship].square for ship in ships if self.view.ships[ship].square >= 0]

    def way_back(self, n: int) -> Array:
        """Square -> in how many moves a flight is down again from it, the move of its landing counted."""
        if n not in self._way_back:
            homes, squares = self.homes(n), self.battle.flights[n].plane.squares
            away = self.sea.chart.distance[:, homes].min(axis=1) if homes else np.zeros(self.grid.size, dtype=np.int64)
            self._way_back[n] = np.maximum(1, -(-away // squares))
        return self._way_back[n]

    def back(self, n: int, square: int) -> int:
        """In how many moves a flight is down again from a square."""
        return int(self.way_back(n)[square])

    def spared(self, n: int) -> Array:
        """Square -> whether a flight that ends this move in it can still come home."""
        own, squadron = self.flight(n)
        keeps = SPARE if squadron.base >= 0 and self.homes(n) else 0
        return np.asarray(own.moves - 1 >= self.way_back(n) + keeps)

    def spare(self, n: int, square: int) -> bool:
        """Whether a flight that ends this move in a square can still come home."""
        return bool(self.spared(n)[square])

    # What a strike does -----------------------------------------------------------------------------------------

    def guards(self, ship: int) -> float:
        """Enemy fighters that are likely to meet an attack on a ship: those known, and unknown flights near her."""
        square = self.view.ships[ship].square
        met = max(self.seen_over(ship), self.likely_over(ship))
        return float(planes.engaged(met, True, raiding.weather(self.battle, self.view, square)))

    def seen_over(self, ship: int) -> int:
        """Enemy aircraft in sight near a ship that are fighters, or may be."""
        square = self.view.ships[ship].square
        known = sum(own.count for n, own in enumerate(self.view.flights)
                    if self.battle.flights[n].side != self.me and own.place is Place.ALOFT
                    and self.battle.flights[n].fighter and self._near(own.square, square))
        unknown = sum(count for place, count in self.sea.seen.sky if self._near(place, square)) if self.fighters else 0
        return known + unknown

    def likely_over(self, ship: int) -> int:
        """Enemy fighters that are likely near a ship, for she lies by a deck of theirs."""
        return round(self.usual * self._by_a_deck(self.view.ships[ship].square))

    @cached_property
    def fighters(self) -> int:
        """Enemy fighters that are left."""
        return sum(own.count for own, squadron in zip(self.view.flights, self.battle.flights, strict=True)
                   if squadron.side != self.me and squadron.fighter)

    @cached_property
    def usual(self) -> float:
        """Fighters that are likely over each enemy deck, seen or not."""
        decks = sum(self.battle.card(n).deck > 0 and self.view.ships[n].fate is Fate.AT_SEA
                    for n in self.battle.fleet(1 - self.me))
        return self.sea.figures["patrol"] * self.fighters / decks if decks else 0.0

    def _by_a_deck(self, square: int) -> bool:
        return any(self.battle.card(n).deck and self._near(self.view.ships[n].square, square) for n in self.targets)

    def _near(self, place: int, square: int) -> bool:
        return place >= 0 and distance(self.grid, place, square) <= raiding.GUARDED

    def left(self, n: int, ship: int, strikers: int) -> float:
        """Aircraft of a flight that are likely to drop, if that many go at a ship together."""
        own, squadron = self.flight(n)
        dice = raiding.guns(self.battle, self.view, Raid(n, ship))
        lost = self.guards(ship) * 2 / 6 * own.count / max(own.count, strikers)
        return max(0.0, own.count - lost - dice / 6)

    def strike(self, n: int, ship: int, strikers: int = 0) -> float:
        """What an attack is worth, after what others have been ordered to do to the ship in this move."""
        card, value = self.battle.card(ship), self.sea.stakes
        left = card.sinking_rate + 1 - self.view.ships[ship].damage
        before = self.sent(n, ship)
        share = self._damage(n, ship, strikers) / left
        with_it, without = (float(destroyed(np.minimum(done, 1.0))) for done in (before + share, before))
        worth = value.point[ship] * left * (with_it - without)
        if self.battle.flights[n].drops[0] == "torpedo" and not card.boat and not self.view.ships[ship].screws:
            telling = 1 - (35 / 36) ** self.left(n, ship, strikers)
            worth += self.sea.figures["screws"] * value.value[ship] * telling
        return worth

    def sent(self, n: int, ship: int) -> float:
        """What others have been ordered to do to a ship in this move, as a share of what sinks her."""
        left = self.battle.card(ship).sinking_rate + 1 - self.view.ships[ship].damage
        return sum(self._damage(other, ship, 0) for other in self.own if other != n
                   and self.view.flights[other].duty is Duty.ATTACK and self.view.flights[other].mark == ship
                   and self.view.flights[other].acted and not self.battle.flights[other].fighter) / left

    def _damage(self, n: int, ship: int, strikers: int) -> float:
        """Mean damage points of a flight's attack, as it is weighed."""
        squadron, drops = self.battle.flights[n], self.left(n, ship, strikers)
        if self.battle.card(ship).boat:
            return drops / 9 * squadron.plane.load  # under in time in four dives of six
        mean, each = self._die(n, ship)
        dice = ceil(drops / planes.TO_A_DIE) if squadron.drops[0] == "level" else drops
        return dice * mean * each

    def _die(self, n: int, ship: int) -> tuple[float, int]:
        """Mean hits of a die of a flight at a ship, telling ones counted in full, and the damage points of each."""
        weapon, load, piercing = self.battle.flights[n].drops
        need = raiding.lowest(self.battle, self.view, ship)
        ranged = weapon != "torpedo" and bool(flying.ranged(self.battle, self.view, ship))
        mean = ((7 - need) / 6) * planes.TELLS if ranged else (7 - need) / 6 + (planes.TELLS - 1) / 36
        return mean, planes.points_of(self.battle.card(ship), weapon, load, piercing)

    def mean(self, n: int, ship: int) -> float:
        """Mean damage points of a flight's attack as the page tells it: exact, and no fighters met."""
        raid, count, level = Raid(n, ship), self.view.flights[n].count, self.battle.flights[n].level
        left = planes.binomial(raiding.guns(self.battle, self.known, raid), 6).map(lambda off: max(0, count - off))
        if self.battle.card(ship).boat:
            late = raiding.UNDER - 1
            return float(left.mean) * (late / 6 + (6 - late) / 36) / 6 * raiding.points(
                self.battle, replace(raid, hits=1, telling=1))
        mean, each = self._die(n, ship)
        return float(left.map(lambda drop: ceil(drop / planes.TO_A_DIE) if level else drop).mean) * mean * each

    @cached_property
    def known(self) -> State:
        """The view without the ships whose places are not known: their guns count for nothing."""
        hidden = (replace(ship, fate=Fate.WAITING) if ship.square == HIDDEN else ship for ship in self.view.ships)
        return replace(self.view, ships=tuple(hidden))

    def told(self, n: int, ship: int) -> float:
        """Mean damage points of a flight's attack with the fighters that are likely to meet it."""
        return self._damage(n, ship, self.strikers(ship)) if self.guards(ship) else self.mean(n, ship)

    def bombers(self) -> list[int]:
        """Own flights aloft that still have something to drop."""
        return [n for n in self.own if self.view.flights[n].place is Place.ALOFT and self.view.flights[n].loaded
                and self.battle.flights[n].armed and not self.battle.flights[n].fighter]

    def reaches(self, n: int, ship: int, moves: int = 0) -> bool:
        """Whether a flight can attack a ship in this move, or after that many more."""
        own, squadron = self.flight(n)
        if own.acted and not moves:
            return own.duty is Duty.ATTACK and own.mark == ship
        away = distance(self.grid, own.square, self.view.ships[ship].square)
        return away <= squadron.plane.squares * (moves + 1)

    def strikers(self, ship: int, moves: int = 0) -> int:
        """Aircraft that can attack a ship in this move, or within that many more."""
        ready = sum(self.view.flights[n].count for n in self.bombers() if self.reaches(n, ship, moves))
        coming = sum(own.count for own, squadron in map(self.flight, self.own) if moves and own.place is Place.COMING
                     and not squadron.fighter and own.ready <= self.view.move + moves - 1)
        return ready + coming

    # Who is looked for ------------------------------------------------------------------------------------------

    @cached_property
    def hidden(self) -> Array:
        """Square -> the chance that the enemy ships worth most are there, out of sight, times their worth."""
        total, belief = np.zeros(self.grid.size), self.sea.belief
        if belief is None:
            return total
        worth = self.sea.stakes.value
        for ship, places in zip(belief.ships, belief.places, strict=True):
            if not self.battle.card(ship).boat:
                total += worth[ship] * places.sum(axis=(1))
        return total

    @cached_property
    def wanted(self) -> bool:
        """Whether an enemy is looked for who is worth more than any that is known."""
        worth, belief = self.sea.stakes.value, self.sea.belief
        known = max((worth[n] for n in self.targets), default=0.0)
        return belief is not None and any(worth[n] > known for n in belief.ships)

    def aim(self, n: int) -> int:
        """The square to which a flight goes for an enemy that it cannot attack now; -1 if there is none."""
        own = self.view.flights[n]
        from_ = own.square if own.square >= 0 else self.homes(n)[0] if self.homes(n) else 0
        best = max(self.targets, key=lambda ship: (self.strike(n, ship), -distance(
            self.grid, from_, self.view.ships[ship].square)), default=None)
        if best is not None and not (self.wanted and self.hidden.any()):
            return self.view.ships[best].square
        return int(self.likely.argmax()) if self.hidden.any() else -1

    @cached_property
    def likely(self) -> Array:
        """Square -> what of those out of sight is near it."""
        return np.asarray(self.hidden @ (self.sea.chart.distance <= sight.FROM_ABOVE))
