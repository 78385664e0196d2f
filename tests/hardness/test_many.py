"""Thousands of drawn instances of up to a dozen rows: the answer from the source problem is the one from the definitions."""

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness import instance
from incrowd.hardness.one_in_three import forward, gadgets
from incrowd.hardness.sources.one_in_three import Formula
from oracles.hard import by_definition, one_in_three

# per construction its sizes, all of at most about a dozen rows and columns
SIZES = {
    "set-cover": [{"size": 3}, {"size": 4, "sets": 2}],
    "triangles-and-stars": [{"size": 2}, {"size": 3}],
    "triangles-2-diversity": [{"size": 2}, {"size": 3}],
    "triangles-3-diversity": [{"size": 2}, {"size": 3}],
    "closeness-from-anonymity": [{"size": 7}, {"size": 9, "k": 4, "columns": 5}],
    "bisection": [{"size": 4}, {"size": 6}, {"size": 8, "edges": 8}],
    "bisection-padded": [{"size": 4, "edges": 3}],
    "half-clique": [{"size": 4}, {"size": 6, "rows": 2}, {"size": 8, "edges": 9}],
    "matching-closeness": [{"size": 2}, {"size": 3, "t": "3/10"}],
}


def answers_agree(name, seeds):
    """Check that yes and optimum are what trying every partition gives; return how many were checked."""
    checked = 0
    for settings in SIZES[name]:
        for seed in seeds:
            for no in (False, True):
                try:
                    made = instance(name, seed=seed, no=no, **settings)
                except PolicyError:  # no such instance at this size, or with this seed
                    continue
                if len(made.table.rows) > 12 or len(made.table.quasi_identifiers) > 12:
                    continue
                stars, blocks = by_definition(made)
                assert made.yes == (stars <= made.threshold), (settings, seed, no)
                assert made.optimum in (None, stars), (settings, seed, no)
                if made.yes:
                    made.backward(made.table.released(blocks))
                checked += 1
    return checked


@pytest.mark.few(5)
@pytest.mark.parametrize("name", SIZES)
def test_a_few_drawn_instances_answer_as_the_definitions_do(name):
    assert answers_agree(name, [7]) >= 1


@pytest.mark.proofs
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("name", SIZES)
def test_many_drawn_instances_answer_as_the_definitions_do(name, part):
    assert answers_agree(name, range(100 + 50 * part, 150 + 50 * part)) >= 50


@pytest.mark.proofs
def test_many_formulas_answer_as_their_truth_tables_do():
    rng = np.random.default_rng(17)
    answers = []
    for _ in range(1500):
        variables = int(rng.integers(3, 8))
        clauses = tuple(
            tuple(int(v + 1) * int(rng.choice([-1, 1])) for v in rng.choice(variables, 3, replace=False))
            for _ in range(int(rng.integers(1, 8)))
        )
        formula = Formula(variables, clauses)
        made = forward(formula)
        answers.append(made.yes)
        assert made.yes == bool(one_in_three(variables, clauses))
        assert gadgets(formula).graph.triangles() == []
        if made.yes:
            assert formula.holds(made.backward(made.table.released(made.witness)))
    assert 150 < sum(answers) < 1350
