"""The lattice walked again: what the walk finds is the least over every vector, and no forged claim is believed."""

import copy
import dataclasses
import json

import numpy as np
import pytest

from incrowd.errors import Infeasible, InputError
from incrowd.progress import Watch
from incrowd.tables.solve.global_recoding.lattice import Lattice
from incrowd.tables.verify.bound import single_recoding
from incrowd.tables.verify.bound.requirement_bound import Required
from incrowd.tables.verify.bound.single_recoding import Asked, recheck
from oracles.problems import as_table, random_problem, stars, types_of
from oracles.required import FAMILIES, drawn_required
from oracles.single_recoding import least_release
from seeds import seeds


class Listed:
    """A mask as a list, with the least levels above a vector."""

    def __init__(self, problem):
        self.vectors = [v for v in problem.patterns.vectors if v != problem.top]

    def raised(self, vector):
        above = [v for v in self.vectors if all(a >= b for a, b in zip(v, vector, strict=True))]
        return tuple(map(min, zip(*above, strict=True))) if above else None


def drawn(seed):
    rng = np.random.default_rng([21, seed])
    required = None
    if seed % 2:
        problem = random_problem(rng)
    else:
        problem, domain, models = drawn_required(rng, FAMILIES[seed // 2 % len(FAMILIES)])
        required = Required(models, problem.types.kinds.astype(np.int64), domain)
    n = problem.types.n
    problem = dataclasses.replace(problem, most_suppressed=[None, 0, n // 4, n // 2, n][int(rng.integers(5))])
    most = n if problem.most_suppressed is None else problem.most_suppressed
    return rng, problem, Asked(Listed(problem), most, required=required)


def certified(problem):
    try:
        solution = Lattice(single=True).solve(problem, Watch())
    except Infeasible:
        return None
    return json.loads(json.dumps(solution.certificate))


@seeds(2000, 150)
def test_the_solvers_certificate_is_confirmed_whole(seed):
    _, problem, asked = drawn(seed)
    made = certified(problem)
    if made is None:
        return
    asked = dataclasses.replace(asked, suppressed=made["suppressed_rows"], shown=lambda v: v == tuple(made["levels"]))
    found = recheck(as_table(problem), asked, made, made["cost"])
    assert found.violations == ()
    assert found.proven
    assert found.lower_bound == least_release(problem)[0][0]


@seeds(2000, 150)
def test_no_bound_above_the_least_release_is_believed(seed):
    rng, problem, asked = drawn(seed)
    made = certified(problem)
    if made is None:
        return
    least = made["cost"]
    every = list(problem.patterns.vectors)
    forged = copy.deepcopy(made)
    forged["levels"] = [int(x) for x in every[int(rng.integers(len(every)))]]
    forged["cost"] = least + int(rng.integers(0, 9))
    forged["suppressed_rows"] = int(rng.integers(problem.types.n + 1)) if rng.integers(2) else made["suppressed_rows"]
    forged["lower_bound"] = forged["lower_bound_checked"] = int(rng.integers(least, forged["cost"] + 1))
    found = recheck(as_table(problem), asked, forged)
    assert found.lower_bound <= least
    if forged["lower_bound"] > least:
        assert not found.proven
        assert found.violations


def example():
    problem = stars(types_of([(0, 0), (0, 1), (1, 2), (1, 2)]), 2, "suppress")
    return problem, Asked(Listed(problem), 4), certified(problem)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("levels", [0], "levels"),
        ("levels", "00", "levels"),
        ("suppressed_rows", -1, "suppressed_rows"),
        ("requirements", None, "requirements"),
        ("version", 2, "version"),
        ("prices", [], "key"),
    ],
)
def test_what_is_no_certificate_is_refused(key, value, said):
    problem, asked, made = example()
    with pytest.raises(InputError, match=said):
        recheck(as_table(problem), asked, {**made, key: value})


@pytest.mark.parametrize(
    ("key", "value"),
    [("levels", [1, 1]), ("levels", [7, 0]), ("suppressed_rows", 3), ("most_suppressed", 3), ("requirements", ["l=2"])],
)
def test_what_does_not_hold_is_named(key, value):
    problem, asked, made = example()
    found = recheck(as_table(problem), asked, {**made, key: value})
    assert [v.rule for v in found.violations] == [f"certificate: {key}"]
    assert not found.proven


def test_a_release_at_another_vector_or_with_other_suppressed_rows_is_named():
    problem, asked, made = example()
    for change, claim in (({"shown": lambda v: False}, "levels"), ({"suppressed": 4}, "suppressed_rows")):
        found = recheck(as_table(problem), dataclasses.replace(asked, **change), made)
        assert [v.rule for v in found.violations] == [f"certificate: {claim}"]


def test_a_walk_above_the_limit_is_refused(monkeypatch):
    problem, asked, made = example()
    monkeypatch.setattr(single_recoding, "MOST_STEPS", 3)
    with pytest.raises(InputError, match="too large to be walked"):
        recheck(as_table(problem), asked, made)
