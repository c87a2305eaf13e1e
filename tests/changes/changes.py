"""Ten changes as a developer makes them: what is edited, what renews the rest, and how the change shows.

The table of CONTRIBUTING has a row for each, by its name, with the files it touches.
"""

from __future__ import annotations
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np

import navalkit as nk
from navalkit import explore
from navalkit.games.fleet_action.cards import TABLES as FLEET
from navalkit.games.on_patrol.escort.pattern import HEDGEHOG, reach
from navalkit.games.uss_lox import odds
from navalkit.games.uss_lox.cards import SAY as LOX
from navalkit.grids.hex import Hex
from navalkit.grids.hex_moves import Place
from navalkit.teach.checking import check
from navalkit.teach.exercises import book
from navalkit.teach.exercises.exercise import exercise
from navalkit.view import lobby
from navalkit.view.theme import THEMES

WORDS = "words"
"""Renewed by `make words`."""


@dataclass(frozen=True)
class Change:
    """One change.

    ``edits``: by file, each text that is there once and what takes its place; "" is the end of the file. ``effect``:
    asserts in the changed house that the change is there. ``tests``: those near it, which must pass. ``renew``: what
    writes anew the files that follow from the edits: `WORDS`, or tests that are run with NAVALKIT_RENEW=1.
    """

    edits: Mapping[str, Sequence[tuple[str, str]]]
    effect: Callable[[], None]
    tests: Sequence[str]
    renew: Sequence[str] = ()


# How each change shows; these run in the changed house ---------------------------------------------------------------

def a_jack_takes_two_torpedoes() -> None:
    match = nk.Match.new(nk.load("uss-lox"), seed=2132)
    for order in ("flip B2", "attack 2", "flip A1"):
        match.play(order)
    left = match.state.torpedoes
    assert {str(action) for action in match.legal()} == {"attack 0", "attack 1", "attack 2", "decline"}
    match.play("attack 2")
    assert match.state.torpedoes == left - 2 and "L3a" in {event.rule for event in match.log}
    assert odds.sink("JD", 0) == 0 and odds.sink("JD", 2) == 1 and odds.survive_escort(0) == Fraction(0)


def the_hedgehog_strikes_three_hexes_ahead() -> None:
    bow = Hex.parse("M20")
    ahead = [bow.step(3, n) for n in range(6)]
    assert set(reach(HEDGEHOG, [Place(bow, 3)], ahead)) == {ahead[3]}


def the_marker_is_of_another_orange() -> None:
    assert {theme["orange"] for theme in THEMES.values()} == {"#E8A317"}


def the_sentence_is_said() -> None:
    assert LOX("now.gun") == "A small ship: your deck gun is sure to sink her."


def fewer_cards_are_dealt() -> None:
    assert nk.load("uss-lox", supply=18).initial().torpedoes == 18 - 9
    assert nk.load("uss-lox").initial().torpedoes == 15


def kestrel_thinks_through_fewer_games() -> None:
    match = nk.Match.new(nk.load("wolf-pack"), seed=4)
    decided = nk.player("kestrel", match.game).decide(match.observe(), match.legal(), np.random.default_rng(1))
    assert 45 < decided.reason.facts["games"] <= 90  # it stops before a round that would go beyond


def the_question_answers() -> None:
    answer = explore.answer("lox-pay", torpedoes=3)
    assert answer.value == Fraction(3, 13) and answer.said
    assert abs(explore.simulate("lox-pay", 2000, seed=1, torpedoes=3).mean - 3 / 13) < 0.05


def a_percentage_is_graded() -> None:
    book._OWN["mine.1"] = book.entry(exercise("mine.1", "Mine", "percentage", "25", ["Think."]))
    assert check("mine.1", "25 %").right and check("mine.1", 25).right and check("mine.1", 0.25).slip == "fraction"


def the_ship_sails() -> None:
    assert FLEET.ships["Bellerophon"].displacement == 18800
    nk.load("fleet-action", scenario="build_your_own", blue="Bellerophon", red="Dreadnought").initial()


def wolf_pack_is_the_lobbys_last_game() -> None:
    assert [card.game for card in lobby.games(Path("notebooks"))][-1] == "wolf-pack"


# What is edited ------------------------------------------------------------------------------------------------------

