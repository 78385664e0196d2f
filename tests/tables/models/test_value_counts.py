from fractions import Fraction

import numpy as np

from incrowd.tables.models.alpha_k import AlphaK
from incrowd.tables.models.l_diversity import LDiversity
from oracles import sensitive as plain
from oracles.models_drawn import Drawn


def test_counts_beyond_64_bits_are_decided_exactly():
    domain, _ = plain.domain_of([("a",), ("b",)])
    least = Fraction(2**70 + 1, 2**69)
    requirement = LDiversity(least, "s0").bind(domain)
    kinds, zero = np.array([0, 1]), np.zeros(2, np.int64)
    assert not requirement.meets(zero, kinds, np.array([1, 1]), 1)[0]
    assert LDiversity(2, "s0").bind(domain).meets(zero, kinds, np.array([10**12, 10**12]), 1)[0]


def test_alpha_and_frequency_diversity_are_one_requirement_told_in_two_ways():
    for seed in range(30):
        drawn = Drawn(seed)
        share = Fraction(1, drawn.rng.randrange(1, 5))
        one, other = AlphaK(share, "s0"), LDiversity(1 / share, "s0")
        bound, frequent = one.bind(drawn.domain), other.bind(drawn.domain)
        assert type(bound) is type(frequent)
        assert drawn.met(one) == drawn.met(other)
        assert drawn.reached(one) == 1 / drawn.reached(other)
        assert bound.share_limit() == frequent.share_limit() == share


def test_the_greatest_l_of_recursive_diversity_is_found_between_none_and_every_value():
    domain, _ = plain.domain_of([("a",), ("b",), ("d",)])
    kinds, group = np.arange(3), np.zeros(3, np.int64)

    def reached(c, *rows):
        requirement = LDiversity(1, "s0", kind="recursive", c=c).bind(domain)
        return requirement.reached(group, kinds, np.array(rows), 1)

    assert reached(2, 2, 1, 1) == 2  # 2 < 2 (1 + 1), and not 2 < 2 * 1
    assert reached(2, 1, 1, 1) == 3
    assert reached(Fraction(1, 4), 2, 1, 1) == 0  # not even 2 < (2 + 1 + 1) / 4
