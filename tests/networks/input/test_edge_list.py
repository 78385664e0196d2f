"""Edge lists of every spelling."""

from __future__ import annotations

import gzip
import random

import numpy as np
import pytest

from incrowd import networks
from incrowd.errors import InputError
from incrowd.networks.input.edge_list import read_edge_list

PATH = [(0, 1), (1, 2), (2, 3)]


def edges_of(graph):
    """The edges in the graph's own labels."""
    rows = np.repeat(np.arange(graph.nodes), graph.degrees)
    return sorted((graph.label(a), graph.label(b)) for a, b in zip(rows, graph.indices, strict=True) if a < b)


@pytest.mark.parametrize(
    "text",
    [
        "0 1\n1 2\n2 3\n",
        "0\t1\n1\t2\n2\t3",
        "0,1\n1,2\n2,3\n",
        "0 ; 1\n1 ; 2\n2 ; 3\n",
        "0|1\r\n1|2\r\n2|3\r\n",
        "# a comment\n% another\n\n  0   1  \n\n1 2\n2 3\n",
        "\ufeff0 1\n1 2\n2 3\n",
        "source,target\n0,1\n1,2\n2,3\n",
        "id,to,from\n9,0,1\n9,1,2\n9,2,3\n",
        '"0","1"\n"1","2"\n"2","3"\n',
        "0 1 1.0\n1 2 2.5e3\n2 3 0\n",
    ],
)
def test_all_spellings_of_a_path_are_the_same_path(text):
    graph = networks.read(text.encode())
    assert (graph.nodes, graph.edges, edges_of(graph)) == (4, 3, PATH)


def test_texts_are_kept_and_sorted_by_their_bytes():
    graph = networks.read("zoë,Åsa\nÅsa,Bob Smith\nBob Smith,007\n007,7\n".encode())
    assert graph.labels == ["007", "7", "Bob Smith", "zoë", "Åsa"]
    assert edges_of(graph) == [("007", "7"), ("007", "Bob Smith"), ("Bob Smith", "Åsa"), ("zoë", "Åsa")]


def test_leading_zeros_and_signs_are_no_integers():
    """007 and 7 are two nodes, and so are +7 and 7."""
    assert networks.read(b"007 7\n+7 7\n").labels == ["+7", "007", "7"]
    assert networks.read(b"-3 4\n4 10\n").labels.tolist() == [-3, 4, 10]


def test_far_apart_integers_are_sorted_by_value():
    graph = networks.read(b"999999999999999999 5\n-999999999999999999 5\n")
    assert graph.labels.tolist() == [-999999999999999999, 5, 999999999999999999]
    assert networks.read(b"9999999999999999999 5\n").labels == ["5", "9999999999999999999"]


def test_quoted_fields_may_hold_the_delimiter_and_quotes():
    graph = networks.read(b'"a,b",c\nc,"say ""hi"""\n')
    assert graph.labels == ["a,b", "c", 'say "hi"']


def test_what_is_dropped_is_counted():
    """Seven arcs: one loop, one repetition, one pair in both directions, four edges."""
    graph = networks.read(b"0 1\n1 0\n0 1\n2 2\n2 3\n3 4\n4 0\n")
    assert (graph.edges, graph.loops_dropped, graph.duplicates_dropped, graph.directed_merged) == (4, 1, 1, 1)


def test_counts_add_up_on_random_arcs():
    rng = random.Random(1)
    for _ in range(60):
        n = rng.randint(2, 9)
        arcs = [(rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(1, 40))]
        if len({x for arc in arcs for x in arc}) < 2:
            continue
        graph = networks.read("\n".join(f"{a} {b}" for a, b in arcs).encode())
        proper = [arc for arc in arcs if arc[0] != arc[1]]
        simple = {tuple(sorted(arc)) for arc in proper}
        both = {arc for arc in simple if arc in proper and arc[::-1] in proper}
        assert edges_of(graph) == sorted(simple)
        assert graph.loops_dropped == len(arcs) - len(proper)
        assert graph.directed_merged == len(both)
        assert graph.duplicates_dropped == len(proper) - len(set(proper))


def test_a_loop_keeps_its_node():
    assert networks.read(b"0 1\n5 5\n").nodes == 3


