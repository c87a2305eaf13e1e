"""The package's page has no folders beside it: in its copy of the README every link and picture is a whole address."""

from __future__ import annotations
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)(\[[^]]*\])\((?![a-z]+:|#)([^)\s]+)\)")


def whole(text: str, source: str) -> str:
    """The text with its relative links made whole; ``source``: the address of the repository."""
    return _LINK.sub(lambda m: f"{m[1]}{m[2]}({source}/{'raw' if m[1] else 'blob'}/HEAD/{m[3]})", text)


class Readme(MetadataHookInterface):
    """Hatchling's hook (pyproject.toml)."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": whole(text, metadata["urls"]["Source"])}
