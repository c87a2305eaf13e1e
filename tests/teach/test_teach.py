"""Checks say right, or what kind of wrong, and never the answer; reports, class tables, a teacher's own exercises."""

from __future__ import annotations

import doctest
import json
import re
import socket
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navalkit.cli import main
from navalkit.core.dist import Dist
from navalkit.core.errors import DataError
from navalkit.core.registry import names
from navalkit.grids.hex import Hex, Place
from navalkit.teach import (
    ask,
    bars,
    begin,
    board,
    book,
    check,
    checking,
    exercise,
    formula,
    fresh,
    hex_map,
    kinds,
    pages,
    plans,
    questions,
    report,
)
from navalkit.teach import students as copies
from navalkit.teach.checking import UNANSWERED
from navalkit.teach.exercise import SEEDS, faults
from navalkit.teach.kinds import Function
from navalkit.teach.progress import PROGRESS
from navalkit.teach.reference import Computed, Sealed, seal

SHIPPED = book.shipped()
FAMILIES = [id for id, question in SHIPPED.items() if question.family]
ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "teaching.md"


@pytest.fixture(autouse=True)
def afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    PROGRESS.forget()
    monkeypatch.setattr(book, "_OWN", {})
    monkeypatch.setattr(book, "USED", [])


def answer_of(question: object) -> object:
    """A right answer to an exercise; one that is kept as a hash is found by trying."""
    if isinstance(question.reference, Sealed):
        some = getattr(question.kind, "choices", range(1914, 1919))
        return next(answer for answer in some if question.reference.right(question.kind.read(answer)))
    right = question.reference.value
    if isinstance(question.kind, Function):
        table = dict(zip(question.kind.cases, right, strict=True))
        return lambda *case: table[case]
    return right


# -- formulas ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, value",
    [
        ("7 / 51", Fraction(7, 51)),
        ("1 - comb(44, 2) / comb(51, 2)", Fraction(329, 1275)),
        ("2 ** -3", Fraction(1, 8)),
        ("hypergeometric(51, 7, 2)[1]", Fraction(2 * 7 * 44, 51 * 50)),
        ('[axial("A1"), -1]', [[0, 0], -1]),
        ('sink("8D", 1, seen="7C 7D")', Fraction(5, 49)),
    ],
)
def test_a_formula_is_exact(text, value):
    assert formula.value(text) == value


@pytest.mark.parametrize(
    "text, part",
    [
        ("__import__('os').getcwd()", "may not stand in a formula"),
        ("().__class__", "may not stand"),
        ("sink.__globals__", "may not stand"),
        ("open('x')", "is not a listed function"),
        ("lambda: 1", "may not stand"),
        ("[x for x in [1]]", "may not stand"),
        ("sink(**{})", "may not stand"),
        ("True if 1 else 2", "may not stand"),
        ("comb('a'", "is not a formula"),
        ("1 / 0", "cannot be calculated"),
        ("2 ** 99999", "too high a power"),
        ("comb(1", "is not a formula"),
        ("1" * 2000, "at most 1000 characters"),
        ("5[0]", "asks a distribution or a list"),
        ('sink("ZZ", 1)', "cannot be calculated"),
    ],
)
def test_a_formula_is_never_run_as_python(text, part):
    with pytest.raises(DataError, match=part.replace("(", r"\(")):
        formula.value(text)


@given(st.text(max_size=60))
def test_any_text_is_a_value_or_a_data_error(text):
    try:
        formula.value(text, functions={"comb": comb})
    except DataError:
        pass


# -- the exercises that come with navalkit ------------------------------------------------------------


@pytest.mark.parametrize("id", SHIPPED)
def test_an_exercise_is_sound(id):
    assert list(faults(SHIPPED[id], 5)) == []
    assert check(id, answer_of(SHIPPED[id])).right


# -- families: other numbers for each student ---------------------------------------------------------


def told(id: str, seed: str, retest: int = 0) -> None:
    """With these numbers the right answer is right, every slip is found out by name, and hints come in turn."""
    PROGRESS.forget()
    question = SHIPPED[id].drawn(seed, retest)
    assert checking.judge(question, answer_of(question))[0] == ""
    for mistake in question.mistakes:
        slip, say, _ = checking.judge(question, mistake.value)
        assert (slip, say) == (mistake.slip, mistake.say), (question.numbers, mistake)
    for text in (question.ask, question.after, *question.hints, *(mistake.say for mistake in question.mistakes)):
        assert not re.search(r"[{}]|Fraction\(\d+, \d+\)\.", text), text


