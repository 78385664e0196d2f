"""The proofs of a certificate recounted, with Python's standard library alone: what `incrowd_check.py` asks.

Written from the page `docs/certificate.md`; the numbers in brackets, [P1] for example, are its rules. The file reads
from the top: how a certificate is read, its head, row types and instances and prices, components with their trees and
cuts, matching with odd sets, and classes under requirements. Numbers are Python's integers and fractions, so nothing
is rounded or wraps around; where other checkers with 64 bits would refuse a file, this one refuses it too.
"""

from __future__ import annotations

import decimal
import itertools
import json
import math
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

LIMIT = 2**61  # [F4] no number of a certificate reaches it
MOST_VECTORS = 1 << 22  # [T7]
MOST_MEMBERS = 1 << 26  # [I4]


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


def logarithm_sign(powers, constant=Fraction(0)):
    """Return the sign of sum(times * ln(base)) - constant, known not to be 0: digits are added until they tell."""
    digits = 40
    while True:
        with decimal.localcontext() as context:
            context.prec, context.Emax, context.Emin = digits, decimal.MAX_EMAX, decimal.MIN_EMIN
            terms = [decimal.Decimal(base).ln() * times for base, times in powers]
            terms.append(-decimal.Decimal(constant.numerator) / decimal.Decimal(constant.denominator))
            total = sum(terms, decimal.Decimal(0))
            # Decimal's ln is correctly rounded: every operation is off by at most one unit in its last digit
            error = sum(map(abs, terms), decimal.Decimal(0)).scaleb(1 - digits) * (len(terms) + 4)
            if abs(total) > error:
                return 1 if total > 0 else -1
        digits *= 2


# ---------------------------------------------------------------------------------------- reading a certificate [F1-F5]


def read_certificate(path):
    """Return the object in a certificate's file: JSON, no name twice in an object, no NaN and no infinity."""

    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a name stands twice")
        return dict(pairs)

    def never(name):
        raise ValueError(name)

    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"), object_pairs_hook=once, parse_constant=never)
    except (OSError, ValueError, RecursionError):
        raise Unreadable("the certificate cannot be read as JSON, each name once in its object") from None
    refuse(not isinstance(found, dict), "the certificate is no object")
    return found


HEAD = [
    "certificate", "version", "for", "rows", "row_types", "k", "outliers", "scale", "cost", "lower_bound",
    "lower_bound_checked", "proof",
]  # fmt: skip
CUTS = {"C": ["instances"], "T": ["types", "instances"], "S": ["types", "pairs"], "F": ["types", "part", "full"]}
INNER = {  # of an object that stands under a key, or in its list
    "trees": ["component", "instances", "cuts", "tree"], "matching": ["scale", "divisor", "rows", "prices", "sets"],
    "sets": ["rows", "price"],
}  # fmt: skip


def known_keys(place, value, top):
    """Refuse keys that no certificate has where they stand, and numbers with a point [F2, F3]."""
    left = [(place, value)]
    while left:
        place, value = left.pop()
        inner = [(place, one) for one in value]
        if isinstance(value, dict):
            kind = value.get("kind")
            known = INNER.get(place, ()) if place else top
            if place == "cuts":
                known = ["kind", *CUTS.get(kind if isinstance(kind, str) else "", ())]
            elif place in ("tree", "closed", "open"):
                known = ["instance", "closed", "open"] if "instance" in value else ["prices", "weights"]
            refuse(not set(value) <= set(known), "the certificate has a key that no certificate has there")
            inner = list(value.items())
        refuse(any(isinstance(one, float) for _, one in inner), "the certificate: a number has a point or an exponent")
        left += [(place, one) for place, one in inner if isinstance(one, (list, dict))]


def whole(source, name, least=None, below=LIMIT):
    """Return a whole number of an object, below a size."""
    value = source.get(name)
    good = type(value) is int and -below < value < below and (least is None or value >= least)
    refuse(not good, f"the certificate: {name} is no whole number, or out of its range")
    return value


def entries(source, name):
    """Return a list of an object."""
    refuse(not isinstance(source.get(name), list), f"the certificate: {name} is no list")
    return source[name]


def numbers(value, name, length=None, below=LIMIT):
    """Return a list of whole numbers below a size."""
    good = isinstance(value, list) and (length is None or len(value) == length)
    good = good and all(type(x) is int and -below < x < below for x in value)
    refuse(not good, f"the certificate: {name} is no list of whole numbers, or of another length")
    return value


def pairs_of(source, name, length=2):
    """Yield short lists of whole numbers, of whatever size."""
    for one in entries(source, name):
        yield numbers(one, name, length, math.inf)


