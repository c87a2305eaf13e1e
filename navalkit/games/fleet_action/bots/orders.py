"""The orders of the movement phase as the admiral weighs them: each ship's and division's best place, and the rest."""

from __future__ import annotations
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from navalkit.core.trace import Fact, Finding, Mark, Option
from navalkit.core.words import number, percent
from navalkit.grids.square import HEADINGS, distance, shifted
from .. import prospects, sight
from ..cards import quarters
from ..craft import Place, Seek
from ..rules import mines, play
from ..rules.firing import mounts_left
from ..rules.sailing import Way, can_move, movers, reach
from ..state import Action, Done, Fate, Guns, Lay, Leave, Move, Reload, State, Sweep, Torpedoes, Turret
from . import decks, hunt
from .belief import SAY, Array, Plan, gun_power, paid
from .sea import Foe, Places, Sea, Task, mean_mine, passing, range_values, task_values, tasks

# -- What places are worth to a ship: fire dealt and taken there, what comes after, her tasks, mines, and her division

@dataclass(frozen=True, slots=True)
class Survey:
    """What places are worth to a ship, part by part, in points of the scenario."""

    ship: int
    at: Places  # the places; the first is where she lies
    dealt: Array  # places x enemies: worth of her fire in this move, at each enemy
    taken: Array  # places x enemies: worth of each enemy's fire at her, as far as she is likely to get it
    later: Array  # by place: of the moves after this one
    task: Array  # by place: of what she is sent to do
    mines: Array  # by place: expected worth lost on mines known of
    formation: Array  # by place: for keeping with her division
    craft: Array  # by place: of boats hunted, and of flights
    answers: tuple[Array, ...]  # for each enemy, by place: which of its places answers each of hers best
    tasks: tuple[Task, ...]

    @property
    def total(self) -> Array:
        """All together; she fires at one enemy, the one where it is worth most."""
        best = self.dealt.max(axis=1, initial=0.0)
        return np.asarray(best - self.taken.sum(axis=1) + self.later + self.task - self.mines + self.formation
                          + self.craft)


def survey(sea: Sea, ship: int, targets: Sequence[tuple[int, int]]) -> Survey:
    """What staying, and each of these squares and headings, is worth to a ship of ``sea.own``."""
    own = sea.view.ships[ship]
    places = np.array([(own.square, own.heading), *targets])
    at = Places(places[:, 0], places[:, 1])
    next_square = sea.chart.ahead[at.squares, at.headings]
    values = range_values(sea, ship, sea.battle.grid.rows + sea.battle.grid.columns)
    dealt, taken = np.zeros((2, len(places), len(sea.foes)))
    later, answers = np.zeros(len(places)), []
    for n, foe in enumerate(sea.foes):
        fire, hurt = sea.exchange(ship, at, foe)
        hurt = hurt * sea.aimed_at[sea.own.index(ship), n] * (sea.figures["exposed"] if foe.moves else 1.0)
        away = sea.chart.distance[np.ix_(at.squares, foe.places.squares)]
        onward = sea.chart.distance[np.ix_(next_square, foe.places.squares)]
        future = (values[n, away] + values[n, onward]) / 2
        answer = _answer(sea, ship, foe, fire * sea.aims[sea.own.index(ship), n] - hurt + future)
        dealt[:, n], taken[:, n] = _meet(sea, fire, answer, foe), _meet(sea, hurt, answer, foe)
        later += _meet(sea, future, answer, foe)
        answers.append(answer)
    found = tasks(sea, ship)
    worth = task_values(sea, ship, found)
    task = (worth[at.squares] + worth[next_square]) / 2
    return Survey(ship, at, dealt, taken, later, task,
                  _mined(sea, ship, places), _formation(sea, ship, at),
                  hunt.stations(sea, ship, at) + decks.places(sea, ship, at), tuple(answers), found)


