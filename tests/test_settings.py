"""Numbers from outside are exact, and bounded before they are built."""

from decimal import Decimal
from fractions import Fraction

import pytest

import incrowd
from incrowd.errors import IncrowdError, PolicyError
from incrowd.policy.job import Job, Policy
from incrowd.settings import as_fraction, exact_number, shortened

HUGE = ["1e999999999", "1E-999999999", "1_0e9_999_999", "9" * 5000, "1/" + "9" * 5000, "1e" + "9" * 5000, "1e+01000"]


def test_numbers_are_read_exactly():
    assert exact_number(" 1/3 ") == Fraction(1, 3)
    assert exact_number("0.1") == Fraction(1, 10)
    assert exact_number("1e-9") == Fraction(1, 10**9)
    assert exact_number("-1.5E+0003") == -1500
    assert exact_number("1e999") == 10**999
    assert as_fraction(5e-324, "x") == Fraction("5e-324")


@pytest.mark.parametrize("text", [*HUGE, "1/0", "e5", "1e", "1e+", "", "nan", "1e1e1", "0x1"])
def test_what_is_no_number_or_too_large_a_one_is_refused_at_once(text):
    with pytest.raises(ValueError):
        exact_number(text)
    with pytest.raises(PolicyError, match="must be a number such as"):
        as_fraction(text, "l")


NUMBERS = {
    **{f"text{i}": text for i, text in enumerate(HUGE)},
    "whole": 10**5000, "fraction": Fraction(1, 10**5000), "decimal": Decimal("1e999999999"), "beyond float": "1e400",
}  # fmt: skip


@pytest.mark.parametrize("value", NUMBERS.values(), ids=NUMBERS)
def test_no_setting_takes_a_number_that_would_take_the_machine(value):
    made = [
        lambda: Policy(weights={"a": value}),
        lambda: Policy(l=value),
        lambda: Policy(t=value),
        lambda: Policy(k=value),
        lambda: Policy(require=[{"model": "alpha-k", "column": "s", "alpha": value}]),
        lambda: incrowd.Hierarchy(lines=[("x", "g"), ("y", "g")], level_costs=[value, value]),
    ]
    for build in made if value != "1e400" else made[2:4]:
        with pytest.raises(PolicyError) as raised:
            build()
        assert len(str(raised.value)) < 300
    for name in ("time_limit", "gap"):
        if value not in ("1E-999999999",):
            with pytest.raises(PolicyError):
                Job(**{name: value})
    for name in ("seed", "work"):
        with pytest.raises(PolicyError, match="must be a whole number"):
            Job(**{name: value})


@pytest.mark.parametrize(
    "line",
    ['l = "1e999999999"', "l = 1" + "0" * 5000, "k = 0x" + "f" * 20000, "t = 1e999", "k = " + "[" * 5000 + "]" * 5000,
     'weights = {a = "1e999999999"}', "seed = 1" + "0" * 4000],
)  # fmt: skip
def test_a_policy_file_with_such_a_number_is_refused_in_a_sentence(tmp_path, line):
    (tmp_path / "p.toml").write_text(line + "\n")
    with pytest.raises(IncrowdError, match="policy file 'p.toml'") as raised:
        Policy.load(tmp_path / "p.toml")
    assert len(str(raised.value)) < 300


def test_a_cell_of_many_digits_is_no_number_rather_than_an_error():
    rows = {"a": ["x", "y"] * 20, "s": ["1" * 5000, "2"] * 20}
    with pytest.raises(PolicyError, match="1 of the 2 values of column 's' is no number"):
        incrowd.anonymize(
            __import__("pyarrow").table(rows), quasi_identifiers=["a"], sensitive=["s"], k=2, t=0.5,
            sensitive_distance={"s": "numeric"},
        )  # fmt: skip


def test_a_message_repeats_no_more_of_a_value_than_a_line_holds():
    assert shortened("x") == "'x'"
    assert shortened(10**5000) == "a whole number of 16610 bits"
    assert len(shortened(["x" * 500])) == 83
    assert shortened([10**5000]) == "a list"
