"""How a match goes on at its page: orders of the person who sits there, the machines' answers, undo and redo."""

from __future__ import annotations
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from time import perf_counter
from typing import Any, NamedTuple, NoReturn

from navalkit.core.awaited import Awaited, Steps
from navalkit.core.errors import IllegalActionError, NavalkitError, NotationError, OptionError, PeekError
from navalkit.core.game import TERMINAL
from navalkit.core.match import Match
from navalkit.core.trace import Decision
from navalkit.players import makers
from navalkit.view.page import Glance, Order
from navalkit.view.scene import Cell, Pick
from .. import SAY
from ..desk import SLICE, looping
from .sight import Sight

ENDS = "done"
"""The group of an order that ends a phase and does nothing else."""


class Change(NamedTuple):
    """A button that takes back one of the orders that wait for one another, by its place among them."""

    number: int


class Wait(NamedTuple):
    """The button of somebody who gives no order ahead, and will sit down once more."""


# -- Orders that come over a line: journal.js keeps each until it is known to be safe, and sends it again until then

class StaleError(IllegalActionError):
    """An order was given for a position that is gone."""


class Sent(NamedTuple):
    """An order as it comes over a line."""

    journal: str
    """Names the tab it was given in."""
    number: int
    """Its number there, from 1 on."""
    at: str
    """Where the game stood, as the tab was told last (`Controller.position`)."""
    do: Mapping[str, Any]
    """What is to be done (`Turns.act`)."""
    after: int = 0
    """The number of an order that is to be heard before it; 0 if there is none."""

    @classmethod
    def read(cls, told: Mapping[str, Any]) -> Sent:
        """An order from what was sent; NotationError if it is none."""
        journal, number, at, do, after = (told.get(name) for name in ("journal", "n", "at", "do", "after"))
        if (isinstance(journal, str) and re.fullmatch(r"[0-9a-f]{16}", journal) and type(number) is int
                and 0 < number < 1 << 31 and isinstance(at, str) and isinstance(do, dict)):
            return cls(journal, number, at, do, after if type(after) is int and after < number else 0)
        raise NotationError(SAY("order.damaged"))


def position(ply: int, print_: str, look: str) -> str:
    """How a position is told: how many actions led there, the print of them, and of how one looks at it."""
    return f"{ply}.{print_}.{look}"


class Prints:
    """Prints of the positions that a match went through, as one player sees them: two are equal where the same was
    played up to there.

    The match's seed is their key. Where a game hides something, what others did counts only by what the player was
    told, so that a print says nothing of it even to somebody who knows the seed.
    """

    def __init__(self) -> None:
        self._of: tuple[Match, int] | None = None
        self._known: list[tuple[Any, bytes]] = []  # plies, each with the print of the position after it

    def __call__(self, match: Match, ply: int, me: int, held: Any = None) -> str:
        """The print of a match after its first ``ply`` actions. ``me``: the player who sees it. ``held``: an
        order that is given, but not played yet."""
        if self._of is None or self._of[0] is not match or self._of[1] != me:
            self._of, self._known = (match, me), []
        plies = match.plies
        same = sum(1 for (one, _), other in zip(self._known, plies, strict=False) if one is other)
        del self._known[same:]
        for each in plies[same:ply]:
            seen = not match.game.hides or each.by == me
            told = [(event.rule, event.kind) for event in each.events if event.seen_by(me)]
            self._known.append((each, self._next(match, match.game.format_action(each.action) if seen else repr(told))))
        if held is not None:
            return self._next(match, f"held {held}", ply).hex()
        return (self._known[ply - 1][1] if ply else self._next(match, "", 0)).hex()

    def _next(self, match: Match, text: str, ply: int | None = None) -> bytes:
        known = self._known[:ply]
        before = known[-1][1] if known else repr((match.game.name, sorted(match.game.chosen.items()))).encode()
        return blake2b(before + text.encode(), key=match.seed.to_bytes(16, "big"), digest_size=6).digest()


