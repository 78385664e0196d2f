"""The same job on DuckDB and on Spark in local mode: seconds, memory of the driver, bytes shuffled, and equal rows.

    python benchmarks/bench_scale.py --rows 1000000
    python benchmarks/bench_scale.py --rows 10000000 --master 'local[2]' --heap 2g
    python benchmarks/bench_scale.py --rows 100000000 --repeat 100 --engines spark

The table and the policy are those of ``bench_size.py``. With `--repeat` the table is one of so many times fewer rows,
each of them so often, and k is 5 times that: as many row types and the same plan for every size, so that what goes by
the rows is told from what goes by their types. Every run is a fresh process; ratios are of one run of this script.
Seconds of CPU count both processes of Spark, Python and Java, with the start of both. The releases are compared row for
row by a hash of each row and its place.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench_size import MAKE, POLICY, SIZES, run

from incrowd.tables.engine.spark_session import java_options

WORK = """
import json, os, resource, sys, time
source, out, policy, engine = sys.argv[1:]
began = time.perf_counter()
import incrowd

def of(pid, name, where="status"):
    for line in open(f"/proc/{pid}/{where}"):
        if line.startswith(name):
            return int(line.split()[1]) // 1024
    return 0

def cpu(pid):
    fields = open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

release = incrowd.anonymize(source, policy, engine=engine, output=out)
told = {"seconds": release.facts["seconds"], "cost": release.facts["cost"], "bound": release.facts["lower_bound"],
        "row_types": release.facts["row_types"], "python_mb": of("self", "VmHWM"), "cpu": cpu("self"), "java_mb": 0,
        "shuffled": 0}
if engine == "spark":
    from pyspark import SparkContext
    context = SparkContext._active_spark_context
    java = SparkContext._gateway.proc.pid
    told["java_mb"] = of(java, "VmHWM")
    told["cpu"] += cpu(java)
    held = context._jsc.sc().statusStore().executorList(False)
    told["shuffled"] = sum(held.apply(i).totalShuffleWrite() for i in range(held.size()))
told["wall"] = time.perf_counter() - began
release.close()
print(json.dumps(told))
"""
AGAIN = """
import duckdb, sys
source, target, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
duckdb.execute(f"copy (from read_parquet({[source] * times})) to '{target}' (format parquet)")
"""
DIGEST = """
import duckdb, sys
from pathlib import Path
place = Path(sys.argv[1])
files = [str(part) for part in sorted(place.glob("part-*"))] if place.is_dir() else [str(place)]
con = duckdb.connect()
names = [row[0] for row in con.execute("describe select * from read_parquet(?)", [files]).fetchall()]
texts = ", ".join(f'"{name}"::varchar' for name in names)
print(con.execute(f"select count(*), sum(hash(i, {texts})::hugeint) from "
                  "(select row_number() over () as i, * from read_parquet(?))", [files]).fetchone())
"""


def main() -> None:
    """Make the table, run both engines, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--heap", default="2g", help="of Spark's Java process")
    parser.add_argument("--repeat", type=int, default=1, help="how often each row is there")
    parser.add_argument("--engines", default="duckdb,spark")
    parser.add_argument("--folder", type=Path, default=None, help="where the tables go (default: a private one)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as private:
        folder = Path(private)
        java = f"--driver-java-options '{java_options(folder)}'"  # as incrowd starts Spark where nobody has set it up
        submitted = f"--master {options.master} --driver-memory {options.heap} {java} pyspark-shell"
        os.environ["PYSPARK_SUBMIT_ARGS"] = submitted
        source = folder / "table.parquet"
        base = folder / "base.parquet"
        run(sys.executable, "-c", MAKE, base, options.rows // options.repeat, SIZES, "4GB")
        if options.repeat > 1:
            run(sys.executable, "-c", AGAIN, base, source, options.repeat)
        else:
            base.rename(source)
        policy = POLICY.replace("k = 5", f"k = {5 * options.repeat}").format(names=json.dumps(list(SIZES)))
        (folder / "policy.toml").write_text(policy)
        told, digests = {}, {}
        engines = options.engines.split(",")
        for engine in engines:
            out = folder / f"{engine}.parquet"
            words = [sys.executable, "-c", WORK, source, out, folder / "policy.toml", engine]
            done = subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE, text=True)
            one = told[engine] = json.loads(done.stdout.splitlines()[-1])
            digests[engine] = run(sys.executable, "-c", DIGEST, out)[0]
            print(
                f"{engine}: {one['wall']:.1f} s, CPU {one['cpu']:.1f} s, Python {one['python_mb']} MB, "
                f"Java {one['java_mb']} MB, shuffled {one['shuffled'] / options.rows:.0f} bytes a row, "
                f"{one['row_types']:,} row types, cost {one['cost']:,}, bound {one['bound']:,}"
            )
            print({name: round(value, 1) for name, value in one["seconds"].items()}, flush=True)
        if len(engines) < 2:
            return
        wall, work = (told["spark"][name] / told["duckdb"][name] for name in ("wall", "cpu"))
        print(f"Spark takes {wall:.1f} times DuckDB's time, {work:.1f} times its CPU")
        print(f"equal row for row: {digests['spark'] == digests['duckdb']}")


if __name__ == "__main__":
    main()
