"""Ready-made positions: a small sea for each mode and each rule of the escort automaton, to open in front of a class.

They are rows of the files in ``positions/``. A ship is written on one line, what is out of the ordinary after commas:
``"E1 flower M26 3, speed 3, hunts S1"`` is the escort E1, a Flower, with her bow on M26 on course 3.
So is a marker, with what laid it: ``"S1 contact Q33 2, sonar E1"``.
"""

from __future__ import annotations
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from navalkit.core.errors import DataError
from navalkit.core.files import Fields
from navalkit.core.trace import Decision, Fact, Finding, Mark, Option
from navalkit.grids.hex import Hex, assault_zone, radial_at, radials
from navalkit.grids.hex_moves import Place
from ..combat.damage import as_escorts_see
from ..data import read, words
from ..sea.combat_tables import COMBAT
from ..sea.scenario import as_place
from ..sea.state import Boat, Cause, Charge, Fleet, Hunt, Marker, MarkerKind, Phase, Role, State, Torpedo, Vessel, laid
from ..sea.tables import TABLES, WHY, Sea
from . import prolonged
from .automaton import EscortDecision, decide
from .manoeuvre import Leg
from .pattern import Placement, aim, next_to_move, waiting

# -- The decision behind any move of an escort, in every mode: what a stepper shows ----------------

SAY = words("explain.toml")
PROLONGED = 7


def explain(state: State, escort: str, sea: Sea) -> EscortDecision:
    """What an escort does in a state, and why.

    Parameters
    ----------
    state : State
        Of any phase: the answer is what she would do if she were to move. In the prolonged attack, her run.
    escort : str
        Her id.
    sea : Sea
        What stays the same: the decision rests on what escorts know under it.

    Returns
    -------
    EscortDecision
        As `decide` gives it.

    Raises
    ------
    KeyError
        If the state has no ship of that id.

    Examples
    --------
    >>> from navalkit.games.on_patrol import OnPatrol
    >>> from navalkit.games.on_patrol.escort.positions import find
    >>> explain(find("mode-1").state, "E1", OnPatrol().sea).mode
    1
    """
    runs = state.phase is Phase.END and state.moved[:1] == (escort,) and not state.todo
    if runs and state.marker(state.vessel(escort).hunt.boat) is not None:  # none if it is supposed to be gone
        return _run(state, escort)
    moved = tuple(id for id in state.moved if id != escort)
    return decide(as_escorts_see(replace(state, moved=moved), sea), escort)


def _run(state: State, escort: str) -> EscortDecision:
    """Her run in the prolonged attack (P1 to P3)."""
    ship, move = state.vessel(escort), prolonged.run(state)
    marker = state.marker(ship.hunt.boat)
    assert marker is not None, "she runs at a boat whose marker lies upright"
    target = aim(marker)
    zone = tuple(assault_zone(target, marker.place.direction))
    legs = tuple(Leg(place, "P3", "through") for place in move.path)
    weapons = _placements(legs, zone, move.charges)
    radial = radial_at(ship.place.bow, target)

    def finding(rule: str, key: str, label: str, at: tuple[Hex, ...], **facts: object) -> Finding:
        mark = Mark("cell", tuple(h.label for h in at), label)
        return Finding(rule, SAY.phrase(f"{key}.ask"), SAY.phrase(key, **facts), (Fact("board", key, (mark,)),))

    findings = (
        finding("P1", "mode", "marker", marker.place.hexes, boat=marker.boat, mode=PROLONGED),
        finding("P1", "order", "path", ship.place.hexes, escort=escort, value=TABLES.vessels[ship.type].value),
        finding("P2", "target", "target", (target,), target=target, out=prolonged.OUT),
        finding("P3", "run", "path", tuple(leg.place.bow for leg in legs), hexes=len(legs)),
        finding("P3", "weapons", "zone", tuple(w.at for w in weapons), weapons=len(weapons),
                covered=len({w.at for w in weapons})),
    )
    reason = SAY.phrase("summary", mode=PROLONGED, target=target, hexes=len(legs), weapons=len(weapons))
    return EscortDecision(move, escort, reason, findings, (Option(move),), escort=escort, mode=PROLONGED, marker=marker,
                          target=target, radial=radial,
                          distances=tuple((r, r.distance(ship.place.bow)) for r in radials(target)), speed=len(legs),
                          path=legs, intended=legs, weapons=weapons, zone=zone, hunt=ship.hunt)


