"""The page of USS Lox: where the patrol stands, orders with their exact odds, charts, guide, report."""

from __future__ import annotations
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

from navalkit.core.match import Match
from navalkit.core.trace import Decision
from navalkit.core.words import Event, local, odds as said_odds, percent
from navalkit.view.art import back, card, svg
from navalkit.view.film import FADE, Beat, Effect, Mark, Pose, Travel
from navalkit.view.page import Aims, Camp, Chart, Glance, Look, Moment, Order, Page, Table, gravest, override
from navalkit.view.scene import Piece, Point, Scene, extent
from . import cards, cribbage, odds, scene
from .bots import button
from .cards import SAY
from .game import TABLES, UssLox
from .state import PLACES, Action, Attack, Chase, Deal, Decline, Escape, Flip, Phase, Plan, Return, State

# -- How an encounter of USS Lox is played: the ship sighted, torpedoes run, she sinks or slips away, an escort comes

_CARD, _LOAD, _RUN = 320, 140, 450
"""Milliseconds for a card to come, from one torpedo loaded to the next, and for the torpedoes to run."""
_FIRST, _NEXT, _WAIT, _HOLD, _REASON, _FREE = 350, 500, 300, 450, 450, 350
"""Of an attack: when its first card turns; from there to the next; from a card to the hold before the last one, and how
long that is; from the last card, which gives the reason, to the verdict; and from there to the end."""
_REAR = 4  # px between a card and the bracket over it


def effects(game: UssLox, moments: Sequence[Moment[State]], before: Scene, last: Scene) -> Sequence[Effect]:
    """What happened, from what was told of it."""
    film = _Film(game, moments, before, last)
    played = tuple(effect for moment in moments for event in moment.events for effect in film.of(event))
    return (*played, *film.told())


@dataclass(frozen=True)
class Salvo:
    """An attack as it is told: the ship, the torpedoes in order, and the exact chance before each was turned up."""

    ship: int
    fired: tuple[int, ...]
    chances: tuple[Fraction, ...]

    @property
    def holds(self) -> bool:
        """Whether the last torpedo decides."""
        return 0 < self.chances[-1] < 1


def salvo(game: UssLox, moments: Sequence[Moment[State]], end: Event) -> Salvo | None:
    """The attack that ended with that event; None where its beginning is not among the moments."""
    last = next(n for n, moment in enumerate(moments) if any(each is end for each in moment.events))
    turned = [moment.seen for moment in moments[max(0, last + 1 - len(end.facts["fired"])) : last + 1]]
    if [len(each.fired) for each in turned] != [*range(len(end.facts["fired"]))]:
        return None
    state, nob = turned[0], bool(game.options["nob"])
    chances = [chance_to_sink(game, state, state.firing)]
    for each in turned[1:]:
        unseen = sum(1 << card for card in game.pack if not each.seen >> card & 1)
        chances.append(odds.still_sinks(state.ship, each.fired, state.firing, unseen, nob))
    return Salvo(state.ship, tuple(end.facts["fired"]), tuple(chances))


