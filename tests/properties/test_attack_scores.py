"""How many claims of an attack are wrong, over all ways to pair the rows with their original, against trying every one."""

from __future__ import annotations

import itertools
import random

import pyarrow as pa

import incrowd
from seeds import how_many


def drawn(seed):
    """An original and a release of it, in the same order."""
    rng = random.Random(f"scores {seed}")
    rows = [(rng.choice("012"), rng.choice("01"), rng.choice("00001")) for _ in range(rng.randint(5, 7))]
    shown = rng.choice((0.3, 0.5, 0.7))
    return rows, [(*(cell if rng.random() < shown else "*" for cell in row[:2]), row[2]) for row in rows]


def table(rows):
    return pa.table({name: [row[j] for row in rows] for j, name in enumerate("abx")})


def counts(rows, shown, attack):
    """The least and most wrong cells over all pairings, and those of rows in their order."""
    held, claims = attack.inferences.released, attack.inferences.union("assumed")
    unit = {
        tuple("*" if held.levels[c, j] else held.columns[j].values[held.reps[c, j]] for j in range(2)): c
        for c in range(held.sizes.size)
    }
    claimed = {
        (u, j, held.columns[j].values[v]) for u, j, v in zip(claims.unit, claims.column, claims.value, strict=True)
    }

    def wrong(order):
        pairs = [(rows[i], s) for i, s in zip(order, shown, strict=True)]
        return sum((unit[s[:2]], j, row[j]) in claimed for row, s in pairs for j in range(2))

    def honest(order):
        pairs = [(rows[i], s) for i, s in zip(order, shown, strict=True)]
        return all(row[2] == s[2] and all(s[j] in ("*", row[j]) for j in range(2)) for row, s in pairs)

    found = [wrong(order) for order in itertools.permutations(range(len(rows))) if honest(order)]
    return min(found), max(found), wrong(range(len(rows)))


def test_least_and_most_wrong_are_those_over_all_pairings():
    several = wrong = 0
    for seed in range(how_many(100, 4)):
        rows, shown = drawn(seed)
        asked = {"quasi_identifiers": ["a", "b"], "k": 1, "domains": {"a": ["0", "1", "2"], "b": ["0", "1"]}}
        found = incrowd.attack(table(shown), original=table(rows), **asked)
        least, most, in_order = counts(rows, shown, found)
        assert (found.facts["claimed_wrong"], found.facts["most_claimed_wrong"]) == (least, most), seed
        same = incrowd.attack(table(shown), original=table(rows), same_order=True, **asked)
        assert same.facts["claimed_wrong"] == in_order, seed
        several += found.facts["pairing"] == "several"
        wrong += most > least
    assert several and wrong
