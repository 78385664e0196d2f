"""What lies behind the labels of ranges, against a count of the rows themselves."""

import dataclasses
import random
from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import OurBug
from incrowd.tables.measures.range_values import behind, count_stars
from seeds import seeds


def told(rows, groups, j, place):
    """Per row: rows with its value, values behind its cell, rows with any of them, share of the domain, star."""
    column = [row[j] for row in rows]
    domain = set(column)
    for row, group in zip(rows, groups, strict=True):
        mine = {r[j] for r, g in zip(rows, groups, strict=True) if g == group}
        own = column.count(row[j])
        if len(mine) == 1:
            yield own, 1, own, Fraction(0), False
        elif place is None or None in mine:
            yield own, len(domain), len(rows), Fraction(1), True
        else:
            low, high = min(map(place.get, mine)), max(map(place.get, mine))
            inside = {v for v in domain if low <= place[v] <= high}
            numbers = [at for v, at in place.items() if v is not None]
            share = Fraction(high - low, max(max(numbers) - min(numbers), 1))
            yield own, len(inside), sum(column.count(v) for v in inside), share, False


@seeds(60)
def test_what_a_cell_stands_for_is_what_its_class_spans(release_of, seed):
    """One column of texts and one of numbers; classes by the first column or all rows, each under its own pattern."""
    rng = random.Random(seed)
    rows = [(rng.choice("ab"), rng.choice("pqr"), rng.choice(["1", "2", "5", "9", None])) for _ in range(12)]
    vectors = [(0, 1, 1) if row[0] == "a" else (1, 1, 1) for row in rows]
    made = release_of(rows, vectors)
    groups = [row[0] for row in rows]
    types = made.context.types
    values = sorted({row[2] for row in rows}, key=lambda v: (v is not None, v or ""))
    place = {v: 0 if v is None else int(v) for v in values}
    line = np.array([place[v] for v in values], np.int64)
    context = dataclasses.replace(made.context, ranges=True, places=(None, None, line), memo={})
    found = behind(made.release, context)
    assert behind(made.release, context) is found
    assert types.m == len(found) == 3
    for j, column in enumerate(found):
        mine = place if j == 2 else None
        wanted = sorted(
            (own, values, below, float(share), star) for own, values, below, share, star in told(rows, groups, j, mine)
        )
        lines = zip(column.own, column.values, column.below, column.share, column.star, column.rows, strict=True)
        parts = [(int(o), int(v), int(b), float(s), bool(star)) for o, v, b, s, star, n in lines for _ in range(n)]
        assert [one[:3] + one[4:] for one in sorted(parts)] == [one[:3] + one[4:] for one in wanted]
        assert [one[3] for one in sorted(parts)] == pytest.approx([one[3] for one in wanted])
        assert column.size == len({row[j] for row in rows})


def test_stars_are_counted_among_the_released_cells(release_of):
    made = release_of([("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")], [(0, 1), (0, 1), (1, 1), (1, 1)])
    assert count_stars(made.release) == ([2, 4], 2)


def test_without_the_row_types_it_says_that_it_is_our_bug(release_of):
    made = release_of([("a",), ("a",)], [(0,), (0,)])
    with pytest.raises(OurBug, match="row types"):
        behind(made.release, dataclasses.replace(made.context, types=None, memo={}))
