"""Reading hears the wish to stop in every format, and takes memory for what a file holds, not for what it declares."""

from __future__ import annotations

import gzip
import io
import json
import threading

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array, csr_array

from incrowd import networks
from incrowd.errors import InputError
from incrowd.networks.input import edge_list, limits, unpack
from incrowd.progress import Watch


@pytest.fixture
def files(monkeypatch):
    """A path of 500 nodes in every format, and readers that ask often."""
    monkeypatch.setattr(limits, "OFTEN", 50)
    monkeypatch.setattr(edge_list, "PIECE", 512)
    monkeypatch.setattr(unpack, "PIECE", 512)
    path = nx.path_graph(500)
    graphml, gml, pajek = io.BytesIO(), io.BytesIO(), io.BytesIO()
    nx.write_graphml(path, graphml)
    nx.write_gml(path, gml)
    nx.write_pajek(nx.relabel_nodes(path, str), pajek)
    edges = "".join(f"{a} {b}\n" for a, b in path.edges)
    market = f"%%MatrixMarket matrix coordinate pattern symmetric\n500 500 {path.number_of_edges()}\n"
    return {
        "a.txt": edges.encode(),
        "b.txt": edges.replace(" ", " n").encode(),
        "a.txt.gz": gzip.compress(edges.encode()),
        "a.graphml": graphml.getvalue(),
        "a.gml": gml.getvalue(),
        "a.net": pajek.getvalue(),
        "a.graph": ("500 499\n" + "".join(" ".join(str(y + 1) for y in path[x]) + "\n" for x in path)).encode(),
        "a.mtx": (market + "".join(f"{b + 1} {a + 1}\n" for a, b in path.edges)).encode(),
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
            with pytest.raises(InputError, match="while the network was being read"):
                networks.read(tmp_path / name, watch=Impatient(patience, "out_of_time"))
            with pytest.raises(KeyboardInterrupt):
                networks.read(tmp_path / name, watch=Impatient(patience, "interrupted"))


def test_a_library_that_does_not_look_up_is_left_behind():
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


def test_pieces_of_an_edge_list_come_to_the_same_graph(monkeypatch):
    text = b"# a comment\n" + b"".join(b"%d %d\n" % (i % 97, i % 89 + 5) for i in range(2000)) + b"3 4"
    whole = networks.read(text)
    words = networks.read(text.replace(b" ", b" n"))
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr(edge_list, "PIECE", size)
        for made, other in ((networks.read(text), whole), (networks.read(text.replace(b" ", b" n")), words)):
            assert np.array_equal(made.indices, other.indices) and np.array_equal(made.indptr, other.indptr)
        for bad, line in ((b"1 2\n" * 50 + b"3\n", 51), (b"1 2\n" * 5 + b"a b\n" * 5 + b"c\n" + b"1 2\n", 11)):
            with pytest.raises(InputError, match=f"line {line} of the edge list has one field only"):
                networks.read(bad)


MARKET = "%%MatrixMarket matrix coordinate pattern symmetric\n"
CLAIMS = {
    "two thousand million nodes": (MARKET + "2000000000 2000000000 2\n2 1\n3 1\n", "declares 2,000,000,000 nodes"),
    "more nodes than numbers": (MARKET + "99999999999 99999999999 2\n2 1\n3 1\n", "declares"),
    "a number of nodes of thirty digits": (MARKET + "9" * 30 + " 3 2\n2 1\n3 1\n", "three whole numbers"),
    "more entries than bytes": (MARKET + "20 20 99999999999\n2 1\n3 1\n", "too short"),
    "one entry more than there is room for": (MARKET + "20 20 4\n2 1\n3 1\n1 1", "too short"),
    "an array of 60000 x 60000": ("%%MatrixMarket matrix array real general\n60000 60000\n1\n1\n", "too short"),
    "a symmetric array": ("%%MatrixMarket matrix array real symmetric\n60000 60000\n1\n1\n", "too short"),
    "no sizes": (MARKET + "% nothing\n", "line of sizes"),
    "two sizes": (MARKET + "3 3\n2 1\n", "three whole numbers"),
    "negative sizes": (MARKET + "-3 -3 1\n2 1\n", "three whole numbers"),
    "a vector": ("%%MatrixMarket vector coordinate pattern general\n3 3 1\n2 1\n", "should start with"),
    "zero bytes": (MARKET + "8 8 2\n2 1\n8 1\0\0\0\0", "zero bytes"),
    "zero bytes in its first line": ("%%MatrixMarket\0matrix coordinate pattern symmetric\n8 8 1\n2 1\n", "zero bytes"),
    "a row outside": (MARKET + "3 3 1\n4 1\n", "cannot be parsed"),
}


@pytest.mark.parametrize("case", CLAIMS)
def test_what_a_matrix_claims_is_held_against_what_it_holds(case):
    content, said = CLAIMS[case]
    with pytest.raises(InputError, match=said):
        networks.read(content.encode(), format="matrix-market")


def test_declared_nodes_without_edges_are_kept_up_to_a_bound():
    assert networks.read((MARKET + "1000 1000 2\n2 1\n3 1\n").encode()).components == 998
    big = csr_array(
        (np.ones(1, np.int8), np.array([1]), np.r_[0, np.ones(1_500_000, np.int64)]), shape=(1_500_000,) * 2
    )
    assert networks.read(big).nodes == 1_500_000  # its rows are laid out already
    with pytest.raises(InputError, match="leave out nodes without edges"):
        networks.read(coo_array(([1], ([0], [1])), shape=(2_000_000_000, 2_000_000_000)))


def test_a_network_of_very_many_parts_hears_the_time_limit():
    parts = networks.read(np.arange(200_000).reshape(-1, 2))
    watch = Watch()
    watch.limit(0.0)
    found = networks.profile(parts, watch=watch)  # one attacker leaves a crowd of one, two that own a part all others
    assert not found.optimal and [(step.lower, step.attackers) for step in found.steps][-1] == (2, 2)
    from incrowd.networks.solve.diameter import diameter

    reached = diameter(parts, watch)
    assert reached.lower <= 1 <= reached.upper
    lone = networks.read((MARKET + "100000 100000 2\n2 1\n3 1\n").encode())
    assert networks.antidimension(lone).k == 99_999
    assert diameter(lone, Watch()).lower == 2


def test_no_memory_left_is_told_in_a_sentence(monkeypatch, run, tmp_path):
    from incrowd.networks.input import sources

    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr(sources, "read_edge_list", full)
    with pytest.raises(InputError, match="not enough memory"):
        networks.antidimension(b"1 2\n2 3\n")
    (tmp_path / "g.txt").write_text("1 2\n")
    status, out, err = run("network", "g.txt")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "not enough memory" in err


JSON = '{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2, "weight": WEIGHT}]}'
ODD = {
    "METIS flags that are negative": (b"3 2 -1\n2\n1 3\n2\n", "metis", "0 and 1|number of nodes"),
    "METIS flags that are none": (b"3 2 7\n2\n1 3\n2\n", "metis", "0 and 1"),
    "METIS flags of four digits": (b"3 2 1000\n2\n1 3\n2\n", "metis", "0 and 1"),
    "METIS weights below none": (b"3 2 11 -1\n2\n1 3\n2\n", "metis", "number of nodes"),
    "a METIS neighbour at infinity": (b"3 2\n2\n1 inf\n2\n", "metis", "outside 1..3"),
    "a METIS neighbour beyond all floats": (b"3 2\n2\n1 1e999\n2\n", "metis", "outside 1..3"),
    "a METIS neighbour that is NaN": (b"3 2\n2\n1 nan\n2\n", "metis", "outside 1..3"),
    "JSON nested without end": (b'{"nodes":' + b"[" * 100_000, "node-link", "cannot be parsed"),
    "a JSON id nested deep": (
        b'{"nodes": [{"id": ' + b"[" * 900 + b"]" * 900 + b'}], "links": []}',
        "node-link",
        "cannot be parsed|lacks|one node",
    ),
    "a JSON id that is an object": (
        b'{"nodes": [{"id": {"a": 1}}, {"id": 2}], "links": []}',
        "node-link",
        "cannot name",
    ),
    "a negative JSON weight of 400 digits": (
        JSON.replace("WEIGHT", "-1" + "0" * 400).encode(),
        "node-link",
        "negative weight",
    ),
    "a JSON node that is a number": (b'{"nodes": [1], "links": []}', "node-link", "lacks"),
    "a JSON link that is a list": (b'{"nodes": [{"id": 1}], "links": [[1, 1]]}', "node-link", "lacks"),
}


@pytest.mark.parametrize("case", ODD)
def test_odd_files_are_refused_in_a_sentence(case):
    content, kind, said = ODD[case]
    with pytest.raises(InputError, match=said):
        networks.read(content, format=kind)


def test_a_weight_of_400_digits_is_a_weight():
    graph = networks.read(JSON.replace("WEIGHT", "1" + "0" * 400).encode(), format="node-link")
    assert graph.edges == 1 and "ignored" in graph.notes[0]
    whole = nx.Graph()
    whole.add_edge(1, 2, weight=10**400)
    assert "ignored" in networks.read(whole).notes[0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "latin-1"])
