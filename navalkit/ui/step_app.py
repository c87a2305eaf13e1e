"""The escort stepper: board left, the decision as lines right, tables, predictions and what-ifs, for a class to see."""

from __future__ import annotations

import os
from collections.abc import Callable
from html import escape
from typing import Any

from ipywidgets import HTML, Box, Button, Dropdown, Tab, VBox

from navalkit.games.on_patrol.board import sheets
from navalkit.games.on_patrol.board.hunt_report import report
from navalkit.games.on_patrol.board.moments import Key
from navalkit.games.on_patrol.board.overlay import LAYERS
from navalkit.games.on_patrol.sea.state import Phase
from navalkit.games.on_patrol.sea.tables import TABLES
from navalkit.view.pdf import pdf
from navalkit.view.scene import Scene
from navalkit.view.svg import svg

from . import files, html, step_hunts, step_tables
from .board import Board
from .bridge import Bridge
from .shell import PHONE, THEMES
from .spoken import button
from .step_model import EXPLAIN, MODES, PREDICT, RULE, WHAT_IF, StepModel
from .step_panels import Panels
from .step_scene import Camera, board, phase_name
from .step_widgets import LinesList, StepBar, Track

LABELS = {EXPLAIN: "Explain", PREDICT: "Predict", WHAT_IF: "What if"}
_HELP = {
    EXPLAIN: "Show the rules behind each move",
    PREDICT: "The class says where she will go before it is shown",
    WHAT_IF: "Move a marker or an escort, or change the mode, and compare",
}
_LOG = 60
"""Lines of the log that are shown."""
_PAN = 0.3
_TABLE = {
    Phase.CONVOY: 1, Phase.CAPITAL: 1, Phase.ATTACKS: 3, Phase.SEARCH: 2, Phase.GUNFIRE: 2, Phase.BOATS: 2,
    Phase.STAR_SHELLS: 2,
}  # fmt: skip
"""The table that says most in a phase; the Escort Action Table in the others."""


