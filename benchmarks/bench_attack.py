"""What releases give away: one rule of `incrowd attack` on releases of several tools, before and after blunting.

    python benchmarks/bench_attack.py --data DIR [--k 2 5 10] [--seconds 60] [--runs 50] [--arx FOLDER]

DIR (or INCROWD_DATA) holds ``adult.data``. The table is Adult-2 (nine columns), every combination of stars is allowed.
The rule is `single_rows`: a row of a class that it could leave is taken not to have a value that an existing, cheaper
class shows. Its findings are *claims*: on a release that is settled none is wrong, on others some are. Per release:

- loss: stars, and how many more than of the best release of the same run;
- claimed: starred cells of which a value is claimed to be excluded;
- wrong: how many of these cells have a value that was claimed to be excluded;
- quotient: these, divided by the cells that would have it if it were as frequent there as in the table (0: the claims
  are certain; 1: they say nothing), over all runs, and the least over the columns where chance would give at
  least 50;
- seconds: CPU time of the draw.

Tools: `incrowd` (auto), its greedy, its Mondrian, what ``--blunt 1|2|3`` makes of the best release (``--runs`` draws
each), anonypy's Mondrian where the package is installed (a cell that shows more than one value counts as a star), and
every CSV in the folder ``--arx`` whose name holds ``k5`` for k = 5: a release of the same rows in the same order, ``*``
for stars, with the names of Adult-2's columns.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from bench_exact import ADULT_2, NAMES_2, pose, read

from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.attack.by_plan import released_of_plan
from incrowd.tables.attack.rules import SingleRows
from incrowd.tables.mask import Mask
from incrowd.tables.solve.blunt import blunted
from incrowd.tables.solve.shared.partial_plan import as_plan

if TYPE_CHECKING:
    from incrowd.tables.values import Plan, Problem

LEAST_MASS = 50.0


def claims(problem: Problem, plan: Plan) -> tuple[int, np.ndarray, np.ndarray]:
    """Return the cells with a claim, and per column the wrong ones and those that chance would give."""
    released = released_of_plan(problem, plan)
    found = SingleRows().find(released, 0, Watch())
    types, m = problem.types, problem.types.m
    classes = released.unit_class[found.unit]
    cells = np.unique(np.stack((classes, found.column), axis=1), axis=0)
    prior = [np.bincount(types.codes[:, j], weights=types.counts, minlength=types.sizes[j]) / types.n for j in range(m)]
    mass, wrong = np.zeros(m), np.zeros(m)
    for j in range(m):
        here = found.column == j
        np.add.at(mass, j, (released.sizes[classes[here]] * prior[j][found.value[here]]).sum())
        claimed = set(zip(classes[here].tolist(), found.value[here].tolist(), strict=True))
        parts = zip(
            plan.part_class.tolist(), types.codes[plan.part_type, j].tolist(), plan.part_rows.tolist(), strict=True
        )
        wrong[j] = sum(rows for g, v, rows in parts if (g, v) in claimed)
    return int(released.sizes[cells[:, 0]].sum()), wrong, mass


def line(problem: Problem, name: str, plans: list[Plan], best: int, seconds: float) -> None:
    """Print one line of the table: the mean over some releases."""
    found = [claims(problem, plan) for plan in plans]
    cells = np.mean([one[0] for one in found])
    wrong, mass = sum(one[1] for one in found), sum(one[2] for one in found)
    cost = np.mean([plan.cost(problem) for plan in plans])
    quotient = wrong.sum() / mass.sum() if mass.sum() else float("nan")
    heavy = mass / len(plans) >= LEAST_MASS
    least = (wrong[heavy] / mass[heavy]).min() if heavy.any() else float("nan")
    print(
        f"| {problem.k} | {name} | {cost:,.0f} | {100 * (cost / best - 1):.1f} % | {cells:,.0f} | "
        f"{wrong.sum() / len(plans):,.0f} | {quotient:.2f} | {least:.2f} | {seconds:.2f} |",
        flush=True,
    )


def plan_of_cells(problem: Problem, types: np.ndarray, shown: np.ndarray) -> Plan:
    """Return the plan of a release whose cells are codes, -1 for a star, row by row."""
    levels = (shown < 0).astype(np.int8)
    vectors, which = np.unique(levels, axis=0, return_inverse=True)
    which = which.reshape(-1)
    groups = []
    for v, vector in enumerate(vectors):
        rows, counts = np.unique(types[which == v], return_counts=True)
        groups.append((vector, rows, counts))
    return as_plan(problem, groups)


def rows_of(problem: Problem) -> np.ndarray:
    """Return the row type of each row, type after type."""
    return np.repeat(np.arange(problem.types.t), problem.types.counts)


def by_anonypy(problem: Problem) -> tuple[Plan, float] | None:
    """Return anonypy's Mondrian on the same rows; cells of several values are stars."""
    try:
        import pandas as pd
        from anonypy.mondrian import Mondrian
    except ImportError:
        return None
    types = rows_of(problem)
    codes = problem.types.codes[types]
    frame = pd.DataFrame({str(j): pd.Categorical(codes[:, j]) for j in range(problem.types.m)})
    begin = time.process_time()
    parts = Mondrian(frame, list(frame.columns), None).partition(problem.k)
    seconds = time.process_time() - begin
    shown = codes.copy()
    for part in parts:
        rows = np.asarray(part)
        several = (codes[rows] != codes[rows[0]]).any(axis=0)
        shown[np.ix_(rows, np.flatnonzero(several))] = -1
    return plan_of_cells(problem, types, shown), seconds