class Turns(Sight):
    """A match whose turns are played here; with a `Table` somebody on another device plays the other side."""

    def __init__(self, name: str, adviser: str, seats: tuple[str, ...] | None) -> None:
        super().__init__(name, adviser, seats)
        self.asking_undo = False
        """Whether the page asks if the game may become an analysis."""
        # Orders of a typed line that wait, each with the player and how many actions led to where it was typed.
        self.later: list[tuple[int, int, Any]] = []
        self.dragging = False  # whether a drag over the board may go on
        self.held: Any = None
        """The last of several orders that take effect together: it waits until all of them have been looked at."""
        self._pressed = 0, 0  # how many actions there were before and after a press that gave several orders
        self._offered: Any = None  # the ply after which an order ahead was asked for last
        self._sit()

    # Orders -----------------------------------------------------------------------------------------------------

    def order(self, text: str) -> None:
        """Play a typed line; what is typed on after its first order is given when it is due."""
        if not text.strip():
            raise OptionError(SAY("order.empty"))
        if self._ready():
            self._give(*self._read(text))

    def _read(self, text: str) -> Sequence[Any]:
        """The orders of a typed line; an order may be written as its button or a hint says it, too."""
        page, glance = self.page, self.glance()
        try:
            return page.read(glance, text)
        except NavalkitError:
            said = text.strip().rstrip(".").casefold()
            meant = [order.action for order in self.orders() if order.label.casefold() == said and
                     not isinstance(order.action, Change)]
            meant = meant or [each for each in glance.legal if page.spoken(glance, each).casefold() == said]
            if len(meant) != 1:
                raise
            return page.unfold(glance, meant[0])

    def give(self, action: Any) -> None:
        """Play an action: that of a button, or of a cell of the board."""
        if not self._ready():
            return
        if isinstance(action, Change):
            self._change(action.number)
        elif isinstance(action, Wait):
            self._give_ahead(action)
        else:
            ply, orders = self.match.ply, self.page.unfold(self.glance(), action)
            if len(orders) > 1 and action != self.held and not self.ahead and self._closes(*orders):
                self.held = action  # one press that ends a phase: what it would do is looked over first
                self._moved()
                return
            self._give(*orders)
            self._pressed = (ply, ply + len(orders)) if len(orders) > 1 else (0, 0)

    def act(self, do: Mapping[str, Any]) -> None:
        """Do what somebody asks for over a line: ``point`` (a cell's id), ``give`` (the notation on a button), ``type``
        (a line), ``press`` (a button, by its key), ``undo``, ``again`` (another game: "same" or "swap"), ``agree``
        (true or false); {} does nothing. NavalkitError if it cannot be done."""
        presses: dict[str, Callable[[], None]] = {
            "undo": self.undo, "redo": self.redo, "undo-yes": partial(self.undo, agreed=True), "undo-no": self.keep,
            "do-it": self.follow, "invite-yes": partial(self.answer, True), "invite-no": partial(self.answer, False),
            "invite-swap": partial(self.again, "swap"), "invite-same": partial(self.again, "same"),
        }
        for key, value in do.items():
            if key == "agree":
                self.answer(value is True)
            elif key == "undo":
                self.undo()
            elif not isinstance(value, str):
                raise NotationError(SAY("order.empty"))
            elif key == "again":
                self.again(value)
            elif key == "press":
                presses.get(value, self._gone)()
            elif key == "point":
                self.point(value)
            elif key == "type":
                self.order(value)
            elif key == "give":
                found = next((order for order in self.orders() if order.text == value), None)
                self._gone() if found is None else self.give(found.action)

    def follow(self) -> None:
        """Do what is lit; StaleError if nothing is any more."""
        if self.advised is None:
            self._gone()
        elif self._less(self.advised):
            self._change(len(self.given()) - 1)
        else:
            self.give(self.advised)

    def _gone(self) -> NoReturn:
        raise StaleError(SAY("order.gone"))

    def point(self, id: str) -> None:
        """A press on the board: what its cell carries is done; a cell that carries nothing says what lies there."""
        cell = self.scene().cell(id)
        self.dragging = False
        if cell is None:
            return
        if cell.pick is not None:
            if self._leads_away(cell.pick):
                raise IllegalActionError(SAY("first.other"))
            self.picks = self.picks.toggled(cell.pick)
        if cell.window is not None:
            self.window = self.page.window(self.glance(), self.look, cell.window)
        if cell.action is not None:
            self._give_from(cell)
        elif cell.pick is not None and (now := self.scene().cell(id)) is None:
            self.say("")  # the pick changed what can be pointed at there
        else:
            said = cell.alt if cell.pick is None or now is None else now.alt
            self.say(f"{said[:1].upper()}{said[1:].removesuffix('.')}.")

    def _leads_away(self, pick: Pick) -> bool:
        """Whether a press undoes a part of the order that a first game wants: more would be left to press after it."""
        if (wanted := self.first_action) is None:
            return False
        glance, look = self.glance(), self.look
        then = replace(look, picks=self.picks.toggled(pick))
        now = self.page.lit(glance, look, self.scene(), wanted)
        return 0 < len(now) < len(self.page.lit(glance, then, self.page.scene(glance, then), wanted))

    def drag(self, id: str) -> None:
        """The pressed pointer comes to a further cell: its order, while the game's page lets the drag go on."""
        cell = self.scene().cell(id) if self.dragging else None
        if cell is not None and cell.action is not None:
            self.dragging = False
            self._give_from(cell)

    def take_seat(self) -> None:
        """Uncover the screen: the player whose turn it is sits before it."""
        self.covered = False
        if self.later:
            self._go_on()
        else:
            self.say("")

    def _ready(self) -> bool:
        """Whether an order can be given here and now; back to the present first, if one looks back."""
        if not self.live:
            self.view = None
            self.say(SAY("order.present"))
            return False
        if self.covered:
            raise OptionError(SAY("order.covered", side=self.name_of_seat))
        if not self.ahead and self.match.turn not in (self.me, TERMINAL):
            raise OptionError(SAY("order.turn"))
        return True

    def _give(self, action: Any, *others: Any) -> None:
        mine = self.me, self.match.ply
        if self.ahead:
            self._give_ahead(action)
            return
        self._pressed = 0, 0
        if len(waiting := self.waiting()) > 1:
            self.held = None
            if self._ends(action):
                action, others = waiting[0], tuple(waiting[1:])
        self._play(action)
        self.later += [(*mine, order) for order in others]
        self.picks = self.picks.after_order()
        self._go_on()

    def _give_ahead(self, action: Any) -> None:
        """Keep an order until its turn has come, or none, and pass the screen."""
        if not isinstance(action, Wait):
            if action not in self.ahead:
                raise OptionError(SAY("order.turn"))
            self.later.append((self.me, self.match.ply, action))
        self._moved()

    def _give_from(self, cell: Cell) -> None:
        """Give the order of a cell, and see whether a drag may go on after it."""
        before, ply = self.glance(), self.match.ply
        self.give(cell.action)
        if self.page.drags:
            self.dragging = self.match.ply > ply and self.page.goes_on(before, self.glance(), self.look)

    def _play(self, action: Any, *, hold: bool = True) -> None:
        """Play an action of one's own; with somebody on another device it is claimed first. ``hold``: the last of
        those that take effect together waits until they have been looked at."""
        if self.first_action not in (None, action):
            raise IllegalActionError(SAY("first.other"))
        held, self.held = self.held, None
        if held is not None and (action == held or not self.page.together(self.glance(), action)):
            action = held
        elif hold and self._closes(action):
            self.held = action
            return
        try:
            (self.match if self.table is None else self.table).play(action)
        except NavalkitError:
            self.held = held
            raise

    # Orders that take effect together -----------------------------------------------------------------------------

    def waiting(self) -> Sequence[Any]:
        """What is held, order by order."""
        return () if self.held is None else self.page.unfold(self.glance(), self.held)

    def _ends(self, action: Any) -> bool:
        """Whether an order ends a phase and does nothing else."""
        return any(order.action == action and order.group == ENDS for order in super().orders())

    def _less(self, action: Any) -> bool:
        """Whether an order that is advised is to end the phase without the one that is held."""
        return self.held is not None and action != self.held and self._ends(action)

    def advice(self, hint: Decision) -> tuple[str, str]:
        """Of orders that take effect together, all of which are given, the last is not spoken of alone."""
        order, why = super().advice(hint)
        if self._less(hint.action):
            return SAY("together.change", order=self.page.spoken(self.glance(), self.held)), why
        return order, SAY("hint.held") if self.held is not None and hint.action == self.held else why

    def given(self) -> list[Any]:
        """The player's orders that wait for one another, the one held included."""
        found = [] if self.held is None else [self.held]
        for ply in reversed(self.match.plies[: self.match.ply] if self.live and self.legal else ()):
            if ply.by != self.me or not self.page.together(self.glance(), ply.action):
                break
            found.append(ply.action)
        return found[::-1]

    def orders(self) -> Sequence[Order]:
        """The buttons, and one for each order that can still be changed."""
        page, glance = self.page, self.glance()
        rows = super().orders()
        if self.ahead and self.live:
            wait = Order(Wait(), SAY("ahead.wait"), "", SAY("ahead.wait.help"), "wait", primary=True)
            now = (replace(order, label=SAY("ahead.order", order=order.label), primary=False) for order in rows)
            return (*now, wait)
        if self.held is not None and self.live:
            label = page.together(glance, self.held) or page.spoken(glance, self.held)
            rows = [Order(self.held, label, help=SAY("together.help"), primary=True)]
        given = [] if self.table else self.given()
        words = [SAY("together.change", order=page.spoken(glance, each)) for each in given]
        help = SAY("together.change.help")
        return (*rows, *(Order(Change(n), said, "", help, "change") for n, said in enumerate(words)))

    def _closes(self, *actions: Any) -> bool:
        """Whether an order would be the last of those that take effect together; or several, of one press, the last of
        their phase."""
        game, state, glance = self.game, self.match.state, self.glance()
        alone = len(actions) == 1
        if self.first or (alone and not self.page.together(glance, actions[0])):
            return False
        for action in actions:
            if game.why_not(state, action) is not None:
                return False
            state = game.apply(state, action).state
        kinds = {type(each) for each in glance.legal if not self._ends(each)} if not alone else set()
        return game.turn(state) != self.me or not any(
            self.page.together(glance, each) if alone else type(each) in kinds for each in game.legal(state))

    def _change(self, number: int) -> None:
        """Take back one of the orders that wait for one another; the others stand."""
        given, match = self.given(), self.match
        for _ in range(len(given) - number - (self.held is not None)):
            match.undo()
        self.held = None
        for action in given[number + 1 :]:
            if self.game.why_not(match.state, action) is None:
                self._play(action)
        self._moved(SAY("together.changed"))

    def _give_later(self) -> Sequence[str]:
        """Give the orders of earlier lines whose time has come; says which of them could not be given. For somebody who
        is not at the screen what cannot be given waits until they are."""
        refused = []
        for waiting in tuple(self.later):
            (by, ply, action), match = waiting, self.match
            if by != match.turn or (by != self.me and self.game.why_not(match.state, action) is not None):
                continue
            given = self.game.observe(match.at(ply), by)  # what was seen when it was typed
            if (due := self.page.due(given, self._glance_of(by), action)) is False:
                continue
            self.later.remove(waiting)
            early = match.ply, ply
            try:
                if due:
                    self._play(action, hold=False)
                    if by != self.me:
                        self._early[by] = early
            except NavalkitError as error:
                refused.append(SAY("order.refused", order=str(action), why=str(error)))
        return refused

    def _glance_of(self, player: int) -> Glance[Any, Any, Any]:
        """The present through the eyes of a player on turn, who need not be the reader."""
        if player == self.me:
            return self.glance()
        return Glance(self.game, self.match.observe(player), player, self.match.legal())

    def _sit(self) -> None:
        """Take the seats from the match's players, look through the eyes of who is on turn, let machines move."""
        self.later, self._early, self._offered = [], {}, self._last_ply()
        known = makers(self.game)
        self.seats = tuple(name if name in known else "" for name in self.match.players)
        self.me = min(self.deciders - self.machines, default=0) if self.table is None else self.table.me
        if not self.watched:
            self._answer(self._go_on)
        self._cover()

    def _go_on(self) -> None:
        """After a person's action: the machines answer, orders that waited are given, and the page is told. A machine
        that needs long is awaited: the person's own action is shown first."""
        said: list[str] = []

        def give_later() -> bool:
            """Whether an order that waited was given."""
            ply = self.match.ply
            said.extend(self._give_later())
            return self.match.ply > ply

        def on() -> None:
            while self._answer(on) and give_later():
                pass  # an order that waited was given, and the machines are on turn again
            self._moved(" ".join(said))

        on()

    def _answer(self, on: Callable[[], None]) -> bool:
        """The machine players' moves, until a person must decide or the game is over; whether they are all made. What
        takes longer than a click may goes on at the desk, which calls ``on`` when it is done."""
        match = self.match
        if match.over or match.turn not in self.machines:
            return True
        steps, end = self._moves(match), perf_counter() + SLICE
        try:
            while not looping() or perf_counter() < end:
                next(steps)
        except StopIteration:
            return True
        self.desk.ask("machine", Awaited(object(), lambda: steps), lambda _: on())
        return False

    def _moves(self, match: Match) -> Steps[None]:
        """The machines' moves; of a game that is watched those of one of them."""
        first = match.turn
        while not match.over and (turn := match.turn) in self.machines and (turn == first or not self.watched):
            decided = yield from self.crew.decision(self.seats[turn], match, match.ply, turn).start()
            match.play(decided.action)
            if len(self.deciders) == 1 and self.watched:
                return

    def play_on(self) -> None:
        """The moves of the machine on turn, in a game that is only watched."""
        if self.watched and not self.match.over and self.live and not self.desk.busy("machine"):
            if self._answer(self._moved):
                self._moved()

    def catch_up(self) -> bool:
        """Play what the other side has done since; whether it has done anything."""
        if self.table is None or not (new := self.table.catch_up()):
            return False
        kinds = {move.kind for move in new if move.seat != self.table.seat} & {"ask", "yes", "no", "again"}
        self.later = self.later if not kinds else []
        if self.match.over and "no" in kinds:  # what was refused is another game
            kinds = kinds - {"no"} | {"again.refused"}
        self._moved(" ".join((*self._give_later(), *(SAY(f"table.{kind}") for kind in sorted(kinds)))))
        return True

    def _cover(self) -> None:
        """Cover the screen where another person's turn has come, once no order can be given ahead."""
        turn, self.ahead = self.match.turn, ()
        if turn >= 0 and turn != self.me and turn not in self.machines and self.table is None:
            if self._ask_ahead():
                return
            self.me, self.covered = turn, self.game.hides

    def _ask_ahead(self) -> bool:
        """Whether the player who has just decided is asked now for an order ahead: once, and not after a typed one."""
        last = self._last_ply()
        if not self.game.hides or last is self._offered or any(by == self.me for by, _, _ in self.later):
            return False
        self._offered, self.ahead = last, tuple(self.page.ahead(self.glance()))
        return bool(self.ahead)

    def _last_ply(self) -> Any:
        return self.match.plies[self.match.ply - 1] if self.match.ply else None

    def _moved(self, text: str = "") -> None:
        """The match is another than it was: look at its present, and tell the page."""
        self.view, self.hint, self.asking_undo = None, None, False
        if self.held is not None and not (self.legal and self._closes(*self.waiting())):
            self.held = None  # the other side took something back
        self.desk.cancel("hint")
        self._cover()
        self.say(text)

    def look_at(self, ply: int, text: str = "") -> None:
        """Look at the game after ``ply`` actions, and say ``text``; the last is the present."""
        ply = min(max(ply, 0), self.match.ply)
        self.view = None if ply == self.match.ply else ply
        self.asking_undo, self.hint = False, None
        self.say(text)

    def can_undo(self) -> bool:
        """Whether somebody at this screen has decided something."""
        if self.table is not None:
            return any(ply.by == self.me for ply in self.match.plies)
        return any(ply.by >= 0 and ply.by not in self.machines for ply in self.match.plies)

    def undo(self, agreed: bool = False) -> None:
        """Take back the last action; asks first where that takes back something already seen."""
        if not self.can_undo():
            raise IllegalActionError(SAY("undo.nothing"))
        self.view, self.later, self.held = None, [], None
        if self.table is not None:
            self.table.ask_undo()
            self.say(SAY("table.asked"))
            return
        self.desk.cancel("machine")
        begun, ended = self._pressed
        try:
            self.match.undo(analysis=agreed or None)
            if self.match.ply == ended - 1:  # of one press all is taken back
                while self.match.ply > begun:
                    self.match.undo(analysis=agreed or None)
            while self.match.turn in self.machines and self.match.can_undo():
                self.match.undo(analysis=agreed or None)
        except PeekError:
            self.asking_undo = True
            self.say(SAY("undo.ask"))
            return
        self._moved(SAY("undo.analysis" if self.match.analysis else "undo.done"))

    def keep(self) -> None:
        """Answer no to what undo asked."""
        self.asking_undo = False
        self.say(SAY("undo.kept"))

    def answer(self, agreed: bool) -> None:
        """Say yes or no to the other side, who asks for their last action back, or for another game."""
        if self.table is None:
            return
        if self.table.wants is None:
            self.table.answer_undo(agreed)
            self._moved(SAY("table.agreed" if agreed else "table.refused"))
            return
        self.table.answer_again(agreed)
        if not agreed:
            self._moved(SAY("table.again.refused"))

    def again(self, how: str) -> None:
        """Ask the other side for another game: "same" or "swap"."""
        if self.table is not None:
            self.table.ask_again(how)
            self._moved()

    def redo(self) -> None:
        """Play again what was undone."""
        self.view = None
        if self.table is not None:
            raise IllegalActionError(SAY("table.redo"))
        self.match.redo()
        while self.match.turn in self.machines and self.match.can_redo():
            self.match.redo()
        self._go_on()
