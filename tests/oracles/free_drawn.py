"""Random problems with requirements, and the state of the search over classes that show what their rows share."""

from __future__ import annotations

import numpy as np

from incrowd.errors import Infeasible
from incrowd.kernels.search import free_state as at
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.under_requirements.free_classes import lay_out_free, near
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.requirement_check import meets
from oracles.required import FAMILIES, random_required


def rules_of(problem):
    return [rule for requirement in problem.requirements for rule in requirement.count_rules()]


def started(seed, *, rows=None):
    """A problem, it laid out, and the state of the greedy's release; None where the greedy finds none."""
    rng = np.random.default_rng([61, seed])
    problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=rows or int(rng.integers(4, 30)))
    try:
        plan = Greedy().solve(problem, Watch()).plan
    except Infeasible:
        return None
    encoded = encode(problem)
    state = lay_out_free(problem, encoded, rules_of(problem), plan, near(problem, encoded, Watch()), seed)
    return problem, encoded, plan, *state


def part(whole, place, count):
    return whole[whole[place] :][: int(count)]


def lowest(problem, types):
    """The lowest levels at which row types agree."""
    codes = problem.types.codes[types]
    return [
        next(l for l in range(level.height + 1) if np.unique(level.up[l][codes[:, j]]).size == 1)  # noqa: E741
        for j, level in enumerate(problem.levels)
    ]


def assert_sound(problem, whole, real):
    """Everything that the state keeps says what the rows' classes say."""
    n, classes, m = whole[at.ROWS], int(whole[at.CLASSES]), problem.types.m
    group, types = part(whole, at.CLASS, n), part(whole, at.TYPE, n)
    assert (np.bincount(group, minlength=classes) == part(whole, at.SIZE, classes)).all()
    levels = part(whole, at.LEVEL, classes * m).reshape(classes, m)
    lacks, total = real[whole[at.DEFICIT] :][:classes], 0
    for c in range(classes):
        mine = np.flatnonzero(group == c)
        first, ring = part(whole, at.FIRST, classes)[c], []
        if first >= 0:
            ring, r = [first], whole[whole[at.AFTER] + first]
            while r != first:
                assert whole[whole[at.AFTER] + whole[whole[at.BEFORE] + r]] == r
                ring.append(r)
                r = whole[whole[at.AFTER] + r]
        assert sorted(ring) == mine.tolist()
        if not mine.size:
            assert lacks[c] == 0
            continue
        vector, hub = levels[c], c == whole[at.SUPPRESSED]
        if hub:
            assert vector.tolist() == list(problem.top)
        else:
            assert problem.patterns.allows(tuple(vector.tolist()))
            assert (vector >= lowest(problem, types[mine])).all()
        if whole[at.ABOVE] == 0 and not hub and mine.size <= 60:  # every vector is allowed
            assert vector.tolist() == lowest(problem, types[mine])
        price = int(problem.row_costs(vector)[types[mine[0]]])
        assert price == whole[whole[at.PRICE] + c]
        total += price * mine.size
        fails = (
            not meets(problem, np.zeros(mine.size, np.int64), types[mine], np.ones(mine.size, np.int64), 1)[0]
            or (mine.size < problem.k and not hub)
        )  # fmt: skip
        assert (lacks[c] > 0) == fails
    assert total == whole[at.COST]
    assert whole[at.FAILING] == (lacks > 0).sum()
    assert np.isclose(real[0], lacks.sum())
