"""Telling released rows from original ones."""

from __future__ import annotations

import pytest

from incrowd.tables.usefulness.distinction import distinction
from usefulness_tables import coded, drawn_lines


@pytest.fixture(autouse=True, scope="module")
def sklearn():
    """Skip where it is missing; it takes long to import, so not while tests are collected."""
    return pytest.importorskip("sklearn")


LINES = drawn_lines(7, n=600)


def test_an_unchanged_table_is_as_hard_to_tell_as_another_sample():
    found = distinction(coded(LINES, LINES), seed=1)
    assert found.rows == 600
    assert found.pmse < 0.01
    assert found.pmse_of_noise < 0.01
    assert found.ratio == pytest.approx(found.pmse / found.expected)


def test_another_table_is_told_at_once():
    released = [("a0", "b0", "c0")] * 600
    found = distinction(coded(LINES, released), seed=1)
    assert found.pmse > 0.1
    assert found.pmse <= 0.25
    assert found.ratio > 20


def test_the_expectation_is_that_of_the_paper():
    # 2 + 3 + 1 features, two tables of 600 rows each: (k - 1) (1 - c)^2 c / N
    assert distinction(coded(LINES, LINES), seed=1).expected == pytest.approx(6 / 8 / 1200)
