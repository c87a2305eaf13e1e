"""Themes: the same tokens in all, and text that can be read on every surface it stands on."""

from __future__ import annotations
import re

import pytest

from navalkit.core.errors import OptionError
from navalkit.testing import refused
from navalkit.view.theme import MARKS_ON, TEXT_ON, THEMES, rgb, theme
from ..contrast import contrast_ratio
from ..sentences import CORE


def test_contrast_ratio_of_known_pairs():
    assert contrast_ratio("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast_ratio("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)  # the well-known near miss
    assert contrast_ratio("#123456", "#123456") == 1
    assert contrast_ratio("#E69F00", "#0072B2") == contrast_ratio("#0072B2", "#E69F00")


@pytest.mark.parametrize("name", THEMES)
def test_text_reaches_four_and_a_half_to_one_on_its_surfaces(name):
    colours = THEMES[name]
    ratios = {(t, s): contrast_ratio(colours[t], colours[s]) for t, on in TEXT_ON.items() for s in on}
    assert {pair: round(ratio, 2) for pair, ratio in ratios.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("name", THEMES)
def test_marks_reach_three_to_one_on_their_surfaces(name):
    colours = THEMES[name]
    ratios = {(t, s): contrast_ratio(colours[t], colours[s]) for t, on in MARKS_ON.items() for s in on}
    assert {pair: round(ratio, 2) for pair, ratio in ratios.items() if ratio < 3} == {}


def test_high_contrast_text_reaches_seven_to_one_on_the_sea():
    colours = THEMES["contrast"]
    assert all(contrast_ratio(colours[t], colours[s]) >= 7 for t in ("ink", "muted") for s in TEXT_ON[t])


def test_all_themes_have_the_same_tokens_and_well_formed_colours():
    first, *others = (set(each.colours) for each in THEMES.values())
    assert all(other == first for other in others)
    assert all(re.fullmatch("#[0-9A-F]{6}", c) for each in THEMES.values() for c in each.colours.values())


def test_red_suits_are_red_in_every_theme():
    for each in THEMES.values():
        red, green, blue = rgb(each["suit_heart"])
        assert each["suit_diamond"] == each["suit_heart"] and red > 150 and green < 40 and blue < 60
        assert each["suit_club"] == each["suit_spade"] and max(rgb(each["suit_spade"])) < 60


def test_the_ramp_of_probability_maps_gets_lighter_evenly_and_is_the_same_in_all_themes():
    ramps = {tuple(each[f"heat{step}"] for step in range(10)) for each in THEMES.values()}
    assert len(ramps) == 1
    against_black = [contrast_ratio(colour, "#000000") for colour in ramps.pop()]
    light = [116 * max(0.05 * c - 0.05, 1e-9) ** (1 / 3) - 16 for c in against_black]  # CIE L*
    steps = [after - before for before, after in zip(light, light[1:], strict=False)]
    assert all(6 < step < 12 for step in steps), steps


def test_unknown_names_are_answered_with_the_known_ones():
    with refused(OptionError, CORE, "view.theme", listed="light, dark, contrast"):
        theme("sepia")
    with refused(OptionError, CORE, "view.colour", name="'mauve'"):
        theme("light")["mauve"]
