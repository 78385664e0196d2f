"""Theorem 1 of Pattern-Guided k-Anonymity, both ways: the least cover against every way to give rows their patterns."""

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.set_cover import SetCoverPatterns, forward
from incrowd.hardness.sources.set_cover import NAMED, SetCover, drawn
from incrowd.progress import Watch
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.textbook.two_phase import TwoPhase
from oracles.hard import by_patterns, least_cover, problem_of, released
from seeds import parts

TWO = [(1, 2), (0,)]


def small(part):
    rng = np.random.default_rng(part)
    for universe, sets in [(3, 1), (4, 2), (4, 3), (5, 2), (5, 3)]:
        yield drawn(rng, universe, sets, 3)


@pytest.mark.parametrize("part", parts(3))
def test_the_least_stars_are_four_per_element_three_per_set_and_three_per_set_of_a_least_cover(part):
    for source in small(part):
        least = least_cover(source.universe, source.sets)
        instance = forward(source, least)
        stars, release = by_patterns(instance.table.rows, TWO, 3)
        assert stars == instance.optimum == 4 * source.universe + 3 * len(source.sets) + 3 * least
        assert instance.yes
        assert instance.table.cost(release) == stars
        cover = instance.backward(release)
        assert source.covers(cover)
        assert len(cover) == least
        no = forward(source, least - 1)
        assert not no.yes
        assert no.threshold < stars


@pytest.mark.parametrize("part", parts(3))
def test_the_exact_solvers_find_a_least_cover(part):
    rng = np.random.default_rng(100 + part)
    source = drawn(rng, int(rng.integers(6, 11)), int(rng.integers(5, 12)), 3)
    instance = forward(source, least_cover(source.universe, source.sets))
    problem, types = problem_of(instance)
    solution = Exact().solve(problem, Watch())
    assert solution.bound.value == solution.plan.cost(problem) == instance.optimum
    cover = instance.backward(released(instance, solution.plan, types))
    assert source.covers(cover)
    assert len(cover) == least_cover(source.universe, source.sets)


def test_the_papers_two_phases_find_a_least_cover():
    source = SetCover(4, ((0, 1, 2), (1, 2, 3)))
    instance = forward(source, 2)
    problem, types = problem_of(instance)
    solution = TwoPhase().solve(problem, Watch())
    assert solution.plan.cost(problem) == instance.optimum
    assert instance.backward(released(instance, solution.plan, types)) == (0, 1)


def test_with_full_suppression_the_equality_fails():
    """U = 5, sets 012, 013, 014: the least cover has three sets, so 38; with the all-star pattern 36 do."""
    instance = forward(NAMED["sunflower"], 3)
    assert instance.threshold == instance.optimum == 38
    problem, _ = problem_of(instance, mask={**instance.policy["mask"], "full_suppression": True})
    solution = Exact().solve(problem, Watch())
    assert solution.plan.cost(problem) == solution.bound.value == 36


def test_with_full_suppression_even_the_question_is_answered_wrongly():
    """U = 6, sets 012, 013, 014, 015: no three sets cover, but 45 stars = the threshold for three do."""
    source = SetCover(6, tuple((0, 1, u) for u in range(2, 6)))
    instance = forward(source, 3)
    assert not instance.yes
    problem, _ = problem_of(instance, mask={**instance.policy["mask"], "full_suppression": True})
    assert Exact().solve(problem, Watch()).plan.cost(problem) == instance.threshold == 45
    problem, _ = problem_of(instance)
    assert Exact().solve(problem, Watch()).bound.value == instance.optimum == 48


def test_sets_that_do_not_cover_have_no_release():
    source = SetCover(4, ((0, 1, 2),))
    with pytest.raises(PolicyError, match="no release at all"):
        forward(source, 1)
    rows = [(f"u{u}", f"x{u}{i}", f"y{u}{i}") for u in range(4) for i in range(2)] + [
        (f"u{u}", "S", "S") for u in range(3)
    ]
    assert by_patterns(rows, TWO, 3) == (None, None)


def test_sizes_without_a_cover_and_sets_of_other_sizes_are_refused():
    with pytest.raises(PolicyError, match="cannot cover 9"):
        SetCoverPatterns(size=9, sets=2).build()
    with pytest.raises(PolicyError, match="one set covers everything"):
        SetCoverPatterns(size=3, no=True).build()
    with pytest.raises(PolicyError, match="three elements"):
        forward(SetCover(2, ((0, 1),)), 1)
    with pytest.raises(PolicyError, match=r"sunflower.*did you mean 'fano'"):
        SetCoverPatterns(named="fanno")


@pytest.mark.parametrize("size", [3, 4, 5, 6, 15])
def test_every_size_from_three_has_an_instance(size):
    for no in (False, True):
        if size > 3 or not no:
            instance = SetCoverPatterns(size=size, no=no, seed=size).build()
            assert instance.yes != no
