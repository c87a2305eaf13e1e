"""What a side believes of enemies it does not know: where each may be, how she heads, and which disc is which ship.

Each hidden ship is followed from where she was last known, or was set out, by a walk: step by step she holds her
course, turns, or lies to, as `FIGURES` say, as far as her allowance goes. All walks are summed over the board. Discs
then say where ships are, though not which: a way to give the ships to the discs is as likely as all its ships are to
have got there, and all ways are summed. Behind the screen there is nothing more to go by than her side of it.

Nothing enters but the observation: two states that look alike are believed alike.
"""

from __future__ import annotations
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navalkit.core.dist import Dist
from navalkit.core.files import read, sourced
from navalkit.core.words import Words
from navalkit.grids.square import SquareGrid, ahead, bearing, clear, distance, step_cost
from .. import sight
from ..cards import HOME, TABLES, ShipCard, points, quarters
from ..prospects import Order, left, ordered, volley
from ..rules import firing, play
from ..rules.gunnery import ASPECTS, hits
from ..rules.sailing import full_speed, squares_a_move
from ..sight import Observation
from ..state import HIDDEN, Fate, Guns, Scenario, State, Torpedoes, weapons, with_ship

# -- Geometry for the players, as arrays: distances, bearings and lines of sight between all squares of a board

Array = NDArray[Any]
FAR = 10  # squares beyond every gun and torpedo: ranges are cut off here
UNREACHED = 999


class Chart:
    """A board with its land. ``distance`` and ``bearing`` (squares x squares): squares from the first to the second,
    and the heading nearest to the line from the first to the second. ``ahead`` (squares x 8): the next square on each
    heading; the square itself where there is no sea."""

    def __init__(self, grid: SquareGrid, land: frozenset[int]) -> None:
        self.grid, self.land = grid, land
        rows, columns = np.divmod(np.arange(grid.size), grid.columns)
        down, right = (place[None, :] - place[:, None] for place in (rows, columns))
        self.distance: Array = np.abs(down) + np.abs(right)
        turns = np.zeros((2 * grid.rows - 1, 2 * grid.columns - 1), dtype=np.int64)
        for y in range(1 - grid.rows, grid.rows):
            for x in range(1 - grid.columns, grid.columns):
                start = max(0, -y) * grid.columns + max(0, -x)
                turns[y, x] = bearing(grid, start, start + y * grid.columns + x)
        self.bearing: Array = turns[down, right]
        self.ahead: Array = np.array([[self._next(square, h) for h in range(8)] for square in range(grid.size)])
        # What masks -> rows of lines, which of them are known, and how many squares that mask lie above and left.
        self._clear: dict[frozenset[int], tuple[Array, Array, Array]] = {}

    def _next(self, square: int, heading: int) -> int:
        to = ahead(self.grid, square, heading)
        return square if to is None or to in self.land else to

    def sight(self, squares: Array, masked: frozenset[int]) -> Array:
        """Whether nothing masks the line from each of those squares to those nearer than `FAR`: rows x squares."""
        if masked not in self._clear:
            size, high, wide = self.grid.size, self.grid.rows, self.grid.columns
            above = np.zeros((high + 1, wide + 1), dtype=int)
            above[1:, 1:] = np.isin(np.arange(size), list(masked)).reshape(high, wide).cumsum(axis=0).cumsum(axis=1)
            self._clear[masked] = np.zeros((size, size), dtype=bool), np.zeros(size, dtype=bool), above
        rows, known, above = self._clear[masked]
        for square in set(squares[~known[squares]].tolist()):
            near = np.flatnonzero(self.distance[square] < FAR)
            rows[square, near] = True
            doubtful = near[self._between(square, near, above) > 0].tolist()
            rows[square, doubtful] = [clear(self.grid, square, to, masked) for to in doubtful]
            known[square] = True
        return np.asarray(rows[squares])

    def _between(self, square: int, near: Array, above: Array) -> Array:
        """How many squares that mask lie in the rectangle about a square and each of those: no other can mask the line.
        ``above``: how many lie above and left of each corner of the board."""
        (row, column), rows, columns = self.grid.place(square), *np.divmod(near, self.grid.columns)
        top, end = np.minimum(row, rows), np.maximum(row, rows) + 1
        left, right = np.minimum(column, columns), np.maximum(column, columns) + 1
        return np.asarray(above[end, right] - above[top, right] - above[end, left] + above[top, left])


