"""The escort stepper: board left, the decision as lines right, tables, predictions and what-ifs, for a class to see."""

from __future__ import annotations

import os
from collections.abc import Callable
from html import escape
from typing import Any

from ipywidgets import HTML, Box, Button, Dropdown, Tab

from navalkit.games.on_patrol.board import sheets
from navalkit.games.on_patrol.board.hunt_report import report
from navalkit.games.on_patrol.board.moments import Key
from navalkit.games.on_patrol.board.overlay import LAYERS
from navalkit.games.on_patrol.sea.state import Phase
from navalkit.games.on_patrol.sea.tables import TABLES
from navalkit.view.pdf import pdf
from navalkit.view.scene import Scene
from navalkit.view.svg import svg

from . import html, step_hunts, step_tables
from .board import Board
from .desk import Desk
from .say import STEP
from .shell import Shell
from .spoken import KeyButton, box, button
from .step_model import MODES, RULE, WHAT_IF, StepModel
from .step_panels import Panels
from .step_scene import Camera, board, phase_name
from .step_widgets import LinesList, StepBar, Track

_LOG = 60
"""Lines of the log that are shown."""
_PAN = 0.3
_TABLE = {
    Phase.CONVOY: 1, Phase.CAPITAL: 1, Phase.ATTACKS: 3, Phase.SEARCH: 2, Phase.GUNFIRE: 2, Phase.BOATS: 2,
    Phase.STAR_SHELLS: 2,
}  # fmt: skip
"""The table that says most in a phase; the Escort Action Table in the others."""


