"""The refinement program against every original: never wrong, and all that follows from the bound where it ends."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.attack.answer import RULES, attacked
from incrowd.tables.attack.premises import Premises
from incrowd.tables.attack.refinement import part as parts
from incrowd.tables.attack.rules.refinement import Refinement
from oracles.attacked import hidden_values, random_question, released_of, worlds_by_release
from oracles.attacked_required import MODELS, bound_to
from oracles.refined import boxes_of, cheapest_costs, cost_of, excludable_by_bound
from oracles.small_attacks import held, triples
from seeds import how_many

PROVEN = Premises("proven", "proven", "proven", "proven", 0)


def releases(seeds, solver="exact", most=240):
    """Releases of small tables with their question and, by table, what its cheapest release costs."""
    for seed in seeds:
        question = random_question(np.random.default_rng(seed), most=most)
        if question[3] < 2:
            continue
        cheapest = cheapest_costs(worlds_by_release(question, load("solvers", "exact")(), Watch))
        for shown in worlds_by_release(question, load("solvers", solver)(), Watch):
            yield question, cheapest, shown


@pytest.mark.seeds
def test_all_that_follows_from_the_least_cost_is_found_and_no_more():
    told = Counter()
    for question, cheapest, shown in releases(range(9, 9 + how_many(40, 1)), most=how_many(300, 40)):
        excludable = excludable_by_bound(shown, question, cheapest, cost_of(shown, question))
        if excludable is None:
            continue
        released = released_of(shown, question)
        found = Refinement().find(released, 0, Watch())
        assert triples(found) <= excludable, (question[0], shown)
        told["releases"] += 1
        told["excludable"] += len(excludable)
        told["found"] += len(triples(found))
        told["ended"] += found.complete
        quick = {one for rule in attacked(released, PROVEN, Watch(), RULES).found for one in triples(rule.exclusions)}
        assert quick <= excludable
        told["quick"] += len(quick)
        if found.complete:
            assert triples(found) == excludable, (question[0], shown)
    assert told["excludable"] >= told["found"] > told["quick"] > 0
    assert told["ended"] > 0.9 * told["releases"]


@pytest.mark.seeds
def test_with_a_gap_only_what_saves_more_is_excluded():
    told = Counter()
    for question, cheapest, shown in releases(range(9, 9 + how_many(24, 1)), "greedy", how_many(120, 40)):
        cost, released = cost_of(shown, question), released_of(shown, question)
        for slack in (0, 1, 3):
            excludable = excludable_by_bound(shown, question, cheapest, cost - slack)
            if excludable is None:
                continue
            found = Refinement().find(released, slack, Watch())
            told["found", slack] += len(triples(found))
            assert found.contradictions or triples(found) <= excludable, (slack, shown)
    assert told["found", 0] > told["found", 1] > 0


@pytest.mark.proofs
@pytest.mark.seeds
def test_unknown_values_and_parts_of_a_release_exclude_no_more_than_all_of_it(monkeypatch):
    for name, number in (("SMALL", 0), ("MOST_CLASSES", 2), ("MOST_BESIDE", 2)):
        monkeypatch.setattr(parts, name, number)
    told = Counter()
    for question, cheapest, shown in releases(range(9, 9 + how_many(24, 1)), most=how_many(120, 40)):
        excludable = excludable_by_bound(shown, question, cheapest, cost_of(shown, question))
        if excludable is None:
            continue
        for closed in (True, False):
            found = triples(Refinement().find(released_of(shown, question, closed), 0, Watch()))
            told["excludable"] += len(excludable)
            told["found", closed] += len(found)
            assert found <= excludable, (closed, shown)
    assert 0 < told["found", False] <= told["found", True] <= told["excludable"]


@pytest.mark.seeds
def test_trying_every_original_with_the_real_solver_tells_little_more_than_the_bound():
    solver, told = load("solvers", "exact")(), Counter()
    for seed in range(9, 9 + how_many(16, 2)):
        question = random_question(np.random.default_rng(seed), most=how_many(240, 60))
        if question[3] < 2:
            continue
        made = worlds_by_release(question, solver, Watch)
        cheapest = cheapest_costs(made)
        for shown, originals in made.items():
            excludable = excludable_by_bound(shown, question, cheapest, cost_of(shown, question))
            if excludable is None:
                continue
            left = {
                (c, j, v) for c, box in enumerate(boxes_of(shown, question)) for j, vs in enumerate(box) for v in vs
            }
            for _, problem, found in originals:
                values = hidden_values(problem, found.plan, shown)
                left -= {(c, j, v) for c, columns in enumerate(values) for j, held in enumerate(columns) for v in held}
            assert excludable <= left, (seed, shown)
            told["by the program"] += len(left)
            told["by the bound"] += len(excludable)
    assert told["by the program"] <= 1.5 * told["by the bound"] + 10


def test_two_classes_that_could_have_formed_a_third():
    # a pair (*, 0) and a pair (*, 1): were the first column of a pair alike it would have been shown, so both values are
    # there; nothing more follows, and the program ends without an exclusion
    released = held([(None, 0), (None, 0), (None, 1), (None, 1)], (2, 2))
    found = Refinement().find(released, 0, Watch())
    assert (triples(found), found.complete, found.contradictions) == (set(), True, 0)


def test_a_release_of_which_a_cheaper_one_exists_is_no_cheapest_one():
    # the three rows of (0, *) fit (0, 0) for certain: its only value in the second column is 0
    released = held([(0, 0), (0, 0), (0, None), (0, None), (0, None)], (1, 1))
    assert Refinement().find(released, 0, Watch()).contradictions
    assumed = attacked(released, Premises("proven", "assumed", "no", "no", 0), Watch(), (Refinement(),))
    assert (assumed.premises.bound, assumed.bound_contradicted, assumed.contradicted) == ("no", True, False)
    assert not assumed.union("assumed").unit.size


def test_without_time_it_finds_nothing_and_says_so():
    released = held([(0, 0), (0, 0), (0, None), (0, None), (0, None)], (1, 3))
    watch = Watch()
    watch.limit(0)
    found = Refinement().find(released, 0, watch)
    assert (found.complete, found.unit.size) == (False, 0)
    assert triples(Refinement().find(released, 0, Watch())) == {(1, 1, 0)}


def test_under_requirements_nothing_is_claimed():
    released = held([(0, 0), (0, 0), (0, None), (0, None), (0, None)], (1, 2))
    released = dataclasses.replace(released, requirements=(bound_to(MODELS[0], [(0, 0), (0, 1)]),))
    assert not Refinement().find(released, 0, Watch()).unit.size
