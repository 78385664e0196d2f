"""The best valid class of an instance by trying every one: what a bound under requirements must not fall below."""

from __future__ import annotations

import itertools

import numpy as np


def valid_counts(problem, most):
    """Every count of rows per kind that the table has and that meets the requirements, as a set of tuples.

    `most`: rows at most.
    """
    kinds = problem.types.kinds
    held = np.bincount(kinds, weights=problem.types.counts, minlength=int(kinds.max()) + 1).astype(int)
    found = set()
    for counts in itertools.product(*(range(min(h, most) + 1) for h in held)):
        if 0 < sum(counts) <= most:
            (kind,) = np.nonzero(counts)
            rows = np.array(counts)[kind]
            one = np.zeros(kind.size, np.int64)
            if all(asked.meets(one, kind, rows, 1)[0] for asked in problem.requirements):
                found.add(counts)
    return found


def best_class(problem, valid, types, cost, need, prices):
    """The most that a valid class of these types gains, or None where there is none: the best rows of every kind."""
    kinds, counts = problem.types.kinds, problem.types.counts
    gains = {}
    for i in types:
        gains.setdefault(int(kinds[i]), []).extend([int(prices[i]) - cost] * int(counts[i]))
    for of_kind in gains.values():
        of_kind.sort(reverse=True)
    best = None
    for rows in valid:
        if sum(rows) < need or any(v > len(gains.get(s, ())) for s, v in enumerate(rows)):
            continue
        gain = sum(sum(gains[s][:v]) for s, v in enumerate(rows) if v)
        best = gain if best is None else max(best, gain)
    return best
