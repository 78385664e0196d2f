"""Proven optima and bounds on Adult-2, Adult and CMC: cost, bound, what of it a stranger confirms, seconds.

    python benchmarks/bench_exact.py --data DIR [--only NAME,NAME] [--ks 2,5] [--ilp]

DIR (or INCROWD_DATA) holds ``adult.data`` and ``cmc.data``. CPU seconds of this process, compiled kernels warm;
``recheck`` is the independent recount of the certificate. ``--ilp`` runs the paper's integer program beside it
(60 s a table).
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import resource
import time
from pathlib import Path

import numpy as np
from warmed import warmed

from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.bounds.certificate import by_prices
from incrowd.tables.solve.bounds.column_generation import improve_bound, start_prices
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.textbook.ilp import Ilp
from incrowd.tables.values import Levels, Problem, RowTypes
from incrowd.tables.verify.recount import AnyMask, Table, recheck

ADULT_2 = (0, 1, 3, 5, 6, 8, 9, 13, 14)
ADULT = (0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
NAMES_2 = ["age", "workclass", "education", "marital", "occupation", "race", "sex", "country", "salary"]
USER = Mask(
    max_stars=2,
    keep=["education", "salary"],
    together=[["workclass", "occupation"]],
    at_most_one=[["age", "sex", "race"]],
)
OPTIMA = {
    "adult2-user": {2: 29056, 3: 43886, 5: 61701, 10: 88026, 25: 125231, 50: 161081, 100: 197421},
    "cmc-two": {2: 2932, 3: 5216, 5: 8065, 10: 11462, 25: 13722, 100: 14730},
    "nursery": {k: 12960 * s for s, ks in ((1, (2, 5)), (2, (6, 10)), (3, (25, 50, 75)), (4, (100,))) for k in ks},
}


def types_of(table) -> RowTypes:
    coded = [np.unique(column, return_inverse=True) for column in table.T]
    rows, counts = np.unique(np.stack([code for _, code in coded], axis=1), axis=0, return_counts=True)
    return RowTypes(rows.astype(np.int32), counts.astype(np.int64), tuple(len(values) for values, _ in coded))


def read(path: Path, columns=None, header=False) -> RowTypes:
    lines = [line.split(",") for line in path.read_text().splitlines() if line.strip()][header:]
    columns = range(len(lines[0])) if columns is None else columns
    return types_of(np.array([[fields[j].strip() for j in columns] for fields in lines]))


def pose(types: RowTypes, names, mask, k, outliers="suppress") -> Problem:
    levels = tuple(
        Levels(
            np.stack([np.arange(d), np.zeros(d)]).astype(np.int32),
            np.stack([np.zeros(d), np.ones(d)]).astype(np.int64),
        )
        for d in types.sizes
    )
    return Problem(types, levels, mask.compile(names, [1] * types.m), k, outliers)


def confirmed(problem: Problem, certificate, cost: int) -> tuple[int, float]:
    view = Table(
        codes=problem.types.codes,
        counts=problem.types.counts,
        levels=problem.levels,
        mask=AnyMask(problem.patterns.allows),
        k=problem.k,
        outliers=problem.outliers,
        scale=problem.scale,
    )
    written = json.loads(json.dumps(certificate))
    begun = time.process_time()
    found = recheck(view, written, cost)
    assert not found.violations, found
    return found.lower_bound, time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("INCROWD_DATA"), help="folder that holds the tables")
    parser.add_argument("--only", default="adult2-user,cmc-two,adult2-all,cmc-all,nursery")
    parser.add_argument("--ks", default="")
    parser.add_argument("--time-limit", type=float, default=60.0)
    parser.add_argument("--ilp", action="store_true")
    parser.add_argument("--outliers", default="suppress")
    options = parser.parse_args()
    if not options.data:
        parser.error("say where adult.data lies: --data DIR, or INCROWD_DATA")
    warmed()
    data = Path(options.data)
    wanted = options.only.split(",")
    adult2 = read(data / "adult.data", ADULT_2) if any("adult2" in w for w in wanted) else None
    cmc = read(data / "cmc.data", header=True) if any("cmc" in w for w in wanted) else None
    every = Mask()
    tables = {
        "adult2-user": (adult2, NAMES_2, USER, (2, 3, 5, 10, 25, 50, 100)),
        "cmc-two": (cmc, None, Mask(max_stars=2), (2, 3, 5, 10, 25, 100)),
        "adult2-all": (adult2, NAMES_2, every, (2, 3, 5, 10, 25, 100)),
        "cmc-all": (cmc, None, every, (2, 3, 5, 10)),
        "adult-all": (None, None, every, (2, 5, 25, 100)),
        "nursery": (None, None, every, (2, 5, 6, 10, 25, 50, 75, 100)),
    }
    print("| table | k | greedy | cost | bound | checked | recount | status | solve s | recount s | peak MB |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name in wanted:
        types, names, mask, ks = tables[name]
        if name == "adult-all":
            types = read(data / "adult.data", ADULT)
        if name == "nursery":
            types = types_of(np.array(list(itertools.product(*map(range, (3, 5, 4, 4, 3, 2, 3, 3))))))
        names = names or [f"c{j}" for j in range(types.m)]
        for k in [int(x) for x in options.ks.split(",") if x] or ks:
            problem = pose(types, names, mask, k, options.outliers)
            greedy = Greedy().solve(problem, Watch()).plan
            watch = Watch()
            watch.limit(options.time_limit)
            begun = time.process_time()
            if name in OPTIMA:
                solution = Exact(certificate=True).solve(problem, watch)
                cost, bound, status = solution.plan.cost(problem), solution.bound, solution.status
                certificate = solution.certificate
                assert cost >= OPTIMA[name].get(k, 0) >= (bound.value if k in OPTIMA[name] else 0)
            else:
                cost, status = greedy.cost(problem), "bound only"
                found = improve_bound(problem, cost, watch, start=start_prices(problem, greedy))
                bound, certificate = found.bound, by_prices(problem, cost, found.bound, found.whole, found.parts)
            seconds = time.process_time() - begun
            value, again = confirmed(problem, certificate, cost)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            print(
                f"| {name} | {k} | {greedy.cost(problem):,} | {cost:,} | {bound.value:,} | {bound.checked:,} "
                f"| {value:,} | {status} | {seconds:.1f} | {again:.1f} | {peak:,} |",
                flush=True,
            )
            if options.ilp and Ilp().declines(problem) is None:
                watch = Watch()
                watch.limit(60)
                begun = time.process_time()
                solution = Ilp().solve(problem, watch)
                print(
                    f"| {name}, literal program | {k} | | {solution.plan.cost(problem):,} | {solution.bound.value:,} "
                    f"| {solution.bound.checked:,} | | {solution.status} | {time.process_time() - begun:.1f} | | |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
