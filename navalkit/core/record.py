"""A saved game: TOML with the game, its options, its seed and every action in notation.

A record from elsewhere is data: bounded in size, parsed as TOML, checked field by field, and then replayed
under the rules. Nothing in it is evaluated. Its checksum guards against accidents on the way, not against intent.
"""

from __future__ import annotations
import base64
import binascii
import json
import os
import re
import tomllib
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any

import tomli_w

from .errors import RecordError, brief, cut
from .files import packed, wrong_toml
from .seeds import MAX_SEED
from .words import SAY

__all__ = ["GameRecord"]

SCHEMA = "navalkit-record-1"
MAX_BYTES = 1 << 20
_SEALED = ("seed", "actions", "comments")
_KEY = r"""(?:(?<![\w-])[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_DEEP_KEY = re.compile(rf"{_KEY}(?:[ \t]*+\.[ \t]*+{_KEY}){{16}}")
"""A key of more than 16 parts: the TOML reader takes minutes over very long ones, and ours have one."""
_TABLE = re.compile(rf"^[ \t]*+(?:\[|{_KEY}[ \t]*+\.)", re.MULTILINE)
"""A line that opens a table. The reader spends some ten kilobytes on each, and a record has three."""
_MOST_TABLES, _MOST_COMMAS = 1000, 100_000
_TOML_INTEGER = 1 << 63
"""Whole numbers from here up do not fit TOML's 64 bits; a seed as large is written as text."""
_KINDS = {
    str: SAY.phrase("record.text"), int: SAY.phrase("record.whole_number"), bool: SAY.phrase("record.true_false"),
    list: SAY.phrase("record.list"), dict: SAY.phrase("record.table"), float: SAY.phrase("record.number")
}


@dataclass(frozen=True)
class GameRecord:
    """One game as it was played.

    Parameters
    ----------
    game : str
        Name of the game ("uss-lox").
    rules : str
        Version of its rules.
    options : mapping
        Options that differ from their defaults.
    seed : int
        0 to 2**128 - 1.
    players : tuple of str
        Who played, by player number.
    actions : tuple of str
        Every action in notation, chance's included.
    result : str
        One word, or "" while the game goes on.
    scores : tuple of float
        One a player, or () while the game goes on.
    comments : mapping of int to str
        Comments by ply; ply 0 is the start.
    analysis : bool
        Whether somebody went back past something already seen; so counts every record that is read without a checksum.
    commitment : str
        Of a game that hides something: see `Match.commitment`. "" where nothing was committed to.
    """

    game: str
    rules: str
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    players: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    result: str = ""
    scores: tuple[float, ...] = ()
    comments: Mapping[int, str] = field(default_factory=dict)
    analysis: bool = False
    commitment: str = ""

    @property
    def checksum(self) -> str:
        """16 hexadecimal digits that depend on every field."""
        scores, comments = [*map(float, self.scores)], sorted(self.comments.items())
        parts = (
            self.game, self.rules, sorted(self.options.items()), self.seed, self.players, self.actions,
            self.result, scores, comments, self.analysis, self.commitment,
        )
        return blake2b(json.dumps(parts).encode(), digest_size=8).hexdigest()

    def dumps(self, *, seal: bool = False) -> str:
        """The record as TOML; with ``seal`` its telling part (seed, actions, comments) is packed.

        Raises
        ------
        RecordError
            If a text in it, such as a comment, holds half a character (a lone surrogate), which no file can.
        """
        head: dict[str, Any] = {"schema": SCHEMA, "checksum": self.checksum, "game": self.game, "rules": self.rules}
        if self.commitment:
            head["commitment"] = self.commitment
        seed = self.seed if self.seed < _TOML_INTEGER else str(self.seed)
        body: dict[str, Any] = {"seed": seed, "actions": list(self.actions)}
        if self.comments:
            body["comments"] = {str(ply): text for ply, text in sorted(self.comments.items())}
        tail: dict[str, Any] = {"analysis": self.analysis, "players": list(self.players)}
        tables: dict[str, Any] = {"options": dict(self.options)} if self.options else {}
        if self.result:
            tables["result"] = {"result": self.result, "scores": list(self.scores)}
        if seal:
            packed = base64.b64encode(zlib.compress(_encoded(tomli_w.dumps(body)), 9)).decode()
            table = head | tail | {"note": SAY("record.sealed"), "sealed": packed} | tables
        else:
            comments = {"comments": body.pop("comments")} if self.comments else {}
            table = head | tail | body | tables | comments
        text = tomli_w.dumps(table)
        _encoded(text)
        return text

    @classmethod
    def loads(cls, text: str | bytes) -> GameRecord:
        """The record in a text; RecordError if it is too big, no TOML, of another schema, a field is missing or of the
        wrong kind, or its checksum does not fit."""
        if not isinstance(text, str | bytes):
            raise RecordError(SAY("record.loads", text=brief(text)))
        data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        table = _toml(data, SAY("record.itself"))
        if table.get("schema") != SCHEMA:
            schema = brief(table.get("schema"))
            raise RecordError(SAY("record.schema", schema=schema, ours=repr(SCHEMA)))
        if "sealed" in table:
            table = {k: v for k, v in table.items() if k not in ("sealed", "note")} | _unseal(table["sealed"])
        return _checked(table)

    @classmethod
    def load(cls, path: str | os.PathLike[str], called: str = "") -> GameRecord:
        """The record in a file; RecordError as for `loads`, or if the file cannot be read. ``called``: how the file is
        named then, where its folder is nobody's business; left out, by its path."""
        path = Path(path)
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError as error:
            told = error.strerror or error
            raise RecordError(SAY("match.cannot_read", name=cut(repr(called or str(path))), strerror=told)) from None
        return cls.loads(data)

    def link_text(self) -> str:
        """The record packed for a link: URL-safe, without padding."""
        lean = replace(self, comments={}, commitment="")  # the seed is enough to work out what it commits to
        return packed(lean.dumps())

    @classmethod
    def from_link_text(cls, text: str) -> GameRecord:
        """The record in a link (see `link_text`); RecordError if there is none."""
        if len(text) > MAX_BYTES:
            raise RecordError(SAY("record.link_large", most=MAX_BYTES))
        try:
            data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raise RecordError(SAY("record.link_damaged")) from None
        return cls.loads(_inflate(data, -15, SAY("record.link")))


