"""The release by instances is within (2 - 1/k) H(k) of the optimum."""

from fractions import Fraction

from tests.seeds import seeds

from incrowd.progress import Watch
from incrowd.tables.solve.textbook.guarantee import harmonic
from incrowd.tables.solve.textbook.instance_cover import InstanceCover
from oracles.approximations_drawn import check, declines_what_no_theorem_covers, draw, ends_when_told
from oracles.brute_force import optimum
from oracles.problems import stars, types_of


@seeds(3000, 25)
def test_it_keeps_its_ratio(seed):
    problem = draw(64, seed)
    check(InstanceCover(), problem, (2 - Fraction(1, problem.k)) * harmonic(problem.k), optimum(problem))


def test_it_declines_what_its_theorem_does_not_cover():
    declines_what_no_theorem_covers(InstanceCover())
    problem = draw(1)
    said = InstanceCover(most_looks=1).declines(problem)
    assert f"not {problem.patterns.count()} x {problem.types.t}" in said


def test_it_ends_when_told():
    ends_when_told(InstanceCover(), draw(3))


def test_rows_that_agree_on_most_are_together():
    problem = stars(types_of([(0, 0, 0), (0, 0, 1), (1, 1, 0), (1, 1, 1)]), 2)
    solution = InstanceCover().solve(problem, Watch())
    assert solution.plan.cost(problem) == 4
    assert solution.notes == (
        "at most 2.25 times the optimum (after Park and Shim; proved in papers/approximations.md)",
    )
