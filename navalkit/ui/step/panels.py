"""The stepper's panels and widgets: lines, key moments, the bar to step with, predictions, what-ifs, tours, tables."""

from __future__ import annotations
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import traitlets

from navalkit.core.files import Rule
from navalkit.core.shown import Markup, html, many, paragraph
from navalkit.core.words import Event, Words
from navalkit.walks.shows import Tour
from navalkit.walks.stepper import ME, PREDICT, WHAT_IF, Stepper
from navalkit.walks.told import Change, Difference, Table
from ..widgets import (
    HTML,
    SPEEDS,
    BoundedIntText,
    Box,
    Dropdown,
    Heard,
    IntSlider,
    KeyButton,
    Playback,
    Scripted,
    Text,
    Textarea,
    box,
    button,
    classed,
    maker,
    shown,
)

STEP = Words.load("navalkit.ui.step")
HERE = Path(__file__)
Guard = Callable[[Callable[..., object]], Callable[..., None]]


class LinesList(Scripted):
    """The lines of a decision, each a button, with what unfolds under it: its rule, its terms, its parts.

    ``picked`` is called with the number of the line that was pressed, and the number of its part or None. ``theme``: in
    which the pictures of terms are painted.
    """

    _esm = HERE.with_name("lines.js")
    rows = traitlets.List(traitlets.Dict()).tag(sync=True)
    lit = traitlets.Int(-1).tag(sync=True)
    part = traitlets.Int(-1).tag(sync=True)
    one = traitlets.Bool(False).tag(sync=True)
    """Whether one line stands alone, in front of a class."""
    count = traitlets.Unicode().tag(sync=True)
    next = traitlets.Unicode().tag(sync=True)
    so = traitlets.Unicode().tag(sync=True)
    mine = traitlets.Bool(False).tag(sync=True)
    """Whether it is for the teacher's eyes: then rules stay folded, for there are notes to read."""
    entries: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    """Terms whose entries were asked for."""

    def __init__(self, stepper: Stepper) -> None:
        super().__init__()
        self.picked: Callable[[int, int | None], None] = lambda line, part: None
        self.theme, self._stepper = "light", stepper
        self.hear(line=self._picked, term=self._unfold)

    def show(self, rules: Mapping[str, Rule]) -> None:
        """Show the lines told so far."""
        stepper, walk = self._stepper, self._stepper.walk
        rows = [
            {
                "kind": x.kind, "rule": x.rule, "ask": x.ask, "text": x.text,
                "title": rules[x.rule].text if x.rule in rules else "",
                "terms": list(map(list, walk.terms(f"{x.ask} {x.text}"))),
                "parts": [[part.ask, part.text] for part in x.parts],
                "opens": STEP("line.opens", n=len(x.parts)), "unfold": STEP("line.rule", rule=x.rule),
            }
            for x in stepper.lines
        ]  # fmt: skip
        told, all_lines = len(rows), stepper.all_lines
        with self.hold_sync():
            self.rows = rows
            self.lit = -1 if stepper.lit is None else stepper.lit
            self.part = -1 if stepper.part is None else stepper.part
            now = told if stepper.lit is None else stepper.lit + 1
            self.count = STEP("line.count", who=stepper.who, n=now, of=len(all_lines)) if all_lines else ""
            mine = self.one and stepper.sees == ME  # the teacher knows the answer before the class
            key = "line.next.answered" if mine else "line.next"
            left = all_lines[told:-1]
            over = STEP("line.over") if stepper.tour and stepper.at_end else ""
            self.next = STEP(key, ask=left[0].ask, text=left[0].text) if left else over
            closed = stepper.guess is not None and stepper.guess.shared  # a class has been told by its phones
            known = mine or closed or told == len(all_lines)
            self.mine = mine
            move = all_lines[-1].text if all_lines and known else STEP("line.hidden")
            ask = all_lines[-1].ask if all_lines else walk.say("line.move")
            self.so = f"{ask} {move}" if all_lines or stepper.asked else ""
            if closed and self.one and not told:  # what a class thought has all the room until the reasons begin
                self.count = self.next = self.so = ""

    def _picked(self, told: dict[str, Any]) -> None:
        part = told.get("part")
        self.picked(int(told["line"]), None if part is None else int(part))

    def _unfold(self, told: dict[str, Any]) -> None:
        key = str(told.get("term"))
        if found := self._stepper.walk.term(key, self.theme):
            self.entries = self.entries | {key: found._asdict()}


