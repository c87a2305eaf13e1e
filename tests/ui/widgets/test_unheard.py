"""What a page says while it is made."""

from __future__ import annotations

import pytest
from ipykernel import kernelbase
from ipykernel.comm.comm import BaseComm

from navalkit.ui.explore.app import explore_sinking
from navalkit.ui.frontend import Kernel
from navalkit.ui.play.app import play
from navalkit.ui.step.page import step
from navalkit.ui.widgets import HTML


@pytest.fixture
def said(monkeypatch):
    """The kinds of messages that widgets send."""
    kinds: list[str] = []
    monkeypatch.setattr(kernelbase.Kernel, "initialized", lambda: True)
    monkeypatch.setattr(kernelbase.Kernel, "instance", object)
    monkeypatch.setattr(BaseComm, "publish_msg", lambda _comm, kind, *_args, **_more: kinds.append(kind))
    return kinds


@pytest.mark.parametrize("page", [lambda: play("uss-lox"), lambda: step("on-patrol"), explore_sinking])
def test_in_voila_a_page_is_made_in_silence_and_heard_from_then_on(monkeypatch, said, page):
    monkeypatch.setenv("SERVER_SOFTWARE", "voila/0.5")
    widget = page()
    assert said == []
    widget.add_class("nk-open")
    assert said == ["comm_msg"]
    monkeypatch.setattr("comm.create_comm", BaseComm)
    HTML()
    assert "comm_open" in said


def test_elsewhere_a_page_is_heard_as_it_is_made(monkeypatch, said):
    monkeypatch.delenv("SERVER_SOFTWARE", raising=False)
    monkeypatch.setattr("comm.create_comm", BaseComm)
    with Kernel().unheard():
        HTML()
    assert "comm_open" in said
