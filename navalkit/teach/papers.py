"""A lesson cut to a shorter time, or filled up to a longer one, by the tags of its cells.

A section begins at a cell tagged "cut-20", "cut-45" or "cut-90", the shortest cut that has it, and "minutes-7", how
long it takes with a class that talks. The cut of 90 minutes has the whole lesson; what time is left is a second
round with new numbers.
"""

from __future__ import annotations
import hmac
import json
import os
import re
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from errno import EINVAL
from fractions import Fraction
from importlib import resources
from math import isclose
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from navalkit.core.errors import DataError, OptionError
from navalkit.core.shown import Markup, html, many, paragraph
from .exercises import book
from .exercises.exercise import Choice, Computed, Exercise, Function
from .say import SAY, to_student

CUTS = (20, 45, 90)
"""Minutes of the cuts."""
AGAIN = 5
"""Minutes of an exercise in the second round."""
_HALF = "\\ud"
"""How JSON begins a letter in two halves."""
_TAG = re.compile(r"(cut|minutes)-([0-9]{1,2})")
_SAID = re.compile(r"[0-9]+ minutes")
_CHECK = re.compile(r'^check\("([^"]+)"', re.MULTILINE)

Notebook = dict[str, Any]


@dataclass
class Section:
    """Cells that belong together: minutes, the shortest cut that has them, and the cells."""

    minutes: int
    cut: int
    cells: list[Notebook] = field(default_factory=list)


