"""What Task Force says of its decisions: squares and flights, and the odds that a captain goes by on the map."""

from __future__ import annotations
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from navalkit.core.trace import Decision
from navalkit.core.words import Words
from navalkit.view.page import Glance
from navalkit.view.scene import Layer, Polygon, Scene, Shape, Style, Text
from navalkit.walks.told import Camera, Change, Moment, Sight
from navalkit.walks.walk import Walk
from .game import TaskForce
from .pieces import STEPS, Figure
from .state import Fly, Scratch, State, Strike

SAY = Words.load("navalkit.games.task_force", "data/walk.toml")


class TaskForceWalk(Walk[TaskForce, State, Decision]):
    """A search: where to look next, and when to fly."""

    words = SAY
    keys = {"hit": "●", "missile": "◆", "loss": "✖"}
    marks = {"hit": "hit", "missile_shot": "missile", "missile_lost": "loss", "submarine": "loss"}
    players = ("osei",)

    def answer(self, game: Any, action: Any) -> str:
        """Each square is one; so is any flight of a kind."""
        return action.square if isinstance(action, Scratch) else "fly" if isinstance(action, Fly) else "strike"

    def labelled(self, glance: Glance[Any, Any, Any], action: Any) -> str:
        key = self.answer(glance.game, action)
        return SAY(key) if isinstance(action, Fly | Strike) else super().labelled(glance, action)

    def scene(self, sight: Sight[State], camera: Camera) -> Scene:
        """The map, with the chance that a captain saw in each square, once it is told."""
        scene = super().scene(sight, camera)
        if sight.told is None or not sight.complete:
            return scene
        return replace(scene, layers=(*scene.layers, Layer("odds", tuple(_odds(scene, sight.told.decision)))))

    def changes(self, game: Any, moment: Moment[State], who: str) -> Sequence[Change]:
        own = [Change(key, SAY(key), SAY(f"{key}.help"), "means") for key in ("armed", "bare")]
        return (*super().changes(game, moment, who), *own)

    def suppose(self, game: Any, state: State, moment: Moment[State], who: str, change: str, piece: Any) -> State:
        if change == "armed":
            return replace(state, anti_air=game.options["anti_air"])
        if change == "bare":
            return replace(state, strikes=0, helicopters=())
        return super().suppose(game, state, moment, who, change, piece)


WALK = TaskForceWalk()


def _odds(scene: Scene, decision: Decision) -> Iterator[Shape]:
    """The chance that each option gives as its first fact in its square, in the map's colours; the one taken framed."""
    looks = [option for option in decision.options if isinstance(option.action, Scratch) and option.facts]
    told = {option.action.square: str(option.facts[0].value) for option in looks}
    chances = {square: int(text[:-1]) for square, text in told.items() if text.endswith("%") and text[:-1].isdecimal()}
    top = max(chances.values(), default=0) or 1
    for square, chance in chances.items():
        if cell := scene.cell(square):
            figure = Figure(min(STEPS - 1, STEPS * chance // top), told[square], "")
            yield Polygon(cell.outline, Style(f"heat{figure.step}", "paper", 1))
            yield Text(*cell.centre, figure.text, Style(figure.token), 15, bold=True)
    taken = scene.cell(str(getattr(decision.action, "square", "")))
    if taken is not None:
        yield Polygon(taken.outline, Style(None, "select", 4))
