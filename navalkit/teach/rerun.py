"""Students' notebooks run again on the teacher's machine, where the formulas are.

A notebook runs in a process of its own, in an empty folder and for a limited time. It hands over nothing but what its
student answered; whether that is right is found out here. It still is a student's program that runs: use an account
that has nothing to lose.
"""

from __future__ import annotations
import ast
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from . import checking, lesson as lesson_names, students
from .checking import PROGRESS, UNANSWERED, Report, Student, Try, Verdict, judge, named
from .exercises import book
from .exercises.exercise import Function
from .exercises.formula import Misread
from .papers import source
from .say import SAY

SECONDS = 60
_MOST = 2_000_000  # bytes that a notebook's answers may have


@dataclass(frozen=True, slots=True)
class Work:
    """What one notebook gave."""

    report: Report
    """Each exercise tried once: with the last answer given to it."""
    texts: Mapping[str, str]
    """Answers in words, by the heading of their question."""
    note: str
    """What stopped, or ""."""


def rerun(path: Path, seconds: float = SECONDS) -> Work:
    """Run a student's notebook and judge its answers. ``seconds``: how long it may take. DataError if the file is no
    notebook."""
    notebook = students.read(path)
    found, note = _run(path, seconds)
    answers = found.get("answers", [])
    try:
        student = named(found.get("name"), found.get("group", ""), found.get("numbers", "own"))
    except ValueError:
        student = Student(" ".join(path.with_suffix("").parts[-2:]), numbers="lesson")
        note = "; ".join(filter(None, (note, SAY("class.no_name"))))
    last = {(str(id), retest): answer for id, retest, answer in answers if isinstance(retest, int)}
    file = "/".join(path.parts[-2:])
    tries = (_judged(student, file, number, *key, answer) for number, (key, answer) in enumerate(last.items()))
    report = Report(student, frozenset(each for each in tries if each), True, file)
    return Work(report, students.texts(notebook), note)


def _judged(student: Student, file: str, number: int, id: str, retest: int, answer: Any) -> Try | None:
    """One answer as a try; the file stands for its session, so that notebooks of one name that answer the same
    exercise are kept apart."""
    question = book.everything().get(id)
    if question is None or not 0 <= retest < 1000:
        return None
    question = question.drawn(student.seed, retest)
    slip, _, _ = judge(question, _revived(question.kind, answer))
    return None if slip == UNANSWERED else Try("", file, number, id, retest, slip, "")


def _revived(kind: Any, answer: Any) -> Any:
    """An answer as a notebook handed it over; a function is what it gave in every case."""
    if not isinstance(kind, Function) or not isinstance(answer, list) or len(answer) != len(kind.cases):
        return answer
    table = dict(zip(kind.cases, answer, strict=True))
    return lambda *case: table[case]


def _run(path: Path, seconds: float) -> tuple[dict[str, Any], str]:
    with tempfile.TemporaryDirectory(prefix="navalkit-") as folder:
        out = Path(folder) / "answers.json"
        roots = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(path.resolve()), str(out), *map(str, book.USED)],
            cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True, env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, roots))},
        )
        try:
            process.wait(seconds)
            note = ""
        except subprocess.TimeoutExpired:
            note = SAY("class.stopped", seconds=seconds)
        finally:
            _end(process)
        try:
            text = out.read_bytes()[: _MOST + 1]
            found = json.loads(text) if len(text) <= _MOST else {}
        except (OSError, ValueError, RecursionError):
            return {}, note or SAY("class.not_run")
    fine = isinstance(found, dict) and all(isinstance(row, list) and len(row) == 3 for row in found.get("answers", []))
    if not fine:
        return {}, SAY("class.no_answers")
    return found, "; ".join(filter(None, (note, str(found.get("error", "")))))


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a notebook's process and whatever it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


# -- in the notebook's own process -------------------------------------------------------------------

def main(notebook: str, out: str, *own: str) -> None:
    """Run the cells of a notebook, and write its answers after each: what is there when time is up counts."""
    for path in own:
        book.use(path)
    answers: list[tuple[str, int, Any]] = []

    def note(exercise_id: str, answer: Any = ...) -> Verdict:
        question = book.everything().get(str(exercise_id))
        if question is not None:
            retest = PROGRESS.retest_of(question)
            drawn = question.drawn(PROGRESS.seed, retest)
            answers.append((question.id, retest, _plain(drawn.kind, answer)))
        return Verdict(str(exercise_id), False, "", "")

    import navalkit.teach as teach

    for module in (teach, checking, lesson_names):
        module.check = note  # type: ignore[attr-defined]
    for module in (teach, lesson_names):
        module.report = lambda *_, **__: None  # type: ignore[attr-defined]
    for module in (teach, lesson_names):
        module.use = lambda _: ()  # type: ignore[attr-defined]
    names: dict[str, Any] = {"__name__": "__main__"}
    error = ""
    for cell in students.read(Path(notebook))["cells"]:
        if cell["cell_type"] == "code":
            try:
                exec(compile(_python(source(cell)), str(cell["id"]), "exec"), names)
            except BaseException as wrong:
                error = error or SAY("class.cell", cell=cell["id"], why=f"{type(wrong).__name__}: {wrong}")[:200]
            student = PROGRESS.student
            body: dict[str, Any] = {"answers": answers, "error": error}
            if student:
                body |= {"name": student.name, "group": student.group, "numbers": student.numbers}
            Path(out).write_text(json.dumps(body), encoding="utf-8")


def _python(text: str) -> ast.Module:
    """A cell without what only a notebook understands."""
    return ast.parse("\n".join(line for line in text.splitlines() if not line.lstrip().startswith(("%", "!"))))


def _plain(kind: Any, answer: Any) -> Any:
    """An answer as JSON holds it: texts of numbers, lists of texts, or None where there is none."""
    try:
        if answer is None or answer is ...:
            return None
        read: Any = kind.read(answer)
    except Misread:
        return _text(answer)
    return [_text(each) for each in read] if isinstance(read, list | tuple) else _text(read)


def _text(each: Any) -> str | None:
    if each is None or each is ...:
        return None
    return str(each) if isinstance(each, int | Fraction | str) else repr(each)[:200]


if __name__ == "__main__":
    main(*sys.argv[1:])
