"""A class guesses the explorer's number on its phones before a slider moves: asked, counted, revealed."""

from __future__ import annotations
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from typing import Any

from navalkit.core.errors import NavalkitError, OptionError
from navalkit.core.shown import Markup, paragraph
from navalkit.explore import Answer
from navalkit.explore.ask import amount
from navalkit.explore.question import SAY
from navalkit.rooms.classroom import HeldError
from navalkit.rooms.store import Rooms
from navalkit.view.page import Choice, Question as Asked, Result
from ..frontend import current
from ..rooms import ROOM
from ..rooms.panel import Face, RoomPanel, Secret
from ..rooms.screen import BOARD, READY
from ..shell import Bridge, asked
from ..widgets import box, classed, is_shown, maker, shown
from .html import ExploreModel
from .lectern import Guessing, middle

KEY = "explore-class"
"""Under which the browser keeps the code of the class."""
KIND, SHOW, HIDE = "guess", "show", "hide"
"""What a leader may order: to ask the class, and to show the number or hide it."""
_CHOICES = tuple(Choice(str(n), f"{n} %") for n in range(101))


class Guesses(RoomPanel):
    """The panel. ``answer`` gives the present answer, or None while it is calculated; ``moved`` is called when there is
    something else for the class to see; ``known`` says whether an answer is there, or none will come: a leader's orders
    wait for it. What is asked is the number of the settings there are when it is put: before it is told nothing on the
    page tells it, unless the teacher shows it; once told it is shown as long as those settings stay."""

    _model: ExploreModel

    def __init__(self, model: ExploreModel, bridge: Bridge, answer: Callable[[], Answer | None],
                 moved: Callable[[], None], known: Callable[[], bool]) -> None:
        super().__init__(model, bridge, KEY)
        self._answer, self._moved, self._known, made = answer, moved, known, maker(model.guard, SAY)
        self.seen: Callable[[], object] = lambda: None
        """Called when the class is to see what it is asked, wherever its leader pressed."""
        self.placed = False
        """Whether the page was put where its class was."""
        self._offered, self._stays = "", False  # a class open elsewhere; whether one comes to what is shown here
        self.bare = False
        """Whether the teacher shows the number, of whatever settings, before the class is asked."""
        self._shown: tuple[Any, ...] = ()
        self.put = made("button.guess", self._ask)
        self.put.button_style = "primary"
        self.show_number = made("button.show", self._switch_bare)
        self.reveal = made("button.reveal", self._tell)
        self.reveal.button_style = "primary"
        self.here_again = maker(model.guard, ROOM)("class.here", self.take_back)
        self.here_again.button_style = "primary"
        self.widget = classed(self.panel(box("nk-room-row", self.shut, self.show_number)), "nk-explore-phones")
        self._elsewhere.children = self.back_here, self.show_number
        self.show()

    @property
    def title(self) -> str:
        return SAY("page")

    @property
    def here(self) -> bool:
        """Whether what was asked is what the sliders show now."""
        question = self.room.question if self.room is not None else None
        return question is not None and question.key == self._key_here

    @property
    def _key_here(self) -> str:
        """What the key of a question of the present settings is: it brings them back."""
        return self._model.question.link(self._model.settings)

    @property
    def guessing(self) -> Guessing | None:
        """Where the class stands: None if it has not been asked about these settings."""
        room = self.room
        if room is None or not self.here:
            return None
        answers = room.answers()
        if self.asking:
            return Guessing(len(answers), room.joined)
        return Guessing(len(answers), room.joined, [int(each) for each in answers.values()])

    @property
    def veiled(self) -> bool:
        """Whether nothing that is seen may tell the number: a class has not been told it, and its teacher does not
        show it; or another page has the class."""
        return self.locks() or (self.before_class and not self.bare and self.guessing is None)

    @property
    def before_class(self) -> bool:
        """Whether a class may see this page: it is here, or was as the page was opened beside it."""
        return self.room is not None or bool(self._offered)

    @property
    def why(self) -> str:
        """Why nothing is told, and what to press, where it is `veiled`."""
        if self.lost:
            return str(HeldError())
        return SAY("guess.open" if self.asking else "guess.beside" if self.room is None else "guess.veiled")

    @property
    def code(self) -> str:
        """The code of the room; "" if there is none."""
        return self.room.code if self.room is not None else ""

    @property
    def settled(self) -> bool:
        return self._known()

    walled = False

    def look(self, sees: str) -> None:
        """What a class sees is the explorer, whatever is asked for."""
        super().look(BOARD)

    @property
    def _next(self) -> str:
        return super()._next if self.sees == READY else "reveal" if self.asking else "ask"

    def locks(self) -> bool:
        """Whether the sliders stand still: while a class guesses what they show, or another page has the class."""
        return self.asking or self.lost

    def freely(self, move: Callable[..., object], *to: Any) -> None:
        """Move the sliders, unless a class guesses what they show."""
        if self.locks():
            raise HeldError if self.lost else OptionError(SAY("guess.locked"))
        move(*to)

    @property
    def presses(self) -> Mapping[str, Callable[[], None]]:
        mine = {"button-guess": self._ask, "button-reveal": self._tell}
        return {**super().presses, **mine, "button-show": self._switch_bare}

    @property
    def stand(self) -> str:
        return f"{super().stand} {self.bare} {self._key_here}"  # what is seen of what would be asked

    def is_meant(self, what: Mapping[str, Any], stand: str) -> bool:
        """The number is shown of whatever settings there are: a slider may have been moved just before."""
        if what.get("press") == "button-show":
            return stand.rpartition(" ")[0] == self.stand.rpartition(" ")[0]
        return super().is_meant(what, stand)

    def keeps(self) -> dict[str, Any]:
        return super().keeps() | {"link": self._model.link(), "bare": self.bare}

    def stands(self) -> Any:
        return super().stands() | {"bare": self.bare}, self._model.stands()

    def stand_at(self, stood: Any) -> None:
        super().stand_at(stood[0])
        self._model.stand_at(stood[1])

    def met(self, query: str, stored: Mapping[str, str]) -> None:
        """An address that names another question than the class stands at shows that: the class is offered, or comes
        there where the address asks for it (``class``), unless it is being asked something."""
        code = stored.get(KEY, "")
        away = not self._bridge.again and self._leads_away(query, code)
        self._stays = away and "class=" in query
        self._offered = code if away and not self._stays else ""
        try:
            super().met(query, {**stored, KEY: ""} if self._offered else stored)
        finally:
            self._stays = False

    def _leads_away(self, query: str, code: str) -> bool:
        """Whether an address names a question, and not the settings at which that open class stands; one of a class,
        and it stands at another question."""
        if not (code and current().rooms) or "q" not in asked(query)[0]:
            return False
        with closing(Rooms()) as rooms:
            room = rooms.room(code) if code in rooms.codes("class") else None
        if room is None or room.shown.get("phase") == "over":
            return False
        stood, link = self._model.stands(), str(room.kept.get("link", ""))
        if "class=" in query:
            return asked(link)[0].get("q", "") not in ("", asked(query)[0]["q"])
        try:
            self._model.take(query)
            put = [str(each.get("key")) for each in room.kept.get("asked", ())[-1:]]
            return self._model.link() != link and self._key_here not in put
        except NavalkitError:  # a link that is wrong leads nowhere
            return False
        finally:
            self._model.stand_at(stood)

    def take_back(self) -> None:
        """One that was offered comes to what is shown here, to be asked that, unless it is being asked something."""
        if self.room is not None or not self._offered:
            super().take_back()
            return
        self._stays = True
        try:
            self.start(self._offered, new=False)
        finally:
            self._stays = False
        self._offered = ""
        self.show()

    def entered(self) -> None:
        """The page goes where the class was; while it guesses, where it was asked: nothing that another Python shows
        may tell the answer."""
        room = self.room
        assert room is not None
        super().entered()
        if self.sees != READY:
            self.sees = BOARD
        self.bare = room.kept.get("bare") is True and not self._stays  # what is new to it is not told unasked
        if (link := str(room.kept.get("link", ""))) and not self._stays:
            self._go_to(link)
            self.placed = self._model.link() == link
        if self.asking and room.question is not None:
            self._go_to(room.question.key)
            self.placed = self.here
            if not self.here:
                self._put_away()
        self._model.repaint()

    def _go_to(self, link: str) -> None:
        """To those settings, to be shown later; not to what another version asked, of a question that there is no
        more."""
        with suppress(NavalkitError):
            self._model.take(link)

    def left(self) -> None:
        self.placed = self.bare = False
        self._offered = ""
        self._moved()

    def _asked(self, text: str) -> Asked:
        """The question of the present settings."""
        question, settings = self._model.question, self._model.settings
        set_to = "; ".join(f"{each.label}: {each.shown(settings[each.name])}" for each in question.controls)
        return Asked(KIND, text, _CHOICES, more=set_to, key=self._key_here, scale="%")

    def _ask(self) -> None:
        answer = self._answer()
        if answer is None:
            raise OptionError(SAY("said.early"))
        if answer.unit:
            raise OptionError(SAY("guess.unit", unit=answer.unit))
        self.bare = False
        self._put(self._asked(answer.said))
        self.seen()
        self._model.repaint()

    def _switch_bare(self) -> None:
        self._lay_bare(not self.bare)

    def _lay_bare(self, on: bool) -> None:
        """Show the number before the class is asked, and go on showing it as the sliders move; or hide it again."""
        if self.locks():
            raise HeldError if self.lost else OptionError(SAY("guess.open"))
        self.bare = on
        self._model.repaint()

    def again(self) -> None:
        """The same question: the sliders go back to what it was asked of, if they were moved since."""
        self._back()
        self.bare = False
        super().again()
        self._model.repaint()

    def _back(self) -> None:
        """Back to what was asked, to be shown later."""
        room, targets = self.room, dict(self._model.targets)
        if room is not None and room.question is not None and not self.here:
            self._model.take(room.question.key)
            self._model.targets = targets

    def _tell(self) -> None:
        room = self.room
        if room is None or room.question is None or not self.asking:
            raise OptionError(ROOM("class.nothing"))
        if not self.here:  # what is told is what was asked
            self._back()
            self._model.repaint()
        answer = self._answer()
        if answer is None:
            raise OptionError(SAY("said.early"))
        value = amount(answer.value, answer.unit)
        with room.step():  # closed and told, or neither
            room.close()
            guesses = [int(each) for each in room.answers().values()]
            told = SAY("guess.told", value=value, middle=middle(guesses)) if guesses else SAY("guess.none", value=value)
            room.reveal(Result((), told))
        self._model.repaint()

    # Led from elsewhere ---------------------------------------------------------------------------------------------

    def kinds(self) -> Sequence[tuple[str, str]]:
        shows = (HIDE if self.bare else SHOW, self.show_number.description)
        return ((KIND, self.put.description), *[shows] * is_shown(self.show_number))

    def put_now(self, kind: str) -> None:
        if kind == KIND:
            self._ask()
        elif kind in (SHOW, HIDE):
            self._lay_bare(kind == SHOW)

    def onward(self) -> None:
        """The number of the sliders is asked for; once it is told, a slider is to be moved first."""
        if self.guessing is not None:
            raise OptionError(SAY("guess.known"))
        self._ask()

    def secret(self) -> Secret:
        return Secret(say=SAY("guess.move" if self.guessing is not None else "guess.next"))

    def face(self) -> Face:
        question = self.room.question if self.room is not None and self.here else None
        return Face(question.text if question is not None else self._model.question.title, asks=question is not None)

    def show(self) -> None:
        lost = self.lost
        shown(self.put, self.room is not None and not self.asking and not lost)
        shown(self.show_number, self.before_class and not self.asking and not lost and self.guessing is None)
        self.show_number.say("button.hide" if self.bare else "button.show")
        shown(self.reveal, self.asking and not lost)
        super().show()
        offered = self.room is None and bool(self._offered)
        for each in (self._elsewhere, self.here_again):
            shown(each, lost or offered)
        if offered:
            self._lost_text.value = paragraph(SAY("guess.offered", code=self._offered))
        shown(self.tell, False)
        now, before = (self.code, lost, self.guessing), self._shown
        if now != before:
            self._shown = now
            if before and before[:2] != now[:2]:  # a class comes or goes: the whole page tells the number, or does not
                self._model.repaint()
            else:
                self._moved()

    def _votes(self) -> Markup:
        """The class sees its guesses beside the picture."""
        return Markup()
