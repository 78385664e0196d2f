"""What is handed to the program: a table, a policy and a certificate as whole numbers. Nothing here is proved.

Which cells stand for which values, which labels are the same, what they cost and which level vectors the mask allows is
read here, without proof. Everything after that is the program's.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.proved.assignment import vectors_for
from incrowd.proved.grids import on_grid
from incrowd.proved.ladders import STAR, UNKNOWN, by_rank, ladder_of
from incrowd.proved.proofs import numbers_of
from incrowd.proved.requirements import domain_of, required_of
from incrowd.tables.verify.mask import MaskReading
from incrowd.tables.verify.release.costs import read_levels

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.proved.requirements import Required
    from incrowd.proved.terms import Asked
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.values import Levels
    from incrowd.tables.verify.pairing.common_coding import CommonCoding

    Texts = list[list[str | None]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Question:
    """A table, a policy, and what is claimed.

    `suppress`: whether rows of stars alone need no crowd. `labels`: the label at every level; 0 is the star. `levels`:
    what showing a value costs. `allows`: whether the mask allows a level vector. `rows`: (n, m + 1) int64, values of
    the original rows, and a number for their other columns. `claim`: a certificate by prices (``parts``, ``prices``,
    ``components``, ``trees``), by a ``matching``, or, of what is required, with ``multipliers``. `released`: (r, m + 1)
    int64 or None, labels of the released rows, and that number. `vectors`: one for each original row. `required`: what
    is asked beside k.
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
        lines: list[Sequence[int]] = [[self.k, int(self.suppress), len(self.labels)]]
        for column, level in zip(self.labels, self.levels, strict=True):
            lines.append([len(column), level.height + 1])
            lines += (
                np.stack([np.array(column), level.cost.T], axis=2).reshape(len(column), 2 * level.height + 2).tolist()
            )
        allowed = list(filter(self.allows, itertools.product(*(range(level.height + 1) for level in self.levels))))
        lines += [[len(allowed)], *allowed, [len(self.rows)], *self.rows.tolist()]
        lines += [[0]] if self.required is None else self.required.lines()
        lines.append([0] if self.claim is None else numbers_of(self.claim, self.rows, self.required))
        released = [] if self.released is None else self.released.tolist()
        lines += [[1, len(released)], *released, *self.vectors] if self.vectors else [[0]]
        return "\n".join(" ".join(map(str, line)) for line in lines) + "\n"


def texts_of(engine: Engine, tables: CommonCoding, *, released: bool) -> Texts:
    """Return the cells of a table as texts, column by column: the quasi-identifiers first."""
    rows = tables.released if released else tables.original
    names = [*tables.cells, *(f"o{j}" for j in range(len(tables.others)))]
    with engine.guard("handing the rows to the program"):
        found = engine.fetch(rows.select(**{name: engine.text(rows[name]) for name in names}))
    return [found.column(name).to_pylist() for name in names]


def question_of(asked: Asked, tables: CommonCoding, before: Texts, after: Texts, claim: Mapping[str, Any]) -> Question:
    """Return what the program is asked; its unit of cost is the certificate's."""
    names, m, rules = asked.rules.names, len(tables.cells), asked.rules
    values, climbing = [by_rank(column) for column in before[:m]], dict[str, Any]()
    for name, own in zip(names, values, strict=True):
        if name in asked.hierarchies and name not in rules.steps:
            place = {line[0]: i for i, line in enumerate(asked.hierarchies[name].shown())}
            climbing[name] = asked.hierarchies[name], np.array([place[value] for value in own], np.int64)
    ladders = [ladder_of(own, climbing.get(name, [None])[0]) for name, own in zip(names, values, strict=True)]
    sizes, rows = [*map(len, values)], len(before[0])
    plain, scale = read_levels(rules.cost, names, sizes, climbing, rules.weights, rows=rows, counts=rules.counts)
    levels = [replace(level, cost=level.cost * (claim["scale"] // scale)) for level in plain]
    ranged = [names.index(name) for name in rules.steps]
    for j in ranged:
        ladders[j], levels[j] = on_grid(values[j], asked, names[j], claim["scale"])
    others: dict[tuple[str | None, ...], int] = {}
    rest = [
        [others.setdefault(line, len(others)) for line in zip(*columns[m:], strict=True)] or [0] * len(columns[0])
        for columns in (before, after)
    ]
    had = [[ladder.number[value] - 1 for value in column] for ladder, column in zip(ladders, before, strict=False)]
    stars = [tables.star is None or j in tables.starred for j in range(m)]
    known = [{**one.number, **({tables.star: STAR} if star else {})} for star, one in zip(stars, ladders, strict=True)]
    shown = [[one.get(cell, UNKNOWN) for cell in column] for one, column in zip(known, after, strict=False)]
    originals, released = (np.array([*cells, one], np.int64).T for cells, one in zip((had, shown), rest, strict=True))
    required = None
    if asked.rules.requirements:
        judged = [j for j, name in enumerate(tables.others) if name in asked.judged]
        lines_ = [[line[j] for j in judged] for line in others]
        domain, kind = domain_of([tables.others[j] for j in judged], lines_, originals[:, -1])
        required = required_of(asked.rules.requirements, domain, kind)
    labels = [ladder.labels for ladder in ladders]
    allows = MaskReading(asked.mask, names, [level.height for level in levels], ranged)
    return Question(
        k=asked.k, suppress=asked.outliers == "suppress", labels=labels, levels=levels, allows=allows, rows=originals,
        claim=claim, released=released, vectors=vectors_for(labels, levels, allows, originals, released),
        required=required,
    )  # fmt: skip
