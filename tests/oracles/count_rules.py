"""What a group's rows per value must meet, rule by rule, as it is written down; floating point, edges to the rule."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import linprog

from incrowd.tables.count_rules import Family

EDGE = 1e-9


def excess(rule, counts):
    """By how much a group with these rows per value fails a rule; at most 0 (or EDGE) where it meets it."""
    size, n = sum(counts), int(rule.totals.sum())
    if not size:
        return 0.0
    have, want = np.array(counts) / size, rule.totals / n
    if rule.family == Family.SHARES:
        return float((have - rule.share).max())
    if rule.family == Family.DISTINCT:
        return rule.least - sum(count > 0 for count in counts)
    if rule.family == Family.TREE:
        moved = [
            sum(abs((have - want)[nodes == x].sum()) for x in range(nodes.max() + 1)) / 2 for nodes in rule.node
        ]  # fmt: skip
        return sum(moved) / len(moved) - rule.level
    if rule.family == Family.LINE:
        return float((rule.length * np.abs(np.cumsum(have - want)[:-1])).sum()) - rule.level
    if rule.family == Family.TRANSPORT:
        values = len(counts)
        ends = np.concatenate((np.kron(np.eye(values), np.ones(values)), np.tile(np.eye(values), values)))
        found = linprog(rule.distance.ravel(), A_eq=ends, b_eq=np.concatenate((have, want)))
        return float(found.fun) - rule.level
    if rule.family == Family.ENTROPY:
        return rule.level + sum(p * math.log(p) for p in have if p)
    order = sorted(counts, reverse=True)
    return order[0] - rule.level * sum(order[rule.least - 1 :]) + 2 * EDGE


def keeps(rule, counts):
    return excess(rule, counts) <= EDGE


def counts_of(rule, kinds, rows):
    """The rows of each value in a group given by kinds."""
    counts = [0] * rule.values
    for kind, n in zip(kinds, rows, strict=True):
        counts[rule.code[kind]] += int(n)
    return counts
