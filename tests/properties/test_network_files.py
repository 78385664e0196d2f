"""One network, however it comes: every file format, every kind of object, every spelling; and what is no network."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import struct
import sys
import threading

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.io import mmwrite
from scipy.sparse import coo_array, csr_array, csr_matrix

from incrowd import networks
from incrowd.errors import InputError
from incrowd.networks.input import edge_list, limits, sources  # sizes of pieces, which no small file reaches
from incrowd.progress import Watch
from seeds import seeds

PATH = [(0, 1), (1, 2), (2, 3)]


def edges_of(graph):
    """The edges in the labels of the source, each once."""
    rows = np.repeat(np.arange(graph.nodes), graph.degrees)
    return [(graph.label(a), graph.label(b)) for a, b in zip(rows, graph.indices, strict=True) if a < b]


def labels_of(graph):
    return [graph.label(i) for i in range(graph.nodes)]


# ------------------------------------------------------------------------------------------- edge lists


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
        "Source,Target,Weight\n0,1,1\n1,2,1\n2,3,1\n",
        "id,to,from\n9,0,1\n9,1,2\n9,2,3\n",
        "w,u,v\n1,0,1\n1,1,2\n1,2,3\n",
        '"0","1"\n"1","2"\n"2","3"\n',
        "0 1 1.0\n1 2 2.5e3\n2 3 0\n",
        "0 1 7 2020 x\n1 2 7 2020 x\n2 3 7 2020 x\n",
    ],
)
def test_all_spellings_of_a_path_are_the_same_path(text):
    graph = networks.read(text.encode())
    assert (graph.nodes, graph.edges, edges_of(graph), graph.labels) == (4, 3, PATH, None)


@pytest.mark.parametrize(
    ("text", "labels", "edges"),
    [
        ("zoë,Åsa\nÅsa,Bob Smith\nBob Smith,007\n007,7\n", ["007", "7", "Bob Smith", "zoë", "Åsa"],
         [("007", "7"), ("007", "Bob Smith"), ("Bob Smith", "Åsa"), ("zoë", "Åsa")]),
        ("007 7\n+7 7\n", ["+7", "007", "7"], [("+7", "7"), ("007", "7")]),
        ("-3 4\n4 10\n", [-3, 4, 10], [(-3, 4), (4, 10)]),
        ("-0 4\n", ["-0", "4"], [("-0", "4")]),
        ("0 4\n4 1000000000\n", [0, 4, 10**9], [(0, 4), (4, 10**9)]),
        ("5 999999999999999999\n-999999999999999999 5\n", [-(10**18) + 1, 5, 10**18 - 1],
         [(-(10**18) + 1, 5), (5, 10**18 - 1)]),
        ("9999999999999999999 5\n", ["5", "9999999999999999999"], [("5", "9999999999999999999")]),
        ('"a,b",c\nc,"say ""hi"""\n', ["a,b", "c", 'say "hi"'], [("a,b", "c"), ("c", 'say "hi"')]),
        ("0 1\n5 5\n", [0, 1, 5], [(0, 1)]),  # a loop keeps its node
        ("1 2\n2 3\n", [1, 2, 3], [(1, 2), (2, 3)]),
        ("1.5 2\n", ["1.5", "2"], [("1.5", "2")]),
    ],
)  # fmt: skip
def test_ids_are_whole_numbers_or_the_texts_that_stand_there_in_their_order(text, labels, edges):
    graph = networks.read(text.encode())
    assert labels_of(graph) == labels and edges_of(graph) == edges


def test_what_is_dropped_is_counted():
    """Eight arcs: one loop, one repetition, one pair in both directions, four edges."""
    graph = networks.read(b"0 1\n1 0\n0 1\n2 2\n2 3\n3 4\n4 0\n")
    assert (graph.edges, graph.loops_dropped, graph.duplicates_dropped, graph.directed_merged) == (4, 1, 1, 1)


