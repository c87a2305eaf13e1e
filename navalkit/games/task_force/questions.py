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
from navalkit.core.words import SAY as CORE, Words
from navalkit.explore.picture import Room, at_sea, type_size, word
from navalkit.explore.question import Answer, Cell, Choice, Marks, Plot, Question, Settings, Step, Tally, Whole
from navalkit.prob import placements
from navalkit.view.drawings import outline
from navalkit.view.page import Glance
from navalkit.view.scene import Rect, Scene, Shape, Style, Text
from . import SMALL
from .belief import Worlds, worlds
from .game import TaskForce
from .odds import Posterior, posterior_of, weighing
from .pieces import grid, mark
from .state import EMPTY, HIT, MISSILES, SUBMARINE, UNSEEN, Observation, Ships

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
    marks, missiles = [UNSEEN] * SEA.grid.size, iter(MISSILES * SEA.grid.size)
    for name, level in SCRATCHED.levels(text).items():
        sign = _MARKS[level]
        marks[NAMES.index(name)] = next(missiles) if sign == "m" else {"-": EMPTY, "x": HIT, "s": SUBMARINE}[sign]
    seen = Observation(SEA, "".join(marks))
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
    marks = known_from(text).seen.marks
    want = {s: 1 if mark in MISSILES else (HIT, "", SUBMARINE, EMPTY).index(mark) for s, mark in enumerate(marks)
            if mark != UNSEEN}
    fits = []
    for _ in range(n):
        ships = SEA.draw_fleet(rng)
        while (found := _beside(ships, rng)) is None:  # no room: hide everything anew (T2e)
            ships = SEA.draw_fleet(rng)
        submarines, missiles = found
        kinds = [3] * SEA.grid.size
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


def _beside(ships: Ships, rng: np.random.Generator) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Submarines and missiles beside a fleet, or None where there is no room for them."""
    if not SEA.count_submarines(ships):
        return None
    submarines = SEA.draw_submarines(ships, rng)
    if not SEA.count_missiles(ships, submarines):
        return None
    return submarines, tuple(s for s, _ in SEA.draw_missiles(ships, submarines, rng))


def one_more(settings: Settings) -> Iterator[Step]:
    """One more scratch of every square not scratched yet, but for the one asked about: nothing there, or a ship."""
    levels = SCRATCHED.levels(settings["seen"])
    for name in NAMES:
        if name not in levels and name != settings.get("square"):
            sides = (SCRATCHED.write({**levels, name: level}) for level in (1, 2))
            yield Step(SAY("scratch", square=name), "seen", *sides)


# -- The map of the game itself: where ships lie before anything is scratched ----------------------

_SEA = TaskForce().sea
_GRID = _SEA.grid
_COLUMNS = tuple(dict.fromkeys(name[0] for name in _GRID.names))
_SAMPLE = 20_000  # fleets that the answer rests on


def _first(settings: Settings) -> Steps[Answer]:
    found = yield from weighing(Observation(_SEA, UNSEEN * _GRID.size), sample=_SAMPLE)
    column, row = _COLUMNS.index(settings["column"]), settings["row"] - 1
    chance, best = float(found.hit[row, column]), int(found.hit.argmax())
    rows = tuple(str(number) for number in range(1, _GRID.rows + 1))
    return Answer(
        chance,
        (
            Plot("down", rows, tuple(found.hit[:, column].tolist()), row),
            Plot("across", _COLUMNS, tuple(found.hit[row].tolist()), column),
        ),
        ("fleets",),
        ("map", "even"),
        ("best", "mean", "danger"),
        {
            "square": f"{settings['column']}{settings['row']}", "fleets": found.worlds, "best": _GRID.names[best],
            "top": float(found.hit.max()), "mean": _SEA.waters.squares / _GRID.size,
            "danger": float((found.missile + found.submarine)[row, column]),
        },
        error=float(found.se[row, column]), n=found.worlds, exactness="sampled",
    )


def _laid(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Fleets drawn as in play."""
    fleets = placements.sample(_SEA.waters, n, rng)
    covered = np.logical_or.reduce(_SEA.waters.placements.cover[fleets], axis=1).reshape(n, _GRID.rows, _GRID.columns)
    column, row = _COLUMNS.index(settings["column"]), settings["row"] - 1
    return Tally.of(covered[:, row, column], covered[:, :, column].sum(axis=0), covered[:, row].sum(axis=0))


