"""HTML that changes a little at a time: of a long log, only its new lines are sent."""

from __future__ import annotations

from os.path import commonprefix
from pathlib import Path

from . import Scripted

_WIDEST = "\uffff"  # a browser counts what lies beyond as two


class Markup(Scripted):
    """Shows HTML, as ipywidgets' own does; ``value`` is all of it."""

    _esm = Path(__file__).with_name("markup.js")

    def __init__(self) -> None:
        super().__init__()
        self._value = ""
        self.hear(ready=lambda _: self._send_all())  # a browser that has just come

    @property
    def value(self) -> str:
        """The markup."""
        return self._value

    @value.setter
    def value(self, value: str) -> None:
        old, self._value = self._value, value
        if value == old:
            return
        if max(old + value) > _WIDEST:
            self._send_all()
            return
        before = len(commonprefix((old, value)))
        behind = len(commonprefix((old[before:][::-1], value[before:][::-1])))
        self.send({"before": before, "behind": behind, "text": value[before : len(value) - behind]})

    def _send_all(self) -> None:
        self.send({"before": 0, "behind": 0, "text": self._value, "fresh": True})
