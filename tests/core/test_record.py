"""`GameRecord`: reading is strict, bounded, and says where something is wrong."""

from __future__ import annotations

import base64
import random
import re
import zlib
from dataclasses import replace

import pytest

import navalkit as nk
from navalkit.core.errors import RecordError
from navalkit.core.record import MAX_BYTES, SCHEMA, GameRecord

EDITS = 1500


def make(options: dict[str, object], seed: int, comments: bool = False) -> nk.Match:
    match = nk.Match.new(nk.load("uss-lox", **options), seed=seed)
    rng = random.Random(seed)
    while not match.over and match.ply < 40:
        match.play(rng.choice(match.legal()))
    if comments:
        match.comments = {1: 'A "quoted" comment.\nTwo lines.', match.ply: "ß €"}
    return match


MATCHES = [
    make({}, 1),
    make({"jokers": True, "plan_patrol": True, "patrols": 2}, 2, comments=True),
    make({"face_estimates": True, "queen_ships": True, "king_ships": True, "nob": True}, 3),
]
SMALL = f'schema = "{SCHEMA}"\ngame = "uss-lox"\nrules = "1"\nseed = 1\nactions = []\n'


@pytest.mark.parametrize("match", MATCHES)
@pytest.mark.parametrize("seal", [False, True])
def test_a_record_reads_back_as_it_was_written(match: nk.Match, seal: bool) -> None:
    record = match.record()
    assert GameRecord.loads(record.dumps(seal=seal)) == record
    assert GameRecord.loads(record.dumps(seal=seal).encode()) == record
    assert GameRecord.from_link_text(record.link_text()) == replace(record, comments={})


def test_a_link_text_needs_no_quoting() -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]+", MATCHES[0].record().link_text())


def test_the_smallest_record_is_a_game_not_begun() -> None:
    assert nk.Match.loads(SMALL).ply == 0


@pytest.mark.parametrize(
    "edit, sentence",
    [
        (("navalkit-record-1", "navalkit-record-9"), "schema is 'navalkit-record-9'; this version reads"),
        (('game = "uss-lox"\n', ""), "has no field 'game'"),
        (('"uss-lox"', "7"), "game is a text, not 7"),
        (("seed = 1", "seed = true"), "seed is a whole number, not True"),
        (("seed = 1", "seed = -1"), "whole number from 0 to"),
        (("seed = 1", "seed = 1.0"), "seed is a whole number, not 1.0"),
        (("seed = 1", "seed = 0x" + "f" * 6000), "not a huge number"),
        (("seed = 1", "seed = " + "1" * 6000), "no TOML"),
        (("seed = 1", "seed = 1979-05-27"), "seed is a whole number"),
        (("actions = []", "actions = {}"), "actions is a list, not a table"),
        (("actions = []", "actions = [1]"), "ply 1 is a text, not 1"),
        (("actions = []", "actions = ["), "no TOML"),
        (
            ("actions = []", "actions = []\nextra = 1"),
            "unknown field 'extra'; it may have: actions, analysis",
        ),
        (("actions = []", "actions = []\nanalysis = 1"), "analysis is true or false"),
        (("actions = []", "actions = []\nplayers = 'x'"), "players is a list"),
        (("actions = []", "actions = []\n[comments]\nx = 'y'"), "comments are by ply"),
        (("actions = []", "actions = []\n[comments]\n1 = 2"), "comment on ply 1 is a text"),
        (
            ("actions = []", "actions = []\n[options]\njokers = 1.5"),
            "option 'jokers' is true or false or a whole",
        ),
        (
            ("actions = []", "actions = []\n[result]\nresult = 'win'\nscores = [0x" + "f" * 600 + "]"),
            "score is too large",
        ),
        (("actions = []", "actions = []\n[result]\nscores = ['a']"), "score is a whole number or a number"),
        (("actions = []", "actions = []\nsealed = 1"), "sealed is a text, not 1"),
        (("actions = []", "actions = []\nsealed = '???'"), "sealed part is damaged"),
        (("actions = []", "actions = []\nsealed = 'AAAA'"), "sealed part is damaged and cannot be unpacked"),
        (("seed = 1", "seed = 1\nseed = 1"), "no TOML"),
    ],
)
def test_what_is_wrong_is_named(edit: tuple[str, str], sentence: str) -> None:
    with pytest.raises(RecordError, match=re.escape(sentence)) as caught:
        nk.Match.loads(SMALL.replace(*edit))
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("a = " + "[" * 100_000, "nested too deep"),
        ("a = " + "{a=" * 100_000, "nested too deep"),
        (SMALL.replace("seed = 1", "seed = " + "[" * 300 + "]" * 300), "seed is a whole number, not a list"),
        ("a." * 400_000 + "a = 1", "a key of more than 32 parts"),
        ('"a". ' * 150_000 + "a = 1", "a key of more than 32 parts"),
        ("[" + "a." * 400_000 + "a]", "a key of more than 32 parts"),
        ("x" * (MAX_BYTES + 1), "1,048,577 bytes; at most 1,048,576"),
        (b"\xff\xfe", "no UTF-8 text (byte 0)"),
        ("\ud800", "no UTF-8 text"),
        ("", "schema is None"),
        ("a" * 1_000_000, "no TOML"),
        ('"' * 1_000_000, "no TOML"),
        (" . " * 300_000, "no TOML"),
    ],
    ids=range(13),
)
def test_hostile_texts_end_in_one_sentence(text: str | bytes, sentence: str) -> None:
    with pytest.raises(RecordError, match=re.escape(sentence)) as caught:
        nk.Match.loads(text)
    assert len(str(caught.value)) < 400


