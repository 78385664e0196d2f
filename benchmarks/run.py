"""Run cases, each in a fresh process: against the baseline, beside another tree, or with a mechanism switched off.

    python benchmarks/run.py --data DIR                              # run what is missing, fold into baseline.json
    python benchmarks/run.py --data DIR --compare --case CMC         # run again, print ratios to baseline.json
    python benchmarks/run.py --data DIR --beside TREE --case CMC     # each run here and in another checkout, in turn
    python benchmarks/run.py --data DIR --off "improve: polish" ...  # each run with everything, then without that

DIR (or INCROWD_DATA) holds ``adult.data``, ``cmc.data`` and ARX's files in ``arx``; `cases.py` has the cases, and what
can be switched off. A run is one case, one seed and one mode: ``work`` is a limit in moves, which repeats exactly;
``cpu`` is a limit in CPU seconds of all threads, whose clock stands in place of the wall's, so that a busy machine
changes little (HiGHS alone goes by the wall's: leave it a core of its own). Lines go to ``--raw`` as runs end, so what
was stopped goes on; ``--case REGEX``, ``--mode`` and ``--seeds`` choose. A run that compiled loops is done again, one
that takes 200 CPU seconds more than its limit is given up. What was not run, or cannot be, is null with the reason.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import os
import platform
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from cases import LARGE, LONG, MOVES, OFF, OTHER_MOVES, more, table

HERE = Path(__file__).resolve().parent
CASES = table()
EVERY = CASES | more()
MADE = ("small", "mask: Nursery", "portions", "size", "random", "many", "times", "limit")  # need no folder of data
SEEDS, SECONDS, PATIENCE = range(5), 60, 200  # PATIENCE: CPU seconds after the limit at which a run is given up
VALUES = ("cost", "bound", "cpu", "peak_mb", "excluded")  # of which median, least and most are told
ALSO = ("optimal", "proof", "status", "solver", "suppressed", "wall", "attack_cpu", "attack_complete")


class Run(NamedTuple):
    """A case once; `variant` is what is other than in this tree: another one, or a mechanism that is off."""

    case: str
    mode: str
    seed: int
    variant: str = ""


Runs = dict[Run, dict[str, Any]]


def show(*cells: object) -> None:
    """Print a line of a table."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def head(*names: str) -> None:
    """Print the head of a table."""
    show(*names)
    print("|---" * len(names) + "|")


