"""House and referee agree on On Patrol: fleet die, markers, modes, who hunts whom, order, ways, circles, charges."""

from __future__ import annotations

from collections import Counter

import pytest

import navalkit as nk

from . import on_patrol as op
from .patrol_tables import agree_on_hunts, position
from .patrol_trace import untrue_sentences

KINDS = {
    "the fleet die", "the marker after orders", "the marker after a search", "who hunts whom", "who moves first",
    "a legal way", "a clear way", "the way of radial movement", "as close beside her path as can be",
    "no way is longer", "the way on a circle", "speed on a circle", "weapons of a turn", "weapons within reach",
    "hexes covered", "charges on a circle", "charges in formation",
}  # fmt: skip


def test_house_and_referee_agree() -> None:
    agreed = agree_on_hunts(12, longest=600)
    assert set(agreed) >= KINDS - {"speed on a circle", "no way is longer"}


@pytest.mark.slow
def test_house_and_referee_agree_over_a_long_run() -> None:
    assert set(agree_on_hunts(900, seed=10_000)) >= KINDS


def test_what_traces_say_is_so() -> None:
    said: Counter[str] = Counter()
    wrong = untrue_sentences(4, 0, 400, said)
    assert not wrong, wrong[0]


@pytest.mark.slow
def test_what_thousands_of_traces_say_is_so() -> None:
    said: Counter[str] = Counter()
    wrong = untrue_sentences(120, 10_000, 700, said)
    print(f"{said.total():,} sentences of {len(said)} kinds are so: {dict(said)}")
    assert not wrong, wrong[0]
    assert len(said) > 60


# Positions in which house and source part ------------------------------------------------------------------------

ALONGSIDE = """(turn=9 phase=3 fleet=(guide=E20/3 row="fast 3" die=3 emergency=true) vessels=[(id=E2 role=escort
 type="black-swan" place=AB34/2 speed=3 station="2" offset=I1 hunt=(boat=S1 contact=[S1] ran=Y36))]
 boats=[(id=S1 type=ixc place=Y36/1 depth=125 speed=1 hull=8)] markers=[(boat=S1 kind=contact place=X36/1)] launched=6
 found=[S1] year=1944)""".replace("\n", "")


def test_a_ship_alongside_the_zone_that_has_run_turns_about() -> None:
    """Her course leads neither in nor straight out; the source asks only that her stern be outside (105.4.9)."""
    house = nk.load("on-patrol", scenario="hunter-group", package="advanced")
    state = house.parse_state(ALONGSIDE)
    ship = position(house, state)["ships"]["E2"]
    assert not op.in_zone(ship["place"], ship["ran"])
    path = [(tuple(place.bow), place.direction) for place in house.legal(state)[0].path]
    assert path == list(op.williamson(ship["place"], -1)[:3])
