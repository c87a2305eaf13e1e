"""What On Patrol says of its escorts' decisions: whose move it is, the tables that fire, what a class is asked.

A question is made of the sea alone, never of the decision: its board, its window and its choices are the same whatever
she is about to do. What is told afterwards is made of the decision.
"""

from __future__ import annotations
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from navalkit.core.awaited import Steps
from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.core.game import CHANCE
from navalkit.core.match import Match
from navalkit.core.trace import Finding, Mark
from navalkit.core.words import Event, Text
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from navalkit.view.files import printed
from navalkit.view.film import Film
from navalkit.view.page import Choice, Note, Question, Result
from navalkit.view.painters import svg
from navalkit.view.scene import Cell, Point, Scene
from navalkit.walks.told import Camera, Change, Ending, Line, Moment, Shown, Sight, Table, Term, Told
from navalkit.walks.walk import Walk
from .board import camera as sea
from .board.overlay import LAYERS, overlay
from .board.scene import SIGNS, key_of, report, scene as draw_sea, sheets
from .board.shapes import SIZES, View, fit
from .data import words
from .escort import positions, whatif
from .escort.automaton import EscortDecision
from .escort.pattern import next_to_move
from .escort.positions import explain
from .escort.whatif import Piece
from .rules.game import OnPatrol
from .sea.scenario import names, scenario as scenario_of
from .sea.state import ESCORTS, Phase, Role, State
from .sea.tables import EMERGENCY, FLEET_DIE, TABLES, WHY, fleeing

SAY, _CLOSED = words("walk.toml"), words("escort.toml")
WHERE, WHICH, HIT = "where", "which", "hit"
WAYS = ("avoid", "plan", "station", "circle", "radial", "vector", "turn", "through", "still")
"""What may decide her way: the same nine are offered whatever she does."""
TERMS = ("mode", "radial", "vector", "assault-zone", "inverted-marker", "station")
"""The terms: the sentences have of each its name, its forms, its entry, and what its picture shows."""
PICTURE = (360.0, 230.0)
_WAY = {
    "through": "through", "inward": "radial", "on_course": "radial", "shortest": "radial", "vector": "vector",
    "onto_vector": "vector", "plan": "plan", "along_circle": "circle", "to_circle": "circle", "to_station": "station",
    "past_station": "station", "parallel": "avoid",
}  # fmt: skip
_TOPICS = {
    "target hex": "target", "radials": "radial", "vector": "vector", "circle": "ring", "sonar reach": "mode",
    "forbidden hexes": "avoid", "rejected path": "avoid", "assault zone": "attack",
}  # fmt: skip
_FRONT = {
    Phase.CONVOY: 1, Phase.CAPITAL: 1, Phase.ATTACKS: 3, Phase.SEARCH: 2, Phase.GUNFIRE: 2, Phase.BOATS: 2,
    Phase.STAR_SHELLS: 2,
}  # fmt: skip
"""The table that says most in a phase; the Escort Action Table in the others."""
_ATTACKED, _HURT = ("depth.", "damage", "harmless"), ("damage", "sunk_boat")
_SEEN = {"surfaced": "visible"}
"""Kinds of event that fire another row of the Submarine Detection Table than their own name's."""
_LETTERS = "ABCDEF"


