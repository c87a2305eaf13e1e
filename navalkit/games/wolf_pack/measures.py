"""Forecasts of games of cards, for `navalkit calibration`: what the page says of the other hand, and of the own row."""

from __future__ import annotations
import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate, product
from random import Random
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navalkit.core.awaited import Steps, finish
from navalkit.core.files import read
from navalkit.core.game import CHANCE, Permute
from navalkit.core.match import Match
from navalkit.players.generic import DRAW, Account
from navalkit.players.meeting import Result
from navalkit.players.review import Judge, Yardstick
from navalkit.prob.race import Floats, fitted
from . import odds, quick
from .bots import BOTS, CAPTAINS
from .cards import CONVOY, ROWS, SAY, SIDES, UBOATS, Card, Counts, less, show, total
from .odds import permute
from .quick import ACT, DRAWN_GAME, Table
from .rules import WolfPack
from .search import HORIZON, worth
from .state import TABLES, Action, Discard, Observation, Pass, Phase, Play, State

Forecasts = Sequence[tuple[float, bool]]


def PERMUTE(game: WolfPack) -> Permute:
    """What exchanges all that a player of ``game`` cannot see, for `navalkit.testing`."""
    return permute


Ints = NDArray[np.int_]
TURNS = (1, 2, 3, 4, 6, 8)  # turns that the chart of the own row looks ahead


_Case = tuple[int, int, tuple[int, bool], str, list[int], list[int], list[int]]
"""Whose hand, in which turn (`odds.SETTLED` at most), what lies in its row and whether it has drawn, what it did last,
and of each kind: how many are unseen, how many are known to be in the hand, and how many are in it beside those."""


def _games(seed: int, player: str, **options: Any) -> Iterator[tuple[WolfPack, State, np.random.Generator]]:
    """The positions of a game between two players of that name in which somebody decides."""
    game, rng = WolfPack(**options), np.random.default_rng(seed)
    bot, state = BOTS[player](game) if player in BOTS else None, game.initial()
    while game.turn(state) >= CHANCE:
        side = game.turn(state)
        if side == CHANCE:
            action: Any = game.chance(state).sample(rng)
        else:
            yield game, state, rng
            legal = game.legal(state)
            action = (
                bot.decide(game.observe(state, side), legal, rng).action if bot else legal[rng.integers(len(legal))]
            )
        state = game.apply(state, action).state


def counted(seed: int) -> Iterator[Forecasts]:
    """What the opponent may hold, by counting alone, if the hand is a random choice from the unseen cards."""
    for game, state, rng in _games(seed, "careful"):
        me = game.turn(state)
        shown = odds.may_hold(game.observe(state, me))
        hand = permute(state, me, rng).hands[1 - me]
        yield [(float(chance), hand[card] > 0) for card, chance in shown.items()]


def weighed(seed: int) -> Iterator[Forecasts]:
    """What the opponent may hold, weighed by what careful players keep, against a careful player, at any moment.

    One moment of a game in the quick simulator, drawn at random: what is shown is worked out of what can be seen now,
    and forgets what it was a move ago. So it cannot be right where moments are chosen by what it was before:
    `weighed_first`.
    """
    cases = list(_hands(TABLES.deck, 1, seed, share=1.0, soon=1.0))
    case = int(np.random.default_rng(seed).integers(len(cases)))
    yield from _held_or_not(cases[case : case + 1])


def weighed_first(seed: int) -> Iterator[Forecasts]:
    """The same, at the first moment of a game at which it says so much: it forgets that it said less before."""
    yield from _held_or_not(list(_hands(TABLES.deck, 1, seed, share=1.0, soon=1.0)))


def _held_or_not(cases: Sequence[_Case]) -> Iterator[Forecasts]:
    """What `odds.may_hold` weighs each hand to, and what was in it."""
    chosen = [odds.kept(side, row, drawn, did, turn) for side, turn, (row, drawn), did, *_ in cases]
    unseen, known, hand = _columns([case[4:] for case in cases])
    none = held(unseen, known, np.array(chosen, dtype=float), hand.sum(axis=1))[:, :, 0]
    shown = np.where(known > 0, 1.0, (1 - none).round(12))
    for chances, came in zip(shown.tolist(), (known + hand > 0).tolist(), strict=True):
        yield list(zip(chances, came, strict=True))


