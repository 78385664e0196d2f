import itertools

import numpy as np

from incrowd.tables.mask import Mask
from incrowd.tables.solve.ranges.kinds import Kinds
from oracles.grid import drawn_mask


def test_what_lies_above_is_told_as_by_trying_all_and_stars_alone_count_for_nothing():
    rng = np.random.default_rng(2)
    names, tops, others, ranged = ("a", "b", "c", "d"), (2, 2, 1, 2), [0, 2], [1, 3]
    vectors = np.array(list(itertools.product(range(3), range(2))))
    every = list(itertools.product(*(range(top + 1) for top in tops)))
    for _ in range(40):
        mask = drawn_mask(rng, names, {"a", "b", "d"}).compile(names, tops)
        kinds = Kinds(mask, vectors, [2, 1], others, ranged)
        allowed = {vector for vector in every if mask.allows(vector)}
        for vector in every:
            told = np.array([[vector[j] for j in (*others, *ranged)]])
            assert kinds.allowed(told)[0] == (vector in allowed)
            over = {one for one in allowed if all(a >= b for a, b in zip(one, vector, strict=True))}
            found = {tuple(one) for one in kinds.over(told[0]).tolist()}
            assert found == {tuple(one[j] for j in (*others, *ranged)) for one in over}
            p, code = vector[0] * 2 + vector[2], vector[1] + 3 * vector[3]
            assert kinds.above[p, code] == bool(over - {tops})
        assert set(kinds.open) == {p for p in range(6) if kinds.above[p].any()}


def test_the_cells_shown_tell_a_value_a_run_and_all_cells_apart():
    kinds = Kinds(Mask().compile(("a", "b"), (1, 2)), np.array([[0], [1]]), [1], [0], [1])
    vectors = np.array([[1, -1, 3], [0, 0, 2], [0, 0, 4], [1, 1, 4]])
    assert kinds.kinds(vectors, np.array([4])).tolist() == [[1, 0], [0, 1], [0, 2], [1, 1]]
    assert not Kinds(None, np.array([[0], [1]]), [1], [0], [1]).masked
