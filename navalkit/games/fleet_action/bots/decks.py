"""Where ships go for flights: carriers straight ahead while their decks work, consorts close by (rules F55, F62)."""

from __future__ import annotations
from math import ceil

import numpy as np

from navalkit.grids.square import distance
from ..craft import Place
from ..rules import raiding
from ..rules.flying import FIELD
from ..state import Fate
from .belief import Array
from .sea import Places, Sea

ROOM = 8  # squares of open sea ahead that a carrier likes to have


def threatened(sea: Sea) -> bool:
    """Whether the enemy has aircraft that can still attack ships."""
    return any(squadron.side != sea.me and squadron.armed and not squadron.fighter
               and own.place not in (Place.LOST, Place.HOME)
               for own, squadron in zip(sea.view.flights, sea.battle.flights, strict=True))


def leader(sea: Sea) -> int:
    """The ship about which the others keep when aircraft threaten: the one worth most; -1 if there is none."""
    if not (sea.battle.flights and threatened(sea)):
        return -1
    return max(sea.own, key=lambda n: (sea.stakes.value[n], -n), default=-1)


def places(sea: Sea, ship: int, at: Places) -> Array:
    """What places are worth to a ship for the sake of flights, her own or those that may attack."""
    total = np.zeros(len(at.squares))
    if not sea.battle.flights:
        return total
    card = sea.battle.card(ship)
    if card.deck and card.type != FIELD:
        total += sea.figures["deck"] * sea.stakes.value[ship] * _decks(sea, ship, at)
    first = leader(sea)
    if first >= 0 and first != ship and not card.boat:
        for other in sea.own:
            if other != ship and (other == first or sea.battle.card(other).deck):
                far = sea.chart.distance[at.squares, sea.view.ships[other].square]
                near = np.maximum(0, far - raiding.CONSORTS)
                share = 1.0 if other == _nearest(sea, ship) else 0.0
                total -= share * sea.figures["cover"] * sea.stakes.value[other] * near
    return total


def _nearest(sea: Sea, ship: int) -> int:
    """The ship that she keeps with: a carrier, or the leader, whichever is nearest."""
    here = sea.view.ships[ship].square
    others = [n for n in sea.own if n != ship and (sea.battle.card(n).deck or n == leader(sea))]
    return min(others, key=lambda n: (distance(sea.battle.grid, here, sea.view.ships[n].square), n), default=-1)


def _decks(sea: Sea, ship: int, at: Places) -> Array:
    """One for places straight ahead while there is work on deck, and a share for open sea ahead."""
    own = sea.view.ships[ship]
    straight, square = set[int](), own.square
    for _ in range(ROOM):
        onward = int(sea.chart.ahead[square, own.heading])
        if onward == square:
            break
        square = onward
        straight.add(square)
    ahead = np.array([s in straight and h == own.heading
                      for s, h in zip(at.squares.tolist(), at.headings.tolist(), strict=True)])
    room, squares = np.zeros(len(at.squares)), at.squares
    for _ in range(ROOM):
        beyond = sea.chart.ahead[squares, at.headings]
        room += beyond != squares
        squares = beyond
    return np.asarray(ahead * busy(sea, ship) + room / ROOM / 4)


def busy(sea: Sea, ship: int) -> bool:
    """Whether a carrier's deck has work in this move: flights ranged, or coming home."""
    grid, square = sea.battle.grid, sea.view.ships[ship].square
    for own, squadron in zip(sea.view.flights, sea.battle.flights, strict=True):
        if squadron.side != sea.me or "floatplane" in squadron.plane.roles:
            continue
        if squadron.base == ship and own.place is Place.RANGED:
            return True
        if own.place is Place.ALOFT and squadron.base >= 0:
            homeless = sea.view.ships[squadron.base].fate is not Fate.AT_SEA
            away = ceil(distance(grid, own.square, square) / squadron.plane.squares)
            due = own.moves <= away + 2 or (squadron.armed and not own.loaded)
            if (squadron.base == ship or homeless) and due and away <= 1:
                return True
    return False
