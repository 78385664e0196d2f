"""(alpha, k)-anonymity as the check reads it: in every class no value has more than the share alpha of the rows.

R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang, "(alpha, k)-Anonymity", KDD 2006.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.tables.verify.requirements.counts import largest_ratio, times
from incrowd.tables.verify.requirements.reading import Judged
from incrowd.tables.verify.requirements.rules import Rules, Shares, column_of

if TYPE_CHECKING:
    from incrowd.tables.values import Domain
    from incrowd.tables.verify.requirements.counts import Classes
    from incrowd.tables.verify.requirements.reading import Settings


def judge(asked: Settings, classes: Classes) -> Judged:
    """Return which classes meet it, and the least alpha that all of them meet."""
    column, alpha = classes.column(asked["column"]), asked["alpha"]
    top = column.largest()
    met = times(top, alpha.denominator) <= times(column.sizes, alpha.numerator)
    return Judged(met.astype(bool), largest_ratio(top[column.shown], column.sizes[column.shown]))


def rules(asked: Settings, domain: Domain) -> Rules:
    """Return the share alpha for every value."""
    column = column_of(domain, asked["column"])
    return Rules((Shares(**column, share=(min(asked["alpha"], Fraction(1)),) * column["totals"].size),), united=True)


def share_limit(asked: Settings) -> Fraction:
    """Return the share of a class that no value may exceed."""
    alpha: Fraction = asked["alpha"]
    return alpha
