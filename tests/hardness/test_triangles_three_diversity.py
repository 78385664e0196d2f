"""Theorem 1.7 of Blocki and Williams: what its sensitive column says, and that three readings of diversity agree."""

from incrowd.hardness.triangles_three_diversity import TrianglesThreeDiversity
from oracles.hard import frequency, joint, partition
from oracles.tripartite import bare, diverse, sources


def test_theorem_1_7_is_the_same_under_definition_1_and_by_frequency():
    for source in sources(6):
        instance = TrianglesThreeDiversity.forward(source)
        values = [row[-1] for row in instance.table.rows]
        plain = diverse(instance)
        paper = partition(bare(instance), lambda block, values=values: joint([(values[i],) for i in block], 3))
        assert paper == partition(bare(instance), plain)
        if len(set(map(values.count, values))) == 1:  # by frequency every class needs equal numbers, the table too
            stars, _ = partition(bare(instance), lambda block, v=values: frequency([v[i] for i in block], 3))
            assert (stars == instance.threshold) == instance.yes


def test_the_column_names_the_two_classes_that_the_edge_joins():
    for source in sources(9):
        table = TrianglesThreeDiversity.forward(source).table
        for (u, v), row in zip(source.graph.edges, table.rows, strict=True):
            assert row[-1] == "".join(str(side + 1) for side in sorted((source.sides[u], source.sides[v])))
