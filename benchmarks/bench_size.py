"""Large tables: the whole job beside one GROUP BY and one copy to Parquet by the engine alone.

    python benchmarks/bench_size.py --rows 10000000
    python benchmarks/bench_size.py --rows 50000000 --memory 4GB

The table is made up: 9 text columns with the domain sizes of Adult-2, rows drawn from 200,000 profiles of uneven
weight, one row in ten with one value of another profile. The mask has 50 patterns: at most two stars, three with
three stars, and full suppression. Prints wall and CPU seconds of fresh processes, seconds per stage and the peak of
memory; the engine alone runs before and after the job, and the mean counts.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COMMAND = Path(sys.executable).with_name("incrowd")
SIZES = {"age": 74, "work": 9, "edu": 16, "marital": 7, "job": 15, "race": 5, "sex": 2, "country": 42, "pay": 2}
POLICY = """quasi_identifiers = {names}
k = 5
[mask]
any = [{{ max_stars = 2 }}, {{ patterns = [["age", "job", "country"], ["age", "edu", "work"], ["age", "job", "pay"]] }}]
[job]
solver = "greedy"
"""
MAKE = """
import duckdb, sys
target, rows, sizes, memory = sys.argv[1], int(sys.argv[2]), eval(sys.argv[3]), sys.argv[4]
con = duckdb.connect(config={'memory_limit': memory, 'temp_directory': target + '.spill'})
profile = "(power(hash(i * 7 + 1) / 18446744073709551615.0, 3) * 200000)::bigint"
con.execute(f"create view p as select i, {profile} as who, {profile.replace('* 7 + 1', '* 11 + 3')} as other, "
            "hash(i * 13 + 5) % 90 as moved from range(" + str(rows) + ") r(i)")
cells = []
for j, (name, size) in enumerate(sizes.items()):
    who = f"case when moved = {j} then other else who end"
    draw = f"(power(hash(({who}) * 97 + {j}) / 18446744073709551615.0, 2) * {size})::bigint"
    cells.append(f"'{name}' || lpad(({draw})::varchar, 3, '0') as {name}")
con.execute(f"copy (select {', '.join(cells)}, i % 1000 as note from p) to '{target}' (format parquet)")
"""
FLOOR = """
import duckdb, sys, time
source, target, names, memory = sys.argv[1:]
con = duckdb.connect(config={'memory_limit': memory, 'temp_directory': target + '.spill'})
began = time.perf_counter()
con.execute(f"create table g as select {names}, count(*) n from '{source}' group by all")
con.execute(f"copy (from '{source}') to '{target}' (format parquet)")
print(time.perf_counter() - began, con.execute("select count(*) from g").fetchone()[0])
"""


def run(*words: object) -> tuple[str, float, float]:
    """Run a fresh process; return its output, wall seconds and CPU seconds."""
    began, before = time.perf_counter(), cpu()
    done = subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout, time.perf_counter() - began, cpu() - before


def cpu() -> float:
    """Return the CPU seconds of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Make the table, run the floor and the job, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--memory", default=None, help="limit for the table engine, for example 4GB")
    parser.add_argument("--folder", type=Path, default=None, help="where the tables go (default: a private one)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as private:
        folder = Path(private)
        source, out = folder / "table.parquet", folder / "release.parquet"
        names = ", ".join(SIZES)
        run(sys.executable, "-c", MAKE, source, options.rows, SIZES, options.memory or "8GB")
        print(f"{options.rows:,} rows, {source.stat().st_size / 1e6:.0f} MB of Parquet")
        limit = options.memory or "8GB"
        floors = [run(sys.executable, "-c", FLOOR, source, folder / "copy.parquet", names, limit)]
        (folder / "policy.toml").write_text(POLICY.format(names=json.dumps(list(SIZES))))
        memory = ["--memory", options.memory] if options.memory else []
        job = [
            COMMAND,
            "anonymize",
            source,
            "-o",
            out,
            "--policy",
            folder / "policy.toml",
            "--json",
            "--quiet",
            *memory,
        ]
        said, wall, work = run(*job)
        floors.append(run(sys.executable, "-c", FLOOR, source, folder / "copy.parquet", names, limit))
        floor = sum(float(out.split()[-2]) for out, _, _ in floors) / 2  # before and after: other work disturbs both
        floor_work = sum(used for _, _, used in floors) / 2
        print(f"one GROUP BY and one copy: {floor:.1f} s, CPU {floor_work:.1f} s")
        facts = json.loads(said)
        print(
            f"whole job: {wall:.1f} s = {wall / floor:.1f} times that, "
            f"CPU {work:.1f} s = {work / floor_work:.1f} times, peak {facts['peak_mb']:.0f} MB"
        )
        print({name: round(value, 1) for name, value in facts["seconds"].items()})
        print(f"cost {facts['cost']:,}, bound {facts['lower_bound']:,}, {facts['row_types']:,} row types")
        left = [path.name for path in folder.iterdir() if "spill" in path.name or "part" in path.name]
        print(f"left behind: {left}")


if __name__ == "__main__":
    main()
