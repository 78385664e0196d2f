"""Violations of classes: 0 exactly where the plain rule is met, more than 0 where it is not."""

from __future__ import annotations

import numpy as np
import pytest

from incrowd.kernels.search import class_state as at
from incrowd.kernels.search import violations
from incrowd.kernels.search.class_state import deficit_of
from incrowd.tables.count_rules import Family
from incrowd.tables.solve.improve.under_requirements.annealing import lay_out
from incrowd.tables.solve.shared.instances import Instances
from oracles.count_rules import counts_of, excess, keeps
from oracles.models_drawn import TWINS, Drawn
from seeds import seeds


def one_class(rules, kinds, rows):
    """The violation of one class with rows of given kinds, k = 1."""
    t = len(kinds)
    instances = Instances(
        np.zeros((1, 1), np.int8), np.zeros(1, np.int64), np.ones(1, np.int64), np.array([0, t], np.int64),
        np.arange(t, dtype=np.int32), np.array(rows, np.int64), 0,
    )  # fmt: skip
    whole, real = lay_out(instances, np.array(kinds), rules, np.array(rows, np.int64), 1)
    again = deficit_of(whole, real, 0)
    assert again == real[whole[at.DEFICIT]]
    return again


@pytest.mark.parametrize("name", sorted(TWINS))
@seeds(200)
def test_a_class_fails_by_nothing_exactly_if_it_keeps_the_rules(name, seed):
    drawn = Drawn(seed)
    for model, *_ in TWINS[name](drawn):
        requirement = model.bind(drawn.domain)
        rules = requirement.count_rules()
        for g, met in enumerate(drawn.met(model)):
            kinds, rows = np.unique(drawn.kind[drawn.group == g], return_counts=True)
            if not kinds.size:
                continue
            lack = one_class(rules, kinds, rows)
            if all(keeps(rule, counts_of(rule, kinds, rows)) for rule in rules) and not _may_say_more(rules):
                assert lack == 0
            elif not met and rules and all(rule.exact for rule in rules):
                assert lack > 0


def _may_say_more(rules):
    """Whether a rule is judged more strictly than it is: by nearest pairs, or with least shares."""
    return any(rule.family == Family.TRANSPORT or rule.presence.size for rule in rules)


def test_shares_ask_for_the_fewer_of_rows_to_add_and_rows_to_take_away():
    drawn = Drawn(3)
    kinds = np.zeros(1, np.int64)
    for model, *_ in TWINS["l-diversity"](drawn):
        rules = model.bind(drawn.domain).count_rules()
        if rules and rules[0].family == Family.SHARES and excess(rules[0], counts_of(rules[0], kinds, [4])) > 0:
            limit = rules[0].share[0]
            assert one_class(rules, kinds, [4]) == pytest.approx(min(4 / limit - 4, (4 - 4 * limit) / (1 - limit)))


def test_a_family_has_the_number_that_the_kernels_know():
    mine = (
        violations.SHARES, violations.DISTINCT, violations.TREE, violations.LINE, violations.TRANSPORT,
        violations.ENTROPY, violations.RECURSIVE,
    )  # fmt: skip
    assert mine == tuple(Family)
