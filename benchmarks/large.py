"""Large tables by the command: CPU, the peak and the disk that the system counts, against limits and told sizes.

    python benchmarks/large.py --rows 10000000                                        # beside GROUP BY and one copy
    python benchmarks/large.py --rows 100000,1000000 --memory 500MB,700MB,1GB --told
    python benchmarks/large.py --rows 1000000 --many --memory 2GB,none --certificate  # more row types than memory

The tables are those of `cases.write_made` (``--many``: one row type in four rows), k = 5, 50 patterns. Every line is a
fresh process, and ``seconds`` are its stages; a run that refuses says so in words. The engine alone runs before the
jobs and after them. ``--certificate`` has it recounted too: in the engine, in memory and by the second checker. What
limits differ in is told: whether releases hold the same rows. ``--keep`` takes a mask that keeps one column, where
portions part exactly and their prices are in the certificate; ``--words`` are more words for the command.
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
from typing import Any

from run import head, machine, show

import incrowd
from cases import PARTS, SIZES, write_made

CHECKER = Path(__file__).resolve().parents[1] / "checker" / "incrowd_check.py"
FLOOR = """
import duckdb, sys
source, target, names = sys.argv[1:]
con = duckdb.connect(config={'temp_directory': target + '.spill'})
con.execute(f"create table g as select {names}, count(*) n from '{source}' group by all")
con.execute(f"copy (from '{source}') to '{target}' (format parquet)")
print("{}")
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


def watched(folder: Path, *words: object) -> dict[str, Any]:
    """Run a command with its temporary files in a folder: status, MB, seconds, the most disk, what it says."""
    over, most, temporary = threading.Event(), [0], folder / "temporary"
    temporary.mkdir(exist_ok=True)

    def look() -> None:
        while not over.wait(0.5):
            most[0] = max(most[0], disk_of(temporary))

    thread = threading.Thread(target=look)
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        began = time.perf_counter()
        env = os.environ | {"TMPDIR": str(temporary)}
        made = subprocess.Popen([str(word) for word in words], stdout=out, stderr=err, env=env)
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
        "exit": made.returncode, "cpu": round(used.ru_utime + used.ru_stime, 1), "wall": round(wall, 1),
        "peak": round(used.ru_maxrss * 1024 / 1e6), "disk": round(most[0] / 1e6), "left": disk_of(temporary),
        "facts": json.loads(told) if told.startswith("{") else {}, "said": trouble[-160:],
    }  # fmt: skip


def same(one: Path, two: Path) -> int:
    """Return how many different rows two releases hold differently often."""
    import duckdb

    a, b = (f"(select hash(r) h, count(*) n from '{path}' r group by all)" for path in (one, two))
    query = f"select count(*) from {a} a full join {b} b using (h) where a.n is distinct from b.n"
    return duckdb.connect().execute(query).fetchall()[0][0]


def recounts(folder: Path, source: Path, release: Path) -> None:
    """Print what it takes to recount a certificate."""
    import duckdb

    policy, certificate = folder / "policy.toml", folder / "certificate.gz"
    print(f"\ncertificate: {certificate.stat().st_size:,} bytes\n")
    texts = [folder / "original.csv", folder / "release.csv"]
    for path, text in zip((source, release), texts, strict=True):
        duckdb.sql(f"copy '{path}' to '{text}' (header)")
    asked = ["--policy", policy, "--certificate", certificate, "--json"]
    command = [sys.executable, "-m", "incrowd", "verify", source, release]
    ways = {
        "verify, no certificate": [*command, "--policy", policy, "--json"],
        "verify": [*command, *asked],
        "the second checker": [sys.executable, CHECKER, *texts, policy, certificate],
    }
    head("way", "exit", "CPU s", "wall s", "peak MB", "disk MB", "ok, proven, cost, bound")
    for name, words in ways.items():
        told = watched(folder, *words)
        facts = [told["facts"].get(key) for key in ("ok", "proven", "cost", "lower_bound")]
        said = facts if told["facts"] else told["said"]
        show(name, *(told[key] for key in ("exit", "cpu", "wall", "peak", "disk")), said)


def floor(folder: Path, source: Path) -> None:
    """Print what one GROUP BY and one copy take in the engine alone."""
    told = watched(folder, sys.executable, "-c", FLOOR, source, folder / "copy.parquet", ", ".join(SIZES))
    show(source.stem, "", "the engine alone", *(told[key] for key in ("exit", "cpu", "wall", "peak")), "", "", "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="1000000,10000000")
    parser.add_argument("--many", action="store_true", help="about one row type in four rows")
    parser.add_argument("--memory", default="none", help="limits; none: no limit")
    parser.add_argument("--words", default="--solver greedy", help='of the command ("--solver auto --time-limit 60")')
    parser.add_argument("--told", action="store_true", help="beside each job what it says beforehand")
    parser.add_argument("--certificate", action="store_true", help="write the certificate, and have it recounted")
    parser.add_argument("--keep", choices=list(SIZES), help="a mask that keeps this column")
    parser.add_argument("--folder", type=Path, help="where tables and temporary files go")
    options = parser.parse_args()
    print(machine() + "\n")
    disk, values = "disk told, taken MB", "cost, bound, checked"
    head("rows", "row types", "limit", "exit", "CPU s", "wall s", "peak MB", disk, values, "seconds")
    with tempfile.TemporaryDirectory(dir=options.folder) as private:
        folder = Path(private)
        mask = {"keep": [options.keep], "max_stars": 3} if options.keep else PARTS
        incrowd.Policy(quasi_identifiers=list(SIZES), k=5, mask=mask).save(folder / "policy.toml")
        for rows in map(int, options.rows.split(",")):
            source, outs = folder / f"{rows}.parquet", []
            write_made(source, rows, options.many)
            floor(folder, source)
            for limit in options.memory.split(","):
                outs.append(folder / f"out{len(outs)}.parquet")
                job = [
                    sys.executable, "-m", "incrowd", "anonymize", source, "--policy", folder / "policy.toml", "--json",
                    "-o", outs[-1], *options.words.split(), *([] if limit == "none" else ["--memory", limit]),
                    *(["--certificate", folder / "certificate.gz"] if options.certificate else []),
                ]  # fmt: skip
                if options.told:
                    print(watched(folder, *job, "--dry-run", "--time-limit", "0")["facts"])
                told = watched(folder, *job)
                facts = told["facts"]
                values = [facts.get(key) for key in ("cost", "lower_bound", "lower_bound_checked")]
                show(
                    f"{rows:,}", f"{facts.get('row_types', 0):,}", limit,
                    *(told[key] for key in ("exit", "cpu", "wall", "peak")), f"{facts.get('disk_mb')}, {told['disk']}",
                    values if facts else told["said"], facts.get("seconds", ""),
                )  # fmt: skip
                if told["left"]:
                    print(f"left behind: {told['left']:,} bytes")
            floor(folder, source)
            for other in outs[1:]:
                print("rows that differ:", same(outs[0], other))
            if options.certificate and outs[-1].exists():
                recounts(folder, source, outs[-1])


if __name__ == "__main__":
    main()