class PatrolWalk(Walk[OnPatrol, State, EscortDecision]):
    """A hunt is walked by its escorts, who decide by rule."""

    words = SAY
    keys = SIGNS
    asks = (WHERE, WHICH)
    bets = (HIT,)
    layers = tuple(LAYERS)
    hidden = frozenset({"sonar reach"})
    handouts = ("report", "sheets")
    players = ("skipper",)
    first = "scenario=night-convoy&seed=2"
    drags = True
    counts = False

    # Moments ----------------------------------------------------------------------------------------------------------

    def row(self, match: Match) -> tuple[Moment[State], ...]:
        """From the first moment on at which ships are at sea: twelve have their formation to roll."""
        return tuple(moment for moment in super().row(match) if moment.state.vessels)

    def moment(self, game: Any, ply: int, state: State, by: int, action: Any, events: tuple[Event, ...],
               seats: Any = ()) -> Moment[State]:
        seat, found = game.turn(state), {key_of(event) for event in events}
        who = mover(state) if seat == ESCORTS else ""
        keys = tuple(key for key in SIGNS if key in found)
        return Moment(ply, state, by, action, events, who, seat, state.turn, state.phase, keys)

    def key(self, event: Event) -> str:
        return key_of(event)

    def place(self, row: Sequence[Moment[State]], at: int) -> str:
        moment = row[at]
        return SAY("place", turn=moment.turn, phase=SAY(f"phase.{moment.state.phase.name.lower()}"))

    def share(self, game: Any, state: State) -> float:
        return float(state.turn / (game.scenario.turns + 1))

    # Decisions --------------------------------------------------------------------------------------------------------

    def deciders(self, game: Any, state: State) -> tuple[str, ...]:
        return tuple(vessel.id for vessel in state.escorts)

    def deciding(self, game: Any, moment: Moment[State], who: str, state: State | None = None,
                 captain: str = "") -> Steps[Told[State, EscortDecision]]:
        yield from ()
        sea_now = moment.state if state is None else state
        return Told(self, game, moment, who, sea_now, explain(sea_now, who, game.sea), "")

    def lines(self, told: Told[State, EscortDecision]) -> Iterator[Line]:
        decision = told.decision
        yield from map(self.finding, decision.findings)
        yield from _rejected(decision)
        path = tuple(leg.place.bow.label for leg in decision.path)
        yield Line("move", "", SAY("line.move"), str(decision.reason), path, "move")

    def finding(self, finding: Finding) -> Line:
        own = tuple(mark for fact in finding.facts for mark in fact.marks) or tuple(finding.marks())
        topic = next((str(fact.value) for fact in finding.facts if fact.name == "board"), "").partition(".")[0]
        return replace(super().finding(finding), cells=_cells(own), topic=topic)

    def fields(self, told: Told[State, EscortDecision]) -> Mapping[str, str]:
        return {WHY(f"whatif.field.{key}"): write(told.decision) for key, write in whatif.FIELDS.items()}

    def titled(self, sight: Sight[State]) -> tuple[str, str]:
        return sight.who, self.name(TABLES.vessels[sight.state.vessel(sight.who).type].name)

    # What a class is asked --------------------------------------------------------------------------------------------

    def ask(self, kind: str, game: Any, moment: Moment[State], who: str) -> Question:
        if not who or kind not in self.asks:
            raise OptionError(SAY("ask.nobody"))
        state, board = moment.state, sea.phone(moment.state, who, game.sea.night)
        if kind == WHICH:
            return Question(kind, SAY("ask.which", who=who), tuple(Choice(w, SAY(f"way.{w}")) for w in WAYS), board)
        view = sea.window(state, who)
        choices = tuple(Choice(h.label, h.label, view.layout.center(h)) for h in sea.reachable(state, who))
        x, y = view.layout.center(Hex(0, 0))
        shape = tuple((a - x, b - y) for a, b in view.outline(Hex(0, 0)))
        return Question(kind, SAY("ask.where", who=who), choices, board, shape)

    def opening(self, row: Sequence[Moment[State]]) -> int:
        """The start: there the convoy and the boat are seen before they meet."""
        return 0

    def answers(self, game: Any, moment: Moment[State]) -> dict[str, Any]:
        return {h.label: None for h in sea.reachable(moment.state, moment.who)} if moment.who else {}

    def chosen(self, sight: Sight[State], cell: str, action: Any) -> str:
        return Hex.parse(cell).label

    def letters(self, told: Told[State, EscortDecision]) -> Mapping[str, str]:
        """Up to six hexes: where her bow will be, and where it might well be."""
        decision, ship = told.decision, told.state.vessel(told.who)
        bow, course, speed = ship.place.bow, ship.place.direction, max(decision.speed, 2)
        turned = (bow.step((course - 1 + turn) % 6 + 1, speed) for turn in (0, 1, 5))
        ways = (end(told), *turned, decision.target or bow, bow.step(course, speed - 1), bow)
        found = sorted(list(dict.fromkeys(ways))[: len(_LETTERS)])
        return {letter: h.label for letter, h in zip(_LETTERS, found, strict=False)}

    def off(self, answer: str, right: str) -> int | None:
        return None if answer in WAYS else Hex.parse(answer).distance(Hex.parse(right))

    def result(self, told: Told[State, EscortDecision], kind: str, votes: Mapping[str, int]) -> Steps[Result]:
        """Where she went and why, with all answers on the board, and what each wrong one would have needed."""
        yield from ()
        state, decision, (rule, way) = told.state, told.decision, decided(told.decision)
        view, said = sea.window(state, told.who), SAY(f"way.{way}")
        counted = votes if kind == WHERE else {}
        board = sea.phone(state, told.who, told.game.sea.night, (sea.answered(view, state, decision, counted),))
        if kind == WHICH:
            notes = {each: Note("", SAY(f"need.{each}")) for each in votes if each != way}
            return Result((way,), SAY("told.which", way=said, reason=str(decision.reason)), rule, notes, board)
        right = end(told).label
        text = SAY("told.where", who=told.who, hex=right, way=said, reason=str(decision.reason))
        notes = {label: need(told, Hex.parse(label)) for label in votes if label != right}
        return Result((right,), text, rule, notes, board)

    def bet(self, kind: str, row: Sequence[Moment[State]], at: int) -> tuple[Question, Result]:
        """Whether an attack on a boat that comes later this turn hits."""
        found = attack_comes(row, at)
        if found is None:
            raise OptionError(SAY("ask.hit.none"))
        choices = tuple(Choice(each, SAY(f"hit.{each}")) for each in ("hit", "miss"))
        right = "hit" if found else "miss"
        return Question(HIT, SAY("ask.hit"), choices), Result((right,), SAY(f"told.{right}"), "105.4.12")

    # What if ----------------------------------------------------------------------------------------------------------

    def changes(self, game: Any, moment: Moment[State], who: str) -> Sequence[Change]:
        modes = (
            Change(
                f"mode {mode}", str(mode), SAY(f"mode.{bool(kind)}", mode=mode, kind=kind.value if kind else ""), "mode"
            )
            for mode, kind in whatif.KINDS.items()
        )
        turns = (Change(side, SAY(side), SAY(f"{side}.help"), "turn") for side in ("port", "starboard"))
        return (*modes, *turns)

    def suppose(self, game: Any, state: State, moment: Moment[State], who: str, change: str, piece: Any) -> State:
        if change in ("port", "starboard"):
            piece = piece or Piece("escort", who)
            turned: State = piece.put(state, piece.place(state).turned(1 if change == "starboard" else -1))
            return turned
        if not change.startswith("mode ") or not change[5:].isdecimal():
            return super().suppose(game, state, moment, who, change, piece)
        boat = state.vessel(who).hunt.boat or next((b.id for b in state.boats), "S1")
        real = next((b.place for b in state.boats if b.id == boat), None)
        return whatif.with_mode(state, boat, int(change[5:]), real or state.vessel(who).place.ahead(8))

    def current(self, told: Told[State, EscortDecision]) -> str:
        return f"mode {told.decision.mode}"

    def piece_at(self, state: State, cell: str) -> Piece:
        return whatif.piece_at(state, Hex.parse(cell))

    def covers(self, state: State, piece: Piece, cell: str) -> bool:
        return Hex.parse(cell) in piece.place(state).hexes

    def put(self, state: State, piece: Piece, cell: str) -> State:
        return piece.put(state, Place(Hex.parse(cell), piece.place(state).direction))

    def lifted(self, piece: Piece) -> tuple[str, str]:
        return SAY("what-if.lifted", piece=piece), piece.id if piece.kind == "escort" else ""

    def pressed(self, sight: Sight[State], cell: str, action: Any) -> tuple[str | None, str]:
        """A press on an escort shows what she would do."""
        h = Hex.parse(cell)
        ship = next((v for v in sight.state.vessels if h in v.place.hexes), None)
        if ship is not None and (ship.role is not Role.ESCORT or ship.sunk):
            return None, SAY("merchant", ship=ship.id, type=TABLES.vessels[ship.type].name)
        return ship.id if ship else "", ""

    # What is drawn ----------------------------------------------------------------------------------------------------

    def camera(self) -> Camera:
        return sea.SeaCamera()

    def awaits(self, sight: Sight[State], camera: Camera) -> tuple[()]:
        return ()

    def scene(self, sight: Sight[State], camera: Camera) -> Scene:
        assert isinstance(camera, sea.SeaCamera)
        places = {answer: n for answer, n in sight.votes.items() if answer not in WAYS}
        return sea.board(replace(sight, votes=places), camera.view(sight), camera.edge)

    def places(self, sight: Sight[State], camera: Camera, scene: Scene) -> Mapping[str, Cell]:
        assert isinstance(camera, sea.SeaCamera)
        view, found = camera.view(sight), sea.reachable(sight.state, sight.who) if sight.who else ()
        return {h.label: Cell(h.label, view.outline(h), h.label) for h in found if view.holds(h)}

    def way(self, told: Told[State, EscortDecision], sight: Sight[State], camera: Camera) -> Sequence[Point]:
        assert isinstance(camera, sea.SeaCamera)
        way = [told.state.vessel(told.who).place.bow, *(leg.place.bow for leg in told.decision.path)]
        return tuple(map(camera.view(sight).layout.center, way)) if len(way) > 1 else ()

    def film(self, before: Shown | None, now: Shown, camera: Camera) -> Film | None:
        assert isinstance(now.frame, View)
        return sea.moved(before, now, now.frame)

    def topics(self, layer: str) -> str:
        return _TOPICS.get(layer, "")

    def tables(self, sight: Sight[State]) -> Sequence[Table]:
        now = fired(sight.row, sight.at, sight.told.decision if sight.told else None)
        return _action(now), _fleet(now), _detection(now), _depth(now)

    def front(self, moment: Moment[State]) -> int:
        return _FRONT.get(moment.state.phase, 0)

    def terms(self, text: str) -> Sequence[tuple[str, str]]:
        found = [term for term in TERMS if re.search(SAY(f"term.{term}.forms"), text, re.IGNORECASE)]
        return [(term, SAY(f"term.{term}.name")) for term in found]

    def term(self, key: str, theme: str) -> Term | None:
        return Term(SAY(f"term.{key}.text"), _picture(key, theme)) if key in TERMS else None

    def ending(self, game: Any, row: Sequence[Moment[State]]) -> Ending | None:
        outcome = game.outcome(row[-1].state)
        if outcome is None:
            return None
        at, facts = sea.decisive(row), outcome.facts
        happened = " ".join(event.text for event in row[at].events if key_of(event))
        counted = SAY("ending.counted", turns=row[-1].turn, ships=facts["ships_sunk"], boats=facts["boats_lost"])
        decided = SAY("ending.decided", turn=row[at].turn, happened=happened)
        return Ending(SAY("ending.head", points=facts["points"]), (outcome.text, counted, decided), at)

    # What there is to show --------------------------------------------------------------------------------------------

    def starts(self, name: str) -> Sequence[tuple[str, Mapping[str, Any]]]:
        return tuple((self.name(scenario_of(each).title), {"scenario": each}) for each in names())

    def about(self, game: Any) -> tuple[str, str]:
        return self.name(game.scenario.title), self.name(game.scenario.about)

    def own(self, data: bytes) -> Mapping[str, Any] | None:
        """A scenario of one's own has boats; a saved game has them within a line: its own scenario."""
        found = re.search(rb"^\s*\[\[boat\]\]", data, re.MULTILINE)
        return {"scenario": data.decode("utf-8", "replace")} if found else None

    def positions(self) -> Mapping[str, str]:
        return {each.id: each.title for each in positions.positions().values()}

    def position(self, name: str) -> tuple[OnPatrol, tuple[Moment[State], ...], str, Text]:
        made = positions.find(name)
        game = OnPatrol(package=made.state.package)
        about = SAY.phrase("show.rule", about=made.about, rule=made.rule)
        return game, self.unfolded(game, made.state), made.title, about

    def unfolded(self, game: OnPatrol, state: State) -> tuple[Moment[State], ...]:
        """A position and what the escorts do in it by rule, until somebody else's turn comes."""
        row = [self.moment(game, 0, state, CHANCE, None, ())]
        while game.turn(state) == ESCORTS:
            action = game.legal(state)[0]
            step = game.apply(state, action)
            state = step.state
            row.append(self.moment(game, len(row), state, ESCORTS, action, step.events))
        return tuple(row)

    def handout(self, key: str, game: Any, row: Sequence[Moment[State]], title: str, about: str) -> tuple[str, Any]:
        if key == "sheets":
            return "sheets.html", printed(sheets())
        return "report.html", report(row, game, title, about, paint=lambda drawn: svg(drawn, "light"))


