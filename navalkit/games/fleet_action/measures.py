"""What a battle came to: who won it, how the lead went from side to side, and what decided it.

A side's points come from damage and sinkings, which guns, torpedoes and mines share by the damage they did to the
ship, and from exits, islands and survivors. What brought the winner most has decided the battle. One salvo has
decided it if that fire of one ship at another, of guns or torpedoes in one move, did more than half of her sinking
rate, she sank, and the winner would not have won without the points for her.
"""

from __future__ import annotations
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from navalkit.core.awaited import Steps
from navalkit.core.game import CHANCE, Permute
from navalkit.core.match import Match
from navalkit.core.words import from_percent
from navalkit.players.generic import Account
from navalkit.players.review import Yardstick
from .bots import BOTS
from .bots.belief import UNLIKELY, Belief, believe, share_out
from .cards import SAY
from .craft import Place
from .game import FleetAction
from .prospects import chance_to_sink, full_fire, left, prospect
from .rules import play
from .scenarios import OWN, names, scenario
from .sight import Observation, permute
from .state import (
    Done,
    Fate,
    Guns,
    Hits,
    Minefield,
    Phase,
    Scenario,
    Squadron,
    State,
    Torpedoes,
    with_flight,
    with_ship,
)

_MEANS = {"salvo": "guns", "torpedoes": "torpedoes", "mine": "mines", "bombs": "aircraft"}
_CHARGES = ("charges", "hedgehog", "squid")


def PERMUTE(game: FleetAction) -> Permute:
    """What exchanges all that a side of ``game`` cannot see, for `navalkit.testing`."""
    return partial(permute, game.battle)


def ACCOUNT(match: Match) -> Account:
    """What a finished battle came to."""
    battle: Scenario = match.game.battle  # type: ignore[attr-defined]
    state: State = match.state
    winner = play.winner(state)
    leads = _leads(battle, match)
    decided, one_blow = ("draw", False) if winner < 0 else _decided(battle, match, winner)
    return Account(winner, state.move, "moves", leads, decided, one_blow, state.ended == "moves")


def _leads(battle: Scenario, match: Match) -> tuple[float, ...]:
    """Blue's lead at the beginning of each move after the first, and at the end."""
    found: list[float] = []
    before = match.at(0)
    for ply in match.plies:
        if ply.state.move > before.move or ply.state.phase is Phase.END:
            found.append(play.score(battle, ply.state, 0) - play.score(battle, ply.state, 1))
        before = ply.state
    return tuple(found)


def _decided(battle: Scenario, match: Match, winner: int) -> tuple[str, bool]:
    """What brought the winner most, and whether it was one salvo."""
    damage: dict[str, Counter[str]] = defaultdict(Counter)  # ship -> guns, torpedoes, mines, charges, aircraft
    volleys: Counter[tuple[int, str, str, str]] = Counter()  # move, firer, target, means
    before = match.at(0)
    for ply in match.plies:
        for event in ply.events:
            if event.kind == "mine":
                damage[event.facts["ship"]]["mines"] += event.facts["damage"]
            elif event.kind in _CHARGES:
                boat = _charged(battle, before, event.facts["ship"], event.facts["square"])
                damage[boat]["charges"] += event.facts["points"]
                volleys[ply.state.move, event.facts["ship"], boat, "charges"] += event.facts["points"]
            elif event.kind in _MEANS:
                facts, means = {"ship": event.facts.get("flight"), **event.facts}, _MEANS[event.kind]
                damage[facts["target"]][means] += facts["points"]
                volleys[ply.state.move, facts["ship"], facts["target"], means] += facts["points"]
        before = ply.state
    state: State = match.state
    brought: Counter[str] = Counter()
    of_ship: Counter[str] = Counter()
    for aim in battle.objectives:
        if aim.side == winner:
            if aim.aim not in ("sink", "damage"):
                brought["objectives"] += play.earned(battle, state, aim)
                continue
            for ship in aim.of:
                points, name = play.earned_by(battle, state, aim, ship), battle.units[ship].name
                of_ship[name] += points
                whole = damage[name].total() or 1
                for means, done in damage[name].items():
                    brought[means] += points * done / whole  # type: ignore[assignment]
    margin = abs(play.score(battle, state, 0) - play.score(battle, state, 1))
    blow = any(state.ships[number].fate is Fate.SUNK
               and points > battle.card(number).sinking_rate / 2
               and of_ship[target] >= margin
               for (_, _, target, _), points in volleys.items() for number in (battle.numbers[target],))
    return max(brought, key=lambda what: brought[what], default="objectives"), blow


