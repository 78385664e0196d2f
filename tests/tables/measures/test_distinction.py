import itertools
import random
from collections import Counter

import pyarrow as pa

from incrowd.tables.measures.distinction import BATCH, Apart, pairs_to_ask, tell_apart
from seeds import seeds


def ask(engine, rows, sets, sizes=None):
    m = len(rows[0])
    columns = [pa.array([row[j] for row in rows], pa.string()) for j in range(m)]
    names = [f"c{j}" for j in range(m)]
    table = engine.put(pa.table([*columns, pa.array(sizes or [1] * len(rows), pa.int64())], names=[*names, "size"]))
    return [one for some in tell_apart(engine, table, [[table[f"c{j}"] for j in one] for one in sets]) for one in some]


def plain(rows, columns):
    shown = [tuple(row[j] for j in columns) for row in rows]
    counts = Counter(shown)
    alike = sum(1 for a, b in itertools.permutations(range(len(rows)), 2) if shown[a] == shown[b])
    return Apart(len(rows), len(counts), sum(1 for c in counts.values() if c == 1), alike)


ROWS = [("a", "x"), ("a", "y"), ("a", "y"), ("b", "x")]


def test_a_column_and_a_pair_by_hand(engine):
    first, both = ask(engine, ROWS, [[0], [0, 1]])
    assert first == Apart(rows=4, distinct=2, unique=1, alike=6)
    assert (first.distinction, first.separation) == (2 / 4, (12 - 6) / 12)
    assert both == Apart(rows=4, distinct=3, unique=2, alike=2)
    assert (both.distinction, both.separation) == (3 / 4, 10 / 12)


def test_no_column_tells_nothing_apart(engine):
    assert ask(engine, ROWS, [[]]) == [Apart(rows=4, distinct=1, unique=0, alike=12)]
    assert ask(engine, ROWS[:1], [[]]) == [Apart(rows=1, distinct=1, unique=1, alike=0)]


def test_a_single_row_has_no_pair_to_separate(engine):
    assert ask(engine, ROWS[:1], [[0]])[0].separation is None


def test_null_is_a_value(engine):
    assert ask(engine, [(None,), (None,), ("a",)], [[0]]) == [Apart(3, 2, 1, 2)]


def test_pairs_of_rows_beyond_64_bits_are_exact(engine):
    found = ask(engine, [("a",), ("b",)], [[0]], sizes=[4_000_000_007, 1])[0]
    assert found.alike == 4_000_000_007 * 4_000_000_006
    assert found.rows == 4_000_000_008


@seeds(40)
def test_it_agrees_with_plain_python_on_every_set_of_columns(engine, seed):
    rng = random.Random(seed)
    m, n = rng.randint(1, 5), rng.randint(1, 25)
    rows = [tuple(rng.choice([None, "", "a", "b", "*"]) for _ in range(m)) for _ in range(n)]
    sets = [list(some) for size in range(m + 1) for some in itertools.combinations(range(m), size)]
    assert ask(engine, rows, sets) == [plain(rows, columns) for columns in sets]


def test_more_sets_than_a_batch_come_back_in_order(engine):
    rows = [tuple(str(i % (j + 1)) for j in range(9)) for i in range(60)]
    sets = list(itertools.combinations(range(9), 2))
    assert len(sets) > BATCH
    assert ask(engine, rows, sets) == [plain(rows, columns) for columns in sets]


def test_all_pairs_are_asked_up_to_a_number_of_columns_and_then_those_of_the_most_telling():
    apart = [Apart(10, 2, 0, 40), Apart(10, 9, 8, 2), Apart(10, 1, 0, 90), Apart(10, 5, 2, 12)]
    every = pairs_to_ask(apart, columns=4, most=99)
    assert sorted(every) == list(itertools.combinations(range(4), 2))
    assert every[0] == (1, 3)
    assert pairs_to_ask(apart, columns=3, most=99) == [(1, 3), (0, 1), (0, 3)]
    assert pairs_to_ask(apart, columns=3, most=1) == [(1, 3)]
    assert pairs_to_ask(apart[:1], columns=3, most=1) == []
