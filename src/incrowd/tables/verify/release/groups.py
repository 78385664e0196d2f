"""Recount of a release: k from the released cells alone, mask and loss from what was starred.

Where a star is a NULL (``suppressed="null"``) a released NULL whose original is NULL too may be either, and a label
that a hierarchy repeats may be read at several levels; the mask is kept if some reading of those cells keeps it, and
the loss is an interval, of readings that keep the mask if there is one.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import ibis

from incrowd.check.mask import keeps, paid_between
from incrowd.tables.verdict import Violation
from incrowd.tables.verify.mask import MaskReading
from incrowd.tables.verify.release.costs import read_costs, read_levels, star_cost
from incrowd.tables.verify.release.hierarchy_levels import labels_of, node_costs, readings, unsure_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import ibis.expr.types as ir
    import numpy as np
    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.values import Levels
    from incrowd.tables.verify.release.costs import Costs

ALIKE = "rows_alike"


@dataclass(frozen=True, slots=True)
class Classes:
    """Classes of a release; fully suppressed rows that need no crowd are apart."""

    violations: tuple[Violation, ...]
    rows: int
    count: int
    smallest: int
    largest: int
    outliers: int


@dataclass(frozen=True, slots=True)
class Loss:
    """Stars of a release: cells and cost, from the surely to the possibly starred ones; at which levels it is shown.

    `suppressed`: rows of stars alone. `low`, `high`: lowest and highest level of each column at which all other rows
    can be read; a column where none can has `low` above `high`. Without other rows every level can be.
    """

    violations: tuple[Violation, ...]
    cells: tuple[int, int]
    cost: tuple[Fraction, Fraction]
    suppressed: int = 0
    low: tuple[int, ...] = ()
    high: tuple[int, ...] = ()


def alike_rows(engine: Engine, rows: ir.Table, columns: Sequence[str]) -> ir.Table:
    """Return one line for rows that are equal in some columns, with their number; computed once.

    Several recounts can ask it instead of the rows: for them this is the one GROUP BY over all rows.
    """
    with engine.guard("counting equal rows"):
        return engine.keep(rows.select(*columns).group_by(list(columns)).aggregate(**{ALIKE: lambda r: r.count()}))


def number_of(lines: ir.Table) -> ir.Value:
    """Return the number of rows that some lines stand for, which are as `alike_rows` gives them."""
    return lines[ALIKE].sum().cast("int64") if ALIKE in lines.columns else lines.count()


def recount_classes(
    engine: Engine, rows: ir.Table, cells: Sequence[str], starred: Sequence[ir.Value], rules: Rules
) -> Classes:
    """Count the classes of released rows with one GROUP BY over the rows.

    `rows` are the released rows, or what `alike_rows` makes of them. `cells` are the m columns of the
    quasi-identifiers, and `starred` says of each whether a released cell reads as a star.
    """
    full = starred[0]
    for mark in starred[1:]:
        full = full & mark
    with engine.guard("recounting the classes"):
        classes = rows.mutate(full=full).group_by([*cells, "full"]).aggregate(n=number_of)
        small = classes.n < rules.policy.k  # [R4]
        summary = classes.group_by("full").aggregate(
            classes=classes.count(),
            rows=classes.n.sum(),
            smallest=classes.n.min(),
            largest=classes.n.max(),
            small=small.sum(),
            example=ibis.ifelse(small, classes.n, ibis.null("int64")).min(),
        )
        found = engine.fetch(summary).to_pylist()
    free = [f for f in found if f["full"] and rules.policy.outliers == "suppress"]
    bound = [f for f in found if f not in free]
    broken = sum(f["small"] for f in bound)
    violations: tuple[Violation, ...] = ()
    if broken:
        example = min(f["example"] for f in bound if f["small"])
        violations = (Violation(f"k={rules.policy.k}", broken, example),)
    return Classes(
        violations,
        rows=sum(f["rows"] for f in found),
        count=sum(f["classes"] for f in bound),
        smallest=min((f["smallest"] for f in bound), default=0),
        largest=max((f["largest"] for f in bound), default=0),
        outliers=sum(f["rows"] for f in free),
    )


def recount_loss(
    engine: Engine,
    rows: ir.Table,
    cells: Sequence[str],
    starred: Sequence[ir.Value],
    rules: Rules,
    maybe: Sequence[ir.Value] | None = None,
) -> Loss:
    """Judge the patterns in use by the mask, and the suppressed rows and one recoding where they are; add up the loss.

    `rows` are the released rows (joined with the original ones where `maybe` asks for it), and `cells` the m columns of
    the quasi-identifiers. Of each of these `starred` says whether a released cell surely is a star, and `maybe` whether
    it may be a star or its own value. It takes one join per column with a hierarchy, one GROUP BY over the rows and one
    more per such column.
    """
    labels = {j: labels_of(engine, fitted) for j, fitted in rules.ladders.items()}
    shown = rules.unchanged([rules.names[j] for j in labels])
    costs, by_level, unsure = [(-shown, -shown)], {}, {}  # [T4]: what the rows cost as they are is taken off
    for j, name in enumerate(rules.names):
        if j not in labels:  # its star is told by the top level
            by_level[j] = [Fraction(0)] * rules.heights()[name] + [rules.star_cost(name)]
            continue
        told = rules.line_costs(name)
        if all(line == told[0] for line in told):
            by_level[j] = told[0]
            continue
        unsure[j] = unsure_lines(labels[j], told)
        costs.append(node_costs(engine, rows, cells[j], starred[j], labels[j], told, unsure[j]))
    if maybe is not None:
        names = [(f"lo{j}", f"hi{j}") for j in range(len(cells))]
        ends = {f"lo{j}": mark.cast("int8") for j, mark in enumerate(starred)}
        ends |= {f"hi{j}": (a | b).cast("int8") for j, (a, b) in enumerate(zip(starred, maybe, strict=True))}
        read = rows.select(**ends)
    else:
        read, names = readings(rows, cells, starred, labels, {j: list(lines) for j, lines in unsure.items() if lines})
    nodes = {j: f"no{j}" for j in range(len(names)) if f"no{j}" in read.columns}
    with engine.guard("recounting the patterns"):
        used = read.group_by([*(end for pair in names for end in pair), *nodes.values()]).aggregate(
            n=lambda r: r.count()
        )
        found = engine.fetch(used).to_pylist()
    plain = [by_level.get(j, [Fraction(0)] * (rules.heights()[name] + 1)) for j, name in enumerate(rules.names)]
    patterns = []
    for one in found:
        own = {j: unsure[j][one[node]] for j, node in nodes.items() if one[node] >= 0}
        low, high = (tuple(int(one[pair[end]]) for pair in names) for end in (0, 1))
        patterns.append((low, high, [own.get(j, costs_) for j, costs_ in enumerate(plain)], int(one["n"])))
    return _judged(patterns, rules, costs)


def _judged(
    patterns: Sequence[tuple[tuple[int, ...], tuple[int, ...], Sequence[Sequence[Fraction]], int]],
    rules: Rules,
    costs: Sequence[tuple[Fraction, Fraction]],
) -> Loss:
    """Judge readings, each with what the levels of some columns cost; what the others' cells cost is in `costs`."""
    outside, example = 0, None
    cells = [0, 0]
    cost = [sum((one[end] for one in costs), Fraction(0)) for end in (0, 1)]
    tops, allows = tuple(rules.heights()[name] for name in rules.names), rules.reading()
    boxes: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for low, high, by_level, rows in patterns:
        boxes[low, high] += rows
        if not allows.looked_through(keeps, low, high):  # [R6]
            outside += rows
            example = rows if example is None else min(example, rows)
        for end, vector in enumerate((low, high)):
            cells[end] += rows * sum(level == top for level, top in zip(vector, tops, strict=True))
        # [R9]
        for end, paid in enumerate(allows.looked_through(paid_between, low, high, by_level)):
            cost[end] += rows * paid
    violations = [Violation("mask", outside, example)] if outside else []
    suppressed = sum(rows for (low, _), rows in boxes.items() if low == tops)
    shown = {box: rows for box, rows in boxes.items() if box[0] != tops}
    low = tuple(map(max, zip((0,) * len(tops), *(low for low, _ in shown), strict=True)))
    high = tuple(map(min, zip(tops, *(high for _, high in shown), strict=True)))
    if rules.policy.limit is not None:  # [U2]
        over = suppressed - math.floor(rules.policy.limit * boxes.total())
        violations += [Violation("suppression limit", over)] if over > 0 else []
    if rules.policy.single and shown:  # [U1] beside the most frequent reading
        _, (bottom, top) = max((rows, box) for box, rows in shown.items())
        if not all(map(int.__le__, low, high)) or not allows.looked_through(keeps, low, high):
            apart = sum(
                rows
                for (a, b), rows in shown.items()
                if any(x > z or y < w for x, y, w, z in zip(a, b, bottom, top, strict=True))
            )
            violations.append(Violation("recoding", max(apart, 1)))
    return Loss(tuple(violations), (cells[0], cells[1]), (cost[0], cost[1]), suppressed, low, high)


