"""k-anonymity itself as a source problem: a set partition of a few rows."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.sources.program import choose
from incrowd.hardness.values import Blocks, closure

if TYPE_CHECKING:
    import numpy as np


MOST_GROUPS = 20_000


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of texts to be made k-anonymous with the fewest stars.

    The n rows are of equal length. PolicyError is raised if k is not between 1 and the number of rows.
    """

    rows: tuple[tuple[str, ...], ...]
    k: int

    def __post_init__(self) -> None:
        n = len(self.rows)
        if not 1 <= self.k <= n:
            raise PolicyError(f"k must be from 1 to the {n} rows, not {self.k}")

    def refuse_many(self) -> None:
        """Refuse, with a PolicyError, to choose from more than 20,000 groups of k to 2k - 1 rows."""
        n = len(self.rows)
        groups = sum(math.comb(n, size) for size in range(self.k, min(2 * self.k - 1, n) + 1))
        if groups > MOST_GROUPS:
            raise PolicyError(
                f"{n} rows have {groups} groups of {self.k} to {2 * self.k - 1}, more than {MOST_GROUPS} to choose "
                "from; ask for fewer rows or a smaller k"
            )

    def cheapest(self) -> Blocks:
        """Return groups of k to 2k - 1 rows with the fewest stars (larger groups split at no cost).

        PolicyError is raised if there are more than 20,000 groups of k to 2k - 1 rows.
        """
        self.refuse_many()
        n = len(self.rows)
        groups = [
            g for size in range(self.k, min(2 * self.k - 1, n) + 1) for g in itertools.combinations(range(n), size)
        ]
        costs = [len(g) * closure([self.rows[i] for i in g]).count("*") for g in groups]
        chosen = choose(groups, n, least=1, most=1, costs=costs)
        assert chosen is not None  # n >= k is a sum of sizes k to 2k - 1
        return tuple(groups[i] for i in chosen)


def drawn(rng: np.random.Generator, rows: int, columns: int, values: int, k: int) -> Rows:
    """Return random rows.

    `values` is the number of different values of a column: ``a0``, ``a1``, ... PolicyError is raised if k is not from 1
    to `rows`, or there are more than 20,000 groups of k to 2 k - 1 rows.
    """
    cells = rng.integers(0, values, (rows, columns))
    made = Rows(tuple(tuple(f"a{int(cell)}" for cell in row) for row in cells), k)
    made.refuse_many()
    return made


NAMED = {
    # two triples of equal rows and one row in between
    "seven": Rows((("a", "a", "a"),) * 3 + (("b", "b", "b"),) * 3 + (("a", "a", "b"),), 3),
    "latin": Rows(tuple((str(i), str(j), str((i + j) % 3)) for i in range(3) for j in range(3)), 3),
}
