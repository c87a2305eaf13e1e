"""What captains do with their boats: how near, how deep, when to fire, when to lie still or run (rules F41 to F48).

Every place at every depth is weighed by what her torpedoes and gun do from there in this move, by how soon she can be
where they reach an enemy, and by who can see, shoot at or hunt her there.
"""

from __future__ import annotations
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from navalkit.core.trace import Decision, Fact, Finding, Mark, Option
from navalkit.core.words import number
from navalkit.grids.square import HEADINGS
from .. import sight
from ..cards import allowance, quarters
from ..craft import DEPTHS, Depth, Load
from ..rules import boats, hunting
from ..state import Action, Done, Fate, Move
from .belief import FAR, SAY, Array, destroyed, power, sailing_distance, torpedo_power
from .hunt import breaks, heard
from .orders import foe_name, points
from .sea import Foe, Places, Sea

AHEAD = 8  # moves ahead that an approach may take
STALK, MISSED = 0.95, 0.4  # what an attack a move later counts, and one that is a square short
PLACES = 12  # of an enemy out of sight that count
GAIN = 0.01  # points: less is not worth an order
SPREAD = 3  # squares within which hunters who know of her are dangerous


@dataclass(frozen=True, slots=True, eq=False)
class Prowl:
    """The places and depths that a boat can go to, part by part, in points of the scenario; the first is to stay."""

    ship: int
    orders: tuple[Move | None, ...]
    strikes: Array  # enemies x places: what her fire at each does in this move
    promises: Array  # enemies x places: what an attack on each in a later move promises
    danger: Array  # what guns, charges and aircraft may cost

    @property
    def strike(self) -> Array:
        """What her fire does in this move, at the enemy where it does most."""
        return np.asarray(self.strikes.max(axis=0, initial=0.0))

    @property
    def later(self) -> Array:
        """What an attack in a later move promises, on the enemy where that is most."""
        return np.asarray(self.promises.max(axis=0, initial=0.0))

    @property
    def total(self) -> Array:
        return np.asarray(self.strike + self.later - self.danger)


def prowl(sea: Sea, legal: Sequence[Action], name: str) -> Decision | None:
    """The next order to a boat; None if all lie as well as they can."""
    moves: dict[int, list[Move]] = {}
    for action in legal:
        if isinstance(action, Move) and action.who in sea.battle.numbers:
            ship = sea.battle.numbers[action.who]
            if sea.battle.card(ship).boat:
                moves.setdefault(ship, []).append(action)
    for ship, orders in moves.items():
        found = survey(sea, ship, orders)
        total = found.total
        best = int(total.argmax())
        if best and total[best] > total[0] + GAIN:
            return _decision(sea, found, best, name)
    for action in legal:
        if isinstance(action, Load) and _loads(sea, sea.battle.numbers[action.ship]):
            reason = SAY("why.load", ship=action.ship, number=action.number)
            return Decision(action, name, reason, options=(Option(action),), unit=SAY("unit.damage"))
    return None


def worth(sea: Sea, action: Action) -> Option:
    """What an order to a boat is worth that the decision does not tell of."""
    if not isinstance(action, Move):
        return Option(action, None, (), SAY("not.less"))
    found = survey(sea, sea.battle.numbers[action.who], [action])
    return _option(sea, found, 1, SAY("not.less"))


def is_boats(sea: Sea, action: Action) -> bool:
    """Whether an order of the movement phase is one to a boat."""
    who = action.who if isinstance(action, Move) else action.ship if isinstance(action, Load) else ""
    return who in sea.battle.numbers and sea.battle.card(sea.battle.numbers[who]).boat


def survey(sea: Sea, ship: int, orders: Sequence[Move]) -> Prowl:
    """What staying, and each of these orders, is worth to a boat."""
    own, grid = sea.view.ships[ship], sea.battle.grid
    squares = np.array([own.square, *(grid.number(order.square) for order in orders)])
    headings = np.array([own.heading, *(HEADINGS.index(order.heading) for order in orders)])
    depths = [own.depth, *(Depth(order.depth) if order.depth else own.depth for order in orders)]
    level = np.array([DEPTHS.index(depth) for depth in depths])
    idle = np.array([boats.levels(depth, own.depth) > 1 for depth in depths])
    at = Places(squares, headings)
    strikes = np.array([_strike(sea, ship, foe, at, level) * ~idle for foe in sea.foes]).reshape(-1, len(squares))
    return Prowl(ship, (None, *orders), strikes, _later(sea, ship, squares), _danger(sea, ship, at, level))


# What she can do ------------------------------------------------------------------------------------------------

