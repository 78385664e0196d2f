"""Programs over neighbourhoods: what comes out is a release that meets everything, and is never dearer."""

from __future__ import annotations

import numpy as np

from incrowd.progress import Watch
from incrowd.tables.solve.improve.under_requirements.checked_plan import is_release
from incrowd.tables.solve.improve.under_requirements.class_programs import ClassPrograms, can_be_stated
from incrowd.tables.solve.shared.row_assignment import cost_of, to_plan
from incrowd.tables.solve.shared.time_limit import now
from oracles.brute_force import optimum
from oracles.classes_drawn import started
from oracles.required import random_required
from seeds import how_many


def run(problem, found, watch=None, most=8, seed=0):
    programs = ClassPrograms(problem, found.instances, found.rows, seed)
    near = np.ones(found.instances.size, np.bool_)
    told = []
    programs.run(near, watch or Watch(), seconds=None, most=most, heard=told.append)
    return programs, told


def releases(seed, rows=None):
    made = started(seed, rows=rows)
    if made is None:
        return None
    problem, found, *_ = made
    if not can_be_stated(problem) or not is_release(problem, to_plan(problem, found.instances, found.rows)):
        return None
    return problem, found


def test_releases_stay_releases_and_get_cheaper_but_not_below_the_optimum():
    cheaper = 0
    for seed in range(how_many(160, 19)):
        made = releases(seed, rows=7 if seed % 2 else 16)
        if made is None:
            continue
        problem, found = made
        programs, told = run(problem, found)
        before = cost_of(found.instances, found.rows)
        assert is_release(problem, to_plan(problem, found.instances, programs.rows))
        assert programs.cost == cost_of(found.instances, programs.rows) <= before
        assert told == sorted(set(told), reverse=True)
        if seed % 2:
            assert programs.cost >= optimum(problem)
        cheaper += programs.cost < before
    assert cheaper


def test_seed_and_number_of_programs_decide_the_release():
    problem, found = next(made for made in (releases(seed, rows=25) for seed in range(50)) if made is not None)
    assert (run(problem, found)[0].rows == run(problem, found)[0].rows).all()


def test_without_time_nothing_is_tried():
    problem, found = next(made for made in (releases(seed, rows=25) for seed in range(50)) if made is not None)
    programs, told = run(problem, found, now(Watch()))
    assert programs.programs == 0
    assert not told


def test_a_free_metric_has_no_rows():
    assert not can_be_stated(random_required(np.random.default_rng(1), "matrix"))
    assert can_be_stated(random_required(np.random.default_rng(1), "frequency"))
