"""A problem as flat arrays: nodes, costs and agreement are those of its hierarchies, however many bits hashes have."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.tables.solve.shared.problem_arrays import encode
from oracles.plans import cost_of, node
from oracles.problems import random_problem
from seeds import seeds


def shown(problem, vector, i):
    row = problem.types.codes[i].tolist()
    return tuple(node(problem, j, int(v), c) for j, (v, c) in enumerate(zip(vector, row, strict=True)))


def vector_of(rng, problem):
    return np.array([rng.integers(0, height + 1) for height in problem.top], np.int8)


@pytest.mark.parametrize("bits", [64, 3, 0])
@seeds(100)
def test_rows_cost_and_agree_as_their_hierarchies_say(bits, seed):
    rng = np.random.default_rng([121, seed])
    problem = random_problem(rng)
    e, t = encode(problem, bits=bits), problem.types.t
    for vector in [vector_of(rng, problem) for _ in range(4)]:
        lines = [shown(problem, vector, i) for i in range(t)]
        costs = [cost_of(problem, vector.tolist(), problem.types.codes[i].tolist()) for i in range(t)]
        assert e.row_costs(vector).tolist() == costs
        some = rng.permutation(t)[: t // 2 + 1].astype(np.int32)
        assert e.row_costs(vector, some).tolist() == [costs[i] for i in some]
        row = int(rng.integers(t))
        assert e.agree(vector, row).tolist() == [line == lines[row] for line in lines]
        assert e.agree(vector, row, some).tolist() == [lines[i] == lines[row] for i in some]
        # rows that agree have equal hashes; the converse is not promised
        hashes = e.table[e.shown(vector)].sum(axis=0, dtype=np.uint64)
        assert (hashes[e.agree(vector, row)] == hashes[row]).all()


@seeds(100)
def test_a_join_is_the_lowest_vector_above_at_which_two_rows_agree(seed):
    rng = np.random.default_rng([122, seed])
    problem = random_problem(rng)
    e, t = encode(problem), problem.types.t
    vectors = np.array([vector_of(rng, problem) for _ in range(5)])
    rows, row = rng.integers(0, t, 5).astype(np.int32), int(rng.integers(t))
    for joined, own, other in zip(e.join(vectors, rows, row), vectors, rows.tolist(), strict=True):
        for j, top in enumerate(problem.top):
            codes = problem.types.codes[[row, other], j].tolist()
            agreed = [level for level in range(top + 1) if len({node(problem, j, level, c) for c in codes}) == 1]
            assert joined[j] == min(level for level in agreed if level >= own[j])
