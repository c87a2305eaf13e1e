"""The server as it runs: what it refuses, how many pages it starts, how it ends."""

from __future__ import annotations
import asyncio
import http.client
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import nbformat
import psutil
import pytest
from tornado.httpclient import AsyncHTTPClient, HTTPClientError
from tornado.websocket import WebSocketClosedError, websocket_connect

from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.store import Rooms
from navalkit.serve import _note, _take_up
from navalkit.serve.phones import KEY
from navalkit.serve.server import SLOWEST, many_files
from navalkit.testing import said
from ..sentences import SERVE
from ..servers import ROOT, Server, children, serve, wait_for
from .phones import Line
from .test_soak import V1

LIMIT = 3
OPEN = {"Accept": "text/html"}
STREAMS = 3100


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one small page."""
    folder = tmp_path_factory.mktemp("notebooks")
    code = (
        "print('names', [name for name in dir() if not name.startswith('_')])\n"
        "import os, sys\n"
        "warm = 'navalkit.ui.play.app' in sys.modules\n"
        "print('query', os.environ['QUERY_STRING'], 'folder', os.getcwd(), 'warm', warm)"
    )
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)], metadata={"kernelspec": kernel})
    nbformat.write(book, folder / "small.ipynb")
    code = "import os, pathlib, time\npathlib.Path(os.environ['NAVALKIT_HOME'], 'reading').touch()\ntime.sleep(600)"
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)], metadata={"kernelspec": kernel})
    nbformat.write(book, folder / "long.ipynb")
    return folder


@pytest.fixture(scope="module")
def server(notebooks: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(notebooks, tmp_path_factory.mktemp("home"), f"--Kernels.limit={LIMIT}") as running:
        yield running


def ask(
    server: Server, path: str, headers: dict[str, str] | None = None, method: str = "GET", body: bytes | None = None
) -> tuple[int, dict[str, str], str]:
    """Status, headers (names in lower case) and text of an answer."""
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=60)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        found = {k.lower(): v for k, v in answer.getheaders()}
        if cookies := answer.headers.get_all("Set-Cookie"):
            found["set-cookie"] = "; ".join(each.partition(";")[0] for each in cookies)
        return answer.status, found, answer.read().decode()
    finally:
        connection.close()


def close(server: Server, text: str) -> None:
    """Close a page as its browser does, by what it holds."""
    token = {"Cookie": "_xsrf=t", "X-XSRFToken": "t"}
    assert ask(server, f"/voila/api/shutdown/{kernel_of(text)}", token, "POST", b"")[0] == 204


def kernel_of(text: str) -> str:
    """The id of a page's kernel."""
    found = re.search(r'"kernelId": "([\w-]+)"', text)
    assert found
    return found[1]


def test_what_is_no_opened_page_starts_no_kernel(server: Server) -> None:
    before = server.kernels()
    picture = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image", **OPEN}
    assert ask(server, "/voila/render/small.ipynb", picture)[0] == 403
    assert ask(server, "/voila/render/small.ipynb", {"Accept": "*/*"})[0] == 403
    assert ask(server, "/voila/render/small.ipynb", OPEN | {"Host": "evil.example"})[0] == 421
    assert ask(server, "/", {"Host": "evil.example:80"})[0] == 421
    assert server.kernels() == before


def test_a_socket_of_another_origin_or_host_is_refused(server: Server) -> None:
    socket_ = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    text = ask(server, "/voila/render/small.ipynb", OPEN)[2]
    path = f"/api/kernels/{kernel_of(text)}/channels"
    assert ask(server, path, socket_ | {"Host": "evil.example", "Origin": "http://evil.example"})[0] == 421
    assert ask(server, path, socket_ | {"Origin": "http://evil.example"})[0] == 403
    close(server, text)


