"""Answers on a page of Voila, where nobody can write into a cell: a box to type into, or buttons to choose from."""

from __future__ import annotations

from typing import Any

from navalkit.teach.desk.checking import Verdict, check
from navalkit.teach.exercises.exercise import Exercise
from navalkit.teach.exercises.kinds import Choice, Function
from navalkit.teach.say import SAY as TEACH

from . import HTML, Box, Button, Text, VBox

_BUTTONS = 6
"""With more choices than these the answer is typed."""


class AnswerBox:
    """What stands on a page under the question of an exercise. ``said``: what came of the last answer."""

    def __init__(self, question: Exercise) -> None:
        self.id, self.said = question.id, HTML()
        kind = question.kind
        self.cases: tuple[tuple[Any, ...], ...] = kind.cases if isinstance(kind, Function) else ()
        self.fields: list[Text] = []
        self.buttons: list[Button] = []
        if isinstance(kind, Choice) and 0 < len(kind.choices) <= _BUTTONS:
            self.buttons = [_button(choice, self._chosen) for choice in kind.choices]
            rows = [VBox(self.buttons)]
        else:
            calls = [f"({', '.join(map(str, case))})" for case in self.cases] or [""]
            self.fields = [_field(call) for call in calls]
            self.buttons = [_button(TEACH("page.check"), self._typed)]
            if not self.cases:  # of many, one that is mended is no try before the rest is
                self.fields[0].observe(self._typed, "value")
            rows = [*self.fields, *self.buttons] if self.cases else [Box([*self.fields, *self.buttons])]
        note = [HTML(f"<p>{TEACH('page.cases')}</p>")] if self.cases else []
        self.widget = VBox([*note, *rows, self.said])
        self.widget.add_class("nk-answer")
        if self.cases:
            self.widget.add_class("nk-answer-cases")

    def _chosen(self, pressed: Button) -> None:
        for each in self.buttons:
            each.button_style = "primary" if each is pressed else ""
        self._tell(check(self.id, pressed.description))

    def _typed(self, _pressed: Any) -> None:
        typed = [each.value.strip() or None for each in self.fields]
        if not self.cases:
            self._tell(check(self.id, typed[0]))
            return
        given = dict(zip(self.cases, typed, strict=True))
        self._tell(check(self.id, (lambda *case: given[case]) if all(typed) else None))

    def _tell(self, verdict: Verdict) -> None:
        self.said.value = verdict._repr_html_()


def _field(call: str) -> Text:
    style = {"description_width": "initial"}
    made = Text(description=call, placeholder=TEACH("page.answer"), continuous_update=False, style=style)
    made.tooltip = TEACH("page.answer_to", call=call) if call else TEACH("page.answer")
    return made


def _button(text: str, call: Any) -> Button:
    made = Button(description=text)
    made.on_click(call)
    return made