def machine() -> str:
    """Return CPU model, cores, memory and versions; no host, user or path."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    found = (line.split(":")[1].strip() for line in lines if "model name" in line)
    model = next(found, platform.processor() or platform.machine())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = ", ".join(f"{name} {version(name)}" for name in ("duckdb", "ibis-framework", "numpy", "numba", "scipy"))
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}, {versions}"


def seeds_of(name: str) -> list[int]:
    return [0] if name == LARGE else list(SEEDS)


def used() -> float:
    """CPU seconds of this process, of children that ended, and of those that have not (Spark's Java)."""
    total = sum(sum(resource.getrusage(whose)[:2]) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    for line in Path("/proc/self/task").glob("*/children"):
        for child in line.read_text().split():
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def peak(process: object = "self") -> int:
    """Return the most memory that a process held, in MB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return round(next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024)


def of_spark() -> dict[str, int]:
    """Return what Spark's Java held and what its executors shuffled, where it runs."""
    if "pyspark" not in sys.modules:
        return {}
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    held = context._jsc.sc().statusStore().executorList(False)
    shuffled = sum(held.apply(i).totalShuffleWrite() for i in range(held.size()))
    return {"java_mb": peak(SparkContext._gateway.proc.pid), "shuffled": shuffled}


def one(run: Run, seconds: float, data: Path, spare: Path) -> dict[str, Any]:
    """Run a job in this process, which does nothing else; return its facts."""
    most = int(PATIENCE if seconds <= SECONDS else PATIENCE + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
    make, settings = EVERY[run.case]
    asked = make(data, spare) | settings
    begun, spent = time.monotonic(), sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    time.perf_counter = time.process_time
    import incrowd

    if run.variant in OFF:
        where, changes = OFF[run.variant]
        tuning = importlib.import_module(f"incrowd.tables.solve.{where}")
        tuning.DEFAULT = dataclasses.replace(tuning.DEFAULT, **changes)
    moves = {"work": OTHER_MOVES.get(run.case, MOVES), "time_limit": 3600}
    limit = moves if run.mode == "work" else {"time_limit": seconds}
    out = spare / ("out.parquet" if Path(asked["data"]).suffix == ".parquet" else "out.csv")
    if out.is_dir():  # a release on Spark replaces no other
        shutil.rmtree(out)
    with incrowd.anonymize(**asked, **limit, seed=run.seed, output=out) as release:
        facts = release.facts
        told = {
            "cost": facts["cost"], "bound": facts["lower_bound"], "suppressed": facts.get("suppressed_cells"),
            "cpu": round(used() - spent, 2), "peak_mb": peak(), "wall": round(time.monotonic() - begun, 1),
            **{key: facts.get(key) for key in ("optimal", "proof", "status", "solver", "row_types", "seconds")},
            "checked": facts.get("lower_bound_checked"), **of_spark(),
        }  # fmt: skip
        if run.mode == "cpu":
            told["over"] = round(facts["seconds"]["solve"] + facts["seconds"]["bound"] - seconds, 2)
        if run.case in CASES and run.case != LARGE and not run.variant:
            begun = time.process_time()
            try:
                attack = incrowd.attack(release, time_limit=20)
                told |= {"excluded": attack.excluded_cells, "attack_complete": attack.facts["complete"]}
            except incrowd.errors.IncrowdError as error:
                told |= {"excluded": None, "attack_error": f"{type(error).__name__}: {error}"}
            told["attack_cpu"] = round(time.process_time() - begun, 2)
    return told


def compiled(tree: Path) -> int:
    """How many loops are compiled on disk."""
    return sum(1 for _ in (tree / "src").rglob("*.nbc"))


def apart(run: Run, seconds: float, data: Path, spare: Path) -> dict[str, Any]:
    """Run a job in a fresh process; again where it compiled loops."""
    tree = Path(run.variant) if run.variant and run.variant not in OFF else HERE.parent
    what = json.dumps([run, seconds])
    words = [sys.executable, __file__, "--one", what, "--data", str(data), "--spare", str(spare)]
    for _ in range(2):
        before = compiled(tree)
        done = subprocess.run(words, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(tree / "src")})
        if done.returncode == -signal.SIGXCPU:
            return {"error": f"not done after {PATIENCE} CPU seconds"}
        if done.returncode:
            return {"error": (done.stderr.strip() or f"exit status {done.returncode}").splitlines()[-1][-300:]}
        if compiled(tree) == before:
            break
    return json.loads(done.stdout.splitlines()[-1])


def runs_in(raw: Path) -> Runs:
    lines = [json.loads(line) for line in raw.read_text().splitlines()] if raw.exists() else []
    return {Run(line.pop("case"), line.pop("mode"), line.pop("seed"), line.pop("variant", "")): line for line in lines}


def turn(run: Run, found: Runs) -> tuple[int, int, int, str]:
    """When a run comes: each case once, by time where work takes minutes; other seeds of open ones; the rest."""
    first = found.get(Run(run.case, "work", 0), {})
    if run.mode == "work":
        part = 0 if run.seed == 0 else 4 if first.get("optimal") or first.get("cpu", 0) > 30 else 2
    else:
        part = 5 if run.seed else 1 if run.case in LONG else 3
    return part, run.seed, list(EVERY).index(run.case), run.variant


def needless(run: Run, found: Runs) -> str:
    """Why a run is left out: its search does not go by moves, or 60 seconds would change nothing."""
    if run.mode == "work":
        return "minutes go by in prices, which are not counted in moves" if run.case in LONG else ""
    if run.case not in CASES or run.variant:
        return ""
    if CASES[run.case][1].get("solver") in ("greedy", "mondrian"):
        return "the solver ends by itself: as by work"
    by_work = [found.get(Run(run.case, "work", seed)) for seed in seeds_of(run.case)]
    proven = by_work[0] and all(line is None or line.get("optimal") for line in by_work)
    return "proven by work" if proven else ""


def folded(found: Runs) -> dict[str, Any]:
    """Return what stands in baseline.json: by case and mode values by seed, then median, least and most."""
    cases: dict[str, Any] = {}
    for name, (_, settings) in CASES.items():
        limits = {"work": OTHER_MOVES.get(name, MOVES), "cpu": SECONDS}
        cases[name] = {"settings": settings, "limits": limits}
        for mode in ("work", "cpu"):
            lines = {seed: found[Run(name, mode, seed)] for seed in seeds_of(name) if Run(name, mode, seed) in found}
            errors = [line["error"] for line in lines.values() if "error" in line]
            lines = {seed: line for seed, line in lines.items() if "error" not in line}
            if not lines:
                why = errors[0] if errors else needless(Run(name, mode, 0), found) or "not run"
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
    git = ["git", "log", "-1", "--format=%h", "--", "src"]
    source = subprocess.run(git, stdout=subprocess.PIPE, text=True, cwd=HERE.parent).stdout.strip()
    first = {"machine": machine(), "source": source, "date": time.strftime("%Y-%m-%d"), "values": VALUES}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in first.items()]
    cases = []
    for name, case in folded(found).items():
        parts = ",\n   ".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in case.items())
        cases.append(f"  {json.dumps(name)}: {{\n   {parts}\n  }}")
    lines.append('"cases": {\n' + ",\n".join(cases) + "\n }")
    path.write_text("{\n " + ",\n ".join(lines) + "\n}\n")


