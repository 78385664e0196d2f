"""The join against comparing every pair."""

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.tables.verify.pairing import edges
from incrowd.tables.verify.pairing.edges import Fit, patterns_of
from incrowd.tables.verify.pairing.kinds import STAR, Kinds
from seeds import how_many


def an_instance(random):
    m, blocks = int(random.integers(1, 6)), int(random.integers(1, 4))
    values = int(random.integers(1, 4))

    def table(rows, lowest):
        lines = np.column_stack([random.integers(0, blocks, rows), random.integers(lowest, values + 1, (rows, m))])
        lines = np.unique(lines, axis=0)
        ones = np.ones(len(lines), np.int64)
        return Kinds(lines[:, 1:].astype(np.int32), lines[:, 0].astype(np.int64), ones, ones)

    original, released = table(int(random.integers(1, 60)), 0), table(int(random.integers(0, 60)), STAR)
    released = released.taken(np.flatnonzero(released.block <= original.block.max()))
    _, pattern = patterns_of(released.codes == STAR)
    order = np.lexsort((pattern, released.block))
    return original, released.taken(order), pattern[order]


def plain_edges(original, released):
    return [
        [
            o
            for o in range(len(original.rows))
            if released.block[r] == original.block[o]
            and all(x in (STAR, y) for x, y in zip(released.codes[r].tolist(), original.codes[o].tolist(), strict=True))
        ]
        for r in range(len(released.rows))
    ]


def listed(found):
    return [sorted(found.adjacent[a:b].tolist()) for a, b in zip(found.start[:-1], found.start[1:], strict=True)]


@pytest.mark.parametrize("counted", [True, False])
def test_edges_are_the_pairs_whose_shown_cells_and_blocks_agree(counted, monkeypatch):
    if not counted:
        monkeypatch.setattr(edges, "FEW_KEYS", 0)
        monkeypatch.setattr(edges, "KEYS_A_KIND", 0)
    random = np.random.default_rng(1)
    hashed = looked_up = 0
    for _ in range(how_many(400, 100)):
        original, released, pattern = an_instance(random)
        fit = Fit(original, released, pattern)
        assert listed(fit.edges()) == plain_edges(original, released)
        hashed += int(fit.hashed.sum())
        looked_up += int((~fit.hashed).sum())
    assert hashed > 100  # both ways were tried
    assert looked_up > 100


def test_kept_edges_are_those_whose_pair_is_kept():
    random = np.random.default_rng(2)
    for _ in range(200):
        original, released, pattern = an_instance(random)
        edges = Fit(original, released, pattern).edges()
        nulls = random.integers(0, 3, len(original.rows))
        plain = plain_edges(original, released)
        used = edges.pairs(pattern, nulls)
        assert set(zip(*map(list, np.nonzero(used)), strict=True)) == {
            (pattern[r], nulls[o]) for r, near in enumerate(plain) for o in near
        }
        keep = used & (random.random(used.shape) < 0.5)
        expected = [[o for o in near if keep[pattern[r], nulls[o]]] for r, near in enumerate(plain)]
        assert listed(edges.only(keep, pattern, nulls)) == expected


def test_patterns_are_told_apart_beyond_64_columns():
    random = np.random.default_rng(3)
    marks = random.random((50, 70)) < 0.5
    marks = marks[random.integers(0, 50, 200)]
    distinct, number = patterns_of(marks)
    assert (distinct[number] == marks).all()
    assert len({tuple(line) for line in marks.tolist()}) == len(distinct)


def test_too_many_edges_or_probes_are_refused_with_what_to_do():
    random = np.random.default_rng(4)
    while True:
        original, released, pattern = an_instance(random)
        fit = Fit(original, released, pattern)
        edges = fit.edges()
        if edges.adjacent.size > 5:
            break
    fit.edges(most_edges=edges.adjacent.size, most_probes=fit.probes)
    with pytest.raises(InputError, match="split both tables by a column that is never starred"):
        fit.edges(most_edges=edges.adjacent.size - 1)
    with pytest.raises(InputError, match="verify the parts"):
        fit.edges(most_probes=fit.probes - 1)
