"""Clique -> a clique of half the nodes -> cn-anonymity for 1/3 < c < 1/2."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError
from incrowd.hardness import half_clique
from incrowd.hardness.draw import goal_setting
from incrowd.hardness.links.half_clique import backward, forward
from incrowd.hardness.papers import LIANG_YUAN
from incrowd.hardness.problems.graph import GRAPH
from incrowd.hardness.problems.limits import refuse_cells
from incrowd.hardness.questions.graphs import CLIQUE
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.sources.graphs import Graph, drawn
from incrowd.settings import setting

if TYPE_CHECKING:
    from incrowd.hardness.values import Instance

__all__ = ["Clique"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clique(Reduction):
    """The whole of Theorem 5: Clique to half-clique (`links/half_clique.py`), then the table of `half-clique`.

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
        inner = half_clique.forward(forward(source, size), self.rows, solve=self.solve)
        return dataclasses.replace(
            inner,
            name=self.name,
            question=f"is there a release with at most the threshold's stars (a clique of {size} nodes)?",
            source=source,
            backward=lambda released: backward(source, size, inner.backward(released)),
            more={**inner.more, "clique": size},
            asks=CLIQUE,
            goal=size,
        )
