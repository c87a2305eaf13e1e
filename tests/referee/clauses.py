"""The published table of clauses, docs/clauses.md: how often each was exercised, its mutants, and who kills them.

``python -m tests.referee.clauses`` plays the games anew and writes it; with names of games it plays those alone, and
with the word ``mutants`` it renews only what is said of those. Who kills which mutant stands in
``tests/mutants/mutants.toml`` and is tested there.
"""

from __future__ import annotations
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Collection
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

import navalkit as nk
from navalkit.core.game import CHANCE, TERMINAL
from .craft_tables import FLEET_CRAFT, SCENARIOS
from .driver import one_game
from .exercised import EXERCISED
from .fleet_tables import FLEET_ACTION
from .patrol_tables import Hunt
from .tables import TASK_FORCE, USS_LOX, WOLF_PACK

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "clauses.md"
GAMES = ("uss-lox", "wolf-pack", "task-force", "fleet-action", "on-patrol")
TABLES = {table.game: table for table in (USS_LOX, WOLF_PACK, TASK_FORCE, FLEET_ACTION)}
SEED = 50_000
POSITIONS = {"uss-lox": 10_000, "wolf-pack": 10_000, "task-force": 3_000, "fleet-action": 2_500, "on-patrol": 12_000}
HUNT = 700  # positions of a hunt of On Patrol at most
ALSO = {"wolf-pack": (4,), "on-patrol": (78,)}
"""Seeds of games counted besides, in which something comes up that the others have not: cards run out, tankers burn."""
ALONE, STEPS, CROWDED = 12, 1_500, {"carriers_in_the_cloud"}
"""Battles of boats and aircraft that the library plays alone, of each scenario, their longest, and those
with a thousand orders at a time."""
SILENT = {
    game: {clause: row["why"] for row in rows for clause in row["clauses"].split()}
    for game, rows in tomllib.loads(Path(__file__).with_name("silent.toml").read_text(encoding="utf-8")).items()
}
"""Why a clause did not come up: game -> clause -> the reason."""
HEAD = """# The clauses, and what would find them broken

Written by `python -m tests.referee.clauses`. A second set of rules, the referee (`tests/referee`), follows random games
of the library and compares them position by position. For each clause of the rules:

- **exercised**: how often the referee decided something by it, or the library told of something that happened under it,
  in the games counted here, and in a few besides where cards run out or tankers burn. Below each table stands why a
  clause has 0. Mutants are tried on other games, as many as it takes, and the seed that told stands in their file.
  Fleet Action's boats and aircraft (F41 to F68) are counted in battles of their own, of which the referee begins anew
  from each position.
- **tests**: tests of the library named by it.
- **mutants**: small faults put into the code of that clause one at a time (`tests/mutants/mutants.toml`), and which
  checker finds each: the referee, the tests of the library, both, or nobody.
"""


def mutants(game: str = "") -> list[dict[str, Any]]:
    """The mutants of the rules, of one game or of all, each with its game and module."""
    text = (ROOT / "tests" / "mutants" / "mutants.toml").read_text(encoding="utf-8")
    modules = [module for module in tomllib.loads(text)["module"] if module["home"].startswith("games/")]
    found = [{**mutant, "module": module["name"], "game": module["home"].removeprefix("games/").replace("_", "-")}
             for module in modules for mutant in module["mutants"]]  # fmt: skip
    return [mutant for mutant in found if game in ("", mutant["game"])]


def killer(mutant: dict[str, Any]) -> str:
    by_referee, by_house = "referee" in mutant, not mutant.get("missed", False)
    return "both" if by_referee and by_house else "referee" if by_referee else "tests" if by_house else "nobody"


def exercised(game: str, positions: int, seed: int = SEED) -> tuple[Counter[str], int, int]:
    """Rule -> how often it came up in that many positions and some; positions and games."""
    EXERCISED.clear()
    told: Counter[str] = Counter()
    agreed, number = 0, seed
    while agreed < positions:
        if game == "on-patrol":
            hunt = Hunt(number)
            hunt.play(HUNT)
            agreed += hunt.agreed["positions"]
        else:
            agreed += one_game(TABLES[game], number, told)
            if game == FLEET_CRAFT.game:
                agreed += one_game(FLEET_CRAFT, number, told)
        number += 1
    for other in ALSO.get(game, ()):
        if game == "on-patrol":
            Hunt(other).play(HUNT)
        else:
            one_game(TABLES[game], other, told)
    if game == "fleet-action":
        play_alone(told)
    return told + EXERCISED, agreed, number - seed


