"""Instances and prices the slow way: lists of lists, nothing shared with the solvers."""

from __future__ import annotations

import itertools

from oracles.plans import cost_of, node


def vectors_of(problem):
    every = itertools.product(*(range(level.height + 1) for level in problem.levels))
    return [v for v in every if problem.patterns.allows(v)]


def raw_instances(problem):
    """Every instance of every pattern: (vector, nodes) -> the types that agree with it."""
    found = {}
    for vector in vectors_of(problem):
        for i, codes in enumerate(problem.types.codes.tolist()):
            shown = tuple(node(problem, j, v, c) for j, (v, c) in enumerate(zip(vector, codes, strict=True)))
            found.setdefault((vector, shown), []).append(i)
    return found


def kept_instances(problem):
    """The undominated ones with a crowd: (vector, types, cost of a row, rows needed), by the definition."""
    codes = problem.types.codes.tolist()
    top = tuple(level.height for level in problem.levels)
    vectors = vectors_of(problem)
    kept = []
    for (vector, _), types in raw_instances(problem).items():
        free = problem.outliers == "suppress" and vector == top
        rows = sum(int(problem.types.counts[i]) for i in types)
        if not free and rows < problem.k:
            continue
        cost = cost_of(problem, vector, codes[types[0]])

        def key(v, first=types[0]):
            stars = sum(x == level.height for x, level in zip(v, problem.levels, strict=True))
            return cost_of(problem, v, codes[first]), stars, v

        agree = [
            v
            for v in vectors
            if all(len({node(problem, j, v[j], codes[i][j]) for i in types}) == 1 for j in range(len(v)))
        ]
        if free or min(agree, key=key) == vector:
            kept.append((vector, tuple(types), cost, 0 if free else problem.k))
    return kept


def reduced_cost(types, cost, need, counts, prices):
    """The least sum of cost - price over at least `need` rows of the types, row by row."""
    rows = sorted(cost - prices[i] for i in types for _ in range(int(counts[i])))
    must, rest = rows[:need], rows[need:]
    return sum(must) + sum(term for term in rest if term < 0)


def lagrangian(problem, prices):
    """L(pi) over the kept instances."""
    counts = problem.types.counts.tolist()
    value = sum(n * p for n, p in zip(counts, prices, strict=True))
    for _, types, cost, need in kept_instances(problem):
        value += min(0, reduced_cost(types, cost, need, counts, prices))
    return value
