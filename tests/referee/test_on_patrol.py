"""House and referee agree on On Patrol: whole hunts from turn 1, every field of every state, and every trace."""

from __future__ import annotations
from collections import Counter
from dataclasses import fields, replace
from typing import Any

import pytest

import navalkit as nk
from navalkit.games.on_patrol.sea.state import Boat, Hunt as Memory, State, Vessel
from . import on_patrol as op
from .driver import Disagreement
from .patrol_tables import Hunt, agree_on_hunts
from .patrol_trace import untrue_sentences

KINDS = {
    "whose turn it is", "what chance may do", "who moves first", "a legal way", "whether an order may be given",
    "her way and the rest of her manoeuvre", "a shortest way to her station", "hexes covered in a round",
    "a weapon within reach", "weapons of a turn", "charges on a circle", "charges of one that hunts nobody",
    "who fires star shells", "how it ended", "what escorts see", "the way of a run",
}  # fmt: skip


def test_house_and_referee_agree() -> None:
    agreed = agree_on_hunts(12, longest=600)
    assert set(agreed) >= KINDS - {"the way of a run"}


@pytest.mark.slow
def test_house_and_referee_agree_over_a_long_run() -> None:
    assert set(agree_on_hunts(600, seed=10_000)) >= KINDS


def test_what_traces_say_is_so() -> None:
    said: Counter[str] = Counter()
    wrong = untrue_sentences(4, 0, 400, said)
    assert not wrong, wrong[0]


@pytest.mark.slow
def test_what_thousands_of_traces_say_is_so() -> None:
    said: Counter[str] = Counter()
    wrong = untrue_sentences(120, 20_000, 700, said)
    print(f"{said.total():,} sentences of {len(said)} kinds are so: {dict(said)}")
    assert not wrong, wrong[0]
    assert len(said) > 60


# Nothing that a state says is left out ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def followed() -> Hunt:
    """A hunt with ships, boats, torpedoes and a marker on the sea."""
    for seed in range(100):
        hunt = Hunt(seed)
        while hunt.step():
            if hunt.state.torpedoes and hunt.state.markers and hunt.state.escorts:
                return hunt
    raise AssertionError("no torpedo was fired")


def _changed(value: Any) -> Any:
    """Something else in its place."""
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else value[1:] if value else ("?",)


CHANGED = [
    *(("state", field.name) for field in fields(State)), *(("vessel", field.name) for field in fields(Vessel)),
    *(("hunt", field.name) for field in fields(Memory)), *(("boat", field.name) for field in fields(Boat)),
]  # fmt: skip


@pytest.mark.parametrize(("what", "name"), CHANGED)
def test_every_field_of_a_state_is_compared(followed: Hunt, what: str, name: str) -> None:
    state = followed.state
    ship = state.escorts[0]
    thing = {"state": state, "vessel": ship, "hunt": ship.hunt, "boat": state.boats[0]}[what]
    old = getattr(thing, name)
    new = replace(old, boat="?") if name == "hunt" else (*old, *old, old) if name == "place" else _changed(old)
    other = replace(thing, **{name: new})
    if what == "hunt":
        other = replace(ship, hunt=other)
    if what != "state":
        changed = state.boats[0].id if what == "boat" else ship.id
        key, place = ("boats", state.boats) if what == "boat" else ("vessels", state.vessels)
        other = replace(state, **{key: tuple(other if each.id == changed else each for each in place)})
    followed.state = other
    try:
        with pytest.raises(Disagreement, match=name if what == "state" else f"(vessels|boats).*{name}"):
            followed._compare("")
    finally:
        followed.state = state


# Positions in which house and source once parted --------------------------------------------------------------------

ALONGSIDE = """(turn=9 phase=3 fleet=(guide=E20/3 row="fast 3" die=3 emergency=true) vessels=[(id=E2 role=escort
 type="black-swan" place=AB34/2 speed=3 station="2" offset=I1 hunt=(boat=S1 contact=[S1] ran=Y36))]
 boats=[(id=S1 type=ixc place=Y36/1 depth=125 speed=1 hull=8)] markers=[(boat=S1 kind=contact place=X36/1)] launched=6
 found=[S1] year=1944)""".replace("\n", "")


def test_a_ship_alongside_the_zone_that_has_run_turns_about() -> None:
    """Her course leads neither in nor straight out; the source asks only that her stern be outside (105.4.9)."""
    house = nk.load("on-patrol", scenario="hunter-group", package="advanced")
    state = house.parse_state(ALONGSIDE)
    (ship,) = state.vessels
    place = tuple(ship.place.bow), ship.place.direction
    assert not op.in_zone(place, tuple(ship.hunt.ran or ()))
    path = [(tuple(place.bow), place.direction) for place in house.legal(state)[0].path]
    assert path == list(op.williamson(place, -1)[:3])


ON_RING = """(turn=33 phase=3 fleet=(guide=AC26/6 row="slow 1" die=1 emergency=true) vessels=[(id=E3 role=escort
 type=flower place=P32/3 speed=3 station="C port" offset=Q1 hunt=(boat=S1 plan=[Q33/2] aim=V35))]
 boats=[(id=S1 type=viic place=T35/5 depth=150 speed=0 hull=4)] markers=[(boat=S1 kind=inverted place=V36/6)]
 moved=[E1] launched=5 found=[S1] package=optional year=1942)""".replace("\n", "")


def test_a_ship_on_her_ring_follows_it_whatever_manoeuvre_brought_her_there() -> None:
    """Radial movement ends where the ring is reached (106.2.2)."""
    house = nk.load("on-patrol", scenario="night-convoy", package="optional")
    state = house.parse_state(ON_RING)
    target = tuple(state.markers[0].target)
    assert {op.far(tuple(place.bow), target) for place in house.legal(state)[0].path} == {6}
