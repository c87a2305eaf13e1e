"""Certainty without probability: what must be so, each with the proof that a player can follow.

Knowledge only grows: squares that must be a ship's, and squares that cannot hold a ship, a submarine, a missile. A few
rules are applied again and again until nothing new follows. What they leave open and yet is certain is known from the
walk through all maps (`cases`); it is proved by supposing the contrary: each case fails. The shortest such proofs come
first, since they shorten the others. All that is found is true, and all that is true is found, unless a walk is given
up (`cases.MOST`).
"""

from __future__ import annotations
from collections.abc import Iterable, Sequence

import numpy as np

from navalkit.core.awaited import Steps, finish
from navalkit.core.trace import Fact, Finding, Mark
from navalkit.core.words import Text
from .cases import Case, Suppose, Walk, certain
from .state import EMPTY, HIT, MISSILES, SAY, SUBMARINE, UNSEEN, Observation

_KINDS = {EMPTY: ("T4b", "empty"), HIT: ("T4c", "hit"), SUBMARINE: ("T6", "submarine")}
_RULES = {"ship": "T1b", "missile": "T2d", "class": "T1b", "submarines": "T2b", "room": "T2e"}
_SHORT = 6  # cases of a proof that need not wait for shorter ones


def deduce(observation: Observation) -> list[Finding]:
    """The unscratched squares about which something is certain, row by row.

    Parameters
    ----------
    observation : Observation

    Returns
    -------
    list of Finding
        Each has the facts "square" and "certain", which is "hit", "empty" or "no_ship" (a missile or a submarine may
        lie there); its children are the findings that prove it, down to squares seen.
    """
    return finish(deducing(observation))


