"""The SVG painter: one scene in, one self-contained SVG document out, always the same for the same scene."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from xml.sax.saxutils import escape, quoteattr

from navalkit.view.painters.flatten import BASELINE, arrow_head, shaft
from navalkit.view.painters.text import text as as_text
from navalkit.view.scene import Circle, Flat, Line, Point, Polygon, Rect, Scene, Style, Text
from navalkit.view.theme import FONT, Theme
from navalkit.view.theme import theme as find_theme

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def svg(scene: Scene, theme: str | Theme = "light", *, scale: float = 1.0, background: bool = True) -> str:
    """The scene as an SVG document.

    ``theme``: what the colour tokens mean. ``scale``: size of the picture on the page: 2 makes it twice as wide and
    high. ``background``: paint the theme's ``paper`` behind everything; off leaves it transparent. ``<title>`` and
    ``<desc>`` come from the scene, and the description ends with the text painting, so that the picture can be read
    without being seen. Each layer is a ``<g>`` with the layer's name as id.
    """
    colours = find_theme(theme)

    def layer(number: int) -> list[str]:
        return [element for shape in scene.layers[number].flat for element in elements(shape, colours)]

    return document(scene, colours, layer, scale=scale, background=background)


def document(
    scene: Scene, colours: Theme, layer: Callable[[int], list[str]], *, scale: float = 1, background: bool = True
) -> str:
    """A document of the scene, the elements of each of its layers made by ``layer``."""
    w, h = scene.width, scene.height
    described = "\n\n".join(filter(None, (scene.desc, as_text(scene))))
    named = 'role="img"' if scene.title or described else 'aria-hidden="true"'  # what says nothing is decoration
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {named} width="{number(w * scale)}" '
        f'height="{number(h * scale)}" viewBox="0 0 {number(w)} {number(h)}" '
        f'font-family={quoteattr(FONT)} style="font-variant-numeric:tabular-nums" stroke-linejoin="round">'
    ]
    if name := scene.title or described:
        parts.append(f"<title>{_clean(name)}</title>")
    if scene.title and described:
        parts.append(f"<desc>{_clean(described)}</desc>")
    if background:
        parts.append(f'<rect width="{number(w)}" height="{number(h)}" fill="{colours["paper"]}"/>')
    for i, each in enumerate(scene.layers):
        parts.append("\n".join((f"<g id={quoteattr(_clean(each.name))}>", *layer(i), "</g>")))
    return "\n".join((*parts, "</svg>")) + "\n"


def number(value: float) -> str:
    """A coordinate to a hundredth of a pixel, as short as can be: 12, 0.5, -3.25."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def elements(shape: Flat, colours: Theme) -> list[str]:
    """The elements that draw one shape: none if its style paints nothing, two for an arrow."""
    if shape.style.fill is None and shape.style.stroke is None:
        return []
    paint = _paint(shape.style, colours)
    match shape:
        case Rect(x, y, w, h, _, r):
            corner = f' rx="{number(r)}"' if r else ""
            at = f'x="{number(x)}" y="{number(y)}" width="{number(w)}" height="{number(h)}"'
            return [f"<rect {at}{corner} {paint}/>"]
        case Circle(x, y, r):
            return [f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" {paint}/>']
        case Polygon(points):
            return [f'<polygon points="{_points(points)}" {paint}/>']
        case Line():
            stroke = _paint(replace(shape.style, fill=None), colours)
            lines = [f'<polyline points="{_points(shaft(shape))}" {stroke}/>']
            if head := arrow_head(shape):
                filled = _paint(Style(fill=shape.style.stroke, opacity=shape.style.opacity), colours)
                lines.append(f'<polygon points="{_points(head)}" {filled}/>')
            return lines
        case Text(x, y, content, style, size, anchor, bold):
            weight = ' font-weight="bold"' if bold else ""
            halo = ' paint-order="stroke"' if style.stroke else ""
            at = f'x="{number(x)}" y="{number(y + BASELINE * size)}" text-anchor="{anchor}"'
            font = f'font-size="{number(size)}"{weight}'
            return [f"<text {at} {font}{halo} {paint}>{_clean(content)}</text>"]


def _paint(style: Style, colours: Theme) -> str:
    """Fill and stroke as attributes. Opacity is given to each of them, as a canvas does it."""
    attributes = [f'fill="{colours[style.fill] if style.fill else "none"}"']
    if style.stroke:
        attributes += [f'stroke="{colours[style.stroke]}"', f'stroke-width="{number(style.width)}"']
        if style.dash:
            attributes.append(f'stroke-dasharray="{" ".join(map(number, style.dash))}"')
    if style.opacity != 1:
        attributes += [f'{each}-opacity="{number(style.opacity)}"' for each in ("fill", "stroke")]
    return " ".join(attributes)


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def _clean(content: str) -> str:
    """Text fit for XML: markup escaped, and the characters that XML 1.0 forbids left out."""
    return escape(_NOT_XML.sub("", content))
