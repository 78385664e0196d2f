"""Time one recoding for the whole table on ARX's Adult: the least release over all level vectors, and its recount.

    python benchmarks/bench_lattice.py --data DIR [--repeat 3] [--limits 1,0.05,0.02,0] [--verify]

DIR (or INCROWD_DATA) holds ``arx/adult.csv`` with its hierarchies, as ARX ships them. Eight quasi-identifiers
(salary-class left out), k = 5, cost ``leaves``, fully suppressed outliers allowed. CPU seconds of the solver on the
compressed table, compiled kernels warm; with ``--verify`` also those of ``incrowd verify`` with the certificate.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import time
from pathlib import Path

import incrowd
from incrowd.jobs.anonymize import anonymize
from incrowd.jobs.prepare import prepare
from incrowd.policy.job import Job
from incrowd.progress import Watch
from incrowd.tables.engine.open import open_engine
from incrowd.tables.solve.global_recoding import Lattice

COLUMNS = ("age", "sex", "race", "marital-status", "education", "native-country", "workclass", "occupation")


def job_on(folder: Path, limit: str) -> Job:
    return Job().replace(
        source=folder / "adult.csv", delimiter=";", quasi_identifiers=COLUMNS, k=5, recoding="global",
        hierarchies={name: str(folder / f"adult_hierarchy_{name}.csv") for name in COLUMNS},
        outliers="suppress", suppression_limit=limit,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", default=os.environ.get("INCROWD_DATA"), help="folder that holds arx/adult.csv")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--limits", default="1,0.05,0.02,0")
    parser.add_argument("--verify", action="store_true")
    asked = parser.parse_args()
    if asked.data is None:
        parser.error("say with --data where arx/adult.csv is")
    folder = Path(asked.data) / "arx"
    print(f"{'limit':>6} {'cost':>10} {'suppressed':>10} {'levels':26} {'counted':>8} {'CPU s':>6} {'verify':>7}")
    for limit in asked.limits.split(","):
        job = job_on(folder, limit)
        with open_engine(job.engine, None, job.source) as engine:
            problem = prepare(engine, job.source, job.policy, lambda _: contextlib.nullcontext()).problem()
        Lattice(single=True).solve(problem, Watch())
        times = []
        for _ in range(asked.repeat):
            begun = time.process_time()
            found = Lattice(single=True).solve(problem, Watch())
            times.append(time.process_time() - begun)
        told = dict(found.certificate or {})
        checked = ""
        if asked.verify:
            with anonymize(job) as release:
                begun = time.process_time()
                assert incrowd.verify(job.source, release.table, job, certificate=release.certificate()) == []
                checked = f"{time.process_time() - begun:.1f}"
        cost = found.plan.cost(problem) / problem.scale
        counted = found.notes[0].split()[0]
        print(
            f"{limit:>6} {cost:10,.1f} {told['suppressed_rows']:10,} {told['levels']!s:26} {counted:>8} "
            f"{statistics.median(times):6.2f} {checked:>7}",
            flush=True,
        )


if __name__ == "__main__":
    main()
