"""What the chosen ship, boat, hunter or flight can be told to do, as places to press, each with what it would bring."""

from __future__ import annotations
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from navalkit.grids.square import HEADINGS, distance
from navalkit.view.scene import Pick
from .. import sight
from ..cards import TABLES
from ..craft import Attack, Depth, Duty, Fly, Land, Launch, Load, Patrol, Place, Range, Seek
from ..rules import flying
from ..sight import Observation
from ..state import OFF, Action, Guns, Lay, Leave, Reload, Sweep, Torpedoes, weapons
from . import SAY, percent, points
from .choice import Choice, depth_pick, dives, flights, foe_id, foe_pick, located, unit_id, unit_pick
from .forecast import Aimed, Search, foretold, search

Special = Lay | Sweep | Reload | Load | Leave  # what a ship can do in the movement phase besides going somewhere


@dataclass(frozen=True, slots=True)
class Item:
    """A place to press: its lines, cell id, alt text, what it does, whether it is chosen; without an id it is dead."""

    lines: Sequence[str]
    id: str
    alt: str
    action: Action | None = None
    pick: Pick | None = None
    on: bool = False


def weapon_words(order: Guns | Torpedoes) -> str:
    """What fires, in words: "All guns", "Main guns, once", "Torpedo set 2"."""
    if isinstance(order, Torpedoes):
        return SAY("fire.set", n=order.number)
    return SAY(f"fire.{order.battery or 'all'}") + (SAY("fire.once") if order.once else "")


def special_words(order: Special) -> str:
    """What a ship does besides going somewhere, in words."""
    if isinstance(order, Lay):
        return SAY("do.lay", n=order.squares)
    if isinstance(order, Load):
        return SAY("do.load", n=order.number)
    return SAY({Sweep: "do.sweep", Reload: "do.reload", Leave: "do.leave"}[type(order)])


def ship_facts(seen: Observation, ship: int) -> str:
    """What to bear in mind of a ship that is to move."""
    own, card = seen.view.ships[ship], seen.battle.card(ship)
    guns = max((w.gun.range for w in weapons(card) if w.battery == "main"), default=0)
    tubes = max((seen.battle.torpedo_range(ship, n) for n in range(len(card.torpedoes)) if own.loaded >> n & 1),
                default=0)
    words = SAY.named(card.type)
    words = words[:1].upper() + words[1:]
    key = "" if guns and tubes else ".guns" if guns else ".tubes" if tubes else ".none"
    told = SAY(f"move.facts{key}", type=words, heading=HEADINGS[own.heading], guns=guns, tubes=tubes)
    foe = nearest(seen, own.square)
    if foe is None:
        return told
    far = distance(seen.battle.grid, own.square, seen.view.ships[foe].square)
    return f"{told} {SAY('move.facts.foe', foe=seen.battle.units[foe].name, n=far)}"


def nearest(seen: Observation, square: int) -> int | None:
    """The enemy that lies nearest to a square, of those whose place is known."""
    enemies = located(seen, 1 - seen.me)
    return min(enemies, key=lambda n: (distance(seen.battle.grid, square, seen.view.ships[n].square), n), default=None)


# Boats and their hunters (F41 to F52) ---------------------------------------------------------------------------

def depths(seen: Observation, choice: Choice) -> Iterator[Item]:
    """The depths of the chosen boat: pressed, she goes somewhere at that depth; two levels are all she does."""
    if len(choice.ships) != 1 or not seen.battle.card(choice.ships[0]).boat:
        return
    own, ways = seen.view.ships[choice.ships[0]], dives(seen, choice)
    for depth in Depth:
        words = SAY(f"depth.{depth}")
        if depth is own.depth and (ways or choice.moves):
            yield Item((words, SAY("depth.now", n=own.battery)), f"depth {depth}", SAY("depth.now.alt", depth=words),
                       pick=depth_pick(choice.depth) if choice.depth else None, on=choice.depth is None)
        elif depth in ways:
            alone = ways[depth]
            told = SAY("depth.alone" if alone else "depth.goes")
            alt = SAY("depth.alt", unit=choice.unit, depth=words)
            pick = None if alone else depth_pick(depth)
            yield Item((words, told), f"depth {depth}", alt, alone, pick, on=choice.depth is depth)


def boat_facts(seen: Observation, ship: int) -> str:
    """What to bear in mind of a boat that is to move."""
    own, card = seen.view.ships[ship], seen.battle.card(ship)
    return SAY("depth.facts", depth=SAY(f"depth.{own.depth}"), n=own.battery, of=card.battery, spares=own.spares)


def searches(seen: Observation, choice: Choice) -> Iterator[Item]:
    """The squares that the chosen hunter can search, her own first, each with what that brings if a boat is there."""
    for square, order in choice.hunts.items():
        name = seen.battle.grid.names[square]
        told = search_words(search(seen, order))
        lines = SAY("hunt", square=name), *told.split(" · ")
        yield Item(lines, f"hunt {name}", SAY("hunt.alt", order=order, told=told), order)


