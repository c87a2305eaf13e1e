"""What the page of Fleet Action says: board and conning panel, orders, what all fire would do, the damage sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from navalkit.core.chances import percent
from navalkit.core.dist import Dist
from navalkit.core.event import Event
from navalkit.core.match import Match
from navalkit.grids.square_headings import HEADINGS
from navalkit.view.page import Chart, Order, Table
from navalkit.view.scene import Scene

from ..cards.vessels import BATTERIES
from ..game import FleetAction
from ..odds.prospects import full_fire, left, prospect
from ..rules import victory
from ..rules.damage import failing
from ..state import Action, Done, Fate, Phase, Task, sight
from ..state.notation import split_orders
from ..state.observation import Observation
from ..state.scenario import Objective, Scenario
from . import SAY
from .choice import by_unit, choose, furthest, places, targets, unit_ships, units
from .film import film
from .overlay import points
from .scene import scene
from .sheets import Row, sheet
from .sheets import sheets as drawn_sheets

__all__ = [
    "charts", "compare", "complete", "due", "facts", "film", "guide", "happened", "now", "orders", "players",
    "report", "scene", "sheets", "split",
]  # fmt: skip

NOTES = HOVERS = REASONS = True
"""What is picked on the board is a note of the page (see `choice`); its `scene` takes ``hover`` and ``reasons``."""
BOARD = "board"
_FIRES = re.compile(r": (guns|torpedoes) ")
MANY_MOVES = 3
"""More moves than these are told as their number."""
FEW_BARS = 3
"""Over more bars than these stands the mean damage alone."""
_FIRE, _QUIET = ("salvo", "torpedoes"), ("ordered", "stayed", "clear", "first", "quarter")
_PLACE = re.compile(r"[A-Z]\d+ [NESW]{1,2}$")


def players(game: FleetAction) -> tuple[str, ...]:
    """The sides, as the scenario names them."""
    return tuple(game.battle.sides)


def now(game: FleetAction, seen: Observation) -> str:
    """What can be done now, in a sentence."""
    battle, state = seen.battle, seen.view
    if state.phase is Phase.END:
        return SAY("now.end")
    if state.side != seen.me or state.phase not in (Phase.MOVE, Phase.FIRE, Phase.TURRETS):
        return SAY("now.wait", side=battle.sides[state.side])
    if state.phase is Phase.TURRETS:
        return SAY("now.turrets", ship=battle.units[failing(battle, state)[0]].name)
    afloat = [state.ships[n] for n in battle.fleet(seen.me) if state.ships[n].fate is Fate.AT_SEA]
    waiting = sum(ship.task is Task.NONE for ship in afloat)
    return SAY(f"now.{state.phase}", side=f"the {battle.sides[seen.me]}", n=waiting, of=len(afloat))


def happened(events: Sequence[Event]) -> str:
    """What the events since the player's last action brought: fire target by target, many moves as their number."""
    moves = sum(event.kind == "moved" for event in events)
    fires = [event for event in events if event.kind in _FIRE]
    orders = [event.text for event in events if event.kind == "ordered"]
    parts = [] if len(events) > len(orders) else orders
    parts += [SAY("happened.moved", n=moves)] * (moves > MANY_MOVES)
    for target in dict.fromkeys(event.facts["target"] for event in fires):
        shots = [event.facts for event in fires if event.facts["target"] == target]
        ships = ", ".join(dict.fromkeys(shot["ship"] for shot in shots))
        hits, damage = (sum(shot[key] for shot in shots) for key in ("hits", "points"))
        parts.append(SAY("happened.fire", target=target, ships=ships, hits=hits, damage=damage))
    quiet = {*_QUIET, *_FIRE} | ({"moved"} if moves > MANY_MOVES else set())
    return " ".join((*parts, *(event.text for event in events if event.kind not in quiet)))


def guide(game: FleetAction, seen: Observation) -> str:
    """For a first battle: what counts, what one sees here, and what to think of."""
    battle, state = seen.battle, seen.view
    if state.side != seen.me or state.phase not in (Phase.MOVE, Phase.FIRE, Phase.TURRETS):
        return ""
    parts = [SAY(f"guide.{state.phase}")]
    if state.phase is Phase.MOVE:
        if state.move == 1:
            parts = [aims(battle, seen.me), *parts, SAY("guide.move.look")]
        if sight.is_screened(battle, state.move):
            parts.append(SAY("guide.move.screen", n=battle.screened))
        elif sight.is_night(battle, state.move):
            parts.append(SAY("guide.move.night"))
    if state.phase is Phase.FIRE and any(state.ships[n].loaded for n in battle.fleet(seen.me)):
        parts.append(SAY("guide.fire.torpedoes"))
    return " ".join(parts)


def aims(battle: Scenario, side: int) -> str:
    """What a side gets points for, in a sentence."""
    words = "; ".join(_aim(battle, aim) for aim in battle.objectives if aim.side == side)
    return SAY("aim.you", side=battle.sides[side], aims=words)


