"""The part of a film that boats, hunters and aircraft have: flights on their way, fights, flak, drops, searches.

What each came to is told when it is seen: a raid's hits when they fall, a contact when the sound comes back.
"""

from __future__ import annotations
from collections.abc import Sequence
from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING

from navalkit.core.words import Event
from navalkit.view.film import FADE, Beat, Mark, Travel
from navalkit.view.scene import Point
from ..planes import TO_A_DIE
from ..sight import Observation
from . import SAY

if TYPE_CHECKING:
    from .effects import Story

FLOWN = ("flies", "patrols", "attacks", "launches", "lands", "homeward")
RAIDS = ("fight", "flak", "under", "caught", "bombs")
HUNTS = ("contact", "nothing", "pinged", "charges", "hedgehog", "squid")
NOTES = {"periscope": "ring", "forced": "ring", "screws": "hit", "burn": "hit"}  # events that are one mark with words
Told = tuple[Observation, Event]  # what was seen before, and what happened

_FLY, _APART, _STAYS = 350, 120, 700  # ms that a flight is seen to fly, from one flight's to the next, of a note
_FIGHT, _FLAK, _FALL, _REST, _NEXT = 450, 350, 550, 300, 800
"""Ms of a fight, of the guns, until a drop is down, until what it did is counted, and from one target to the next."""
_BURSTS, _TURN = 6, pi * (3 - sqrt(5))  # bursts of flak at most; radians between two drops


def flown(story: Story, event: Event) -> None:
    """A flight goes up, to its place or down; several set out soon after one another."""
    at = max(story.now, story.end - _FLY + _APART)
    story.ways[event.facts["flight"]] = Travel(event.facts["flight"], at=at, ms=_FLY)
    story.now, story.end = at, max(story.end, at + _FLY)


def note(story: Story, seen: Observation, event: Event) -> None:
    """What one mark and a few words tell: a periscope seen, a boat forced up, screws wrecked, flights that burn."""
    spot = _square(story, event) or story.places.ship(seen, event.facts["ship"])
    if spot is None:
        return
    at = story.now = max(story.now, story.end)
    words = SAY(f"film.{event.kind}", **{"n": 0, **event.facts})
    story.marks.append(Mark(NOTES[event.kind], *spot, r=0.55 * story.places.side, at=at))  # type: ignore[arg-type]
    story.marks.append(_words(story, spot, words, at))
    story.now, story.end = at + _APART, at + _STAYS


def _words(story: Story, spot: Point, words: str, at: float, tone: str = "ink") -> Mark:
    return Mark("note", spot[0], spot[1] - 0.6 * story.places.side, r=14, tone=tone, text=words, at=at, ms=_STAYS)


def _square(story: Story, event: Event) -> Point | None:
    """The square that an event names, if the board shows it."""
    name = event.facts.get("square", "")
    return story.places.named(name) if name and story.places.shows(name) else None


# Searches (F50 to F52) ------------------------------------------------------------------------------------------

def hunted(story: Story, told: Sequence[Told]) -> None:
    """Searches one after the other: sound goes out, what comes back is said, and charges fall."""
    at = story.now = max(story.now, story.end)
    for _, event in told:
        spot = _square(story, event)
        if spot is None:
            continue
        side, facts = story.places.side, event.facts
        if event.kind in ("contact", "nothing", "pinged"):
            who = facts.get("ship", facts.get("boat", ""))
            story.beats.append(Beat(SAY(f"film.{'pinged' if event.kind == 'pinged' else 'hunts'}", ship=who,
                                        square=facts["square"]), at))
            story.marks.append(Mark("ping", *spot, r=0.8 * side, tone="sky", at=at, ms=_FALL))
            if event.kind != "pinged":
                story.marks.append(_words(story, spot, SAY(f"film.{event.kind}"), at + _FALL - 100))
            at += _FALL
        else:
            for n in range(4):
                angle, when = n * _TURN, at + 70 * n
                there = spot[0] + 0.3 * side * cos(angle), spot[1] + 0.3 * side * sin(angle)
                story.marks.append(Mark("splash", *there, r=0.22 * side, tone="card", at=when, ms=450))
            key = "breaks" if facts["points"] else "oil" if facts["oil"] else "harmless"
            if facts["points"]:
                story.marks.append(Mark("hit", *spot, r=0.5 * side, tone="vermilion", at=at + _REST))
            story.marks.append(_words(story, spot, SAY(f"film.{key}", points=facts["points"]), at + _REST))
            at += _FALL
    story.now, story.end = at, max(story.end, at + _REST)


