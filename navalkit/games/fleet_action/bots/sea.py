"""The position as a player sees it: his ships, where enemies lie or may go, and what all fire is worth there."""

from __future__ import annotations
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from navalkit.grids.square import distance
from .. import sight
from ..cards import allowance, quarters
from ..rules.gunnery import mine
from ..rules.mines import SWEEPER
from ..rules.sailing import DEPOT, can_move, full_load, reach
from ..sight import NIGHT_SIGHT, Observation
from ..state import HIDDEN, MINES_A_SQUARE, Fate, Phase, Scenario, State, weapons
from .belief import (
    FAR,
    FIGURES,
    UNREACHED,
    Array,
    Belief,
    Chart,
    Stakes,
    believe,
    chart,
    destroyed,
    onward,
    power,
    sailing_distance,
    stakes,
)

DOUBT = 0.02  # a disc is not taken for a ship that it is less likely to be


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

    ships: tuple[int, ...]  # the ships it may be
    chances: tuple[float, ...]  # of each of them
    square: int  # where it lies, or is thought to lie
    places: Places  # where it may be when the guns fire
    likely: Array  # the chance of each of them, as far as nobody chooses
    moves: bool  # whether it will choose among them


class Sea:
    """A position, from what one side sees. ``figures``: what the player goes by (bots.toml). ``own``: the ships of the
    side that are on the board."""

    def __init__(self, seen: Observation, figures: Mapping[str, float] = FIGURES) -> None:
        self.figures = figures
        self.seen = seen
        self.battle: Scenario = seen.battle
        self.view: State = seen.view
        self.me = seen.me
        self.chart: Chart = chart(self.battle.grid, self.battle.land)
        self.stakes: Stakes = stakes(self.battle, self.view, self.me, figures)
        ships = self.view.ships
        self.own = tuple(n for n in self.battle.fleet(self.me) if ships[n].fate is Fate.AT_SEA)
        self.dark = sight.is_night(self.battle, self.view.move)
        self.belief: Belief | None = None
        self.foes = (*self._known(), *self._hidden(seen))
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
                found.append(Foe((n,), (1.0,), ship.square, _places(places), _even(len(places)), waits))
        return found

    def _hidden(self, seen: Observation) -> list[Foe]:
        """The others: discs, and ships behind the screen, by night as they are believed to be, by day as they began: in
        fog the belief has won nothing."""
        if not (self.figures["belief"] and self.dark or self.battle.wide or self.battle.boats):
            return self._discs(seen)
        self.belief = belief = believe(seen)
        waits = self.view.side == self.view.first and self.view.phase is Phase.MOVE
        if not belief.discs:
            return [self._believed((n,), (1.0,), onward(seen, n, places) if waits else places)
                    for n, places in zip(belief.ships, belief.places, strict=True)]
        found = []
        for square, row, headings in zip(belief.discs, belief.which, belief.disc_headings, strict=True):
            likely = [(n, float(chance)) for n, chance in zip(belief.ships, row, strict=True) if chance >= DOUBT]
            total = sum(chance for _, chance in likely)
            places = np.zeros((self.battle.grid.size, 8))
            places[square] = headings
            if waits:
                places = np.asarray(sum(chance / total * onward(seen, n, places) for n, chance in likely))
            ships, chances = tuple(n for n, _ in likely), tuple(chance / total for _, chance in likely)
            found.append(self._believed(ships, chances, places, square))
        return found

    def _believed(self, ships: tuple[int, ...], chances: tuple[float, ...], places: Array, square: int = -1) -> Foe:
        """An enemy in the likeliest of those places; it lies in the likeliest square, if in none for certain."""
        order = np.argsort(-places, axis=None, kind="stable")[: int(self.figures["belief_places"])]
        chance = places.ravel()[order]
        order, chance = order[chance > 0], chance[chance > 0]
        at = Places(*np.divmod(order, 8))
        lies = int(places.sum(axis=1).argmax()) if square < 0 else square
        return Foe(ships, chances, lies, at, chance / chance.sum(), False)

    def _discs(self, seen: Observation) -> list[Foe]:
        """The others: where discs lie, or, behind the screen, where the scenario sets them out."""
        battle, ships = self.battle, self.view.ships
        unknown = tuple(
            n for n in battle.fleet(1 - self.me) if ships[n].fate is Fate.AT_SEA and ships[n].square == HIDDEN
        )
        if seen.discs:
            shared = (1 / len(unknown),) * len(unknown)
            return [Foe(unknown, shared, square, _all_round(square), _even(8), False) for square in seen.discs]
        return [Foe((n,), (1.0,), battle.units[n].square, _all_round(battle.units[n].square), _even(8), False)
                for n in unknown if battle.units[n].square >= 0]

    def under(self, foe: Foe) -> bool:
        """Whether an enemy is a boat that is dived, or out of sight: nothing can be fired at her."""
        return all(self.battle.card(n).boat and self.view.ships[n].dived for n in foe.ships)

    # What fire is worth ------------------------------------------------------------------------------------------

    def ours(self, ship: int, foe: Foe, before: float = 0.0, fish: bool = True) -> Array:
        """Worth of a ship's fire at an enemy: ranges x bearings of it x bearings of the ship (see `power`). ``before``
        is the share of what sinks it that others do to it anyway; what they do is not counted again. Without ``fish``
        her torpedoes are left out."""
        if (key := (ship, foe, before, fish)) not in self._ours:
            self._ours[key] = self._at_them(ship, foe, before, fish)
        return self._ours[key]

    def _at_them(self, ship: int, foe: Foe, before: float, fish: bool) -> Array:
        if self.under(foe):
            return np.zeros((FAR + 1, 8, 4))
        share = np.minimum(before + self._share(ship, foe, fish), 1.0)
        price = sum(p * self.stakes.point[n] * self._left(n) for n, p in zip(foe.ships, foe.chances, strict=True))
        return price * (destroyed(share) - destroyed(np.array(before)))

    def _share(self, ship: int, foe: Foe, fish: bool = True) -> Array:
        """Mean damage of a ship's fire at an enemy, as a share of what sinks it."""
        own, card = self.view.ships[ship], self.battle.card(ship)
        yards = self.battle.torpedo_yards
        return np.asarray(
            sum(chance * power(card, own.out, own.loaded * fish, self._left(n), yards) / self._left(n)
                for n, chance in zip(foe.ships, foe.chances, strict=True))
        )

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
            worth = [self._mean(here, foe, each) for foe, each in zip(self.foes, tables, strict=True)]
            if max(worth) > 0:
                aim = int(np.argmax(worth))
                share = self._mean(here, self.foes[aim], self._share(ship, self.foes[aim]))
                done[aim] = min(1.0, done[aim] + share)
        return done

    def _mean(self, here: Places, foe: Foe, table: Array) -> float:
        """A table of fire from one place, over all that an enemy may lie in."""
        return float(self._at(here, foe, table)[0] @ foe.likely)

    def theirs(self, foe: Foe, ship: int, fish: bool = True) -> Array:
        """Worth of an enemy's fire at a ship, likewise; less than in full, for what is fired at her spares another."""
        if (key := (foe, ship, fish)) not in self._theirs:
            self._theirs[key] = self._at_us(foe, ship, fish)
        return self._theirs[key]

    def _at_us(self, foe: Foe, ship: int, fish: bool) -> Array:
        tables = []
        for n, chance in zip(foe.ships, foe.chances, strict=True):
            other = self.view.ships[n]
            fire = power(self.battle.card(n), other.out, other.loaded * fish, self._left(ship),
                         self.battle.torpedo_yards)
            tables.append(chance * self.figures["boldness"] * self._worth(ship, fire))
        return np.asarray(sum(tables))

    def _worth(self, ship: int, fire: Array) -> Array:
        """The worth of mean damage to a ship."""
        left = self._left(ship)
        return self.stakes.point[ship] * left * destroyed(fire / left)

    def _left(self, ship: int) -> int:
        return self.battle.card(ship).sinking_rate + 1 - self.view.ships[ship].damage

    def exchange(self, ship: int, at: Places, foe: Foe) -> tuple[Array, Array]:
        """Worth of one move's fire of a ship at an enemy, and of the enemy's at her: her places x its places."""
        before = 0.0 if not can_move(self.view, ship) else float(self.engaged[self.foes.index(foe)])
        lines = self.lines(at, foe)
        dealt = self._at(at, foe, self.ours(ship, foe, before), lines)
        they = self._fires(foe.places.squares, 1 - self.me)
        # The same lines the other way round: its own bearing first, then how she lies to it.
        taken = self.theirs(foe, ship)[lines.far, lines.back % 8, lines.to % 4]
        return dealt, taken * (lines.seen & they & self.shows(lines.far, self.view.ships[ship].marked))

    def _at(self, at: Places, foe: Foe, table: Array, lines: Lines | None = None) -> Array:
        """A table of a ship's fire at an enemy, read off where she may fire at it: her places x its places."""
        lines = lines or self.lines(at, foe)
        marked = all(self.view.ships[n].marked for n in foe.ships)
        may = lines.seen & self._fires(at.squares, self.me)[:, None] & self.shows(lines.far, marked)
        return np.asarray(table[lines.far, lines.to % 8, lines.back % 4] * may)

    def lines(self, at: Places, foe: Foe) -> Lines:
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


