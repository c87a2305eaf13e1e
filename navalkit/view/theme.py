"""Colours by name. A scene speaks of "sea_deep" and "ink"; a theme says what they are.

Series and sides use the Okabe-Ito palette, which stays apart for the colour-blind (Okabe and Ito, 2008); the
darker and lighter tints of it below are chosen so that text reaches the contrast WCAG 2.1 asks for.
"""

from __future__ import annotations
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from navalkit.core.errors import OptionError, brief
from navalkit.core.words import SAY

FONT = '"Public Sans", system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif'
"""What boards are written in."""


@dataclass(frozen=True, slots=True)
class Theme:
    """A named set of colours: token -> "#RRGGBB". All themes have the same tokens."""

    name: str
    colours: Mapping[str, str]

    def __getitem__(self, token: str) -> str:
        """The colour of a token; `OptionError` for one that no theme has."""
        try:
            return self.colours[token]
        except KeyError:
            known = ", ".join(sorted(self.colours))
            raise OptionError(SAY("view.colour", name=brief(token), listed=known)) from None


# One row a token: light, dark, high contrast.
_TABLE = {
    # surfaces
    "paper": ("#FBF8F1", "#081620", "#000000"),
    # a sea of four tones, from shallow to deep
    "sea_shallow": ("#BDD9E2", "#123A52", "#0B2230"),
    "sea_upper": ("#B4D3DD", "#0F3347", "#061520"),
    "sea_lower": ("#AACCD8", "#0C2C3F", "#030C14"),
    "sea_deep": ("#A0C5D2", "#0A2536", "#000000"),
    "foam": ("#FFFFFF", "#CFE6F0", "#FFFFFF"),
    "hull": ("#33424D", "#8FA3AF", "#FFFFFF"),
    "deck": ("#E9E2D0", "#3A4A55", "#000000"),
    "reach": ("#FFE2A3", "#E8B95B", "#FFB000"),
    "brass": ("#B4791A", "#E8B95B", "#FFB000"),
    "land": ("#D8CFB4", "#5A5340", "#3A3426"),
    "card": ("#FFFDF8", "#16303F", "#000000"),
    "card_back": ("#1F5478", "#2F6488", "#003A5C"),
    "deep": ("#14394F", "#0A1E2C", "#000000"),  # the sea floor, with what is read and seen upon it
    "on_deep": ("#FFFFFF", "#FFFFFF", "#FFFFFF"),
    "halo": ("#F4F8F9", "#081620", "#000000"),  # about words on the sea
    # cards in a grid, black and red
    "tile_black": ("#55646C", "#93A6B1", "#D8D8D8"),
    "tile_red": ("#B92C45", "#E0667C", "#FF8FA3"),
    # lines
    "grid": ("#8FB8C7", "#1B4962", "#5E7482"),
    "card_line": ("#7C93A2", "#7F99A8", "#FFFFFF"),
    "card_back_wave": ("#8FC1DE", "#9CCBE6", "#FFFFFF"),
    "shadow": ("#5D8798", "#071520", "#000000"),
    # text
    "ink": ("#0F1F2A", "#EDF3F6", "#FFFFFF"),
    "muted": ("#33505F", "#A9BFCB", "#D8D8D8"),
    "good": ("#00523B", "#5FD6AE", "#6CF0C0"),
    "bad": ("#7F2E00", "#FF9F6B", "#FFAA7A"),
    # playing cards are as light in the dark as by day, and their red suits red; shapes tell the suits apart without it
    "card_face": ("#FFFDF6", "#F4EFE2", "#FFFFFF"),
    "card_ink": ("#14222C", "#14222C", "#000000"),
    "suit_club": ("#14222C", "#14222C", "#000000"),
    "suit_diamond": ("#B3001B", "#B3001B", "#A30018"),
    "suit_heart": ("#B3001B", "#B3001B", "#A30018"),
    "suit_spade": ("#14222C", "#14222C", "#000000"),
    # marks
    "accent": ("#E69F00", "#F0AC1A", "#FFB000"),
    "on_accent": ("#0F1F2A", "#0F1F2A", "#0F1F2A"),
    "select": ("#005C94", "#6CC0F2", "#7FD0FF"),
    "focus": ("#14222C", "#FFFFFF", "#FFFF00"),
    # the palette itself, for sides and series: never alone, always with a shape, letter or pattern
    "black": ("#000000", "#000000", "#000000"),
    "orange": ("#E69F00", "#E69F00", "#E69F00"),
    "sky": ("#56B4E9", "#56B4E9", "#56B4E9"),
    "green": ("#009E73", "#009E73", "#009E73"),
    "yellow": ("#F0E442", "#F0E442", "#F0E442"),
    "blue": ("#0072B2", "#0072B2", "#0072B2"),
    "vermilion": ("#D55E00", "#D55E00", "#D55E00"),
    "purple": ("#CC79A7", "#CC79A7", "#CC79A7"),
    # figures on the probability maps' ramp: on its darker half, and on its lighter half
    "on_heat_low": ("#FFFFFF", "#FFFFFF", "#FFFFFF"),
    "on_heat_high": ("#000000", "#000000", "#000000"),
}
# The ramp of probability maps, from 0 to 1 the same in all themes: ten steps of cividis, which looks even to the
# colour-blind too (Nuñez, Anderton and Renslow, 2018).
_CIVIDIS = (
    "#00204D", "#00336F", "#39486B", "#575C6D", "#707173", "#8A8779", "#A69D75", "#C4B56C", "#E4CF5B", "#FFEA46",
)
# The drawings on cards, the same in all themes: sky, sea from the top down, steel, light, rust and foam.
_DRAWN = {"sky": "#CFE4EE", "sea": "#5C9AB8", "deep": "#1D5270", "steel": "#34434E"}
_DRAWN |= {"light": "#F7F4EA", "rust": "#B4512A"}
_TABLE |= {f"drawn_{name}": (colour,) * 3 for name, colour in _DRAWN.items()}
_TABLE |= {f"heat{step}": (colour,) * 3 for step, colour in enumerate(_CIVIDIS)}

