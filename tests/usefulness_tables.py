"""Small tables in codes, for the tests beside this file."""

import numpy as np

from incrowd.tables.usefulness.coded_tables import CodedTables, coded_column

STAR = "*"


def coded(original, released, *, rows=None, released_rows=None):
    """Tables of text cells; `released` may show stars, which stand for every value of their column."""
    columns, before, after = [], [], []
    for j, cells in enumerate(zip(*original, strict=True)):
        values = tuple(dict.fromkeys(cells))
        shown = [line[j] for line in released]
        labels = tuple(dict.fromkeys(shown))
        columns.append(coded_column(f"c{j}", values, labels, changing=True, star=STAR))
        before.append([values.index(cell) for cell in cells])
        after.append([labels.index(cell) for cell in shown])
    return CodedTables(
        tuple(columns),
        np.array(before, np.int32).T,
        np.array(rows if rows is not None else [1] * len(original), np.int64),
        np.array(after, np.int32).T,
        np.array(released_rows if released_rows is not None else [1] * len(released), np.int64),
    )


def drawn_lines(seed, n=400, sizes=(3, 4, 2)):
    """Random rows of text."""
    rng = np.random.default_rng(seed)
    return [tuple(f"{'abc'[j]}{rng.integers(size)}" for j, size in enumerate(sizes)) for _ in range(n)]
