"""Set cover -> dominating set -> ADIM=k."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.hardness.chains import dominating_set
from incrowd.hardness.links.domination import cover_of, graph_of
from incrowd.hardness.questions.covers import COVER
from incrowd.hardness.set_cover import most_sets
from incrowd.hardness.set_cover_network import SetCoverNetwork
from incrowd.settings import setting

if TYPE_CHECKING:
    from incrowd.hardness.sources.set_cover import SetCover
    from incrowd.hardness.values import Instance

__all__ = ["CoverDominationNetwork", "forward"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverDominationNetwork(SetCoverNetwork):
    """The route of Theorem 2(b) step by step: set cover to dominating set to ADIM=k.

    Parameters
    ----------
    size, sets, k, named, goal, seed, no, solve
        As of `SetCoverNetwork`.

    Notes
    -----
    **adim_k = size of a least cover**, so a factor within which ADIM=k is approximated is one for set cover.
    *Proof.* The smallest dominating set has as many nodes as the least cover (`links/domination.py`), and
    `dominating-set-network` keeps it; every step back gives a solution that is no larger.

    The paper starts from Feige's set cover problems, made of formulas by proofs that are checked at random; that first
    step is not built here. `set-cover-network` goes without the dominating set and gives a smaller network.

    References
    ----------
    .. [1] T. Chatterjee, B. DasGupta, N. Mobasheri, V. Srinivasan, I. G. Yero, "On the Computational Complexities of
       Three Privacy Measures for Large Networks Under Active Attack", Theorem 2(b).
    """

    size: int = setting(4, "elements to be covered, at least 3", "integer", least=3, metavar="N")

    name = "set-cover-domination-network"
    summary = "set cover as dominating set, as the smallest node set of measure exactly k of a network"
    theorem = "Theorem 2(b)"

    def of(self, source: SetCover) -> Instance:
        """Return the instance of sets that cover together; they may have any number of elements."""
        made = forward(source, self.k, self.asked(lambda: most_sets(source, self.no)), solve=self.solve)
        return dataclasses.replace(made, name=self.name, theorem=self.theorem)


def forward(source: SetCover, k: int, most: int, *, solve: bool = True) -> Instance:
    """Return the network of a set cover problem by way of its dominating set problem (see `CoverDominationNetwork`).

    The source has n elements, at least one, and m sets that cover together; at most `most` sets are asked for, and `k`
    is at least 1. The network has k + 2 (n + m)(k + 1 + n + m) nodes. Without `solve` no least cover is sought, and the
    answer stays open. PolicyError is raised if the sets do not cover, k is below 1, or the network would be too large.
    """
    graph = graph_of(source)
    inner = dominating_set.forward(graph, k, min(most, source.universe, len(source.sets)), solve=solve)
    return dataclasses.replace(
        inner,
        question=f"is there a node set of measure exactly {k} with at most the threshold's nodes (a cover that small)?",
        source=source,
        backward=lambda nodes: cover_of(source, inner.backward(nodes)),
        more={**inner.more, "elements": source.universe, "sets": len(source.sets)},
        asks=COVER,
    )
