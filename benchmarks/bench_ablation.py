"""What mechanisms of `exact`, `improve` and `matching` are worth: those that a constant switches off, in turn.

    python benchmarks/bench_ablation.py --data DIR [--quick] [--method exact improve matching] [--table NAME ...]
                                        [--k 2 3 5 10] [--off NAME ...] [--seconds 60] [--work 20000] [--seed 0]

DIR (or INCROWD_DATA) holds ``adult.data``, ``cmc.data`` and ``arx/``; Nursery is every combination of its values.
Per table: cost, bound and CPU seconds with everything on, then for each mechanism without it, with the difference in
percent (above 0: dearer, a lower bound, slower - what the mechanism is worth). `improve` makes a fixed number of
moves; its cuts need a time limit and are run with ``--seconds`` (``improve, timed``). Short runs are made three times
(once with ``--quick``), and the fastest counts. Limits count CPU seconds of the process, so that a busy machine does
not change what is measured. The last table says where each mechanism is worth most, and ``*`` where that is under 0.1
% of cost and bound and under 5 % of the time on every table. ``--quick``: small tables, under three minutes.
"""

from __future__ import annotations

import argparse
import itertools
import os
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bench_matching
import numpy as np
from bench_exact import ADULT_2, NAMES_2, USER, pose, read, types_of
from warmed import warmed

from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.mask import Mask
from incrowd.tables.solve.bounds import tuning as bounds
from incrowd.tables.solve.exact import tuning as exact
from incrowd.tables.solve.improve import tuning as improve
from incrowd.tables.solve.matching import tuning as matching
from incrowd.tables.values import Problem, RowTypes

if TYPE_CHECKING:
    from collections.abc import Iterator

# Per method: what is switched off, and how; a string in place of a module is an option of the solver.
OFF: dict[str, dict[str, tuple[Any, dict[str, Any]]]] = {
    "exact": {
        "all cuts": (exact, {"root_rounds": 0, "node_rounds": 0}),
        "cuts below the root": (exact, {"node_rounds": 0}),
        "forgetting cuts": (exact, {"cut_room": 10**9}),
        "strong branching": (exact, {"root_candidates": 1, "least_candidates": 1}),
        "tree before programs": (exact, {"tree_programs": 0}),
        "programs near the bound": (exact, {"program_tries": 0}),
    },
    "improve": {
        "first look": (bounds, {"first_visits": 0}),
        "price rounds but one": (improve, {"price_rounds": 1}),
        "storing everything": (bounds, {"stored_visits": 0}),
        "wide candidates": (improve, {"candidate_reach": 1.0}),
        "chains of rows": (improve, {"chain_length": 0}),
        "draws by reduced cost": (improve, {"draw_rarity": 0.0}),
        "closing when opening": (improve, {"move_odds": (1.0, 0.0, 0.0)}),
        "closing two": (improve, {"move_odds": (0.5, 0.5, 0.0)}),
        "polish": (improve, {"polished_parts": 0}),
    },
    "improve, timed": {
        "cuts": (improve, {"cut_speed": 0.0}),
        "two points of prices": (bounds, {"lattice_points": (1.0,)}),
        "polish": (improve, {"polished_parts": 0}),
    },
    "matching": {
        "equal rows by count": ("solver", {"expand": 1 << 40}),
        "region": (matching, {"region_share": 0.0}),
        "all single cuts": (matching, {"component_rows": 0}),
        "bettering from triples": (matching, {"bettered_rows": 0}),
    },
}
QUICK = {
    "exact": (("CMC, its mask", (3, 10)), ("Adult-2, its mask, 1,000 rows", (3,))),
    "improve": (("CMC", (5,)), ("Adult-2, 1,000 rows", (3,))),
    "improve, timed": (("CMC", (3,)),),
    "matching": (("CMC", (2,)), ("ARX's Adult, levels, 1,000 rows", (2,))),
}
WARM = {"quick": True, "seconds": 5.0, "work": 1000, "seed": 0}
KS = (2, 3, 5, 10)
FULL = {
    "exact": tuple(
        (name, KS)
        for name in (
            "CMC, its mask", "Adult-2, its mask, 1,000 rows", "Nursery, at most 3 stars, 1,000 rows",
            "ARX's Adult, stars, at most 2, 1,000 rows", "Adult-2, its mask",
        )
    ),
    "improve": tuple(
        (name, KS)
        for name in (
            "CMC", "CMC, its mask", "Adult-2, 1,000 rows", "ARX's Adult, levels, 1,000 rows", "Nursery, 1,000 rows",
            "Adult-2",
        )
    ),
    "improve, timed": (("CMC", (3, 5, 10)), ("Adult-2, 1,000 rows", (3, 5, 10)), ("Adult-2", (5,))),
    "matching": tuple(
        (name, (2,))
        for name in (
            "CMC", "CMC, its mask", "Nursery", "ARX's Adult, levels, 1,000 rows", "ARX's Adult, stars", "Adult-2",
            "Adult-2, its mask", "ARX's Adult, levels",
        )
    ),
}  # fmt: skip


def sample(types: RowTypes, rows: int) -> RowTypes:
    """Return so many rows, drawn without replacement."""
    drawn = np.random.default_rng(0).choice(np.repeat(np.arange(types.t), types.counts), rows, replace=False)
    chosen, counts = np.unique(drawn, return_counts=True)
    return RowTypes(types.codes[chosen], counts.astype(np.int64), types.sizes)


