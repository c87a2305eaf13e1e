"""What is stepped through of a hunt: moments, every decision explained, the report and the sheets to print."""

from __future__ import annotations
import re
from collections import OrderedDict
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from navalkit.core.errors import DataError, OptionError, RecordError
from navalkit.core.match import Match
from navalkit.games.on_patrol.board import scene as paper
from navalkit.games.on_patrol.board.scene import report
from navalkit.games.on_patrol.escort.positions import PROLONGED, explain, positions
from navalkit.games.on_patrol.sea.state import ESCORTS, MarkerKind, Phase
from navalkit.games.on_patrol.walk import WALK
from navalkit.testing import said
from navalkit.view.painters import svg
from navalkit.view.scene import Polygon
from navalkit.walks import shows
from navalkit.walks.walk import WORDS
from ...sentences import PATROL_EXPLAIN

ON_PATROL = "on-patrol"
IN_SIGHT = (MarkerKind.SURFACED, MarkerKind.VISIBLE)


def hunted(name, seed):
    return shows.finish(shows.from_query(ON_PATROL, f"?scenario={name}&seed={seed}")).show


@pytest.fixture(scope="module")
def hunt():
    return hunted("night-convoy", 1)


def steps(show):
    return list(zip(show.row, show.row[1:], strict=False))


# Moments -----------------------------------------------------------------------------------------------------------


def test_a_hunt_is_a_moment_before_and_one_after_each_action(hunt):
    match = hunt.match
    assert len(hunt.row) <= match.ply + 1  # the formation may have to be rolled for first
    for moment in hunt.row:
        assert moment.state == match.at(moment.ply)
    assert [m.events for m in hunt.row[1:]] == [p.events for p in match.plies[hunt.row[0].ply :]]


def test_who_is_the_escort_that_moves_next(hunt):
    for before, after in steps(hunt):
        assert before.who == (after.action.escort if after.by == ESCORTS else "")


@pytest.mark.parametrize("name", ["night-convoy", "carrier-group"])
def test_key_moments_are_those_in_which_the_sea_changed_so(name):
    """The twin looks at no event: it compares the seas before and after."""
    seen = set()
    for before, after in steps(hunted(name, 1)):
        a, b = before.state, after.state
        ships = {v.id: v for v in a.vessels}
        sunk = {v.id for v in b.vessels if v.sunk and not ships[v.id].sunk}
        sunk |= {x.id for x, y in zip(b.boats, a.boats, strict=True) if x.sunk and not y.sunk}
        hurt = any(v.hits > ships[v.id].hits and v.id not in sunk for v in b.vessels)
        hurt |= any(x.hull < y.hull and not x.sunk for x, y in zip(b.boats, a.boats, strict=True))
        assert ("sinking" in after.keys) == bool(sunk)
        assert not hurt or "hit" in after.keys
        fired = b.launched > a.launched or (after.by == ESCORTS and bool(after.action.charges))
        assert ("attack" in after.keys) == fired
        for marker in b.markers:
            old = a.marker(marker.boat)
            if old is None or (old.kind not in IN_SIGHT and marker.kind in IN_SIGHT):
                assert "contact" in after.keys
            elif old.kind in (*IN_SIGHT, MarkerKind.CONTACT) and marker.kind is MarkerKind.INVERTED:
                assert "loss" in after.keys or after.phase is Phase.END
        seen |= set(after.keys)
    assert {"contact", "attack", "loss"} <= seen


def test_stops_by_unit_are_where_something_of_it_begins(hunt):
    row = hunt.row
    ends = {0, len(row) - 1}
    assert set(WALK.stops(row, "roll")) == set(range(len(row)))
    assert set(WALK.stops(row, "decision")) == ends | {i for i, m in enumerate(row) if m.who}
    turns = [row[i].turn for i in WALK.stops(row, "turn")]
    assert sorted(set(turns)) == list(range(1, row[-1].turn + 1))
    assert set(WALK.stops(row, "key moment")) == ends | {i for i, m in enumerate(row) if m.keys}
    for unit in WALK.units:
        found = WALK.stops(row, unit)
        assert list(found) == sorted(set(found)) and ends <= set(found)


def test_a_position_unfolds_as_the_rules_play_it():
    for name in ("mode-3", "two-boats", "mode-5-ram", "mode-7"):
        show = shows.position(ON_PATROL, name)
        for before, after in steps(show):
            assert show.game.why_not(before.state, after.action) is None
            assert show.game.apply(before.state, after.action).state == after.state
        moved = sum(after.by == ESCORTS for after in show.row)
        assert moved == sum(bool(m.who) for m in show.row) >= 1
        assert not show.row[-1].who
    (alone,) = WALK.unfolded(show.game, show.row[-1].state)
    assert (alone.state, alone.who, alone.events) == (show.row[-1].state, "", ())


def test_every_position_can_be_opened():
    for id in positions():
        assert positions()[id].escort == shows.position(ON_PATROL, id).row[0].who


