"""The exact odds of Wolf Pack: how soon can a row be completed, and what does the opponent hold?

Completing a row. Nobody interferes: no raid, no clearance, and no reshuffle before it is done. Two cards are drawn on
every own turn and nothing that is still needed is discarded, which the hand limit always allows, for three cards at
most are needed. Unseen cards are exchangeable, so it does not matter who else draws: the own draws are a uniform choice
from all unseen cards, and end when these are used up.

The missing cards of the row are laid one a turn in order. With j of them missing, the i-th (from 1) must be in hand by
the action of own turn k - (j - i) for the row to be complete on turn k. So the question is whether every kind i not in
hand turns up among the first n_i draws, with n_1 <= n_2 <= n_3. Inclusion and exclusion over the kinds that do not
needs the chance that no card of some kinds comes before their limits. The kind with the latest limit has the fewest
places left; placing the kinds in that order, each takes its places from those behind its own limit that are still free:

    chance = product over the kinds, latest limit first, of C(N - n_i - taken, u_i) / C(N - taken, u_i),

with N unseen cards, u_i of kind i, and ``taken`` the cards placed before.
"""

from __future__ import annotations
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb, lcm
from random import Random

import numpy as np

from navalkit.core.dist import Dist
from navalkit.core.errors import OptionError, brief
from navalkit.prob.race import stays_ahead
from . import cards
from .cards import CLEARS, CONVOY, RAIDS, ROWS, SAY, SIDES, Card, Counts, counts, less, listed, parse, total
from .rules import WolfPack
from .state import TABLES, Action, Observation, Phase, Play, State, Weights

__all__ = [
    "Belief", "chance", "complete_within", "expected_turns", "has_drawn", "held", "holds", "likely", "may_hold",
    "race", "turns_to_complete", "within",
]

# -- What the opponent may hold: a distribution over hands, by counting alone or weighed by what is worth keeping
# Of the cards whose place is unknown, n lie in the opponent's hand. Counting alone makes every choice of n of them
# equally likely. But a hand is chosen: what is worth keeping stays in it, a second or third card of a kind is kept more
# often or less than the first, and who passed had nothing to lay. With a weight w_i for the i-th card of every kind, a
# hand with h of each out of u has the chance
#
#     product of C(u, h) w_1 ... w_h over the kinds it holds, in proportion
#
# (with equal weights of a kind Fisher's noncentral hypergeometric distribution); weights of 1 give back the counting.
# Of a kind of which k cards are known to be held (rule W13) the unknown ones are the k+1st and further.

EVEN: Weights = ((Fraction(1),),) * len(Card)


def did(side: int, row: int, last: tuple[Action | None, Action | None]) -> str:
    """What a side's last action says of its hand: "none" before its first, "pass", "raid", "clear", "lay", "struck", or
    "cleared" when its row was taken away after it laid. Who passes or raids had nothing to lay.

    ``row``: how many cards lie in that side's row. ``last``: what each side did last.
    """
    action = last[side]
    if not isinstance(action, Play):
        return "none" if action is None else "pass"
    if action.card in RAIDS:
        return "raid"
    if action.card is CLEARS[side]:
        return "clear"
    return "lay" if row else "struck" if action.card is ROWS[side][-1] else "cleared"


SETTLED = 8
"""From this turn on hands are as select as they become."""


@lru_cache(maxsize=1024)
def kept(side: int, row: int, drawn: bool = True, did: str = "any", turn: int = SETTLED) -> Weights:
    """How likely each kind is to be kept, against a card drawn at random: measured on careful players (kept.toml).

    ``side``: whose hand it is. ``row``: how many cards lie in that side's row. ``drawn``: whether the side has drawn
    since it acted last. ``did``: what it did last, as the function of that name says, or "any". ``turn``: in the first
    ones a hand has been chosen seldom yet.
    """
    tables, soon = TABLES.kept[side], TABLES.soon[side].get((turn, drawn))
    usual = tables.get((row, drawn, did)) or tables[row, drawn, "any"]
    if soon is None:
        return usual
    return tuple(tuple(Fraction(f"{float(a * b):.3g}") for a, b in zip(*pair, strict=True))  # whole numbers stay short
                 for pair in zip(usual, soon, strict=True))