_FIELDS = {"schema", "checksum", *(field.name for field in fields(GameRecord))}


def _toml(data: bytes, where: str) -> dict[str, Any]:
    if len(data) > MAX_BYTES:
        raise RecordError(SAY("record.bytes", where=where, bytes=len(data), most=MAX_BYTES))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RecordError(SAY("record.utf8", where=where, byte=error.start)) from None
    if _DEEP_KEY.search(text):
        raise RecordError(SAY("record.deep_key", where=where))
    if text.count(",") > _MOST_COMMAS or any(islice(_TABLE.finditer(text), _MOST_TABLES, None)):
        raise RecordError(SAY("record.most", where=where, tables=_MOST_TABLES, entries=_MOST_COMMAS))
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise RecordError(SAY("record.nested", where=where)) from None
    except ValueError as error:  # TOMLDecodeError, and numbers too long for Python
        raise RecordError(SAY("record.no_toml", where=where, error=wrong_toml(error))) from None


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        near = text[max(error.start - 20, 0) : error.start].encode("ascii", "replace").decode()
        raise RecordError(SAY("record.surrogate", near=brief(near))) from None


def _inflate(packed: bytes, wbits: int, where: str) -> bytes:
    opener = zlib.decompressobj(wbits)
    try:
        data = opener.decompress(packed, MAX_BYTES + 1)
    except zlib.error:
        raise RecordError(SAY("record.damaged", where=where)) from None
    if len(data) <= MAX_BYTES and not opener.eof:
        raise RecordError(SAY("record.cut", where=where))
    return data


def _unseal(sealed: Any) -> dict[str, Any]:
    try:
        packed = base64.b64decode(_is("sealed", sealed, str), validate=True)
    except (binascii.Error, ValueError) as error:
        if isinstance(error, RecordError):
            raise
        raise RecordError(SAY("record.unsealed")) from None
    body = _toml(_inflate(packed, 15, SAY("record.sealed_part")), SAY("record.sealed_part"))
    return {key: value for key, value in body.items() if key in _SEALED}


def _is(where: str, value: Any, kind: type | tuple[type, ...]) -> Any:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        expected = SAY("record.or").join(str(_KINDS[kind]) for kind in kinds)
        raise RecordError(SAY("record.wrong_kind", where=where, right=expected, value=brief(value)))
    return value


def _score(value: Any) -> float:
    try:
        return float(_is("score", value, (int, float)))
    except OverflowError:
        raise RecordError(SAY("record.score")) from None


def _checked(table: dict[str, Any]) -> GameRecord:
    for key in table:
        if key not in _FIELDS:
            fields = ", ".join(sorted(_FIELDS))
            raise RecordError(SAY("record.field", name=brief(key), fields=fields))
    for key in ("game", "rules", "seed", "actions"):
        if key not in table:
            raise RecordError(SAY("record.unknown_field", key_=repr(key)))
    seed = table["seed"]
    if isinstance(seed, str):
        seed = int(seed) if seed.isascii() and seed.isdigit() and len(seed) < 40 else -1
    if not 0 <= _is("seed", seed, int) <= MAX_SEED:
        raise RecordError(SAY("record.seed", max_seed=MAX_SEED, table=brief(table['seed'])))
    result = _is("result", table.get("result", {}), dict)
    comments = {}
    for ply, text in _is("comments", table.get("comments", {}), dict).items():
        if not (ply.isascii() and ply.isdigit() and len(ply) < 10):
            raise RecordError(SAY("record.comments", ply=brief(ply)))
        comments[int(ply)] = _is(SAY("record.comment_ply", ply=ply), text, str)
    options = _is("options", table.get("options", {}), dict)
    actions = _is("actions", table["actions"], list)
    record = GameRecord(
        game=_is("game", table["game"], str),
        rules=_is("rules", table["rules"], str),
        options={k: _is(SAY("record.option", name=brief(k)), v, (bool, int, str)) for k, v in options.items()},
        seed=seed,
        players=tuple(_is("player", p, str) for p in _is("players", table.get("players", []), list)),
        actions=tuple(_is(SAY("record.ply", ply=i), a, str) for i, a in enumerate(actions, 1)),
        result=_is("result", result.get("result", ""), str),
        scores=tuple(map(_score, _is("scores", result.get("scores", []), list))),
        comments=comments,
        analysis=_is("analysis", table.get("analysis", False), bool),
        commitment=_is("commitment", table.get("commitment", ""), str),
    )
    if _is("checksum", table.get("checksum", record.checksum), str) != record.checksum:
        raise RecordError(SAY("record.checksum"))
    # made or changed by hand: nobody vouches that nothing was taken back
    return record if "checksum" in table else replace(record, analysis=True)
