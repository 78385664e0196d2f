"""Certificates of 2-diversity: recounted from the two tables, and of no use where they do not apply."""

import copy
import random

import pandas as pd
import pytest

import incrowd
from incrowd.jobs.verify import verify


def made(seed, columns=1, **more):
    rng = random.Random(seed)
    rows = rng.randint(6, 24)
    names = ["a", "b", "c"]
    table = pd.DataFrame({name: [rng.choice("xyz") for _ in range(rows)] for name in names})
    for j in range(columns):
        table[f"s{j}"] = [rng.choice("pqrt") for _ in range(rows)]
    judged = [f"s{j}" for j in range(columns)]
    policy = {"quasi_identifiers": names, "sensitive": judged, "k": 2, "l": 2, **more}
    return table, policy


def checked(table, release, policy, certificate):
    return verify(table, release.table, incrowd.Job().replace(**policy), certificate)


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.proofs) for seed in range(2, 6))])
def test_the_whole_bound_of_a_2_diverse_release_is_recounted(seed, columns):
    table, policy = made(seed, columns, outliers=["forbid", "suppress"][seed % 2])
    try:
        release = incrowd.anonymize(table, **policy, solver="matching")
    except incrowd.Infeasible as error:
        assert error.proven
        return
    assert release.optimal
    assert release.proof == "certificate"
    found = checked(table, release, policy, release.certificate())
    assert found.violations == ()
    assert found.proven
    assert found.cost == found.lower_bound == release.cost


@pytest.fixture(scope="module")
def one():
    table, policy = made(3)
    release = incrowd.anonymize(table, **policy, solver="matching")
    assert release.cost > 0
    return table, policy, release


@pytest.mark.parametrize(
    "field", ["cost", "lower_bound", "lower_bound_checked", "rows", "row_types", "diverse", "k", "price", "set"]
)
def test_a_forged_field_is_caught(one, field):
    table, policy, release = one
    forged = copy.deepcopy(release.certificate())
    if field == "price":
        forged["matching"]["prices"][0] += 10 * forged["matching"]["scale"]
    elif field == "set":
        forged["matching"]["sets"].append({"rows": [0, 1, 2], "price": forged["matching"]["scale"]})
    elif field == "diverse":
        forged["diverse"] = False
    else:
        forged[field] += 1
    assert checked(table, release, policy, forged).violations


def test_it_proves_nothing_where_more_than_half_is_allowed(one):
    table, policy, release = one
    for require in ("l-diversity l=2 column=s0 kind=distinct", "alpha-k alpha=0.6 column=s0"):
        other = {**policy, "l": None, "require": [require]}
        found = checked(table, release, other, release.certificate())
        assert found.violations
        assert not found.proven
