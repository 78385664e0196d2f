"""Recount of a release: k from the released cells alone, mask and loss from what was starred.

Where a star is a NULL (``suppressed="null"``) a released NULL whose original is NULL too may be either, and a label
that a hierarchy repeats may be read at several levels; the mask is kept if some reading of those cells keeps it, and
the loss is an interval, of readings that keep the mask if there is one.
"""

from __future__ import annotations

import functools
import operator
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import ibis

from incrowd.check.mask import keeps, paid_between
from incrowd.tables.verdict import Loss, Violation
from incrowd.tables.verify.release.hierarchy_levels import labels_of, node_costs, readings, unsure_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.verify.rules import Rules

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


def alike_rows(engine: Engine, rows: ir.Table, columns: Sequence[str]) -> ir.Table:
    """Return one line for rows that are equal in some columns, with their number; computed once.

    Several recounts can ask it instead of the rows: for them this is the one GROUP BY over all rows.
    """
    with engine.guard("counting equal rows"):
        return engine.keep(rows.select(*columns).group_by(list(columns)).aggregate(**{ALIKE: lambda r: r.count()}))


def number_of(lines: ir.Table) -> ir.Value:
    """Return the number of rows that some lines stand for, which are as `alike_rows` gives them."""
    return lines[ALIKE].sum().cast("int64") if ALIKE in lines.columns else lines.count()


def reads_as_star(cell: ir.Value, star: str | None) -> ir.Value:
    """Return whether a released cell reads as a star: the star text, or NULL where `star` is None."""
    if star is None:
        return cell.isnull()
    return cell.identical_to(star) if cell.type().is_string() else cell.isnull() & cell.notnull()


def recount_classes(engine: Engine, rows: ir.Table, cells: Sequence[str], rules: Rules) -> Classes:
    """Count the classes of released rows with one GROUP BY over the rows.

    `rows` are the released rows, or what `alike_rows` makes of them, and `cells` the m columns of the
    quasi-identifiers.
    """
    full = functools.reduce(operator.and_, (reads_as_star(rows[cell], rules.policy.star) for cell in cells))
    with engine.guard("recounting the classes"):
        classes = rows.group_by(cells, full=full).aggregate(n=number_of)
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


def loss_of_texts(engine: Engine, rows: ir.Table, cells: Sequence[str], rules: Rules) -> Loss:
    """Return the loss of released rows whose stars are a text; `cells` are the columns of the quasi-identifiers."""
    return recount_loss(engine, rows, cells, [reads_as_star(rows[cell], rules.policy.star) for cell in cells], rules)


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
    labels = {j: labels_of(engine, tree) for j, tree in rules.ladders.items()}
    shown = rules.unchanged([rules.names[j] for j in labels])
    costs = [(-shown, -shown)]  # [T4]: what the rows cost as they are is taken off
    unsure: dict[int, dict[int, list[Fraction]]] = {}
    by_level = [[Fraction(0)] * (top + 1) for top in rules.heights]
    for j, name in enumerate(rules.names):
        if j not in labels:  # its star is told by the top level
            by_level[j][-1] = rules.star_cost(name)
            continue
        told = rules.line_costs(name)
        if all(line == told[0] for line in told):
            by_level[j] = told[0]
            continue
        apart = unsure_lines(labels[j], told)
        unsure |= {j: apart} if apart else {}
        costs.append(node_costs(engine, rows, cells[j], starred[j], labels[j], told, apart))
    most = starred if maybe is None else [a | b for a, b in zip(starred, maybe, strict=True)]
    read = readings(rows, cells, starred, most, labels, unsure)
    ends = [[f"{end}{j}" for j in range(len(cells))] for end in ("lo", "hi")]
    nodes = {j: f"no{j}" for j in unsure}
    with engine.guard("recounting the patterns"):
        used = read.group_by([*ends[0], *ends[1], *nodes.values()]).aggregate(n=lambda r: r.count())
        found = engine.fetch(used).to_pylist()
    patterns = []
    for one in found:
        own = {j: unsure[j][one[node]] for j, node in nodes.items() if one[node] >= 0}
        low, high = (tuple(int(one[name]) for name in names) for names in ends)
        patterns.append((low, high, [own.get(j, costs_) for j, costs_ in enumerate(by_level)], int(one["n"])))
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
    tops, allows = rules.heights, rules.mask
    boxes: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()
    for low, high, by_level, rows in patterns:
        boxes[low, high] += rows
        if not allows.looked_through(keeps, low, high):  # [R6]
            outside += rows
            example = rows if example is None else min(example, rows)
        for end, vector in enumerate((low, high)):
            cells[end] += rows * sum(level == top for level, top in zip(vector, tops, strict=True))
        if rules.policy.star is None:  # a missing value costs nothing, whatever the mask asks of it
            paid = [sum((line[at] for line, at in zip(by_level, end, strict=True)), Fraction(0)) for end in (low, high)]
        else:
            paid = allows.looked_through(paid_between, low, high, by_level)
        cost = [a + rows * b for a, b in zip(cost, paid, strict=True)]  # [R9]
    violations = [Violation("mask", outside, example)] if outside else []
    suppressed = sum(rows for (low, _), rows in boxes.items() if low == tops)
    shown = {box: rows for box, rows in boxes.items() if box[0] != tops}
    low = tuple(map(max, zip((0,) * len(tops), *(low for low, _ in shown), strict=True)))
    high = tuple(map(min, zip(tops, *(high for _, high in shown), strict=True)))
    if rules.policy.limit is not None:  # [U2]
        over = suppressed - rules.policy.most_suppressed(boxes.total())
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
