"""The table at which house and referee meet over On Patrol: whole hunts, followed from turn 1 by its own memory."""

from __future__ import annotations
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from importlib.resources import files
from typing import Any

import numpy as np

import navalkit as nk
from navalkit.core.errors import OptionError
from navalkit.core.game import CHANCE, TERMINAL
from navalkit.games.on_patrol.sea.state import Order, Shot
from . import on_patrol as op, patrol_hunt as hunt, patrol_rolls as rolls, patrol_sea
from .driver import Disagreement
from .exercised import by

SCENARIOS = ("carrier-group", "fast-carrier", "hunter-group", "lone-merchant", "night-convoy", "small-convoy",
             "three-boats", "wolf-pack")  # fmt: skip
WALKERS = ("bold", "sly", "wild", "deep")
"""How a hunt's captain chooses among the orders that come to mind: see `_orders`."""


# A state of the house, as it stands -----------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """A state's fields by name, all of them, down to numbers and words; hexes and places as pairs."""
    kind = type(value).__name__
    if kind in ("Hex", "Place"):
        return tuple(map(plain, value))
    if isinstance(value, Enum):
        return value.value
    if hasattr(value, "_fields"):
        return {name: plain(getattr(value, name)) for name in value._fields}
    if is_dataclass(value):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    return value


