"""The program that is proved: where it is, and what it answers."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from incrowd.proved.question import Question


NAME = "incrowd-proved"
BUILT = Path(__file__).parents[3] / "theorems" / "_build" / NAME
# with as much stack as there may be: its lists are walked by recursion
DEEP = ("/bin/sh", "-c", 'ulimit -s "$(ulimit -H -s)"; exec "$0"')


@dataclass(frozen=True, slots=True)
class Answer:
    """What the program says: a bound, and what the release costs; None where it refuses, or was not asked."""

    bound: int | None
    cost: int | None


def find() -> str | None:
    """Return the path of the program; None where it is not built."""
    named = os.environ.get("INCROWD_PROVED") or shutil.which(NAME)
    return named or (str(BUILT) if BUILT.is_file() else None)


def ask(program: str, question: Question, seconds: float | None = None) -> Answer:
    """Return the program's answer; one that ended without an answer has refused.

    `program` is its path. `seconds` is how long it may take: it is ended then, as it is by whatever else ends the
    asking, and subprocess.TimeoutExpired is raised.
    """
    done = subprocess.run(  # noqa: S603
        [*DEEP, program], input=question.text(), capture_output=True, text=True, check=False, timeout=seconds
    )
    said = dict(line.split() for line in done.stdout.splitlines()) if done.returncode == 0 else {}
    return Answer(*(int(said[name]) if said.get(name, "none") != "none" else None for name in ("bound", "cost")))
