"""Tries last: over restarts, other kernels, files of others, and damage."""

from __future__ import annotations
import re
from base64 import b64decode
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from navalkit.core.errors import DataError
from navalkit.teach import begin, checking, fresh, report
from navalkit.teach.checking import PROGRESS, Student, Tried, Try, check, summed_up
from navalkit.teach.exercises import book
from navalkit.testing import heard, refused, said
from ...sentences import TEACH
from ..desks import restart, student


def test_tries_count_until_the_first_right_answer():
    for answer in (7, 5, 6, 7, 6):
        check("cards.1", answer)
    assert summed_up(PROGRESS.tries) == {"cards.1": Tried(1, 3, ["forgot the cards seen", "one_too_few"])}


def test_a_cell_run_again_is_no_new_try_and_costs_no_hint():
    first = check("cards.1", 9)
    assert check("cards.1", 9) == first
    said(first.text, TEACH, "hint", number=1)
    said(check("cards.1", 10).text, TEACH, "hint", number=2)
    for _ in range(2):  # a function is what it gives: defined anew, it is the same answer
        check("hexes.4", lambda a, b, c, d: 3)
    assert {id: each.tries for id, each in summed_up(PROGRESS.tries).items()} == {"cards.1": 2, "hexes.4": 1}


def test_a_wrong_answer_after_a_right_one_still_gets_a_hint():
    check("cards.1", 6)
    said(check("cards.1", 5).text, TEACH, "hint", number=1)
    assert summed_up(PROGRESS.tries) == {"cards.1": Tried(1, 1, [])}


def test_tries_survive_a_restarted_kernel_and_run_all():
    restart()
    check("cards.1", 9)
    check("cards.1", 10)
    said(restart(), TEACH, "begun_again", before=2)
    said(check("cards.1", 10).text, TEACH, "hint", number=2)  # the cell is run again: no new try
    said(check("cards.1", 11).text, TEACH, "hint", number=3)
    check("cards.1", 6)
    for _ in range(3):  # Run All, again and again
        restart()
        check("cards.1", 6)
    assert summed_up(PROGRESS.tries)["cards.1"] == Tried(1, 4, ["other", "other", "other"])
    assert report().files == (Path.cwd() / "ada.cards.report.json",)


def test_a_report_is_saved_from_below_the_cell_as_it_was_written():
    restart()
    check("cards.1", 6)
    note = report()
    said(note._repr_html_(), TEACH, "save", file="ada.cards.report.json")
    (data,) = re.findall(r'href="data:application/json;base64,([^"]+)"', note._repr_html_())
    assert b64decode(data) == note.files[0].read_bytes()
    note.files[0].unlink()
    assert "href" not in note._repr_html_()  # what is gone is not offered


def test_what_was_tried_before_the_name_was_written_is_taken_along():
    check("cards.1", 7)
    begin("Ada", numbers="lesson")
    check("cards.1", 6)
    restart()
    assert summed_up(PROGRESS.tries)["cards.1"] == Tried(1, 2, ["forgot the cards seen"])


def test_two_kernels_at_once_lose_nothing(tmp_path):
    restart()
    check("cards.1", 7)
    one, PROGRESS.tries = set(PROGRESS.tries), set()  # a second kernel that began at the same time
    check("cards.2", 0.5)
    assert one | PROGRESS.tries == checking.read_report(tmp_path / "ada.cards.report.json").tries


def test_another_student_at_the_same_desk_starts_anew(tmp_path):
    restart()
    check("cards.1", 7)
    begin("Bob", numbers="lesson")
    assert PROGRESS.tries == set()
    said(check("cards.1", 9).text, TEACH, "hint", number=1)
    begin("Ada", "7b", "lesson")
    assert PROGRESS.tries == set(), "a class tells two students of one name apart"
    check("cards.1", 6)
    files = ["ada.7b.cards.report.json", "ada.cards.report.json", "bob.cards.report.json"]
    assert sorted(path.name for path in tmp_path.iterdir()) == files


def test_a_history_has_an_id_that_lasts_over_restarts_and_lessons(tmp_path):
    ids = []
    for lesson, id in (("01_counting_cards", "cards.1"), ("06_hexes", "hexes.5"), ("01_counting_cards", "cards.2")):
        (tmp_path / lesson).mkdir(exist_ok=True)
        restart(folder=tmp_path / lesson)
        check(id, 7)
        ids.append(checking.read_report(report().files[0]).student.id)
    assert len(set(ids)) == 1 and ids[0]
    (tmp_path / "elsewhere").mkdir()
    for name, folder in (("Ada", tmp_path / "elsewhere"), ("Bob", tmp_path / "06_hexes")):
        restart(name, folder=folder)
        check("hexes.5", 7)
        assert checking.read_report(report().files[0]).student.id not in ids


