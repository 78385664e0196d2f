"""How far solving and bounding run over a time limit: tables of every shape, every solver by name, networks.

    python benchmarks/bench_limits.py [--cases distinct,wide] [--solvers auto,greedy] [--limits 1,5] [--scale 0.1]

Everything is made up; `--scale` multiplies the sizes below. A table is read and grouped once, and every cell solves it
in a forked process of its own, with the kernels loaded that a tiny table needs (`--cold`: none). A line per cell: row
types or edges, wall seconds over the limit, CPU seconds that were worked after the limit, what is allowed (10 % of the
limit and 1 s per million row types or edges begun), how it ended, the seconds of ``--json``, the cost. Where other work
shares the machine the wall says little: LATE marks a cell whose CPU seconds after the limit are over what is allowed,
late one whose wall alone is.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import os
import resource
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from network_families import make

from incrowd import Hierarchy, networks, registry
from incrowd.errors import IncrowdError
from incrowd.jobs.prepare import prepare
from incrowd.jobs.shares import Clock
from incrowd.jobs.solver_choice import solve
from incrowd.policy.job import Job
from incrowd.policy.questions import complete
from incrowd.progress import Watch
from incrowd.tables.engine.open import open_engine

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from incrowd.tables.recoding.protocol import Recoding
    from incrowd.tables.values import Problem

PATIENCE = 120.0  # seconds after the limit at which a cell is ended


@dataclass(frozen=True)
class Case:
    """A table made up, and what is asked of it."""

    make: Callable[[int, np.random.Generator], dict[str, Any]]
    rows: int
    asked: dict[str, Any]


def columns(count: int, values: int, skew: float = 1.0) -> Callable[[int, np.random.Generator], dict[str, Any]]:
    """Return a maker of independent columns; skew above 1 makes small values more frequent."""

    def make(rows: int, random: np.random.Generator) -> dict[str, Any]:
        drawn = (random.random((count, rows)) ** skew * values).astype(np.int64)
        return {f"c{j}": column for j, column in enumerate(drawn)}

    return make


def distinct(rows: int, _: np.random.Generator) -> dict[str, Any]:
    """Make one column of different values."""
    return {"c0": np.arange(rows)}


def sensitive(make: Callable[..., dict[str, Any]], values: int) -> Callable[..., dict[str, Any]]:
    """Return a maker of the same columns and one more, of which few values are frequent."""
    return lambda rows, random: {**make(rows, random), "s": (random.random(rows) ** 2 * values).astype(np.int64)}


def tree(leaves: int) -> Hierarchy:
    """Return a hierarchy of numbers: tens, hundreds and so on up to a star."""
    depth = math.ceil(math.log10(leaves))
    return Hierarchy(lines=[(str(i), *(f"{i // 10**h}{'x' * h}" for h in range(1, depth)), "*") for i in range(leaves)])


SUPPRESS = {"outliers": "suppress"}
CASES = {
    "distinct": Case(distinct, 200_000, {"k": 2}),
    "distinct-3": Case(distinct, 200_000, {"k": 3}),
    "pairs": Case(columns(3, 80, 2), 200_000, {"k": 2}),
    "wide": Case(columns(60, 3), 3_000, {"k": 5}),
    "patterns": Case(columns(14, 12, 3), 30_000, {"k": 50}),
    "types": Case(columns(9, 40, 1.5), 1_000_000, {"k": 5, "max_stars": 3, **SUPPRESS}),
    "leaves": Case(columns(2, 100_000), 200_000, {"k": 5, "hierarchies": {"c0": tree}}),
    "diverse": Case(sensitive(columns(8, 10, 2), 12), 30_000, {"k": 5, "l": 3, "sensitive": ["s"]}),
    "close": Case(sensitive(columns(8, 10, 2), 12), 30_000, {"k": 5, "t": "0.2", "sensitive": ["s"]}),
    "small": Case(columns(4, 5), 200, {"k": 3}),
    "nested": Case(columns(3, 60), 100_000, {"k": 3, "patterns": [[], ["c0"], ["c0", "c1"], ["c0", "c1", "c2"]]}),
    "small-2": Case(columns(4, 5), 150, {"k": 2}),
    "tiny": Case(columns(3, 3), 14, {"k": 2}),
}
NETWORKS = {"profile": {}, "anonymity": {"attackers": 2}, "risks": {"attackers": 2}}
EDGES, LEAVES = 10_000_000, 100_000


def pose(case: Case, scale: float) -> tuple[Problem, Recoding]:
    """Return the problem of a case, and how it is recoded."""
    rows = max(int(case.rows * scale), 10)
    made = case.make(rows, np.random.default_rng(0))
    table = pa.table({name: pa.array(np.asarray(column)).cast(pa.string()) for name, column in made.items()})
    asked = dict(case.asked)
    if "hierarchies" in asked:
        leaves = max(int(LEAVES * scale), 10)
        asked["hierarchies"] = {name: grow(leaves) for name, grow in asked["hierarchies"].items()}
        table = table.set_column(0, "c0", pa.array([str(int(v) % leaves) for v in made["c0"]]))
    job = Job().replace(source=table, quasi_identifiers=[name for name in made if name != "s"], **asked)
    with open_engine(job.engine, job.memory, job.source) as engine:
        prepared = prepare(engine, table, complete(job.policy), Clock(Watch()))
        return prepared.problem(), prepared.fitted.recoding


def cell(begin: Callable[[], None], problem: Problem, recoding: Recoding, solver: str, limit: float) -> dict[str, Any]:
    """Solve once within a limit; the facts of the run."""
    begin()
    began = time.perf_counter()
    facts: dict[str, Any] = {}
    try:
        found = solve(problem, Job(solver=solver, time_limit=limit), recoding, Watch())
        wall, spent = time.perf_counter() - began, time.process_time()
        facts |= {"status": found.status, "cost": found.plan.cost(problem), "bound": found.bound.value}
        facts |= {name: round(value, 2) for name, value in found.seconds.items()}
    except IncrowdError as error:
        wall, spent = time.perf_counter() - began, time.process_time()
        facts |= {"status": type(error).__name__, "why": str(error)}
    return {"wall": wall, "cpu": spent, **facts}


def network(begin: Callable[[], None], graph: networks.Graph, question: str, limit: float) -> dict[str, Any]:
    """Ask one question about a network within a limit."""
    begin()
    began = time.perf_counter()
    found: Any = getattr(networks, question)(graph, time_limit=limit, **NETWORKS[question])
    status = "proven" if getattr(found, "optimal", False) else "interval"
    return {"wall": time.perf_counter() - began, "cpu": time.process_time(), "status": status}


def apart(limit: float, memory: float, work: Callable[..., dict[str, Any]], *words: Any) -> dict[str, Any]:
    """Run a function in a forked process that is ended long after the limit."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_told, args=(there, memory, work, *words))
    process.start()
    there.close()
    facts: dict[str, Any] = {"wall": math.nan, "cpu": math.nan, "status": "ENDED"}
    at_limit = 0.0
    try:
        here.recv()  # it begins now
        if not here.poll(limit):
            at_limit = cpu_of(process.pid or 0)
        if here.poll(PATIENCE):
            facts = here.recv()
            facts["after"] = max(facts["cpu"] - at_limit, 0.0) if at_limit else 0.0
        else:
            facts["after"] = cpu_of(process.pid or 0) - at_limit
    except EOFError:
        facts["status"] = "DIED"
    process.kill()
    process.join()
    return {"after": math.nan, **facts}


