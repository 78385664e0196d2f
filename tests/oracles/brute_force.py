"""The optimum of a tiny problem, by trying every way to cut its rows into groups."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np

from oracles.plans import cost_of, node


def allowed_vectors(problem):
    """Every allowed level vector, by asking for each of the product."""
    every = itertools.product(*(range(level.height + 1) for level in problem.levels))
    return [vector for vector in every if problem.patterns.allows(vector)]


def optimum(problem):
    """Return the least scaled cost of a release, or None when there is none.

    Every group may as well hold just the rows of one block of a partition, at the cheapest allowed vector
    under which they look alike; blocks that show the same instance make one larger group, which meets every
    requirement that holds for unions. 2^n subsets of n rows: for n up to about 9.
    """
    rows = [
        tuple(int(x) for x in codes)
        for codes, count in zip(problem.types.codes, problem.types.counts, strict=True)
        for _ in range(int(count))
    ]
    assert all(requirement.closed_under_union for requirement in problem.requirements)
    kinds = None if problem.types.kinds is None else np.repeat(problem.types.kinds, problem.types.counts)
    vectors = allowed_vectors(problem)
    top = tuple(level.height for level in problem.levels)

    def shows(vector, row):
        return tuple(node(problem, j, v, c) for j, (v, c) in enumerate(zip(vector, row, strict=True)))

    def meets(members):
        one = np.zeros(len(members), np.int64)
        return all(requirement.meets(one, kinds[list(members)], one + 1, 1)[0] for requirement in problem.requirements)

    @cache
    def block(members):
        """Return the least cost of these rows as one group."""
        if not meets(members):
            return None
        best = None
        for vector in vectors:
            crowd_free = problem.outliers == "suppress" and vector == top
            if len(members) < problem.k and not crowd_free:
                continue
            if len({shows(vector, rows[i]) for i in members}) == 1:
                cost = sum(cost_of(problem, vector, rows[i]) for i in members)
                best = cost if best is None else min(best, cost)
        return best

    @cache
    def least(left):
        """Return the least cost of all rows in `left` (increasing)."""
        if not left:
            return 0
        best = None
        for size in range(len(left)):
            for others in itertools.combinations(left[1:], size):
                first = block((left[0], *others))
                if first is None:
                    continue
                rest = least(tuple(i for i in left[1:] if i not in others))
                if rest is not None and (best is None or first + rest < best):
                    best = first + rest
        return best

    return least(tuple(range(len(rows))))
