"""Options, rulebook and registry."""

from __future__ import annotations
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import navalkit as nk
from navalkit.core._sums import checked_weight
from navalkit.core.dist import Dist
from navalkit.core.errors import LONGEST_ECHO, DataError, NavalkitError, OptionError, brief
from navalkit.core.files import _read as rules_file, rulebook
from navalkit.core.game import OptionSpec, check_options, read_options
from navalkit.core.match import Match
from navalkit.core.record import GameRecord
from navalkit.core.registry import game_class, load, names
from navalkit.core.words import Phrase
from navalkit.testing import refused
from ..sentences import CORE

SPECS = (
    OptionSpec("fog", False, "Fog", "Whether there is fog."),
    OptionSpec("rows", 10, "Rows", "How many rows.", low=8, high=14),
    OptionSpec("side", "red", "Side", "Who begins.", choices=("red", "blue")),
)


def test_defaults_are_filled_in_and_the_order_is_that_of_the_specs() -> None:
    assert list(check_options("sea", SPECS, {"rows": 9}).items()) == [
        ("fog", False),
        ("rows", 9),
        ("side", "red"),
    ]


def test_options_are_read_from_rows_with_their_source_and_take_what_code_adds() -> None:
    row = {"name": "side", "default": "red", "label": "Side", "help": "Who begins.", "rule": "T1", "source": "ruling"}
    assert read_options([{**row, "choices": ["red", "blue"]}]) == (SPECS[2],)
    (spec,) = read_options([row], side={"read": str.lower, "form": "a colour"})
    assert check_options("sea", [spec], {"side": "GREEN"}) == {"side": "green"}
    with refused(DataError, CORE, "data.source", where="option side", source="'hearsay'"):
        read_options([{**row, "source": "hearsay"}])


def test_options_cannot_be_changed_afterwards() -> None:
    with pytest.raises(TypeError):
        nk.load("uss-lox").options["jokers"] = True  # type: ignore[index]


@pytest.mark.parametrize(
    "name, text, value",
    [
        ("fog", " Yes ", True),
        ("fog", "off", False),
        ("fog", "1", True),
        ("rows", "12", 12),
        ("side", "blue", "blue"),
    ],
)
def test_texts_are_read(name: str, text: str, value: object) -> None:
    assert check_options("sea", SPECS, {name: text})[name] == value


TRUE_FALSE, WHOLE = CORE("options.true_false"), CORE("options.whole_number", low=8, high=14)


@pytest.mark.parametrize(
    "name, value, sentence",
    [
        ("fog", "maybe", CORE.phrase("options.wrong", name="fog", values=TRUE_FALSE, value="'maybe'")),
        ("fog", 1, CORE.phrase("options.wrong", name="fog", values=TRUE_FALSE, value=1)),
        ("rows", 7, CORE.phrase("options.wrong", name="rows", values=WHOLE, value=7)),
        ("rows", True, CORE.phrase("options.wrong", name="rows", values=WHOLE, value=True)),
        ("rows", 9.0, CORE.phrase("options.wrong", name="rows", values=WHOLE, value=9.0)),
        ("rows", "²", CORE.phrase("options.wrong", name="rows", values=WHOLE, value="'²'")),
        ("side", "green", CORE.phrase("options.wrong", name="side", value="'green'")),
        ("mist", 1, CORE.phrase("options.unknown", owner="sea", name="'mist'")),
    ],
)
def test_what_is_wrong_is_named_with_what_would_be_right(name: str, value: object, sentence: Phrase) -> None:
    with refused(OptionError, sentence):
        check_options("sea", SPECS, {name: value})


def test_brief_is_short_whatever_it_is_given() -> None:
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    for value in ("x" * 10**6, 16**9000, -(16**9000), nested, {"a": nested}, None, 1.5, True):
        assert len(brief(value)) <= 70
    while nested:  # taken apart by hand, for Python's own way is recursive
        nested = nested.pop()  # type: ignore[assignment]


