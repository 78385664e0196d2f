"""Small random problems for k = 2, by family and seed."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

import numpy as np

from incrowd.tables.values import Levels, Problem, RowTypes
from oracles.pattern_lists import PatternList

FAMILIES = ("plain", "weighted", "hierarchy", "mask", "diverse", "ties", "duplicates", "outliers")


@dataclass
class Drawn:
    types: RowTypes
    levels: tuple
    vectors: list | None
    outliers: str
    sens: np.ndarray | None
    patterns: PatternList = field(init=False)

    def __post_init__(self):
        self.patterns = PatternList([level.height for level in self.levels], self.vectors)

    @property
    def problem(self):
        names = tuple(f"c{j}" for j in range(len(self.levels)))
        return Problem(self.types, self.levels, self.patterns, 2, self.outliers, 1, (), names)


def draw(family: str, seed: int, rows=(3, 8)) -> Drawn:
    rng = np.random.default_rng([seed, FAMILIES.index(family)])
    n = int(rng.integers(rows[0], rows[1] + 1))
    m = int(rng.integers(1, 6))
    d = 2 if family == "ties" else int(rng.integers(2, 5))
    if family == "duplicates":
        m, d = int(rng.integers(1, 4)), int(rng.integers(2, 4))
    trees = family == "hierarchy" or (family in ("mask", "diverse", "outliers") and rng.random() < 0.5)
    if trees:
        m = min(m, 3)
    table = rng.integers(0, d, (n, m))
    sens = None
    if family == "diverse":
        columns = int(rng.integers(1, 3))
        sens = rng.integers(0, int(rng.integers(2, 7)), (n, columns))
        table = np.concatenate((table, sens), axis=1)
    if family == "duplicates":
        table = table[rng.integers(0, int(rng.integers(1, 4)), n)]
    found, counts = np.unique(table, axis=0, return_counts=True)
    if sens is not None:
        sens = found[:, m:]
        found = found[:, :m]
    codes = np.ascontiguousarray(found, dtype=np.int32)
    if trees:
        levels = tuple(_hierarchy(rng, d) for _ in range(m))
    else:
        top = 5 if family in ("weighted", "diverse", "mask") else 1
        low = 0 if top > 1 else 1
        levels = tuple(_star(d, int(rng.integers(low, top + 1))) for _ in range(m))
    vectors = None
    if family == "mask" or (family in ("diverse", "outliers", "duplicates") and rng.random() < 0.5):
        every = list(product(*(range(level.height + 1) for level in levels)))
        share = rng.choice([0.1, 0.3, 0.6])
        vectors = [v for v in every if rng.random() < share]
        if rng.random() < 0.7:
            vectors.append(every[-1])
        if rng.random() < 0.5:
            vectors.append(every[0])
        vectors = sorted(set(vectors)) or [every[-1]]
    outliers = "suppress" if family == "outliers" or rng.random() < 0.2 else "forbid"
    return Drawn(RowTypes(codes, counts.astype(np.int64), (d,) * m), levels, vectors, outliers, sens)


def _star(d, weight):
    up = np.stack([np.arange(d, dtype=np.int32), np.zeros(d, np.int32)])
    return Levels(up, np.stack([np.zeros(d, np.int64), np.full(d, weight, np.int64)]))


def _hierarchy(rng, d):
    """A random tree of 0 to 2 inner levels; nodes of a level may cost different amounts."""
    up = [np.arange(d, dtype=np.int32)]
    cost = [np.zeros(d, np.int64)]
    uniform = rng.random() < 0.5
    for _ in range(int(rng.integers(0, 3))):
        nodes = int(up[-1].max()) + 1
        merge = rng.integers(0, max(nodes - 1, 1), nodes)
        merge = np.unique(merge, return_inverse=True)[1].astype(np.int32)
        node = merge[up[-1]]
        rise = rng.integers(0, 4, int(node.max()) + 1)
        if uniform:
            rise[:] = rise[0]
        # A node costs at least as much as each of its children.
        floor = np.array([cost[-1][node == x].max() for x in range(int(node.max()) + 1)])
        up.append(node)
        cost.append((floor + rise)[node])
    up.append(np.zeros(d, np.int32))
    cost.append(np.full(d, int(cost[-1].max()) + int(rng.integers(0, 4)), np.int64))
    return Levels(np.stack(up), np.stack(cost))
