"""Points lie where their numbers are, higher costs higher up."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

from incrowd.web.drawings.curve import curve

SVG = "{http://www.w3.org/2000/svg}"


def lines(made):
    tree = ElementTree.fromstring(made)
    points = [one.attrib["points"].split() for one in tree.iter(f"{SVG}polyline")]
    return tree, [[tuple(map(float, point.split(","))) for point in line] for line in points]


def test_a_higher_cost_is_drawn_higher_and_a_greater_k_to_the_right():
    tree, (cost, bound) = lines(curve({"cost": [(2, 10), (5, 20)], "bound": [(2, 10), (5, 15)]}, "k", "cost"))
    assert cost[0] == bound[0]
    assert cost[1][0] > cost[0][0]
    assert cost[1][1] < bound[1][1] < cost[0][1]
    assert "k 5: 20" in tree.attrib["aria-label"]


def test_ticks_are_round_numbers():
    tree, _ = lines(curve({"cost": [(2, 0), (5, 7886)]}, "k", "cost"))
    ticks = [one.text for one in tree.iter(f"{SVG}text") if one.attrib.get("class") == "tick"]
    assert ticks[:4] == ["0", "2,000", "4,000", "6,000"]


def test_one_point_and_a_cost_of_nothing_are_drawn_and_no_point_is_not():
    lines(curve({"cost": [(5, 0)]}, "k", "cost"))
    lines(curve({"cost": [(1, 0.25), (900, 3)]}, "k", "cost"))
    assert curve({"cost": []}, "k", "cost") == ""