def _charged(battle: Scenario, state: State, hunter: str, square: str) -> str:
    """The boat at which a hunter's charges fell."""
    side, place = battle.side(battle.numbers[hunter]), battle.grid.number(square)
    boats = (boat for boat in battle.boats if battle.side(boat) != side and state.ships[boat].square == place)
    return battle.units[next(boats)].name


# -- Forecasts of battles, for `navalkit calibration`: what fire is said to do, and what the dice then did

READY = 4  # moves in which a flight that is out of sight is ready again at the latest

Forecasts = Sequence[tuple[float, bool]]
GUNS = tuple(name for name in names() if not scenario(name).boats and not scenario(name).flights)
"""The battles that forecasts of fire are measured in: those of ships alone, drawn in this order."""


def _battle(seed: int) -> tuple[FleetAction, Match, np.random.Generator]:
    """A battle between two gunners, to its end."""
    rng = np.random.default_rng(seed)
    game = FleetAction(scenario=str(rng.choice(GUNS)))
    match, gunner = Match.new(game, seed), BOTS["gunnery"](game)
    while not match.over:
        match.play(gunner.decide(match.observe(), match.legal(), rng).action)
    return game, match, rng


def hitting(seed: int) -> Iterator[Forecasts]:
    """The chance that an order to fire hits at all."""
    game, match, _ = _battle(seed)
    given: dict[tuple[str, str, bool], list[float]] = {}
    for number, ply in enumerate(match.plies):
        if isinstance(ply.action, Guns | Torpedoes):
            weapon = ply.action.ship, ply.action.target, isinstance(ply.action, Torpedoes)
            shown = prospect(game.battle, match.at(number), ply.action)
            given.setdefault(weapon, []).append(float(shown.hit))
        if given and ply.state.move > match.at(number).move or number == match.ply - 1:
            move = match.at(number).move
            thrown = [
                p.action for p in match.plies[: number + 1] if isinstance(p.action, Hits) and p.state.move == move
            ]
            for (ship, target, torpedo), chances in given.items():
                hits = [h.hits for h in thrown if (h.ship, h.target, h.torpedo) == (ship, target, torpedo)]
                if len(chances) == 1:
                    yield [(chances[0], any(hits))]
            given = {}


def sinking(seed: int) -> Iterator[Forecasts]:
    """The chance on an order to fire: she sinks in this move, together with what was ordered at her before."""
    game, match, _ = _battle(seed)
    shown: dict[int, float] = {}
    for number, ply in enumerate(match.plies):
        before = match.at(number)
        if isinstance(ply.action, Guns | Torpedoes):
            target = game.battle.numbers[ply.action.target]
            shown[target] = float(chance_to_sink(game.battle, before, target, ply.action))
        if ply.state.move > before.move or number == match.ply - 1:
            yield [(chance, ply.state.ships[target].fate is Fate.SUNK) for target, chance in shown.items()]
            shown = {}


def everything(seed: int) -> Iterator[Forecasts]:
    """The charts beside the board: the chance that all the fire of a side at one ship would sink her."""
    game, match, rng = _battle(seed)
    for number in range(match.ply):
        before, state = match.at(max(0, number - 1)), match.at(number)
        if state.phase is Phase.FIRE and before.phase is not Phase.FIRE:
            side = state.side
            aims = [(n, volley) for n, volley in full_fire(game.battle, state, side).items() if volley.dice]
            if aims:
                target, volley = aims[rng.integers(len(aims))]
                chance = float(volley.sinks(left(game.battle, state, target)))
                yield [(chance, _all_at(game, state, target, rng))]


