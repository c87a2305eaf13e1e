"""Lines of sight between hex centres, in whole numbers: what runs exactly along a border is seen to do so."""

from __future__ import annotations

from .hex_cells import Hex, HexSet


def sight_blockers(viewer: Hex, target: Hex, blocking: HexSet) -> list[Hex]:
    """The blocking hexes that hide one hex centre from another, nearest to the viewer first.

    The straight line between the centres is hidden by any hex it passes through, and by two hexes when it
    runs along their common border; one that it only touches does not hide it, nor do the two ends.

    Parameters
    ----------
    viewer, target : Hex
    blocking : set of Hex

    Returns
    -------
    list of Hex
        Empty where nothing hides it.

    >>> [h.label for h in sight_blockers(Hex.parse("C3"), Hex.parse("C7"), {Hex.parse("C5"), Hex.parse("D5")})]
    ['C5']
    """
    dx, dy = 3 * (target.q - viewer.q), 2 * (target.r - viewer.r) + target.q - viewer.q
    length2 = dx * dx + 3 * dy * dy
    # x in half sides, y in half heights: the corners of a hex are at (+-2, 0) and (+-1, +-1).
    reach = max(abs(2 * dy), abs(dx - dy), abs(dx + dy))  # of a corner from the line through its centre
    through: list[tuple[int, Hex]] = []
    port: list[tuple[int, Hex]] = []
    starboard: list[tuple[int, Hex]] = []
    for h in blocking:
        x, y = 3 * (h.q - viewer.q), 2 * (h.r - viewer.r) + h.q - viewer.q
        ahead = x * dx + 3 * y * dy
        if not 0 < ahead < length2:
            continue
        offset = dx * y - dy * x
        if abs(offset) < reach:
            through.append((ahead, h))
        elif abs(offset) == reach:
            (starboard if offset > 0 else port).append((ahead, h))
    for ahead, h in port:  # neighbours on both sides of the line: it runs along their border
        through += [pair for s, g in starboard if h.distance(g) == 1 for pair in ((ahead, h), (s, g))]
    return [h for _, h in sorted(through)]


def line_of_sight(viewer: Hex, target: Hex, blocking: HexSet) -> bool:
    """Whether nothing hides one hex centre from another (see ``sight_blockers``); symmetrical.

    Parameters
    ----------
    viewer, target : Hex
    blocking : set of Hex

    Returns
    -------
    bool

    >>> line_of_sight(Hex.parse("C3"), Hex.parse("C7"), {Hex.parse("D5")})
    True
    """
    return not sight_blockers(viewer, target, blocking)
