"""The explorer: sliders left, the number, its charts and a Monte Carlo run right; all made from a `Question`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ipywidgets import HTML, Box, Button, DOMWidget, Dropdown, IntSlider, VBox
from markupsafe import Markup

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.errors import NavalkitError, OptionError
from navalkit.core.registry import game_class
from navalkit.explore import QUESTIONS, Answer, ask, picture
from navalkit.explore.picture import Beside as Row
from navalkit.explore.question import SAY, Plot, Question
from navalkit.explore.tornado import tornado_csv, tornado_picture
from navalkit.view.scene import Scene

from . import explore_html as html
from .bridge import Bridge
from .desk import Desk
from .explore_charts import PlotView, RunView
from .explore_model import ExploreModel
from .explore_run import Run
from .explore_widgets import ControlWidget, MarksBoard
from .shell import PHONE, THEMES
from .spoken import button

PLOTS = 3
"""Charts of an answer, at most."""
TRIALS = (1_000, 5_000, 20_000, 100_000, 1_000_000)
ANSWER, BESIDE = "answer", "beside"
"""What the desk calculates: the answer, and then what lies beside it."""


@dataclass(frozen=True)
class Export:
    """A chart as it is taken along: its name, and what makes the table and the picture."""

    name: str
    table: Callable[[], str]
    scene: Callable[[], Scene]


class Explorer:
    """The page."""

    def __init__(self) -> None:
        self.model = model = ExploreModel()
        model.changed = self.refresh
        self._met, self._quiet = False, False
        self._answer: Answer | None = None
        self._beside_of: Question | None = None  # whose other way round, one more and most important slider are shown
        self._counted = False  # whether they are those of the present settings
        self.theme = "light"
        self.bridge = Bridge()
        self.bridge.handlers |= {
            "hello": model.guard(self._hello),
            "theme": model.guard(lambda message: self.set_theme(message["theme"])),
            "width": model.guard(lambda message: self._set_width(int(message["width"]))),
            "copied": model.guard(self._copied),
        }
        self.desk = Desk(model.guard, self._waiting)
        self.run = Run(self.desk, self._show_run)
        self.status, self.message, self.words = _html("nk-status"), _html("nk-message"), _html("nk-words")
        self.goal, self.gains, self.tornado = _html("nk-goal"), HTML(), HTML()
        self.progress, self.run_text, self.tornado_head = _html("nk-counting"), _html("nk-run-text"), HTML()
        self.plots = [PlotView(self._exports(partial(self._chart, i))) for i in range(PLOTS)]
        self.run_view = RunView()
        self._fields: dict[str, list[ControlWidget]] = {}
        self._targets: dict[tuple[int, int, int], IntSlider] = {}
        self.widget = self._page()
        self.refresh()

    # What it looks like --------------------------------------------------------------------------------------------

    def _button(self, key: str, call: Callable[[], Any], css: str) -> Button:
        label, title = SAY(f"button.{key}"), SAY(f"button.{key}-title")
        return button(label, title, self.model.guard(lambda _: call()), css)

    def _page(self) -> Box:
        model = self.model
        self.games = {
            game: button(
                game_class(game).title, SAY("button.game", title=game_class(game).title),
                model.guard(partial(self._game, game)), f"nk-game-{game}",
            )
            for game in dict.fromkeys(each.game for each in QUESTIONS.values())
        }  # fmt: skip
        self.chooser = _classed(Dropdown(description=SAY("button.question")), "nk-question")
        self.chooser.observe(model.guard(self._chosen), "value")
        self.pin_button = self._button("pin", self._pin, "nk-pin")
        self.stop = self._button("stop", self._stop, "nk-stop")
        _display(self.stop, False)
        bar = [
            self.pin_button, self._button("reset", model.reset, "nk-reset"),
            self._button("link", lambda: self.bridge.copy(model.link(), "link", link=True), "nk-link"),
        ]  # fmt: skip
        self.controls = _classed(VBox([]), "nk-sliders")
        self.ask_box = _classed(VBox([_heading("inverse"), self.target, self.goal]), "nk-inverse")
        left = VBox([
            self.controls, _classed(Box(bar), "nk-bar"), self.message,
            self.ask_box, _classed(VBox([_heading("gain"), self.gains]), "nk-gain"), self.words,
        ])  # fmt: skip
        self.run_button = self._button("run", self._toggle, "nk-run-button")
        self.run_button.button_style = "primary"
        trials = SAY("button.trials")
        self.trials = Dropdown(
            options=[(f"{n:,}", n) for n in TRIALS], value=self.run.n, description=trials, tooltip=trials
        )
        self.trials.observe(model.guard(self._trials), "value")
        run_bar = Box([self.run_button, self._button("again", self._again, "nk-again"), self.trials])
        self.run_box = _classed(
            VBox([self._head(_heading("run"), self._run_chart), _classed(run_bar, "nk-bar"), self.run_text,
                  self.run_view.figure]),
            "nk-chart", "nk-run",
        )  # fmt: skip
        tornado_head = self._head(self.tornado_head, self._tornado_chart)
        self.tornado_box = _classed(VBox([tornado_head, self.tornado]), "nk-tornado-card")
        self.counting = _classed(Box([self.progress, self.stop]), "nk-counting-line")
        self.right = _classed(VBox([]), "nk-right")
        self._show_plots(0)
        css = MarksBoard()  # the style sheet comes with it, whatever the question
        css.layout.display = "none"
        games = _classed(Box(list(self.games.values())), "nk-games")
        page = Box([
            _classed(VBox([games, self.chooser]), "nk-chooser"),
            _classed(left, "nk-left"), self.right, css, self.bridge,
        ])  # fmt: skip
        return _classed(page, "nk-page", "nk-explore")

    def _head(self, heading: HTML, export: Callable[[], Export]) -> Box:
        return _classed(Box([heading, _classed(Box(self._exports(export)), "nk-chart-tools")]), "nk-chart-head")

    def _exports(self, export: Callable[[], Export]) -> list[Button]:
        return [
            button(kind, SAY("button.file", kind=kind), self.model.guard(partial(self._take, export, kind.lower())),
                   f"nk-{kind.lower()}", "nk-small")
            for kind in ("CSV", "SVG", "PNG")
        ]  # fmt: skip

    # Painting ------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring every widget up to date with the model, and have the answer calculated."""
        model = self.model
        question, settings = model.question, dict(model.settings)
        self.run.of(question, settings)
        self._show_chooser()
        _set(self.message, html.note(model.status.text, model.status.error))
        self.desk.cancel(BESIDE)
        self._counted = False
        if self._beside_of is not question:
            self._beside_of = question
            for widget in (self.goal, self.gains, self.tornado):
                widget.value = ""
            _display(self.tornado_box, False)
        self._answer = None
        self._show_controls(None)
        self.desk.ask(ANSWER, _found(question, settings), self._show_answer)

    def _waiting(self, slot: str, share: float | None) -> None:
        """Say that something is late, and how far it has come."""
        late = share is not None and slot in (ANSWER, BESIDE)
        if slot == ANSWER and late:
            self.status.value = html.waiting(self.model.status.count)
            self._show_controls({})
            self._fade(self._answered(), True)
        if slot in (ANSWER, BESIDE):
            self._fade((self.goal, self.gains, self.tornado_box), late or not self._counted)
            beside = slot == BESIDE and share is not None
            _set(self.progress, html.note(SAY("said.beside", share=100 * (share or 0)) if beside else ""))
            _display(self.stop, late)

    def _show_answer(self, found: Answer | NavalkitError) -> None:
        model = self.model
        if isinstance(found, NavalkitError):
            self.run.clear()
            self._show_controls({})
            self._show_run()
            self._fade(self._answered(), True)
            self.status.value = html.trouble(str(found)[:1].upper() + str(found)[1:], model.status.count)
            return
        self._answer = answer = found
        self._show_controls(answer.cells)
        self._show_target()
        for view, plot in zip(self.plots, answer.plots, strict=False):
            if view.plot is not plot:
                view.show(plot)
        self._show_plots(len(answer.plots))
        _set(self.words, html.words(answer))
        self._fade(self._answered(), False)
        self.pin_button.description = SAY("button.unpin" if model.pinned else "button.pin")
        self._show_run()
        # Last of all: whoever waits for the counter to go up finds the rest of the page in its place.
        self.status.value = html.number(answer, model.pinned, model.settings, model.status.count)
        question, settings = model.question, dict(model.settings)
        key = BESIDE, ask.awaited(question, settings).key
        self.desk.ask(BESIDE, Awaited(key, lambda: ask.beside(question, settings)), self._show_beside)

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
        question = self.model.question
        self._quiet = True
        for game, made in self.games.items():
            style = "primary" if game == question.game else ""
            if made.button_style != style:
                made.button_style = style
        options = tuple((q.title, q.id) for q in QUESTIONS.values() if q.game == question.game)
        if self.chooser.options != options:
            self.chooser.options = options
        self.chooser.value = question.id
        self._quiet = False

    def _show_controls(self, cells: Mapping[str, float] | None) -> None:
        """Bring the sliders up to date; ``cells`` as for `MarksBoard.show`."""
        model = self.model
        id = model.question.id
        if id not in self._fields:
            moved, marked = model.guard(model.set), model.guard(model.mark)
            self._fields[id] = [ControlWidget(control, moved, marked) for control in model.question.controls]
        fields = self._fields[id]
        shown = tuple(each.widget for each in fields)
        if self.controls.children != shown:
            self.controls.children = shown
        for each in fields:
            each.show(model.settings[each.control.name], cells)

    # Beside the answer ---------------------------------------------------------------------------------------------

    def _show_target(self) -> None:
        target, (head, before, goal) = self.target, self.ask_box.children
        self._quiet = True
        target.description = SAY("button.target", unit=(self._answer.unit if self._answer else "") or "%")
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

    def _show_beside(self, _: None) -> None:
        """What lies beside the answer is calculated: show it."""
        model, answer = self.model, self._need_answer()
        question, settings = model.question, model.settings
        _set(self.tornado_head, Markup("<h3>{}</h3>").format(html.matters(question)))
        _set(self.goal, html.inverse(question, settings, model.target, answer.unit))
        _set(self.gains, html.gains(question, settings, answer.unit))
        _set(self.tornado, html.sensitivity(question, settings, answer.unit))
        self._counted = True
        self._fade((self.goal, self.gains, self.tornado_box), False)
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
            shares = picture.shares(counts, tally.n if tally else 0, len(plot.x))
            rows.append((plot, shares, picture.beside(plot, other)))
        return rows

    def _show_run(self) -> None:
        run, answer = self.run, self._answer
        for view, (_, simulated, pinned) in zip(self.plots, self._over(), strict=False):
            view.over(simulated, pinned)
        if answer is not None:
            self.run_view.show(run.curve, run.n, float(answer.value), answer.unit)
        _set(self.run_text, html.run(run.tally, run.done, run.n, answer, run.seed, run.running))
        label = SAY("button.pause" if run.running else "button.go-on" if 0 < run.done < run.n else "button.run")
        if self.run_button.description != label:
            self.run_button.description = label

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
        self.model.say(SAY("said.copied" if message.get("ok") else "said.uncopied", text=message.get("text", "")))

    # Buttons -------------------------------------------------------------------------------------------------------

    def _game(self, game: str, _button: Any) -> None:
        self.model.choose(next(id for id, each in QUESTIONS.items() if each.game == game))

    def _chosen(self, change: Any) -> None:
        if not self._quiet and change["new"]:
            self.model.choose(change["new"])

    def _aimed(self, change: Any) -> None:
        if not self._quiet:
            self.model.aim(change["new"])

    def _pin(self) -> None:
        if self.model.pinned:
            self.model.unpin()
        else:
            self.model.pin(self._need_answer())

    def _stop(self) -> None:
        self.desk.cancel(ANSWER)
        self.desk.cancel(BESIDE)
        if self._answer is None:
            self.status.value = html.trouble(SAY("said.stopped"), self.model.status.count)
        else:
            _set(self.progress, html.note(SAY("said.stopped")))

    def _need_answer(self) -> Answer:
        if self._answer is None:
            raise OptionError(SAY("said.early"))
        return self._answer

    def _take(self, export: Callable[[], Export], kind: str, _button: Any) -> None:
        """Hand over a chart as a file."""
        made = export()
        if kind == "csv":
            self.bridge.download(f"{made.name}.csv", made.table())
        else:
            self.bridge.picture(f"{made.name}.{kind}", made.scene(), self.theme)

    def _chart(self, i: int) -> Export:
        self._need_answer()
        plot, simulated, pinned = self._over()[i]
        return Export(
            f"{self.model.question.id}-{plot.key}", lambda: picture.csv_text(plot, simulated, pinned),
            lambda: picture.picture(plot, simulated, pinned, self.model.link()),
        )  # fmt: skip

    def _run_chart(self) -> Export:
        answer, run = self._need_answer(), self.run
        title = SAY("run.title", said=answer.said.rstrip("."))
        return Export(
            f"{self.model.question.id}-run", lambda: picture.run_csv(run.curve),
            lambda: picture.run_picture(run.curve, run.n, float(answer.value), answer.unit, title),
        )  # fmt: skip

    def _tornado_chart(self) -> Export:
        question, answer = self.model.question, self._need_answer()
        if not self._counted:  # to calculate it here and now would block the page
            raise OptionError(SAY("said.early-tornado"))
        rows, title = ask.sensitivity(question, self.model.settings), f"{question.title} {html.matters(question)}"
        return Export(
            f"{question.id}-sensitivity", lambda: tornado_csv(rows, answer.value, question),
            lambda: tornado_picture(rows[: html.BARS], answer.value, answer.unit, question, title),
        )  # fmt: skip


def _found(question: Question, settings: dict[str, Any]) -> Awaited[Answer | NavalkitError]:
    """The answer, or why these settings have none."""

    def steps() -> Steps[Answer | NavalkitError]:
        try:
            return (yield from ask.steps(question, settings))
        except NavalkitError as error:
            return error

    return Awaited(ask.awaited(question, settings).key, steps)


def _html(css: str) -> HTML:
    return _classed(HTML(), css)


def _heading(key: str) -> HTML:
    return HTML(Markup("<h3>{}</h3>").format(SAY(f"head.{key}")))


def _set(widget: HTML, text: str) -> None:
    if widget.value != text:
        widget.value = str(text)


def _classed(box: Any, *names: str) -> Any:
    for name in names:
        box.add_class(name)
    return box


def _display(widget: Any, shown: bool) -> None:
    display = None if shown else "none"
    if widget.layout.display != display:
        widget.layout.display = display


def explore_sinking() -> Box:
    """The page of the explorer."""
    page: Box = Explorer().widget
    return page
