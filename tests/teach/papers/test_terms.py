"""Every term of a lesson is explained where it first appears, in each of its cuts."""

from __future__ import annotations
import re
from pathlib import Path

import pytest

from navalkit.teach import papers, students
from navalkit.teach.exercises import book

ROOT = Path(__file__).parents[3]
LESSONS = students.lessons(ROOT / "teaching")
NEEDED = {"03": ("01",), "07": ("01", "04"), "09": ("02", "08"), "10": ("08",), "12": ("04",)}
"""Lesson -> those that it says it needs: what they explain is known."""

TERMS = {
    r"cribbage": "an old English card game of which you need only this",
    r"\bescorts?\b": "a warship that guards|hunt your submarine by rule|looks for her|"
    "ships that guard a convoy|An escort can be shaken off|three escorts have",
    r"\bseed\b": "from which the computer",
    r"\bsalvo(es)?\b": "fired together|fire together|whether a salvo sinks its ship depends",
    r"hypergeometric": "drawing without replacement|choose k of the 7",
    r"\bcomb\(": "ways to choose|Needed: fractions, comb",
    r"binomial": r"ways to choose k of n|from one die upwards|how far it scatters",
    r"[Cc]onvolution": "adds what chance has not yet decided|are added by their",
    r"[Ss]tandard deviation": "root of",
    r"\bvariance\b": "mean of the squared distance|Needed: mean, variance",
    r"broadside": "every gun bears",
    r"sinking rate": "the points she can bear",
    r"dynamic programming": "best decision for any patrol|one step later",
    r"\bposterior\b": r"likely afterwards",
    r"\bprior\b": r"possible before",
    r"Bayes": "step from one to the other|strike out",
    r"\bbits\b": "log2|surprised by 1 bit",
    r"logarithm|\blog2?\(": "how often|how many times|to which power",
    r"\bcorvette\b": "a small escort|E1, a corvette",
    r"[Ss]onar\b": "hears under water|SONAR – DEPTH CHARGES",
    r"periscope\b": "the tube through which",
    r"\bmarker\b": "a counter that lies",
    r"\bmode\b": "The state sets the \\*\\*mode",
    r"\bradials?\b": "Six straight rows of hexes",
    r"\bvector\b": "The straight way that leaves one turn",
    r"\bstation\b": "her place round the convoy",
    r"\*\*inverted|inverted marker": "face down",
    r"assault zone": "all within two hexes",
    r"decision table": "one row for every case|One row for each state",
    r"state machine": "remembers just enough|lead from state to state",
    r"\bport\b": r"\(left\)|L\) or starboard",
    r"[Aa]xial coordinates": "q counts columns|coordinates in which every step|go from one to the other",
    r"modulo": "begin anew",
    r"mixed strategy": "how often to bluff",
    r"[Ss]tandard errors?\b": "standard deviation / √n|lie within one of it|give the standard error|"
    "Needed: (shares and standard errors|lessons 2 and 8)",
    r"Monte Carlo": "a machine plays|A machine plays",
    r"depth charges": "drums of explosive|SONAR – DEPTH CHARGES",
    r"Hedgehog": "24 bombs ahead",
    r"\bpattern\b": "charges of one turn",
    r"[Cc]alibrat(ed|ion|e)\b": "so that the game agrees|about 30 % come true",
    r"Brier": "square of its distance",
    r"\bskill\b": "library take away",
}  # fmt: skip
PROMISED = {"purpose"}
"""Cells that tell what a lesson is about: what they name is explained in it, sooner or later."""


def texts(notebook: dict) -> list[tuple[str, str]]:
    """What is read, cell by cell: the text of cells and of the questions they ask."""
    found = []
    for cell in notebook["cells"]:
        words = papers.source(cell)
        if cell["cell_type"] == "markdown" and cell["id"] != "further" and not students.is_solution(cell):
            found.append((cell["id"], words))
        elif asked := re.findall(r'\bask\("([^"]+)"', words):
            found.append((cell["id"], " ".join(book.everything()[id].ask for id in asked)))
    return found


def explained(folder: Path) -> str:
    return "\n".join(text for _, text in texts(students.read(folder / students.SOURCE)))


@pytest.mark.parametrize("length", (0, *papers.CUTS))
@pytest.mark.parametrize("folder", LESSONS, ids=lambda folder: folder.name)
def test_a_term_is_explained_where_it_first_appears(folder, length):
    lesson = students.read(folder / students.SOURCE)
    cells = texts(papers.cut(lesson, length) if length else lesson)
    known = "\n".join(explained(other) for other in LESSONS if other.name[:2] in NEEDED.get(folder.name[:2], ()))
    missing = {}
    for term, sentence in TERMS.items():
        if re.search(sentence, known):
            continue
        first = next((i for i, (id, text) in enumerate(cells) if id not in PROMISED and re.search(term, text)), None)
        if first is not None and not any(re.search(sentence, text) for _, text in cells[: first + 1]):
            missing[term] = cells[first]
    assert not missing


def test_every_term_and_its_explanation_is_in_some_lesson():
    everything = "\n".join(map(explained, LESSONS))
    for term, sentence in TERMS.items():
        assert re.search(term, everything) and re.search(sentence, everything), term
