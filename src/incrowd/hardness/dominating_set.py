"""Exact cover by threes -> set cover -> dominating set -> a cover by neighbourhoods -> ADIM=k, from any of them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.construction import CHATTERJEE, Chain, Link, whole
from incrowd.hardness.questions import COVER, DOMINATING_SET, EXACT_COVER
from incrowd.hardness.set_cover import SetCoverNetwork, other_widths, uncovered
from incrowd.hardness.sources import Graph, SetCover, drawn_graph, drawn_sets, refuse_joins

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np


@dataclass(frozen=True, kw_only=True)
class DominatingSetNetwork(Chain):
    """The second half of the route of Theorem 2, from any graph: minimum dominating set to ADIM=k.

    Notes
    -----
    **adim_k = size of a smallest dominating set.** *Proof.* The covers by neighbourhoods are the dominating sets
    (`hardness/dominating_set.py`), and `set-cover-network` turns covers into node sets and back.

    The paper clones the nodes of the dominating set problem of a set cover, which gives the network of
    `set-cover-network`; this construction takes any graph.

    References
    ----------
    .. [1] T. Chatterjee, B. DasGupta, N. Mobasheri, V. Srinivasan, I. G. Yero, "On the Computational Complexities of
       Three Privacy Measures for Large Networks Under Active Attack", Theorem 2.
    """

    size: int = whole(7, "nodes of a random graph, at least 2", least=2)
    edges: int | None = whole(None, "its edges (default: the nodes less one)", least=0)
    k: int = whole(2, "measure to be reached exactly", metavar="K")

    name = "dominating-set-network"
    summary = "minimum dominating set as the smallest node set of measure exactly k of a network"
    kind = "network"
    paper = CHATTERJEE
    theorem = "Theorem 2"
    source = Graph
    asks = DOMINATING_SET
    kept = ("k", "goal")
    then = SetCoverNetwork

    def draw(self, rng: np.random.Generator) -> Graph:
        """Return a random graph."""
        return drawn_graph(rng, self.size, self.size - 1 if self.edges is None else self.edges)

    def lacks(self, source: Graph) -> str:
        """Return whether there is no node."""
        return "" if source.nodes else "the graph needs a node"

    def link(self, source: Graph, goal: int | None) -> Link:
        """Return the sets of every node itself and the nodes that it is joined with.

        Every node is in its own set, so the sets cover. A cover by the sets of some nodes is a dominating set of these
        nodes, by the definition of both. O(n + m) time.
        """
        near = [{v} for v in range(source.nodes)]
        for u, v in source.edges:
            near[u].add(v)
            near[v].add(u)
        return Link(SetCover(source.nodes, tuple(tuple(sorted(some)) for some in near)), goal, tuple)


@dataclass(frozen=True, kw_only=True)
class CoverDominationNetwork(Chain):
    """The route of Theorem 2(b) step by step: set cover to dominating set to ADIM=k.

    Notes
    -----
    **adim_k = size of a least cover**, so a factor within which ADIM=k is approximated is one for set cover.
    *Proof.* The smallest dominating set has as many nodes as the least cover (`hardness/dominating_set.py`), and
    `dominating-set-network` keeps it; every step back gives a solution that is no larger.

    The paper starts from Feige's set cover problems, made of formulas by proofs that are checked at random; that first
    step is not built here. `set-cover-network` goes without the dominating set and gives a smaller network.

    References
    ----------
    .. [1] T. Chatterjee, B. DasGupta, N. Mobasheri, V. Srinivasan, I. G. Yero, "On the Computational Complexities of
       Three Privacy Measures for Large Networks Under Active Attack", Theorem 2(b).
    """

    size: int = whole(4, "elements to be covered, at least 3", least=3)
    sets: int | None = whole(None, "sets of three (default: the size less one, 1 for three)")
    k: int = whole(2, "measure to be reached exactly", metavar="K")

    name = "set-cover-domination-network"
    summary = "set cover as dominating set, as the smallest node set of measure exactly k of a network"
    kind = "network"
    paper = CHATTERJEE
    theorem = "Theorem 2(b)"
    source = SetCover
    asks = COVER
    kept = ("k", "goal")
    then = DominatingSetNetwork

    def draw(self, rng: np.random.Generator) -> SetCover:
        """Return sets of three that cover together."""
        return drawn_sets(rng, self.size, self.sets or (1 if self.size == 3 else self.size - 1))

    def lacks(self, source: SetCover) -> str:
        """Return whether the sets, which may have any number of elements, leave one out, or there is none."""
        return uncovered(source) if source.universe else "there must be an element"

    def link(self, source: SetCover, goal: int | None) -> Link:
        """Return the graph whose smallest dominating set has as many nodes as the smallest cover has sets.

        Its nodes 0 to n - 1 are the elements, n + s is set s. A set is joined with its elements and with all other
        sets. *Proof.* The sets of a cover (one at least) dominate the elements, and, being joined with them, all sets.
        Conversely put a set that holds it in place of every element of a dominating set: it dominates the element and,
        being joined with them, all sets, all that the element did. Now only sets are left that dominate every element:
        a cover, with no more sets than there were nodes. O(n m + m^2) time and memory.
        """
        n, m = source.universe, len(source.sets)
        refuse_joins(m * (m - 1) // 2 + sum(map(len, source.sets)))
        edges = [(u, n + s) for s, members in enumerate(source.sets) for u in members]
        edges += itertools.combinations(range(n, n + m), 2)
        first = {u: s for s in reversed(range(m)) for u in source.sets[s]}

        def back(dominating: Iterable[int]) -> tuple[int, ...]:
            return tuple(sorted({v - n if v >= n else first[v] for v in dominating}))

        return Link(Graph(n + m, tuple(sorted(edges))), goal, back)


@dataclass(frozen=True, kw_only=True)
class ExactCoverNetwork(Chain):
    """The route of Theorem 2(a): exact cover by sets of three (X3C) to set cover to dominating set to ADIM=k.

    Notes
    -----
    **An exact cover exists if and only if a node set of measure exactly k has n/3 nodes.** *Proof.* n/3 sets of three
    that hold all n elements hold each once, and an exact cover has n/3 sets. The rest is
    `set-cover-domination-network`: adim_k is the least cover's size.

    The paper wants every element in exactly three sets and as many sets as elements, which keeps the problem hard; the
    proof above does not need it.

    References
    ----------
    .. [1] T. Chatterjee, B. DasGupta, N. Mobasheri, V. Srinivasan, I. G. Yero, "On the Computational Complexities of
       Three Privacy Measures for Large Networks Under Active Attack", Theorem 2(a).
    """

    size: int = whole(6, "elements of a random problem, a multiple of three", least=3)
    sets: int | None = whole(None, "its sets of three (default: the size)")
    k: int = whole(2, "measure to be reached exactly", metavar="K")

    name = "exact-cover-network"
    summary = "exact cover by sets of three as set cover, dominating set, and a smallest node set of measure exactly k"
    kind = "network"
    paper = CHATTERJEE
    theorem = "Theorem 2(a)"
    source = SetCover
    asks = EXACT_COVER
    kept = ("k",)
    then = CoverDominationNetwork

    def check(self) -> None:
        """Refuse a number of elements that sets of three cannot hold once each."""
        if self.size % 3:
            raise PolicyError(
                f"size must be a multiple of three, not {self.size}: sets of three hold each element once"
            )

    def draw(self, rng: np.random.Generator) -> SetCover:
        """Return sets with an exact cover among them, or random ones."""
        return drawn_sets(rng, self.size, self.sets or (1 if self.size == 3 else self.size), plant=not self.no)

    def lacks(self, source: SetCover) -> str:
        """Return whether the sets have other than three elements, or leave one out."""
        odd = f"the number of elements must be a multiple of three, not {source.universe}"
        return other_widths(source) or (odd if source.universe % 3 else "") or self.inner.lacks(source)

    def link(self, source: SetCover, goal: int | None) -> Link:
        """Return the same sets: n/3 of them that cover are an exact cover."""
        return Link(source, source.universe // 3, tuple)