def complete(seed: int) -> Iterator[Forecasts]:
    """The chance to complete the own row within some turns, if nobody interferes (unseen cards in any order)."""
    positions = [each for each in _games(seed, "careful") if each[1].phase is Phase.ACTION]
    game, state, rng = positions[np.random.default_rng(seed).integers(len(positions))]
    me = state.side
    seen = game.observe(state, me)
    done, last = _undisturbed(game, permute(state, me, rng), me, rng)
    yield [(float(odds.within(seen, turns)), done <= turns) for turns in TURNS if turns <= last]


def _undisturbed(game: WolfPack, state: State, me: int, rng: np.random.Generator) -> tuple[int, int]:
    """On which own turn from now the row is complete, and how many own turns there are before the cards are shuffled
    again: one side collects its row, the other lays and clears nothing."""
    sunk, turns, deck, done = state.sunk[me], 0, state.shuffles, len(Card) ** 2
    while turns < TURNS[-1] and state.phase is not Phase.END:
        side = game.turn(state)
        acts = side == me and state.phase is Phase.ACTION
        action = game.chance(state).sample(rng) if side == CHANCE else _collect(game, state, side == me)
        state = game.apply(state, action).state
        if state.shuffles > deck:
            break
        turns += acts
        if state.sunk[me] > sunk:
            done = min(done, turns)
    return done, turns


def _collect(game: WolfPack, state: State, mine: bool) -> Action:
    """The due card where it is in hand; what is not needed is discarded first."""
    legal, row = game.legal(state), ROWS[state.side]
    if state.phase is Phase.ACTION:
        due = Play(row[state.rows[state.side]])
        return due if mine and due in legal else Pass()
    needed = row[state.rows[state.side] :] if mine else ()
    hand = state.hands[state.side]
    spare = [a for a in legal if isinstance(a, Discard) and (a.card not in needed or hand[a.card] > 1)]
    return spare[0]


class _Hints:
    """What hints say of the chance to win, from one of the starts that a new game offers: at any decision of careful
    players, the game played on by careful players after what was hinted."""

    def __init__(self, title: str, options: Mapping[str, Any]) -> None:
        self.options, self.__doc__ = options, SAY("calibrate.hints", start=title)

    def __call__(self, seed: int) -> Iterator[Forecasts]:
        moments = [each for each in _games(seed, "careful", **self.options) if len(each[0].legal(each[1])) > 1]
        rng = np.random.default_rng(seed)
        game, state, _ = moments[int(rng.integers(len(moments)))]
        me, careful = state.side, BOTS["careful"](game)
        hint = BOTS["ismcts"](game).decide(game.observe(state, me), game.legal(state), rng)
        state = game.apply(state, hint.action).state
        while (side := game.turn(state)) >= CHANCE:
            action = (game.chance(state).sample(rng) if side == CHANCE else
                      careful.decide(game.observe(state, side), game.legal(state), rng).action)
            state = game.apply(state, action).state
        yield [(float(hint.options[0].value), state.result == SIDES[me])]


HINTS = {
    f"hints_{each['title'].lower().replace(' ', '_')}": (_Hints(each["title"], each.get("options", {})), 400)
    for each in read("navalkit.games.wolf_pack", "starts.toml")["start"]
}
PREDICTIONS = {"counted": (counted, 300), "weighed": (weighed, 1200), "weighed_first": (weighed_first, 600),
               "complete": (complete, 800), **HINTS}
"""Which of the page's numbers are measured, and over how many games."""


def ACCOUNT(match: Match) -> Account:
    """What a finished game came to, in turns; nothing but strikes decides one, save the last turn."""
    result = match.state.result
    winner = SIDES.index(result) if result in SIDES else DRAW
    return Account(winner, match.state.turn, "turns", clock=winner == DRAW)


# -- How the default deck was found: a script that can be run again --------------------------------
#     python -m navalkit.games.wolf_pack.measures              the default deck, measured
#     python -m navalkit.games.wolf_pack.measures --search     the decks of the grid, best balanced first
#     python -m navalkit.games.wolf_pack.measures --kept       what careful players keep (kept.toml)
#     python -m navalkit.games.wolf_pack.measures --race       who is ahead by how much (data.toml, [race])
#
# How its players stand against each other: ``navalkit tournament wolf-pack``.
#
# The source's card list is lost but for 12 SONAR. A good deck holds every kind; between two players of one skill, be
# they careful or greedy, each side wins 45 to 55 games in a hundred; the median game takes 25 to 55 turns.

