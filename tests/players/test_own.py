"""Players of one's own: whatever form they come in, every door takes them, and what is wrong with one is told."""

from __future__ import annotations
import inspect
import os
import pickle
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.cli import main
from navalkit.core.errors import DataError, IllegalActionError, OptionError, PlayerError
from navalkit.core.match import Store
from navalkit.core.trace import Decision, Thinker, Weigher
from navalkit.players import makers, own
from navalkit.players.meeting import Meeting
from navalkit.sim import play
from navalkit.sim.balance import balance
from navalkit.testing import check_player, players, refused, said
from navalkit.ui.play.app import GameApp
from navalkit.walks import captains, shows
from navalkit.walks.walk import walk_of
from ..cli.test_new_game import run
from ..sentences import CLI, CORE

ROOT = Path(nk.__file__).parents[1]


class Bold:
    title = "The bold one"

    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        return legal[-1]


class Choosy:
    """Has the game and an option; tells its reasons."""

    games = ("wolf-pack",)

    def __init__(self, game: Any, which: int = 0) -> None:
        self.game, self.which = game, which

    def decide(self, seen: Any, legal: Any, rng: Any) -> Decision:
        return Decision(legal[self.which], "choosy", "That one.")


def choosy(game: Any, which: int = 0) -> Choosy:
    return Choosy(game, which)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(own, "_registered", {})
    nk.register(Bold)
    nk.register(Choosy)
    yield
    own._changes[0] += 1


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    values = {"night-owl": f"{__name__}:Bold", "gone": "no_such_module:X", "greedy": f"{__name__}:Bold"}
    entries = [EntryPoint(name, value, own.GROUP) for name, value in values.items()]
    monkeypatch.setattr(own, "entry_points", lambda group: entries if group == own.GROUP else [])
    own._declared.cache_clear(), own._loaded.cache_clear()
    yield
    monkeypatch.undo()
    own._declared.cache_clear(), own._loaded.cache_clear()


@pytest.fixture
def match() -> nk.Match:
    return nk.Match.new("wolf-pack", seed=1)


FORMS = [(Bold, {}, -1), (Bold(), {}, -1), (Choosy, {"which": 1}, 1), (choosy, {}, 0)]


@pytest.mark.parametrize("what, options, at", FORMS)
def test_a_class_an_object_and_a_maker_are_players(match: nk.Match, what: Any, options: Any, at: int) -> None:
    mine = nk.player(what, match.game, **options)
    decided = mine.decide(match.observe(), match.legal())
    assert isinstance(decided, Decision) and decided.action == match.legal()[at] and decided.by == mine.name
    assert pickle.loads(pickle.dumps(mine)).decide(match.observe(), match.legal()) == decided


def test_an_action_alone_and_its_notation_are_decisions(match: nk.Match) -> None:
    class Says:
        def decide(self, seen: Any, legal: Any, rng: Any) -> str:
            return str(legal[1])

    assert nk.player(Says, match.game).decide(match.observe(), match.legal()).action is match.legal()[1]
    bare = nk.player(Bold, match.game).decide(match.observe(), match.legal())
    said(bare.explain(), CORE, "own.bare")


def test_every_door_takes_them() -> None:
    game = nk.load("wolf-pack", turn_limit=12)
    rows = play(game, [Bold, "random"], 3, seed=1)
    assert rows == play(game, [Bold(), "random"], 3, seed=1) == play(game, [("random", {}), "random"], 0, 1) + rows
    assert play(game, [(Choosy, {"which": -1}), Bold], 2, seed=1) != play(game, [Choosy, Bold], 2, seed=1)
    meeting = Meeting("wolf-pack", options={"turn_limit": 12})
    assert meeting.meet(Bold, "random", 4, 1) == meeting.meet(Bold(), "random", 4, 1)
    (row,) = balance("wolf-pack", [Bold], 2, 1, only=["a-short-hunt"])
    assert row.games == 2


@pytest.mark.usefixtures("registered")
def test_one_that_is_registered_is_known_by_its_name_for_its_games() -> None:
    assert {"bold", "choosy"} <= set(makers(nk.load("wolf-pack")))
    assert "choosy" not in makers(nk.load("uss-lox"))
    with refused(OptionError, CORE, "own.games", who="choosy", game="uss-lox", games="wolf-pack"):
        nk.player("choosy", "uss-lox")
    for name in ("greedy", "a:b", "", 3):
        with refused(OptionError, CORE, "own.taken", name=repr(name)):
            nk.register(type("X", (Bold,), {"name": name}))
    assert nk.register(type("Plain", (Bold,), {"name": property(lambda self: "plain")})) == "plain"
    with refused(OptionError, CORE, "own.none"):
        nk.register(7)