class Track(Scripted):
    """The key moments over the slider, and the keys that step.

    ``look`` is called with the index of a moment that was clicked. ``pressed`` is called with what a key asks for:
    "forward", "back", "play", "first", "last", "up", "down" or "eyes". ``sized`` is called with width and height of the
    board's room in front of a class, in px. ``noted`` is called when the teacher opens a window of their own.
    """

    _esm = HERE.with_name("track.js")
    _css = HERE.with_name("step.css")
    lanes: traitlets.List[Any] = traitlets.List().tag(sync=True)
    """What a moment may be of note for, each with its sign, and whether it is grave."""
    marks: traitlets.List[Any] = traitlets.List().tag(sync=True)
    single = traitlets.Bool(False).tag(sync=True)
    """Whether all kinds of moments share one lane, in front of a class."""
    at = traitlets.Int().tag(sync=True)
    last = traitlets.Int().tag(sync=True)
    notes = traitlets.Unicode().tag(sync=True)
    """What stands in the teacher's own window, once it is open."""
    called = traitlets.Unicode().tag(sync=True)
    """What the marks are, for screen readers."""

    def __init__(self) -> None:
        super().__init__(called=STEP("bar.marks"))
        self.look: Callable[[int], None] = lambda at: None
        self.pressed: Callable[[str], None] = lambda step: None
        self.sized: Callable[[int, int], None] = lambda width, height: None
        self.noted: Callable[[], None] = lambda: None
        self.hear(
            look=lambda told: self.look(int(told["at"])),
            key=lambda told: self.pressed(str(told["step"])),
            stage=lambda told: self.sized(int(told["width"]), int(told["height"])),
            notes=lambda _: self.noted(),
        )

    def relabel(self) -> None:
        """Say its name to the present reader."""
        self.called = STEP("bar.marks")

    def show(self, stepper: Stepper) -> None:
        """Show where one is; to a class nothing that is to come."""
        walk, row, last = stepper.walk, stepper.row, len(stepper.row) - 1
        known = last if stepper.sees == ME else stepper.at
        keys = list(walk.keys)
        self.lanes = [[walk.name(key), sign, key in keys[-2:]] for key, sign in walk.keys.items()]
        self.last, self.at = last, stepper.at
        self.marks = [
            [i, walk.name(moment.keys[-1]),
             walk.say("mark", place=walk.place(row, i), turn=moment.turn, key=walk.name(moment.keys[-1]))]
            for i, moment in enumerate(row[: known + 1])
            if moment.keys
        ]


class StepBar(Playback):
    """Back, on, play, what to step by, first and last; and beside the bar a slider over all moments, and a speed."""

    def __init__(self, stepper: Stepper, guard: Guard) -> None:
        self._stepper, self._heard = stepper, Heard()
        super().__init__()
        self.speed.value = SPEEDS["slow"]

        def made(key: str, call: Callable[[], None], *classes: str) -> KeyButton:
            return KeyButton(key, lambda _: self.by_hand(guard(call)), *classes, words=STEP)

        self.step_on = guard(stepper.forward)
        self.start = made("bar.start", stepper.first, "nk-step-glyph")
        self.back, self.on = made("bar.back", stepper.back), made("bar.on", stepper.forward)
        self.on.button_style = "primary"
        self.end = made("bar.end", stepper.last, "nk-step-glyph")
        self.unit = classed(Dropdown(options=self._units), "nk-step-unit")
        self._heard.value(self.unit, guard(stepper.step_by))
        self.slider = classed(IntSlider(0, 0, 0, readout=False), "nk-step-slider")
        self._heard.value(self.slider, lambda at: self.by_hand(partial(guard(stepper.go), at)))
        self.relabel()
        self.widget = box("nk-step-bar", self.back, self.on, self.play, self.unit, self.start, self.end)

    def relabel(self) -> None:
        """Say to the present reader what is not said at every step."""
        self.unit.tooltip, self.slider.description = STEP("bar.unit.help"), STEP("bar.moment")

    @property
    def _units(self) -> list[tuple[str, str]]:
        return [(STEP(f"bar.unit.{unit.split()[0]}"), unit) for unit in self._stepper.units]

    def show(self) -> None:
        """Show where one is, without stepping there."""
        stepper, units = self._stepper, self._units
        with self._heard.quietly():
            if list(self.unit.options) != units:
                self.unit.options = units
            self.slider.max, self.slider.value, self.unit.value = len(stepper.row) - 1, stepper.at, stepper.unit
        self.back.disabled = self.start.disabled = stepper.at_start
        self.on.disabled = self.end.disabled = stepper.at_end
        self.play.disabled = self.at_end and not self.playing
        if self.at_end:
            self.stop()

    @property
    def at_end(self) -> bool:
        return self._stepper.at_end or self._stepper.asked  # it does not answer by itself

    def step(self) -> None:
        self.step_on()


