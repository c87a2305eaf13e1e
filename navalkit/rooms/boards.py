"""A scene as a phone gets it: one picture for the light and the dark theme, and the cells to tap beside it."""

from __future__ import annotations

from typing import Any

from navalkit.view.painters.svg import number, svg
from navalkit.view.scene import Scene
from navalkit.view.theme import Theme
from navalkit.view.theme import theme as find_theme

_LIGHT, _DARK = find_theme("light").colours, find_theme("dark").colours
_EITHER = Theme("either", {token: f"var(--{token})" for token in _LIGHT})


def picture(scene: Scene) -> dict[str, Any]:
    """The picture of a scene: SVG whose colours follow the reader's theme, its size, and what it shows in words."""
    drawn = svg(scene, _EITHER)
    used = sorted(token for token in _LIGHT if f"var(--{token})" in drawn)

    def root(colours: Any) -> str:
        return ":root{" + ";".join(f"--{token}:{colours[token]}" for token in used) + "}"

    style = f"<style>{root(_LIGHT)}@media(prefers-color-scheme:dark){{{root(_DARK)}}}</style>"
    head, _, rest = drawn.partition(">")
    return {
        "svg": f"{head}>{style}{rest}",
        "width": scene.width,
        "height": scene.height,
        "alt": " ".join(filter(None, (scene.title, scene.desc))),
    }


def points(outline: Any) -> str:
    """The corners of an outline as an SVG attribute."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in outline)
