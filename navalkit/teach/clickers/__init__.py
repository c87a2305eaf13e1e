"""A lesson's questions for phones: its hook, and its exercises with their expected mistakes to choose from."""

from .clicker import Clicker, Option
from .hooks import hooks, position
from .lesson import again, clickers, title

__all__ = ["Clicker", "Option", "again", "clickers", "hooks", "position", "title"]
