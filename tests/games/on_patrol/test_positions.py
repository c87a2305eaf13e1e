"""Ready-made positions: each shows what it is there for; and what-if changes one thing and compares the decisions."""

from __future__ import annotations

import pytest

from navalkit.core.errors import DataError, IllegalActionError
from navalkit.games.on_patrol.escort import whatif
from navalkit.games.on_patrol.escort.automaton import SAY, decide
from navalkit.games.on_patrol.escort.positions import ORDER, answers, find, position, positions
from navalkit.games.on_patrol.sea.state import MarkerKind
from navalkit.games.on_patrol.walk import mover
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from navalkit.testing import refused
from ...sentences import CORE, PATROL_WHY

ALL = positions()
each = pytest.mark.parametrize("shown", ALL.values(), ids=list(ALL))


@each
def test_a_position_fires_the_rule_it_is_there_for(shown):
    assert shown.fires
    assert mover(shown.state) == shown.escort


@each
def test_a_position_is_a_sea_that_could_be(shown):
    taken = [h for v in shown.state.vessels for h in v.place.hexes]
    assert len(taken) == len(set(taken))
    assert {v.hunt.boat for v in shown.state.escorts} <= {b.id for b in shown.state.boats} | {""}
    assert {m.boat for m in shown.state.markers} <= {b.id for b in shown.state.boats}
    assert shown.title and shown.about and shown.about[-1] == "."


def test_there_is_a_position_for_every_mode_and_every_rule_that_ever_spoke():
    decisions = [shown.decision for shown in ALL.values()]
    assert {d.mode for d in decisions} == {1, 2, 3, 4, 5, 6, 7}
    assert [find(f"mode {n}").decision.mode for n in range(1, 8)] == list(range(1, 8))
    spoke = {rule for d in decisions for rule, _ in answers(d)}
    assert spoke <= {shown.rule for shown in ALL.values()} - {ORDER}


def test_every_answer_of_the_automaton_stands_in_some_position():
    told = {key for shown in ALL.values() for _, key in answers(shown.decision)}
    topics = ("mode.", "target.", "ring.", "speed.", "change.", "avoid.", "attack.", "weapon.")
    known = {key for key in SAY.tables["en"] if key.startswith(topics) and not key.endswith(".ask")}
    assert known <= told
    # told as one sentence for the whole of it
    of_a_path = {"leg.to_station", "leg.past_station", "leg.parallel", "leg.rejoined"}
    assert {key for key in SAY.tables["en"] if key.startswith("leg.")} - {"leg.ask"} - of_a_path <= told


def test_every_rule_that_closes_a_hex_has_a_position():
    rules = {key.removeprefix("closed.") for key in SAY.tables["en"] if key.startswith("closed.")}
    assert rules <= {shown.rule for shown in ALL.values() if shown.group == "avoiding"}


def test_a_position_is_found_by_its_id_its_rule_or_its_mode():
    assert find("williamson-port").rule == "105.3.3"
    assert find("105.3.3").id == "williamson-port"
    assert find("Mode-4").id == "mode-4"
    with refused(DataError, PATROL_WHY, "positions.no_position_name", name="nowhere"):
        find("nowhere")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"ships": ["E1 raft M26 3"]}, PATROL_WHY.phrase("positions.ships_has_which")),
        ({"ships": ["E1 flower"]}, PATROL_WHY.phrase("positions.has_line_which")),
        ({"ships": ["E1 flower M26 9"]}, PATROL_WHY.phrase("fields.bow_hex_course_2")),
        ({"fleet": "slow 9"}, CORE.phrase("fields.must", name="fleet")),
        ({"colour": "red"}, CORE.phrase("fields.unknown", name="'colour'")),
    ],
)
def test_what_is_wrong_with_a_position_has_a_name(change, sentence):
    row = {"id": "x", "title": "X", "about": "X.", "rule": "104.2.1", "ships": ["E1 flower M26 3"]}
    assert position(row).state.vessel("E1").type == "flower"
    with refused(DataError, sentence):
        position(row | change)


# What if -------------------------------------------------------------------------------------------------------------


def test_what_if_the_marker_lay_elsewhere_changes_target_and_path_and_nothing_of_the_mode():
    shown = ALL["mode-3"]
    before = decide(shown.state, "E1")
    after = decide(whatif.with_marker(shown.state, "S1", Place(Hex.parse("AB30"), 1)), "E1")
    was, now = ({key: write(decision) for key, write in whatif.FIELDS.items()} for decision in (before, after))
    assert (was["target"], now["target"]) == (str(before.target), "AC30") and was["mode"] == now["mode"]
    assert was["path"] != now["path"] and was["path"].startswith(str(before.path[0].place.bow))


@pytest.mark.parametrize(("mode", "kind"), whatif.KINDS.items())
def test_what_if_it_were_another_mode(mode, kind):
    shown = ALL["mode-3"]
    place = shown.state.markers[0].place
    state = whatif.with_mode(shown.state, "S1", mode, place)
    assert [m.kind for m in state.markers] == [kind] * (kind is not None)
    assert decide(state, "E2").mode == mode
    back = whatif.with_mode(state, "S1", 3, place)
    assert [(m.kind, m.place) for m in back.markers] == [(m.kind, m.place) for m in shown.state.markers]


def test_what_if_there_were_a_marker_sends_escorts_that_hunted_nobody():
    shown = ALL["back-to-station"]
    state = whatif.with_mode(shown.state, "S1", 3, Place(Hex.parse("M32"), 3))
    assert decide(state, "E1").mode == 3
    assert state.markers[0].kind is MarkerKind.CONTACT
    assert whatif.with_marker(shown.state, "S1", Place(Hex.parse("M32"), 3)) == state


def test_what_if_the_escort_lay_elsewhere_but_not_on_another_ship():
    shown = ALL["williamson-continued"]
    state = whatif.with_escort(shown.state, "E1", Place(Hex.parse("M20"), 3))
    assert state.vessel("E1").hunt.plan == () and decide(state, "E1").path[0].why == "on_course"
    crowded = ALL["mode-3"].state
    with refused(IllegalActionError, PATROL_WHY, "whatif.lies_on_put", other="E2"):
        whatif.with_escort(crowded, "E1", crowded.vessel("E2").place)
    with refused(IllegalActionError, PATROL_WHY, "whatif.marker_sets_modes", first=1, last=6, mode=7):
        whatif.with_mode(crowded, "S1", 7, crowded.markers[0].place)
