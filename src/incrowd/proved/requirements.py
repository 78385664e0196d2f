"""Requirements as whole numbers: the sensitive values of rows by the number of their other columns; what is asked."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from incrowd.check import classes as check
from incrowd.check.exact import by_bytes
from incrowd.tables.verify import recount

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from incrowd.check.rules import Requirement

    Rule = tuple[Any, ...]  # a family, the value of every combination by its rank, and what the family asks

FAMILIES = ("shares", "distinct", "distance", "entropy", "recursive")


@dataclass(frozen=True, slots=True, eq=False)
class Required:
    """What is asked of every class beside k.

    `rules`: one a requirement, each all that its model asks; of joint l-diversity one a column. `kind`: (o,) int64,
    combination of sensitive values, by the number of a row's other columns.
    """

    rules: Sequence[tuple[Rule, ...]]
    kind: NDArray[np.int64]
    VERSION: ClassVar[int] = 12

    def lines(self) -> list[list[int]]:
        """Return them as the program reads them."""
        found = [[len(self.rules)]]
        for rule, *more in self.rules:
            family, _, *told = rule
            values = [[len(self.kind), *(code[kind] for kind in self.kind)] for _, code, *_ in (rule, *more)]
            head = [FAMILIES.index(family), *values[0]]
            if family == "distinct":
                found.append([5, len(values), *itertools.chain(*values), *told] if more else [*head, *told])
            elif family == "shares":
                whole = math.lcm(*(share.denominator for share in told[0]))
                found.append([*head, whole, len(told[0]), *(int(share * whole) for share in told[0])])
            elif family == "entropy":
                found.append([*head, told[0].numerator, told[0].denominator])
            elif family == "recursive":
                found.append([*head, told[0], told[1].numerator, told[1].denominator])
            else:
                t, apart, scale = told
                found.append([*head, t.numerator * scale, t.denominator, len(apart)])
                found += [[len(line), *line] for line in apart]
        return found

    def told_apart(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return rows with their combination of sensitive values in place of their other columns."""
        return np.column_stack([rows[:, :-1], self.kind[rows[:, -1]]])


def required_of(
    models: Sequence[Any], names: Sequence[str], lines: Sequence[tuple[str | None, ...]], rows: NDArray[np.int64]
) -> Required | None:
    """Return the requirements; None where one is not wholly what the program reads.

    `models` are as the policy has them, and `names` the columns that they judge, in the table's order. `lines` hold
    their values by the number of other columns, and `rows` is (n,) int64: that number, by row of the original.
    """
    if any(model.name == "delta-disclosure" or model.asked.get("enhanced") for model in models):
        return None
    kinds = sorted(set(lines), key=lambda kind: tuple(map(by_bytes, kind)))
    number = {kind: place for place, kind in enumerate(kinds)}
    kind = np.array([number[line] for line in lines], np.int64)
    every = dict(zip(kinds, np.bincount(kind[rows], minlength=len(kinds)).tolist(), strict=True))
    return Required([rules_of(one) for one in recount.asked_of(models, names, every)], kind)


def rules_of(one: Requirement) -> tuple[Rule, ...]:
    """Return all that a requirement asks of a class, in the rules that the program knows."""
    code, asked = [one.code[kind] for kind in one.kinds], one.asked
    if one.form in ("shares", "distinct"):
        return tuple(check.rules_of(one)) if one.form == "distinct" else (("shares", code, check.shares_of(one)),)
    if one.form == "entropy":
        return (("entropy", code, asked["l"]),)
    if one.form == "recursive":
        return (("recursive", code, one.least, asked["c"]),)
    apart = [[one.metric.apart(u, v) for v in range(len(one.values))] for u in range(len(one.values))]
    scale = math.lcm(*(x.denominator for line in apart for x in line))
    return (("distance", code, asked["t"], [[int(x * scale) for x in line] for line in apart], scale),)
