"""JupyterHub for a course with navalkit: who may come in, what each may use, and when what is idle ends.

Settings are variables of the environment, so that this file can stay as it is (deploy/README.md): COURSE_LOGIN,
COURSE_PASSWORD, COURSE_STUDENTS, COURSE_TEACHERS, COURSE_TEACHER_PASSWORD, COURSE_SPAWNER, COURSE_MEMORY, COURSE_PAGES,
COURSE_SEATS, COURSE_IDLE, COURSE_HOMES, COURSE_HANDOUT, COURSE_NOTEBOOKS.
"""

from __future__ import annotations
import os
import pwd
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

c: Any = get_config()  # type: ignore[name-defined]  # noqa: F821  # JupyterHub gives it
SHARE = Path(sys.prefix) / "share" / "navalkit"
"""Where the package has put its pages."""


def setting(name: str, otherwise: str = "") -> str:
    return os.environ.get(f"COURSE_{name}", otherwise)


# -- Who comes in ------------------------------------------------------------------------------------------------------

# By one password of the course, teachers by another: for a workshop. Everybody who knows it can come in as any student,
# so that a course that grades uses the school's own login: COURSE_LOGIN names its authenticator.
c.JupyterHub.authenticator_class = setting("LOGIN", "shared-password")
c.SharedPasswordAuthenticator.user_password = setting("PASSWORD") or None
c.SharedPasswordAuthenticator.admin_password = setting("TEACHER_PASSWORD") or None
c.Authenticator.admin_users = set(setting("TEACHERS").split())
c.Authenticator.allowed_users = set(setting("STUDENTS").split())
# Where a name is an account of this machine, nobody comes in by a name that is not listed, nor as root or a service.
SPAWNER = setting("SPAWNER", "localprocess")
c.Authenticator.allow_all = SPAWNER != "localprocess" and not setting("STUDENTS")
LEAST_USER = 1000  # accounts below are the system's own
c.Authenticator.blocked_users = {each.pw_name for each in pwd.getpwall() if each.pw_uid < LEAST_USER}

# -- What each may use -------------------------------------------------------------------------------------------------

# The hub's own way to start a server gives every student the account of that name on this machine. One that holds each
# to this memory as well is named by COURSE_SPAWNER, and is a package of its own: see deploy/README.md.
c.JupyterHub.spawner_class = SPAWNER
c.Spawner.mem_limit = setting("MEMORY", "1G")
c.Spawner.cpu_limit = 1.0
PAGES = int(setting("PAGES", "3"))
"""Pages and lessons that somebody may have open at once: what a spawner cannot limit, the server does."""
IDLE = int(setting("IDLE", "1800"))
"""Seconds after which a page that nobody uses ends, and a server twice as late. Games are kept, and taken up again."""
c.Spawner.args = [
    "--ServerApp.kernel_manager_class=navalkit.serve.server.Kernels", "--Kernels.keep_warm=False",
    f"--Kernels.limit={PAGES}", f"--Kernels.cull_idle_timeout={IDLE}", "--Kernels.cull_connected=True",
    "--Kernels.cull_interval=60",
]  # fmt: skip
c.Spawner.default_url = "/voila/render/navalkit/lobby.ipynb"
c.Spawner.start_timeout = c.Spawner.http_timeout = 120
c.JupyterHub.active_server_limit = int(setting("SEATS", "120"))
c.JupyterHub.concurrent_spawn_limit = 8  # a class comes all at once: the hub tells those who wait
_SCOPES = ["list:users", "read:users:activity", "read:servers", "delete:servers"]
_CULLER = [sys.executable, "-m", "jupyterhub_idle_culler", f"--timeout={2 * IDLE}", "--cull-every=60"]
c.JupyterHub.services = [{"name": "idle", "command": _CULLER}]
c.JupyterHub.load_roles = [{"name": "idle", "scopes": _SCOPES, "services": ["idle"]}]

# -- What each finds: the pages, and the lessons as the teacher has handed them out ------------------------------------


def furnish(spawner: Any) -> None:
    """Pages of this version and lessons, once, before the folder is its student's. What is theirs is not touched any
    more: the hub may be root, and a link of theirs may lead anywhere. The folder above belongs to no student."""
    home = Path(spawner.format_string(HOMES))
    if home.exists() or home.is_symlink():
        return
    home.mkdir(parents=True, mode=0o700)
    (home / "navalkit").symlink_to(PAGES_AT)
    if handout := setting("HANDOUT"):
        shutil.copytree(handout, home / "lessons")
    with suppress(KeyError, PermissionError):  # a spawner that needs no account on this machine
        user = pwd.getpwnam(spawner.user.name)
        for each in (home, *home.rglob("*")):
            os.chown(each, user.pw_uid, user.pw_gid, follow_symlinks=False)


HOMES = setting("HOMES", "/srv/course/{username}")
PAGES_AT = Path(setting("NOTEBOOKS") or SHARE / "notebooks")
c.Spawner.notebook_dir = HOMES
c.Spawner.pre_spawn_hook = furnish