class Panels:
    """What stands above the lines as long as it is needed."""

    def __init__(self, stepper: Stepper, guard: Guard) -> None:
        self._stepper, self._guard, made = stepper, guard, maker(guard, STEP)
        self.score, self.compared, self.stop, self.end = HTML(), classed(HTML(), "nk-step-changes"), HTML(), HTML()
        self.choices = box("nk-step-buttons")
        self.confirm = made("predict.confirm", stepper.confirm)
        self.confirm.button_style = "primary"
        self.change = made("predict.change", stepper.change)
        self.answer = box("nk-step-buttons", self.confirm, self.change)
        self.predict = box("nk-step-predict", self.score, self.choices, self.answer, column=True)
        self.suppose: dict[str, Any] = {}
        self._changes: tuple[Change, ...] = ()
        self._ask, self._rows = HTML(), box("nk-step-rows", column=True)
        self.reset = made("what-if.reset", stepper.reset)
        self.what_if = box("nk-step-what-if", self._ask, self._rows, self.compared, column=True)
        self.before = made("tour.back", lambda: stepper.go_on(-1))
        self.after = made("tour.on", lambda: stepper.go_on(1))
        stops = box("nk-step-buttons", self.before, self.after)
        self.tour = box("nk-step-tour", self.stop, stops, column=True)
        look = made("ending.look", self._decisive)
        self.ending = box("nk-step-ending", self.end, box("nk-step-buttons", look), column=True)

    def show(self) -> None:
        """Bring all up to date."""
        stepper = self._stepper
        asking, room = stepper.asked, stepper.asking.room
        # A class's panel says how many have answered, and confirms.
        shown(self.predict, room is None and stepper.mode == PREDICT and (asking or not stepper.untold))
        shown(self.answer, asking)
        shown(self.what_if, stepper.mode == WHAT_IF)
        shown(self.tour, stepper.tour is not None)
        shown(self.ending, stepper.over)
        self.score.value = predicted(stepper)
        self._show_choices()
        self.confirm.disabled = not asking or not stepper.asking.voter.answers()
        self.change.disabled = self.confirm.disabled
        self.stop.value = stop(stepper)
        self.after.disabled = stepper.last_stop
        self.before.disabled = stepper.at_stop and not stepper.stop
        self.before.say("tour.back" if stepper.at_stop or not stepper.tour else "tour.return")
        self.end.value = ended(stepper) if stepper.over else ""
        if stepper.mode == WHAT_IF:
            self._show_changes()

    def _decisive(self) -> None:
        stepper = self._stepper
        if ending := stepper.walk.ending(stepper.show.game, stepper.row):
            stepper.go(ending.at)

    def _show_choices(self) -> None:
        """The answers that have no place on the board, a button each."""
        stepper, question = self._stepper, self._stepper.asking.question
        listed = [each for each in question.choices if each.at is None] if question and stepper.asked else []
        if [each.tooltip for each in self.choices.children] != [each.label for each in listed]:
            self.choices.children = [
                button(each.label, each.label, self._guard(partial(stepper.answer, each.id)), "nk-step-choice")
                for each in listed
            ]
        for made, each in zip(self.choices.children, listed, strict=True):
            made.button_style = "primary" if each.id == stepper.asking.hand.choice else ""
        shown(self.choices, bool(listed))

    def _show_changes(self) -> None:
        """What may be supposed, a button each, and what it changes."""
        stepper, walk = self._stepper, self._stepper.walk
        self._ask.value = html("<p class=nk-note>{}</p>", walk.say("what-if.ask"))
        if stepper.changes != self._changes:
            self._changes = stepper.changes
            self.suppose = {
                each.key: button(each.label, each.help, self._guard(partial(stepper.suppose, each.key)), "nk-step-mode")
                for each in self._changes
            }
            groups = dict.fromkeys(each.group for each in self._changes)
            rows = [self._row(group) for group in groups] or [box("nk-ask nk-step-buttons")]
            rows[-1].children = *rows[-1].children, self.reset
            self._rows.children = rows
        now = walk.current(stepper.decided) if stepper.decided else ""
        for key, made in self.suppose.items():
            made.button_style = "primary" if key == now else ""
        self.compared.value = changes(stepper.differences)

    def _row(self, group: str) -> Box:
        key, walk = f"change.{group}", self._stepper.walk
        head = [HTML(html("<span>{}</span>", walk.say(key)))] if key in walk.words_of(key) else []
        buttons = (self.suppose[each.key] for each in self._changes if each.group == group)
        return box("nk-ask nk-step-buttons", *head, *buttons)


