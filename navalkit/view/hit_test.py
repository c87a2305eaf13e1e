"""From a point to the cell under it, and from a cell to its neighbour in a direction."""

from __future__ import annotations

from math import hypot

from navalkit.core.echo import brief
from navalkit.core.errors import OptionError
from navalkit.core.language.say import SAY
from navalkit.view.scene import Cell, Point, Scene

DIRECTIONS: dict[str, Point] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def contains(outline: tuple[Point, ...], x: float, y: float) -> bool:
    """Whether a point lies in a polygon: a ray to the right crosses its edges an odd number of times.

    Edges are half open, so that a point on the common edge of two cells is in one of them only.
    """
    inside = False
    x0, y0 = outline[-1]
    for x1, y1 in outline:
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
        x0, y0 = x1, y1
    return inside


def hit(scene: Scene, x: float, y: float) -> Cell | None:
    """The topmost cell under a point (px at scale 1): the last in the scene that holds it, or None."""
    return next((cell for cell in reversed(scene.cells) if contains(cell.outline, x, y)), None)


def neighbour(scene: Scene, cell_id: str, direction: str) -> Cell:
    """The cell an arrow key leads to: the nearest centre within a wide cone, or the cell itself at the edge.

    What lies off the axis counts double, so that a row or column is followed before it is left; the cone (two across
    for one along) still reaches the slanting neighbours of a hex and a pile beside the cards. Among equals the first in
    reading order is taken. OptionError for a cell the scene has not, or a direction other than left, right, up, down.
    """
    cell = scene.cell(cell_id)
    if cell is None:
        raise OptionError(SAY("view.cell", id=brief(cell_id), listed=", ".join(_ids(scene))))
    if direction not in DIRECTIONS:
        raise OptionError(SAY("view.direction", name=brief(direction), listed=", ".join(DIRECTIONS)))
    dx, dy = DIRECTIONS[direction]
    x0, y0 = cell.centre

    def distance(other: Cell) -> float | None:
        x, y = other.centre
        along = (x - x0) * dx + (y - y0) * dy
        across = abs((x - x0) * dy - (y - y0) * dx)
        return round(hypot(along, 2 * across), 6) if along > 1e-9 and across <= 2 * along else None

    reached = [(d, i) for i, other in enumerate(scene.cells) if (d := distance(other)) is not None]
    return scene.cells[min(reached)[1]] if reached else cell


def _ids(scene: Scene) -> list[str]:
    """The first few ids, to show in a message."""
    ids = [cell.id for cell in scene.cells[:8]]
    return [*ids, "..."] if len(scene.cells) > 8 else ids
