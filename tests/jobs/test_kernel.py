"""The kernel of a table: bounded whatever the rows, of the same least cost, for k-anonymity alone."""

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import PolicyError
from incrowd.jobs.kernel import kernel
from incrowd.policy.job import Job
from seeds import seeds

ROWS = {"quasi_identifiers": ["a", "b"], "k": 2}


def drawn(rng, rows):
    """A table with many equal rows."""
    share = rng.dirichlet(np.full(6, 0.4))
    cell = rng.choice(6, rows, p=share)
    return pa.table({"a": [str(x % 3) for x in cell], "b": [str(x // 3) for x in cell], "c": rng.integers(0, 9, rows)})


@seeds(30, 1)
def test_its_optimum_is_the_tables_and_comes_back_at_the_same_cost(seed):
    rng = np.random.default_rng([72, seed])
    table, k = drawn(rng, int(rng.integers(4, 200))), int(rng.integers(1, 4))
    words = [{}, {"max_stars": 1}, {"keep": ["a"]}, {"patterns": [[], ["a"], ["a", "b"]]}]
    outliers = str(rng.choice(["forbid", "suppress"]))
    policy = {"quasi_identifiers": ["a", "b"], "k": k, "outliers": outliers, "mask": words[int(rng.integers(4))]}
    small = incrowd.kernel(table, **policy)
    assert small.facts["rows"] == small.table.num_rows <= small.facts["row_types"] * small.facts["most_copies"]
    assert small.facts["most_copies"] == 2 * k**2 * 4
    assert small.facts["rows_before"] == table.num_rows == small.table.num_rows + small.taken.num_rows
    with incrowd.anonymize(table, **policy, solver="exact") as whole:
        assert whole.optimal
        with incrowd.anonymize(small.table, **policy, solver="exact") as release:
            back = small.back(release)
            assert release.cost == whole.cost
    assert incrowd.verify(table, back, **policy) == []
    assert sum(cell == "*" for name in ("a", "b") for cell in back[name].to_pylist()) == whole.cost


def test_the_rows_of_a_kernel_do_not_grow_with_the_table():
    tables = [pa.table({"a": ["x"] * n + ["y"], "b": ["x"] * (n + 1)}) for n in (33, 333, 3333)]
    assert {incrowd.kernel(table, **ROWS).facts["rows"] for table in tables} == {32}
    table = pa.table({"a": ["x", "y"], "b": ["x", "x"]})
    assert incrowd.kernel(table, **ROWS).facts["rows"] == incrowd.kernel(table, **ROWS).facts["rows_before"] == 2


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"sensitive": ["c"], "l": 2}, "copies count for the requirements"),
        ({"mask": {"patterns": [["a"], ["a", "b"]]}}, "which the mask does not allow"),
        ({"recoding": "ranges"}, "recoding=ranges"),
    ],
)
def test_what_has_no_kernel_is_refused_with_the_reason(more, why):
    table = drawn(np.random.default_rng(0), 40)
    with pytest.raises(PolicyError, match=why):
        incrowd.kernel(table, **ROWS, **more)


def test_a_job_without_a_k_is_refused():
    with pytest.raises(PolicyError, match="no k is given"):
        kernel(Job().replace(source=drawn(np.random.default_rng(0), 9), qi="a,b"))
