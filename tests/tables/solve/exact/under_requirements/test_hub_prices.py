"""Prices on the hub's rows: nothing over a hub that meets shares, and bounds by components below every release."""

import dataclasses

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.count_rules import Family
from incrowd.tables.solve.exact.under_requirements.component import RequiredComponent
from incrowd.tables.solve.exact.under_requirements.hub_prices import counted, hub_prices, priced, with_hub_priced
from incrowd.tables.solve.shared.components import Part, labels, split
from incrowd.tables.solve.shared.instances import common_step, list_instances
from incrowd.tables.solve.shared.requirement_check import kinds_meet, kinds_of
from incrowd.tables.solve.shared.row_assignment import cost_of
from incrowd.tables.solve.shared.strong_formulation import strong
from oracles.brute_force import optimum
from oracles.required import random_required
from seeds import seeds

SHARED = ("frequency", "alpha-k", "beta", "enhanced", "two columns")


def rules_of(problem):
    """The rules of a problem, and its first one of shares (None: it has none)."""
    rules = [rule for requirement in problem.requirements for rule in requirement.count_rules()]
    return rules, next((rule for rule in rules if rule.family == Family.SHARES), None)


@seeds(400, 40)
def test_rows_that_meet_the_shares_cost_nothing_more_together(seed):
    random = np.random.default_rng([211, seed])
    rule = rules_of(random_required(random, SHARED[seed % 5]))[1]
    if rule is None:
        return
    found = priced(rule, random.integers(0, 5, rule.values) * random.choice([1, 0.5, 0.37]), 1)
    if found is None:
        return
    y, parts = found
    assert 1 <= parts <= 6
    for _ in range(50):
        counts = random.integers(0, 9, rule.values)
        if (counts <= rule.share * counts.sum() + 1e-12).all():
            assert int(y @ counts) <= 0


@seeds(600, 20)
def test_no_sum_of_components_with_priced_hubs_is_above_the_optimum(seed):
    random = np.random.default_rng([212, seed])
    problem = random_required(random, SHARED[seed % 5])
    rules, rule = rules_of(problem)
    instances = list_instances(problem)
    if rule is None or instances.hub < 0:
        return
    kinds, unit = kinds_of(problem), common_step([level.cost for level in problem.levels])
    found = priced(rule, random.integers(0, 3, rule.values).astype(float), unit)
    if found is None or (instances.costs[instances.hub] * found[1] + found[0]).min() < 0:
        return
    y, parts = found
    extra = y[rule.code[kinds]]

    def met(part, rows):
        own = part.instances
        used = (rows > 0) & (own.owners != own.hub)
        groups, number = np.unique(own.owners[used], return_inverse=True)
        held = kinds[part.types[own.members[used]]]
        return bool(kinds_meet(problem, number.reshape(-1), held, rows[used], groups.size).all())

    best, bound = optimum(problem), 0
    for part in split(instances, labels(instances)):
        scaled = dataclasses.replace(part.instances, costs=part.instances.costs * parts)
        component = RequiredComponent(
            dataclasses.replace(part, instances=scaled), kinds[part.types], tuple(rules), met, unit, problem.k, None,
            prices=extra[part.types],
        )  # fmt: skip
        before = component.value
        component.relax(Watch())
        component.close(Watch())
        assert before <= component.value
        assert component.closed or component.infeasible
        bound += component.value
        if component.rows is not None:
            mine = scaled.owners == scaled.hub
            more = (component.rows * extra[part.types][scaled.members])[mine].sum()
            assert component.cost == component.value == cost_of(scaled, component.rows) + more
    assert best is None or bound <= best * parts


def test_any_duals_give_prices_that_a_hub_meeting_the_shares_has_for_nothing():
    random, some = np.random.default_rng(213), 0
    for seed in range(40):
        problem = random_required(np.random.default_rng([214, seed]), "frequency", rows=6)
        rules, rule = rules_of(problem)
        instances = list_instances(problem)
        if instances.hub < 0:
            continue
        kinds = kinds_of(problem)
        part = Part(
            np.arange(instances.t, dtype=np.int32), np.arange(instances.pairs),
            np.arange(instances.size, dtype=np.int32), instances.hub_needs(1),
        )  # fmt: skip
        whole = RequiredComponent(
            part, kinds, tuple(rules), lambda part, rows: False, 1, problem.k, None, whole=True
        )  # fmt: skip
        whole.known.state(np.arange(instances.size))
        size = len(whole.model.program.rows.lower) + sum(len(rows.lower) for rows in whole.known.rows)
        found = hub_prices(whole.model, whole.known.rows, -3 * random.random(size), rules, kinds)
        assert hub_prices(whole.model, [], -3 * random.random(size), rules, kinds) is None
        if found is None:
            continue
        some += 1
        assert (int(instances.costs[instances.hub]) * found.parts + found.extra).min() >= 0
        for _ in range(50):
            rows = random.integers(0, 4, instances.t)
            counts = np.bincount(rule.code[kinds], weights=rows, minlength=rule.values)
            if (counts <= rule.share * counts.sum() + 1e-12).all():
                assert int(found.extra @ rows) <= 0
    assert some >= 5


def test_counting_takes_every_row_where_it_is_cheapest():
    instances = list_instances(random_required(np.random.default_rng([215, 3]), "frequency", rows=6)).free_hub()
    model = strong(instances)
    extra = np.arange(instances.t)
    plain, dearer = counted(model), counted(with_hub_priced(model, extra))
    cost = instances.costs[instances.owners] + np.where(instances.owners == instances.hub, extra[instances.members], 0)
    least = [cost[instances.members == i].min() for i in range(instances.t)]
    assert dearer == int((np.array(least) * instances.counts).sum())
    assert plain <= dearer
