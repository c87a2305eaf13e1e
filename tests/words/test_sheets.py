"""The wording of each sentence file, kept on a proof sheet: a word that changes shows there, and in no other test.

A sheet has every key with its sentence as somebody reads it, its facts by name and its figures with a sample. `make
words` writes the sheets anew; they are read in review, and never edited.
"""

from __future__ import annotations
import os
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import pytest

import navalkit
from navalkit.core.words import ENGLISH, FORMAT, Voice, Words, parts, speaking
from .. import sentences

FOLDER = Path(__file__).parent
NAMED = {name.lower(): words for name, words in vars(sentences).items() if isinstance(words, Words)}
SHEETS = [f"{name}.{lang}".removesuffix(f".{ENGLISH}") for name, words in NAMED.items() for lang in words.tables]


def sheet(name: str) -> str:
    """The sheet of a sentence file, by its name in `tests.sentences`; of another language "NAME.LANG"."""
    name, _, lang = name.partition(".")
    with speaking(Voice(lang or ENGLISH)):
        table = NAMED[name].tables[lang or ENGLISH]
        return "".join(f"{key}\n{_indented(sample(sentence))}" for key, sentence in table.items())


def sample(sentence: str) -> str:
    """A sentence with the names of its facts, and a sample of its figures.

    >>> sample("The {ship} is {n:hex|hexes} away; {p:percent} to hit.")
    'The [ship] is 3 hexes away; 75 % to hit.'
    """
    return "".join(text + (_fact(name, spec) if name is not None else "") for text, name, spec, _ in parts(sentence))


def _fact(name: str, spec: str) -> str:
    if "|" in spec:
        return FORMAT.format_field(3, spec)
    return FORMAT.format_field(Fraction(3, 4), spec) if spec in ("percent", "odds") else f"[{name}]"


def _indented(text: str) -> str:
    return "".join(f"    {line}".rstrip() + "\n" for line in text.split("\n"))


@pytest.mark.parametrize("name", SHEETS)
def test_the_sentences_read_as_on_their_proof_sheet(name: str) -> None:
    file = FOLDER / f"{name}.txt"
    if os.environ.get("NAVALKIT_RENEW"):
        file.write_text(sheet(name), encoding="utf-8")
    assert sheet(name) == file.read_text(encoding="utf-8"), "renew it with: make words"


def test_every_sheet_belongs_to_a_sentence_file() -> None:
    if os.environ.get("NAVALKIT_RENEW"):
        for file in FOLDER.glob("*.txt"):
            if file.stem not in SHEETS:
                file.unlink()
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(SHEETS)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_sentence_file_has_a_name() -> None:
    modules = [each.name for each in walk_packages(navalkit.__path__, "navalkit.") if "__main__" not in each.name]
    held = [value for name in modules for value in vars(import_module(name)).values() if isinstance(value, Words)]
    assert {words.origin for words in held} == {words.origin for words in NAMED.values()}
