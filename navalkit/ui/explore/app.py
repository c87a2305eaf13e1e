"""The explorer: sliders left, the number, its charts and a Monte Carlo run right; all made from a `Question`."""

from __future__ import annotations
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from ipywidgets import DOMWidget

from navalkit.core.awaited import Awaited
from navalkit.core.errors import NavalkitError, OptionError
from navalkit.core.registry import game_class
from navalkit.core.words import ENGLISH, speaking
from navalkit.explore import QUESTIONS, Answer, Proof, ask
from navalkit.explore.picture import SIGNS
from navalkit.explore.question import SAY, Question
from navalkit.rooms.classroom import HeldError
from ..desk import Slot
from ..frontend import current
from ..rooms.held import kept_under
from ..shell import Shell
from ..widgets import (
    HTML,
    Box,
    Dropdown,
    Heard,
    IntSlider,
    KeyButton,
    Spoken,
    box,
    button,
    classed,
    is_shown,
    keyed,
    maker,
    relabel,
    shown,
)
from . import html
from .charts import ControlWidget, MapBoard, MarksBoard, PlotView, RunView
from .guesses import KEY, Guesses
from .html import ExploreModel, Export, Over, Run
from .lectern import Lectern, Stand, first_axes, front

PLOTS = 3
"""Charts of an answer, at most."""
TRIALS = (1_000, 5_000, 20_000, 100_000, 1_000_000)
ANSWER, BESIDE, IDLE, MAP = "answer", "beside", "idle", "map"
"""What the desk calculates: the answer, and then what lies beside it, which sliders change nothing, and a map."""
PLACE = "explore?"
"""Under which the tab keeps where the page stands."""
EARLY = "nk-explore-early"
"""Of a page that has not heard from its browser yet: a class may be guessing, so no number is seen."""
CELLS = 21, 12
"""Columns and rows of a map, at most."""


