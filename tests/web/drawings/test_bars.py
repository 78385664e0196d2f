"""Bars are as long as their share."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from incrowd.web.drawings.bars import bars

SVG = "{http://www.w3.org/2000/svg}"


def test_bars_are_as_long_as_their_share_and_are_told_in_words():
    tree = ElementTree.fromstring(bars([("alone", 30), ("<among> 2", 60)], 120, "Rows"))
    first, second = (float(one.attrib["width"]) for one in tree.iter(f"{SVG}rect"))
    assert abs(second - 2 * first) < 0.2
    assert tree.attrib["aria-label"] == "Rows. alone: 30; <among> 2: 60."
    assert "30 (25.0%)" in [one.text for one in tree.iter(f"{SVG}text")]


def test_nothing_of_nothing_is_drawn():
    ElementTree.fromstring(bars([], 0, "Rows"))
