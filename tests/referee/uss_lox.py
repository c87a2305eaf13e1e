"""USS Lox, told again from the source and the rulings: plain functions over plain dicts, no speed.

Cards are texts ("8D", "X1"). A card that lies face down has no name yet: piles of them are numbers, and chance deals
from all cards that nobody has seen.
"""

from __future__ import annotations
from copy import deepcopy
from fractions import Fraction
from itertools import combinations

from .exercised import decides

RANKS = "A23456789TJQK"
PACK = [rank + suit for rank in RANKS for suit in "CDHS"]
JOKERS = ["X1", "X2"]
SUPPLY, OCEAN = 24, 9


@decides("L0")
def begin(options):
    """Before the first card is turned up. ``options`` are the source's advanced rules by name."""
    cards = PACK + (JOKERS if options["jokers"] else [])
    game = {
        "options": dict(options), "cards": cards, "seen": set(), "patrol": 1, "phase": "", "ocean": set(),
        "torpedoes": 0, "deck": len(cards), "ship": "", "role": "", "firing": 0, "fired": [], "turning": "",
        "sunk": [], "estimates": 0, "estimated": [], "spent": 0, "result": "",
    }
    sail(game)
    return game


def sail(game):
    """A patrol is dealt from the cards that are left."""
    dealt = min(SUPPLY, game["deck"])
    game["deck"] -= dealt
    game["torpedoes"] = dealt
    if game["options"]["plan_patrol"]:
        game["phase"] = "plan"
    else:
        lay_out(game, min(OCEAN, dealt - 1))


@decides("A3")
def lay_out(game, number):
    game["torpedoes"] -= number
    game["ocean"] = set(squares(number))
    game["phase"] = "periscope"


def squares(number):
    """Row by row in the smallest square of columns and rows that holds that many cards."""
    side = 1
    while side * side < number:
        side += 1
    return [f"{column}{row}" for row in range(1, side + 1) for column in "ABCDE"[:side]][:number]


def turn(game):
    return {"turning": "chance", "end": "over"}.get(game["phase"], 0)


def moves(game):
    phase, torpedoes = game["phase"], game["torpedoes"]
    turn_up = {f"flip {square}" for square in game["ocean"]}
    if phase == "plan":
        return {f"plan {number}" for number in range(1, torpedoes)}
    if phase == "periscope":
        return turn_up
    if phase == "debrief":
        return turn_up | {"return"}
    if phase == "queen":
        return {"chase", "decline"}
    if phase in ("target", "escort"):
        most = 0 if rank(game["ship"]) == "J" else min(3, torpedoes)  # the deck gun asks for none
        attacks = {f"attack {number}" for number in range(most + 1)}
        if phase == "target":
            return attacks | {"decline"}
        return attacks | ({"escape"} if torpedoes >= pips(game["ship"]) else set())
    return set()


def luck(game):
    unseen = [card for card in game["cards"] if card not in game["seen"]]
    return {f"{game['turning']}={card}": Fraction(1, len(unseen)) for card in unseen}


def play(game, text):
    game = deepcopy(game)
    if game["phase"] == "turning":
        turned_up(game, text.split("=")[1])
        return game
    verb, _, rest = text.partition(" ")
    if verb == "plan":
        lay_out(game, int(rest))
    elif verb == "flip":
        turn_up(game, rest)
    elif verb == "chase":
        turn_up(game, "extra")
    elif verb == "return":
        come_home(game)
    elif verb == "escape":
        game["torpedoes"] -= pips(game["ship"])
        game["deck"] += pips(game["ship"])
        gone(game)
        debrief(game)
    elif verb == "decline" and game["phase"] == "queen" or game["role"] == "extra" and verb == "decline":
        gone(game)
        debrief(game)
    elif verb == "decline":
        gone(game)
        game["phase"] = "periscope"
        if not game["ocean"]:
            come_home(game)
    elif rank(game["ship"]) == "J":
        sink(game)
    elif rest == "0":
        fail(game)
    else:
        game["firing"] = int(rest)
        turn_up(game, "torpedo")
    return game


