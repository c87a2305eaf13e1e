"""What was said is found by key and facts: in sentences, in what is made of them, and in the text of a page."""

from __future__ import annotations
import copy
import json
import pickle
from fractions import Fraction
from typing import Any

import pytest

from navalkit.core.errors import NavalkitError, OptionError, RecordError
from navalkit.core.trace import Decision, Fact, Finding, Option
from navalkit.core.words import Said, Voice, Words, speaking
from navalkit.testing import finding, heard, refused, said

WORDS = Words(
    {
        "en": {
            "sunk": "The {ship} sank <b>{n:hex|hexes}</b> away, at {where}.",
            "laid": "The {side} laid {card}.",
            "laid.you": "You laid {card}.",
            "odds": "She hits with {p:percent}.",
            "bad": "Ply {number} is wrong: {error}",
            "name": "{name}",
            "calm": "All is calm & quiet.",
        },
        "de": {"laid": "{side} haben {card} gelegt.", "calm": "Alles ruht."},
    }
)
OTHERS = Words({"en": {"calm": "All is calm & quiet.", "sunk": "Gone."}})


@pytest.mark.parametrize("key, facts", [("laid", {"side": "Reds", "card": "SONAR"}), ("calm", {})])
def test_a_sentence_remembers_what_it_was_said_with(key: str, facts: dict[str, str]) -> None:
    text = WORDS(key, **facts)
    assert (text.words, text.key, text.facts) == (WORDS, key, facts)
    assert str(text) is text and isinstance(str(RecordError(text)), Said)


@pytest.mark.parametrize("kept", [pickle.dumps, copy.deepcopy, json.dumps, "".join, lambda text: text + ""])
def test_it_is_kept_as_a_plain_text(kept: Any) -> None:
    text = WORDS("calm")
    again = kept(text)
    again = pickle.loads(again) if isinstance(again, bytes) else again
    assert type(again) is str and again.strip('"') == text


def test_an_error_knows_what_it_says() -> None:
    error = NavalkitError(WORDS("laid", side="Reds", card="SONAR"))
    assert (error.key, error.facts) == ("laid", {"side": "Reds", "card": "SONAR"})
    for plain in (NavalkitError("No."), NavalkitError()):
        assert (plain.key, plain.facts) == ("", {})


def test_a_sentence_is_asked_for_by_words_key_and_facts() -> None:
    text = WORDS("sunk", ship="Ajax", n=2, where=7)
    assert said(text, WORDS, "sunk", n=2, where="7") == {"ship": "Ajax", "n": 2, "where": 7}
    asked = (WORDS, "calm", {}), (OTHERS, "sunk", {}), (WORDS, "sunk", {"n": 3}), (WORDS, "sunk", {"m": 2})
    for words, key, facts in asked:
        with pytest.raises(AssertionError, match="Ajax"):
            said(text, words, key, **facts)
    with pytest.raises(KeyError):
        said(text, WORDS, "sank")
    assert said(text, WORDS.phrase("sunk", n=2)) == said(text, WORDS, "sunk", n=2)
    with pytest.raises(AssertionError, match="'sunk' with {'n': 3} is not said"):
        said(text, WORDS.phrase("sunk", n=3))


def test_what_lies_within_is_found() -> None:
    inner = OptionError(WORDS("laid", side="Reds", card="SONAR"))
    for error in (inner, str(inner), f"At once: {inner}", WORDS.phrase("laid", side="Reds", card="SONAR")):
        outer = RecordError(WORDS("bad", number=3, error=error))
        assert said(outer, WORDS, "bad", number=3) and said(outer, WORDS, "laid", card="SONAR")
        assert heard(outer, WORDS).keys() == {"bad", "laid"}
    fact = Option("go", facts=(Fact(WORDS.phrase("odds", p=Fraction(1, 4)), 3),))
    event = WORDS.event("W3", "sunk", ship="Ajax", n=2, where="C4")
    decision = Decision("stay", "E1", WORDS.phrase("calm"), (Finding("E2", "?", "Yes."),), (fact,))
    assert heard([decision, {"log": (event,)}], WORDS).keys() == {"odds", "sunk", "calm"}


PAGE = """<div title="Ajax">Turn 3.
  The <b class=x>Ajax</b> sank 12&nbsp;hexes away,
  at C4. You laid SONAR. she hits with 25 %.</div>"""


def test_a_sentence_is_found_in_the_text_of_a_page() -> None:
    assert said(PAGE, WORDS, "sunk") == {"ship": "Ajax", "n": "12 hexes", "where": "C4"}
    assert said(PAGE, WORDS, "sunk", n=12, where="C4") == {"ship": "Ajax", "n": 12, "where": "C4"}
    assert said(PAGE, WORDS, "laid", card="SONAR")  # in another person
    assert said(PAGE, WORDS, "odds", p=Fraction(1, 4))
    asked = (
        ("sunk", {"n": 2}),
        ("sunk", {"ship": "jax"}),
        ("sunk", {"boat": "S1"}),
        ("laid", {"card": "DIVE"}),
        ("name", {}),
        ("calm", {}),
    )
    for key, facts in asked:
        with pytest.raises(AssertionError, match="said is .*Ajax"):
            said(PAGE, WORDS, key, **facts)
    assert heard(PAGE, WORDS).keys() == {"sunk", "laid", "odds"}
    assert heard(PAGE, WORDS, "sunk", "calm").keys() == {"sunk"}
    assert (
        said(["the Reds laid SONAR", "."], WORDS, "laid")["card"] == "SONAR"
    )  # a full stop may be left out at the end
    with speaking(Voice("de")):
        german = str(WORDS("laid", side="Die Roten", card="SONAR")) + " " + WORDS("calm")
    assert said(german, WORDS, "laid")["card"] == "SONAR" and said(german.upper(), WORDS, "calm") == {}


def test_markup_and_entities_are_no_part_of_a_sentence() -> None:
    for text in ("<p>All is <i>calm</i> &amp; quiet</p>.", "<img class=x alt='All is calm &amp; quiet.'>"):
        assert said(text, WORDS, "calm") == {}


def test_a_long_text_is_searched_in_time() -> None:
    words = Words({"en": {"long": "{a} of {b} of {c} of {d} of {e} never"}})
    assert heard("of " * 100_000, words) == {}


def test_a_refusal_is_asked_for_by_key_and_facts() -> None:
    with refused(OptionError, WORDS, "laid", card="SONAR") as info:
        raise OptionError(WORDS("laid", side="Reds", card="SONAR"))
    assert info.value.facts["side"] == "Reds"
    with pytest.raises(AssertionError, match="OptionError was not raised"), refused(OptionError, WORDS, "calm"):
        pass
    with pytest.raises(AssertionError, match="'calm' is not said"), refused(OptionError, WORDS, "calm"):
        raise OptionError(WORDS("laid", side="Reds", card="SONAR"))
    with pytest.raises(RecordError), refused(OptionError, WORDS, "calm"):
        raise RecordError(WORDS("calm"))


def test_a_finding_is_asked_for_by_its_rule() -> None:
    inner = Finding("E3", "Does she hear?", WORDS.phrase("calm"))
    decision = Decision("stay", "E1", "She stays.", (Finding("E2", "Is she near?", "Yes.", children=(inner,)),))
    assert finding(decision, "E3") is finding(decision, "E3", "calm") is finding([decision], "E3") is inner
    for rule, key in (("E4", ""), ("E3", "laid")):
        with pytest.raises(AssertionError, match="'E3', 'calm'"):
            finding(decision, rule, key)
