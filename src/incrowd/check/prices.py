"""Row types, instances and prices [T, I, P]; components, trees and cuts [K, L, B, C]."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict, namedtuple

from .certificate import entries, listed_at, named, numbers, pairs_of, too_large, tree_value, whole
from .exact import grouped, refuse, refute
from .mask import allowed_vectors

MOST_MEMBERS = 1 << 26  # [I4]
Instance = namedtuple("Instance", "vector types need cost")  # [I1] the cost of a row is in parts


class Problem:
    """Row types with counts, levels with whole costs, the mask: what a certificate is about [T1-T7].

    `levels` holds per column and level two lists over the column's values: the node shown, and its scaled cost.
    """

    def __init__(self, codes, counts, levels, mask, k, outliers, scale):
        self.codes, self.counts, self.t, self.k, self.outliers = codes, counts, len(codes), k, outliers
        self.mask, self.levels, self.heights = mask, levels, tuple(len(column) - 1 for column in levels)
        self.nodes, self.paid = (
            [[[level[side][code[j]] for code in codes] for level in column] for j, column in enumerate(levels)]
            for side in (0, 1)
        )
        self.uniform = all(len(set(cost)) == 1 for column in levels for _, cost in column)
        self.step = max(math.gcd(*(c for column in levels for _, cost in column for c in cost)), 1)  # [T5]
        self.dearest = sum(max(max(cost) for _, cost in column) for column in levels)
        self.rows, self.vectors, self.grids, self.kinds_mask = sum(counts), {}, [], None
        self.gapped, self.own = (), 0  # columns where a missing value looks like a star [T8]; cost of rows as they are
        # sensitive codes per type [M1]; combinations of sensitive values, their rows, that of each type, what is asked
        self.secret, self.kinds, self.kind_rows, self.kind, self.asked = None, [()], [self.rows], [0] * self.t, []
        self.of_release = None  # fully suppressed rows, and between which levels all others are shown [U5]
        self.facts = {"rows": self.rows, "row_types": self.t, "k": k, "outliers": outliers, "scale": scale}

    def ask(self):
        """Do what is to be done again and again; a recount ends by an exception of this."""

    def listed(self):
        """List the allowed level vectors; return that of stars alone if it needs no crowd [I5]."""
        self.vectors = allowed_vectors(self.mask, self.heights, self.gapped, self.outliers)
        return self.heights if self.outliers == "suppress" and self.heights in self.vectors else None

    def size(self, types):
        """Return the rows of some row types."""
        return sum(map(self.counts.__getitem__, types))

    def shows(self, vector, i):
        """Return what a row type shows at some levels."""
        return tuple(self.nodes[j][level][i] for j, level in enumerate(vector))

    def cost(self, vector, i):
        """Return what a row of a type costs at some levels, scaled [T4]."""
        return sum(self.paid[j][level][i] for j, level in enumerate(vector))

    def meet(self, some):
        """Return the lowest levels at which some row types are shown alike."""
        return tuple(
            next(level for level, nodes in enumerate(column) if all(nodes[i] == nodes[some[0]] for i in some))
            for column in self.nodes
        )

    def instance(self, vector, one, parts):
        """Return the instance in which a row type is under a vector."""
        shown = self.shows(vector, one)
        types = [i for i in range(self.t) if self.shows(vector, i) == shown]
        return Instance(vector, types, self.k, parts * self.cost(vector, one))

    def instances(self, prices, parts, skip, *, everything):
        """Yield the instances that matter [I1-I3], or those alone that may add something below 0 at the prices."""
        zero = [0] * self.t
        stack, before, dearest, first_above = [(zero, zero)], (), max(prices), {}  # of a vector's first columns
        size = [len(column[0][0]) for column in self.levels]
        least = [[parts * min(cost) for _, cost in column] for column in self.levels]
        for vector in self.vectors:
            self.ask()
            lowest = sum(cost[level] for cost, level in zip(least, vector, strict=True))
            if vector == skip or (lowest >= dearest and not everything):
                continue
            same = next((j for j, (a, b) in enumerate(zip(vector, before, strict=False)) if a != b), len(before))
            del stack[same + 1 :]
            for j in range(same, len(vector)):
                (keys, costs), level, width = stack[-1], vector[j], math.prod(size[:j])
                if level < self.heights[j]:
                    keys = [a + width * b for a, b in zip(keys, self.nodes[j][level], strict=True)]
                if level or any(self.paid[j][0]):
                    costs = [a + parts * b for a, b in zip(costs, self.paid[j][level], strict=True)]
                stack.append((keys, costs))
            before, (keys, costs) = vector, stack[-1]
            gain = {key for key, price, cost in zip(keys, prices, costs, strict=True) if everything or price > cost}
            groups = defaultdict(list)
            for i, key in enumerate(keys):
                if key in gain:
                    groups[key].append(i)
            for types in groups.values():
                one = Instance(vector, types, self.k, costs[types[0]])
                matters = self.size(types) >= self.k and (everything or adds(self, one, prices) < 0)  # [I2]
                if matters and self.first(one, first_above):
                    yield one

    def meets(self):
        """Return by column what a row of one value costs at the level where it meets another, before the mask."""
        found = []
        for column in self.levels:
            size = range(len(column[0][0]))
            found.append([[next(cost[u] for up, cost in column if up[u] == up[v]) for v in size] for u in size])
        return found

    def cheap_pairs(self, everyone, many, prices, scale, divisor):
        """Yield the pairs of rows, one among the first so many, that cost less before the mask than their prices."""
        meets, codes = self.meets(), [[self.codes[i][j] for i in everyone] for j in range(len(self.heights))]
        for a in range(many):
            self.ask()
            costs = [0] * (len(everyone) - a - 1)
            for j, column in enumerate(codes):
                table = meets[j][column[a]]
                costs = [x + table[c] for x, c in zip(costs, column[a + 1 :], strict=True)]
            for b, (cost, price) in enumerate(zip(costs, prices[a + 1 :], strict=True), a + 1):
                if 2 * scale * (cost // divisor) - price < prices[a]:
                    yield a, b

    def first(self, one, known):
        """Return whether no earlier vector by (cost, stars, order) shows these row types alike [I3]."""
        joint, i = self.meet(one.types), one.types[0]
        if joint == one.vector or joint in self.vectors:
            return joint == one.vector
        key = (joint, None if self.uniform else i)
        if key not in known:
            above = (v for v in self.vectors if all(map(int.__ge__, v, joint)))
            known[key] = min(above, key=lambda v: (self.cost(v, i), sum(map(int.__eq__, v, self.heights)), v))
        return known[key] == one.vector


def adds(p, one, prices, extra=None, fixed=0, state=0):
    """Return the least that an instance can add to a release's cost less its prices, in parts [P2].

    At most 0 unless it is open (state 1), and 0 where it is closed (-1). `extra` is by row type.
    """
    if state < 0:
        return 0
    gains = ((prices[i] - one.cost - (extra.get(i, 0) if extra else 0), p.counts[i], i) for i in one.types)
    value = fixed - filled(sorted(gains, reverse=True), one.need)
    return value if state > 0 else min(value, 0)


def filled(rows, least):
    """Return all positive gains of rows (gain, number, kind), filled up to some rows with the next; the gains fall."""
    value = held = 0
    for gain, number, _ in rows:
        if gain <= 0:
            if held >= least:
                break
            number = min(number, least - held)
        value, held = value + gain * number, held + number
    return value


def rounded_up(value, parts, step):
    """Return a sum in parts as a scaled cost that a release can have [P3]."""
    return -(-value // (parts * step)) * step


def proven_by_prices(p, certificate):
    """Return the bound of a certificate of version 1, scaled: by prices [P1], components, trees and cuts."""
    parts, prices = whole(certificate, "parts", 1), numbers(certificate.get("prices"), "prices", p.t)
    label = certificate.get("components")
    if label is not None:
        apart = set(numbers(label, "components", p.t))
        refuse(apart != set(range(len(apart))), "the certificate: components are not numbered from 0 on")
    trees, top = entries(certificate, "trees"), p.listed()
    largest = max(*map(abs, prices), parts * p.dearest)
    too_large(p.rows * largest * 2)  # [P4]
    found = list(p.instances(prices, parts, top, everything=label is not None))
    refuse(sum(len(g.types) for g in found) > MOST_MEMBERS, "the table has too many instances to recount")
    too_large((sum(p.size(g.types) for g in found) + p.rows) * largest * 2)
    if top is not None:
        found.append(p.instance(top, 0, parts)._replace(need=0))
    if label is None:
        value = sum(map(int.__mul__, prices, p.counts)) + sum(adds(p, g, prices) for g in found)
        return rounded_up(max(value, lattice_cuts(p, trees, found, top, parts, prices)), parts, p.step)
    covering = [g for g, one in enumerate(found) if len(one.types) == p.t]
    if covering:  # [K2] the last instance of all row types is the hub, which is taken to need no rows
        found[covering[-1]] = found[covering[-1]]._replace(need=0)
    refute(any(g.need and len({label[i] for i in g.types}) > 1 for g in found))  # [K1]
    values, inside = [0] * len(apart), [[] for _ in apart]
    for i, price in enumerate(prices):
        values[label[i]] += price * p.counts[i]
    for g in found:
        for c, types in grouped(g.types, label.__getitem__).items():
            inside[c].append(g._replace(types=types))
            values[c] += adds(p, inside[c][-1], prices)
    seen = set()
    for tree in trees:
        refuse(not isinstance(tree, dict), "the certificate: a tree is no object")
        c = whole(tree, "component", 0, len(values))
        refuse(c in seen, "the certificate: a component has two trees")
        seen.add(c)
        types = [i for i in range(p.t) if label[i] == c]
        values[c] = max(values[c], Component(p, types, inside[c], prices).value(tree))
    return sum(rounded_up(value, parts, p.step) for value in values)  # [K3]


def lattice_cuts(p, trees, found, top, parts, prices):
    """Return what one leaf of cuts proves without components, in parts [L1-L3]."""
    if not trees:
        return -math.inf
    tree = trees[0] if len(trees) == 1 and isinstance(trees[0], dict) else {}
    leaf = entries(tree, "tree", dict)
    refuse(whole(tree, "component", 0, 1) or "instance" in leaf or leaf.get("prices") != [], "a leaf moves prices")
    found = {(g.vector, g.types[0]): g for g in found}
    for name in entries(tree, "instances"):
        vector, one = named(name)
        refute(vector not in p.vectors or vector == top or not 0 <= one < p.t)
        g = p.instance(vector, one, parts)
        found.setdefault((vector, g.types[0]), g)
    return Component(p, range(p.t), list(found.values()), prices).value(tree)


class Component:
    """The row types and instances of one component, its tree and its cuts [B1]."""

    def __init__(self, p, types, found, prices):
        self.p, self.types, self.found, self.prices = p, types, found, {i: prices[i] for i in types}
        self.by_name = {(g.vector, p.shows(g.vector, g.types[0])): at for at, g in enumerate(found) if g.need > 0}

    def value(self, tree):
        """Return what the tree proves, in parts."""
        self.names = [self.instance(*named(name, len(self.p.heights))) for name in entries(tree, "instances")]
        self.cuts = [self.cut(cut) for cut in entries(tree, "cuts")]
        return tree_value(tree.get("tree"), self.names, self.leaf, {})

    def instance(self, vector, one):
        """Return the number of an instance that is named."""
        inside = one in self.prices and all(0 <= x <= h for x, h in zip(vector, self.p.heights, strict=True))
        key = (vector, self.p.shows(vector, one)) if inside else None
        refute(key not in self.by_name)
        return self.by_name[key]

    def chosen(self, cut, name="instances"):
        """Return the instances of a cut, each once."""
        found = [listed_at(value, self.names) for value in entries(cut, name)]
        refuse(len(set(found)) < len(found), "the certificate: a cut names an instance twice")
        return found

    def listed(self, cut):
        """Return the row types of a cut, each once."""
        found = entries(cut, "types")
        good = all(type(i) is int and i in self.prices for i in found) and len(set(found)) == len(found)
        refuse(not good, "the certificate: a cut names a row type twice, or one outside its component")
        return set(found)

    def cut(self, cut):
        """Return (divisor, right side, coefficient by instance, coefficient by instance and row type)."""
        kind, p, k = cut.get("kind") if isinstance(cut, dict) else None, self.p, self.p.k
        of = [g.types for g in self.found]
        if kind == "C":  # [C1] no two of the instances have 2 k rows together: at most one is open
            chosen = self.chosen(cut)
            refute(any(p.size({*of[g], *of[h]}) >= 2 * k for g, h in itertools.combinations(chosen, 2)))
            return 1, 1, dict.fromkeys(chosen, 1), {}
        refuse(kind not in ("T", "S", "F"), "the certificate: a cut is none of T, C, S, F")
        types = self.listed(cut)
        rows = p.size(types)
        if kind == "T":  # [C2]
            refute(rows % k == 0)
            chosen = self.chosen(cut)
            outside = {(g, i): -1 for g in chosen for i in of[g] if i not in types}
            return k - rows % k, rows // k, dict.fromkeys(chosen, 1), outside
        if kind == "S":  # [C3]
            opens, pairs = {}, {}
            refute(len(types) != 3 or rows != 3)
            for place, a, b in pairs_of(cut, "pairs", 3):
                g = listed_at(place, self.names)
                refute(a == b or not {a, b} <= types or g in opens or not {a, b} <= set(of[g]))
                opens[g] = -1
                pairs |= {(g, a): 1, (g, b): 1}
            return 1, 1, opens, pairs
        part, full = self.chosen(cut, "part"), self.chosen(cut, "full")  # [C4]
        left = rows - k * len(full)
        refute(left < 0 or set(part) & set(full) or any(self.found[g].need != k for g in part + full))
        weight = min(k, sum(max(p.size(types.intersection(of[g])) - left, 0) for g in part))
        pairs = {(g, i): 1 for g in part for i in of[g] if i in types}
        pairs |= {(g, i): -1 for g in full for i in of[g] if i not in types}
        return 1, weight * len(full), dict.fromkeys(part, -left) | dict.fromkeys(full, weight), pairs

    def leaf(self, leaf, state):
        """Return what prices, moved as a leaf says, and weighed cuts prove, in parts [B3, B4]."""
        self.p.ask()
        moves, weights, p = list(pairs_of(leaf, "prices")), list(pairs_of(leaf, "weights")), self.p
        steepest = [max(map(abs, [1, *cut[2].values()])) for cut in self.cuts]
        weighed = sum(abs(w) * (steepest[c] if 0 <= c < len(self.cuts) else 1) for c, w in weights)
        largest = max(map(abs, self.prices.values()), default=0) + sum(abs(move) for _, move in moves)
        largest += max((g.cost for g in self.found), default=0) + weighed
        rows = sum(p.size(g.types) for g in self.found) + p.size(self.types)
        too_large((largest * rows + weighed * (len(self.found) + p.k)) * 4)
        prices, extra, fixed, value = dict(self.prices), defaultdict(Counter), Counter(), 0
        for place, move in moves:
            refuse(not 0 <= place < len(self.types), "the certificate: a leaf moves the price of no row type")
            prices[self.types[place]] += move
        for c, weight in weights:
            refuse(not 0 <= c < len(self.cuts), "the certificate: a leaf weighs a cut that is not there")
            divisor, side, opens, pairs = self.cuts[c]
            refute(weight < 0 or weight % divisor)
            value -= weight * side
            for g, coefficient in opens.items():
                fixed[g] += weight * coefficient
            for (g, i), coefficient in pairs.items():
                extra[g][i] += weight // divisor * coefficient
        value += sum(price * p.counts[i] for i, price in prices.items())
        each = (adds(p, one, prices, extra.get(g), fixed[g], state.get(g, 0)) for g, one in enumerate(self.found))
        return value + sum(each)
