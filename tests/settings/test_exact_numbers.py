"""Numbers from outside are exact, and bounded before they are built."""

from decimal import Decimal
from fractions import Fraction

import pytest

import incrowd
from incrowd.errors import PolicyError
from incrowd.settings import as_fraction, exact_number, fraction_text, short_fraction

HUGE = ["1e999999999", "1E-999999999", "1_0e9_999_999", "9" * 5000, "1/" + "9" * 5000, "1e" + "9" * 5000, "1e+01000"]


def test_numbers_are_read_exactly():
    assert exact_number(" 1/3 ") == Fraction(1, 3)
    assert exact_number("0.1") == Fraction(1, 10)
    assert exact_number("1e-9") == Fraction(1, 10**9)
    assert exact_number("-1.5E+0003") == -1500
    assert exact_number("1e999") == 10**999
    assert as_fraction(5e-324, "x") == Fraction("5e-324")


def test_what_is_no_number_or_too_large_a_one_is_refused_at_once():
    for text in [*HUGE, "1/0", "e5", "1e", "1e+", "", "nan", "1e1e1", "0x1"]:
        with pytest.raises(ValueError):
            exact_number(text)
        with pytest.raises(PolicyError, match="must be a number such as"):
            as_fraction(text, "l")
    for value in (True, None, 10**5000, Fraction(1, 10**5000), Decimal("1e999999999"), float("inf"), object()):
        with pytest.raises(PolicyError, match="l must be a number") as raised:
            as_fraction(value, "l")
        assert len(str(raised.value)) < 300


def test_a_fraction_is_written_in_the_plainest_way_that_reads_back_exactly():
    written = [(Fraction(3), 3), (Fraction(1, 10), 0.1), (Fraction(1, 3), "1/3"), (Fraction(10**400 + 1, 2), None)]
    for value, plain in written:
        text = fraction_text(value)
        assert as_fraction(text, "x") == value
        assert plain is None or text == plain


def test_a_message_holds_no_more_of_a_fraction_than_a_line():
    assert short_fraction(Fraction(1, 3)) == "1/3"
    assert short_fraction(Fraction(10**400 + 1, 2)) == f"1{'0' * 79}..."


def test_a_cell_of_many_digits_is_no_number_rather_than_an_error():
    rows = {"a": ["x", "y"] * 20, "s": ["1" * 5000, "2"] * 20}
    with pytest.raises(PolicyError, match="1 of the 2 values of column 's' is no number"):
        incrowd.anonymize(
            __import__("pyarrow").table(rows), quasi_identifiers=["a"], sensitive=["s"], k=2, t=0.5,
            sensitive_distance={"s": "numeric"},
        )  # fmt: skip
