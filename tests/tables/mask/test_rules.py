"""Each rule as a machine: the levels it lets pass are those that its definition allows."""

import itertools

import pytest

from incrowd.tables.mask.vocabulary import DEAD, AtMostOne, Bounds, Listed, NeverTogether, Stars, Together

TOPS = (1, 2, 0, 1)
LIST = [(0, 0, 0, 0), (1, 2, 0, 0), (1, 1, 0, 1)]


def passes(rule, vector):
    state = 0
    for at, level in enumerate(vector):
        if at in rule.touches:
            state = rule.step(state, at, level)
            if state == DEAD:
                return False
    return True


@pytest.mark.parametrize(
    ("rule", "definition"),
    [
        (Stars(1, TOPS), lambda v: sum(x == top > 0 for x, top in zip(v, TOPS, strict=True)) <= 1),
        (Bounds({1: 1, 3: 0}), lambda v: v[1] <= 1 and v[3] <= 0),
        (Together([0, 1]), lambda v: (v[0] > 0) == (v[1] > 0)),
        (AtMostOne([0, 1, 3]), lambda v: sum(x > 0 for x in (v[0], v[1], v[3])) <= 1),
        (NeverTogether([0, 3]), lambda v: not (v[0] and v[3])),
        (Listed(LIST), lambda v: v in LIST),
    ],
)
def test_a_machine_passes_what_its_rule_allows_and_ends_in_its_first_state(rule, definition):
    for vector in itertools.product(*(range(top + 1) for top in TOPS)):
        assert passes(rule, vector) == definition(vector)
        if definition(vector):
            state = 0
            for at in sorted(rule.touches):
                state = rule.step(state, at, vector[at])
            assert state == 0