@seeds(600, 60)
def test_counts_add_up_on_random_arcs(seed):
    rng = random.Random(seed)
    n = rng.randint(2, 9)
    arcs = [(0, 1), *((rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(1, 40)))]
    name = (lambda v: f"n{v}") if seed % 2 else str
    graph = networks.read("\n".join(f"{name(a)} {name(b)}" for a, b in arcs).encode())
    proper = [arc for arc in arcs if arc[0] != arc[1]]
    simple = {tuple(sorted(arc)) for arc in proper}
    both = {arc for arc in simple if arc in proper and arc[::-1] in proper}
    assert sorted(edges_of(graph)) == sorted((name(a), name(b)) if seed % 2 else (a, b) for a, b in simple)
    assert graph.loops_dropped == len(arcs) - len(proper) and graph.directed_merged == len(both)
    assert graph.duplicates_dropped == len(proper) - len(set(proper))
    assert graph.nodes == len({v for arc in arcs for v in arc})


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("0 1 3.5\n", "edge weights were ignored"),
        ("0 1 -0.0\n", "edge weights were ignored"),
        ("a b 2\n", "edge weights were ignored"),
        ("0 1 friend\n", "a third column of texts was ignored"),
        ("31,f,flu\n47,m,cold\n", "if this is a table of persons"),
        ("0 1 1\n", "edge weights were ignored"),
        ("0 1\n", None),
        ("source,target,kind,weight\n0,1,x,2\n", "edge weights were ignored"),
    ],
)
def test_a_third_column_is_ignored_with_a_note(text, note):
    notes = networks.read(text.encode()).notes
    assert notes == () if note is None else note in " ".join(notes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0 1 -2\n", "line 1 of the edge list has a negative weight"),
        ("0 1 1\n# x\n1 2 -0.5\n", "line 3 of the edge list has a negative weight"),
        ("0 1 nan\n", "line 1 of the edge list has the weight NaN"),
        ("a b NaN\n", "has the weight NaN"),
        ("a b -1e-3\n", "negative weight"),
        ("0 1 -inf\n", "negative weight"),
        ("0 1 2\na b -2\n", "line 2 of the edge list has a negative weight"),
        ("source,target,weight\n0,1,-1\n", "line 2 of the edge list has a negative weight"),
        ("0,1\n2\n", "line 2 of the edge list has one field only"),
        ("a,b\nsecret\n", "line 2 of the edge list has one field only"),
        ("secret\n", "line 1 of the edge list has one field only"),
        ("a,b\n,c\n", "line 2 of the edge list has a missing node id"),
        ("1,2\n,3\n", "line 2 of the edge list has a missing node id"),
        ("a,b\nnan,c\n", "line 2 of the edge list has a missing node id"),
        ("source,target\na,b\nc,\n", "line 3 of the edge list has a missing node id"),
        ("", "the file holds no edge"),
        ("# only a comment\n\n", "the file holds no edge"),
        ("source,target\n", "the graph is empty: it has no node at all"),
        ("7 7\n", "the graph has one node"),
        ("PAR1\0\0\0", "the file is no text"),
        ("id,age,sex,zip,ward,icd\na1,31,f,01067,x,I10\n", "has 6 columns.*looks like a table of persons.*incrowd.audit"),
    ],
)  # fmt: skip
def test_bad_lists_are_refused_by_line_and_never_quoted(text, said):
    with pytest.raises(InputError, match=said) as error:
        networks.read(text.encode())
    assert "secret" not in str(error.value)


def test_a_list_that_is_not_utf8_is_refused():
    with pytest.raises(InputError, match="not UTF-8 text"):
        networks.read(b"caf\xe9 b\n")


@pytest.mark.parametrize(
    ("text", "options", "labels"),
    [
        ("a b;c d\n", {"delimiter": ";"}, ["a b", "c d"]),
        ("a b c\n", {"delimiter": " "}, ["a", "b"]),
        ("a,x b\n", {"delimiter": " "}, ["a,x", "b"]),
        ("!no\n0 1\n", {"comments": "!"}, [0, 1]),
        ("#a b\n", {"comments": "!"}, ["#a", "b"]),
        ("from,to\na,b\n", {"header": False}, ["a", "b", "from", "to"]),
        ("x,y\na,b\n", {"header": True}, ["a", "b"]),
        ("x,y\na,b\n", {}, ["a", "b", "x", "y"]),
        ("source,y\na,b\n", {}, ["a", "b", "source", "y"]),
        ("x,y,z,p,q,r\na,b,z,p,q,r\n", {"header": False}, ["a", "b", "x", "y"]),
        ("source,target,age,sex,zip,ward\na,b,1,f,9,x\n", {}, ["a", "b"]),
        ("2 1\n2\n1\n", {"format": "metis"}, [1, 2]),
    ],
)
def test_options_of_edge_lists(text, options, labels):
    assert labels_of(networks.read(text.encode(), **options)) == labels


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"delimiter": "::"}, "delimiter must be one ASCII character, not 2 of them"),
        ({"delimiter": ""}, "delimiter must be one ASCII character"),
        ({"delimiter": "\udcff"}, "delimiter must be one ASCII character"),
        ({"delimiter": 7}, "delimiter must be a text"),
        ({"comments": 7}, "comments must be a text"),
        ({"header": "yes"}, "header must be True or False"),
        ({"format": "edge"}, "format must be one of edges, graphml, gml, pajek, metis, matrix-market, node-link"),
        ({"format": "graphm"}, "did you mean 'graphml'"),
        ({"component": "big"}, "component must be 'all' or 'largest'"),
    ],
)
def test_an_option_of_reading_that_is_none_is_refused(options, said):
    with pytest.raises(InputError, match=said):
        networks.read(b"a b\n", **options)


def test_tens_of_thousands_of_random_texts_come_back():
    rng = np.random.default_rng(1)
    ends = rng.integers(0, 5_000, (25_000, 2))
    ends = ends[ends[:, 0] != ends[:, 1]]
    graph = networks.read("\n".join(f"n{a:x} n{b:x}" for a, b in ends).encode())
    assert set(edges_of(graph)) == {tuple(sorted((f"n{a:x}", f"n{b:x}"))) for a, b in ends}
    assert graph.labels == sorted(graph.labels)


