"""Rows on values as rows of a program: at any point both say the same."""

import numpy as np

from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.requirement_check import kinds_of
from incrowd.tables.solve.shared.strong_formulation import strong
from incrowd.tables.solve.shared.under_requirements.program_rows import cost_at_most, stated
from oracles.required import random_required
from seeds import seeds


@seeds(100)
def test_a_row_comes_to_what_the_rows_of_each_value_and_the_opening_come_to(seed):
    random = np.random.default_rng([191, seed])
    problem = random_required(random, "frequency")
    instances = list_instances(problem)
    if not instances.size:
        return
    model = strong(instances)
    code = kinds_of(problem)[instances.members]
    values = int(code.max()) + 1
    groups = random.integers(0, instances.size, 3)
    a = random.integers(-2, 3, (3, values)).astype(np.float64)
    b = np.where(model.column[groups] >= 0, random.integers(-1, 2, 3), 0).astype(np.float64)
    x = random.random(len(model.program.cost))
    rows = stated(model, groups, a, b, code)
    for r, g in enumerate(groups.tolist()):
        mine = slice(rows.begins[r], rows.begins[r + 1])
        found = (rows.values[mine] * x[rows.columns[mine]]).sum()
        pairs = np.arange(instances.begins[g], instances.begins[g + 1])
        counts = np.bincount(code[pairs], weights=x[pairs], minlength=values)
        opened = x[model.column[g]] if model.column[g] >= 0 else 0.0
        assert np.isclose(found, a[r] @ counts + b[r] * opened)
        assert rows.lower[r] == -np.inf and rows.upper[r] == 0


def test_the_row_on_the_cost_is_what_the_pairs_come_to():
    random = np.random.default_rng(192)
    problem = random_required(random, "frequency")
    instances = list_instances(problem)
    program = strong(instances).program
    row = cost_at_most(program, instances.pairs, 7.5)
    x = random.random(instances.pairs)
    assert np.isclose((row.values * x[row.columns]).sum(), program.cost[: instances.pairs] @ x)
    assert (row.begins.tolist(), row.lower.tolist(), row.upper.tolist()) == ([0, instances.pairs], [-np.inf], [7.5])
