"""What a game says of its decisions, with a default for all of it: any game can be walked through as it is.

A match is a row of `Moment`s; at some somebody decides. What was decided there, and why, is a `Told`: the same reasons
that the player gives anybody (`navalkit.core.trace`). Telling it line by line, asking a class for it, supposing that
something were otherwise and comparing need no more than that.

A game whose package offers ``WALK``, an object of a subclass of `Walk`, says more: whose order comes next, what a class
may choose from, what is worth a mark, what can be supposed. A hook that asks gets the position, never the decision:
what is asked cannot tell what was decided, nor what the side that decides does not know.
"""

from __future__ import annotations
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Generic, TypeVar

import numpy as np

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.errors import OptionError
from navalkit.core.game import CHANCE, Game
from navalkit.core.match import Match
from navalkit.core.registry import package_of
from navalkit.core.trace import Finding, Option, thinking
from navalkit.core.words import Event, Text, Words
from navalkit.players import makers
from navalkit.view.film import Film, film
from navalkit.view.lobby import starts
from navalkit.view.page import Choice, Glance, Look, Moment as Seen, Note, Page, Question, Report, Result
from navalkit.view.scene import Cell, Layer, Picks, Point, Scene
from . import boards, captains
from .told import Camera, Change, D, Difference, Ending, Line, Moment, S, Shown, Sight, Table, Term, Told, seated

WORDS = Words.load("navalkit.walks")
DECISION, PHASE, TURN, KEY, ROLL = "decision", "phase", "turn", "key moment", "roll"
"""What one may step by, besides rule by rule within a decision."""
WHAT = "what"
"""The question that can be asked of any decision: what is ordered?"""
REJECTED = 6
"""Rejected orders that have a line each; the others are parts of one."""
LEAP = 40
"""Actions that a step may skip and still show what happened on the way."""

G = TypeVar("G", bound=Game[Any, Any])


