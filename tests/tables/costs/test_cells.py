import itertools
import random

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd.tables.costs.cells import Cells
from incrowd.tables.protocols import Cost

TALL = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32)
HIERARCHIES = {
    "a": incrowd.Hierarchy(lines=[(str(v), f"x{v // 2}", f"y{v // 4}") for v in range(12)]),
    "b": incrowd.Hierarchy(lines=[(str(v), f"z{v // 3}") for v in range(6)]),
}


def test_cells_meet_the_protocol_of_costs():
    assert isinstance(Cells(), Cost)


def test_every_level_above_the_value_costs_one():
    assert Cells().node_costs("age", TALL) == [[0] * 4, [1] * 4, [1] * 4]


@pytest.mark.few(1)
@pytest.mark.parametrize("solver", ["greedy", "exact"])
def test_every_class_shows_the_lowest_levels_that_hold_for_its_rows(solver):
    rng = random.Random(3)
    for mask in (incrowd.Mask(), incrowd.Mask(max_stars=1), incrowd.Mask(together=[["a", "b"]])):
        rows = [(rng.randrange(12), rng.randrange(6), rng.randrange(3)) for _ in range(14)]
        table = pa.table({name: [str(row[j]) for row in rows] for j, name in enumerate("abc")})
        with incrowd.anonymize(
            table, quasi_identifiers=["a", "b", "c"], k=2, hierarchies=HIERARCHIES, mask=mask, cost="cells",
            solver=solver,
        ) as release:  # fmt: skip
            assert release.cost == release.facts["changed_cells"]
            problem, plan = release._problem, release._solution.plan
        for g in range(plan.groups):
            held = problem.types.codes[plan.part_type[plan.part_group == g]]
            shown = tuple(int(level) for level in plan.levels[g])
            for lower in itertools.product(*(range(level + 1) for level in shown)):
                agreed = all(np.unique(problem.levels[j].up[lower[j]][held[:, j]]).size == 1 for j in range(3))
                assert lower == shown or not agreed or not problem.patterns.allows(lower)