def test_every_lesson_has_four_families_at_least():
    lessons = {question.lesson for question in SHIPPED.values()}
    assert len(lessons) == 11
    for lesson in lessons:
        assert sum(SHIPPED[id].lesson == lesson for id in FAMILIES) >= 4, lesson


@pytest.mark.parametrize("id", FAMILIES)
def test_a_familys_slips_are_told_whatever_the_numbers(id):
    for seed in ("", "ada|", "zoë|7b", "1914"):
        told(id, seed)
    told(id, "ada|", retest=1)


@pytest.mark.slow
@pytest.mark.parametrize("id", FAMILIES)
def test_a_familys_slips_are_told_for_200_seeds(id):
    assert list(faults(SHIPPED[id], SEEDS)) == []
    for seed in range(SEEDS):
        told(id, str(seed))


@pytest.mark.parametrize("id", FAMILIES)
def test_neighbours_and_retests_have_other_numbers(id):
    family = SHIPPED[id].family
    names = [repr(family.names(f"student {number}|")) for number in range(60)]
    assert len(set(names)) >= 4 and family.names() == SHIPPED[id].numbers
    retests = [repr(family.names("ada|", retest)) for retest in range(4)]
    assert len(set(retests)) == 4
    assert family.names("ada|") == family.names("ada|") != {}


def test_numbers_follow_from_the_name_and_a_teacher_can_fix_them(tmp_path):
    def numbers(name: str, **more: object) -> str:
        begin(name, folder=tmp_path, **more)
        return repr([ask(id).numbers for id in FAMILIES])

    ada = numbers("Ada")
    assert ada == numbers(" ADA ") != numbers("Bob") and ada != numbers("Ada", group="7b")
    assert numbers("Ada", numbers=7) == numbers("Bob", numbers=7) != numbers("Bob", numbers=8)
    assert numbers("Bob", numbers="lesson") == repr([SHIPPED[id].numbers for id in FAMILIES])


def test_a_question_is_asked_with_its_own_numbers_and_a_retest_with_new_ones(tmp_path):
    assert ask("cards.1").text.startswith("The queen of diamonds is before you.")
    assert check("cards.1", 6).right
    begin("Ada", folder=tmp_path)
    first = ask("cards.1")
    again = fresh("cards.1")
    assert again.text != first.text and ask("cards.1").text == again.text == again._repr_markdown_()
    assert ask("cards.2")["ship"] == again["ship"], "exercises that share numbers keep doing so"
    mine = SHIPPED["cards.1"].drawn(PROGRESS.seed, 1)
    assert check("cards.1", mine.reference.value).right and fresh("cards.1", 0).text == first.text
    assert "Set 2" in fresh(retest=2).text and ask("cards.1").text not in (first.text, again.text)
    assert fresh("cards.3").text == "Exercise cards.3 has no other numbers."
    assert "did you mean" in ask("card.9").text and "whole number" in fresh(retest=-1).text


def test_a_family_needs_its_question_and_numbers_it_can_have():
    row = dict(id="my.1", title="T", kind="whole", hints=["Count."], answer="2 * n")
    with pytest.raises(DataError, match="my.1: its numbers vary, so it needs `ask`"):
        exercise(**row, draw={"n": [1, 2]})
    with pytest.raises(DataError, match="list of values"):
        exercise(**row, ask="{n}?", draw={"n": 3})
    with pytest.raises(DataError, match="100,000,000 cases"):
        exercise(**row, ask="{n}?", draw={name: list(range(100)) for name in "nmkl"})
    assert "no numbers" in next(faults(exercise(**row, ask="{n}?", draw={"n": [1, 2]}, where=["n > 2"])))
    twice = exercise(**row, ask="Twice {n}?", draw={"n": [1, 2]}, let={"m": "n + 1"}, wrong=[
        {"is": "n + m - 1", "slip": "added", "say": "You added {n} and {m}."}])  # fmt: skip
    assert any("counts as right. (With n = 1.)" in fault for fault in faults(twice))


@pytest.mark.parametrize("id", SHIPPED)
def test_a_wrong_answer_is_told_what_is_wrong_and_gets_all_hints_in_turn(id):
    question = SHIPPED[id]
    for mistake in question.mistakes:
        if not isinstance(question.kind, Function):
            verdict = check(id, mistake.value)
            assert not verdict and verdict.slip == mistake.slip and mistake.say in verdict.text
    PROGRESS.forget()
    for number, hint in enumerate(question.hints, 1):
        text = check(id, b"no answer %d" % number).text
        assert f"Hint {number} of {len(question.hints)}: {hint}" in text
        assert sum(other in text for other in question.hints) == 1
    assert "All hints are given" in check(id, object()).text


