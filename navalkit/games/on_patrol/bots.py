"""The game's own players."""

from __future__ import annotations
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import islice, pairwise
from typing import Any

import numpy as np

from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.core.trace import Decision, Fact, Finding, Luck, Option
from navalkit.core.words import Text, percent
from navalkit.grids.hex import Hex, turn_between
from navalkit.grids.hex_moves import reachable
from navalkit.players.captains import captains, with_captains
from .combat.damage import AWASH, as_escorts_see, in_sight, limits
from .combat.rolls import duty, one_attack, radar, sonar
from .combat.torpedoes import LAUNCH_DEPTH, ready, tubes_for
from .data import words
from .escort.automaton import decide
from .escort.pattern import assign, next_to_move
from .odds.solution import Solution, solutions
from .rules.game import DIVE, top_speed, why_not_order
from .rules.sequence import next_boat
from .sea.combat_tables import COMBAT
from .sea.scenario import DEPTHS
from .sea.state import Boat, Charge, MarkerKind, Order, Phase, Role, Shot, State, Vessel
from .sea.tables import TABLES, Sea, in_formation

# -- What the escorts will do next turn, as a captain who knows their rules can work it out, and what it costs a boat
# Their moves hang on the markers alone, which lie before them on the sea. Left out is the fleet die, which only shifts
# ships that sail in formation.

CRUISE = 2  # hexes that a fleet makes good in a turn


class Forecast:
    """The next turn for one boat, if she is not in sight at the end of this one. ``state``: in phase 8, before her
    order. ``charges``: where charges will fall. ``ships``: where the escorts will search from, and how fast they will
    have been."""

    def __init__(self, state: State, boat: Boat, sea: Sea) -> None:
        marker = state.marker(boat.id)
        if marker and marker.kind in (MarkerKind.SURFACED, MarkerKind.VISIBLE):  # she dives, and a marker stays
            state = state.with_marker(marker._replace(kind=MarkerKind.CONTACT))
        self.sea = sea
        self._after = self._moved(assign(state).state)
        self.ships: tuple[Vessel, ...] = self._after.escorts
        self.charges: tuple[Charge, ...] = self._after.charges

    def _moved(self, state: State) -> State:
        """The sea after phase 3 of the next turn."""
        state = replace(state, phase=Phase.ESCORTS, moved=(), charges=(), todo=(), torpedoes=())
        ahead = state.fleet.guide.direction
        formed = [v for v in state.escorts if in_formation(state, v)]
        while (id := next_to_move(state)) is not None:
            move = decide(as_escorts_see(state, self.sea), id, trace=False)
            ship = state.vessel(id)
            place = move.action.path[-1] if move.action.path else ship.place
            state = state.with_vessel(replace(ship, place=place, speed=len(move.action.path), hunt=move.hunt))
            state = replace(state, charges=(*state.charges, *move.action.charges), moved=(*state.moved, id))
        for ship in formed:
            bow = ship.place.bow.step(ahead, CRUISE)
            state = state.with_vessel(replace(ship, place=ship.place._replace(bow=bow), speed=CRUISE))
        return state

    def loss(self, boat: Boat) -> float:
        """The hull points that the charges may be expected to cost a boat."""
        bow, weapons = boat.place.bow, COMBAT.weapons
        return sum(_harm(charge.weapon, charge.at.distance(bow))
                   for charge in self.charges if boat.depth <= weapons[charge.weapon].deepest)

    def found(self, boat: Boat) -> float:
        """The chance that sonar or radar finds a boat, in sight or not."""
        missed = 1.0
        for ship in self.ships:
            missed *= 1 - float(sonar(ship, boat, duty(self._after, ship, boat))[0])
            if boat.depth <= AWASH:
                missed *= 1 - float(radar(ship, boat, self.sea)[0])
        return 1 - missed


@lru_cache(maxsize=256)
def _harm(weapon: str, distance: int) -> float:
    if distance > COMBAT.reach(weapon):
        return 0.0
    return float(one_attack(weapon, distance).mean)


# -- The machine captain, called skipper: closes unseen, fires at good odds, goes deep, slips away; with its reasons

SAY = words("skipper.toml")

