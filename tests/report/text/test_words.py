"""Numbers as people write them, whatever their size."""

from fractions import Fraction

import pytest

from incrowd.report.text.words import at_least, count_of, percent, plain


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "0"), (1, "1"), (7830, "7,830"), (10600.0, "10,600"), (10310.5, "10,310.5"), (12345678.912, "12,345,678.9"),
        (1.06e22, "10,600,000,000,000,000,000,000"), (3.14159, "3.14"), (0.5, "0.5"), (1 / 3, "0.3333"),
        (0.00001234, "0.00001234"), (-2.5, "-2.5"), (Fraction(7, 3), "2.33"), (True, "True"), ("0.2", "0.2"),
        (float("inf"), "inf"),
    ],
)  # fmt: skip
def test_a_number_has_plain_digits_and_thousands_apart(number, said):
    assert plain(number) == said


def test_a_lower_bound_is_never_rounded_up():
    assert (plain(1000.98), at_least(1000.98)) == ("1,001", "1,000.9")
    assert at_least(Fraction(2, 3)) == "0.6666"


def test_one_is_singular():
    assert [count_of(n, "class") for n in (0, 1, 2)] == ["0 classes", "1 class", "2 classes"]
    assert count_of(1234, "row") == "1,234 rows"


def test_a_share_that_is_not_quite_nothing_or_all_is_not_rounded_to_it():
    said = [percent(share) for share in (0, 0.00001, 0.5, 0.99999, 1, 12.345)]
    assert said == ["0%", "under 0.1%", "50.0%", "over 99.9%", "100%", "1,234.5%"]
