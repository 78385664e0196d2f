from __future__ import annotations

import numpy as np
import pytest

from incrowd.tables.solve.shared.instances import TooManyInstances, common_step, extents, list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from oracles.pricing import kept_instances, raw_instances
from oracles.problems import random_problem
from seeds import scaled


def as_set(instances):
    return {
        (
            tuple(instances.vectors[g].tolist()),
            tuple(instances.members[instances.begins[g] : instances.begins[g + 1]].tolist()),
            int(instances.costs[g]),
            int(instances.needs[g]),
        )
        for g in range(instances.size)
    }


def problems(count, seed):
    return [random_problem(np.random.default_rng([seed, n])) for n in range(count)]


@pytest.mark.parametrize("bits", [64, 3])
def test_the_kept_instances_are_those_of_the_definition_whatever_the_hashes(bits):
    for problem in problems(scaled(150), 1):
        instances = list_instances(problem, encode(problem, bits=bits))
        assert as_set(instances) == set(kept_instances(problem))
        assert instances.size == len(as_set(instances))


def test_kept_instances_have_different_extents_but_for_the_free_one():
    for problem in problems(150, 2):
        crowded = [entry for entry in as_set(list_instances(problem)) if entry[3]]
        assert len({types for _, types, _, _ in crowded}) == len(crowded)


def test_the_raw_list_holds_every_instance():
    for problem in problems(100, 3):
        instances = list_instances(problem, raw=True)
        raw = {(vector, tuple(types)) for (vector, _), types in raw_instances(problem).items()}
        assert {entry[:2] for entry in as_set(instances)} == raw


def test_the_hub_holds_all_types_and_is_the_free_one_where_there_is_one():
    hubs = 0
    for problem in problems(200, 4):
        instances = list_instances(problem)
        full = [g for g in range(instances.size) if instances.begins[g + 1] - instances.begins[g] == instances.t]
        assert (instances.hub >= 0) == bool(full)
        if full:
            hubs += 1
            assert instances.hub in full
            assert instances.needs[instances.hub] == instances.needs[full].min()
    assert hubs > 50


def test_named_instances_come_back_in_full():
    rng = np.random.default_rng(5)
    for problem in problems(100, 5):
        instances = list_instances(problem)
        if not instances.size:
            continue
        chosen = rng.integers(0, instances.size, 5)
        reps = np.array([rng.choice(instances.members[instances.begins[g] : instances.begins[g + 1]]) for g in chosen])
        found = extents(problem, encode(problem), instances.vectors[chosen], reps.astype(np.int32))
        listed = sorted(as_set(instances))
        keep = dict.fromkeys(chosen.tolist())
        assert as_set(found) == as_set(instances.only(np.isin(np.arange(instances.size), list(keep))))
        assert as_set(found) <= set(listed)


def test_the_transposed_list_names_every_pair_once():
    for problem in problems(50, 6):
        instances = list_instances(problem)
        begins, which, places = instances.by_type
        for i in range(instances.t):
            for z in range(begins[i], begins[i + 1]):
                assert instances.members[places[z]] == i
                assert instances.owners[places[z]] == which[z]
        assert sorted(places.tolist()) == list(range(instances.pairs))


def test_more_pairs_than_allowed_are_refused_with_an_estimate():
    problem = next(p for p in problems(50, 7) if list_instances(p).pairs > 8)
    with pytest.raises(TooManyInstances) as refused:
        list_instances(problem, most_pairs=1)
    assert refused.value.estimate > 1


def test_a_common_step_divides_all_costs():
    assert common_step([np.array([[0, 0], [4, 6]]), np.array([[0], [10]])]) == 2
    assert common_step([np.zeros((2, 2), np.int64)]) == 1
