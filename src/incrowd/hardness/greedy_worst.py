"""The tight family of the greedy heuristic: it pays m - 1 times the optimum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.construction import BREDERECK, Construction, table_instance, whole
from incrowd.hardness.questions import STARS
from incrowd.hardness.sources import refuse_cells

if TYPE_CHECKING:
    import numpy as np

    from incrowd.hardness.values import Instance


@dataclass(frozen=True, kw_only=True)
class GreedyWorst(Construction):
    """The family of Theorem 4: m columns, k = m, m^2 rows.

    m rows of ones, and for every column i another m - 1 rows that are ones but for a unique value in column i. The
    patterns: one star in column i (every i), none, all.

    Notes
    -----
    **Greedy = (m - 1) m^2**: the rows of ones are k equal rows and stay as they are; then only m - 1 rows
    agree with any instance of one star, so the m (m - 1) others are fully suppressed.

    **Optimum = m^2**, m >= 2. *Proof.* A row with a unique value in column i is released with a star in i or fully
    suppressed. The class "star in i" needs m rows; with all m - 1 rows of column i it needs one row of ones, with j of
    them elsewhere j + 1. Say r columns have such a class. Their rows and the rows of ones in them cost at least
    r (m - 1) + r stars (every row elsewhere costs m - 1 more and needs another row of ones), the rows of the other
    columns m each: together at least r m + (m - r)(m - 1) m. That is m^2 for r = m, and every column less costs
    m (m - 1) - m = m (m - 2) >= 0 more. For r = m it is reached, one row of ones in each class.

    References
    ----------
    .. [1] R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4), Theorem 4.
    """

    size: int = whole(6, "columns m, at least 2; k = m", least=2, metavar="M")

    name = "greedy-worst"
    summary = "the family on which the greedy heuristic pays m - 1 times the optimum"
    paper = BREDERECK
    theorem = "Theorem 4"
    source = None
    asks = STARS
    kept = ("size",)

    def check(self) -> None:
        """Refuse a no-instance: the family has none."""
        if self.no:
            raise PolicyError("greedy-worst has no no-instance: it is one table a size, whose optimum is m^2")

    def draw(self, rng: np.random.Generator) -> int:
        """Return m: there is nothing to be drawn."""
        return self.size

    def best(self, source: int) -> int:
        """Return the least stars."""
        return source * source

    def fixed(self, source: int) -> int:
        """Return the least stars."""
        return source * source

    def forward(self, source: int, goal: int | None) -> Instance:
        """Return the table of m columns."""
        m = source
        refuse_cells(m * m, m)
        names = [f"c{j + 1}" for j in range(m)]
        rows = [("1",) * m] * m
        rows += [tuple(f"x{i}.{r}" if j == i else "1" for j in range(m)) for i in range(m) for r in range(m - 1)]
        return table_instance(
            names, rows, k=m, threshold=m * m, mask={"patterns": [[], *([name] for name in names)]},
            witness=lambda _: tuple((i, *range(m + i * (m - 1), m + (i + 1) * (m - 1))) for i in range(m)),
            backward=lambda classes: sum(shown.count("*") * len(rows) for shown, rows in classes.items()),
            columns=m, greedy=(m - 1) * m * m,
        )  # fmt: skip
