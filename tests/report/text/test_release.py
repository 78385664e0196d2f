"""The summary says what a newcomer must know, and warns where there is something to warn of."""

import functools

import pyarrow as pa
import pytest

import incrowd
from incrowd.report.facts.release import notes_by_kind
from incrowd.report.text.release import kernel_words, summary
from incrowd.report.text.verdict import verdict_of_release
from incrowd.tables.values import Advice


@functools.cache
def usual():
    """The summary of one release, and its facts, for whoever asks for nothing else."""
    return summary_of(k=2)


def summary_of(table=None, **settings):
    if table is None and not settings:
        return usual()
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
    assert "by column: a 33.3%" in flat(text)
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
    assert "1 row is fully suppressed and fewer than k = 3" in flat(text)
    assert facts["classes"] == {"count": 1, "min": 5, "mean": 5.0, "max": 5}


def test_outliers_that_are_many_are_a_crowd():
    table = pa.table({"a": list("xxxabcde"), "b": list("pppstuvw")})
    _, facts = summary_of(table, outliers="suppress", k=3, mask=incrowd.Mask(max_stars=0))
    assert facts["outliers"] == 5
    assert facts["k_anonymous"] is True


def test_a_kept_column_that_is_nearly_unique_is_named():
    said = "Could anybody know a person's free? It is kept as it is and nearly unique: who knows it finds the person."
    assert said in flat(summary_of()[0])
    assert "nearly unique" not in summary_of(other="drop")[0]


def test_a_sensitive_column_is_named_with_its_risk():
    text = flat(summary_of(sensitive=["free"])[0])
    assert "Is it acceptable that free may be learned? The column passed unchanged" in text
    assert "where all people of a class share one, it is known of each" in text


def test_fully_suppressed_rows_are_counted():
    text, facts = summary_of(pa.table({"a": list("abcd"), "b": list("pqrs")}))
    assert facts["fully_suppressed_rows"] == 4
    assert "4 rows fully suppressed (100%)" in text
    assert "looks like at least 1 other: they form one class." in text


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
    assert "Is it acceptable that job may be learned? The column passed unchanged" in flat(text)
    assert "ill passed unchanged; what was asked limits what a class tells" in flat(text)


def test_every_column_that_passed_unchanged_is_named_in_the_words_of_the_report():
    table = pa.table({"a": ["x"] * 6, "ward": list("uuuvvv"), "bmi": list("112122"), "ill": list("ffgggf")})
    settings = {"quasi_identifiers": ["a"], "sensitive": ["ill"], "k": 2}
    with incrowd.anonymize(table, **settings) as release:
        text, points = flat(release.summary()), verdict_of_release(release.facts).points
    assert "Can an attacker know ward and bmi of a person? They passed unchanged, outside the protection." in text
    assert len(points) == 2
    assert all(point in text for point in points)
    assert {"ward", "bmi", "ill"} == {c["name"] for c in release.facts["kept_columns"]}


def test_three_lines_say_what_was_kept_what_was_lost_and_how_near_the_least():
    verdict = summary_of()[0].split("\n\n")[0].splitlines()
    assert verdict == [
        "Every one of the 6 rows of the release looks like at least 1 other, in 2 classes.",
        "2 of 12 cells of the quasi-identifiers are suppressed (16.7%); the rest is as it was.",
        "This is the least loss possible under this policy: no release can cost less than 2.",
    ]


def test_the_solvers_own_words_are_told_when_they_are_asked_for_and_advice_always():
    _, facts = summary_of()
    told = {
        **facts,
        "solver_notes": ["2556776 pairs"],
        "advice": ["more time will not help"],
        "gap": 0.5,
        "optimal": False,
    }
    short, long = flat(summary(told)), flat(summary(told, details=True))
    for word in ("2556776 pairs", "found by", "usefulness", "combinations of changed columns"):
        assert word not in short
        assert word in long
    assert "more time will not help" in short


def test_a_note_of_a_solver_that_is_advice_is_told_apart():
    notes = ("748727 moves", Advice("more time will not help"), "11 scans")
    assert notes_by_kind(notes) == {"solver_notes": ["748727 moves", "11 scans"], "advice": ["more time will not help"]}


@pytest.mark.parametrize("status", ["gap", "time_limit", "heuristic", "interrupted"])
def test_how_the_search_ended_is_a_sentence(status):
    text = summary({**summary_of()[1], "status": status, "optimal": False, "gap": 0.1})
    assert "the search " in flat(text)
    assert status not in text.replace("time limit", "") or status in ("gap", "interrupted")


def test_costs_are_plain_numbers():
    facts = {
        **summary_of()[1],
        "cost": 1234567.25,
        "lower_bound": 1000000.9,
        "lower_bound_checked": 1000000.9,
        "gap": 0.2346,
        "optimal": False,
    }
    text = flat(summary(facts, details=True))
    assert (
        "at most 23.5% above the least possible loss (cost 1,234,567.2; none under this policy is below 1,000,000.9)"
        in text.lower()
    )
    assert "e+0" not in text


def test_a_loss_far_above_the_bound_is_told_in_times():
    facts = {
        **summary_of()[1],
        "cost": 695,
        "lower_bound": 36,
        "lower_bound_checked": 36,
        "gap": 659 / 36,
        "optimal": False,
    }
    assert "At most 19.4 times the least possible loss (cost 695; none under this policy is below 36)." in summary(
        facts
    )


def test_nothing_is_said_twice():
    text = summary_of()[0]
    assert text.count("mask:") == 1
    assert "combinations" not in text
    lines = [line for line in text.splitlines() if line]
    assert len(lines) == len(set(lines)) < 24


def test_the_kernel_is_told_where_one_was_asked_for():
    facts, sizes = summary_of()[1], {"rows_before": 1000, "rows": 90, "row_types": 4, "most_copies": 32}
    assert list(kernel_words(facts)) == []
    text = flat(summary({**facts, "kernel": sizes}))
    assert "the search ran on a kernel of 90 of the 1,000 rows, each in it at most 32 times" in text.lower()
    assert "the kernel is the whole table" in flat(summary({**facts, "kernel": {**sizes, "rows": 1000}})).lower()
