"""The explorer's questions about Task Force; their sentences are in ``words.toml``."""

from __future__ import annotations
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log2
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from navalkit.core.awaited import Steps
from navalkit.core.errors import NotationError, brief
from navalkit.core.words import SAY as CORE, Words, local
from navalkit.explore.picture import Room, at_sea, type_size, word
from navalkit.explore.question import Answer, Cell, Choice, Marks, Plot, Question, Settings, Step, Tally, Whole
from navalkit.grids.square import SquareGrid
from navalkit.prob import placements
from navalkit.view.drawings import outline
from navalkit.view.page import Glance
from navalkit.view.scene import Rect, Scene, Shape, Style, Text
from . import SMALL
from .belief import Worlds, worlds
from .game import TaskForce
from .odds import Posterior, posterior_of, weighing
from .pieces import grid, mark
from .state import EMPTY, HIT, MISSILES, SUBMARINE, TABLES, UNSEEN, Observation, Sea, Ships

# -- A map small enough to weigh every world on it, and the marks that a reader scratches there ----

GAME = "task-force"
SAY = Words.load("navalkit.games.task_force", "questions.toml")
Floats = NDArray[np.float64]
SEA = TaskForce(**SMALL).sea
NAMES = SEA.grid.names
KINDS = ("hit", "missile", "submarine", "empty")
_MARKS = ("", "-", "x", "s", "m")


def square(word: str) -> str:
    if (name := str(word).upper()) not in NAMES:
        raise NotationError(CORE("square.notation", name=brief(word), names=NAMES[-1]))
    return name


SCRATCHED = Marks(
    "seen", marks=_MARKS, read=square,
    rows=tuple(tuple(Cell(name, name, name) for name in NAMES[i : i + SEA.grid.columns])
               for i in range(0, SEA.grid.size, SEA.grid.columns)),
)


class Known(NamedTuple):
    """What the marks leave possible."""

    seen: Observation
    found: Worlds
    odds: Posterior


@lru_cache(maxsize=512)
def known_from(text: str) -> Known:
    """All worlds that fit the marks; DataError if none does."""
    seen = _seen_on(SEA, SCRATCHED, text)
    found = worlds(seen, 70_000, np.random.default_rng(0))
    return Known(seen, found, posterior_of(seen, found))


def shares_of(odds: Posterior) -> Floats:
    """The four chances of every square, shape (4, squares), in the order of `KINDS`."""
    shares: Floats = np.clip(np.stack([getattr(odds, kind).ravel() for kind in KINDS]), 0.0, 1.0)
    return shares


def exactness(known: Known) -> str:
    """How exact the answers are."""
    return "rounding" if known.odds.exact else "sample"


def facts(known: Known) -> dict[str, Any]:
    """What the sentences of all the questions tell."""
    return {
        "worlds": known.odds.worlds, "rows": SEA.grid.rows, "columns": SEA.grid.columns, "submarines": SEA.submarines,
        "missiles": SEA.missiles,
    }


def drawn(text: str, rng: np.random.Generator, n: int) -> list[list[int]]:
    """Of ``n`` hidden seas those that look like the marks: for each square its place in `KINDS`."""
    return _hidden(known_from(text).seen, rng, n)


def _hidden(seen: Observation, rng: np.random.Generator, n: int) -> list[list[int]]:
    """The same on any map: fleets whose ships are seen to lie elsewhere are left out at once. One without room for the
    rest never comes to be (T2e), and fits nothing."""
    sea, fits = seen.sea, []
    want = {s: 1 if mark in MISSILES else (HIT, "", SUBMARINE, EMPTY).index(mark) for s, mark in enumerate(seen.marks)
            if mark != UNSEEN}
    table, fleets = sea.waters.placements, placements.sample(sea.waters, n, rng)
    covered = np.logical_or.reduce(table.cover[fleets], axis=1)
    alike = covered[:, list(want)] == np.array([kind == 0 for kind in want.values()], dtype=bool)
    for fleet in fleets[alike.all(axis=1)]:
        ships = tuple(sorted(table.cells[p] for p in fleet))
        found = _beside(sea, ships, rng)
        if found is None:
            continue
        submarines, missiles = found
        kinds = [3] * sea.grid.size
        for ship in ships:
            for s in ship:
                kinds[s] = 0
        for s in missiles:
            kinds[s] = 1
        for s in submarines:
            kinds[s] = 2
        if all(kinds[s] == kind for s, kind in want.items()):
            fits.append(kinds)
    return fits


