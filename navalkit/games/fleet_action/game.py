"""Fleet Action as a `Game`; each part of its rules has its own module. Rule ids are those of RULES.md."""

from __future__ import annotations
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, ClassVar

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, IllegalActionError, OptionError, brief
from navalkit.core.files import read
from navalkit.core.game import CHANCE, TERMINAL, Draw, Game, OptionSpec, Outcome, Transition, read_options
from . import notation, scenarios, sight
from .cards import HOME, SAY
from .craft import (
    Attack,
    Bombs,
    Charges,
    Contact,
    CrashDive,
    Down,
    Flak,
    Fly,
    Land,
    Launch,
    Load,
    Patrol,
    Periscope,
    Range,
    Seek,
)
from .rules import boats, firing, flying, hunting, play, raiding, sailing
from .rules.gunnery import hit_weights
from .sight import Observation
from .state import (
    SIDES,
    Action,
    Done,
    Enter,
    First,
    Guns,
    Hits,
    Lay,
    Leave,
    Mine,
    Move,
    Phase,
    Reload,
    Scenario,
    State,
    Sweep,
    Torpedoes,
    Turret,
    Weather,
)

SCREENED = 3  # moves of hidden start, where the option asks for it
_CHANCE = (Phase.FIRST, Phase.WEATHER, Phase.ENTRY, Phase.MINES, Phase.SEEN, Phase.RAID, Phase.SALVO, Phase.HUNT)
_PHASES: dict[type, tuple[Phase, ...]] = {
    First: (Phase.FIRST,), Weather: (Phase.WEATHER,), Enter: (Phase.ENTRY,), Move: (Phase.MOVE,), Lay: (Phase.MOVE,),
    Sweep: (Phase.MOVE,), Reload: (Phase.MOVE,), Leave: (Phase.MOVE,), Done: (Phase.MOVE, Phase.FLY, Phase.FIRE),
    Mine: (Phase.MINES,), Guns: (Phase.FIRE,), Torpedoes: (Phase.FIRE,), Hits: (Phase.SALVO,), Turret: (Phase.TURRETS,),
    Load: (Phase.MOVE,), Periscope: (Phase.SEEN,), Seek: (Phase.FIRE,), Contact: (Phase.HUNT,), Charges: (Phase.HUNT,),
    **dict.fromkeys((Range, Launch, Fly, Patrol, Attack, Land), (Phase.FLY,)),
    **dict.fromkeys((Down, Flak, CrashDive, Bombs), (Phase.RAID,))
}


@lru_cache
def _battle(*options: tuple[str, Any]) -> Scenario:
    """The battle of these options; OptionError if they do not fit the scenario."""
    given = dict(options)
    battle = scenarios.own(given["custom"]) if given["custom"] else scenarios.scenario(given["scenario"])
    if battle.key == scenarios.OWN:
        battle = scenarios.muster(battle, given["blue"], given["red"], given["budget"])
    switch = {"on": True, "off": False}
    battle = replace(
        battle, moves=given["moves"] or battle.moves, weather=switch.get(given["weather"], battle.weather),
        light=battle.light if given["light"] == "scenario" else given["light"],
        torpedo_yards=given["torpedo_yards"] or battle.torpedo_yards,
        screened={"on": SCREENED, "off": 0}.get(given["hidden_start"], battle.screened),
        alternate=given["first_mover"] == "alternate", choose=given["turrets"] == "choice"
    )
    try:
        scenarios.check(battle)
    except DataError as error:
        raise OptionError(SAY("scenario.options", error=error)) from None
    return battle


