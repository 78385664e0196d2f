"""Small 0/1 programs, against trying every choice."""

import itertools

import numpy as np

from incrowd.hardness.sources.program import choose, minimise
from seeds import seeds


def within(low, total, high):
    return (low is None or total >= low) and (high is None or total <= high)


def test_programs_that_have_no_solution_say_none():
    assert choose([[0], [0]], 2, least=1) is None
    assert choose([], 1, least=1) is None
    assert choose([], 0) == ()
    assert minimise([-1, -1, 2], [({0: 1, 1: 1}, None, 1), ({2: 1, 0: -1}, 0, None)]) == (1,)


@seeds(300, 60)
def test_a_cheapest_choice_is_what_trying_every_choice_finds(seed):
    rng = np.random.default_rng(seed)
    things, count = int(rng.integers(1, 5)), int(rng.integers(1, 7))
    parts = [[t for t in range(things) if rng.integers(2)] for _ in range(count)]
    costs = [int(c) for c in rng.integers(-2, 4, count)]
    low = [None, 1][int(rng.integers(2))]
    high = [None, 1, 2][int(rng.integers(3))]
    good = [
        sum(costs[p] for p in chosen)
        for size in range(count + 1)
        for chosen in itertools.combinations(range(count), size)
        if all(within(low, sum(thing in parts[p] for p in chosen), high) for thing in range(things))
    ]
    found = choose(parts, things, least=low, most=high, costs=costs)
    if found is None:
        assert not good
    else:
        assert sum(costs[p] for p in found) == min(good)
        assert all(within(low, sum(thing in parts[p] for p in found), high) for thing in range(things))


def test_a_program_without_variables_is_solved_where_its_lines_allow_nothing():
    assert minimise([], [({}, None, 0), ({}, 0, None)]) == ()
    assert minimise([], [({}, 1, None)]) is None
    assert minimise([], [({}, None, -1)]) is None
