"""The stepper's panels: predictions, what a what-if changes, the tour, the ending, and a tour of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape

from navalkit.core.event import Event
from navalkit.core.language.rulebook import Rule
from navalkit.games.on_patrol.escort.whatif import KINDS, Difference
from navalkit.games.on_patrol.sea.state import MarkerKind as Kind

from ..widgets import HTML, BoundedIntText, Text, Textarea, shown
from ..widgets.spoken import box, button, classed, maker
from .model import StepModel
from .say import STEP
from .told import ending
from .told.telling import ME, PREDICT, WHAT_IF


class Panels:
    """What stands above the lines as long as it is needed."""

    def __init__(self, model: StepModel) -> None:
        made = maker(model.guard, STEP)
        self.score, self.changes, self.stop, self.end = HTML(), classed(HTML(), "nk-step-changes"), HTML(), HTML()
        self.confirm = made("predict.confirm", model.confirm)
        self.confirm.button_style = "primary"
        self.change = made("predict.change", model.change)
        self.answer = box("nk-step-buttons", self.confirm, self.change)
        self.predict = box("nk-step-predict", self.score, self.answer, column=True)
        suppose = {mode: model.guard(partial(model.suppose_mode, mode)) for mode in KINDS}
        self.modes = {
            mode: button(str(mode), _supposed(mode, kind), suppose[mode], "nk-step-mode")
            for mode, kind in KINDS.items()
        }
        turns = box(
            "nk-ask nk-step-buttons",
            made("what-if.port", lambda: model.turn_piece(-1)),
            made("what-if.starboard", lambda: model.turn_piece(1)),
            made("what-if.reset", model.reset),
        )
        head = HTML(f"<span>{escape(STEP('what-if.mode'))}</span>")
        modes = box("nk-ask nk-step-buttons", head, *self.modes.values())
        ask = HTML(f"<p class=nk-note>{escape(STEP('what-if.ask'))}</p>")
        self.what_if = box("nk-step-what-if", ask, modes, turns, self.changes, column=True)
        stops = box(
            "nk-step-buttons",
            made("tour.back", lambda: model.go_on(-1)),
            made("tour.on", lambda: model.go_on(1)),
        )
        self.tour = box("nk-step-tour", self.stop, stops, column=True)
        look = made("ending.look", lambda: model.go(ending.decisive(model.row)))
        self.ending = box("nk-step-ending", self.end, box("nk-step-buttons", look), column=True)

    def show(self, model: StepModel) -> None:
        """Bring all up to date."""
        shown(self.predict, model.mode == PREDICT and (model.asked or not model.untold))
        shown(self.answer, model.asked)
        shown(self.what_if, model.mode == WHAT_IF)
        shown(self.tour, model.tour is not None)
        shown(self.ending, model.over)
        self.score.value = predicted(model)
        self.confirm.disabled = not model.asked or not model.voter.answers()
        self.change.disabled = not model.asked or not model.answered
        self.changes.value = changes(model.differences)
        self.stop.value = stop(model)
        self.end.value = ending.told(model.show) if model.over else ""
        now = model.decision.mode if model.decision else 0
        for mode, made in self.modes.items():
            made.button_style = "primary" if mode == now else ""


class OwnTour:
    """The drawer in which a teacher puts a tour together: a title, a note and minutes for the step that is shown."""

    def __init__(self, model: StepModel, save: Callable[[], None], link: Callable[[], None]) -> None:
        self.title = Text(placeholder=STEP("tour.title.hint"), description=STEP("tour.title"))
        self.note = Textarea(placeholder=STEP("tour.note.hint"), description=STEP("tour.note"), rows=3)
        self.minutes = BoundedIntText(2, 1, 60, description=STEP("tour.minutes"))

        made = maker(model.guard, STEP)

        def add() -> None:
            model.add_stop(self.title.value, self.note.value, self.minutes.value)
            self.title.value = self.note.value = ""

        self.widget = box(
            "nk-step-own-tour", self.title, self.note, self.minutes,
            box(
                "nk-step-buttons",
                made("tour.add", add), made("tour.save", save), made("tour.link", link),
            ),
            column=True,
        )  # fmt: skip


def predicted(model: StepModel) -> str:
    """What is to be predicted, what was answered so far, and the score."""
    good, asked = model.score
    near = sum(guess.near for guess in model.guesses.values())
    count, right = STEP("predict.score", good=good, asked=asked), STEP("predict.right")
    score = f"<b>{count}</b> {right} · {STEP('predict.near', near=near)}" if asked else STEP("predict.none")
    come = len(model.voter.answers()) if model.room and model.asked else 0
    ask = STEP("predict.come", n=come) if model.room and model.asked else STEP("predict.ask")
    head = f"<p>{escape(model.result)}</p>" if model.guess else f"<p class=nk-note>{escape(ask)}</p>"
    return f"{head}<p class=nk-step-score>{score}</p>"


def notes(model: StepModel) -> str:
    """The teacher's own window: the note, every line of the decision with its answer, and what comes next."""
    told = 0 if model.asked else len(model.lines)
    lines = "".join(
        f"<li class='{'nk-notes-told' * (i < told)} {'nk-notes-move' * (line.kind == 'move')}'>"
        f"{escape(line.ask)} {escape(line.text)}</li>"
        for i, line in enumerate(model.truth)
    )
    come = f"<p>{escape(STEP('predict.come', n=len(model.voter.answers())))}</p>" if model.asked and model.room else ""
    tour = model.tour
    more = tour.stops[model.stop + 1 :] if tour else ()
    keyed = next((m for m in model.row[model.at + 1 :] if m.keys), None)
    to_come = more[0].title if more else STEP("mark", turn=keyed.turn, key=keyed.keys[-1].value) if keyed else ""
    after = f"<p>{escape(STEP('notes.next', what=to_come))}</p>" if to_come else ""
    return f"{stop(model, mine=True)}<h3>{escape(model.who)}</h3><ol>{lines}</ol>{come}{after}"


