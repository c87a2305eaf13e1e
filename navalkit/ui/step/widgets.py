"""The stepper's own widgets: the lines of a decision, the key moments over the slider, and the bar to step with."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import traitlets

from ..widgets import Dropdown, IntSlider, Scripted
from ..widgets.playback import SPEEDS, Playback
from ..widgets.spoken import Heard, KeyButton, box, classed
from .model import StepModel
from .say import STEP
from .told.glossary import TERMS, entry, terms
from .told.telling import ME, UNITS

HERE = Path(__file__)


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

    def __init__(self) -> None:
        super().__init__()
        self.picked: Callable[[int, int | None], None] = lambda line, part: None
        self.theme = "light"
        self.hear(line=self._picked, term=self._unfold)

    def show(self, model: StepModel, rules: Callable[[str], str]) -> None:
        """Show the lines told so far; ``rules`` gives the text of a rule id."""
        rows = [
            {
                "kind": x.kind, "rule": x.rule, "ask": x.ask, "text": x.text, "title": rules(x.rule),
                "terms": list(map(list, terms(f"{x.ask} {x.text}"))),
                "parts": [[part.ask, part.text] for part in x.parts],
                "opens": STEP("line.opens", n=len(x.parts)), "unfold": STEP("line.rule", rule=x.rule),
            }
            for x in model.lines
        ]  # fmt: skip
        told, all_lines = len(rows), model.all_lines
        with self.hold_sync():
            self.rows = rows
            self.lit = -1 if model.lit is None else model.lit
            self.part = -1 if model.part is None else model.part
            shown = told if model.lit is None else model.lit + 1
            self.count = STEP("line.count", who=model.who, n=shown, of=len(all_lines)) if all_lines else ""
            mine = self.one and model.sees == ME  # the teacher knows the answer before the class
            key = "line.next.answered" if mine else "line.next"
            left = all_lines[told:-1]
            self.next = STEP(key, ask=left[0].ask, text=left[0].text) if left else ""
            known = mine or told == len(all_lines)
            self.mine = mine
            move = all_lines[-1].text if all_lines and known else STEP("line.hidden")
            self.so = f"{STEP('line.move')} {move}" if all_lines or model.asked else ""

    def _picked(self, told: dict[str, Any]) -> None:
        part = told.get("part")
        self.picked(int(told["line"]), None if part is None else int(part))

    def _unfold(self, told: dict[str, Any]) -> None:
        if (term := told.get("term")) in TERMS:
            self.entries = self.entries | {term: entry(term, self.theme)}


class Track(Scripted):
    """The key moments of a hunt, and the keys that step.

    ``look`` is called with the index of a moment that was clicked. ``pressed`` is called with what a key asks for:
    "forward", "back", "play", "first", "last", "up", "down" or "eyes". ``sized`` is called with width and height of the
    board's room in front of a class, in px. ``noted`` is called when the teacher opens a window of their own.
    """

    _esm = HERE.with_name("track.js")
    _css = HERE.with_name("step.css")
    marks: traitlets.List[Any] = traitlets.List().tag(sync=True)
    single = traitlets.Bool(False).tag(sync=True)
    """Whether all kinds of moments share one lane, in front of a class."""
    at = traitlets.Int().tag(sync=True)
    last = traitlets.Int().tag(sync=True)
    notes = traitlets.Unicode().tag(sync=True)
    """What stands in the teacher's own window, once it is open."""

    def __init__(self) -> None:
        super().__init__()
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


class StepBar(Playback):
    """Back, on, play, what to step by, first and last; and beside the bar a slider over all moments, and a speed.

    ``forward``, ``back``, ``first`` and ``last`` are called without arguments. ``look`` is called with the index of a
    moment. ``step_by`` is called with the unit chosen.
    """

    def __init__(
        self,
        *,
        forward: Callable[..., None],
        back: Callable[..., None],
        first: Callable[..., None],
        last: Callable[..., None],
        look: Callable[[int], None],
        step_by: Callable[[str], None],
    ) -> None:
        self._forward, self._heard, self._at_end = forward, Heard(), False
        super().__init__()
        self.speed.value = SPEEDS["slow"]
        self.start = KeyButton("bar.start", lambda _: self.by_hand(first), "nk-step-glyph", words=STEP)
        self.back = KeyButton("bar.back", lambda _: self.by_hand(back), words=STEP)
        self.on = KeyButton("bar.on", lambda _: self.by_hand(forward), words=STEP)
        self.on.button_style = "primary"
        self.end = KeyButton("bar.end", lambda _: self.by_hand(last), "nk-step-glyph", words=STEP)
        units = [(STEP("bar.unit", unit=unit), unit) for unit in UNITS]
        self.unit = classed(Dropdown(options=units, value="escort", tooltip=STEP("bar.unit.help")), "nk-step-unit")
        self._heard.value(self.unit, step_by)
        self.slider = classed(IntSlider(0, 0, 0, description=STEP("bar.moment"), readout=False), "nk-step-slider")
        self._heard.value(self.slider, lambda at: self.by_hand(partial(look, at)))
        self.widget = box("nk-step-bar", self.back, self.on, self.play, self.unit, self.start, self.end)

    def show(self, at: int, last: int, unit: str, at_start: bool, at_end: bool) -> None:
        """Show where one is, without stepping there."""
        self._at_end = at_end
        with self._heard.quietly():
            self.slider.max, self.slider.value, self.unit.value = last, at, unit
        self.back.disabled = self.start.disabled = at_start
        self.on.disabled = self.end.disabled = at_end
        self.play.disabled = at_end and not self.playing
        if at_end:
            self.stop()

    @property
    def at_end(self) -> bool:
        return self._at_end

    def step(self) -> None:
        self._forward()
