"""The cards of boats, hunters, carriers and aircraft: all that were wanted are there, with the rates of the formula."""

from __future__ import annotations

import pytest

import navalkit as nk
from navalkit.games.fleet_action.cards import LATE, TABLES, any_ship, points
from navalkit.games.fleet_action.planes import AIRCRAFT
from navalkit.games.fleet_action.rules.play import value

BOATS = {"UC 65": 25, "UB 116": 30, "U 31": 35, "Ursula": 30, "Salmon": 35, "U 552": 40, "U 156": 50, "Thunderbolt": 50,
         "Gato": 60, "I 19": 80}
CARRIERS = {"Ark Royal": 435, "Illustrious": 520, "Lexington": 605, "Yorktown": 405, "Essex": 500, "Shokaku": 480,
            "Zuikaku": 480, "Akagi": 610, "Hiryu": 370, "Bogue": 115}
SHIPS = {"Repulse": 650, "Rodney": 870, "Sheffield": 240, "Leipzig": 195, "King George V": 815}
"""Sinking rates of the design's tables; Bogue's by the tons of the American histories (RULINGS.md)."""


@pytest.mark.parametrize("name, rate", [*BOATS.items(), *CARRIERS.items(), *SHIPS.items()])
def test_a_card_that_was_wanted_is_there(name: str, rate: int) -> None:
    card = any_ship(name)
    assert card.sinking_rate == rate and card.boat == (name in BOATS) and (card.deck > 0) == (name in CARRIERS)
    assert card.source and (not card.boat or (card.battery and card.spares and card.torpedoes))


def test_their_gear_and_aircraft_are_there() -> None:
    assert len(TABLES.gear) >= 5 and {card["gear"] for card in LATE["ship"] if "gear" in card} <= set(TABLES.gear)
    assert set(AIRCRAFT) == {
        "Swordfish", "Devastator", "Kate", "Avenger", "Val", "Dauntless", "Nell", "Betty", "Hudson", "Walrus", "E13A",
        "Kingfisher", "Buffalo", "Fulmar", "Wildcat", "Zero", "Hellcat",
    }  # fmt: skip


def test_F68_guns_against_aircraft_cost_nothing_only_where_boats_fight_and_nobody_flies() -> None:
    def worth(scenario: str, name: str) -> tuple[int, int, int]:
        battle = nk.load("fleet-action", scenario=scenario).battle  # type: ignore[attr-defined]
        number = battle.numbers[name]
        card = battle.card(number)
        assert card.anti_aircraft
        return value(battle, number), points(card), points(card, flown=False)

    found, full, without = worth("wounded_cruiser", "Leipzig")  # boats alone
    assert found == without < full
    for scenario, name in (("force_z", "Repulse"), ("rudder", "Bismarck"), ("river_plate", "Ajax")):
        found, full, without = worth(scenario, name)  # flights; and a battle as it was before
        assert found == full > without
