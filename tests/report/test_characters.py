"""Whatever characters labels hold, charts are drawn; tests/process/test_characters.py has whole reports of them."""

import xml.etree.ElementTree as ET

from incrowd.report.drawings import Bar, bars
from incrowd.report.words import visible
from incrowd.results import charts

ALL = [
    chr(c) for c in (*range(0x20), *range(0x7F, 0xA0), 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xFDD0, 0xFFFE, 0xFFFF, 0x1FFFE)
]
KEPT = "\t\n\r"


def test_controls_become_their_pictures_and_the_rest_the_replacement_character():
    assert visible("a\x0cb\x1bc\x7fd\x00") == "a\u240cb\u241bc\u2421d\u2400"
    assert visible("\x85\ud800\ufffe\U0010ffff") == "\ufffd" * 4
    assert visible("tab\tline\n\r é 漢 🙂") == "tab\tline\n\r é 漢 🙂"
    assert all(visible(sign) != sign for sign in ALL if sign not in KEPT)


def test_charts_with_any_character_in_labels_titles_and_numbers_of_them_are_drawn_and_well_formed():
    drawn = bars([Bar(f"x{sign}y", 0.5, sign) for sign in ALL], "t" + "".join(ALL)).saying("said " + "".join(ALL))
    column = {"values": [{"label": "".join(ALL), "rows": 5, "before": None}], "pooled_rows": 0, "starred": 0}
    for one in (drawn, charts.column(column, 5)):
        ET.fromstring(one.__html__())
        ET.fromstring(one.svg())
    assert "x\u240cy" in drawn.svg()
