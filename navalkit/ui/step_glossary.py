"""The terms of a decision, each with a sentence and a picture from a ready-made position."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from navalkit.games.on_patrol.board.overlay import overlay
from navalkit.games.on_patrol.board.scene import scene
from navalkit.games.on_patrol.board.shapes.view import SIZES, View, fit
from navalkit.games.on_patrol.escort.positions import find
from navalkit.view.svg import svg

from .say import STEP

PICTURE = (360.0, 230.0)


class _Picture(NamedTuple):
    position: str
    layers: tuple[str, ...]


def _layers(names: str) -> tuple[str, ...]:
    return tuple(name.replace("_", " ") for name in names.split())


TERMS = {
    "mode": _Picture("mode-4", _layers("target_hex path")),
    "radial": _Picture("nearest-radial", _layers("target_hex radials")),
    "vector": _Picture("vector", _layers("target_hex radials vector")),
    "assault-zone": _Picture("priorities", _layers("assault_zone target_hex")),
    "inverted-marker": _Picture("mode-6", _layers("circle")),
    "station": _Picture("back-to-station", _layers("path")),
}
"""Term -> what its picture shows."""


def terms(text: str) -> list[tuple[str, str]]:
    """The terms that a text uses, each with its name, in the order of `TERMS`."""
    return [(term, STEP(f"term.{term}.name")) for term in TERMS if re.search(STEP(f"term.{term}.forms"), text, re.IGNORECASE)]


def entry(term: str, theme: str) -> dict[str, str]:
    """What is shown of a term: its sentence, and its picture as SVG."""
    return {"text": STEP(f"term.{term}.text"), "svg": _svg(term, theme)}


@lru_cache(maxsize=18)
def _svg(term: str, theme: str) -> str:
    picture = TERMS[term]
    made = find(picture.position)
    decision, state = made.decision, made.state
    near = [h for leg in decision.path for h in leg.place.hexes] + list(state.vessel(made.escort).place.hexes)
    near += [h for _, h in decision.zone] + ([decision.target] if decision.target else [])
    near += [h for marker in state.markers for h in marker.place.hexes]
    view = fit(near, PICTURE)
    view = View(view.centre, min(view.zoom, len(SIZES) - 3), PICTURE)
    return svg(scene(state, view, over=(overlay(view, decision, state, picture.layers),)), theme)
