"""The classes of a table as it is, against a plain count of its rows."""

import random
from collections import Counter

from audited import classes_of
from seeds import seeds


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
