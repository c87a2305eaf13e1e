"""The page of Task Force: what can be done, what is left to find, what is certain and why, the report."""

from __future__ import annotations
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import Any

import numpy as np

from navalkit.core.awaited import Awaited, Steps, part
from navalkit.core.errors import NotationError
from navalkit.core.match import Match
from navalkit.core.trace import Finding
from navalkit.core.words import Event, local
from navalkit.view.film import Beat, Effect, Mark, Pose, Travel
from navalkit.view.page import Aims, Camp, Glance, Look, Moment, Order, Page, Table, gravest, override
from navalkit.view.scene import Point, Scene
from . import card, odds, scene
from .belief import searching
from .bots import Planner
from .game import TaskForce
from .pieces import spoken
from .scene import heat_of
from .state import (
    CARRIER,
    EMPTY,
    FIRST_DESTROYER,
    HIT,
    OWN,
    SAY,
    UNSEEN,
    Action,
    Fly,
    HideFleet,
    Observation,
    Phase,
    Scratch,
    Strike,
)

# -- How a turn of Task Force is played: scratches, missiles, torpedoes, reconnaissance flights and strikes

_LOOK, _FLY, _RUN, _SWEEP = 200, 250, 500, 60
"""Milliseconds for a square to show, a leg of a flight, a missile or torpedo, and between the squares of a strike."""
_HELICOPTERS = {("helicopter", number) for number in (1, 2, 3)}


def effects(moments: Sequence[Moment[Observation]], before: Scene, last: Scene) -> Sequence[Effect]:
    """What happened, from what was told of it."""
    film = _Film(before, last)
    played = [effect for moment in moments for event in moment.events for effect in film.of(event)]
    return (*played, *film.landing(), Beat("", film.now))


