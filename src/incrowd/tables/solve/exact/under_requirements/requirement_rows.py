"""Rows that every class that meets a rule satisfies, and that given classes break.

For a class with c_v rows of value v, N = sum c_v, and u = 1 where it is open, each row reads sum a_v c_v + b u <= 0:

SHARES      c_v <= share_v N, for every v; and as N is at least k, the others are at least k - floor(share_v k) rows:
            N - floor(share_v N) does not fall with N.
DISTINCT    whatever l - 1 values are left out, an open class has one row of the others at least.
TREE        sum over heights of the sum of (c_x - q_x N) over some nodes x of that height is at most t H N, q the
            shares of the table; the nodes can be any set, and the sum is largest over those where c_x > q_x N.
LINE        sum over steps of length_s times plus or minus (c below s - q below s N) is at most t N, with any signs.
ENTROPY     sum c_v (log p_v + log l) <= 0 for every distribution p (Gibbs; see `EntropyDiverse.cut_against`).
RECURSIVE   c_v + c sum over T of c_u < c N for every v and every T with l - 1 values.

A class that fails its rule breaks one of its rows, so adding rows until none is broken ends in classes that meet it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from incrowd.milp import Rows
from incrowd.tables.count_rules import Family

if TYPE_CHECKING:
    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.solve.shared.strong_formulation import StrongFormulation

Float64 = NDArray[np.float64]

SEPARABLE = frozenset(Family) - {Family.TRANSPORT}
STRICT = 1e-4  # of a row: whole numbers that meet a strict inequality meet it by more than this in most tables
ROWS_A_CLASS = 3  # shares that one point breaks in one class, the worst first


def broken_rows(
    rule: CountRule, counts: Float64, opened: Float64, *, needs: NDArray[np.integer], least: float
) -> tuple[NDArray[np.int64], Float64, Float64]:
    """Return rows that classes break: the class, (r,), the a_v, (r, v), and the b, (r,), of each.

    The rule is of a family in `SEPARABLE`. `counts` is (g, v): the rows of each value, which need not be whole.
    `opened` is (g,): u, 0 to 1. `needs` is (g,): the rows that each class needs where it is open, at least 1. Rows
    broken by less than `least`, in rows of the table, are left out. O(g v log v) time.
    """
    size = counts.sum(axis=1)
    if rule.family == Family.SHARES:
        return _shares(rule, counts, opened, needs, least)
    if rule.family == Family.DISTINCT:
        values, opens = _distinct(rule, counts), np.ones(len(counts))
    elif rule.family == Family.TREE:
        values, opens = _tree(rule, counts, size), np.zeros(len(counts))
    elif rule.family == Family.LINE:
        values, opens = _line(rule, counts, size), np.zeros(len(counts))
    elif rule.family == Family.ENTROPY:
        values, opens = _entropy(rule, counts, size), np.zeros(len(counts))
    else:
        values, opens = _recursive(rule, counts), np.zeros(len(counts))
    excess = (values * counts).sum(axis=1) + opens * opened
    some = np.flatnonzero(excess > least)
    return some.astype(np.int64), values[some], opens[some]


def all_rows(rule: CountRule, need: int) -> tuple[Float64, Float64] | None:
    """Return all rows of a rule for a class that needs so many rows, where they are few: the a_v and the b of each.

    The rule says which counts of values a class may have; `need`, the least rows of a class, is from 1.
    """
    if rule.family == Family.SHARES:
        others = need - np.floor(rule.share * need + 1e-9)
        eye = np.eye(rule.values)
        return np.concatenate((eye - rule.share[:, None], eye - 1)), np.concatenate((0 * others, others))
    if rule.family == Family.DISTINCT and rule.least == 2:
        return np.eye(rule.values) - 1, np.ones(rule.values)
    return None


def _shares(
    rule: CountRule, counts: Float64, opened: Float64, needs: NDArray[np.integer], least: float
) -> tuple[NDArray[np.int64], Float64, Float64]:
    size = counts.sum(axis=1)[:, None]
    others = needs[:, None] - np.floor(rule.share * needs[:, None] + 1e-9)
    found = []
    for excess, eye, opens in (
        (counts - size * rule.share, np.eye(rule.values) - rule.share[:, None], np.zeros_like(others)),
        (opened[:, None] * others - (size - counts), np.eye(rule.values) - 1, others),
    ):
        rank = np.argsort(np.argsort(-excess, axis=1, kind="stable"), axis=1, kind="stable")
        class_, value = np.nonzero((excess > least) & (rank < ROWS_A_CLASS))
        found.append((class_.astype(np.int64), eye[value], opens[class_, value]))
    classes, values, sides = zip(*found, strict=True)
    return np.concatenate(classes), np.concatenate(values), np.concatenate(sides)


def _distinct(rule: CountRule, counts: Float64) -> Float64:
    order = np.argsort(-counts, axis=1, kind="stable")[:, : rule.least - 1]
    rows = np.full(counts.shape, -1.0)
    np.put_along_axis(rows, order, 0.0, axis=1)
    return rows


def _tree(rule: CountRule, counts: Float64, size: Float64) -> Float64:
    heights = len(rule.node)
    rows = np.full(counts.shape, -rule.level)
    for node in rule.node:
        nodes = int(node.max(initial=-1)) + 1
        below = np.zeros((rule.values, nodes))
        below[np.arange(rule.values), node] = 1
        share = rule.totals @ below / rule.totals.sum()
        over = (counts @ below > size[:, None] * share).astype(np.float64)
        rows += (over[:, node] - (over @ share)[:, None]) / heights
    return rows


def _line(rule: CountRule, counts: Float64, size: Float64) -> Float64:
    share = np.cumsum(rule.totals)[:-1] / rule.totals.sum()
    signs = np.where(np.cumsum(counts, axis=1)[:, :-1] > size[:, None] * share, rule.length, -rule.length)
    # a row of value v lies below every step from v on
    below = np.zeros(counts.shape)
    below[:, :-1] = np.cumsum(signs[:, ::-1], axis=1)[:, ::-1]
    rows: Float64 = below - (signs @ share)[:, None] - rule.level
    return rows


def _entropy(rule: CountRule, counts: Float64, size: Float64) -> Float64:
    share = counts / np.maximum(size, 1e-9)[:, None]
    held = share > 1e-9
    share = np.where(held, share, 0.0)
    reached = -(np.where(held, share, 1.0) * np.log(np.where(held, share, 1.0)) * held).sum(axis=1)
    lacks = np.maximum(rule.level - reached, 0.0)
    none = (~held).sum(axis=1)
    # half of what a class lacks may be spent on the values that it has not
    spare = np.where(none > 0, -np.expm1(-np.maximum(lacks, 1e-6) / 2), 0.0)
    shares = np.where(held, share * (1 - spare)[:, None], (spare / np.maximum(none, 1))[:, None])
    rows: Float64 = np.log(np.maximum(shares, 1e-30)) + rule.level
    return rows


def _recursive(rule: CountRule, counts: Float64) -> Float64:
    order = np.argsort(-counts, axis=1, kind="stable")
    rows = np.full(counts.shape, -rule.level + min(STRICT, rule.strict))
    np.put_along_axis(rows, order[:, :1], np.take_along_axis(rows, order[:, :1], axis=1) + 1, axis=1)
    most = order[:, : rule.least - 1]
    np.put_along_axis(rows, most, np.take_along_axis(rows, most, axis=1) + rule.level, axis=1)
    return rows


# Rows of an integer program: on the values of classes, and on what all costs.
def stated(
    model: StrongFormulation,
    classes: NDArray[np.integer],
    values: Float64,
    opens: Float64,
    code: NDArray[np.integer],
) -> Rows:
    """Return the rows sum a_v c_v + b u <= 0 of some instances over the columns of a program.

    `classes` is (r,): the instance of each row. `values` is (r, v): the a_v. `opens` is (r,): the b; other than 0 only
    for instances that have a u. `code` is (p,): the value of the type of each pair of the model's instances. O(pairs of
    the instances) time and entries.
    """
    begins = model.instances.begins
    columns, entries, ends = [], [], [0]
    for g, row, b in zip(classes.tolist(), values, opens.tolist(), strict=True):
        pairs = np.arange(begins[g], begins[g + 1])
        own = row[code[pairs]]
        used = own != 0
        columns.append(pairs[used])
        entries.append(own[used])
        ends.append(ends[-1] + int(np.count_nonzero(used)))
        if b:
            columns.append(model.column[g : g + 1])
            entries.append(np.array([b]))
            ends[-1] += 1
    return Rows(
        np.array(ends, np.int32), np.concatenate(columns).astype(np.int32), np.concatenate(entries),
        np.full(len(classes), -np.inf), np.zeros(len(classes)),
    )  # fmt: skip


# How many rows of each value every instance holds.
def value_counts(
    instances: Instances, code: NDArray[np.integer], rows: NDArray[np.number], values: int
) -> NDArray[np.float64]:
    """Return the rows of each value in every instance, shape (g, values).

    `code` is (p,): the value of the type of each pair, below `values`. `rows` is (p,): the rows per pair. O(pairs + g
    values) time and memory.
    """
    place = instances.owners.astype(np.int64) * values + code
    held = np.bincount(place, weights=rows, minlength=instances.size * values)
    counts: NDArray[np.float64] = held.astype(np.float64).reshape(instances.size, values)
    return counts
