"""The summary says what a newcomer must know, and warns where there is something to warn of."""

import pyarrow as pa
import pytest

import incrowd


def summary_of(table=None, **settings):
    table = table or pa.table({"a": ["x"] * 4 + ["y", "z"], "b": ["p"] * 6, "free": [str(i) for i in range(6)]})
    with incrowd.anonymize(table, **{"quasi_identifiers": ["a", "b"], "k": 2, **settings}) as release:
        return release.summary(), release.facts


def flat(text):
    return " ".join(text.split())


def test_what_was_asked_is_said_in_words():
    text, _ = summary_of(mask=incrowd.Mask(max_stars=1, keep=["b"]), identifiers=["free"])
    assert "nobody who knows a and b of a person can tell their row from 1 other" in flat(text)
    assert "mask: at most 1 star" in text
    assert "b is never changed" in text
    assert "the identifier column was dropped" in text


def test_the_loss_is_said_by_cells_and_columns():
    text, facts = summary_of()
    assert facts["suppressed_cells"] == 2
    assert "2 of 12 cells of the quasi-identifiers are suppressed (16.7%)" in flat(text)
    assert "by column: a 33%" in flat(text)
    assert "never suppressed: b" in text


def test_an_optimal_release_is_called_so_and_another_is_not():
    text, facts = summary_of(pa.table({"a": ["x", "x", "y", "y"], "b": ["p"] * 4}))
    assert facts["optimal"]
    assert facts["gap"] == 0
    assert "least loss possible" in text
    text, facts = summary_of(k=3)
    assert facts["optimal"] == ("least loss possible" in text)


def test_outliers_that_are_too_few_are_warned_of():
    table = pa.table({"a": ["x"] * 5 + ["y"], "b": ["p"] * 5 + ["q"]})
    text, facts = summary_of(table, outliers="suppress", k=3)
    assert facts["outliers"] == 1
    assert facts["k_anonymous"] is False
    assert "EXCEPT for 1 row" in text
    assert "fewer than k=3" in flat(text)
    assert facts["classes"] == {"count": 1, "min": 5, "mean": 5.0, "max": 5}


def test_outliers_that_are_many_are_a_crowd():
    table = pa.table({"a": list("xxxabcde"), "b": list("pppstuvw")})
    _, facts = summary_of(table, outliers="suppress", k=3, mask=incrowd.Mask(max_stars=0))
    assert facts["outliers"] == 5
    assert facts["k_anonymous"] is True


def test_a_kept_column_that_is_nearly_unique_is_named():
    assert "column free is kept and nearly unique" in flat(summary_of()[0])
    assert "nearly unique" not in summary_of(other="drop")[0]


def test_a_sensitive_column_is_named_with_its_risk():
    assert "free passed unchanged: where all rows of a class share a value" in flat(summary_of(sensitive=["free"])[0])


def test_fully_suppressed_rows_are_counted():
    text, facts = summary_of(pa.table({"a": list("abcd"), "b": list("pqrs")}))
    assert facts["fully_suppressed_rows"] == 4
    assert "4 rows fully suppressed (100.0%)" in text
    assert "They form one class of 4 rows" in text


def test_all_suppressed_without_a_class():
    text, facts = summary_of(pa.table({"a": list("abcd"), "b": list("pqrs")}), outliers="suppress", k=4)
    assert facts["classes"]["count"] == 0
    assert "All rows are fully suppressed." in text


def test_k_of_one_is_not_praised():
    assert "k=1 hides nobody" in summary_of(k=1)[0]


@pytest.mark.parametrize("weights", [{"a": "1/3"}, {"a": 2}])
def test_weighted_cost_is_said_beside_the_cells(weights):
    text, facts = summary_of(weights=weights)
    assert facts["suppressed_cells"] == 2
    if weights["a"] == 2:
        assert facts["cost"] == 4
        assert "cost_exact" not in facts
    else:
        assert facts["cost_exact"] == "2/3"
    assert "cost with weights and labels" in text


def test_what_was_asked_of_sensitive_values_is_said_and_who_is_not_judged():
    table = pa.table({"a": ["x"] * 4, "b": ["p"] * 4, "ill": ["flu", "cold"] * 2, "job": ["none"] * 4})
    text, _ = summary_of(table, sensitive=["ill", "job"], require=["l-diversity l=2 column=ill"])
    assert "l-diversity l=2 column=ill: at least l well-represented sensitive values" in flat(text)
    assert "(reached: 2)" in text
    assert "job passed unchanged: where all rows of a class share a value" in flat(text)
    assert "what was asked of ill limits what a class tells" in flat(text)
