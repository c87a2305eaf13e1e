"""Flights, carriers, patrols, guns at aircraft and what falls from the air, each rule under its id."""

from __future__ import annotations
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import navalkit as nk
from navalkit.core.errors import OptionError
from navalkit.games.fleet_action import odds
from navalkit.games.fleet_action.craft import Depth, Duty, Flight, Place
from navalkit.games.fleet_action.rules import flying, raiding
from navalkit.games.fleet_action.rules.play import score, verdict
from navalkit.games.fleet_action.sight import flight_known, permute
from navalkit.games.fleet_action.state import OFF, Fate, Phase, with_flight
from navalkit.testing import check_game, said
from ....sentences import FLEET
from ..battles import AIMS, Story, battle, tell

EDGE = 'entry = ["A1"]'


def flight(side: str, name: str, aircraft: str, count: int, base: str = "", more: str = "") -> str:
    at = f'base = "{base}"\n' if base else ""
    return f'[[flight]]\nside = "{side}"\nname = "{name}"\naircraft = "{aircraft}"\ncount = {count}\n{at}{more}\n'


class Air(Story):
    """A story with flights."""

    def flight(self, name: str) -> Flight:
        return self.state.flights[self.battle.wings[name]]

    def aloft(self, name: str, square: str, **changes: Any) -> Air:
        """A flight put aloft by hand."""
        number, squadron = self.battle.wings[name], self.battle.flights[self.battle.wings[name]]
        at = self.battle.grid.number(square)
        given = dict(place=Place.ALOFT, square=at, came=at, moves=squadron.plane.moves, ready=0) | changes
        self.state = with_flight(self.state, number, **given)
        assert self.game.parse_state(self.game.format_state(self.state)) == self.state
        return self

    def to(self, phase: Phase, side: int | None = None) -> Air:
        """On to that phase, nobody ordering anything."""
        while self.state.phase is not phase or side not in (None, self.state.side):
            self.done()
        return self


def air(blue: str, red: str, flights: str, more: str = "", aims: str = AIMS, **options: Any) -> Air:
    return Air(battle(blue, red, more, ships=flights, aims=aims, **options))


def carrier(more: str = "ranged = true", kind: str = "Swordfish", red: str = "Ajax X9 N", **options: Any) -> Air:
    """Ark Royal with a flight, ranged if nothing else is said, gone straight ahead."""
    told = air("Ark Royal C4 E", red, flight("Blue", "Wing", kind, 9, "Ark Royal", more), **options)
    return told.play("Ark Royal: E4 E")


def raid(red: str = "Bismarck F6 N", flights: str = "", kind: str = "Swordfish", count: int = 3, more: str = "",
         **options: Any) -> Air:
    """A flight two squares off, about to attack the first ship of red, its owner to order."""
    wing = flight("Blue", "Wing", kind, count, "Ark Royal", more)
    told = air("Ark Royal A1 E", red, wing + flights, **options).aloft("Wing", "F8")
    return told.to(Phase.FLY, 0)


# What ends a battle -----------------------------------------------------------------------------------------------


def test_F37_a_battle_goes_on_while_aircraft_are_aloft_or_may_still_come() -> None:
    out = '[[exit]]\nside = "Red"\nsquares = ["X10"]\n'
    aims = AIMS + '[[objective]]\nside = "Red"\naim = "exit"\npoints = 20\n'
    flights = flight("Blue", "Wing", "Swordfish", 9, "Ark Royal") + flight("Blue", "Late", "Swordfish", 3, "",
                                                                         f"{EDGE}\nenters = 6")
    told = air("Ark Royal C4 E", "Emden U10 E", flights, out, aims)

    def over(ship: Fate, wing: Place, late: Place, **more: Any) -> tuple[bool, set[str]]:
        sunk = ship is Fate.SUNK
        told.hurt("Ark Royal", fate=ship, damage=436 if sunk else 0,
                  square=OFF if sunk else told.battle.grid.number("C4"))
        for number, place in enumerate((wing, late)):
            aloft = place is Place.ALOFT
            square = told.battle.grid.number("D4") if aloft else OFF
            told.state = with_flight(told.state, number, place=place, square=square, came=square,
                                     count=0 if place is Place.LOST else told.battle.flights[number].count,
                                     **{"moves": 2 if aloft else 0, **more})
        state, events = verdict(told.battle, told.state)
        return state.phase is Phase.END, {event.facts["ship"] for event in events if event.kind == "away"}

    going, ended = (False, set()), (True, {"Emden"})
    assert over(Fate.AT_SEA, Place.LOST, Place.LOST) == going
    assert over(Fate.SUNK, Place.ALOFT, Place.LOST) == going
    assert over(Fate.SUNK, Place.ALOFT, Place.HOME, loaded=False) == going, "F37 asks for no aircraft, not for bombs"
    assert over(Fate.SUNK, Place.LOST, Place.COMING) == going
    assert over(Fate.SUNK, Place.LOST, Place.HOME) == over(Fate.SUNK, Place.LOST, Place.LOST) == ended


