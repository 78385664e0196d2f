"""Release, bound and gap on ARX's Adult with its hierarchies, k = 2 to 100, and on parts of it.

    python benchmarks/bench_hierarchies.py --data DIR [--case B-5 B-25] [--seconds S] [--solver auto] [--seed 0]

DIR (or INCROWD_DATA) holds ARX's ``adult.csv`` and its hierarchies in the folder ``arx``. Case A has eight
quasi-identifiers, case B salary-class besides; fully suppressed outliers are allowed, the cost is the default. `B-5` is
k = 5 on all rows, `B/10-5` on every tenth. Time limits are in CPU seconds of the process, compiled kernels warm. The
bound is recounted from its certificate, without a solver; must and aim are gaps in percent.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import resource
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench_exact import confirmed
from warmed import warmed

from incrowd.jobs.prepare import prepare
from incrowd.policy.job import Job
from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.engine.base import Engine

if TYPE_CHECKING:
    from incrowd.tables.values import Problem

A = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation")
B = (*A, "salary-class")
# Columns, every how many rows, k, CPU seconds, must, aim.
CASES = {
    "B-5": (B, 1, 5, 60, 4.6, 3.8),
    "B-10": (B, 1, 10, 60, 5.0, 4.3),
    "B/10-5": (B, 10, 5, 60, 3.0, 2.0),
    "A/60-5": (A, 60, 5, 15, 1.3, 0.6),
    "A/60-10": (A, 60, 10, 15, 2.8, 2.0),
    "B-2": (B, 1, 2, 60, 0.0, 0.0),
    "B-25": (B, 1, 25, 60, 10.0, 6.0),
    "B-100": (B, 1, 100, 60, 15.0, 8.0),
    "B-5 long": (B, 1, 5, 600, 3.3, 2.2),
    "B-10 long": (B, 1, 10, 600, 4.2, 3.2),
}


def posed(folder: Path, columns: tuple[str, ...], every: int, k: int) -> Problem:
    """Return the problem over every so many rows of ARX's Adult."""
    source = folder / "adult.csv"
    with tempfile.TemporaryDirectory() as spare:
        if every > 1:
            lines = source.read_text().splitlines()
            source = Path(spare) / "adult.csv"
            source.write_text("\n".join([lines[0], *lines[1::every]]) + "\n")
        policy = Job().replace(
            quasi_identifiers=columns, sensitive=() if "salary-class" in columns else ("salary-class",), k=k,
            outliers="suppress", other="drop",
            hierarchies=tuple((name, str(folder / f"adult_hierarchy_{name}.csv")) for name in columns),
        ).policy  # fmt: skip
        return prepare(Engine(), source, policy, contextlib.nullcontext).problem()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("INCROWD_DATA"), help="folder that holds the folder arx")
    parser.add_argument("--case", nargs="+", default=[name for name in CASES if "long" not in name], choices=CASES)
    parser.add_argument("--seconds", type=float, help="CPU seconds, in place of the case's own")
    parser.add_argument("--solver", default="auto", choices=["improve", "auto"])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    if not options.data:
        parser.error("say where the folder arx lies: --data DIR, or INCROWD_DATA")
    warmed()
    solver = load("solvers", options.solver)(seed=options.seed)
    problems = {name: posed(Path(options.data) / "arx", *CASES[name][:3]) for name in options.case}
    time.perf_counter = time.process_time  # watches and solvers count CPU seconds from here on
    print("| case | CPU s | release | bound | recounted (s) | gap % | must | aim | status | peak MiB |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name, problem in problems.items():
        limit, must, aim = options.seconds or CASES[name][3], *CASES[name][4:]
        watch = Watch(started=time.process_time())
        watch.limit(limit)
        begun = time.process_time()
        solution = solver.solve(problem, watch)
        spent = time.process_time() - begun
        cost, bound, scale = solution.plan.cost(problem), solution.bound.value, problem.scale
        recounted, took = bound, 0.0
        if solution.certificate["certificate"] == "incrowd k-anonymity bound":  # no matching
            recounted, took = confirmed(problem, solution.certificate, cost)
            assert recounted == bound
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(
            f"| {name} | {spent:.1f} | {cost / scale:,.2f} | {bound / scale:,.2f} "
            f"| {recounted / scale:,.2f} ({took:.1f}) "
            f"| {100 * (cost - bound) / bound:.2f} | {must} | {aim} | {solution.status} | {peak:,} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
