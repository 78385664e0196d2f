"""Lemma 1 of Liang and Yuan, both ways: t-close classes are exactly those of k rows."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.closeness import ClosenessFromAnonymity, forward
from incrowd.hardness.sources.anonymity import NAMED, drawn
from oracles.hard import emd_equal, partition, problem_of
from seeds import parts


def close(instance):
    people = [row[-1] for row in instance.table.rows]
    t = Fraction(instance.policy["require"][0]["t"])
    return lambda block: emd_equal([people[i] for i in block], people) <= t


def bare(instance):
    return [row[:-1] for row in instance.table.rows]


@pytest.mark.parametrize("part", parts(3))
def test_the_t_close_optimum_is_the_k_anonymous_one(part):
    rng = np.random.default_rng(part)
    for _ in range(8):
        n = int(rng.integers(3, 9))
        source = drawn(rng, n, int(rng.integers(1, 4)), int(rng.integers(2, 4)), int(rng.integers(1, min(n, 5) + 1)))
        instance = forward(source)
        least, blocks = partition(bare(instance), close(instance))
        same, _ = partition(source.rows, lambda block, k=source.k: len(block) >= k)
        assert least == same == instance.optimum == instance.threshold
        assert instance.yes
        groups = instance.backward(instance.table.released(blocks))
        assert all(len(g) >= source.k for g in groups)
        below = forward(source, goal=instance.optimum - 1)
        assert not below.yes
        assert below.threshold < least


@pytest.mark.parametrize(("n", "k"), [(7, 1), (7, 3), (9, 4), (10, 10)])
def test_a_class_is_t_close_exactly_from_k_rows_on(n, k):
    """Equality counts: k rows are at distance 1 - k/n, which no float need hit."""
    instance = forward(drawn(np.random.default_rng(0), n, 2, 2, k))
    good = close(instance)
    problem, types = problem_of(instance)
    (requirement,) = problem.requirements
    for size in range(1, n + 1):
        block = tuple(range(size))
        kinds = np.array([problem.types.kinds[types[i]] for i in block])
        one = np.zeros(size, np.int64)
        assert good(block) == (size >= k) == bool(requirement.meets(one, kinds, one + 1, 1)[0])


def test_a_release_that_is_not_close_maps_back_to_nothing():
    instance = forward(NAMED["latin"])
    with pytest.raises(ValueError, match="fewer than 3 rows"):
        instance.backward(instance.table.rows)


def test_named_and_drawn_instances_answer_as_asked():
    assert ClosenessFromAnonymity(named="seven").build().optimum == 4
    assert not ClosenessFromAnonymity(named="seven", no=True).build().yes
    with pytest.raises(PolicyError, match="needs no star"):
        ClosenessFromAnonymity(values=1, no=True).build()
    with pytest.raises(PolicyError, match="k must be from 1 to the 4 rows"):
        ClosenessFromAnonymity(size=4, k=5).build()
    for size, no in itertools.product((4, 8, 12), (False, True)):
        assert ClosenessFromAnonymity(size=size, no=no).build().yes is not no
