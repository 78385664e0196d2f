"""How soon a command hears SIGTERM, SIGHUP and Ctrl-C: every job is stopped at many moments of its life.

    python benchmarks/bench_signals.py [--jobs read,exact,cold] [--moments 12] [--rows 200000]

Each job is a process of its own on tables made up. It is run once to its end (or for `--length` seconds), then stopped
by every signal at random moments in between. A line per job and signal: how often, the median and the greatest delay
from the signal to the end of the process, the exit statuses, what was left in the folder of the output and in that for
temporary files, and the moment of the greatest delay. A process that a signal ends before it can handle signals, while
the interpreter starts, has the status that a shell shows for it. 2 s is what is promised; more is marked LATE.
"""

from __future__ import annotations

import argparse
import collections
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

COMMAND = Path(sys.executable).with_name("incrowd")
SIGNALS = {"TERM": signal.SIGTERM, "HUP": signal.SIGHUP, "INT": signal.SIGINT}
LONGEST = 60.0
SMALL = ("--qi", "c0,c1,c2,c3,c4,c5", "--k", "3", "--time-limit", "60")
TWO = ("--qi", "c0,c1,c2,c3,c4,c5", "--k", "2", "--time-limit", "60")
WIDE = ("--qi", "c0,c1,c2,c3,c4,c5,c6,c7", "--k", "5")
FILES = ("-o", "out/release.csv", "--certificate", "out/proof.json")
JOBS = {
    "read": ("anonymize", "big.csv", *FILES, *WIDE, "--max-stars", "3", "--outliers", "suppress", "--solver", "greedy"),
    "report": ("anonymize", "tiny.csv", *FILES, "--report", "out/report.html", *WIDE, "--solver", "greedy"),
    "auto": ("anonymize", "small.csv", *FILES, *WIDE, "--time-limit", "60"),
    "diverse": ("anonymize", "small.csv", *FILES, *WIDE, "--sensitive", "s", "--l", "2", "--time-limit", "60"),
    **{
        name: ("anonymize", "tiny.csv", *FILES, *(TWO if "matching" in name else SMALL), "--solver", name)
        for name in ("greedy", "matching", "improve", "exact", "ilp", "mondrian", "approximation", "matching_textbook")
    },
    "cold": ("anonymize", "tiny.csv", *FILES, *WIDE, "--time-limit", "60"),
    "audit": ("audit", "small.csv", "--qi", "c0,c1,c2,c3", "--sensitive", "s"),
    "tradeoff": ("tradeoff", "small.csv", "--qi", "c0,c1,c2,c3", "--ks", "2,5,10", "--time-limit", "10"),
    "verify": ("verify", "small.csv", "done/release.csv", "--certificate", "done/proof.json", *WIDE),
    "network": ("network", "big.txt"),
    "attackers": ("network", "small.txt", "--attackers", "3"),
}


def make(folder: Path, rows: int) -> None:
    """Write the tables and networks."""
    drawn = np.random.default_rng(0)
    for name, n in (("big", rows), ("small", min(rows, 30_000)), ("tiny", 1_000)):
        columns = [(drawn.random(n) ** 2 * size).astype(int) for size in (60, 9, 16, 7, 15, 5, 2, 40, 12)]
        head = ",".join([*(f"c{j}" for j in range(8)), "s"])
        np.savetxt(folder / f"{name}.csv", np.stack(columns, 1), fmt="%d", delimiter=",", header=head, comments="")
    for name, n in (("big", 10 * rows), ("small", 5_000)):
        np.savetxt(folder / f"{name}.txt", drawn.integers(0, max(n // 5, 10), (n, 2)), fmt="%d")
    (folder / "done").mkdir()
    release = ("-o", "done/release.csv", "--certificate", "done/proof.json", *WIDE, "--solver", "greedy")
    subprocess.run([COMMAND, "anonymize", "small.csv", *release, "--quiet"], cwd=folder, check=True)


def started(folder: Path, name: str) -> subprocess.Popen[bytes]:
    """Start a job in a folder with empty ones for its output and its temporary files."""
    for part in ("out", "tmp"):
        (folder / part).mkdir(exist_ok=True)
    words = {"TMPDIR": str(folder / "tmp")}
    if name == "cold":
        cache = tempfile.mkdtemp(dir=folder)
        words["NUMBA_CACHE_DIR"] = cache
    return subprocess.Popen(
        [str(COMMAND), *JOBS[name]], cwd=folder, env={**os.environ, **words}, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )  # fmt: skip


def left(folder: Path) -> list[str]:
    """Return what a run left behind, and remove it."""
    found = []
    for part in ("out", "tmp"):
        for path in (folder / part).iterdir():
            if path.name not in ("release.csv", "proof.json", "report.html"):
                found.append(path.name)
            if path.is_dir():
                subprocess.run(["rm", "-r", path], check=True)
            else:
                path.unlink()
    return found


def length(folder: Path, name: str, most: float) -> float:
    """Return how long a job runs, at most so long."""
    process, began = started(folder, name), time.perf_counter()
    try:
        process.communicate(timeout=most)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
    left(folder)
    return time.perf_counter() - began


def stop(folder: Path, name: str, number: int, moment: float) -> tuple[float, int, list[str], str] | None:
    """Stop a job at a moment: seconds until it ended, its status, what it left and said. None: it was done before."""
    process = started(folder, name)
    try:
        process.wait(moment)
    except subprocess.TimeoutExpired:
        pass
    else:
        process.communicate()
        left(folder)
        return None
    process.send_signal(number)
    began = time.perf_counter()
    try:
        said = process.communicate(timeout=LONGEST)[1].decode(errors="replace")
    except subprocess.TimeoutExpired:
        process.kill()
        said = process.communicate()[1].decode(errors="replace")
    delay = time.perf_counter() - began
    status = process.returncode
    return delay, 128 - status if status < 0 else status, left(folder), said


def main() -> None:
    """Stop every job named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", default=",".join(JOBS))
    parser.add_argument("--signals", default=",".join(SIGNALS))
    parser.add_argument("--moments", type=int, default=12, help="of each job and signal")
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--length", type=float, default=12.0, help="seconds of a job's life that are looked at")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    drawn = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as private:
        folder = Path(private)
        make(folder, options.rows)
        for name in options.jobs.split(","):
            life = length(folder, name, options.length)
            for word in options.signals.split(","):
                found, moments = [], []
                for _ in range(options.moments):
                    moment = drawn.uniform(0.05, life)
                    one = stop(folder, name, SIGNALS[word], moment)
                    if one is not None:
                        found.append(one)
                        moments.append(moment)
                if not found:
                    continue
                delays = [one[0] for one in found]
                worst = max(delays)
                statuses = dict(collections.Counter(one[1] for one in found))
                odd = {one[3].strip().splitlines()[-1][:90] for one in found if "Trace" in one[3] or "bug" in one[3]}
                rest = sorted({leftover for one in found for leftover in one[2]})
                print(
                    f"{name:18} {word:4} {len(found):3} median {statistics.median(delays):5.2f} worst {worst:5.2f}"
                    f" at {moments[delays.index(worst)]:5.2f} of {life:5.2f} {statuses} left {rest}"
                    f"{' ' + str(odd) if odd else ''}{' LATE' if worst > 2 else ''}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