LOX_HOME = "navalkit/games/uss_lox"
QUESTION = '''
# Can the escort be paid off? -----------------------------------------------------------------------------------------

def _pay(settings: Settings) -> Answer:
    n, seen, jokers = (settings[key] for key in ("torpedoes", "seen", "jokers"))
    chances = [odds.escape(k, seen=seen, jokers=jokers) for k in range(_MOST + 1)]
    chart = Plot("pay", tuple(map(str, range(_MOST + 1))), tuple(map(float, chances)), n)
    return Answer(chances[n], (chart,), ("pay",), ("even", "joker"), facts={"n": n})


def _meet(settings: Settings, rng: np.random.Generator, n: int) -> Tally:
    escorts = [card for card in range(52) if card not in cards.parse_many(settings["seen"])]
    prices = np.array([cards.pips(card) for card in escorts])[rng.integers(len(escorts), size=n)]
    paid = prices[:, None] <= np.arange(_MOST + 1)
    return Tally.of(paid[:, settings["torpedoes"]], paid.sum(axis=0))


PAY = Question(
    "lox-pay", GAME, SAY, (Whole("torpedoes", 6, 0, _MOST), _SEEN, _JOKERS), _pay, _meet,
    inverse="torpedoes", gains=(("torpedoes", 1, "torpedo"),),
)  # fmt: skip

QUESTIONS: tuple[Question, ...] = (SINK, ESCAPE, PAY, PATROL)
'''
ASKED = '''
[lox-pay]
title = "Can you pay the escort off?"
torpedoes.label = "Torpedoes left"
gains.torpedo = "one more torpedo kept"
said = "The chance that {n:torpedo|torpedoes} will pay for the next escort."
pay.title = "Chance that you can pay her off"
pay.x = "torpedoes left"
how.pay = "An escort costs her number in torpedoes, so {n:torpedo pays|torpedoes pay} for all up to {n}."
assumes.joker = "A joker drawn as escort is set aside."
'''
ASKED_IN_GERMAN = '''
[lox-pay]
title = "Können Sie das Geleitschiff bezahlen?"
torpedoes.label = "Übrige Torpedos"
gains.torpedo = "ein Torpedo mehr behalten"
said = "Die Chance, dass {n:Torpedo|Torpedos} für das nächste Geleitschiff reichen."
pay.title = "Chance, dass Sie zahlen können"
pay.x = "übrige Torpedos"
how.pay = "Ein Geleitschiff kostet seine Zahl in Torpedos: {n:Torpedo reicht|Torpedos reichen} für alle bis {n}."
assumes.joker = "Ein Joker, der als Geleitschiff gezogen wird, wird beiseitegelegt."
'''
SHIP = '''
[[ship]]
name = "Bellerophon"
class = "Bellerophon"
nation = "Great Britain"
year = 1909
type = "battleship"
displacement = 18800
speed = 21
armour = "belt 10 in, deck 4 in"
protection = "battleship"
main = [{ gun = "12in/45", forward = 2, amidships = 2, aft = 2, port = 2, starboard = 2 }]
secondary = [{ gun = "4in", port = 8, starboard = 8 }]
torpedoes = [{ kind = "18in of the Great War", tubes = 1, sets = 3 }]
source = "facts: public figures"
'''
OPTION = '''
[[option]]
name = "supply"
default = 24
low = 12
high = 25
rule = "A8"
source = "ruling"
'''
OPTION_TEST = '''

def test_A8_the_supply_is_as_large_as_was_agreed() -> None:
    state = nk.load("uss-lox", supply=20).initial()
    assert (state.ocean_left, state.torpedoes, len(state.deck)) == (9, 11, 32)
'''