def search_words(found: Search) -> str:
    """What a search does, in words."""
    if not found.points:
        return SAY("hunt.hears", heard=percent(found.heard))
    return SAY("hunt.odds", heard=percent(found.heard), breaks=percent(found.breaks))


def hunter_facts(seen: Observation, ship: int) -> str:
    """What to bear in mind of a hunter that is to search."""
    card, own = seen.battle.card(ship), seen.view.ships[ship]
    gear = TABLES.gear[card.gear]
    return SAY("hunt.facts", ship=seen.battle.units[ship].name, gear=gear.name, n=own.patterns)


# Flights (F54 to F67) -------------------------------------------------------------------------------------------

def flight_items(seen: Observation, choice: Choice, most: int = 0) -> list[Item]:
    """A place to press for each flight; of ``most``, where room is short, for the chosen one and those that come after
    it of all that can be given an order: so one comes to every flight."""
    names = flights(seen)
    if most:
        waiting = [name for name in names if name in choice.orders]
        at = waiting.index(choice.unit) if choice.unit in waiting else 0
        names = tuple((waiting[at:] + waiting[:at])[:most])
    found = []
    for name in names:
        lines = name, flight_status(seen, name)
        found.append(Item(lines, unit_id(name), ": ".join(lines), pick=unit_pick(name), on=name == choice.unit))
    return found


def flight_status(seen: Observation, name: str) -> str:
    """Where a flight is, and what it does."""
    battle, state = seen.battle, seen.view
    number = battle.wings[name]
    own, squadron = state.flights[number], battle.flights[number]
    if own.place is Place.ALOFT:
        if own.duty is not Duty.NONE and own.mark >= 0:
            return SAY(f"flight.{own.duty}", target=battle.units[own.mark].name, moves=own.moves)
        return SAY("flight.aloft" if own.loaded or squadron.fighter else "flight.empty", moves=own.moves)
    if own.place is Place.COMING:
        return SAY("flight.coming", move=own.ready)
    if own.place is Place.BELOW and squadron.base >= 0 and own.ready > state.move:
        return SAY("flight.turn_round", move=own.ready)
    if squadron.base >= 0 and "floatplane" in squadron.plane.roles:
        return SAY("flight.catapult")
    if own.place is Place.RANGED and sight.foggy(battle, state, state.ships[squadron.base].square):
        return SAY("flight.ranged.fog")
    if own.place is Place.RANGED and flying.deck_shut(battle, state, squadron.base):
        return SAY("flight.ranged.shut")
    return SAY("flight.call" if squadron.base < 0 else f"flight.{own.place}")


def held(seen: Observation) -> str:
    """Why nothing takes off from own decks, where flights stand ranged: the first that lies in fog; "" if none does."""
    bases = (squadron.base for squadron, own in zip(seen.battle.flights, seen.view.flights, strict=True)
             if own.place is Place.RANGED and squadron.side == seen.me)
    foggy = next((n for n in bases if sight.foggy(seen.battle, seen.view, seen.view.ships[n].square)), None)
    return "" if foggy is None else SAY("guide.fly.fog", ship=seen.battle.units[foggy].name)


def flight_facts(seen: Observation, flight: int) -> str:
    """What a flight is, what it carries and how far it flies."""
    battle = seen.battle
    squadron, own = battle.flights[flight], seen.view.flights[flight]
    load = "fighter" if squadron.fighter else "none" if not squadron.armed else squadron.plane.weapon
    load = "level" if squadron.level else load
    base = battle.units[squadron.base].name if squadron.base >= 0 else SAY("flight.horizon")
    base = SAY("flight.horizon.call", n=squadron.call) if squadron.call else base
    told = SAY("flight.facts", flight=squadron.name, n=own.count, plane=squadron.plane.name,
               load=SAY(f"flight.load.{load}"), squares=squadron.plane.squares, base=base)
    return told if own.place is Place.ALOFT else f"{told} {_why_below(seen, flight)}".strip()


def called(seen: Observation, order: Action) -> int:
    """In how many moves a flight comes that an order calls from over the horizon; 0 for every other order."""
    squadron = seen.battle.flights[seen.battle.wings[order.flight]] if isinstance(order, Launch) else None
    return squadron.call if squadron and squadron.base < 0 else 0


def calling(seen: Observation, order: Action) -> tuple[str, ...]:
    """What a call takes and costs, in a few words each: when they come, and that the enemy's come sooner."""
    if not (wait := called(seen, order)):
        return ()
    coming = SAY("call.once", move=seen.view.move + wait)
    theirs = [own for squadron, own in zip(seen.battle.flights, seen.view.flights, strict=True)
              if squadron.side != seen.me and squadron.base < 0]
    known = seen.sky or any(own.shown and own.place is Place.ALOFT for own in theirs)
    return (coming, SAY("call.heard")) if theirs and not known else (coming,)