@lru_cache(maxsize=32)
def chart(grid: SquareGrid, land: frozenset[int]) -> Chart:
    """The chart of a board."""
    return Chart(grid, land)


@lru_cache(maxsize=256)
def sailing_distance(grid: SquareGrid, land: frozenset[int], goals: frozenset[int]) -> Array:
    """Squares to the nearest goal by sea for every square; `UNREACHED` where there is no way."""
    far = np.full(grid.size, UNREACHED)
    edge = sorted(goals - land)
    far[edge] = 0
    steps = 0
    while edge:
        steps += 1
        near = {n for square in edge for n in grid.neighbours[square] if n not in land and far[n] == UNREACHED}
        edge = sorted(near)
        far[edge] = steps
    return far


# -- How a side best shares out its fire, by its expected worth with exact chances to sink ---------
# The worth of fire at a ship is her points value times the expected share of her that it destroys: all of her if she
# sinks, else ``AFLOAT`` of the share of her sinking rate that the damage makes up. With the damage from everything
# ordered so far, V(x) is the worth still to come if a further x points are done. Another fire with damage probabilities
# f is then worth sum f(x) V(x) - V(0), and turns V into sum f(y) V(x + y): one scalar product to weigh it, one
# correlation to take it.

Source = tuple[str, str, int]  # ship, battery, torpedo set: what can be ordered at one target only
Row = NDArray[np.float64]

AFLOAT = 0.5  # what damage to a ship that stays afloat counts, against the same share of sinking her
TOLERANCE = 1e-9  # a change of targets must gain more than rounding


@dataclass(frozen=True, slots=True)
class Plan:
    """How a side shares out its fire."""

    orders: tuple[Order, ...]  # guns or torpedoes, to be given in this order
    # expected worth of all fire of the side in this move, in points of value; orders given before included
    worth: float
    sunk: Mapping[int, float]  # target -> the chance that it is sunk
    price: float = 0.0  # what a torpedo set must add to be fired
    kept: float | None = None  # the most that a set adds that is not fired because of its price; None for no such set


def sources(battle: Scenario, state: State) -> dict[Source, dict[int, Order]]:
    """What the side on turn can still fire: each ship's batteries and torpedo sets -> target -> the order."""
    found: dict[Source, dict[int, Order]] = {}
    for order in firing.orders(battle, state):
        match order:
            case Torpedoes(ship, number, aim):
                source = (ship, "", number)
            case Guns(ship, aim, battery, False) if battery or len(firing.batteries(battle, battle.numbers[ship])) == 1:
                source = (ship, battery, 0)
            case _:
                continue
        found.setdefault(source, {})[battle.numbers[aim]] = order
    return found


def share_out(battle: Scenario, state: State, *, worth: Mapping[int, float] | None = None,
              torpedo_price: float = 0.0) -> Plan:
    """The best fire of the side on turn: greedily, then each source in turn moved to where it does most.

    ``state``: in the firing phase; a player gives the view of his observation. ``worth``: target -> what sinking her is
    worth; the points value of her card where it is not given. ``torpedo_price``: expected worth that a torpedo set must
    add to be fired. In the plan no single source would do better at another target, or held back.
    """
    choices = sources(battle, state)
    ships = sorted({target for options in choices.values() for target in options})
    given = worth or {}
    sharing = _Sharing(
        choices,
        {n: _value(battle, state, n, given.get(n, points(battle.card(n)))) for n in ships},
        {(source, target): volley(battle, state, order).row(left(battle, state, target))
         for source, options in choices.items() for target, order in options.items()},
        torpedo_price,
    )
    sharing.greedily()
    sharing.settle()
    sunk = {}
    for n in ships:
        chance = np.append(np.zeros(left(battle, state, n)), 1.0)
        chance = sharing.after(_after(chance, ordered(battle, state, n).row(len(chance) - 1)), n)
        sunk[n] = min(1.0, float(chance[0]))  # not above 1 by rounding
    orders = tuple(choices[source][target] for source, target in sharing.aim.items() if target is not None)
    total = sum(float(value[0]) for value in sharing.values.values())
    return Plan(orders, total, sunk, torpedo_price, sharing.kept() if torpedo_price else None)