def _even(count: int) -> Array:
    """The same chance for all."""
    return np.full(count, 1 / count)


def _all_round(square: int) -> Places:
    """A square on every heading."""
    return Places(np.full(8, square), np.arange(8))


# -- What a range promises for later moves: a ship that can fight closes to where her weapons tell, a crippled one opens
# A battle is a matter of a few moves, and torpedoes decide it: fire not brought to bear is lost. So a ship that can
# fight loses a share of her value for every square she lies beyond the range she fights at: that of her torpedoes
# while she has any, else just inside that of her main guns. A crippled ship gains by every square instead. Enemies
# count as far as they are likely to be her target. None draws a ship that is paid for leaving once it is time to go.

def range_values(sea: Sea, ship: int, ranges: int) -> Array:
    """The value of being at each range from 0 up, enemy by enemy, for a ship of one's own. Enemies x ranges, in points
    of the scenario."""
    beyond = np.maximum(0, np.arange(ranges) - fighting_range(sea, ship))
    pull = sea.figures["away"] if is_crippled(sea, ship) else 0.0 if _must_go(sea, ship) else -sea.figures["pull"]
    if sea.battle.card(ship).deck:  # a carrier keeps out of the way, and no further
        beyond, pull = np.minimum(0, np.arange(ranges) - int(sea.figures["keep"])), sea.figures["away"]
    drawn = np.outer(sea.aims[sea.own.index(ship)], pull * sea.stakes.value[ship] * beyond)
    drawn[[sea.under(foe) for foe in sea.foes]] = 0.0
    return np.asarray(drawn + _strikes(sea, ship, ranges))


