"""Scenarios that are being made: what an edit does is undone, what is written is read, what is wrong is told where."""

from __future__ import annotations
import random
from copy import deepcopy
from functools import partial
from typing import Any

import pytest

from navalkit.core.errors import DataError, NavalkitError, OptionError
from navalkit.core.registry import load, names, package
from navalkit.view.draft import Draft
from navalkit.view.workshop import Add, Doc, Drop, Set, Whole, Workshop, applied, loads

SHOPS: dict[str, Workshop] = {name: shop for name in names() if (shop := package(name).offered("WORKSHOP", None))}
EXAMPLES = [(name, title) for name, shop in SHOPS.items() for title in shop.examples()]


def draft(name: str, title: str = "") -> Draft:
    shop = SHOPS[name]
    return Draft(shop, loads(shop.examples()[title]) if title else None)


def played(name: str, text: str) -> Any:
    """The scenario that a game makes of a text."""
    shop = SHOPS[name]
    made = load(name, **{shop.option: text})
    return made.battle if name == "fleet-action" else made.scenario  # type: ignore[attr-defined]


def plain(made: Any) -> str:
    """All of a scenario but the key it was read by."""
    return repr({key: value for key, value in _parts(made).items() if key not in ("key", "name")})


def _parts(made: Any) -> dict[str, Any]:
    return {key: getattr(made, key) for key in made.__dataclass_fields__}


@pytest.mark.parametrize(("name", "title"), EXAMPLES)
def test_a_draft_written_out_is_the_same_scenario(name: str, title: str) -> None:
    made = draft(name, title)
    assert made.wrong is None
    text = SHOPS[name].examples()[title]
    assert plain(SHOPS[name].read(loads(made.text))) == plain(SHOPS[name].read(loads(text)))
    assert loads(made.text) == loads(text)


@pytest.mark.parametrize("name", SHOPS)
def test_a_draft_is_played_as_it_is_and_from_its_link(name: str) -> None:
    made = draft(name)
    shop = SHOPS[name]
    assert plain(played(name, made.text)) == plain(shop.read(made.doc))
    assert made.link.startswith("~") and plain(played(name, made.link)) == plain(shop.read(made.doc))
    with pytest.raises(OptionError):
        played(name, made.link[:-9] + "A" * 9)


@pytest.mark.parametrize(("name", "title"), EXAMPLES[:3] + EXAMPLES[-3:])
def test_every_edit_undone_is_as_before(name: str, title: str) -> None:
    made, dice = draft(name, title), random.Random(title)
    cells = [cell.id for cell in made.scene((800, 600)).cells]
    docs: list[Doc] = [deepcopy(made.doc)]
    addable = [kind.key for kind in made.shop.kinds if kind.key and not kind.area and kind.place != "*"]
    for _ in range(60):
        calls = [lambda: made.press(dice.choice(cells)), lambda: made.turn(dice.choice((-1, 1))), made.remove,
                 lambda: made.choose(dice.choice([(kind.key, n) for kind, n, *_ in made.things()])),
                 lambda: made.add(dice.choice(addable)),
                 lambda: setattr(made, "tool", dice.choice(["", "", *made.tools()])),
                 lambda: setattr(made, "side", dice.randrange(2))]
        try:
            dice.choice(calls)()
        except NavalkitError:
            pass  # refused: nothing has changed, as is seen below
        if made.doc != docs[-1]:
            docs.append(deepcopy(made.doc))
        assert made.doc == docs[-1]
        made.scene((390, 400), touch=True)  # whatever it is, it can be drawn
    assert len(docs) > 8
    for doc in docs[-2::-1]:
        made.undo()
        assert made.doc == doc
    for doc in docs[1:]:
        made.redo()
        assert made.doc == doc


def test_a_stroke_is_undone_at_once() -> None:
    made = draft("fleet-action")
    made.tool = ".coast"
    made.press("A1")
    for cell in ("A2", "A3", "A4"):
        made.drag(cell)
    assert made.doc["coast"] == ["A1", "A2", "A3", "A4"]
    made.press("A2")  # on land the brush takes away
    made.drag("A3")
    made.drag("B1")
    assert made.doc["coast"] == ["A1", "A4"]
    made.undo()
    made.undo()
    assert "coast" not in made.doc and not made.past


