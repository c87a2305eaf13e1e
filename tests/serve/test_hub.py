"""A JupyterHub with its proxy: students reach the rooms of their teacher's server without a login, and nothing else.

`make hub` puts both into `.hub`, from the registries of Python and of npm.
"""

from __future__ import annotations
import http.client
import json
import os
import re
import runpy
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.store import Rooms
from navalkit.serve.phones import KEY
from navalkit.view.page import Choice, Question
from ..servers import ROOT, wait_for
from .phones import Answer, Line

HUB = ROOT / ".hub"
TEACHER, TOKEN = "teacher", "a-token-of-the-hub-for-tests"
BASE = f"/user/{TEACHER}/"
HIT = Question("hit", "Hit or miss?", (Choice("hit", "A hit"), Choice("miss", "A miss")))
CONFIG = """
load_subconfig({course!r})  # what deploy/ offers, with what a test alone has
c.JupyterHub.bind_url = "http://127.0.0.1:{port}"
c.JupyterHub.hub_port = {inner}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api}"
c.ConfigurableHTTPProxy.command = ["node", "{hub}/node_modules/configurable-http-proxy/bin/configurable-http-proxy"]
c.Spawner.cmd = ["{python}", "-m", "jupyterhub.singleuser"]
c.Spawner.args.append("--allow-root")
c.Spawner.environment = {environment}
c.JupyterHub.services.append({{"name": "tests", "api_token": "{token}"}})
scopes = ["admin:users", "admin:servers", "access:servers"]
c.JupyterHub.load_roles.append({{"name": "tests", "services": ["tests"], "scopes": scopes}})
"""
STUDENTS = [f"student-{number}" for number in range(1, 11)]
PAGES = 2
"""Pages that each may have open."""


