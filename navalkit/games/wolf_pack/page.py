"""The page of Wolf Pack: where the game stands, the orders, what the opponent may hold, the story at the end."""

from __future__ import annotations
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from types import MappingProxyType

from navalkit.core.match import Match
from navalkit.core.trace import Decision
from navalkit.core.words import Event, odds as told, percent, voice
from navalkit.view.art import back, svg
from navalkit.view.film import Beat, Effect, Mark, Pose, Travel
from navalkit.view.page import Aims, Camp, Chart, Glance, Look, Moment, Order, Page, Table, gravest, override
from navalkit.view.scene import Scene
from . import odds
from .cards import CLEARS, NONE, ROWS, SAY, SIDES, TITLES, Card, listed
from .rules import WolfPack
from .scene import BANDS, DEEDS, scene, together
from .state import Action, Discard, Observation, Pass, Phase, Play, State

# -- How a turn of Wolf Pack is played: cards are dealt, laid, turned up and given up one by one, and torpedoes run

_BEATS = ("laid", "struck", "dive", "sweep", "raid", "raid_in_vain", "discarded", "passed", "drawn")
"""Kinds of events that a film's headline tells as they begin."""
_DEAL, _CARD, _RUN = 120, 300, 350
"""Milliseconds from one card dealt to the next, for a card to be played, and for a torpedo or a charge to arrive."""
_ROWS = ("row", 0), ("row", 1)


def effects(moments: Sequence[Moment[Observation]], before: Scene, last: Scene) -> Sequence[Effect]:
    """What happened, card by card, from what was told of it."""
    return tuple(_Film(moments[0].seen.me, before, last).play(moments)) if moments else ()


class _Film:
    def __init__(self, me: int, before: Scene, last: Scene) -> None:
        self.me, self.old, self.new, self.now = me, before.pieces(), last.pieces(), 0.0
        self.held = {("hand", card) for card in Card}
        self.dealt = [piece for id, piece in self.new.items() if piece.what in self.held and id not in self.old]

    def play(self, moments: Sequence[Moment[Observation]]) -> Iterator[Effect]:
        for event in (event for moment in moments for event in moment.events):
            by, title = int(event.facts.get("by", 0)), event.facts.get("card")
            card = Card(TITLES.index(title)) if title in TITLES else None
            if event.kind in _BEATS:
                yield Beat(SAY(f"film.{event.kind}", by=by, side=SIDES[by], card=title or ""), self.now)
            match event.kind:
                case "dealt" | "drawn" if card is not None and by == self.me:
                    yield from self._draw(card)
                case "discarded" | "lost" if card is not None:
                    yield from self._give_up(by, card, event.kind == "lost")
                case "laid" if card is not None:
                    yield from self._lay(by, f"row {by} {ROWS[by].index(card)}", card)
                case "struck":
                    yield from self._strike(by, event.facts["sunk"], str(event.facts["what"]))
                case "dive" | "sweep":
                    yield from self._lay(by, self._played(by), Card.DIVE if event.kind == "dive" else Card.SWEEP)
                    yield from self._clear(event.kind == "sweep")
                case "raid" | "raid_in_vain" if card is not None:
                    yield from self._lay(by, self._played(by), card)
                case "passed":
                    yield from self._note(self._hand(by), event.text)
        yield Beat("", self.now)
        theirs = [id for id, piece in self.new.items() if piece.what == "theirs" and id not in self.old]
        yield from (Travel(id, was="deck", at=_DEAL * i, ms=_CARD) for i, id in enumerate(theirs))

    def _draw(self, card: Card) -> Iterator[Effect]:
        if piece := next((piece for piece in self.dealt if piece.what == ("hand", card)), None):
            self.dealt.remove(piece)
            yield Travel(piece.id, was="deck", at=self.now, ms=_CARD)
            self.now += _DEAL

    def _give_up(self, by: int, card: Card, lost: bool) -> Iterator[Effect]:
        """A card goes to the discards: seen as it goes, and named."""
        pile = self._at("discards") or self._at("deck")
        if gone := self._from(by, card):
            if gone not in self.new and pile:
                yield Travel(gone, (self.old[gone].pose, pile), at=self.now, ms=_CARD)
            elif lost:
                yield Mark("splash", *self.old[gone].pose[:2], at=self.now)
        yield from self._note(pile, card.title)

    def _lay(self, by: int, id: str, card: Card) -> Iterator[Effect]:
        if id in self.new:
            yield Travel(id, was=self._from(by, card), at=self.now, ms=_CARD)
        self.now += _CARD

    def _strike(self, by: int, sunk: int, what: str) -> Iterator[Effect]:
        """The third card is laid, the attack runs to the ship that it sinks, and the row goes to the discards."""
        yield from self._lay(by, self._played(by), ROWS[by][2])
        ship, start = self._at(f"target {by} {sunk - 1}"), self._at(self._played(by))
        if ship and start:
            yield Mark("track" if by == 0 else "shell", *start[:2], to=ship[:2], at=self.now, ms=_RUN)
            self.now += _RUN
            yield Mark("hit", *ship[:2], at=self.now)
            yield Mark("sink", *ship[:2], at=self.now + 150, ms=700)
            yield Mark("note", *ship[:2], text=what, tone="bad", at=self.now, ms=900)
        yield from self._sweep_up(("row", by))

    def _clear(self, sweep: bool) -> Iterator[Effect]:
        for id, piece in self.old.items():
            if piece.what in _ROWS and id not in self.new:
                yield Mark("splash" if sweep else "ping", *piece.pose[:2], at=self.now, ms=400)
        self.now += 150
        yield from self._sweep_up(*_ROWS)

    def _sweep_up(self, *rows: Hashable) -> Iterator[Effect]:
        pile = self._at("discards")
        for id, piece in self.old.items():
            if pile and piece.what in rows and id not in self.new:
                yield Travel(id, (piece.pose, pile), at=self.now, ms=_CARD)
        self.now += 200

    def _note(self, at: Pose | None, text: str) -> Iterator[Effect]:
        if at:
            yield Mark("note", *at[:2], text=text, tone="ink", at=self.now, ms=900)
        self.now += 200

    def _from(self, by: int, card: Card) -> str:
        """The piece that a card was in the hand it came from; "" for one drawn in the same breath."""
        if by == self.me:
            held = [id for id, piece in self.old.items() if piece.what == ("hand", card)]
            return max(held, default="", key=lambda id: (id not in self.new, id))
        return next((id for id, piece in reversed(self.old.items()) if piece.what == "theirs"), "")

    def _played(self, by: int) -> str:
        return next((id for id, piece in self.new.items() if piece.what == ("played", by)), "")

    def _hand(self, by: int) -> Pose | None:
        held = self.held if by == self.me else {"theirs"}
        return next((piece.pose for piece in self.new.values() if piece.what in held), None)

    def _at(self, id: str) -> Pose | None:
        return self.new[id].pose if id in self.new else None


