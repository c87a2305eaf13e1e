"""What a reader takes home from a game: its record, a link, pictures, the log, cards and sheets; a button each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from navalkit.core.luck.seeds import fresh_seed
from navalkit.core.match import Match
from navalkit.view.scene import Scene

from ..bridge import Bridge
from ..say import SAY
from ..widgets.spoken import KeyButton, maker
from .controller import Controller


class Handouts:
    """The buttons, for a game's page.

    ``bridge`` hands the files over. ``picture`` hands the board over as a picture, or the last turn as a film, from the
    file's name. ``copy_seed``: among them; the page switches it off while the seed is a secret.
    """

    def __init__(self, control: Controller, bridge: Bridge, picture: Callable[[str], None]) -> None:
        self.control, self.bridge = control, bridge

        made = maker(control.guard)
        self.copy_seed = made("copy_seed", self._copy_seed)
        self.buttons = [
            made("save", self._save),
            KeyButton("open", lambda _: None),  # the browser opens it
            made("copy_link", self._link),
            made("png", lambda: picture(self._file("png"))),
            made("svg", lambda: picture(self._file("svg"))),
            made("film", lambda: picture(self._file("film.svg"))),
            made("csv", self._csv),
            self.copy_seed,
        ]
        if control.page.prints_card:
            self.buttons.append(made("card", self._card))
        if control.page.prints_sheets:
            self.buttons.append(made("sheets", self._sheets))

    def _file(self, ending: str) -> str:
        match = self.control.match
        return f"{match.game.name}-{'game' if match.secret else match.seed}.{ending}"

    def _save(self) -> None:
        self.bridge.download(self._file("toml"), self.control.match.dumps())

    def _csv(self) -> None:
        self.bridge.download(self._file("csv"), self.control.csv())

    def _link(self) -> None:
        self.bridge.copy(self.control.link(), "link", link=True)

    def _copy_seed(self) -> None:
        self.bridge.copy(str(self.control.match.seed), "seed")

    def _print(self, name: str, pages: Sequence[Scene]) -> None:
        from navalkit.view.painters.pdf import pdf

        self.bridge.download(name, pdf(pages))

    def _card(self) -> None:
        """A card to print: of this game once it is over, else of a fresh seed, so that nothing in play is told."""
        match = self.control.match
        if match.secret:
            match = Match.new(match.game, fresh_seed())
        self._print(f"{match.game.name}-card-{match.seed}.pdf", self.control.page.card(match.game, match))
        self.control.say(SAY("card.made", seed=match.seed))

    def _sheets(self) -> None:
        """The sheets as they stand, with what the player may know."""
        control = self.control
        self._print(f"{control.game.name}-sheets-{control.ply}.pdf", control.page.sheets(control.glance()))
        control.say(SAY("sheets.made"))
