"""Entries numbered by what they show, against dictionaries."""

import numpy as np

from incrowd.kernels.grouping.instances import alike, rows_of
from seeds import seeds


@seeds(100)
def test_entries_are_numbered_by_label_and_nodes_in_the_order_of_their_first_one(seed):
    rng = np.random.default_rng([22, seed])
    t, levels, e = int(rng.integers(1, 30)), int(rng.integers(1, 6)), int(rng.integers(0, 60))
    nodes = rng.integers(0, 3, (levels, t)).astype(np.int32)
    lines = rng.permutation(levels)[: int(rng.integers(0, levels + 1))].astype(np.int64)
    entries, label = rng.integers(0, t, e), rng.integers(0, 3, e)
    number, first = alike(nodes, lines, np.full(len(lines), 3, np.int64), entries, label)
    known = {}
    for i in range(e):
        known.setdefault((int(label[i]), *nodes[lines, entries[i]].tolist()), len(known))
        assert number[i] == known[int(label[i]), *nodes[lines, entries[i]].tolist()]
    assert len(first) == len(known)
    assert number[first].tolist() == list(range(len(known)))
    rows = rng.integers(1, 9, e)
    assert rows_of(number, rows, len(known)).tolist() == [int(rows[number == x].sum()) for x in range(len(known))]


def test_keys_near_2_to_the_62_are_told_apart():
    nodes = np.array([[0, 2**30, 2**30], [5, 5, 6]], np.int32)
    radix = np.array([2**31 - 1, 2**30], np.int64)
    number, _ = alike(nodes, np.array([0, 1]), radix, np.arange(3), np.zeros(3, np.int64))
    assert number.tolist() == [0, 1, 2]