_TURNS = (1, 2, 3, 4, 6, 8)  # turns that the chart of the own row looks ahead
_GRAVE = ("struck", "sweep", "dive", "lost", "raid", "laid", "passed", "discarded", "drawn")
"""Kinds of events that make a headline, the gravest first."""
_STORY = {"struck", "dive", "sweep"}  # the events that the story of a game is told by
_Glance = Glance[WolfPack, Observation, Action]


class WolfPackPage(Page[WolfPack, Observation, Action]):
    """The page of either side."""

    example = SAY("example")
    adviser = "ismcts"
    seats = ("", "careful")
    unit = "wins"
    pattern = MappingProxyType({"struck": "🟦", "struck.other": "🟧", "dive": "🔹", "sweep": "🔸"})
    languages = SAY.languages
    hovers = True
    writes_log = True

    @override
    def scene(self, glance: _Glance, look: Look) -> Scene:
        return scene(glance, look)

    @override
    def effects(self, game: WolfPack, moments: Sequence[Moment[Observation]], look: Look, before: Scene,
                last: Scene) -> Sequence[Effect]:
        return effects(moments, before, last)

    @override
    def players(self, game: WolfPack) -> tuple[str, ...]:
        return tuple(map(SAY.named, SIDES))

    @override
    def now(self, glance: _Glance) -> str:
        seen = glance.seen
        if seen.phase in (Phase.DISCARD, Phase.ACTION) and seen.side != seen.me:
            return SAY("now.wait", side=SIDES[seen.side])
        if seen.phase is Phase.ACTION and len(glance.legal) == 1:
            return SAY("now.pass")
        return SAY.get(f"now.{seen.phase}", hand=glance.game.hand_size)

    @override
    def aims(self, glance: _Glance) -> Aims:
        seen = glance.seen
        camps = (_camp(seen, seen.me), _camp(seen, 1 - seen.me))
        turn = SAY("strip.turn", turn=min(max(1, seen.turn), seen.turn_limit), turns=seen.turn_limit)
        return Aims(camps, turn, SAY("strip.turns"))

    @override
    def opening(self, glance: _Glance) -> str:
        transports, u_boats = glance.seen.goals
        return SAY(f"opening.{glance.seen.me}", transports=transports, u_boats=u_boats, turns=glance.seen.turn_limit)

    @override
    def why(self, game: WolfPack, match: Match, me: int) -> str:
        """The last ship sunk by the winner, and with what."""
        state = match.state
        if state.result == "draw":
            return SAY("why.draw", turn=state.turn, transports=state.sunk[0], u_boats=state.sunk[1])
        won = SIDES.index(state.result)
        return SAY(f"why.{won}", n=state.sunk[won], others=state.sunk[1 - won], goal=game.goals[1 - won])

    @override
    def guide(self, glance: _Glance) -> str:
        seen = glance.seen
        return SAY.get(f"guide.{seen.phase}.{seen.me}" if seen.phase is Phase.ACTION else f"guide.{seen.phase}")

    @override
    def orders(self, glance: _Glance) -> Sequence[Order]:
        return tuple(_order(glance.seen, action) for action in glance.legal)

    @override
    def ahead(self, glance: _Glance) -> Sequence[Action]:
        """While the convoy discards, nothing changes what the U-boats can play afterwards."""
        seen = glance.seen
        if seen.me != 0 or seen.phase is not Phase.DISCARD or seen.side != 1 or not seen.turn:
            return ()
        return glance.game.legal(State(Phase.ACTION, hands=(seen.hand, NONE), rows=seen.rows))

    @override
    def because(self, glance: _Glance, decision: Decision[Action]) -> str:
        seen, other = glance.seen, 1 - glance.seen.me
        match decision.action:
            case Discard(card=card):
                return _spared(glance, card)
            case Play(card=card) if card in ROWS[seen.me]:
                return _laid(glance.game, seen, card)
            case Play(card=card) if card in CLEARS:
                theirs, mine = seen.rows[other], seen.rows[seen.me]
                key = "because.clears" if theirs else "because.clears.mine" if mine else "because.clears.none"
                return SAY(key, card=card.title, n=theirs, mine=mine)
            case Play():
                wanted, chance = _due(glance)
                return SAY("because.raids", n=seen.their_size, card=wanted.title, chance=chance)
            case Pass():
                wanted = ROWS[seen.me][seen.rows[seen.me]]
                held, known = sum(seen.hand), sum(seen.my_known)
                keeps = "keeps" if not known else "keeps.some" if known < held else "keeps.open"
                key = keeps if seen.hand[wanted] else "pass"
                return SAY(f"because.{key}", card=wanted.title, n=held, known=known, unseen=sum(seen.unseen),
                           left=seen.unseen[wanted])
        return super().because(glance, decision)

    @override
    def charts(self, glance: _Glance) -> Sequence[Chart]:
        seen, may = glance.seen, glance.once(_counted)
        over = seen.phase is Phase.END
        done = [Fraction(0) if over else odds.within(seen, turns) for turns in _TURNS]
        return (
            Chart("hold", SAY("hold.title", side=SIDES[1 - seen.me]), "",
                  tuple(SAY(f"short.{card}") for card in may), tuple(map(float, may.values())),
                  tuple(percent(chance).removesuffix(" %") for chance in may.values()), True, SAY("note.hold")),
            Chart("complete", SAY("complete.title"), SAY("complete.x"), tuple(map(str, _TURNS)),
                  tuple(map(float, done)), tuple(map(percent, done)), True, SAY("note.complete")),
        )

    @override
    def facts(self, glance: _Glance) -> Table | None:
        if glance.seen.phase is Phase.END:
            return None  # the game is over: nothing is guessed any more
        seen, other = glance.seen, 1 - glance.seen.me
        row, laid, clear = ROWS[other], seen.rows[other], CLEARS[other]
        asked = {SAY("facts.next", card=row[laid].title): row[laid], SAY("facts.clear", card=clear.title): clear}
        counted, weighed = glance.once(_counted), glance.once(_weighed)
        rows = [(what, told(counted[card]), percent(weighed[card])) for what, card in asked.items()]
        if sum(seen.known):
            known = ", ".join(card.named for card in listed(seen.known))
            rows.append((SAY("facts.known", cards=known), percent(1), percent(1)))
        head = SAY("facts.card"), SAY("facts.counted"), SAY("facts.weighed")
        return Table(SAY("hold.title", side=SIDES[other]), head, tuple(rows), SAY("note.hold"))

    @override
    def happened(self, events: Sequence[Event]) -> str:
        """A game begins with its aim; cards drawn or discarded one after the other are told in one sentence."""
        if events and events[0].kind == "dealt":
            return SAY(f"start.{events[0].facts['by']}", **events[0].facts)
        told = []
        for _, group in groupby(events, lambda event: (event.kind, event.facts.get("by"), "card" in event.facts)):
            first, *others = group
            if others and first.kind in ("dealt", "drawn", "discarded"):
                cards = together([str(event.facts["card"]) for event in (first, *others)])
                told.append(SAY(first.kind, **{**first.facts, "card": cards}))
            else:
                told += [event.text for event in (first, *others)]
        return " ".join(told)

    @override
    def headline(self, events: Sequence[Event]) -> str:
        event = None if events and events[0].kind == "dealt" else gravest(events, _GRAVE)
        if event is None:
            return SAY(f"headline.start.{events[0].facts['by']}", **events[0].facts) if events else ""
        if deeds := _deeds(events, event):
            return deeds
        if event.kind == "discarded":  # both of two
            by = event.facts.get("by")
            same = [each for each in events if each.kind == event.kind and each.facts.get("by") == by]
            cards = together([str(each.facts["card"]) for each in same])
            return SAY("headline.discarded", **{**event.facts, "card": cards})
        return SAY.get(f"headline.{event.kind}", **event.facts) or event.text

    @override
    def report(self, game: WolfPack, match: Match, others: Sequence[tuple[str, Match]]) -> Table | None:
        """The story of the game: every ship sunk, every row swept away, and how it ended."""
        outcome = match.outcome
        if outcome is None:
            return None
        rows = [(str(ply.state.turn), event.text)
                for ply in match.plies for event in ply.events if event.kind in _STORY and event.facts.get("cards", 1)]
        note = f"{outcome.text} {SAY('story.analysis')}" if match.analysis else outcome.text
        return Table(SAY("story.title"), (SAY("story.turn"), SAY("story.what")), tuple(rows), note)


