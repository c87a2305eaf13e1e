"""The rules of Task Force: the only place that knows them. Rule ids are those of RULES.md."""

from __future__ import annotations
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

from navalkit.core.codec import Codec, Form, bits, one_of, series, upto
from navalkit.core.dist import Dist
from navalkit.core.errors import IllegalActionError, NotationError, OptionError, brief
from navalkit.core.game import CHANCE, TERMINAL, Draw, Game, OptionSpec, Outcome, Transition
from navalkit.core.words import Event
from navalkit.grids.square import SquareGrid
from navalkit.prob.placements import Unlisted, possible
from .state import (
    CARRIER,
    CRUISER,
    EMPTY,
    FIRST_DESTROYER,
    HIT,
    MISSILES,
    OWN,
    SAY,
    SUBMARINE,
    TABLES,
    UNSEEN,
    Action,
    Fly,
    HideFleet,
    HideMissiles,
    HideSubmarines,
    Missiles,
    Observation,
    Phase,
    Scratch,
    Sea,
    Ships,
    State,
    Strike,
    contents,
    sea,
)

# -- Text <-> action and text <-> state of Task Force ----------------------------------------------

_SQUARE = "([A-Z][1-9][0-9]?)"
_SCRATCH = re.compile(rf"(?:SCRATCH )?{_SQUARE}")
_FLY = re.compile(rf"FLY (?:HELICOPTER )?(?:([0-9]) )?(?:FROM )?{_SQUARE}")
_STRIKE = re.compile(rf"STRIKE {_SQUARE}")
_SHIP = re.compile(rf"{_SQUARE}-{_SQUARE}")
_MISSILE = re.compile(rf"{_SQUARE}=({'|'.join(OWN)})")
_HIDDEN: dict[str, tuple[re.Pattern[str], Any]] = {
    "FLEET": (_SHIP, HideFleet),
    "SUBMARINES": (re.compile(_SQUARE), HideSubmarines),
    "MISSILES": (_MISSILE, HideMissiles),
}


def parse_action(text: str) -> Action:
    """The action of that notation; case and extra blanks do not matter. ``text``: "C7" (or "scratch C7"), "fly
    helicopter 1 from A3" (or "fly 1 A3"), "strike E5"; chance's actions are written "fleet A1-A5 C2-F2 ...",
    "submarines B9 ...", "missiles B1=AIR ...". NotationError if it is none of these."""
    line = " ".join(text.split()).upper()
    if match := _SCRATCH.fullmatch(line):
        return Scratch(match[1])
    if match := _FLY.fullmatch(line):
        if match[1] is None:
            raise NotationError(SAY("wrong.which", text=brief(text), square=match[2]))
        return Fly(int(match[1]), match[2])
    if match := _STRIKE.fullmatch(line):
        return Strike(match[1])
    word, *parts = line.split(" ")
    if word in _HIDDEN:
        pattern, kind = _HIDDEN[word]
        for part in parts:
            if not pattern.fullmatch(part):
                raise NotationError(SAY("wrong.hidden", part=brief(part), what=word.lower()))
        return kind(tuple(parts))  # type: ignore[no-any-return]
    raise NotationError(SAY("wrong.order", text=brief(text)))


def ships(spans: Iterable[str], grid: SquareGrid) -> Ships | None:
    """The squares of ships given as "A1-A5"; None if one does not lie straight on the map."""
    found = []
    for span in spans:
        match = _SHIP.fullmatch(span)
        if not match or match[1] not in grid.names or match[2] not in grid.names:
            return None
        first, last = grid.number(match[1]), grid.number(match[2])
        (r, c), (r2, c2) = grid.place(first), grid.place(last)
        if first > last or (r != r2 and c != c2):
            return None
        found.append(tuple(range(first, last + 1, 1 if r == r2 else grid.columns)))
    return tuple(found)


def missiles(texts: Iterable[str], grid: SquareGrid) -> Missiles | None:
    """Missiles given as "B1=AIR"; None if one is not on the map."""
    found = []
    for text in texts:
        match = _MISSILE.fullmatch(text)
        if not match or match[1] not in grid.names:
            return None
        found.append((grid.number(match[1]), OWN.index(match[2])))
    return tuple(found)


def format_state(state: State, sea: Sea) -> str:
    """The state as one line."""
    return _codec(sea.grid).write(state)


