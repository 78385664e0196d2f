from fractions import Fraction

import numpy as np

from incrowd.tables.verify.requirements import l_diversity
from incrowd.tables.verify.requirements.counts import Classes
from oracles import sensitive as plain


def judged(table, group, rows=None, **asked):
    """What the check says of rows in classes."""
    domain, kind = plain.domain_of([(value,) for value in table])
    rows = np.ones(len(table), np.int64) if rows is None else np.array(rows, np.int64)
    classes = Classes(domain, np.array(group, np.int64), kind.astype(np.int64), rows, max(group) + 1)
    return l_diversity.judge({"column": "s0", **asked}, classes)


def asked(kind, least, **more):
    return {"kind": kind, "l": Fraction(least), "c": None, "columns": (), **more}


def test_every_kind_at_its_very_edge():
    table, group = list("aabbcd"), [0] * 6
    assert judged(table, group, **asked("frequency", 3)).met[0]
    assert not judged(table, group, **asked("frequency", "3.0000000001")).met[0]
    assert judged(table, group, **asked("distinct", 4)).met[0]
    assert not judged(table, group, **asked("distinct", 5)).met[0]
    # 2 < c (1 + 1 + 2): strictly
    assert judged(table, group, **asked("recursive", 2, c=Fraction("0.501"))).met[0]
    assert not judged(table, group, **asked("recursive", 2, c=Fraction(1, 2))).met[0]
    assert judged(list("aabb"), [0] * 4, **asked("entropy", 2)).met[0]
    assert not judged(list("aabb"), [0] * 4, **asked("entropy", "2.0000000000000001")).met[0]


def test_what_is_reached_is_told_in_the_kinds_own_numbers():
    table, group = list("aabbcd"), [0] * 6
    assert judged(table, group, **asked("frequency", 1)).reached == Fraction(3)
    assert judged(table, group, **asked("distinct", 1)).reached == 4
    assert judged(table, group, **asked("recursive", 1, c=Fraction(1))).reached == 2
    assert judged(list("aabb"), [0] * 4, **asked("entropy", 1)).reached == 2.0


def test_the_joint_kind_of_one_column_is_distinct():
    found = judged(list("aab"), [0] * 3, **asked("joint", 3, column=None, columns=("s0",)))
    assert (found.met.tolist(), found.reached) == ([False], 2)


def test_the_frequency_kind_alone_limits_a_share():
    assert l_diversity.share_limit(asked("frequency", "5/2")) == Fraction(2, 5)
    assert l_diversity.share_limit(asked("distinct", 2)) is None
