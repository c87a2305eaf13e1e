"""Text <-> action and text <-> state of Fleet Action."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from navalkit.core.errors import NotationError
from navalkit.core.field_text import parse_fields
from navalkit.core.options import brief
from navalkit.grids.square_headings import HEADINGS, heading

from ..cards.vessels import BATTERIES
from . import (
    OFF,
    SIDES,
    Action,
    Done,
    Enter,
    Fate,
    First,
    Guns,
    Hits,
    Hold,
    Lay,
    Leave,
    Mine,
    Minefield,
    Move,
    Phase,
    Reload,
    Ship,
    Shot,
    State,
    Sweep,
    Task,
    Told,
    Torpedoes,
    Turret,
    Weather,
)
from .scenario import Scenario, weapons

FORMS = (
    '"Ajax: C4 NE", "Ajax: guns Graf Spee", "Ajax: guns main once Graf Spee", "Ajax: torpedoes 1 Graf Spee", '
    '"Ajax: lay mines 2", "Ajax: sweep", "Ajax: reload", "Ajax: leave", "Ajax: turret 2 out" or "done"'
)
_PLACE = re.compile(r"([a-z]\d{1,3}) (n|ne|e|se|s|sw|w|nw)(?: (\d{1,2}))?")
_HITS = re.compile(r"(torpedoes|salvo) (\d{1,2})(?:\.(\d))? at (.+) hits (\d{1,3})")


def split_orders(text: str) -> tuple[str, ...]:
    """The single orders of a line such as "Fletcher: A2 NE 4; guns Musashi; torpedoes 1 Musashi".

    An order without a ship is for the ship named last. Each is then an action in its own phase.
    """
    found: list[str] = []
    ship = ""
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, colon, rest = part.rpartition(":")
        ship = name.strip() if colon else ship
        alone = not ship or part.lower() in ("done", "pass")
        found.append(part if alone else f"{ship}: {rest.strip()}")
    return tuple(found)


def parse_action(text: str, battle: Scenario) -> Action:
    """The action of that notation; case and extra blanks do not matter.

    Raises
    ------
    NotationError
        If it is none, or names a ship that is not in the battle.
    """
    words = " ".join(text[:300].split())
    lower = words.lower()
    if lower in ("done", "pass"):
        return Done()
    if match := re.fullmatch(r"first (blue|red)", lower):
        return First(SIDES.index(match[1]))
    if match := re.fullmatch(r"weather ([1-4]) ([1-6])", lower):
        return Weather(int(match[1]), int(match[2]))
    name, colon, order = words.partition(":")
    if not colon:
        raise NotationError(f"{brief(text)} is no order; write {FORMS}.")
    order = order.strip()
    if match := _PLACE.fullmatch(order.lower()):
        spent = int(match[3]) if match[3] else None
        who = _name(name, (*battle.numbers, *battle.divisions), "ship or division")
        return Move(who, match[1].upper(), match[2].upper(), spent)
    ship = _name(name, battle.numbers, "ship")
    if (action := _of_ship(ship, order, battle)) is None:
        raise NotationError(f"{brief(text)} is no order; write {FORMS}.")
    return action


def _of_ship(ship: str, order: str, battle: Scenario) -> Action | None:
    lower = order.lower()
    verbs: dict[str, Callable[[str], Action]] = {"sweep": Sweep, "reload": Reload, "leave": Leave, "lay mines": Lay}
    if lower in verbs:
        return verbs[lower](ship)
    if match := re.fullmatch(r"lay mines (\d{1,2})", lower):
        return Lay(ship, int(match[1]))
    if match := re.fullmatch(r"turret (\d{1,2}) out", lower):
        return Turret(ship, int(match[1]))
    if match := re.fullmatch(r"torpedoes (\d{1,2}) (.+)", order, re.IGNORECASE):
        if _HITS.fullmatch(lower) is None:
            return Torpedoes(ship, int(match[1]), _name(match[2], battle.numbers, "ship"))
    if lower.startswith("guns "):
        return _guns(ship, order.split()[1:], battle)
    if match := re.fullmatch(r"enter ([a-z]\d{1,3})", lower):
        return Enter(ship, match[1].upper())
    if match := re.fullmatch(r"mine ([a-z]\d{1,3}) (\d{1,2})", lower):
        return Mine(ship, match[1].upper(), int(match[2]))
    if match := _HITS.fullmatch(lower):
        target = _name(match[4], battle.numbers, "ship")
        torpedo = match[1] == "torpedoes"
        return Hits(ship, torpedo, int(match[2]), int(match[3] or 1), target, int(match[5]))
    return None


def _guns(ship: str, words: list[str], battle: Scenario) -> Guns:
    """Guns with battery and "once", if they are named; a ship with one battery needs no name for it."""
    battery, once = "", False
    if words and words[0].lower() in BATTERIES:
        battery, words = words[0].lower(), words[1:]
        owned = {weapon.battery for weapon in weapons(battle.card(battle.numbers[ship]))}
        battery = "" if owned == {battery} else battery
    if words and words[0].lower() == "once":
        once, words = True, words[1:]
    return Guns(ship, _name(" ".join(words), battle.numbers, "ship"), battery, once)


def _name(text: str, names: Any, what: str) -> str:
    """The name as it is written, whatever the case of the text."""
    wanted = text.strip().casefold()
    for name in names:
        if name.casefold() == wanted:
            return str(name)
    listed = ", ".join(list(names)[:12])
    raise NotationError(f"there is no {what} {brief(text.strip())} in this battle; there are: {listed}.")


# States ---------------------------------------------------------------------------------------------------------


def format_state(state: State, battle: Scenario) -> str:
    """One line: ``field=value`` for every field that is not at its default; a ship each for those changed."""
    start = battle.start()
    parts = [f"phase={state.phase}"]
    for f in fields(State)[1:]:
        value = getattr(state, f.name)
        if f.name == "ships":
            for unit, ship, at_start in zip(battle.units, value, start.ships, strict=True):
                if ship != at_start:
                    parts.append(f"{_key(unit.name)}={_show_ship(ship, battle)}")
        elif f.name in ("fields", "islands"):
            if value != getattr(start, f.name):
                parts.append(f"{f.name}={_show(f.name, value, battle)}")
        elif value != f.default:
            parts.append(f"{f.name}={_show(f.name, value, battle)}")
    return " ".join(parts)


def _key(name: str) -> str:
    return name.replace(" ", "_")


def _show_ship(ship: Ship, battle: Scenario) -> str:
    """``C4/NE`` or ``-``, then what is not as at the start of a battle, each with its letter."""
    names = battle.grid.names
    place = f"{names[ship.square]}/{HEADINGS[ship.heading]}" if ship.square != OFF else f"-/{HEADINGS[ship.heading]}"
    parts = [
        place, f"d{ship.damage}", f"o{'.'.join(map(str, ship.out))}", f"t{ship.loaded}", f"m{ship.mines}",
        ship.fate.value.replace(" ", "_"), ship.task.value, f"w{'.'.join(names[s] for s in ship.wake)}",
        "fired" if ship.fired else "", "marked" if ship.marked else "",
    ]  # fmt: skip
    if told := ship.told:
        parts.append(f"k{told.damage}/{'.'.join(map(str, told.out))}/{told.loaded}")
    return ",".join(parts)


def _show(name: str, value: Any, battle: Scenario) -> str:
    names = battle.grid.names
    if name == "weather":
        return ".".join(map(str, value))
    if name == "fields":
        rows = (f"{names[f.square]}/{f.side}/{f.left}/{f.swept}/{int(f.known)}" for f in value)
        return ",".join(rows) or "-"
    if name == "mined":
        return ",".join(f"{ship}/{names[square]}" for ship, square in value)
    if name == "shots":
        return ",".join(f"{s.ship}/{s.target}/{'gt'[s.torpedo]}/{s.number}/{s.firing}/{s.hits}" for s in value)
    if name == "islands":
        return ",".join(f"{hold.owner}/{'.'.join(map(str, hold.claims))}" for hold in value)
    return str(value)


def parse_state(text: str, battle: Scenario) -> State:
    """The state of that notation.

    Raises
    ------
    NotationError
        Naming the field that is wrong, or what does not fit together.
    """
    start = battle.start()
    keys = [_key(unit.name) for unit in battle.units]
    known = {f.name for f in fields(State)} - {"ships"}

    def read(name: str, value: str) -> Any:
        return _read_ship(value, battle) if name in keys else _READ[name](value, battle)

    read_fields = parse_fields(text, {*known, *keys}, read, "phase=move")
    values = {"fields": start.fields, "islands": start.islands} | read_fields
    ships = tuple(values.pop(key, at_start) for key, at_start in zip(keys, start.ships, strict=True))
    state = State(**values, ships=ships)
    if wrong := _misfit(state, battle):
        raise NotationError(f"the state does not fit together: {wrong}.")
    return state


def _number(text: str, high: int = 10**6, low: int = 0) -> int:
    if not re.fullmatch(r"-?[0-9]{1,7}", text) or not low <= int(text) <= high:
        raise ValueError(text)
    return int(text)


def _numbers(text: str, high: int = 10**6) -> tuple[int, ...]:
    return tuple(_number(part, high) for part in text.split(".")) if text else ()


def _lettered(text: str, letter: str) -> str:
    if text[:1] != letter:
        raise ValueError(text)
    return text[1:]


def _read_ship(text: str, battle: Scenario) -> Ship:
    place, damage, out, loaded, mines, fate, task, wake, fired, marked, *told = text.split(",")
    square, _, course = place.partition("/")
    grid = battle.grid
    way = _lettered(wake, "w")
    if fired not in ("", "fired") or marked not in ("", "marked"):
        raise ValueError(text)
    return Ship(
        OFF if square == "-" else grid.number(square),
        heading(course),
        _number(_lettered(damage, "d")),
        _numbers(_lettered(out, "o")),
        _number(_lettered(loaded, "t")),
        _number(_lettered(mines, "m")),
        Fate(fate.replace("_", " ")),
        Task(task),
        tuple(map(grid.number, way.split("."))) if way else (),
        bool(fired),
        bool(marked),
        _read_told(*told) if told else None,
    )


def _read_told(text: str) -> Told:
    damage, out, loaded = _lettered(text, "k").split("/")
    return Told(_number(damage), _numbers(out), _number(loaded))


def _read_fields(text: str, battle: Scenario) -> tuple[Minefield, ...]:
    found = []
    for row in text.split(",") if text != "-" else ():
        square, side, left, swept, known = row.split("/")
        number = battle.grid.number(square)
        found.append(Minefield(number, _number(side, 1), _number(left, 10**4, 1), _number(swept, 1), known == "1"))
    return tuple(found)


def _read_shot(row: str, battle: Scenario) -> Shot:
    ship, target, kind, number, firing, hits = row.split("/")
    last = len(battle.units) - 1
    torpedo = bool("gt".index(kind)) if kind else False
    shot = Shot(_number(ship, last), _number(target, last), torpedo, _number(number, 9), _number(firing, 9, 1))
    armament = battle.card(shot.ship).torpedoes if torpedo else weapons(battle.card(shot.ship))
    if shot.number >= len(armament):
        raise ValueError(row)
    return Shot(shot.ship, shot.target, torpedo, shot.number, shot.firing, _number(hits, 99, -1))


def _read_islands(text: str, battle: Scenario) -> tuple[Hold, ...]:
    rows = [row.split("/") for row in text.split(",")]
    if len(rows) != len(battle.islands):
        raise ValueError(text)
    return tuple(Hold(_number(owner, 1, -1), _numbers(claims, len(battle.units) - 1)) for owner, claims in rows)


def _read_mined(text: str, battle: Scenario) -> tuple[tuple[int, int], ...]:
    pairs = (row.split("/") for row in text.split(","))
    return tuple((_number(ship, len(battle.units) - 1), battle.grid.number(square)) for ship, square in pairs)


def _read_result(text: str, battle: Scenario) -> str:
    if text not in (*SIDES, "draw"):
        raise ValueError(text)
    return text


_READ: Mapping[str, Callable[[str, Scenario], Any]] = {
    "phase": lambda text, battle: Phase(text),
    "move": lambda text, battle: _number(text, battle.moves, 1),
    "side": lambda text, battle: _number(text, 1),
    "first": lambda text, battle: _number(text, 1),
    "weather": lambda text, battle: _numbers(text, 6),
    "fields": _read_fields,
    "mined": _read_mined,
    "shots": lambda text, battle: tuple(_read_shot(row, battle) for row in text.split(",")),
    "islands": _read_islands,
    "result": _read_result,
}


def _misfit(state: State, battle: Scenario) -> str | None:
    """What does not fit together, if anything."""
    for unit, ship in zip(battle.units, state.ships, strict=True):
        card = unit.card
        if (ship.fate is Fate.AT_SEA) != (ship.square != OFF):
            return f"{unit.name} is {ship.fate}, and her square says otherwise"
        if ship.square in battle.land:
            return f"{unit.name} lies on land"
        if (ship.fate is Fate.SUNK) != (ship.damage > card.sinking_rate):
            return f"the damage of {unit.name} does not fit her being {ship.fate}"
        if len(ship.out) != len(card.mounts):
            return f"{unit.name} has {len(card.mounts)} mounts"
        if any(lost > mount.guns for lost, mount in zip(ship.out, card.mounts, strict=True)):
            return f"more guns of {unit.name} are out than she has"
        if ship.loaded >= 1 << len(card.torpedoes) or ship.mines > card.mines:
            return f"{unit.name} carries more than her card says"
    if len(state.weather) > 4 or 0 in state.weather:
        return "a die shows 1 to 6, in four zones"
    if (state.phase is Phase.END) != bool(state.result):
        return "result= belongs to phase=end, and to it alone"
    if (state.phase is Phase.SALVO) and all(shot.hits >= 0 for shot in state.shots):
        return "phase=salvo needs a shot whose dice are not thrown yet"
    if (state.phase is Phase.MINES) != bool(state.mined):
        return "mined= belongs to phase=mines, and to it alone"
    if state.shots and state.phase not in (Phase.FIRE, Phase.SALVO):
        return "shots= belongs to phase=fire and phase=salvo alone"
    return None
