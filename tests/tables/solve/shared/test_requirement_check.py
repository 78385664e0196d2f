"""Which groups meet the requirements: many at once as each by itself, and every multiset of values as a group of it."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from incrowd.errors import Infeasible
from incrowd.tables.solve.shared import requirement_check
from incrowd.tables.solve.shared.requirement_check import (
    broken,
    closed_under_union,
    count_rules_of,
    judge,
    meets,
    refuse_hopeless,
    requirements_in_words,
)
from incrowd.tables.values import Plan
from oracles.required import FAMILIES, random_required


def met(problem, types, rows):
    """Whether some rows meet every requirement as one group."""
    one = np.zeros(len(types), np.int64)
    kinds, rows = problem.types.kinds[types], np.asarray(rows)
    return all(bool(requirement.meets(one, kinds, rows, 1)[0]) for requirement in problem.requirements)


@pytest.mark.parametrize("family", FAMILIES)
def test_many_groups_are_judged_as_each_by_itself_and_a_plan_by_its_first_failing_rule(family):
    for seed in range(6):
        rng = np.random.default_rng([151, FAMILIES.index(family), seed])
        problem = random_required(rng, family, rows=9)
        t, counts = problem.types.t, problem.types.counts
        _, group = np.unique(rng.integers(0, 3, t), return_inverse=True)
        groups = int(group.max()) + 1
        every = np.arange(t, dtype=np.int32)
        each = [met(problem, every[group == g], problem.types.counts[group == g]) for g in range(groups)]
        assert meets(problem, group, every, problem.types.counts, groups).tolist() == each
        plan = Plan(np.zeros((groups, problem.types.m), np.int8), every, group.astype(np.int32), problem.types.counts)
        rules = [requirement.rule for requirement in problem.requirements]
        failing = [
            requirement.rule
            for requirement in problem.requirements
            if not meets(dataclasses.replace(problem, requirements=(requirement,)), group, every, counts, groups).all()
        ]
        assert broken(problem, plan) == (failing[0] if failing else None)
        assert requirements_in_words(problem) == ", ".join([f"k={problem.k}", *rules])


@pytest.mark.parametrize("batch", [requirement_check.BATCH, 3])
def test_the_verdict_on_every_multiset_is_that_of_a_group_that_holds_it(batch, monkeypatch):
    monkeypatch.setattr(requirement_check, "BATCH", batch)
    verdicts = []
    for seed in range(24):
        problem = random_required(np.random.default_rng([152, seed]), FAMILIES[seed % len(FAMILIES)], rows=5)
        judged = judge(problem)
        held = itertools.product(*(range(int(n) + 1) for n in problem.types.counts))
        for rows in itertools.islice(held, 1, None):
            types = np.flatnonzero(rows)
            verdict = met(problem, types, np.array(rows)[types])
            assert judged.fit[judged.radix @ np.array(rows)] == verdict
            verdicts.append(verdict)
    assert any(verdicts) and not all(verdicts)


def test_a_table_that_fails_as_a_whole_is_refused_by_name_unless_unions_may_fail():
    refused = 0
    for seed in range(48):
        problem = random_required(np.random.default_rng([153, seed]), FAMILIES[seed % len(FAMILIES)])
        assert closed_under_union(problem) is None
        if met(problem, np.arange(problem.types.t), problem.types.counts):
            refuse_hopeless(problem)
            continue
        with pytest.raises(Infeasible, match="the whole table as one group does not") as caught:
            refuse_hopeless(problem)
        assert caught.value.proven and caught.value.requirement in requirements_in_words(problem)
        refused += 1
    assert refused > 5


def test_without_requirements_every_group_is_good():
    problem = random_required(np.random.default_rng(1), "distinct")
    plain = dataclasses.replace(problem, requirements=())
    every = np.arange(plain.types.t)
    assert meets(plain, every, every, plain.types.counts, every.size).all()
    assert judge(plain).fit.size == 0 and not judge(plain).radix.any()
    assert requirements_in_words(plain) == f"k={plain.k}"


def test_rules_on_counts_are_those_of_all_requirements_in_their_order():
    for family in FAMILIES:
        problem = random_required(np.random.default_rng(7), family)
        plain = []
        for requirement in problem.requirements:
            plain += requirement.count_rules()
        assert len(count_rules_of(problem)) == len(plain)
        assert [rule.family for rule in count_rules_of(problem)] == [rule.family for rule in plain]
