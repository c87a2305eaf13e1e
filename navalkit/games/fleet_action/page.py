"""What the page of Fleet action says: board and conning panel, orders, what all fire would do, the damage sheets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from navalkit.core.chances import percent
from navalkit.core.dist import Dist
from navalkit.core.match import Match
from navalkit.grids.square_headings import HEADINGS
from navalkit.view.page import Chart, Order, Table

from . import sight, victory
from .choice import by_unit, furthest, places, targets, unit_ships, units
from .damage import failing
from .fire_odds import left
from .observation import Observation
from .overlay import points
from .page_say import SAY
from .prospects import full_fire, prospect
from .rules import FleetAction
from .scenario import Objective, Scenario
from .scene import scene
from .sheet import Row, sheet
from .state import Action, Done, Fate, Phase, Task
from .vessels import BATTERIES

__all__ = ["charts", "compare", "complete", "facts", "guide", "now", "orders", "report", "scene"]

NOTES = True
"""What is picked on the board is a note of the page (see `choice`)."""
BOARD = "board"


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


def guide(game: FleetAction, seen: Observation) -> str:
    """For a first battle: what counts, what one sees here, and what to think of."""
    battle, state = seen.battle, seen.view
    if state.side != seen.me or state.phase not in (Phase.MOVE, Phase.FIRE, Phase.TURRETS):
        return ""
    parts = [SAY(f"guide.{state.phase}")]
    if state.phase is Phase.MOVE:
        if state.move == 1:
            parts.insert(0, aims(battle, seen.me))
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
    found = [
        order for name in units(seen.battle, seen.me) if name in by_name for order in give(seen, name, by_name[name])
    ]
    done = str(Done())
    if done in texts:
        found.append(Order(done, SAY(f"order.done.{phase}"), "", SAY(f"order.done.{phase}.help"), "leave"))
    return tuple(found)


def _moves(seen: Observation, name: str, own: tuple[str, ...]) -> list[Order]:
    """As far ahead as she goes, and what is no movement."""
    battle, found = seen.battle, []
    ships = unit_ships(seen, name)
    to = furthest(seen, ships, places(battle, own))
    if to is not None:
        square, heading = battle.grid.names[to], HEADINGS[seen.view.ships[ships[0]].heading]
        label, help = SAY("order.ahead", unit=name, square=square), SAY("order.ahead.help", heading=heading)
        found.append(Order(f"{name}: {square} {heading}", label, "", help, "move"))
    words = [order for order in own if not re.match(r"[A-Z]\d", order)]
    return found + [Order(f"{name}: {order}", f"{name}: {order}", "", "", "move") for order in words]


def _fires(seen: Observation, name: str, own: tuple[str, ...]) -> list[Order]:
    """The best target for all her guns, and for each torpedo set."""
    battle, state = seen.battle, seen.view
    best: dict[str, tuple[Fraction, Fraction, str, int]] = {}
    for target, ways in targets(battle, own).items():
        for order in ways:
            kind = "guns" if order == f"guns {battle.units[target].name}" else order.split()[1]
            if kind == "guns" or kind.isdigit():
                found = prospect(battle, state, f"{name}: {order}")
                best[kind] = max(
                    best.get(kind, (Fraction(-1), Fraction(0), "", 0)), (found.sink, found.mean, order, target)
                )
    return [
        _fire(seen, name, kind, order, target) for kind, (_, _, order, target) in sorted(best.items(), reverse=True)
    ]


def _fire(seen: Observation, name: str, kind: str, order: str, target: int) -> Order:
    text, aim = f"{name}: {order}", seen.battle.units[target].name
    found = prospect(seen.battle, seen.view, text)
    odds = SAY("order.odds", points=points(found), sink=percent(found.sink))
    if kind == "guns":
        return Order(text, SAY("order.fire", ship=name, target=aim), odds, SAY("order.fire.help"), "fire")
    label = SAY("order.torpedoes", ship=name, n=kind, target=aim)
    return Order(text, label, odds, SAY("order.torpedoes.help"), "fire")


def _turrets(seen: Observation, name: str, own: tuple[str, ...]) -> list[Order]:
    """The turrets of which one loses its guns."""
    mounts = seen.battle.card(seen.battle.numbers[name]).mounts
    found = []
    for order in own:
        number = int(order.split()[1])
        mount = mounts[number - 1]
        label = SAY("order.turret", ship=name, n=number, arc=mount.arc)
        found.append(Order(f"{name}: {order}", label, f"{mount.guns} × {mount.gun}", "", "fire"))
    return found


def complete(game: FleetAction, seen: Observation, text: str) -> str:
    """A typed order without a name is for the next ship or division that can still move or fire."""
    if ":" in text or text.strip().lower() in ("done", "pass", ""):
        return text
    names = by_unit(str(action) for action in _legal_here(game, seen))
    return f"{next(iter(names))}: {text}" if names else text


def _legal_here(game: FleetAction, seen: Observation) -> tuple[Action, ...]:
    """What the side can do as far as it knows."""
    return game.legal(seen.view) if seen.view.side == seen.me else ()


# Charts and tables ----------------------------------------------------------------------------------------------


def charts(game: FleetAction, seen: Observation) -> tuple[Chart, Chart]:
    """What all one's own fire would do at each enemy, and all the enemy's at each own ship."""
    return _chart(seen, seen.me, "fire"), _chart(seen, 1 - seen.me, "danger")


@lru_cache(maxsize=16)
def _chart(seen: Observation, side: int, key: str) -> Chart:
    battle, state = seen.battle, seen.view
    found: Mapping[int, Dist[int]] = full_fire(battle, state, side)
    names = tuple(battle.units[n].name for n in found) or (SAY("chart.none"),)
    means = tuple(float(damage.mean) for damage in found.values()) or (0.0,)
    labels = tuple(
        f"{mean:.0f} · {percent(damage.at_least(left(battle, state, n)))}"
        for (n, damage), mean in zip(found.items(), means, strict=False)
    )
    return Chart(
        key,
        SAY(f"chart.{key}"),
        "",
        SAY("chart.fire.y"),
        names,
        means,
        labels or ("",),
        False,
        SAY(f"chart.{key}.note"),
    )


def facts(game: FleetAction, seen: Observation) -> Table:
    """The damage sheets of both sides, the enemy's as far as it is known."""
    battle, state = seen.battle, seen.view
    rows: list[tuple[str, ...]] = []
    for side in (seen.me, 1 - seen.me):
        rows.append((f"— {battle.sides[side]} —", "", "", "", ""))
        rows += [_sheet_row(row) for row in sheet(battle, state, side)]
    scores = [SAY("head.side", side=battle.sides[side], n=victory.score(battle, state, side)) for side in (0, 1)]
    score = SAY("head.score", first=scores[0], second=scores[1]) + "."
    return Table(SAY("sheet.title"), tuple(SAY("sheet.head").split("|")), tuple(rows), SAY("sheet.note", score=score))


