"""Every fault that was found once has its tests: ``faults.toml`` names them, and none of them may go."""

from __future__ import annotations
import ast
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
FAULTS = tomllib.loads(Path(__file__).with_name("faults.toml").read_text(encoding="utf-8"))["fault"]


@cache
def _tests_of(file: str) -> frozenset[str]:
    module = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in module.body if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault["was"])
def test_a_fault_that_was_found_once_would_be_found_again(fault: dict[str, Any]) -> None:
    assert fault.keys() == {"was", "found_by"} and fault["found_by"]
    for test in fault["found_by"]:
        file, name = test.split("::")
        assert name in _tests_of(file), f"{test} is gone: {fault['was']}"


def test_no_fault_stands_twice() -> None:
    assert len({fault["was"] for fault in FAULTS}) == len(FAULTS)