class _Sharing:
    """Which source fires at which target, on the way to the best. ``choices`` are as from `sources`, ``fresh`` the
    worth V of each target before any of them fires, ``rows`` the damage probabilities of each source at each target."""

    def __init__(self, choices: Mapping[Source, Mapping[int, Order]], fresh: Mapping[int, Row],
                 rows: Mapping[tuple[Source, int], Row], torpedo_price: float) -> None:
        self.choices, self.fresh, self.rows, self.torpedo_price = choices, fresh, rows, torpedo_price
        self.values = dict(fresh)
        self.aim: dict[Source, int | None] = dict.fromkeys(choices)

    def after(self, value: Row, target: int, but: Source | None = None) -> Row:
        """That V when all have fired that aim at the target, but one."""
        for source, aim in self.aim.items():
            if aim == target and source != but:
                value = _after(value, self.rows[source, target])
        return value

    def gain(self, source: Source, target: int | None, values: Mapping[int, Row]) -> float:
        """What a source adds at a target, less the price of torpedoes; held back, nothing."""
        if target is None:
            return 0.0
        row, value = self.rows[source, target], values[target]
        return float(row @ value[: len(row)] - value[0]) - (self.torpedo_price if source[2] else 0.0)

    def best(self, source: Source, values: Mapping[int, Row]) -> tuple[float, int | None]:
        """Where a source adds most, and how much."""
        aims: list[int | None] = [None, *self.choices[source]]
        gains = [self.gain(source, aim, values) for aim in aims]
        most = max(gains)
        return most, aims[gains.index(most)]

    def kept(self) -> float | None:
        """The most that a torpedo set held back would add, its price left aside; None if there is none."""
        gains = [self.gain(source, target, self.values) + self.torpedo_price
                 for source, aim in self.aim.items() if aim is None and source[2] for target in self.choices[source]]
        return max(gains, default=None)

    def greedily(self) -> None:
        """Whatever adds most is ordered next, until nothing adds anything."""
        idle = list(self.choices)
        while idle:
            offers = [self.best(source, self.values) for source in idle]
            n = max(range(len(idle)), key=lambda i: offers[i][0])
            target = offers[n][1]
            if target is None:
                return
            source = idle.pop(n)
            self.aim[source] = target
            self.values[target] = _after(self.values[target], self.rows[source, target])

    def settle(self) -> None:
        """Sources change their targets one by one, as long as one gains by it."""
        moved = True
        while moved:
            moved = False
            for source, aim in self.aim.items():
                values = dict(self.values)
                if aim is not None:
                    values[aim] = self.after(self.fresh[aim], aim, source)
                gain, target = self.best(source, values)
                if gain > self.gain(source, aim, values) + TOLERANCE:
                    moved = True
                    self.aim[source] = target
                    if target is not None:
                        values[target] = _after(values[target], self.rows[source, target])
                    self.values = values


def _value(battle: Scenario, state: State, ship: int, worth: float) -> Row:
    """V of a ship: the worth of 0, 1, 2 ... further points, the last of which sinks her."""
    enough = left(battle, state, ship)
    share = AFLOAT / battle.card(ship).sinking_rate
    fresh = worth * np.append(share * np.arange(enough), 1.0)
    return _after(fresh, ordered(battle, state, ship).row(enough))


def _after(value: Row, fire: Row) -> Row:
    """What V becomes when that fire is ordered; beyond its end V stays as it is there."""
    return np.correlate(np.append(value, np.full(len(fire) - 1, value[-1])), fire, "valid")


# -- What a ship's fire does on average, by range and bearings: the table behind all that a player calculates ahead

SIDES_SHOWN = ("end", "diagonal", "beam", "diagonal")
"""What a target shows to one who bears 0, 1, 2 or 3 eighth-turns from its heading, and so on round (rule F18)."""


