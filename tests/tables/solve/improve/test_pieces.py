"""Pieces of a release: groups that need a crowd, none in two pieces, joined by groups of others that cut across."""

from __future__ import annotations

import numpy as np

from incrowd.tables.solve.improve.pieces import pieces
from oracles.candidates_drawn import gathered, table
from seeds import seeds


def joined(instances, rows, others):
    """Components of the groups of a release, two joined where a crowd of another release holds rows of both."""
    owner = {g: g for g in np.unique(instances.owners[rows > 0]).tolist() if instances.needs[g] > 0}

    def root(g):
        return g if owner[g] == g else root(owner[g])

    for other in others:
        for h in np.unique(instances.owners[other > 0]).tolist():
            types = instances.members[(instances.owners == h) & (other > 0)]
            held = np.isin(instances.members, types) & (rows > 0)
            touched = [g for g in np.unique(instances.owners[held]).tolist() if g in owner]
            if instances.needs[h] > 0:
                for g in touched[1:]:
                    owner[root(g)] = root(touched[0])
    found = {}
    for g in owner:
        found.setdefault(root(g), set()).add(g)
    return sorted(sorted(part) for part in found.values() if len(part) > 1)


@seeds(30, 6)
def test_without_a_limit_pieces_are_the_components_that_another_release_joins(seed):
    _, found = gathered(table(seed))
    J, rng = found.reduced, np.random.default_rng(seed)
    other = (rng.random(J.pairs) < 0.03).astype(np.int64)
    made = pieces(J, found.rows, [other], 1e9, rng)
    assert sorted(sorted(piece.tolist()) for piece in made) == joined(J, found.rows, [other])


@seeds(30, 6)
def test_pieces_share_no_group_and_end_when_they_are_large_enough(seed):
    _, found = gathered(table(seed))
    J, rng = found.reduced, np.random.default_rng(seed)
    made = pieces(J, found.rows, [np.ones(J.pairs, np.int64)], 10, rng)
    used = np.bincount(J.owners, weights=found.rows > 0, minlength=J.size)
    every = np.concatenate([np.zeros(0, np.int64), *made])
    assert np.unique(every).size == every.size
    assert (J.needs[every] > 0).all()
    assert (used[every] > 0).all()
    assert all(piece.size > 1 and used[piece[:-1]].sum() < 10 for piece in made)
