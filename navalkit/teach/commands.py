"""The command ``navalkit teach``: grade, students, slides, worksheet, questions, seal and more."""

from __future__ import annotations
import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from navalkit.core.errors import DataError, OptionError, brief
from navalkit.core.files import write_atomic
from navalkit.sim import write_csv
from . import grade, papers, students
from .checking import RETESTS, SUFFIX, read_report, seen
from .exercises import book
from .exercises.book import SEEDS, faults
from .exercises.exercise import kind, seal
from .exercises.formula import Misread
from .papers import slides, worksheet
from .say import SAY

if TYPE_CHECKING:
    from .rerun import Work

Run = Callable[[argparse.Namespace], int]


def add(parser: argparse.ArgumentParser, lessons: Callable[[], Path]) -> None:
    """Add the subcommands to a parser; ``lessons`` finds the folder of lessons if none is named."""
    commands = parser.add_subparsers(required=True, metavar="WHAT", parser_class=type(parser))

    def command(name: str, run: Run) -> argparse.ArgumentParser:
        key = f"help.{name.replace('-', '_')}"
        what, example = SAY(key), SAY("help.example", example=SAY(f"{key}_example"))
        added: argparse.ArgumentParser = commands.add_parser(
            name, help=what, description=what[0].upper() + what[1:] + ".", epilog=example
        )
        added.set_defaults(teach=run, lessons=lessons)
        return added

    sub = command("grade", _grade)
    sub.add_argument("files", nargs="+", metavar="FILE", help=SAY("help.files"))
    sub.add_argument("--by-exercise", action="store_true", help=SAY("help.by_exercise"))
    sub.add_argument("--join", action="store_true", help=SAY("help.join"))
    sub.add_argument("--notebooks", action="store_true", help=SAY("help.notebooks"))
    sub.add_argument("--exercises", action="append", default=[], metavar="FILE", help=SAY("help.exercises"))
    sub.add_argument("--texts", metavar="FILE", help=SAY("help.texts"))
    sub.add_argument("--course", type=seen, default="", metavar="WORD", help=SAY("help.course_graded"))
    sub.add_argument("--retest", type=int, default=0, metavar="N", help=SAY("help.retest"))
    sub.add_argument("--feedback", metavar="NEW", help=SAY("help.feedback"))
    sub.add_argument("--answers", action="store_true", help=SAY("help.answers"))
    sub.add_argument("--csv", metavar="FILE", help=SAY("help.csv"))

    sub = command("students", _students)
    sub.add_argument("folders", nargs="*", metavar="FOLDER", help=SAY("help.folders"))
    sub.add_argument("--to", metavar="NEW", help=SAY("help.to"))
    sub.add_argument("--numbers", default="own", help=SAY("help.numbers"))
    sub.add_argument("--course", type=seen, default="", metavar="WORD", help=SAY("help.course"))
    sub.add_argument("--minutes", type=int, default=0, choices=papers.CUTS, help=SAY("help.minutes"))
    sub.add_argument("--check", action="store_true", help=SAY("help.check"))

    for name, run in (("slides", lambda given: _printed(given, slides(*_lesson(given)))), ("worksheet", _worksheet)):
        sub = command(name, run)
        sub.add_argument("lesson", help=SAY("help.lesson"))
        sub.add_argument("--minutes", type=int, default=0, choices=papers.CUTS, help=SAY("help.minutes"))
        sub.add_argument("--to", metavar="FILE", help=SAY("help.print_to"))
        sub.add_argument("--exercises", action="append", default=[], metavar="FILE", help=SAY("help.exercises"))
    sub.add_argument("--numbers", default="lesson", help=SAY("help.numbers"))
    sub.add_argument("--key", action="store_true", help=SAY("help.key"))

    for name, write in (("nbgrader", grade.write), ("otter", grade.write_otter)):
        sub = command(name, _for_grader)
        sub.set_defaults(write=write)
        sub.add_argument("folders", nargs="*", metavar="FOLDER", help=SAY("help.folders"))
        sub.add_argument("--to", metavar="NEW", required=True, help=SAY(f"help.{name}_to"))

    sub = command("questions", _questions)
    sub.add_argument("files", nargs="+", metavar="FILE", help=SAY("help.toml_own"))
    sub.add_argument("--to", required=True, metavar="NEW", help=SAY("help.questions_to"))

    sub = command("check-exercises", _check)
    sub.add_argument("files", nargs="*", metavar="FILE", help=SAY("help.toml"))
    sub.add_argument("--seeds", type=int, default=SEEDS, help=SAY("help.seeds"))

    sub = command("seal", _seal)
    sub.add_argument("kind", help=SAY("help.kind"))
    sub.add_argument("answer", help=SAY("help.answer"))
    sub.add_argument("--places", type=int, default=3, help=SAY("help.places"))


