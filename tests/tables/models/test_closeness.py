from fractions import Fraction

import numpy as np

from incrowd.tables.models.closeness import LineClose, TransportClose, TreeClose
from incrowd.tables.models.t_closeness import TCloseness
from oracles import sensitive as plain


def test_every_distance_binds_to_its_closed_form_or_to_transport():
    domain, kind = plain.domain_of([(value,) for value in ("1", "2", "4", "4")])
    lines = [("1", "low", "*"), ("2", "low", "*"), ("4", "high", "*")]
    matrix = [["0", "1/3", "1"], ["1/3", "0", "2/3"], ["1", "2/3", "0"]]
    far = Fraction(1, 4) * Fraction(1, 3) + Fraction(1, 2)
    for settings, form, expected in (
        ({}, TreeClose, Fraction(3, 4)),
        ({"distance": "hierarchical", "hierarchy": lines}, TreeClose, Fraction(5, 8)),
        ({"distance": "ordered"}, LineClose, Fraction(5, 8)),
        ({"distance": "numeric"}, LineClose, far),
        ({"distance": matrix}, TransportClose, far),
    ):
        requirement = TCloseness(expected, "s0", **settings).bind(domain)
        assert type(requirement) is form
        one = np.ones(1, np.int64)
        assert requirement.reached(np.zeros(1, np.int64), kind[:1], one, 1) == expected
        assert requirement.meets(np.zeros(1, np.int64), kind[:1], one, 1)[0]
        below = TCloseness(expected - Fraction(1, 10**9), "s0", **settings).bind(domain)
        assert not below.meets(np.zeros(1, np.int64), kind[:1], one, 1)[0]


def test_distances_of_eighteen_digits_make_rows_that_engines_take_and_say_the_same():
    domain, _ = plain.domain_of([(value,) for value in "aabc"])
    third = Fraction(3 * 10**17 + 7, 10**18)
    matrix = [[0, third, 1], [third, 0, 1 - third], [1, 1 - third, 0]]
    rows = TCloseness("0.05", "s0", matrix).bind(domain).linear_rows()
    assert max(abs(rows.extra).max(), abs(rows.counts).max(), abs(rows.size).max()) <= 4
    assert rows.extra[-1].tolist() == [float(x) for row in matrix for x in row if x]
    assert rows.size[-1] == -0.05
    whole = TCloseness("0.5", "s0", [[0, 1, 1], [1, 0, 1], [1, 1, 0]]).bind(domain).linear_rows()
    assert whole.extra[-1].tolist() == [2] * 6 and whole.size[-1] == -1  # as they were: whole numbers
