"""Text <-> action and text <-> state of Fleet Action."""

from __future__ import annotations
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from navalkit.core.codec import Codec, Form
from navalkit.core.errors import NotationError, brief
from navalkit.grids.square import HEADINGS, heading
from .cards import BATTERIES, SAY, ShipCard
from .craft import (
    Attack,
    Bombs,
    Charges,
    Contact,
    CrashDive,
    Down,
    Flak,
    Fly,
    Land,
    Launch,
    Load,
    Patrol,
    Periscope,
    Range,
    Seek,
)
from .state import (
    ENDS,
    OFF,
    SIDES,
    Action,
    Done,
    Enter,
    Fate,
    First,
    Guns,
    Hits,
    Lay,
    Leave,
    Mine,
    Move,
    Phase,
    Reload,
    Scenario,
    Ship,
    State,
    Sweep,
    Torpedoes,
    Turret,
    Weather,
    weapons,
)

_PLACE = re.compile(r"([a-z]\d{1,3}) (n|ne|e|se|s|sw|w|nw)(?: (\d{1,2}))?(?: (surface|periscope|deep))?")
_HITS = re.compile(r"(torpedoes|salvo) (\d{1,2})(?:\.(\d))? at (.+) hits (\d{1,3})")


def split_orders(text: str) -> tuple[str, ...]:
    """The single orders of a line such as "Fletcher: A2 NE 4; guns Musashi; torpedoes 1 Musashi". An order without a
    ship is for the ship named last. Each is then an action in its own phase."""
    found: list[str] = []
    ship = ""
    for part in filter(None, (part.strip() for part in text.split(";"))):
        name, colon, rest = part.rpartition(":")
        ship = name.strip() if colon else ship
        alone = not ship or part.lower() in ("done", "pass")
        found.append(part if alone else f"{ship}: {rest.strip()}")
    return tuple(found)


def parse_action(text: str, battle: Scenario) -> Action:
    """The action of that notation; case and extra blanks do not matter. NotationError if it is none, or names a ship
    that is not in the battle."""
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
        raise NotationError(SAY("order.forms", text=brief(text)))
    order = order.strip()
    if match := _PLACE.fullmatch(order.lower()):
        spent = int(match[3]) if match[3] else None
        who = _name(name, (*battle.numbers, *battle.divisions), "order.unit")
        return Move(who, match[1].upper(), match[2].upper(), spent, match[4] or "")
    flight = next((wing for wing in battle.wings if wing.casefold() == name.strip().casefold()), "")
    if flight:
        if (flown := _of_flight(flight, order, battle)) is None:
            raise NotationError(SAY("order.flights", text=brief(text)))
        return flown
    ship = _name(name, battle.numbers, "order.ship")
    if (action := _of_ship(ship, order, battle)) is None:
        raise NotationError(SAY("order.forms", text=brief(text)))
    return action


def _of_ship(ship: str, order: str, battle: Scenario) -> Action | None:
    lower = order.lower()
    verbs: dict[str, Callable[[str], Action]] = {"sweep": Sweep, "reload": Reload, "leave": Leave, "lay mines": Lay}
    if lower in verbs:
        return verbs[lower](ship)
    if match := re.fullmatch(r"lay mines (\d{1,2})", lower):
        return Lay(ship, int(match[1]))
    if match := re.fullmatch(r"range (.+)", order, re.IGNORECASE):
        return Range(ship, _name(match[1], battle.wings, "order.flight"))
    if match := re.fullmatch(r"fire at (.+) off (\d{1,3}) lost (\d{1,3})", order, re.IGNORECASE):
        return Flak(ship, _name(match[1], battle.wings, "order.flight"), int(match[2]), int(match[3]))
    if match := re.fullmatch(r"crash dive ([1-6])", lower):
        return CrashDive(ship, int(match[1]))
    if match := re.fullmatch(r"reload (\d{1,2})", lower):
        return Load(ship, int(match[1]))
    if match := re.fullmatch(r"periscope (seen|unseen)", lower):
        return Periscope(ship, match[1])
    if match := re.fullmatch(r"hunt ([a-z]\d{1,3})(?: (contact|nothing))?", lower):
        square = match[1].upper()
        return Contact(ship, square, match[2]) if match[2] else Seek(ship, square)
    if match := re.fullmatch(r"charges ([a-z]\d{1,3}) oil (\d{1,2}) telling (\d{1,2})", lower):
        return Charges(ship, match[1].upper(), int(match[2]), int(match[3]))
    if match := re.fullmatch(r"turret (\d{1,2}) out", lower):
        return Turret(ship, int(match[1]))
    if match := re.fullmatch(r"torpedoes (\d{1,2}) (.+)", order, re.IGNORECASE):
        if _HITS.fullmatch(lower) is None:
            return Torpedoes(ship, int(match[1]), _name(match[2], battle.numbers, "order.ship"))
    if lower.startswith("guns "):
        return _guns(ship, order.split()[1:], battle)
    if match := re.fullmatch(r"enter ([a-z]\d{1,3})", lower):
        return Enter(ship, match[1].upper())
    if match := re.fullmatch(r"mine ([a-z]\d{1,3}) (\d{1,2})", lower):
        return Mine(ship, match[1].upper(), int(match[2]))
    if match := _HITS.fullmatch(lower):
        target = _name(match[4], battle.numbers, "order.ship")
        torpedo = match[1] == "torpedoes"
        return Hits(ship, torpedo, int(match[2]), int(match[3] or 1), target, int(match[5]))
    return None


