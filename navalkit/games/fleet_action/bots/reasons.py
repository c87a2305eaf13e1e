"""The reasons of the players, as data: what was asked, with the lines and cells that show the answer on the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from navalkit.core.language.chances import percent
from navalkit.core.trace import Fact, Finding, Mark, Option
from navalkit.grids.square_headings import distance

from ..odds import prospects
from ..rules import victory
from ..rules.damage import mounts_left
from ..state import Fate, Guns, State, Torpedoes, Turret
from .fire import Plan
from .move import Survey
from .orders import Weighed
from .power import gun_power
from .say import SAY
from .sea import Foe, Sea

LEAST = 0.05  # points: less is not worth telling
_RULES = {"leave": "F12", "reload": "F21", "sweep": "F26", "lay": "F23"}
MOST_HIDDEN, MOST_SQUARES = 3, 5  # hidden enemies told of, and the squares told of for each


def points(worth: float) -> str:
    """Points of the scenario, as they are told."""
    return f"{worth:.1f}"


def foe_name(sea: Sea, foe: Foe) -> str:
    """What an enemy is called: its name, or the square of its disc."""
    if len(foe.ships) == 1 and sea.view.ships[foe.ships[0]].square >= 0:
        return sea.battle.units[foe.ships[0]].name
    return SAY("disc", square=sea.battle.grid.names[foe.square])


# Movement ---------------------------------------------------------------------------------------------------------


def standing(sea: Sea) -> Finding:
    """How things stand, and which enemy is worth most."""
    battle, enemies = sea.battle, sea.battle.fleet(1 - sea.me)
    mine, theirs = (victory.score(battle, sea.view, side) for side in (sea.me, 1 - sea.me))
    afloat = [n for n in enemies if sea.view.ships[n].fate is not Fate.SUNK] or list(enemies)
    dearest = max(afloat, key=lambda n: sea.stakes.value[n])
    worth = points(sea.stakes.value[dearest])
    verdict = SAY("lead", mine=mine, theirs=theirs, dearest=battle.units[dearest].name, worth=worth)
    return Finding("F36", SAY("lead.ask"), verdict, (Fact(SAY("fact.lead"), mine - theirs),))


def believed(sea: Sea) -> tuple[Finding, ...]:
    """Which ships the nearest discs are taken for, or where ships behind the screen are thought to be."""
    hidden = [foe for foe in sea.foes if any(sea.view.ships[n].square < 0 for n in foe.ships)] if sea.belief else []
    own = [sea.view.ships[n].square for n in sea.own]
    hidden.sort(key=lambda foe: min((int(sea.chart.distance[square, foe.square]) for square in own), default=0))
    return tuple(_believed(sea, foe) for foe in hidden[:MOST_HIDDEN])


def _believed(sea: Sea, foe: Foe) -> Finding:
    names, units = sea.battle.grid.names, sea.battle.units
    if sea.belief and sea.belief.discs:
        cell = (Mark("cell", (names[foe.square],)),)
        ranked = sorted(zip(foe.chances, foe.ships, strict=True), reverse=True)
        facts = tuple(Fact(units[n].name, percent(chance), cell) for chance, n in ranked)
        verdict = SAY("disc.is", ship=units[ranked[0][1]].name, chance=percent(ranked[0][0]))
        return Finding("F31", SAY("disc.ask", square=names[foe.square]), verdict, facts)
    chances = np.bincount(foe.places.squares, foe.likely)
    likely = [int(square) for square in np.argsort(-chances, kind="stable")[:MOST_SQUARES] if chances[square] > 0]
    told = [(names[square], percent(float(chances[square]))) for square in likely]
    facts = tuple(Fact(name, chance, (Mark("cell", (name,), chance),)) for name, chance in told)
    verdict = SAY("screen.at", square=told[0][0], chance=told[0][1])
    return Finding("F33", SAY("screen.ask", ship=units[foe.ships[0]].name), verdict, facts)


def of_moves(sea: Sea, weighed: Weighed) -> tuple[Finding, ...]:
    """Why these places: for each ship what she can hit there, what can hit her, and the rest that counted."""
    return tuple(finding for found, row in weighed.places for finding in _of_move(sea, found, row))


def _of_move(sea: Sea, found: Survey, row: int) -> Iterator[Finding]:
    name = sea.battle.units[found.ship].name
    square = sea.battle.grid.names[int(found.at.squares[row])]
    yield _fire(sea, found, row, "hit", SAY("hit.ask", ship=name, square=square))
    yield _fire(sea, found, row, "hurt", SAY("hurt.ask", ship=name))
    facts = (Fact(SAY("fact.later"), points(found.later[row])),)
    yield Finding("F37", SAY("later.ask"), SAY("later", worth=points(found.later[row])), facts)
    for task in found.tasks:
        cells = tuple(sea.battle.grid.names[s] for s in sorted(task.where))
        fact = Fact(SAY("fact.task"), points(task.worth), (Mark("cell", cells, SAY("mark.task")),))
        verdict = SAY(task.key, worth=points(task.worth), name=task.name)
        yield Finding(task.rule, SAY("task.ask", ship=name), verdict, (fact,))
    if found.mines[row] > 0:
        yield Finding("F24", SAY("mines.ask"), SAY("mines", worth=points(found.mines[row])))
    if found.formation[row] > 0:
        yield Finding("F11", SAY("formation.ask", ship=name), SAY("formation", worth=points(found.formation[row])))


def _fire(sea: Sea, found: Survey, row: int, key: str, question: str) -> Finding:
    """What she can do to the enemy she does most to, or what each enemy can do to her."""
    worth = (found.dealt if key == "hit" else found.taken)[row]
    columns = [int(c) for c in np.argsort(-worth, kind="stable") if worth[c] >= LEAST]
    if key == "hit":
        columns = columns[:1]
    if not columns:
        return Finding("F13", question, SAY(f"no{key}"))
    grid, place = sea.battle.grid, int(found.at.squares[row])
    facts, words = [], []
    for column in columns:
        foe = sea.foes[column]
        other = int(foe.places.squares[found.answers[column][row]])
        name, line = foe_name(sea, foe), (grid.names[place], grid.names[other])
        label, ends = f"{name}: {points(worth[column])}", line if key == "hit" else line[::-1]
        marks = (Mark("line", ends, label, float(worth[column])),)
        facts.append(Fact(name, points(worth[column]), marks))
        words.append(SAY(key, foe=name, n=distance(grid, place, other), worth=points(worth[column])))
    return Finding("F13", question, " ".join(words), tuple(facts))


def move_options(sea: Sea, all_weighed: Sequence[Weighed], chosen: Weighed | None) -> tuple[Option, ...]:
    """The orders weighed, the one taken first: the other places of the same ship, and each other's best."""
    taken = "" if chosen is None else chosen.who
    kept = [] if chosen is None else [chosen]
    kept += [w for w in all_weighed if w is not chosen and w.who == taken]
    seen = {taken}
    for weighed in all_weighed:
        if weighed.who not in seen:
            seen.add(weighed.who)
            kept.append(weighed)
    return tuple(_move_option(sea, weighed, chosen) for weighed in kept)