class OwnTour:
    """The drawer in which a teacher puts a tour or a set of questions together: a title, a note, minutes and perhaps a
    question for the step that is shown, the stops so far, and what can be done with all of them."""

    def __init__(self, stepper: Stepper, guard: Guard, save: Callable[[], None], link: Callable[[], None]) -> None:
        self._stepper = stepper
        self._drawn: Tour | None = None
        walk = stepper.walk
        self.name, self.stops, self.title, self.note = Text(), Dropdown(), Text(), Textarea(rows=2)
        self.minutes, self.ask = BoundedIntText(2, 1, 60), Dropdown(options=[("", each) for each in ("", *walk.asks)])
        self._heard = Heard()
        self.relabel()
        self._heard.value(self.stops, guard(self._look))
        self._heard.value(self.name, guard(stepper.name_draft))
        self._heard.value(self.ask, guard(self._asking))
        made = maker(guard, STEP)
        self.add, self.change = made("tour.add", self._add), made("tour.change", self._change)
        self.chosen = box(
            "nk-step-buttons", made("tour.up", partial(self._move, -1), "nk-step-glyph"),
            made("tour.down", partial(self._move, 1), "nk-step-glyph"), made("tour.drop", partial(self._move, 0)),
            made("tour.try", lambda: stepper.take_draft(self._at)),
        )  # fmt: skip
        hand_on = made("tour.save", save), made("tour.link", link), made("tour.edit", stepper.edit)
        whole = box("nk-step-buttons", *hand_on)
        fields = self.title, self.note, self.minutes, self.ask, box("nk-step-buttons", self.add, self.change)
        self.widget = box("nk-step-own-tour", self.name, self.stops, *fields, self.chosen, whole, column=True)

    def relabel(self) -> None:
        """Say what the fields are to the present reader, and the stops at the next `show`."""
        walk, kind = self._stepper.walk, self.ask.value
        fields = {"name": self.name, "stops": self.stops, "title": self.title, "note": self.note,
                  "minutes": self.minutes, "ask": self.ask}
        for key, field in fields.items():
            field.description = STEP(f"tour.{key}")
        self.title.placeholder, self.note.placeholder = STEP("tour.title.hint"), STEP("tour.note.hint")
        with self._heard.quietly():
            self.ask.options = [(STEP("tour.ask.none"), ""), *((walk.say(f"class.{each}"), each) for each in walk.asks)]
            self.ask.value = kind
        self._drawn = None

    @property
    def _at(self) -> int:
        """The chosen stop; -1 if there is none."""
        return int(self.stops.value or 0) - 1

    def show(self) -> None:
        """The stops as they are."""
        draft, drawn = self._stepper.draft, self._drawn
        if draft is drawn:
            return
        self._drawn = draft
        walk = self._stepper.walk
        titles = [
            STEP("tour.stop.asks" if stop.predict else "tour.stop", n=n, title=stop.title,
                 ask=walk.say(f"class.{stop.ask or walk.asks[0]}"))
            for n, stop in enumerate(draft.stops, 1)
        ]  # fmt: skip
        at = self._at if len(draft.stops) == len(drawn.stops if drawn else ()) else -1
        with self._heard.quietly():
            self.name.value = draft.title
            self.stops.options = [(STEP("tour.stop.new"), 0), *((title, n) for n, title in enumerate(titles, 1))]
            self.stops.value = at + 1
        shown(self.stops, bool(titles))
        self._offer()

    def _asking(self, kind: str) -> None:
        self.add.say("tour.ask-here" if kind else "tour.add")

    def _offer(self) -> None:
        """The buttons for a stop that is chosen, or those for a new one."""
        for widget in (self.chosen, self.change):
            shown(widget, self._at >= 0)
        shown(self.add, self._at < 0)

    def _look(self, number: int) -> None:
        """What is said of the chosen stop, to be changed; nothing for a new one."""
        self._offer()
        stop = self._stepper.draft.stops[number - 1] if number else None
        self.title.value, self.note.value = (stop.title, stop.note) if stop else ("", "")
        self.minutes.value = max(1, min(60, stop.minutes)) if stop else 2
        self.ask.value = (stop.ask or self._stepper.walk.asks[0]) if stop and stop.predict else ""

    def _said(self) -> tuple[str, str, int, str]:
        return self.title.value, self.note.value, self.minutes.value, self.ask.value

    def _add(self) -> None:
        self._stepper.add_stop(*self._said())
        self.title.value = self.note.value = ""

    def _change(self) -> None:
        self._stepper.change_stop(self._at, *self._said())

    def _move(self, by: int) -> None:
        at = self._at
        self._stepper.move_stop(at, by)
        self.show()
        if by:
            self.stops.value = max(1, min(len(self.stops.options) - 1, at + by + 1))


