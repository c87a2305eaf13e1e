"""Pages in the cells of a notebook: the game of a match, an explorer, a stepper, each linked to Python.

They are the pages that Voila serves. Where somebody is there to press buttons the page is shown; where nobody is (a
notebook run by nbconvert, or looked at on GitHub) a picture of it, which is saved beside the page in any case.
"""

from __future__ import annotations
import os
import sys
import uuid
from abc import abstractmethod
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any
from weakref import WeakMethod

from traitlets import Any as Anything, Dict, HasTraits, Int, Unicode, observe, validate

from navalkit.core.errors import NavalkitError, OptionError, brief
from navalkit.core.match import Match
from navalkit.core.shown import Markup, html, listing, paragraph
from navalkit.core.words import ENGLISH, SAY as CORE, Voice, speaking
from navalkit.explore import Answer, Proof, ask, picture as charts, question as find_question
from navalkit.players import player
from navalkit.players.own import register
from navalkit.view.files import png
from navalkit.view.painters import image
from navalkit.view.scene import Scene
from navalkit.walks import shows
from navalkit.walks.stepper import Stepper
from . import SAY
from .desk import looping
from .explore.app import Explorer
from .explore.html import ExploreModel
from .play.app import GameApp
from .play.controller import Controller
from .play.sight import YOU
from .shell import Shell
from .step.page import StepPage
from .widgets import classed

ROOM = 720.0, 240.0
"""Of the picture of a question's settings, px."""
VIEW = "application/vnd.jupyter.widget-view+json"


def attended() -> bool:
    """Whether somebody is there to press a button: who runs a notebook by itself tells the kernel that nobody can be
    asked for input (``allow_stdin`` of Jupyter's messages). Voila does too, and shows its pages to somebody."""
    kernel = _kernel()
    if kernel is None or os.environ.get("SERVER_SOFTWARE", "").startswith("voila/"):
        return kernel is not None
    asked = kernel.get_parent() or {}
    return bool(asked.get("content", {}).get("allow_stdin", True))


def _shell() -> Any:
    """IPython's shell, None where there is none."""
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None else None


def _kernel() -> Any:
    shell = _shell()
    return shell.kernel if shell is not None and shell.has_trait("kernel") else None  # IPython's own terminal has none


class Cell(HasTraits):
    """What a cell shows: a page, made when it is first looked at, and the picture of it for where there are no widgets.
    What is done on the page changes its traits, so that `observe` hears of it, and to set them moves the page."""

    def __init__(self) -> None:
        super().__init__()
        self._syncing = False
        if (shell := _shell()) is not None:
            shell.events.register("post_run_cell", _Weak(self._ran))

    @cached_property
    def page(self) -> Shell:
        """The page itself."""
        with speaking(Voice(ENGLISH)):
            made = self._made()
        made.bridge.place = uuid.uuid4().hex
        classed(made.widget, "nk-cell")
        return made

    @abstractmethod
    def _made(self) -> Shell:
        """The page, at what is shown."""

    @abstractmethod
    def picture(self) -> Scene:
        """What it shows now, as one picture."""

    @abstractmethod
    def said(self) -> Markup:
        """What it shows now, in HTML beside the picture."""

    @abstractmethod
    def _sync(self) -> None:
        """Take into the traits what the page has done."""

    def _ran(self, *_: Any) -> None:
        """A cell of the notebook has been run: it may have changed what is shown."""

    def _follow(self, model: Any) -> None:
        """Hear of the model's changes after its page has."""
        usual = model.changed

        def changed() -> None:
            usual()
            self.synced()

        model.changed = changed

    def synced(self, *_: Any) -> None:
        """The page has changed."""
        if not self._syncing:
            with self._quietly():
                self._sync()

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        before, self._syncing = self._syncing, True
        try:
            yield
        finally:
            self._syncing = before

    def _tell(self, **found: Any) -> None:
        """Set what is only to be observed: set by Python it would tell something else than the page."""
        for name, value in found.items():
            self.set_trait(name, value)

    def _there(self, ply: int, last: int) -> int:
        """A moment, if there is one of that number; OptionError, and the page stays where it is."""
        if not self._syncing and not 0 <= ply <= last:
            raise OptionError(CORE("match.no_ply", cursor=last, ply=brief(ply)))
        return ply

    def _repr_html_(self) -> str:
        with speaking(Voice(ENGLISH)):
            return image(self.picture()) + self.said()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": repr(self), "text/html": self._repr_html_()}
        with speaking(Voice(ENGLISH)):
            bundle["image/png"] = b64encode(png(self.picture(), scale=1)).decode()  # where HTML is not read
        if attended():
            widget = self.page.widget
            bundle[VIEW] = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
        return bundle


