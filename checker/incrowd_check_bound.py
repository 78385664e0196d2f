"""The proofs of a certificate recounted, with Python's standard library alone: what `incrowd_check.py` asks.

Written from the page `docs/certificate.md`; the numbers in brackets, [P1] for example, are its rules. The file reads
from the top: how a certificate is read, row types and instances and prices, components with their trees and cuts,
matching with odd sets, classes under requirements, and the head, whose claims are held against what was recounted.
Numbers are Python's integers and fractions, so nothing is rounded or wraps around; where other checkers with 64 bits
would refuse a file, this one refuses it too.
"""

from __future__ import annotations

import decimal
import itertools
import json
import math
import re
import zlib
from collections import Counter, defaultdict, namedtuple
from fractions import Fraction
from pathlib import Path

LIMIT = 2**61  # [F4] no number of a certificate reaches it
MOST_VECTORS = 1 << 22  # [T7]
MOST_MEMBERS = 1 << 26  # [I4]
MOST_HEAD, PIECE = 1 << 16, 1 << 20  # [Z2] bytes of a packed file's first line, and those that are unpacked at a time


class Unreadable(Exception):
    """Something cannot be read, or not by this program: exit status 2."""


class Refuted(Exception):
    """A part of a proof does not hold, so that nothing is proven."""


def refuse(bad, why):
    """Stop where something cannot be read, or is not of the form that the page says."""
    if bad:
        raise Unreadable(why)


def refute(wrong, claim="proof"):
    """Stop where a part of a proof does not hold."""
    if wrong:
        raise Refuted(claim)


def by_bytes(value):
    """Return the key that sorts values by their UTF-8 bytes, a missing one first [T1]."""
    return (value is not None, (value or "").encode())


def grouped(items, key):
    """Return lists of items by what a function says of them."""
    groups = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return groups


def digits_of(number, **more):
    """Return a context of so many decimal digits, of any exponent; ln and exp are correctly rounded in it."""
    return decimal.localcontext(prec=number, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN, **more)


def logarithm_sign(powers, constant=Fraction(0)):
    """Return the sign of sum(times * ln(base)) - constant, known not to be 0: digits are added until they tell."""
    digits = 40
    while True:
        with digits_of(digits):
            terms = [decimal.Decimal(base).ln() * times for base, times in powers]
            terms.append(-decimal.Decimal(constant.numerator) / decimal.Decimal(constant.denominator))
            total = sum(terms)
            # every operation is off by at most one unit in its last digit
            if abs(total) > sum(map(abs, terms)).scaleb(1 - digits) * (len(terms) + 4):
                return 1 if total > 0 else -1
        digits *= 2


# ---------------------------------------------------------------------------------------- reading a certificate [F1-F5]


def read_certificate(path):
    """Return the object in a certificate's file: JSON, no name twice in an object, no NaN and no infinity."""

    def once(pairs):
        refuse(len(dict(pairs)) < len(pairs), "the certificate has a name twice in an object")
        return dict(pairs)

    packed = None
    try:
        with Path(path).open("rb") as file:
            packed = path if file.read(2) == b"\x1f\x8b" else None  # [F1]
        text = Path(path).read_text(encoding="utf-8") if packed is None else first_line(path)
        found = json.loads(text, object_pairs_hook=once, parse_constant=lambda name: refuse(name, f"found {name}"))
    except (OSError, ValueError, RecursionError):
        raise Unreadable("the certificate cannot be read as JSON") from None
    refuse(not isinstance(found, dict), "the certificate is no object")
    return found if packed is None else Packed(found, packed)


class Packed(dict):
    """The head of a certificate whose prices stand line by line, and its file."""

    def __init__(self, head, path):
        """Keep both."""
        super().__init__(head)
        self.path = path