class _Film:
    def __init__(self, game: UssLox, moments: Sequence[Moment[State]], before: Scene, last: Scene) -> None:
        self.old, self.new, self.now, self.end = before.pieces(), last.pieces(), 0.0, -1.0
        here = before.cell("ship") or last.cell("ship")
        self.ship = here.centre if here else (0.0, 0.0)
        self.tubes = [cell.centre for n in (1, 2, 3) if (cell := before.cell(f"tube {n}") or last.cell(f"tube {n}"))]
        rack = last.cell("supply")
        self.boat = rack.centre if rack else (0.0, 0.0)
        there = last.cell("ship")
        fresh = [id for id in self.new if id.startswith("card ") and id not in self.old]
        self.coming = [id for id in fresh if there and _lies(self.new[id], there.centre)]  # a ship or an escort
        self.fired = [id for id in fresh if id not in self.coming]
        self.met = next((id for id in self.old if id.startswith("card ") and _lies(self.old[id], self.ship)), "")
        shapes = self.old[self.met].shapes if self.met else ()
        self.size = extent(shapes) if shapes else (-40.0, -56.0, 40.0, 56.0)
        self.game, self.moments = game, moments

    def of(self, event: Event) -> Iterator[Effect]:
        """What is played for one event; the next follows it."""
        match event.kind:
            case "sighted" | "joker_ocean":
                yield Beat(SAY("film.up", place=event.facts["place"]), self.now)
                yield from self._come(str(event.facts["place"]))
            case "extra":
                yield from self._come("deck")
            case "escort":
                yield from self._come("deck")
                yield Mark("ping", *self.ship, r=60, tone="bad", at=self.now, ms=600)
            case "hit" | "missed" | "joker_torpedo":
                yield from self._attack(event)
            case "held_fire":
                yield self._note(SAY("film.away"))
            case "deck_gun":
                yield Beat(SAY("film.gun"), self.now)
                yield Mark("shell", *self._pile("supply")[:2], to=self.ship, at=self.now, ms=250)
                self.now += 250
                yield Mark("hit", *self.ship, at=self.now)
            case "sunk" | "estimate_later":
                yield from self._sunk(event)
            case "escaped" | "lost":
                yield from self._charged(event)
            case "returned" | "ocean_empty" | "no_torpedoes":
                yield from self._home()

    def _home(self) -> Iterator[Effect]:
        """What she brings home is counted."""
        tons = self.moments[-1].seen.tons
        place = next((piece for id, piece in self.new.items() if id.startswith("told/sunk")), None)
        if place is not None and self.end < 0:
            yield Beat(SAY("film.home"), self.now)
            yield Mark("count", place.x + 66, place.y, text=SAY("film.count", n="{}"), tone="yellow", at=self.now,
                       ms=900, share=(0, tons))
            self.now += 700

    def told(self) -> Iterator[Effect]:
        """What is said of it changes at the verdict; the tonnage runs up to it."""
        end = self.now if self.end < 0 else self.end
        for id in dict.fromkeys((*self.old, *self.new)):
            if id.startswith("told") and self.old.get(id) != self.new.get(id):
                yield Travel(id, at=end, ms=FADE, changes=end)
        yield Beat("", end)

    def _come(self, place: str) -> Iterator[Effect]:
        for id in self.coming:
            yield Travel(id, was=place if place in self.old else "", at=self.now, ms=_CARD)
        self.now += _CARD

    def _attack(self, event: Event) -> Iterator[Effect]:
        """The torpedoes are loaded face down and turned up one by one, with the exact chance after each; the last one
        is held back if it decides. Then the reason, their run, and what came of it."""
        told, sinks = salvo(self.game, self.moments, event), event.kind == "hit"
        if told is None or len(told.fired) != len(told.chances):
            return
        start, n = self._pile("supply"), len(told.fired)
        yield Beat(SAY("film.fire", n=n), self.now)
        hold = self.now + (_FIRST if n == 1 else _FIRST + _NEXT * (n - 2) + _WAIT)
        final = hold + _HOLD if told.holds else self.now + _FIRST + _NEXT * (n - 1)
        turns = [*(self.now + _FIRST + _NEXT * i for i in range(n - 1)), final]
        left, top, right, bottom = self.size
        for number, label, at in zip(range(n), map(cards.text, told.fired), turns, strict=True):
            if (id := f"card {label}") in self.new and number < len(self.tubes):
                looks, way = (scene.back(right - left), scene.face(right - left, label)), self.tubes[number]
                yield Travel(id, (start, (*way, 0.0)), was="supply", at=self.now + 60 * number, ms=_CARD - 80,
                             changes=at, looks=looks)
        bar, to = (self.tubes or [self.ship])[0], (self.tubes or [self.ship])[-1]
        place, edge = (bar[0] + left, self.ship[1] + bottom + 26), (to[0] + right - 76, 0.0)
        seen = [at + FADE for at in turns]  # when a card has been turned up
        steps = zip((self.now, *seen), (*seen, final + _REASON), (*told.chances, Fraction(int(sinks))),
                    (told.chances[0], *told.chances), strict=True)
        for at, until, chance, was in steps:
            said = percent(chance) if at <= final else SAY("film.bar.sunk" if sinks else "film.bar.missed")
            tone = "good" if at > final and sinks else "blue"
            yield Mark("bar", *place, to=edge, text=said, tone=tone, at=at, ms=until - at,
                       share=(float(was), float(chance)))
        if told.holds:
            yield Beat(SAY("film.decides"), hold)
            yield Mark("ring", *(self.tubes[n - 1] if len(self.tubes) >= n else self.ship), r=0.45 * (bottom - top),
                       at=hold, ms=_HOLD, tone="orange")
        self.now = final + FADE
        yield from self._reason(event, told, top)
        for tube in self.tubes[:n]:
            yield Mark("track", *tube, to=self.ship, tone="ink", at=final, ms=_RUN)
        self.now = final + _REASON
        if not sinks:
            yield Mark("splash", self.ship[0] + 26, self.ship[1] - 20, at=self.now)
            if self.met in self.new:
                yield Travel(self.met, at=self.now, ms=_CARD)
            self.now += 200

    def _reason(self, event: Event, told: Salvo, top: float) -> Iterator[Effect]:
        """What scored, joined and written out; or that nothing did."""
        hits = [] if event.kind != "hit" else cribbage.hits(told.ship, told.fired, nob=self.game.options["nob"])
        if not hits:
            yield Beat(SAY("film.dud" if event.kind == "joker_torpedo" else "film.nothing"), self.now)
            return
        best = hits[0]
        said = str(best.said)
        yield Beat(SAY("film.reason", said=said[:1].upper() + said[1:]), self.now)
        places = dict(zip((told.ship, *told.fired), (self.ship, *self.tubes), strict=False))
        across = sorted(places[card][0] for card in best.cards if card in places)
        text = cards.sum_of(best.cards) if best.kind == "fifteen" else SAY(f"film.join.{best.kind}")
        y = self.ship[1] + top - _REAR
        yield Mark("join", across[0], y, to=(across[-1], 0), text=text, tone="orange", at=self.now,
                   ms=_REASON + _FREE - FADE)

    def _sunk(self, event: Event) -> Iterator[Effect]:
        self.end = self.now
        yield Mark("hit", *self.ship, r=40, at=self.now)
        yield Mark("sink", *self.ship, r=50, at=self.now + 50, ms=_FREE + 250)
        if tons := event.facts.get("tons"):
            yield self._note(SAY("film.tons", tons=tons))
            yield from self._counted(int(tons))
        for id in self.new:
            if id.startswith("sunk ") and id not in self.old:
                yield Travel(id, was=self.met, at=self.now, ms=_CARD)
        self.now += _FREE

    def _counted(self, tons: int) -> Iterator[Effect]:
        """The tonnage runs up, where it stands, in the last moments before the verdict."""
        before, at = self.moments[0].seen.tons, max(0.0, self.now - 300)
        place = next((piece for id, piece in self.new.items() if id.startswith("told/sunk")), None)
        if place is not None:
            yield Mark("count", place.x + 66, place.y, text=SAY("film.count", n="{}"), tone="yellow", at=at,
                       ms=300 + _FREE, share=(before, before + tons))

    def _charged(self, event: Event) -> Iterator[Effect]:
        """The escort's charges fall about the boat, and cost torpedoes or all."""
        x, y = self.boat
        if event.kind == "escaped":
            yield Beat(SAY("film.silent"), self.now)
        for n, (dx, dy) in enumerate(((-34, -30), (36, -8), (-20, 34), (28, 30))):
            yield Mark("splash", x + dx, y + dy, at=self.now + 140 * n, ms=450)
        self.now += 600
        if event.kind == "lost":
            yield Mark("hit", x, y, r=50, at=self.now)
            yield Mark("sink", x, y, r=60, at=self.now + 150, ms=700)
        else:
            cost = SAY("film.cost", cost=event.facts["cost"])
            yield Mark("note", x, y, text=cost, tone="bad", at=self.now, ms=900)

    def _note(self, text: str) -> Mark:
        return Mark("note", *self.ship, text=text, tone="ink", at=self.now, ms=_FREE + 200)

    def _pile(self, id: str) -> Pose:
        piece = self.old.get(id) or self.new.get(id)
        return piece.pose if piece else (*self.ship, 0.0)


