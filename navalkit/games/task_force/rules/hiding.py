"""How the enemy hides, one thing after the other (rules T1, T2): what chance may draw, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from navalkit.core.event import Event
from navalkit.core.game import Draw
from navalkit.core.luck.dist import Dist
from navalkit.prob.unlisted import Unlisted

from . import notation
from .say import SAY
from .sea import OWN, Sea
from .state import HideFleet, HideMissiles, HideSubmarines, Phase, State

HIDING: Mapping[Phase, type] = {Phase.FLEET: HideFleet, Phase.SUBMARINES: HideSubmarines, Phase.MISSILES: HideMissiles}
"""The phases in which chance hides something, and its action in each."""


def draw(sea: Sea, state: State, possible: Callable[[object], bool]) -> Draw:
    """What chance may do now, each outcome as likely as any other; ``possible`` recognises them."""
    names, fleet, submarines = sea.grid.names, state.fleet, state.submarines
    slot = f"{state.phase} {state.tries}"
    if state.phase is Phase.FLEET:
        return Unlisted(
            lambda rng: HideFleet(tuple(f"{names[s[0]]}-{names[s[-1]]}" for s in sea.draw_fleet(rng))),
            possible,
            lambda: sea.fleets,
            slot=slot,
        )
    if state.phase is Phase.SUBMARINES:
        return Unlisted(
            lambda rng: HideSubmarines(tuple(names[s] for s in sea.draw_submarines(fleet, rng))),
            possible,
            lambda: sea.count_submarines(fleet),
            slot=slot,
        )
    if state.phase is Phase.MISSILES:
        return Unlisted(
            lambda rng: HideMissiles(
                tuple(f"{names[s]}={OWN[t]}" for s, t in sea.draw_missiles(fleet, submarines, rng))
            ),
            possible,
            lambda: sea.count_missiles(fleet, submarines),
            slot=slot,
        )
    return Draw(Dist.point(None), slot=slot)


def why_not(sea: Sea, state: State, action: Any) -> str | None:
    """Why these ships, submarines or missiles cannot lie like this, or None if they can."""
    match action:
        case HideFleet(spans):
            lying = notation.ships(spans, sea.grid)
            return None if lying and sea.is_fleet(lying) else SAY("no.fleet")
        case HideSubmarines(names):
            known = all(name in sea.grid.names for name in names)
            if not known or not sea.are_submarines(state.fleet, tuple(map(sea.grid.number, names))):
                return SAY("no.submarines")
        case HideMissiles(texts):
            laid = notation.missiles(texts, sea.grid)
            if laid is None or not sea.are_missiles(state.fleet, state.submarines, laid):
                return SAY("no.missiles")
    return None


def apply(sea: Sea, state: State, action: Any) -> tuple[State, tuple[Event, ...]]:
    """Hide them, and see whether there is room for what comes next."""
    match action:
        case HideFleet(spans):
            state = replace(state, fleet=notation.ships(spans, sea.grid) or ())
            if not sea.count_submarines(state.fleet):
                return _again(state)
            return replace(state, phase=Phase.SUBMARINES), (SAY.event("T1g", "hidden"),)
        case HideSubmarines(names):
            state = replace(state, submarines=tuple(map(sea.grid.number, names)))
            if not sea.count_missiles(state.fleet, state.submarines):
                return _again(state)
            return replace(state, phase=Phase.MISSILES), ()
    laid = notation.missiles(action.missiles, sea.grid) or ()
    return replace(state, phase=Phase.TURN, missiles=laid), (SAY.event("T3a", "ready"),)


def _again(state: State) -> tuple[State, tuple[Event, ...]]:
    """No room: everything is drawn anew (T2e)."""
    state = replace(state, phase=Phase.FLEET, tries=state.tries + 1, fleet=(), submarines=())
    return state, (SAY.event("T2e", "no_room"),)
