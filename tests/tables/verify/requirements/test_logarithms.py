import math
from fractions import Fraction

import numpy as np

from incrowd.tables.verify.requirements.logarithms import ln_sign, undecided

# ln 2 = 0.693147180559945309417232121458176568075500134360255...
LN2 = Fraction("0.693147180559945309417232121458176568075500134360255")


def test_logarithms_a_hair_from_a_fraction_are_told_apart():
    hair = Fraction(1, 10**45)
    assert ln_sign([(2, 1)], LN2 - hair) == 1
    assert ln_sign([(2, 1)], LN2 + hair) == -1
    assert ln_sign([(4, 1), (2, -1)], LN2 + hair) == -1


def test_powers_of_large_numbers_are_told_apart():
    n = 10**9
    assert ln_sign([(n + 1, n), (n, -n)]) == 1
    assert ln_sign([(n + 1, n), (n, -n)], Fraction(1)) == -1  # (1 + 1/n)^n < e


def test_floats_decide_only_what_is_far_from_the_threshold():
    found = undecided(np.array([0.1, 1e-12, -1e-12, -5.0, math.nan]), np.zeros(5))
    assert found.tolist() == [1, 2, 4]
