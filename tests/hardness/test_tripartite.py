"""Theorems 1.6 and 1.7 of Blocki and Williams, both ways."""

import itertools

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.sources.edge_partition import TRIPARTITE, Tripartite
from incrowd.hardness.sources.graphs import Graph
from incrowd.hardness.triangles_three_diversity import TrianglesThreeDiversity
from incrowd.hardness.triangles_two_diversity import TrianglesTwoDiversity
from oracles.hard import partition, problem_of, threes
from oracles.tripartite import bare, diverse, sources
from seeds import parts

BOTH = [TrianglesTwoDiversity, TrianglesThreeDiversity]


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("part", parts(2))
def test_three_stars_an_edge_suffice_exactly_where_triangles_hold_all_edges(kind, part):
    answers = set()
    for source in sources(part):
        instance = kind.forward(source)
        edges = source.graph.edges
        there = next(threes(edges, star=False, triangle=True), None)
        stars, blocks = partition(bare(instance), diverse(instance))
        answers.add(instance.yes)
        assert instance.yes == (there is not None) == (stars == instance.threshold == 3 * len(edges))
        assert stars >= instance.threshold
        release = instance.table.released(blocks)
        if instance.yes:
            assert stars == instance.optimum
            parts = instance.backward(release)
            assert sorted(e for part in parts for e in part) == list(range(len(edges)))
            assert all(len({v for e in part for v in edges[e]}) == 3 for part in parts)
        else:
            with pytest.raises(ValueError, match="beyond the threshold"):
                instance.backward(release)
    assert answers == {True, False}


@pytest.mark.parametrize("kind", BOTH)
def test_every_diverse_class_has_three_rows(kind):
    """So that k = 3 in the policy adds nothing."""
    instance = kind.forward(TRIPARTITE["octahedron"])
    good = diverse(instance)
    n = len(instance.table.rows)
    assert not any(good(block) for size in (1, 2) for block in itertools.combinations(range(n), size))
    assert any(good(block) for block in itertools.combinations(range(n), 3))


@pytest.mark.parametrize("kind", BOTH)
def test_the_policys_models_judge_classes_as_the_definition_does(kind):
    instance = kind.forward(TRIPARTITE["bow-tie"])
    problem, types = problem_of(instance)
    good = diverse(instance)
    n = len(instance.table.rows)
    for size in range(1, n + 1):
        for block in itertools.combinations(range(n), size):
            kinds = np.array([problem.types.kinds[types[i]] for i in block])
            one = np.zeros(size, np.int64)
            met = all(bool(r.meets(one, kinds, one + 1, 1)[0]) for r in problem.requirements)
            assert met == good(block)


@pytest.mark.parametrize("kind", BOTH)
@pytest.mark.parametrize("no", [False, True])
@pytest.mark.parametrize("size", [2, 4, 6, 10])
def test_drawn_graphs_answer_as_asked(kind, size, no):
    instance = kind(size=size, no=no, seed=size).build()
    assert instance.yes is not no
    assert len(instance.table.rows) == 3 * size
    if not no:
        assert instance.table.cost(instance.table.released(instance.witness)) == instance.threshold


def test_what_cannot_be_is_refused():
    path = Tripartite(Graph(3, ((0, 1), (1, 2))), (0, 1, 2))
    with pytest.raises(PolicyError, match="between any two classes"):
        TrianglesTwoDiversity.forward(path)
    with pytest.raises(PolicyError, match="different classes"):
        Tripartite(Graph(2, ((0, 1),)), (1, 1))
    with pytest.raises(PolicyError, match="at least 2"):
        TrianglesThreeDiversity(size=1, no=True)
