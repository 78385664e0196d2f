"""Time Mondrian beside anonypy's on the same data and k.

    python benchmarks/bench_mondrian.py --data DIR [--repeat 3] [--ks 2,5,10,25,100]

DIR (or INCROWD_DATA) holds ``adult.data`` of the UCI repository. anonypy is asked if it is installed (pip install
anonypy). Both cut a table in memory into parts: ours from row types, theirs from a data frame with age as numbers
and categories for the rest. Ours also with all that a release needs (levels, plan, bound). Median wall seconds,
compiled kernels warm. Parts differ: anonypy cuts categories in the order of their appearance.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from warmed import warmed

from incrowd.progress import Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.mondrian import Mondrian, cut_up
from incrowd.tables.values import Levels, Problem, RowTypes

if TYPE_CHECKING:
    from collections.abc import Callable

COLUMNS = (0, 1, 3, 5, 6, 8, 9, 13, 14)
NUMBER = 0  # age


def rows_of(path: Path) -> list[list[str]]:
    lines = [line.split(",") for line in path.read_text().splitlines() if line.strip()]
    return [[fields[j].strip() for j in COLUMNS] for fields in lines]


def problem_of(table: list[list[str]], k: int) -> Problem:
    coded = [np.unique([row[j] for row in table], return_inverse=True) for j in range(len(COLUMNS))]
    codes = np.stack([code for _, code in coded], axis=1)
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    sizes = tuple(len(values) for values, _ in coded)
    types = RowTypes(rows.astype(np.int32), counts.astype(np.int64), sizes)
    stars = tuple(
        Levels(
            np.stack([np.arange(d), np.zeros(d)]).astype(np.int32),
            np.stack([np.zeros(d), np.ones(d)]).astype(np.int64),
        )
        for d in sizes
    )
    numbers = coded[NUMBER][0].astype(np.int64)
    places = tuple(numbers if j == NUMBER else None for j in range(len(COLUMNS)))
    names = [f"c{j}" for j in range(len(COLUMNS))]
    return Problem(types, stars, Mask().compile(names, [1] * len(COLUMNS)), k, places=places)


def anonypy_on(table: list[list[str]]) -> Callable[[int], int] | None:
    """Return how to count anonypy's parts for a k, or None where it is not installed."""
    try:
        import pandas as pd
        from anonypy.mondrian import Mondrian as Theirs
    except ImportError:
        return None
    names = [f"c{j}" for j in range(len(COLUMNS))]
    frame = pd.DataFrame(table, columns=names)
    for j, name in enumerate(names):
        frame[name] = frame[name].astype(int) if j == NUMBER else frame[name].astype("category")
    theirs = Theirs(frame, names)
    return lambda k: len(theirs.partition(k))


def timed(repeat: int, work: Callable[[], int]) -> tuple[int, float]:
    seconds, found = [], 0
    for _ in range(repeat):
        begun = time.perf_counter()
        found = work()
        seconds.append(time.perf_counter() - begun)
    return found, statistics.median(seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("INCROWD_DATA"), help="folder that holds adult.data")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--ks", default="2,5,10,25,100")
    options = parser.parse_args()
    if not options.data:
        parser.error("say where adult.data lies: --data DIR, or INCROWD_DATA")
    table = rows_of(Path(options.data) / "adult.data")
    theirs = anonypy_on(table)
    if theirs is None:
        print("anonypy is not installed: ours alone (pip install anonypy)")
    warmed()
    print("Adult-2, 32,561 rows x 9")
    print("| k | our parts | cuts s | relaxed cuts s | release and bound s | anonypy parts | s | times |")
    print("|---|---|---|---|---|---|---|---|")
    for k in map(int, options.ks.split(",")):
        problem = problem_of(table, k)
        parts, seconds = timed(options.repeat, lambda p=problem: cut_up(p, relaxed=False, watch=Watch()).count)
        _, loose = timed(options.repeat, lambda p=problem: cut_up(p, relaxed=True, watch=Watch()).count)
        _, whole = timed(options.repeat, lambda p=problem: Mondrian().solve(p, Watch()).plan.classes)
        other, peer = timed(1, lambda k=k: theirs(k)) if theirs else (0, float("nan"))
        print(
            f"| {k} | {parts:,} | {seconds:.3f} | {loose:.3f} | {whole:.3f} | {other:,} | {peer:.2f} "
            f"| {peer / seconds:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
