from __future__ import annotations

import itertools

import numpy as np
import pytest

from incrowd.kernels.grouping import frequent
from incrowd.kernels.grouping import frequent as cheapest
from incrowd.kernels.grouping import frequent as nearest
from seeds import seeds

ALL = np.uint64(2**64 - 1)


def draw(seed):
    """Random nodes over columns of height 1-2 with patterns in random order."""
    rng = np.random.default_rng([20, seed])
    t, m = int(rng.integers(1, 40)), int(rng.integers(1, 5))
    heights = rng.integers(1, 3, m)
    start = np.concatenate(([0], np.cumsum(heights + 1)[:-1]))
    nodes = np.zeros((t, int((heights + 1).sum())), np.int32)
    for j in range(m):
        nodes[:, start[j]] = rng.integers(0, 6, t)
        if heights[j] == 2:
            nodes[:, start[j] + 1] = nodes[:, start[j]] // 2
    vectors = np.stack([rng.integers(0, heights + 1) for _ in range(12)]).astype(np.int8)
    weights = rng.integers(1, 4, t).astype((np.int32, np.int64)[seed % 2])
    return rng, nodes, start, heights, vectors, weights


def instances(nodes, start, heights, vector, weights, rows):
    lines = [s + v for s, v, h in zip(start, vector, heights, strict=True) if v < h]
    found = {}
    for i in rows:
        found.setdefault(tuple(nodes[i, lines]), []).append(int(i))
    return lines, [(members, sum(weights[members])) for members in found.values()]


@seeds(200)
def test_frequent_finds_the_rows_in_crowds_and_crowds_groups_them(seed):
    rng, nodes, start, heights, vectors, weights = draw(seed)
    k = int(rng.integers(1, 8))
    table = frequent.hash_nodes(nodes, ALL)
    begins, rows, hashes = frequent.frequent(table, start, heights, vectors, weights, k)
    alive = rng.random(len(nodes)) < 0.8
    for p, vector in enumerate(vectors):
        lines, groups = instances(nodes, start, heights, vector, weights, range(len(nodes)))
        here = slice(begins[p], begins[p + 1])
        assert rows[here].tolist() == sorted(i for members, n in groups if n >= k for i in members)
        ends, members = frequent.crowds(nodes, np.array(lines, np.int64), rows[here], hashes[here], alive, weights, k)
        _, living = instances(nodes, start, heights, vector, weights, np.flatnonzero(alive))
        expected = [members for members, n in living if n >= k]
        assert [members[a:b].tolist() for a, b in itertools.pairwise(ends)] == expected


@pytest.mark.parametrize("bits", [0, 1, 3])
@seeds(60)
def test_cut_hashes_only_add_rows_and_never_join_groups(seed, bits):
    rng, nodes, start, heights, vectors, weights = draw(seed)
    k = int(rng.integers(1, 8))
    table = frequent.hash_nodes(nodes, np.uint64(2**bits - 1))
    begins, rows, hashes = frequent.frequent(table, start, heights, vectors, weights, k)
    alive = np.ones(len(nodes), np.bool_)
    for p, vector in enumerate(vectors):
        lines, groups = instances(nodes, start, heights, vector, weights, range(len(nodes)))
        here = slice(begins[p], begins[p + 1])
        assert {i for members, n in groups if n >= k for i in members} <= set(rows[here].tolist())
        ends, members = frequent.crowds(nodes, np.array(lines, np.int64), rows[here], hashes[here], alive, weights, k)
        found = [members[a:b].tolist() for a, b in itertools.pairwise(ends)]
        assert found == [members for members, n in groups if n >= k]


def test_hashes_of_different_nodes_differ_and_equal_ones_do_not():
    nodes = np.stack([np.arange(20000) % 5000, np.zeros(20000)], axis=1).astype(np.int32)
    table = frequent.hash_nodes(nodes, ALL)
    assert len(np.unique(table[0])) == 5000
    assert len(np.unique(table[1])) == 1
    assert table[1, 0] not in table[0]
    assert np.array_equal(table[0, :5000], table[0, 5000:10000])


@seeds(150)
def test_common_levels_are_shared_by_a_crowd(seed):
    rng, nodes, start, heights, _, weights = draw(seed)
    t, k = len(nodes), int(rng.integers(1, 12))
    costs = np.zeros((nodes.shape[1], t), np.int64)
    for j, height in enumerate(heights):
        for level in range(1, height + 1):
            costs[start[j] + level] = costs[start[j] + level - 1] + rng.integers(0, 3)
    live = np.flatnonzero(rng.random(t) < 0.9).astype(np.int32)
    if not live.size:
        return
    places = np.arange(0, live.size, 2)
    sample = np.ascontiguousarray(live[:: int(rng.integers(1, 4))])
    window = int(rng.integers(0, 5))
    found = nearest.common_levels(
        nodes, start, heights, costs, live[places], places, live, sample, window, weights, k, 3
    )
    for x, vector in zip(places, found, strict=True):
        lines = start + vector
        alike = live[(nodes[live][:, lines] == nodes[live[x], lines]).all(axis=1)]
        near = set(sample.tolist()) | set(live[max(0, x - window) : x + window + 1].tolist())
        assert weights[alike].sum() >= min(k, weights[sorted(near)].sum())
        # No column is higher than it must be for the rows that look alike.
        for j, level in enumerate(vector):
            if level:
                assert (nodes[alike, start[j] + level - 1] != nodes[live[x], start[j] + level - 1]).any()


def test_a_single_step_takes_the_nearest_row():
    nodes = np.array([[0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 1, 0], [1, 0, 0, 0, 0, 0]], np.int32)
    start, heights = np.array([0, 2, 4]), np.ones(3, np.int64)
    costs = np.zeros((6, 3), np.int64)
    costs[1::2] = np.array([[5], [1], [1]])
    rows = np.arange(3, dtype=np.int32)
    arguments = (rows[:1], np.zeros(1, np.int64), rows, rows, 1, np.ones(3, np.int32), 2, 8)
    assert nearest.common_levels(nodes, start, heights, costs, *arguments).tolist() == [[0, 1, 1]]
    costs[1] = 1
    assert nearest.common_levels(nodes, start, heights, costs, *arguments).tolist() == [[1, 0, 0]]


@seeds(150)
def test_cheapest_crowds_is_the_plain_minimum(seed):
    rng, nodes, start, heights, vectors, weights = draw(seed)
    k, t = int(rng.integers(1, 8)), len(nodes)
    uniform = bool(seed % 3)
    costs = np.zeros((nodes.shape[1], t), np.int64)
    for j, height in enumerate(heights):
        for level in range(1, height + 1):
            extra = rng.integers(0, 4, 6)[nodes[:, start[j] + level]] if not uniform else rng.integers(0, 4)
            costs[start[j] + level] = costs[start[j] + level - 1] + extra
    each = np.array([costs[start + v].sum(axis=0) for v in vectors])
    table = frequent.hash_nodes(nodes, ALL)
    best = rng.integers(0, 12, t)
    result = cheapest.cheapest_classes(
        table, start, heights, vectors, each.min(axis=1), costs, uniform, weights, k, best
    )
    expected = best.copy()
    for p, vector in enumerate(vectors):
        _, groups = instances(nodes, start, heights, vector, weights, range(t))
        for members, n in groups:
            if n >= k:
                expected[members] = np.minimum(expected[members], each[p, members])
    assert np.array_equal(result, expected)
