"""The desk in a real kernel: while it works on something that does not end, every click is answered."""

from __future__ import annotations
import time

import pytest

jupyter_client = pytest.importorskip("jupyter_client")

PAGE = """
import comm
from navalkit.core.awaited import Awaited, Pace
from navalkit.ui.desk import Desk

desk = Desk(lambda call: call)
steps = 0

def endless():
    global steps
    pace = Pace()
    while True:
        steps += 1
        if pace():
            yield

def opened(channel, _):
    def clicked(message):
        number = message["content"]["data"]["number"]
        if number % 2:  # every other click asks something new
            desk.ask("map", Awaited(number, endless), print)
        channel.send({"number": number, "steps": steps, "busy": desk.busy("map")})

    channel.on_msg(clicked)

comm.get_comm_manager().register_target("page", opened)
desk.ask("map", Awaited(0, endless), print)
"""


@pytest.fixture
def kernel():
    manager = jupyter_client.KernelManager(kernel_name="python3")
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=120)
        yield client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def clicks(client, number):
    """Click so often on a page of `PAGE`; the answers, each with the seconds it took."""
    message = client.session.msg("comm_open", {"comm_id": "page", "target_name": "page", "data": {}})
    client.shell_channel.send(message)
    for i in range(number):
        time.sleep(0.02)
        begin = time.monotonic()
        client.shell_channel.send(client.session.msg("comm_msg", {"comm_id": "page", "data": {"number": i}}))
        while True:
            heard = client.get_iopub_msg(timeout=120)
            if heard["msg_type"] == "comm_msg" and heard["content"]["data"]["number"] == i:
                break
        yield heard["content"]["data"] | {"seconds": time.monotonic() - begin}


def test_clicks_are_answered_while_the_desk_works(kernel):
    done = kernel.execute_interactive(PAGE, timeout=120)
    assert done["content"]["status"] == "ok", done["content"]
    answers = list(clicks(kernel, 21))
    assert all(answer["busy"] for answer in answers)
    steps = [answer["steps"] for answer in answers]
    assert steps == sorted(steps) and len(set(steps)) > 10, "the work goes on between the clicks"
    seconds = sorted(answer["seconds"] for answer in answers)
    print(f"a click during long work: median {1000 * seconds[10]:.0f} ms, greatest {1000 * seconds[-1]:.0f} ms")
