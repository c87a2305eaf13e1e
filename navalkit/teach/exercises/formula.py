"""Formulas of exercises: arithmetic and calls of listed functions, worked out without ever running text as Python.

>>> value("1 - comb(44, 2) / comb(51, 2)")
Fraction(329, 1275)
>>> value('sink("8D", 1)')
Fraction(7, 51)
"""

from __future__ import annotations
import ast
import operator
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Context, Decimal
from fractions import Fraction
from hashlib import sha256
from importlib import import_module
from itertools import islice, product
from numbers import Rational, Real
from types import MappingProxyType
from typing import Any

from navalkit.core.dist import Dist
from navalkit.core.errors import DataError, brief
from navalkit.core.files import read
from navalkit.core.registry import names, package
from ..say import SAY

# -- The functions that the formula of an exercise may call: those that library.toml and the games list, and no others

def listed() -> Iterator[tuple[str, str]]:
    """Module and name of each function: the library's own first, then those in the ``data/lesson.toml`` of a game."""
    for module, functions in read(__package__, "library.toml").items():
        yield from ((module, name) for name in functions.split())
    for game in map(package, names()):
        text = game.text("data/lesson.toml")
        for module, functions in tomllib.loads(text).items():
            yield from ((game.module + module, name) for name in functions.split())


def _found_when_called(module: str, name: str) -> Callable[..., Any]:
    """A function that is imported at its first call: most exercises need one game of the five."""

    def call(*args: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*args, **named)

    return call


FUNCTIONS = MappingProxyType({name: _found_when_called(module, name) for module, name in listed()})
"""Name -> function. A teacher who needs one that is not here writes the exercise in Python."""


LONGEST = 1000
"""Characters of the longest formula."""
_HIGHEST_POWER = 1000
_BRACES = re.compile(r"\{([^{}]+)\}")
NO_NAMES: Mapping[str, Any] = MappingProxyType({})