def problem_of(folder: Path, name: str, k: int) -> Problem:
    """Return a table by its name: what it is, its mask or costs, and how many rows of it."""
    first, *rest = name.split(", ")
    names, levels, mask = None, None, Mask()
    if first == "CMC":
        types = read(folder / "cmc.data", header=True)
        mask = Mask(max_stars=2) if "its mask" in rest else mask
    elif first == "Adult-2":
        types, names = read(folder / "adult.data", ADULT_2), NAMES_2
        mask = USER if "its mask" in rest else mask
    elif first == "Nursery":
        types = types_of(np.array(list(itertools.product(*map(range, (3, 5, 4, 4, 3, 2, 3, 3))))))
    else:
        table = bench_matching.read(folder / "arx" / "adult.csv", ";", None)
        types, values = bench_matching.types_of(table, list(table))
        if "levels" in rest:
            levels = bench_matching.trees(folder / "arx", list(table), values, False)
    most = next((int(part.split()[2]) for part in rest if part.startswith("at most")), None)
    mask = mask if most is None else Mask(max_stars=most)
    if rest and rest[-1].endswith("rows"):
        types = sample(types, 1000)
    names = names or [f"c{j}" for j in range(types.m)]
    if levels is None:
        return pose(types, names, mask, k)
    return Problem(types, levels, mask.compile(names, [level.height for level in levels]), k, "suppress")


@contextmanager
def tuned(where: Any, changes: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Tune a method otherwise for a while; yield the options its solver takes beside."""
    if where == "solver":
        yield changes
        return
    before = where.DEFAULT
    where.DEFAULT = replace(before, **changes)
    try:
        yield {}
    finally:
        where.DEFAULT = before


def run(method: str, problem: Problem, options: argparse.Namespace, extra: dict[str, Any]) -> tuple[int, int, float]:
    """Return cost, bound and CPU seconds."""
    timed = method != "improve"
    own = {"exact": {}, "matching": {}, "improve": {"work": options.work, "seed": options.seed}}
    solver = load("solvers", method.split(",")[0])(**own.get(method, {"seed": options.seed}), **extra)
    fastest = np.inf
    for _ in range(1 if "timed" in method or options.quick else 3):
        watch = Watch(started=time.process_time())
        if timed:
            watch.limit(options.seconds)
        begun = time.process_time()
        solution = solver.solve(problem, watch)
        spent = time.process_time() - begun
        fastest = min(fastest, spent)
        if spent > 2.0:
            break
    return solution.plan.cost(problem), solution.bound.value, fastest


def percent(now: float, before: float) -> float:
    """Return how much more one is than the other."""
    return 100 * (now - before) / before if before else 0.0


def main() -> None:
    """Print one line per method, table, k and mechanism, and what each is worth at most."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("INCROWD_DATA"), help="folder with the tables")
    parser.add_argument("--method", nargs="+", default=list(OFF), choices=list(OFF))
    parser.add_argument("--table", nargs="+", help="tables whose name begins so")
    parser.add_argument("--k", nargs="+", type=int)
    parser.add_argument("--off", nargs="+", help="mechanisms to switch off (default: every one)")
    parser.add_argument("--seconds", type=float, help="CPU seconds of a run with a time limit (60; 5 with --quick)")
    parser.add_argument("--work", type=int, help="moves of `improve` (20,000; 5,000 with --quick)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="small tables, under three minutes")
    options = parser.parse_args()
    if options.data is None:
        parser.error("say where the tables are: --data DIR, or INCROWD_DATA")
    options.data = Path(options.data)
    options.seconds = options.seconds or (5.0 if options.quick else 60.0)
    options.work = options.work or (5000 if options.quick else 20_000)
    warmed()
    time.perf_counter = time.process_time  # watches and solvers count CPU seconds from here on
    for method in dict.fromkeys(
        method.split(",")[0] for method in options.method
    ):  # whatever is compiled or loaded once
        run(method, problem_of(options.data, "CMC, at most 1 star", 2), argparse.Namespace(**WARM), {})
    worth: dict[tuple[str, str], list[tuple[float, float, float]]] = {}
    print("| method | table | k | without | cost | bound | CPU s | cost % | bound % | time % |", flush=True)
    print("|---|---|---|---|---|---|---|---|---|---|")
    for method in options.method:
        for table, ks in (QUICK if options.quick else FULL)[method]:
            if options.table and not table.startswith(tuple(options.table)):
                continue
            for k in ks:
                if options.k and k not in options.k:
                    continue
                problem = problem_of(options.data, table, k)
                cost, bound, seconds = run(method, problem, options, {})
                print(f"| {method} | {table} | {k} | - | {cost:,} | {bound:,} | {seconds:.2f} | | | |", flush=True)
                for name, (where, changes) in OFF[method].items():
                    if options.off and name not in options.off:
                        continue
                    with tuned(where, changes) as extra:
                        found = run(method, problem, options, extra)
                    lost = percent(found[0], cost), percent(bound, found[1]), percent(found[2], seconds)
                    worth.setdefault((method, name), []).append(lost)
                    print(
                        f"| {method} | {table} | {k} | {name} | {found[0]:,} | {found[1]:,} | {found[2]:.2f} "
                        f"| {lost[0]:+.2f} | {lost[1]:+.2f} | {lost[2]:+.0f} |",
                        flush=True,
                    )
    print("\n| method | mechanism | cost %: most, mean | bound %: most, mean | time %: most, median | |")
    print("|---|---|---|---|---|---|")
    for (method, name), lost in worth.items():
        each = np.array(lost)
        most, mean = each.max(axis=0), each.mean(axis=0)
        little = "*" if most[0] < 0.1 and most[1] < 0.1 and (most[2] < 5 or "timed" in method) else ""
        print(
            f"| {method} | {name} | {most[0]:+.2f}, {mean[0]:+.2f} | {most[1]:+.2f}, {mean[1]:+.2f} "
            f"| {most[2]:+.0f}, {np.median(each[:, 2]):+.0f} | {little} |"
        )


if __name__ == "__main__":
    main()