def run(arguments: argparse.Namespace) -> int:
    """Do what was ordered; returns the exit code."""
    for file in getattr(arguments, "exercises", ()):
        book.use(file)
    code: int = arguments.teach(arguments)
    return code


def _grade(arguments: argparse.Namespace) -> int:
    if not 0 <= arguments.retest < RETESTS:
        raise OptionError(SAY("class.retest", most=RETESTS - 1))
    if arguments.answers:
        _teachers_alone(arguments)
    notes: dict[str, str] = {}  # on notebooks, by their files
    files = [path for name in arguments.files for path in _handed_in(name, ".ipynb" if arguments.notebooks else SUFFIX)]
    if arguments.notebooks:
        from . import brig
        from .rerun import rerun  # it knows every game

        if not brig.walled():
            print(f"navalkit: {SAY('class.not_walled')}", file=sys.stderr)
        given = {"course": arguments.course, "retest": arguments.retest}
        works, damaged = grade.read_all(files, lambda path: rerun(path, **given))
        reports = [work.report for work in works]
        notes = {work.report.file: work.note for work in works if work.note}
        if arguments.texts:
            write_atomic(Path(arguments.texts), _gathered(works))
    else:
        reports, damaged = grade.read_all(files, read_report)
    handed = [mine.noted(notes) for mine in
              grade.students(reports, arguments.join, "" if arguments.notebooks else arguments.course,
                             arguments.retest)]
    if arguments.feedback:
        from .feedback import write  # it needs what makes pages

        written, failed = write(handed, Path(arguments.feedback), arguments.answers, notes)
        damaged += failed
        print(SAY("feedback.written", n=len(written), folder=arguments.feedback), file=sys.stderr)
    table = grade.exercise_table(handed) if arguments.by_exercise else grade.class_table(handed, damaged)
    write_csv(table, arguments.csv or sys.stdout)
    for sentence in damaged + [f"{mine.name}: {mine.note}." for mine in handed if mine.note]:
        print(f"navalkit: {sentence}", file=sys.stderr)
    return int(bool(damaged or notes))


def _teachers_alone(arguments: argparse.Namespace) -> None:
    """OptionError where the folder of solutions and plans is not at hand: what students install has none."""
    folder = os.environ.get(papers.DOOR, "")
    try:
        papers.plans(folder or arguments.lessons())
    except DataError:
        raise OptionError(SAY("feedback.teachers_alone", folder=papers.TEACHING)) from None


def _gathered(works: list[Work]) -> str:
    """All answers in words, question by question, for marking."""
    lines = []
    for question in dict.fromkeys(question for work in works for question in work.texts):
        lines.append(f"# {question}\n")
        for work in works:
            if question in work.texts:
                student = work.report.student
                lines.append(f"## {' '.join((student.name, student.group)).strip()} ({work.report.file})\n")
                lines.append("\n".join(f"> {line}".rstrip() for line in work.texts[question].splitlines()) + "\n")
    return "\n".join(lines)


def _handed_in(name: str, suffix: str) -> list[Path]:
    """The files that a word of the command stands for: a file, a folder, or a pattern that no shell has filled in."""
    path = Path(name)
    if not path.is_dir() and (path.exists() or not set(name) & set("*?[")):
        return [path]
    folder, pattern = (path, f"**/*{suffix}") if path.is_dir() else (path.parent, path.name)
    found = sorted(found for found in folder.glob(pattern) if ".ipynb_checkpoints" not in found.parts)
    if not found:
        notebooks = path.is_dir() and suffix == SUFFIX and any(folder.glob("**/*.ipynb"))
        key = "class.notebooks" if notebooks else "class.nothing"
        raise DataError(SAY(key, folder=folder.resolve(), suffix=suffix))
    return found


