"""The stepper's page: board left, the decision as lines right, tables, predictions and what-ifs, for a class to see.

It knows no game: what is told, asked and drawn comes from the game's walk (`navalkit.walks`).
"""

from __future__ import annotations
import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.errors import NavalkitError, OptionError
from navalkit.core.registry import names, package
from navalkit.core.shown import Markup, html, many
from navalkit.core.words import ENGLISH, Voice, language, speaking, voice
from navalkit.view.page import Glance, Table
from navalkit.view.scene import Scene
from navalkit.walks import shows
from navalkit.walks.shows import Item, Kind, Show
from navalkit.walks.stepper import CLASS, EXPLAIN, ME, MODES, PREDICT, WHAT_IF, Stepper
from navalkit.walks.told import Shown
from ..board import Board, Stage
from ..frontend import current
from ..play import controls
from ..rooms.held import kept_under
from ..rooms.walked import KEY, Class
from ..shell import Model, Shell
from ..widgets import HTML, Box, Dropdown, Heard, KeyButton, Tab, box, button, classed, maker, relabel
from .panels import STEP, LinesList, OwnTour, Panels, StepBar, Track, headline, log, notes, table

AT_ONCE = 0.05
"""Seconds that a decision may take before the page goes on without it."""
_LOG = 60
"""Lines of the log that are shown."""
_EXACT = 0.01
"""By how much, as a share, a board may differ in shape from the room that it fills."""
_BRIEF = 90
"""Characters of what happened that the page has room for in front of a class."""


class StepModel(Model):
    """The page's status line. What a press changes is painted once, at its end, however much it is."""

    _inside = 0
    _stale = False

    @property
    def languages(self) -> tuple[str, ...]:
        return STEP.languages

    @property
    def comfort(self) -> str:
        return STEP("comfort")

    def guard(self, call: Callable[..., object]) -> Callable[..., None]:
        def once(*args: Any) -> None:
            self._inside += 1
            try:
                call(*args)
            finally:
                self._inside -= 1
            if self._stale and not self._inside:
                self.repaint()

        return super().guard(once)

    def repaint(self) -> None:
        self._stale = bool(self._inside)
        if not self._stale:
            super().repaint()


