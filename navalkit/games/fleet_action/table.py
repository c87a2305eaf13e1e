"""How the machine players stand against each other: a script that can be run again.

    python -m navalkit.games.fleet_action.table -n 200 --workers 2
    python -m navalkit.games.fleet_action.table -n 40 --battle river_plate --pair admiral gunnery

Every seed is played twice with the sides swapped, so that a battle that favours a side favours nobody. Intervals are
Wilson's, of 95 %; a draw is half a point.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Any

from navalkit.players.meeting import Meeting

ROSTER = ("admiral", "gunnery", "random")
BATTLES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "river_plate": {"scenario": "river_plate"},
        "cruisers": {
            "scenario": "build_your_own",
            "blue": "Ajax, Norfolk, Fletcher, Jenkins",
            "red": "Achilles, Exeter, Radford, Cossack",
        },
        "battleships": {
            "scenario": "build_your_own",
            "blue": "Duke of York, Akatsuki, Kagero",
            "red": "Prince of Wales, Fubuki, Yukikaze",
        },
    }
)
"""Battles of the table: name -> options. The squadrons of one's own match, ship for ship, as near as can be."""


def meeting(battle: str) -> Meeting:
    """Players in one of `BATTLES`."""
    return Meeting("fleet-action", "move", "moves", BATTLES[battle])


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script; ``arguments`` as on the command line."""
    parser = argparse.ArgumentParser(prog="table", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-n", type=int, default=200, help="games of each pair in each battle")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--battle", choices=tuple(BATTLES), action="append", help="only this battle")
    parser.add_argument("--pair", nargs=2, choices=ROSTER, metavar="PLAYER", help="only these two players")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args(arguments)
    for battle in given.battle or BATTLES:
        for one, two in [given.pair] if given.pair else combinations(ROSTER, 2):
            both, blue, red = meeting(battle).meet(one, two, given.n, given.seed, given.workers)
            print(f"{battle}: {one} against {two}: {both}", flush=True)
            print(f"  as blue {blue.share:.1%}, as red {red.share:.1%}", flush=True)


if __name__ == "__main__":
    main()
