"""What goes over a page's line: never the seed of a game that hides something."""

from __future__ import annotations
import tomllib

import pytest

from navalkit import load
from navalkit.core.registry import names
from .driver import Driver

HIDING = [name for name in names() if load(name).hides]


@pytest.mark.slow
@pytest.mark.parametrize("name", HIDING)
def test_no_frame_of_a_game_that_hides_something_holds_its_seed(page, voila, name):
    """In the others the page shows it (RULINGS: "Is a seed a secret?")."""
    frames: list[bytes] = []

    def heard(frame):
        frames.append(frame if isinstance(frame, bytes) else frame.encode())

    page.on("websocket", lambda line: (line.on("framereceived", heard), line.on("framesent", heard)))
    game = Driver(page, voila.page(f"play_{name.replace('-', '_')}.ipynb"))
    for square in ("A1", "B1", "C1"):
        game.click(game.buttons.first) if game.buttons.count() else game.type(square)
    token = page.evaluate(f"sessionStorage.getItem('navalkit:{name}:token' + location.search)")
    seed = tomllib.loads((voila.home / "games" / f"{token}.toml").read_text())["seed"]
    number = int(seed, 0) if isinstance(seed, str) else seed
    assert number > 1 << 64 and len(frames) > 20
    for text in (str(number), f"{number:x}"):
        assert not any(text.encode() in frame for frame in frames)
