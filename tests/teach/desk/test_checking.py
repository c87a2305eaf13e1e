"""Checks say right, or what kind of wrong, and never the answer."""

from __future__ import annotations
import re
import socket
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from navalkit.core.dist import Dist
from navalkit.core.words import Voice, speaking
from navalkit.grids.hex import Hex
from navalkit.teach import begin, formulas
from navalkit.teach.checking import PROGRESS, UNANSWERED, check
from navalkit.teach.exercises import exercise
from navalkit.teach.exercises.exercise import Function
from navalkit.teach.exercises.formula import MISREAD, number_in
from navalkit.testing import heard, said
from ...english import english
from ...sentences import TEACH
from ..desks import SHIPPED, wrong_of


def test_what_a_check_says_follows_the_language_of_the_page(monkeypatch):
    monkeypatch.setenv("QUERY_STRING", "?lang=de")
    verdict = check("cards.2", 12.2)
    with speaking(Voice("de")):
        said(verdict.text, TEACH, "percentage")
        said(begin("Ada", numbers="none").text, TEACH, "no_numbers")
    assert 'lang="de"' in verdict._repr_html_()
    monkeypatch.delenv("QUERY_STRING")
    said(check("cards.2", 12.2).text, TEACH, "percentage")


@pytest.mark.parametrize("answer", [
    "zzz", [], {}, True, print, 10 ** 400, float("nan"), 1.5, "1,275", "z z", 7, -1,
])
@pytest.mark.parametrize("id", ["cards.1", "cards.2", "unseen.1", "hexes.1", "nowhere.1"])
def test_no_english_is_left_in_what_a_check_itself_says(id, answer, monkeypatch):
    monkeypatch.setenv("QUERY_STRING", "?lang=de")
    question = SHIPPED.get(id)
    own = [*question.hints, *(each.say for each in question.mistakes), question.after] if question else []
    text = check(id, answer).text
    for each in filter(None, own):  # the lesson's own
        text = text.replace(each, "")
    assert set(english(text.splitlines())) == set(), question


@pytest.mark.parametrize("id", SHIPPED)
def test_a_wrong_answer_is_told_what_is_wrong_and_gets_all_hints_in_turn(id):
    question = SHIPPED[id]
    for mistake in question.mistakes:
        if not isinstance(question.kind, Function):
            verdict = check(id, mistake.value)
            assert not verdict and verdict.slip == mistake.slip and mistake.say in verdict.text
    PROGRESS.forget()
    wrong = wrong_of(question)
    for number, hint in enumerate(question.hints, 1):
        text = check(id, next(wrong)).text
        said(text, TEACH, "hint", number=number, of=len(question.hints), hint=hint)
        assert sum(other in text for other in question.hints) == 1
    said(check(id, next(wrong)).text, TEACH, "no_more_hints")


ONE_OF_A_KIND = {each.kind.of: id for id, each in SHIPPED.items()}.values()
BAD = [object(), "what?!", float("nan"), float("inf"), "7/0", 10**300, {}, b"6", 1 + 2j, True]
BAD_OF = {"whole": [6.5, "6.5", []], "number": ["1,275", []], "probability": [[]]}


@pytest.mark.parametrize("id", ONE_OF_A_KIND)
def test_what_is_typed_badly_is_no_try_and_costs_no_hint(id):
    """Whatever cannot be read as an answer of the kind asked for: it is said what is asked, and nothing is counted."""
    kind = SHIPPED[id].kind
    bad = [*BAD, *BAD_OF.get(getattr(kind, "name", ""), [])]
    if isinstance(kind, exercise.Items):  # any list of things can be read
        bad = [object(), 7, {}, True, None.__class__, "", " ", "[]", '""', "..."]
    for answer in bad:
        verdict = check(id, answer)
        assert not verdict and verdict.free and verdict.slip in MISREAD, answer
        said(verdict.text, TEACH, "no_try")
        assert not heard(verdict.text, TEACH, "hint") and "…" in verdict._repr_html_()
    assert not PROGRESS.tries
    said(check(id, next(wrong_of(SHIPPED[id]))).text, TEACH, "hint", number=1)
    assert len(PROGRESS.tries) == 1


@pytest.mark.parametrize("id, answer, slip", [("cards.2", 12.2, "percentage"), ("cards.2", "600/49", "percentage"),
                                              ("risk.2", 8710, "thousand")])  # fmt: skip
