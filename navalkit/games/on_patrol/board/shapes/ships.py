"""Ships seen from above, bow up, about their middle: a silhouette by kind, in the colour of the side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from navalkit.view.scene import Circle, Flat, Line, Point, Polygon, Rect, Style

from ...data import read

LEAST = 46.0  # pixels of a ship as long as two hexes where hexes are small: then she is larger than they


class Build(NamedTuple):
    """How a kind of ship is built, in lengths of the hull."""

    long: float  # her length in heights of two hexes
    beam: float  # half her breadth
    blunt: float  # how far from the bow she has her full breadth
    # superstructure: y from the middle toward the stern, half length, half breadth as a part of the beam
    houses: Sequence[tuple[float, float, float]]
    rounds: Sequence[tuple[float, float]]  # funnels and turrets: y, radius as a part of the beam


BUILDS: Mapping[str, Build] = {kind: Build(**row) for kind, row in read("silhouettes.toml").items()}


def length(kind: str, height: float) -> float:
    """Pixels of a ship of that kind where hexes are so high."""
    return max(LEAST, 2 * height) * BUILDS[kind].long


@lru_cache(maxsize=256)
def ship(kind: str, long: float, band: str, wake: bool = False, hurt: bool = False) -> tuple[Flat, ...]:
    """A ship afloat. ``kind``: one of ``BUILDS``. ``long``: pixels. ``band``: token of her side's colour. ``wake``:
    whether she is under way. ``hurt``: whether she has been hit: then she smokes."""
    build = BUILDS[kind]
    shapes: list[Flat] = list(_wake(long, build.beam)) if wake else []
    hull = _hull(long, build)
    shapes.append(Polygon(hull, Style(band, "ink", 1.2)))
    if kind == "carrier":
        deck = Style("paper", opacity=0.9)
        shapes.append(Line(((0, -0.4 * long), (0, 0.42 * long)), Style(None, "paper", 1.5, (4, 3))))
        shapes.append(Rect(0.5 * build.beam * long, -0.08 * long, 0.4 * build.beam * long, 0.2 * long, deck))
    shapes += _deck(long, build)
    if hurt:
        for y, r in ((0.05, 0.10), (0.18, 0.13), (0.33, 0.16)):
            shapes.append(Circle(-r * long * 0.4, y * long, r * long, Style("black", opacity=0.45)))
    return tuple(shapes)


@lru_cache(maxsize=64)
def wreck(kind: str, long: float) -> tuple[Flat, ...]:
    """What is left of a ship that was sunk: her outline, with a cross."""
    hull = _hull(long, BUILDS[kind])
    r = 0.22 * long
    cross = Style(None, "bad", 2.5)
    return (
        Polygon(hull, Style("paper", "ink", 1.5, (3, 2), 0.7)),
        Line(((-r, -r), (r, r)), cross),
        Line(((-r, r), (r, -r)), cross),
    )


@lru_cache(maxsize=64)
def submarine(long: float, band: str, depth: int, wake: bool = False) -> tuple[Flat, ...]:
    """A boat ``long`` px: solid on the surface; under it in a pale ring with a broken edge, the fainter the deeper."""
    if depth == 0:
        return ship("submarine", long, band, wake)
    build = BUILDS["submarine"]
    hull, tint = _hull(long, build), max(0.5, 0.95 - depth / 500)
    shapes: list[Flat] = [
        Circle(0, 0, 0.62 * long, Style("paper", opacity=0.3)),
        Polygon(hull, Style("paper", "paper", 5)),
        Polygon(hull, Style(band, opacity=tint)),
        Polygon(hull, Style(None, "ink", 1.4, (5, 2))),
    ]
    if depth <= 50:  # the periscope cuts the water
        shapes.append(Line(((-4, 7), (0, 0), (4, 7)), Style(None, "foam", 2)))
        shapes.append(Circle(0, 0, 2.6, Style("ink", "paper", 1)))
    else:
        shapes += _deck(long, build)[:1]
    return tuple(shapes)


@lru_cache(maxsize=16)
def torpedo(long: float, band: str) -> tuple[Flat, ...]:
    """A torpedo with the track it leaves."""
    half = 0.5 * long
    body = ((0, -half), (2.4, -half + 4), (2.4, half), (-2.4, half), (-2.4, -half + 4))
    track = Line(((0, half), (0, half + 2.2 * long)), Style(None, "foam", 2, (4, 3), 0.9))
    return track, Polygon(body, Style(band, "paper", 1))


def _hull(long: float, build: Build) -> tuple[Point, ...]:
    """The outline: a sharp bow, straight sides, a stern a little drawn in."""
    beam, front = build.beam * long, -0.5 * long
    side = (
        (0.0, front), (0.45 * beam, front + 0.3 * build.blunt * long), (0.85 * beam, front + 0.68 * build.blunt * long),
        (beam, front + build.blunt * long), (beam, 0.3 * long), (0.8 * beam, 0.44 * long), (0.35 * beam, 0.5 * long),
    )  # fmt: skip
    return (*side, *((-x, y) for x, y in reversed(side[1:])))


def _deck(long: float, build: Build) -> list[Flat]:
    beam = build.beam * long
    houses: list[Flat] = [
        Rect(-wide * beam, (y - half) * long, 2 * wide * beam, 2 * half * long, Style("paper", opacity=0.9), 1)
        for y, half, wide in build.houses
    ]
    return [*houses, *(Circle(0, y * long, max(1.0, r * beam), Style("ink", opacity=0.85)) for y, r in build.rounds)]


def _wake(long: float, beam: float) -> tuple[Flat, ...]:
    """White water: a narrow fan astern and a wave off either bow."""
    wide, stern = beam * long, 0.46 * long
    fan = ((-0.6 * wide, stern), (0.6 * wide, stern), (1.5 * wide, 1.05 * long), (-1.5 * wide, 1.05 * long))
    shapes: list[Flat] = [Polygon(fan, Style("foam", opacity=0.45))]
    for side in (1, -1):
        wave = (side * 0.5 * wide, -0.38 * long), (side * 2.4 * wide, 0.35 * long), (side * 3.0 * wide, 0.75 * long)
        shapes.append(Line(wave, Style(None, "foam", 1.6, opacity=0.7)))
    return tuple(shapes)
