"""The page of a game: board, orders, controls and tabs, put together for any game that has a `Page`."""

from __future__ import annotations
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from navalkit.core.awaited import ready
from navalkit.core.errors import NotationError
from navalkit.core.match import Match, Store
from navalkit.core.shown import Markup, html, paragraph
from navalkit.core.words import speaking
from navalkit.view.film import Film, film
from navalkit.view.page import Chart, Glance, Table
from navalkit.view.scene import Layer, Rect, Scene, Style
from .. import SAY
from ..board import ASKING, Board, Stage
from ..desk import Slot, looping
from ..frontend import current
from ..rooms import ROOM
from ..shell import Shell, asked
from ..widgets import HTML, BarChart, Box, KeyButton, LongHTML, Tab, VBox, box, classed, is_shown, maker, relabel, shown
from . import controls
from .controller import Controller, spell
from .controls import OrderBox, OrderButtons, RuleBook, Stepper
from .ending import Ending
from .sight import Sight
from .turns import Sent

if TYPE_CHECKING:
    from ..rooms.door import Invite
    from .begin import NewGame


# -- The films of a game's page: from what a player was shown last to what that player sees now ----

class _Shown(NamedTuple):
    """What a player was shown last."""

    ply: int
    glance: Glance[Any, Any, Any]
    window: Any
    scene: Scene