class Verdict:
    """What a certificate's claims come to: cost, bound (scaled), proven, and the claims that are wrong."""

    def __init__(self, problem, certificate, cost):
        """Read the head, and recount the bound once the head is right [H1-H6]."""
        wrong, value, (_, prove, beside) = [], 0, kind_of(certificate)
        known_keys("", certificate, [*HEAD, *beside])
        good = isinstance(certificate.get("for", ""), str) and isinstance(certificate.get("diverse", False), bool)
        refuse(not good, "the certificate: for is no text, or diverse neither true nor false")
        for key, fact in problem.facts.items():
            said = certificate.get(key) if isinstance(fact, (str, list)) else whole(certificate, key, below=2**63)
            if key == "requirements":
                entries(certificate, key)
            if said != fact:
                wrong.append(key)
        claimed, bound, checked = (whole(certificate, key) for key in ("cost", "lower_bound", "lower_bound_checked"))
        proof = certificate.get("proof")
        refuse(proof not in ("certificate", "solver"), "the certificate: proof is neither 'certificate' nor 'solver'")
        wrong += ["cost"] * (cost is not None and cost != claimed)
        wrong += ["lower_bound"] * (not checked <= bound <= claimed)
        if not wrong:
            try:
                value = max(prove(problem, certificate), 0)
            except Refuted as error:
                wrong.append(str(error))
        if not wrong and (checked > value or (proof == "certificate" and bound > value)):
            wrong.append("lower_bound_checked" if checked > value else "lower_bound")
        self.cost, self.bound = claimed if cost is None else cost, min(value, claimed)
        self.proven, self.wrong = not wrong and value >= bound, [f"certificate: {name}" for name in wrong]


# ------------------------------------------------------------------------------ row types, instances, prices [T, I, P]


def kind_of(certificate):
    """Return a certificate's name and version, what recounts its bound, and its keys beside the head [H1]."""
    kinds = {
        ("incrowd k-anonymity bound", 1): (proven_by_prices, ["parts", "prices", "components", "trees"]),
        ("incrowd k-anonymity bound", 2):
            (proven_under_requirements, ["requirements", "parts", "prices", "whole_below", "multipliers", "trees"]),
        ("incrowd 2-anonymity bound", 1): (proven_by_matching, ["diverse", "matching"]),
    }  # fmt: skip
    name = certificate.get("certificate")
    kind = (name if isinstance(name, str) else None, whole(certificate, "version"))
    refuse(kind not in kinds, "the certificate is of a kind or version that is not known here")
    return kind, *kinds[kind]


class Problem:
    """Row types with counts, levels with whole costs, the mask: what a certificate is about [T1-T7].

    `levels` holds per column and level two lists over the column's values: the node shown, and its scaled cost.
    """

    def __init__(self, codes, counts, levels, mask, k, outliers, scale):
        self.codes, self.counts, self.t, self.k, self.outliers = codes, counts, len(codes), k, outliers
        self.heights = tuple(len(column) - 1 for column in levels)
        self.mask, self.levels = mask, levels
        self.nodes, self.paid = (
            [[[level[side][code[j]] for code in codes] for level in column] for j, column in enumerate(levels)]
            for side in (0, 1)
        )
        self.uniform = all(len(set(cost)) == 1 for column in levels for _, cost in column)
        self.step = max(math.gcd(*(c for column in levels for _, cost in column for c in cost)), 1)  # [T5]
        self.dearest = sum(max(max(cost) for _, cost in column) for column in levels)
        self.rows = sum(counts)
        self.facts = {"rows": self.rows, "row_types": self.t, "k": k, "outliers": outliers, "scale": scale}
        self.vectors, self.number = [], {}

    def listed(self):
        """List the allowed level vectors, in lexicographic order [T7]."""
        refuse(math.prod(h + 1 for h in self.heights) > MOST_VECTORS, "there are too many level vectors to recount")
        every = itertools.product(*(range(h + 1) for h in self.heights))
        self.vectors = [vector for vector in every if self.mask.allows(vector)]
        self.number = {vector: v for v, vector in enumerate(self.vectors)}

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

    def extent(self, vector, one):
        """Return the row types that show at some levels what one shows."""
        shown = self.shows(vector, one)
        return [i for i in range(self.t) if self.shows(vector, i) == shown]

    def instances(self, prices, parts, *, need, skip=None, everything=False):
        """Yield (vector, row types) of the instances that matter [I1-I3], of `need` rows at least.

        Without `everything` only those that may add something below 0 at the prices.
        """
        zero = [0] * self.t
        stack = [[zero, zero if not self.uniform else None]]  # keys (and costs) over the first columns
        before, dear, first_above = (), max(prices), {}
        size = [len(column[0][0]) for column in self.levels]
        width = [math.prod(size[:j]) for j in range(len(size))]
        for vector in self.vectors:
            same = next((j for j, (a, b) in enumerate(zip(vector, before, strict=False)) if a != b), len(before))
            del stack[same + 1 :]
            for j in range(same, len(vector)):
                keys, costs = stack[-1]
                nodes, w = self.nodes[j][vector[j]], width[j]
                keys = keys if vector[j] == self.heights[j] else [a + w * b for a, b in zip(keys, nodes, strict=True)]
                if costs is not None:
                    costs = [a + b for a, b in zip(costs, self.paid[j][vector[j]], strict=True)]
                stack.append([keys, costs])
            before = vector
            if vector == skip:
                continue
            keys, costs = stack[-1]
            flat = self.cost(vector, 0)
            if not everything:
                if costs is None and parts * flat >= dear:
                    continue
                opens = (
                    {key for key, price in zip(keys, prices, strict=True) if price > parts * flat} if costs is None
                    else {key for key, price, c in zip(keys, prices, costs, strict=True) if price > parts * c}
                )  # fmt: skip
            groups = defaultdict(list)
            for i, key in enumerate(keys):
                if everything or key in opens:
                    groups[key].append(i)
            for members in groups.values():
                if sum(self.counts[i] for i in members) < need:
                    continue
                cost = parts * (flat if costs is None else costs[members[0]])
                if not everything and adds(members, self.counts, cost, need, prices) >= 0:
                    continue
                if self.first(vector, members, first_above):
                    yield vector, members

    def first(self, vector, members, known):
        """Return whether no earlier vector by (cost, stars, order) shows these row types alike [I3]."""
        joint = self.meet(members)
        if joint == vector:
            return True
        if joint in self.number:
            return False
        come = known.get(joint)
        if come is None or not self.uniform:
            above = (v for v in self.vectors if all(a >= b for a, b in zip(v, joint, strict=True)))
            stars = self.heights
            come = known[joint] = min(
                above, key=lambda v: (self.cost(v, members[0]), sum(map(int.__eq__, v, stars)), v)
            )  # fmt: skip
        return come == vector


