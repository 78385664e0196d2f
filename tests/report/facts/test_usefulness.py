"""What a report tells of a release's usefulness is little work and rounded."""

from incrowd.report.facts.usefulness import LEAST_ROWS, MOST_TYPES, queries_within, rough
from usefulness_facts import FACTS


def test_figures_keep_two_digits_and_everything_else():
    told = rough(FACTS)
    assert told["counts"]["mean"] == 0.12
    assert told["associations"]["mean"] == 0.043
    assert told["associations"]["furthest"] == ["age", "sex"]
    assert (told["rows"], told["notes"], told["counts"]["queries"]) == (100, [], 500)
    assert rough({**FACTS, "distinction": None})["distinction"] is None


def test_more_row_types_mean_fewer_questions_and_too_few_rows_none():
    assert queries_within(1, LEAST_ROWS) == 500
    assert queries_within(10, LEAST_ROWS - 1) == 0
    asked = [queries_within(types, 10**7) for types in (10**3, 10**4, 10**5, MOST_TYPES, MOST_TYPES + 1)]
    assert asked == [500, 400, 40, 30, 0]
