import itertools

import numpy as np

from incrowd.tables.solve.ranges.lattice import RangeLattice
from oracles.grid import drawn, run_cost
from seeds import how_many


def plain(problem, prices):
    """Return what all instances add below 0, each found by its own definition: pattern, labels, values or runs."""
    lattice = RangeLattice(problem)
    total, seen = 0, set()
    for vector in lattice.vectors:
        lines = [int(first + level) for first, level in zip(lattice.start, vector, strict=True)]
        for i in range(lattice.t):
            choices = []
            for cell in lattice.cell:
                choices.append([(True, 0, 0), *((False, int(a), int(b)) for a in cell for b in cell if a <= b)])
            for choice in itertools.product(*choices):
                types = [
                    x for x in range(lattice.t)
                    if all(lattice.nodes[line, x] == lattice.nodes[line, i] for line in lines)
                    and all(
                        lattice.value[c, x] == lattice.value[c, i] if one else a <= lattice.cell[c, x] <= b
                        for c, (one, a, b) in enumerate(choice)
                    )
                ]  # fmt: skip
                told = tuple(
                    (one, a, b) if not one else (one, int(lattice.value[c, i])) for c, (one, a, b) in enumerate(choice)
                )
                key = (tuple(vector), tuple(types), told)
                if key in seen or not counts(problem, lattice, types, vector, choice):
                    continue
                seen.add(key)
                cost = sum(int(lattice.paid[line, i]) for line in lines)
                for c, (one, a, b) in enumerate(choice):
                    j = lattice.columns[c]
                    inside = [x for x, cell in enumerate(problem.ranges[j].cell) if a <= cell <= b]
                    cost += 0 if one else run_cost(problem, j, inside)
                each = sorted(cost - int(prices[x]) for x in types for _ in range(problem.types.counts[x]))
                value = sum(each[: problem.k]) + sum(min(0, rest) for rest in each[problem.k :])
                total += min(0, value)
    return total


def counts(problem, lattice, types, vector, choice):
    if not types or int(problem.types.counts[types].sum()) < problem.k:
        return False
    for c, (one, a, b) in enumerate(choice):
        if not one:
            cells = lattice.cell[c, types]
            if (cells.min(), cells.max()) != (a, b) or len({*lattice.value[c, types]}) < 2:
                return False
    for x, level in enumerate(vector):
        if level and len({*lattice.nodes[lattice.start[x] + level - 1][types]}) == 1:
            return False
    full = all(not one and (a, b) == (0, lattice.last[c]) for c, (one, a, b) in enumerate(choice))
    return not (lattice.free and full and list(vector) == lattice.heights)


def test_the_sweep_adds_up_what_every_instance_adds_by_its_definition():
    for seed in range(how_many(60, 2)):
        rng = np.random.default_rng(seed)
        problem, _ = drawn(rng, most_rows=6, ranged=1 + seed % 3, others=1 + (seed % 3 == 0), wide=bool(seed % 2))
        prices = rng.integers(-5, problem.scale, problem.types.t).astype(np.int64)
        lattice = RangeLattice(problem)
        found = lattice.scan(prices, 1, 0, 100_000)
        own = int((prices * problem.types.counts).sum()) + plain(problem, prices)
        if lattice.free:
            own += int((np.minimum(lattice.top - prices, 0) * problem.types.counts).sum())
        assert found.value == own