def _table(sea: Sea, ship: int, foe: Foe, surfaced: bool) -> Array:
    """Worth of a boat's fire at an enemy: ranges x bearings of it x bearings of her, her gun only on the surface."""
    own, card, yards = sea.view.ships[ship], sea.battle.card(ship), sea.battle.torpedo_yards
    total = np.zeros((FAR + 1, 8, 4))
    for n, chance in zip(foe.ships, foe.chances, strict=True):
        left = sea.battle.card(n).sinking_rate + 1 - sea.view.ships[n].damage
        fire = (power(card, own.out, own.loaded, left, yards) if surfaced
                else np.repeat(torpedo_power(card, own.loaded, left, yards)[:, None, :], 8, axis=1))
        total += chance * sea.stakes.point[n] * left * destroyed(np.minimum(fire / left, 1.0))
    return total


def _strike(sea: Sea, ship: int, foe: Foe, at: Places, level: Array) -> Array:
    """What her fire at an enemy is worth in this move from each place; the enemy moves on unless he has moved."""
    if sea.under(foe):
        return np.zeros(len(level))
    worth = np.zeros(len(level))
    for depth in (Depth.SURFACE, Depth.PERISCOPE):
        rows = level == DEPTHS.index(depth)
        if rows.any():
            some = Places(at.squares[rows], at.headings[rows])
            lines = sea.lines(some, foe)
            seen = lines.seen & (lines.far <= _sees(sea, depth))
            table = _table(sea, ship, foe, depth is Depth.SURFACE)
            worth[rows] = (table[lines.far, lines.to % 8, lines.back % 4] * seen) @ foe.likely
    return np.asarray(np.maximum(0.0, worth - price(sea)))


def price(sea: Sea) -> float:
    """What a torpedo set of a boat's is kept for: a share of the dearest enemy ship that is left."""
    left = [sea.stakes.value[n] for n in sea.battle.fleet(1 - sea.me) if sea.view.ships[n].fate is Fate.AT_SEA]
    return sea.figures["kept"] * max(left, default=0.0)


def _sees(sea: Sea, depth: Depth) -> int:
    """How far a boat sees ships for herself."""
    surfaced = sight.NIGHT_SIGHT if sea.dark else sight.WIDE if sea.battle.wide else FAR
    return surfaced if depth is Depth.SURFACE else min(surfaced, sight.PERISCOPE)


def _reach(sea: Sea, ship: int) -> int:
    """How far the torpedoes go that she has loaded, or could load."""
    own, sets = sea.view.ships[ship], sea.battle.card(ship).torpedoes
    usable = [n for n in range(len(sets)) if own.loaded >> n & 1 or own.spares >= sets[n].tubes]
    return max((sea.battle.torpedo_range(ship, n) for n in usable), default=0)


def _later(sea: Sea, ship: int, squares: Array) -> Array:
    """What an attack on each enemy in a later move is worth from each square: the less, the more moves it takes to meet
    the enemy on his course, from wherever he may be."""
    promises = np.zeros((len(sea.foes), len(squares)))
    reach = min(_reach(sea, ship), _sees(sea, Depth.PERISCOPE))
    knots = sum(allowance(sea.battle.card(ship).speed)) / 2
    for n, foe in enumerate(sea.foes):
        if reach <= 0 or sea.under(foe):
            continue
        worth = float(_table(sea, ship, foe, False).max(initial=0.0))
        worth = worth or sea.figures["reloading"] * sum(sea.stakes.value[k] for k in foe.ships) / len(foe.ships)
        promises[n] = worth * _meets(sea, foe, squares, reach, knots)
    return promises


def _meets(sea: Sea, foe: Foe, squares: Array, reach: int, knots: float) -> Array:
    """How soon she meets an enemy from each square, as a share of meeting him now: on the surface while she is far
    from him or it is night, else dived."""
    places = {foe.square: 1.0}
    if not foe.moves:
        chances = np.bincount(foe.places.squares, foe.likely)
        places = {int(square): float(chances[square]) for square in np.argsort(-chances, kind="stable")[:PLACES]
                  if chances[square] > 0}
        reach = max(1, reach - 1)  # his course is a guess
    total = np.zeros(len(squares))
    for start, chance in places.items():
        soonest = np.zeros(len(squares))
        for moves, place in enumerate(_course(sea, foe, start), 1):
            away = sea.chart.distance[squares, place] - reach
            afar = sea.dark | (sea.chart.distance[squares, start] > sight.WIDE) & sea.battle.wide
            short = np.maximum(0, away - np.where(afar, knots, 1.0) * (moves - 1))
            soonest = np.maximum(soonest, STALK ** moves * MISSED ** short)
        total += chance * soonest
    return np.asarray(total / max(sum(places.values()), 1e-9))