def test_F37_it_is_over_when_the_last_of_them_has_no_fuel_left() -> None:
    told = air("Ark Royal C4 E", "Emden U10 E", flight("Blue", "Wing", "Swordfish", 9, "Ark Royal"))
    told.hurt("Ark Royal", fate=Fate.SUNK, square=OFF, damage=436).aloft("Wing", "D4", moves=2)
    assert told.next_move().state.phase is not Phase.END
    assert told.next_move().state.phase is Phase.END and told.flight("Wing").place is Place.LOST


# Flights and decks ------------------------------------------------------------------------------------------------


def test_F53_aircraft_over_a_surfaced_boat() -> None:
    told = air("Ark Royal A1 E", "U 552 F6 N (U 552)", flight("Blue", "Wing", "Hudson", 2, "Ark Royal"))
    told.aloft("Wing", "F8")
    told.to(Phase.FLY, 0).play("Wing: attack U 552")
    while told.state.phase is not Phase.RAID:
        told.play("U 552: periscope unseen" if told.state.phase is Phase.SEEN else "done")
    told.play("U 552: fire at Wing off 0 lost 0")
    assert set(told.chances) == {f"U 552: crash dive {pips}" for pips in range(1, 7)}
    caught, under = Air(told.game), Air(told.game)
    caught.state = under.state = told.state
    caught.play("U 552: crash dive 2")
    assert caught.chances["Wing: at U 552 hits 0 telling 0"] == Fraction(25, 36)
    caught.play("Wing: at U 552 hits 1 telling 1")
    assert caught.ship("U 552").damage == 20  # before 1942
    under.play("U 552: crash dive 3")
    assert under.ship("U 552").depth is Depth.DEEP
    assert under.chances["Wing: at U 552 hits 0 telling 0"] == Fraction(35, 36) ** 2


def test_F54_a_flight_is_lost_with_its_ship() -> None:
    told = carrier("").hurt("Ark Royal", fate=Fate.SUNK, square=OFF, damage=9999)
    state, events = flying.rest(told.battle, told.state)
    assert state.flights[0].place is Place.LOST and state.flights[0].lost == 9 and events[0].rule == "F54"
    with pytest.raises(OptionError):
        carrier(kind="Spitfire")


def test_F55_a_carrier_ranges_launches_and_lands() -> None:
    told = carrier("").to(Phase.FLY, 0)
    assert told.of("Ark Royal") == {"range Wing"}
    said(told.refusal("Wing: launch"), FLEET, "no.ranged")
    told.play("Ark Royal: range Wing")
    assert told.flight("Wing").place is Place.RANGED
    told.next_move().to(Phase.MOVE, 0).play("Ark Royal: G4 E").to(Phase.FLY, 0).play("Wing: launch")
    assert told.flight("Wing").place is Place.ALOFT and told.square("Ark Royal") == "G4"
    told.to(Phase.MOVE, 0).play("Ark Royal: I4 E").to(Phase.FLY, 0)
    landed = told.state.move
    told.play("Wing: land Ark Royal")
    assert told.flight("Wing").place is Place.BELOW and told.flight("Wing").ready == landed + 3
    state = replace(told.state, phase=Phase.FLY, side=0)
    said(told.game.why_not(state, told.game.parse_action("Ark Royal: range Wing")), FLEET, "no.ready", move=landed + 3)


