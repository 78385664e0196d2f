"""The instances that the search may open: types in classes, releases over classes as plans of the same cost or less."""

from __future__ import annotations

import itertools

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.bounds import lagrangian
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.candidates import gather, tidy
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.row_assignment import cost_of, holds
from oracles.candidates_drawn import gathered
from oracles.plans import recount
from oracles.problems import random_problem


def problems(count, **options):
    for seed in range(count):
        yield random_problem(np.random.default_rng([181, seed]), **options)


def test_types_of_a_class_agree_with_the_same_candidates_and_classes_are_as_few_as_can_be():
    fewer = 0
    for problem in problems(30, full=True):
        _, candidates = gathered(problem)
        begins, which, _ = candidates.instances.by_type
        agrees = [tuple(sorted(which[a:b].tolist())) for a, b in itertools.pairwise(begins)]
        classes = {}
        for i, name in enumerate(candidates.label.tolist()):
            classes.setdefault(name, set()).add(agrees[i])
        assert all(len(lists) == 1 for lists in classes.values())
        assert len(classes) == candidates.classes == len(set(agrees))
        assert candidates.reduced.counts.sum() == problem.types.n
        fewer += candidates.classes < problem.types.t
    assert fewer


def test_the_release_to_start_from_comes_back_as_a_plan_no_dearer():
    for problem in problems(30, full=True):
        plan = Greedy().solve(problem, Watch()).plan
        encoded, candidates = gathered(problem)
        assert holds(candidates.reduced, candidates.rows)
        cost = cost_of(candidates.reduced, candidates.rows)
        assert cost <= plan.cost(problem)
        assert recount(problem, candidates.plan(problem, encoded, candidates.rows)) <= cost
        assert recount(problem, tidy(problem, encoded, plan)) <= plan.cost(problem)


def test_kept_are_those_up_to_the_limit_those_of_the_release_and_the_free_one_the_dearest_left_out_first():
    left_out = 0
    for seed, problem in enumerate(problems(40, full=True)):
        encoded = encode(problem)
        stored = list_instances(problem, encoded)
        plan = Greedy().solve(problem, Watch()).plan
        prices = np.random.default_rng(seed).random(encoded.t) * 4
        rc = lagrangian.reduced_costs(stored, prices)
        limit = float(np.median(rc))
        own = gather(problem, encoded, plan, stored, prices, -np.inf, 10**9).instances
        near = gather(problem, encoded, plan, stored, prices, limit, 10**9).instances
        few = gather(problem, encoded, plan, stored, prices, limit, near.pairs // 2).instances
        names = [named(stored.only(keep)) for keep in (rc <= limit, stored.needs == 0)]
        assert named(near) == named(own) | names[0] | names[1]
        assert named(own) | names[1] <= named(few) <= named(near)
        assert (np.diff(near.costs[near.needs > 0]) >= 0).all()
        left_out += near.size < stored.size
    assert left_out


def named(instances):
    """What tells instances apart: level vector and the types that agree."""
    lists = [instances.members[a:b].tolist() for a, b in itertools.pairwise(instances.begins)]
    return {(tuple(v), tuple(types)) for v, types in zip(instances.vectors.tolist(), lists, strict=True)}
