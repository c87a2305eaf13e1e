"""The questions about Task Force, on a map small enough to weigh every world: where is a ship, and where to look?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import log2
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from navalkit.core.errors import NotationError
from navalkit.core.options import brief
from navalkit.games.task_force import SMALL, TaskForce
from navalkit.games.task_force.belief import Worlds, worlds
from navalkit.games.task_force.odds import Posterior, posterior_of
from navalkit.games.task_force.sea import Ships
from navalkit.games.task_force.state import EMPTY, HIT, MISSILES, SUBMARINE, UNSEEN, Observation

from .controls import Cell, Choice, Marks, Settings
from .question import Answer, Plot, Question, Sides, Step, Tally

GAME = "task-force"
Floats = NDArray[np.float64]
SEA = TaskForce(**SMALL).sea
NAMES = SEA.grid.names
KINDS = ("hit", "missile", "submarine", "empty")
_WORDS = ("ship", "missile", "submarine", "nothing")
_MARKS = (("", "not scratched"), ("-", "nothing"), ("x", "ship"), ("s", "submarine"), ("m", "missile"))
EXACT = "exact but for rounding"


def _square(word: str) -> str:
    if (name := str(word).upper()) not in NAMES:
        raise NotationError(f"{brief(word)} is no square of the map; they are {NAMES[0]} to {NAMES[-1]}.")
    return name


SCRATCHED = Marks(
    name="seen", label="What is scratched", marks=_MARKS, read=_square,
    rows=tuple(tuple(Cell(name, name, name) for name in NAMES[i : i + SEA.grid.columns])
               for i in range(0, SEA.grid.size, SEA.grid.columns)),
    help="Click a square to go through what may have turned up there: nothing, a ship, a submarine, a missile.",
)  # fmt: skip
_ASKED = Choice(
    name="square", label="Square asked about", default="C3", choices=tuple((n, n) for n in NAMES), read=_square
)


class Known(NamedTuple):
    """What the marks leave possible."""

    seen: Observation
    found: Worlds
    odds: Posterior


@lru_cache(maxsize=512)
def reckon(text: str) -> Known:
    """All worlds that fit the marks; DataError if none does."""
    marks, missiles = [UNSEEN] * SEA.grid.size, iter(MISSILES * SEA.grid.size)
    for name, level in SCRATCHED.levels(text).items():
        sign = _MARKS[level][0]
        marks[NAMES.index(name)] = next(missiles) if sign == "m" else {"-": EMPTY, "x": HIT, "s": SUBMARINE}[sign]
    seen = Observation(SEA, "".join(marks))
    found = worlds(seen, 70_000, np.random.default_rng(0))
    return Known(seen, found, posterior_of(seen, found))


def count(known: Known) -> tuple[str, str]:
    return "Worlds that fit", f"{known.odds.worlds:,}"


def _shares(odds: Posterior) -> Floats:
    """The four chances of every square, shape (4, squares), in the order of `KINDS`."""
    shares: Floats = np.clip(np.stack([getattr(odds, kind).ravel() for kind in KINDS]), 0.0, 1.0)
    return shares


ASSUMES = (
    f"A map of {SEA.grid.rows} by {SEA.grid.columns}, its first 3 columns deep water, with a cruiser, a "
    "destroyer and a "
    f"frigate, {SEA.submarines} submarine and {SEA.missiles} missiles; ships do not touch (T1, T2).",
    "Every fleet that fits is as likely as any other; submarines and missiles lie beside it by chance.",
)


# Where is a ship? ----------------------------------------------------------------------------------------------------


def _hit(settings: Settings) -> Answer:
    known, square = reckon(settings["seen"]), NAMES.index(settings["square"])
    shares = _shares(known.odds)
    best = int(np.argmax(np.where([mark == UNSEEN for mark in known.seen.marks], shares[0], -1)))
    return Answer(
        float(shares[0, square]),
        f"The chance that a ship lies on {NAMES[square]}.",
        (
            Plot("what", f"What lies on {NAMES[square]}", "", _WORDS, tuple(shares[:, square].tolist()), 0),
            Plot("ships", "Chance of a ship on every square", "square", NAMES, tuple(shares[0].tolist()), square),
        ),
        (
            f"{known.odds.worlds:,} worlds, each a fleet with its submarine, fit what is scratched.",
            "Each counts by how likely chance was to put its submarine and missiles there: 1 / (ways to "
            "place submarines) × "
            "C(free launchers, missiles unseen) / C(launchers, missiles).",
            f"The chance is the weight of those with a ship on {NAMES[square]} over the weight of all: "
            f"{shares[0, square]:.4f}.",
        ),
        ASSUMES,
        exactness=EXACT if known.odds.exact else "a sample of worlds",
        facts=(count(known), ("Best square", f"{NAMES[best]} ({100 * shares[0, best]:.0f} %)")),
        cells=dict(zip(NAMES, shares[0].tolist(), strict=True)),
    )  # fmt: skip


def _hide(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Seas hidden as in play; those that do not look like the marks do not count."""
    square = NAMES.index(settings["square"])
    seas = drawn(settings["seen"], rng, n)
    kinds = np.array(seas, dtype=np.intp).reshape(-1, SEA.grid.size)
    what = np.bincount(kinds[:, square], minlength=4)
    return Tally.of(kinds[:, square] == 0, what, (kinds == 0).sum(axis=0), tried=n)


