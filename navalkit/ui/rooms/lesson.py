"""A lesson before a class that has its phones alone: its hook and exercises at the teacher's pace, and how it goes.

One page for the projector: the question, on reveal the answers and the mistakes behind them, and a board of progress
by exercise and slip. No phone is named on it.
"""

from __future__ import annotations
import os
import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from navalkit.core.awaited import finish
from navalkit.core.errors import OptionError
from navalkit.core.registry import package
from navalkit.core.shown import Markup, html, many, paragraph
from navalkit.core.words import ENGLISH, Voice, language, speaking
from navalkit.rooms.classroom import Poll
from navalkit.teach.clicker import Clicker, Option, again, clickers, lessons, position, title, word
from navalkit.teach.papers import DOOR, markdown, read_only
from navalkit.view.page import Choice, Look, Note, Question, Result, glance_at, page_of
from navalkit.view.painters import svg
from navalkit.view.scene import Cell, Layer, Scene
from navalkit.walks import boards
from navalkit.walks.shows import on_screen
from navalkit.walks.told import Moment
from navalkit.walks.walk import Walk, walk_of
from .. import shell
from ..frontend import current
from ..play import controls
from ..shell import Bridge, Model, Shell
from ..widgets import HTML, Box, Dropdown, Heard, KeyButton, box, classed, shown
from . import ROOM
from .held import kept_under
from .panel import Face, RoomPanel, Secret, bars, come
from .screen import LEAST, SMALLEST, Sea, part_of

# -- A lesson's question as a class is asked it on phones, and what it is told: on a board where the answer is a place

KIND = "lesson"
SEEN = "lesson-seen?"
"""Under which a tab keeps whether it shows the class's screen."""
FRESH = "fresh"
"""The order to ask a question again with other numbers."""
SQUARES = "squares"
"""Answers that are squares still to be looked at; any other word for cells names who decides where to go."""
LONGEST = 360
"""Characters of a question that a phone shows: of a longer one the paragraph that asks, the rest is in front."""
MARGIN = 4.0
"""Pixels below the squares; what else the game has there is not asked."""
_MARKS = re.compile(r"\*\*|(?<!\w)\*|\*(?!\w)|`|\[([^\]]*)\]\([^)]*\)")


def question(asked: Clicker) -> Question:
    """What phones are asked."""
    look = asked.look
    choices = tuple(Choice(each.id, each.label) for each in asked.options)
    made = Question(KIND, asked.title, choices, more=plain(asked.text), key=asked.id)
    if not look:
        return made
    if "marked" in look:
        match = position(look)
        chart = package(match.game.name).offered("lesson", None).goal_chart
        return replace(made, board=chart(match.state, look["marked"]))
    if look.get("cells", SQUARES) != SQUARES:
        walk, game, moment = _decision(look)
        asked_of = walk.ask(walk.asks[0], game, moment, look["cells"])
        return replace(asked_of, text=made.text, more=made.more, key=made.key)
    scene = _board(look)
    if "cells" not in look:
        return replace(made, board=scene)
    cells = _squares(look, scene)
    scene = replace(scene, height=max(y for cell in cells for _, y in cell.outline) + MARGIN)
    (x, y), outline = _middle(cells[0]), cells[0].outline
    places = tuple(Choice(cell.id, cell.id, _middle(cell)) for cell in cells)
    return replace(made, choices=places, board=scene, shape=tuple((a - x, b - y) for a, b in outline))


def result(asked: Clicker, put: Question, votes: Mapping[str, int]) -> Result:
    """What they are told once the teacher reveals it."""
    look = asked.look
    if look.get("cells", SQUARES) != SQUARES:
        walk, game, moment = _decision(look)
        decided = finish(walk.deciding(game, moment, look["cells"]))
        return finish(walk.result(decided, walk.asks[0], votes))
    notes = {each.id: Note("", each.say, each.slip) for each in asked.options if each.slip or each.say}
    told = Result(asked.right, asked.told, "", notes)
    if "cells" in look and put.board is not None:
        cells = {cell.id: cell for cell in put.board.cells}
        marks = Layer("answers", (*boards.heat(cells, votes), *boards.ring(cells, *asked.right)))
        return replace(told, board=replace(put.board, layers=(*put.board.layers, marks)))
    return told


