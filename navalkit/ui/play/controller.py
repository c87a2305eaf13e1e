"""Everything a page of a game does, without a widget: `Sight` looks at a match, `Turns` plays it, this chooses it.

The app calls one method a click, inside one error boundary; each ends with `changed`, and the app repaints.
"""

from __future__ import annotations
import json
import logging
import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from navalkit.core.errors import NavalkitError, OptionError, RecordError
from navalkit.core.files import MovedError
from navalkit.core.game import CHANCE
from navalkit.core.match import Match, Store, new_token
from navalkit.core.record import GameRecord
from navalkit.core.registry import load, package_of
from navalkit.core.seeds import MAX_SEED, daily_seed
from navalkit.view.lobby import Start, Tutorial, chapters, starts, tutorial
from .. import SAY, shell
from .turns import Prints, Sent, StaleError, Turns, position

if TYPE_CHECKING:
    from navalkit.rooms.table import Table


# -- The game of the day: whose day a seed is of, and how a day is written -------------------------

DAYS = 366
"""How many past daily games are recognised."""


def today() -> date:
    """The day by UTC, so that it is the same day for everybody."""
    return datetime.now(UTC).date()


def spell(day: date) -> str:
    """A day as "21 November 2026"."""
    return SAY("day", day=day.day, month=SAY(f"month.{day.month}"), year=day.year)


@lru_cache(maxsize=16)
def day_of(game: str, seed: int, now: date) -> date | None:
    """The day within the last year whose seed this is, of a game by its name; None if it is no day's."""
    days = (now - timedelta(days=n) for n in range(DAYS))
    return next((day for day in days if daily_seed(game, day) == seed), None)


class Streak:
    """The daily games of one kind that the reader has ended on their own day, in order: kept in the browser."""

    def __init__(self) -> None:
        self.days: list[date] = []

    def loads(self, text: str | None) -> None:
        """Take what the browser kept; what is damaged is dropped."""
        try:
            self.days = sorted({date.fromisoformat(day) for day in (text or "").split()})[-DAYS:]
        except ValueError:
            self.days = []

    def dumps(self) -> str:
        """What the browser is to keep."""
        return " ".join(day.isoformat() for day in self.days)

    def note(self, day: date, now: date) -> bool:
        """Put a day's game among them, if it is today's; whether it is new there."""
        if day != now or day in self.days:
            return False
        self.days = [*self.days, day][-DAYS:]
        return True

    def length(self, now: date) -> int:
        """Days in a row, up to today; a game of today that is still to come breaks nothing."""
        last = now if now in self.days else now - timedelta(days=1)
        return next(n for n in range(len(self.days) + 1) if last - timedelta(days=n) not in self.days)


def read_day(text: str) -> date | None:
    """A day from a link, None for "today"; OptionError if it is none."""
    if text == "today":
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise OptionError(SAY("day.bad", day=repr(text[:20]))) from None


def read_beat(text: str, deciders: int) -> str:
    """A friend's result from a link: how a game of two ended, or a lone player's points; "" for anything else."""
    sound = text in ("win", "loss", "draw", "none") if deciders > 1 else re.fullmatch(r"-?\d{1,9}", text)
    return text if sound else ""


log = logging.getLogger(__name__)
_JOURNALS = 50  # of which it is known what was taken: the tabs of one player
_MARK = re.compile(r"([0-9a-f]{16}) (\d{1,9}) (\[.*\])")
"""Kept with the game: the journal of the last order in it, that order's number, and what was typed ahead (`later`)."""


