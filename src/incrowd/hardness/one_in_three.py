"""1-in-3-SAT -> Edge Partition into 4-Stars of a triangle-free graph -> binary 3-anonymity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from incrowd.hardness.construction import BLOCKI_WILLIAMS, Chain, Link, whole
from incrowd.hardness.questions import ASSIGNMENT
from incrowd.hardness.sources import Formula, Graph, drawn_formula
from incrowd.hardness.triangles import TrianglesAndStars

if TYPE_CHECKING:
    import numpy as np

    from incrowd.hardness.values import Blocks


class CutIntoStars(TrianglesAndStars):
    """The table of Appendix C whose mask allows no more stars than a release within the threshold has."""

    mask: ClassVar = {"max_stars": 3}


@dataclass(frozen=True, kw_only=True)
class OneInThree(Chain):
    """The reduction of Theorem 1.5, followed by that of Appendix C.

    A variable is a gadget G_d: two 3-binary trees (top and bottom) of depth d with leaves' edges to share, three leaves
    taken out at three different parents of each, and these parents matched across. A clause is three copies of S_5: a
    centre with a private edge and three edges to share. A literal x (or not x) of the clause merges three edges of the
    top (bottom) tree of x with one edge of each copy; what is left over in a tree is joined in threes, from different
    parents, at new nodes.

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

    size: int = whole(1, "clauses; a no-instance has two at least")
    variables: int = whole(3, "variables, at least 3", least=3)

    name = "one-in-three-sat"
    summary = "1-in-3-SAT as edge partition into 4-stars, as 3-anonymity of a binary table"
    paper = BLOCKI_WILLIAMS
    theorem = "Theorem 1.5"
    source = Formula
    asks = ASSIGNMENT
    then = CutIntoStars

    def draw(self, rng: np.random.Generator) -> Formula:
        """Return a formula made around a solution, or a random one of at least two clauses."""
        clauses = max(self.size, 2) if self.no else self.size
        return drawn_formula(rng, clauses, self.variables, plant=not self.no)

    def lacks(self, source: Formula) -> str:
        """Return whether there is no clause."""
        return "" if source.clauses else "the formula needs a clause"

    def link(self, source: Formula, goal: int | None) -> Link:
        """Return the graph; its 4-stars give a variable the value of its top tree (False: it is in no clause)."""
        graph, top = gadgets(source)

        def back(parts: Blocks) -> tuple[bool, ...]:
            centre: dict[tuple[int, int], int] = {}
            for block in parts:
                a, b, c = (set(graph.edges[e]) for e in block)
                (middle,) = a & b & c
                centre.update({graph.edges[e]: middle for e in block})
            return tuple(edge is not None and centre[min(edge), max(edge)] == edge[0] for edge in top)

        return Link(graph, None, back)


def depth(uses: int) -> int:
    """Return the least depth, at least 2, of a tree that `uses` literals can share: 3 * 2^(d-1) - 3 >= 3 * uses."""
    d = 2
    while 3 * 2 ** (d - 1) - 3 < 3 * uses:
        d += 1
    return d


def gadgets(formula: Formula) -> tuple[Graph, tuple[tuple[int, int] | None, ...]]:
    """Return the graph of a formula, and an edge to share of every variable's top tree: the parent, the other end.

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
    return graph, tuple((first[v], ends[first[v]]) if v in first else None for v in variables)
