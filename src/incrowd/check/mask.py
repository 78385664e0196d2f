"""A mask: which level vectors a policy allows [T6]."""

from __future__ import annotations

import itertools
import math

from .exact import choice, refuse, table_of
from .policy import MASK_WORDS

MOST_VECTORS = 1 << 22  # [T7]
MOST_READINGS = 1 << 16  # [R6] in so many ways a row may be read


class Mask:
    """A set of level vectors: those that obey all rules, or that `any` or `all` of some masks allow [T6]."""

    def __init__(self, said, columns, heights):
        refuse(not isinstance(said, dict), "a mask is no table")
        self.heights, place = heights, {column: j for j, column in enumerate(columns)}
        self.join = next((join for word, join in (("any", any), ("all", all)) if word in said), None)
        if self.join:
            parts = next(iter(said.values()))
            good = len(said) == 1 and isinstance(parts, list) and parts
            refuse(not good, "a mask with 'any' or 'all' has other words, or no list of masks")
            self.parts = [Mask(part, columns, heights) for part in parts]
            return
        refuse(not set(said) <= set(MASK_WORDS), "the mask has a word that is not known")

        def at(column):
            refuse(column not in place, "the mask names a column that is no quasi-identifier")
            return place[column]

        def columns_of(one, word):
            names = [one] if isinstance(one, str) else one
            good = isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names)
            refuse(not good or len(set(names)) < len(names), f"{word} is no list of columns, or names one twice")
            return [at(name) for name in names]

        def level(number, j):
            good = type(number) is int and 0 <= number <= heights[j]
            refuse(not good, f"the mask gives column {columns[j]!r} a level, but its levels are 0 to {heights[j]}")
            return number

        def listed(word):
            """Return the entries of a list; one that is a list of columns itself is a list of one."""
            value = said.get(word, [])
            refuse(not isinstance(value, (list, tuple)), f"{word} is no list")
            alone = [isinstance(one, str) for one in value]
            refuse(any(alone) and not all(alone), f"{word} mixes columns and lists of them")
            return [value] if any(alone) else value

        def groups(word):
            found = [columns_of(group, word) for group in listed(word)]
            refuse(any(len(group) < 2 for group in found), f"{word} has a group of fewer than two columns")
            return found

        self.stars_alone = choice(said.get("full_suppression", True), "full_suppression", True, False)
        self.most_stars = said.get("max_stars", len(heights))
        refuse(type(self.most_stars) is not int or self.most_stars < 0, "max_stars is no whole number")
        self.tops = [(j, 0) for j in columns_of(said.get("keep", []), "keep")]
        self.tops += [(at(column), level(top, at(column))) for column, top in table_of(said, "max_level").items()]
        self.together, self.at_most_one, self.never = map(groups, ("together", "at_most_one", "never_together"))
        self.listed = None if "patterns" not in said else set()
        for one in [said["patterns"]] if isinstance(said.get("patterns"), dict) else listed("patterns"):
            vector = [0] * len(heights)
            if isinstance(one, dict):
                for column, number in one.items():
                    vector[at(column)] = level(number, at(column))
            else:
                for j in columns_of(one, "patterns"):
                    vector[j] = heights[j]
            self.listed.add(tuple(vector))
        refuse(self.listed is not None and not self.listed, "patterns lists no pattern")

    def allows(self, vector):
        """Return whether a level vector is allowed; that of stars alone is judged by full_suppression only."""
        if self.join:
            return self.join(part.allows(vector) for part in self.parts)
        if vector == self.heights and any(vector):
            return self.stars_alone
        if any(0 < sum(vector[j] > 0 for j in group) < len(group) for group in self.together):
            return False
        return not self.too_high(vector) and (self.listed is None or vector in self.listed)

    def patterns(self):
        """Return the level vectors that it and its parts list."""
        return [vector for part in self.parts for vector in part.patterns()] if self.join else list(self.listed or ())

    def too_high(self, vector):
        """Return whether a rule is broken that higher levels break too."""
        return (
            sum(level == top > 0 for level, top in zip(vector, self.heights, strict=True)) > self.most_stars
            or any(vector[j] > top for j, top in self.tops)
            or any(sum(vector[j] > 0 for j in group) > 1 for group in self.at_most_one)
            or any(all(vector[j] > 0 for j in group) for group in self.never)
        )

    def raised(self, vector):
        """Return levels that every allowed vector at or above one has, but stars alone; None: there is none [M4]."""
        if self.join is all:
            for part in self.parts:
                vector = None if vector is None else part.raised(vector)
            return vector
        if self.join is any:
            above = [low for part in self.parts if (low := part.raised(vector)) is not None]
            return tuple(map(min, zip(*above, strict=True))) if above else None
        low = list(vector)
        while more := [j for group in self.together if any(low[i] for i in group) for j in group if not low[j]]:
            for j in more:
                low[j] = 1
        if self.listed is not None:
            above = [one for one in self.listed if all(map(int.__ge__, one, low))]
            low = list(map(min, zip(*above, strict=True))) if above else None
        return None if low is None or self.too_high(tuple(low)) else tuple(low)


