"""Rules on the rows per value say what the models say: exactly where they claim to, else no more than is asked."""

import numpy as np
import pytest

from incrowd.tables.count_rules import CountRule, Family
from oracles.count_rules import keeps
from oracles.models_drawn import TWINS, Drawn
from seeds import seeds


@pytest.mark.parametrize("name", sorted(TWINS))
@seeds(300)
def test_a_group_meets_a_model_exactly_if_it_meets_its_rules(name, seed):
    drawn = Drawn(seed)
    for model, *_ in TWINS[name](drawn):
        requirement = model.bind(drawn.domain)
        rules = requirement.count_rules()
        assert all(rule.code.shape == drawn.domain.counts.shape for rule in rules)
        for g, met in enumerate(drawn.met(model)):
            kinds = drawn.kind[drawn.group == g]
            kept = all(keeps(rule, np.bincount(rule.code[kinds], minlength=rule.values).tolist()) for rule in rules)
            if rules and all(rule.exact for rule in rules):
                assert kept == met, model.describe()
            elif met:
                assert kept, model.describe()


def test_a_rule_knows_its_number_of_values():
    rule = CountRule(
        family=Family.DISTINCT, code=np.zeros(2, np.int32), totals=np.array([3, 4, 5]), least=2
    )  # fmt: skip
    assert rule.values == 3
    assert rule.share.size == rule.length.size == 0
