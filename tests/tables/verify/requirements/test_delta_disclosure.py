from fractions import Fraction

import numpy as np

from incrowd.tables.verify.requirements import delta_disclosure
from incrowd.tables.verify.requirements.counts import Classes
from oracles import sensitive as plain


def judged(table, group, rows=None, **asked):
    """What the check says of rows in classes."""
    domain, kind = plain.domain_of([(value,) for value in table])
    rows = np.ones(len(table), np.int64) if rows is None else np.array(rows, np.int64)
    classes = Classes(domain, np.array(group, np.int64), kind.astype(np.int64), rows, max(group) + 1)
    return delta_disclosure.judge({"column": "s0", **asked}, classes)


def test_a_delta_a_hair_from_the_logarithm_is_decided_exactly():
    # the share of a doubles: ln 2 = 0.693147180559945309417232121458176568...
    above, below = Fraction("0.6931471805599453094172321214581766"), Fraction("0.6931471805599453094172321214581765")
    table, group = list("abab"), [0, 1, 0, 1]
    assert judged(table, group, delta=above).met.all()
    assert not judged(table, group, delta=below).met.any()


def test_values_that_a_class_lacks_are_passed_over():
    found = judged(list("abab"), [0] * 4, delta=Fraction(1, 10**9))
    assert (found.met.tolist(), found.reached) == ([True], 0.0)


def test_it_limits_no_share_by_a_number_of_its_own():
    assert delta_disclosure.share_limit({"delta": Fraction(1), "column": "s0"}) is None