def unpacked(path, most):
    """Yield what a member of gzip holds, some at a time; refuse any other file, and more than so many bytes [Z1]."""
    member = zlib.decompressobj(wbits=31)
    try:
        with Path(path).open("rb") as file:
            packed = file.read(PIECE)
            refuse(packed[:4] != b"\x1f\x8b\x08\0", "the certificate is not packed as gzip without a name")
            while packed and not member.eof:
                piece = member.decompress(packed, PIECE)
                most -= len(piece)
                refuse(most < 0, "the certificate unpacks to more than the table has row types for")
                yield piece
                packed = member.unconsumed_tail or (b"" if member.eof else file.read(PIECE))
            behind = member.unused_data or file.read(1)
            refuse(not member.eof or behind, "the certificate is cut short, or goes on behind its end")
    except (OSError, zlib.error):
        raise Unreadable("the certificate is no whole file of gzip") from None


def lines_of(path, most):
    """Yield the lines of a packed file, each of which ends [Z2]."""
    rest = b""
    for piece in unpacked(path, most):
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
    refuse(rest, "the certificate's last line does not end")


def first_line(path):
    """Return the head of a packed certificate as text [Z2]."""
    begun = b""
    for piece in unpacked(path, math.inf):
        begun += piece
        if len(begun) > MOST_HEAD or b"\n" in begun:
            break
    line, ended, _ = begun.partition(b"\n")
    refuse(not ended or len(line) > MOST_HEAD, "the certificate's first line is too long, or does not end")
    return line.decode("utf-8")


def prices_of(path, types):
    """Return the prices of a packed certificate, one a line [Z3]."""
    found = []
    for line in itertools.islice(lines_of(path, MOST_HEAD + 1 + 21 * types), 1, None):
        bad = len(found) == types or not re.fullmatch(rb"0|-?[1-9][0-9]{0,18}", line)
        refuse(bad, "the certificate: a line is no price")
        found.append(int(line))
    return numbers(found, "prices", types)


CUTS = {"C": ["instances"], "T": ["types", "instances"], "S": ["types", "pairs"], "F": ["types", "part", "full"]}
INNER = {  # the keys of an object that stands under a key, or in its list
    "trees": ["component", "instances", "cuts", "tree"], "matching": ["scale", "divisor", "rows", "prices", "sets"],
    "sets": ["rows", "price"],
}  # fmt: skip


def known_keys(place, value, known=()):
    """Refuse keys that no certificate has where they stand, and numbers with a point [F2, F3]."""
    left = [(place, value, known)]
    while left:
        place, value, known = left.pop()
        inner = [(place, one) for one in value]
        if isinstance(value, dict):
            if place == "cuts":
                kind = value.get("kind")
                known = ["kind", *CUTS.get(kind if isinstance(kind, str) else "", ())]
            elif place in ("tree", "closed", "open"):
                known = ["instance", "closed", "open"] if "instance" in value else ["prices", "weights"]
            refuse(not set(value) <= set(known), "the certificate has a key that no certificate has there")
            inner = list(value.items())
        refuse(any(isinstance(one, float) for _, one in inner), "the certificate: a number has a point or an exponent")
        left += [(place, one, INNER.get(place, ())) for place, one in inner if isinstance(one, (list, dict))]


def whole(source, name, least=None, below=LIMIT):
    """Return a whole number of an object, below a size."""
    value = source.get(name)
    good = type(value) is int and (-below if least is None else least - 1) < value < below
    refuse(not good, f"the certificate: {name} is no whole number, or out of its range")
    return value


def entries(source, name, kind=list):
    """Return a list (or an object) of an object."""
    refuse(not isinstance(source.get(name), kind), f"the certificate: {name} is missing, or of another type")
    return source[name]


def numbers(value, name, length=None, below=LIMIT):
    """Return a list of whole numbers below a size."""
    good = isinstance(value, list) and length in (None, len(value))
    good = good and all(type(x) is int and -below < x < below for x in value)
    refuse(not good, f"the certificate: {name} is no list of whole numbers, or of another length")
    return value


def pairs_of(source, name, length=2):
    """Yield short lists of whole numbers, of whatever size."""
    for one in entries(source, name):
        yield numbers(one, name, length, math.inf)


def too_large(number):
    """Refuse numbers that a checker with 64 bits could not add up [F5]."""
    refuse(number >= LIMIT, "the certificate's numbers are too large to be added up")


# ------------------------------------------------------------------------------ row types, instances, prices [T, I, P]

Instance = namedtuple("Instance", "vector types need cost")  # [I1] the cost of a row is in parts


