"""The table at which house and referee meet over Fleet Action."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Any

from . import fleet_action as fa
from .driver import Table

COMING = ("guns", "torpedoes")
DATA = tomllib.loads((files("navalkit.games.fleet_action") / "data" / "data.toml").read_text(encoding="utf-8"))
GUNS = {row["name"]: row for row in DATA["gun"]}
TORPEDOES = {row["name"]: row for row in DATA["torpedo"]}
SHIPS = [row["name"] for row in DATA["ship"]]


def position(house: Any, state: Any) -> dict[str, Any]:
    """A state of the house in the referee's words."""
    board = house.battle
    columns = board.grid.columns

    def square(number: int) -> Any:
        return (number % columns, number // columns) if number >= 0 else None

    def some(numbers: Any) -> set[Any]:
        return {square(n) for n in numbers}

    ships = {}
    for unit, ship in zip(board.units, state.ships, strict=True):
        card = unit.card
        ships[unit.name] = {
            "name": unit.name, "side": unit.side, "division": unit.division, "type": card.type, "speed": card.speed,
            "tons": card.displacement, "rate": card.sinking_rate, "square": square(ship.square),
            "heading": fa.COURSES[ship.heading], "damage": ship.damage, "out": list(ship.out), "loaded": ship.loaded,
            "fate": str(ship.fate), "task": str(ship.task), "wake": list(map(square, ship.wake)), "fired": ship.fired,
            "marked": ship.marked, "sets": [{"kind": s.kind, "tubes": s.tubes} for s in card.torpedoes],
            "mounts": [{"gun": m.gun, "guns": m.guns, "arc": m.arc, "battery": m.battery} for m in card.mounts],
        }  # fmt: skip
    names = list(ships)
    return {
        "columns": columns, "rows": board.grid.rows, "land": some(board.land), "light": board.light,
        "harbours": list(map(some, board.harbours)), "screened": board.screened, "screen": board.screen,
        "divisions": {d: [names[n] for n in of] for d, of in board.divisions.items()}, "choose": board.choose,
        "phase": str(state.phase), "move": state.move, "side": state.side, "weather": list(state.weather),
        "ships": ships, "guns": GUNS, "torpedoes": TORPEDOES,
        "fields": [{"square": square(f.square), "side": f.side, "left": f.left, "known": f.known}
                   for f in state.fields],
        "mined": [(names[n], square(s)) for n, s in state.mined],
        "shots": [{"ship": names[s.ship], "target": names[s.target], "torpedo": s.torpedo, "number": s.number,
                   "firing": s.firing, "hits": s.hits} for s in state.shots],
    }  # fmt: skip


def _name(square: Any) -> str:
    return f"{chr(65 + square[0])}{square[1] + 1}"


def _turn(battle: dict[str, Any]) -> Any:
    chance = ("first", "weather", "entry", "mines", "salvo")
    return "over" if battle["phase"] == "end" else "chance" if battle["phase"] in chance else battle["side"]


def _orders(battle: dict[str, Any]) -> list[tuple[str, ...]]:
    """Every order of fire that could be thought of: ship, words, target."""
    own, enemy = (fa.at_sea(battle, side) for side in (battle["side"], 1 - battle["side"]))
    found: list[tuple[str, ...]] = []
    for name, ship in own.items():
        kinds = {kind for (kind, _), _ in fa.batteries(ship)}
        words = [""] + sorted(kinds if len(kinds) > 1 else ())
        for target in enemy:
            found += [(name, "guns", battery, once, target) for battery in words for once in ("", "once")]
            found += [(name, "torpedoes", str(n), "", target) for n in range(1, len(ship["sets"]) + 1)]
    return found


def _text(order: tuple[str, ...]) -> str:
    return f"{order[0]}: {' '.join(filter(None, order[1:]))}"


def _moves(battle: dict[str, Any]) -> set[str]:
    if battle["phase"] == "move":
        return {"done"} | {f"{who}: {_name(square)} {course}" for who, square, course in fa.destinations(battle)}
    if battle["phase"] == "turrets":
        name = next(n for n, s in battle["ships"].items() if _failing(battle, s))
        return {f"{name}: turret {n} out" for n in fa.turrets(battle["ships"][name])}
    legal = {"done"}
    for order in _orders(battle):
        name, kind, which, once, target = order
        if kind == "guns":
            shots = fa.guns_order(battle, name, target, which, bool(once))
            if shots and (not once or shots != fa.guns_order(battle, name, target, which, False)):
                legal.add(_text(order))  # where it makes no difference, the house writes no "once"
        if kind == "torpedoes" and fa.may_launch(battle, name, int(which), target):
            legal.add(_text(order))
    return legal


def _failing(battle: dict[str, Any], ship: dict[str, Any]) -> bool:
    return ship["side"] == battle["side"] and ship["fate"] == "at sea" and fa.guns_to_lose(ship) > 0


def _asked(house: Any, state: Any) -> set[str]:
    if state.phase == "fire":
        orders = [_text(order) for order in _orders(position(house, state))]
        return {"done"} | {text for text in orders if house.why_not(state, house.parse_action(text)) is None}
    listed = map(str, house.legal(state))
    kept = listed if state.phase == "turrets" else [t for t in listed if re.search(r"[A-Z]\d+ [NESW]+|done", t)]
    return set(kept)


def _luck(battle: dict[str, Any]) -> dict[str, Any] | None:
    if battle["phase"] != "salvo":
        return None
    shot = next(s for s in battle["shots"] if s["hits"] < 0)
    kind = "torpedoes {}" if shot["torpedo"] else "salvo {}.{}"
    words = f"{shot['ship']}: {kind.format(shot['number'] + 1, shot['firing'])} at {shot['target']} hits"
    return {f"{words} {hits}": p for hits, p in fa.salvo_odds(battle, shot).items()}


def _play(battle: dict[str, Any], text: str) -> dict[str, Any]:
    """What the referee has to say about an action: part of the position after it."""
    name, _, order = text.partition(": ")
    words = order.split()
    if battle["phase"] == "move" and re.fullmatch(r"[A-Z]\d+ [NESW]+", order):
        return _moved(battle, name, words)
    if battle["phase"] == "mines":
        damage, sunk = fa.strike_mine(battle["ships"][name], int(words[-1]))
        return {f"{name} damage": damage, f"{name} fate": "sunk" if sunk else "at sea"}
    if battle["phase"] == "fire" and words and words[0] in COMING:
        return {"while": {"phase": "fire"}, "shots": _shots(battle, name, order)}
    if battle["phase"] == "turrets":
        return {f"{name} out": fa.lose_turret(battle["ships"][name], int(words[1]))}
    left = [s for s in battle["shots"] if s["hits"] < 0]
    if battle["phase"] == "salvo":
        left[0]["hits"] = int(words[-1])
        if len(left) == 1:
            after = {}
            for other, (damage, sunk) in fa.after_fire(battle).items():
                ship = battle["ships"][other]
                if ship["square"] not in battle["harbours"][ship["side"]]:  # there she may be repaired at once
                    fate = "sunk" if sunk else ship["fate"]
                    after |= {f"{other} damage": damage, f"{other} fate": fate}
            return after
    return {}


def _moved(battle: dict[str, Any], who: str, words: list[str]) -> dict[str, Any]:
    square = ord(words[0][0]) - 65, int(words[0][1:]) - 1
    ways = fa.destinations(battle)[who, square, words[1]]
    after: dict[str, Any] = {"while": {"move": battle["move"]}, "struck": []}
    for name, best in ways.items():
        ship = battle["ships"][name]
        wake = list(best[0][2])
        there = wake[-1] if wake else ship["square"]
        after |= {f"{name} square": there, f"{name} heading": words[1], f"{name} task": "move", f"{name} wake": wake}
        after["struck"] += [(name, s) for s in fa.mines_struck(battle, ship["side"], ship, wake)]
    return after


def _shots(battle: dict[str, Any], name: str, order: str) -> list[dict[str, Any]]:
    match = re.fullmatch(r"(?:guns ?(main|secondary)? ?(once)?|torpedoes (\d+)) (.+)", order)
    assert match
    target = match[4]
    if match[3]:
        new = [{"torpedo": True, "number": int(match[3]) - 1, "firing": 1}]
    else:
        fired = fa.guns_order(battle, name, target, match[1] or "", bool(match[2]))
        new = [{"torpedo": False, "number": number, "firing": firing} for number, firing in fired]
    return battle["shots"] + [{"ship": name, "target": target, "hits": -1, **shot} for shot in new]


def _read(house: Any, state: Any) -> dict[str, Any]:
    battle = position(house, state)
    parts = {f"{n} {key}": value for n, s in battle["ships"].items() for key, value in s.items()}
    return {**parts, "move": state.move, "phase": battle["phase"], "shots": battle["shots"], "struck": battle["mined"]}


def _house_views(house: Any, state: Any) -> list[Any]:
    """For each side: the enemy ships at sea that it knows, and where it sees discs."""
    names = [unit.name for unit in house.battle.units]
    columns = house.battle.grid.columns
    views = []
    for me in (0, 1):
        seen = house.observe(state, me)
        known = {n for n, unit, ship in zip(names, house.battle.units, seen.view.ships, strict=True)
                 if unit.side != me and str(ship.fate) == "at sea" and ship.square >= 0}  # fmt: skip
        views.append((known, sorted((s % columns, s // columns) for s in seen.discs)))
    return views


def _referee_views(battle: dict[str, Any]) -> list[Any]:
    views = []
    for me in (0, 1):
        enemy = fa.at_sea(battle, 1 - me)
        known = {name for name in enemy if fa.is_known(battle, name)}
        discs = [] if fa.screened(battle) else sorted(s["square"] for n, s in enemy.items() if n not in known)
        views.append((known, discs))
    return views


def _options(rng: Any) -> dict[str, Any]:
    scenario = rng.choice(["river_plate", "denmark_strait", "iowa_convoy", "mined_strait", "night_action",
                           "raider_hunt", "build_your_own"])  # fmt: skip
    own = {}
    if scenario == "build_your_own":
        fleets = rng.choice(SHIPS, 2 * (count := int(rng.integers(1, 5))), replace=False)
        own = {"blue": ", ".join(fleets[:count]), "red": ", ".join(fleets[count:])}
    return {
        **own, "scenario": str(scenario), "weather": str(rng.choice(["scenario", "on"])),
        "light": str(rng.choice(["scenario", "night", "dawn", "dusk"])), "moves": int(rng.choice([0, 12])),
        "hidden_start": str(rng.choice(["scenario", "scenario", "on", "off"])),
        "turrets": str(rng.choice(["choice", "automatic"])), "first_mover": str(rng.choice(["alternate", "dice"])),
    }  # fmt: skip


FLEET_ACTION = Table(
    "fleet-action", _options, lambda house, rng: (house.initial(), position(house, house.initial())), _read,
    lambda after: after, _turn, _moves, _luck, _play, None, dull=("done",),
    longest=400, resume=position, views=(_house_views, _referee_views), asked=_asked,
)  # fmt: skip