def _lies(piece: Piece, at: Point) -> bool:
    return abs(piece.x - at[0]) + abs(piece.y - at[1]) < 1


Seen = Glance[UssLox, State, Action]
_FIRED = range(4)
_GRAVE = (
    "lost", "no_escort_lost", "sunk", "estimate_later", "deck_gun", "missed", "joker_torpedo", "held_fire", "hit",
    "escaped", "no_escort", "king", "joker_ocean", "escort", "extra", "sighted", "declined", "plan",
)
"""Kinds of events that make a headline, the gravest first."""


class LoxPage(Page[UssLox, State, Action]):
    """A submarine, a pack of cards, and all that can be calculated about them."""

    example = "flip B2, attack 2"
    adviser = "optimal"
    unit = "t"
    pattern = MappingProxyType({"sunk": "🟩", "declined": "⬜", "missed": "🟥", "escaped": "🟨", "lost": "⬛"})
    languages = SAY.languages
    thumb_rows = 2
    writes_log = True

    @override
    def scene(self, glance: Seen, look: Look) -> Scene:
        return scene.scene(glance.game, glance.seen, glance.legal, glance.once(chances), look)

    @override
    def effects(self, game: UssLox, moments: Sequence[Moment[State]], look: Look, before: Scene,
                last: Scene) -> Sequence[Effect]:
        return effects(game, moments, before, last)

    @override
    def now(self, glance: Seen) -> str:
        state = glance.seen
        cost = cards.pips(state.ship) if state.ship >= 0 else 0
        key = "cornered" if state.phase is Phase.ESCORT and cost > state.torpedoes else str(state.phase)
        if state.phase in (Phase.TARGET, Phase.ESCORT) and cards.by_gun(state.ship, state.torpedoes):
            key = "gun"
        ship = cards.named(state.ship) if state.ship >= 0 else ""
        key, tons = scene.worth(glance.game, state, key) if key == "target" else (key, 0)
        return SAY.get(f"now.{key}", ship=ship, tons=tons, cost=cost, cards=state.torpedoes)

    @override
    def aims(self, glance: Seen) -> Aims:
        """What is sunk, and what of it is home: the goal says which of the two counts."""
        state, goal = glance.seen, glance.game.goal
        home = scene.tonnage(state if state.result == "win" else replace(state, sunk=(), estimates=(), estimated=()))
        sunk = Camp(SAY("strip.sunk"), scene.tonnage(state), (SAY(f"strip.goal.{goal}"),), "blue")
        brought = Camp(SAY("strip.home"), home, (SAY(f"strip.home.{goal}"),), "green")
        return Aims((sunk, brought), str(state.torpedoes), SAY("strip.torpedoes"))

    @override
    def opening(self, glance: Seen) -> str:
        return SAY(f"opening.{glance.game.goal}", torpedoes=glance.seen.torpedoes)

    @override
    def why(self, game: UssLox, match: Match, me: int) -> str:
        """Who sank the boat, or what she came home with."""
        state, goal = match.state, game.goal
        if state.result == "loss":
            ship = cards.named(state.last[0]) if state.last else SAY("ended.escort")
            alone = any(event.kind == "no_escort_lost" for event in match.log)  # rule A7
            who = "alone" if alone else "loss"
            return SAY(f"ended.{who}.{goal}" if state.tons else f"ended.{who}.none", ship=ship, tons=state.tons)
        sunk = [(cards.pips(card), cards.named(card)) for card in state.sunk]
        later = [event.facts["ship"] for event in match.log if event.kind == "estimate_later"]
        sunk += [(cards.pips(card), ship) for card, ship in zip(state.estimated, later, strict=True)]  # rule A2
        if not sunk:
            turned = (ply.action.place for ply in reversed(match.plies) if isinstance(ply.action, Deal))
            return SAY("ended.none", square=next((place for place in turned if place not in PLACES), ""))
        _, largest = max(sunk, key=lambda each: each[0])
        return SAY("ended.win" if len(sunk) > 1 else "ended.win.one", ship=largest, n=len(sunk), tons=state.tons)

    @override
    def headline(self, events: Sequence[Event]) -> str:
        event = gravest(events, _GRAVE)
        return (SAY.get(f"headline.{event.kind}", **event.facts) or event.text) if event else self.happened(events)

    @override
    def orders(self, glance: Seen) -> Sequence[Order]:
        """As they are listed, but an attack that fires nothing at her last of all: letting her go is the safe way."""
        vain = [a for a in glance.legal if a == Attack(0) and not cards.by_gun(glance.seen.ship, 0)]
        return tuple(_order(glance, action) for action in (*(a for a in glance.legal if a not in vain), *vain))

    @override
    def guide(self, glance: Seen) -> str:
        phase = glance.seen.phase
        return SAY.get(f"guide.{phase}.{glance.game.goal}" if phase is Phase.DEBRIEF else f"guide.{phase}")

    @override
    def because(self, glance: Seen, decision: Decision[Action]) -> str:
        """By the cards not seen yet: what firing does, and what there is to save torpedoes for."""
        state, action, legal = glance.seen, decision.action, glance.legal
        shots = [each.torpedoes for each in legal if isinstance(each, Attack)]
        ship = cards.named(state.ship) if state.ship >= 0 else ""
        facts = {"ship": ship, "torpedoes": state.torpedoes, "ocean": state.ocean_left, "unseen": _unseen(glance)}
        match action:
            case Attack(torpedoes=n) if n:
                key, tons = scene.worth(glance.game, state, "because.fire" if n > 1 else "because.fire.one")
                return SAY(key, n=n, chance=_sinks(glance, n), less=_sinks(glance, n - 1), tons=tons, **facts)
            case Decline() if shots and state.phase is Phase.TARGET:
                key = "because.decline" if state.ocean_left else "because.decline.last"
                return SAY(key, chance=_sinks(glance, max(shots)), n=max(shots), **facts)
            case Flip():
                n = _salvo(state)
                return SAY("because.flip", n=n, chance=percent(glance.once(average)[0][n]), **facts)
            case Return():
                key = "because.return.more" if sails_again(glance) else "because.return"
                return SAY(key, tonnage=scene.tonnage(state), **facts)
        return super().because(glance, decision)

    @override
    def charts(self, glance: Seen) -> Sequence[Chart]:
        """Chance to sink and tonnage to expect by torpedoes fired: for this ship, or for one not turned up yet."""
        state, unseen = glance.seen, _unseen(glance)
        if state.ship >= 0:
            sinks = tuple(float(chance_to_sink(glance.game, state, n)) for n in _FIRED)
            gains = odds.gains(glance.game, state, state.ship)
            which, note = "title", SAY("odds.exact", unseen=unseen)
        else:
            sinks, gains = glance.once(average)
            which, note = "any", SAY("odds.exact.any", unseen=unseen)
        ship = cards.named(state.ship) if state.ship >= 0 else ""
        x, fired = tuple(map(str, _FIRED)), SAY("odds.fired")
        labels = tuple(percent(chance) for chance in sinks)
        tonnage = tuple(SAY("odds.gain.label", tons=gain) for gain in gains)
        sink, gain = (SAY(f"odds.{key}.{which}", ship=ship) for key in ("sink", "gain"))
        return (
            Chart("sink", sink, fired, x, sinks, labels, True, note),
            Chart("gain", gain, fired, x, gains, tonnage, note=SAY(f"odds.gain.note.{_counts_later(glance)}")),
        )

    @override
    def facts(self, glance: Seen) -> Table | None:
        """What firing 0 to 3 torpedoes leads to, exactly; with no ship up, what the next escort would mean."""
        game, state = glance.game, glance.seen
        note = SAY("odds.exact", unseen=_unseen(glance))
        shots = [action.torpedoes for action in glance.legal if isinstance(action, Attack)]
        if shots:
            fates = [odds.attack_outcomes(state, n, game) for n in shots]
            columns = {"n": list(map(str, shots)), "sunk": [said_odds(fate["sunk"]) for fate in fates]}
            if state.role == "escort":
                columns["lost"] = [percent(fate["lost"]) for fate in fates]
            else:
                columns["escape"] = [percent(1 - fate["sunk"] - fate["fight"] - fate["lost"]) for fate in fates]
                worst = "lost" if _unanswered(state) and state.patrol > 1 else "fight"  # rule A7
                columns[worst] = [percent(fate["fight"] + fate["lost"]) for fate in fates]
            head = tuple(SAY(f"odds.fire.{column}") for column in columns)
            return Table(SAY("odds.fire.title"), head, tuple(zip(*columns.values(), strict=True)), note)
        seen, jokers = state.seen_cards, 2 * game.options["jokers"]
        if state.phase is Phase.END or not state.deck or len(seen) >= 50:
            return None
        nob, left = game.options["nob"], state.torpedoes
        ways = {
            "escape": odds.escape(left, seen=seen, jokers=jokers),
            "survive": odds.survive_escort(left, seen=seen, jokers=jokers, nob=nob),
        }
        rows = tuple((SAY(f"odds.left.{way}"), said_odds(chance)) for way, chance in ways.items())
        head = SAY("odds.left.event"), SAY("odds.left.chance")
        return Table(SAY("odds.left.title", torpedoes=left), head, rows, note)

    @override
    def report(self, game: UssLox, match: Match, others: Sequence[tuple[str, Match]]) -> Table | None:
        """The war patrol report (rule L7): this patrol beside the yardsticks, and other captains on the same sea."""
        outcome = match.outcome
        if outcome is None:
            return None
        tons = outcome.facts["tonnage"]
        rows = [_line(name, played) for name, played in ((SAY("report.you"), match), *others)]
        for yard in TABLES.yardsticks:
            more = tons > yard.tons
            share = local(f"{tons / yard.tons:,.1f}" if more else f"{100 * tons / yard.tons:,.0f} %")
            key = f"report.{'times' if more else 'share'}{'.note' if yard.note else ''}"
            told = SAY(key, share=share, note=yard.note)
            rows.append((yard.name, SAY("report.tons", tons=yard.tons), told))
        head = SAY("report.captain"), SAY("report.tonnage"), SAY("report.how")
        return Table(SAY("report.title"), head, tuple(rows), outcome.text)

    @override
    def compare(self, game: UssLox, name: str, mine: Match, other: Match) -> Table | None:
        """Two captains on one sea, ship by ship: what each did with her. On a second patrol other ships may lie there,
        for what was fired on the first is not dealt again: then each has a row of her own."""
        if not (mine.over and other.over):
            return None
        deeds = [_deeds(match) for match in (mine, other)]
        rows = tuple((*met, *(deed.get(met, SAY("compare.nothing")) for deed in deeds))
                     for met in sorted(deeds[0].keys() | deeds[1].keys()))
        head = SAY("compare.square"), SAY("compare.ship"), SAY("compare.you"), name
        return Table(SAY("compare.title"), head, rows, SAY("compare.note"))