class StepPage(Shell):
    """The page of a game, by its name.

    ``show``: what it opens with; left out, the game's first show. ``query``: what its address asks for, where that is
    known already: then this is the first thing to be seen. ``named``: whether its links name the game. ``stepper``: one
    that stands somewhere already, in a notebook: no address opens anything else.
    """

    longest_copy = 300

    def __init__(self, name: str, show: Show | None = None, query: str = "", named: bool = False,
                 stepper: Stepper | None = None) -> None:
        self.model = model = StepModel()
        self._draft = f"tour-{name}"  # under which the browser keeps the tour that is being made
        self._place = f"step-{name}?"  # and under which the tab keeps where the page stands
        super().__init__(model, [*kept_under(KEY), self._draft, self._place])
        asks = shows.asks(name, query) or "tour=" in query
        self._opened, self._named = (query if asks else ""), named
        self._built = False
        self._held: list[Callable[[], None]] = []
        self._alone = stepper is None
        self.stepper = stepper = stepper or Stepper(show or shows.blank(name))
        stepper.soon = self._soon
        stepper.tell, stepper.hush = model.say, model.hush
        stepper.sees = shows.eyes(query) or stepper.sees
        if self._alone and (asks or show is None):
            model.guard(stepper.open_query)(query if asks else shows.first(name))
        stepper.changed, model.changed = model.repaint, self.refresh
        self._drawn, self._stood = stepper.draft, ""
        safe, self.made = self.safe, maker(model.guard, STEP)
        self.walk, self.camera = stepper.walk, stepper.walk.camera()
        self._phase: object = None
        self.board = Board(self._pressed, on_drag=safe(stepper.drag) if self.walk.drags else None)
        self.stage = Stage(self.board, rings=False)  # who is spoken of is marked already
        self._shown: Shown | None = None
        self.status, self.headline, self.log, self.figures = (
            classed(HTML(), each) for each in ("nk-status", "nk-step-headline", "nk-log", "nk-step-figures")
        )
        self.lines, self.track, self.bar = LinesList(stepper), Track(), StepBar(stepper, model.guard)
        self.lines.picked = safe(stepper.light)
        self.track.look, self.track.pressed = safe(stepper.go), safe(self._key)
        self.track.sized, self.track.noted = safe(self._sized), safe(self._open_notes)
        self._notes = False
        self.panels = Panels(stepper, model.guard)
        self.tables = [HTML() for _ in stepper.tables]
        tabs = [*self.tables, *([self.figures] if self.walk.counts else []), self.log]
        self.tabs = classed(Tab(tabs, titles=self._titles()), "nk-tabs")
        self.widget, self._said = self._page(), voice().lang
        self._project(shows.on_screen(query))
        self._built = True

    def _soon(self, slot: str, steps: Steps[Any], then: Callable[[Any], None]) -> None:
        """Have work done: opening is what somebody waits for, all else only if it takes no time."""
        first = not self._built
        self.desk.soon(slot, steps, partial(self._arrive, then, first), None if slot == "open" else AT_ONCE)

    def _arrive(self, then: Callable[[Any], None], first: bool, answer: Any) -> None:
        """Show an answer; what the page opens with, and was too slow for its making, waits until the browser has the
        page: a browser that is still fetching widgets loses the new ones."""
        if first and self._built and not self._met:
            self._held.append(partial(then, answer))
        else:
            then(answer)

    @property
    def title(self) -> str:
        return STEP("title", game=self.stepper.show.game.title) if self._named else ""

    def _titles(self) -> list[str]:
        """What the tabs are called."""
        tables = [each.name for each in self.stepper.tables]
        return [*tables, *[STEP("tab.figures")] * self.walk.counts, STEP("tab.log")]

    def speak(self, lang: str) -> None:
        super().speak(lang)
        if self._built and self._said != self.model.voice.lang:
            self._said = self.model.voice.lang
            with speaking(self.model.voice):
                self._relabel()
                self.refresh()

    def _relabel(self) -> None:
        """Say anew, in the reader's language, what is not said at every step."""
        relabel(self.widget)
        self.chooser.description, self.chooser.tooltip = STEP("show"), STEP("show.help")
        self.another.tooltip, self.tabs.titles = STEP("another.help"), self._titles()
        for name, made in self.layers.items():
            made.tooltip = STEP("layer.help", layer=self.walk.name(name))
        for part in (self.bar, self.track, self.own, self.phones):
            part.relabel()

    # What it looks like -----------------------------------------------------------------------------------------------

    def _page(self) -> Box:
        stepper, made, safe = self.stepper, self.made, self.safe
        self.explore = classed(HTML(), "nk-step-explore")
        self._explored: tuple[Any, str] | None = None  # whose link is shown: the moment, the language
        self.chooser = classed(
            Dropdown(options=shows.choices(stepper.show.name), description=STEP("show"), tooltip=STEP("show.help")),
            "nk-step-chooser",
        )
        self._heard = Heard()
        self._heard.value(self.chooser, safe(self._chosen))
        self.another = button("", STEP("another.help"), safe(self._another), "nk-step-another")
        self.projector = made("large", self._enlarge)
        choose = box("nk-step-choose", self.chooser, self.another, self.projector)
        self.switches = {mode: made(f"mode.{mode}", partial(stepper.use, mode)) for mode in MODES}
        self.layers = {
            name: button(name, STEP("layer.help", layer=self.walk.name(name)), safe(partial(stepper.switch, name)),
                         "nk-step-layer")
            for name in self.walk.layers
        }
        modes = box("nk-step-modes", *self.switches.values())
        layers, menu = box("nk-step-layers", *self.layers.values()), self._menu()
        link = lambda: self._copy(stepper.draft.query(stepper.show.name))  # noqa: E731
        self.own = own = OwnTour(stepper, self.model.guard, self._save_tour, link)
        under = self._under(layers, menu, own.widget)
        left = box(
            "nk-left", choose, self.bar.widget, self.board.widget, under, layers, menu, own.widget, self._tools(),
            column=True,
        )  # fmt: skip
        panels = self.panels
        self.phones = Class(self.model, self.bridge, stepper)
        self.phones.leave = partial(self._project, False)
        classed(self.phones.widget, "nk-step-phones")
        right = box(
            "nk-right", self.status, self.waiting.widget, modes, panels.tour, panels.predict, self.phones.widget,
            panels.what_if, panels.ending, self.headline, self.lines, self.tabs, column=True,
        )  # fmt: skip
        return box("nk-page nk-live nk-step", left, right, self.bridge)

    def _tools(self) -> Box:
        """What is at hand in front of a class: whose eyes, how near, and back to the page."""
        self.eyes = self.made("eyes.me", self._switch_eyes)
        window = self._looking("smaller", "larger", "all", "follow")
        leave = self.made("leave", self._enlarge)
        return box("nk-step-tools", self.eyes, *window, self._notes_button(), leave)

    def _notes_button(self) -> KeyButton:
        return KeyButton("notes", lambda _: None, words=STEP)  # the browser opens the window

    def _looking(self, *keys: str) -> list[KeyButton]:
        """The buttons of the window over the board, where there is one."""

        def look(key: str) -> None:
            self.camera.press(key, self.stepper.sight)
            self.refresh()

        return [
            self.made(f"view.{key}", partial(look, key), "nk-step-glyph") for key in keys if key in self.camera.keys
        ]

    def _under(self, layers: Box, menu: Box, own: Box) -> Box:
        """What is right under the board: the slider with the key moments, and the buttons of the window."""
        drawers = [self._opening("layers", layers)] if self.layers else []
        drawers += [self._opening("menu", menu), self._opening("tour.make", own)]
        window = box("nk-step-window", *self._looking(*self.camera.keys), *drawers)
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
        made, walk = self.made, self.walk
        handouts = [
            KeyButton(key, self.safe(lambda _, key=key: self._hand_out(key)), words=walk.words_of(key))
            for key in walk.handouts
        ]
        return box(
            "nk-menu",
            made("link", lambda: self._copy(self.stepper.link)),
            made("svg", partial(self._picture, "svg")),
            made("png", partial(self._picture, "png")),
            *handouts,
            self._notes_button(),
            made("open", lambda: None),
            self.explore,
            self.bar.speed,
            KeyButton("lang", self.safe(lambda _: self._next_language())),
            self.theme_switch,
        )

    # Painting ---------------------------------------------------------------------------------------------------------

    def scene(self) -> Scene:
        """The board as it is looked at."""
        return self.walk.scene(self.stepper.sight, self.camera)

    def refresh(self) -> None:
        """Bring every widget up to date; what has not changed sends nothing."""
        try:
            self._paint()
        finally:
            # Last of all: what waits for the counter to go up finds the rest of the page in its place. And whatever
            # cannot be painted, what is wrong is said.
            said = self.model.status
            where = self._where()
            self.status.value = controls.status(where, where, self._now(), said.text, said.error, said.count)

    def _paint(self) -> None:
        stepper, rules = self.stepper, self.stepper.show.game.rules()
        self.camera.tall = self.tall
        self._play()
        self.bar.show()
        self.track.show(stepper)
        self.track.notes = notes(stepper) if self._notes else ""  # the class's window holds no answers without need
        self.lines.show(rules)
        self.headline.value = headline(stepper)
        self.panels.show()
        self._keep_draft()
        self._keep_place()
        self.phones.show()
        for mode, made in self.switches.items():
            made.button_style = "primary" if mode == stepper.mode else ""
        for name, made in self.layers.items():
            made.description = f"{'☑' if name in stepper.layers else '☐'} {self.walk.name(name)}"
        self._show_tables()
        seat = stepper.moment.seat
        self._show_explore(seat)
        events = [e for m in stepper.row[: stepper.at + 1] for e in m.events if e.seen_by(seat)]
        self.log.value = log(events[: -_LOG - 1 : -1], rules)  # the latest first: it is the one to be seen
        self._show_choice()
        self.eyes.say("eyes.class" if stepper.sees == CLASS else "eyes.me")

    def _pressed(self, id: str) -> None:
        self.safe(self._press)(id)
        self.stage.answered()

    def _press(self, id: str) -> None:
        cell = self._shown.scene.cell(id) if self._shown else None
        if cell is not None and self.walk.turned(self.stepper.sight, self.camera, cell):
            self.model.repaint()
        else:
            self.stepper.point(id, cell.action if cell else None)

    def _play(self) -> None:
        """Show the board, and before it what moved since the moment that was looked at."""
        stepper, sight = self.stepper, self.stepper.sight
        if self._shown is not None and self._shown.sight.moment is not sight.moment:
            self.camera.picks = self.camera.picks.after_order()
        scene = self.scene()
        before, self._shown = self._shown, Shown(sight, self.camera.frame(sight), scene)
        self.stage.calm = self.calm
        self.stage.silent = stepper.sees == CLASS or stepper.asking.room is not None
        self.stage.show(scene, self.walk.film(before, self._shown, self.camera))
        wide, high = self.camera.stage or (0, 1)
        fills = abs(wide * scene.height / (high * scene.width) - 1) < _EXACT  # a board of another shape has a margin
        (self.board.widget.add_class if fills else self.board.widget.remove_class)("nk-step-filled")
        self._await_board()

    def _await_board(self) -> None:
        """Ask for what the board shows once it is calculated, and forget the answers of another position."""
        wanted, known = self.walk.awaits(self.stepper.sight, self.camera), self.camera.answers
        self.camera.answers = {each.key: known[each.key] for each in wanted if each.key in known}
        for number, awaited in enumerate(wanted):
            if awaited.key not in known:
                raw: Awaited[Any] = Awaited(awaited.key, awaited.start)
                self.desk.ask(("board", number), raw, partial(self._answer_board, awaited.key))

    def _answer_board(self, key: Any, answer: Any) -> None:
        self.camera.answers = {**self.camera.answers, key: answer}
        self.model.repaint()

    def _show_tables(self) -> None:
        stepper, walk = self.stepper, self.walk
        for widget, data in zip(self.tables, stepper.tables, strict=True):
            widget.value = table(data)
        front = walk.front(stepper.moment)
        if front is not None and stepper.moment.phase is not self._phase:
            if self.tabs.selected_index is not None and self.tabs.selected_index < len(self.tables):
                self.tabs.selected_index = front
        self._phase = stepper.moment.phase
        if walk.counts:
            self.desk.fill("figures", walk.figures(stepper.sight), self._show_figures)

    def _show_explore(self, seat: int) -> None:
        """The way to the explorer from what the one who decides may know; none where nobody decides."""
        game, state = self.stepper.show.game, self.stepper.moment.state
        now = self.stepper.moment, self.model.voice.lang
        if self._explored is not None and self._explored[0] is now[0] and self._explored[1] == now[1]:
            return
        self._explored = now
        if seat < 0:
            self.desk.cancel("explore")
            self.explore.value = ""
            return
        glance: Glance[Any, Any, Any] = Glance(game, game.observe(state, seat), seat, live=False)
        self.desk.ask("explore", controls.explored(glance), partial(setattr, self.explore, "value"))

    def _show_figures(self, data: Table | None) -> None:
        self.figures.value = controls.table(data)

    def _where(self) -> str:
        """What just happened, and where in the match one is."""
        stepper, show, events = self.stepper, self.stepper.show, self.stepper.news
        told = " ".join(events)
        if self.lines.one and len(told) > _BRIEF:
            told = events[-1] if len(events[-1]) <= _BRIEF else ""
        if stepper.at == show.opening and (not told or not stepper.tour):
            told = show.title if self.lines.one else show.about  # the one asks, the other answers
        return STEP("where", place=self.walk.place(stepper.row, stepper.at), told=told)

    def _now(self) -> str:
        """What to press next."""
        stepper, walk = self.stepper, self.walk
        question = stepper.asking.question
        if stepper.mode == WHAT_IF:
            before, after = stepper.before, stepper.decided
            if before is None or after is None or not stepper.supposed.anything:
                return walk.say("now.what-if")
            return walk.say("now.same" if before.right == after.right else "now.compared", order=after.lines[-1].text)
        if question is not None:
            chosen = stepper.asking.hand.choice and not stepper.asking.room
            return STEP("now.chosen") if chosen else walk.prompt("now.asked", stepper.who, question)
        if stepper.untold:
            return walk.say("now.rule", who=stepper.who)
        if stepper.at_end:
            return STEP("now.over" if stepper.tour else "now.end" if len(stepper.row) > 1 else "now.choose")
        show = stepper.show
        if stepper.at == show.opening and show.match and not stepper.tour and shows.tour_names(show.name):
            return STEP("now.first")
        if stepper.decided is not None and not stepper.chosen:
            return walk.say("now.decides", who=stepper.who)
        return STEP("now.next")

    def _show_choice(self) -> None:
        stepper, options = self.stepper, shows.choices(self.stepper.show.name)
        tour, show = stepper.tour, stepper.show
        item, title = (tour.item, tour.title) if tour else (show.item, show.title)
        if item not in (known for _, known in options):
            options = ((title, item), *options)
        with self._heard.quietly():
            if self.chooser.options != options:
                self.chooser.options = options
            self.chooser.value = item
        self.another.description = STEP("another.seed" if item.kind is Kind.START else "another.next")

    # What the browser says --------------------------------------------------------------------------------------------

    def met(self, query: str, stored: dict[str, str], *, another_tab: bool) -> None:
        held, self._held = self._held, []
        for show in held:
            show()
        if self._alone:
            self._stood = stored.get(self._place, "") if self.bridge.again else ""
            link, mode, large = query, "", shows.on_screen(query)
            with suppress(ValueError, TypeError):  # nothing is kept, or what is kept is damaged
                link, mode, large = json.loads(self._stood)
            then = partial(self._use_again, mode)
            if link.lstrip("?") != self._opened.lstrip("?"):
                self._project(large)
                self.stepper.open_query(link, then)
            else:
                then()
        self._take_up(stored.get(self._draft, ""))
        self.phones.met(query, stored)

    def themed(self) -> None:
        self.board.theme = self.lines.theme = self.phones.theme = self.theme
        self.lines.entries = {}

    def opened(self, data: bytes, name: str) -> None:
        self.stepper.open_file(data)

    def _key(self, step: str) -> None:
        if self.phones.screen.active:
            return  # the class's screen has the keyboard
        if step == "play":
            self.bar.toggle()
            return
        self.bar.stop()
        stepper = self.stepper
        steps: dict[str, Callable[[], None]] = {
            "forward": stepper.forward, "back": stepper.back, "first": stepper.first, "last": stepper.last,
            "up": partial(stepper.light_next, -1), "down": partial(stepper.light_next, 1), "eyes": self._switch_eyes,
        }  # fmt: skip
        steps[step]()

    # Buttons ----------------------------------------------------------------------------------------------------------

    def _chosen(self, item: Item) -> None:
        if item.kind is not Kind.FILE and (item.name or item.kind is Kind.START):
            self.bar.stop()
            self.stepper.open_item(item)

    def _another(self) -> None:
        """The same start with the next seed; from a position, the next position."""
        self.stepper.open_another()

    def _enlarge(self) -> None:
        """In front of a class, or back: there the class's eyes count, until the teacher's are asked for."""
        large = not self.lines.one
        self.stepper.look_as(CLASS if large else ME)
        self._project(large)

    def _project(self, large: bool) -> None:
        (self.widget.add_class if large else self.widget.remove_class)("nk-step-projector")
        self.lines.one = self.track.single = self.phones.projected = large
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
        self.stepper.look_as(ME if self.stepper.sees == CLASS else CLASS)

    def _copy(self, query: str) -> None:
        query = f"?game={self.stepper.show.name}&{query.lstrip('?')}" if self._named else query
        self.bridge.copy(query, "link", link=True)

    def _save_tour(self) -> None:
        draft = self.stepper.draft
        if not draft.stops:
            raise OptionError(STEP("tour.empty"))
        self.bridge.download("tour.toml", draft.dumps())
        self.model.say(STEP("tour.saved", n=len(draft.stops)))

    def _keep_draft(self) -> None:
        """The tour that is being made stays in the browser: a reload loses nothing of it."""
        draft = self.stepper.draft
        if draft is not self._drawn:
            self._drawn = draft
            self.bridge.store(self._draft, draft.query(self.stepper.show.name) if draft.stops else None)
        self.own.show()

    def _keep_place(self) -> None:
        """A page that is loaded again stands at the same step."""
        if not self._alone or not self._met or self.stepper.opening:
            return
        stands = json.dumps([self.stepper.link, self.stepper.mode, self.lines.one])
        if stands != self._stood:
            self._stood = stands
            self.bridge.store(self._place, stands)

    def _use_again(self, mode: str) -> None:
        if mode in (PREDICT, EXPLAIN) and mode != self.stepper.mode:
            self.stepper.use(mode)

    def _take_up(self, query: str) -> None:
        """The tour that was being made here before."""
        try:
            found = shows.tour_of(self.stepper.show.name, query)
        except NavalkitError:  # of an edition that is gone
            return
        if found and not self.stepper.draft.stops:
            self.stepper.draft = self._drawn = found[0]
            self.own.show()

    def _picture(self, kind: str) -> None:
        name = f"{self.stepper.show.item.file}-step-{self.stepper.at}.{kind}"
        self.bridge.picture(name, self.scene(), self.theme)

    def _hand_out(self, key: str) -> None:
        show = self.stepper.show
        name, data = self.walk.handout(key, show.game, show.row, show.title, show.about)
        self.bridge.download(f"{show.item.file}-{name}", data)
        self.model.say(self.walk.say(f"{key}.made"))


def step(name: str) -> Box:
    """The page of a game's stepper, by the game's name: what its address asks for is the first thing it shows."""
    query = current().query
    with current().unheard(), speaking(Voice(language(query) or ENGLISH)):
        return StepPage(name, query=query).widget


def asked() -> Box:
    """The stepper of the game that the page's address asks for, by ``game`` or by a record; else a list of them."""
    query = current().query
    with current().unheard(), speaking(Voice(language(query) or ENGLISH)):
        try:
            name = shows.game_of(query)
            if name:
                return StepPage(package(name).name, query=query, named=True).widget
            said = Markup()
        except NavalkitError as error:
            said = html("<p class=nk-bad>{}</p>", error)
        games = (package(each).game for each in names())
        links = many("<li><a href='?game={}'>{}</a></li>", ((game.name, game.title) for game in games))
        return box("nk-page nk-step", HTML(html("{}<p>{}</p><ul class=nk-lines>{}</ul>", said, STEP("which"), links)))
