"""Every pattern has a line, a cell for each column: as it is, coarser, or a star."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from incrowd.web.drawings.star_map import MOST, star_map

SVG = "{http://www.w3.org/2000/svg}"


def kinds(made):
    tree = ElementTree.fromstring(made)
    return tree, [one.attrib["class"].split()[1] for one in tree.iter(f"{SVG}rect")]


def test_cells_tell_kept_coarser_and_star_apart_the_most_frequent_pattern_first():
    patterns = [{"levels": {"b": 1}, "rows": 2}, {"levels": {"a": 1, "b": 2}, "rows": 8}]
    tree, found = kinds(star_map({"a": 1, "b": 2}, patterns, 10))
    assert found == ["starred", "starred", "kept", "coarser"]
    assert "8 rows: a and b blurred" in tree.attrib["aria-label"]


def test_rare_patterns_are_told_in_one_line():
    tree, found = kinds(star_map({"a": 1}, [{"levels": {}, "rows": 3}] * (MOST + 5), 3 * (MOST + 5)))
    assert len(found) == MOST
    assert "and 15 rows of other patterns" in [one.text for one in tree.iter(f"{SVG}text")]


def test_names_of_columns_are_texts():
    tree, _ = kinds(star_map({"<script>": 1, "x" * 60: 1}, [{"levels": {}, "rows": 1}], 1))
    names = [one.text for one in tree.iter(f"{SVG}text")]
    assert names[0] == "<script>"
    assert len(names[1]) == 24
