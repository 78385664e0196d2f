import numpy as np

from incrowd.proved.assignment import vectors_for
from oracles.problems import random_problem
from proved.asked import labels_of
from seeds import seeds


@seeds(200)
def test_rows_in_any_order_find_vectors_that_show_them(seed):
    rng = np.random.default_rng([8, seed])
    problem = random_problem(rng, full=True)
    labels, m = labels_of(problem.levels), problem.types.m
    codes = np.repeat(problem.types.codes, problem.types.counts, axis=0)
    rows = np.column_stack([codes, rng.integers(0, 2, len(codes))]).astype(np.int64)
    vectors = [tuple(int(rng.integers(level.height + 1)) for level in problem.levels) for _ in rows]
    vectors = [v if problem.patterns.allows(v) else tuple(problem.top) for v in vectors]

    def shown(some):
        lines = zip(rows.tolist(), some, strict=True)
        return sorted([*(labels[j][row[j]][x] for j, x in enumerate(v)), row[m]] for row, v in lines)

    released = np.array(shown(vectors), np.int64)
    found = vectors_for(labels, problem.levels, problem.patterns.allows, rows, rng.permutation(released))
    assert found is not None
    assert shown(found) == released.tolist()
    assert all(map(problem.patterns.allows, found))


def test_a_release_of_other_rows_has_none():
    problem = random_problem(np.random.default_rng(1), rows=4, full=True)
    rows = np.column_stack([np.repeat(problem.types.codes, problem.types.counts, axis=0), np.zeros(4, int)]).astype(
        np.int64
    )
    released = np.zeros_like(rows)
    released[:, -1] = [0, 0, 0, 1]
    assert vectors_for(labels_of(problem.levels), problem.levels, lambda _: True, rows, released) is None
    released[:, -1] = 0
    assert vectors_for(labels_of(problem.levels), problem.levels, lambda _: False, rows, released) is None
