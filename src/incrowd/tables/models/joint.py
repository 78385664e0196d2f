"""Joint l-diversity: l rows of a class that differ pairwise in every sensitive column.

Rows matter by their combinations of values alone. For two columns such rows are a matching between the values of
the one and of the other; from three columns on the question is hard in l and is searched with a limit.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.count_rules import CountRule, Family
from incrowd.tables.linear_rows import LinearRows
from incrowd.tables.models.requirement import SensitiveModel, tally

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from numpy.typing import NDArray

    from incrowd.tables.values import Domain, Int32, Int64

__all__ = ["STEPS", "JointlyDiverse", "most_apart"]

STEPS = 200_000  # of one search
STATED = 32  # combinations up to which it is stated in linear rows: they are about the square of that


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JointlyDiverse:
    """Every row lies in l rows of its class that differ pairwise in every one of the columns.

    Attributes
    ----------
    model : SensitiveModel
    l : int
    code : (c,) int32
        Number of the combination of each kind in the judged columns.
    combinations : (d, s) int32
        Values of each combination.
    totals : (d,) int64
        Rows of the table with each combination.
    """

    model: SensitiveModel
    l: int  # noqa: E741
    code: Int32
    combinations: Int32
    totals: Int64
    closed_under_union: ClassVar[bool] = True
    by_cuts: ClassVar[bool] = False

    @classmethod
    def on(cls, model: SensitiveModel, columns: Sequence[str], l: int, domain: Domain) -> JointlyDiverse:  # noqa: E741
        """Return the requirement on one table, whose sensitive values `domain` holds.

        `model` is what is bound, `columns` are two or more sensitive columns, and `l` is at least 1.
        """
        codes = domain.sensitive.codes[:, [domain.column(name) for name in columns]]
        combinations, code = np.unique(codes, axis=0, return_inverse=True)
        of_kind = code.reshape(-1).astype(np.int32)
        totals = np.zeros(len(combinations), np.int64)
        np.add.at(totals, of_kind, domain.counts)
        return cls(model=model, l=l, code=of_kind, combinations=combinations, totals=totals)

    @property
    def rule(self) -> str:
        """The model as it is written in a policy."""
        return self.model.rule

    @property
    def judged(self) -> tuple[str, ...]:
        """The sensitive columns it judges."""
        return self.model.judged

    def describe(self) -> str:
        """Return the requirement in words, settings only."""
        return self.model.describe()

    def meets(self, group: NDArray[Any], kind: NDArray[Any], count: NDArray[Any], groups: int) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,).

        InputError is raised where a group cannot be decided within the limit (three columns and more).
        """
        return np.array([self.of(members) for members in self._members(group, kind, count, groups)], np.bool_)

    def reached(self, group: NDArray[Any], kind: NDArray[Any], count: NDArray[Any], groups: int) -> int | None:
        """Return the greatest l that every group meets (None: there is no group)."""
        members = [some for some in self._members(group, kind, count, groups) if some]
        if not members:
            return None
        l = min(len({row[0] for row in some}) for some in members)  # noqa: E741
        while l > 1 and not all(_all_in(some, l, self._limit) for some in members):
            l -= 1  # noqa: E741
        return l

    def share_limit(self) -> Fraction | None:
        """Return None: a share of one value says nothing of several columns together."""
        return None

    def least_values(self) -> int | None:
        """Return None: it asks for more than different values."""
        return None

    def linear_rows(self) -> LinearRows | None:
        """Return rows that name l - 1 companions of every combination that a group has (None: combinations are many).

        Notes
        -----
        p_c is 1 where the group has combination c, and z_cd where d is one of its companions; both are 0 or 1::

            c_c <= C_c p_c        sum_d z_cd >= (l - 1) p_c        z_cd <= c_d
            sum of z_cd over the d with value v in column j <= p_c

        for c and d that differ in every column. So the d with z_cd = 1 are there, and differ pairwise in every column.
        """
        d = len(self.combinations)
        if d > STATED:
            return None
        apart = (self.combinations[:, None, :] != self.combinations[None, :, :]).all(axis=2)
        one, other = np.nonzero(apart)
        pairs = d + np.arange(one.size)
        counts, extra = [np.eye(d)], [np.zeros((d, d + one.size))]
        extra[0][np.arange(d), np.arange(d)] = -self.totals
        companions = np.zeros((d, d + one.size))
        companions[np.arange(d), np.arange(d)] = self.l - 1
        companions[one, pairs] = -1.0
        there = np.zeros((one.size, d + one.size))
        there[np.arange(one.size), pairs] = 1.0
        counts += [np.zeros((d, d)), -np.eye(d)[other]]
        extra += [companions, there]
        for column in self.combinations.T:
            alike, which = np.unique(one * (int(column.max()) + 1) + column[other], return_inverse=True)
            once = np.zeros((alike.size, d + one.size))
            once[which.reshape(-1), pairs] = 1.0
            once[np.arange(alike.size), alike // (int(column.max()) + 1)] = -1.0
            counts.append(np.zeros((alike.size, d)))
            extra.append(once)
        stated = np.concatenate(counts)
        return LinearRows.of(self.code, stated, np.zeros(len(stated)), np.concatenate(extra), binary=True)

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return that every column has l values: less than is asked for, which no rule on counts says."""
        rules = []
        for values in self.combinations.T:
            _, place = np.unique(values, return_inverse=True)
            code = place.reshape(-1)[self.code].astype(np.int32)
            totals = np.bincount(code).astype(np.int64)
            rules.append(CountRule(family=Family.DISTINCT, code=code, totals=totals, least=self.l, exact=False))
        return tuple(rules)

    def cut_against(self, counts: Int64) -> LinearRows:
        """Raise: none are known."""
        raise NotImplementedError(f"{self.describe()} has no cuts")

    def counts_of(self, kind: NDArray[Any], rows: NDArray[Any]) -> Int64:
        """Return the rows of each combination in one group, (d,) int64.

        `kind` and `rows`, both (e,), are kinds of sensitive values and the rows of the group with each.
        """
        counts = np.zeros(len(self.combinations), np.int64)
        np.add.at(counts, self.code[kind], rows)
        return counts

    def of(self, members: Sequence[tuple[int, ...]]) -> bool:
        """Return whether one group meets it.

        `members` are the combinations of the group, each once; a group of none meets it. InputError is raised where it
        cannot be decided within the limit (three columns and more).
        """
        return not members or _all_in(members, self.l, self._limit)

    def _members(
        self, group: NDArray[Any], kind: NDArray[Any], count: NDArray[Any], groups: int
    ) -> list[list[tuple[int, ...]]]:
        counted = tally(group, self.code[kind], count, groups, len(self.combinations))
        begins = counted.begins()
        rows = [tuple(row) for row in self.combinations[counted.value].tolist()]
        return [rows[a:b] for a, b in itertools.pairwise(begins)]

    def _limit(self) -> InputError:
        return InputError(
            f"{self.describe()}: not decided within {STEPS} steps of search, for this is hard from three columns on; "
            "lower l or name two columns at a time"
        )


def _all_in(members: Sequence[tuple[int, ...]], l: int, limit: Any) -> bool:  # noqa: E741
    """Return whether every combination lies in l of them that differ pairwise in every column."""
    if l <= 1:
        return True
    width = len(members[0])
    if min(len({row[j] for row in members}) for j in range(width)) < l:
        return False
    # any set of l + s - 1 works for every row: at most s of it meet the row in some column
    if _apart_greedily(members) >= l + width - 1:
        return True
    for row in members:
        free = [other for other in members if all(a != b for a, b in zip(row, other, strict=True))]
        if most_apart(free, l - 1, limit) < l - 1:
            return False
    return True


def _apart_greedily(members: Sequence[tuple[int, ...]]) -> int:
    taken: list[set[int]] = [set() for _ in members[0]]
    found = 0
    for row in members:
        if all(value not in used for value, used in zip(row, taken, strict=True)):
            found += 1
            for value, used in zip(row, taken, strict=True):
                used.add(value)
    return found


def most_apart(members: Sequence[tuple[int, ...]], enough: int, limit: Any) -> int:
    """Count the most combinations, at most `enough`, of which any two differ in every column.

    `members` are different combinations, all of the same length. For two columns this is a bipartite matching, for more
    a search that may take exponential time and is limited. Where it takes too long, the error that ``limit()`` returns
    is raised.
    """
    if enough <= 0 or not members:
        return 0
    if len(members[0]) == 2:
        return min(_matching(members), enough)
    steps = 0
    best = 0

    def search(left: list[tuple[int, ...]], size: int) -> None:
        nonlocal steps, best
        best = max(best, size)
        steps += 1
        if steps > STEPS:
            raise limit()
        if not left or best >= enough:
            return
        distinct = [{row[j] for row in left} for j in range(len(left[0]))]
        most = min(len(values) for values in distinct)
        if size + most <= best:
            return
        # branch on the rarest value of the tightest column: one of its rows is taken, or none
        j = min(range(len(distinct)), key=lambda j: len(distinct[j]))
        times = {value: sum(row[j] == value for row in left) for value in distinct[j]}
        value = min(times, key=lambda v: (times[v], v))
        for row in left:
            if row[j] == value:
                apart = [other for other in left if all(a != b for a, b in zip(row, other, strict=True))]
                search(apart, size + 1)
                if best >= enough:
                    return
        search([row for row in left if row[j] != value], size)

    search(list(members), 0)
    return min(best, enough)


def _matching(edges: Sequence[tuple[int, ...]]) -> int:
    """Return the size of a largest matching between the values of two columns (augmenting paths)."""
    beside: dict[int, list[int]] = {}
    for a, b in edges:
        beside.setdefault(a, []).append(b)
    partner: dict[int, int] = {}

    def grow(a: int) -> bool:
        # depth first without recursion: rows of values may be long
        path: list[tuple[int, list[int]]] = [(a, list(beside[a]))]
        seen: set[int] = set()
        took: list[int] = []
        while path:
            _, options = path[-1]
            if not options:
                path.pop()
                if took:
                    took.pop()
                continue
            b = options.pop()
            if b in seen:
                continue
            seen.add(b)
            took.append(b)
            if b not in partner:
                for (node, _), target in zip(path, took, strict=True):
                    partner[target] = node
                return True
            path.append((partner[b], list(beside[partner[b]])))
        return False

    return sum(grow(a) for a in beside)