def _deeds(events: Sequence[Event], gravest: Event) -> str:
    """All that the other side did, in one sentence, after what the reader's own card came to; "" where no more happened
    than the gravest event tells."""
    me = voice().reader
    acts = [event for event in events if event.kind in DEEDS - {"lost"} and event.facts["by"] not in (me, None)]
    lost = next((event for event in events if event.kind == "lost"), None)
    mine = next((event for event in events if event.kind in ("struck", "dive", "sweep") and event not in acts), None)
    if lost is not None and lost.facts["by"] != me:
        mine = lost
    told = []
    for kind, group in groupby(acts, lambda event: event.kind):
        facts = [event.facts for event in group]
        if kind == "raid" and lost is not None and lost.facts["by"] == me:
            told.append(SAY("did.cost", **{**facts[0], "lost": lost.facts["card"]}))
        else:
            cards = [str(each["card"]) for each in facts if "card" in each]
            told.append(SAY(f"did.{kind}", **{**facts[-1], "card": together(cards)}))
    if me is None or not told or (len(told) == 1 and mine is None and gravest in acts and gravest.kind != "raid"):
        return ""
    *some, last = told
    said = SAY("headline.deeds" if some else "headline.deed", side=acts[0].facts.get("side", SIDES[1 - me]), by=1 - me,
               some=", ".join(some), last=last)
    return f"{SAY(f'headline.{mine.kind}', **mine.facts)} {said}" if mine is not None else said