@pytest.mark.usefixtures("declared")
def test_one_that_a_package_declares_is_known_and_takes_no_name_that_is_taken() -> None:
    game = nk.load("wolf-pack")
    assert nk.player("night-owl", game).name == "night-owl" and "gone" not in makers(game)
    assert isinstance(makers(game)["night-owl"], own.Maker) and not isinstance(makers(game)["greedy"], own.Maker)
    with refused(OptionError, CORE, "own.broken", name="gone", value="no_such_module:X"):
        nk.player("gone", game)
    with refused(OptionError, CORE, "own.taken", name="'night-owl'"):
        nk.register(type("X", (Bold,), {"name": "night-owl"}))


def test_what_is_no_player_is_refused(match: nk.Match) -> None:
    for what in (object, 7, None, lambda game: game):
        with refused(OptionError, CORE, "own.none"):
            nk.player(what, match.game)
    with refused(OptionError, CORE, "own.pointed", text="'json:Nobody'"):
        nk.player("json:Nobody", match.game)
    with refused(OptionError, CORE, "players.option", who="choosy", name="'wich'", listed="which"):
        nk.player(Choosy, match.game, wich=1)
    with refused(OptionError, CORE, "players.option", who="bold", listed="none"):
        nk.player(Bold(), match.game, which=1)


def test_what_a_player_does_wrong_is_told_as_its_own(match: nk.Match) -> None:
    class Wild(Bold):
        def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
            return "torpedo the moon"

    class Broken(Bold):
        def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
            return {}[1]

    with refused(IllegalActionError, CORE, "own.illegal", who="wild", action="'torpedo the moon'"):
        nk.player(Wild, match.game).decide(match.observe(), match.legal())
    with refused(PlayerError, CORE, "own.failed", who="broken") as refusal:
        nk.player(Broken, match.game).decide(match.observe(), match.legal())
    assert isinstance(refusal.value.__cause__, KeyError)
    with refused(PlayerError, CORE, "own.failed", who="unmade") as refusal:
        nk.player(type("unmade", (Bold,), {"__init__": lambda self: {}[1]}), match.game)
    assert isinstance(refusal.value.__cause__, KeyError)
    Short = type("Short", (Bold,), {"name": "short", "decide": lambda self, seen, legal: legal[0]})
    with refused(PlayerError, CORE, "own.failed", who="short") as refusal:
        nk.player(Short, match.game).decide(match.observe(), match.legal())
    assert str(refusal.value.__cause__) in refusal.value.facts["error"]  # to its end: 4 were given


def test_what_else_it_can_is_offered_and_nothing_that_it_cannot(match: nk.Match) -> None:
    class Slow(Bold):
        def think(self, seen: Any, legal: Any, rng: Any) -> Any:
            yield 0.5
            return legal[-1]

    slow, bold = nk.player(Slow, match.game), nk.player(Bold, match.game)
    assert isinstance(slow, Thinker) and not isinstance(bold, Thinker) and not isinstance(bold, Weigher)
    steps = slow.think(match.observe(), match.legal(), np.random.default_rng(1))
    assert next(steps) == 0.5
    with pytest.raises(StopIteration) as stop:
        next(steps)
    assert stop.value.value.action == match.legal()[-1]


@pytest.mark.usefixtures("registered")
def test_it_sits_across_the_table_on_a_page(tmp_path: Path) -> None:
    app = GameApp("wolf-pack", Store(tmp_path), seats=("", "careful"))
    app._ask_new()
    boats, convoy = app.new_game.seats
    assert {"bold", "choosy", "brandt"} <= {value for _, value in boats.options}
    assert ("The bold one", "bold") in boats.options
    boats.value, convoy.value = "bold", ""
    app.new_game.children[-1].children[0].click()
    control = app.control
    assert control.seats == ("bold", "") and control.called("bold") == "The bold one"
    plies = [ply for ply in control.match.plies if ply.by == 0]
    assert plies and all(ply.action == control.game.legal(control.match.at(n))[-1]
                         for n, ply in enumerate(control.match.plies) if ply.by == 0)