def deducing(observation: Observation) -> Steps[list[Finding]]:
    """The work of `deduce` in short steps."""
    know = _Knowledge(observation)
    know.grow()
    yield None
    unseen = observation.squares(UNSEEN)
    sure = yield from certain(know.walk(), unseen)
    yield from know.prove(sure)
    findings = (know.certain(s) for s in unseen)
    return [finding for finding in findings if finding]


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
        self.ships: dict[int, Finding] = {}
        """Placement -> why a ship lies just there."""
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
        if square in self.ship:
            return self._say(self.ship[square].rule, square, "hit", (self.ship[square],))
        if square not in self.no_ship:
            return None
        proofs = [known.get(square) for known in (self.no_ship, self.no_submarine, self.no_missile)]
        if all(proofs):
            return self._say("T4b", square, "empty", _unique(p for p in proofs if p))
        proof = self.no_ship[square]
        return self._say(proof.rule, square, "no_ship", (proof,))

    def _counts(self) -> None:
        """All submarines, or all missiles, have been seen (T2a, T2c)."""
        unseen = self.seen.squares(UNSEEN)
        for rule, marks, total, known, what in (
            ("T2a", SUBMARINE, self.seen.sea.submarines, self.no_submarine, "submarines"),
            ("T2c", MISSILES, self.seen.sea.missiles, self.no_missile, "missiles"),
        ):
            found = self.seen.squares(marks)
            if len(found) == total:
                text = SAY.phrase(f"why.all_{what}", n=total)
                proof = self._proof(rule, text, [self.no_ship[s] for s in found], found)
                known.update(dict.fromkeys(unseen, proof))

    def _submarines(self) -> None:
        """Nothing lies beside a submarine, and so no submarine beside anything (T2b)."""
        for square in self.seen.squares(SUBMARINE):
            for near in self.grid.neighbours[square]:
                text = SAY.phrase("why.beside_submarine", square=self.grid.names[square])
                for known in (self.no_ship, self.no_submarine, self.no_missile):
                    self._add(known, near, "T2b", text, [self.no_ship[square]], [square])
        things = {s: self.no_ship[s] for s in self.seen.squares(MISSILES)} | self.ship
        for square, proof in things.items():
            for near in self.grid.neighbours[square]:
                text = SAY.phrase("why.beside_something", square=self.grid.names[square])
                self._add(self.no_submarine, near, "T2b", text, [proof], [square])

    def _lines(self) -> None:
        """No ship fits through the square (T1b to T1f), or no ship can lie beside it for a missile to need (T2d)."""
        for square in self.seen.squares(UNSEEN):
            through = np.flatnonzero(self.table.cover[:, square]).tolist()
            if square not in self.no_ship and all(self._is_out(p) for p in through):
                proofs = _unique(self.out[p] for p in through)
                text = SAY.phrase("why.no_line", square=self.grid.names[square])
                self._add(self.no_ship, square, "T1b", text, proofs, [square])
            near = self.grid.neighbours[square]
            if square not in self.no_missile and all(s in self.no_ship for s in near):
                text = SAY.phrase("why.no_launcher", square=self.grid.names[square])
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
                text = SAY.phrase("why.covered", hit=name, square=self.grid.names[square])
                self._add(self.ship, square, "T1b", text, proofs, [hit])
            beside = self.table.reach[left].all(axis=0) & ~self.table.cover[left].any(axis=0)
            for square in np.flatnonzero(beside).tolist():
                text = SAY.phrase("why.touched", hit=name, square=self.grid.names[square])
                self._add(self.no_ship, square, "T1c", text, proofs, [hit])

    def _beside_missiles(self) -> None:
        """A missile with but one square left for its ship (T2d)."""
        for square in self.seen.squares(MISSILES):
            near = self.grid.neighbours[square]
            left = [s for s in near if s not in self.no_ship]
            if len(left) == 1:
                text = SAY.phrase("why.one_left", square=self.grid.names[square])
                proofs = _unique((self.no_ship[square], *(self.no_ship[s] for s in near if s in self.no_ship)))
                self._add(self.ship, left[0], "T2d", text, proofs, [square])

    def _complete(self) -> None:
        """A hit with one ship left to explain it; all ships of a class known, so there is no other (T1b)."""
        ships = self.ships
        for hit in self.ship:
            through = np.flatnonzero(self.table.cover[:, hit]).tolist()
            left = [p for p in through if not self._is_out(p)]
            if len(left) == 1 and left[0] not in ships:
                proofs = _unique((self.ship[hit], *(self.out[p] for p in through if p in self.out)))
                text = SAY.phrase("why.is", **self._ship(left[0]))
                ships[left[0]] = self._proof("T1b", text, proofs, self.table.cells[left[0]])
        for number, kind in enumerate(self.waters.classes):
            known = [p for p in ships if self.table.of_class[p] == number]
            if number not in self.full and len(known) == kind.count:
                text = SAY.phrase("why.known", kind=kind.name)
                proof = self._proof("T1b", text, [ships[p] for p in known], [])
                self.full[number] = proof
                for place in self.table.of(number):
                    if place not in known:
                        self.out.setdefault(place, proof)

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
            text = SAY.phrase("why.touching", square=self.grid.names[square])
            self._touch[square] = self._proof("T1c", text, [self.ship[square]], [square])
        return self._touch[square]

    def _add(self, known: dict[int, Finding], square: int, rule: str, text: Text, proofs: Sequence[Finding],
             at: Iterable[int]) -> None:
        if square not in known:
            known[square] = self._proof(rule, text, proofs, at)

    def _leaf(self, square: int, mark: str) -> Finding:
        rule, what = _KINDS.get(mark, ("T5a", "missile"))
        name = self.grid.names[square]
        fact = Fact("seen", what, (Mark("cell", (name,), what),))
        return Finding(rule, SAY.phrase("why.seen", square=name), SAY.phrase(f"why.saw.{what}"), (fact,))

    def _proof(self, rule: str, text: Text, proofs: Sequence[Finding], at: Iterable[int]) -> Finding:
        marks = tuple(Mark("cell", (self.grid.names[s],)) for s in at)
        return Finding(rule, SAY.phrase("why.why"), text, (Fact("grounds", len(proofs), marks),), tuple(proofs))

    def _say(self, rule: str, square: int, what: str, proofs: Sequence[Finding]) -> Finding:
        name = self.grid.names[square]
        facts = (Fact("square", name, (Mark("cell", (name,), what),)), Fact("certain", what))
        question, verdict = SAY.phrase("why.what", square=name), SAY.phrase(f"why.must.{what}", square=name)
        return Finding(rule, question, verdict, facts, tuple(proofs))

    def _ship(self, place: int) -> dict[str, str]:
        """A ship at a placement, as facts of a sentence."""
        cells, kind = self.table.cells[place], self.waters.classes[self.table.of_class[place]]
        return {"ship": f"{self.grid.names[cells[0]]}-{self.grid.names[cells[-1]]}", "kind": kind.name}

    def walk(self) -> Walk:
        """A walk through all maps that knows what is known here."""
        walk = Walk(self.seen)
        for square in self.ship:
            walk.ship(square)
        for square in self.no_ship:
            walk.no_ship(square)
        return walk

    def prove(self, sure: dict[int, str]) -> Steps[None]:
        """Prove what is sure and not known yet: the shortest proofs first, and then again what follows by the rules."""
        while wanted := list(self._open(sure)):
            found, walk = [], self.walk()
            for suppose, known in wanted:
                result = yield from walk.go(suppose)
                if isinstance(result, Case):
                    found.append((result.size, suppose, known, result))
            if not found:
                return
            enough = max(_SHORT, min(size for size, *_ in found))
            for size, suppose, known, case in found:
                if size <= enough and suppose.square not in known:
                    known[suppose.square] = self._contrary(suppose, case)
            yield None
            self.grow()

    def _open(self, sure: dict[int, str]) -> Iterable[tuple[Suppose, dict[int, Finding]]]:
        """What is still to be refuted, and where its contrary is then noted."""
        for square, what in sure.items():
            if what == "hit":
                if square not in self.ship:
                    yield Suppose("no_ship", square), self.ship
                continue
            parts = {"ship": self.no_ship, "submarine": self.no_submarine, "missile": self.no_missile}
            for part, known in parts.items() if what == "empty" else [("ship", self.no_ship)]:
                if square not in known:
                    yield Suppose(part, square), known

    def _contrary(self, suppose: Suppose, case: Case) -> Finding:
        """The proof that a supposition fails."""
        name = self.grid.names[suppose.square]
        return self._fails(SAY.phrase(f"why.suppose.{suppose.what}", square=name), case, suppose)

    def _fails(self, begin: Text, case: Case, suppose: Suppose) -> Finding:
        """Why a case fails: step after step while each leaves but one way, then each of several."""
        text, proofs, rule = begin, list[Finding](), _RULES[case.need]
        while True:
            ways = len(case.ways)
            if ways == 1 and case.ways[0][0] in self.ships:  # so it is, whatever is supposed
                proofs.append(self.ships[case.ways[0][0]])
                case = case.ways[0][1]
                continue
            proofs += self._blocked(case, suppose)
            amount = "none" if not ways else "one" if ways == 1 else "many"
            names = [self._ship(place) for place, _ in case.ways]
            facts = {"square": self.grid.names[case.which], "ships": ", ".join(name["ship"] for name in names)}
            if case.need == "class":
                facts["kind"] = self.waters.classes[case.which].name
            text = SAY.phrase("why.then", before=text, step=SAY.phrase(f"why.{amount}.{case.need}", **facts))
            if ways != 1:
                break
            case = case.ways[0][1]
        for name, (_, way) in zip(names, case.ways, strict=True):
            proofs.append(self._fails(SAY.phrase("why.if", **name), way, suppose))
        seen = [square for square in (*self.ship, *self.no_ship) if self.seen.marks[square] != UNSEEN]
        return self._proof(rule, text, _unique(proofs or self._leaves(seen)), [])

    def _blocked(self, case: Case, suppose: Suppose) -> Iterable[Finding]:
        """Why other ships cannot meet a need, and that there is this need."""
        if case.need in ("submarines", "room"):
            return self._leaves(square for square, mark in enumerate(self.seen.marks) if mark != UNSEEN)
        if case.need == "class":
            places: Iterable[int] = self.table.of(case.which)
            needed = []
        else:
            near = self.grid.neighbours[case.which] if case.need == "missile" else (case.which,)
            places = np.flatnonzero(self.table.cover[:, list(near)].any(axis=1)).tolist()
            known = self.ship if case.need == "ship" else self.no_ship
            needed = [known[case.which]] if case.which != suppose.square and case.which in known else []
        return [*needed, *(self.out[place] for place in places if self._is_out(place))]

    def _leaves(self, squares: Iterable[int]) -> list[Finding]:
        return [(self.ship if square in self.ship else self.no_ship)[square] for square in squares]


def _unique(proofs: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each proof once (the same object), in order."""
    return tuple({id(proof): proof for proof in proofs}.values())
