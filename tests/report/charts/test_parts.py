"""What all charts share."""

from incrowd.report.charts.parts import COLOURS, MAIN, bars, rows_of, size_label
from report_charts import values


def test_every_colour_is_used_for_one_thing():
    assert len(set(COLOURS.values())) == len(COLOURS)


def test_labels_hold_characters_that_can_be_drawn():
    assert rows_of([{"label": "a\x0cb", "n": 1}]).values == [{"label": "a\u240cb", "n": 1}]


def test_bars_keep_the_order_and_the_colours_of_their_lines():
    rows = [{"label": "b", "n": 1, "text": "1"}, {"label": "a", "n": 3, "text": "3", "colour": "#000000"}]
    chart = bars(rows, label="label", value="n", text="text", title="rows")
    assert [row["label"] for row in values(chart)] == ["b", "a"]
    assert [row["colour"] for row in values(chart)] == [MAIN, "#000000"]
    assert chart.to_dict(validate=False)["layer"][0]["encoding"]["y"]["sort"] is None
    assert bars([], label="label", value="n", text="text", title="rows").to_dict(validate=False)["height"] > 0


def test_a_range_of_sizes_is_one_number_or_two():
    assert [size_label({"from": a, "to": b}) for a, b in ((3, 3), (4, 1234))] == ["3", "4 to 1,234"]
