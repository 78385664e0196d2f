"""The tight family of the greedy heuristic: it pays m - 1 times the optimum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.problem import refuse_cells
from incrowd.hardness.questions import STARS
from incrowd.hardness.reduction import BREDERECK, Reduction
from incrowd.hardness.values import Blocks, Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class GreedyWorst(Reduction):
    """The family of Theorem 4: m columns, k = m, m^2 rows.

    m rows of ones, and for every column i another m - 1 rows that are ones but for a unique value in column i. The
    patterns: one star in column i (every i), none, all.

    Parameters
    ----------
    size : int
        Columns m, at least 2; k = m.
    seed, no
        As of `Reduction`; the seed changes nothing, and ``no`` is refused.

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

    size: int = setting(6, "columns m, at least 2; k = m", "integer", least=2, metavar="M")

    name = "greedy-worst"
    summary = "the family on which the greedy heuristic pays m - 1 times the optimum"
    kind = "table"
    paper = BREDERECK
    theorem = "Theorem 4"
    asks = STARS
    kept = ("size",)

    def check(self) -> None:
        """Refuse a no-instance: the family has none."""
        if self.no:
            raise PolicyError("greedy-worst has no no-instance: it is one table a size, whose optimum is m^2")

    def build(self) -> Instance:
        """Return the table of m columns."""
        m = self.size
        refuse_cells(m * m, m)
        names = tuple(f"c{j + 1}" for j in range(m))
        rows = [("1",) * m] * m
        rows += [tuple(f"x{i}.{r}" if j == i else "1" for j in range(m)) for i in range(m) for r in range(m - 1)]
        table = Table(quasi_identifiers=names, rows=tuple(rows))
        blocks: Blocks = tuple((i, *range(m + i * (m - 1), m + (i + 1) * (m - 1))) for i in range(m))

        def backward(released: Sequence[Sequence[str]]) -> int:
            return table.cost(released)

        return Instance(
            name=self.name,
            kind="table",
            question="is there a release with at most the threshold's stars?",
            threshold=m * m,
            yes=True,
            optimum=m * m,
            theorem=self.theorem,
            paper=self.paper,
            source=m,
            backward=backward,
            policy={
                "quasi_identifiers": list(names),
                "k": m,
                "outliers": "forbid",
                "mask": {"patterns": [[], *([name] for name in names)]},
            },
            table=table,
            witness=blocks,
            more={"columns": m, "greedy": (m - 1) * m * m},
            asks=STARS,
        )
