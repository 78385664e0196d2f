"""Triples inside priced sets are listed alike in one piece and in many, as many as asked for, until told to stop."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from incrowd.kernels.matching import columns
from incrowd.progress import Watch
from incrowd.tables.solve.matching import triples
from incrowd.tables.solve.matching.limits import Stopped
from oracles.matching_pairs import cases
from oracles.matching_plain import FAR, flat_sets, group_cost, random_sets, reduced

CEILING = 3.0


def priced(count):
    """Drawn problems with prices under which every pair holds, and sets with theirs; what is asked, what is wanted."""
    for rng, drawn, me, h in cases(count, (6, 8)):
        n = len(h)
        if n < 3:
            continue
        sets, z = random_sets(rng, n, int(rng.integers(1, 4)))
        y = np.full(n, float(np.median(h[h < FAR]) if (h < FAR).any() else 0.0)) - rng.integers(0, 2, n)
        for i, j in combinations(range(n), 2):
            if h[i, j] < FAR:
                y[i] += min(reduced((i, j), 2 * h[i, j], y, sets, z), 0)
        lifted = y.copy()
        for chosen, price in zip(sets, z, strict=True):
            lifted[chosen] += price
        wanted = set()
        for chosen, price in zip(sets, z, strict=True):
            for three in combinations(chosen, 3):
                cost = group_cost(drawn, list(three))
                if price > 0 and cost < FAR and reduced(three, 3 * cost // me.divisor, y, sets, z) <= CEILING:
                    wanted.add(three)
        starts, rows = flat_sets(sets)
        yield (me, starts, rows, lifted, (*columns.members(n, starts, rows), z), CEILING), wanted


def named(lines):
    return {tuple(sorted(map(int, line))) for line in lines}


@pytest.mark.parametrize("piece", [triples.TRIED, 3])
def test_listed_are_the_cheap_triples_of_the_sets_whatever_the_piece(piece, monkeypatch):
    monkeypatch.setattr(triples, "TRIED", piece)
    monkeypatch.setattr(triples, "ROOM", 1 if piece == 3 else triples.ROOM)
    some = 0
    for asked, wanted in priced(100):
        assert named(triples.triples_in_sets(*asked, Watch())) == wanted
        some += len(wanted)
    assert some > 50


def test_no_more_than_asked_for_are_listed(monkeypatch):
    monkeypatch.setattr(triples, "TRIED", 3)
    cut = 0
    for asked, wanted in priced(40):
        found = triples.triples_in_sets(*asked, Watch(), most=2)
        assert len(found) == min(2, len(triples.triples_in_sets(*asked, Watch())))
        assert named(found) <= wanted
        cut += len(wanted) > 2
    assert cut


def test_told_to_stop_nothing_is_listed():
    watch = Watch()
    watch.interrupt()
    asked, _ = next(priced(10))
    with pytest.raises(Stopped):
        triples.triples_in_sets(*asked, watch)
