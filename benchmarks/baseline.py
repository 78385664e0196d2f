"""The baseline: every kind of job, with its cost, bound, time, memory and what its release gives away.

    python benchmarks/baseline.py --data DIR              # run what is missing, then fold into baseline.json
    python benchmarks/baseline.py --data DIR --compare    # run again into another file, print ratios to baseline.json

DIR (or INCROWD_DATA) holds ``adult.data``, ``cmc.data`` and ARX's files in ``arx``; `baseline_cases.py` has the cases.
A run is a fresh process: one case, one seed and one mode. ``work`` is a limit in moves, which repeats exactly; ``cpu``
is a limit of 60 CPU seconds of all threads: their clock stands in place of the wall's, so that a busy machine changes
little (HiGHS alone goes by the wall's: leave it a core of its own). Lines go to ``--raw`` as runs end, so what was
stopped goes on; ``--case REGEX``, ``--mode`` and ``--seeds`` choose. A run that compiled loops is done again, one that
takes 200 CPU seconds is given up. What was not run, or cannot be, is null with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from baseline_cases import LARGE, LONG, MOVES, OTHER_MOVES, table

HERE = Path(__file__).resolve().parent
CASES = table()
SEEDS, SECONDS, PATIENCE = range(5), 60, 200  # PATIENCE: CPU seconds after which a run is given up
VALUES = ("cost", "bound", "cpu", "peak_mb", "excluded")  # of which median, least and most are told
ALSO = ("optimal", "proof", "status", "solver", "suppressed", "wall", "attack_cpu", "attack_complete")


def seeds_of(name: str) -> list[int]:
    return [0] if name == LARGE else list(SEEDS)


def moves(name: str) -> int:
    return OTHER_MOVES.get(name, MOVES)


def used() -> float:
    """CPU seconds of this process, of children that ended, and of those that have not (Spark's Java)."""
    total = sum(sum(resource.getrusage(whose)[:2]) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    for line in Path("/proc/self/task").glob("*/children"):
        for child in line.read_text().split():
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def peak() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def one(name: str, seed: int, mode: str, data: Path, spare: Path) -> dict[str, Any]:
    """Run a job in this process, which does nothing else; return its facts."""
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE + 1))
    make, settings = CASES[name]
    asked = make(data, spare) | settings
    begun, spent = time.monotonic(), sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    time.perf_counter = time.process_time
    import incrowd

    limit = {"work": moves(name), "time_limit": 3600} if mode == "work" else {"time_limit": SECONDS}
    out = spare / ("out.parquet" if Path(asked["data"]).suffix == ".parquet" else "out.csv")
    if out.is_dir():  # a release on Spark replaces no other
        shutil.rmtree(out)
    with incrowd.anonymize(**asked, **limit, seed=seed, output=out) as release:
        facts = release.facts
        told = {
            "cost": facts["cost"], "bound": facts["lower_bound"], "suppressed": facts.get("suppressed_cells"),
            "cpu": round(used() - spent, 2), "peak_mb": round(peak()), "wall": round(time.monotonic() - begun, 1),
            **{key: facts.get(key) for key in ("optimal", "proof", "status", "solver")},
        }  # fmt: skip
        if name != LARGE:
            begun = time.process_time()
            try:
                attack = incrowd.attack(release, time_limit=20)
                told |= {"excluded": attack.excluded_cells, "attack_complete": attack.facts["complete"]}
            except incrowd.errors.IncrowdError as error:
                told |= {"excluded": None, "attack_error": f"{type(error).__name__}: {error}"}
            told["attack_cpu"] = round(time.process_time() - begun, 2)
    return told


def compiled() -> int:
    """How many loops are compiled on disk."""
    import incrowd

    return sum(1 for _ in Path(incrowd.__file__).parent.rglob("*.nbc"))


def apart(name: str, seed: int, mode: str, data: Path, spare: Path) -> dict[str, Any]:
    """Run a job in a fresh process; again where it compiled loops."""
    what = json.dumps([name, seed, mode])
    words = [sys.executable, __file__, "--one", what, "--data", str(data), "--spare", str(spare)]
    for _ in range(2):
        before = compiled()
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode == -signal.SIGXCPU:
            return {"error": f"not done after {PATIENCE} CPU seconds"}
        if done.returncode:
            return {"error": (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1][-300:]}
        if compiled() == before:
            break
    return json.loads(done.stdout.splitlines()[-1])


Runs = dict[tuple[str, str, int], dict[str, Any]]


def runs_in(raw: Path) -> Runs:
    lines = [json.loads(line) for line in raw.read_text().splitlines()] if raw.exists() else []
    return {(line.pop("case"), line.pop("mode"), line.pop("seed")): line for line in lines}


def turn(run: tuple[str, str, int], found: Runs) -> tuple[int, int, int]:
    """When a run comes: each case once, by time where work takes minutes; other seeds of open ones; the rest."""
    name, mode, seed = run
    first = found.get((name, "work", 0), {})
    if mode == "work":
        part = 0 if seed == 0 else 4 if first.get("optimal") or first.get("cpu", 0) > 30 else 2
    else:
        part = 5 if seed else 1 if name in LONG else 3
    return part, seed, list(CASES).index(name)


def needless(run: tuple[str, str, int], found: Runs) -> str:
    """Why a run is left out: its search does not go by moves, or 60 seconds would change nothing."""
    name, mode, _ = run
    if mode == "work":
        return "minutes go by in prices, which are not counted in moves" if name in LONG else ""
    if CASES[name][1].get("solver") in ("greedy", "mondrian"):
        return "the solver ends by itself: as by work"
    by_work = [found.get((name, "work", seed)) for seed in seeds_of(name)]
    proven = by_work[0] and all(line is None or line.get("optimal") for line in by_work)
    return "proven by work" if proven else ""


