from fractions import Fraction

from incrowd.tables.models.likeness import at_most_exp


def test_ratios_a_hair_from_an_exponential_are_told_apart():
    e = Fraction("2.71828182845904523536028747135266249775724709369995")
    hair = Fraction(1, 10**45)
    assert at_most_exp(e - hair, Fraction(1))
    assert not at_most_exp(e + hair, Fraction(1))
    assert at_most_exp(Fraction(1), Fraction(0))
    assert not at_most_exp(1 + hair, Fraction(0))
    assert at_most_exp(1 / (e + hair), Fraction(-1))
    assert not at_most_exp(1 / (e - hair), Fraction(-1))
