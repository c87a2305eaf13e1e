"""The phones' addresses in Jupyter's own server, where `navalkit play` does not run: Binder and JupyterHub."""

from __future__ import annotations

from typing import Any

from navalkit.rooms.door import tell

from . import phones


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "navalkit.serve.extension"}]


def _load_jupyter_server_extension(app: Any) -> None:
    """Called by Jupyter's server as it starts."""
    base = app.web_app.settings["base_url"]
    tell(app.port, app.ip, base)
    app.web_app.add_handlers(".*$", phones.handlers(base, app.port))