THEMES: Mapping[str, Theme] = MappingProxyType(
    {name: Theme(name, MappingProxyType({token: row[i] for token, row in _TABLE.items()}))
     for i, name in enumerate(("light", "dark", "contrast"))}
)

_SEAS = ("paper", "sea_deep", "sea_shallow")

TEXT_ON: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "ink": (*_SEAS, "land", "card"),
        "muted": (*_SEAS, "card"),
        "good": (*_SEAS, "card"),
        "bad": (*_SEAS, "card"),
        "on_accent": ("accent", "yellow", "sky"),
        "on_deep": ("deep",),
        "on_heat_low": tuple(f"heat{step}" for step in range(5)),
        "on_heat_high": tuple(f"heat{step}" for step in range(5, 10)),
    }
    | {token: ("card_face",) for token in _TABLE if token.startswith("suit_")}
    | {"card_ink": ("card_face",)}
)
"""Which token is read as text on which surfaces: there it has at least 4.5 : 1 (WCAG 2.1, 1.4.3)."""

MARKS_ON: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"select": (*_SEAS, "card"), "focus": (*_SEAS, "card"), "card_back_wave": ("card_back",)}
)
"""Which token is seen as a mark on which surfaces: there it has at least 3 : 1 (WCAG 2.1, 1.4.11).

``accent`` is not among them: orange is too light for a pale sea, so it is drawn with an edge of ``ink``.
"""


def theme(name: str | Theme) -> Theme:
    """The theme of that name; OptionError for a name that is none of ``THEMES``."""
    if isinstance(name, Theme):
        return name
    if name not in THEMES:
        raise OptionError(SAY("view.theme", name=brief(name), listed=", ".join(THEMES)))
    return THEMES[name]


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, 0 to 255, of a colour "#RRGGBB"."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