FAIR = (0.45, 0.55)
LENGTH = (25, 55)
SHARE, SOON, ROUNDS, DOUBT, LEAST = 0.15, 0.6, 20, 2.0, 0.003
"""Which part of all decisions the weights of what is kept are fitted to, and which of those of the first turns, in how
many rounds, how many cards the usual weights count for beside those of a rare moment, and the least weight: an opponent
need not be careful."""


def measure(deck: Counts, games: int, seed: int,
            players: tuple[quick.Policy, quick.Policy] = (quick.CAREFUL, quick.CAREFUL)) -> Result:
    """Simple players against each other in the quick simulator. ``games``: 1 or more. ``players``: U-boats first."""
    game, rng = WolfPack(), Random(seed)
    points, turns = 0.0, []
    for _ in range(games):
        table = Table.new(deck, game.goals, game.options["turn_limit"], rng)
        quick.play_out(table, players, table.limit)
        points += 0.5 if table.winner == DRAWN_GAME else float(table.winner == 0)
        turns.append(table.turn)
    return Result(games, points / games, median(turns), "turns")


def grid() -> Iterator[Counts]:
    """The decks looked at: SONAR as the source has it, and the rest within what looks like a deck of cards."""
    sonar = TABLES.deck[Card.SONAR]
    attacks = product((12, 13, 14), (13, 14), (12, 13, 14), (8, 9), (7, 8))
    for (periscope, torpedo, transport, charges, u_boat), water in product(attacks, (8,)):
        yield (periscope, torpedo, transport, sonar, charges, u_boat, 4, 4, 4, 4, water)


