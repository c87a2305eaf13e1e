"""The tables at which house and referee meet: how a state of the house reads in the referee's words."""

from __future__ import annotations
from dataclasses import replace
from typing import Any

from . import task_force, uss_lox, wolf_pack
from .driver import Table, flips

CARDS = ("periscope", "torpedo", "transport", "sonar", "charges", "u-boat", "dive", "sweep", "mouse", "miss", "water")
SIDES = ("U-boats", "convoy")


# Wolf Pack ------------------------------------------------------------------------------------------------------


def _pile(counts: Any) -> dict[str, int]:
    return {card: n for card, n in zip(CARDS, counts, strict=True) if n}


def _wolf_options(rng: Any) -> dict[str, Any]:
    """The usual deck, a thin one in which cards run out, or any; goals and last turns of all sizes."""
    kind = rng.integers(4)
    low, high = ((0, 1), (0, 4), (0, 20), (0, 0))[kind]
    counts = {card: int(rng.integers(low, high + 1)) for card in CARDS}
    for row in wolf_pack.ROWS:
        for card in row:
            counts[card] = max(1, counts[card])
    counts["water"] += max(0, 15 - sum(counts.values()))
    return {
        "deck": "default" if kind == 3 else " ".join(f"{card}={n}" for card, n in counts.items()),
        "transports": int(rng.integers(1, 13)), "u_boats": int(rng.integers(1, 13)),
        "turn_limit": int(rng.choice([10, 30, 200])),
    }  # fmt: skip


def _wolf_begin(house: Any, rng: Any) -> tuple[Any, dict[str, Any]]:
    options, state = house.options, house.initial()
    goals = options["transports"], options["u_boats"]
    return state, wolf_pack.begin(_pile(state.deck), goals, options["turn_limit"])


def _wolf_read(house: Any, state: Any) -> dict[str, Any]:
    return {
        "phase": str(state.phase), "side": state.side, "turn": state.turn, "to draw": state.to_draw,
        "hands": tuple(map(_pile, state.hands)), "known": tuple(map(_pile, state.known)),
        "rows": tuple(list(row[:n]) for row, n in zip(wolf_pack.ROWS, state.rows, strict=True)),
        "sunk": list(state.sunk), "discards": _pile(state.discards), "pool": _pile(state.pool),
        "deck": _pile(state.deck), "shuffles": state.shuffles, "losses": state.losses, "result": state.result,
    }  # fmt: skip


def _wolf_shown(game: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in game.items() if key not in ("cards", "goals", "last turn")}


def _wolf_ending(game: dict[str, Any]) -> tuple[str, tuple[float, ...]]:
    scores = {"U-boats": (1, 0), "convoy": (0, 1), "draw": (0.5, 0.5)}
    return game["result"], scores[game["result"]]


WOLF_PACK = Table(
    "wolf-pack", _wolf_options, _wolf_begin, _wolf_read, _wolf_shown, wolf_pack.turn, wolf_pack.moves, wolf_pack.luck,
    wolf_pack.play, _wolf_ending, dull=("pass",),
)  # fmt: skip


# USS Lox --------------------------------------------------------------------------------------------------------


def _lox_options(rng: Any) -> dict[str, Any]:
    rules = flips(rng, "jokers", "face_estimates", "plan_patrol", "king_ships", "queen_ships", "nob")
    return {**rules, "patrols": int(rng.integers(1, 3))}


def _lox_begin(house: Any, rng: Any) -> tuple[Any, dict[str, Any]]:
    """As dealt; in one game of four with a deck of a few cards, or it would never run out."""
    state, game = house.initial(), uss_lox.begin(house.options)
    if rng.random() < 0.25:
        game["deck"] = int(rng.integers(1, 6))
        state = replace(state, deck=state.deck[: game["deck"]])
    return state, game


def _text(card: int) -> str:
    return uss_lox.PACK[card] if card < 52 else uss_lox.JOKERS[card - 52]


def _texts(cards: Any) -> list[str]:
    return [_text(card) for card in cards]


def _lox_read(house: Any, state: Any) -> dict[str, Any]:
    open_ = [square for square, slot in zip(state.squares, state.ocean, strict=True) if slot >= 0]
    return {
        "phase": "turning" if state.phase == "draw" else str(state.phase), "patrol": state.patrol, "ocean": set(open_),
        "torpedoes": len(state.supply), "deck": len(state.deck), "ship": _text(state.ship) if state.ship >= 0 else "",
        "role": state.role, "firing": state.firing, "fired": _texts(state.fired), "turning": state.drawing,
        "seen": set(_texts(state.seen_cards)), "sunk": _texts(state.sunk), "spent": state.spent,
        "estimates": len(state.estimates) - len(state.estimated), "estimated": _texts(state.estimated),
        "result": state.result, "tons": state.tons,
    }  # fmt: skip


def _lox_shown(game: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in game.items() if key not in ("cards", "options")}
    return {**kept, "tons": uss_lox.tons(game)}


USS_LOX = Table(
    "uss-lox", _lox_options, _lox_begin, _lox_read, _lox_shown, uss_lox.turn,
    uss_lox.moves, uss_lox.luck, uss_lox.play, lambda game: (game["result"], (uss_lox.tons(game),)), dull=("return",),
)  # fmt: skip


# Task Force -----------------------------------------------------------------------------------------------------


def _task_options(rng: Any) -> dict[str, Any]:
    """The full map or a small one, of a few sizes; what hides and what flies at random."""
    common = {
        "missiles": int(rng.integers(0, 4)), "submarines": int(rng.integers(0, 4)),
        "anti_air": int(rng.integers(0, 5)), "strike_fighters": int(rng.integers(0, 4)), **flips(rng, "helicopters"),
    }  # fmt: skip
    kind = rng.integers(12)
    if kind < 2:
        return common if kind else {}
    sizes = ((12, 10, 7, "full"), (6, 7, 3, "small"), (5, 5, 3, "small"), (4, 4, 2, "tiny"))
    sea = dict(zip(("rows", "columns", "deep", "fleet"), sizes[kind - 2 and 1 + kind % 3], strict=True))
    return {**common, **sea, "missiles": common["missiles"] if kind == 2 else common["missiles"] % 2}


def _task_read(house: Any, state: Any) -> dict[str, Any]:
    columns = house.options["columns"]

    def name(square: int) -> str:
        return f"{task_force.LETTERS[square % columns]}{square // columns + 1}"

    return {
        "phase": str(state.phase), "tries": state.tries, "fleet": [[name(s) for s in ship] for ship in state.fleet],
        "submarines": set(map(name, state.submarines)),
        "missiles": {name(s): task_force.OWN[target] for s, target in state.missiles},
        "scratched": {s for i, s in enumerate(task_force.squares(house.options)) if state.scratched >> i & 1},
        "afloat": [task_force.OWN[ship] for ship in state.afloat], "anti air": state.anti_air,
        "strikes": state.strikes, "helicopters": list(state.helicopters), "flying": state.flying,
        "flight": list(map(name, state.flight)), "result": state.result,
        "rank": over.facts["rank"] if (over := house.outcome(state)) else "",
    }  # fmt: skip


TASK_FORCE = Table(
    "task-force", _task_options, lambda house, rng: (house.initial(), task_force.begin(house.options)), _task_read,
    lambda game: {key: value for key, value in game.items() if key != "options"} | {"rank": task_force.rank(game)},
    task_force.turn, task_force.moves,
    lambda game: None, task_force.play,
    lambda game: (game["result"], (len(game["afloat"]) if game["result"] == "win" else 0,)),
)  # fmt: skip
