"""What the page of Fleet Action says: board and conning panel, orders, what all fire would do, the damage sheets."""

from __future__ import annotations
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from navalkit.core.match import Match
from navalkit.core.trace import Decision
from navalkit.core.words import Event
from navalkit.grids.square import HEADINGS, distance
from navalkit.view.art import hull, squares, svg
from navalkit.view.film import Effect
from navalkit.view.page import Aims, Camp, Chart, Look, Moment, Order, Page, Table, gravest, override
from navalkit.view.scene import Picks, Scene
from .. import sight
from ..cards import BATTERIES, points as card_points
from ..craft import Attack, Fly, Land, Launch, Patrol, Range, Seek
from ..game import FleetAction
from ..notation import split_orders
from ..prospects import full_fire, guns_on, left, prospect
from ..rules import flying, play
from ..rules.firing import failing
from ..rules.gunnery import torpedo_reaches
from ..sight import Observation
from ..state import Action, Done, Fate, Guns, Move, Objective, Phase, Scenario, Task, Torpedoes, Turret
from . import SAY, percent, points
from .afloat import first, window
from .choice import (
    Sight,
    away,
    by_unit,
    choose,
    foe_id,
    furthest,
    located,
    places,
    prices,
    targets,
    unit_id,
    unit_ships,
    units,
    who,
)
from .conn import middle, scene, track, whole
from .effects import FIRES, Row, effects, sheet, sheets
from .forecast import Fleet, fire_reason, fleet_orders, foretold, gain, search
from .helm import Special, attack_words, called, calling, flight_words, held, search_words, special_words, weapon_words
from .pieces import SIDE_COLOURS

MANY_MOVES = 3  # more moves than these are told as how many ships made them
FEW_BARS = 3  # over more bars than these stands the mean damage alone
_QUIET = {"ordered", "stayed", "clear", "first", "quarter", *FIRES}
_WEATHER = "rough", "fog"  # told by number of zone, which no board shows
_GRAVE = ("sunk", "forced", "screws", "turret")
_FLOWN = {Range: "range", Launch: "launch", Patrol: "patrol", Attack: "attack", Land: "land"}
_FEW = 2  # of a flight's orders of one kind, and of a hunter's, that have a button
_DECIDED = (Phase.MOVE, Phase.FLY, Phase.FIRE, Phase.TURRETS)
_FIRED, _FLEW = Guns | Torpedoes | Seek, Range | Launch | Fly | Patrol | Attack | Land


def _range(seen: Observation, ship: int, other: int) -> int:
    """Squares between two ships."""
    ships = seen.view.ships
    return distance(seen.battle.grid, ships[ship].square, ships[other].square)