def test_pieces_of_an_edge_list_come_to_the_same_graph(monkeypatch):
    text = b"# a comment\n" + b"".join(b"%d %d\n" % (i % 97, i % 89 + 5) for i in range(600)) + b"3 4"
    whole, words = networks.read(text), networks.read(text.replace(b" ", b" n"))
    for size in (1, 7, 1000):
        monkeypatch.setattr(edge_list, "PIECE", size)
        for made, other in ((networks.read(text), whole), (networks.read(text.replace(b" ", b" n")), words)):
            assert edges_of(made) == edges_of(other) and labels_of(made) == labels_of(other)
        for bad, line in ((b"1 2\n" * 50 + b"3\n", 51), (b"1 2\n" * 5 + b"a b\n" * 5 + b"c\n" + b"1 2\n", 11)):
            with pytest.raises(InputError, match=f"line {line} of the edge list has one field only"):
                networks.read(bad)


# ------------------------------------------------------------------------------------------- other files, objects


@pytest.fixture(scope="module")
def club():
    karate = nx.karate_club_graph()
    out = nx.Graph()
    out.add_nodes_from(range(34))
    out.add_edges_from(karate.edges)
    return out


def same(graph, whole, shift=0):
    """The same nodes and edges, by number, whatever the spelling of the labels."""
    assert sorted(int(x) - shift for x in labels_of(graph)) == sorted(whole)
    wanted = {frozenset(e) for e in whole.edges}
    assert {frozenset((int(a) - shift, int(b) - shift)) for a, b in edges_of(graph)} == wanted
    return True


def test_every_format_gives_the_same_graph(club, tmp_path):
    nx.write_graphml(club, tmp_path / "a.graphml")
    nx.write_gml(club, tmp_path / "a.gml")
    nx.write_pajek(nx.relabel_nodes(club, str), tmp_path / "a.net")
    (tmp_path / "a.paj").write_bytes((tmp_path / "a.net").read_bytes())
    (tmp_path / "a.json").write_text(json.dumps(nx.node_link_data(club, edges="links")))
    (tmp_path / "b.json").write_text(json.dumps(nx.node_link_data(club, edges="edges")))
    mmwrite(tmp_path / "a.mtx", nx.to_scipy_sparse_array(club, dtype=np.int64), symmetry="symmetric")
    mmwrite(tmp_path / "b.mtx", nx.to_scipy_sparse_array(club, dtype=float), symmetry="general")
    mmwrite(tmp_path / "c.mtx", nx.to_numpy_array(club), symmetry="general")
    (tmp_path / "c.mm").write_bytes((tmp_path / "a.mtx").read_bytes())
    lines = [f"{len(club)} {club.number_of_edges()}", *(" ".join(str(y + 1) for y in club[v]) for v in range(34))]
    (tmp_path / "a.graph").write_text("% comment\n\n" + "\n".join(lines) + "\n")
    (tmp_path / "a.metis").write_text("\n".join(lines))
    for path in sorted(tmp_path.iterdir()):
        shift = int(path.suffix in (".graph", ".metis"))
        graph = networks.read(path)
        assert same(graph, club, shift), path.name
        assert (graph.directed_merged, graph.loops_dropped, graph.duplicates_dropped) == (0, 0, 0), path.name
        assert same(networks.read(path.read_bytes(), format="metis" if shift else None), club, shift)  # by first bytes
        packed = tmp_path.parent / f"packed-{path.name}.gz"
        packed.write_bytes(gzip.compress(path.read_bytes()))
        assert same(networks.read(packed), club, shift)


def test_every_object_gives_the_same_graph(club):
    ends = np.array(club.edges)
    frame = pd.DataFrame(ends, columns=["source", "target"])
    matrix = nx.to_scipy_sparse_array(club)
    for source in (
        club,
        club.to_directed(),
        nx.MultiDiGraph(club),
        matrix,
        csr_matrix(matrix),
        frame,
        frame.assign(weight=2.5)[["weight", "target", "source"]],
        frame.astype(float),
        frame.astype("uint8"),
        frame.rename(columns={"source": "one", "target": "two"}),
        pl.from_pandas(frame),
        pa.Table.from_pandas(frame),
        ends,
        [tuple(e) for e in ends.tolist()],
        {tuple(e) for e in ends.tolist()},
        ends.tolist(),
        networks.read(club),
    ):
        assert same(networks.read(source), club), type(source)


def test_igraph_objects_are_read_by_name_or_index(club):
    igraph = pytest.importorskip("igraph", reason="igraph is not installed")
    by_index = igraph.Graph(edges=list(club.edges))
    assert same(networks.read(by_index), club)
    by_index.vs["name"] = [f"v{i:02d}" for i in range(34)]
    assert networks.read(by_index).labels[0] == "v00"
    by_index.es["weight"] = [-1.0] * by_index.ecount()
    with pytest.raises(InputError, match="negative weight"):
        networks.read(by_index)