CHANGES: Mapping[str, Change] = {
    "a jack costs two torpedoes": Change(
        {
            f"{LOX_HOME}/data/data.toml": [("torpedoes = { value = 0,", "torpedoes = { value = 2,")],
            f"{LOX_HOME}/RULES.md": [("and costs no torpedo.", "and costs two torpedoes."),
                                     ("With none you can sink only a\n  jack.", "With none you sink nothing.")],
            f"{LOX_HOME}/RULES.de.md": [("und das kostet keinen Torpedo.", "und das kostet zwei Torpedos."),
                                        ("Ohne Torpedo lässt\n  sich nur ein Bube versenken.",
                                         "Ohne Torpedo lässt\n  sich nichts versenken.")],
            f"{LOX_HOME}/first.toml": [
                ("your deck gun sinks her, and no torpedo is spent. Press the ship.\"\norder = \"attack 0\"",
                 "your deck gun is sure to sink her, and that takes two torpedoes: fire two.\"\norder = \"attack 2\""),
            ],
            f"{LOX_HOME}/first.de.toml": [
                ("versenkt es, ohne Torpedo. Drücken Sie auf das Schiff.",
                 "versenkt es sicher, für zwei Torpedos. Feuern Sie zwei."),
            ],
            f"{LOX_HOME}/questions.toml": [("\"A jack is sunk by the deck gun, whatever you fire.\"",
                                            "\"Two torpedoes and the deck gun sink any jack.\"")],
            f"{LOX_HOME}/questions.de.toml": [("mit dem Deckgeschütz versenkt, was auch immer Sie abfeuern.",
                                               "mit dem Deckgeschütz und zwei Torpedos sicher versenkt.")],
            "tests/games/uss_lox/test_rules.py": [
                ('"attack 0", "decline"}\n    said(str(story.why_not("attack 1"))',
                 '"attack 0", "attack 1", "attack 2", "decline"}\n    said(str(story.why_not("attack 3"))'),
                ('story.play("attack 0")\n    assert story.sunk == ["JD"] and story.state.torpedoes == 15',
                 'story.play("attack 2", *shots("2C", "7H"))\n'
                 '    assert story.sunk == ["JD"] and story.state.torpedoes == 13'),
                ('"attack 0", "escape"}\n    story.play("attack 0")\n    assert story.sunk == ["JS"]',
                 '"attack 0", "attack 1", "attack 2", "escape"}\n    story.play("attack 2", *shots("2C", "7H"))\n'
                 '    assert story.sunk == ["JS"]'),
            ],
            "tests/golden/uss_lox/test_uss_lox_golden.py": [
                ('"queen_ships", 11,', '"queen_ships", 25,'),
                ('"second_patrol", 24,', '"second_patrol", 12,'),
                ('"second_patrol_empty_deck", 31480,', '"second_patrol_empty_deck", 21124,'),
            ],
        },
        a_jack_takes_two_torpedoes,
        ["tests/games/uss_lox/test_rules.py", "tests/games/uss_lox/test_odds.py", "tests/games/uss_lox/test_perft.py",
         "tests/games/uss_lox/test_round.py", "tests/games/uss_lox/test_scene.py", "tests/golden/uss_lox",
         "tests/ui/test_first_game.py -k uss-lox"],
        [WORDS, "tests/golden/uss_lox", "tests/games/uss_lox/test_scene.py -k test_table_in_characters"],
    ),
    "the hedgehog reaches one hex further": Change(
        {
            "navalkit/games/on_patrol/data/combat.toml": [("deepest = 400\nahead = 2", "deepest = 400\nahead = 3")],
            "navalkit/games/on_patrol/RULES.md": [("A Hedgehog strikes two hexes ahead of the bow, a Squid three.",
                                                   "Hedgehog and Squid strike three hexes ahead of the bow.")],
        },
        the_hedgehog_strikes_three_hexes_ahead,
        ["tests/games/on_patrol/test_manoeuvre.py", "tests/golden/on_patrol"],
        ["tests/golden/on_patrol"],
    ),
    "a marker's colour": Change(
        {"navalkit/view/theme.py": [('"orange": ("#E69F00", "#E69F00", "#E69F00")',
                                     '"orange": ("#E8A317", "#E8A317", "#E8A317")')]},
        the_marker_is_of_another_orange,
        ["tests/view/test_theme.py"],
    ),
    "a sentence": Change(
        {f"{LOX_HOME}/data/words.toml": [("the deck gun is sure to sink her", "your deck gun is sure to sink her")]},
        the_sentence_is_said,
        ["tests/words/test_sheets.py", "tests/games/uss_lox/test_scene.py"],
        [WORDS],
    ),
    "an option": Change(
        {
            f"{LOX_HOME}/data/data.toml": [("", OPTION)],
            f"{LOX_HOME}/data/words.toml": [("\npatrols = \"Patrols\"\n",
                                             '\nsupply = "Supply"\n"supply.help" = "How many cards are dealt for a '
                                             'patrol, the ocean among them."\npatrols = "Patrols"\n')],
            f"{LOX_HOME}/data/words.de.toml": [("\npatrols = \"Feindfahrten\"\n",
                                                '\nsupply = "Vorrat"\n"supply.help" = "Wie viele Karten für eine '
                                                'Feindfahrt ausgeteilt werden, der Ozean eingeschlossen."\n'
                                                'patrols = "Feindfahrten"\n')],
            f"{LOX_HOME}/RULES.md": [("\n## The source, clause by clause",
                                      "- **A8** Supply: 12 to 25 cards are dealt for a patrol. [ruling: for shorter "
                                      "games]\n\n## The source, clause by clause")],
            f"{LOX_HOME}/RULES.de.md": [("", "- **A8** Vorrat: Für eine Feindfahrt werden 12 bis 25 Karten "
                                             "ausgeteilt. [ruling: für kürzere Spiele]\n")],
            f"{LOX_HOME}/game.py": [
                ("supply_size: ClassVar[int] = TABLES.supply", "supply_size: int = TABLES.supply"),
                ("        super().__init__(**options)\n",
                 "        super().__init__(**options)\n        if self.options[\"supply\"] != TABLES.supply:\n"
                 "            self.supply_size = self.options[\"supply\"]  # rule A8\n"),
            ],
            "tests/games/uss_lox/test_rules.py": [("", OPTION_TEST)],
            "tests/golden/uss_lox/test_uss_lox_golden.py": [('silent = {"L0",', 'silent = {"A8", "L0",')],
        },
        fewer_cards_are_dealt,
        ["tests/games/uss_lox/test_rules.py", "tests/golden/uss_lox", "tests/games/uss_lox/test_round.py"],
        [WORDS],
    ),
    "a captain's thinking time": Change(
        {"navalkit/games/wolf_pack/data/captains.toml": [("{ iterations = 400 }", "{ iterations = 90 }")]},
        kestrel_thinks_through_fewer_games,
        ["tests/games/test_captains.py"],
    ),
    "a slider question": Change(
        {
            f"{LOX_HOME}/questions.py": [("\nQUESTIONS: tuple[Question, ...] = (SINK, ESCAPE, PATROL)\n", QUESTION)],
            f"{LOX_HOME}/questions.toml": [("", ASKED)],
            f"{LOX_HOME}/questions.de.toml": [("", ASKED_IN_GERMAN)],
            "tests/explore/test_questions.py": [('    "lox-patrol": {"threshold"',
                                                 '    "lox-pay": {"torpedoes": 3, "seen": "AC 2C 3D", "jokers": 2},\n'
                                                 '    "lox-patrol": {"threshold"')],
        },
        the_question_answers,
        ["tests/explore/test_questions.py -k lox-pay", "tests/words/test_sheets.py -k lox_ask"],
        [WORDS],
    ),
    "an exercise kind": Change(
        {
            "navalkit/teach/exercises/exercise.py": [
                ("(number|whole|probability)\")", "(number|whole|percentage|probability)\")"),
                ('"""The kind of that name: number, whole, probability, choice, set, list, or "function of" one of the '
                 "first three.",
                 '"""The kind of that name: number, whole, percentage, probability, choice, set, list, '
                 'or\n    "function of" a number of any kind.'),
                ('"""A number: "number", "whole" or "probability"."""',
                 '"""A number: "number", "whole", "percentage" or "probability"."""'),
            ],
            "navalkit/teach/exercises/formula.py": [('percent = plain.endswith("%")',
                                                     'percent = plain.endswith("%") and kind_name != "percentage"')],
            "navalkit/teach/words.toml": [("\nkind_whole =",
                                           '\nkind_percentage = "a percentage, such as 25 or 12.5"\nkind_whole =')],
            "docs/teaching.md": [("- `kind` is `number`, `whole`, ", "- `kind` is `number`, `whole`, `percentage`, ")],
            "tests/teach/exercises/test_book.py": [('        ("list", "B2 B3",',
                                                    '        ("percentage", "25 %", 0.25, "fraction"),\n'
                                                    '        ("list", "B2 B3",')],
        },
        a_percentage_is_graded,
        ["tests/teach/exercises/test_book.py", "tests/words/test_sheets.py -k teach"],
        [WORDS],
    ),
    "a ship": Change(
        {"navalkit/games/fleet_action/data/data.toml": [('\n[[ship]]\nname = "Iron Duke"\n',
                                                        SHIP + '\n[[ship]]\nname = "Iron Duke"\n')]},
        the_ship_sails,
        ["tests/games/fleet_action/cards"],
    ),
    "the lobby's last game": Change(
        {"navalkit/games/wolf_pack/starts.toml": [("# The ways to begin that a new game offers.\n",
                                                   "# The ways to begin that a new game offers.\nlast = true\n")]},
        wolf_pack_is_the_lobbys_last_game,
        ["tests/view/test_lobby.py", "tests/view/test_starts.py"],
    ),
}
