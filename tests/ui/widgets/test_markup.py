"""Long HTML sends what changes; put together by what a browser does, it is the whole."""

from __future__ import annotations

import pytest

from navalkit.core.shown import Markup
from navalkit.ui.widgets import HTML, LongHTML


@pytest.fixture
def shown(monkeypatch):
    """A markup, and what a browser shows that follows its messages."""
    markup, browser = LongHTML(), {"text": "", "messages": []}

    def follow(message):
        browser["messages"].append(message)
        old = "" if message.get("fresh") else browser["text"]
        browser["text"] = old[: message["before"]] + message["text"] + old[len(old) - message["behind"] :]

    monkeypatch.setattr(markup, "send", follow)
    return markup, browser


def test_each_value_arrives_and_only_what_is_new_in_it_is_sent(shown):
    markup, browser = shown
    log = "<ol></ol>"
    for value in (log, log := "<ol><li>aaa</li></ol>", log + "x", "", "<p>aa</p>", "<p>aaa</p>", "<p>a</p>"):
        markup.value = Markup(value)
        assert browser["text"] == markup.value == value
    lines = "".join(f"<li>line {n}</li>" for n in range(200))
    markup.value = Markup(f"<ol>{lines}</ol>")
    markup.value = Markup(f"<ol>{lines}<li>hit</li></ol>")
    assert len(browser["messages"][-1]["text"]) == len("<li>hit</li>")
    count = len(browser["messages"])
    markup.value = markup.value
    assert len(browser["messages"]) == count


def test_a_browser_that_has_just_come_gets_all_of_it(shown):
    markup, browser = shown
    markup.value = Markup("<p>one</p>")
    browser["text"] = "another's"
    markup._handle_custom_msg({"event": "ready"}, [])
    assert browser["text"] == "<p>one</p>"


def test_what_a_browser_counts_otherwise_is_sent_whole(shown):
    markup, browser = shown
    markup.value = Markup("<p>\N{ANCHOR}</p>")
    markup.value = Markup("<p>\N{ANCHOR}\N{SHIP}</p>")
    assert not browser["messages"][0].get("fresh")
    markup.value = Markup("<p>\N{ROWBOAT}\N{WHALE}</p>")
    assert browser["messages"][-1]["fresh"] and browser["text"] == markup.value


def test_what_is_no_markup_is_shown_as_the_text_that_it_is(shown):
    markup, browser = shown
    markup.value = "<i>&"
    assert browser["text"] == HTML("<i>&").value == "&lt;i&gt;&amp;"
    markup.value = markup.value
    assert markup.value == HTML(markup.value).value == "&lt;i&gt;&amp;"