def stop(model: StepModel, mine: bool = False) -> str:
    """Where one is in a tour; its note is the teacher's alone."""
    tour, here = model.tour, model.here
    if tour is None or here is None:
        return ""
    where = STEP("tour.where", n=model.stop + 1, of=len(tour.stops), minutes=here.minutes, tour=tour.title)
    note = f"<p class=nk-step-teacher>{escape(here.note)}</p>" if mine or model.sees == ME else ""
    return f"<p class=nk-note>{escape(where)}</p><h3>{escape(here.title)}</h3>{note}"


def _supposed(mode: int, kind: Kind | None) -> str:
    key = "what-if.suppose" if kind else "what-if.suppose.none"
    return STEP(key, mode=mode, kind=kind.value if kind else "")


def changes(rows: Sequence[Difference]) -> str:
    """A what-if as a table: each field as it is, and as it would be."""
    if not rows:
        return f"<p class=nk-note>{escape(STEP('what-if.none'))}</p>"
    body = "".join(
        f"<tr{' class=nk-step-changed' * row.changed}><th scope=row>{'≠ ' * row.changed}{escape(row.field)}</th>"
        f"<td>{escape(row.before)}</td><td>{escape(row.after)}</td></tr>"
        for row in rows
        if row.changed or row.before != "none"
    )
    head = "".join(f"<th scope=col>{escape(name)}</th>" for name in STEP("what-if.head").split("|"))
    return f"<div class=nk-table><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"


def log(events: Sequence[Event], rules: Mapping[str, Rule]) -> str:
    """Events as lines, each with its rule's id, which unfolds the rule's text."""
    lines = "".join(
        f"<li>{escape(event.text)} <details class=nk-step-rule-text><summary>{escape(event.rule)}</summary>"
        f"<p>{escape(rules[event.rule].text)}</p></details></li>"
        for event in events
    )
    return f"<ol class=nk-lines>{lines}</ol>" if lines else f"<p class=nk-note>{escape(STEP('log.none'))}</p>"