def likely(seen: Observation) -> Weights:
    """What is known of how the opponent's hand was chosen: nothing before its first draw, later what is `kept`."""
    other = 1 - _shown(seen).me
    if seen.turn == 1 and other == CONVOY and seen.phase is Phase.DISCARD:
        return EVEN
    row = seen.rows[other]
    return kept(other, row, has_drawn(seen, other), did(other, row, seen.last), min(seen.turn, SETTLED))


def _shown(seen: Observation) -> Observation:
    """OptionError for what is no observation."""
    if not isinstance(seen, Observation):
        raise OptionError(SAY("wrong.observation", seen=brief(seen)))
    return seen


def has_drawn(seen: Observation, side: int) -> bool:
    """Whether that side's draw of its next action is done."""
    if seen.phase in (Phase.ACTION, Phase.LOSS):  # a side that has acted draws before it acts again
        return seen.side < side or (seen.side == side and seen.phase is Phase.ACTION)
    return seen.side > side or (seen.side == side and seen.phase is Phase.DISCARD)


def permute(state: State, player: int, rng: np.random.Generator) -> State:
    """Another state that looks the same to ``player``: the other hand's unknown cards are exchanged with the deck.

    What `navalkit.testing.check_game` asks for.
    """
    other = 1 - player
    known = state.known[other]
    hidden = [*listed(less(state.hands[other], known)), *listed(state.deck)]
    cards = [hidden[i] for i in rng.permutation(len(hidden))]
    n = sum(state.hands[other]) - sum(known)
    hand = total(known, counts(cards[:n]))
    hands = (state.hands[0], hand) if other else (hand, state.hands[1])
    return replace(state, hands=hands, deck=counts(cards[n:]))


class Belief:
    """The opponent's hand as far as an observation tells. ``weights``: left out, by counting alone."""

    def __init__(self, observation: Observation, weights: Weights = EVEN) -> None:
        self.known = _shown(observation).known
        self.unseen = observation.unseen
        self.size = observation.their_size - sum(self.known)
        """Cards in the opponent's hand that are unknown."""
        # All hands are of one size, so that weights may be scaled to whole numbers.
        scale = lcm(*(weight.denominator for row in weights for weight in row))
        whole = [[int(weight * scale) for weight in row] for row in weights]
        self._ways = [_ways(*each, self.size) for each in zip(self.unseen, whole, self.known, strict=True)]
        rest = [[1] + [0] * self.size]
        for ways in reversed(self._ways):
            rest.append(_times(ways, rest[-1]))
        self._rest = rest[::-1]  # [i][m]: the ways to fill m places with the kinds from i on

    def held(self, card: Card) -> Dist[int]:
        """How many of that card the opponent holds."""
        others = [1] + [0] * self.size
        for i, ways in enumerate(self._ways):
            if i != card:
                others = _times(ways, others)
        known = self.known[card]
        return Dist((known + h, ways * others[self.size - h]) for h, ways in enumerate(self._ways[card]))

    def holds(self, card: Card) -> Fraction:
        """The chance that the opponent holds that card at all."""
        return self.held(card).at_least(1)

    def sample(self, rng: Random) -> Counts:
        """A hand the opponent may hold, known cards included."""
        left, hand = self.size, []
        for i, ways in enumerate(self._ways):
            rest = self._rest[i + 1]
            x = int(rng.random() * self._rest[i][left])
            h = 0
            while x >= (n := ways[h] * rest[left - h]) and h < min(left, len(ways) - 1):
                x -= n
                h += 1
            hand.append(h)
            left -= h
        return total(self.known, tuple(hand))


def _ways(unseen: int, weights: Sequence[int], known: int, size: int) -> list[int]:
    """C(u, h) w_(k+1) ... w_(k+h) for h up to ``size``."""
    worth, ways = 1, [1]
    for h in range(1, min(unseen, size) + 1):
        worth *= weights[min(known + h, len(weights)) - 1]
        ways.append(comb(unseen, h) * worth)
    return ways


