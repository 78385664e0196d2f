"""One recoding for the whole table, from its definition: every level vector tried, classes in dictionaries."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np


def met(problem, kinds):
    """Whether one class with these combinations of sensitive values (one a row) meets every requirement."""
    own = np.array(kinds, np.int64)
    one = np.zeros(len(own), np.int64)
    return all(bool(r.meets(one, own, np.ones(len(own), np.int64), 1)[0]) for r in problem.requirements)


def nodes(problem, vector, i):
    codes = problem.types.codes
    return tuple(int(level.up[x, codes[i, j]]) for j, (level, x) in enumerate(zip(problem.levels, vector, strict=True)))


def price(problem, vector, i):
    codes = problem.types.codes
    return sum(int(level.cost[x, codes[i, j]]) for j, (level, x) in enumerate(zip(problem.levels, vector, strict=True)))


def vector_release(problem, vector):
    """Cost and suppressed rows of a vector's release but for the limit on them; None if it has none."""
    types = problem.types
    rows = [i for i in range(types.t) for _ in range(int(types.counts[i]))]
    kind = [0] * types.t if types.kinds is None else types.kinds.tolist()
    classes = defaultdict(list)
    for i in rows:
        classes[nodes(problem, vector, i)].append(i)
    good = [c for c in classes.values() if len(c) >= problem.k and met(problem, [kind[i] for i in c])]
    shown = [i for c in good for i in c]
    out = list(rows)
    for i in shown:
        out.remove(i)
    starred = vector == problem.top and any(problem.top)
    if out:
        if starred or not problem.patterns.allows(problem.top):
            return None
        if problem.outliers == "forbid" and len(out) < problem.k:
            return None
        if not met(problem, [kind[i] for i in out]):
            return None
    cost = sum(price(problem, vector, i) for i in shown) + sum(price(problem, problem.top, i) for i in out)
    return cost, len(rows) if starred else len(out)


def least_release(problem):
    """The least release over all vectors, (cost, suppressed, vector), ties by the solver's rule; None if there is none.

    Beside it the least rows that any vector's release suppresses, whatever the limit; None if no vector has one.
    """
    best, fewest = None, None
    types = problem.types
    most = types.n if problem.most_suppressed is None else problem.most_suppressed
    for vector in itertools.product(*(range(h + 1) for h in problem.top)):
        found = vector_release(problem, vector) if problem.patterns.allows(vector) else None
        if found is None:
            continue
        cost, suppressed = found
        fewest = suppressed if fewest is None else min(fewest, suppressed)
        if suppressed > most:
            continue
        plain = sum(price(problem, vector, i) * int(types.counts[i]) for i in range(types.t))
        key = (cost, plain, sum(x == h for x, h in zip(vector, problem.top, strict=True)), vector)
        if best is None or key < best[0]:
            best = key, (cost, suppressed, vector)
    return (None if best is None else best[1]), fewest
