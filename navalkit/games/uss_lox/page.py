"""What the page of USS Lox says: where the patrol stands, orders with their exact odds, charts, guide, report."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from navalkit.core.dist import describe, percent
from navalkit.core.match import Match
from navalkit.view.page import Chart, Order, Table

from . import cards, odds
from .rules import UssLox
from .scene import scene
from .state import PLACES, Action, Attack, Chase, Deal, Decline, Escape, Flip, Phase, Plan, Return, State
from .tables import SAY, TABLES

__all__ = ["charts", "compare", "facts", "guide", "now", "orders", "report", "scene"]


@lru_cache(maxsize=512)
def _sink(ship: int, torpedoes: int, seen: tuple[int, ...], jokers: int, nob: bool) -> Fraction:
    return odds.sink(
        cards.text(ship), torpedoes, seen=tuple(c for c in seen if c != ship), jokers=jokers, nob=nob
    )


def chance_to_sink(game: UssLox, state: State, torpedoes: int) -> Fraction:
    """Exact chance that so many torpedoes sink the ship that lies face up (rules L3a, L3b)."""
    return _sink(state.ship, torpedoes, state.seen_cards, 2 * game.options["jokers"], game.options["nob"])


def now(game: UssLox, state: State) -> str:
    """What the captain can do now, in a sentence."""
    up = state.ship >= 0
    cost = cards.pips(state.ship) if up else 0
    cornered = state.phase is Phase.ESCORT and cost > state.torpedoes
    key = "now.cornered" if cornered else f"now.{state.phase}"
    return SAY.get(key, ship=cards.name(state.ship) if up else "", tons=1000 * cost, cost=_count(cost))


def orders(game: UssLox, state: State, legal: Sequence[Action]) -> tuple[Order, ...]:
    """Every legal action with its odds."""
    return tuple(_order(game, state, action) for action in legal)


def _order(game: UssLox, state: State, action: object) -> Order:
    match action:
        case Attack(torpedoes=n):
            chance = chance_to_sink(game, state, n)
            if cards.rank(state.ship) == cards.JACK:
                return Order(
                    str(action), "Deck gun", "100 %", "A jack is sunk by the deck gun (L3a).", "fire"
                )
            fate = "lost otherwise" if state.role == "escort" else "an escort comes otherwise"
            return Order(
                str(action),
                f"Fire {n}",
                percent(chance),
                f"Chance to sink her: {describe(chance)}; {fate}.",
                "fire",
            )
        case Flip(square=square):
            sinks = percent(_average(game, state.seen_cards)[0][-1])
            ship = f"any of {_unseen(game, state)} unseen cards, which three torpedoes sink with {sinks} on average"
            return Order(str(action), square, "", f"Turn up {square}: {ship}.", "flip")
        case Plan(size=size):
            return Order(
                str(action),
                str(size),
                "",
                f"{size} cards of ocean and {state.torpedoes - size} torpedoes.",
                "plan",
            )
        case Escape():
            cost = cards.pips(state.ship)
            return Order(
                str(action),
                "Escape",
                f"100 %, costs {cost}",
                f"{_count(cost)} of {state.torpedoes} go under the deck.",
                "leave",
            )
        case Decline():
            label = "Let her go" if state.phase is Phase.TARGET else "Leave it"
            return Order(
                str(action),
                label,
                "100 % safe",
                "She is out of the game; you turn up the next card.",
                "leave",
            )
        case Chase():
            return Order(
                str(action),
                "Chase",
                "",
                "Turn up one more target from the deck, to attack or to let go.",
                "leave",
            )
        case Return():
            return Order(str(action), "Return", f"{state.tons:,} t home", "End the patrol as a win.", "leave")
    raise TypeError(f"no order for {action!r}")


def charts(game: UssLox, state: State) -> tuple[Chart, Chart]:
    """Chance to sink and tonnage to expect by torpedoes fired: for this ship, or for a ship not turned up yet."""
    fired = range(4)
    unseen = _unseen(game, state)
    if state.ship >= 0:
        tons = 1000 * cards.pips(state.ship)
        chances = tuple(float(chance_to_sink(game, state, n)) for n in fired)
        who, gains = f"the {cards.name(state.ship)}", tuple(tons * chance for chance in chances)
        note = f"Exact, from the {unseen} cards you have not seen."
    else:
        chances, gains = _average(game, state.seen_cards)
        who = "a ship not yet turned up"
        note = f"Exact, averaged over every ship among the {unseen} cards you have not seen."
    labels = tuple(percent(chance) for chance in chances)
    x = tuple(map(str, fired))
    return (
        Chart("sink", f"Chance to sink {who}", "torpedoes fired", "chance to sink", x, chances, labels, True, note),
        Chart(
            "gain", f"Tonnage to expect from {who}", "torpedoes fired", "expected tons", x, gains,
            tuple(f"{gain:,.0f} t" for gain in gains), note=SAY("note.gain"),
        ),
    )  # fmt: skip


@lru_cache(maxsize=64)
def _average_of(seen: tuple[int, ...], jokers: int, nob: bool) -> tuple[tuple[float, ...], tuple[float, ...]]:
    table = odds.table([cards.text(c) for c in seen], jokers, nob)
    left = [4 - sum(cards.rank(c) == rank for c in seen if not cards.is_joker(c)) for rank in range(13)]
    total = sum(left) or 1
    ranks = [rank for rank in range(13) if left[rank]]
    chances = tuple(float(sum(left[r] * table[r, n] for r in ranks) / total) for n in range(4))
    gains = tuple(
        float(sum(left[r] * table[r, n] * 1000 * cards.pips(4 * r) for r in ranks) / total) for n in range(4)
    )
    return chances, gains


def _average(game: UssLox, seen: tuple[int, ...]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return _average_of(seen, 2 * game.options["jokers"], game.options["nob"])


def facts(game: UssLox, state: State) -> Table:
    """What firing 0 to 3 torpedoes leads to, exactly; with no ship up, what the next escort would mean."""
    note = f"Exact, from the {_unseen(game, state)} cards not seen yet."
    shots = [a.torpedoes for a in game.legal(state) if isinstance(a, Attack)]
    if shots:
        chances = [odds.attack_outcomes(state, n, game) for n in shots]
        sunk = [describe(chance["sunk"]) for chance in chances]
        if state.role == "escort":
            rows = zip(map(str, shots), sunk, (percent(chance["lost"]) for chance in chances), strict=True)
            return Table("If you fire", ("fired", "she is sunk", "you are lost"), tuple(rows), note)
        escaped = (percent(1 - chance["sunk"] - chance["fight"] - chance["lost"]) for chance in chances)
        fight = (percent(chance["fight"] + chance["lost"]) for chance in chances)
        head = ("fired", "she is sunk", "missed: can flee", "missed: must fight")
        return Table(
            "If you fire", head, tuple(zip(map(str, shots), sunk, escaped, fight, strict=True)), note
        )
    seen, jokers = state.seen_cards, 2 * game.options["jokers"]
    if state.phase is Phase.END or not state.deck or len(seen) >= 50:
        return Table("", (), ())
    ways = [
        ("shake off the next escort", describe(odds.escape(state.torpedoes, seen=seen, jokers=jokers))),
        (
            "live through her at all",
            describe(odds.survive_escort(state.torpedoes, seen=seen, jokers=jokers, nob=game.options["nob"])),
        ),
    ]
    return Table(f"With {_count(state.torpedoes)} left", ("event", "chance"), tuple(ways), note)


def guide(game: UssLox, state: State) -> str:
    """For a first patrol: what a captain sees here, and what to think of."""
    return SAY.get(f"guide.{state.phase}")


def report(game: UssLox, match: Match, others: Sequence[tuple[str, Match]] = ()) -> Table | None:
    """The war patrol report (rule L7): this patrol beside the yardsticks, and beside other captains on the same sea."""
    outcome = match.outcome
    if outcome is None:
        return None
    tons = outcome.facts["tonnage"]
    rows = [_line(name, played) for name, played in (("You", match), *others)]
    for yard in TABLES.yardsticks:
        share = f"you sank {percent_of(tons, yard.tons)} of that"
        rows.append((yard.name, f"{yard.tons:,} t", f"{share}; {yard.note}" if yard.note else share))
    return Table("War patrol report", ("captain", "tonnage", "how it went"), tuple(rows), outcome.text)


_DEEDS = {  # what a captain did, by the kind of event that tells it
    "declined": "let go",
    "held_fire": "missed",
    "missed": "missed",
    "joker_torpedo": "a dud",
    "deck_gun": "deck gun",
    "sunk": "sunk",
    "estimate_later": "sunk",
    "escort": "escort",
    "escaped": "escaped",
    "lost": "lost",
}


def compare(game: UssLox, name: str, mine: Match, other: Match) -> Table | None:
    """Two captains on one sea, square by square: what each did with the ship that lay there."""
    if not (mine.over and other.over):
        return None
    ships: dict[str, str] = {}
    deeds = [_deeds(match, ships) for match in (mine, other)]
    rows = tuple(
        (square, ship, *(deed.get(square, "not turned up") for deed in deeds))
        for square, ship in sorted(ships.items())
    )
    return Table(
        "The same sea, ship by ship",
        ("square", "ship", "you", name),
        rows,
        "In the order of the squares; who turned up what when is in the log.",
    )


def _deeds(match: Match, ships: dict[str, str]) -> dict[str, str]:
    """What was done about each square's card; the cards go into ``ships``."""
    done: dict[str, list[str]] = {}
    here: list[str] = []
    for ply in match.plies:
        match ply.action:
            case Deal(place=place, card=card) if place not in PLACES:
                square = f"{place}{' (2)' if ply.state.patrol > 1 else ''}"
                ships[square], here = cards.text(card), done.setdefault(square, [])
            case Attack(torpedoes=n) if n:
                here.append(f"fired {n}")
        here += [_DEEDS[event.kind] for event in ply.events if event.kind in _DEEDS]
    return {square: ", ".join(deed) for square, deed in done.items()}


def _line(name: str, match: Match) -> tuple[str, str, str]:
    outcome = match.outcome
    if outcome is None:
        return (name, "", "still at sea")
    fate = "came home" if outcome.result == "win" else "lost"
    facts = outcome.facts
    ships = f"{facts['ships']} ship{'s' * (facts['ships'] != 1)}"
    how = f"{fate}; {ships}, {_count(facts['torpedoes_fired'])}" + ("; an analysis" if match.analysis else "")
    return (name, f"{facts['tonnage']:,} t", how)


def percent_of(part: float, whole: float) -> str:
    """How much ``part`` is of ``whole``, in whole percent."""
    return f"{100 * part / whole:,.0f} %"


def _unseen(game: UssLox, state: State) -> int:
    return len(game.pack) - state.seen.bit_count()


def _count(torpedoes: int) -> str:
    return f"{torpedoes} torpedo{'es' * (torpedoes != 1)}"