def test_a_message_that_is_none_closes_its_line_and_takes_no_memory(server: Server) -> None:
    """108 bytes that speak of 2**60 offsets once took all memory there was, and the server with it."""

    async def sent(*frames: bytes) -> int | None:
        url = f"{server.url.replace('http', 'ws')}/api/kernels/{kernel_of(text)}/channels?session_id=s"
        line = await websocket_connect(url, subprotocols=[V1])
        try:
            with suppress(WebSocketClosedError):  # it may be closed before all of a frame is sent
                for frame in frames:
                    await line.write_message(frame, binary=True)
            while await asyncio.wait_for(line.read_message(), 30) is not None:
                pass
        finally:
            line.close()
        return line.close_code

    text = ask(server, "/voila/render/small.ipynb", OPEN)[2]
    memory = psutil.Process(server.process.pid).memory_info().rss
    assert asyncio.run(sent((1 << 60).to_bytes(8, "little") + bytes(100))) == 1003
    assert asyncio.run(sent(bytes(3 << 20))) in (1009, None)  # too large; the line may break before it says so
    assert psutil.Process(server.process.pid).memory_info().rss - memory < 30 << 20
    close(server, text)


@pytest.mark.parametrize("reads", [False, True])
def test_a_page_whose_python_dies_comes_to_its_end_and_says_so(server: Server, reads: bool) -> None:
    """It would send signs of life for ever else, whether its Python had begun to read it or not."""
    before = set(children(server.process.pid))
    with ThreadPoolExecutor(1) as pool:
        page = pool.submit(ask, server, f"/voila/render/{'long' if reads else 'small'}.ipynb", OPEN)
        while not (new := set(children(server.process.pid)) - before) or reads > (server.home / "reading").exists():
            time.sleep(0.01)
        os.kill(new.pop(), signal.SIGKILL)
        status, _, text = page.result(60)
    assert status == 200 and "data-nk-failed" in text
    wait_for(lambda: set(children(server.process.pid)) <= before, 60, "its kernel is left")
    text = ask(server, "/voila/render/small.ipynb", OPEN)[2]
    assert "data-nk-failed" not in text
    close(server, text)