def _placements(legs: tuple[Leg, ...], zone: tuple[tuple[int, Hex], ...],
                charges: tuple[Charge, ...]) -> tuple[Placement, ...]:
    """The charges of a run with the rank of their hexes, in the order in which they were placed."""
    ranks = {h: rank for rank, h in zone}
    count: dict[Hex, int] = {}
    placed = []
    for charge in charges:
        count[charge.at] = count.get(charge.at, 0) + 1
        step = min(range(len(legs)), key=lambda i: legs[i].place.stern.distance(charge.at)) + 1
        placed.append(Placement(charge.weapon, charge.at, ranks[charge.at], step, count[charge.at]))
    return tuple(placed)


ROLES = {"M": Role.MERCHANT, "C": Role.CAPITAL, "E": Role.ESCORT}
PHASES = {"escorts": Phase.ESCORTS, "end": Phase.END}
"""Phases in which escorts decide: their own, and the end of the last turn."""
ORDER = "105.4.5"  # the rule that says who moves next: it speaks before a decision, not in it


@dataclass(frozen=True, slots=True)
class Position:
    """A ready-made position."""

    id: str  # what a link names it by ("williamson-port")
    title: str  # what it shows
    about: str  # what to look for
    group: str  # the file it stands in: "modes", "steering", "avoiding" or "attacks"
    rule: str  # id of the rule it is there for
    says: str  # key of the sentence with which the rule answers; "" where the rule only rejects
    escort: str  # the escort that moves next and whose decision it is about
    state: State  # phase 3, or phase 10 in the prolonged attack, with that escort on turn

    @property
    def fires(self) -> bool:
        """Whether the decision really is by that rule; for the rule of the order, whether she is first of several."""
        if self.rule == ORDER:
            return len(waiting(self.state)) > 1 and next_to_move(self.state) == self.escort
        return (self.rule, self.says) in set(answers(self.decision))

    @property
    def decision(self) -> EscortDecision:
        """What she decides."""
        return explain(self.state, self.escort, Sea(self.state.package, self.state.year))


def answers(decision: Decision) -> Iterator[tuple[str, str]]:
    """Each rule that had a say in a decision with the key of its sentence, "" for a rule that rejected an option."""

    def said(finding: Finding) -> Iterator[tuple[str, str]]:
        yield finding.rule, next(str(fact.value) for fact in finding.facts if fact.name == "board")
        for child in finding.children:
            yield from said(child)

    for finding in decision.findings:
        yield from said(finding)
    for option in decision.options:
        if option.rule:
            yield option.rule, ""


@cache
def positions() -> Mapping[str, Position]:
    """All positions by id, in the order in which to show them."""
    found: dict[str, Position] = {}
    for group in ("modes", "steering", "avoiding", "attacks"):
        for row in read(f"positions/{group}.toml")["position"]:
            found[row["id"]] = position(row, group)
    return found


def find(name: str) -> Position:
    """The position of that id, or the first one there for that rule or that mode ("mode 3"); DataError for none."""
    known = positions()
    name = name.strip().lower()
    if name in known:
        return known[name]
    by_rule = (p for p in known.values() if name in (p.rule, p.rule.lower()))
    if first := next(by_rule, known.get(name.replace(" ", "-"))):
        return first
    raise DataError(WHY("positions.no_position_name", name=name[:60], known=next(iter(known)), rule=ORDER))


