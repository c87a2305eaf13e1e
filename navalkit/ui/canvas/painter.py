"""The painter of a board: an invisible widget whose script draws pictures and plays films on the board's canvas.

All that a change shows comes in one message, without what the browser knows already (`navalkit.view.painters.packed`).
A browser that has just come knows nothing: its script asks, and is sent everything.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import traitlets
from ipycanvas import Canvas
from ipywidgets import widget_serialization

from navalkit.view.effect import Film
from navalkit.view.painters.packed import Looks, packed, runs
from navalkit.view.scene import Layer, Point
from navalkit.view.theme import FONT, Theme

from ..say import SAY
from ..widgets import Scripted
from ..widgets.spoken import Spoken

Outlines = Sequence[tuple[Point, ...]]
MOST_LOOKS = 8000
"""Looks that a browser keeps; with more, everything is sent anew."""


class Painter(Scripted, Spoken):
    """Draws on a canvas. ``frames``: messages sent so far: a repaint with nothing to draw is none.
    ``last_frame_bytes``: size of the last one, in bytes."""

    _esm = Path(__file__).with_name("stage.js")
    canvas = traitlets.Instance(Canvas).tag(sync=True, **widget_serialization)
    words: Any = traitlets.List().tag(sync=True)
    font = traitlets.Unicode(FONT).tag(sync=True)

    def __init__(self, canvas: Canvas, colours: Theme) -> None:
        super().__init__(canvas=canvas, layout={"display": "none"})
        self.frames = self.last_frame_bytes = 0
        self._layers: Sequence[Layer] = ()
        self._cells: Outlines = ()
        self._facts: Mapping[str, Any] = {}
        self.forget(colours)
        self.hear(ready=self._begin)
        self.relabel()

    def relabel(self) -> None:
        self.words = [SAY("waiting.press"), SAY("waiting.presses", n="{n}"), SAY("waiting.double")]

    def forget(self, colours: Theme) -> None:
        """Take it that the browser knows nothing, and shall be painted in these colours."""
        self._looks, self._fresh = Looks(colours), True
        self._painted: list[Layer] = []
        self._told: dict[str, Any] = {}

    def paint(
        self,
        layers: Sequence[Layer],
        cells: Outlines,
        facts: Mapping[str, Any],
        film: Film | None = None,
        speed: float = 1,
    ) -> None:
        """Show these layers, and before them a film; send what the browser does not know of them.

        ``layers``: from back to front. ``cells``: what is lit when it is pressed. ``facts``: what else the script is to
        know: "size" of the scene (px), "rings", "lights", "focus" (its outline), "silent". ``speed``: how many times as
        fast as usual it is played.
        """
        if len(self._looks) > MOST_LOOKS:
            self.forget(self._looks.colours)
        looks, old = self._looks, self._painted
        stale = [i for i, layer in enumerate(layers) if i >= len(old) or old[i] != layer]
        message: dict[str, Any] = {"layers": [[i, *looks.layer(layers[i])] for i in stale]} if stale else {}
        told = {**facts, "cells": runs(map(looks.outline, cells)), "height": len(layers)}
        message |= {name: fact for name, fact in told.items() if self._told.get(name) != fact}
        if film is not None and film.ms:
            places = {each.id: n for n, each in enumerate(piece for layer in layers for piece in layer.pieces)}
            message |= {"film": packed(film, looks, places), "speed": speed}
        self._layers, self._cells, self._facts = layers, cells, facts
        if self._fresh:
            message |= {"fresh": True, "tones": [looks.colours[tone] for tone in ("accent", "select", "focus")]}
        if message:
            message |= looks.news() | {"do": "paint"}
            self.last_frame_bytes = len(json.dumps(message))
            self.frames += 1
            self.send(message)
        self._painted, self._fresh = list(layers), False
        self._told = told

    def _begin(self, _message: dict[str, Any]) -> None:
        """A browser has just come."""
        self.forget(self._looks.colours)
        self.paint(self._layers, self._cells, self._facts)
