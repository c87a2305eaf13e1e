"""The terms of a decision, each with a sentence and a picture from a ready-made position."""

from __future__ import annotations

import re
from functools import lru_cache

from navalkit.games.on_patrol.board.overlay import overlay
from navalkit.games.on_patrol.board.scene import scene
from navalkit.games.on_patrol.board.shapes.view import SIZES, View, fit
from navalkit.games.on_patrol.escort.positions import find
from navalkit.view.painters.svg import svg

from ..say import STEP

PICTURE = (360.0, 230.0)
TERMS = ("mode", "radial", "vector", "assault-zone", "inverted-marker", "station")
"""The terms: words.toml has of each its name, its forms, its sentence, and what its picture shows."""


def terms(text: str) -> list[tuple[str, str]]:
    """The terms that a text uses, each with its name, in the order of `TERMS`."""
    found = [term for term in TERMS if re.search(STEP(f"term.{term}.forms"), text, re.IGNORECASE)]
    return [(term, STEP(f"term.{term}.name")) for term in found]


def entry(term: str, theme: str) -> dict[str, str]:
    """What is shown of a term: its sentence, and its picture as SVG."""
    return {"text": STEP(f"term.{term}.text"), "svg": _svg(term, theme)}


@lru_cache(maxsize=18)
def _svg(term: str, theme: str) -> str:
    made = find(STEP(f"term.{term}.position"))
    decision, state = made.decision, made.state
    near = [h for leg in decision.path for h in leg.place.hexes] + list(state.vessel(made.escort).place.hexes)
    near += [h for _, h in decision.zone] + ([decision.target] if decision.target else [])
    near += [h for marker in state.markers for h in marker.place.hexes]
    view = fit(near, PICTURE)
    view = View(view.centre, min(view.zoom, len(SIZES) - 3), PICTURE)
    drawn = overlay(view, decision, state, STEP(f"term.{term}.layers").split(", "))
    return svg(scene(state, view, over=(drawn,)), theme)
