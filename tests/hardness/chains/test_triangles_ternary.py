"""The ternary table against every way to cut the edges and every partition of the rows."""

import itertools

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness import instance
from incrowd.hardness.chains.triangles_ternary import blocks_of, incidence
from incrowd.hardness.sources.edge_partition import GRAPHS
from incrowd.hardness.sources.graphs import Graph, drawn
from oracles.hard import by_definition, partition, threes
from seeds import seeds


@seeds(600)
def test_a_release_of_three_stars_a_block_is_there_if_and_only_if_a_cut_into_triangles_is(seed):
    rng = np.random.default_rng(seed)
    if seed % 2:
        source = drawn(rng, int(rng.integers(4, 7)), 6)
    else:  # two triangles that share at most a node
        nodes = [int(v) for v in rng.permutation(6)]
        other = nodes[3:] if rng.integers(2) else nodes[2:5]
        pairs = [*itertools.combinations(nodes[:3], 2), *itertools.combinations(other, 2)]
        source = Graph(6, tuple(sorted((min(e), max(e)) for e in pairs)))
    made = instance("triangles-ternary", source)
    right = next(threes(source.edges, star=False, triangle=True), None)
    assert made.yes == (right is not None) == (seed % 2 == 0 or made.yes)
    stars, blocks = partition(made.table.rows, lambda block: len(block) >= 3)
    assert stars >= made.threshold == 3 * blocks_of(6) * 6
    assert (stars == made.threshold) == made.yes
    release = made.table.released(blocks)
    if made.yes:
        assert made.asks.solves(source, made.backward(release))
    else:
        with pytest.raises(ValueError, match="other than 12 stars"):
            made.backward(release)


@seeds(60, 4)
def test_the_policys_mask_changes_no_answer(seed):
    source = drawn(np.random.default_rng(seed), 4, 5)
    made = instance("triangles-ternary", source)
    stars, _ = partition(made.table.rows, lambda block: len(block) >= 3)
    assert (stars <= made.threshold) == made.yes
    small = instance("triangles-ternary", Graph(3, ((0, 1), (0, 2), (1, 2))))
    assert by_definition(small)[0] == small.threshold == small.optimum


def test_four_stars_are_dearer_than_triangles():
    star = instance("triangles-ternary", Graph(4, ((0, 1), (0, 2), (0, 3))))
    assert instance("triangles-and-stars", star.source).yes
    assert not star.yes
    stars, _ = partition(star.table.rows, lambda block: len(block) >= 3)
    assert stars > star.threshold


@pytest.mark.parametrize("name", GRAPHS)
def test_two_edges_never_agree_at_their_common_node_in_every_block(name):
    graph = GRAPHS[name]
    rows, n = incidence(graph), graph.nodes
    assert {cell for row in rows for cell in row} == {"0", "1", "2"}
    for (e, one), (f, other) in itertools.combinations(enumerate(graph.edges), 2):
        for v in set(one) & set(other):
            assert any(rows[e][r * n + v] != rows[f][r * n + v] for r in range(blocks_of(len(graph.edges))))


def test_few_edges_and_named_answers_that_differ_are_refused():
    with pytest.raises(PolicyError, match="at least 3 edges, not 1"):
        instance("triangles-ternary", Graph(2, ((0, 1),)))
    with pytest.raises(PolicyError, match="'octahedron' is yes"):
        instance("triangles-ternary", named="octahedron", no=True)
    with pytest.raises(PolicyError, match="size of at least 2"):
        instance("triangles-ternary", size=1, no=True)
    assert not instance("triangles-ternary", named="k4").yes
