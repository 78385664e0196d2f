"""What a recount hands out."""

from fractions import Fraction

from incrowd.results.check import Checked, Violations
from incrowd.tables.verdict import Violation


def test_the_violations_are_a_list_that_is_empty_for_a_good_release():
    assert Violations.of(Checked(())) == [] and not Violations.of(Checked(()))
    one = Violation("k=2", 3, 1)
    assert Violations.of(Checked((one,))) == [one]


def test_the_list_carries_what_was_recounted_of_a_certificate():
    checked = Checked((), Fraction(7, 2), Fraction(3), True, "k-anonymity", 5, ("one note",))
    found = Violations.of(checked)
    assert (found.cost, found.lower_bound, found.proven) == (Fraction(7, 2), 3, True)
    assert (found.question, found.k, found.notes) == ("k-anonymity", 5, ("one note",))


def test_without_a_certificate_nothing_is_said_of_cost_and_bound():
    found = Violations.of(Checked((), notes=("read as text",)))
    assert (found.cost, found.lower_bound, found.proven, found.question, found.k) == (None,) * 5
    assert found.notes == ("read as text",)
