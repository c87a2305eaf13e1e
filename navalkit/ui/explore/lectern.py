"""The explorer before a class: one picture, one number, its columns, and four sliders to be read from the back row.

The browser moves a slider's thumb and its words at once; the picture follows as soon as Python has heard of it, and the
number when it is calculated.
"""

from __future__ import annotations
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import traitlets

from navalkit.core.words import in_words
from navalkit.explore import Answer, ask, picture
from navalkit.explore.ask import amount, estimate, inline, trials
from navalkit.explore.picture import Room
from navalkit.explore.question import SAY, Choice, Control, Marks, Question, Whole
from navalkit.view.painters import svg
from ..widgets import Scripted
from .html import Pinned

SLIDERS = 4
"""Sliders under the picture; the rest is in the drawer."""
MOST = 101
"""Values of a slider."""
_ROOMS: Mapping[str, Room] = {"picture": (917.0, 298.0), "columns": (1240.0, 240.0), "guesses": (300.0, 110.0)}


def front(question: Question) -> tuple[Control, ...]:
    """The controls that a class sees as sliders: numbers first, then choices in an order, then the others."""
    fit = [each for each in question.controls if not isinstance(each, Marks) and 1 < len(each.values()) <= MOST]
    ranked = sorted(fit, key=lambda each: 0 if isinstance(each, Whole) else
                    1 if isinstance(each, Choice) and each.ordered else 2)
    return tuple(ranked[:SLIDERS])


def first_axes(question: Question) -> tuple[str, str]:
    """What a map has across and down at first: the question's own control, and the first of the others."""
    sliders = [each.name for each in front(question)]
    across = question.inverse if question.inverse in sliders else sliders[0]
    return across, next(each for each in sliders if each != across)


@dataclass(frozen=True)
class Guessing:
    """Where a class stands that guesses. ``come``: how many have; ``of``: how many phones there are. ``guesses``: once
    they are shown, in percent."""

    come: int
    of: int
    guesses: Sequence[int] | None = None


@dataclass(frozen=True)
class Stand:
    """What a class is shown: the question and its settings, the answer (None while it is calculated), what is pinned,
    the sliders that change nothing, the code of the room, and the guessing if there is any."""

    question: Question
    settings: dict[str, Any]
    answer: Answer | None
    pinned: Sequence[Pinned] = ()
    idle: Iterable[str] = ()
    code: str = ""
    guessing: Guessing | None = None
    wrong: str = ""
    """Why there is no answer, in a sentence."""
    still: bool = False
    """Whether the sliders are for somebody else to move."""
    veiled: bool = False
    """Whether the answer is kept from a class that is still to be asked."""
    refused: str = ""
    """Why the last press did nothing, in a sentence."""

    @property
    def hidden(self) -> bool:
        """Whether nothing that is seen may tell the answer."""
        return self.veiled or self.asked

    @property
    def asked(self) -> bool:
        """Whether a class is guessing."""
        return self.guessing is not None and self.guessing.guesses is None


