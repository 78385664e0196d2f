"""Wrong inferences over all ways to pair the rows, held against trying them all."""

from __future__ import annotations

import itertools

import numpy as np
import pyarrow as pa

from incrowd import Mask
from incrowd.progress import Watch
from incrowd.tables.attack.read import read_release
from incrowd.tables.attack.score import by_order, by_pairing, wrong_of
from incrowd.tables.attack.values import Asked, Exclusions
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading
from seeds import how_many


def drawn(rng):
    """An original and a release of it, in the same order."""
    n = int(rng.integers(3, 7))
    cells = [[str(v) for v in rng.integers(0, 2, n)] for _ in range(2)]
    other = [str(v) for v in rng.integers(0, 2, n)]
    shown = [[v if rng.random() < 0.5 else "*" for v in column] for column in cells]
    return (
        pa.table({"a": cells[0], "b": cells[1], "x": other}),
        pa.table({"a": shown[0], "b": shown[1], "x": other}),
    )


def test_least_and_most_are_those_over_all_pairings():
    several = 0
    for seed in range(how_many(100, 15)):
        rng = np.random.default_rng(seed)
        original, released = drawn(rng)
        domains = {"a": ("0", "1"), "b": ("0", "1")}
        with open_engine("duckdb", None, original, released) as engine:
            before, after = (open_source(engine, one, Reading()) for one in (original, released))
            held = read_release(
                engine, after.data, {"a": "c0", "b": "c1", "x": "c2"},
                Asked(names=("a", "b"), k=1, mask=Mask(), domains=domains),
            )  # fmt: skip
            units, columns = np.nonzero(held.starred)
            chosen = rng.random(units.size) < 0.6
            found = Exclusions.of(units[chosen], columns[chosen], rng.integers(0, 2, int(chosen.sum())))
            cells = ["c0", "c1"], ["c0", "c1"]
            same = by_order(engine, before.data, after.data, *cells, [], held)
            paired = by_pairing(engine, before.data, after.data, *cells, {"c2": "c2"}, [], held)
        least, most, in_order = plain(original, released, held, found)
        assert wrong_of(same, found, held, Watch()).least == in_order
        wrong = wrong_of(paired, found, held, Watch())
        assert (wrong.least, wrong.most) == (least, most), seed
        several += paired.how == "several"
    assert several > 3


def plain(original, released, held, found):
    """The least and most wrong cells over all pairings, and those of rows in their order."""
    rows, shown = ([tuple(r.values()) for r in table.to_pylist()] for table in (original, released))
    unit = {
        tuple("*" if held.levels[c, j] else held.columns[j].values[held.reps[c, j]] for j in range(2)): c
        for c in range(held.sizes.size)
    }
    excluded = {(u, j, str(v)) for u, j, v in zip(found.unit, found.column, found.value, strict=True)}

    def wrong(order):
        return sum(
            (unit[s[:2]], j, rows[i][j]) in excluded for i, s in zip(order, shown, strict=True) for j in range(2)
        )

    def honest(order):
        return all(
            rows[i][2] == s[2] and all(s[j] in ("*", rows[i][j]) for j in range(2))
            for i, s in zip(order, shown, strict=True)
        )

    counts = [wrong(order) for order in itertools.permutations(range(len(rows))) if honest(order)]
    return min(counts), max(counts), wrong(range(len(rows)))
