"""Candidates under requirements: the listed instances, those of the release, and the way from types of k alone."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.under_requirements.candidates import gather, told_apart
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.row_assignment import cost_of
from incrowd.tables.solve.shared.without_requirements import k_alone
from oracles.classes_drawn import started
from oracles.required import random_required
from seeds import seeds


@seeds(60, 12)
def test_types_told_apart_lie_in_the_instances_of_their_common_type(seed):
    problem = random_required(np.random.default_rng([61, seed]), "frequency")
    found, own = told_apart(problem, list_instances(k_alone(problem))), list_instances(problem)

    def named(J):
        return sorted(
            (tuple(v), tuple(J.members[a:b])) for v, a, b in zip(J.vectors, J.begins[:-1], J.begins[1:], strict=True)
        )

    assert named(found) == named(own)
    assert (found.counts == own.counts).all()
    assert sorted(found.costs) == sorted(own.costs)


@seeds(60, 12)
def test_the_release_is_among_the_candidates_at_no_higher_cost(seed):
    made = started(seed)
    if made is None:
        return
    problem, found, *_ = made
    J = found.instances
    assert (np.diff(J.costs[J.needs > 0]) >= 0).all()
    assert found.rc.shape == (J.size,)
    assert (np.bincount(J.members, weights=found.rows, minlength=J.t) == J.counts).all()
    assert cost_of(J, found.rows) <= Greedy().solve(problem, Watch()).plan.cost(problem)
    if problem.patterns.allows_full_suppression:
        assert (J.vectors == np.array(problem.top)).all(axis=1).any()


def test_without_a_list_there_are_still_the_releases_own():
    problem, *_ = next(made for made in map(started, range(50)) if made is not None)
    plan = Greedy().solve(problem, Watch()).plan
    none = list_instances(problem).only(np.zeros(list_instances(problem).size, np.bool_))
    found = gather(problem, encode(problem), plan, none, np.zeros(0))
    assert found.instances.size