def folded(found: Runs) -> dict[str, Any]:
    """Return what stands in baseline.json: by case and mode values by seed, then median, least and most."""
    cases: dict[str, Any] = {}
    for name, (_, settings) in CASES.items():
        cases[name] = {"settings": settings, "limits": {"work": moves(name), "cpu": SECONDS}}
        for mode in ("work", "cpu"):
            lines = {seed: found[name, mode, seed] for seed in seeds_of(name) if (name, mode, seed) in found}
            errors = [line["error"] for line in lines.values() if "error" in line]
            lines = {seed: line for seed, line in lines.items() if "error" not in line}
            if not lines:
                why = errors[0] if errors else needless((name, mode, 0), found) or "not run"
                cases[name] |= {mode: None, f"{mode}_why": why}
                continue
            told: dict[str, Any] = {"seeds": list(lines)}
            for key in (*VALUES, *ALSO):
                told[key] = [line.get(key) for line in lines.values()]
            for how, of in (("median", statistics.median), ("min", min), ("max", max)):
                there = {key: [value for value in told[key] if value is not None] for key in VALUES}
                told[how] = {key: of(values) if values else None for key, values in there.items()}
            cases[name][mode] = told
    return cases


def write(path: Path, found: Runs) -> None:
    from run import machine

    git = subprocess.run(
        ["git", "log", "-1", "--format=%h", "--", "src"], stdout=subprocess.PIPE, text=True, cwd=HERE.parent
    )
    head = {"machine": machine(), "source": git.stdout.strip(), "date": time.strftime("%Y-%m-%d"), "values": VALUES}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    cases = []
    for name, case in folded(found).items():
        parts = ",\n   ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in case.items())
        cases.append(f"  {json.dumps(name)}: {{\n   {parts}\n  }}")
    lines.append('"cases": {\n' + ",\n".join(cases) + "\n }")
    path.write_text("{\n " + ",\n ".join(lines) + "\n}\n")


def compare(baseline: Path, found: Runs) -> None:
    """Print medians over the seeds that both have, as now / then, and in percent."""
    then = json.loads(baseline.read_text())["cases"]
    print("| case | mode | seeds | " + " | ".join(f"{key}: now / then" for key in VALUES) + " |\n" + "|---" * 8 + "|")
    for name, mode in dict.fromkeys(run[:2] for run in found):
        old, cells = (then.get(name) or {}).get(mode), []
        seeds = [seed for seed in old["seeds"] if (name, mode, seed) in found] if old else []
        if not seeds:
            print(f"| {name} | {mode} | none in common |" + " |" * len(VALUES))
            continue
        for key in VALUES:
            before = [old[key][old["seeds"].index(seed)] for seed in seeds]
            now = [found[name, mode, seed].get(key) for seed in seeds]
            if None in before or None in now:
                cells.append(f"{now[0]} / {before[0]}" if len(seeds) == 1 else "-")
                continue
            a, b = statistics.median(now), statistics.median(before)
            cells.append(f"{a:,g} / {b:,g}" + (f" ({100 * (a / b - 1):+.2f} %)" if b else ""))
        print(f"| {name} | {mode} | {len(seeds)} | " + " | ".join(cells) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("INCROWD_DATA"))
    parser.add_argument("--baseline", type=Path, default=HERE / "baseline.json")
    parser.add_argument("--raw", type=Path, help="lines of runs (default: build/baseline.jsonl, or compare.jsonl)")
    parser.add_argument("--case", default="", help="only cases whose name has this regular expression")
    parser.add_argument("--mode", choices=["work", "cpu"], nargs="+", default=["work", "cpu"])
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--minutes", type=float, default=1e9, help="wall minutes after which no run begins")
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--spare", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(one(*json.loads(asked.one), asked.data, asked.spare)))
        return
    ends = time.monotonic() + 60 * asked.minutes
    raw = asked.raw or HERE.parent / "build" / ("compare.jsonl" if asked.compare else "baseline.jsonl")
    raw.parent.mkdir(exist_ok=True)
    found = runs_in(raw)
    names = [name for name in CASES if re.search(asked.case, name)]
    runs = {(name, mode, seed) for name in names for mode in asked.mode for seed in asked.seeds}
    todo = {run for run in runs - set(found) if run[2] in seeds_of(run[0])}
    with tempfile.TemporaryDirectory() as spare:
        while todo and time.monotonic() < ends:
            run = min(todo, key=lambda run: turn(run, found))
            todo.remove(run)
            if needless(run, found):
                continue
            name, mode, seed = run
            if asked.data is None and not name.startswith(("small", "mask: Nursery", "portions", "size")):
                parser.error("say where the real tables are: --data DIR, or INCROWD_DATA")
            line = found[run] = apart(name, seed, mode, asked.data or HERE, Path(spare))
            with raw.open("a") as lines:
                lines.write(json.dumps({"case": name, "mode": mode, "seed": seed, **line}) + "\n")
            print(name, mode, seed, line.get("error") or [line.get(key) for key in VALUES], sep=" | ", flush=True)
    if asked.compare:
        compare(asked.baseline, {run: line for run, line in found.items() if run[0] in names and "error" not in line})
    else:
        write(asked.baseline, found)


if __name__ == "__main__":
    main()
