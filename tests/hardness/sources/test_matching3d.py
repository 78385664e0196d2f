"""Three-dimensional matching, 1-in-3-SAT and k-anonymity as source problems, against trying everything."""

import numpy as np
import pytest

from incrowd.errors import PolicyError
from incrowd.hardness.sources.anonymity import Rows
from incrowd.hardness.sources.anonymity import drawn as rows_drawn
from incrowd.hardness.sources.matching3d import NAMED, Matching3D, drawn
from incrowd.hardness.sources.one_in_three import NAMED as FORMULAS
from incrowd.hardness.sources.one_in_three import Formula
from incrowd.hardness.sources.one_in_three import drawn as formula_drawn
from incrowd.hardness.sources.program import choose, minimise
from oracles.hard import largest_matching, one_in_three, partition, stars


@pytest.mark.parametrize("perfect", [True, False])
def test_a_largest_matching_is_what_trying_all_finds(perfect):
    rng = np.random.default_rng(4)
    for _ in range(40):
        side = int(rng.integers(1, 5))
        source = drawn(rng, side, int(rng.integers(side, min(side**3, 3 * side) + 1)), most=3, perfect=perfect)
        found = source.largest()
        assert source.disjoint(found)
        assert len(found) == largest_matching(source.members())
        assert max(source.occurrences().values()) <= 3
        assert not perfect or len(found) == side


def test_the_named_matchings_are_as_large_as_known():
    sizes = {name: largest_matching(source.members()) for name, source in NAMED.items()}
    assert sizes == {"cube": 2, "pencil": 1, "three": 3}
    assert {name: len(source.largest()) for name, source in NAMED.items()} == sizes


def test_impossible_triples_say_why():
    with pytest.raises(PolicyError, match="hold no perfect matching of 3"):
        drawn(np.random.default_rng(0), 3, 2, perfect=True)
    with pytest.raises(PolicyError, match="at most 9 triples"):
        drawn(np.random.default_rng(0), 3, 10, most=3, perfect=False)
    with pytest.raises(PolicyError, match="from 0 to 1"):
        Matching3D(2, ((0, 0, 2),))
    with pytest.raises(PolicyError, match="given once"):
        Matching3D(2, ((0, 0, 0), (0, 0, 0)))


def test_a_formulas_solution_is_in_its_truth_table():
    rng = np.random.default_rng(5)
    without = 0
    for _ in range(150):
        variables = int(rng.integers(3, 7))
        if rng.integers(2):
            formula = formula_drawn(rng, int(rng.integers(1, 6)), variables)
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
    assert one_in_three(3, FORMULAS["example-1"].clauses) == [(False, False, False), (True, True, False)]
    assert one_in_three(3, FORMULAS["example-2"].clauses) == []


def test_a_clause_of_fewer_than_three_variables_is_refused():
    for clause in [(1, 1, 2), (1, -1, 2), (1, 2, 4), (0, 1, 2)]:
        with pytest.raises(PolicyError, match="three different variables of 1 to 3"):
            Formula(3, (clause,))


def test_the_cheapest_groups_are_what_trying_every_partition_finds():
    rng = np.random.default_rng(6)
    for _ in range(25):
        k, n = int(rng.integers(1, 5)), int(rng.integers(4, 9))
        source = rows_drawn(rng, n, 3, int(rng.integers(2, 5)), k)
        least, _ = partition(source.rows, lambda block, k=k: len(block) >= k)
        groups = source.cheapest()
        assert sorted(i for g in groups for i in g) == list(range(n))
        assert all(len(g) >= k for g in groups)
        assert sum(len(g) * stars([source.rows[i] for i in g]) for g in groups) == least


def test_too_many_groups_are_refused_with_their_number():
    with pytest.raises(PolicyError, match="53130 groups of 5 to 9|groups of 5 to 9"):
        rows_drawn(np.random.default_rng(0), 25, 3, 3, 5)
    with pytest.raises(PolicyError, match="k must be from 1 to the 2 rows"):
        Rows((("a",), ("b",)), 3)


def test_programs_that_have_no_solution_say_none():
    assert choose([[0], [0]], 2, least=1) is None
    assert choose([], 1, least=1) is None
    assert choose([], 0) == ()
    assert minimise([-1, -1, 2], [({0: 1, 1: 1}, None, 1), ({2: 1, 0: -1}, 0, None)]) == (1,)
