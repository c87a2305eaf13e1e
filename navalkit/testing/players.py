"""What every machine player must keep to, checked over whole games: `check_player`."""

from __future__ import annotations
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from numbers import Real
from time import monotonic, process_time
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from navalkit.core.errors import OptionError, brief
from navalkit.core.game import Game, Permute
from navalkit.core.match import Match
from navalkit.core.registry import as_game, package_of
from navalkit.core.trace import Decision, Machine
from navalkit.core.words import SAY
from navalkit.players import player
from navalkit.players.arena import seat

__all__ = ["Checked", "check_player"]

AGAIN = 20
"""How often a player is asked the same again before it is said to peek."""
IDLE = 30.0
"""Seconds that a player may wait for something, such as another program, besides those in which it may think."""
LOOKED = 0.01
"""Seconds between looks at whether a player is late, at least."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a player that passed was looked at by."""

    games: int
    decisions: int
    mean: float
    """Seconds of the processor a decision."""
    longest: float

    def __str__(self) -> str:
        return (f"{self.games} games, {self.decisions} decisions, {1000 * self.mean:.1f} ms each, "
                f"{1000 * self.longest:.0f} ms at most")


def check_player(what: Any, game: Game[Any, Any] | str, *, seeds: Iterable[int] = range(4), against: str = "random",
                 seconds: float = 2.0, permute: Permute | None = None,
                 **options: Any) -> Checked:
    """Let a player play whole games, from each side in turn, and check every decision it makes.

    It is legal; it is the same, with the same reasons, when another player of the kind that saw the same is asked with
    the same generator (one that draws from elsewhere, or whose object keeps something, is found by that); it stays the
    same when what the player cannot see is exchanged (one that looks for the match in what called it is found by that;
    no check in one process finds who means to deceive it: docs/players.md); what was shown is left as it is; and it
    takes no longer than it may: the check ends with the first decision that does, and ends a player that never decides
    (in the main thread, and not on Windows, where nothing can). A player that took longer than 20 ms on average had
    better have `think` besides (`core.trace.Thinker`): a page that waits for it would stand still.

    Parameters
    ----------
    what : str, class or player
        As for `navalkit.player`.
    game : Game or str
    seeds : iterable of int
        Of the games.
    against : str
        Who plays the other sides.
    seconds : float
        Of the processor that one decision may take.
    permute : callable, optional
        As for `check_game`; left out, the game's own (``PERMUTE`` of its package).
    **options
        What the player's maker takes.

    Returns
    -------
    Checked
        How much was looked at, and how long it took.

    Raises
    ------
    AssertionError
        With the seed, the ply and what is wrong there.
    OptionError
        If there is no such game or player, ``seeds`` are no seeds, or ``seconds`` are no time.

    Examples
    --------
    >>> check_player("greedy", "wolf-pack", seeds=range(1)).games
    1
    """
    _given(seeds, seconds)
    game = as_game(game)
    permute = permute or _own(game)
    if game.hides and permute is None:
        raise AssertionError(f"{game.name} hides something: give check_player a permute, to see that nobody peeks.")
    sides = [side for side in range(len(game.players)) if side not in game.automatic]
    clock, games = _Clock(seconds), 0
    for seed in seeds:
        me = sides[games % len(sides)]
        games += 1
        _checked(game, seed, me, lambda: seat((what, options), game), lambda: player(against, game), permute, clock)
    took = clock.took
    return Checked(games, len(took), float(np.mean(took or [0.0])), max(took, default=0.0))


def _given(seeds: object, seconds: object) -> None:
    """OptionError for what are no seeds, or no time."""
    if isinstance(seeds, str) or not isinstance(seeds, Iterable):
        raise OptionError(SAY("check.seeds", seeds=brief(seeds)))
    if isinstance(seconds, bool) or not isinstance(seconds, Real) or not 0 < float(seconds) < inf:
        raise OptionError(SAY("check.seconds", seconds=brief(seconds)))


class _LateError(BaseException):
    """A decision took too long: nothing that a player catches."""


