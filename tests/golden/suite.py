"""What the golden games of all five share: records and their logs, kept event by event.

Each golden game is stored as ``<name>.toml`` with its log beside it, by rules, keys and facts. A change of the rules or
of notation shows here, line by line. If the change is meant, write the files anew with

    NAVALKIT_RENEW=1 python -m pytest tests/golden

and look at the difference before it goes in. The seeds were chosen so that the rules listed come up.
"""

from __future__ import annotations
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

import navalkit as nk
from navalkit.core.trace import Decision, Finding
from navalkit.core.words import Event, Phrase, Said


def written(said: Any) -> str:
    """A sentence by its key and facts; anything else as it is."""
    if not isinstance(said, Said | Phrase | Event):
        return str(said)
    key = said.kind if isinstance(said, Event) else said.key
    facts = ", ".join(f"{name}={written(fact)}" for name, fact in said.facts.items())
    return f"{key}({facts})" if facts else key


def reasons(decision: Decision) -> Iterator[str]:
    """A decision, its findings and what was rejected, by rules, keys and facts."""

    def told(findings: Iterable[Finding], depth: int) -> Iterator[str]:
        for each in findings:
            yield f"{'  ' * depth}{written(each.question)} {written(each.verdict)} [{each.rule}]"
            yield from told(each.children, depth + 1)

    yield f"{decision.by}: {written(decision.action)}. {written(decision.reason)}"
    yield from told(decision.findings, 1)
    for option in decision.options:
        yield (
            f"  - {written(option.action)} {written(option.rejected)} [{option.rule}]"
            if option.rejected
            else f"  - {written(option.action)}"
        )


@dataclass(frozen=True)
class Golden:
    """One golden game.

    Parameters
    ----------
    name : str
        Of its files.
    seed : int
        Of the game, and of the players.
    shows : tuple of str
        What must come up in it: rules, as a rule.
    result : str
    players : tuple of str
        Who plays, by name.
    options : mapping
        Of the game.
    """

    name: str
    seed: int
    shows: tuple[str, ...]
    result: str
    players: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)


class GoldenSuite:
    """The tests of one game's golden games; the tests of ``golden`` run once for each (see conftest.py)."""

    game: ClassVar[str]
    folder: ClassVar[Path]
    goldens: ClassVar[Sequence[Golden]]

    def play(self, golden: Golden) -> nk.Match:
        """Play it again from its seed."""
        game = nk.load(self.game, **golden.options)
        seated = [nk.player(name, game) for name in golden.players]
        match, rng = nk.Match.new(game, golden.seed, golden.players), np.random.default_rng(golden.seed)
        while not match.over:
            match.play(seated[match.turn].decide(match.observe(), match.legal(), rng).action)
        return match

    def load(self, golden: Golden) -> nk.Match:
        """Its record, which is replayed; result and score are compared."""
        return nk.Match.load(self.folder / f"{golden.name}.toml")

    def lines(self, match: nk.Match) -> list[str]:
        """The lines of its log."""
        return [self.line(event) for event in match.log]

    def line(self, event: Event) -> str:
        """The line of an event."""
        return f"{written(event)} [{event.rule}]"

    def shown(self, match: nk.Match) -> set[str]:
        """What came up in it."""
        return {event.rule for event in match.log}

    def _log(self, match: nk.Match) -> str:
        return "".join(f"{line}\n" for line in self.lines(match))

    def renew(self) -> None:
        """Write the golden files anew."""
        self.folder.mkdir(exist_ok=True)
        for golden in self.goldens:
            match = self.play(golden)
            match.save(self.folder / f"{golden.name}.toml")
            (self.folder / f"{golden.name}.log").write_text(self._log(match), encoding="utf-8")

    def test_a_golden_record_replays_to_its_result_and_log(self, golden: Golden) -> None:
        match = self.load(golden)
        assert match.over and match.outcome is not None and match.outcome.result == golden.result
        assert self._log(match) == (self.folder / f"{golden.name}.log").read_text(encoding="utf-8")
        assert match.dumps() == (self.folder / f"{golden.name}.toml").read_text(encoding="utf-8")

    def test_its_seed_still_plays_the_same_game(self, golden: Golden) -> None:
        """Unlike the record, this may change with the generator; but then every shared link changes its game."""
        assert self.play(golden).plies == self.load(golden).plies

    def test_it_shows_what_it_is_there_for(self, golden: Golden) -> None:
        assert set(golden.shows) <= self.shown(self.load(golden))

    def test_every_file_belongs_to_a_golden_game(self) -> None:
        files = {path.stem for path in self.folder.iterdir() if path.suffix in (".toml", ".log")}
        assert files == {golden.name for golden in self.goldens}


class WholeSuite(GoldenSuite):
    """Golden games that show every rule of their game between them."""

    silent: ClassVar[set[str]]
    """Rules that leave no event in any of them."""

    def test_together_they_show_every_rule_that_has_events(self) -> None:
        shown = set().union(*(self.shown(self.load(golden)) for golden in self.goldens))
        assert set(nk.load(self.game).rules()) - shown == self.silent
