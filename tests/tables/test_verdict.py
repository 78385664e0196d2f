"""What a recount found, as values."""

from fractions import Fraction

from incrowd.tables.verdict import Verdict, Violation


def test_violations_are_the_same_when_rule_and_counts_are():
    assert Violation("mask", 3, 1, "fewer") == Violation("mask", 3, 1, "more")
    assert Violation("mask", 3, 1) != Violation("mask", 2, 1)
    assert repr(Violation("k=2", 1, 1)) == "Violation(rule='k=2', count=1, example_group_size=1)"


def test_a_verdict_is_good_when_nothing_is_broken():
    counts = {"rows": 4, "classes": 2, "smallest": 2, "largest": 2, "outliers": 0}
    zero = {"suppressed_cells": (0, 0), "cost": (Fraction(0), Fraction(0))}
    assert Verdict((), **counts, **zero).ok
    assert not Verdict((Violation("k=3", 2, 2),), **counts, **zero).ok
