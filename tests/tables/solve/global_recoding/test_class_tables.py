"""Classes rolled up from any table held below are those counted from the rows."""

import itertools
from collections import Counter

import numpy as np

from incrowd.tables.solve.global_recoding.class_tables import ClassTables
from incrowd.tables.solve.global_recoding.tuning import Tuning
from incrowd.tables.values import Levels, Problem, RowTypes
from oracles.pattern_lists import PatternList
from oracles.problems import random_problem
from oracles.required import random_required
from oracles.single_recoding import nodes
from seeds import seeds


@seeds(100)
def test_classes_are_those_of_equal_nodes_whatever_is_held(seed):
    rng = np.random.default_rng([23, seed])
    problem = random_required(rng, "frequency") if seed % 2 else random_problem(rng)
    tables = ClassTables(problem, Tuning(tables=int(rng.integers(0, 4)), entries=int(rng.integers(0, 3)), shrunk=1.0))
    vectors = list(itertools.product(*(range(h + 1) for h in problem.top)))
    types = problem.types
    for vector in [vectors[i] for i in rng.permutation(len(vectors))[:30]]:
        expected, kinds = Counter(), Counter()
        for i in range(types.t):
            shown = nodes(problem, vector, i)
            expected[shown] += int(types.counts[i])
            kinds[shown, int(tables.kinds[i])] += int(types.counts[i])
        for grouped in (tables.under(vector), tables.whole(vector)):
            first = [nodes(problem, vector, int(i)) for i in grouped.first]
            assert dict(zip(first, grouped.size.tolist(), strict=True)) == expected
            found = Counter()
            for i, g, n in zip(grouped.types.tolist(), grouped.number.tolist(), grouped.rows.tolist(), strict=True):
                assert nodes(problem, vector, i) == first[g]
                found[first[g], int(tables.kinds[i])] += n
            assert found == kinds
        assert len(tables.held) - 1 <= tables.tuning.tables


def test_columns_of_more_nodes_than_a_key_holds_are_told_apart():
    d, m = 1 << 16, 6
    up = np.stack([np.arange(d), np.zeros(d)]).astype(np.int32)
    levels = (Levels(up, np.zeros((2, d), np.int64)),) * m
    codes = np.zeros((2 * m, m), np.int32)
    codes[np.arange(2 * m), np.arange(2 * m) % m] = np.arange(2 * m) // m + d - 3
    types = RowTypes(codes, np.ones(2 * m, np.int64), (d,) * m)
    problem = Problem(types, levels, PatternList([1] * m), 2)
    assert len(ClassTables(problem).under((0,) * m).size) == 2 * m
    assert sorted(ClassTables(problem).under((1, 0, 0, 0, 0, 0)).size.tolist()) == [1] * (2 * m - 2) + [2]
