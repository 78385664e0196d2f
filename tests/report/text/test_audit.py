"""The words of an audit say its numbers, and round no share to nothing or all."""

from incrowd.report.text.audit import audit_summary, sections

FACTS = {
    "table": "t.csv", "rows": 5, "quasi_identifiers": ["a", "b"], "assumed_quasi_identifiers": False, "k": 1,
    "unique_rows": 1, "unique_fraction": 0.2, "outliers": 0, "pairs": [], "pairs_possible": 0, "kept_columns": [],
    "notes": [], "classes": {"count": 2, "min": 1, "mean": 2.5, "max": 4},
    "risks": {
        "prosecutor": 1.0, "prosecutor_mean": 0.4, "journalist": 1.0, "marketer": 0.4,
        "above": [{"threshold": 0.2, "rows": 5, "fraction": 0.99999}],
    },
    "models": [
        {"name": "k-anonymity", "column": None, "asked": 3, "reached": 1, "ok": False, "failing_classes": 1, "failing_rows": 1},
        {"name": "l-diversity", "column": "ill", "asked": 2, "reached": None, "ok": True, "settings": {"kind": "x"}},
    ],
    "columns": [
        {"name": "a", "unique_without": 0, "alone_unique": 0, "separation": 0.5, "distinct": 2},
        {"name": "b", "unique_without": 1, "alone_unique": 0, "separation": 0.2, "distinct": 2},
    ],
}  # fmt: skip


def test_the_first_sentence_says_whether_people_can_be_found():
    def first(**more):
        return " ".join(audit_summary({**FACTS, **more}).split("\n\n")[0].split())

    assert first() == (
        "t.csv: 5 rows, of which an attacker is taken to know a and b. 1 row of 5 (20.0%) is unlike any other: whoever "
        "knows these columns of such a person finds their row."
    )
    assert first(k=2, unique_rows=0).endswith("Every row looks like at least 1 other (k = 2); none is unique.")
    assert first(k=None).endswith("All rows are fully suppressed: nothing is shown of anybody.")
    assert "No quasi-identifiers were named" in first(assumed_quasi_identifiers=True)


def test_what_was_asked_is_told_met_or_not():
    told = sections(FACTS)["asked"]
    assert told == [
        "k-anonymity: 3 asked, NOT met: 1 reached; not met in 1 class with 1 row",
        "l-diversity of ill (kind=x): 2 asked, nothing to measure reached",
    ]
    (nothing,) = sections({**FACTS, "models": []})["asked"]
    assert nothing.startswith("nothing: say with --k")


def test_risks_are_shares_of_rows_and_never_rounded_to_all():
    told = sections(FACTS)["risks"]
    assert told[0] == "2 classes of rows that look alike: 1 to 4 rows, 2.5 on average"
    assert any(
        line.startswith("5 rows (over 99.9%) with a prosecutor risk above 20%: in classes of fewer than 5")
        for line in told
    )
    assert "left out above" in sections({**FACTS, "outliers": 1})["risks"][-1]


def test_columns_are_named_by_what_would_be_saved_without_them():
    told = sections(FACTS)["columns"]
    assert told[0].startswith("unique rows that would be left without one column (now 1)")
    assert "a 0" in told[0] and "b 1" not in told[0]
