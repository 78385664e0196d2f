"""The loops over pairs and triples, against every pair and triple; a set counts where it holds an odd part of them."""

import itertools

import numpy as np

from incrowd.tables.verify.bound.matching_loops import cheap_pairs, cheap_triples
from seeds import seeds


def drawn(seed):
    """Rows in columns with what a star costs each of them, sensitive values, prices, and sets of rows with prices."""
    rng = np.random.default_rng([72, seed])
    n, m, scale = int(rng.integers(3, 9)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    lines = rng.integers(0, 3, (m, n))
    steps = np.repeat(rng.integers(1, 4, (m, 1)), n, axis=1)
    secrets = rng.integers(0, 4, (n, int(rng.integers(0, 2))))
    base = rng.integers(-2, 8 * scale, n)
    sets = [sorted(rng.choice(n, 3, replace=False).tolist()) for _ in range(int(rng.integers(0, 4)))]
    z = rng.integers(0, 5, len(sets))
    of = [[s for s, mine in enumerate(sets) if i in mine] for i in range(n)]
    prices = np.array([base[i] + sum(z[s] for s in of[i]) for i in range(n)], np.int64)
    mptr = np.cumsum([0, *map(len, of)]).astype(np.int64)
    mids = np.array([s for mine in of for s in mine], np.int64)
    return lines, steps, secrets, prices, mptr, mids, z.astype(np.int64), scale, base, sets


def wanted(size, rows, lines, steps, secrets, z, scale, base, sets):
    """Every crowd of so many rows that is cheaper than its prices: its rows, and the price of each, rounded up."""
    for crowd in itertools.combinations(rows, size):
        if any(len({secrets[i, s] for i in crowd}) < size for s in range(secrets.shape[1])):
            continue
        cost = sum(
            int(step[crowd[0]]) for line, step in zip(lines, steps, strict=True) if len({line[i] for i in crowd}) > 1
        )
        asked = sum(int(base[i]) for i in crowd)
        asked += sum(int(z[s]) for s, mine in enumerate(sets) if len(set(mine) & set(crowd)) % 2)
        if size * scale * cost < asked:
            yield (*crowd, -(-asked // size))


@seeds(500, 60)
def test_the_cheap_pairs_are_those_of_the_definition_in_parts_of_any_size(seed):
    lines, steps, secrets, prices, mptr, mids, z, scale, base, sets = drawn(seed)
    n, at, got = lines.shape[1], 0, []
    while at < n:
        left, right, need, then = cheap_pairs(lines, steps, secrets, prices, mptr, mids, z, scale, at, n, 1 + seed % 3)
        got += zip(left.tolist(), right.tolist(), need.tolist(), strict=True)
        assert then > at
        at = then
    assert got == list(wanted(2, range(n), lines, steps, secrets, z, scale, base, sets))


@seeds(500, 60)
def test_the_cheap_triples_of_a_set_are_those_of_the_definition_in_parts_of_any_size(seed):
    lines, steps, secrets, prices, mptr, mids, z, scale, base, sets = drawn(seed)
    rows = np.arange(0, lines.shape[1], 1 + seed % 2)
    at, last, got = 0, rows.size**2, []
    while at < last:
        found, need, then = cheap_triples(
            lines, steps, secrets, prices, mptr, mids, z, scale, rows, at, last, 1 + seed % 3
        )
        got += [(*three, price) for three, price in zip(found.tolist(), need.tolist(), strict=True)]
        assert then > at
        at = then
    assert got == list(wanted(3, rows.tolist(), lines, steps, secrets, z, scale, base, sets))
