"""The PDF painter: scenes as the pages of one document, in vectors, with fonts that every PDF reader has.

Its text is Helvetica (PDF's own, not embedded), whose widths place a text's middle and end; signs that WinAnsi lacks
give way to "?". A unit of the scene is a point, 1/72 inch. The document is plain ASCII, its drawings packed.
"""

from __future__ import annotations

import zlib
from base64 import a85encode
from collections.abc import Sequence

from navalkit.view.painters.flatten import BASELINE, arrow_head, rounded, shaft
from navalkit.view.painters.svg import number
from navalkit.view.scene import Circle, Flat, Line, Point, Polygon, Rect, Scene, Style, Text
from navalkit.view.theme import Theme, rgb, theme

# Widths of the signs from the blank to the tilde in thousandths of the size (Adobe's metrics of the core fonts).
_REGULAR = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
)  # fmt: skip
_BOLD = (
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611,
    556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389,
    280, 389, 584,
)  # fmt: skip
_OTHER = 556  # of any other sign
_ROUND = 0.5523  # a quarter of a circle as a Bezier curve: how far its control points lie along the tangents


def pdf(scenes: Sequence[Scene]) -> str:
    """Scenes as a PDF document for light paper, a page each; always the same for the same scenes. Its title is that of
    the first scene."""
    colours = theme("light")
    first = 5  # objects 1 to 4: catalogue, page tree, the two fonts
    pages = [f"{first + 2 * i} 0 R" for i in range(len(scenes))]
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{' '.join(pages)}] /Count {len(pages)} >>",
        font.format("Helvetica"),
        font.format("Helvetica-Bold"),
    ]
    for i, scene in enumerate(scenes):
        packed = a85encode(zlib.compress(_content(scene, colours).encode("ascii")), wrapcol=100).decode() + "~>"
        shades = sorted({shape.style.opacity for shape in scene.shapes()})
        states = " ".join(f"/{_state(a)} << /ca {number(a)} /CA {number(a)} >>" for a in shades)
        page = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {number(scene.width)} {number(scene.height)}] "
            f"/Resources << /Font << /F0 3 0 R /F1 4 0 R >> /ExtGState << {states} >> >> "
            f"/Contents {first + 2 * i + 1} 0 R >>"
        )
        filters = "/Filter [/ASCII85Decode /FlateDecode]"
        objects += [page, f"<< /Length {len(packed)} {filters} >>\nstream\n{packed}\nendstream"]
    return _document([*objects, f"<< /Title ({_string(scenes[0].title)}) >>"])


def _document(objects: Sequence[str]) -> str:
    """Numbered objects with the table of where each begins; the last of them tells about the document."""
    out, starts = "%PDF-1.4\n", []
    for n, each in enumerate(objects, 1):
        starts.append(len(out))
        out += f"{n} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{at:010d} 00000 n \n" for at in starts)
    size = len(objects) + 1
    trailer = f"trailer\n<< /Size {size} /Root 1 0 R /Info {len(objects)} 0 R >>\n"
    return f"{out}xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}startxref\n{len(out)}\n%%EOF\n"


def _content(scene: Scene, colours: Theme) -> str:
    """The drawing of a page: y is turned downward first, as scenes have it; corners are round."""
    lines = [f"1 0 0 -1 0 {number(scene.height)} cm", "1 j"]
    for shape in scene.shapes():
        lines += _drawn(shape, colours)
    return "\n".join(lines)


def _drawn(shape: Flat, colours: Theme) -> list[str]:
    style = shape.style
    if style.fill is None and style.stroke is None:
        return []
    paint = _paint(style, colours)
    match shape:
        case Rect():
            return [*paint, f"{_path(rounded(shape))} h {_operator(style)}"]
        case Polygon(points):
            return [*paint, f"{_path(points)} h {_operator(style)}"]
        case Circle(x, y, r):
            return [*paint, f"{_circle(x, y, r)} h {_operator(style)}"]
        case Line():
            lines = [*paint, f"{_path(shaft(shape))} S"] if style.stroke else []
            if head := arrow_head(shape):
                filled = Style(fill=style.stroke, opacity=style.opacity)
                lines += [*_paint(filled, colours), f"{_path(head)} h f"]
            return lines
        case Text():
            return [*paint, *_text(shape)]


def _text(text: Text) -> list[str]:
    """The text, its halo (stroke) first."""
    x = text.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[text.anchor] * width(text.text, text.size, text.bold)
    y = text.y + BASELINE * text.size
    shown = f"({_string(text.text)}) Tj"
    at = f"1 0 0 -1 {number(x)} {number(y)} Tm"
    modes = [mode for mode, token in ((1, text.style.stroke), (0, text.style.fill)) if token]
    font = f"/F{int(text.bold)} {number(text.size)} Tf"
    return ["BT", font, *(f"{at} {mode} Tr {shown}" for mode in modes), "ET"]


def width(text: str, size: float, bold: bool = False) -> float:
    """How wide a text is in this painter's font, in the unit of ``size``."""
    table = _BOLD if bold else _REGULAR
    places = (ord(sign) - ord(" ") for sign in text)
    return size * sum(table[p] if 0 <= p < len(table) else _OTHER for p in places) / 1000


def _string(text: str) -> str:
    """A text within the brackets of a PDF string."""
    codes = text.replace("\N{MINUS SIGN}", "-").encode("cp1252", "replace")
    return "".join(chr(c) if 32 <= c < 127 and chr(c) not in "()\\" else f"\\{c:03o}" for c in codes)


def _paint(style: Style, colours: Theme) -> list[str]:
    """Colours, width, dashes and opacity, all of them set anew for every shape."""
    lines = [f"/{_state(style.opacity)} gs"]
    if style.fill:
        lines.append(f"{_colour(colours[style.fill])} rg")
    if style.stroke:
        dash = " ".join(map(number, style.dash))
        lines.append(f"{_colour(colours[style.stroke])} RG {number(style.width)} w [{dash}] 0 d")
    return lines


def _state(opacity: float) -> str:
    return f"A{round(100 * opacity)}"


def _colour(colour: str) -> str:
    return " ".join(number(round(part / 255, 3)) for part in rgb(colour))


def _operator(style: Style) -> str:
    return "B" if style.fill and style.stroke else "f" if style.fill else "S"


def _path(points: Sequence[Point]) -> str:
    first, *others = (f"{number(x)} {number(y)}" for x, y in points)
    return " ".join([f"{first} m", *(f"{point} l" for point in others)])


def _circle(x: float, y: float, r: float) -> str:
    k = _ROUND * r
    curves = (
        (x + r, y + k, x + k, y + r, x, y + r), (x - k, y + r, x - r, y + k, x - r, y),
        (x - r, y - k, x - k, y - r, x, y - r), (x + k, y - r, x + r, y - k, x + r, y),
    )  # fmt: skip
    return " ".join([f"{number(x + r)} {number(y)} m", *(" ".join(map(number, curve)) + " c" for curve in curves)])