class _Weak:
    """Calls a method as long as its object lives: IPython's events would keep it alive."""

    def __init__(self, method: Callable[..., object]) -> None:
        self._method = WeakMethod(method)

    def __call__(self, *args: Any) -> None:
        if (call := self._method()) is not None:
            call(*args)


class GameCell(Cell):
    """The game of a match, to play.

    ``match``: the one that is played: what is done on the page is done to it, and what Python does to it is shown after
    the cell. A new game on the page is another match. ``ply``: its plies so far. ``seats``: who plays, by player
    number: the name of a machine player, or "" for somebody at the screen.
    """

    match = Anything(read_only=True)
    ply = Int()
    seats = Anything(read_only=True)

    def __init__(self, match: Match, players: tuple[Any, ...] = ()) -> None:
        super().__init__()
        self.control = control = Controller(match.game.name)
        if players or match.players == match.game.players:
            match.players = self._names(match, players or tuple(seat or YOU for seat in control.page.seats))
        control.desk.cancel_all()
        control.take_up(match)
        control.hush()
        control.changed = self.synced
        self.synced()

    def __repr__(self) -> str:
        return f"<GameCell {self.match!r}>"

    def _made(self) -> Shell:
        page = GameApp(self.control.name, control=self.control)
        self._follow(self.control)
        return page

    def picture(self) -> Scene:
        return self.control.scene()

    def said(self) -> Markup:
        control = self.control
        with speaking(control.voice):
            now = control.ending() if self.match.over else control.page.now(control.glance())
            return paragraph(control.headline()) + paragraph(now)

    def _sync(self) -> None:
        self.ply = self.control.match.ply
        self._tell(match=self.control.match, seats=self.control.seats)

    def _ran(self, *_: Any) -> None:
        if self.control.match.ply != self.ply:  # played in Python
            self.control.take_up(self.control.match)
            self.control.hush()
            self.control.repaint()

    @validate("ply")
    def _is_ply(self, proposal: Any) -> int:
        return self._there(proposal["value"], self.control.match.ply)

    @observe("ply")
    def _to_ply(self, change: Any) -> None:
        """Set by Python: the page looks at that moment."""
        if not self._syncing:
            self.control.look_at(change["new"])

    @staticmethod
    def _names(match: Match, players: tuple[Any, ...]) -> tuple[str, ...]:
        """The players as a record has them; a class is registered, as pages ask for players by name."""
        game = match.game
        deciders = [seat for seat in range(len(game.players)) if seat not in game.automatic]
        if len(players) not in (0, len(deciders), len(game.players)):
            raise OptionError(SAY("cells.players", game=game.title, n=len(deciders), m=len(players)))
        names = list(game.players)
        for seat, each in zip(deciders, players, strict=False):
            name = YOU if each in (None, "", YOU) else each if isinstance(each, str) else register(each)
            if name != YOU:
                player(name, game)  # refuses an unknown one before anything changes
            names[seat] = name
        return tuple(names)