def _aim(battle: Scenario, aim: Objective) -> str:
    if aim.aim == "island":
        names = ", ".join(battle.islands[n].name for n in aim.of)
    elif set(aim.of) == set(battle.fleet(battle.side(aim.of[0]))) and len(aim.of) > 1:
        names = SAY("aim.all.own" if battle.side(aim.of[0]) == aim.side else "aim.all.foe")
    else:
        names = ", ".join(battle.units[n].name for n in aim.of)
    key = "aim.sink.own" if aim.aim == "sink" and not aim.points else f"aim.{aim.aim}"
    return SAY(key, points=aim.points, names=names)


# Orders ---------------------------------------------------------------------------------------------------------


def orders(game: FleetAction, seen: Observation, legal: Sequence[Action]) -> tuple[Order, ...]:
    """A few orders for each ship as buttons; every other on the board, on the panel, or typed."""
    if not legal:
        return ()
    buttons = _buttons(seen, tuple(map(str, legal)))
    named = {order.text for order in buttons}
    return (*buttons, *(Order(text, text, group=BOARD) for text in map(str, legal) if text not in named))


@lru_cache(maxsize=8)
def _buttons(seen: Observation, texts: tuple[str, ...]) -> tuple[Order, ...]:
    by_name, phase = by_unit(texts), seen.view.phase
    give = {Phase.MOVE: _moves, Phase.FIRE: _fires, Phase.TURRETS: _turrets}[phase]
    names = [name for name in units(seen.battle, seen.me) if name in by_name]
    together = {n for name in by_name for n in unit_ships(seen, name) if name in seen.battle.divisions}
    found = [
        order
        for name in names
        for order in give(seen, name, by_name[name])
        if seen.battle.numbers.get(name) not in together or not _PLACE.search(order.text)
    ]
    done = str(Done())
    if done in texts:
        found.append(Order(done, SAY(f"order.done.{phase}"), "", SAY(f"order.done.{phase}.help"), "done"))
    return tuple(found)


def _moves(seen: Observation, name: str, own: tuple[str, ...]) -> list[Order]:
    """As far ahead as she goes, and what is no movement."""
    battle, found = seen.battle, []
    ships = unit_ships(seen, name)
    to = furthest(seen, ships, places(battle, own))
    if to is not None:
        square, heading = battle.grid.names[to], HEADINGS[seen.view.ships[ships[0]].heading]
        label, help = SAY("order.ahead", unit=name, square=square), SAY("order.ahead.help", heading=heading)
        found.append(Order(f"{name}: {square} {heading}", label, "", help, "ship"))
    words = [order for order in own if not _PLACE.search(order)]
    return found + [Order(f"{name}: {order}", f"{name}: {order}", "", "", "ship") for order in words]


def _fires(seen: Observation, name: str, own: tuple[str, ...]) -> list[Order]:
    """The best target for all her guns, and for each torpedo set: that most likely to sink, else most damaged."""
    battle, state = seen.battle, seen.view
    best: dict[str, tuple[Fraction, Fraction, int, str]] = {}
    for target, ways in targets(battle, own).items():
        for order in ways:
            all_guns = order == f"guns {battle.units[target].name}"
            if all_guns or order.startswith("torpedoes "):
                found = prospect(battle, state, f"{name}: {order}")
                kind = "" if all_guns else order.split()[1]
                best[kind] = max(
                    best.get(kind, (Fraction(-1), Fraction(0), 0, "")), (found.sink, found.mean, target, order)
                )
    return [_fire(seen, name, kind, *best[kind][2:]) for kind in sorted(best)]


def _fire(seen: Observation, name: str, number: str, target: int, order: str) -> Order:
    """All guns, or the torpedo set of that number, at a target."""
    text, aim = f"{name}: {order}", seen.battle.units[target].name
    found = prospect(seen.battle, seen.view, text)
    odds = SAY("order.odds", points=points(found), sink=percent(found.sink).replace(" ", "\u00a0"))
    key = "order.torpedoes" if number else "order.fire"
    return Order(text, SAY(key, ship=name, n=number, target=aim), odds, SAY(f"{key}.help"), "ship")


def _turrets(seen: Observation, name: str, own: tuple[str, ...]) -> list[Order]:
    """The turrets of which one loses its guns."""
    mounts = seen.battle.card(seen.battle.numbers[name]).mounts
    found = []
    for order in own:
        number = int(order.split()[1])
        mount = mounts[number - 1]
        label = SAY("order.turret", ship=name, n=number, arc=mount.arc)
        found.append(Order(f"{name}: {order}", label, f"{mount.guns} × {mount.gun}", "", "ship"))
    return found


def complete(game: FleetAction, seen: Observation, text: str) -> str:
    """A typed order without a name is for the next ship or division that can still move or fire."""
    if ":" in text or text.strip().lower() in ("done", "pass", ""):
        return text
    unit = choose(seen, map(str, _legal_here(game, seen)), ()).unit
    return f"{unit}: {text}" if unit else text


