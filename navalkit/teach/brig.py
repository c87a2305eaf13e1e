"""A place for programs that nobody vouches for: a process with nothing around it, and limits it cannot lift.

The program begins with an empty environment and an empty folder, may use limited time, memory and disk and a limited
number of processes, and all of them end with it. Where Linux allows it (namespaces, through ``unshare`` of util-
linux), it is walled in besides: it reaches no network, sees no other process, and of all files only Python, the
installed packages and navalkit, which it cannot write to. Elsewhere it has the rights of the account it runs under;
`walled` tells.
"""

from __future__ import annotations
import os
import shutil
import signal
import site
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Thread
from typing import IO, Any

ROOT = Path(__file__).parents[1]
"""The package navalkit."""
_NOBODY = "65534"
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix", "/etc/ld.so.cache", "/etc/localtime",
           "/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")  # fmt: skip
_HOME = "/scratch"
_PATH = os.defpath if sys.platform == "win32" else "/usr/sbin:/usr/bin:/sbin:/bin"
# $1 a folder for the new root, $2 bytes of disk; then what may be seen of the old one, "--", and the command.
_WALLS = f"""set -e
root=$1; mount -t tmpfs -o "size=$2,mode=755,nosuid" none "$root"; shift 2
while [ "$1" != -- ]; do
  mkdir -p "$root${{1%/*}}"
  if [ -L "$1" ]; then [ -e "$root$1" ] || cp -P "$1" "$root$1"
  elif [ -d "$1" ]; then mkdir -p "$root$1"; mount --bind -o ro "$1" "$root$1"
  elif [ -e "$1" ]; then : > "$root$1"; mount --bind "$1" "$root$1"
  fi
  shift
done
shift; mkdir -m 1777 "$root{_HOME}"
exec chroot "$root" "$@"
"""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use."""

    seconds: float = 60
    """Of the clock; so much of the processor, too."""
    memory: int = 2 << 30
    """Bytes of address space, each process."""
    disk: int = 64 << 20
    """Bytes of all files it writes; without walls, of each file."""
    processes: int = 64
    """Running at once, threads included; without walls, with those of the same account."""
    told: int = 2_000_000
    """Bytes that it may hand over."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What came of a program."""

    told: bytes
    """What it handed over, up to its limit."""
    in_time: bool


def run(module: str, given: bytes, limits: Limits = Limits()) -> Ended:  # noqa: B008
    """Run a module of navalkit in here. ``given``: what it reads from its standard input. What it writes to its
    standard output is what it hands over; it gives itself its limits by `settle`."""
    with tempfile.TemporaryDirectory(prefix="navalkit-") as folder, tempfile.TemporaryFile() as letter:
        letter.write(given)
        letter.seek(0)
        os.chmod(folder, 0o711)
        process = subprocess.Popen(
            [*_wrapped(folder, limits.disk), sys.executable, "-m", module],
            stdin=letter, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            cwd=folder, start_new_session=True, env=_environment(_HOME if walled() else folder, limits)
        )
        told = bytearray()
        assert process.stdout is not None
        reader = Thread(target=_gather, args=(process.stdout, told, limits.told), daemon=True)
        reader.start()
        in_time = True
        try:
            process.wait(limits.seconds)
        except subprocess.TimeoutExpired:
            in_time = False
        finally:
            _end(process)
        reader.join(1)  # without walls, something that got away may hold the other end
        process.stdout.close()
        return Ended(bytes(told), in_time)


def walled() -> bool:
    """Whether this system lets programs be walled in: no network, no files but Python's."""
    return bool(_walls())


@cache
def _walls() -> tuple[str, ...]:
    """The command that makes the walls: as root by way of an account with no rights, else in a namespace of one's own;
    () where neither works."""
    if sys.platform != "linux" or not shutil.which("unshare", path=_PATH):
        return ()
    apart = ["unshare", "--net", "--pid", "--mount", "--ipc", "--fork", "--kill-child"]
    ways = [apart] if os.geteuid() == 0 else []
    ways.append([*apart, "--user", "--map-root-user"])
    return next((tuple(way) for way in ways if _holds(way)), ())


def _holds(way: Sequence[str]) -> bool:
    """Whether Python and navalkit start behind such walls."""
    with tempfile.TemporaryDirectory(prefix="navalkit-") as folder:
        os.chmod(folder, 0o711)
        try:
            tried = subprocess.run(
                [*_built(way, folder, 1 << 20), sys.executable, "-m", __name__], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_environment(_HOME, Limits()), timeout=60
            )
        except (OSError, subprocess.SubprocessError):
            return False
        return tried.returncode == 0


def _wrapped(folder: str, disk: int) -> list[str]:
    return _built(_walls(), folder, disk) if walled() else []


def _built(way: Sequence[str], folder: str, disk: int) -> list[str]:
    """The command that puts up walls round the one that follows it, which has no rights left."""
    root = "--user" not in way
    nobody = ["--reuid", _NOBODY, "--regid", _NOBODY, "--clear-groups"] if root else []
    rights = ["setpriv", *nobody, "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all"]
    return [*way, "sh", "-c", _WALLS, "sh", folder, str(disk), *_seen(), "--", *rights]


def _seen() -> list[str]:
    """What of the machine a program may read: the system's programs, Python, its packages and navalkit."""
    packages = (*site.getsitepackages(), site.getusersitepackages())
    mine: list[str | Path] = [sys.prefix, sys.base_prefix, sys.exec_prefix, *packages, ROOT]
    found = sorted({str(path) for path in mine if os.path.isdir(path)})
    apart = [path for i, path in enumerate(found) if not any(path.startswith(f"{other}/") for other in found[:i])]
    system = [path for path in _SYSTEM if os.path.lexists(path)]
    return [*system, *(path for path in apart if not path.startswith("/usr/"))]


def _environment(home: str, limits: Limits) -> dict[str, str]:
    """All that a program finds in its environment."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}  # Windows starts nothing without
    return kept | {
        "PATH": _PATH, "HOME": home, "TMPDIR": home, "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT.parent),
        "PYTHONUSERBASE": site.getuserbase(), "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg",
        "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
        "NAVALKIT_LIMITS": f"{int(limits.seconds) + 1} {limits.memory} {limits.disk} {limits.processes}"
    }  # fmt: skip


def _gather(stream: IO[bytes], told: bytearray, most: int) -> None:
    """Read to the end, so that nobody waits; what is too much is dropped."""
    with suppress(OSError, ValueError):
        while part := os.read(stream.fileno(), 65536):
            told += part[: most - len(told)]


def _end(process: subprocess.Popen[Any]) -> None:
    """End a program and all that it has started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


# -- in the process itself ---------------------------------------------------------------------------

def settle() -> tuple[bytes, IO[bytes]]:
    """Take on the limits, and go to the empty folder. Returns what was given, and where to hand over what is told; what
    is printed from now on goes nowhere."""
    os.chdir(os.environ["HOME"])
    given = sys.stdin.buffer.read()
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    limits = list(map(int, os.environ.pop("NAVALKIT_LIMITS").split()))
    with suppress(ImportError):  # Windows has no such limits
        import resource

        kinds = (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC)
        for kind, most in zip(kinds, limits, strict=True):
            with suppress(ValueError, OSError):  # lower already, or unknown to this system
                resource.setrlimit(kind, (most, most))
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    return given, out
