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
from incrowd.tables.verify.requirements.rules import Close, Distinct, Shares

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from incrowd.tables.verify.requirements.distances import Matrix

    Rule = Shares | Distinct | Close

__all__ = ["Required", "domain_of", "required_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Required:
    """What is asked of every class beside k.

    Attributes
    ----------
    rules : sequence of rules
        One a requirement, each all that its model asks.
    kind : (o,) int64
        Combination of sensitive values, by the number of a row's other columns.
    """

    rules: Sequence[Rule]
    kind: NDArray[np.int64]
    VERSION: ClassVar[int] = 2

    def lines(self) -> list[list[int]]:
        """Return them as the program reads them."""
        found = [[len(self.rules)]]
        for rule in self.rules:
            value = np.asarray(rule.code)[self.kind].tolist()
            head = [2 if isinstance(rule, Close) else int(isinstance(rule, Distinct)), len(value), *value]
            if isinstance(rule, Shares):
                whole = math.lcm(*(share.denominator for share in rule.share))
                found.append([*head, whole, len(rule.share), *(int(share * whole) for share in rule.share)])
            elif isinstance(rule, Distinct):
                found.append([*head, rule.least])
            else:
                apart, scale = _apart(rule.apart, rule.totals.size)
                found.append([*head, rule.t.numerator * scale, rule.t.denominator, len(apart)])
                found += [[len(line), *line] for line in apart]
        return found

    def told_apart(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return rows with their combination of sensitive values in place of their other columns."""
        return np.column_stack([rows[:, :-1], self.kind[rows[:, -1]]])

    def proof(self, claim: Mapping[str, Any], rows: NDArray[np.int64]) -> list[int]:
        """Return a certificate of version 2 as numbers; its trees and small classes are left out: the bound is lower.

        Parameters
        ----------
        claim : mapping
            Read already.
        rows : (n, m + 1) int64
            Values of the original rows, and the number of their other columns.
        """
        # [V1] The program's row types are told apart by all other columns, the page's by their kind.
        finer = np.unique(rows, axis=0)
        _, first, type_ = np.unique(self.told_apart(finer), axis=0, return_index=True, return_inverse=True)
        found = [3, claim["parts"], len(finer), *np.array(claim["prices"], object)[type_.reshape(-1)].tolist()]
        found.append(len(claim["multipliers"]))
        m = rows.shape[1] - 1
        for one in claim["multipliers"]:
            i, r, *numbers = one[m:]
            found += [*one[:m], int(first[i]), r]
            rule = self.rules[r]
            if isinstance(rule, Close):
                _, scale = _apart(rule.apart, rule.totals.size)
                found += [1, numbers[0], scale, len(numbers) - 1, *itertools.chain(*enumerate(numbers[1:]))]
            else:
                found += [0, len(numbers) // 2, *numbers]
        return found


def required_of(models: Sequence[Any], domain: Domain, kind: NDArray[np.int64]) -> Required | None:
    """Return the requirements; None where one is not wholly what the program reads.

    Parameters
    ----------
    models : sequence of models
        As the policy has them.
    domain : Domain
        The original's sensitive values.
    kind : (o,) int64
        Combination of sensitive values, by the number of other columns.
    """
    found: list[Rule] = []
    for one in rules_of(models, domain):
        rule, *more = one.says.rules or (None,)
        exact = one.says.united and not one.settings.get("enhanced") and one.settings.get("kind") != "joint"
        if more or not exact or not isinstance(rule, (Shares, Distinct, Close)):
            return None
        found.append(rule)
    return Required(found, kind)


def domain_of(
    names: Sequence[str], lines: Sequence[Sequence[str | None]], rows: NDArray[np.int64]
) -> tuple[Domain, NDArray[np.int64]]:
    """Return the sensitive values of a table, and the combination of every number of other columns.

    Parameters
    ----------
    names : sequence of str
        The columns that requirements judge, in the table's order.
    lines : sequence of sequences of str or None
        Their values, by the number of other columns.
    rows : (n,) int64
        That number, by row of the original.
    """
    columns = list(zip(*lines, strict=True))
    values = tuple(tuple(by_rank(column)) for column in columns)
    ranks = [{value: rank for rank, value in enumerate(some)} for some in values]
    codes = np.array([[rank[value] for rank, value in zip(ranks, line, strict=True)] for line in lines], np.int32)
    kinds, kind = np.unique(codes, axis=0, return_inverse=True)
    kind = kind.reshape(-1).astype(np.int64)
    counts = np.bincount(kind[rows], minlength=len(kinds))
    return Domain(Sensitive(kinds, tuple(names), tuple(map(len, values))), values, counts), kind


def _apart(apart: Line | Tree | Matrix, d: int) -> tuple[list[list[int]], int]:
    """Return the distances of values, and what distance 1 is."""
    if isinstance(apart, Line):
        at = [0, *itertools.accumulate(apart.steps)]
        place = [at[p] for p in apart.place.tolist()]
        return [[abs(x - y) for y in place] for x in place], max(at[-1], 1)
    if isinstance(apart, Tree):
        nodes = [line.tolist() for line in apart.nodes]
        return [[sum(line[x] != line[y] for line in nodes) for y in range(d)] for x in range(d)], max(len(nodes), 1)
    return [[int(cost) for cost in line] for line in apart.costs.tolist()], apart.scale