class _Film:
    def __init__(self, before: Scene, last: Scene) -> None:
        self.old, self.new, self.now = before.pieces(), last.pieces(), 0.0
        self.cells = {cell.id: cell.centre for cell in (*last.cells, *before.cells)}
        self.flying, self.way = "", list[Pose]()
        self.step = _LOOK
        for id, piece in self.old.items():
            if piece.what in _HELICOPTERS and id in self.new and piece.pose != self.new[id].pose:
                self._start(piece.what)

    def of(self, event: Event) -> Iterator[Effect]:
        """What is played for one event; the next follows it."""
        facts = event.facts
        square = str(facts.get("square", ""))
        match event.kind:
            case "fly":
                yield Beat(SAY("film.fly", number=facts["number"]), self.now)
                self._start(("helicopter", facts["number"]))
            case "strike":
                yield Beat(SAY("film.strike", square=square), self.now)
                yield from self._strike(square)
            case "hit" | "empty" | "ignored":
                if self.step == _LOOK:
                    yield Beat(SAY("film.scratch", square=square), self.now)
                yield from self._show(square)
                x, y = self._at(square)
                if event.kind != "ignored":
                    yield Mark("hit" if event.kind == "hit" else "splash", x, y, r=18, at=self.now, ms=450)
                elif not self.flying or self.step != _SWEEP:
                    yield Mark("ping", x, y, r=22, at=self.now, ms=400)
                self.now += self.step
            case "submarine":
                yield from self._show(square)
                yield from self._hurt(square, str(facts["target"]), "track")
            case "missile_void" | "missile_lost":
                yield from self._show(square)
                yield from self._hurt(square, str(facts["target"]), "shell", event.kind == "missile_lost")
            case "missile_shot":
                yield from self._show(square)
                yield from self._shot_down(square, str(facts["target"]))

    def landing(self) -> Iterator[Effect]:
        """The flight as one way over all its squares."""
        if self.flying and len(self.way) > 1:
            yield Travel(self.flying, tuple(self.way), ms=max(self.now, _FLY))

    def _start(self, helicopter: Hashable) -> None:
        self.step = _FLY
        if piece := next((each for each in self.old.values() if each.what == helicopter), None):
            self.flying, self.way = piece.id, [piece.pose]
            self.now += _FLY

    def _show(self, square: str) -> Iterator[Effect]:
        if square in self.new and square not in self.old:
            yield Travel(square, at=self.now, ms=_LOOK)
        if self.flying:
            x, y = self._at(square)
            self.way.append((x, y, 0.0))

    def _strike(self, centre: str) -> Iterator[Effect]:
        self.step = _SWEEP
        for id, piece in self.old.items():
            if piece.what == "fighter" and id not in self.new:
                yield Travel(id, (piece.pose, (*self._at(centre), 0.0)), at=self.now, ms=_RUN)
        self.now += _RUN
        yield Mark("light", *self._at(centre), r=60, at=self.now, ms=700)

    def _hurt(self, square: str, target: str, kind: str, lost: bool = True) -> Iterator[Effect]:
        """A missile or a torpedo comes from a square for one of our ships."""
        ship = self._at(target)
        yield Beat(SAY("film.torpedo" if kind == "track" else "film.missile", square=square), self.now)
        yield Mark("track" if kind == "track" else "shell", *self._at(square), to=ship, tone="bad", at=self.now,
                   ms=_RUN)
        self.now += _RUN
        yield Mark("hit" if lost else "splash", *ship, r=34, at=self.now)
        if lost:
            yield Mark("sink", *ship, r=44, at=self.now + 150, ms=800)
            yield Travel(target, at=self.now, ms=_LOOK, changes=self.now)
            yield Mark("note", *ship, text=SAY("film.lost", ship=target), tone="bad", at=self.now, ms=1000)
        self.now += 300

    def _shot_down(self, square: str, target: str) -> Iterator[Effect]:
        start, end, cruiser = self._at(square), self._at(target), self._at("CRU")
        yield Beat(SAY("film.missile", square=square), self.now)
        met = (start[0] + 0.6 * (end[0] - start[0]), start[1] + 0.6 * (end[1] - start[1]))
        yield Mark("shell", *start, to=met, tone="bad", at=self.now, ms=_RUN)
        yield Mark("shell", *cruiser, to=met, at=self.now + 0.3 * _RUN, ms=0.7 * _RUN)
        self.now += _RUN
        yield Mark("flash", *met, r=26, at=self.now, ms=400)
        yield Mark("note", *met, text=SAY("film.shot"), tone="ink", at=self.now, ms=900)
        self.now += 200

    def _at(self, id: str) -> Point:
        """Where a square or one of our ships lies."""
        piece = self.new.get(id) or self.old.get(id)
        return (piece.x, piece.y) if piece else self.cells.get(id, (0.0, 0.0))


_GRAVE = ("missile_lost", "submarine", "missile_shot", "missile_void", "ignored")
MAX_BUTTONS = 12
"""More legal actions than these have no buttons: the board takes them by a press, and the order box."""
SAMPLE = 1500  # fleets in each sample of the report
NOISE = 0.03  # a move is not called worse for less than this, in ships: so much may be the samples' doing
KEY_MOMENTS = 5
"""How many of the most telling scratches the report names, and of those that were worse than the best."""
_ANY = re.compile(r"\s*fly\s+(?:helicopter\s+)?(?:from\s+)?([a-z][0-9]{1,2})\s*", re.I)
_Seen = Glance[TaskForce, Observation, Action]


