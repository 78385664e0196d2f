"""Algorithm 1 and the two plain repairs, in plain Python."""

from __future__ import annotations

from oracles.brute_force import allowed_vectors
from oracles.plans import cost_of, node


def _order(problem, vector):
    costs, ties = problem.floor_costs(), problem.ties()
    stars = sum(v == level.height for v, level in zip(vector, problem.levels, strict=True))
    return (
        sum(costs[j][v] for j, v in enumerate(vector)),
        stars,
        -sum(ties[j][v] for j, v in enumerate(vector)),
        vector,
    )


def _row(problem, i):
    return tuple(int(x) for x in problem.types.codes[i])


def _shows(problem, vector, i):
    return tuple(node(problem, j, v, c) for j, (v, c) in enumerate(zip(vector, _row(problem, i), strict=True)))


def greedy_groups(problem):
    """Return the groups {(vector, nodes): set of types} and the types left over.

    Over and over, of all instances that k remaining rows agree with, the one of least (cost, pattern's place).
    """
    order = sorted(allowed_vectors(problem), key=lambda v: _order(problem, v))
    counts = problem.types.counts.tolist()
    left = set(range(len(counts)))
    groups = {}
    while True:
        best = None
        for place, vector in enumerate(order):
            instances = {}
            for i in sorted(left):
                instances.setdefault(_shows(problem, vector, i), []).append(i)
            for nodes, members in instances.items():
                if sum(counts[i] for i in members) >= problem.k:
                    key = (cost_of(problem, vector, _row(problem, members[0])), place, members[0])
                    if best is None or key < best[0]:
                        best = key, vector, nodes, members
        if best is None:
            return groups, left
        _, vector, nodes, members = best
        groups[vector, nodes] = set(members)
        left -= set(members)


def cost_before_repair(problem, groups):
    """Return the cost of all rows in groups."""
    counts = problem.types.counts
    return sum(
        int(counts[i]) * cost_of(problem, vector, _row(problem, i))
        for (vector, _), members in groups.items()
        for i in members
    )


def plain_top_repair(problem, groups, left):
    """Return the added cost when all leftover rows are starred with the rows that cost least to join them.

    Rows come one by one from groups of more than k, or one group comes whole.
    """
    counts = problem.types.counts
    top = tuple(level.height for level in problem.levels)
    star = cost_of(problem, top, _row(problem, 0))
    have = sum(int(counts[i]) for i in left)
    add = have * star
    sizes = {name: sum(int(counts[i]) for i in members) for name, members in groups.items()}
    price = {name: star - cost_of(problem, name[0], _row(problem, min(groups[name]))) for name in groups}
    whole = min((sizes[name] * price[name] for name in groups), default=None)
    spare, missing = 0, problem.k - have
    while missing > 0:
        can = [name for name in groups if sizes[name] > problem.k]
        if not can:
            spare = None
            break
        name = min(can, key=lambda g: price[g])
        sizes[name] -= 1
        spare += price[name]
        missing -= 1
    ways = [way for way in (whole, spare) if way is not None]
    return add + min(ways)


def plain_widening(problem, groups, sizes, i):
    """Return the least added cost of type i in any group, over all groups and allowed vectors (None: no way)."""
    rows = int(problem.types.counts[i])
    best = None
    for name, members in groups.items():
        vector = name[0]
        first = min(members)
        old = cost_of(problem, vector, _row(problem, first))
        for wider in allowed_vectors(problem):
            if any(a < b for a, b in zip(wider, vector, strict=True)):
                continue
            if _shows(problem, wider, first) != _shows(problem, wider, i):
                continue
            new = cost_of(problem, wider, _row(problem, i))
            cost = (sizes[name] + rows) * new - sizes[name] * old
            best = cost if best is None else min(best, cost)
    return best


def least_per_row(problem):
    """Return the per-row bound (None: some row has no crowd)."""
    counts = problem.types.counts.tolist()
    top = tuple(level.height for level in problem.levels)
    vectors = allowed_vectors(problem)
    total = 0
    for i in range(len(counts)):
        costs = []
        for vector in vectors:
            shown = _shows(problem, vector, i)
            crowd = sum(counts[x] for x in range(len(counts)) if _shows(problem, vector, x) == shown)
            if crowd >= problem.k or (vector == top and problem.outliers == "suppress"):
                costs.append(cost_of(problem, vector, _row(problem, i)))
        if not costs:
            return None
        total += counts[i] * min(costs)
    return total
