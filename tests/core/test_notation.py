"""An action that is written in one form."""

from __future__ import annotations
import pickle
from dataclasses import FrozenInstanceError, fields

import pytest

from navalkit.core.codec import written_as


@written_as("{ship}: torpedoes {number} {target}")
class Torpedoes:
    ship: str
    number: int
    target: str = "Scharnhorst"


@written_as("done")
class Done:
    pass


def test_the_text_is_filled_from_the_fields() -> None:
    assert str(Torpedoes("Jamaica", 1)) == "Jamaica: torpedoes 1 Scharnhorst"
    assert str(Torpedoes("{number}", 2, "{0}")) == "{number}: torpedoes 2 {0}"
    assert str(Done()) == "done"


def test_it_is_a_frozen_slotted_dataclass() -> None:
    order = Torpedoes("Jamaica", 1)
    assert [field.name for field in fields(order)] == ["ship", "number", "target"]
    assert order == pickle.loads(pickle.dumps(order)) and len({order, Torpedoes("Jamaica", 1)}) == 1
    assert not hasattr(order, "__dict__")
    with pytest.raises(FrozenInstanceError):
        order.number = 2  # type: ignore[misc]
