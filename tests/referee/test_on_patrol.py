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
    "no way is longer", "the way on a circle", "the way onto a circle", "speed on a circle", "weapons of a turn",
    "weapons within reach", "hexes covered", "charges on a circle", "charges in formation",
}  # fmt: skip


def test_house_and_referee_agree() -> None:
    agreed = agree_on_hunts(12, longest=600)
    assert set(agreed) >= KINDS - {"speed on a circle", "the way onto a circle", "no way is longer"}


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


ON_RING = """(turn=33 phase=3 fleet=(guide=AC26/6 row="slow 1" die=1 emergency=true) vessels=[(id=E3 role=escort
 type=flower place=P32/3 speed=3 station="C port" offset=Q1 hunt=(boat=S1 plan=[Q33/2] aim=V35))]
 boats=[(id=S1 type=viic place=T35/5 depth=150 speed=0 hull=4)] markers=[(boat=S1 kind=inverted place=V36/6)]
 moved=[E1] launched=5 found=[S1] package=optional year=1942)""".replace("\n", "")


def test_a_ship_on_her_ring_follows_it_whatever_manoeuvre_brought_her_there() -> None:
    """Radial movement ends where the ring is reached (106.2.2)."""
    house = nk.load("on-patrol", scenario="night-convoy", package="optional")
    state = house.parse_state(ON_RING)
    sea = position(house, state)
    path = [(tuple(place.bow), place.direction) for place in house.legal(state)[0].path]
    assert path == list(op.ring_way(sea["ships"]["E3"]["place"], op.target_hex(sea["markers"]["S1"]), 6, 3))
