"""The table at which house and referee meet over Fleet Action."""

from __future__ import annotations
import re
import tomllib
from dataclasses import replace
from importlib.resources import files
from typing import Any

from navalkit.games.fleet_action import points
from navalkit.games.fleet_action.rules.play import score
from navalkit.games.fleet_action.state import Minefield
from . import fleet_action as fa
from .driver import Table

COMING = ("guns", "torpedoes")
DATA = tomllib.loads((files("navalkit.games.fleet_action") / "data" / "data.toml").read_text(encoding="utf-8"))
GUNS = {row["name"]: row for row in DATA["gun"]}
TORPEDOES = {row["name"]: row for row in DATA["torpedo"]}
SHIPS = [row["name"] for row in DATA["ship"]]


def position(house: Any, state: Any) -> dict[str, Any]:
    """A state of the house in the referee's words; the last one is kept until something is played in it."""
    if not (_last and _last[0] is state):
        _last[:] = state, _position(house, state)
    return _last[1]


_last: list[Any] = []


def _position(house: Any, state: Any) -> dict[str, Any]:
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
            "marked": ship.marked, "mines": ship.mines, "value": points(card),
            "enters": unit.enters, "entry": list(map(square, unit.entry)),
            "sets": [{"kind": s.kind, "tubes": s.tubes} for s in card.torpedoes],
            "mounts": [{"gun": m.gun, "guns": m.guns, "arc": m.arc, "battery": m.battery} for m in card.mounts],
        }  # fmt: skip
    names = list(ships)
    return {
        "columns": columns, "rows": board.grid.rows, "land": some(board.land), "light": board.light,
        "harbours": list(map(some, board.harbours)), "exits": list(map(some, board.exits)),
        "screened": board.screened, "screen": board.screen,
        "divisions": {d: [names[n] for n in of] for d, of in board.divisions.items()}, "choose": board.choose,
        "phase": str(state.phase), "move": state.move, "moves": board.moves, "side": state.side, "first": state.first,
        "weather": list(state.weather), "total": board.total, "result": state.result,
        "aims": [{"side": a.side, "aim": a.aim, "points": a.points,
                  "of": list(a.of) if a.aim == "island" else [names[n] for n in a.of]} for a in board.objectives],
        "islands": [{"squares": some(island.squares), "owner": hold.owner, "claims": {names[n] for n in hold.claims}}
                    for island, hold in zip(board.islands, state.islands, strict=True)],
        "ships": ships, "guns": GUNS, "torpedoes": TORPEDOES, "yards": house.battle.torpedo_yards,
        "fields": [{"square": square(f.square), "side": f.side, "left": f.left, "swept": f.swept, "known": f.known}
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
        legal = {"done"} | {f"{who}: {_name(square)} {course}" for who, square, course in fa.destinations(battle)}
        for name, ship in fa.at_sea(battle, battle["side"]).items():
            legal |= {f"{name}: lay mines {n}" for n in fa.may_lay(battle, ship)}
            legal |= {f"{name}: leave"} if fa.may_leave(battle, ship) else set()
            legal |= {f"{name}: reload"} if fa.may_reload(battle, ship) else set()
            legal |= {f"{name}: sweep"} if ship["type"] == "minesweeper" and ship["task"] == "none" else set()
        return legal
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
    return set(map(str, house.legal(state)))


def _luck(battle: dict[str, Any]) -> dict[str, Any] | None:
    if battle["phase"] != "salvo":
        return None
    shot = next(s for s in battle["shots"] if s["hits"] < 0)
    kind = "torpedoes {}" if shot["torpedo"] else "salvo {}.{}"
    words = f"{shot['ship']}: {kind.format(shot['number'] + 1, shot['firing'])} at {shot['target']} hits"
    return {f"{words} {hits}": p for hits, p in fa.salvo_odds(battle, shot).items()}


def _play(battle: dict[str, Any], text: str) -> dict[str, Any]:
    """What the referee has to say about an action: part of the position after it.

    Whether the move has ended with it is for the house to say: under "clock" lies how things stand if not, and under
    "ended" if so.
    """
    _last.clear()
    name, _, order = text.partition(": ")
    words = order.split()
    after: dict[str, Any] = {}
    if battle["phase"] == "move" and text != "done":
        after = _moved(battle, name, words)
    elif battle["phase"] == "mines":
        square, pips = battle["mined"][0][1], int(words[-1])
        ship = battle["ships"][name]
        ship["damage"], sunk = fa.strike_mine(ship, pips)
        field = next(f for f in battle["fields"] if f["square"] == square and f["side"] != ship["side"])
        field["left"], field["known"] = field["left"] - 1, True
        ship["marked"] = True
        battle["fields"] = [f for f in battle["fields"] if f["left"]]
        _sink(battle, {name} if sunk else set())
        after = {f"{name} {key}": ship[key] for key in ("damage", "fate", "marked")} | {"fields": _fields(battle)}
    elif battle["phase"] == "fire" and text != "done":
        after = {"shots": _shots(battle, name, order)}
    elif battle["phase"] == "turrets":
        ship = battle["ships"][name]
        ship["out"] = fa.lose_turret(ship, int(words[1]))
        after = {f"{name} out": list(ship["out"])}
    elif battle["phase"] == "salvo":
        left = [s for s in battle["shots"] if s["hits"] < 0]
        left[0]["hits"] = int(words[-1])
        ship = battle["ships"][left[0]["ship"]]
        ship["fired"] = True
        if left[0]["torpedo"]:
            ship["loaded"] &= ~(1 << left[0]["number"])
        after = {f"{left[0]['ship']} {key}": ship[key] for key in ("loaded", "fired")}
        if len(left) == 1:
            found = fa.after_fire(battle)
            for other, (damage, _) in found.items():
                battle["ships"][other]["damage"] = damage
            _sink(battle, {other for other, (_, sunk) in found.items() if sunk})
            after |= {f"{n} {key}": battle["ships"][n][key] for n in found for key in ("damage", "fate")}
    return {"while": {"clock": (battle["move"], False)}, **after, "ended": lambda: _ended(battle)}


def _sink(battle: dict[str, Any], names: Any) -> None:
    for name in names:
        if battle["ships"][name]["fate"] == "at sea":
            battle["ships"][name] |= {"fate": "sunk", "square": None}


def _ended(battle: dict[str, Any]) -> dict[str, Any]:
    """How things stand at the end of the move."""
    over = fa.end_of_move(battle)
    clock = battle["move"] + (not over), over
    keys = ("damage", "loaded", "fate", "mines")
    after = {f"{n} {key}": s[key] for n, s in battle["ships"].items() for key in keys}
    after |= {f"{n} {key}": s[key] for n, s in battle["ships"].items() if s["fate"] == "at sea"
              for key in ("marked", "fired", "task", "wake")}
    after["points"] = [fa.points(battle, side) + over * fa.survivors(battle, side) for side in (0, 1)]
    guns = {f"{n} guns out": s["guns out"] for n, s in battle["ships"].items() if s["fate"] == "at sea"}
    islands = [(island["owner"], island["claims"]) for island in battle["islands"]]
    return {**after, **guns, "clock": clock, "fields": _fields(battle), "islands": islands, "result": battle["result"]}


def _fields(battle: dict[str, Any]) -> Any:
    return sorted((f["square"], f["side"], f["left"], f["swept"], f["known"]) for f in battle["fields"])


def _moved(battle: dict[str, Any], who: str, words: list[str]) -> dict[str, Any]:
    """An order of the movement phase; the battle is changed."""
    ships = battle["ships"]
    if words[0] == "lay":
        fa.lay(battle, who, int(words[2]))
        keys = ("mines", "task")
    elif words[0] == "leave":
        ships[who] |= {"fate": "left", "square": None, "task": "move"}
        keys = ("fate", "square")
    elif words[0] in ("reload", "sweep"):
        ships[who]["task"] = words[0]
        keys = ("task",)
    else:
        return _sailed(battle, who, words)
    return {**{f"{who} {key}": ships[who][key] for key in keys}, "fields": _fields(battle)}


def _sailed(battle: dict[str, Any], who: str, words: list[str]) -> dict[str, Any]:
    square = ord(words[0][0]) - 65, int(words[0][1:]) - 1
    ways = fa.destinations(battle)[who, square, words[1]]
    after: dict[str, Any] = {"struck": []}
    for name, best in ways.items():
        wake = list(best[0][2])
        there = wake[-1] if wake else battle["ships"][name]["square"]
        for each in (*fa.guests(battle, name), name):
            ship = battle["ships"][each]
            ship |= {"square": there, "heading": words[1], "wake": wake}
            ship["task"] = "move" if each == name else "reload"
            after |= {f"{each} {key}": ship[key] for key in ("square", "heading", "task", "wake")}
            after["struck"] += [(each, s) for s in fa.mines_struck(battle, ship["side"], ship, wake)]
    cleared = fa.swept_in_passing(battle, battle["side"])
    battle["fields"] = [f for f in battle["fields"] if f["square"] not in cleared]
    if cleared & {s for _, s in after["struck"]}:
        del after["struck"]  # who of a division came before the last sweeper is not settled
    return {**after, "fields": _fields(battle)}


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
    guns = {f"{n} guns out": sum(s["out"]) for n, s in battle["ships"].items()}
    return {
        **parts, **guns, "clock": (state.move, battle["phase"] == "end"), "shots": battle["shots"],
        "struck": battle["mined"], "fields": _fields(battle), "result": state.result,
        "points": [score(house.battle, state, side) for side in (0, 1)],
        "islands": [(island["owner"], island["claims"]) for island in battle["islands"]],
    }  # fmt: skip


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


def _begin(house: Any, rng: Any) -> tuple[Any, dict[str, Any]]:
    """As the scenario has it, or in the middle of things: ships damaged, in harbour or off an island, and mines."""
    state, board = house.initial(), house.battle
    if rng.random() < 0.5:
        ships = []
        for unit, ship in zip(board.units, state.ships, strict=True):
            havens = board.harbours[unit.side] - board.harbours[1 - unit.side]
            if havens and not board.screened and str(ship.fate) == "at sea" and rng.random() < 0.4:
                ship = replace(ship, square=int(rng.choice(sorted(havens))))
            hurt = int(rng.integers(unit.card.sinking_rate + 1)) if rng.random() < 0.5 else 0
            ships.append(replace(ship, damage=hurt, loaded=ship.loaded & int(rng.integers(16))))
        around = sorted({s for shore in board.shores for s in shore})
        for number, square in enumerate(rng.permutation(around)[: len(ships)]):
            free = square not in {ship.square for ship in ships} and not board.screened
            if free and str(ships[number].fate) == "at sea" and rng.random() < 0.7:
                ships[number] = replace(ships[number], square=int(square))
        open_sea = sorted(set(range(board.grid.size)) - board.land)
        mined = {(int(s), int(rng.integers(2))) for s in rng.choice(open_sea, int(rng.integers(12)))}
        fields = {(f.square, f.side): f for f in state.fields}
        for square, side in mined:
            left, known = int(rng.integers(1, 11)), bool(rng.integers(2))
            fields[square, side] = Minefield(square, side, left, swept=int(rng.integers(2)), known=known)
        state = replace(state, ships=tuple(ships), fields=tuple(fields[key] for key in sorted(fields)))
    return state, position(house, state)


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
    "fleet-action", _options, _begin, _read,
    lambda after: after, _turn, _moves, _luck, _play, None, dull=("done",),
    longest=400, resume=position, views=(_house_views, _referee_views), asked=_asked,
)  # fmt: skip
