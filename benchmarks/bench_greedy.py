"""Time the greedy and its per-row bound on Adult and Adult-2 with all patterns, every star at cost 1.

    python benchmarks/bench_greedy.py --data DIR [--threads N] [--repeat 3]

DIR (or INCROWD_DATA) holds ``adult.data`` of the UCI repository. Median wall seconds, compiled kernels warm.
"""

from __future__ import annotations

import argparse
import os
import statistics
from pathlib import Path

import numpy as np
from warmed import warmed

from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.values import Levels, Problem, RowTypes

TABLES = {
    "Adult-2": (0, 1, 3, 5, 6, 8, 9, 13, 14),
    "Adult": (0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
}


def row_types(path: Path, columns: tuple[int, ...]) -> RowTypes:
    lines = [line.split(",") for line in path.read_text().splitlines() if line.strip()]
    table = np.array([[fields[j].strip() for j in columns] for fields in lines])
    coded = [np.unique(table[:, j], return_inverse=True) for j in range(len(columns))]
    codes = np.stack([code for _, code in coded], axis=1)
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    return RowTypes(rows.astype(np.int32), counts.astype(np.int64), tuple(len(values) for values, _ in coded))


def stars(types: RowTypes) -> tuple[Levels, ...]:
    return tuple(
        Levels(
            np.stack([np.arange(d), np.zeros(d)]).astype(np.int32),
            np.stack([np.zeros(d), np.ones(d)]).astype(np.int64),
        )
        for d in types.sizes
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("INCROWD_DATA"), help="folder that holds adult.data")
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    if not options.data:
        parser.error("say where adult.data lies: --data DIR, or INCROWD_DATA")
    warmed()
    solver = Greedy(threads=options.threads)
    print("| table | row types | patterns | k | suppress | forbid | bound | solve s | bound s |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, columns in TABLES.items():
        types = row_types(Path(options.data) / "adult.data", columns)
        patterns = Mask().compile([f"c{j}" for j in columns], [1] * types.m)
        for k in (2, 5, 10, 25, 100):
            costs, bound, seconds = [], 0, {"solve": [], "bound": []}
            for outliers in ("suppress", "forbid"):
                problem = Problem(types, stars(types), patterns, k, outliers)
                for _ in range(options.repeat):
                    solution = solver.solve(problem, Watch())
                    for stage, times in seconds.items():
                        times.append(solution.seconds[stage])
                costs.append(solution.plan.cost(problem))
                bound = solution.bound.value
            solve, bounding = (statistics.median(seconds[stage]) for stage in ("solve", "bound"))
            print(
                f"| {name} | {types.t:,} | {patterns.count():,} | {k} | {costs[0]:,} | {costs[1]:,} | {bound:,} "
                f"| {solve:.3f} | {bounding:.3f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