class Walk(Generic[G, S, D]):
    """What a game says of its decisions.

    ``words``: sentences in place of the usual ones, by the same keys. ``units``: what one may step by, where it
    applies. ``keys``: what a moment may be of note for, each with its sign, the gravest last; ``marks``: kind of event
    -> which of them it makes of its moment. ``asks``: the questions that can be asked of a decision, the first of which
    is asked in "Predict". ``bets``: those about what chance brings next. ``layers``: parts of the evidence that can be
    switched, those in ``hidden`` off at first. ``handouts``: what is handed over as a file. ``players``: who plays a
    match that is made for stepping; () is the page's own. ``first``: what is shown if nothing is asked for, as in a
    link. ``drags``: whether pieces may be put elsewhere. ``counts``: whether the figures of its page are shown beside
    its decisions. ``listed``: more answers than these are chosen on the board, where they have places; else a list.
    """

    words: Words | None = None
    units: tuple[str, ...] = (DECISION, PHASE, TURN, KEY, ROLL)
    keys: Mapping[str, str] = {}
    marks: Mapping[str, str] = {}
    asks: tuple[str, ...] = (WHAT,)
    bets: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    hidden: frozenset[str] = frozenset()
    handouts: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    first: str = "seed=1"
    drags: bool = False
    counts: bool = True
    listed: int = 12

    def words_of(self, key: str) -> Words:
        """Where a sentence is: the game's own, or the usual one."""
        return self.words if self.words is not None and key in self.words else WORDS

    def say(self, key: str, /, **facts: Any) -> str:
        """A sentence."""
        return self.words_of(key)(key, **facts)

    def name(self, text: str) -> str:
        """What data have in English, such as a title or a layer, for the present reader (`Words.named`)."""
        return self.words.named(text) if self.words is not None else text

    # Moments ----------------------------------------------------------------------------------------------------------

    def row(self, match: Match) -> tuple[Moment[S], ...]:
        """The moments of a match: one before its first action, and one after each."""
        game, seats = match.game, match.players
        row = [self.moment(game, 0, match.at(0), CHANCE, None, (), seats)]
        row += [self.moment(game, n, p.state, p.by, p.action, p.events, seats) for n, p in enumerate(match.plies, 1)]
        return tuple(seated(row))

    def moment(self, game: Any, ply: int, state: S, by: int, action: Any, events: tuple[Event, ...],
               seats: Sequence[str] = ()) -> Moment[S]:
        """A moment; ``seats``: who plays, by player number."""
        seat = game.turn(state)
        who, captain, person = "", "", False
        if seat >= 0 and self.decides(game, state):
            who, (captain, person) = self.named(game, seat), self.captain(game, seat, seats)
        found = {self.key(event) for event in events}
        keys = tuple(key for key in self.keys if key in found)
        turn, phase = self.clock(state)
        return Moment(ply, state, by, action, events, who, seat, turn, phase, keys, captain, person)

    def clock(self, state: S) -> tuple[int, Hashable]:
        """The turn, 0 where there are none, and the phase."""
        return int(getattr(state, "turn", 0)), getattr(state, "phase", None)

    def decides(self, game: Any, state: S) -> bool:
        """Whether whose turn it is has a choice."""
        return len({self.answer(game, action) for action in game.legal(state)}) > 1

    def named(self, game: Any, seat: int) -> str:
        """What the player in a seat is called."""
        page = self.page(game)
        name = (page.players(game) if page else game.players)[seat]
        return name[:1].upper() + name[1:]

    def captain(self, game: Any, seat: int, seats: Sequence[str]) -> tuple[str, bool]:
        """The machine player whose reasons are told, and whether it speaks for a person."""
        name, known, page = (seats[seat] if seat < len(seats) else ""), makers(game), self.page(game)
        adviser = page.adviser if page and page.adviser in known else "random"
        return (name, False) if name in known else (adviser, True)

    def called(self, game: Any, captain: str) -> str:
        """The name of a machine player as readers know it: that of the captain it is."""
        known, page = captains.called(game, captain), self.page(game)
        return self.say("adviser") if page and known == page.adviser else known

    def key(self, event: Event) -> str:
        """What an event makes of its moment: one of `keys`, or ""."""
        return self.marks.get(event.kind, "")

    def place(self, row: Sequence[Moment[S]], at: int) -> str:
        """Where a moment is, in a few words."""
        moment = row[at]
        key = "place.turn" if moment.turn else "place.step"
        return self.say(key, turn=moment.turn, phase=moment.phase, n=at, of=len(row) - 1)

    def begins(self, before: Moment[S], now: Moment[S], unit: str) -> bool:
        """Whether something of a unit begins at a moment."""
        if unit == PHASE:
            return (before.turn, before.phase) != (now.turn, now.phase)
        return {DECISION: bool(now.who), TURN: before.turn != now.turn, KEY: bool(now.keys)}.get(unit, True)

    def stops(self, row: Sequence[Moment[S]], unit: str) -> tuple[int, ...]:
        """Where one stops when stepping by a unit: indices of the moments, the first and the last always among them."""
        inner = (i for i in range(1, len(row)) if self.begins(row[i - 1], row[i], unit))
        return tuple(sorted({0, len(row) - 1, *inner}))

    def opening(self, row: Sequence[Moment[S]]) -> int:
        """The moment that is looked at first: the first decision, for before it there may be nothing to see."""
        return next((i for i, moment in enumerate(row) if moment.who), 0)

    def share(self, game: Any, state: S) -> float | None:
        """What share of a match lies behind, 0 to 1, where that is known."""
        return None

    # Decisions --------------------------------------------------------------------------------------------------------

    def deciders(self, game: Any, state: S) -> tuple[str, ...]:
        """Others of whom one may ask what they would decide now; the first is looked at where nobody decides."""
        return ()

    def deciding(self, game: Any, moment: Moment[S], who: str, state: S | None = None,
                 captain: str = "") -> Steps[Told[S, D]]:
        """What is decided at a moment: the player who sat there is asked again. For a person the page's adviser
        decides, among what that person was about to order; likewise in another state, and another captain."""
        here, name = moment.state if state is None else state, captain or moment.captain
        machine = captains.made(name, game)
        seen, legal = game.observe(here, moment.seat), game.legal(here)
        again = state is None and not captain and not moment.person
        asked = legal if again else self.meant(game, moment, legal)
        decision = yield from thinking(machine, seen, asked, np.random.default_rng(moment.ply))
        return Told(self, game, moment, who, here, decision, name, machine)  # type: ignore[arg-type]

    def lines(self, told: Told[S, D]) -> Iterator[Line]:
        """The findings in the order of the rules, what was rejected, and the order itself."""
        yield from map(self.finding, told.decision.findings)
        yield from self.rejected(told)
        action, reason = told.decision.action, str(told.decision.reason)
        text = self.say("line.moved", order=self.spoken(told.glance, action), reason=reason)
        key = "line.advised" if told.moment.person and told.captain else "line.move"  # a person's own is told beside it
        ask = self.say(key, captain=self.called(told.game, told.captain))
        yield Line("move", "", ask, text, self.lit(told.glance, action), "move")

    def finding(self, finding: Finding) -> Line:
        """A finding as a line, with what it was made from."""
        own = tuple(mark for fact in finding.facts for mark in fact.marks) or tuple(finding.marks())
        cells = tuple(dict.fromkeys(cell for mark in own if mark.kind in ("cell", "line") for cell in mark.at))
        parts = tuple(map(self.finding, finding.children))
        return Line("finding", finding.rule, str(finding.question), str(finding.verdict), cells, "", parts)

    def rejected(self, told: Told[S, D]) -> Iterator[Line]:
        """What was weighed and not taken; orders that differ in nothing else share a line, and the least a last one."""
        order = self.spoken(told.glance, told.decision.action)  # what is said in the same words needs no reason
        left = [
            option for option in told.decision.options
            if option.rejected and self.spoken(told.glance, option.action) != order
        ]  # fmt: skip
        found = [
            self._rejected(told, list(alike))
            for _, alike in groupby(left, key=lambda o: (o.value, o.facts, o.rejected, o.rule))
        ]
        yield from found[:REJECTED]
        if others := found[REJECTED:]:
            said = self.say("line.others.n", n=len(others))
            yield Line("rejected", "", self.say("line.others"), said, (), "rejected", tuple(others))

    def _rejected(self, told: Told[S, D], alike: Sequence[Option]) -> Line:
        spoken = list(dict.fromkeys(self.spoken(told.glance, option.action) for option in alike))
        cells = dict.fromkeys(cell for option in alike for cell in self.lit(told.glance, option.action))
        ask = self.say("line.rejected", orders=", ".join(spoken))
        return Line("rejected", alike[0].rule, ask, self.because(alike[0]), tuple(cells), "rejected")

    def because(self, option: Option) -> str:
        """Why an option was not taken: its figures, and the reason."""
        facts, why = ", ".join(map(str, option.facts)), str(option.rejected).rstrip(".")
        key = "line.weighed" if facts and why else "line.facts" if facts else "line.because"
        said = self.say(key, facts=facts, why=why if facts else why[:1].upper() + why[1:])
        return said[:1].upper() + said[1:]

    def fields(self, told: Told[S, D]) -> Mapping[str, str]:
        """A decision field by field, for comparing two."""
        decision, glance = told.decision, told.glance
        best = next((o for o in decision.options if o.action == decision.action), None)
        second = next((o for o in decision.options if o.action != decision.action), None)
        unit = str(decision.unit)
        worth = self.say("field.worth.in", unit=unit) if unit else self.say("field.worth")
        found = {
            self.say("field.captain"): self.called(told.game, told.captain),
            self.say("field.order"): self.spoken(glance, decision.action),
            worth: captains.figure(best.value) if best else "",
            self.say("field.next"): self.spoken(glance, second.action) if second else "",
        }
        return found | {str(finding.question): str(finding.verdict) for finding in decision.findings}

    def differences(self, before: Told[S, D], after: Told[S, D]) -> tuple[Difference, ...]:
        """Two decisions compared, field by field."""
        one, other, none = self.fields(before), self.fields(after), self.say("field.none")
        names = (name for name in dict.fromkeys((*one, *other)) if one.get(name) or other.get(name))
        return tuple(Difference(name, one.get(name) or none, other.get(name) or none) for name in names)

    def summed(self, told: Told[S, D], row: Sequence[Moment[S]], at: int) -> Iterator[str]:
        """A decision in a sentence or two: for a person what the captain would order; and what was played, where that
        was something else."""
        moment, text = told.moment, told.lines[-1].text
        captain = self.called(told.game, told.captain)
        if told.who != moment.who:
            yield self.say("headline.would", who=told.who, text=text)
            return
        advised = moment.person or told.captain != moment.captain
        yield self.say("headline.advised", captain=captain, text=text) if advised else text
        played = row[at + 1] if at + 1 < len(row) and row[at + 1].by == moment.seat else None
        if played and told.state == moment.state and self.answer(told.game, played.action) != told.right:
            yield self.say("headline.played", order=self.spoken(told.glance, played.action))

    # What is asked ----------------------------------------------------------------------------------------------------

    def answer(self, game: Any, action: Any) -> str:
        """Which answer an action belongs to: orders that a class need not tell apart share one."""
        return str(game.format_action(action))

    def open(self, game: Any, moment: Moment[S], legal: Sequence[Any]) -> Sequence[Any]:
        """What a class may choose from."""
        return legal

    def meant(self, game: Any, moment: Moment[S], legal: Sequence[Any]) -> Sequence[Any]:
        """What one may choose from who decides in another's place: the orders among which that one was."""
        return legal

    def answers(self, game: Any, moment: Moment[S]) -> dict[str, Any]:
        """The answers, each with the first action that belongs to it."""
        found: dict[str, Any] = {}
        for action in self.open(game, moment, game.legal(moment.state)):
            found.setdefault(self.answer(game, action), action)
        return found

    def ask(self, kind: str, game: Any, moment: Moment[S], who: str) -> Question:
        """A question about a decision, made of the position alone as its side sees it; OptionError if there is nothing
        of that kind to ask."""
        answers = self.answers(game, moment) if moment.who else {}
        if kind != WHAT or len(answers) < 2:
            raise OptionError(self.say("ask.nobody"))
        captain = self.called(game, moment.captain)
        text = self.say("ask.what.advised" if moment.person else "ask.what", who=who, captain=captain)
        glance = self.glance(game, moment.state, moment.seat)
        scene, cells = self.phone(glance, moment, answers)
        on_board = cells if len(answers) > self.listed else {}
        choices = tuple(
            Choice(answer, self.labelled(glance, action), on_board[answer].centre if answer in on_board else None)
            for answer, action in answers.items()
        )
        outline = next(iter(on_board.values())).outline if on_board else ()
        middle = next(iter(on_board.values())).centre if on_board else (0.0, 0.0)
        shape = tuple((x - middle[0], y - middle[1]) for x, y in outline)
        return Question(kind, text, choices, scene, shape)

    def labelled(self, glance: Glance[Any, Any, Any], action: Any) -> str:
        """What an answer says, of which this is the first action."""
        return self.spoken(glance, action)

    def prompt(self, key: str, who: str, question: Question) -> str:
        """What to do with a question, by a key with a twin for answers that have a place on the board."""
        on_board = any(choice.at is not None for choice in question.choices)
        return self.say(f"{key}.board" if on_board else key, who=who, question=question.text)

    def letters(self, told: Told[S, D]) -> Mapping[str, str]:
        """A few answers by letter, the right one among them, for a class without phones; {} where all are listed."""
        return {}

    def off(self, answer: str, right: str) -> int | None:
        """How far off an answer is, 0 if right; None where there is nothing between right and wrong."""
        return None

    def result(self, told: Told[S, D], kind: str, votes: Mapping[str, int]) -> Steps[Result]:
        """What was right and why, and what each answer given would have needed."""
        right = told.right
        wrong = [answer for answer in votes if answer not in told.as_good]
        weighed = yield from told.weighing(wrong)
        notes = {answer: self.needed(told, answer, weighed.get(answer)) for answer in wrong}
        order, reason = self.spoken(told.glance, told.decision.action), str(told.decision.reason)
        key = "told.what" if not order.startswith(told.who) else "told.what.named"  # it says whose it is
        text = self.say(key, who=told.who, order=order, reason=reason)
        if len(told.as_good) > 1:
            text = self.say("told.equal", text=text, n=len(told.as_good) - 1)
        rule = next((finding.rule for finding in told.decision.findings), "")
        scene, cells = self.phone(told.glance, told.moment, self.answers(told.game, told.moment))
        counted = replace(
            scene, layers=(*scene.layers, Layer("answers", (*boards.heat(cells, votes), *boards.ring(cells, right))))
        )
        return Result(told.as_good, text, rule, notes, counted)

    def needed(self, told: Told[S, D], answer: str, option: Option | None) -> Note:
        """Why an answer was not right, from what it was worth."""
        captain = self.called(told.game, told.captain)
        if option is None:
            return Note("", self.say("needed.unknown", captain=captain))
        if not (option.facts or option.rejected):
            return Note("", self.say("needed.none", captain=captain))
        return Note(option.rule, self.because(option))

    def judging(self, told: Told[S, D], action: Any) -> Steps[str]:
        """What an order was worth, in a sentence, or why it was taken."""
        answer = self.answer(told.game, action)
        weighed = yield from told.weighing([answer])
        right = answer == told.right
        said = str(told.decision.reason) if right else self.needed(told, answer, weighed.get(answer)).text
        return said[:1].upper() + said[1:].rstrip(".") + "."

    def bet(self, kind: str, row: Sequence[Moment[S]], at: int) -> tuple[Question, Result]:
        """A question about what chance brings next, and its answer; OptionError where nothing of that kind comes."""
        raise OptionError(self.say("unknown.ask", kind=repr(kind[:40])))

    # What is supposed -------------------------------------------------------------------------------------------------

    def changes(self, game: Any, moment: Moment[S], who: str) -> Sequence[Change]:
        """What may be supposed at a moment; usually that another captain decides."""
        if not moment.captain:
            return ()
        return tuple(
            Change(f"captain {name}", self.say("captain", captain=self.called(game, name)),
                   self.say("captain.help"), "captain", name)
            for name in captains.rivals(game, moment.captain)
        )  # fmt: skip

    def current(self, told: Told[S, D]) -> str:
        """The key of the change that is as it is now."""
        return f"captain {told.captain}"

    def suppose(self, game: Any, state: S, moment: Moment[S], who: str, change: str, piece: Any) -> S:
        """The state with that change; OptionError if there is none, IllegalActionError if it is impossible."""
        raise OptionError(self.say("unknown.change", asked=repr(change[:40])))

    def piece_at(self, state: S, cell: str) -> Any:
        """What lies on a cell and may be put elsewhere; OptionError for nothing."""
        raise OptionError(self.say("what-if.still"))

    def covers(self, state: S, piece: Any, cell: str) -> bool:
        """Whether a piece lies there already."""
        return False

    def put(self, state: S, piece: Any, cell: str) -> S:
        """The state with a piece elsewhere; IllegalActionError where it cannot lie."""
        raise OptionError(self.say("what-if.still"))

    def lifted(self, piece: Any) -> tuple[str, str]:
        """What is said of a piece taken up, and whose decision is then shown, "" for nobody else's."""
        return str(piece), ""

    # What is drawn ----------------------------------------------------------------------------------------------------

    def page(self, game: Any) -> Page[Any, Any, Any] | None:
        """The game's page, if it has one."""
        found: Page[Any, Any, Any] | None = package_of(game).offered("PAGE", None)
        return found

    def glance(self, game: Any, state: S, seat: int) -> Glance[Any, Any, Any]:
        """A position as a side sees it, with what it may do there."""
        return boards.glanced(game, state, max(seat, 0))

    def spoken(self, glance: Glance[Any, Any, Any], action: Any) -> str:
        """An action in the words of its button."""
        page = self.page(glance.game)
        return page.spoken(glance, action) if page else str(glance.game.format_action(action))

    def lit(self, glance: Glance[Any, Any, Any], action: Any) -> tuple[str, ...]:
        """Ids of the board's cells that an action is about."""
        page = self.page(glance.game)
        return tuple(page.lit(glance, Look(), glance.once(boards.plain), action)) if page else ()

    def chosen(self, sight: Sight[S], cell: str, action: Any) -> str:
        """The answer that a press on the board gives, "" for none. ``action``: what the cell carries."""
        answers = self._answered(sight)
        given = self.answer(sight.game, action) if action is not None else cell
        return given if given in answers else ""

    def pressed(self, sight: Sight[S], cell: str, action: Any) -> tuple[str | None, str]:
        """What a press does that asks nothing: whose decision is shown ("" the next one's, None as before), and what is
        said."""
        return None, ""

    def picks(self, sight: Sight[S]) -> Picks:
        """What is picked on the page's board."""
        return Picks()

    def camera(self) -> Camera:
        """A new window on the board."""
        return Camera()

    def look(self, sight: Sight[S], camera: Camera) -> Look:
        """How the page's board is looked at: with the evidence of a decision that is told."""
        reasons = sight.told.decision if sight.told is not None and sight.complete else None
        own = self.picks(sight)
        picks = own.picked | {pick for pick in camera.picks if own.get(pick.kind) is None}
        room = None if camera.tall else camera.stage  # a phone's board has its one shape, made smaller where it must be
        return Look(camera.tall, Picks(picks), "", camera.window, reasons, camera.answers, room, camera.still)

    def awaits(self, sight: Sight[S], camera: Camera) -> Sequence[Awaited[Any]]:
        """What the page's board shows as soon as it is calculated (`Camera.answers`)."""
        page = self.page(sight.game)
        glance = self.glance(sight.game, sight.state, sight.moment.seat)
        return page.awaits(glance, self.look(sight, camera)) if page else ()

    def turned(self, sight: Sight[S], camera: Camera, cell: Cell) -> bool:
        """Whether a press only changes how the page's board is looked at, as it does on that page; it is done."""
        page = self.page(sight.game)
        if page is None or (cell.pick is None and cell.window is None) or cell.id in self._answered(sight):
            return False
        if cell.pick is not None:
            camera.picks = camera.picks.toggled(cell.pick)
        if cell.window is not None:
            glance = self.glance(sight.game, sight.state, sight.moment.seat)
            camera.window = page.window(glance, self.look(sight, camera), cell.window)
        return True

    def _answered(self, sight: Sight[S]) -> Mapping[str, Any]:
        return self.answers(sight.game, sight.moment) if sight.moment.who else {}

    def scene(self, sight: Sight[S], camera: Camera) -> Scene:
        """The board through the eyes of the side that decides, with the cells that the lit line points to."""
        glance, page = self.glance(sight.game, sight.state, sight.moment.seat), self.page(sight.game)
        if page is None:
            return self._in_words(glance)
        look = self.look(sight, camera)
        camera.window = page.frame(glance, look)
        look = replace(look, window=camera.window)
        scene = page.scene(glance, look)
        cells = self.places(sight, camera, scene) if sight.votes else {}
        shapes = (*boards.outlined(scene, sight.lit), *boards.heat(cells, sight.votes))
        return replace(scene, layers=(*scene.layers, Layer("told", shapes)))

    def places(self, sight: Sight[S], camera: Camera, scene: Scene) -> Mapping[str, Cell]:
        """Answer -> its cell on the page's board, for those that have one there."""
        glance, page = self.glance(sight.game, sight.state, sight.moment.seat), self.page(sight.game)
        look = replace(self.look(sight, camera), window=camera.window)
        return boards.places(page, glance, look, scene, self._answered(sight)) if page else {}

    def way(self, told: Told[S, D], sight: Sight[S], camera: Camera) -> Sequence[Point]:
        """Where on the page's board the decision leads, from where it begins; () where it leads nowhere."""
        return ()

    def phone(self, glance: Glance[Any, Any, Any], moment: Moment[S],
              answers: Mapping[str, Any]) -> tuple[Scene, Mapping[str, Cell]]:
        """The board of a question, and the cells of the answers that can be tapped there."""
        page = self.page(glance.game)
        if page is None:
            return self._in_words(glance), {}
        look = self.look(Sight(glance.game, (moment,), 0, moment.who, moment.state, asked=True), Camera())
        return boards.phone(page, glance, look, answers)

    def _in_words(self, glance: Glance[Any, Any, Any]) -> Scene:
        title = self.say("plain.title", game=glance.game.title, who=self.named(glance.game, glance.me))
        return boards.words(title, glance.seen)

    def film(self, before: Shown | None, now: Shown, camera: Camera) -> Film | None:
        """What moved since another moment of the same match was shown to the same side; None where nothing did."""
        one, other = (before.sight, now.sight) if before else (None, now.sight)
        page = self.page(other.game)
        if page is None or before is None or one is None or one.row is not other.row or one.at == other.at:
            return None
        if other.supposing or one.moment.seat != other.moment.seat or before.frame != now.frame:
            return None
        moments, look = self.seen(one, other), self.look(other, camera)
        effects = page.effects(other.game, moments, look, before.scene, now.scene) if moments else ()
        return film(before.scene, now.scene, effects)

    def seen(self, one: Sight[S], other: Sight[S]) -> Sequence[Seen[Any]]:
        """What a side saw and was told on the way to a later moment; () on the way back, or after a leap."""
        way, game, seat = one.row[one.at : other.at + 1], other.game, other.moment.seat
        if not 1 < len(way) <= LEAP:
            return ()
        states = (game.observe(moment.state, max(seat, 0)) for moment in way[:-1])
        told = (tuple(event for event in moment.events if event.seen_by(max(seat, 0))) for moment in way[1:])
        return [Seen(state, events) for state, events in zip(states, told, strict=True)]

    def tables(self, sight: Sight[S]) -> Sequence[Table]:
        """The tables of the rules, always as many; none in most games."""
        return ()

    def figures(self, sight: Sight[S]) -> Report:
        """The figures of the position, as the page of the game has them (`counts`)."""
        page = self.page(sight.game) if self.counts else None
        return page.facts(self.glance(sight.game, sight.state, sight.moment.seat)) if page else None

    def front(self, moment: Moment[S]) -> int | None:
        """The number of the table that says most at a moment; None leaves it."""
        return None

    def topics(self, layer: str) -> str:
        """What a line must be about before a layer is drawn; "" for the order itself."""
        return ""

    def terms(self, text: str) -> Sequence[tuple[str, str]]:
        """The terms of a text that have an entry, each by its key and its name."""
        return ()

    def term(self, key: str, theme: str) -> Term | None:
        """The entry of a term; None if there is none."""
        return None

    def titled(self, sight: Sight[S]) -> tuple[str, str]:
        """Who decides, and what more there is to say of them."""
        captain = self.called(sight.game, sight.moment.captain)
        return sight.who, captain if not sight.moment.person else ""

    def ending(self, game: Any, row: Sequence[Moment[S]]) -> Ending | None:
        """How a match ended, and what decided it: its last moment of the gravest kind."""
        outcome = game.outcome(row[-1].state)
        if outcome is None:
            return None
        gravest = list(self.keys)[::-1]
        at = next((i for key in gravest for i in range(len(row) - 1, -1, -1) if key in row[i].keys), -1)
        if at < 0:
            return Ending(outcome.text, (), len(row) - 1)
        happened = " ".join(event.text for event in row[at].events if self.key(event))
        return Ending(outcome.text, (self.say("ending.decided", place=self.place(row, at), happened=happened),), at)

    # What there is to show --------------------------------------------------------------------------------------------

    def starts(self, name: str) -> Sequence[tuple[str, Mapping[str, Any]]]:
        """The ways to begin a match that is made for stepping: title and options each."""
        return tuple((start.said("title"), start.options) for start in starts(name))

    def about(self, game: Any) -> tuple[str, str]:
        """Title of a match, and what it is about."""
        fits = (s for s in starts(game.name)
                if {spec.name: s.options[spec.name] for spec in game.specs if spec.name in s.options} == game.chosen)
        start = next(fits, None)
        return (start.said("title"), start.said("about")) if start else (game.title, str(game.blurb))

    def own(self, data: bytes) -> Mapping[str, Any] | None:
        """The options that a file of the reader's own asks for; None if it is no such file."""
        return None

    def positions(self) -> Mapping[str, str]:
        """Ready-made positions: name -> title."""
        return {}

    def position(self, name: str) -> tuple[Any, tuple[Moment[S], ...], str, Text]:
        """A ready-made position: its game, its moments, its title as data have it, and what to look for."""
        listed = ", ".join(self.positions()) or self.say("field.none")
        raise OptionError(self.say("unknown.position", name=repr(name[:40]), names=listed))

    def handout(self, key: str, game: Any, row: Sequence[Moment[S]], title: str, about: str) -> tuple[str, Any]:
        """The end of a file's name, and what is in it."""
        raise KeyError(key)


def walk_of(game: Game[Any, Any]) -> Walk[Any, Any, Any]:
    """What a game says of its decisions: what its package offers as ``WALK``, or the defaults."""
    found: Walk[Any, Any, Any] = package_of(game).offered("WALK", None) or _USUAL
    return found


_USUAL: Walk[Any, Any, Any] = Walk()