def value(formula: str, names: Mapping[str, Any] = NO_NAMES,
          functions: Mapping[str, Callable[..., Any]] = FUNCTIONS) -> Any:
    """What a formula comes to.

    ``formula``: numbers, texts in quotes and lists; ``+ - * / // % **``; ``d[k]`` for the chance of ``k`` in a
    distribution; comparisons; names; and calls of listed functions. Whole numbers stay exact: ``7 / 51`` is a Fraction.
    ``names``: what the names stand for: the numbers of a family of exercises. ``functions``: the functions that may be
    called. DataError if the formula is too long or malformed, holds anything else, or a function refuses its arguments.
    """
    if not isinstance(formula, str) or len(formula) > LONGEST:
        raise DataError(SAY("formula.length", most=LONGEST, found=brief(formula)))
    try:
        tree = ast.parse(formula.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise DataError(SAY("formula.broken", formula=brief(formula))) from None
    try:
        return _Reader(names, functions).read(tree.body)
    except DataError:
        raise
    except Exception as error:  # whatever a function makes of arguments that a teacher got wrong
        raise DataError(SAY("formula.fails", formula=brief(formula), why=error)) from None


def fill(text: str, names: Mapping[str, Any]) -> str:
    """A text with what each formula in braces comes to, or the text as it is if there are no names to fill in.

    >>> fill("{n} guns, {n - 2} of which hit", {"n": 6})
    '6 guns, 4 of which hit'
    """
    return _BRACES.sub(lambda found: _shown(value(found[1], names)), text) if names else text


def names_in(text: str, *formulas: str) -> frozenset[str]:
    """The names in the formulas of a text, and in others.

    >>> sorted(names_in("{n} guns, {n - k} of which miss", "m > 2"))
    ['k', 'm', 'n']
    """
    trees = (ast.walk(ast.parse(each.strip() or "0", mode="eval")) for each in (*_BRACES.findall(text), *formulas))
    return frozenset(node.id for nodes in trees for node in nodes if isinstance(node, ast.Name))


def _shown(found: Any) -> str:
    if isinstance(found, list):
        return ", ".join(map(_shown, found))
    return f"{found:.6g}" if isinstance(found, float) else str(found)


class _Reader:
    """Works out a parsed formula, node by node; what it has no method for is refused."""

    def __init__(self, names: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> None:
        self.names, self.functions = names, functions

    def read(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(int() | float() | str() as constant):
                return constant
            case ast.Name(name) if name in self.names:
                return self.names[name]
            case ast.Compare(left, [sign], [right]) if type(sign) in _COMPARED:
                return _COMPARED[type(sign)](self.read(left), self.read(right))
            case ast.List(items) | ast.Tuple(items):
                return [self.read(item) for item in items]
            case ast.UnaryOp(ast.USub(), inner):
                return -self.read(inner)
            case ast.BinOp(left, sign, right) if type(sign) in _SIGNS:
                return _SIGNS[type(sign)](self.read(left), self.read(right))
            case ast.Subscript(whole, part):
                return _part(self.read(whole), self.read(part))
            case ast.Call(ast.Name(name), args, keywords) if all(k.arg for k in keywords):
                if name not in self.functions:
                    raise DataError(SAY("formula.no_function", name=brief(name), names=", ".join(self.functions)))
                named = {str(k.arg): self.read(k.value) for k in keywords}
                return self.functions[name](*map(self.read, args), **named)
        raise DataError(SAY("formula.refused", part=brief(ast.unparse(node))))


def _part(whole: Any, part: Any) -> Any:
    if not isinstance(whole, Dist | list):
        raise DataError(SAY("formula.no_parts", found=brief(whole)))
    return whole[part]


def _divide(a: Any, b: Any) -> Any:
    exact = isinstance(a, int | Fraction) and isinstance(b, int | Fraction)
    return Fraction(a) / b if exact else a / b


def _power(a: Any, b: Any) -> Any:
    if abs(b) > _HIGHEST_POWER:
        raise DataError(SAY("formula.power", power=b, most=_HIGHEST_POWER))
    return Fraction(a) ** b if isinstance(a, int) and isinstance(b, int) else a**b


_SIGNS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: _divide,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: _power
}
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge
}


# -- Families of exercises: the same question with other numbers, drawn from a student's seed ------
# Nothing is stored and nothing is random: seed, exercise and number of the retest say which numbers they are, so that a
# teacher's machine finds the same ones.

MOST_CASES = 5000
Names = dict[str, Any]


@dataclass(frozen=True)
class Family:
    """Where the numbers of an exercise come from."""

    key: str
    """The id of the exercise whose numbers these are; exercises with the same key have the same."""
    draw: Mapping[str, Sequence[Any]]
    """Name -> what it may be. The first of each are the lesson's own numbers."""
    let: Mapping[str, str]
    """Names that follow from those drawn, in order."""
    where: Sequence[str]
    """What must be true of the numbers."""

    def __post_init__(self) -> None:
        cases = 1
        for name, choices in self.draw.items():
            if not name.isidentifier() or not isinstance(choices, list) or not choices:
                raise DataError(SAY("exercise.no_values", name=brief(name)))
            cases *= len(choices)
        if cases > MOST_CASES:
            raise DataError(SAY("exercise.too_many", n=cases, most=MOST_CASES))

    def names(self, seed: str = "", retest: int = 0) -> Names:
        """The numbers of a seed; without one, the lesson's own. ``retest``: 0 first; each further one gives other
        numbers, until all have been used."""
        if not seed and retest == 0:
            return self._named(next(product(*self.draw.values())))
        found = list(islice(self.in_order(seed), retest + 1))
        if not found:
            raise DataError(SAY("exercise.none_fit"))
        return found[retest % len(found)]

    def in_order(self, seed: str) -> Iterator[Names]:
        """All cases in the order of a seed; without one, the lesson's own comes last."""
        cases = list(product(*self.draw.values()))
        own = cases[0]
        order = sorted(range(len(cases)), key=lambda i: sha256(f"{seed}|{self.key}|{i}".encode()).digest())
        if not seed:
            order.sort(key=lambda i: cases[i] == own)
        found = (self._named(cases[i]) for i in order)
        return (names for names in found if all(value(condition, names) for condition in self.where))

    def _named(self, case: Sequence[Any]) -> Names:
        names = dict(zip(self.draw, case, strict=True))
        for name, formula in self.let.items():
            names[name] = value(formula, names)
        return names


# -- How answers are read: numbers and labels as people write them, and what to call what is none --

_ROUNDED_ON_THE_WAY = 0.01
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)|-$")
_APART = re.compile(r"(?<![^\W\d_])([A-Za-z]{1,2}) (\d+)\b")  # "B 3", not "mode 3"
_SHARE = re.compile(r"([+-]?\d+)(?:/|outof|of|in)(\d+)")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")
_MIXED = re.compile(r"([+-]?)\s*(\d+)\s+([1-9]\d*)\s*/\s*(\d+)")  # not "1 000/13", which is grouped
_STOPS = re.compile(
    r"[-=]+>|[→⇒,;&|]|(?<!\d)/|/(?!\d)|(?<=\w) [-–—−+] (?=\w)|(?<![\w-])(?:and|und)(?![\w-])", re.IGNORECASE
)
"""What stands between the parts of a list."""
_AROUND = "()[]{}\"'“”„‚‘’«»‹›`"


