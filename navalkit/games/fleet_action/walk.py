"""What Fleet Action says of its decisions: whose order comes next, where she may go, at whom she may fire."""

from __future__ import annotations
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from navalkit.core.match import Match
from navalkit.core.trace import Decision
from navalkit.core.words import Event, Words
from navalkit.view.page import Glance, Question
from navalkit.view.scene import Picks, Point
from navalkit.walks.told import Camera, Change, Line, Moment, Sight, Told as Decided
from navalkit.walks.walk import Walk
from .board.afloat import window
from .board.choice import pointed_at, unit_pick, unit_ships, who
from .game import FleetAction
from .state import Done, Guns, Move, Phase, State, Told, Torpedoes, Turret

SAY = Words.load("navalkit.games.fleet_action", "data/walk.toml")


class FleetWalk(Walk[FleetAction, State, Decision]):
    """A battle: ships are ordered one by one, and which comes next is told, not asked."""

    words = SAY
    keys = {"turret": "●", "damage": "✚", "sinking": "✖"}
    marks = {"turret": "turret", "quarter": "damage", "mine": "damage", "sunk": "sinking"}
    players = ("jellicoe", "pike")
    listed = 4

    def row(self, match: Match) -> tuple[Moment[State], ...]:
        row = list(super().row(match))
        for i, after in enumerate(row[1:]):
            if row[i].who and (unit := who(after.action)):
                row[i] = replace(row[i], who=unit)
        return tuple(row)

    def clock(self, state: State) -> tuple[int, Hashable]:
        return state.move, state.phase

    def place(self, row: Sequence[Moment[State]], at: int) -> str:
        return SAY("place", move=row[at].turn, phase=SAY.get(f"phase.{row[at].phase}")).rstrip(", ")

    def key(self, event: Event) -> str:
        return "" if event.kind == "quarter" and event.facts.get("quarters", 0) < 2 else super().key(event)

    def answer(self, game: Any, action: Any) -> str:
        """Of a move the square, of fire the target."""
        if isinstance(action, Move):
            return action.square
        return action.target if isinstance(action, Guns | Torpedoes) else super().answer(game, action)

    def lines(self, told: Decided[State, Decision]) -> Iterator[Line]:
        """Its findings are about the place she goes to: they do not light it before the order is told."""
        there = set(self.lit(told.glance, told.decision.action))
        for line in super().lines(told):
            cells = () if line.kind == "finding" and there.intersection(line.cells) else line.cells
            yield replace(line, cells=cells)

    def labelled(self, glance: Glance[Any, Any, Any], action: Any) -> str:
        if isinstance(action, Move | Guns | Torpedoes):
            return self.answer(glance.game, action)
        return super().labelled(glance, action)

    def open(self, game: Any, moment: Moment[State], legal: Sequence[Any]) -> Sequence[Any]:
        """The orders of the ship whose turn it is, or none; where the side ends its orders there is no choice."""
        return [action for action in legal if who(action) == moment.who or isinstance(action, Done)] or legal

    def meant(self, game: Any, moment: Moment[State], legal: Sequence[Any]) -> Sequence[Any]:
        own = self.open(game, moment, legal)
        return own if len(own) > 1 else legal

    def ask(self, kind: str, game: Any, moment: Moment[State], who: str) -> Question:
        asked = super().ask(kind, game, moment, who)
        return asked if moment.person else replace(asked, text=SAY(f"ask.{moment.phase}", who=who))

    def way(self, told: Decided[State, Decision], sight: Sight[State], camera: Camera) -> Sequence[Point]:
        """From the square of a ship, or of a division's guide, to that to which she is ordered."""
        action, glance = told.decision.action, told.glance
        ships = unit_ships(glance.seen, told.who)
        if not isinstance(action, Move) or not ships:
            return ()
        squares = glance.seen.view.ships[ships[0]].square, sight.game.battle.grid.number(action.square)
        w = window(sight.game.battle.grid, camera.tall, camera.window, camera.stage, still=camera.still)
        return tuple(map(w.centre, squares)) if squares[0] != squares[1] else ()

    def picks(self, sight: Sight[State]) -> Picks:
        return Picks.of(unit_pick(sight.who))

    def chosen(self, sight: Sight[State], cell: str, action: Any) -> str:
        answers = self.answers(sight.game, sight.moment)
        seen = self.glance(sight.game, sight.state, sight.moment.seat).seen
        ship = pointed_at(seen, cell)
        named = seen.battle.units[ship].name if ship is not None else ""
        return next((each for each in (cell, named) if each in answers), "")

    def lit(self, glance: Glance[Any, Any, Any], action: Any) -> tuple[str, ...]:
        """Where she goes; or from where to where she fires."""
        if isinstance(action, Move):
            return (action.square,)
        if not isinstance(action, Guns | Torpedoes | Turret):
            return ()
        seen, names = glance.seen, (action.ship, getattr(action, "target", action.ship))
        squares = (seen.view.ships[seen.battle.numbers[name]].square for name in names)
        return tuple(dict.fromkeys(seen.battle.grid.names[square] for square in squares if square >= 0))

    def about(self, game: Any) -> tuple[str, str]:
        """Of a battle of one's own what it says of itself."""
        battle = game.battle
        return (self.name(battle.title), self.name(battle.blurb)) if game.options["custom"] else super().about(game)

    def own(self, data: bytes) -> Mapping[str, Any] | None:
        """A battle of one's own names its sides on a line; a saved game has them within a line: its own scenario."""
        found = re.search(rb"^\s*(?:sides\s*=|\[\[ship\]\])", data, re.MULTILINE)
        return {"custom": data.decode("utf-8", "replace")} if found else None

    def changes(self, game: Any, moment: Moment[State], who: str) -> Sequence[Change]:
        keys = ("unloaded",) if moment.phase is Phase.TURRETS else ("unloaded", "sound")  # sound ships lose no turret
        own = [Change(key, SAY(key), SAY(f"{key}.help"), "ships") for key in keys]
        return (*super().changes(game, moment, who), *own)

    def suppose(self, game: Any, state: State, moment: Moment[State], who: str, change: str, piece: Any) -> State:
        battle, ships = game.battle, list(state.ships)
        if change not in ("unloaded", "sound"):
            return super().suppose(game, state, moment, who, change, piece)
        for n in battle.fleet(1 - moment.seat if change == "unloaded" else moment.seat):
            own, told = ships[n], ships[n].told
            if change == "sound":
                ships[n] = replace(own, damage=0, out=(0,) * len(own.out), told=None)
            else:
                ships[n] = replace(own, loaded=0, told=Told(told.damage, told.out, 0) if told else None)
        return replace(state, ships=tuple(ships))


WALK = FleetWalk()