class ExplorerCell(Cell):
    """A question with its sliders.

    ``question``: its id; ``settings``: its controls by name, of which some may be set at a time; ``answer`` and
    ``value``: what comes of them, None where they do not go together.
    """

    question = Unicode()
    settings = Dict()
    answer = Anything(read_only=True)
    value = Anything(read_only=True)

    def __init__(self, id: str, **settings: Any) -> None:
        super().__init__()
        self.model = ExploreModel(question=find_question(id))
        self.model.move(settings)
        self.model.hush()
        self.model.changed = self.synced
        self.synced()

    def __repr__(self) -> str:
        return f"<ExplorerCell {self.question} {self.settings}: {self.answer and self.answer.number}>"

    def _made(self) -> Shell:
        page = Explorer(self.model)
        self._follow(self.model)
        page.found = self.synced
        return page

    def picture(self) -> Scene:
        question, settings = self.model.question, dict(self.model.settings)
        answer = self._answer()
        if question.picture is None and answer is not None and answer.plots:
            return charts.picture(answer.plots[0])
        return question.picture(settings, answer, ROOM) if question.picture else Scene(*ROOM, ())

    def said(self) -> Markup:
        question, answer = self.model.question, self._answer()
        told = "; ".join(f"{each.label}: {each.shown(self.model.settings[each.name])}" for each in question.controls)
        head = html("<h3>{}</h3>", question.title) + paragraph(told)
        if answer is None:
            return head + paragraph(self._why)
        proof = ask.proof(question, dict(self.model.settings))
        rests = proof._repr_html_() if isinstance(proof, Proof) else paragraph(str(proof))
        return head + answer._repr_html_() + rests

    def _answer(self) -> Answer | None:
        """The answer to what the sliders show; None where they do not go together, or while a page calculates it."""
        self._why = ""
        try:
            return ask.answer(self.model.question, dict(self.model.settings))
        except NavalkitError as error:
            self._why = str(error)
            return None

    def _sync(self) -> None:
        model, page = self.model, self.__dict__.get("page")
        self.question, self.settings = model.question.id, dict(model.settings)
        if page is None or page.settled or not looping():  # else it comes, slice by slice: a page is not held up
            self._take()

    def _take(self) -> None:
        answer = self._answer()
        self._tell(answer=answer, value=answer.value if answer is not None else None)

    @observe("question", "settings")
    def _asked(self, change: Any) -> None:
        """What Python asks is answered when its next line runs; the page finds it calculated."""
        if self._syncing:
            return
        try:
            (self.model.choose if change["name"] == "question" else self.model.move)(change["new"])
        finally:  # refused: the traits are as they were
            with self._quietly():
                self._sync()
                self._take()


class StepperCell(Cell):
    """A match, one decision at a time, each with its reasons.

    ``at``: the moment looked at, from 0; to set it goes there. ``match``: the match. ``decision``: of who decides
    there, None where nobody does.
    """

    at = Int()
    match = Anything(read_only=True)
    decision = Anything(read_only=True)

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.stepper = stepper = Stepper(shows.saved(match.game.name, match))
        stepper.changed = self.synced
        stepper.go(stepper.show.opening)

    def __repr__(self) -> str:
        return f"<StepperCell {self.match!r} at={self.at}>"

    def _made(self) -> Shell:
        page = StepPage(self.stepper.show.name, stepper=self.stepper)
        self._follow(page.model)
        return page

    def picture(self) -> Scene:
        stepper = self.stepper
        return stepper.walk.scene(stepper.sight, stepper.walk.camera())

    def said(self) -> Markup:
        stepper = self.stepper
        head = paragraph(" ".join((stepper.walk.place(stepper.row, stepper.at), *stepper.news)))
        return head + listing("ol", (" ".join(filter(None, (line.ask, line.text))) for line in stepper.lines))

    def _sync(self) -> None:
        told = self.stepper.decided
        self.at = self.stepper.at
        self._tell(match=self.stepper.show.match,
                   decision=None if told is None or self.stepper.asked else told.decision)

    @validate("at")
    def _is_moment(self, proposal: Any) -> int:
        return self._there(proposal["value"], len(self.stepper.row) - 1)

    @observe("at")
    def _to(self, change: Any) -> None:
        if not self._syncing:
            self.stepper.go(change["new"])
            self.synced()


def show(match: Match, *players: Any) -> GameCell:
    """See `Match.show`."""
    return GameCell(match, players)


def explorer(id: str, **settings: Any) -> ExplorerCell:
    """See `navalkit.explorer`."""
    return ExplorerCell(id, **settings)


def stepper(match: Match) -> StepperCell:
    """See `navalkit.stepper`."""
    return StepperCell(match)
