"""Theorem 4 of Liang and Yuan, both ways: padded halves against every partition of the rows."""

import dataclasses
from fractions import Fraction

import pytest

from incrowd.errors import PolicyError
from incrowd.hardness import bisection_padded
from incrowd.hardness.bisection import HALVES
from incrowd.hardness.bisection_padded import BisectionPadded
from incrowd.progress import Watch
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.matching.solver import Matching
from oracles.bisections import graphs, is_half
from oracles.hard import least_cut, partition, problem_of, released


@pytest.mark.parametrize(("c", "most"), [("1/4", 4), ("1/3", 6), ("1/5", 4)])
def test_padding_leaves_the_optimum_as_it_is(c, most):
    share = Fraction(c)
    for graph in graphs(11, most):
        if (graph.nodes / (2 * share)).denominator != 1 or graph.nodes > most or len(graph.edges) > 9:
            continue
        cut = least_cut(graph.nodes, graph.edges)
        instance = bisection_padded.forward(graph, cut, share)
        rows = instance.table.rows
        assert len(rows) * share == instance.policy["k"] == graph.nodes // 2
        assert len(instance.table.quasi_identifiers) == 3 * len(graph.edges) + 1
        stars, blocks = partition(rows, lambda block, k=graph.nodes // 2: len(block) >= k)
        assert stars == instance.optimum == graph.nodes // 2 * (len(graph.edges) + cut)
        assert is_half(graph, instance.backward(instance.table.released(blocks)), cut)


@pytest.mark.parametrize("no", [False, True])
@pytest.mark.parametrize("made", [BisectionPadded(size=4), BisectionPadded(size=6, c=Fraction(1, 3))])
def test_exact_finds_a_least_cut_in_spite_of_the_padding(made, no):
    instance = dataclasses.replace(made, no=no).build()
    problem, types = problem_of(instance)
    solution = Exact().solve(problem, Watch())
    assert solution.plan.cost(problem) == solution.bound.value == instance.optimum
    assert (instance.optimum <= instance.threshold) == instance.yes is not no
    assert is_half(instance.source, instance.backward(released(instance, solution.plan, types)), instance.more["cut"])


@pytest.mark.parametrize("seed", range(4))
def test_four_nodes_are_2_anonymity_which_matching_solves(seed):
    instance = BisectionPadded(size=4, edges=4, seed=seed).build()
    problem, _ = problem_of(instance)
    assert problem.k == 2
    if Matching().declines(problem) is None:
        assert Matching().solve(problem, Watch()).plan.cost(problem) == instance.optimum


def test_a_c_that_does_not_fit_is_refused():
    with pytest.raises(PolicyError, match="at most 1/3"):
        BisectionPadded(c="2/5")
    with pytest.raises(PolicyError, match="must be whole"):
        bisection_padded.forward(HALVES["two-triangles"], 1, Fraction(2, 7))