def free() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ask(port: int, path: str, method: str = "GET", token: str = "", **headers: str) -> Answer:
    """Ask the proxy for something, as the teacher (with the token) or as anybody."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request(method, path, headers=headers | ({"Authorization": f"token {token}"} if token else {}))
        answer = connection.getresponse()
        return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
    except OSError:
        return Answer(0, {}, b"")
    finally:
        connection.close()


def comes(port: int, name: str) -> None:
    """A student comes in: while many others do, the hub asks them to try again soon."""
    assert ask(port, f"/hub/api/users/{name}", "POST", TOKEN).status in (201, 409)  # 409: it is on the list
    wait_for(lambda: ask(port, f"/hub/api/users/{name}/server", "POST", TOKEN).status in (201, 202), 300, "no server")
    wait_for(lambda: ask(port, f"/user/{name}/api/status", token=TOKEN).status == 200, 300, "the server has not come")


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """A hub with the teacher's server on it: the proxy's port, and the folder of the rooms."""
    if not (HUB / "python" / "jupyterhub").is_dir() or not (HUB / "node_modules").is_dir():
        pytest.skip("there is no JupyterHub in .hub: make hub gets it.")
    folder, port = tmp_path_factory.mktemp("hub"), free()
    config = folder / "jupyter"
    config.mkdir()
    handout = folder / "handout"
    shutil.copytree(ROOT / "notebooks" / "lessons" / "01_counting_cards", handout)
    extension = (ROOT / "navalkit" / "serve" / "jupyter" / "navalkit.json").read_text()
    (config / "jupyter_server_config.json").write_text(extension)
    path = os.pathsep.join([str(HUB / "python"), str(ROOT)])
    own = {
        "NAVALKIT_ROOMS": str(folder), "NAVALKIT_HOME": str(folder), "PYTHONPATH": path,
        "JUPYTER_PATH": str(ROOT / "voila_templates"), "JUPYTER_CONFIG_DIR": str(config),
    }  # fmt: skip
    (folder / "config.py").write_text(
        CONFIG.format(
            port=port,
            inner=free(),
            api=free(),
            hub=HUB,
            python=sys.executable,
            course=str(ROOT / "deploy" / "jupyterhub_config.py"),
            environment=own,
            token=TOKEN,
        )
    )
    course = {
        "COURSE_LOGIN": "dummy", "COURSE_SPAWNER": "simple", "COURSE_HOMES": str(folder / "homes" / "{username}"),
        "COURSE_HANDOUT": str(handout), "COURSE_NOTEBOOKS": str(ROOT / "notebooks"), "COURSE_PAGES": str(PAGES),
        "COURSE_STUDENTS": " ".join((TEACHER, *STUDENTS)),
    }  # fmt: skip
    order = [sys.executable, "-m", "jupyterhub", "--config", str(folder / "config.py")]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(order, cwd=folder, env=os.environ | own | course, stdout=log, stderr=log)
    try:
        wait_for(lambda: ask(port, "/hub/api/").status == 200, 120, f"the hub did not start; see {folder / 'log'}")
        assert ask(port, f"/hub/api/users/{TEACHER}", "POST", TOKEN).status in (201, 409)  # 409: it is on the list
        assert ask(port, f"/hub/api/users/{TEACHER}/server", "POST", TOKEN).status in (201, 202)
        wait_for(lambda: ask(port, f"{BASE}room/words").status == 200, 120, f"no server; see {folder / 'log'}")
        yield port, folder
        for name in (TEACHER, *STUDENTS):
            ask(port, f"/hub/api/users/{name}/server", "DELETE", TOKEN)
    finally:
        process.terminate()
        process.wait(30)


@pytest.mark.slow
def test_students_answer_through_the_hubs_proxy_without_a_login(hub: tuple[int, Path]) -> None:
    port, folder = hub
    line, rooms = Line(port, BASE), Rooms(folder / "rooms.sqlite3")
    room = ClassRoom("On a hub", rooms)
    assert f'src="{BASE}room/static/room.js"'.encode() in line.ask(f"/{room.code}").body
    assert line.ask("/static/room.js").status == 200
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    assert line.sit(room.code).json()["name"] == "Corvette 1"
    connection.request("GET", f"{BASE}room/{room.code}/events", headers={KEY: line.key})
    stream = connection.getresponse()
    room.ask(HIT)
    while True:  # the proxy passes the stream on as it comes
        text = stream.readline()
        if text.startswith(b"data: ") and json.loads(text[6:])["phase"] == "open":
            break
    assert line.ask(f"/{room.code}/answer", {"round": 1, "choice": "hit"}).status == 200
    assert room.votes() == {"hit": 1}
    connection.close()
    line.close()
    rooms.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", ["api/kernels", "api/contents", "voila/render/navalkit/lobby.ipynb", "files/navalkit/lobby.ipynb"]
)
def test_what_is_the_teachers_asks_students_for_a_login(hub: tuple[int, Path], path: str) -> None:
    assert ask(hub[0], BASE + path).status in (302, 403)
    assert ask(hub[0], BASE + path, token="x").status in (302, 403)


@pytest.mark.slow
def test_the_teachers_page_opens_and_knows_its_address(hub: tuple[int, Path]) -> None:
    page = ask(hub[0], f"{BASE}voila/render/navalkit/step_escorts.ipynb", token=TOKEN, Accept="text/html")
    assert page.status == 200 and b"nk-frame-cells" in page.body
    assert re.search(rb'"baseUrl": "/user/teacher/', page.body)
    assert json.loads(ask(hub[0], f"{BASE}api/kernels", token=TOKEN).body)


@pytest.mark.slow
def test_ten_students_have_a_page_each_their_lessons_and_no_more_pages_than_they_may(hub: tuple[int, Path]) -> None:
    port, folder = hub
    with ThreadPoolExecutor(len(STUDENTS)) as crowd:
        list(crowd.map(lambda name: comes(port, name), STUDENTS))
        address = "/user/{}/voila/render/navalkit/play_wolf_pack.ipynb"
        pages = list(crowd.map(
            lambda name: ask(port, address.format(name), token=TOKEN, Accept="text/html"), STUDENTS))
    assert all(page.status == 200 and b"nk-frame-cells" in page.body for page in pages)
    for name in STUDENTS:
        lesson = folder / "homes" / name / "lessons" / "student.ipynb"
        assert lesson.exists() and not (lesson.parent / "lesson.ipynb").exists()
    one, other = STUDENTS[:2]
    own = f"/user/{one}/api/kernels"
    running = len(json.loads(ask(port, own, token=TOKEN).body))
    told = [ask(port, own, "POST", TOKEN).status for _ in range(PAGES - running + 1)]
    assert told == [201] * (PAGES - running) + [503]
    assert ask(port, address.format(one), token=TOKEN, Accept="text/html").status == 503
    assert ask(port, f"/user/{other}/api/kernels").status in (302, 403)


def settings(monkeypatch: pytest.MonkeyPatch, **course: str) -> Any:
    """The configuration that deploy/ offers, under variables of the environment, without a hub."""
    class Anything(dict[str, Any]):
        def __getattr__(self, name: str) -> Any:
            return self.setdefault(name, Anything())

        def __setattr__(self, name: str, value: Any) -> None:
            self[name] = value

    for name, value in course.items():
        monkeypatch.setenv(f"COURSE_{name}", value)
    config = Anything()
    runpy.run_path(str(ROOT / "deploy" / "jupyterhub_config.py"), {"get_config": lambda: config})
    return config


def test_nobody_comes_in_by_an_account_of_the_system_or_by_one_that_is_not_listed(monkeypatch) -> None:
    config = settings(monkeypatch, STUDENTS="cem dora")
    assert not config.Authenticator.allow_all and config.Authenticator.allowed_users == {"cem", "dora"}
    assert "root" in config.Authenticator.blocked_users
    assert not settings(monkeypatch, STUDENTS="").Authenticator.allow_all
    assert settings(monkeypatch, STUDENTS="", SPAWNER="systemd").Authenticator.allow_all


def test_a_folder_is_furnished_once_and_no_link_of_a_student_is_followed(monkeypatch, tmp_path: Path) -> None:
    (tmp_path / "handout").mkdir()
    (tmp_path / "handout" / "student.ipynb").write_text("{}")
    config = settings(monkeypatch, HOMES=str(tmp_path / "{username}"), HANDOUT=str(tmp_path / "handout"))

    def student(name: str) -> Any:
        return SimpleNamespace(user=SimpleNamespace(name=name), format_string=lambda text: text.format(username=name))

    config.Spawner.pre_spawn_hook(student("cem"))
    own = tmp_path / "cem" / "lessons" / "student.ipynb"
    assert own.exists() and (tmp_path / "cem" / "navalkit").is_symlink()
    own.write_text("[1]")
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "dora").symlink_to(elsewhere)
    for name in ("cem", "dora"):
        config.Spawner.pre_spawn_hook(student(name))
    assert own.read_text() == "[1]" and not elsewhere.exists()
