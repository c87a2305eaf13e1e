"""Samples of two sizes: what a small one can show is tested by `make test`, the rest by `make test-all`."""

from __future__ import annotations
from typing import Any

import pytest


def sizes(names: str, few: Any, many: Any, *, indirect: bool = False) -> pytest.MarkDecorator:
    """The argument is ``few``, and in the slow tests ``many``; tuples where there are several ("games, plies")."""
    few, many = (values if "," in names else (values,) for values in (few, many))
    values = [pytest.param(*few, id="few"), pytest.param(*many, marks=pytest.mark.slow, id="many")]
    return pytest.mark.parametrize(names, values, indirect=indirect)