@pytest.mark.parametrize("first", [True, False], ids=["tried before the name", "name first"])
def test_a_name_known_in_another_lesson_is_said_before_anything_is_added_to_it(tmp_path, first):
    """The histories of lessons count as one, so a second student of that name is warned in a new lesson, too."""
    one, two = (tmp_path / name for name in ("01_counting_cards", "06_hexes"))
    hers = checking.read_report(student(one, "Ada", ("cards.1", 9))).student.id
    two.mkdir()
    PROGRESS.forget()
    if first:
        check("hexes.5", 7)
    said(begin("Ada", numbers="lesson", folder=two).text, TEACH, "begun_beside")
    assert list(two.iterdir()) == []
    begin("Ada", "7b", "lesson", two)
    check("hexes.5", 61)
    mine = checking.read_report(two / "ada.7b.hexes.report.json")
    assert mine.student.id != hers and summed_up(mine.tries)["hexes.5"].tries == 1 + first
    assert len(list(two.iterdir())) == 1


def test_one_who_goes_on_in_another_lesson_is_welcomed_once(tmp_path):
    one, two = (tmp_path / name for name in ("01_counting_cards", "06_hexes"))
    hers = checking.read_report(student(one, "Ada", ("cards.1", 9))).student.id
    two.mkdir()
    restart(folder=two)
    check("hexes.5", 7)
    assert checking.read_report(two / "ada.hexes.report.json").student.id == hers
    assert not heard(begin("Ada", numbers="lesson", folder=two).text, TEACH, "begun_beside")
    said(restart(folder=two), TEACH, "begun_again", before=1)


def test_a_history_of_another_id_is_neither_taken_up_nor_written_over(tmp_path):
    """A file of another Ada, brought here from her desk, is left as it is."""
    other = student(tmp_path / "her desk", "Ada", ("cards.1", 7), ("cards.1", 9))
    restart(folder=tmp_path)
    check("cards.1", 6)
    text = other.read_text()
    brought = other.rename(tmp_path / "ada.cards.5.report.json")
    begin("Ada", numbers="lesson")
    check("cards.2", 0.5)
    assert brought.read_text() == text and {each.exercise for each in PROGRESS.tries} == {"cards.1", "cards.2"}
    mine = checking.read_report(tmp_path / "ada.cards.report.json")
    assert mine.tries == PROGRESS.tries and len(mine.tries) == 2


def test_what_one_tried_before_the_name_is_not_given_to_another_of_that_name(tmp_path):
    """She tries, writes her name, is warned that another has it, and writes her class too."""
    path = student(tmp_path, "Ada", ("cards.1", 9))
    text = path.read_text()
    PROGRESS.forget()
    check("cards.1", 7)
    said(begin("Ada", numbers="lesson").text, TEACH, "begun_again")
    begin("Ada", "7b", "lesson")
    check("cards.1", 6)
    assert path.read_text() == text
    mine = checking.read_report(tmp_path / "ada.7b.cards.report.json")
    assert summed_up(mine.tries)["cards.1"] == Tried(1, 2, ["forgot the cards seen"])


def test_the_tries_before_the_name_are_kept_where_no_class_is_added(tmp_path):
    path = student(tmp_path, "Ada", ("cards.1", 9))
    PROGRESS.forget()
    check("cards.1", 7)
    begin("Ada", numbers="lesson")
    report()
    assert {each.slip for each in checking.read_report(path).tries} == {"other", "forgot the cards seen"}


def test_a_retest_is_counted_for_itself():
    restart(numbers="own")
    question = book.shipped()["cards.1"]
    for retest in range(2):
        fresh("cards.1", retest)
        assert check("cards.1", question.drawn(PROGRESS.seed, retest).reference.value).right
    assert summed_up(PROGRESS.tries)["cards.1"] == Tried(2, 2, [])


def test_a_folder_that_cannot_be_written_to_stops_nobody(tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checking, "write_atomic", full)
    restart()
    for answer in (5, 6):
        verdict = check("cards.1", answer)
        assert verdict.right == (answer == 6)
        said(verdict.text, TEACH, "not_kept")
    said(report().text, TEACH, "not_kept")


@pytest.mark.parametrize("damage", ["nonsense", "changed", "another"])
def test_a_file_that_is_damaged_or_not_ones_own_is_not_written_over(tmp_path, damage):
    path = student(tmp_path, "Ada", ("cards.1", 7))
    text = path.read_text()
    damages = {"nonsense": "{", "changed": text.replace("forgot", "got"), "another": text.replace("Ada", "Eve")}
    path.write_text(damages[damage])
    before = path.read_text()
    restart()
    check("cards.1", 6)
    assert path.read_text() == before
    assert checking.read_report(tmp_path / "ada.cards.2.report.json").tries == PROGRESS.tries


