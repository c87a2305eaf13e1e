"""The table at which house and referee meet over On Patrol."""

from __future__ import annotations
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

import navalkit as nk
from navalkit.core.game import CHANCE, TERMINAL
from navalkit.games.on_patrol.sea.combat_tables import COMBAT
from navalkit.games.on_patrol.sea.tables import TABLES
from . import on_patrol as op
from .driver import Disagreement

SCENARIOS = ("carrier-group", "fast-carrier", "hunter-group", "lone-merchant", "night-convoy", "small-convoy",
             "three-boats", "wolf-pack")  # fmt: skip


def _place(place: Any) -> Any:
    return tuple(place.bow), place.direction


def position(house: Any, state: Any) -> dict[str, Any]:
    """A state of the house in the referee's words; what hits leave of a ship's speed, and how far
    weapons are thrown, are tables of the house."""
    ships, roles = {}, {str(v.role) for v in state.vessels}
    for v in state.vessels:
        row = TABLES.vessels[v.type]
        ahead = row.ahead if state.package == "advanced" and row.ahead and state.year >= row.ahead_from else ""
        ships[v.id] = {
            "id": v.id, "role": str(v.role), "place": _place(v.place),
            "speed": v.speed, "full": row.speed_after(v.hits),
            "stopped": v.stopped, "held": v.held, "sunk": v.sunk, "torpedoed": v.torpedoed, "station": v.station,
            "offset": tuple(v.offset), "boat": v.hunt.boat, "contact": set(v.hunt.contact),
            "echoes": set(v.hunt.echoes), "ring": v.hunt.ring, "cleared": v.hunt.cleared,
            "plan": tuple(map(_place, v.hunt.plan)), "aim": v.hunt.aim and tuple(v.hunt.aim),
            "ran": v.hunt.ran and tuple(v.hunt.ran), "depth charges": row.depth_charges, "k-guns": row.k_guns,
            "ahead": ahead, "throws": ahead and COMBAT.weapons[ahead].ahead,
            "charges": v.charges, "hits": v.hits, "sonar": row.sonar,
            "radar": state.package != "basic" and row.radar(state.year),
        }  # fmt: skip
    may_flee = state.package == "advanced" and "capital" in roles and "merchant" not in roles
    return {
        "turn": state.turn, "phase": int(state.phase), "guide": _place(state.fleet.guide), "row": state.fleet.row,
        "emergency": state.fleet.emergency and may_flee, "may flee": may_flee, "ships": ships,
        "moved": list(state.moved), "night": house.sea.night,
        "boats": {b.id: {"id": b.id, "place": _place(b.place), "depth": b.depth, "active": b.active}
                  for b in state.boats},
        "markers": {m.boat: {"kind": str(m.kind), "place": _place(m.place)} for m in state.markers},
        "charges": [(c.weapon, c.escort, tuple(c.at)) for c in state.charges],
        "torpedoes": [{"at": tuple(t.at), "direction": t.direction, "speed": COMBAT.torpedoes[t.type].speed}
                      for t in state.torpedoes],
        "lights": [(tuple(light.at), light.radius) for light in state.lights],
    }  # fmt: skip


def _options(rng: np.random.Generator) -> dict[str, Any]:
    return {"scenario": str(rng.choice(SCENARIOS)), "package": str(rng.choice(["basic", "optional", "advanced"]))}


def _order(house: Any, state: Any, rng: np.random.Generator) -> Any:
    """A random order, oftener one that fires or stays near the surface, so that there is something to hunt."""
    legal = house.legal(state)
    firing = [order for order in legal if order.shots] if rng.random() < 0.3 else []
    shallow = [order for order in legal if order.depth is not None and order.depth <= 25] if rng.random() < 0.3 else []
    pool = firing or shallow or legal
    return pool[int(rng.integers(len(pool)))]


def one_hunt(seed: int, longest: int, agreed: Counter[str]) -> None:
    """Compare one random hunt; what was compared is counted by kind in ``agreed``, and positions as "positions".

    Raises
    ------
    Disagreement
        Where the two part, with the smallest position found that shows it.
    """
    rng = np.random.default_rng([seed, 9])
    house = nk.load("on-patrol", **_options(rng))
    state = house.initial()
    for _ in range(longest):
        by = house.turn(state)
        if by == TERMINAL:
            return
        if by == CHANCE:
            action = house.chance(state).pick(int(rng.integers(2**40)))
        elif by == 1:
            action = house.legal(state)[0]
        else:
            action = _order(house, state, rng)
        before = agreed.total()
        try:
            state = compare(house, state, action, agreed)
        except Disagreement as first:
            raise smallest(house, state, first) if by == 1 else first from None
        agreed["positions"] += agreed.total() > before


