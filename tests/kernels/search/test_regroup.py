"""The kernels of regrouping against their plain twins."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.search import regroup


def test_a_split_keeps_every_row_in_its_group_and_makes_at_most_two_blocks_of_it():
    two = within = 0
    for seed in range(300):
        rng = np.random.default_rng([71, seed])
        groups, t = int(rng.integers(1, 5)), int(rng.integers(1, 9))
        codes, steps = rng.integers(0, 3, (t, 4)).astype(np.int32), np.ones((t, 4), np.int32)
        held = [np.sort(rng.choice(t, int(rng.integers(1, t + 1)), replace=False)) for _ in range(groups)]
        begins = np.concatenate(([0], np.cumsum([h.size for h in held]))).astype(np.int64)
        types = np.concatenate(held).astype(np.int32)
        counts = rng.integers(1, 4, types.size)
        piece_type, piece_block, piece_rows, group = regroup.split(
            begins, types, counts, codes, steps, rng.random((groups, 3))
        )
        assert (np.diff(group) >= 0).all()
        assert (np.diff(piece_block) >= 0).all()
        assert (piece_rows >= 1).all()
        assert np.array_equal(np.unique(piece_block), np.arange(group.size))
        assert np.array_equal(np.unique(group), np.arange(groups))
        assert np.bincount(group).max() <= 2
        for g in range(groups):
            mine = group[piece_block] == g
            found, wanted = np.zeros(t, int), np.zeros(t, int)
            np.add.at(found, piece_type[mine], piece_rows[mine])
            wanted[held[g]] = counts[begins[g] : begins[g + 1]]
            assert np.array_equal(found, wanted)
            within += int(mine.sum()) > held[g].size
        two += group.size > groups
    assert two > 100
    assert within


def test_a_block_shares_its_code_only_where_its_rows_agree():
    for seed in range(100):
        rng = np.random.default_rng([74, seed])
        t, count = int(rng.integers(2, 9)), int(rng.integers(1, 4))
        rows = rng.integers(0, 3, (t, 4)).astype(np.int32)
        kind = rng.permutation(t).astype(np.int32)
        block = np.sort(np.concatenate((np.arange(min(count, t)), rng.integers(0, min(count, t), t))))[:t]
        block = np.unique(block, return_inverse=True)[1].astype(np.int32)
        blocks_ = int(block.max()) + 1
        first = np.array([kind[block == b][0] for b in range(blocks_)], np.int32)
        out = regroup.agreed(kind, block, first, rows, blocks_, 100)
        for b in range(blocks_):
            for line in range(4):
                values = set(rows[kind[block == b], line].tolist())
                assert out[b, line] == (values.pop() if len(values) == 1 else 100 + b)
