"""Solvers to whom equal rows are dear see few of them, in the whole job too."""

from __future__ import annotations

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import SolverDeclined


@pytest.mark.few(2)
@pytest.mark.parametrize("solver", ["two_phase", "chain", "approximation"])
def test_a_named_solver_is_reduced_in_the_whole_job(solver):
    table = pa.table({"a": ["x"] * 300 + ["y", "z"], "b": ["p"] * 150 + ["q"] * 150 + ["p", "q"]})
    mask = incrowd.Mask(patterns=[[], ["a"], ["a", "b"]])
    with incrowd.anonymize(table, quasi_identifiers=["a", "b"], k=2, mask=mask, solver=solver) as release:
        assert release.facts["solver"] == solver and release.facts["rows"] == 302
        assert incrowd.verify(table, release.table, release.job) == []
        assert release.cost == (4 if solver != "approximation" else release.cost)


def test_exact_takes_a_solver_that_knows_the_requirement():
    table = pa.table({"a": list("xxxxyyyyzzz"), "s": list("pqrpqqrrpqr")})
    asked = {
        "matching": incrowd.LDiversity(l=2, column="s"),
        "exact": incrowd.TCloseness(t=0.4, column="s"),
        "ilp": incrowd.TCloseness(t=0.9, column="s", distance=[[0, 1, 2], [1, 0, 2], [2, 2, 0]], rescale=True),
    }
    for name, model in asked.items():
        with incrowd.anonymize(table, quasi_identifiers=["a"], k=2, require=[model], solver="exact") as release:
            assert release.facts["solver"] == name and release.optimal
            assert incrowd.verify(table, release.table, release.job) == []


@pytest.mark.few(3)
@pytest.mark.parametrize("solver", ["auto", "exact", "greedy", "improve"])
def test_every_solver_runs_on_the_kernel_and_says_its_size(solver):
    table = pa.table({"a": ["x"] * 90 + ["y", "z"], "b": ["p"] * 45 + ["q"] * 45 + ["p", "q"]})
    policy = {"quasi_identifiers": ["a", "b"], "k": 2}
    with incrowd.anonymize(table, **policy, solver=f"{solver}:reduce=kernel", time_limit=20) as release:
        assert release.facts["kernel"] == {"rows_before": 92, "rows": 64, "row_types": 4, "most_copies": 32}
        assert release.facts["rows"] == 92 and release.lower_bound <= 4 <= release.cost
        assert "a kernel of 64 of the 92 rows" in " ".join(release.summary().split())
        assert incrowd.verify(table, release.table, release.job) == []
    with pytest.raises(SolverDeclined, match="k-anonymity"):
        incrowd.anonymize(table, quasi_identifiers=["a"], sensitive=["b"], k=2, l=2, solver=f"{solver}:reduce=kernel")