def compare(house: Any, state: Any, action: Any, agreed: Counter[str]) -> Any:
    """Ask the referee about one action; the state after it."""
    sea, by = position(house, state), house.turn(state)
    after = house.apply(state, action).state

    def check(about: str, there: Any, here: Any) -> None:
        agreed[about] += 1
        if there != here:
            raise Disagreement(about, f"{house!r}: {house.format_state(state)}\n  action:   {action}", there, here)

    if by == CHANCE and action.task.kind == "fleet":
        _fleet(sea, position(house, after), int(action.result), check)
    elif by == 1 and state.phase == 3:
        _escort(sea, action, check)
    elif by == 0 and state.phase == 8:
        _orders(house, sea, sea["boats"][action.boat], action, after, check)
    if by == CHANCE and state.phase == 6 < after.phase:
        _search(house, sea, position(house, after), check)
    if after.turn == state.turn + 1:
        _assignment(sea, position(house, after), check)
    return after


def smallest(house: Any, state: Any, first: Disagreement) -> Disagreement:
    """The same disagreement with fewer ships, torpedoes and charges on the sea."""
    for name in ("vessels", "torpedoes", "charges"):
        things = getattr(state, name)
        for i in range(len(things)):
            fewer = replace(state, **{name: things[:i] + things[i + 1 :]})
            try:
                if house.turn(fewer) == 1:
                    compare(house, fewer, house.legal(fewer)[0], Counter())
            except Disagreement as other:
                if other.about == first.about:
                    return smallest(house, fewer, other)
            except (KeyError, ValueError, IndexError):
                continue  # a sea that cannot be
    return first


def _search(house: Any, sea: dict[str, Any], after: dict[str, Any], check: Any) -> None:
    """Phase 6 is over: who was found, and was anybody looked for at all?"""
    escorts = [s for s in after["ships"].values() if s["role"] == "escort" and not s["sunk"]]
    for name, boat in sea["boats"].items():
        found = any(name in s["contact"] | s["echoes"] for s in escorts)
        missed = any(op.has_missed(sea, boat, ship) for ship in sea["ships"].values())
        if boat["active"]:
            marker = op.marker_after_search(sea, boat, found, missed)
            check("the marker after a search", after["markers"].get(name), marker)


def _assignment(sea: dict[str, Any], after: dict[str, Any], check: Any) -> None:
    escorts = {n: s for n, s in after["ships"].items() if s["role"] == "escort" and not s["sunk"]}
    given = op.assign(escorts, {n: s["boat"] for n, s in sea["ships"].items()}, after["markers"])
    if given is not None:
        check("who hunts whom", {n: s["boat"] for n, s in escorts.items()}, given)


def _fleet(sea: dict[str, Any], after: dict[str, Any], die: int, check: Any) -> None:
    if any(ship["stopped"] or ship["held"] for ship in sea["ships"].values()):
        return
    for name, place in op.fleet_moves(sea, die).items():
        if name in after["ships"] and not after["ships"][name]["held"]:  # capital ships may flee off the map
            check("the fleet die", after["ships"][name]["place"], place)


def _orders(house: Any, sea: dict[str, Any], boat: Any, action: Any, after: Any, check: Any) -> None:
    moved = position(house, after)
    now = moved["boats"][boat["id"]]
    if not now["active"]:
        return
    marker = op.marker_after_orders(sea, boat, now["place"], now["depth"], bool(action.shots))
    if moved["phase"] != 8 and sea["night"] and any(s["role"] == "escort" for s in moved["ships"].values()):
        markers = {**moved["markers"], **({boat["id"]: marker} if marker else {})}
        lights = [light for m in markers.values() for light in op.star_shells(m)]
        if house.sea.has("star shells") and op.is_visible({**sea, "lights": lights}, now["place"], now["depth"]):
            marker = {"kind": "surfaced" if now["depth"] == 0 else "visible", "place": now["place"]}
    check("the marker after orders", moved["markers"].get(boat["id"]), marker)