def tapped(put: Question) -> dict[str, Cell]:
    """Answer -> its cell on the question's board, for those that have one."""
    places = ((each.id, each.at) for each in put.choices if each.at is not None and put.shape)
    return {id: Cell(id, tuple((x + a, y + b) for a, b in put.shape), id) for id, (x, y) in places}


def plain(text: str) -> str:
    """Markdown as a phone shows it: without marks, and without tables, which are in front."""
    parts = [part for part in text.strip().split("\n\n") if not part.lstrip().startswith(("|", "```", ">"))]
    if sum(map(len, parts)) > LONGEST:
        parts = [part for part in parts if "?" in part][-1:] or parts[-1:]
    return _MARKS.sub(lambda found: found[1] or "", "\n".join(parts))


def _decision(look: Mapping[str, Any]) -> tuple[Walk[Any, Any, Any], Any, Moment[Any]]:
    """The first decision of what the lesson shows."""
    match = position(look)
    walk = walk_of(match.game)
    return walk, match.game, next(moment for moment in walk.row(match) if moment.who)


def _board(look: Mapping[str, Any]) -> Scene:
    match = position(look)
    return page_of(match.game.name).scene(glance_at(match), Look(tall=True))


def _squares(look: Mapping[str, Any], scene: Scene) -> Sequence[Cell]:
    match = position(look)
    legal = {match.game.format_action(action) for action in match.legal()}
    return [cell for cell in scene.cells if cell.id in legal]


def _middle(cell: Cell) -> tuple[float, float]:
    xs, ys = zip(*cell.outline, strict=True)
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


KEY = "lesson-class"
"""Under which the browser keeps the code of the class."""