def _course(sea: Sea, foe: Foe, square: int) -> list[int]:
    """Where an enemy is likely to be at the end of this and the next moves, if he keeps his course, or makes for his
    exit."""
    n = foe.ships[0]
    card, own = sea.battle.card(n), sea.view.ships[n]
    pace = max(1.0, sum(allowance(card.speed)) / 2 - quarters(own.damage, card.sinking_rate))
    heading = own.heading if own.square >= 0 else int(sea.battle.units[n].heading)
    goals = sea.battle.exits[1 - sea.me] if sea.stakes.exit[n] else frozenset()
    homeward = sailing_distance(sea.battle.grid, sea.battle.land, goals) if goals else None
    found, gone = [square], 0
    for move in range(AHEAD):
        steps = int(pace * (move + 1)) - gone
        gone += steps
        for _ in range(steps):
            if homeward is None:
                square = int(sea.chart.ahead[square, heading])
            elif homeward[square]:
                square = min(sea.battle.grid.neighbours[square], key=lambda to: (homeward[to], to))
        found.append(square)
    return found[bool(foe.moves):]


# What it may cost -----------------------------------------------------------------------------------------------

def _danger(sea: Sea, ship: int, at: Places, level: Array) -> Array:
    """What guns may do to her on the surface, and hunters below it."""
    cost, up = np.zeros(len(level)), level == 0
    own = sea.view.ships[ship]
    for foe in sea.foes:
        if sea.under(foe):
            continue
        lines = sea.lines(at, foe)
        low = sight.LOW[any(sea.battle.card(n).radar for n in foe.ships)] if sea.dark else FAR - 1
        seen = lines.seen & ((lines.far <= low) | own.marked)
        taken = sea.theirs(foe, ship)[lines.far, lines.back % 8, lines.to % 4] * seen
        cost += up * (taken @ foe.likely) * sea.figures["exposed"]
        if not sea.dark:  # he will know that she is there
            cost += up * sea.figures["spotted"] * sea.stakes.value[ship] * ((lines.far <= sight.WIDE) @ foe.likely)
    cost += up * _from_above(sea, ship)
    return np.asarray(cost + ~up * _hunted(sea, ship, at, level))


def _from_above(sea: Sea, ship: int) -> float:
    """What aircraft with charges may do to her on the surface."""
    battle = sea.battle
    charges = sum(own.count for own, squadron in zip(sea.view.flights, battle.flights, strict=True)
                  if squadron.side != sea.me and squadron.plane.weapon == "charges")
    return charges / 18 * sea.stakes.point[ship] * hunting.BREAKS["charges"]


def _hunted(sea: Sea, ship: int, at: Places, level: Array) -> Array:
    """What hunters may do to her while she is dived: the more, the better they know where she is."""
    battle, view, own = sea.battle, sea.view, sea.view.ships[ship]
    traced = own.marked or own.oil or own.announced or own.heard
    suspected = sea.figures["suspected" if traced else "unsuspected"]
    cost, watched = np.zeros(len(level)), np.zeros(len(level))
    for foe in sea.foes:
        if sea.under(foe):
            continue
        gear = hunting.gear_of(battle, foe.ships[0])
        away = sea.chart.distance[at.squares, foe.square]
        watched += away <= boats.FEATHER
        if gear is None or not view.ships[foe.ships[0]].patterns:
            continue
        comes = gear.squares(view.move) if foe.moves else 0
        loss = min(breaks(gear), sea.battle.card(ship).sinking_rate) * sea.stakes.point[ship]
        loss += sea.figures["found"] * sea.stakes.value[ship]
        sure, beside = heard(gear, sight.rough(battle, view, foe.square))
        cost += (away <= comes) * sure * loss + (away == comes + 1) * beside * loss
        cost += (away <= SPREAD + comes) * sure * loss * 0.2 * suspected
    feather = 0.0 if sea.dark else 1 - (5 / 6) ** watched
    known = np.maximum(suspected, np.where(level == DEPTHS.index(Depth.PERISCOPE), feather, 0.0))
    return np.asarray(cost * known)


def _loads(sea: Sea, ship: int) -> bool:
    """Whether a boat does better to load than to fire in this move."""
    own = sea.view.ships[ship]
    here = Places(np.array([own.square]), np.array([own.heading]))
    level = np.array([DEPTHS.index(own.depth)])
    strike = max((float(_strike(sea, ship, foe, here, level)[0]) for foe in sea.foes), default=0.0)
    return strike < GAIN