# HTML -----------------------------------------------------------------------------------------------------------------

def predicted(stepper: Stepper) -> Markup:
    """What is to be predicted, what was answered so far, and the score."""
    walk, asking = stepper.walk, stepper.asking
    (good, asked), near = asking.score(walk), asking.near(walk)
    count, right = STEP("predict.score", good=good, asked=asked), walk.say("votes.right")
    close = f" · {walk.say('votes.near', n=near)}" if near is not None else ""
    score = html("<p class=nk-step-score><b>{}</b> {}</p>", count, right + close) if asked else ""
    question = stepper.asking.question
    ask = walk.prompt("predict.ask", stepper.who, question) if question else ""
    head = html("<p>{}</p>", stepper.result) if stepper.guess else html("<p class=nk-note>{}</p>", ask)
    return head + score


def notes(stepper: Stepper) -> Markup:
    """The teacher's own window: the note, every line of the decision with its answer, and what comes next."""
    told = 0 if stepper.asked else len(stepper.lines)
    lines = (("nk-notes-told" * (i < told), "nk-notes-move" * (line.kind == "move"), line.ask, line.text)
             for i, line in enumerate(stepper.truth))
    room, walk, tour = stepper.asking.room, stepper.walk, stepper.tour
    come = paragraph(STEP("predict.come", n=len(room.answers()))) if stepper.asked and room else ""
    more = tour.stops[stepper.stop + 1 :] if tour else ()
    keyed = next((i for i in range(stepper.at + 1, len(stepper.row)) if stepper.row[i].keys), None)
    to_come = more[0].title if more else ""
    if not to_come and keyed is not None:
        moment = stepper.row[keyed]
        key = walk.name(moment.keys[-1])
        to_come = walk.say("mark", place=walk.place(stepper.row, keyed), turn=moment.turn, key=key)
    after = paragraph(STEP("notes.next", what=to_come)) if to_come else ""
    truth = many("<li class='{} {}'>{} {}</li>", lines)
    return html("{}<h3>{}</h3><ol>{}</ol>{}{}", stop(stepper, mine=True), stepper.who, truth, come, after)


