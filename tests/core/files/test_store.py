"""Games in progress on disk: tokens, permissions, and no half-written file."""

from __future__ import annotations
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import navalkit as nk
from navalkit.core import files, match as stores
from navalkit.core.errors import RecordError
from navalkit.core.files import MovedError, write_atomic
from navalkit.core.match import Store, new_token
from navalkit.testing import refused
from ...sentences import CORE


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


def match_after(*orders: str) -> nk.Match:
    match = nk.Match.new("uss-lox", seed=4)
    for order in orders:
        match.play(order)
    return match


def test_a_game_is_found_again_by_its_token(store: Store) -> None:
    token, match = new_token(), match_after("flip A1", "decline")
    store.save(token, match)
    assert nk.Match.replay(store.load(token)).plies == match.plies
    store.forget(token)
    with refused(RecordError, CORE, "store.gone"):
        store.load(token)
    store.forget(token)  # forgetting twice is no error


def test_tokens_are_long_and_never_the_same() -> None:
    tokens = {new_token() for _ in range(1000)}
    assert len(tokens) == 1000 and {len(token) for token in tokens} == {32}


@pytest.mark.parametrize(
    "token", ["", "short", "../" * 10 + "ab", "a" * 31 + "/", "a" * 33, "a" * 31 + "\n", "ä" * 32]
)
def test_what_is_no_token_never_touches_the_disk(store: Store, token: str) -> None:
    for use in (store.load, store.forget, lambda t: store.save(t, match_after())):
        with refused(RecordError, CORE, "store.token"):
            use(token)
    assert not store.folder.exists()


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_files_and_folder_are_the_owners_alone(store: Store) -> None:
    token = new_token()
    for orders in ([], ["flip A1"]):
        store.save(token, match_after(*orders))
        (path,) = store.folder.iterdir()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700


@pytest.mark.parametrize("broken", ["fsync", "replace", "chmod"])
def test_when_writing_fails_the_game_before_stays(
    store: Store, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    token, match = new_token(), match_after("flip A1")
    store.save(token, match)

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, broken, fail)
        with pytest.raises(OSError):
            store.save(token, match_after("flip A1", "decline", "flip B2"))
    assert nk.Match.replay(store.load(token)).plies == match.plies
    assert len(list(store.folder.iterdir())) == 1  # and no temporary neighbour is left


def test_a_damaged_game_is_refused(store: Store) -> None:
    token = new_token()
    store.save(token, match_after())
    (path,) = store.folder.iterdir()
    path.write_text("damaged")
    with refused(RecordError, CORE, "record.no_toml"):
        store.load(token)


def test_games_left_alone_for_long_are_cleared_away(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """At two looks, a day apart: a clock that jumps takes nobody's game."""
    old, young = new_token(), new_token()
    store.save(old, match_after())
    store.save(young, match_after())
    start, keep, day = time.time(), stores.KEEP_SECONDS, files.LOOK
    os.utime(store.folder / f"{young}.toml", (start + 3 * day, start + 3 * day))

    def looked(at: float) -> set[str]:
        """Which of the two are left after a look at that time."""
        monkeypatch.setattr(files.time, "time", lambda: at)
        new = new_token()
        store.save(new, match_after())
        store.forget(new)
        return {path.stem for path in store.folder.iterdir()}

    assert looked(start + keep - 60) == {old, young}
    assert looked(start + 9 * keep) == {old, young}  # the clock jumps ahead, and is set right
    assert looked(start + 60) == {old, young}
    for late in (60, day, day + 59):
        assert looked(start + keep + late) == {old, young}
    store.save(old, match_after("flip A1"))  # who goes on with it keeps it: what was noted is of the file before
    assert looked(start + keep + 2 * day) == {old, young}
    assert looked(start + keep + 3 * day + 60) == {young}


def test_the_home_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NAVALKIT_HOME", str(tmp_path / "here"))
    assert stores.home() == tmp_path / "here"
    monkeypatch.delenv("NAVALKIT_HOME")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert stores.home() == tmp_path / "navalkit"


def test_an_ordinary_file_gets_ordinary_permissions(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    old = os.umask(0o027)
    try:
        write_atomic(path, "a\nb\n")
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(old)
    assert path.read_bytes() == b"a\nb\n"
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_missing_folder_is_named_not_the_temporary_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        write_atomic(tmp_path / "none" / "a.txt", "")
    assert caught.value.filename == str(tmp_path / "none" / "a.txt")


# Two processes and one game: the one that was frozen, and the one that has taken the game up since


def test_what_was_kept_by_another_process_since_is_not_written_over(store: Store) -> None:
    token = new_token()
    store.save(token, match_after("flip B2"))
    other = Store(store.folder.parent)
    other.load(token)
    other.save(token, match_after("flip B2", "decline"), "newer")
    with refused(MovedError, CORE, "store.moved"):
        store.save(token, match_after("flip C3"))
    assert other.mark(token) == "newer" and len(list(store.folder.iterdir())) == 1, "nor is anything left beside it"
    other.save(token, match_after("flip B2", "decline", "flip A1"), "still newer")
    store.load(token)  # who has read it knows what is newest
    store.save(token, match_after("flip C3"), "last")
    assert other.mark(token) == "last"


def test_who_takes_a_game_up_has_it_from_then_on(store: Store) -> None:
    """Before anything newer is written: the older process may wake up in between."""
    token, other = new_token(), Store(store.folder.parent)
    store.save(token, match_after("flip B2"))
    other.take_up(token)
    with pytest.raises(MovedError):
        store.save(token, match_after("flip C3"))
    other.save(token, match_after("flip B2", "decline"))
    other.save(token, match_after("flip B2", "decline", "flip A1"))


def test_a_game_that_was_cleared_away_is_kept_again(store: Store) -> None:
    token = new_token()
    store.save(token, match_after())
    store._path(token).unlink()
    store.save(token, match_after(), "again")
    assert store.mark(token) == "again"


WRITER = """
import sys
from pathlib import Path
from navalkit.core.files import MovedError
from navalkit.core.match import Match, Store
store, token, name = Store(Path(sys.argv[1])), sys.argv[2], sys.argv[3]
written = 0
for turn in range(60):
    match = Match.replay(store.load(token))
    count = int(store.mark(token))
    try:
        store.save(token, match, str(count + 1))
        written += 1
    except MovedError:
        pass
print(written)
"""


def test_of_two_processes_at_once_each_writing_counts_once(store: Store) -> None:
    """Each adds one to a number that it has read: none is added to a number that was no longer there."""
    token = new_token()
    store.save(token, match_after(), "0")
    folder = str(store.folder.parent)
    both = [subprocess.Popen([sys.executable, "-c", WRITER, folder, token, name], stdout=subprocess.PIPE, text=True)
            for name in "ab"]
    written = [int(each.communicate(timeout=120)[0]) for each in both]
    assert sum(written) == int(store.mark(token)) and max(written) > 0


@pytest.mark.skipif(os.name != "posix", reason="there are no such locks")
def test_a_process_frozen_as_it_writes_holds_nobody_up_for_ever(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    token = new_token()
    store.save(token, match_after(), "first")
    monkeypatch.setattr(files, "LOCKED", 0.05)
    with store._path(token).open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(BlockingIOError):
            store.save(token, match_after(), "second")
    assert store.mark(token) == "first"
    store.save(token, match_after(), "third")
