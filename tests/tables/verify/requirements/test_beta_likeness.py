from fractions import Fraction

import numpy as np

from incrowd.tables.verify.requirements import beta_likeness
from incrowd.tables.verify.requirements.counts import Classes
from oracles import sensitive as plain


def judged(table, group, rows=None, **asked):
    """What the check says of rows in classes."""
    domain, kind = plain.domain_of([(value,) for value in table])
    rows = np.ones(len(table), np.int64) if rows is None else np.array(rows, np.int64)
    classes = Classes(domain, np.array(group, np.int64), kind.astype(np.int64), rows, max(group) + 1)
    return beta_likeness.judge({"column": "s0", **asked}, classes)


TABLE, GROUP = list("aabb"), [0, 0, 0, 1]


def test_a_gain_of_exactly_beta_is_met():
    # b alone doubles its share
    assert judged(TABLE, GROUP, beta=Fraction(1), enhanced=False).met.tolist() == [True, True]
    found = judged(TABLE, GROUP, beta=1 - Fraction(1, 10**20), enhanced=False)
    assert found.met.tolist() == [True, False]
    assert found.reached == 1


def test_enhanced_it_also_stays_below_the_logarithm():
    # the gain is 1, -ln(1/2) is 0.69
    found = judged(TABLE, GROUP, beta=Fraction(1), enhanced=True)
    assert (found.met.tolist(), found.reached) == ([True, False], None)
    assert judged(TABLE, [0] * 4, beta=Fraction(1), enhanced=True).met.all()
    assert judged(["a"] * 4, GROUP, beta=Fraction(1), enhanced=True).met.all()


def test_it_limits_no_share_by_a_number_of_its_own():
    assert beta_likeness.share_limit({"beta": Fraction(1), "column": "s0"}) is None