def _must_go(sea: Sea, ship: int) -> bool:
    """Whether a ship can still leave in time where that pays, and has no moves to spare."""
    left = sea.battle.moves - sea.view.move
    away = (_moves_away(sea, ship, task.where)[sea.view.ships[ship].square] for task in _exits(sea, ship))
    return any(left - sea.figures["spare"] <= moves <= left for moves in away)


def _strikes(sea: Sea, ship: int, ranges: int) -> Array:
    """What the blows of the next move are worth from each range: enemies x ranges.

    The side that moves second in the next move chooses how both ships lie to each other, and strikes only if that is
    in its favour; the side that moves first has to take that, and does well to be out of reach. Within the range of
    torpedoes they are fired in this move, and the next has guns alone.
    """
    row = sea.own.index(ship)
    second = sea.view.side == sea.view.first  # the first now is the second then
    own = _squares(sea, ship)
    shown = sea.shows(np.arange(FAR + 1), sea.view.ships[ship].marked)
    found = np.zeros((len(sea.foes), ranges))
    for n, foe in enumerate(sea.foes if sea.figures["threat"] else ()):
        reach = own if second else max(_squares(sea, k) for k in foe.ships)
        near = np.arange(ranges) <= max(_fish(sea, k) for k in (ship, *foe.ships))
        lit = sea.shows(np.arange(FAR + 1), all(sea.view.ships[k].marked for k in foe.ships))
        worth = []
        armed = any(sea.view.ships[k].loaded for k in (ship, *foe.ships))
        for fish in (True, False) if armed else (False,):
            ours, theirs = (t.max(axis=1) for t in (sea.ours(ship, foe, 0.0, fish), sea.theirs(foe, ship, fish)))
            does, takes = (ours.max(axis=1), theirs.min(axis=1)) if second else (ours.min(axis=1), theirs.max(axis=1))
            gain = sea.aims[row, n] * does * lit - sea.figures["prudence"] * sea.aimed_at[row, n] * takes * shown
            worth.append(_within(np.maximum(gain if second else -gain, 0), reach, ranges))
        found[n] = np.where(near, worth[-1], worth[0]) * (1 if second else -1)
    return np.asarray(sea.figures["threat"] * found)


