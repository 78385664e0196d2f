"""A release and its certificate before the program that is proved: what it is asked, and its answer in words."""

from __future__ import annotations

import math
import subprocess
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.check.ranges import RANGES
from incrowd.proved.grids import TooManyRuns
from incrowd.proved.program import ask, find
from incrowd.proved.question import question_of, texts_of
from incrowd.tables.verify.pairing.common_coding import alike

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from incrowd.proved.terms import Asked
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.verify.pairing.common_coding import Side


NOT_BUILT = "the program is not built here; `make theorems` builds it"
REQUIRED = "the program reads all requirements but enhanced beta-likeness and delta-disclosure"
RECODING = "a bound for one recoding of the whole table is a kind of proof that the program does not read"
OTHER = "only releases by levels or on a grid are read by the program"
RUNS = "the grids have more ranges than the program goes through; a coarser grid has fewer"
NULLS = "stars are NULL beside missing values, which the program does not tell apart"
REFUSED = "the program does not accept the release"
LOWER = "the program proves a lower bound than is claimed"
LATE = "the program was ended by the time limit before it had an answer; a higher --time-limit gives it longer"
MOST_VECTORS = 1 << 17  # of levels that runs are


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
    engine: Engine, original: Side, released: Side, asked: Asked, claim: Mapping[str, Any], seconds: float | None = None
) -> Proved:
    """Ask the program about a release that the check found good, with a certificate that it found right.

    The engine holds both tables, and `claim` is the certificate. `seconds` is how long the program may take; it is
    ended then. Both tables leave the engine as text, 60 bytes a cell and more; time and memory grow with rows times
    columns.
    """
    program = find()
    if program is None:
        return Proved(None, why=NOT_BUILT)
    if refused := _refused(asked, claim):
        return Proved(False, why=refused)
    tables = alike(original, released, asked.roles, engine, text=asked.text, star=asked.star)
    before, after = (texts_of(engine, tables, released=side) for side in (False, True))
    if asked.star is None and any(None in column for column in before[: len(tables.cells)]):
        return Proved(False, why=NULLS)
    try:
        question, scale = question_of(asked, tables, before, after, claim), claim["scale"]
    except TooManyRuns:
        return Proved(False, why=RUNS)
    if math.prod(level.height + 1 for level in question.levels) > MOST_VECTORS and asked.rules.steps:
        return Proved(False, why=RUNS)
    if asked.rules.requirements and question.required is None:
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


def _refused(asked: Asked, claim: Mapping[str, Any]) -> str:
    """Return why the program does not read a certificate of this kind; empty where it does."""
    kind = claim.get("certificate")
    if kind == "incrowd single recoding bound":
        return RECODING
    if kind == RANGES and asked.rules.steps:
        return ""
    if not asked.levels or kind not in {"incrowd k-anonymity bound", "incrowd 2-anonymity bound"}:
        return OTHER
    return ""
