"""Cramer's V of both tables, and its bins."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from incrowd.progress import Watch
from incrowd.tables.usefulness import associations as module
from incrowd.tables.usefulness.associations import associations, bins_of, cramers_v
from incrowd.tables.usefulness.coded_tables import coded_column
from seeds import seeds
from usefulness_tables import coded, drawn_lines


@seeds(100, 20)
def test_v_is_that_of_the_chi_squared_statistic(seed):
    from scipy.stats.contingency import association

    table = np.random.default_rng([5, seed]).integers(1, 20, (3, 4))
    assert cramers_v(table.astype(float)) == pytest.approx(association(table, "cramer", correction=False))


def test_v_is_one_for_a_function_and_nothing_for_one_category():
    assert cramers_v(np.eye(3) * 7) == pytest.approx(1)
    assert cramers_v(np.array([[3.0, 0.0], [5.0, 0.0]])) == 0


def test_stars_in_a_column_take_its_associations_away():
    lines = [(f"x{i % 3}", f"y{i % 3}") for i in range(300)]
    found = associations(coded(lines, [(x, "*") for x, _ in lines]), seed=0)
    assert (found.pairs, found.furthest) == (1, ("c0", "c1"))
    assert found.of_original == pytest.approx(1)
    assert found.of_release == pytest.approx(0, abs=1e-6)
    assert found.mean == found.largest == pytest.approx(1)
    assert found.mean_of_noise == pytest.approx(0)


def test_an_unchanged_table_keeps_them_all():
    lines = drawn_lines(2)
    found = associations(coded(lines, lines), seed=0)
    assert found.pairs == 3
    assert found.largest < 1e-9 < found.mean_of_noise


def test_one_column_has_no_pair_and_a_stopped_watch_none_either():
    assert associations(coded([("x",), ("y",)], [("x",), ("y",)]), seed=0).pairs == 0
    watch = Watch()
    watch.limit(0)
    assert associations(coded(drawn_lines(3), drawn_lines(3)), seed=0, watch=watch).pairs == 0


def test_of_many_pairs_a_sample_is_looked_at(monkeypatch):
    monkeypatch.setattr(module, "MOST_PAIRS", 2)
    assert associations(coded(drawn_lines(2), drawn_lines(2)), seed=0).pairs == 2


def column_of(values):
    return coded_column("c", values, values, changing=False, star="*")


def test_numbers_fall_into_ranges_of_like_many_rows_and_rare_texts_into_one_bin():
    numbers = column_of(tuple(str(i) for i in range(100)))
    bins = bins_of(numbers, np.ones(100))
    assert (np.diff(bins) >= 0).all()
    assert np.bincount(bins).min() >= 4
    assert bins.max() + 1 <= module.MOST_BINS
    texts = column_of(tuple("".join(pair) for pair in itertools.product("abcdef", repeat=2)))
    rows = np.arange(36.0)
    bins = bins_of(texts, rows)
    alone = [value for value in range(36) if (bins == bins[value]).sum() == 1]
    assert alone == list(range(36 - module.MOST_BINS + 1, 36))