class Likeness:
    """What igraph's graphs look like from outside, for where igraph is not installed."""

    def __init__(self, names=None, weights=None):
        attributes = {} if names is None else {"name": names}
        self.vs = Attributes(attributes)
        self.es = Attributes({} if weights is None else {"weight": weights})

    def get_edgelist(self):
        return [(0, 1), (1, 2)]

    def vcount(self):
        return 4


class Attributes(dict):
    def attributes(self):
        return list(self)


@pytest.mark.parametrize(
    ("names", "weights", "labels", "noted"),
    [
        (None, None, [0, 1, 2, 3], False),
        (["d", "c", "b", "a"], [2, None], ["a", "b", "c", "d"], True),
        (["a", "a", "b", "c"], [1, 1], [0, 1, 2, 3], False),  # a name twice: by index
        ([None, "a", "b", "c"], None, [0, 1, 2, 3], False),
    ],
)
def test_names_that_are_unique_are_labels(names, weights, labels, noted):
    graph = networks.read(Likeness(names, weights))
    assert labels_of(graph) == labels and graph.edges == 2 and bool(graph.notes) == noted


@pytest.mark.parametrize(
    ("source", "counts"),
    [
        (nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 2)]), (2, 1, 1, 0)),
        (nx.MultiGraph([(0, 1), (0, 1), (1, 2)]), (2, 0, 0, 1)),
        (nx.MultiDiGraph([(0, 1), (0, 1), (1, 0), (1, 2)]), (2, 1, 0, 1)),
        (coo_array(([1, 1, 1], ([0, 1, 1], [1, 0, 2])), shape=(3, 3)), (2, 1, 0, 0)),
        (coo_array(([1, 1, 1, 1], ([0, 1, 1, 2], [1, 0, 2, 1])), shape=(3, 3)), (2, 0, 0, 0)),
        (coo_array(([1, 1, 0], ([0, 1, 0], [1, 1, 2])), shape=(3, 3)), (1, 0, 1, 0)),  # a stored zero is no edge
    ],
)
def test_directions_are_merged_and_counted(source, counts):
    graph = networks.read(source)
    assert (graph.edges, graph.directed_merged, graph.loops_dropped, graph.duplicates_dropped) == counts


def test_lonely_nodes_are_kept_and_labels_of_any_kind_sorted():
    whole = nx.path_graph(3)
    whole.add_node(7)
    graph = networks.read(whole)
    assert (graph.nodes, graph.components, labels_of(graph)) == (4, 2, [0, 1, 2, 7])
    assert graph.component_sizes.tolist() == [3, 1]
    assert networks.read(nx.to_scipy_sparse_array(whole)).nodes == 4
    assert networks.read([("b", "a"), ("c", "b")]).labels == ["a", "b", "c"]
    assert networks.read([(3, 10), (10, 2)]).labels == [2, 3, 10]
    assert networks.read(nx.grid_2d_graph(2, 2)).labels == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert networks.read([("a", 1), (1, "b")]).labels == [1, "a", "b"]
    assert networks.read([(0, 1), (1, 2)]).labels is None
    assert networks.read([(False, True), (True, 2)]).labels == [False, True, 2]
    assert networks.read([(0.5, 1.5)]).labels == [0.5, 1.5]
    large = networks.read(np.array([[2**63 + 1, 1], [1, 2]], np.uint64))
    assert list(large.labels) == [1, 2, 2**63 + 1]
    assert networks.read(np.array([[2**62, -(2**62)], [1, 2]])).nodes == 4
    assert networks.read(np.array([[2.0**53, 1.0], [1.0, 2.0]])).labels == [1.0, 2.0, 2.0**53]


def weighted(value):
    whole = nx.Graph()
    whole.add_edge(0, 1, weight=value)
    whole.add_edge(1, 2)
    return whole


@pytest.mark.parametrize(("value", "said"), [(-1.0, "negative"), (float("nan"), "NaN")])
def test_bad_weights_are_refused_wherever_they_stand(value, said):
    for source in (
        weighted(value),
        coo_array(([1.0, value], ([0, 1], [1, 2])), shape=(3, 3)),
        pd.DataFrame({"u": [0, 1], "v": [1, 2], "weight": [1.0, value]}),
        pl.DataFrame({"u": [0, 1], "v": [1, 2], "W": [1.0, value]}),
        Likeness(weights=[1.0, value]),
    ):
        with pytest.raises(InputError, match=rf"^edge \d has .*{said}"):
            networks.read(source)


