"""A toy to try the core on: two players with hidden hands, chance, and an umpire whose action is prescribed.

Kuhn's poker. Each player gets one card of a small pack, face down. North bets or checks; after a bet South
calls or folds. The umpire then settles: two points after a call, one otherwise, for the higher card or
the one who did not fold.
"""

from __future__ import annotations
from dataclasses import dataclass, replace

from navalkit.core.errors import IllegalActionError, NotationError
from navalkit.core.files import Rule
from navalkit.core.game import CHANCE, TERMINAL, Draw, Game, OptionSpec, Outcome, Transition
from navalkit.core.words import Event

WORDS = ("bet", "check", "call", "fold", "settle")


@dataclass(frozen=True, slots=True)
class Hands:
    north: int = 0  # 0: not dealt yet
    south: int = 0
    said: tuple[str, ...] = ()


class Toy(Game[Hands, str]):
    name = "toy"
    title = "Toy"
    blurb = "Kuhn's poker."
    players = ("north", "south", "umpire")
    automatic = frozenset({2})
    hides = True
    specs = (OptionSpec("cards", 3, "Cards", "Size of the pack.", low=3, high=9),)

    def initial(self) -> Hands:
        return Hands()

    def turn(self, state: Hands) -> int:
        if not state.south:
            return CHANCE
        if state.said[-1:] == ("settle",):
            return TERMINAL
        if not state.said:
            return 0
        return 1 if state.said == ("bet",) else 2

    def legal(self, state: Hands) -> tuple[str, ...]:
        return {0: ("bet", "check"), 1: ("call", "fold"), 2: ("settle",)}.get(self.turn(state), ())

    def why_not(self, state: Hands, action: str) -> str | None:
        legal = tuple(self.chance(state)) if self.turn(state) == CHANCE else self.legal(state)
        return (
            None
            if action in legal
            else f"{action} is not possible now; these are: {', '.join(legal) or 'none'}."
        )

    def chance(self, state: Hands) -> Draw:
        who, index = ("south", 1) if state.north else ("north", 0)
        deck = [f"{who}={card}" for card in range(1, self.options["cards"] + 1)]
        return Draw({a: 1 for a in deck if int(a[-1]) != state.north}, slot="cards", deck=deck, index=index)

    def apply(self, state: Hands, action: str) -> Transition[Hands]:
        if reason := self.why_not(state, action):
            raise IllegalActionError(reason)
        who, _, card = action.partition("=")
        if card:
            seen_by = frozenset({self.players.index(who)})
            return Transition(
                replace(state, **{who: int(card)}), (Event("T1", "deal", f"{action}.", to=seen_by),)
            )
        return Transition(replace(state, said=(*state.said, action)), (Event("T2", "said", f"{action}."),))

    def observe(self, state: Hands, player: int) -> tuple[int, tuple[str, ...]]:
        return (state.north, state.south, 0)[player], state.said

    def outcome(self, state: Hands) -> Outcome | None:
        if self.turn(state) != TERMINAL:
            return None
        north = state.north > state.south or "fold" in state.said
        points = (2.0 if "call" in state.said else 1.0) * (1 if north else -1)
        return Outcome(
            (points, -points, 0.0), "north" if north else "south", "Settled.", {"points": abs(points)}
        )

    def parse_action(self, text: str) -> str:
        who, _, card = text.partition("=")
        if text in WORDS or (who in self.players[:2] and len(card) == 1 and card in "123456789"):
            return text
        raise NotationError(f"{text!r} is no action of Toy; write one of {', '.join(WORDS)}.")

    def format_state(self, state: Hands) -> str:
        return " ".join((str(state.north), str(state.south), *state.said))

    def parse_state(self, text: str) -> Hands:
        north, south, *said = text.split()
        return Hands(int(north), int(south), tuple(said))

    def rules(self) -> dict[str, Rule]:
        return {"T1": Rule("Deal.", "seed 1", ""), "T2": Rule("Speak.", "seed 2", "")}


GAME = Toy
