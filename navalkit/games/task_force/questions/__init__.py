"""The explorer's questions about Task Force; their sentences are in ``words.toml``."""

from .real import REAL
from .scratches import SCRATCHES
from .where import LOOK, SHIP

__all__ = ["QUESTIONS"]

QUESTIONS = (SHIP, LOOK, SCRATCHES, REAL)
