"""The phones' addresses in Jupyter's own server, as on Binder and JupyterHub: behind a base URL, without a login."""

from __future__ import annotations
import http.client
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from navalkit.rooms.classroom import ClassRoom
from navalkit.rooms.store import Rooms
from navalkit.view.page import Choice, Question
from ..servers import ROOT, wait_for
from .phones import Line

HIT = Question("hit", "Hit or miss?", (Choice("hit", "A hit"), Choice("miss", "A miss")))


def test_students_reach_the_rooms_of_a_teachers_server_without_its_token_and_nothing_else(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = json.loads((ROOT / "navalkit" / "serve" / "jupyter" / "navalkit.json").read_text())
    (tmp_path / "jupyter_server_config.json").write_text(json.dumps(config))
    own = {"NAVALKIT_ROOMS": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path), "JUPYTER_RUNTIME_DIR": str(tmp_path)}
    order = [
        sys.executable, "-m", "jupyter_server", "--no-browser", "--allow-root", f"--port={port}",
        "--ServerApp.base_url=/user/teacher/", "--IdentityProvider.token=secret",
        "--ServerApp.allow_unauthenticated_access=False", f"--ServerApp.root_dir={tmp_path}",
    ]  # fmt: skip
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(order, env=os.environ | own, stdout=log, stderr=log)
    line, rooms = Line(port, "/user/teacher/"), Rooms(tmp_path / "rooms.sqlite3")

    def answers() -> bool:
        try:
            return line.ask("/words").status == 200
        except (OSError, http.client.HTTPException):
            return False

    try:
        wait_for(answers, 60, f"Jupyter's server did not start; see {tmp_path / 'log'}")
        room = ClassRoom("On a hub", rooms)
        assert b'src="/user/teacher/room/static/room.js"' in line.ask(f"/{room.code}").body
        assert line.sit(room.code).status == 200
        room.ask(HIT)
        assert line.ask(f"/{room.code}/answer", {"round": 1, "choice": "hit"}).status == 200
        assert room.votes() == {"hit": 1}
        assert line.ask(f"/{room.code}/answer", b"x" * 5000).status == 413
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("GET", "/user/teacher/api/kernels")
        assert connection.getresponse().status == 403
        connection.close()
    finally:
        line.close()
        rooms.close()
        server.terminate()
        server.wait(20)