def _times(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The product of two polynomials, cut at the length of ``b``."""
    return [sum(a[i] * b[m - i] for i in range(min(m, len(a) - 1) + 1)) for m in range(len(b))]


Cards = str | Iterable[str | Card] | Counts  # cards as text ("sonar sonar water"), one by one, or counted

DEFAULT_DECK: Counts = TABLES.deck  # the cards of the default game
DRAW = TABLES.draw


def complete_within(hand: Cards, *, side: int | str, turns: int, row: Cards = (), seen: Cards = (),
                    deck: Cards = DEFAULT_DECK, drawn: bool = False) -> Fraction:
    """The chance to complete one attack row within a number of own turns, if nobody interferes (rules W3 to W7).

    Parameters
    ----------
    hand : cards
        The own hand, such as "sonar water".
    side : int or str
        0 or "U-boats", 1 or "convoy".
    turns : int
        Own turns from now on, 0 or more.
    row : cards
        What lies in the own row: its first cards.
    seen : cards
        Other cards whose place is known: discards, the other row, and what the opponent surely holds.
    deck : cards
        All cards of the game.
    drawn : bool
        Whether the draw of the first of these turns is already done.

    Returns
    -------
    Fraction
        Exact under the assumptions above: no interference, no reshuffle, no needed card discarded.

    Raises
    ------
    OptionError
        If ``turns`` or ``side`` is out of range, the row is out of order, or more cards are seen than exist.
    NotationError
        If something is no card.

    Examples
    --------
    >>> complete_within("periscope torpedo transport", side="U-boats", turns=3)
    Fraction(1, 1)
    """
    if isinstance(turns, bool) or not isinstance(turns, int) or turns < 0:
        raise OptionError(SAY("wrong.turns", turns=brief(turns)))
    missing, held, unseen = _question(hand, side, row, seen, deck)
    if turns < len(missing):
        return Fraction(0)
    size = sum(unseen)
    wanted = [(card, turns - len(missing) + i) for i, card in enumerate(missing, 1) if not held[card]]
    limits = [(unseen[card], min(size, DRAW * (turn - drawn))) for card, turn in wanted]
    chance = Fraction(0)
    for n in range(len(limits) + 1):
        for late in combinations(limits, n):
            chance += (-1) ** n * _none_before(late, size)
    return chance


def turns_to_complete(hand: Cards, *, side: int | str, row: Cards = (), seen: Cards = (), deck: Cards = DEFAULT_DECK,
                      drawn: bool = False) -> Dist[int]:
    """On which own turn the row is complete, 1 or more; parameters and assumptions as for `complete_within`.

    Parameters
    ----------
    hand, side, row, seen, deck, drawn
        As in `complete_within`.

    Returns
    -------
    Dist of int

    Raises
    ------
    OptionError
        Also if a missing card is neither in hand nor unseen: the row then waits for the next reshuffle.

    >>> turns_to_complete("torpedo transport", side="U-boats", row="periscope")
    Dist({2: 1})
    """
    missing, held, unseen = _question(hand, side, row, seen, deck)
    for card in missing:
        if not held[card] and not unseen[card]:
            raise OptionError(SAY("wrong.waits", card=card.title))
    weights: list[tuple[int, Fraction]] = []
    turns, before = 0, Fraction(0)
    while before < 1:
        turns += 1
        now = complete_within(hand, side=side, turns=turns, row=row, seen=seen, deck=deck, drawn=drawn)
        weights.append((turns, now - before))
        before = now
    return Dist(weights)


def expected_turns(hand: Cards, *, side: int | str, row: Cards = (), seen: Cards = (), deck: Cards = DEFAULT_DECK,
                   drawn: bool = False) -> Fraction:
    """The mean number of own turns until the row is complete; as `turns_to_complete`.

    Parameters
    ----------
    hand, side, row, seen, deck, drawn
        As in `complete_within`.

    Returns
    -------
    Fraction
        Own turns.

    Raises
    ------
    NotationError, OptionError
        As in `turns_to_complete`.

    >>> expected_turns("torpedo transport", side="U-boats", row="periscope")
    Fraction(2, 1)
    """
    return turns_to_complete(hand, side=side, row=row, seen=seen, deck=deck, drawn=drawn).mean


def within(observation: Observation, turns: int, side: int | None = None) -> Fraction:
    """The chance to complete a row within a number of turns, as seen from an observation.

    Parameters
    ----------
    observation : Observation
    turns : int
        Own turns from now on; the present one counts while its action is still to come.
    side : int, optional
        Left out, the observer. For the opponent the hand is unknown: it is drawn by counting alone, and he
        draws on his turns from what is then left, which is the same as drawing his unknown cards before them.

    Returns
    -------
    Fraction
        As `complete_within`, with its assumptions.

    Raises
    ------
    OptionError
        If ``turns`` is no whole number, 0 or more.

    >>> import navalkit as nk
    >>> within(nk.Match.new("wolf-pack", seed=1).observe(0), 3)
    Fraction(143, 498)
    """
    seen, me = observation, observation.me
    side = me if side is None else side
    if side == me:
        others = less(seen.seen, total(seen.hand, _row(side, seen.rows[side])))
        row = ROWS[side][: seen.rows[side]]
        drawn = has_drawn(seen, side)
        return complete_within(seen.hand, side=side, turns=turns, row=row, seen=others, deck=seen.cards, drawn=drawn)
    missing = ROWS[side][seen.rows[side] :]
    if turns < len(missing):
        return Fraction(0)
    unknown = seen.their_size - sum(seen.known)
    size = sum(seen.unseen)
    limits = []
    for i, card in enumerate(missing, 1):
        if not seen.known[card]:
            draws = DRAW * (turns - len(missing) + i - has_drawn(seen, side))
            limits.append((seen.unseen[card], min(size, unknown + draws)))
    chance = Fraction(0)
    for n in range(len(limits) + 1):
        for late in combinations(limits, n):
            chance += (-1) ** n * _none_before(late, size)
    return chance


def holds(card: Card | str, *, observation: Observation, weights: Weights | None = None) -> Fraction:
    """The chance that the opponent holds a card of that kind.

    Parameters
    ----------
    card : Card or str
        Such as "transport".
    observation : Observation
        What the asking side may know.
    weights : Weights, optional
        How likely each kind is to be kept (`kept`). Left out, by counting alone: the unknown cards of the
        hand are a random choice from the unseen. Kept cards are chosen, so say so beside the number.

    Returns
    -------
    Fraction
        1 for a card the opponent is known to hold (rule W13).

    Raises
    ------
    NotationError
        If there is no such card.
    OptionError
        If it is no observation.

    >>> import navalkit as nk
    >>> holds("transport", observation=nk.Match.new("wolf-pack", seed=1).observe(0))
    Fraction(125807, 245016)
    """
    return held(card, observation=observation, weights=weights).at_least(1)


def held(card: Card | str, *, observation: Observation, weights: Weights | None = None) -> Dist[int]:
    """How many cards of that kind the opponent holds; parameters as for `holds`.

    Parameters
    ----------
    card, observation, weights
        As in `holds`.

    Returns
    -------
    Dist of int

    Raises
    ------
    NotationError
        If there is no such card.
    OptionError
        If it is no observation.

    >>> import navalkit as nk
    >>> held("transport", observation=nk.Match.new("wolf-pack", seed=1).observe(0)).mean
    Fraction(55, 84)
    """
    kind = card if isinstance(card, Card) else parse(card)
    return Belief(observation, weights or EVEN).held(kind)


def may_hold(observation: Observation, *, kept: bool = False) -> dict[Card, Fraction]:
    """The chance of every kind to be in the opponent's hand.

    Parameters
    ----------
    observation : Observation
    kept : bool
        Whether to weigh what is worth keeping (figures of kept.toml) instead of counting alone.

    Raises
    ------
    OptionError
        If it is no observation.
    """
    guess = Belief(observation, likely(observation) if kept else EVEN)
    return {card: guess.holds(card) for card in Card}


# -- The chance to win -----------------------------------------------------------------------------
# Strikes come about as regularly as runners' steps: a side that has n more of them to do takes about n times as long,
# and the time varies the more, the greater n is. So the time by which the U-boats are done first is taken to be
# normally distributed (`prob.race`); the cards that lie on the table put one side ahead. How far, and how much chance
# there is in it, was fitted to games of careful players (``measures --race``), from every number of ships still to
# sink: one set of numbers serves every start of the default deck.

def standing(rows: tuple[int, int], side: int, turn: int) -> int:
    """Which of the 19 standings this is that differ in what lies and who acts next; the last is that of the beginning,
    when no hand has been chosen yet. Parameters as of `race`."""
    return 18 if turn == 1 and not side and not any(rows) else 9 * side + 3 * rows[0] + rows[1]


@lru_cache(maxsize=4096)
def race(left: tuple[int, int], rows: tuple[int, int], side: int, turn: int) -> float:
    """The U-boats' chance to win between careful players, by what lies on the table.

    Parameters
    ----------
    left : (int, int)
        Transports and U-boats still to sink, 0 or more; who has none to sink has won.
    rows : (int, int)
        Cards in the U-boats' row and in the convoy's, 0 to 2.
    side : int
        Who acts next: 0 the U-boats, 1 the convoy.
    turn : int
        From 1.

    Returns
    -------
    float
        From 0 to 1, for the default deck and without a last turn; docs/calibration.md has it held against games.

    >>> race((0, 2), (0, 0), 0, 9), race((3, 2), (2, 0), 0, 9) > race((3, 2), (0, 2), 0, 9)
    (1.0, True)
    """
    if not all(left):
        return float(not left[0])
    at = standing(rows, side, turn)
    (transports, u_boats), table = left, TABLES.race
    ahead = u_boats * table.strike[1] - transports * table.strike[0] + table.ahead[at]
    return stays_ahead(ahead, transports * table.noise[0] + u_boats * table.noise[1] + table.spread[at])


def chance(game: WolfPack, seen: State | Observation, side: int) -> float:
    """A side's chance to win, by what both sides see; by it hints and reviews judge a game that they break off.

    Parameters
    ----------
    game : WolfPack
    seen : State or Observation
    side : int
        0 the U-boats, 1 the convoy.

    Returns
    -------
    float
        As `race`; 1, 0 or one half when the game is over.

    Examples
    --------
    >>> import navalkit as nk
    >>> match = nk.Match.new("wolf-pack", seed=1)
    >>> round(chance(match.game, match.state, side=0), 2)
    0.55
    """
    if seen.phase is Phase.END:
        return (1.0 if seen.result == SIDES[side] else 0.0) if seen.result in SIDES else 0.5
    acted = {Phase.ACTION: 0, Phase.LOSS: 1}.get(seen.phase)
    left = game.goals[0] - seen.sunk[0], game.goals[1] - seen.sunk[1]
    found = race(left, seen.rows, 0 if acted is None else (seen.side + acted) % 2, seen.turn)
    return found if side == 0 else 1 - found


def _question(hand: Cards, side: int | str, row: Cards, seen: Cards,
              deck: Cards) -> tuple[Sequence[Card], Counts, Counts]:
    """The cards missing in the row, the hand, and the unseen cards."""
    side = _side(side)
    held, laid, others, everything = map(cards.counts, (hand, row, seen, deck))
    due = ROWS[side][: sum(laid)]
    if sum(laid) >= len(ROWS[side]) or laid != _row(side, sum(laid)):
        titles = " – ".join(card.title for card in ROWS[side])
        raise OptionError(SAY("wrong.laid", side=SIDES[side], titles=titles, laid=cards.show(laid)))
    unseen = less(everything, total(held, total(laid, others)))
    for card in Card:
        if unseen[card] < 0:
            n = everything[card]
            raise OptionError(SAY("wrong.count", n=n - unseen[card], card=card.title, deck=n))
    return ROWS[side][len(due) :], held, unseen


def _side(side: int | str) -> int:
    for number, name in enumerate(SIDES):
        if side == number or (isinstance(side, str) and side.lower() == name.lower()):
            return number
    raise OptionError(SAY("wrong.side", side=brief(side)))


def _row(side: int, laid: int) -> Counts:
    return cards.row_counts((laid, 0) if side == 0 else (0, laid))


def _none_before(limits: Sequence[tuple[int, int]], size: int) -> Fraction:
    """The chance that of ``size`` cards in random order no card of any kind comes before its limit. ``limits``: cards
    of the kind, limit."""
    chance, taken = Fraction(1), 0
    for n, limit in sorted(limits, key=lambda pair: -pair[1]):
        if n:
            chance *= Fraction(comb(max(size - limit - taken, 0), n), comb(size - taken, n))
        taken += n
    return chance


ODDS = {"complete_within": complete_within, "turns_to_complete": turns_to_complete}
"""The questions that the command line asks, too."""
