import random
from fractions import Fraction

from incrowd.tables.verify.requirements.entropy import enough
from oracles import sensitive as plain


def test_small_classes_are_decided_as_by_whole_powers():
    rng = random.Random(1)
    for _ in range(300):
        counts = [rng.randrange(1, 6) for _ in range(rng.randrange(1, 5))]
        least = Fraction(rng.randrange(2, 12), 2)
        members = [v for v, count in enumerate(counts) for _ in range(count)]
        assert enough(counts, least) == plain.entropy(members, least), (counts, least)


def test_exact_ties_are_met_whatever_the_size():
    # 1/2, 1/8, 1/8, 1/8, 1/8: 2^4 * 8^4 = 4^8
    for many in (1, 7001, 10**6):
        assert enough([4 * many, *[many] * 4], Fraction(4))
        assert not enough([4 * many, *[many] * 4], Fraction(4) + Fraction(1, 10**30))
        assert enough([4 * many, *[many] * 4], Fraction(4) - Fraction(1, 10**30))


def test_a_hair_under_the_threshold_is_not_met():
    assert not enough([5001, 5003], Fraction(2))
    assert enough([5001, 5003], Fraction("1.9999"))
    assert not enough([8001 * 4, *[8001] * 4], Fraction(2**521 - 1, 2**519 - 1))


def test_one_value_has_the_entropy_of_one():
    assert enough([5], Fraction(1))
    assert not enough([5], Fraction(3, 2))
