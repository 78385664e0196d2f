"""Plain values from source.json are checked one by one; what every kind of problem packs it unpacks."""

import json

import pytest

from incrowd.errors import InputError
from incrowd.hardness.problems.formula import FORMULA
from incrowd.hardness.problems.graph import GRAPH, TRIPARTITE_GRAPH
from incrowd.hardness.problems.problem import counted, label, labels_of, names_of, tuples
from incrowd.hardness.problems.rows import ROWS
from incrowd.hardness.problems.sets import SETS
from incrowd.hardness.problems.triples import TRIPLES
from incrowd.hardness.sources.edge_partition import GRAPHS, TRIPARTITE
from incrowd.hardness.sources.matching3d import NAMED as CUBES
from incrowd.hardness.sources.one_in_three import NAMED as FORMULAS
from incrowd.hardness.sources.set_cover import NAMED as COVERS


@pytest.mark.parametrize(
    ("problem", "source"),
    [
        (GRAPH, GRAPHS["petersen"]),
        (TRIPARTITE_GRAPH, TRIPARTITE["octahedron"]),
        (FORMULA, FORMULAS["example-1"]),
        (TRIPLES, CUBES["three"]),
        (SETS, COVERS["fano"]),
        (ROWS, (("a", "b"), ("c", "d"))),
    ],
)
def test_what_is_packed_is_unpacked(problem, source):
    assert problem.unpack(json.loads(json.dumps(problem.pack(source)))) == source


@pytest.mark.parametrize("held", [None, [], {}, {"n": True}, {"n": 1.0}, {"n": "1"}, {"n": 6}, {"n": -1}])
def test_a_number_that_is_none_or_out_of_range_is_refused(held):
    with pytest.raises(InputError, match="n must be a whole number from 0 to 5"):
        counted(held, "n", 0, 5)


@pytest.mark.parametrize(
    "held", [None, {}, {"e": 1}, {"e": [1]}, {"e": [["a"]]}, {"e": [[True]]}, {"e": [[1, 9]]}, {"e": [[1]] * 6}]
)
def test_lists_that_are_none_are_refused(held):
    with pytest.raises(InputError, match=r"source.json does not fit"):
        tuples(held, "e", 5)


def test_lists_of_another_width_or_with_too_many_numbers_are_refused():
    assert tuples({"e": [[1, 2]]}, "e", 5, width=2) == ((1, 2),)
    with pytest.raises(InputError, match="must have 2 numbers"):
        tuples({"e": [[1]]}, "e", 5, width=2)
    with pytest.raises(InputError, match="not too many"):
        tuples({"e": [[1] * 16]}, "e", 5)


@pytest.mark.parametrize(
    "held", [None, [], {"nodes": ["a"]}, {"nodes": ["a", "a"]}, {"nodes": ["a", 1]}, {"nodes": ["a", ""]}, {"x": []}]
)
def test_labels_that_do_not_name_every_part_once_are_refused(held):
    with pytest.raises(InputError, match="labels"):
        labels_of(held, {"nodes": 2})


def test_parts_without_labels_are_called_by_their_numbers():
    assert labels_of({}, {"nodes": 2}) == {}
    assert names_of({}, "sets", [3], "S") == ["S3"]
    assert label({"sets": ("a", "b")}, "sets", 1, "S1") == "b"
