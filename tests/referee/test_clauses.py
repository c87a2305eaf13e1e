"""Every clause of the sources is followed, ruled on, or left out for a reason that is given. The text is in RULES.md.

On Patrol's clauses are numbered, and none is left out. Followed: RULES.md tells it under its number, from the source
alone. Ruled: the brackets there say what had to be settled. Adding a ruling to a clause, or taking one away,
moves it here as well.
"""

from __future__ import annotations
import re
from importlib.resources import files

import pytest

import navalkit as nk
from . import clauses as table

FOLLOWED = set(
    "102.1 102.2 102.3 102.4 103.1.2 103.2.1 103.2.2 103.2.4 103.2.5 103.3.1 103.3.3 104.1.2 104.1.4a 104.1.4b "
    "104.2.2 104.2.4 104.3.1 104.4.1 104.4.3 104.4.5 105.1.1 105.1.2 105.1.3 105.1.4 105.1.5 105.3.1 105.3.2 105.3.3 "
    "105.4.1 105.4.3 105.4.7 105.4.10 106.1.1 106.1.2 106.2.1 106.2.3 107.1 107.1.2 107.1.3 107.2.3 108.1.2 "
    "108.1.3 108.1.4 108.2.2 108.3.1 108.3.2".split()
)
RULED = set(
    "101.1 101.2 101.3 102.5 103.1.1 103.2 103.2.3 103.3.2 104.1.1 104.1.3 104.1.5 104.2.1 104.2.3 104.3.2 104.3.3 "
    "104.4.2 105.2 105.3.2a 105.3.2b 105.3.4 105.3.5 105.4.2 105.4.4 105.4.5 105.4.12 106.2.2 107.1.1 107.2.1 107.2.2 "
    "108.1.1 108.1.5 108.2.1 104.1.4c 104.4.4 105.4.6 105.4.8 105.4.9 105.4.11 106.2.4".split()
)
TOLD_IN = {"103.3": "103.3.1", "105.1": "105.1.1", "105.3.2c": "105.3.2", "106.1": "106.1.1"}
"""Names and openings of a section, and the last step of a list, told under another number."""
SECTIONS = {"103.3.2a": "103.3.2", "103.3.2b": "103.3.2", "103.3.2c": "103.3.2", "104.2.3a": "104.2.3",
            "104.2.3b": "104.2.3", "104.2.3c": "104.2.3", "105.4.4a": "105.4.4", "105.4.4b": "105.4.4",
            "105.4.4c": "105.4.4"}  # fmt: skip
"""Lettered parts of a clause that RULES.md tells in one piece."""


def test_rules_md_has_every_clause_and_says_what_was_ruled() -> None:
    rules = {id: rule for id, rule in nk.load("on-patrol").rules().items() if re.match(r"1\d\d\.", id)}
    assert set(rules) == FOLLOWED | RULED
    assert {id for id, rule in rules.items() if rule.ruling} == RULED
    assert all(rule.source.startswith("seed ") for rule in rules.values())
    assert {*TOLD_IN.values(), *SECTIONS.values()} <= set(rules)


def test_no_clause_stands_twice() -> None:
    lists = [FOLLOWED, RULED, set(TOLD_IN), set(SECTIONS)]
    assert sum(map(len, lists)) == len(set().union(*lists))


def test_every_clause_of_a_section_is_there() -> None:
    """Numbers run on without a gap, as they do in the source."""
    clauses = FOLLOWED | RULED | set(TOLD_IN)
    last = {"101": 3, "102": 5, "103.1": 2, "103.2": 5, "103.3": 3, "104.1": 5, "104.2": 4, "104.3": 3, "104.4": 5,
            "105.1": 5, "105.3": 5, "105.4": 12, "106.1": 2, "106.2": 4, "107.1": 3, "107.2": 3, "108.1": 5,
            "108.2": 2, "108.3": 2}  # fmt: skip
    numbered = {re.sub("[abc]$", "", clause) for clause in clauses}
    assert {f"{section}.{n}" for section, count in last.items() for n in range(1, count + 1)} <= numbered


# The other games: their sources have headings and no numbers. RULES.md has a table of all clauses. -----------------

