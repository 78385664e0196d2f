"""Charts are made from facts alone, and what they draw is what the facts say."""

import itertools
import re
from types import SimpleNamespace

import pytest

from incrowd.errors import InputError
from incrowd.report.drawings import DASHES, Line, Span, lines, ranges
from incrowd.results import charts
from report_charts import SVG, bars, parsed, texts


def corners(drawing):
    return [
        [tuple(map(float, point.split(","))) for point in one.attrib["points"].split()]
        for one in parsed(drawing).iter(f"{SVG}polyline")
    ]


def test_bars_are_as_long_as_their_shares():
    sizes = [{"from": 1, "to": 1, "rows": 1}, {"from": 2, "to": 3, "rows": 3}]
    (one, short, said), (more, long, _) = bars(charts.classes(sizes))
    assert (one, more, said) == ("1", "2 to 3", "1")
    assert long == pytest.approx(3 * short, abs=0.2)
    assert bars(charts.classes([])) == []


def test_columns_stand_by_their_stars_and_a_small_share_is_not_nothing():
    columns = [{"name": "a", "fraction": 0.0001, "suppressed": 1}, {"name": "b", "fraction": 0.5, "suppressed": 5000}]
    drawn = bars(charts.columns(SimpleNamespace(stars_per_column=columns)))
    assert [(label, said) for label, _, said in drawn] == [("b", "50%"), ("a", "<0.1%")]


def test_a_long_label_is_cut_and_every_sign_is_escaped():
    drawn = charts.columns(
        SimpleNamespace(stars_per_column=[{"name": "<&" + "x" * 40, "fraction": 1, "suppressed": 1}])
    )
    assert texts(drawn)[0] == "<&" + "x" * 19 + "…"


def test_a_pattern_marks_stars_levels_and_ranges_the_most_frequent_first():
    used = [{"levels": {}, "rows": 1}, {"levels": {"a": 2, "b": 1}, "rows": 5}, {"levels": {"c": 2}, "rows": 2}]
    tops = dict.fromkeys("abc", 2)
    facts = SimpleNamespace(quasi_identifiers=["a", "b", "c"], rows=8, patterns_used=used, recoding="levels")
    assert texts(charts.patterns(facts, tops, 2)) == [
        "a",
        "b",
        "c",
        "5 (62.5%)",
        "★",
        "1",
        "2 (25.0%)",
        "★",
        "and 1 row of other patterns",
    ]
    kinds = [one.attrib["class"] for one in parsed(charts.patterns(facts, tops, 2)).iter(f"{SVG}rect")]
    assert kinds == ["starred", "coarser", "kept", "kept", "kept", "starred"]
    assert "↔" in texts(charts.patterns(SimpleNamespace(**{**vars(facts), "recoding": "ranges"}), tops))


def test_values_that_few_rows_show_are_pooled_and_blanks_have_names():
    shown = {
        "values": [{"label": None, "rows": 2, "before": 2}, {"label": "", "rows": 1, "before": 1}],
        "pooled_rows": 3, "pooled_values": 1, "starred": 4,
    }  # fmt: skip
    rows = charts.value_rows(shown, 10)
    assert [row["label"] for row in rows] == ["(empty)", "(blank)", "(1 other value)", "★"]
    assert sum(row["share"] for row in rows) == pytest.approx(1)
    assert [label for label, _, _ in bars(charts.column(shown, 10))] == [row["label"] for row in rows]


def test_both_lines_of_a_search_reach_its_end_in_steps():
    points = [{"seconds": s, "cost": c, "lower_bound": b} for s, c, b in ((0, 9, None), (1, 9, 3), (2, 5, None))]
    cost, bound = corners(charts.bounds(points))
    assert cost[-1][0] == bound[-1][0] > bound[0][0]
    assert all(a[0] == b[0] or a[1] == b[1] for a, b in itertools.pairwise(cost))


def test_a_trade_off_shows_the_best_bound_at_each_k():
    points = [
        {"k": 2, "solver": s, "cost": c, "lower_bound": b} for s, c, b in (("a", 5, 3), ("b", 6, 4), ("c", None, None))
    ]
    drawn = charts.tradeoff(points)
    assert drawn.alternative == "cost over k. a: k 2: 5; b: k 2: 6; no release costs less: k 2: 4."
    assert texts(drawn)[:3] == ["a", "b", "no release costs less"]


def test_an_audits_columns_are_drawn_in_their_order():
    columns = [
        {"name": "a", "separation": None, "unique_without": 3},
        {"name": "b", "separation": 0.5, "unique_without": 1},
    ]
    assert [said for _, _, said in bars(charts.separation(columns))] == ["0%", "50%"]
    assert [said for _, _, said in bars(charts.without(columns, 7))] == ["7", "3", "1"]


def test_an_axis_has_round_numbers_and_holds_every_point():
    for low, high in ((0, 1), (3, 17), (980, 1040), (12_000, 48_000), (0.02, 0.9), (5, 5), (0, 0), (-3, 9)):
        drawn = lines([Line("one", [(1, low), (2, high)])], "x", "y", zero=low >= 0)
        (points,) = corners(drawn)
        grid = [float(one.attrib["y1"]) for one in parsed(drawn).iter(f"{SVG}line")]
        assert min(grid) - 0.2 <= min(y for _, y in points) and max(y for _, y in points) <= max(grid) + 0.2
        assert 2 <= len(grid) <= 8
    wide = lines([Line("one", [(1, 1), (10, 5), (1000, 50_000)], dash=DASHES[1])], "k", "attackers", steps=True)
    assert {"1", "10", "100", "1,000", "10k"} <= set(texts(wide))  # both axes in powers of ten


def test_open_ranges_reach_the_edge_and_single_numbers_share_a_line():
    drawn = ranges([Span(None, 5, "3"), Span(5, 9, "2"), Span(9, None, "4"), Span(7, 7), Span(8, 8)], "values")
    rects = [{k: float(one.attrib[k]) for k in ("x", "y", "width")} for one in parsed(drawn).iter(f"{SVG}rect")]
    assert rects[0]["x"] < rects[1]["x"] < rects[2]["x"] and len({one["y"] for one in rects}) == 4
    assert rects[3]["y"] == rects[4]["y"] < rects[0]["y"]


def test_a_drawing_is_saved_as_svg_of_its_own_colours(tmp_path):
    drawn = charts.separation([{"name": "a", "separation": 0.5}])
    drawn.save(tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    assert text == drawn._repr_svg_() and "var(" not in text and "#2f6fb1" in text
    assert "var(--chart-main,#2f6fb1)" in drawn.__html__()
    with pytest.raises(InputError, match=re.escape("a chart is saved as SVG: give a name that ends in .svg")):
        drawn.save(tmp_path / "a.png")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
