"""Minimum Bisection -> n/2-anonymity of n rows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError
from incrowd.hardness.problem import refuse_cells
from incrowd.hardness.problems import GRAPH
from incrowd.hardness.questions import BISECTION
from incrowd.hardness.reduction import LIANG_YUAN, Reduction, even, goal_setting, named_setting, refuse_unknown
from incrowd.hardness.sources.graphs import Graph, drawn
from incrowd.hardness.values import Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Sequence

HALVES = {
    # two triangles and one edge between them: one edge is cut
    "two-triangles": Graph(6, ((0, 1), (0, 2), (1, 2), (2, 3), (3, 4), (3, 5), (4, 5))),
    "hexagon": Graph(6, ((0, 1), (0, 5), (1, 2), (2, 3), (3, 4), (4, 5))),
    "k4": Graph(4, ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bisection(Reduction):
    """The reduction of Theorem 3: rows are nodes, columns edges; row v holds v where v is an end of the edge, else 0.

    Parameters
    ----------
    size : int
        Nodes n, even and at least 4.
    edges : int or None
        Edges m; None: 3 n / 2.
    named : str or None
        A graph of `HALVES` in place of a random one.
    goal : int or None
        Edges between the halves; None: the least, or one less for a no-instance.
    seed, no, solve
        As of `Reduction`.

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

    size: int = setting(8, "nodes n, even, at least 4", "integer", least=4, metavar="N")
    edges: int | None = setting(None, "edges (default: 3/2 of the nodes)", "integer", least=1, metavar="N")
    named: str | None = named_setting(HALVES)
    goal: int | None = goal_setting(BISECTION.goal, "the least")

    name = "bisection"
    summary = "minimum bisection as n/2-anonymity of n rows"
    kind = "table"
    paper = LIANG_YUAN
    theorem = "Theorem 3"
    problem = GRAPH
    asks = BISECTION
    kept = ("goal",)

    def check(self) -> None:
        """Refuse odd sizes and unknown names."""
        even(self.size, "a bisection has two equal halves")
        refuse_unknown(self.named, HALVES)

    def build(self) -> Instance:
        """Return the instance: the threshold asks for the least cut, or for one edge less."""
        source = graph_of(HALVES, self.named, self.seed, self.size, self.edges)
        return self.of(source)

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with an even number of nodes."""
        refuse_odd(source)
        return forward(source, self.asked(lambda: most_cut(source, self.no)), solve=self.solve)


def graph_of(named: dict[str, Graph], name: str | None, seed: int, nodes: int, edges: int | None) -> Graph:
    """Return the graph that `name` has in `named`, or a random one where `name` is None.

    A random graph has n nodes and, where `edges` is None, 3 n / 2 edges, rounded down. PolicyError is raised if there
    are fewer than `edges` pairs of nodes.
    """
    if name is not None:
        return named[name]
    return drawn(np.random.default_rng(seed), nodes, 3 * nodes // 2 if edges is None else edges)


def most_cut(source: Graph, no: bool) -> int:
    """Return the cut to ask for: the least, or one edge less for a no-instance.

    PolicyError is raised if a no-instance is asked for and no edge is cut.
    """
    cut = source.cut(source.bisection())
    if no and cut == 0:
        raise PolicyError("the halves of this graph are not joined, so no cut is missed; ask for more edges")
    return cut - no


def incidence(source: Graph) -> tuple[tuple[str, ...], ...]:
    """Return the rows: node v's value v in the columns of its edges, 0 elsewhere.

    A graph of n nodes and m edges gives n rows of m texts.
    """
    return tuple(tuple(f"v{v}" if v in edge else "0" for edge in source.edges) for v in range(source.nodes))


def refuse_odd(source: Graph) -> None:
    """Refuse a graph without two halves of at least two nodes, or without an edge.

    The message of the PolicyError says what is missing.
    """
    n, m = source.nodes, len(source.edges)
    if n % 2 or n < 4 or m < 1:
        raise PolicyError(
            f"the graph needs an even number of at least 4 nodes and an edge, not {n} nodes and {m} edges"
        )


def forward(source: Graph, most: int, *, solve: bool = True) -> Instance:
    """Return the instance that asks for a bisection of at most `most` edges (Theorem 3; see `Bisection`).

    The source has n nodes, n even and at least 4, and at least one edge; otherwise PolicyError is raised. Without
    `solve` no least cut is sought, and the answer stays open. The least cut is found by an integer program of n + m
    variables without a time limit: its time grows exponentially with the graph in the worst case.
    """
    refuse_odd(source)
    n, m = source.nodes, len(source.edges)
    refuse_cells(n, m)
    names = tuple(f"e{u}-{v}" for u, v in source.edges)
    table = Table(quasi_identifiers=names, rows=incidence(source))
    half = source.bisection() if solve else None
    cut = None if half is None else source.cut(half)
    return Instance(
        name=Bisection.name,
        kind="table",
        question=f"is there a release with at most the threshold's stars (a bisection of at most {most} edges)?",
        threshold=n // 2 * (m + most),
        yes=None if cut is None else cut <= most,
        optimum=None if cut is None else n // 2 * (m + cut),
        theorem=Bisection.theorem,
        paper=Bisection.paper,
        source=source,
        backward=lambda released: backward(source, table, released),
        policy={"quasi_identifiers": list(names), "k": n // 2, "outliers": "forbid"},
        table=table,
        witness=None if half is None else (half, tuple(v for v in range(n) if v not in half)),
        more={"nodes": n, "edges": m, **({} if cut is None else {"cut": cut})},
        asks=BISECTION,
        goal=most,
    )


def backward(source: Graph, table: Table, released: Sequence[Sequence[str]]) -> tuple[int, ...]:
    """Return the half that node 0 is in (n/2 nodes, ascending): its cut has 2 stars / n - m edges, or fewer.

    A release of one class (n m stars) holds no half; any half will do then. Rows 0 to n - 1 of the instance's table are
    the nodes, rows after them are padding. `released` holds (rows, columns) texts in the table's order; InputError is
    raised if it is no release of the table.
    """
    for members in table.classes(released).values():
        nodes = tuple(v for v in members if v < source.nodes)
        if 0 in nodes:
            return nodes if len(nodes) == source.nodes // 2 else tuple(range(source.nodes // 2))
    raise ValueError("the release has no row of node 0")  # pragma: no cover  every row is in a class


# Minimum Bisection -> cn-anonymity for c up to 1/3, by padding.
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
        return padded_forward(source, self.asked(lambda: most_cut(source, self.no)), self.c, solve=self.solve)


def padded_forward(source: Graph, most: int, c: Fraction, *, solve: bool = True) -> Instance:
    """Return the padded instance that asks for a bisection of at most `most` edges (Theorem 4; see `BisectionPadded`).

    The source has n nodes, n even, and m edges. `c` is k as a part of the rows, above 0 and at most 1/3. Without
    `solve` no least cut is sought, and the answer stays open. PolicyError is raised if n / (2 c) is no whole number, or
    the graph has no two halves of two nodes or no edge. The table has n / (2 c) rows and 3 m + 1 columns. The least cut
    is found by an integer program of n + m variables without a time limit.
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
