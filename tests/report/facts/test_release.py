"""Facts of a release: numbers as JSON holds them, and what a solver says told apart from advice."""

from fractions import Fraction

from incrowd.report.facts.release import notes_by_kind, number, peak_mb
from incrowd.tables.values import Advice


def test_whole_numbers_stay_whole():
    assert [number(Fraction(6, 2)), number(Fraction(1, 2))] == [3, 0.5]
    assert isinstance(number(Fraction(6, 2)), int)


def test_advice_is_told_apart_from_the_solvers_own_words():
    assert notes_by_kind(["found by x", Advice("try y")]) == {"solver_notes": ["found by x"], "advice": ["try y"]}


def test_the_memory_held_is_some_megabytes_where_the_system_tells():
    peak = peak_mb()
    assert peak is None or 1 < peak < 1e6
