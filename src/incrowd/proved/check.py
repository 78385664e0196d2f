"""A release and its certificate before the program that is proved: read, numbered, asked, and its answer in words.

What is read here is read without proof: which cells stand for which values, which labels are the same, what they cost,
and which level vectors the mask allows. Everything after that is the program's.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.proved.assignment import vectors_for
from incrowd.proved.ladders import STAR, UNKNOWN, Ladder, ladder_of
from incrowd.proved.program import Question, ask, find
from incrowd.proved.requirements import domain_of, required_of
from incrowd.tables.verify.bound import certificate as by_prices
from incrowd.tables.verify.bound import matching as by_matching
from incrowd.tables.verify.bound import single_recoding
from incrowd.tables.verify.mask import MaskReading
from incrowd.tables.verify.release.common_coding import alike
from incrowd.tables.verify.release.costs import read_levels

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Fitted
    from incrowd.tables.roles import Roles
    from incrowd.tables.values import Outliers
    from incrowd.tables.verify.release.common_coding import CommonCoding, Side
    from incrowd.tables.verify.release.rules import Rules

__all__ = ["Asked", "Proved", "proved_check"]

NOT_BUILT = "the program is not built here; `make theorems` builds it"
DIVERSE = "a matching of rows whose sensitive values differ is a kind of proof that the program does not read"
REQUIRED = "the program reads of requirements shares, numbers of values and t-closeness alone"
RECODING = "a bound for one recoding of the whole table is a kind of proof that the program does not read"
OTHER = "only releases by levels are read by the program"
NULLS = "stars are NULL beside missing values, which the program does not tell apart"
REFUSED = "the program does not accept the release"
LOWER = "the program proves a lower bound than is claimed"
LATE = "the program was ended by the time limit before it had an answer; a higher --time-limit gives it longer"


@dataclass(frozen=True, slots=True)
class Proved:
    """What the program that is proved says.

    Attributes
    ----------
    holds : bool or None
        Whether the release is accepted at its cost and the whole claimed bound proved; None where the program is not
        built.
    lower_bound : Fraction or None
        What it proves, in the user's units.
    why : str
        Why it does not hold; empty where it does.
    """

    holds: bool | None
    lower_bound: Fraction | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Asked:
    """The policy's part of the question.

    Attributes
    ----------
    roles : Roles
    rules : Rules
    hierarchies : mapping of str to Fitted
    mask : mapping
        As a policy writes it.
    k : int
    outliers : {"forbid", "suppress"}
    text : collection of str
        Quasi-identifiers that were turned into text.
    star : str or None
    levels : bool
        Whether cells are changed by levels.
    judged : collection of str
        Columns that requirements look at.
    """

    roles: Roles
    rules: Rules
    hierarchies: Mapping[str, Fitted]
    mask: Mapping[str, Any]
    k: int
    outliers: Outliers
    text: Collection[str]
    star: str | None
    levels: bool
    judged: Collection[str] = ()


def proved_check(
    engine: Engine, original: Side, released: Side, asked: Asked, claim: Mapping[str, Any], seconds: float | None = None
) -> Proved:
    """Ask the program about a release that the check found good, with a certificate that it found right.

    Parameters
    ----------
    engine : Engine
        Holds both tables.
    original, released : Side
    asked : Asked
    claim : mapping
        The certificate.
    seconds : float, optional
        How long the program may take; it is ended then.

    Notes
    -----
    Both tables leave the engine as text, 60 bytes a cell and more; time and memory grow with rows times columns.
    """
    program = find()
    if program is None:
        return Proved(None, why=NOT_BUILT)
    if refused := _refused(asked, claim):
        return Proved(False, why=refused)
    tables = alike(original, released, asked.roles, engine, text=asked.text, star=asked.star)
    before, after = (_texts(engine, tables, released=side) for side in (False, True))
    if asked.star is None and any(None in column for column in before[: len(tables.cells)]):
        return Proved(False, why=NULLS)
    question, scale = _question(asked, tables, before, after, claim)
    if asked.rules.requirements and question.required is None:
        return Proved(False, why=REQUIRED)
    if question.vectors is None:
        return Proved(False, why=REFUSED)
    try:
        answer = ask(program, question, seconds)
    except subprocess.TimeoutExpired:
        return Proved(False, why=LATE)
    bound = None if answer.bound is None else Fraction(max(answer.bound, 0), scale)
    if answer.cost != claim["cost"]:
        return Proved(False, bound, REFUSED)
    if answer.bound is None or answer.bound < claim["lower_bound"]:
        return Proved(False, bound, LOWER)
    return Proved(True, min(bound or Fraction(0), Fraction(claim["cost"], scale)))


def _refused(asked: Asked, claim: Mapping[str, Any]) -> str:
    """Return why the program does not read a certificate of this kind; empty where it does."""
    kind = claim.get("certificate")
    if kind == single_recoding.NAME:
        return RECODING
    if not asked.levels or kind not in {by_prices.NAME, by_matching.NAME}:
        return OTHER
    if claim.get("diverse"):
        return DIVERSE
    return ""


def _texts(engine: Engine, tables: CommonCoding, *, released: bool) -> list[list[str | None]]:
    """Return the cells of a table as texts, column by column: the quasi-identifiers first."""
    rows = tables.released if released else tables.original
    names = [*tables.cells, *(f"o{j}" for j in range(len(tables.others)))]
    with engine.guard("handing the rows to the program"):
        found = engine.fetch(rows.select(**{name: engine.text(rows[name]) for name in names}))
    return [found.column(name).to_pylist() for name in names]


def _question(
    asked: Asked,
    tables: CommonCoding,
    before: list[list[str | None]],
    after: list[list[str | None]],
    claim: Mapping[str, Any],
) -> tuple[Question, int]:
    """Return what the program is asked, and how many of its units of cost one of the user's is."""
    names, m = asked.rules.names, len(tables.cells)
    ladders: list[Ladder] = []
    climbing: dict[str, tuple[Fitted, NDArray[np.int64]]] = {}
    for j, name in enumerate(names):
        # [T1]
        values = sorted(set(before[j]), key=lambda value: (value is not None, (value or "").encode()))
        fitted, lines = asked.hierarchies.get(name), None
        if fitted is not None:
            place = {line[0]: i for i, line in enumerate(fitted.shown())}
            lines = np.array([place[value] for value in values], np.int64)
            climbing[name] = fitted, lines
        ladders.append(ladder_of(values, fitted, lines))
    labels = [ladder.labels for ladder in ladders]
    levels, scale = read_levels(
        asked.rules.cost, names, list(map(len, labels)), climbing, asked.rules.weights, rows=len(before[0])
    )  # fmt: skip
    others: dict[tuple[str | None, ...], int] = {}
    rest = [
        [others.setdefault(line, len(others)) for line in zip(*columns[m:], strict=True)] or [0] * len(columns[0])
        for columns in (before, after)
    ]
    rows = [[ladder.number[value] - 1 for value in column] for ladder, column in zip(ladders, before, strict=False)]
    shown = [_labels(tables, j, ladder, after[j]) for j, ladder in enumerate(ladders)]
    originals, released = (np.array([*cells, one], np.int64).T for cells, one in zip((rows, shown), rest, strict=True))
    required = None
    if asked.rules.requirements:
        judged = [j for j, name in enumerate(tables.others) if name in asked.judged]
        lines_ = [[line[j] for j in judged] for line in others]
        domain, kind = domain_of([tables.others[j] for j in judged], lines_, originals[:, -1])
        required = required_of(asked.rules.requirements, domain, kind)
    allows = MaskReading(asked.mask, names, [level.height for level in levels])
    return Question(
        k=asked.k, suppress=asked.outliers == "suppress", labels=labels, levels=levels, allows=allows, rows=originals,
        claim=claim, released=released, vectors=vectors_for(labels, levels, allows, originals, released),
        required=required,
    ), scale  # fmt: skip


def _labels(tables: CommonCoding, j: int, ladder: Ladder, cells: Sequence[str | None]) -> list[int]:
    """Return the numbers of the labels that a released column shows."""
    starred = tables.star is None or j in tables.starred
    return [STAR if starred and cell == tables.star else ladder.number.get(cell, UNKNOWN) for cell in cells]
