"""`GameRecord`: reading is strict, bounded, and says where something is wrong."""

from __future__ import annotations
import base64
import random
import re
import tracemalloc
import zlib
from dataclasses import fields, replace

import pytest

import navalkit as nk
from navalkit.core.errors import RecordError
from navalkit.core.record import MAX_BYTES, SCHEMA, GameRecord
from navalkit.core.words import Phrase
from navalkit.testing import refused
from ...sentences import CORE

LOX_SWITCHES = ("jokers", "face_estimates", "plan_patrol", "king_ships", "queen_ships", "nob")


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
        (("navalkit-record-1", "navalkit-record-9"), CORE.phrase("record.schema", schema="'navalkit-record-9'")),
        (('game = "uss-lox"\n', ""), CORE.phrase("record.unknown_field", key_="'game'")),
        (('"uss-lox"', "7"), CORE.phrase("record.wrong_kind", where="game", value="7")),
        (("seed = 1", "seed = true"), CORE.phrase("record.wrong_kind", where="seed", value="True")),
        (("seed = 1", "seed = -1"), CORE.phrase("record.seed")),
        (("seed = 1", "seed = 1.0"), CORE.phrase("record.wrong_kind", where="seed", value="1.0")),
        (("seed = 1", "seed = 0x" + "f" * 6000), CORE.phrase("record.seed", table="0xffffffffffffffff…")),
        (("seed = 1", "seed = " + "1" * 6000), CORE.phrase("record.no_toml")),
        (("seed = 1", "seed = 1979-05-27"), CORE.phrase("record.wrong_kind", where="seed")),
        (("actions = []", "actions = {}"), CORE.phrase("record.wrong_kind", where="actions", value="{…}")),
        (("actions = []", "actions = [1]"), CORE.phrase("record.wrong_kind", where="ply 1", value="1")),
        (("actions = []", "actions = ["), CORE.phrase("record.no_toml")),
        (
            ("actions = []", "actions = []\nextra = 1"),
            CORE.phrase("record.field", name="'extra'"),
        ),
        (("actions = []", "actions = []\nanalysis = 1"), CORE.phrase("record.wrong_kind", where="analysis")),
        (("actions = []", "actions = []\nplayers = 'x'"), CORE.phrase("record.wrong_kind", where="players")),
        (("actions = []", "actions = []\n[comments]\nx = 'y'"), CORE.phrase("record.comments")),
        (("actions = []", "actions = []\n[comments]\n1 = 2"), CORE.phrase("record.comment_ply", ply="1")),
        (
            ("actions = []", "actions = []\n[options]\njokers = 1.5"),
            CORE.phrase("record.wrong_kind", where="option 'jokers'"),
        ),
        (
            ("actions = []", "actions = []\n[result]\nresult = 'win'\nscores = [0x" + "f" * 600 + "]"),
            CORE.phrase("record.score"),
        ),
        (("actions = []", "actions = []\n[result]\nscores = ['a']"), CORE.phrase("record.wrong_kind", where="score")),
        (("actions = []", "actions = []\nsealed = 1"), CORE.phrase("record.wrong_kind", where="sealed", value="1")),
        (("actions = []", "actions = []\nsealed = '???'"), CORE.phrase("record.unsealed")),
        (("actions = []", "actions = []\nsealed = 'AAAA'"), CORE.phrase("record.damaged")),
        (("seed = 1", "seed = 1\nseed = 1"), CORE.phrase("record.no_toml")),
    ],
)
def test_what_is_wrong_is_named(edit: tuple[str, str], sentence: Phrase) -> None:
    with refused(RecordError, sentence) as caught:
        nk.Match.loads(SMALL.replace(*edit))
    assert len(str(caught.value)) < 400 and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("a = " + "[" * 100_000, CORE.phrase("record.nested")),
        ("a = " + "{a=" * 100_000, CORE.phrase("record.nested")),
        (SMALL.replace("seed = 1", "seed = " + "[" * 300 + "]" * 300), CORE.phrase("record.wrong_kind", where="seed")),
        ("a." * 400_000 + "a = 1", CORE.phrase("record.deep_key")),
        ('"a". ' * 150_000 + "a = 1", CORE.phrase("record.deep_key")),
        ("[" + "a." * 400_000 + "a]", CORE.phrase("record.deep_key")),
        ("x" * (MAX_BYTES + 1), CORE.phrase("record.bytes", bytes=1048577, most=1048576)),
        (b"\xff\xfe", CORE.phrase("record.utf8", byte=0)),
        ("\ud800", CORE.phrase("record.utf8")),
        ("", CORE.phrase("record.schema", schema="None")),
        ("a" * 1_000_000, CORE.phrase("record.no_toml")),
        ('"' * 1_000_000, CORE.phrase("record.no_toml")),
        (" . " * 300_000, CORE.phrase("record.no_toml")),
    ],
    ids=range(13),
)
def test_hostile_texts_end_in_one_sentence(text: str | bytes, sentence: Phrase) -> None:
    with refused(RecordError, sentence) as caught:
        nk.Match.loads(text)
    assert len(str(caught.value)) < 400


