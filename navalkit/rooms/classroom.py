"""A class as its teacher's kernel has it: questions put to all phones, answers counted, and shown when it says so.

Until it says so nothing that reaches a phone depends on the answer, nor on what others have answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from navalkit.view.questions import Question, Result

from . import boards
from .store import SAY, SHORT, Rooms, Seat


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the class for its report."""

    text: str
    labels: Mapping[str, str]
    """What each choice said."""
    answers: Mapping[int, str]
    """Seat -> its choice."""
    round: int
    key: str = ""
    right: Sequence[str] = ()
    """The right choices; () if the answer was never shown."""
    told: str = ""
    """What was said then."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Wrong choice -> what it would have needed."""
    slips: Mapping[str, str] = field(default_factory=dict)
    """Wrong choice -> the mistake in a few words, where it has a name."""


class ClassRoom:
    """A room for a class. ``title``: what phones show above the questions. ``rooms``: the file. ``code``: a room that
    there is already; left out, a new one is opened."""

    def __init__(self, title: str = "", rooms: Rooms | None = None, code: str = "") -> None:
        self.rooms = rooms or Rooms()
        self.title = title or SAY("title.class")
        self.question: Question | None = None
        self.result: Result | None = None
        self._asked: list[dict[str, Any]] = []  # what the report needs besides the answers; the file has it too
        self.locked = self.names = False
        self.round = 0
        if code:
            room = self.rooms.room(code)
            self.code, self.round = room.code, int(room.shown.get("round", 0))
            self.title, self.locked, self.names = str(room.shown["title"]), room.locked, room.names
            self._asked = room.kept["asked"]
            return
        shown = {"kind": "class", "phase": "wait", "title": self.title}
        self.code = self.rooms.open("class", shown, {"asked": []}, SHORT)

    # Questions ------------------------------------------------------------------------------------------------------

    def ask(self, question: Question) -> None:
        """Put a question to all phones; one that is open ends unanswered."""
        self.round += 1
        self.question, self.result = question, None
        labels = {each.id: each.label for each in question.choices}
        self._asked.append({"round": self.round, "text": question.text, "labels": labels, "key": question.key})
        self._show("open")

    def votes(self) -> Mapping[str, int]:
        """Choice -> how many phones have it now."""
        return Counter(self.answers().values())

    def close(self) -> None:
        """Take no more answers."""
        if self.question is not None and self.result is None:
            self._show("closed")

    def reveal(self, result: Result) -> None:
        """Show all phones what was right, what all answered, and what each wrong answer would have needed."""
        self.close()
        self.result = result
        notes = result.notes or {}
        self._asked[-1] |= {
            "right": list(result.right),
            "told": result.text,
            "notes": {id: note.text for id, note in notes.items()},
            "slips": {id: note.slip for id, note in notes.items() if note.slip},
        }
        self._show("shown")

    # The class ------------------------------------------------------------------------------------------------------

    def answers(self) -> dict[int, str]:
        """Seat -> its answer to the present question."""
        return self.rooms.answers(self.code, self.round) if self.question is not None else {}

    @property
    def last(self) -> str:
        """The key of the question asked last, by an earlier kernel perhaps; "" if there is none."""
        return str(self._asked[-1].get("key", "")) if self._asked else ""

    @property
    def joined(self) -> int:
        """How many phones are in."""
        return self.rooms.joined(self.code)

    def seats(self) -> list[Seat]:
        """The phones, for the teacher alone."""
        return self.rooms.seats(self.code)

    def let_in(self, *, locked: bool | None = None, names: bool | None = None) -> None:
        """Lock the room or open it; let phones name themselves or not. None leaves a thing as it is."""
        self.locked = self.locked if locked is None else locked
        self.names = self.names if names is None else names
        self.rooms.let_in(self.code, locked=self.locked, names=self.names)

    def wait(self) -> None:
        """Put the question away: phones wait for the next."""
        self.question = self.result = None
        self._show("wait")

    def end(self) -> None:
        """End the class: phones are told, and all that was answered is deleted. Take the `report` before."""
        self.question = self.result = None
        with self.rooms.writing():  # when phones are told that nothing is kept, nothing is
            self._asked = []
            self.rooms.empty(self.code)
            self._show("over")

    def report(self) -> list[Asked]:
        """All questions so far, from the file: what an earlier kernel of this class asked is among them."""
        return [Asked(**each, answers=self.rooms.answers(self.code, each["round"])) for each in self._asked]

    # Inside ---------------------------------------------------------------------------------------------------------

    def _show(self, phase: str) -> None:
        shown: dict[str, Any] = {"kind": "class", "title": self.title, "phase": phase, "round": self.round}
        if self.question is not None and phase in ("open", "closed", "shown"):
            shown["ask"] = self._put(self.question)
        if self.result is not None and phase == "shown":
            shown["result"] = self._result(self.result)
        self.rooms.show(self.code, shown, {"asked": self._asked}, self.round if phase == "open" else 0)

    def _put(self, question: Question) -> dict[str, Any]:
        asked: dict[str, Any] = {"kind": question.kind, "text": question.text, "more": question.more}
        cells = [[each.id, each.label, *each.at] for each in question.choices if each.at is not None]
        if question.board is not None:
            board = boards.picture(question.board) | {"cells": cells, "shape": boards.points(question.shape)}
            asked["board"] = self.rooms.keep_board(self.code, board)
        # Taps are checked against these; phones find those with a place in the board.
        asked["choices"] = [[each.id, "" if each.at else each.label] for each in question.choices]
        return asked

    def _result(self, result: Result) -> dict[str, Any]:
        votes = self.votes()
        shown: dict[str, Any] = {
            "right": list(result.right),
            "text": result.text,
            "rule": result.rule,
            "votes": dict(votes),
            "notes": {id: [note.rule, note.text] for id, note in (result.notes or {}).items() if id in votes},
        }
        if result.board is not None:
            shown["board"] = self.rooms.keep_board(self.code, boards.picture(result.board))
        return shown
