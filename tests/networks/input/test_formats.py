"""Graph files of other formats, and Python objects: one graph, however it comes."""

from __future__ import annotations

import io
import json

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.io import mmwrite
from scipy.sparse import coo_array, csr_matrix

from incrowd import networks
from incrowd.errors import InputError


@pytest.fixture(scope="module")
def club():
    return nx.convert_node_labels_to_integers(nx.karate_club_graph())


def plain(graph):
    """A NetworkX graph without attributes."""
    out = nx.Graph()
    out.add_nodes_from(graph.nodes)
    out.add_edges_from(graph.edges)
    return out


def same(graph, whole):
    rows = np.repeat(np.arange(graph.nodes), graph.degrees)
    built = nx.Graph()
    built.add_nodes_from(range(graph.nodes))
    built.add_edges_from(zip(rows.tolist(), graph.indices.tolist(), strict=True))
    return nx.is_isomorphic(built, whole) and graph.edges == whole.number_of_edges()


def test_every_format_gives_the_same_graph(club, tmp_path):
    simple = plain(club)
    nx.write_graphml(simple, tmp_path / "a.graphml")
    nx.write_gml(simple, tmp_path / "a.gml")
    nx.write_pajek(nx.relabel_nodes(simple, str), tmp_path / "a.net")
    (tmp_path / "a.json").write_text(json.dumps(nx.node_link_data(simple, edges="links")))
    (tmp_path / "b.json").write_text(json.dumps(nx.node_link_data(simple, edges="edges")))
    mmwrite(tmp_path / "a.mtx", nx.to_scipy_sparse_array(simple, dtype=np.int64), symmetry="symmetric")
    mmwrite(tmp_path / "b.mtx", nx.to_scipy_sparse_array(simple, dtype=float), symmetry="general")
    lines = [f"{simple.number_of_nodes()} {simple.number_of_edges()}"]
    lines += [" ".join(str(y + 1) for y in simple[v]) for v in range(34)]
    (tmp_path / "a.graph").write_text("% comment\n" + "\n".join(lines) + "\n")
    for path in sorted(tmp_path.iterdir()):
        graph = networks.read(path)
        assert same(graph, simple), path.name
        assert (graph.directed_merged, graph.loops_dropped, graph.duplicates_dropped) == (0, 0, 0), path.name
        assert networks.antidimension(graph).k == 9
        assert same(networks.read(path.read_bytes(), format=None if path.suffix != ".graph" else "metis"), simple)


def test_published_files_of_every_format(data_dir):
    raw = data_dir / "networks" / "raw"
    for name, shape, adim in (
        ("karate.gml", (34, 78), 9),
        ("karate.graphml", (34, 78), 9),
        ("karate.mtx", (34, 78), 9),
        ("sanjuansur.net", (75, 144), 7),
        ("jazz.graph", (198, 2742), 12),
    ):
        graph = networks.read(raw / name)
        assert (graph.nodes, graph.edges) == shape
        assert networks.antidimension(graph).k == adim


def test_every_object_gives_the_same_graph(club):
    simple = plain(club)
    ends = np.array(simple.edges)
    frame = pd.DataFrame(ends, columns=["source", "target"])
    matrix = nx.to_scipy_sparse_array(simple)
    for source in (
        simple,
        simple.to_directed(),
        nx.MultiDiGraph(simple),
        matrix,
        csr_matrix(matrix),
        frame,
        frame.assign(weight=2.5)[["weight", "target", "source"]],
        pl.from_pandas(frame),
        pa.Table.from_pandas(frame),
        ends,
        [tuple(e) for e in ends.tolist()],
        networks.read(simple),
    ):
        assert same(networks.read(source), simple), type(source)


def test_igraph_objects_are_read_by_name_or_index(club):
    igraph = pytest.importorskip("igraph", reason="igraph is not installed")
    by_index = igraph.Graph(edges=list(club.edges))
    assert same(networks.read(by_index), plain(club))
    by_index.vs["name"] = [f"v{i:02d}" for i in range(34)]
    assert networks.read(by_index).labels[0] == "v00"
    by_index.es["weight"] = [-1.0] * by_index.ecount()
    with pytest.raises(InputError, match="negative weight"):
        networks.read(by_index)


def test_directions_are_merged_and_counted():
    graph = networks.read(nx.DiGraph([(0, 1), (1, 0), (1, 2), (2, 2)]))
    assert (graph.edges, graph.directed_merged, graph.loops_dropped) == (2, 1, 1)
    multi = networks.read(nx.MultiGraph([(0, 1), (0, 1), (1, 2)]))
    assert (multi.edges, multi.duplicates_dropped + multi.directed_merged) == (2, 1)
    sparse = networks.read(coo_array(([1, 1, 1], ([0, 1, 1], [1, 0, 2])), shape=(3, 3)))
    assert (sparse.edges, sparse.directed_merged) == (2, 1)