# Raids (F61 to F67) ---------------------------------------------------------------------------------------------

def raided(story: Story, told: Sequence[Told], sunk: frozenset[str]) -> None:
    """Raids, target by target: fighters, then guns, then what is dropped and what it does."""
    at = story.now = max(story.now, story.end)
    targets = list(dict.fromkeys(event.facts["ship"] if event.kind == "flak" else event.facts["target"]
                                 for _, event in told if event.kind in ("flak", "bombs")))
    spots = [spot for seen, _ in told[:1] for name in targets if (spot := story.places.ship(seen, name))]
    fights = [event for _, event in told if event.kind == "fight"]
    if fights and spots:
        at = _fought(story, fights, spots[0], at)
    for target in targets:
        own = [(seen, event) for seen, event in told if target in (event.facts.get("ship"), event.facts.get("target"))]
        spot = story.places.ship(own[0][0], target)
        if spot is not None:
            story.end = max(story.end, _struck(story, target, own, spot, at, target in sunk))
            at += _NEXT
    story.now = story.end


def _fought(story: Story, fights: Sequence[Event], spot: Point, at: float) -> float:
    """Fighters about a target: flashes, and how many went down of each side."""
    first, side = fights[0].facts, story.places.side
    story.beats.append(Beat(SAY("film.fight", flight=first["flight"], other=first["other"]), at))
    for n in range(min(8, 2 * len(fights))):
        there = spot[0] + 0.9 * side * cos(n * _TURN), spot[1] - 0.5 * side + 0.6 * side * sin(n * _TURN)
        story.marks.append(Mark("flash", *there, r=0.16 * side, at=at + 50 * n, ms=200))
    down: dict[str, int] = {}
    for event in fights:
        down[event.facts["other"]] = down.get(event.facts["other"], 0) + event.facts["down"]
    lost = ", ".join(SAY("film.down", flight=name, n=n) for name, n in down.items() if n)
    story.marks.append(_words(story, spot, lost or SAY("film.down.none"), at + _FIGHT - 100))
    return at + _FIGHT


def _struck(story: Story, target: str, told: Sequence[Told], spot: Point, at: float, sinks: bool) -> float:
    """All attacks on one ship; returns when they have been told."""
    side, seen = story.places.side, told[0][0]
    names = list(dict.fromkeys(event.facts["flight"] for _, event in told if "flight" in event.facts))
    key = "film.raid" if len(names) == 1 else "film.raid.many"
    story.beats.append(Beat(SAY(key, flight=names[0] if names else "", n=len(names), target=target), at))
    off: dict[str, int] = {}
    shots = [event.facts for _, event in told if event.kind == "flak"]
    for n in range(min(_BURSTS, 2 * len(shots))):
        there = spot[0] + 0.7 * side * cos(n * _TURN), spot[1] - 0.7 * side + 0.35 * side * sin(n * _TURN)
        story.marks.append(Mark("flash", *there, r=0.2 * side, tone="ink", at=at + 50 * n, ms=300))
    for facts in shots:
        off[facts["flight"]] = facts["off"] - facts["lost"]
    stopped, lost = (sum(facts[name] for facts in shots) for name in ("off", "lost"))
    if stopped:
        story.marks.append(_words(story, spot, SAY("film.flak", off=stopped, lost=lost), at + _FLAK - 100))
    at += _FLAK * bool(shots)
    for _, event in told:
        if event.kind in ("under", "caught"):
            story.marks.append(_words(story, spot, SAY(f"film.{event.kind}"), at))
            at += _REST
    dice = hits = points = 0
    for seen, event in told:
        if event.kind != "bombs":
            continue
        number = seen.battle.wings[event.facts["flight"]]
        squadron = seen.battle.flights[number]
        left = seen.view.flights[number].count - off.get(squadron.name, 0)
        thrown = max(event.facts["hits"], -(-left // TO_A_DIE) if squadron.level else left)
        angle, torpedo = dice * 0.3 + len(names), not squadron.level and squadron.plane.weapon == "torpedo"
        start = spot[0] + 1.7 * side * cos(angle), spot[1] + 1.7 * side * sin(angle)
        story.marks.append(Mark("track" if torpedo else "shell", *start, to=spot, r=4, tone="ink", at=at, ms=_FALL))
        dice, hits, points = dice + thrown, hits + event.facts["hits"], points + event.facts["points"]
    if not dice:
        return at
    down: float = story.falls(dice, hits, spot, at + _FALL)
    story.beats.append(Beat(SAY("film.hits", hits=hits, n=dice), down + FADE))
    return story.verdict(seen, target, points, spot, down, sinks)
