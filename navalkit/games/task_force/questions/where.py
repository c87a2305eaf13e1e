"""Where is a ship, and where does a scratch teach most?"""

from __future__ import annotations

from math import log2

import numpy as np
from numpy.typing import NDArray

from navalkit.explore.controls import Choice, Settings
from navalkit.explore.question import Answer, Plot, Question, Tally

from ..odds.belief import Worlds
from ..rules.state import UNSEEN
from .worlds import (
    GAME,
    KINDS,
    NAMES,
    SAY,
    SCRATCHED,
    SEA,
    Floats,
    drawn,
    exactness,
    facts,
    known_from,
    one_more,
    shares_of,
    square,
)

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
    )  # fmt: skip


def _hide(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    """Seas hidden as in play; those that do not look like the marks do not count."""
    square = NAMES.index(settings["square"])
    seas = drawn(settings["seen"], rng, n)
    kinds = np.array(seas, dtype=np.intp).reshape(-1, SEA.grid.size)
    what = np.bincount(kinds[:, square], minlength=4)
    return Tally.of(kinds[:, square] == 0, what, (kinds == 0).sum(axis=0), tried=n)


SHIP = Question("task-hit", GAME, SAY, (_ASKED, SCRATCHED), _hit, _hide, steps=one_more)


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
    )  # fmt: skip


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


LOOK = Question("task-look", GAME, SAY, (_ASKED, SCRATCHED), _look, _surprise, steps=one_more)
