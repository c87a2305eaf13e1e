"""What somebody put in stands in an error with 160 characters at most, wherever it was put in."""

from __future__ import annotations
import random
import re
import shlex
from collections.abc import Callable, Iterator
from inspect import signature
from typing import Any, get_args, get_type_hints

import pytest

import navalkit as nk
from navalkit.cli import main
from navalkit.core.errors import LONGEST_ECHO, NavalkitError
from navalkit.core.record import GameRecord
from navalkit.core.registry import package

MARK = "q"
LONG = MARK * 5_000
GAMES = nk.games.names()


def longest(told: str) -> int:
    return max((len(run) for run in re.findall(f"{MARK}+", told)), default=0)


def with_long_words(text: str, rng: random.Random, most: int) -> Iterator[str]:
    """The text with one of its words much too long, at random places, and with more behind its end."""
    words = re.split(r"([\s=,()\[\]/:*-]+)", text)
    places = range(0, len(words), 2)
    for place in rng.sample(places, min(most, len(places))):
        yield "".join([*words[:place], LONG, *words[place + 1 :]])
        yield "".join([*words[:place], words[place] + LONG, *words[place + 1 :]])
    yield from (f"{text} {LONG}", f"{text}{LONG}", LONG, f'"{LONG}', f"({LONG}", f"({LONG}=1)")


def refused(read: Callable[[str], Any], text: str) -> bool:
    try:
        read(text)
    except NavalkitError as error:
        assert longest(str(error)) <= LONGEST_ECHO, f"{str(error)[:200]} ... {len(str(error)):,} characters"
        return True
    return False


@pytest.mark.parametrize("name", GAMES)
def test_errors_of_a_game_repeat_little_of_actions_and_positions(name: str) -> None:
    rng, asked, wrong = random.Random(5), 0, 0
    game = nk.load(name)
    match = nk.Match.new(game, 5)
    for number in range(12):
        if match.over:
            break
        action = rng.choice(match.legal())
        for text in with_long_words(str(action), rng, 6):
            asked, wrong = asked + 1, wrong + refused(match.play, text)
            said = match.why_not(text)
            assert said is not None and longest(said) <= LONGEST_ECHO
        if number % 4 == 0:
            for text in with_long_words(game.format_state(match.state), rng, 12):
                asked, wrong = asked + 1, wrong + refused(game.parse_state, text)
        match.play(action)
    assert wrong >= 0.9 * asked > 0


@pytest.mark.parametrize("name", GAMES)
def test_errors_of_a_game_repeat_little_of_options(name: str) -> None:
    assert refused(lambda text: nk.load(name, **{text: 1}), LONG)
    for spec in nk.load(name).specs:
        assert refused(lambda text: nk.load(name, **{spec.name: text}), LONG)  # noqa: B023


@pytest.mark.parametrize("name", GAMES)
def test_errors_of_the_odds_repeat_little_of_what_was_asked(name: str) -> None:
    """Each text that a question takes is asked to be one letter 5,000 times; what goes before it is 1 or "a"."""
    asked = 0
    for question in package(name).odds.values():
        hints = get_type_hints(question)
        takes = [p for p in signature(question).parameters.values() if p.kind is not p.VAR_KEYWORD]
        texts = [p.name for p in takes if str in (get_args(hints[p.name]) or (hints[p.name],))]
        rest = {p.name: "a" if p.name in texts else 1 for p in takes if p.default is p.empty}
        for each in texts:
            asked += refused(lambda text: question(**rest | {each: text}), LONG)  # noqa: B023
    assert asked


@pytest.mark.parametrize("name", GAMES)
def test_errors_of_a_record_repeat_little_of_it(name: str) -> None:
    rng = random.Random(6)
    match = nk.Match.new(name, 6)
    for _ in range(3):
        match.play(rng.choice(match.legal()))
    text = re.sub(r"(?m)^(checksum|commitment) = .*\n", "", match.record().dumps())
    broken = list(with_long_words(text, rng, 60))
    assert sum(refused(nk.Match.loads, each) for each in broken) > len(broken) / 2
    assert refused(GameRecord.from_link_text, LONG)


ORDERS = [
    "odds uss-lox sink 8D 1", "odds uss-lox sink 8D 1 --seen 5H", "sim uss-lox -n 1 --player greedy", "play uss-lox",
    "replay none.toml", "explain none.toml --player random", "card task-force card.svg --day 2026-01-01",
    "calibration uss-lox --only attacks", "tournament uss-lox greedy random", "balance fleet-action",
    "teach grade none", "new-game chess",
]  # fmt: skip


@pytest.mark.parametrize("order", ORDERS)
def test_errors_of_the_command_line_repeat_little_of_it(
    order: str, capsys: pytest.CaptureFixture[str], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    words = shlex.split(order)
    for place in range(len(words)):
        if not words[place].startswith("--") and words[place] not in ("-n", "1"):
            assert main([*words[:place], LONG, *words[place + 1 :]]) == 2, place
            out, err = capsys.readouterr()
            assert longest(out) <= LONGEST_ECHO and longest(err) <= LONGEST_ECHO, (place, err[:300])
    assert main([*words, f"--{LONG}"]) == 2
    assert longest(capsys.readouterr().err) <= LONGEST_ECHO
