"""Lists of instances drawn at random, as the kernels of the bounds take them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Listed:
    """Row types with counts, instances with costs, needs and the types that agree with them."""

    counts: np.ndarray
    costs: np.ndarray
    needs: np.ndarray
    begins: np.ndarray
    members: np.ndarray

    @property
    def lists(self) -> list[list[int]]:
        """The types of each instance."""
        return [part.tolist() for part in np.split(self.members, self.begins[1:-1])]

    @property
    def turned(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Per type its instances, and where the pairs lie."""
        owners = np.repeat(np.arange(self.needs.size), np.diff(self.begins))
        order = np.argsort(self.members, kind="stable")
        begins = np.concatenate(([0], np.cumsum(np.bincount(self.members, minlength=self.counts.size))))
        return begins.astype(np.int64), owners[order].astype(np.int32), order.astype(np.int64)


def drawn(count: int, *, seed: int = 0) -> Iterator[tuple[np.random.Generator, Listed]]:
    """Yield (rng, list)."""
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        t, g = int(rng.integers(2, 7)), int(rng.integers(1, 6))
        counts = rng.integers(1, 4, t)
        lists = [np.flatnonzero(rng.random(t) < 0.6) for _ in range(g)]
        lists = [types if types.size else np.arange(t) for types in lists]
        begins = np.concatenate(([0], np.cumsum([types.size for types in lists]))).astype(np.int64)
        held = np.array([counts[types].sum() for types in lists])
        needs = np.where(rng.random(g) < 0.15, 0, np.minimum(rng.integers(1, 5, g), held))
        yield rng, Listed(counts, rng.integers(0, 6, g), needs, begins, np.concatenate(lists).astype(np.int32))


def cheapest(terms: list[tuple[int, int]], need: int) -> int:
    """Return the least sum over at least `need` of some rows, given as (term, rows)."""
    each = sorted(term for term, rows in terms for _ in range(rows))
    return sum(term for place, term in enumerate(each) if term < 0 or place < need)
