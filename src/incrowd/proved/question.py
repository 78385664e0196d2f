"""What is handed to the program: a table, a policy and a certificate as whole numbers. Nothing here is proved.

Which cells stand for which values, which labels are the same, what they cost and which level vectors the mask allows is
read here, without proof. Everything after that is the program's.
"""

from __future__ import annotations

import bisect
import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.check.exact import by_bytes, refuse
from incrowd.check.hierarchies import Grid
from incrowd.proved.proofs import numbers_of
from incrowd.proved.requirements import required_of
from incrowd.proved.suggestions import vectors_for
from incrowd.tables.values import Levels
from incrowd.tables.verify.mask import MaskReading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from incrowd.proved.requirements import Required
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.verify.pairing.common_coding import CommonCoding
    from incrowd.tables.verify.rules import Rules

    Texts = list[list[str | None]]


RUNS = "the grids have more ranges than the program goes through; a coarser grid has fewer"
STAR, UNKNOWN = 0, -1
FAR = 1 << 61
MOST_RUNS, MOST = 1 << 9, 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """One column.

    `labels`: what it shows at levels 0 to h. `number`: mapping of (str or None) to int, by the text of a label, None
    for a missing value; those of the values are 1, 2, ... by rank [T1].
    """

    labels: Sequence[Sequence[int]]
    number: Mapping[str | None, int]


