"""How long the models take, and what they lose: the check of a release on millions of rows, and Adult under l and t.

Run ``python benchmarks/bench_models.py [--rows N] [--data FOLDER] [--seconds S]`` (or set INCROWD_DATA); for a part
``--only search --case "adult-2 5 l=3"``, and ``--processor-time`` where the machine is shared. The check: a
made-up release of N rows (default 10 million) in text, six quasi-identifiers, about 30,000 classes, a sensitive column
of 15 values; one GROUP BY over the quasi-identifiers beside the recount of k, of every kind of l, and of t with the
equal, ordered and hierarchical distance, all in one call. The heuristic: Adult without fnlwgt and the paper's nine
columns, one of them sensitive; then ARX's Adult with its nine hierarchies (the folder `arx` beside it), the heuristic
alone and with the time for its bound. The search: CMC and Adult, the release after the greedy, the moves and the
integer programs over neighbourhoods, each with all that its mechanism gained; and the bound of a row alone, of k's
prices and of the requirements' prices. The bound after cuts is "-": the search has no cuts, and those of `exact` stand
in the programs of its components, which end with an optimum or a bound of their own. Prints one JSON line per case.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import time
from pathlib import Path

import ibis
import numpy as np
import pyarrow as pa

from incrowd import LDiversity, TCloseness, anonymize
from incrowd.errors import Infeasible
from incrowd.jobs.prepare import prepare
from incrowd.policy.job import Job
from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.improve import Improve
from incrowd.tables.verify.release.groups import Rules, alike_rows, recount_classes
from incrowd.tables.verify.release.requirements import recount_requirements

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
ADULT2 = [
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
VALUES = 15


def made_up(rows: int) -> pa.Table:
    random = np.random.default_rng(0)
    sizes = (8, 5, 9, 7, 4, 3)
    columns = {}
    for j, size in enumerate(sizes):
        names = pa.array([f"value {i} of {j}" for i in range(size)])
        codes = pa.array(random.integers(0, size, rows).astype(np.int32))
        columns[f"c{j}"] = pa.DictionaryArray.from_arrays(codes, names).cast(pa.string())
    share = 1 / np.arange(1, VALUES + 1)
    drawn = pa.array(random.choice(VALUES, rows, p=share / share.sum()).astype(np.int32))
    columns["s"] = pa.DictionaryArray.from_arrays(drawn, pa.array([f"{i}" for i in range(VALUES)])).cast(pa.string())
    return pa.table(columns)


def check(rows: int) -> None:
    with Engine() as engine:
        table = engine.put(made_up(rows))
        cells = [f"c{j}" for j in range(6)]
        lines = [(str(i), f"half {i % 2}", "*") for i in range(VALUES)]
        models = [
            LDiversity(2, "s"),
            LDiversity(2, "s", kind="distinct"),
            LDiversity(2, "s", kind="entropy"),
            LDiversity(2, "s", kind="recursive", c=3),
            TCloseness("0.2", "s"),
            TCloseness("0.2", "s", distance="ordered"),
            TCloseness("0.2", "s", distance="hierarchical", hierarchy=lines),
        ]
        rules = Rules(k=5, outliers="forbid", mask={}, names=tuple(cells), weights={})
        grouping, checking = [], []
        for _ in range(3):
            begun = time.perf_counter()
            grouped = table.group_by(cells).aggregate(n=lambda r: r.count())
            classes = engine.one(grouped.aggregate(classes=grouped.count(), small=(grouped.n < ibis.literal(5)).sum()))
            grouping.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            lines = alike_rows(engine, table, [*cells, "s"])
            recount_classes(engine, lines, cells, [lines[name] == "*" for name in cells], rules)
            violations, _ = recount_requirements(engine, table, lines, cells, {"s": ("s", "s")}, models)
            checking.append(time.perf_counter() - begun)
        facts = {
            "case": "check", "rows": rows, "classes": classes["classes"],
            "group_by_seconds": round(min(grouping), 3), "check_seconds": round(min(checking), 3),
            "ratio": round(min(checking) / min(grouping), 2), "violations": [v.count for v in violations],
        }  # fmt: skip
        print(json.dumps(facts), flush=True)


def heuristic(folder: Path) -> None:
    cases = [
        ("occupation", {"l": 2}),
        ("occupation", {"t": "0.2"}),
        ("occupation", {"l": 2, "t": "0.2"}),
        ("salary-class", {"require": "l-diversity l=2 column=salary-class kind=distinct"}),
        ("salary-class", {"l": 2}),
    ]
    Greedy().solve(posed(folder, "occupation", {"l": 2}), Watch())  # compiles
    for secret, asked in cases:
        problem = posed(folder, secret, asked)
        begun, spent = time.perf_counter(), time.process_time()
        facts = {"case": "adult-2", "sensitive": secret, **asked, "k": 5, "row_types": problem.types.t}
        try:
            found = Greedy().solve(problem, Watch())
            facts |= {"cost": found.plan.cost(problem), "lower_bound": found.bound.value, "groups": found.plan.classes}
        except Infeasible as error:
            facts |= {"infeasible": error.requirement, "proven": error.proven}
        facts |= {
            "seconds": round(time.perf_counter() - begun, 2),
            "processor_seconds": round(time.process_time() - spent, 2),
        }
        print(json.dumps(facts), flush=True)


# Columns of ARX's Adult in the order of its file; ties are broken by the order.
ARX = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "salary-class"]
HIERARCHIES = [
    ("occupation", "l-diversity l=3 column=occupation kind=distinct"),
    ("education", "t-closeness t=0.2 column=education distance=ordered"),
    ("salary-class", "t-closeness t=0.2 column=salary-class distance=equal"),
    ("salary-class", "beta-likeness beta=1 column=salary-class"),
]


def hierarchies(folder: Path, seconds: float) -> None:
    """ARX's Adult, the eight columns beside the sensitive one, k = 5, fully suppressed outliers allowed."""
    for secret, asked in HIERARCHIES:
        quasi = [name for name in ARX if name != secret]
        settings = {
            "quasi_identifiers": quasi, "sensitive": [secret], "k": 5, "outliers": "suppress", "require": asked,
            "hierarchies": {name: str(folder / f"adult_hierarchy_{name}.csv") for name in quasi},
        }  # fmt: skip
        for solver, limit in (("greedy", None), ("auto", seconds)):
            spent = time.process_time()
            with anonymize(folder / "adult.csv", **settings, solver=solver, time_limit=limit) as release:
                facts = {
                    "case": "arx adult", "require": asked, "solver": solver, "time_limit": limit,
                    "cost": round(release.cost, 1), "lower_bound": round(release.lower_bound, 1),
                    "proof": release.proof, "status": release.status,
                    "processor_seconds": round(time.process_time() - spent, 1),
                }  # fmt: skip
            print(json.dumps(facts), flush=True)