def by_arx(problem: Problem, file: Path, original: list[list[str]]) -> Plan | None:
    """Return a recorded release of the same rows in the same order."""
    with file.open(encoding="utf-8") as lines:
        released = list(csv.reader(lines))
    at = [released[0].index(name) for name in NAMES_2 if name in released[0]]
    if len(at) != len(NAMES_2) or len(released) - 1 != len(original):
        print(f"{file.name}: not a release of Adult-2")
        return None
    values = [sorted({row[j] for row in original}) for j in range(len(NAMES_2))]
    code = [{value: i for i, value in enumerate(some)} for some in values]
    rows = np.array([[code[j][row[j]] for j in range(len(NAMES_2))] for row in original])
    place = {tuple(row): i for i, row in enumerate(problem.types.codes.tolist())}
    types = np.array([place[tuple(row)] for row in rows.tolist()])
    shown = np.array([[code[j].get(row[c], -1) for j, c in enumerate(at)] for row in released[1:]])
    return plan_of_cells(problem, types, shown)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("INCROWD_DATA"))
    parser.add_argument("--k", type=int, nargs="+", default=[2, 5, 10])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--arx", type=Path)
    asked = parser.parse_args()
    if asked.data is None:
        parser.error("--data or INCROWD_DATA must name the folder that holds adult.data")
    types = read(Path(asked.data) / "adult.data", ADULT_2)
    lines = (Path(asked.data) / "adult.data").read_text().splitlines()
    original = [[text.split(",")[j].strip() for j in ADULT_2] for text in lines if text.strip()]
    print("| k | release | stars | more | claimed cells | wrong | quotient | least column | CPU s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for k in asked.k:
        problem = pose(types, NAMES_2, Mask(), k, "forbid")
        watch = Watch()
        watch.limit(asked.seconds)
        begin = time.process_time()
        best = load("solvers", "auto")().solve(problem, watch)
        cost = best.plan.cost(problem)
        line(problem, f"incrowd ({best.status})", [best.plan], cost, time.process_time() - begin)
        for level in (1, 2, 3):
            begin = time.process_time()
            plans = [blunted(problem, best, level, Watch()).plan for _ in range(asked.runs)]
            line(problem, f"--blunt {level}", plans, cost, (time.process_time() - begin) / asked.runs)
        for name in ("greedy", "mondrian"):
            begin = time.process_time()
            made = load("solvers", name)().solve(problem, Watch())
            line(problem, f"incrowd, {name}", [made.plan], cost, time.process_time() - begin)
        other = by_anonypy(problem)
        if other is None:
            print(f"| {k} | anonypy | not installed | | | | | | |")
        else:
            line(problem, "anonypy", [other[0]], cost, other[1])
        for file in sorted(asked.arx.glob(f"*k{k}[_.]*csv")) if asked.arx else []:
            plan = by_arx(problem, file, original)
            if plan is not None:
                line(problem, f"ARX, {file.name}", [plan], cost, float("nan"))


if __name__ == "__main__":
    main()
