"""Theorem 4 of Pattern-Guided k-Anonymity: the greedy pays m - 1 times the optimum, and we find both."""

import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.greedy_worst import GreedyWorst
from incrowd.progress import Watch
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.matching.solver import Matching
from oracles.hard import partition, problem_of, released


@pytest.mark.parametrize("m", [2, 3])
def test_the_optimum_is_m_squared_by_trying_every_partition(m):
    instance = GreedyWorst(size=m).build()
    rows = instance.table.rows

    def price(block):
        wide = sum(len(set(column)) > 1 for column in zip(*(rows[i] for i in block), strict=True))
        return wide if wide < 2 else m

    stars, blocks = partition(rows, lambda block: len(block) >= m, price=price)
    assert stars == instance.optimum == m * m
    assert instance.backward(instance.table.released(blocks)) <= stars


@pytest.mark.parametrize("m", range(2, 8))
def test_exact_finds_m_squared(m):
    instance = GreedyWorst(size=m).build()
    problem, types = problem_of(instance)
    solution = Exact().solve(problem, Watch())
    assert solution.plan.cost(problem) == solution.bound.value == m * m
    assert instance.backward(released(instance, solution.plan, types)) == m * m


@pytest.mark.parametrize("m", range(2, 7))
def test_the_papers_greedy_pays_m_minus_one_times_as_much(m):
    instance = GreedyWorst(size=m).build()
    assert instance.more["greedy"] == (m - 1) * m * m
    assert papers_greedy(instance) == instance.more["greedy"]


def papers_greedy(instance):
    """Algorithm 1 word for word: patterns by stars; whoever k rows agree with takes them; the rest all stars."""
    rows, k = list(instance.table.rows), instance.policy["k"]
    names = instance.table.quasi_identifiers
    patterns = sorted((tuple(names.index(c) for c in p) for p in instance.policy["mask"]["patterns"]), key=len)
    stars = 0
    for pattern in [*patterns, tuple(range(len(names)))]:
        shown = {}
        for row in rows:
            shown.setdefault(tuple("*" if j in pattern else x for j, x in enumerate(row)), []).append(row)
        taken = [row for members in shown.values() if len(members) >= k for row in members]
        stars += len(pattern) * len(taken)
        rows = [row for row in rows if row not in taken]
    return stars + len(names) * len(rows)


def test_matching_is_exact_for_two_columns():
    instance = GreedyWorst(size=2).build()
    problem, _ = problem_of(instance)
    assert Matching().solve(problem, Watch()).plan.cost(problem) == 4


def test_there_is_no_no_instance():
    with pytest.raises(PolicyError, match="no no-instance"):
        GreedyWorst(no=True)


@pytest.mark.parametrize("m", [2, 3, 6])
def test_our_greedy_pays_as_much(m):
    instance = GreedyWorst(size=m).build()
    problem, _ = problem_of(instance)
    assert Greedy().solve(problem, Watch()).plan.cost(problem) == instance.more["greedy"]
