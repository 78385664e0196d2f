"""How long optimal 2-anonymity takes: real tables, ARX's hierarchies, random tables, and a larger one.

Run ``python benchmarks/bench_matching.py --data FOLDER`` (or set INCROWD_DATA); ``--only NAME`` runs the cases whose
name begins so. Prints one JSON line per case: core rows, bounds and costs on the way, CPU seconds (compiled code
warm: a small table runs first) of the solver and of the independent recheck of its certificate, and the peak memory of
the process so far.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import os
import resource
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.check.matching import proven_by_matching
from incrowd.progress import Event, Watch
from incrowd.tables.mask import Mask
from incrowd.tables.solve.matching import optimal_classes
from incrowd.tables.values import Levels, RowTypes
from incrowd.tables.verify.recount import AnyMask, Compiled, Table, told_apart

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = [
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "salary-class",
]
ADULT = [name for name in NAMES if name != "fnlwgt"]
ADULT_2 = [
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
    "salary-class",
]
USER = Mask(
    max_stars=2,
    keep=["education", "salary-class"],
    together=[["workclass", "occupation"]],
    at_most_one=[["age", "sex", "race"]],
)


def read(path: Path, delimiter: str, names: list[str] | None) -> dict[str, list[str]]:
    with path.open() as lines:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter) if row]
    if names is None:
        names, rows = rows[0], rows[1:]
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def types_of(table: dict[str, list[str]], columns: list[str]) -> tuple[RowTypes, list[list[str]]]:
    values, codes = [], []
    for name in columns:
        found, back = np.unique(np.array(table[name]), return_inverse=True)
        values.append(found.tolist())
        codes.append(back)
    return packed(np.stack(codes, axis=1), tuple(map(len, values))), values


def packed(codes: np.ndarray, sizes: tuple[int, ...]) -> RowTypes:
    rows, counts = np.unique(codes, axis=0, return_counts=True)
    return RowTypes(np.ascontiguousarray(rows, dtype=np.int32), counts.astype(np.int64), sizes)


def stars(sizes: tuple[int, ...]) -> tuple[Levels, ...]:
    return tuple(
        Levels(
            np.stack([np.arange(d, dtype=np.int32), np.zeros(d, np.int32)]),
            np.stack([np.zeros(d, np.int64), np.ones(d, np.int64)]),
        )
        for d in sizes
    )


def trees(folder: Path, columns: list[str], values: list[list[str]], loss: bool) -> tuple[Levels, ...]:
    """ARX's hierarchies: a cell costs 12 level / height, or round(1000 (leaves - 1) / (all leaves - 1))."""
    levels = []
    for name, leaves in zip(columns, values, strict=True):
        with (folder / f"adult_hierarchy_{name}.csv").open() as lines:
            paths = {row[0]: row for row in csv.reader(lines, delimiter=";") if row}
        height = len(next(iter(paths.values()))) - 1
        up = np.zeros((height + 1, len(leaves)), np.int32)
        cost = np.zeros((height + 1, len(leaves)), np.int64)
        for level in range(height + 1):
            shown = [paths[leaf][level] for leaf in leaves]
            up[level] = np.unique(shown, return_inverse=True)[1] if level else np.arange(len(leaves))
            below = [path[level] for path in paths.values()]
            if level:
                cost[level] = [
                    round(1000 * (below.count(x) - 1) / (len(paths) - 1)) if loss else 12 * level // height
                    for x in shown
                ]
        levels.append(Levels(up, cost))
    return tuple(levels)


