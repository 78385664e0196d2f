"""What a release still shows: its own counts, and of the original no more than was promised."""

import random
from collections import Counter

import pytest

from incrowd.tables.measures.shown_values import shown_values
from seeds import few_of, seeds

TREES = [
    "ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine", "rowan", "spruce", "willow", "yew",
]  # fmt: skip


def drawn(seed, n=None):
    """Rows over a numeric and a worded column, and a level vector each."""
    rng = random.Random(seed)
    n = n or rng.randrange(5, 400)
    words = rng.sample(TREES, rng.randrange(1, 14))
    rows = [(str(rng.randrange(18, 18 + rng.choice([3, 60]))), rng.choice([*words, None])) for _ in range(n)]
    vectors = [(int(rng.random() < 0.3), int(rng.random() < 0.3)) for _ in rows]
    return rows, vectors


@seeds(10, 3)
def test_counts_are_the_releases_own_and_add_up(release_of, seed):
    rows, vectors = drawn(seed)
    made = release_of(rows, vectors)
    least = random.Random(seed).choice([2, 3, 8])
    for j, column in enumerate(shown_values(made.release, made.context, least=least)):
        after = Counter(row[j] for row, vector in zip(rows, vectors, strict=True) if not vector[j])
        starred = sum(vector[j] for vector in vectors)
        assert column.starred == starred
        assert column.distinct_before == len({row[j] for row in rows})
        named = sum(value.rows for value in column.values)
        rest = len(rows) - starred - named
        assert column.pooled_rows == (rest if rest >= least else 0)
        assert all(value.rows >= least for value in column.values)
        for value in column.values:
            if value.label in after or value.label is None:
                assert value.rows == after[value.label]
        rare = {str(v) for v, count in after.items() if count < least} - {
            str(v) for v, c in after.items() if c >= least
        }
        assert not rare & {value.label for value in column.values}


@pytest.mark.parametrize("seed", few_of(range(6), 2))
def test_a_band_holds_the_share_before_and_is_wide(release_of, seed):
    rows, vectors = drawn(seed)
    made = release_of(rows, vectors)
    least = 5
    for j, column in enumerate(shown_values(made.release, made.context, least=least)):
        before = Counter(row[j] for row in rows)
        for value in column.values:
            if value.before is None:
                assert 0.5 * len(rows) < 4 * least
                continue
            low, high = value.before
            assert (high - low) * len(rows) >= 4 * least - 1e-6
            if value.label is None or value.label in before:
                count = before[value.label]
            else:
                first, last = value.label.split(" to ")
                count = sum(n for v, n in before.items() if v is not None and int(first) <= int(v) <= int(last))
            assert low <= count / len(rows) <= high


def test_a_small_table_says_nothing_of_the_original(release_of):
    rows = [("20", "oak")] * 8 + [("30", "elm")] * 8
    made = release_of(rows, [(0, 0)] * 16)
    shown = shown_values(made.release, made.context, least=2)
    assert all(value.before == (0.5, 1.0) for column in shown for value in column.values)
    shown = shown_values(made.release, made.context, least=3)
    assert all(value.before is None for column in shown for value in column.values)


def test_what_stars_hide_is_not_named(release_of):
    rows = [("20", "oak")] * 6 + [("21", "elm")] * 6
    made = release_of(rows, [(0, 0)] * 6 + [(1, 1)] * 6)
    age, tree = shown_values(made.release, made.context, least=3)
    assert [v.label for v in age.values] == ["20"]
    assert [v.label for v in tree.values] == ["oak"]
    assert age.starred == tree.starred == 6


def test_more_values_than_fit_are_pooled_with_their_rows(release_of):
    rows = [(f"w{i}", "x") for i in range(20) for _ in range(3 + (i < 5))]
    made = release_of(rows, [(0, 0)] * len(rows))
    column, _ = shown_values(made.release, made.context, least=2)
    assert len(column.values) == 12
    assert [v.rows for v in column.values] == [4] * 5 + [3] * 7
    assert (column.pooled_values, column.pooled_rows) == (8, 24)


def test_null_is_a_value_of_its_own_and_comes_last(release_of):
    rows = [(None, "x")] * 5 + [("7", "x")] * 3 + [("30", "x")] * 4
    made = release_of(rows, [(0, 0)] * 12)
    column, _ = shown_values(made.release, made.context, least=2)
    assert [(v.label, v.rows) for v in column.values] == [("7", 3), ("30", 4), (None, 5)]


def test_stars_written_as_null_are_no_value(release_of):
    rows = [("a", "x")] * 3 + [("b", "x")] * 3
    made = release_of(rows, [(0, 0)] * 3 + [(1, 0)] * 3, star=None, as_text=False)
    column, _ = shown_values(made.release, made.context, least=2)
    assert [(v.label, v.rows) for v in column.values] == [("a", 3)]
    assert column.starred == 3
