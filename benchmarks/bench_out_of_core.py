"""More row types than memory holds: the whole job with its row types in the table engine, under a memory limit.

    python benchmarks/bench_out_of_core.py --rows 1000000,10000000 --memory 1GB
    python benchmarks/bench_out_of_core.py --rows 1000000 --memory 2GB --beside
    python benchmarks/bench_out_of_core.py --rows 1000000 --memory 2GB --improve 200
    python benchmarks/bench_out_of_core.py --rows 1000000 --memory 1GB --certificate --second
    python benchmarks/bench_out_of_core.py --rows 1000000 --memory 2GB --improve 60 --certificate --keep age

The table is made up: 9 text columns with the domain sizes of Adult-2, every row one of 0.3 profiles a row, so that
there is about one row type in four rows; the mask is that of `bench_size.py` (50 patterns), k = 5. Every line is a
fresh process: CPU seconds, the peak that the system reports when it has ended, the temporary disk that was told before
and the most that was taken. `--improve` lets ``auto`` improve the greedy's release in portions, within so many seconds
of wall time in all. `--keep` takes a mask that keeps one column and stars three of the others at most: there portions
part exactly, and their prices are in the certificate. `--beside` runs the same with row types in memory and says
whether both releases hold the same rows.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from bench_size import COMMAND, POLICY, SIZES, run

MAKE = """
import duckdb, sys
target, rows, sizes, memory = sys.argv[1], int(sys.argv[2]), eval(sys.argv[3]), sys.argv[4]
con = duckdb.connect(config={'memory_limit': memory, 'temp_directory': target + '.spill'})
con.execute(f"create view p as select i, hash(i * 7 + 1) % {max(rows * 3 // 10, 1)} as who from range({rows}) r(i)")
cells = []
for j, (name, size) in enumerate(sizes.items()):
    draw = f"(power(hash(who * 97 + {j}) / 18446744073709551615.0, 2) * {size})::bigint"
    cells.append(f"'{name}' || lpad(({draw})::varchar, 3, '0') as {name}")
con.execute(f"copy (select {', '.join(cells)}, i % 1000 as note from p) to '{target}' (format parquet)")
"""
KEEP = """quasi_identifiers = {names}
k = 5
[mask]
keep = [{keep}]
max_stars = 3
[job]
solver = "greedy"
"""
SAME = """
import duckdb, sys
con = duckdb.connect()
a, b = (f"(select hash(r) h, count(*) n from '{path}' r group by all)" for path in sys.argv[1:3])
print(con.execute(f"select count(*) from {a} a full join {b} b using (h) where a.n is distinct from b.n").fetchone()[0])
"""


def disk_of(folder: Path) -> int:
    """Return the bytes of the files in a folder, as they stand."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_blocks * 512
        except OSError:  # gone meanwhile
            continue
    return total


def watched(words: list[str], folder: Path) -> dict[str, object]:
    """Run a command with its temporary files in a folder; return exit, peak, CPU, the most disk and what it says."""
    over, most = threading.Event(), [0]

    def look() -> None:
        while not over.wait(0.5):
            most[0] = max(most[0], disk_of(folder))

    thread = threading.Thread(target=look)
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        began = time.perf_counter()
        made = subprocess.Popen(words, stdout=out, stderr=err, env=os.environ | {"TMPDIR": str(folder)})
        thread.start()
        _, status, used = os.wait4(made.pid, 0)
        made.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - began
        over.set()
        thread.join()
        out.seek(0)
        err.seek(0)
        told, trouble = out.read(), err.read().strip()
    return {
        "exit": made.returncode, "peak": used.ru_maxrss * 1024, "cpu": used.ru_utime + used.ru_stime, "wall": wall,
        "disk": most[0], "left": disk_of(folder), "facts": json.loads(told) if not made.returncode else {},
        "said": trouble[-160:],
    }  # fmt: skip