@lru_cache(maxsize=512)
def gun_power(card: ShipCard, out: tuple[int, ...]) -> Array:
    """Mean damage of all guns in a move, fired at one target throughout: ``FAR + 1`` ranges x 8 bearings of the target.
    Bearings are relative to the ship's heading. ``out``: guns out of action in each mount."""
    table = np.zeros((FAR + 1, 8))
    for weapon in weapons(card):
        means = np.array([float(weapon.gun.mean_damage(r)) for r in range(FAR + 1)])
        for number in weapon.mounts:
            mount = card.mounts[number]
            arc = np.array([mount.bears(relative) for relative in range(8)])
            table += np.outer(means, (mount.guns - out[number]) * arc)
    return table


@lru_cache(maxsize=4096)
def torpedo_power(card: ShipCard, loaded: int, left: int, yards: int) -> Array:
    """Mean damage of all loaded torpedoes, that beyond what sinks the target left out. ``FAR + 1`` ranges x 4 bearings
    of the ship relative to the target's heading (half a circle)."""
    sets = [tubes for n, tubes in enumerate(card.torpedoes) if loaded >> n & 1]
    ranges = [TABLES.torpedoes[tubes.kind].squares(yards) for tubes in sets]
    table = np.zeros((FAR + 1, 4))
    for reach in sorted(set(ranges), reverse=True):  # the nearer, the more sets reach
        ready = [tubes for tubes, furthest in zip(sets, ranges, strict=True) if furthest >= reach]
        for shown, name in enumerate(SIDES_SHOWN):
            fire: Dist[int] = Dist.point(0)
            for tubes in ready:
                fire = fire + hits(tubes.tubes, ASPECTS[name], TABLES.torpedoes[tubes.kind].damage)
            table[: reach + 1, shown] = sum(float(chance) * min(damage, left) for damage, chance in fire.items())
    return table


@lru_cache(maxsize=4096)
def power(card: ShipCard, out: tuple[int, ...], loaded: int, left: int, yards: int) -> Array:
    """Mean damage of a ship's whole fire at one target, at most what sinks it. ``FAR + 1`` ranges x 8 bearings of the
    target x 4 bearings of the ship from the target."""
    both = gun_power(card, out)[:, :, None] + torpedo_power(card, loaded, left, yards)[:, None, :]
    return np.asarray(np.minimum(both, left))


# -- What the ships of a battle are worth to its sides, in points of the scenario (rule F36) -------

@dataclass(frozen=True, slots=True)
class Stakes:
    """What is at stake for one side."""

    # ship -> the points that change hands if she sinks, and a share for the fight still in her
    value: tuple[float, ...]
    # ship -> the worth of one point of damage to her, as far as it does not more than sink her
    point: tuple[float, ...]
    exit: tuple[float, ...]  # ship -> the points her side gets when she leaves by her exit; 0 if it gets none
    lead: float  # how far the side is ahead, from -1 to 1 of all that is at stake


def destroyed(share: Array) -> Array:
    """What of a ship's remaining value is gained by damage that is, on average, so large a share of what sinks her.
    Half of it is a hurt ship, the other half is had only if she sinks, which a small share hardly ever does."""
    return np.asarray(AFLOAT * share + (1 - AFLOAT) * share**2)


def stakes(battle: Scenario, view: State, me: int, figures: Mapping[str, float]) -> Stakes:
    """What is at stake as a side sees it. Damage is worth something only while it does not sink: a ship with damage d
    of her rate R has lost ``AFLOAT * d / R`` of her value, and the rest goes with the points that are left."""
    prices = _prices(battle)
    whole = sum(price.sunk + price.away for price in prices)
    fight = figures["fighting_value"] * whole / sum(price.card for price in prices)
    scores = [play.score(battle, view, side) for side in (0, 1)]
    lead = (scores[me] - scores[1 - me]) / whole if whole else 0.0
    late = view.move / battle.moves
    value, point = [], []
    for n, ship in enumerate(view.ships):
        # Late in a battle that is won our own ships count for more, in one that is lost for less.
        caution = 1 + figures["caution"] * lead * late if battle.side(n) == me else 1.0
        caution = min(max(caution, figures["boldest"]), 1 / figures["boldest"])
        gone = ship.fate in (Fate.SUNK, Fate.LEFT)
        value.append(0.0 if gone else (prices[n].sunk + prices[n].away + fight * prices[n].card) * caution)
        rate = battle.card(n).sinking_rate
        point.append(value[n] * (1 - AFLOAT * ship.damage / rate) / (rate + 1 - ship.damage) if not gone else 0.0)
    return Stakes(tuple(value), tuple(point), tuple(price.exit for price in prices), lead)


