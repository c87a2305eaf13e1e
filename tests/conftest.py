"""Shared by all tests: a place of their own for saved games, and Hypothesis without a clock."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("navalkit", deadline=None, max_examples=50)
settings.load_profile("navalkit")


@pytest.fixture(scope="session", autouse=True)
def navalkit_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test touches the games of whoever runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NAVALKIT_HOME", str(tmp_path_factory.mktemp("navalkit_home")))
        yield
