"""The classes of a table as it is, against a plain count of its rows."""

import random
from collections import Counter
from functools import reduce
from operator import or_

from audited import classes_of
from seeds import seeds


def test_codes_of_many_columns_share_several_words(engine):
    rows = [tuple(f"{i * (j + 1) % 53}" for j in range(23)) for i in range(53)]
    classes = classes_of(engine, rows, 23)
    words = {place.word for place in classes.bits}
    assert len(words) == 3
    assert all(place.shift >= 0 and place.shift + place.width <= 62 for place in classes.bits)
    for word in words:
        masks = [place.mask for place in classes.bits if place.word == word]
        assert sum(masks) == reduce(or_, masks)
    grown = classes_of(engine, rows + rows[:7], 23)
    assert grown.sizes.classes == ((1, 46), (2, 7))


def test_values_are_counted_per_class_and_sorted(engine):
    rows = [("a", "x"), ("a", "x"), ("a", None), ("b", "x")]
    found = classes_of(engine, rows, 1).values("q1")
    pairs = list(zip(found.group.tolist(), found.value.tolist(), strict=True))
    assert pairs == sorted(pairs)
    assert sorted(found.rows.tolist()) == [1, 1, 2]
    assert len(set(found.group.tolist())) == 2


@seeds(30)
def test_kinds_are_counted_per_class_in_the_order_of_their_values(engine, seed):
    """Two sensitive columns; fully suppressed rows are a class of their own under either rule."""
    rng = random.Random(seed)
    rows = [(rng.choice(["a", "*", None]), rng.choice(["x", "y", None]), rng.choice("uv")) for _ in range(20)]
    found = classes_of(engine, rows, 1, outliers=rng.choice(["forbid", "suppress"])).kinds(["q1", "q2"])
    codes = found.domain.sensitive.codes
    kinds = [tuple(found.domain.values[j][code] for j, code in enumerate(line)) for line in codes.tolist()]
    assert dict(zip(kinds, found.domain.counts.tolist(), strict=True)) == Counter(row[1:] for row in rows)
    told = {}
    for group, kind, count in zip(found.group.tolist(), found.kind.tolist(), found.rows.tolist(), strict=True):
        told.setdefault(group, {})[kinds[kind]] = count
    plain = {}
    for row in rows:
        plain.setdefault(row[0], Counter())[row[1:]] += 1
    assert found.classes == len(plain)
    assert sorted(map(sorted, map(str, told.values()))) == sorted(map(sorted, map(str, map(dict, plain.values()))))
