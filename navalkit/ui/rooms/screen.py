"""The class's screen: what it shows, as data, and the widget that shows it. No control is on it but the keyboard's.

What it shows while a question is open is made of the question alone: never of the answer, nor of what others answered.
"""

from __future__ import annotations
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib import resources
from typing import Any

import segno
import traitlets

from navalkit.rooms.classroom import points
from navalkit.rooms.store import Seat
from navalkit.view.page import Question, Result
from navalkit.view.painters import svg
from navalkit.view.scene import Cell, Flat, Piece, Point, Scene, Shape, Text
from ..widgets import Scripted
from . import ROOM

READY, DOOR, BOARD, BLANK = "ready", "door", "board", "blank"
"""What the class sees: a blank sea before its way in is open, the way in, the board and the question, a blank sea."""
BAR, LEAST = 84.0, 20.0
"""Pixels of the bar on top, and of the least type, at 1280 x 800."""
SMALLEST = 12.0
"""Pixels of the least type on a board that is painted for it."""
BESIDE, BELOW = 412.0, 168.0
"""Pixels that the column and the sentence at the foot take, with what is kept free about them."""
MOST_ENLARGED = 18.0
"""Pixels of the largest type to which a board's type is enlarged."""
WIDE, LARGER = 1800.0, 1.4
"""Pixels from which on everything is larger, and by how much."""
NAMED = 8
"""Names that are shown as they come aboard."""
MOST_ROWS, MOST_LONG, LONG = 12, 8, 6
"""Answers of the histogram, and of one with labels longer than that many characters; what more there are is counted
in the last row."""
MOST_FLOWS = 5
FINE = 2
"""Characters of what is printed on a piece itself, such as a ship's type."""
GLANCE = 160
"""Characters of a rule that are read at a glance."""

_STATIC = resources.files("navalkit.serve").joinpath("static")


class Screen(Scripted):
    """The class's screen over the whole window; what else the page has is taken out of its document meanwhile.

    ``pressed`` is called with an order, what it is about and where the class was seen to stand, ``sized`` with the
    width and height of the window in px, ``left`` when the person at the keyboard asks for the page again.
    """

    _esm = _STATIC.joinpath("screen.js").read_text("utf-8")
    _css = _STATIC.joinpath("screen.css").read_text("utf-8")
    view: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    board: traitlets.Dict[str, Any] = traitlets.Dict().tag(sync=True)
    active = traitlets.Bool(False).tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self.pressed: Callable[[str, str, str], None] = lambda order, what, stand: None
        self.sized: Callable[[float, float], None] = lambda width, height: None
        self.left: Callable[[], None] = lambda: None
        self.hear(
            press=lambda told: self.pressed(*(str(told.get(name, "")) for name in ("order", "what", "stand"))),
            size=lambda told: self.sized(float(told["width"]), float(told["height"])),
            leave=lambda told: self.left(),
        )


def room_of(width: float, height: float) -> tuple[float, float, float]:
    """The room for the board in a window, in the units of a board, and by how much those are enlarged: width, height,
    scale. ``width``, ``height``: px."""
    larger = _larger(width)
    scale = larger * LEAST / SMALLEST
    return width / scale, (height - BAR * larger) / scale, scale


def legible(scene: Scene, least: float = SMALLEST) -> Scene:
    """The same board with no type smaller than ``least``: fine print on a piece itself is left out, as it would cover
    the piece."""

    def flat(shape: Flat) -> Flat:
        return replace(shape, size=least) if isinstance(shape, Text) and shape.size < least else shape

    def larger(shape: Shape) -> Shape:
        if not isinstance(shape, Piece):
            return flat(shape)
        inside = [each for each in shape.shapes
                  if not (isinstance(each, Text) and each.size < least and len(each.text) <= FINE)]
        return replace(shape, shapes=tuple(map(flat, inside)))

    return replace(scene, layers=tuple(replace(each, shapes=tuple(map(larger, each.shapes))) for each in scene.layers))


@dataclass(frozen=True, eq=False)
class Sea:
    """A board for the screen: where on it the answers lie, and the way that was taken."""

    scene: Scene
    cells: Mapping[str, Cell] = field(default_factory=dict)
    way: Sequence[Point] = ()
    """Where the decision leads."""
    whole: bool = False
    """Whether it fills the window to every edge."""


def part_of(width: float, height: float) -> tuple[float, float]:
    """What the column and the foot leave to a board that does not fill its window, px."""
    larger = _larger(width)
    return width - BESIDE * larger, height - (BAR + BELOW) * larger


def _larger(width: float) -> float:
    return LARGER if width >= WIDE else 1.0


def painted(sea: Sea, theme: str, window: tuple[float, float]) -> dict[str, Any]:
    """A board as the screen shows it in a window of that size, px: one that has a part of it with its type enlarged."""
    wide, high = part_of(*window)
    scale = min(wide / sea.scene.width, high / sea.scene.height)
    least = LEAST * _larger(window[0]) / scale
    drawn = legible(sea.scene, SMALLEST if sea.whole else min(least, MOST_ENLARGED))
    alt = " ".join(filter(None, (drawn.title, drawn.desc)))
    return {"svg": svg(drawn, theme), "width": drawn.width, "height": drawn.height, "alt": alt}


@lru_cache(maxsize=8)
def code_picture(url: str) -> str:
    """An address as a picture that phones read."""
    return str(segno.make(url, error="m").svg_data_uri(scale=4, border=2))


def spaced(code: str) -> str:
    """A code as it is read aloud: in two groups."""
    half = (len(code) + 1) // 2
    return f"{code[:half]} {code[half:]}"


