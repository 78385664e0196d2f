"""Masks the slow and plain way: every level vector is made, each rule read off its definition.

A mask comes as the plain dict of the policy file (`max_stars`, `keep`, ..., or `any`, or `all`),
so nothing of `incrowd` is used here.
"""

from itertools import product


def vectors(spec, columns, heights):
    """All allowed level vectors, in lexicographic order."""
    every = product(*(range(top + 1) for top in heights))
    top = dict(zip(columns, heights, strict=True))
    return [v for v in every if allowed(spec, dict(zip(columns, v, strict=True)), top)]


def allowed(spec, level, top):
    if "any" in spec:
        return bool([s for s in spec["any"] if allowed(s, level, top)])
    if "all" in spec:
        return not [s for s in spec["all"] if not allowed(s, level, top)]
    if level == top and max(top.values(), default=0) > 0:
        return spec.get("full_suppression", True)
    for rule, setting in spec.items():
        if rule == "full_suppression":
            continue
        if not RULES[rule](setting, level, top):
            return False
    return True


def star(column, level, top):
    return top[column] != 0 and level[column] == top[column]


def max_stars(limit, level, top):
    return sum(1 for c in level if star(c, level, top)) <= limit


def keep(columns, level, top):
    return sum(level[c] for c in columns) == 0


def together(groups, level, top):
    for group in groups:
        for a in group:
            for b in group:
                if (level[a] == 0) != (level[b] == 0):
                    return False
    return True


def at_most_one(groups, level, top):
    for group in groups:
        for a in group:
            for b in group:
                if a != b and level[a] and level[b]:
                    return False
    return True


def never_together(groups, level, top):
    return all(min(level[c] for c in group) == 0 for group in groups)


def max_level(limits, level, top):
    return all(level[column] <= limit for column, limit in limits.items())


def patterns(listed, level, top):
    for entry in listed:
        want = dict.fromkeys(level, 0)
        if isinstance(entry, dict):
            want.update(entry)
        else:
            want.update({c: top[c] for c in entry})
        if want == level:
            return True
    return False


RULES = {
    "max_stars": max_stars,
    "keep": keep,
    "together": together,
    "at_most_one": at_most_one,
    "never_together": never_together,
    "max_level": max_level,
    "patterns": patterns,
}


def cost_of(vector, costs):
    return sum(costs[j][level] for j, level in enumerate(vector))


def by_cost(found, heights, costs, ties):
    """The vectors sorted: cost, stars, larger sum of ties, lexicographic."""

    def key(v):
        stars = len([1 for level, top in zip(v, heights, strict=True) if level == top and top])
        return cost_of(v, costs), stars, -cost_of(v, ties), v

    return sorted(found, key=key)


def cheapest_above(found, vector, heights, costs):
    none = [[0] * (top + 1) for top in heights]
    above = [v for v in found if not [1 for a, b in zip(v, vector, strict=True) if a < b]]
    ordered = by_cost(above, heights, costs, none)
    return ordered[0] if ordered else None


def reach(found, heights):
    return tuple(max(v[j] for v in found) for j in range(len(heights)))