def test_good_weights_are_ignored_with_a_note():
    assert networks.read(weighted(1)).notes == ()
    for value in (2.0, 10**400, float("inf")):
        assert networks.read(weighted(value)).notes == ("edge weights were ignored: distances count edges",)
    assert networks.read(weighted("strong")).notes == ("edge weights that are no numbers were ignored",)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (pd.DataFrame({"u": [0, None], "v": [1, 2]}), "row 2 of the edge table lacks a node id"),
        (pd.DataFrame({"u": [0, 1], "v": [None, 2]}), "row 1 of the edge table lacks a node id"),
        (pd.DataFrame({"u": ["a", None], "v": ["b", "c"]}), "missing"),
        (pd.DataFrame({"u": ["a", pd.NA], "v": ["b", "c"]}), "missing"),
        (pl.DataFrame({"u": ["a", None], "v": ["b", "c"]}), "missing"),
        (pd.DataFrame({"u": [1]}), "needs two columns of node ids, this one has 1"),
        (np.zeros((3, 3), int), r"should have shape \(m, 2\), not \(3, 3\)"),
        (np.zeros(4, int), "shape"),
        ([(1, 2, 3)], "should hold pairs"),
        ([7], "should hold pairs"),
        ([(None, 1)], "missing"),
        ([(float("nan"), 1.5)], "missing"),
        ([({}, 1), (1, 2)], "cannot name a node"),
        (nx.Graph(), "the graph is empty"),
        (nx.empty_graph(1), "the graph has one node"),
        ([], "the graph is empty"),
        (coo_array((2, 3)), "square, not 2 x 3"),
        (coo_array(([1], ([0], [1])), shape=(2_000_000_000, 2_000_000_000)), "leave out nodes without edges"),
        (42, "cannot read a graph from int"),
        (None, "cannot read a graph from NoneType"),
    ],
)
def test_objects_that_are_no_graphs_are_refused(source, said):
    with pytest.raises(InputError, match=said):
        networks.read(source)


MARKET = "%%MatrixMarket matrix coordinate pattern symmetric\n"
ARRAY = "%%MatrixMarket matrix array real general\n"
JSON = '{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2, "weight": WEIGHT}]}'
UNREAD = {
    ("node-link", "JSON file cannot be parsed"): (
        "{secret", '{"nodes":' + "[" * 100_000, "[]", '{"nodes": 7, "links": []}', '{"nodes": [{"id": 1}]}',
        '{"nodes": [{"id": 1}], "links": [{"source": 1}]}', '{"nodes": [1], "links": []}',
        '{"nodes": [{"id": 1}], "links": [[1, 1]]}', '{"nodes": [{"id": {"secret": 1}}, {"id": 2}], "links": []}',
        '{"nodes": [{"id": null}, {"id": 2}], "links": []}',
    ),
    ("matrix-market", "the Matrix Market file cannot be parsed"): (
        "%%MatrixMarket secret", "3 3 2\n2 1\n", "%%MatrixMarket vector coordinate pattern general\n3 3 1\n2 1\n", MARKET,
        MARKET + "% nothing\n", MARKET + "3 3\n2 1\n", ARRAY + "3 3 9\n1\n", MARKET + "-3 -3 1\n2 1\n",
        MARKET + "9" * 30 + " 3 2\n2 1\n3 1\n", MARKET + "20 20 4\n2 1\n3 1\n1 1", MARKET + "3 3 1\n4 1\n",
        MARKET + "3 3 1\ntwo 1\n",
    ),
}  # fmt: skip
BAD = [
    ("graphml", "<graphml><secret", "GraphML file cannot be parsed"),
    ("graphml", '<!DOCTYPE x [<!ENTITY a "b">]><graphml/>', "declares XML entities"),
    ("gml", "graph [ secret", "GML file cannot be parsed"),
    ("gml", b"graph [ \x00\xff", "the GML file is no text"),
    ("pajek", b"*vertices \x00\xff", "the Pajek file is no text"),
    ("pajek", "*vertices 2\n1 secret\n*edges\n1 9\n", "Pajek file cannot be parsed|one node|empty"),
    ("node-link", JSON.replace("WEIGHT", "-1" + "0" * 400), "negative weight"),
    ("node-link", JSON.replace("WEIGHT", "NaN"), "NaN"),
    ("metis", "secret", "should start with the number of nodes and of edges"),
    ("metis", "", "should start with the number of nodes and of edges"),
    ("metis", "3\n2\n1\n", "should start with the number of nodes and of edges"),
    ("metis", "3 1\n2\n", "1 lines of neighbours for 3 nodes"),
    ("metis", "2 1\n2\nx\n", "node line 2 of the METIS file holds something that is no number"),
    ("metis", "2 1\n2\n9\n", r"node line 2 of the METIS file names a node outside 1\.\.2"),
    ("metis", "2 1\n2\n0\n", "node line 2 .* outside"),
    ("metis", "2 1\n2\n1.5\n", "node line 2 .* outside"),
    ("metis", "3 2\n2\n1 inf\n2\n", r"outside 1\.\.3"),
    ("metis", "3 2\n2\n1 1e999\n2\n", r"outside 1\.\.3"),
    ("metis", "3 2\n2\n1 nan\n2\n", r"outside 1\.\.3"),
    ("metis", "3 2 7\n2\n1 3\n2\n", "made of 0 and 1"),
    ("metis", "3 2 1000\n2\n1 3\n2\n", "made of 0 and 1"),
    ("metis", "3 2 -1\n2\n1 3\n2\n", "number of nodes"),
    ("metis", "3 2 11 -1\n2\n1 3\n2\n", "number of nodes"),
    ("metis", "2 1 1\n2 -7\n1 -7\n", "negative"),
    ("metis", b"2 1\n2\n1 \x00\xff\n", "the METIS file is no text"),
    ("matrix-market", MARKET + "3 4 1\n1 2\n", "square, not 3 x 4"),
    ("matrix-market", ARRAY + "0 0\n1\n", "no row"),
    ("matrix-market", MARKET + "9 9 99999999\n2 1\n", "claims 99,999,999 entries and is too short to hold them"),
    ("matrix-market", ARRAY + "60000 60000\n1\n1\n", "too short"),
    ("matrix-market", ARRAY.replace("general", "symmetric") + "60000 60000\n1\n1\n", "claims 1,799,970,000 entries"),
    ("matrix-market", MARKET + "2000000000 2000000000 2\n2 1\n3 1\n", "declares 2,000,000,000 nodes and holds 2 edges"),
    ("matrix-market", MARKET + "1000001 1000001 1\n2 1\n", "declares 1,000,001 nodes and holds 1 edge; at most 1,000,000"),
    ("matrix-market", MARKET + "8 8 2\n2 1\n8 1\0\0\0\0", "zero bytes"),
    *((kind, content, said) for (kind, said), contents in UNREAD.items() for content in contents),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "content", "said"), BAD, ids=lambda x: str(x)[:30])