def _real_here(glance: Glance[Any, Observation, Any]) -> dict[str, Any] | None:
    """Before the first scratch on the usual map: any square."""
    return {} if glance.seen.sea.waters == _SEA.waters and set(glance.seen.marks) == {UNSEEN} else None


REAL = Question("task-real", GAME, SAY,
                (Choice("column", "D", dict.fromkeys(_COLUMNS, ""), True), Whole("row", 5, 1, _GRID.rows)), _first,
                _laid, here=_real_here)


# -- What it looks like, and where it arises --------------------------------------------------------

_HEATS = 10


def _drawn(question: str, settings: Settings, answer: Answer | None, room: Room) -> Scene:
    """The map with what is scratched, and on every other square the chance of a ship once it is calculated; the square
    asked about is framed. Beside it what the marks are."""
    (wide, high), size = room, type_size(room)
    side = min((high - 2 * size) / SEA.grid.rows, 0.5 * wide / SEA.grid.columns)
    left, top = 0.06 * wide, high - side * SEA.grid.rows - 0.5 * size
    levels, chances = SCRATCHED.levels(settings["seen"]), answer.cells if answer else {}
    shapes: list[Shape] = [Rect(left, top, side * SEA.grid.columns, side * SEA.grid.rows, Style("paper", "ink", 1.5))]
    most = max((chances[name] for name in chances if name not in levels), default=0.0) or 1.0
    signs = {"-": EMPTY, "x": HIT, "s": SUBMARINE, "m": MISSILES[0]}
    for i, name in enumerate(NAMES):
        x, y = left + side * (i % SEA.grid.columns), top + side * (i // SEA.grid.columns)
        if name in levels:
            shapes += mark(x, y, side, signs[_MARKS[levels[name]]])
        elif name in chances:
            heat = min(_HEATS - 1, int(_HEATS * chances[name] / most))
            ink = Style("on_heat_low" if heat < _HEATS // 2 else "on_heat_high")
            shapes.append(Rect(x, y, side, side, Style(f"heat{heat}")))
            shapes.append(Text(x + side / 2, y + side / 2, f"{100 * chances[name]:.0f}", ink, min(size, 0.5 * side),
                               bold=True))
    shapes += grid(left, top, side, SEA.grid.rows, SEA.grid.columns)
    for i in range(SEA.grid.rows):
        shapes.append(word(left - 0.7 * size, top + side * (i + 0.5), str(i + 1), size, bold=True))
    for i in range(SEA.grid.columns):
        shapes.append(word(left + side * (i + 0.5), top - 0.7 * size, NAMES[i][0], size, bold=True))
    asked = settings.get("square", "")
    if asked:
        i = NAMES.index(asked)
        x, y = left + side * (i % SEA.grid.columns), top + side * (i // SEA.grid.columns)
        shapes += outline(x + 2, y + 2, side - 4, side - 4)
    right = left + side * SEA.grid.columns + size
    lines = [SAY("picture.scratched", n=len(levels)), SAY("picture.asked", square=asked) if asked else ""]
    if answer is not None:
        lines += [SAY("picture.worlds", n=answer.facts["worlds"])]
    for row, line in enumerate(filter(None, lines)):
        shapes.append(word(right, high / 2 + 1.5 * size * (row - 1), line, size, "start"))
    return at_sea(room, shapes, SAY(f"{question}.title"), ". ".join(filter(None, lines)))


def _here(glance: Glance[Any, Observation, Any]) -> dict[str, Any] | None:
    """What is scratched on a map like the explorer's; on another map the question does not arise."""
    seen = glance.seen
    if seen.sea.waters != SEA.waters or (seen.sea.submarines, seen.sea.missiles) != (SEA.submarines, SEA.missiles):
        return None
    words = []
    for name, found in zip(NAMES, seen.marks, strict=True):
        if found != UNSEEN:
            words.append(name + ("m" if found in MISSILES else {EMPTY: "-", HIT: "x", SUBMARINE: "s"}[found]))
    free = [name for name, found in zip(NAMES, seen.marks, strict=True) if found == UNSEEN]
    return {"seen": " ".join(words)} | ({"square": free[0]} if free and "C3" not in free else {})


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
    terms = " + ".join(f"{p:.3f} × {-log2(p) + 0.0:.2f}" for p in shares[:, square].tolist() if p > 0)
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
