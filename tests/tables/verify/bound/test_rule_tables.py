"""Rules as arrays say what they say in fractions, and nothing that would wrap around is made."""

import math
from fractions import Fraction

import pytest

from incrowd.tables.verify.bound.rule_tables import MUS, rules_of, tables_of
from incrowd.tables.verify.bound.strict_numbers import Unreadable
from incrowd.tables.verify.requirements.rules import Distinct, Shares
from oracles.required_certificates import NAMES, drawn_case
from seeds import seeds


@seeds(200)
def test_shares_numbers_of_values_and_what_is_moved(seed):
    _, case = drawn_case(seed)
    asked = rules_of(case.models, case.domain)
    n, k = len(case.rows), case.problem.k
    found = tables_of(asked, len(case.domain.counts), n, k, 5, 10, 1000)
    r = 0
    for model, one in zip(case.models, asked, strict=True):
        for rule in one.says.rules:
            if isinstance(rule, Shares):
                shares = [Fraction(int(a), int(b)) for a, b in zip(found.over[r], found.under[r], strict=True)]
                for told, share in zip(shares, rule.share, strict=False):
                    assert share <= told <= share + Fraction(1, 2**59)
            elif isinstance(rule, Distinct):
                assert found.least[r] == rule.least
            elif model.name == "t-closeness":
                implied = rule.equal()
                if implied is None:
                    continue
                assert found.totals[r].sum() == n
                for m, mu in enumerate(MUS):
                    assert found.mus[m] == math.floor(mu * 10)
                    assert [math.ceil(math.floor(mu * 10) * implied[1] * n * size) for size in range(5)] == found.moved[
                        r, m
                    ].tolist()
                assert found.near[r].tolist() == [math.ceil((1 - implied[1]) * max(need, 5) * n) for need in (k, 1)]
            else:
                continue
            assert (found.code[r] < found.width[r]).all()
            r += 1
    assert found.family.size == r


def test_numbers_that_do_not_fit_are_refused():
    for family in NAMES:
        _, case = drawn_case(3, family)
        asked = rules_of(case.models, case.domain)
        tables_of(asked, len(case.domain.counts), len(case.rows), 2, 4096, 1, 2**40)
        if family == "equal":
            with pytest.raises(Unreadable, match="too large"):
                tables_of(asked, len(case.domain.counts), len(case.rows), 2, 4096, 1, 2**50)