def test_a_page_whose_python_finds_the_disk_full_is_read_all_the_same(server: Server) -> None:
    """A kernel names each cell by a folder for what is temporary, and on a full disk there is none."""
    close(server, ask(server, "/voila/render/small.ipynb", OPEN)[2])  # IPython has its own folder then
    wait_for(lambda: not children(server.process.pid), 60, "a kernel is left")
    with ThreadPoolExecutor(1) as pool:
        page = pool.submit(ask, server, "/voila/render/small.ipynb", OPEN)
        while not (new := children(server.process.pid)):
            time.sleep(0.01)
        resource.prlimit(new[0], resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        text = page.result(60)[2]
    assert "warm False" in text
    close(server, text)


def test_a_python_that_dies_is_gone_and_none_is_started_under_its_name(server: Server) -> None:
    """A page that is being connected would take it for its own, and it knows none of the page's widgets."""
    before = set(children(server.process.pid))
    text = ask(server, "/voila/render/small.ipynb", OPEN)[2]
    (kernel,) = set(children(server.process.pid)) - before
    about = f"/api/kernels/{kernel_of(text)}"
    assert ask(server, about)[0] == 200
    os.kill(kernel, signal.SIGKILL)
    wait_for(lambda: ask(server, about)[0] == 404, 120, "it is said to be there")
    assert set(children(server.process.pid)) <= before


def test_a_python_that_has_just_died_is_refused_at_once(server: Server) -> None:
    """Who watches it looks every three seconds, and a line to it was kept waiting for a minute."""
    before = set(children(server.process.pid))
    text = ask(server, "/voila/render/small.ipynb", OPEN)[2]
    (kernel,) = set(children(server.process.pid)) - before
    about = f"/api/kernels/{kernel_of(text)}"
    assert ask(server, about)[0] == 200
    os.kill(kernel, signal.SIGKILL)

    async def line() -> None:
        url = f"{server.url.replace('http', 'ws')}{about}/channels?session_id=s"
        await websocket_connect(url, subprotocols=[V1], connect_timeout=30)

    with pytest.raises(HTTPClientError) as raised:  # at first it may look alive: it dies one thread after the other
        asyncio.run(line())
    assert raised.value.code == ask(server, about)[0] == 404


def test_a_line_that_is_given_up_before_it_is_open_counts_for_nothing(server: Server) -> None:
    """It was counted as one less: what the kernel said while the page was away was then no longer kept for it."""
    before = set(children(server.process.pid))
    text = ask(server, "/voila/render/small.ipynb", OPEN)[2]
    (kernel,) = set(children(server.process.pid)) - before
    about, port = f"/api/kernels/{kernel_of(text)}", int(server.url.rpartition(":")[2])
    upgrade = (f"GET {about}/channels?session_id=s HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
               f"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
               f"Sec-WebSocket-Protocol: {V1}\r\n\r\n")
    os.kill(kernel, signal.SIGSTOP)  # it does not answer, and no line is open before it has
    for _ in range(2):
        with socket.create_connection(("127.0.0.1", port)) as given_up:
            given_up.sendall(upgrade.encode())
            given_up.settimeout(1)
            with pytest.raises(TimeoutError):
                given_up.recv(1)
    assert ask(server, about)[0] == 200  # the server has heard of it
    os.kill(kernel, signal.SIGCONT)

    async def counted() -> int:
        url = f"{server.url.replace('http', 'ws')}{about}/channels?session_id=s"
        line = await websocket_connect(url, subprotocols=[V1], connect_timeout=60)
        told = await AsyncHTTPClient().fetch(f"{server.url}{about}")
        line.close()
        return int(json.loads(told.body)["connections"])

    assert asyncio.run(counted()) == 1
    wait_for(lambda: json.loads(ask(server, about)[2])["connections"] == 0, 60, "it is still counted")
    close(server, text)


def test_who_leaves_before_a_page_is_there_leaves_no_kernel_behind(server: Server) -> None:
    """Nobody else could end it, and who presses for the page again and again would soon have all the memory."""
    before = set(children(server.process.pid))
    port, opened = int(server.url.rpartition(":")[2]), dict[str, socket.socket]()

    def asked(page: str) -> None:
        opened[page] = socket.create_connection(("127.0.0.1", port))
        head = f"GET /voila/render/{page} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n"
        opened[page].sendall(head.encode())

    def refused(line: socket.socket) -> bool:
        with suppress(BlockingIOError):
            return b" 503 " in line.recv(20, socket.MSG_PEEK | socket.MSG_DONTWAIT)
        return False

    def both_are_made() -> bool:
        for page in ("long.ipynb", "long.ipynb?2"):  # a small one may be there before the other has its place
            if page in opened and refused(opened[page]):  # the places of the test before are not free yet
                opened.pop(page).close()
            if page not in opened:
                asked(page)
        return len(set(children(server.process.pid)) - before) == 2

    wait_for(both_are_made, 60, "no page is being made")
    for line in opened.values():
        line.close()
    wait_for(lambda: set(children(server.process.pid)) <= before, 60, "a kernel is left")

    def room() -> bool:
        status, _, text = ask(server, "/voila/render/small.ipynb", OPEN)
        if status == 200:
            close(server, text)
        return status == 200

    wait_for(room, 60, "their places are not free")  # the processes are gone a moment before their places are free


@pytest.mark.skipif(os.name != "posix", reason="there are ports alone")
def test_another_program_cannot_take_a_port_before_a_kernel_that_was_to_have_it(server: Server) -> None:
    before = set(children(server.process.pid))
    text = ask(server, "/voila/render/small.ipynb", OPEN)[2]
    (kernel,) = set(children(server.process.pid)) - before
    about = json.loads(Path(psutil.Process(kernel).cmdline()[-1]).read_text("utf-8"))
    assert about["transport"] == "ipc" and Path(f"{about['ip']}-{about['shell_port']}").is_socket()
    close(server, text)


@pytest.mark.slow
def test_requests_that_never_come_to_their_end_are_given_up(server: Server) -> None:
    """As many as there are, others are heard meanwhile; after a while their lines are closed."""
    lines = [socket.create_connection(("127.0.0.1", int(server.url.rpartition(":")[2]))) for _ in range(300)]
    for n, each in enumerate(lines):
        each.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n" if n % 2 else
                     b"POST /room/BCDFGH/seat HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n\r\n{")
    assert ask(server, "/room")[0] == 200
    end = time.monotonic() + SLOWEST + 30
    for each in lines:
        each.settimeout(max(0.1, end - time.monotonic()))
        while each.recv(4096):
            pass
        each.close()


