"""Rows of requirements, each once; the linear program's are among the integer programs'."""

import numpy as np

from incrowd.tables.solve.exact import tuning
from incrowd.tables.solve.exact.under_requirements.known_rows import KnownRows
from incrowd.tables.solve.shared.components import labels, split
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.requirement_check import kinds_meet, kinds_of
from incrowd.tables.solve.shared.strong_formulation import strong
from oracles.required import random_required
from seeds import seeds


def made(problem):
    instances = list_instances(problem)
    rules = [rule for requirement in problem.requirements for rule in requirement.count_rules()]
    codes = [rule.code[kinds_of(problem)[instances.members]] for rule in rules]
    return KnownRows(strong(instances), rules, codes, instances.needs > 0)


def count(rows):
    return sum(len(some.lower) for some in rows)


@seeds(100)
def test_a_point_breaks_a_row_once_and_no_row_breaks_a_class_that_meets_the_requirements(seed):
    random = np.random.default_rng([201, seed])
    problem = random_required(random, "frequency" if seed % 2 else "distinct")
    known = made(problem)
    instances = known.model.instances
    if not instances.size:
        return
    x = random.integers(0, 2, instances.pairs) * instances.counts[instances.members]
    u = (np.bincount(instances.owners, weights=x, minlength=instances.size) > 0).astype(np.float64)
    found = known.broken(x.astype(np.float64), u, 1e-6)
    assert not known.broken(x.astype(np.float64), u, 1e-6)
    assert count(found) == count(known.rows)
    point = np.concatenate((x, u[known.model.crowd]))
    judged = np.flatnonzero((u > 0) & known.judged)
    mine = np.isin(instances.owners, judged) & (x > 0)
    if not judged.size:
        return
    number = np.searchsorted(judged, instances.owners[mine])
    fit = kinds_meet(problem, number, kinds_of(problem)[instances.members[mine]], x[mine], judged.size)
    fit &= np.bincount(number, weights=x[mine], minlength=judged.size) >= instances.needs[judged]
    if fit.all():
        for rows in known.rows:
            for a, b in zip(rows.begins[:-1], rows.begins[1:], strict=True):
                assert rows.values[a:b] @ point[rows.columns[a:b]] <= 1e-6


def test_rows_that_integer_programs_have_are_still_found_for_the_linear_program():
    known = made(random_required(np.random.default_rng([202, 1]), "frequency"))
    instances = known.model.instances
    known.state(np.arange(instances.size))
    before = count(known.rows)
    assert before
    x = np.zeros(instances.pairs)
    x[instances.begins[:-1]] = instances.counts[instances.members[instances.begins[:-1]]]
    found = known.broken(x, np.ones(instances.size), 1e-6)
    assert count(found)
    assert count(known.rows) == before
    assert not known.broken(x, np.ones(instances.size), 1e-6, linear=False)


def test_where_all_rows_are_too_many_none_is_stated(monkeypatch):
    monkeypatch.setattr(tuning, "DEFAULT", tuning.Tuning(stated_rows=0))
    known = made(random_required(np.random.default_rng([202, 1]), "frequency"))
    known.state(np.arange(known.model.instances.size))
    assert not known.rows


@seeds(50)
def test_rows_of_a_part_say_the_same_within_the_whole(seed):
    random = np.random.default_rng([204, seed])
    problem = random_required(random, "frequency")
    whole = list_instances(problem)
    model = strong(whole)
    rules = [rule for requirement in problem.requirements for rule in requirement.count_rules()]
    point = random.random(len(model.program.cost))
    for part in split(whole, labels(whole)):
        own = part.instances
        codes = [rule.code[kinds_of(problem)[part.types][own.members]] for rule in rules]
        known = KnownRows(strong(own), rules, codes, own.needs > 0)
        known.state(np.arange(own.size))
        crowd = part.ids[known.model.crowd]
        here = np.concatenate((point[part.places], point[model.column[crowd]]))
        for mine, there in zip(known.rows, known.within(known.rows, model, part.places, part.ids), strict=True):
            for a, b in zip(mine.begins[:-1], mine.begins[1:], strict=True):
                assert np.isclose(
                    mine.values[a:b] @ here[mine.columns[a:b]], there.values[a:b] @ point[there.columns[a:b]]
                )
