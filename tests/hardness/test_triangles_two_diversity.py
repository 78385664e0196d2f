"""Theorem 1.6 of Blocki and Williams: what its sensitive columns say, and where it fails as stated."""

import itertools

from incrowd.hardness.triangles_two_diversity import TrianglesTwoDiversity
from oracles.hard import joint
from oracles.tripartite import diverse, sources


def test_under_the_papers_definition_1_theorem_1_6_has_no_release():
    """Every row in two rows that differ in every sensitive column: no two edges do, so no class of any size is diverse."""
    for source in sources(5):
        instance = TrianglesTwoDiversity.forward(source)
        width = len(instance.table.quasi_identifiers)
        values = [row[width:] for row in instance.table.rows]
        for a, b in itertools.combinations(values, 2):
            assert any(x == y for x, y in zip(a, b, strict=True))
        assert not joint(values, 2)


def test_a_triangle_is_diverse_and_a_star_of_three_edges_is_not():
    """Three edges with 3 nodes show two values of every column; three that meet in a node show its class's 1 alone."""
    for source in sources(7):
        good = diverse(TrianglesTwoDiversity.forward(source))
        edges = source.graph.edges
        for block in itertools.combinations(range(len(edges)), 3):
            ends = [set(edges[e]) for e in block]
            if len(set.union(*ends)) == 3:
                assert good(block)
            elif set.intersection(*ends):
                assert not good(block)


def test_the_three_columns_say_which_classes_the_edge_meets():
    for source in sources(8):
        table = TrianglesTwoDiversity.forward(source).table
        for (u, v), row in zip(source.graph.edges, table.rows, strict=True):
            met = {source.sides[u], source.sides[v]}
            assert row[-3:] == tuple(str(int(side in met)) for side in range(3))