def test_a_wrong_function_is_known_by_what_it_gives():
    def never_home(left, tons, sink, lost, ship):
        return tons if left == 0 else sink * never_home(left - 1, tons + ship, sink, lost, ship) + (
            1 - sink - lost) * never_home(left - 1, tons, sink, lost, ship)  # fmt: skip

    assert check("risk.4", never_home).slip == "never goes home"
    assert check("hexes.4", lambda a, b, c, d: max(abs(a - c), abs(b - d))).slip == "the larger of two"
    assert check("hexes.4", lambda a, b, c, d: questions.hex_distance(a, b, c, d) + 1).slip == "one_too_many"
    partly = check("hexes.4", lambda a, b, c, d: questions.hex_distance(a, b, c, d) if a >= 0 else 0)
    assert "right in 7 of 8 cases; the first that is wrong is (-4, 0, 4, -4)" in partly.text
    stops = check("hexes.4", lambda a, b, c, d: 1 // 0)
    assert stops.slip == "function_stops" and "ZeroDivisionError" in stops.text
    assert check("hexes.4", lambda a: a).slip == "function_stops"
    assert check("hexes.4", lambda a, b, c, d: ...).slip == UNANSWERED


FORMS = [
    lambda x: str(x),
    lambda x: f"{float(x):.3g}",
    lambda x: f"{float(x):.4f}",
    lambda x: f"{100 * float(x):.3g} %",
]


@pytest.mark.parametrize("id", [i for i, e in SHIPPED.items() if isinstance(e.kind, kinds.Number)])
def test_no_verdict_on_a_wrong_answer_holds_the_right_one(id):
    """Whatever is answered: words in a verdict are compared whole, so that 6 is not found in 60."""
    right = SHIPPED[id].reference.value
    tries = [None, "no idea", -1, 1 - right, 100 * right, 2 * right + 1, right / 3 - 7, 0.123456, 1e9, [], object(),
             *(mistake.value for mistake in SHIPPED[id].mistakes)]  # fmt: skip
    for wrong in tries:
        verdict = check(id, wrong)
        assert not verdict, wrong
        words = verdict.text.replace("Hint 1 of", "").replace("Hint 2 of", "").replace("Hint 3 of", "")
        words = {word.strip(".,:;?!()\"'") for word in words.split()} - {str(len(SHIPPED[id].hints))}
        for form in FORMS:
            assert form(right) not in words, (wrong, verdict.text)


# -- kinds of wrong ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer, slip",
    [
        (Fraction(329, 1275), ""),
        (0.258, ""),
        (np.float64(0.25804), ""),
        ("329/1275", ""),
        ("25.8 %", ""),
        ("0.258", ""),
        (25.8, "percentage"),
        (Fraction(946, 1275), "complement"),
        (3.875, "one_in"),
        (1 - (44 / 51) ** 2, "forgot without replacement"),
        (Fraction(14, 51), "added the chances"),
        (0.26, "other"),  # close
        ("0,258", ""),
        ("329 of 1275", ""),
        ("1 in 4", "other"),
        ("1 in 0", "not_a_number"),
        ("7/51/2", "not_a_number"),
        (float("inf"), "not_finite"),
        (2, "other"),  # no probability
        ("a quarter", "not_a_number"),
        (True, "not_a_number"),
        ([0.258], "not_a_number"),
        (np.array([0.258, 0.3]), "not_a_number"),
        (Dist.uniform([1, 2]), "not_a_number"),
        (len, "not_a_number"),
        (float("nan"), "not_finite"),
        (1 + 2j, "not_a_number"),
        (..., UNANSWERED),
        (None, UNANSWERED),
    ],
)
def test_what_kind_of_wrong_a_probability_is(answer, slip):
    verdict = check("cards.3", answer)
    assert (verdict.slip, verdict.right) == (slip, slip == "")


ANYTHING = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.integers(10**300, 10**400), st.floats(), st.complex_numbers(),
        st.fractions(), st.text(), st.binary(), st.dates(),
    ),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
)  # fmt: skip


@given(st.sampled_from(list(SHIPPED)), ANYTHING)
def test_nothing_that_is_answered_makes_a_check_fail(id, answer):
    """What people answer is read, and told what it is: the last resort is for objects that fight back."""
    for given_answer in (answer, lambda *case: answer):
        assert check(id, given_answer).slip not in ("unreadable", "broken", "unknown")