class FleetAction(Game[State, Action, Observation]):
    """Fleet Action: two squadrons with guns, torpedoes and mines on a board of squares."""

    name = "fleet-action"
    title = SAY("title")
    blurb = SAY.phrase("blurb")
    players: ClassVar[tuple[str, ...]] = SIDES
    specs: ClassVar[tuple[OptionSpec, ...]] = read_options(
        read(HOME, "data/options.toml")["option"],
        scenario={"choices": scenarios.names()},
        blue={"read": scenarios.canonical_squadron, "form": scenarios.FORM},
        red={"read": scenarios.canonical_squadron, "form": scenarios.FORM},
        custom={"read": scenarios.canonical, "form": SAY("scenario.form")},
    )
    hides: ClassVar[bool] = True

    def __init__(self, /, **options: Any) -> None:
        super().__init__(**options)
        self.battle: Scenario = _battle(*self.options.items())
        """The board, the ships and the objectives."""

    @property
    def sides(self) -> tuple[str, ...]:
        """What the scenario calls its sides, the first first."""
        return self.battle.sides

    def initial(self) -> State:
        return self.battle.start()

    def turn(self, state: State) -> int:
        if state.phase is Phase.END:
            return TERMINAL
        return CHANCE if state.phase in _CHANCE else state.side

    def legal(self, state: State) -> tuple[Action, ...]:
        battle = self.battle
        if state.phase is Phase.MOVE:
            return (*sailing.orders(battle, state), Done())
        if state.phase is Phase.FLY:
            return (*flying.orders(battle, state), Done())
        if state.phase is Phase.FIRE:
            return (*firing.orders(battle, state), Done())
        if state.phase is Phase.TURRETS:
            ship = firing.failing(battle, state)[0]
            return tuple(Turret(battle.units[ship].name, n + 1) for n in firing.mounts_left(battle, state, ship))
        return ()

    def tells(self, action: Action) -> bool:
        """Fire is ordered in secret, and nothing comes of it before all of it is."""
        return self.hides and not isinstance(action, Guns | Torpedoes | Seek)

    def why_not(self, state: State, action: Action) -> str | None:
        phases = _PHASES.get(type(action))
        if phases is None:
            return SAY("no.action", action=brief(action))
        if state.phase not in phases:
            return SAY("no.now", action=action, now=self._now(state))
        if state.phase is Phase.MOVE:
            return sailing.why_not(self.battle, state, action)
        if state.phase is Phase.FLY:
            return flying.why_not(self.battle, state, action)
        if state.phase is Phase.FIRE:
            return firing.why_not(self.battle, state, action)
        if isinstance(action, Turret):
            return firing.why_not_turret(self.battle, state, action)
        return None if action in self.chance(state) else SAY("no.dice", action=action)

    def chance(self, state: State) -> Draw:
        battle, names = self.battle, self.battle.grid.names
        if state.phase is Phase.FIRST:
            return Draw(Dist.uniform(map(First, (0, 1))), slot=f"move {state.move} first")
        if state.phase is Phase.WEATHER:
            zone = len(state.weather) + 1
            dice = (Weather(zone, pips) for pips in range(1, 7))
            return Draw(Dist.uniform(dice), slot=f"move {state.move} weather {zone}")
        if state.phase is Phase.ENTRY and (entering := sailing.entering(battle, state)):
            ship, squares = entering
            places = (Enter(battle.units[ship].name, names[square]) for square in squares)
            return Draw(Dist.uniform(places), slot=f"move {state.move} entry {ship}")
        if state.phase is Phase.ENTRY and (flight := flying.coming(battle, state)) is not None:
            squadron = battle.flights[flight]
            edge = (Enter(squadron.name, names[square]) for square in squadron.entry)
            return Draw(Dist.uniform(edge), slot=f"move {state.move} flight {flight}")
        if state.phase is Phase.MINES:
            ship, square = state.mined[0]
            name, where = battle.units[ship].name, names[square]
            sums = (Mine(name, where, a + b) for a, b in product(range(1, 7), repeat=2))
            return Draw(Dist.uniform(sums), slot=f"move {state.move} mine {ship} {square}")
        if state.phase is Phase.SALVO and (shot := firing.next_shot(state)):
            weights = hit_weights(battle, state, shot)
            hits = ((firing.outcome(battle, shot, k), weight) for k, weight in enumerate(weights))
            return Draw(hits, slot=firing.slot(state, shot))
        if state.phase is Phase.SEEN and (boat := boats.looking(battle, state)) is not None:
            return Draw(boats.periscope(battle, state), slot=f"move {state.move} periscope {boat}")
        if state.phase is Phase.HUNT and hunting.due(battle, state):
            return Draw(hunting.chance(battle, state), slot=hunting.slot(battle, state))
        if state.phase is Phase.RAID and raiding.due(battle, state):
            return Draw(raiding.chance(battle, state), slot=raiding.slot(battle, state))
        return Draw(Dist.point(None), slot="nothing")

    def apply(self, state: State, action: Action) -> Transition[State]:
        if reason := self.why_not(state, action):
            raise IllegalActionError(reason)
        return Transition(*play.act(self.battle, state, action))

    def observe(self, state: State, player: int) -> Observation:
        return sight.observe(self.battle, state, player)

    def outcome(self, state: State) -> Outcome | None:
        if state.phase is not Phase.END:
            return None
        facts = play.report(self.battle, state)
        text = SAY(f"report.{state.result}", by=play.winner(state), **facts)
        if state.ended:
            key, ended = play.why(self.battle, state)
            text = f"{SAY(key, **ended)} {text}"
        scores = (0.5, 0.5) if state.result == play.DRAW else tuple(float(side == state.result) for side in SIDES)
        return Outcome(scores, state.result, text, facts)

    def parse_action(self, text: str) -> Action:
        return notation.parse_action(text, self.battle)

    def parse_state(self, text: str) -> State:
        return notation.parse_state(text, self.battle)

    def format_state(self, state: State) -> str:
        return notation.format_state(state, self.battle)

    def _now(self, state: State) -> str:
        fleets = [self.battle.fleet(side) for side in (state.side, 1 - state.side)]
        names = [self.battle.units[fleet[0]].name if fleet else "" for fleet in fleets]
        return SAY(f"now.{state.phase}", side=self.battle.sides[state.side], ship=names[0], target=names[1])
