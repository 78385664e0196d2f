"""Compile every graph kernel for the types the network functions call it with."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.networks import (
    bfs,
    build,
    chain,
    chain_classes,
    chain_state,
    closed_sets,
    cycles,
    pairs,
    partition,
    pivot,
    scan,
    text,
    walk,
)

__all__ = ["warm"]


def warm() -> None:
    """Compile the kernels on a path of five nodes."""
    ends = np.arange(5, dtype=np.int32)
    indptr, indices, _ = build.simple_csr(ends[:-1].copy(), ends[1:].copy(), 5)
    build.components(indptr, indices)
    build.subgraph(indptr, indices, ends)
    indptr, indices = build.relabel(indptr, indices, build.bfs_order(indptr, indices, 1))
    _text()
    _searches(indptr, indices)
    _closure(indptr, indices)
    _partitions(indptr, indices)


def _text() -> None:
    seen, columns = np.zeros(2, np.int64), np.array([0, 1, 2], np.int64)
    marks = np.frombuffer(b"#%", np.uint8)
    u, v = np.empty(2, np.int64), np.empty(2, np.int64)
    text.parse_integers(np.frombuffer(b"0 1\n1 2", np.uint8), 0, 0, marks, columns, u, v, seen)
    text.rank_integers(u, v, 0, 3)
    spans = np.empty((4, 2), np.int64)
    data = np.frombuffer(b"a b\nb c", np.uint8)
    text.field_spans(data, 0, 0, marks, columns, spans, seen)
    text.intern(data, spans)


def _searches(indptr: np.ndarray, indices: np.ndarray) -> None:
    dist, queue = np.empty(5, np.int32), np.empty(5, np.int32)
    reached = bfs.bfs(indptr, indices, 0, dist, queue)
    tail = bfs.tail_counts(dist, queue, reached)
    bfs.walk_back(indptr, indices, dist, int(queue[reached - 1]), 1)
    open_, pointer = np.ones(5, np.bool_), np.full(5, -1, np.int32)
    pivot.certify(dist, dist, tail, 1, 0, open_, pointer)
    pivot.descend(indptr, indices, dist, dist[:1].copy(), ~open_, queue, 0, open_, pointer)
    bfs.forest_parents(indptr, indices, open_, pointer)
    layers = np.empty((64, 4), np.int32)
    mu, pointer_of, singles = (np.empty(64, np.int64) for _ in range(3))
    buffers, some = scan.scan_buffers(5), np.arange(2, dtype=np.int32)
    scan.scan(indptr, indices, some, -1, buffers, mu, pointer_of, singles, layers)
    scan.ball(indptr, indices, 0, 2, open_, pointer, 1, queue)


def _closure(indptr: np.ndarray, indices: np.ndarray) -> None:
    basin, cycle, _ = cycles.pointer_cycles(np.array([1, 0, 1, 2, 3], np.int32))
    state = chain_state.make_state(indptr, indices, basin, 1, 1)
    best = np.full(4, 5, np.int64)
    chain.start(state, cycle, 1)
    chain.settle(state, best, 2)
    chain_classes.exits(state, 100)
    chain_classes.flood(state, True)
    chain_classes.split(state, cycle, scan.scan_buffers(5))
    chain_classes.uniform(state, cycle, scan.scan_buffers(5))
    chain.raise_level(state, 2)


def _partitions(indptr: np.ndarray, indices: np.ndarray) -> None:
    n = indptr.size - 1
    some = np.array([0], np.int32)
    label, classes = partition.partition(indptr, indices, some)
    partition.count_classes(label, classes)
    dist, queue = np.empty(n, np.int32), np.empty(n, np.int32)
    partition.split_by(indptr, indices, 0, label, classes, dist, queue, np.empty(n, np.int32))
    bfs.bfs(indptr, indices, 0, dist, queue)
    table, touched, counts = np.full(64, -1, np.int32), np.empty(n, np.int64), np.zeros(n, np.int32)
    partition.single_classes(label, classes, dist, 8, table, touched, counts)
    partition.refine(label, classes, dist, 8, table, touched)
    partition.refine_wide(label, classes, dist, queue, counts)
    matrix = np.full((n, n), -1, np.int16)
    bfs.distance_rows(indptr, indices, 0, matrix)
    members = np.zeros(n, np.bool_)
    closed_sets.labels_of(indptr, indices, matrix, members, 8, table, touched)
    closed_sets.closures(
        indptr, indices, matrix, members, np.zeros(n, np.int32), 1, some, 1, n, members.copy(), 8, table, touched
    )
    bits, sizes = pairs.layer_bits(matrix, 4)
    pairs.pairs_from(matrix, bits, sizes, 0, 1, 1)
    pairs.triples_from(matrix, 4, 0, 1, 1)
    walk.find_pattern(indptr, indices, np.array([1, 2], np.int64), np.zeros((2, 2), np.bool_), 10)
