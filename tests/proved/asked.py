"""Small problems put to the program that is proved."""

import numpy as np

from incrowd.proved.question import Question


def labels_of(levels):
    """Labels told apart by level, for tables that have none: value v is v + 1, nodes above it the numbers after."""
    found = []
    for level in levels:
        d, seen, column = level.up.shape[1], {}, []
        for v in range(d):
            above = [
                seen.setdefault((x, int(level.up[x, v])), d + 1 + len(seen)) for x in range(1, level.height)
            ]  # fmt: skip
            column.append([v + 1, *above, 0])
        found.append(column)
    return found


def rows_of(table):
    """The original's rows, all of other columns that say the same."""
    lines = np.column_stack([table.codes, np.zeros(len(table.codes), int)])
    return np.repeat(lines, table.counts, axis=0).astype(np.int64)


def question(table, claim=None, **more):
    return Question(
        k=table.k, suppress=table.outliers == "suppress", labels=labels_of(table.levels), levels=table.levels,
        allows=table.allows, rows=rows_of(table), claim=claim, **more,
    )  # fmt: skip
