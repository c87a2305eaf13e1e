"""One more language costs no line of code: on a copy of the house a language is made from files alone, and is spoken.

The language is English with accents on its vowels, so that what is still said in plain English is seen at once.
"""

from __future__ import annotations
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomli_w

HOUSE = Path(__file__).parents[2]
LANG = "qx"
_ACCENTS = str.maketrans("aeiouyAEIOU", "áéíóúýÁÉÍÓÚ")
_KEPT = {"position", "layers", "forms"}
"""What stands in a file of sentences and is none: the stepper's terms."""

SPOKEN = """
import json, sys, tempfile
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from navalkit.core.match import Store
from navalkit.core.registry import load, names
from navalkit.core.words import Voice, speaking
from navalkit.view import lobby
from navalkit.view.page import page_of
from tests.english import english, played, refused, spoken, stepped, unexplored
lang, told, games = sys.argv[2], {}, names()
for number, name in enumerate(games):
    store = Store(Path(tempfile.mkdtemp()))
    with speaking(Voice(lang)):
        blurb = str(load(name).blurb)
    left = played(name, lang, store, 6) | stepped(name, lang, 2)
    left |= set(english(refused(name, games[number - 1], lang, store)))
    told[name] = [lang in page_of(name).languages, blurb, sorted(left)]
with speaking(Voice(lang)):
    shown = str(lobby.page(Path(sys.argv[3])))
told["lobby"] = [lang in lobby.SAY.languages, "", sorted(english(spoken(shown)))]
told["explorer"] = [True, "", sorted(english(unexplored(lang)))]
print(json.dumps(told))
"""


def accented(sentence: str) -> str:
    """A sentence in that language: its facts stay, and the nouns that go with numbers are accented too."""
    def fact(found: re.Match[str]) -> str:
        name, _, form = found[0][1:-1].partition(":")
        return f"{{{name}:{form.translate(_ACCENTS)}}}" if "|" in form else found[0]

    parts = re.split(r"(\{[^{}]*\})", sentence.removeprefix("{why} "))  # Python's reader of TOML speaks English alone
    return "".join(fact(m) if (m := re.fullmatch(r"\{[^{}]*\}", part)) else part.translate(_ACCENTS) for part in parts)


def translated(table: Any, key: str = "") -> Any:
    if isinstance(table, dict):
        return {name: translated(value, name) for name, value in table.items()}
    if isinstance(table, list):
        return [translated(each) for each in table]
    return table if key in _KEPT else accented(str(table)) if isinstance(table, str) else table


def write_language(house: Path) -> int:
    """Write the language's files, one beside each German one; how many."""
    count = 0
    for german in sorted(house.rglob("*.de.*")):
        own, plain = (german.with_name(german.name.replace(".de.", put)) for put in (f".{LANG}.", "."))
        if german.name.startswith("names."):
            names = tomllib.loads(german.read_text(encoding="utf-8"))
            own.write_text(tomli_w.dumps({text: accented(text) for text in names}), encoding="utf-8")
        elif german.suffix == ".md":
            rules = re.sub(r"(\*\*[\w.]+\*\* )(.*?)( \[[^\]]*\]$)", lambda m: m[1] + accented(m[2]) + m[3],
                           re.sub(r"\n  (?=\S)", " ", plain.read_text(encoding="utf-8")), flags=re.MULTILINE)
            heads = re.sub(r"^## (.*?)( <!--|$)", lambda m: f"## {accented(m[1])}{m[2]}", rules, flags=re.MULTILINE)
            own.write_text(heads, encoding="utf-8")
        else:
            table, model = (tomllib.loads(each.read_text(encoding="utf-8")) for each in (plain, german))
            own.write_text(tomli_w.dumps(translated(_shaped(table, model))), encoding="utf-8")
        count += 1
    for file in house.rglob("*.toml"):  # a line more beside each German one: starts, captains, options
        text = file.read_text(encoding="utf-8")
        lines = re.sub(r"^(tongues\.)?de = (\{.*\})$", _beside, text, flags=re.MULTILINE)
        if lines != text:
            file.write_text(lines, encoding="utf-8")
    return count


def _shaped(table: Any, model: Any) -> Any:
    """Of an English table what a German file of its kind has too; both may write "a.b" or b within a."""
    if isinstance(table, dict):
        own, german = dict(_flat(table)), dict(_flat(model))
        return {key: _shaped(own[key], value) for key, value in german.items() if key in own}
    if isinstance(model, list) and model and isinstance(model[0], dict):
        return [_shaped(one, other) for one, other in zip(table, model, strict=True)]
    return table


def _flat(table: dict[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        yield from _flat(value, f"{above}{key}.") if isinstance(value, dict) else [(above + key, value)]


def _beside(line: re.Match[str]) -> str:
    said = tomllib.loads(f"t = {line[2]}")["t"]
    inner = ", ".join(f"{key} = {json.dumps(accented(f'{key} of it, said {value}'[:60]), ensure_ascii=False)}"
                      for key, value in said.items())
    return f"{line[0]}\n{line[1] or ''}{LANG} = {{ {inner} }}"


@pytest.mark.slow
def test_one_more_language_costs_files_alone(tmp_path: Path) -> None:
    house = tmp_path / "house"
    for folder in ("navalkit", "tests"):
        shutil.copytree(HOUSE / folder, house / folder, ignore=shutil.ignore_patterns("__pycache__", "browser"))
    assert write_language(house / "navalkit") > 40
    script = house / "spoken.py"
    script.write_text(SPOKEN, encoding="utf-8")
    ran = subprocess.run([sys.executable, "-W", "ignore", script, house, LANG, HOUSE / "notebooks"], cwd=house,
                         capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(house)}, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    for name, (speaks, blurb, left) in json.loads(ran.stdout.splitlines()[-1]).items():
        assert speaks and blurb.translate(_ACCENTS) == blurb and left == [], name
