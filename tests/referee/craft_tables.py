"""The table at which house and referee meet over the boats and aircraft of Fleet Action."""

from __future__ import annotations
import tomllib
from dataclasses import replace
from importlib.resources import files
from typing import Any

from navalkit.games.fleet_action.craft import DEPTHS, Duty, Place
from navalkit.games.fleet_action.state import Fate, Phase
from . import fleet_action as fa, fleet_craft as fc
from .driver import Table
from .fleet_tables import _position

DATA = tomllib.loads((files("navalkit.games.fleet_action") / "data" / "sea_and_air.toml").read_text(encoding="utf-8"))
AIRCRAFT = {row["name"]: row for row in DATA["aircraft"]}
GEAR = {row["name"]: row for row in DATA["gear"]}
SCENARIOS = ("night_convoy", "wounded_cruiser", "force_z", "rudder", "carriers_in_the_cloud")
DICED = ("seen", "hunt", "raid")
CHANCE = ("first", "weather", "entry", "mines", "salvo", *DICED)


def position(house: Any, state: Any) -> dict[str, Any]:
    """A state of the house in the referee's words."""
    board, battle = house.battle, _position(house, state)
    columns = board.grid.columns

    def square(number: int) -> Any:
        return (number % columns, number // columns) if number >= 0 else None

    names = list(battle["ships"])
    for unit, ship in zip(board.units, state.ships, strict=True):
        card = unit.card
        battle["ships"][unit.name] |= {
            "boat": card.type == "submarine", "depth": str(ship.depth), "battery": ship.battery, "spares": ship.spares,
            "loading": ship.loading, "still": ship.still, "announced": ship.announced, "heard": ship.heard,
            "oil": ship.oil, "patterns": ship.patterns, "went": ship.went, "turned": ship.turned,
            "launched": ship.launched, "landed": ship.landed, "screws": ship.screws, "gear": GEAR.get(card.gear),
            "aa": card.anti_aircraft, "deck": card.deck, "armoured": card.armoured_deck, "radar": card.radar,
        }
    flights = {}
    for squadron, own in zip(board.flights, state.flights, strict=True):
        row = AIRCRAFT[squadron.plane.name]
        flights[squadron.name] = {
            "count": own.count, "place": str(own.place), "square": square(own.square), "came": square(own.came),
            "moves": own.moves, "ready": own.ready, "duty": str(own.duty), "acted": own.acted, "loaded": own.loaded,
            "mark": names[own.mark] if own.mark >= 0 else "", "shown": own.shown, "side": squadron.side,
            "base": names[squadron.base] if squadron.base >= 0 else "", "roles": row["roles"],
            "squares": row["squares"], "aloft": row["moves"], "grade": row["grade"], "weapon": row.get("weapon", ""),
            "bombs": row.get("bombs", 0), "level": squadron.level, "call": squadron.call,
            "entry": set(map(square, squadron.entry)),
        }
    return battle | {
        "wide": board.wide, "flights": flights, "looked": state.looked, "boats": [names[n] for n in board.boats],
        "fouled": set(map(square, state.fouled)),
        "hunts": [{"ship": names[h.ship], "square": square(h.square), "heard": h.heard, "oil": h.oil}
                  for h in state.hunts],
        "searched": [(s.move, names[s.ship], square(s.square), s.need) for s in state.searched],
        "down": [f.down for f in state.fights],
        "raids": [{"flight": board.flights[r.flight].name, "target": names[r.target], "off": r.off, "dive": r.dive,
                   "hits": r.hits} for r in state.raids],
    }


def _name(square: Any) -> str:
    return f"{chr(65 + square[0])}{square[1] + 1}"


def _turn(battle: dict[str, Any]) -> Any:
    return "over" if battle["phase"] == "end" else "chance" if battle["phase"] in CHANCE else battle["side"]


def _moves(battle: dict[str, Any]) -> set[str]:
    """What may be done, as far as it is the referee's business here."""
    side = battle["side"]
    if battle["phase"] == "fly":
        return {"done"}.union(*(fc.flight_orders(battle, name) for name in battle["flights"]))
    if battle["phase"] == "fire":
        return {f"{name}: hunt {_name(square)}" for name, square in fc.may_hunt(battle, side)}
    if battle["phase"] == "move":
        found = set()
        for name, ship in fa.at_sea(battle, side).items():
            found |= {f"{name}: reload {n}" for n in fc.may_load(ship)} if ship["boat"] else set()
            if ship["boat"] and ship["task"] == "none":
                found |= {f"{name}: {_name(s)} {course}{' ' * bool(depth)}{depth}"
                          for s, course, depth in fc.boat_moves(battle, ship)}
        return found
    return set()


def _asked(house: Any, state: Any) -> set[str]:
    legal = set(map(str, house.legal(state)))
    if state.phase is Phase.FLY:
        return legal
    if state.phase is Phase.FIRE:
        return {text for text in legal if ": hunt " in text}
    if state.phase is not Phase.MOVE:
        return set()
    boats = [house.battle.units[n].name for n in house.battle.boats]
    loads = [f"{name}: reload {n}" for name in boats for n in range(1, 4)]
    found = {text for text in loads if house.why_not(state, house.parse_action(text)) is None}
    return found | {text for text in legal if text.split(": ")[0] in boats and ": reload" not in text
                    and not text.endswith(("leave", "sweep")) and ": lay" not in text}


def _luck(battle: dict[str, Any]) -> dict[str, Any] | None:
    if battle["phase"] == "seen":
        return {key: p for key, p in fc.periscope_odds(battle, battle["boats"][battle["looked"]]).items() if p}
    if battle["phase"] == "hunt":
        hunt = next(h for h in battle["hunts"] if h["heard"] < 0 or (h["heard"] and h["oil"] < 0 and _armed(battle, h)))
        odds = fc.charge_odds if hunt["heard"] > 0 else fc.contact_odds
        return {key: p for key, p in odds(battle, hunt, _name(hunt["square"])).items() if p}
    if battle["phase"] != "raid":
        return None
    waiting = [n for n, down in enumerate(battle["down"]) if down < 0]
    if waiting:
        return fc.fight_odds(battle, waiting[0])
    raids = battle["raids"]
    if raid := next((r for r in raids if r["off"] < 0), None):
        return fc.flak_odds(battle, raid)
    raid = next(r for r in raids if r["hits"] < 0)
    if battle["ships"][raid["target"]]["boat"] and raid["dive"] < 0:
        return {f"{raid['target']}: crash dive {pips}": fc.SIXTH for pips in range(1, 7)}
    return {key: p for key, p in fc.drop_odds(battle, raid).items() if p}


def _armed(battle: dict[str, Any], hunt: dict[str, Any]) -> bool:
    ship = battle["ships"][hunt["ship"]]
    return ship["square"] == hunt["square"] and ship["patterns"] > 0


def _read(house: Any, state: Any) -> dict[str, Any]:
    battle = position(house, state)
    kept = ("depth", "battery", "still", "announced", "heard", "oil", "patterns", "loading", "launched", "landed")
    found = {f"{n} {key}": s[key] for n, s in battle["ships"].items() for key in kept}
    kept = ("count", "place", "square", "came", "moves", "ready", "duty", "mark", "acted", "loaded")
    found |= {f"{n} {key}": f[key] for n, f in battle["flights"].items() for key in kept}
    hunts = [(h["ship"], h["square"]) for h in battle["hunts"]]
    return found | {"hunts": hunts, "fouled": battle["fouled"], "searched": battle["searched"],
                    "clock": (battle["move"], battle["phase"])}


def _play(battle: dict[str, Any], text: str) -> dict[str, Any]:
    """What the referee has to say of what an order or die leaves, if the phase goes on."""
    name, _, order = text.partition(": ")
    words, phase = order.split(), battle["phase"]
    after: dict[str, Any] = {}
    ships, flights = battle["ships"], battle["flights"]
    if phase == "move" and name in battle["boats"]:
        after = _boat_moved(ships[name], name, words)
    elif phase == "seen" and "periscope" in words:
        after = {f"{name} announced": ships[name]["announced"] or words[-1] == "seen"}
    elif phase == "fire" and words[:1] == ["hunt"]:
        hunts = [(h["ship"], h["square"]) for h in battle["hunts"]]
        after = {"hunts": [*hunts, (name, _square(words[1]))]}
    elif phase == "hunt":
        after = _hunted(battle, name, words)
    elif phase == "fly" and order:
        after = _flown(battle, name, order)
    elif phase == "raid" and words[0] == "fire":
        flight = next(n for n in flights if order.startswith(f"fire at {n} off"))
        left = flights[flight]["count"] - int(words[-1])
        after = {f"{flight} count": left, f"{flight} place": "aloft" if left else "lost"}
    elif phase == "raid" and words[0] == "at":
        after = {f"{name} loaded": False}
    return {"while": {"clock": (battle["move"], phase)}, **after}


def _square(text: str) -> tuple[int, int]:
    return ord(text[0]) - 65, int(text[1:]) - 1


def _boat_moved(ship: dict[str, Any], name: str, words: list[str]) -> dict[str, Any]:
    if words[0] == "reload":
        return {f"{name} loading": int(words[1]) - 1}
    if words[0] in ("lay", "leave", "sweep"):
        return {}
    depth = words[2] if len(words) > 2 else ship["depth"]
    levels = abs(fc.LEVELS.index(depth) - fc.LEVELS.index(ship["depth"]))
    spent = int(depth != "surface" and _square(words[0]) != ship["square"])
    return {f"{name} depth": depth, f"{name} battery": ship["battery"] - spent,
            f"{name} still": levels > 1 if len(words) > 2 else ship["still"]}


def _hunted(battle: dict[str, Any], name: str, words: list[str]) -> dict[str, Any]:
    ships = battle["ships"]
    hunt = next(h for h in battle["hunts"] if h["ship"] == name)
    boat = fc.hunted_boat(battle, hunt)
    if words[0] == "charges":
        foul = {hunt["square"]} if ships[name]["gear"]["weapon"] == "charges" else set()
        return {f"{name} patterns": ships[name]["patterns"] - 1, "fouled": battle["fouled"] | foul,
                f"{boat} oil": ships[boat]["oil"] or int(words[3]) > 0}
    if words[-1] == "contact":
        return {f"{boat} announced": True, f"{boat} heard": True}
    search = battle["move"], name, hunt["square"], fc.needed(battle, hunt)
    return {"searched": [*battle["searched"], search]}


def _flown(battle: dict[str, Any], name: str, order: str) -> dict[str, Any]:
    ships, flights, words = battle["ships"], battle["flights"], order.split()
    if words[0] == "range":
        flight = order.removeprefix("range ")
        return {f"{flight} place": "ranged", f"{flight} ready": battle["move"] + 1, f"{flight} acted": True}
    flight = flights[name]
    if words[0] == "launch" and not flight["base"]:
        return {f"{name} place": "coming", f"{name} ready": battle["move"] + flight["call"]}
    if words[0] == "launch":
        base = ships[flight["base"]]
        return {f"{name} place": "aloft", f"{name} square": base["square"], f"{name} moves": flight["aloft"],
                f"{flight['base']} launched": base["launched"] + bool(base["deck"])}
    if words[0] == "land":
        base = order.removeprefix("land ")
        if base == "home":
            return {f"{name} place": "home", f"{name} square": None}
        wait = 2 if "fighter" in flight["roles"] else 3
        return {f"{name} place": "below", f"{name} ready": battle["move"] + wait, f"{name} loaded": True,
                f"{base} landed": ships[base]["landed"] + bool(ships[base]["deck"])}
    if words[0] in ("patrol", "attack"):
        mark = order.removeprefix(f"{words[0]} ")
        return {f"{name} square": ships[mark]["square"], f"{name} duty": words[0], f"{name} mark": mark,
                f"{name} came": flight["square"], f"{name} acted": True}
    return {f"{name} square": _square(words[0]), f"{name} duty": "none", f"{name} came": flight["square"]}


def _house_views(house: Any, state: Any) -> list[Any]:
    board, columns, found = house.battle, house.battle.grid.columns, []
    for me in (0, 1):
        seen = house.observe(state, me)
        known = {unit.name for unit, ship in zip(board.units, seen.view.ships, strict=True)
                 if unit.side != me and ship.fate is Fate.AT_SEA and ship.square >= 0}
        sky = sorted(((s % columns, s // columns), count) for s, count in seen.sky)
        found.append((known, sky))
    return found


def _referee_views(battle: dict[str, Any]) -> list[Any]:
    found = []
    for me in (0, 1):
        known = {name for name in fa.at_sea(battle, 1 - me) if fc.is_known(battle, name)}
        sky = sorted((f["square"], f["count"]) for f in battle["flights"].values()
                     if f["side"] != me and not f["shown"] and fc.is_seen(battle, f))
        found.append((known, sky))
    return found


def _begin(house: Any, rng: Any) -> tuple[Any, dict[str, Any]]:
    """As the scenario has it, or in the middle of things: ships hurt, boats among hunters, flights attacking."""
    state, board = house.initial(), house.battle
    if rng.random() < 0.85:
        sea = sorted(set(range(board.grid.size)) - board.land)
        ships = [replace(ship, fate=Fate.AT_SEA,
                         square=unit.square if unit.square >= 0 else int(rng.choice(unit.entry)))
                 for unit, ship in zip(board.units, state.ships, strict=True)]
        for n, unit in enumerate(board.units):
            hurt = int(rng.integers(unit.card.sinking_rate + 1)) if rng.random() < 0.4 else unit.damage
            ships[n] = replace(ships[n], damage=hurt)
            if unit.card.boat:
                prey = [k for k in board.fleet(1 - unit.side)]
                near = ships[int(rng.choice(prey))].square
                up = 4 * hurt // unit.card.sinking_rate >= 3
                ships[n] = replace(ships[n], square=near if rng.random() < 0.7 else int(rng.choice(sea)),
                                   depth=DEPTHS[0 if up else int(rng.integers(3))],
                                   battery=int(rng.integers(unit.card.battery + 1)),
                                   loaded=int(rng.integers(1 << len(unit.card.torpedoes))))
        flights = []
        for n, squadron in enumerate(board.flights):
            own = state.flights[n]
            if rng.random() < 0.8:
                count = int(rng.integers(1, squadron.count + 1))
                foes, friends = board.fleet(1 - squadron.side), board.fleet(squadron.side)
                guard = squadron.fighter and friends and rng.random() < 0.6
                mark = int(rng.choice(friends if guard else foes)) if (foes or guard) else -1
                boat = mark >= 0 and board.card(mark).boat
                fits = mark >= 0 and not ships[mark].dived and (guard or not boat)
                if fits:
                    square = ships[mark].square
                    duty = Duty.PATROL if guard else Duty.ATTACK
                    attacks = guard or squadron.fighter or squadron.armed
                    own = replace(own, count=count, place=Place.ALOFT, square=square, came=square,
                                  moves=squadron.plane.moves, ready=0, duty=duty if attacks else Duty.NONE,
                                  mark=mark if attacks else -1, acted=bool(attacks and rng.random() < 0.8))
            flights.append(own)
        state = replace(state, ships=tuple(ships), flights=tuple(flights))
    return state, position(house, state)


def _options(rng: Any) -> dict[str, Any]:
    scenario = str(rng.choice(SCENARIOS, p=[0.3, 0.25, 0.2, 0.15, 0.1]))
    return {"scenario": scenario, "weather": str(rng.choice(["scenario", "on", "off"])),
            "light": str(rng.choice(["scenario", "scenario", "day", "night"])), "moves": int(rng.choice([3, 6]))}


FLEET_CRAFT = Table(
    "fleet-action", _options, _begin, _read, lambda after: after, _turn, _moves, _luck, _play, None,
    dull=("done",), longest=160, resume=position, views=(_house_views, _referee_views), asked=_asked,
)
