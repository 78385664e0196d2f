"""Corollary 1: the constructions of Theorems 3, 4 and 5, then Lemma 1."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.hardness.bisection import Bisection
from incrowd.hardness.bisection_padded import BisectionPadded
from incrowd.hardness.closeness import composed
from incrowd.hardness.half_clique import HalfClique

if TYPE_CHECKING:
    from incrowd.hardness.reduction import Reduction
    from incrowd.hardness.sources.graphs import Graph
    from incrowd.hardness.values import Instance

__all__ = ["BisectionCloseness", "BisectionPaddedCloseness", "HalfCliqueCloseness"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BisectionCloseness(Bisection):
    """Corollary 1 for t = 1/2: Theorem 3, then Lemma 1.

    Parameters
    ----------
    size, edges, named, goal, seed, no, solve
        As of `Bisection`.

    Notes
    -----
    Threshold, optimum and answer are those of `bisection`. *Proof.* By Lemma 1 (`closeness-from-anonymity`) the
    releases are the same, with t = 1 - k/n = 1/2; the way back is that of Theorem 3.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Corollary 1.
    """

    name = "bisection-closeness"
    summary = "minimum bisection as n/2-anonymity, as t-closeness with equal distances, t = 1/2"
    theorem = "Corollary 1"

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with an even number of nodes."""
        return _named(self, Bisection.of(self, source))


@dataclass(frozen=True, slots=True, kw_only=True)
class BisectionPaddedCloseness(BisectionPadded):
    """Corollary 1 for t from 2/3 on: Theorem 4, then Lemma 1.

    Parameters
    ----------
    size, edges, c, named, goal, seed, no, solve
        As of `BisectionPadded`; t = 1 - c.

    Notes
    -----
    Threshold, optimum and answer are those of `bisection-padded`. *Proof.* By Lemma 1 (`closeness-from-anonymity`) the
    releases are the same, with t = 1 - k/n' = 1 - c, under the same mask; the way back is that of Theorem 4.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Corollary 1.
    """

    name = "bisection-padded-closeness"
    summary = "minimum bisection as cn-anonymity, as t-closeness with equal distances, t from 2/3 on"
    theorem = "Corollary 1"

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with an even number of nodes."""
        return _named(self, BisectionPadded.of(self, source))


@dataclass(frozen=True, slots=True, kw_only=True)
class HalfCliqueCloseness(HalfClique):
    """Corollary 1 for t between 1/2 and 2/3: Theorem 5, then Lemma 1.

    Parameters
    ----------
    size, edges, rows, named, seed, no, solve
        As of `HalfClique`; t = 1 - n / (2 (n + rows)).

    Notes
    -----
    Threshold, optimum and answer are those of `half-clique`. *Proof.* By Lemma 1 (`closeness-from-anonymity`) the
    releases are the same, with t = 1 - k/n' = 1 - c; the way back is that of Theorem 5.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", Corollary 1.
    """

    name = "half-clique-closeness"
    summary = "a clique of half the nodes as cn-anonymity, as t-closeness with equal distances, t from 1/2 to 2/3"
    theorem = "Corollary 1"

    def build(self) -> Instance:
        """Return the instance of a named graph, of a planted clique, or of a graph without one."""
        return _named(self, HalfClique.build(self))

    def of(self, source: Graph) -> Instance:
        """Return the instance of a graph with an even number of nodes, more than twice the new rows."""
        return _named(self, HalfClique.of(self, source))


def _named(construction: Reduction, inner: Instance) -> Instance:
    """Return an instance in t-closeness, under the construction's own name."""
    return dataclasses.replace(
        composed(inner), name=construction.name, theorem=construction.theorem, paper=construction.paper
    )
