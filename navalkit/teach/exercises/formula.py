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
from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from navalkit.core.echo import brief
from navalkit.core.errors import DataError
from navalkit.core.luck.dist import Dist

from ..say import SAY
from .library import FUNCTIONS

LONGEST = 1000
"""Characters of the longest formula."""
_HIGHEST_POWER = 1000
_BRACES = re.compile(r"\{([^{}]+)\}")
NO_NAMES: Mapping[str, Any] = MappingProxyType({})


def value(
    formula: str, names: Mapping[str, Any] = NO_NAMES, functions: Mapping[str, Callable[..., Any]] = FUNCTIONS
) -> Any:
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
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divide,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
