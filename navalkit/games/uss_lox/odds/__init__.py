"""The exact odds of USS Lox: will these torpedoes score, can this escort be shaken off?

All is counted, nothing sampled; `counting` has the kernel.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from numbers import Integral

import numpy as np
import numpy.typing as npt

from navalkit.core.echo import brief
from navalkit.core.errors import IllegalActionError, NotationError, OptionError
from navalkit.core.luck.dist import Dist

from ..rules import cards as pack
from ..rules.cribbage import Cards
from ..rules.game import UssLox
from ..rules.round import Round
from ..rules.say import SAY
from ..rules.state import Attack, State
from .counting import PACK_SIZE, SALVO, hit_counts, salvoes, salvoes_by_ship, sink_many

__all__ = ["ODDS", "attack_outcomes", "escape", "hit_counts", "sink", "sink_many", "survive_escort", "table"]


def sink(ship: str | int, torpedoes: int, *, seen: Cards = (), jokers: int = 0, nob: bool = False) -> Fraction:
    """The chance that `torpedoes` unseen cards, fired at the face-up `ship`, score (rule L3b).

    Parameters
    ----------
    ship : str or int
        The target, such as "8D". It is seen, whether or not it is listed in `seen`.
    torpedoes : int
        How many are fired, 0 to 3.
    seen : str or iterable of str or int
        The other cards seen so far, such as "5H 5S JC". They cannot be among those fired.
    jokers : int
        Jokers in the pack, 0 to 2. One that has been seen ("X1") is listed in `seen`.
    nob : bool
        Whether a jack of the ship's suit scores (rule A6).

    Returns
    -------
    Fraction
        Exact; 1 for a jack.

    Raises
    ------
    NotationError
        If something is no card, the ship is a joker, or `seen` holds a card twice or a joker not in the pack.
    OptionError
        If `torpedoes` or `jokers` is out of range, or fewer cards are unseen than are fired.

    Examples
    --------
    >>> sink("8D", 1)
    Fraction(7, 51)
    """
    target = pack.as_card(ship)
    if pack.is_joker(target):
        raise NotationError(SAY("wrong.joker.ship"))
    if not _is_whole(torpedoes, SALVO):
        raise OptionError(SAY("wrong.salvo", n=brief(torpedoes)))
    pool = _pool(seen, jokers) & ~(1 << target)
    if pool.bit_count() < torpedoes:
        raise OptionError(SAY("wrong.pool", pool=pool.bit_count(), n=torpedoes))
    hits, deals = salvoes_by_ship(pool, bool(nob))
    return Fraction(int(hits[torpedoes, target]), int(deals[torpedoes, target]))


def table(seen: Cards = (), jokers: int = 0, nob: bool = False) -> npt.NDArray[np.float64]:
    """The chances to sink every rank of ship with every number of torpedoes.

    Parameters
    ----------
    seen, jokers, nob
        As for `sink`.

    Returns
    -------
    array of float, shape (13, 4)
        Rows: the ship's rank, ace to king. Columns: 0 to 3 torpedoes. A row is the average of `sink` over the
        rank's unseen cards; it is NaN if there are none. An entry is NaN if too few cards are unseen. The
        jacks' row is 1.

    Raises
    ------
    NotationError, OptionError
        As `sink`.

    >>> table().round(2)[5].tolist()
    [0.0, 0.14, 0.42, 0.73]
    """
    return ranks_sunk(_pool(seen, jokers), nob)


def ranks_sunk(pool: int, nob: bool) -> npt.NDArray[np.float64]:
    """`table` of a pool of unseen cards, a bit for each."""
    unseen = np.array([pool >> card & 1 for card in range(52)])
    hits, deals = ((choices * unseen).reshape(4, 13, 4).sum(axis=2).T for choices in salvoes_by_ship(pool, bool(nob)))
    return np.asarray(np.divide(hits, deals, out=np.full((13, 4), np.nan), where=deals > 0))


def escape(torpedoes: int, *, seen: Cards = (), jokers: int = 0) -> Fraction:
    """The chance that the next escort can be shaken off by discarding torpedoes (rule L4c).

    The escort is any unseen card that is no joker (a joker drawn as escort is set aside and another card
    drawn), and costs its number in torpedoes, a jack ten like the other face cards.

    Parameters
    ----------
    torpedoes : int
        Torpedoes left, 0 to 53.
    seen, jokers
        As for `sink`.

    Returns
    -------
    Fraction

    Raises
    ------
    NotationError
        If `seen` holds what is no card, a card twice, or a joker not in the pack.
    OptionError
        If `torpedoes` or `jokers` is out of range, or no card is left to be the escort.

    Examples
    --------
    >>> escape(3)
    Fraction(3, 13)
    """
    _check_store(torpedoes)
    escorts = _escorts(_pool(seen, jokers))
    return Fraction(sum(pack.pips(card) <= torpedoes for card in escorts), len(escorts))


def survive_escort(torpedoes: int, *, seen: Cards = (), jokers: int = 0, nob: bool = False) -> Fraction:
    """The chance to get away from the next escort when the captain plays for survival alone.

    A jack is sunk by the deck gun; an escort that can be paid for is paid; any other is attacked with the
    number of torpedoes, up to three, that has the best chance.

    Parameters
    ----------
    torpedoes : int
        Torpedoes left, 0 to 53. They are among the unseen cards.
    seen, jokers, nob
        As for `sink`.

    Returns
    -------
    Fraction

    Raises
    ------
    NotationError, OptionError
        As `escape`, and if fewer cards are unseen than the torpedoes and the escort.

    >>> survive_escort(4)
    Fraction(6502, 7735)
    """
    _check_store(torpedoes)
    unseen = _pool(seen, jokers)
    escorts = _escorts(unseen)
    pool, blanks = len(escorts) - 1, unseen.bit_count() - len(escorts)
    if pool + blanks < torpedoes:
        raise OptionError(SAY("wrong.pool.escort", pool=pool + 1 + blanks, n=torpedoes))
    hits = salvoes_by_ship(unseen, bool(nob))[0].T.tolist()
    alive = Fraction(0)
    # Jokers drawn before the escort are set aside, face up: each one fewer can spoil the attack.
    chance_of_draw = Fraction(1)
    for jokers_left in range(blanks, -1, -1):
        cards_left = len(escorts) + jokers_left
        deals = [comb(pool + jokers_left, n) for n in SALVO if n <= torpedoes]
        ways = sum(
            Fraction(1)
            if pack.by_gun(card) or pack.pips(card) <= torpedoes
            else max(Fraction(hits[card][n], of) for n, of in enumerate(deals) if of)
            for card in escorts
        )
        alive += chance_of_draw * ways / cards_left
        chance_of_draw *= Fraction(jokers_left, cards_left)
    return alive


def attack_outcomes(state: State, torpedoes: int, game: UssLox | None = None) -> Dist[str]:
    """What firing that many now leads to, before the captain decides anything more (rules L3, L4).

    Parameters
    ----------
    state : State
        With a target or an escort face up.
    torpedoes : int
        How many are fired, 0 to 3.
    game : UssLox, optional
        The game the state is of; left out, the basic game.

    Returns
    -------
    Dist of str
        Exact over all draws of torpedoes and escort. "sunk"; or missed, and an escort comes that is a jack
        for the "deck gun", that one could "escape" from with the torpedoes left, or that one must "fight"; or
        no card is left to be the escort, and the boat can "slip away" (L4e). "lost" if an escort is missed
        (L4d), or if no card is left on a second patrol (A7).

    Raises
    ------
    IllegalActionError
        If the attack is not possible now.
    OptionError
        If the state is not of that game, but of one with jokers.

    Examples
    --------
    >>> from navalkit.games.uss_lox import UssLox
    >>> text = "(phase=target ocean=-1,1 supply=2,3 deck=4,5,6 ship=8D role=target seen=20000000)"
    >>> attack_outcomes(UssLox().parse_state(text), 1)["sunk"]
    Fraction(7, 51)
    """
    game = game or UssLox()
    if reason := game.why_not(state, Attack(torpedoes)):
        raise IllegalActionError(reason)
    slots = (*state.ocean, *state.supply, *state.deck)
    if max(slots, default=0) >= len(game.pack) or any(card not in game.pack for card in state.seen_cards):
        raise OptionError(SAY("wrong.pack"))
    unseen = sum(1 << card for card in game.pack if not state.seen >> card & 1)
    plain = _plain(unseen)
    blanks, nob = unseen.bit_count() - len(plain), bool(game.options["nob"])
    if pack.by_gun(state.ship):
        return Dist.point("sunk")
    # One lane for each card that may be the escort, and so is not among those fired; the last for none.
    pools = np.array([unseen & ~(1 << escort) for escort in plain] + [unseen], dtype=np.uint64)
    hits = salvoes(np.full(len(pools), state.ship), pools, nob)[0][torpedoes].tolist()
    deals = comb(unseen.bit_count(), torpedoes)
    chances = {"sunk": Fraction(hits[-1], deals)}
    if state.role == "escort":
        return Dist({**chances, "lost": 1 - chances["sunk"]})
    nobody = Round(game).hunted(0, state.patrol, "", "lost", "slip away")
    for duds in range(min(blanks, torpedoes) + 1):
        shots = torpedoes - duds  # the torpedoes fired that are no jokers
        # Jokers drawn as escort are set aside; a deck of nothing else holds no escort.
        left, jokers = unseen.bit_count() - torpedoes, blanks - duds
        none = Fraction(comb(jokers, len(state.deck)), comb(left, len(state.deck)))
        missed = comb(blanks, duds) * comb(len(plain), shots) - (hits[-1] if duds == 0 else 0)
        chances[nobody] = chances.get(nobody, Fraction(0)) + none * Fraction(missed, deals)
        for escort, hit in zip(plain, hits, strict=False):
            ways = comb(blanks, duds) * comb(len(plain) - 1, shots) - (hit if duds == 0 else 0)
            if ways:
                label = _escort_label(escort, state.torpedoes - torpedoes)
                share = (1 - none) * Fraction(ways, deals * (len(plain) - shots))
                chances[label] = chances.get(label, Fraction(0)) + share
    return Dist(chances)


def _escort_label(escort: int, torpedoes: int) -> str:
    if pack.by_gun(escort):
        return "deck gun"
    return "escape" if pack.pips(escort) <= torpedoes else "fight"


def _pool(seen: Cards, jokers: int) -> int:
    """The unseen pool, a bit for each card, of a pack with that many jokers."""
    if not _is_whole(jokers, range(3)):
        raise OptionError(SAY("wrong.jokers", jokers=brief(jokers)))
    pool = (1 << 52 + jokers) - 1
    for card in pack.as_cards(seen):
        if card >= 52 + jokers:
            raise NotationError(SAY("wrong.joker.seen", card=pack.text(card), jokers=jokers))
        pool &= ~(1 << card)
    return pool


def _plain(pool: int) -> list[int]:
    """The cards of a pool that are no jokers."""
    return [card for card in range(52) if pool >> card & 1]


def _escorts(pool: int) -> list[int]:
    if not (escorts := _plain(pool)):
        raise OptionError(SAY("wrong.no_escort"))
    return escorts


def _check_store(torpedoes: int) -> None:
    if not _is_whole(torpedoes, range(PACK_SIZE)):
        raise OptionError(SAY("wrong.store", n=brief(torpedoes), most=PACK_SIZE - 1))


def _is_whole(value: object, allowed: range) -> bool:
    return isinstance(value, Integral) and value in allowed


ODDS = {"sink": sink, "escape": escape, "survive_escort": survive_escort}
"""The questions that the command line asks, too."""
