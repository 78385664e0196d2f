"""The facts of a release's recoding."""

import pyarrow as pa

import incrowd

TABLE = pa.table({"x": list("aabbc"), "y": list("ppqqr")})
ASKED = {"quasi_identifiers": ["x", "y"], "k": 2, "outliers": "suppress"}


def facts(**more):
    with incrowd.anonymize(TABLE, **ASKED, **more) as release:
        return release.facts, release.summary()


def test_the_one_vector_is_told_by_column_with_the_rows_that_it_suppresses():
    told, said = facts(recoding="global", suppression_limit="0.2")
    assert told["levels"] == {"x": 0, "y": 0}
    assert (told["suppressed_rows"], told["suppression_limit"], told["most_suppressed"]) == (1, "1/5", 1)
    assert "one recoding for the whole table" in said
    assert "at most 1 row fully suppressed (a share of 1/5)" in said


def test_where_every_row_is_suppressed_the_vector_is_that_of_stars():
    told, _ = facts(recoding="global", patterns=[["x", "y"]])
    assert told["levels"] == {"x": 1, "y": 1}
    assert told["suppressed_rows"] == 5


def test_nothing_is_told_where_nothing_was_asked():
    told, said = facts()
    assert not {"levels", "suppressed_rows", "suppression_limit"} & set(told)
    assert "one recoding" not in said


def test_a_limit_is_told_without_one_recoding_too():
    told, _ = facts(suppression_limit=1)
    assert told["suppressed_rows"] == told["fully_suppressed_rows"]
    assert "levels" not in told