@pytest.mark.slow
@pytest.mark.parametrize("seated", [False, True], ids=["nobody's", "one seat's"])
def test_three_thousand_streams_that_are_nobodys_or_one_seats_shut_no_phone_out(server: Server, seated: bool) -> None:
    """More than there are for all: they were kept, and the next phone heard nothing of its class."""
    many_files()
    rooms, port = Rooms(server.home / "rooms.sqlite3"), int(server.url.rpartition(":")[2])
    code, line = ClassRoom("Class", rooms).code, Line(port)
    key = ""
    if seated:
        key = line.sit(code).json()["key"]

    def streams(key: str) -> socket.socket:
        opened = socket.create_connection(("127.0.0.1", port))
        opened.sendall(f"GET /room/{code}/events HTTP/1.1\r\nHost: localhost\r\n{KEY}: {key}\r\n\r\n".encode())
        return opened

    lines = [streams(key) for _ in range(STREAMS)]
    phones = [Line(port) for _ in range(3)]
    for phone in phones:
        assert phone.sit(code).status == 200 and phone.ask(f"/{code}/state").status == 200
        with streams(phone.key) as stream:
            stream.settimeout(60)
            told = b""
            while b"data: {" not in told and (more := stream.recv(4096)):
                told += more
            assert told.startswith(b"HTTP/1.1 200") and b"data: {" in told
    for each in (*lines, line, *phones):
        each.close()
    rooms.close()


@pytest.mark.parametrize(
    "path",
    [
        "/voila/templates/", "/voila/templates/foo", "/voila/templates/x/y/z",
        "/voila/templates/navalkit/static/../../x",
        "/voila/templates/navalkit/static/nothing.js", "/voila/static/", "/voila/api/themes/x", "/nothing",
        "/voila/render/nothing.ipynb",
    ],
)  # fmt: skip
def test_a_bad_path_is_not_found(server: Server, path: str) -> None:
    status, headers, text = ask(server, path, OPEN)
    assert status == 404 and "Traceback" not in text


def test_a_large_body_is_refused_before_it_is_read(server: Server) -> None:
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=120)
    connection.putrequest("POST", "/voila/api/shutdown/x")
    connection.putheader("Content-Length", str(60 << 20))
    connection.endheaders()
    connection.send(b"x" * 1024)  # and not the rest: an answer now comes from the header alone
    assert connection.getresponse().status in (400, 413)
    connection.close()


def test_the_page_has_a_policy_and_no_script_that_it_would_not_let_run(server: Server) -> None:
    status, headers, text = ask(server, "/voila/render/small.ipynb?a=1", OPEN)
    assert status == 200 and "script-src 'self' blob:;" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    inline = re.findall(r"<script(?![^>]*\bsrc=)([^>]*)>", text)
    assert all("json" in attributes for attributes in inline)
    assert "query a=1 folder" in text


