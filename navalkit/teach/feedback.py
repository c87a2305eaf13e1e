"""What goes back to students: for each a page of their own, with what was right, what was not, and why.

A page is made of one student's tries and of the exercises with that student's numbers, and of nothing else: what others
did cannot get in. It holds no answer, unless the teacher asks for them once nobody can hand in any more.
"""

from __future__ import annotations
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from navalkit.core.errors import DataError
from navalkit.core.files import write_atomic
from navalkit.core.shown import Markup, html, listing, many, paragraph
from .checking import MOST_RETESTS, OTHER, Try, slug
from .exercises import book
from .exercises.exercise import Exercise, Function, Kind, Number
from .exercises.formula import Misread
from .grade import Handed, ids, outcomes
from .papers import answer, markdown, page
from .say import SAY

SUFFIX = ".feedback.html"
NO_NOTES: Mapping[str, str] = MappingProxyType({})


def write(handed: Iterable[Handed], folder: Path, answers: bool = False,
          notes: Mapping[str, str] = NO_NOTES) -> tuple[list[Path], list[str]]:
    """Write each student's page into a folder; returns the files, and a sentence on each student whose page cannot be
    made. ``answers``: whether right answers are in them. ``notes``: what became of a notebook, by its file. DataError
    if a file of that name is there and is no page of feedback."""
    files: dict[Path, str] = {}
    made, failed = outcomes(handed, lambda mine: (mine, feedback(mine, answers, notes)),
                            lambda mine: " ".join(mine.files))
    for mine, text in made:
        words = ".".join(map(slug, filter(None, (mine.name, mine.group))))
        path = folder / f"{words}{SUFFIX}"
        number = 1
        while path in files:
            path, number = folder / f"{words}.{number + 1}{SUFFIX}", number + 1
        files[path] = text
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        write_atomic(path, text)
    return list(files), failed


def feedback(mine: Handed, answers: bool = False, notes: Mapping[str, str] = NO_NOTES) -> str:
    """One student's page, as HTML."""
    name = " ".join(filter(None, (mine.student.name, mine.student.group)))
    found = [_exercise(mine, id, answers) for id in ids([mine])]
    right = sum(each.right > 0 for each in mine.tried.values())
    head = paragraph(SAY("feedback.sum", right=right, tried=len(mine.tried)) if mine.tries else SAY("feedback.nothing"))
    # What a notebook's error says are its student's words: on a page of several files they may be another's.
    told = "feedback.noted" if len(mine.files) == 1 else "feedback.look"
    head += many("<p>{}</p>", ((SAY(told, file=file, note=notes[file]),) for file in mine.files if file in notes))
    return page("worksheet.html", SAY("feedback.title", name=name), head + many("{}", found))


def _exercise(mine: Handed, id: str, answers: bool) -> Markup:
    known = book.everything()[id]
    others = mine.retests.get(id, {})
    rounds = sorted({each.retest for each in mine.tries if each.exercise == id}, key=lambda n: (n in others, n))
    parts = []
    for retest in rounds[:MOST_RETESTS]:
        tries = sorted(each for each in mine.tries if (each.exercise, each.retest) == (id, retest))
        try:
            parts.append(_round(book.opened(known, mine.student.seed, retest), tries, answers))
        except (DataError, Misread):
            parts.append(paragraph(SAY("broken", id=id)))
    more = len(rounds) - len(parts)
    parts += [paragraph(SAY("feedback.more", n=more))] if more else []
    return html("<h2>{}</h2>", f"{known.title} ({id})") + many("{}", parts)


def _round(question: Exercise, tries: list[Try], answers: bool) -> Markup:
    """How one exercise went with one set of numbers."""
    done = [each for each in tries if not each.slip]
    counted = tries[: tries.index(done[0]) + 1] if done else tries
    wrong = [each.slip for each in counted if each.slip]
    verdict = SAY("feedback.right" if done else "feedback.wrong", n=len(counted))
    told = listing("ul", (_said(question, slip) for slip in dict.fromkeys(wrong)))
    after = question.after if done else ""
    if question.hints and not (done or answers):
        after = SAY("hint", number=1, of=len(question.hints), hint=question.hints[0])
    rule = SAY(f"feedback.rule.{_rule(question.kind)}", **_facts(question.kind))
    right = paragraph(SAY("feedback.answer", answer=answer(question))) if answers and not done else Markup()
    asked = markdown(_capital(question.ask.strip())) if question.ask else Markup()
    box = html("<div class=nk-sheet-answer>{}</div>", verdict)
    return asked + box + told + right + paragraph(after) + paragraph(rule)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _said(question: Exercise, slip: str) -> str:
    """A slip with the sentence on it, as it was said when it was made."""
    says = {each.say for each in question.mistakes if each.slip == slip}
    if len(says) > 1:  # a try has the slip alone: which of its sentences was said is not known
        return SAY("feedback.slip_alone", slip=_capital(slip))
    if says:
        return SAY("feedback.slip", slip=_capital(slip), say=says.pop())
    if slip == OTHER:
        return SAY("feedback.other")
    small = question.reference is not None and question.kind.tells(slip, getattr(question.reference, "value", 0))
    if small or slip not in question.kind.slips:
        return SAY("feedback.other")
    return SAY("feedback.slip", slip=_capital(slip.replace("_", " ")), say=SAY(slip))


def _rule(kind: Kind) -> str:
    """By which rule answers of a kind are judged."""
    if isinstance(kind, Function):
        return "function"
    return kind.of.split()[0] if not isinstance(kind, Number) or kind.name == "whole" else "number"


def _facts(kind: Kind) -> dict[str, object]:
    tolerance = f"{100 * kind.tolerance:g}" if isinstance(kind, Number) else ""
    return {"cases": len(kind.cases)} if isinstance(kind, Function) else {"percent": tolerance}
