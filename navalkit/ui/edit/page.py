"""The page on which a scenario is made: the board with its tools, a form beside it, a trial, and what leads on.

It knows no game: what there is in a scenario and what its board looks like comes from the game's workshop, and what an
edit does from the draft (`navalkit.view.draft`).
"""

from __future__ import annotations
import json
import secrets
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import traitlets

from navalkit.core.awaited import Awaited
from navalkit.core.errors import DataError, NavalkitError, OptionError, brief
from navalkit.core.files import PACKED, unpacked
from navalkit.core.game import MOST_PACKED
from navalkit.core.registry import load, names, package, page_url
from navalkit.core.shown import Markup, html, many
from navalkit.core.words import ENGLISH, Phrase, Said, Voice, Words, language, speaking
from navalkit.players import makers
from navalkit.sim.balance import Row, trial
from navalkit.view.draft import Draft
from navalkit.view.lobby import WORKSHOP
from navalkit.view.page import page_of
from navalkit.view.workshop import Whole, Workshop, loads
from .. import SAY
from ..board import Board, Stage
from ..frontend import current
from ..play import controls
from ..shell import Model, Shell, asked
from ..widgets import (
    HTML,
    Box,
    Button,
    Dropdown,
    Heard,
    KeyButton,
    Scripted,
    Tab,
    Textarea,
    box,
    button,
    classed,
    maker,
    relabel,
    shown,
)

EDIT = Words.load("navalkit.ui.edit")
HERE = Path(__file__)
GAMES = 20
"""Games of a trial."""
NEAREST, FARTHEST = 4.0, 0.5
ROOM = 800.0, 600.0
"""Px of the board while no browser has said how much room there is."""
_ABOUT = 26  # letters that are shown before the place where a text is wrong, at most
LOW = 430.0
"""Px of a board's height, or less, that is a phone's lying down."""


class EditModel(Model):
    """The page's status line."""

    @property
    def languages(self) -> tuple[str, ...]:
        return EDIT.languages

    @property
    def comfort(self) -> str:
        return EDIT("comfort")


class Sheet(Scripted):
    """The form of what is chosen, and under it the list of all there is. What its script says is told to ``heard`` by
    the event: "set" (``name``, ``value``), "choose" (``kind``, ``n``; n below 0 for what there is once), "add"
    (``kind``)."""

    _esm = HERE.with_name("sheet.js")
    _css = HERE.with_name("edit.css")
    head = traitlets.Unicode().tag(sync=True)
    """What is chosen."""
    fields: Any = traitlets.List().tag(sync=True)
    """Its fields (`Draft.form`)."""
    kinds: Any = traitlets.List().tag(sync=True)
    """Key and name of each kind, what the button says that adds one ("" for none), and its parts: number, name, side, a
    complaint, whether it is chosen."""

    def __init__(self, heard: Callable[[dict[str, Any]], None]) -> None:
        super().__init__()
        self.hear(set=heard, choose=heard, add=heard)


