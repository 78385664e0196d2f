"""Take a problem apart: types that share no instance but the suppressed class do not touch each other.

The suppressed class h is the instance that every type agrees with (fully suppressed, or what a constant column leaves
of it). With k_h relaxed to 0 it no longer links types, and what remains falls into the components of the graph "types i
and i' share an instance other than h". The relaxed optimum is the sum of the components' optima. Let H be the hub's
rows in such an optimum. H = 0 or H >= k: it is feasible for the strict problem, hence optimal, since relaxing only
lowers. Under ``outliers="suppress"`` the suppressed class is free and nothing was relaxed at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from incrowd.tables.solve.shared.instances import Instances

if TYPE_CHECKING:
    from incrowd.tables.values import Int32, Int64


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some types with all their instances, numbered anew.

    `types`: (t',) int32, the types, increasing, as the whole list numbers them. `places`: (p',) int64, for each pair of
    `instances` its place in the whole list. `ids`: (g',) int32, for each instance its number in the whole list.
    `instances`: over the part's own numbering of the types.
    """

    types: Int32
    places: Int64
    ids: Int32
    instances: Instances


def labels(instances: Instances) -> Int32:
    """Return the component of every type, shape (t,), numbered by first type. O(pairs)."""
    t = instances.t
    linking = np.ones(instances.size, bool)
    if instances.suppressed >= 0:
        linking[instances.suppressed] = False
    chosen = linking[instances.owners]
    first = instances.reps[instances.owners[chosen]]
    links = csr_matrix((np.ones(first.size, np.int8), (first, instances.members[chosen])), shape=(t, t))
    _, label = connected_components(links, directed=False)
    _, where, number = np.unique(label, return_index=True, return_inverse=True)
    rank = np.empty(where.size, np.int32)
    rank[np.argsort(where)] = np.arange(where.size)
    result: Int32 = rank[number]
    return result


def split(instances: Instances, label: Int32) -> list[Part]:
    """Return the part of every component, in the order of the labels; the suppressed class belongs to each of them.

    `label` is (t,): the component of every type, as `labels` gives it. O(pairs log pairs) time, twice the list's
    memory.
    """
    count = int(label.max(initial=-1)) + 1
    t = instances.t
    by_label = np.argsort(label, kind="stable").astype(np.int32)
    sizes = np.bincount(label, minlength=count)
    first = np.concatenate(([0], np.cumsum(sizes)))
    local = np.empty(t, np.int32)
    local[by_label] = np.arange(t, dtype=np.int32) - np.repeat(first[:-1], sizes).astype(np.int32)
    home = label[instances.members]
    # Pairs by component, then by instance: the list's own order inside each instance.
    order = np.argsort(home, kind="stable")
    borders = np.concatenate(([0], np.cumsum(np.bincount(home, minlength=count))))
    parts = []
    for c in range(count):
        places = order[borders[c] : borders[c + 1]]
        owners = instances.owners[places]
        fresh = np.concatenate(([True], owners[1:] != owners[:-1])) if owners.size else np.zeros(0, bool)
        ids = owners[fresh]
        begins = np.concatenate((np.flatnonzero(fresh), [owners.size])).astype(np.int64)
        types = by_label[first[c] : first[c + 1]]
        suppressed = np.flatnonzero(ids == instances.suppressed)
        own = Instances(
            instances.vectors[ids],
            instances.costs[ids],
            instances.needs[ids],
            begins,
            local[instances.members[places]],
            instances.counts[types],
            int(suppressed[0]) if suppressed.size else -1,
        )
        parts.append(Part(types, places, ids.astype(np.int32), own))
    return parts
