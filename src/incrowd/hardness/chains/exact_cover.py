"""Exact cover by sets of three -> set cover -> dominating set -> ADIM=k."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.chains import cover
from incrowd.hardness.draw import until
from incrowd.hardness.papers import CHATTERJEE
from incrowd.hardness.problems.sets import SETS
from incrowd.hardness.questions.covers import EXACT_COVER
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.set_cover import refuse_other_widths
from incrowd.hardness.sources.set_cover import SetCover, drawn
from incrowd.settings import setting

if TYPE_CHECKING:
    import numpy as np

    from incrowd.hardness.values import Instance

__all__ = ["ExactCoverNetwork"]


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
            return self.of(until(self.seed, lambda rng: drawn(rng, self.size, sets, 3), _exact, "a yes-instance"))
        return self.of(until(self.seed, lambda rng: without(rng, self.size, sets), _misses, "a no-instance"))

    def of(self, source: SetCover) -> Instance:
        """Return the instance of sets of three that cover a multiple of three elements together."""
        refuse_other_widths(source)
        if source.universe % 3:
            raise PolicyError(
                f"the number of elements must be a multiple of three, not {source.universe}: sets of three hold each "
                "once"
            )
        made = cover.forward(source, self.k, source.universe // 3, solve=self.solve)
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
