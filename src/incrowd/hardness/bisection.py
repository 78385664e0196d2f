"""Minimum Bisection -> n/2-anonymity of n rows; with padding, cn-anonymity for c up to 1/3."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from incrowd.errors import PolicyError
from incrowd.hardness.construction import LIANG_YUAN, Construction, table_instance, whole
from incrowd.hardness.questions import BISECTION
from incrowd.hardness.sources import Graph, drawn_graph, refuse_cells
from incrowd.settings import setting

if TYPE_CHECKING:
    import numpy as np

    from incrowd.hardness.values import Instance, Shown


@dataclass(frozen=True, kw_only=True)
class Bisection(Construction):
    """The reduction of Theorem 3: rows are nodes, columns edges; row v holds v where v is an end of the edge, else 0.

    Notes
    -----
    k = n/2, n even and at least 4. **Optimum = (n/2)(m + cut)**, cut the fewest edges between two halves.
    *Proof.* At most two classes fit. One class of all rows has a star everywhere (a column shows v, w and 0): n m. Two
    classes are halves A and B. In A, of at least two rows, a column has a star if and only if an end of its edge is in
    A: the end's value stands in no other row. So A costs (n/2)(e(A) + cut) and B costs (n/2)(e(B) + cut), together
    (n/2)(m + cut), at most n m. For n = 2 the classes are single rows, without a star: hence n >= 4.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Theorem 3.
    """

    size: int = whole(8, "nodes n, even, at least 4", least=4)
    edges: int | None = whole(None, "edges (default: 3/2 of the nodes)")

    name = "bisection"
    summary = "minimum bisection as n/2-anonymity of n rows"
    paper = LIANG_YUAN
    theorem = "Theorem 3"
    source = Graph
    asks = BISECTION
    kept: ClassVar[tuple[str, ...]] = ("goal",)

    def check(self) -> None:
        """Refuse an odd size."""
        if self.size % 2:
            raise PolicyError(f"size must be even, not {self.size}: a bisection has two equal halves")

    def draw(self, rng: np.random.Generator) -> Graph:
        """Return a random graph."""
        return drawn_graph(rng, self.size, self.edges or 3 * self.size // 2)

    def lacks(self, source: Graph) -> str:
        """Return whether there are no halves of two nodes, or no edge."""
        return odd(source)

    def best(self, source: Graph) -> tuple[int, ...]:
        """Return a half with the fewest edges to the other."""
        return source.bisection()

    def padding(self, source: Graph) -> tuple[int, int, dict[str, Any]]:
        """Return the number of columns and of rows that are added, and facts."""
        return 0, 0, {}

    def forward(self, source: Graph, goal: int | None) -> Instance:
        """Return a row a node, a column an edge, and the padding."""
        assert goal is not None
        n, m = source.nodes, len(source.edges)
        columns, new, more = self.padding(source)
        refuse_cells(n + new, m + columns)
        names, rows = incidence(source)
        pad = [f"pad{j}" for j in range(columns)]

        def backward(classes: Shown) -> tuple[int, ...]:
            """Return the half that node 0 is in: its cut has 2 stars / n - m edges, or fewer.

            A release of one class (n m stars) holds no half; any will do then.
            """
            mine = next(tuple(v for v in rows if v < n) for rows in classes.values() if 0 in rows)
            return mine if len(mine) == n // 2 else tuple(range(n // 2))

        def witness(half: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
            blocks = (half, tuple(v for v in range(n) if v not in half), tuple(range(n, n + new)))
            return blocks if new else blocks[:2]

        return table_instance(
            names + pad, [*(row + ["a"] * columns for row in rows), *([["b"] * (m + columns)] * new)], k=n // 2,
            threshold=n // 2 * (m + goal), mask={"together": [pad]} if pad else None, witness=witness,
            backward=backward, **more,
        )  # fmt: skip


def odd(source: Graph) -> str:
    """Return that a graph has no two halves of at least two nodes, or no edge, or an empty text."""
    n, m = source.nodes, len(source.edges)
    said = f"the graph needs an even number of at least 4 nodes and an edge, not {n} nodes and {m} edges"
    return said if n % 2 or n < 4 or m < 1 else ""


def incidence(source: Graph) -> tuple[list[str], list[list[str]]]:
    """Return columns and rows: node v's value v in the columns of its edges, 0 elsewhere."""
    rows = [[f"v{v}" if v in edge else "0" for edge in source.edges] for v in range(source.nodes)]
    return [f"e{u}-{v}" for u, v in source.edges], rows


@dataclass(frozen=True, kw_only=True)
class BisectionPadded(Bisection):
    """The reduction of Theorem 4: the table of Theorem 3 with equal rows and 2 m + 1 columns more.

    n' = n / (2 c) rows, k = c n' = n / 2. Old rows show a in all the new columns; new rows show b in every column.

    Notes
    -----
    **Optimum = (n/2)(m + cut), as without padding**, for c <= 1/3. *Proof.* n' - n = n (1/(2c) - 1) >= n/2
    = k new rows, all equal: a class without a star; with the classes of Theorem 3 that is a release. Conversely a
    class with an old and a new row has a star in all the 2 m + 1 new columns, at least (n/2)(2 m + 1) > n m >= (n/2)(m
    + cut) stars. So a cheapest release has none, and its classes of old rows are a release of the table of Theorem 3.

    The new columns are equal in every row, so ``together`` in the policy changes no optimum; it keeps the number of
    patterns at 2^(m + 1) instead of 2^(3 m + 1).

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Theorem 4.
    """

    size: int = whole(6, "nodes n, even, at least 4", least=4)
    c: Fraction = setting(
        Fraction(1, 4), "k as a part of the rows, at most 1/3; n / (2 c) must be whole", "fraction", metavar="X"
    )

    name = "bisection-padded"
    summary = "minimum bisection as cn-anonymity for c up to 1/3, with padding"
    theorem = "Theorem 4"
    kept = ("c", "goal")

    def check(self) -> None:
        """Refuse an odd size, and a c out of range."""
        Bisection.check(self)
        if not 0 < self.c <= Fraction(1, 3):
            raise PolicyError(f"c must be above 0 and at most 1/3, not {self.c}; half-clique covers 1/3 < c < 1/2")

    def lacks(self, source: Graph) -> str:
        """Return whether the number of rows is no whole number."""
        total = source.nodes / (2 * self.c)
        said = f"c = {self.c} gives {total} rows for {source.nodes} nodes; n / (2 c) must be whole"
        return odd(source) or (said if total.denominator != 1 else "")

    def padding(self, source: Graph) -> tuple[int, int, dict[str, Any]]:
        """Return 2 m + 1 columns, and rows up to n / (2 c)."""
        total = int(source.nodes / (2 * self.c))
        return 2 * len(source.edges) + 1, total - source.nodes, {"rows": total, "c": str(self.c)}
