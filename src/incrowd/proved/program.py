"""The program that is proved: where it is, what it is asked, and what it answers."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from incrowd.proved.proofs import numbers_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    from incrowd.proved.requirements import Required
    from incrowd.tables.values import Levels

__all__ = ["Answer", "Question", "ask", "find"]

NAME = "incrowd-proved"
BUILT = Path(__file__).parents[3] / "theorems" / "_build" / NAME
# with as much stack as there may be: its lists are walked by recursion
DEEP = ("/bin/sh", "-c", 'ulimit -s "$(ulimit -H -s)"; exec "$0"')
MOST_VECTORS = 1 << 22  # [T7]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Question:
    """A table, a policy, and what is claimed.

    Attributes
    ----------
    k : int
    suppress : bool
        Whether rows of stars alone need no crowd.
    labels : sequence, by column, of sequences, by value, of sequences of int
        The label at every level; 0 is the star.
    levels : sequence of Levels, length m
        What showing a value costs.
    allows : callable
        Whether the mask allows a level vector.
    rows : (n, m + 1) int64
        Values of the original rows, and a number for their other columns.
    claim : mapping or None
        A certificate by prices (``parts``, ``prices``, ``components``, ``trees``), by a ``matching``, or, of what is
        required, with ``multipliers``.
    released : (r, m + 1) int64 or None
        Labels of the released rows, and that number.
    vectors : sequence of level vectors, or None
        One for each original row.
    required : Required or None
        What is asked beside k.
    """

    k: int
    suppress: bool
    labels: Sequence[Sequence[Sequence[int]]]
    levels: Sequence[Levels]
    allows: Callable[[tuple[int, ...]], bool]
    rows: NDArray[np.int64]
    claim: Mapping[str, Any] | None = None
    released: NDArray[np.int64] | None = None
    vectors: Sequence[tuple[int, ...]] | None = None
    required: Required | None = None

    def text(self) -> str:
        """Return it as the program reads it: ``theorems/main.ml`` says in which order."""
        lines = [f"{self.k} {int(self.suppress)} {len(self.labels)}"]
        for column, level in zip(self.labels, self.levels, strict=True):
            lines.append(f"{len(column)} {level.height + 1}")
            for value, line in enumerate(column):
                lines.append(" ".join(f"{label} {level.cost[x, value]}" for x, label in enumerate(line)))
        every = itertools.product(*(range(level.height + 1) for level in self.levels))
        allowed = [vector for vector in every if self.allows(vector)]
        lines += [str(len(allowed)), *_lines(allowed), str(len(self.rows)), *_lines(self.rows.tolist())]
        lines += _lines([[0]] if self.required is None else self.required.lines())
        proof = [0] if self.claim is None else numbers_of(self.claim, self.rows, self.required)
        lines += _lines([proof])
        if self.released is None or self.vectors is None:
            return "\n".join([*lines, "0\n"])
        lines += [f"1 {len(self.released)}", *_lines(self.released.tolist()), *_lines(self.vectors)]
        return "\n".join(lines) + "\n"


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

    Parameters
    ----------
    program : str
        Its path.
    question : Question
    seconds : float, optional
        How long it may take: it is ended then, as it is by whatever else ends the asking.

    Raises
    ------
    subprocess.TimeoutExpired
    """
    done = subprocess.run(  # noqa: S603
        [*DEEP, program], input=question.text(), capture_output=True, text=True, check=False, timeout=seconds
    )
    said = dict(line.split() for line in done.stdout.splitlines()) if done.returncode == 0 else {}
    return Answer(*(int(said[name]) if said.get(name, "none") != "none" else None for name in ("bound", "cost")))


def _lines(lines: Sequence[Sequence[int]]) -> list[str]:
    return [" ".join(map(str, line)) for line in lines]
