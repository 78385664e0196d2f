"""What an audit hands out."""

import json

import pyarrow as pa
import pytest

import incrowd
from incrowd.results.audit import AuditResult

TABLE = {"a": ["x", "x", "y"], "b": ["p"] * 3}


@pytest.mark.parametrize(
    ("asked", "said"),
    [({}, "nothing was asked"), ({"k": 1}, "meets what was asked"), ({"k": 3}, "does NOT meet what was asked")],
)
def test_what_an_audit_prints_says_whether_anything_was_asked(asked, said):
    found = incrowd.audit(pa.table(TABLE), quasi_identifiers=["a", "b"], **asked)
    assert repr(found) == f"<Audit of 3 rows: k=1, 1 unique row, {said}>"


def test_the_attributes_are_the_facts_and_the_json_is_all_of_them():
    found = incrowd.audit(pa.table(TABLE), quasi_identifiers=["a", "b"], k=1)
    assert isinstance(found, AuditResult) and json.loads(found.to_json()) == json.loads(json.dumps(found.facts))
    assert (found.rows, found.k, found.unique_rows, found.quasi_identifiers) == (3, 1, 1, ("a", "b"))
    assert found.classes == {"count": 2, "min": 1, "mean": 1.5, "max": 2}
    assert found.unique_fraction == pytest.approx(1 / 3)


def test_a_table_where_every_row_is_an_outlier_has_no_k():
    table = pa.table({"a": ["*", "*"], "b": ["*", "*"]})
    found = incrowd.audit(table, quasi_identifiers=["a", "b"], outliers="suppress")
    assert found.k is None and found.facts["outliers"] == 2 and found.classes["count"] == 0
