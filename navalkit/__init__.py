"""navalkit: naval games as a small, exact, explainable library."""

from __future__ import annotations
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .core.errors import OptionError, brief
from .core.match import Match
from .core.shown import drawn_by
from .core.words import SAY
from .players import player, register

if TYPE_CHECKING:
    from .games import load

    def games() -> tuple[str, ...]:
        """The names of all games."""
else:
    from . import games
    from .core.registry import load

__version__ = "0.2.0"
__all__ = ["Match", "__version__", "explorer", "games", "load", "player", "register", "stepper"]


def _drawn(form: str) -> Any:
    return lambda value: getattr(import_module(".teach.pictures", __name__), form)(value)


def _cell(kind: str, *what: Any, **more: Any) -> Any:
    try:
        cells = import_module(".ui.cells", __name__)
    except ImportError as error:
        raise ImportError(SAY("cells.library")) from error
    return getattr(cells, kind)(*what, **more)


def explorer(id: str, **settings: Any) -> Any:
    """A question of the explorer with its sliders, in a notebook's cell.

    Parameters
    ----------
    id : str
        Such as "lox-sink"; `navalkit.explore.QUESTIONS` has them all.
    **settings
        Its controls by name; what is left out has its default.

    Returns
    -------
    ExplorerCell
        Its traits ``question``, ``settings``, ``answer`` and ``value`` follow the sliders and can be observed; to set
        the first two moves them. Where there are no widgets it is a picture with the answer.

    Raises
    ------
    ImportError
        Without the extra `app`.
    OptionError
        For an unknown question, control or value.

    Examples
    --------
    >>> shown = explorer("lox-sink", ship="QH", seen="5C 5D 5H")
    >>> shown.value
    Fraction(43, 141)
    >>> shown.settings = {"torpedoes": 3}
    >>> shown.value
    Fraction(10555, 17296)
    """
    return _cell("explorer", id, **settings)


def stepper(match: Match) -> Any:
    """A match in a notebook's cell, one decision at a time, each with its reasons.

    Parameters
    ----------
    match : Match
        A finished one, or one that hides nothing from its players.

    Returns
    -------
    StepperCell
        Its traits ``at`` (the moment looked at, which may be set), ``match`` and ``decision`` can be observed. Where
        there are no widgets it is a picture with the reasons.

    Raises
    ------
    ImportError
        Without the extra `app`.
    OptionError
        If it is no match.
    RecordError
        If the match still hides something.

    Examples
    --------
    >>> match = Match.new("uss-lox", seed=42)
    >>> shown = stepper(match)
    >>> shown.at = 0
    >>> shown.decision is None
    True
    """
    if not isinstance(match, Match):
        raise OptionError(SAY("match.none", match=brief(match)))
    return _cell("stepper", match)


drawn_by(html=_drawn("html"), text=_drawn("plain"), show=lambda *what: _cell("show", *what))