def _students(arguments: argparse.Namespace) -> int:
    stale = False
    if arguments.numbers not in ("own", "lesson") and not arguments.numbers.isdecimal():
        raise OptionError(SAY("class.numbers"))
    if arguments.course and arguments.numbers != "own":
        raise OptionError(SAY("class.course_numbers"))
    for folder in map(Path, arguments.folders or [arguments.lessons()]):
        ours = None if arguments.folders else folder.parent / "notebooks" / "lessons"
        if arguments.to:
            index = ours / students.INDEX if ours else folder / students.INDEX
            to = Path(arguments.to)
            given = students.hand_out(folder, to, index, arguments.numbers, arguments.minutes,
                                      arguments.course)
            print(*given, sep="\n")
            continue
        for lesson in students.lessons(folder):
            to = ours / lesson.name if ours else lesson
            if not arguments.check:
                print(students.make(lesson, to))
            elif not students.is_fresh(lesson, to):
                print(SAY("copy.stale", file=to / students.COPY))
                stale = True
    return int(stale)


def _for_grader(arguments: argparse.Namespace) -> int:
    for folder in map(Path, arguments.folders or [arguments.lessons()]):
        print(*arguments.write(folder, Path(arguments.to)), sep="\n")
    return 0


def _worksheet(arguments: argparse.Namespace) -> int:
    if arguments.numbers != "lesson" and not arguments.numbers.isdecimal():
        raise OptionError(SAY("class.numbers"))
    seed = "" if arguments.numbers == "lesson" else arguments.numbers
    return _printed(arguments, worksheet(*_lesson(arguments), seed=seed, key=arguments.key))


def _lesson(arguments: argparse.Namespace) -> tuple[students.Notebook, str]:
    """The lesson of a number, or in a folder, and its name."""
    lesson = Path(arguments.lesson)
    if not lesson.is_dir():
        known = students.lessons(arguments.lessons())
        found = [path for path in known if path.name.partition("_")[0].lstrip("0") == arguments.lesson.lstrip("0")]
        if not found:
            raise OptionError(SAY("print.no_lesson", found=brief(arguments.lesson), most=len(known)))
        lesson = found[0]
    notebook = students.read(lesson / students.SOURCE)
    return (papers.cut(notebook, arguments.minutes) if arguments.minutes else notebook), lesson.name


def _printed(arguments: argparse.Namespace, page: tuple[str, str]) -> int:
    name, text = page
    path = Path(arguments.to or name)
    write_atomic(path, text)
    print(path)
    return 0


def _questions(arguments: argparse.Namespace) -> int:
    found = [question for file in arguments.files for question in book.read(file).values()]
    write_atomic(Path(arguments.to), book.questions(found))
    print(arguments.to)
    return 0


def _check(arguments: argparse.Namespace) -> int:
    bad = False
    for name, found in [(file, book.read(file)) for file in arguments.files] or [("navalkit", book.shipped())]:
        for question in found.values():
            wrong = list(faults(question, arguments.seeds))
            bad = bad or bool(wrong)
            print(SAY("check.wrong" if wrong else "check.good", id=question.id, title=question.title))
            print("".join(f"  {sentence}\n" for sentence in wrong), end="")
        print(SAY("check.found", name=name, n=len(found)))
    return int(bad)


def _seal(arguments: argparse.Namespace) -> int:
    try:
        numbers = {"places": arguments.places} if arguments.kind in ("number", "probability") else {}
        sealed = seal(kind(arguments.kind, **numbers), arguments.answer)
    except (Misread, DataError) as error:
        raise OptionError(str(error)) from None
    print(f'answer = {{ salt = "{sealed.salt}", digest = "{sealed.digest}", of = "{sealed.of}" }}')
    return 0
