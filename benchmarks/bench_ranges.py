"""Ranges on a grid: ARX's Adult with age ranged beside eight hierarchies, and one column of a million numbers.

    python benchmarks/bench_ranges.py --data FOLDER [--seconds 60] [--steps 1,2,5]

FOLDER holds ``arx/adult.csv`` and its hierarchies.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import incrowd

COLUMNS = (
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "salary-class",
)  # fmt: skip


def adult(folder: Path, step: int, seconds: float) -> None:
    arx = folder / "arx"
    others = {name: str(arx / f"adult_hierarchy_{name}.csv") for name in COLUMNS if name != "age"}
    begun, used = time.perf_counter(), time.process_time()
    made = incrowd.anonymize(
        arx / "adult.csv", quasi_identifiers=list(COLUMNS), numeric=["age"], hierarchies=others, k=5, delimiter=";",
        recoding="grid", round=step, outliers="suppress", time_limit=seconds, dry_run=True,
    )  # fmt: skip
    print(
        f"Adult, k = 5, step {step}: cost {made.cost:.2f}, bound {made.lower_bound:.2f}, "
        f"gap {(made.cost - made.lower_bound) / made.lower_bound:.1%}, "
        f"{time.perf_counter() - begun:.0f} s, {time.process_time() - used:.0f} CPU s"
    )


def line(rows: int, k: int) -> None:
    from incrowd.tables.solve.ranges.solver import least_steps

    random = np.random.default_rng(1)
    for name, values in (
        ("ages", random.normal(45, 15, rows).astype(np.int64)),
        ("incomes", np.exp(random.normal(10, 1, rows)).astype(np.int64)),
        ("all different", random.permutation(rows)),
    ):
        found, counts = np.unique(values, return_counts=True)
        cell = np.arange(found.size)
        least_steps(cell[:2], cell[:2], cell[:2], np.full(2, k), k, False)
        used = time.process_time()
        cost = least_steps(cell, cell, cell, counts, k, False)
        print(
            f"{rows:,} {name}, {found.size:,} values, k = {k}: {cost:,} steps, {time.process_time() - used:.2f} CPU s"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--steps", default="1,2,5")
    asked = parser.parse_args()
    for k in (5, 100):
        line(1_000_000, k)
    if asked.data:
        for step in asked.steps.split(","):
            adult(asked.data, int(step), asked.seconds)


if __name__ == "__main__":
    main()
