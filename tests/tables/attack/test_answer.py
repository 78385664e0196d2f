"""Every exclusion is held against every original that the policy allows, released by the real solver."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.progress import Watch
from incrowd.registry import load
from incrowd.tables.attack.answer import attacked, facts_of_attack
from incrowd.tables.attack.premises import KNOWN, Premises, premises_of
from incrowd.tables.attack.values import Published
from incrowd.tables.solve.last_pass import settled
from oracles.attacked import hidden_values, possible_values, random_question, released_of, worlds_by_release
from oracles.attacked_required import question_with_model, released_with_kinds, required_worlds, values_held
from oracles.small_attacks import held, triples
from seeds import how_many

PROVEN = Premises("proven", "proven", "proven", "proven", 0)


def attack_on(shown, worlds, question):
    released = released_of(shown, question)
    _, problem, found = worlds[0]
    published = Published(Fraction(found.plan.cost(problem)), Fraction(found.bound.value), True, True, "exact")
    return attacked(released, premises_of(released, published, KNOWN, valid=True), Watch())


@pytest.mark.seeds
def test_no_exclusion_hits_an_original_that_gives_the_release_and_most_of_what_can_be_excluded_is():
    solver = load("solvers", "exact")()
    told = Counter()
    for seed in range(9, 9 + how_many(60, 3)):
        question = random_question(np.random.default_rng(seed), most=how_many(500, 180))
        for shown, worlds in worlds_by_release(question, solver, Watch).items():
            told["tables"] += 1
            by_rule = {one.rule: triples(one.exclusions) for one in attack_on(shown, worlds, question).found}
            for table, problem, found in worlds:
                assert settled(problem, found.plan, Watch()), (seed, table)
                values = hidden_values(problem, found.plan, shown)
                for rule, excluded in by_rule.items():
                    assert not any(v in values[c][j] for c, j, v in excluded), (seed, rule, table)
            single = by_rule["single_rows"] | by_rule["combinations"]
            for c, columns in enumerate(possible_values(shown, question)):
                for j, (box, possible) in enumerate(columns):
                    ours = {v for i, column, v in single if (i, column) == (c, j)}
                    assert not ours & possible, (seed, c, j)
                    told["excludable"] += len(box - possible)
                    told["excluded"] += len(ours)
            told["by the bound"] += len(by_rule["replaced_rows"] - single)
    assert told["tables"] >= how_many(5000, 30)
    assert told["excludable"] > 20
    assert told["excluded"] >= 0.6 * told["excludable"]


def test_a_release_that_contradicts_that_it_is_settled_gives_nothing_away():
    # the second class could show all its rows in the first: the row's value 0 in the second column is certain
    released = held([(0, 0), (0, 0), (0, None), (0, None), (0, None)], (2, 1))
    assumed = Premises("proven", "assumed", "assumed", "assumed", 0)
    found = attacked(released, assumed, Watch())
    assert found.contradicted
    assert (found.premises.settled, found.premises.bound) == ("no", "no")
    assert not any(one.exclusions.unit.size for one in found.found)
    facts = facts_of_attack(found, Watch())
    assert (facts["claimed_cells"], facts["excluded_cells"], facts["insiders"]["cells"]) == (0, 0, 0)
    with pytest.raises(InputError, match="facts are of another release"):
        attacked(released, PROVEN, Watch())


def test_a_release_of_which_a_cheaper_one_exists_is_no_cheapest_one():
    # the second column has one value: one of the pair of (0, *) fits (0, 0) for certain, the other (*, *)
    released = held([(0, 0), (0, 0), (0, None), (0, None), (None, None), (None, None)], (2, 1), weights=[1, 5])
    found = attacked(released, Premises("proven", "assumed", "assumed", "no", 0), Watch())
    assert (found.premises.settled, found.premises.bound) == ("assumed", "no")
    assert (found.contradicted, found.bound_contradicted) == (False, True)
    assert not any(one.exclusions.unit.size for one in found.found if one.premise == "bound")


def test_the_answer_counts_cells_by_premise_and_by_column():
    # three rows with a starred second column; the class that shows 0 there exists, so the value is another
    released = held([(0, 0), (0, 0), (0, None), (0, None), (0, None), (1, 1), (1, 1)], (2, 2))
    facts = facts_of_attack(attacked(released, PROVEN, Watch()), Watch())
    assert (facts["rows"], facts["classes"], facts["hidden_cells"]) == (7, 3, 3)
    assert (facts["excluded_cells"], facts["determined_cells"], facts["known_rows"]) == (3, 3, 3)
    assert facts["excluded_mass"] == 0.5
    assert (facts["claimed_cells"], facts["wrong"]) == (0, None)
    assert [(c["name"], c["hidden"], c["excluded"], c["determined"]) for c in facts["by_column"]] == [
        ("c0", 0, 0, 0), ("c1", 3, 3, 3),
    ]  # fmt: skip
    assumed = Premises("proven", "assumed", "assumed", "no", 0)
    facts = facts_of_attack(attacked(released, assumed, Watch()), Watch())
    assert (facts["excluded_cells"], facts["claimed_cells"], facts["claimed_determined"]) == (0, 3, 3)
    nothing = Premises("proven", "no", "no", "no", 0)
    facts = facts_of_attack(attacked(released, nothing, Watch()), Watch())
    assert (facts["excluded_cells"], facts["claimed_cells"]) == (0, 0)


def test_what_does_not_pay_more_than_the_gap_is_not_excluded_by_the_bound():
    released = held([(0, 0), (0, 0), (0, None), (0, None), (0, None)], (1, 2), weights=[1, 3])
    for slack, cells in ((2, 3), (3, 0)):
        by_bound = Premises("proven", "proven", "no", "no", slack)
        facts = facts_of_attack(attacked(released, by_bound, Watch()), Watch())
        assert facts["excluded_cells"] == cells


@pytest.mark.seeds
def test_no_exclusion_hits_an_original_where_the_release_is_not_the_cheapest():
    solver, told = load("solvers", "greedy")(), Counter()
    for seed in range(9, 9 + how_many(60, 4)):
        question = random_question(np.random.default_rng(seed), most=240)
        for shown, worlds in worlds_by_release(question, solver, Watch).items():
            published = {}
            for world in worlds:
                _, problem, found = world
                facts = found.plan.cost(problem), found.bound.value, settled(problem, found.plan, Watch())
                published.setdefault(facts, []).append(world)
            released = released_of(shown, question)
            for (cost, bound, fine), same in published.items():
                facts = Published(Fraction(cost), Fraction(bound), cost == bound, fine, "greedy")
                inferences = attacked(released, premises_of(released, facts, KNOWN, valid=True), Watch())
                excluded = triples(inferences.union("proven"))
                told["excluded"] += len(excluded)
                told["with a gap"] += cost > bound
                told["with a gap, excluded"] += bool(excluded) and cost > bound
                for table, problem, found in same:
                    values = hidden_values(problem, found.plan, shown)
                    assert not any(v in values[c][j] for c, j, v in excluded), (seed, table)
    assert told["excluded"] > 20 and told["with a gap"] > 20 and told["with a gap, excluded"]


@pytest.mark.seeds
def test_no_exclusion_hits_an_original_under_requirements():
    solver, told = load("solvers", "subset_dp")(), Counter()
    for seed in range(how_many(20, 2)):
        question, model = question_with_model(np.random.default_rng(seed))
        for shown, originals in required_worlds(question, model, solver, Watch).items():
            released, place = released_with_kinds(shown, question, model)
            found = originals[0][2].plan.cost(originals[0][1])
            facts = Published(Fraction(found), Fraction(found), True, True, "subset_dp")
            inferences = attacked(released, premises_of(released, facts, KNOWN, valid=True), Watch())
            excluded = triples(inferences.union("proven"))
            told["tables"] += 1
            told["excluded"] += len(excluded)
            for table, problem, solution in originals:
                assert solution.plan.cost(problem) == solution.bound.value
                values = values_held(problem, solution.plan, released, place)
                assert not any(v in values[u][j] for u, j, v in excluded), (seed, table)
    assert told["tables"] > 50 and told["excluded"] > 5