def _beside(sea: Sea, ships: Ships, rng: np.random.Generator) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Submarines and missiles beside a fleet, or None where there is no room for them."""
    if not sea.count_submarines(ships):
        return None
    submarines = sea.draw_submarines(ships, rng)
    if not sea.count_missiles(ships, submarines):
        return None
    return submarines, tuple(s for s, _ in sea.draw_missiles(ships, submarines, rng))


def one_more(settings: Settings) -> Iterator[Step]:
    """One more scratch of every square not scratched yet, but for the one asked about: nothing there, or a ship."""
    levels = SCRATCHED.levels(settings["seen"])
    for name in NAMES:
        if name not in levels and name != settings.get("square"):
            sides = (SCRATCHED.write({**levels, name: level}) for level in (1, 2))
            yield Step(SAY("scratch", square=name), "seen", *sides)


# -- A map of the game itself, of any size: where ships lie, given what is scratched ----------------

def square_of_any(word: str) -> str:
    if (name := str(word).upper()) not in _ANY.names:
        raise NotationError(CORE("square.notation", name=brief(word), names=_ANY.names[-1]))
    return name


def _counts(name: str) -> Choice:
    """An option of the game that is a number: what a class moves first is the square."""
    spec = next(each for each in TABLES.options if each.name == name)
    assert spec.low is not None and spec.high is not None
    return Choice(name, str(spec.default), dict.fromkeys(map(str, range(spec.low, spec.high + 1)), ""), True)


_ANY = SquareGrid(14, 14)
"""Of all maps' squares."""
_COLUMNS = tuple(dict.fromkeys(name[0] for name in _ANY.names))
_NUMBERS = tuple(map(_counts, ("submarines", "missiles", "rows", "columns", "deep")))
_FLEET = Choice("fleet", "full", dict.fromkeys(TABLES.fleets, ""))
_ON_MAP = Marks(
    "seen", marks=_MARKS, read=square_of_any,
    rows=tuple(tuple(Cell(name, name, name) for name in _ANY.names[i : i + _ANY.columns])
               for i in range(0, _ANY.size, _ANY.columns)),
    there=lambda settings: _grid(settings).names,
)
_POSTERIORS: dict[Observation, Posterior] = {}  # the latest


def _grid(settings: Settings) -> SquareGrid:
    """The squares of the settings' map, be it too small or not."""
    return SquareGrid(int(settings["rows"]), int(settings["columns"]))


def _game(settings: Settings) -> Sea:
    """The sea of the settings; OptionError if it is too small for what hides there."""
    return _sea_of(settings["fleet"], *(int(settings[each.name]) for each in _NUMBERS))


@lru_cache(maxsize=64)
def _sea_of(fleet: str, submarines: int, missiles: int, rows: int, columns: int, deep: int) -> Sea:
    return TaskForce(fleet=fleet, submarines=submarines, missiles=missiles, rows=rows, columns=columns, deep=deep).sea


def _seen_on(sea: Sea, control: Marks, text: str) -> Observation:
    """What marks tell; NotationError for one beside the map."""
    names = sea.grid.names
    marks, missiles = [UNSEEN] * sea.grid.size, iter(MISSILES * sea.grid.size)
    for name, level in control.levels(text).items():
        if name not in names:
            raise NotationError(CORE("square.notation", name=name, names=names[-1]))
        sign = _MARKS[level]
        marks[names.index(name)] = next(missiles) if sign == "m" else {"-": EMPTY, "x": HIT, "s": SUBMARINE}[sign]
    return Observation(sea, "".join(marks))


def _weighed(seen: Observation) -> Steps[Posterior]:
    """What is likely where: the very numbers of the game's page. It is kept, for a square is asked about after the
    other."""
    if (kept := _POSTERIORS.get(seen)) is not None:
        return kept
    found = yield from weighing(seen)
    if len(_POSTERIORS) >= 16:
        _POSTERIORS.clear()
    _POSTERIORS[seen] = found
    return found


def _place(sea: Sea, settings: Settings) -> tuple[int, int]:
    """Column and row that are asked about, from 0; NotationError for a square beside the map."""
    name = f"{settings['column']}{settings['row']}"
    if name not in sea.grid.names:
        raise NotationError(CORE("square.notation", name=name, names=sea.grid.names[-1]))
    return _COLUMNS.index(settings["column"]), settings["row"] - 1