@dataclass(frozen=True, slots=True)
class _Price:
    """Points of a ship: the enemy's if she sinks; her side's if she gets away, and by leaving; her card's."""

    sunk: float
    away: float
    exit: float
    card: int


@lru_cache(maxsize=64)
def _prices(battle: Scenario) -> tuple[_Price, ...]:
    found = []
    for n, unit in enumerate(battle.units):
        sunk, leave = _points(battle, n, "sink") + 4 * _points(battle, n, "damage"), _points(battle, n, "exit")
        away = _points(battle, n, "survive")
        safe = away if any(s.side != unit.side and s.armed for s in battle.flights) else 0.0  # away she is safe
        found.append(_Price(sunk, away + leave, leave + safe, points(unit.card)))
    return tuple(found)


def paid(battle: Scenario, ship: int) -> float:
    """The points that change hands if a ship sinks: what the aims bring the enemy, and what they would bring her side.
    """
    price = _prices(battle)[ship]
    return price.sunk + price.away


def _points(battle: Scenario, ship: int, aim: str) -> float:
    """What an aim brings once for a ship."""
    aims = (a for a in battle.objectives if a.aim == aim and ship in a.of)
    return float(sum(a.points or points(battle.card(ship)) for a in aims))


# -- The figures the players go by, and the sentences that give their reasons ----------------------

_ROWS = read(HOME, "data/bots.toml")["figure"]
FIGURES: Mapping[str, float] = {row["name"]: float(sourced(row, f"figure {row['name']}")["value"]) for row in _ROWS}
"""Name -> value; bots.toml says what each is for."""
SAY = Words.load(HOME, "data/bots_words.toml")


TURNS = 0, 1, 7  # on ahead, to starboard, to port: eighths of a circle
UNLIKELY = 1e-9  # of a disc where no walk leads: weather and old damage may have slowed her on her way
ALARM = 2  # moves that a boat which was known stays down
EXACT = 10  # discs up to which all ways to give them ships are summed; beyond, each disc is looked at alone

Place = tuple[int, int]  # square, heading


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """What is believed about the enemies whose places are not known."""

    ships: tuple[int, ...]
    discs: tuple[int, ...]  # their squares; none behind the screen
    which: Array  # discs x ships: the chance that the disc is that ship; rows and columns sum to 1
    places: Array  # ships x squares x 8 headings: where each is, each summing to 1
    disc_headings: Array  # discs x 8: how each heads, whichever ship it is


def believe(seen: Observation) -> Belief:
    """What the side that looks may believe about hidden enemies."""
    battle, view, foe = seen.battle, seen.view, 1 - seen.me
    hidden = [n for n in battle.fleet(foe) if view.ships[n].fate is Fate.AT_SEA and view.ships[n].square == HIDDEN]
    walked = np.zeros((len(hidden), battle.grid.size, 8))
    done = sight.moved(view, foe)
    for row, ship in enumerate(hidden):
        for ended in (False, True) if done is None else (done,):
            walked[row] += _followed(seen, ship, view.move - 1 + ended)
    if battle.wide:  # where one looks and sees nothing she is not; a boat may be there, dived
        seen_by_us = sorted(sight.watched(battle, view, seen.me))
        for row, ship in enumerate(hidden):
            if not battle.card(ship).boat:
                walked[row, seen_by_us] *= UNLIKELY
    walked /= np.maximum(walked.sum(axis=(1, 2), keepdims=True), UNLIKELY**3)
    if not seen.discs:
        return Belief(tuple(hidden), (), np.zeros((0, len(hidden))), walked, np.zeros((0, 8)))
    which, headings = _told_by(seen.discs, walked)
    told = which[:, :, None] * headings
    places = np.zeros_like(walked)
    np.add.at(places.transpose(1, 0, 2), list(seen.discs), told)
    return Belief(tuple(hidden), seen.discs, which, places, told.sum(axis=1))


