"""The pool of a component's releases: the cheapest for each content of the hub, and not too many."""

import numpy as np

from incrowd.tables.solve.exact.under_requirements import release_pool
from incrowd.tables.solve.exact.under_requirements.release_pool import ReleasePool
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.requirement_check import kinds_of
from incrowd.tables.solve.shared.row_assignment import cost_of
from oracles.required import random_required
from seeds import seeds


@seeds(100, 30)
def test_the_cheapest_for_each_content_of_the_hub_is_kept(seed):
    random = np.random.default_rng([221, seed])
    problem = random_required(random, "frequency")
    instances, kinds = list_instances(problem).free_hub(), kinds_of(problem)
    mine = instances.owners == instances.hub
    pool, best = ReleasePool(instances, kinds), {}
    for _ in range(30):
        rows = random.integers(0, 3, instances.pairs)
        pool.take(rows)
        key = tuple(np.bincount(kinds[instances.members[mine]], weights=rows[mine], minlength=9))
        best[key] = min(best.get(key, 10**9), cost_of(instances, rows))
    found = pool.releases()
    assert [cost for cost, _ in found] == sorted(best.values())
    assert all(cost == cost_of(instances, rows) for cost, rows in found)


def test_the_dearest_go_where_there_are_too_many(monkeypatch):
    monkeypatch.setattr(release_pool, "MOST", 3)
    for seed in range(20):
        problem = random_required(np.random.default_rng([222, seed]), "frequency", rows=7)
        instances = list_instances(problem).free_hub()
        if instances.hub < 0:
            continue
        pool, costs = ReleasePool(instances, kinds_of(problem)), []
        place = int(np.flatnonzero(instances.owners == instances.hub)[0])
        for many in (5, 1, 4, 2, 3, 6):
            rows = np.zeros(instances.pairs, np.int64)
            rows[place] = many
            costs.append(cost_of(instances, rows))
            pool.take(rows)
        assert [cost for cost, _ in pool.releases()] == sorted(costs)[:3]
