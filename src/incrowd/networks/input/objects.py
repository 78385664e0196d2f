"""Python objects to graphs: NetworkX, igraph, SciPy sparse, edge tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.networks.input.edge_list import (
    SOURCES,
    TARGETS,
    WEIGHTS,
    check_weights,
    graph_from_indices,
    graph_from_integers,
    graph_from_objects,
)
from incrowd.networks.input.limits import check_declared, each, never
from incrowd.networks.values import Graph

if TYPE_CHECKING:
    from collections.abc import Callable


LARGEST = 2**63 - 1


def graph_from_object(source: Any, ask: Callable[[], None] = never) -> Graph:
    """Read a graph from a Python object, choosing the reader by its kind; no library is imported that did not make it.

    The source is a `Graph`, a NetworkX or igraph graph, a SciPy sparse matrix, a pandas, polars or Arrow table of
    edges, an array of shape (e, 2), or a list, tuple or set of pairs. `ask` is called between pieces of work and raises
    to stop. InputError is raised if the kind is not known, or the edges are no pairs, and for what the readers of the
    kinds refuse.
    """
    if isinstance(source, Graph):
        return source
    home = type(source).__module__.split(".")[0]
    if hasattr(source, "is_multigraph") and hasattr(source, "adj"):
        return graph_from_networkx(source, ask)
    if home == "igraph" or hasattr(source, "get_edgelist"):
        return graph_from_igraph(source, ask)
    if home == "scipy" and hasattr(source, "tocoo"):
        return graph_from_sparse(source, ask=ask)
    if home in ("pandas", "polars", "pyarrow") and hasattr(source, "columns"):
        return graph_from_table(source, ask)
    if isinstance(source, np.ndarray):
        if source.ndim == 2 and source.shape[1] == 2:
            return _from_columns(source[:, 0], source[:, 1], [], ask)
        raise InputError(f"an array of edges should have shape (m, 2), not {source.shape}")
    if isinstance(source, list | tuple | set | frozenset):
        pairs = [tuple(e) if isinstance(e, list | tuple) else () for e in source]
        if any(len(e) != 2 for e in pairs):
            raise InputError("a list of edges should hold pairs of node ids")
        return graph_from_objects([], pairs, ask=ask)
    raise InputError(
        f"cannot read a graph from {type(source).__name__}; give a path, a NetworkX or igraph graph, a SciPy sparse "
        "matrix, a pandas, polars or Arrow edge table, or a list of pairs"
    )


def graph_from_networkx(graph: Any, ask: Callable[[], None] = never) -> Graph:
    """Read any NetworkX graph; directions are merged, repetitions and loops dropped.

    It may be directed and have parallel edges. The attribute ``weight`` is checked and ignored. `ask` is called between
    pieces of work and raises to stop. InputError is raised if a weight is negative or NaN, and as by
    `incrowd.networks.input.edge_list.graph_from_objects`.
    """
    weights = [w for _, _, w in each(graph.edges(data="weight"), ask) if w is not None]
    edges = ((e[0], e[1]) for e in graph.edges())
    return graph_from_objects(graph.nodes(), edges, check_weights(weights), ask)


def graph_from_igraph(graph: Any, ask: Callable[[], None] = never) -> Graph:
    """Read an igraph graph; nodes by their attribute ``name`` where it is unique, else by index.

    `ask` is called between pieces of work and raises to stop. InputError is raised if a weight is negative or NaN, and
    as by `incrowd.networks.input.edge_list.graph_from_indices`.
    """
    edges = graph.get_edgelist()
    notes = check_weights([w for w in graph.es["weight"] if w is not None]) if "weight" in graph.es.attributes() else []
    n = graph.vcount()
    if "name" in graph.vs.attributes():
        names = graph.vs["name"]
        if all(isinstance(name, str | int) for name in names) and len(set(names)) == n:
            return graph_from_objects(names, ((names[a], names[b]) for a, b in edges), notes, ask)
    pairs = np.array(edges, np.int64).reshape(-1, 2)
    return graph_from_indices(pairs[:, 0], pairs[:, 1], n, None, notes, ask)


def graph_from_sparse(matrix: Any, *, symmetric: bool | None = None, ask: Callable[[], None] = never) -> Graph:
    """Read a square SciPy sparse matrix or array, (n, n); entries are weights, stored zeros no edges.

    A matrix whose pattern is symmetric is an undirected graph; any other has arcs, whose directions are merged.
    `symmetric` tells whether the pattern is; by default it is found out. `ask` is called between pieces of work and
    raises to stop. InputError is raised if it is not square, or has far more rows than entries (see `check_declared`),
    and if an entry is negative or NaN. O(e) time and memory for e entries; O(e log e) time where `symmetric` is not
    given.
    """
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"an adjacency matrix must be square, not {' x '.join(map(str, matrix.shape))}")
    rows = columns = int(matrix.shape[0])
    # rows that are laid out already take no more memory than they have
    check_declared(rows, max(int(matrix.nnz), rows if hasattr(matrix, "indptr") else 0))
    coo = matrix.tocoo()
    ask()
    notes = check_weights(coo.data)
    keep = coo.data != 0
    u, v = coo.row[keep].astype(np.int64), coo.col[keep].astype(np.int64)
    if symmetric is None:
        forward, backward = np.sort(u * columns + v), np.sort(v * columns + u)
        symmetric = bool(np.array_equal(forward, backward))
    if symmetric:
        upper = u <= v
        u, v = u[upper], v[upper]
    return graph_from_indices(u, v, rows, None, notes, ask)


def graph_from_table(table: Any, ask: Callable[[], None] = never) -> Graph:
    """Read a table of edges, one a row: the columns with names like ``source`` and ``target``, else the first two.

    The table is of pandas, polars or pyarrow. A column with a name like ``weight`` is checked and ignored. `ask` is
    called between pieces of work and raises to stop. InputError is raised if it has fewer than two columns, a node id
    is missing, or a weight is negative or NaN.
    """
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
    return _from_columns(_column(table, u), _column(table, v), notes, ask)


def _column(table: Any, i: int) -> Any:
    if hasattr(table, "iloc"):
        return table.iloc[:, i].to_numpy()
    return table[table.columns[i]].to_numpy() if isinstance(table.columns[0], str) else table.column(i).to_numpy()


def _from_columns(u: Any, v: Any, notes: list[str], ask: Callable[[], None] = never) -> Graph:
    kinds = {u.dtype.kind, v.dtype.kind}
    if kinds <= {"i", "u"} and not any(x.dtype.kind == "u" and x.size and x.max() > LARGEST for x in (u, v)):
        return graph_from_integers(u.astype(np.int64), v.astype(np.int64), notes, ask)
    if kinds <= {"i", "u", "f"}:
        both = np.concatenate([u.astype(float), v.astype(float)])
        if np.isnan(both).any():
            raise InputError(
                f"row {int(np.isnan(both).argmax()) % max(1, u.size) + 1} of the edge table lacks a node id (NaN)"
            )
        if (both == np.floor(both)).all() and (abs(both) < 2**53).all():
            return graph_from_integers(u.astype(np.int64), v.astype(np.int64), notes, ask)
    return graph_from_objects([], zip(u.tolist(), v.tolist(), strict=True), notes, ask)
