"""How soon a command hears SIGTERM, SIGHUP and Ctrl-C: every job is stopped at many moments of its life.

    python benchmarks/stops.py [--jobs read,exact,cold] [--moments 12] [--rows 200000]

Each job is a process of its own on tables made up. It is run once to its end (or for `--length` seconds), then stopped
by every signal at random moments in between. A line per job and signal: how often, the median and the greatest delay
from the signal to the end of the process and the moment of the greatest, the exit statuses, what was left in the
folders of the output and of temporary files, and tracebacks. 2 s is what is promised; more is marked LATE. How far a
time limit is overrun is told by `run.py --case limit --mode cpu --seconds 2`, and by `networks.py --only limits`.
"""

from __future__ import annotations

import argparse
import collections
import os
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from run import head, show

COMMAND = [sys.executable, "-m", "incrowd"]
SIGNALS = {"TERM": signal.SIGTERM, "HUP": signal.SIGHUP, "INT": signal.SIGINT}
LONGEST = 60.0
FILES, SIX = "-o out/release.csv --certificate out/proof.json", "--qi c0,c1,c2,c3,c4,c5 --time-limit 60"
WIDE = "--qi c0,c1,c2,c3,c4,c5,c6,c7 --k 5"
SOLVERS = ("greedy", "matching", "improve", "exact", "ilp", "mondrian", "approximation", "matching_textbook")
JOBS = {
    "read": f"anonymize big.csv {FILES} {WIDE} --max-stars 3 --outliers suppress --solver greedy",
    "report": f"anonymize tiny.csv {FILES} --report out/report.html {WIDE} --solver greedy",
    "auto": f"anonymize small.csv {FILES} {WIDE} --time-limit 60",
    "diverse": f"anonymize small.csv {FILES} {WIDE} --sensitive s --l 2 --time-limit 60",
    **{
        name: f"anonymize tiny.csv {FILES} {SIX} --k {2 if 'matching' in name else 3} --solver {name}"
        for name in SOLVERS
    },
    "cold": f"anonymize tiny.csv {FILES} {WIDE} --time-limit 60",
    "audit": "audit small.csv --qi c0,c1,c2,c3 --sensitive s",
    "tradeoff": "tradeoff small.csv --qi c0,c1,c2,c3 --ks 2,5,10 --time-limit 10",
    "verify": f"verify small.csv done/release.csv --certificate done/proof.json {WIDE}",
    "network": "network big.txt",
    "attackers": "network small.txt --attackers 3",
}


def make(folder: Path, rows: int) -> None:
    """Write the tables and networks."""
    drawn = np.random.default_rng(0)
    for name, n in (("big", rows), ("small", min(rows, 30_000)), ("tiny", 1_000)):
        columns = [(drawn.random(n) ** 2 * size).astype(int) for size in (60, 9, 16, 7, 15, 5, 2, 40, 12)]
        names = ",".join([*(f"c{j}" for j in range(8)), "s"])
        np.savetxt(folder / f"{name}.csv", np.stack(columns, 1), fmt="%d", delimiter=",", header=names, comments="")
    for name, n in (("big", 10 * rows), ("small", 5_000)):
        np.savetxt(folder / f"{name}.txt", drawn.integers(0, max(n // 5, 10), (n, 2)), fmt="%d")
    (folder / "done").mkdir()
    release = f"anonymize small.csv {FILES.replace('out/', 'done/')} {WIDE} --solver greedy --quiet"
    subprocess.run([*COMMAND, *release.split()], cwd=folder, check=True)


def started(folder: Path, name: str) -> subprocess.Popen[bytes]:
    """Start a job in a folder with empty ones for its output and its temporary files."""
    for part in ("out", "tmp"):
        (folder / part).mkdir(exist_ok=True)
    env = os.environ | {"TMPDIR": str(folder / "tmp")}
    if name == "cold":
        env["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(dir=folder)
    words = [*COMMAND, *JOBS[name].split()]
    return subprocess.Popen(words, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def left(folder: Path) -> list[str]:
    """Return what a run left behind, and remove it."""
    found = [path.name for part in ("out", "tmp") for path in (folder / part).iterdir()]
    for part in ("out", "tmp"):
        shutil.rmtree(folder / part)
    return [name for name in found if name not in ("release.csv", "proof.json", "report.html")]


def ended(process: subprocess.Popen[bytes], folder: Path, most: float) -> tuple[float, int, list[str], str]:
    """Wait for a process, so long at most: seconds until it ended, its status, what it left and said."""
    began = time.perf_counter()
    try:
        said = process.communicate(timeout=most)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        said = process.communicate()[1]
    delay, status = time.perf_counter() - began, process.returncode
    return delay, 128 - status if status < 0 else status, left(folder), said.decode(errors="replace")


def stop(folder: Path, name: str, number: int, moment: float) -> tuple[float, int, list[str], str] | None:
    """Stop a job at a moment; None where it was done before."""
    process = started(folder, name)
    try:
        process.wait(moment)
    except subprocess.TimeoutExpired:
        process.send_signal(number)
        return ended(process, folder, LONGEST)
    ended(process, folder, LONGEST)
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", default=",".join(JOBS))
    parser.add_argument("--signals", default=",".join(SIGNALS))
    parser.add_argument("--moments", type=int, default=12, help="of each job and signal")
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--length", type=float, default=12.0, help="seconds of a job's life that are looked at")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    drawn = random.Random(options.seed)
    head("job", "signal", "stops", "median s", "worst s", "at", "statuses", "left", "tracebacks", "")
    with tempfile.TemporaryDirectory() as private:
        folder = Path(private)
        make(folder, options.rows)
        for name in options.jobs.split(","):
            life = ended(started(folder, name), folder, options.length)[0]
            for word in options.signals.split(","):
                moments = [drawn.uniform(0.05, life) for _ in range(options.moments)]
                found = {moment: stop(folder, name, SIGNALS[word], moment) for moment in moments}
                stops = {moment: one for moment, one in found.items() if one is not None}
                if not stops:
                    continue
                worst, at = max((one[0], moment) for moment, one in stops.items())
                statuses = dict(collections.Counter(one[1] for one in stops.values()))
                said = [one[3].strip() for one in stops.values()]
                odd = {text.splitlines()[-1][:90] for text in said if "Trace" in text or "bug" in text}
                rest = sorted({file for one in stops.values() for file in one[2]})
                median = statistics.median(one[0] for one in stops.values())
                times = f"{median:.2f}", f"{worst:.2f}", f"{at:.2f} of {life:.2f}"
                show(name, word, len(stops), *times, statuses, rest, odd or "", "LATE" if worst > 2 else "")


if __name__ == "__main__":
    main()