WALK = PatrolWalk()


def mover(state: State) -> str:
    """The escort that moves next when escorts are on turn: in phase 3, or to her run in the prolonged attack."""
    return state.moved[0] if state.phase is Phase.END else next_to_move(state) or ""


# The lines ------------------------------------------------------------------------------------------------------------

def _cells(marks: Iterable[Mark]) -> tuple[str, ...]:
    return tuple(label for mark in marks if mark.kind == "cell" for label in mark.at)


def _rejected(decision: EscortDecision) -> Iterator[Line]:
    """What was weighed and not taken; options that differ in nothing but their name share a line."""
    radials = {f"radial {radial.direction}": radial for radial, _ in decision.distances}
    for _, group in groupby(decision.rejected, key=lambda o: (o.rejected, o.rule, o.facts)):
        options = list(group)
        evidence = _cells(mark for option in options for fact in option.facts for mark in fact.marks)
        rows = [radials[str(option.action)] for option in options if str(option.action) in radials]
        cells = evidence or tuple(h.label for radial in rows for h in radial.hexes(8))
        why = str(options[0].rejected)
        ask = SAY("line.rejected", names=", ".join(str(option.action) for option in options))
        said = SAY("line.because", why=why[:1].upper() + why[1:])
        yield Line("rejected", options[0].rule, ask, said, cells, "rejected")


