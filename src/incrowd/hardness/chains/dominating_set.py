"""Dominating set -> a cover by neighbourhoods -> ADIM=k."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError
from incrowd.hardness import set_cover_network
from incrowd.hardness.draw import goal_setting
from incrowd.hardness.links.domination import neighbourhoods
from incrowd.hardness.papers import CHATTERJEE
from incrowd.hardness.problems.graph import GRAPH
from incrowd.hardness.questions.graphs import DOMINATING_SET
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.set_cover import most_sets
from incrowd.hardness.sources.graphs import Graph, drawn
from incrowd.settings import setting

if TYPE_CHECKING:
    from incrowd.hardness.values import Instance

__all__ = ["DominatingSetNetwork", "forward"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DominatingSetNetwork(Reduction):
    """The second half of the route of Theorem 2, from any graph: minimum dominating set to ADIM=k.

    Parameters
    ----------
    size : int
        Nodes of a random graph, at least 2.
    edges : int or None
        Its edges; None: as many as nodes less one.
    k : int
        Measure to be reached exactly, at least 1.
    goal : int or None
        Nodes of the dominating set; None: the least, or one less for a no-instance.
    seed, no, solve
        As of `Reduction`.

    Notes
    -----
    **adim_k = size of a smallest dominating set.** *Proof.* The covers by neighbourhoods are the dominating sets
    (`links/domination.py`), and `set-cover-network` turns covers into node sets and back.

    The paper clones the nodes of the dominating set problem of a set cover, which gives the network of
    `set-cover-network`; this construction takes any graph.

    References
    ----------
    .. [1] T. Chatterjee, B. DasGupta, N. Mobasheri, V. Srinivasan, I. G. Yero, "On the Computational Complexities of
       Three Privacy Measures for Large Networks Under Active Attack", Theorem 2.
    """

    size: int = setting(7, "nodes of a random graph, at least 2", "integer", least=2, metavar="N")
    edges: int | None = setting(None, "its edges (default: the nodes less one)", "integer", least=0, metavar="N")
    k: int = setting(2, "measure to be reached exactly", "integer", least=1, metavar="K")
    goal: int | None = goal_setting(DOMINATING_SET.goal, "the least")

    name = "dominating-set-network"
    summary = "minimum dominating set as the smallest node set of measure exactly k of a network"
    kind = "network"
    paper = CHATTERJEE
    theorem = "Theorem 2"
    problem = GRAPH
    asks = DOMINATING_SET
    kept = ("k", "goal")

    def build(self) -> Instance:
        """Return the instance of a random graph."""
        edges = self.size - 1 if self.edges is None else self.edges
        return self.of(drawn(np.random.default_rng(self.seed), self.size, edges))

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with a node."""
        if source.nodes < 1:
            raise PolicyError("the graph needs a node")
        return forward(source, self.k, self.asked(lambda: most_sets(neighbourhoods(source), self.no)), solve=self.solve)


def forward(source: Graph, k: int, most: int, *, solve: bool = True) -> Instance:
    """Return the network of a dominating set problem (see `DominatingSetNetwork`).

    The source has n nodes, at least one; a dominating set of at most `most` nodes is asked for, and `k` is at least 1.
    Without `solve` no smallest dominating set is sought, and the answer stays open. PolicyError is raised if k is below
    1, or the network would be too large.

    Notes
    -----
    The network has k + 2 n (k + 1 + n) nodes. A smallest dominating set is found by an integer program of n variables
    without a time limit.
    """
    inner = set_cover_network.forward(neighbourhoods(source), k, most, solve=solve)
    return dataclasses.replace(
        inner,
        name=DominatingSetNetwork.name,
        question=f"is there a node set of measure exactly {k} with at most the threshold's nodes (a dominating set "
        "that small)?",
        theorem=DominatingSetNetwork.theorem,
        source=source,
        more={"exactly": k, "nodes": inner.more["nodes"], "edges": inner.more["edges"], "dominated": source.nodes},
        asks=DOMINATING_SET,
    )