PERISCOPE = 50  # feet: she sees and is not seen
CLOSE = 24  # hexes to the nearest ship of the convoy within which she works out firing solutions
UPON, HUNTED = 3, 10  # hexes to the nearest escort at which she evades: always, and if they know where she is
AWAY, DEEP, FOUND, WAY = 0.05, 0.3, 2.0, 0.5
"""Hull points that it is worth to get a hex away and 50 ft deeper, and that it costs to be found; and those of a hex on
her way off the map. While she closes, a hex of her way is worth a hull point."""
SEEN, NIGHT = 20, 7  # what it costs to show herself by night, and the hexes from a ship within which she does
BERTH = 6  # hexes she keeps from escorts while she closes
ROOM = 100  # feet she keeps clear of the depth that crushes her
HAIR = 1e-9  # what two sums of the same may differ by
LATE = 8  # turns before the end in which a fair chance is good enough


@dataclass(frozen=True, slots=True)
class _Plan:
    """What she means to do: the rule of thumb that said so, and how good it is to come to lie so (higher is better).
    ``goods``: what makes a place good, each for itself: what an order gains and what it costs is told by them."""

    key: str
    depths: tuple[int, ...]
    worth: Callable[[Boat], float]
    shots: tuple[Shot, ...] = ()
    goods: Callable[[Boat], Mapping[str, float]] = lambda _: {}
    facts: Mapping[str, Any] = field(default_factory=dict)


