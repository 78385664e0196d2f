"""Version 2: classes under requirements [V1-V10]."""

from __future__ import annotations

import decimal
import math
from collections import Counter, defaultdict
from fractions import Fraction

from .certificate import LIMIT, entries, named, numbers, pairs_of, too_large, tree_value, whole
from .exact import by_bytes, digits_of, floor_of_ln, ln_between, refuse, refute
from .prices import filled, rounded_up

MUS = (Fraction(0), Fraction(1, 4), Fraction(1, 2), *(Fraction(1 << m) for m in range(6)))
FINEST = 1 << 60  # [V5] a share's denominator is no larger; it is rounded up
NONE = -math.inf  # what no class at all gains


def shares_of(one):
    """Return which share of a class each value may have at most by a requirement, rounded up [V5]."""
    asked, n, limit, shares, times = one.asked, one.n, one.model.share_limit(), [], 1
    if "delta" in asked:
        with digits_of(40, rounding=decimal.ROUND_CEILING):
            delta = min(asked["delta"], Fraction(200))
            times = Fraction((decimal.Decimal(delta.numerator) / delta.denominator).exp()) * (1 + Fraction(1, 10**38))
    for total in one.totals:
        if "beta" in asked:
            most = ln_between(Fraction(n, total))[1] if total < n else Fraction(0)
            times = 1 + (min(asked["beta"], most) if asked["enhanced"] else asked["beta"])
        shares.append(min(Fraction(total, n) * times if limit is None else limit, Fraction(1)))
    return shares


def rules_of(one):
    """Yield (family, value by kind, numbers ...) of the rules of a requirement [V5]."""
    code = [one.code[kind] for kind in one.kinds]
    if one.form == "shares":
        yield "shares", code, [s if s.denominator <= FINEST else Fraction(math.ceil(s * FINEST), FINEST)
                               for s in shares_of(one)]  # fmt: skip
    elif one.form == "distinct":
        for place in one.places:
            ranks = sorted({kind[place] for kind in one.kinds}, key=by_bytes)
            yield "distinct", [ranks.index(kind[place]) for kind in one.kinds], one.least
    elif one.form == "distance":
        values = range(len(one.values))
        place = one.metric.place if one.metric.steps is not None else list(values)  # one value at one place
        gaps = [one.metric.apart(u, v) for u in values for v in values if u < v and place[u] != place[v]]
        near = min(gaps, default=Fraction(1))
        if near and one.asked["t"] < near:
            ranks = sorted(set(place))
            totals = [sum(c for c, at in zip(one.totals, place, strict=True) if at == x) for x in ranks]
            yield "equal", [ranks.index(place[v]) for v in code], totals, one.asked["t"] / near


def taken_by(one, given):
    """Return y by value from the numbers of a multiplier of a requirement [V8]."""
    form, size, strange = one.form, len(one.values), "a multiplier has other numbers than its requirement"
    if form == "shares":
        mus, shares = dict(zip(given[::2], given[1::2], strict=False)), shares_of(one)
        refuse(2 * len(mus) != len(given) or any(not 0 <= v < size for v in mus), strange)
        refute(any(mu < 0 for mu in mus.values()))
        taken = math.ceil(sum(shares[v] * mu for v, mu in mus.items()))
        return [mus.get(v, 0) - taken for v in range(size)]
    if form == "recursive":
        c, length = one.asked["c"], one.least + 1
        terms = [given[at : at + length] for at in range(0, len(given), length)]
        refuse(len(given) % length or any(len(set(term[2:])) < length - 2 for term in terms), strange)
        refuse(any(not 0 <= v < size for term in terms for v in term[1:]), strange)
        refute(any(term[0] < 0 for term in terms))
        return [math.floor(sum(mu * ((v == u) + c * (v in t) - c) for mu, u, *t in terms)) for v in range(size)]
    refute(form not in ("distance", "entropy"))
    refuse(len(given) != size + 1, strange)
    mu, f = given[0], given[1:]
    refute(mu < 0 or (form == "entropy" and min(f) < 1))
    if form == "entropy":
        return [floor_of_ln(mu, one.asked["l"] * Fraction(share, sum(f))) for share in f]
    refute(any(abs(f[u] - f[v]) > mu * one.metric.apart(u, v) for u in range(size) for v in range(u)))
    mean = sum(Fraction(c * x, one.n) for c, x in zip(one.totals, f, strict=True))
    rest = math.floor(-(mean + one.asked["t"] * mu))
    return [x + rest for x in f]


