from fractions import Fraction

import numpy as np

from incrowd.tables.verify.requirements import alpha_k
from incrowd.tables.verify.requirements.counts import Classes
from oracles import sensitive as plain


def judged(table, group, rows=None, **asked):
    """What the check says of rows in classes."""
    domain, kind = plain.domain_of([(value,) for value in table])
    rows = np.ones(len(table), np.int64) if rows is None else np.array(rows, np.int64)
    classes = Classes(domain, np.array(group, np.int64), kind.astype(np.int64), rows, max(group) + 1)
    return alpha_k.judge({"column": "s0", **asked}, classes)


def test_the_very_share_is_met_and_a_hair_less_is_not():
    table, group = list("aabbcd"), [0] * 6
    assert judged(table, group, alpha=Fraction(1, 3)).met.all()
    found = judged(table, group, alpha=Fraction(1, 3) - Fraction(1, 10**20))
    assert not found.met.any()
    assert found.reached == Fraction(1, 3)


def test_counts_beyond_64_bits_are_decided_exactly():
    limit = Fraction(2**69, 2**70 + 1)
    assert not judged(["a", "b"], [0, 0], [10**12, 10**12], alpha=limit).met[0]
    assert judged(["a", "b"], [0, 0], [10**12, 10**12], alpha=Fraction(1, 2)).met[0]


def test_its_share_limit_is_alpha():
    assert alpha_k.share_limit({"alpha": Fraction(2, 5), "column": "s0"}) == Fraction(2, 5)
