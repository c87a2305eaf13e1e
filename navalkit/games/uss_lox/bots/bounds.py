"""Bounds of what a position is worth: what a captain really gets, and what nobody can exceed; exact with few cards.

The exact value of an early position is out of reach, but not what it lies between. A *path* is one order of all unseen
cards: ocean, torpedoes and escorts, one after another. On each path two captains sail. The first follows the tables of
`solve` and never looks ahead: his mean is that of a captain who can be followed, a lower bound. The second sees the
whole path and does what is best on it, but pays for what he sees: whenever a card is turned up, both captains give back
what the tables say it was worth, less what that was on average over the cards that could have come. Such fees are fair,
they cost a captain without foresight nothing on average; so no such captain can get more than the second one's mean, an
upper bound (an information relaxation with its dual penalty; Brown, Smith and Sun, 2010). The better the tables, the
closer the two, and the fewer paths are needed, for the fees take most of the luck out of both.

A path is worked through backwards from the last ocean card, over all torpedoes fired, torpedoes left and escorts met.
"""

from __future__ import annotations

from math import ceil, floor, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from navalkit.core.errors import NotationError, OptionError

from ..odds.counting import BIT, Pools, by_rank, salvoes
from ..rules import cards
from ..rules.cribbage import Cards
from ..rules.game import UssLox
from ..rules.say import SAY
from ..rules.state import MAX_TORPEDOES, NO_CARD, Phase, State
from .boats import DECLINE, ESCAPE, PIPS, RANK, unseen_by
from .endgame import MOST_UNSEEN, Endgame, solvable
from .patrols import NO_SHOT, sunk_by
from .solve import NEVER, Aim, Floats, Solution

SURE = 4.0  # standard errors by which each bound is widened, besides what one path unseen may hold
_LARGE = 10.0
_CHUNK = 16
_GO, _RETURN = 6, 7  # orders beside those of `boats`: to turn up another card, or to return
_WORDS = {n: f"attack {n}" for n in range(4)} | {DECLINE: "decline", ESCAPE: "escape", _GO: "flip", _RETURN: "return"}
_TONNAGE = Aim()
Samples = dict[int, Floats]


class Bound(NamedTuple):
    """What an order is worth, in tons at the end of the patrol, if all goes on as well as can be done.

    Where ``exact`` is false, both are estimates, wide enough that hardly ever is the value outside.
    """

    order: str
    at_least: int
    at_most: int
    exact: bool


