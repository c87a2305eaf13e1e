"""What a page says, and what of it is English: for pages in German."""

from __future__ import annotations
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import fields
from functools import partial

import numpy as np
from ipywidgets import Widget

from navalkit.core.errors import OptionError
from navalkit.core.match import Match, Store
from navalkit.core.record import MAX_BYTES, GameRecord
from navalkit.core.registry import load
from navalkit.core.words import Voice, speaking
from navalkit.explore import QUESTIONS
from navalkit.ui.explore.html import ExploreModel
from navalkit.ui.play.app import GameApp
from navalkit.ui.shell import Model
from navalkit.ui.step.page import StepPage
from navalkit.view.film import Film
from navalkit.view.scene import Scene, Text
from navalkit.walks import shows
from navalkit.walks.stepper import MODES, WHAT_IF
from .ui.pages import Browser, order

ENGLISH = frozenset("""
    the of and your you is are with from this that not for be it its which who what how when where then at
    by as if or but have had can would she his he their them one two three no yes new game play open save next show
    hide take turn ship torpedoes card cards sunk lost won home mean about expected chances
""".split())
"""Words that no German sentence has; those of both languages ("war", "die", "also", "in", "all") are left out."""
QUOTED = re.compile(
    r"\[Quelle: .*?\]|His nob|attack \d|fire \d at \d|flip \w\d|„[^“]*“|\"[^\"]*\"|^Befehl \w+: .*"
    r"|\b[a-z]+(?:[-_=][a-z]+)+\b|\b[A-Z]{2,}\d*\b"
    r"|(?:Prince|Duke)\s\w+\s\w+|Von \w+ Tann|\bplay \w+|\w+: (?:guns|torpedoes|[A-Z]\d).*"
)
"""What stands in English on purpose: the source's headings, a rule's name, ids, names of ships, the notation of
orders."""

_ID = re.compile(r"[a-z]+$")
"""Single words without a capital: what a page's parts are called among themselves ("ship")."""


def texts(widget: Widget, seen: set[int] | None = None) -> Iterator[str]:
    """All that a page says: the texts of a widget and of those in it, tags taken off, tooltips among them."""
    seen = set() if seen is None else seen
    seen.add(id(widget))
    for name in {"value", "description", "tooltip", "placeholder", "rows", "options"} & set(widget.trait_names()):
        value = widget.trait_values()[name]
        if name == "options":
            value = [each[0] if isinstance(each, tuple) else each for each in value]
        yield from spoken(value)
    values = widget.trait_values().values()
    for child in itertools.chain.from_iterable(each if isinstance(each, tuple) else (each,) for each in values):
        if isinstance(child, Widget) and id(child) not in seen:
            yield from texts(child, seen)