def adds(members, counts, cost, need, prices, extra=None, fixed=0, state=0):
    """Return the least that an instance can add to a release's cost less its prices, in parts [P2].

    At most 0 unless it is open (state 1), and 0 where it is closed (-1). `cost` is in parts, `extra` per row type.
    """
    if state < 0:
        return 0
    gains = ((prices[i] - cost - (extra.get(i, 0) if extra else 0), counts[i], i) for i in members)
    value = fixed - filled(sorted(gains, reverse=True), need)
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


def too_large(number):
    """Refuse numbers that a checker with 64 bits could not add up [F5]."""
    refuse(number >= LIMIT, "the certificate's numbers are too large to be added up")


def proven_by_prices(p, certificate):
    """Return the bound of a certificate of version 1, scaled: by prices [P1], components, trees and cuts."""
    parts = whole(certificate, "parts", least=1)
    prices = numbers(certificate.get("prices"), "prices", p.t)
    label = certificate.get("components")
    if label is not None:
        label = numbers(label, "components", p.t)
        if sorted(set(label)) != list(range(len(set(label)))):
            raise Unreadable("the certificate: components are not numbered from 0 on")
    trees = entries(certificate, "trees")
    p.listed()
    largest = max(*map(abs, prices), parts * p.dearest)
    too_large(p.rows * largest * 2)  # [P4]
    top = p.heights if p.outliers == "suppress" and p.heights in p.number else None  # [I5] stars alone need no crowd
    found = [(v, members, p.k) for v, members in
             p.instances(prices, parts, need=p.k, skip=top, everything=label is not None)]  # fmt: skip
    members = sum(len(some) for _, some, _ in found)
    refuse(members > MOST_MEMBERS, "the table has too many instances to recount")
    too_large((sum(p.counts[i] for _, some, _ in found for i in some) + p.rows) * largest * 2)
    if top is not None:
        found.append((top, list(range(p.t)), 0))
    if label is None:
        value = sum(map(int.__mul__, prices, p.counts))
        value += sum(adds(some, p.counts, parts * p.cost(v, some[0]), need, prices) for v, some, need in found)
        if trees:
            value = max(value, lattice_cuts(p, trees, found, top, parts, prices))
        return rounded_up(value, parts, p.step)
    covering = [g for g, (_, some, _) in enumerate(found) if len(some) == p.t]
    if covering:  # [K2] the last instance of all row types is the hub, which is taken to need no rows
        found[covering[-1]] = (*found[covering[-1]][:2], 0)
    refute(any(need and len({label[i] for i in some}) > 1 for _, some, need in found))  # [K1]
    values, inside = [0] * (max(label) + 1), [[] for _ in range(max(label) + 1)]
    for i, price in enumerate(prices):
        values[label[i]] += price * p.counts[i]
    for v, some, need in found:
        apart = defaultdict(list)
        for i in some:
            apart[label[i]].append(i)
        for c, own in apart.items():
            values[c] += adds(own, p.counts, parts * p.cost(v, own[0]), need, prices)
            inside[c].append((v, own, need))
    seen = set()
    for tree in trees:
        refuse(not isinstance(tree, dict), "the certificate: a tree is no object")
        c = whole(tree, "component")
        refuse(not 0 <= c < len(values) or c in seen, "the certificate: a tree of no or of a known component")
        seen.add(c)
        types = [i for i in range(p.t) if label[i] == c]
        values[c] = max(values[c], Component(p, types, inside[c], parts, prices).value(tree))
    return sum(rounded_up(value, parts, p.step) for value in values)  # [K3]


