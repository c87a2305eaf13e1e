"""How USS Lox is measured: forecasts for `navalkit calibration`, and how the review after a patrol counts."""

from __future__ import annotations
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from navalkit.core.files import read
from navalkit.core.match import Match
from navalkit.players.review import Yardstick
from navalkit.view.page import Glance
from . import cards, odds
from .bots import BOTS
from .cards import SAY
from .endgame import DECLINE, ESCAPE, Aim, solvable
from .game import UssLox
from .optimal import OptimalPolicy
from .page import average, chance_to_sink
from .patrols import outlook
from .state import Action, Attack, Chase, Deal, Escape, Flip, Phase, State

Forecasts = Sequence[tuple[float, bool]]
_SUNK = {"sunk", "deck_gun", "estimate_later"}


def _patrol(seed: int) -> tuple[UssLox, Match, np.random.Generator]:
    """A patrol under options drawn at random, and what its captain draws from."""
    rng = np.random.default_rng(seed)
    switches = [spec.name for spec in UssLox.specs if isinstance(spec.default, bool) and spec.name != "home"]
    game = UssLox(**{name: bool(rng.random() < 0.3) for name in switches})
    return game, Match.new(game, seed), rng


def _any(match: Match, rng: np.random.Generator) -> Action:
    """Any legal order, attacks as often as all others together."""
    legal = match.legal()
    attacks = [action for action in legal if isinstance(action, Attack)]
    chosen = attacks if attacks and rng.random() < 0.5 else legal
    action: Action = chosen[rng.integers(len(chosen))]
    return action


def _play(match: Match, action: Action) -> bool:
    """Play it, and say whether it sank a ship."""
    return any(event.kind in _SUNK for event in match.play(action))


def _shots(seed: int) -> Iterator[tuple[UssLox, State, int, bool, State]]:
    """The attacks of a patrol: position, torpedoes fired, whether they sank the ship, and what came of it."""
    game, match, rng = _patrol(seed)
    while not match.over:
        state, action = match.state, _any(match, rng)
        sunk = _play(match, action)
        if isinstance(action, Attack):
            yield game, state, action.torpedoes, sunk, match.state


def attacks(seed: int) -> Iterator[Forecasts]:
    """The chance on the button of an attack that was made."""
    for game, state, torpedoes, sunk, _ in _shots(seed):
        yield [(float(chance_to_sink(game, state, torpedoes)), sunk)]


def fates(seed: int) -> Iterator[Forecasts]:
    """What firing leads to, by the table beside the board: sunk, away from the escort for certain, or not."""
    for game, state, torpedoes, sunk, after in _shots(seed):
        fate = odds.attack_outcomes(state, torpedoes, game)
        bad, worst = fate["fight"] + fate["lost"], not sunk and _in_danger(after)
        yield [
            (float(fate["sunk"]), sunk),
            (float(bad), worst),
            (float(1 - fate["sunk"] - bad), not sunk and not worst),
        ]


def _in_danger(state: State) -> bool:
    """Whether the boat is lost, or must fight an escort that it can neither pay for nor sink with the deck gun."""
    if state.phase is Phase.END:
        return state.result == "loss"
    if state.phase is not Phase.ESCORT or cards.by_gun(state.ship, state.torpedoes):
        return False
    return cards.pips(state.ship) > state.torpedoes


def unturned(seed: int) -> Iterator[Forecasts]:
    """The chance to sink a ship not turned up yet, by torpedoes fired (chart, and the help of a square)."""
    game, match, rng = _patrol(seed)
    while not match.over:
        state, action = match.state, _any(match, rng)
        square = action.square if isinstance(action, Flip) else None
        match.play(action)
        turned = [ply.action.card for ply in match.plies if isinstance(ply.action, Deal) and ply.action.place == square]
        if not turned or match.state.ship != turned[-1] or state.torpedoes < 3:
            continue  # a joker lay there, or fewer torpedoes are left than the chart goes to
        shown, torpedoes = average(Glance(game, state))[0], int(rng.integers(4))
        attacks = [action for action in match.legal() if isinstance(action, Attack)]  # at a jack there is but one
        yield [(shown[torpedoes], _play(match, attacks[min(torpedoes, len(attacks) - 1)]))]


