"""Runs what a `GoldenSuite` asks for: a test with ``golden`` for each golden game, and the files anew if wanted."""

from __future__ import annotations
import os

import pytest


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "golden" in metafunc.fixturenames:
        assert metafunc.cls is not None
        metafunc.parametrize("golden", metafunc.cls.goldens, ids=lambda golden: golden.name)


@pytest.fixture(scope="class", autouse=True)
def renewed(request: pytest.FixtureRequest) -> None:
    """Writes the golden files anew, if asked to."""
    if os.environ.get("NAVALKIT_RENEW") == "1" and request.cls is not None:
        request.cls().renew()