class _Clock:
    """Times decisions, and ends one that takes longer than it may."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.took: list[float] = []
        """Seconds of the processor, of each decision that was played."""

    @contextmanager
    def running(self, where: str, who: str) -> Iterator[None]:
        """Within it a player decides; AssertionError as soon as that takes too long."""
        began, waited, asked = process_time(), monotonic(), True

        def look(*_: int | FrameType | None) -> None:
            thought, idle = process_time() - began, monotonic() - waited
            if asked and (thought > self.seconds or idle > self.seconds + IDLE):
                raise _LateError

        try:
            with _every(max(self.seconds, LOOKED), look):
                try:
                    yield
                finally:
                    asked = False
        except _LateError:
            raise AssertionError(
                f"{where}: {who} has not decided after {process_time() - began:.2f} s of the processor "
                f"({monotonic() - waited:.0f} s in all), and {self.seconds:g} s are allowed.") from None
        self.last = process_time() - began
        if self.last > self.seconds:
            raise AssertionError(f"{where}: {who} took {self.last:.2f} s for a decision, and {self.seconds:g} s are "
                                 "allowed.")


@contextmanager
def _every(seconds: float, look: Any) -> Iterator[None]:
    """Call a function every so often, whatever else goes on; not at all where signals cannot do that."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, look)
    rest = signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *rest)
        signal.signal(signal.SIGALRM, before)


def _own(game: Game[Any, Any]) -> Permute | None:
    offered = package_of(game).offered("PERMUTE", None)
    return offered(game) if offered else None


class _Told(NamedTuple):
    """A decision that was played, and another position that looks the same to who made it."""

    where: str
    dice: tuple[int, int]
    decided: Decision
    hidden: Any


def _checked(game: Game[Any, Any], seed: int, me: int, fresh: Callable[[], Machine], rival: Callable[[], Machine],
             permute: Any, clock: _Clock) -> None:
    """One game. What is hidden is exchanged once it is over and let go: a player that looks for the match in what
    called it finds it while it plays, and then no more."""
    told = _played(game, seed, me, fresh(), fresh(), rival(), permute, clock)
    other = fresh()
    for where, dice, decided, hidden in told:
        found = _asked(other, game, hidden, me, dice, where, clock)
        if found.action != decided.action:  # who draws from elsewhere may by luck have said the same so far
            _played(game, seed, me, fresh(), fresh(), rival(), None, clock, doubted=dice[1])
        _same(decided, found, f"{where}: with something else hidden, {other.name} knows more than it may: it")


def _played(game: Game[Any, Any], seed: int, me: int, one: Machine, again: Machine, rival: Machine, permute: Any,
            clock: _Clock, doubted: int | None = None) -> list[_Told]:
    """Of two players of a kind one plays, and one is asked the same; often at the ply ``doubted``, where it ends."""
    match, luck, told = Match.new(game, seed), np.random.default_rng([seed, 1]), list[_Told]()
    while not match.over:
        if match.turn != me:
            match.play(rival.decide(match.observe(), match.legal(), luck).action)
            continue
        where, dice = f"{game!r}, seed {seed}, ply {match.ply}", (seed, match.ply)
        decided = _asked(one, game, match.state, me, dice, where, clock)
        clock.took.append(clock.last)
        often = doubted is not None and match.ply >= doubted
        for _ in range(1 + AGAIN * often):
            _same(decided, _asked(again, game, match.state, me, dice, where, clock),
                  f"{where}: asked again with the same generator, {one.name}")
        if often:
            break
        if permute:
            hidden = permute(match.state, me, np.random.default_rng([seed, match.ply, 2]))
            told.append(_Told(where, dice, decided, hidden))
        match.play(decided.action)
    return told


def _asked(of: Machine, game: Game[Any, Any], state: Any, me: int, dice: tuple[int, int], where: str,
           clock: _Clock) -> Decision:
    """What a player decides in a state."""
    seen, legal, before = game.observe(state, me), game.legal(state), hash(state)
    with clock.running(where, of.name):
        try:
            decided = of.decide(seen, legal, np.random.default_rng(dice))
        except Exception as error:
            raise AssertionError(f"{where}: {error}") from error
    if decided.action not in legal:
        raise AssertionError(f"{where}: {of.name} chose {decided.action}, which is not legal.")
    if seen != game.observe(state, me) or hash(state) != before:
        raise AssertionError(f"{where}: {of.name} changed what it was shown.")
    return decided


def _same(one: Decision, other: Decision, told: str) -> None:
    if one.action != other.action:
        raise AssertionError(f"{told} chose {other.action}, and {one.action} before.")
    if one.explain() != other.explain():
        raise AssertionError(f"{told} gives other reasons for {one.action}.")
