"""Lessons as pages, and the teacher's door."""

from __future__ import annotations
import re
import tomllib
from pathlib import Path

from navalkit.core.errors import DataError
from navalkit.teach import papers, report
from navalkit.teach.checking import check
from navalkit.teach.papers import plans
from navalkit.testing import refused, said
from ...sentences import TEACH

ROOT = Path(__file__).parents[3]


def test_on_a_page_for_reading_a_check_leads_to_where_one_can_write(monkeypatch, tmp_path):
    said(check("cards.1").text, TEACH, "unanswered")
    assert "index.ipynb" not in check("cards.1")._repr_html_()
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5")
    shown = check("cards.1", ...)
    assert shown.slip == "unanswered"
    said(shown.text, TEACH, "read_only")
    assert 'href="../index.ipynb"' in shown._repr_html_()
    said(report("Ada", tmp_path).text, TEACH, "read_only")
    assert not list(tmp_path.iterdir())


def test_the_plans_of_all_lessons_stand_under_their_list():
    folder = ROOT / "teaching"
    shown = plans(folder)._repr_markdown_()
    for name in shown_names(shown):
        assert f'<a id="{name}"></a>' in shown and (folder / name / "instructor.md").is_file()
    assert len(shown_names(shown)) == 12 and not re.search("^# ", shown, re.MULTILINE)
    assert "| cards.5 | 43/141 |" in shown and ">Lesson 1, counting cards</a>" in shown
    with refused(DataError, TEACH, "copy.no_plan"):
        plans(folder / "01_counting_cards")


def test_the_teachers_door_is_shut_to_a_class_on_the_same_server(monkeypatch):
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5")
    for folder in ("", ROOT / "teaching"):
        shown = plans(folder)._repr_markdown_()
        said(shown, TEACH, "door")
        assert "43/141" not in shown
    monkeypatch.setenv(papers.DOOR, str(ROOT / "teaching"))
    assert "43/141" in plans()._repr_markdown_()


def test_where_others_reach_the_server_the_door_wants_its_key(monkeypatch):
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5")
    monkeypatch.setenv(papers.DOOR, str(ROOT / "teaching"))
    monkeypatch.setenv(papers.KEY, "abcd1234")
    for query, passes in (("", False), ("key=", False), ("key=abcd123é", False), ("x=1&key=abcd1234", True)):
        monkeypatch.setenv("QUERY_STRING", query)
        assert ("43/141" in plans()._repr_markdown_()) is passes, query


def test_what_students_install_holds_no_solution_and_no_plan():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    shared = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert not any("teaching" in path for pair in shared.items() for path in pair)
    assert "rm -rf teaching" in (ROOT / "binder" / "postBuild").read_text(encoding="utf-8")


def shown_names(markdown: str) -> list[str]:
    return re.findall(r'href="#(\w+)"', markdown)
