"""Python objects to graphs: NetworkX, igraph, SciPy sparse, edge tables."""

from __future__ import annotations

from typing import Any

import numpy as np

from incrowd.errors import InputError
from incrowd.networks.read.build import (
    check_weights,
    graph_from_indices,
    graph_from_integers,
    graph_from_objects,
)
from incrowd.networks.read.edge_list import SOURCES, TARGETS, WEIGHTS
from incrowd.networks.values import Graph

__all__ = ["graph_from_igraph", "graph_from_networkx", "graph_from_object", "graph_from_sparse", "graph_from_table"]


def graph_from_object(source: Any) -> Graph:
    """Dispatch on the kind of object, without importing a library that made none.

    Raises
    ------
    InputError
        If the kind is not known.
    """
    if isinstance(source, Graph):
        return source
    home = type(source).__module__.split(".")[0]
    if hasattr(source, "is_multigraph") and hasattr(source, "adj"):
        return graph_from_networkx(source)
    if home == "igraph" or hasattr(source, "get_edgelist"):
        return graph_from_igraph(source)
    if home == "scipy" and hasattr(source, "tocoo"):
        return graph_from_sparse(source)
    if home in ("pandas", "polars", "pyarrow") and hasattr(source, "columns"):
        return graph_from_table(source)
    if isinstance(source, np.ndarray):
        if source.ndim == 2 and source.shape[1] == 2:
            return _from_columns(source[:, 0], source[:, 1], [])
        raise InputError(f"an array of edges should have shape (m, 2), not {source.shape}")
    if isinstance(source, list | tuple | set | frozenset):
        pairs = [tuple(e) if isinstance(e, list | tuple) else () for e in source]
        if any(len(e) != 2 for e in pairs):
            raise InputError("a list of edges should hold pairs of node ids")
        return graph_from_objects([], pairs)
    raise InputError(
        f"cannot read a graph from {type(source).__name__}; give a path, a NetworkX or igraph graph, a SciPy sparse "
        "matrix, a pandas, polars or Arrow edge table, or a list of pairs"
    )


def graph_from_networkx(graph: Any) -> Graph:
    """Any NetworkX graph; directions merged, repetitions and loops dropped, the attribute ``weight`` judged."""
    weights = [w for _, _, w in graph.edges(data="weight") if w is not None]
    try:
        notes = check_weights(np.array(weights, float))
    except (TypeError, ValueError):
        notes = ["edge weights that are no numbers were ignored"]
    return graph_from_objects(graph.nodes(), ((e[0], e[1]) for e in graph.edges()), notes)


def graph_from_igraph(graph: Any) -> Graph:
    """Read an igraph graph; nodes by their attribute ``name`` where it is unique, else by index."""
    edges = graph.get_edgelist()
    notes = check_weights(np.array(graph.es["weight"], float)) if "weight" in graph.es.attributes() else []
    n = graph.vcount()
    if "name" in graph.vs.attributes():
        names = graph.vs["name"]
        if len(set(names)) == n:
            return graph_from_objects(names, ((names[a], names[b]) for a, b in edges), notes)
    pairs = np.array(edges, np.int64).reshape(-1, 2)
    return graph_from_indices(pairs[:, 0], pairs[:, 1], n, None, notes)


def graph_from_sparse(matrix: Any, *, symmetric: bool | None = None) -> Graph:
    """Read a square SciPy sparse matrix; entries are weights, stored zeros no edges.

    A matrix whose pattern is symmetric is an undirected graph; any other has arcs, whose directions are merged.
    """
    coo = matrix.tocoo()
    rows, columns = coo.shape
    if rows != columns:
        raise InputError(f"an adjacency matrix must be square, not {rows} x {columns}")
    notes = check_weights(coo.data)
    keep = coo.data != 0
    u, v = coo.row[keep].astype(np.int64), coo.col[keep].astype(np.int64)
    if symmetric is None:
        forward, backward = np.sort(u * columns + v), np.sort(v * columns + u)
        symmetric = bool(np.array_equal(forward, backward))
    if symmetric:
        upper = u <= v
        u, v = u[upper], v[upper]
    return graph_from_indices(u, v, rows, None, notes)


def graph_from_table(table: Any) -> Graph:
    """Read an edge table: the columns named like ``source`` and ``target``, else the first two; ``weight`` judged."""
    names = [str(c) for c in (table.column_names if hasattr(table, "column_names") else table.columns)]
    if len(names) < 2:
        raise InputError(f"an edge table needs two columns of node ids, this one has {len(names)}")
    lower = [name.lower() for name in names]
    u = next((i for i, name in enumerate(lower) if name in SOURCES), None)
    v = next((i for i, name in enumerate(lower) if name in TARGETS), None)
    if u is None or v is None:
        u, v = 0, 1
    w = next((i for i, name in enumerate(lower) if name in WEIGHTS and i not in (u, v)), None)
    notes = [] if w is None else check_weights(_column(table, w))
    return _from_columns(_column(table, u), _column(table, v), notes)


def _column(table: Any, i: int) -> Any:
    if hasattr(table, "iloc"):
        return table.iloc[:, i].to_numpy()
    return table[table.columns[i]].to_numpy() if isinstance(table.columns[0], str) else table.column(i).to_numpy()


def _from_columns(u: Any, v: Any, notes: list[str]) -> Graph:
    kinds = {u.dtype.kind, v.dtype.kind}
    if kinds <= {"i", "u"}:
        return graph_from_integers(u.astype(np.int64), v.astype(np.int64), notes)
    if kinds <= {"i", "u", "f"}:
        both = np.concatenate([u.astype(float), v.astype(float)])
        if np.isnan(both).any():
            raise InputError(
                f"row {int(np.isnan(both).argmax()) % max(1, u.size) + 1} of the edge table lacks a node id (NaN)"
            )
        if (both == np.floor(both)).all() and (abs(both) < 2**53).all():
            return graph_from_integers(u.astype(np.int64), v.astype(np.int64), notes)
    return graph_from_objects([], zip(u.tolist(), v.tolist(), strict=True), notes)