def recounts(folder: Path, source: Path, release: Path, *, second: bool) -> None:
    """Print what recounting a certificate takes: size, then CPU seconds, peak and what is said."""
    spill, policy, certificate = folder / "temporary", folder / "policy.toml", folder / "certificate.gz"
    print(f"certificate: {certificate.stat().st_size:,} bytes", flush=True)
    tables = [str(source), str(release), "--policy", str(policy), "--certificate", str(certificate), "--json"]
    ways = {
        "verify, no certificate": [str(COMMAND), "verify", *tables[:4], "--json"],
        "verify, in the engine": [str(COMMAND), "verify", *tables, "--types-in-memory", "1"],
        "verify, in memory": [str(COMMAND), "verify", *tables, "--types-in-memory", "1000000000"],
    }
    if second:
        script = "import duckdb, sys; duckdb.sql(f\"copy '{sys.argv[1]}' to '{sys.argv[2]}' (header)\")"
        for place, path in enumerate((source, release)):
            tables[place] = str(folder / f"table{place}.csv")
            run(sys.executable, "-c", script, path, tables[place])
        checker = Path(__file__).resolve().parents[1] / "checker" / "incrowd_check.py"
        ways["second checker"] = [sys.executable, str(checker), *tables]
    for name, words in ways.items():
        told = watched(words, spill)
        facts = told["facts"]
        said = [facts.get(key) for key in ("ok", "proven", "cost", "lower_bound")] if facts else told["said"]
        print(
            f"{name}: exit {told['exit']}, {told['cpu']:.1f} CPU s, {told['wall']:.1f} s, "
            f"{told['peak'] / 1e6:.0f} MB, {told['disk'] / 1e6:.0f} MB of disk, {said}",
            flush=True,
        )


def main() -> None:
    """Make the tables, run the jobs, print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="1000000,10000000")
    parser.add_argument("--memory", default="1GB")
    parser.add_argument("--folder", type=Path, default=None, help="where tables and temporary files go")
    parser.add_argument("--beside", action="store_true", help="also with row types in memory (without a limit)")
    parser.add_argument("--improve", type=float, default=None, help="seconds of `--solver auto` in place of the greedy")
    parser.add_argument("--certificate", action="store_true", help="write the certificate too, and have it recounted")
    parser.add_argument("--second", action="store_true", help="with --certificate: by the second checker too")
    parser.add_argument("--keep", choices=list(SIZES), default=None, help="a mask that keeps this column")
    options = parser.parse_args()
    names = (
        "rows",
        "row types",
        "limit",
        "exit",
        "CPU s",
        "wall s",
        "peak MB",
        "disk told MB",
        "taken MB",
        "cost",
        "bound",
        "checked",
    )
    head = "| " + " | ".join((*names, "seconds")) + " |"
    print(head + "\n" + "|---" * head.count(" | ") + "|---|")
    with tempfile.TemporaryDirectory(dir=options.folder) as private:
        folder = Path(private)
        for rows in map(int, options.rows.split(",")):
            source = folder / f"{rows}.parquet"
            run(sys.executable, "-c", MAKE, source, rows, SIZES, "2GB")
            asked = {"names": json.dumps(list(SIZES)), "keep": json.dumps(options.keep)}
            (folder / "policy.toml").write_text((POLICY if options.keep is None else KEEP).format(**asked))
            ways = [["--types-in-memory", "1", "--memory", options.memory]] + [
                ["--types-in-memory", "1000000000"]
            ] * options.beside
            if options.certificate:
                ways[0] += ["--certificate", str(folder / "certificate.gz")]
            outs = []
            if options.improve is not None:
                ways = [[*way, "--solver", "auto", "--time-limit", str(options.improve)] for way in ways]
            for way in ways:
                spill = folder / "temporary"
                spill.mkdir(exist_ok=True)
                outs.append(folder / f"out{len(outs)}.parquet")
                words = [
                    str(COMMAND),
                    "anonymize",
                    str(source),
                    "--policy",
                    str(folder / "policy.toml"),
                    *way,
                    "--json",
                ]
                told = watched([*words, "-o", str(outs[-1])], spill)
                facts = told["facts"]
                cells = [
                    f"{rows:,}", f"{facts.get('row_types', 0):,}",
                    options.memory if "--memory" in way else "none", told["exit"],
                    f"{told['cpu']:.1f}", f"{told['wall']:.1f}", f"{told['peak'] / 1e6:.0f}", facts.get("disk_mb", ""),
                    f"{told['disk'] / 1e6:.0f}", facts.get("cost", told["said"]), facts.get("lower_bound", ""),
                    facts.get("lower_bound_checked", ""), facts.get("seconds", ""),
                ]  # fmt: skip
                print("| " + " | ".join(map(str, cells)) + " |", flush=True)
            if options.certificate:
                recounts(folder, source, outs[0], second=options.second)
            if options.beside:
                print("rows that differ:", run(sys.executable, "-c", SAME, *outs)[0].strip(), flush=True)
            source.unlink()


if __name__ == "__main__":
    main()