def _fish(sea: Sea, ship: int) -> int:
    """How far the torpedoes go that a ship has loaded."""
    sets, loaded = sea.battle.card(ship).torpedoes, sea.view.ships[ship].loaded
    return max((sea.battle.torpedo_range(ship, n) for n in range(len(sets)) if loaded >> n & 1), default=0)


def _squares(sea: Sea, ship: int) -> int:
    """How far a ship goes in a move, on average."""
    card = sea.battle.card(ship)
    return max(1, sum(allowance(card.speed)) // 2 - quarters(sea.view.ships[ship].damage, card.sinking_rate))


def _within(blow: Array, squares: int, ranges: int) -> Array:
    """The best blow from any range at most that many squares nearer or further; beyond the table, none."""
    best = np.zeros(ranges + 2 * squares + len(blow))
    for shift in range(2 * squares + 1):
        np.maximum(best[shift : shift + len(blow)], blow, out=best[shift : shift + len(blow)])
    return best[squares : squares + ranges]


def fighting_range(sea: Sea, ship: int) -> int:
    """The range at which a ship fights: that of her torpedoes, or one square inside that of her main guns; by night no
    further than ships are seen."""
    own, card = sea.view.ships[ship], sea.battle.card(ship)
    fish = [sea.battle.torpedo_range(ship, n) for n in range(len(card.torpedoes)) if own.loaded >> n & 1]
    guns = [weapon.gun.range - 1 for weapon in weapons(card) if weapon.battery == "main"]
    return min(max(fish or guns, default=0), NIGHT_SIGHT if sea.dark else FAR)


def is_crippled(sea: Sea, ship: int) -> bool:
    """Whether a ship is too badly hurt to fight on."""
    own, card = sea.view.ships[ship], sea.battle.card(ship)
    return quarters(own.damage, card.sinking_rate) >= sea.figures["retreat"]


# -- What a ship is sent to do besides fighting, as a value of every square: exits, islands, harbours, depot ships

UNARMED = "merchant", DEPOT  # ships not built to fight
REPAIR = 0.1  # share of the sinking rate mended in a move in harbour (rule F22)


@dataclass(frozen=True, slots=True)
class Task:
    """Something to be done at certain squares."""

    rule: str
    key: str  # of the sentence that tells of it
    worth: float  # in points of the scenario
    where: frozenset[int]  # the squares where it is done
    name: str = ""  # what it is called there: an island's name


def tasks(sea: Sea, ship: int) -> tuple[Task, ...]:
    """What there is to do for a ship of one's own."""
    return (*_exits(sea, ship), *_islands(sea, ship), *_shelter(sea, ship), *_mines(sea, ship))


def _exits(sea: Sea, ship: int) -> Iterator[Task]:
    """The way out that pays; a ship not built to fight is also out of danger there, with all that she is worth."""
    if (gain := sea.stakes.exit[ship]) and (exits := sea.battle.exits[sea.me]):
        safety = sea.figures["haven"] * sea.stakes.value[ship] if sea.battle.card(ship).type in UNARMED else 0.0
        yield Task("F12", "task.exit", gain + safety, exits)


def _islands(sea: Sea, ship: int) -> Iterator[Task]:
    """The islands to be captured, each a task of the ship that is nearest to it."""
    battle, view = sea.battle, sea.view
    for aim in battle.objectives:
        if aim.aim != "island":
            continue
        for island in aim.of:
            owner, shore = view.islands[island].owner, battle.shores[island]
            wanted = aim.side == sea.me and owner != sea.me or aim.side != sea.me and owner == aim.side
            if wanted and shore:
                away = sailing_distance(battle.grid, battle.land, shore)
                if ship == min(sea.own, key=lambda n: (away[view.ships[n].square], n)):
                    yield Task("F35", "task.island", float(aim.points), shore, battle.islands[island].name)


def _shelter(sea: Sea, ship: int) -> Iterator[Task]:
    """A harbour for a ship that is badly hurt; torpedoes for one that has fired all of hers."""
    battle, own, card = sea.battle, sea.view.ships[ship], sea.battle.card(ship)
    worth = sea.stakes.point[ship] * REPAIR * card.sinking_rate
    if (ports := battle.harbours[sea.me]) and quarters(own.damage, card.sinking_rate) >= sea.figures["crippled"]:
        yield Task("F22", "task.harbour", sea.figures["moves_in_harbour"] * worth, ports)
    depots = frozenset(sea.view.ships[n].square for n in battle.fleet(sea.me)
                       if battle.card(n).type == DEPOT and sea.view.ships[n].fate is Fate.AT_SEA and n != ship)
    if card.torpedoes and not own.loaded and full_load(battle, ship) and (depots | ports):
        yield Task("F21", "task.reload", sea.figures["reloading"] * sea.stakes.value[ship], depots | ports)


def _mines(sea: Sea, ship: int) -> Iterator[Task]:
    """Enemy mines for a sweeper to sweep; for a minelayer squares that enemies are likely to pass."""
    card = sea.battle.card(ship)
    most = max((sea.stakes.value[n] for n in sea.own), default=0.0)
    swept = frozenset(f.square for f in sea.view.fields if f.side != sea.me)
    if card.type == SWEEPER and swept:
        yield Task("F26", "task.sweep", sea.figures["sweeping"] * most, swept)
    if sea.view.ships[ship].mines >= MINES_A_SQUARE:
        passed = passing(sea)
        likely = frozenset(int(s) for s in np.flatnonzero(passed >= sea.figures["mining"] * passed.max(initial=0.0)))
        if passed.max(initial=0.0) > 0:
            yield Task("F23", "task.lay", float(passed.max()) * mean_mine(), likely)


@cache
def mean_mine() -> float:
    """Mean damage of a mined square (rule F24)."""
    return float(mine().mean)


def passing(sea: Sea) -> Array:
    """For every square without mines of one's own, how likely enemies are to pass it, times the worth of a point. An
    enemy bound for an exit is as likely to pass each of the squares at the same distance on its shortest ways there."""
    battle, total = sea.battle, np.zeros(sea.battle.grid.size)
    for foe in sea.foes:
        for n, chance in zip(foe.ships, foe.chances, strict=True):
            if sea.stakes.exit[n]:
                goal = sailing_distance(battle.grid, battle.land, battle.exits[1 - sea.me])
                way = sailing_distance(battle.grid, battle.land, frozenset((foe.square,))) + goal
                ahead = (way == goal[foe.square]) & (goal < goal[foe.square])
                across = np.bincount(goal[ahead], minlength=UNREACHED + 1)[goal]
                total += np.where(ahead, chance * sea.stakes.point[n] / np.maximum(across, 1), 0.0)
    total[[f.square for f in sea.view.fields if f.side == sea.me]] = 0.0
    return total


def task_values(sea: Sea, ship: int, found: tuple[Task, ...]) -> Array:
    """What a ship's tasks are worth from every square: each the less, the more moves it is away; 0 if too late."""
    total = np.zeros(sea.battle.grid.size)
    left = sea.battle.moves - sea.view.move
    for task in found:
        moves = _moves_away(sea, ship, task.where)
        # To leave takes a move of its own, from a square of the exit on (rule F12).
        total += np.where(moves <= left, task.worth * sea.figures["patience"] ** moves, 0.0)
    return total


def _moves_away(sea: Sea, ship: int, where: frozenset[int]) -> Array:
    """How many moves a ship needs to the nearest of those squares from every square; infinite if there is no way."""
    card, own = sea.battle.card(ship), sea.view.ships[ship]
    squares = sum(allowance(card.speed)) / 2 - quarters(own.damage, card.sinking_rate)
    away = sailing_distance(sea.battle.grid, sea.battle.land, where)
    return np.asarray(np.where(away < UNREACHED, away / max(squares, 1.0), np.inf))