def runs_of(baseline: Path) -> Runs:
    """Return the runs that baseline.json holds."""
    found: Runs = {}
    for name, case in json.loads(baseline.read_text())["cases"].items():
        for mode in ("work", "cpu"):
            told = case[mode] or {"seeds": []}
            for place, seed in enumerate(told["seeds"]):
                found[Run(name, mode, seed)] = {key: told[key][place] for key in (*VALUES, *ALSO)}
    return found


def compare(now: Runs, then: Runs, values: tuple[str, ...] = VALUES) -> None:
    """Print medians over the seeds that both have, as now / then, in percent, with the spread of several seeds."""
    head("case", "mode", "seeds", *(f"{key}: now / then" for key in values))
    for name, mode in dict.fromkeys(run[:2] for run in now):
        seeds = [run.seed for run in now if run[:2] == (name, mode) and run._replace(variant="") in then]
        if not seeds:
            show(name, mode, "none in common", *[""] * len(values))
            continue
        cells = []
        for key in values:
            a, b = ([by[Run(name, mode, seed)].get(key) for seed in seeds] for by in (now, then))
            if None in a or None in b:
                cells.append(f"{a[0]} / {b[0]}" if len(seeds) == 1 else "-")
                continue
            x, y = statistics.median(a), statistics.median(b)
            spread = f", {min(a):,g} to {max(a):,g} / {min(b):,g} to {max(b):,g}" if len(seeds) > 1 else ""
            cells.append(f"{x:,g} / {y:,g}" + (f" ({100 * (x / y - 1):+.2f} %)" if y else "") + spread)
        show(name, mode, len(seeds), *cells)


def of_variant(found: Runs, variant: str) -> Runs:
    """Return the runs of one variant that ended well, under their names without it."""
    mine = {run: line for run, line in found.items() if run.variant == variant and "error" not in line}
    return {run._replace(variant=""): line for run, line in mine.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=os.environ.get("INCROWD_DATA"))
    parser.add_argument("--baseline", type=Path, default=HERE / "baseline.json")
    parser.add_argument("--raw", type=Path, help="lines of runs (default: build/baseline.jsonl, or compare.jsonl)")
    parser.add_argument(
        "--case", help="only cases whose name has this regular expression, those beside the baseline too"
    )
    parser.add_argument("--mode", choices=["work", "cpu"], nargs="+", default=["work", "cpu"])
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--seconds", type=float, default=SECONDS, help="the limit of `cpu`")
    parser.add_argument("--minutes", type=float, default=1e9, help="wall minutes after which no run begins")
    parser.add_argument("--compare", action="store_true", help="with the baseline")
    parser.add_argument("--beside", type=Path, nargs="+", default=[], help="other checkouts")
    parser.add_argument("--off", nargs="+", default=[], choices=OFF, metavar="NAME", help="; ".join(OFF))
    parser.add_argument("--list", action="store_true", help="name the cases")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--spare", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        run, seconds = json.loads(asked.one)
        print(json.dumps(one(Run(*run), seconds, asked.data, asked.spare)))
        return
    ends = time.monotonic() + 60 * asked.minutes
    names = list(CASES) if asked.case is None else [name for name in EVERY if re.search(asked.case, name)]
    if asked.list:
        print("\n".join(names))
        return
    variants = [*map(str, asked.beside), *asked.off]
    fold = not (asked.compare or variants)
    raw = asked.raw or HERE.parent / "build" / ("baseline.jsonl" if fold else "compare.jsonl")
    raw.parent.mkdir(exist_ok=True)
    found = runs_in(raw)
    todo = {
        Run(name, mode, seed, variant)
        for name in names
        for mode in asked.mode
        for seed in asked.seeds
        for variant in ("", *variants)
        if seed in seeds_of(name)
    } - set(found)
    with tempfile.TemporaryDirectory() as spare:
        while todo and time.monotonic() < ends:
            run = min(todo, key=lambda run: turn(run, found))
            todo.remove(run)
            if needless(run, found):
                continue
            if asked.data is None and not run.case.startswith(MADE):
                parser.error("say where the real tables are: --data DIR, or INCROWD_DATA")
            line = found[run] = apart(run, asked.seconds, asked.data or HERE, Path(spare))
            with raw.open("a") as lines:
                lines.write(json.dumps({**run._asdict(), **line}) + "\n")
            values = [line.get(key) for key in VALUES]
            print(*run, line.get("error") or values, line.get("over", ""), sep=" | ", flush=True)
    now = {run: line for run, line in of_variant(found, "").items() if run.case in names}
    for variant in variants:
        print(f"\nNow: everything, here; then: {'without ' if variant in OFF else ''}{variant}\n")
        compare(now, of_variant(found, variant), ("cost", "bound", "cpu", "peak_mb"))
    if asked.compare:
        compare(now, runs_of(asked.baseline))
    if fold and set(names) <= set(CASES):
        write(asked.baseline, found)


if __name__ == "__main__":
    main()