class Controller(Turns):
    """One page's game: begun here, opened from a file or a link, and kept while it is in progress.

    ``name``: the game ("uss-lox"). ``store``: where the game in progress is kept; None keeps nothing. ``adviser`` and
    ``seats``: as for `Sight`.
    """

    def __init__(self, name: str, store: Store | None = None, adviser: str = "",
                 seats: tuple[str, ...] | None = None) -> None:
        super().__init__(name, adviser, seats)
        self.store = store
        self.token = ""
        self.kept: Callable[[], None] = lambda: None
        """Called when the token of the game in progress is new, or whether it is under way: the browser keeps both."""
        self.under_way: bool | None = None
        """Whether somebody has played in it, and it goes on: the lobby then offers to continue it."""
        self.chosen_seed = False
        """Whether somebody chose the seed: then it is no secret of this game."""
        self.beat = ""
        """What a friend came to in the game of the day, who sent the link to it."""
        self.wants_review = False  # whether the link that opened it asks for the review
        self.opened = False  # whether the game came to its end elsewhere: then it is nobody's personal best
        self.handled: dict[str, int] = {}
        """Journal -> the number of its last order that was taken; the journal of the last one of all is last."""
        self.safe = 0
        """Up to which number the orders of that journal need not be sent again, whatever happens to this process."""
        self.unsure: int | None = None
        """The same before the first order of which the store has not said yet that it is kept; None without one."""
        self._refused: dict[tuple[str, int], NavalkitError] = {}  # orders that were refused lately, and why
        self._prints = Prints()
        self._ahead: list[Sent] = []  # orders for positions that a machine's moves will lead to
        # A position, the orders for it that were played, and where they led to.
        self._played: tuple[str, list[Mapping[str, Any]], str] = "", [], ""

    @property
    def ticket_key(self) -> str:
        """Under which the browser keeps the ticket to a table shared with another device."""
        return f"{self.name}:table?"

    # Orders that come over a line ---------------------------------------------------------------------------------

    @property
    def position(self) -> str:
        """Where the game stands, for orders to be given for: what was played, and how one looks at it."""
        look = blake2b(repr((sorted(map(repr, self.picks)), self.window)).encode(), digest_size=4).hexdigest()
        return position(self.match.ply, self._prints(self.match, self.match.ply, self.me, self.held), look)

    def standing(self, journal: str = "") -> dict[str, Any]:
        """What a journal is told, or, left out, the one whose order was taken last: the position (``at``), the number
        of its last order that was taken (``n``), and up to which of them it need keep none (``safe``)."""
        last = next(reversed(self.handled), "")
        number = self.handled.get(journal or last, 0)
        safe = self.safe if self.unsure is None else min(self.safe, self.unsure)
        return {"at": self.position, "journal": journal or last, "n": number,
                "safe": safe if journal in ("", last) else number}

    def take(self, sent: Sent) -> None:
        """Do what an order says, once, however often it is sent; NavalkitError if it cannot be done, StaleError if it
        was given for another position than the game's, and is no further one of those that led from there to here.
        What is to be heard after another that has not come is left: the journal sends both again. One that was refused
        and comes again, as its answer was lost, is refused again."""
        if (why := self._refused.get(sent[:2])) is not None:
            raise why
        if sent.number <= self.handled.get(sent.journal, 0) or any(
                sent[:2] == each[:2] for each in self._ahead):
            return
        ply = sent.at.partition(".")[0]
        if self.desk.busy("machine") and ply.isdecimal() and len(ply) < 7 and int(ply) > self.match.ply:
            self._ahead.append(sent)
            return
        if sent.after > self.handled.get(sent.journal, 0):
            return
        last, before, known = next(reversed(self.handled), ""), (self.position, self.safe), (self.handled, self.safe)
        others = [each for each in self.handled.items() if each[0] != sent.journal]
        self.handled = mine = dict(others[-_JOURNALS:]) | {sent.journal: sent.number}
        if last != sent.journal:
            self.safe = sent.number - 1
            self.unsure = None if self.unsure is None else self.safe
            before = before[0], self.safe
        unwritten = False
        try:
            if not self._fits(sent, further=last == sent.journal):
                raise StaleError(SAY("order.stale"))
            if self.table is not None:
                self.table.giving = sent.journal, sent.number
            self.act(sent.do)
        except NavalkitError as error:
            unwritten = error.status == 503
            if not unwritten:
                self._refused = dict([*self._refused.items()][1 - _JOURNALS:]) | {sent[:2]: error}
            raise
        finally:
            if self.table is not None:
                self.table.giving = None
            if self.handled is not mine:  # something newer was taken up, which tells what was taken
                pass
            elif self.position == before[0]:  # it left nothing behind
                self.safe += before[1] == self.safe == sent.number - 1
            elif (now := self.position.split(".")[1]) != before[0].split(".")[1]:
                self._played = sent.at, [*(self._played[1] if self._played[0] == sent.at else ()), sent.do], now
            if unwritten:  # for both devices, that is: the journal sends it again
                self.handled, self.safe = known

    def _fits(self, sent: Sent, *, further: bool) -> bool:
        """Whether an order is for the present position. Another of the same journal is, too, if nobody else has done
        anything since: its sender knew of the first. The same order once more is a double press."""
        ply, _, rest = sent.at.partition(".")
        print_, _, look = rest.partition(".")
        now = self.position.split(".")
        if [ply, print_] == now[:2] and (look == now[2] or "point" not in sent.do):
            return True
        at = int(ply) if ply.isdecimal() and len(ply) < 7 else -1
        led = self._played[0] == sent.at and self._played[2] == now[1]  # also by taking back
        known = led or (0 <= at <= self.match.ply and self._prints(self.match, at, self.me) == print_)
        if not further or not known:
            return False
        if any(each.by not in (CHANCE, self.me) for each in self.match.plies[at:]):
            return False
        return not (self._played[0] == sent.at and sent.do in self._played[1])

    def _typed_ahead(self, mark: str) -> list[tuple[int, int, Any]]:
        """What was kept of `later` with the game; nothing if that is damaged."""
        try:
            return [(by, min(ply, self.match.ply), self.game.parse_action(text)) for by, ply, text in json.loads(mark)]
        except (ValueError, TypeError):
            return []

    # New games, files and links ---------------------------------------------------------------------------------

    def new(self, seed: str | int | None = None, options: Mapping[str, Any] | None = None,
            seats: tuple[str, ...] | None = None) -> None:
        """Start a new game; options and seats left out stay as they are."""
        game = load(self.name, **(self.game.options if options is None else options))
        match = self.fresh(game, _seed(seed), self.seats if seats is None else seats)
        self._take(match, "", chosen_seed=_seed(seed) is not None)
        if self.against and not self.watched:  # beneath it stands what the game is about
            self.say(SAY("new.game.against", captain=self.against))

    def deal(self) -> None:
        """Draw chance anew for a game that nobody has seen yet."""
        self._take(self.fresh(self.game, None, self.seats), "")

    def new_daily(self, day: date | None = None) -> None:
        """Start the game that everybody plays on that day (left out, today): usual options, a seed nobody is shown."""
        now = today()
        if day and day > now:
            raise OptionError(SAY("day.future", day=spell(day), today=spell(now)))
        match = self.fresh(load(self.name), daily_seed(self.name, day or now), self.seats)
        self._take(match, SAY("day.new", day=spell(day or now)))

    def sit_down(self, table: Table) -> None:
        """Play with somebody on another device from now on."""
        if table.done:
            self.handled = table.rooms.given(table.code, table.seat)
            self.safe = next(reversed(self.handled.values()), 0)
        self._take(table.match, SAY("table.joined" if table.done else "table.new"), table=table)

    def catch_up(self) -> bool:
        new = super().catch_up()
        return self._another_game() or new

    def answer(self, agreed: bool) -> None:
        super().answer(agreed)
        self._another_game()

    def again(self, how: str) -> None:
        super().again(how)
        self._another_game()

    def _another_game(self) -> bool:
        """Go on with the next game at the table, if it has begun; whether it has."""
        if (table := self.table) is None or table.match is self.match:
            return False
        self._take(table.match, "", table=table)
        self.say(SAY("table.another", side=self.name_of_seat))
        return True

    def new_first(self, chapter: str = "") -> None:
        """Start the game's first game, or that of a chapter."""
        first = tutorial(self.name, self._chapter(chapter))
        match = self.fresh(load(self.name, **first.options), first.seed, first.seats)
        self._take(match, "", chosen_seed=True, first=first)

    def _chapter(self, asked: str) -> str:
        return asked if asked in chapters(self.name) else ""

    @property
    def promised(self) -> Start | None:
        """The way to begin that the first game promises; None if it names none."""
        title = self.first.next if self.first else ""
        return next((start for start in starts(self.name) if (start.title == title if title else start.promised)), None)

    def new_promised(self) -> None:
        """Start what the first game has promised, against the page's own players."""
        if (start := self.promised) is None:
            self.new_start()
        else:
            self.new(options=start.options, seats=self.page.seats)

    def new_start(self) -> None:
        """Start the game that a newcomer is offered first, against the page's own players."""
        offered = starts(self.name)
        self.new(options=offered[0].options if offered else {}, seats=self.page.seats)

    @property
    def played(self) -> str:
        """What is played, and against whom: what bests are kept by."""
        found = (start for start in starts(self.name) if self.plays(start))
        other = SAY("bests.own") if starts(self.name) else self.game.title
        title = next((start.said("title") for start in found), other)
        named = {each.name: each.called for each in package_of(self.game).offered("CAPTAINS", ())}
        others = [seat for number, seat in enumerate(self.seats) if number != self.me and seat]
        against = ", ".join(named.get(seat, seat) for seat in others)
        return SAY("bests.against", title=title, captains=against) if against else title

    def plays(self, start: Start) -> bool:
        """Whether the game has the options of a way to begin."""
        options = self.game.options
        return all(options[s.name] == s.check(start.options.get(s.name, s.default)) for s in self.game.specs)

    def try_from(self, ply: int) -> None:
        """Play on from an earlier step of a finished game: another game, an analysis."""
        self._take(self.match.branch(ply), SAY("review.from", n=ply + 1), chosen_seed=True)

    def leave_first(self) -> None:
        """Play on without being led."""
        self.first = None
        self._moved(SAY("first.left"))

    @property
    def secret(self) -> bool:
        """Whether the seed is not to be told yet."""
        shared = self.table is not None and not self.match.over
        return (self.match.secret or shared) and not self.chosen_seed

    @property
    def day(self) -> date | None:
        """The day whose game this is, if it is one of the last that are kept."""
        plain = all(self.game.options[spec.name] == spec.default for spec in self.game.specs)
        return day_of(self.name, self.match.seed, today()) if plain else None

    def day_line(self, streak: int = 0) -> str:
        """The day's result in a line to share: it tells nothing of the game itself. ``streak``: days in a row."""
        day = self.day
        if self.match.outcome is None or day is None:
            return ""
        line = SAY("day.line", game=self.game.title, day=spell(day), result=self.day_result())
        line = SAY("day.line.streak", line=line, days=streak) if streak > 1 else line
        events = [event for ply in self.match.plies for event in ply.events if event.seen_by(self.me)]
        return "\n".join(filter(None, (line, self.page.signs(events, self.me))))

    def day_link(self) -> str:
        """The query of a link to the day's game that holds what one came to, for a friend to beat; "" for none."""
        outcome, day = self.match.outcome, self.day
        if outcome is None or day is None:
            return ""
        beat = self.result(outcome) if len(outcome.scores) > 1 else f"{outcome.scores[self.me]:.0f}"
        return f"?day={day.isoformat()}&beat={beat}"

    def compared(self) -> str:
        """One's own result beside the friend's whose link opened the day's game; "" without one, or before the end."""
        outcome, theirs = self.match.outcome, self.beat
        if outcome is None or not theirs or self.day is None:
            return ""
        if len(outcome.scores) > 1:
            known = ("loss", "none", "draw", "win")
            mine = self.result(outcome)
            said, order = SAY(f"day.{theirs}"), float(known.index(mine) - known.index(theirs))
        else:
            said = SAY("day.score", score=int(theirs), unit=self.page.unit)
            order = round(outcome.scores[self.me]) - int(theirs)
        key = "more" if order > 0 else "less" if order < 0 else "same"
        return SAY(f"day.beat.{key}", theirs=said, mine=self.day_result())

    def day_result(self) -> str:
        """What came of the game, in two words: points, or who won; "" before the end."""
        outcome = self.match.outcome
        if outcome is None:
            return ""
        if len(outcome.scores) > 1:
            return SAY(f"day.{self.result(outcome)}")
        return SAY("day.score", score=outcome.scores[self.me], unit=self.page.unit)

    def open(self, data: bytes, name: str = "") -> None:
        """Open a saved game, as soon as it is verified; on any error the present game stays."""
        self._replay(GameRecord.loads(data), partial(self.take_up, name=name))

    def take_up(self, match: Match, name: str = "") -> None:
        """Go on with a game that was opened."""
        key = "open.analysis" if match.analysis else "open.file"
        self._take(match, SAY(key, name=name or SAY("open.name"), steps=match.ply))

    def open_query(self, query: str) -> bool:
        """Open what a query string asks for: seed and options, a day, or a record, and a step; False if for nothing."""
        asked, step = shell.asked(query)
        specs = {spec.name for spec in self.game.specs}
        if "record" in asked:
            record = GameRecord.from_link_text(asked["record"])
            self._replay(record, partial(self._take_link, step=step, review=asked.get("review", "")))
            return True
        elif "first" in asked:
            self.new_first(asked["first"])
        elif "day" in asked:
            self.new_daily(read_day(asked["day"]))
            self.beat = read_beat(asked.get("beat", ""), self.game.deciders)
        elif "seed" in asked or specs & asked.keys():
            self.new(asked.get("seed"), {key: value for key, value in asked.items() if key in specs})
        elif any(start.opens for start in starts(self.name)):
            self.new_start()
        else:
            return False
        if step is not None:
            self.look_at(step)
        return True

    def _take_link(self, match: Match, step: int | None, review: str) -> None:
        """``review``: of whose game it is asked for, the players counted from 1."""
        self.wants_review = bool(review) and step is None and match.over
        me = int(review) - 1 if review.isdecimal() and len(review) < 3 else None
        self._take(match, SAY("open.link", steps=match.ply), me=me)
        if step is not None:
            self.look_at(step)

    def resume(self, token: str, another_tab: bool = False, first: str | None = None) -> bool:
        """Take up the game kept under the token; False if it is no longer there. What ``another_tab`` is playing, this
        page goes on with a copy of. ``first``: the chapter whose first game it may be: it is led again, as far as that
        was followed."""
        if self.store is None:
            return False
        led = None if first is None else tutorial(self.name, self._chapter(first))
        try:
            record = self.store.load(token) if another_tab else self.store.take_up(token)
            self._replay(record, partial(self._resumed, token, another_tab, led))
        except RecordError:
            return False
        return True

    def _go_on_with(self, store: Store) -> None:
        """Go on with what another process has kept of this game, for it is newer. It is not taken from that process:
        its page may be the one that is looked at, and this one a page that nobody sees any more."""
        self.desk.cancel_all()
        self.held, self._ahead, self._played = None, [], ("", [], "")
        then = partial(self._resumed, self.token, False, self.first, told=SAY("keep.elsewhere"))
        self._replay(store.load(self.token), then)

    def _resumed(self, token: str, another_tab: bool, first: Tutorial | None, match: Match, told: str = "") -> None:
        self.token, self.match, self.view, self.hint = "" if another_tab else token, match, None, None
        self.table, self.window, self.picks = None, None, self.picks.after_game()
        self.opened = match.over
        self._sit()
        self.first = first if first is not None and first.leads(match, self.me) else None
        self.chosen_seed = self.chosen_seed or self.first is not None
        text = told or (SAY("open.resumed") if match.ply else "")
        if another_tab:
            text = SAY("open.copy")
        elif self.store is not None and (mark := _MARK.fullmatch(self.store.mark(token))):
            self.handled, self.safe, self.unsure = {mark[1]: int(mark[2])}, int(mark[2]), None
            if later := self._typed_ahead(mark[3]):
                self.later = later
                self._go_on()
                text = f"{text} {self.status.text}".strip()
        if another_tab:
            self._moved(text)
            return
        self.say(text)
        self._tell_kept(token)  # the tab is perhaps another one than it was kept by

    def outdated(self, query: str) -> bool:
        """Whether a link asks for the game of another day than this one is of; a game that goes on is never so."""
        asked, _ = shell.asked(query)
        busy = self.desk.busy("open") or (self.can_undo() and not self.match.over)
        return "day" in asked and not busy and self.day != (read_day(asked["day"]) or today())

    def link(self) -> str:
        """The query of a link to this game, and to the step one looks at; in play a game of the day is its date."""
        if self.secret and self.day:
            return f"?day={self.day.isoformat()}"
        if self.secret:
            raise OptionError(SAY("link.secret"))
        query = self.match.share()
        return query if self.live or "record=" not in query else f"{query}&step={self.ply}"

    def _replay(self, record: GameRecord, then: Callable[[Match], None]) -> None:
        """Verify a record, move by move, and go on with its match; a long one shows how far it has come, and can be
        stopped. RecordError if it is a game of something else."""

        def verified(match: Match) -> None:
            if match.game.name != self.name:
                raise RecordError(SAY("open.foreign", game=match.game.title))
            then(match)

        self.desk.soon("open", Match.replaying(record), verified)

    def _take(self, match: Match, text: str, chosen_seed: bool = False, table: Table | None = None,
              first: Tutorial | None = None, me: int | None = None) -> None:
        """``me``: through whose eyes the page looks, where a person sits there; left out, the first person's."""
        self.desk.cancel_all()
        self.first, self.held = first, None
        self.covered, self.table = self.covered and table is None, table
        self.match, self.view, self.token, self.chosen_seed = match, None, "", chosen_seed
        self.picks, self.window = self.picks.after_game(), None
        self._earlier = {}
        self.opened = match.over
        if not match.true_to_seed:
            text = f"{text} {SAY('open.luck', n=match.stray_luck)}"
        self._sit()
        if me in self.deciders - self.machines and match.over:
            self.me = me
        self._moved(text)

    def _moved(self, text: str = "") -> None:
        """Tell the page, and keep the game right after it has repainted: nobody waits for the disk."""
        super()._moved(text)
        try:
            self._keep()
        except MovedError:
            if self.store is not None:
                self._go_on_with(self.store)
        except OSError as error:  # a full disk, say: the game goes on
            log.exception("a game in progress could not be kept")
            self.unkept(error, text)
        while self._ahead and not self.desk.busy("machine"):
            self.take(self._ahead.pop(0))

    def unkept(self, error: OSError, text: str = "") -> None:
        """Say that the game could not be kept. ``text``: what is said besides; it may have been said already, and
        so may all of it."""
        if text or not self.status.error:
            text = text or self.status.text
            self.say(SAY("keep.failed", text=text, why=error.strerror or str(error)).lstrip(), error=True)

    def _keep(self) -> None:
        """Write the game in progress to the store, and tell the browser what is new of it."""
        journal, number = next(reversed(self.handled.items()), ("", 0))
        safe = self.safe if self.held is not None else number  # an order that is held is not in the game yet
        if self.store is None:
            self.safe = safe
            return
        token = self.token or new_token()
        later = json.dumps([(by, ply, self.game.format_action(action)) for by, ply, action in self.later])
        if self.store.late and self.unsure is None:
            self.unsure = self.safe
        try:
            self.store.save(token, self.match, f"{journal} {safe} {later}" if journal else "")
        except MovedError:
            if self.table is None:
                raise  # a game with another device is kept in its room: nothing of it is lost
        self.safe = safe
        self._tell_kept(token)

    def _tell_kept(self, token: str) -> None:
        under_way = self.can_undo() and not self.match.over
        if (token, under_way) != (self.token, self.under_way):
            self.token, self.under_way = token, under_way
            self.kept()


def _seed(seed: str | int | None) -> int | None:
    if seed is None or seed == "":
        return None
    if isinstance(seed, str):
        plain = seed.strip().replace(",", "").replace(" ", "")
        if not (plain.isascii() and plain.isdigit() and len(plain) < 40):
            raise OptionError(SAY("new.seed", most=MAX_SEED, seed=repr(seed[:40])))
        return int(plain)
    return seed
