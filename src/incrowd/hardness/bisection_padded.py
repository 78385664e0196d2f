"""Minimum Bisection -> cn-anonymity for c up to 1/3, by padding."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.bisection import HALVES, backward, graph_of, incidence, most_cut, refuse_odd
from incrowd.hardness.draw import even, goal_setting, named_setting, refuse_unknown
from incrowd.hardness.papers import LIANG_YUAN
from incrowd.hardness.problems.graph import GRAPH
from incrowd.hardness.problems.limits import refuse_cells
from incrowd.hardness.questions.graphs import BISECTION
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.values import Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from incrowd.hardness.sources.graphs import Graph

__all__ = ["BisectionPadded", "forward"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BisectionPadded(Reduction):
    """The reduction of Theorem 4: the table of Theorem 3 with equal rows and 2 m + 1 columns more.

    n' = n / (2 c) rows, k = c n' = n / 2. Old rows show a in all the new columns; new rows show b in every column.

    Parameters
    ----------
    size : int
        Nodes n, even and at least 4.
    edges : int or None
        Edges m; None: 3 n / 2.
    c : Fraction
        k as a part of the rows, above 0 and at most 1/3; n / (2 c) must be whole.
    named : str or None
        A graph of `HALVES` in place of a random one.
    goal : int or None
        Edges between the halves; None: the least, or one less for a no-instance.
    seed, no, solve
        As of `Reduction`.

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

    size: int = setting(6, "nodes n, even, at least 4", "integer", least=4, metavar="N")
    edges: int | None = setting(None, "edges (default: 3/2 of the nodes)", "integer", least=1, metavar="N")
    c: Fraction = setting(
        Fraction(1, 4), "k as a part of the rows, at most 1/3; n / (2 c) must be whole", "fraction", metavar="X"
    )
    named: str | None = named_setting(HALVES)
    goal: int | None = goal_setting(BISECTION.goal, "the least")

    name = "bisection-padded"
    summary = "minimum bisection as cn-anonymity for c up to 1/3, with padding"
    kind = "table"
    paper = LIANG_YUAN
    theorem = "Theorem 4"
    problem = GRAPH
    asks = BISECTION
    kept = ("c", "goal")

    def check(self) -> None:
        """Refuse odd sizes, unknown names and a c that does not fit."""
        even(self.size, "a bisection has two equal halves")
        refuse_unknown(self.named, HALVES)
        if not 0 < self.c <= Fraction(1, 3):
            raise PolicyError(f"c must be above 0 and at most 1/3, not {self.c}; half-clique covers 1/3 < c < 1/2")

    def build(self) -> Instance:
        """Return the instance: the threshold asks for the least cut, or for one edge less."""
        source = graph_of(HALVES, self.named, self.seed, self.size, self.edges)
        return self.of(source)

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with an even number of nodes."""
        refuse_odd(source)
        return forward(source, self.asked(lambda: most_cut(source, self.no)), self.c, solve=self.solve)


def forward(source: Graph, most: int, c: Fraction, *, solve: bool = True) -> Instance:
    """Return the padded instance that asks for a bisection of at most `most` edges (Theorem 4; see `BisectionPadded`).

    The source has n nodes, n even, and m edges. `c` is k as a part of the rows, above 0 and at most 1/3. Without
    `solve` no least cut is sought, and the answer stays open. PolicyError is raised if n / (2 c) is no whole number, or
    the graph has no two halves of two nodes or no edge.

    Notes
    -----
    The table has n / (2 c) rows and 3 m + 1 columns. The least cut is found by an integer program of n + m variables
    without a time limit.
    """
    refuse_odd(source)
    n, m = source.nodes, len(source.edges)
    total = n / (2 * c)
    if total.denominator != 1:
        raise PolicyError(f"c = {c} gives {total} rows for {n} nodes; n / (2 c) must be whole")
    refuse_cells(int(total), 3 * m + 1)
    names = tuple(f"e{u}-{v}" for u, v in source.edges)
    padding = tuple(f"pad{j}" for j in range(2 * m + 1))
    rows = tuple((*row, *("a" for _ in padding)) for row in incidence(source))
    rows += (("b",) * (3 * m + 1),) * (int(total) - n)
    table = Table(quasi_identifiers=names + padding, rows=rows)
    half = source.bisection() if solve else None
    cut = None if half is None else source.cut(half)
    padded = tuple(range(n, int(total)))
    return Instance(
        name=BisectionPadded.name,
        kind="table",
        question=f"is there a release with at most the threshold's stars (a bisection of at most {most} edges)?",
        threshold=n // 2 * (m + most),
        yes=None if cut is None else cut <= most,
        optimum=None if cut is None else n // 2 * (m + cut),
        theorem=BisectionPadded.theorem,
        paper=BisectionPadded.paper,
        source=source,
        backward=lambda released: backward(source, table, released),
        policy={
            "quasi_identifiers": list(table.quasi_identifiers),
            "k": n // 2,
            "outliers": "forbid",
            "mask": {"together": [list(padding)]},
        },
        table=table,
        witness=None if half is None else (half, tuple(v for v in range(n) if v not in half), padded),
        more={"nodes": n, "edges": m, **({} if cut is None else {"cut": cut}), "rows": int(total), "c": str(c)},
        asks=BISECTION,
        goal=most,
    )
