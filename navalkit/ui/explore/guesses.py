"""A class guesses the explorer's number on its phones before a slider moves: asked, counted, revealed."""

from __future__ import annotations
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from navalkit.core.errors import NavalkitError, OptionError
from navalkit.core.shown import Markup
from navalkit.explore import Answer
from navalkit.explore.ask import amount
from navalkit.explore.question import SAY
from navalkit.view.page import Choice, Question as Asked, Result
from ..rooms import ROOM
from ..rooms.panel import RoomPanel
from ..shell import Bridge
from ..widgets import box, classed, maker, shown
from .html import ExploreModel
from .lectern import Guessing, middle

KEY = "explore-class"
"""Under which the browser keeps the code of the class."""
KIND = "guess"
_CHOICES = tuple(Choice(str(n), f"{n} %") for n in range(101))


class Guesses(RoomPanel):
    """The panel. ``answer`` gives the present answer, or None while it is calculated; ``moved`` is called when there is
    something else for the class to see. What is asked is the number of the settings there are when it is put: as long
    as it is open nothing on the page tells it, and once told it is shown as long as those settings stay."""

    _model: ExploreModel

    def __init__(self, model: ExploreModel, bridge: Bridge, answer: Callable[[], Answer | None],
                 moved: Callable[[], None]) -> None:
        super().__init__(model, bridge, KEY)
        self._answer, self._moved, made = answer, moved, maker(model.guard, SAY)
        self._of: tuple[str, dict[str, Any]] | None = None  # what was asked: question and settings
        self._shown: tuple[Any, ...] = ()
        self.put = made("button.guess", self._ask)
        self.put.button_style = "primary"
        self.reveal = made("button.reveal", self._tell)
        self.reveal.button_style = "primary"
        self.widget = classed(self.panel(box("nk-room-row", self.shut)), "nk-explore-phones")
        self.show()

    @property
    def title(self) -> str:
        return SAY("page")

    @property
    def here(self) -> bool:
        """Whether what was asked is what the sliders show now."""
        return self._of == (self._model.question.id, self._model.settings)

    @property
    def guessing(self) -> Guessing | None:
        """Where the class stands: None if it has not been asked about these settings."""
        room = self.room
        if room is None or room.question is None or room.question.kind != KIND or not self.here:
            return None
        answers = room.answers()
        if self.asking:
            return Guessing(len(answers), room.joined)
        return Guessing(len(answers), room.joined, [int(each) for each in answers.values()])

    @property
    def code(self) -> str:
        """The code of the room; "" if there is none."""
        return self.room.code if self.room is not None else ""

    def locks(self) -> bool:
        """Whether the sliders stand still: while a class guesses what they show."""
        return self.asking and self._of is not None

    @property
    def presses(self) -> Mapping[str, Callable[[], None]]:
        return {**super().presses, "button-guess": self._ask, "button-reveal": self._tell}

    def entered(self) -> None:
        """A class that was left while it guessed goes on guessing, and the page goes where it was asked: nothing that
        another Python shows may tell the answer."""
        room = self.room
        if room is None or room.question is None or not self.asking:
            return
        with suppress(NavalkitError):  # asked by another version, of a question that there is no more
            self._model.open_query(room.question.key)
        if self._asked("").key == room.question.key:
            self._of = self._model.question.id, dict(self._model.settings)
        else:
            room.question = None

    def left(self) -> None:
        self._of = None
        self._moved()

    def _asked(self, text: str) -> Asked:
        """The question of the present settings, by a key that brings them back."""
        question, settings = self._model.question, self._model.settings
        set_to = "; ".join(f"{each.label}: {each.shown(settings[each.name])}" for each in question.controls)
        return Asked(KIND, text, _CHOICES, more=set_to, key=question.link(settings), scale="%")

    def _ask(self) -> None:
        answer = self._answer()
        if answer is None:
            raise OptionError(SAY("said.early"))
        if answer.unit:
            raise OptionError(SAY("guess.unit", unit=answer.unit))
        self._of = self._model.question.id, dict(self._model.settings)
        self._put(self._asked(answer.said))
        self._model.repaint()

    def _tell(self) -> None:
        room, answer = self.room, self._answer()
        if room is None or room.question is None or room.result is not None or not self.asking:
            raise OptionError(ROOM("class.nothing"))
        if answer is None:
            raise OptionError(SAY("said.early"))
        room.close()
        guesses = [int(each) for each in room.answers().values()]
        value = amount(answer.value, answer.unit)
        told = SAY("guess.told", value=value, middle=middle(guesses)) if guesses else SAY("guess.none", value=value)
        room.reveal(Result((), told))
        self._model.repaint()

    def show(self) -> None:
        super().show()
        shown(self.put, self.room is not None and not self.asking)
        shown(self.reveal, self.asking)
        shown(self.tell, False)
        now = (self.code, self.guessing)
        if now != self._shown:
            self._shown = now
            self._moved()

    def _votes(self) -> Markup:
        """The class sees its guesses beside the picture."""
        return Markup()
