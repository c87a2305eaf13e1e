"""Where the file of all rooms lies."""

from __future__ import annotations

import os
import tempfile
from getpass import getuser
from pathlib import Path

from navalkit.core.files.store import home

_FOREIGN = ("nfs", "cifs", "smb", "fuse", "9p", "afs", "lustre", "ceph", "gluster")


def folder() -> Path:
    """Where the file lies: $NAVALKIT_ROOMS, else beside the games; on a disk of another machine, which cannot keep it
    in order, in a local folder of the user's own."""
    if given := os.environ.get("NAVALKIT_ROOMS"):
        return Path(given)
    own = home()
    own.mkdir(parents=True, exist_ok=True)
    if not _foreign(own.resolve()):
        return own
    local = Path(tempfile.gettempdir()) / f"navalkit-{getuser()}"
    local.mkdir(mode=0o700, exist_ok=True)
    if os.name == "posix" and local.stat().st_uid != os.getuid():
        raise PermissionError(1, os.strerror(1), str(local))
    return local


def _foreign(path: Path) -> bool:
    import psutil  # here, as most pages need no room: their first board does not wait for it

    mounts = [m for m in psutil.disk_partitions(all=True) if path.is_relative_to(m.mountpoint)]
    return bool(mounts) and max(mounts, key=lambda m: len(m.mountpoint)).fstype.lower().startswith(_FOREIGN)
