"""The page of a trade-off: every point in a table, and the command that releases."""

import shlex

from incrowd.report.pages.page import Code, Figure, Points, Table
from incrowd.report.pages.tradeoff import chart, tradeoff_page
from report_charts import values

POINT = {
    "k": 2,
    "l": None,
    "t": None,
    "solver": "greedy",
    "solver_used": "greedy",
    "cost": 1234,
    "lower_bound": 1000.98,
    "suppressed_fraction": 0.5,
    "classes": 3,
    "highest_risk": 0.5,
    "why": None,
}
LEFT = {**dict.fromkeys(POINT), "k": 5, "solver": "exact", "why": "too many rows"}
FACTS = {"table": "t.csv", "rows": 6, "row_types": 4, "quasi_identifiers": ["a", "b"], "points": [POINT, LEFT], "mask": [], "outlier_rule": "forbid"}  # fmt: skip


def blocks(page, kind):
    return [block for section in page.sections for block in section.blocks if isinstance(block, kind)]


def test_the_page_says_to_choose_and_that_nothing_was_released():
    page = tradeoff_page(FACTS)
    assert page.verdict.level == "look"
    assert page.verdict.points == ("Nothing was released yet.",)
    assert [card.label for card in page.cards] == ["suppressed at k = 2"]
    (figure,) = blocks(page, Figure)
    assert "k = 2 greedy: 1234" in figure.drawing.alternative
    assert [len(table.rows) for table in blocks(page, Table)] == [2]
    assert ["exact at k = 5: too many rows"] in [list(points.items) for points in blocks(page, Points)]


def test_the_command_it_shows_is_one_that_runs():
    (code,) = blocks(tradeoff_page(FACTS), Code)
    words = shlex.split(code.text)
    assert words[:3] == ["incrowd", "anonymize", "t.csv"]
    assert words[words.index("--qi") + 1] == "a,b"


def test_where_no_point_was_solved_there_is_no_chart():
    page = tradeoff_page({**FACTS, "points": [LEFT]})
    assert not blocks(page, Figure)
    assert not page.cards


def test_thresholds_beside_k_tell_lines_apart():
    points = [{**POINT, "t": t} for t in (0.1, 0.2)]
    lines = values(chart({"points": points}))
    assert {line["line"] for line in lines} == {"greedy, t = 0.1", "greedy, t = 0.2", "no release costs less"}


def test_several_costs_are_drawn_as_shares_of_what_stars_alone_cost_each_with_its_bound():
    one = {**POINT, "cost_name": "leaves", "stars_alone": 2468, "lower_bound": 617}
    other = {**POINT, "cost_name": "entropy", "stars_alone": 12340, "lower_bound": None}
    drawn = {(line["line"], line["value"]) for line in values(chart({**FACTS, "points": [one, other]}))}
    assert drawn == {
        ("greedy, by leaves", 0.5), ("greedy, by entropy", 0.1), ("no release costs less by leaves", 0.25)
    }  # fmt: skip
