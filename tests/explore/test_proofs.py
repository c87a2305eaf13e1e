"""An answer opens into its rules and into Python that reproduces it, without the odds of this library."""

from __future__ import annotations
import ast
import contextlib
import io
import re
from fractions import Fraction

import pytest

from navalkit import explore
from navalkit.core.registry import package
from navalkit.explore import QUESTIONS
from .test_questions import CASES, MORE, NAMED, OTHER

# The longest lay out what has no shorter form: every world of a small map, a captain who chooses the best salvo.
LINES = {"task-hit": 26, "task-look": 33, "task-scratches": 48, "lox-escape": 27, "wolf-complete": 19, "task-real": 44}
"""Lines of those that take more than `LONGEST`, the figures at the head left out: the small map's worlds are 21, one
world of a large one, with all that was seen on it, 36."""
LONGEST = 17
ALLOWED = {"fractions", "itertools", "math", "random"}
PLAYED = {"lox-patrol": {"navalkit", "numpy"}}
"""Questions whose answer is an estimate from whole games: these are played by the rules, one move after the other."""


def run(code: str) -> list[str]:
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(code, "<proof>", "exec"), {"__name__": "proof"})
    return said.getvalue().splitlines()[-1].split()


@pytest.mark.parametrize(("id", "given"), [
    pytest.param(*case, id=name, marks=pytest.mark.slow if name == "lox-escape-default" else ())  # every salvo
    for case, name in zip(CASES, NAMED, strict=True)])
def test_independent_lines_reproduce_the_answer(id: str, given: dict[str, object]) -> None:
    reproduces(id, given)


@pytest.mark.parametrize(("id", "given"), [(id, given) for id, others in MORE.items() for given in others])
def test_they_do_so_at_odd_settings(id: str, given: dict[str, object]) -> None:
    reproduces(id, given)


def reproduces(id: str, given: dict[str, object]) -> None:
    answer, found = explore.answer(id, **given), run(explore.proof(id, **given).code)
    if len(found) == 2:  # an estimate with its standard error
        mean, error = map(float, found)
        assert abs(mean - float(answer.value)) <= 4 * (error**2 + answer.error**2) ** 0.5
        assert error < max(0.06, 0.06 * mean)
    elif isinstance(answer.value, Fraction):
        assert Fraction(found[0]) == answer.value
    else:
        assert float(Fraction(found[0])) == pytest.approx(float(answer.value), abs=1e-9)


@pytest.mark.parametrize("id", QUESTIONS)
def test_they_are_independent_short_and_say_their_rules(id: str) -> None:
    proof = explore.proof(id, **OTHER[id])
    tree = ast.parse(proof.code)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    named = [[each.name for each in node.names] if isinstance(node, ast.Import) else [node.module] for node in found]
    imported = {str(name).split(".")[0] for names in named for name in names}
    assert imported <= ALLOWED | PLAYED.get(id, set())
    assert not re.search(r"\bodds\b|simulate|explore", re.sub(r"#.*", "", proof.code))
    body = [line for line in proof.code.splitlines() if line.strip() and not re.match(r"\w+ = [^a-z]*$", line)]
    assert len(body) <= LINES.get(id, LONGEST), len(body)
    assert max(map(len, proof.code.split("\n", 12)[-1].splitlines()), default=0) < 140
    rules = package(QUESTIONS[id].game).game().rules()
    assert proof.rules and all(rules[name].text == text for name, text in proof.rules)
    assert proof.rules[0][0] in proof._repr_html_() and str(proof) == proof.code


def test_they_follow_the_settings() -> None:
    assert run(explore.proof("lox-sink", ship="QH", torpedoes=2, seen="5C 5D 5H").code) == ["43/141"]
    assert run(explore.proof("lox-sink", ship="QH", torpedoes=3, seen="5C 5D 5H").code) == ["10555/17296"]
