"""Edge Partition into Triangles (and 4-Stars) -> 3-anonymity of binary and ternary tables, and l-diversity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from incrowd.hardness.construction import AGGARWAL, BLOCKI_WILLIAMS, Construction, table_instance, whole
from incrowd.hardness.questions import TRIANGLES, TRIANGLES_AND_STARS
from incrowd.hardness.sources import Graph, Tripartite, drawn_graph, drawn_tripartite, planted_parts, refuse_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np

    from incrowd.hardness.values import Blocks, Instance, Shown


@dataclass(frozen=True, kw_only=True)
class TrianglesAndStars(Construction):
    """The reduction of Appendix C: one row an edge, one column a node, 1 where the edge meets the node.

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

    size: int = whole(6, "triangles and stars: three edges each")

    name = "triangles-and-stars"
    summary = "edge partition into triangles and 4-stars as 3-anonymity of a binary table"
    paper = BLOCKI_WILLIAMS
    theorem = "Appendix C, Lemma 6"
    source = Graph
    asks = TRIANGLES_AND_STARS
    mask: ClassVar[Mapping[str, Any] | None] = None

    def draw(self, rng: np.random.Generator) -> Graph:
        """Return planted parts, or a random graph whose degrees are about three."""
        size = self.size
        return drawn_graph(rng, max(5, 2 * size + 1), 3 * size) if self.no else planted_parts(rng, size)

    def lacks(self, source: Graph) -> str:
        """Return whether there are fewer than three edges: then no class reaches three rows."""
        return few_edges(source)

    def best(self, source: Graph) -> Blocks | None:
        """Return triangles and 4-stars that hold every edge once."""
        return source.edge_partition(source.triangles() + source.stars())

    def forward(self, source: Graph, goal: int | None) -> Instance:
        """Return a row an edge, a column a node."""
        names, rows = incidence(source)
        return table_instance(
            names, rows, k=3, threshold=3 * len(rows), mask=self.mask, witness=lambda parts: parts,
            backward=parts_of(3), nodes=source.nodes, edges=len(rows),
        )  # fmt: skip


def few_edges(source: Graph) -> str:
    """Return that a graph has too few edges for a class of three rows, or an empty text."""
    many = len(source.edges)
    return f"a graph needs at least 3 edges, not {many}: every class has three rows" if many < 3 else ""


