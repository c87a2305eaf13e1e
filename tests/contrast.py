"""The contrast of two colours, which text and marks of the pages are held against."""

from __future__ import annotations

from navalkit.view.theme import rgb


def contrast_ratio(a: str, b: str) -> float:
    """Contrast of two colours "#RRGGBB", from 1 (equal) to 21 (black on white), as WCAG 2.1 defines it."""
    dark, light = sorted((_luminance(a), _luminance(b)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    """Relative luminance, 0 to 1: linear light weighted for the eye (WCAG 2.1, sRGB)."""

    def linear(byte: int) -> float:
        c = byte / 255
        return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4

    r, g, b = (linear(byte) for byte in rgb(colour))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
