"""The explorer's questions about Fleet Action; their sentences are in ``words.toml``."""

from .duels import DUEL
from .fire import BROADSIDE, SALVO, TORPEDOES

__all__ = ["QUESTIONS"]

QUESTIONS = (BROADSIDE, SALVO, TORPEDOES, DUEL)