def ladder_of(values: Sequence[str | None], tree: Any | None) -> Ladder:
    """Return the ladder of a column whose `values` are by rank [T1], with its hierarchy, if there is one."""
    number = {value: rank + 1 for rank, value in enumerate(values)}
    above = {} if tree is None else {line[0]: line[1:] for line in tree.shown}
    inner = [[number.setdefault(label, len(number) + 1) for label in above.get(value, ())] for value in values]
    return Ladder([[x, *labels, STAR] for x, labels in enumerate(inner, 1)], number)


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The runs of one column, the cheaper and shorter ones first: the first that holds some values is their shortest.

    `holds`: (d, r) bool, whether a value lies in a run. `cost`: (r + 2, d) int64, what values cost at levels 0
    (themselves), 1 to r (the runs) and r + 1 (the star); more than 2^60 where a value does not lie in the run.
    """

    holds: NDArray[np.bool_]
    cost: NDArray[np.int64]


def runs_of(grid: Grid, values: Sequence[str | None], star: int) -> Runs:
    """Return the runs of a ranged column [G3], in O(d G^2) for d values in G cells.

    `values` are by rank and none is missing, and `star` is the scaled cost of a star. Raise `Unreadable` above
    `MOST_RUNS`, or `MOST` pairs of run and value.
    """
    d, step = len(values), grid.step
    places = [number // step for number in grid.sorted]
    cell = {place: x for x, place in enumerate(dict.fromkeys(places))}
    last = len(cell) - 1
    refuse(last * (last + 3) // 2 > MOST_RUNS or d * last * (last + 3) // 2 > MOST, RUNS)
    high = {cell[place]: int(star * paid) for place, paid in zip(places, grid.paid, strict=True)}
    low = {cell[place]: int(star * paid) for place, paid in zip(reversed(places), reversed(grid.paid), strict=True)}
    every = ((high[b] - low[a], b - a, a, b) for a in range(last + 1) for b in range(a, last + 1))
    runs = np.array(sorted(one for one in every if one[1] < last), np.int64).reshape(-1, 4)
    cells = np.array([cell[grid.numbers[value] // step] for value in values], np.int64)
    holds = (runs[:, 2] <= cells[:, None]) & (cells[:, None] <= runs[:, 3])
    # [T5] far away, and a multiple of the step
    paid = np.where(holds, runs[:, 0], FAR // max(star, 1) * star).T
    return Runs(holds, np.vstack([np.zeros(d, np.int64), paid, np.full(d, star)]))


def on_grid(
    values: Sequence[str | None], cells: Iterable[str | None], step: Fraction, star: int, *, wide: bool
) -> tuple[Ladder, Levels]:
    """Return the ladder of a ranged column, and what its levels cost: its values, every run of cells, and the star.

    A level is a run. A value outside of it shows there a label of its own, which no release shows and which costs more
    than anything, so that a release by these levels is one by ranges, and none is lost. The column's `values` are by
    rank [T1], and `cells` are released ones; `star` and `wide` are as for `runs_of`, which raises `Unreadable`.
    """
    grid, d = Grid(values, step, wide=wide), len(values)
    runs = runs_of(grid, values, star)
    r, own = len(runs.cost) - 2, np.arange(1, d + 1)[:, None]
    lines = np.hstack([own, np.where(runs.holds, 0, own * r) + np.arange(r) + d + 1, 0 * own])
    named = {runs.holds[:, x].tobytes(): x + d + 1 for x in range(r)}
    # of two labels that hold the same values one alone is known: they are two classes
    shown = {cell: run for cell in cells if cell not in grid.numbers and (run := grid.run(cell)) is not None}
    at = np.array([bisect.bisect_left(grid.sorted, grid.numbers[value]) for value in values])
    held = {((first <= at) & (at < last)).tobytes(): cell for cell, (first, last) in shown.items()}
    number = {value: x + 1 for x, value in enumerate(values)}
    number |= {cell: named[some] for some, cell in held.items() if some in named}
    return Ladder(lines.tolist(), number), Levels(up=np.zeros(runs.cost.shape, np.int32), cost=runs.cost)


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


def question_of(rules: Rules, tables: CommonCoding, before: Texts, after: Texts, claim: Mapping[str, Any]) -> Question:
    """Return what the program is asked; its unit of cost is the certificate's."""
    policy, names, m = rules.policy, rules.names, len(tables.cells)
    values = [sorted(set(column), key=by_bytes) for column in before[:m]]
    trees = [None if name in rules.steps else rules.hierarchies.get(name) for name in names]
    ladders = [ladder_of(own, tree) for own, tree in zip(values, trees, strict=True)]
    lines = [
        None if tree is None else np.array([tree.of[value] for value in own], np.int64)
        for own, tree in zip(values, trees, strict=True)
    ]
    plain, scale = rules.levels([*map(len, values)], lines, len(before[0]))
    levels = [replace(level, cost=level.cost * (claim["scale"] // scale)) for level in plain]
    ranged = [names.index(name) for name in rules.steps]
    for j in ranged:
        name, wide = names[j], policy.cost == "ncp"
        star = int(rules.star_cost(name) * claim["scale"])
        ladders[j], levels[j] = on_grid(
            values[j], sorted(set(after[j]), key=by_bytes), rules.steps[name], star, wide=wide
        )
    others: dict[tuple[str | None, ...], int] = {}
    rest = [
        [others.setdefault(line, len(others)) for line in zip(*columns[m:], strict=True)] or [0] * len(columns[0])
        for columns in (before, after)
    ]
    had = [[ladder.number[value] - 1 for value in column] for ladder, column in zip(ladders, before, strict=False)]
    known = [{**ladder.number, tables.star: STAR} for ladder in ladders]
    shown = [[one.get(cell, UNKNOWN) for cell in column] for one, column in zip(known, after, strict=False)]
    originals, released = (np.array([*cells, one], np.int64).T for cells, one in zip((had, shown), rest, strict=True))
    required = None
    if policy.models:
        judged = [j for j, name in enumerate(tables.others) if name in rules.judged]
        sensitive = [tuple(line[j] for j in judged) for line in others]
        required = required_of(policy.models, [tables.others[j] for j in judged], sensitive, originals[:, -1])
    labels = [ladder.labels for ladder in ladders]
    allows = MaskReading(policy.mask, names, [level.height for level in levels], ranged).allows
    return Question(
        k=policy.k, suppress=policy.outliers == "suppress", labels=labels, levels=levels, allows=allows, rows=originals,
        claim=claim, released=released, vectors=vectors_for(labels, levels, allows, originals, released),
        required=required,
    )  # fmt: skip