def search(games: int, seed: int) -> list[tuple[Counts, Result, Result]]:
    """The decks of the grid that are fair between careful players and between greedy ones and of the right length.

    A first look at a quarter of the games throws out what is far off.

    The deck, careful and greedy players on both sides; the best first: the one whose worse share of the two is nearest
    to even.
    """
    found = []
    both: list[tuple[quick.Policy, quick.Policy]] = [(quick.CAREFUL, quick.CAREFUL), (quick.GREEDY, quick.GREEDY)]
    for deck in grid():
        if any(abs(measure(deck, max(1, games // 4), seed, pair).share - 0.5) > 0.08 for pair in both):
            continue
        careful, greedy = (measure(deck, games, seed + 1, pair) for pair in both)
        fair = all(FAIR[0] <= result.share <= FAIR[1] for result in (careful, greedy))
        if fair and LENGTH[0] <= careful.length <= LENGTH[1]:
            found.append((deck, careful, greedy))
    return sorted(found, key=lambda row: max(abs(result.share - 0.5) for result in row[1:]))


def measure_kept(deck: Counts, games: int, seed: int) -> list[dict[str, Floats]]:
    """The weights under which careful players' hands are as likely as they come (`odds.kept`), U-boats first: the key
    of kept.toml -> weights of the first, second and further cards of each kind, shape (11, 3).

    A careful player keeps the card that is due before one that is laid already, a second copy before a raid and a raid
    before a third, and lays what is due: so each kind has weights of its own by how many cards lie in the row, by
    whether the side has drawn since it acted, and by what it did then. They are fitted so that over some of the
    opponent's decisions a first, second and further card of each kind is held as often as the weights say. In the first
    turns a hand has been chosen once or twice only and is less select: what that changes is fitted by turn.
    """
    cases = list(_hands(deck, games, seed))
    found = []
    for side in (UBOATS, CONVOY):
        usual = dict[str, Floats]()
        own = [case for case in cases if case[0] == side]
        for what in ("any", "pass", "raid", "clear", "lay", "struck", "cleared"):
            for row, drawn in product(range(3), (True, False)):
                here = [case[4:] for case in own if case[1:3] == (odds.SETTLED, (row, drawn))
                        and what in ("any", case[3])]
                if here:
                    start = usual.get(_chosen(row, drawn, "any"), np.ones((len(Card), 3)))
                    usual[_chosen(row, drawn, what)] = _fitted(*_columns(here), start)
        for turn, drawn in product(range(1, odds.SETTLED), (True, False)):
            soon = [case for case in own if case[1] == turn and case[2][1] == drawn]
            if soon:
                base = np.stack([usual.get(_chosen(*case[2], case[3]), usual[_chosen(*case[2], "any")])
                                 for case in soon])
                usual[f"turn {turn} {_drawn(drawn)}"] = _fitted(*_columns([case[4:] for case in soon]),
                                                               np.ones((len(Card), 3)), base)
        found.append(usual)
    return found


def _chosen(row: int, drawn: bool, did: str) -> str:
    return f"{row} {_drawn(drawn)} {did}"


def _drawn(drawn: bool) -> str:
    return "drawn" if drawn else "left"


def _columns(cases: Sequence[Any]) -> tuple[Ints, Ints, Ints]:
    unseen, known, hand = np.array(cases).transpose(1, 0, 2)
    return unseen, known, hand


class _Watched(Table):
    """A table that notes what is known of hands (rule W13) and what each side did last."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.known = [[0] * len(Card), [0] * len(Card)]
        self.last: list[Action | None] = [None, None]

    def draw(self, side: int, n: int) -> None:
        for _ in range(n):
            if not self.deck and any(self.pile):
                self.known = [list(hand) for hand in self.hands]
            super().draw(side, 1)

    def lose(self, side: int) -> int:
        card = super().lose(side)
        self._left(side, card)
        return card

    def move(self, card: int) -> None:
        if self.stage >= ACT:
            self.last[self.side] = Pass() if card == quick.PASS else Play(Card(card))
        if card != quick.PASS:
            self._left(self.side, card)
        super().move(card)

    def _left(self, side: int, card: int) -> None:
        self.known[side][card] -= self.known[side][card] > 0


def _hands(deck: Counts, games: int, seed: int, share: float = SHARE, soon: float = SOON) -> Iterator[_Case]:
    """Hands of careful players as their opponents decide: these shares of all, and of the first turns."""
    game, rng, pick = WolfPack(), Random(seed), Random(seed + 1)
    for _ in range(games):
        table = _Watched.new(deck, game.goals, game.options["turn_limit"], rng)
        assert isinstance(table, _Watched)
        while table.winner < 0:
            side, acts = 1 - table.side, table.stage >= ACT
            turn = min(table.turn, odds.SETTLED)
            chosen = acts or table.turn > 1 or side == UBOATS
            if pick.random() < (share if turn == odds.SETTLED else soon) and chosen:
                row, drawn = table.rows[side], acts == (side == CONVOY)  # both draw before the U-boats act
                hand = less(tuple(table.hands[side]), tuple(table.known[side]))
                unseen = total(hand, np.bincount(table.deck, minlength=len(Card)).tolist())
                did = odds.did(side, row, (table.last[0], table.last[1]))
                yield side, turn, (row, drawn), did, list(unseen), table.known[side], list(hand)
            table.move(quick.choose(table, quick.CAREFUL))


def _fitted(unseen: Ints, known: Ints, hand: Ints, start: Floats, base: Floats | float = 1.0) -> Floats:
    """Weights fitted by proportional steps from ``start``, which counts like `DOUBT` more cards of each place.
    ``base``: of each case, what its weights are multiplied with."""
    weights, places = start, np.arange(1, 4)
    for _ in range(ROUNDS):
        chances = held(unseen, known, base * weights, hand.sum(axis=1))
        copies = np.arange(chances.shape[2])
        # [case, kind, h]: how many of h unknown cards are the first, the second, or further ones of their kind
        ranks = [np.clip(known[..., None] + copies, 0, None if last else place)
                 - np.clip(known, place - 1, None if last else place)[..., None]
                 for place, last in zip(places, (False, False, True), strict=True)]
        each = [np.maximum(rank, 0) for rank in ranks]
        came = [np.take_along_axis(rank, hand[..., None], 2).sum(axis=(0, 2)) for rank in each]
        expected = [(rank * chances).sum(axis=(0, 2)) for rank in each]
        weights = weights * (np.stack(came, 1) + DOUBT) / (np.stack(expected, 1) + DOUBT)
    return np.maximum(weights / np.median(weights[:, 0]), LEAST)


def held(unseen: Ints, known: Ints, weights: Floats, size: Ints) -> Floats:
    """The chance that a hand holds h unknown cards of each kind, shape (cases, 11, most + 1): `Belief` in floats.

    ``unseen``, ``known``: shape (cases, 11). ``weights``: of the first, second ... card, shape (11, n), or of each case
    its own. ``size``: unknown cards in the hand, shape (cases,).
    """
    most = int(size.max())
    weights = np.broadcast_to(weights, (len(unseen), *weights.shape[-2:]))
    ways = np.ones((most + 1, *unseen.shape))
    for h in range(1, most + 1):
        place = np.minimum(known + h, weights.shape[2]) - 1
        worth_it = np.take_along_axis(weights, place[..., None], 2)[..., 0]
        ways[h] = ways[h - 1] * np.maximum(unseen - h + 1, 0) / h * worth_it
    rows = ways.transpose(2, 1, 0)  # [kind, case, h]
    before = list(accumulate(rows, _times, initial=np.eye(1, most + 1).repeat(len(unseen), 0)))
    after = list(accumulate(rows[::-1], _times, initial=before[0]))[::-1]
    rest = size[:, None] - np.arange(most + 1)
    case = np.arange(len(unseen))
    chances = np.stack([row * np.where(rest < 0, 0, _times(before[i], after[i + 1])[case[:, None], np.maximum(rest, 0)])
                        for i, row in enumerate(rows)], 1)
    return np.asarray(chances / before[-1][case, size][:, None, None])


def _times(a: Floats, b: Floats) -> Floats:
    """The products of polynomials, a row each, cut at their length."""
    found = np.zeros_like(a)
    for h in range(a.shape[1]):
        found[:, h:] += a[:, h : h + 1] * b[:, : b.shape[1] - h]
    return found


def kept_file(found: Sequence[Mapping[str, Floats]], games: int, seed: int) -> str:
    """kept.toml."""
    lines = [SAY("calibrate.kept_head")]
    for side, tables in zip(("u_boats", "convoy"), found, strict=True):
        lines += ["", f"[{side}]", f'source = "derived: measures --kept -n {games} --seed {seed}, careful players"']
        for key, weights in sorted(tables.items()):
            rows = ", ".join("[" + ", ".join(f"{weight:.3g}" for weight in row) + "]" for row in weights)
            lines.append(f'"{key}" = [{rows}]')
    return "\n".join(lines)


ENOUGH, LATE = 12, 600
"""For how many ships still to sink the race is fitted, and after how many turns its games are broken off."""
EVERY = 7
"""One action in this number is looked at in such a game: neighbours are much alike. Odd, so that both sides are met."""


def measure_race(games: int, seed: int) -> dict[str, list[float]]:
    """The numbers of data.toml's ``race``, fitted to careful players who play on without an end: who comes first to the
    a-th strike from a turn on, against the other side's b-th, is who wins with a and b ships still to sink."""
    won, seen = _strikes(games, seed)
    looked = won / np.maximum(seen, 1)[:, None, None]
    ships = np.arange(1.0, ENOUGH + 1)
    transports, u_boats = np.meshgrid(ships, ships, indexing="ij")

    def model(numbers: Floats) -> tuple[Floats, Floats]:
        pace, (noise, other), rows = numbers[0], numbers[1:3], len(seen)
        ahead, spread = numbers[3 : 3 + rows, None, None], numbers[3 + rows :, None, None]
        lead = u_boats * pace - transports * (1 - pace) + ahead
        return lead.ravel(), (transports * noise + u_boats * other + spread).ravel()

    start = np.array([0.6, 0.08, 0.06, *np.zeros(2 * len(seen))])
    weight = np.repeat(seen / ENOUGH**2, ENOUGH**2)
    numbers = fitted(model, start, looked.ravel(), weight)
    pace, rest = numbers[0], list(numbers[3:])
    found = {"strike": [1 - pace, pace], "noise": list(numbers[1:3]), "ahead": rest[: len(seen)],
             "spread": rest[len(seen) :]}
    return {name: [round(float(n), 4) for n in row] for name, row in found.items()}


def _strikes(games: int, seed: int) -> tuple[Floats, Floats]:
    """How often the U-boats' a-th strike came before the convoy's b-th, shape (19, `ENOUGH`, `ENOUGH`), as numbered by
    `odds.standing`; and how many moments were looked at, shape (19,)."""
    won, seen, rng = np.zeros((19, ENOUGH, ENOUGH)), np.zeros(19), Random(seed)
    for _ in range(games):
        table = Table.new(TABLES.deck, (LATE, LATE), LATE, rng)
        marks, struck, moment, last = list[tuple[int, int]](), (list[int](), list[int]()), 0, -1
        while table.winner < 0:
            now = 2 * table.turn + (table.stage == ACT + CONVOY)
            if now != last:
                marks.append((moment, odds.standing((table.rows[0], table.rows[1]), now % 2, table.turn)))
                last = now
            before = tuple(table.sunk)
            table.move(quick.choose(table, quick.CAREFUL))
            moment += 1
            for side in (UBOATS, CONVOY):
                struck[side].extend([moment] * (table.sunk[side] - before[side]))
        times = [np.array(each) for each in struck]
        for moment, what in marks[::EVERY]:
            first = [each[np.searchsorted(each, moment, side="right") :][:ENOUGH] for each in times]
            if min(map(len, first)) < ENOUGH:
                break
            won[what] += first[0][:, None] < first[1]
            seen[what] += 1
    return won, seen


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the script; ``arguments`` as on the command line."""
    parser = argparse.ArgumentParser(prog="calibrate", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--search", action="store_true", help=SAY("calibrate.search"))
    parser.add_argument("--kept", action="store_true", help=SAY("calibrate.kept"))
    parser.add_argument("-n", type=int, default=4000, help=SAY("calibrate.n"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--race", action="store_true", help=SAY("calibrate.race"))
    given = parser.parse_args(arguments)
    if given.race:
        print("\n".join(f"{name} = {numbers}" for name, numbers in measure_race(given.n, given.seed).items()))
    elif given.search:
        for deck, careful, greedy in search(given.n, given.seed)[:10]:
            found = SAY("calibrate.found", careful=careful, greedy=greedy)
            print(SAY("calibrate.deck", deck=show(deck), cards=sum(deck)), found)
    elif given.kept:
        print(kept_file(measure_kept(TABLES.deck, given.n, given.seed), given.n, given.seed))
    else:
        print(SAY("calibrate.deck", deck=show(TABLES.deck), cards=sum(TABLES.deck)))
        for name in (quick.CAREFUL, quick.GREEDY):
            share = measure(TABLES.deck, given.n, given.seed, (name, name))
            print(SAY("calibrate.both", name=name.name, share=share))


if __name__ == "__main__":
    main()


# -- How the review after a game of Wolf Pack measures: in chances to win, over the hands the other side may hold

def imagined(game: WolfPack, seen: Observation, n: int, rng: np.random.Generator) -> Steps[list[State]]:
    """``n`` states that look the same to the side that decides: the other hand drawn as `odds.likely` has it, the rest
    in the deck."""
    yield None
    belief, luck, me = odds.Belief(seen, odds.likely(seen)), Random(int(rng.integers(2**62))), seen.me
    found = []
    for _ in range(n):
        theirs = belief.sample(luck)
        hands, known = ((seen.hand, theirs), (seen.my_known, seen.known))
        found.append(State(
            seen.phase, seen.side, seen.turn, 0, hands if me == UBOATS else hands[::-1], seen.rows, seen.sunk,
            seen.discards, seen.pool, less(total(seen.unseen, seen.known), theirs), seen.shuffles,
            known=known if me == UBOATS else known[::-1], last=seen.last, result=seen.result
        ))
    return found


def rest(game: WolfPack, state: State, me: int, crew: Sequence[Any], rng: np.random.Generator,
         ahead: int = HORIZON) -> float:
    """A side's chance to win, found as hints find it: some turns are played on in plain numbers, and then judged."""
    seen, theirs = game.observe(state, state.side), state.hands[1 - state.side]
    table = Table.guess(seen, theirs, Random(int(rng.integers(2**62))))
    quick.play_out(table, [captain.policy for captain in crew], state.turn + ahead)
    found = worth(table)
    return found if me == UBOATS else 1 - found


_GREEDY = {"greedy", *(captain.name for captain in CAPTAINS if captain.player == "greedy")}
REVIEW = Yardstick(("careful",), by=SAY.phrase("review.by"), hints="ismcts", worlds=imagined, rest=rest, ahead=HORIZON,
                   times=20, rivals={name: "greedy" if name in _GREEDY else "careful" for name in BOTS})


def PROOF(match: Match, ply: int, taken: Action, better: Action, pairs: int, seed: int) -> tuple[float, float]:
    """What another order would have been worth more, by games played to their end, where the review breaks off and
    judges. For `sim.reviews`.

    Parameters
    ----------
    match : Match
    ply : int
        The plies before the order.
    taken, better : Action
        The order that was given, and the other one.
    pairs : int
        Games after either.
    seed : int
        Of these games.

    Returns
    -------
    tuple of float
        The mean, and its standard error, as a chance to win.

    Examples
    --------
    >>> import navalkit as nk
    >>> match = nk.Match.new("wolf-pack", seed=1)
    >>> ply, order = match.ply, match.legal()[0]
    >>> _ = match.play(order)
    >>> PROOF(match, ply, order, order, pairs=4, seed=1)[0]
    0.0
    """
    whole = replace(REVIEW, rest=partial(rest, ahead=match.game.options["turn_limit"]), ahead=0)
    return finish(Judge(match, match.plies[ply].by, whole, seed).gain(ply, pairs, taken, better))