def test_games_are_equal_by_their_options_and_can_be_pickled() -> None:
    game = nk.load("uss-lox", jokers="yes")
    assert game == nk.load("USS_LOX", jokers=True) and hash(game) == hash(nk.load("uss-lox", jokers=True))
    assert game != nk.load("uss-lox") and game != "uss-lox"
    assert pickle.loads(pickle.dumps(game)) == game
    assert repr(game) == "<uss-lox jokers=True>"


def test_an_unknown_game_is_refused_with_the_names_of_those_there_are() -> None:
    assert "uss-lox" in names()
    with refused(OptionError, CORE, "registry.unknown", name="'chess'"):
        game_class("chess")
    with refused(OptionError, CORE, "options.unknown", name="'name'"):
        nk.load("uss-lox", name="x")


# The rulebook


@pytest.fixture
def write_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    def write(text: str) -> str:
        package = tmp_path / "ruled"
        package.mkdir()
        (package / "__init__.py").touch()
        (package / "RULES.md").write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "ruled", raising=False)
        rules_file.cache_clear()
        return "ruled"

    yield write
    rules_file.cache_clear()


def test_rules_are_read_with_their_sources(write_rules) -> None:  # type: ignore[no-untyped-def]
    rules = rulebook(
        write_rules("# T\n\n- **R1** Sail on. [seed 1]\n- **R2.3a** Fire\n  at once. [seed 2; ruling: why]\n")
    )
    assert list(rules) == ["R1", "R2.3a"]
    assert (rules["R1"].text, rules["R1"].source, rules["R1"].ruling) == ("Sail on.", "seed 1", "")
    assert (rules["R2.3a"].text, rules["R2.3a"].source, rules["R2.3a"].ruling) == (
        "Fire at once.",
        "seed 2",
        "why",
    )


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("- **R1** No source.\n", CORE.phrase("rulebook.item")),
        ("- R1 no id. [seed 1]\n", CORE.phrase("rulebook.item")),
        ("- **R1** A. [seed]\n- **R1** B. [seed]\n", CORE.phrase("rulebook.twice", id="R1")),
    ],
)
def test_a_rule_without_id_or_source_is_refused(write_rules, text: str, sentence: Phrase) -> None:  # type: ignore[no-untyped-def]
    with refused(DataError, sentence):
        rulebook(write_rules(text))


@pytest.mark.parametrize("name", names())
def test_every_games_rules_name_their_source(name: str) -> None:
    rules = nk.load(name).rules()
    assert rules and all(rule.text and (rule.source or rule.ruling) for rule in rules.values())


def test_the_toy_is_a_game(toys: ModuleType) -> None:
    assert isinstance(nk.load("toy", cards=5), toys.Toy)


LONG = "x" * 5000


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: brief_error("\U000e0001" * 5000),
        lambda: load(LONG),
        lambda: load("uss-lox", **{LONG: 1}),
        lambda: load("uss-lox", jokers=LONG),
        lambda: load("uss-lox", jokers=(LONG,)),
        lambda: load("uss-lox", jokers=(10**5000,)),
        lambda: Match.new("uss-lox", seed=10**5000),
        lambda: Match.new("uss-lox", 1).play(LONG),
        lambda: Match.load(LONG[:200]),
        lambda: GameRecord.loads(f'schema = "{LONG}"'),
        lambda: GameRecord.loads(f'schema = "navalkit-record-1"\n{LONG} = 1'),
        lambda: GameRecord.loads(f"a = {LONG}"),
        lambda: Dist([(LONG, -1)]),
        lambda: Dist([(LONG, LONG)]),
        lambda: Dist([LONG]),
        lambda: Dist.uniform([LONG, 1]).mean,
        lambda: checked_weight(LONG, LONG),
        lambda: load("uss-lox").parse_state(LONG),
        lambda: load("uss-lox").parse_state(f"(phase={LONG})"),
    ],
)
def test_an_error_repeats_little_of_what_was_given(wrong: Callable[[], object]) -> None:
    with pytest.raises(NavalkitError) as caught:
        wrong()
    told = str(caught.value)
    assert told.count("x") <= 330 and len(told) < 1200  # two inputs at the most, and the options there are


def brief_error(value: object) -> None:
    assert len(brief(value)) <= LONGEST_ECHO
    raise NavalkitError(brief(value))
