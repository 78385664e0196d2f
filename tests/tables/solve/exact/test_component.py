from __future__ import annotations

import numpy as np
import pytest
from tests.seeds import how_many

from incrowd.progress import Watch
from incrowd.tables.solve.exact.component import ComponentState
from incrowd.tables.solve.shared.components import labels, split
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.values import Problem
from oracles.brute_force import optimum
from oracles.pattern_lists import PatternList
from oracles.problems import star_levels, types_of

PARTS = 840_000


def drawn(seed, rows=8, columns=5):
    rng = np.random.default_rng([41, seed])
    table = rng.integers(0, 2 if rng.random() < 0.7 else 3, (rows, columns))
    types = types_of(table)
    return Problem(types, star_levels(types), PatternList([1] * columns), int(rng.integers(2, 5)), "suppress")


def parts(problem):
    """The problem's components, with nothing known of them."""
    instances = list_instances(problem)
    return [ComponentState.of(part, 1, PARTS, problem.k, None) for part in split(instances, labels(instances))]


@pytest.mark.few(1)
@pytest.mark.parametrize("work", [1, 10**9])
def test_components_are_closed_with_a_release_however_often_the_tree_is_left(work):
    """A portion of work too small for more than a node at a time, and one that is enough."""
    branched = 0
    for seed in range(how_many(30, 8)):
        problem = drawn(seed)
        pieces = parts(problem)
        for piece in pieces:
            if not piece.closed:
                piece.price(Watch())
            for _ in range(300):
                if piece.closed:
                    break
                piece.branch(Watch(), 10**6, work)
            assert piece.closed and piece.checked == piece.cost
            branched += piece.branching is not None and piece.branching.leaves > 1
        assert sum(piece.cost for piece in pieces) == optimum(problem)
    assert branched
