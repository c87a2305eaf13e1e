"""Every test of lessons begins with nobody at the desk, in a folder of its own, and no exercises but navalkit's."""

from __future__ import annotations
from pathlib import Path

import pytest

from navalkit.teach.checking import PROGRESS
from navalkit.teach.exercises import book


@pytest.fixture(autouse=True)
def afresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    PROGRESS.forget()
    monkeypatch.setattr(book, "_OWN", {})
    monkeypatch.setattr(book, "USED", [])
    monkeypatch.chdir(tmp_path)