def test_F55_a_deck_launches_or_lands_as_many_as_its_number() -> None:
    wings = "".join(flight("Blue", f"Wing {n}", "Swordfish", 3, "Ark Royal", "ranged = true") for n in (1, 2))
    told = air("Ark Royal C4 E", "Ajax X9 N", wings + flight("Blue", "Third", "Swordfish", 3, "Ark Royal"))
    told.aloft("Third", "E6").play("Ark Royal: E4 E").to(Phase.FLY, 0).play("Wing 1: launch", "Wing 2: launch")
    said(told.refusal("Third: land Ark Royal"), FLEET, "no.deck_busy", n=2)


def test_F55_a_carrier_that_turns_or_lies_still_does_neither() -> None:
    still = air("Ark Royal C4 E", "Ajax X9 N", flight("Blue", "Wing", "Swordfish", 9, "Ark Royal", "ranged = true")
                + flight("Blue", "Other", "Swordfish", 3, "Ark Royal")).to(Phase.FLY, 0)
    said(still.refusal("Wing: launch"), FLEET, "no.straight")
    turning = air("Ark Royal C4 E", "Ajax X9 N", flight("Blue", "Wing", "Swordfish", 9, "Ark Royal", "ranged = true")
                  + flight("Blue", "Other", "Swordfish", 3, "Ark Royal")).play("Ark Royal: D5 SE").to(Phase.FLY, 0)
    said(turning.refusal("Wing: launch"), FLEET, "no.straight")


def test_F56_a_flight_goes_as_far_as_its_type_and_is_lost_without_fuel() -> None:
    told = raid()
    far = {order for order in told.of("Wing") if order[1:].isdigit()}
    assert "F10" in far and "N8" in far and "O8" not in far  # eight squares
    said(told.refusal("Wing: O8"), FLEET, "no.far", n=8)
    told.play("Wing: N8")
    assert told.flight("Wing").square == told.battle.grid.number("N8")
    dry = raid().aloft("Wing", "F8", moves=1)
    dry.play("Wing: N8").next_move()
    assert dry.flight("Wing").place is Place.LOST and dry.flight("Wing").lost == 3 and tell(dry.events, "F56")


def test_F57_a_base_over_the_horizon() -> None:
    flights = flight("Blue", "Called", "Buffalo", 10, more=f"call = 2\n{EDGE}")
    flights += flight("Red", "Raiders", "Nell", 8, more='enters = 4\nentry = ["X1", "X2"]')
    told = air("Ajax C4 E", "Exeter X9 N", flights).to(Phase.FLY, 0).play("Called: launch")
    assert told.flight("Called").ready == 3 and told.flight("Raiders").ready == 3  # a call is heard
    while told.state.phase is not Phase.ENTRY:
        told.done()
    assert told.state.move == 3 and set(told.chances) == {"Called: enter A1"}
    told.play("Called: enter A1")
    assert told.chances == {"Raiders: enter X1": Fraction(1, 2), "Raiders: enter X2": Fraction(1, 2)}
    told.play("Raiders: enter X2").to(Phase.FLY, 1).play("Raiders: land home")
    assert told.flight("Raiders").place is Place.HOME


def test_F57_an_airfield_is_a_harbour_with_a_deck() -> None:
    wing = flight("Blue", "Wing", "Hudson", 3, "Airfield", "ranged = true")
    field = air("Airfield C4 E (Airfield)", "Ajax X9 N", wing,
                '[[harbour]]\nside = "Blue"\nsquares = ["C4"]\n').to(Phase.FLY, 0)
    assert "launch" in field.of("Wing")
    card = field.battle.card(0)
    assert (card.deck, card.sinking_rate) == (3, 300)
    field.hurt("Airfield", damage=90)
    said(field.refusal("Wing: launch"), FLEET, "no.shut")
    field.next_move()
    assert field.ship("Airfield").damage == 60  # a tenth a move mends it


def test_F58_on_a_wide_sea_ships_beyond_sight_are_nowhere() -> None:
    near = air("Ark Royal C4 E", "Ajax H4 N", flight("Blue", "Wing", "Swordfish", 3, "Ark Royal"), "wide = true")
    far = air("Ark Royal C4 E", "Ajax I4 N", flight("Blue", "Wing", "Swordfish", 3, "Ark Royal"), "wide = true")
    seen = [told.game.observe(told.state, 0).view.ships[1].square for told in (near, far)]
    assert seen[0] == near.battle.grid.number("H4") and seen[1] < 0 and not far.game.observe(far.state, 0).discs
    far.aloft("Wing", "I7")
    assert far.game.observe(far.state, 0).view.ships[1].square >= 0  # three squares from above
    far.aloft("Wing", "I8")
    assert far.game.observe(far.state, 0).view.ships[1].square < 0
    far.aloft("Wing", "T4", came=far.battle.grid.number("C4"))
    assert far.game.observe(far.state, 0).view.ships[1].square >= 0  # a scout sees along its way


