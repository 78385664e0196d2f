"""A plan in the making: whatever is moved, every row is in one group or in the rest, and a copy stays as it was."""

from __future__ import annotations

import dataclasses

import numpy as np

from incrowd.tables.solve.shared.partial_plan import PartialPlan
from incrowd.tables.solve.shared.problem_arrays import encode
from oracles.plans import cost_of, recount
from oracles.problems import random_problem
from seeds import seeds


def held(draft, t):
    """Rows of each type, in groups and in the rest."""
    found = np.zeros(t, np.int64)
    np.add.at(found, draft.part_type, draft.part_rows)
    np.add.at(found, draft.rest_type, draft.rest_rows)
    return found.tolist()


def drawn(rng):
    """A draft whose groups hold rows that agree, the others in the rest."""
    problem = random_problem(rng, full=True)
    encoded = encode(problem)
    label, vectors = np.full(encoded.t, -1, np.int32), []
    for _ in range(3):
        vector = np.array([rng.integers(0, height + 1) for height in problem.top], np.int8)
        agree = encoded.agree(vector, int(rng.integers(encoded.t))) & (label < 0)
        if agree.any():
            label[agree] = len(vectors)
            vectors.append(vector)
    return problem, PartialPlan.of(encoded, label, vectors)


@seeds(200)
def test_no_row_is_lost_or_doubled_by_any_step(seed):
    rng = np.random.default_rng([131, seed])
    problem, draft = drawn(rng)
    counts, t = problem.types.counts.tolist(), problem.types.t
    before = draft.copy()
    kept = held(before, t), before.sizes().tolist()
    top = np.array(problem.top, np.int8)
    for _ in range(6):
        step = int(rng.integers(3))
        if step == 0 and draft.rest_type.size:
            draft.settle(rng.random(draft.rest_type.size) < 0.5, draft.open_group(top))
        elif step == 1:
            draft.unsettle(rng.random(draft.part_rows.size) < 0.3)
            assert np.unique(draft.rest_type).size == draft.rest_type.size and (draft.rest_rows >= 1).all()
        elif step == 2:
            group = draft.open_group(top)
            draft.move(rng.integers(0, draft.part_rows + 1), group)
        assert held(draft, t) == counts
        assert draft.sizes().sum() + draft.rest_rows.sum() == problem.types.n
    assert (held(before, t), before.sizes().tolist()) == kept
    draft.settle(np.ones(draft.rest_type.size, np.bool_), draft.open_group(top))
    plan = draft.plan()
    assert recount(dataclasses.replace(problem, k=1, patterns=Every(problem.top)), plan) == plan.cost(problem)


@seeds(60)
def test_a_group_costs_what_any_of_its_rows_costs_in_it(seed):
    problem, draft = drawn(np.random.default_rng([132, seed]))
    for g, cost in enumerate(draft.group_costs()):
        for i in draft.part_type[draft.part_group == g]:
            assert cost == cost_of(problem, draft.vectors[g].tolist(), problem.types.codes[i].tolist())


class Every:
    """A mask that allows every vector: what a draft opens is its caller's choice."""

    def __init__(self, heights):
        self.heights = heights

    def allows(self, vector):
        return True