def test_bad_files_of_every_format_are_refused_in_a_sentence_that_quotes_nothing(kind, content, said):
    with pytest.raises(InputError, match=said) as error:
        networks.read(content if isinstance(content, bytes) else content.encode(), format=kind)
    assert "secret" not in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("kind", "text", "nodes", "edges", "labels", "noted"),
    [
        ("metis", "3 2 11 1\n5 2 7\n5 1 7 3 8\n5 2 8\n", 3, 2, [1, 2, 3], True),
        ("metis", "3 2 10 2\n5 6 2\n5 6 1 3\n5 6 2\n", 3, 2, [1, 2, 3], False),
        ("metis", "3 2 100\n9 2\n9 1 3\n9 2\n", 3, 2, [1, 2, 3], False),
        ("metis", "2 1\n1 2\n1\n", 2, 1, [1, 2], False),
        ("matrix-market", MARKET + "% told\n\n3 3 2\n2 1\n3 2\n", 3, 2, [0, 1, 2], False),
        ("matrix-market", MARKET + "1000 1000 2\n2 1\n3 1\n", 1000, 2, list(range(1000)), False),
        ("matrix-market", ARRAY + "2 2\n0\n3\n3\n0\n", 2, 1, [0, 1], True),
        ("node-link", JSON.replace("WEIGHT", "1" + "0" * 400), 2, 1, [1, 2], True),
        ("node-link", JSON.replace("WEIGHT", "1"), 2, 1, [1, 2], False),
        ("node-link", '{"nodes": [{"id": [1, 2]}, {"id": [1, 3]}], "edges": []}', 2, 0, [(1, 2), (1, 3)], False),
        ("gml", 'graph [ node [ id 4 label "a" ] node [ id 5 label "a" ] edge [ source 4 target 5 ] ]', 2, 1, [4, 5], False),
        ("gml", "graph [ node [ id 4 ] node [ id 5 ] edge [ source 4 target 5 ] ]", 2, 1, [4, 5], False),
        ("pajek", '*Vertices 3\n1 "a"\n2 "b"\n3 "c"\n*Arcs\n1 2\n2 1\n', 3, 1, ["a", "b", "c"], False),
    ],
)  # fmt: skip
def test_odd_files_that_are_good(kind, text, nodes, edges, labels, noted):
    graph = networks.read(text.encode(), format=kind)
    assert (graph.nodes, graph.edges, labels_of(graph)) == (nodes, edges, labels)
    assert bool(graph.notes) == noted
    assert graph.components == nodes - edges


@pytest.mark.parametrize("kind", ["graphml", "gml", "pajek", "node-link"])
def test_without_networkx_one_sentence_says_what_to_install(monkeypatch, kind):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(InputError, match="needs NetworkX, which is not installed: pip install networkx$"):
        networks.read(b"graph [ ]", format=kind)
    assert networks.read(b"2 1\n2\n1\n", format="metis").edges == networks.read(b"a b\n").edges == 1


@pytest.mark.parametrize("rest", [b"", b"\xff\xff\xff\xff", b"x", b"e"])
def test_the_last_line_of_a_matrix_may_lack_its_end_whatever_stands_there(rest):
    """SciPy's reader leaves the process with a segmentation fault on most of these where nothing is put behind them."""
    assert networks.read(MARKET.encode() + b"3 3 2\n2 1\n3 2" + rest).edges == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "latin-1"])
