"""Rules say what the models say: exactly where no logarithm is rounded, and never more than is asked."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from incrowd.tables.verify.bound.class_sizes import floor_share
from incrowd.tables.verify.requirements.distances import Line, Matrix, Tree
from incrowd.tables.verify.requirements.reading import reading_of, settings_of
from incrowd.tables.verify.requirements.rules import Close, Distinct, Shares, keep_shares
from oracles.models_drawn import TWINS, Drawn
from seeds import seeds


def kept(rule, drawn, classes):
    if isinstance(rule, Shares):
        return keep_shares(rule, classes)
    assert isinstance(rule, Distinct)
    found = [len({int(rule.code[kind]) for kind in drawn.kind[drawn.group == g]}) for g in range(drawn.groups)]
    return np.array([not values or values >= rule.least for values in found])


@pytest.mark.parametrize("name", sorted(TWINS))
@seeds(300)
def test_a_class_that_meets_a_model_keeps_its_rules(name, seed):
    drawn = Drawn(seed)
    classes = drawn.classes()
    for model, *_ in TWINS[name](drawn):
        says = reading_of(name).rules(settings_of(model), drawn.domain)
        met = np.array(drawn.met(model))
        assert says.united == model.bind(drawn.domain).closed_under_union
        counted = [rule for rule in says.rules if isinstance(rule, Shares | Distinct)]
        for rule in says.rules:
            assert rule.totals.sum() == len(drawn.rows)
            np.testing.assert_array_equal(np.bincount(rule.code[drawn.kind], minlength=rule.totals.size), rule.totals)
        if not counted:
            continue
        said = np.logical_and.reduce([kept(rule, drawn, classes) for rule in counted])
        assert (said | ~met).all(), model.rule
        if says.united and getattr(model, "kind", "") != "joint":
            np.testing.assert_array_equal(said, met, model.rule)


@seeds(300)
def test_a_distance_implies_the_equal_distance_as_the_nearest_values_allow(seed):
    drawn = Drawn(seed)
    n = len(drawn.rows)
    for model, *_ in TWINS["t-closeness"](drawn):
        (rule,) = reading_of("t-closeness").rules(settings_of(model), drawn.domain).rules
        implied = rule.equal()
        if implied is None:
            continue
        places, t = implied
        assert model.t <= t < 1
        value = places[rule.code[drawn.kind]]
        for g, met in enumerate(drawn.met(model)):
            mine = value[drawn.group == g]
            if met and mine.size:
                shares = [
                    (Fraction(int((mine == v).sum()), mine.size), Fraction(int((value == v).sum()), n))
                    for v in set(value)
                ]
                assert sum(max(p - q, 0) for p, q in shares) <= t


def close(apart, values, t):
    code = np.arange(values)
    return Close(code=code, totals=code + 1, t=Fraction(t), apart=apart)


def test_values_at_one_place_of_a_line_are_one_and_a_matrix_with_two_at_no_distance_implies_nothing():
    line = Line(np.array([0, 2, 2]), [1, 1, 2])
    places, t = close(line, 3, "1/4").equal()
    assert places.tolist() == [0, 1, 1] and t == Fraction(1, 2)
    assert close(line, 3, "1/2").equal() is None
    together = np.array([[0, 0, 2], [0, 0, 2], [2, 2, 0]], dtype=object)
    assert close(Matrix(together, 2), 3, "1/4").equal() is None
    apart = np.array([[0, 1, 2], [1, 0, 2], [2, 2, 0]], dtype=object)
    assert close(Matrix(apart, 2), 3, "1/4").equal()[1] == Fraction(1, 2)
    tree = Tree([np.arange(3), np.array([0, 0, 1])])
    assert close(tree, 3, "1/4").equal()[1] == Fraction(1, 2)
    assert close(Tree([np.arange(3)]), 3, "1/4").equal()[1] == Fraction(1, 4)


def test_one_place_alone_implies_the_equal_distance_whatever_the_metric():
    alone = (Line(np.array([0]), []), Line(np.array([0, 0]), []), Line(np.array([2]), [1, 1]), Tree([np.arange(1)]))
    for apart in (*alone, Matrix(np.zeros((1, 1), dtype=object), 3)):
        places, t = close(apart, 1 if not isinstance(apart, Line) else apart.place.size, "1/4").equal()
        assert set(places.tolist()) == {0}
        assert t == Fraction(1, 4)


def test_a_share_of_rows_is_cut_off_exactly_where_a_product_would_not_fit():
    for under, size in itertools.product((3, 2**40 + 1, 2**60), (0, 1, 5, 2**20 + 7, 2**31 - 1)):
        for over in (0, 1, under // 3, under - 1, under):
            assert floor_share(over, under, size) == over * size // under