# What a release is held to, as the policy says it and the check reads it.
@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a release is judged by.

    `policy`: its words, as `incrowd.check.policy.Policy` reads them. `hierarchies`: by column, as bound to the original
    table. `text`: quasi-identifiers that the release turns into text. `steps`: by ranged column, of the grid on which
    its ranges end, where somebody says it. `held`: what the original table holds of the values of each column, for
    costs that look at it.
    """

    policy: Any
    hierarchies: Mapping[str, Any] = field(default_factory=dict)
    text: tuple[str, ...] = ()
    steps: Mapping[str, Fraction] = field(default_factory=dict)
    held: Mapping[str, Any] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers, in the order of the columns given to the recounts."""
        return self.policy.quasi_identifiers  # type: ignore[no-any-return]

    @property
    def ladders(self) -> dict[int, Any]:
        """The hierarchies whose labels a release may show, by the place of the column."""
        return {j: fitted for j, fitted in self.climbed.items() if self.names[j] in self.text}

    @property
    def climbed(self) -> dict[int, Any]:
        """The hierarchies by the place of the column."""
        return {j: self.hierarchies[name] for j, name in enumerate(self.names) if name in self.hierarchies}

    @property
    def judged(self) -> set[str]:
        """The sensitive columns that a model judges."""
        return {name for model in self.policy.models for name in model.judged}

    def star_cost(self, name: str) -> Fraction:
        """Return the cost of a star in a column without a hierarchy."""
        return star_cost(self.policy.cost, self.policy.weights.get(name, Fraction(1)))

    def line_costs(self, name: str) -> Costs:
        """Return what every line of a column's hierarchy costs at every level, its weight included."""
        weight = self.policy.weights.get(name, Fraction(1))
        return read_costs(self.policy.cost, self.hierarchies[name], weight, self.held.get(name))

    def unchanged(self, names: Collection[str] | None = None) -> Fraction:
        """Return what the original's rows cost as they are, in some columns: 0 but for costs that charge them [T4]."""
        found = Fraction(0)
        for name in self.held.keys() & self.hierarchies.keys() & set(self.names if names is None else names):
            told = zip(self.hierarchies[name].shown(), self.line_costs(name), strict=True)
            found += sum((self.held[name].rows[line[0]] * paid[0] for line, paid in told), Fraction(0))
        return found

    def levels(
        self, sizes: Sequence[int], lines: Sequence[NDArray[np.int64] | None], rows: int
    ) -> tuple[tuple[Levels, ...], int]:
        """Return every column's levels with whole costs, and their scale, as `read_levels` does."""
        told = zip(self.names, lines, strict=True)
        climbing = {name: (self.hierarchies[name], line) for name, line in told if line is not None}
        policy = self.policy
        return read_levels(policy.cost, self.names, sizes, climbing, policy.weights, rows=rows, held=self.held)

    def heights(self) -> dict[str, int]:
        """Return the star's level per column."""
        return {name: self.hierarchies[name].height if name in self.hierarchies else 1 for name in self.names}

    def reading(self) -> MaskReading:
        """Return the mask as it is read over the quasi-identifiers."""
        packed = {name for name, fitted in self.hierarchies.items() if fitted.hierarchy.packed}
        ranged = [j for j, name in enumerate(self.names) if name in packed]
        return MaskReading(self.policy.mask, self.names, list(self.heights().values()), ranged)