def _all_at(game: FleetAction, state: State, target: int, rng: np.random.Generator) -> bool:
    """Whether a ship sinks if all that bears is ordered at her, and the other side holds its fire."""
    side, move, name = state.side, state.move, game.battle.units[target].name
    while state.move == move and state.phase in (Phase.FIRE, Phase.SALVO):
        if game.turn(state) == CHANCE:
            action = game.chance(state).sample(rng)
        else:
            orders = game.legal(state) if state.side == side else ()
            action = next((o for o in orders if _at(o, name)), Done())
        state = game.apply(state, action).state
    return state.ships[target].fate is Fate.SUNK


def _at(order: object, name: str) -> bool:
    """Whether an order fires all guns, or a torpedo set, at a ship."""
    guns = isinstance(order, Guns) and not order.battery and not order.once
    return isinstance(order, Guns | Torpedoes) and order.target == name and (guns or isinstance(order, Torpedoes))


class _Hints:
    """What hints for firing say of the chance that a ship is sunk, in battles between admirals who do as they say."""

    def __init__(self, scenario: str, title: str) -> None:
        self.scenario, self.__doc__ = scenario, SAY("calibrate.hints", start=title)

    def __call__(self, seed: int) -> Iterator[Forecasts]:
        game = FleetAction(scenario=self.scenario)
        match, admiral, told = Match.new(game, seed), BOTS["admiral"](game), dict[int, float]()
        while not match.over:
            before: State = match.state
            hint = admiral.decide(match.observe(), match.legal())
            for finding in hint.findings if before.phase is Phase.FIRE else ():
                for fact in finding.facts:  # where she lies, and a line for each order at her
                    for order in (game.parse_action(mark.label) for mark in fact.marks[1:]):
                        if isinstance(order, Guns | Torpedoes):
                            told[game.battle.numbers[order.target]] = from_percent(str(fact.value))
            match.play(hint.action)
            if match.over or match.state.move > before.move:
                yield [(chance, match.state.ships[target].fate is Fate.SUNK) for target, chance in told.items()]
                told = {}


HINTS = {f"hints_{name}": (_Hints(name, scenario(name).title), 400) for name in GUNS if name != OWN}
PREDICTIONS = {"hitting": (hitting, 300), "sinking": (sinking, 400), "everything": (everything, 400), **HINTS}
"""Which of the page's numbers are measured, and over how many games."""


# -- How the review after a battle measures: in chances to win, over the battles that look alike to a side

def imagined(game: FleetAction, seen: Observation, n: int, rng: np.random.Generator) -> Steps[list[State]]:
    """``n`` states that look the same to the side that decides. Enemies out of sight lie and head as `believe` has it;
    mines laid beforehand lie anywhere; fire that the other side has ordered already is the best it has by its guns.
    Flights are where they are seen, or where they may be. Nothing is known of mines laid since, of repairs, or of what
    the other side keeps in mind."""
    battle, me, found = game.battle, seen.me, []
    believed = believe(seen)
    for _ in range(n):
        yield None
        state = _landed(battle, _mined(battle, _flown(seen, _placed(seen, believed, rng), rng), me, rng))
        if state.phase is Phase.FIRE and state.first != me:
            theirs = replace(state, side=1 - me, shots=())
            for order in share_out(battle, theirs).orders:
                theirs = play.act(battle, theirs, order)[0]
            state = replace(state, shots=(*theirs.shots, *state.shots))
        found.append(state)
    return found