WRONG: list[tuple[str, Any, tuple[str | int, ...]]] = [
    ("fleet-action", Set(("moves",), 0), ("moves",)),
    ("fleet-action", Set(("title",), ""), ("title",)),
    ("fleet-action", Set(("light",), "noon"), ("light",)),
    ("fleet-action", Set(("ship", 0, "at"), "Z99 E"), ("ship", 0, "at")),
    ("fleet-action", Set(("ship", 0, "at"), "D5 up"), ("ship", 0, "at")),
    ("fleet-action", Set(("ship", 1, "card"), "Titanic"), ("ship", 1, "card")),
    ("fleet-action", Set(("ship", 0, "depth"), "deep"), ("ship", 0, "depth")),
    ("fleet-action", Set(("ship", 0, "damage"), 2000), ("ship", 0, "damage")),
    ("fleet-action", Set(("ship", 1, "name"), "Exeter"), ("ship", 1, "name")),
    ("fleet-action", Set(("objective", 0, "of"), ["Hood"]), ("objective", 0, "of")),
    ("fleet-action", Add("flight", {"side": "British", "name": "F 1", "aircraft": "Walrus", "count": 99}),
     ("flight", 0, "entry")),
    ("on-patrol", Set(("turns",), 0), ("turns",)),
    ("on-patrol", Set(("package",), "grand"), ("package",)),
    ("on-patrol", Set(("boat", 0, "depth"), 55), ("boat", 0, "depth")),
    ("on-patrol", Set(("boat", 0, "depth"), 600), ("boat", 0, "depth")),
    ("on-patrol", Set(("boat", 0, "place"), "T34 9"), ("boat", 0, "place")),
    ("on-patrol", Set(("boat", 0, "place"), "T990 5"), ("boat", 0, "place")),
    ("on-patrol", Set(("edges", "west"), "?"), ("edges", "west")),
    ("on-patrol", Set(("ships", 0), "raft"), ("ships",)),
    ("on-patrol", Set(("fuel",), [1]), ("fuel",)),
]


@pytest.mark.parametrize(("name", "edit", "place"), WRONG, ids=lambda each: str(each)[:60])
def test_what_validation_refuses_is_refused_in_its_words_and_told_at_its_place(name: str, edit: Any,
                                                                               place: tuple[str | int, ...]) -> None:
    made, before = draft(name), draft(name).doc
    reason = made.why_not(edit)
    with pytest.raises(OptionError):
        made.do(edit)
    assert reason and made.doc == before and not made.past and made.wrong is None

    text = Draft(made.shop, applied(made.shop, made.doc, edit)).text
    opened = Draft(made.shop, loads(text))  # the same by a file: it can be opened, and says where
    assert opened.wrong is not None and opened.wrong.place == place and opened.told == reason
    facts = opened.wrong.facts
    assert str(facts.get("right") or facts.get("error") or str(opened.wrong)[-20:]) in reason
    with pytest.raises(OptionError):
        load(name, **{made.shop.option: text})
    opened.choose(place[:2] if len(place) > 2 and place[0] != "edges" else ())
    told = {row["name"]: row["wrong"] for row in opened.form()}
    listed = {(kind.key, n): wrong for kind, n, _, _, wrong in opened.things()}
    assert reason in (*told.values(), *listed.values()) or place == ("ships",)
    assert opened.scene((800, 600)).cells


def test_what_does_not_fit_together_is_let_in_and_told() -> None:
    made = draft("fleet-action")
    made.tool = ".coast"
    made.press("D5")  # under a ship
    assert made.wrong is not None and made.wrong.place == ("ship", 0, "at")
    assert any(wrong for kind, n, _, _, wrong in made.things() if (kind.key, n) == ("ship", 0))
    made.tool = ""
    made.choose(("ship", 0))
    assert made.form()[3]["wrong"] == made.told != ""
    made.press("D6")
    assert made.wrong is None and made.doc["ship"][0]["at"] == "D6 E"
    with pytest.raises(OptionError):  # back onto the land
        made.press("D5") if not made.shop.at(made.doc, "D5") else made.do(Set(("ship", 0, "at"), "D5 E"))
    made.do(Drop(("objective", 0)))
    made.do(Drop(("objective", 0)))
    assert made.wrong.place == ("objective",)  # type: ignore[union-attr]


