"""Compile every graph kernel for the types the network functions call it with."""

from __future__ import annotations

import numpy as np

from incrowd.kernels import (
    graph_bfs,
    graph_build,
    graph_chain,
    graph_closed,
    graph_cycles,
    graph_pairs,
    graph_partition,
    graph_pivot,
    graph_scan,
    graph_text,
    graph_walk,
)

__all__ = ["warm"]


def warm() -> None:
    """Compile the kernels on a path of five nodes."""
    ends = np.arange(5, dtype=np.int32)
    indptr, indices, _ = graph_build.simple_csr(ends[:-1].copy(), ends[1:].copy(), 5)
    graph_build.components(indptr, indices)
    graph_build.subgraph(indptr, indices, ends)
    indptr, indices = graph_build.relabel(indptr, indices, graph_build.bfs_order(indptr, indices, 1))
    _text()
    _searches(indptr, indices)
    _closure(indptr, indices)
    _partitions(indptr, indices)


def _text() -> None:
    seen, columns = np.zeros(2, np.int64), np.array([0, 1, 2], np.int64)
    marks = np.frombuffer(b"#%", np.uint8)
    u, v = np.empty(2, np.int64), np.empty(2, np.int64)
    graph_text.parse_integers(np.frombuffer(b"0 1\n1 2", np.uint8), 0, 0, marks, columns, u, v, seen)
    graph_text.rank_integers(u, v, 0, 3)
    spans = np.empty((4, 2), np.int64)
    data = np.frombuffer(b"a b\nb c", np.uint8)
    graph_text.field_spans(data, 0, 0, marks, columns, spans, seen)
    graph_text.intern(data, spans)


def _searches(indptr: np.ndarray, indices: np.ndarray) -> None:
    dist, queue = np.empty(5, np.int32), np.empty(5, np.int32)
    reached = graph_bfs.bfs(indptr, indices, 0, dist, queue)
    tail = graph_bfs.tail_counts(dist, queue, reached)
    graph_bfs.walk_back(indptr, indices, dist, int(queue[reached - 1]), 1)
    open_, pointer = np.ones(5, np.bool_), np.full(5, -1, np.int32)
    graph_pivot.certify(dist, dist, tail, 1, 0, open_, pointer)
    graph_pivot.descend(indptr, indices, dist, dist[:1].copy(), ~open_, queue, 0, open_, pointer)
    graph_bfs.forest_parents(indptr, indices, open_, pointer)
    layers = np.empty((64, 4), np.int32)
    mu, pointer_of, singles = (np.empty(64, np.int64) for _ in range(3))
    buffers, some = graph_scan.scan_buffers(5), np.arange(2, dtype=np.int32)
    graph_scan.scan(indptr, indices, some, -1, buffers, mu, pointer_of, singles, layers)
    graph_scan.ball(indptr, indices, 0, 2, open_, pointer, 1, queue)


def _closure(indptr: np.ndarray, indices: np.ndarray) -> None:
    basin, cycle, _ = graph_cycles.pointer_cycles(np.array([1, 0, 1, 2, 3], np.int32))
    state = graph_chain.make_state(indptr, indices, basin, 1, 1)
    best = np.full(4, 5, np.int64)
    graph_chain.start(state, cycle, 1)
    graph_chain.settle(state, best, 2)
    graph_chain.exits(state, 100)
    graph_chain.flood(state, True)
    graph_chain.split(state, cycle, graph_scan.scan_buffers(5))
    graph_chain.uniform(state, cycle, graph_scan.scan_buffers(5))
    graph_chain.raise_level(state, 2)


def _partitions(indptr: np.ndarray, indices: np.ndarray) -> None:
    n = indptr.size - 1
    some = np.array([0], np.int32)
    label, classes = graph_partition.partition(indptr, indices, some)
    graph_partition.count_classes(label, classes)
    dist, queue = np.empty(n, np.int32), np.empty(n, np.int32)
    graph_bfs.bfs(indptr, indices, 0, dist, queue)
    table, touched, counts = np.full(64, -1, np.int32), np.empty(n, np.int64), np.zeros(n, np.int32)
    graph_partition.single_classes(label, classes, dist, 8, table, touched, counts)
    graph_partition.refine(label, classes, dist, 8, table, touched)
    matrix = graph_bfs.all_pairs(indptr, indices)
    members = np.zeros(n, np.bool_)
    graph_closed.labels_of(indptr, indices, matrix, members, 8, table, touched)
    graph_closed.closures(
        indptr, indices, matrix, members, np.zeros(n, np.int32), 1, some, 1, n, members.copy(), 8, table, touched
    )
    bits, sizes = graph_pairs.layer_bits(matrix, 4)
    graph_pairs.pairs_from(matrix, bits, sizes, 0, 1, 1)
    graph_pairs.triples_from(matrix, 4, 0, 1, 1)
    graph_walk.find_pattern(indptr, indices, np.array([1, 2], np.int64), np.zeros((2, 2), np.bool_), 10)