def _of_flight(flight: str, order: str, battle: Scenario) -> Action | None:
    """An order to a flight, or what the dice say of it."""
    lower = order.lower()
    if lower == "launch":
        return Launch(flight)
    if re.fullmatch(r"[a-z]\d{1,3}", lower):
        return Fly(flight, lower.upper())
    if match := re.fullmatch(r"enter ([a-z]\d{1,3})", lower):
        return Enter(flight, match[1].upper())
    if lower == "land home":
        return Land(flight, "home")
    if match := re.fullmatch(r"(patrol|attack|land) (.+)", order, re.IGNORECASE):
        target = _name(match[2], battle.numbers, "order.ship")
        kinds: dict[str, Callable[[str, str], Action]] = {"patrol": Patrol, "attack": Attack, "land": Land}
        return kinds[match[1].lower()](flight, target)
    if match := re.fullmatch(r"fight (.+) down (\d{1,3})", order, re.IGNORECASE):
        return Down(flight, _name(match[1], battle.wings, "order.flight"), int(match[2]))
    if match := re.fullmatch(r"at (.+) hits (\d{1,3}) telling (\d{1,3})", order, re.IGNORECASE):
        return Bombs(flight, _name(match[1], battle.numbers, "order.ship"), int(match[2]), int(match[3]))
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
    return Guns(ship, _name(" ".join(words), battle.numbers, "order.ship"), battery, once)


def _name(text: str, names: Any, key: str) -> str:
    """The name as it is written, whatever the case of the text; read as the present reader is shown it, too."""
    wanted = text.strip().casefold()
    for called in (str, SAY.named):
        for name in names:
            if called(name).casefold() == wanted:
                return str(name)
    raise NotationError(SAY(key, name=brief(text.strip()), names=", ".join(list(names)[:12])))


@lru_cache(maxsize=64)
def _codec(battle: Scenario) -> Codec[State]:
    """Squares by their labels, headings by their letters, ships by their names."""
    grid, names = battle.grid, battle.grid.names
    square = Form(lambda n: names[n] if n != OFF else "-", lambda text: grid.number(text) if text != "-" else OFF)
    ship = Form(lambda number: battle.units[number].name, lambda text: battle.numbers[text])
    flight = Form(lambda number: battle.flights[number].name, lambda text: battle.wings[text])
    mark = Form(lambda n: battle.units[n].name if n >= 0 else "-",
                lambda text: battle.numbers[text] if text != "-" else -1)
    forms = {"square": square, "wake": square, "fouled": square, "came": square, "flight": flight, "other": flight,
             "mark": mark, "heading": Form(HEADINGS.__getitem__, heading)}
    return Codec(State, {**forms, "ship": ship, "target": ship, "claims": ship})


def format_state(state: State, battle: Scenario) -> str:
    """What differs from the start of the battle; of the ships each in its place, ``=`` for one as at the start."""
    return _codec(battle).write(state, battle.start())


def parse_state(text: str, battle: Scenario) -> State:
    """The state of that notation; NotationError naming the field that is wrong, or what does not fit together."""
    state = _codec(battle).read(text, battle.start())
    if wrong := next(_misfits(state, battle), None):
        raise NotationError(SAY("state.misfit", wrong=wrong))
    return state


