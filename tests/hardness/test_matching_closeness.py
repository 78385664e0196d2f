"""Theorem 6 of Liang and Yuan, both ways: matchings against every partition of the rows."""

from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.matching_closeness import MatchingCloseness, forward
from incrowd.hardness.sources.matching3d import NAMED, drawn
from oracles.hard import emd_equal, largest_matching, partition, problem_of
from seeds import parts

BELOW = [Fraction(0), Fraction(1, 4), Fraction(333, 1000)]


def close(instance, t):
    values = [row[-1] for row in instance.table.rows]
    return lambda block: emd_equal([values[i] for i in block], values) <= t


def sources(part):
    rng = np.random.default_rng(part)
    for _ in range(6):
        side = int(rng.integers(1, 4))
        yield drawn(rng, side, int(rng.integers(side, min(side**3, 3 * side) + 1)), perfect=bool(rng.integers(2)))
    yield from NAMED.values()


@pytest.mark.parametrize("t", BELOW)
@pytest.mark.parametrize("part", parts(2))
def test_the_least_stars_are_all_cells_less_three_a_triple_of_a_largest_matching(part, t):
    answers = set()
    for source in sources(part):
        instance = forward(source, t)
        n, m, largest = source.side, len(source.triples), largest_matching(source.members())
        stars, blocks = partition([row[:-1] for row in instance.table.rows], close(instance, t))
        assert stars == instance.optimum == 3 * n * m - 3 * largest
        assert instance.yes == (largest == n) == (stars <= instance.threshold)
        answers.add(instance.yes)
        found = instance.backward(instance.table.released(blocks))
        assert source.disjoint(found)
        assert len(found) == largest
        witness = instance.table.released(instance.witness)
        assert instance.table.cost(witness) == stars
        assert all(close(instance, t)(block) for block in instance.table.classes(witness).values())
    assert answers == {True, False}


def test_fewer_than_three_rows_are_never_close_enough():
    """So that k = 3 in the policy adds nothing; at t = 1/3 two rows would be."""
    instance = forward(NAMED["cube"], BELOW[2])
    good = close(instance, BELOW[2])
    n = len(instance.table.rows)
    assert not any(good((i,)) for i in range(n))
    assert not any(good((i, j)) for i in range(n) for j in range(i))
    assert close(instance, Fraction(1, 3))((0, 2))


@pytest.mark.parametrize("t", BELOW)
def test_the_policys_model_judges_classes_as_the_definition_does(t):
    instance = forward(NAMED["three"], t)
    problem, types = problem_of(instance)
    (requirement,) = problem.requirements
    good = close(instance, t)
    rng = np.random.default_rng(1)
    for _ in range(300):
        block = sorted(int(i) for i in rng.choice(9, int(rng.integers(1, 10)), replace=False))
        kinds = np.array([problem.types.kinds[types[i]] for i in block])
        one = np.zeros(len(block), np.int64)
        assert bool(requirement.meets(one, kinds, one + 1, 1)[0]) == good(block)


@pytest.mark.parametrize("no", [False, True])
@pytest.mark.parametrize("size", [2, 4, 7])
def test_drawn_instances_answer_as_asked(size, no):
    instance = MatchingCloseness(size=size, no=no, seed=size).build()
    assert instance.yes is not no
    assert (largest_matching(instance.source.members()) == size) is not no


def test_what_cannot_be_is_refused():
    with pytest.raises(PolicyError, match="below 1/3"):
        MatchingCloseness(t="1/3")
    with pytest.raises(PolicyError, match="size of at least 2"):
        MatchingCloseness(size=1, no=True)
    with pytest.raises(PolicyError, match="no perfect matching of 4"):
        MatchingCloseness(size=4, triples=3).build()
    with pytest.raises(PolicyError, match="'cube' has a perfect matching"):
        MatchingCloseness(named="cube", no=True).build()
