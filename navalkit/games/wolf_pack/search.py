"""Information-set tree search (Cowling, Powley and Whitehouse 2012): many guesses at the hidden cards, one tree a side.

Every iteration guesses the opponent's hand from what is known (`belief`), deals the rest to the deck, and plays one
game on: in the trees by the upper confidence of each move, beyond them as two careful players would, up to a horizon.
Both sides search by what they themselves can see: a tree's nodes are keyed by one side's own information, so that no
move depends on cards its player cannot know.
"""

from __future__ import annotations
import time
from dataclasses import dataclass, field
from math import sqrt
from random import Random

from navalkit.core.awaited import Pace, Steps
from .cards import CONVOY, UBOATS
from .odds import Belief, race
from .quick import ACT, CAREFUL, DRAWN_GAME, Table, choose, play_out
from .state import Observation

BATCH = 16  # guesses between two looks at which moves may still be best
HORIZON = 6  # turns after which a game is judged instead of played on
SURE = 2.5  # standard errors by which a move must be behind to be given up
MARGIN = 1.0  # standard errors by which a move must be ahead of the careful player's to be taken instead


def worth(table: Table) -> float:
    """The U-boats' chance to win, judged by ships sunk and cards laid; sure once the game is over."""
    if table.winner >= 0:
        return 0.5 if table.winner == DRAWN_GAME else float(table.winner == UBOATS)
    left = table.goals[0] - table.sunk[0], table.goals[1] - table.sunk[1]
    return race(left, (table.rows[0], table.rows[1]), int(table.stage == ACT + CONVOY), table.turn)


@dataclass(slots=True)
class Move:
    """What the search knows of one move."""

    prior: float  # how much it is trusted before it has been tried
    visits: int = 0  # tries
    total: float = 0.0  # the sum of what they were worth to the mover (chance to win)
    gain: float = 0.0  # at the root: the sum of what it gained over the careful player's move on the same guess
    squares: float = 0.0  # at the root: the sum of the squares of that
    dropped: bool = False  # at the root: whether it was given up before the end

    @property
    def mean(self) -> float:
        """The mean worth, as a chance to win."""
        return self.total / self.visits if self.visits else 0.5

    @property
    def mean_gain(self) -> float:
        """The mean gain over the careful player's move."""
        return self.gain / self.visits if self.visits else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean gain."""
        n = self.visits
        return sqrt(max(self.squares / n - self.mean_gain**2, 0.0) / (n - 1)) if n > 1 else float("inf")


Node = dict[int, Move]  # an information set: move (see `quick`) -> what is known of it


@dataclass(slots=True)
class Search:
    """One search from one observation."""

    observation: Observation
    belief: Belief  # over the opponent's hand
    rng: Random
    horizon: int = HORIZON  # turns after which a game is judged instead of played on
    curiosity: float = 0.3  # how much a move tried seldom is preferred below the root
    trust: float = 0.7  # the share of the prior that goes to the careful player's move
    tree: bool = True  # whether the moves after the first are searched too, or played as careful players would
    trees: tuple[dict[object, Node], dict[object, Node]] = field(default_factory=lambda: ({}, {}))
    root: Node = field(default_factory=dict)
    careful: int = -1
    iterations: int = 0

    def running(self, iterations: int, seconds: float | None = None) -> Steps[int]:
        """Search until the iterations are done or the time is up; the move found best.

        The moves of the decision at hand race: all are tried on the same guesses, decks and chance, so that what
        differs between them is what they did. Those clearly worse than the best are given up on the way, and the
        careful player's move stands unless another is better by more than `MARGIN` standard errors.
        """
        pace = Pace()
        self.root = self._node(self._guess())
        careful = max(self.root, key=lambda move: self.root[move].prior)
        left = sorted(self.root, key=lambda move: move != careful)  # the yardstick comes first
        end = None if seconds is None else time.monotonic() + seconds
        rounds = 0
        while len(left) > 1 and self.iterations + len(left) <= max(iterations, len(self.root)):
            self._try_all(left)
            rounds += 1
            if end is not None and time.monotonic() >= end:
                break
            if pace():
                yield self.iterations / iterations
            if rounds % BATCH == 0:
                left = self._still_in(left)
        self.careful = careful
        best = max(self.root, key=lambda move: (not self.root[move].dropped, self.root[move].mean_gain))
        return best if self.root[best].mean_gain > MARGIN * self.root[best].error else careful

    def _still_in(self, moves: list[int]) -> list[int]:
        """The moves that may still be best, the yardstick first; the others are dropped."""
        careful, root = moves[0], self.root
        floor = max(root[m].mean_gain - SURE * root[m].error for m in moves)
        for m in moves[1:]:
            tried = root[m]
            same = not tried.squares and tried.visits >= 8 * BATCH  # it never made a difference
            tried.dropped = same or tried.mean_gain + SURE * tried.error < max(floor, 0.0)
        return [careful] + [m for m in moves[1:] if not root[m].dropped]

    def _guess(self) -> Table:
        return Table.guess(self.observation, self.belief.sample(self.rng), self.rng)

    def _try_all(self, moves: list[int]) -> None:
        """One iteration for each move, on one guess."""
        table, seed = self._guess(), self.rng.getrandbits(32)
        me = self.observation.me
        yardstick = 0.0
        for i, move in enumerate(moves):
            twin = table.copy(Random(seed))
            twin.move(move)
            value = self._descend(twin)
            value = value if me == UBOATS else 1 - value
            if not i:
                yardstick = value
            tried = self.root[move]
            tried.visits += 1
            tried.total += value
            tried.gain += value - yardstick
            tried.squares += (value - yardstick) ** 2
            self.iterations += 1

    def _descend(self, table: Table) -> float:
        """Play on, in the trees as far as they reach, and back up what it was worth to the U-boats."""
        last = self.observation.turn + self.horizon
        path: list[tuple[int, Move]] = []
        grown = [not self.tree, not self.tree]
        while table.winner < 0 and not all(grown) and table.turn <= last:
            side = table.stage & 1
            if grown[side]:
                table.move(choose(table, CAREFUL))
                continue
            tree, key = self.trees[side], _key(table)
            node = tree.get(key)
            if node is None:
                tree[key] = self._node(table)
                grown[side] = True
                continue
            move = self._select(node)
            path.append((side, node[move]))
            table.move(move)
        play_out(table, (CAREFUL, CAREFUL), last)
        value = worth(table)
        for side, tried in path:
            tried.visits += 1
            tried.total += value if side == UBOATS else 1 - value
        return value

    def _node(self, table: Table) -> Node:
        moves = table.moves()
        share = (1 - self.trust) / len(moves)
        node = {move: Move(share) for move in moves}
        favourite = choose(table, CAREFUL)
        node[favourite].prior += self.trust
        return node

    def _select(self, node: Node) -> int:
        """The move of the highest upper confidence (PUCT); a move never tried counts as the mean of the others."""
        visits = total = 0.0
        for tried in node.values():
            visits += tried.visits
            total += tried.total
        start = total / visits if visits else 0.5
        reach = self.curiosity * sqrt(visits + 1)
        best, most = -1, -1.0
        for move, tried in node.items():
            n = tried.visits
            value = (tried.total / n if n else start) + reach * tried.prior / (1 + n)
            if value > most:
                best, most = move, value
        return best


def _key(table: Table) -> object:
    """What the side to decide can see: enough to tell its information sets apart within one search."""
    side = table.stage & 1
    return (table.stage, table.turn, *table.hands[side], *table.rows, *table.sunk, table.sizes[1 - side])