def _misfits(state: State, battle: Scenario) -> Iterator[str]:
    """What does not fit together."""
    if not 1 <= state.move <= battle.moves or {state.side, state.first} - {0, 1}:
        yield SAY("state.moves", moves=battle.moves)
    if len(state.weather) > 4 or not set(state.weather) <= set(range(1, 7)):
        yield SAY("state.dice")
    if len(state.ships) != len(battle.units) or len(state.islands) != len(battle.islands):
        yield SAY("state.counts", ships=len(battle.units), islands=len(battle.islands))
        return
    for unit, ship in zip(battle.units, state.ships, strict=True):
        yield from _misfits_of(unit.name, ship, unit.card, battle)
    for field in state.fields:
        if field.side not in (0, 1) or not 1 <= field.left or field.swept not in (0, 1):
            yield SAY("state.field")
    for shot in state.shots:
        card = battle.card(shot.ship)
        if not 0 <= shot.number < len(card.torpedoes if shot.torpedo else weapons(card)):
            yield SAY("state.weapon", name=card.name)
        if not (-1 <= shot.hits <= 99 and 1 <= shot.firing <= 9):
            yield SAY("state.shot")
    if not {hold.owner for hold in state.islands} <= {-1, 0, 1} or state.result not in ("", *SIDES, "draw"):
        yield SAY("state.island")
    if (state.phase is Phase.END) != bool(state.result) or state.ended not in ("", *(ENDS if state.result else ())):
        yield SAY("state.result")
    if state.phase is Phase.SALVO and all(shot.hits >= 0 for shot in state.shots):
        yield SAY("state.salvo")
    if (state.phase is Phase.MINES) != bool(state.mined):
        yield SAY("state.mined")
    if state.hunts and state.phase not in (Phase.FIRE, Phase.RAID, Phase.SALVO, Phase.HUNT):
        yield SAY("state.hunts")
    if any(not (battle.card(hunt.ship).gear and 0 <= hunt.telling <= max(0, hunt.oil)) for hunt in state.hunts):
        yield SAY("state.hunt")
    if any(not (battle.card(each.ship).gear and 1 <= each.move <= state.move and 2 <= each.need <= 7)
           for each in state.searched):
        yield SAY("state.hunt")
    if not 0 <= state.looked <= len(battle.boats) or (state.looked and state.phase is not Phase.SEEN):
        yield SAY("state.looked")
    if len(state.flights) != len(battle.flights):
        yield SAY("state.flights", n=len(battle.flights))
    elif any(not 0 <= own.count <= squadron.count or (own.place == "aloft") != (own.square != OFF)
             for own, squadron in zip(state.flights, battle.flights, strict=True)):
        yield SAY("state.flight")
    if (state.raids or state.fights) and state.phase not in (Phase.RAID, Phase.SALVO, Phase.HUNT):
        yield SAY("state.raids")
    if state.shots and state.phase not in (Phase.FIRE, Phase.RAID, Phase.SALVO, Phase.HUNT):
        yield SAY("state.shots")


def _misfits_of(name: str, ship: Ship, card: ShipCard, battle: Scenario) -> Iterator[str]:
    """What does not fit together about a ship."""
    if (ship.fate is Fate.AT_SEA) != (ship.square != OFF):
        yield SAY("state.square", name=name, fate=ship.fate)
    if ship.square in battle.land:
        yield SAY("state.land", name=name)
    if ship.damage < 0 or (ship.fate is Fate.SUNK) != (ship.damage > card.sinking_rate):
        yield SAY("state.damage", name=name, fate=ship.fate)
    for out in (ship.out, ship.told.out if ship.told else ship.out):
        if len(out) != len(card.mounts):
            yield SAY("state.mounts", name=name, n=len(card.mounts))
        elif any(not 0 <= lost <= mount.guns for lost, mount in zip(out, card.mounts, strict=True)):
            yield SAY("state.guns", name=name)
    if ship.seen and (ship.seen.square in {OFF, *battle.land} or not 0 <= ship.seen.moves <= battle.moves):
        yield SAY("state.seen", name=name)
    if (ship.dived and not card.boat) or not (0 <= ship.battery <= card.battery and 0 <= ship.spares <= card.spares):
        yield SAY("state.boat", name=name)
    if not -1 <= ship.loading < len(card.torpedoes):
        yield SAY("state.boat", name=name)
    full = 1 << len(card.torpedoes)
    if not (0 <= ship.loaded < full and 0 <= ship.mines <= card.mines):
        yield SAY("state.cargo", name=name)
    if ship.told and not (0 <= ship.told.loaded < full and 0 <= ship.told.damage <= card.sinking_rate):
        yield SAY("state.told", name=name)