def _real(settings: Settings) -> Steps[Answer]:
    sea = _game(settings)
    column, row = _place(sea, settings)
    seen = _seen_on(sea, _ON_MAP, settings["seen"])
    found = yield from _weighed(seen)
    shares, names = np.clip(found.hit, 0.0, 1.0), sea.grid.names
    left = np.where([mark == UNSEEN for mark in seen.marks], shares.ravel(), -1.0)
    best = int(left.argmax())
    deep = min(int(settings["deep"]), sea.grid.columns)
    return Answer(
        float(shares[row, column]),
        (
            Plot("down", tuple(map(str, range(1, sea.grid.rows + 1))), tuple(shares[:, column].tolist()), row),
            Plot("across", _COLUMNS[: sea.grid.columns], tuple(shares[row].tolist()), column),
        ),
        ("worlds", "weights"),
        ("map", settings["fleet"], "beside", "even"),
        ("best", "mean", "danger") if left[best] >= 0 else ("danger",),
        {
            "square": f"{settings['column']}{settings['row']}", "worlds": found.worlds, "best": names[best],
            "top": float(left[best]), "mean": float(left[left >= 0].mean()) if left[best] >= 0 else 0.0,
            "danger": float((found.missile + found.submarine)[row, column]), "rows": sea.grid.rows,
            "columns": sea.grid.columns, "deep": deep, "shallow": sea.grid.columns - deep,
            "submarines": sea.submarines, "missiles": sea.missiles,
        },
        error=float(found.se[row, column]), n=0 if found.exact else found.worlds,
        exactness="rounding" if found.exact else "sampled",
        cells=dict(zip(names, shares.ravel().tolist(), strict=True)),
    )


