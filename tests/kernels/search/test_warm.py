"""What is compiled beforehand is what the search calls."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.search import loose_moves, loose_transfers
from incrowd.kernels.search.near_types import near_types
from incrowd.kernels.search.warm import warm
from incrowd.progress import Watch
from incrowd.tables.solve.improve.under_requirements.loose_layout import near
from incrowd.tables.solve.shared.problem_arrays import encode
from oracles.loose_drawn import started


def test_a_search_compiles_nothing_more():
    kernels = (near_types, loose_transfers.fill, loose_transfers.note, loose_moves.anneal, loose_moves.mend)
    warm()
    compiled = [len(kernel.signatures) for kernel in kernels]
    made = next(made for made in map(started, range(20)) if made is not None)
    problem, _, _, whole, real = made
    loose_moves.anneal(whole, real, 20, 1.0, 1.0, False, np.array([0.5, 0.6, 0.8, 0.9]))
    loose_moves.mend(whole, real, 0, 5, 1.0, True)
    loose_transfers.note(whole)
    near(problem, encode(problem), Watch())
    assert [len(kernel.signatures) for kernel in kernels] == compiled
    assert all(compiled)
