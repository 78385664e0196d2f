import json

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.tables.verify.bound.ranges.recount import recheck, steps_of
from oracles.grid import drawn
from tables.solve.ranges.test_solver import as_seen, solved


@pytest.fixture(scope="module")
def claims():
    problem, numbers = drawn(np.random.default_rng(8))
    found = solved(problem)
    return as_seen(problem, numbers), json.loads(json.dumps(found.certificate)), found.plan.cost(problem)


@pytest.mark.parametrize("key", ["rows", "row_types", "k", "scale", "cost", "lower_bound", "column"])
def test_a_claim_that_is_off_by_one_is_refuted(claims, key):
    table, certificate, cost = claims
    changed = {**certificate, key: certificate[key] + 1}
    assert not recheck(table, changed, cost).proven


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("step", [0, 1]), ("step", [1]), ("step", "1"), ("parts", 0), ("prices", []), ("prices", ["1"]),
        ("prices", [2**61]), ("more", 1), ("version", 2), ("certificate", "incrowd k-anonymity bound"),
    ],
)  # fmt: skip
def test_what_is_no_such_certificate_cannot_be_read(claims, key, value):
    table, certificate, cost = claims
    with pytest.raises(InputError, match="cannot be read"):
        recheck(table, {**certificate, key: value}, cost)


def test_another_step_is_refuted(claims):
    table, certificate, cost = claims
    a, b = certificate["step"]
    again = recheck(table, {**certificate, "step": [a + 1, b]}, cost)
    assert "certificate: step" in {v.rule for v in again.violations}
    assert steps_of({"step": [3, 2]}) == (1.5,)
    assert steps_of({"version": 2, "steps": [[3, 2], [1, 1]]}) == (1.5, 1)