def _placed(seen: Observation, believed: Belief, rng: np.random.Generator) -> State:
    """What is seen, with the enemies that are not: each disc gets a ship, or each ship a square behind the screen."""
    state, battle, taken = seen.view, seen.battle, set[int]()
    for number in battle.fleet(1 - seen.me):
        state = with_ship(state, number, mines=battle.card(number).mines)
    ships = list(believed.ships)
    if believed.discs:
        for disc, square in enumerate(believed.discs):
            chances = believed.which[disc, [believed.ships.index(ship) for ship in ships]] + UNLIKELY
            ship = ships.pop(int(rng.choice(len(ships), p=chances / chances.sum())))
            headings = believed.disc_headings[disc] + UNLIKELY
            state = with_ship(state, ship, square=square, heading=int(rng.choice(8, p=headings / headings.sum())))
        return state
    behind = sorted(battle.halves[1 - seen.me] - battle.land)
    for row, ship in enumerate(ships):
        chances = believed.places[row, behind].ravel() + UNLIKELY
        chances *= np.repeat([square not in taken for square in behind], 8)
        place = int(rng.choice(len(chances), p=chances / chances.sum()))
        taken.add(behind[place // 8])
        state = with_ship(state, ship, square=behind[place // 8], heading=place % 8)
    return state


def _flown(seen: Observation, state: State, rng: np.random.Generator) -> State:
    """With the enemy's flights. Those that are seen have moves aloft as it happens, and have dropped if they are known
    by name: they have attacked. Those that still come from over the horizon come in their move, those that have been
    there and are out of sight have gone home; of those of a ship it is not known when they are ready."""
    sky, hidden = Counter(seen.sky), list[int]()
    for n, own in enumerate(state.flights):
        squadron = seen.battle.flights[n]
        if squadron.side == seen.me or own.place is Place.LOST:
            continue
        if own.place is Place.ALOFT:
            state = _aloft(state, n, own.square, squadron, rng, loaded=squadron.fighter)
        else:
            hidden.append(n)
    soon = {n: max(seen.battle.flights[n].enters, state.move) for n in hidden}  # who comes first is in sight
    for n in sorted(rng.permutation(hidden).tolist(), key=soon.__getitem__):
        own, squadron = state.flights[n], seen.battle.flights[n]
        there = [place for place in sky if place[1] == own.count and sky[place]]
        if there:
            sky[there[0]] -= 1
            state = _aloft(state, n, there[0][0], squadron, rng, loaded=True)
        elif squadron.base >= 0:
            state = with_flight(state, n, ready=int(rng.integers(state.move, state.move + READY)))
        elif squadron.enters:
            comes = squadron.enters > state.move
            state = with_flight(state, n, place=Place.COMING if comes else Place.HOME, ready=squadron.enters)
    return state


def _aloft(state: State, n: int, square: int, squadron: Squadron, rng: np.random.Generator, loaded: bool) -> State:
    moves = int(rng.integers(1, squadron.plane.moves + 1))
    return with_flight(state, n, place=Place.ALOFT, square=square, came=square, moves=moves, loaded=loaded)


def _mined(battle: Scenario, state: State, me: int, rng: np.random.Generator) -> State:
    """With the enemy's mines of before the battle that are not known, on squares where nobody is."""
    hidden = sum(side != me for _, side in battle.fields) - sum(field.side != me for field in state.fields)
    if hidden < 1:
        return state
    taken = battle.land.union((f.square for f in state.fields), (ship.square for ship in state.ships))
    sea = [square for square in range(battle.grid.size) if square not in taken]
    more = (Minefield(int(square), 1 - me) for square in rng.choice(sea, hidden, replace=False))
    return replace(state, fields=tuple(sorted((*state.fields, *more), key=lambda field: (field.square, field.side))))


def _landed(battle: Scenario, state: State) -> State:
    """With who lay next to an island when the last move ended: who lies there and has not moved since."""
    holds = []
    for shore, hold in zip(battle.shores, state.islands, strict=True):
        near = tuple(n for n, s in enumerate(state.ships) if s.fate is Fate.AT_SEA and s.square in shore and not s.wake)
        alone = len({battle.side(ship) for ship in near}) == 1 and state.move > 1
        holds.append(replace(hold, claims=near if alone else ()))
    return replace(state, islands=tuple(holds))


# Who plays it out: the admiral, and one who is bolder and foresees less, but plays as well. With gunnery in his place,
# who leaves the board for no exit, the British won Denmark Strait from the start with 92 %, where the card says 51.
BOLDER = {"foresight": 0.5, "boldness": 0.85, "caution": 1.0}
REVIEW = Yardstick(("admiral", ("admiral", {"figures": BOLDER})), by=SAY.phrase("review.by"), worlds=imagined)
