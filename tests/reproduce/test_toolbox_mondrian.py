"""The toolbox's cuts, against a plain one row by row."""

import dataclasses

import numpy as np

from incrowd.progress import Watch
from incrowd.reproduce.data_sets import DataSet
from incrowd.reproduce.measure import cut_regions, pose
from incrowd.tables.mask import Mask
from seeds import seeds


def posed(rows, k, numeric=()):
    names = tuple("pqrs"[: len(rows[0])])
    data = DataSet(
        name="t", columns=names, numeric=numeric, rows=len(rows), file=None, source="", reader=lambda _: iter(rows)
    )
    return dataclasses.replace(pose(data, rows, Mask()), k=k)


def plain(rows, k):
    """Parts as sorted lists of rows, which are tuples of whole numbers."""

    def split(part, region):
        widths = [
            (-(high - low) / max(most - least, 1), j)
            for j, ((low, high), (least, most)) in enumerate(zip(region, whole, strict=True))
        ]
        for width, j in sorted(widths):
            median = sorted(row[j] for row in part)[(len(part) + 1) // 2 - 1]
            left, right = [row for row in part if row[j] <= median], [row for row in part if row[j] > median]
            if width < 0 and len(left) >= k and len(right) >= k:
                (low, high) = region[j]
                lower, upper = list(region), list(region)
                lower[j], upper[j] = (low, median), (median, high)
                return [*split(left, lower), *split(right, upper)]
        return [sorted(part)]

    whole = [(min(column), max(column)) for column in zip(*rows, strict=True)]
    return sorted(split(rows, whole))


@seeds(100)
def test_parts_are_those_of_the_plain_cuts(seed):
    rng = np.random.default_rng([31, seed])
    rows = [tuple(map(int, row)) for row in rng.integers(0, (3, 5, 9), (30, 3))]
    sizes = [sorted({row[j] for row in rows}) for j in range(3)]
    codes = [tuple(sizes[j].index(row[j]) for j in range(3)) for row in rows]
    problem = posed([tuple(map(str, row)) for row in codes], 2 + seed % 4)
    parts = cut_regions(problem, Watch())
    found = []
    for begin, end in zip(parts.begins[:-1], parts.begins[1:], strict=True):
        here = [
            tuple(problem.types.codes[i].tolist())
            for i, number in zip(parts.types[begin:end], parts.rows[begin:end], strict=True)
            for _ in range(number)
        ]
        found.append(sorted(here))
    assert sorted(found) == plain(codes, problem.k)


def test_the_region_counts_and_not_the_rows_in_it():
    # After the first cut the right half reaches from 0 to 9 in p, where its rows lie from 8 to 9; q is cut otherwise.
    rows = [("0", "0")] * 4 + [("8", "0"), ("8", "4"), ("9", "0"), ("9", "4"), ("9", "5")]
    problem = posed(rows, 2, numeric=("p", "q"))
    parts = cut_regions(problem, Watch())
    shown = [
        sorted(problem.types.codes[parts.types[a:b], 0].tolist())
        for a, b in zip(parts.begins[:-1], parts.begins[1:], strict=True)
    ]
    assert [0] in shown and not any({1, 2} <= set(part) for part in shown)


def test_stopped_it_leaves_the_table_whole():
    problem = posed([("0",), ("1",), ("2",), ("3",)], 1)
    watch = Watch()
    watch.interrupt()
    assert cut_regions(problem, watch).count == 1
