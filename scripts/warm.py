"""Compile everything that compiles, once: the kernels, a process a core, and those of the check."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor

import pyarrow as pa

import incrowd
from incrowd.kernels import warm, warmable
from incrowd.loops import forced
from incrowd.tables.models.t_closeness import TCloseness


def _warm_one(name: str) -> None:
    warm([name])


def main() -> None:
    """Warm all kernels; the compiled code stays in the package's folder or the user's cache."""
    names = warmable()
    with ProcessPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:
        list(pool.map(_warm_one, names))
    with forced("compiled"):
        _warm_checks()
    print(f"compiled: {', '.join(names)} and the check")


def _warm_checks() -> None:
    table = pa.table({"a": ["x", "x", "y", "z"], "b": ["p", "p", "q", "q"]})
    for k in (2, 3):
        with incrowd.anonymize(table, quasi_identifiers=["a", "b"], k=k, time_limit=1) as release:
            if incrowd.verify(table, release.table, release.job, certificate=release.certificate()):
                raise SystemExit("a tiny release did not verify")
    any_metric = TCloseness(1, "b", distance=[[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    table = table.set_column(1, "b", pa.array(["p", "q", "q", "r"]))
    nothing = {
        "certificate": "incrowd k-anonymity bound", "version": 2, "rows": 4, "row_types": 4, "k": 1,
        "outliers": "forbid", "scale": 1, "cost": 0, "lower_bound": 0, "lower_bound_checked": 0,
        "proof": "certificate", "requirements": [any_metric.rule], "parts": 1, "prices": [0] * 4, "whole_below": 1,
        "multipliers": [],
    }  # fmt: skip
    if incrowd.verify(table, table, quasi_identifiers=["a"], k=1, require=[any_metric], certificate=nothing):
        raise SystemExit("a tiny table did not verify as its own release")


if __name__ == "__main__":
    main()
