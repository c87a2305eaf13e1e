"""The way into a room: what people type, and whether a phone can get here, said as far as it is known."""

from __future__ import annotations
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from navalkit.rooms import door
from navalkit.rooms.store import Rooms
from navalkit.testing import said
from navalkit.ui.rooms import door as shown
from navalkit.ui.rooms.door import Door
from ...sentences import UI_ROOMS

LAN = "192.168.7.5"


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    made = Rooms(tmp_path / "rooms.sqlite3")
    yield made
    made.close()


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A server that listens on an address; this machine is in one network."""
    monkeypatch.setattr(door, "lan_addresses", lambda: [LAN, "10.0.0.9"])
    monkeypatch.setenv("NAVALKIT_DOOR", "")
    return lambda host: door.tell(8866, host, "/")


def at(browser: str) -> Door:
    made = Door()
    made.browser = browser
    return made


def test_only_this_computer_is_said_to_be_only_this_computer(served: Callable[[str], None], rooms: Rooms) -> None:
    served("127.0.0.1")
    page = at("http://localhost:8866/voila/render/step_escorts.ipynb")
    assert page.addresses[0].url == "http://localhost:8866/room" and not page.addresses[0].open
    said(page.check(rooms), UI_ROOMS, "door.closed")


def test_on_a_laptop_phones_get_its_address_in_the_network(served: Callable[[str], None], rooms: Rooms) -> None:
    served("0.0.0.0")
    page = at("http://localhost:8866/voila/render/step_escorts.ipynb")
    assert [each.url for each in page.addresses] == [f"http://{LAN}:8866/room", "http://10.0.0.9:8866/room"]
    text = page.html("BCD346", "3 phones in")
    assert "BCD346" in text and f"{LAN}:8866/room" in text and "3 phones in" in text and "svg" in text


def test_behind_a_proxy_the_browser_knows_the_address_and_no_token_is_shown(
    monkeypatch: pytest.MonkeyPatch, rooms: Rooms
) -> None:
    monkeypatch.setenv("NAVALKIT_DOOR", "")
    door.tell(8888, "127.0.0.1", "/user/ann/")
    monkeypatch.setenv("BINDER_SERVICE_HOST", "10.1.2.3")
    page = at("https://hub.example/user/ann/voila/render/step_escorts.ipynb?token=secret")
    assert page.addresses[0].url == "https://hub.example/user/ann/room" and page.addresses[0].open
    assert "secret" not in page.html("BCD346")
    said(page.check(rooms), UI_ROOMS, "door.binder")  # its limits, and what not to give away


def test_what_is_known_of_the_network_is_said(
    served: Callable[[str], None], rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    served("0.0.0.0")
    page = at("http://localhost:8866/")
    monkeypatch.setattr(shown, "answers", lambda address: False)
    said(page.check(rooms), UI_ROOMS, "door.silent")
    monkeypatch.setattr(shown, "answers", lambda address: True)
    said(page.check(rooms), UI_ROOMS, "door.try")
    rooms.say("reached 8866", "192.168.7.31")
    assert "192.168.7.31" in page.check(rooms)