def _answer(sea: Sea, ship: int, foe: Foe, worth: Array) -> Array:
    """Which of its places an enemy answers each of hers with: the one that is worst for the side, all ships counted."""
    if not foe.moves:
        return np.zeros(len(worth), dtype=np.int64)
    standing = sea.standing(sea.foes.index(foe))
    others = standing.sum(axis=0) - standing[sea.own.index(ship)]
    return np.asarray((worth + others).argmin(axis=1))


def _meet(sea: Sea, worth: Array, answer: Array, foe: Foe) -> Array:
    """A worth over her places and an enemy's as a worth over hers: between its best answer and any of its places."""
    anywhere = worth @ foe.likely
    if not foe.moves:
        return np.asarray(anywhere)
    foresight = sea.figures["foresight"]
    return np.asarray(foresight * worth[np.arange(len(worth)), answer] + (1 - foresight) * anywhere)


def _mined(sea: Sea, ship: int, places: Array) -> Array:
    """What the mines on each way are expected to cost."""
    if sea.battle.card(ship).type == mines.SWEEPER:
        return np.zeros(len(places))
    known = {f.square for f in sea.view.fields if f.side != sea.me}
    ways = reach(sea.battle, sea.view, ship) if known else {}
    passed = [len(known & set(ways.get((int(s), int(h)), _STAYS).squares)) for s, h in places]
    return sea.stakes.point[ship] * mean_mine() * np.array(passed, dtype=float)


_STAYS = Way((), 0)


def _formation(sea: Sea, ship: int, at: Places) -> Array:
    """For keeping near those of her division that have moved, and on their heading."""
    name = sea.battle.units[ship].division
    worth = np.zeros(len(at.squares))
    mates = [n for n in sea.battle.divisions.get(name, ()) if n != ship]
    mates = [n for n in mates if sea.view.ships[n].fate is Fate.AT_SEA and not can_move(sea.view, n)]
    for n in mates:
        mate = sea.view.ships[n]
        near = sea.chart.distance[at.squares, mate.square] <= sea.figures["close_order"]
        worth += near * 0.5 + (near & (at.headings == mate.heading)) * 0.5
    return np.asarray(worth * in_formation(sea, ship) / max(1, len(mates)))


def in_formation(sea: Sea, ship: int) -> float:
    """What it is worth to a ship to keep with her whole division."""
    return sea.figures["formation"] * sea.stakes.value[ship]


FIRST = 1.0  # what an order that is right counts above any move of the same ship


@dataclass(frozen=True, slots=True)
class Weighed:
    """An order that was weighed."""

    action: Move | Lay | Sweep | Reload | Leave
    gain: float  # what it is worth, in points of the scenario, against staying
    # for moves: each ship's survey, and which of its places she goes to
    places: tuple[tuple[Survey, int], ...] = ()
    key: str = "move"  # of the sentence that says why

    @property
    def who(self) -> str:
        """The ship or division that carries it out."""
        return self.action.who if isinstance(self.action, Move) else self.action.ship


Moves = dict[str, dict[tuple[int, int], Move]]
"""Ship or division -> where she can go, square and heading -> the order."""


def weigh(sea: Sea, legal: Sequence[Action]) -> list[Weighed]:
    """All orders of the movement phase that are worth more than staying, best first; of each ship or division the best
    few moves."""
    others: list[Weighed] = []
    moves = _moves(sea, legal)
    numbers, divisions = sea.battle.numbers, sea.battle.divisions
    surveys = _surveys(sea, moves)
    for action in legal:
        if not isinstance(action, Move) and (found := _special(sea, surveys, action)):
            others.append(found)
    found_moves: list[Weighed] = []
    for who, places in moves.items():
        if who in divisions:
            found_moves += _together(sea, who, places, surveys)
        elif (ship := numbers[who]) in surveys:
            found_moves += _alone(sea, surveys[ship], list(places.values()))
    first = decks.leader(sea)
    leads = sea.battle.units[first].name if first >= 0 else ""  # others keep about her: she goes first
    return sorted((*others, *found_moves), key=lambda w: (w.who != leads or w.gain <= 0, -w.gain))