def _escort(sea: dict[str, Any], action: Any, check: Any) -> None:
    hunting = op.hunters(sea)
    name, way = action.escort, tuple(map(_place, action.path))
    ship = sea["ships"][name]
    no_go, taken = op.barred(sea, name, op.rams(sea, ship))
    check("a legal way", op.is_way(ship["place"], way), True)
    check("a clear way", op.is_clear(ship["place"], way, no_go, taken), True)
    if name not in hunting:
        check("charges in formation", list(action.charges), [])
        return
    marker, target = hunting[name]
    mode = op.MODES[marker["kind"]]
    waiting = {n: op.closeness(sea["ships"][n], t) for n, (_, t) in hunting.items() if n not in sea["moved"]}
    check("who moves first", min(waiting, key=lambda n: waiting[n]), name)
    if mode in (2, 3, 4):
        _radial(sea, ship, target, marker, way, check)
        _charges(sea, ship, target, marker, way, action, check)
    else:
        check("charges on a circle", list(action.charges), [])
        _circle(sea, ship, marker, mode, way, check)


def _radial(sea: Any, ship: Any, target: Any, marker: Any, way: Any, check: Any) -> None:
    hexes = op.pace(ship, op.wanted_speed(ship, marker))
    plan = ship["plan"] if ship["aim"] == target else ()
    no_go, taken = op.barred(sea, ship["id"], op.rams(sea, ship))
    danger = op.running(sea)

    def clear(place: Any, way: Any) -> bool:
        return op.is_clear(place, way, no_go, taken) and not danger & {to[0] for to in way}

    ran = ship["ran"] == target if op.MODES[marker["kind"]] != 5 else None
    ways = set(op.radial_ways(ship["place"], target, hexes, plan, ran, clear))
    if all(clear(ship["place"], w) for w in ways):
        check("the way of radial movement", way if way not in ways else True, True if way in ways else sorted(ways))
    elif len(way) < hexes:
        longer = op.all_ways(ship["place"], len(way) + 1, no_go, taken)
        free = [w for w in longer if not danger & {w[-1][0], op.stern(w[-1])}]  # she may cross, but not end there
        check("no way is longer", free[:1], [])
    elif len(ways) == 1 and not any(op.far(ship["place"][0], cell) < 12 for cell in danger):
        intended = ways.pop()
        beside = [op.beside(w, intended) for w in op.all_ways(ship["place"], hexes, no_go, taken)]
        check("as close beside her path as can be", op.beside(way, intended), min(beside))


def _circle(sea: Any, ship: Any, marker: Any, mode: int, way: Any, check: Any) -> None:
    radius = ship["ring"]
    hexes = op.pace(ship, op.SEARCH) if mode == 6 else len(way)
    if op.rams(sea, ship):
        _radial(sea, ship, marker["place"][0], marker, way, check)
        return
    others = [s["place"][0] for n, s in sea["ships"].items() if n != ship["id"]]
    target = op.target_hex(marker)
    if radius and not any(op.far(ship["place"][0], cell) < 14 for cell in {*others, *op.running(sea)}):
        check("speed on a circle", len(way), op.pace(ship, op.circle_speed(sea, ship, marker)))
        for n in range(1, len(way)):  # from where she comes onto the circle she follows it
            if ring := op.ring_way(way[n - 1], target, radius, len(way) - n):
                check("the way onto a circle", way[n:], ring)
    ring = op.ring_way(ship["place"], target, radius, hexes) if radius else None
    no_go, taken = op.barred(sea, ship["id"])
    if ring and op.is_clear(ship["place"], ring, no_go, taken) and not op.running(sea) & {p[0] for p in ring}:
        check("the way on a circle", way, ring)


def _charges(sea: Any, ship: Any, target: Any, marker: Any, way: Any, action: Any, check: Any) -> None:
    rank = op.ranks(marker)
    thrown = [(str(c.weapon), tuple(c.at)) for c in action.charges]
    for weapon, number in Counter(weapon for weapon, _ in thrown).items():
        check("weapons of a turn", number <= op.armament(ship).get(weapon, 0), True)
    for weapon, cell in thrown:
        check("weapons within reach", cell in op.reach(ship, way, weapon) and cell in rank, True)
    if not sea["charges"]:
        check("hexes covered", sorted(rank[c] for c in {c for _, c in thrown}), op.covered(sea, ship, marker, way))


def agree_on_hunts(hunts: int, seed: int = 0, longest: int = 700) -> Counter[str]:
    """Compare that many random hunts; what was compared, counted by kind."""
    agreed: Counter[str] = Counter()
    for number in range(seed, seed + hunts):
        one_hunt(number, longest, agreed)
    print(f"on-patrol: house and referee agree over {agreed['positions']:,} positions of {hunts} hunts: {dict(agreed)}")
    return agreed
