"""What can be stepped through: a match made for it, a saved game, a ready-made position, a tour; and the links to it.

A tour is a list of steps with a teacher's note for each, ready-made (TOML in ``tours`` beside the game) or one's own. A
stop says what to show as a link does ("position=mode-3", "seed=2&players=careful,greedy"), and in a match where:
"turn 6", "decision 12", or "contact 1", the first moment of that key; "contact 1 decision" is the next after it at
which somebody decides.
"""

from __future__ import annotations
import re
import tomllib
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, lru_cache, partial
from importlib import resources
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlencode

import numpy as np
import tomli_w

from navalkit.core.awaited import Steps, finish
from navalkit.core.errors import DataError, OptionError, RecordError, brief
from navalkit.core.files import Fields, linked, packed, unpacked
from navalkit.core.match import Match
from navalkit.core.record import GameRecord
from navalkit.core.registry import game_class, load
from navalkit.core.trace import thinking
from navalkit.core.words import voice
from navalkit.players import player
from .told import Moment, Told
from .walk import DECISION, TURN, WORDS, Walk, walk_of

KEPT, KNOWN = 8, 1024
"""Matches that are kept, for the same one is asked for again and again; and decisions of one."""
MOST, MOST_FIELDS = 60_000, 50
"""Characters of a tour at most, and parts of a link."""
START, END = "start", "end"
_WAYS = "record", "position", "seed"  # and the options of a game
_played: OrderedDict[Any, Show] = OrderedDict()


class Kind(StrEnum):
    """What there is to step through."""

    START = "start"
    POSITION = "position"
    TOUR = "tour"
    FILE = "file"


class Item(NamedTuple):
    """An entry of the chooser: a ready-made thing by its name (a start by its options), or a file, which has none."""

    kind: Kind
    name: str = ""

    @property
    def file(self) -> str:
        """What the files saved from it are called."""
        return "-".join(filter(None, (self.kind, re.sub(r"[^\w-]+", "-", self.name))))


@dataclass(frozen=True, eq=False)
class Show:
    """Something to step through."""

    item: Item
    """Its entry of the chooser."""
    said: Callable[[], tuple[str, str]]
    """Its title, and what it is about, for the present reader: readers share a show."""
    game: Any
    """Under whose rules it stands."""
    row: tuple[Moment[Any], ...]
    match: Match | None = None
    """The whole match; None for a position."""
    query: str = ""
    """The link to it, without a step."""
    players: tuple[str, ...] = ()
    """Who was asked to play it; () for the usual ones."""
    known: OrderedDict[Hashable, Told[Any, Any]] = field(default_factory=OrderedDict, repr=False)
    """The decisions explained so far: moment, who, what was supposed, by whom."""

    @property
    def title(self) -> str:
        return self.said()[0]

    @property
    def about(self) -> str:
        return self.said()[1]

    @property
    def name(self) -> str:
        """The game's name."""
        return str(self.game.name)

    @property
    def walk(self) -> Walk[Any, Any, Any]:
        """What the game says of its decisions."""
        return walk_of(self.game)

    @property
    def opening(self) -> int:
        """The moment that is looked at first."""
        return self.walk.opening(self.row)

    def stops(self, unit: str) -> tuple[int, ...]:
        """Where one stops when stepping by a unit."""
        return _stops(self, unit)

    def askable(self, at: int) -> bool:
        """Whether there is something to predict at a moment: more than one answer."""
        return _askable(self, at)

    def keep(self, key: Hashable, told: Told[Any, Any]) -> None:
        """Keep an explained decision."""
        self.known[key] = told
        if len(self.known) > KNOWN:
            self.known.popitem(last=False)


@lru_cache(maxsize=64)
def _stops(show: Show, unit: str) -> tuple[int, ...]:
    return show.walk.stops(show.row, unit)


@lru_cache(maxsize=1024)
def _askable(show: Show, at: int) -> bool:
    return bool(show.row[at].who) and len(show.walk.answers(show.game, show.row[at])) > 1


# Links ----------------------------------------------------------------------------------------------------------------

class Asked(NamedTuple):
    """What an address asks for: something to show, a moment, what to step by, and how many lines are told."""

    show: Show
    at: int
    unit: str
    told: int


