"""What each side of a class believes, for the message of a test that has waited in vain: the page, the file, the phones
and the kernels."""

from __future__ import annotations
import json
from typing import Any

from playwright.sync_api import Error, Page

from navalkit.core.errors import NavalkitError
from navalkit.rooms.store import Rooms
from ..crowd import Crowd
from ..servers import Server

_SEEN = """() => {
  const all = (css) => [...document.querySelectorAll(css)];
  const text = (css) => all(css).filter((each) => each.offsetParent).map((each) => each.innerText.trim());
  const kept = (store) => Object.entries(store).filter(([key]) => key.startsWith('navalkit:'))
    .map(([key, value]) => [key, value.slice(0, 400)]);
  return {
    url: location.href, line: document.documentElement.dataset.nkLine ?? '', hidden: document.hidden,
    said: text('.nk-status'), count: all('.nk-status [data-count]').map((each) => each.dataset.count),
    pressed: text('.nk-pressed'), waiting: text('.nk-waiting, .nk-late.nk-open'), room: text('.nk-room'),
    headline: text('.nk-step-headline'), off: text('button:disabled'),
    kept: [...kept(sessionStorage), ...kept(localStorage)],
  };
}"""
"""What is on the page, and what the browser keeps of it, journals among it."""
MOST = 4000
"""Characters of one kernel's stack."""


def account(page: Page, server: Server, rooms: Rooms, code: str, crowd: Crowd | None = None) -> str:
    """All of it, a paragraph each; what cannot be asked says why."""
    parts: dict[str, Any] = {}
    try:
        parts["page"] = json.dumps(page.evaluate(_SEEN), ensure_ascii=False, indent=1)
        page.screenshot(path=server.home / "stuck.png")
        parts["picture"] = server.home / "stuck.png"
    except Error as error:
        parts["page"] = error
    try:
        room = rooms.room(code)
        asked = [(each["round"], each["key"]) for each in room.kept["asked"][-3:]]
        kept = room.kept | {"asked": asked}
        round = room.shown.get("round", 0)
        shown = {key: str(value)[:300] for key, value in room.shown.items()}
        orders = rooms.sql.execute("SELECT number, word, what, stand FROM lead WHERE room = ?", (code,)).fetchall()
        parts["room"] = (f"rev {room.rev}, held {rooms.held(code)}, shown {shown}, kept {kept}, "
                         f"{len(rooms.answers(code, round))} of {rooms.joined(code)} answers, "
                         f"orders {orders[-5:]} done {rooms.done(code)}")
    except NavalkitError as error:
        parts["room"] = error
    if crowd is not None:
        taken = [sum(asked == each for asked, _ in list(crowd.acknowledged)) for each in sorted(crowd.shown)[-3:]]
        parts["phones"] = f"{len(crowd.listening)} listen; of the last questions {taken} answers were acknowledged"
    for pid, stack in server.stacks().items():
        parts[f"kernel {pid}"] = stack[:MOST]
    parts["server"] = (server.home / "voila.log").read_text(errors="replace")[-MOST:]
    return "\n\n".join(f"{name}: {value}" for name, value in parts.items())
