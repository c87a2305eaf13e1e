"""Lessons for a projector and for paper: slides and worksheets with a key, from the very notebook that students get."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from html import escape
from importlib import resources
from math import isclose
from typing import Any

from navalkit.core.errors import DataError, OptionError

from ..exercises import book
from ..exercises.exercise import Exercise
from ..exercises.kinds import Choice, Function
from ..exercises.reference import Computed
from ..say import SAY
from .cuts import checked, sections, source, tags

_ASK = re.compile(r'ask\("([^"]+)"\)')
_HEADING = re.compile("<h[1-3]>(.*?)</h[1-3]>")
_LEFT_OUT = {"setup", "who", "begin", "hand-in", "report", "further"}
PRINT = "print"
"""The tag of a cell whose picture is handed out on paper, whether it belongs to an exercise or not."""
_LONGEST = 10**9
"""Denominators from here on are nothing to write down."""
_WHOLE = 10**4
"""Numbers from here on have no decimals."""
_PICTURE = "<img"
_LINES = 3
"""Lines to write an answer on."""
_OPEN_LINES = 10

Cell = dict[str, Any]


def answer(question: Exercise) -> str:
    """The answer of an exercise, as a teacher writes it down; of a sealed one the choice that fits, if it has any."""
    if not isinstance(question.reference, Computed):
        choices = question.kind.choices if isinstance(question.kind, Choice) else ()
        return next((each for each in choices if question.reference.right(each)), SAY("print.sealed"))
    value = question.reference.value
    if isinstance(question.kind, Function):
        pairs = zip(question.kind.cases, value, strict=True)
        return "; ".join(f"({', '.join(map(str, case))}) → {said(each)}" for case, each in pairs)
    return said(value)


def said(value: Any) -> str:
    """A value as a teacher writes it down: a fraction with its decimal, four figures of a number."""
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(map(said, value))
    if isinstance(value, Fraction) and 1 < value.denominator < _LONGEST:
        return f"{value} {_rounded(value)}"
    return _rounded(value).removeprefix("= ") if isinstance(value, float | Fraction) else str(value)


def _rounded(value: float | Fraction) -> str:
    """A number to four figures, as many as a class writes down; "=" where it is no more than these."""
    number = float(value)
    text = f"{number:.4g}" if abs(number) < _WHOLE else f"{number:.0f}"
    return f"{'=' if isclose(float(text), number, rel_tol=1e-12) else '≈'} {text}"


# Slides --------------------------------------------------------------------------------------------------------------


def slides(notebook: dict[str, Any], name: str) -> tuple[str, str]:
    """A lesson as one HTML file of slides, steered by keys, a remote or taps: (name of the file, its text)."""
    shown = (slide for section in sections(notebook) for slide in _slides(section.cells))
    body = "\n".join(f"<section>{slide}</section>" for slide in _headed(shown))
    return f"{name}.slides.html", _page("slides.html", notebook, body)


def _headed(slides: Iterable[str]) -> Iterator[str]:
    """Slides, each with a heading: what goes on after a question and its answer has the question's."""
    last = ""
    for slide in slides:
        found = _HEADING.findall(slide)
        yield slide if found or not last else f"<h2 class=nk-slides-on>{last}</h2>{slide}"
        last = found[-1] if found and "class=nk-slides-answer" not in slide else last


def _slides(cells: list[Cell]) -> Iterator[str]:
    """The slides of a section: text with what its code shows, one picture at most; each question alone, its answer on
    the next. What code shows without a text before it goes with the text after it."""
    now: list[str] = []
    for cell in cells:
        if cell["id"] in _LEFT_OUT:
            continue
        ids = checked([cell])
        if cell["cell_type"] == "markdown":
            if "solution" not in tags(cell):
                if any(not part.startswith("<pre") for part in now):
                    yield "".join(now)
                    now = []
                now.append(markdown(source(cell)))
        elif ids:
            if now:
                yield "".join(now)
            now = []
            yield from map(_answered, ids)
        elif "solution" not in tags(cell):
            asked = _ASK.search(source(cell))
            new = _question(asked[1]) if asked else _shown(cell)
            if _PICTURE in new and any(_PICTURE in part for part in now):
                yield "".join(now)
                now = []
            now.append(new)
    if now:
        yield "".join(now)


