"""Appendix C of Blocki and Williams, both ways: edge partitions against every partition of the rows."""

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.sources.edge_partition import GRAPHS, planted_parts
from incrowd.hardness.sources.graphs import Graph, drawn
from incrowd.hardness.triangles_stars import TrianglesAndStars, forward
from incrowd.progress import Watch
from incrowd.tables.solve.exact.exact import Exact
from oracles.hard import partition, problem_of, released, threes
from seeds import parts


def crowd(block):
    return len(block) >= 3


def is_partition(graph, parts):
    whole = sorted(e for part in parts for e in part)
    shapes = [[set(graph.edges[e]) for e in part] for part in parts]
    fit = all(len(a & b & c) == 1 or len(a | b | c) == 3 for a, b, c in shapes)
    return whole == list(range(len(graph.edges))) and fit


def graphs(part):
    rng = np.random.default_rng(part)
    for _ in range(12):
        yield drawn(rng, int(rng.choice([4, 5, 6])), int(rng.choice([3, 6])))
    for size in (2, 3):
        yield planted_parts(rng, size)
    yield drawn(rng, 6, 9)


@pytest.mark.parametrize("part", parts(3))
def test_three_stars_an_edge_suffice_exactly_where_triangles_and_stars_hold_all_edges(part):
    answers = set()
    for graph in graphs(part):
        instance = forward(graph)
        there = next(threes(graph.edges, star=True, triangle=True), None)
        stars, blocks = partition(instance.table.rows, crowd)
        answers.add(instance.yes)
        assert instance.yes == (there is not None) == (stars == instance.threshold == 3 * len(graph.edges))
        assert stars >= instance.threshold
        release = instance.table.released(blocks)
        if instance.yes:
            assert instance.optimum == stars
            assert is_partition(graph, instance.backward(release))
        else:
            assert instance.optimum is None
            with pytest.raises(ValueError, match="beyond the threshold"):
                instance.backward(release)
    assert answers == {True, False}


@pytest.mark.few(3)
@pytest.mark.parametrize("name", GRAPHS)
def test_exact_answers_the_named_graphs(name):
    instance = TrianglesAndStars(named=name).build()
    problem, types = problem_of(instance)
    solution = Exact().solve(problem, Watch())
    cost = solution.plan.cost(problem)
    assert solution.bound.value == cost
    assert (cost <= instance.threshold) == instance.yes
    if instance.yes:
        assert is_partition(instance.source, instance.backward(released(instance, solution.plan, types)))


@pytest.mark.parametrize("no", [False, True])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_exact_answers_drawn_graphs(size, no):
    instance = TrianglesAndStars(size=size, seed=size, no=no).build()
    problem, _ = problem_of(instance)
    cost = Exact().solve(problem, Watch()).plan.cost(problem)
    assert instance.yes is not no
    assert (cost <= instance.threshold) == instance.yes


def test_what_cannot_be_is_refused():
    with pytest.raises(PolicyError, match="at least 3 edges, not 2"):
        forward(Graph(3, ((0, 1), (1, 2))))
    with pytest.raises(PolicyError, match="'k4' is yes"):
        TrianglesAndStars(named="k4", no=True).build()
    assert not TrianglesAndStars(named="petersen", no=True).build().yes