def spoken(value: object) -> Iterator[str]:
    if isinstance(value, str):
        plain = re.sub(r"(?s)<style.*?</style>|<script.*?</script>|data:[^\"']+", " ", value)
        yield from (each for each in re.findall(r'(?:title|aria-label|alt)="([^"]*)"', plain))
        yield from re.sub(r"<[^>]*>", "\n", plain).split("\n")
    elif isinstance(value, (list, tuple, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from spoken(each)


def english(said: Iterable[str]) -> Iterator[str]:
    """Of what a page says the lines with an English word."""
    for line in said:
        words = re.findall(r"[^\W\d_]+", QUOTED.sub("", line).lower())
        if ENGLISH.intersection(words) and "{" not in line and not _ID.match(line):
            yield line.strip()


# Pages, looked through from beginning to end ----------------------------------------------------------------------

def drawn(scene: Scene) -> Iterator[str]:
    """What a board says, to those who do not see it too."""
    yield from (scene.title, scene.desc, *(cell.alt for cell in scene.cells))
    yield from (shape.text for layer in scene.layers for shape in layer.shapes if isinstance(shape, Text))


def filmed(shown: Film | None) -> Iterator[str]:
    """What a film says: its headlines, and the words over the board."""
    if shown is not None:
        yield from (beat.text for beat in shown.beats)
        yield from (mark.text for mark in shown.marks)


def played(name: str, lang: str, store: Store, plies: int, seed: int = 4) -> set[str]:
    """The English left on a game's page, in its films, hint and offers, in as many plies of a game."""
    rng, left = np.random.default_rng(seed), set[str]()
    with speaking(Voice(lang, 0)):
        app = GameApp(name, store)
        app.speak(lang)
        control = app.control
        control.new(seed, seats=("",) * len(control.deciders))
        for ply in range(plies):
            if control.match.over or not control.legal:
                break
            control.covered = False
            if ply == 1:
                control.advise()
            app.refresh()
            film = app.stage.film[1] if app.stage.film else None
            left |= set(english([*texts(app.widget), *drawn(control.scene()), *filmed(film)]))
            control.give(control.legal[rng.integers(len(control.legal))])
        app.new_game.offer(control.game.options, control.seats)
        app.refresh()
        left |= set(english(texts(app.widget)))
    return left


def stepped(name: str, lang: str, steps: int) -> set[str]:
    """The English left on the stepper's page of a game: each mode for some steps, and all it offers: tours
    with their notes, games, positions."""
    left = set[str]()
    with speaking(Voice(lang)):
        page = StepPage(name, query=f"?lang={lang}")
        step = page.stepper
        page._open_notes()
        for mode in MODES:
            with suppress(OptionError):
                step.use(mode)
            step.use(mode)  # a question that is left open is left at the second press
            for _ in range(steps):
                page.refresh()
                left |= set(english([*texts(page.widget), *drawn(page.scene()), page.track.notes]))
                if mode == WHAT_IF:
                    break
                for _ in range(2):  # a question that is left open is left at the second press
                    with suppress(OptionError):
                        step.forward()
                        break
        left |= set(english([label for label, _ in shows.choices(name)]))
        listed = [shows.find(name, each) for each in shows.tour_names(name)]
        stops = [stop for tour in listed for stop in tour.stops]
        left |= set(english([tour.about for tour in listed]))
        left |= set(english([text for stop in stops for text in (stop.title, stop.note)]))
        places = [shows.position(name, each) for each in shows.walk_of(load(name)).positions()]
        left |= set(english([each for place in places for each in (place.title, place.about)]))
    return left


# What pages refuse ------------------------------------------------------------------------------------------------

BAD_LINKS = (
    "?record=!!!", "?record=AAAA", "?record=" + "A" * 5000, "?seed=abc", f"?seed={'9' * 60}", "?seed=1&step=x",
    "?day=zzz", "?day=2999-01-01", "?" + "a=1&" * 60,
)
BAD_STEPS = ("?position=zzz", "?tour=zzz", "?game=zzz", "?seed=1&players=zzz", "?seed=1&players=zzz,zzz,zzz,zzz",
             "?seed=1&by=zzz", "?seed=1&step=99999", "?seed=1&line=99999", "?seed=1&view=zzz", "?record=!!!",
             "?tour=" + "A" * 500)
BAD_ORDERS = ("", "zzz", "zzz 1 2 3", "?", "1", "z" * 600, "A1 A1", "0")


class _Refusals:
    """Gathers what a page answers to what it refuses; at each call something must be refused."""

    def __init__(self, model: Model) -> None:
        self.model, self.said = model, list[str]()

    def at(self, call: Callable[..., object], *given: object, may: bool = False) -> None:
        """``may``: whether it may be taken instead, as one game takes what the next one refuses."""
        self.model.hush()
        self.model.guard(call)(*given)
        told = self.model.status
        assert may or told.error, given
        if told.error:
            self.said.append(told.text)


def broken(match: Match, other: Match) -> Iterator[bytes]:
    """Files that are no saved game of that match's game: each is wrong in another way. ``other``: of another game."""
    whole = match.record().dumps()
    bare = re.sub("(?m)^checksum.*\n", "", whole)
    assert "checksum" in whole and match.ply > 0
    yield from (b"\xff\xfe", b"a = [", b"a = zzz\nb = 1", b"a = 1", b"[" * 5000, whole.encode()[:-40])
    yield b"z" * (MAX_BYTES + 1)
    yield other.record().dumps().encode()
    for found, put in (
        (r"seed = (\d+)", r"seed = 1\1"), (r"schema = .*", 'schema = "zzz"'), (r"(?m)^game = .*", 'game = "zzz"'),
        (r"actions", "acts"),
    ):
        yield re.sub(found, put, whole, count=1).encode()
    for found, put in (
        (r"seed = .*", "seed = -1"), (r"seed = .*", "seed = 1.5"), (r"(?m)^rules = .*", 'rules = "zzz"'),
        (r"actions = \[", 'actions = ["zzz",'), (r"actions = \[", "actions = [1,"), (r"actions = \[", "actions = 1 #"),
        (r"(?m)^players = \[", 'players = ["zzz",'), (r"(?m)^analysis = .*", "analysis = 1"),
        (r"$", '\n[zzz]\na = 1\n'), (r"$", '\n[comments]\nx = "y"\n'), (r"$", "\n[comments]\n1 = 2\n"),
        (r"$", '\n[comments]\n9999 = "y"\n'), (r"$", '\n[result]\nresult = "win"\nscores = [1]\n'),
    ):
        yield re.sub(found, put, bare, count=1).encode()


def refused(name: str, other: str, lang: str, store: Store) -> list[str]:
    """What a game's page and its stepper say to bad links, files, orders and options. ``other``: another game."""
    rng = np.random.default_rng(4)
    with speaking(Voice(lang)):
        app = GameApp(name, store)
        Browser(app).hello(query=f"?lang={lang}")
        control = app.control
        control.new(4, seats=("",) * len(control.deciders))
        refusals = _Refusals(control)
        for _ in range(3):
            control.covered = False
            if not control.legal:  # others decide
                break
            for text in (*BAD_ORDERS, *_garbled(control.game.format_action(control.legal[0]))):
                refusals.at(control.order, text, may=True)
                control.covered = False  # where it was taken
            control.give(control.legal[rng.integers(len(control.legal))])
        assert len(refusals.said) >= len(BAD_ORDERS)
        refusals.at(partial(order, app, at="0.0.zzz", type="zzz"))
        foreign = Match.new(load(other), seed=4)
        for data in broken(control.match, foreign):
            refusals.at(control.open, data, "zzz.toml")
        refusals.at(app._file, {"name": "zzz", "size": MAX_BYTES + 1, "data": b""})
        for query in BAD_LINKS:
            refusals.at(control.open_query, query)
        refusals.at(control.open_query, f"?{foreign.share().lstrip('?')}", may=True)
        for spec in control.game.specs:
            refusals.at(control.open_query, f"?{spec.name}=zzz")
            refusals.at(control.new, 4, {spec.name: "a = ["})
        refusals.at(control.new, 4, {"zzz": 1})
        page = StepPage(name, query=f"?lang={lang}")
        steps = _Refusals(page.model)
        for query in (*BAD_LINKS, *BAD_STEPS):
            steps.at(page.stepper.open_query, query, may=True)
        for data in (b"\xff", b"a = [", b"a = 1", b"title = 1"):
            steps.at(page.stepper.open_file, data)
        assert len(steps.said) > len(BAD_STEPS)
        ids = {field.name for field in fields(GameRecord)} | {spec.name for spec in control.game.specs}
        return list(_without(ids, [*refusals.said, *steps.said]))


def _without(ids: Iterable[str], said: Iterable[str]) -> Iterator[str]:
    """Sentences without the names that stand in files and links, which are English in every language."""
    longest_first = sorted(ids, key=len, reverse=True)
    named = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest_first))})(?=[ ,.:])", re.IGNORECASE)
    yield from (named.sub("", text) for text in said)


def _garbled(text: str) -> Iterator[str]:
    """Orders that are nearly one: cut short, with a word too many, with another number."""
    yield from (text[: len(text) // 2], f"{text} zzz", f"zzz {text}", re.sub(r"\d+", "99", text), text[::-1])


def unexplored(lang: str) -> list[str]:
    """What the explorer says to bad links."""
    with speaking(Voice(lang)):
        model = ExploreModel(lang=lang)
        refusals = _Refusals(model)
        controls = [control for question in QUESTIONS.values() for control in question.controls]
        ids = {control.name for control in controls}
        ids |= {str(value) for control in controls for value in itertools.islice(control.values(), 60)} - {""}
        for query in ("?q=zzz", "?" + "a=1&" * 60, "?target=zzz", "?target=-1"):
            refusals.at(model.open_query, query)
        for id, question in QUESTIONS.items():
            for control in question.controls:
                refusals.at(model.open_query, f"?q={id}&{control.name}=zzz")
        return list(_without(ids, refusals.said))