def cpu_of(process: int) -> float:
    """Return the CPU seconds of a process, all its threads together."""
    told = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")


def _told(pipe: Connection, memory: float, work: Callable[..., dict[str, Any]], *words: Any) -> None:
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (int(memory * 2**30),) * 2)
    try:
        facts = work(lambda: pipe.send(None), *words)
    except MemoryError:
        facts = {"wall": math.nan, "cpu": math.nan, "status": "MemoryError"}
    facts |= {"peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024}
    pipe.send(facts)


def show(name: str, solver: str, limit: float, size: int, facts: dict[str, Any]) -> None:
    """Print one cell."""
    allowed = 0.1 * limit + max(1.0, math.ceil(size / 1e6))
    over = facts["wall"] - limit
    late = " LATE" if not facts["after"] <= allowed else " late" if not over <= allowed else ""
    own = {key: facts[key] for key in ("solve", "bound", "cost", "peak_mb") if key in facts}
    print(
        f"{name:15} {solver:17} {limit:4.0f} {size:9} over {over:7.2f} CPU after {facts['after']:7.2f}"
        f" allowed {allowed:4.1f} {facts['status']:12} {json.dumps(own)}{late}",
        flush=True,
    )


def load(solvers: list[str]) -> None:
    """Load what a tiny table needs of every solver."""
    problem, recoding = pose(CASES["tiny"], 1)
    for solver in solvers:
        cell(lambda: None, problem, recoding, solver, 60)


def main() -> None:
    """Run the cells that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(name for name in CASES) + ",networks")
    parser.add_argument("--solvers", default="auto," + ",".join(registry.names("solvers")))
    parser.add_argument("--limits", default="1,5", help="seconds")
    parser.add_argument("--scale", type=float, default=1.0, help="multiplies every size")
    parser.add_argument("--memory", type=float, default=0, help="GiB of addresses that a cell may take")
    parser.add_argument("--cold", action="store_true", help="load no kernels before")
    options = parser.parse_args()
    limits = [float(word) for word in options.limits.split(",")]
    if not options.cold:
        load(options.solvers.split(","))
    for name in options.cases.split(","):
        if name == "networks":
            graph = make("random", max(int(EDGES * options.scale) // 5, 10))
            for question in NETWORKS:
                for limit in limits:
                    facts = apart(limit, options.memory, network, graph, question, limit)
                    show(name, question, limit, graph.edges, facts)
            continue
        problem, recoding = pose(CASES[name], options.scale)
        for solver in options.solvers.split(","):
            for limit in limits:
                facts = apart(limit, options.memory, cell, problem, recoding, solver, limit)
                if facts["status"] == "SolverDeclined":
                    print(f"{name:15} {solver:17} declines in {facts['wall']:.2f} s: {facts['why']}", flush=True)
                    break
                show(name, solver, limit, problem.types.t, facts)


if __name__ == "__main__":
    main()
