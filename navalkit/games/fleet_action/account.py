"""What a battle came to: who won it, how the lead went from side to side, and what decided it.

A side's points come from damage and sinkings, which guns, torpedoes and mines share by the damage they did to the
ship, and from exits, islands and survivors. What brought the winner most has decided the battle. One salvo has
decided it if that fire of one ship at another, of guns or torpedoes in one move, did more than half of her sinking
rate, she sank, and the winner would not have won without the points for her.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from navalkit.core.account import Account
from navalkit.core.match import Match

from .rules import victory
from .state import Fate, Phase, State
from .state.scenario import Scenario

_MEANS = {"salvo": "guns", "torpedoes": "torpedoes", "mine": "mines"}


def ACCOUNT(match: Match) -> Account:
    """What a finished battle came to."""
    battle: Scenario = match.game.battle  # type: ignore[attr-defined]
    state: State = match.state
    winner = victory.winner(state)
    leads = _leads(battle, match)
    decided, one_blow = ("draw", False) if winner < 0 else _decided(battle, match, winner)
    return Account(winner, state.move, "moves", leads, decided, one_blow)


def _leads(battle: Scenario, match: Match) -> tuple[float, ...]:
    """Blue's lead at the beginning of each move after the first, and at the end."""
    found: list[float] = []
    before = match.at(0)
    for ply in match.plies:
        if ply.state.move > before.move or ply.state.phase is Phase.END:
            found.append(victory.score(battle, ply.state, 0) - victory.score(battle, ply.state, 1))
        before = ply.state
    return tuple(found)


def _decided(battle: Scenario, match: Match, winner: int) -> tuple[str, bool]:
    """What brought the winner most, and whether it was one salvo."""
    damage: dict[str, Counter[str]] = defaultdict(Counter)  # ship -> guns, torpedoes, mines
    volleys: Counter[tuple[int, str, str, str]] = Counter()  # move, firer, target, means
    for ply in match.plies:
        for event in ply.events:
            if event.kind == "mine":
                damage[event.facts["ship"]]["mines"] += event.facts["damage"]
            elif event.kind in _MEANS:
                facts, means = event.facts, _MEANS[event.kind]
                damage[facts["target"]][means] += facts["points"]
                volleys[ply.state.move, facts["ship"], facts["target"], means] += facts["points"]
    state: State = match.state
    brought: Counter[str] = Counter()
    of_ship: Counter[str] = Counter()
    for aim in battle.objectives:
        if aim.side == winner:
            if aim.aim not in ("sink", "damage"):
                brought["objectives"] += victory.earned(battle, state, aim)
                continue
            for ship in aim.of:
                points, name = victory.earned_by(battle, state, aim, ship), battle.units[ship].name
                of_ship[name] += points
                whole = damage[name].total() or 1
                for means, done in damage[name].items():
                    brought[means] += points * done / whole  # type: ignore[assignment]
    margin = abs(victory.score(battle, state, 0) - victory.score(battle, state, 1))
    blow = any(
        state.ships[number].fate is Fate.SUNK
        and points > battle.card(number).sinking_rate / 2
        and of_ship[target] >= margin
        for (_, _, target, _), points in volleys.items()
        for number in (battle.numbers[target],)
    )
    return max(brought, key=lambda what: brought[what], default="objectives"), blow