def worth(sea: Sea, legal: Sequence[Action], action: Action) -> Weighed | str:
    """What one order is worth, whether or not the admiral would think of it; or where it is worth nothing, the key of
    the sentence that says why."""
    if isinstance(action, Done):
        return "stay"
    if not isinstance(action, Move):
        assert isinstance(action, Lay | Sweep | Reload | Leave)
        own = _moves(sea, [each for each in legal if isinstance(each, Move) and each.who == action.ship])
        return _special(sea, _surveys(sea, own), action) or type(action).__name__.lower()
    ships = movers(sea.battle, sea.view, action.who)
    names = {action.who, *(sea.battle.units[ship].name for ship in ships)}
    moves = _moves(sea, [each for each in legal if isinstance(each, Move) and each.who in names])
    surveys, place = _surveys(sea, moves), (sea.battle.grid.number(action.square), HEADINGS.index(action.heading))
    if action.who not in sea.battle.divisions:
        found, row = surveys[ships[0]], list(moves[action.who]).index(place) + 1
        return Weighed(action, float(found.total[row] - found.total[0]), ((found, row),))
    together = _in_company(sea, action.who, {place: action}, surveys)
    if not together:
        return "follow"
    return together[0] if together[0].gain >= _apart(surveys, ships) else "apart"


def _moves(sea: Sea, legal: Sequence[Action]) -> Moves:
    found: Moves = {}
    for action in legal:
        if isinstance(action, Move):
            place = sea.battle.grid.number(action.square), HEADINGS.index(action.heading)
            found.setdefault(action.who, {})[place] = action
    return found


def _surveys(sea: Sea, moves: Moves) -> dict[int, Survey]:
    """What the places of each ship are worth."""
    numbers = sea.battle.numbers
    return {numbers[who]: survey(sea, numbers[who], list(at)) for who, at in moves.items() if who in numbers}


def _alone(sea: Sea, found: Survey, actions: Sequence[Move]) -> list[Weighed]:
    gains = (found.total - found.total[0])[1:]
    best = np.argsort(-gains, kind="stable")[: int(sea.figures["options"])]
    return [Weighed(actions[i], float(gains[i]), ((found, int(i) + 1),)) for i in best]


def _together(sea: Sea, who: str, places: dict[tuple[int, int], Move], surveys: dict[int, Survey]) -> list[Weighed]:
    """A division's moves, if one is worth as much as what its ships would do alone, but for the formation they keep."""
    best = _in_company(sea, who, places, surveys)[: int(sea.figures["options"])]
    alone = _apart(surveys, movers(sea.battle, sea.view, who)) if best else 0.0
    return [w for w in best if w.gain >= alone]


def _apart(surveys: dict[int, Survey], ships: Sequence[int]) -> float:
    """What ships gain by the best that each does alone."""
    return sum(float(surveys[s].total.max() - surveys[s].total[0]) for s in ships)


def _in_company(sea: Sea, who: str, places: dict[tuple[int, int], Move], surveys: dict[int, Survey]) -> list[Weighed]:
    """A division's moves in which all its ships can follow the guide, best first."""
    ships = movers(sea.battle, sea.view, who)
    if not all(ship in surveys for ship in ships):
        return []
    index = {ship: _index(surveys[ship]) for ship in ships}
    guide = sea.view.ships[ships[0]].square
    mates = len(sea.battle.divisions[who]) - 1
    kept = sum(in_formation(sea, ship) for ship in ships) * (len(ships) - 1) / mates
    found = []
    for (square, heading), action in places.items():
        ends = [_end(sea, guide, square, ship) for ship in ships]
        rows = [None if end is None else index[ship].get((end, heading)) for ship, end in zip(ships, ends, strict=True)]
        gain = 0.0
        pairs = []
        for ship, row in zip(ships, rows, strict=True):
            if row is not None:
                own = surveys[ship]
                gain += float(own.total[row] - own.total[0])
                pairs.append((own, row))
        if len(pairs) == len(ships):
            found.append(Weighed(action, gain + kept, tuple(pairs)))
    return sorted(found, key=lambda w: -w.gain)


