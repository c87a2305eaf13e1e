"""Games are found: folders of ours, entry points of other packages, and what is registered by hand."""

from __future__ import annotations
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

import navalkit as nk
from navalkit.core import registry
from navalkit.core.errors import OptionError
from navalkit.testing import refused
from ..sentences import CORE

ROOT = Path(nk.__file__).parents[1]

SIXTH = """
from navalkit.games.uss_lox.game import UssLox
class Sixth(UssLox):
    name = "sixth-game"
    title = "Sixth"
GAME = Sixth
BOTS = {"twin": lambda game: None}
__all__ = ["BOTS", "GAME"]
"""


@pytest.fixture
def sixth(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with a game, on the path but not declared."""
    folder = tmp_path / "sixth_game"
    folder.mkdir()
    (folder / "__init__.py").write_text(SIXTH)
    (folder / "RULES.md").write_text("- **S1** Sail. [seed 1]\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_registered", {})
    registry._found.cache_clear()
    yield tmp_path
    sys.modules.pop("sixth_game", None)
    registry._found.cache_clear()


def test_every_folder_of_games_is_a_game_and_declared_as_an_entry_point() -> None:
    folders = {path.parent.name for path in (ROOT / "navalkit" / "games").glob("*/__init__.py")}
    assert registry._found() == {name.replace("_", "-"): f"navalkit.games.{name}" for name in folders}
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["navalkit.games"]
    assert declared == {folder.replace("_", "-"): f"navalkit.games.{folder}" for folder in folders}
    assert all(registry.package(name).game.name == name for name in registry._found())


def test_a_game_of_another_package_is_found_by_its_entry_point(sixth: Path) -> None:
    info = sixth / "sixth_game-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: sixth-game\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[navalkit.games]\nsixth-game = sixth_game\n")
    assert "sixth-game" in nk.games.names()
    match = nk.Match.new("sixth-game", seed=1)
    match.play(match.legal()[0])
    assert nk.Match.loads(match.dumps()).log == match.log
    assert set(nk.load("Sixth_Game").rules()) == {"S1"}  # its own, not those of the class it is made from


def test_a_registered_game_is_a_game(sixth: Path) -> None:
    with refused(OptionError, CORE, "registry.unknown", name="'sixth-game'"):
        nk.load("sixth-game")
    assert nk.register("sixth_game") == "sixth-game"
    assert nk.load("sixth-game").title == "Sixth"
    assert registry.package("sixth-game").bots.keys() == {"twin"}
    assert registry.package("sixth-game").odds == {}  # what a package does not offer is empty
    nk.register("sixth_game")  # twice is no harm


def test_what_is_no_game_or_has_a_name_that_is_taken_is_not_registered(sixth: Path) -> None:
    with refused(OptionError, CORE, "registry.no_package", name="'no_such_package'"):
        nk.register("no_such_package")
    with refused(OptionError, CORE, "registry.no_game", name="json"):
        nk.register("json")
    twin = ModuleType("twin")
    twin.GAME = registry.package("uss-lox").game  # type: ignore[attr-defined]
    with refused(OptionError, CORE, "registry.taken", name="uss-lox", name2="navalkit.games.uss_lox"):
        nk.register(twin)


@pytest.mark.parametrize("name", nk.games.names())
def test_a_package_keeps_what_it_promises(name: str) -> None:
    package = registry.package(name)
    assert package.game.name == name
    module = sys.modules[package.module]
    for offered in module.__all__:
        assert package.offered(offered, None) is not None, offered
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        module.nothing  # noqa: B018
    assert package.bots and package.odds and package.picture.startswith("<svg")


def test_a_player_is_made_for_a_game_by_name() -> None:
    assert nk.player("optimal", "uss-lox").game == nk.load("uss-lox")
    with refused(OptionError, CORE, "registry.unknown", name="'chess'"):
        nk.player("random", "chess")


def test_a_simulation_has_a_usual_seed() -> None:
    from navalkit.games.uss_lox import simulate

    assert (simulate("random", 50)["tonnage"] == simulate("random", 50, 1)["tonnage"]).all()


PUBLIC = """
from navalkit import Match, games, load, player, register
import navalkit.games.fleet_action as fleet_action, navalkit.games.on_patrol as on_patrol
import navalkit.games.task_force as task_force, navalkit.games.uss_lox as uss_lox, navalkit.games.wolf_pack as wolf_pack
import navalkit.explore, navalkit.grids.hex, navalkit.sim, navalkit.teach, navalkit.testing
for game in (fleet_action, on_patrol, task_force, uss_lox, wolf_pack):
    assert game.odds and game.BOTS
uss_lox.cribbage, wolf_pack.odds.complete_within, wolf_pack.odds.holds, wolf_pack.odds.DEFAULT_DECK
on_patrol.decide, on_patrol.position, on_patrol.explain, on_patrol.formation, on_patrol.stations
on_patrol.tables, on_patrol.runs, fleet_action.ship, fleet_action.points, fleet_action.range_squares
task_force.odds.posterior, task_force.odds.count_fleets, task_force.odds.sample_fleets, task_force.odds.Observation
assert player("optimal", "uss-lox").decide and Match.new("uss-lox").legal()
one, other = (uss_lox.simulate("optimal", 100) for _ in range(2))
assert len(one["tonnage"]) == 100 and (one["tonnage"] == other["tonnage"]).all()
"""
"""In a Python of its own: there nobody has imported a game's module by another way."""


def test_public_names_stay_where_they_are() -> None:
    done = subprocess.run([sys.executable, "-c", PUBLIC], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
