"""Edge Partition into Triangles and 4-Stars -> binary 3-anonymity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.hardness.problem import refuse_cells
from incrowd.hardness.problems import GRAPH, TRIPARTITE_GRAPH
from incrowd.hardness.questions import TRIANGLES, TRIANGLES_AND_STARS
from incrowd.hardness.reduction import AGGARWAL, BLOCKI_WILLIAMS, Reduction, named_setting, refuse_unknown, until
from incrowd.hardness.sources.edge_partition import (
    GRAPHS,
    TRIPARTITE,
    Tripartite,
    balanced,
    planted_parts,
    planted_triangles,
    sparse,
)
from incrowd.hardness.values import Blocks, Instance, Table
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.hardness.sources.graphs import Graph


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

    Each part is given by the indices of its three edges. An integer program with one variable per triangle and 4-star,
    solved by HiGHS without a time limit: its time grows exponentially with the edges in the worst case.
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


# Edge Partition into Triangles of a tripartite graph: what its two reductions to l-diversity share.
def drawn_tripartite(seed: int, size: int, *, no: bool) -> Tripartite:
    """Return a drawn tripartite graph that can be cut into triangles, or (with `no`) that cannot.

    `size` is the number of triangles, three edges each. PolicyError is raised if no draw of that size has the answer.
    """
    draw = balanced if no else planted_triangles
    return until(
        seed,
        lambda rng: draw(rng, size),
        lambda made: (made.partition() is None) == no,
        "a no-instance" if no else "a yes-instance",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TripartiteReduction(Reduction):
    """What both reductions from tripartite graphs share: their parameters and how a source problem is drawn.

    `size`: triangles of the source graph, three edges each. `named`: a graph of `TRIPARTITE` in place of a random one.
    `seed`, `no`, `solve`: as of `Reduction`.
    """

    size: int = setting(6, "triangles: three edges each", "integer", least=1, metavar="N")
    named: str | None = named_setting(TRIPARTITE)

    problem = TRIPARTITE_GRAPH
    asks = TRIANGLES

    def check(self) -> None:
        """Refuse unknown names, and a no-instance where there is none."""
        refuse_unknown(self.named, TRIPARTITE)
        if self.no and self.named is None and self.size < 2:
            raise PolicyError("a no-instance needs a size of at least 2")

    def build(self) -> Instance:
        """Return the instance of a named graph, of planted triangles, or of a graph that has no partition."""
        if self.named is not None:
            return right(self.forward(TRIPARTITE[self.named]), no=self.no, named=self.named)
        return self.forward(drawn_tripartite(self.seed, self.size, no=self.no))

    def of(self, source: Tripartite) -> Instance:
        """Return the instance of a tripartite graph with an edge between any two classes."""
        return self.forward(source, solve=self.solve)

    @classmethod
    def forward(cls, source: Tripartite, *, solve: bool = True) -> Instance:
        """Return the instance of a tripartite graph.

        `source`: with an edge between any two classes. `solve`: look for a partition; otherwise the answer stays open.
        NotImplementedError is raised: always: every reduction gives its own.
        """
        raise NotImplementedError


def instance_of(
    kind: type[TripartiteReduction],
    source: Tripartite,
    sensitive: Mapping[str, Sequence[str]],
    require: Sequence[Mapping[str, Any]],
    *,
    solve: bool = True,
) -> Instance:
    """Return the instance with some sensitive columns (name -> value per edge) and requirements.

    `kind` gives the instance its name, theorem and paper. `sensitive` holds per sensitive column m values, in the order
    of the source's m edges, and `require` the ``require`` tables of the policy. Without `solve` no partition is looked
    for, and the answer stays open; it is found by an integer program with one variable per triangle, without a time
    limit. PolicyError is raised if some two classes have no edge between them: then no release meets the requirements.
    """
    if len(set(source.kinds())) < 3:
        raise PolicyError("there must be an edge between any two classes; otherwise no release is diverse")
    refuse_cells(len(source.graph.edges), source.graph.nodes)
    bare = incidence(source.graph)
    rows = tuple((*row, *values) for row, values in zip(bare.rows, zip(*sensitive.values(), strict=True), strict=True))
    table = Table(quasi_identifiers=bare.quasi_identifiers, sensitive=tuple(sensitive), rows=rows)
    found = source.partition() if solve else None
    policy: dict[str, Any] = {
        "quasi_identifiers": list(table.quasi_identifiers),
        "sensitive": list(table.sensitive),
        "k": 3,
        "outliers": "forbid",
        "require": [dict(one) for one in require],
    }
    return Instance(
        name=kind.name,
        kind="table",
        question="is there a release with at most the threshold's stars (an edge partition into triangles)?",
        threshold=3 * len(rows),
        yes=found is not None if solve else None,
        optimum=None if found is None else 3 * len(rows),
        theorem=kind.theorem,
        paper=kind.paper,
        source=source,
        backward=lambda released: edges_of(table, released),
        policy=policy,
        table=table,
        witness=found,
        more={"nodes": source.graph.nodes, "edges": len(rows)},
        asks=TRIANGLES,
    )


# Edge Partition into Triangles -> distinct 2-diversity of three binary sensitive columns.
@dataclass(frozen=True, slots=True, kw_only=True)
class TrianglesTwoDiversity(TripartiteReduction):
    """The reduction of Theorem 1.6: rows are edges, columns nodes, and s_j is 1 where the edge meets class j.

    Parameters
    ----------
    size, named, seed, no, solve
        As of `TripartiteReduction`.

    Notes
    -----
    Every class of a release shows at least two values of s0, of s1 and of s2, each by itself; m edges. **Every such
    release has at least 3 m stars, and one with 3 m exists if and only if the edges can be cut into triangles.**
    *Proof.* The edges between classes 0 and 1 are the ones with s2 = 0, and so on: two values in every column means a 0
    in every column, an edge of each kind, so at least three rows. By Appendix C a class then has at least three stars a
    row, and exactly three if it is a triangle or a 4-star. A 4-star's edges meet in one node, so they have a 1 in its
    class's column, all three: not diverse. A triangle has an edge of each kind. So k = 3 in the policy adds nothing.

    Under the paper's own Definition 1 (every row in two rows that differ in *every* sensitive column) these instances
    have no release at all: two edges of a tripartite graph always have a class that both meet, so an equal 1 in its
    column (a test). The theorem holds with each column judged by itself.

    References
    ----------
    .. [1] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", ICALP 2010, Theorem 1.6,
       Lemma 5.
    """

    name = "triangles-2-diversity"
    summary = "edge partition into triangles as 2-diversity of three binary sensitive columns"
    kind = "table"
    paper = BLOCKI_WILLIAMS
    theorem = "Theorem 1.6"

    @classmethod
    def forward(cls, source: Tripartite, *, solve: bool = True) -> Instance:
        """Return the instance of a tripartite graph.

        `source`: with an edge between any two classes. `solve`: look for a partition; otherwise the answer stays open.
        PolicyError is raised if some two classes have no edge between them.
        """
        missed = source.kinds()
        columns = {f"s{j}": ["0" if kind == j else "1" for kind in missed] for j in range(3)}
        require = [{"model": "l-diversity", "l": 2, "column": name, "kind": "distinct"} for name in columns]
        return instance_of(cls, source, columns, require, solve=solve)


# Edge Partition into Triangles -> 3-diversity with one ternary sensitive column.
@dataclass(frozen=True, slots=True, kw_only=True)
class TrianglesThreeDiversity(TripartiteReduction):
    """The reduction of Theorem 1.7: rows are edges, columns nodes, the sensitive value is the pair of classes joined.

    Parameters
    ----------
    size, named, seed, no, solve
        As of `TripartiteReduction`.

    Notes
    -----
    Every class of a release shows three sensitive values (one column: the paper's Definition 1 says the same); m edges.
    **Every such release has at least 3 m stars, and one with 3 m exists if and only if the edges can be cut into
    triangles.** *Proof.* As for Theorem 1.6: three values are an edge of each kind, so at least three rows, and of the
    classes with three stars a row, triangles and 4-stars, only triangles have one of each. So k = 3 in the policy adds
    nothing.

    3-diversity by frequency (no value in more than a third) asks for equally many edges of each kind in a class; a
    triangle meets it too, so the statement is the same (a test).

    References
    ----------
    .. [1] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", ICALP 2010, Theorem 1.7.
    """

    name = "triangles-3-diversity"
    summary = "edge partition into triangles as 3-diversity of one ternary sensitive column"
    kind = "table"
    paper = BLOCKI_WILLIAMS
    theorem = "Theorem 1.7"

    @classmethod
    def forward(cls, source: Tripartite, *, solve: bool = True) -> Instance:
        """Return the instance of a tripartite graph.

        `source`: with an edge between any two classes. `solve`: look for a partition; otherwise the answer stays open.
        PolicyError is raised if some two classes have no edge between them.
        """
        kinds = [("23", "13", "12")[kind] for kind in source.kinds()]
        require = [{"model": "l-diversity", "l": 3, "column": "joins", "kind": "distinct"}]
        return instance_of(cls, source, {"joins": kinds}, require, solve=solve)


# Edge Partition into Triangles -> 3-anonymity of a table over three symbols.
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
            return right(ternary_forward(GRAPHS[self.named]), no=self.no, named=self.named)
        return ternary_forward(drawn_tripartite(self.seed, self.size, no=self.no).graph)

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with at least three edges."""
        return ternary_forward(source, solve=self.solve)


def blocks_of(edges: int) -> int:
    """Return the number t of blocks: one, and one for every binary digit of the largest number of an edge.

    There is at least one edge.
    """
    return 1 + (edges - 1).bit_length()


def ternary_incidence(graph: Graph) -> tuple[tuple[str, ...], ...]:
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


def ternary_forward(source: Graph, *, solve: bool = True) -> Instance:
    """Return the instance of a graph (see `TrianglesTernary`).

    The source has n nodes and m edges; PolicyError is raised if there are fewer than three edges, since then no class
    reaches three rows. Without `solve` no partition is looked for, and the answer stays open. The table has m rows and
    n (1 + log2 m) columns. The partition is found by an integer program of one variable per triangle, without a time
    limit.
    """
    n, m = source.nodes, len(source.edges)
    if m < 3:
        raise PolicyError(f"a graph needs at least 3 edges, not {m}: every class has three rows")
    t = blocks_of(m)
    refuse_cells(m, n * t)
    names = tuple(f"b{r}.v{v}" for r in range(t) for v in range(n))
    table = Table(quasi_identifiers=names, rows=ternary_incidence(source))
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