def drawn(text: str, rng: np.random.Generator, n: int) -> list[list[int]]:
    """Of ``n`` hidden seas those that look like the marks: for each square its place in `KINDS`."""
    marks = reckon(text).seen.marks
    want = {s: 1 if mark in MISSILES else (HIT, "", SUBMARINE, EMPTY).index(mark) for s, mark in enumerate(marks)
            if mark != UNSEEN}  # fmt: skip
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


def scratches(settings: Settings) -> Iterator[Step]:
    """One more scratch of every square not scratched yet, but for the one asked about: nothing there, or a ship."""
    levels = SCRATCHED.levels(settings["seen"])
    for name in NAMES:
        if name not in levels and name != settings.get("square"):
            yield Step(f"Scratch {name}", SCRATCHED, *(SCRATCHED.write({**levels, name: level}) for level in (1, 2)))


SIDES = Sides("square", "nothing is there", "a ship is there")

SHIP = Question(
    "task-hit", GAME, "Where is a ship?", (_ASKED, SCRATCHED), _hit, _hide, steps=scratches, sides=SIDES,
    no_inverse="A square is scratched or it is not, so there is nothing here to turn up until the chance is 80 %. How "
    "many scratches that takes is the question “How many scratches to a sure hit?”.",
    no_gain="One more scratch elsewhere moves this chance up or down, and by nothing on average: what it may do is in "
    "the table of squares.",
)  # fmt: skip


# Where to look? ------------------------------------------------------------------------------------------------------


def _look(settings: Settings) -> Answer:
    known, square = reckon(settings["seen"]), NAMES.index(settings["square"])
    shares = _shares(known.odds)
    bits = -(shares * np.log2(np.where(shares > 0, shares, 1))).sum(axis=0) + 0.0
    unseen = np.array([mark == UNSEEN for mark in known.seen.marks])
    before = float(shares[0][unseen].max(initial=0.0))
    after = best_next(known.found, unseen)
    best = int(bits.argmax())
    terms = " + ".join(f"{p:.3f} × {-log2(p) + 0.0:.2f}" for p in shares[:, square].tolist() if p > 0)
    return Answer(
        float(bits[square]),
        f"What a scratch of {NAMES[square]} teaches on average.",
        (
            Plot("bits", "What a scratch teaches", "square", NAMES, tuple(bits.tolist()), square, "bits"),
            Plot("next", "Chance of a ship on the best square left, once this one is seen", "square looked at first",
                 NAMES, tuple(after.tolist()), square, lines=(("without looking", before),)),
        ),
        (
            f"Four things may turn up; each teaches minus the binary logarithm of its chance: {terms} = "
            f"{bits[square]:.3f} bits.",
            "The best square afterwards: for everything that may turn up here, the worlds that fit it "
            "are weighed anew, and "
            "the greatest chance of a ship on another square counts by how likely it was to turn up.",
        ),
        (*ASSUMES, "The targets of missiles are left aside."),
        unit="bits",
        exactness=EXACT if known.odds.exact else "a sample of worlds",
        facts=(count(known), ("It teaches most to scratch", f"{NAMES[best]} ({bits[best]:.2f} bits)"),
               ("Best chance of a ship now", f"{100 * before:.1f} %"),
               (f"After a look at {NAMES[square]}", f"{100 * after[square]:.1f} %")),
        cells=dict(zip(NAMES, shares[0].tolist(), strict=True)),
    )  # fmt: skip


def by_kind(found: Worlds) -> tuple[Floats, ...]:
    """For each of `KINDS` how much every world weighs with that on every square: four arrays (worlds, squares)."""
    weigh = found.weights[:, None]
    share = found.missiles / np.maximum(found.launchers.sum(axis=1), 1)
    missile = weigh * found.launchers * share[:, None]
    empty = weigh * ~found.ships * ~found.submarines - missile
    return weigh * found.ships, missile, weigh * found.submarines, empty


def best_next(found: Worlds, unseen: NDArray[np.bool_]) -> Floats:
    """For every square the mean chance of a ship on the best other one, once it is known what lies there.

    Parameters
    ----------
    found : Worlds
    unseen : array of bool, shape (squares,)
        Those not scratched yet; for the others it is the best chance as things are.
    """
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
    shares = _shares(reckon(settings["seen"]).odds)
    square = NAMES.index(settings["square"])
    kinds = [kinds[square] for kinds in drawn(settings["seen"], rng, n)]
    return Tally.of([-log2(shares[kind, square]) for kind in kinds], None, None, tried=n)


LOOK = Question(
    "task-look", GAME, "Where does a scratch teach most?", (_ASKED, SCRATCHED), _look, _surprise,
    steps=scratches, sides=SIDES,
    no_inverse="One of four things turns up, so no scratch teaches more than 2 bits; the first chart has all squares.",
    no_gain="The second chart is the gain of one scratch: how far the best chance climbs over the dashed line.",
)  # fmt: skip

QUESTIONS: tuple[Question, ...] = (SHIP, LOOK)
