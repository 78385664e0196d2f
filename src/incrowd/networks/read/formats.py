"""Graph files other than edge lists, through libraries that know them; imported when needed."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.networks.read.build import check_weights, graph_from_indices, graph_from_objects

if TYPE_CHECKING:
    from incrowd.networks.values import Graph

__all__ = ["read_gml", "read_graphml", "read_matrix_market", "read_metis", "read_node_link", "read_pajek"]


def read_graphml(data: bytes) -> Graph:
    """GraphML through NetworkX. Entity declarations are refused: a graph needs none."""
    if b"<!ENTITY" in data:
        raise InputError("the GraphML file declares XML entities; write it without them")
    nx = _networkx("GraphML")
    return _from_networkx("GraphML", lambda: nx.read_graphml(io.BytesIO(data), force_multigraph=True))


def read_gml(data: bytes) -> Graph:
    """GML through NetworkX, by labels; by ids where labels are missing or repeated."""
    nx = _networkx("GML")
    lines = _text(data, "GML").splitlines()

    def parse() -> Any:
        try:
            return nx.parse_gml(lines, label="label")
        except nx.NetworkXError:
            return nx.parse_gml(lines, label="id")

    return _from_networkx("GML", parse)


def read_pajek(data: bytes) -> Graph:
    """Pajek (.net) through NetworkX."""
    nx = _networkx("Pajek")
    text = _text(data, "Pajek")
    return _from_networkx("Pajek", lambda: nx.parse_pajek(text.splitlines()))


def read_matrix_market(data: bytes) -> Graph:
    """Matrix Market through SciPy: a square matrix, every stored entry but zeros an edge."""
    from scipy.io import mmread

    from incrowd.networks.read.objects import graph_from_sparse

    head = data[:200].lower()
    symmetric = b"general" not in head.split(b"\n", 1)[0]
    try:
        matrix = mmread(io.BytesIO(data), spmatrix=False)
    except (ValueError, TypeError, OverflowError):
        raise InputError("the Matrix Market file cannot be parsed; it should start with %%MatrixMarket") from None
    if isinstance(matrix, np.ndarray):
        from scipy.sparse import coo_array

        matrix = coo_array(matrix)
    return graph_from_sparse(matrix, symmetric=symmetric or None)


def read_metis(data: bytes) -> Graph:
    """METIS (.graph): a line of counts, then the neighbours of every node; weights are judged and ignored.

    Nodes are numbered from 1, as in the file.
    """
    lines = [line for line in _text(data, "METIS").splitlines() if not line.lstrip().startswith("%")]
    while lines and not lines[0].strip():
        lines.pop(0)
    try:
        head = [int(x) for x in lines[0].split()] if lines else []
    except ValueError:
        head = []
    if len(head) < 2 or head[0] < 0:
        raise InputError("the METIS file should start with the number of nodes and of edges")
    n, flags = head[0], f"{head[2] if len(head) > 2 else 0:03d}"
    if n + 1 > len(lines):
        raise InputError(f"the METIS file has {len(lines) - 1} lines of neighbours for {n} nodes")
    skip = int(flags[-3]) + (head[3] if len(head) > 3 else 1) * int(flags[-2])
    step = 1 + int(flags[-1])
    u, v, w = [], [], []
    for i in range(n):
        try:
            row = [float(x) for x in lines[i + 1].split()[skip:]]
        except ValueError:
            raise InputError(f"node line {i + 1} of the METIS file holds something that is no number") from None
        near = row[::step]
        if any(x != int(x) or not 1 <= x <= n for x in near if x == x):
            raise InputError(f"node line {i + 1} of the METIS file names a node outside 1..{n}")
        w += row[1::2] if step == 2 else []
        for x in near:
            if x > i:  # every edge stands in both its nodes' lines; loops have x = i + 1
                u.append(i)
                v.append(int(x) - 1)
    notes = check_weights(np.array(w))
    return graph_from_indices(np.array(u, np.int64), np.array(v, np.int64), n, range(1, n + 1), notes)


def read_node_link(data: bytes) -> Graph:
    """JSON node-link as NetworkX and D3 write it: ``nodes`` with ``id``, ``links`` or ``edges``."""
    try:
        content = json.loads(data)
    except ValueError:
        raise InputError("the JSON file cannot be parsed") from None
    if not isinstance(content, dict) or not isinstance(content.get("nodes"), list):
        raise InputError("the JSON file is no node-link graph: it should hold the lists 'nodes' and 'links'")
    links = content.get("links", content.get("edges"))
    if not isinstance(links, list):
        raise InputError("the JSON file is no node-link graph: it holds neither 'links' nor 'edges'")
    try:
        nodes = [_id(x["id"]) for x in content["nodes"]]
        edges = [(_id(x["source"]), _id(x["target"])) for x in links]
    except (KeyError, TypeError):
        raise InputError("a node of the JSON file lacks 'id', or a link 'source' or 'target'") from None
    weights = [x["weight"] for x in links if isinstance(x.get("weight"), int | float)]
    return graph_from_objects(nodes, edges, check_weights(np.array(weights, float)))


def _id(value: Any) -> Any:
    return tuple(_id(x) for x in value) if isinstance(value, list) else value


def _networkx(name: str) -> Any:
    try:
        import networkx  # type: ignore[import-untyped]
    except ImportError:
        raise InputError(f"reading {name} needs NetworkX: pip install 'incrowd[networks]'") from None
    return networkx


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        try:
            return data.decode("latin-1") if b"\0" not in data else data.decode("ascii")
        except UnicodeDecodeError:
            raise InputError(f"the {name} file is no text") from None


def _from_networkx(name: str, parse: Any) -> Graph:
    """Parse with a library; whatever it raises on a bad file becomes one sentence without its content."""
    from incrowd.networks.read.objects import graph_from_networkx

    try:
        graph = parse()
    except Exception as error:
        if isinstance(error, MemoryError):
            raise
        raise InputError(
            f"the {name} file cannot be parsed ({type(error).__name__}); check that it is {name}"
        ) from None
    return graph_from_networkx(graph)
