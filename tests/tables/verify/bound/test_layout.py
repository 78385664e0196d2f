"""A table laid out: allowed vectors by number, costs and values shown by pattern and type."""

import numpy as np
import pytest

from incrowd.tables.verify.bound import layout
from incrowd.tables.verify.bound.layout import Layout
from incrowd.tables.verify.bound.strict_numbers import Unreadable
from oracles.brute_force import allowed_vectors
from oracles.plans import cost_of, node
from oracles.problems import as_table, random_problem
from seeds import seeds


@seeds(100)
def test_vectors_costs_and_what_types_show(seed):
    problem = random_problem(np.random.default_rng(seed))
    view = Layout(as_table(problem))
    codes = problem.types.codes.tolist()
    vectors = allowed_vectors(problem)
    assert view.vectors.tolist() == [list(vector) for vector in vectors]
    for place, vector in enumerate(vectors):
        assert view.number(vector) == place
        assert view.costs(np.full(len(codes), place), np.arange(len(codes))).tolist() == [
            cost_of(problem, vector, row) for row in codes
        ]
        shown = [[node(problem, j, v, c) for j, (v, c) in enumerate(zip(vector, row, strict=True))] for row in codes]
        assert view.same(vector, 0, np.arange(len(codes))).tolist() == [one == shown[0] for one in shown]
    assert view.number([level.height + 1 for level in problem.levels]) == -1
    assert view.number([0] * (problem.types.m + 1)) == -1


def test_too_many_vectors_are_refused(monkeypatch):
    monkeypatch.setattr(layout, "MOST_PATTERNS", 1)
    with pytest.raises(Unreadable, match="level vectors"):
        Layout(as_table(random_problem(np.random.default_rng(1))))