class Hostile:
    """Fails at everything that is asked of it."""

    def __getattribute__(self, name: str) -> object:
        raise RuntimeError(name)

    def __repr__(self) -> str:
        raise RuntimeError

    __eq__ = __hash__ = __float__ = __iter__ = __len__ = __str__ = __repr__  # type: ignore[assignment]


HUGE = [10**5000, -(10**5000), Fraction(10**5000, 3), Fraction(1, 10**5000), "9" * 5000, "1/" + "9" * 5000, "1e999",
        np.float32("nan"), np.array(3), np.array([]), np.bool_(True), {1: 2}, range(10**9), b"6", 1e308]  # fmt: skip


@pytest.mark.parametrize("id", ["cards.1", "cards.2", "sure.1", "hexes.1", "hexes.2", "risk.6", "risk.4"])
def test_huge_and_odd_answers_are_told_what_they_are(id):
    for answer in HUGE:
        assert check(id, answer).slip not in ("unreadable", "broken")
    assert not check(id, Hostile()) and not check(id, [Hostile()]) and not check(id, lambda *case: Hostile())
    assert not check(Hostile(), 6)  # type: ignore[arg-type]


def test_a_fault_of_an_exercise_is_the_teachers_and_never_stops_a_student():
    book._OWN["my.1"] = exercise("my.1", "Mine", "whole", "sink('ZZ', 1)", ["Think."])
    verdict = check("my.1", 3)
    assert verdict.slip == "broken" and "Exercise my.1 cannot be checked" in verdict.text and not PROGRESS.tries
    book._OWN["my.2"] = exercise("my.2", "Mine", "whole", "4", ["Think."], [{"is": "1 / 3", "slip": "a", "say": "b"}])
    assert check("my.2", 4).right and check("my.2", 9).slip == "other"
    assert "has a fraction" in next(faults(book._OWN["my.2"]))


def test_an_endless_list_is_answered():
    assert not check("hexes.1", iter(int, 1))


def test_sentences_name_what_was_given():
    assert "this is a whole distribution" in check("cards.3", Dist.uniform([1, 2])).text
    assert "call it, with brackets" in check("cards.3", len).text
    for close in (0.26, 0.25, 0.3, 0.2603, "0,26"):
        assert "You are close" in check("cards.3", close).text, close
    for far in (0.27, 0.24, 0.28, 0.2):
        assert "You are close" not in check("cards.3", far).text, far
    assert "between 0 and 1" in check("cards.3", 2).text


@pytest.mark.parametrize(
    "answer, slip",
    [(6, ""), (6.0, ""), ("6", ""), (np.int64(6), ""), (5, "one_too_few"), (7, "forgot the cards seen"), (-6, "sign"),
     (6.5, "not_whole"), (60, "other"), ("6,000", "other")],
)  # fmt: skip
def test_what_kind_of_wrong_a_whole_number_is(answer, slip):
    assert check("cards.1", answer).slip == slip


def test_off_by_one_gives_no_small_number_away():
    assert "off by one" not in check("cards.1", 5).text and PROGRESS.tries
    assert "off by one: one too few" in check("cards.4", 209).text


def test_a_comma_is_read_as_it_is_meant_or_asked_about():
    assert check("sure.2", "10,000").right and check("cards.2", "0,122").right and check("sure.1", "0,00496").right
    assert check("risk.3", "24,000").slip == "which_comma" and "1.275 or 1275" in check("risk.3", "1,275").text


def test_the_slips_that_teachers_missed():
    assert check("cards.2", "7/49").slip == "forgot the cards seen above"
    assert check("unseen.1", 16).slip == "squares for ships"
    assert check("unseen.2", "1/16").slip == check("unseen.3", "1/15").slip == "squares for ships"
    assert check("unseen.8", "Z9").slip == "no_choice" and "'Z9' is none of" in check("unseen.8", "Z9").text
    assert check("unseen.8", "B 3").right and check("unseen.8", "C 4").slip == "other"


def test_a_list_is_compared_by_length_then_content_then_place():
    right = [3, 3, 2, 5, 3, 4, 4, 3, 3, 4]
    assert check("machine.4", right).right
    assert "too short: it has 9 entries" in check("machine.4", right[:9]).text
    assert "too long: it has 11 entries" in check("machine.4", [*right, 3]).text
    assert "in the wrong order" in check("machine.4", [4, *right[1:9], 3]).text
    assert "9 of 10 are right; the first that is wrong is number 10" in check("machine.4", [*right[:9], 3]).text
    assert not check("hexes.2", (5, -2)) and not check("hexes.2", (5, "−2")), "a minus is no hyphen"


