"""The command ``navalkit teach``: grade, students, check-exercises, seal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from navalkit.core.errors import DataError, OptionError
from navalkit.sim import write_csv

from . import book, grade, students
from .exercise import faults
from .kinds import Misread, kind
from .progress import SUFFIX
from .reference import seal

Run = Callable[[argparse.Namespace], int]


def add(parser: argparse.ArgumentParser, lessons: Callable[[], Path]) -> None:
    """Add the subcommands to a parser; ``lessons`` finds the folder of lessons if none is named."""
    commands = parser.add_subparsers(required=True, metavar="WHAT", parser_class=type(parser))

    def command(name: str, run: Run, what: str, example: str) -> argparse.ArgumentParser:
        added: argparse.ArgumentParser = commands.add_parser(
            name, help=what, description=what[0].upper() + what[1:] + ".", epilog=f"Example: navalkit teach {example}"
        )
        added.set_defaults(teach=run, lessons=lessons)
        return added

    example = "grade reports/*.json --csv class.csv"
    sub = command("grade", _grade, "make the class table (CSV) from students' reports", example)
    sub.add_argument("files", nargs="+", metavar="FILE", help="what report() wrote, or a folder of it")
    sub.add_argument("--by-exercise", action="store_true", help="one row an exercise: how many right, and the slips")
    sub.add_argument("--csv", metavar="FILE", help="write here; left out, to the screen")

    sub = command("students", _students, "make the students' copies of lessons", "students --to handout")
    sub.add_argument("folders", nargs="*", metavar="FOLDER", help="a lesson, or a folder of them; left out, navalkit's")
    sub.add_argument("--to", metavar="NEW", help="write them to this folder, with nothing else in it: to hand out")
    sub.add_argument("--check", action="store_true", help="write nothing; say which copies are out of date")

    sub = command("check-exercises", _check, "check files of exercises", "check-exercises mine.toml")
    sub.add_argument("files", nargs="*", metavar="FILE", help="TOML or Python (which is run); left out, navalkit's own")

    sub = command("seal", _seal, "an answer as a salted hash, to paste into an exercise", "seal whole 42")
    sub.add_argument("kind", help="number, whole, probability, choice, set or list")
    sub.add_argument("answer", help='such as 42, 7/51, "B2 B3"')


def run(arguments: argparse.Namespace) -> int:
    """Do what was ordered; returns the exit code."""
    code: int = arguments.teach(arguments)
    return code


def _grade(arguments: argparse.Namespace) -> int:
    files = [path for name in arguments.files for path in _reports(name)]
    table = (grade.exercise_table if arguments.by_exercise else grade.class_table)(files)
    write_csv(table, arguments.csv or sys.stdout)
    return 0


def _reports(name: str) -> list[Path]:
    """The reports that a word of the command stands for: a file, a folder, or a pattern that no shell has filled in."""
    path = Path(name)
    if not path.is_dir() and (path.exists() or not set(name) & set("*?[")):
        return [path]
    folder, pattern = (path, f"*{SUFFIX}") if path.is_dir() else (path.parent, path.name)
    found = sorted(folder.glob(pattern))
    if not found:
        raise DataError(f"there is no report in {folder.resolve()}: students' files end in {SUFFIX}.")
    return found


def _students(arguments: argparse.Namespace) -> int:
    stale = False
    for folder in map(Path, arguments.folders or [arguments.lessons()]):
        if arguments.to:
            print(*students.hand_out(folder, Path(arguments.to)), sep="\n")
            continue
        for lesson in students.lessons(folder):
            if not arguments.check:
                print(students.make(lesson))
            elif not students.is_fresh(lesson):
                print(f"{lesson / students.COPY} is out of date")
                stale = True
    return int(stale)


def _check(arguments: argparse.Namespace) -> int:
    bad = False
    for name, found in [(file, book.read(file)) for file in arguments.files] or [("navalkit", book.shipped())]:
        for question in found.values():
            wrong = list(faults(question))
            bad = bad or bool(wrong)
            print(f"{question.id}: {question.title}" + ("" if wrong else " (good)"))
            print("".join(f"  {sentence}\n" for sentence in wrong), end="")
        print(f"{name}: {len(found)} exercises")
    return int(bad)


def _seal(arguments: argparse.Namespace) -> int:
    try:
        sealed = seal(kind(arguments.kind), arguments.answer)
    except (Misread, DataError) as error:
        raise OptionError(str(error)) from None
    print(f'answer = {{ salt = "{sealed.salt}", digest = "{sealed.digest}" }}')
    return 0
