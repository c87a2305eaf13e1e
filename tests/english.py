"""What a page says, and what of it is English: for pages in German."""

from __future__ import annotations
import itertools
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

import numpy as np
from ipywidgets import Widget

from navalkit.core.errors import OptionError
from navalkit.core.match import Store
from navalkit.core.registry import load
from navalkit.core.words import Voice, speaking
from navalkit.ui.play.app import GameApp
from navalkit.ui.step.page import StepPage
from navalkit.view.film import Film
from navalkit.view.scene import Scene, Text
from navalkit.walks import shows
from navalkit.walks.stepper import MODES, WHAT_IF

ENGLISH = frozenset("""
    the of and your you is are with from this that not all for be it its which who what how when where then at
    by as if or but have had can would she his he their them one two three no yes new game play open save next show
    hide take turn ship torpedoes card cards sunk lost won home mean about expected chances
""".split())
"""Words that no German sentence has; those of both languages ("war", "die", "also", "in") are left out."""
QUOTED = re.compile(
    r"\[Quelle: .*?\]|His nob|attack \d|flip \w\d|„[^“]*“|^Befehl \w+: .*"
    r"|\b[a-z]+(?:[-_=][a-z]+)+\b|\b[A-Z]{2,}\d*\b"
    r"|Prince \w+ Wales|Von \w+ Tann|\bplay \w+|\w+: (?:guns|torpedoes|[A-Z]\d).*"
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
    """The English left on the stepper's page of a game: each mode for so many steps, and all it offers: tours
    with their notes, games, positions."""
    left = set[str]()
    with speaking(Voice(lang)):
        page = StepPage(name, query=f"?lang={lang}")
        step = page.stepper
        page._open_notes()
        for mode in MODES:
            step.use(mode)
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
