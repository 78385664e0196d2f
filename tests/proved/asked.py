"""Small problems put to the program that is proved."""

from fractions import Fraction

import numpy as np

from incrowd.proved.question import Question
from incrowd.proved.requirements import Required


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


def rows_of(table, others=0):
    """The original's rows; their other columns say the same, or what is told of each row type."""
    lines = np.column_stack([table.codes, np.zeros(len(table.codes), int) + others])
    return np.repeat(lines, table.counts, axis=0).astype(np.int64)


def question(table, claim=None, sens=None, **more):
    """With sensitive values of the row types: no value may have more than half of a class."""
    others = 0
    if sens is not None:
        kinds, others = np.unique(sens, axis=0, return_inverse=True)
        others, number = others.reshape(-1), len(kinds)
        values = [np.unique(column, return_inverse=True)[1] for column in kinds.T]
        rules = [(("shares", code.tolist(), [Fraction(1, 2)] * int(code.max() + 1)),) for code in values]
        more["required"] = Required(rules, np.arange(number))
    return Question(
        k=table.k, suppress=table.outliers == "suppress", labels=labels_of(table.levels), levels=table.levels,
        allows=table.mask.allows, rows=rows_of(table, others), claim=claim, **more,
    )  # fmt: skip
