import dataclasses

import pyarrow as pa
import pytest

from incrowd.errors import InputError
from incrowd.tables.measures.usefulness import Usefulness

AGES = [("20", "f"), ("30", "f"), ("50", "m"), ("60", "x")]


def close(value):
    return pytest.approx(value, abs=1e-8)


def test_numbers_count_by_their_range_and_other_values_by_their_kinds(release_of):
    made = release_of(AGES, [(1, 0), (1, 0), (1, 1), (1, 1)], numeric=[0])
    first = (30 - 20) / (60 - 20) + 1 / 3
    second = (60 - 50) / (60 - 20) + 2 / 3
    assert made.measure(Usefulness()) == close((first + second) / 2)


def test_numbers_that_are_not_declared_are_kinds(release_of):
    made = release_of(AGES, [(1, 0), (1, 0), (1, 1), (1, 1)])
    assert made.measure(Usefulness()) == close(((2 / 4 + 1 / 3) + (2 / 4 + 2 / 3)) / 2)


def test_a_type_counts_once_however_many_rows_it_has(release_of):
    few = release_of(AGES, [(0, 0), (0, 0), (1, 1), (1, 1)], numeric=[0])
    many = release_of([AGES[0]] * 50 + AGES[1:], [(0, 0)] * 51 + [(1, 1)] * 2, numeric=[0])
    assert few.measure(Usefulness()) == many.measure(Usefulness()) == close((1 / 3 + 1 / 3 + 1 / 4 + 2 / 3) / 3)


@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
def test_the_all_star_type_counts_as_one_type_also_where_its_rows_are_outliers(release_of, outliers):
    made = release_of(AGES, [(0, 0), (0, 0), (1, 1), (1, 1)], numeric=[0], outliers=outliers)
    assert made.measure(Usefulness()) == close((1 / 3 + 1 / 3 + 1 / 4 + 2 / 3) / 3)


def test_one_class_of_everything_is_as_diverse_as_the_columns(release_of):
    assert release_of(AGES, [(1, 1)] * 4, numeric=[0]).measure(Usefulness()) == close(2)


def test_null_is_a_kind_of_its_own(release_of):
    made = release_of([(None,), ("a",), ("b",), ("b",)], [(1,), (1,), (0,), (0,)])
    assert made.measure(Usefulness()) == close((2 / 3 + 1 / 3) / 2)


def test_null_beside_numbers_is_as_far_away_as_can_be_and_alone_no_distance(release_of):
    rows = [(None,), (None,), ("1",), ("2",), ("9",)]
    made = release_of(rows, [(0,), (1,), (1,), (0,), (0,)], numeric=[0])
    assert made.measure(Usefulness()) == close(1 / 4)


def test_a_constant_numeric_column_has_no_diversity(release_of):
    assert release_of([("7",), ("7.0",)], [(1,), (1,)], numeric=[0]).measure(Usefulness()) == 0
    assert release_of([(None,), (None,)], [(1,), (0,)], numeric=[0]).measure(Usefulness()) == 0
    assert release_of([("7",), (None,)], [(1,), (1,)], numeric=[0]).measure(Usefulness()) == 1


def test_texts_of_numbers_are_compared_as_numbers(release_of):
    made = release_of([("9",), ("10",), ("1e1",), ("-2.5",)], [(1,), (1,), (1,), (0,)], numeric=[0])
    assert made.measure(Usefulness()) == close((1 / 12.5 + 0) / 2)


def test_typed_numbers_need_no_text(release_of):
    made = release_of(
        [(1, 0.5), (3, 2.5), (5, None)],
        [(1, 1), (1, 1), (0, 0)],
        numeric=[0, 1],
        types=[pa.int32(), pa.float64()],
        star=None,
        as_text=False,
    )
    assert made.measure(Usefulness()) == close((2 / 4 + 1) / 2)


def test_an_infinite_range_is_refused_with_the_column_and_without_the_cell(release_of):
    made = release_of([("1e308",), ("-1e308",)], [(1,), (1,)], numeric=[0])
    with pytest.raises(InputError, match="column 'q0' is declared numeric but its range is infinite") as caught:
        made.measure(Usefulness())
    assert "308" not in str(caught.value)


def test_the_sum_does_not_depend_on_the_order_of_the_groups(release_of):
    rows = [(str(i * i % 97),) for i in range(60)]
    made = release_of(rows, [(0,)] * 20 + [(1,)] * 40, numeric=[0])
    turned = dataclasses.replace(made.release, parts=made.release.parts.order_by(made.release.parts.type.desc()))
    assert Usefulness().measure(turned, made.context) == made.measure(Usefulness())
