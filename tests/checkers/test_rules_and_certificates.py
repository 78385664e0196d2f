"""Certificates of bounds under requirements: recounted from the two tables, and of no use where they do not apply."""

import copy
import json
import random

import pandas as pd
import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import SolverDeclined
from seeds import seeds


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
    return incrowd.verify(table, release.table, certificate=certificate, **policy)


@pytest.mark.few(2)
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("seed", range(6))
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
    assert not found
    assert found.proven
    assert found.cost == found.lower_bound == release.cost


@pytest.fixture(scope="module")
def one():
    table, policy = made(3)
    release = incrowd.anonymize(table, **policy, solver="matching")
    assert release.cost > 0
    return table, policy, release


@pytest.mark.few(3)
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
    assert checked(table, release, policy, forged)


def test_it_proves_nothing_where_more_than_half_is_allowed(one):
    table, policy, release = one
    for require in ("l-diversity l=2 column=s0 kind=distinct", "alpha-k alpha=0.6 column=s0"):
        other = {**policy, "l": None, "require": [require]}
        found = checked(table, release, other, release.certificate())
        assert found
        assert not found.proven


SECRETS = {"p": "zz", "q": "é", "r": None, "t": "a"}


def required(seed):
    """A table with NULL and texts among its secrets, and what is asked."""
    rng = random.Random(seed)
    rows = rng.randint(5, 7)
    table = pa.table(
        {
            "s0": [SECRETS[rng.choice("pqrt")] for _ in range(rows)],
            "a": [rng.choice(["x", None, "é"]) for _ in range(rows)],
            "b": [rng.choice([10, 9, 100]) for _ in range(rows)],
            "s1": [rng.choice("uv") for _ in range(rows)],
        }
    )
    asked = [
        ["l-diversity l=1.5 column=s0"], ["t-closeness t=0.4 column=s0", "p-sensitive p=1 column=s1"],
        ["l-diversity l=2 kind=distinct column=s1", "alpha-k alpha=0.75 column=s0"],
        ["l-diversity l=1.5 kind=entropy column=s0"], ["delta-disclosure delta=2 column=s1"],
        ["beta-likeness beta=1 enhanced=true column=s0"], ["t-closeness t=0.3 column=s1 distance=ordered"],
    ][seed % 7]  # fmt: skip
    return table, {
        "quasi_identifiers": ["b", "a"], "sensitive": ["s0", "s1"], "k": 2, "require": asked,
        "outliers": ["forbid", "suppress"][seed % 2],
    }  # fmt: skip


def test_whatever_a_policy_asks_an_early_certificate_is_about_k_alone():
    table, asked = required(0)
    release = incrowd.anonymize(table, **asked, solver="greedy")
    plain = incrowd.anonymize(table, **(asked | {"require": []}), solver="ilp").certificate()
    early = plain | {"cost": int(release.cost * plain["scale"])}
    found = checked(table, release, asked, early)
    assert not found and (found.question, found.requirements) == ("k-anonymity", ())
    with pytest.raises(incrowd.InputError, match="a key that no certificate has there"):
        checked(table, release, asked, early | {"requirements": asked["require"], "multipliers": [1]})


def test_a_policy_without_requirements_takes_the_later_form_too():
    table, asked = required(0)
    asked |= {"require": []}
    release = incrowd.anonymize(table, **asked, solver="exact")
    types = len({(row["b"], row["a"]) for row in table.to_pylist()})
    scale = release.certificate()["scale"]
    bare = {
        "certificate": "incrowd k-anonymity bound", "version": 12, "rows": table.num_rows, "row_types": types, "k": 2,
        "outliers": asked["outliers"], "scale": scale, "cost": int(release.cost * scale), "lower_bound": 0,
        "lower_bound_checked": 0, "proof": "certificate", "requirements": [], "parts": 1, "prices": [0] * types,
        "whole_below": 3, "multipliers": [], "released_sum": release.released_sum,
    }  # fmt: skip
    found = checked(table, release, asked, bare)
    assert not found and found.proven and found.requirements == ()


@pytest.mark.few(1)
@pytest.mark.parametrize("solver", ["exact", "subset_dp", "ilp"])
@seeds(140, 1)
def test_an_optimum_under_requirements_is_proven_from_the_tables_alone(seed, solver):
    table, asked = required(seed)
    try:
        release = incrowd.anonymize(table, **asked, solver=solver)
    except (incrowd.Infeasible, SolverDeclined):
        pytest.skip("no release, or a model that the solver declines")
    assert release.optimal and release.solver == solver
    written = json.loads(json.dumps(release.certificate()))
    found = checked(table, release, asked, written)
    assert not found and found.lower_bound <= found.cost == release.cost
    assert found.proven == (release.proof == "certificate")
