"""l-diversity as the check reads it: in every class the sensitive values stay uncertain.

- frequency: no value in more than 1/l of the rows (H. Liang, H. Yuan, DASFAA 2013);
- distinct: at least l values, NULL being one;
- entropy: at least ln l, see `entropy`; recursive: r1 < c (r_l + r_(l+1) + ...) with r1 >= r2 >= ... the rows of the
  values (A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, "l-Diversity", ACM TKDD 1(1), 2007);
- joint: see `joint`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.verify.requirements import p_sensitive
from incrowd.tables.verify.requirements.counts import largest_ratio, times
from incrowd.tables.verify.requirements.entropy import judge_entropy
from incrowd.tables.verify.requirements.joint import judge_jointly
from incrowd.tables.verify.requirements.reading import Judged
from incrowd.tables.verify.requirements.rules import Distinct, EntropyOf, Recursive, Rules, Shares, column_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.values import Domain
    from incrowd.tables.verify.requirements.counts import Classes, Counted
    from incrowd.tables.verify.requirements.reading import Settings

__all__ = ["judge", "rules", "share_limit"]


def judge(asked: Settings, classes: Classes) -> Judged:
    """Return which classes meet it, and the greatest l that all of them meet.

    Raise `InputError` where the joint kind cannot be decided within its limit.
    """
    kind, l = asked["kind"], asked["l"]  # noqa: E741
    if kind == "joint" and len(asked["columns"]) > 1:
        return judge_jointly(asked, classes)
    if kind in ("joint", "distinct"):
        name = asked["column"] if kind == "distinct" else asked["columns"][0]
        return p_sensitive.judge({"p": int(l), "column": name}, classes)
    column = classes.column(asked["column"])
    if kind == "entropy":
        return judge_entropy(column, l)
    if kind == "recursive":
        return _recursive(column, int(l), asked["c"])
    if kind != "frequency":
        raise ValueError(f"there is no kind {kind!r} of l-diversity")
    top = column.largest()
    met = times(top, l.numerator) <= times(column.sizes, l.denominator)
    worst = largest_ratio(top[column.shown], column.sizes[column.shown])
    return Judged(met.astype(np.bool_), None if worst is None else 1 / worst)


def rules(asked: Settings, domain: Domain) -> Rules:
    """Return what the kind asks for; of the joint one that every column has l values, which is less."""
    kind, l = asked["kind"], asked["l"]  # noqa: E741
    if kind == "joint":
        every = (column_of(domain, name) for name in asked["columns"])
        return Rules(tuple(Distinct(**column, least=int(l)) for column in every), united=True)
    column = column_of(domain, asked["column"])
    if kind == "distinct":
        return Rules((Distinct(**column, least=int(l)),), united=True)
    if kind == "entropy":
        return Rules((EntropyOf(**column, l=l),), united=True)
    if kind == "recursive":
        return Rules((Recursive(**column, l=int(l), c=asked["c"]),), united=True)
    return Rules((Shares(**column, share=(1 / Fraction(l),) * column["totals"].size),), united=True)


def share_limit(asked: Settings) -> Fraction | None:
    """Return the share of a class that no value may exceed, for the frequency kind."""
    return 1 / Fraction(asked["l"]) if asked["kind"] == "frequency" else None


def _recursive(column: Counted, l: int, c: Fraction) -> Judged:  # noqa: E741
    """Judge by the rows of all but the l - 1 most frequent values: what is left of the class without those."""
    order = np.lexsort((-column.rows, column.owner))
    ordered, begins = column.rows[order], column.begins
    cumulated = np.concatenate(([0], np.cumsum(ordered)))
    first = column.largest()

    def below(l: int) -> NDArray[np.bool_]:  # noqa: E741
        end = begins[1:]
        tail = cumulated[end] - cumulated[np.minimum(begins[:-1] + max(l - 1, 0), end)]
        met: NDArray[np.bool_] = (times(first, c.denominator) < times(tail, c.numerator)) | ~column.shown
        return met.astype(np.bool_)

    if not column.shown.any():
        return Judged(below(l), None)
    # the tail shrinks with l, so that the greatest l is found by halving
    low, high = 0, int(column.distinct()[column.shown].min())
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if below(middle).all() else (low, middle - 1)
    return Judged(below(l), low)
