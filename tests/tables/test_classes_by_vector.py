"""Classes by level vector, against each value's own line of nodes."""

from __future__ import annotations

import numpy as np

from incrowd.tables.classes_by_vector import ClassesByVector, above_of
from seeds import seeds

CHAIN = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32)
STAR = np.array([[0, 1, 2], [0, 0, 0]], np.int32)


def test_parents_of_nodes_are_read_off_the_values():
    assert [above.tolist() for above in above_of(CHAIN)] == [[0, 0, 1, 1], [0, 0]]


@seeds(200)
def test_every_class_shows_its_nodes_from_its_own_level_up(seed):
    rng = np.random.default_rng(seed)
    ups = [CHAIN, STAR]
    values = [[int(rng.integers(up.shape[1])) for up in ups] for _ in range(8)]
    levels = [[int(rng.integers(up.shape[0])) for up in ups] for _ in range(8)]
    nodes = [
        [up[level, v] for up, level, v in zip(ups, at, row, strict=True)]
        for at, row in zip(levels, values, strict=True)
    ]
    found = ClassesByVector.of(np.array(levels, np.int8), np.array(nodes, np.int32), ups)
    assert sorted(found.order.tolist()) == list(range(8))
    for p, vector in enumerate(found.vectors.tolist()):
        for i in range(found.start[p], found.start[p + 1]):
            which = int(found.order[i])
            assert levels[which] == vector
            for j, up in enumerate(ups):
                for level in range(up.shape[0]):
                    expected = -1 if level < vector[j] else int(up[level, values[which][j]])
                    assert found.nodes[i, found.offsets[j] + level] == expected