def lattice_cuts(p, trees, found, top, parts, prices):
    """Return what one leaf of cuts proves without components, in parts [L1-L3]."""
    tree = trees[0]
    component = tree.get("component") if isinstance(tree, dict) else None
    if len(trees) != 1 or type(component) is not int or component != 0:
        raise Unreadable("the certificate: without components there is one tree at most, of component 0")
    leaf = tree.get("tree")
    if not isinstance(leaf, dict) or "instance" in leaf or leaf.get("prices") != []:
        raise Unreadable("the certificate: without components the tree is one leaf that moves no price")
    have = {(v, some[0]) for v, some, _ in found}
    for name in entries(tree, "instances"):
        vector, one = named(p, name, at_least_one=True)
        refute(vector not in p.number or vector == top or not 0 <= one < p.t)
        extent = p.extent(vector, one)
        if (vector, extent[0]) not in have:
            have.add((vector, extent[0]))
            found = [*found, (vector, extent, p.k)]
    return Component(p, list(range(p.t)), found, parts, prices).value(tree)


def named(p, name, *, at_least_one=False):
    """Return the level vector and the row type by which a certificate names an instance [I6]."""
    good = isinstance(name, list) and name and all(type(x) is int for x in name)
    if not good or (not at_least_one and len(name) != len(p.heights) + 1):
        raise Unreadable("the certificate: an instance is not named by its levels and a row type")
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
    sides = (("closed", -1), ("open", 1))
    return min([tree_value(node.get(side), names, leaf, state | {g: mark}, depth + 1) for side, mark in sides])


class Component:
    """The row types and instances of one component, its tree and its cuts [B1-B4, C1-C4]."""

    def __init__(self, p, types, found, parts, prices):
        self.p, self.types, self.found, self.k = p, types, found, p.k
        self.own, self.prices = set(types), {i: prices[i] for i in types}
        self.costs = [parts * p.cost(v, some[0]) for v, some, _ in found]
        self.by_name = {(v, p.shows(v, some[0])): g for g, (v, some, need) in enumerate(found) if need > 0}

    def value(self, tree):
        """Return what the tree proves, in parts."""
        self.names = [self.instance(name) for name in entries(tree, "instances")]
        self.cuts = [self.cut(cut) for cut in entries(tree, "cuts")]
        return tree_value(tree.get("tree"), self.names, self.leaf, {})

    def instance(self, name):
        """Return the number of an instance that is named."""
        vector, one = named(self.p, name)
        refute(one not in self.own or any(not 0 <= x <= h for x, h in zip(vector, self.p.heights, strict=True)))
        g = self.by_name.get((vector, self.p.shows(vector, one)))
        refute(g is None)
        return g

    def chosen(self, cut, name="instances"):
        """Return the instances of a cut, each once."""
        found = [listed_at(value, self.names) for value in entries(cut, name)]
        refuse(len(set(found)) < len(found), "the certificate: a cut names an instance twice")
        return found

    def listed(self, cut):
        """Return the row types of a cut, each once."""
        found = entries(cut, "types")
        if not all(type(i) is int and i in self.own for i in found) or len(set(found)) < len(found):
            raise Unreadable("the certificate: a cut names a row type twice, or one outside its component")
        return found

    def cut(self, cut):
        """Return (divisor, right side, coefficient by instance, coefficient by instance and row type)."""
        kind = cut.get("kind") if isinstance(cut, dict) else None
        counts, k, found = self.p.counts, self.k, self.found
        if kind == "C":  # [C1] no two of the instances have 2 k rows together: at most one is open
            chosen = self.chosen(cut)
            for g, h in itertools.combinations(chosen, 2):
                refute(sum(counts[i] for i in {*found[g][1], *found[h][1]}) >= 2 * k)
            return 1, 1, dict.fromkeys(chosen, 1), {}
        if kind == "T":  # [C2]
            types = self.listed(cut)
            rows = sum(counts[i] for i in types)
            refute(rows % k == 0)
            chosen, inside = self.chosen(cut), set(types)
            pairs = {(g, i): -1 for g in chosen for i in found[g][1] if i not in inside}
            return k - rows % k, rows // k, dict.fromkeys(chosen, 1), pairs
        if kind == "S":  # [C3]
            types, opens, pairs = self.listed(cut), {}, {}
            refute(len(types) != 3 or any(counts[i] != 1 for i in types))
            for place, a, b in pairs_of(cut, "pairs", 3):
                g = listed_at(place, self.names)
                refute(a == b or not {a, b} <= set(types) or g in opens or not {a, b} <= set(found[g][1]))
                opens[g] = -1
                pairs |= {(g, a): 1, (g, b): 1}
            return 1, 1, opens, pairs
        if kind == "F":  # [C4]
            inside = set(self.listed(cut))
            part, full = self.chosen(cut, "part"), self.chosen(cut, "full")
            left = sum(counts[i] for i in inside) - k * len(full)
            refute(left < 0 or set(part) & set(full) or any(found[g][2] != k for g in part + full))
            over = sum(max(sum(counts[i] for i in found[g][1] if i in inside) - left, 0) for g in part)
            weight = min(k, over)
            pairs = {(g, i): 1 for g in part for i in found[g][1] if i in inside}
            pairs |= {(g, i): -1 for g in full for i in found[g][1] if i not in inside}
            return 1, weight * len(full), dict.fromkeys(part, -left) | dict.fromkeys(full, weight), pairs
        raise Unreadable("the certificate: a cut is none of T, C, S, F")

    def leaf(self, leaf, state):
        """Return what prices, moved as a leaf says, and weighed cuts prove, in parts [B3, B4]."""
        moves, weights, counts = list(pairs_of(leaf, "prices")), list(pairs_of(leaf, "weights")), self.p.counts
        steepest = [max(map(abs, [1, *cut[2].values()])) for cut in self.cuts]
        weighed = sum(abs(w) * (steepest[c] if 0 <= c < len(self.cuts) else 1) for c, w in weights)
        largest = max(map(abs, self.prices.values()), default=0) + sum(abs(move) for _, move in moves)
        largest += max(self.costs, default=0) + weighed
        rows = sum(counts[i] for _, some, _ in self.found for i in some) + sum(counts[i] for i in self.types)
        too_large((largest * rows + weighed * (len(self.found) + self.k)) * 4)
        prices, extra, fixed, value = dict(self.prices), defaultdict(lambda: defaultdict(int)), defaultdict(int), 0
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
        value += sum(price * counts[i] for i, price in prices.items())
        for g, (_, some, need) in enumerate(self.found):
            value += adds(some, counts, self.costs[g], need, prices, extra.get(g), fixed[g], state.get(g, 0))
        return value


