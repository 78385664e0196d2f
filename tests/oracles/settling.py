"""Groups in the making, as the greedy under requirements has them after its walk through the patterns."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.greedy.with_requirements.class_plan import ClassPlan, sweep
from incrowd.tables.solve.shared.problem_arrays import encode
from oracles.required import FAMILIES, random_required


def drawn(seed, name, *, full=None):
    """A problem, the state of its groups after the walk, and the rows left over; `full`: stars are allowed or not."""
    rng = np.random.default_rng([name, seed])
    problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=int(rng.integers(5, 40)))
    while full is not None and problem.patterns.allows_full_suppression != full:
        problem = random_required(rng, FAMILIES[seed % len(FAMILIES)], rows=int(rng.integers(5, 40)))
    encoded = encode(problem)
    blocks = (block for block in blocks_of(problem) if not (block.levels == problem.top).all(axis=1).any())
    crowds, left, _ = sweep(problem, encoded, blocks, Watch(), visits=10**9)
    return problem, ClassPlan(problem, encoded, Watch(), crowds), left


def blocks_of(problem):
    """The patterns of the problem, cheapest first."""
    return problem.patterns.by_cost(problem.floor_costs(), problem.ties())


def good(problem, vector, types, rows):
    """Whether rows may stand together under a level vector: enough of them, and every requirement met."""
    types, rows = np.asarray(types), np.asarray(rows)
    free = problem.outliers == "suppress" and tuple(vector) == problem.top
    one = np.zeros(types.size, np.int64)
    kinds = problem.types.kinds[types]
    met = all(bool(requirement.meets(one, kinds, rows, 1)[0]) for requirement in problem.requirements)
    return met and rows.sum() >= (1 if free else problem.k)


def classes_of(state):
    """Every group that has rows: its number, level vector, types and rows, a type once."""
    for g, vector in enumerate(state.vectors):
        mine = (state.class_ == g) & (state.rows > 0)
        if mine.any():
            types, place = np.unique(state.type[mine], return_inverse=True)
            yield g, vector, types, np.bincount(place, weights=state.rows[mine]).astype(np.int64)


def held(state):
    """Rows of each type in all groups."""
    found = np.zeros(state.encoded.t, np.int64)
    np.add.at(found, state.type, state.rows)
    return found
