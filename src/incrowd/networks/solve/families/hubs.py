"""The largest measure of a single node, where bounds leave few nodes to search from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.scan import scan, scan_buffers

if TYPE_CHECKING:
    from incrowd.networks.values import Int32, Int64
    from incrowd.progress import Watch

__all__ = ["Hub", "best_hub"]

BATCH = 64


@dataclass(frozen=True, slots=True)
class Hub:
    """The best single attacker known.

    Attributes
    ----------
    node : int
        -1 where no node has a measure above the floor asked for.
    measure : int
        Its measure, or the floor.
    possible : int
        No node has a larger one; equal to `measure` unless the search was stopped.
    searches : int
        Nodes searched from.
    """

    node: int
    measure: int
    possible: int
    searches: int


def best_hub(indptr: Int64, indices: Int32, bound: Int64, watch: Watch, floor: int = 0) -> Hub:
    """Find the node with the largest measure.

    Parameters
    ----------
    indptr, indices : CSR arrays of a connected graph
    bound : (n,) int64
        An upper bound on the measure of every node.
    watch : Watch
        Asked after every 64 nodes.
    floor : int
        Measures up to `floor` are of no interest.

    Returns
    -------
    Hub

    Notes
    -----
    A bit-parallel search for every 64 nodes whose bound exceeds the best measure met before them: most often one or two
    in all, n / 64 at worst.
    """
    rank = np.argsort(-bound, kind="stable").astype(np.int32)
    node, measure, searches = -1, floor, 0
    buffers, layers = scan_buffers(indptr.size - 1), np.empty((BATCH, 0), np.int32)
    mu, pointer, singles = (np.empty(BATCH, np.int64) for _ in range(3))
    for at in range(0, rank.size, BATCH):
        batch = rank[at : at + BATCH]
        batch = batch[bound[batch] > measure]
        if batch.size == 0:
            break
        if watch.stopped:
            return Hub(node, measure, int(bound[batch[0]]), searches)
        scan(indptr, indices, batch, measure, buffers, mu, pointer, singles, layers)
        searches += batch.size
        top = int(mu[: batch.size].argmax())
        if mu[top] > measure:
            node, measure = int(batch[top]), int(mu[top])
        watch.tell("solve", at_least=measure)
    return Hub(node, measure, measure, searches)
