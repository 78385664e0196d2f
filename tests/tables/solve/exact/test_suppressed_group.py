"""Fewer than k fully suppressed rows in the relaxation: the least release without any or with k of them, exactly."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.exact.component import ComponentState
from incrowd.tables.solve.exact.suppressed_group import fill_hub, hub_rows, strict
from incrowd.tables.solve.shared.components import labels, split
from incrowd.tables.solve.shared.instances import common_step, list_instances
from incrowd.tables.solve.shared.row_assignment import cost_of, holds
from oracles.brute_force import optimum
from oracles.problems import hub_problem
from seeds import how_many

PARTS = 840_000


def relaxed(count):
    """Problems whose best release with few suppressed rows allowed has some: its components, closed, and its rows."""
    for seed in range(count):
        problem = hub_problem(np.random.default_rng([171, seed]), most=8)
        instances = list_instances(problem)
        unit = common_step([level.cost for level in problem.levels])
        pieces = [ComponentState.of(part, unit, PARTS, problem.k, None) for part in split(instances, labels(instances))]
        for piece in pieces:
            piece.price(Watch())
            if not piece.closed:
                piece.finish(Watch())
        rows = np.zeros(instances.pairs, np.int64)
        for piece in pieces:
            rows[piece.part.places] = piece.rows
        if 0 < hub_rows(instances, rows) < problem.k:
            yield problem, instances, pieces, rows


def test_the_decision_is_that_of_trying_everything():
    met = filled = 0
    for problem, instances, pieces, _ in relaxed(how_many(200, 24)):
        least = optimum(problem)
        above = problem.types.n * problem.types.m + 1
        decided, cost, chosen = strict(pieces, problem.k, above, Watch())
        assert decided
        if least is None:
            assert not chosen
            continue
        rows = np.zeros(instances.pairs, np.int64)
        for piece, own in zip(pieces, chosen, strict=True):
            rows[piece.part.places] = own
        assert holds(instances, rows)
        assert cost == cost_of(instances, rows) == least
        assert not strict(pieces, problem.k, least, Watch())[2], "nothing is cheaper"
        met += 1
        filled += hub_rows(instances, rows) >= problem.k
    assert met > 3 and 0 < filled < met


def test_a_filled_hub_has_its_k_rows_and_the_others_keep_theirs():
    made = 0
    for problem, instances, _, rows in relaxed(how_many(200, 40)):
        found = fill_hub(instances, rows)
        if found is None:
            continue
        assert holds(instances, found)
        assert hub_rows(instances, found) == problem.k
        assert cost_of(instances, found) >= cost_of(instances, rows)
        made += 1
    assert made


def test_told_to_stop_what_it_has_is_a_release_and_what_it_calls_decided_is_so():
    watch = Watch()
    watch.interrupt()
    for problem, instances, pieces, _ in relaxed(30):
        above = problem.types.n * problem.types.m + 1
        decided, cost, chosen = strict(pieces, problem.k, above, watch)
        least = optimum(problem)
        assert not decided or cost == (above if least is None else least)
        assert bool(chosen) == (cost < above)
        rows = np.zeros(instances.pairs, np.int64)
        for piece, own in zip(pieces, chosen, strict=False):
            rows[piece.part.places] = own
        assert not chosen or (holds(instances, rows) and cost_of(instances, rows) == cost >= least)
