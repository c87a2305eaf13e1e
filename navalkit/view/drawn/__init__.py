"""Drawings as shapes: ships, cards, and the lobby's pictures."""
