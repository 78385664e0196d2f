"""Random trees and cuts over the instances of a small table."""

import itertools

import numpy as np

from incrowd.check.exact import Refuted, Unreadable
from incrowd.check.prices import proven_by_prices
from incrowd.tables.verify.recount import Compiled


def recounted(table, claim):
    """What the check makes of a certificate; None where it refuses."""
    try:
        return proven_by_prices(Compiled(table), claim)
    except (Refuted, Unreadable):
        return None


def twice(table, one, other):
    """Whether two names are of one instance."""
    *vector, i = one
    j = other[-1]
    return vector == other[:-1] and all(
        level.up[x, table.codes[i, c]] == level.up[x, table.codes[j, c]]
        for c, (x, level) in enumerate(zip(vector, table.levels, strict=True))
    )


def several(rng, those, least=1):
    number = int(rng.integers(min(least, len(those)), len(those) + 1))
    return sorted(rng.choice(those, number, replace=False).tolist())


def drawn_cut(rng, kind, names, own, counts):
    some = np.arange(len(names))
    if kind == "C":
        return {"kind": "C", "instances": several(rng, some)}
    if kind == "T":
        return {"kind": "T", "types": several(rng, own), "instances": several(rng, some)}
    if kind == "S":
        ones = [i for i in own if counts[i] == 1]
        three = sorted(rng.permutation(ones)[:3].tolist())
        pairs = (
            [[g, *rng.choice(three, 2, replace=False).tolist()] for g in several(rng, some)] if len(three) > 1 else []
        )
        return {"kind": "S", "types": three, "pairs": pairs}
    at = int(rng.integers(len(names) + 1))
    return {"kind": "F", "types": several(rng, own), "part": some[:at].tolist(), "full": some[at:][:2].tolist()}


def planted(rng, table, claim):
    """Trees for a claim; most of what is in them holds, for what does not is mostly left out. No instance is named twice."""
    counts, apart, found = np.asarray(table.counts), claim["components"], []
    vectors = list(itertools.product(*(range(level.height + 1) for level in table.levels)))
    strict = rng.random() < 0.9
    for part in {0} if apart is None else set(apart):
        own = [i for i in range(len(counts)) if apart is None or apart[i] == part]

        def holds(names, cuts, part=part):
            tree = {"component": part, "instances": names, "cuts": cuts, "tree": {"prices": [], "weights": []}}
            return not strict or recounted(table, claim | {"trees": [tree]}) is not None

        names, cuts = [], []
        for _ in range(12):
            name = [*vectors[int(rng.integers(len(vectors)))], int(rng.choice(own))]
            if len(names) < 6 and holds([*names, name], []) and not any(twice(table, name, other) for other in names):
                names.append(name)
        for kind in rng.choice(list("CTSF"), 8):
            cut = drawn_cut(rng, kind, names, own, counts)
            if names and len(cuts) < 4 and holds(names, [*cuts, cut]):
                cuts.append(cut)

        def divisor(c, cuts=cuts):
            return table.k - int(counts[cuts[c]["types"]].sum()) % table.k if cuts[c]["kind"] == "T" else 1

        def node(left, own=own, cuts=cuts):
            if apart is not None and left and rng.random() < 0.6:
                return {"instance": left[0], "closed": node(left[1:]), "open": node(left[1:])}
            moves = (
                [] if apart is None else [[i, int(rng.integers(-3, 4))] for i in several(rng, np.arange(len(own)), 0)]
            )
            weights = [[c, int(rng.integers(0, 3)) * divisor(c)] for c in several(rng, np.arange(len(cuts)), 0)]
            return {"prices": moves, "weights": weights}

        order = rng.permutation(len(names))[:3].tolist()
        found.append({"component": part, "instances": names, "cuts": cuts, "tree": node(order)})
    return found