def game_of(query: str) -> str:
    """The game that a query string asks for, by "game" or by its record; "" if it names none. RecordError if the record
    is none."""
    asked = _parts(query)
    return asked.get("game") or (GameRecord.from_link_text(asked["record"]).game if "record" in asked else "")


def asks(name: str, query: str) -> bool:
    """Whether a query string asks for something of a game to step through."""
    return bool(_parts(query).keys() & {"step", "ply", *_WAYS, *_options(name)})


def eyes(query: str) -> str:
    """For whose eyes a query string asks: "class", "me", or "". Where a class is opened, nothing is to be seen that it
    may be asked."""
    asked = _parts(query)
    found = asked.get("view", "class" if "class" in asked else "")
    return found if found in ("class", "me") else ""


def on_screen(query: str) -> bool:
    """Whether a query string asks for the page that stands before a class, without what a teacher needs."""
    return _parts(query).get("view") == "class"


def from_query(name: str, query: str) -> Steps[Asked]:
    """What a query string asks for, of a game by its name; the game's first show if for nothing.

    OptionError, DataError, RecordError if there is no such thing, or a figure or the record is wrong.
    """
    walk = walk_of(load(name))
    asked = _parts(query)
    if not asked.keys() & {*_WAYS, *_options(name)}:
        asked = _parts(first(name)) | asked
    at, told = (_number(asked, each, "0") for each in ("step", "line"))
    if "record" in asked:
        show = saved(name, (yield from Match.replaying(GameRecord.from_link_text(asked["record"]))))
    elif "position" in asked:
        show = position(name, asked["position"])
    else:
        seed = _number(asked, "seed", _parts(walk.first)["seed"])
        game = load(name, **{key: asked[key] for key in _options(name) & asked.keys()})
        show = yield from played(game, seed, tuple(filter(None, asked.get("players", "").split(","))))
    if not asked.keys() & {"step", "ply"}:
        at = show.opening
    if "ply" in asked:
        ply = _number(asked, "ply", "0")
        at = next((i for i, moment in enumerate(show.row) if moment.ply >= ply), len(show.row) - 1)
    return Asked(show, at, asked.get("by", ""), told)


def from_item(name: str, item: Item) -> Steps[Asked]:
    """What an entry of the chooser asks for."""
    seed = _parts(first(name))["seed"]
    query = f"?{item.name}&seed={seed}" if item.kind is Kind.START else f"?{item.kind}={item.name}"
    return (yield from from_query(name, query))


def after(name: str, item: Item) -> Item:
    """The next entry of the chooser."""
    items = [each for _, each in choices(name)]
    return items[(items.index(item) + 1) % len(items) if item in items else 0]


def _parts(query: str) -> dict[str, str]:
    try:
        return {key: values[-1] for key, values in parse_qs(query.lstrip("?"), max_num_fields=MOST_FIELDS).items()}
    except ValueError:
        raise OptionError(WORDS("unknown.parts", most=MOST_FIELDS)) from None


def _options(name: str) -> set[str]:
    return {spec.name for spec in game_class(name).specs} - {"seed"}


def _number(asked: Mapping[str, str], what: str, usual: str) -> int:
    text = asked.get(what, usual)
    if not (text.isascii() and text.isdigit() and len(text) < 40):
        raise OptionError(WORDS("unknown.number", what=what, text=repr(text[:40])))
    return int(text)


# Shows ----------------------------------------------------------------------------------------------------------------

def first(name: str) -> str:
    """What is asked of a game if its address asks for nothing."""
    return f"?{walk_of(load(name)).first}"


def blank(name: str) -> Show:
    """Something to look at that takes no time: the first ready-made position, or how a match begins."""
    game = load(name)
    walk = walk_of(game)
    if walk.positions():
        return position(name, next(iter(walk.positions())))
    begun = walk.row(Match.new(game, 1))[-1]
    return Show(Item(Kind.FILE), partial(walk.about, game), game, (replace(begun, who=""),))