def test_graphml_entities_are_refused_whatever_the_encoding(encoding):
    mark = "\ufeff" if encoding.startswith("utf-16-") else ""
    text = (
        f'{mark}<?xml version="1.0" encoding="{"utf-16" if mark else encoding}"?>\n<!DOCTYPE graphml '
        '[<!ENTITY a "b">]>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
        '<node id="&a;"/><node id="c"/><edge source="&a;" target="c"/></graph></graphml>'
    )
    with pytest.raises(InputError, match="declares XML entities"):
        networks.read(text.encode(encoding), format="graphml")
    plain = text.replace(' [<!ENTITY a "b">]', ' SYSTEM "graphml.dtd"').replace("&a;", "b")
    assert networks.read(plain.encode(encoding), format="graphml").labels == ["b", "c"]


def test_declared_nodes_without_edges_are_kept_where_their_rows_are_laid_out():
    big = csr_array(
        (np.ones(1, np.int8), np.array([1]), np.r_[0, np.ones(1_500_000, np.int64)]), shape=(1_500_000,) * 2
    )
    assert networks.read(big).nodes == 1_500_000


# ------------------------------------------------------------------------------------------- packed files, paths

TEXT = b"".join(b"%d %d\n" % (i, i + 1) for i in range(3000))


def flipped(data, at):
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def damages():
    gz = gzip.compress(TEXT, mtime=0)
    for name, data in (("gz", gz), ("bz2", bz2.compress(TEXT)), ("xz", lzma.compress(TEXT))):
        yield f"{name} cut off", data[: len(data) // 2]
        yield f"{name} without its last byte", data[:-1]
        yield f"{name} with a bit turned", flipped(data, len(data) // 2)
        yield f"{name} with garbage behind", data + b"garbage"
        yield f"{name} with half a second part", data + data[: len(data) // 3]
        yield f"{name} with a damaged second part", data + flipped(data, len(data) // 2)
    yield "gz with another checksum", gz[:-8] + struct.pack("<I", 7) + gz[-4:]
    yield "gz with another length", gz[:-4] + struct.pack("<I", len(TEXT) + 1)
    yield "gz with another checksum in its first part", gz[:-8] + struct.pack("<I", 7) + gz[-4:] + gz
    yield "gz with another length in its first part", gz[:-4] + struct.pack("<I", 7) + gz
    yield "gz of an unknown method", flipped(gz, 2)


DAMAGES = dict(damages())


@pytest.mark.parametrize("case", DAMAGES)
def test_a_damaged_file_is_refused_in_a_sentence(tmp_path, case):
    (tmp_path / "g.txt.packed").write_bytes(DAMAGES[case])
    with pytest.raises(InputError, match="is damaged: it cannot be unpacked whole"):
        networks.read(tmp_path / "g.txt.packed")


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_files_are_unpacked_by_their_first_bytes_part_after_part_and_not_without_end(tmp_path, monkeypatch, pack):
    place = tmp_path / "a.packed"
    place.write_bytes(pack(TEXT[:5000]) + pack(b"") + pack(TEXT[5000:]))
    graph = networks.read(place)
    assert (graph.nodes, graph.edges) == (3001, 3000)
    if pack is not bz2.compress:
        place.write_bytes(pack(TEXT) + bytes(512))  # padded
        assert networks.read(place).edges == 3000
    monkeypatch.setattr(sources, "ALWAYS", 1 << 16)
    monkeypatch.setattr(sources, "PIECE", 1 << 14)
    place.write_bytes(pack(b"1 2\n" * 500_000))
    with pytest.raises(InputError, match="unpacks to more than .*; if it is meant to, unpack it first"):
        networks.read(place)
    monkeypatch.setattr(sources, "ALWAYS", 1 << 22)
    assert networks.read(place).edges == 1


def test_the_ending_under_a_packed_one_tells_the_format(tmp_path):
    (tmp_path / "G.GRAPH.gz").write_bytes(gzip.compress(b"2 1\n2\n1\n"))
    assert labels_of(networks.read(tmp_path / "G.GRAPH.gz")) == [1, 2]


def test_paths_that_are_none_are_refused_by_their_base_name(tmp_path):
    for path, said in (
        (tmp_path / ("x" * 300), "cannot read 'xxx"),
        ("a\0b", "that is no path of a file|no file"),
        (tmp_path, "is a folder, not a network file"),
        (tmp_path / "nothing.txt", "there is no file 'nothing.txt'; give the path of a network file"),
        (str(tmp_path / "nothing.txt"), "there is no file 'nothing.txt'"),
    ):
        with pytest.raises(InputError, match=said) as error:
            networks.read(path)
        assert str(tmp_path) not in str(error.value)


# ------------------------------------------------------------------------------------------- parts


def test_the_largest_component_is_kept_with_its_labels_and_a_note():
    graph = networks.read([("x", "y"), ("a", "b"), ("b", "c"), ("m", "n")], component="largest")
    assert graph.labels == ["a", "b", "c"] and graph.components == 1
    assert graph.notes == ("only the largest component was kept; 4 nodes in 2 other components were left out",)
    lone = nx.path_graph(3)
    lone.add_node(9)
    assert networks.read(lone, component="largest").notes[0].endswith("1 node in 1 other component was left out")
    assert networks.read(lone, component="largest").edges == 2
    first = networks.read([(4, 5), (0, 1)], component="largest")  # of two alike, the one with the first node
    assert labels_of(first) == [0, 1]
    whole = networks.read([(0, 1)])
    assert networks.read(whole, component="largest") is whole
    with pytest.raises(InputError, match="no component of the network has two nodes, for no edge joins any"):
        networks.read(nx.empty_graph(3), component="largest")


# ------------------------------------------------------------------------------------------- stopped while reading


@pytest.fixture
def files(monkeypatch):
    """A path of 500 nodes in every format, and readers that ask often."""
    monkeypatch.setattr(limits, "OFTEN", 50)
    monkeypatch.setattr(edge_list, "PIECE", 512)
    monkeypatch.setattr(sources, "PIECE", 512)
    path = nx.path_graph(500)
    graphml, gml, pajek = io.BytesIO(), io.BytesIO(), io.BytesIO()
    nx.write_graphml(path, graphml)
    nx.write_gml(path, gml)
    nx.write_pajek(nx.relabel_nodes(path, str), pajek)
    edges = "".join(f"{a} {b}\n" for a, b in path.edges)
    return {
        "a.txt": edges.encode(),
        "b.txt": edges.replace(" ", " n").encode(),
        "c.txt": edges.replace("\n", "000000000\n").encode(),
        "a.txt.gz": gzip.compress(edges.encode()),
        "a.graphml": graphml.getvalue(),
        "a.gml": gml.getvalue(),
        "a.net": pajek.getvalue(),
        "a.graph": ("500 499\n" + "".join(" ".join(str(y + 1) for y in path[x]) + "\n" for x in path)).encode(),
        "a.mtx": (MARKET + "500 500 499\n" + "".join(f"{b + 1} {a + 1}\n" for a, b in path.edges)).encode(),
        "a.json": json.dumps(nx.node_link_data(path, edges="links")).encode(),
    }


class Impatient(Watch):
    """A watch that is stopped by the first question but a few."""

    def __init__(self, patience, how):
        super().__init__()
        self.patience, self.how = patience, how

    def __getattribute__(self, name):
        if name in ("interrupted", "out_of_time") and name == object.__getattribute__(self, "how"):
            self.patience -= 1
            return self.patience < 0
        return object.__getattribute__(self, name)


def test_every_format_hears_the_time_limit_and_the_interruption_while_reading(files, tmp_path):
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        assert networks.read(tmp_path / name, watch=Watch()).edges == 499
        for patience in (0, 2):
            with pytest.raises(InputError, match="the time limit passed while the network was being read"):
                networks.read(tmp_path / name, watch=Impatient(patience, "out_of_time"))
            with pytest.raises(KeyboardInterrupt):
                networks.read(tmp_path / name, watch=Impatient(patience, "interrupted"))
        asked = []
        watch = Watch()
        watch.memory_budget = lambda asked=asked: asked.append(1) or 10**9
        assert networks.read(tmp_path / name, watch=watch).edges == 499
        for some in range(len(asked)):
            left = iter([10**9] * some)
            watch.memory_budget = lambda left=left: next(left, 0)
            with pytest.raises(InputError, match="memory is too little: reading the network takes about"):
                networks.read(tmp_path / name, watch=watch)
    watch = Watch()
    watch.near_full()
    with pytest.raises(InputError, match="memory came near its limit while the network was being read"):
        networks.read(tmp_path / "a.txt", watch=watch)


def test_a_library_that_does_not_look_up_is_left_behind():
    """No door makes a library deaf for a time that a test knows."""
    gate, looked = threading.Event(), threading.Event()

    def deaf(look_up):
        gate.wait(60)
        try:
            look_up()
        finally:
            looked.set()

    watch = Watch()
    watch.interrupt()
    with pytest.raises(KeyboardInterrupt):
        limits.beside(deaf, limits.asking(watch))
    gate.set()
    assert looked.wait(60)
    assert limits.beside(lambda look_up: [look_up(), 7], limits.asking(Watch())) == [None, 7]
    with pytest.raises(ZeroDivisionError):
        limits.beside(lambda _: 1 // 0, limits.asking(Watch()))


def test_a_network_of_very_many_parts_hears_the_time_limit():
    parts = networks.read(np.arange(200_000).reshape(-1, 2))
    watch = Watch()
    watch.limit(0.0)
    found = networks.profile(parts, watch=watch)  # one attacker leaves a crowd of one, two that own a part all others
    assert not found.optimal and [(step.lower, step.attackers) for step in found.steps][-1] == (2, 2)
    lone = networks.read((MARKET + "100000 100000 2\n2 1\n3 1\n").encode())
    assert networks.antidimension(lone).k == 99_999
