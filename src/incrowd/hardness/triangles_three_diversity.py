"""Edge Partition into Triangles -> 3-diversity with one ternary sensitive column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.hardness.papers import BLOCKI_WILLIAMS
from incrowd.hardness.tripartite import TripartiteReduction, instance_of

if TYPE_CHECKING:
    from incrowd.hardness.sources.edge_partition import Tripartite
    from incrowd.hardness.values import Instance

__all__ = ["TrianglesThreeDiversity"]


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
        kinds = [("23", "13", "12")[kind] for kind in source.kinds()]
        require = [{"model": "l-diversity", "l": 3, "column": "joins", "kind": "distinct"}]
        return instance_of(cls, source, {"joins": kinds}, require, solve=solve)
