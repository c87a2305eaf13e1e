"""Whether a game's scenarios are fair, long enough, and decided by more than one blow: every scenario, every pair.

Each scenario of a game (the values of its option ``scenario``) is played by every pair of captains, each on either
side; a game in which one player decides is played by each captain alone. The game says what a match came to
(``ACCOUNT`` of its package, `players.generic.Account`).
"""

from __future__ import annotations
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import product
from typing import Any

import numpy as np

from navalkit.core.awaited import Steps, part
from navalkit.core.game import Game
from navalkit.core.match import Match
from navalkit.core.registry import load, package, package_of
from navalkit.core.trace import thinking
from navalkit.core.words import Words
from navalkit.players import player
from navalkit.players.arena import LONGEST, Entrant, FailedError, Games, endless, game_seed, name_of, run
from navalkit.players.generic import DRAW, Account, Accountant, plain
from navalkit.players.meeting import Measured, figures
from navalkit.prob.intervals import wilson


@dataclass(frozen=True, slots=True)
class Row:
    """A scenario between two captains."""

    scenario: str
    captains: tuple[str, ...]
    """By player number."""
    accounts: tuple[Account, ...]
    """One a game."""

    @property
    def games(self) -> int:
        return len(self.accounts)

    @property
    def share(self) -> float:
        """The first player's share of the points, a draw half a point."""
        return sum(0.5 if a.winner == DRAW else float(a.winner == 0) for a in self.accounts) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        return wilson(self.share, self.games)

    @property
    def draws(self) -> int:
        return sum(a.winner == DRAW for a in self.accounts)

    @property
    def lengths(self) -> tuple[float, float, float]:
        """The quartiles of the length: a quarter of the games are shorter than the first."""
        low, middle, high = np.percentile([a.length for a in self.accounts], (25, 50, 75))
        return float(low), float(middle), float(high)

    @property
    def lead_changes(self) -> float:
        """How often the lead changes in a game, on average."""
        return float(np.mean([a.lead_changes for a in self.accounts]))

    @property
    def decided(self) -> Mapping[str, float]:
        """What decided the games -> its share of them, the most frequent first."""
        counts = Counter(a.decided for a in self.accounts if a.decided)
        return {what: n / self.games for what, n in counts.most_common()}

    @property
    def one_blow(self) -> float:
        """The share of games that one blow alone decided."""
        return sum(a.one_blow for a in self.accounts) / self.games

    @property
    def clock(self) -> float:
        """The share of games that lasted to the last move with nothing decided."""
        return sum(a.clock for a in self.accounts) / self.games

    def data(self) -> dict[str, Any]:
        """All of it, for JSON; of a row whose games all failed, that there are none."""
        if not self.accounts:
            return {"scenario": self.scenario, "captains": list(self.captains), "games": 0}
        low, high = self.interval
        return {
            "scenario": self.scenario, "captains": list(self.captains), "games": self.games, "share": self.share,
            "interval": [low, high], "draws": self.draws, "length": list(self.lengths),
            "unit": self.accounts[0].unit, "lead_changes": self.lead_changes, "decided": dict(self.decided),
            "one_blow": self.one_blow, "clock": self.clock,
        }


def starts(game: str) -> Mapping[str, Mapping[str, Any]]:
    """Name -> options: the scenarios of a game; of one for two without scenarios, the ways to begin that it
    offers, by their titles ("a-short-hunt"); "" of any other."""
    made = load(game)
    if spec := next((spec for spec in made.specs if spec.name == "scenario"), None):
        return {name: {"scenario": name} for name in spec.choices}
    rows = package(game).beginnings if made.deciders > 1 else ()
    return {row["title"].lower().replace(" ", "-"): row.get("options", {}) for row in rows} or {"": {}}


def balance(game: str, captains: Sequence[Entrant], n: int, seed: int = 1, *, only: Sequence[str] = (),
            options: Mapping[str, Any] | None = None, **where: Any) -> Iterable[Row]:
    """Play every scenario with every pair of captains, each pair both ways round; a row comes as soon as it is
    known. ``captains``: machine players. ``n``: games a row. ``seed``: of the run; game number i of
    every row has the same seed. ``only``: scenarios; all if left out.
    ``options``: of the game, besides the scenario. ``**where``: ``executor``, ``kept`` and ``progress``, as for
    `players.arena.run`. A row whose games all failed has none; DataError in the end if that is so of every row."""
    failed, played = None, False
    for scenario, seated, games in lots(game, captains, seed, only=only, options=options):
        try:
            accounts = tuple(account_of(row) for row in run(games, n, **where) if not row.get("error"))
        except FailedError as error:
            failed, accounts = failed or error, ()
        played |= bool(accounts)
        yield Row(scenario, tuple(map(name_of, seated)), accounts)
    if failed and not played:
        raise failed