def _dealt(match: Match, ply: int) -> str:
    action = match.plies[ply].action
    return action.place if isinstance(action, Deal) else ""


def escorts(seed: int) -> Iterator[Forecasts]:
    """The chances to escape from the next escort, and to survive it, with the torpedoes that are left."""
    game, match, rng = _patrol(seed)
    while not match.over:
        match.play(_any(match, rng))
        state = match.state
        if state.phase is not Phase.ESCORT or state.role != "escort":
            continue
        before = next(ply for ply in reversed(range(match.ply)) if match.at(ply).phase is not Phase.DRAW)
        drawn = [n for n in range(before, match.ply) if _dealt(match, n) == "escort"]
        known = match.at(drawn[0]) if drawn else None
        if known is None or known.torpedoes != state.torpedoes:
            continue
        given = {"seen": known.seen_cards, "jokers": 2 * game.options["jokers"]}
        payable = Escape() in match.legal()
        survived = payable or cards.by_gun(state.ship, state.torpedoes)
        shown = [(float(odds.escape(state.torpedoes, **given)), cards.pips(state.ship) <= state.torpedoes)]
        if not survived:
            shots = [action for action in match.legal() if isinstance(action, Attack)]
            best = max(shots, key=lambda shot: chance_to_sink(game, state, shot.torpedoes))
            survived = _play(match, best)
        shown.append((float(odds.survive_escort(state.torpedoes, nob=game.options["nob"], **given)), survived))
        yield shown


class _Hints:
    """What hints say of the chance to sink a ship, on patrols of the captain who gives them."""

    def __init__(self, title: str, options: Mapping[str, Any]) -> None:
        self.options, self.__doc__ = options, SAY("calibrate.hints", start=title)

    def __call__(self, seed: int) -> Iterator[Forecasts]:
        game = UssLox(**self.options)
        match, optimal = Match.new(game, seed), BOTS["optimal"](game)
        while not match.over:
            hint = optimal.decide(match.observe(), match.legal())
            sunk = _play(match, hint.action)
            if isinstance(hint.action, Attack):
                yield [(float(fact.value), sunk) for fact in hint.options[0].facts]


HINTS = {
    f"hints_{each['title'].lower().replace(' ', '_')}": (_Hints(each["title"], each.get("options", {})), 600)
    for each in read("navalkit.games.uss_lox", "starts.toml")["start"]
}
PREDICTIONS = {
    "attacks": (attacks, 6000), "fates": (fates, 3000), "unturned": (unturned, 3000), "escorts": (escorts, 3000),
    **HINTS,
}
"""Which of the page's numbers are measured, and over how many games."""


# How the review after a patrol measures: in tons to expect from the cards that nobody had seen, exactly where few are.

ABOUT = 110.0
"""How far the tables are from what patrols bring home, in tons: the root mean square over 209 pairs of orders in usual
games, each order by 40,000 patrols (`doubts`; RULINGS.md)."""


def _tons(game: UssLox, state: State, me: int) -> float:
    return float(state.tons) * (game.loss_weight if state.result == "loss" else 1)


def _doubt(game: UssLox, state: State) -> float:
    return 0.0 if solvable(game, Aim(None, game.loss_weight), state) else ABOUT


COUNTED, SECOND, AHEAD = 2.7, 250.0, 1200.0
"""How far what a position is worth by the tables lies from what the same captain brings home from there, in tons: for
every ocean card left, times their number; on a second patrol; and on the first of two. Measured on 298 positions, each
by 20,000 patrols (`levels`; RULINGS.md)."""