def _camp(seen: Observation, side: int) -> Camp:
    goal, row = seen.goals[side], ROWS[side]
    name = SAY.named(SIDES[side])
    name = name[:1].upper() + name[1:]
    name = SAY("strip.you", side=name) if side == seen.me else name
    laid = SAY("strip.row", laid=seen.rows[side], of=len(row))
    return Camp(name, f"{seen.sunk[side]}/{goal}", (SAY(f"strip.sink.{side}", goal=goal), laid), BANDS[side])


def _due(glance: _Glance) -> tuple[Card, float]:
    """The next card that the opponent's row needs, and the chance, by counting, that it is in hand."""
    other = 1 - glance.seen.me
    wanted = ROWS[other][glance.seen.rows[other]]
    return wanted, float(glance.once(_counted)[wanted])


def _spared(glance: _Glance, card: Card) -> str:
    """Why a card is the one to part with."""
    seen = glance.seen
    other, n, held = 1 - seen.me, seen.hand[card], sum(seen.hand)
    mine, laid, left, of = ROWS[seen.me], seen.rows[seen.me], seen.unseen[card], seen.cards[card]
    facts = {"card": card.title, "n": n, "left": left}
    if card in ROWS[other]:
        return SAY("because.theirs", of=of, **facts)
    if card is CLEARS[other]:
        return SAY("because.only_theirs", of=of, **facts)
    if card is CLEARS[seen.me]:
        wanted, chance = _due(glance)  # one card of two kept still answers their row; the only one does not wait
        key = "early" if seen.rows[other] < 2 else "late.many" if n > 1 else "late"
        return SAY(f"because.{key}", laid=seen.rows[other], wanted=wanted.title, chance=chance, **facts)
    if card in mine:
        place = mine.index(card)
        key = "many" if n > 1 else "laid" if place < laid else "next" if place == laid else "later"
        return SAY(f"because.{key}", first=mine[min(laid, 2)].title, of=held, **facts)
    if card is Card.WATER:
        return SAY("because.water", n=held)
    return SAY("because.raid.spare", card=card.title, n=held - 1)


