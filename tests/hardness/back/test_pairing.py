"""Released rows in any order find rows that they are a release of."""

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.hardness.back import pairing
from incrowd.hardness.back.pairing import in_order
from incrowd.hardness.values import Table
from seeds import seeds


@seeds(300)
def test_a_shuffled_release_costs_the_same_and_has_the_same_classes_in_size(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    rows = tuple((*(str(c) for c in rng.integers(0, 3, 3)), str(rng.integers(0, 2))) for _ in range(n))
    table = Table(quasi_identifiers=("a", "b", "c"), sensitive=("s",), rows=rows)
    cut = sorted(rng.choice(np.arange(1, n), int(rng.integers(0, n)), replace=False).tolist())
    released = table.released([range(a, b) for a, b in zip([0, *cut], [*cut, n], strict=True)])
    shuffled = [released[int(i)] for i in rng.permutation(n)]
    found = in_order(table, shuffled)
    assert sorted(found) == sorted(released)
    assert table.cost(found) == table.cost(released)


def test_what_is_no_release_in_any_order_is_refused():
    table = Table(quasi_identifiers=("a",), sensitive=("s",), rows=(("x", "1"), ("y", "2"), ("y", "3")))
    assert in_order(table, [("*", "2"), ("x", "1"), ("y", "3")]) == (("x", "1"), ("*", "2"), ("y", "3"))
    for other in ([("z", "1"), ("y", "2"), ("y", "3")], [("x", "2"), ("y", "1"), ("y", "3")]):
        with pytest.raises(InputError, match="no release of this table"):
            in_order(table, other)
    with pytest.raises(InputError, match="has 3 rows, not 1"):
        in_order(table, [("x", "1")])


def test_too_much_to_sort_asks_for_the_tables_order(monkeypatch):
    monkeypatch.setattr(pairing, "MOST_ROWS", 1)
    table = Table(quasi_identifiers=("a",), rows=(("x",), ("y",)))
    assert in_order(table, [("x",), ("y",)])
    with pytest.raises(InputError, match="--keep-order"):
        in_order(table, [("y",), ("x",)])
