import numpy as np

from incrowd.tables.verify.requirements import p_sensitive
from incrowd.tables.verify.requirements.counts import Classes
from oracles import sensitive as plain


def judged(table, group, rows=None, **asked):
    """What the check says of rows in classes."""
    domain, kind = plain.domain_of([(value,) for value in table])
    rows = np.ones(len(table), np.int64) if rows is None else np.array(rows, np.int64)
    classes = Classes(domain, np.array(group, np.int64), kind.astype(np.int64), rows, max(group) + 1)
    return p_sensitive.judge({"column": "s0", **asked}, classes)


def test_null_is_a_value_and_every_class_needs_p():
    found = judged(["a", None, "b", "b"], [0, 0, 1, 1], p=2)
    assert found.met.tolist() == [True, False]
    assert found.reached == 1


def test_a_class_without_known_rows_fails_nothing():
    found = judged(["a", "b"], [2, 2], p=2)
    assert found.met.tolist() == [True, True, True]
    assert found.reached == 2


def test_it_limits_no_share():
    assert p_sensitive.share_limit({"p": 2, "column": "s0"}) is None