def faulty(made: Draft) -> dict[str, str]:
    """What the form and the list say is wrong: of each part, and of what there is once."""
    parts = {f"{kind.key} {n}": wrong for kind, n, _, _, wrong in made.things() if wrong}
    made.choose(())
    return parts | {row["name"]: row["wrong"] for row in made.form() if row["wrong"]}


def test_all_that_is_wrong_is_said_and_each_where_it_is() -> None:
    made = draft("fleet-action")
    text = made.text.replace("moves = 12", "moves = 0").replace('at = "D5 E"', 'at = "Z99 E"')
    assert text.count("Z99") == 1
    made.do(Whole(loads(text + '[[flight]]\nside = "British"\nname = "F"\naircraft = "Walrus"\ncount = 99\n'
                               'base = "Exeter"\n')))
    assert set(faulty(made)) == {"ship 0", "flight 0", "moves"}
    assert len(made.wrongs) == 3 and made.wrong is made.wrongs[0]
    assert any("Exeter" in made.named(error) and made.named(error).endswith(made.told_at(error.place))
               for error in made.wrongs)
    drawn = {unit.name for unit in made.shop.outline(made.doc).units}
    assert len(drawn) == 1 and "Exeter" not in drawn, "nobody can say where she lies"
    made.choose(("flight", 0))
    with pytest.raises(OptionError):  # a later bad value is refused, though something is wrong before it
        made.set("level", True)
    with pytest.raises(OptionError):
        made.set("name", "")
    made.choose(())
    made.set("moves", "12")
    made.choose(("ship", 0))
    made.set("at", "D5 E")
    made.choose(("flight", 0))
    made.set("count", "1")
    assert made.wrong is None

    boats = draft("on-patrol")
    doc = deepcopy(boats.doc)
    doc["turns"], doc["boat"][0]["depth"] = 0, 55
    doc["edges"] = {"west": "?"}
    boats.do(Whole(doc))
    assert set(faulty(boats)) == {"turns", "boat 0", "edges.west"}


def test_what_depends_on_a_fault_is_not_said_to_be_wrong() -> None:
    made = draft("fleet-action", "Iowa's convoy")
    for name, value in (("sides", ["Yanks"]), ("sections", [0, 1]), ("ship", 7)):
        made.do(Whole({**made.doc, name: value}))
        assert [error.place[:1] for error in made.wrongs] == [(name,)]
        made.undo()
    made.do(Whole({**made.doc, "ship": [{**row, "at": "Z99 E"} for row in made.doc["ship"]]}))
    assert {error.place[::2] for error in made.wrongs} == {("ship", "at")}
    assert len(made.wrongs) == len(made.doc["ship"]), "neither aims nor sides are wrong"


@pytest.mark.parametrize("aim", ["exit", "aircraft", "island", "none"])
def test_an_aim_that_nothing_on_the_board_answers_is_said_at_the_aim_and_in_a_file(aim: str) -> None:
    made = draft("fleet-action")
    made.choose(("objective", 0))
    if aim == "none":
        with pytest.raises(OptionError):
            made.set("of", [])
        doc = deepcopy(made.doc)
        doc["objective"][0]["of"] = []
    else:
        doc = deepcopy(made.doc)
        doc["objective"][0] |= {"aim": aim, "points": 10}
        doc["objective"][0].pop("of", None)
    reason = made.why_not(Set(("objective", 0, "aim"), aim)) if aim == "exit" else ""
    made.do(Whole(doc))
    assert made.wrong is not None and made.wrong.place[:2] == ("objective", 0)
    assert reason == "" or reason == made.told
    assert set(faulty(made)) == {"objective 0"}
    with pytest.raises(OptionError):
        load("fleet-action", custom=made.text)
    if aim == "exit":  # painted, it is right; taken away, it is told at the aim
        made.tool = "exit"
        made.side = made.shop.side_of(made.doc, made.doc["objective"][0])
        made.press("A1")
        assert made.wrong is None and "exit" in made.doc
        made.press("A1")
        assert made.wrong is not None and made.wrong.place == ("objective", 0, "aim")


