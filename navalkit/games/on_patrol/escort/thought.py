"""An escort's decision in the making: what its rules have settled so far, and what they said."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from navalkit.core.trace import Fact, Finding, Mark, Option
from navalkit.grids.hex import Hex, Place, radials, turned, vectors

from ..data import words
from ..sea.state import State, Vessel
from ..sea.tables import TABLES
from .avoid import Hindrances
from .manoeuvre import Intention, Leg
from .pattern import Placement
from .precedence import aim, rams

ACTIONS = TABLES.actions
SAY = words("escort.toml")


class Thought:
    """A decision in the making: what has been settled so far, and the findings that settled it."""

    def __init__(self, state: State, ship: Vessel, trace: bool) -> None:
        self.state, self.ship, self.trace = state, ship, trace
        self.marker = state.marker(ship.hunt.boat)
        self.row = ACTIONS[self.marker.kind if self.marker else None]
        self.ramming = rams(state, ship)
        self.target = aim(self.marker, self.ramming) if self.marker else None
        self.circling = self.row.movement == "diameter" and not self.ramming
        self.attacking = self.row.movement == "radial"
        self.ring = 0
        self.speed = 0
        self.closed = Hindrances({}, {}, {})
        self.intention = Intention(())
        self.path: tuple[Leg, ...] = ()
        self.zone: tuple[tuple[int, Hex], ...] = ()
        self.weapons: tuple[Placement, ...] = ()
        self.findings: list[Finding] = []
        self.rejected: list[Option] = []

    def say(
        self, rule: str, key: str, /, marks: Iterable[Mark] = (), children: Iterable[Finding] = (), **facts: Any
    ) -> None:
        """Note what a rule answered; ``marks`` is its evidence on the board."""
        if self.trace:
            self.findings.append(self.finding(rule, key, marks, children, **facts))

    @staticmethod
    def finding(
        rule: str, key: str, /, marks: Iterable[Mark] = (), children: Iterable[Finding] = (), **facts: Any
    ) -> Finding:
        topic = key.partition(".")[0]
        told = tuple(Fact(name, value) for name, value in facts.items())
        shown = (Fact("board", key, tuple(marks)),)
        return Finding(rule, SAY.phrase(f"{topic}.ask"), SAY.phrase(key, **facts), told + shown, tuple(children))

    @property
    def plan(self) -> tuple[Place, ...]:
        """What is left of a manoeuvre begun for this very target hex (105.3.4)."""
        hunt = self.ship.hunt
        return hunt.plan if hunt.aim == self.target else ()

    @property
    def ran(self) -> bool:
        """Whether she has been in the assault zone of this very target hex, and not turned back yet (105.4.9)."""
        return self.attacking and self.ship.hunt.ran == self.target


def cells(*hexes: Hex, label: str = "") -> Mark:
    return Mark("cell", tuple(h.label for h in hexes), label)


def tell_radials(t: Thought) -> None:
    """105.1.2, 105.3.2a: the six radials by distance, and the vector taken with the one that was not: seen from where
    she chose, which may be where a manoeuvre ended."""
    assert t.target is not None
    chosen, bow = t.intention.radial, t.intention.chosen_at
    if chosen is None or bow is None:
        return
    distance = chosen.distance(bow)
    row = cells(*chosen.hexes(max(2, t.target.distance(bow))), label="radial")
    key = "radial.then" if bow != t.ship.place.bow else "radial.nearest" if distance else "radial.on"
    t.say("105.1.2", key, (row,), direction=chosen.direction, distance=distance, at=bow)
    for radial in radials(t.target):
        if radial != chosen:
            further = radial.distance(bow)
            t.rejected.append(Option(f"radial {radial.direction}", further, rejected=SAY.phrase(
                "radial.further" if further > distance else "radial.equal", distance=further, least=distance
            ), rule="105.3.2a"))  # fmt: skip
    if t.intention.vector is None:
        return
    taken = t.intention.vector
    bow = taken.joins.step(turned(taken.course, 3), taken.length)
    others = [v for v in vectors(bow, t.target) if v.radial != taken.radial]
    line = cells(*(bow.step(taken.course, n) for n in range(1, taken.length + 1)), label="vector")
    t.say("105.1.4", "vector.taken", (line,), course=taken.course, length=taken.length, joins=taken.joins)
    for other in others:
        key = "vector.longer" if other.length > taken.length else "vector.wider"
        what = SAY.phrase("automaton.vector_on_course", course=other.course)
        why = SAY.phrase(key, length=other.length, least=taken.length)
        t.rejected.append(Option(what, other.length, rejected=why, rule="105.3.2a"))


def tell_steering(t: Thought, diverted: bool) -> None:
    """How she steers; with it each hex she enters and the rule of its course, unless she is diverted from there."""
    if t.target is None:
        return  # that she returns to her station has been said
    if t.intention.legs:
        legs = t.intention.legs
        row = (cells(*(leg.place.bow for leg in legs), label="path"),) if diverted else ()
        t.say(legs[0].rule, f"steer.{legs[0].why}", row, () if diverted else each_leg(t), hexes=len(legs))
    else:
        t.say("105.3.5", "steer.still")


def each_leg(t: Thought) -> list[Finding]:
    """A finding for each hex she enters."""
    return [
        t.finding(leg.rule, f"leg.{leg.why}", (cells(leg.place.bow, label="path"),), place=leg.place) for leg in t.path
    ]