def test_graphml_entities_are_refused_whatever_the_encoding(encoding):
    mark = "\ufeff" if encoding.startswith("utf-16-") else ""
    said = "utf-16" if mark else encoding
    text = (
        f'{mark}<?xml version="1.0" encoding="{said}"?>\n<!DOCTYPE graphml [<!ENTITY a "b">]>\n'
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="undirected">'
        '<node id="&a;"/><node id="c"/><edge source="&a;" target="c"/></graph></graphml>'
    )
    with pytest.raises(InputError, match="declares XML entities"):
        networks.read(text.encode(encoding), format="graphml")
    plain = text.replace(' [<!ENTITY a "b">]', ' SYSTEM "graphml.dtd"').replace("&a;", "b")
    assert networks.read(plain.encode(encoding), format="graphml").labels == ["b", "c"]


def test_objects_with_odd_ids_are_refused_or_kept_as_they_are():
    with pytest.raises(InputError, match="cannot name a node"):
        networks.read([({}, 1), (1, 2)])
    with pytest.raises(InputError, match="missing"):
        networks.read(pd.DataFrame({"u": ["a", pd.NA], "v": ["b", "c"]}))
    large = networks.read(np.array([[2**63 + 1, 1], [1, 2]], np.uint64))
    assert list(large.labels) == [1, 2, 2**63 + 1]
    assert networks.read(np.array([[2**62, -(2**62)], [1, 2]])).nodes == 4
    with pytest.raises(InputError, match="delimiter must be one ASCII character"):
        networks.read(b"1 2\n", delimiter="\udcff")


