"""Small sets of patterns listed and sorted in arrays."""

import itertools

import numpy as np

from incrowd.tables.mask import patterns as listing
from incrowd.tables.mask.patterns import build
from oracle import masks as plain

COLUMNS, HEIGHTS = ["a", "b", "c"], (1, 2, 1)
SAID = {"at_most_one": [["a", "b"]], "full_suppression": False}


def test_every_allowed_vector_is_listed_once():
    found = listing.list_vectors(build(SAID, COLUMNS, HEIGHTS))
    assert sorted(map(tuple, found.tolist())) == plain.vectors(SAID, COLUMNS, HEIGHTS)


def test_blocks_double_and_costs_never_fall():
    columns, heights = [f"c{j}" for j in range(10)], (1,) * 10
    blocks = list(listing.listed(build({}, columns, heights), heights, [[0, 1]] * 10, [[0, 0]] * 10))
    assert [len(block.costs) for block in blocks] == [256, 512, 256]
    costs = np.concatenate([block.costs for block in blocks]).tolist()
    assert all(a <= b for a, b in itertools.pairwise(costs))
