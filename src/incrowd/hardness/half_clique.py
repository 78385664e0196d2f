"""Half-Clique -> cn-anonymity for 1/3 < c < 1/2; Clique of any size -> Half-Clique."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.hardness.bisection import incidence, odd
from incrowd.hardness.construction import LIANG_YUAN, Chain, Construction, Link, table_instance, whole
from incrowd.hardness.questions import CLIQUE, HALF_CLIQUE
from incrowd.hardness.sources import Graph, drawn_graph, refuse_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from incrowd.hardness.values import Blocks, Instance, Shown


@dataclass(frozen=True, kw_only=True)
class HalfClique(Construction):
    """The reduction of Theorem 5: the table of Theorem 3 with a few more rows that share nothing with it.

    n' rows, n/2 = k = c n', so n < n' < 3 n / 2; the n' - n new rows hold b in every column.

    Notes
    -----
    n even and at least 4, m edges. **A clique of n/2 nodes exists if and only if a release has at most
    n' m - n^2 (n - 2) / 16 stars**, and the optimum is n' m - max over y of (n - y) e(y), e(y) the most edges among y
    nodes, n/2 - (n' - n) <= y <= n/2.

    *Proof.* n' < 3 k: at most two classes. A class with an old and a new row has a star everywhere. New rows are fewer
    than k, so one class has both; if both have, all n' m cells are stars. Otherwise one class A has n1 old rows,
    n/2 <= n1 <= n' - n/2, and a star where an end of the column's edge is in A (its value stands in no other row, and A
    has two rows): n1 (m - e(V - A)); the other class costs (n' - n1) m. Together n' m - n1 e(V - A), with
    y = n - n1 <= n/2 nodes in V - A.

    Now e(V - A) <= y (y - 1) / 2, and f(y) = (n - y) y (y - 1) / 2 grows from y = 1 to n/2: twice its derivative is
    (n - y)(2 y - 1) - y (y - 1) >= y (2 y - 1) - y (y - 1) = y^2 > 0. f(n/2) = (n/2)(n/2)(n/2 - 1)/2 =
    n^2 (n - 2) / 16, a whole number as n is even, is reached if and only if V - A is a clique of n/2 nodes.

    The paper asks for two new rows at least; one is enough.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Theorem 5.
    """

    size: int = whole(8, "nodes n, even, at least 4", least=4)
    edges: int | None = whole(None, "edges (default: 3/2 of the nodes)")
    rows: int = whole(1, "new rows, fewer than half the nodes; c = n / (2 (n + rows))")

    name = "half-clique"
    summary = "a clique of half the nodes as cn-anonymity for c between 1/3 and 1/2"
    paper = LIANG_YUAN
    theorem = "Theorem 5"
    source = Graph
    asks = HALF_CLIQUE
    kept = ("rows",)

    def check(self) -> None:
        """Refuse an odd size."""
        if self.size % 2:
            raise PolicyError(f"size must be even, not {self.size}: the clique has half of the nodes")

    def draw(self, rng: np.random.Generator) -> Graph:
        """Return a random graph, with a clique of half the nodes or probably without."""
        half = [] if self.no else sorted(rng.choice(self.size, self.size // 2, replace=False).tolist())
        clique = list(itertools.combinations(half, 2))
        edges = self.edges or max(3 * self.size // 2, len(clique))
        if edges < len(clique):
            raise PolicyError(
                f"a clique of {self.size // 2} nodes has {len(clique)} edges, more than {edges}; ask for more"
            )
        return drawn_graph(rng, self.size, edges, clique)

    def lacks(self, source: Graph) -> str:
        """Return whether there are no halves, or too many new rows."""
        most = f"rows must be fewer than half of the {source.nodes} nodes, not {self.rows}: c is above 1/3"
        return odd(source) or (most if 2 * self.rows >= source.nodes else "")

    def best(self, source: Graph) -> list[tuple[int, ...]]:
        """Return densest sets of y nodes, for every y that the notes speak of."""
        half = source.nodes // 2
        return [source.densest(y) for y in range(half - self.rows, half + 1)]

    def fixed(self, source: Graph) -> int:
        """Return half the nodes."""
        return source.nodes // 2

    def forward(self, source: Graph, goal: int | None) -> Instance:
        """Return a row a node, a column an edge, and the new rows."""
        n, m, new = source.nodes, len(source.edges), self.rows
        refuse_cells(n + new, m)
        names, rows = incidence(source)

        def witness(dense: Sequence[tuple[int, ...]]) -> Blocks:
            best = max(dense, key=lambda members: (n - len(members)) * source.inside(members))
            return tuple(v for v in range(n) if v not in best), (*best, *range(n, n + new))

        def backward(classes: Shown) -> tuple[int, ...]:
            """Return the old rows in the class of the new ones; ValueError is raised if they are no such clique."""
            found = next(tuple(v for v in rows if v < n) for rows in classes.values() if n in rows)
            if 2 * len(found) != n or 8 * source.inside(found) != n * (n - 2):
                raise ValueError("the old rows beside the new ones are no clique of half the nodes")
            return found

        return table_instance(
            names, [*rows, *([["b"] * m] * new)], k=n // 2, threshold=(n + new) * m - n * n * (n - 2) // 16,
            witness=witness, backward=backward, rows=n + new,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Clique(Chain):
    """The whole of Theorem 5: Clique to half-clique (`hardness/half_clique.py`), then the table of `half-clique`.

    Notes
    -----
    **A clique of q nodes exists if and only if a release has at most the threshold's stars**: the threshold is that of
    Theorem 5 for the graph of the first step. *Proof.* The first step's, then Theorem 5's; the way back takes them the
    other way round.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Theorem 5.
    """

    size: int = whole(7, "nodes of a random graph, at least 3", least=3)
    edges: int | None = whole(None, "its edges (default: 3/2 of the nodes)")
    rows: int = whole(1, "new rows of the table, fewer than half the nodes")

    name = "clique"
    summary = "a clique of any size as a clique of half the nodes, as cn-anonymity for c between 1/3 and 1/2"
    paper = LIANG_YUAN
    theorem = "Theorem 5"
    source = Graph
    asks = CLIQUE
    kept = ("rows", "goal")
    then = HalfClique

    def draw(self, rng: np.random.Generator) -> Graph:
        """Return a random graph."""
        return drawn_graph(rng, self.size, self.edges or min(3 * self.size // 2, self.size * (self.size - 1) // 2))

    def lacks(self, source: Graph) -> str:
        """Return whether there is no edge."""
        return "" if source.edges else "the graph needs an edge"

    def best(self, source: Graph) -> Any:
        """Return a largest clique."""
        refuse_cells(2 * source.nodes, source.nodes * source.nodes)
        return source.clique()

    def forward(self, source: Graph, goal: int | None) -> Instance:
        """Return the table of the half-clique problem; what it asks is as large as the goal says."""
        there = self.link(source, goal).source
        why = self.inner.lacks(there)
        if why:
            raise PolicyError(why)
        made = Chain.forward(self, source, goal)
        return dataclasses.replace(made, witness=lambda _: made.witness(self.inner.best(there)))

    def link(self, source: Graph, goal: int | None) -> Link:
        """Return a graph that has a clique of half its nodes if and only if the source has one of q nodes, the goal.

        The n nodes of the source stay the first ones; 2 <= q <= n. 2 q >= n: 2 q - n nodes without edges are added, so
        that q is half of 2 q. *Proof.* No clique of q >= 2 nodes holds one of them. 2 q < n: n - 2 q nodes joined with
        each other and with all are added, 2 (n - q) nodes in all. *Proof.* With them a clique of q nodes has n - q; of
        a clique of n - q nodes at most n - 2 q are new, so q are old. O(n^2) time and memory.
        """
        n, q = source.nodes, goal
        assert q is not None
        if not 2 <= q <= n:
            raise PolicyError(f"the clique must have from 2 to the graph's {n} nodes, not {q}")
        total = 2 * max(q, n - q)
        refuse_cells(total, n * n)
        joined = ((u, v) for v in range(n, total) for u in range(v)) if 2 * q < n else ()

        def back(half: Sequence[int]) -> tuple[int, ...]:
            return tuple(sorted(v for v in half if v < n)[:q])

        return Link(Graph(total, (*source.edges, *sorted(joined))), None, back)
