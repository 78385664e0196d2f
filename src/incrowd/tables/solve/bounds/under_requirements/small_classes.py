"""The classes of few rows, one by one: every count of rows per kind that meets the requirements."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.count_rules import Family
from incrowd.tables.solve.shared.requirement_check import kinds_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Int64, Problem

__all__ = ["LISTED", "listed_below", "possible_classes", "valid_classes"]

# Counts of rows per kind that are listed at most.
LISTED = 1 << 15
# What a share is above what a rule says of it in floating point.
ABOVE = 1e-13


def listed_below(problem: Problem, below: int) -> bool:
    """Return whether the classes with fewer than `below` rows are few enough to be listed."""
    return 0 < possible_classes(problem, below) <= LISTED


def possible_classes(problem: Problem, below: int) -> int:
    """Return how many counts of rows per kind a class of 1 to `below` - 1 rows can have; above `LISTED` any number.

    This takes O(kinds * below), and only as long as there are few.
    """
    ways = [1] + [0] * (below - 1)
    for rows in _rows_of_kinds(problem).tolist():
        sums = [0, *np.cumsum(np.array(ways, object)).tolist()]
        ways = [sums[v + 1] - sums[max(v - rows, 0)] for v in range(below)]
        if sum(ways) - 1 > LISTED:
            break
    return int(sum(ways)) - 1


def valid_classes(problem: Problem, below: int) -> tuple[NDArray[np.int16], Int64]:
    """Return the rows per kind of every valid class of fewer than `below` rows, shape (c, kinds), and their sizes.

    `listed_below` must hold for `below`.

    Notes
    -----
    Sorted by size. O(kinds * `LISTED`), and one question to every requirement.

    An instance that another one dominates is left out, since its class may join the other's. Where two classes that
    meet a requirement need not meet it together, the joined class need not meet it: such a requirement is asked by its
    largest shares alone, which joining keeps.
    """
    held = _rows_of_kinds(problem)
    made = np.zeros((1, 0), np.int64)
    for rows in held.tolist():
        left = below - 1 - made.sum(axis=1)
        more = [np.arange(min(rows, int(l)) + 1) for l in left]  # noqa: E741
        again = np.repeat(np.arange(len(made)), [part.size for part in more])
        made = np.column_stack((made[again], np.concatenate(more)))
    made = made[made.sum(axis=1) > 0]
    group, kind = np.nonzero(made)
    fit = np.ones(len(made), np.bool_)
    for requirement in problem.requirements:
        if requirement.closed_under_union:
            fit &= requirement.meets(group, kind, made[group, kind], len(made))
        else:
            fit &= _keep_shares(requirement, made)
    sizes = made[fit].sum(axis=1)
    order = np.argsort(sizes, kind="stable")
    return np.ascontiguousarray(made[fit][order], np.int16), np.ascontiguousarray(sizes[order], np.int64)


def _keep_shares(requirement: Requirement, made: Int64) -> NDArray[np.bool_]:
    """Return which counts of rows per kind keep a requirement's largest shares, shape (c,)."""
    fit = np.ones(len(made), np.bool_)
    for rule in requirement.count_rules():
        if rule.family == Family.SHARES:
            of_value = (rule.code[:, None] == np.arange(rule.values)).astype(np.int64)
            held = made @ of_value
            share = np.minimum(rule.share * (1 + ABOVE), 1.0)
            fit &= (held <= np.floor(share * made.sum(axis=1)[:, None])).all(axis=1)
    return fit


def _rows_of_kinds(problem: Problem) -> Int64:
    """Return the table's rows of every kind, shape (kinds,)."""
    count = 1 if problem.sensitive is None else len(problem.sensitive.codes)
    return np.bincount(kinds_of(problem), weights=problem.types.counts, minlength=count).astype(np.int64)