class Lectern(Scripted):
    """The picture, the number, the columns and the sliders. ``moved`` is called with a control's name and its new
    value."""

    _esm = Path(__file__).with_name("lectern.js")
    told = traitlets.Dict().tag(sync=True)
    """The words: title, code, head, big, sub, refused, lines, late."""
    picture = traitlets.Unicode().tag(sync=True)
    columns = traitlets.Unicode().tag(sync=True)
    guesses = traitlets.Unicode().tag(sync=True)
    sliders: traitlets.List[Any] = traitlets.List().tag(sync=True)

    def __init__(self, moved: Callable[[str, Any], None]) -> None:
        super().__init__()
        self._moved, self._theme = moved, "light"
        self._stand: Stand | None = None
        self._hid = False  # whether what is drawn tells nothing
        self._rooms = dict(_ROOMS)
        self.hear(slide=self._slid, room=self._measured)

    def show(self, stand: Stand, theme: str) -> None:
        """Show where things stand; while a new answer is calculated the columns and the number of the last one stay,
        pale, unless they are to be hidden from now on."""
        self._stand, self._theme = stand, theme
        question, answer = stand.question, None if stand.hidden else stand.answer
        fresh = stand.answer is not None or bool(stand.wrong) or (stand.hidden and not self._hid)
        self._hid = stand.hidden if fresh else self._hid
        with self.hold_sync():
            self.sliders = [_slider(each, stand) for each in front(question)]
            made = question.picture and question.picture(stand.settings, answer, self._rooms["picture"])
            self.picture = svg(made, theme, background=False) if made else ""
            self.told = {**self._words(stand), "late": not fresh, "refused": stand.refused}
            if stand.answer is not None:
                plot = picture.shown_plot(stand.answer.plots)
                beside = [picture.beside(plot, picture.shown_plot(each.answer.plots)) for each in stand.pinned]
                drawn = picture.columns(plot, self._rooms["columns"], () if stand.hidden else beside, stand.hidden)
                self.columns = svg(drawn, theme, background=False)
            elif fresh:
                self.columns = ""
            self.guesses = self._dots(stand)

    def _dots(self, stand: Stand) -> str:
        guessing = stand.guessing
        if guessing is None or not guessing.guesses or stand.answer is None:
            return ""
        drawn = picture.guessed(guessing.guesses, float(stand.answer.value), self._rooms["guesses"],
                                picture.type_size(self._rooms["picture"]) - 2)
        return svg(drawn, self._theme, background=False)

    def _words(self, stand: Stand) -> dict[str, Any]:
        question, answer, guessing = stand.question, stand.answer, stand.guessing
        told: dict[str, Any] = {"title": question.title, "code": f"{stand.code[:3]} {stand.code[3:]}".strip(),
                                "head": "", "big": "…", "sub": "", "lines": [], "waits": SAY("waiting")}
        if stand.wrong:
            return told | {"big": "–", "sub": stand.wrong}
        if answer is None:
            return told | ({"big": "?"} if stand.hidden else {})
        told["head"] = question.say("short", **answer.facts) or answer.said
        if stand.hidden:
            come = SAY("guess.come", n=guessing.come, of=guessing.of) if guessing is not None else ""
            return told | {"big": "?", "sub": come}
        unit = answer.unit
        told["big"] = estimate(float(answer.value), answer.error, unit) if answer.n else amount(answer.value, unit)
        told["sub"] = trials(answer.n) if answer.n else "" if unit else in_words(ask.chance(answer.value))
        if guessing is not None and guessing.guesses:
            told["sub"] = SAY("guess.middle", middle=middle(guessing.guesses))
        told["lines"] = [
            {"n": n, "value": amount(each.answer.value, each.answer.unit), "said": _apart(each, stand.settings)}
            for n, each in enumerate(stand.pinned)
        ]
        return told

    def _slid(self, message: dict[str, Any]) -> None:
        if self._stand is None:
            return
        control = next((each for each in front(self._stand.question) if each.name == message.get("name")), None)
        index = message.get("index")
        if control is not None and isinstance(index, int) and 0 <= index < len(control.values()):
            self._moved(control.name, control.values()[index])

    def _measured(self, message: dict[str, Any]) -> None:
        """The browser has said how large its places are; as large as any screen at most."""
        for name in _ROOMS:
            wide, high = (float(value) for value in message.get(name) or (0, 0))
            if 40 < wide < 8000 and 40 < high < 8000:
                self._rooms[name] = round(wide), round(high)
        if self._stand is not None:
            self.show(self._stand, self._theme)


def _apart(pinned: Pinned, settings: Mapping[str, Any]) -> str:
    """In what pinned settings differ, in few words: a value whose unit is its own goes without its name."""
    controls = pinned.question.controls
    units = Counter(control.say("unit") for control in controls)
    return "; ".join(
        control.shown(value) if (unit := control.say("unit")) and units[unit] == 1
        else f"{inline(control.label)} {control.shown(value)}"
        for control in controls if (value := pinned.settings[control.name]) != settings[control.name]
    )


def middle(guesses: Sequence[int]) -> int:
    """The middle guess, of two the mean, halves up."""
    ranked, n = sorted(guesses), len(guesses)
    return (ranked[(n - 1) // 2] + ranked[n // 2] + 1) // 2


def _slider(control: Control, stand: Stand) -> dict[str, Any]:
    values = list(control.values())
    note = SAY("idle") if control.name in stand.idle and not stand.hidden else ""
    return {"name": control.name, "label": control.label, "index": values.index(stand.settings[control.name]),
            "values": [control.shown(each) for each in values], "note": note,
            "locked": stand.asked or stand.still}
