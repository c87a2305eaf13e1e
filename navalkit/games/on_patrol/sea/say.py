"""The sentences of say.toml: what the log says of markers, orders, turns and the end."""

from __future__ import annotations

from ..data import sentences

SAY = sentences("say.toml")