def test_F58_a_flight_is_a_disc_until_it_attacks() -> None:
    told = raid()
    seen = told.game.observe(told.state, 1)
    assert seen.sky == ((told.battle.grid.number("F8"), 3),) and seen.view.flights[0].place is Place.BELOW
    told.play("Wing: attack Bismarck")
    assert told.game.observe(told.state, 1).view.flights[0].duty is Duty.NONE
    told.to(Phase.RAID)
    shown = told.game.observe(told.state, 1)
    assert shown.sky == () and shown.view.flights[0].square == told.battle.grid.number("F6")


def test_F59_a_quarter_shuts_a_deck_and_half_an_armoured_one() -> None:
    told = carrier().to(Phase.FLY, 0).hurt("Ark Royal", damage=110)
    said(told.refusal("Wing: launch"), FLEET, "no.shut")
    wing = flight("Blue", "Wing", "Swordfish", 9, "Illustrious", "ranged = true")
    armoured = air("Illustrious C4 E", "Ajax X9 N", wing)
    armoured.play("Illustrious: E4 E").to(Phase.FLY, 0).hurt("Illustrious", damage=140)
    assert "launch" in armoured.of("Wing")
    armoured.hurt("Illustrious", damage=260)
    said(armoured.refusal("Wing: launch"), FLEET, "no.shut")


def test_F60_a_floatplane_spots_for_its_ships_guns() -> None:
    told = air("Exeter C4 E", "Bismarck I4 N", flight("Blue", "Walrus 1", "Walrus", 1, "Exeter"))
    plain = Air(told.game)
    plain.state = told.state
    told.aloft("Walrus 1", "I6")
    for story, need in ((told, 2), (plain, 1)):  # six squares, the 8 in's greatest range
        story.to(Phase.FIRE, 0).play("Exeter: guns main once Bismarck")
        while story.state.phase is not Phase.SALVO:
            story.done()
        guns = max(action.hits for action in story.game.chance(story.state))
        miss = next(p for action, p in story.game.chance(story.state).items() if action.hits == 0)
        assert miss == Fraction(6 - need, 6) ** guns


def test_F60_a_floatplane_is_catapulted_and_picked_up() -> None:
    told = air("Exeter C4 E", "Bismarck X4 N", flight("Blue", "Walrus 1", "Walrus", 1, "Exeter")).to(Phase.FLY, 0)
    told.play("Walrus 1: launch").next_move().to(Phase.MOVE, 0).play("Exeter: G4 E").to(Phase.FLY, 0)
    said(told.refusal("Walrus 1: land Exeter"), FLEET, "no.pick_up")
    told.next_move().to(Phase.FLY, 0).play("Walrus 1: land Exeter")
    assert told.flight("Walrus 1").place is Place.BELOW


# Fighters, guns and bombs -----------------------------------------------------------------------------------------

CAP = flight("Red", "Patrol", "Zero", 6, "Shokaku")


def met(escorts: int = 0, **options: Any) -> Air:
    """A raid on Shokaku with her patrol over her, at its fights."""
    more = flight("Blue", "Escort", "Wildcat", escorts, "Ark Royal") if escorts else ""
    told = raid("Shokaku F6 N, Ajax F7 N", CAP + more, "Val", 6, **options)
    told.aloft("Patrol", "F5", duty=Duty.PATROL, mark=told.battle.numbers["Shokaku"], acted=True)
    told.play("Wing: attack Shokaku")
    if escorts:
        told.aloft("Escort", "F8").play("Escort: attack Shokaku")
    while told.state.phase is not Phase.RAID:
        told.done()
    return told