@pytest.mark.parametrize(
    "answer, slip",
    [("D3 E4 E5 D5 C5 C4", ""), (["c4", "c5", "d3", "d5", "e4", "e5"], ""), (Hex.parse("D4").neighbours(), ""),
     ("D3 E4 E5 D5 C5", "other"), ("D3 D5 C4 E4", "square neighbours"), (7, "not_a_list"), ({"D3": 1}, "not_a_list")],
)  # fmt: skip
def test_what_kind_of_wrong_a_set_is(answer, slip):
    assert check("hexes.1", answer).slip == slip


def test_lists_and_choices():
    assert check("hexes.2", (5, 2)).right and check("hexes.2", Hex.parse("F5")).right  # a hex is a pair (q, r)
    assert check("hexes.2", (2, 5)).slip == "backwards"
    assert "some are missing" in check("hexes.1", "D3 E4").text
    assert check("risk.6", "It stays the same").right
    assert "none of the possible answers: 'it rises'" in check("risk.6", "no idea").text
    assert check("risk.6", 3).slip == "not_a_text"
    assert "some of yours do not" in check("hexes.1", "D3 E4 E5 D5 C5 C4 A1").text


def test_an_unknown_exercise_is_said_kindly():
    verdict = check("card.1", 3)
    assert not verdict and "did you mean cards.1" in verdict.text
    assert not check(7, 3)
    assert not PROGRESS.tries


def test_a_verdict_is_shown_with_a_sign_and_escaped():
    html = check("cards.1", "<script>")._repr_html_()
    assert "✗" in html and "<script>" not in html
    assert "✓" in check("cards.1", 6)._repr_html_()
    assert "…" in check("cards.1")._repr_html_()


def test_nothing_asks_the_network(monkeypatch):
    def refuse(*args: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert check("cards.1", 6)


# -- answers kept as a hash --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, right, wrong, slip",
    [
        ("whole", 424242, 424241, "one_too_few"),
        ("probability", 0.258, 0.742, "complement"),
        ("number", "1.25", 125, "percentage"),
        ("list", "B2 B3", "B3 B2", "backwards"),
        ("set", "B2 B3", "B4", "other"),
        ("choice", "a mouse", "a cat", "other"),
    ],
)
def test_a_sealed_answer_is_checked_without_being_known(name, right, wrong, slip):
    sealed = seal(kinds.kind(name), right)
    row = {"salt": sealed.salt, "digest": sealed.digest, "of": sealed.of}
    question = exercise("mine.1", "Mine", name, row, ["Think."])
    book._OWN["mine.1"] = question
    assert list(faults(question)) == []
    assert str(right) not in repr(question)
    assert check("mine.1", right).right
    assert check("mine.1", wrong).slip == slip


def test_a_bad_seal_is_found_by_the_command_and_not_by_a_student():
    def made(sealed: Sealed, kind: str, **more: object) -> list[str]:
        row = {"salt": sealed.salt, "digest": sealed.digest, "of": sealed.of}
        return list(faults(exercise("my.1", "Mine", kind, row, ["Think."], **more)))

    whole = seal(kinds.kind("whole"), 42)
    assert made(whole, "whole") == []
    with pytest.raises(DataError, match="exercise my.1: the seal is of kind 'whole', and the exercise wants 'number"):
        made(whole, "number")
    with pytest.raises(DataError, match="digest of its seal is damaged"):
        exercise("my.1", "Mine", "whole", {"salt": "00", "digest": whole.digest[:-1]}, ["Think."])
    for mode, faulty in (("mode 9", True), ("Mode 2", False)):
        found = made(seal(kinds.kind("choice"), mode), "choice", choices=["mode 1", "mode 2"])
        assert any("none of its choices" in fault for fault in found) == faulty


# -- a teacher's own ---------------------------------------------------------------------------------


def test_the_worked_example_of_the_docs_is_good(tmp_path, capsys):
    """docs/teaching.md shows an exercise in TOML and in Python: both pass the command, and work."""
    text = DOCS.read_text(encoding="utf-8")
    for language, name in (("toml", "mine.toml"), ("python", "mine.py")):
        block = text.split(f"```{language}\n# {name}")[1].split("```")[0]
        (tmp_path / name).write_text(f"# {name}{block}", encoding="utf-8")
        assert main(["teach", "check-exercises", str(tmp_path / name)]) == 0
        assert "(good)" in capsys.readouterr().out
        for id in book.use(tmp_path / name):
            question = book.everything()[id]
            assert check(id, answer_of(question)).right
            assert not check(id, object())


GOOD = '[[exercise]]\nid = "my.1"\ntitle = "T"\nkind = "whole"\nanswer = "2 + 2"\nhints = ["Count."]\n'