def allowed_vectors(mask, heights):
    """Return the allowed level vectors in lexicographic order, as the keys of a dictionary [T7]."""
    refuse(math.prod(h + 1 for h in heights) > MOST_VECTORS, "there are too many level vectors to recount")
    return dict.fromkeys(filter(mask.allows, itertools.product(*(range(h + 1) for h in heights))))


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
        self.facts = {"rows": self.rows, "row_types": self.t, "k": k, "outliers": outliers, "scale": scale}

    def listed(self):
        """List the allowed level vectors; return that of stars alone if it needs no crowd [I5]."""
        self.vectors = allowed_vectors(self.mask, self.heights)
        return self.heights if self.outliers == "suppress" and self.heights in self.vectors else None

    def size(self, types):
        """Return the rows of some row types."""
        return sum(self.counts[i] for i in types)

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


# ----------------------------------------------------------------------------------- trees and cuts [B1-B4] and [C1-C4]


def named(name, m=None):
    """Return the level vector and the row type by which a certificate names an instance [I6]."""
    good = isinstance(name, list) and name and all(type(x) is int for x in name) and m in (None, len(name) - 1)
    refuse(not good, "the certificate: an instance is not named by its levels and a row type")
    return tuple(name[:-1]), name[-1]


def listed_at(place, names):
    """Return the instance that a tree lists at a place."""
    refuse(type(place) is not int or not 0 <= place < len(names), "the certificate: an instance that no tree lists")
    return names[place]


def tree_value(node, names, leaf, state, depth=0):
    """Return what a node of a tree is worth: what `leaf` says of a leaf, of others the lesser side [B2]."""
    refuse(not isinstance(node, dict) or depth > 400, "the certificate: a tree's node is no object, or too deep")
    if "instance" not in node:
        return leaf(node, state)
    g = listed_at(node["instance"], names)
    refuse(g in state, "the certificate: a tree branches twice on an instance")
    ways = {"closed": -1, "open": 1}
    return min([tree_value(node.get(way), names, leaf, state | {g: ways[way]}, depth + 1) for way in ways])


class Component:
    """The row types and instances of one component, its tree and its cuts."""

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


# -------------------------------------------------------------------------------------- matching with odd sets [M1-M6]

