"""Prices on what the suppressed class may hold, so that components that break a requirement there stay apart.

A suppressed class that meets shares has c_v <= a_v N for its c_v rows of every value v, N rows in all. So for any mu >=
0 a row of value v in the suppressed class may cost y_v = mu_v - sum_u a_u mu_u more: all rows there together cost
nothing more at most, for sum_v y_v c_v = sum_v mu_v (c_v - a_v N) <= 0. The least releases of all components at these
costs, whose suppressed class is free and not judged, so bound every release of the whole.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import Program, matrix_of, rows_of, solve, stacked
from incrowd.tables.count_rules import CountRule, Family
from incrowd.tables.solve.shared.requirement_rows import value_counts
from incrowd.tables.solve.shared.row_assignment import cost_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.milp import Rows
    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.exact.under_requirements.known_rows import ReleasePool
    from incrowd.tables.solve.shared.components import Part
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.solve.shared.strong_formulation import StrongFormulation
    from incrowd.tables.values import Int64

MOST_PARTS = 6
MOST = 1 << 40  # of a price, in parts: it is multiplied by rows


@dataclass(frozen=True, slots=True, eq=False)
class SuppressionPrices:
    """What rows cost more in the suppressed class.

    `extra`: (t,) int64, for a row of each type, in parts of the scaled cost. Over any suppressed class that meets the
    rules they sum to at most 0. `parts`: parts that a scaled cost is cut into.
    """

    extra: Int64
    parts: int


def with_suppression_priced(model: StrongFormulation, extra: Int64) -> StrongFormulation:
    """Return a program in which a row of type i costs `extra[i]` (scaled) more in the suppressed class.

    `extra`, (t,), is in parts of a cost unit.
    """
    instances = model.instances
    mine = np.flatnonzero(instances.owners == instances.suppressed)
    cost = model.program.cost.copy()
    cost[mine] += extra[instances.members[mine]] / model.unit
    return dataclasses.replace(model, program=dataclasses.replace(model.program, cost=cost))


def counted(model: StrongFormulation) -> int:
    """Return what all rows cost (scaled) if each went where the program has it cheapest."""
    instances = model.instances
    cost = np.rint(model.program.cost[: instances.pairs]).astype(np.int64) * model.unit
    least = np.full(instances.t, cost.max(initial=0))
    np.minimum.at(least, instances.members, cost)
    return int((least * instances.counts).sum())


def suppression_prices(
    model: StrongFormulation,
    added: Sequence[Rows],
    duals: Float64,
    rules: Sequence[CountRule],
    kinds: NDArray[np.integer],
) -> SuppressionPrices | None:
    """Return prices by the duals of the whole problem's linear program.

    `model` is that of the whole problem, `added` holds the rows beside the model's, and `duals` are those of all rows,
    (r,); any numbers do. The first rule of shares is priced. `kinds`, (t,), is the combination of sensitive values of
    each type. None is returned where no rule is one of shares, all prices are 0, or a row in the suppressed class would
    cost less than nothing. Time: the rows' entries, and O(t).
    """
    rule = next((rule for rule in rules if rule.family == Family.SHARES), None)
    instances, pairs = model.instances, model.instances.pairs
    mine = np.flatnonzero(instances.owners == instances.suppressed)
    if rule is None or not added or not mine.size:
        return None
    rows, columns = stacked(added), len(model.program.cost)
    matrix = matrix_of(rows, columns)
    inside = np.zeros(columns)
    inside[mine] = 1.0
    if model.column[instances.suppressed] >= 0:
        inside[model.column[instances.suppressed]] = 1.0
    own = np.diff(matrix.indptr) == (matrix != 0) @ inside  # rows on the suppressed class alone
    pull = -(matrix[own].T @ duals[len(model.program.rows.lower) :][own])[:pairs][mine]
    code = rule.code[kinds]
    here = code[instances.members[mine]]
    held = np.bincount(here, minlength=rule.values)
    mean = np.bincount(here, weights=pull, minlength=rule.values) / np.maximum(held, 1)
    mu = np.where(held > 0, mean - mean[held > 0].min(), 0.0)
    found = priced(rule, np.rint(mu), model.unit)
    if found is None:
        return None
    extra, parts = found[0][code], found[1]
    if (int(instances.costs[instances.suppressed]) * parts + extra).min() < 0:
        return None
    return SuppressionPrices(extra, parts)


def priced(rule: CountRule, mu: Float64, unit: int) -> tuple[Int64, int] | None:
    """Return y of each value, shape (v,), and parts of the scaled cost that it is in; None if all are 0.

    The rule is one of shares. `mu`, (v,), is at least 0, in units; y is a multiple of `unit`, rounded down.
    """
    y = mu - float(rule.share @ mu)
    whole = (parts for parts in range(1, MOST_PARTS) if np.abs(y * parts - np.rint(y * parts)).max(initial=0) < 1e-9)
    parts = next(whole, MOST_PARTS)
    if not y.any() or np.abs(y).max() * parts * unit > MOST:
        return None
    # the nearest whole number is y itself but for the floats' error, where parts make y whole
    return np.floor(y * parts + 1e-9).astype(np.int64) * unit, parts


# One release of each component, chosen among those found so that the suppressed class meets shares: a small integer
# program.
NODES = 2000  # of the integer program's tree


def with_suppression_fitting(
    instances: Instances,
    parts: Sequence[tuple[Part, ReleasePool]],
    kinds: NDArray[np.integer],
    rules: Sequence[CountRule],
    cutoff: int,
    watch: Watch,
) -> Int64 | None:
    """Return the cheapest choice of one release a component with which the suppressed class meets rules of shares.

    The answer is rows per pair of the list, (p,); None if there is no choice, or none was found. `instances` have a
    hub, and `parts` are all components, each with its releases. `kinds`, (t,), is the combination of sensitive values
    of each type. Rules of other kinds than shares are left out. `cutoff` is the scaled cost from which on a release is
    of no use. The program has one column a release, one row a component and one a value and rule. It is solved in
    floating point: who takes the choice judges it.
    """
    shares = [rule for rule in rules if rule.family == Family.SHARES]
    cost, owner, chosen, places = [], [], [], []
    over: list[list[NDArray[np.float64]]] = [[] for _ in shares]
    for number, (part, pool) in enumerate(parts):
        mine = np.flatnonzero(part.instances.owners == part.instances.suppressed)
        there = kinds[part.types][part.instances.members[mine]]
        for own, rows in pool.releases():
            cost.append(float(own))
            owner.append(number)
            places.append(np.flatnonzero(rows))
            chosen.append(rows[places[-1]])
            for rule, held in zip(shares, over, strict=True):
                counts = np.bincount(rule.code[there], weights=rows[mine], minlength=rule.values)
                held.append(counts - rule.share * counts.sum())
    every = np.arange(len(cost))
    entries = [(np.array(owner, np.int64), every, np.ones(every.size))]
    ones = np.ones(len(parts))
    sides = [(ones, ones)]
    if np.unique(owner).size < len(parts) or every.size == len(parts):
        return None
    for held in over:
        table = np.array(held)
        column, value = np.nonzero(table)
        entries.append((value, column, table[column, value]))
        sides.append((np.full(table.shape[1], -np.inf), np.zeros(table.shape[1])))
    scale = max(float(instances.costs.max(initial=1)), 1.0) / 64
    program = Program(
        np.array(cost) / scale, np.zeros(every.size), np.ones(every.size), np.ones(every.size, np.bool_),
        rows_of(entries, sides),
    )  # fmt: skip
    answer = solve(program, cutoff=(cutoff - 0.5) / scale, nodes=NODES, watch=watch)
    if answer.x is None:
        return None
    rows = np.zeros(instances.pairs, np.int64)
    for taken in np.flatnonzero(answer.x > 0.5).tolist():
        rows[parts[owner[taken]][0].places[places[taken]]] = chosen[taken]
    return rows if cost_of(instances, rows) < cutoff else None


# Rows moved into the suppressed class until its class meets the requirements too: a release of the whole from those of
# components.
#
# Components take the suppressed class as free and do not judge it, so what they put there together may break a
# requirement. Rows of other values follow, the cheapest first, from classes that do without them.
PASSES = 6
LOOK = 1024  # moves tried between two looks at the watch


def with_suppression_filled(
    instances: Instances, rows: Int64, kinds: NDArray[np.integer], rules: Sequence[CountRule], need: int, watch: Watch
) -> Int64 | None:
    """Return rows per pair with more of them suppressed, so that the class meets rules of shares and distinct values.

    `rows`, (p,), are rows per pair of instances with a suppressed class; classes outside the suppressed class have the
    rows they need and meet the rules. `kinds`, (t,), is the combination of sensitive values of each type, and `need`
    the rows that the suppressed class needs if it has any. None is returned where no rows that can be spared do, where
    a rule is of another kind, or when the watch said stop. A heuristic in floating point: who takes its rows judges
    them. O(rows of the table times values), `PASSES` times.
    """
    if any(rule.family not in (Family.SHARES, Family.DISTINCT) for rule in rules):
        return None
    owners, members, suppressed = instances.owners, instances.members, instances.suppressed
    codes = [rule.code[kinds] for rule in rules]
    held = [value_counts(instances, code[members], rows, rule.values) for rule, code in zip(rules, codes, strict=True)]
    into = np.full(instances.t, -1, np.int64)
    mine = np.flatnonzero(owners == suppressed)
    into[members[mine]] = mine
    some = np.flatnonzero((rows > 0) & (owners != suppressed) & (into[members] >= 0))
    some = some[np.argsort(instances.costs[suppressed] - instances.costs[owners[some]], kind="stable")]
    rows = rows.copy()
    tried = 0
    for _ in range(PASSES):
        moved = False
        for place in some.tolist():
            i, g = int(members[place]), int(owners[place])
            while rows[place] > 0:
                tried += 1
                if tried % LOOK == 0 and watch.stopped:
                    return None
                wanted = _wanted(rules, [own[suppressed] for own in held], [int(code[i]) for code in codes], need)
                if wanted is None:
                    return rows
                if not wanted or not _spares(
                    rules, [own[g] for own in held], [int(code[i]) for code in codes], int(instances.needs[g])
                ):
                    break
                for own, code in zip(held, codes, strict=True):
                    own[g, code[i]] -= 1
                    own[suppressed, code[i]] += 1
                rows[place] -= 1
                rows[into[i]] += 1
                moved = True
        if not moved:
            break
    return rows if _wanted(rules, [own[suppressed] for own in held], [0] * len(rules), need) is None else None


def _wanted(rules: Sequence[CountRule], suppressed: Sequence[Float64], values: Sequence[int], need: int) -> bool | None:
    """Return whether a row with these values helps the suppressed class; None: it needs no help."""
    size = float(suppressed[0].sum()) if suppressed else 0.0
    if size == 0:
        return None
    broken = size < need
    for rule, counts, value in zip(rules, suppressed, values, strict=True):
        if rule.family == Family.DISTINCT:
            if np.count_nonzero(counts) < rule.least:
                if counts[value] > 0:
                    return False
                broken = True
        else:
            over = counts > rule.share * size + 1e-9
            if over.any():
                if over[value]:
                    return False
                broken = True
    return True if broken else None


def _spares(rules: Sequence[CountRule], held: Sequence[Float64], values: Sequence[int], need: int) -> bool:
    """Return whether a class can do without a row with these values."""
    size = float(held[0].sum()) - 1
    if size < need:
        return False
    for rule, counts, value in zip(rules, held, values, strict=True):
        left = counts.copy()
        left[value] -= 1
        if rule.family == Family.DISTINCT:
            if np.count_nonzero(left) < rule.least:
                return False
        elif (left > rule.share * size + 1e-9).any():
            return False
    return True