def worth_option(sea: Sea, action: Any, found: Weighed | str) -> Option:
    """An order that the decision says nothing of: what it is worth, or why it is not thought of."""
    if isinstance(found, Weighed):
        return _move_option(sea, found, None)
    rule = {"stay": "F2a", "follow": "F11", "apart": "F11", **_RULES}[found]
    return Option(action, 0.0 if found == "stay" else None, (), SAY(f"not.{found}"), rule)


def _move_option(sea: Sea, weighed: Weighed, chosen: Weighed | None) -> Option:
    facts: list[Fact] = []
    if weighed.places:
        dealt = sum(float(s.dealt[row].max(initial=0.0)) for s, row in weighed.places)
        taken = sum(float(s.taken[row].sum()) for s, row in weighed.places)
        cells = tuple(sea.battle.grid.names[int(s.at.squares[row])] for s, row in weighed.places)
        facts = [
            Fact(SAY("fact.gain"), f"{weighed.gain:+.1f}", (Mark("cell", cells, f"{weighed.gain:+.1f}"),)),
            Fact(SAY("fact.dealt"), points(dealt)),
            Fact(SAY("fact.taken"), points(taken)),
        ]
    if weighed is chosen:
        return Option(weighed.action, weighed.gain, tuple(facts))
    less = chosen is None or weighed.who == chosen.who
    return Option(weighed.action, weighed.gain, tuple(facts), SAY("not.less" if less else "not.later"))


# Fire -------------------------------------------------------------------------------------------------------------


