"""Theorem 3 of Liang and Yuan, both ways: halves against every partition of the rows."""

import dataclasses

import pytest

from incrowd.errors import PolicyError
from incrowd.hardness import bisection
from incrowd.hardness.bisection import Bisection
from incrowd.hardness.sources.graphs import Graph
from incrowd.progress import Watch
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.matching.solver import Matching
from oracles.bisections import graphs, is_half
from oracles.hard import least_cut, partition, problem_of, released
from seeds import parts


@pytest.mark.parametrize("part", parts(3))
def test_the_least_stars_are_half_the_nodes_times_edges_and_cut(part):
    for graph in graphs(part):
        cut = least_cut(graph.nodes, graph.edges)
        instance = bisection.forward(graph, cut)
        k = graph.nodes // 2
        stars, blocks = partition(instance.table.rows, lambda block, k=k: len(block) >= k)
        assert stars == instance.optimum == instance.threshold == k * (len(graph.edges) + cut)
        assert instance.yes
        assert not bisection.forward(graph, cut - 1).yes
        assert is_half(graph, instance.backward(instance.table.released(blocks)), cut)


@pytest.mark.parametrize("no", [False, True])
@pytest.mark.parametrize("made", [Bisection(size=4), Bisection(size=8, edges=10)])
def test_exact_finds_a_least_cut(made, no):
    instance = dataclasses.replace(made, no=no).build()
    problem, types = problem_of(instance)
    solution = Exact().solve(problem, Watch())
    assert solution.plan.cost(problem) == solution.bound.value == instance.optimum
    assert (instance.optimum <= instance.threshold) == instance.yes is not no
    assert is_half(instance.source, instance.backward(released(instance, solution.plan, types)), instance.more["cut"])


@pytest.mark.parametrize("seed", range(4))
def test_four_nodes_are_2_anonymity_which_matching_solves(seed):
    instance = Bisection(size=4, edges=4, seed=seed).build()
    problem, _ = problem_of(instance)
    assert problem.k == 2
    if Matching().declines(problem) is None:
        assert Matching().solve(problem, Watch()).plan.cost(problem) == instance.optimum


def test_two_nodes_would_need_no_star():
    with pytest.raises(PolicyError, match="at least 4 nodes"):
        bisection.forward(Graph(2, ((0, 1),)), 1)
    assert partition([("v0",), ("v1",)], lambda block: len(block) >= 1)[0] == 0 != 1 * (1 + 1)


def test_what_cannot_be_is_refused():
    with pytest.raises(PolicyError, match="must be even, not 7"):
        Bisection(size=7)
    with pytest.raises(PolicyError, match="at least 4"):
        Bisection(size=2)
    with pytest.raises(PolicyError, match="at most 6 edges"):
        Bisection(size=4, edges=7).build()
    with pytest.raises(PolicyError, match="not joined"):
        Bisection(size=4, edges=1, no=True).build()
