"""What releases give away, over their cost."""

from incrowd.report.charts.given_away import given_away
from report_charts import values


def test_cells_that_chance_explains_are_not_given_away():
    line = {"line": "k = 2", "blunt": None, "cost": 7, "claimed_cells": 10}
    some = [{**line, "quotient": quotient} for quotient in (None, 0.0, 0.25, 1.0, 1.3)]
    assert [row["cells"] for row in values(given_away(some))] == [10, 10, 7.5, 0, 0]


def test_each_release_has_a_line_of_its_own_in_the_order_of_its_levels():
    lines = [
        {"line": name, "blunt": blunt, "cost": cost, "claimed_cells": 8, "quotient": quotient}
        for name in ("k = 2", "k = 5", "k = 7", "k = 8", "k = 9", "k = 10")
        for blunt, cost, quotient in ((None, 5, 0.0), (1, 6, 0.5))
    ]
    chart = given_away(lines).to_dict()
    (scale,) = {
        str(layer["encoding"]["color"]["scale"]) for layer in chart["layer"] if "scale" in layer["encoding"]["color"]
    }
    assert scale.count("k = ") == 6 and scale.count("#") == 6
    assert [row["blunt"] for row in values(given_away(lines))][:2] == ["", "1"]