class EditPage(Shell):
    """The page of a game's workshop, by the game's name; OptionError if its scenarios are not made here."""

    def __init__(self, name: str) -> None:
        shop: Workshop | None = package(name).offered("WORKSHOP", None)
        if shop is None:
            raise OptionError(EDIT("none", game=name))
        self.name, self.shop, self.draft = name, shop, Draft(shop)
        self.own, self.zoom = secrets.token_hex(4), 1.0
        self._kept, self._painted = f"{name}:draft?", (self.draft.doc, "")
        self.model = model = EditModel()
        super().__init__(model, [self._kept])
        model.changed = self.refresh
        safe, self.made = self.safe, maker(model.guard, EDIT)
        self.board = Board(self._pressed, on_drag=safe(self._dragged))
        self.board.canvas.on_key_down(lambda key, *_modifiers: safe(self._key)(key))
        self.stage = Stage(self.board, rings=False)
        self.status, self.links, self.result = classed(HTML(), "nk-status"), HTML(), HTML()
        self.sheet = Sheet(safe(self._heard))
        self._quiet, self.tools = Heard(), dict[str, Button]()
        colours = "nk-edit-blue", "nk-edit-red"
        self.sides = [button("", "", safe(partial(self._side, n)), name) for n, name in enumerate(colours)]
        self.widget = self._page()
        self._relabel()
        self.refresh()

    # What it looks like -----------------------------------------------------------------------------------------------

    def _page(self) -> Box:
        made, draft, safe = self.made, self.draft, self.safe
        every = ("", *(kind.key for kind in self.shop.kinds if kind.area or (kind.place and not kind.plain)),
                 *(f"{kind.key}.{field.name}" for kind in self.shop.kinds for field in kind.fields
                   if field.kind == "cells" and field.name != kind.area))
        self.tools = {key: button("", "", safe(partial(self._take, key)), "nk-edit-tool") for key in every}
        tools = box("nk-edit-tools", *self.tools.values(), *self.sides)
        does: dict[str, Callable[[], None]] = {
            "undo": draft.undo, "redo": draft.redo, "turn.left": partial(draft.turn, -1),
            "turn.right": partial(draft.turn, 1), "remove": draft.remove}
        self.keys = {key: made(key, partial(self._do, call)) for key, call in does.items()}
        view = made("nearer", partial(self._near, 1.5)), made("farther", partial(self._near, 1 / 1.5))
        keys = box("nk-edit-keys", *self.keys.values(), *view)
        seats = len(load(self.name).players) - len(load(self.name).automatic)
        self.seats = [Dropdown() for _ in range(seats)]
        self.test = made("test", self._test)
        trial_ = box("nk-edit-trial", *self.seats, self.test, self.waiting.widget, self.result, column=True)
        self.text = classed(Textarea(rows=18, continuous_update=False), "nk-edit-text")
        self._quiet.value(self.text, safe(self._typed))
        self.examples = Dropdown()
        menu = box("nk-menu", self.examples, made("begin", self._begin), made("save", self._save),
                   KeyButton("open", lambda _: None, words=EDIT), made("link", self._link),
                   made("invite", self._invite), KeyButton("lang", safe(lambda _: self._next_language())),
                   self.theme_switch)
        self.unread = classed(HTML(), "nk-edit-unread")
        text = box("nk-edit-typed", self.unread, self.text, column=True)
        self.tabs = classed(Tab((self.sheet, trial_, text, menu)), "nk-tabs")
        left = box("nk-left", self.board.widget, box("nk-edit-hand", tools, keys, column=True), column=True)
        top = box("nk-edit-top", self.status, classed(self.links, "nk-edit-links"))
        right = box("nk-right", top, self.tabs, column=True)
        return box("nk-page nk-live nk-screen nk-edit", left, right, self.bridge)

    @property
    def title(self) -> str:
        return EDIT("title", game=load(self.name).title)

    def speak(self, lang: str) -> None:
        super().speak(lang)
        with speaking(self.model.voice):
            self._relabel()

    def _relabel(self) -> None:
        """Say anew what is not said at every change."""
        relabel(self.widget)
        self.tabs.titles = [EDIT(f"tab.{tab}") for tab in ("plan", "test", "text", "menu")]
        for key, each in self.tools.items():
            each.description = each.tooltip = self._tool_name(key) if key else EDIT("tool.choose")
        captains = [(each.called, each.name) for each in package(self.name).offered("CAPTAINS", ())]
        known = captains or [(name, name) for name in makers(load(self.name))]
        for seat in self.seats:
            value, usual = seat.value, known[-1][1]
            seat.options, seat.value = known, value or usual
        chosen = self.examples.value or ""
        self.examples.options = [(EDIT("example.blank"), ""), *((title, title) for title in self.shop.examples())]
        self.examples.value = chosen
        self.examples.description, self.text.description = EDIT("example"), EDIT("text")

    def themed(self) -> None:
        self.board.theme = self.theme

    def _near(self, times: float) -> None:
        self.zoom = min(NEAREST, max(FARTHEST, self.zoom * times))
        self.refresh()

    def refresh(self) -> None:
        """Bring every widget up to date."""
        draft, model = self.draft, self.model
        room = self.room or ROOM
        scene = draft.scene(room, self.zoom, touch=self.tall or room[1] < LOW)
        self.board.canvas.layout.width = f"{scene.width:g}px"
        self.stage.show(scene)
        self._mark(self.board.widget, "nk-drag", bool(draft.tool) and not self._puts)
        usable = {"", *draft.tools()}
        if draft.tool not in usable:
            draft.tool = ""
        for key, each in self.tools.items():
            shown(each, key in usable)
            each.button_style = "primary" if key == draft.tool else ""
        sides = draft.doc.get("sides")
        known = [str(each) for each in sides] if isinstance(sides, list) else []
        for seat, side in zip(self.seats, known if len(known) == 2 else [EDIT("seat")], strict=False):
            seat.description = side
        for number, side in enumerate(self.sides):
            shown(side, len(known) == 2)
            side.description = side.tooltip = known[number] if len(known) == 2 else ""
            self._mark(side, "nk-open", number == draft.side)
        able = {"undo": draft.past, "redo": draft.ahead, "remove": draft.chosen}
        for key, each in self.keys.items():
            each.disabled = not able.get(key, draft.turns)
        self._show_sheet()
        with self._quiet.quietly():
            self.text.value = draft.typed or draft.text
        self.unread.value = _marked(draft)
        self.test.disabled = draft.wrong is not None
        self.links.value = self._ways_on()
        more = len(draft.wrongs) - 1
        besides = EDIT("wrong.more", n=more) if more > 0 else ""
        status = EDIT("wrong", text=draft.named(draft.wrong), more=besides) if draft.wrong else EDIT("right")
        status = EDIT("unread") if draft.unread else status
        said, now = model.status, self._next()
        status = EDIT("refused") if said.error else status
        self.status.value = controls.status(now, now, status, said.text, said.error, said.count)

    @staticmethod
    def _mark(widget: Any, name: str, on: bool) -> None:
        if on != (name in widget._dom_classes):
            (widget.add_class if on else widget.remove_class)(name)

    @property
    def _puts(self) -> bool:
        """Whether the tool puts a thing, and paints no places."""
        kind, _, field = self.draft.tool.partition(".")
        return not field and not self.draft.kind(kind).area

    def _next(self) -> str:
        """What the next press on the board does."""
        if not self.draft.tool:
            return EDIT("next.move" if self.draft.turns else "next.choose")
        return EDIT("next.put" if self._puts else "next.paint", what=self._tool_name(self.draft.tool))

    def _tool_name(self, key: str) -> str:
        kind, _, field = key.partition(".")
        return self.shop.words(f"draft.{kind or 'all'}.{field}" if field else f"draft.{kind}")

    def _show_sheet(self) -> None:
        draft, words = self.draft, self.shop.words
        kinds: dict[str, list[list[Any]]] = {kind.key: [] for kind in self.shop.kinds if kind.key}
        for kind, n, told, side, wrong in draft.things():
            kinds[kind.key].append([n, told, side, wrong, draft.chosen == (kind.key, n)])
        fixed = {kind.key for kind in self.shop.kinds if kind.area or (kind.place and kind.plain)}
        title = str(draft.doc.get("title", ""))
        rows: list[list[Any]] = [["", words("draft.all"), "", [[-1, title, -1, "", not draft.chosen]]]]
        rows += [[key, words(f"draft.{key}"), "" if key in fixed else EDIT("add", what=words(f"draft.{key}")), parts]
                 for key, parts in kinds.items() if parts or key not in fixed]
        for row in rows:  # what is wrong with a whole kind
            row[3] += [[-1, "", -1, draft.complaint(e), False] for e in draft.wrongs if e.place == (row[0],)]
        self.sheet.kinds, self.sheet.fields = rows, draft.form()
        self.sheet.head = words("draft.all")
        if draft.chosen:
            chosen = draft.kind(draft.chosen[0])
            self.sheet.head = f"{words(f'draft.{chosen.key}')}: {self.shop.called(chosen, draft.row(draft.chosen))}"

    @property
    def _query(self) -> str:
        """What an address asks for the scenario with."""
        return urlencode({self.shop.option: self.draft.link})

    @property
    def _game(self) -> str:
        """The address of the game that plays it."""
        play = package(self.name).page(Path())
        return f"{play}{'&' if '?' in play else '?'}{self._query}"

    def _ways_on(self) -> Markup:
        """To play it, and to step through it; nothing while it is not whole."""
        if self.draft.wrong:
            return Markup()
        step = f"{package(self.name).stepper}&seed=1&{self._query}"
        ways = [(address, EDIT(key), EDIT(f"{key}.help")) for address, key in ((self._game, "play"), (step, "step"))]
        return many('<a class="nk-edit-on" href="{0}" title="{2}">{1}</a>', ways)

    # What the reader does ---------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        """The document is another, or what is chosen in it: show it, and have the browser keep it."""
        self.model.hush()
        if (painted := (self.draft.doc, self.draft.typed)) != self._painted:
            self._painted = painted
            self.desk.cancel("test")
            self._keep()
        self.model.repaint()

    def _keep(self) -> None:
        """Of the tab its draft, and among the scenarios of the reader's own, which the lobby lists, this one."""
        draft = self.draft
        self.bridge.store(self._kept, json.dumps({"own": self.own, "text": draft.text, "typed": draft.typed}))
        told = {"title": str(draft.doc.get("title", "")), "query": self._query, "sound": draft.wrong is None}
        self.bridge.store(f"own:{self.name}:{self.own}", json.dumps(told))

    def _do(self, call: Callable[[], None]) -> None:
        call()
        self._changed()

    def _take(self, key: str) -> None:
        self.draft.tool = key
        self._changed()

    def _side(self, number: int) -> None:
        self.draft.side = number
        self._changed()

    def _pressed(self, cell: str) -> None:
        self.safe(self._do)(partial(self.draft.press, cell))
        self.stage.answered()

    def _dragged(self, cell: str) -> None:
        self._do(partial(self.draft.drag, cell))

    def _key(self, key: str) -> None:
        """A key over the board, beside those that move its focus and press."""
        calls: dict[str, Callable[[], None]] = {
            "[": partial(self.draft.turn, -1), "]": partial(self.draft.turn, 1), "Delete": self.draft.remove,
            "u": self.draft.undo, "Escape": partial(self._take, "")}
        if key in calls:
            self._do(calls[key])

    def _heard(self, told: dict[str, Any]) -> None:
        kinds = {kind.key for kind in self.shop.kinds}
        if told["event"] == "set":
            try:
                self.draft.set(str(told["name"]), told["value"])
            except NavalkitError as error:
                self.sheet.send({"do": "refused", "name": told["name"], "why": str(error)})
                raise
        elif told["kind"] in kinds and told["event"] == "add":
            self.draft.add(told["kind"])
        elif told["kind"] in kinds:
            self.draft.choose((told["kind"], int(told["n"])) if told["kind"] and int(told["n"]) >= 0 else ())
        self._changed()

    def _typed(self, text: str) -> None:
        """The whole document was typed."""
        self.draft.type(text)
        self._changed()

    def opened(self, data: bytes, name: str) -> None:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise OptionError(SAY("new.file.bad", name=brief(name))) from None
        self._anew(text)

    def _begin(self) -> None:
        """Another one, from an example; the one before is still among the reader's own, and a step back."""
        self._anew(self.shop.examples().get(self.examples.value, self.shop.blank))

    def _anew(self, text: str) -> None:
        self.draft.do(Whole(loads(text)))
        self.own, self.draft.tool, self.draft.chosen = secrets.token_hex(4), "", ()
        self._changed()

    def _save(self) -> None:
        self.bridge.download(f"{self.name}-{self.own}.toml", self.draft.text)

    def _link(self) -> None:
        self.bridge.copy(f"?game={self.name}&{self._query}", "link", link=True)

    def _invite(self) -> None:
        """A link to the game, for somebody who is to play it."""
        self.bridge.copy(self._game, "link", link=True)

    def met(self, query: str, stored: dict[str, str], *, another_tab: bool) -> None:
        """What this tab was making, else what the address has, else what another tab was making."""
        wanted, _ = asked(query)
        given, kept = wanted.get(self.shop.option, ""), _loads(stored.get(self._kept, ""))
        if kept and not (given and another_tab):
            self.own = kept["own"] if not another_tab else self.own
            self._again(kept["text"], kept["typed"])
        elif given:
            self.own = wanted.get("own", "")[:16] or self.own
            try:
                text = unpacked(given.removeprefix(PACKED), MOST_PACKED) if given.startswith(PACKED) else given
            except ValueError:
                raise OptionError(EDIT("damaged")) from None
            self._again(text)

    def _again(self, text: str, typed: str = "") -> None:
        draft = self.draft
        draft.doc, draft.typed, draft.past, draft.ahead, draft.chosen = loads(text), typed, [], [], ()
        self._painted = draft.doc, typed

    # The trial --------------------------------------------------------------------------------------------------------

    def _test(self) -> None:
        """Have captains play it, while the page stays alive; what comes of it is told game by game."""
        game = load(self.name, **{self.shop.option: self.draft.text})
        captains = [seat.value for seat in self.seats]
        self._show_result(None)
        told = self.safe(self._show_result)
        played: Awaited[Row] = Awaited(object(), lambda: trial(game, captains, GAMES, tell=told))
        self.desk.ask("test", played, self._show_result, late=True)

    def _show_result(self, row: Row | None) -> None:
        if row is None:
            self.result.value = html("<p class=nk-note>{}</p>", EDIT("test.begun", n=GAMES))
            return
        named = page_of(self.name).players(load(self.name, **{self.shop.option: self.draft.text}))
        named = named if len(row.captains) > 1 else (EDIT("seat"),)  # as the list calls who plays alone
        sides = tuple(f"{each[:1].upper()}{each[1:]}" for each in named)
        lines = list(_told(row, sides))
        self.result.value = html("<h3>{}</h3><ul class=nk-lines>{}</ul><p class=nk-note>{}</p>",
                                 EDIT("test.title", n=row.games, of=GAMES),
                                 many("<li>{}</li>", ((each,) for each in lines)), EDIT("test.note"))