def bounds(
    ocean: int, torpedoes: int, *, ship: str = "", escort: bool = False, seen: Cards = "", nob: bool = False,
    paths: int = 128, sunk: Cards = "", loss_weight: float = 1.0,
) -> tuple[Bound, ...]:  # fmt: skip
    """How much tonnage each order is worth, at least and at most, in the basic game.

    With at most 11 cards unseen both are the exact value. Else they are means over random paths, each widened by four
    of its standard errors, and by a large ship's tonnage over the number of paths, for what none of them has met: very
    likely bounds, not certain ones.

    Parameters
    ----------
    ocean : int
        Ocean cards face down, at most 24 with the torpedoes.
    torpedoes : int
        Torpedoes left.
    ship : str, optional
        The target in sight, such as "8D"; left out, the boat is at a debrief.
    escort : bool
        Whether that ship is an escort.
    seen : str, or sequence of cards
        The other cards seen so far, such as "5H,5S".
    nob : bool
        Whether a jack of the ship's suit scores (rule A6).
    paths : int
        How many paths are sailed, 2 to 1000: four times as many, half as far apart.
    sunk : str, or sequence of cards
        The ships sunk so far, which count from the start.
    loss_weight : float
        What a ton counts when the boat is lost, 0 to 1. With less than 1 at most 10 cards may be unseen.

    Returns
    -------
    sequence of Bound
        One for every order, the best first.

    Raises
    ------
    NotationError
        If something is no card.
    OptionError
        If a number is out of range, the deck may run out of escorts, or too many cards are unseen for the weight.

    >>> bounds(0, 1, ship="8D", seen=[card for card in range(52) if card > 8 and card != 29])[0]
    Bound(order='attack 0', at_least=500, at_most=500, exact=True)
    """
    game = UssLox(nob=nob)
    up = [cards.as_card(ship)] if ship else []
    tonnage, aim = tuple(cards.as_cards(sunk)), Aim.of(loss_weight=loss_weight)
    known = {*up, *tonnage, *cards.as_cards(seen)}
    if joker := next((card for card in known if cards.is_joker(card)), 0):
        raise NotationError(SAY("wrong.joker.seen", card=cards.text(joker), jokers=0))
    dealt = ocean + torpedoes
    deck = len(game.pack) - len(known) - dealt
    if min(ocean, torpedoes, deck) < 0 or dealt > game.supply_size or not 2 <= paths <= 1000:
        raise OptionError(SAY("wrong.bounds", most=game.supply_size))
    slots = tuple(range(dealt + deck))
    phase = Phase.DEBRIEF if not up else Phase.ESCORT if escort else Phase.TARGET
    state = State(
        phase, ocean=slots[:ocean], supply=slots[ocean:dealt], deck=slots[dealt:],
        ship=up[0] if up else NO_CARD, role="escort" if escort else "target" if up else "",
        seen=sum(1 << card for card in known), sunk=tonnage,
    )  # fmt: skip
    exact = solvable(game, aim, state)
    if aim.top and not exact:
        raise OptionError(SAY("wrong.bounds.weight", most=MOST_UNSEEN[1], unseen=len(state.deck) + dealt))
    found = between(game, state, paths, aim=aim)
    so_far = 0 if aim.top else state.tons
    ranked = sorted(found.items(), key=lambda each: [-value for value in each[1]])
    return tuple(
        Bound(_WORDS[order], so_far + floor(1000 * least + 1e-6), so_far + ceil(1000 * most - 1e-6), exact)
        for order, (least, most) in ranked
    )


def between(
    game: UssLox, state: State, paths: int = 128, seed: int = 1, aim: Aim = _TONNAGE
) -> dict[int, tuple[float, float]]:
    """The least and the most each order can be worth, in the unit of the aim: twice the exact value, or estimates.

    ``game``: with no option but `nob`. ``state``: a target or an escort in sight, or a debrief. ``aim``: estimates are
    those of plain tonnage, whatever it is.
    """
    if solvable(game, aim, state):
        named = {True: _GO, False: _RETURN} if state.phase is Phase.DEBRIEF else {}
        exact = Endgame(game, aim, state).values()
        return {named.get(order, order): (value, value) for order, value in exact.items()}
    pool = [card for card in game.pack if not state.seen >> card & 1]
    rng, sailed = np.random.default_rng(seed), []
    for start in range(0, paths, _CHUNK):
        sailed.append(sail(game, state, rng.permuted(np.tile(pool, (min(_CHUNK, paths - start), 1)), axis=1)))
    found = {}
    for order in sailed[0]:
        both = np.concatenate([samples[order] for samples in sailed], axis=1)
        (most, least), wide = both.mean(axis=1), SURE * both.std(axis=1, ddof=1) / sqrt(paths) + _LARGE / paths
        found[order] = (0.0, 0.0) if order == _RETURN else (float(least - wide[1]), float(most + wide[0]))
    return found


