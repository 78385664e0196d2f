"""Charts for notebooks are asked for their facts when they are drawn, not before."""

import pytest

from incrowd.errors import InputError
from incrowd.report.charts.notebook import Plots
from report_charts import values

FACTS = {
    "rows": 4, "quasi_identifiers": ["age"], "class_sizes": [{"from": 2, "to": 2, "rows": 4}],
    "stars_per_column": [{"name": "age", "fraction": 0.5, "suppressed": 2}],
    "levels_per_column": [{"name": "age", "rows": [2, 2]}],
    "patterns_used": [{"levels": {"age": 1}, "rows": 2}],
    "columns_after": [{"name": "age", "values": [], "pooled_rows": 2, "pooled_values": 2, "starred": 2}],
    "progress": [{"seconds": 0, "cost": 2, "lower_bound": 1}],
}  # fmt: skip


def test_every_chart_is_drawn_from_the_facts_when_it_is_asked_for():
    asked = []
    plots = Plots(lambda: (asked.append(1), FACTS)[1])
    assert not asked
    for chart in (
        plots.classes(),
        plots.patterns(),
        plots.levels(),
        plots.columns(),
        plots.columns("age"),
        plots.bounds(),
    ):
        assert values(chart)
    assert len(asked) == 6


def test_a_column_that_is_no_quasi_identifier_is_refused_with_the_nearest():
    with pytest.raises(InputError, match=r"'agee' is no quasi-identifier of this release \(did you mean 'age'\?\)"):
        Plots(lambda: FACTS).columns("agee")
