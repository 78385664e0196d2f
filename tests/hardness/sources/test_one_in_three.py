"""1-in-3-SAT as a source problem, against truth tables."""

import itertools

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.sources.one_in_three import NAMED, Formula, drawn, planted
from oracles.hard import one_in_three
from seeds import seeds


def test_a_formulas_solution_is_in_its_truth_table():
    rng = np.random.default_rng(5)
    without = 0
    for _ in range(150):
        variables = int(rng.integers(3, 7))
        if rng.integers(2):
            formula = drawn(rng, int(rng.integers(1, 6)), variables)
        else:
            three = [
                tuple(int(v + 1) * int(rng.choice([-1, 1])) for v in rng.choice(variables, 3, replace=False))
                for _ in range(int(rng.integers(1, 6)))
            ]
            formula = Formula(variables, tuple(three))
        every = one_in_three(variables, formula.clauses)
        found = formula.solution()
        without += not every
        assert found in every if every else found is None
        assert found is None or formula.holds(found)
    assert 10 < without < 140


def test_the_papers_formulas_have_the_solutions_it_says():
    assert one_in_three(3, NAMED["example-1"].clauses) == [(False, False, False), (True, True, False)]
    assert one_in_three(3, NAMED["example-2"].clauses) == []


def test_a_clause_of_fewer_than_three_variables_is_refused():
    for clause in [(1, 1, 2), (1, -1, 2), (1, 2, 4), (0, 1, 2)]:
        with pytest.raises(PolicyError, match="three different variables of 1 to 3"):
            Formula(3, (clause,))


@seeds(200)
def test_a_planted_formula_has_a_solution_in_its_truth_table(seed):
    rng = np.random.default_rng(seed)
    variables, clauses = int(rng.integers(3, 7)), int(rng.integers(1, 9))
    formula = planted(rng, clauses, variables)
    assert len(formula.clauses) == clauses
    assert one_in_three(variables, formula.clauses)


@seeds(200)
def test_the_signs_of_a_variable_alternate_in_a_drawn_formula(seed):
    rng = np.random.default_rng(seed)
    formula = drawn(rng, int(rng.integers(1, 20)), int(rng.integers(3, 8)))
    for variable in range(1, formula.variables + 1):
        signs = [v > 0 for clause in formula.clauses for v in clause if abs(v) == variable]
        assert all(one != other for one, other in itertools.pairwise(signs))
