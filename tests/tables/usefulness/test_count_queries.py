"""Random counts: right where nothing changed, off by what stars hide, and off by chance in another sample."""

from __future__ import annotations

import pytest

from incrowd.progress import Watch
from incrowd.tables.usefulness import figures as module
from incrowd.tables.usefulness.figures import count_errors
from usefulness_tables import coded, drawn_lines

LINES = drawn_lines(1)


def test_an_unchanged_table_answers_every_count_rightly():
    found = count_errors(coded(LINES, LINES), seed=0, queries=100)
    assert found.queries == 100
    assert found.mean == found.mean_by_shares == 0
    assert 0.01 < found.mean_of_noise < 0.3


def test_stars_of_a_uniform_column_cost_little_and_of_a_skewed_one_much():
    even = [(f"v{i % 4}",) for i in range(400)]
    skewed = [("v0",) if i < 340 else (f"v{i % 3 + 1}",) for i in range(400)]
    stars = [("*",)] * 400
    assert count_errors(coded(even, stars), seed=0, queries=50, least=1).mean == 0
    off = count_errors(coded(skewed, stars), seed=0, queries=50, least=1)
    assert off.mean > 0.5
    assert off.mean_by_shares < 1e-9


def test_one_count_is_what_a_pencil_finds():
    # two values, one column: a count asks for one of them; 30 and 10 rows, all stars: 20 for either
    tables = coded([("x",), ("y",)], [("*",)], rows=[30, 10], released_rows=[40])
    found = count_errors(tables, seed=3, queries=200, least=1)
    assert 1 / 3 < found.mean < 1
    assert found.median in (10 / 30, 10 / 10)


def test_answers_are_the_same_however_much_is_counted_together(monkeypatch):
    tables = coded(LINES, [("*", *line[1:]) for line in LINES])
    found = []
    for cells, kept in ((0, 0), (1 << 18, 0), (1 << 18, 1 << 22)):
        monkeypatch.setattr(module, "MOST_CELLS", cells)
        monkeypatch.setattr(module, "KEPT", kept)
        found.append(count_errors(tables, seed=2, queries=60))
    for other in found[1:]:
        for name in other.__slots__:
            assert getattr(other, name) == pytest.approx(getattr(found[0], name)), name


def test_rare_selections_are_not_asked():
    found = count_errors(coded([("x",), ("y",)], [("x",), ("y",)]), seed=0, queries=10)
    assert (found.queries, found.mean) == (0, 0)


def test_the_seed_decides_and_a_stopped_watch_ends_it():
    released = [("*", *line[1:]) for line in LINES]
    tables = coded(LINES, released)
    assert count_errors(tables, seed=5, queries=40) == count_errors(tables, seed=5, queries=40)
    assert count_errors(tables, seed=5, queries=40) != count_errors(tables, seed=6, queries=40)
    watch = Watch()
    watch.limit(0)
    assert count_errors(tables, seed=5, watch=watch).queries == 0


def test_numbers_are_asked_for_in_intervals():
    lines = [(str(i % 50),) for i in range(2000)]
    starred = [("*",)] * 2000
    assert count_errors(coded(lines, starred), seed=0, queries=60).mean < 1e-9
