"""Dominating set -> a cover by neighbourhoods -> ADIM=k."""

from __future__ import annotations

import dataclasses
import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import PolicyError
from incrowd.hardness import set_cover
from incrowd.hardness.problem import refuse_joins
from incrowd.hardness.problems import GRAPH, SETS
from incrowd.hardness.questions import COVER, DOMINATING_SET, EXACT_COVER
from incrowd.hardness.reduction import CHATTERJEE, Reduction, goal_setting, until
from incrowd.hardness.set_cover import SetCoverNetwork, most_sets, refuse_other_widths
from incrowd.hardness.sources.graphs import Graph, drawn
from incrowd.hardness.sources.set_cover import SetCover
from incrowd.hardness.sources.set_cover import drawn as set_cover_drawn
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.hardness.values import Instance


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
    (`hardness/dominating_set.py`), and `set-cover-network` turns covers into node sets and back.

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
    1, or the network would be too large. The network has k + 2 n (k + 1 + n) nodes. A smallest dominating set is found
    by an integer program of n variables without a time limit.
    """
    inner = set_cover.network_forward(neighbourhoods(source), k, most, solve=solve)
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


# Set cover -> dominating set -> ADIM=k.
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
    *Proof.* The smallest dominating set has as many nodes as the least cover (`hardness/dominating_set.py`), and
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
        made = cover_forward(source, self.k, self.asked(lambda: most_sets(source, self.no)), solve=self.solve)
        return dataclasses.replace(made, name=self.name, theorem=self.theorem)


def cover_forward(source: SetCover, k: int, most: int, *, solve: bool = True) -> Instance:
    """Return the network of a set cover problem by way of its dominating set problem (see `CoverDominationNetwork`).

    The source has n elements, at least one, and m sets that cover together; at most `most` sets are asked for, and `k`
    is at least 1. The network has k + 2 (n + m)(k + 1 + n + m) nodes. Without `solve` no least cover is sought, and the
    answer stays open. PolicyError is raised if the sets do not cover, k is below 1, or the network would be too large.
    """
    graph = graph_of(source)
    inner = forward(graph, k, min(most, source.universe, len(source.sets)), solve=solve)
    return dataclasses.replace(
        inner,
        question=f"is there a node set of measure exactly {k} with at most the threshold's nodes (a cover that small)?",
        source=source,
        backward=lambda nodes: cover_of(source, inner.backward(nodes)),
        more={**inner.more, "elements": source.universe, "sets": len(source.sets)},
        asks=COVER,
    )


# Exact cover by sets of three -> set cover -> dominating set -> ADIM=k.
@dataclass(frozen=True, slots=True, kw_only=True)
class ExactCoverNetwork(Reduction):
    """The route of Theorem 2(a): exact cover by sets of three (X3C) to set cover to dominating set to ADIM=k.

    Parameters
    ----------
    size : int
        Elements n of a random problem, a multiple of three.
    sets : int or None
        Its sets of three; None: as many as elements, 1 for three of them.
    k : int
        Measure to be reached exactly, at least 1.
    seed, no, solve
        As of `Reduction`.

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

    size: int = setting(6, "elements of a random problem, a multiple of three", "integer", least=3, metavar="N")
    sets: int | None = setting(None, "its sets of three (default: the size)", "integer", least=1, metavar="N")
    k: int = setting(2, "measure to be reached exactly", "integer", least=1, metavar="K")

    name = "exact-cover-network"
    summary = "exact cover by sets of three as set cover, dominating set, and a smallest node set of measure exactly k"
    kind = "network"
    paper = CHATTERJEE
    theorem = "Theorem 2(a)"
    problem = SETS
    asks = EXACT_COVER
    kept = ("k",)

    def check(self) -> None:
        """Refuse a number of elements that sets of three cannot hold once each."""
        if self.size % 3:
            raise PolicyError(
                f"size must be a multiple of three, not {self.size}: sets of three hold each element once"
            )
        if self.no and self.size == 3:
            raise PolicyError("one set is an exact cover of three elements; a no-instance needs a size of at least 6")

    def build(self) -> Instance:
        """Return the instance of a random problem with an exact cover, or without one."""
        sets = self.sets if self.sets is not None else 1 if self.size == 3 else self.size
        if not self.no:
            # the first draw is a cut of a random order into runs: an exact cover, and more sets
            return self.of(
                until(self.seed, lambda rng: set_cover_drawn(rng, self.size, sets, 3), _exact, "a yes-instance")
            )
        return self.of(until(self.seed, lambda rng: without(rng, self.size, sets), _misses, "a no-instance"))

    def of(self, source: SetCover) -> Instance:
        """Return the instance of sets of three that cover a multiple of three elements together."""
        refuse_other_widths(source)
        if source.universe % 3:
            raise PolicyError(
                f"the number of elements must be a multiple of three, not {source.universe}: sets of three hold each "
                "once"
            )
        made = cover_forward(source, self.k, source.universe // 3, solve=self.solve)
        return dataclasses.replace(
            made,
            name=self.name,
            theorem=self.theorem,
            question=f"is there a node set of measure exactly {self.k} with at most the threshold's nodes (an exact "
            "cover)?",
            asks=EXACT_COVER,
            goal=None,
        )


def without(rng: np.random.Generator, universe: int, sets: int) -> SetCover:
    """Return random distinct sets of three, which may not cover.

    `universe` is the number of elements, at least 3. PolicyError is raised if there are fewer than `sets` different
    sets.
    """
    every = math.comb(universe, 3)
    if sets > every:
        raise PolicyError(f"there are only {every} sets of 3 among {universe} elements; ask for fewer sets")
    made: set[tuple[int, ...]] = set()
    while len(made) < sets:
        made.add(tuple(sorted(int(u) for u in rng.choice(universe, 3, replace=False))))
    return SetCover(universe, tuple(sorted(made)))


def _exact(source: SetCover) -> bool:
    return source.exact() is not None


def _misses(source: SetCover) -> bool:
    return source.covers(tuple(range(len(source.sets)))) and source.exact() is None


# Set cover -> dominating set (the standard reduction, in Theorem 2 of Chatterjee et al.) -> set cover again.
def graph_of(source: SetCover) -> Graph:
    """Return the graph whose dominating sets are as small as the covers.

    Its nodes 0 to n - 1 are the elements, n + s is set s. A set is joined with its elements and with all other sets.
    The source has n elements, at least one, and m sets that cover together; PolicyError is raised if there is no
    element, or the sets do not cover. **The smallest dominating set has as many nodes as the smallest cover.** *Proof.*
    The sets of a cover (one at least) dominate the elements, and, being joined with them, all sets. Conversely put a
    set that holds it in place of every element of a dominating set (`cover_of`): it dominates the element and, being
    joined with them, all sets, all that the element did. Now only sets are left that dominate every element: a cover.
    O(n m + m^2) time and memory.
    """
    n, m = source.universe, len(source.sets)
    refuse_joins(m * (m - 1) // 2 + sum(map(len, source.sets)))
    if n < 1 or not source.covers(tuple(range(len(source.sets)))):
        raise PolicyError("the sets must cover every element, and there must be one")
    edges = [(u, n + s) for s, members in enumerate(source.sets) for u in members]
    edges += itertools.combinations(range(n, n + len(source.sets)), 2)
    return Graph(n + len(source.sets), tuple(sorted(edges)))


def cover_of(source: SetCover, dominating: Sequence[int]) -> tuple[int, ...]:
    """Return the cover that a dominating set of `graph_of` holds, with no more sets than it has nodes.

    The sets of `source` cover together. The cover is given as indices of sets, ascending: those in the dominating set,
    and for every element in it the first set that holds the element.
    """
    first: dict[int, int] = {}
    for s, members in enumerate(source.sets):
        for u in members:
            first.setdefault(u, s)
    return tuple(sorted({v - source.universe if v >= source.universe else first[v] for v in dominating}))


def neighbourhoods(source: Graph) -> SetCover:
    """Return the sets whose covers are the dominating sets: of every node itself and the nodes that it is joined with.

    Every one of the n nodes is in its own set, so the sets cover. A cover by the sets of some nodes is a dominating set
    of these nodes, by the definition of both. With m edges it takes O(n + m) time.
    """
    near = [{v} for v in range(source.nodes)]
    for u, v in source.edges:
        near[u].add(v)
        near[v].add(u)
    return SetCover(source.nodes, tuple(tuple(sorted(some)) for some in near))
