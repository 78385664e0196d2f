"""beta-likeness as the check reads it: a value with share p of the table and q of a class gains (q - p) / p <= beta.

Enhanced, it also gains at most -ln p (J. Cao, P. Karras, "Publishing Microdata with a Robust Privacy Guarantee", PVLDB
5(11), 2012, Definitions 2, 3). Values that lose are free.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.verify.requirements.counts import largest_ratio, ln_above, ln_sign, times, undecided
from incrowd.tables.verify.requirements.reading import Judged
from incrowd.tables.verify.requirements.rules import Rules, Shares, column_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.values import Domain
    from incrowd.tables.verify.requirements.counts import Classes, Counted
    from incrowd.tables.verify.requirements.reading import Settings


def judge(asked: Settings, classes: Classes) -> Judged:
    """Return which classes meet it, and the least beta that all of them meet (None: no beta, for the logarithm)."""
    column, beta = classes.column(asked["column"]), asked["beta"]
    # q / p = (rows / size) / (total / n)
    tops = times(column.rows, column.n)
    bottoms = times(column.sizes[column.owner], column.totals[column.value])
    bad = (times(tops, beta.denominator) > times(bottoms, beta.numerator + beta.denominator)).astype(np.bool_)
    above = _above_the_logarithm(column) if asked["enhanced"] else np.zeros(bad.size, np.bool_)
    most = largest_ratio(tops, bottoms)
    reached = None if most is None or above.any() else max(most - 1, Fraction(0))
    return Judged(column.without(bad | above), reached)


def _above_the_logarithm(column: Counted) -> NDArray[np.bool_]:
    """Return which entries gain more than -ln p, shape (e,)."""
    size, total = column.sizes[column.owner], column.totals[column.value]
    gain = column.rows / size * (column.n / total) - 1
    difference = gain - np.log(column.n / total)
    bad: NDArray[np.bool_] = difference > 0
    for e in undecided(difference, gain):
        exact = Fraction(int(column.rows[e]) * column.n, int(size[e]) * int(total[e])) - 1
        # a gain above 0 is no logarithm of a fraction
        bad[e] = exact > 0 and ln_sign([(column.n, 1), (int(total[e]), -1)], exact) < 0
    return bad


def rules(asked: Settings, domain: Domain) -> Rules:
    """Return the share p (1 + beta) for every value with share p of the table, enhanced p (1 + min(beta, -ln p))."""
    column = column_of(domain, asked["column"])
    n = int(column["totals"].sum())
    found = []
    for total in column["totals"].tolist():
        gain = asked["beta"]
        if asked["enhanced"]:
            gain = min(gain, ln_above(Fraction(n, total)))
        found.append(min(Fraction(total, n) * (1 + gain), Fraction(1)))
    return Rules((Shares(**column, share=tuple(found)),), united=True)


def share_limit(asked: Settings) -> None:
    """Return None: what a value may have depends on its share of the table."""
    return
