"""Nothing that is drawn can become markup."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from incrowd.web.drawings.svg import drawing, element


def test_texts_and_attributes_are_escaped():
    made = drawing(10, 10, '"><script>', [element("text", "<b>&", x=1.25, class_='a" onload="x')])
    tree = ElementTree.fromstring(made)
    assert tree.attrib["aria-label"] == '"><script>'
    assert [child.text for child in tree] == ["<b>&"]
    assert tree[0].attrib == {"x": "1.2", "class": 'a" onload="x'}


def test_numbers_are_rounded_to_what_the_eye_sees():
    assert element("rect", x=1.0, width=2.345, stroke_width=3) == '<rect x="1" width="2.3" stroke-width="3"/>'
