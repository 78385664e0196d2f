"""Run every benchmark in turn: ``make bench`` (with ``INCROWD_DATA`` set to the folder of real data)."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path


def machine() -> str:
    """Return CPU model, cores, memory and versions; no host, user or path."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        model = next(
            (line.split(":")[1].strip() for line in cpuinfo.read_text().splitlines() if "model name" in line), model
        )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = ", ".join(f"{name} {version(name)}" for name in ("duckdb", "ibis-framework", "numpy", "numba", "scipy"))
    return f"{model}, {os.cpu_count()} cores, {memory:.0f} GiB, Python {platform.python_version()}, {versions}"


def main() -> None:
    """Run every ``bench_*.py`` beside this file that the arguments name (all without arguments)."""
    print(machine(), flush=True)
    wanted = sys.argv[1:]
    for script in sorted(Path(__file__).parent.glob("bench_*.py")):
        if not wanted or script.stem.removeprefix("bench_") in wanted:
            print(f"\n== {script.stem}", flush=True)
            subprocess.run([sys.executable, script], check=False)


if __name__ == "__main__":
    main()