class TaskForcePage(Page[TaskForce, Observation, Action]):
    """The captain's page."""

    example = SAY("example")
    adviser = "planner"
    unit = SAY.phrase("unit")
    pattern = MappingProxyType(
        {"hit": "🟩", "empty": "⬜", "missile_shot": "🟨", "missile_lost": "🟥", "submarine": "⬛"})
    languages = SAY.languages
    drags = True
    prints_card = True
    rows = 1

    @override
    def scene(self, glance: _Seen, look: Look) -> Scene:
        return scene.scene(glance, look)

    @override
    def effects(self, game: TaskForce, moments: Sequence[Moment[Observation]], look: Look, before: Scene,
                last: Scene) -> Sequence[Effect]:
        return effects(moments, before, last)

    @override
    def map(self, glance: _Seen) -> Scene:
        whole = self.scene(glance, Look())
        return whole.bare("panel", "group", "ships", size=scene.MAP)

    @override
    def awaits(self, glance: _Seen, look: Look) -> Sequence[Awaited[Any]]:
        return scene.awaits(glance, look)

    @override
    def now(self, glance: _Seen) -> str:
        seen = glance.seen
        if seen.phase is Phase.TURN and not (seen.strikes or seen.helicopters):
            return SAY("now.bare")
        return SAY.get(f"now.{seen.phase}") or SAY("now.hiding")

    @override
    def headline(self, events: Sequence[Event]) -> str:
        """The gravest find; of several squares scratched at once, what they came to."""
        event = gravest(events, _GRAVE)
        if event is None:
            found = [each.kind for each in events if each.kind in ("hit", "empty")]
            if len(found) > 1:
                return SAY("headline.several", n=len(found), hits=found.count("hit"))
        event = event or (events[-1] if events else None)
        return (SAY.get(f"headline.{event.kind}", **event.facts) or event.text) if event else ""

    @override
    def aims(self, glance: _Seen) -> Aims:
        seen = glance.seen
        all_, afloat = seen.sea.waters.squares, len(seen.afloat)
        found = SAY("strip.of", n=all_ - seen.hits_left, all=all_)
        own = SAY("strip.own", n=afloat, all=len(OWN)), SAY("strip.shields", n=seen.anti_air)
        perils = (SAY("strip.missiles", n=len(seen.targets_left)), SAY("strip.submarines", n=seen.submarines_left))
        return Aims((Camp(SAY("strip.you"), found, (SAY("strip.hit"), *own), "blue"),
                     Camp(SAY("strip.them"), SAY("strip.of", n=len(OWN) - afloat, all=len(OWN)),
                          (SAY("strip.sink"), *perils), "vermilion")),
                    str(seen.marks.count(UNSEEN)), SAY("strip.left"))

    @override
    def opening(self, glance: _Seen) -> str:
        return SAY("opening", squares=glance.seen.sea.waters.squares, ships=len(OWN))

    @override
    def why(self, game: TaskForce, match: Match, me: int) -> str:
        """The last of their ships hit, or of ours lost, and where."""
        kinds = ("hit",) if match.state.result == "win" else ("missile_lost", "submarine")
        told = (event for ply in reversed(match.plies) for event in reversed(ply.events))
        last = next((event for event in told if event.kind in kinds), None)
        if last is None:
            return ""
        key = "ended.win" if match.state.result == "win" else f"ended.{last.kind}"
        return SAY(key, square=last.facts["square"], ship=last.facts.get("target", ""), n=len(match.state.afloat))

    @override
    def guide(self, glance: _Seen) -> str:
        return SAY.get(f"guide.{glance.seen.phase}")

    @override
    def orders(self, glance: _Seen) -> Sequence[Order]:
        return tuple(map(_order, glance.legal)) if len(glance.legal) <= MAX_BUTTONS else ()

    @override
    def spoken(self, glance: _Seen, action: Action) -> str:
        return _order(action).label

    @override
    def lit(self, glance: _Seen, look: Look, scene: Scene, action: Action) -> Sequence[str]:
        """The square, and before a flight is aimed the ship that sends it."""
        found = super().lit(glance, look, scene, action)
        match action:
            case Fly(number=number, square=square) if not found:
                return [OWN[FIRST_DESTROYER + number - 1], square]
            case Strike(square=square) if not found:
                return [OWN[CARRIER], square]
        return found

    @override
    def facts(self, glance: _Seen) -> Awaited[Table | None] | None:
        """What is left to find, and the squares that are certain with the steps that prove it."""
        seen = glance.seen
        if seen.phase is Phase.END:
            return None
        return scene.proofs(seen).map(lambda proofs: _left(seen, proofs))

    # Orders ---------------------------------------------------------------------------------------------------------

    @override
    def read(self, glance: _Seen, text: str) -> Sequence[Action]:
        """A flight typed without its number is that of the rightmost destroyer: a torpedo takes her first."""
        if flight := _ANY.fullmatch(text):
            if not glance.seen.helicopters:
                raise NotationError(SAY("no.helicopter"))
            return (Fly(max(glance.seen.helicopters), flight[1].upper()),)
        return super().read(glance, text)

    @override
    def goes_on(self, before: _Seen, after: _Seen, look: Look) -> bool:
        """A drag scratches one harmless square after the other. It stops at the first missile or submarine, and at the
        end of a flight, so that no press of the button meets more than one danger; and it takes no second step while
        the map shows figures, which each scratch changes."""
        old, now = before.seen, after.seen
        new = [mark for was, mark in zip(old.marks, now.marks, strict=True) if was != mark]
        harmless = len(new) == 1 and new[0] in (EMPTY, HIT)
        landed = bool(old.flying) and not now.flying
        return harmless and not landed and now.phase is not Phase.END and heat_of(look) is None

    @override
    def card(self, game: TaskForce, match: Match) -> tuple[Scene, ...]:
        return card.card(game, match)

    # After the end --------------------------------------------------------------------------------------------------

    @override
    def track(self, game: TaskForce, match: Match) -> Scene:
        seen = [game.observe(match.at(ply), 0).marks for ply in range(match.ply + 1)]
        found: dict[int, None] = {}
        for before, after in pairwise(seen):
            found |= dict.fromkeys(s for s, mark in enumerate(after) if mark != before[s] == UNSEEN)
        return scene.searches(Glance(game, match.observe(0)), tuple(found))

    @override
    def report(self, game: TaskForce, match: Match,
               others: Sequence[tuple[str, Match]]) -> Table | None | Awaited[Table | None]:
        """The outcome; the scratches that taught most, in bits, and those that were furthest from the best one."""
        if match.outcome is None:
            return None
        key = ("task-force.report", game, match.seed, tuple(str(ply.action) for ply in match.plies))
        return Awaited(key, lambda: _reporting(game, match))

    @override
    def compare(self, game: TaskForce, name: str, mine: Match, other: Match) -> Table | None:
        """Two captains on one map."""
        if not (mine.outcome and other.outcome):
            return None
        rows = []
        for key in ("rank", "ships", "hits", "scratched"):
            found = (match.outcome.facts[key] for match in (mine, other) if match.outcome)
            rows.append((SAY(f"compare.{key}"), *(str(fact) or SAY("none") for fact in found)))
        note = SAY("compare.analysis") if mine.analysis else ""
        return Table(SAY("compare.title"), ("", SAY("compare.you"), name), tuple(rows), note)