def pack(data: bytes) -> str:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packer.compress(data) + packer.flush()).decode().rstrip("=")


@pytest.mark.parametrize(
    "text, sentence",
    [
        (pack(b"\n" * 2**26), CORE.phrase("record.bytes", most=1048576)),
        ("A" * (MAX_BYTES + 1), CORE.phrase("record.link_large", most=1048576)),
        ("a b", CORE.phrase("record.link_damaged")),
        ("€", CORE.phrase("record.link_damaged")),
        ("", CORE.phrase("record.cut")),
        (MATCHES[0].record().link_text()[:-20], CORE.phrase("record.cut")),
        (pack(b"x = 1")[2:], CORE.phrase("record.link")),
    ],
    ids=range(7),
)
def test_hostile_links_end_in_one_sentence(text: str, sentence: Phrase) -> None:
    with refused(RecordError, sentence):
        GameRecord.from_link_text(text)


def test_a_sealed_part_brings_only_what_is_sealed() -> None:
    """Those who cannot see it must find the rest of the record as it stands outside."""
    record = MATCHES[0].record()
    text = record.dumps(seal=True)
    packed = re.search(r'sealed = "(.+)"', text)
    assert packed is not None
    inside = zlib.decompress(base64.b64decode(packed[1])) + b'players = ["Eve"]\n'
    more = base64.b64encode(zlib.compress(inside)).decode()
    assert GameRecord.loads(text.replace(packed[1], more)) == record


def test_a_sealed_bomb_is_not_unpacked() -> None:
    bomb = base64.b64encode(zlib.compress(b"\n" * 2**26, 9)).decode()
    with refused(RecordError, CORE, "record.bytes", most=1048576):
        nk.Match.loads(SMALL + f'sealed = "{bomb}"\n')


# Damaged records: random edits of valid ones. Each ends in a RecordError, or in a legal game.

HUNDREDS = pytest.mark.parametrize("edits", [500, pytest.param(5_000, marks=pytest.mark.slow)])
"""Four tests: 2,000 damaged records in `make test`, 20,000 in `make test-all`."""


def texts(seal: bool = False) -> list[str]:
    """The records with their checksum, and without it, so that damage gets past it."""
    whole = [match.record().dumps(seal=seal) for match in MATCHES]
    return whole + [bare(text) for text in whole]


def bare(text: str) -> str:
    return re.sub(r"(?m)^checksum = .*\n", "", text)


def survives(text: str | bytes) -> bool:
    """Whether the text is a record; any exception but RecordError goes through, and fails the test."""
    try:
        match = nk.Match.loads(text)
    except RecordError as error:
        assert str(error).strip() and len(str(error)) < 600
        return False
    assert nk.Match.loads(match.dumps()).plies == match.plies
    assert match.true_to_seed == nk.Match.loads(match.dumps()).true_to_seed
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


@HUNDREDS
def test_edited_bytes_never_crash(edits: int) -> None:
    rng = random.Random(20)
    whole = [text.encode() for seal in (False, True) for text in texts(seal)]
    outcomes = [survives(edit_bytes(rng.choice(whole), rng)) for _ in range(edits)]
    assert outcomes.count(False) > edits // 2  # the edits do bite


@HUNDREDS
def test_edited_tokens_never_crash(edits: int) -> None:
    rng = random.Random(21)
    outcomes = [survives(edit_tokens(rng.choice(texts()), rng)) for _ in range(edits)]
    assert outcomes.count(False) > edits // 2


@HUNDREDS
def test_edited_fields_never_crash(edits: int) -> None:
    rng = random.Random(22)
    records = [match.record() for match in MATCHES]
    outcomes = [survives(edit_fields(rng.choice(records), rng, records).dumps()) for _ in range(edits)]
    assert {True, False} <= set(outcomes)


@HUNDREDS
def test_edited_links_never_crash(edits: int) -> None:
    rng = random.Random(23)
    links = [match.record().link_text().encode() for match in MATCHES]
    for _ in range(edits):
        try:
            GameRecord.from_link_text(edit_bytes(rng.choice(links), rng).decode("latin-1"))
        except RecordError as error:
            assert len(str(error)) < 600


# The checksum, the seed's bits, half characters, and what a file may cost


@pytest.mark.parametrize("seal", [False, True])
def test_a_record_that_was_changed_is_refused(seal: bool) -> None:
    text = MATCHES[1].record().dumps(seal=seal)
    with refused(RecordError, CORE, "record.checksum"):
        nk.Match.loads(text.replace("analysis = false", "analysis = true"))
    assert nk.Match.loads(bare(text)).plies == MATCHES[1].plies