def _marked(draft: Draft) -> Markup:
    """Why what was typed does not count, and the line in which it is wrong, with a sign under the place."""
    text, error = draft.typed, draft.unread
    if error is None:
        return Markup()
    inner = error.facts["error"]
    facts = inner.facts if isinstance(inner, Said | Phrase) else {}
    line, column = int(facts.get("line") or text.count("\n") + 1), int(facts.get("column") or 1)
    start = max(0, column - _ABOUT)
    wrong = "".join(text.splitlines()[line - 1 : line])[start : start + _ABOUT + 8]
    form, under = "<p class=nk-bad role=alert>{}</p><pre>{:>3} {}\n{}▲</pre>", " " * (column - start + 3)
    return html(form, draft.complaint(error), line, wrong, under)


def _told(row: Row, sides: tuple[str, ...]) -> Iterator[str]:
    """Who won how many, how long it took, and what decided it."""
    low, high = row.interval
    for side, name in enumerate(sides[: 2 if len(row.captains) > 1 else 1]):
        yield EDIT("test.won", side=name, n=sum(account.winner == side for account in row.accounts), of=row.games)
    if row.draws:
        yield EDIT("test.drawn", n=row.draws)
    yield EDIT("test.share", side=sides[0], share=row.share, low=low, high=high)
    yield EDIT(f"test.length.{row.accounts[0].unit}", n=row.lengths[1])
    for what, share in row.decided.items():
        key = f"test.by.{what}"
        yield EDIT(key if key in EDIT else "test.by", what=what, share=share)
    if row.one_blow:
        yield EDIT("test.blow", share=row.one_blow)


def _loads(kept: str) -> dict[str, str]:
    """What the browser kept; nothing of what is damaged."""
    try:
        found = json.loads(kept)
        loads(found["text"])
        return {"own": str(found["own"]), "text": str(found["text"]), "typed": str(found.get("typed", ""))}
    except (ValueError, KeyError, TypeError, DataError):
        return {}


def asked_for() -> Box:
    """The workshop of the game that the page's address asks for; else a list of those there are."""
    query = current().query
    with current().unheard(), speaking(Voice(language(query) or ENGLISH)):
        try:
            if name := asked(query)[0].get("game", ""):
                return EditPage(package(name).name).widget
            said = Markup()
        except NavalkitError as error:
            said = html("<p class=nk-bad>{}</p>", error)
        games = [package(each).game for each in names() if package(each).offered("WORKSHOP", None)]
        ways = ((page_url(WORKSHOP, f"game={game.name}"), game.title) for game in games)
        links = many("<li><a href='{}'>{}</a></li>", ways)
        told = html("{}<p>{}</p><ul class=nk-lines>{}</ul>", said, EDIT("which"), links)
        return box("nk-page nk-edit-which", HTML(told))
