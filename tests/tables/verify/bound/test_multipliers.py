"""A multiplier is taken inside its cone alone: there it takes nothing from any class that keeps the requirement."""

import numpy as np
import pytest

from incrowd.tables.verify.bound.multipliers import taken_by
from incrowd.tables.verify.bound.rule_tables import rules_of
from incrowd.tables.verify.bound.strict_numbers import Unreadable
from oracles.required_certificates import drawn_case, ground_of
from seeds import seeds

FAMILIES = (
    "frequency", "entropy", "recursive", "equal", "ordered", "numeric", "tree", "matrix", "alpha-k", "beta", "enhanced",
    "delta",
)  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES)
@seeds(300, 20)
def test_it_takes_nothing_from_a_class_that_keeps_the_requirement(family, seed):
    rng, case = drawn_case(seed, family)
    (asked,) = rules_of(case.models, case.domain)
    n, kinds = len(case.rows), case.problem.types.kinds[case.rows]
    for unit in (3, 1000, 2**40):
        numbers = case.multiplier(rng, 0, unit)
        taken = taken_by(asked.says, numbers, 2**60)
        assert taken.shape == case.domain.counts.shape
        y = [int(taken[kind]) for kind in kinds]
        for mask in np.flatnonzero(case.fit):
            assert sum(y[b] for b in range(n) if mask >> b & 1) <= 0


@pytest.mark.parametrize("family", ["equal", "ordered", "numeric", "tree", "matrix"])
@seeds(200, 20)
def test_numbers_too_far_apart_in_one_pair_are_outside(family, seed):
    rng, case = drawn_case(seed, family)
    (asked,) = rules_of(case.models, case.domain)
    values = case.domain.values[0]
    if len(values) < 2:
        return
    far = ground_of(case.models[0], values)
    a, b = (int(v) for v in rng.permutation(len(values))[:2])
    mu = 2520 * 60
    edge = [mu, *(min(int(mu * far[a][v]), int(mu * far[a][b])) for v in range(len(values)))]
    assert mu * far[a][b] == int(mu * far[a][b])
    assert taken_by(asked.says, edge, 2**60) is not None
    edge[1 + b] += 1
    assert taken_by(asked.says, edge, 2**60) is None
    assert taken_by(asked.says, [-1, *[0] * len(values)], 2**60) is None


def test_a_name_that_is_not_there_is_unreadable_beside_a_number_that_refutes():
    for seed in range(4):
        _, case = drawn_case(seed, "recursive")
        (asked,) = rules_of(case.models, case.domain)
        term = [0] * (asked.says.rules[0].l + 1)
        below, strange = [-1, 0, *range(len(term) - 2)], [1, 99, *range(len(term) - 2)]
        if asked.says.rules[0].totals.size >= len(term) - 2:
            assert taken_by(asked.says, below, 2**60) is None
            with pytest.raises(Unreadable):
                taken_by(asked.says, below + strange, 2**60)


def test_negative_numbers_and_lists_of_another_length_are_refused():
    for family in FAMILIES:
        for seed in range(4):
            _, case = drawn_case(seed, family)
            (asked,) = rules_of(case.models, case.domain)
            values = len(case.domain.values[0])
            if family in ("entropy", "equal", "ordered", "numeric", "tree", "matrix"):
                good, wrong = [1, *[1] * values], [[1], [1, *[1] * (values + 1)], []]
                bad = [[-1, *[1] * values]] + ([[1, *[0] * values]] if family == "entropy" else [])
            elif family == "recursive":
                l = int(case.models[0].l)  # noqa: E741
                if values < l:
                    continue
                named = list(range(l - 1))
                good, wrong = [1, 0, *named], [[1], [1, values, *named], [1, -1, *named]]
                bad = [[-1, 0, *named]]
            else:
                good, wrong, bad = [0, 1], [[0], [0, 1, 0, 1], [values, 1], [-1, 1]], [[0, -1]]
            assert taken_by(asked.says, good, 2**60) is not None
            for numbers in wrong:
                with pytest.raises(Unreadable):
                    taken_by(asked.says, numbers, 2**60)
            for numbers in bad:
                assert taken_by(asked.says, numbers, 2**60) is None


def test_what_would_be_too_large_is_refused():
    _, case = drawn_case(1, "frequency")
    (asked,) = rules_of(case.models, case.domain)
    with pytest.raises(Unreadable, match="too large"):
        taken_by(asked.says, [0, 2**60], 2**40)


def test_distinct_values_have_no_multipliers():
    for family in ("distinct", "p-sensitive", "joint"):
        _, case = drawn_case(0, family)
        (asked,) = rules_of(case.models, case.domain)
        assert taken_by(asked.says, [0, 1], 2**60) is None