class FleetPage(Page[FleetAction, Observation, Action]):
    """The page of Fleet Action."""

    example = "Exeter: G6 E; guns Graf Spee"
    adviser = "admiral"
    seats = ("", "admiral")
    pattern = MappingProxyType({"quarter": "🟨", "sunk": "🟥", "captured": "🟦"})
    languages = SAY.languages
    hovers = draws_reasons = prints_sheets = True
    thumb_rows = 0

    @override
    def scene(self, glance: Sight, look: Look) -> Scene:
        return scene(glance, look)

    @override
    def map(self, glance: Sight) -> Scene:
        return whole(glance.seen)

    @override
    def frame(self, glance: Sight, look: Look) -> int | None:
        """The same window while it shows the ship to be ordered and whom she looks at."""
        seen, choice = glance.seen, choose(glance, look.picks)
        wanted = middle(seen, choice)
        if choice.look is not None:
            return wanted

        def shows(at: int | None, ships: Iterable[int | None]) -> bool:
            w = window(seen.battle.grid, look.tall, at, look.room, look.hole, first(seen), look.still)
            squares = (seen.view.ships[n].square for n in ships if n is not None)
            return all(w.holds(square) for square in squares if square >= 0)

        own, now = choice.ships[:1], look.window
        if isinstance(now, int) and shows(now, (*own, choice.foe)):
            return now
        if own and first(seen) and not shows(wanted, own):  # no picture of all sides has room for her
            return seen.view.ships[own[0]].square
        return wanted

    @override
    def players(self, game: FleetAction) -> tuple[str, ...]:
        return game.battle.sides

    @override
    def now(self, glance: Sight) -> str:
        seen = glance.seen
        battle, state = seen.battle, seen.view
        if state.phase is Phase.END:
            return SAY("now.end")
        if state.side != seen.me or state.phase not in _DECIDED:
            return SAY("now.wait", side=battle.sides[state.side])
        if state.phase is Phase.TURRETS:
            return SAY("now.turrets", ship=battle.units[failing(battle, state)[0]].name)
        afloat = [state.ships[n] for n in battle.fleet(seen.me) if state.ships[n].fate is Fate.AT_SEA]
        waiting = sum(ship.task is Task.NONE for ship in afloat)
        if state.phase is Phase.FIRE:
            waiting = len([unit for unit in by_unit(glance) if unit in battle.numbers])
        if state.phase is Phase.FLY:
            waiting = len(by_unit(glance))
        return SAY(f"now.{state.phase}", side=f"the {battle.sides[seen.me]}", n=waiting, of=len(afloat))

    @override
    def happened(self, events: Sequence[Event]) -> str:
        """Fire target by target, many moves as their number."""
        moves = [event.facts["ship"] for event in events if event.kind == "moved"]
        ships = len(set(moves))
        many = len(moves) > MANY_MOVES and ships > 1
        fires = [event for event in events if event.kind in FIRES]
        orders = [event.text for event in events if event.kind == "ordered"]
        parts = [] if len(events) > len(orders) else orders
        parts += [SAY("happened.moved", n=ships)] * many
        for target in dict.fromkeys(event.facts["target"] for event in fires):
            shots = [event.facts for event in fires if event.facts["target"] == target]
            names = ", ".join(dict.fromkeys(shot["ship"] for shot in shots))
            hits, damage = (sum(shot[key] for shot in shots) for key in ("hits", "points"))
            parts.append(SAY("happened.fire", target=target, ships=names, hits=hits, damage=damage))
        quiet = _QUIET | ({"moved"} if many else set())
        return " ".join((*parts, *(event.text for event in events if event.kind not in quiet)))

    @override
    def headline(self, events: Sequence[Event]) -> str:
        """All who sank, or lost a turret; or whose fire did what; or who moved; or who has done moving."""
        if event := gravest(events, _GRAVE):
            alike = [other.facts for other in events if other.kind == event.kind]
            ships = ", ".join(dict.fromkeys(str(facts["ship"]) for facts in alike))
            several = ".several" if len(alike) > 1 else ""
            return SAY(f"headline.{event.kind}{several}", **{**event.facts, "ships": ships, "n": len(alike)})
        done = Counter[tuple[str, str]]()
        for event in events:
            if event.kind in (*FIRES, "bombs"):
                by = event.facts["flight" if event.kind == "bombs" else "ship"]
                done[by, event.facts["target"]] += event.facts["points"]
        if len(hits := +done) > 1:
            hurt = Counter[str]()
            for (_, target), points in hits.items():
                hurt[target] += points
            each = [SAY("headline.fire.target", target=target, points=points) for target, points in hurt.most_common()]
            return SAY("headline.fire.several", targets=", ".join(each))
        if done:
            (ship, target), points = done.most_common(1)[0]
            aloft = any(event.kind == "bombs" and event.facts["flight"] == ship for event in events)
            key = "headline.fire" if points else "headline.wide.air" if aloft else "headline.wide"
            return SAY(key, ship=ship, target=target, points=points)
        moved = [event for event in events if event.kind.partition(".")[0] == "moved"]
        if (n := len({event.facts["ship"] for event in moved})) > 1:
            return SAY("headline.moved", n=n)
        moved = moved[-1:]  # of several moves of one ship the last
        told = next((SAY(f"headline.{event.kind}") if event.kind in _WEATHER else event.text
                     for event in (*moved, *events) if event.kind not in _QUIET), "")
        ordered = [event for event in events if event.kind == "ordered"]
        stayed = [event.text for event in events if event.kind == "stayed"]
        if ordered and not told:
            hunt = ".hunt" if ordered[-1].rule == "F50" else ""
            return SAY(f"headline.ordered{hunt}", **ordered[-1].facts)
        return told or (stayed[-1] if stayed else "")

    @override
    def aims(self, glance: Sight) -> Aims:
        battle, state, me = glance.seen.battle, glance.seen.view, glance.seen.me
        return Aims((_camp(glance.seen, me), _camp(glance.seen, 1 - me)),
                    SAY("strip.move", move=min(state.move, battle.moves), moves=battle.moves),
                    SAY("strip.moves.total" if battle.total else "strip.moves", n=battle.total))

    @override
    def opening(self, glance: Sight) -> str:
        """What brings most, and in how many moves; and what else brings points."""
        battle, me = glance.seen.battle, glance.seen.me
        own = [aim for aim in battle.objectives if aim.side == me]
        if not own:
            return ""
        best = max(own, key=lambda aim: _price(battle, aim))
        place = battle.exit_names[me] or SAY("strip.exit.place")
        key = f"opening.{best.aim}{away(battle, best)}"
        parts = [SAY(key, name=_names(battle, best), place=place, moves=battle.moves)]
        if others := [prices(battle, aim) for aim in own if aim is not best]:
            parts.append(SAY("opening.also", aims=", ".join(others)))
        if battle.total:
            parts.append(SAY("opening.total", n=battle.total))
        return " ".join(parts)

    @override
    def why(self, game: FleetAction, match: Match, me: int) -> str:
        """The objective that brought the winner most, by its ship or island, or by all aircraft together."""
        battle, state = game.battle, match.state
        won = play.winner(state)
        found = [(points, aim, n) for aim in battle.objectives if won in (aim.side, -1)
                 for points, n in play.parts(battle, state, aim)]
        points, best, of = max(found, key=lambda each: each[0], default=(0, None, 0))
        if best is None or not points:
            return ""
        about = {"island": battle.islands, "aircraft": ()}.get(best.aim, battle.units)
        name = about[of].name if about else battle.sides[1 - best.side]
        place = battle.exit_names[best.side] or SAY("strip.exit.place")
        sunk = best.aim == "damage" and state.ships[of].fate is Fate.SUNK
        each = best.points or play.value(battle, of)
        left = ".away" if best.aim == "survive" and state.ships[of].fate is Fate.LEFT else ""
        return SAY("why.sunk" if sunk else f"why.{best.aim}{left}", name=name, place=place, points=points,
                   n=points // each, each=each, side=battle.sides[best.side])

    @override
    def guide(self, glance: Sight) -> str:
        """What counts, what one sees here, and what to think of."""
        seen = glance.seen
        battle, state = seen.battle, seen.view
        if state.side != seen.me or state.phase not in _DECIDED:
            return ""
        parts = [SAY(f"guide.{state.phase}")]
        if any(isinstance(order, Seek) for order in glance.legal):
            parts.append(SAY("guide.fire.hunt"))
        if state.phase is Phase.FLY and (fog := held(seen)):
            parts.insert(0, fog)
        parts += [SAY("order.call.help", n=wait) for order in glance.legal if (wait := called(seen, order))][:1]
        if state.phase is Phase.MOVE:
            if any(isinstance(order, Move) and order.depth for order in glance.legal):
                parts.insert(0, SAY("guide.move.boat"))
            if state.move == 1:
                parts = [aims(battle, seen.me), *parts, SAY("guide.move.look")]
            if any(ship.loaded for ship in state.ships):
                parts.append(SAY("guide.move.torpedoes"))
            if sight.is_screened(battle, state.move):
                parts.append(SAY("guide.move.screen", n=battle.screened))
            elif sight.is_night(battle, state.move):
                parts.append(SAY("guide.move.night"))
        if state.phase is Phase.FIRE and any(
            state.ships[n].loaded for n in battle.fleet(seen.me) if state.ships[n].fate is Fate.AT_SEA
        ):
            parts.append(SAY("guide.fire.torpedoes"))
        return " ".join(parts)

    # Orders -----------------------------------------------------------------------------------------------------

    @override
    def orders(self, glance: Sight) -> Sequence[Order]:
        """A few for each ship; every other is on the board, on the panel, or typed."""
        by_name, phase = glance.once(by_unit), glance.seen.view.phase
        if not glance.legal:
            return ()
        give = {Phase.MOVE: _moves, Phase.FLY: _flights, Phase.FIRE: _fires, Phase.TURRETS: _turrets}[phase]
        battle = glance.seen.battle
        own = (name for name in (*units(battle, glance.seen.me), *battle.wings) if name in by_name)
        # Without boats and aircraft a few ships are ordered one by one, and looked over before they fire.
        many = bool(battle.boats or battle.flights)
        fleets = [_fleet(glance, each) for each in (fleet_orders(glance.seen, glance.legal) if many else ())]
        kinds = [order.action.kind for order in fleets]  # a phone has room for the first of a kind
        found = [replace(order, on_board=kinds[n] in kinds[:n]) for n, order in enumerate(fleets)]
        # What is one ship's, or one flight's, the panel gives as well, once she is the chosen one.
        found += [replace(order, on_board=True) for name in own for order in give(glance, name, by_name[name])]
        if Done() in glance.legal:
            found.append(Order(Done(), SAY(f"order.done.{phase}"), "", SAY(f"order.done.{phase}.help"), "done"))
        return tuple(found)

    @override
    def together(self, glance: Sight, action: Action) -> str:
        return SAY("order.done.fire") if isinstance(action, Guns | Torpedoes | Seek) else ""

    @override
    def unfold(self, glance: Sight, action: Action | Fleet) -> Sequence[Action]:
        return action.orders if isinstance(action, Fleet) else (action,)

    @override
    def spoken(self, glance: Sight, action: Action) -> str:
        if isinstance(action, Move):
            key = f"move.alt.{action.depth}" if action.depth else "move.alt"
            return SAY(key, unit=action.who, square=action.square, heading=action.heading)
        if isinstance(action, _FLEW):
            return f"{action.flight}: {flight_words(glance.seen, action)}"
        if isinstance(action, Guns | Torpedoes) and action not in (order.action for order in glance.once(self.orders)):
            return SAY("order.weapon", ship=action.ship, what=weapon_words(action), target=action.target)
        return super().spoken(glance, action)

    @override
    def because(self, glance: Sight, decision: Decision[Action]) -> str:
        """How many guns bear, at what range, what is left of her, and whether she has still to move."""
        seen, action = glance.seen, decision.action
        battle, state = seen.battle, seen.view
        if isinstance(action, Guns | Torpedoes):
            return fire_reason(seen, action)
        ships = unit_ships(seen, action.who) if isinstance(action, Move) else ()
        foes = [n for n in located(seen, 1 - seen.me) if state.ships[n].fate is Fate.AT_SEA]
        plain = not ships or not foes or not isinstance(action, Move)
        if plain or battle.card(ships[0]).boat or battle.card(ships[0]).deck:  # guns are not what they go by
            return super().because(glance, decision)
        assert isinstance(action, Move)
        ship, square, heading = ships[0], battle.grid.number(action.square), HEADINGS.index(action.heading)
        foe = min(foes, key=lambda n: (distance(battle.grid, square, state.ships[n].square), n))
        at, there = state.ships[foe], replace(state.ships[ship], square=square, heading=heading)
        moved = replace(state, ships=tuple(there if n == ship else each for n, each in enumerate(state.ships)))
        mine = guns_on(battle, state, ship, square, heading, foe)
        theirs = guns_on(battle, moved, foe, at.square, at.heading, ship)
        facts = {"ship": battle.units[ship].name, "foe": battle.units[foe].name, "square": action.square,
                 "n": distance(battle.grid, square, at.square), "before": _range(seen, ship, foe), "mine": mine,
                 "theirs": theirs}
        if not mine and distance(battle.grid, square, at.square) >= _range(seen, ship, foe):  # none of it speaks for it
            return super().because(glance, decision)
        key = "bear" if mine and theirs else "cross" if mine else "under" if theirs else "closes"
        torpedoes = any(at.loaded >> n & 1 and torpedo_reaches(battle, moved, foe, n, ship)
                        for n in range(len(battle.card(foe).torpedoes)))
        more = [name for name, so in (("torpedoes", torpedoes), ("later", state.side == state.first)) if so]
        return " ".join(SAY(f"because.{each}", **facts) for each in (key, *more))

    @override
    def lit(self, glance: Sight, look: Look, scene: Scene, action: Action) -> Sequence[str]:
        """The cell that gives it, or else what is picked before: the ship, and then the square or the target."""
        choice, unit = choose(glance, look.picks), who(action)
        found = super().lit(glance, look, scene, action)
        if found or not unit:
            return found
        if unit != choice.unit:
            ships, names = unit_ships(glance.seen, unit), glance.seen.battle.grid.names
            if unit in glance.seen.battle.wings:
                return [unit_id(unit)]
            return [unit_id(unit), *(names[glance.seen.view.ships[n].square] for n in ships[:1])]
        if isinstance(action, Move) and action.depth != (choice.depth or ""):
            return [f"depth {action.depth or glance.seen.view.ships[choice.ships[0]].depth}"]
        if isinstance(action, Patrol):
            guarded = glance.seen.view.ships[glance.seen.battle.numbers[action.target]].square
            return [glance.seen.battle.grid.names[guarded]]
        if isinstance(action, Guns | Torpedoes | Attack):
            target = glance.seen.view.ships[glance.seen.battle.numbers[action.target]]
            return [foe_id(action.target), glance.seen.battle.grid.names[target.square]]
        return [action.square] if isinstance(action, Move) else []

    @override
    def read(self, glance: Sight, text: str) -> Sequence[Action]:
        """Orders such as "Exeter: G6 E; guns Graf Spee"; one without a name is for the next ship that can still act. A
        heading behind a square may have its name on the board, in any language: "G6 O" is "G6 E"."""
        headings = {known[heading]: heading for known in SAY.names.values() for heading in HEADINGS if heading in known}
        text = re.sub(rf"\b([A-Z]{{1,2}}\d{{1,2}}\s+)({'|'.join(headings)})\b",
                      lambda found: found[1] + headings.get(found[2].upper(), found[2]), text, flags=re.I)
        if ":" not in text and text.strip().lower() not in ("done", "pass", ""):
            unit = choose(glance, Picks()).unit
            text = f"{unit}: {text}" if unit else text
        return tuple(map(glance.game.parse_action, split_orders(text) or (text,)))

    @override
    def due(self, given: Observation, glance: Sight, action: Action) -> bool | None:
        """Flights' orders and fire wait for their phases of the same move."""
        now, phases = glance.seen.view, (Phase.MOVE, Phase.FLY, Phase.FIRE)
        if now.move != given.view.move or now.phase not in phases:
            return None
        of = Phase.FIRE if isinstance(action, _FIRED) else Phase.FLY if isinstance(action, _FLEW) else Phase.MOVE
        return phases.index(now.phase) >= phases.index(of)

    @override
    def track(self, game: FleetAction, match: Match) -> Scene:
        ways: list[list[int]] = [[] for _ in game.battle.units]
        for ply in range(match.ply + 1):
            for way, ship in zip(ways, match.at(ply).ships, strict=True):
                if ship.square >= 0:
                    way += [ship.square] if not way or way[-1] != ship.square else []
        return track(match.observe(0), ways)

    @override
    def charts(self, glance: Sight) -> tuple[Chart, Chart]:
        """What all one's own fire would do at each enemy, and all the enemy's at each own ship."""
        seen = glance.seen
        return _chart(seen, seen.me, "fire"), _chart(seen, 1 - seen.me, "danger")

    @override
    def facts(self, glance: Sight) -> Table:
        """The damage sheets of both sides, the enemy's as far as it is known."""
        seen = glance.seen
        battle, state = seen.battle, seen.view
        rows: list[tuple[str, ...]] = []
        for side in (seen.me, 1 - seen.me):
            who, score = SAY("sheet.side", side=battle.sides[side]).upper(), play.score(battle, state, side)
            rows.append((who, "", SAY("sheet.points", n=score)))
            rows += [(_named(row), row.told, _left(row)) for row in sheet(battle, state, side)]
        return Table(SAY("sheet.title"), tuple(SAY("sheet.head").split("|")), tuple(rows), SAY("sheet.note"))

    @override
    def sheets(self, glance: Sight) -> tuple[Scene, ...]:
        return sheets(glance.seen)

    @override
    def effects(self, game: FleetAction, moments: Sequence[Moment[Observation]], look: Look, before: Scene,
                last: Scene) -> Sequence[Effect]:
        return effects(moments, last)

    @override
    def report(self, game: FleetAction, match: Match, others: Sequence[tuple[str, Match]]) -> Table | None:
        """What has become of every ship."""
        outcome = match.outcome
        if outcome is None:
            return None
        rows = tuple((row.ship, SAY.named(game.battle.sides[side]), SAY.named(row.fate), row.told)
                     for side in (0, 1) for row in sheet(game.battle, match.state, side))
        return Table(SAY("report.title"), tuple(SAY("report.head").split("|")), rows, outcome.text)


PAGE = FleetPage()


def _camp(seen: Observation, side: int) -> Camp:
    battle = seen.battle
    own = [prices(battle, aim) for aim in battle.objectives if aim.side == side]
    name = SAY("strip.you", side=battle.sides[side]) if side == seen.me else SAY.named(battle.sides[side])
    return Camp(name, str(play.score(battle, seen.view, side)), tuple(own), SIDE_COLOURS[side])


def _price(battle: Scenario, aim: Objective) -> int:
    """What an objective brings at most for one ship or island."""
    return aim.points or max((card_points(battle.card(n)) for n in aim.of), default=0)


def aims(battle: Scenario, side: int) -> str:
    """What a side gets points for, in a sentence."""
    words = "; ".join(_aim(battle, aim) for aim in battle.objectives if aim.side == side)
    total = SAY("opening.total", n=battle.total) if battle.total else ""
    return f"{SAY('aim.you', side=battle.sides[side], aims=words)} {total}".strip()


def _aim(battle: Scenario, aim: Objective) -> str:
    own = {"sink": not aim.points, "aircraft": True}.get(aim.aim, False)
    place, names = battle.exit_names[aim.side] or SAY("strip.exit.place"), _names(battle, aim)
    each = ".each" if aim.aim == "sink" and ", " in names else ""  # not when all of them are sunk
    key = f"aim.{aim.aim}.own" if own else f"aim.{aim.aim}{away(battle, aim)}{each}"
    return SAY(key, points=aim.points, names=names, place=place)


def _names(battle: Scenario, aim: Objective) -> str:
    """The ships or islands of an objective."""
    if aim.aim == "island":
        return ", ".join(battle.islands[n].name for n in aim.of)
    if not aim.of:
        return SAY("aim.aircraft")
    if set(aim.of) == set(battle.fleet(battle.side(aim.of[0]))) and len(aim.of) > 1:
        return SAY("aim.all.own" if battle.side(aim.of[0]) == aim.side else "aim.all.foe")
    return ", ".join(battle.units[n].name for n in aim.of)


def _moves(glance: Sight, name: str, own: Sequence[Action]) -> list[Order]:
    """As far ahead as she goes, unless her division does so, and what is no movement."""
    seen, found = glance.seen, []
    led = {n for unit in glance.once(by_unit) if unit in seen.battle.divisions for n in unit_ships(seen, unit)}
    ahead = furthest(seen, unit_ships(seen, name), places(seen.battle, own))
    if ahead and seen.battle.numbers.get(name) not in led:
        label = SAY("order.ahead", unit=name, square=ahead.square)
        found.append(Order(ahead, label, "", SAY("order.ahead.help", heading=ahead.heading), "ship"))
    special = (order for order in own if isinstance(order, Special))
    return found + [Order(order, f"{name}: {special_words(order)}", group="ship") for order in special]


def _fires(glance: Sight, name: str, own: Sequence[Action]) -> list[Order]:
    """The best target for all her guns, and for each torpedo set: that most likely to sink, else most damaged."""
    battle, state = glance.seen.battle, glance.seen.view
    best: dict[int, tuple[Fraction, Fraction, int, Guns | Torpedoes]] = {}
    for target, ways in targets(battle, own).items():
        for order in ways:
            if isinstance(order, Torpedoes) or order == Guns(name, order.target):
                found = prospect(battle, state, order)
                number = order.number if isinstance(order, Torpedoes) else 0
                offer = found.sink, found.mean, target, order
                if number not in best or offer[:3] > best[number][:3]:
                    best[number] = offer
    buttons = [_fire(glance, number, best[number][3]) for number in sorted(best)]
    return buttons + [_hunt(glance, order) for order in own if isinstance(order, Seek)][:_FEW]


def _hunt(glance: Sight, order: Seek) -> Order:
    """A search, with what it does if a boat is there."""
    label = SAY("order.hunt", ship=order.ship, square=order.square)
    return Order(order, label, search_words(search(glance.seen, order)), SAY("order.hunt.help"), "ship")


def _fire(glance: Sight, number: int, order: Guns | Torpedoes) -> Order:
    """All guns, or the torpedo set of that number, at a target."""
    found = prospect(glance.seen.battle, glance.seen.view, order)
    odds = SAY("order.odds", points=points(found.mean), sink=percent(found.sink).replace(" ", "\u00a0"))
    key = "order.torpedoes" if number else "order.fire"
    return Order(order, SAY(key, ship=order.ship, n=number, target=order.target), odds, SAY(f"{key}.help"), "ship")


def _place(order: Range | Launch | Patrol | Attack | Land) -> str:
    """What a flight's order names besides her: a ship, a square or a base; "" for none."""
    if isinstance(order, Patrol | Attack):
        return order.target
    return order.base if isinstance(order, Land) else order.ship if isinstance(order, Range) else ""


def _flights(glance: Sight, name: str, own: Sequence[Action]) -> list[Order]:
    """What a flight or a deck can do besides flying to a square, which the board gives: of attacks those that do most,
    and of patrols those over the dearest ships."""
    seen, given, found = glance.seen, Counter[type](), []
    fighter = name in seen.battle.wings and seen.battle.flights[seen.battle.wings[name]].fighter

    def rank(order: Action) -> tuple[bool, tuple[Fraction, Fraction, int]]:
        if isinstance(order, Attack) and not fighter:
            return True, gain(seen, seen.battle.numbers[order.target], foretold(seen, order))
        ship = seen.battle.numbers.get(order.target, -1) if isinstance(order, Patrol) else -1
        return False, gain(seen, ship, None) if ship >= 0 else (Fraction(0), Fraction(0), 0)

    for order in sorted(own, key=rank, reverse=True):
        if isinstance(order, Range | Launch | Patrol | Attack | Land) and given[type(order)] < _FEW:
            given[type(order)] += 1
            place = _place(order)
            wait = called(seen, order)
            what = "call" if wait else "land.home" if place == flying.HOME else _FLOWN[type(order)]
            odds = attack_words(seen, order) if isinstance(order, Attack) else " · ".join(calling(seen, order))
            help = SAY(f"order.{what}.help", n=wait) if f"order.{what}.help" in SAY else ""
            label = SAY(f"order.{what}", flight=order.flight, place=place)
            found.append(Order(order, label, odds, help, "ship"))
    return found


def _fleet(glance: Sight, fleet: Fleet) -> Order:
    """Orders to many at once, as one button."""
    told = fleet.told
    odds = SAY("target.odds", points=points(told.mean), sink=percent(told.sink).replace(" ", "\u00a0")) if told else ""
    facts = {"target": fleet.target, "n": len(fleet.orders)}
    return Order(fleet, SAY(f"fleet.{fleet.kind}", **facts), odds, SAY(f"fleet.{fleet.kind}.help", **facts), "fleet")


def _turrets(glance: Sight, name: str, own: Sequence[Action]) -> list[Order]:
    """The turrets of which one loses its guns."""
    mounts = glance.seen.battle.card(glance.seen.battle.numbers[name]).mounts
    found = []
    for order in own:
        if isinstance(order, Turret):
            mount = mounts[order.mount - 1]
            label = SAY("order.turret", ship=name, n=order.mount, arc=mount.arc)
            found.append(Order(order, label, f"{mount.guns} × {mount.gun}", "", "ship"))
    return found


def _chart(seen: Observation, side: int, key: str) -> Chart:
    battle, state = seen.battle, seen.view
    found = full_fire(battle, state, side)
    if not found:
        return Chart(key, SAY(f"chart.{key}"), "", (SAY("chart.none"),), (0.0,), ("",), True)
    names = tuple(battle.units[n].name for n in found)
    shares, labels = [], []
    for n, fire in found.items():
        need, mean = left(battle, state, n), float(fire.mean)
        shares.append(min(1.0, mean / need))
        sink = percent(min(1.0, float(fire.row(need)[need])) if fire.most >= need else 0.0)
        labels.append(SAY("chart.label", mean=f"{mean:.0f}", sink=sink) if len(found) <= FEW_BARS else f"{mean:.0f}")
    note = SAY(f"chart.{key}.note")
    return Chart(key, SAY(f"chart.{key}"), "", names, tuple(shares), tuple(labels), True, note)


def _named(row: Row) -> str:
    """A ship's name, and what has become of her."""
    return row.ship if row.fate is Fate.AT_SEA else f"{row.ship} ({SAY.named(row.fate)})"


def _left(row: Row) -> str:
    """What a ship has left: guns of a kind in action, tubes loaded, mines, speed; each of how many."""
    parts = [(gun, ready, all_) for gun, _, _, ready, all_ in
             sorted(row.guns, key=lambda each: BATTERIES.index(each[2]))]
    parts += [(SAY("sheet.torpedoes", kind=kind), tubes * loaded, tubes) for kind, tubes, loaded in row.torpedoes]
    parts += [(SAY("sheet.mines"), row.mines, row.mines)] * bool(row.mines)
    left, every = Counter[str](), Counter[str]()
    for what, n, of in (*parts, (SAY("sheet.speed"), row.speed, row.full)):
        left[what] += n
        every[what] += of
    return "; ".join(SAY("sheet.left", left=left[what], all=every[what], what=what) for what in every)


# -- The lobby's picture: two ships broadside on, with splashes where the salvo fell ---------------

_fallen = ((150, 58, 5), (172, 40, 7), (140, 36, 4))
_splash = "".join(f'<circle cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in _fallen)
PICTURE = svg(squares(28),
              hull(84, 104, 96, -16, "#0072b2", "B"),
              hull(196, 40, 88, 8, "#d55e00", "C"),
              '<path class="nk-art-evidence" stroke-dasharray="3 7" d="M96 92Q126 30 168 40"/>',
              f'<g class="nk-art-line">{_splash}</g>')
