"""Hostile inputs by the thousand: policies, commands, tables, hierarchies, networks, certificates, arguments.

    PYTHONPATH=src:tests python -m process.fuzz [--seconds 300] [--inputs N] [--seed 0] [--only KIND ...] [--keep FOLDER]

Each input runs in a process that is watched. A finding is a traceback, an exit status that the contract does not have, a
crash, 20 seconds on a small input, a gigabyte of memory, a marked cell in a message, a report or a certificate, a staged
file or private folder left behind, an error without a sentence or with several, a control character in one. Findings are
told apart by kind and place, shrunk, written to FOLDER (`fuzz-findings`), and counted in the table at the end; the exit
status is 1 if there are any. What is mended goes to `tests/process/fuzz/corpus`, which `make test` runs again.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import sys
import time
from collections import Counter
from pathlib import Path

from process.fuzz.case import stored
from process.fuzz.kinds import KINDS, SHARES, case_of
from process.fuzz.sandbox import warmed
from process.fuzz.shrink import shrunk
from process.fuzz.workers import run_alone, run_batch

ROUND = 1000  # inputs, of which each kind has its share
SHRINKING = 20.0  # seconds a finding
# inputs that the first process runs, so that its workers find everything loaded and compiled
WARM = {"network": 60, "python": 40, "policy": 40, "network-certificate": 20}
WARM_OTHERS = 10


def _turns(only: list[str]):
    """Kinds in proportion to their shares, for ever, each with the numbers of its next inputs."""
    begun, whole = Counter(), sum(SHARES[kind] for kind in only)
    while True:
        for kind in only:
            number = max(1, SHARES[kind] * ROUND // whole)
            yield kind, range(begun[kind], begun[kind] + number)
            begun[kind] += number


def _warm_up(only: list[str], most: int) -> None:
    """Load and compile in this process what the workers inherit."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        warmed([case_of(kind, 0, index) for kind in only for index in range(min(most, WARM.get(kind, WARM_OTHERS)))])


def _named(finding) -> str:
    return re.sub(r"[^a-z0-9]+", "-", f"{finding.what} {finding.place}".lower()).strip("-")[:80]


def main(arguments: list[str]) -> int:
    """Run, print the table, and return the exit status."""
    reader = argparse.ArgumentParser(prog="python -m process.fuzz", description=__doc__.partition("\n")[0])
    reader.add_argument("--seconds", type=float, default=300.0)
    reader.add_argument("--inputs", type=int, default=10**12)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--only", nargs="+", choices=list(KINDS), default=list(KINDS))
    reader.add_argument("--keep", type=Path, default=Path("fuzz-findings"))
    asked = reader.parse_args(arguments)
    _warm_up(asked.only, asked.inputs)
    begun, tried, hits, known = time.monotonic(), Counter(), Counter(), {}
    said = begun
    for kind, numbers in _turns(asked.only):
        if time.monotonic() - begun > asked.seconds or tried.total() >= asked.inputs:
            break
        numbers = numbers[: asked.inputs - tried.total()]
        for at in (numbers[0], numbers[-1]):
            case_of(kind, asked.seed, at)  # what is drawn in blocks is drawn here, and not once a worker
        for index, finding in run_batch(lambda at, kind=kind: case_of(kind, asked.seed, at), numbers):
            hits[kind] += 1
            if finding.key not in known:
                known[finding.key] = _kept(asked, kind, index, finding)
        tried[kind] += len(numbers)
        if time.monotonic() - said > 60:
            said = time.monotonic()
            print(f"{said - begun:.0f} s: {tried.total()} inputs, {len(known)} findings", file=sys.stderr, flush=True)
    print(f"{'inputs':<22}{'number':>9}{'findings':>10}")
    for kind in asked.only:
        print(f"{kind:<22}{tried[kind]:>9}{hits[kind]:>10}")
    print(f"{'all':<22}{tried.total():>9}{hits.total():>10}   {time.monotonic() - begun:.0f} s, seed {asked.seed}")
    for (what, place), where in known.items():
        print(f"{what} at {place}: {where}")
    return 1 if known else 0


def _kept(asked, kind: str, index: int, finding) -> str:
    """Shrink what was found, write it down, and say where."""
    case = case_of(kind, asked.seed, index)
    again = run_alone(case)
    note = ""
    if again is None or again.key != finding.key:
        note = " (not again when run alone)"
    else:
        case = shrunk(case, finding, run_alone, SHRINKING)
    asked.keep.mkdir(parents=True, exist_ok=True)
    path = asked.keep / f"{_named(finding)}.json"
    path.write_text(stored(case, f"{finding.what} at {finding.place}"), encoding="utf-8")
    (asked.keep / f"{_named(finding)}.txt").write_text(
        f"seed {asked.seed}, {kind} {index}{note}\n{finding.detail}\n", encoding="utf-8"
    )
    print(f"{finding.what} at {finding.place}{note}: {path}", file=sys.stderr, flush=True)
    return f"{path}{note}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