# Answers --------------------------------------------------------------------------------------------------------------

def end(told: Told[State, EscortDecision]) -> Hex:
    """Where her bow ends."""
    path = told.decision.path
    return path[-1].place.bow if path else told.state.vessel(told.who).place.bow


def decided(decision: EscortDecision) -> tuple[str, str]:
    """The rule that decided her way, and which of `WAYS` that is."""
    if decision.path != decision.intended:
        closing = {ban.rule for _, ban in decision.forbidden}
        return next((option.rule for option in decision.rejected if option.rule in closing), "105.4.8"), "avoid"
    if not decision.path:
        return "105.3.5", "still"
    leg = decision.path[0]
    return leg.rule, _WAY.get(leg.why, "turn")


def need(told: Told[State, EscortDecision], h: Hex) -> Note:
    """What her going to ``h`` would have needed: the first rule that would have led her there."""
    decision, closed = told.decision, dict(told.decision.forbidden)
    if h in closed:
        ban = closed[h]
        return Note(ban.rule, SAY("lacks.closed", why=_CLOSED(f"closed.{ban.rule}", hex=h, whose=ban.whose)))
    if decision.intended and h == decision.intended[-1].place.bow:
        return Note(decided(decision)[0], SAY("lacks.free"))
    if h in {leg.place.bow for leg in decision.path}:
        return Note("105.3.5", SAY("lacks.slower", n=len(decision.path)))
    for mode, goes in _other_modes(told):
        if h == end(goes):
            return Note("104.2.1", SAY("lacks.mode", mode=mode, reason=str(goes.decision.reason)))
    bow = told.state.vessel(told.who).place.bow
    if h.distance(bow) > len(decision.path):
        return Note("105.3.5", SAY("lacks.faster", n=len(decision.path)))
    chosen = decision.radial
    nearing = [(n, radial) for radial, n in decision.distances if radial != chosen and radial.distance(h) < n]
    if chosen is not None and nearing:
        n, other = min(nearing, key=lambda each: each[0])
        return Note("105.3.2a", SAY("lacks.radial", other=other.direction, n=n, mine=chosen.distance(bow)))
    return Note("", SAY("lacks.none"))