def _sheet_row(row: Row) -> tuple[str, ...]:
    """A ship's row: guns and tubes of a kind together."""
    guns: dict[tuple[str, str], list[int]] = {}
    for gun, _, battery, ready, all_ in row.guns:
        count = guns.setdefault((battery, gun), [0, 0])
        count[0] += ready
        count[1] += all_
    armed = (
        SAY("sheet.guns", left=guns[key][0], all=guns[key][1], gun=key[1])
        for battery in BATTERIES for key in guns if key[0] == battery
    )  # fmt: skip
    tubes: dict[str, list[int]] = {}
    for kind, number, loaded in row.torpedoes:
        count = tubes.setdefault(kind, [0, 0])
        count[0] += number * loaded
        count[1] += number
    stores = [SAY("sheet.torpedoes", left=count[0], all=count[1], kind=kind) for kind, count in tubes.items()]
    stores += [SAY("sheet.mines", n=row.mines)] * bool(row.mines)
    fate = "" if row.fate is Fate.AT_SEA else f" ({row.fate})"
    return (
        row.ship + fate,
        SAY("sheet.damage", damage=row.damage, rate=row.rate, quarters=row.quarters),
        "; ".join(armed) or SAY("sheet.none"),
        "; ".join(stores) or SAY("sheet.none"),
        SAY("sheet.speed", speed=row.speed, full=row.full),
    )


# After the end --------------------------------------------------------------------------------------------------


def report(game: FleetAction, match: Match, others: Sequence[tuple[str, Match]] = ()) -> Table | None:
    """What has become of every ship."""
    outcome = match.outcome
    if outcome is None:
        return None
    battle, state = game.battle, match.state
    rows = tuple(
        (
            row.ship,
            battle.sides[side],
            str(row.fate),
            SAY("sheet.damage", damage=row.damage, rate=row.rate, quarters=row.quarters),
        )
        for side in (0, 1)
        for row in sheet(battle, state, side)
    )
    return Table(SAY("report.title"), tuple(SAY("report.head").split("|")), rows, outcome.text)


def compare(game: FleetAction, name: str, mine: Match, other: Match) -> Table | None:
    """None: two battles part at the first order."""
    return None
