from __future__ import annotations

import numpy as np

from incrowd.kernels.grouping import instances
from oracles.instances_drawn import drawn


def test_lists_turned_round_name_every_pair_once():
    for _, listed in drawn(80):
        begins, which, pairs = instances.transpose(listed.begins, listed.members, listed.counts.size)
        wanted = listed.turned
        assert all((a == b).all() for a, b in zip((begins, which, pairs), wanted, strict=True))


def test_common_levels_are_the_lowest_at_which_all_members_agree():
    for seed in range(80):
        rng = np.random.default_rng(seed)
        t, m = 8, 3
        leaves = rng.integers(0, 6, (t, m))
        nodes = np.stack([leaves[:, j] // 2**level * (level < 3) for j in range(m) for level in range(4)], 1)
        start = 4 * np.arange(m)
        groups = [np.sort(rng.choice(t, int(rng.integers(1, 5)), replace=False)) for _ in range(4)]
        begins = np.concatenate(([0], np.cumsum([g.size for g in groups])))
        found = instances.common_levels(
            nodes.astype(np.int32), start, np.full((4, m), 3, np.int8), begins, np.concatenate(groups).astype(np.int32)
        )
        for g, types in enumerate(groups):
            for j in range(m):
                agree = [level for level in range(4) if len(set(nodes[types, 4 * j + level].tolist())) == 1]
                assert found[g, j] == agree[0]


def test_members_are_those_that_show_the_same_nodes_whatever_the_hashes():
    for seed in range(80):
        rng = np.random.default_rng(seed)
        nodes = rng.integers(0, 2, (10, 4)).astype(np.int32)
        lines = np.flatnonzero(rng.random(4) < 0.6)
        shown = [tuple(nodes[i, lines].tolist()) for i in range(10)]
        names = list(dict.fromkeys(shown))
        bits = int(rng.choice([0, 2, 40]))
        hashes = np.array([(hash(name) & (2**bits - 1)) << 20 for name in shown], np.uint64)
        reps = np.array([shown.index(name) for name in names], np.int32)
        begins, members = instances.members_of(nodes, lines, hashes, reps, hashes[reps])
        for g, name in enumerate(names):
            assert members[begins[g] : begins[g + 1]].tolist() == [i for i in range(10) if shown[i] == name]