def _other_modes(told: Told[State, EscortDecision]) -> Iterator[tuple[int, Told[State, EscortDecision]]]:
    """What she would do in each of the other modes."""
    state, who = told.state, told.who
    boat = state.vessel(who).hunt.boat or next((b.id for b in state.boats), "S1")
    for mode in whatif.KINDS:
        if mode != told.decision.mode:
            try:
                supposed = whatif.with_mode(state, boat, mode, state.vessel(who).place.ahead(8))
            except IllegalActionError:
                continue
            yield mode, replace(told, state=supposed, decision=explain(supposed, who, told.game.sea))


def attack_comes(row: Sequence[Moment[State]], at: int) -> bool | None:
    """Whether an attack on a boat that comes later this turn hits; None if none comes."""
    kinds = [e.kind for m in row[at + 1 :] if m.turn == row[at].turn for e in m.events]
    if not any(kind.startswith(_ATTACKED) for kind in kinds):
        return None
    return any(kind in _HURT for kind in kinds)


# The tables -----------------------------------------------------------------------------------------------------------

class Fired(NamedTuple):
    """What fired at a moment: ids of rows, and for the fleet the row and the die."""

    action: frozenset[str] = frozenset()
    fleet: tuple[str, int] = ("", 0)
    detection: frozenset[str] = frozenset()
    depth: frozenset[str] = frozenset()


