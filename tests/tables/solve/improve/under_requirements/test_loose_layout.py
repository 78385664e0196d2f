"""A release as the search over classes that show what their rows share reads it."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np

from incrowd.kernels.search import loose_state as at
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.with_requirements.greedy import mean_costs
from incrowd.tables.solve.improve.under_requirements import tuning
from incrowd.tables.solve.improve.under_requirements.loose_layout import above, loose, near, plan_of
from incrowd.tables.solve.shared.problem_arrays import encode
from oracles.loose_drawn import assert_sound, part, rules_of, started
from oracles.plans import recount
from oracles.required import FAMILIES, random_required
from seeds import seeds


@seeds(96, 24)
def test_the_state_of_a_release_is_sound_and_its_plan_never_dearer(seed):
    made = started(seed)
    if made is None:
        return

    problem, encoded, plan, whole, real = made
    assert_sound(problem, whole, real)
    assert whole[at.FAILING] == 0
    found = plan_of(problem, encoded, whole, part(whole, at.GROUP, whole[at.ROWS]))
    assert recount(problem, found) <= whole[at.COST] <= plan.cost(problem)


@seeds(96, 24)
def test_the_vector_above_another_is_the_cheapest_allowed_one_by_mean_costs(seed):
    problem = random_required(np.random.default_rng([64, seed]), FAMILIES[seed % len(FAMILIES)])
    stride, closed = above(problem)
    heights = [level.height for level in problem.levels]
    every = list(itertools.product(*(range(h + 1) for h in heights)))
    allowed = [v for v in every if problem.patterns.allows(v)]
    if len(allowed) == len(every):
        assert not closed.size
        return
    means = mean_costs(problem)

    def price(vector):
        return sum(mean[l] for mean, l in zip(means, vector, strict=True))  # noqa: E741

    for vector in every:
        number = int(np.dot(vector, stride))
        over = [v for v in allowed if all(a >= b for a, b in zip(v, vector, strict=True))]
        if not over:
            assert closed[number] == -1
            continue
        found = next(v for v in over if int(np.dot(v, stride)) == closed[number])
        assert price(found) == min(map(price, over))
        assert vector not in allowed or found == vector


def test_rows_sensitive_values_and_vectors_have_a_limit(monkeypatch):
    problem = random_required(np.random.default_rng(1), "frequency", rows=30)
    rules = rules_of(problem)
    assert loose(problem, rules)
    for less in ({"loose_rows": 29}, {"loose_counts": 10}):
        monkeypatch.setattr(tuning, "DEFAULT", dataclasses.replace(tuning.Tuning(), **less))
        assert not loose(problem, rules)


def test_neighbours_are_not_looked_for_without_time():
    problem = random_required(np.random.default_rng(1), "frequency", rows=30)
    watch = Watch()
    watch.interrupted = True
    assert near(problem, encode(problem), watch) is None
