"""A kernel that is kept warm."""

from __future__ import annotations
import gc

from navalkit.core.registry import names
from navalkit.ui.warm import warm
from navalkit.view.page import page_of


def test_what_is_made_beforehand_is_no_garbage_collectors_business():
    before = gc.get_freeze_count()
    try:
        warm()
        collected = {id(each) for each in gc.get_objects()}
        assert gc.get_freeze_count() > before + 100_000
        assert not collected & {id(page_of(name)) for name in names()}
    finally:
        gc.unfreeze()