def taken(path: Path, most: int) -> Any:
    """What a file that somebody handed in holds as JSON. OSError if it cannot be read, or is a pipe or a device, which
    may never end; ValueError if it is larger than ``most`` bytes, or no JSON."""
    with open(path, "rb", opener=_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(EINVAL, SAY("class.no_file"))
        data = file.read(most + 1)
    if len(data) > most:
        raise ValueError
    return loads(data)


def _at_once(path: str, flags: int) -> int:
    """Opens without waiting for somebody to write into a pipe; Windows has none among its files."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def loads(data: bytes) -> Any:
    """JSON from somebody else's hands, with no text in it that cannot be written out; ValueError if it is none, or its
    parts lie too deep in each other."""
    text = data.decode("utf-8")
    try:
        found = json.loads(text)
        return json.loads(writable(json.dumps(found, ensure_ascii=False))) if _HALF in text.casefold() else found
    except RecursionError:
        raise ValueError from None


def writable(text: str) -> str:
    """A text that any file takes: halves of letters, as in a broken emoji or a file's foreign name, become "?"."""
    return text.encode("utf-8", "replace").decode()


def source(cell: Notebook) -> str:
    """The text of a cell, which a file may hold as one string or as lines."""
    given = cell["source"]
    return given if isinstance(given, str) else "".join(given)


def tags(cell: Notebook) -> list[str]:
    """The tags of a cell."""
    return list(cell.get("metadata", {}).get("tags", []))


def sections(notebook: Notebook) -> list[Section]:
    """The sections of a lesson, in order; cells before the first tag are in every cut. DataError if a section lacks its
    minutes or its cut, or there is no such cut."""
    found = [Section(0, CUTS[0])]
    for cell in notebook["cells"]:
        given = {name: int(number) for name, number in (m.groups() for m in map(_TAG.fullmatch, tags(cell)) if m)}
        if given:
            if given.keys() != {"cut", "minutes"} or given["cut"] not in CUTS:
                raise DataError(SAY("cut.tags", cell=cell["id"]))
            found.append(Section(given["minutes"], given["cut"]))
        found[-1].cells.append(cell)
    return [section for section in found if section.cells]


def minutes(notebook: Notebook) -> int:
    """How long a lesson takes."""
    return sum(section.minutes for section in sections(notebook))


def checked(cells: list[Notebook]) -> list[str]:
    """The ids of the exercises that cells check, in order."""
    return [id for cell in cells if cell["cell_type"] == "code" for id in _CHECK.findall(source(cell))]


def cut(notebook: Notebook, length: int) -> Notebook:
    """The lesson for 20, 45 or 90 minutes; it says how many it really takes. OptionError if there is no such cut."""
    if length not in CUTS:
        raise OptionError(SAY("cut.unknown", cuts=", ".join(map(str, CUTS)), found=length))
    kept = [section for section in sections(notebook) if section.cut <= length]
    taken = sum(section.minutes for section in kept)
    cells = [cell for section in kept[:-1] for cell in section.cells]
    if length == CUTS[-1]:
        again = list(_second_round(checked(notebook["cells"]), (length - taken) // AGAIN))
        taken += AGAIN * sum("ask" in source(cell) for cell in again)
        cells += again
    cells = [*cells, *kept[-1].cells]
    first = cells[0]
    said = _SAID.sub(SAY("cut.minutes", n=taken), source(first), count=1)
    return notebook | {"cells": [first | {"source": said.splitlines(keepends=True)}, *cells[1:]]}


def _second_round(ids: list[str], most: int) -> Iterator[Notebook]:
    """Cells that ask the exercises with numbers of their own once more."""
    known = book.everything()
    families = [id for id in ids if id in known and known[id].family][: max(0, most)]
    if not families:
        return
    yield _cell("again", "markdown", SAY("cut.again"))
    yield _cell("again-fresh", "code", "fresh()")
    for number, id in enumerate(families, 1):
        yield _cell(f"again-ask{number}", "code", f'ask("{id}")')
        yield _cell(f"again-sol{number}", "code", f"again_{number} = ...  # {SAY('copy.your_turn')}")
        yield _cell(f"again-check{number}", "code", f'check("{id}", again_{number})')


def _cell(id: str, kind: str, text: str) -> Notebook:
    cell: Notebook = {"cell_type": kind, "id": id, "metadata": {}, "source": text.splitlines(keepends=True)}
    return cell | ({"execution_count": None, "outputs": []} if kind == "code" else {})


# -- Lessons as pages of Voila, where nobody can write into a cell, and the teacher's page of plans 

PLAN = "instructor.md"
TEACHING = "teaching"
"""The folder of lessons with their solutions and plans, which no page is served from."""
DOOR = "NAVALKIT_TEACHER"
"""The variable of the environment that opens the teachers' page: it names the folder of lessons with solutions."""
KEY = "NAVALKIT_TEACHER_KEY"
"""The variable that holds what the page's address must say, where others read pages of the same server."""


def read_only() -> bool:
    """Whether this runs for a page of Voila, which shows no cells."""
    return os.environ.get("SERVER_SOFTWARE", "").startswith("voila/")


class Plans:
    """The plans of lessons, one after the other, for a notebook or a page to show. ``texts``: by the names of the
    lessons' folders, in order."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def __repr__(self) -> str:
        return "\n\n".join(self.texts.values())

    @to_student
    def _repr_markdown_(self) -> str:
        """All plans under their list, headings one step lower, for the page has a title of its own."""
        if not self.texts:
            return SAY("door")
        links = "\n".join(  # as HTML, for a link in Markdown would open a tab of its own
            html('- <a href="#{}" target="_self">{}</a>', name, _title(text)) for name, text in self.texts.items()
        )
        steps = ((html('<a id="{}"></a>', name), re.sub(r"^#", "##", t, flags=re.M)) for name, t in self.texts.items())
        plans = map("\n\n".join, steps)
        return "\n\n".join((links, *plans))


def plans(folder: str | os.PathLike[str] = "") -> Plans:
    """The plans by the minute of all lessons in a folder, with their answers.

    A page of Voila shows them only where the server was started with ``navalkit play --teacher``; and where others can
    reach that server, only at an address with its key. So a class on the same server does not pass.

    Parameters
    ----------
    folder : path
        Of lessons; left out, the one that the open door names, or that of this checkout.

    Raises
    ------
    DataError
        If no lesson in it has a plan.
    """
    if read_only() and not _open():
        return Plans({})
    place = Path(folder or os.environ.get(DOOR, f"../../{TEACHING}"))
    found = sorted(place.glob(f"*/{PLAN}"))
    if not found:
        raise DataError(SAY("copy.no_plan", folder=place.resolve(), file=PLAN))
    return Plans({file.parent.name: file.read_text(encoding="utf-8") for file in found})


def _open() -> bool:
    """Whether this page's reader may pass the door."""
    given = parse_qs(os.environ.get("QUERY_STRING", "")).get("key", [""])[-1]
    key = os.environ.get(KEY, "")
    return DOOR in os.environ and (not key or hmac.compare_digest(given.encode(), key.encode()))


def _title(text: str) -> str:
    return text.splitlines()[0].lstrip("# ").rpartition(":")[0]


# -- Lessons for a projector and for paper: slides and worksheets with a key, from the very notebook that students get

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
        sealed, choices = question.reference, question.kind.choices if isinstance(question.kind, Choice) else ()
        return next((each for each in choices if sealed and sealed.right(each)), SAY("print.sealed"))
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


def slides(notebook: dict[str, Any], name: str) -> tuple[str, str]:
    """A lesson as one HTML file of slides, steered by keys, a remote or taps: (name of the file, its text)."""
    shown = (slide for section in sections(notebook) for slide in _slides(section.cells))
    body = html("\n").join(html("<section>{}</section>", slide) for slide in _headed(shown))
    return f"{name}.slides.html", page("slides.html", _headline(notebook), body)


def _headed(slides: Iterable[Markup]) -> Iterator[Markup]:
    """Slides, each with a heading: what goes on after a question and its answer has the question's."""
    last = Markup()
    for slide in slides:
        found = [Markup(heading) for heading in _HEADING.findall(slide)]
        yield html("<h2 class=nk-slides-on>{}</h2>", "" if found else last) + slide
        last = found[-1] if found and "class=nk-slides-answer" not in slide else last


def _slides(cells: list[Cell]) -> Iterator[Markup]:
    """The slides of a section: text with what its code shows, one picture at most; each question alone, its answer on
    the next. What code shows without a text before it goes with the text after it."""
    now: list[Markup] = []
    for cell in cells:
        if cell["id"] in _LEFT_OUT:
            continue
        ids = checked([cell])
        if cell["cell_type"] == "markdown":
            if "solution" not in tags(cell):
                if any(not part.startswith("<pre") for part in now):
                    yield many("{}", now)
                    now = []
                now.append(markdown(source(cell)))
        elif ids:
            if now:
                yield many("{}", now)
            now = []
            yield from map(_answered, ids)
        elif "solution" not in tags(cell):
            asked = _ASK.search(source(cell))
            new = _question(asked[1]) if asked else _shown(cell)
            if _PICTURE in new and any(_PICTURE in part for part in now):
                yield many("{}", now)
                now = []
            now.append(new)
    if now:
        yield many("{}", now)


def _exercise(id: str) -> Exercise:
    try:
        return book.opened(book.everything()[id])
    except KeyError:
        raise DataError(SAY("print.no_exercise", id=id)) from None


def _question(id: str, seed: str = "") -> Markup:
    question = _exercise(id).drawn(seed)
    text = (question.ask or question.title).strip()
    return markdown(text[:1].upper() + text[1:])


def _answered(id: str) -> Markup:
    question = _exercise(id)
    head, after = SAY("print.answer", title=question.title), paragraph(question.after)
    return html("<h2>{}</h2><p class=nk-slides-answer>{}</p>{}", head, answer(question), after)


def _shown(cell: Cell) -> Markup:
    """A cell of code as a class sees it: what it shows, or its code where it shows nothing."""
    parts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        plain = "".join(output.get("text", data.get("text/plain", "")))
        parts.append(Markup("".join(data.get("text/html", ""))) or many("<pre>{}</pre>", [plain]))
    return many("{}", parts) or many("<pre>{}</pre>", [source(cell)])


def worksheet(notebook: dict[str, Any], name: str, *, seed: str = "", key: bool = False) -> tuple[str, str]:
    """The exercises of a lesson on paper: (name of the file, its text). ``name``: of the lesson's folder. ``seed``:
    whose numbers; "" for the lesson's own. ``key``: whether the answers stand in the place of the lines to write on."""
    body = many("{}", _sheet(notebook["cells"], seed, key))
    head = html("<p class=nk-sheet-name>{}</p>", "" if key else SAY("print.name"))
    return f"{name}.{'key' if key else 'worksheet'}.html", page("worksheet.html", _headline(notebook), head + body)


def _sheet(cells: list[Cell], seed: str, key: bool) -> Iterator[Markup]:
    within = False
    for cell in cells:
        words, solution = source(cell), "solution" in tags(cell)
        if cell["cell_type"] == "markdown":
            if words.startswith("#"):
                within = bool(re.search(SAY("print.exercise"), words, re.MULTILINE)) or cell["id"] == "open"
            if within and not solution:
                yield markdown(_on_paper(words))
            if cell["id"] == "open-answer":
                yield html("<div class=nk-sheet-answer>{}</div>", markdown(words)) if key else _lines(_OPEN_LINES)
        elif PRINT in tags(cell):
            yield Markup() if key else _pictures(cell)
        elif within and (ids := checked([cell])):
            for id in ids:
                question = _exercise(id).drawn(seed)
                yield html("<p class=nk-sheet-answer>{}</p>", answer(question)) if key else _lines(_LINES)
        elif within and (asked := _ASK.search(words)):
            yield _question(asked[1], seed)
        elif within and not solution and cell.get("outputs"):
            yield _shown(cell)


def _pictures(cell: Cell) -> Markup:
    found = ("".join(output.get("data", {}).get("text/html", "")) for output in cell.get("outputs", []))
    return Markup("".join(found))


def _on_paper(words: str) -> str:
    """A text without the paragraphs that say what to press."""
    screen = re.compile(SAY("print.screen"))
    return "\n\n".join(part for part in words.split("\n\n") if not screen.search(part))


def _lines(n: int) -> Markup:
    return html("<div class=nk-sheet-line></div>") * n


def _headline(notebook: Notebook) -> str:
    return str(notebook["metadata"].get("title", ""))


def page(template: str, title: str, body: Markup) -> Markup:
    """A page of a template beside this module."""
    frame = Markup((resources.files(__package__) / "sheets" / template).read_text(encoding="utf-8"))
    return frame.replace("{{title}}", title).replace("{{body}}", body)


def markdown(text: str) -> Markup:
    """Markdown as HTML; OptionError if the library for it is missing: it comes with the pages."""
    try:
        from mistune import create_markdown
    except ImportError:
        raise OptionError(SAY("print.no_markdown")) from None
    return Markup(create_markdown(escape=False, plugins=["table"])(text))