def way_in(code: str, url: str, seats: Sequence[Seat]) -> dict[str, Any]:
    """The way in: a picture, the code, the address, who has come aboard, the latest first."""
    names = [seat.name for seat in reversed(seats)]
    more = ROOM("screen.more", n=len(names) - NAMED) if len(names) > NAMED else ""
    return {
        "code": spaced(code), "qr": code_picture(f"{url}/{code}"), "address": url.removeprefix("http://"),
        "joined": ROOM("screen.joined", n=len(seats)), "names": names[:NAMED], "more": more,
        "picture": ROOM("door.picture", url=f"{url}/{code}"),
    }  # fmt: skip


def places(sea: Sea | None, question: Question) -> list[list[str]]:
    """The cells of all answers alike: id and outline, in the board's units."""
    wanted = [choice.id for choice in question.choices] if sea else []
    return [[id, points(sea.cells[id].outline)] for id in wanted if sea and id in sea.cells]


def rows(question: Question, result: Result, votes: Mapping[str, int], before: Mapping[str, int]) -> list[list[Any]]:
    """The answers as rows, in one order for both rounds: the right ones first, chosen or not, then by how many chose
    them, then as they were asked: id, label, how many, how many before, whether right."""
    labels = {choice.id: choice.label for choice in question.choices}
    order = {id: number for number, id in enumerate(labels)}
    given = {**dict.fromkeys(result.right), **dict.fromkeys(votes), **dict.fromkeys(before)}
    ranked = sorted(given, key=lambda id: (id not in result.right, -votes.get(id, 0), -before.get(id, 0),
                                           order.get(id, len(order)), id))
    made: list[list[Any]] = [
        [id, labels.get(id, id), votes.get(id, 0), before.get(id, 0), id in result.right] for id in ranked
    ]
    most = MOST_LONG if any(len(row[1]) > LONG for row in made) else MOST_ROWS
    if len(made) > most:
        rest = made[most - 1 :]
        counted = [sum(row[at] for row in rest) for at in (2, 3)]
        made[most - 1 :] = [["", ROOM("screen.others", n=len(rest)), *counted, False]]
    return made


def flows(question: Question, flow: Mapping[tuple[str, str], int]) -> list[str]:
    """Who changed their answer, the most first: from one answer to another, and how many."""
    labels = {choice.id: choice.label for choice in question.choices}
    moved = [(n, one, other) for (one, other), n in flow.items() if one != other]
    moved.sort(key=lambda each: (-each[0], each[1], each[2]))
    return [ROOM("screen.flow", n=n, one=labels.get(one, one), other=labels.get(other, other))
            for n, one, other in moved[:MOST_FLOWS]]


def missed(result: Result, votes: Mapping[str, int], labels: Mapping[str, str]) -> str:
    """Why the commonest wrong answer fails; "" if nobody was wrong, or nothing is known of it."""
    wrong = Counter({id: n for id, n in votes.items() if id not in result.right and id in (result.notes or {})})
    for id, n in wrong.most_common(1):
        note = (result.notes or {})[id]
        why = ". ".join(filter(None, (note.slip, note.text))).rstrip(".")
        return ROOM("screen.missed", n=n, answer=labels.get(id, id), why=why) if why else ""
    return ""


def rule_of(result: Result, votes: Mapping[str, int]) -> str:
    """The rules that decide, and that the commonest wrong answer runs into."""
    notes = result.notes or {}
    wrong = Counter({id: n for id, n in votes.items() if id not in result.right and id in notes}).most_common(1)
    rules = dict.fromkeys(filter(None, (result.rule, *(notes[id].rule for id, _ in wrong))))
    return ROOM("screen.rule" if len(rules) == 1 else "screen.rules", rules=", ".join(rules)) if rules else ""


def brief(text: str, told: str = "") -> str:
    """The first sentences of a rule, as many as can be read at a glance. ``told``: what the rule says here: a sentence
    that has the number it comes to at its end, as a row of a table has, is among them; numbers of hexes are none."""
    kept, sentences = "", re.split(r"(?<=[.!?]) +", text)
    words, said = [set(re.findall(r"\w+", each.lower())) for each in sentences], re.findall(r"\w+", told.lower())
    ends = re.findall(r"\b\d+(?=[,.;:]|$)", told)
    numbered = ([n for n, each in enumerate(words) if number in each] for number in reversed(ends))
    rows = next(filter(None, numbered), [])
    row = sentences[max(rows, key=lambda n: len(words[n].intersection(said)))] if rows else ""
    for sentence in sentences:
        if kept and len(kept) + len(sentence) > GLANCE:
            break
        kept = f"{kept} {sentence}".strip()
    return kept if row in kept else f"{sentences[0]} … {row}"


def counted(result: Result, votes: Mapping[str, int], labels: Mapping[str, str]) -> str:
    """What was right, and how many saw it."""
    right = ", ".join(labels.get(id, id) for id in result.right)
    good, of = sum(votes.get(id, 0) for id in result.right), sum(votes.values())
    if not right:
        return ROOM("screen.thought", n=of)
    return ROOM("screen.right" if of else "screen.right.none", answer=right, n=good, of=of)


def planned(parts: Sequence[tuple[str, float]], at: int, minutes: int) -> list[list[Any]]:
    """The plan of a lesson of that many minutes: title, the minute by which each part is to be over, and whether it is
    on. ``parts``: each with the minutes that it takes by itself. ``at``: the number of the one that is on.

    >>> planned([("first", 2), ("second", 6)], 1, 20)
    [['first', 5.0, False], ['second', 20.0, True]]
    """
    whole, used, found = sum(each for _, each in parts) or 1.0, 0.0, []
    for number, (title, takes) in enumerate(parts):
        used += takes
        found.append([title, round(minutes * used / whole, 1), number == at])
    return found