def turn_up(game, place):
    game["phase"], game["turning"] = "turning", place


def turned_up(game, card):
    """Chance has turned up the card at the place that was looked at."""
    place, game["turning"] = game["turning"], ""
    game["seen"].add(card)
    if place == "torpedo":
        game["torpedoes"] -= 1
        game["spent"] += 1
        game["fired"].append(card)
        if len(game["fired"]) < game["firing"]:
            turn_up(game, "torpedo")
        elif hits(game["ship"], game["fired"], game["options"]["nob"]):
            sink(game)
        else:
            fail(game)
        return
    if place == "estimate":
        game["estimates"] -= 1
        game["estimated"].append(card)
        finish(game)
        return
    if place in ("escort", "extra"):
        game["deck"] -= 1
    else:
        game["ocean"].remove(place)
    if card in JOKERS:
        call_escort(game)
        return
    escort = place == "escort" or place != "extra" and rank(card) == "K" and game["options"]["king_ships"]
    game["ship"], game["phase"] = card, "escort" if escort else "target"
    game["role"] = "escort" if escort else "extra" if place == "extra" else "target"


def sink(game):
    """She goes into the score pile, or a card of the deck for her; a queen may bring another ship."""
    ship = game["ship"]
    gone(game)
    if game["options"]["face_estimates"] and rank(ship) in "JQK" and game["deck"]:
        game["deck"] -= 1
        game["estimates"] += 1
    else:
        game["sunk"].append(ship)
    if game["options"]["queen_ships"] and rank(ship) == "Q" and game["deck"]:
        game["phase"] = "queen"
    else:
        debrief(game)


def fail(game):
    """An attack without a hit."""
    if game["role"] == "escort":
        gone(game)
        lose(game)
    else:
        gone(game)
        call_escort(game)


def call_escort(game):
    if game["deck"]:
        turn_up(game, "escort")
    elif game["patrol"] == 2:
        lose(game)
    else:
        debrief(game)


def debrief(game):
    game["phase"] = "debrief"
    if not game["ocean"] or not game["torpedoes"]:
        come_home(game)


def come_home(game):
    if game["patrol"] < game["options"]["patrols"] and game["deck"] > 1:
        game["patrol"] = 2
        game["ocean"], game["torpedoes"] = set(), 0
        sail(game)
    else:
        game["result"] = "win"
        finish(game)


def lose(game):
    game["result"] = "loss"
    finish(game)


def finish(game):
    """Stand-ins for sunk face cards are turned up last of all."""
    if game["estimates"]:
        turn_up(game, "estimate")
    else:
        game["phase"] = "end"


def gone(game):
    """Nothing lies face up before the boat any more."""
    game["ship"], game["role"], game["firing"], game["fired"] = "", "", 0, []


@decides("L7")
def tons(game):
    return 1000 * sum(pips(card) for card in game["sunk"] + game["estimated"])


@decides("L3b")
def hits(ship, torpedoes, nob):
    """Whether ship and torpedoes score anything at cribbage."""
    hand = [ship, *torpedoes]
    if any(card in JOKERS for card in torpedoes):
        return False
    for number in range(2, len(hand) + 1):
        for some in combinations(hand, number):
            ranks = sorted(RANKS.index(rank(card)) for card in some)
            if number == 2 and ranks[0] == ranks[1]:
                return True
            if sum(map(pips, some)) == 15:
                return True
            if number > 2 and ranks == list(range(ranks[0], ranks[0] + number)):
                return True
            if number == 4 and len({card[1] for card in some}) == 1:
                return True
    return nob and any(rank(card) == "J" and card[1] == ship[1] for card in torpedoes)


def rank(card):
    return card[0]


def pips(card):
    """Ace 1, faces 10; a joker counts nothing."""
    return 0 if card in JOKERS else min(10, RANKS.index(rank(card)) + 1)