def stop(stepper: Stepper, mine: bool = False) -> Markup:
    """Where one is in a tour; its note is the teacher's alone."""
    tour, here = stepper.tour, stepper.here
    if tour is None or here is None:
        return Markup()
    where = STEP("tour.where", n=stepper.stop + 1, of=len(tour.stops), minutes=here.minutes, tour=tour.title)
    if not stepper.at_stop:
        return html("<p class=nk-note>{}</p><p>{}</p>", where, STEP("tour.left"))
    answered = not (stepper.asked or (here.predict and stepper.untold))  # a note may tell the answer
    shown_now = mine or (stepper.sees == ME and answered)
    note = html("<p class=nk-step-teacher>{}</p>", here.note) if shown_now else ""
    return html("<p class=nk-note>{}</p><h3>{}</h3>{}", where, here.title, note)


def ended(stepper: Stepper) -> Markup:
    """How the match ended."""
    ending = stepper.walk.ending(stepper.show.game, stepper.row)
    return html("<h3>{}</h3>{}", ending.head, many("<p>{}</p>", ending.lines)) if ending else Markup()


def headline(stepper: Stepper) -> Markup:
    """Who decides, and what: for a person what a machine player would, and what was played."""
    walk, told = stepper.walk, stepper.decided
    if not stepper.who:
        key = "headline.after" if stepper.stepping_on else "headline.over" if stepper.at_end else "headline.nobody"
        return html("<p class=nk-note>{}</p>", walk.say(key))
    name, more = walk.titled(stepper.sight)
    about = html(" <span class=nk-note>{}</span>", more)
    said = [walk.say("headline.asks")]
    if stepper.thinking:
        captain = stepper.supposed.captain or stepper.moment.captain
        said = [walk.say("thinking", captain=walk.called(stepper.show.game, captain))]
    elif told is not None and not (stepper.asked or stepper.untold):
        said = list(walk.summed(told, stepper.row, stepper.at))
    return html("<h3>{}{}</h3>{}", name, about, many("<p>{}</p>", said))


def changes(rows: Sequence[Difference]) -> Markup:
    """A what-if as a table: each field as it is, and as it would be."""
    if not rows:
        return html("<p class=nk-note>{}</p>", STEP("what-if.none"))
    body = many(
        "<tr{}><th scope=row>{}{}</th><td>{}</td><td>{}</td></tr>",
        ((" class=nk-step-changed" * row.changed, "≠ " * row.changed, row.field, row.before, row.after)
         for row in rows),
    )
    head = many("<th scope=col>{}</th>", STEP("what-if.head").split("|"))
    form = "<div class=nk-table><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>"
    return html(form, head, body)


def table(data: Table) -> Markup:
    """A table of the rules, with the rows and the cell that apply now marked."""
    heads = many("<th scope=col>{}</th>", ("", *data.head))
    sign = html("<b aria-label='{}'>▶</b>", STEP("table.fired"))

    def cell(row: int, column: int, text: str) -> str:
        return html("<b class=nk-step-cell>{}</b>", text) if data.cell == (row, column) else text

    rows = ((n in data.fired, [cell(n, column, text) for column, text in enumerate(row)])
            for n, row in enumerate(data.rows))
    body = many(
        "<tr{}><td>{}</td>{}</tr>",
        ((" class=nk-step-fired" * fired, sign * fired, many("<td>{}</td>", cells)) for fired, cells in rows),
    )
    form = (
        "<div class=nk-table><h3>{} <span class=nk-step-origin>{}</span></h3>"
        "<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>{}"
    )
    return html(form, data.title, data.origin, heads, body, html("<p class=nk-note>{}</p>", data.note))


def log(events: Sequence[Event], rules: Mapping[str, Rule]) -> Markup:
    """Events as lines, each with its rule's id, which unfolds the rule's text."""
    lines = many(
        "<li>{} <details class=nk-step-rule-text><summary>{}</summary><p>{}</p></details></li>",
        ((event.text, event.rule, rules[event.rule].text) for event in events),
    )
    return html("<ol class=nk-lines>{}</ol>", lines) or html("<p class=nk-note>{}</p>", STEP("log.none"))
