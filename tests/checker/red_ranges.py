"""Certificates of ranges on a grid, and releases of such tables, for the red team."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from fractions import Fraction

import numpy as np

from checker.red_cases import Case, Plain, second
from checker.red_changes import plain
from incrowd.errors import IncrowdError
from incrowd.progress import Watch
from incrowd.tables.solve.ranges.solver import RangeSearch
from incrowd.tables.values import Levels
from incrowd.tables.verify.bound.ranges import recount
from oracles import grid, grid_files


class OnGrid(Case):
    """A certificate of ranges on a grid."""

    def __init__(self, problem, numbers):
        found = RangeSearch(ranged=True, work=200).solve(problem, Watch())
        cost = found.plan.cost(problem)
        column = next(j for j, one in enumerate(problem.ranges) if one is not None)
        levels = list(problem.levels)
        levels[column] = Levels(levels[column].up[[0, -1]], levels[column].cost[[0, -1]])
        table = recount.RangedTable(
            codes=problem.types.codes, counts=problem.types.counts, levels=levels, column=column,
            numbers=tuple(map(Fraction, numbers)), step=Fraction(*problem.ranges[column].step), k=problem.k,
            outliers=problem.outliers, scale=problem.scale,
        )  # fmt: skip
        super().__init__("ranges", table, plain(found.certificate), cost, grid.optimum(problem), problem=problem)
        self.numbers = numbers

    def recheck(self, certificate, cost):
        return recount.recheck(self.table, certificate, cost)

    @functools.cached_property
    def crowds(self):
        """Every set of row types that levels, and a value or a run of cells, show alike; its cost and the rows it needs."""
        found, column = {}, self.table.column
        ranged, codes = self.problem.ranges[column], self.table.codes.tolist()
        n, star = len(ranged.cell), int(self.table.levels[column].cost[-1].max())
        sets = [({v}, 0) for v in range(n)]
        for a, b in itertools.combinations_with_replacement(range(int(ranged.cell.max()) + 1), 2):
            inside = {v for v in range(n) if a <= ranged.cell[v] <= b}
            sets.append((inside, (len(inside) - 1) * ranged.unit))
        others = [j for j in range(len(self.table.levels)) if j != column]
        for vector in itertools.product(*(range(self.table.levels[j].height + 1) for j in others)):
            shown = {}
            for i, row in enumerate(codes):
                key = tuple(int(self.table.levels[j].up[u, row[j]]) for j, u in zip(others, vector, strict=True))
                shown.setdefault(key, []).append(i)
            free = self.table.outliers == "suppress"
            free = free and all(u == self.table.levels[j].height for j, u in zip(others, vector, strict=True))
            for some, (values, paid) in itertools.product(shown.values(), sets):
                members = tuple(i for i in some if codes[i][column] in values)
                need = 0 if free and paid == star and len(values) == n else self.table.k
                if members and sum(int(self.table.counts[i]) for i in members) >= need:
                    cost = paid + sum(
                        int(self.table.levels[j].cost[u, codes[members[0]][j]])
                        for j, u in zip(others, vector, strict=True)
                    )
                    found[members, need] = min(found.get((members, need), cost), cost)
        return [(members, need, cost) for (members, need), cost in found.items()]

    @functools.cached_property
    def variants(self):
        """The same table under another k or rule for outliers, or on another grid."""
        asked, found = self.problem, []
        column = self.table.column
        ranged = asked.ranges[column]
        a, b = ranged.step
        cell = np.unique(np.array([number * b // (a + b) for number in self.numbers]), return_inverse=True)[1]
        below = np.concatenate(([0], np.cumsum(np.bincount(cell))))
        wider = dataclasses.replace(ranged, cell=cell.astype(np.int64), below=below.astype(np.int64), step=(a + b, b))
        ranges = tuple(wider if j == column else None for j in range(len(asked.levels)))
        others = [
            {"k": asked.k + 1}, {"k": max(asked.k - 1, 1)}, {"ranges": ranges},
            {"outliers": "forbid" if asked.outliers == "suppress" else "suppress"},
        ]  # fmt: skip
        for other in others:
            problem = dataclasses.replace(asked, **other)
            if problem.k <= problem.types.n:
                found.append(OnGrid(problem, self.numbers))
        return found

    @functools.cached_property
    def theirs(self):
        table = self.table
        levels = [[(u, c) for u, c in zip(x.up.tolist(), x.cost.tolist(), strict=True)] for x in table.levels]
        made = second.Problem(
            [tuple(codes) for codes in table.codes.tolist()], table.counts.tolist(), levels, Plain(lambda vector: True),
            table.k, table.outliers, table.scale,
        )  # fmt: skip
        unit = self.problem.ranges[table.column].unit
        made.secret = None
        made.grids = [(table.column, list(table.numbers), table.step, unit)]
        return made


def of_ranges(seed):
    """A certificate of ranges on a small table: as it was found, or with drawn prices."""
    rng = np.random.default_rng([14, seed])
    case = OnGrid(*grid.drawn(rng, most_rows=7))
    if seed % 2:
        parts = int(rng.integers(1, 9))
        top = parts * sum(int(level.cost[-1].max()) for level in case.table.levels)
        prices = rng.integers(-parts, top // 2 + 2, len(case.table.counts)).tolist()
        case.certificate |= {"parts": parts, "prices": prices, "lower_bound": 0, "lower_bound_checked": 0}
        case.certificate["lower_bound"] = case.certificate["lower_bound_checked"] = case.by_check(case.certificate)[3]
    return case


# --- releases --------------------------------------------------------------------------------------------------------


def of_labels(rows, asked, rng, others):
    """Ranges moved, widened, cut, written in another way, or of another row or run."""
    every = sorted(asked.labels) or ["< 0"]
    for _ in range(rng.choice([1, 1, 2, 4])):
        a, b = rng.randrange(1, len(rows)), rng.randrange(1, len(rows))
        what = rng.choice(["any", "any of its own", "whole class", "edge", "written", "value", "odd", "swap"])
        own = [label for label in every if asked.rows[(a - 1) % len(asked.rows)][0] in asked.labels.get(label, ())]
        cell = rows[a][0] or ""
        if what == "any":
            rows[a][0] = rng.choice(every)
        elif what == "any of its own" and own:
            rows[a][0] = rng.choice(own)
        elif what == "whole class":  # another run that holds as much, for all rows that show this one
            inside = asked.labels.get(cell, {cell})
            wider = [label for label in every if asked.labels.get(label, set()) >= inside]
            new = rng.choice(wider or every)
            for row in rows[1:]:
                row[0] = new if row[0] == cell else row[0]
        elif what == "edge" and any(sign.isdigit() for sign in cell):
            spot = rng.choice([at for at, sign in enumerate(cell) if sign.isdigit()])
            rows[a][0] = cell[:spot] + rng.choice("0123456789") + cell[spot + 1 :]
        elif what == "written":
            rows[a][0] = rng.choice([
                cell.replace("-", " to ", 1), cell.replace(" to ", "-"), cell.replace("< ", "<"), cell.replace(">=", ">"),
                f"{cell}.0", f"+{cell}", cell.replace("-", "\u2013"), cell.replace("< ", "<= "), f"0{cell}", f"[{cell}]",
            ])  # fmt: skip
        elif what == "value":
            rows[a][0] = rng.choice(asked.values)
        elif what == "odd":
            rows[a][0] = rng.choice([
                "< 10", ">= 10", "< -0", "0-9", "9-0", "< 99999999999999999", ">= 2024-02-30", "2024-01-01 to 2023-01-01",
                "0-999999999999999999999", "< \u0661\u0660", "0000-01-01 to 2024-01-01", "< 1e3", "-0 to 9", "< 0.0000000001",
            ])  # fmt: skip
        else:
            rows[a][0], rows[b][0] = rows[b][0], rows[a][0]
    return rows


def jobs(rng, folder):
    """Jobs on drawn tables on a grid, without end."""
    from checker.red_releases import Job

    for number in itertools.count():
        try:
            job = Job(folder / f"job{number}", grid_files.drawn(rng), "auto")
        except IncrowdError:
            continue
        yield job
