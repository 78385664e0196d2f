"""Prices on what the hub may hold, so that components stay apart where they break a requirement there together.

A hub that meets shares has c_v <= a_v N for its c_v rows of every value v, N rows in all. So for any mu >= 0 a row of
value v in the hub may cost y_v = mu_v - sum_u a_u mu_u more: all rows there together cost nothing more at most, for
sum_v y_v c_v = sum_v mu_v (c_v - a_v N) <= 0. The least releases of all components at these costs, whose hub is free
and not judged, so bound every release of the whole.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.milp import matrix_of, stacked
from incrowd.tables.count_rules import CountRule, Family

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.milp import Rows
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.shared.strong_formulation import StrongFormulation
    from incrowd.tables.values import Int64

__all__ = ["HubPrices", "counted", "hub_prices", "priced", "with_hub_priced"]

MOST_PARTS = 6
MOST = 1 << 40  # of a price, in parts: it is multiplied by rows


@dataclass(frozen=True, slots=True, eq=False)
class HubPrices:
    """What rows cost more in the hub.

    Attributes
    ----------
    extra : (t,) int64
        For a row of each type, in parts of the scaled cost. Over any hub that meets the rules they sum to at most 0.
    parts : int
        Parts that a scaled cost is cut into.
    """

    extra: Int64
    parts: int


def with_hub_priced(model: StrongFormulation, extra: Int64) -> StrongFormulation:
    """Return a program in which a row of type i costs `extra[i]` (scaled) more in the hub.

    `extra`, (t,), is in parts of a cost unit.
    """
    instances = model.instances
    mine = np.flatnonzero(instances.owners == instances.hub)
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


def hub_prices(
    model: StrongFormulation,
    added: Sequence[Rows],
    duals: Float64,
    rules: Sequence[CountRule],
    kinds: NDArray[np.integer],
) -> HubPrices | None:
    """Return prices by the duals of the whole problem's linear program.

    `model` is that of the whole problem, `added` holds the rows beside the model's, and `duals` are those of all rows,
    (r,); any numbers do. The first rule of shares is priced. `kinds`, (t,), is the combination of sensitive values of
    each type.

    None is returned where no rule is one of shares, all prices are 0, or a row in the hub would cost less than nothing.
    Time: the rows' entries, and O(t).
    """
    rule = next((rule for rule in rules if rule.family == Family.SHARES), None)
    instances, pairs = model.instances, model.instances.pairs
    mine = np.flatnonzero(instances.owners == instances.hub)
    if rule is None or not added or not mine.size:
        return None
    rows, columns = stacked(added), len(model.program.cost)
    matrix = matrix_of(rows, columns)
    inside = np.zeros(columns)
    inside[mine] = 1.0
    if model.column[instances.hub] >= 0:
        inside[model.column[instances.hub]] = 1.0
    own = np.diff(matrix.indptr) == (matrix != 0) @ inside  # rows on the hub alone
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
    if (int(instances.costs[instances.hub]) * parts + extra).min() < 0:
        return None
    return HubPrices(extra, parts)


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
