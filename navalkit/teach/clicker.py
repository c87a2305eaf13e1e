"""One question of a lesson as a class answers it: by a tap; each wrong choice is a mistake that its author expects."""

from __future__ import annotations
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from navalkit.core.errors import DataError, OptionError
from navalkit.core.files import read
from navalkit.core.match import Match
from navalkit.core.registry import load
from navalkit.core.words import Words
from .checking import judge
from .exercises import book
from .exercises.exercise import Choice, Computed, Exercise, Function, Items, Number
from .exercises.formula import Misread
from .papers import answer, checked, source, tags
from .say import SAY as LESSON

SAY = Words.load("navalkit.teach", "clickers.toml")

FEWEST = 4
"""Choices of a number at least, if it has them: fewer are too easily guessed."""
_WRITTEN_OUT = 9999
"""The largest denominator that is shown; chances with larger ones are shown as decimals, all of a question alike."""
_FIGURES = range(4, 12)
_ELSE = "else"
_FIRST = re.compile(r"[a-zA-Z0-9]")


@dataclass(frozen=True, slots=True)
class Option:
    """What can be chosen."""

    id: str
    """Within its question."""
    label: str
    slip: str = ""
    """The mistake in a few words, for the board of progress; "" if right, or no mistake in particular."""
    say: str = ""
    """What somebody who chose it is told."""


@dataclass(frozen=True, slots=True)
class Clicker:
    """A question."""

    id: str
    """"cards.1", or "cards.hook"."""
    title: str
    text: str
    """All of it, as Markdown, for the screen in front."""
    options: tuple[Option, ...]
    right: tuple[str, ...] = ()
    """Ids of the right ones; () for a vote, where none is."""
    told: str = ""
    """What is said once it is revealed."""
    family: str = ""
    """What it has in common with all that share its numbers; "" if it cannot be asked again with others."""
    look: Mapping[str, Any] = field(default_factory=dict)
    """The board it is asked about, as `navalkit.teach.clicker` describes it; empty for none."""


def clicker(question: Exercise, text: str = "", retest: int = 0) -> Clicker | None:
    """An exercise for phones, with the lesson's own numbers or those of a retest; None if a tap cannot answer it.
    ``text``: what stands before it in its lesson. ``retest``: as for `Exercise.drawn`."""
    question = question.drawn("", retest)
    kind = question.kind
    if isinstance(kind, Function) or not (isinstance(kind, Choice) or isinstance(question.reference, Computed)):
        return None
    labelled = _choices(question) if isinstance(kind, Choice) else _values(question)
    options, right = [], []
    for number, (label, value) in enumerate(labelled):
        slip, say, _ = judge(question, value)
        options.append(Option(str(number), label, slip.replace("_", " ") if slip != "other" else "", say))
        if not slip:
            right.append(str(number))
    if len(right) != 1 or len(options) < 2:
        return None
    if isinstance(kind, Number):
        options.append(Option(_ELSE, SAY("else")))
    told = " ".join(filter(None, (SAY("told", answer=_answered(question, options, right[0])), question.after)))
    whole = "\n\n".join(filter(None, (_to_tap(text), _to_tap(question.ask)))) or question.title
    return Clicker(question.id, question.title, whole, tuple(options), tuple(right), told,
                   question.family.key if question.family else "")


def _to_tap(text: str) -> str:
    """A text without the sentences on how to write an answer down."""
    return _FIRST.sub(lambda found: found[0].upper(), re.sub(SAY("typed"), "", text.strip()), count=1)


def _answered(question: Exercise, options: list[Option], right: str) -> str:
    label = options[int(right)].label
    return answer(question) if "/" in label and isinstance(question.kind, Number) else label


def _choices(question: Exercise) -> list[tuple[str, Any]]:
    assert isinstance(question.kind, Choice)
    return [(choice, choice) for choice in question.kind.choices]


def _values(question: Exercise) -> list[tuple[str, Any]]:
    """The right value and the wrong ones with their labels: numbers by size, else in an order that tells nothing."""
    kind, values = question.kind, list[Any]()
    for value in _mistaken(question):
        if not any(kind.same(value, other) for other in values):
            values.append(value)
    if isinstance(kind, Items):
        labels = [" ".join(map(str, value)).upper() for value in values]
        return sorted(zip(labels, values, strict=True),
                      key=lambda each: sha256(f"{question.id} {each[0]}".encode()).digest())
    values.sort()
    return list(zip(_figures(values), values, strict=True))


def _mistaken(question: Exercise) -> Iterator[Any]:
    """The right value, those of its expected mistakes, and as many common ones as it takes to have `FEWEST`."""
    kind = question.kind
    assert isinstance(question.reference, Computed)
    right = kind.read(question.reference.value)
    yield right
    found = 1
    for mistake in question.mistakes:
        try:
            value = mistake.value
        except (DataError, Misread):  # with these numbers there is no such mistake
            continue
        beyond = isinstance(kind, Number) and kind.name == "probability" and not 0 <= value <= 1  # gives itself away
        if not beyond and not kind.same(value, question.reference.value):
            found += 1
            yield value
    if isinstance(kind, Number):
        ways = {"whole": (right + 1, right - 1, right * 2), "probability": (1 - right, right / 2, right / 4)}
        yield from ways.get(kind.name, (right * 2, right / 2, right / 4))[: max(0, FEWEST - found)]