def _laid(game: WolfPack, seen: Observation, card: Card) -> str:
    """What a card laid in the own row brings nearer."""
    row, me = ROWS[seen.me], seen.me
    missing = row[row.index(card) + 1 :]
    if not missing:
        of = game.options["transports" if me == 0 else "u_boats"]
        return SAY(f"because.strikes.{me}", n=seen.sunk[me] + 1, of=of)
    held = [each.title for each in missing if seen.hand[each]]
    waits = SAY("and", some=missing[0].title, last=missing[1].title) if len(missing) > 1 else missing[0].title
    have = SAY("and", some=held[0], last=held[1]) if len(held) > 1 else held[0] if held else ""
    key = "all" if len(held) == len(missing) else "some" if held else "none"
    return SAY(f"because.lays.{key}", waits=waits, held=have, chance=float(odds.within(seen, 3)))


def _counted(glance: _Glance) -> dict[Card, Fraction]:
    """What the opponent may hold, by counting alone."""
    return odds.may_hold(glance.seen)


def _weighed(glance: _Glance) -> dict[Card, Fraction]:
    """The same, weighed by what is worth keeping."""
    return odds.may_hold(glance.seen, kept=True)


def _order(seen: Observation, action: Action) -> Order:
    match action:
        case Discard(card=card):
            return Order(action, SAY("order.discard", card=card.title), "", SAY("help.discard", card=card.title),
                         "discard", on_board=True)
        case Play(card=card):
            return Order(action, SAY("order.play", card=card.title), _use(seen, card), SAY(f"use.{card}"), "play",
                         on_board=True)
        case Pass():
            return Order(action, SAY("order.pass"), "", SAY("help.pass"), "leave")
    raise TypeError(f"no order for {action!r}")


def _use(seen: Observation, card: Card) -> str:
    """What a card does now, in a word or two."""
    row = ROWS[seen.me]
    if card in row:
        place = row.index(card) + 1
        return SAY("use.strikes") if place == len(row) else SAY("use.place", place=place, of=len(row))
    if card in CLEARS:
        return SAY("use.clears", n=sum(seen.rows))
    return SAY("use.costs")


PAGE = WolfPackPage()


# -- The lobby's picture: a convoy above the waves, a periscope, and a hand held face down ---------

_wave = "M0 84q10-8 20 0" + "t20 0" * 13
_freighter = "M{0} 70h62l-7 14h-48zm14 0V56h16v14m18 0V60h6v10"
PICTURE = svg(
    f'<path fill="var(--nk-sea-shallow)" d="{_wave}V140H0z"/>',
    *(f'<path class="nk-art-hull" d="{_freighter.format(x)}"/>' for x in (24, 106)),
    f'<path class="nk-art-line" d="{_wave}"/>',
    '<path class="nk-art-line" d="M54 126V98h10" stroke-width="6"/>',
    back(214, 88, -10),
    back(236, 88, 4),
    back(256, 94, 16),
)
