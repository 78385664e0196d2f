"""Classes of few rows are all listed, and those alone that meet every requirement as far as it may be asked."""

import itertools

import numpy as np

from incrowd.tables.verify.bound import small_classes
from incrowd.tables.verify.bound.rule_tables import rules_of
from incrowd.tables.verify.bound.small_classes import MOST_VECTORS, number_of_vectors, vectors_of
from oracles.required_certificates import drawn_case
from seeds import seeds


def every(counts, most):
    return [v for v in itertools.product(*(range(int(c) + 1) for c in counts)) if 1 <= sum(v) <= most]


@seeds(200)
def test_vectors_are_counted(seed):
    rng = np.random.default_rng(seed)
    counts, most = rng.integers(1, 5, int(rng.integers(1, 6))), int(rng.integers(0, 9))
    assert number_of_vectors(counts, most) == len(every(counts, most))


def test_counting_stops_where_there_are_too_many():
    assert number_of_vectors(np.full(20_000, 3), 4095) > MOST_VECTORS
    assert number_of_vectors(np.full(40_000, 3), 2) > MOST_VECTORS
    assert number_of_vectors(np.full(30_000, 3), 1) == 30_000
    assert number_of_vectors(np.full(1, 10**9), 4095) == 4095


def listed(found):
    return {
        tuple(zip(found.kind[a:b].tolist(), found.times[a:b].tolist(), strict=True))
        for a, b in itertools.pairwise(found.begins.tolist())
    }


@seeds(400, 60)
def test_those_are_listed_that_meet_the_requirements(seed):
    rng, case = drawn_case(50_000 + seed)
    asked = rules_of(case.models, case.domain)
    most = int(rng.integers(0, 8))
    found = vectors_of(asked, case.domain, most)
    assert found.listed
    right = []
    for vector in every(case.domain.counts, most):
        kinds = np.repeat(np.arange(len(vector)), vector)
        zero, one = np.zeros(kinds.size, np.int64), np.ones(kinds.size, np.int64)
        if all(requirement.meets(zero, kinds, one, 1)[0] for requirement in case.problem.requirements):
            right.append(tuple((s, v) for s, v in enumerate(vector) if v))
    if all(one.says.united for one in asked):
        assert listed(found) == set(right)
        assert found.size.size == len(right)
    else:
        assert listed(found) >= set(right)


def test_nothing_is_said_where_there_are_too_many(monkeypatch):
    _, case = drawn_case(0, "equal")
    monkeypatch.setattr(small_classes, "MOST_VECTORS", 0)
    assert not vectors_of(rules_of(case.models, case.domain), case.domain, 5).listed
