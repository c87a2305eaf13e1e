"""All of a lesson's questions for phones, in its order, with the texts that stand before them in its notebook."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from navalkit.core.errors import OptionError

from ..exercises import book
from ..papers.cuts import checked, source, tags
from ..say import SAY as LESSON
from .clicker import SAY, Clicker, clicker
from .hooks import hooks

NOTEBOOK = "student.ipynb"


def lessons() -> list[str]:
    """The words of all lessons, in order: "cards" is lesson 1."""
    return list(dict.fromkeys(each.lesson for each in book.shipped().values()))


def word(lesson: str) -> str:
    """A lesson's word from its number or its word; OptionError if there is no such lesson."""
    words, named = lessons(), lesson.strip().casefold()
    if named.isdecimal() and 1 <= int(named) <= len(words):
        return words[int(named) - 1]
    if named not in words:
        raise OptionError(SAY("no.lesson", lesson=repr(lesson[:40]), most=len(words), word=words[0]))
    return named


def clickers(lesson: str, folder: Path) -> list[Clicker]:
    """The questions of a lesson: its hook first, then each exercise that a tap can answer.

    ``lesson``: its number or word. ``folder``: of the lessons' notebooks; without them a question is what the exercise
    itself says. OptionError if there is no such lesson.
    """
    name = word(lesson)
    texts = dict(_texts(folder, lessons().index(name) + 1))
    made = (clicker(each, texts.get(id, "")) for id, each in book.shipped().items() if each.lesson == name)
    return [*hooks(name), *filter(None, made)]


def again(id: str, folder: Path, retest: int) -> Clicker | None:
    """An exercise of a lesson with other numbers."""
    question = book.shipped()[id]
    texts = dict(_texts(folder, lessons().index(question.lesson) + 1))
    return clicker(question, texts.get(id, ""), retest)


def title(lesson: str, folder: Path) -> str:
    """What a lesson is called: as its notebook has it, else by its number."""
    number = lessons().index(word(lesson)) + 1
    return str(_notebook(folder, number).get("metadata", {}).get("title", "")) or SAY("lesson", number=number)


def _notebook(folder: Path, number: int) -> dict[str, Any]:
    for file in sorted(folder.glob(f"{number:02}_*/{NOTEBOOK}")):
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return found
    return {"cells": []}


def _texts(folder: Path, number: int) -> Iterator[tuple[str, str]]:
    """Exercise -> the text before it, from its heading on, without what belongs to a notebook alone."""
    heading, screen = re.compile(LESSON("print.exercise"), re.MULTILINE), re.compile(LESSON("print.screen"))
    parts: list[str] = []
    for cell in _notebook(folder, number)["cells"]:
        words = source(cell)
        if cell["cell_type"] != "markdown":
            for id in checked([cell]):
                yield id, "\n\n".join(parts)
                parts = []
        elif "solution" not in tags(cell):
            paragraphs = words.split("\n\n")
            if words.startswith("#"):
                parts = []
                starts = [i for i, each in enumerate(paragraphs) if heading.search(each)]
                paragraphs = paragraphs[starts[-1] + 1 :] if starts else []
            parts += [each for each in paragraphs if not screen.search(each)]
