"""Patterns made from the data, for masks with more patterns than can be walked through."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.grouping import nearest
from incrowd.tables.values import Int8, Int64, PatternBlock, Problem

if TYPE_CHECKING:
    from incrowd.tables.solve.shared.pattern_scan import PatternScan

__all__ = ["grow"]

SEEDS = 1024
SAMPLE = 8192
WINDOW = 64
STEPS = 8
# Of a round's patterns, the cheapest share that is used; rows of the others may fare better next time.
SHARE = 2


def grow(problem: Problem, sweep: PatternScan, *, budget: int) -> int:
    """Let the remaining rows close crowds under patterns grown around them; return the rounds.

    `sweep` holds the remaining rows and is changed in place. `budget` is the number of row visits after which to stop.

    Notes
    -----
    Each round picks up to 1,024 remaining row types, evenly spread, grows a crowd of k near rows around each,
    closes what the crowd has not in common to a cheapest allowed pattern, and walks through these patterns,
    cheapest first. Rows are looked for among 8,192 remaining ones, evenly spread, and the 128 next to the seed
    in the order of the codes. Every round in which some crowd has an allowed pattern closes a group.
    """
    e = sweep.encoded
    floors = problem.floor_costs()
    closures: dict[tuple[int, ...], tuple[int, ...] | None] = {}
    limit = sweep.visits + budget
    rounds = 0
    while sweep.left >= sweep.k and sweep.visits < limit and not sweep.watch.stopped:
        live = np.flatnonzero(sweep.alive).astype(np.int32)
        places = _spread(live.size, SEEDS, rounds)
        sample = live[_spread(live.size, SAMPLE, rounds)]

        def look(piece: Int64, live=live, places=places, sample=sample) -> Int8:  # type: ignore[no-untyped-def]
            if sweep.watch.stopped:
                piece = piece[:0]
            here = places[piece]
            found: Int8 = nearest.common_levels(
                e.nodes, e.start, e.heights, e.costs, live[here], here, live, sample, WINDOW, e.weights,
                sweep.k, STEPS,
            )  # fmt: skip
            return found

        pool = sweep.workers.pool
        pieces = np.array_split(np.arange(places.size), 4 * sweep.workers.threads)
        grown = np.concatenate(list(map(look, pieces) if pool is None else pool.map(look, pieces)))
        sweep.visits += places.size * (sample.size + 2 * WINDOW)
        vectors = set()
        for key in {tuple(int(level) for level in vector) for vector in grown}:
            if key not in closures:
                closures[key] = problem.patterns.cheapest_above(key, floors)
            closed = closures[key]
            if closed is not None:
                vectors.add(closed)
        if not vectors:
            break
        order = sorted((sum(floors[j][level] for j, level in enumerate(v)), v) for v in vectors)
        used = order[: max(len(order) // SHARE, 1)] if live.size > SEEDS else order
        block = PatternBlock(
            np.array([vector for _, vector in used], np.int8), np.array([cost for cost, _ in used], np.int64)
        )
        before = sweep.left
        sweep.run([block], budget=max(limit - sweep.visits, 0))
        rounds += 1
        if sweep.left == before and len(used) == len(order):
            break
    return rounds


def _spread(length: int, most: int, turn: int) -> Int64:
    """Return at most `most` places, evenly spread and shifted from turn to turn."""
    if length <= most:
        return np.arange(length, dtype=np.int64)
    step = length / most
    return ((np.arange(most) + (turn * 0.618034) % 1.0) * step).astype(np.int64)
