"""1-in-3-SAT -> Edge Partition into 4-Stars of a triangle-free graph -> binary 3-anonymity."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError
from incrowd.hardness.problems import FORMULA
from incrowd.hardness.questions import ASSIGNMENT
from incrowd.hardness.reduction import BLOCKI_WILLIAMS, Reduction, named_setting, refuse_unknown, until
from incrowd.hardness.sources.graphs import Graph
from incrowd.hardness.sources.one_in_three import NAMED, Formula, drawn, planted
from incrowd.hardness.triangles import edges_of, right
from incrowd.hardness.triangles import forward as table_of
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.hardness.values import Instance, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class OneInThree(Reduction):
    """The reduction of Theorem 1.5, followed by that of Appendix C.

    A variable is a gadget G_d: two 3-binary trees (top and bottom) of depth d with leaves' edges to share, three leaves
    taken out at three different parents of each, and these parents matched across. A clause is three copies of S_5: a
    centre with a private edge and three edges to share. A literal x (or not x) of the clause merges three edges of the
    top (bottom) tree of x with one edge of each copy; what is left over in a tree is joined in threes, from different
    parents, at new nodes.

    Parameters
    ----------
    size : int
        Clauses; a random no-instance has two at least.
    variables : int
        At least 3.
    named : str or None
        A formula of `NAMED` in place of a random one.
    seed, no, solve
        As of `Reduction`.

    Notes
    -----
    A tree of depth d has 3 * 2^(d - 1) leaves, three are taken out, so **3 * 2^(d - 1) - 3 >= 3 k** edges
    to share suffice for a variable that is in k clauses under one sign, and d >= 2, or there are no three different
    parents. Two edges of one parent never meet in a node: a literal's three edges go to three copies; the left-over
    edges, a multiple of three, are dealt out in turn to a third as many nodes, and if only three are left they are
    those of the three parents that lost a leaf, because these come last.

    **The formula is 1-in-3 satisfiable if and only if the graph's edges can be cut into 4-stars.** *Proof.* All nodes
    of a tree have degree three. In a partition a node with three edges is the centre of a star or of none of its
    edges. So along a tree centres alternate by depth, and across the matched edges one end is a centre, the other not:
    the edges to share of exactly one of the two trees have their centres in it (top: the variable is true). A clause's
    copy has four edges; its private one forces the star at its centre, which takes two more, so exactly one of its
    three shared edges has its centre in a variable's tree: exactly one literal is true. Left-over edges whose centre
    is not in the tree are the star at their new node. Conversely a solution gives all these stars. There is no
    triangle: nodes that share a centre or a new node are parents of one depth in one tree, or of different variables.
    So Appendix C applies.

    The paper also calls the graph bipartite. It need not be: two clauses that join the same two variables with equal
    and with unequal signs close an odd cycle (a test). Nothing rests on it.

    A row of a release within the threshold has three stars, so the policy's ``max_stars = 3`` (with full suppression)
    changes no answer; it keeps the list of patterns short.

    References
    ----------
    .. [1] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", ICALP 2010, Theorem 1.5,
       Definitions 11 and 12, Lemma 4, Appendices B and D.
    """

    size: int = setting(1, "clauses; a no-instance has two at least", "integer", least=1, metavar="N")
    variables: int = setting(3, "variables, at least 3", "integer", least=3, metavar="N")
    named: str | None = named_setting(NAMED)

    name = "one-in-three-sat"
    summary = "1-in-3-SAT as edge partition into 4-stars, as 3-anonymity of a binary table"
    kind = "table"
    paper = BLOCKI_WILLIAMS
    theorem = "Theorem 1.5"
    problem = FORMULA
    asks = ASSIGNMENT

    def check(self) -> None:
        """Refuse unknown names."""
        refuse_unknown(self.named, NAMED)

    def build(self) -> Instance:
        """Return the instance of a named formula, or of a drawn one."""
        if self.named is not None:
            return right(forward(NAMED[self.named]), no=self.no, named=self.named)
        if not self.no:
            return forward(planted(np.random.default_rng(self.seed), self.size, self.variables))
        return forward(
            until(
                self.seed,
                lambda rng: drawn(rng, max(self.size, 2), self.variables),
                lambda formula: formula.solution() is None,
                "a no-instance",
            )
        )

    def of(self, source: Formula) -> Instance:
        """Return the instance of a formula with a clause."""
        return forward(source, solve=self.solve)


@dataclass(frozen=True, slots=True)
class Gadgets:
    """The graph of a formula, and where its variables are.

    `top`: tuple of (int, int) or None, per variable an edge to share of its top tree: its parent in the tree, its other
    end (None: in no clause).
    """

    graph: Graph
    top: tuple[tuple[int, int] | None, ...]


def depth(uses: int) -> int:
    """Return the least depth, at least 2, of a tree that `uses` literals can share: 3 * 2^(d-1) - 3 >= 3 * uses.

    `uses` is at least 0.
    """
    d = 2
    while 3 * 2 ** (d - 1) - 3 < 3 * uses:
        d += 1
    return d


def gadgets(formula: Formula) -> Gadgets:
    """Return the graph of a formula.

    It has a gadget of two trees per variable, three copies of S_5 per clause, and nodes that join what is left over. A
    variable that is in some clause takes 2 + 6 (2^(d-1) - 1) nodes with d = `depth` of its uses, a clause takes 6, and
    three left-over edges take one. Time and memory grow in line with the edges.
    """
    edges: list[tuple[int, int]] = []
    count = 0

    def fresh() -> int:
        nonlocal count
        count += 1
        return count - 1

    def tree(d: int) -> list[int]:
        """Make a tree without its leaves; return the leaves' parents, 3 * 2^(d-2) of them."""
        root = fresh()
        layer = [fresh() for _ in range(3)]
        edges.extend((root, v) for v in layer)
        for _ in range(d - 2):
            below = [(v, fresh()) for v in layer for _ in range(2)]
            edges.extend(below)
            layer = [v for _, v in below]
        return layer

    free: dict[
        int, list[int]
    ] = {}  # literal -> parents of edges to share, pairs first, then the three that lost a leaf
    first: dict[int, int] = {}
    for v in range(1, formula.variables + 1):
        uses = [sum(sign * v in clause for clause in formula.clauses) for sign in (1, -1)]
        if not any(uses):
            continue
        above, below = tree(depth(max(uses))), tree(depth(max(uses)))
        edges.extend(zip(above[:3], below[:3], strict=True))
        for literal, parents in ((v, above), (-v, below)):
            free[literal] = [p for p in parents[3:] for _ in range(2)] + parents[:3]
        first[v] = free[v][0]
    ends: dict[int, int] = {}
    for clause in formula.clauses:
        centres = [fresh() for _ in range(3)]
        edges.extend((centre, fresh()) for centre in centres)
        for literal in clause:
            for centre in centres:
                parent = free[literal].pop(0)
                ends.setdefault(parent, centre)
                edges.append((parent, centre))
    for literal in free:
        left = free[literal]
        nodes = [fresh() for _ in range(len(left) // 3)]
        for i, parent in enumerate(left):
            end = nodes[i % len(nodes)]
            ends.setdefault(parent, end)
            edges.append((parent, end))
    graph = Graph(count, tuple(sorted((min(e), max(e)) for e in edges)))
    variables = range(1, formula.variables + 1)
    return Gadgets(graph, tuple((first[v], ends[first[v]]) if v in first else None for v in variables))


def forward(formula: Formula, *, solve: bool = True) -> Instance:
    """Return the 3-anonymity instance of a formula (Theorem 1.5; see `OneInThree`).

    Without `solve` it is not found out whether the formula has a solution, and the answer stays open; otherwise the
    formula and the edge partition of its graph are each solved by an integer program without a time limit. PolicyError
    is raised if the graph has fewer than three edges, as that of a formula without clauses.
    """
    if not formula.clauses:
        raise PolicyError("the formula needs a clause")
    made = gadgets(formula)
    instance = table_of(
        made.graph,
        name=OneInThree.name,
        theorem=OneInThree.theorem,
        mask={"max_stars": 3},
        more={"variables": formula.variables, "clauses": len(formula.clauses)},
        solve=solve,
    )
    table = instance.table
    assert table is not None
    if solve and instance.yes != (formula.solution() is not None):
        raise RuntimeError("the formula and its graph do not agree")  # pragma: no cover  Theorem 1.5 forbids it
    return replace(
        instance,
        question="is there a release with at most the threshold's stars (a 1-in-3 solution of the formula)?",
        source=formula,
        asks=ASSIGNMENT,
        backward=lambda released: assignment(made, table, released),
    )


def assignment(made: Gadgets, table: Table, released: Sequence[Sequence[str]]) -> tuple[bool, ...]:
    """Return the solution that a release within the threshold holds: the centre of each variable's top edges.

    The values are those of variables 1, 2, ..., and False for one that is in no clause. The instance's table has one
    row per edge of the formula's graph `made`, and `released` holds (m, nodes) texts in the table's order. InputError
    is raised if it is no release of the table, and ValueError if some row has other than three stars, or some class's
    edges share no node.
    """
    centre: dict[tuple[int, int], int] = {}
    for block in edges_of(table, released):
        a, b, c = (set(made.graph.edges[e]) for e in block)
        (middle,) = a & b & c
        centre.update({made.graph.edges[e]: middle for e in block})
    return tuple(edge is not None and centre[min(edge), max(edge)] == edge[0] for edge in made.top)
