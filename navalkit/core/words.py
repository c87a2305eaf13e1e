"""Sentences by key, in the reader's language and person: the one place where facts become text.

Code holds keys and facts. The sentences are in TOML beside the game or page they belong to: ``words.toml`` in English,
``words.de.toml`` in German, and so on; what a language lacks is said in English, key by key. A sentence is written in
``str.format`` style, and its fields know four things more:

``{hexes:hex|hexes}``
    a whole number with its noun: "1 hex", "3 hexes";
``{chance:percent}`` and ``{chance:odds}``
    a probability: "72 %", and "72 % · 4787/6622 · about 13 in 18";
a `Phrase` as a fact
    is said in the same language and person.

Names that rules, tables and records have in English ("Tanker", the title of a scenario) are facts as they are. What
another language calls them is in its ``names.LANG.toml`` beside a game, each by its English text (`Words.named`).

Who reads is said by `speaking`. Where a fact ``by`` (a player's number) is the reader, the sentence with the key
"KEY.you" is taken, if there is one: "You laid SONAR." beside "The convoy laid SONAR."
"""

from __future__ import annotations
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cache
from importlib import resources
from itertools import chain
from math import inf
from string import Formatter
from typing import Any, SupportsIndex

from .errors import DataError, brief
from .shown import Shown

__all__ = [
    "Event", "Events", "Phrase", "Said", "Voice", "Words", "local", "number", "odds", "one_in", "percent", "speaking",
    "voice",
]

# -- Probabilities in words, the same on every page: "72 % · 4787/6622 · about 13 in 18" -------------

def _probability(p: Fraction | float) -> Fraction:
    if not 0 <= p <= 1:
        raise DataError(f"A probability lies between 0 and 1, not at {brief(p)}.")
    return Fraction(p)


def percent(p: Fraction | float) -> str:
    """``p`` in percent: whole numbers from 10 to 90 %, one decimal nearer the ends, halves rounded up; as the present
    reader writes it.

    What is not certain never looks so: "<0.1 %" and ">99.9 %" stand beyond the last decimal, "0 %" and
    "100 %" only for exactly 0 and 1.
    """
    return local(_percent(*_probability(p).as_integer_ratio()))


def _percent(hits: int, of: int) -> str:
    """`percent` of ``hits`` in ``of``, in whole numbers: fractions would take ten times as long, of which `nearest`
    asks for a thousand."""
    if hits in (0, of):
        return f"{100 * hits // of} %"
    if 1000 * hits < of:
        return "<0.1 %"
    if 1000 * hits > 999 * of:
        return ">99.9 %"
    tenths = (2000 * hits + of) // (2 * of)
    return f"{(200 * hits + of) // (2 * of)} %" if 100 <= tenths <= 900 else f"{tenths // 10}.{tenths % 10} %"


def from_percent(text: str) -> float:
    """The chance that `percent` wrote so, as near as it was written.

    >>> from_percent("34 %"), from_percent(">99.9 %")
    (0.34, 0.999)
    """
    return round(float(text.strip("<> %").replace(",", ".")) / 100, 6)


_READ = 12  # a fraction with no greater denominator is read as it is
_SIMPLE = 1001  # by then a fraction has been found for every percentage


def one_in(p: Fraction | float) -> str:
    """``p`` in words: "1 in 6", "about 1 in 3", "about 3 in 4", "never", "always".

    1 in N if that rounds to the same `percent`, else the simplest fraction that does: "about 1 in 3" is 33 %, and 29 %
    is "about 2 in 7". "about" unless it is exact. An N above 1,000, where a percentage says no more, is rounded to
    three figures.
    """
    p = _probability(p)
    if p in (0, 1):
        return "always" if p else "never"
    hits, of, exact = nearest(p)
    return f"{'' if exact else 'about '}{hits:,} in {of:,}"