def why_fire(sea: Sea, plan: Plan) -> str:
    """Why the next order of the plan is given: of the first what all of them do, of each further one what it adds."""
    if not plan.orders:
        return SAY("why.hold")
    if not any(sea.battle.side(shot.ship) == sea.view.side for shot in sea.view.shots):
        return SAY("why.fire", worth=points(plan.worth))
    order = plan.orders[0]
    found = prospects.prospect(sea.battle, sea.view, order)
    facts = {"hit": percent(found.hit), "mean": f"{float(found.mean):.1f}"}
    return SAY("why.fire.next", ship=order.ship, foe=order.target, **facts)


def of_fire(sea: Sea, plan: Plan) -> tuple[Finding, ...]:
    """The targets of the plan, and the exact chance that each is sunk."""
    found = []
    numbers, names, ships = sea.battle.numbers, sea.battle.grid.names, sea.view.ships
    for target in sorted({numbers[order.target] for order in plan.orders}, key=lambda n: (-plan.sunk[n], n)):
        name, square = sea.battle.units[target].name, names[ships[target].square]
        lines = tuple(
            Mark("line", (names[ships[numbers[order.ship]].square], square), str(order))
            for order in plan.orders
            if order.target == name
        )
        chance = percent(plan.sunk[target])
        fact = Fact(SAY("fact.sunk"), chance, (Mark("cell", (square,), chance), *lines))
        found.append(Finding("F19", SAY("sink.ask", foe=name), SAY("sink", chance=chance), (fact,)))
    return tuple(found)


def fire_options(battle: Any, view: State, legal: Sequence[Any], plan: Plan, chosen: Any) -> tuple[Option, ...]:
    """The orders of the plan, and what else the same weapons could have been fired at."""
    if not isinstance(chosen, Guns | Torpedoes):
        return (Option(chosen),)
    same = [order for order in legal if _same_weapon(order, chosen) and order != chosen]
    rest = [order for order in plan.orders if order != chosen and order not in same]
    return tuple(
        _fire_option(battle, view, order, SAY(f"not.{why}") if why else "")
        for order, why in ((chosen, ""), *((o, "target") for o in same), *((o, "turn") for o in rest))
    )


def aim_option(battle: Any, view: State, order: Any) -> Option:
    """An order of the firing phase that the decision says nothing of."""
    if isinstance(order, Guns | Torpedoes):
        return _fire_option(battle, view, order, SAY("not.share"))
    return Option(order, 0.0, (), SAY("not.hold"), "F15")


def _same_weapon(order: Any, chosen: Guns | Torpedoes) -> bool:
    if isinstance(order, Guns) and isinstance(chosen, Guns):
        return (order.ship, order.battery, order.once) == (chosen.ship, chosen.battery, False)
    if isinstance(order, Torpedoes) and isinstance(chosen, Torpedoes):
        return (order.ship, order.number) == (chosen.ship, chosen.number)
    return False


def _fire_option(battle: Any, view: State, order: Guns | Torpedoes, rejected: str) -> Option:
    found, target = prospects.prospect(battle, view, order), battle.numbers[order.target]
    names, ships = battle.grid.names, view.ships
    line = (names[ships[battle.numbers[order.ship]].square], names[ships[target].square])
    facts = (
        Fact(SAY("fact.damage"), f"{float(found.mean):.1f}", (Mark("line", line, str(order)),)),
        Fact(SAY("fact.hit"), percent(found.hit)),
        Fact(SAY("fact.sunk"), percent(found.sink)),
    )
    return Option(order, float(found.mean), facts, rejected, "F15" if rejected else "")


# Turrets ----------------------------------------------------------------------------------------------------------


def turret_losses(sea: Sea, legal: Sequence[Turret]) -> list[tuple[float, int, Turret, str]]:
    """For each mount that may go the mean damage it costs against the nearest enemy, and all round; least first."""
    found = []
    for action in legal:
        ship, mount = sea.battle.numbers[action.ship], action.mount - 1
        assert mount in mounts_left(sea.battle, sea.view, ship)
        own, card = sea.view.ships[ship], sea.battle.card(ship)
        out = tuple(card.mounts[m].guns if m == mount else n for m, n in enumerate(own.out))
        lost = gun_power(card, own.out) - gun_power(card, out)
        foe = min(sea.foes, key=lambda f: int(sea.chart.distance[own.square, f.square]), default=None)
        here, name = 0.0, SAY("nobody")
        if foe is not None:
            far = min(int(sea.chart.distance[own.square, foe.square]), len(lost) - 1)
            here = float(lost[far, (sea.chart.bearing[own.square, foe.square] - own.heading) % 8])
            name = foe_name(sea, foe)
        found.append((here + 0.01 * float(lost.mean()), -mount, action, name))
    return sorted(found, key=lambda row: row[:2])
