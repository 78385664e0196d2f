"""Half-Clique -> cn-anonymity for 1/3 < c < 1/2."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import PolicyError
from incrowd.hardness.bisection import incidence
from incrowd.hardness.problem import refuse_cells
from incrowd.hardness.problems import GRAPH
from incrowd.hardness.questions import CLIQUE, HALF_CLIQUE
from incrowd.hardness.reduction import LIANG_YUAN, Reduction, even, goal_setting, named_setting, refuse_unknown
from incrowd.hardness.sources.graphs import Graph, drawn
from incrowd.hardness.triangles import right
from incrowd.hardness.values import Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Sequence

CLIQUES = {
    "triangle-and-path": Graph(6, ((0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (4, 5))),
    # bipartite: no triangle
    "k33": Graph(6, tuple((u, v) for u in range(3) for v in range(3, 6))),
    "two-pairs": Graph(4, ((0, 1), (2, 3))),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfClique(Reduction):
    """The reduction of Theorem 5: the table of Theorem 3 with a few more rows that share nothing with it.

    n' rows, n/2 = k = c n', so n < n' < 3 n / 2; the n' - n new rows hold b in every column.

    Parameters
    ----------
    size : int
        Nodes n, even and at least 4 (6 for a random no-instance).
    edges : int or None
        Edges m; None: 3 n / 2, or the edges of the clique where these are more.
    rows : int
        New rows, at least 1 and fewer than n / 2; c = n / (2 (n + rows)).
    named : str or None
        A graph of `CLIQUES` in place of a random one.
    seed, no, solve
        As of `Reduction`.

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

    size: int = setting(8, "nodes n, even, at least 4", "integer", least=4, metavar="N")
    edges: int | None = setting(None, "edges (default: 3/2 of the nodes)", "integer", least=1, metavar="N")
    rows: int = setting(
        1, "new rows, fewer than half the nodes; c = n / (2 (n + rows))", "integer", least=1, metavar="N"
    )
    named: str | None = named_setting(CLIQUES)

    name = "half-clique"
    summary = "a clique of half the nodes as cn-anonymity for c between 1/3 and 1/2"
    kind = "table"
    paper = LIANG_YUAN
    theorem = "Theorem 5"
    problem = GRAPH
    asks = HALF_CLIQUE
    kept = ("rows",)

    def check(self) -> None:
        """Refuse odd sizes, unknown names and too many new rows."""
        even(self.size, "the clique has half of the nodes")
        refuse_unknown(self.named, CLIQUES)
        if self.no and self.named is None and self.size == 4:
            raise PolicyError("any edge is a clique of half of 4 nodes; a no-instance needs a size of at least 6")
        nodes = CLIQUES[self.named].nodes if self.named is not None else self.size
        if self.named is not None and 2 * self.rows >= nodes:
            raise PolicyError(f"rows must be fewer than half of the {nodes} nodes, not {self.rows}: c is above 1/3")
        if self.named is None and self.edges is not None and not self.no and self.edges < self.least_edges:
            raise PolicyError(
                f"a clique of {self.size // 2} nodes has {self.least_edges} edges, more than {self.edges}; ask for more"
            )

    @property
    def least_edges(self) -> int:
        """Edges of the clique."""
        half = self.size // 2
        return half * (half - 1) // 2

    def build(self) -> Instance:
        """Return the instance of a named graph, of a planted clique, or of a graph without one."""
        if self.named is not None:
            return right(forward(CLIQUES[self.named], self.rows), no=self.no, named=self.named)
        n = self.size
        if 2 * self.rows >= n:
            raise PolicyError(f"rows must be fewer than half of the {n} nodes, not {self.rows}: c is above 1/3")
        edges = max(3 * n // 2, 0 if self.no else self.least_edges) if self.edges is None else self.edges
        if self.no:
            return forward(without(np.random.default_rng(self.seed), n, edges), self.rows)
        return forward(planted(np.random.default_rng(self.seed), n, edges), self.rows)

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with an even number of nodes, more than twice the new rows."""
        return forward(source, self.rows, solve=self.solve)


def planted(rng: np.random.Generator, nodes: int, edges: int) -> Graph:
    """Return a random graph with a clique of half its nodes.

    `nodes` is even and at least 4, and `edges` at least those of the clique. PolicyError is raised if there are fewer
    than `edges` pairs of nodes.
    """
    half = sorted(int(v) for v in rng.choice(nodes, nodes // 2, replace=False))
    clique = [(u, v) for i, u in enumerate(half) for v in half[i + 1 :]]
    others = [pair for pair in drawn(rng, nodes, nodes * (nodes - 1) // 2).edges if pair not in set(clique)]
    if edges > len(clique) + len(others):
        raise PolicyError(f"a graph of {nodes} nodes has at most {len(clique) + len(others)} edges, not {edges}")
    more = [others[int(i)] for i in rng.choice(len(others), edges - len(clique), replace=False)]
    return Graph(nodes, tuple(sorted(clique + more)))


def without(rng: np.random.Generator, nodes: int, edges: int) -> Graph:
    """Return a random graph of nodes in n/2 - 1 classes, with no edge inside a class: no clique of n/2 nodes.

    `nodes` is even and at least 6. PolicyError is raised if there are fewer pairs between the classes than edges asked
    for.
    """
    sides = [int(v) % (nodes // 2 - 1) for v in rng.permutation(nodes)]
    pairs = [(u, v) for u, v in itertools.combinations(range(nodes), 2) if sides[u] != sides[v]]
    if edges > len(pairs):
        raise PolicyError(
            f"a graph of {nodes} nodes without a clique of {nodes // 2} has at most {len(pairs)} edges, not {edges}"
        )
    return Graph(nodes, tuple(pairs[int(i)] for i in sorted(rng.choice(len(pairs), edges, replace=False))))


def forward(source: Graph, new: int, *, solve: bool = True) -> Instance:
    """Return the instance of a graph with `new` new rows (Theorem 5; see `HalfClique`).

    The source has n nodes, n even and at least 4, and m edges, at least one. There are 1 to n/2 - 1 new rows.
    PolicyError is raised where any of this does not hold. Without `solve` the densest sets of nodes are not sought, and
    the answer stays open. The densest node sets are found by ``new + 1`` integer programs of n + m variables each,
    without a time limit.
    """
    n, m = source.nodes, len(source.edges)
    if n % 2 or n < 4 or m < 1:
        raise PolicyError(
            f"the graph needs an even number of at least 4 nodes and an edge, not {n} nodes and {m} edges"
        )
    if not 1 <= new < n / 2:
        raise PolicyError(f"there must be 1 to {n // 2 - 1} new rows, not {new}")
    refuse_cells(n + new, m)
    names = tuple(f"e{u}-{v}" for u, v in source.edges)
    table = Table(quasi_identifiers=names, rows=incidence(source) + (("b",) * m,) * new)
    half = n // 2
    facts: dict[str, Any] = {"yes": None, "optimum": None, "more": {"nodes": n, "edges": m, "rows": n + new}}
    if solve:
        dense = [source.densest(y) for y in range(half - new, half + 1)]
        best = max(dense, key=lambda members: (n - len(members)) * source.inside(members))
        facts["yes"] = source.inside(dense[-1]) == half * (half - 1) // 2
        facts["optimum"] = (n + new) * m - (n - len(best)) * source.inside(best)
        facts["witness"] = (tuple(v for v in range(n) if v not in best), (*best, *range(n, n + new)))
        facts["more"]["densest_half"] = source.inside(dense[-1])
    return Instance(
        name=HalfClique.name,
        kind="table",
        question="is there a release with at most the threshold's stars (a clique of half the nodes)?",
        threshold=(n + new) * m - n * n * (n - 2) // 16,
        theorem=HalfClique.theorem,
        paper=HalfClique.paper,
        source=source,
        backward=lambda released: backward(source, table, released),
        policy={"quasi_identifiers": list(names), "k": half, "outliers": "forbid"},
        table=table,
        asks=HALF_CLIQUE,
        **facts,
    )


def backward(source: Graph, table: Table, released: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the clique that a release within the threshold holds: the old rows in the class of the new ones.

    It has n/2 nodes, ascending. Rows 0 to n - 1 of the instance's table are the nodes, the others are the new rows;
    `released` holds (rows, m) texts in the table's order. InputError is raised if it is no release of the table.
    ValueError is raised if the release is beyond the threshold: then these nodes are no clique of half the nodes.
    """
    for members in table.classes(released).values():
        if source.nodes in members:
            nodes = tuple(v for v in members if v < source.nodes)
            half = source.nodes // 2
            if len(nodes) == half and source.inside(nodes) == half * (half - 1) // 2:
                return nodes
    raise ValueError("the old rows beside the new ones are no clique of half the nodes: the release is too dear")


# Clique -> a clique of half the nodes -> cn-anonymity for 1/3 < c < 1/2.
@dataclass(frozen=True, slots=True, kw_only=True)
class Clique(Reduction):
    """The whole of Theorem 5: Clique to half-clique (`hardness/half_clique.py`), then the table of `half-clique`.

    Parameters
    ----------
    size : int
        Nodes n of a random graph, at least 3.
    edges : int or None
        Its edges; None: 3 n / 2, or all pairs where these are fewer.
    rows : int
        New rows of the table, as of `half-clique`.
    goal : int or None
        Nodes q of the clique; None: those of a largest one, or one more for a no-instance.
    seed, no, solve
        As of `Reduction`.

    Notes
    -----
    **A clique of q nodes exists if and only if a release has at most the threshold's stars**: the threshold is that of
    Theorem 5 for the graph of the first step. *Proof.* The first step's, then Theorem 5's; the way back takes them the
    other way round.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Theorem 5.
    """

    size: int = setting(7, "nodes of a random graph, at least 3", "integer", least=3, metavar="N")
    edges: int | None = setting(None, "its edges (default: 3/2 of the nodes)", "integer", least=1, metavar="N")
    rows: int = setting(1, "new rows of the table, fewer than half the nodes", "integer", least=1, metavar="N")
    goal: int | None = goal_setting(CLIQUE.goal, "those of a largest one")

    name = "clique"
    summary = "a clique of any size as a clique of half the nodes, as cn-anonymity for c between 1/3 and 1/2"
    kind = "table"
    paper = LIANG_YUAN
    theorem = "Theorem 5"
    problem = GRAPH
    asks = CLIQUE
    kept = ("rows", "goal")

    def build(self) -> Instance:
        """Return the instance of a random graph."""
        pairs = self.size * (self.size - 1) // 2
        edges = min(3 * self.size // 2, pairs) if self.edges is None else self.edges
        return self.of(drawn(np.random.default_rng(self.seed), self.size, edges))

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with an edge."""
        if not source.edges:
            raise PolicyError("the graph needs an edge")
        refuse_cells(2 * source.nodes, source.nodes * source.nodes)
        size = self.asked(lambda: len(source.clique()) + self.no)
        if self.no and size > source.nodes:
            raise PolicyError("every two nodes are joined, so no clique is missed; ask for fewer edges")
        inner = forward(clique_forward(source, size), self.rows, solve=self.solve)
        return dataclasses.replace(
            inner,
            name=self.name,
            question=f"is there a release with at most the threshold's stars (a clique of {size} nodes)?",
            source=source,
            backward=lambda released: clique_backward(source, size, inner.backward(released)),
            more={**inner.more, "clique": size},
            asks=CLIQUE,
            goal=size,
        )


# Clique -> a clique of half the nodes, as in the proof of Theorem 5 (Liang, Yuan).
def clique_forward(source: Graph, size: int) -> Graph:
    """Return a graph that has a clique of half its nodes if and only if the source has one of `size` nodes.

    The n nodes of the source stay the first ones. `size` is called q below; PolicyError is raised if it is not from 2
    to n. 2 q >= n: 2 q - n nodes without edges are added, so that q is half of 2 q. *Proof.* No clique of q >= 2 nodes
    holds one of them. 2 q < n: n - 2 q nodes joined with each other and with all are added, 2 (n - q) nodes in all.
    *Proof.* With them a clique of q nodes has n - q; of a clique of n - q nodes at most n - 2 q are new, so q are old.
    O(n^2) time and memory.
    """
    n = source.nodes
    if not 2 <= size <= n:
        raise PolicyError(f"the clique must have from 2 to the graph's {n} nodes, not {size}")
    if 2 * size >= n:
        return Graph(2 * size, source.edges)
    total = 2 * (n - size)
    joined = ((u, v) for v in range(n, total) for u in range(v))
    return Graph(total, (*source.edges, *sorted(joined)))


def clique_backward(source: Graph, size: int, half: Sequence[int]) -> tuple[int, ...]:
    """Return the clique of `size` nodes that a clique of half the nodes holds: the first of its old nodes.

    `size` is as of `forward`, and `half` is a clique of half the nodes of the other graph. ValueError is raised if it
    has too few old nodes: then it is no such clique.
    """
    old = sorted(v for v in half if v < source.nodes)[:size]
    if len(old) < size:
        raise ValueError("too few nodes of the clique are the source's")
    return tuple(old)