def _level(game: UssLox, state: State) -> float:
    if solvable(game, Aim(None, game.loss_weight), state):
        return 0.0
    if game.options["patrols"] > state.patrol:
        return AHEAD
    return max(COUNTED * state.ocean_left**2, ABOUT / 3, SECOND if state.patrol > 1 else 0.0)


REVIEW = Yardstick(("optimal",), unit="t", least=3000, trifle=500, doubt=_doubt, level=_level, worth=_tons)


def levels(game: UssLox, seeds: Sequence[int], n: int) -> list[tuple[State, float, float]]:
    """How much more ``n`` patrols by the captain's best order bring home than the tables say, in tons, and the standard
    error: at the start of some patrols and at some of their decisions."""
    policy, found = OptimalPolicy(game), []
    for seed in seeds:
        rng, captain = np.random.default_rng(seed), BOTS[("optimal", "mercer", "harper")[seed % 3]](game)
        match = Match.new(game, seed)
        while not match.over:
            state = match.state
            looked = not match.ply or rng.random() < 0.25
            if looked and state.phase is not Phase.PLAN and not solvable(game, Aim(), state):
                worth = policy.at(state)
                order = None if state.phase is Phase.PERISCOPE else worth.best
                home = outlook(policy, game, state, order, n, seed).astype(float)
                more = float(home.mean()) - 1000 * worth.orders[worth.best]
                found.append((state, more, float(home.std()) / sqrt(n)))
            match.play(captain.decide(match.observe(), match.legal(), rng).action)
    return found


def doubts(game: UssLox, seeds: Sequence[int], n: int) -> list[tuple[float, float]]:
    """How far the tables are off: of orders on some patrols of simple captains, by how many tons more the tables put
    the best order above another than ``n`` patrols by each of them do, and the standard error of those."""
    policy, found = OptimalPolicy(game), []
    for seed in seeds:
        rng, captain = np.random.default_rng(seed), BOTS[("mercer", "harper")[seed % 2]](game)
        match = Match.new(game, seed)
        while not match.over:
            state = match.state
            if rng.random() < 0.35 and state.phase not in (Phase.PERISCOPE, Phase.PLAN):
                worth = policy.at(state)
                home = {order: outlook(policy, game, state, order, n).astype(float) for order in worth.orders}
                for order in worth.orders.keys() - {worth.best}:
                    more = home[worth.best] - home[order]
                    off = 1000 * (worth.orders[worth.best] - worth.orders[order]) - more.mean()
                    found.append((float(off), float(more.std()) / sqrt(n)))
            match.play(captain.decide(match.observe(), match.legal(), rng).action)
    return found


def PROOF(match: Match, ply: int, taken: Action, better: Action, n: int, seed: int) -> tuple[float, float]:
    """What another order would have brought home more, by patrols of the optimal captain on the same cards. For
    `sim.reviews`.

    Parameters
    ----------
    match : Match
    ply : int
        The plies before the order.
    taken, better : Action
        The order that was given, and the other one.
    n : int
        A two hundredth of the patrols for each.
    seed : int
        Of the patrols.

    Returns
    -------
    tuple of float
        The mean, and its standard error, in tons.

    Examples
    --------
    >>> import navalkit as nk
    >>> match = nk.Match.new("uss-lox", seed=1)
    >>> one, other, *_ = match.legal()
    >>> PROOF(match, 0, one, other, n=1, seed=1)  # it does not matter which card is turned up
    (0.0, 0.0)
    """
    game, state = match.game, match.at(ply)
    assert isinstance(game, UssLox)
    one, two = (outlook("optimal", game, state, order_of(state, each), 200 * n, seed) for each in (taken, better))
    return float((two - one).mean()), float((two - one).std()) / sqrt(200 * n)


def order_of(state: State, action: Action) -> int | bool:
    """An order of a patrol as a policy gives it; see `patrols.outlook`."""
    if isinstance(action, Attack):
        return action.torpedoes
    if state.phase in (Phase.TARGET, Phase.ESCORT):
        return ESCAPE if isinstance(action, Escape) else DECLINE
    return isinstance(action, Flip | Chase)
