"""One recoding for the whole table: what the rules exclude there is never the value of an original that gives it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.attack.answer import attacked
from incrowd.tables.attack.premises import KNOWN, premises_of
from incrowd.tables.attack.read import at_one_vector, broken_rules
from incrowd.tables.attack.values import Published
from oracles.attacked import PatternList, hidden_values, random_question, released_of, worlds_by_release
from oracles.small_attacks import held, triples
from seeds import how_many


@pytest.mark.seeds
def test_no_exclusion_hits_an_original_that_gives_the_release():
    solver, told = load("solvers", "lattice")(single=True), Counter()
    for seed in range(9, 9 + how_many(30, 6)):
        question = random_question(np.random.default_rng(seed), most=how_many(240, 60))
        if question[3] < 2:
            continue
        for shown, originals in worlds_by_release(question, solver, Watch).items():
            released, broken = at_one_vector(released_of(shown, question))
            assert not broken and not broken_rules(released), (seed, shown)
            _, problem, found = originals[0]
            assert released.cost == found.plan.cost(problem)
            facts = Published(Fraction(found.plan.cost(problem)), Fraction(found.bound.value), True, False, "lattice")
            inferences = attacked(released, premises_of(released, facts, KNOWN, valid=True), Watch())
            excluded = triples(inferences.union("proven"))
            told["releases"] += 1
            told["excluded"] += len(excluded)
            for table, one, solution in originals:
                values = hidden_values(one, solution.plan, shown)
                assert not any(v in values[c][j] for c, j, v in excluded), (seed, table)
    assert told["releases"] > 30 and told["excluded"] > 3


def test_classes_at_other_levels_break_the_recoding():
    released = held([(0, 0), (0, 0), (0, None), (0, None), (None, None), (None, None)], (2, 2))
    assert at_one_vector(released)[1] == [{"rule": "recoding", "classes": 1}]
    fine = held([(0, None), (0, None), (1, None), (1, None), (None, None), (None, None)], (2, 2))
    one, broken = at_one_vector(fine)
    assert not broken
    assert [one.patterns.allows(v) for v in ((0, 1), (1, 1), (0, 0), (1, 0))] == [True, True, False, False]
    nothing, broken = at_one_vector(held([(None, None)] * 3, (2, 2)))
    assert not broken and not nothing.patterns.allows((0, 0))


def test_a_mask_that_allows_no_vector_of_the_labels_is_told():
    released = held([(0, None), (0, None), (1, None), (1, None)], (2, 2))
    only = dataclasses.replace(released, patterns=PatternList([1, 1], {(1, 0), (1, 1)}))
    assert at_one_vector(only)[1] == [{"rule": "mask", "classes": 2}]
