"""delta-disclosure as the check reads it: |ln(q / p)| < delta for every value that a class has.

q is the value's share of the class, p that of the table (J. Brickell, V. Shmatikov, "The Cost of Privacy", KDD 2008).
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.verify.requirements.counts import exp_above, ln_sign, undecided
from incrowd.tables.verify.requirements.reading import Judged
from incrowd.tables.verify.requirements.rules import Rules, Shares, column_of

if TYPE_CHECKING:
    from incrowd.tables.values import Domain
    from incrowd.tables.verify.requirements.counts import Classes
    from incrowd.tables.verify.requirements.reading import Settings


def judge(asked: Settings, classes: Classes) -> Judged:
    """Return which classes meet it, and the greatest |ln(q / p)|: every delta above it is met."""
    column, delta = classes.column(asked["column"]), asked["delta"]
    size, total = column.sizes[column.owner], column.totals[column.value]
    apart = np.abs(np.log(column.rows / size * (column.n / total)))
    bad = ~(apart < float(delta))
    for e in undecided(apart - float(delta), apart):
        ratio = Fraction(int(column.rows[e]) * column.n, int(size[e]) * int(total[e]))
        ratio = max(ratio, 1 / ratio)
        # a ratio of 1 is at 0, and every delta is above that
        bad[e] = ratio != 1 and ln_sign([(ratio.numerator, 1), (ratio.denominator, -1)], delta) > 0
    return Judged(column.without(bad), float(apart.max()) if apart.size else None)


def rules(asked: Settings, domain: Domain) -> Rules:
    """Return the share p e^delta for every value with share p of the table.

    The least share of the values that a class has is left out: the union of two classes need not keep it.
    """
    column = column_of(domain, asked["column"])
    n, most = int(column["totals"].sum()), exp_above(asked["delta"])
    share = tuple(min(Fraction(total, n) * most, Fraction(1)) for total in column["totals"].tolist())
    return Rules((Shares(**column, share=share),))


def share_limit(asked: Settings) -> None:
    """Return None: it limits no value's share by a number of its own."""
    return
