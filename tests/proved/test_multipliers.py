import decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa

import incrowd
from incrowd.proved import multipliers
from incrowd.proved.multipliers import BASE, FINE, required_proof
from incrowd.proved.program import ask
from incrowd.proved.requirements import Required
from incrowd.tables.verify.requirements.rules import EntropyOf, Recursive
from proved.test_requirements import drawn, put
from seeds import how_many


def test_multipliers_raise_bounds(program):
    more = 0
    for seed in range(how_many(300, few=60)):
        made = drawn(seed)
        asked = made and put(*made)
        if asked is not None:
            without = put(made[0], made[1] | {"multipliers": []})
            bounds = [ask(program, one).bound for one in (asked, without)]
            assert bounds[0] >= bounds[1]
            more += bounds[0] > bounds[1]
    assert more


def test_logarithms_are_to_the_base_that_is_handed_over():
    with decimal.localcontext() as context:
        context.prec = 80
        assert int(2**96 * (decimal.Decimal(1) / FINE).exp()) == BASE


def test_terms_are_handed_over_with_their_lengths():
    column = {"code": np.array([0, 1, 2]), "totals": np.array([1, 1, 2])}
    rules = [(EntropyOf(**column, l=Fraction(3, 2)),), (Recursive(**column, l=2, c=Fraction(1)),)]
    rows = np.array([[0, 0], [0, 1], [0, 2], [0, 2]])
    claim = {"parts": 2, "prices": [5, 6, 7], "multipliers": [[1, 0, 0, 9, 2, 1, 1], [1, 0, 1, 4, 2, 0, 3, 0, 1]]}
    # ln (3/2 * 2/4) and ln (3/2 * 1/4) in units of 2^-30, rounded down
    logs = [0, -308_896_274, 1, -1_053_157_392, 2, -1_053_157_392]
    assert required_proof(Required(rules, np.arange(3)), claim, rows) == [
        3, 2, 3, 5, 6, 7, 2,
        1, 0, 0, 2, 9, FINE, BASE, 3, 0, 2, 1, 1, 2, 1, 3, *logs,
        1, 0, 1, 3, 2, 4, 2, 1, 0, 3, 0, 1, 1,
    ]  # fmt: skip


def test_a_logarithm_that_is_too_large_is_passed_over(program, monkeypatch):
    monkeypatch.setenv("INCROWD_PROVED", program)
    original = pa.table({"a": list("xxxyyy"), "s": list("pppqqq")})
    policy = {
        "quasi_identifiers": ["a"], "sensitive": ["s"], "k": 2,
        "require": [{"model": "l-diversity", "kind": "entropy", "l": 2, "column": "s"}],
    }  # fmt: skip
    certificate = {
        "certificate": "incrowd k-anonymity bound", "version": 2, "rows": 6, "row_types": 2, "k": 2,
        "outliers": "forbid", "scale": 1, "cost": 6, "lower_bound": 6, "lower_bound_checked": 6, "proof": "certificate",
        "requirements": ["l-diversity l=2 column=s kind=entropy"], "parts": 1, "prices": [1, 1], "whole_below": 1,
        # a row of the one value is worth floor(2 ln (2 * 1000 / 1001)) = 1 less
        "multipliers": [[0, 0, 0, 2, 1000, 1], [0, 1, 0, 2, 1, 1000]], "trees": [],
    }  # fmt: skip
    release = original.set_column(0, "a", [["*"] * 6])

    def asked():
        return incrowd.verify(original, release, certificate=certificate, proved=True, **policy).proved

    assert (asked().holds, asked().lower_bound) == (True, 6)
    right = multipliers.floor_of_ln
    monkeypatch.setattr(multipliers, "floor_of_ln", lambda times, number: right(times, number) + 1)
    assert (asked().holds, asked().lower_bound) == (False, 0)