@pytest.mark.parametrize(
    "text, part",
    [
        ("nonsense", "is not TOML"),
        ("a = 1", "holds no [[exercise]]"),
        ("[[exercise]]\nid = 'my.1'", "needs id, title, kind, answer and hints"),
        (GOOD.replace("my.1", "My 1"), "is not the id"),
        (GOOD.replace("whole", "guess"), "there is no kind 'guess'"),
        (GOOD.replace('"2 + 2"', "4"), "`answer` is a formula"),
        (GOOD.replace('["Count."]', '"Count."'), "a list of 1 to 9 texts"),
        (GOOD + "wrong = [{ is = 3 }]", "needs is, slip and say"),
        (GOOD + "colour = 1", "there is no entry 'colour'"),
        (GOOD + GOOD, "two exercises my.1"),
    ],
)
def test_a_malformed_file_is_one_clear_error(tmp_path, text, part, capsys):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    assert main(["teach", "check-exercises", str(path)]) == 2
    err = capsys.readouterr().err
    assert part in err and err.count("\n") == 1


@pytest.mark.parametrize(
    "text, part",
    [
        (GOOD.replace("Count.", "It is 4."), "gives the answer away"),
        (GOOD.replace("2 + 2", "nothing(1)"), "is not a listed function"),
        (GOOD.replace("2 + 2", "1 / 3"), "has a fraction"),
        (GOOD + 'wrong = [{ is = 4, slip = "a", say = "b" }]', "counts as right"),
        (GOOD + 'wrong = [{ is = 1, slip = "a", say = "b" }, { is = 1, slip = "c", say = "d" }]', "the same answer"),
    ],
)
def test_the_command_finds_what_is_wrong_with_an_exercise(tmp_path, text, part, capsys):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    assert main(["teach", "check-exercises", str(path)]) == 1
    out = capsys.readouterr().out
    assert part in out and "(good)" not in out


def test_an_own_exercise_does_not_replace_one_of_navalkit(tmp_path):
    (tmp_path / "mine.toml").write_text(GOOD.replace("my.1", "cards.1"))
    with pytest.raises(DataError, match="comes with navalkit already"):
        book.use(tmp_path / "mine.toml")
    assert check("cards.1", 6).right


@pytest.mark.parametrize("text, part", [("1 / 0", "ZeroDivisionError"), ("EXERCISES = 3", "needs a list EXERCISES")])
def test_a_broken_python_file_is_one_clear_error(tmp_path, text, part):
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(DataError, match=part):
        book.use(tmp_path / "mine.py")
    with pytest.raises(DataError, match="no such file"):
        book.use(tmp_path / "none.py")


def test_seal_prints_what_an_exercise_takes(capsys):
    assert main(["teach", "seal", "whole", "42"]) == 0
    line = capsys.readouterr().out
    assert line.startswith("answer = { salt = ") and "42" not in line.split("digest")[0][:20]
    assert main(["teach", "seal", "whole", "4.2"]) == 2
    assert "whole number" in capsys.readouterr().err


# -- students' copies --------------------------------------------------------------------------------