class Heading(HTML, Spoken):
    """A heading in the reader's language."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self._key = key
        self.relabel()

    def relabel(self) -> None:
        self.value = html.heading(SAY(f"head.{self._key}"))


class Explorer(Shell):
    """The page. ``model``: one that stands somewhere already, in a notebook: no address opens anything else."""

    def __init__(self, model: ExploreModel | None = None) -> None:
        self._alone = model is None
        self.model = model = model or ExploreModel()
        super().__init__(model, [*kept_under(KEY), PLACE])
        self._stood = ""
        self.desk.waiting, self.made = self._waiting, maker(self.safe, SAY)
        model.changed = self.refresh
        self._heard, self._said = Heard(), ENGLISH
        self._answer: Answer | None = None
        self._beside_of: Question | None = None  # whose other way round, one more and most important slider are shown
        self._counted = False  # whether they are those of the present settings
        self._idle: tuple[str, ...] = ()
        self._wrong = ""  # why there is no answer
        self.large = False  # whether it is shown to a class
        self.found: Callable[[], object] = lambda: None
        """Called when the answer is there, or that there is none."""
        self.lectern = Lectern(model.guard(self._slide))
        self.map_board = MapBoard()
        self.map_board.clicked = model.guard(self._go_to)
        self._axes = [classed(Dropdown(), "nk-explore-axis") for _ in range(2)]
        self._found: ask.Map = {}
        self.run = Run(self.desk, self._show_run)
        self.status, self.message, self.words = (
            classed(HTML(), name) for name in ("nk-status", "nk-explore-message", "nk-explore-words")
        )
        self.proof = classed(HTML(), "nk-explore-proof")
        self.goal, self.gains, self.tornado = classed(HTML(), "nk-explore-goal"), HTML(), HTML()
        self.run_text, self.tornado_head = classed(HTML(), "nk-explore-run-text"), HTML()
        self.plots = [PlotView(self._exports(partial(self._chart, i))) for i in range(PLOTS)]
        self.run_view = RunView()
        self._fields: dict[str, list[ControlWidget]] = {}
        self.guesses = Guesses(model, self.bridge, lambda: self._answer, self._show_lectern,
                               lambda: self.settled or not self.desk.busy(ANSWER))
        self.guesses.seen = self._let_see
        self._targets: dict[tuple[int, int, int], IntSlider] = {}
        self.widget = self._page()
        self.refresh()

    def _button(self, key: str, call: Callable[[], Any], *css: str) -> KeyButton:
        return self.made(f"button.{key}", call, *css)

    def _page(self) -> Box:
        model, safe = self.model, self.safe
        self.games = {game: keyed(button(game_class(game).title, "", safe(partial(self._game, game))), f"game.{game}")
                      for game in dict.fromkeys(each.game for each in QUESTIONS.values())}
        self.chooser = classed(Dropdown(), "nk-explore-question")
        self._heard.value(self.chooser, safe(self._chosen))
        self.pin_button = self._button("pin", self._pin)
        self.lang_switch = self._button("lang", self._next_language)
        self.unpin_button = self._button("unpin-all", lambda: model.unpin(all=True))
        self.legend = box("nk-explore-legend")
        self.map_switch = self._button("map", self._switch_map)
        bar = (
            self.pin_button, self.unpin_button, self._button("reset", lambda: self.guesses.freely(model.reset)),
            self.map_switch, self._button("link", lambda: self.bridge.copy(model.link(), "link", link=True)),
            self._button("class", self._enlarge), self.lang_switch,
        )
        self.controls = box("nk-explore-sliders", column=True)
        self.ask_box = box("nk-explore-inverse", Heading("inverse"), self.target, self.goal, column=True)
        gain = box("nk-explore-gain", Heading("gain"), self.gains, column=True)
        self.proof_switch = self._button("proof", self._open_proof)
        self.copy_code = self._button("code", self._copy_code)
        self.proof_bar = box("nk-bar", self.proof_switch, self.copy_code)
        for each in (self.proof, self.copy_code):
            shown(each, False)
        left = (self.controls, box("nk-bar", *bar), self.legend, self.message, self.guesses.widget, self.ask_box, gain,
                self.words, self.proof_bar, self.proof)
        self.run_button = self._button("run", self._toggle)
        self.run_button.button_style = "primary"
        self.trials = Dropdown(options=[(f"{n:,}", n) for n in TRIALS], value=self.run.n)
        self._heard.value(self.trials, safe(self._trials))
        run_bar = box("nk-bar", self.run_button, self._button("again", self._again), self.trials)
        run = (self._head(Heading("run"), self._run_chart), run_bar, self.run_text, self.run_view.figure)
        self.run_box = box("nk-explore-chart nk-explore-run", *run, column=True)
        head = self._head(self.tornado_head, self._tornado_chart)
        self.tornado_box = box("nk-explore-tornado-card", head, self.tornado, column=True)
        self.right = box("nk-right", column=True)
        self._show_plots(0)
        css = MarksBoard()  # the style sheet comes with it, whatever the question
        shown(css, False)
        chooser = box("nk-explore-chooser", box("nk-explore-games", *self.games.values()), self.chooser, column=True)
        left_side = box("nk-left", *left, column=True)
        for n, menu in enumerate(self._axes):
            self._heard.value(menu, safe(partial(self._over_map, n)))
        head = self._head(Heading("map"), self._map_chart)
        self.map_box = box("nk-explore-map", head, box("nk-bar", *self._axes), self.map_board, column=True)
        shown(self.map_box, False)
        again = (self._button(key, call) for key, call in (
            ("map", self._switch_map), ("pin", self._pin), ("drawer", self._open_drawer), ("leave", self._enlarge)
        ))
        self.stage = box("nk-explore-stage", self.lectern,
                         box("nk-explore-stage-bar", self.guesses.put, self.guesses.show_number, self.guesses.reveal,
                             self.guesses.here_again, *again), column=True)
        page = "nk-page nk-live nk-explore" + f" {EARLY}" * (self._alone and current().rooms)
        return box(page, chooser, self.stage, left_side, self.right, self.map_box, css, self.bridge)

    def _head(self, heading: HTML, export: Callable[[], Export]) -> Box:
        return box("nk-explore-chart-head", heading, box("nk-explore-chart-tools", *self._exports(export)))

    def _exports(self, export: Callable[[], Export]) -> list[KeyButton]:
        return [self._button(kind, partial(self._take, export, kind)) for kind in ("csv", "svg", "png")]

    @property
    def title(self) -> str:
        return SAY("page")

    def _relabel(self) -> None:
        """Say everything in the reader's language."""
        self._said = self.model.voice.lang
        self.bridge.speak(self._said, self.title)
        self._fields.clear()
        for widget in (self.widget, self.run_box, self.tornado_box, *(view.widget for view in self.plots)):
            relabel(widget)
        self.run_view.say(SAY("run.trials"))

    def refresh(self) -> None:
        """Bring every widget up to date with the model, and have the answer calculated."""
        with speaking(self.model.voice):  # that of the question there is now
            self._refresh()

    def _refresh(self) -> None:
        model = self.model
        question, settings = model.question, dict(model.settings)
        self._keep_place()
        if self._said != model.voice.lang:
            self._relabel()
        self.run.of(question, settings)
        self._show_chooser()
        self.message.value = html.note(model.status.text, model.status.error)
        for view in self.plots:  # leave out names under the charts where there is no room for them
            if view.narrow != self.tall:
                view.narrow = self.tall
                view.paint(self.theme)
        self._counted = False
        self.desk.cancel(BESIDE)
        if self._beside_of is not question:
            self._beside_of = question
            for widget in (self.goal, self.gains, self.tornado):
                widget.value = ""
            shown(self.tornado_box, False)
        self._answer, self._wrong, self._idle = None, "", ()
        self.desk.cancel(IDLE)
        self._show_controls(None)
        self._show_pins()
        self.desk.ask(ANSWER, ask.either(question, settings), self._show_answer)
        if self._answer is None and not self._wrong:
            self._show_lectern()
        self._show_map()
        self.guesses.show()

    def tell(self, text: str) -> None:
        """Put a message under the sliders; where there is no answer and none will come, in its place."""
        if self._answer is None and not self.desk.busy(ANSWER):
            self.status.value = html.trouble(SAY("stopped"), self.model.status.count)
        else:
            self.message.value = html.note(text)

    def _waiting(self, slot: Slot, share: float | None) -> None:
        """Say that something is late, and how far it has come."""
        if slot not in (ANSWER, BESIDE):
            return
        self.waiting.tell(slot, share)
        late = share is not None
        if slot == ANSWER and late:
            self.status.value = html.waiting(self.model.status.count)
            self._show_controls({})
            self._fade(self._answered(), True)
        self._fade((self.goal, self.gains, self.tornado_box), late or not self._counted)

    def _show_answer(self, found: Answer | NavalkitError) -> None:
        model = self.model
        if isinstance(found, NavalkitError):
            self.run.clear()
            self._show_controls({})
            self._show_run()
            self._fade(self._answered(), True)
            self._wrong = str(found)[:1].upper() + str(found)[1:]
            self._show_lectern()
            self.status.value = html.trouble(self._wrong, model.status.count)
            self.guesses.show()
            self.found()
            return
        self._answer = answer = found
        self._show_lectern()
        self._show_controls({} if self.guesses.veiled else answer.cells)
        self._show_target()
        if not self.large:  # a class does not see them
            for view, plot in zip(self.plots, answer.plots, strict=False):
                if view.plot is not plot:
                    view.show(plot)
            self._show_plots(len(answer.plots))
        self.words.value = html.words(answer)
        self._show_proof()
        self._fade(self._answered(), False)
        self._show_run()
        # Last of all: what waits for the counter to go up finds the rest of the page in its place.
        locked = self.guesses.veiled
        self.status.value = (html.trouble(self.guesses.why, model.status.count) if locked else
                             html.number(answer, model.pins, model.settings, model.status.count))
        (self.widget.add_class if locked else self.widget.remove_class)("nk-explore-asking")
        question, settings = model.question, dict(model.settings)
        key = BESIDE, ask.awaited(question, settings).key
        self.desk.ask(BESIDE, Awaited(key, lambda: ask.beside(question, settings)), self._show_beside)
        self.guesses.show()
        self.found()

    @property
    def settled(self) -> bool:
        """Whether it is known what comes of the settings."""
        return self._answer is not None or bool(self._wrong)

    def _show_lectern(self) -> None:
        """What a class sees; nothing is drawn while there is none."""
        if self.large:
            model = self.model
            if self.guesses.lost:  # another page tells the class what there is to tell
                stand = Stand(model.question, dict(model.settings), None, wrong=str(HeldError()), still=True)
            else:
                stand = Stand(model.question, dict(model.settings), self._answer, model.pins, self._idle,
                              self.guesses.code, self.guesses.guessing, self._wrong, veiled=self.guesses.veiled,
                              refused=model.status.text if model.status.error else "")
            self.lectern.show(stand, self.theme)

    def _open_proof(self) -> None:
        """Open the answer into its rules and the Python that reproduces it, or close it."""
        open_ = not is_shown(self.proof)
        self.proof_switch.say("button.proof.close" if open_ else "button.proof")
        shown(self.proof, open_)
        self._show_proof()

    def _show_proof(self) -> None:
        proof = ask.proof(self.model.question, dict(self.model.settings)) if is_shown(self.proof) else None
        shown(self.copy_code, isinstance(proof, Proof))
        if proof is not None and not self.guesses.veiled:
            self.proof.value = html.opened(proof)

    def _copy_code(self) -> None:
        self.bridge.copy(self.model.question.proof(dict(self.model.settings)).code, "code")

    def _show_pins(self) -> None:
        """The buttons of what is pinned: a press goes back there."""
        pins = self.model.pins
        self.pin_button.say("button.unpin" if self.model.is_pinned else "button.pin")
        shown(self.unpin_button, len(pins) > 1)
        self.legend.children = tuple(
            button(f"{SIGNS[n]} {ask.amount(each.answer.value, each.answer.unit)}",
                   SAY("pinned.back", settings=html.differing(each, self.model.settings)),
                   self.model.guard(partial(self.guesses.freely, self.model.back_to, n)))
            for n, each in enumerate(pins)
        )

    # A map of two sliders ------------------------------------------------------------------------------------------

    def _switch_map(self) -> None:
        """Show the map of the first two sliders, or take it away."""
        if self.model.map is None and len(front(self.model.question)) < 2:
            raise OptionError(SAY("map.one"))
        self.model.over(*(("", "") if self.model.map else first_axes(self.model.question)))

    def _over_map(self, n: int, name: str) -> None:
        axes = self.model.map
        if axes is not None and name:
            other = axes[1 - n] if axes[1 - n] != name else axes[n]
            self.model.over(*((name, other) if n == 0 else (other, name)))

    def _show_map(self) -> None:
        model, axes = self.model, self.model.map
        locked = self.guesses.veiled
        shown(self.map_box, axes is not None and not locked)
        (self.widget.add_class if axes and not locked else self.widget.remove_class)("nk-explore-mapped")
        self.map_switch.button_style = "primary" if axes else ""
        if axes is None or locked:
            self.desk.cancel(MAP)
            return
        question, settings = model.question, dict(model.settings)
        options = tuple((each.label, each.name) for each in front(question))
        with self._heard.quietly():
            for menu, key, name in zip(self._axes, ("across", "down"), axes, strict=True):
                menu.description = SAY(f"map.{key}")
                if menu.options != options:
                    menu.options = options
                menu.value = name
        fixed = tuple(sorted((key, value) for key, value in settings.items() if key not in axes))
        wanted = MAP, question.id, self._said, axes, fixed
        self.desk.ask(MAP, Awaited(wanted, lambda: ask.mapped(question, settings, *axes, CELLS)), self._draw_map)

    def _draw_map(self, found: ask.Map) -> None:
        if self.model.map is None:
            return
        across, down = (self.model.question.control(name) for name in self.model.map)
        here = self.model.settings[across.name], self.model.settings[down.name]
        self._found = found
        self.map_board.draw(across, down, found, self._answer.unit if self._answer else "", here)

    def _go_to(self, id: str, _by: int) -> None:
        """To the settings of a cell of the map."""
        if self.model.map is None:
            return
        i, j = map(int, id.split())
        xs, ys = (list(dict.fromkeys(key[n] for key in self._found)) for n in (0, 1))
        self.guesses.freely(self.model.move, dict(zip(self.model.map, (xs[i], ys[j]), strict=True)))

    # Before a class --------------------------------------------------------------------------------------------------

    def _enlarge(self) -> None:
        self._project(not self.large)

    def _project(self, large: bool) -> None:
        self.large = large
        (self.widget.add_class if large else self.widget.remove_class)("nk-explore-class")
        self.widget.remove_class("nk-explore-drawer")
        self.refresh()

    def _let_see(self) -> None:
        if not self.large:
            self._project(True)

    def _open_drawer(self) -> None:
        """Show the other sliders and the phones beside the picture, or take them away."""
        open_ = "nk-explore-drawer" in self.widget._dom_classes
        (self.widget.remove_class if open_ else self.widget.add_class)("nk-explore-drawer")

    def _slide(self, name: str, value: Any) -> None:
        self.guesses.freely(self.model.set, name, value)

    def _show_idle(self, idle: tuple[str, ...]) -> None:
        self._idle = idle
        for each in self._fields[self.model.question.id]:
            each.rest(each.control.name in idle and not self.guesses.veiled)
        self._show_lectern()

    def _show_plots(self, n: int) -> None:
        """Have ``n`` charts on the page; one that is not wanted is not on it, for a hidden one cannot be drawn."""
        plots = (view.widget for view in self.plots[:n])
        self.right.children = (self.status, self.waiting.widget, *plots, self.run_box, self.tornado_box)

    def _answered(self) -> tuple[DOMWidget, ...]:
        """What shows the answer, but for the number itself."""
        return (self.words, self.proof, self.run_view.figure, *(view.widget for view in self.plots))

    def _fade(self, widgets: Iterable[DOMWidget], old: bool) -> None:
        """Have what is shown look like what it is: of other settings than these, or of these again."""
        for widget in widgets:
            (widget.add_class if old else widget.remove_class)("nk-explore-old")

    def _show_chooser(self) -> None:
        question = self.model.question
        for game, made in self.games.items():
            made.tooltip = SAY("button.game", title=made.description)
            made.button_style = "primary" if game == question.game else ""
        self.chooser.description = SAY("button.question")
        self.trials.description = self.trials.tooltip = SAY("button.trials")
        shown(self.lang_switch, len(self.model.languages) > 1)
        options = tuple((q.title, q.id) for q in QUESTIONS.values() if q.game == question.game)
        with self._heard.quietly():
            if self.chooser.options != options:
                self.chooser.options = options
            self.chooser.value = question.id

    def _show_controls(self, cells: Mapping[str, float] | None) -> None:
        """Bring the sliders up to date; ``cells`` as for `MarksBoard.show`."""
        model = self.model
        id = model.question.id
        if id not in self._fields:
            moved, marked = model.guard(self._slide), model.guard(self._mark)
            self._fields[id] = [ControlWidget(control, moved, marked) for control in model.question.controls]
        fields = self._fields[id]
        self.controls.children = tuple(each.widget for each in fields)
        for each in fields:
            each.show(model.settings, cells)
            each.rest(False)

    def _mark(self, name: str, cell: str, by: int) -> None:
        self.guesses.freely(self.model.mark, name, cell, by)

    def _show_target(self) -> None:
        target, (head, before, goal) = self.target, self.ask_box.children
        target.description = SAY("button.target", unit=(self._answer.unit if self._answer else "") or "%")
        with self._heard.quietly():
            target.value = self.model.target
        if before is not target:
            self.ask_box.children = (head, target, goal)
        shown(target, bool(self.model.question.inverse))

    @property
    def target(self) -> IntSlider:
        """The slider of the inverse question: one for each range, for a new range would move the value in a browser."""
        targets = low, high, usual = self.model.question.targets
        if targets not in self._targets:
            self._targets[targets] = made = IntSlider(usual, low, high, max(1, high // 100))
            self._heard.value(made, self.model.guard(self.model.aim))
        return self._targets[targets]

    def _show_beside(self, _: None) -> None:
        """What lies beside the answer is calculated: show it."""
        model, answer = self.model, self._need_answer()
        question, settings = model.question, dict(model.settings)
        self.tornado_head.value = html.heading(html.matters(question))
        self.goal.value = html.inverse(question, settings, model.target, answer.unit)
        self.gains.value = html.gains(question, settings, answer.unit)
        self.tornado.value = html.sensitivity(question, settings, answer.unit)
        self._counted = True
        self._fade((self.goal, self.gains, self.tornado_box), False)
        shown(self.tornado_box, bool(self.tornado.value))
        key = IDLE, ask.awaited(question, settings).key
        self.desk.ask(IDLE, Awaited(key, lambda: ask.idle(question, settings)), self._show_idle)

    def _over(self) -> list[Over]:
        return html.over(self._answer, self.run.tally, self.model.pins)

    def _show_run(self) -> None:
        run, answer = self.run, self._answer
        if self.large:
            return
        for view, (_, simulated, pinned) in zip(self.plots, self._over(), strict=False):
            view.over(simulated, pinned)
        if answer is not None:
            self.run_view.show(run.curve, run.n, float(answer.value), answer.unit)
        self.run_text.value = html.run(run.tally, run.done, run.n, answer, run.seed, run.running)
        self.run_button.say("button." + ("pause" if run.running else "go-on" if 0 < run.done < run.n else "run"))

    def _toggle(self) -> None:
        if self.run.running:
            self.run.pause()
        elif self._answer is not None:
            self.run.start()
        self._show_run()

    def _again(self) -> None:
        self.run.seed += 1
        self.run.clear()
        if self._answer is not None:
            self.run.start()
        self._show_run()

    def _trials(self, n: int) -> None:
        self.run.pause()
        self.run.n = n
        if self.run.done > self.run.n:
            self.run.clear()
        self._show_run()

    # What the browser says -----------------------------------------------------------------------------------------

    def greeted(self) -> None:
        for view in (*self.plots, self.run_view):
            view.calm = self.calm or view is self.run_view

    def met(self, query: str, stored: dict[str, str], *, another_tab: bool) -> None:
        if not self._alone:
            return
        try:
            self.guesses.met(query, stored)
            if not self.guesses.placed:  # a class goes on where it was, whatever the address asks for
                try:
                    self.model.take((self.bridge.again and stored.get(PLACE)) or query)
                except OptionError:  # kept by an edition that is gone
                    self.model.take(query)
            self.model.repaint()
            if self.guesses.room is not None:
                self._project(True)
        finally:
            self.widget.remove_class(EARLY)

    def _keep_place(self) -> None:
        """A page that is loaded again shows the same question with the same figures."""
        if self._alone and self._met and (stands := self.model.link()) != self._stood:
            self._stood = stands
            self.bridge.store(PLACE, stands)

    def themed(self) -> None:
        for view in (*self.plots, self.run_view):
            view.paint(self.theme)
        self._show_run()
        self._show_lectern()

    def _game(self, game: str) -> None:
        self.guesses.freely(self.model.choose, next(id for id, each in QUESTIONS.items() if each.game == game))

    def _chosen(self, question: str) -> None:
        if question:
            self.guesses.freely(self.model.choose, question)

    def _pin(self) -> None:
        if self.model.is_pinned:
            self.model.unpin()
        else:
            self.model.pin(self._need_answer())

    def _need_answer(self) -> Answer:
        if self._answer is None:
            raise OptionError(SAY("said.early"))
        return self._answer

    def _take(self, export: Callable[[], Export], kind: str) -> None:
        """Hand over a chart as a file."""
        made = export()
        if kind == "csv":
            self.bridge.download(f"{made.name}.csv", made.table())
        else:
            self.bridge.picture(f"{made.name}.{kind}", made.scene(), self.theme)

    def _chart(self, i: int) -> Export:
        self._need_answer()
        return html.chart(self.model.question, self._over()[i], self.model.link())

    def _run_chart(self) -> Export:
        return html.simulated(self.model.question, self._need_answer(), self.run)

    def _map_chart(self) -> Export:
        if self.model.map is None or not self._found:
            raise OptionError(SAY("said.early"))
        return html.over_two(self.model.question, *self.model.map, self._found)

    def _tornado_chart(self) -> Export:
        answer = self._need_answer()
        if not self._counted:  # to calculate it here and now would block the page
            raise OptionError(SAY("said.early-tornado"))
        return html.influences(self.model.question, self.model.settings, answer)


def explore_sinking() -> Box:
    """The page of the explorer."""
    with current().unheard():
        page: Box = Explorer().widget
    return page
