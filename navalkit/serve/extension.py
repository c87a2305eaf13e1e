"""The phones' addresses in Jupyter's own server, where `navalkit play` does not run: Binder and JupyterHub."""

from __future__ import annotations
import json
from typing import Any

from traitlets.config import Config

from navalkit.core.errors import DataError
from navalkit.rooms.door import tell
from . import pages, phones


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": "navalkit.serve.extension"}]


def _load_jupyter_server_extension(app: Any) -> None:
    """Called by Jupyter's server as it starts, before Voila's extension, which comes later in the alphabet."""
    base = app.web_app.settings["base_url"]
    tell(app.port, app.ip, base)
    app.web_app.add_handlers(".*$", phones.handlers(base, app.port))
    try:
        voila = json.loads((pages() / "voila.json").read_text())
    except DataError:  # only the library is installed
        return
    settings = Config({name: voila[name] for name in ("VoilaConfiguration", "VoilaExecutor")})
    settings.merge(app.config)  # what the server's owner has chosen stands
    app.update_config(settings)
