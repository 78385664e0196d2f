import numpy as np

from incrowd.tables.solve.ranges.lattice import RangeLattice
from oracles.grid import drawn


def plain(problem, prices):
    """Return what all instances add below 0, each found by its own definition: pattern, labels, value or run."""
    lattice = RangeLattice(problem)
    total, seen = 0, set()
    for vector in lattice.vectors:
        lines = [int(first + level) for first, level in zip(lattice.start, vector, strict=True)]
        for i in range(lattice.t):
            for j in range(lattice.t):
                low, high = sorted((int(lattice.cell[i]), int(lattice.cell[j])))
                for one in (True, False):
                    types = [
                        x for x in range(lattice.t)
                        if all(lattice.nodes[line, x] == lattice.nodes[line, i] for line in lines)
                        and (lattice.value[x] == lattice.value[i] if one else low <= lattice.cell[x] <= high)
                    ]  # fmt: skip
                    key = (tuple(vector), tuple(types), one)
                    if key in seen or not counts(problem, lattice, types, vector, one):
                        continue
                    seen.add(key)
                    cost = sum(int(lattice.paid[line, i]) for line in lines)
                    ends = lattice.cell[types]
                    cost += 0 if one else int(lattice.ranged.cost(ends.min(), ends.max()))
                    each = sorted(cost - int(prices[x]) for x in types for _ in range(problem.types.counts[x]))
                    value = sum(each[: problem.k]) + sum(min(0, rest) for rest in each[problem.k :])
                    total += min(0, value)
    return total


def counts(problem, lattice, types, vector, one):
    if int(problem.types.counts[types].sum()) < problem.k or (not one and len({*lattice.value[types]}) < 2):
        return False
    for x, level in enumerate(vector):
        if level and len({*lattice.nodes[lattice.start[x] + level - 1][types]}) == 1:
            return False
    full = {*lattice.cell[types]} >= {0, len(lattice.ranged.below) - 2}
    return not (lattice.free and not one and full and list(vector) == lattice.heights)


def test_the_sweep_adds_up_what_every_instance_adds_by_its_definition():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        problem, _ = drawn(rng, most_rows=7)
        prices = rng.integers(-5, 80, problem.types.t).astype(np.int64)
        lattice = RangeLattice(problem)
        value, _ = lattice.scan(prices, 1, 0, 10_000)
        own = int((prices * problem.types.counts).sum()) + plain(problem, prices)
        if lattice.free:
            own += int((np.minimum(lattice.top - prices, 0) * problem.types.counts).sum())
        assert value == own