def differences(house: Any, referee: Any, at: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two sides of a comparison part: the field, and what either says."""
    if isinstance(house, dict) and isinstance(referee, dict) and house.keys() == referee.keys():
        for key in house:
            yield from differences(house[key], referee[key], f"{at}.{key}" if at else key)
    elif isinstance(house, list) and isinstance(referee, list) and len(house) == len(referee):
        for one, other in zip(house, referee, strict=True):
            yield from differences(one, other, at)
    elif house != referee or type(house) is not type(referee) and not isinstance(house, int):
        yield at, house, referee


# What is played -------------------------------------------------------------------------------------------------


def _options(rng: np.random.Generator) -> dict[str, Any]:
    kind = rng.random()
    scenario = str(rng.choice(SCENARIOS)) if kind < 0.5 else _own(rng)
    options = {"scenario": scenario, "base_course": bool(rng.random() < 0.2)}
    return options | ({"package": str(rng.choice(["basic", "optional", "advanced"]))} if rng.random() < 0.6 else {})


def _own(rng: np.random.Generator) -> str:
    """A scenario that nobody wrote: ships of any kinds and numbers, boats near them, some of them known already."""
    def some(kinds: list[str], low: int, high: int) -> list[str]:
        return [str(rng.choice(kinds)) for _ in range(int(rng.integers(low, high + 1)))]

    kinds: dict[str, list[str]] = {}
    for name, row in patrol_sea.FIGURES["vessel"].items():
        kinds.setdefault(row["role"], []).append(name)
    merchants = some([k for k in kinds["merchant"] if k != "coaster"], 0, 14 if rng.random() < 0.5 else 4)
    ships = merchants + (some(kinds["capital"], 1, 4) if rng.random() < 0.4 else [])
    if rng.random() < 0.1:
        merchants = ships = some(["tramp", "tanker"], 12, 12)
    escorts = some(kinds["escort"], 0 if ships else 1, 10 if rng.random() < 0.2 else 5)
    tankers = [n for n, kind in enumerate(merchants, 1) if kind in ("tanker", "t2")]
    fuel = [n for n in tankers if rng.random() < 0.4]
    speed = "fast" if not ships else rng.choice(["slow", "fast"])
    lines = [
        'title = "own"', f"date = {int(rng.integers(1941, 1946))}-05-01",
        f'package = "{rng.choice(["basic", "advanced"])}"',
        f"night = {str(bool(rng.random() < 0.5)).lower()}", f"turns = {int(rng.integers(8, 31))}", "points = 6",
        f'speed = "{speed}"', f"ships = {ships}", f"escorts = {escorts}",
        f"fuel = {fuel}", f"away = {int(rng.choice([0, 5]))}",
    ]
    if not ships:
        course = int(rng.integers(1, 7))
        lines.append(f"places = {[f'{_label(8 * n)}20 {course}' for n in range(len(escorts))]}")
    if rng.random() < 0.5:
        lines.append('edges = { north = -10, south = 70, east = "CA", west = "-T" }')
    for _ in range(int(rng.integers(1, 4))):
        lines += ["[[boat]]", f'type = "{rng.choice(["viic", "ixc", "t-class"])}"',
                  f'place = "{_label(int(rng.integers(0, 34)))}{int(rng.integers(16, 50))} {int(rng.integers(1, 7))}"',
                  f"depth = {25 * int(rng.integers(0, 13))}"]
        if rng.random() < 0.5:
            lines.append(f'marker = "{rng.choice(["contact", "torpedo", "inverted", "surfaced", "visible"])}"')
    return "\n".join(lines).replace("'", '"')


def _flight(rng: np.random.Generator) -> str:
    """Capital ships alone on a small map, with a boat near enough to put them to flight, which seldom happens else."""
    kinds = ["carrier", "kongo", "prinz-eugen", "ajax"]
    ships = [str(rng.choice(kinds)) for _ in range(int(rng.integers(1, 4)))]
    escorts = [str(rng.choice(["fubuki", "fletcher", "captain"])) for _ in range(int(rng.integers(0, 4)))]
    lines = [
        'title = "flight"', "date = 1943-05-01", 'package = "advanced"', "night = false", "turns = 30", "points = 6",
        'speed = "fast"', f"ships = {ships}", f"escorts = {escorts}",
        'edges = { north = -12, south = 52, east = "BA", west = "-Z" }', "[[boat]]", 'type = "gato"', "depth = 50",
        f'place = "{_label(int(rng.integers(8, 30)))}{int(rng.integers(18, 34))} {int(rng.integers(1, 7))}"',
    ]
    return "\n".join(lines).replace("'", '"')


def _night(rng: np.random.Generator) -> str:
    """Tankers by night, and boats among them on the surface or at 25 ft: what burns, and who is seen by it."""
    ships = [str(rng.choice(["tanker", "t2", "tanker", "tramp"])) for _ in range(int(rng.integers(2, 6)))]
    fuel = [n for n, kind in enumerate(ships, 1) if kind != "tramp" and rng.random() < 0.5]
    escorts = [str(rng.choice(["trawler", "castle"])) for _ in range(int(rng.integers(0, 3)))]
    lines = [
        'title = "night"', "date = 1943-05-01", f'package = "{rng.choice(["optional", "advanced"])}"', "night = true",
        "turns = 24", "points = 6", 'speed = "slow"', f"ships = {ships}", f"escorts = {escorts}", f"fuel = {fuel}",
    ]
    for _ in range(2):
        lines += ["[[boat]]", 'type = "viic"', f"depth = {25 * int(rng.integers(0, 2))}",
                  f'place = "{_label(int(rng.integers(2, 28)))}{int(rng.integers(26, 40))} {int(rng.integers(1, 7))}"']
    return "\n".join(lines).replace("'", '"')


def _last(rng: np.random.Generator) -> str:
    """A few turns of escorts about a boat in contact: the prolonged attack comes soon."""
    kinds = [kind for kind, row in patrol_sea.FIGURES["vessel"].items() if row["role"] == "escort"]
    return _hunters(rng, kinds, int(rng.integers(4, 9)))


def _pack(rng: np.random.Generator) -> str:
    """Escorts that throw ahead, all about the same boats, which may be deep."""
    return _hunters(rng, ["captain", "buckley", "black-swan", "loch", "fletcher"], 25)


def _hunters(rng: np.random.Generator, kinds: list[str], turns: int) -> str:
    escorts = [str(rng.choice(kinds)) for _ in range(int(rng.integers(2, 6)))]
    course = int(rng.integers(1, 7))
    lines = [
        'title = "hunters"', "date = 1944-05-01", f'package = "{rng.choice(["basic", "advanced"])}"',
        f"night = {str(bool(rng.random() < 0.5)).lower()}", f"turns = {turns}", "points = 6",
        'speed = "fast"', "ships = []", f"escorts = {escorts}",
        f"places = {[f'{_label(8 * n)}20 {course}' for n in range(len(escorts))]}",
    ]
    for _ in range(int(rng.integers(1, 3))):
        lines += ["[[boat]]", 'type = "viic"', f"depth = {25 * int(rng.integers(0, 21))}", 'marker = "contact"',
                  f'place = "{_label(int(rng.integers(2, 28)))}{int(rng.integers(24, 32))} {int(rng.integers(1, 7))}"']
    return "\n".join(lines).replace("'", '"')


def _label(column: int) -> str:
    return chr(65 + column) if column < 26 else chr(64 + column // 26) + chr(65 + column % 26)


RARE = {5: _pack, 7: _last, 8: _night, 9: _flight}
"""By the last digit of a hunt's seed, what would seldom come up else."""


def _scenario(text: str) -> dict[str, Any]:
    if "=" in text:
        return tomllib.loads(text)
    folder = files("navalkit.games.on_patrol") / "data" / "scenarios"
    return tomllib.loads((folder / f"{text}.toml").read_text(encoding="utf-8"))


def _orders(sea: dict[str, Any], boat: dict[str, Any], rng: np.random.Generator, walker: str) -> Iterator[Order]:
    """Orders that come to mind, some of them impossible; the last is always possible."""
    near = _near(boat["place"], sea)
    for _ in range(14):
        surfaced = boat["depth"] == 0
        hexes = int(rng.integers(0, 4 if surfaced else 3))
        turns = [0] * hexes
        for n in range(hexes):
            if rng.random() < 0.35:
                turns[n] = int(rng.choice([-1, 1]))
        drift = {"bold": -25, "sly": 0, "wild": 0, "deep": 25}[walker] if rng.random() < 0.6 else 0
        depth = max(0, boat["depth"] + drift + 25 * int(rng.integers(-2, 3)) * bool(rng.random() < 0.5))
        if walker == "sly" and rng.random() < 0.6:
            depth = 50 if boat["depth"] > 50 else 75
        if rng.random() < 0.02:
            depth += int(rng.choice([10, 75, 600]))
        shots = ()
        if rng.random() < (0.25 if boat["depth"] <= 100 else 0.02):
            course = near if rng.random() < 0.7 else int(rng.integers(1, 7))
            number, type_ = int(rng.integers(1, 5)), "" if rng.random() < 0.9 else str(rng.choice(["G7e", "Mk14"]))
            shots = (Shot(number, course, type_),)
        yield Order(boat["id"], tuple(turns), int(depth), shots)
    yield Order(boat["id"], (), int(boat["depth"]))
    yield Order(boat["id"], (0,), int(min(600, boat["depth"] + 25)))


def _near(place: Any, sea: dict[str, Any]) -> int:
    """The course nearest to the bearing of the nearest ship."""
    ships = [s["place"][0] for s in sea["ships"].values() if not s["sunk"]]
    if not ships:
        return 1
    to = min(ships, key=lambda cell: op.far(place[0], cell))
    return 1 + int(round(op.bearing(place[0], to) / 60 - 1)) % 6 if to != place[0] else 1


# A hunt ---------------------------------------------------------------------------------------------------------


class Hunt:
    """One hunt of the house, and the referee's own beside it.

    Raises
    ------
    Disagreement
        Where the two part: about what, the position before, the action, and what either says.
    """

    def __init__(self, seed: int, watch: Callable[[Any, Any, dict[str, Any], Any], None] | None = None) -> None:
        self.rng = np.random.default_rng([seed, 9])
        self.house, scenario = self._load(seed)
        self.where = f"{self.house!r} seed {seed}"
        self.watch = watch
        self.state = self.house.initial()
        self.sea = hunt.new_hunt(_scenario(scenario), self.house.options["package"], self.house.options["base_course"])
        self.walker = WALKERS[int(self.rng.integers(len(WALKERS)))]
        self.agreed: Counter[str] = Counter()
        self._compare("")

    def _load(self, seed: int) -> tuple[Any, str]:
        while True:
            rare = RARE.get(seed % 10)
            options = {"scenario": rare(self.rng)} if rare else _options(self.rng)
            try:
                house = nk.load("on-patrol", **options)
            except OptionError:
                continue
            return house, options["scenario"]

    def play(self, longest: int) -> None:
        """To the end, or ``longest`` positions."""
        for _ in range(longest):
            if not self.step():
                return

    def step(self) -> bool:
        """One action; False if the hunt is over."""
        by_house = self.house.turn(self.state)
        turn = hunt.on_turn(self.sea)
        self._same("whose turn it is", {CHANCE: "chance", TERMINAL: "over"}.get(by_house, by_house), turn)
        if by_house == TERMINAL:
            outcome = self.house.outcome(self.state)
            own = hunt.result(self.sea), hunt.points(self.sea)
            self._same("how it ended", (outcome.result, outcome.scores[0]), own)
            return False
        if by_house == CHANCE:
            draw = self.house.chance(self.state)
            odds = {action.result: p for action, p in draw.items()}
            self._same("what chance may do", odds, rolls.chances(self.sea, self.sea["todo"][0]))
            action = draw.pick(int(self.rng.integers(2**40)))
            self._do(action, lambda: hunt.roll(self.sea, action.result))
        elif by_house == 1:
            (action,) = self.house.legal(self.state)
            if self.watch:
                self.watch(self.house, self.state, self.sea, action)
            way = tuple((tuple(place.bow), place.direction) for place in action.path)
            charges = [(charge.weapon, tuple(charge.at)) for charge in action.charges]
            after = self.house.apply(self.state, action)
            left = next((v.hunt.plan for v in after.state.vessels if v.id == action.escort), ())
            plan = tuple((tuple(place.bow), place.direction) for place in left)
            self._do(action, lambda: hunt.move(self.sea, action.escort, way, charges, plan, self._same), after)
        else:
            action = self._order()
            shots = [tuple(shot) for shot in action.shots]
            self._do(action, lambda: hunt.order(self.sea, action.boat, action.turns, action.depth, shots))
        return True

    def _order(self) -> Order:
        """A random order; house and referee agree on each that comes to mind whether it may be given."""
        boat = self.sea["boats"][hunt.next_boat(self.sea)]
        for order in _orders(self.sea, boat, self.rng, self.walker):
            shots = [tuple(shot) for shot in order.shots]
            may = rolls.may_order(self.sea, boat, order.turns, order.depth, shots)
            why = self.house.why_not(self.state, order)
            self._same(f"whether {order} may be given", (why is None) or why, True if may else why or "no")
            if may:
                return order
        return self.house.legal(self.state)[0]

    def _do(self, action: Any, play: Callable[[], None], after: Any = None) -> None:
        self.action = action
        after = after or self.house.apply(self.state, action)
        self.after = after.state
        told = [event for event in after.events if event.kind == "star_shells"]
        self.sea["lit by"] = []
        play()
        self._same("who fires star shells", len(told), len(self.sea["lit by"]))
        for event, fit in zip(told, self.sea["lit by"], strict=True):
            self._same("who fires star shells", event.facts["escort"] in fit or event.facts["escort"], True)
        self.state = after.state
        self._compare(type(action).__name__.lower())
        self.agreed["positions"] += 1

    def _compare(self, verb: str) -> None:
        for field, house, referee in differences(plain(self.state), hunt.shown(self.sea)):
            self._same(f"{field} after {verb}" if verb else f"{field} at the start", house, referee)
        if self.rng.random() < 0.05:
            seen = [boat.id for boat in self.house.observe(self.state, 1).boats]
            own = [name for name, boat in self.sea["boats"].items() if rolls.seen(self.sea, boat) is not None]
            by("100")
            self._same("what escorts see", seen, own)

    def _same(self, about: str, house: Any, referee: Any) -> None:
        if about.startswith("whether "):
            about, order = "whether an order may be given", about
            if house != referee:
                house = f"{order}: {house}"
        else:
            order = ""
        self.agreed[about] += 1
        if house != referee:
            position = f"{self.where}: {self.house.format_state(self.state)}\n  action: {getattr(self, 'action', '')}"
            raise Disagreement(about, position, house, referee)


def agree_on_hunts(hunts: int, seed: int = 0, longest: int = 700) -> Counter[str]:
    """Follow that many random hunts; what was compared, counted by kind."""
    agreed: Counter[str] = Counter()
    for number in range(seed, seed + hunts):
        one = Hunt(number)
        one.play(longest)
        agreed += one.agreed
    print(f"on-patrol: house and referee agree over {agreed['positions']:,} positions of {hunts} hunts: {dict(agreed)}")
    return agreed