# -------------------------------------------------------------------------------------- matching with odd sets [M1-M6]

MOST = 1 << 58  # [M1] no price, nor the sum of the sets' prices, reaches it


class Cheapest:
    """The least cost that a mask leaves to a group that looks alike from some levels on [M4]."""

    def __init__(self, p):
        self.p, self.known, self.steps = p, {}, 0

    def lowest(self, vector):
        """Return the lowest allowed vectors at or above one."""
        if vector not in self.known:
            self.steps += len(vector) ** 2
            refuse(self.steps > 1 << 24, "the mask leaves too many level vectors to recount")
            p = self.p
            if p.mask.allows(vector):
                return {vector}
            low = p.mask.raised(vector)
            if low is None:
                found = {p.heights} if p.mask.allows(p.heights) else set()
            elif low != vector:
                found = self.lowest(low)
            else:
                above = [(*vector[:j], x + 1, *vector[j + 1 :]) for j, x in enumerate(vector) if x < p.heights[j]]
                every = {way for one in above for way in self.lowest(one)}
                found = {w for w in every if not any(o != w and all(map(int.__le__, o, w)) for o in every)}
            self.known[vector] = found
        return self.known[vector]

    def cost(self, rows):
        """Return what a row of a group of row types costs at least; None where the mask allows no such group."""
        return min((self.p.cost(way, rows[0]) for way in self.lowest(self.p.meet(rows))), default=None)


