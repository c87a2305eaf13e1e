"""HTML is made by one builder, `html` and `many` of `navalkit.core.shown`: what fills a form is escaped."""

from __future__ import annotations
import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from navalkit.core.shown import Markup, html, listing, many, paragraph
from .test_imports import FILES, ROOT, tree_of

TAG = re.compile(r"</?([a-z][\w-]*)|<!\w")
FILL = {"html", "many", "filled"}
"""What fills a form, which is written out in the call, or before it as the local `form`."""
JOIN = {"join", "format", "format_map", "replace"}
SVG = set("svg g path rect circle polygon polyline text title desc style".split())
BY_HAND = {  # file -> why it may put tags of SVG together by hand
    **dict.fromkeys(("view/painters.py", "view/files.py"), "the painter of scenes: it cleans all texts"),
    "view/art.py": "pictures of cards and ships, of numbers and our own letters",
    **dict.fromkeys(
        ("view/lobby.py", "games/fleet_action/board/page.py", "games/task_force/card.py", "games/wolf_pack/page.py"),
        "the picture of a card of the lobby, of numbers",
    ),
    "rooms/classroom.py": "the colours of a picture, put into it as a style",
}
TRUSTED = {  # file -> how often it says that a text is HTML already, and why it is
    "core/shown.py": (2, "what was put into the form is escaped"),
    "games/on_patrol/board/scene.py": (2, "a picture by the painter; a style of our own"),
    "rooms/classroom.py": (1, "a style of our own"),
    "teach/papers.py": (5, "lessons' own Markdown, what their cells show, headings found in these, and our templates"),
    "ui/play/app.py": (3, "sentences of ours with markup; their facts are numbers, or escaped"),
    "ui/play/controls.py": (2, "the picture of a game's package; a picture by the painter"),
    "view/files.py": (1, "pictures by the painter"),
    "view/lobby.py": (1, "the picture of a game's package"),
}


def put_together(tree: ast.AST) -> Iterator[ast.Constant]:
    """The texts that a module formats, adds or joins to others."""
    for node in ast.walk(tree):
        parts: list[ast.AST] = []
        if isinstance(node, ast.JoinedStr):
            parts = [*node.values]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
            parts = [node.left, node.right]
        elif isinstance(node, ast.AugAssign):
            parts = [node.value]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in JOIN:
            given = [x.elts if isinstance(x, ast.List | ast.Tuple) else [x] for x in node.args]
            parts = [node.func.value, *(x for each in given for x in each)]
        for part in parts:
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield part


def tags_by_hand(tree: ast.AST, allowed: set[str]) -> list[tuple[int, str]]:
    """Lines and texts that put a tag together by hand, of no element that is allowed."""
    texts = {(part.lineno, part.value) for part in put_together(tree)}
    return sorted((line, text) for line, text in texts if set(TAG.findall(text)) - allowed)


def calls(tree: ast.AST, names: set[str]) -> Iterator[ast.Call]:
    """The calls of functions of these names that are given something."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names and node.args:
            yield node


def forms(tree: ast.AST) -> Iterator[ast.expr]:
    """What the builder is given as a form."""
    for call in calls(tree, FILL):
        first = call.args[0]
        if isinstance(first, ast.Name) and first.id == "form":
            yield from (node.value for node in ast.walk(tree) if isinstance(node, ast.Assign)
                        if isinstance(node.targets[0], ast.Name) and node.targets[0].id == "form")
        else:
            yield from (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,)


def builds(file: Path) -> bool:
    """Whether a module uses the builder."""
    shown = (node for node in ast.walk(tree_of(file)) if isinstance(node, ast.ImportFrom) and node.module)
    return any(each.module.endswith("shown") and FILL & {x.name for x in each.names} for each in shown)


@pytest.mark.parametrize("file", FILES, ids=str)
def test_no_tag_is_put_together_by_hand(file: Path) -> None:
    assert not tags_by_hand(tree_of(file), SVG if str(file) in BY_HAND else set())


def test_forms_stand_in_the_code() -> None:
    found = {file: list(forms(tree_of(file))) for file in FILES if builds(file)}
    assert len(found) > 15 and sum(map(len, found.values())) > 100
    assert not {str(file): ast.unparse(form) for file, row in found.items() for form in row
                if not (isinstance(form, ast.Constant) and isinstance(form.value, str))}


def test_few_places_say_that_a_text_is_html_already() -> None:
    said = Counter({str(file): sum(1 for _ in calls(tree_of(file), {"Markup"})) for file in FILES})
    assert +said == {file: count for file, (count, _) in TRUSTED.items()}


def test_one_module_escapes() -> None:
    """All others have it from there, but for the painter, whose documents are XML."""
    asked = re.compile(r"^\s*(from|import) (markupsafe\b|html import .*escape)", re.MULTILINE)
    told = {file for file in FILES if asked.search((ROOT / file).read_text(encoding="utf-8"))}
    assert told == {Path("core/shown.py")}


@pytest.mark.parametrize("code", [
    'f"<p>{x}</p>"', '"<p>" + x', '"<p>%s</p>" % x', '"<b>{}</b>".format(x)', '"<br>".join(x)', '"".join(["<li>", x])',
    'x += "</p>"',
])  # fmt: skip
def test_the_reader_of_tags_sees_them(code: str) -> None:
    """Lest the tests above pass by seeing nothing."""
    assert tags_by_hand(ast.parse(code), set()) and tags_by_hand(ast.parse(code), SVG)
    assert not tags_by_hand(ast.parse('html("<p>{}</p>", x); f"{x} < {y}"; "<u8"'), set())
    assert [ast.unparse(form) for form in forms(ast.parse("html(f'<p>{x}</p>'); many(x, y)"))] == ["f'<p>{x}</p>'", "x"]


def test_what_fills_a_form_is_escaped_unless_it_is_html() -> None:
    wild = "<b>\"Q\" & 'C'</b>"
    safe = "&lt;b&gt;&#34;Q&#34; &amp; &#39;C&#39;&lt;/b&gt;"
    assert html("<p title='{0}'>{0}</p>", wild) == f"<p title='{safe}'>{safe}</p>"
    assert many("<li>{}: {:.1f}</li>", [(wild, 2 / 3), (html("<i>{}</i>", "&"), 2)]) == (
        f"<li>{safe}: 0.7</li><li><i>&amp;</i>: 2.0</li>"
    )
    assert paragraph(wild) == f"<p>{safe}</p>"
    assert listing("ol", [wild, html("<i>x</i>")]) == f"<ol><li>{safe}</li><li><i>x</i></li></ol>"
    assert all(isinstance(made, Markup) for made in (html("<br>"), html("{}", wild), many("{}", ""), paragraph("")))
    assert html("<br>") + wild == f"<br>{safe}"


def test_a_form_around_nothing_is_nothing_but_a_row_is_kept() -> None:
    assert html("<p>{}</p>", "") == html("<p>{}{}</p>", "", Markup()) == paragraph("") == listing("ul", ()) == ""
    assert html("<hr>") == "<hr>" and html("<b>{}</b>", 0) == "<b>0</b>"
    assert many("<td>{}</td>", ("a", "", 0)) == "<td>a</td><td></td><td>0</td>"
