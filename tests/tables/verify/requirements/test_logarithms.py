import math
import random
from fractions import Fraction

import numpy as np

from incrowd.tables.verify.requirements.logarithms import exp_above, floor_of_ln, ln_above, ln_sign, undecided

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


def test_bounds_of_logarithms_and_powers_hold_and_are_close():
    for number in (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(10**9 + 1, 10**9), Fraction(10**30)):
        above = ln_above(number)
        assert number == 1 or ln_sign([(number.numerator, 1), (number.denominator, -1)], above) < 0
        assert math.isclose(above, math.log(number), rel_tol=1e-6, abs_tol=1e-12)
    for number in (Fraction(1, 10), Fraction(1, 3), Fraction(1), Fraction(30)):
        power = exp_above(number)
        assert ln_sign([(power.numerator, 1), (power.denominator, -1)], number) > 0
        assert math.isclose(power, math.exp(number), rel_tol=1e-12)
    assert exp_above(Fraction(10**9)) > 10**86


def test_a_multiple_of_a_logarithm_is_rounded_down():
    rng = random.Random(5)
    for _ in range(300):
        times, number = (
            rng.randrange(1, 2 ** rng.randrange(1, 61)),
            Fraction(rng.randrange(1, 50), rng.randrange(1, 50)),
        )
        found = floor_of_ln(times, number)
        if number == 1:
            assert found == 0
            continue
        powers = [(number.numerator, times), (number.denominator, -times)]
        assert ln_sign(powers, Fraction(found)) > 0 > ln_sign(powers, Fraction(found + 1))
    assert floor_of_ln(0, Fraction(7)) == 0