def played(game: Any, seed: int, players: Sequence[str] = ()) -> Steps[Show]:
    """A match played to its end by machine players; the same seed and players give the same match. ``players``: one for
    all, or one for each seat that decides; left out, the walk's own, or those of the game's page. OptionError if there
    is no such player, or the seed is out of range."""
    key = game, seed, tuple(players), voice().lang  # its moments name who decides
    if key not in _played:
        walk = walk_of(game)
        match = yield from _playing(walk, game, seed, seats(game, players))
        asked = {"seed": seed} | ({"players": ",".join(players)} if players else {})
        item = Item(Kind.START, _written(game))
        query = f"?{'&'.join(filter(None, (item.name, urlencode(asked, safe=','))))}"
        while len(_played) >= KEPT:
            _played.popitem(last=False)
        _played[key] = Show(item, partial(walk.about, game), game, walk.row(match), match, query, tuple(players))
    _played.move_to_end(key)
    return _played[key]


def _written(game: Any) -> str:
    """The options of a game that differ from their defaults, as a query."""
    return urlencode({name: linked(value) for name, value in game.chosen.items()})


def seats(game: Any, players: Sequence[str] = ()) -> tuple[str, ...]:
    """Who plays a match that is made for stepping, by player number; `played` says what ``players`` are."""
    walk = walk_of(game)
    deciders = [seat for seat in range(len(game.players)) if seat not in game.automatic]
    names = list(players or walk.players or [walk.captain(game, seat, _usual(walk, game))[0] for seat in deciders])
    if len(names) == 1:
        names *= len(deciders)
    if len(names) != len(deciders):
        raise OptionError(WORDS("unknown.players", game=game.title, n=len(deciders), m=len(names)))
    named = dict(zip(deciders, names, strict=True))
    return tuple(named.get(seat, role) for seat, role in enumerate(game.players))


def _usual(walk: Walk[Any, Any, Any], game: Any) -> Sequence[str]:
    page = walk.page(game)
    return page.seats if page else ()


def _playing(walk: Walk[Any, Any, Any], game: Any, seed: int, named: Sequence[str]) -> Steps[Match]:
    match = Match.new(game, seed, named)
    machines = {seat: player(name, game) for seat, name in enumerate(named) if seat not in game.automatic}
    while not match.over:
        rng = np.random.default_rng(match.ply)  # as the walk asks them again
        decided = yield from thinking(machines[match.turn], match.observe(), match.legal(), rng)
        match.play(decided.action)
        yield walk.share(game, match.state)
    return match


def saved(name: str, match: Match) -> Show:
    """A game from a file or a link, once it is over or an analysis: till then it would tell what its players must not
    know. RecordError if it is not, or a game of something else."""
    game, walk = match.game, walk_of(match.game)
    if game.name != name:
        raise RecordError(WORDS("open.foreign", game=game.name, own=name))
    if match.secret and not match.analysis:
        raise RecordError(WORDS("open.secret"))
    n = match.stray_luck

    def said() -> tuple[str, str]:
        title, about = walk.about(game)
        return WORDS("show.saved", title=title) if n is None else WORDS("show.luck", title=title, n=n), about

    query = f"?{urlencode({'record': match.record().link_text()})}"
    return Show(Item(Kind.FILE), said, game, walk.row(match), match, query)


def from_file(name: str, data: bytes) -> Steps[Show]:
    """A saved game, or a scenario of one's own played to its end; RecordError, OptionError if it is neither."""
    walk = walk_of(load(name))
    options = walk.own(data)
    if options is None:
        return saved(name, (yield from Match.replaying(GameRecord.loads(data))))
    show = yield from played(load(name, **options), _number(_parts(walk.first), "seed", "1"))
    assert show.match is not None
    return replace(show, item=Item(Kind.FILE), query=f"?{urlencode({'record': show.match.record().link_text()})}")


def position(name: str, which: str) -> Show:
    """A ready-made position, and what is done in it; DataError, OptionError if there is none."""
    walk = walk_of(load(name))
    game, row, title, about = walk.position(which)
    said = lambda: (walk.name(title), str(about))  # noqa: E731
    return Show(Item(Kind.POSITION, which), said, game, row, query=f"?position={which}")


def choices(name: str) -> tuple[tuple[str, Item], ...]:
    """What the chooser offers of a game: (label, entry), tours first."""
    return _choices(name, voice().lang)


@cache
def _choices(name: str, lang: str) -> tuple[tuple[str, Item], ...]:
    walk = walk_of(load(name))
    tours = [find(name, each) for each in tour_names(name)]
    return (
        *((walk.say("show.tour", title=tour.title, minutes=tour.minutes), tour.item) for tour in tours),
        *((walk.say("show.start", title=title), Item(Kind.START, _written(load(name, **options))))
          for title, options in walk.starts(name)),
        *((walk.say("show.position", title=walk.name(title)), Item(Kind.POSITION, each))
          for each, title in walk.positions().items()),
    )  # fmt: skip