class EscortStepper:
    """The page.

    Parameters
    ----------
    show : Show, optional
        What it opens with.
    """

    def __init__(self, show: step_hunts.Show | None = None) -> None:
        self.model = model = StepModel(show or step_hunts.hunt(*step_hunts.FIRST))
        model.changed = self.refresh
        safe = model.guard
        self.camera, self.theme, self.large = Camera(), "light", False
        self._met = False
        self._phase = model.moment.phase
        self.bridge = Bridge()
        self.bridge.handlers |= {
            "hello": safe(self._hello),
            "theme": safe(lambda message: self.set_theme(message["theme"])),
            "width": safe(self._width),
            "copied": safe(self._copied),
            "file": safe(self._open),
        }
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
        self.tables = [HTML() for _ in step_tables.TITLES]
        self.tabs = Tab([*self.tables, self.log], titles=("Action", "Fleet", "Detection", "Depth", "Log"))
        self.tabs.add_class("nk-tabs")
        self._quiet = False
        self.widget = self._page(safe)
        self.refresh()

    # What it looks like --------------------------------------------------------------------------------------------

    def _page(self, safe: Callable[..., Callable[..., None]]) -> Box:
        model = self.model
        self.chooser = Dropdown(options=step_hunts.choices(), description="Show", tooltip="A hunt or a position")
        self.chooser.observe(safe(self._chosen), "value")
        self.chooser.add_class("nk-chooser")
        self.another = button("", "The same scenario with another seed, or the next position", safe(self._another))
        self.another.add_class("nk-another")
        choose = Box([self.chooser, self.another])
        choose.add_class("nk-choose")
        self.switches = {
            mode: button(LABELS[mode], _HELP[mode], safe(_call(model.use, mode)), f"nk-use-{mode.replace(' ', '-')}")
            for mode in MODES
        }
        modes = Box(list(self.switches.values()))
        modes.add_class("nk-mode-switch")
        self.layers = {
            name: button(name, f"Show or hide: {name}", safe(_call(model.switch, name)), "nk-layer") for name in LAYERS
        }
        layers, menu = Box(list(self.layers.values())), self._menu(safe)
        layers.add_class("nk-layers")
        left = VBox([choose, self.bar.widget, self.board.widget, self._under(safe, layers, menu), layers, menu])
        left.add_class("nk-left")
        panels = self.panels
        right = VBox([self.status, modes, panels.predict, panels.what_if, self.headline, self.lines, self.tabs])
        right.add_class("nk-right")
        page = Box([left, right, self.bridge])
        for name in ("nk-page", "nk-step-page"):
            page.add_class(name)
        return page

    def _under(self, safe: Callable[..., Callable[..., None]], layers: Box, menu: Box) -> Box:
        """What stands right under the board: the slider with the key moments, and the buttons of the window."""
        camera, model = self.camera, self.model

        def looking(label: str, title: str, call: Callable[[], None]) -> Button:
            def look(_button: Any) -> None:
                call()
                self.refresh()

            return button(label, title, safe(look), "nk-glyph")

        window = Box([
            looking("−", "Smaller hexes", lambda: camera.zoom(model, -1)),
            looking("+", "Larger hexes", lambda: camera.zoom(model, 1)),
            looking("←", "Look further left", lambda: camera.move(model, -_PAN, 0)),
            looking("→", "Look further right", lambda: camera.move(model, _PAN, 0)),
            looking("↑", "Look further up", lambda: camera.move(model, 0, -_PAN)),
            looking("↓", "Look further down", lambda: camera.move(model, 0, _PAN)),
            looking("All", "The whole sea", lambda: camera.whole(model)),
            looking("Follow", "Follow what is explained", camera.follow),
            button("Layers", "What is drawn over the sea", safe(_opening(layers)), "nk-open-layers"),
            button("More", "Links, pictures, report, sheets, large type", safe(_opening(menu)), "nk-more"),
        ])  # fmt: skip
        window.add_class("nk-window")
        slide = VBox([self.bar.slider, self.track])
        slide.add_class("nk-slide")
        under = VBox([slide, window])
        under.add_class("nk-step-controls")
        return under

    def _menu(self, safe: Callable[..., Callable[..., None]]) -> Box:
        self.projector = button("Large type", "For a projector: larger type", safe(self._enlarge), "nk-large")
        self.theme_switch = button("Theme", "Light, dark or high contrast", safe(self._next_theme), "nk-theme-switch")
        menu = Box([
            self.projector,
            button("Copy link", "Copy a link to this very step", safe(self._link), "nk-link"),
            button("SVG", "This step as an SVG picture", safe(lambda _: self._picture("svg")), "nk-svg"),
            button("PNG", "This step as a PNG picture", safe(lambda _: self._picture("png")), "nk-png"),
            button("Report", "The whole hunt as a page to print", safe(self._report), "nk-report-button"),
            button("Blank sheets", "A hex sheet and a submarine log to print (PDF)", safe(self._sheets), "nk-sheets"),
            button("Open a file", "A saved game, or your own scenario (.toml)", lambda _: None, "nk-open-file"),
            self.bar.speed,
            self.theme_switch,
        ])  # fmt: skip
        menu.add_class("nk-menu")
        return menu

    # Painting ------------------------------------------------------------------------------------------------------

    def scene(self) -> Scene:
        """The board as it is looked at."""
        return board(self.model, self.camera.view(self.model))

    def refresh(self) -> None:
        """Bring every widget up to date; what has not changed sends nothing."""
        model = self.model
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
        return f"Turn {moment.turn}, {phase_name(moment.phase)}. {told or self.model.show.about}"

    def _now(self) -> str:
        """What to press next."""
        model = self.model
        if model.mode == WHAT_IF:
            return "Lift a piece with a click and put it down with another, or drag it."
        if model.asked:
            return f"{model.who} is to move. Click the hex where her bow will be."
        if model.unit == RULE and model.untold:
            return f"{model.who} is to move: press Next for the next of her rules."
        if model.at_end:
            return "This is the end. Choose another hunt or position above the board."
        if model.decision is not None and not model.chosen:
            return f"{model.who} is to move: her rules stand below. Press Next to let her."
        return "Press Next, or the right arrow key."

    def _headline(self) -> str:
        model = self.model
        if not model.who:
            return "<p class=nk-note>No escort is to move now. Click one on the board to see what she would do.</p>"
        name = TABLES.vessels[model.state.vessel(model.who).type].name
        head = f"<h3>{escape(model.who)} <span class=nk-note>{escape(name)}</span></h3>"
        if model.asked or model.untold or model.decision is None:
            return f"{head}<p>What does she do?</p>"
        would = "If she were to move now. " if model.chosen and model.chosen != model.moment.who else ""
        return f"{head}<p>{escape(would)}{escape(str(model.decision.reason))}</p>"

    def _show_choice(self) -> None:
        self._quiet = True
        options = step_hunts.choices()
        if self.model.show.key == "file":
            options = ((self.model.show.title, "file"), *options)
        if self.chooser.options != options:
            self.chooser.options = options
        self.chooser.value = self.model.show.key
        self.another.description = "Another seed" if self.model.show.key.startswith("scenario") else "Next position"
        self._quiet = False

    # What the browser says -----------------------------------------------------------------------------------------

    def _hello(self, message: dict[str, Any]) -> None:
        """A page is there: its theme and width, and what its address asks for."""
        self.theme_switch.layout.display = "none" if message.get("header") else ""
        self.camera.tall = int(message.get("width", 1280)) < PHONE
        self.set_theme(message.get("theme", "light"))
        if not self._met:
            self._met = True
            self.model.open_query(message.get("query", ""))
        self.model.status.count += 1
        self.refresh()

    def _width(self, message: dict[str, Any]) -> None:
        tall = int(message["width"]) < PHONE
        if tall != self.camera.tall:
            self.camera.tall = tall
            self.refresh()

    def set_theme(self, name: str) -> None:
        """Paint the board in a theme: light, dark or contrast."""
        self.theme = name if name in THEMES else "light"
        self.board.theme = self.theme

    def _copied(self, message: dict[str, Any]) -> None:
        done = "Copied the link to this step" if message.get("ok") else "The browser did not let the link be copied"
        text = str(message.get("text", ""))
        self.model.say(f"{done}: {text}" if len(text) < 300 or not message.get("ok") else f"{done}.")

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
            self.model.say(f"Seed {match.seed + 1}: another hunt of the same scenario.")
            return
        keys = [key for _, key in step_hunts.choices()]
        here = keys.index(self.model.show.key) if self.model.show.key in keys else -1
        self.model.open_key(keys[(here + 1) % len(keys)])

    def _enlarge(self, _button: Any) -> None:
        self.large = self.camera.large = not self.large
        (self.widget.add_class if self.large else self.widget.remove_class)("nk-projector")
        self.projector.description = "Normal type" if self.large else "Large type"
        self.refresh()

    def _next_theme(self, _button: Any) -> None:
        self.set_theme(THEMES[(THEMES.index(self.theme) + 1) % len(THEMES)])

    def _link(self, _button: Any) -> None:
        self.bridge.copy(self.model.link(), "link", link=True)

    def _open(self, message: dict[str, Any]) -> None:
        files.check_size(message["name"], message["size"])
        self.model.open_file(message["data"])

    def _picture(self, kind: str) -> None:
        name = f"{self.model.show.key.replace(' ', '-')}-step-{self.model.at}.{kind}"
        self.bridge.picture(name, self.scene(), self.theme)

    def _report(self, _button: Any) -> None:
        show = self.model.show
        text = report(show.row, show.game, show.title, show.about, paint=lambda scene: svg(scene, "light"))
        self.bridge.download(f"{show.key.replace(' ', '-')}-report.html", text)
        self.model.say("The report of the whole hunt: open it and print it, or save it as a PDF.")

    def _sheets(self, _button: Any) -> None:
        self.bridge.download("on-patrol-sheets.pdf", pdf(sheets.sheets()))
        self.model.say("A hex sheet and a submarine log, two pages to print.")


def _mark(turn: int, key: Key) -> str:
    return f"turn {turn}: {key.value}"


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
