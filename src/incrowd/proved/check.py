"""A release and its certificate before the program that is proved: where it is, what it is asked, and its answer."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from incrowd.check.exact import Unreadable
from incrowd.check.ranges import RANGES
from incrowd.proved.question import RUNS, question_of, texts_of
from incrowd.tables.verify.pairing.common_coding import alike

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from incrowd.proved.question import Question
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened
    from incrowd.tables.verify.rules import Rules


NOT_BUILT = "the program is not built here; `make theorems` builds it"
REQUIRED = "the program reads all requirements but enhanced beta-likeness and delta-disclosure"
RECODING = "a bound for one recoding of the whole table is a kind of proof that the program does not read"
OTHER = "only releases by levels or on a grid are read by the program"
NULLS = "stars are NULL beside missing values, which the program does not tell apart"
REFUSED = "the program does not accept the release"
LOWER = "the program proves a lower bound than is claimed"
LATE = "the program was ended by the time limit before it had an answer; a higher time_limit gives it longer"
MOST_VECTORS = 1 << 17  # of levels that runs are
NAME = "incrowd-proved"
BUILT = Path(__file__).parents[3] / "theorems" / "_build" / NAME
# with as much stack as there may be: its lists are walked by recursion
DEEP = ("/bin/sh", "-c", 'ulimit -s "$(ulimit -H -s)"; exec "$0"')


@dataclass(frozen=True, slots=True)
class Proved:
    """What the program that is proved says.

    `holds`: whether the release is accepted at its cost and the whole claimed bound proved; None where the program is
    not built. `lower_bound`: what it proves, in the user's units. `why`: why it does not hold; empty where it does.
    """

    holds: bool | None
    lower_bound: Fraction | None = None
    why: str = ""


def proved_check(
    engine: Engine,
    original: Opened,
    released: Opened,
    rules: Rules,
    claim: Mapping[str, Any],
    seconds: float | None = None,
) -> Proved:
    """Ask the program about a release that the check found good, with a certificate that it found right.

    The engine holds both tables, and `claim` is the certificate. `seconds` is how long the program may take; it is
    ended then. Both tables leave the engine as text, 60 bytes a cell and more; time and memory grow with rows times
    columns.
    """
    program = find()
    if program is None:
        return Proved(None, why=NOT_BUILT)
    if refused := _refused(rules, claim):
        return Proved(False, why=refused)
    tables = alike(original, released, rules, engine)
    before, after = (texts_of(engine, tables, released=side) for side in (False, True))
    if rules.policy.star is None and any(None in column for column in before[: len(tables.cells)]):
        return Proved(False, why=NULLS)
    try:
        question, scale = question_of(rules, tables, before, after, claim), claim["scale"]
    except Unreadable as error:
        return Proved(False, why=str(error))
    if math.prod(level.height + 1 for level in question.levels) > MOST_VECTORS and rules.steps:
        return Proved(False, why=RUNS)
    if rules.policy.models and question.required is None:
        return Proved(False, why=REQUIRED)
    if question.vectors is None:
        return Proved(False, why=REFUSED)
    try:
        answer = ask(program, question, seconds)
    except subprocess.TimeoutExpired:
        return Proved(False, why=LATE)
    # [T4] the program counts what the rows cost as they are, and a certificate does not
    offset = sum(int(level.cost[0][question.rows[:, j]].sum()) for j, level in enumerate(question.levels))
    bound = None if answer.bound is None else Fraction(max(answer.bound - offset, 0), scale)
    if answer.cost != claim["cost"] + offset:
        return Proved(False, bound, REFUSED)
    if answer.bound is None or answer.bound - offset < claim["lower_bound"]:
        return Proved(False, bound, LOWER)
    return Proved(True, min(bound or Fraction(0), Fraction(claim["cost"], scale)))


def _refused(rules: Rules, claim: Mapping[str, Any]) -> str:
    """Return why the program does not read a certificate of this kind; empty where it does."""
    kind = claim.get("certificate")
    if kind == "incrowd single recoding bound":
        return RECODING
    if kind == RANGES and rules.steps:
        return ""
    other = rules.policy.grid or rules.policy.ranges or rules.policy.single
    if other or kind not in {"incrowd k-anonymity bound", "incrowd 2-anonymity bound"}:
        return OTHER
    return ""


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