def test_another_unit_is_no_try(id, answer, slip):
    if id == "risk.2":
        answer = SHIPPED[id].reference.value * 1000
    assert check(id, answer).slip == slip and not PROGRESS.tries
    assert check(id, "5 %").slip == "other" and len(PROGRESS.tries) == 1


def test_every_name_of_what_cannot_be_read_is_known():
    """A new sentence on a bad answer must not become a try by being forgotten."""
    folder = Path(exercise.__file__).parent
    source = "".join((folder / name).read_text(encoding="utf-8") for name in ("exercise.py", "formula.py"))
    assert set(re.findall(r'Misread\(\s*"(\w+)"', source)) | {"too_large"} | {"not_finite"} == MISREAD


def test_a_wrong_function_is_known_by_what_it_gives():
    def never_home(left, tons, sink, lost, ship):
        return tons if left == 0 else sink * never_home(left - 1, tons + ship, sink, lost, ship) + (
            1 - sink - lost) * never_home(left - 1, tons, sink, lost, ship)  # fmt: skip

    assert check("risk.4", never_home).slip == "never goes home"
    assert check("hexes.4", lambda a, b, c, d: max(abs(a - c), abs(b - d))).slip == "the larger of two"
    assert check("hexes.4", lambda a, b, c, d: formulas.hex_distance(a, b, c, d) + 1).slip == "one_too_many"
    partly = check("hexes.4", lambda a, b, c, d: formulas.hex_distance(a, b, c, d) if a >= 0 else 0)
    said(partly.text, TEACH, "function_wrong", right=7, of=8)
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


@pytest.mark.parametrize("id", [i for i, e in SHIPPED.items() if isinstance(e.kind, exercise.Number)])
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


class Leaves:
    """Ends the program when it is looked at."""

    def __repr__(self) -> str:
        sys.exit()


HUGE = [10**5000, -(10**5000), Fraction(10**5000, 3), Fraction(1, 10**5000), "9" * 5000, "1/" + "9" * 5000, "1e999",
        np.float32("nan"), np.array(3), np.array([]), np.bool_(True), {1: 2}, range(10**9), b"6", 1e308]  # fmt: skip


@pytest.mark.parametrize("id", ["cards.1", "cards.2", "sure.1", "hexes.1", "hexes.2", "risk.6", "risk.4"])
def test_huge_and_odd_answers_are_told_what_they_are(id):
    for answer in HUGE:
        assert check(id, answer).slip not in ("unreadable", "broken")
    assert not check(id, Hostile()) and not check(id, [Hostile()]) and not check(id, lambda *case: Hostile())
    assert not check(Hostile(), 6)  # type: ignore[arg-type]
    assert not check(id, Leaves()) and not check(id, [Leaves()]) and not check(id, lambda *case: sys.exit())


def test_an_endless_list_is_answered():
    assert not check("hexes.1", iter(int, 1))


def test_sentences_name_what_was_given():
    said(check("cards.3", Dist.uniform([1, 2])).text, TEACH, "type_dist")
    said(check("cards.3", len).text, TEACH, "type_function")
    for close in (0.26, 0.25, 0.3, 0.2603, "0,26"):
        said(check("cards.3", close).text, TEACH, "close")
    for far in (0.27, 0.24, 0.28, 0.2):
        assert not heard(check("cards.3", far).text, TEACH, "close"), far
    said(check("cards.3", 2).text, TEACH, "no_probability")


@pytest.mark.parametrize(
    "answer, slip",
    [(6, ""), (6.0, ""), ("6", ""), (np.int64(6), ""), (5, "one_too_few"), (7, "forgot the cards seen"), (-6, "sign"),
     (6.5, "not_whole"), (60, "other"), ("6,000", "other")],
)  # fmt: skip
def test_what_kind_of_wrong_a_whole_number_is(answer, slip):
    assert check("cards.1", answer).slip == slip


def test_off_by_one_gives_no_small_number_away():
    assert not heard(check("cards.1", 5).text, TEACH, "one_too_few", "one_too_many") and PROGRESS.tries
    said(check("cards.4", 209).text, TEACH, "one_too_few")


def test_a_comma_is_read_as_it_is_meant_or_asked_about():
    assert check("sure.2", "10,000").right and check("cards.2", "0,122").right and check("sure.1", "0,00496").right
    assert check("risk.3", "24,000").slip == check("risk.3", "1,275").slip == "which_comma"


