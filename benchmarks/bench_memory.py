"""What the process holds at most, as the system counts it, against ``--memory``, and against the estimate.

    python benchmarks/bench_memory.py --rows 100000,1000000 --memory 500MB,700MB,1GB
    python benchmarks/bench_memory.py --rows 1000000 --solver auto --time-limit 20 --memory 800MB

The table is that of `bench_size.py`: nine text columns, Parquet in and out, at most three stars. Every line is a fresh
process; its peak is what the system says when it has ended. A run that refuses says so in words.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench_size import COMMAND, MAKE, SIZES, run


def peak_of(words: list[str]) -> tuple[int, int, float, str, str]:
    """Run a command; return its exit status, peak in bytes, CPU seconds, output and the end of its errors."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        made = subprocess.Popen(words, stdout=out, stderr=err)
        _, status, used = os.wait4(made.pid, 0)
        made.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        told = out.read(), err.read().strip()[-110:]
    return made.returncode, used.ru_maxrss * 1024, used.ru_utime + used.ru_stime, *told


def main() -> None:
    """Make the tables, run the jobs, print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="100000,1000000")
    parser.add_argument("--memory", default="500MB,700MB,1GB", help="limits; none: no limit")
    parser.add_argument("--solver", default="greedy")
    parser.add_argument("--time-limit", default=None)
    parser.add_argument("--table", type=Path, default=None, help="another table; then --qi too")
    parser.add_argument("--qi", default=",".join(SIZES))
    parser.add_argument("--estimate", action="store_true", help="beside each job what was estimated before")
    options = parser.parse_args()
    print("| rows | limit | exit | peak MB | of limit | CPU s | wall s | what it says |\n" + "|---" * 8 + "|")
    with tempfile.TemporaryDirectory() as folder:
        for rows in [0] if options.table else [int(text) for text in options.rows.split(",")]:
            source = options.table or Path(folder) / f"{rows}.parquet"
            if not options.table:
                run(sys.executable, "-c", MAKE, source, rows, SIZES, "2GB")
            for limit in options.memory.split(","):
                job = [
                    str(COMMAND), "anonymize", str(source), "--qi", options.qi, "--k", "5", "--max-stars", "3",
                    "--solver", options.solver, "--json", "-o", f"{folder}/out.parquet",
                    *(["--time-limit", options.time_limit] if options.time_limit else []),
                    *([] if limit == "none" else ["--memory", limit]),
                ]  # fmt: skip
                if options.estimate:
                    _, _, _, told, trouble = peak_of([*job, "--dry-run", "--time-limit", "0"])
                    print("estimated:", told.replace("\n", " ") or trouble)
                began = time.perf_counter()
                status, peak, cpu, told, trouble = peak_of(job)
                wall = time.perf_counter() - began
                size = {"MB": 1e6, "GB": 1e9}.get(limit[-2:], 0) * float(limit[:-2] if limit != "none" else 0)
                share = f"{peak / size:.0%}" if size else ""
                said = json.loads(told) if status == 0 else {}
                end = f"{said['status']}, {said['row_types']:,} types, {said['seconds']}" if said else trouble
                row = (f"{rows:,}", limit, status, f"{peak / 1e6:.0f}", share, f"{cpu:.1f}", f"{wall:.1f}", end)
                print("| " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    main()
