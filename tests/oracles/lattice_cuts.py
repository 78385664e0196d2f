"""What prices and cuts are worth over all instances, the slow way: row by row, from the certificate's own words."""

from __future__ import annotations

from oracles.plans import cost_of, node
from oracles.pricing import kept_instances


def extent(problem, vector, one):
    """The types that show under a vector what one type shows."""
    codes = problem.types.codes.tolist()

    def shown(i):
        return tuple(node(problem, j, v, c) for j, (v, c) in enumerate(zip(vector, codes[i], strict=True)))

    return tuple(i for i in range(len(codes)) if shown(i) == shown(one))


def cut_terms(problem, cut, weight, named):
    """Constant, what opening costs per named instance, and what a row costs per (named instance, type)."""
    counts, k = problem.types.counts.tolist(), problem.k
    if cut["kind"] == "C":
        return -weight, dict.fromkeys(cut["instances"], weight), {}
    if cut["kind"] == "S":
        pairs = {(g, i): weight for g, *two in cut["pairs"] for i in two}
        return -weight, {g: -weight for g, *_ in cut["pairs"]}, pairs
    rows = sum(counts[i] for i in cut["types"])
    if cut["kind"] == "F":
        left, inside = rows - k * len(cut["full"]), set(cut["types"])
        over = [sum(counts[i] for i in named[g][1] if i in inside) - left for g in cut["part"]]
        much = min(k, sum(max(each, 0) for each in over))
        pairs = {(g, i): weight for g in cut["part"] for i in named[g][1] if i in inside}
        pairs |= {(h, i): -weight for h in cut["full"] for i in named[h][1] if i not in inside}
        opens = dict.fromkeys(cut["part"], -left * weight) | dict.fromkeys(cut["full"], much * weight)
        return -weight * much * len(cut["full"]), opens, pairs
    outside = {
        (g, i): -(weight // (k - rows % k)) for g in cut["instances"] for i in named[g][1] if i not in cut["types"]
    }
    assert weight % (k - rows % k) == 0
    return -weight * (rows // k), dict.fromkeys(cut["instances"], weight), outside


def worth(problem, prices, parts, tree):
    """The bound in parts: prices, less the cuts' sides, plus what every kept or named instance adds below 0."""
    counts, codes = problem.types.counts.tolist(), problem.types.codes.tolist()
    named = [(tuple(name[:-1]), extent(problem, name[:-1], name[-1])) for name in tree["instances"]]
    total = sum(n * p for n, p in zip(counts, prices, strict=True))
    opening, extra = dict.fromkeys(range(len(named)), 0), {}
    for at, weight in tree["tree"]["weights"]:
        constant, opens, pairs = cut_terms(problem, tree["cuts"][at], weight, named)
        total += constant
        for g, amount in opens.items():
            opening[g] += amount
        for pair, amount in pairs.items():
            extra[pair] = extra.get(pair, 0) + amount
    every = {(vector, types): (cost, need) for vector, types, cost, need in kept_instances(problem)}
    for vector, types in named:
        every.setdefault((vector, types), (cost_of(problem, vector, codes[types[0]]), problem.k))
    for key, (cost, need) in every.items():
        g = named.index(key) if key in named else -1
        terms = sorted(parts * cost - prices[i] + extra.get((g, i), 0) for i in key[1] for _ in range(counts[i]))
        if len(terms) < need:
            continue
        value = opening.get(g, 0) + sum(terms[:need]) + sum(term for term in terms[need:] if term < 0)
        total += min(value, 0)
    return total
