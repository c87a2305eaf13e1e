"""What a class may try on the stepper's board: predict where she goes, or put a piece elsewhere."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from navalkit.core.errors import IllegalActionError, OptionError
from navalkit.games.on_patrol.escort import whatif
from navalkit.games.on_patrol.escort.whatif import Piece
from navalkit.games.on_patrol.sea.state import Role
from navalkit.games.on_patrol.sea.tables import TABLES
from navalkit.grids.hex import Hex, Place

from .say import STEP
from .told.telling import MODES, WHAT_IF, Telling
from .vote import Guess, OneVoter, Question, Voter, choices


@dataclass(eq=False)
class Trying(Telling):
    """A moment on whose board one clicks."""

    hand: OneVoter = field(default_factory=OneVoter)
    """The readers who click on the board."""
    room: Voter | None = None
    """A class that answers on its own screens."""
    question: Question | None = None
    """What is asked now."""
    piece: Piece | None = None
    """What is being put elsewhere."""
    dragged: bool = False
    """Whether it was dragged since it was lifted: then the next click does not put it down once more."""

    # Clicks on the board ----------------------------------------------------------------------------------------------

    def use(self, mode: str) -> None:
        """What a click on the board is for from now on: "explain", "predict" or "what-if"."""
        if mode not in MODES:
            raise OptionError(STEP("unknown.mode", mode=repr(mode[:40])))
        self.mode, self.lit, self.part = mode, None, None
        self._forget()
        self._ask()
        if mode == WHAT_IF:
            self.chosen = self.who or next((v.id for v in self.moment.state.escorts), "")
            self.told = None
        self.repaint()

    def point(self, label: str) -> None:
        """A click on a hex: a prediction, a piece lifted or put down, or an escort chosen."""
        h = Hex.parse(label)
        if self.dragged:
            self.piece, self.dragged = None, False
        if self.asked:
            self._choose(h)
        elif self.mode == WHAT_IF and self.piece is not None and h not in self.piece.place(self.state).hexes:
            self._put(self.piece, Place(h, self.piece.place(self.state).direction))
            self.piece = None
            self.repaint()
        elif self.mode == WHAT_IF:
            self._lift(h)
        else:
            self._choose_at(h)

    def drag(self, label: str) -> None:
        """The pressed pointer comes to a further hex: in a what-if it takes the piece along."""
        if self.mode == WHAT_IF and self.piece is not None:
            self.dragged = True
            try:
                self._put(self.piece, Place(Hex.parse(label), self.piece.place(self.state).direction))
            except IllegalActionError:  # over another ship: it follows again beyond her
                return
            self.repaint()

    def _choose_at(self, h: Hex) -> None:
        ship = next((v for v in self.state.vessels if h in v.place.hexes), None)
        if ship is not None and ship.role is Role.ESCORT and not ship.sunk:
            self.choose(ship.id)
        elif ship is not None:
            self.say(STEP("merchant", ship=ship.id, type=TABLES.vessels[ship.type].name))
        else:
            self.choose("")

    # Predicting -------------------------------------------------------------------------------------------------------

    @property
    def guess(self) -> Guess | None:
        """What was predicted for this moment."""
        return self.guesses.get(self.at)

    @property
    def score(self) -> tuple[int, int]:
        """Predictions that were right to the hex, and all of them."""
        made = self.guesses.values()
        return sum(guess.right for guess in made), sum(guess.votes.total() for guess in made)

    @property
    def voter(self) -> Voter:
        """Who is asked to predict."""
        return self.room or self.hand

    def _ask(self) -> None:
        """Put the question of this moment, if there is one that is not answered yet."""
        decision = self.decision if self.asked else None
        if decision is None:
            self.question = None
            return
        asked = Question(
            f"{self.show.query}&step={self.at}", STEP("predict.question", who=self.who), choices(self.state, decision)
        )
        if self.question != asked:
            self.question = asked
            self.voter.ask(asked, self.repaint)

    def answer_by(self, room: Voter | None) -> None:
        """From now on this class answers; with None those who click on the board."""
        self.room, self.question = room, None
        self._ask()
        self.repaint()

    @property
    def answered(self) -> Counter[Hex]:
        """The answers so far by hex; a class's are not to be seen before they are closed."""
        if self.guess:
            return self.guess.votes
        return Counter(map(Hex.parse, self.hand.answers().values())) if self.asked and not self.room else Counter()

    def _choose(self, h: Hex) -> None:
        if self.room:
            self.say(STEP("predict.room"))
            return
        self.status.text, self.status.error = STEP("predict.chosen", hex=h), False
        self.hand.choose(h.label)

    def confirm(self) -> None:
        """Close the question: what was answered is compared with what she does."""
        decision = self.decision
        if not self.asked or decision is None:
            return
        answers = Counter(map(Hex.parse, self.voter.answers().values()))
        if not answers:
            raise OptionError(STEP("predict.unanswered"))
        self.voter.close()
        ends = decision.path[-1].place.bow if decision.path else self.state.vessel(self.who).place.bow
        self.guesses[self.at] = Guess(ends, answers)
        self.question = None
        self.say(self.result or STEP("predict.closed"))

    @property
    def result(self) -> str:
        """What came of the prediction of this moment; "" until her rules are told, for they lead to it."""
        guess = self.guess
        if guess is None or (self.untold and not self.room):  # a class is told on its phones
            return ""
        key = "predict.class" if self.room else "predict.off" if guess.off else "predict.hit"
        return STEP(key, off=guess.off, ends=guess.ends, right=guess.right, of=guess.votes.total())

    def change(self) -> None:
        """Take the answer back, as long as it is not confirmed."""
        self.status.text = ""
        self.hand.choose("")

    # What if ----------------------------------------------------------------------------------------------------------

    @property
    def differences(self) -> tuple[whatif.Difference, ...]:
        """What the what-if changes, field by field; () while nothing was changed."""
        if self.supposed is None or self.before is None or self.decision is None:
            return ()
        return whatif.compare(self.before, self.decision)

    @property
    def boat(self) -> str:
        """The boat the shown escort hunts, or the first."""
        hunted = self.state.vessel(self.who).hunt.boat if self.who else ""
        return hunted or next((b.id for b in self.state.boats), "S1")

    def _lift(self, h: Hex) -> None:
        """Take up what lies on a hex."""
        self.piece = whatif.piece_at(self.state, h)
        if self.piece.kind == "escort":
            self.chosen = self.piece.id
        self.say(STEP("what-if.lifted", piece=self.piece))

    def _put(self, piece: Piece, place: Place) -> None:
        self.supposed = piece.put(self.state, place)
        self.status.text, self.status.error = "", False

    def turn_piece(self, turns: int) -> None:
        """Turn what was lifted, else the escort, by 60 degrees: to port if negative."""
        piece = self.piece or (Piece("escort", self.who) if self.who else None)
        if piece is None:
            raise OptionError(STEP("what-if.nothing"))
        self._put(piece, piece.place(self.state).turned(turns))
        self.repaint()

    def suppose_mode(self, mode: int) -> None:
        """Suppose that another mode were in force."""
        state, boat = self.state, self.boat
        real = next((b.place for b in state.boats if b.id == boat), None)
        place = real or state.vessel(self.who).place.ahead(8)
        self.supposed, self.piece = whatif.with_mode(state, boat, mode, place), None
        self.say("")

    def reset(self) -> None:
        """The sea as it is again."""
        self._forget()
        self.say(STEP("what-if.reset.done"))

    def _forget(self) -> None:
        self.supposed, self.piece, self.dragged = None, None, False
        self.status.text, self.status.error = "", False
