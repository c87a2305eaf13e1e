"""The games, one package each, all with the same file names."""

from navalkit.core.registry import load, names

__all__ = ["load", "names"]