def onward(seen: Observation, ship: int, places: Array) -> Array:
    """Where a ship that is believed to be in those places may be when she has made the move that is due, in the weather
    of where she is likeliest to be."""
    if seen.battle.card(ship).boat:
        return dived(seen.battle, 1 - seen.me, places)
    there = with_ship(seen.view, ship, square=int(places.sum(axis=1).argmax()))
    return _move(seen.battle, 1 - seen.me, squares_a_move(seen.battle, there, ship), seen.view.move, places)


def _followed(seen: Observation, ship: int, until: int) -> Array:
    """Where a hidden ship may be after a number of moves, from what is known of her."""
    unit, last = seen.battle.units[ship], seen.view.ships[ship].seen
    starts: tuple[Place, ...]
    if last:
        starts, since = ((last.square, last.heading),), last.moves
    elif unit.enters:
        starts, since = tuple((square, unit.heading) for square in unit.entry), unit.enters - 1
    else:
        starts, since = ((unit.square, unit.heading),), 0
    if seen.battle.card(ship).boat:
        return _prowled(seen, ship, starts, since, until)
    allowances = tuple(_allowance(seen, ship, move) for move in range(since + 1, until + 1))
    return _walked(seen.battle, seen.battle.side(ship), starts, since, allowances)


def _prowled(seen: Observation, ship: int, starts: tuple[Place, ...], since: int, until: int) -> Array:
    """Where a boat may be that nobody sees: dived she stays or goes to one of the squares beside her, all alike, by
    night she may go on the surface too; and each search in vain makes its square the less likely (rule F50)."""
    battle, places = seen.battle, np.zeros((seen.battle.grid.size, 8))
    np.add.at(places, tuple(np.array(starts).T), 1 / len(starts))
    for move in range(since + 1, until + 1):
        lost = seen.view.ships[ship].seen is None or move > since + ALARM
        surfaced = FIGURES["belief_surfaced"] * lost if sight.is_night(battle, move) else 0.0
        places = ((1 - surfaced) * dived(battle, 1 - seen.me, places)
                  + surfaced * _move(battle, battle.side(ship), _allowance(seen, ship, move), move, places))
        for search in seen.view.searched:
            if search.move == move:
                places[search.square] *= 1 - (1 - surfaced) * (7 - search.need) / 6
    return places


def dived(battle: Scenario, side: int, places: Array) -> Array:
    """One move of a dived boat: she stays, or goes to a square beside hers, all alike; how she heads nobody knows."""
    ways = _beside(battle.grid, battle.land | battle.harbours[1 - side])
    return np.repeat((places.sum(axis=1) @ ways)[:, None] / 8, 8, axis=1)


@lru_cache(maxsize=32)
def _beside(grid: SquareGrid, closed: frozenset[int]) -> Array:
    """The chance of a dived boat's step from each square to each other."""
    found = np.zeros((grid.size, grid.size))
    for square in range(grid.size):
        near = {square, *(to for to in grid.neighbours[square] if distance(grid, square, to) == 1)} - closed
        for to in near:
            found[square, to] = 1 / len(near)
    return found


def _allowance(seen: Observation, ship: int, move: int) -> int:
    """The squares she goes in a move in calm weather, as hurt as she is taken to be now."""
    card = seen.battle.card(ship)
    full, lost = full_speed(card.speed, move), quarters(seen.view.ships[ship].damage, card.sinking_rate)
    return min(full, 1) if lost >= 3 else min(full, max(1, full - lost))


@lru_cache(maxsize=512)
def _walked(battle: Scenario, side: int, starts: tuple[Place, ...], since: int, allowances: tuple[int, ...]) -> Array:
    """The chance of every square and heading after moves of those lengths from any of the starts."""
    if not allowances:
        found = np.zeros((battle.grid.size, 8))
        np.add.at(found, tuple(np.array(starts).T), 1 / len(starts))
        return found
    before = _walked(battle, side, starts, since, allowances[:-1])
    return _move(battle, side, allowances[-1], since + len(allowances), before)


