"""Edge Partition into Triangles -> 3-anonymity of a table over three symbols."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.draw import named_setting, refuse_unknown
from incrowd.hardness.papers import AGGARWAL
from incrowd.hardness.problems.graph import GRAPH
from incrowd.hardness.problems.limits import refuse_cells
from incrowd.hardness.questions.graphs import TRIANGLES
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.sources.edge_partition import GRAPHS
from incrowd.hardness.triangles_stars import right
from incrowd.hardness.tripartite import drawn_tripartite
from incrowd.hardness.values import Blocks, Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.hardness.sources.graphs import Graph

__all__ = ["TrianglesTernary", "backward", "blocks_of", "forward", "incidence"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrianglesTernary(Reduction):
    """Ternary 3-anonymity: the table of Appendix C (Blocki, Williams) t times side by side, its ones made 1 or 2.

    Edges are numbered from 0, m in all, and t = 1 + the binary digits of m - 1. In block 0 an edge shows 1 at its first
    end and 2 at its second; in block r likewise where digit r of its number is 0, and 2 and 1 where it is 1.

    Parameters
    ----------
    size : int
        Triangles, at least 1: three edges each.
    named : str or None
        A graph of `GRAPHS` in place of a random one.
    seed, no, solve
        As of `Reduction`.

    Notes
    -----
    k = 3. **Every release has at least 3 t m stars, and one with 3 t m exists if and only if the edges can be cut into
    triangles.** *Proof.* Two edges that meet in a node do not agree there in every block: if it is the first end of
    both, or the second, they differ in a block in which their numbers do; otherwise in block 0. Let a class of e >= 3
    edges all meet in one node. In every block the e >= 3 other ends have a star, as one edge alone is not 0 there, and
    in some block the node itself: more than 3 t stars a row. If they do not all meet in one node, no node lies on all
    of them (two edges that share both ends are one), so every node that they touch has a star in every block; these are
    at least three, and three only for a triangle (Appendix C). A triangle has exactly 3 t stars a row.

    A row within the threshold has its stars in the same nodes' columns of every block, so the policy's ``together`` and
    ``max_stars`` change no answer; they keep the patterns few.

    Blocki and Williams say of the reduction of Aggarwal et al. that a third symbol tells triangles from 4-stars; the
    blocks are written down here from that sentence, and the proof is this one.

    References
    ----------
    .. [1] G. Aggarwal, T. Feder, K. Kenthapadi, R. Motwani, R. Panigrahy, D. Thomas, A. Zhu, "Anonymizing Tables",
       ICDT 2005.
    .. [2] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", ICALP 2010, Section 5.
    """

    size: int = setting(3, "triangles: three edges each", "integer", least=1, metavar="N")
    named: str | None = named_setting(GRAPHS)

    name = "triangles-ternary"
    summary = "edge partition into triangles as 3-anonymity of a table over three symbols"
    kind = "table"
    paper = AGGARWAL
    theorem = "Ternary 3-anonymity"
    problem = GRAPH
    asks = TRIANGLES

    def check(self) -> None:
        """Refuse unknown names, and a no-instance where there is none."""
        refuse_unknown(self.named, GRAPHS)
        if self.no and self.named is None and self.size < 2:
            raise PolicyError("a no-instance needs a size of at least 2")

    def build(self) -> Instance:
        """Return the instance of a named graph, of planted triangles, or of a graph that has no partition."""
        if self.named is not None:
            return right(forward(GRAPHS[self.named]), no=self.no, named=self.named)
        return forward(drawn_tripartite(self.seed, self.size, no=self.no).graph)

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with at least three edges."""
        return forward(source, solve=self.solve)


def blocks_of(edges: int) -> int:
    """Return the number t of blocks: one, and one for every binary digit of the largest number of an edge.

    There is at least one edge.
    """
    return 1 + (edges - 1).bit_length()


def incidence(graph: Graph) -> tuple[tuple[str, ...], ...]:
    """Return the rows: one per edge, of t blocks of one column per node.

    A graph of n nodes and m edges gives m rows of t n texts 0, 1 and 2.
    """
    found = []
    for e, (u, v) in enumerate(graph.edges):
        row: list[str] = []
        for r in range(blocks_of(len(graph.edges))):
            swapped = r > 0 and bool(e >> (r - 1) & 1)
            ends = {u: "2" if swapped else "1", v: "1" if swapped else "2"}
            row += [ends.get(node, "0") for node in range(graph.nodes)]
        found.append(tuple(row))
    return tuple(found)


def forward(source: Graph, *, solve: bool = True) -> Instance:
    """Return the instance of a graph (see `TrianglesTernary`).

    The source has n nodes and m edges; PolicyError is raised if there are fewer than three edges, since then no class
    reaches three rows. Without `solve` no partition is looked for, and the answer stays open.

    Notes
    -----
    The table has m rows and n (1 + log2 m) columns. The partition is found by an integer program of one variable per
    triangle, without a time limit.
    """
    n, m = source.nodes, len(source.edges)
    if m < 3:
        raise PolicyError(f"a graph needs at least 3 edges, not {m}: every class has three rows")
    t = blocks_of(m)
    refuse_cells(m, n * t)
    names = tuple(f"b{r}.v{v}" for r in range(t) for v in range(n))
    table = Table(quasi_identifiers=names, rows=incidence(source))
    found = source.edge_partition(source.triangles()) if solve else None
    return Instance(
        name=TrianglesTernary.name,
        kind="table",
        question="is there a release with at most the threshold's stars (an edge partition into triangles)?",
        threshold=3 * t * m,
        yes=found is not None if solve else None,
        optimum=None if found is None else 3 * t * m,
        theorem=TrianglesTernary.theorem,
        paper=TrianglesTernary.paper,
        source=source,
        backward=lambda released: backward(table, t, released),
        policy={
            "quasi_identifiers": list(names),
            "k": 3,
            "outliers": "forbid",
            "mask": {"together": [[f"b{r}.v{v}" for r in range(t)] for v in range(n)], "max_stars": 3 * t},
        },
        table=table,
        witness=found,
        more={"nodes": n, "edges": m, "blocks": t},
        asks=TRIANGLES,
    )


def backward(table: Table, blocks: int, released: Sequence[Sequence[str]]) -> Blocks:
    """Return the triangles (indices of edges) of a release with 3 t stars in every row.

    The instance's table has one row per edge; `blocks` is t, and `released` holds (m, t n) texts in the table's order.
    InputError is raised if it is no release of the table. ValueError is raised if some row has another number of stars:
    then the release is beyond the threshold and holds no partition.
    """
    found = table.classes(released)
    if any(shown.count("*") != 3 * blocks for shown in found):
        raise ValueError(f"a row has other than {3 * blocks} stars: the release is beyond the threshold")
    return tuple(sorted(found.values()))