# Tours ----------------------------------------------------------------------------------------------------------------

@dataclass(frozen=True, slots=True)
class Stop:
    """One step of a tour."""

    query: str
    """What is shown, as in a link."""
    title: str
    """What the class reads."""
    note: str
    """What the teacher alone reads."""
    minutes: int = 2
    at: str = ""
    """Where in a match; see above. "" is where the query says."""
    predict: bool = False
    """Whether the class is asked first."""
    steps: int = 0
    """Moments after this one that belong to it: what came of the decision."""
    ask: str = ""
    """Which question the class is asked first, of the walk's `asks`; "" is the usual one."""

    def find(self, name: str) -> tuple[Show, int]:
        """What to show of a game, and the moment; OptionError, DataError, RecordError if there is no such thing, or the
        match has no such moment."""
        return finish(self.finding(name))

    def finding(self, name: str) -> Steps[tuple[Show, int]]:
        """As `find`, in steps."""
        if not asks(name, self.query):
            raise DataError(WORDS("tour.shows-nothing", query=brief(self.query)))
        known = walk_of(load(name)).asks
        if self.ask and self.ask not in known:
            raise DataError(WORDS("tour.asks-nothing", ask=brief(self.ask), known=", ".join(known)))
        asked = yield from from_query(name, self.query)
        return asked.show, self._moment(asked.show) if self.at else asked.at

    def _moment(self, show: Show) -> int:
        kind, *more = self.at.split()
        if kind in (START, END):
            at = 0 if kind == START else len(show.row) - 1
        else:
            number = int(more.pop(0)) if more and more[0].lstrip("-").isdecimal() else 1
            keyed = list(_keyed(show, kind, number))
            number = 1 if kind == TURN else number
            if not 1 <= abs(number) <= len(keyed):
                raise DataError(WORDS("tour.no-moment", at=brief(self.at), show=show.title))
            at = keyed[number - (number > 0)]
        if DECISION in more:
            at = next((i for i in range(at, len(show.row)) if show.row[i].who), at)
        return at


def _keyed(show: Show, kind: str, number: int) -> Iterator[int]:
    """The moments of a kind."""
    for i, moment in enumerate(show.row):
        if kind == DECISION and moment.who or kind == TURN and moment.turn == number or kind in moment.keys:
            yield i


@dataclass(frozen=True, slots=True)
class Tour:
    """A tour: its stops, and what a teacher reads before choosing it."""

    id: str
    title: str
    about: str
    stops: tuple[Stop, ...] = ()
    game: str = ""
    """Of which game it is; "" in a file that does not say so, as one written by hand."""

    @property
    def minutes(self) -> int:
        """How long it takes."""
        return sum(stop.minutes for stop in self.stops)

    @property
    def item(self) -> Item:
        """Its entry of the chooser."""
        return Item(Kind.TOUR, self.id)

    def query(self, name: str) -> str:
        """What a link to it holds: its name, or all of it."""
        return f"?tour={self.id if self.id in tour_names(name) else '~' + self._packed()}"

    def with_stop(self, stop: Stop, at: int | None = None) -> Tour:
        """The tour with one stop more, as the last; or with another one in place of the one at that index."""
        stops = [*self.stops]
        if at is None:
            stops.append(stop)
        else:
            stops[at] = stop
        return replace(self, stops=tuple(stops))

    def without(self, at: int) -> Tour:
        """The tour without a stop."""
        return replace(self, stops=(*self.stops[:at], *self.stops[at + 1 :]))

    def moved(self, at: int, by: int) -> Tour:
        """The tour with a stop that many places later, or earlier, as far as that goes."""
        stops = [*self.stops]
        stops.insert(max(0, min(len(stops) - 1, at + by)), stops.pop(at))
        return replace(self, stops=tuple(stops))

    def dumps(self) -> str:
        """The tour as TOML."""
        stops = [
            {"show": stop.query} | ({"at": stop.at} if stop.at else {}) | ({"predict": True} if stop.predict else {})
            | ({"ask": stop.ask} if stop.ask else {}) | ({"steps": stop.steps} if stop.steps else {})
            | {"minutes": stop.minutes, "title": stop.title, "note": stop.note}
            for stop in self.stops
        ]  # fmt: skip
        game = {"game": self.game} if self.game else {}
        return tomli_w.dumps({"title": self.title, "about": self.about} | game | {"stop": stops})

    def _packed(self) -> str:
        return packed(self.dumps())


