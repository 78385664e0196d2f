"""One node of a wanted measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.networks.scan import scan, scan_buffers

if TYPE_CHECKING:
    from incrowd.networks.values import Graph
    from incrowd.progress import Watch

__all__ = ["single_of_measure"]

BATCH = 64


def single_of_measure(graph: Graph, k: int, watch: Watch) -> int | None:
    """Find a node v with mu({v}) = k for a k from 1; None where there is none, or the search was stopped.

    Nodes of degree 1..k-1 are left out: their neighbours alone are too few. The watch is asked after every 64 nodes. At
    worst n searches, 64 at a time.
    """
    degree = graph.degrees
    nodes = np.flatnonzero((degree >= k) | (degree == 0)).astype(np.int32)
    buffers, layers = scan_buffers(graph.nodes), np.empty((BATCH, 0), np.int32)
    mu, pointer, singles = (np.empty(BATCH, np.int64) for _ in range(3))
    for at in range(0, nodes.size, BATCH):
        batch = nodes[at : at + BATCH]
        scan(graph.indptr, graph.indices, batch, k - 1, buffers, mu, pointer, singles, layers)
        hit = np.flatnonzero(mu[: batch.size] == k)
        if hit.size:
            return int(batch[hit[0]])
        if watch.stopped:
            return None
    return None