@pytest.mark.slow
def test_as_many_pages_as_allowed_are_started_however_many_ask_at_once(notebooks: Path, tmp_path: Path) -> None:
    with serve(notebooks, tmp_path, f"--Kernels.limit={LIMIT}") as server:
        with ThreadPoolExecutor(LIMIT + 3) as pool:
            answers = list(pool.map(lambda _: ask(server, "/voila/render/small.ipynb", OPEN), range(LIMIT + 3)))
        full = [(headers, text) for status, headers, text in answers if status == 503]
        assert sum(status == 200 for status, *_ in answers) == LIMIT and len(full) == 3
        assert server.kernels() == LIMIT
        for headers, text in full:
            assert int(headers["retry-after"]) > 0
            assert "As many pages are open" in text and "Try again" in text
        close(server, next(text for status, _, text in answers if status == 200))
        assert ask(server, "/voila/render/small.ipynb", OPEN)[0] == 200


@pytest.mark.slow
def test_a_warm_kernel_serves_the_next_page_as_a_new_one_would(notebooks: Path, tmp_path: Path) -> None:
    (notebooks / "deeper").mkdir()
    (notebooks / "deeper" / "small.ipynb").write_bytes((notebooks / "small.ipynb").read_bytes())
    with serve(notebooks, tmp_path, warm=True) as server:
        texts = []

        def warm() -> bool:
            texts.append(ask(server, "/voila/render/deeper/small.ipynb?a=2", OPEN)[2])
            close(server, texts[-1])
            return "warm True" in texts[-1]

        wait_for(warm, 90, "no page was served by a warm kernel")
        assert f"query a=2 folder {notebooks / 'deeper'} warm True" in texts[-1]
        names = {re.search(r"names \[(.*?)\]", text)[1] for text in texts}  # type: ignore[index]
        assert len(names) == 1  # the cold one's and the warm one's
        wait_for(lambda: server.kernels() == 1, 60, "beside the closed pages there is more than the next warm kernel")


def test_the_server_ends_with_all_its_kernels(notebooks: Path, tmp_path: Path) -> None:
    with serve(notebooks, tmp_path) as server:
        for _ in range(3):
            assert ask(server, "/voila/render/small.ipynb", OPEN)[0] == 200
        kernels = children(server.process.pid)
        assert len(kernels) == 3
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(20)
    wait_for(lambda: not any(map(psutil.pid_exists, kernels)), 10, "kernels are left")


@pytest.fixture
def launched(tmp_path: Path) -> Iterator[Callable[..., tuple[subprocess.Popen[str], str]]]:
    """`navalkit play` with arguments: its process and the address that it prints."""
    started: list[subprocess.Popen[str]] = []

    def launch(*arguments: str) -> tuple[subprocess.Popen[str], str]:
        order = [sys.executable, "-m", "navalkit", "play", "--no-browser", "--port", str(free()), *arguments]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        process = subprocess.Popen(order, cwd=ROOT, env=os.environ | {"NAVALKIT_HOME": str(tmp_path)}, **pipes)  # type: ignore[call-overload]
        started.append(process)
        return process, re.search(r"http://\S+", process.stdout.readline())[0]

    yield launch
    for process in started:
        process.terminate()
        process.communicate(timeout=120)


def free() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.slow
def test_a_killed_launcher_leaves_no_server_behind(launched: Callable[..., tuple[subprocess.Popen[str], str]]) -> None:
    launcher, address = launched()
    assert address.endswith("/voila/render/lobby.ipynb")
    (server,) = psutil.Process(launcher.pid).children()
    assert ask(Server(address.partition("/voila")[0], launcher, ROOT), "/voila/render/lobby.ipynb", OPEN)[0] == 200  # type: ignore[arg-type]
    family = [server, *server.children()]
    assert len(family) > 1
    launcher.kill()
    wait_for(lambda: not any(each.is_running() for each in family), 120, "a server or a kernel is left")