def _laid(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Seas hidden as in play; those that do not look like the marks do not count."""
    sea = _game(settings)
    column, row = _place(sea, settings)
    kinds = np.array(_hidden(_seen_on(sea, _ON_MAP, settings["seen"]), rng, n), dtype=np.intp)
    ships = kinds.reshape(-1, sea.grid.rows, sea.grid.columns) == 0
    return Tally.of(ships[:, row, column], ships[:, :, column].sum(axis=0), ships[:, row].sum(axis=0), tried=n)


def _one_off(settings: Settings) -> Iterator[Step]:
    """A square further along the column or the row, and a bare map: the other numbers are other games."""
    for name in ("column", "row", "seen"):
        control = REAL.control(name)
        yield Step(control.label, name, *control.near(settings[name]))


def _real_given(settings: Settings) -> dict[str, Any]:
    """The map and its ships, each with its length, the ways it may lie, and its first and last column."""
    sea = _game(settings)
    ships = sorted(((kind.length, (0,) * kind.across + (1,) * kind.down, kind.first, kind.last)
                    for kind in sea.waters.classes for _ in range(kind.count)),
                   key=lambda ship: (ship[3] - ship[2], -ship[0]))  # those with the least room first
    return {"column": settings["column"], "row": settings["row"], "seen": settings["seen"], "rows": sea.grid.rows,
            "columns": sea.grid.columns, "submarines": sea.submarines, "missiles": sea.missiles, "ships": ships}


def _real_here(glance: Glance[Any, Observation, Any]) -> dict[str, Any] | None:
    """What is scratched on the map; asked about is its middle, or the first square that is not scratched."""
    seen, options = glance.seen, glance.game.options
    names = seen.sea.grid.names
    free = [name for name, found in zip(names, seen.marks, strict=True) if found == UNSEEN]
    if not free:
        return None
    square = _MIDDLE if _MIDDLE in free else free[0]
    numbers = {each.name: str(options[each.name]) for each in _NUMBERS}
    return {"column": square[0], "row": int(square[1:]), "seen": _scratched(seen), "fleet": options["fleet"]} | numbers


_MIDDLE = "D5"
REAL = Question(
    "task-real", GAME, SAY,
    (Choice("column", _MIDDLE[0], dict.fromkeys(_COLUMNS, ""), True), Whole("row", int(_MIDDLE[1:]), 1, _ANY.rows),
     *_NUMBERS, _FLEET, _ON_MAP),
    _real, _laid, steps=_one_off, here=_real_here, given=_real_given,
    picture=lambda settings, answer, room: _drawn("task-real", settings, answer, room),
)


# -- What it looks like, and where it arises --------------------------------------------------------

_HEATS = 10


def _drawn(question: str, settings: Settings, answer: Answer | None, room: Room) -> Scene:
    """The map with what is scratched, and on every other square the chance of a ship once it is calculated; the square
    asked about is framed. Beside it what the marks are."""
    (wide, high), size, real = room, type_size(room), "fleet" in settings
    squares, control = (_grid(settings), _ON_MAP) if real else (SEA.grid, SCRATCHED)
    rows, columns, names = squares.rows, squares.columns, squares.names
    side = min((high - 2 * size) / rows, 0.5 * wide / columns)
    left, top = 0.06 * wide, high - side * rows - 0.5 * size
    levels, chances = control.levels(settings["seen"]), answer.cells if answer else {}
    shapes: list[Shape] = [Rect(left, top, side * columns, side * rows, Style("paper", "ink", 1.5))]
    most = max((chances[name] for name in chances if name not in levels), default=0.0) or 1.0
    signs = {"-": EMPTY, "x": HIT, "s": SUBMARINE, "m": MISSILES[0]}
    for i, name in enumerate(names):
        x, y = left + side * (i % columns), top + side * (i // columns)
        if name in levels:
            shapes += mark(x, y, side, signs[_MARKS[levels[name]]])
        elif name in chances:
            heat = min(_HEATS - 1, int(_HEATS * chances[name] / most))
            ink = Style("on_heat_low" if heat < _HEATS // 2 else "on_heat_high")
            shapes.append(Rect(x, y, side, side, Style(f"heat{heat}")))
            shapes.append(Text(x + side / 2, y + side / 2, f"{100 * chances[name]:.0f}", ink, min(size, 0.5 * side),
                               bold=True))
    shapes += grid(left, top, side, rows, columns)
    small = min(size, 0.9 * side)
    for i in range(rows):
        shapes.append(word(left - 0.7 * size, top + side * (i + 0.5), str(i + 1), small, bold=True))
    for i in range(columns):
        shapes.append(word(left + side * (i + 0.5), top - 0.7 * size, names[i][0], small, bold=True))
    asked = f"{settings['column']}{settings['row']}" if real else settings.get("square", "")
    if asked in names:
        i = names.index(asked)
        x, y = left + side * (i % columns), top + side * (i // columns)
        shapes += outline(x + 2, y + 2, side - 4, side - 4)
    right = left + side * columns + size
    lines = [SAY("picture.scratched", n=len(levels)), SAY("picture.asked", square=asked) if asked else ""]
    if answer is not None:
        lines += [SAY("picture.worlds", n=answer.facts["worlds"])]
    for row, line in enumerate(filter(None, lines)):
        shapes.append(word(right, high / 2 + 1.5 * size * (row - 1), line, size, "start"))
    return at_sea(room, shapes, SAY(f"{question}.title"), ". ".join(filter(None, lines)))


def _scratched(seen: Observation) -> str:
    """The marks of what is scratched."""
    signs = {EMPTY: "-", HIT: "x", SUBMARINE: "s"}
    return " ".join(name + ("m" if found in MISSILES else signs[found])
                    for name, found in zip(seen.sea.grid.names, seen.marks, strict=True) if found != UNSEEN)


def _here(glance: Glance[Any, Observation, Any]) -> dict[str, Any] | None:
    """What is scratched on a map like the explorer's; on another map the question does not arise."""
    seen = glance.seen
    if seen.sea.waters != SEA.waters or (seen.sea.submarines, seen.sea.missiles) != (SEA.submarines, SEA.missiles):
        return None
    free = [name for name, found in zip(NAMES, seen.marks, strict=True) if found == UNSEEN]
    return {"seen": _scratched(seen)} | ({"square": free[0]} if free and "C3" not in free else {})


# -- Where is a ship, and where does a scratch teach most? -----------------------------------------

_ASKED = Choice("square", "C3", dict.fromkeys(NAMES, ""), read=square)


def _hit(settings: Settings) -> Answer:
    known, square = known_from(settings["seen"]), NAMES.index(settings["square"])
    shares = shares_of(known.odds)
    best = int(np.argmax(np.where([mark == UNSEEN for mark in known.seen.marks], shares[0], -1)))
    words = tuple(SAY(f"lies.{kind}") for kind in KINDS)
    return Answer(
        float(shares[0, square]),
        (
            Plot("what", words, tuple(shares[:, square].tolist()), 0),
            Plot("ships", NAMES, tuple(shares[0].tolist()), square),
        ),
        ("worlds", "weights", "share"),
        ("map", "beside", "even"),
        ("worlds", "best"),
        {
            **facts(known), "square": NAMES[square], "chance": shares[0, square], "best": NAMES[best],
            "top": 100 * shares[0, best],
        },
        exactness=exactness(known),
        cells=dict(zip(NAMES, shares[0].tolist(), strict=True)),
    )


def _hide(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Seas hidden as in play; those that do not look like the marks do not count."""
    square = NAMES.index(settings["square"])
    seas = drawn(settings["seen"], rng, n)
    kinds = np.array(seas, dtype=np.intp).reshape(-1, SEA.grid.size)
    what = np.bincount(kinds[:, square], minlength=4)
    return Tally.of(kinds[:, square] == 0, what, (kinds == 0).sum(axis=0), tried=n)


SHIP = Question("task-hit", GAME, SAY, (_ASKED, SCRATCHED), _hit, _hide, steps=one_more,
                picture=lambda settings, answer, room: _drawn("task-hit", settings, answer, room), here=_here)


# Where to look? ------------------------------------------------------------------------------------------------------

def _look(settings: Settings) -> Answer:
    known, square = known_from(settings["seen"]), NAMES.index(settings["square"])
    shares = shares_of(known.odds)
    bits = -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=0) + 0.0
    unseen = np.array([mark == UNSEEN for mark in known.seen.marks])
    before = float(shares[0][unseen].max(initial=0.0))
    after = best_next(known.found, unseen)
    best = int(bits.argmax())
    terms = local(" + ".join(f"{p:.3f} × {-log2(p) + 0.0:.2f}" for p in shares[:, square].tolist() if p > 0))
    return Answer(
        float(bits[square]),
        (
            Plot("bits", NAMES, tuple(bits.tolist()), square, "bits"),
            Plot("next", NAMES, tuple(after.tolist()), square, lines=((SAY("without"), before),)),
        ),
        ("bits", "next"),
        ("map", "beside", "even", "targets"),
        ("worlds", "teaches", "now", "after"),
        {
            **facts(known), "square": NAMES[square], "terms": terms, "bits": bits[square], "best": NAMES[best],
            "most": bits[best], "now": 100 * before, "after": 100 * after[square],
        },
        unit="bits", exactness=exactness(known), cells=dict(zip(NAMES, shares[0].tolist(), strict=True)),
    )


def by_kind(found: Worlds) -> tuple[Floats, ...]:
    """For each of `KINDS` how much every world weighs with that on every square: four arrays (worlds, squares)."""
    weigh = found.weights[:, None]
    share = found.missiles / np.maximum(found.launchers.sum(axis=1), 1)
    missile = weigh * found.launchers * share[:, None]
    empty = weigh * ~found.ships * ~found.submarines - missile
    return weigh * found.ships, missile, weigh * found.submarines, empty


def best_next(found: Worlds, unseen: NDArray[np.bool_]) -> Floats:
    """For every square the mean chance of a ship on the best other one, once it is known what lies there. ``unseen``:
    those not scratched yet; for the others it is the best chance as things are."""
    best = np.zeros(len(unseen))
    for part in by_kind(found):
        joint = part.T @ (found.ships & unseen)  # (square looked at, square fired at)
        np.fill_diagonal(joint, 0.0)
        best += joint.max(axis=1)
    now = (found.weights @ (found.ships & unseen)).max(initial=0.0)
    chances: Floats = np.where(unseen, best, now) / found.weights.sum()
    return chances


def _surprise(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """What each hidden sea that fits would teach: minus the binary logarithm of how likely it was."""
    shares = shares_of(known_from(settings["seen"]).odds)
    square = NAMES.index(settings["square"])
    kinds = [kinds[square] for kinds in drawn(settings["seen"], rng, n)]
    return Tally.of([-log2(shares[kind, square]) for kind in kinds], None, None, tried=n)


LOOK = Question("task-look", GAME, SAY, (_ASKED, SCRATCHED), _look, _surprise, steps=one_more,
                picture=lambda settings, answer, room: _drawn("task-look", settings, answer, room))


# -- How many well-chosen scratches until the next is a hit? ---------------------------------------
# A plan is a tree: at each node a square to scratch, and below it a node for each of the four things that may turn up.

_MOST = 4
_TENTHS = tuple(f"{10 * i}+" for i in range(10))
_TRUE = 12  # decimals that rounding leaves as they are
_EVEN = 9  # decimals to which chances are the same, so that the first square of several as good is taken


@dataclass(frozen=True, slots=True)
class Node:
    """A point of the plan: what has turned up so far is known."""

    chance: float  # to come here
    target: int  # the square most likely to hide a ship
    hit: float  # the chance that it does
    look: int  # the square to scratch first instead; -1 where the plan ends
    below: dict[int, Node]  # by what turns up there, in the order of `task.KINDS`


@lru_cache(maxsize=256)
def plan(seen: str) -> Node:
    """The plan from marks on; DataError if nothing fits them."""
    known = known_from(seen)
    return _plan(known.found, np.array([mark == UNSEEN for mark in known.seen.marks]), 1.0, _MOST)


def _plan(found: Worlds, unseen: NDArray[np.bool_], chance: float, left: int) -> Node:
    total = found.weights.sum()
    ships = np.round((found.weights @ (found.ships & unseen)) / total, _EVEN)
    target = int(ships.argmax())
    if not left or not unseen.any():
        return Node(chance, target, float(ships[target]), -1, {})
    look = int(np.where(unseen, np.round(best_next(found, unseen), _EVEN), -1.0).argmax())
    still = unseen.copy()
    still[look] = False
    below = {}
    for kind, part in enumerate(by_kind(found)):
        weights = part[:, look]
        rows = weights > 0
        if rows.any():
            after = _after(found, rows, weights[rows], look, kind)
            below[kind] = _plan(after, still, chance * float(weights.sum() / total), left - 1)
    return Node(chance, target, float(ships[target]), look, below)


def _after(found: Worlds, rows: NDArray[np.bool_], weights: NDArray[np.float64], look: int, kind: int) -> Worlds:
    """The worlds in which that kind turned up there: the square launches nothing more, and a missile found is gone."""
    launchers = found.launchers[rows]
    launchers[:, look] = False
    return replace(found, ships=found.ships[rows], submarines=found.submarines[rows], launchers=launchers,
                   weights=weights, group=found.group[rows], missiles=found.missiles - (kind == 1))


def _after_scratches(node: Node, number: int) -> Iterator[Node]:
    """The nodes the plan can have reached after a number of scratches."""
    if not number or not node.below:
        yield node
    else:
        for below in node.below.values():
            yield from _after_scratches(below, number - 1)


def _tenth(hit: float) -> int:
    return min(9, int(10 * hit + 1e-6))


def _hits(settings: Settings) -> Answer:
    known, first, number = known_from(settings["seen"]), plan(settings["seen"]), settings["scratches"]
    chances = [
        round(sum(node.chance * node.hit for node in _after_scratches(first, k)), _TRUE) for k in range(_MOST + 1)
    ]
    sure = [0.0] * 10
    for node in _after_scratches(first, number):
        sure[_tenth(node.hit)] += node.chance
    return Answer(
        chances[number],
        (
            Plot("by-scratches", tuple(map(str, range(_MOST + 1))), tuple(chances), number),
            Plot("sure", _TENTHS, tuple(sure)),
        ),
        ("first" if first.look >= 0 else "none-left", "worlds", "mean"),
        ("map", "beside", "even", "targets", "ahead"),
        ("worlds", "best", *(["first"] if first.look >= 0 else [])),
        {
            **facts(known), "scratches": number, "first": NAMES[first.look], "best": NAMES[first.target],
            "top": 100 * first.hit,
        },
        exactness=exactness(known),
        cells=dict(zip(NAMES, np.clip(known.odds.hit.ravel(), 0.0, 1.0).tolist(), strict=True)),
    )


def _play(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Hidden seas that look like the marks, scratched by the plan; the next scratch after each of its steps."""
    seas, first = drawn(settings["seen"], rng, n), plan(settings["seen"])
    hits, sure = np.zeros((len(seas), _MOST + 1), dtype=bool), np.zeros(10, dtype=np.int64)
    for row, kinds in zip(hits, seas, strict=True):
        node = first
        for k in range(_MOST + 1):
            row[k] = kinds[node.target] == 0 and node.hit > 0
            if k == settings["scratches"]:
                sure[_tenth(node.hit)] += 1
            node = node.below[kinds[node.look]] if node.below else node
    return Tally.of(hits[:, settings["scratches"]], hits.sum(axis=0), sure, tried=n)


SCRATCHES = Question("task-scratches", GAME, SAY, (Whole("scratches", 1, 0, _MOST), SCRATCHED), _hits, _play,
                     inverse="scratches", gains=(("scratches", 1, "scratch"),), steps=one_more,
                     picture=lambda settings, answer, room: _drawn("task-scratches", settings, answer, room))


QUESTIONS = (SHIP, LOOK, SCRATCHES, REAL)
