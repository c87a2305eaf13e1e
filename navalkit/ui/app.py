"""The page of a game: board, orders, controls and tabs, put together for any game that has a `Page`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

from ipywidgets import HTML, Box, Tab, VBox

from navalkit.core.awaited import Awaited
from navalkit.core.match import Match
from navalkit.core.record import GameRecord
from navalkit.core.store import Store
from navalkit.core.words import speaking
from navalkit.view.effect import Film, film
from navalkit.view.film_svg import film_svg
from navalkit.view.page import Chart, Glance, Table
from navalkit.view.scene import Layer, Rect, Scene, Style

from . import html
from .bests import Bests
from .board import Board
from .charts import BarChart
from .controller import Controller
from .controls import OrderBox, OrderButtons, Stepper
from .days import spell, today
from .desk import looping
from .files import asked
from .handouts import Handouts
from .markup import Markup
from .new_game import NewGame
from .review_panel import ReviewPanel
from .rooms.invite import Invite
from .say import SAY
from .shell import Shell
from .spoken import KeyButton, box, relabel
from .stage import Stage

T = TypeVar("T")
_BLANK = Chart("", "", "", "", (), (), ())


class _Shown(NamedTuple):
    """What a player was shown last."""

    ply: int
    glance: Glance[Any, Any, Any]
    window: Any
    scene: Scene


class GameApp(Shell):
    """A game's page.

    Parameters
    ----------
    name : str
        The game ("uss-lox").
    store : Store, optional
        Where games in progress are kept; by default the reader's own folder on the server.
    adviser, seats
        As for `Controller`.
    """

    def __init__(
        self, name: str, store: Store | None = None, adviser: str = "", seats: tuple[str, ...] | None = None
    ) -> None:
        self.control = control = Controller(name, adviser=adviser, seats=seats)
        self._store = store or Store()
        self._token_key, self._bests_key = f"{name}:token?", f"{name}:bests"
        keys = [self._token_key, self._bests_key, Invite.key(name), "guide", "tab"]
        super().__init__(control.guard, control.desk, keys)
        control.changed, control.kept = self._changed, self._keep_token
        control.answered = lambda: self.stage.show(self.scene())
        safe, page = self.safe, control.page
        self.guided, self._ended = True, False
        self.bests = Bests(page.unit)
        self.board = Board(safe(control.point), on_drag=safe(control.drag) if page.drags else None)
        if page.hovers:
            self.board.widget.add_class("nk-hover")
        self.stage = Stage(self.board)
        self._shown: tuple[Match, dict[int, _Shown]] | None = None  # what each player was shown of this match last
        self.status, self.guide, self.report = _text("nk-status"), _text("nk-guide"), _text("nk-report")
        self.facts, self.reasons, self.log = Markup(), _text("nk-hint"), Markup()
        self.log.add_class("nk-log")
        self.rules, self.seed = HTML(), _text("nk-seed-line")
        self._shown_rules: Any = None
        self.orders = OrderButtons(safe(control.give))
        self.box = OrderBox(safe(self._typed), page.example)
        self.stepper = Stepper(safe(control.look_at), safe(control.play_on))
        self.today, self.today_again = (
            KeyButton("today", safe(self._today), "nk-today") for _ in range(2)
        )
        others = (self.today,)
        self.new_game = NewGame(control.game, safe(self._start), safe(lambda: self._panel(False)), others)
        self.ask = self._ask()
        self.charts = [BarChart() for _ in page.charts(control.glance())]
        self.handouts = Handouts(control, self.bridge, self._picture)
        self.invite = Invite(control, self.safe, self.bridge)
        self.review = ReviewPanel(control, self.safe)
        self.widget = self._page()
        self.speak("en")
        self._changed()

    # What it looks like -----------------------------------------------------------------------------------------

    def _page(self) -> Box:
        control = self.control

        def made(key: str, call: Callable[[], None], name: str) -> KeyButton:
            return KeyButton(key, self.safe(lambda _: call()), name)

        self.undo = made("undo", control.undo, "nk-undo")
        self.redo = made("redo", control.redo, "nk-redo")
        self.hint = made("hint", self._hint, "nk-hint-button")
        self.do_it = made("do_it", control.follow, "nk-do-it")
        self.guide_switch = made("guide.off", self._switch_guide, "nk-guide-switch")
        self.lang_switch = made("lang", self._switch_lang, "nk-lang-switch")
        languages = [self.lang_switch] if len(control.page.languages) > 1 else []
        more = KeyButton("more", lambda _: None, "nk-more")  # the browser opens the drawer, and closes it
        new = made("new", self._ask_new, "nk-new")
        self.controls = box("nk-controls", self.undo, self.redo, self.hint, self.do_it, new, more)
        again = [
            made("again", control.new, "nk-again"),
            made("again.seed", lambda: control.new(control.match.seed), "nk-same-sea"),
        ]
        self.share = made("day.share", lambda: self.bridge.copy(control.day_line(), "day"), "nk-share")
        self.again = box("nk-ask", *again, self.review.button, self.today_again, self.share)
        self.skip = made("first.skip", control.leave_first, "nk-skip")
        self.watch = made("watch", self._watch, "nk-watch")
        self.play = box("nk-play-area", self.ask, self.orders, self.watch, self.again, column=True)
        self.take_seat = made("seat", control.take_seat, "nk-take-seat")
        self.cover = box("nk-ask", self.take_seat)
        self.uncovered = box("nk-play-area", self.new_game, self.play, column=True)
        handouts = self.invite.button, *self.handouts.buttons
        menu = box("nk-menu", self.seed, *handouts, self.guide_switch, *languages, self.theme_switch)
        about = _text("nk-about")  # the browser puts the notebook's own words here
        odds = [self.review.widget, self.report, self.guide, self.facts, *(chart.widget for chart in self.charts)]
        self.tabs = Tab([box("nk-tab", *odds, column=True), self.reasons, self.log, VBox([about, self.rules]), menu])
        self.tabs.add_class("nk-tabs")
        self.tabs.observe(self.safe(self._turned), "selected_index")
        self.drawer = box("nk-drawer", self.invite.widget, box("nk-ask", self.skip), self.box, self.tabs, column=True)
        orders = box("nk-orders", self.cover, self.uncovered, column=True)
        left = box("nk-left", self.board.widget, self.stepper.widget, column=True)
        top = box("nk-top", self.status, self.waiting.widget, column=True)
        right = box("nk-right", top, orders, self.controls, self.drawer, column=True)
        page = box("nk-page", left, right, self.bridge)
        for name in ("nk-game", f"nk-rows-{control.page.rows}"):
            page.add_class(name)
        return page

    def _ask(self) -> Box:
        yes = KeyButton("undo.yes", self.safe(lambda _: self.control.undo(agreed=True)), "nk-undo-yes")
        no = KeyButton("undo.no", self.safe(lambda _: self.control.keep()), "nk-undo-no")
        return box("nk-ask", yes, no)

    def _mark(self, name: str, marked: bool) -> None:
        """Give the page a class, or take it away."""
        if marked != (name in self.widget._dom_classes):
            (self.widget.add_class if marked else self.widget.remove_class)(name)

    def _picture(self, name: str) -> None:
        """Hand over the board, or the film that led to it, as the file's name ends."""
        if not name.endswith("film.svg"):
            self.bridge.picture(name, self.scene(), self.theme)
        elif self.stage.film:
            self.bridge.download(name, film_svg(*self.stage.film, self.theme))
        else:
            self.control.tell(SAY("film.none"))

    # Painting ---------------------------------------------------------------------------------------------------

    def scene(self) -> Scene:
        """The board as it is looked at."""
        return self.control.scene()

    def _changed(self) -> None:
        """The game, or how one looks at it, is another: repaint. Without an event loop nothing is left for later."""
        with speaking(self.control.voice):
            self.refresh()
        if not looping():
            self.desk.settle()

    def refresh(self) -> None:
        """Bring every widget up to date: board and status at once, what takes time when it is there."""
        control = self.control
        control.tall, control.room = self.tall, self.room
        self.cover.layout.display = "" if control.covered else "none"
        for widget in (self.uncovered, self.drawer, self.controls, self.stepper.widget):
            widget.layout.display = "none" if control.covered else ""
        if control.covered:
            self._show_cover()
            return
        glance, page, match, live = control.glance(), control.page, control.match, control.live
        control.window = page.frame(glance, control.look)
        hint = self.stage.hinted = control.advised if glance.legal else None
        self._play(self.scene())
        control.await_board()
        buttons = () if control.asking_undo else control.orders()
        self.orders.show(buttons)
        for number, order in enumerate(buttons):
            self._when(f"odds {number}", order.odds, partial(self.orders.tell, number))
        self.orders.hint(hint)
        self._mark("nk-advised", hint is not None)
        watched = control.watched and not match.over
        self._mark("nk-begun", match.ply > 0 or watched)
        self.watch.layout.display = "" if watched else "none"
        self.ask.layout.display = "" if control.asking_undo else "none"
        guide = page.guide(glance) if self.guided and live else ""
        self.guide.value = f"<p>{guide}</p>" if guide else ""
        self.guide.layout.display = "" if guide else "none"
        self.guide_switch.say("guide.off" if self.guided else "guide.on")
        for chart, data in zip(self.charts, page.charts(glance), strict=True):
            self._when(f"chart {self.charts.index(chart)}", data, chart.show, chart.wait)
        self._when("facts", page.facts(glance), self._show_facts, lambda: self.facts.add_class("nk-stale"))
        self.reasons.value = html.decision(control.reasons(), partial(page.spoken, glance))
        rules = control.game.rules()
        self.log.value = html.log(control.events(), rules)
        if self._shown_rules is not rules:
            self._shown_rules, self.rules.value = rules, html.how_to_win(control.name) + html.rules(rules)
        self._show_seed()
        self.invite.show()
        self.undo.disabled = not control.can_undo()
        self.redo.disabled = not match.can_redo()
        self.hint.disabled = not control.legal
        self.stepper.show(control.ply, match.ply, goes_on=watched and live)
        self.watch.say("watch.stop" if self.stepper.playing else "watch")
        self._show_report()
        # Last of all: whoever waits for the counter to go up finds the rest of the page in its place.
        step = control.first_step
        self.skip.layout.display = "" if control.first else "none"
        self._mark("nk-led", control.first is not None)
        now = SAY("look.back", step=control.ply, of=match.ply) if not live else SAY("watch.now") if watched else ""
        now = step.text if step else now or page.now(glance)
        status, happened = control.status, control.happened()
        if match.over and live and not step:
            happened, now = control.ending(), control.ending() if status.text else happened
        self.status.value = html.status(happened, now, status.text, status.error, status.count)
        self.stage.answered()

    def _when(
        self, slot: str, data: T | Awaited[T], show: Callable[[T], None], wait: Callable[[], None] = lambda: None
    ) -> None:
        """Show data that is there, or that will be; ``wait`` marks what still shows the question before."""
        if not isinstance(data, Awaited):
            self.desk.cancel(slot)
            show(data)
            return
        if not self.desk.knows(data):
            wait()
        self.desk.ask(slot, data, show)

    def _show_facts(self, table: Table | None) -> None:
        self.facts.remove_class("nk-stale")
        self.facts.value = html.table(table)

    def _show_seed(self) -> None:
        control, match = self.control, self.control.match
        secret = control.secret
        day = control.day
        parts = [
            SAY("daily", day=spell(day)) if day else "",
            "" if day and secret else SAY("seed.secret") if secret else SAY("seed", seed=match.seed),
            SAY("analysis") if match.analysis else "",
            "" if match.true_to_seed else SAY("luck", n=match.stray_luck),
            SAY("commitment", text=match.commitment) if match.commitment else "",
        ]
        self.seed.value = f"<span>{' · '.join(filter(None, parts))}</span>"
        self.today_again.layout.display = "none" if day == today() else ""
        self.share.layout.display = "" if day else "none"
        self.handouts.copy_seed.disabled = secret

    def _play(self, last: Scene) -> None:
        """Show the board, and before it the film from what this player was shown last."""
        made: Film | None = None
        try:
            made = self._film(last)
        finally:  # a film that fails must not hide the board
            self.stage.calm = self.calm
            self.stage.show(last, made, 1 / self.stepper.speed.value)
        self.stepper.linger = made.ms / 1000 * self.stepper.speed.value if made and not self.calm else 0

    def _film(self, last: Scene) -> Film | None:
        """The film from what this player was shown last; None where nothing has happened since."""
        control, match = self.control, self.control.match
        if self._shown is None or self._shown[0] is not match:
            self._shown, self.stage.film = (match, {}), None
        now = _Shown(control.ply, control.glance(), control.window, last)
        shown, self._shown[1][control.me] = self._shown[1].get(control.me, now), now
        since, before = shown.ply, shown.scene
        if since == control.ply:
            return None
        if shown.window != control.window:  # what was shown then, through the window of now
            before = control.page.pieces(shown.glance, control.look)
        moments = control.moments(since) if since < control.ply else ()
        effects = control.page.effects(control.game, moments, control.look, before, last) if moments else ()
        return film(before, last, effects)

    def _show_cover(self) -> None:
        """Nothing of the game, until the next player has taken the seat."""
        control = self.control
        who = control.name_of_seat
        self.status.value = html.status(
            SAY("seat.pass", side=who), SAY("seat.now", side=who), "", False, control.status.count
        )
        self.take_seat.description = SAY("seat.take", side=who)
        layer = Layer("cover", (Rect(0, 0, 800, 200, Style("sea_deep")),))
        self.stage.show(Scene(800, 200, (layer,), desc=SAY("seat.cover")))
        self.stage.film = None  # it is what the other player saw
        for shown in (self.guide, self.facts, self.reasons, self.log, self.report):
            shown.value = ""
        for chart in self.charts:
            chart.show(_BLANK)
        self.orders.show(())

    def _show_report(self) -> None:
        control, match, page = self.control, self.control.match, self.control.page
        over = match.over and control.live
        if over and not self._ended:  # an ending: its story is opened
            self.tabs.selected_index = 0
            self.bridge.sheet(open=True)
        self._ended = over
        self.report.layout.display = self.again.layout.display = "" if over else "none"
        self.box.layout.display = "none" if over else ""
        self.review.show(over=over)
        if not over:
            self.desk.cancel("report")
            return
        if match.game.deciders > 1:
            self._when("report", page.report(control.game, match, ()), self._show_tables)
            return
        if not control.opened and self.bests.note(match):
            self.bridge.store(self._bests_key, self.bests.dumps())
        own = page.report(control.game, match, ())  # at once; beside the adviser's once that is played
        self._show_tables(None if isinstance(own, Awaited) else own)
        self._when("report", control.same_seed(), self._show_beside)

    def _show_beside(self, other: Match) -> None:
        """The report, once the adviser has played the same seed."""
        control, match, page = self.control, self.control.match, self.control.page
        if not match.over:
            return
        name = SAY("player", name=control.adviser)
        compared = page.compare(control.game, name, match, other)
        report = page.report(control.game, match, ((name, other),))
        self._when("report", report, lambda table: self._show_tables(table, compared))

    def _show_tables(self, *tables: Table | None) -> None:
        bests = html.bests(self.bests.rows) if self.control.game.deciders == 1 else ""
        self.report.value = "".join(map(html.table, tables)) + bests

    # What the browser says --------------------------------------------------------------------------------------

    def greeted(self) -> None:
        self.control.status.count += 1  # the page has answered

    def met(self, query: str, stored: dict[str, str], *, another_tab: bool) -> None:
        self.guided = stored.get("guide") != "off"
        if (tab := stored.get("tab", "")) in ("0", "2", "3", "4"):  # reasons are those of a hint, and there is none yet
            self.tabs.selected_index = int(tab)
        self.bests.loads(stored.get(self._bests_key))
        control = self.control
        control.store = self._store
        if self.invite.met(stored.get(Invite.key(control.name), "")):
            return
        first = "first" in asked(query)[0]
        if first or not control.resume(stored.get(self._token_key, ""), another_tab) or control.outdated(query):
            control.open_query(query)

    def themed(self) -> None:
        self.board.theme = self.theme

    def speak(self, lang: str) -> None:
        self.control.lang = lang if lang in self.control.page.languages else "en"
        self.bridge.speak(self.control.lang)
        with speaking(self.control.voice):
            self._relabel()

    def _relabel(self) -> None:
        """Say all that does not change with the game in the reader's language."""
        relabel(self.widget)
        self.tabs.titles = [SAY(f"tab.{tab}") for tab in ("odds", "reasons", "log", "rules", "options")]

    def hover(self, message: dict[str, Any]) -> None:
        control = self.control
        cell = self.board.at(float(message["x"]), float(message["y"]))
        if cell != control.hovered and not control.covered:
            control.hovered = cell
            self.stage.show(self.scene())

    def opened(self, data: bytes, name: str) -> None:
        record = GameRecord.loads(data)
        # Each time a question of its own: a match is not for two readers.
        work: Awaited[Match] = Awaited(object(), lambda: Match.replaying(record))
        self.desk.ask("open", work, lambda match: self.control.take_up(match, name))
        if not looping():
            self.desk.settle()

    def tell(self, text: str) -> None:
        self.control.tell(text)

    def _keep_token(self) -> None:
        self.bridge.store(self._token_key, self.control.token)

    # Buttons ----------------------------------------------------------------------------------------------------

    def _typed(self, text: str) -> None:
        self.control.order(text)
        self.box.clear()

    def _start(self, seed: str, options: dict[str, Any], seats: tuple[str, ...]) -> None:
        self.control.new(seed, options, seats)
        self._panel(False)
        if self.control.watched and looping() and not self.stepper.playing:
            self._watch()

    def _today(self, _button: Any) -> None:
        self.control.new_daily()
        self._panel(False)

    def _watch(self) -> None:
        """Have the machines play on by themselves, or stop them."""
        self.stepper.toggle()
        self.watch.say("watch.stop" if self.stepper.playing else "watch")

    def _ask_new(self) -> None:
        self._panel(not self.new_game.is_open)

    def _panel(self, shown: bool) -> None:
        """Show the panel for a new game in the place of the orders, or the orders again."""
        if shown:
            self.new_game.offer(self.control.game.options, self.control.seats or ())
        else:
            self.new_game.hide()
        self.play.layout.display = "none" if shown else ""
        self._mark("nk-choosing", shown)

    def _hint(self) -> None:
        self.tabs.selected_index = 1  # before the status, which says that the page has its answer
        self.control.advise()

    def _turned(self, change: Any) -> None:
        """Another page of the drawer was opened: the browser remembers it."""
        self.bridge.store("tab", str(change["new"]))

    def _switch_guide(self) -> None:
        self.guided = not self.guided
        self.bridge.store("guide", None if self.guided else "off")
        self.refresh()

    def _switch_lang(self) -> None:
        """The next of the languages this page speaks, remembered by the browser."""
        known, control = self.control.page.languages, self.control
        self.speak(known[(known.index(control.lang) + 1) % len(known)])
        self.bridge.store("lang", control.lang)
        control.tell("")


def _text(name: str) -> HTML:
    made = HTML()
    made.add_class(name)
    return made


def play(name: str) -> Box:
    """The page of a game, by the game's name ("uss-lox"), to be shown in a notebook."""
    return GameApp(name).widget
