"""The stepper's panel for a class with phones: who is in, what is asked, how many have answered, what they thought.

Where she will go is asked through the stepper's own "Predict": the class is then its voter, and each step asks anew.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from navalkit.core.errors import OptionError

from ..bridge import Bridge
from ..step import vote
from ..step.model import StepModel
from ..step.told.telling import EXPLAIN, PREDICT
from ..widgets import Dropdown, Text, shown
from ..widgets.spoken import box
from . import class_questions as ask
from .room_panel import RoomPanel
from .say import ROOM

KEY = "class"
"""Under which the browser keeps the code of the class."""


class Class(RoomPanel):
    """A panel of the stepper, and the voter it asks."""

    _model: StepModel

    def __init__(self, model: StepModel, bridge: Bridge) -> None:
        super().__init__(model, bridge, KEY)
        made = self._made
        self._ask = "where"
        self.where = made("class.where", lambda: self._predict("where"))
        self.which = made("class.which", lambda: self._predict("which"))
        self.hit = made("class.hit", self._ask_hit)
        self.aloud = Text(placeholder=ROOM("class.aloud"))
        self.number = Dropdown(options=[2, 3, 4, 5, 6], value=4, description=ROOM("class.number"))
        self.put = made("class.put", self._ask_own)
        self.right = Dropdown(options=["", *"ABCDEF"], description=ROOM("class.right"))
        self.widget = self.panel(
            box("nk-room-row", self.where, self.which, self.hit),
            box("nk-room-row", self.aloud, self.number, self.put),
            box("nk-room-row", self.shut, self.right, self.tell),
        )
        self.show()

    @property
    def title(self) -> str:
        return self._model.show.title

    def entered(self) -> None:
        self._model.answer_by(self)

    def left(self) -> None:
        self._model.answer_by(None)

    # The stepper's voter --------------------------------------------------------------------------------------------

    def ask(self, question: vote.Question, changed: Callable[[], None]) -> None:
        """Put the question of a moment to the phones."""
        assert self.room is not None
        model = self._model
        make = ask.which if self._ask == "which" else ask.where
        self._put(make(model.state, model.who, self._night))

    def answers(self) -> Mapping[str, str]:
        """Seat -> label of a hex, for a question about one."""
        if self.room is None or self.room.question is None or self.room.question.kind != "where":
            return {}
        return {str(seat): choice for seat, choice in self.room.answers().items()}

    def close(self) -> Mapping[str, str]:
        """Take no more answers."""
        self._close()
        return self.answers()

    # What is asked --------------------------------------------------------------------------------------------------

    @property
    def _night(self) -> bool:
        return self._model.show.game.sea.night and self._model.show.match is not None

    def _predict(self, kind: str) -> None:
        if not self._model.moment.who:
            raise OptionError(ROOM("class.nobody"))
        self._ask = kind
        self._model.guesses.pop(self._model.at, None)
        self._model.question = None
        self._model.use(PREDICT)

    def _ask_hit(self) -> None:
        if ask.attack_comes(self._model.row, self._model.at) is None:
            raise OptionError(ROOM("class.no-attack"))
        self._put(ask.hit())

    def _ask_own(self) -> None:
        self._put(ask.own(self.aloud.value.strip() or ROOM("class.said"), int(self.number.value)))

    def _tell(self) -> None:
        room, model = self.room, self._model
        if room is None or room.question is None or room.result is not None:
            raise OptionError(ROOM("class.nothing"))
        kind = room.question.kind
        if kind == "where" and room.votes():
            model.confirm()  # the stepper shows what she does, and `show` tells the phones
        elif kind in ("where", "which"):
            self._tell_decision()
            model.use(EXPLAIN)
        elif kind == "hit":
            room.reveal(ask.told_hit(bool(ask.attack_comes(model.row, model.at))))
        else:
            room.reveal(ask.told_own(self.right.value))
        self.show()

    def _tell_decision(self) -> None:
        room, model = self.room, self._model
        assert room is not None and room.question is not None
        room.close()
        state, decision, votes = model.moment.state, model.before, room.votes()
        if decision is None:
            return
        if room.question.kind == "where":
            room.reveal(ask.told_where(state, model.who, model.show.game.sea, decision, votes, self._night))
        else:
            room.reveal(ask.told_which(state, decision, votes, self._night))

    # The panel ------------------------------------------------------------------------------------------------------

    def show(self) -> None:
        room, model = self.room, self._model
        if self.asking and room is not None and room.question is not None and not model.asked:
            if model.guess is not None and room.question.kind == "where":
                self._tell_decision()
            elif room.question.kind in ("where", "which"):
                room.close()  # what she does is to be seen
        shown(self.right, room is not None and room.question is not None and room.question.kind == "own")
        super().show()
