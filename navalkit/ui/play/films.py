"""The films of a game's page: from what a player was shown last to what that player sees now."""

from __future__ import annotations

from typing import Any, NamedTuple

from navalkit.core.match import Match
from navalkit.view.effect import Film, film
from navalkit.view.page import Glance
from navalkit.view.scene import Scene

from .sight import Sight


class _Shown(NamedTuple):
    """What a player was shown last."""

    ply: int
    glance: Glance[Any, Any, Any]
    window: Any
    scene: Scene


class Films:
    """Remembers what each player was shown of a match."""

    def __init__(self, sight: Sight) -> None:
        self._sight = sight
        self.of: Match | None = None
        """The match they are of."""
        self._shown: dict[int, _Shown] = {}

    def to(self, last: Scene) -> Film | None:
        """The film that ends with this board; None where nothing has happened since."""
        sight, page = self._sight, self._sight.page
        if self.of is not sight.match:
            self.of, self._shown = sight.match, {}
        now = _Shown(sight.ply, sight.glance(), sight.window, last)
        shown, self._shown[sight.me] = self._shown.get(sight.me, now), now
        since, before = shown.ply, shown.scene
        if since == sight.ply:
            return None
        if shown.window != sight.window:  # what was shown then, through the window of now
            before = page.pieces(shown.glance, sight.look)
        moments = sight.moments(since)
        effects = page.effects(sight.game, moments, sight.look, before, last) if moments else ()
        return film(before, last, effects)
