"""What was said, by key and facts: tests ask for these, so that nobody's test stops an editor.

A text that came from `navalkit.core.language.words.Words`, an error, an event, a reason or a decision remembers its
sentences. In a page or a printout, which are plain text, a sentence is known by its fixed words, in any language and
person.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Generic, TypeVar

from navalkit.core.language.words import ENGLISH, FORMAT, Phrase, Said, Voice, Words, parts, speaking
from navalkit.core.trace import Finding

__all__ = ["Refusal", "finding", "heard", "refused", "said"]

E = TypeVar("E", bound=BaseException)

_TITLE = re.compile(r"""\b(?:alt|title|aria-label)=("[^"]*"|'[^']*')""")
"""What only a tooltip or a screen reader says."""


def said(what: Any, words: Words | Phrase, key: str = "", /, **facts: Any) -> Mapping[str, Any]:
    """Find a sentence in something that was said.

    Parameters
    ----------
    what : object
        Where to look: a text (of a page, its markup is taken off), an error, an event, a reason, a decision, or a list
        of such. What lies in their facts is looked at too, so that an error inside an error is found.
    words : Words or Phrase
        The sentences; or the one that is asked for, with facts and without a key (for the rows of a table of cases).
    key : str
        The sentence's key.
    **facts
        What the sentence must have been said with; a fact that reads the same is the same.

    Returns
    -------
    Mapping
        All its facts by name. From a plain text they are what stands there, as text.

    Raises
    ------
    AssertionError
        If it is not said, with what is.

    Examples
    --------
    >>> from navalkit.core.language.words import Words
    >>> words = Words({"en": {"sunk": "The {ship} sank {n:hex|hexes} away.", "calm": "All is calm."}})
    >>> said("<p>Turn 3. The <b>Ajax</b> sank 2 hexes away.</p>", words, "sunk", n=2)["ship"]
    'Ajax'
    >>> said(words("sunk", ship="Ajax", n=2), words, "calm")
    Traceback (most recent call last):
    AssertionError: 'calm' is not said; said is {'sunk': {'ship': 'Ajax', 'n': 2}}
    """
    if isinstance(words, Phrase):
        return said(what, words.words, words.key, **words.facts)
    if key not in words:
        raise KeyError(f"no sentence {key!r}")
    found = next(_found(what, words, key, facts), None)
    if found is None:
        asked = f"{key!r} with {facts}" if facts else repr(key)
        raise AssertionError(f"{asked} is not said; said is {heard(what, words) or what!r}")
    return found


def heard(what: Any, words: Words, /, *keys: str) -> dict[str, Mapping[str, Any]]:
    """All that is said somewhere: key -> facts. Of a sentence that is said twice, the first.

    In a plain text, sentences without a word of their own are not heard.

    Parameters
    ----------
    what : object
        Where to look, as in `said`.
    words : Words
        The sentences.
    *keys : str
        Listen for these alone.

    Returns
    -------
    dict
        Each key with its facts, as `said` gives them.

    Examples
    --------
    >>> from navalkit.core.language.words import Words
    >>> words = Words({"en": {"sunk": "The {ship} sank.", "calm": "All is calm."}})
    >>> heard("The Ajax sank. All is calm.", words)
    {'sunk': {'ship': 'Ajax'}, 'calm': {}}
    """
    asked = keys or [key for key in words.tables[ENGLISH] if not key.endswith(".you")]
    found = {key: next(_found(what, words, key, {}), None) for key in asked}
    return {key: facts for key, facts in found.items() if facts is not None}


@dataclass
class Refusal(Generic[E]):
    """What `refused` yields: the error, once it was raised."""

    value: E


@contextmanager
def refused(error: type[E], words: Words | Phrase, key: str = "", /, **facts: Any) -> Iterator[Refusal[E]]:
    """Within it, an error is raised that says this sentence, or one with it inside.

    Parameters
    ----------
    error : type
        The error's class.
    words : Words or Phrase
        The sentences; or the one that is asked for.
    key : str
        The sentence's key.
    **facts
        What the sentence must have been said with.

    Yields
    ------
    Refusal
        Its ``value`` is the error, once it was raised.

    Raises
    ------
    AssertionError
        If no such error is raised, or it says something else.

    Examples
    --------
    >>> from navalkit import Match
    >>> from navalkit.core.errors import OptionError
    >>> from navalkit.core.language.say import SAY
    >>> with refused(OptionError, SAY, "registry.unknown", name="'chess'") as info:
    ...     _ = Match.new("chess")
    >>> info.value.key
    'registry.unknown'
    """
    info: Refusal[E] = Refusal.__new__(Refusal)
    try:
        yield info
    except error as raised:
        info.value = raised
    else:
        raise AssertionError(f"{error.__name__} was not raised")
    said(info.value, words, key, **facts)


