"""The desk: slow numbers in turns, superseded, kept, waited for, dropped; on a loop and without one."""

from __future__ import annotations
import asyncio

import pytest

from navalkit.core.awaited import Awaited, ready
from navalkit.core.errors import OptionError, OutOfTimeError
from navalkit.testing import refused
from navalkit.ui import desk as module
from navalkit.ui.desk import Desk
from navalkit.ui.shell import Model
from ..sentences import UI


@pytest.fixture(autouse=True)
def one_step_a_slice(monkeypatch):
    monkeypatch.setattr(module, "SLICE", 0.0)


class Log(list):
    """What happened, in order; and work that writes into it."""

    def work(self, name, steps=3, value=None):
        def start():
            self.append(f"{name} begins")
            try:
                for i in range(steps):
                    self.append(f"{name} {i}")
                    yield i / steps
                self.append(f"{name} done")
            except GeneratorExit:
                self.append(f"{name} dropped")
                raise
            return name if value is None else value

        return Awaited(name, start)

    def show(self, value):
        self.append(f"shown {value}")


@pytest.fixture
def log():
    return Log()


def plain(call):
    return call


@pytest.fixture
def desk():
    return Desk(plain)


def test_an_answer_is_shown_once_and_then_kept(desk, log):
    desk.ask("map", log.work("a"), log.show)
    assert not desk.idle and desk.busy("map") and "shown a" not in log
    desk.settle()
    assert desk.idle and not desk.busy("map") and log[-2:] == ["a done", "shown a"]
    log.clear()
    desk.ask("hint", log.work("a").map(str.upper), log.show)
    assert log == ["shown A"] and desk.idle


def test_questions_take_turns(desk, log):
    desk.ask("one", log.work("a", 4), log.show)
    desk.ask("two", log.work("b", 1), log.show)
    desk.settle()
    assert log.index("shown b") < log.index("a 2") and log[-1] == "shown a"


def test_a_newer_question_in_a_slot_drops_the_older(desk, log):
    desk.ask("map", log.work("a"), log.show)
    desk._slice()
    desk.ask("map", log.work("b"), log.show)
    desk.settle()
    assert "a dropped" in log and "shown a" not in log and log.count("shown b") == 1


def test_the_same_question_goes_on_and_is_shown_as_it_was_last_asked(desk, log):
    desk.ask("map", log.work("a"), log.show)
    desk._slice()
    desk.ask("map", log.work("a").map(str.upper), log.show)
    desk.settle()
    assert log.count("a begins") == 1 and log[-1] == "shown A" and "shown a" not in log


def test_what_two_slots_ask_is_calculated_once(desk, log):
    desk.ask("map", log.work("a"), log.show)
    desk.ask("odds", log.work("a").map(str.upper), log.show)
    desk.cancel("map")
    assert desk.busy("odds")
    desk.ask("map", log.work("a"), log.show)
    desk.settle()
    assert log.count("a begins") == 1 and sorted(log[-2:]) == ["shown A", "shown a"]


def test_cancelled_questions_are_dropped(desk, log):
    desk.ask("one", log.work("a"), log.show)
    desk.ask("two", log.work("b"), log.show)
    desk._slice()
    desk.cancel("one")
    desk.cancel("nothing asked here")
    assert log[-1] == "a dropped" and not desk.idle
    desk.cancel_all()
    assert desk.idle and not any(each.startswith("shown") for each in log)


def test_an_answer_that_is_there_is_shown_at_once(desk, log):
    desk.ask("map", log.work("a"), log.show)
    assert desk.knows(ready(7)) and not desk.knows(log.work("a"))
    desk.ask("map", ready(7).map(lambda n: n + 1), log.show)
    assert log == ["shown 8"] and desk.idle


def test_showing_may_ask_the_next_question(desk, log):
    desk.ask("map", log.work("a"), lambda value: desk.ask("map", log.work("b"), log.show))
    desk.settle()
    assert log[-1] == "shown b"


def test_only_the_latest_answers_are_kept(desk, log, monkeypatch):
    monkeypatch.setattr(module, "KEPT", 2)
    for name in "abc":
        desk.ask("map", log.work(name), log.show)
        desk.settle()
    assert [desk.knows(log.work(name)) for name in "abc"] == [False, True, True]


def test_what_is_late_is_said_to_be_waited_for_until_it_comes(log, monkeypatch):
    told = []
    desk = Desk(plain, lambda slot, share: told.append((slot, share)))
    desk.ask("map", log.work("a", 2), log.show)
    desk.settle()
    assert not told, "what comes in time is not spoken of"
    monkeypatch.setattr(module, "LATE", -1.0)
    monkeypatch.setattr(module, "LOOK", -1.0)
    desk.ask("map", log.work("b", 3), log.show)
    desk._slice()
    desk._slice()
    assert told == [("map", 0.0), ("map", pytest.approx(1 / 3))]
    desk.ask("map", log.work("c", 1), log.show)
    assert told[-1][1] is not None, "a place that waits goes on waiting for the newer question"
    desk.settle()
    assert told[-1] == ("map", None)
    desk.ask("map", log.work("d"), log.show)
    desk._slice()
    desk.cancel("map")
    assert told[-2][1] is not None and told[-1] == ("map", None)


def test_an_error_inside_goes_through_the_boundary_and_stops_nothing_else(log):
    told, model = [], Model()
    model.changed = lambda: told.append((model.status.text, model.status.error))
    desk = Desk(model.guard)

    def wrong():
        yield
        raise OptionError("no fleet fits.")

    desk.ask("map", Awaited("wrong", wrong), log.show)
    desk.ask("odds", log.work("a"), log.show)
    desk.settle()
    assert told == [("No fleet fits.", True)] and log[-1] == "shown a"
    assert not desk.knows(Awaited("wrong", wrong))

    def unshowable(value):
        raise OptionError("it cannot be shown.")

    desk.ask("map", log.work("b"), unshowable)
    desk.settle()
    assert told[-1] == ("It cannot be shown.", True)


def test_settling_has_a_budget(desk):
    def endless():
        while True:
            yield

    desk.ask("map", Awaited("endless", endless), print)
    with refused(OutOfTimeError, UI, "desk.long"):
        desk.settle(0.0)


def test_on_a_loop_the_page_has_its_turns_between_the_slices(desk, log):
    async def page():
        came = asyncio.Event()
        desk.ask("map", log.work("a", 5), lambda value: (log.show(value), came.set()))
        turns = 0
        while not came.is_set():
            await asyncio.sleep(0)
            turns += 1
        return turns

    assert asyncio.run(page()) >= 5
    assert desk.idle and log[-1] == "shown a"


def test_a_desk_outlives_its_loop(desk, log):
    async def ask(name):
        desk.ask(name, log.work(name), log.show)

    asyncio.run(ask("a"))  # the loop ends before a slice is made

    async def wait():
        desk.ask("b", log.work("b"), log.show)
        while not desk.idle:
            await asyncio.sleep(0)

    asyncio.run(wait())
    assert {"shown a", "shown b"} <= set(log)


def test_an_error_on_the_loop_leaves_the_rest_going(desk, log):
    def wrong():
        yield
        raise KeyError("ours")

    async def page():
        heard = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: heard.append(context["exception"]))
        desk.ask("one", Awaited("wrong", wrong), log.show)
        desk.ask("two", log.work("a"), log.show)
        while not desk.idle:
            await asyncio.sleep(0)
        return heard

    assert [type(error) for error in asyncio.run(page())] == [KeyError]
    assert log[-1] == "shown a"
