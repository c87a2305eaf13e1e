"""The page of a game: board, orders, controls and tabs, put together for any game that has a ``page.py``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ipywidgets import HTML, Box, Button, Tab, VBox

from navalkit.core.match import Match
from navalkit.core.store import Store
from navalkit.view.page import Chart
from navalkit.view.scene import Layer, Rect, Scene, Style

from . import files, html
from .bests import Bests
from .board import Board
from .bridge import Bridge
from .charts import BarChart
from .controller import Controller
from .controls import NewGame, OrderBox, OrderButtons, Stepper, button
from .days import spell, today
from .film import Film
from .handouts import Handouts

PHONE = 640
"""Pages narrower than this, in px, get the tall board."""
BOARD = "board"
"""The group of orders that have no button: one gives them by a click on the board, or types them."""
THEMES = ("light", "dark", "contrast")
_COVER = Scene(800, 200, (Layer("cover", (Rect(0, 0, 800, 200, Style("sea_deep")),)),), desc="The screen is covered.")
_BLANK = Chart("", "", "", "", (), (), ())


class GameApp:
    """A game's page.

    Parameters
    ----------
    name : str
        The game ("uss-lox").
    example : str
        A typed order to show in the order box.
    store : Store, optional
        Where games in progress are kept; by default the reader's own folder on the server.
    adviser, seats
        As for `Controller`.
    """

    def __init__(
        self,
        name: str,
        example: str = "",
        store: Store | None = None,
        adviser: str = "optimal",
        seats: tuple[str, ...] = (),
    ) -> None:
        self.control = control = Controller(name, adviser=adviser, seats=seats)
        self._store = store or Store()
        control.changed, control.kept = self.refresh, self._keep_token
        safe = control.guard
        self._token_key, self._bests_key = f"{name}:token?", f"{name}:bests"
        self.bridge = Bridge([self._token_key, self._bests_key, "guide"])
        self.bridge.handlers |= {
            "hello": safe(self._hello),
            "theme": safe(lambda message: self.set_theme(message["theme"])),
            "width": safe(self._width),
            "copied": safe(self._copied),
            "file": safe(self._open),
            "hover": safe(self._hover),
        }
        self.theme, self.guided = "light", True
        self.bests = Bests(getattr(control.page, "UNIT", "t"))

        self.board = Board(
            safe(self._point), on_drag=safe(control.drag) if hasattr(control.page, "goes_on") else None
        )
        if getattr(control.page, "HOVERS", False):
            self.board.widget.add_class("nk-hover")
        self.film = Film(self.board.show)
        self.board.canvas.on_mouse_down(lambda *_: self.film.skip())
        self.board.canvas.on_key_down(lambda *_: self.film.skip())
        self._filmed: tuple[Match, dict[int, int]] | None = None  # up to which ply each player has seen this match
        self.status, self.guide, self.report = HTML(), HTML(), HTML()
        self.status.add_class("nk-status")
        self.guide.add_class("nk-guide")
        self.report.add_class("nk-report")
        self.orders = OrderButtons(safe(control.order))
        self.box = OrderBox(safe(self._typed), example)
        self.stepper = Stepper(safe(control.look))
        self.today, self.today_again = (
            button("Today's map", "The map of the day: everybody has the same", safe(self._today), "nk-today")
            for _ in range(2)
        )
        others = (self.today,) if hasattr(control.page, "daily") else ()
        self.new_game = NewGame(control.game, safe(self._start), safe(lambda: self._panel(False)), others)
        self.ask = self._ask(safe)
        self.charts = [BarChart() for _ in control.page.charts(control.game, control.seen)]
        self.facts, self.reasons, self.log, self.rules, self.seed = HTML(), HTML(), HTML(), HTML(), HTML()
        self.log.add_class("nk-log")
        self.seed.add_class("nk-seed-line")
        self.reasons.add_class("nk-hint")
        self._shown_rules: Any = None
        self.tabs = Tab(
            [
                VBox([self.facts, *(chart.widget for chart in self.charts)]),
                self.reasons,
                self.log,
                self.rules,
            ],
            titles=("Odds", "Reasons", "Log", "Rules"),
        )
        self.tabs.add_class("nk-tabs")
        self.handouts = Handouts(
            control, self.bridge, lambda name: self.bridge.picture(name, self.scene(), self.theme)
        )
        self.widget = self._page(safe)
        self.refresh()

    # What it looks like -----------------------------------------------------------------------------------------

    def _page(self, safe: Any) -> Box:
        control = self.control
        self.undo = button("Undo", "Take back the last action", safe(lambda _: control.undo()), "nk-undo")
        self.redo = button("Redo", "Play again what was undone", safe(lambda _: control.redo()), "nk-redo")
        self.hint = button(
            "Hint", "What the best player would do here, and why", safe(self._hint), "nk-hint-button"
        )
        self.guide_switch = button(
            "Guide off",
            "Switch the guide for a first patrol off or on",
            safe(self._switch_guide),
            "nk-guide-switch",
        )
        self.theme_switch = button(
            "Theme", "Light, dark or high contrast", safe(self._next_theme), "nk-theme-switch"
        )
        self.theme_switch.layout.display = "none"  # the page's header has one, where there is a header
        menu = Box([*self.handouts.buttons, self.guide_switch, self.theme_switch])
        menu.add_class("nk-menu")
        more_button = button(
            "More", "Save, open, share, export", safe(lambda pressed: self._toggle(menu, pressed)), "nk-more"
        )
        bar = Box(
            [
                button("New", "Start a new game", safe(self._ask_new), "nk-new"),
                self.undo,
                self.redo,
                self.hint,
                more_button,
                self.seed,
            ]
        )
        bar.add_class("nk-bar")
        self.controls = VBox([bar, self.stepper.widget, menu])
        self.controls.add_class("nk-controls")
        again = [
            button("New game", "A new seed, with the same options", safe(lambda _: control.new()), "nk-again"),
            button(
                "Same seed again",
                "The same seed and options from the start",
                safe(lambda _: control.new(control.match.seed)),
                "nk-same-sea",
            ),
        ]
        self.again = Box([*again, *((self.today_again,) if hasattr(control.page, "daily") else ())])
        self.again.add_class("nk-ask")
        self.play = VBox([self.ask, self.orders.widget, self.box.widget, self.guide, self.again, self.report])
        self.play.add_class("nk-play-area")
        self.take_seat = button("", "See your side", safe(lambda _: control.take_seat()), "nk-take-seat")
        self.cover = Box([self.take_seat])
        self.cover.add_class("nk-ask")
        self.uncovered = VBox([self.new_game.widget, self.play])
        self.uncovered.add_class("nk-play-area")
        orders = VBox([self.cover, self.uncovered])
        orders.add_class("nk-orders")
        left, right = VBox([self.board.widget, self.controls]), VBox([self.status, orders, self.tabs])
        left.add_class("nk-left")
        right.add_class("nk-right")
        page = Box([left, right, self.bridge])
        page.add_class("nk-page")
        return page

    def _ask(self, safe: Any) -> Box:
        yes = button(
            "Undo; make it an analysis",
            "Take it back; the record says that this is an analysis",
            safe(lambda _: self.control.undo(agreed=True)),
            "nk-undo-yes",
        )
        no = button("Keep the game", "Take nothing back", safe(lambda _: self.control.keep()), "nk-undo-no")
        ask = Box([yes, no])
        ask.add_class("nk-ask")
        return ask

    def _toggle(self, menu: Box, opener: Button) -> None:
        is_open = "nk-open" in menu._dom_classes
        (menu.remove_class if is_open else menu.add_class)("nk-open")
        opener.description = "More" if is_open else "Less"

    # Painting ---------------------------------------------------------------------------------------------------

    def scene(self) -> Any:
        """The board as it is looked at."""
        return self.control.scene()

    def refresh(self) -> None:
        """Bring every widget up to date; what has not changed sends nothing."""
        control = self.control
        self.cover.layout.display = "" if control.covered else "none"
        for widget in (self.uncovered, self.tabs, self.controls):
            widget.layout.display = "none" if control.covered else ""
        if control.covered:
            self._show_cover()
            return
        game, seen, page, match = control.game, control.seen, control.page, control.match
        scene = self.scene()
        self.film.play(self._frames(scene), scene)
        live = control.live
        now = page.now(game, seen) if live else "Step forward to go on."
        status = control.status
        buttons = tuple(order for order in control.orders() if order.group != BOARD)
        self.orders.show(buttons if not control.asking_undo else ())
        self.ask.layout.display = "" if control.asking_undo else "none"
        guide = page.guide(game, seen) if self.guided and live else ""
        self.guide.value = f"<p>{guide}</p>" if guide else ""
        self.guide.layout.display = "" if guide else "none"
        self.guide_switch.description = "Guide off" if self.guided else "Guide on"
        for chart, data in zip(self.charts, page.charts(game, seen), strict=True):
            chart.show(data)
        self.facts.value = html.table(page.facts(game, seen))
        self.reasons.value = html.decision(control.reasons())
        rules = game.rules()
        self.log.value = html.log(control.events(), rules)
        if self._shown_rules is not rules:
            self._shown_rules, self.rules.value = rules, html.rules(rules)
        analysis = " · analysis" if match.analysis else ""
        secret = match.secret and not control.chosen_seed
        seed = "shown at the end" if secret else f"<code class='nk-seed'>{match.seed}</code>"
        day = control.day
        daily = f"map of {spell(day)}" if day else ""
        named = daily if daily and secret else " · ".join(filter(None, (daily, f"seed {seed}")))
        self.seed.value = f"<span>{named}{analysis}</span>"
        self.today_again.layout.display = "none" if day == today() else ""
        self.handouts.copy_seed.disabled = secret
        self.undo.disabled = not control.can_undo()
        self.redo.disabled = not match.can_redo()
        self.hint.disabled = not control.legal
        self.stepper.show(control.ply, match.ply)
        self._show_report()
        # Last of all: whoever waits for the counter to go up finds the rest of the page in its place.
        self.status.value = html.status(control.happened(), now, status.text, status.error, status.count)

    def _frames(self, last: Scene) -> Sequence[Scene]:
        """The pictures between what this player was shown last and ``last``, where the game's page films anything."""
        control, match = self.control, self.control.match
        film = getattr(control.page, "film", None)
        if film is None or not control.live:
            return ()
        if self._filmed is None or self._filmed[0] is not match:
            self._filmed = match, {}
        since = self._filmed[1].get(control.me, match.ply)
        self._filmed[1][control.me] = match.ply
        if self.film.calm or since >= match.ply:
            return ()
        return film(control.game, control.moments(since), control.tall, last)  # type: ignore[no-any-return]

    def _show_cover(self) -> None:
        """Nothing of the game, until the next player has taken the seat."""
        control = self.control
        who = control.name_of_seat
        text = f"Pass the screen to the {who}."
        now = "Whoever plays them then presses the button."
        self.status.value = html.status(text, now, "", False, control.status.count)
        self.take_seat.description = f"I play the {who}"
        self.film.play((), _COVER)
        for shown in (self.guide, self.facts, self.reasons, self.log, self.report):
            shown.value = ""
        for chart in self.charts:
            chart.show(_BLANK)
        self.orders.show(())

    def _show_report(self) -> None:
        control = self.control
        match = control.match
        over = match.over and control.live
        self.report.layout.display = self.again.layout.display = "" if over else "none"
        self.box.widget.layout.display = "none" if over else ""
        if not over:
            return
        if match.game.deciders > 1:
            self.report.value = html.table(control.page.report(control.game, match, ()))
            return
        if not control.opened and self.bests.note(match):
            self.bridge.store(self._bests_key, self.bests.dumps())
        name, other = f"the {control.adviser} player", control.same_sea()
        tables = (
            control.page.report(control.game, match, [(name, other)]),
            control.page.compare(control.game, name, match, other),
        )
        self.report.value = "".join(map(html.table, tables)) + html.bests(self.bests.rows)

    # What the browser says --------------------------------------------------------------------------------------

    def _hello(self, message: dict[str, Any]) -> None:
        """A page is there: its theme and width, what it keeps, and what its address asks for."""
        stored = message.get("stored", {})
        self.guided = stored.get("guide") != "off"
        self.bests.loads(stored.get(self._bests_key))
        self.theme_switch.layout.display = "none" if message.get("header") else ""
        self.control.tall = int(message.get("width", 1280)) < PHONE
        self.set_theme(message.get("theme", "light"))
        self.film.calm = bool(message.get("calm"))
        for chart in self.charts:
            chart.calm = self.film.calm
        control = self.control
        if control.store is None:  # the first page of this kernel; a page that comes back finds its game here
            control.store = self._store
            if not control.resume(stored.get(self._token_key, ""), another_tab=not message.get("tab")) or (
                control.outdated(message.get("query", ""))
            ):
                control.open_query(message.get("query", ""))
        control.status.count += 1  # the page has answered
        self.refresh()

    def _point(self, cell: str) -> None:
        """A press on the board while a film runs ends the film: what it would order is not to be seen yet."""
        if not self.film.skip():
            self.control.point(cell)

    def _hover(self, message: dict[str, Any]) -> None:
        """The pointer rests on the board, at shares of its width and height, or has left it (below 0)."""
        control = self.control
        cell = self.board.at(float(message["x"]), float(message["y"]))
        if cell != control.hovered and not control.covered and not self.film.running:
            control.hovered = cell
            self.board.show(self.scene())

    def _width(self, message: dict[str, Any]) -> None:
        tall = int(message["width"]) < PHONE
        if tall != self.control.tall:
            self.control.tall = tall
            self.refresh()

    def set_theme(self, name: str) -> None:
        """Paint everything in a theme: light, dark or contrast."""
        self.theme = name if name in THEMES else "light"
        self.board.theme = self.theme
        for chart in self.charts:
            chart.theme = self.theme

    def _copied(self, message: dict[str, Any]) -> None:
        what, text = message.get("what", ""), str(message.get("text", ""))
        if message.get("ok"):
            self.control.tell(f"Copied the {what}." if len(text) > 100 else f"Copied the {what}: {text}")
        else:
            self.control.tell(f"The browser did not let the {what} be copied; here it is: {text}")

    def _keep_token(self) -> None:
        self.bridge.store(self._token_key, self.control.token)

    # Buttons ----------------------------------------------------------------------------------------------------

    def _typed(self, text: str) -> None:
        self.control.order(text)
        self.box.clear()

    def _start(self, seed: str, options: dict[str, Any], seats: tuple[str, ...]) -> None:
        self.control.new(seed, options, seats)
        self._panel(False)

    def _today(self, _button: Any) -> None:
        self.control.new_daily()
        self._panel(False)

    def _ask_new(self, _button: Any) -> None:
        self._panel(not self.new_game.is_open)

    def _panel(self, shown: bool) -> None:
        """Show the panel for a new game in the place of the orders, or the orders again."""
        if shown:
            self.new_game.open(self.control.game.options, self.control.seats)
        else:
            self.new_game.close()
        self.play.layout.display = "none" if shown else ""

    def _hint(self, _button: Any) -> None:
        self.tabs.selected_index = 1  # before the status, which says that the page has its answer
        self.control.advise()

    def _switch_guide(self, _button: Any) -> None:
        self.guided = not self.guided
        self.bridge.store("guide", None if self.guided else "off")
        self.refresh()

    def _next_theme(self, _button: Any) -> None:
        self.set_theme(THEMES[(THEMES.index(self.theme) + 1) % len(THEMES)])

    def _open(self, message: dict[str, Any]) -> None:
        files.check_size(message["name"], message["size"])
        self.control.open(message["data"], str(message["name"]))


def uss_lox() -> Box:
    """The page of USS Lox."""
    return GameApp("uss-lox", "flip B2, attack 2").widget


def wolf_pack() -> Box:
    """The page of Wolf Pack: you are the U-boats, against a careful convoy, until you choose otherwise."""
    return GameApp("wolf-pack", "play sonar, discard water", adviser="ismcts", seats=("", "careful")).widget


def task_force() -> Box:
    """The page of Task Force."""
    return GameApp("task-force", "C7, fly A3, strike E5", adviser="planner").widget


def on_patrol() -> Box:
    """The page of On Patrol."""
    return GameApp("on-patrol", "S1 ahead 2 port, dive 50, fire 2 at 3", adviser="skipper").widget


def fleet_action() -> Box:
    """The page of Fleet Action: you are the first of the two sides, against the admiral, until you choose otherwise."""
    example = "Exeter: G6 E; guns Graf Spee"
    return GameApp("fleet-action", example, adviser="admiral", seats=("", "admiral")).widget