CMC = [
    "wife_age", "wife_education", "husband_education", "children_born", "wife_religion", "wife_working",
    "husband_occupation", "SOL_index", "media_exposure", "contraceptive_method_use",
]  # fmt: skip
SEARCHED = [
    ("cmc", 5, {"l": 2}),
    ("cmc", 5, {"t": "0.2"}),
    ("cmc", 5, {"require": "t-closeness t=0.2 column=contraceptive_method_use distance=ordered"}),
    ("cmc", 5, {"l": 2, "outliers": "forbid"}),
    ("cmc", 5, {"t": "0.2", "outliers": "forbid"}),
    ("cmc", 2, {"t": "0.1"}),
    ("adult-2", 5, {"l": 2}),
    ("adult-2", 5, {"l": 3}),
    ("adult-2", 5, {"t": "0.3"}),
]


def search(folder: Path, seconds: float, case: str) -> None:
    """Print what each mechanism gains over the one before, and bounds, within a time limit."""
    for name, k, asked in SEARCHED:
        words = " ".join([name, str(k), *(f"{key}={value}" for key, value in asked.items())])
        if case not in words:
            continue
        suppressed = {"outliers": "suppress", **asked, "k": k}
        problem = cmc(folder, suppressed) if name == "cmc" else posed(folder, "occupation", suppressed)
        spent = time.process_time()
        told = []
        watch = Watch(lambda event, told=told: told.append(event.facts))
        watch.limit(seconds)
        first = Greedy().solve(problem, Watch())
        greedy = round(time.process_time() - spent, 1)
        found = Improve().go_on(problem, watch, first)
        cost, bound, scale = found.plan.cost(problem), found.bound.value, problem.scale
        of_k = [facts["lower_bound"] for facts in told if facts.get("of") == "k alone"]
        gained = gains(first.plan.cost(problem), cost, told)
        moved = first.plan.cost(problem) - gained["moves"]
        facts = {
            "case": words, **suppressed, "time_limit": seconds, "greedy": first.plan.cost(problem) / scale,
            "moves": moved / scale, "programs": cost / scale,
            "bound_per_row": first.bound.value / scale, "bound_of_k": max(of_k, default=0) / scale,
            "bound_of_requirements": bound / scale, "bound_after_cuts": "-",
            "gap": round(cost / max(bound, 1) - 1, 4), "notes": found.notes,
            "greedy_processor_seconds": greedy, "processor_seconds": round(time.process_time() - spent, 1),
        }  # fmt: skip
        print(json.dumps(facts), flush=True)