def _legal_here(game: FleetAction, seen: Observation) -> tuple[Action, ...]:
    """What the side can do as far as it knows."""
    return game.legal(seen.view) if seen.view.side == seen.me else ()


def split(text: str) -> tuple[str, ...]:
    """The orders of a line such as "Exeter: G6 E; guns Graf Spee"."""
    return split_orders(text) or (text,)


def due(game: FleetAction, given: Observation, seen: Observation, text: str) -> bool | None:
    """Whether an order of an earlier line is to be given now; fire waits for the firing phase of the same move."""
    if seen.view.move != given.view.move:
        return None
    if seen.view.phase is Phase.MOVE:
        return not _FIRES.search(text)
    return True if seen.view.phase is Phase.FIRE else None


# Charts and tables ----------------------------------------------------------------------------------------------


def charts(game: FleetAction, seen: Observation) -> tuple[Chart, Chart]:
    """What all one's own fire would do at each enemy, and all the enemy's at each own ship."""
    return _chart(seen, seen.me, "fire"), _chart(seen, 1 - seen.me, "danger")


@lru_cache(maxsize=16)
def _chart(seen: Observation, side: int, key: str) -> Chart:
    battle, state = seen.battle, seen.view
    found: Mapping[int, Dist[int]] = full_fire(battle, state, side)
    if not found:
        return Chart(key, SAY(f"chart.{key}"), "", SAY("chart.y"), (SAY("chart.none"),), (0.0,), ("",), True)
    names = tuple(battle.units[n].name for n in found)
    shares, labels = [], []
    for n, damage in found.items():
        need = left(battle, state, n)
        shares.append(min(1.0, float(damage.mean / need)))
        mean = f"{float(damage.mean):.0f}"
        sink = percent(damage.at_least(need))
        labels.append(SAY("chart.label", mean=mean, sink=sink) if len(found) <= FEW_BARS else mean)
    note = SAY(f"chart.{key}.note")
    return Chart(key, SAY(f"chart.{key}"), "", SAY("chart.y"), names, tuple(shares), tuple(labels), True, note)


def facts(game: FleetAction, seen: Observation) -> Table:
    """The damage sheets of both sides, the enemy's as far as it is known."""
    battle, state = seen.battle, seen.view
    rows: list[tuple[str, ...]] = []
    for side in (seen.me, 1 - seen.me):
        rows.append((battle.sides[side].upper(), "", SAY("sheet.points", n=victory.score(battle, state, side))))
        rows += [(_named(row), _damage(row), _left(row)) for row in sheet(battle, state, side)]
    return Table(SAY("sheet.title"), tuple(SAY("sheet.head").split("|")), tuple(rows), SAY("sheet.note"))


def _named(row: Row) -> str:
    """A ship's name, and what has become of her."""
    return row.ship if row.fate is Fate.AT_SEA else f"{row.ship} ({row.fate})"


def _damage(row: Row) -> str:
    return SAY("sheet.damage", damage=row.damage, rate=row.rate, quarters=row.quarters)


def _left(row: Row) -> str:
    """What a ship has left: guns of a kind in action, tubes loaded, mines, speed; each of how many."""
    counts: dict[str, list[int]] = {}
    for gun, _, _, ready, all_ in sorted(row.guns, key=lambda each: BATTERIES.index(each[2])):
        _count(counts, gun, ready, all_)
    for kind, tubes, loaded in row.torpedoes:
        _count(counts, SAY("sheet.torpedoes", kind=kind), tubes * loaded, tubes)
    if row.mines:
        _count(counts, SAY("sheet.mines"), row.mines, row.mines)
    _count(counts, SAY("sheet.speed"), row.speed, row.full)
    return "; ".join(SAY("sheet.left", left=left, all=all_, what=what) for what, (left, all_) in counts.items())


def _count(counts: dict[str, list[int]], what: str, left: int, all_: int) -> None:
    """Adds to how many there are left, and there were, of something."""
    so_far = counts.setdefault(what, [0, 0])
    so_far[0] += left
    so_far[1] += all_


def sheets(game: FleetAction, seen: Observation) -> tuple[Scene, ...]:
    """The damage sheets as they stand, to print."""
    return drawn_sheets(seen)


# After the end --------------------------------------------------------------------------------------------------


def report(game: FleetAction, match: Match, others: Sequence[tuple[str, Match]] = ()) -> Table | None:
    """What has become of every ship."""
    outcome = match.outcome
    if outcome is None:
        return None
    battle, state = game.battle, match.state
    rows = tuple(
        (row.ship, battle.sides[side], str(row.fate), _damage(row))
        for side in (0, 1)
        for row in sheet(battle, state, side)
    )
    return Table(SAY("report.title"), tuple(SAY("report.head").split("|")), rows, outcome.text)


def compare(game: FleetAction, name: str, mine: Match, other: Match) -> Table | None:
    """None: two battles part at the first order."""
    return None
