"""Rule (P1): a row of a class of exactly k could have moved to a cheaper class, had its place been taken care of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.attack.classes.departures import may_leave
from incrowd.tables.attack.classes.expansion import excluded_by, saving_more
from incrowd.tables.attack.classes.joins import CheaperPairs, row_keys
from incrowd.tables.attack.values import Exclusions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.attack.values import Premise, Released
    from incrowd.tables.values import Int64

__all__ = ["ReplacedRows"]


@dataclass(frozen=True, slots=True)
class ReplacedRows:
    """Values of rows of classes of exactly k that would have made a cheaper release possible; see `Rule`.

    A row leaves for a cheaper class, and either a row of a larger class that fits for certain takes its place, or the
    other k - 1 join a class that fits them for certain. Where requirements judge sensitive values nothing is claimed.

    References
    ----------
    papers/attacks.md, rules B2 and B3.
    """

    name: str = field(default="replaced_rows", init=False)
    premise: Premise = field(default="bound", init=False)

    def find(self, released: Released, slack: int, watch: Watch) -> Exclusions:
        """Return the values that cells cannot have had."""
        tight = (released.sizes == released.k) & ~may_leave(released)
        if released.requirements or not tight.any():
            return Exclusions.none()
        price = self._price(released, tight, watch)

        pairs = CheaperPairs(released, tight, 1, watch)
        found = excluded_by(released, saving_more(pairs, slack, price), tight[released.unit_class])
        return found if pairs.complete else found.cut()

    @staticmethod
    def _price(released: Released, tight: NDArray[np.bool_], watch: Watch) -> Int64:
        """Return what it costs at most to mend each class of exactly k once a row has left, shape (c,).

        Either a row of a class with more than k, which shows no less in any column and so fits for certain, comes in;
        or the k - 1 that are left join a class that shows no more than theirs in any column and agrees with it.
        """
        far = np.int64(2**61)
        price = np.full(released.sizes.size, far)
        vectors, which = released.vectors
        spare = (released.sizes > released.k) & ~released.free
        classes = [np.flatnonzero(which == i) for i in range(len(vectors))]
        for i, vector in enumerate(vectors):
            here = classes[i][tight[classes[i]]]
            if watch.stopped:
                return price  # what was not looked at stays out of reach
            if not here.size:
                continue
            for other in range(len(vectors)):
                if other == i:
                    continue
                if (vectors[other] <= vector).all():
                    donors = classes[other][spare[classes[other]]]
                    _lower(price, here, released.costs[here], *_met(released, here, donors, vector, far))
                elif (vectors[other] >= vector).all():
                    limited = released.full if released.most_suppressed is not None else released.free & False
                    wider = classes[other][~limited[classes[other]]]
                    target, dearest = _met(released, here, wider, vectors[other], far, least=True)
                    known = target >= 0
                    dear = np.maximum(dearest[known] - released.costs[here[known]], 0) * (released.k - 1)
                    price[here[known]] = np.minimum(price[here[known]], dear)
        return price


def _lower(price: Int64, here: Int64, costs: Int64, target: Int64, found: Int64) -> None:
    known = target >= 0
    dear = np.maximum(costs[known] - found[known], 0)
    price[here[known]] = np.minimum(price[here[known]], dear)


def _met(
    released: Released, here: Int64, others: Int64, vector: NDArray[np.integer], far: np.int64, *, least: bool = False
) -> tuple[Int64, Int64]:
    """Return for each class one of the others that meets it at a level vector (-1: none), and its cost a row.

    The dearest of them, or the cheapest.
    """
    target = np.full(here.size, -1, np.int64)
    cost = np.zeros(here.size, np.int64)
    if not others.size:
        return target, cost
    keys = row_keys(released.nodes(np.concatenate((here, others)), vector))
    first, second = keys[: here.size], keys[here.size :]
    prices = released.costs[others] if not least else -released.costs[others]
    order = np.lexsort((prices, second))
    end = np.searchsorted(second[order], first, "right") - 1
    hit = (end >= 0) & (second[order][np.maximum(end, 0)] == first)
    target[hit] = others[order[end[hit]]]
    cost[hit] = released.costs[target[hit]]
    return target, cost