def _order(action: Action) -> Order:
    match action:
        case Scratch(square=square):
            return Order(action, square, "", SAY("help.scratch", square=square), "flip")
        case Fly(number=number, square=square):
            label = SAY("order.fly", number=number, square=square)
            return Order(action, label, "", SAY("help.fly", number=number, square=square), "fly")
        case Strike(square=square):
            return Order(action, SAY("order.strike", square=square), "", SAY("help.strike", square=square), "fly")
    raise TypeError(f"no order for {action!r}")


def _left(seen: Observation, proofs: Mapping[str, Finding]) -> Table:
    targets = seen.targets_left
    names = [name.replace("-", "\N{NON-BREAKING HYPHEN}") for name in OWN]
    missiles = ", ".join(f"{names[t]}\u00a0×\u00a0{targets.count(t)}" for t in sorted(set(targets))) or SAY("none")
    rows = [
        (SAY("left.hits"), SAY("left.of", n=seen.hits_left, all=seen.sea.waters.squares)),
        (SAY("left.missiles"), missiles),
        (SAY("left.submarines"), str(seen.submarines_left)),
    ]
    told = ((scene.kind(proof), scene.because(proof), square) for square, proof in proofs.items())
    found = sorted((scene.KINDS.index(kind), because, square) for kind, because, square in told)
    for (kind, because), group in groupby(found, key=lambda row: row[:2]):
        squares = ", ".join(square for *_, square in group)
        rows.append((SAY("left.certain", squares=squares, kind=SAY(f"why.kind.{scene.KINDS[kind]}")), because))
    return Table(SAY("left.title"), (SAY("left.what"), SAY("left.why")), tuple(rows), SAY("left.note"))


