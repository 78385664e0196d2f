"""Disjoint groups of k rows or more out of sets that overlap."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["DisjointGroups"]


class DisjointGroups:
    """Groups that a cover grows into, one set of rows after the other.

    `types` is the number of row types; every group holds at least k rows.

    Notes
    -----
    As Meyerson and Williams turn a cover into a partition: of two sets that share a row, the larger gives it
    away if it has more than k rows; two sets of k rows become one, of at most 2 k - 1. So a group made of several
    sets has at most 2 k - 1 rows, and a row of it costs at most the sum of what one costs in each of those sets.

    References
    ----------
    .. [1] A. Meyerson, R. Williams, "On the Complexity of Optimal K-Anonymity", PODS 2004.
    """

    def __init__(self, types: int, k: int) -> None:
        self.k = k
        self.rows: list[dict[int, int]] = []
        self._sizes: list[int] = []
        self._holders: list[set[int]] = [set() for _ in range(types)]

    @property
    def groups(self) -> list[dict[int, int]]:
        """The groups: rows of each row type."""
        return [group for group in self.rows if group]

    def add(self, fresh: dict[int, int], others: Iterable[int]) -> None:
        """Add a set: rows that no group holds yet and, where these are fewer than k, rows of the types `others`.

        `fresh` is the rows by row type, at least one row. The `others` are the set's row types, nearest first; with the
        fresh ones they have k rows at least. O(groups that hold a row of these types) time.
        """
        have = sum(fresh.values())
        new, at = dict(fresh), len(self.rows)
        near = list(others) if have < self.k else []
        for i in near:
            for g in sorted(self._holders[i]):
                take = min(self._sizes[g] - self.k, self.rows[g][i], self.k - have)
                if take > 0:
                    self._give(g, i, take)
                    new[i] = new.get(i, 0) + take
                    have += take
            if have == self.k:
                break
        if have < self.k:
            at = min(g for i in near for g in self._holders[i])
        else:
            self.rows.append({})
            self._sizes.append(0)
        for i, rows in new.items():
            self.rows[at][i] = self.rows[at].get(i, 0) + rows
            self._holders[i].add(at)
        self._sizes[at] += have

    def _give(self, group: int, row_type: int, rows: int) -> None:
        """Take rows from a group that has more than k."""
        self._sizes[group] -= rows
        self.rows[group][row_type] -= rows
        if not self.rows[group][row_type]:
            del self.rows[group][row_type]
            self._holders[row_type].remove(group)