def sail(game: UssLox, state: State, paths: npt.NDArray[Any]) -> Samples:
    """What every order brings on some paths, shape (2, paths): the captain who sees them first.

    ``paths`` are the unseen cards in the order ocean, torpedoes, escorts, shape (paths, cards). Over all orders of the
    cards the means are bounds without any error.
    """
    sea = _Sea(game, state, paths)
    flip = np.zeros((2, len(paths), state.torpedoes + 1, sea.escorts.shape[1] + 1, state.torpedoes + 1))
    for turned in reversed(range(state.ocean_left)):
        options = sea.target(sea.ocean[:, turned], turned + 1, flip)
        table = sea.tables.flip[0, state.ocean_left - turned, :, 0]
        fee = table[:, RANK[sea.ocean[:, turned]]].T[:, None, None] - sea.look(turned, flip.shape[3] - 1).mean(table)
        flip = _best(options) - fee
    root = (slice(None), slice(None), 0, 0, state.torpedoes)
    if state.phase is Phase.DEBRIEF:
        return {_GO: flip[root], _RETURN: np.zeros((2, len(paths)))}
    ship = np.full((len(paths), 1), state.ship)
    options = sea.target(ship[:, 0], 0, flip) if state.phase is Phase.TARGET else sea.escort(ship, sea.look(0, 1), flip)
    return {order: value[root] for order, (worth, value) in options.items() if worth[root[1:]].max() > NEVER / 2}


Options = dict[int, tuple[Floats, Floats]]
"""By order: what the tables say, (paths, *node), and what both captains get, (2, paths, *node)."""


class _Look:
    """What is unseen at the nodes of some paths, and what the tables say there.

    A node is (torpedoes fired, escorts met); torpedoes left are the last axis of values.
    """

    def __init__(self, tables: Solution, ocean: int, unseen: Pools) -> None:
        self.tables, self.unseen, self.ocean = tables, unseen, ocean
        self.held = np.moveaxis(by_rank(unseen), 0, -1).astype(float)
        self.cards = np.maximum(self.held.sum(axis=-1), 1)[..., None]
        self.flip = self.mean(tables.flip[0, ocean, :, 0])
        self.debrief = np.concatenate([np.zeros_like(self.flip[..., :1]), self.flip[..., 1:]], axis=-1)

    def mean(self, table: Floats) -> Floats:
        """A table (torpedoes left, rank) averaged over the cards unseen."""
        return np.asarray(self.held @ table.T / self.cards)