def test_nothing_is_written_without_a_name_or_a_try(tmp_path):
    said(report("Ada", folder=tmp_path).text, TEACH, "nothing_tried")
    PROGRESS.forget()
    check("cards.1", 6)
    for name in (..., "", "  ", 7):
        assert report(name).files == ()
        said(begin(name).text, TEACH, "no_name")
    said(begin("Ada", numbers="mine").text, TEACH, "no_numbers")
    assert list(tmp_path.iterdir()) == []


def test_a_report_goes_round_and_says_what_it_is(tmp_path):
    check("cards.1", 6)
    check("cards.2", 0.9)
    check("hexes.5", 61)
    receipt = report("Ada  Lovelace", "7b", tmp_path)
    assert [path.name for path in receipt.files] == [
        "ada-lovelace.7b.cards.report.json", "ada-lovelace.7b.hexes.report.json"]  # fmt: skip
    said(receipt.text, TEACH, "written", right=2, tried=3)
    said(receipt.text, TEACH, "written")
    read = [checking.read_report(path) for path in receipt.files]
    student = Student("Ada Lovelace", "7b", "lesson", read[0].student.id)
    assert {each.student for each in read} == {student} and student.id and all(r.intact for r in read)
    assert read[0].tries | read[1].tries == PROGRESS.tries
    timeless = re.sub(r"T[\d:.]+", "T", receipt.files[0].read_text())  # a second may be 10.929
    assert "T+00:00" in timeless and "0.9" not in timeless, "no answer is in it"


def test_a_name_is_one_line_that_any_terminal_takes(tmp_path):
    for written, name in (
        ("Zo\x1b[2Jé\n\x00", "Zo [2Jé"),
        ("a\ud800b", "a b"),
        ("می\u200cنا", "می\u200cنا"),
        ("x" * 500, "x" * 80),
    ):
        assert checking.named(written, written) == Student(name, name)
    for nobody in ("", " \x00\n", ..., 7):
        with pytest.raises(ValueError):
            checking.named(nobody)


BLANK = "\x07\u3164\u2800"
"""Letters that cannot be seen, but look like a blank."""


@pytest.mark.parametrize("unseen", [*"\u200b\u200c\u200d\u00ad\ufe0f\u034f\u180e\U000e0101\U000e0041", *BLANK])
def test_letters_that_cannot_be_seen_give_no_other_numbers(unseen):
    plain, hidden = (checking.named(f"Ada{end}", f"7b{end}", course=f"Autumn{end}") for end in ("", unseen * 2))
    assert hidden.key == plain.key and hidden.seed == plain.seed and hidden.course == plain.course
    if unseen not in BLANK:
        assert checking.named(f"A{unseen}da").seed == checking.named("Ada").seed
    assert Student("Ada", course=f"Autumn{unseen}").seed == Student("Ada", course="Autumn").seed
    assert checking.named("Ada", unseen).file("cards") == Student("Ada").file("cards")
    with pytest.raises(ValueError):
        checking.named(unseen)
    assert Student("Ada B.").seed != Student("Ada").seed


TRIES = st.builds(
    Try, st.sampled_from(["2026-01-01", "2026-01-02"]), st.sampled_from("ab"), st.integers(1, 9),
    st.sampled_from(["cards.1", "cards.2"]), st.integers(0, 1), st.sampled_from(["", "sign", "other"]), st.just("x"),
)  # fmt: skip


@given(st.sets(TRIES), st.sets(TRIES))
def test_merging_loses_nothing(mine, other):
    """What is right stays right, whatever file it is in, and no slip disappears that came before."""
    both, sums = summed_up(mine | other), [summed_up(mine), summed_up(other)]
    for part in sums:
        for id, tried in part.items():
            assert both[id].right >= tried.right
    assert summed_up([*mine, *mine]) == sums[0]
    assert {each.exercise for each in mine | other} == set(both)


CHANGES = [('"lesson"', '"own"'), ("Ada", "Bob"), ('"forgot the cards seen"', '""')]


@pytest.mark.parametrize("old, new", CHANGES)
def test_a_changed_report_is_found_out(tmp_path, old, new):
    path = student(tmp_path, "Ada", ("cards.1", 7))
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    assert not checking.read_report(path).intact


ODD_ID = '{"navalkit-report": 1, "name": "Ada", "group": "", "numbers": "own", "id": "../x", "tries": []}'
OTHER = ODD_ID.replace("report\": 1", "report\": 2").replace("../x", "0123abcd")
DAMAGED = [ODD_ID, OTHER, "", "{}", "[1]", "nonsense", '{"navalkit-report": 1, "tries": [[1]]}']


@pytest.mark.parametrize("text", [*DAMAGED, "[" * 99999, " " * 2_000_000])
def test_a_damaged_report_is_one_clear_error(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with refused(DataError, TEACH, "class.damaged", file="x.json"):
        checking.read_report(tmp_path / "x.json")
