"""Edge Partition into Triangles and 4-Stars -> binary 3-anonymity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.hardness.draw import named_setting, refuse_unknown, until
from incrowd.hardness.papers import BLOCKI_WILLIAMS
from incrowd.hardness.problems.graph import GRAPH
from incrowd.hardness.problems.limits import refuse_cells
from incrowd.hardness.questions.graphs import TRIANGLES_AND_STARS
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.sources.edge_partition import GRAPHS, planted_parts, sparse
from incrowd.hardness.values import Blocks, Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.hardness.sources.graphs import Graph

__all__ = ["TrianglesAndStars", "edges_of", "forward", "incidence", "partition_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrianglesAndStars(Reduction):
    """The reduction of Appendix C: one row an edge, one column a node, 1 where the edge meets the node.

    Parameters
    ----------
    size : int
        Triangles and stars, at least 1: three edges each.
    named : str or None
        A graph of `GRAPHS` in place of a random one.
    seed, no, solve
        As of `Reduction`.

    Notes
    -----
    k = 3; m edges. **Every release has at least 3 m stars, and one with 3 m exists if and only if the
    edges can be cut into triangles and 4-stars.** *Proof.* A class of e >= 3 edges has a star in every node's column
    that some but not all of them meet. If all meet in one node, these are the e other ends: 3 exactly for e = 3, a
    4-star. Otherwise no node (two edges that share both ends are one) lies on all of them, so every node that they
    touch counts: v nodes hold at most v (v - 1) / 2 edges, so v >= 3, and v = 3 means e = 3, a triangle. So every row
    has at least three stars, and exactly three in triangles and 4-stars only.

    References
    ----------
    .. [1] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", ICALP 2010, Appendix C,
       Lemma 6 (after Aggarwal et al., ICDT 2005).
    """

    size: int = setting(6, "triangles and stars: three edges each", "integer", least=1, metavar="N")
    named: str | None = named_setting(GRAPHS)

    name = "triangles-and-stars"
    summary = "edge partition into triangles and 4-stars as 3-anonymity of a binary table"
    kind = "table"
    paper = BLOCKI_WILLIAMS
    theorem = "Appendix C, Lemma 6"
    problem = GRAPH
    asks = TRIANGLES_AND_STARS

    def check(self) -> None:
        """Refuse unknown names, and the no-instances that do not exist."""
        refuse_unknown(self.named, GRAPHS)

    def build(self) -> Instance:
        """Return the instance of a named graph, of planted parts, or of a graph that has no partition."""
        if self.named is not None:
            return right(forward(GRAPHS[self.named]), no=self.no, named=self.named)
        draw = sparse if self.no else planted_parts
        return forward(
            until(
                self.seed,
                lambda rng: draw(rng, self.size),
                lambda graph: (partition_of(graph) is None) == self.no,
                "a no-instance" if self.no else "a yes-instance",
            )
        )

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with at least three edges."""
        return forward(source, solve=self.solve)


def right(instance: Instance, *, no: bool, named: str) -> Instance:
    """Return the instance, or refuse ``no`` where a named one's answer is yes.

    `named` is what the source problem is called. PolicyError is raised if ``no`` is asked for and the answer is yes.
    """
    if no and instance.yes:
        raise PolicyError(f"the answer of the named instance {named!r} is yes; leave out --no or name another")
    return instance


def partition_of(graph: Graph) -> tuple[tuple[int, ...], ...] | None:
    """Return triangles and 4-stars that together hold every edge of the graph exactly once, or None if there are none.

    Each part is given by the indices of its three edges.

    Notes
    -----
    An integer program with one variable per triangle and 4-star, solved by HiGHS without a time limit: its time grows
    exponentially with the edges in the worst case.
    """
    return graph.edge_partition(graph.triangles() + graph.stars())


def incidence(graph: Graph) -> Table:
    """Return the table of a graph: rows are edges, columns nodes.

    A graph of n nodes and m edges gives m rows and n columns ``v0``, ``v1``, ...: the text 1 where the edge meets the
    node, else 0.
    """
    rows = [tuple("1" if v in edge else "0" for v in range(graph.nodes)) for edge in graph.edges]
    return Table(quasi_identifiers=tuple(f"v{v}" for v in range(graph.nodes)), rows=tuple(rows))


def forward(
    graph: Graph,
    *,
    name: str = TrianglesAndStars.name,
    theorem: str = TrianglesAndStars.theorem,
    mask: Mapping[str, Any] | None = None,
    more: Mapping[str, Any] | None = None,
    solve: bool = True,
) -> Instance:
    """Return the 3-anonymity instance of a graph (Appendix C, Lemma 6; see `TrianglesAndStars`).

    `name` and `theorem` are what the instance calls itself and its proof; another reduction that ends in this one gives
    its own. `mask` is the ``mask`` of the policy, which has none by default, and `more` holds further facts for
    ``answer.json``. Without `solve` no partition is looked for, and the answer stays open; otherwise `partition_of` is
    solved once, and its time can grow exponentially with the edges. PolicyError is raised if the graph has fewer than
    three edges: then no class reaches three rows.
    """
    if len(graph.edges) < 3:
        raise PolicyError(f"a graph needs at least 3 edges, not {len(graph.edges)}: every class has three rows")
    refuse_cells(len(graph.edges), graph.nodes)
    table = incidence(graph)
    found = partition_of(graph) if solve else None
    return Instance(
        name=name,
        kind="table",
        question="is there a release with at most the threshold's stars (a partition into triangles and 4-stars)?",
        threshold=3 * len(graph.edges),
        yes=found is not None if solve else None,
        optimum=None if found is None else 3 * len(graph.edges),
        theorem=theorem,
        paper=TrianglesAndStars.paper,
        source=graph,
        backward=lambda released: edges_of(table, released),
        policy={
            "quasi_identifiers": list(table.quasi_identifiers),
            "k": 3,
            "outliers": "forbid",
            **({} if mask is None else {"mask": dict(mask)}),
        },
        table=table,
        witness=found,
        more={"nodes": graph.nodes, "edges": len(graph.edges), **(more or {})},
        asks=TRIANGLES_AND_STARS,
    )


def edges_of(table: Table, released: Sequence[Sequence[str]]) -> Blocks:
    """Return the triangles and 4-stars (indices of edges) of a release with three stars in every row.

    The instance's table has one row per edge, and `released` holds (m, n) texts in the table's order. InputError is
    raised if it is no release of the table. ValueError is raised if some row has another number of stars: then the
    release is beyond the threshold and holds no partition.
    """
    found = table.classes(released)
    if any(shown.count("*") != 3 for shown in found):
        raise ValueError("a row has other than three stars: the release is beyond the threshold")
    return tuple(sorted(found.values()))
