"""Theorem 1.2 of Blocki and Williams, both ways, and where its Lemma 1 fails."""

import itertools
from collections import Counter

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.matching_27 import Matching27, forward, rows_of
from incrowd.hardness.sources.matching3d import NAMED, Matching3D, drawn
from incrowd.progress import Watch
from incrowd.tables.solve.exact.exact import Exact
from oracles.hard import largest_matching, partition, problem_of, released, stars
from seeds import parts


def crowd(block):
    return len(block) >= 3


def sources(part):
    rng = np.random.default_rng(part)
    for _ in range(8):
        side = int(rng.integers(1, 4))
        yield drawn(
            rng, side, int(rng.integers(side, min(side**3, 3 * side) + 1)), most=3, perfect=bool(rng.integers(2))
        )
    yield from (NAMED["cube"], NAMED["pencil"], NAMED["three"])


@pytest.mark.parametrize("part", parts(3))
def test_the_least_stars_are_27_a_row_less_three_a_triple_of_a_largest_matching(part):
    for source in sources(part):
        largest = largest_matching(source.members())
        instance = forward(source, largest)
        least, blocks = partition(instance.table.rows, crowd)
        assert least == instance.optimum == instance.threshold == 81 * source.side - 3 * largest
        assert instance.yes
        assert not forward(source, largest + 1).yes
        found = instance.backward(instance.table.released(blocks))
        assert source.disjoint(found)
        assert len(found) == largest


def test_three_rows_agree_in_one_column_exactly_if_they_are_a_triple():
    source = drawn(np.random.default_rng(1), 4, 12, most=3, perfect=True)
    rows = rows_of(source.members(), (4, 4, 4))
    for three in itertools.combinations(range(12), 3):
        assert stars([rows[i] for i in three]) == (26 if three in source.members() else 27)
    for four in itertools.combinations(range(12), 4):
        assert stars([rows[i] for i in four]) == 27


@pytest.mark.parametrize(("sides", "rest"), [((2, 1, 1), 1), ((2, 2, 1), 2), ((1, 1, 3), 2)])
def test_the_papers_lemma_1_fails_where_one_or_two_rows_are_left(sides, rest):
    """One triple and a row or two beside it: 27 n - 3 cannot be had, for a class has three rows."""
    triple = (0, sides[0], sides[0] + sides[1])
    rows = rows_of([triple], sides)
    n = len(rows)
    assert n - 3 == rest
    least, _ = partition(rows, crowd)
    assert least == 27 * n > 27 * n - 3
    alone = partition(
        rows, lambda block: True, price=lambda block: stars([rows[i] for i in block]) if crowd(block) else 27
    )
    assert alone[0] == 27 * n - 3  # fully suppressed rows need no crowd: outliers = "suppress"


@pytest.mark.parametrize("no", [False, True])
@pytest.mark.parametrize("size", [2, 4, 6, 9])
def test_exact_finds_a_largest_matching(size, no):
    instance = Matching27(size=size, seed=size, no=no).build()
    problem, types = problem_of(instance)
    solution = Exact().solve(problem, Watch())
    assert solution.plan.cost(problem) == solution.bound.value == instance.optimum
    assert (instance.optimum <= instance.threshold) == instance.yes is not no
    found = instance.backward(released(instance, solution.plan, types))
    assert instance.source.disjoint(found)
    assert len(found) == instance.more["largest_matching"]


def test_the_mask_changes_no_optimum():
    for source in sources(9):
        if source.side < 3:
            instance = forward(source, 1)
            rows = instance.table.rows
            kept = [
                27 - stars([rows[i] for i in block])
                for size in (3, 4, 5)
                for block in itertools.combinations(range(len(rows)), size)
            ]
            assert set(Counter(kept)) <= {0, 1}


def test_what_cannot_be_is_refused():
    with pytest.raises(PolicyError, match="at most three triples"):
        forward(Matching3D(2, ((0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1))), 1)
    with pytest.raises(PolicyError, match="size of at least 2"):
        Matching27(size=1, no=True)
    with pytest.raises(PolicyError, match="'cube' has a perfect matching"):
        Matching27(named="cube", no=True).build()
