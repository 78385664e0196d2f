"""Network files in every format, packed and plain, with the questions that the command asks of them; and certificates."""

from __future__ import annotations

import bz2
import functools
import gzip
import io
import json
import lzma
import warnings

import networkx as nx

from process.fuzz.case import CANARY, Case
from process.fuzz.mutation import changed_bytes, changed_json

__all__ = ["files", "network", "network_certificate"]

PACKERS = {
    ".gz": functools.partial(gzip.compress, compresslevel=1, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}
QUESTIONS = (
    (), (), (), ("--attackers", "1"), ("--attackers", "2"), ("--component", "largest"), ("--exactly", "1"), ("--exactly", "2"),
    ("--at-least", "2"), ("--risks", "1"), ("--risks", "2", "--method", "greedy"), ("--profile",),
    ("--simulate", "--trials", "2"), ("--certificate", "c.json"), ("--exactly", "1", "--certificate", "c.json"),
    ("--memory", "900GB"), ("--memory", "1MB"), ("--memory", "x"), ("--simulate", "--sybils", "129"),
)  # fmt: skip
READINGS = (
    (), (), (), (), (), ("--header",), ("--no-header",), ("--delimiter", ","), ("--delimiter", ";"), ("--delimiter", ""),
    ("--delimiter", "ab"), *(("--format", name) for name in ("edges", "graphml", "gml", "pajek", "metis", "matrix-market", "node-link")),
)  # fmt: skip


def _graph() -> nx.Graph:
    graph = nx.Graph()
    graph.add_edges_from((i, (i * 3 + 1) % 11) for i in range(11))
    graph.add_edges_from((i, i + 1) for i in range(8))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


@functools.cache
def files() -> dict[str, bytes]:
    """A file in every format, by name: nodes with marked labels where the format has labels."""
    plain = _graph()
    named = nx.relabel_nodes(plain, {i: f"{CANARY}n{i}" for i in plain})
    edges, number = list(plain.edges()), len(plain)
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, graph, write in (
            ("g.graphml", named, nx.write_graphml), ("g.gml", named, nx.write_gml), ("g.net", named, nx.write_pajek),
        ):  # fmt: skip
            held = io.BytesIO()
            write(graph, held)
            found[name] = held.getvalue()
        held = io.BytesIO()
        weighted = plain.copy()
        nx.set_edge_attributes(weighted, 1.5, "weight")
        nx.set_node_attributes(weighted, f"{CANARY}a", "name")
        nx.write_graphml(weighted, held)
        found["w.graphml"] = held.getvalue()
    text = "".join(f"{u} {v}\n" for u, v in edges).encode()
    found["g.txt"] = b"# a comment\n" + text
    found["h.csv"] = ("source,target,weight\n" + "".join(f"{CANARY}n{u},{CANARY}n{v},1\n" for u, v in edges)).encode()
    found["g.graph"] = _metis(f"{number} {len(edges)}", plain, "{}", "")
    found["w.graph"] = _metis(f"{number} {len(edges)} 011 2", plain, "{} 3", "1 2 ")
    found["g.mtx"] = (
        f"%%MatrixMarket matrix coordinate pattern symmetric\n{number} {number} {len(edges)}\n"
        + "".join(f"{max(u, v) + 1} {min(u, v) + 1}\n" for u, v in edges)
    ).encode()
    found["r.mtx"] = (
        f"%%MatrixMarket matrix coordinate real general\n% c\n{number} {number} {len(edges)}\n"
        + "".join(f"{u + 1} {v + 1} 1.5\n" for u, v in edges)
    ).encode()
    dense = "".join("1\n" if plain.has_edge(u, v) else "0\n" for u in plain for v in plain)
    found["a.mtx"] = f"%%MatrixMarket matrix array integer general\n{number} {number}\n{dense}".encode()
    found["g.json"] = json.dumps(nx.node_link_data(named, edges="links")).encode()
    found["w.json"] = json.dumps(nx.node_link_data(weighted, edges="edges")).encode()
    return found


def _metis(head: str, graph: nx.Graph, cell: str, before: str) -> bytes:
    rows = (before + " ".join(cell.format(v + 1) for v in graph[u]) for u in sorted(graph))
    return (head + "\n" + "\n".join(rows) + "\n").encode()


def network(rng, _: int) -> Case:
    """A file with a few bytes changed before or after it is packed, and a question."""
    name = rng.choice(list(files()))
    data = files()[name]
    packed = rng.choice(("", "", "", "", ".gz", ".bz2", ".xz"))
    if name.endswith(".json") and rng.random() < 0.5:
        data = changed_json(rng, data)
    elif not packed or rng.random() < 0.6:
        data = changed_bytes(rng, data)
    if packed:
        data = PACKERS[packed](data)
        if rng.random() < 0.5:
            data = changed_bytes(rng, data)
        name += packed
    if rng.random() < 0.1:  # its first bytes must tell what it is
        name = rng.choice(("x", "x.txt", "x.csv", "x.gz", "x.json", "x.mtx", "x.net"))
    words = ("network", name, "--time-limit", "1", *rng.choice(QUESTIONS), *rng.choice(READINGS))
    if rng.random() < 0.5:
        words += ("--json",)
    return Case("network", words, files=((name, data),))


@functools.cache
def _certificates() -> list[tuple[str, bytes, tuple[str, ...]]]:
    """Certificates of answers to several questions about one network: the file's name, the bytes, the question."""
    from process.fuzz.sources import outputs_of

    found = []
    for question in (
        (),
        ("--exactly", "1"),
        ("--exactly", "2"),
        ("--at-least", "2"),
        ("--profile",),
        ("--attackers", "1"),
    ):
        words = ("network", "g.txt", "--certificate", "c.json", "--quiet", *question)
        made = outputs_of(Case("network", words, files=(("g.txt", files()["g.txt"]),)), "c.json")
        if made:
            found.append(("g.txt", made["c.json"], question))
    return found


def network_certificate(rng, _: int) -> Case:
    """A certificate of a network, changed, before the check."""
    name, data, _ = rng.choice(_certificates())
    graph = files()[name]
    data = changed_json(rng, data) if rng.random() < 0.6 else changed_bytes(rng, data)
    if rng.random() < 0.1:
        graph = changed_bytes(rng, graph)
    words = ("network", name, "--check", "c.json", "--time-limit", "2")
    return Case(
        "network-certificate",
        words + (("--json",) if rng.random() < 0.5 else ()),
        files=((name, graph), ("c.json", data)),
    )