def test_names_are_followed() -> None:
    made = draft("fleet-action", "Iowa's convoy")
    made.do(Set(("ship", 0, "name"), "Big Ship"))
    assert made.wrong is None and made.doc["ship"][0]["card"] == "Iowa"
    assert [row["of"] for row in made.doc["objective"] if "Big Ship" in row["of"]] == [["Big Ship"]]
    made.do(Drop(("ship", 0)))
    assert made.wrong is None and all("Big Ship" not in row["of"] for row in made.doc["objective"])
    made.do(Set(("sides",), ["Yanks", "Japanese"]))
    assert made.wrong is None and {row["side"] for row in made.doc["ship"]} == {"Yanks", "Japanese"}


def test_a_tanker_with_fuel_stays_the_same_ship_and_escorts_alone_have_places() -> None:
    made = draft("on-patrol")
    made.do(Set(("fuel",), [2]))
    made.do(Drop(("ships", 0)))
    assert made.doc["fuel"] == [1] and made.wrong is None
    for _ in range(2):
        made.do(Drop(("ships", 0)))
    assert made.wrong is None and len(made.doc["places"]) == 1 and "fuel" not in made.doc
    made.add("escorts")
    assert made.wrong is None and len(made.doc["places"]) == 2
    made.choose(("places", 1))
    made.turn(1)
    assert made.wrong is None and {each[-1] for each in made.doc["places"]} == {"4"}  # all on one course
    cell = next(cell.id for cell in made.scene((800, 600)).cells if not made.shop.at(made.doc, cell.id))
    made.press(cell)
    assert made.doc["places"][1].startswith(cell)


@pytest.mark.parametrize("name", SHOPS)
def test_no_other_edit_gives_up_what_was_typed_and_does_not_count(name: str) -> None:
    made = draft(name)
    made.choose(next((kind.key, n) for kind, n, *_ in made.things()))
    before, typed, past = made.doc, "title = [", len(made.past)
    made.type(typed)
    edits = [partial(made.do, Whole(loads("moves = 3"))), partial(made.add, str(made.chosen[0]))]
    made.tool = next(made.tools())
    cells = [cell.id for cell in made.scene((800, 600)).cells]
    edits += [made.remove, *(partial(made.press, cell) for cell in cells)]
    refused = 0
    for edit in edits:
        try:
            edit()
        except OptionError as error:
            refused += (error.key == "view.typed")
        assert (made.doc, made.typed, len(made.past)) == (before, typed, past + 1)
    assert refused > len(cells) // 2
    made.undo()
    assert (made.doc, made.typed) == (before, "")
    made.redo()
    assert made.typed == typed
    made.undo()
    made.press(cells[0])
    assert made.doc != before


@pytest.mark.parametrize("text", ["ship = 3", "ship = [1, 2]", "sides = 5", "sections = [99, 99]", "coast = [1]",
                                  "boat = 1", 'ship = [{ side = 1, entry = 4, name = 7, at = 9 }]', "edges = 4",
                                  "ships = [4]",
                                  'objective = [{ of = 3, aim = 4 }]', "title = 3", "exit = [{ squares = 3 }]"])
@pytest.mark.parametrize("name", SHOPS)
def test_whatever_was_typed_is_shown_and_can_be_mended(name: str, text: str) -> None:
    made = draft(name)
    made.do(Whole(loads(text)))
    assert made.wrong is not None and made.scene((800, 600)).cells
    assert made.form() and list(made.things()) is not None
    made.undo()
    assert made.wrong is None
    with pytest.raises(DataError):
        loads("a = [")