class EscortStepper(Shell):
    """The page.

    Parameters
    ----------
    show : Show, optional
        What it opens with.
    """

    longest_copy = 300

    def __init__(self, show: step_hunts.Show | None = None) -> None:
        self.model = model = StepModel(show or step_hunts.hunt(*step_hunts.FIRST))
        model.changed = self.refresh
        super().__init__(model.guard, Desk(model.guard))
        safe = self.safe
        self.camera, self.large = Camera(), False
        self._phase = model.moment.phase
        self.board = Board(safe(model.point), on_drag=safe(model.drag))
        self.status, self.headline, self.about, self.log = HTML(), HTML(), HTML(), HTML()
        for widget, name in (
            (self.status, "nk-status"), (self.headline, "nk-headline"), (self.about, "nk-about"), (self.log, "nk-log"),
        ):  # fmt: skip
            widget.add_class(name)
        self.lines, self.track = LinesList(), Track()
        self.lines.picked = safe(model.light)
        self.bar = StepBar(
            forward=safe(model.forward), back=safe(model.back), first=safe(model.first), last=safe(model.last),
            look=safe(model.go), step_by=safe(model.step_by),
        )  # fmt: skip
        self.track.look = safe(model.go)
        self.track.pressed = safe(self._key)
        self.panels = Panels(model, safe)
        self.tables = [HTML() for _ in step_tables.TABLE_NAMES]
        titles = [STEP(f"tab.{name}") for name in (*step_tables.TABLE_NAMES, "log")]
        self.tabs = Tab([*self.tables, self.log], titles=titles)
        self.tabs.add_class("nk-tabs")
        self._quiet = False
        self.widget = self._page(safe)
        self.refresh()

    # What it looks like --------------------------------------------------------------------------------------------

    def _page(self, safe: Callable[..., Callable[..., None]]) -> Box:
        model = self.model
        self.chooser = Dropdown(
            options=step_hunts.choices(), description=STEP("show"), tooltip=STEP("show.help")
        )
        self.chooser.observe(safe(self._chosen), "value")
        self.chooser.add_class("nk-chooser")
        self.another = button("", STEP("another.help"), safe(self._another), "nk-another")
        choose = box("nk-choose", self.chooser, self.another)
        self.switches = {
            mode: self._key_button(f"mode.{mode}", _call(model.use, mode), f"nk-use-{mode}") for mode in MODES
        }
        self.layers = {
            name: button(name, STEP("layer.help", layer=name), safe(_call(model.switch, name)), "nk-layer")
            for name in LAYERS
        }
        modes = box("nk-mode-switch", *self.switches.values())
        layers, menu = box("nk-layers", *self.layers.values()), self._menu()
        under = self._under(layers, menu)
        left = box("nk-left", choose, self.bar.widget, self.board.widget, under, layers, menu, column=True)
        panels = self.panels
        right = box(
            "nk-right", self.status, modes, panels.predict, panels.what_if, self.headline, self.lines, self.tabs,
            column=True,
        )  # fmt: skip
        page = box("nk-page", left, right, self.bridge)
        page.add_class("nk-step-page")
        return page

    def _key_button(self, key: str, call: Callable[[Any], None], name: str) -> KeyButton:
        return KeyButton(key, self.safe(call), name, words=STEP)

    def _under(self, layers: Box, menu: Box) -> Box:
        """What is right under the board: the slider with the key moments, and the buttons of the window."""
        camera, model = self.camera, self.model

        def looking(key: str, call: Callable[[], None]) -> KeyButton:
            def look(_button: Any) -> None:
                call()
                self.refresh()

            return self._key_button(f"view.{key}", look, "nk-glyph")

        window = box(
            "nk-window",
            looking("smaller", lambda: camera.zoom(model, -1)),
            looking("larger", lambda: camera.zoom(model, 1)),
            looking("left", lambda: camera.move(model, -_PAN, 0)),
            looking("right", lambda: camera.move(model, _PAN, 0)),
            looking("up", lambda: camera.move(model, 0, -_PAN)),
            looking("down", lambda: camera.move(model, 0, _PAN)),
            looking("all", lambda: camera.whole(model)),
            looking("follow", camera.follow),
            self._key_button("layers", _opening(layers), "nk-open-layers"),
            self._key_button("menu", _opening(menu), "nk-more"),
        )
        slide = box("nk-slide", self.bar.slider, self.track, column=True)
        return box("nk-step-controls", slide, window, column=True)

    def _menu(self) -> Box:
        made = self._key_button
        self.projector = made("large", self._enlarge, "nk-large")
        return box(
            "nk-menu",
            self.projector,
            made("link", self._link, "nk-link"),
            made("svg", lambda _: self._picture("svg"), "nk-svg"),
            made("png", lambda _: self._picture("png"), "nk-png"),
            made("report", self._report, "nk-report-button"),
            made("sheets", self._sheets, "nk-sheets"),
            made("open", lambda _: None, "nk-open-file"),
            self.bar.speed,
            self.theme_switch,
        )

    # Painting ------------------------------------------------------------------------------------------------------

    def scene(self) -> Scene:
        """The board as it is looked at."""
        return board(self.model, self.camera.view(self.model))

    def refresh(self) -> None:
        """Bring every widget up to date; what has not changed sends nothing."""
        model = self.model
        self.camera.tall = self.tall
        self.board.show(self.scene())
        last = len(model.row) - 1
        self.bar.show(model.at, last, model.unit, model.at_start, model.at_end)
        self.track.last, self.track.at = last, model.at
        self.track.marks = [[m.ply, m.keys[-1].value, _mark(m.turn, m.keys[-1])] for m in model.row if m.keys]
        rules = model.show.game.rules()
        self.lines.show(model.lines, model.lit, lambda id: rules[id].text if id in rules else "")
        self.headline.value = self._headline()
        self.panels.show(model)
        for mode, made in self.switches.items():
            made.button_style = "primary" if mode == model.mode else ""
        for name, made in self.layers.items():
            made.description = f"{'☑' if name in model.layers else '☐'} {name}"
        seen = None if model.asked else model.decision
        for widget, text in zip(
            self.tables, step_tables.tables(step_tables.fired(model.row, model.at, seen)), strict=True
        ):
            widget.value = text
        if model.moment.phase is not self._phase:
            self._phase = model.moment.phase
            if self.tabs.selected_index is not None and self.tabs.selected_index < len(self.tables):
                self.tabs.selected_index = _TABLE.get(self._phase, 0)
        events = [event for m in model.row[: model.at + 1] for event in m.events]
        self.log.value = html.log(events[: -_LOG - 1 : -1], rules)  # the latest first: it is the one to be seen
        self._show_choice()
        # Last of all: whoever waits for the counter to go up finds the rest of the page in its place.
        said = model.status
        self.status.value = html.status(self._where(), self._now(), said.text, said.error, said.count)

    def _where(self) -> str:
        """What just happened, and where in the hunt one is."""
        moment = self.model.moment
        told = " ".join(event.text for event in moment.events[-2:])
        return STEP("where", turn=moment.turn, phase=phase_name(moment.phase), told=told or self.model.show.about)

    def _now(self) -> str:
        """What to press next."""
        model = self.model
        if model.mode == WHAT_IF:
            return STEP("now.what-if")
        if model.asked:
            return STEP("now.asked", who=model.who)
        if model.unit == RULE and model.untold:
            return STEP("now.rule", who=model.who)
        if model.at_end:
            return STEP("now.end")
        if model.decision is not None and not model.chosen:
            return STEP("now.decides", who=model.who)
        return STEP("now.next")

    def _headline(self) -> str:
        model = self.model
        if not model.who:
            return f"<p class=nk-note>{escape(STEP('nobody'))}</p>"
        name = TABLES.vessels[model.state.vessel(model.who).type].name
        head = f"<h3>{escape(model.who)} <span class=nk-note>{escape(name)}</span></h3>"
        if model.asked or model.untold or model.decision is None:
            return f"{head}<p>{escape(STEP('asks'))}</p>"
        reason = str(model.decision.reason)
        if model.chosen and model.chosen != model.moment.who:
            reason = STEP("would", reason=reason)
        return f"{head}<p>{escape(reason)}</p>"

    def _show_choice(self) -> None:
        self._quiet = True
        options = step_hunts.choices()
        if self.model.show.key == "file":
            options = ((self.model.show.title, "file"), *options)
        if self.chooser.options != options:
            self.chooser.options = options
        self.chooser.value = self.model.show.key
        kind = "seed" if self.model.show.key.startswith("scenario") else "position"
        self.another.description = STEP(f"another.{kind}")
        self._quiet = False

    # What the browser says -----------------------------------------------------------------------------------------

    def met(self, query: str, stored: dict[str, str], *, another_tab: bool) -> None:
        self.model.open_query(query)

    def greeted(self) -> None:
        self.model.status.count += 1

    def themed(self) -> None:
        self.board.theme = self.theme

    def opened(self, data: bytes, name: str) -> None:
        self.model.open_file(data)

    def tell(self, text: str) -> None:
        self.model.say(text)

    def _key(self, step: str) -> None:
        if step == "play":
            self.bar.toggle()
            return
        self.bar.stop()
        model = self.model
        steps: dict[str, Callable[[], None]] = {
            "forward": model.forward, "back": model.back, "first": model.first, "last": model.last,
        }  # fmt: skip
        steps[step]()

    # Buttons -------------------------------------------------------------------------------------------------------

    def _chosen(self, change: Any) -> None:
        if not self._quiet and change["new"] and change["new"] != "file":
            self.bar.stop()
            self.model.open_key(change["new"])

    def _another(self, _button: Any) -> None:
        """The same scenario with the next seed; from a position, the next position."""
        kind, _, name = self.model.show.key.partition(" ")
        match = self.model.show.match
        if kind == "scenario" and match is not None:
            self.model.open(step_hunts.hunt(name, match.seed + 1))
            self.model.say(STEP("another.said", seed=match.seed + 1))
            return
        keys = [key for _, key in step_hunts.choices()]
        here = keys.index(self.model.show.key) if self.model.show.key in keys else -1
        self.model.open_key(keys[(here + 1) % len(keys)])

    def _enlarge(self, _button: Any) -> None:
        self.large = self.camera.large = not self.large
        (self.widget.add_class if self.large else self.widget.remove_class)("nk-projector")
        self.projector.say("normal" if self.large else "large")
        self.refresh()

    def _link(self, _button: Any) -> None:
        self.bridge.copy(self.model.link(), "link", link=True)

    def _picture(self, kind: str) -> None:
        name = f"{self.model.show.key.replace(' ', '-')}-step-{self.model.at}.{kind}"
        self.bridge.picture(name, self.scene(), self.theme)

    def _report(self, _button: Any) -> None:
        show = self.model.show
        text = report(show.row, show.game, show.title, show.about, paint=lambda scene: svg(scene, "light"))
        self.bridge.download(f"{show.key.replace(' ', '-')}-report.html", text)
        self.model.say(STEP("report.made"))

    def _sheets(self, _button: Any) -> None:
        self.bridge.download("on-patrol-sheets.pdf", pdf(sheets.sheets()))
        self.model.say(STEP("sheets.made"))


def _mark(turn: int, key: Key) -> str:
    return STEP("mark", turn=turn, key=key.value)


def _call(call: Callable[[str], None], argument: str) -> Callable[[Any], None]:
    return lambda _button: call(argument)


def _opening(drawer: Box) -> Callable[[Button], None]:
    """Opens a drawer of buttons, or closes it."""

    def toggle(pressed: Button) -> None:
        is_open = "nk-open" in drawer._dom_classes
        (drawer.remove_class if is_open else drawer.add_class)("nk-open")
        pressed.button_style = "" if is_open else "info"

    return toggle


def step_escorts() -> Box:
    """The page of the escort stepper; where its address asks for something else, no hunt is played for nothing."""
    asked = os.environ.get("QUERY_STRING", "")
    return EscortStepper(step_hunts.position("mode-1") if step_hunts.asks(asked) else None).widget
