"""Random problems with requirements, their candidates, and the search's state on the greedy's release."""

from __future__ import annotations

import numpy as np

from incrowd.errors import Infeasible
from incrowd.kernels.search import class_state as at
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.under_requirements.annealing import lay_out
from incrowd.tables.solve.improve.under_requirements.prices import gather
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.requirement_check import kinds_of
from oracles.required import FAMILIES, random_required


def rules_of(problem):
    return [rule for requirement in problem.requirements for rule in requirement.count_rules()]


def started(seed, *, rows=None):
    """A problem, its candidates (every kept instance) and the state of the greedy's release, or None."""
    rng = np.random.default_rng([59, seed])
    problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=rows or int(rng.integers(4, 30)))
    try:
        plan = Greedy().solve(problem, Watch()).plan
    except Infeasible:
        return None
    encoded = encode(problem)
    listed = list_instances(problem, encoded)
    found = gather(problem, encoded, plan, listed, np.zeros(listed.size))
    whole, real = lay_out(found.instances, kinds_of(problem), rules_of(problem), found.rows, seed)
    return problem, found, whole, real


def assert_sound(problem, found, whole, real):
    """Everything that the state keeps says what its rows per pair say."""
    J = found.instances
    rows = whole[whole[at.ROWS] :][: J.pairs]
    assert (rows >= 0).all()
    sizes = np.bincount(J.owners, weights=rows, minlength=J.size)
    assert (sizes == whole[whole[at.SIZE] :][: J.size]).all()
    assert (np.bincount(J.members, weights=rows, minlength=J.t) == J.counts).all()
    assert int((rows * J.costs[J.owners]).sum()) == whole[at.COST]
    begins, _, pairs = J.by_type
    for g in range(J.size):
        held = whole[whole[at.SLOT] + J.begins[g] :][: whole[whole[at.HELD] + g]]
        assert sorted(held) == list(np.flatnonzero((J.owners == g) & (rows > 0)))
    for i in range(J.t):
        held = whole[whole[at.TYPE_SLOT] + begins[i] :][: whole[whole[at.TYPE_HELD] + i]]
        assert sorted(held) == sorted(p for p in pairs[begins[i] : begins[i + 1]] if rows[p] > 0)
    fresh, _ = lay_out(J, kinds_of(problem), rules_of(problem), rows, 0), None
    for place, count in ((at.ENTRY_ROWS, whole[at.ENTRIES]), (at.SIZE, J.size)):
        assert (whole[whole[place] :][:count] == fresh[0][fresh[0][place] :][:count]).all()
    lack = real[whole[at.DEFICIT] :][: J.size]
    assert np.allclose(lack, fresh[1][fresh[0][at.DEFICIT] :][: J.size])
    assert whole[at.FAILING] == (lack > 0).sum()
    assert np.isclose(real[0], lack.sum())
