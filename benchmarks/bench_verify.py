"""How long a stranger needs to pair a release with its original: Adult, and 100,000 rows made from it.

Run ``python benchmarks/bench_verify.py --data FOLDER`` (or set INCROWD_DATA); ``--only NAME`` runs the cases
whose name holds NAME. Releases are made here, by the plain greedy (patterns by number of stars) or, for k = 1,
by starring cells at random, and shuffled; the first, small run warms the compiled loops. Prints one JSON line
per case: seconds of the whole check and of its parts, row kinds, what the join looked at, edges, and what was
found (with one cell changed an assignment may still exist; the class of the changed cell is then short of k).
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import time
from pathlib import Path

import numpy as np
import pyarrow as pa

from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.verify.pairing import assignment, edges
from incrowd.tables.verify.release import pairing
from incrowd.tables.verify.release.groups import Rules

NAMES = (
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation"),
    *("relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week"),
    *("native-country", "salary-class"),
)
ADULT2 = [NAMES[i] for i in (0, 1, 3, 5, 6, 8, 9, 13, 14)]
ADULT = [name for name in NAMES if name != "fnlwgt"]


def adult(folder: Path) -> dict[str, np.ndarray]:
    lines = [line.split(", ") for line in (folder / "adult.data").read_text().splitlines() if line.strip()]
    return {name: np.array(column, object) for name, column in zip(NAMES, zip(*lines, strict=True), strict=True)}


def larger(table: dict[str, np.ndarray], rows: int, noise: float) -> dict[str, np.ndarray]:
    """Draw rows, and redraw each cell from its column with probability `noise`."""
    random = np.random.default_rng(1)
    n = len(table["age"])
    drawn = random.integers(0, n, rows)
    out = {}
    for name, column in table.items():
        cells = column[drawn].copy()
        redraw = random.random(rows) < noise
        cells[redraw] = column[random.integers(0, n, int(redraw.sum()))]
        out[name] = cells
    return out


def greedy(table: dict[str, np.ndarray], quasi: list[str], k: int) -> dict[str, np.ndarray]:
    """Return an honest release: crowds of at least k, few stars first; the rest fully starred."""
    codes = np.stack([np.unique(table[name], return_inverse=True)[1] for name in quasi], axis=1)
    mix = np.random.default_rng(2).integers(1, 2**62, (codes.max() + 1, len(quasi)))
    hashes = np.stack([mix[codes[:, j], j] for j in range(len(quasi))], axis=1)
    starred = np.ones(codes.shape, bool)
    left = np.arange(len(codes))
    for stars in range(len(quasi)):
        for some in itertools.combinations(range(len(quasi)), stars):
            shown = [j for j in range(len(quasi)) if j not in some]
            _, inverse, counts = np.unique(hashes[left][:, shown].sum(axis=1), return_inverse=True, return_counts=True)
            taken = counts[inverse] >= k
            starred[np.ix_(left[taken], shown)] = False
            left = left[~taken]
            if not left.size:
                break
    out = {name: table[name].copy() for name in table}
    for j, name in enumerate(quasi):
        out[name][starred[:, j]] = "*"
    return out


def at_random(table: dict[str, np.ndarray], quasi: list[str]) -> dict[str, np.ndarray]:
    """Star every cell by itself with probability 1/2: all patterns in use and much to choose."""
    random = np.random.default_rng(4)
    out = {name: column.copy() for name, column in table.items()}
    for name in quasi:
        out[name][random.random(len(out[name])) < 0.5] = "*"
    return out


def run(name: str, table: dict[str, np.ndarray], quasi: list[str], k: int, tamper: bool = False) -> None:
    released = greedy(table, quasi, k) if k > 1 else at_random(table, quasi)
    order = np.random.default_rng(3).permutation(len(table[quasi[0]]))
    released = {column: cells[order] for column, cells in released.items()}
    if tamper:  # one shown cell becomes another value of its column
        column = next(c for c in quasi if len(set(released[c])) > 2)
        shown = np.flatnonzero(released[column] != "*")
        cell = released[column][shown[0]]
        released[column][shown[0]] = next(other for other in released[column] if other not in ("*", cell))
    sizes: dict[str, int] = {}
    seconds: dict[str, float] = {}

    def timed(module: object, function: str) -> None:
        plain = getattr(module, function)

        def wrapped(*args: object, **more: object) -> object:
            begin = time.perf_counter()
            answer = plain(*args, **more)
            seconds[function] = round(seconds.get(function, 0) + time.perf_counter() - begin, 2)
            if function == "edges":
                fit = args[0]
                sizes.update(
                    kinds=len(fit.original.rows), released_kinds=len(fit.released.rows), probes=fit.probes,
                    edges=int(answer.start[-1]),
                )  # fmt: skip
            return answer

        setattr(module, function, wrapped)
        undo.append((module, function, plain))

    undo: list[tuple[object, str, object]] = []
    timed(pairing, "coded")
    timed(assignment, "unmet")
    timed(pairing, "recount_classes")
    timed(pairing, "recount_loss")
    timed(edges.Fit, "edges")
    roles = Roles(quasi_identifiers=tuple(quasi))
    rules = Rules(k=k, outliers="suppress", mask={}, names=tuple(quasi), weights={})
    with Engine() as engine:
        one = open_source(engine, pa.table({c: list(v) for c, v in table.items()}), Reading())
        two = open_source(engine, pa.table({c: list(v) for c, v in released.items()}), Reading())
        begin = time.perf_counter()
        found = pairing.verify_tables(engine, one, two, roles, rules, text=quasi, star="*")
        total = round(time.perf_counter() - begin, 2)
    for module, function, plain in undo:
        setattr(module, function, plain)
    rules_found = {v.rule: v.count for v in found}
    print(json.dumps({"case": name, "k": k, "seconds": total, **sizes, "parts": seconds, "found": rules_found}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("INCROWD_DATA"), help="folder that holds adult.data")
    parser.add_argument("--only", help="run only the cases whose name holds this")
    asked = parser.parse_args()
    if not asked.data:
        parser.error("name the data folder with --data or INCROWD_DATA")
    whole = adult(Path(asked.data))
    two = {name: whole[name] for name in ADULT2}
    big = larger(two, 100_000, 0.1)
    kept = larger({name: whole[name] for name in [*ADULT2, "relationship", "education-num"]}, 100_000, 0.1)
    numbered = {**big, "number": np.array([str(i) for i in range(100_000)], object)}
    run("warm", {name: cells[:500] for name, cells in two.items()}, ADULT2, 5)
    cases = [
        (f"{name} k={k}{' tampered' if tamper else ''}", table, quasi, k, tamper)
        for name, table, quasi in (
            ("adult2", two, ADULT2),
            ("large", big, ADULT2),
            ("large others", kept, ADULT2),
            ("large unique", numbered, ADULT2),
            ("adult", {name: whole[name] for name in ADULT}, ADULT),
        )
        for k in (1, 2, 10, 100)
        for tamper in (False, True)
    ]
    for name, table, quasi, k, tamper in cases:
        if asked.only is None or asked.only in name:
            run(name, table, quasi, k, tamper)


if __name__ == "__main__":
    main()