def _figures(values: list[Any]) -> list[str]:
    """Numbers as they are read, all of one form, so that the form tells nothing; fractions only where all are short."""
    exact = all(isinstance(value, int | Fraction) and Fraction(value).denominator <= _WRITTEN_OUT for value in values)
    if exact:
        return [f"{int(value):,}" if value == int(value) else str(value) for value in map(Fraction, values)]
    for figures in _FIGURES:
        short = Context(prec=figures)
        labels = [f"{short.plus(Decimal(float(value))):,f}" for value in values]
        if len(set(labels)) == len(labels):
            break
    return labels


# -- What a lesson opens with, as a vote on phones: hooks.toml has them. A board is a position of a game after orders

HOOKS: Mapping[str, list[dict[str, Any]]] = read("navalkit.teach", "hooks.toml")
"""Word of a lesson -> its hooks: title, text, choices, and perhaps right, told and look."""


def hooks(lesson: str) -> list[Clicker]:
    """The hooks of a lesson by its word."""
    return [_hook(f"{lesson}.hook{number}", row) for number, row in enumerate(HOOKS.get(lesson, ()), 1)]


def _hook(id: str, row: Mapping[str, Any]) -> Clicker:
    options = tuple(Option(str(number), label) for number, label in enumerate(row.get("choices", ())))
    right = tuple(each.id for each in options if each.label == row.get("right"))
    return Clicker(id, row["title"], row["text"].strip(), options, right, row.get("told", ""),
                   look=row.get("look", {}))


def position(look: Mapping[str, Any]) -> Match:
    """The match a hook looks at: ``game`` with its ``options`` from ``seed``, after ``orders``."""
    match = Match.new(load(look["game"], **look.get("options", {})), seed=look["seed"])
    for order in look["orders"]:
        match.play(order)
    return match


# -- All of a lesson's questions for phones, in its order, with the texts that stand before them in its notebook

NOTEBOOK, PROGRAM = "student.ipynb", "program"


def lessons() -> list[str]:
    """The words of all lessons, in order: "cards" is lesson 1."""
    return list(dict.fromkeys(each.lesson for each in book.entries().values()))


def word(lesson: str) -> str:
    """A lesson's word from its number or its word; OptionError if there is no such lesson."""
    words, named = lessons(), lesson.strip().casefold()
    if named.isdecimal() and 1 <= int(named) <= len(words):
        return words[int(named) - 1]
    if named not in words:
        raise OptionError(SAY("no.lesson", lesson=repr(lesson[:40]), most=len(words), word=words[0]))
    return named


def clickers(lesson: str, folder: Path) -> list[Clicker]:
    """The questions of a lesson: its hook first, then each exercise that a tap can answer. ``lesson``: its number or
    word. ``folder``: of the lessons' notebooks; without them a question is what the exercise itself says. OptionError
    if there is no such lesson."""
    name = word(lesson)
    texts = dict(_texts(folder, lessons().index(name) + 1))
    made = (clicker(book.opened(each), text) for id, each in book.entries().items()
            if each.lesson == name and (text := texts.get(id, "")) is not None)
    return [*hooks(name), *filter(None, made)]


def again(id: str, folder: Path, retest: int) -> Clicker | None:
    """An exercise of a lesson with other numbers."""
    question = book.opened(book.entries()[id])
    texts = dict(_texts(folder, lessons().index(question.lesson) + 1))
    return clicker(question, texts.get(id) or "", retest)


def title(lesson: str, folder: Path) -> str:
    """What a lesson is called: as its notebook has it, else by its number."""
    number = lessons().index(word(lesson)) + 1
    return str(_notebook(folder, number).get("metadata", {}).get("title", "")) or SAY("lesson", number=number)


def _notebook(folder: Path, number: int) -> dict[str, Any]:
    for file in sorted(folder.glob(f"{number:02}_*/{NOTEBOOK}")):
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return found
    return {"cells": []}


def _texts(folder: Path, number: int) -> Iterator[tuple[str, str | None]]:
    """Exercise -> the text before it, from its heading on, without what belongs to a notebook alone; None for one that
    is answered by a program (a cell tagged so)."""
    heading, screen = re.compile(LESSON("print.exercise"), re.MULTILINE), re.compile(LESSON("print.screen"))
    parts: list[str] = []
    program = False
    for cell in _notebook(folder, number)["cells"]:
        words = source(cell)
        if cell["cell_type"] != "markdown":
            for id in checked([cell]):
                yield id, None if program else "\n\n".join(parts)
                parts, program = [], False
        elif "solution" not in tags(cell):
            paragraphs, program = words.split("\n\n"), program or PROGRAM in tags(cell)
            if words.startswith("#"):
                parts = []
                starts = [i for i, each in enumerate(paragraphs) if heading.search(each)]
                paragraphs = paragraphs[starts[-1] + 1 :] if starts else []
            parts += [each for each in paragraphs if not screen.search(each)]
