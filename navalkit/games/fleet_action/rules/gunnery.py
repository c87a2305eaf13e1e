"""Guns and torpedoes: what may fire at what, and how many hits it makes (rules F13 to F18)."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from navalkit.grids.square_headings import bearing, distance

from ..cards import TABLES
from ..state import Fate, Ship, Shot, State, Task, sight
from ..state.scenario import Scenario, Weapon, weapons
from ..words import SAY
from .salvos import AGAIN, ASPECTS, FAR, NEAR


def may_fire(battle: Scenario, state: State, ship: int) -> str | None:
    """Why a ship's weapons cannot be used at all in this move, or None."""
    own, name = state.ships[ship], battle.units[ship].name
    if own.fate is not Fate.AT_SEA:
        return SAY("no.board", name=name)
    if own.square in battle.harbours[battle.side(ship)]:
        return SAY("no.harbour", name=name)
    if own.task is Task.RELOAD:
        return SAY("no.reloading", name=name)
    if sight.foggy(battle, state, own.square):
        return SAY("no.fog", name=name)
    return None


def may_be_fired_at(battle: Scenario, state: State, ship: int) -> bool:
    """Whether a ship is on the board and known to the enemy."""
    return state.ships[ship].fate is Fate.AT_SEA and sight.known(battle, state, ship)


def bearing_guns(battle: Scenario, state: State, ship: int, weapon: Weapon, target: int) -> int:
    """How many guns of that weapon are in action, in range and bear on the target, and see it (rules F13, F14)."""
    own, other = state.ships[ship], state.ships[target]
    if distance(battle.grid, own.square, other.square) > weapon.gun.range:
        return 0
    relative = (bearing(battle.grid, own.square, other.square) - own.heading) % 8
    mounts = battle.card(ship).mounts
    guns = sum(mounts[m].guns - own.out[m] for m in weapon.mounts if mounts[m].bears(relative))
    return guns if guns and sight.sighted(battle, state, own.square, other.square) else 0


def shots_of(state: State, ship: int, weapon: int) -> tuple[Shot, ...]:
    """What those guns have been ordered to fire in this move, in order."""
    return tuple(s for s in state.shots if s.ship == ship and not s.torpedo and s.number == weapon)


def firings_left(battle: Scenario, state: State, ship: int, weapon: int) -> int:
    """How often those guns may still fire in this move (rule F15)."""
    return weapons(battle.card(ship))[weapon].gun.firings - len(shots_of(state, ship, weapon))


def armed(battle: Scenario, state: State, ship: int, target: int, battery: str) -> tuple[int, ...]:
    """The weapons of that battery ("" any) that can still fire at the target, by number."""
    return tuple(
        number
        for number, weapon in enumerate(weapons(battle.card(ship)))
        if battery in ("", weapon.battery)
        and firings_left(battle, state, ship, number)
        and bearing_guns(battle, state, ship, weapon, target)
    )


def aspect(battle: Scenario, attacker: Ship, target: Ship) -> str:
    """How the target lies to the attacker: "beam", "diagonal" or "end" (rule F18)."""
    relative = (bearing(battle.grid, target.square, attacker.square) - target.heading) % 4
    return ("end", "diagonal", "beam", "diagonal")[relative]


def torpedo_reaches(battle: Scenario, state: State, ship: int, number: int, target: int) -> bool:
    """Whether the target lies within the range and in sight of that torpedo set (rule F17)."""
    own, other = state.ships[ship], state.ships[target]
    near = distance(battle.grid, own.square, other.square) <= battle.torpedo_range(ship, number)
    return near and sight.sighted(battle, state, own.square, other.square)


def need(battle: Scenario, state: State, shot: Shot) -> int:
    """The lowest die that hits for one gun or tube of a shot (rules F15, F16, F18)."""
    own, other = state.ships[shot.ship], state.ships[shot.target]
    if shot.torpedo:
        return ASPECTS[aspect(battle, own, other)]
    if follows_up(state, shot):
        return AGAIN
    weapon = weapons(battle.card(shot.ship))[shot.number]
    return NEAR if distance(battle.grid, own.square, other.square) < weapon.gun.range else FAR


def follows_up(state: State, shot: Shot) -> bool:
    """Whether the same guns fired at the same target just before (rule F16)."""
    before = shots_of(state, shot.ship, shot.number)[: shot.firing - 1]
    return bool(before) and not shot.torpedo and before[-1].target == shot.target


def dice(battle: Scenario, state: State, shot: Shot) -> int:
    """How many dice are thrown for a shot: one a gun, or one a tube."""
    card = battle.card(shot.ship)
    if shot.torpedo:
        return card.torpedoes[shot.number].tubes
    return bearing_guns(battle, state, shot.ship, weapons(card)[shot.number], shot.target)


def salvo(battle: Scenario, state: State, shot: Shot) -> Sequence[int]:
    """The weights of 0, 1, 2 ... hits of a shot: binomial."""
    n, lowest = dice(battle, state, shot), need(battle, state, shot)
    return [comb(n, k) * (7 - lowest) ** k * (lowest - 1) ** (n - k) for k in range(n + 1)]


def damage(battle: Scenario, shot: Shot) -> int:
    """Damage points of one hit of a shot."""
    card = battle.card(shot.ship)
    if shot.torpedo:
        return TABLES.torpedoes[card.torpedoes[shot.number].kind].damage
    return weapons(card)[shot.number].gun.damage
