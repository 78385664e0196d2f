"""A release of each component, so that the hub fits: the cheapest choice, against all of them."""

import itertools

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.count_rules import Family
from incrowd.tables.solve.exact.under_requirements.hub_choice import with_hub_fitting
from incrowd.tables.solve.exact.under_requirements.release_pool import ReleasePool
from incrowd.tables.solve.shared.components import labels, split
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.requirement_check import kinds_of
from incrowd.tables.solve.shared.row_assignment import cost_of
from oracles.required import random_required
from seeds import seeds


@seeds(300, 20)
def test_it_is_the_cheapest_of_all_choices_whose_hub_meets_the_shares(seed):
    random = np.random.default_rng([225, seed])
    problem = random_required(random, ("frequency", "alpha-k", "two columns")[seed % 3], rows=7)
    instances, kinds = list_instances(problem).free_hub(), kinds_of(problem)
    rules = [rule for requirement in problem.requirements for rule in requirement.count_rules()]
    shares = [rule for rule in rules if rule.family == Family.SHARES]
    if instances.hub < 0 or not shares:
        return
    parts = []
    for part in split(instances, labels(instances)):
        pool, own = ReleasePool(part.instances, kinds[part.types]), part.instances
        for _ in range(4):  # every type as a whole into one of its instances
            rows = np.zeros(own.pairs, np.int64)
            for i in range(own.t):
                rows[random.choice(np.flatnonzero(own.members == i))] = own.counts[i]
            pool.take(rows)
        parts.append((part, pool))
    mine = instances.owners == instances.hub

    def fits(rows):
        for rule in shares:
            here = rule.code[kinds[instances.members[mine]]]
            counts = np.bincount(here, weights=rows[mine], minlength=rule.values)
            if (counts > rule.share * counts.sum() + 1e-9).any():
                return False
        return True

    costs = []
    for chosen in itertools.product(*(pool.releases() for _, pool in parts)):
        rows = np.zeros(instances.pairs, np.int64)
        for (part, _), (_, own) in zip(parts, chosen, strict=True):
            rows[part.places] = own
        if fits(rows):
            costs.append(cost_of(instances, rows))
    found = with_hub_fitting(instances, parts, kinds, rules, 10**9, Watch())
    if found is None:
        assert not costs or all(len(pool.releases()) == 1 for _, pool in parts)
        return
    assert fits(found)
    assert cost_of(instances, found) == min(costs)
    assert with_hub_fitting(instances, parts, kinds, rules, cost_of(instances, found), Watch()) is None


def test_a_component_without_a_release_leaves_no_choice():
    problem = random_required(np.random.default_rng([226, 1]), "frequency")
    instances, kinds = list_instances(problem), kinds_of(problem)
    rules = [rule for requirement in problem.requirements for rule in requirement.count_rules()]
    parts = [(part, ReleasePool(part.instances, kinds[part.types])) for part in split(instances, labels(instances))]
    assert with_hub_fitting(instances, parts, kinds, rules, 10**9, Watch()) is None
