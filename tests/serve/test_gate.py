"""The gate to the network: opened by a page of the server alone, and for the rooms alone."""

from __future__ import annotations
import http.client
import json
from collections.abc import Iterator, Mapping

import pytest

from navalkit import Match
from navalkit.core.seeds import fresh_seed
from navalkit.core.words import Voice, speaking
from navalkit.rooms.door import lan_addresses
from navalkit.rooms.store import Rooms
from navalkit.rooms.table import Table
from navalkit.serve.phones import PHONE
from ..sentences import CLASSES
from ..servers import ROOT, Server, serve

pytestmark = pytest.mark.skipif(not lan_addresses(), reason="this machine is in no network")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(ROOT / "notebooks", tmp_path_factory.mktemp("gate")) as made:
        yield made


def asked(url: str, path: str, headers: Mapping[str, str] = {}, body: object = None) -> tuple[int, str]:  # noqa: B006
    """The status and the text of an answer; status 0 where nobody answers."""
    line = http.client.HTTPConnection(url.removeprefix("http://").partition("/")[0], timeout=20)
    try:
        line.request("GET" if body is None else "POST", path, None if body is None else json.dumps(body), dict(headers))
        answer = line.getresponse()
        return answer.status, answer.read().decode()
    except OSError:
        return 0, ""
    finally:
        line.close()


def gate(server: Server, *, open: bool, **headers: str) -> tuple[int, str]:
    own = {"Content-Type": "application/json", "Origin": server.url, "Sec-Fetch-Site": "same-origin"}
    sent = own | {name.replace("_", "-"): value for name, value in headers.items()}
    return asked(server.url, "/voila/gate", sent, {"open": open})


@pytest.mark.parametrize("headers", [
    {"Origin": "http://evil.example"}, {"Sec_Fetch_Site": "cross-site"}, {"Content_Type": "text/plain"},
    {"Host": "evil.example"},
])
def test_no_other_site_opens_it(server: Server, headers: dict[str, str]) -> None:
    assert gate(server, open=True, **headers)[0] in (403, 421)
    assert json.loads(gate(server, open=False)[1])["urls"] == []


def test_it_lets_the_network_into_the_rooms_and_nowhere_else(server: Server) -> None:
    rooms = Rooms(server.home / "rooms.sqlite3")
    table = Table.lay(rooms, Match.new("wolf-pack", fresh_seed(secret=True)), 0)
    status, told = gate(server, open=True)
    url = json.loads(told)["urls"][0]
    base = url.removesuffix("/room")
    assert status == 200
    assert asked(base, f"/room/{table.code}")[0] == 200 and asked(base, "/")[0] == 302
    status, seat = asked(base, f"/room/{table.code}/seat", {"Content-Type": "application/json"}, {})
    assert status == 200 and table.joined and json.loads(seat)["key"]
    for path in ("/voila/render/lobby.ipynb", "/voila/tree", "/voila/files/lobby.ipynb", "/voila/gate", "/api/kernels",
                 "/voila/static/navalkit.js"):
        assert asked(base, path, {"Accept": "text/html"})[0] in (403, 404), path
    assert b"voila" not in asked(base, f"/room/{table.code}")[1].encode()  # no way to a page is told there
    own = {"Content-Type": "application/json", "Origin": base}
    assert asked(base, "/voila/gate", own, {"open": False})[0] in (403, 404)
    gate(server, open=False)
    assert asked(base, f"/room/{table.code}")[0] == 0 and asked(server.url, f"/room/{table.code}")[0] == 200
    rooms.close()


def test_a_phone_is_spoken_to_in_its_browsers_language(server: Server) -> None:
    for wanted, lang in (("de-AT,de;q=0.9,en;q=0.8", "de"), ("fr", "en"), ("", "en")):
        told = json.loads(asked(server.url, "/room/words", {"Accept-Language": wanted})[1])
        assert told["lang"] == lang and told["game.swap"] == PHONE.tables[lang]["game.swap"]
        sent = {"Accept-Language": wanted, "Content-Type": "application/json"}
        answer = asked(server.url, "/room/BBBBBB/seat", sent, {})
        with speaking(Voice(lang)):
            assert answer == (404, json.dumps({"error": CLASSES("no.room", code="BBBBBB")}))
