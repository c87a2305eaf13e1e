"""Pages that are still modules of functions, as a `Page`: until the last game has a typed one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from types import ModuleType
from typing import Any

from navalkit.core.event import Event
from navalkit.core.match import Match
from navalkit.core.registry import drawing, load, package

from .page import Chart, Glance, Look, Moment, Order, Page, Table, override
from .scene import Cell, Lasts, Pick, Picks, Scene

_NOTE, _AIM, _VIEW = "note:", "note:aim", "view:"
_SHOWN = {
    "on-patrol": ("S1 ahead 2 port, dive 50, fire 2 at 3", "skipper", ()),
}


def page_of(name: str) -> Page[Any, Any, Any]:
    """The page of a game, by the game's name."""
    typed: Page[Any, Any, Any] | None = package(name).offered("PAGE", None)
    return typed or ModulePage(drawing(load(name), "page"), name)


class ModulePage(Page[Any, Any, Any]):
    """The functions of a module as hooks."""

    def __init__(self, module: ModuleType, name: str) -> None:
        self._module, self._has = module, vars(module)
        self.example, self.adviser, self.seats = _SHOWN.get(name, ("", "greedy", ()))
        self.unit = self._has.get("UNIT", "t")
        self.hovers, self.draws_reasons = self._has.get("HOVERS", False), self._has.get("REASONS", False)
        self.drags, self.prints_card = "goes_on" in self._has, "card" in self._has
        self.films = "film" in self._has
        self.prints_sheets, self.has_daily = "sheets" in self._has, "daily" in self._has

    def _odds(self, glance: Glance[Any, Any, Any]) -> dict[str, str]:
        return {order.text: str(order.odds) for order in glance.once(self._all)}

    def _all(self, glance: Glance[Any, Any, Any]) -> Sequence[Order]:
        return self._module.orders(glance.game, glance.seen, glance.legal)  # type: ignore[no-any-return]

    def _notes(self, picks: Picks) -> frozenset[str]:
        return frozenset(str(pick.value) for pick in picks)

    def _by_text(self, glance: Glance[Any, Any, Any]) -> dict[str, Any]:
        return {str(action): action for action in glance.legal}

    @override
    def scene(self, glance: Glance[Any, Any, Any], look: Look) -> Scene:
        more: dict[str, Any] = {"notes": self._notes(look.picks)} if self._has.get("NOTES") else {}
        if "camera" in self._has:
            more["view"] = look.window
        if self.hovers:
            more["hover"] = look.hover
        if self.draws_reasons:
            more["reasons"] = look.reasons
        scene: Scene = self._module.scene(glance.game, glance.seen, look.tall, self._odds(glance), **more)
        actions = glance.once(self._by_text)
        return replace(scene, cells=tuple(self._cell(cell, actions) for cell in scene.cells), _by_id={})

    def _cell(self, cell: Cell, actions: dict[str, Any]) -> Cell:
        pick, window = None, None
        if cell.id.startswith(_NOTE) and self._has.get("NOTES"):
            key, choice, _ = cell.id.partition("=")
            lasts = Lasts.ORDER if cell.id.startswith(_AIM) else Lasts.PAGE if choice else Lasts.GAME
            pick = Pick(key + choice, cell.id, lasts)
        if cell.id.startswith(_VIEW) and "camera" in self._has:
            window = cell.id.removeprefix(_VIEW)
        return replace(cell, action=actions.get(cell.order or ""), pick=pick, window=window)

    @override
    def now(self, glance: Glance[Any, Any, Any]) -> str:
        return str(self._module.now(glance.game, glance.seen))

    @override
    def orders(self, glance: Glance[Any, Any, Any]) -> Sequence[Order]:
        actions = glance.once(self._by_text)
        shown = [order for order in glance.once(self._all) if order.group != "board"]
        return tuple(replace(order, action=actions[order.text]) for order in shown)

    @override
    def guide(self, glance: Glance[Any, Any, Any]) -> str:
        return str(self._module.guide(glance.game, glance.seen))

    @override
    def charts(self, glance: Glance[Any, Any, Any]) -> Sequence[Chart]:
        return self._module.charts(glance.game, glance.seen)  # type: ignore[no-any-return]

    @override
    def facts(self, glance: Glance[Any, Any, Any]) -> Table | None:
        return self._module.facts(glance.game, glance.seen)  # type: ignore[no-any-return]

    @override
    def happened(self, events: Sequence[Event]) -> str:
        return str(self._has["happened"](events)) if "happened" in self._has else super().happened(events)

    @override
    def players(self, game: Any) -> tuple[str, ...]:
        return self._has["players"](game) if "players" in self._has else super().players(game)

    @override
    def read(self, glance: Glance[Any, Any, Any], text: str) -> Sequence[Any]:
        if "complete" in self._has:
            text = self._module.complete(glance.game, glance.seen, text)
        texts = self._module.split(text) if "split" in self._has else (text,)
        return tuple(glance.game.parse_action(each) for each in texts)

    @override
    def due(self, given: Any, glance: Glance[Any, Any, Any], action: Any) -> bool | None:
        if "due" not in self._has:
            return True
        return self._module.due(glance.game, given, glance.seen, str(action))  # type: ignore[no-any-return]

    @override
    def goes_on(self, before: Glance[Any, Any, Any], after: Glance[Any, Any, Any], look: Look) -> bool:
        return bool(self._module.goes_on(after.game, before.seen, after.seen, self._notes(look.picks)))

    @override
    def window(self, glance: Glance[Any, Any, Any], look: Look, move: Any) -> Any:
        return self._module.camera(glance.game, glance.seen, look.window, move, look.tall)

    @override
    def film(self, game: Any, moments: Sequence[Moment[Any]], look: Look, last: Scene) -> Sequence[Scene]:
        if "film" not in self._has:
            return ()
        told = [(moment.seen, list(moment.events)) for moment in moments]
        return self._module.film(game, told, look.tall, last)  # type: ignore[no-any-return]

    @override
    def card(self, game: Any, match: Match) -> tuple[Scene, ...]:
        return self._module.card(game, match)  # type: ignore[no-any-return]

    @override
    def sheets(self, glance: Glance[Any, Any, Any]) -> tuple[Scene, ...]:
        return self._module.sheets(glance.game, glance.seen)  # type: ignore[no-any-return]

    @override
    def daily(self, day: date) -> int:
        return int(self._module.daily(day))

    @override
    def report(self, game: Any, match: Match, others: Sequence[tuple[str, Match]]) -> Table | None:
        return self._module.report(game, match, others)  # type: ignore[no-any-return]

    @override
    def compare(self, game: Any, name: str, mine: Match, other: Match) -> Table | None:
        return self._module.compare(game, name, mine, other) if "compare" in self._has else None