def _index(found: Survey) -> dict[tuple[int, int], int]:
    return {(int(s), int(h)): i for i, (s, h) in enumerate(zip(found.at.squares, found.at.headings, strict=True))}


def _end(sea: Sea, guide: int, square: int, ship: int) -> int | None:
    """Where a ship ends if the guide goes to that square."""
    grid = sea.battle.grid
    (row, column), (to_row, to_column) = grid.place(guide), grid.place(square)
    return shifted(grid, sea.view.ships[ship].square, to_row - row, to_column - column)


def _special(sea: Sea, surveys: dict[int, Survey], action: Action) -> Weighed | None:
    """An order that is no move, if it is worth giving."""
    match action:
        case Leave(name):
            return _leave(sea, surveys.get(sea.battle.numbers[name]), action)
        case Reload(name) | Sweep(name):
            return _work(sea, surveys.get(sea.battle.numbers[name]), action)
        case Lay(name, squares):
            return _lay(sea, sea.battle.numbers[name], squares, action)
    return None


def _leave(sea: Sea, found: Survey | None, action: Leave) -> Weighed | None:
    """A ship that is paid for it leaves, unless that ends a battle that is lost; a wreck leaves before she sinks."""
    battle, ship = sea.battle, sea.battle.numbers[action.ship]
    card, own, gain = battle.card(ship), sea.view.ships[ship], sea.stakes.exit[ship]
    alone = sum(s.fate in (Fate.AT_SEA, Fate.WAITING) for s in (sea.view.ships[n] for n in battle.fleet(sea.me))) == 1
    ours, theirs = (play.score(battle, sea.view, side) for side in (sea.me, 1 - sea.me))
    if alone and ours + gain < theirs:
        return None
    best = 0.0 if found is None else float(found.total.max())
    wreck = quarters(own.damage, card.sinking_rate) >= 3 and best < 0
    if not gain and not wreck:
        return None
    return Weighed(action, _most(found) + FIRST, key="leave")


def _work(sea: Sea, found: Survey | None, action: Reload | Sweep) -> Weighed | None:
    """Torpedoes are taken on, and mines swept, while nobody fires at the ship."""
    if found is not None and found.taken[0].sum() > 0:
        return None
    ship = sea.battle.numbers[action.ship]
    if isinstance(action, Sweep):
        square = sea.view.ships[ship].square
        here = any(f.square == square and f.side != sea.me for f in sea.view.fields)
        return Weighed(action, _most(found) + FIRST, key="sweep") if here else None
    empty = not sea.view.ships[ship].loaded
    return Weighed(action, _most(found) + FIRST, key="reload") if empty else None


def _lay(sea: Sea, ship: int, squares: int, action: Lay) -> Weighed | None:
    """Mines are laid where an enemy is likely to pass: the last squares of the way as far as all of them are."""
    own, passed = sea.view.ships[ship], passing(sea)
    sown = own.wake[-squares:] if own.wake else (own.square,)
    worth = [float(passed[s]) for s in sown]
    if min(worth) <= 0 or min(worth) < sea.figures["mining"] * float(passed.max()):
        return None
    return Weighed(action, sum(worth) + (FIRST if can_move(sea.view, ship) else 0.0), key="lay")


def _most(found: Survey | None) -> float:
    """The most that a move of hers gains."""
    return 0.0 if found is None else float(found.total.max() - found.total[0])


# -- The reasons of the players, as data: what was asked, with the lines and cells that show the answer on the board

LEAST = 0.05  # points: less is not worth telling
_RULES = {"leave": "F12", "reload": "F21", "sweep": "F26", "lay": "F23"}
MOST_HIDDEN, MOST_SQUARES = 3, 5  # hidden enemies told of, and the squares told of for each


