"""Theorem 5 of Liang and Yuan, both ways: cliques of half the nodes against every partition of the rows."""

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.half_clique import CLIQUES, HalfClique, forward
from incrowd.hardness.sources.graphs import drawn
from incrowd.progress import Watch
from incrowd.tables.solve.exact.exact import Exact
from incrowd.tables.solve.matching.solver import Matching
from oracles.hard import has_clique, partition, problem_of, released
from seeds import parts


def graphs(part):
    rng = np.random.default_rng(part)
    for _ in range(10):
        nodes = int(rng.choice([4, 6, 8]))
        most = nodes * (nodes - 1) // 2
        yield drawn(rng, nodes, int(rng.integers(1, most + 1))), int(rng.integers(1, nodes // 2))
    for graph in CLIQUES.values():
        yield graph, 1


@pytest.mark.parametrize("part", parts(4))
def test_the_threshold_is_met_exactly_where_half_the_nodes_are_a_clique(part):
    answers = set()
    for graph, new in graphs(part):
        n, m, half = graph.nodes, len(graph.edges), graph.nodes // 2
        instance = forward(graph, new)
        stars, blocks = partition(instance.table.rows, lambda block, half=half: len(block) >= half)
        clique = has_clique(n, graph.edges, half)
        answers.add(clique)
        assert 16 * instance.threshold == 16 * (n + new) * m - n * n * (n - 2)
        assert instance.yes == clique == (stars <= instance.threshold)
        assert stars == instance.optimum
        release = instance.table.released(blocks)
        if clique:
            nodes = instance.backward(release)
            assert len(nodes) == half
            assert graph.inside(nodes) == half * (half - 1) // 2
        else:
            with pytest.raises(ValueError, match="no clique of half the nodes"):
                instance.backward(release)
    assert answers == {True, False}


@pytest.mark.parametrize("no", [False, True])
@pytest.mark.parametrize(("size", "rows"), [(4, 1), (6, 1), (6, 2)])
def test_exact_answers_drawn_graphs(size, rows, no):
    instance = HalfClique(size=size, rows=rows, edges=2 if size == 4 else None, no=no and size > 4).build()
    problem, types = problem_of(instance)
    solution = Exact().solve(problem, Watch())
    assert solution.plan.cost(problem) == solution.bound.value == instance.optimum
    assert (instance.optimum <= instance.threshold) == instance.yes is not (no and size > 4)
    if instance.yes:
        assert len(instance.backward(released(instance, solution.plan, types))) == size // 2


def test_four_nodes_are_2_anonymity_which_matching_solves():
    instance = HalfClique(named="two-pairs").build()
    problem, _ = problem_of(instance)
    assert problem.k == 2
    assert Matching().solve(problem, Watch()).plan.cost(problem) == instance.optimum


def test_c_lies_between_a_third_and_a_half():
    for size in (4, 8, 12):
        for rows in range(1, size // 2):
            made = HalfClique(size=size, rows=rows).build()
            assert 1 / 3 < made.policy["k"] / len(made.table.rows) < 1 / 2


def test_what_cannot_be_is_refused():
    with pytest.raises(PolicyError, match="fewer than half of the 8 nodes"):
        HalfClique(size=8, rows=4).build()
    with pytest.raises(PolicyError, match="has 6 edges, more than 5"):
        HalfClique(size=8, edges=5)
    with pytest.raises(PolicyError, match="any edge is a clique of half of 4 nodes"):
        HalfClique(size=4, no=True)
    with pytest.raises(PolicyError, match="must be even"):
        HalfClique(size=9)
    with pytest.raises(PolicyError, match="'triangle-and-path' is yes"):
        HalfClique(named="triangle-and-path", no=True).build()
    with pytest.raises(PolicyError, match="1 to 2 new rows, not 3"):
        forward(CLIQUES["k33"], 3)
    with pytest.raises(PolicyError, match="without a clique of 3 has at most 9 edges, not 10"):
        HalfClique(size=6, edges=10, no=True).build()
    with pytest.raises(PolicyError, match="at most 28 edges"):
        HalfClique(size=8, edges=29).build()