def test_labels_that_a_terminal_would_obey_are_written_out(run, tmp_path):
    content = {"nodes": [{"id": "\x1b[31m"}, {"id": "\ud800"}], "links": [{"source": "\x1b[31m", "target": "\ud800"}]}
    (tmp_path / "g.json").write_text(json.dumps(content))
    status, out, _ = run("network", "g.json", "--show-labels")
    assert status == 0 and "\x1b" not in out


def test_reading_asks_for_memory_before_it_takes_it_and_ends_near_the_limit(tmp_path):
    lines = [f"{u} {u + 1}" for u in range(500)]
    (tmp_path / "numbers.txt").write_text("\n".join(lines))
    (tmp_path / "texts.txt").write_text("\n".join(f"a{line.replace(' ', ' a')}" for line in lines))
    (tmp_path / "wide.txt").write_text("\n".join(f"{u}000000000 {u + 1}" for u in range(500)))
    (tmp_path / "graph.json").write_text('{"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}')
    with gzip.open(tmp_path / "packed.txt.gz", "wt") as file:
        file.write("\n".join(lines))
    for name in ("numbers.txt", "texts.txt", "wide.txt", "graph.json", "packed.txt.gz"):
        watch = Watch()
        asked = []
        watch.room = lambda asked=asked: asked.append(1) or 10**9
        assert networks.read(tmp_path / name, watch=watch).edges > 0
        assert len(asked) > 1
        for some in range(len(asked)):
            left = iter([10**9] * some)
            watch.room = lambda left=left: next(left, 0)
            with pytest.raises(InputError, match="memory is too little: reading the network takes about"):
                networks.read(tmp_path / name, watch=watch)
    watch = Watch()
    watch.near_full()
    with pytest.raises(InputError, match="memory came near its limit while"):
        networks.read(tmp_path / "numbers.txt", watch=watch)
