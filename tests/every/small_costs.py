"""Random small problems under the costs that look at the table: their optimum against every partition of the rows.

    PYTHONPATH=tests python -m every.small_costs [NUMBER] [FIRST]

tries NUMBER problems (5,000 by default) from seed FIRST (0) on, each a table of 2 to 7 rows with hierarchies, weights, a mask,
k from 1 to 3 and an outlier rule. What every value costs at every level is counted by the plain twins of
`oracle.costs`, value by value and 0 where it is shown as it is; the least cost is that of every partition under them. The solvers'
levels, the check's, the release of `exact`, its bound and the recount of its certificate have to say the same.
"""

from __future__ import annotations

import dataclasses
import sys
import time
import types
from collections import Counter
from fractions import Fraction

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.column_counts import ColumnCounts
from incrowd.tables.costs import cost_levels
from incrowd.tables.hierarchy import Hierarchy
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.user_units import in_units, offset_of
from incrowd.tables.values import Levels, Problem
from incrowd.tables.verify.bound import certificate as bound
from incrowd.tables.verify.release.costs import read_levels
from oracle import costs as plain
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.plans import recount
from oracles.problems import as_table, types_of

COSTS = ("ncp", "entropy", "workload")


class Drawn:
    """A table with hierarchies, its problem as solvers and as the check see it, and plain costs."""

    def __init__(self, seed):
        rng = self.rng = np.random.default_rng([83, seed])
        self.cost = COSTS[seed % len(COSTS)]
        n, m = int(rng.integers(2, 8)), int(rng.integers(1, 4))
        self.names = [f"q{j}" for j in range(m)]
        self.target = [str(t) for t in rng.integers(0, 3, n)]
        self.cells = {name: self.column(n, rng) for name in self.names}
        self.lines = {name: self.tree(cells, rng) for name, cells in self.cells.items()}
        self.numeric = [name for name in self.names if rng.integers(2)]
        self.weights = {name: Fraction(int(rng.integers(0, 4)), int(rng.integers(1, 4))) for name in self.names}
        self.queries = [
            (
                Fraction(int(rng.integers(1, 4)), 2),
                [name for name in self.names if rng.integers(2)],
                bool(rng.integers(2)),
            )
            for _ in range(int(rng.integers(1, 4)))
        ]
        self.values = {
            name: sorted(set(cells), key=lambda v: (v is not None, v or "")) for name, cells in self.cells.items()
        }
        codes = np.array([[self.values[name].index(self.cells[name][i]) for name in self.names] for i in range(n)])
        self.types = types_of(codes)
        heights = [len(self.lines[name][0]) for name in self.names]
        every = PatternList(heights).vectors
        chosen = {v for v in every if rng.random() < 0.7} | {tuple(heights)}
        self.rest = {
            "patterns": PatternList(heights, chosen if rng.integers(2) else None), "k": int(rng.integers(1, min(4, n + 1))),
            "outliers": ("forbid", "suppress")[int(rng.integers(2))],
        }  # fmt: skip

    def column(self, n, rng):
        own = [str(v) for v in rng.choice(30, int(rng.integers(1, 6)), replace=False)]
        return [None if rng.random() < 0.1 else own[int(rng.integers(len(own)))] for _ in range(n)]

    def tree(self, cells, rng):
        """A hierarchy over the column's values and some more: bands of numbers, a missing value apart or among them."""
        more = [str(v) for v in rng.choice(30, 3, replace=False)]
        values = sorted({*(cell for cell in cells if cell is not None), *more}, key=int)
        width, height = int(rng.integers(2, 9)), int(rng.integers(1, 4))
        lines = [(v, *(f"{level}:{int(v) // width**level}" for level in range(1, height))) for v in values]
        if None in cells:
            beside = lines[0][1:] if rng.integers(2) else ["none"] * (height - 1)
            lines.append(("NULL", *beside))
        return lines

    def counts(self, name):
        rows, lines = Counter(self.cells[name]), self.lines[name]
        values = [None if line[0] == "NULL" else line[0] for line in lines]
        told = [
            {
                t: sum(pair == (value, str(t)) for pair in zip(self.cells[name], self.target, strict=True))
                for t in range(3)
            }
            for value in values
        ]
        told = [{t: n for t, n in one.items() if n} for one in told]
        asked = [(weight, target) for weight, columns, target in self.queries if name in columns]
        return ColumnCounts(
            rows=tuple(rows[value] for value in values), numeric=name in self.numeric,
            counting=sum((weight for weight, target in asked if not target), Fraction(0)),
            telling=tuple((weight, tuple(told)) for weight, target in asked if target),
        )  # fmt: skip

    def problems(self):
        """The problem that solvers see, and the same with the plain costs."""
        sizes, trees = self.types.sizes, {name: Hierarchy(lines=self.lines[name]) for name in self.names}
        place = {name: ["NULL" if v is None else v for v in self.values[name]] for name in self.names}
        at = {
            name: np.array([[line[0] for line in self.lines[name]].index(v) for v in place[name]])
            for name in self.names
        }
        counts = {name: self.counts(name) for name in self.names}
        levels, scale = cost_levels(
            self.cost, self.names, sizes, rows=self.types.n, nodes={name: (trees[name], at[name]) for name in self.names},
            weights=self.weights, types=self.types, numeric=self.numeric, counts=counts,
        )  # fmt: skip
        fitted = {name: (types.SimpleNamespace(hierarchy=trees[name]), at[name]) for name in self.names}
        again, unit = read_levels(self.cost, self.names, sizes, fitted, self.weights, rows=self.types.n, counts=counts)
        assert scale == unit
        for one, other in zip(levels, again, strict=True):
            assert one.up.tolist() == other.up.tolist()
            assert one.cost.tolist() == other.cost.tolist()
        problem = Problem(self.types, levels, scale=scale, **self.rest)
        told = tuple(
            Levels(level.up, np.array([[self.plain(name, v, at) * scale for v in self.values[name]]
                                       for at in range(level.height + 1)], np.int64))
            for name, level in zip(self.names, levels, strict=True)
        )  # fmt: skip
        return problem, dataclasses.replace(problem, levels=told)

    def plain(self, name, value, level):
        given = (self.lines[name], self.cells[name], value, level)
        if self.cost == "ncp":
            cost = plain.ncp(*given, numeric=name in self.numeric)
        elif self.cost == "entropy":
            cost = plain.entropy(*given)
        else:
            asked = [(weight, target) for weight, columns, target in self.queries if name in columns]
            cost = plain.workload(
                *given, counting=sum((w for w, target in asked if not target), Fraction(0)),
                telling=[(w, self.target) for w, target in asked if target],
            )  # fmt: skip
        return cost * self.weights[name]