def finding(decision: Any, rule: str, /, key: str = "") -> Finding:
    """The finding of a rule, wherever it is in a decision.

    Parameters
    ----------
    decision : Decision, Finding or a list of them
        Where to look.
    rule : str
        The rule's id.
    key : str
        If given, the key of the finding's verdict.

    Returns
    -------
    Finding
        The first there is.

    Raises
    ------
    AssertionError
        If there is none, with the rules and verdicts that there are.

    Examples
    --------
    >>> from navalkit.core.trace import Decision, Finding
    >>> found = Finding("E2", "Is she near?", "Yes.", children=(Finding("E3", "Does she hear?", "No."),))
    >>> finding(Decision("turn", "E1", "She turns.", (found,)), "E3").question
    'Does she hear?'
    """
    all_of = [each for each in _all(decision) if isinstance(each, Finding)]
    for each in all_of:
        if each.rule == rule and key in ("", getattr(each.verdict, "key", "")):
            return each
    there = [(each.rule, getattr(each.verdict, "key", each.verdict)) for each in all_of]
    raise AssertionError(f"{rule!r} has no finding {key!r}; there are {there}")


def _found(what: Any, words: Words, key: str, facts: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for each in _all(what):
        if isinstance(each, Said | Phrase) and each.words is words and each.key == key:
            if all(name in each.facts and _same(each.facts[name], fact) for name, fact in facts.items()):
                yield each.facts
    texts = [each for each in _all(what) if isinstance(each, str) and not isinstance(each, Said)]
    text = "\n".join(_plain(each) for text in texts for each in (text, *_TITLE.findall(text)))
    for pattern in _patterns(words, key, facts):
        if match := pattern.search(text):
            yield {**match.groupdict(), **facts}


def _same(fact: Any, asked: Any) -> bool:
    return bool(fact == asked) or str(fact) == str(asked)


def _all(what: Any) -> Iterator[Any]:
    """It, and all that it is made of: reasons, sentences, and the sentences they were said with."""
    yield what
    inner: Any = ()
    if isinstance(what, Said | Phrase):
        inner = [fact for fact in what.facts.values() if isinstance(fact, str | Phrase | BaseException | list | tuple)]
    elif isinstance(what, BaseException):
        inner = what.args
    elif isinstance(what, Mapping):
        inner = what.values()
    elif isinstance(what, list | tuple | set | frozenset):
        inner = what
    elif is_dataclass(what) and not isinstance(what, type):
        inner = [getattr(what, field.name) for field in fields(what)]
    for each in inner:
        yield from _all(each)


def _plain(text: str) -> str:
    """A text without its markup."""
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", " ", text)))


def _patterns(words: Words, key: str, facts: Mapping[str, Any]) -> Iterator[re.Pattern[str]]:
    """What the sentence looks like in each language and person; none for one that would fit any text."""
    for lang, table in words.tables.items():
        with speaking(Voice(lang)):
            for sentence in (table[each] for each in (key, f"{key}.you") if each in table):
                if pattern := _pattern(sentence, facts):
                    yield re.compile(pattern, re.IGNORECASE | re.DOTALL | re.MULTILINE)


def _pattern(sentence: str, facts: Mapping[str, Any]) -> str:
    """Its words and the facts that are known as they stand there, between them anything; "" if it tells them not."""
    pieces, told = [""], set[str]()  # by turns what is known and the name of a fact that is not
    for text, name, spec, how in parts(_plain(sentence)):
        pieces[-1] += text
        root = re.split(r"[.\[]", name)[0] if name else ""
        if root in facts:
            told.add(root)
            value = FORMAT.get_field(name or "", (), facts)[0]
            pieces[-1] += _plain(FORMAT.format_field(FORMAT.convert_field(value, how) if how else value, spec))
        elif root:
            pieces += [root, ""]
    if told != facts.keys() or not any(map(str.isalnum, "".join(pieces[::2]))):
        return ""
    pattern = _literally(pieces[0], start=True, end=len(pieces) == 1) or r"\A"
    for n in range(1, len(pieces), 2):
        last = n == len(pieces) - 2
        fact = ".*" if last and not pieces[-1].strip() else ".*?"
        name = "" if pieces[n] in pieces[1:n:2] else f"?P<{pieces[n]}>"
        # of all places the next will do; so no text, however long, is searched twice
        pattern += rf"(?>\s*({name}{fact})\s*{_literally(pieces[n + 1], end=last)})"
    return pattern


def _literally(text: str, start: bool = False, end: bool = False) -> str:
    """A pattern for these words, however they are spaced; the full stop at the end of all may be left out there."""
    pattern = r"\s*".join(re.escape(each) for each in re.findall(r"\w+|[^\w\s]", text))
    if end and pattern.endswith(r"\."):
        pattern = pattern[:-2] + r"(?:\.|$)"
    left = r"(?<!\w)" if (start or text[:1].isspace()) and text.lstrip()[:1].isalnum() else ""
    right = r"(?!\w)" if (end or text[-1:].isspace()) and text.rstrip()[-1:].isalnum() else ""
    return left + pattern + right
