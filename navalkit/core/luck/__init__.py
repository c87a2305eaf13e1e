"""Chance: exact distributions, and seeds."""
