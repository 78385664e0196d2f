"""Requirements as whole numbers: the sensitive values of rows by the number of their other columns; what is asked."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from incrowd.proved.ladders import by_rank
from incrowd.tables.values import Domain, Sensitive
from incrowd.tables.verify.bound.rule_tables import rules_of
from incrowd.tables.verify.requirements.distances import Line, Tree
from incrowd.tables.verify.requirements.rules import Close, Distinct, EntropyOf, Recursive, Rule, Shares

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from incrowd.tables.verify.requirements.distances import Matrix


__all__ = ["Required", "Rule", "apart_of", "domain_of", "required_of"]

KINDS = (Shares, Distinct, Close, EntropyOf, Recursive)


@dataclass(frozen=True, slots=True, eq=False)
class Required:
    """What is asked of every class beside k.

    `rules`: one a requirement, each all that its model asks; of joint l-diversity one a column. `kind`: (o,) int64,
    combination of sensitive values, by the number of a row's other columns.
    """

    rules: Sequence[tuple[Rule, ...]]
    kind: NDArray[np.int64]
    VERSION: ClassVar[int] = 2

    def lines(self) -> list[list[int]]:
        """Return them as the program reads them."""
        found = [[len(self.rules)]]
        for rule, *more in self.rules:
            values = [[len(self.kind), *np.asarray(one.code)[self.kind].tolist()] for one in (rule, *more)]
            head = [KINDS.index(type(rule)), *values[0]]
            if isinstance(rule, Distinct):
                found.append([5, len(values), *itertools.chain(*values), rule.least] if more else [*head, rule.least])
            elif isinstance(rule, Shares):
                whole = math.lcm(*(share.denominator for share in rule.share))
                found.append([*head, whole, len(rule.share), *(int(share * whole) for share in rule.share)])
            elif isinstance(rule, EntropyOf):
                found.append([*head, rule.l.numerator, rule.l.denominator])
            elif isinstance(rule, Recursive):
                found.append([*head, rule.l, rule.c.numerator, rule.c.denominator])
            else:
                apart, scale = apart_of(rule.apart, rule.totals.size)
                found.append([*head, rule.t.numerator * scale, rule.t.denominator, len(apart)])
                found += [[len(line), *line] for line in apart]
        return found

    def told_apart(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return rows with their combination of sensitive values in place of their other columns."""
        return np.column_stack([rows[:, :-1], self.kind[rows[:, -1]]])


def required_of(models: Sequence[Any], domain: Domain, kind: NDArray[np.int64]) -> Required | None:
    """Return the requirements; None where one is not wholly what the program reads.

    `models` are as the policy has them, and `domain` holds the original's sensitive values. `kind` is (o,) int64: the
    combination of sensitive values, by the number of other columns.
    """
    found = rules_of(models, domain)
    exact = all(one.says.united and one.says.rules and not one.settings.get("enhanced") for one in found)
    return Required([one.says.rules for one in found], kind) if exact else None


def domain_of(
    names: Sequence[str], lines: Sequence[Sequence[str | None]], rows: NDArray[np.int64]
) -> tuple[Domain, NDArray[np.int64]]:
    """Return the sensitive values of a table, and the combination of every number of other columns.

    `names` are the columns that requirements judge, in the table's order, and `lines` hold their values by the number
    of other columns. `rows` is (n,) int64: that number, by row of the original.
    """
    columns = list(zip(*lines, strict=True))
    values = tuple(tuple(by_rank(column)) for column in columns)
    ranks = [{value: rank for rank, value in enumerate(some)} for some in values]
    codes = np.array([[rank[value] for rank, value in zip(ranks, line, strict=True)] for line in lines], np.int32)
    kinds, kind = np.unique(codes, axis=0, return_inverse=True)
    kind = kind.reshape(-1).astype(np.int64)
    counts = np.bincount(kind[rows], minlength=len(kinds))
    return Domain(Sensitive(kinds, tuple(names), tuple(map(len, values))), values, counts), kind


def apart_of(apart: Line | Tree | Matrix, d: int) -> tuple[list[list[int]], int]:
    """Return the distances of values, and what distance 1 is."""
    if isinstance(apart, Line):
        at = [0, *itertools.accumulate(apart.steps)]
        place = [at[p] for p in apart.place.tolist()]
        return [[abs(x - y) for y in place] for x in place], max(at[-1], 1)
    if isinstance(apart, Tree):
        nodes = [line.tolist() for line in apart.nodes]
        return [[sum(line[x] != line[y] for line in nodes) for y in range(d)] for x in range(d)], max(len(nodes), 1)
    return [[int(cost) for cost in line] for line in apart.costs.tolist()], apart.scale