def notebook(*cells: tuple[str, str, list[str]]) -> dict:
    made = [{"cell_type": kind, "id": f"c{i}", "metadata": {"tags": tags}, "source": text}
            | ({"outputs": [{}], "execution_count": 3} if kind == "code" else {})
            for i, (kind, text, tags) in enumerate(cells)]  # fmt: skip
    return {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def test_a_copy_keeps_the_names_that_given_cells_need():
    lesson = notebook(
        ("code", "def f(a, b=2):\n    return a * b\n\n\nhelper = 3\nx, y = 1, helper", ["solution"]),
        ("code", "check('a.1', f)\ncheck('a.2', x)", ["nbval-check-output"]),
        ("code", "unseen = helper + 1", ["solution"]),
        ("markdown", "Because.", ["solution"]),
    )
    cells = copies.copy(lesson)["cells"]
    assert copies.source(cells[0]) == "def f(a, b=2):\n    ...  # your turn\nx = ...  # your turn"
    assert copies.source(cells[1]) == copies.source(lesson["cells"][1])
    assert copies.source(cells[2]) == "...  # your turn"
    assert copies.source(cells[3]) == copies.WRITE_HERE and cells[3]["metadata"]["tags"] == [copies.WORDS]
    assert all(not cell.get("outputs") and "tags" not in cell["metadata"] for cell in cells[:3])
    assert lesson["cells"][0]["outputs"] == [{}], "the source is left as it is"


def test_the_command_makes_copies_and_tells_stale_ones(tmp_path, capsys):
    lesson = tmp_path / "01_mine"
    lesson.mkdir()
    (lesson / copies.SOURCE).write_text(json.dumps(notebook(("code", "x = 1", ["solution"]), ("code", "x", []))))
    order = ["teach", "students", str(tmp_path)]
    assert main([*order, "--check"]) == 1 and "out of date" in capsys.readouterr().out
    assert main(order) == 0 and main([*order, "--check"]) == 0
    assert "x = ..." in (lesson / copies.COPY).read_text()
    (lesson / copies.SOURCE).write_text(json.dumps(notebook(("code", "x = ", ["solution"]))))
    assert main(order) == 2 and "cell c0 is not Python" in capsys.readouterr().err
    assert main(["teach", "students", str(lesson / "none")]) == 2


def test_what_is_handed_out_holds_nothing_of_the_teachers_and_is_never_written_over(tmp_path, capsys):
    out = tmp_path / "handout"
    assert main(["teach", "students", "--to", str(out)]) == 0
    written = [Path(line) for line in capsys.readouterr().out.splitlines()]
    assert sorted(file for file in out.rglob("*") if file.is_file()) == sorted(written)
    assert {file.name for file in written} == {"requirements.txt", copies.INDEX, copies.COPY} and len(written) == 13
    assert "navalkit[app]==" in (out / "requirements.txt").read_text()
    index = (out / copies.INDEX).read_text()
    assert "To work through one" in index and "For teachers" not in index and "teachers.ipynb" not in index
    for link in re.findall(
        r"\]\(([^)]+)\)", "".join(copies.source(cell) for cell in copies.read(out / copies.INDEX)["cells"])
    ):
        assert (out / link).is_file(), link
    assert main(["teach", "students", "--to", str(out)]) == 0, "what nobody has worked in may be made again"
    worked_in = out / "01_counting_cards" / copies.COPY
    worked_in.write_text(worked_in.read_text().replace("alone = ...", "alone = 6"))
    before = worked_in.read_text()
    assert main(["teach", "students", "--to", str(out)]) == 2
    assert "is there already" in capsys.readouterr().err and worked_in.read_text() == before


@pytest.mark.parametrize("numbers, call", [("7", "numbers=7"), ("lesson", "numbers='lesson'")])
def test_a_teacher_fixes_the_numbers_of_a_handout(tmp_path, capsys, numbers, call):
    assert main(["teach", "students", "--to", str(tmp_path / "out"), "--numbers", numbers]) == 0
    for copy in (tmp_path / "out").glob(f"*/{copies.COPY}"):
        assert f"begin(my_name, {call})" in copy.read_text()
    assert main(["teach", "students", "--to", str(tmp_path / "other"), "--numbers", "mine"]) == 2
    assert "own, lesson or a whole number" in capsys.readouterr().err


def test_what_pages_are_served_from_holds_no_solution_and_no_plan():
    """Voila serves the folder `notebooks`, and Binder opens it: whatever a class can reach is in it."""
    served = [file for file in (ROOT / "notebooks").rglob("*") if ".ipynb_checkpoints" not in file.parts]
    assert not [file for file in served if file.name in (copies.SOURCE, pages.PLAN)]
    assert not [file for file in served if file.suffix == ".ipynb" and copies.SOLUTION in
                {tag for cell in copies.read(file)["cells"] for tag in cell["metadata"].get("tags", [])}]  # fmt: skip


def test_on_a_page_for_reading_a_check_leads_to_where_one_can_write(monkeypatch, tmp_path):
    assert "three dots" in check("cards.1").text and "index.ipynb" not in check("cards.1")._repr_html_()
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5")
    shown = check("cards.1", ...)
    assert shown.slip == "unanswered" and "open the lesson in Jupyter" in shown.text
    assert 'href="../index.ipynb"' in shown._repr_html_()
    assert "in Jupyter" in report("Ada", tmp_path).text and not list(tmp_path.iterdir())


def test_the_plans_of_all_lessons_stand_under_their_list():
    folder = ROOT / "teaching"
    shown = plans(folder)._repr_markdown_()
    for name in shown_names(shown):
        assert f'<a id="{name}"></a>' in shown and (folder / name / "instructor.md").is_file()
    assert len(shown_names(shown)) == 11 and not re.search("^# ", shown, re.MULTILINE)
    assert "| cards.5 | 43/141 |" in shown and ">Lesson 1, counting cards</a>" in shown
    with pytest.raises(DataError, match="name the folder of lessons"):
        plans(folder / "01_counting_cards")


def test_the_teachers_door_is_shut_to_a_class_on_the_same_server(monkeypatch):
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5")
    for folder in ("", ROOT / "teaching"):
        shown = plans(folder)._repr_markdown_()
        assert "navalkit play --teacher" in shown and "43/141" not in shown
    monkeypatch.setenv(pages.DOOR, str(ROOT / "teaching"))
    assert "43/141" in plans()._repr_markdown_()


def shown_names(markdown: str) -> list[str]:
    return re.findall(r'href="#(\w+)"', markdown)


@pytest.mark.parametrize("module", [formula, checking], ids=lambda module: module.__name__)
def test_the_examples_of_the_docstrings_are_true(module):
    PROGRESS.forget()
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0


def test_help_shows_examples(capsys):
    for name in ("grade", "students", "check-exercises", "seal"):
        assert main(["teach", name, "--help"]) == 0
        assert f"Example: navalkit teach {name} " in capsys.readouterr().out


# -- questions and pictures --------------------------------------------------------------------------


def test_questions_agree_with_slow_twins():
    def ways(length: int, rows: int, columns: int) -> list[set]:
        return [{(r, c + i) for i in range(length)} for r in range(rows) for c in range(columns - length + 1)] + [
            {(r + i, c) for i in range(length)} for r in range(rows - length + 1) for c in range(columns)
        ]

    def apart(a: set, b: set) -> bool:
        return all(abs(r - s) + abs(c - d) > 1 for r, c in a for s, d in b)

    assert questions.fleets(5, 5, [3, 2]) == sum(apart(a, b) for a in ways(3, 5, 5) for b in ways(2, 5, 5))
    assert questions.fleets(4, 4, [3], ship="B2", water="A2") == sum(
        (1, 1) in way and (1, 0) not in way for way in ways(3, 4, 4)
    )
    half, eighth = Fraction(1, 2), Fraction(1, 8)
    # One look ahead: at 24 both are worth the same, and a ship less is worth risking.
    assert questions.turns_home_at(4, half, eighth, 6) == 24
    assert questions.worth_going_on(1, 18, half, eighth, 6) == half * 24 + Fraction(3, 8) * 18
    assert questions.always_sails_on(2, 24, half, eighth, 6) < questions.worth_going_on(2, 24, half, eighth, 6) == 24
    assert questions.share_of_hits("8D", 2, 500, 1) == questions.share_of_hits("8D", 2, 500, 1)


def test_pictures_say_in_words_what_they_show():
    from navalkit import Match

    picture = board(Match.new("uss-lox", seed=154))
    html = picture._repr_html_()
    assert html.startswith("<img alt=") and "base64," in html and "ocean" in repr(picture)
    chart = bars({"one": Fraction(1, 4), "two": Fraction(3, 4)}, "Chances")
    assert chart.scene.desc == "one: 25 %; two: 75 %." and 'alt="Chances. one: 25 %' in chart._repr_html_()
    assert bars({"a": 26006.4, "b": 0}, "Tons", "tons").scene.desc == "a: 26,006; b: 0."
    ship = Place(Hex.parse("D6"), 2)
    sea = hex_map(Hex.parse("D6").disc(2), {"S": ship}, [Hex.parse("E7")], {Hex.parse("D6"): 0})
    assert "S lies at D6, course 2" in sea.scene.desc and "marked: E7" in sea.scene.desc
    assert "D5" in repr(sea)


def test_a_hidden_game_is_drawn_as_one_side_sees_it():
    from navalkit import Match

    match = Match.new("wolf-pack", seed=76)
    assert repr(board(match, player=0)) != repr(board(match, player=1))
    assert repr(board(match, ply=0)) != repr(board(match))


def test_the_whole_list_of_functions_can_be_called():
    """Each listed name leads to a function that is there."""
    from importlib import import_module

    from navalkit.teach import library

    for module, listed in library.LISTED.items():
        for name in listed.split():
            assert callable(getattr(import_module(module), name)), name


def test_the_reference_of_a_function_is_the_listed_one():
    kind = kinds.kind("function of whole", cases=[[0, 0, 3, 2]])
    assert Computed(kind, "hex_distance").value == [5]
    with pytest.raises(DataError, match="needs `cases`"):
        kinds.kind("function of whole")


@pytest.mark.parametrize("name", names())
def test_a_board_is_drawn_for_every_game_and_speaks_of_no_click(name):
    from navalkit import Match

    picture = board(Match.new(name, seed=5))
    assert picture.scene.cells is not None and len(picture._repr_html_()) > 1000
    assert not re.search(r"\b(click|tap|drag)\b", repr(picture.scene), re.IGNORECASE)