def pack(data: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packer.compress(data) + packer.flush()).decode().rstrip("=")


@pytest.mark.parametrize(
    "text, sentence",
    [
        (pack(b"\n" * 2**26), "at most 1,048,576 are read"),
        ("A" * (MAX_BYTES + 1), "larger than 1,048,576 bytes"),
        ("a b", "holds characters no link of ours has"),
        ("€", "holds characters no link of ours has"),
        ("", "cut short"),
        (MATCHES[0].record().link_text()[:-20], "cut short"),
        (pack(b"x = 1")[2:], "the link's record"),
    ],
    ids=range(7),
)
def test_hostile_links_end_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(RecordError, match=re.escape(sentence)):
        GameRecord.from_link_text(text)


def test_a_sealed_bomb_is_not_unpacked() -> None:
    bomb = base64.b64encode(zlib.compress(b"\n" * 2**26, 9)).decode()
    with pytest.raises(RecordError, match="at most 1,048,576 are read"):
        nk.Match.loads(SMALL + f'sealed = "{bomb}"\n')


# Fuzzing: random edits of valid records. Each ends in a RecordError, or in a legal game.


def survives(text: str | bytes) -> bool:
    """Whether the text is a record; any exception but RecordError goes through, and fails the test."""
    try:
        match = nk.Match.loads(text)
    except RecordError as error:
        assert str(error).strip() and len(str(error)) < 2000
        return False
    assert nk.Match.loads(match.dumps()).plies == match.plies
    return True


def edit_bytes(data: bytes, rng: random.Random) -> bytes:
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data))
        match rng.randrange(4):
            case 0:
                data[at] = rng.randrange(256)
            case 1:
                data[at] ^= 1 << rng.randrange(8)
            case 2:
                del data[at : at + rng.randint(1, 30)]
            case 3:
                data[at:at] = data[rng.randrange(len(data)) :][: rng.randint(1, 30)]
    return bytes(data)


TOKENS = [
    "0",
    "-1",
    "1",
    "9" * 19,
    "nan",
    "-inf",
    "1e999",
    "true",
    "false",
    "[]",
    "{}",
    "[[]]",
    "''",
    '""',
    '"""',
]
TOKENS += ["=", ".", ",", "#", "\n", "\0", "\u2028", "ß", "€", " "]


def edit_tokens(text: str, rng: random.Random) -> str:
    tokens = re.split(r"(\W)", text)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(tokens))
        tokens[at] = rng.choice([rng.choice(TOKENS), rng.choice(tokens), "", tokens[at] * 2])
    return "".join(tokens)


def edit_fields(record: GameRecord, rng: random.Random, others: list[GameRecord]) -> GameRecord:
    actions = list(record.actions)
    at = rng.randrange(len(actions))
    match rng.randrange(7):
        case 0:
            actions[at] = rng.choice(rng.choice(others).actions)
        case 1:
            del actions[at:]
        case 2:
            actions.insert(at, rng.choice(actions))
        case 3:
            return replace(record, seed=rng.getrandbits(63))
        case 4:
            name = rng.choice(["jokers", "patrols", "nob", "sea", "plan_patrol"])
            return replace(
                record, options={**record.options, name: rng.choice([True, False, 1, 2, "x", "yes"])}
            )
        case 5:
            return replace(record, result=rng.choice(["win", "loss", ""]), scores=(float(rng.randrange(90)),))
        case 6:
            i, j = sorted(rng.sample(range(len(actions) + 1), 2))
            actions[i:j] = reversed(actions[i:j])
    return replace(record, actions=tuple(actions), result="", scores=())


def test_edited_bytes_never_crash() -> None:
    rng = random.Random(20)
    texts = [match.record().dumps(seal=seal).encode() for match in MATCHES for seal in (False, True)]
    outcomes = [survives(edit_bytes(rng.choice(texts), rng)) for _ in range(EDITS)]
    assert outcomes.count(False) > EDITS // 2  # the edits do bite


def test_edited_tokens_never_crash() -> None:
    rng = random.Random(21)
    texts = [match.record().dumps() for match in MATCHES]
    outcomes = [survives(edit_tokens(rng.choice(texts), rng)) for _ in range(EDITS)]
    assert outcomes.count(False) > EDITS // 2


def test_edited_fields_never_crash() -> None:
    rng = random.Random(22)
    records = [match.record() for match in MATCHES]
    outcomes = [survives(edit_fields(rng.choice(records), rng, records).dumps()) for _ in range(EDITS)]
    assert {True, False} <= set(outcomes)


def test_edited_links_never_crash() -> None:
    rng = random.Random(23)
    links = [match.record().link_text().encode() for match in MATCHES]
    for _ in range(EDITS):
        try:
            GameRecord.from_link_text(edit_bytes(rng.choice(links), rng).decode("latin-1"))
        except RecordError:
            pass