def test_a_record_that_nobody_vouches_for_is_an_analysis() -> None:
    """Who takes the lines "analysis" and "checksum" out of a record has no clean game for it."""
    record = replace(MATCHES[1].record(), analysis=False)
    text = replace(record, analysis=True).dumps()
    unvouched = re.sub(r"(?m)^(analysis|checksum) = .*\n", "", text)
    assert GameRecord.loads(unvouched).analysis and not GameRecord.loads(record.dumps()).analysis


def test_how_a_record_is_laid_out_does_not_change_its_checksum() -> None:
    text = MATCHES[1].record().dumps()
    assert nk.Match.loads("# a note\n\n" + text.replace(" = ", "=").replace("\n", "\r\n")).plies == MATCHES[1].plies


def test_every_field_counts_for_the_checksum() -> None:
    record = GameRecord("uss-lox", "1")
    changes: list[dict[str, object]] = [
        {"game": "x"}, {"rules": "2"}, {"options": {"nob": True}}, {"seed": 1}, {"players": ("Ann",)},
        {"actions": ("a",)}, {"result": "win"}, {"scores": (1.0,)}, {"comments": {0: "a"}},
        {"analysis": True}, {"commitment": "a"},
    ]  # fmt: skip
    assert len({change for row in changes for change in row}) == len(fields(GameRecord))
    assert len({record.checksum, *(replace(record, **change).checksum for change in changes)}) == len(changes) + 1


@pytest.mark.parametrize("seed", [0, 2**63 - 1, 2**63, 2**128 - 1])
@pytest.mark.parametrize("seal", [False, True])
def test_seeds_of_128_bits_are_written_as_toml_can_hold_them(seed: int, seal: bool) -> None:
    text = replace(MATCHES[0].record(), seed=seed, actions=()).dumps(seal=seal)
    assert GameRecord.loads(text).seed == seed
    assert seal or (f"seed = {seed}\n" if seed < 2**63 else f'seed = "{seed}"\n') in text


def test_comments_are_written_in_the_order_of_the_game() -> None:
    text = replace(MATCHES[0].record(), comments={9: "late", 2: "early"}).dumps()
    assert text.index("early") < text.index("late")


@pytest.mark.parametrize("seed", [f'"{2**128}"', '"-1"', '"²"', '""', '"' + "9" * 5000 + '"'])
def test_a_seed_in_words_is_checked(seed: str) -> None:
    with refused(RecordError, CORE, "record.seed") as caught:
        GameRecord.loads(SMALL.replace("seed = 1", f"seed = {seed}"))
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("change", [{"comments": {1: "a \ud800 b"}}, {"players": ("\udfff",)}])
@pytest.mark.parametrize("seal", [False, True])
def test_half_a_character_is_no_record(change: dict[str, object], seal: bool) -> None:
    record = replace(MATCHES[0].record(), **change)
    with refused(RecordError, CORE, "record.surrogate"):
        record.dumps(seal=seal)


def test_a_file_of_many_tables_or_entries_is_refused_before_it_is_read() -> None:
    many = "".join(f"[h{i}.a]\n" for i in range(40_000))
    listed = "a = [" + "1," * 400_000 + "]"
    dotted = "".join(f"k{i}.a.b = 1\n" for i in range(40_000))
    just_too_many = "".join(f"[h{i}]\n" for i in range(1_001))
    for text in (many, listed, dotted, just_too_many):
        tracemalloc.start()
        with refused(RecordError, CORE, "record.most", tables=1000, entries=100000):
            GameRecord.loads(text)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 20 << 20


# Random games: what was undone is redone, what was saved is loaded, what was played again is the same.


@pytest.mark.parametrize("games", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_undo_redo_and_replay_lead_to_the_same_game(games: int) -> None:
    rng = random.Random(24)
    names = ["uss-lox"] * 8 + ["wolf-pack"]
    for _ in range(games):
        name = rng.choice(names)
        options = {key: rng.random() < 0.4 for key in LOX_SWITCHES} if name == "uss-lox" else {}
        match = nk.Match.new(nk.load(name, **options), rng.getrandbits(128), analysis=True)
        seen: dict[int, object] = {}
        for _ in range(rng.randint(1, 60)):
            roll = rng.random()
            if roll < 0.2 and match.can_undo():
                match.undo()
                seen = {ply: state for ply, state in seen.items() if ply <= match.ply}
            elif roll < 0.3 and match.can_redo():
                match.redo()
            elif not match.over:
                match.play(rng.choice(match.legal()))
            seen.setdefault(match.ply, match.state)
            assert seen[match.ply] == match.state
        twin, again = nk.Match.loads(match.dumps()), nk.Match.new(match.game, match.seed, analysis=True)
        for ply in match.plies:
            if ply.by >= 0:
                again.play(ply.action)
        assert twin.plies == again.plies == match.plies and twin.true_to_seed
        assert twin.record() == again.record() == match.record()
