"""Load every loop before a clock starts, by the jobs of ``scripts/warm.py`` in this process."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

from incrowd.loops import forced


def warmed() -> None:
    """Run the jobs, compiled."""
    way = os.environ.get("INCROWD_LOOPS")
    found = runpy.run_path(str(Path(__file__).parents[1] / "scripts" / "warm.py"))
    with forced("compiled"):
        for name in found["jobs"]():
            found["run"](name)
    if way is None:  # for processes that are timed later
        os.environ.pop("INCROWD_LOOPS")
