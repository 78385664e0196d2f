"""Sensitive columns at the edges: one value, as many as rows, missing ones, and ten thousand."""

from __future__ import annotations

import pytest

import incrowd
from incrowd.errors import Infeasible, PolicyError

CLOSED = (
    "l-diversity l=2 column=s", "l-diversity l=2 column=s kind=distinct", "l-diversity l=2 column=s kind=entropy",
    "l-diversity l=2 column=s kind=recursive c=2", "p-sensitive p=2 column=s", "alpha-k alpha=0.5 column=s",
)  # fmt: skip
NEAR = (
    "t-closeness t=0.2 column=s", "t-closeness t=0.2 column=s distance=ordered",
    "t-closeness t=0.2 column=s distance=numeric", "beta-likeness beta=1 column=s",
    "delta-disclosure delta=1 column=s",
)  # fmt: skip


def table(tmp_path, secrets):
    lines = [f"{i % 4},{i % 3},{secret}" for i, secret in enumerate(secrets)]
    path = tmp_path / "table.csv"
    path.write_text("a,b,s\n" + "\n".join(lines) + "\n")
    return path


def release(path, rule, **settings):
    """Make a release and have it checked against the requirement."""
    out = path.with_name("release.csv")
    found = incrowd.anonymize(path, quasi_identifiers=["a", "b"], k=2, require=[rule], output=out, **settings)
    assert not incrowd.verify(path, out, quasi_identifiers=["a", "b"], k=2, require=[rule])
    assert found.lower_bound <= found.cost
    return found


@pytest.mark.few(5)
@pytest.mark.parametrize(
    ("rule", "solver"),
    [
        *((CLOSED[0], name) for name in ("greedy", "exact", "auto", "subset_dp", "ilp")),
        *((rule, "greedy") for rule in CLOSED[1:]),
    ],
)
def test_one_value_is_refused_at_once_where_two_are_asked_for(tmp_path, rule, solver):
    with pytest.raises(Infeasible, match="the whole table as one group does not") as error:
        release(table(tmp_path, ["x"] * 12), rule, solver=solver)
    assert error.value.proven


@pytest.mark.few(1)
@pytest.mark.parametrize("rule", [rule for rule in NEAR if "numeric" not in rule])
def test_one_value_is_as_near_to_the_table_as_can_be(tmp_path, rule):
    assert release(table(tmp_path, ["x"] * 40), rule, solver="greedy").cost == 0


@pytest.mark.few(3)
@pytest.mark.parametrize("rule", [*CLOSED, *NEAR])
def test_as_many_values_as_rows_are_released(tmp_path, rule):
    found = release(table(tmp_path, range(40)), rule, solver="greedy")
    if rule in CLOSED:
        assert found.cost == 0


@pytest.mark.few(3)
@pytest.mark.parametrize("rule", [*CLOSED, *NEAR])
def test_missing_values_are_a_value_or_refused_by_what_orders_them(tmp_path, rule):
    path = table(tmp_path, ["", "1", "2", ""] * 10)
    if "ordered" in rule or "numeric" in rule:
        with pytest.raises(PolicyError, match="missing values"):
            release(path, rule, solver="greedy")
    else:
        release(path, rule, solver="greedy")


@pytest.mark.few(2)
@pytest.mark.parametrize("rule", CLOSED)
def test_nothing_but_missing_values_is_one_value(tmp_path, rule):
    with pytest.raises(Infeasible, match="the whole table"):
        release(table(tmp_path, [""] * 12), rule, solver="greedy")


@pytest.mark.proofs
@pytest.mark.parametrize("rule", [*CLOSED, *NEAR])
def test_ten_thousand_values_are_released(tmp_path, rule):
    release(table(tmp_path, (i % 10_000 for i in range(12_000))), rule, solver="greedy")