def proven_by_matching(p, certificate):
    """Return the bound of prices of rows and odd sets, scaled; `p.secret` holds sensitive codes per type, or None."""
    secret, counts = p.secret, p.counts
    refute(secret is None and p.k != 2, "k")
    refute(secret is not None and len(secret[0]) not in (1, 2), "diverse")
    inner = certificate.get("matching")
    refuse(not isinstance(inner, dict), "the certificate lacks the prices of rows")
    scale, divisor = (whole(inner, name, least=1, below=MOST) for name in ("scale", "divisor"))
    who = numbers(inner.get("rows"), "rows")
    y = numbers(inner.get("prices"), "prices", len(who), MOST)
    if any(not 0 <= i < p.t for i in who) or any(number > counts[i] for i, number in Counter(who).items()):
        raise Unreadable("the certificate prices rows that the table does not have")
    sets, z, of_row, lift = [], [], defaultdict(set), list(y)
    for entry in entries(inner, "sets"):
        refuse(not isinstance(entry, dict), "a set of the certificate is no object")
        rows, price = numbers(entry.get("rows"), "rows of a set"), whole(entry, "price", below=MOST)
        good = len(rows) % 2 and len(set(rows)) == len(rows) and price >= 0
        if not good or not all(0 <= row < len(who) for row in rows):
            raise Unreadable("the certificate has a set that is not odd, of unknown rows, or of a negative price")
        for row in rows:
            of_row[row].add(len(sets))
            lift[row] += price
        sets.append(sorted(rows))
        z.append(price)
    if sum(z) >= MOST or sum(len(rows) ** 3 for rows in sets) > 1 << 36:
        raise Unreadable("the certificate's sets are too dear, or too large")
    if any(c % divisor for column in p.levels for _, cost in column for c in cost):
        raise Unreadable("the certificate has a divisor that does not divide the costs")
    if scale * sum(max(max(cost) for _, cost in column) // divisor for column in p.levels) >= MOST:
        raise Unreadable("the certificate has too fine a scale")
    cheapest, free = Cheapest(p), secret is None
    if p.outliers == "suppress" and free and p.mask.allows(p.heights):  # [M3] single rows of stars alone
        full = sum(max(column[-1][1]) for column in p.levels) // divisor
        refute(any(price > scale * full for price in lift))
    listed = Counter(who)
    everyone = who + [i for i in range(p.t) if listed[i] < counts[i]]
    prices = lift + [0] * (len(everyone) - len(who))

    def too_cheap(rows, asked):
        """Return whether a group's rows cost less than its prices ask for, in all."""
        if not free and any(len({secret[i][s] for i in rows}) < len(rows) for s in range(len(secret[0]))):
            return False
        cost = cheapest.cost(rows)
        return cost is not None and len(rows) * scale * (cost // divisor) < asked

    meets, codes = [], [[p.codes[i][j] for i in everyone] for j in range(len(p.heights))]
    for column in p.levels:  # what a row of two values costs at the level where they meet, before the mask
        size = range(len(column[0][0]))
        meets.append([[next(cost[u] for up, cost in column if up[u] == up[v]) for v in size] for u in size])
    factor = 2 * scale
    for a in range(len(who)):  # [M5] all pairs with a priced row
        costs = [0] * (len(everyone) - a - 1)
        for j, column in enumerate(codes):
            table = meets[j][column[a]]
            costs = [x + table[c] for x, c in zip(costs, column[a + 1 :], strict=True)]
        for b, (cost, price) in enumerate(zip(costs, prices[a + 1 :], strict=True), a + 1):
            if factor * (cost // divisor) - price < prices[a]:
                asked = prices[a] + prices[b] - 2 * sum(z[s] for s in of_row[a] & of_row[b])
                refute(too_cheap((everyone[a], everyone[b]), asked))
    for rows in sets:  # [M6] of triples those inside a set: the others follow from pairs
        for three in itertools.combinations(rows, 3):
            held = [of_row[row] for row in three]
            odd = sum(z[s] for s in held[0] | held[1] | held[2] if sum(s in some for some in held) % 2)
            asked = sum(y[row] for row in three) + odd
            refute(asked > 0 and too_cheap(tuple(who[row] for row in three), asked))
    return -(-(sum(y) + sum(z)) // scale) * divisor  # [M2]


# ----------------------------------------------------------------------- version 2: classes under requirements [V1-V9]

MUS = (Fraction(0), Fraction(1, 4), Fraction(1, 2), *(Fraction(1 << m) for m in range(6)))
FINEST = 1 << 60  # [V5] a share's denominator is no larger; it is rounded up
NONE = -math.inf  # what no class at all gains


def ln_between(number):
    """Return two fractions around the logarithm of a fraction above 0 other than 1, 40 digits or so apart."""
    with decimal.localcontext() as context:
        context.prec, context.Emax, context.Emin = 40, decimal.MAX_EMAX, decimal.MIN_EMIN
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


class Small:
    """What a class of each instance gains at most under requirements: the rules of all of them [V4-V7]."""

    def __init__(self, p, parts, below):
        self.p, self.parts, self.below, self.n = p, parts, below, p.rows
        self.rules = [rule for one in p.asked for rule in self.rules_of(one)]
        for family, _, more, *_ in self.rules:
            for v, share in enumerate(more) if family == "shares" else ():
                more[v] = share if share.denominator <= FINEST else Fraction(math.ceil(share * FINEST), FINEST)
        self.mus = [math.floor(mu * parts * p.step) for mu in MUS]
        self.vectors = self.listed()

    @staticmethod
    def rules_of(one):
        """Yield (family, value by kind, numbers ...) of the rules of a requirement [V5]."""
        asked, n, code = one.asked, one.n, [one.code[kind] for kind in one.kinds]
        if one.form == "shares":
            limit, shares = one.model.share_limit(), []
            for total in one.totals:
                share = limit
                if "beta" in asked:
                    gain = asked["beta"]
                    if asked["enhanced"]:
                        gain = min(gain, ln_between(Fraction(n, total))[1] if total < n else Fraction(0))
                    share = Fraction(total, n) * (1 + gain)
                elif "delta" in asked:
                    with decimal.localcontext() as context:
                        context.prec, context.rounding = 40, decimal.ROUND_CEILING
                        delta = min(asked["delta"], Fraction(200))
                        most = Fraction((decimal.Decimal(delta.numerator) / delta.denominator).exp())
                    share = Fraction(total, n) * most * (1 + Fraction(1, 10**38))
                shares.append(min(share, Fraction(1)))
            yield "shares", code, shares
        elif one.form == "distinct":
            for place in one.places:
                ranks = sorted({kind[place] for kind in one.kinds}, key=by_bytes)
                yield "distinct", [ranks.index(kind[place]) for kind in one.kinds], one.least
        elif one.form == "distance":
            values = range(len(one.values))
            place = one.metric.place if one.metric.steps is not None else list(values)  # one value at one place
            gaps = [one.metric.apart(u, v) for u in values for v in values if u < v and place[u] != place[v]]
            near = min(gaps, default=Fraction(1))
            if near and asked["t"] < near:
                ranks = sorted(set(place))
                totals = [sum(c for c, at in zip(one.totals, place, strict=True) if at == x) for x in ranks]
                yield "equal", [ranks.index(place[v]) for v in code], totals, asked["t"] / near

    def listed(self):
        """Return the vectors of fewer than N0 rows that meet every requirement, where there are few at all [V6]."""
        counts, most = self.p.kind_rows, self.below - 1
        ways = [1] + [0] * most
        for count in counts:
            ways = [sum(ways[max(total - count, 0) : total + 1]) for total in range(most + 1)]
            if sum(ways) - 1 > 1 << 15:
                return None
        vectors = [{}]
        for s, count in enumerate(counts):
            vectors += [vector | {s: v} for vector in vectors
                        for v in range(1, min(count, most - sum(vector.values())) + 1)]  # fmt: skip
        return [vector for vector in vectors[1:] if all(self.may_be(one, vector) for one in self.p.asked)]

    def may_be(self, one, vector):
        """Return whether a class meets a requirement; one that is not closed under union is asked by its rules [V6]."""
        if one.model.name != "delta-disclosure":
            return one.met({self.p.kinds[s]: v for s, v in vector.items()})
        rows = Counter()
        for s, v in vector.items():
            rows[one.code[self.p.kinds[s]]] += v
        shares = next(self.rules_of(one))[2]
        return all(number <= shares[v] * rows.total() for v, number in rows.items())

    def most(self, some, cost, need, prices, state, taken):
        """Return V_g: what a class of these row types can gain at most [V3]. `taken` is y by kind, or None."""
        if state < 0:
            return 0
        p, least = self.p, NONE if state > 0 else 0
        rows = sorted(((prices[i] - cost, p.counts[i], p.kind[i]) for i in some), reverse=True)
        total = sum(number for _, number, _ in rows)
        if total < need:
            return least
        alone = filled(rows, need)
        if not state and alone <= 0:
            return 0
        many = self.many(rows, max(need, self.below), taken) if self.some_class(rows, max(need, self.below)) else NONE
        best = max(least, many)
        if best < alone:
            small = self.by_list(rows, need) if self.vectors is not None else self.by_size(rows, need, total)
            best = max(best, small)
        return min(alone, best)

    def some_class(self, rows, least):
        """Return whether a class of at least so many rows may keep every rule [V7]."""
        total = sum(number for _, number, _ in rows)
        if total < least:
            return False
        for family, code, *more in self.rules:
            held = Counter()
            for _, number, kind in rows:
                held[code[kind]] += number
            if family == "distinct" and len(held) < more[0]:
                return False
            if family == "shares":
                size = total
                while size >= least and (kept := sum(min(c, size * more[0][v] // 1) for v, c in held.items())) < size:
                    size = kept
                if size < least:
                    return False
            if family == "equal":
                totals, t = more
                if sum(min(c * self.n, totals[v] * least) for v, c in held.items()) < (1 - t) * least * self.n:
                    return False
        return True

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
        found = (
            sum(tops[s][v] for s, v in vector.items())
            for vector in self.vectors
            if sum(vector.values()) >= need and all(len(tops[s]) > v if s in tops else False for s, v in vector.items())
        )
        return max(found, default=NONE)

    def by_size(self, rows, need, total):
        """Return what classes of `need` to N0 - 1 rows gain at most, size by size [V6]."""
        best = NONE
        for size in range(need, min(self.below - 1, total) + 1):
            worst = best_of(rows, size)
            for rule in self.rules:
                if worst <= best:
                    break
                worst = min(worst, self.of_size(rows, size, *rule))
            best = max(best, worst)
        return best

    def of_size(self, rows, size, family, code, *more):
        """Return what a class of some rows gains at most by one rule [V6]."""
        if family == "shares":
            left, kept = {v: size * share // 1 for v, share in enumerate(more[0])}, []
            for gain, number, kind in rows:
                v = code[kind]
                number = min(number, left[v])
                left[v] -= number
                kept.append((gain, number, kind))
            return best_of(kept, size)
        if family == "distinct":
            found, firsts, rest = firsts_of(rows, code, *more)
            return firsts + best_of(rest, size - found) if found == more[0] <= size else NONE
        totals, t = more
        n, of_value, best = self.n, defaultdict(list), math.inf
        for gain, number, kind in rows:
            own = of_value[code[kind]]
            own += [gain] * min(number, size - len(own))
        for mu in self.mus:
            terms = [
                gain * n - mu * min(max(j * n - totals[v] * size, 0), n)
                for v, own in of_value.items() for j, gain in enumerate(own, 1)
            ]  # fmt: skip
            terms.sort(reverse=True)
            best = min(best, -(-(sum(terms[:size]) + math.ceil(mu * t * n * size)) // n))
        return best


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


def taken_by(one, given):
    """Return y by value from the numbers of a multiplier of a requirement [V8]."""
    form, size, strange = one.form, len(one.values), "a multiplier has other numbers than its requirement"
    if form == "shares":
        named, mus, (_, _, shares) = given[::2], given[1::2], next(Small.rules_of(one))
        refuse(len(given) % 2 or len(set(named)) < len(named) or any(not 0 <= v < size for v in named), strange)
        refute(any(mu < 0 for mu in mus))
        found = [-math.ceil(sum((shares[v] * mu for v, mu in zip(named, mus, strict=True)), Fraction(0)))] * size
        for v, mu in zip(named, mus, strict=True):
            found[v] += mu
        return found
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
    mean = sum((Fraction(c * x, one.n) for c, x in zip(one.totals, f, strict=True)), Fraction(0))
    rest = math.floor(-(mean + one.asked["t"] * mu))
    return [x + rest for x in f]


class Required:
    """The recount of a certificate of version 2 [V1-V9]."""

    def __init__(self, p, certificate):
        self.p, self.k = p, min(p.k, p.rows + 1)
        self.parts = parts = whole(certificate, "parts", least=1)
        self.prices = prices = numbers(certificate.get("prices"), "prices", p.t)
        below = whole(certificate, "whole_below", least=1, below=4097)
        given, self.trees = entries(certificate, "multipliers"), certificate.get("trees", [])
        if not isinstance(self.trees, list) or len(self.trees) > 1:
            raise Unreadable("the certificate: trees is no list of one tree at most")
        p.listed()
        self.top = p.heights if p.outliers == "suppress" and p.heights in p.number else None
        self.largest = max(map(abs, prices)) + parts * p.dearest
        too_large(2 * p.rows * self.largest)  # [V10]
        self.small = small = Small(p, parts, below)
        self.close = below * p.rows if any(rule[0] == "equal" for rule in small.rules) else 0
        too_large(self.close * (self.largest + small.mus[-1]))
        self.given, self.taken, self.known = given, {}, None

    def value(self):
        """Return the bound, scaled: the larger of what root prices and a tree prove."""
        found = self.listing(everything=False)
        value = self.worth(found, self.prices, {})
        for tree in self.trees:
            if not isinstance(tree, dict) or type(tree.get("component")) is not int or tree["component"] != 0:
                raise Unreadable("the certificate: a tree is not of component 0")
            refuse(entries(tree, "cuts"), "the certificate: under requirements a tree has no cuts")
            self.names = [self.name(name) for name in entries(tree, "instances")]
            refute(None in self.names)
            self.every = self.listing(everything=True, names=self.names)
            least = tree_value(tree.get("tree"), [name[:2] for name in self.names], self.leaf, {})
            refute(least == math.inf)
            value = max(value, least)
        return rounded_up(value, self.parts, self.p.step)

    def name(self, name):
        """Return the key of an instance that is named; None where the mask allows its levels nowhere."""
        vector, one = named(self.p, name)
        refuse(not 0 <= one < self.p.t, "the certificate: an instance is named by a row type that is not there")
        return (vector, self.p.shows(vector, one), one) if vector in self.p.number else None

    def listing(self, *, everything, names=()):
        """Return instances by key with row types and need; multipliers of those are read [V8]."""
        p, k = self.p, self.k
        walk = p.instances(self.prices, self.parts, need=k, skip=self.top, everything=everything)
        found = {(v, p.shows(v, some[0])): (some, k) for v, some in walk}
        if self.top is not None:
            found[self.top, p.shows(self.top, 0)] = (list(range(p.t)), 1)
        for v, shown, one in names:
            found.setdefault((v, shown), (p.extent(v, one), k))
        too_large((sum(p.counts[i] for some, _ in found.values() for i in some) + p.rows) * 2 * self.largest)
        if self.known is None:
            self.known, m = [], len(p.heights)
            for entry in self.given:
                if not isinstance(entry, list) or len(entry) < m + 2:
                    raise Unreadable("a multiplier is no list of levels, row type, requirement and numbers")
                numbers(entry, "a multiplier")
                refuse(not 0 <= entry[m + 1] < len(p.asked), "a multiplier is of no requirement")
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
        p, value = self.p, sum(map(int.__mul__, prices, self.p.counts))
        for key, (some, need) in found.items():
            cost = self.parts * p.cost(key[0], some[0])
            value -= self.small.most(some, cost, need, prices, state.get(key, 0), self.taken.get(key))
        return value

    def leaf(self, at, state):
        """Return what a leaf of the tree is worth, infinite where it holds no release [V9]."""
        p = self.p
        refuse(entries(at, "weights"), "the certificate: under requirements a leaf weighs no cut")
        prices, dear, most = list(self.prices), self.parts * p.dearest, LIMIT
        rows = sum(p.counts[i] for some, _ in self.every.values() for i in some) + p.rows
        most = min(LIMIT // (2 * rows + 1) - dear, (LIMIT // p.rows - dear) // 2)
        if self.close:
            most = min(most, LIMIT // self.close - dear - self.small.mus[-1])
        for place, move in pairs_of(at, "prices"):
            refuse(not 0 <= place < p.t, "the certificate: a leaf moves the price of no row type")
            if abs(move) >= LIMIT or abs(prices[place] + move) >= most:
                raise Unreadable("the certificate: a leaf's numbers are too large to be added up")
            prices[place] += move
        return self.worth(self.every, prices, state)


def proven_under_requirements(p, certificate):
    """Return the bound of a certificate of version 2, scaled."""
    return Required(p, certificate).value()