class LessonModel(Model):
    """A lesson, and where the class is in it. ``lesson``: its word. ``at``: the present question. ``drawn``: how often
    other numbers were drawn."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder, self.drawn = folder, 0
        self._fresh: dict[str, Clicker] = {}  # questions with other numbers, of whatever lesson
        self.open("1")

    @property
    def languages(self) -> tuple[str, ...]:
        return ROOM.languages

    def open(self, lesson: str) -> None:
        """Begin a lesson, named by its number or its word."""
        self.take(lesson)
        self.repaint()

    def take(self, lesson: str) -> None:
        """The same, to be shown later."""
        self.lesson, self.at = word(lesson), 0
        self.asked = [self._fresh.get(each.id, each) for each in clickers(self.lesson, self.folder)]

    @property
    def now(self) -> Clicker:
        """The present question."""
        return self.asked[self.at]

    @property
    def title(self) -> str:
        """What the lesson is called."""
        return title(self.lesson, self.folder)

    def go(self, by: int) -> None:
        """To another question, to be shown later."""
        self.at = min(max(self.at + by, 0), len(self.asked) - 1)

    def stands(self) -> dict[str, Any]:
        """Where it stands, for `stand_at`."""
        return {name: vars(self)[name] for name in ("lesson", "at", "drawn")} | {
            "asked": [*self.asked], "_fresh": {**self._fresh}}

    def stand_at(self, stood: Mapping[str, Any]) -> None:
        """Stand where it stood."""
        vars(self).update(stood)

    def keeps(self) -> dict[str, Any]:
        """The same as data: questions with other numbers are whole, for others might be drawn the next time."""
        numbers = [asdict(each) for each in self._fresh.values()]
        return {"lesson": self.lesson, "question": self.now.id, "retests": self.drawn, "numbers": numbers}

    def go_on(self, kept: Mapping[str, Any]) -> None:
        """Stand where `keeps` was told; what the lesson has no more is passed over."""
        if kept["lesson"] in lessons():
            self._fresh = {each["id"]: _read(each) for each in kept["numbers"]}
            self.drawn = int(kept["retests"])
            self.take(kept["lesson"])
            self.find(kept["question"])

    def find(self, key: str) -> None:
        """To the question of that id; one that is not there is passed over."""
        self.at = next((at for at, each in enumerate(self.asked) if each.id == key), self.at)

    def renew(self) -> None:
        """The present question with other numbers, to be shown later; what comes after it and shares them has them
        too."""
        self.drawn += 1
        for at, each in enumerate(self.asked[self.at :], self.at) if self.now.family else ():
            if each.family == self.now.family and (fresh := again(each.id, self.folder, self.drawn)) is not None:
                self.asked[at] = self._fresh[each.id] = fresh


def _read(kept: Mapping[str, Any]) -> Clicker:
    options = tuple(Option(**option) for option in kept["options"])
    return Clicker(**{**kept, "options": options, "right": tuple(kept["right"])})


class LessonClass(RoomPanel):
    """The panel of such a class."""

    _model: LessonModel

    def __init__(self, model: LessonModel, bridge: Bridge) -> None:
        super().__init__(model, bridge, KEY)
        made = self._made
        self._progress_open = True
        self._left = 0  # the round of a question that was closed as another was looked at
        self._drawn: tuple[tuple[Clicker, str], Question] | None = None
        self._told_again: tuple[Question, Mapping[str, int], Result] | None = None
        self.ask = made("lesson.ask", self._ask)
        self.back = made("lesson.back", lambda: self._go(-1))
        self.on = made("lesson.next", lambda: self._go(1))
        self.fresh = made("lesson.fresh", self._renew)
        self.widget = self.panel(box("nk-room-row", self.ask, self.shut, self.tell),
                                 box("nk-room-row", self.back, self.on, self.fresh))

    @property
    def title(self) -> str:
        return self._model.title

    def entered(self) -> None:
        assert self.room is not None
        super().entered()
        if "lesson" in (kept := self.room.kept):
            self._model.go_on(kept)
        if self.room.result is not None:  # but for its board, which is not kept
            self.room.result = replace(self.room.result, board=self._result.board)
        self._left = int(self.room.kept.get("left", 0))
        self._model.repaint()

    def keeps(self) -> dict[str, Any]:
        return super().keeps() | self._model.keeps() | {"left": self._left}

    @property
    def _result(self) -> Result:
        """What is told of the present question, with what was answered until now."""
        assert self.room is not None
        return result(self._model.now, self._now, self.room.votes())

    def kinds(self) -> Sequence[tuple[str, str]]:
        asks = (("", ROOM("lesson.ask")),)
        return (*asks, (FRESH, ROOM("lesson.fresh"))) if self._model.now.family else asks

    @property
    def presses(self) -> Mapping[str, Callable[[], None]]:
        mine: dict[str, Callable[[], None]] = {
            "lesson-ask": self._ask, "lesson-back": self.backward, "lesson-next": partial(self._go, 1),
            "lesson-fresh": self._renew,
        }  # fmt: skip
        return {**super().presses, **mine}

    def put_now(self, kind: str) -> None:
        if kind == FRESH:
            self._model.renew()
        self._ask()

    def onward(self) -> None:
        """The next question, put at once, unless the class was told it or is being asked it; OptionError after the
        last one."""
        model = self._model
        if self.room is None:
            return
        if self.poll is not None and model.at == len(model.asked) - 1:
            raise OptionError(ROOM("lesson.over"))
        if self.poll is not None:
            self._go(1)
        if self.poll is None:
            self._ask()

    def backward(self) -> None:
        self._go(-1)

    @property
    def _now(self) -> Question:
        """The present question as phones are asked it, drawn once."""
        now = self._model.now, self._model.voice.lang
        if self._drawn is None or self._drawn[0] != now:
            self._drawn = now, question(now[0])
        return self._drawn[1]

    @property
    def _here(self) -> bool:
        """Whether the question asked last is the present one."""
        put, room = self._now, self.room
        asked = room.question if room is not None else None
        return asked is not None and (asked.key, asked.more) == (put.key, put.more)

    @property
    def waits(self) -> bool:
        return self.asking and self._here

    @property
    def repeats(self) -> bool:
        return self._here

    @property
    def poll(self) -> Poll | None:
        if self._here or self.room is None:
            return super().poll
        put = self._now
        if not self.room.told(put):
            return None
        poll = self.room.polled(put, None)
        votes = poll.votes()
        if self._told_again is None or self._told_again[:2] != (put, votes):
            self._told_again = put, votes, result(self._model.now, put, votes)
        return replace(poll, result=self._told_again[2])

    @property
    def stand(self) -> str:
        return f"{super().stand} {self._model.at} {self._model.drawn}"

    def stands(self) -> Any:
        return super().stands(), self._model.stands(), self._left

    def stand_at(self, stood: Any) -> None:
        super().stand_at(stood[0])
        self._model.stand_at(stood[1])
        self._left = stood[2]

    def face(self) -> Face:
        now, poll = self._model.now, self.poll
        asks = poll is not None
        told = poll is not None and poll.result is not None
        side = ROOM("lesson.place", number=self._model.at + 1, of=len(self._model.asked))
        options = tapped(self._now)
        how = ROOM("screen.tap" if options else "screen.choose") if asks and not told else ""
        return Face(now.title, "", how, markdown(now.text), side, asks=asks)

    def sea(self) -> Sea | None:
        put, poll = self._now, self.poll
        if put.board is None:
            return None
        cells, look = tapped(put), self._model.now.look or {}
        if not {"cells", "marked"} & look.keys():
            match = position(look)
            wide, high = (each * SMALLEST / LEAST for each in part_of(1280, 800))
            return Sea(page_of(match.game.name).scene(glance_at(match), Look(room=(wide, high), still=True)))
        told = poll.result if poll is not None else None
        if told is not None and told.board is not None and not cells:
            return Sea(told.board)
        return Sea(put.board, cells)

    def secret(self) -> Secret:
        now, poll = self._model.now, self.poll
        right: Sequence[str] = now.right
        look = now.look or {}
        if look.get("cells", SQUARES) != SQUARES:
            right = result(now, self._now, {}).right
        last = self._model.at == len(self._model.asked) - 1
        told = poll is not None and poll.result is not None
        say = ROOM("lesson.say.over" if last and told else "say.on")
        return Secret(right, lines=((now.title, now.told, told),), say=say)

    def ahead(self) -> tuple[Sequence[tuple[str, float]], int]:
        return tuple((each.title, 1.0) for each in self._model.asked), self._model.at

    def show(self) -> None:
        now, asked = self._model.now, self.poll is not None
        told = asked and not self.waits
        self.ask.disabled = self.waits
        self.ask.button_style = "" if asked else "primary"
        self.tell.button_style = "primary" if self.waits else ""
        self.on.button_style = "primary" if told else ""
        self.back.disabled = self._model.at == 0
        self.on.disabled = self._model.at == len(self._model.asked) - 1
        shown(self.fresh, bool(now.family))
        super().show()

    def _ask(self) -> None:
        self._put(self._now)
        self._model.repaint()

    def _tell(self) -> None:
        room = self.room
        if room is None or not self.waits:
            raise OptionError(ROOM("class.nothing"))
        votes, told = room.votes(), self._result  # drawn before, for answers wait as long as a step takes
        with room.step():  # closed and told, or neither
            room.close()
            room.reveal(told if room.votes() == votes else self._result)
        self._model.repaint()

    def _go(self, by: int) -> None:
        self._model.go(by)
        self.turned()

    def turned(self) -> None:
        """Another question is looked at: phones wait until it is asked. One that is open is closed meanwhile, and goes
        on where it stands."""
        room = self.room
        if room is None or not self.asking:
            self.wait()
            return
        if not self._here and room.open:
            self._left = room.round
            room.close(rests=True)
        elif self._here and self._left == room.round:
            self._left = 0
            room.reopen()
        room.keep()
        self._model.repaint()

    def _renew(self) -> None:
        self._model.renew()
        self.wait()

    def wait(self) -> None:
        """Something else is to be asked, which the room keeps: phones wait for it."""
        if self.room is not None:
            self.room.wait()
        self._model.repaint()

    def _votes(self) -> Markup:
        room = self.room
        return come(room, room.votes()) if room is not None and self.waits else Markup()  # told ones stand with theirs


class LessonPage(Shell):
    """The page."""

    def __init__(self, folder: Path) -> None:
        self.model = model = LessonModel(folder)
        super().__init__(model, [*kept_under(KEY), SEEN])
        model.changed = self.refresh
        self._heard, self._query = Heard(), ""
        self.chooser = Dropdown(options=[(title(each, folder), each) for each in lessons()],
                                description=ROOM("lesson.which"))
        self._heard.value(self.chooser, self.safe(self._chosen))
        self.large = KeyButton("class.large", self.safe(lambda _: self._project(True)), words=ROOM)
        self.status, self.question = classed(HTML(), "nk-status"), classed(HTML(), "nk-lesson-question")
        self.phones = LessonClass(model, self.bridge)
        self.phones.leave = lambda: self._project(False)
        left = box("nk-left", self.chooser, self.large, self.question, column=True)
        right = box("nk-right", self.status, self.phones.widget, column=True)
        self.widget = box("nk-page nk-live nk-lesson", left, right, self.bridge)
        self.refresh()

    def refresh(self) -> None:
        model, status = self.model, self.model.status
        try:
            with self._heard.quietly():
                self.chooser.value = model.lesson
            self.question.value = self._question()
            self.phones.show()
        finally:  # whatever cannot be shown, what is wrong is said
            self.status.value = controls.status("", "", "", status.text, status.error, status.count)

    def met(self, query: str, stored: dict[str, str], *, another_tab: bool) -> None:
        named = shell.asked(query)[0].get("lesson", "")
        if named:
            self.model.open(named)
        self.phones.met(query, stored)
        kept = stored.get(SEEN, "") if self.bridge.again else ""  # a page that is loaded again shows what it showed
        self._project(kept == str(True) if kept else on_screen(query))

    def _project(self, on: bool) -> None:
        """The class's screen alone, or the page."""
        self.phones.projected = on
        self.bridge.store(SEEN, str(on))
        self.refresh()

    def themed(self) -> None:
        self.phones.theme = self.theme

    def _chosen(self, lesson: str) -> None:
        self.model.take(lesson)
        self.phones.turned()

    def _question(self) -> Markup:
        model, now, poll = self.model, self.model.now, self.phones.poll
        head = ROOM("lesson.place", number=model.at + 1, of=len(model.asked))
        scene = self.phones._now.board
        below = _options(now)
        if poll is not None and poll.result is not None:
            scene = poll.result.board or scene
            below = html("<p class=nk-lesson-told>{}</p>", poll.result.text)
            below += bars(poll.question, poll.result, poll.votes())
        picture = _picture(scene) if scene is not None else ""
        form = "<p class=nk-note>{}</p><h2>{}</h2><div class=nk-lesson-asked><div>{}{}</div>{}</div>"
        return html(form, head, now.title, markdown(now.text), below, picture)


def _options(now: Clicker) -> Markup:
    """What can be chosen, for all to see; places are on the board."""
    return html("<ul class=nk-lesson-options>{}</ul>", many("<li>{}</li>", (each.label for each in now.options)))


def _picture(scene: Scene) -> Markup:
    data = b64encode(svg(scene).encode()).decode()
    alt = " ".join(f"{scene.title}. {scene.desc}".split())
    return html('<img alt="{}" src="data:image/svg+xml;base64,{}">', alt, data)


def class_lesson(folder: str = ".") -> Box:
    """The page of a lesson for a class with phones; where the teachers' door is closed, what opens it."""
    if read_only() and DOOR not in os.environ:
        return box("nk-page", HTML(paragraph(ROOM("lesson.door"))))
    with speaking(Voice(language(current().query) or ENGLISH)):
        return LessonPage(Path(folder)).widget
