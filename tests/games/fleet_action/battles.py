"""Small battles of Fleet Action for tests: ships set out on a board, and stories played on it order by order."""

from __future__ import annotations
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from navalkit.core.errors import IllegalActionError
from navalkit.core.game import CHANCE
from navalkit.core.words import Event
from navalkit.games.fleet_action import FleetAction
from navalkit.games.fleet_action.scenarios import names, scenario
from navalkit.games.fleet_action.state import Minefield, Phase, Ship, State, with_ship

CHAPTERS = tuple(name for name in names() if scenario(name).boats or scenario(name).flights)
"""The battles of boats and of aircraft."""
GUNS = tuple(name for name in names() if name not in CHAPTERS)
"""The others."""
AIMS = "".join(f'[[objective]]\nside = "{side}"\naim = "sink"\npoints = 10\n' for side in ("Blue", "Red"))


def battle(blue: str, red: str, more: str = "", ships: str = "", aims: str = AIMS, **options: Any) -> FleetAction:
    """A game with these ships: "Ajax C4 NE, Exeter D4 E [Division] (card)"; ``more`` and ``ships`` are TOML."""
    text = f'title = "A test"\nblurb = "A small battle."\nsides = ["Blue", "Red"]\n{_default(more)}\n{more}\n'
    for side, squad in (("Blue", blue), ("Red", red)):
        for entry in filter(None, map(str.strip, squad.split(","))):
            found = re.fullmatch(r"(.+?) ([A-Z]\d+ [NESW]+)(?: \[(.+?)\])?(?: \((.+?)\))?", entry)
            assert found, entry
            text += f'[[ship]]\nside = "{side}"\nname = "{found[1]}"\nat = "{found[2]}"\n'
            text += f'division = "{found[3]}"\n' * bool(found[3]) + f'card = "{found[4]}"\n' * bool(found[4])
    return FleetAction(custom=text + ships + aims, **options)


def _default(more: str) -> str:
    return "" if re.search(r"^moves =", more, re.MULTILINE) else "moves = 20"


class Story:
    """Plays given actions, chance's included, and keeps what happened."""

    def __init__(self, game: FleetAction, first: str = "blue", **fields: Any) -> None:
        self.game, self.battle = game, game.battle
        self.events: list[Event] = []
        self.state: State = replace(game.initial(), **fields)
        if self.state.phase is Phase.FIRST:
            self.play(f"first {first}")

    def play(self, *actions: str) -> Story:
        for text in actions:
            step = self.game.apply(self.state, self.game.parse_action(text))
            self.state = step.state
            self.events += step.events
            assert self.game.parse_state(self.game.format_state(self.state)) == self.state
        return self

    def done(self, times: int = 1) -> Story:
        """"done" as often as that, where there is something to be done with."""
        return self.play(*["done"] * times)

    def to_fire(self, side: int | None = None) -> Story:
        """On to the firing, or to that side's orders of fire, nobody doing anything any more."""
        while self.state.phase is Phase.MOVE:
            self.done()
        while self.state.phase is Phase.FIRE and side not in (None, self.state.side):
            self.done()
        return self

    def dice(self) -> Story:
        """On to the dice, nobody ordering any more fire."""
        while self.state.phase is Phase.FIRE:
            self.done()
        return self

    def next_move(self) -> Story:
        """On to the next move, nobody doing anything; dice of fire already ordered must be played first."""
        move = self.state.move
        while self.state.move == move and self.state.phase is not Phase.END:
            self.done()
        return self

    def throw(self, *hits: int) -> Story:
        """The dice of the next salvos."""
        for number in hits:
            action = next(a for a in self.game.chance(self.state) if a.hits == number)
            self.play(str(action))
        return self

    def hurt(self, ship: str, **changes: Any) -> Story:
        """A ship changed by hand."""
        self.state = with_ship(self.state, self.battle.numbers[ship], **changes)
        assert self.game.parse_state(self.game.format_state(self.state)) == self.state
        return self

    def mine(self, square: str, side: int, **changes: Any) -> Story:
        """A square mined by hand."""
        field = Minefield(self.battle.grid.number(square), side, **changes)
        fields = sorted((*self.state.fields, field), key=lambda f: (f.square, f.side))
        self.state = replace(self.state, fields=tuple(fields))
        return self

    def ship(self, name: str) -> Ship:
        return self.state.ships[self.battle.numbers[name]]

    def square(self, name: str) -> str:
        return self.battle.grid.names[self.ship(name).square]

    @property
    def legal(self) -> set[str]:
        return set(map(str, self.game.legal(self.state)))

    def of(self, ship: str) -> set[str]:
        """What a ship may be ordered to do now."""
        return {text.removeprefix(f"{ship}: ") for text in self.legal if text.startswith(f"{ship}: ")}

    @property
    def rules(self) -> list[str]:
        return [event.rule for event in self.events]

    @property
    def chances(self) -> dict[str, Any]:
        assert self.game.turn(self.state) == CHANCE
        return {str(action): p for action, p in self.game.chance(self.state).items()}

    def refusal(self, text: str) -> str:
        """Why that order is not possible now."""
        action = self.game.parse_action(text)
        reason = self.game.why_not(self.state, action)
        assert reason is not None, f"{text} is legal"
        with pytest.raises(IllegalActionError, match=re.escape(reason)):
            self.game.apply(self.state, action)
        return reason


def tell(events: Sequence[Event], rule: str) -> list[str]:
    """The sentences told under a rule."""
    return [event.text for event in events if event.rule == rule]
