"""Certainty without probability: what must be so, each with the chain of hints that proves it.

Knowledge only grows: squares that must be a ship's, and squares that cannot hold a ship, a submarine, a missile. A few
rules are applied again and again until nothing new follows. All that is found is true; not all that is true is found
(the posterior may know more), for every step must be one that a player can follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from navalkit.core.trace import Fact, Finding, Mark

from ..rules.state import EMPTY, HIT, MISSILES, SUBMARINE, UNSEEN, Observation

_KINDS = {EMPTY: ("T4b", "empty"), HIT: ("T4c", "a hit"), SUBMARINE: ("T6", "a submarine")}


def deduce(observation: Observation) -> list[Finding]:
    """The unscratched squares about which something is certain, row by row.

    Parameters
    ----------
    observation : Observation

    Returns
    -------
    list of Finding
        Each has the facts "square" and "certain", which is "hit", "empty" or "no ship" (a missile or a submarine may
        lie there); its children are the findings that prove it, down to squares seen.
    """
    know = _Knowledge(observation)
    know.grow()
    certain = (know.certain(s) for s in observation.squares(UNSEEN))
    return [finding for finding in certain if finding]


class _Knowledge:
    """What is known, each piece with its proof: square -> Finding."""

    def __init__(self, observation: Observation) -> None:
        self.seen = observation
        self.waters = observation.sea.waters
        self.grid = observation.sea.grid
        self.table = self.waters.placements
        self.ship: dict[int, Finding] = {}
        self.no_ship: dict[int, Finding] = {}
        self.no_submarine: dict[int, Finding] = {}
        self.no_missile: dict[int, Finding] = {}
        self.out: dict[int, Finding] = {}
        """Placement -> why no ship lies there; one reason is enough."""
        self._touch: dict[int, Finding] = {}
        self.full: dict[int, Finding] = {}
        """Class -> why there is no other ship of it."""
        for square, mark in enumerate(observation.marks):
            if mark != UNSEEN:
                (self.ship if mark == HIT else self.no_ship)[square] = self._leaf(square, mark)

    def grow(self) -> None:
        """Apply all rules until nothing new follows."""
        self._counts()
        pieces = (self.ship, self.no_ship, self.no_submarine, self.no_missile, self.full)
        before = -1
        while (size := sum(map(len, pieces))) != before:
            before = size
            self._submarines()
            self._around_hits()
            self._beside_missiles()
            self._lines()
            self._complete()

    def certain(self, square: int) -> Finding | None:
        """What is certain about an unscratched square, if anything."""
        name = self.grid.names[square]
        if square in self.ship:
            return self._say(self.ship[square].rule, square, "hit", f"{name} must be a hit.", (self.ship[square],))
        if square not in self.no_ship:
            return None
        proofs = [known.get(square) for known in (self.no_ship, self.no_submarine, self.no_missile)]
        if all(proofs):
            return self._say("T4b", square, "empty", f"{name} must be empty.", _unique(p for p in proofs if p))
        proof = self.no_ship[square]
        return self._say(proof.rule, square, "no ship", f"No ship can lie on {name}.", (proof,))

    # Rules ------------------------------------------------------------------------------------------------------

    def _counts(self) -> None:
        """All submarines, or all missiles, have been seen (T2a, T2c)."""
        unseen = self.seen.squares(UNSEEN)
        for rule, marks, total, known, what in (
            ("T2a", SUBMARINE, self.seen.sea.submarines, self.no_submarine, "submarines"),
            ("T2c", MISSILES, self.seen.sea.missiles, self.no_missile, "missiles"),
        ):
            found = self.seen.squares(marks)
            if len(found) == total:
                text = f"All {total} {what} have been seen."
                proof = self._proof(rule, text, [self.no_ship[s] for s in found], found)
                known.update(dict.fromkeys(unseen, proof))

    def _submarines(self) -> None:
        """Nothing lies beside a submarine, and so no submarine beside anything (T2b)."""
        for square in self.seen.squares(SUBMARINE):
            for near in self.grid.neighbours[square]:
                text = f"Nothing lies beside the submarine at {self.grid.names[square]}."
                for known in (self.no_ship, self.no_submarine, self.no_missile):
                    self._add(known, near, "T2b", text, [self.no_ship[square]], [square])
        things = {s: self.no_ship[s] for s in self.seen.squares(MISSILES)} | self.ship
        for square, proof in things.items():
            for near in self.grid.neighbours[square]:
                text = f"{self.grid.names[square]} is not empty, so no submarine lies beside it."
                self._add(self.no_submarine, near, "T2b", text, [proof], [square])

    def _lines(self) -> None:
        """No ship fits through the square (T1b to T1f), or no ship can lie beside it for a missile to need (T2d)."""
        for square in self.seen.squares(UNSEEN):
            through = np.flatnonzero(self.table.cover[:, square]).tolist()
            if square not in self.no_ship and all(self._is_out(p) for p in through):
                proofs = _unique(self.out[p] for p in through)
                text = f"Whatever ship could lie through {self.grid.names[square]}, something is in its way."
                self._add(self.no_ship, square, "T1b", text, proofs, [square])
            near = self.grid.neighbours[square]
            if square not in self.no_missile and all(s in self.no_ship for s in near):
                text = f"No ship lies beside {self.grid.names[square]}, so no missile does either."
                self._add(self.no_missile, square, "T2d", text, _unique(self.no_ship[s] for s in near), near)

    def _around_hits(self) -> None:
        """What all ships that could explain a hit have in common (T1b, T1c)."""
        for hit in list(self.ship):
            through = np.flatnonzero(self.table.cover[:, hit]).tolist()
            left = [p for p in through if not self._is_out(p)]
            if not left:
                continue
            proofs = _unique((self.ship[hit], *(self.out[p] for p in through if p in self.out)))
            name = self.grid.names[hit]
            for square in np.flatnonzero(self.table.cover[left].all(axis=0)).tolist():
                text = f"Every ship that fits the hit at {name} covers {self.grid.names[square]} too."
                self._add(self.ship, square, "T1b", text, proofs, [hit])
            beside = self.table.reach[left].all(axis=0) & ~self.table.cover[left].any(axis=0)
            for square in np.flatnonzero(beside).tolist():
                text = f"However the ship at {name} lies, {self.grid.names[square]} touches it."
                self._add(self.no_ship, square, "T1c", text, proofs, [hit])

    def _beside_missiles(self) -> None:
        """A missile with but one square left for its ship (T2d)."""
        for square in self.seen.squares(MISSILES):
            near = self.grid.neighbours[square]
            left = [s for s in near if s not in self.no_ship]
            if len(left) == 1:
                text = f"The missile at {self.grid.names[square]} needs a ship beside it, and only one square is left."
                proofs = _unique((self.no_ship[square], *(self.no_ship[s] for s in near if s in self.no_ship)))
                self._add(self.ship, left[0], "T2d", text, proofs, [square])

    def _complete(self) -> None:
        """All ships of a class are known, so there is no other (T1b)."""
        ships: dict[int, Finding] = {}
        for hit in self.ship:
            through = np.flatnonzero(self.table.cover[:, hit]).tolist()
            left = [p for p in through if not self._is_out(p)]
            if len(left) == 1 and left[0] not in ships:
                cells, kind = self.table.cells[left[0]], self.waters.classes[self.table.of_class[left[0]]]
                ends = f"{self.grid.names[cells[0]]}-{self.grid.names[cells[-1]]}"
                proofs = _unique((self.ship[hit], *(self.out[p] for p in through if p in self.out)))
                ships[left[0]] = self._proof("T1b", f"{ends} is a {kind.name}.", proofs, cells)
        for number, kind in enumerate(self.waters.classes):
            known = [p for p in ships if self.table.of_class[p] == number]
            if number not in self.full and len(known) == kind.count:
                text = f"Every {kind.name} is known: there is no other."
                proof = self._proof("T1b", text, [ships[p] for p in known], [])
                self.full[number] = proof
                for place in self.table.of(number):
                    if place not in known:
                        self.out.setdefault(place, proof)

    # Tools ------------------------------------------------------------------------------------------------------

    def _is_out(self, place: int) -> bool:
        """Whether no ship lies at this placement, remembering why."""
        if place not in self.out:
            cells = self.table.cells[place]
            # To touch a hit is the plainer reason: it rests on that hit alone.
            for square in np.flatnonzero(self.table.reach[place]).tolist():
                if square in self.ship and square not in cells:
                    self.out[place] = self._touching(square)
                    return True
            blocked = next((square for square in cells if square in self.no_ship), None)
            if blocked is not None:
                self.out[place] = self.no_ship[blocked]
        return place in self.out

    def _touching(self, square: int) -> Finding:
        """Why no ship lies beside that one without covering it."""
        if square not in self._touch:
            text = f"Another ship beside the hit at {self.grid.names[square]} would touch it."
            self._touch[square] = self._proof("T1c", text, [self.ship[square]], [square])
        return self._touch[square]

    def _add(
        self, known: dict[int, Finding], square: int, rule: str, text: str, proofs: Sequence[Finding], at: Iterable[int]
    ) -> None:
        if square not in known:
            known[square] = self._proof(rule, text, proofs, at)

    def _leaf(self, square: int, mark: str) -> Finding:
        rule, what = _KINDS.get(mark, ("T5a", "a missile"))
        name = self.grid.names[square]
        return Finding(rule, f"Seen at {name}:", f"{what}.", (Fact("seen", what, (Mark("cell", (name,), what),)),))

    def _proof(self, rule: str, text: str, proofs: Sequence[Finding], at: Iterable[int]) -> Finding:
        marks = tuple(Mark("cell", (self.grid.names[s],)) for s in at)
        return Finding(rule, "Why?", text, (Fact("because of", len(proofs), marks),), tuple(proofs))

    def _say(self, rule: str, square: int, what: str, text: str, proofs: Sequence[Finding]) -> Finding:
        name = self.grid.names[square]
        facts = (Fact("square", name, (Mark("cell", (name,), what),)), Fact("certain", what))
        return Finding(rule, f"What lies on {name}?", text, facts, tuple(proofs))


def _unique(proofs: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each proof once (the same object), in order."""
    return tuple({id(proof): proof for proof in proofs}.values())
