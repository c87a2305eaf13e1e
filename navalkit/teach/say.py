"""The sentences of exercises, reports and pictures, from words.toml, and in which language a student reads them."""

from __future__ import annotations
import os
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from navalkit.core.words import Voice, Words, language, speaking, voice

SAY = Words.load("navalkit.teach")

_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")


def to_student(call: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
    """A call with its sentences in the language that the address of the lesson's page asks for (``?lang=de``), else in
    the caller's: each cell of a notebook is a task of its own, and what one sets no other knows."""

    @wraps(call)
    def spoken(*given: _Given.args, **named: _Given.kwargs) -> _Made:
        asked = language(os.environ.get("QUERY_STRING", ""))
        with speaking(Voice(asked) if asked else voice()):
            return call(*given, **named)

    return spoken