MOST = 1 << 58  # [M1] no price, nor the sum of the sets' prices, reaches it


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

    meets, codes = [], [[p.codes[i][j] for i in everyone] for j in range(len(p.heights))]
    for column in p.levels:  # what a row of two values costs at the level where they meet, before the mask
        size = range(len(column[0][0]))
        meets.append([[next(cost[u] for up, cost in column if up[u] == up[v]) for v in size] for u in size])
    for a in range(len(who)):  # [M5] all pairs with a priced row
        costs = [0] * (len(everyone) - a - 1)
        for j, column in enumerate(codes):
            table = meets[j][column[a]]
            costs = [x + table[c] for x, c in zip(costs, column[a + 1 :], strict=True)]
        for b, (cost, price) in enumerate(zip(costs, prices[a + 1 :], strict=True), a + 1):
            if 2 * scale * (cost // divisor) - price < prices[a]:
                asked = prices[a] + prices[b] - 2 * sum(z[s] for s in of_row[a] & of_row[b])
                refute(too_cheap((everyone[a], everyone[b]), asked))
    for rows in sets:  # [M6] of triples those inside a set: the others follow from pairs
        for three in itertools.combinations(rows, 3):
            times = Counter(s for row in three for s in of_row[row])
            asked = sum(y[row] for row in three) + sum(z[s] for s, number in times.items() if number % 2)
            refute(asked > 0 and too_cheap(tuple(who[row] for row in three), asked))
    return -(-(sum(y) + sum(z)) // scale) * divisor  # [M2]


# ----------------------------------------------------------------------- version 2: classes under requirements [V1-V9]

MUS = (Fraction(0), Fraction(1, 4), Fraction(1, 2), *(Fraction(1 << m) for m in range(6)))
FINEST = 1 << 60  # [V5] a share's denominator is no larger; it is rounded up
NONE = -math.inf  # what no class at all gains


def ln_between(number):
    """Return two fractions around the logarithm of a fraction above 0 other than 1, 40 digits or so apart."""
    with digits_of(40):
        terms = [decimal.Decimal(number.numerator).ln(), -decimal.Decimal(number.denominator).ln()]
        total, error = Fraction(sum(terms)), sum(Fraction(abs(term)) for term in terms) * 4 / Fraction(10) ** 39
    return total - error, total + error


def floor_of_ln(times, number):
    """Return the whole part of times * ln(number), in ever more digits."""
    if times == 0 or number == 1:
        return 0
    guess = math.floor(times * ln_between(number)[0])
    powers = [(number.numerator, times), (number.denominator, -times)]
    while logarithm_sign(powers, Fraction(guess + 1)) > 0:
        guess += 1
    return guess


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


# ------------------------------------------------------------------------- one recoding for the whole table [U1-U5]

MOST_STEPS = 1 << 36  # types looked at, over all stands of the walk


def proven_by_walk(p, certificate):
    """Return the bound of one recoding for the whole table, scaled: the lattice is walked again."""
    levels = tuple(numbers(certificate.get("levels"), "levels", len(p.heights)))
    claimed, walk = whole(certificate, "suppressed_rows", 0), Walk(p)
    known = all(0 <= level <= top for level, top in zip(levels, p.heights, strict=True)) and p.mask.allows(levels)
    own = walk.release(levels) if known else None
    suppressed, low, high = p.of_release or (claimed, levels, levels)
    shown = all(a <= level <= b for a, level, b in zip(low, levels, high, strict=True))
    refute(own is None or own[0] != certificate["cost"] or not shown, "levels")  # [U5]
    refute(own[1] != claimed or suppressed != claimed, "suppressed_rows")
    return walk.least(certificate["lower_bound"])


class Walk:
    """The lattice of level vectors, column by column; the columns to come are at their top so far."""

    def __init__(self, p):
        self.p, self.steps, self.best = p, 0, None
        self.full = sum(max(column[-1][1]) for column in p.levels)
        self.starred = p.mask.allows(p.heights)

    def release(self, vector):
        """Return the scaled cost and the suppressed rows of a vector's release; None if it has none [U1]."""
        groups = [list(range(self.p.t))]
        for j, level in enumerate(vector):
            groups = self.finer(groups, j, level)
        return self.judged(vector, groups)

    def least(self, bound):
        """Return the least cost of a release under one vector, or the bound if that is not more [U4]."""
        self.best, everything = bound, [list(range(self.p.t))]
        if self.starred:
            self.stand(self.p.heights, everything)
        self.walk((), everything)
        return self.best

    def walk(self, begun, groups):
        """Look at all vectors that begin with some levels."""
        p, j = self.p, len(begun)
        if j == len(p.heights):
            if begun != p.heights and p.mask.allows(begun):
                self.stand(begun, groups)
            return
        for level in range(p.heights[j] + 1):
            here = (*begun, level)
            if p.mask.raised((*here, *[0] * (len(p.heights) - j - 1))) is None:  # [M4]
                continue
            now = self.finer(groups, j, level)
            out = p.rows - sum(map(p.size, now))
            if out and (not self.starred or out > p.facts["most_suppressed"]):
                continue
            if self.paid(here, now) + out * self.full < self.best:
                self.walk(here, now)

    def finer(self, groups, j, level):
        """Return the classes of k rows or more when one more column is told at a level [U3]."""
        self.steps += sum(map(len, groups))
        refuse(self.steps > MOST_STEPS, "the lattice is too large to be walked")
        if level == self.p.heights[j]:
            return groups
        nodes = self.p.nodes[j][level]
        parts = (part for group in groups for part in grouped(group, nodes.__getitem__).values())
        return [part for part in parts if self.p.size(part) >= self.p.k]

    def paid(self, levels, groups):
        """Return what the rows of some classes cost in the first columns; a column of one class costs one amount."""
        total, counts = 0, self.p.counts
        for paid in (self.p.paid[j][level] for j, level in enumerate(levels)):
            total += sum(paid[i] * counts[i] for group in groups for i in group)
        return total

    def stand(self, vector, groups):
        """Compare a vector's release with the best so far."""
        found = self.judged(vector, groups)
        self.best = self.best if found is None else min(self.best, found[0])

    def judged(self, vector, groups):
        """Return cost and suppressed rows of the release that shows some classes, but those that fail a model [U2]."""
        p, starred = self.p, vector == self.p.heights and any(self.p.heights)
        good = [group for group in groups if self.met(group)]
        if starred and len(good) < len(groups):
            return None
        out = p.rows - sum(map(p.size, good))
        suppressed = p.rows if starred else out
        if suppressed > p.facts["most_suppressed"] or (out and not self.starred):
            return None
        if 0 < out < p.k and p.outliers == "forbid":
            return None
        if out and p.asked:
            shown = {i for group in good for i in group}
            if not self.met([i for i in range(p.t) if i not in shown]):
                return None
        return self.paid(vector, good) + out * self.full, suppressed

    def met(self, group):
        """Return whether a class meets every model."""
        counted = Counter()
        for i in group if self.p.asked else ():
            counted[self.p.kinds[self.p.kind[i]]] += self.p.counts[i]
        return all(asked.met(counted) for asked in self.p.asked)


# ------------------------------------------------------------------------------------------- ranges on a grid [G1-G5]

RANGES, MOST_GRIDS, MOST_SUM, MOST_KINDS = "incrowd ranges bound", 1000, 2**60, 2**20  # [G1, G4, G5]


def steps_of(certificate):
    """Return the steps that a certificate of ranges says, one for every ranged column [G1]."""
    (_, version), found = kind_of(certificate), []
    said = entries(certificate, "steps") if version > 1 else [certificate.get("step")]
    refuse(not 0 < len(said) <= MOST_GRIDS, "the certificate: steps are none, or too many")
    for one in said:
        a, b = numbers(one, "step", 2)
        refuse(a < 1 or b < 1, "the certificate: step is no pair of whole numbers above 0")
        found.append(Fraction(a, b))
    return found


def unlike_grids(p, certificate):
    """Return which of a certificate's ranged columns and steps are not those of the table and the policy [G1]."""
    one = kind_of(certificate)[1] == 1
    said = [whole(certificate, "column")] if one else numbers(certificate.get("columns"), "columns", len(p.grids))
    refuse(one != (len(p.grids) == 1), "the certificate: its version is for another number of ranged columns")
    wrong = [] if said == [j for j, *_ in p.grids] else ["column" if one else "columns"]
    same = steps_of(certificate) == [step for _, step, *_ in p.grids]
    return wrong if same else [*wrong, "step" if one else "steps"]


def proven_by_runs(p, certificate):
    """Return the bound over all runs of cells of the ranged columns, scaled [G5]."""
    parts, prices = whole(certificate, "parts", 1), numbers(certificate.get("prices"), "prices", p.t)
    ranged = [j for j, *_ in p.grids]
    others = [column for j, column in enumerate(p.levels) if j not in ranged]
    refuse(math.prod(map(len, others)) > MOST_VECTORS, "there are too many level vectors to recount")
    falls = any(a > b for column in others for (_, low), (_, high) in itertools.pairwise(column)
                for a, b in zip(low, high, strict=True))  # fmt: skip
    refuse(falls, "the costs of a column fall with its level, which a proof of ranges does not allow")
    refuse(4 * p.rows * max(*map(abs, prices), parts * p.dearest) >= MOST_SUM, "the sums are too large")
    runs = Runs(p, parts, prices)
    total = sum(map(int.__mul__, prices, p.counts)) + runs.below()
    if p.outliers == "suppress" and runs.starred:
        total += sum(n * min(0, parts * p.dearest - y) for n, y in zip(p.counts, prices, strict=True))
    step = math.gcd(*runs.ends(), *(c for column in others for _, cost in column for c in cost))
    return rounded_up(total, parts, max(step, 1))


class Runs:
    """All counting instances of levels and runs, column by column, with what each can add below 0 [G4].

    A set of types adds nothing, and neither does any part of it, if it has fewer than k rows or costs so far what
    the dearest of its prices is, for a further column costs no less than 0.
    """

    def __init__(self, p, parts, prices):
        self.p, self.parts, self.prices, self.last = p, parts, prices, len(p.heights)
        grids = [j for j, *_ in p.grids]
        self.order = [j for j in range(self.last) if j not in grids] + grids  # the ranged columns last
        # which kinds the mask leaves: levels, and of ranged columns 0 (value), 1 (run) or 2 (all cells, the star)
        self.mask, self.tops = p.kinds_mask or (None, ())
        self.starred, self.left = not self.mask or self.mask.allows(self.tops), {}
        refuse(math.prod(top + 1 for top in self.tops) > MOST_KINDS, "there are too many level vectors under a mask")
        # by column the cell of every value; and what a run that begins, or ends, with a cell is paid from, and to
        self.cells, self.begins, self.ends_at = {}, {}, {}
        for j, step, ordered, paid, values in p.grids:
            places = [number // step for number in ordered]
            rank = {place: x for x, place in enumerate(dict.fromkeys(places))}
            self.cells[j] = [rank[value // step] for value in values]
            self.begins[j], self.ends_at[j] = [0] * len(rank), [0] * len(rank)
            for place, cost in zip(reversed(places), reversed(paid), strict=True):
                self.begins[j][rank[place]] = cost
            for place, cost in zip(places, paid, strict=True):
                self.ends_at[j][rank[place]] = cost

    def ends(self):
        """Yield the numbers of which every run's cost is a difference."""
        for j in self.cells:
            yield from (*self.begins[j], *self.ends_at[j])

    def below(self):
        """Return the sum of what all instances add below 0, in parts."""
        p, cost, found = self.p, self.parts * self.p.dearest, self.add(list(range(self.p.t)), 0, 0, {})
        if self.mask and self.starred and p.outliers == "forbid":  # stars alone, whatever else these rows could show
            found += min(
                0, -filled(sorted(((y - cost, p.counts[i], i) for i, y in enumerate(self.prices)), reverse=True), p.k)
            )
        return found

    def leaves(self, kinds):
        """Return whether the mask allows something at or above some kinds that is not stars alone [G4]."""
        if kinds not in self.left:
            up = [(*kinds[:j], kinds[j] + 1, *kinds[j + 1 :]) for j, top in enumerate(self.tops) if kinds[j] < top]
            self.left[kinds] = kinds != self.tops and (self.mask.allows(kinds) or any(map(self.leaves, up)))
        return self.left[kinds]

    def add(self, some, at, base, shown):
        """Return it for the instances that show, of the columns so far, what is said, and cost so much by it."""
        p = self.p
        dearest = max(self.prices[i] for i in some)
        if base >= dearest or p.size(some) < p.k:
            return 0
        if at == self.last:
            return self.adds(some, base, shown)
        j, total = self.order[at], 0
        if j not in self.cells:
            for level, (nodes, costs) in enumerate(p.levels[j]):
                for part in grouped(some, lambda i, nodes=nodes: nodes[p.codes[i][j]]).values():
                    cost = self.parts * costs[p.codes[part[0]][j]]
                    total += self.add(part, at + 1, base + cost, shown | {j: level})
            return total
        for part in grouped(some, lambda i: p.codes[i][j]).values():
            total += self.add(part, at + 1, base, shown | {j: None})
        cells, begins, ends_at = grouped(some, lambda i: self.cells[j][p.codes[i][j]]), self.begins[j], self.ends_at[j]
        for first in sorted(cells):
            inside = []
            for last in sorted(cell for cell in cells if cell >= first):
                inside += cells[last]
                cost = base + self.parts * (ends_at[last] - begins[first])
                if cost >= dearest:
                    break
                total += self.add(list(inside), at + 1, cost, shown | {j: (first, last)})
        return total

    def adds(self, some, cost, shown):
        """Return what one instance adds: min(0, r), and 0 if it does not count."""
        p = self.p
        value = -filled(sorted(((self.prices[i] - cost, p.counts[i], i) for i in some), reverse=True), p.k)
        return value if value < 0 and self.counts(some, shown) else 0

    def counts(self, some, shown):
        """Return whether an instance counts: nothing narrower or lower holds the same types."""
        p, everything, kinds = self.p, self.p.outliers == "suppress", [0] * self.last
        for j, how in shown.items():
            values = {p.codes[i][j] for i in some}
            if j not in self.cells:
                everything, kinds[j] = everything and how == p.heights[j], how
                if how and len({p.levels[j][how - 1][0][value] for value in values}) == 1:
                    return False
                continue
            whole = how == (0, len(self.begins[j]) - 1)
            everything, kinds[j] = everything and whole, 2 if whole else 1 if how else 0
            if how and (len(values) < 2 or not {*how} <= {self.cells[j][value] for value in values}):
                return False
        return not everything and (not self.mask or self.leaves(tuple(kinds)))


# ----------------------------------------------------------------------------------------------------- the head [H1-H6]

HEAD = [
    "certificate", "version", "for", "rows", "row_types", "k", "outliers", "scale", "cost", "lower_bound",
    "lower_bound_checked", "proof",
]  # fmt: skip
KINDS = {  # name and version: what recounts the bound, and the keys beside the head's
    ("incrowd k-anonymity bound", 1): (proven_by_prices, ["parts", "prices", "components", "trees"]),
    ("incrowd k-anonymity bound", 2): (
        lambda p, certificate: Required(p, certificate).value(),
        ["requirements", "parts", "prices", "whole_below", "multipliers", "trees"],
    ),
    ("incrowd 2-anonymity bound", 1): (proven_by_matching, ["diverse", "matching"]),
    ("incrowd single recoding bound", 1): (
        proven_by_walk,
        ["requirements", "most_suppressed", "levels", "suppressed_rows"],
    ),
    ("incrowd k-anonymity bound", 3): (proven_by_prices, ["parts"]),  # [Z4]
    (RANGES, 1): (proven_by_runs, ["column", "step", "parts", "prices"]),
    (RANGES, 2): (proven_by_runs, ["columns", "steps", "parts", "prices"]),
}


def kind_of(certificate):
    """Return a certificate's name and version [H1]."""
    name = certificate.get("certificate")
    kind = (name if isinstance(name, str) else None, whole(certificate, "version"))
    refuse(kind not in KINDS, "the certificate is of a kind or version that is not known here")
    return kind


class Verdict:
    """What a certificate's claims come to: cost, bound (scaled), proven, and the claims that are wrong."""

    def __init__(self, problem, certificate, cost, packed=None):
        """Read the head, and recount the bound once the head is right; `packed` is a file of lines."""
        wrong, value, kind = [], 0, kind_of(certificate)
        prove, beside = KINDS[kind]
        refuse((packed is None) == (kind[1] == 3), "a certificate of version 3 is packed, and no other is")
        if packed:
            for _ in lines_of(packed, MOST_HEAD + 1 + 21 * problem.t):  # [Z1, Z2] before any claim
                pass
        known_keys("", certificate, [*HEAD, *beside])
        good = isinstance(certificate.get("for", ""), str) and isinstance(certificate.get("diverse", False), bool)
        refuse(not good, "the certificate: for is no text, or diverse neither true nor false")
        for key, fact in problem.facts.items():
            said = whole(certificate, key, below=2**63) if type(fact) is int else certificate.get(key)
            refuse(isinstance(fact, list) and not isinstance(said, list), "the certificate: requirements is no list")
            wrong += [key] * (said != fact)  # [H2]
        claimed, bound, checked = (whole(certificate, key) for key in ("cost", "lower_bound", "lower_bound_checked"))
        proof = certificate.get("proof")
        refuse(proof not in ("certificate", "solver"), "the certificate: proof is neither 'certificate' nor 'solver'")
        wrong += unlike_grids(problem, certificate) if problem.grids else []
        wrong += ["cost"] * (cost is not None and cost != claimed)  # [H3]
        wrong += ["lower_bound"] * (not checked <= bound <= claimed)  # [H4]
        if not wrong:
            if packed:
                certificate = certificate | {"prices": prices_of(packed, problem.t), "trees": []}
            try:
                value = max(prove(problem, certificate), 0)
            except Refuted as error:
                wrong.append(str(error))
        if not wrong and (checked > value or (proof == "certificate" and bound > value)):  # [H5, H6]
            wrong.append("lower_bound_checked" if checked > value else "lower_bound")
        self.cost, self.bound = claimed if cost is None else cost, min(value, claimed)
        self.proven, self.wrong = not wrong and value >= bound, [f"certificate: {name}" for name in wrong]