def test_F61_half_a_patrol_without_radar_meets_a_raid() -> None:
    told = met()
    assert [(fight.dice, fight.need) for fight in told.state.fights] == [(3, 4), (2, 6)]  # three of six, and gunners
    far = raid("Shokaku F6 N", CAP, "Val", 6).aloft("Patrol", "F3", duty=Duty.PATROL, mark=1, acted=True)
    far.play("Wing: attack Shokaku")
    while far.state.phase is not Phase.RAID:
        far.done()
    assert not far.state.fights  # three squares off


def test_F62_consorts_fire_too() -> None:
    alone, helped = raid(), raid("Bismarck F6 N, Ajax F7 N")
    for told in (alone, helped):
        told.play("Wing: attack Bismarck")
        while told.state.phase is not Phase.RAID:
            told.done()
    dice = [raiding.guns(told.battle, told.state, told.state.raids[0]) for told in (alone, helped)]
    bismarck, ajax = helped.battle.card(1), helped.battle.card(2)
    assert dice == [bismarck.anti_aircraft, bismarck.anti_aircraft + ajax.anti_aircraft // 2]


def test_F63_what_is_broken_off_does_not_drop() -> None:
    told = raid().play("Wing: attack Bismarck").to(Phase.RAID)
    assert told.chances["Bismarck: fire at Wing off 0 lost 0"] == odds.flak(3, told.battle.card(1).anti_aircraft)[0, 0]
    told.play("Bismarck: fire at Wing off 2 lost 1")
    assert told.flight("Wing").count == 2 and told.flight("Wing").lost == 1
    assert max(action.hits for action in told.game.chance(told.state)) == 1
    lost = raid().play("Wing: attack Bismarck").to(Phase.RAID).play("Bismarck: fire at Wing off 3 lost 3")
    assert lost.flight("Wing").place is Place.LOST and lost.state.move == 2


def test_F64_escorts_pair_off_and_who_is_hit_is_lost() -> None:
    told = met(escorts=2)
    name = [squadron.name for squadron in told.battle.flights].__getitem__
    dice = [(name(fight.flight), name(fight.other), fight.dice, fight.need) for fight in told.state.fights]
    assert dice == [("Escort", "Patrol", 2, 6), ("Patrol", "Escort", 2, 6), ("Patrol", "Wing", 1, 4),
                    ("Wing", "Patrol", 2, 6)]  # fmt: skip
    told.play("Escort: fight Patrol down 1", "Patrol: fight Escort down 2", "Patrol: fight Wing down 1")
    assert told.flight("Wing").count == 6  # together: nobody falls before all have fired
    told.play("Wing: fight Patrol down 0")
    assert [told.flight(name).count for name in ("Escort", "Patrol", "Wing")] == [0, 5, 5]


def test_F65_patrol_then_guns_then_bombs() -> None:
    told, seen = met(), []
    while told.state.phase is Phase.RAID:
        seen.append(next(iter(told.game.chance(told.state))).__class__.__name__)
        told.play(str(next(iter(told.game.chance(told.state)))))
    assert seen == ["Down", "Down", "Flak", "Bombs"]


def test_F66_a_telling_torpedo_wrecks_the_screws() -> None:
    told = raid().play("Wing: attack Bismarck").to(Phase.RAID).play("Bismarck: fire at Wing off 0 lost 0")
    assert {str(a): p for a, p in told.game.chance(told.state).items()} == {
        f"Wing: at Bismarck hits {h} telling {t}": p for (h, t), p in odds.drop(3, 6).items()}
    told.play("Wing: at Bismarck hits 2 telling 1")
    assert told.ship("Bismarck").damage == 400 and told.ship("Bismarck").screws and tell(told.events, "F66")
    assert not told.flight("Wing").loaded
    told.state = replace(told.state, phase=Phase.MOVE, side=1)
    assert {order.split()[0] for order in told.of("Bismarck") if "turret" not in order} <= {"F6", "F5", "E5", "G5"}


def test_F66_speed_is_as_it_was_when_the_fire_began() -> None:
    slow = raid().hurt("Bismarck", damage=600).play("Wing: attack Bismarck").to(Phase.RAID)
    assert raiding.lowest(slow.battle, slow.state, 1) == 5
    slow.play("Bismarck: fire at Wing off 0 lost 0")
    need_five = odds.drop(3, 5)
    assert {str(a): p for a, p in slow.game.chance(slow.state).items()} == {
        f"Wing: at Bismarck hits {h} telling {t}": p for (h, t), p in need_five.items()}
    assert raiding.lowest(raid().battle, raid().state, 1) == 6


def test_F67_ranged_flights_burn() -> None:
    deck = flight("Red", "Deck", "Kate", 9, "Shokaku", "ranged = true")
    told = raid("Shokaku F6 N", deck, "Val", 2).play("Wing: attack Shokaku").to(Phase.RAID)
    told.play("Shokaku: fire at Wing off 0 lost 0")
    hits = {f"Wing: at Shokaku hits {k} telling {k}" for k in (0, 1, 2)}
    assert {str(action) for action in told.game.chance(told.state)} == hits
    told.play("Wing: at Shokaku hits 1 telling 1")
    assert told.ship("Shokaku").damage == 90 and told.flight("Deck").place is Place.LOST and tell(told.events, "F67")


def test_aircraft_lost_bring_points() -> None:
    aims = AIMS + '[[objective]]\nside = "Red"\naim = "aircraft"\npoints = 3\n'
    told = raid(aims=aims).play("Wing: attack Bismarck").to(Phase.RAID).play("Bismarck: fire at Wing off 2 lost 2")
    assert score(told.battle, told.state, 1) == 6


# What stays hidden ------------------------------------------------------------------------------------------------


def test_two_flights_of_one_number_look_the_same() -> None:
    both = flight("Blue", "Torpedoes", "Swordfish", 5, "Ark Royal")
    both += flight("Blue", "Fighters", "Fulmar", 5, "Ark Royal")
    told = air("Ark Royal A1 E", "Bismarck F6 N", both).aloft("Torpedoes", "F8").aloft("Fighters", "D3")
    told.to(Phase.FLY, 0).play("Torpedoes: attack Bismarck")
    rng, swapped = np.random.default_rng(2), 0
    for _ in range(12):
        other = permute(told.battle, told.state, 1, rng)
        assert told.game.observe(other, 1) == told.game.observe(told.state, 1)
        swapped += other.flights[0].square != told.state.flights[0].square
    assert swapped and flight_known(told.battle, told.state, 0)


@pytest.mark.parametrize("key", ["force_z", "rudder", "carriers_in_the_cloud"])
def test_the_battles_of_aircraft_are_honest(key: str) -> None:
    game, rng, pick = nk.load("fleet-action", scenario=key, moves=5), np.random.default_rng(4), random.Random(4)
    match = nk.Match.new(game, 1)
    while not match.over:
        legal = match.legal()
        bold = [action for action in legal if type(action).__name__ in ("Attack", "Launch", "Range")]
        match.play(pick.choice(bold or legal))
        for me in (0, 1):
            other = permute(game.battle, match.state, me, rng)
            assert game.observe(other, me) == game.observe(match.state, me)
            assert game.turn(other) != me or game.legal(other) == game.legal(match.state)
    assert game.parse_state(game.format_state(match.state)) == match.state


def test_a_battle_with_aircraft_keeps_to_what_every_game_promises() -> None:
    flights = flight("Blue", "Walrus 1", "Walrus", 1, "Exeter") + flight("Red", "Arado 1", "E13A", 2, "Bismarck")
    game = battle("Exeter C4 E", "Bismarck I4 N", "sections = [2, 1]", flights, moves=2)
    check_game(game, seeds=range(1), walks=1, permute=lambda state, me, rng: permute(game.battle, state, me, rng))


def test_what_does_not_fit_is_said() -> None:
    told = raid()
    for text, key in (("(phase=move flights=[])", "state.flights"),
                      ("(phase=move flights=[(count=99)])", "state.flight"),
                      ("(phase=move raids=[(flight=Wing target=Bismarck)])", "state.raids")):
        with pytest.raises(ValueError) as caught:
            told.game.parse_state(text)
        said(caught.value, FLEET.phrase(key))


@pytest.mark.parametrize("key", ["force_z", "rudder", "carriers_in_the_cloud"])
def test_the_battles_of_aircraft_can_be_shown_and_kept(key: str) -> None:
    """One move: boards, what a class is asked, captains, records and links."""
    game = nk.load("fleet-action", scenario=key, moves=1)
    check_game(game, seeds=range(1), walks=1, permute=lambda state, me, rng: permute(game.battle, state, me, rng))