MISREAD = frozenset((
    "not_a_number", "which_comma", "too_large", "not_finite", "not_whole", "not_a_text", "no_choice", "not_a_list",
    "not_a_function", "function_stops",
))
"""What `Misread` may say."""


class Misread(Exception):
    """The answer is of the wrong type or out of range; the text says what is asked for. ``slip`` names it."""

    def __init__(self, slip: str, **facts: Any) -> None:
        super().__init__(SAY(slip, **facts))
        self.slip = slip


def exactly(number: Real) -> Fraction | float:
    """A number as a fraction where it is one."""
    return Fraction(number) if isinstance(number, Rational) else float(number)


def number_in(text: str, kind_name: str) -> Fraction | float:
    """The number in a text: "7/51", "1 2/13", "7 of 51", "1 in 8" and "51" exactly; "0.137", "0,137" and "13.7 %" as
    decimals. A comma before three digits stands for thousands where something is counted, and for a decimal in a
    probability; in any other number it may mean either."""
    plain = text.strip().replace("\u2212", "-").casefold()
    percent = plain.endswith("%")
    plain = _unmixed(plain.removesuffix("%").rstrip())
    plain = "".join(plain.split())
    if _GROUPED.fullmatch(plain) and kind_name == "whole":
        plain = plain.replace(",", "")
    elif _GROUPED.fullmatch(plain) and kind_name == "number":
        raise Misread("which_comma")
    elif "." not in plain and plain.count(",") == 1:
        plain = plain.replace(",", ".")
    try:
        share = _SHARE.fullmatch(plain)
        if share:
            return Fraction(int(share[1]), int(share[2]) * (100 if percent else 1))
        number = Fraction(plain) if plain.lstrip("+-").isdecimal() else float(plain)
        return float(number) / 100 if percent else number
    except (ValueError, ZeroDivisionError, OverflowError):
        found = SAY("exercise.text", text=repr(text[:40]))
        raise Misread("not_a_number", kind=SAY(f"kind_{kind_name}"), found=found) from None


def _unmixed(text: str) -> str:
    """A mixed number as a fraction: "1 2/13" as "15/13"; any other text as it is."""
    found = _MIXED.fullmatch(text)
    if found is None or any(len(digits) > LONGEST for digits in found.groups()):
        return text
    whole, part, of = map(int, found.groups()[1:])
    return f"{found[1]}{whole * of + part}/{of}" if part < of else text


def parts_in(text: str) -> list[str]:
    """The parts of a list in a text: "2 6", "[2, 6]", "2 and 6", "2/6", "2 -> 6". A text without any is misread."""
    found = _APART.sub(r"\1\2", _STOPS.sub(" ", text)).split()
    if len(found) == 1:  # beside others "2/6" is a fraction
        found = found[0].split("/")
    parts = [part for each in found if (part := each.strip(_AROUND).rstrip(".").rstrip(_AROUND))]
    if not parts:
        raise Misread("not_a_list", found=SAY("exercise.text", text=repr(text[:40])))
    return parts


def is_rounded(value: Any, reference: Any) -> bool:
    """Whether a number is the reference with too few figures, or off by what rounding on the way does."""
    if abs(value - reference) <= _ROUNDED_ON_THE_WAY * abs(reference):
        return True
    found, right = Decimal(repr(float(value))), Decimal(repr(float(reference)))
    ways = [(figures, rounding) for figures in (2, 3) for rounding in (ROUND_HALF_UP, ROUND_DOWN, ROUND_UP)]
    ways += [(1, ROUND_HALF_UP)] if abs(reference) < 1 else []
    return any(found == Context(prec=figures, rounding=rounding).plus(right) for figures, rounding in ways)


def plain_text(text: str) -> str:
    plain = _HYPHEN.sub(" ", text.replace("\u2212", "-"))  # not the minus of a number
    return _APART.sub(r"\1\2", " ".join(plain.split())).casefold()


def type_named(answer: Any) -> str:
    """What an answer is, in words a beginner knows."""
    if isinstance(answer, Dist):
        return SAY("type_dist")
    names = {list: "list", tuple: "list", set: "list", dict: "table", str: "text", bool: "bool"}
    known = names.get(type(answer)) or ("function" if callable(answer) else "other")
    return SAY(f"type_{known}", name=type(answer).__name__)
