"""The page of a trade-off: every point in a table, and the command that releases."""

import shlex

import pytest

from incrowd.errors import InputError
from incrowd.report.pages.page import Code, Figure, Points, Table
from incrowd.report.pages.tradeoff import attack_chart, chart, tradeoff_page
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


SHARP = {"blunt": None, "cost": 1234, "claimed_cells": 40, "wrong_cells": 0, "quotient": 0.0}
BLUNT = {"blunt": 2, "cost": 1270.5, "claimed_cells": 50, "wrong_cells": 12, "quotient": 0.6}


def test_what_releases_give_away_is_drawn_over_their_cost_less_what_chance_tells():
    facts = {**FACTS, "points": [{**POINT, "attack": [SHARP, BLUNT]}, LEFT]}
    drawn = [(row["line"], row["blunt"], row["cost"], row["cells"]) for row in values(attack_chart(facts))]
    assert drawn == [("k = 2, greedy", "", 1234, 40), ("k = 2, greedy", "2", 1270.5, 20)]
    (section,) = (one for one in tradeoff_page(facts).sections if one.id == "given-away")
    figure = next(block for block in section.blocks if isinstance(block, Figure))
    assert figure.table.rows == [
        ["2", "greedy", "–", "1,234", "40", "0", "0%", "40"], ["2", "greedy", "2", "1,270.5", "50", "12", "60.0%", "20"],
    ]  # fmt: skip
    assert "k = 2 greedy, blunt 2: 20 at 1,270.5" in figure.drawing.alternative


def test_where_several_costs_were_asked_what_is_given_away_stands_over_shares():
    one = {**POINT, "cost_name": "leaves", "stars_alone": 2468, "attack": [SHARP]}
    other = {**POINT, "cost_name": "entropy", "stars_alone": 12340, "attack": [SHARP]}
    drawn = {(row["line"], row["cost"]) for row in values(attack_chart({**FACTS, "points": [one, other]}))}
    assert drawn == {("k = 2, greedy, by leaves", 0.5), ("k = 2, greedy, by entropy", 0.1)}


def test_without_an_attack_there_is_no_section_and_a_chart_of_it_is_refused():
    assert [section.id for section in tradeoff_page(FACTS).sections] == ["curve", "asked", "next"]
    with pytest.raises(InputError, match="attack=True"):
        attack_chart(FACTS)