@pytest.mark.usefixtures("registered")
def test_it_is_stepped_before_a_class_like_any_captain() -> None:
    game = nk.load("wolf-pack", turn_limit=10)
    show = shows.finish(shows.played(game, 5, ["choosy", "bold"]))
    assert show.match is not None and show.match.players == ("choosy", "bold")
    told = [moment for moment in show.row if moment.who]
    assert {moment.captain for moment in told} == {"choosy", "bold"} and not any(moment.person for moment in told)
    walk = walk_of(game)
    for moment in told[:6]:
        told_ = shows.finish(walk.deciding(game, moment, moment.who))
        assert told_.decision.action == show.match.plies[moment.ply].action
        assert told_.lines
    assert "bold" in captains.rivals(game, "winter") and captains.called(game, "bold") == "The bold one"
    again = nk.register(type("Bold", (Bold,), {"decide": lambda self, seen, legal, rng: legal[0]}))
    assert captains.made(again, game).decide(nk.Match.new(game, 1).observe(), (1, 2)).action == 1


class Peeker(Bold):
    """Looks for a state in what called it, and decides by what is hidden there."""

    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        frame = inspect.currentframe()
        while frame:
            state = frame.f_locals.get("state")
            if hasattr(state, "hands"):
                return legal[sum(n * (i + 1) for i, n in enumerate(state.hands[1 - seen.me])) % len(legal)]
            frame = frame.f_back
        return legal[0]


class Walker(Bold):
    """Looks for the match itself there, which a game that is played has near."""

    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        frame = inspect.currentframe()
        while frame:
            for each in frame.f_locals.values():
                if isinstance(each, nk.Match):
                    return legal[sum(n * (i + 1) for i, n in enumerate(each.state.hands[1 - seen.me])) % len(legal)]
            frame = frame.f_back
        return legal[0]


class Unseeded(Bold):
    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        return random.choice(legal)


class Dawdler(Bold):
    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        return legal[sum(range(200_000)) % 1]


class Meddler(Bold):
    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        object.__setattr__(seen, "turn", 99)
        return legal[0]


class Whimsical(Bold):
    """Gives other reasons each time."""

    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        return Decision(legal[0], "whimsical", str(random.random()))


