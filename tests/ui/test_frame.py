"""What the pages' template says itself has its sentence, so that it can be said in another language."""

from __future__ import annotations
import os
import re

from navalkit.ui import SAY
from navalkit.ui.shell import FRAME
from ..servers import ROOT

FILE = ROOT / "voila_templates" / "navalkit" / "nk.macro.html"


def renew() -> None:
    """Write the sentences into the template anew."""
    text = FILE.read_text(encoding="utf-8")
    for key in FRAME:
        said = SAY(f"frame.{key}")
        tag = re.search(rf'<[^>]*data-nk-word="{key}"[^>]*>[^<]*', text)
        assert tag is not None
        head, _, words = tag[0].partition(">")
        new = f"{head}>{said}" if words.strip() else re.sub(r'(title|aria-label)="[^"]*"', rf'\1="{said}"', tag[0])
        text = text.replace(tag[0], new)
    FILE.write_text(text, encoding="utf-8")


def test_the_template_says_what_the_sentences_say() -> None:
    if os.environ.get("NAVALKIT_RENEW"):
        renew()
    template = FILE.read_text(encoding="utf-8")
    tags = re.findall(r'<[^>]*data-nk-word="(\w+)"([^>]*)>([^<]*)', template)
    tags.remove(("title", "", "{{ title }}"))  # the page's own
    assert {key for key, _, _ in tags} == set(FRAME)
    for key, attributes, text in tags:
        said = SAY(f"frame.{key}")
        assert text == said or f'aria-label="{said}" title="{said}"' in attributes, key
    plain = re.sub(r"(?s)\{#.*?#\}|\{[%{].*?[%}]\}|<[^>]*data-nk-word[^>]*>[^<]*|<[^>]*>", "", template)
    assert re.findall(r"[A-Za-z]+", plain) == ["navalkit"]