def test_isolated_nodes_are_kept():
    whole = nx.path_graph(3)
    whole.add_node(7)
    graph = networks.read(whole)
    assert (graph.nodes, graph.components, graph.labels) == (4, 2, [0, 1, 2, 7])
    assert networks.read(nx.to_scipy_sparse_array(whole)).nodes == 4


def test_labels_of_any_kind_are_sorted_and_kept():
    assert networks.read([("b", "a"), ("c", "b")]).labels == ["a", "b", "c"]
    assert networks.read([(3, 10), (10, 2)]).labels == [2, 3, 10]
    assert networks.read(nx.grid_2d_graph(2, 2)).labels == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert networks.read([("a", 1), (1, "b")]).labels == [1, "a", "b"]
    assert networks.read([(0, 1), (1, 2)]).labels is None


def test_weights_are_noted_and_bad_ones_refused():
    def weighted(value):
        whole = nx.Graph()
        whole.add_edge(0, 1, weight=value)
        whole.add_edge(1, 2)
        return whole

    assert "ignored" in networks.read(weighted(2.0)).notes[0]
    assert networks.read(weighted(1)).notes == ()
    for value, message in ((-1, "negative"), (float("nan"), "NaN")):
        with pytest.raises(InputError, match=message):
            networks.read(weighted(value))
        with pytest.raises(InputError, match=message):
            networks.read(coo_array(([1.0, value], ([0, 1], [1, 2])), shape=(3, 3)))
        with pytest.raises(InputError, match=message):
            networks.read(pd.DataFrame({"u": [0, 1], "v": [1, 2], "weight": [1.0, value]}))
    assert "no numbers" in networks.read(weighted("strong")).notes[0]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (pd.DataFrame({"u": [0, None], "v": [1, 2]}), "row 2 of the edge table lacks a node id"),
        (pd.DataFrame({"u": ["a", None], "v": ["b", "c"]}), "missing"),
        (pl.DataFrame({"u": ["a", None], "v": ["b", "c"]}), "missing"),
        (pd.DataFrame({"u": [1]}), "two columns"),
        (np.zeros((3, 3), int), "shape"),
        ([(1, 2, 3)], "pairs"),
        ([(None, 1)], "missing"),
        ([(float("nan"), 1.5)], "missing"),
        (nx.Graph(), "empty"),
        (nx.empty_graph(1), "one node"),
        ([], "empty"),
        (coo_array((2, 3)), "square"),
        (42, "cannot read a graph from int"),
    ],
)
def test_objects_that_are_no_graphs_are_refused(source, message):
    with pytest.raises(InputError, match=message):
        networks.read(source)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.graphml", "<graphml><secret", "GraphML file cannot be parsed"),
        ("a.graphml", '<!DOCTYPE x [<!ENTITY a "b">]><graphml/>', "entities"),
        ("a.gml", "graph [ secret", "GML file cannot be parsed"),
        ("a.mtx", "%%MatrixMarket secret", "Matrix Market file cannot be parsed"),
        ("a.json", "{secret", "JSON file cannot be parsed"),
        ("a.json", "[]", "node-link"),
        ("a.json", '{"nodes": [{"id": 1}], "links": [{"source": 1}]}', "lacks"),
        ("a.json", '{"nodes": [{"id": 1}]}', "'links'"),
        ("a.graph", "secret", "number of nodes"),
        ("a.graph", "3 1\n2\n", "lines of neighbours"),
        ("a.graph", "2 1\n2\nx\n", "no number"),
        ("a.graph", "2 1\n2\n9\n", "outside"),
    ],
)
def test_damaged_files_are_refused_without_being_quoted(tmp_path, name, content, message):
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message) as error:
        networks.read(tmp_path / name)
    assert "secret" not in str(error.value)


def test_metis_with_weights_of_nodes_and_edges():
    text = b"3 2 11 1\n5 2 7\n5 1 7 3 8\n5 2 8\n"
    graph = networks.read(text, format="metis")
    assert (graph.nodes, graph.edges, list(graph.labels)) == (3, 2, [1, 2, 3])
    assert "ignored" in graph.notes[0]
    with pytest.raises(InputError, match="negative"):
        networks.read(b"2 1 1\n2 -7\n1 -7\n", format="metis")


def test_matrix_market_arrays_and_patterns():
    buffer = io.BytesIO()
    mmwrite(buffer, np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]), symmetry="general")
    assert networks.read(buffer.getvalue()).edges == 2