def changing(p):
    """Return which columns some allowed level vector changes; stars alone and listed patterns are looked at first."""
    seen = [vector for vector in (p.heights, *p.mask.patterns()) if p.mask.allows(vector)]
    ones = (tuple(int(i == j) for i in range(len(p.heights))) for j in range(len(p.heights)))
    known = {}
    refuse(not seen and not lowest(p, (0,) * len(p.heights), known), "the mask allows no pattern at all")
    return [any(vector[j] for vector in seen) or bool(lowest(p, one, known)) for j, one in enumerate(ones)]


def allowed_vectors(mask, heights, gapped=(), outliers="forbid"):
    """Return the allowed level vectors in lexicographic order, as the keys of a dictionary [T7].

    Where missing values of `gapped` columns look like stars, more stars are allowed there [T8].
    """
    refuse(math.prod(h + 1 for h in heights) > MOST_VECTORS, "there are too many level vectors to recount")
    found = dict.fromkeys(filter(mask.allows, itertools.product(*(range(h + 1) for h in heights))))
    plain = [j for j in range(len(heights)) if j not in gapped]
    alone = outliers == "suppress" and any(all(vector[j] for j in plain) for vector in found)  # NULLs alone are free
    for j in [j for j in gapped if alone or any(vector[j] for vector in found)]:
        found |= dict.fromkeys((*vector[:j], 1, *vector[j + 1 :]) for vector in found)
    return dict.fromkeys(sorted(found)) if gapped else found


def between(mask, low, high):
    """Return the level vectors from a lowest to a highest one that keep the mask."""
    ways = [range(a, b + 1) for a, b in zip(low, high, strict=True)]
    refuse(math.prod(map(len, ways)) > MOST_READINGS, "a row of the release can be read at too many levels")
    return filter(mask.allows, itertools.product(*ways))


def keeps(mask, low, high):
    """Return whether some reading of a row keeps the mask; the ends are looked at first [R6]."""
    return mask.allows(low) or mask.allows(high) or any(between(mask, low, high))


def paid_between(mask, low, high, costs):
    """Return what a row costs least and most, at readings that keep the mask if there is one [R9]."""

    def cost(vector):
        return sum(line[level] for line, level in zip(costs, vector, strict=True))

    ends = [cost(low), cost(high)]
    if ends[0] == ends[1] or (mask.allows(low) and mask.allows(high)):
        return ends
    kept = [cost(vector) for vector in between(mask, low, high)] or ends
    return [min(kept), max(kept)]


def lowest(p, vector, known):
    """Return the lowest allowed vectors at or above one [M4]; `known` keeps what was found."""
    if vector not in known:
        refuse(len(known) * len(vector) ** 2 > 1 << 24, "the mask leaves too many level vectors to recount")
        if p.mask.allows(vector):
            return {vector}
        low = p.mask.raised(vector)
        if low is None:
            known[vector] = set(filter(p.mask.allows, [p.heights]))
        elif low != vector:
            known[vector] = lowest(p, low, known)
        else:
            above = [(*vector[:j], x + 1, *vector[j + 1 :]) for j, x in enumerate(vector) if x < p.heights[j]]
            every = {way for one in above for way in lowest(p, one, known)}
            known[vector] = {w for w in every if not any(o != w and all(map(int.__le__, o, w)) for o in every)}
    return known[vector]