def play_alone(told: Counter[str]) -> None:
    """Random battles of boats and aircraft, by the library alone: what it tells of, by rule."""
    bold = ("Attack", "Launch", "Range", "Seek")
    for key, seed in product(SCENARIOS, range(ALONE)):
        game, rng = nk.load("fleet-action", scenario=key, moves=8), np.random.default_rng(seed)
        state = game.initial()
        for _ in range(STEPS if key not in CROWDED else STEPS // 10):
            if (by := game.turn(state)) == TERMINAL:
                break
            if by == CHANCE:
                action = game.chance(state).sample(rng)
            else:
                legal = game.legal(state)
                eager = [each for each in legal if type(each).__name__ in bold]
                others = [each for each in legal if type(each).__name__ != "Done"]
                pool = eager or (others if rng.random() < 0.9 else ()) or legal
                action = pool[int(rng.integers(len(pool)))]
            step = game.apply(state, action)
            state = step.state
            told.update(event.rule for event in step.events)


def tests_named_by(game: str) -> Counter[str]:
    """Rule -> tests of the library whose name begins with it."""
    found: Counter[str] = Counter()
    folder = ROOT / "tests" / "games" / game.replace("-", "_")
    names = [name for file in folder.rglob("test_*.py")
             for name in re.findall(r"^def test_(\w+)", file.read_text(encoding="utf-8"), re.M)]  # fmt: skip
    for rule in nk.load(game).rules():
        start = rule.replace(".", "_").lower() + "_"
        found[rule] = sum(name.lower().startswith(start) for name in names)
    return found


def published(game: str) -> dict[str, list[str]]:
    """Clause -> how often exercised, its tests and its mutants, as the page says."""
    text = PAGE.read_text(encoding="utf-8").split(f"\n## {nk.load(game).title}\n")[1].split("\n## ")[0]
    rows = [re.split(r" ?\| ?", line.strip("| ")) for line in text.splitlines() if re.match(r"\| [A-Z0-9]", line)]
    return {row[0]: [*row[1:], "", ""][:3] for row in rows}


def counted_before(game: str) -> tuple[Counter[str], int, int]:
    """What `exercised` gave when the page was written last."""
    line = next(line for line in PAGE.read_text(encoding="utf-8").splitlines()
                if line.startswith(f"| {nk.load(game).title} |"))  # fmt: skip
    positions, games = re.findall(r"([\d,]+) \((\d+)\)", line)[0]
    came_up = Counter({rule: int(row[0].replace(",", "")) for rule, row in published(game).items()})
    return came_up, int(positions.replace(",", "")), int(games)


def page(anew: Collection[str] = GAMES) -> str:
    """The whole page; what came up is counted ``anew`` in these games, and stays as it was in others."""
    parts, totals = [HEAD], []
    for game in GAMES:
        came_up, positions, games = exercised(game, POSITIONS[game]) if game in anew else counted_before(game)
        rules, named, own = nk.load(game).rules(), tests_named_by(game), mutants(game)
        title = nk.load(game).title
        killed = Counter(map(killer, own))
        by_referee, by_tests = killed["both"] + killed["referee"], killed["both"] + killed["tests"]
        silent = sum(not came_up[rule] for rule in rules)
        counts = len(own), by_referee, by_tests, killed["nobody"]
        totals.append((title, len(rules), len(rules) - silent, f"{positions:,} ({games})", *counts))
        lines = [f"## {title}", "", "| clause | exercised | tests | mutants |", "|---|---|---|---|"]
        for rule in rules:
            of_it = [mutant for mutant in own if mutant["rule"] == rule]
            told = "; ".join(f"`{mutant['in']}` ({killer(mutant)})" for mutant in of_it)
            lines.append(f"| {rule} | {came_up[rule]:,} | {named[rule]} | {told} |")
        reasons: dict[str, list[str]] = {}
        for rule, why in SILENT.get(game, {}).items():
            reasons.setdefault(why, []).append(rule)
        lines += [""] * bool(reasons) + [f"- {', '.join(rules_of)}: {why}." for why, rules_of in reasons.items()]
        parts.append("\n".join(lines) + "\n")
    sums = [sum(row[n] for row in totals) for n in (1, 2, 4, 5, 6, 7)]
    table = ["## In all", "", f"Games from seed {SEED:,} on.", "",
             "| game | clauses | exercised | positions (games) | mutants | killed by referee | by tests | by nobody |",
             "|---|---|---|---|---|---|---|---|"]  # fmt: skip
    table += ["| " + " | ".join(map(str, row)) + " |" for row in totals]
    table.append(f"| all | {sums[0]} | {sums[1]} | | {sums[2]} | {sums[3]} ({sums[3] / sums[2]:.0%}) | {sums[4]} "
                 f"({sums[4] / sums[2]:.0%}) | {sums[5]} |")  # fmt: skip
    return "\n".join([parts[0], "\n".join(table) + "\n", *parts[1:]])


if __name__ == "__main__":
    PAGE.write_text(page([game for game in GAMES if game in sys.argv[1:]] if sys.argv[1:] else GAMES), encoding="utf-8")
