"""Edge Partition into Triangles -> distinct 2-diversity of three binary sensitive columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.hardness.papers import BLOCKI_WILLIAMS
from incrowd.hardness.tripartite import TripartiteReduction, instance_of

if TYPE_CHECKING:
    from incrowd.hardness.sources.edge_partition import Tripartite
    from incrowd.hardness.values import Instance

__all__ = ["TrianglesTwoDiversity"]


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

        Parameters
        ----------
        source : Tripartite
            With an edge between any two classes.
        solve : bool
            Look for a partition; otherwise the answer stays open.

        Raises
        ------
        PolicyError
            If some two classes have no edge between them.
        """
        missed = source.kinds()
        columns = {f"s{j}": ["0" if kind == j else "1" for kind in missed] for j in range(3)}
        require = [{"model": "l-diversity", "l": 2, "column": name, "kind": "distinct"} for name in columns]
        return instance_of(cls, source, columns, require, solve=solve)
