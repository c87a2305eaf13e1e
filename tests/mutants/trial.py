"""One trial: random games of one game until house and referee part. Run with a mutant of the house first on the path.

``python -m tests.mutants.trial GAME SEED`` begins with that seed, which once told them apart, and then, unless
"once" is added, goes through others; it prints the seed and what they part about, or how many positions agreed.
"""

from __future__ import annotations
import sys
from collections import Counter
from itertools import chain, count

from ..referee.driver import Disagreement, one_game

LEAST = {"uss-lox": 40_000, "wolf-pack": 25_000, "task-force": 8_000, "fleet-action": 6_000, "on-patrol": 12_000,
         "fleet-craft": 2_000}
"""Positions after which house and referee are taken to agree."""
HUNT = 700  # positions of a hunt at most


def positions(game: str, seed: int) -> int:
    """Positions of one game that agreed.

    Raises
    ------
    Disagreement
        Where they part.
    """
    if game == "on-patrol":
        from ..referee.patrol_tables import Hunt
        from ..referee.patrol_trace import told_untrue

        wrong: list[str] = []
        hunt = Hunt(seed, told_untrue(wrong, Counter()))
        hunt.play(HUNT)
        if wrong:
            raise Disagreement("what a trace says", wrong[0], "", "")
        return hunt.agreed["positions"]
    from ..referee import craft_tables, fleet_tables, tables

    if game == "fleet-craft":
        return one_game(craft_tables.FLEET_CRAFT, seed, Counter())
    all_tables = (tables.USS_LOX, tables.WOLF_PACK, tables.TASK_FORCE, fleet_tables.FLEET_ACTION)
    return one_game(next(table for table in all_tables if table.game == game), seed, Counter())


def trial(game: str, first: int, once: bool = False) -> str:
    agreed = 0
    for seed in chain([first], [] if once else count()):
        try:
            agreed += positions(game, seed)
        except Disagreement as apart:
            return f"parted {seed} {apart.about}"
        except Exception as error:  # a mutant may break down, which tells it apart as well
            return f"parted {seed} {type(error).__name__}: {str(error)[:60]}"
        if agreed >= LEAST[game]:
            break
    return f"agreed over {agreed}"


if __name__ == "__main__":
    print(trial(sys.argv[1], int(sys.argv[2]), "once" in sys.argv[3:]))
