"""One component under requirements: its bound, its release, and how they meet."""

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.exact.under_requirements.component import RequiredComponent
from incrowd.tables.solve.shared.components import labels, split
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.requirement_check import kinds_of
from incrowd.tables.solve.shared.time_limit import now
from oracles.required import random_required
from seeds import seeds


def components(problem, met):
    rules = tuple(rule for requirement in problem.requirements for rule in requirement.count_rules())
    instances = list_instances(problem)
    kinds = kinds_of(problem)
    return [
        RequiredComponent(part, kinds[part.types], rules, met, 1, problem.k, None)
        for part in split(instances, labels(instances))
    ]


@seeds(200)
def test_the_bound_rises_from_counting_to_programs_and_ends_at_the_release(seed):
    problem = random_required(np.random.default_rng([181, seed]), "frequency")
    for component in components(problem, lambda part, rows: True):
        counted = component.value
        component.relax(Watch())
        relaxed = component.value
        component.close(Watch())
        assert counted <= relaxed <= component.value
        assert component.infeasible or component.closed or component.rows is None
        if component.closed:
            assert component.value == component.cost or component.value >= component.cost


def test_what_breaks_a_requirement_is_never_taken():
    problem = random_required(np.random.default_rng([182, 3]), "distinct")
    for component in components(problem, lambda part, rows: False):
        component.offer(np.ones(component.instances.pairs, np.int64))
        component.relax(Watch())
        assert component.rows is None


def test_a_passed_limit_ends_it_with_the_bound_it_has():
    problem = random_required(np.random.default_rng([183, 1]), "frequency")
    watch = now(Watch())
    for component in components(problem, lambda part, rows: True):
        before = component.value
        component.relax(watch)
        component.close(watch)
        assert component.value == before


@seeds(200, 24)
def test_a_search_up_to_a_limit_finds_the_least_release_or_raises_the_bound_above_it(seed):
    random = np.random.default_rng([184, seed])
    problem = random_required(random, "frequency" if seed % 2 else "distinct")
    for closed, fresh in zip(*(components(problem, lambda part, rows: True) for _ in range(2)), strict=True):
        for component in (closed, fresh):
            component.relax(Watch())
        closed.close(Watch())
        if not closed.closed or fresh.answer is None:
            continue
        limit = fresh.value + int(random.integers(0, 3))
        fresh.search(limit, Watch())
        assert fresh.value <= closed.cost
        if limit < closed.cost:
            assert fresh.value <= limit + 1
        elif fresh.value >= fresh.cost:
            assert fresh.cost == closed.cost
        assert fresh.rows is None or fresh.cost >= closed.cost


def test_what_is_forced_open_stays_open_and_what_is_not_below_is_of_no_use():
    problem = random_required(np.random.default_rng([185, 7]), "frequency")
    for component in components(problem, lambda part, rows: True):
        component.open(np.ones(component.instances.size, np.bool_))
        crowd = component.model.column[component.model.column >= 0]
        assert (component.model.program.lower[crowd] == 1).all()
        component.below = component.value
        assert component.closed
        assert component.upper == component.value
