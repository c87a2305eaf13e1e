"""Wolf Pack, told again from the source and the rulings: plain functions over plain dicts, no speed.

A game is a dict; cards are words; piles are dicts of word -> number without zeros. Nothing here knows the house.
"""

from __future__ import annotations
from copy import deepcopy
from fractions import Fraction

from .exercised import decides

SIDES = ("u-boats", "convoy")
ROWS = (("periscope", "torpedo", "transport"), ("sonar", "charges", "u-boat"))
CLEARS = ("dive", "sweep")
RAIDS = ("mouse", "miss")
HAND, DRAW = 5, 2


@decides("W1", "W1a")
def begin(cards, goals, last_turn):
    """Before the deal: the U-boats get five cards, then the convoy."""
    game = {
        "cards": dict(cards), "goals": tuple(goals), "last turn": last_turn,
        "phase": "draw", "side": 0, "turn": 0, "to draw": HAND,
        "hands": ({}, {}), "known": ({}, {}), "rows": ([], []), "sunk": [0, 0],
        "discards": {}, "pool": dict(cards), "deck": dict(cards), "shuffles": 1, "losses": 0, "result": "",
    }
    return game


@decides("W2")
def turn(game):
    """Who decides next: a side's number, "chance" or "over"."""
    if game["phase"] == "end":
        return "over"
    return "chance" if game["phase"] in ("draw", "loss") else game["side"]


@decides("W5", "W11")
def moves(game):
    """What the side on turn may do."""
    side, hand = game["side"], game["hands"][game["side"]]
    if game["phase"] == "discard":
        return {f"discard {card}" for card in hand}
    if game["phase"] != "action":
        return set()
    wanted = ROWS[side][len(game["rows"][side])]
    return {"pass"} | {f"play {card}" for card in hand if card in (wanted, CLEARS[side], *RAIDS)}


def luck(game):
    """What chance may do, with its probability."""
    side, verb, pile = game["side"], "draw", game["deck"]
    if game["phase"] == "loss":
        side, verb = 1 - side, "lose"
        pile = game["hands"][side]
    return {f"{SIDES[side]} {verb} {card}": Fraction(n, size(pile)) for card, n in pile.items()}


def play(game, text):
    """The game after that action; the one before stays as it is."""
    game = deepcopy(game)
    words = text.split()
    side, card = game["side"], words[-1]
    hand = game["hands"][side]
    if game["phase"] == "draw":
        take(game["deck"], card)
        put(hand, card)
        game["to draw"] -= 1
        draw_on(game)
    elif game["phase"] == "discard":
        take(hand, card)
        forget(game, side, card)
        put(game["discards"], card)
        after_draws(game)
    elif game["phase"] == "loss":
        take(game["hands"][1 - side], card)
        forget(game, 1 - side, card)
        put(game["discards"], card)
        game["losses"] += 1
        after_action(game)
    elif text == "pass":
        after_action(game)
    else:
        take(hand, card)
        forget(game, side, card)
        act(game, side, card)
    return game


def act(game, side, card):
    """The one card of the turn, which has left the hand."""
    row = game["rows"][side]
    if card in ROWS[side]:
        row.append(card)
        if len(row) == 3:
            game["sunk"][side] += 1
            clear(game, row)
            if game["sunk"][side] == game["goals"][side]:
                game["phase"], game["result"] = "end", ("U-boats", "convoy")[side]
                return
        after_action(game)
        return
    put(game["discards"], card)
    if card in CLEARS:
        for each in game["rows"]:
            clear(game, each)
    elif game["hands"][1 - side]:
        game["phase"] = "loss"
        return
    after_action(game)


@decides("W4")
def after_draws(game):
    """Somebody has drawn: too many cards go, then the next draws, or the actions begin."""
    if size(game["hands"][game["side"]]) > HAND:
        game["phase"] = "discard"
    elif game["side"] == 0:
        start_draw(game, 1)
    else:
        game["phase"], game["side"] = "action", 0


def after_action(game):
    """U-boats, convoy, next turn; after the last turn nobody has won."""
    if game["side"] == 0:
        game["phase"], game["side"] = "action", 1
    elif game["turn"] == game["last turn"]:
        game["phase"], game["result"] = "end", "draw"
    else:
        game["turn"] += 1
        start_draw(game, 0)


@decides("W3")
def start_draw(game, side):
    game["phase"], game["side"], game["to draw"] = "draw", side, DRAW
    draw_on(game)


def draw_on(game):
    """Another card, if one is due: out of the deck, out of the discards shuffled anew, or not at all."""
    if game["to draw"] and not game["deck"] and game["discards"]:
        game["deck"], game["discards"] = game["discards"], {}
        game["pool"] = dict(game["deck"])
        game["shuffles"] += 1
        game["known"] = tuple(dict(hand) for hand in game["hands"])  # nothing else was left to be counted
    if game["to draw"] and game["deck"]:
        return
    game["to draw"] = 0
    if game["turn"]:
        after_draws(game)
    elif game["side"] == 0:  # the deal goes on
        game["side"], game["to draw"] = 1, HAND
    else:
        game["turn"] = 1
        start_draw(game, 0)


@decides("W13")
def forget(game, side, card):
    """A card that the other side knew of by counting may be the one that has just gone."""
    if card in game["known"][side]:
        take(game["known"][side], card)


def size(pile):
    return sum(pile.values())


def put(pile, card):
    pile[card] = pile.get(card, 0) + 1


def take(pile, card):
    pile[card] -= 1
    if not pile[card]:
        del pile[card]


def clear(game, row):
    for card in row:
        put(game["discards"], card)
    row.clear()