def points(worth: float) -> str:
    """Points of the scenario, as they are told."""
    return number(worth, ".1f")


def foe_name(sea: Sea, foe: Foe) -> str:
    """What an enemy is called: its name, or the square of its disc."""
    if len(foe.ships) == 1 and sea.view.ships[foe.ships[0]].square >= 0:
        return sea.battle.units[foe.ships[0]].name
    return SAY("disc", square=sea.battle.grid.names[foe.square])


def standing(sea: Sea) -> Finding:
    """How things stand, and which enemy is worth most."""
    battle, enemies = sea.battle, sea.battle.fleet(1 - sea.me)
    mine, theirs = (play.score(battle, sea.view, side) for side in (sea.me, 1 - sea.me))
    afloat = [n for n in enemies if sea.view.ships[n].fate not in (Fate.SUNK, Fate.LEFT)]
    dearest = max(afloat, key=lambda n: (paid(battle, n), sea.stakes.value[n]), default=-1)
    verdict = SAY("lead.points" if enemies else "lead.alone", mine=mine, theirs=theirs)
    if afloat and (worth := paid(battle, dearest)):
        verdict = SAY("lead", mine=mine, theirs=theirs, dearest=battle.units[dearest].name, worth=points(worth))
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
    verdict, name = SAY("screen.at", square=told[0][0], chance=told[0][1]), units[foe.ships[0]].name
    if sight.is_screened(sea.battle, sea.view.move):
        return Finding("F33", SAY("screen.ask", ship=name), verdict, facts)
    return Finding("F43" if units[foe.ships[0]].card.boat else "F58", SAY("boat.ask", ship=name), verdict, facts)


def of_moves(sea: Sea, weighed: Weighed) -> tuple[Finding, ...]:
    """Why these places: for each ship what she can hit there, what can hit her, and the rest that counted."""
    return tuple(finding for found, row in weighed.places for finding in _of_move(sea, found, row))


def _of_move(sea: Sea, found: Survey, row: int) -> Iterator[Finding]:
    name = sea.battle.units[found.ship].name
    yield _fire(sea, found, row, "hit", SAY("hit.ask", ship=name))
    yield _fire(sea, found, row, "hurt", SAY("hurt.ask", ship=name))
    yield from _from_the_air(sea, name, int(found.at.squares[row]))
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
    if abs(found.craft[row]) >= LEAST:
        rule = "F50" if sea.battle.boats else "F55"
        yield Finding(rule, SAY("search.ask", ship=name), SAY("search", worth=points(found.craft[row])))
    there, here = points(found.total[row]), points(found.total[0])
    both = (Fact(SAY("fact.there"), there), Fact(SAY("fact.here"), here))
    yield Finding("F36", SAY("sum.ask"), SAY("sum", ship=name, there=there, here=here), both)


def _from_the_air(sea: Sea, name: str, square: int) -> Iterator[Finding]:
    """Which of the enemy's flights in sight that have something to drop can reach a ship there in this move: flights
    fly when all ships have moved. Of one that nobody has made out, the longest reach of any of the enemy's counts."""
    grid, told, furthest = sea.battle.grid, [], 0
    for own, squadron in zip(sea.view.flights, sea.battle.flights, strict=True):
        if squadron.side == sea.me or not squadron.armed:
            continue
        furthest = max(furthest, squadron.plane.squares)
        if own.place is Place.ALOFT and distance(grid, own.square, square) <= squadron.plane.squares:
            told.append((squadron.name, own.count, own.square))
    told += [(SAY("air.unknown", square=grid.names[at]), count, at) for at, count in sea.seen.sky
             if distance(grid, at, square) <= furthest]
    if told:
        facts = tuple(Fact(who, n, (Mark("line", (grid.names[at], grid.names[square]), who),)) for who, n, at in told)
        words = " ".join(SAY("air.reach", flight=who, n=n) for who, n, _ in told)
        yield Finding("F56", SAY("air.reach.ask", ship=name), words, facts)


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
            Fact(SAY("fact.gain"), number(weighed.gain, "+.1f"), (Mark("cell", cells, number(weighed.gain, "+.1f")),)),
            Fact(SAY("fact.dealt"), points(dealt)),
            Fact(SAY("fact.taken"), points(taken)),
        ]
    if weighed is chosen:
        return Option(weighed.action, weighed.gain, tuple(facts))
    less = chosen is None or weighed.who == chosen.who
    return Option(weighed.action, weighed.gain, tuple(facts), SAY("not.less" if less else "not.later"))


