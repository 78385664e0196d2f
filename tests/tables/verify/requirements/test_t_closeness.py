from fractions import Fraction

import numpy as np

from incrowd.tables.verify.requirements import t_closeness
from incrowd.tables.verify.requirements.counts import Classes
from oracles import sensitive as plain


def judged(table, group, rows=None, **asked):
    """What the check says of rows in classes."""
    domain, kind = plain.domain_of([(value,) for value in table])
    rows = np.ones(len(table), np.int64) if rows is None else np.array(rows, np.int64)
    classes = Classes(domain, np.array(group, np.int64), kind.astype(np.int64), rows, max(group) + 1)
    return t_closeness.judge({"column": "s0", **asked}, classes)


def asked(distance, t=0, **more):
    return {"t": Fraction(t), "distance": distance, "order": (), "hierarchy": (), **more}


TABLE, GROUP = ["1", "2", "4", "4"], [0, 1, 1, 1]
TREE = (("1", "low", "*"), ("2", "low", "*"), ("4", "high", "*"))
LINE = [[Fraction(abs(a - b), 3) for b in (1, 2, 4)] for a in (1, 2, 4)]


def test_every_distance_by_hand():
    # the class of the 1 alone: a quarter stays, a quarter goes to 2, half goes to 4
    for distance, far in (
        (asked("equal"), Fraction(3, 4)),
        (asked("ordered"), Fraction(1, 4) * Fraction(1, 2) + Fraction(1, 2)),
        (asked("numeric"), Fraction(1, 4) * Fraction(1, 3) + Fraction(1, 2)),
        (asked("hierarchical", hierarchy=TREE), Fraction(1, 4) * Fraction(1, 2) + Fraction(1, 2)),
        (asked(LINE), Fraction(1, 4) * Fraction(1, 3) + Fraction(1, 2)),
    ):
        assert judged(TABLE, GROUP, **distance).reached == far
        at, below = {**distance, "t": far}, {**distance, "t": far - Fraction(1, 10**20)}
        assert judged(TABLE, GROUP, **at).met.tolist() == [True, True]
        assert not judged(TABLE, GROUP, **below).met[0]


def test_the_whole_table_is_no_distance_away_and_one_value_neither():
    for distance in ("equal", "ordered", "numeric", LINE):
        assert judged(TABLE, [0] * 4, **asked(distance)).reached == 0
    for distance in ("equal", "ordered", "numeric"):
        assert judged(["7"] * 3, [0, 0, 1], **asked(distance)).reached == 0


def test_fine_scales_and_large_counts_are_decided_without_64_bits():
    table = ["0", "0.123456789012345678", "1"]
    many = [10**9] * 3
    assert judged(table, [0] * 3, many, **asked("numeric", "1e-30")).met[0]
    found = judged(table, [0, 0, 1], many, **asked("numeric"))
    assert found.reached == plain.moved(["1"], table, plain.ground("numeric", table))


def test_it_limits_no_share_by_a_number_of_its_own():
    assert t_closeness.share_limit(asked("equal")) is None
