"""Task Force: the search for a hidden fleet."""

from __future__ import annotations

from .rules import SMALL, TaskForce, daily_seed

GAME = TaskForce

__all__ = ["GAME", "SMALL", "TaskForce", "daily_seed"]