# Reasons --------------------------------------------------------------------------------------------------------

def _decision(sea: Sea, found: Prowl, best: int, name: str) -> Decision:
    order = found.orders[best]
    assert order is not None
    total = found.total
    rows = [int(row) for row in np.argsort(-total, kind="stable") if row != best][: int(sea.figures["options"])]
    options = tuple(_option(sea, found, row, "" if row == best else SAY("not.less")) for row in (best, *rows))
    reason = _why(sea, found, best, order)
    return Decision(order, name, reason, tuple(_findings(sea, found, best)), options, SAY("unit.points"))


def _why(sea: Sea, found: Prowl, best: int, order: Move) -> str:
    """The fire of this move if it is most of what she gains, else the danger left behind, else an attack to come."""
    sooner, safer = (float(part[best] - part[0]) for part in (found.later, -found.danger))
    fires = found.strike[best] > max(found.later[best] / 2, GAIN) or max(sooner, safer) <= 0
    foe = _best_of(sea, found.strikes if fires else found.promises, best)
    if fires:
        key = "strike.moves" if foe and foe.moves else "strike" if foe and _known(sea, foe) else "strike.believed"
    elif order.depth and safer > GAIN and _safer(sea, found, best):
        key = "dive"
    elif safer > sooner:
        key = "evade"
    else:
        key = "approach" if foe is not None and _nears(sea, found.ship, order, foe) else "placed"
    return SAY(f"why.boat.{key}", ship=order.who, foe="" if foe is None else _foe(sea, foe), square=order.square)


def _best_of(sea: Sea, worth: Array, row: int) -> Foe | None:
    """The enemy on whom an attack from that place is worth most; None if on nobody."""
    n = int(worth[:, row].argmax()) if len(worth) else -1
    return sea.foes[n] if n >= 0 and worth[n, row] > 0 else None


def _known(sea: Sea, foe: Foe) -> bool:
    """Whether it is seen where an enemy is, and who."""
    return len(foe.ships) == 1 and sea.view.ships[foe.ships[0]].square >= 0


def _foe(sea: Sea, foe: Foe) -> str:
    """Her name, though nobody may see her; a disc that may be any of several has none."""
    return sea.battle.units[foe.ships[0]].name if len(foe.ships) == 1 else foe_name(sea, foe)


def _safer(sea: Sea, found: Prowl, best: int) -> bool:
    """Whether she is in less danger there than in the same place at the depth she is at now."""
    order, own = found.orders[best], sea.view.ships[found.ship]
    assert order is not None
    there = Places(np.array([sea.battle.grid.number(order.square)]), np.array([HEADINGS.index(order.heading)]))
    level = np.array([DEPTHS.index(own.depth)])
    return bool(_danger(sea, found.ship, there, level)[0] > found.danger[best] + GAIN)


def _nears(sea: Sea, ship: int, order: Move, foe: Foe) -> bool:
    """Whether she comes nearer to an enemy whose place is known."""
    now, then = (sea.chart.distance[square, foe.square]
                 for square in (sea.view.ships[ship].square, sea.battle.grid.number(order.square)))
    return _known(sea, foe) and bool(then < now)


def _findings(sea: Sea, found: Prowl, best: int) -> list[Finding]:
    name, order = sea.battle.units[found.ship].name, found.orders[best]
    rows = (("F45", "strike", found.strike, found.strikes), ("F44", "chance", found.later, found.promises),
            ("F50", "danger", found.danger, None))
    told = []
    for rule, key, part, by_foe in rows:
        foe, marks = None if by_foe is None else _best_of(sea, by_foe, best), tuple[Mark, ...]()
        if foe is not None and order is not None:
            marks = (Mark("line", (order.square, sea.battle.grid.names[foe.square])),)
        worth = points(float(part[best]))
        told.append(Finding(rule, SAY(f"boat.{key}.ask", ship=name), SAY(f"boat.{key}", worth=worth),
                            (Fact(SAY(f"fact.{key}"), worth, marks),)))
    return told


def _option(sea: Sea, found: Prowl, row: int, rejected: str) -> Option:
    order: Any = found.orders[row]
    gain = float(found.total[row] - found.total[0])
    square = sea.battle.grid.names[sea.view.ships[found.ship].square] if order is None else order.square
    if order is None:
        order = Done()
    facts = (Fact(SAY("fact.gain"), number(gain, "+.1f"), (Mark("cell", (square,), number(gain, "+.1f")),)),
             Fact(SAY("fact.strike"), points(float(found.strike[row]))),
             Fact(SAY("fact.danger"), points(float(found.danger[row]))))
    return Option(order, gain, facts, rejected)
