"""The frontend of a page without a server, spoken to as its script does (lite/worker.js), in a process of its own."""

from __future__ import annotations
import json
import re
import subprocess
import sys

import pytest

PLAY = '["from navalkit.ui.play.app import play\\n\\nplay(\\"uss-lox\\")"]'
HEAD = f"""
import asyncio, json, os, sys
from navalkit.ui.worker import WORKER, install
install()
CELLS = {PLAY!r}
posted, kept, order = [], {{}}, []
def keep(token, text):
    order.append("keep")
    kept[token] = text
def post(text, buffers):
    order.append("post")
    posted.extend(json.loads(text))
WORKER.post = post
def make(cells):
    posted.extend(json.loads(json.loads(WORKER.make(cells))["say"]))
def of(name):
    return next(line for kind, line, data, _ in posted
                if kind == "comm_open" and name in str(data["state"].get("stored", "")))
def hello(query="", stored=None, to="uss-lox:token", **more):
    WORKER.hear(of(to), json.dumps({{"method": "custom", "content": {{"event": "hello", "query": query,
        "stored": stored or {{}}, "tab": True, "width": 1280, "header": True, **more}}}}), [])
def say(**content):
    WORKER.hear(of("uss-lox:token"), json.dumps({{"method": "custom", "content": content}}), [])
def told(do):
    return [data["content"] for kind, line, data, _ in posted if kind == "comm_msg" and data.get("method") == "custom"
            and data["content"].get("do") == do]
def order_of(n, do):
    say(event="order", order={{"journal": "0" * 16, "n": n, "at": told("stand")[-1]["at"], "do": do}})
def words():
    return json.dumps(posted)
async def main():
    asyncio._set_running_loop(asyncio.get_running_loop())
"""


def run(steps: str, tmp_path) -> list:
    """What a process says that takes these steps of `HEAD`'s, by `out`."""
    code = HEAD + "    out = []\n" + "".join(f"    {line}\n" for line in steps.strip().splitlines())
    code += "    print(json.dumps(out))\nasyncio.run(main())\n"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120,
                          env={"NAVALKIT_HOME": str(tmp_path), "PATH": "", "NAVALKIT_RAISE": "1"})
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout.splitlines()[-1])


@pytest.mark.parametrize("beforehand", [False, True])
def test_a_page_is_told_in_one_message_and_only_once(tmp_path, beforehand):
    made = "make(CELLS)" if beforehand else "pass"
    before, kinds, shown, model = run(f"""
{made}
out.append(len(posted))
WORKER.begin("", "{{}}", keep)
shown = WORKER.show(CELLS)
out.append(sorted({{kind for kind, *_ in posted}}))
out.append(order)
out.append(shown[0] in [line for kind, line, *_ in posted])
""", tmp_path)
    assert bool(before) == beforehand and kinds == ["comm_open"] and shown == ([] if beforehand else ["post"]) and model


def test_a_game_is_kept_before_it_is_seen_and_taken_up_again(tmp_path):
    steps, first, again = run("""
make(CELLS)
WORKER.begin("seed=42", "{}", keep)
WORKER.show(CELLS)
hello("?seed=42")
order.clear()
order_of(1, {"type": "flip B2"})
out.append(order)
token, text = list(kept.items())[-1]
out.append("flip B2" in text)
posted.clear(); WORKER.begin("", json.dumps(kept), keep)
WORKER.show("[]")
WORKER.show(CELLS)
hello("", {"uss-lox:token?": token})
out.append(told("stand")[-1]["at"].split(".")[0])
""", tmp_path)
    assert steps.index("keep") < steps.index("post") and first and int(again) >= 1


def test_a_database_that_takes_nothing_is_told_with_each_move_that_it_does_not_take(tmp_path):
    late, safe, asked, healed, sure = run("""
WORKER.begin("seed=42", "{}", keep)  # of a game by chance the two orders are not always open
WORKER.show(CELLS)
hello("?seed=42")
order_of(1, {"type": "flip B2"})
count = len(posted)
WORKER.unkept("quota exceeded")
out.append("quota exceeded" in json.dumps(posted[count:]))
out.append(told("stand")[-1]["safe"])
count = len(posted)
order.clear()
order_of(2, {"type": "attack 1"})
out.append("keep" in order)
out.append("quota exceeded" in json.dumps(posted[count:]))
WORKER.sure()
out.append(told("stand")[-1]["safe"])
""", tmp_path)
    assert late and asked and not healed
    assert (safe, sure) == (0, 2)  # the tab keeps its orders until the database has the game


def test_first_clicks_are_tried_in_a_game_that_nobody_sees_and_nothing_keeps(tmp_path):
    told, games, ready, over = run("""
from navalkit.ui import worker
worker.QUIET = worker.PAUSE = 0
WORKER.begin("seed=42", "{}", keep)
WORKER.show(CELLS)
hello("?seed=42")
count = -1
while count < len(posted): count = len(posted); await asyncio.sleep(1)  # what the page itself awaits
before = dict(kept)
WORKER.warm("play_uss_lox")
tries = WORKER._tried
while tries.gi_frame: await asyncio.sleep(0.01)
out += [len(posted) - count, kept == before, "navalkit.ui.play.review_panel" in sys.modules]
WORKER.warm("step_escorts")
out.append(list(WORKER._tried))
""", tmp_path)
    assert not told and games and ready and over == []


def test_a_page_made_beforehand_draws_chance_anew(tmp_path):
    (made, before, kept), = run("""
import gc
from navalkit.core.match import Match
make(CELLS)
before = [each.seed for each in gc.get_objects() if isinstance(each, Match)]
WORKER.begin("", "{}", keep)
WORKER.show(CELLS)
made = WORKER.beforehand
hello()
out.append([made, before, list(kept.values())[-1]])
""", tmp_path)
    assert made and before and int(re.search(r"seed = (\d+)", kept)[1]) not in before


def test_what_the_address_asks_for_is_not_answered_by_what_was_made_before(tmp_path):
    german, = run("""
cells = json.dumps(["from navalkit.ui.step.page import step", "step('on-patrol')"])
make(cells)
asked = WORKER.asked
WORKER.begin("lang=de", "{}", keep)
WORKER.show(cells)
from navalkit.ui.step.panels import STEP
out.append(asked and WORKER.beforehand is False)
""", tmp_path)
    assert german


def test_phones_are_not_offered_where_there_is_no_server(tmp_path):
    (said,) = run("""
cells = json.dumps(["from navalkit.ui.explore.app import explore_sinking", "explore_sinking()"])
WORKER.begin("class=1", "{}", keep)
WORKER.show(cells)
from navalkit.ui.rooms import ROOM
hello("?class=1", to="explore-class")
out.append(ROOM("none") in json.dumps(posted) or ROOM("none").replace("'", "&#39;") in json.dumps(posted))
""", tmp_path)
    assert said


def test_what_a_page_is_told_beforehand_has_its_arrays(tmp_path):
    announced, brought = run("""
cells = json.dumps(["from navalkit.ui.explore.app import explore_sinking", "explore_sinking()"])
told = json.loads(WORKER.make(cells))
out.append(sum(count for *_, count in json.loads(told["say"])))
out.append(len(told["buffers"]))
""", tmp_path)
    assert announced == brought > 0
