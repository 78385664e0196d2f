"""The forest's release is within 3 (k - 1) of the optimum."""

from dataclasses import replace

import numpy as np
from tests.seeds import seeds

from incrowd.progress import Watch
from incrowd.tables.solve.textbook.forest import Forest, gathered
from oracles.approximations_drawn import check, declines_what_no_theorem_covers, draw, ends_when_told
from oracles.brute_force import optimum
from oracles.plans import recount
from oracles.problems import stars, types_of


@seeds(3000, 25)
def test_it_keeps_its_ratio(seed):
    problem = draw(61, seed)
    check(Forest(), problem, 3 * (problem.k - 1), optimum(problem))


@seeds(3000, 300)
def test_trees_are_cut_into_groups_of_k_to_3_k_less_3_rows_that_share_no_edge(seed):
    rng = np.random.default_rng([62, seed])
    k = int(rng.integers(2, 7))
    n = int(rng.integers(k, 8 * k))
    order = rng.permutation(n)
    to = [-1] * n
    for place in range(1, n):
        to[order[place]] = int(order[rng.integers(max(0, place - int(rng.integers(1, n))), place)])
    groups = gathered(to, k)
    assert sorted(v for group in groups for v in group) == list(range(n))
    assert all(k <= len(group) <= 3 * k - 3 or len(group) == k for group in groups)
    used = [edge for group in groups for edge in spanning(to, group)]
    assert len(used) == len(set(used))


def spanning(to, group):
    """The edges of the smallest subtree that holds the rows, each named by its lower end."""
    above = {}
    for v in group:
        path, u = [], v
        while to[u] >= 0:
            path.append(u)
            u = to[u]
        above[v] = path
    counts = {}
    for path in above.values():
        for edge in path:
            counts[edge] = counts.get(edge, 0) + 1
    return [edge for edge, times in counts.items() if times < len(group)]


def test_it_declines_what_its_theorem_does_not_cover():
    declines_what_no_theorem_covers(Forest())
    problem = draw(1)
    assert "up to 1 rows" in Forest(most_rows=1).declines(problem)
    assert "k of 2 or more" in Forest().declines(replace(problem, k=1))


def test_it_ends_when_told():
    ends_when_told(Forest(), draw(3))


def test_rows_far_from_each_other_are_split_again():
    problem = stars(types_of([(0, 0)] * 9 + [(1, 1)] * 7), 2)
    assert recount(problem, Forest().solve(problem, Watch()).plan) == 0
