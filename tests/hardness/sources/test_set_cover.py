"""Set cover: the integer program finds what trying everything finds."""

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.sources.set_cover import NAMED, SetCover, drawn
from oracles.hard import least_cover
from seeds import parts


@pytest.mark.parametrize("part", parts(4))
def test_a_least_cover_is_what_trying_every_choice_finds(part):
    rng = np.random.default_rng(part)
    without = 0
    for _ in range(40):
        universe = int(rng.integers(1, 8))
        sets = tuple(
            tuple(sorted(int(u) for u in rng.choice(universe, int(rng.integers(1, universe + 1)), replace=False)))
            for _ in range(int(rng.integers(1, 8)))
        )
        source = SetCover(universe, sets)
        found = source.least()
        size = least_cover(universe, sets)
        without += size is None
        assert (found is None) == (size is None)
        if found is not None:
            assert len(found) == size
            assert source.covers(found)
    assert without


@pytest.mark.parametrize(("universe", "sets"), [(3, 1), (4, 2), (4, 4), (5, 3), (7, 12), (20, 30)])
def test_drawn_sets_are_distinct_triples_that_cover(universe, sets):
    for seed in range(5):
        source = drawn(np.random.default_rng(seed), universe, sets, 3)
        assert len(set(source.sets)) == len(source.sets) == sets
        assert all(len(set(members)) == 3 for members in source.sets)
        assert source.covers(tuple(range(sets)))


@pytest.mark.parametrize(
    ("universe", "sets", "why"),
    [(2, 1, "needs a universe of at least 3"), (7, 2, "cannot cover 7"), (4, 5, "only 4 sets of 3")],
)
def test_impossible_sizes_say_why(universe, sets, why):
    with pytest.raises(PolicyError, match=why):
        drawn(np.random.default_rng(0), universe, sets, 3)


@pytest.mark.parametrize("sets", [((),), ((0, 0),), ((0, 9),)])
def test_sets_that_are_none_are_refused(sets):
    with pytest.raises(PolicyError, match="distinct elements from 0 to 2"):
        SetCover(3, sets)


def test_the_named_ones_have_the_covers_they_are_named_for():
    assert {name: len(source.least()) for name, source in NAMED.items()} == {"sunflower": 3, "fano": 3, "two-halves": 2}


def test_an_exact_cover_holds_every_element_once():
    assert NAMED["two-halves"].exact() == (0, 1)
    assert NAMED["fano"].exact() is None
    assert SetCover(3, ((0, 1), (1, 2))).exact() is None