def _reporting(game: TaskForce, match: Match) -> Steps[Table | None]:
    outcome = match.outcome
    if outcome is None:
        return None
    rows = yield from _moments(game, match)
    rank = outcome.facts["rank"]
    title = SAY("report.title", rank=rank) if rank else SAY("report.lost")
    fleet = next(ply.action for ply in reversed(match.plies) if isinstance(ply.action, HideFleet))
    note = SAY("report.note", outcome=outcome.text, fleet=", ".join(fleet.ships), n=SAMPLE)
    head = tuple(SAY(f"report.{key}") for key in ("step", "scratched", "taught", "best"))
    return Table(title, head, rows, note)


def _scratches(game: TaskForce, match: Match) -> list[tuple[int, Observation, str, str, bool]]:
    """Every square scratched alone: step, what was known before, square, what was there, whether all were free."""
    found = []
    for number, ply in enumerate(match.plies):
        if isinstance(ply.action, Scratch | Fly):
            before, after = (game.observe(match.at(n), 0) for n in (number, number + 1))
            mark = after.marks[before.sea.grid.number(ply.action.square)]
            free = isinstance(ply.action, Scratch) and before.phase is Phase.TURN
            found.append((number + 1, before, ply.action.square, mark, free))
    return found


def _moments(game: TaskForce, match: Match) -> Steps[tuple[tuple[str, ...], ...]]:
    """The rows of the report: the most telling scratches and the worst ones, in the order they were made."""
    planner, scratches = Planner(game), _scratches(game, match)
    weighed = []
    for i, (step, seen, square, mark, free) in enumerate(scratches):
        done, share = i / len(scratches), 1 / len(scratches)
        rng = np.random.default_rng(step)
        found = yield from part(searching(seen, SAMPLE, rng, groups=2), done, done + 0.7 * share)
        values = yield from part(planner.valuing_in(seen, found), done + 0.7 * share, done + share)
        number, all_odds = seen.sea.grid.number(square), odds.posterior_of(seen, found)
        best = max(values, key=lambda square: values[square])
        worse = values[best] - values[number] if free else None  # a flight's course was chosen, not each square of it
        weighed.append((step, square, mark, odds.taught(all_odds, number, mark), seen.sea.grid.names[best], worse))
    telling = sorted(weighed, key=lambda row: -row[3])[:KEY_MOMENTS]
    worst = sorted((row for row in weighed if (row[5] or 0.0) > NOISE), key=lambda row: -(row[5] or 0.0))[:KEY_MOMENTS]
    most = SAY("report.over", bits=f"{np.log2(SAMPLE):.0f}")
    return tuple(
        (
            str(step),
            SAY("square.seen", square=square, what=spoken(mark)),
            SAY("report.bits", bits=local(f"{bits:.1f}")) if np.isfinite(bits) else most,
            _against(best, worse),
        )
        for step, square, mark, bits, best, worse in sorted({*telling, *worst})
    )


def _against(best: str, worse: float | None) -> str:
    """A scratch beside the best one, by how much it is worse; None where it was not compared."""
    if worse is None:
        return SAY("report.flown")
    return SAY("report.worse", best=best, worse=local(f"{worse:.2f}")) if worse > NOISE else SAY("report.good")


PAGE = TaskForcePage()