def test_for_others_there_is_a_warning_and_no_page_without_the_token(
    launched: Callable[..., tuple[subprocess.Popen[str], str]],
) -> None:
    launcher, address = launched("--host", "0.0.0.0", "--pages", "2")
    path, _, token = address.partition("/voila")[2].partition("?token=")
    server = Server(f"http://127.0.0.1:{address.split(':')[2].partition('/')[0]}", launcher, ROOT)  # type: ignore[arg-type]
    status, headers, _ = ask(server, f"/voila{path}", OPEN)
    assert status == 302 and "/login" in headers["location"]
    files = "/voila/files/play_uss_lox.ipynb"
    assert ask(server, files)[0] in (302, 403)  # neither is what a page is made of
    (process,) = psutil.Process(launcher.pid).children()
    assert not any(token in word for each in (process, *process.children()) for word in each.cmdline())
    status, headers, text = ask(server, f"/voila{path}?token={token}", OPEN)
    assert status == 200
    cookie = {"Cookie": headers["set-cookie"]}
    status, _, text = ask(server, f"/voila{path}", OPEN | cookie)
    assert status == 200  # the browser is known from now on
    status, _, text = ask(server, files, cookie)
    assert status == 200 and "cells" in text
    launcher.terminate()
    said(launcher.stderr.read(), SERVE, "others")


@pytest.mark.parametrize("how", ["killed", "server", "ended"])
def test_after_a_death_the_pages_of_before_are_let_in_and_after_an_end_they_are_not(
    how: str, launched: Callable[..., tuple[subprocess.Popen[str], str]], tmp_path: Path,
) -> None:
    """``server``: it is killed alone, and its launcher ends by that."""
    others = "--host", "0.0.0.0", "--pages", "1"
    launcher, address = launched(*others)
    url, _, token = address.partition("?token=")
    port = url.split(":")[2].partition("/")[0]
    path, here = url.partition(port)[2], Server(f"http://127.0.0.1:{port}", launcher, ROOT)  # type: ignore[arg-type]
    cookie = {"Cookie": ask(here, f"{path}?token={token}", OPEN)[1]["set-cookie"]}
    (noted,) = tmp_path.glob("server-*.json")
    assert noted.stat().st_mode & 0o777 == 0o600
    if how == "ended":
        launcher.send_signal(signal.SIGTERM)
    else:
        (server,) = psutil.Process(launcher.pid).children()
        (launcher if how == "killed" else server).kill()
    launcher.wait(60)
    assert noted.exists() == (how != "ended")
    _, again = launched(*others, "--port", port)  # the last one counts
    taken = how != "ended"
    assert again.startswith(url) and (again == address) == taken
    assert (ask(here, path, OPEN | cookie)[0] == 200) == taken
    assert (ask(here, f"{path}?token={token}", OPEN)[0] == 200) == taken


def test_a_token_is_taken_up_only_from_a_file_of_ones_own_whose_server_is_dead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NAVALKIT_ROOMS", str(tmp_path))
    assert _take_up(8866) == ""
    _note(8866, "secret")
    assert _take_up(8866) == "", "its server runs"
    noted = tmp_path / "server-8866.json"
    told = json.loads(noted.read_text())
    for change, taken in (({"began": 1.0}, "secret"), ({"pid": 0, "began": 1.0}, "secret"), ({"pid": "?"}, ""),
                          ({"began": 1.0, "at": told["at"] - 13 * 3600}, ""),
                          ({"began": 1.0, "at": told["at"] + 60}, "")):
        noted.write_text(json.dumps(told | change))
        assert _take_up(8866) == taken, change
    assert _take_up(8867) == ""
    noted.write_text(json.dumps(told | {"began": 1.0}))
    noted.chmod(0o644)
    assert _take_up(8866) == "", "others can read it"
    noted.write_text("{")
    noted.chmod(0o600)
    assert _take_up(8866) == ""
