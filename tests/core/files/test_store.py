"""Games in progress on disk: tokens, permissions, and no half-written file."""

from __future__ import annotations
import os
import stat
import time
from pathlib import Path

import pytest

import navalkit as nk
from navalkit.core import match as stores
from navalkit.core.errors import RecordError
from navalkit.core.files import write_atomic
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


def test_games_left_alone_for_long_are_cleared_away(store: Store) -> None:
    old, young, new = (new_token() for _ in range(3))
    store.save(old, match_after())
    store.save(young, match_after())
    past = time.time() - stores.KEEP_SECONDS
    os.utime(store.folder / f"{old}.toml", (past - 60, past - 60))
    os.utime(store.folder / f"{young}.toml", (past + 60, past + 60))
    store.save(new, match_after())
    assert {path.stem for path in store.folder.iterdir()} == {young, new}


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