def _exercise(id: str) -> Exercise:
    try:
        return book.everything()[id]
    except KeyError:
        raise DataError(SAY("print.no_exercise", id=id)) from None


def _question(id: str, seed: str = "") -> str:
    question = _exercise(id).drawn(seed)
    text = (question.ask or question.title).strip()
    return markdown(text[:1].upper() + text[1:])


def _answered(id: str) -> str:
    question = _exercise(id)
    after = f"<p>{escape(question.after)}</p>" if question.after else ""
    head = escape(SAY("print.answer", title=question.title))
    return f"<h2>{head}</h2><p class=nk-slides-answer>{escape(answer(question))}</p>{after}"


def _shown(cell: Cell) -> str:
    """A cell of code as a class sees it: what it shows, or its code where it shows nothing."""
    parts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        html = "".join(data.get("text/html", ""))
        plain = "".join(output.get("text", data.get("text/plain", "")))
        parts.append(html or f"<pre>{escape(plain)}</pre>")
    return "".join(parts) or f"<pre>{escape(source(cell))}</pre>"


# Worksheets ----------------------------------------------------------------------------------------------------------


def worksheet(notebook: dict[str, Any], name: str, *, seed: str = "", key: bool = False) -> tuple[str, str]:
    """The exercises of a lesson on paper: (name of the file, its text). ``name``: of the lesson's folder. ``seed``:
    whose numbers; "" for the lesson's own. ``key``: whether the answers stand in the place of the lines to write on."""
    body = "".join(_sheet(notebook["cells"], seed, key))
    head = "" if key else f"<p class=nk-sheet-name>{escape(SAY('print.name'))}</p>"
    return f"{name}.{'key' if key else 'worksheet'}.html", _page("worksheet.html", notebook, head + body)


def _sheet(cells: list[Cell], seed: str, key: bool) -> Iterator[str]:
    within = False
    for cell in cells:
        words, solution = source(cell), "solution" in tags(cell)
        if cell["cell_type"] == "markdown":
            if words.startswith("#"):
                within = bool(re.search(SAY("print.exercise"), words, re.MULTILINE)) or cell["id"] == "open"
            if within and not solution:
                yield markdown(_on_paper(words))
            if cell["id"] == "open-answer":
                yield f"<div class=nk-sheet-answer>{markdown(words)}</div>" if key else _lines(_OPEN_LINES)
        elif PRINT in tags(cell):
            yield "" if key else _pictures(cell)
        elif within and (ids := checked([cell])):
            for id in ids:
                question = _exercise(id).drawn(seed)
                yield f"<p class=nk-sheet-answer>{escape(answer(question))}</p>" if key else _lines(_LINES)
        elif within and (asked := _ASK.search(words)):
            yield _question(asked[1], seed)
        elif within and not solution and cell.get("outputs"):
            yield _shown(cell)


def _pictures(cell: Cell) -> str:
    return "".join("".join(output.get("data", {}).get("text/html", "")) for output in cell.get("outputs", []))


def _on_paper(words: str) -> str:
    """A text without the paragraphs that say what to press."""
    screen = re.compile(SAY("print.screen"))
    return "\n\n".join(part for part in words.split("\n\n") if not screen.search(part))


def _lines(n: int) -> str:
    return "<div class=nk-sheet-line></div>" * n


# Both ----------------------------------------------------------------------------------------------------------------


def _page(template: str, notebook: dict[str, Any], body: str) -> str:
    frame = (resources.files(__package__) / "sheets" / template).read_text(encoding="utf-8")
    title = escape(str(notebook["metadata"].get("title", "")))
    return frame.replace("{{title}}", title).replace("{{body}}", body)


def markdown(text: str) -> str:
    """Markdown as HTML; OptionError if the library for it is missing: it comes with the pages."""
    try:
        from mistune import create_markdown
    except ImportError:
        raise OptionError(SAY("print.no_markdown")) from None
    return str(create_markdown(escape=False, plugins=["table"])(text))