HEADINGS = {
    "fleet-action": "Game Rules; Playing Area; Harbours, Islands and Coastlines; Objective of the Game; Allocating the "
    "Ships; Ship Cards; Movement of Ships; Sinking the Enemy's Ship; Firing Guns; Firing Torpedoes; "
    "Taking on more Torpedoes; Repairs; Minelaying and Minesweeping; "
    "Changing Weather Conditions; Night Actions; Hidden Movement to Start a Game",
    "task-force": "Objective; Instructions; Hit; Missile; Submarine; Flight Missions; Helicopter; Strike-fighter; "
    "Enemy Ships; Battlecruiser; Cruisers; Destroyers; Frigates; Scoring",
    "wolf-pack": "Introduction; Set-up; Turn sequence; Draw phases; U-boat action phase; Convoy action phase; "
    "Game designer's notes; Deck card list",
    "uss-lox": "Setup; Turn order; 1; 2a; 2b; 3a; 3b; 3c; 4a; 4b; 5; War patrol report; Jokers; Sinking face cards; "
    "Plan your patrol; King ships; Queen ship; Cribbage scoring",
}  # fmt: skip
"""The headings of each source that have rules under them."""


def clauses(game: str) -> list[list[str]]:
    """Section, clause, what became of it, and the rules or the reason."""
    text = (files(nk.load(game).package) / "RULES.md").read_text(encoding="utf-8")
    table = text.split("## The source, clause by clause")[1]
    return [re.split(r" *\| *", line.strip("| ")) for line in table.splitlines() if re.match(r"\| [^|-]", line)][1:]


@pytest.mark.parametrize("game", HEADINGS)
def test_the_table_has_every_section_and_every_rule_that_comes_from_the_source(game: str) -> None:
    rules, rows = nk.load(game).rules(), clauses(game)
    assert list(dict.fromkeys(row[0] for row in rows)) and {row[0] for row in rows} == set(HEADINGS[game].split("; "))
    told = {rule for row in rows if row[2] != "left out" for rule in row[3].split(", ")}
    assert told <= set(rules)
    assert {id for id, rule in rules.items() if rule.source.startswith("seed")} <= told
    clause_texts = [tuple(row[:2]) for row in rows]
    assert len(set(clause_texts)) == len(clause_texts)


@pytest.mark.parametrize("game", HEADINGS)
def test_the_table_says_what_was_ruled_and_why_a_clause_was_left_out(game: str) -> None:
    rules = nk.load(game).rules()
    for _, clause, became, where in clauses(game):
        if became == "left out":
            assert " " in where and where not in rules, clause
        else:
            ruled = any(rules[rule].ruling for rule in where.split(", "))
            assert became == ("ruled" if ruled else "followed"), clause


@pytest.mark.parametrize("game", HEADINGS)
def test_the_brackets_of_a_rule_name_sections_that_there_are(game: str) -> None:
    headings = set(map(str.lower, HEADINGS[game].split("; ")))
    for id, rule in nk.load(game).rules().items():
        rest = rule.source.removeprefix("seed").strip().lower()
        for heading in sorted(headings, key=len, reverse=True):
            rest = rest.replace(heading, "")
        assert not rest.strip(" ,"), (id, rule.source)


# The published table ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", table.GAMES)
def test_the_published_table_has_every_rule_with_its_mutants(game: str) -> None:
    rows = table.published(game)
    assert list(rows) == list(nk.load(game).rules())
    for rule, (_, _, mutants) in rows.items():
        of_it = [mutant for mutant in table.mutants(game) if mutant["rule"] == rule]
        assert mutants == "; ".join(f"`{mutant['in']}` ({table.killer(mutant)})" for mutant in of_it)


@pytest.mark.parametrize("game", table.GAMES)
def test_a_clause_came_up_or_it_is_said_why_it_did_not(game: str) -> None:
    never = {rule for rule, (count, _, _) in table.published(game).items() if count == "0"}
    assert never == set(table.SILENT.get(game, {}))


@pytest.mark.slow
@pytest.mark.parametrize("game", table.GAMES)
def test_what_a_sample_exercises_is_published(game: str) -> None:
    came_up, _, _ = table.exercised(game, table.POSITIONS[game] // 5)
    rows = table.published(game)
    for rule in nk.load(game).rules():
        assert came_up[rule] <= int(rows[rule][0].replace(",", "")), rule
