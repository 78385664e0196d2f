from __future__ import annotations

import numpy as np

from incrowd.tables.solve.shared.certificate_head import head, of_release
from incrowd.tables.values import Bound
from oracles.problems import random_problem


def test_a_head_says_what_is_claimed_of_which_problem_and_no_value_of_it():
    for seed in range(20):
        problem = random_problem(np.random.default_rng(seed))
        written = head(problem, 9, Bound(7, 6, "prices"), "name", 1)
        assert (written["rows"], written["row_types"], written["k"]) == (problem.types.n, problem.types.t, problem.k)
        assert (written["cost"], written["lower_bound"], written["lower_bound_checked"]) == (9, 7, 6)
        assert written["proof"] == "solver" and not any(isinstance(part, list) for part in written.values())


def test_a_certificate_goes_over_to_another_release_with_its_claims_alone():
    old = {"cost": 9, "lower_bound": 7, "lower_bound_checked": 7, "proof": "certificate", "prices": [1, 2]}
    new = of_release(old, 8, Bound(7, 7, "prices"))
    assert new == {**old, "cost": 8}
    more = of_release(old, 8, Bound(7, 7, "prices"), Bound(8, 7, "a program"))
    assert more == {**old, "cost": 8, "lower_bound": 8, "proof": "solver"}
    assert of_release(None, 8, Bound(7, 7, "prices")) is None
