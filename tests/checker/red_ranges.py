"""Certificates of ranges on a grid, and releases of such tables, for the red team."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from fractions import Fraction

import numpy as np

from checker.red_cases import Case, Plain, second
from checker.red_changes import one_of, plain
from incrowd.errors import IncrowdError
from incrowd.progress import Watch
from incrowd.tables.solve.ranges.solver import RangeSearch
from incrowd.tables.values import Levels
from incrowd.tables.verify.bound.ranges import recount
from oracles import grid, grid_files


class OnGrid(Case):
    """A certificate of ranges on a grid; `numbers` holds those of every ranged column."""

    def __init__(self, problem, numbers, *, wide=False):
        found = RangeSearch(ranged=True, work=200).solve(problem, Watch())
        cost = found.plan.cost(problem)
        levels = [
            Levels(level.up[[0, -1]], level.cost[[0, -1]]) if j in numbers else level
            for j, level in enumerate(problem.levels)
        ]
        grids = tuple(
            recount.Grid(column=j, numbers=tuple(map(Fraction, own)), step=Fraction(*problem.ranges[j].step))
            for j, own in numbers.items()
        )
        table = recount.RangedTable(
            codes=problem.types.codes, counts=problem.types.counts, levels=levels, grids=grids, k=problem.k,
            outliers=problem.outliers, scale=problem.scale, wide=wide,
            allows=None if problem.kinds is None else problem.kinds.allows,
        )  # fmt: skip
        grid.NUMBERS[id(problem)], grid.WIDE[id(problem)] = numbers, wide
        grid.KEPT.append(problem)
        super().__init__("ranges", table, plain(found.certificate), cost, grid.optimum(problem), problem=problem)
        self.numbers, self.wide = numbers, wide

    def recheck(self, certificate, cost):
        return recount.recheck(self.table, certificate, cost)

    def paid(self, j):
        """What the runs from a ranged column's first value to each of its values cost."""
        star, own = int(self.table.levels[j].cost[-1].max()), self.numbers[j]
        if self.wide:
            return [star * (x - own[0]) // (own[-1] - own[0]) for x in own]
        return [star * place // (len(own) - 1) for place in range(len(own))]

    def ways(self, j):
        """What a column can show: lists of (values, cost)."""
        level = self.table.levels[j]
        if j not in self.numbers:
            found = []
            for up, cost in zip(level.up.tolist(), level.cost.tolist(), strict=True):
                for node in set(up):
                    inside = {value for value, own in enumerate(up) if own == node}
                    found.append((inside, cost[min(inside)]))
            return found
        paid, cell = self.paid(j), self.problem.ranges[j].cell.tolist()
        found = [({value}, 0) for value in range(len(cell))]
        for a, b in itertools.combinations_with_replacement(range(max(cell) + 1), 2):
            inside = {value for value, own in enumerate(cell) if a <= own <= b}
            found.append((inside, paid[max(inside)] - paid[min(inside)]))
        return found

    @functools.cached_property
    def crowds(self):
        """Every set of row types that some way of showing holds; its cost and the rows it needs."""
        found, codes = {}, self.table.codes.tolist()
        star = sum(int(level.cost[-1].max()) for level in self.table.levels)
        for way in itertools.product(*(self.ways(j) for j in range(len(self.table.levels)))):
            cost = sum(paid for _, paid in way)
            members = tuple(
                i for i, row in enumerate(codes) if all(x in own for x, (own, _) in zip(row, way, strict=True))
            )  # fmt: skip
            free = self.table.outliers == "suppress" and cost == star and len(members) == len(codes)
            need = 0 if free else self.table.k
            if members and sum(int(self.table.counts[i]) for i in members) >= need:
                found[members, need] = min(found.get((members, need), cost), cost)
        return [(members, need, cost) for (members, need), cost in found.items()]

    @functools.cached_property
    def variants(self):
        """The same table under another k or rule for outliers."""
        asked, found = self.problem, []
        others = [
            {"k": asked.k + 1}, {"k": max(asked.k - 1, 1)}, {"outliers": "forbid" if asked.outliers == "suppress" else "suppress"},
        ]  # fmt: skip
        for other in others:
            problem = dataclasses.replace(asked, **other)
            if problem.k <= problem.types.n:
                found.append(OnGrid(problem, self.numbers, wide=self.wide))
        return found

    @functools.cached_property
    def theirs(self):
        table = self.table
        levels = [[(u, c) for u, c in zip(x.up.tolist(), x.cost.tolist(), strict=True)] for x in table.levels]
        made = second.Problem(
            [tuple(codes) for codes in table.codes.tolist()], table.counts.tolist(), levels, Plain(lambda vector: True),
            table.k, table.outliers, table.scale,
        )  # fmt: skip
        made.secret = None
        made.grids = [
            (one.column, one.step, sorted(one.numbers), self.paid(one.column), list(one.numbers)) for one in table.grids
        ]
        if table.allows is not None:
            tops = tuple(2 if j in self.numbers else level.height for j, level in enumerate(table.levels))
            made.kinds_mask = (Plain(table.allows), tops)
        return made


def drawn_case(rng, most_rows=7):
    """A certificate of one ranged column or several, at either cost."""
    ranged, wide = one_of(rng, [1, 1, 2, 3]), bool(rng.random() < 0.3)
    masked = bool(rng.random() < 0.4)
    return OnGrid(
        *grid.drawn(rng, most_rows=most_rows, others=3 - ranged, ranged=ranged, wide=wide, masked=masked), wide=wide
    )


def of_ranges(seed):
    """A certificate of ranges on a small table: as it was found, or with drawn prices."""
    rng = np.random.default_rng([14, seed])
    case = drawn_case(rng)
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