def _move(battle: Scenario, side: int, allowance: int, move: int, places: Array) -> Array:
    """One move of a walk from places with their chances: squares x 8 before and after. Ships that have spent equally
    much are moved on together, those that have spent least first."""
    closed = battle.land | battle.halves[1 - side] if sight.is_screened(battle, move) else battle.land
    to, chance = _steps(battle.grid, closed)
    spent = np.zeros((allowance + 1, *places.shape))
    spent[0] = places
    if allowance:
        about = FIGURES["belief_about"] * places
        spent[0] -= about
        spent[1] += np.roll(about, 4, axis=1)
    ended = spent[allowance].copy()
    for cost in range(allowance):
        left = spent[cost].copy()
        for turn in TURNS:
            for heading in range(8):
                course = (heading + turn) % 8
                after = cost + step_cost(course)
                if after > allowance and not (allowance == 1 and cost == 0):
                    continue
                going = spent[cost][:, heading] * chance[:, heading, turn]
                left[:, heading] -= going
                end = ended if after >= allowance else spent[after]
                end[:, course] += np.bincount(to[:, course], going, len(going))
        ended += left
    return np.asarray(ended)


@lru_cache(maxsize=32)
def _steps(grid: SquareGrid, closed: frozenset[int]) -> tuple[Array, Array]:
    """The next square on every heading, squares x 8, and the chance of a step: squares x headings x turns before it.
    What is wanting to 1 is the chance to lie to."""
    to, may = np.zeros((grid.size, 8), dtype=np.int64), np.zeros((grid.size, 8), dtype=bool)
    for square in range(grid.size):
        for heading in range(8):
            beyond = [ahead(grid, square, (heading + side) % 8) for side in (0, -1, 1)]
            cuts = heading % 2 == 1 and all(each in closed for each in beyond[1:])
            if beyond[0] is not None and beyond[0] not in closed and not cuts:
                to[square, heading], may[square, heading] = beyond[0], True
    chance = np.zeros((grid.size, 8, 8))
    for turn in TURNS:
        weight = FIGURES["belief_turn"] if turn else 1.0
        chance[:, :, turn] = weight * np.roll(may, -turn, axis=1)
    return to, chance / (chance.sum(axis=2, keepdims=True) + FIGURES["belief_stop"])


def _told_by(discs: Sequence[int], walked: Array) -> tuple[Array, Array]:
    """What discs say: the chance that a disc is a ship, discs x ships; and how each ship would head there, x 8."""
    there = walked[:, list(discs)].transpose(1, 0, 2) + UNLIKELY
    weights = there.sum(axis=2)
    return assigned(weights), there / weights[:, :, None]


def assigned(weights: Array) -> Array:
    """The chance that each disc is each ship, if a way to give ships to discs is as likely as the product of its
    weights; discs x ships. Sets of ships are numbers in binary. ``before[k]`` sums the ways to give the first k discs
    to each set, ``after[k]`` those to give the others to the ships that are left."""
    count = len(weights)
    weights = weights / weights.max(axis=1, keepdims=True, initial=0.0) if count else weights
    if count > EXACT:
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))
    sets = np.arange(1 << count)
    without = [sets[sets >> ship & 1 == 0] for ship in range(count)]
    before, after = np.zeros((2, count + 1, 1 << count))
    before[0, 0] = after[count, -1] = 1.0
    for k in range(count):
        for ship, free in enumerate(without):
            before[k + 1, free | 1 << ship] += before[k, free] * weights[k, ship]
            after[count - 1 - k, free] += after[count - k, free | 1 << ship] * weights[count - 1 - k, ship]
    found = [[before[k, free] @ after[k + 1, free | 1 << ship] * weights[k, ship] for ship, free in enumerate(without)]
             for k in range(count)]
    return np.array(found).reshape(count, count) / max(float(after[0, 0]), np.finfo(float).tiny)