def parse_state(text: str, sea: Sea) -> State:
    """The state of that notation. ``text``: as `format_state` gives it. ``sea``: what hides there: anything else is
    refused. NotationError naming the field that is wrong."""
    return _consistent(_codec(sea.grid).read(text), sea)


@cache
def _codec(grid: SquareGrid) -> Codec[State]:
    """States as text: squares by their names, a ship by her ends, ours and missiles by our ships' names."""
    names = grid.names
    square, ours = Form(names.__getitem__, grid.number), Form(OWN.__getitem__, OWN.index)
    ship = Form(lambda ship: f"{names[ship[0]]}-{names[ship[-1]]}", lambda span: _the_one(ships((span,), grid)))
    missile = Form(lambda each: f"{names[each[0]]}={OWN[each[1]]}", lambda text: _the_one(missiles((text,), grid)))
    forms = {
        int: upto(10**6), "scratched": bits(grid.size), "fleet": series(ship), "submarines": series(square),
        "missiles": series(missile), "afloat": series(ours), "helicopters": series(upto(10**6)),
        "flight": series(square), "result": one_of(("win", "loss")),
    }
    return Codec(State, forms)


def _the_one(found: tuple[Any, ...] | None) -> Any:
    if found is None:
        raise ValueError
    return found[0]


def _consistent(state: State, sea: Sea) -> State:
    """The state, if its parts fit together."""
    wrong = None
    phase = state.phase
    if (phase is Phase.FLEET) != (not state.fleet) or (state.fleet and not sea.is_fleet(state.fleet)):
        wrong = "fleet"
    elif state.submarines and not sea.are_submarines(state.fleet, state.submarines):
        wrong = "submarines"
    elif phase not in (Phase.FLEET, Phase.SUBMARINES, Phase.MISSILES) and not (
        sea.are_submarines(state.fleet, state.submarines)
        and sea.are_missiles(state.fleet, state.submarines, state.missiles)
    ):
        wrong = "missing"
    elif (phase is Phase.FLIGHT) != bool(state.flying and state.flight):
        wrong = "flight"
    elif any(not state.seen(s) for s in state.flight):
        wrong = "flight_square"
    elif state.afloat != tuple(sorted(set(state.afloat))):
        wrong = "afloat"
    elif any(n + FIRST_DESTROYER - 1 not in state.afloat for n in state.helicopters):
        wrong = "helicopter"
    elif (phase is Phase.END) != bool(state.result):
        wrong = "result"
    if wrong:
        raise NotationError(SAY(f"wrong.state.{wrong}"))
    return state


# -- How the enemy hides, one thing after the other (rules T1, T2): what chance may draw, and what follows

HIDING: Mapping[Phase, type] = {Phase.FLEET: HideFleet, Phase.SUBMARINES: HideSubmarines, Phase.MISSILES: HideMissiles}
"""The phases in which chance hides something, and its action in each."""


def draw(sea: Sea, state: State, possible: Callable[[object], bool]) -> Draw:
    """What chance may do now, each outcome as likely as any other; ``possible`` recognises them."""
    names, fleet, submarines = sea.grid.names, state.fleet, state.submarines
    slot = f"{state.phase} {state.tries}"
    if state.phase is Phase.FLEET:
        return Unlisted(lambda rng: HideFleet(tuple(f"{names[s[0]]}-{names[s[-1]]}" for s in sea.draw_fleet(rng))),
                        possible,
                        lambda: sea.fleets,
                        slot=slot)
    if state.phase is Phase.SUBMARINES:
        return Unlisted(lambda rng: HideSubmarines(tuple(names[s] for s in sea.draw_submarines(fleet, rng))),
                        possible,
                        lambda: sea.count_submarines(fleet),
                        slot=slot)
    if state.phase is Phase.MISSILES:
        return Unlisted(
            lambda rng: HideMissiles(
                tuple(f"{names[s]}={OWN[t]}" for s, t in sea.draw_missiles(fleet, submarines, rng))
            ),
            possible,
            lambda: sea.count_missiles(fleet, submarines),
            slot=slot,
        )
    return Draw(Dist.point(None), slot=slot)


