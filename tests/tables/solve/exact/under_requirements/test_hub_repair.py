"""The hub filled: what comes back is a release of the whole, and dearer only by what was moved."""

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.exact.under_requirements.hub_repair import with_hub_filled
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.requirement_check import kinds_meet, kinds_of
from incrowd.tables.solve.shared.row_assignment import holds
from oracles.required import random_required
from seeds import seeds


def judged(problem, instances, rows):
    """Which instances hold a class that fails."""
    used = rows > 0
    groups, number = np.unique(instances.owners[used], return_inverse=True)
    kinds = kinds_of(problem)[instances.members[used]]
    return set(groups[~kinds_meet(problem, number.reshape(-1), kinds, rows[used], groups.size)].tolist())


@seeds(400, 80)
def test_what_comes_back_meets_the_requirements_in_every_class(seed):
    random = np.random.default_rng([205, seed])
    problem = random_required(random, ("frequency", "distinct", "two columns")[seed % 3])
    instances = list_instances(problem).free_hub()
    rules = [rule for requirement in problem.requirements for rule in requirement.count_rules()]
    if instances.hub < 0 or not all(rule.exact for rule in rules):
        return
    rows = np.zeros(instances.pairs, np.int64)
    for i in range(instances.t):  # every type as a whole into one of its instances
        mine = np.flatnonzero(instances.members == i)
        rows[random.choice(mine)] = instances.counts[i]
    failing = judged(problem, instances, rows)
    if not holds(instances, rows) or failing - {instances.hub}:
        return
    found = with_hub_filled(instances, rows, kinds_of(problem), rules, 1, Watch())
    if found is None:
        return
    assert holds(instances, found)
    assert not judged(problem, instances, found)
    outside = instances.owners != instances.hub
    assert (found[outside] <= rows[outside]).all()
    if not failing:
        assert np.array_equal(found, rows)


def test_other_rules_are_left_alone():
    problem = random_required(np.random.default_rng([206, 1]), "equal")
    instances = list_instances(problem)
    rules = [rule for requirement in problem.requirements for rule in requirement.count_rules()]
    rows = np.zeros(instances.pairs, np.int64)
    assert with_hub_filled(instances, rows, kinds_of(problem), rules, 1, Watch()) is None
