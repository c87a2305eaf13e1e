"""Numbers that take time: run here and now, changed, put together, dropped when their time is over."""

from __future__ import annotations

import pytest

from navalkit.core import awaited as module
from navalkit.core.awaited import Awaited, Pace, part, ready, run
from navalkit.core.errors import NavalkitError, OutOfTimeError
from navalkit.testing import refused
from ..sentences import CORE


def counted(n, log=None):
    """Work of n steps; it notes when it is dropped."""
    try:
        for i in range(n):
            yield i / n
    finally:
        if log is not None:
            log.append("over")
    return n


def test_run_has_the_work_done_and_gives_its_answer():
    assert run(Awaited("five", lambda: counted(5))) == 5
    assert run(Awaited("none", lambda: counted(0)), seconds=0.0) == 0


def test_work_begins_anew_each_time():
    five = Awaited("five", lambda: counted(5))
    assert (run(five), run(five)) == (5, 5)


def test_a_changed_answer_is_the_same_question():
    five = Awaited("five", lambda: counted(5))
    text = five.map(str).map(lambda digits: f"<{digits}>")
    assert run(text) == "<5>" and text.key == five.key
    assert run(five) == 5


def test_work_is_a_part_of_other_work_and_tells_its_share():
    five = Awaited("five", lambda: counted(5)).map(lambda n: n + 1)

    def twice():
        first = yield from part(five.steps(), 0.0, 0.5)
        second = yield from part(five.steps(), 0.5, 1.0)
        return first + second

    shares, steps = [], twice()
    with pytest.raises(StopIteration) as stop:
        while True:
            shares.append(next(steps))
    assert stop.value.value == 12
    assert shares == pytest.approx([i / 10 for i in range(10)])


def test_out_of_time_the_work_is_dropped_and_a_sentence_says_so():
    log = []

    def endless():
        try:
            while True:
                yield
        finally:
            log.append("over")

    with refused(OutOfTimeError, CORE, "awaited.out_of_time", seconds=0.01) as error:
        run(Awaited("endless", endless), seconds=0.01)
    assert log == ["over"] and isinstance(error.value, NavalkitError)


def test_what_goes_wrong_inside_comes_out():
    def wrong():
        yield
        raise KeyError("lost")

    with pytest.raises(KeyError, match="lost"):
        run(Awaited("wrong", wrong))


def test_an_answer_that_is_there_needs_no_step():
    there = ready(3)
    assert there.quick and there.map(str).quick and run(there.map(str), seconds=0.0) == "3"
    assert there.key != ready(3).key
    assert not Awaited("five", lambda: counted(5)).quick


def test_pace_gives_way_when_its_time_has_come_and_then_not_at_once(monkeypatch):
    clock = iter([0.0, 0.001, 0.003, 0.005, 0.006, 0.02, 0.021])
    monkeypatch.setattr(module, "perf_counter", lambda: next(clock))
    pace = Pace(0.004)
    assert [pace() for _ in range(6)] == [False, False, True, False, True, False]
