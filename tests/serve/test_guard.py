"""Who may ask for what."""

from __future__ import annotations
import socket

import pytest
from hypothesis import given, strategies as st
from jupyter_server.services.kernels.connection.base import deserialize_msg_from_ws_v1, serialize_msg_to_ws_v1
from tornado.httputil import HTTPHeaders

from navalkit.serve.guard import PARTS, POLICY, opens_page, own_host, well_framed

TYPED = {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-User": "?1"}


@pytest.mark.parametrize(
    "host",
    ["LOCALHOST:8866", "127.0.0.1:8866", "[::1]:8", "10.0.0.7:80", socket.gethostname(), "lab.example:1"],
)
def test_a_host_is_this_machine_by_address_or_own_or_allowed_name(host: str) -> None:
    assert own_host(host, ["lab.example"])


@pytest.mark.parametrize(
    "host", ["", "evil.example", "localhost.evil.example:8866", "127.0.0.1.evil.example", "lab.example"]
)
def test_a_foreign_name_that_leads_here_is_no_host_of_ours(host: str) -> None:
    assert not own_host(host)


@pytest.mark.parametrize(
    "changed, opens",
    [
        ({}, True),  # typed, or a bookmark
        ({"Sec-Fetch-Site": "same-origin"}, True),  # a link of ours
        ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-User": None}, True),  # a page of ours leads on
        ({"Sec-Fetch-Site": "cross-site"}, True),  # a link in a course's page, clicked
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-User": None}, False),  # another site leads here by itself
        ({"Sec-Fetch-Site": "same-site", "Sec-Fetch-User": None}, False),  # so may another server of this machine
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image", "Sec-Fetch-User": None}, False),
        ({"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Dest": "iframe"}, False),
        ({"Sec-Fetch-Dest": "empty"}, False),
        ({"Sec-Purpose": "prefetch;prerender"}, False),
    ],
)
def test_a_page_is_opened_by_a_reader(changed: dict[str, str | None], opens: bool) -> None:
    headers = HTTPHeaders({name: value for name, value in (TYPED | changed).items() if value is not None})
    assert opens_page(headers) is opens


def test_without_a_browsers_word_a_page_is_what_is_asked_for_as_html() -> None:
    assert opens_page(HTTPHeaders({"Accept": "text/html,application/xhtml+xml"}))
    assert not opens_page(HTTPHeaders({"Accept": "image/avif,image/*,*/*;q=0.8"}))
    assert not opens_page(HTTPHeaders())


def test_the_policy_lets_no_script_in_a_page_run() -> None:
    rules = dict(rule.partition(" ")[::2] for rule in POLICY.split("; "))
    assert rules["script-src"].split() == ["'self'", "blob:"]
    assert "unsafe-eval" not in POLICY and "*" not in POLICY


def number(value: int) -> bytes:
    return value.to_bytes(8, "little")


@given(st.lists(st.binary(max_size=40), min_size=4, max_size=PARTS - 2))
def test_what_the_front_end_frames_is_taken_apart_into_what_it_was_made_of(parts: list[bytes]) -> None:
    framed = serialize_msg_to_ws_v1(parts, "shell")
    assert well_framed(framed) and deserialize_msg_from_ws_v1(framed) == ("shell", parts)
    assert not well_framed(framed[:-1]) and not well_framed(framed + b"x")


@pytest.mark.parametrize(
    "frame",
    [
        b"", b"1234567", "text", number(1 << 60) + bytes(100), number((1 << 64) - 1) * 13, number(5) + bytes(40),
        number(PARTS + 1) + bytes(8 * (PARTS + 1)), number(6) + number(56) * 5 + number(1 << 62),
        number(6) + b"".join(map(number, (56, 60, 58, 62, 62, 62))) + b"shell!",
    ],
)  # fmt: skip
def test_what_cannot_be_taken_apart_is_refused(frame: str | bytes) -> None:
    assert not well_framed(frame)


@given(st.binary(max_size=200))
def test_of_what_passes_no_more_is_made_than_was_sent(frame: bytes) -> None:
    if well_framed(frame):
        assert sum(map(len, deserialize_msg_from_ws_v1(frame)[1])) <= len(frame)