def tried(seed):
    """Try one problem; return its cost's name and what its bound rests on."""
    drawn = Drawn(seed)
    problem, told = drawn.problems()
    best = optimum(told)
    try:
        found = [Exact().solve(problem, Watch()), Greedy().solve(problem, Watch())]
    except Infeasible:
        assert best is None
        return drawn.cost, "no release"
    assert best is not None
    for solution in found:
        paid = in_units(problem, recount(problem, solution.plan)) * problem.scale
        assert paid == recount(told, solution.plan) >= best
        assert in_units(problem, solution.bound.value) * problem.scale <= best
        if solution.certificate is not None:
            again = bound.recheck(as_table(problem), dict(solution.certificate), solution.plan.cost(problem))
            assert not again.violations
            assert again.lower_bound - offset_of(problem) <= best
            assert again.proven == (solution.bound.proof == "certificate")
    assert recount(told, found[0].plan) == best == found[0].bound.value - offset_of(problem)
    return drawn.cost, found[0].bound.proof


def main(number, first=0):
    """Print a table."""
    begun, counted = time.process_time(), Counter()
    for seed in range(first, first + number):
        try:
            counted[tried(seed)] += 1
        except BaseException:
            print(f"seed {seed}:", flush=True)
            raise
    for (cost, what), times in sorted(counted.items()):
        print(f"{cost:<10}{what:<14}{times:>8}")
    print(f"{time.process_time() - begun:.0f} s of CPU", flush=True)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:3] or ["5000"]))
