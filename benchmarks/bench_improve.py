"""Time `improve` on Adult-2, Adult and CMC with all patterns, every star at cost 1: release, bound and gap.

    python benchmarks/bench_improve.py --data DIR [--table Adult-2] [--k 5 25] [--seconds 16 60]
                                       [--solver improve] [--outliers suppress] [--seed 0]

DIR (or INCROWD_DATA) holds ``adult.data`` and ``cmc.data`` of the UCI repository. What a stranger confirms of the bound
stands beside it, with the seconds that takes. Compiled kernels warm. The time limit is in CPU
seconds of the process, so that a busy machine does not change what is measured; threads that run at the same time
count twice.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from pathlib import Path

from bench_exact import confirmed, read
from bench_greedy import TABLES, row_types, stars
from warmed import warmed

from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.mask import Mask
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.values import Problem


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("INCROWD_DATA"), help="folder that holds adult.data")
    parser.add_argument("--table", nargs="+", default=["Adult-2"], choices=[*TABLES, "CMC"])
    parser.add_argument("--k", nargs="+", type=int, default=[5, 10, 25, 100])
    parser.add_argument("--seconds", nargs="+", type=float, default=[16.0])
    parser.add_argument("--solver", default="improve", choices=["improve", "auto"])
    parser.add_argument("--outliers", default="suppress", choices=["suppress", "forbid"])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if not options.data:
        parser.error("say where adult.data lies: --data DIR, or INCROWD_DATA")
    warmed()
    solver = load("solvers", options.solver)(seed=options.seed)
    time.perf_counter = time.process_time  # watches and solvers count CPU seconds from here on
    print("| table | k | CPU s | greedy | release | made by | bound | recounted (s) | gap % | status | peak MiB |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in options.table:
        folder = Path(options.data)
        cmc = name == "CMC"
        types = read(folder / "cmc.data", header=True) if cmc else row_types(folder / "adult.data", TABLES[name])
        patterns = Mask().compile([f"c{j}" for j in range(types.m)], [1] * types.m)
        for k in options.k:
            problem = Problem(types, stars(types), patterns, k, options.outliers)
            greedy = Greedy().solve(problem, Watch()).plan.cost(problem)
            for seconds in options.seconds:
                watch = Watch(started=time.process_time())
                watch.limit(seconds)
                begun = time.process_time()
                solution = solver.solve(problem, watch)
                spent = time.process_time() - begun
                cost, bound = solution.plan.cost(problem), solution.bound.value
                recounted, took = 0, 0.0
                if solution.certificate["certificate"] == "incrowd k-anonymity bound":  # no matching
                    recounted, took = confirmed(problem, solution.certificate, cost)
                peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
                print(
                    f"| {name} | {k} | {spent:.1f} | {greedy:,} | {cost:,} | {solution.solver} | {bound:,} "
                    f"| {recounted:,} ({took:.1f}) | {100 * (cost - bound) / bound:.2f} | {solution.status} "
                    f"| {peak:,} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