def firsts_of(rows, code, least):
    """Return the values found, what the best row of each of the `least` best values gains, and all other rows."""
    firsts, rest, seen = 0, [], set()
    for gain, number, kind in rows:
        first = len(seen) < least and code[kind] not in seen
        if first:
            seen.add(code[kind])
            firsts += gain
        rest.append((gain, number - first, kind))
    return len(seen), firsts, rest


def best_of(rows, size):
    """Return the sum of the best so many gains; NONE where there are fewer rows."""
    value = 0
    for gain, number, _ in rows:
        number = min(number, size)
        value, size = value + gain * number, size - number
    return value if size == 0 else NONE


class Required:
    """The recount of a certificate of version 2 [V1-V9]."""

    def __init__(self, p, certificate):
        self.p, self.parts = p, whole(certificate, "parts", 1)
        self.prices = numbers(certificate.get("prices"), "prices", p.t)
        self.below, self.given = whole(certificate, "whole_below", 1, 4097), entries(certificate, "multipliers")
        self.trees = certificate.get("trees", [])
        good = isinstance(self.trees, list) and len(self.trees) <= 1
        refuse(not good, "the certificate: trees is no list of one tree at most")
        self.top, self.dear = p.listed(), self.parts * p.dearest
        self.largest = max(map(abs, self.prices)) + self.dear
        too_large(2 * p.rows * self.largest)  # [V10]
        self.rules = [rule for one in p.asked for rule in rules_of(one)]
        self.mus = [math.floor(mu * self.parts * p.step) for mu in MUS]
        self.vectors, self.taken, self.known = self.few_rows(), {}, None
        self.close = self.below * p.rows if any(rule[0] == "equal" for rule in self.rules) else 0
        too_large(self.close * (self.largest + self.mus[-1]))

    def value(self):
        """Return the bound, scaled: the larger of what root prices and a tree prove."""
        value = self.worth(self.listing(everything=False), self.prices, {})
        for tree in self.trees:
            refuse(not isinstance(tree, dict), "the certificate: a tree is no object")
            refuse(whole(tree, "component", 0, 1) or entries(tree, "cuts"), "under requirements a tree has no cuts")
            names = [self.name(name) for name in entries(tree, "instances")]
            refute(None in names)
            self.every = self.listing(everything=True, names=names)
            least = tree_value(tree.get("tree"), [name[:2] for name in names], self.leaf, {})
            refute(least == math.inf)
            value = max(value, least)
        return rounded_up(value, self.parts, self.p.step)

    def name(self, name):
        """Return the key of an instance that is named, and a type; None where the mask allows its levels nowhere."""
        vector, one = named(name, len(self.p.heights))
        refuse(not 0 <= one < self.p.t, "the certificate: an instance is named by a row type that is not there")
        return (vector, self.p.shows(vector, one), one) if vector in self.p.vectors else None

    def listing(self, *, everything, names=()):
        """Return instances by key; multipliers of those are read [V8]."""
        p = self.p
        walk = p.instances(self.prices, self.parts, self.top, everything=everything)
        found = {(g.vector, p.shows(g.vector, g.types[0])): g for g in walk}
        if self.top is not None:
            found[self.top, p.shows(self.top, 0)] = p.instance(self.top, 0, self.parts)._replace(need=1)
        for vector, shown, one in names:
            found.setdefault((vector, shown), p.instance(vector, one, self.parts))
        self.rows = sum(p.size(g.types) for g in found.values()) + p.rows
        too_large(self.rows * 2 * self.largest)
        if self.known is None:
            self.known, m = [], len(p.heights)
            for entry in self.given:
                good = len(numbers(entry, "a multiplier")) > m + 1 and 0 <= entry[m + 1] < len(p.asked)
                refuse(not good, "a multiplier is no list of levels, row type, requirement and numbers")
                self.known.append((self.name(entry[: m + 1]), entry[m + 1], entry[m + 2 :]))
        own = defaultdict(dict)
        for name, r, given in self.known:
            if name is not None and name[:2] in found:
                refuse(r in own[name[:2]], "an instance has two multipliers of one requirement")
                own[name[:2]][r] = given
        limit = (LIMIT // p.rows - self.largest) // max(len(p.asked), 1)
        for key, ys in own.items():
            self.taken[key] = [0] * len(p.kinds)
            for r, given in ys.items():
                y, code = taken_by(p.asked[r], given), p.asked[r].code
                refuse(any(abs(one) >= limit for one in y), "a certificate's multipliers are too large to be added up")
                self.taken[key] = [a + y[code[kind]] for a, kind in zip(self.taken[key], p.kinds, strict=True)]
        return found

    def worth(self, found, prices, state):
        """Return what prices prove where some instances are open (1) or closed (-1), in parts [V3]."""
        gains = (self.most(g, prices, state.get(key, 0), self.taken.get(key)) for key, g in found.items())
        return sum(map(int.__mul__, prices, self.p.counts)) - sum(gains)

    def leaf(self, at, state):
        """Return what a leaf of the tree is worth, infinite where it holds no release [V9]."""
        p, prices, dear = self.p, list(self.prices), self.dear
        refuse(entries(at, "weights"), "the certificate: under requirements a leaf weighs no cut")
        most = min(LIMIT // (2 * self.rows + 1) - dear, (LIMIT // p.rows - dear) // 2)
        if self.close:
            most = min(most, LIMIT // self.close - dear - self.mus[-1])
        for place, move in pairs_of(at, "prices"):
            refuse(not 0 <= place < p.t, "the certificate: a leaf moves the price of no row type")
            large = abs(move) >= LIMIT or abs(prices[place] + move) >= most
            refuse(large, "the certificate: a leaf's numbers are too large to be added up")
            prices[place] += move
        return self.worth(self.every, prices, state)

    def few_rows(self):
        """Return the vectors of fewer than N0 rows that meet every requirement, where there are few at all [V6]."""
        most, vectors, ways = self.below - 1, [{}], [1] + [0] * (self.below - 1)
        for count in self.p.kind_rows:
            ways = [sum(ways[max(total - count, 0) : total + 1]) for total in range(most + 1)]
            if sum(ways) - 1 > 1 << 15:
                return None
        for s, count in enumerate(self.p.kind_rows):
            vectors += [vector | {s: v} for vector in vectors
                        for v in range(1, min(count, most - sum(vector.values())) + 1)]  # fmt: skip
        return [vector for vector in vectors[1:] if all(self.may_be(one, vector) for one in self.p.asked)]

    def may_be(self, one, vector):
        """Return whether a class meets a requirement; one that is not closed under union is asked by its rules [V6]."""
        if one.form == "own":
            return True  # nothing is known of unions
        if one.model.name != "delta-disclosure":
            return one.met({self.p.kinds[s]: v for s, v in vector.items()})
        rows, shares = Counter(), shares_of(one)
        for s, v in vector.items():
            rows[one.code[self.p.kinds[s]]] += v
        return all(number <= shares[v] * rows.total() for v, number in rows.items())

    def most(self, one, prices, state, taken):
        """Return V_g: what a class of an instance can gain at most [V3]. `taken` is y by kind, or None."""
        if state < 0:
            return 0
        p, need, least = self.p, one.need, NONE if state > 0 else 0
        p.ask()
        told = not state and taken is not None and self.vectors is not None  # listed classes obey multipliers as well
        if told and all(prices[i] - one.cost <= taken[p.kind[i]] for i in one.types):
            return 0
        rows = sorted(((prices[i] - one.cost, p.counts[i], p.kind[i]) for i in one.types), reverse=True)
        alone, large = filled(rows, need), max(need, self.below)
        if p.size(one.types) < need or (not state and alone <= 0):
            return least
        some = p.size(one.types) >= large and all(self.some_class(rows, large, *rule) for rule in self.rules)
        best = max(least, self.many(rows, large, taken) if some else NONE)
        if best < alone:
            best = max(best, self.by_list(rows, need) if self.vectors is not None else self.by_size(rows, need))
        return min(alone, best)

    def some_class(self, rows, least, family, code, *more):
        """Return whether a class of at least so many rows may keep a rule [V7]."""
        held = Counter()
        for _, number, kind in rows:
            held[code[kind]] += number
        if family == "distinct":
            return len(held) >= more[0]
        if family == "shares":
            size = held.total()
            while size >= least and (kept := sum(min(c, size * more[0][v] // 1) for v, c in held.items())) < size:
                size = kept
            return size >= least
        totals, t = more
        return sum(min(c * self.p.rows, totals[v] * least) for v, c in held.items()) >= (1 - t) * least * self.p.rows

    def many(self, rows, least, taken):
        """Return what a class of at least so many rows can gain, its multipliers taken off [V7]."""
        if taken is not None:
            rows = sorted(((gain - taken[kind], number, kind) for gain, number, kind in rows), reverse=True)
        best = filled(rows, least)
        for family, code, *more in self.rules:
            if family == "distinct":
                found, firsts, rest = firsts_of(rows, code, *more)
                best = min(best, firsts + filled(rest, max(least - found, 0)))
        return best

    def by_list(self, rows, need):
        """Return the most that a listed class gains [V6]."""
        tops = defaultdict(lambda: [0])
        for gain, number, kind in rows:
            own = tops[kind]
            for _ in range(min(number, self.below - len(own))):
                own.append(own[-1] + gain)
        return max((
            sum(tops[s][v] for s, v in vector.items()) for vector in self.vectors
            if sum(vector.values()) >= need and all(len(tops.get(s, ())) > v for s, v in vector.items())
        ), default=NONE)  # fmt: skip

    def by_size(self, rows, need):
        """Return what classes of `need` to N0 - 1 rows gain at most, size by size [V6]."""
        best = NONE
        for size in range(need, min(self.below - 1, sum(number for _, number, _ in rows)) + 1):
            worst = best_of(rows, size)
            for rule in self.rules:
                if worst > best:
                    worst = min(worst, self.of_size(rows, size, *rule))
            best = max(best, worst)
        return best

    def of_size(self, rows, size, family, code, *more):
        """Return what a class of some rows gains at most by one rule [V6]."""
        if family == "shares":
            left, kept = {v: size * share // 1 for v, share in enumerate(more[0])}, []
            for gain, number, kind in rows:
                number = min(number, left[code[kind]])
                left[code[kind]] -= number
                kept.append((gain, number, kind))
            return best_of(kept, size)
        if family == "distinct":
            found, firsts, rest = firsts_of(rows, code, *more)
            return firsts + best_of(rest, size - found) if found == more[0] <= size else NONE
        totals, t = more
        n, of_value, best = self.p.rows, defaultdict(list), math.inf
        for gain, number, kind in rows:
            own = of_value[code[kind]]
            own += [gain] * min(number, size - len(own))
        for mu in self.mus:
            terms = sorted((
                gain * n - mu * min(max(j * n - totals[v] * size, 0), n)
                for v, own in of_value.items() for j, gain in enumerate(own, 1)
            ), reverse=True)  # fmt: skip
            best = min(best, -(-(sum(terms[:size]) + math.ceil(mu * t * n * size)) // n))
        return best
