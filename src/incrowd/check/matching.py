"""Matching with odd sets: 2-anonymity, or 2-diversity [M1-M6]."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

from .certificate import entries, numbers, whole
from .exact import refuse, refute
from .mask import lowest

MOST = 1 << 58  # [M1] no price, nor the sum of the sets' prices, reaches it


def proven_by_matching(p, certificate):
    """Return the bound of prices of rows and odd sets, scaled; `p.secret` holds sensitive codes per type, or None."""
    secret, counts = p.secret, p.counts
    refute(secret is None and p.k != 2, "k")
    refute(secret is not None and len(secret[0]) not in (1, 2), "diverse")
    inner = entries(certificate, "matching", dict)
    scale, divisor = (whole(inner, name, 1, MOST) for name in ("scale", "divisor"))
    who = numbers(inner.get("rows"), "rows")
    y, listed = numbers(inner.get("prices"), "prices", len(who), MOST), Counter(who)
    strange = any(not 0 <= i < p.t or number > counts[i] for i, number in listed.items())
    refuse(strange, "the certificate prices rows that the table does not have")
    sets, z, of_row, lift = [], [], defaultdict(set), list(y)
    for s, entry in enumerate(entries(inner, "sets")):
        refuse(not isinstance(entry, dict), "a set of the certificate is no object")
        rows, price = numbers(entry.get("rows"), "rows of a set"), whole(entry, "price", 0, MOST)
        good = len(rows) % 2 and len(set(rows)) == len(rows) and all(0 <= row < len(who) for row in rows)
        refuse(not good, "the certificate has a set that is not odd, or of unknown rows")
        for row in rows:
            of_row[row].add(s)
            lift[row] += price
        sets.append(sorted(rows))
        z.append(price)
    large = sum(z) >= MOST or sum(len(rows) ** 3 for rows in sets) > 1 << 36
    refuse(large, "the certificate's sets are too dear, or too large")
    refuse(p.step % divisor and p.dearest, "the certificate has a divisor that does not divide the costs")
    refuse(scale * (p.dearest // divisor) >= MOST, "the certificate has too fine a scale")
    known, free = {}, secret is None
    if p.outliers == "suppress" and free and p.mask.allows(p.heights):  # [M3] single rows of stars alone
        full = sum(max(column[-1][1]) for column in p.levels) // divisor
        refute(any(price > scale * full for price in lift))
    everyone = who + [i for i in range(p.t) if listed[i] < counts[i]]
    prices = lift + [0] * (len(everyone) - len(who))

    def too_cheap(rows, asked):
        """Return whether a group's rows cost less than its prices ask for, in all."""
        if not free and any(len({secret[i][s] for i in rows}) < len(rows) for s in range(len(secret[0]))):
            return False
        costs = [p.cost(way, rows[0]) for way in lowest(p, p.meet(rows), known)]  # none: the mask allows no such group
        return costs and len(rows) * scale * (min(costs) // divisor) < asked

    for a, b in p.cheap_pairs(everyone, len(who), prices, scale, divisor):  # [M5] all pairs with a priced row
        asked = prices[a] + prices[b] - 2 * sum(z[s] for s in of_row[a] & of_row[b])
        refute(too_cheap((everyone[a], everyone[b]), asked))
    for rows in sets:  # [M6] of triples those inside a set: the others follow from pairs
        p.ask()
        for three in itertools.combinations(rows, 3):
            times = Counter(s for row in three for s in of_row[row])
            asked = sum(y[row] for row in three) + sum(z[s] for s, number in times.items() if number % 2)
            refute(asked > 0 and too_cheap(tuple(who[row] for row in three), asked))
    return -(-(sum(y) + sum(z)) // scale) * divisor  # [M2]
