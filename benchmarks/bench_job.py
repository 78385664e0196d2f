"""The whole job as a user runs it: fresh processes, beside the parts that any such tool must do.

    python benchmarks/bench_job.py --data FOLDER

Prints wall seconds (medians of fresh processes, kernels cached) of ``incrowd --help``, of the whole job on Adult-2 and
Adult, and of what the table engine alone needs to read the same file, group it once and copy it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

COLUMNS = (
    "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
    "capital-gain,capital-loss,hours-per-week,native-country,salary-class"
)
ADULT_2 = "age,workclass,education,marital-status,occupation,race,sex,native-country,salary-class"
ADULT = ",".join(name for name in COLUMNS.split(",") if name != "fnlwgt")
COMMAND = Path(sys.executable).with_name("incrowd")
FLOOR = """
import duckdb, sys
source, target, columns = sys.argv[1:]
con = duckdb.connect()
con.execute(f"create table t as from read_csv('{source}', all_varchar=true, header=false)")
names = ", ".join(f"column{i:02d}" for i in range(15))
con.execute(f"create table g as select {names}, count(*) from t group by all")
con.execute(f"copy t to '{target}' (header false)")
"""


def seconds(command: list[object], runs: int) -> float:
    """Return the median wall time of fresh processes."""
    found = []
    for _ in range(runs + 1):
        began = time.perf_counter()
        subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
        found.append(time.perf_counter() - began)
    return statistics.median(found[1:])


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("INCROWD_DATA"), help="folder with adult.data")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    print(f"incrowd --help                  {seconds([COMMAND, '--help'], options.runs):6.2f} s")
    if options.data is None:
        print("the rest needs --data FOLDER (or INCROWD_DATA) with adult.data")
        return
    source = Path(options.data) / "adult.data"
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "release.csv"
        floor = seconds([sys.executable, "-c", FLOOR, source, Path(folder) / "copy.csv", ADULT_2], options.runs)
        print(f"read, group, copy in the engine {floor:6.2f} s")
        for name, columns, k in (
            ("Adult-2", ADULT_2, 5),
            ("Adult-2", ADULT_2, 100),
            ("Adult", ADULT, 5),
            ("Adult", ADULT, 100),
        ):
            job = [
                COMMAND,
                "anonymize",
                source,
                "--no-header",
                "--columns",
                COLUMNS,
                "-o",
                out,
                "--qi",
                columns,
                "--k",
                k,
            ]
            wall = seconds([*job, "--quiet", "--solver", "greedy"], options.runs)
            print(f"whole job, {name:8} k={k:<4}       {wall:6.2f} s  = {wall / floor:5.1f} times that")


if __name__ == "__main__":
    main()