# Decisions ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["night-convoy", "carrier-group", "hunter-group"])
def test_every_move_of_an_escort_is_explained_by_the_decision_that_made_it(name):
    show = hunted(name, 1)
    rules = show.game.rules()
    modes = set()
    for before, after in steps(show):
        if after.by == ESCORTS:
            decision = explain(before.state, after.action.escort, show.game.sea)
            assert decision.action == after.action
            assert {f.rule for f in decision.findings} | {o.rule for o in decision.rejected} <= set(rules)
            modes.add(decision.mode)
    assert len(modes) >= 2


def test_a_run_of_the_prolonged_attack_is_mode_7_with_its_weapons_in_the_zone(hunt):
    runs = [(b, a) for b, a in steps(hunt) if a.by == ESCORTS and b.phase is Phase.END]
    assert runs
    for before, after in runs:
        decision = explain(before.state, after.action.escort, hunt.game.sea)
        assert decision.mode == PROLONGED and decision.action == after.action
        ranks = {h: rank for rank, h in decision.zone}
        assert [(w.weapon, w.at) for w in decision.weapons] == [(c.weapon, c.at) for c in after.action.charges]
        assert all(ranks[w.at] == w.rank and 1 <= w.step <= len(decision.path) for w in decision.weapons)
        assert {f.rule for f in decision.findings} == {"P1", "P2", "P3"}
        said(decision, PATROL_EXPLAIN, "mode", mode=PROLONGED)


# Hunts and links ---------------------------------------------------------------------------------------------------


def test_one_seed_is_one_hunt(hunt, monkeypatch):
    monkeypatch.setattr(shows, "_played", OrderedDict())
    again = hunted("night-convoy", 1)
    assert again is not hunt
    assert again.match.record() == hunt.match.record()
    assert Match.new(hunt.game, 2).record() != Match.new(hunt.game, 1).record()


def test_a_saved_game_is_shown_and_a_game_of_something_else_refused(hunt):
    show = shows.saved(ON_PATROL, Match.loads(hunt.match.dumps()))
    assert [m.state for m in show.row] == [m.state for m in hunt.row]
    assert show.title == WORDS("show.saved", title=hunt.title)
    with pytest.raises(RecordError):
        shows.saved(ON_PATROL, Match.new("uss-lox", 1))


def test_a_saved_game_whose_luck_is_not_its_seeds_says_so(hunt):
    record = hunt.match.record()
    show = shows.saved(ON_PATROL, Match.replay(replace(record, seed=record.seed + 1)))
    assert show.title == WORDS("show.luck", title=hunt.title, n=show.match.stray_luck)


def test_what_there_is_not_is_said_in_a_sentence():
    with pytest.raises(OptionError):
        hunted("atlantis", 1)
    with pytest.raises(DataError):
        shows.position(ON_PATROL, "atlantis")


# To print ----------------------------------------------------------------------------------------------------------


class Balanced(HTMLParser):
    """Counts tags and complains about one that is closed and was not opened."""

    def __init__(self):
        super().__init__()
        self.open, self.count = [], {}

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        assert not any(value and value.startswith("http") for name, value in attrs if name in ("src", "href"))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_report_tells_the_whole_hunt_and_needs_nothing_else():
    show = hunted("hunter-group", 1)
    text = report(show.row, show.game, "A <hunt>", show.about, paint=svg)
    page = Balanced()
    page.feed(text)
    assert not page.open
    assert "<h1>A &lt;hunt&gt;</h1>" in text
    turns = {m.turn for m in show.row[:-1]}
    assert re.findall(r"<h2>\w+ (\d+)</h2>", text) == [str(n) for n in sorted(turns)]
    moves = [a for a in show.row if a.by == ESCORTS]
    assert page.count["details"] == len(moves)
    plain = re.sub(r"<[^>]*>", "", text)
    for moment in show.row[1:]:
        assert all(event.text in plain for event in moment.events if not set("&<>'\"") & set(event.text))
    assert show.game.outcome(show.row[-1].state).text in plain
    assert len(text) < 2_500_000


def test_the_sheets_are_a_page_each_and_every_hex_is_whole_on_its_page():
    both = paper.sheets()
    assert len(both) == 2
    for scene in both:
        ElementTree.fromstring(svg(scene))
    hexes = [shape for shape in both[0].shapes() if isinstance(shape, Polygon)]
    assert len(hexes) > 800
    for shape in hexes:
        assert all(0 < x < both[0].width and 0 < y < both[0].height for x, y in shape.points)
    told = {shape.text for shape in both[1].shapes() if hasattr(shape, "text")}
    assert {paper.SAY(f"sheets.{key}") for key in paper.LOG_COLUMNS} | {"1", "24"} <= told


def test_a_sheet_may_begin_anywhere():
    told = {shape.text for shape in paper.hex_sheet(first="AA-3").shapes() if hasattr(shape, "text")}
    assert {"AA", "AB", "-3", "0", "5"} <= told and "A" not in told