def incidence(source: Graph) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return columns and rows: 1 where the row's edge meets the column's node, else 0."""
    refuse_cells(len(source.edges), source.nodes)
    rows = [tuple("1" if v in edge else "0" for v in range(source.nodes)) for edge in source.edges]
    return [f"v{v}" for v in range(source.nodes)], rows


def parts_of(stars: int) -> Callable[[Shown], Blocks]:
    """Return the way back: the classes of a release with so many stars in every row are parts, as indices of edges.

    ValueError is raised if a row has another number of stars: the release is beyond the threshold.
    """

    def backward(classes: Shown) -> Blocks:
        if any(shown.count("*") != stars for shown in classes):
            raise ValueError(f"a row has other than {stars} stars: the release is beyond the threshold")
        return tuple(sorted(classes.values()))

    return backward


@dataclass(frozen=True, kw_only=True)
class TrianglesTwoDiversity(Construction):
    """The reduction of Theorem 1.6: rows are edges, columns nodes, and s_j is 1 where the edge meets class j.

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

    size: int = whole(6, "triangles: three edges each")

    name = "triangles-2-diversity"
    summary = "edge partition into triangles as 2-diversity of three binary sensitive columns"
    paper = BLOCKI_WILLIAMS
    theorem = "Theorem 1.6"
    source = Tripartite
    asks = TRIANGLES

    def draw(self, rng: np.random.Generator) -> Tripartite:
        """Return planted triangles, or as many random edges between any two classes."""
        return drawn_tripartite(rng, self.size, plant=not self.no)

    def lacks(self, source: Tripartite) -> str:
        """Return whether two classes have no edge between them."""
        missed = len(set(source.kinds())) < 3
        return "there must be an edge between any two classes; otherwise no release is diverse" if missed else ""

    def best(self, source: Graph) -> Blocks | None:
        """Return triangles that hold every edge once."""
        return source.edge_partition(source.triangles())

    def secrets(self, source: Tripartite) -> tuple[Mapping[str, Sequence[str]], int]:
        """Return the sensitive columns, and how many values of each a class must show."""
        return {f"s{j}": ["0" if kind == j else "1" for kind in source.kinds()] for j in range(3)}, 2

    def forward(self, source: Tripartite, goal: int | None) -> Instance:
        """Return a row an edge, a column a node, and the sensitive columns."""
        names, bare = incidence(source)
        columns, least = self.secrets(source)
        return table_instance(
            names, [(*row, *own) for row, own in zip(bare, zip(*columns.values(), strict=True), strict=True)],
            k=3, threshold=3 * len(bare), sensitive=tuple(columns), witness=lambda parts: parts, backward=parts_of(3),
            require=[{"model": "l-diversity", "l": least, "column": name, "kind": "distinct"} for name in columns],
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class TrianglesThreeDiversity(TrianglesTwoDiversity):
    """The reduction of Theorem 1.7: rows are edges, columns nodes, the sensitive value is the pair of classes joined.

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
    theorem = "Theorem 1.7"

    def secrets(self, source: Tripartite) -> tuple[Mapping[str, Sequence[str]], int]:
        """Return the pair of classes that every edge joins, of which a class must show all three."""
        return {"joins": [("23", "13", "12")[kind] for kind in source.kinds()]}, 3


@dataclass(frozen=True, kw_only=True)
class TrianglesTernary(Construction):
    """Ternary 3-anonymity: the table of Appendix C (Blocki, Williams) t times side by side, its ones made 1 or 2.

    Edges are numbered from 0, m in all, and t = 1 + the binary digits of m - 1. In block 0 an edge shows 1 at its first
    end and 2 at its second; in block r likewise where digit r of its number is 0, and 2 and 1 where it is 1.

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

    size: int = whole(3, "triangles: three edges each")

    name = "triangles-ternary"
    summary = "edge partition into triangles as 3-anonymity of a table over three symbols"
    paper = AGGARWAL
    theorem = "Ternary 3-anonymity"
    source = Graph
    asks = TRIANGLES

    def draw(self, rng: np.random.Generator) -> Graph:
        """Return planted triangles, or as many random edges between any two of three classes."""
        made = drawn_tripartite(rng, self.size, plant=not self.no)
        return Graph(made.nodes, made.edges)

    def lacks(self, source: Graph) -> str:
        """Return whether there are fewer than three edges: then no class reaches three rows."""
        return few_edges(source)

    def best(self, source: Graph) -> Blocks | None:
        """Return triangles that hold every edge once."""
        return source.edge_partition(source.triangles())

    def forward(self, source: Graph, goal: int | None) -> Instance:
        """Return a row an edge, t columns a node."""
        n, m = source.nodes, len(source.edges)
        t = 1 + (m - 1).bit_length()
        refuse_cells(m, n * t)

        def row(e: int) -> list[str]:
            u, v = source.edges[e]
            swapped = [False, *(bool(e >> digit & 1) for digit in range(t - 1))]
            ends = [{u: "2", v: "1"} if swap else {u: "1", v: "2"} for swap in swapped]
            return [one.get(node, "0") for one in ends for node in range(n)]

        return table_instance(
            [f"b{r}.v{v}" for r in range(t) for v in range(n)], map(row, range(m)), k=3, threshold=3 * t * m,
            mask={"together": [[f"b{r}.v{v}" for r in range(t)] for v in range(n)], "max_stars": 3 * t},
            witness=lambda parts: parts, backward=parts_of(3 * t), blocks=t,
        )  # fmt: skip
