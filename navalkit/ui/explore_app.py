"""The explorer: sliders left, the number, its charts and a Monte Carlo run right; all made from a `Question`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from html import escape
from time import perf_counter
from typing import Any

from ipywidgets import HTML, Box, Button, DOMWidget, Dropdown, IntSlider, VBox

from navalkit.core.errors import NavalkitError, OptionError
from navalkit.explore import QUESTIONS, Answer, ask, picture
from navalkit.explore.picture import Beside as Row
from navalkit.explore.question import Plot, Question
from navalkit.explore.tornado import tornado_csv, tornado_picture

from . import explore_html as html
from .app import PHONE, THEMES
from .bridge import Bridge
from .controls import button
from .explore_charts import PlotView, RunView
from .explore_model import ExploreModel
from .explore_widgets import ControlWidget, MarksBoard
from .explore_work import Beside, Run

GAMES = {
    "uss-lox": "USS Lox", "fleet-action": "Fleet Action", "on-patrol": "On Patrol", "task-force": "Task Force",
    "wolf-pack": "Wolf Pack",
}  # fmt: skip
PLOTS = 3
"""Charts of an answer, at most."""
TRIALS = (1_000, 5_000, 20_000, 100_000, 1_000_000)
_PIN = "Pin to compare"
_LATE = 0.5  # seconds after which work in the background is spoken of


class Explorer:
    """The page."""

    def __init__(self) -> None:
        self.model = model = ExploreModel()
        model.changed = self.refresh
        safe = model.guard
        self._met, self._quiet, self._begun = False, False, 0.0
        self._answer: Answer | None = None
        self._beside_of: Question | None = None  # whose other way round, one more and most important slider are shown
        self._counted = False  # whether they are those of the present settings
        self.theme = "light"
        self.bridge = Bridge()
        self.bridge.handlers |= {
            "hello": safe(self._hello),
            "theme": safe(lambda message: self.set_theme(message["theme"])),
            "width": safe(lambda message: self._set_width(int(message["width"]))),
            "copied": safe(self._copied),
        }
        self.run, self.beside = Run(self._show_run), Beside(self._besides)
        self.status, self.message, self.words = HTML(), HTML(), HTML()
        self.goal, self.gains, self.tornado, self.progress, self.run_text = HTML(), HTML(), HTML(), HTML(), HTML()
        for widget, name in (
            (self.status, "nk-status"), (self.message, "nk-message"), (self.words, "nk-words"), (self.goal, "nk-goal"),
            (self.progress, "nk-counting"), (self.run_text, "nk-run-text"),
        ):  # fmt: skip
            widget.add_class(name)
        self.plots = [PlotView(self._tools(i, safe)) for i in range(PLOTS)]
        self.run_view = RunView()
        self._fields: dict[str, list[ControlWidget]] = {}
        self.controls = VBox([])
        self.controls.add_class("nk-sliders")
        self.widget = self._page(safe)
        self.refresh()

    # What it looks like --------------------------------------------------------------------------------------------

    def _page(self, safe: Callable[..., Callable[..., None]]) -> Box:
        model = self.model
        self.games = {
            game: button(title, f"Questions about {title}", safe(_call(self._game, game)), f"nk-game-{game}")
            for game, title in GAMES.items()
        }
        games = _classed(Box(list(self.games.values())), "nk-games")
        self.chooser = Dropdown(description="Question", options=[(q.title, q.id) for q in QUESTIONS.values()])
        self.chooser.add_class("nk-question")
        self.chooser.observe(safe(self._chosen), "value")
        self.pin_button = button(_PIN, "Keep this setting, to compare others with it", safe(self._pin), "nk-pin")
        bar = Box([
            self.pin_button,
            button("Reset", "All sliders back to where they began", safe(lambda _: model.reset()), "nk-reset"),
            button("Copy link", "A link that brings these settings back", safe(self._link), "nk-link"),
        ])  # fmt: skip
        self._targets: dict[tuple[int, int, int], IntSlider] = {}
        self.ask_box = _classed(VBox([HTML("<h3>The other way round</h3>"), self.target, self.goal]), "nk-inverse")
        self.stop = button("Stop", "Reckon no further", safe(self._stop), "nk-stop")
        _display(self.stop, False)
        self.counting = _classed(Box([self.progress, self.stop]), "nk-counting-line")
        left = VBox([
            self.controls, _classed(bar, "nk-bar"), self.message,
            self.ask_box, _classed(VBox([HTML("<h3>One more</h3>"), self.gains]), "nk-gain"), self.words,
        ])  # fmt: skip
        self.run_box = self._run_box(safe)
        self.tornado_head = HTML()
        tools = _classed(Box(self._exports(safe, self._export_tornado)), "nk-chart-tools")
        head = _classed(Box([self.tornado_head, tools]), "nk-chart-head")
        self.tornado_box = _classed(VBox([head, self.tornado]), "nk-tornado-card")
        self.right = _classed(VBox([]), "nk-right")
        self._show_plots(0)
        css = MarksBoard()  # the style sheet comes with it, whatever the question
        css.layout.display = "none"
        page = Box([
            _classed(VBox([games, self.chooser]), "nk-chooser"),
            _classed(left, "nk-left"), self.right, css, self.bridge,
        ])  # fmt: skip
        return _classed(page, "nk-page", "nk-explore")

    def _run_box(self, safe: Callable[..., Callable[..., None]]) -> VBox:
        self.run_button = button("Run", "Run the simulation, or pause it", safe(self._toggle), "nk-run-button")
        self.run_button.button_style = "primary"
        self.trials = Dropdown(
            options=[(f"{n:,}", n) for n in TRIALS], value=self.run.n, description="Trials", tooltip="Trials"
        )
        self.trials.observe(safe(self._trials), "value")
        tools = [
            self.run_button, button("Again", "Anew from the start, with another seed", safe(self._again), "nk-again"),
            self.trials,
        ]  # fmt: skip
        export = _classed(Box(self._exports(safe, self._export_run)), "nk-chart-tools")
        head = _classed(Box([HTML("<h3>Simulated</h3>"), export]), "nk-chart-head")
        box = VBox([head, _classed(Box(tools), "nk-bar"), self.run_text, self.run_view.figure])
        return _classed(box, "nk-chart", "nk-run")

    def _tools(self, i: int, safe: Callable[..., Callable[..., None]]) -> list[Button]:
        return self._exports(safe, lambda kind: self._export(i, kind))

    def _exports(self, safe: Callable[..., Callable[..., None]], export: Callable[[str], None]) -> list[Button]:
        return [
            button(kind, f"This chart as {kind}", safe(_call(export, kind.lower())), f"nk-{kind.lower()}", "nk-small")
            for kind in ("CSV", "SVG", "PNG")
        ]

    # Painting ------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring every widget up to date with the model."""
        model = self.model
        question, settings = model.question, model.settings
        self.run.of(question, settings)
        self._show_chooser()
        self._show_message()
        if question.slow and not ask.known(question, settings) and _looping():
            self._answer = None
            self.status.value = html.waiting(model.status.count)
            self._show_controls()
            self._fade(self._answered(), True)
            self._work()
            return
        self._show_answer()
        self._work()

    def _show_answer(self) -> None:
        model = self.model
        try:
            self._answer = answer = model.answer()
        except NavalkitError as error:
            self._answer = None
            self.run.clear()
            self._show_controls()
            self._show_run()
            self._fade(self._answered(), True)
            self.status.value = html.trouble(str(error)[:1].upper() + str(error)[1:], model.status.count)
            return
        self._show_controls()
        for view, plot in zip(self.plots, answer.plots, strict=False):
            if view.plot is not plot:
                view.show(plot)
        self._show_plots(len(answer.plots))
        text = html.words(answer)
        if self.words.value != text:
            self.words.value = text
        self._fade(self._answered(), False)
        self.pin_button.description = "Unpin" if model.pinned else _PIN
        self._show_run()
        # Last of all: whoever waits for the counter to go up finds the rest of the page in its place.
        self.status.value = html.number(answer, model.pinned, model.settings, model.status.count)

    def _show_plots(self, n: int) -> None:
        """Have so many charts on the page; one that is not wanted is not on it, for a hidden one cannot be drawn."""
        shown = (self.status, *(view.widget for view in self.plots[:n]), self.run_box, self.tornado_box, self.counting)
        if self.right.children != shown:
            self.right.children = shown

    def _answered(self) -> tuple[DOMWidget, ...]:
        """What shows the answer, but for the number itself."""
        return (self.words, self.run_view.figure, *(view.widget for view in self.plots))

    def _fade(self, widgets: Iterable[DOMWidget], old: bool) -> None:
        """Have what is shown look like what it is: of other settings than these, or of these again."""
        for widget in widgets:
            (widget.add_class if old else widget.remove_class)("nk-old")

    def _show_chooser(self) -> None:
        model = self.model
        self._quiet = True
        for game, made in self.games.items():
            style = "primary" if game == model.question.game else ""
            if made.button_style != style:
                made.button_style = style
        options = tuple((q.title, q.id) for q in QUESTIONS.values() if q.game == model.question.game)
        if self.chooser.options != options:
            self.chooser.options = options
        self.chooser.value = model.question.id
        self._quiet = False

    def _show_controls(self) -> None:
        model = self.model
        id = model.question.id
        if id not in self._fields:
            moved, marked = model.guard(model.set), model.guard(model.mark)
            self._fields[id] = [ControlWidget(control, moved, marked) for control in model.question.controls]
        fields = self._fields[id]
        shown = tuple(each.widget for each in fields)
        if self.controls.children != shown:
            self.controls.children = shown
        chances = self._answer.cells if self._answer else {}
        for each in fields:
            each.show(model.settings[each.control.name], chances)

    def _show_message(self) -> None:
        status = self.model.status
        text = f"<p class='{'nk-bad' if status.error else 'nk-note'}'>{escape(status.text)}</p>" if status.text else ""
        if self.message.value != text:
            self.message.value = text

    # Beside the answer ---------------------------------------------------------------------------------------------

    def _work(self) -> None:
        """Have reckoned what lies beside the answer: in the background where there is one."""
        question, settings = self.model.question, self.model.settings
        self._counted = False
        self._show_target()
        if self._beside_of is not question:
            self._beside_of = question
            for widget in (self.goal, self.gains, self.tornado):
                widget.value = ""
            _display(self.tornado_box, False)
        if not _looping():
            self._besides(1, 1)
            return
        self._begun = perf_counter()
        self.beside.start(question, settings, self.model.guard(self._show_answer))

    def _show_target(self) -> None:
        target, (head, before, goal) = self.target, self.ask_box.children
        self._quiet = True
        target.description = f"Target, {self._unit or '%'}"
        target.value = self.model.target
        if before is not target:
            self.ask_box.children = (head, target, goal)
        _display(target, bool(self.model.question.inverse))
        self._quiet = False

    @property
    def target(self) -> IntSlider:
        """The slider of the inverse question: one for each range, for a new range would move the value in a browser."""
        targets = low, high, usual = self.model.question.targets
        if targets not in self._targets:
            self._targets[targets] = made = IntSlider(usual, low, high, max(1, high // 100))
            made.observe(self.model.guard(self._aimed), "value")
        return self._targets[targets]

    @property
    def _unit(self) -> str:
        return self._answer.unit if self._answer else ""

    def _besides(self, done: int, of: int) -> None:
        """So much of what lies beside the answer is reckoned."""
        model = self.model
        late = done < of and perf_counter() - self._begun > _LATE
        text = f"<p class=nk-note>Counting what lies beside: {done} of {of}</p>" if late else ""
        if self.progress.value != text:
            self.progress.value = text
            _display(self.stop, late)
        beside = self.goal, self.gains, self.tornado_box
        if late or self._answer is None:
            self._fade(beside, True)
        if done < of or self._answer is None:
            return
        question, settings, unit = model.question, model.settings, self._unit
        texts = [
            (self.tornado_head, f"<h3>{html.matters(question)}</h3>"),
            (self.goal, html.inverse(question, settings, model.target, unit)),
            (self.gains, html.gains(question, settings, unit)),
            (self.tornado, html.sensitivity(question, settings, unit)),
        ]
        for widget, text in texts:
            if widget.value != text:
                widget.value = text
        self._counted = True
        self._fade(beside, False)
        _display(self.tornado_box, bool(self.tornado.value))

    # The Monte Carlo run -------------------------------------------------------------------------------------------

    def _over(self) -> list[tuple[Plot, Row, Row]]:
        """Every chart with what was simulated and what was pinned."""
        if self._answer is None:
            return []
        tally, pinned = self.run.tally, self.model.pinned
        rows = []
        for i, plot in enumerate(self._answer.plots):
            counts = tally.bars[i] if tally else None
            other = pinned.answer.plots[i] if pinned and i < len(pinned.answer.plots) else None
            rows.append(
                (plot, picture.shares(counts, tally.n if tally else 0, len(plot.x)), picture.beside(plot, other))
            )
        return rows

    def _show_run(self) -> None:
        run, answer = self.run, self._answer
        for view, (_, simulated, pinned) in zip(self.plots, self._over(), strict=False):
            view.over(simulated, pinned)
        if answer is not None:
            self.run_view.show(run.curve, run.n, float(answer.value), answer.unit)
        text = html.run(run.tally, run.done, run.n, answer, run.seed, run.running)
        if self.run_text.value != text:
            self.run_text.value = text
        label = "Pause" if run.running else "Go on" if 0 < run.done < run.n else "Run"
        if self.run_button.description != label:
            self.run_button.description = label

    def _toggle(self, _button: Any) -> None:
        if self.run.running:
            self.run.pause()
        elif self._answer is not None:
            self.run.start()
        self._show_run()

    def _again(self, _button: Any) -> None:
        self.run.clear()
        self.run.seed += 1
        self.run.clear()
        if self._answer is not None:
            self.run.start()
        self._show_run()

    def _trials(self, change: Any) -> None:
        self.run.pause()
        self.run.n = change["new"]
        if self.run.done > self.run.n:
            self.run.clear()
        self._show_run()

    # What the browser says -----------------------------------------------------------------------------------------

    def _hello(self, message: dict[str, Any]) -> None:
        """A page is there: its theme, and what its address asks for."""
        self._set_width(int(message.get("width", 1280)))
        self.set_theme(message.get("theme", "light"))
        for view in (*self.plots, self.run_view):
            view.calm = bool(message.get("calm")) or view is self.run_view
        if not self._met:
            self._met = True
            self.model.open_query(message.get("query", ""))
        self.model.status.count += 1
        self.refresh()

    def _set_width(self, width: int) -> None:
        """Leave out names under the charts where there is no room for them."""
        for view in self.plots:
            if view.narrow != (width < PHONE):
                view.narrow = width < PHONE
                view.paint(self.theme)

    def set_theme(self, name: str) -> None:
        """Paint the charts in a theme: light, dark or contrast."""
        self.theme = name if name in THEMES else "light"
        for view in (*self.plots, self.run_view):
            view.paint(self.theme)
        self._show_run()

    def _copied(self, message: dict[str, Any]) -> None:
        done = "Copied the link" if message.get("ok") else "The browser did not let the link be copied; here it is"
        self.model.say(f"{done}: {message.get('text', '')}")

    # Buttons -------------------------------------------------------------------------------------------------------

    def _game(self, game: str) -> None:
        self.model.choose(next(id for id, each in QUESTIONS.items() if each.game == game))

    def _chosen(self, change: Any) -> None:
        if not self._quiet and change["new"]:
            self.model.choose(change["new"])

    def _aimed(self, change: Any) -> None:
        if not self._quiet:
            self.model.aim(change["new"])

    def _pin(self, _button: Any) -> None:
        if self.model.pinned:
            self.model.unpin()
        elif self._need_answer():
            self.model.pin()

    def _stop(self, _button: Any) -> None:
        self.beside.stop()
        self.progress.value = "<p class=nk-note>Stopped. Move a slider to go on.</p>"
        _display(self.stop, False)

    def _link(self, _button: Any) -> None:
        self.bridge.copy(self.model.link(), "link", link=True)

    def _need_answer(self) -> Answer:
        if self._answer is None:
            raise OptionError("there is no answer to these settings yet: wait for it, or move a slider.")
        return self._answer

    def _export(self, i: int, kind: str) -> None:
        self._need_answer()
        plot, simulated, pinned = self._over()[i]
        name = f"{self.model.question.id}-{plot.key}"
        if kind == "csv":
            self.bridge.download(f"{name}.csv", picture.csv_text(plot, simulated, pinned))
        else:
            scene = picture.picture(plot, simulated, pinned, self.model.link())
            self.bridge.picture(f"{name}.{kind}", scene, self.theme)

    def _export_run(self, kind: str) -> None:
        answer = self._need_answer()
        run, name = self.run, f"{self.model.question.id}-run"
        if kind == "csv":
            self.bridge.download(f"{name}.csv", picture.run_csv(run.curve))
            return
        title = f"{answer.said.rstrip('.')}: simulated"
        scene = picture.run_picture(run.curve, run.n, float(answer.value), answer.unit, title)
        self.bridge.picture(f"{name}.{kind}", scene, self.theme)

    def _export_tornado(self, kind: str) -> None:
        question, settings = self.model.question, self.model.settings
        answer = self._need_answer()
        if not self._counted:  # to count it here and now would block the page
            raise OptionError("what matters most is not counted yet for these settings: wait for it, or move a slider.")
        rows, here, name = ask.sensitivity(question, settings), answer.value, f"{question.id}-sensitivity"
        if kind == "csv":
            self.bridge.download(f"{name}.csv", tornado_csv(rows, here, question.sides))
            return
        title = f"{question.title} {html.matters(question)}"
        scene = tornado_picture(rows[: html.BARS], here, answer.unit, question.sides, title)
        self.bridge.picture(f"{name}.{kind}", scene, self.theme)


def _call(call: Callable[[str], None], argument: str) -> Callable[[Any], None]:
    return lambda _button: call(argument)


def _classed(box: Any, *names: str) -> Any:
    for name in names:
        box.add_class(name)
    return box


def _display(widget: Any, shown: bool) -> None:
    display = None if shown else "none"
    if widget.layout.display != display:
        widget.layout.display = display


def _looping() -> bool:
    """Whether there is a loop to work in: not in a test without one."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def explore_sinking() -> Box:
    """The page of the explorer."""
    page: Box = Explorer().widget
    return page