def fired(row: Sequence[Moment[State]], at: int, decision: EscortDecision | None) -> Fired:
    """What has fired at a moment. ``at``: index of the moment. ``decision``: the decision shown, if there is one: its
    mode is the row of the Escort Action Table."""
    state = row[at].state
    action = set()
    if decision is not None:
        kind = decision.marker.kind if decision.marker else None
        action = {"end"} if decision.mode > max(r.mode for r in TABLES.actions.values()) else {TABLES.actions[kind].id}
        action |= {r.id for r in TABLES.action_rows if r.boats == len(state.markers) > 1}
    events = list(_this_phase(row, at))
    known = {r.id for r in TABLES.detection}
    detection = {_SEEN.get(e.kind, e.kind) for e in events if e.rule == "104.1.3"} & known
    if state.phase is Phase.END:
        detection |= {"end"}
    depth = {r.id for r in TABLES.depth for e in events if e.kind == _depth_event(r.error)}
    fleet = (EMERGENCY if fleeing(state) else state.fleet.row, state.fleet.die)
    return Fired(frozenset(action), fleet, frozenset(detection), frozenset(depth))


def _this_phase(row: Sequence[Moment[State]], at: int) -> Iterator[Event]:
    """The events of the moment's phase up to it, and of the step that led into the phase."""
    for i in range(at, -1, -1):
        yield from row[i].events
        if (row[i].turn, row[i].phase) != (row[at].turn, row[at].phase):
            return


def _depth_event(error: int | None) -> str:
    return "depth.miss" if error is None else f"depth.{error}"


def _table(
    name: str, rows: Sequence[tuple[str, ...]], hit: Iterable[int], sources: Iterable[str], more: Sequence[str] = (),
    cell: tuple[int, int] | None = None, note: str = "",
) -> Table:  # fmt: skip
    """A table, ``more`` being further heads."""
    head = (*SAY(f"table.{name}.head").split("|")[1:], *more)
    origin = ", ".join(dict.fromkeys(SAY(f"origin.{source.partition(':')[0]}") for source in sources))
    return Table(SAY(f"tab.{name}"), SAY(f"table.{name}"), origin, head, tuple(rows), frozenset(hit), cell, note)


def _hit(rows: Sequence[Any], ids: frozenset[str]) -> Iterator[int]:
    return (n for n, row in enumerate(rows) if row.id in ids)


def _action(now: Fired) -> Table:
    rows = TABLES.action_rows
    cells = [(SAY.named(r.label), str(r.mode or SAY.named(r.id)), SAY.named(r.text)) for r in rows]
    return _table("action", cells, _hit(rows, now.action), (r.source for r in rows))


def _fleet(now: Fired) -> Table:
    name, die = now.fleet
    rows = list(TABLES.fleet_rows.values())
    cells = [(SAY.named(r.label) + " *" * r.starred, *(move.text for move in r.moves)) for r in rows]
    at = next((n for n, r in enumerate(rows) if r.id == name), None)
    cell = (at, 1 + FLEET_DIE.index(die)) if at is not None and die in FLEET_DIE else None
    key = SAY.phrase("table.fleet.key")
    note = SAY("table.fleet.die" if die else "table.fleet.undiced", die=die, key=key)
    sources, heads = (r.source for r in rows), list(map(str, FLEET_DIE))
    return _table("fleet", cells, [] if at is None else [at], sources, heads, cell, note)


def _detection(now: Fired) -> Table:
    rows = TABLES.detection
    cells = [(str(r.phase or SAY("table.detection.any")), SAY.named(r.event), SAY.named(r.effect)) for r in rows]
    return _table("detection", cells, _hit(rows, now.detection), (r.source for r in rows))


def _depth(now: Fired) -> Table:
    rows = TABLES.depth
    cells = [
        (SAY("table.depth.range", low=r.low, high=r.high), SAY("table.depth.chance", n=len(r.rolls)), SAY.named(r.text))
        for r in rows
    ]
    return _table("depth", cells, _hit(rows, now.depth), (r.source for r in rows))


# Terms ----------------------------------------------------------------------------------------------------------------

@lru_cache(maxsize=18)
def _picture(term: str, theme: str) -> str:
    made = positions.find(SAY(f"term.{term}.position"))
    decision, state = made.decision, made.state
    near = [h for leg in decision.path for h in leg.place.hexes] + list(state.vessel(made.escort).place.hexes)
    near += [h for _, h in decision.zone] + ([decision.target] if decision.target else [])
    near += [h for marker in state.markers for h in marker.place.hexes]
    view = fit(near, PICTURE)
    view = View(view.centre, min(view.zoom, len(SIZES) - 3), PICTURE)
    drawn = overlay(view, decision, state, SAY(f"term.{term}.layers").split(", "))
    return svg(draw_sea(state, view, over=(drawn,)), theme)
