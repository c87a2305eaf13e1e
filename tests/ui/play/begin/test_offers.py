"""What a new game offers: cards with maps and each scenario's figures, and ships for one's own squadrons."""

from __future__ import annotations
from xml.etree.ElementTree import fromstring

import pytest

import navalkit as nk
from navalkit.core.words import Voice, speaking
from navalkit.games.fleet_action import points, ship
from navalkit.games.fleet_action.cards import TABLES
from navalkit.players.meeting import measured
from navalkit.testing import heard, said
from navalkit.ui.desk import Desk
from navalkit.ui.play.begin import NewGame, begun
from navalkit.view.lobby import Start, starts
from navalkit.view.page import page_of
from navalkit.view.scene import Polygon
from ....sentences import FLEET_PAGE, UI

SVG = "{http://www.w3.org/2000/svg}"


def cards(name: str) -> dict[str, list[str]]:
    panel = NewGame(nk.load(name), lambda *_: None, lambda: None)
    (spec,) = (spec for spec in nk.load(name).specs if spec.name == "scenario")
    offered = [each.options.get("scenario", spec.default) for each in starts(name)]
    return dict(zip(offered, panel.cards.rows, strict=True))


@pytest.mark.parametrize("name", ["fleet-action", "on-patrol"])
def test_a_card_tells_the_figures_of_its_scenarios_file(name: str) -> None:
    shown = 0
    for scenario, card in cards(name).items():
        if figures := measured(name, {"scenario": scenario}):
            low, high = (100 * end for end in figures.interval)
            key = "new.even" if figures.sides else "new.alone"
            said(card[-1], UI, key, share=100 * figures.value, games=figures.games, low=low, high=high)
            assert not figures.length or heard(card[-1], UI, f"new.length.{figures.unit}")
            shown += 1
        else:
            assert scenario == "build_your_own" and len(card) == 3
    assert shown >= 6


def test_they_are_told_in_german() -> None:
    with speaking(Voice("de")):
        card = cards("fleet-action")["river_plate"]
        assert card[-1].endswith(UI("new.decided.guns"))
    said(card[-1], UI, "new.even", games=measured("fleet-action", {}).games)
    assert card[-1] != cards("fleet-action")["river_plate"][-1]


@pytest.mark.parametrize("name", ["fleet-action", "on-patrol", "task-force", "uss-lox", "wolf-pack"])
def test_every_card_has_a_map_that_the_board_draws(name: str) -> None:
    desk = Desk(lambda call: call)
    panel = NewGame(nk.load(name), lambda *_: None, lambda: None, (), desk)
    panel.offer(nk.load(name).options, ())
    desk.settle()
    maps = [fromstring(panel.cards.maps[str(number)]) for number in range(len(starts(name)))]
    assert all(not each.findall(f".//{SVG}text") and len(list(each.iter())) > 10 for each in maps)


def test_a_map_shows_who_is_where_as_the_game_begins() -> None:
    def ships(start: Start) -> int:
        scene = page_of("on-patrol").map(begun("on-patrol", start))
        return sum(isinstance(shape, Polygon) and shape.style.fill in ("green", "blue") for shape in scene.shapes())

    told = {start.title: ships(start) for start in starts("on-patrol")}
    assert told["Lone merchant"] == 1 and told["Small convoy"] == 8 and told["Night convoy"] == 16


def test_ships_are_added_to_a_squadron_taken_away_and_moved_to_the_other() -> None:
    game = nk.load("fleet-action", scenario="build_your_own", blue="Hood", red="Bismarck")
    begun = []
    panel = NewGame(game, lambda *given: begun.append(given), lambda: None)
    assert panel.stock is not None
    panel.offer(game.options, ("", "admiral"))
    own = panel.cards.chosen
    assert panel.ships.layout.display == "" and panel.values()["scenario"] == "build_your_own"
    for field, name in ((0, "Exeter"), (1, "Prinz Eugen"), (0, "Hood"), (0, "Prinz Eugen")):
        panel.stock._handle_custom_msg({"event": "toggle", "field": field, "name": name}, [])
    assert panel.stock.picked == [["Exeter", "Prinz Eugen"], ["Bismarck"]]
    worth = points(ship("Exeter")) + points(ship("Prinz Eugen"))
    said(panel.stock.sums[0], UI, "new.stock.sum", n=2, points=worth)
    assert panel.cards.chosen == own
    built = nk.load("fleet-action", **panel.values())
    assert [unit.name for unit in built.battle.units] == ["Exeter", "Prinz Eugen", "Bismarck"]


def test_the_list_tells_every_ship_and_is_there_for_squadrons_alone() -> None:
    panel = NewGame(nk.load("fleet-action"), lambda *_: None, lambda: None)
    assert panel.stock is not None and panel.ships.layout.display == "none"
    told = {name: (group, about, *cells) for group, name, about, *cells in panel.stock.things}
    assert told.keys() == TABLES.ships.keys()
    worth = str(points(ship("Exeter")))
    group, about, cost, arms, speed = told["Exeter"]
    assert (group, cost) == ("cruiser", worth) and "32" in speed and arms.startswith("6 × 8")
    said(about, FLEET_PAGE, "stock.about", ship_class="York", nation="Great Britain", year=1939)
    assert NewGame(nk.load("uss-lox"), lambda *_: None, lambda: None).stock is None