def why_not(sea: Sea, state: State, action: Any) -> str | None:
    """Why these ships, submarines or missiles cannot lie like this, or None if they can."""
    match action:
        case HideFleet(spans):
            lying = ships(spans, sea.grid)
            return None if lying and sea.is_fleet(lying) else SAY("no.fleet")
        case HideSubmarines(names):
            known = all(name in sea.grid.names for name in names)
            if not known or not sea.are_submarines(state.fleet, tuple(map(sea.grid.number, names))):
                return SAY("no.submarines")
        case HideMissiles(texts):
            laid = missiles(texts, sea.grid)
            if laid is None or not sea.are_missiles(state.fleet, state.submarines, laid):
                return SAY("no.missiles")
    return None


def apply(sea: Sea, state: State, action: Any) -> tuple[State, tuple[Event, ...]]:
    """Hide them, and see whether there is room for what comes next."""
    match action:
        case HideFleet(spans):
            state = replace(state, fleet=ships(spans, sea.grid) or ())
            if not sea.count_submarines(state.fleet):
                return _again(state)
            return replace(state, phase=Phase.SUBMARINES), (SAY.event("T1g", "hidden"),)
        case HideSubmarines(names):
            state = replace(state, submarines=tuple(map(sea.grid.number, names)))
            if not sea.count_missiles(state.fleet, state.submarines):
                return _again(state)
            return replace(state, phase=Phase.MISSILES), ()
    laid = missiles(action.missiles, sea.grid) or ()
    return replace(state, phase=Phase.TURN, missiles=laid), (SAY.event("T3a", "ready"),)


def _again(state: State) -> tuple[State, tuple[Event, ...]]:
    """No room: everything is drawn anew (T2e)."""
    state = replace(state, phase=Phase.FLEET, tries=state.tries + 1, fleet=(), submarines=())
    return state, (SAY.event("T2e", "no_room"),)


Step = tuple[State, tuple[Event, ...]]

SMALL: Mapping[str, Any] = TABLES.presets["small"]
"""Options of a small map for lessons and tests: ``TaskForce(**SMALL)``."""