def test_weights_are_ignored_with_a_note_and_texts_too():
    assert "weights were ignored" in networks.read(b"0 1 3.5\n").notes[0]
    assert "texts was ignored" in networks.read(b"0 1 friend\n").notes[0]
    assert networks.read(b"0 1 -0.0\n").notes
    assert networks.read(b"0 1\n").notes == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 1 -2\n", "line 1 of the edge list has a negative weight"),
        ("0 1 1\n# x\n1 2 -0.5\n", "line 3 of the edge list has a negative weight"),
        ("0 1 nan\n", "has the weight NaN"),
        ("a b NaN\n", "has the weight NaN"),
        ("a b -1e-3\n", "negative weight"),
        ("0 1 -inf\n", "negative weight"),
        ("0,1\n2\n", "line 2 of the edge list has one field only"),
        ("secret\n", "one field only"),
        ("a,b\n,c\n", "line 2 of the edge list has a missing node id"),
        ("a,b\nnan,c\n", "missing node id"),
        ("source,target\na,b\nc,\n", "line 3 of the edge list has a missing node id"),
        ("", "no edge"),
        ("# only a comment\n\n", "no edge"),
        ("source,target\n", "no node at all"),
        ("7 7\n", "one node"),
    ],
)
def test_bad_lists_are_refused_by_line_and_never_quoted(text, message):
    with pytest.raises(InputError, match=message) as error:
        networks.read(text.encode())
    assert "secret" not in str(error.value)


def test_files_that_are_no_graphs_are_refused():
    with pytest.raises(InputError, match="no text"):
        networks.read(b"PAR1\0\0\0\x15")
    with pytest.raises(InputError, match="not UTF-8"):
        networks.read(b"caf\xe9 b\n")


def test_options_of_edge_lists():
    assert networks.read(b"a b;c d\n", delimiter=";").labels == ["a b", "c d"]
    assert networks.read(b"a b c\n", delimiter=" ").labels == ["a", "b"]
    assert networks.read(b"!no\n0 1\n", comments="!").nodes == 2
    assert networks.read(b"from,to\na,b\n", header=False).labels == ["a", "b", "from", "to"]
    assert networks.read(b"x,y\na,b\n", header=True).labels == ["a", "b"]
    with pytest.raises(InputError, match="one ASCII character"):
        networks.read(b"a b\n", delimiter="::")
    with pytest.raises(InputError, match="format must be one of"):
        networks.read(b"a b\n", format="edge")


def test_compressed_files_are_unpacked_whatever_their_name(tmp_path):
    import bz2
    import lzma

    text = b"0 1\n1 2\n2 3\n"
    for name, pack in (
        ("a.txt.gz", gzip.compress),
        ("b.edges", gzip.compress),
        ("c.bz2", bz2.compress),
        ("d.xz", lzma.compress),
    ):
        (tmp_path / name).write_bytes(pack(text))
        assert edges_of(networks.read(tmp_path / name)) == PATH
    (tmp_path / "broken.gz").write_bytes(gzip.compress(text)[:-6])
    with pytest.raises(InputError, match="damaged"):
        networks.read(tmp_path / "broken.gz")


def test_missing_files_and_folders_are_named_by_base_name(tmp_path):
    with pytest.raises(InputError, match="no file 'nothing.txt'") as error:
        networks.read(tmp_path / "nothing.txt")
    assert str(tmp_path) not in str(error.value)
    with pytest.raises(InputError, match="folder"):
        networks.read(tmp_path)


def test_a_hundred_thousand_random_texts_come_back():
    rng = np.random.default_rng(1)
    ends = rng.integers(0, 20_000, (100_000, 2))
    ends = ends[ends[:, 0] != ends[:, 1]]
    graph = networks.read("\n".join(f"n{a:x} n{b:x}" for a, b in ends).encode())
    wanted = {tuple(sorted((f"n{a:x}", f"n{b:x}"))) for a, b in ends}
    assert set(edges_of(graph)) == wanted
    assert graph.labels == sorted(graph.labels, key=str.encode)


def test_a_table_of_persons_is_refused_in_words_and_read_where_somebody_insists():
    rows = ["id,age,sex,zip,ward,icd", "a1,31,f,01067,x,I10", "b2,47,m,01099,y,E11"]
    with pytest.raises(InputError, match="looks like a table of persons.*incrowd audit"):
        read_edge_list("\n".join(rows).encode())
    assert read_edge_list("\n".join(rows[1:]).encode(), header=False).edges == 2
    named = "source,target,age,sex,zip,ward\n" + "\n".join(rows[1:])
    assert read_edge_list(named.encode()).edges == 2


def test_three_columns_of_texts_are_said_to_look_like_a_table():
    graph = read_edge_list(b"31,f,flu\n47,m,cold\n")
    assert any("a table of persons, and no list of edges" in note for note in graph.notes)
