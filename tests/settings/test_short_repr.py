"""Settings print as the call that makes them, without what is as usual; a table among them is named, never shown."""

from fractions import Fraction
from pathlib import Path

import pytest

import incrowd
from incrowd.settings import short_repr
from incrowd.tables.roles import Reading

ROWS = [{"age": 3107, "name": "Zofia"}] * 4


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (incrowd.Policy(), "Policy()"),
        (incrowd.Policy(hierarchies="auto"), "Policy(other_hierarchies='auto')"),
        (incrowd.Policy(quasi_identifiers=["age"], k=5), "Policy(quasi_identifiers=['age'], k=5)"),
        (incrowd.Mask(max_stars=2, keep=["a"]), "Mask(max_stars=2, keep=['a'])"),
        (Reading(na=("NA",)), "Reading(na=['NA'])"),
        (incrowd.Job().replace(source="t.csv", time_limit=2.5), "Job(source='t.csv', time_limit=2.5)"),
        (incrowd.Job().replace(source=Path("t.csv"), k=2), "Job(policy=Policy(k=2), source='t.csv')"),
        (incrowd.Hierarchy.intervals([5, Fraction(15, 2) * 2], top=90), "Intervals(widths=[5, 15], top=90)"),
        (incrowd.Hierarchy.prefix([3, 1]), "Prefix(lengths=[3, 1])"),
        (incrowd.Hierarchy.dates(["year"]), "Dates(units=['year'])"),
        (incrowd.Hierarchy.from_tree({"x": ["Zofia", "Jan"], "y": ["Ute"]}), "<Hierarchy of 3 values, 2 levels above them>"),
    ],
)  # fmt: skip
def test_it_prints_as_the_call_without_what_is_as_usual(made, said):
    assert repr(made) == said


def test_no_cell_of_a_table_in_a_job_is_printed():
    import pyarrow as pa

    for source, name in (
        (ROWS, "<builtins list>"),
        (pa.Table.from_pylist(ROWS), "<pyarrow Table>"),
        (ROWS[0], "<builtins dict>"),
    ):
        said = repr(incrowd.Job().replace(source=source))
        assert said == f"Job(source={name})"
    release = incrowd.anonymize(ROWS, quasi_identifiers=["age"], k=2, identifiers=["name"])
    assert "Zofia" not in repr(release.job) and "3107" not in repr(release.job)
    assert repr(release.job.policy) == "Policy(quasi_identifiers=['age'], identifiers=['name'], k=2)"
    assert short_repr(incrowd.Policy(weights={"a": "1/3"})) == "Policy(weights=[['a', '1/3']])"
