"""Sentences: keys and facts become text in the reader's language and person."""

from __future__ import annotations
import pickle
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from navalkit.core.errors import DataError
from navalkit.core.words import Voice, Words, speaking

WORDS = Words(
    {
        "en": {
            "laid": "The {side} laid {card}.",
            "laid.you": "You laid {card}.",
            "gone": {"far": "{hexes:hex|hexes} away"},
            "odds": "{p:percent}, that is {p:odds}",
            "tons": "{tons:,} t",
            "side": {"red": "Reds"},
        },
        "de": {"laid": "{side} haben {card} gelegt.", "tons": "{tons:,} t", "side": {"red": "Die Roten"}},
    }
)


@pytest.mark.parametrize(("n", "said"), [(0, "0 hexes away"), (1, "1 hex away"), (2_000, "2,000 hexes away")])
def test_a_number_brings_its_noun(n: int, said: str) -> None:
    assert WORDS("gone.far", hexes=n) == said


def test_probabilities_are_said_as_everywhere() -> None:
    assert WORDS("odds", p=Fraction(1, 2)).startswith("50 %, that is 50 % · 1/2")


def test_the_one_who_did_it_reads_you() -> None:
    event = WORDS.event("W3", "laid", by=1, side="Reds", card="SONAR")
    assert event.text == "The Reds laid SONAR."
    with speaking(Voice(reader=1)):
        assert event.text == "You laid SONAR."
    with speaking(Voice(reader=0)):
        assert str(event) == "The Reds laid SONAR. [W3]"


def test_another_language_falls_back_key_by_key() -> None:
    event = WORDS.event("W3", "laid", side=WORDS.phrase("side.red"), card="SONAR")
    assert event.text == "The Reds laid SONAR."
    with speaking(Voice("de")):
        assert event.text == "Die Roten haben SONAR gelegt."
        assert WORDS("gone.far", hexes=1) == "1 hex away"
        assert WORDS("tons", tons=12_000) == "12.000 t"
    with speaking(Voice("xx")):
        assert WORDS("tons", tons=12_000) == "12,000 t"


def test_a_phrase_is_no_sentence_before_it_is_read() -> None:
    phrase = WORDS.phrase("tons", tons=1000)
    assert (phrase.key, phrase.facts) == ("tons", {"tons": 1000})
    assert f"{phrase:>10}" == "   1,000 t"


def test_what_is_missing_is_named() -> None:
    with pytest.raises(KeyError, match="nowhere"):
        WORDS("nowhere")
    with pytest.raises(KeyError, match="nowhere"):
        WORDS.phrase("nowhere")
    assert WORDS.get("nowhere") == ""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "seaside" / "data").mkdir(parents=True)
    (tmp_path / "seaside" / "__init__.py").write_text("")
    (tmp_path / "seaside" / "words.toml").write_text('hello = "Hello"\n[deep]\nsea = "sea"\n')
    (tmp_path / "seaside" / "words.de.toml").write_text('hello = "Moin"\n')
    (tmp_path / "seaside" / "data" / "more.toml").write_text('bye = "Bye"\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "seaside", raising=False)
    return "seaside"


def test_sentences_are_loaded_with_their_languages(package: str) -> None:
    words = Words.load(package, "words.toml", "data/more.toml")
    assert words.languages == ("en", "de")
    assert (words("hello"), words("deep.sea"), words("bye")) == ("Hello", "sea", "Bye")
    with speaking(Voice("de")):
        assert (words("hello"), words("deep.sea")) == ("Moin", "sea")
    assert pickle.loads(pickle.dumps(words))("bye") == "Bye"


def test_a_language_has_no_keys_of_its_own(package: str, tmp_path: Path) -> None:
    (tmp_path / "seaside" / "other.toml").write_text('bye = "Bye"\n')
    (tmp_path / "seaside" / "other.de.toml").write_text('byee = "Tschüs"\n')
    with pytest.raises(DataError, match="'byee' has a sentence in 'de' and none in English"):
        Words.load(package, "other.toml")


def test_one_key_has_one_sentence(package: str, tmp_path: Path) -> None:
    (tmp_path / "seaside" / "again.toml").write_text('hello = "Ahoy"\n')
    with pytest.raises(DataError, match="a second sentence for 'hello'"):
        Words.load(package, "words.toml", "again.toml")