def why_fire(sea: Sea, plan: Plan, legal: Sequence[Any]) -> str:
    """Why the next order of the plan is given: of the first what all of them do, of each further one what it adds."""
    if not plan.orders:
        return _why_hold(sea, plan, legal)
    if not any(sea.battle.side(shot.ship) == sea.view.side for shot in sea.view.shots):
        return SAY("why.fire", worth=points(plan.worth))
    order = plan.orders[0]
    found = prospects.prospect(sea.battle, sea.view, order)
    facts = {"hit": percent(found.hit), "mean": points(float(found.mean))}
    return SAY("why.fire.next", ship=order.ship, foe=order.target, **facts)


def _why_hold(sea: Sea, plan: Plan, legal: Sequence[Any]) -> str:
    """Why nothing more is ordered, though there may be fire that would hit, and squares that could be searched."""
    searched = any(sea.battle.side(hunt.ship) == sea.me for hunt in sea.view.hunts)
    searches = "searched" if searched else "search" if any(isinstance(order, Seek) for order in legal) else ""
    if plan.kept is not None:
        key = "kept" if plan.kept >= LEAST else "kept.little"
        why = SAY(f"why.hold.{key}", gain=points(plan.kept), price=points(plan.price))
    elif any(isinstance(order, Guns | Torpedoes) for order in legal):
        why = SAY("why.hold.hits")
    else:
        return SAY(f"why.hold.{searches}" if searches else "why.hold")
    return SAY(f"why.hold.{searches}.more", more=why) if searches else why


def of_fire(sea: Sea, plan: Plan) -> tuple[Finding, ...]:
    """The targets of the plan, and the exact chance that each is sunk."""
    found = []
    numbers, names, ships = sea.battle.numbers, sea.battle.grid.names, sea.view.ships
    for target in sorted({numbers[order.target] for order in plan.orders}, key=lambda n: (-plan.sunk[n], n)):
        name, square = sea.battle.units[target].name, names[ships[target].square]
        lines = tuple(Mark("line", (names[ships[numbers[order.ship]].square], square), str(order))
                      for order in plan.orders if order.target == name)
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
    return tuple(_fire_option(battle, view, order, SAY(f"not.{why}") if why else "")
                 for order, why in ((chosen, ""), *((o, "target") for o in same), *((o, "turn") for o in rest)))


def aim_option(battle: Any, view: State, order: Any, plan: Plan, searches: bool = False) -> Option:
    """An order of the firing phase that the decision says nothing of. ``searches``: whether a search is worth an
    order."""
    if isinstance(order, Guns | Torpedoes):
        saved = plan.kept is not None and not any(_same_weapon(each, order) for each in plan.orders
                                                  if isinstance(each, Torpedoes))
        return _fire_option(battle, view, order, SAY("not.kept" if saved and isinstance(order, Torpedoes)
                                                     else "not.share"))
    return Option(order, 0.0, (), SAY("not.hold.search" if searches else "not.hold"), "F50" if searches else "F15")


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
        Fact(SAY("fact.damage"), points(float(found.mean)), (Mark("line", line, str(order)),)),
        Fact(SAY("fact.hit"), percent(found.hit)),
        Fact(SAY("fact.sunk"), percent(found.sink)),
    )
    return Option(order, float(found.mean), facts, rejected, "F15" if rejected else "")


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
