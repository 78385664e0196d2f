"""Which level vector each original row is released at, so that the released rows are the original's, each once.

A suggestion: the program that is proved makes the released rows from it and compares. Nothing rests on it but whether a
release that is good is accepted.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Levels


MOST_READINGS = 1 << 16

Vector = tuple[int, ...]
Line = tuple[int, ...]


def vectors_for(
    labels: Sequence[Sequence[Sequence[int]]],
    levels: Sequence[Levels],
    allows: Callable[[Vector], bool],
    rows: NDArray[np.int64],
    released: NDArray[np.int64],
) -> list[Vector] | None:
    """Return a level vector for every original row; None where there is no assignment.

    `labels` hold, by column and by value, the label at every level; `levels`, of length m, hold what showing a value
    costs; `allows` says whether the mask allows a vector. It takes O(p t m) for p vectors in use and t kinds of
    original rows, and a maximum flow over the pairs of kinds that fit. `rows`: (n, m + 1) int64, values and a number
    for the other columns. `released`: (n, m + 1) int64, labels and that number.
    """
    m = rows.shape[1] - 1
    tables = [np.array(column, np.int64) for column in labels]
    cheap = _readings(tables, levels)
    before, place, supply = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    wanted = Counter(map(tuple, released.tolist()))
    at: dict[Vector, dict[Line, int]] = defaultdict(dict)
    chosen: list[Vector] = []
    for number, line in enumerate(wanted):
        vector = _read(line[:m], cheap, allows)
        if vector is None:
            return None
        at[vector][line] = number
        chosen.append(vector)
    ends: list[tuple[int, int]] = []
    for vector, lines in at.items():
        shown = [tables[j][before[:, j], level] for j, level in enumerate(vector)]
        made = np.stack([*shown, before[:, m]], axis=1).tolist()
        ends += [(i, lines[line]) for i, line in enumerate(map(tuple, made)) if line in lines]
    flows = _flow(ends, supply.tolist(), list(wanted.values()))
    given: list[list[Vector]] = [[] for _ in supply]
    for (i, number), amount in flows:
        given[i] += [chosen[number]] * amount
    if [len(one) for one in given] != supply.tolist():
        return None
    turns = [iter(one) for one in given]
    return [next(turns[i]) for i in place.reshape(-1).tolist()]


def _readings(tables: Sequence[NDArray[np.int64]], levels: Sequence[Levels]) -> list[dict[int, list[tuple[int, int]]]]:
    """Return per column and label the levels at which it stands, with what they cost, cheapest first."""
    found = []
    for table, level in zip(tables, levels, strict=True):
        here: dict[int, set[tuple[int, int]]] = defaultdict(set)
        for value, line in enumerate(table.tolist()):
            for x, label in enumerate(line):
                here[label].add((int(level.cost[x, value]), x))
        found.append({label: sorted(some) for label, some in here.items()})
    return found


def _read(
    line: Line, cheap: Sequence[dict[int, list[tuple[int, int]]]], allows: Callable[[Vector], bool]
) -> Vector | None:
    """Return the cheapest vector of the mask at which a released row may stand."""
    ways = [column.get(label, []) for label, column in zip(line, cheap, strict=True)]
    tried = itertools.islice(itertools.product(*ways), MOST_READINGS)
    good = [(sum(c for c, _ in way), tuple(x for _, x in way)) for way in tried if allows(tuple(x for _, x in way))]
    return min(good)[1] if good else None


def _flow(ends: list[tuple[int, int]], supply: list[int], demand: list[int]) -> list[tuple[tuple[int, int], int]]:
    """Return how many rows go along every pair in a greatest flow."""
    givers, takers = len(supply), len(demand)
    source, sink = givers + takers, givers + takers + 1
    edges = [(i, givers + r, min(supply[i], demand[r])) for i, r in ends]
    edges += [(source, i, amount) for i, amount in enumerate(supply)]
    edges += [(givers + r, sink, amount) for r, amount in enumerate(demand)]
    tails, heads, room = (np.array(side, np.int32) for side in zip(*edges, strict=True))
    graph = csr_array((room, (tails, heads)), shape=(sink + 1, sink + 1))
    flow = csr_array(maximum_flow(graph, source, sink).flow)
    along = flow[tails[: len(ends)], heads[: len(ends)]] if ends else np.zeros(0, np.int64)
    return [(end, int(amount)) for end, amount in zip(ends, np.asarray(along).ravel().tolist(), strict=True) if amount]
