"""The release by balls is within (2 k - 1) H(k) of the optimum."""

from tests.seeds import seeds

from incrowd.progress import Watch
from incrowd.tables.solve.textbook.ball_cover import BallCover
from incrowd.tables.solve.textbook.guarantee import harmonic
from oracles.approximations_drawn import check, declines_what_no_theorem_covers, draw, ends_when_told
from oracles.brute_force import optimum
from oracles.problems import stars, types_of


@seeds(3000, 25)
def test_it_keeps_its_ratio(seed):
    problem = draw(63, seed)
    check(BallCover(), problem, (2 * problem.k - 1) * harmonic(problem.k), optimum(problem))


def test_it_declines_what_its_theorem_does_not_cover():
    declines_what_no_theorem_covers(BallCover())
    problem = draw(1)
    assert f"up to 1 row types, not {problem.types.t}" in BallCover(most_types=1).declines(problem)


def test_it_ends_when_told():
    ends_when_told(BallCover(), draw(3))


def test_a_row_far_from_all_others_is_suppressed_where_that_needs_no_crowd():
    rows = [(0, 0, 0)] * 3 + [(1, 1, 1)]
    alone = stars(types_of(rows), 3, "suppress")
    assert BallCover().solve(alone, Watch()).plan.cost(alone) == 3
    together = stars(types_of(rows), 3)
    assert BallCover().solve(together, Watch()).plan.cost(together) == 12