def draft(name: str = "") -> Tour:
    """An empty tour of a game, to be put together by a teacher."""
    return Tour("", WORDS("tour.own"), WORDS("tour.own.about"), game=name)


@cache
def tour_names(name: str) -> tuple[str, ...]:
    """The ready-made tours of a game."""
    try:
        folder = resources.files(load(name).package) / "tours"
    except TypeError:  # a game in a single module has no folder
        return ()
    found = folder.iterdir() if folder.is_dir() else ()
    return tuple(sorted(file.name.removesuffix(".toml") for file in found if re.fullmatch(r"[^.]+\.toml", file.name)))


def find(name: str, which: str) -> Tour:
    """A ready-made tour of a game; DataError if there is none of that name. What it says is the present reader's
    language where there is, say, a WHICH.de.toml: its titles and notes stop by stop, as far as they differ."""
    return _find(name, which, voice().lang)


@cache
def _find(name: str, which: str, lang: str) -> Tour:
    if which not in tour_names(name):
        listed = ", ".join(tour_names(name)) or WORDS("field.none")
        raise DataError(WORDS("tour.unknown", name=brief(which), names=listed))
    folder = resources.files(load(name).package) / "tours"
    tour = replace(loads((folder / f"{which}.toml").read_text(encoding="utf-8")), id=which)
    if not (own := folder / f"{which}.{lang}.toml").is_file():
        return tour
    table = tomllib.loads(own.read_text(encoding="utf-8"))
    said = table.pop("stop")
    if len(said) != len(tour.stops):
        raise DataError(WORDS("tour.stops.lang", name=which, lang=lang, n=len(tour.stops), m=len(said)))
    stops = tuple(replace(stop, **more) for stop, more in zip(tour.stops, said, strict=True))
    return replace(tour, stops=stops, **table)


def is_tour(data: bytes) -> bool:
    """Whether a file is a tour: it has stops."""
    return b"[[stop]]" in data


def loads(text: str) -> Tour:
    """A tour from its TOML text; DataError if it is no tour; it names the stop and what is wrong with it."""
    if len(text) > MOST:
        raise DataError(WORDS("tour.long", n=len(text), most=MOST))
    f = Fields.of(text, WORDS("tour.itself"))
    stops = tuple(map(_stop, f.rows("stop", range(1, MOST), WORDS.phrase("tour.stops"))))
    return Tour("", f.text("title", WORDS("tour.own")), f.text("about", ""), stops, f.text("game", ""))


def _stop(f: Fields) -> Stop:
    show, title, note = (f.take(name, str, WORDS("tour.text")) for name in ("show", "title", "note"))
    minutes, at, predict = f.whole("minutes", range(1000), 2), f.text("at", ""), f.flag("predict")
    steps, ask = f.whole("steps", range(1000), 0), f.text("ask", "")
    f.done()
    return Stop(show.lstrip("?"), title, note, minutes, at, predict or bool(ask), steps, ask)


def faults(name: str, tour: Tour) -> Iterator[str]:
    """What cannot be shown of a tour, stop by stop."""
    for number, stop in enumerate(tour.stops, 1):
        try:
            stop.find(name)
        except (DataError, OptionError) as error:
            yield WORDS("tour.fault", n=number, why=error)


def tour_of(name: str, query: str) -> tuple[Tour, int, int] | None:
    """The tour of a game that a query string asks for, the stop, and how many lines are told; None if it asks for none.
    DataError if there is no such tour, or what the link holds is none."""
    asked = _parts(query)
    which = asked.get("tour", "")
    if not which:
        return None
    stop, line = (int(asked[key]) if asked.get(key, "").isdecimal() else 0 for key in ("stop", "line"))
    return (_unpacked(which[1:]) if which.startswith("~") else find(name, which)), min(stop, 999), min(line, 999)


def _unpacked(text: str) -> Tour:
    try:
        return loads(unpacked(text, MOST))
    except ValueError:
        raise DataError(WORDS("tour.damaged")) from None