def _why_below(seen: Observation, flight: int) -> str:
    """Why a flight on deck cannot take off in this move, "" if it can: a deck that turned, or a closed one."""
    squadron = seen.battle.flights[flight]
    if squadron.base < 0 or seen.view.flights[flight].place is not Place.RANGED:
        return ""
    return flying.why_not(seen.battle, seen.view, Launch(squadron.name)) or ""


def flight_orders(seen: Observation, choice: Choice) -> list[Item]:
    """What the chosen flight can do, the target picked first, then the own ship picked, and home."""
    own, found = choice.orders.get(choice.unit, ()), list[Item]()
    foe = choice.foe if choice.foe in choice.targets and choice.ward is None else None
    if foe is not None:
        found += [_attack(seen, order) for order in choice.targets[foe] if isinstance(order, Attack)]
    ward = choice.ward if choice.ward is not None else next(iter(choice.wards), None)
    home = [order for order in own if isinstance(order, Land)]
    for order in own:
        if isinstance(order, Range | Launch):
            found.append(_plain(seen, order))
    if ward is not None:
        patrol = [order for order in choice.wards.get(ward, ()) if isinstance(order, Patrol)]
        found += [_plain(seen, order) for order in patrol]
    found += [_plain(seen, order) for order in home]
    over = foe if foe is not None else choice.ward
    if over is not None and (fly := choice.flies.get(seen.view.ships[over].square)):
        found.append(_plain(seen, fly))
    return [*_beside(seen, choice, foe), *found]


def _beside(seen: Observation, choice: Choice, foe: int | None) -> list[Item]:
    """Enemies that lie in one square with the one picked."""
    if foe is None:
        return []
    ships, units = seen.view.ships, seen.battle.units
    there = [n for n in choice.targets if ships[n].square == ships[foe].square]
    names = {n: SAY.named(units[n].name) for n in there if len(there) > 1}
    return [Item((name,), foe_id(units[n].name), name, pick=foe_pick(n), on=n == foe) for n, name in names.items()]


def _attack(seen: Observation, order: Attack) -> Item:
    """An attack with its odds, or an escort."""
    words, told = flight_words(seen, order), attack_words(seen, order)
    return Item((words, told), f"fly {words}", f"{order.flight}: {words}. {told}", order)


def attack_words(seen: Observation, order: Aimed) -> str:
    """What an attack from the air does, in figures; what an escort is for."""
    if isinstance(order, Attack) and seen.battle.flights[seen.battle.wings[order.flight]].fighter:
        return SAY("flight.escorts")
    found = foretold(seen, order)
    return SAY("target.odds", points=points(found.mean), sink=percent(found.sink))


def _plain(seen: Observation, order: Range | Launch | Fly | Patrol | Land) -> Item:
    words, told = flight_words(seen, order), ""
    if price := calling(seen, order):
        short = (words, price[0], *(SAY("call.heard.short") for _ in price[1:]))  # there is no room for more
        return Item(short, f"fly {words}", f"{order.flight}: {', '.join((words, *price))}", order)
    if isinstance(order, Fly | Patrol | Land) and (far := _far(seen, order)) is not None:
        told = SAY("flight.far", n=far)
    lines = (words, told) if told else (words,)
    return Item(lines, f"fly {words}", f"{order.flight}: {', '.join(lines)}", order)


def _far(seen: Observation, order: Fly | Patrol | Land) -> int | None:
    """How many squares a flight goes for an order; None where that is nowhere on the board."""
    battle, own = seen.battle, seen.view.flights[seen.battle.wings[order.flight]]
    if isinstance(order, Fly):
        there = battle.grid.number(order.square)
    else:
        name = order.target if isinstance(order, Patrol) else order.base
        if name not in battle.numbers:
            return None
        there = seen.view.ships[battle.numbers[name]].square
    return distance(battle.grid, own.square, there) if own.square > OFF and there > OFF else None


def flight_words(seen: Observation, order: Action) -> str:
    """What a flight does, in words, without its name: "Attack Bismarck", "Fly to K7"."""
    match order:
        case Range():
            return SAY("fly.range")
        case Launch():
            return SAY("fly.call" if called(seen, order) else "fly.launch")
        case Fly(_, square):
            return SAY("fly.to", square=square)
        case Patrol(_, target):
            return SAY("fly.patrol", target=target)
        case Attack(_, target):
            return SAY("fly.attack", target=target)
        case Land(_, base):
            return SAY("fly.home") if base == flying.HOME else SAY("fly.land", base=base)
    return ""


def asked(seen: Observation, order: Attack | Fly | Seek) -> str:
    """What a finger is asked before a search or a flight's order."""
    return SAY("hunt", square=order.square) if isinstance(order, Seek) else flight_words(seen, order)