class TaskForce(Game[State, Action, Observation]):
    """Task Force, the search for a hidden fleet, for one captain."""

    name = "task-force"
    title = "Task Force"
    blurb = SAY.phrase("blurb")
    specs: ClassVar[tuple[OptionSpec, ...]] = TABLES.options
    hides = True

    def __init__(self, /, **options: Any) -> None:
        super().__init__(**options)
        keys = ("rows", "columns", "deep", "fleet", "submarines", "missiles")
        self.sea: Sea = sea(**{key: self.options[key] for key in keys})
        if any(self.options[spec.name] != spec.default for spec in self.specs if spec.name in keys):
            self._check_room()

    def _check_room(self) -> None:
        grid = self.sea.grid
        where = SAY("no.map", columns=grid.columns, deep=self.options["deep"], rows=grid.rows)
        if not possible(self.sea.waters):
            raise OptionError(SAY("no.too_small", map=where, fleet=self.options["fleet"]))
        if not self.sea.has_room():
            raise OptionError(SAY("no.no_room", map=where))

    def initial(self) -> State:
        return State(afloat=tuple(range(len(OWN))), anti_air=self.options["anti_air"],
                     strikes=self.options["strike_fighters"],
                     helicopters=(1, 2, 3) if self.options["helicopters"] else ())

    def turn(self, state: State) -> int:
        if state.phase in HIDING:
            return CHANCE
        return TERMINAL if state.phase is Phase.END else 0

    def legal(self, state: State) -> tuple[Action, ...]:
        names = self.sea.grid.names
        options: list[Action] = []
        if state.phase in (Phase.TURN, Phase.FLIGHT):
            options = [Scratch(name) for name in names]
        if state.phase is Phase.TURN:
            options += [Fly(number, names[s]) for number in state.helicopters for s in self.sea.grid.rim]
            options += [Strike(name) for name in names]
        return tuple(action for action in options if self.why_not(state, action) is None)

    def why_not(self, state: State, action: Action) -> str | None:
        if type(action) in HIDING.values():
            fits = type(action) is HIDING.get(state.phase)
            return why_not(self.sea, state, action) if fits else SAY("no.hidden")
        check = self._CHECKS.get(type(action))
        if check is None:
            return SAY("no.action", action=repr(action), game=self.title)
        if state.phase in HIDING:
            return SAY("no.hiding")
        if state.phase is Phase.END or (state.phase is Phase.FLIGHT and type(action) is not Scratch):
            return SAY("no.not_now", action=str(action), now=SAY(f"no.now.{state.phase}"))
        return check(self, state, action)  # type: ignore[no-any-return]

    def chance(self, state: State) -> Draw:
        kind = HIDING.get(state.phase)
        return draw(self.sea, state, lambda each: type(each) is kind and why_not(self.sea, state, each) is None)

    def apply(self, state: State, action: Action) -> Transition[State]:
        if reason := self.why_not(state, action):
            raise IllegalActionError(reason)
        if type(action) in HIDING.values():
            return Transition(*apply(self.sea, state, action))
        return Transition(*self._APPLY[type(action)](self, state, action))

    def observe(self, state: State, player: int) -> Observation:
        marks = self._contents(state)
        over = state.phase is Phase.END
        return Observation(self.sea, "".join(mark if state.seen(s) else UNSEEN for s, mark in enumerate(marks)),
                           state.phase, state.afloat, state.anti_air, state.strikes, state.helicopters, state.flying,
                           state.flight, state.fleet if over else (), marks if over else "")

    def outcome(self, state: State) -> Outcome | None:
        if state.phase is not Phase.END:
            return None
        won, left = state.result == "win", len(state.afloat)
        facts = {
            "won": won, "ships": left, "rank": TABLES.ranks.get(left, ""), "hits": self._hits(state),
            "scratched": state.scratched.bit_count(), "anti_air": state.anti_air
        }
        return Outcome((float(left),), state.result, self._report(state).text, facts)

    def parse_action(self, text: str) -> Action:
        return parse_action(text)

    def parse_state(self, text: str) -> State:
        return parse_state(text, self.sea)

    def format_state(self, state: State) -> str:
        return format_state(state, self.sea)

    # Why not ----------------------------------------------------------------------------------------------------

    def _number(self, name: str) -> int | None:
        """The number of a square, or None if there is no square of exactly that name."""
        names = self.sea.grid.names
        return names.index(name) if name in names else None

    def _no_square(self, name: str) -> str:
        return SAY("no.square", square=name, last=self.sea.grid.names[-1])

    def _why_not_scratch(self, state: State, action: Scratch) -> str | None:
        square = self._number(action.square)
        if square is None:
            return self._no_square(action.square)
        if state.seen(square):
            return SAY("no.scratched", square=action.square)
        if state.phase is Phase.FLIGHT and set(self.sea.grid.neighbours[square]).isdisjoint(state.flight):
            names = self.sea.grid.names
            open_ = ", ".join(names[s] for s in self._ahead(state))
            return SAY("no.flight", square=action.square, squares=open_)
        return None

    def _why_not_fly(self, state: State, action: Fly) -> str | None:
        if action.number not in (1, 2, 3):
            return SAY("no.number", number=action.number)
        if action.number not in state.helicopters:
            return SAY("no.flown", number=action.number)
        square = self._number(action.square)
        if square is None:
            return self._no_square(action.square)
        if square not in self.sea.grid.rim:
            return SAY("no.edge", square=action.square)
        return SAY("no.scratched", square=action.square) if state.seen(square) else None

    def _why_not_strike(self, state: State, action: Strike) -> str | None:
        if not state.strikes:
            return SAY("no.strike")
        square = self._number(action.square)
        if square is None:
            return self._no_square(action.square)
        if not state.seen(square):
            return SAY("no.centre", square=action.square)
        if all(map(state.seen, self.sea.grid.around[square])):
            return SAY("no.around", square=action.square)
        return None

    # What actions do --------------------------------------------------------------------------------------------

    def _scratch(self, state: State, action: Scratch) -> Step:
        square = self.sea.grid.number(action.square)
        if state.phase is Phase.FLIGHT:
            return self._fly_over(state, square)
        state, event = self._reveal(state, square)
        mark = self._contents(state)[square]
        if mark == SUBMARINE:
            target = state.afloat[-1]
            event = SAY.event("T6", "submarine", square=action.square, target=OWN[target])
            state = self._lose(state, target)
        elif mark in MISSILES:
            state, event = self._missile(state, action.square, MISSILES.index(mark))
        return self._after(state, event)

    def _missile(self, state: State, square: str, target: int) -> tuple[State, Event]:
        if target not in state.afloat:
            return state, SAY.event("T5a", "missile_void", square=square, target=OWN[target])
        if CRUISER in state.afloat and state.anti_air:
            state = replace(state, anti_air=state.anti_air - 1)
            return state, SAY.event("T5b", "missile_shot", square=square, target=OWN[target], left=state.anti_air)
        return self._lose(state, target), SAY.event("T5c", "missile_lost", square=square, target=OWN[target])

    def _fly(self, state: State, action: Fly) -> Step:
        take_off = SAY.event("T7a", "fly", number=action.number, square=action.square)
        left = tuple(n for n in state.helicopters if n != action.number)
        state = replace(state, phase=Phase.FLIGHT, flying=action.number, helicopters=left)
        state, events = self._fly_over(state, self.sea.grid.number(action.square))
        return state, (take_off, *events)

    def _fly_over(self, state: State, square: int) -> Step:
        state, event = self._reveal(state, square)
        state = replace(state, flight=(*state.flight, square))
        stop: tuple[Event, ...] = ()
        if self._contents(state)[square] not in (EMPTY, HIT):
            stop = (SAY.event("T7c", "flight_over"),)
        elif not self._ahead(state) and self._hits(state) < self.sea.waters.squares:
            stop = (SAY.event("T7c", "flight_stuck"),)
        if stop:
            state = replace(state, phase=Phase.TURN, flying=0, flight=())
        return self._after(state, event, *stop)

    def _strike(self, state: State, action: Strike) -> Step:
        centre = self.sea.grid.number(action.square)
        events = [SAY.event("T8", "strike", square=action.square)]
        state = replace(state, strikes=state.strikes - 1)
        for square in self.sea.grid.around[centre]:
            if not state.seen(square):
                state, event = self._reveal(state, square)
                events.append(event)
        return self._after(state, *events)

    # What follows -----------------------------------------------------------------------------------------------

    def _reveal(self, state: State, square: int) -> tuple[State, Event]:
        """Scratch off a square without anything that it may do to us."""
        name, mark = self.sea.grid.names[square], self._contents(state)[square]
        state = replace(state, scratched=state.scratched | 1 << square)
        if mark in (EMPTY, HIT):
            hit = mark == HIT
            return state, SAY.event("T4c" if hit else "T4b", "hit" if hit else "empty", square=name)
        rule = "T7c" if state.phase is Phase.FLIGHT else "T8"
        target = "" if mark == SUBMARINE else OWN[MISSILES.index(mark)]
        what = SAY.phrase("mark.missile" if target else "mark.submarine", target=target)
        return state, SAY.event(rule, "ignored", square=name, what=what)

    def _lose(self, state: State, ship: int) -> State:
        """One of our ships is gone, and with her what she carries (T3b)."""
        helicopters = tuple(n for n in state.helicopters if n + FIRST_DESTROYER - 1 != ship)
        strikes = 0 if ship == CARRIER else state.strikes
        afloat = tuple(s for s in state.afloat if s != ship)
        return replace(state, afloat=afloat, helicopters=helicopters, strikes=strikes)

    def _after(self, state: State, *events: Event) -> Step:
        """See whether the game is over."""
        won = self._hits(state) == self.sea.waters.squares
        if not won and state.afloat:
            return state, events
        state = replace(state, phase=Phase.END, flying=0, flight=(), result="win" if won else "loss")
        return state, (*events, self._report(state))

    def _report(self, state: State) -> Event:
        left = len(state.afloat)
        if state.result == "win":
            return SAY.event("T9a", "report.win", ships=left, rank=TABLES.ranks[left])
        return SAY.event("T9b", "report.loss", hits=self._hits(state), squares=self.sea.waters.squares)

    def _contents(self, state: State) -> str:
        return contents(self.sea.grid.size, state.fleet, state.submarines, state.missiles)

    def _hits(self, state: State) -> int:
        return sum(state.seen(s) for ship in state.fleet for s in ship)

    def _ahead(self, state: State) -> tuple[int, ...]:
        """The squares the helicopter in the air can go on to."""
        near = {n for s in state.flight for n in self.sea.grid.neighbours[s]}
        return tuple(s for s in sorted(near) if not state.seen(s))

    _CHECKS: ClassVar[dict[type, Any]] = {Scratch: _why_not_scratch, Fly: _why_not_fly, Strike: _why_not_strike}
    _APPLY: ClassVar[dict[type, Any]] = {Scratch: _scratch, Fly: _fly, Strike: _strike}
