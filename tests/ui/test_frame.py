"""What the pages' template says itself has its sentence, so that it can be said in another language."""

from __future__ import annotations
import re

from navalkit.ui import SAY
from navalkit.ui.shell import FRAME
from ..servers import ROOT

TEMPLATE = (ROOT / "voila_templates" / "navalkit" / "nk.macro.html").read_text(encoding="utf-8")


def test_the_template_says_what_the_sentences_say() -> None:
    tags = re.findall(r'<[^>]*data-nk-word="(\w+)"([^>]*)>([^<]*)', TEMPLATE)
    tags.remove(("title", "", "{{ title }}"))  # the page's own
    assert {key for key, _, _ in tags} == set(FRAME)
    for key, attributes, text in tags:
        assert text == SAY(f"frame.{key}") or f'title="{SAY(f"frame.{key}")}"' in attributes, key
    plain = re.sub(r"(?s)\{#.*?#\}|\{[%{].*?[%}]\}|<[^>]*data-nk-word[^>]*>[^<]*|<[^>]*>", "", TEMPLATE)
    assert re.findall(r"[A-Za-z]+", plain) == ["navalkit"]
