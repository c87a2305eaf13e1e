"""The escort stepper: board left, the decision as lines right, tables, predictions and what-ifs, for a class to see."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from html import escape

from navalkit.core.errors import OptionError
from navalkit.core.language.words import ENGLISH, Voice, speaking
from navalkit.games.on_patrol.board import sheets
from navalkit.games.on_patrol.board.hunt_report import report
from navalkit.games.on_patrol.board.overlay import LAYERS
from navalkit.games.on_patrol.sea.state import Phase
from navalkit.games.on_patrol.sea.tables import TABLES
from navalkit.view.painters.pdf import pdf
from navalkit.view.painters.svg import svg
from navalkit.view.scene import Scene

from .. import files
from ..canvas.board import Board
from ..canvas.stage import Stage
from ..play import html
from ..rooms.class_panel import KEY, Class
from ..shell import Shell
from ..widgets import HTML, Box, Dropdown, Tab, shown, unheard
from ..widgets.spoken import Heard, KeyButton, box, button, classed, maker
from . import hunts, tours
from .model import StepModel
from .panels import OwnTour, Panels, log, notes
from .say import STEP
from .scene import Camera, Shown, board, led_here, phase_name
from .told import tables
from .told.telling import CLASS, ME, MODES, WHAT_IF
from .widgets import LinesList, StepBar, Track

_LOG = 60
"""Lines of the log that are shown."""
_BRIEF = 90
"""Characters of what happened that the page has room for in front of a class."""
_PAN = 0.3
_TABLE = {
    Phase.CONVOY: 1, Phase.CAPITAL: 1, Phase.ATTACKS: 3, Phase.SEARCH: 2, Phase.GUNFIRE: 2, Phase.BOATS: 2,
    Phase.STAR_SHELLS: 2,
}  # fmt: skip
"""The table that says most in a phase; the Escort Action Table in the others."""


class EscortStepper(Shell):
    """The page. ``show``: what it opens with. ``query``: what its address asks for, where that is known already: then
    this is the first thing to be seen."""

    longest_copy = 300

    def __init__(self, show: hunts.Show | None = None, query: str = "") -> None:
        asks = hunts.asks(query) or "tour=" in query
        self._opened = query if asks else ""
        first = hunts.position("mode-1") if asks else show or hunts.hunt(*hunts.FIRST)
        self.model = model = StepModel(first)
        model.guard(model.open_query)(query)
        model.changed = self.refresh
        super().__init__(model, [KEY], model.desk)
        safe, self.made = self.safe, maker(model.guard, STEP)
        self.camera = Camera()
        self._phase = model.moment.phase
        self.board = Board(self._pressed, on_drag=safe(model.drag))
        self.stage = Stage(self.board, rings=False)  # who is spoken of has a ring already
        self._shown: Shown | None = None
        self.status, self.headline, self.log = (
            classed(HTML(), name) for name in ("nk-status", "nk-step-headline", "nk-log")
        )
        self.lines, self.track = LinesList(), Track()
        self.lines.picked = safe(model.light)
        self.bar = StepBar(
            forward=safe(model.forward), back=safe(model.back), first=safe(model.first), last=safe(model.last),
            look=safe(model.go), step_by=safe(model.step_by),
        )  # fmt: skip
        self.track.look = safe(model.go)
        self.track.pressed = safe(self._key)
        self.track.sized = safe(self._sized)
        self.track.noted = safe(self._open_notes)
        self._notes = False
        self.panels = Panels(model)
        self.tables = [HTML() for _ in tables.TABLE_NAMES]
        titles = [STEP(f"tab.{name}") for name in (*tables.TABLE_NAMES, "log")]
        self.tabs = classed(Tab([*self.tables, self.log], titles=titles), "nk-tabs")
        self.widget = self._page()
        self._project(model.sees == CLASS)

    # What it looks like --------------------------------------------------------------------------------------------

    def _page(self) -> Box:
        model, made, safe = self.model, self.made, self.safe
        self.chooser = classed(
            Dropdown(options=tours.choices(), description=STEP("show"), tooltip=STEP("show.help")), "nk-step-chooser"
        )
        self._heard = Heard()
        self._heard.value(self.chooser, safe(self._chosen))
        self.another = button("", STEP("another.help"), safe(self._another), "nk-step-another")
        self.projector = made("large", self._enlarge)
        choose = box("nk-step-choose", self.chooser, self.another, self.projector)
        self.switches = {mode: made(f"mode.{mode}", partial(model.use, mode)) for mode in MODES}
        self.layers = {
            name: button(name, STEP("layer.help", layer=name), safe(partial(model.switch, name)), "nk-step-layer")
            for name in LAYERS
        }
        modes = box("nk-step-modes", *self.switches.values())
        layers, menu = box("nk-step-layers", *self.layers.values()), self._menu()
        own = OwnTour(model, self._save_tour, lambda: self._copy(model.draft.query))
        self.tour_drawer = own.widget
        under = self._under(layers, menu, own.widget)
        left = box(
            "nk-left", choose, self.bar.widget, self.board.widget, under, layers, menu, own.widget, self._tools(),
            column=True,
        )  # fmt: skip
        panels = self.panels
        self.phones = Class(model, self.bridge)
        classed(self.phones.widget, "nk-step-phones")
        right = box(
            "nk-right", self.status, self.waiting.widget, modes, panels.tour, panels.predict, self.phones.widget,
            panels.what_if, panels.ending, self.headline, self.lines, self.tabs, column=True,
        )  # fmt: skip
        return box("nk-page nk-step", left, right, self.bridge)

    def _tools(self) -> Box:
        """What is at hand in front of a class: whose eyes, how near, and back to the page."""
        self.eyes = self.made("eyes.me", self._switch_eyes)
        window = self._looking("smaller", "larger", "all", "follow")
        leave = self.made("leave", self._enlarge)
        return box("nk-step-tools", self.eyes, *window, self._notes_button(), leave)

    def _notes_button(self) -> KeyButton:
        return KeyButton("notes", lambda _: None, words=STEP)  # the browser opens the window

    def _looking(self, *keys: str) -> list[KeyButton]:
        """The buttons of the window over the sea."""
        camera, model = self.camera, self.model
        moves: dict[str, Callable[[], object]] = {
            "smaller": partial(camera.zoom, model, -1), "larger": partial(camera.zoom, model, 1),
            "left": partial(camera.move, model, -_PAN, 0), "right": partial(camera.move, model, _PAN, 0),
            "up": partial(camera.move, model, 0, -_PAN), "down": partial(camera.move, model, 0, _PAN),
            "all": partial(camera.whole, model), "follow": camera.follow,
        }  # fmt: skip

        def look(key: str) -> None:
            moves[key]()
            self.refresh()

        return [self.made(f"view.{key}", partial(look, key), "nk-step-glyph") for key in keys]

    def _under(self, layers: Box, menu: Box, own: Box) -> Box:
        """What is right under the board: the slider with the key moments, and the buttons of the window."""
        window = box(
            "nk-step-window",
            *self._looking("smaller", "larger", "left", "right", "up", "down", "all", "follow"),
            self._opening("layers", layers),
            self._opening("menu", menu),
            self._opening("tour.make", own),
        )
        slide = box("nk-step-slide", self.bar.slider, self.track, column=True)
        return box("nk-step-controls", slide, window, column=True)

    def _opening(self, key: str, drawer: Box) -> KeyButton:
        """A button that opens a drawer of buttons, or closes it."""

        def toggle() -> None:
            is_open = "nk-open" in drawer._dom_classes
            (drawer.remove_class if is_open else drawer.add_class)("nk-open")
            made.button_style = "" if is_open else "info"

        made = self.made(key, toggle)
        return made

    def _menu(self) -> Box:
        made = self.made
        return box(
            "nk-menu",
            made("link", lambda: self._copy(self.model.link())),
            made("svg", partial(self._picture, "svg")),
            made("png", partial(self._picture, "png")),
            made("report", self._report),
            made("sheets", self._sheets),
            self._notes_button(),
            made("open", lambda: None),
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
        self._play()
        last = len(model.row) - 1
        self.bar.show(model.at, last, model.unit, model.at_start, model.at_end)
        self.track.last, self.track.at = last, model.at
        self.track.notes = notes(model) if self._notes else ""  # the class's window holds no answers without need
        known = last if model.sees == ME else model.at  # what is to come is not given away
        self.track.marks = [
            [m.ply, m.keys[-1].value, STEP("mark", turn=m.turn, key=m.keys[-1].value)]
            for m in model.row[: known + 1]
            if m.keys
        ]
        rules = model.show.game.rules()
        self.lines.show(model, lambda id: rules[id].text if id in rules else "")
        self.headline.value = self._headline()
        self.panels.show(model)
        self.phones.show()
        if model.room is not None:  # it says how many have answered, and confirms
            shown(self.panels.predict, False)
        for mode, made in self.switches.items():
            made.button_style = "primary" if mode == model.mode else ""
        for name, made in self.layers.items():
            made.description = f"{'☑' if name in model.layers else '☐'} {name}"
        seen = None if model.asked or model.told == 0 else model.decision
        for widget, text in zip(self.tables, tables.tables(tables.fired(model.row, model.at, seen)), strict=True):
            widget.value = text
        if model.moment.phase is not self._phase:
            self._phase = model.moment.phase
            if self.tabs.selected_index is not None and self.tabs.selected_index < len(self.tables):
                self.tabs.selected_index = _TABLE.get(self._phase, 0)
        events = [event for m in model.row[: model.at + 1] for event in m.events]
        self.log.value = log(events[: -_LOG - 1 : -1], rules)  # the latest first: it is the one to be seen
        self._show_choice()
        self.eyes.say("eyes.class" if model.sees == CLASS else "eyes.me")
        # Last of all: what waits for the counter to go up finds the rest of the page in its place.
        said = model.status
        self.status.value = html.status(self._where(), self._where(), self._now(), said.text, said.error, said.count)

    def _pressed(self, id: str) -> None:
        self.safe(self.model.point)(id)
        self.stage.answered()

    def _play(self) -> None:
        """Show the board, and before it what moved since the moment that was looked at."""
        model = self.model
        before, now = self._shown, Shown(model.show, model.at, self.camera.view(model), self.scene())
        self._shown = now
        self.stage.calm, self.stage.silent = self.calm, model.sees == CLASS or model.room is not None
        self.stage.show(now.scene, led_here(model, before, now))

    def _where(self) -> str:
        """What just happened, and where in the hunt one is."""
        moment = self.model.moment
        show = self.model.show
        told = " ".join(event.text for event in moment.events[-2:])
        if self.lines.one and len(told) > _BRIEF:
            told = moment.events[-1].text if len(moment.events[-1].text) <= _BRIEF else ""
        about = show.title if self.lines.one else show.about  # the one asks, the other answers
        return STEP("where", turn=moment.turn, phase=phase_name(moment.phase), told=told or about)

    def _now(self) -> str:
        """What to press next."""
        model = self.model
        if model.mode == WHAT_IF:
            return STEP("now.what-if")
        if model.asked:
            chosen = model.answered and not model.room
            return STEP("now.chosen" if chosen else "now.asked", who=model.who)
        if model.untold:
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
        model, options = self.model, tours.choices()
        item, title = (model.tour.item, model.tour.title) if model.tour else (model.show.item, model.show.title)
        if item not in (known for _, known in options):
            options = ((title, item), *options)
        with self._heard.quietly():
            if self.chooser.options != options:
                self.chooser.options = options
            self.chooser.value = item
        kind = "seed" if model.show.item.kind == hunts.Kind.SCENARIO else "position"
        self.another.description = STEP(f"another.{kind}")

    # What the browser says -----------------------------------------------------------------------------------------

    def met(self, query: str, stored: dict[str, str], *, another_tab: bool) -> None:
        if query.lstrip("?") != self._opened.lstrip("?"):
            self.model.open_query(query)
            self._project(self.model.sees == CLASS)
        self.phones.met(query, stored.get(KEY, ""))

    def themed(self) -> None:
        self.board.theme = self.lines.theme = self.theme
        self.lines.entries = {}

    def opened(self, data: bytes, name: str) -> None:
        self.model.open_file(data)

    def _key(self, step: str) -> None:
        if step == "play":
            self.bar.toggle()
            return
        self.bar.stop()
        model = self.model
        steps: dict[str, Callable[[], None]] = {
            "forward": model.forward, "back": model.back, "first": model.first, "last": model.last,
            "up": partial(model.light_next, -1), "down": partial(model.light_next, 1), "eyes": self._switch_eyes,
        }  # fmt: skip
        steps[step]()

    # Buttons -------------------------------------------------------------------------------------------------------

    def _chosen(self, item: hunts.Item) -> None:
        if item.name:
            self.bar.stop()
            self.model.open_item(item)

    def _another(self) -> None:
        """The same scenario with the next seed; from a position, the next position."""
        item, match = self.model.show.item, self.model.show.match
        if item.kind == hunts.Kind.SCENARIO and match is not None:
            self.model.open_hunt(item.name, match.seed + 1)
            return
        items = [each for _, each in tours.choices()]
        here = items.index(item) if item in items else -1
        self.model.open_item(items[(here + 1) % len(items)])

    def _enlarge(self) -> None:
        """In front of a class, or back: there the class's eyes count, until the teacher's are asked for."""
        large = not self.lines.one
        self.model.look_as(CLASS if large else ME)
        self._project(large)

    def _project(self, large: bool) -> None:
        (self.widget.add_class if large else self.widget.remove_class)("nk-step-projector")
        self.lines.one = self.track.single = large
        if not large:
            self.camera.stage = None
        self.refresh()

    def _sized(self, width: int, height: int) -> None:
        if self.lines.one:
            self.camera.fill(width, height)
            self.refresh()

    def _open_notes(self) -> None:
        self._notes = True
        self.refresh()

    def _switch_eyes(self) -> None:
        self.model.look_as(ME if self.model.sees == CLASS else CLASS)

    def _copy(self, query: str) -> None:
        self.bridge.copy(query, "link", link=True)

    def _save_tour(self) -> None:
        draft = self.model.draft
        if not draft.stops:
            raise OptionError(STEP("tour.empty"))
        self.bridge.download("tour.toml", draft.dumps())
        self.model.say(STEP("tour.saved", n=len(draft.stops)))

    def _picture(self, kind: str) -> None:
        name = f"{self.model.show.item.file}-step-{self.model.at}.{kind}"
        self.bridge.picture(name, self.scene(), self.theme)

    def _report(self) -> None:
        show = self.model.show
        text = report(show.row, show.game, show.title, show.about, paint=lambda scene: svg(scene, "light"))
        self.bridge.download(f"{show.item.file}-report.html", text)
        self.model.say(STEP("report.made"))

    def _sheets(self) -> None:
        self.bridge.download("on-patrol-sheets.pdf", pdf(sheets.sheets()))
        self.model.say(STEP("sheets.made"))


def step_escorts() -> Box:
    """The page of the escort stepper: what its address asks for is the first thing it shows."""
    query = os.environ.get("QUERY_STRING", "")
    with unheard(), speaking(Voice(files.language(query) or ENGLISH)):
        return EscortStepper(query=query).widget