@pytest.mark.parametrize("what, told", [
    (Peeker, "knows more than it may"), (Walker, "knows more than it may"), (Unseeded, "asked again"),
    (Whimsical, "other reasons"), (Meddler, "changed what it was shown"),
    (type("Wild", (Bold,), {"decide": lambda *_: 7}), "7"),
])
def test_a_player_that_cheats_is_found(what: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_player(what, nk.load("wolf-pack", turn_limit=10))


def test_one_that_takes_too_long_is_found() -> None:
    with pytest.raises(AssertionError, match="are allowed"):
        check_player(Dawdler, nk.load("wolf-pack", turn_limit=10), seconds=1e-4, seeds=range(1))


class Endless(Bold):
    """Never decides: it works for ever, or waits for something that never comes, whatever is raised meanwhile."""

    asked = 0

    def __init__(self, waits: bool = False) -> None:
        self.waits = waits

    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        Endless.asked += 1
        while True:
            try:
                time.sleep(60) if self.waits else sum(range(1000))
            except Exception:
                pass


@pytest.mark.parametrize("waits", [False, True])
def test_one_that_never_decides_is_ended_at_its_first_decision(waits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "IDLE", 0.2)
    monkeypatch.setattr(Endless, "asked", 0)
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(AssertionError, match="seed 0, ply .* has not decided .* 0.05 s are allowed"):
        check_player(Endless, nk.load("wolf-pack", turn_limit=10), seconds=0.05, waits=waits)
    assert Endless.asked == 1
    assert signal.getsignal(signal.SIGALRM) == before and not any(signal.getitimer(signal.ITIMER_REAL))


def test_the_first_decision_that_takes_too_long_ends_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing can end a player, too: there it is told as soon as it has decided."""
    monkeypatch.setattr(players, "_every", lambda *_: nullcontext())
    asked = []

    class Slow(Bold):
        def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
            asked.append(seen)
            end = time.process_time() + 0.02
            while time.process_time() < end:
                pass
            return legal[0]

    with pytest.raises(AssertionError, match="are allowed"):
        check_player(Slow, "wolf-pack", seconds=0.01)
    assert len(asked) == 1


class Leaver(Bold):
    def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
        sys.exit("good night")


def test_one_that_leaves_python_fails_its_game_and_ends_no_run() -> None:
    with pytest.raises(AssertionError, match="good night"):
        check_player(Leaver, "wolf-pack")
    with refused(DataError, CORE, "arena.all_failed", n=2) as refusal:
        play("wolf-pack", [Leaver, "random"], 2, seed=1)
    said(refusal.value.facts["error"], CORE, "own.failed", who="leaver")


@pytest.mark.parametrize("game", nk.games())
def test_good_ones_pass_in_every_game(game: str) -> None:
    found = check_player("random", game, seeds=range(2))
    assert found.games == 2 and found.decisions > 5 and 0 < found.mean <= found.longest
    assert str(found.decisions) in str(found)


def test_one_that_remembers_its_game_is_no_cheat() -> None:
    class Counts(Bold):
        def __init__(self) -> None:
            self.asked = 0

        def decide(self, seen: Any, legal: Any, rng: Any) -> Any:
            self.asked += 1
            return legal[self.asked % len(legal)]

    game = nk.load("wolf-pack", turn_limit=10)
    check_player(Counts, game)
    check_player(Counts(), game)


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "examples")
    monkeypatch.setattr(sys, "path", [str(ROOT / "examples"), *sys.path])


@pytest.mark.usefixtures("examples")
def test_the_examples_are_short_and_good() -> None:
    for file, longest in (("first_bot", 10), ("reasoned_bot", 30)):
        lines = (Path(f"{file}.py").read_text(encoding="utf-8").partition("\n\n")[2]).splitlines()
        assert 0 < len([line for line in lines if line.strip() and not line.strip().startswith('"""')]) <= longest
        done = subprocess.run([sys.executable, f"{file}.py"], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and not done.stderr, done.stderr
    assert Meeting("wolf-pack").meet("first_bot:Eager", "random", 40, 3)[0].share > 0.7
    check_player("first_bot:Eager", "wolf-pack", seeds=range(2))
    rows = {who: play(nk.load("uss-lox"), who, 60, 1) for who in ("reasoned_bot:Thrifty", "random")}
    tons = {who: np.mean([row["tonnage"] for row in found]) for who, found in rows.items()}
    assert tons["reasoned_bot:Thrifty"] > 1.5 * tons["random"]
    check_player("reasoned_bot:Thrifty", "uss-lox", wanted=0.4)
    match = nk.Match.new("uss-lox", seed=2)
    match.play("flip A1")
    decided = nk.player("reasoned_bot:Thrifty", match.game).decide(match.observe(), match.legal())
    assert len(decided.options) == len(match.legal()) and decided.options[0].facts


@pytest.mark.usefixtures("examples")
def test_the_commands_take_a_class_with_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "wolf-pack", "--player", "first_bot:Eager", "--player", "random", "-n", "4",
                 "--option", "turn_limit=10"]) == 0
    said(capsys.readouterr().out, CLI, "tournament.pair", one="first_bot:Eager", two="random")
    assert main(["tournament", "uss-lox", "--player", "reasoned_bot:Thrifty:wanted=0.4", "-n", "4"]) == 0
    assert main(["sim", "uss-lox", "--policy", "reasoned_bot:Thrifty", "-n", "4"]) == 0
    assert main(["balance", "wolf-pack", "--captain", "first_bot:Eager", "--scenario", "a-short-hunt", "-n", "2"]) == 0
    capsys.readouterr()
    assert main(["sim", "wolf-pack", "--policy", "first_bot:Nobody", "-n", "4"]) == 2
    said(capsys.readouterr().err, CORE, "own.pointed", text="'first_bot:Nobody'")


def test_a_player_written_into_an_empty_folder_passes_its_tests_and_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-player", "night-owl", "--folder", str(tmp_path)]) == 0
    said(capsys.readouterr().out, CLI, "new-player.written", name="night-owl", game="wolf-pack")
    folder = tmp_path / "night-owl"
    info = folder / "night_owl-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: night-owl\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[navalkit.players]\nnight-owl = night_owl:NightOwl\n")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}
    assert "passed" in run(["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"], folder, environment)
    order = ["-m", "navalkit", "tournament", "wolf-pack", "--player", "night-owl", "--player", "random", "-n", "2",
             "--option", "turn_limit=10"]
    said(run(order, folder, environment), CLI, "tournament.pair", one="night-owl", two="random")
    style = ["--config", str(ROOT / "pyproject.toml"), "--ignore", "I"]
    run(["-m", "ruff", "check", *style, "."], folder, dict(os.environ))
    assert "{{" not in "".join(path.read_text() for path in folder.rglob("*.*")
                               if path.is_file() and path.suffix != ".pyc")
    for name, key in (("Night Owl", "no-name"), ("brandt", "taken"), ("night-owl", "")):
        assert main(["new-player", name, "--folder", str(tmp_path)]) == 2
        said(capsys.readouterr().err, CLI, f"new-player.{key}" if key else "new-game.there")