def gains(first: int, last: int, told: list) -> dict:
    """Return by how much each mechanism made the release cheaper, in scaled cost; the moves also what nobody told."""
    found = {"moves": 0, "programs": 0}
    reached = first
    for facts in told:
        cost = facts.get("cost", reached)
        if cost < reached and "of" in facts:
            found[facts["of"]] += reached - max(cost, last)
            reached = max(cost, last)
    found["moves"] += reached - last
    return found


def cmc(folder: Path, asked: dict) -> object:
    policy = Job().replace(quasi_identifiers=CMC[:-1], sensitive=CMC[-1:], other="drop", **asked).policy
    return prepare(Engine(), folder / "cmc.data", policy, contextlib.nullcontext).problem()


def posed(folder: Path, secret: str, asked: dict) -> object:
    quasi = [name for name in ADULT2 if name != secret]
    job = Job().replace(quasi_identifiers=quasi, sensitive=[secret], k=5, other="drop", header=False, columns=NAMES)
    policy = dataclasses.replace(job, policy=job.replace(**asked).policy).policy
    return prepare(Engine(), folder / "adult.data", policy, contextlib.nullcontext).problem()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--data", default=os.environ.get("INCROWD_DATA"))
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit of the searches")
    parser.add_argument("--only", choices=["check", "heuristic", "search", "hierarchies"], help="one of the parts")
    parser.add_argument("--case", default="", help="only searches whose name holds this")
    parser.add_argument(
        "--processor-time", action="store_true", help="time limits count the seconds of all threads on the processor"
    )
    given = parser.parse_args()
    if given.processor_time:
        time.perf_counter = time.process_time
    parts = [given.only] if given.only else ["check", "heuristic", "search", "hierarchies"]
    if "check" in parts:
        check(given.rows)
    if given.data:
        folder = Path(given.data)
        if "heuristic" in parts:
            heuristic(folder)
        if "search" in parts:
            search(folder, given.seconds, given.case)
        if "hierarchies" in parts:
            hierarchies(folder / "arx", given.seconds)
    elif parts != ["check"]:
        print("no data: give --data or INCROWD_DATA for the heuristic")


if __name__ == "__main__":
    main()