class Skipper:
    """A sensible captain, one boat and one turn at a time.

    ``game``: what is played: its ``sea`` says how long the hunt lasts and what the package holds, its ``scenario``
    whether there was anything but escorts. ``patience``: the chance of a hit for one torpedo at which she fires, 0 to
    1; at half of it rather than lose the chance: an escort is near, or time is short. ``care``: how much the harm that
    the next turn may bring weighs with her, from 0; 1 is its worth in hull points. ``salvo``: how many torpedoes she
    fires on a course at most, 1 or more. OptionError if a number is out of range.
    """

    name = "skipper"

    def __init__(self, game: Any, patience: float = 0.3, care: float = 1.0, salvo: int = 4) -> None:
        if not (0 <= patience <= 1 and care >= 0 and salvo >= 1):
            raise OptionError(SAY("skipper.numbers"))
        self.good, self.fair = Fraction(patience).limit_denominator(100), Fraction(patience / 2).limit_denominator(100)
        self.care, self.salvo = care, salvo
        self.game = game
        self.sea: Sea = game.sea
        self._solved: tuple[Any, tuple[Solution, ...]] | None = None

    def decide(self, observation: State, legal: Sequence[Order], rng: Luck = None) -> Decision:
        """The order for the boat whose turn it is, which the first legal one names; nothing is drawn."""
        if not legal:
            raise IllegalActionError(SAY.phrase("skipper.no_boat_awaits"))
        boat = observation.boat(legal[0].boat)
        plan, findings = self._plan(observation, boat)
        ranked = list(islice(self._ranked(observation, boat, plan), 4)) or [(0.0, legal[0])]
        (_, best), rest = ranked[0], ranked[1:]
        options = (
            Option(best, ranked[0][0]),
            *(Option(order, worth, rejected=SAY.phrase("worse")) for worth, order in rest),
        )
        reason = SAY.phrase(plan.key, **plan.facts, **({} if plan.shots else {"so": _so(boat, best, plan)}))
        return Decision(best, self.name, reason, tuple(findings), options, SAY("skipper.worth_place"))

    def order(self, observation: State, legal: Callable[[], Sequence[Order]], rng: np.random.Generator) -> Order:
        """As `decide`; orders are listed only if none follows the plan, for that takes most of the time."""
        awaits = next_boat(observation)
        if awaits is None:
            raise IllegalActionError(SAY.phrase("skipper.no_boat_awaits"))
        boat = observation.boat(awaits)
        ranked = self._ranked(observation, boat, self._plan(observation, boat)[0])
        return next((order for _, order in ranked), None) or legal()[0]

    def _ranked(self, state: State, boat: Boat, plan: _Plan) -> Iterator[tuple[float, Order]]:
        """Legal orders that follow the plan, the best first: what is asked for is looked at, and no more."""
        found = []
        for depth in plan.depths:
            for place, path in reachable(boat.place, top_speed(boat, depth)).items():
                if plan.shots and place != boat.place:
                    continue  # the solution was worked out for where she lies
                turns = tuple(turn_between(a.direction, b.direction) for a, b in pairwise((boat.place, *path)))
                after = replace(boat, place=place, depth=depth, speed=len(path))
                found.append((plan.worth(after), Order(boat.id, turns, depth, plan.shots)))
        found.sort(key=lambda pair: (-pair[0], len(pair[1].turns), pair[1].turns))
        return (pair for pair in found if why_not_order(state, pair[1], self.sea) is None)

    # What to do ------------------------------------------------------------------------------------------------------

    def _plan(self, state: State, boat: Boat) -> tuple[_Plan, list[Finding]]:
        """The first rule of thumb that applies, with what was asked on the way."""
        findings: list[Finding] = []

        def ask(key: str, yes: bool, no: str = "no", **facts: Any) -> bool:
            told = tuple(Fact(name, value) for name, value in facts.items())
            verdict = SAY.phrase(f"{key}.{'yes' if yes else no}", **facts, upon=UPON, hunted=HUNTED)
            findings.append(Finding("104.1.1", SAY.phrase(f"{key}.ask"), verdict, told))
            return yes

        prey = [v for v in state.vessels if v.role is not Role.ESCORT and not v.sunk]
        armed = any(tube.torpedo for tube in boat.tubes) or any(count for _, count in boat.reloads)
        none = "sunk" if self.game.scenario.ships else "hunters"  # those sunk or fled are gone; she fires at no escort
        if not ask("armed", bool(armed and prey), none if armed else "no", boat=boat.id):
            return self._leave(state, boat, findings[-1].verdict), findings
        if state.phase is Phase.END:  # between two runs of the prolonged attack nothing is fired
            return self._evade(state, boat), findings
        solution = self._solution(state, boat, prey)
        chance = solution.total if solution else Fraction(0)
        threat = self._threat(state, boat)
        enough = self.fair if threat or self.sea.turns - state.turn <= LATE else self.good
        short = "short" if percent(chance) == percent(enough) else "no"  # less by less than is said
        if solution and ask("fire", chance >= enough, short, chance=percent(chance), enough=percent(enough),
                            ship=solution.best or "nobody"):
            return self._fire(state, boat, solution), findings
        if ask("hunted", threat, boat=boat.id):
            return self._evade(state, boat), findings
        return self._approach(state, boat, prey), findings

    def _solution(self, state: State, boat: Boat, prey: Sequence[Vessel]) -> Solution | None:
        """The course with the most points to be expected, if she can fire at all from where she is."""
        near = min(boat.place.bow.distance(v.place.bow) for v in prey) <= CLOSE
        tubes = any(ready(boat, end) for end in ("bow", "stern"))
        if not (near and tubes and boat.depth <= LAUNCH_DEPTH and in_sight(state, boat, self.sea)):
            return None
        return max(self._solutions(state, boat), key=lambda s: (_points(state, s), -s.direction), default=None)

    def _solutions(self, state: State, boat: Boat) -> tuple[Solution, ...]:
        asked = state.vessels, state.fleet, boat
        if self._solved is None or self._solved[0] != asked:
            self._solved = asked, solutions(state, boat, self.sea)
        return self._solved[1]

    def _threat(self, state: State, boat: Boat) -> bool:
        """Whether escorts are upon her, or near and know where she is."""
        near = min((v.place.bow.distance(boat.place.bow) for v in state.escorts), default=99)
        marker = state.marker(boat.id)
        known = marker is not None and marker.kind is not MarkerKind.INVERTED
        return near <= UPON or (known and near <= HUNTED)

    def _fire(self, state: State, boat: Boat, best: Solution) -> _Plan:
        """A salvo on the best course, and what the other tubes can do at a fair chance."""
        shots: list[Shot] = []
        for solution in sorted(self._solutions(state, boat), key=lambda s: -_points(state, s)):
            end, _ = tubes_for(boat.place, solution.direction)
            left = len(ready(boat, end)) - sum(s.number for s in shots if tubes_for(boat.place, s.direction)[0] == end)
            if left and (solution.direction == best.direction or solution.total >= self.fair):
                shots.append(Shot(min(self.salvo, left), solution.direction))
        depth = min(LAUNCH_DEPTH, max(boat.depth, PERISCOPE))
        return _Plan("fires", (depth,), lambda _after: 0.0, tuple(sorted(shots, key=lambda shot: shot.direction)))

    def _risk(self, state: State, boat: Boat) -> Callable[[Boat], float]:
        """What the next turn may cost her, in hull points, at a place and depth."""
        forecast = Forecast(state, boat, self.sea)
        hull = max(1, boat.hull)
        return lambda after: self.care * (forecast.loss(after) * (1 + 4 / hull) + FOUND * forecast.found(after))

    def _evade(self, state: State, boat: Boat) -> _Plan:
        """Where charges and sonar are least to be feared, deep, and away from the target hex and the escorts."""
        marker = state.marker(boat.id)
        escorts = [v.place.bow for v in state.escorts]
        target = marker.target if marker else boat.place.bow
        risk = self._risk(state, boat)

        def worth(after: Boat) -> float:
            bow = after.place.bow
            away = min(bow.distance(target), 8) + 0.5 * min(_nearest(bow, escorts), 12)
            return AWAY * away + DEEP * after.depth / DIVE - risk(after)

        def goods(after: Boat) -> Mapping[str, float]:
            bow = after.place.bow
            return _deep(boat, after) | {"search" if marker else "here": bow.distance(target),
                                         "escort": _nearest(bow, escorts), "fear": -risk(after)}

        hunted = state.phase is Phase.END or (marker and marker.kind is not MarkerKind.INVERTED)
        return _Plan("evades" if hunted else "evades.near", _depths(boat, _deeper(boat)), worth, goods=goods)

    def _approach(self, state: State, boat: Boat, prey: Sequence[Vessel]) -> _Plan:
        """To where the nearest worthwhile ship will pass, clear of the escorts."""
        course = state.fleet.guide.direction
        escorts = [v.place.bow for v in state.escorts]
        risk = self._risk(state, boat)

        def meeting(ship: Vessel) -> Hex:
            """Where she will be when the boat could be there: both at a hex a turn."""
            return ship.place.bow.step(course, min(12, boat.place.bow.distance(ship.place.bow) // 2))

        goal = min((meeting(v) for v in prey), key=lambda h: (h.distance(boat.place.bow), h))

        def seen(after: Boat) -> int:
            return SEEN if after.depth <= AWASH and _near(state, after.place.bow) else 0

        def worth(after: Boat) -> float:
            bow = after.place.bow
            close = -bow.distance(goal) - 0.3 * _off(after, goal) - max(0, BERTH - _nearest(bow, escorts))
            return close - seen(after) - risk(after)

        def goods(after: Boat) -> Mapping[str, float]:
            bow = after.place.bow
            return {"meet": -bow.distance(goal), "turned": -_off(after, goal), "unseen": -seen(after),
                    "escort": min(BERTH, _nearest(bow, escorts)), "fear": -risk(after)}

        wanted = (0, AWASH, PERISCOPE) if self.sea.night else (PERISCOPE,)
        depths = tuple(sorted({_towards(boat, depth) for depth in wanted}))
        return _Plan("approaches", depths, worth, goods=goods)

    def _leave(self, state: State, boat: Boat, why: Text) -> _Plan:
        """Away from everything, deep; off the map where that is worth points. ``why`` she leaves."""
        ships = [v.place.bow for v in state.vessels]
        afloat = [v.place.bow for v in state.vessels if not v.sunk]
        risk = self._risk(state, boat)
        depth = _deeper(boat) if self._threat(state, boat) else _towards(boat, PERISCOPE + DIVE)
        out = _edge(boat, self.sea) if self.sea.away else None

        def worth(after: Boat) -> float:
            off = _nearest(after.place.bow, ships, 0)
            way = AWAY * off if out is None else -WAY * after.place.bow.distance(out) - 0.2 * _off(after, out)
            return way + DEEP * after.depth / DIVE - risk(after)

        def goods(after: Boat) -> Mapping[str, float]:
            bow = after.place.bow
            way = ({"ships" if afloat else "wrecks": _nearest(bow, afloat or ships, 0)} if out is None else
                   {"out": -bow.distance(out), "turned": -_off(after, out)})
            return way | _deep(boat, after) | {"fear": -risk(after)}

        facts = {"why": why, "points": self.sea.away}
        clear = "leaves" if afloat else "leaves.wrecks" if ships else "leaves.none"
        return _Plan(clear if out is None else "leaves.out", _depths(boat, depth), worth, goods=goods, facts=facts)


def _so(boat: Boat, order: Order, plan: _Plan) -> Text:
    """What an order gains over lying where she is, and what it costs, by what the plan weighs."""
    place = (boat.place, *order.path(boat.place))[-1]
    after = replace(boat, place=place, depth=boat.depth if order.depth is None else order.depth, speed=len(order.turns))
    here, there = plan.goods(replace(boat, speed=0)), plan.goods(after)

    def told(kind: str, sign: int) -> Text:
        said: list[Text] = [SAY.phrase(f"{kind}.{name}") for name in here if sign * (there[name] - here[name]) > HAIR]
        return reduce(_both, said) if said else ""

    gains, costs = told("gain", 1), told("cost", -1)
    if not gains:
        return SAY.phrase("gain.none")
    return SAY.phrase("gain.but", gains=gains, costs=costs) if costs else gains


def _both(one: Text, other: Text) -> Text:
    return SAY.phrase("gain.both", one=one, other=other)


def _deep(boat: Boat, after: Boat) -> dict[str, float]:
    """How good a depth is: the deeper the better, but never deeper than she can bear."""
    limit = limits(boat).depth
    return {"bearable": -max(0, after.depth - limit)} if boat.depth > limit else {"deep": after.depth}


def _nearest(bow: Hex, others: Sequence[Hex], none: int = 99) -> int:
    return min((bow.distance(h) for h in others), default=none)


def _near(state: State, bow: Hex) -> bool:
    """Whether she might be seen by night at the end of the next turn: four hexes, and what ships sail in it."""
    return any(v.place.bow.distance(bow) <= NIGHT for v in state.vessels)


def _edge(boat: Boat, sea: Sea) -> Hex:
    """The hex just off the map that is nearest to her."""
    bow, edges = boat.place.bow, sea.edges
    rows = [Hex.at(bow.column, row) for row in ((edges.north or -999) - 2, (edges.south or 999) + 2)]
    columns = [Hex.at(column, bow.row) for column in ((edges.west or -999) - 2, (edges.east or 999) + 2)]
    return min((*rows, *columns), key=lambda h: (bow.distance(h) + 2 * _off(boat, h), h))


def _off(boat: Boat, to: Hex) -> int:
    """How many turns of 60 degrees a hex lies off her bow."""
    bow = boat.place.bow
    return abs(turn_between(boat.place.direction, bow.direction_to(to))) if bow != to else 0


def _points(state: State, solution: Solution) -> float:
    """Victory points a torpedo may be expected to be worth: a hit counts as its share of those that sink a ship."""
    worth = 0.0
    for id, chance in solution.hits.items():
        type_ = TABLES.vessels[state.vessel(id).type]
        worth += float(chance) * type_.value / type_.hits
    return worth


def _depths(boat: Boat, wanted: int) -> tuple[int, ...]:
    """The depths between where she is and where she wants to be; never one that is too deep."""
    low, high = sorted((min(boat.depth, max(limits(boat).depth, wanted)), wanted))
    return tuple(d for d in DEPTHS if low <= d <= high)


def _towards(boat: Boat, depth: int) -> int:
    """The depth nearest to one that she reaches this turn."""
    return max(boat.depth - DIVE, min(boat.depth + DIVE, depth))


def _deeper(boat: Boat) -> int:
    """As deep as she can go this turn, with room left for what a hit takes off her safe depth."""
    safe = max(limits(boat).depth - ROOM, AWASH)
    return max(d for d in DEPTHS if d <= min(boat.depth + DIVE, max(safe, boat.depth - DIVE)))


CAPTAINS = captains("navalkit.games.on_patrol", "data/captains.toml")
BOTS: Mapping[str, Callable[..., Any]] = with_captains({"skipper": Skipper}, CAPTAINS)
"""The game's own machine players, the named captains among them: name -> maker(game, **options)."""
