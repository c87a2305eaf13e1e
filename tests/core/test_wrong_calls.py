"""A call that is wrong is answered with one sentence at the door it came by, never with Python's insides."""

from __future__ import annotations
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, NavalkitError, OptionError, RecordError
from navalkit.games.wolf_pack.rules import WolfPack
from navalkit.players.meeting import Meeting
from navalkit.sim import joined, play, summary, write_csv
from navalkit.testing import check_game, check_player, refused, said
from ..sentences import CORE

ANY: Any = None
THREE: Any = 3
TEXT: Any = "12"


class Two:
    """Cannot be made without two things: the game, and one that nobody gives."""

    def __init__(self, game: Any, courage: Any) -> None:
        self.courage = courage

    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        return legal[0]


WRONG: dict[str, tuple[Callable[[], Any], type[NavalkitError], str]] = {
    "Match.new, no game": (lambda: nk.Match.new(ANY), OptionError, "registry.given"),
    "Match.new, a class": (lambda: nk.Match.new(WolfPack), OptionError, "registry.given"),  # type: ignore[call-overload]
    "Match.new, a text for players": (lambda: nk.Match.new("wolf-pack", players="ab"), OptionError, "arena.roles"),
    "Match.replay": (lambda: nk.Match.replay("x"), RecordError, "match.no_record"),  # type: ignore[arg-type]
    "Match.loads": (lambda: nk.Match.loads(ANY), RecordError, "record.loads"),
    "player, no game": (lambda: nk.player("random", ANY), OptionError, "registry.given"),
    "player, none": (lambda: nk.player(None, "wolf-pack"), OptionError, "own.none"),
    "player, two arguments": (lambda: nk.player(Two, "wolf-pack"), OptionError, "own.lacking"),
    "register": (lambda: nk.register(None), OptionError, "own.none"),
    "stepper": (lambda: nk.stepper("x"), OptionError, "match.none"),  # type: ignore[arg-type]
    "play": (lambda: play(ANY, "random", 1, 1), OptionError, "registry.given"),
    "check_game": (lambda: check_game(ANY), OptionError, "registry.given"),
    "check_player": (lambda: check_player("random", ANY), OptionError, "registry.given"),
    "player, one that tells no signature": (lambda: nk.player(int, "uss-lox"), OptionError, "own.none"),
    "player, named so": (lambda: nk.player("builtins:int", "uss-lox"), OptionError, "own.none"),
    "meet, until a number": (lambda: meet(until=0.05), OptionError, "meeting.until"),
    "meet, progress": (lambda: meet(progress=3), OptionError, "arena.progress"),
    "play, progress": (lambda: play("uss-lox", "random", 1, 1, progress=THREE), OptionError, "arena.progress"),
    "check_player, one seed": (lambda: check_player("random", "uss-lox", seeds=THREE), OptionError, "check.seeds"),
    "check_player, a text": (lambda: check_player("random", "uss-lox", seeds=TEXT), OptionError, "check.seeds"),
    "check_player, seconds": (lambda: check_player("random", "uss-lox", seconds=TEXT), OptionError,
                              "check.seconds"),
    "check_player, no time": (lambda: check_player("random", "uss-lox", seconds=0), OptionError, "check.seconds"),
    "observe, a truth": (lambda: match().observe(True), OptionError, "match.no_player"),
    "log_for, nobody": (lambda: match().log_for(9), OptionError, "match.no_player"),
    "log_for, a truth": (lambda: match().log_for(True), OptionError, "match.no_player"),
    "summary, nothing": (lambda: summary(ANY), DataError, "table.none"),
    "summary, numbers": (lambda: summary([1, 2]), DataError, "table.none"),  # type: ignore[list-item]
    "joined": (lambda: joined("by", {1: ANY}), DataError, "table.none"),
    "Dist": (lambda: Dist(3), DataError, "dist.weights"),  # type: ignore[arg-type]
    "Dist.sample": (lambda: Dist.uniform([1, 2]).sample(ANY), DataError, "dist.rng"),
}


def meet(**where: Any) -> Any:
    return Meeting("wolf-pack").meet("random", "greedy", 2, 1, **where)


def match() -> nk.Match:
    return nk.Match.new("wolf-pack", seed=1)


@pytest.mark.parametrize("which", WRONG)
def test_a_wrong_call_is_answered_with_one_sentence(which: str) -> None:
    call, kind, key = WRONG[which]
    with refused(kind, CORE, key):
        call()


def test_what_is_no_player_is_named_as_it_is() -> None:
    with refused(OptionError, CORE, "own.none", what="None"):
        nk.player(None, "wolf-pack")
    assert nk.player(Two, "wolf-pack", courage=1).name == "two"


@pytest.mark.parametrize("ply", ["x", None, True, 1.0, -1, 99])
def test_a_ply_is_a_whole_number_that_was_played(ply: Any) -> None:
    with pytest.raises(IndexError) as error:
        match().at(ply)
    said(error.value, CORE, "match.no_ply", cursor=match().ply)
    assert match().at(np.int64(1)) == match().at(1)  # type: ignore[arg-type]


def test_what_is_given_by_name_or_whole_is_taken() -> None:
    check_game("uss-lox", seeds=range(1), walks=1)
    assert nk.Match.new("uss-lox", seed=1, players="Ada").players == ("Ada",)


def test_a_table_that_cannot_be_written_says_where(tmp_path: Path) -> None:
    with refused(DataError, CORE, "table.cannot_write"):
        write_csv([{"a": 1}], tmp_path / "nowhere" / "table.csv")
    write_csv([{"a": 1}], tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_text(encoding="utf-8").split() == ["a", "1"]