def position(row: Mapping[str, Any], group: str = "") -> Position:
    """A position from its row, checked.

    Raises
    ------
    DataError
        If a field is missing, wrong or unknown: the sentence names it.
    """
    f = Fields(row, f"position {row.get('id', '')}")
    guide = as_place(f, "guide", f.text("guide", "M20 3"))
    lines = f.take("ships", list, WHY("positions.list_ships_flower"))
    state = State(
        turn=f.whole("turn", range(1, 1000), 4),
        phase=PHASES[f.one_of("phase", PHASES, "escorts")],
        fleet=Fleet(guide, f.one_of("fleet", TABLES.fleet, "slow 1"), f.whole("die", range(0, 7), 3)),
        vessels=tuple(_vessel(f, line, guide) for line in lines),
        boats=tuple(_boat(f, line) for line in f.take("boats", list, WHY("positions.list_viic_depth"), [])),
        torpedoes=tuple(
            _torpedo(f, n, line) for n, line in enumerate(f.take("torpedoes", list, WHY("positions.list"), []), 1)
        ),
        charges=tuple(_charge(f, line) for line in f.take("charges", list, WHY("positions.list_depth_charge"), [])),
        markers=tuple(_marker(f, line) for line in f.take("markers", list, WHY("positions.list_contact"), [])),
        moved=tuple(f.take("moved", list, WHY("positions.list_ids"), [])),
        found=tuple(f.take("found", list, WHY("positions.list_boats_ids"), [])),
        package=f.one_of("package", TABLES.packages, "advanced"),
        year=f.whole("year", range(1939, 1946), 1943),
    )
    made = Position(id=f.text("id"), title=f.text("title"), about=f.text("about"), group=group, rule=f.text("rule"),
                    says=f.text("says", ""), escort=f.text("escort", "E1"), state=state)
    f.done()
    return made


def _words(f: Fields, field: str, line: object, least: int) -> tuple[list[str], dict[str, str]]:
    """The words of a line before its first comma, and what stands after it by name."""
    head, *rest = (part.strip() for part in str(line).split(","))
    words = head.split()
    if len(words) < least:
        raise DataError(WHY("positions.has_line_which", where=f.where, field=field, line=str(line)[:60]))
    return words, {name: value for name, _, value in (part.partition(" ") for part in rest)}


def _place(f: Fields, field: str, words: list[str]) -> Place:
    return as_place(f, field, " ".join(words[-2:]))


def _vessel(f: Fields, line: object, guide: Place) -> Vessel:
    words, more = _words(f, "ships", line, 4)
    id, type = words[0], words[1]
    if id[0] not in ROLES or type not in TABLES.vessels:
        raise DataError(WHY("positions.ships_has_which", where=f.where, id=id, type=type))
    place = _place(f, "ships", words)
    post = Hex.parse(more["post"]) if "post" in more else place.bow
    plan = tuple(as_place(f, "ships", text) for text in more["plan"].split("/")) if "plan" in more else ()
    hunt = Hunt(boat=more.get("hunts", ""), contact=tuple(more["holds"].split()) if "holds" in more else (),
                ring=int(more.get("ring", 0)), plan=plan, aim=Hex.parse(more["aim"]) if "aim" in more else None,
                ran=Hex.parse(more["ran"]) if "ran" in more else None)
    return Vessel(id, ROLES[id[0]], type, place, int(more.get("speed", 1)), hits=int(more.get("hits", 0)),
                  stopped="stopped" in more, station=more.get("station", id[1:] if id[0] == "E" else ""),
                  offset=Hex(post.q - guide.bow.q, post.r - guide.bow.r), hunt=hunt,
                  charges=int(more.get("one-ton", 0)))


def _boat(f: Fields, line: object) -> Boat:
    words, more = _words(f, "boats", line, 4)
    type = TABLES.boats[words[1]]
    return Boat(words[0], type.id, _place(f, "boats", words), int(more.get("depth", 150)), 2, type.hull)


def _torpedo(f: Fields, number: int, line: object) -> Torpedo:
    words, more = _words(f, "torpedoes", line, 3)
    at = _place(f, "torpedoes", words)
    return Torpedo(f"T{number}", more.get("type", next(iter(COMBAT.torpedoes))), words[0], *at, int(more.get("run", 3)))


def _charge(f: Fields, line: object) -> Charge:
    escort, *weapon, at = _words(f, "charges", line, 3)[0]
    return Charge(" ".join(weapon), escort, Hex.parse(at))


def _marker(f: Fields, line: object) -> Marker:
    words, more = _words(f, "markers", line, 4)
    marker = laid(words[0], MarkerKind(words[1]), _place(f, "markers", words))
    causes = (marker._replace(cause=cause, by=tuple(more[cause].split())) for cause in Cause if cause in more)
    return next(causes, marker)