class Films:
    """Remembers what each player was shown of a match."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self.of: Match | None = None
        """The match they are of."""
        self._shown: dict[int, _Shown] = {}

    def to(self, last: Scene) -> Film | None:
        """The film that ends with this board; None where nothing has happened since."""
        sight, page = self._sight, self._sight.page
        if self.of is not sight.match:
            self.of, self._shown = sight.match, {}
        now = _Shown(sight.ply, sight.glance(), sight.window, last)
        shown, self._shown[sight.me] = self._shown.get(sight.me, now), now
        since, before = shown.ply, shown.scene
        if since == sight.ply:
            return None
        if shown.window != sight.window:  # what was shown then, through the window of now
            before = page.pieces(shown.glance, sight.look)
        moments = sight.moments(since)
        effects = page.effects(sight.game, moments, sight.look, before, last) if moments else ()
        return film(before, last, effects)


_RULES = 3  # the page of the drawer with the rules: they are given the room of what is typed
_ROWS = {1: "nk-play-rows-1", 2: "nk-play-rows-2"}
"""The class of a page that keeps room for fewer than three rows of order buttons."""
OWN = "new:"
"""Begins the name of a file that is for the panel for a new game."""
_THUMBS = {0: "nk-play-thumbs-more", 2: "nk-play-thumbs-2"}
"""The same of one that keeps room for more than one on a phone."""
_BLANK = Chart("", "", "", (), (), ())


class GameApp(Shell):
    """A game's page. ``name``: the game ("uss-lox"). ``store``: where games in progress are kept; by default
    where the frontend keeps them. ``adviser`` and ``seats``: as for `Controller`. ``control``: one that is at its game
    already, in a notebook: no address opens another, and nothing is kept besides it."""

    def __init__(self, name: str, store: Store | None = None, adviser: str = "",
                 seats: tuple[str, ...] | None = None, control: Controller | None = None) -> None:
        self._alone = control is None
        self.control = control = control or Controller(name, adviser=adviser, seats=seats)
        self._store = store or current().store()
        self._token_key, self._begun_key = f"{name}:token?", f"{name}:begun?"
        keys = self._token_key, self._begun_key, *Ending.keys(name), control.ticket_key, "guide", "tab", "confirm"
        super().__init__(control, keys, control.desk)
        self.bridge.lone = self._token_key if self._alone else ""
        self.bridge.handlers["order"] = self.safe(self._ordered)
        self.bridge.opening = lambda: self.desk.busy("open")
        control.changed, control.kept = self._changed, self._keep_token
        self.desk.waiting = self._waiting
        control.answered = lambda: self.stage.show(self.scene())
        safe, page = self.safe, control.page
        self.guided = True
        self.board = Board(safe(control.point), on_drag=safe(control.drag) if page.drags else None)
        if page.hovers:
            self.board.widget.add_class("nk-hover")
        self.stage = Stage(self.board)
        self.stage.asking = ASKING[0]
        self.films = Films(control)
        self.aims = classed(HTML(), "nk-play-aims")
        self.status, self.guide = classed(HTML(), "nk-status"), classed(HTML(), "nk-play-guide")
        self.facts, self.reasons, self.log = LongHTML(), classed(HTML(), "nk-hint"), classed(LongHTML(), "nk-log")
        self.explore = classed(HTML(), "nk-play-explore")
        self._log = controls.Log()
        self._explored: Glance[Any, Any, Any] | None = None  # the position whose link to the explorer is shown
        self.rules, self.seed = RuleBook(control.name, safe), classed(HTML(), "nk-play-seed-line")
        self.orders = OrderButtons()
        self.box = OrderBox(safe(self._typed), page.example)
        self.stepper = Stepper(safe(control.look_at), safe(control.play_on))
        self.made = maker(safe)
        self._taking = False  # whether an order of the journal is being taken
        self._choosing = False  # whether the panel for a new game is shown
        self._warned: Match | None = None  # with a friend: the match that another press leaves for another game
        self._told_story = False  # whether the drawer was pulled up at the end of the game
        today_again = self.made("today", self._today)
        self.ending = Ending(control, self.bridge, today_again, self._keep_picture, lambda: self.theme,
                             self._open_story)
        self.ask = self._ask()
        self.charts = [BarChart() for _ in page.charts(control.glance())]
        self.handouts = controls.Handouts(control, self.bridge, self._picture)
        self.invitation = box("nk-room nk-room-page", column=True)
        self.invited, self._inviting = box("nk-room nk-room-strip", column=True), False
        for each in (self.invitation, self.invited):
            shown(each, False)
        self.widget = self._page()
        self.speak("en")
        self._changed()

    @cached_property
    def new_game(self) -> NewGame:
        """The panel for a new game, made when it is asked for: no first board waits for it."""
        from .begin import NewGame

        today, back = self.made("today", self._today), self.safe(lambda: self._panel(False))
        panel = NewGame(self.control.game, self.safe(self._start), back, (today,), self.desk)
        self.uncovered.children = *self.uncovered.children, panel
        return panel

    @cached_property
    def invite(self) -> Invite:
        """What invites somebody on another device, made when it is asked for."""
        from ..rooms.door import Invite

        self._inviting = True
        return Invite(self.control, self.bridge, self.invitation, self.invited,
                      partial(self._mark, "nk-play-inviting"))

    def _page(self) -> Box:
        control, made, ending = self.control, self.made, self.ending
        self.undo, self.redo = made("undo", control.undo), made("redo", control.redo)
        self.hint = made("hint", self._hint)
        self.do_it = made("do_it", control.follow)
        self.guide_switch = made("guide.off", self._switch_guide)
        self.confirms = made(f"confirm.{ASKING[0]}", self._switch_asking)
        self.lang_switch = made("lang", self._next_language)
        languages = [self.lang_switch] if len(control.page.languages) > 1 else []
        self.skip = made("first.skip", control.leave_first)  # a hint's place: all that it could say is lit
        more = KeyButton("more", lambda _: None)  # the browser opens the drawer, and closes it
        new = made("new", self._ask_new)
        self.controls = box("nk-play-controls", self.undo, self.redo, self.hint, self.skip, self.do_it, new, more)
        self.watch = made("watch", self._watch)
        self.play = box("nk-play-area", self.ask, self.orders, self.watch, ending.again, ending.looking, column=True)
        self.take_seat = made("seat", control.take_seat)
        self.cover = box("nk-ask", self.take_seat)
        self.uncovered = box("nk-play-area", self.play, column=True)
        handouts = self.handouts.buttons
        if control.game.deciders == 2 and current().rooms and self._alone:
            asked = control.guard(lambda _: self.invite.toggle())
            handouts = [KeyButton("invite", asked, words=ROOM), *handouts]
        menu = box("nk-menu", self.seed, *handouts, self.guide_switch, self.confirms, *languages, self.theme_switch)
        about = classed(HTML(), "nk-play-about")  # the browser puts the notebook's own words here
        ended = ending.review_place, ending.report, ending.walk
        odds = box("", *ended, self.guide, self.explore, self.facts, *(chart.widget for chart in self.charts),
                   column=True)
        tabs = odds, self.reasons, self.log, VBox([self.rules, about]), menu
        self.tabs = classed(Tab(tabs), "nk-tabs")
        self.tabs.observe(self.safe(self._turned), "selected_index")
        self.drawer = box("nk-play-drawer", self.box, self.tabs, column=True)
        orders = box("nk-play-orders", self.cover, self.uncovered, column=True)
        left = box("nk-left", self.aims, self.board.widget, self.stepper.widget, column=True)
        top = box("nk-play-top", self.status, self.waiting.widget, column=True)
        hole = box("nk-play-hole")  # of a phone lying down: what lies beside the map is seen through it
        right = box("nk-right", top, self.invited, hole, orders, self.controls, self.drawer, column=True)
        rows, thumbs = _ROWS.get(control.page.rows, ""), _THUMBS.get(control.page.thumb_rows, "")
        page = f"nk-page nk-live nk-screen nk-lies nk-play {rows} {thumbs}"
        return box(page, self.invitation, left, right, self.bridge)

    def _ask(self) -> Box:
        yes = self.made("undo.yes", lambda: self.control.undo(agreed=True))
        return box("nk-ask", yes, self.made("undo.no", self.control.keep))

    def _mark(self, name: str, marked: bool) -> None:
        """Give the page a class, or take it away."""
        if marked != (name in self.widget._dom_classes):
            (self.widget.add_class if marked else self.widget.remove_class)(name)

    def _keep_picture(self, name: str, scene: Scene) -> None:
        self.bridge.picture(name, scene, self.theme)

    def _picture(self, name: str) -> None:
        """Hand over the board, or the film that led to it, as the file's name ends."""
        if not name.endswith("film.svg"):
            self._keep_picture(name, self.scene())
        elif self.stage.film:
            from navalkit.view.files import film_svg

            self.bridge.download(name, film_svg(*self.stage.film, self.theme))
        else:
            self.control.say(SAY("film.none"))

    def scene(self) -> Scene:
        """The board as it is looked at; where the review lights a move, with all that could be done there."""
        control = self.control
        return control.scene_at(control.ply) if self.ending.lights() else control.scene()

    def _changed(self) -> None:
        """The game, or how one looks at it, is another: repaint. Without an event loop nothing is left for later."""
        with speaking(self.control.voice):
            self.refresh()
        if not looping():
            self.desk.settle()

    def refresh(self) -> None:
        """Bring every widget up to date: board and status at once, what takes time when it is there."""
        control = self.control
        control.tall, control.room, control.hole = self.tall, self.room, self.hole
        shown(self.cover, control.covered)
        for widget in (self.uncovered, self.drawer, self.controls, self.stepper.widget, self.aims):
            shown(widget, not control.covered)
        if control.covered:
            self._show_cover()
            self.stage.answered()
            if not self._taking:
                self._stand()
            return
        glance, page, match, live = control.glance(), control.page, control.match, control.live
        control.window = page.frame(glance, control.look)
        hint = control.advised if glance.legal else None
        word = SAY("light.first" if control.first else "light.hint")
        self.stage.led = control.first_action
        self.stage.lights = self.ending.lights() if hint is None else control.lit(hint, word)
        self._play(self.scene())
        control.await_board()
        buttons = () if control.asking_undo else control.orders()
        on_board = glance.legal and not (buttons or control.asking_undo)
        self.orders.show(buttons, SAY("orders.board") if on_board else "", SAY("orders.cards"))
        for number, order in enumerate(buttons):
            self.desk.fill(f"odds {number}", order.odds, partial(self.orders.tell, number))
        shown(self.orders, not match.over)  # their room is that of what comes after the end
        self.orders.hint(hint)
        self._mark("nk-play-advised", hint is not None)
        watched = control.watched and not match.over
        self._show_aims()
        self._mark("nk-play-begun", match.ply > 0 or watched)
        shown(self.watch, watched)
        shown(self.ask, control.asking_undo)
        guide = page.guide(glance) if self.guided and live else ""
        self.guide.value = paragraph(guide)
        shown(self.guide, bool(guide))
        self.guide_switch.say("guide.off" if self.guided else "guide.on")
        over = match.over and live
        charts = [_BLANK] * len(self.charts) if over else page.charts(glance)  # nothing guesses after the end
        for chart, data in zip(self.charts, charts, strict=True):
            self.desk.fill(f"chart {self.charts.index(chart)}", data, chart.show, chart.wait)
        self.desk.fill("facts", page.facts(glance), self._show_facts, lambda: self.facts.add_class("nk-stale"))
        if self._explored is not glance:  # what is asked anew though nothing has changed could not be stopped
            self._explored = glance
            self.desk.ask("explore", controls.explored(glance), self._show_explore)
        because = partial(page.because, glance) if control.hint is not None else lambda decision: ""
        self.reasons.value = controls.decision(control.reasons(), partial(page.spoken, glance), control.called, because)
        rules = control.game.rules()
        self.log.value = self._log(control.events(), rules)
        if not self.rules.shows(rules):
            self.desk.ask("rules", replace(ready(rules), quick=False), self.rules.show)  # after the board
        self._show_seed()
        if self._inviting:
            self.invite.show()
        self.undo.disabled = not control.can_undo()
        self.redo.disabled = not match.can_redo()
        self.hint.disabled = not control.legal or bool(control.ahead)
        self.stepper.show(control.ply, match.ply, goes_on=watched and live)
        self.stepper.mark(self.ending.marks if match.over else ())
        self.watch.say("watch.stop" if self.stepper.playing else "watch")
        if self.ending.show():
            if control.first is None:  # a phone has the end of a first game, and what comes next, on one screen
                self._open_story()
        elif self._told_story and not match.over:  # of another game by now
            self._told_story = False
            self.bridge.sheet(open=False)
        shown(self.box, not match.over)
        self._mark("nk-play-over", match.over)
        # Last of all: what waits for the counter to go up finds the rest of the page in its place.
        step = control.first_step
        led = control.first is not None and not match.over
        shown(self.skip, led)
        shown(self.hint, not led)
        self._mark("nk-play-led", control.first is not None)
        looked = "look.before" if is_shown(self.ending.looking) else "look.back"
        where = {"step": control.ply, "next": control.ply + 1, "of": match.ply}
        now = SAY(looked, **where) if not live else SAY("watch.now") if watched else ""
        now = now or (SAY("together.now") if control.held is not None else SAY("ahead.now") if control.ahead else "")
        now = step.text if step else now or page.now(glance)
        status, happened, headline = control.status, control.happened(), control.headline()
        if control.held is not None:  # it is given, though nothing has taken effect
            each = [page.spoken(glance, order) for order in control.waiting()]
            headline = SAY("together.all" if len(each) == 1 else "together.several",
                           order=page.spoken(glance, control.held), all="; ".join(each))
        if over:
            now = now if step else control.ending() if status.text else headline
            happened, headline = f"{control.ending()} {happened}", control.ending(short=step is not None)
        elif control.first and step is control.first.steps[0]:
            headline = ""  # the step itself says who one is, and where
        elif live and not step and not any(ply.by == control.me for ply in match.plies):
            headline = page.opening(glance) or headline
            now = f"{headline} {now}" if status.text and not status.error else now
        over = over and not step
        self.status.value = controls.status(headline, happened, now, status.text, status.error, status.count, over=over)
        self.stage.answered()
        if not self._taking:
            self._stand()

    def _show_facts(self, table: Table | None) -> None:
        self.facts.remove_class("nk-stale")
        self.facts.value = controls.table(table)

    def _show_aims(self) -> None:
        """The strip over the board, or how the game ended."""
        control, page = self.control, self.control.page
        aims, over = page.aims(control.glance()), control.match.over and control.live
        shown(self.aims, aims is not None)
        if aims is not None:
            why = page.why(control.game, control.match, control.me) or control.ending() if over else ""
            self.aims.value = controls.strip(aims, why=why)

    def _show_explore(self, link: Markup) -> None:
        self.explore.value = link

    def _show_seed(self) -> None:
        control, match = self.control, self.control.match
        secret = control.secret
        day = control.day
        parts = [
            SAY("daily", day=spell(day)) if day else "",
            "" if day and secret else SAY("seed.secret") if secret else Markup(SAY("seed", seed=match.seed)),
            SAY("analysis") if match.analysis else "",
            "" if match.true_to_seed else Markup(SAY("luck", n=match.stray_luck)),
            Markup(SAY("commitment", text=html("{}", match.commitment))) if match.commitment else "",
        ]
        self.seed.value = html("<span>{}</span>", html(" · ").join(filter(None, parts)))
        self.handouts.copy_seed.disabled = secret

    def _play(self, last: Scene) -> None:
        """Show the board, and before it the film from what this player was shown last."""
        made: Film | None = None
        if self.films.of is not self.control.match:
            self.stage.forget()
        try:
            made = self.films.to(last)
        finally:  # a film that fails must not hide the board
            self.stage.calm = self.calm
            self.stage.show(last, made, 1 / self.stepper.speed.value)
        self.stepper.linger = made.ms / 1000 * self.stepper.speed.value if made and not self.calm else 0

    def _show_cover(self) -> None:
        """Nothing of the game, until the next player has taken the seat."""
        control = self.control
        who = control.name_of_seat
        told = SAY("seat.pass", side=who)
        self.status.value = controls.status(told, told, SAY("seat.now", side=who), "", False, control.status.count)
        self.take_seat.description = SAY("seat.take", side=who)
        layer = Layer("cover", (Rect(0, 0, 800, 200, Style("sea_deep")),))
        self.stage.show(Scene(800, 200, (layer,), desc=SAY("seat.cover")))
        self.stage.film = None  # it is what the other player saw
        self.desk.cancel("explore")
        self._explored = None
        for told in (self.guide, self.facts, self.explore, self.reasons, self.log, self.ending.report):
            told.value = ""
        for chart in self.charts:
            chart.show(_BLANK)
        self.orders.show(())

    # What the browser says --------------------------------------------------------------------------------------

    def met(self, query: str, stored: dict[str, str], *, another_tab: bool) -> None:
        self.guided = stored.get("guide") != "off"
        self._ask_of(stored.get("confirm", ""))
        if (tab := stored.get("tab", "")) in ("0", "2", "3", "4"):  # reasons are those of a hint, and there is none yet
            self.tabs.selected_index = int(tab)
        self.ending.bests.loads(stored.get(Ending.key(self.control.name)))
        self.ending.streak.loads(stored.get(Ending.streak_key(self.control.name)))
        control = self.control
        if not self._alone:
            return
        control.store = self._store
        self._store.failed, self._store.sure = control.guard(control.unkept), self.safe(self._sure)
        wanted, rooms = asked(query)[0], current().rooms
        if rooms and (ticket := stored.get(control.ticket_key, "")) and self.invite.met(ticket):
            if "friend" not in wanted or control.table is None or not control.table.match.over:
                return
            control.new()
        if rooms and "friend" in wanted and control.game.deciders == 2:
            self.invite.toggle()
            return
        kept, first = stored.get(self._token_key, ""), wanted.get("first")
        anew = first is not None and not self.bridge.again  # a link to the first game begins it
        there = not anew and control.resume(kept, another_tab, first)
        if not there or control.outdated(query):
            if not control.open_query(query) and current().beforehand:
                control.deal()
        if kept and not there and not anew and stored.get(self._begun_key):
            control.say(SAY("open.lost"), error=True)
        if "friend" in wanted and not rooms:
            control.say(ROOM("friend.none"), error=True)

    def themed(self) -> None:
        self.board.theme = self.theme

    @property
    def title(self) -> str:
        return self.control.game.title

    def speak(self, lang: str) -> None:
        super().speak(lang)
        with speaking(self.control.voice):
            relabel(self.widget)
            self.tabs.titles = [SAY(f"tab.{tab}") for tab in ("odds", "reasons", "log", "rules", "options")]

    def hover(self, message: dict[str, Any]) -> None:
        control = self.control
        cell = self.board.at(float(message["x"]), float(message["y"]))
        if cell != control.hovered and not control.covered and control.page.hovers:
            control.hovered = cell
            self.stage.show(self.scene())

    def opened(self, data: bytes, name: str) -> None:
        if self._choosing and name.startswith(OWN):
            self.new_game.read(data, name.removeprefix(OWN))
        else:
            self.control.open(data, name)

    def _keep_token(self) -> None:
        self.bridge.store(self._token_key, self.control.token)
        self.bridge.store(self._begun_key, "1" if self.control.under_way else None)

    def _ordered(self, message: dict[str, Any]) -> None:
        """An order of the tab's journal."""
        try:
            sent = Sent.read(message["order"])
            if "spot" in sent.do:  # a press on the board, at shares of its width and height
                sent = sent._replace(do={"point": self.board.pressed(*_shares(sent.do["spot"]))})
        except NotationError:
            self.bridge.drop(message["order"].get("n"))  # else it would be sent again for ever
            raise
        self._taking = True
        try:
            self.control.take(sent)
            if "type" in sent.do:
                self.box.clear()
        finally:
            self._taking = False
            self._stand(again=True)  # what it was told may be lost

    def _stand(self, *, again: bool = False) -> None:
        """Tell the tab's journal where the game stands, once it is the one that the tab is to play."""
        if self._met and not self.desk.busy("open"):
            self.bridge.stand(self.control.standing(), again=again)

    def _sure(self) -> None:
        """The game is kept with all that was played."""
        self.control.unsure = None
        self._stand()

    def _typed(self, text: str) -> None:
        self.control.order(text)
        self.box.clear()

    def _start(self, seed: str, options: dict[str, Any], seats: tuple[str, ...]) -> None:
        self.control.new(seed, options, seats)
        self._panel(False)
        if self.control.watched and looping() and not self.stepper.playing:
            self._watch()

    def _today(self) -> None:
        self.control.new_daily()
        self._panel(False)

    def _watch(self) -> None:
        """Have the machines play on by themselves, or stop them."""
        self.stepper.toggle()
        self.watch.say("watch.stop" if self.stepper.playing else "watch")

    def _open_story(self) -> None:
        """Bring the page of the drawer to sight where a game's report and its review stand."""
        self.tabs.selected_index = 0
        self._told_story = True
        self.bridge.sheet(open=True)

    def _waiting(self, slot: Slot, share: float | None) -> None:
        """What is late is told beside the status, but for the review, which has its own place, and for its panel."""
        if slot not in ("review", "end"):
            self.waiting.tell(slot, share)

    def _ask_new(self) -> None:
        match = self.control.match
        if self.control.table is not None and not match.over and self._warned is not match:
            self._warned = match
            self.control.say(SAY("new.table"), error=True)
        else:
            self._panel(not self._choosing)

    def _panel(self, offered: bool) -> None:
        """Show the panel for a new game in the place of the orders, or the orders again."""
        if offered:
            self.new_game.offer(self.control.game.options, self.control.seats, self.theme)
        elif self._choosing:
            self.new_game.hide()
        self._choosing = offered
        shown(self.play, not offered)
        self._mark("nk-play-choosing", offered)

    def _hint(self) -> None:
        self.tabs.selected_index = 1  # before the status, which says that the page has its answer
        self.control.advise()

    def _turned(self, change: Any) -> None:
        """Another page of the drawer was opened: the browser remembers it."""
        self.bridge.store("tab", str(change["new"]))
        self._mark("nk-play-reading", change["new"] == _RULES)

    def _switch_asking(self) -> None:
        self._ask_of(ASKING[(ASKING.index(self.stage.asking) + 1) % len(ASKING)])
        self.bridge.store("confirm", self.stage.asking)
        self.refresh()

    def _ask_of(self, whom: str) -> None:
        """Ask these whether a press on a small place is meant."""
        self.stage.asking = whom if whom in ASKING else ASKING[0]
        self.confirms.say(f"confirm.{self.stage.asking}")

    def _switch_guide(self) -> None:
        self.guided = not self.guided
        self.bridge.store("guide", None if self.guided else "off")
        self.refresh()


def _shares(spot: Any) -> tuple[float, float]:
    """Where on the board was pressed, as it was sent; NotationError if it is damaged."""
    if not (isinstance(spot, list) and len(spot) == 2 and all(isinstance(each, int | float | None) for each in spot)):
        raise NotationError(SAY("order.damaged"))
    return float(spot[0] or 0), float(spot[1] or 0)


def play(name: str) -> Box:
    """The page of a game, by the game's name ("uss-lox"), to be shown in a notebook."""
    with current().unheard():
        return GameApp(name).widget