PAGE = LoxPage()


@lru_cache(maxsize=512)
def _sink(ship: int, torpedoes: int, seen: tuple[int, ...], jokers: int, nob: bool) -> Fraction:
    return odds.sink(ship, torpedoes, seen=tuple(card for card in seen if card != ship), jokers=jokers, nob=nob)


def chance_to_sink(game: UssLox, state: State, torpedoes: int) -> Fraction:
    """Exact chance that this many torpedoes sink the ship that lies face up (rules L3a, L3b)."""
    return _sink(state.ship, torpedoes, state.seen_cards, 2 * game.options["jokers"], game.options["nob"])


def _sinks(glance: Seen, torpedoes: int) -> str:
    return percent(chance_to_sink(glance.game, glance.seen, torpedoes))


def chances(glance: Seen) -> dict[Attack, str]:
    """The chance of every attack that is possible now, as its button and its place on the board show it."""
    attacks = [action for action in glance.legal if isinstance(action, Attack)]
    return {action: percent(chance_to_sink(glance.game, glance.seen, action.torpedoes)) for action in attacks}


def average(glance: Seen) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Chance to sink and expected tons by torpedoes, over every ship not yet turned up."""
    seen, options = glance.seen.seen_cards, glance.game.options
    table = odds.table(seen, 2 * options["jokers"], options["nob"])
    left = [4 - sum(cards.rank(card) == rank for card in seen if not cards.is_joker(card)) for rank in range(13)]
    ranks, total = [rank for rank in range(13) if left[rank]], sum(left) or 1
    sinks = tuple(float(sum(left[r] * table[r, n] for r in ranks) / total) for n in _FIRED)
    own = [0.0 if glance.game.estimated(glance.seen, 4 * r) else 1000.0 * cards.pips(4 * r) for r in range(13)]
    gains = [float(sum(left[r] * table[r, n] * own[r] for r in ranks) / total) for n in _FIRED]
    for ship in (each for each in cards.PACK if each not in seen and glance.game.estimated(glance.seen, each)):
        more = odds.gains(glance.game, glance.seen, ship)
        gains = [so_far + each / total for so_far, each in zip(gains, more, strict=True)]
    return sinks, tuple(gains)


def _counts_later(glance: Seen) -> bool:
    """Whether the charts are of ships for which a card of the deck may count (rule A2)."""
    state = glance.seen
    return glance.game.estimated(state, state.ship if state.ship >= 0 else 4 * cards.KING)


def _unanswered(state: State) -> bool:
    """Whether a miss now meets no escort, for no card is left to be one (rules L4e and A7)."""
    return state.role != "escort" and not state.deck


def sails_again(glance: Seen) -> bool:
    """Whether another patrol follows this one (rule A7)."""
    return bool(glance.seen.patrol < glance.game.options["patrols"])


def _salvo(state: State) -> int:
    """The largest salvo at a ship not turned up yet, with the torpedoes left."""
    return min(_FIRED[-1], state.torpedoes)


def _unseen(glance: Seen) -> int:
    return len(glance.game.pack) - glance.seen.seen.bit_count()


def _order(glance: Seen, action: Action) -> Order:
    state, label = glance.seen, str(button(glance.seen, action))
    match action:
        case Attack(torpedoes=n):
            odds_said = glance.once(chances)[action]
            if cards.by_gun(state.ship, n):
                return Order(action, label, odds_said, SAY("order.gun.help"), "fire")
            role = "target" if state.role != "escort" else "escort"
            if _unanswered(state):
                role = "away" if state.patrol == 1 else "last"
            help = SAY(f"order.fire.{role}", chance=chance_to_sink(glance.game, state, n))
            return Order(action, label, odds_said, help, "fire")
        case Flip(square=square):
            n = _salvo(state)
            chance = glance.once(average)[0][n]
            help = SAY("order.flip.help", square=square, unseen=_unseen(glance), n=n, chance=chance)
            return Order(action, label, "", help, "flip", on_board=True)
        case Plan(size=size):
            help = SAY("order.plan.help", size=size, torpedoes=state.torpedoes - size)
            return Order(action, label, "", help, "plan")
        case Escape():
            cost = cards.pips(state.ship)
            said = SAY("order.escape.odds", chance=1, cost=cost)
            help = SAY("order.escape.help", cost=cost, torpedoes=state.torpedoes)
            return Order(action, label, said, help, "leave")
        case Decline() if state.phase is Phase.TARGET:
            more = "help" if state.ocean_left else "last"
            return Order(action, label, SAY("order.decline.odds", chance=1), SAY(f"order.decline.{more}"), "leave")
        case Decline():
            return Order(action, label, SAY("order.decline.odds", chance=1), SAY("order.leave.help"), "leave")
        case Chase():
            return Order(action, label, "", SAY("order.chase.help"), "leave")
        case Return():
            odds_said, help = ("odds.more", "more") if sails_again(glance) else ("odds", "help")
            said = SAY(f"order.return.{odds_said}", tonnage=scene.tonnage(state))
            return Order(action, label, said, SAY(f"order.return.{help}"), "leave")
    raise TypeError(action)


_DEEDS = {  # what a captain did, by the kind of event that tells it
    "declined": "declined",
    "held_fire": "missed",
    "missed": "missed",
    "joker_torpedo": "dud",
    "deck_gun": "deck_gun",
    "sunk": "sunk",
    "estimate_later": "sunk",
    "escort": "escort",
    "escaped": "escaped",
    "lost": "lost",
}


def _deeds(match: Match) -> dict[tuple[str, str], str]:
    """What was done about each ship that was met: by her square, and her card."""
    done: dict[tuple[str, str], list[str]] = {}
    here: list[str] = []
    for ply in match.plies:
        match ply.action:
            case Deal(place=place, card=card) if place not in PLACES:
                square = SAY("compare.again", square=place) if ply.state.patrol > 1 else place
                here = done.setdefault((square, cards.symbol(card)), [])
            case Attack(torpedoes=n) if n:
                here.append(SAY("compare.fired", n=n))
        here += [SAY(f"compare.{_DEEDS[event.kind]}") for event in ply.events if event.kind in _DEEDS]
    return {met: ", ".join(deed) for met, deed in done.items()}


def _line(name: str, match: Match) -> tuple[str, str, str]:
    outcome = match.outcome
    if outcome is None:
        return (name, "", SAY("report.at_sea"))
    facts = outcome.facts
    key = "came_home" if outcome.result == "win" else "was_lost"
    how = SAY(f"report.{key}", ships=facts["ships"], fired=facts["torpedoes_fired"])
    if match.analysis:
        how = SAY("report.analysis", how=how)
    return (name, SAY("report.tons", tons=facts["tonnage"]), how)


# -- The lobby's picture: a ship card met by two torpedo cards and one still face down -------------

PICTURE = svg(card(66, 72, -4, "8", "D"),
              '<path class="nk-art-evidence" stroke-dasharray="9 6" d="M126 72H104m0 0 8-6m-8 6 8 6"/>',
              back(222, 74, 12), card(190, 70, 4, "7", "S"), card(158, 72, -6, "5", "H"))
