"""What a release is held to is read from the policy's words alone."""

from fractions import Fraction

from incrowd import Hierarchy
from incrowd.tables.hierarchy import Fitted
from incrowd.tables.verify.release.rules import Rules

AGE = Fitted(Hierarchy(lines=(("1", "low", "*"), ("2", "low", "*"), ("3", "high", "*"))), missing=False)
RULES = Rules(
    k=2,
    outliers="forbid",
    mask={"keep": ["sex"]},
    names=("age", "sex"),
    weights={"age": Fraction(3)},
    hierarchies={"age": AGE},
)


def test_costs_are_read_with_their_weights():
    assert RULES.star_cost("sex") == 1
    assert RULES.star_cost("age") == 3
    assert RULES.line_costs("age") == [[0, Fraction(3, 2), 3], [0, Fraction(3, 2), 3], [0, 0, 3]]


def test_the_star_lies_at_the_height_of_the_hierarchy():
    assert RULES.heights() == {"age": 2, "sex": 1}


def test_the_mask_is_read_over_these_heights():
    reading = RULES.reading()
    assert reading((1, 0))
    assert not reading((1, 1))
    assert reading((2, 1))  # full suppression is always allowed