def test_the_slips_that_teachers_missed():
    assert check("cards.2", "7/49").slip == "forgot the cards seen above"
    assert check("unseen.1", 16).slip == "squares for ships"
    assert check("unseen.2", "1/16").slip == check("unseen.3", "1/15").slip == "squares for ships"
    assert check("unseen.8", "Z9").slip == "no_choice"
    said(check("unseen.8", "Z9").text, TEACH, "no_choice", found="'Z9'")
    assert check("unseen.8", "B 3").right and check("unseen.8", "C 4").slip == "other"


def test_a_list_is_compared_by_length_then_content_then_place():
    right = [3, 3, 2, 5, 3, 4, 4, 3, 3, 4]
    assert check("machine.4", right).right
    said(check("machine.4", right[:9]).text, TEACH, "list_short", found=9)
    said(check("machine.4", [*right, 3]).text, TEACH, "list_long", found=11)
    said(check("machine.4", [4, *right[1:9], 3]).text, TEACH, "other_order")
    said(check("machine.4", [*right[:9], 3]).text, TEACH, "list_differs", right=9, of=10, place=10)
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
    said(check("hexes.1", "D3 E4").text, TEACH, "items_missing")
    assert check("risk.6", "It stays the same").right
    said(check("risk.6", "no idea").text, TEACH, "no_choice")
    assert check("risk.6", 3).slip == "not_a_text"
    said(check("hexes.1", "D3 E4 E5 D5 C5 C4 A1").text, TEACH, "items_foreign")


PAIRS = ["2 6", "2, 6", "2 and 6", "[2, 6]", "(2, 6)", "{2, 6}", "2; 6", "2;6", "2/6", "2 / 6", "2 6.", "2. 6.",
         "2 -> 6", "2->6", "2 → 6", "2 und 6", "'2', '6'", "[“2”, „6“]", '["2", "6"].', "2 + 6",
         "2 - 6", "2 & 6"]  # fmt: skip


@pytest.mark.parametrize("ordered", [True, False])
def test_a_list_is_read_however_its_parts_are_set_apart(ordered):
    kind = exercise.Items(ordered)
    assert {kind.read(text) for text in PAIRS} == {("2", "6")}
    for text in ("B 2, B 3", "B2/B3", "b 2 and B-3", "{'B2'; 'B 3'}", "B 2 → B 3.", ["B2", "B 3"]):
        assert kind.read(text) == ("b2", "b3"), text
    for text in ("-3, -2", "(−3, −2)", "-3 -> -2", "-3->-2", "[-3; -2]", "-3/-2", "-3 und -2", (-3, -2)):
        assert sorted(kind.read(text)) == ["-2", "-3"], text
    assert kind.read("1/2, 2/3") == ("1/2", "2/3"), "fractions stay whole beside others"
    assert kind.read("Andrea sandy") == ("andrea", "sandy")


def test_a_right_list_is_right_in_any_of_its_spellings():
    right = [3, 3, 2, 5, 3, 4, 4, 3, 3, 4]
    for stop in (" and ", "; ", "/", " -> ", ", "):
        assert check("machine.4", stop.join(map(str, right)))
    assert check("hexes.1", "{D3, E4, E5, D5, C5 and C4}") and check("hexes.2", "(5; 2)")


@pytest.mark.parametrize("text, value", [
    ("1 2/13", Fraction(15, 13)), ("-1 2/13", Fraction(-15, 13)), ("−1  2 / 13", Fraction(-15, 13)),
    ("1 000/13", Fraction(1000, 13)), ("1 200/13", Fraction(1200, 13)), ("2/13", Fraction(2, 13)),
    ("0 2/13", Fraction(2, 13)), ("1 1/2 %", Fraction(3, 200)), ("1 000", 1000), ("12 of 13", Fraction(12, 13)),
])  # fmt: skip
def test_a_mixed_number_is_read_as_one(text, value):
    assert number_in(text, "number") == value


def test_a_mixed_number_is_a_right_answer():
    assert check("cards.7", "1 2/13") and not check("cards.7", "12/13")


def test_an_unknown_exercise_is_said_kindly():
    verdict = check("card.1", 3)
    assert not verdict
    said(verdict.text, TEACH, "unknown", near="cards.1")
    assert not check(7, 3)
    assert not PROGRESS.tries


def test_a_verdict_is_shown_with_a_sign_and_escaped():
    html = check("cards.1", "<script>")._repr_html_()
    assert "…" in html and "<script>" not in html and "✗" in check("cards.1", 987)._repr_html_()
    assert "✓" in check("cards.1", 6)._repr_html_()
    assert "…" in check("cards.1")._repr_html_()


def test_nothing_asks_the_network(monkeypatch):
    def refuse(*args: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert check("cards.1", 6)
