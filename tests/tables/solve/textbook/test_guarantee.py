"""What the approximations share: which problems they cover, and a release that names its ratio."""

import time
from dataclasses import replace
from fractions import Fraction

from incrowd.progress import Watch
from incrowd.tables.solve.textbook.guarantee import harmonic, outside, released
from oracles.approximations_drawn import draw
from oracles.problems import stars, types_of


def test_the_harmonic_numbers():
    assert [harmonic(k) for k in (1, 2, 3)] == [1, Fraction(3, 2), Fraction(11, 6)]


def test_a_problem_with_every_pattern_is_covered_and_no_other():
    problem = draw(1)
    assert outside(problem) is None
    assert "requirement" in outside(replace(problem, requirements=(object(),)))


def test_rows_in_no_group_are_suppressed_and_ratios_are_rounded_up():
    problem = stars(types_of([(0, 0), (0, 1), (1, 1)]), 2, "suppress")
    found = released(problem, Watch(), "x", [{0: 1, 1: 1}], (Fraction(10, 3), "said"), time.perf_counter())
    assert found.plan.cost(problem) == 4
    assert found.notes == ("at most 3.334 times the optimum (said)",)
    cut = released(problem, Watch(), "x", None, (Fraction(10, 3), "said"), time.perf_counter())
    assert cut.notes == () and cut.plan.cost(problem) >= cut.bound.value
