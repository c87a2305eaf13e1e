"""A kernel that speaks as much of the protocol as the server hears of one, and starts in a tenth of the time.

Run with the path of a connection file, as a kernel is: ``python light_kernel.py FILE``. What is executed is nothing.
"""

from __future__ import annotations
import hashlib
import hmac
import json
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import zmq

BETWEEN = b"<IDS|MSG>"
INFO = {"status": "ok", "protocol_version": "5.3", "implementation": "light", "banner": "",
        "implementation_version": "1",
        "language_info": {"name": "python", "version": "3", "mimetype": "text/x-python", "file_extension": ".py"}}
ANSWERS: dict[str, dict[str, Any]] = {
    "kernel_info_request": INFO,
    "execute_request": {"status": "ok", "execution_count": 1, "user_expressions": {}, "payload": []},
    "comm_info_request": {"status": "ok", "comms": {}},
    "shutdown_request": {"status": "ok", "restart": False},
}


class Light:
    """The kernel of a connection file."""

    def __init__(self, file: Path) -> None:
        self.about = json.loads(file.read_text("utf-8"))
        self.session, self.context = uuid4().hex, zmq.Context()
        kinds = {"shell": zmq.ROUTER, "control": zmq.ROUTER, "stdin": zmq.ROUTER, "iopub": zmq.PUB, "hb": zmq.REP}
        self.sockets = {name: self._bound(name, kind) for name, kind in kinds.items()}

    def _bound(self, name: str, kind: int) -> zmq.Socket[bytes]:
        made, about = self.context.socket(kind), self.about
        between = "-" if about["transport"] == "ipc" else ":"
        made.bind(f"{about['transport']}://{about['ip']}{between}{about[name + '_port']}")
        return made

    def send(self, channel: str, to: list[bytes], kind: str, parent: Any, content: Any) -> None:
        """Send a message, signed."""
        header = {"msg_id": uuid4().hex, "msg_type": kind, "session": self.session, "username": "", "version": "5.3",
                  "date": datetime.now(UTC).isoformat()}
        parts = [json.dumps(part).encode() for part in (header, parent, {}, content)]
        sign = hmac.new(self.about["key"].encode(), b"".join(parts), hashlib.sha256).hexdigest().encode()
        self.sockets[channel].send_multipart([*to, BETWEEN, sign, *parts])

    def answer(self, channel: str) -> bool:
        """Answer a message; False after the last one."""
        frames = self.sockets[channel].recv_multipart()
        at = frames.index(BETWEEN)
        parent = json.loads(frames[at + 2])
        kind = parent["msg_type"]
        self.send("iopub", [b"status"], "status", parent, {"execution_state": "busy"})
        if kind in ANSWERS:
            self.send(channel, frames[:at], kind.replace("request", "reply"), parent, ANSWERS[kind])
        self.send("iopub", [b"status"], "status", parent, {"execution_state": "idle"})
        return bool(kind != "shutdown_request")

    def run(self) -> None:
        """Answer until the server says that it is over, or is gone."""
        server, poller = os.getppid(), zmq.Poller()
        for name in ("shell", "control", "hb"):
            poller.register(self.sockets[name], zmq.POLLIN)
        while os.getppid() == server:
            ready = dict(poller.poll(1000))
            if self.sockets["hb"] in ready:
                self.sockets["hb"].send(self.sockets["hb"].recv())
            if not all(self.answer(name) for name in ("control", "shell") if self.sockets[name] in ready):
                return


if __name__ == "__main__":
    Light(Path(sys.argv[1])).run()