class _Sea:
    """Some paths of one position."""

    def __init__(self, game: UssLox, state: State, paths: npt.NDArray[Any]) -> None:
        ocean, torpedoes = state.ocean_left, state.torpedoes
        encounters = ocean + (state.phase is Phase.TARGET)
        if len(state.deck) < encounters:
            raise OptionError(SAY("wrong.bounds.deck", deck=len(state.deck), escorts=encounters))
        self.nob, self.left = bool(game.options["nob"]), ocean
        self.tables = Solution(game, _TONNAGE, state, Solution(game, _TONNAGE))
        places = np.cumsum([ocean, torpedoes, encounters])
        self.ocean, fired, self.escorts, _ = np.split(paths.astype(np.uint8), places, axis=1)
        self.shots = np.pad(fired, ((0, 0), (0, MAX_TORPEDOES)), constant_values=NO_SHOT)
        self.seen = [_turned(some) for some in (self.ocean, fired, self.escorts)]
        self.unseen = np.uint64(unseen_by(game, state))

    def look(self, turned: int, nodes: int, met: int = 0) -> _Look:
        """At the nodes of the first numbers of escorts met; with ``met`` of 1 the next escort is there already."""
        ocean, fired, escorts = self.seen
        gone = ocean[:, turned, None, None] | fired[:, :, None] | escorts[:, None, met : met + nodes]
        return _Look(self.tables, self.left - turned, self.unseen & ~gone)

    def target(self, ship: npt.NDArray[Any], turned: int, flip: Floats) -> Options:
        """A target in sight after ``turned`` ocean cards; ``flip`` is what the next of them brings."""
        nodes = flip.shape[3] - 1
        here, escorts = self.look(turned, nodes), self.escorts[:, :nodes]
        table = self.tables.escort[0, here.ocean, :, 0]
        average = here.mean(table)
        fee = np.moveaxis(table[:, RANK[escorts]], 0, -1)[:, None] - average
        hunted = _best(self.escort(escorts, self.look(turned, nodes, met=1), flip[:, :, :, 1:])) - fee
        flip = flip[:, :, :, :-1]
        options = self._attacks(np.repeat(ship[:, None], nodes, axis=1), here, flip, hunted, average)
        options[DECLINE] = here.flip, flip
        return options

    def escort(self, ships: npt.NDArray[Any], here: _Look, flip: Floats) -> Options:
        """Escorts in sight, shape (paths, escorts met before)."""
        options = self._attacks(ships, here, flip, np.zeros_like(flip), np.zeros_like(here.flip))
        left = (np.arange(flip.shape[-1]) - PIPS[RANK[ships]][..., None])[:, None]
        paid, get = np.broadcast_to(np.maximum(left, 0), here.flip.shape), _docked(flip)
        worth = np.take_along_axis(here.debrief, paid, axis=-1)
        value = np.take_along_axis(get, np.broadcast_to(paid, get.shape), axis=-1)
        options[ESCAPE] = np.where(left < 0, NEVER, worth), np.where(left < 0, NEVER, value)
        return options

    def _attacks(self, ships: npt.NDArray[Any], here: _Look, flip: Floats, missed: Floats, hunted: Floats) -> Options:
        """Attacks with 0 to 3: ``hunted`` is what the tables say of a miss, ``missed`` what comes of it."""
        sunk, nodes = _docked(flip), flip.shape[1:4]
        ship = np.broadcast_to(ships[:, None], nodes)
        hits, deals = salvoes(ship.reshape(-1), here.unseen.reshape(-1), self.nob)
        chances = (hits / np.maximum(deals, 1)).reshape(4, *nodes)
        jack, pips = (RANK[ship] == cards.JACK)[..., None], PIPS[RANK[ship]][..., None]
        options: Options = {}
        for n in range(MAX_TORPEDOES + 1):
            shots = np.full((3, *nodes), NO_SHOT, dtype=np.uint8)
            for i in range(n):
                shots[i] = self.shots[:, i : i + nodes[1], None]
            hit = sunk_by(ship.reshape(-1), shots.reshape(3, -1), self.nob).reshape(*nodes, 1)
            gain, loss = pips + _spent(here.debrief, n), _spent(hunted, n)
            worth = loss + chances[n, ..., None] * (gain - loss)
            fee = np.where(hit, gain - pips, loss) - worth
            value = np.where(hit, _fired(sunk, n), _fired(missed, n))
            never = (jack & (n > 0)) | (np.arange(flip.shape[-1]) < n)
            options[n] = np.where(never, NEVER, worth), np.where(never, NEVER, value - fee)
        return options


def _docked(flip: Floats) -> Floats:
    """What both captains get from a debrief on: who sees the path may return."""
    get = flip.copy()
    get[0] = np.maximum(get[0], 0)
    get[..., 0] = 0
    return get


def _turned(some: npt.NDArray[np.uint8]) -> Pools:
    """The cards seen after 0, 1 ... of them were turned up, a bit for each: (paths, turned + 1)."""
    return np.pad(np.bitwise_or.accumulate(BIT[some], axis=1), ((0, 0), (1, 0)))


def _spent(values: Floats, n: int) -> Floats:
    """Values by torpedoes left, seen from before they were spent; the first are of no use."""
    return np.roll(values, n, axis=-1)


def _fired(values: Floats, n: int) -> Floats:
    """The same by torpedoes fired, too; the last are out of reach."""
    return np.roll(values, (n, -n), axis=(-1, -3))


def _best(options: Options) -> Floats:
    """The first captain does what is best on the path, the second what the tables say."""
    worth = np.array([each for each, _ in options.values()])
    value = np.array([each for _, each in options.values()])
    told = np.take_along_axis(value[:, 1], worth.argmax(axis=0)[None], axis=0)[0]
    return np.array([value[:, 0].max(axis=0), told])