def cases(folder: Path) -> Iterator[tuple[str, Any]]:
    def cmc(mask: Mask | None = None, diverse: bool = False) -> Any:
        table = read(folder / "cmc.data", ",", None)
        types, _ = types_of(table, list(table))
        sens = None
        if diverse:
            sens = types.codes[:, 9:]
            types = RowTypes(np.ascontiguousarray(types.codes[:, :9]), types.counts, types.sizes[:9])
        return types, stars(types.sizes), mask, None, sens

    def adult(columns: list[str], mask: Mask | None = None) -> Any:
        types, _ = types_of(read(folder / "adult.data", ",", NAMES), columns)
        return types, stars(types.sizes), mask, columns, None

    def arx(loss: bool | None) -> Any:
        table = read(folder / "arx" / "adult.csv", ";", None)
        types, values = types_of(table, list(table))
        levels = stars(types.sizes) if loss is None else trees(folder / "arx", list(table), values, loss)
        return types, levels, None, None, None

    def nursery() -> Any:
        sizes = (3, 5, 4, 4, 3, 2, 3, 3)
        return packed(np.array(list(itertools.product(*map(range, sizes)))), sizes), stars(sizes), None, None, None

    def drawn(m: int, d: int, n: int, seed: int) -> Any:
        codes = np.random.default_rng(seed).integers(0, d, (n, m))
        return packed(codes, (d,) * m), stars((d,) * m), None, None, None

    def large(n: int) -> Any:
        """Adult-2 drawn with replacement, a fifth of the cells drawn anew from their column."""
        codes = np.repeat(*_adult2())
        random = np.random.default_rng(1)
        out = codes[random.integers(0, len(codes), n)]
        for j in range(codes.shape[1]):
            anew = random.random(n) < 0.2
            out[anew, j] = codes[random.integers(0, len(codes), int(anew.sum())), j]
        types = packed(out, tuple(int(x) + 1 for x in out.max(axis=0)))
        return types, stars(types.sizes), None, None, None

    def _adult2() -> tuple[np.ndarray, np.ndarray, int]:
        types, _ = types_of(read(folder / "adult.data", ",", NAMES), ADULT_2)
        return types.codes, types.counts, 0

    yield "warm", cmc
    yield "cmc", cmc
    yield "cmc, at most 2 stars", lambda: cmc(Mask(max_stars=2))
    yield "cmc, 9 columns, 2-diverse", lambda: cmc(diverse=True)
    yield "nursery", nursery
    yield "adult-2", lambda: adult(ADULT_2)
    yield "adult-2, user mask", lambda: adult(ADULT_2, USER)
    yield "adult", lambda: adult(ADULT)
    yield "arx, suppression", lambda: arx(None)
    yield "arx, levels", lambda: arx(False)
    yield "arx, leaves", lambda: arx(True)
    for m, d, n in ((5, 10, 10_000), (10, 4, 3_001), (10, 4, 10_000)):
        for seed in (0, 1):
            yield f"random {m} x {d}, n = {n}, seed {seed}", lambda m=m, d=d, n=n, s=seed: drawn(m, d, n, s)
    yield "large, 100,000 rows", lambda: large(100_000)


def run(name: str, case: Any) -> None:
    types, levels, mask, columns, sens = case()
    names = columns or [f"c{j}" for j in range(types.m)]
    patterns = (mask or Mask()).compile(names, [level.height for level in levels])
    began, wall = time.process_time(), time.perf_counter()
    quick: dict[str, float] = {}

    def hear(event: Event) -> None:
        if "cost" in event.facts:
            quick.setdefault("quick_seconds", round(time.process_time() - began, 2))

    result = optimal_classes(types.codes, types.counts, levels, patterns, sens=sens, watch=Watch(hear))
    solved, wall = time.process_time() - began, time.perf_counter() - wall
    began = time.process_time()
    table = Table(
        codes=types.codes, counts=types.counts, levels=levels, mask=AnyMask(patterns.allows), k=2, outliers="forbid",
        scale=1, more={"secret": None if sens is None else told_apart(sens)},
    )  # fmt: skip
    proven = proven_by_matching(Compiled(table), {"matching": result.certificate.as_dict()})
    print(
        json.dumps(
            {
                "case": name, "rows": types.n, "cost": result.cost, "bound": result.bound, "recheck": proven,
                "optimal": result.optimal, **result.steps, **quick, "seconds": round(solved, 2),
                "wall": round(wall, 2), "recheck_seconds": round(time.process_time() - began, 2),
                "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            }
        ),
        flush=True,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("INCROWD_DATA"))
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if options.data is None:
        parser.error("say with --data where the tables are")
    for name, case in cases(Path(options.data)):
        if name == "warm":
            run(name, lambda case=case: case())
            run(name, lambda: cases_of(options.data, "cmc, at most 2 stars"))
            run(name, lambda: cases_of(options.data, "arx, levels", stop=400))
        elif name.startswith(options.only) and (options.only or not name.startswith("large")):
            run(name, case)


def cases_of(folder: Path, name: str, stop: int | None = None) -> Any:
    """Return a case by name, cut to its first types."""
    types, levels, *rest = dict(cases(Path(folder)))[name]()
    if stop is not None:
        types = RowTypes(types.codes[:stop], types.counts[:stop], types.sizes)
    return types, levels, *rest


if __name__ == "__main__":
    main()
