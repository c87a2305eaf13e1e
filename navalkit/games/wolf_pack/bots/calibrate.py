"""How the default deck was found: a script that can be run again.

    python -m navalkit.games.wolf_pack.bots.calibrate              the default deck, measured
    python -m navalkit.games.wolf_pack.bots.calibrate --search     the decks of the grid, best balanced first
    python -m navalkit.games.wolf_pack.bots.calibrate --kept       what careful players keep (data.toml, [kept])

How its players stand against each other: ``navalkit tournament wolf-pack``.

The source's card list is lost but for 12 SONAR. A good deck holds every kind; between two players of one skill, be
they careful or greedy, each side wins 45 to 55 games in a hundred; the median game takes 25 to 55 turns.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from statistics import median

from navalkit.players.meeting import Result

from ..odds.belief import role
from ..rules.cards import SIDES, Card, Counts, show
from ..rules.game import WolfPack
from ..rules.tables import TABLES
from . import policy
from .quick import DRAWN_GAME, Table

FAIR = (0.45, 0.55)
LENGTH = (25, 55)


def measure(
    deck: Counts,
    games: int,
    seed: int,
    players: tuple[policy.Policy, policy.Policy] = (policy.CAREFUL, policy.CAREFUL),
) -> Result:
    """Play simple players against each other in the quick simulator.

    Parameters
    ----------
    deck : Counts
    games : int
        1 or more.
    seed : int
    players : two policies
        U-boats first.
    """
    game, rng = WolfPack(), Random(seed)
    points, turns = 0.0, []
    for _ in range(games):
        table = Table.new(deck, game.goals, game.options["turn_limit"], rng)
        policy.play_out(table, players, table.limit)
        points += 0.5 if table.winner == DRAWN_GAME else float(table.winner == 0)
        turns.append(table.turn)
    return Result(games, points / games, median(turns), "turns")


def grid() -> Iterator[Counts]:
    """The decks looked at: SONAR as the source has it, and the rest within what looks like a deck of cards."""
    sonar = TABLES.deck[Card.SONAR]
    attacks = product((12, 13, 14), (13, 14), (12, 13, 14), (8, 9), (7, 8))
    for (periscope, torpedo, transport, charges, u_boat), water in product(attacks, (8,)):
        yield (periscope, torpedo, transport, sonar, charges, u_boat, 4, 4, 4, 4, water)


def search(games: int, seed: int) -> list[tuple[Counts, Result, Result]]:
    """The decks of the grid that are fair between careful players and between greedy ones and of the right length.

    A first look at a quarter of the games throws out what is far off.

    Returns
    -------
    list of (deck, careful on both sides, greedy on both sides)
        The best first: the one whose worse share of the two is nearest to even.
    """
    found = []
    both: list[tuple[policy.Policy, policy.Policy]] = [
        (policy.CAREFUL, policy.CAREFUL),
        (policy.GREEDY, policy.GREEDY),
    ]
    for deck in grid():
        if any(abs(measure(deck, max(1, games // 4), seed, pair).share - 0.5) > 0.08 for pair in both):
            continue
        careful, greedy = (measure(deck, games, seed + 1, pair) for pair in both)
        fair = all(FAIR[0] <= result.share <= FAIR[1] for result in (careful, greedy))
        if fair and LENGTH[0] <= careful.length <= LENGTH[1]:
            found.append((deck, careful, greedy))
    return sorted(found, key=lambda row: max(abs(result.share - 0.5) for result in row[1:]))


def measure_kept(deck: Counts, games: int, seed: int) -> tuple[dict[str, float], dict[str, float]]:
    """How much likelier a card is in a careful player's hand than its share of the cards unseen by the opponent.

    Returns
    -------
    two dicts, U-boats first
        Role (`belief.role`) -> ratio, over all of the opponent's decisions.
    """
    game, rng = WolfPack(), Random(seed)
    holding: list[dict[str, float]] = [{}, {}]
    expected: list[dict[str, float]] = [{}, {}]
    for _ in range(games):
        table = Table.new(deck, game.goals, game.options["turn_limit"], rng)
        while table.winner < 0:
            holder = 1 - table.side
            hand, size = table.hands[holder], table.sizes[holder]
            share = size / (size + len(table.deck)) if size else 0.0
            in_deck = [0] * len(Card)
            for number in table.deck:
                in_deck[number] += 1
            for card in Card:
                what = role(card, holder, table.rows[holder])
                holding[holder][what] = holding[holder].get(what, 0) + hand[card]
                unseen = hand[card] + in_deck[card]
                expected[holder][what] = expected[holder].get(what, 0) + unseen * share
            table.move(policy.choose(table, policy.CAREFUL))
    first, second = ({k: h[k] / e[k] for k in sorted(h)} for h, e in zip(holding, expected, strict=True))
    return first, second


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script; ``arguments`` as on the command line."""
    parser = argparse.ArgumentParser(prog="calibrate", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--search", action="store_true", help="look through the grid of decks")
    parser.add_argument("--kept", action="store_true", help="measure what careful players keep")
    parser.add_argument("-n", type=int, default=4000, help="games of each deck")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(arguments)
    if given.search:
        for deck, careful, greedy in search(given.n, given.seed)[:10]:
            print(f"{show(deck)} ({sum(deck)} cards): U-boats careful {careful}; greedy {greedy}")
    elif given.kept:
        for side, kept in zip(SIDES, measure_kept(TABLES.deck, given.n, given.seed), strict=True):
            print(side, ", ".join(f"{what} = {ratio:.2f}" for what, ratio in kept.items()))
    else:
        print(f"{show(TABLES.deck)} ({sum(TABLES.deck)} cards)")
        for name in (policy.CAREFUL, policy.GREEDY):
            print(f"{name.name} on both sides: U-boats {measure(TABLES.deck, given.n, given.seed, (name, name))}")


if __name__ == "__main__":
    main()