def nearest(p: Fraction) -> tuple[int, int, bool]:
    """Of a probability between 0 and 1 the two numbers of `one_in`, and whether they are exact."""
    rarer, shown = min(p, 1 - p), _percent(*p.as_integer_ratio())
    if p.denominator <= _READ or rarer.numerator == 1:
        hits, of = rarer.numerator, rarer.denominator
    elif rarer < Fraction(1, 1000):
        hits, of = 1, round(1 / rarer)
        unit = int(10 ** (len(str(of)) - 3))
        of = (of + unit // 2) // unit * unit
    else:
        above, below = rarer.as_integer_ratio()
        some = chain([(1, round(1 / rarer))], ((_rounded(above * of, below), of) for of in range(2, _SIMPLE)))
        hits, of = next(
            (hits, of) for hits, of in some
            if 0 < hits < of and _percent(hits if rarer == p else of - hits, of) == shown
        )
    near = Fraction(hits, of)
    return hits if rarer == p else of - hits, of, near == rarer


def _rounded(above: int, below: int) -> int:
    """A fraction as the nearest whole number, of two as near the even one, as `round` has it."""
    whole, rest = divmod(above, below)
    return whole + (2 * rest > below or (2 * rest == below and whole % 2 == 1))


def describe(p: Fraction | float, whole: bool = False) -> str:
    """A probability as pages show it: "72 % · 4787/6622 · about 13 in 18".

    The fraction is left out for 0 and 1, and, unless the ``whole`` of it is asked for, when its denominator has more
    than 8 digits.
    """
    p = _probability(p)
    exact = [f"{p.numerator}/{p.denominator}"] if 1 < p.denominator < (inf if whole else 10**8) else []
    return " · ".join([percent(p), *exact, one_in(p)])


ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Voice:
    """For whom sentences are made: the language ("en", "de"), and the player who reads (None: an onlooker)."""

    lang: str = ENGLISH
    reader: int | None = None


_ANYBODY = Voice()
_VOICE: ContextVar[Voice] = ContextVar("voice", default=_ANYBODY)


def voice() -> Voice:
    """The present reader."""
    return _VOICE.get()


@contextmanager
def speaking(to: Voice) -> Iterator[None]:
    """Within it, all sentences are made for this reader."""
    before = _VOICE.set(to)
    try:
        yield
    finally:
        _VOICE.reset(before)


def speak(to: Voice) -> None:
    """From now on all sentences of this task are made for this reader."""
    _VOICE.set(to)


def language(query: str) -> str:
    """The language that the query string of a page's address asks for ("de"), or ""."""
    found = re.search(r"(?:^|[?&])lang=([a-z]{2,3})(?=&|$)", query)
    return found[1] if found else ""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence not yet said: its key and facts. ``str(phrase)`` says it to the present reader."""

    words: Words
    key: str
    facts: Mapping[str, Any] = field(default_factory=dict, hash=False)
    _said: tuple[Voice, str] | None = field(default=None, init=False, compare=False, repr=False)

    def __str__(self) -> str:
        to = voice()
        if self._said is None or self._said[0] != to:  # a log says each of its sentences after every order
            object.__setattr__(self, "_said", (to, self.words(self.key, **self.facts)))
        assert self._said is not None
        return self._said[1]

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


class Said(str):
    """A sentence that was said: a text that remembers its sentences, its key and its facts. Pickled, cut or joined it
    is a plain text."""

    __slots__ = ("facts", "key", "words")
    words: Words
    key: str
    facts: Mapping[str, Any]

    def __str__(self) -> str:
        return self  # so that `str` of an error, too, is the sentence it was made with

    def anew(self) -> str:
        """The same sentence, said to the present reader."""
        return self.words(self.key, **self.facts)

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[type[str], tuple[str]]:
        return str, (str.__str__(self),)


Text = str | Phrase
"""What a reader will read: said already, or still to be said."""


_NAME = "name."
_BETWEEN = re.compile(r"(, | – | and | und )")


class Words:
    """Sentences by key. ``tables``: language -> key -> sentence; tables within tables give dotted keys. There is always
    an English one. ``origin``: the package and files it was loaded from, so that it can be pickled."""

    def __init__(self, tables: Mapping[str, Mapping[str, Any]],
                 origin: tuple[str, tuple[str, ...]] | None = None,
                 names: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self.tables = {lang: dict(_flat(table)) for lang, table in tables.items()}
        self.origin = origin
        self.names = {lang: {key.removeprefix(_NAME): name for key, name in table.items() if key.startswith(_NAME)}
                      for lang, table in self.tables.items() if lang != ENGLISH}
        """Language -> English name -> its name there."""
        for lang, more in (names or {}).items():
            self.names.setdefault(lang, {}).update(more)
        self._naming = {lang for lang, known in self.names.items() if known}

    @classmethod
    def load(cls, package: str, *files: str) -> Words:
        """The sentences of a package, from "words.toml" or the files named, with their other languages; DataError if a
        key stands in two files, or in another language alone."""
        resources.files(package)  # imports it: as it is imported it may load the same sentences, which are kept once
        return _load(package, files or ("words.toml",))

    def __reduce__(self) -> Any:
        return (Words.load, (self.origin[0], *self.origin[1])) if self.origin else (Words, (self.tables,))

    def __contains__(self, key: str) -> bool:
        return key in self.tables[ENGLISH]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages there are, English first."""
        return tuple(self.tables)

    def __call__(self, key: str, /, **facts: Any) -> str:
        """The sentence of that key, `Said` now to the present reader; KeyError if there is no such sentence, or a fact
        is missing."""
        to = voice()
        sentence = None
        if to.reader is not None and facts.get("by") == to.reader:
            sentence = self._find(f"{key}.you", to.lang)
        if sentence is None:
            sentence = self._find(key, to.lang)
        if sentence is None:
            raise KeyError(f"no sentence {key!r}")
        if to.lang in self._naming:
            told = {name: self.named(fact) if isinstance(fact, str) and type(fact) is not Said else fact
                    for name, fact in facts.items()}
        else:
            told = facts
        said = Said(_filled(sentence, told) if "{" in sentence else sentence)
        said.words, said.key, said.facts = self, key, facts
        return said

    def named(self, text: str) -> str:
        """A name, or several joined by commas or dashes, that rules and records have in English ("U-boats"), for the
        present reader: as the table ``name`` of a language has it, or the game's ``names.LANG.toml``. Facts of
        sentences are named so."""
        lang = voice().lang
        if lang not in self._naming:
            return text
        known = self.names[lang]
        if (whole := known.get(text)) is not None:
            return whole
        return "".join(_called(known, part) for part in _BETWEEN.split(text))

    def get(self, key: str, /, **facts: Any) -> str:
        """The sentence of that key, or "" if there is none."""
        return self(key, **facts) if key in self else ""

    def phrase(self, key: str, /, **facts: Any) -> Phrase:
        """The sentence of that key, to be said later; KeyError if there is no such sentence."""
        if key not in self:
            raise KeyError(f"no sentence {key!r}")
        return Phrase(self, key, facts)

    def event(self, rule: str, key: str, /, to: frozenset[int] | None = None, **facts: Any) -> Event:
        """An event with the sentence of that key.

        Parameters
        ----------
        rule : str
            Id of the rule that made it happen.
        key : str
            The sentence's key, which is the kind of the event.
        to : frozenset of int, optional
            The players who may know of it; None means everybody.
        **facts
            What the sentence is made from.

        Returns
        -------
        Event

        Examples
        --------
        >>> Words({"en": {"sunk": "{ship} is sunk."}}).event("L4", "sunk", ship="8D").text
        '8D is sunk.'
        """
        return Event(rule, key, self.phrase(key, **facts), facts, to)

    def _find(self, key: str, lang: str) -> str | None:
        own = self.tables.get(lang, {}).get(key)
        return own if own is not None else self.tables[ENGLISH].get(key)


@cache
def _load(package: str, files: tuple[str, ...]) -> Words:
    tables: dict[str, dict[str, str]] = {ENGLISH: {}}
    folder = resources.files(package)
    for file in files:
        *inside, name = file.split("/")
        home = folder.joinpath(*inside)
        stem = name.removesuffix(".toml")
        for path in sorted(home.iterdir(), key=lambda each: each.name):
            first, _, lang = path.name.removesuffix(".toml").partition(".")
            if path.name.endswith(".toml") and first == stem:
                table = tables.setdefault(lang or ENGLISH, {})
                new = dict(_flat(tomllib.loads(path.read_text(encoding="utf-8"))))
                if twice := table.keys() & new.keys():
                    raise DataError(f"{package}: {path.name} has a second sentence for {sorted(twice)[0]!r}.")
                table.update(new)
    for language, table in tables.items():
        if alone := table.keys() - tables[ENGLISH].keys():
            raise DataError(f"{package}: {sorted(alone)[0]!r} has a sentence in {language!r} and none in English.")
    return Words(tables, (package, files), _names(package))


_FIGURE = re.compile(r"\d(?:[\d.,]*\d)?")


def _called(known: Mapping[str, str], part: str) -> str:
    """A name in another language; of "belt 9.8 in" that of "belt # in", with its figures as they are written there."""
    name = known.get(part)
    if name is None and (form := known.get(_FIGURE.sub("#", part))) is not None:
        for figure in _FIGURE.findall(part):
            form = form.replace("#", local(figure), 1)
        return form
    return part if name is None else name


@cache
def _names(package: str) -> Mapping[str, Mapping[str, str]]:
    """By language, what its ``names.LANG.toml`` calls what is English in data: that of the package, or else of the one
    around it."""
    for home in (package, package.rpartition(".")[0]):
        found = {path.name.split(".")[1]: path for path in resources.files(home).iterdir()
                 if re.fullmatch(r"names\.\w+\.toml", path.name)} if home else {}
        if found:
            return {lang: tomllib.loads(path.read_text(encoding="utf-8")) for lang, path in found.items()}
    return {}


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{key}.")
        else:
            yield f"{above}{key}", str(value)


_POINTS = {"de": str.maketrans(",.", ".,")}
"""How a language writes the points in numbers."""


def number(value: float, spec: str = ",") -> str:
    """A number in the present reader's language: "1,234.5", in German "1.234,5"."""
    return local(format(value, spec))


def local(text: str) -> str:
    """A text of numbers with its points as the present reader writes them."""
    points = _POINTS.get(voice().lang)
    return text.translate(points) if points else text


@cache
def parts(sentence: str) -> tuple[tuple[str, str | None, str, str | None], ...]:
    """A sentence taken apart, once: each text, with the name, form and conversion of the fact that follows it."""
    return tuple((text, name, spec or "", how) for text, name, spec, how in FORMAT.parse(sentence))


def _filled(sentence: str, facts: Mapping[str, Any]) -> str:
    """A sentence with its facts; ``Formatter.vformat`` would take it apart each time it is said."""
    said: list[str] = []
    for text, name, spec, how in parts(sentence):
        said.append(text)
        if name is not None:
            value = facts[name] if name in facts else FORMAT.get_field(name, (), facts)[0]
            said.append(FORMAT.format_field(FORMAT.convert_field(value, how) if how else value, spec))
    return "".join(said)


class _Format(Formatter):
    def convert_field(self, value: Any, conversion: str | None) -> Any:
        """``{name!r}`` stands for what somebody put in: of a long text it repeats the beginning."""
        return brief(value) if conversion == "r" else super().convert_field(value, conversion)

    def format_field(self, value: Any, format_spec: str) -> str:
        if not format_spec:
            return number(value, "") if isinstance(value, float) else format(value)
        if format_spec == "percent":
            return percent(value)
        if format_spec == "odds":
            return odds(value)
        if isinstance(value, int) and "|" in format_spec:
            one, _, many = format_spec.partition("|")
            return f"{number(value)} {one if value == 1 else many}"
        if isinstance(value, int | float | Fraction):
            return number(value, format_spec)  # type: ignore[arg-type]
        return format(value, format_spec)


def odds(p: Fraction | float) -> str:
    """A probability as `navalkit.core.words.describe` has it, in the present reader's language."""
    return " · ".join([*describe(p).split(" · ")[:-1], in_words(Fraction(p))])


def in_words(p: Fraction) -> str:
    """A probability in words, in the present reader's language: "about 3 in 4", "etwa 3 von 4"."""
    if p in (0, 1):
        return SAY("chance.always" if p else "chance.never")
    hits, of, exact = nearest(p)
    return SAY("chance.exact" if exact else "chance.about", hits=hits, of=of)


FORMAT = _Format()
SAY = Words.load("navalkit.core")
"""The sentences of what all games share: refusals and errors."""


def suggested(name: object, known: Collection[str]) -> str:
    """Of the names there are, the one that ``name`` comes nearest to, as an error suggests it; "" if none is near."""
    if not isinstance(name, str):
        return ""
    meant = name[:60], name[:60].lower().replace("_", "-")
    found = [best for each in meant for best in get_close_matches(each, known, 1)]
    return SAY("near", name=found[0]) if found else ""


# -- What happened, under which rule ---------------------------------------------------------------

@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Event(Shown):
    """One thing that happened. It holds a key and facts; its sentence is made when it is read.

    Parameters
    ----------
    rule : str
        Id of the rule that made it happen ("L4b").
    kind : str
        What kind of thing ("sunk"): the key of its sentence.
    said : str or Phrase
        The sentence for the log, said or to be said.
    facts : mapping
        What the sentence is made from, by name. ``by`` is the number of the player who did it, where one did.
    to : frozenset of int, optional
        The players who may know of it; None means everybody.
    """

    rule: str
    kind: str
    said: Text
    facts: Mapping[str, Any] = field(default_factory=dict)
    to: frozenset[int] | None = None

    @property
    def text(self) -> str:
        """The sentence, in the present reader's language and person (`navalkit.core.words.speaking`)."""
        return str(self.said)

    def seen_by(self, player: int | None) -> bool:
        """Whether ``player`` (None: the all-seeing reader) may know of it."""
        return player is None or self.to is None or player in self.to

    def __str__(self) -> str:
        return f"{self.text} [{self.rule}]"

    def __repr__(self) -> str:
        return f"<Event {self.kind}: {self}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Event):
            return NotImplemented
        return (self.rule, self.kind, self.to, self.text) == (other.rule, other.kind, other.to, other.text)

    def __hash__(self) -> int:
        return hash((self.rule, self.kind, self.to))


class Events(tuple[Event, ...], Shown):
    """Some events in order: a tuple that a notebook shows as a list of their sentences."""

    __slots__ = ()
