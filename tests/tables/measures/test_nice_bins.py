"""Ranges of numbers and of class sizes: nothing is lost, nothing rare is named."""

import itertools
import random

import pytest

from incrowd.tables.measures.nice_bins import bins_of, interval_of, number_of, size_bins
from seeds import seeds


@pytest.mark.parametrize(("text", "number"), [("31", 31), ("-4", -4), ("2.5", 2.5), ("1e3", 1000), ("0", 0)])
def test_a_plain_number_is_one(text, number):
    assert number_of(text) == number


@pytest.mark.parametrize("text", ["007", "1_000", "nan", "inf", "", " 3", "3 ", "1,5", "12-345", "٣", None, "1e999"])
def test_a_code_or_a_word_is_no_number(text):
    assert number_of(text) is None


def test_few_values_or_words_need_no_ranges():
    assert bins_of([(str(i), 9) for i in range(12)], most=12, least=5) == []
    assert bins_of([*((str(i), 9) for i in range(20)), ("old", 9)], most=12, least=5) == []


@seeds(200)
def test_ranges_hold_every_row_once_and_at_least_as_many_as_asked(seed):
    rng = random.Random(seed)
    least = rng.choice([2, 5, 20])
    whole = rng.random() < 0.7
    numbers = {rng.randrange(-50, 5000) if whole else round(rng.gauss(0, 10), 3) for _ in range(rng.randrange(13, 300))}
    found = [(f"{n:g}" if not whole else str(n), rng.randrange(least, 4 * least)) for n in numbers]
    found = list(dict(found).items())
    if rng.random() < 0.5:
        found.append((None, rng.randrange(least, 9 * least)))
    bins = bins_of(found, most=12, least=least)
    if len([text for text, _ in found if text is not None]) <= 12:
        assert bins == []
        return
    assert 1 <= len([b for b in bins if b.low is not None]) <= 12
    assert sum(b.rows for b in bins) == sum(rows for _, rows in found)
    assert all(b.rows >= least for b in bins)
    ranges = [b for b in bins if b.low is not None]
    assert all(a.high <= b.low for a, b in itertools.pairwise(ranges))
    for b in ranges:
        inside = sum(rows for text, rows in found if text is not None and b.low <= float(text) < b.high)
        assert b.rows == inside


def test_ranges_are_round_and_read_well():
    bins = bins_of([(str(i), 5) for i in range(17, 91)], most=12, least=5)
    assert [b.label for b in bins][:3] == ["10 to 19", "20 to 29", "30 to 39"]


@seeds(100)
def test_sizes_double_from_the_first_and_count_everything(seed):
    rng = random.Random(seed)
    first = rng.choice([1, 2, 3, 5, 10])
    low = 1 if rng.random() < 0.3 else first
    sizes = sorted({rng.randrange(low, 40 * first) for _ in range(rng.randrange(1, 30))})
    pairs = [(size, rng.randrange(1, 50)) for size in sizes]
    bins = size_bins(pairs, first)
    assert sum(b["classes"] for b in bins) == sum(times for _, times in pairs)
    assert sum(b["rows"] for b in bins) == sum(size * times for size, times in pairs)
    assert all(a["to"] < b["from"] for a, b in itertools.pairwise(bins))
    assert bins[-1]["to"] == sizes[-1]
    assert all(b["from"] in {first << i for i in range(12)} | {1 << i for i in range(4)} for b in bins)
    assert not any(b["from"] < first <= b["to"] for b in bins)


def test_labels_of_ranges_are_read_as_intervals_and_nothing_else_is():
    closed = {"17": (17, 17), "20-29": (20, 29), "[17-34]": (17, 34), "[-5, 0)": (-5, 0), "1.5 to under 2": (1.5, 2)}
    ends = {">= 90": (90, None), "> 3": (3, None), "< 20": (None, 20), "<=-1": (None, -1)}
    for text, found in {**closed, **ends}.items():
        assert interval_of(text) == found, text
    for text in ("*", "", "{1, 2}", "30-20", "2001-02-03", "A-B", "1-", ">= x", "1e999-2e999", "007"):
        assert interval_of(text) is None, text