def lots(game: str, captains: Sequence[Entrant], seed: int, *, only: Sequence[str] = (),
         options: Mapping[str, Any] | None = None) -> Iterable[tuple[str, tuple[Entrant, ...], Games]]:
    """The games of each row of `balance`: its scenario, who sits where, and they."""
    one = load(game, **(options or {}))
    roles = len(one.players) if one.deciders > 1 else 1
    for scenario in only or starts(game):
        made = load(game, **{**(options or {}), **starts(game)[scenario]})
        for seated in product(captains, repeat=roles):
            yield scenario, seated, Games(made, (seated,), seed, told={"scenario": scenario}, row=_accounted)


def trial(game: Game[Any, Any], captains: Sequence[str], n: int, seed: int = 1,
          tell: Callable[[Row], None] = lambda row: None) -> Steps[Row]:
    """Play a game n times, in steps, for a page that stays alive meanwhile; ``captains``: one for each who decides.
    ``tell`` is called with what has come of it so far after each game."""
    accounts: list[Account] = []
    account: Accountant = package_of(game).offered("ACCOUNT", plain)
    seats = [side for side in range(len(game.players)) if side not in game.automatic]
    players = {side: player(name, game) for side, name in zip(seats, captains, strict=True)}
    for number in range(n):
        match = Match.new(game, game_seed(seed, number))
        while not match.over:
            if match.ply > LONGEST:
                raise endless(match)
            side, rng = match.turn, np.random.default_rng([seed, number, match.ply])
            thought = thinking(players[side], match.observe(side), match.legal(), rng)
            match.play((yield from part(thought, number / n, number / n)).action)
            yield number / n
        accounts.append(account(match))
        tell(Row("", tuple(captains), tuple(accounts)))
    return Row("", tuple(captains), tuple(accounts))


def _accounted(match: Match) -> dict[str, Any]:
    """What a match came to, as columns of its row."""
    account: Accountant = package_of(match.game).offered("ACCOUNT", plain)
    found = asdict(account(match))
    return found | {"leads": " ".join(map(repr, found["leads"]))}


def account_of(row: Mapping[str, Any]) -> Account:
    """The account that a row has."""
    found = {each.name: row[each.name] for each in fields(Account)}
    return Account(**found | {"leads": tuple(map(float, str(found["leads"] or "").split()))})


SAY = Words.load("navalkit.sim", "balance.toml")
HEAD = tuple(SAY("head").split(" | "))
"""What the columns of the table hold."""


def cells(row: Row) -> tuple[str, ...]:
    """A row as texts, under `HEAD`; what has no value is empty."""
    if not row.accounts:
        return row.scenario, " : ".join(row.captains), "0", *[""] * (len(HEAD) - 3)
    low, high = row.interval
    short, middle, long = row.lengths
    decided = ", ".join(f"{what} {share:.0%}" for what, share in row.decided.items())
    return (
        row.scenario, " : ".join(row.captains), f"{row.games:,}", f"{row.share:.0%} ({low:.0%} to {high:.0%})",
        str(row.draws), f"{middle:g} ({short:g} to {long:g}) {row.accounts[0].unit}", f"{row.lead_changes:.1f}",
        decided, f"{row.one_blow:.0%}",
    )


def markdown(rows: Iterable[Row]) -> str:
    """The rows as a table in Markdown."""
    return table(HEAD, map(cells, rows))


STATED = tuple(SAY("stated").split(" | "))


def stated(game: str) -> str:
    """What stands in players/figures.toml of a game's scenarios, as the table of docs/figures.md; a sentence if that is
    nothing."""
    found = [each for each in figures().values() if each.game == game and each.kind == "balance"]
    return table(STATED, map(_stated, found)) if found else SAY("nothing", title=load(game).title)


def _stated(of: Measured) -> tuple[str, ...]:
    low, high = (100 * end for end in of.interval)
    side = f"{of.sides[0]} " if of.sides else ""
    title = of.title or of.name.partition("/")[2].replace("_", " ").title()
    decided = ", ".join(f"{what} {100 * share:.0f} %" for what, share in of.decided.items())
    return (
        of.name, title, f"{side}{100 * of.value:.0f} % ({low:.0f} to {high:.0f})",
        ", ".join(f"{100 * share:.0f} %" for share in of.runs), of.players[0], str(of.games),
        ", ".join(map(str, of.seeds)), " to ".join(f"{n:g}" for n in of.length) + f" {of.unit}" if of.length else "",
        decided, f"{100 * of.one_blow:.0f} %" if decided and of.sides else "",  # who plays alone deals no such blow
        f"{100 * of.clock:.0f} %" if of.clock is not None else "", made_by(of),
    )


def made_by(of: Measured) -> str:
    """The rules and the code that a figure was made by, as its table has them."""
    return SAY(f"again.{bool(of.sample)}", made=", ".join(filter(None, (of.rules, of.code))))


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Lines as a table of Markdown."""
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ("---",) * len(head), *lines))
