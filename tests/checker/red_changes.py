"""Certificates changed in many ways: places and numbers, whole parts, proofs of something else, inequalities, sums.

Nothing here knows a checker but by what it answers.
"""

from __future__ import annotations

import copy
import itertools
import json
from collections import Counter, defaultdict

NUMBERS = [0, 1, -1, 2, 3, 2**31, 2**53 - 1, 2**53, 2**53 + 1, 2**58, 2**60, 2**61 - 1, 2**61, 2**62, 2**63 - 1, 2**63,
           2**64, 2**64 + 1, 2**80, 10**40, -(2**31), -(2**53), -(2**60), -(2**61), -(2**63), -(2**64)]  # fmt: skip
OTHERS = [1.0, 0.5, 1e300, True, False, None, "1", "", [], {}, [0], {"instance": 0}]
# Keys that a certificate has somewhere, and others.
KEYS = ["for", "diverse", "requirements", "whole_below", "trees", "matching", "sets", "prices", "weights", "instance",
        "closed", "instances", "types", "kind", "component", "full", "format", "note", "comment", "", "Rows"]  # fmt: skip
WHAT = (
    "near",
    "far",
    "other",
    "gone",
    "doubled",
    "swapped",
    "theirs",
    "parts",
    "lost pair",
    "key added",
    "wrapped",
    "moved all",
)
HEAD = ("certificate", "version", "requirements", "diverse", "rows", "row_types", "k", "outliers", "scale", "cost")
TURNS = (2**52, 2**53, 2**60, 2**61, 2**62, 2**63, 2**64)  # where sums wrap


def plain(certificate):
    return json.loads(json.dumps(certificate))


def places(value, path=()):
    """Every place of a value: the path to it."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list):
        for at in range(len(value)):
            yield from places(value[at], (*path, at))


def at(value, path):
    for step in path:
        value = value[step]
    return value


def one_of(rng, some):
    """One of some things, whatever they are."""
    return some[int(rng.integers(len(some)))]


def changed(certificate, other, rng):
    """A certificate with one thing or several changed, and what was done."""
    made = copy.deepcopy(certificate)
    whys = []
    turn = rng.random()
    for _ in range(1 if turn < 0.7 else int(rng.integers(2, 6)) if turn < 0.97 else 20):
        every = [path for path in places(made) if path]
        by_root = defaultdict(list)
        for path in every:
            by_root[path[0]].append(path)
        if not by_root:
            break
        root = one_of(rng, list(by_root))
        path = one_of(rng, by_root[root])
        holder, last = at(made, path[:-1]), path[-1]
        value = holder[last]
        what = one_of(rng, WHAT)
        whys.append(what)
        if what == "near" and type(value) is int:
            holder[last] = value + int(rng.choice([-2, -1, 1, 2]))
        elif what == "parts" and type(value) is int:
            unit = made.get("parts")
            holder[last] = value + int(rng.choice([-1, 1])) * (unit if type(unit) is int else 1)
        elif what == "far":
            holder[last] = one_of(rng, NUMBERS)
        elif what == "other":
            holder[last] = copy.deepcopy(one_of(rng, OTHERS))
        elif what == "gone":
            del holder[last]
        elif what == "key added":
            objects = [made, *(at(made, path) for path in every if isinstance(at(made, path), dict))]
            added = [[], {}, None, True, "", 1, copy.deepcopy(value)]
            key, some = one_of(rng, KEYS), one_of(rng, added)
            one_of(rng, objects).setdefault(key, some)
        elif what == "doubled" and isinstance(holder, list):
            holder.insert(last, copy.deepcopy(value))
        elif what == "swapped" and isinstance(holder, list):
            to = int(rng.integers(len(holder)))
            holder[last], holder[to] = holder[to], holder[last]
        elif what == "theirs":
            theirs = other
            try:
                theirs = at(other, path)
            except (KeyError, IndexError, TypeError):
                theirs = other.get(root)
            holder[last] = copy.deepcopy(theirs)
        elif what == "moved all" and isinstance(value, list):
            by = one_of(rng, [-1, 1, made.get("parts", 1), *TURNS])
            by = by if type(by) is int else 1
            holder[last] = [x + by if type(x) is int else x for x in value]
        elif type(value) is int and isinstance(holder, list) and len(holder) > 1:
            to = int(rng.integers(len(holder)))
            if type(holder[to]) is int and to != last:  # their sum stays
                by = int(rng.integers(-3, 4)) if what != "wrapped" else one_of(rng, TURNS)
                holder[last], holder[to] = holder[last] + by, holder[to] - by
    return made, "+".join(sorted(set(whys)))


def claimed(certificate, bound):
    """A certificate that says so much, of a release that costs no less."""
    cost = certificate.get("cost")
    cost = max(cost, bound) if type(cost) is int else cost
    return certificate | {"cost": cost, "lower_bound": bound, "lower_bound_checked": bound, "proof": "certificate"}


# --- the same proof in other numbers: sums that wrap -----------------------------------------------------------------


def scaled(certificate, rng):
    """The same proof in finer parts, where the sums come near 2^53, 2^61, 2^63 and 2^64 and beyond."""
    made = copy.deepcopy(certificate)
    most = max((abs(x) for path in places(made) if type(x := at(made, path)) is int and path[0] not in HEAD), default=1)
    aim = 1 << int(rng.choice([50, 53, 57, 59, 60, 61, 63, 64, 70]))
    factor = max(aim // max(most * one_of(rng, [1, 2, made.get("rows", 1) * 2]), 1) + int(rng.integers(-1, 2)), 1)

    def times(value, key=None):
        if type(value) is int and key in ("parts", "prices", "weights"):
            return value * factor
        if isinstance(value, dict):
            return {name: times(one, name) for name, one in value.items()}
        if not isinstance(value, list):
            return value
        if key in ("prices", "weights") and value and all(isinstance(one, list) for one in value):
            return [[*one[:-1], times(one[-1], key)] for one in value]  # a leaf's moves: a place and a number
        if key == "multipliers":
            return value
        return [times(one, key) for one in value]

    if "matching" in made:
        inner = made["matching"]
        inner |= {"scale": inner["scale"] * factor, "prices": [y * factor for y in inner["prices"]]}
        inner["sets"] = [one | {"price": one["price"] * factor} for one in inner["sets"]]
        return made
    return times(made)


def wrapping(certificate, rng):
    """Prices of which some are moved by what 53, 61, 63 or 64 bits lose when they are added up."""
    made = copy.deepcopy(certificate)
    prices = made["matching"]["prices"] if "matching" in made else made["prices"]
    if len(prices) > 1:
        by = one_of(rng, TURNS) + one_of(rng, [-1, 0, 0, 1])
        i, j = (int(x) for x in rng.choice(len(prices), 2, replace=False))
        prices[i] += by
        if rng.random() < 0.6:
            prices[j] -= by
    if rng.random() < 0.5 and type(made.get("cost")) is int:
        made = claimed(made, made["cost"])
    return made


# --- of another question ---------------------------------------------------------------------------------------------


def as_if_for(certificate, target):
    """A proof of something else under the head of a certificate of this, its lists cut or filled to this table."""
    made = copy.deepcopy(certificate)
    same = made.get("certificate") == target.get("certificate") and made.get("version") == target.get("version")
    for key in HEAD:
        if key in target and (same or key not in ("certificate", "version", "requirements", "diverse")):
            made[key] = copy.deepcopy(target[key])
    types = target["row_types"]
    for key in ("prices", "components"):
        if isinstance(made.get(key), list):
            made[key] = [*made[key][:types], *[0] * (types - len(made[key]))]
    return made


# --- every inequality but one ----------------------------------------------------------------------------------------


def crowds(table):
    """Every set of row types that an allowed level vector shows alike: its least cost of a row, and the rows it needs."""
    codes, top = table.codes.tolist(), tuple(level.height for level in table.levels)
    found = {}
    for vector in itertools.product(*(range(h + 1) for h in top)):
        if not table.allows(vector):
            continue
        free = table.outliers == "suppress" and vector == top
        shown = defaultdict(list)
        for i, row in enumerate(codes):
            shown[tuple(int(level.up[u, c]) for level, u, c in zip(table.levels, vector, row, strict=True))].append(i)
        for members in shown.values():
            row = codes[members[0]]
            cost = sum(int(level.cost[u, c]) for level, u, c in zip(table.levels, vector, row, strict=True))
            key = (tuple(members), 0 if free else table.k)
            if free or sum(int(table.counts[i]) for i in members) >= table.k:
                found[key] = min(found.get(key, cost), cost)
    return [(members, need, cost) for (members, need), cost in found.items()]


def gain(members, need, cost, counts, prices):
    """What the best class of a crowd gains at the prices; the cost is in parts."""
    rows = sorted((prices[i] - cost for i in members for _ in range(counts[i])), reverse=True)
    return max(sum(rows[:n]) for n in range(need, len(rows) + 1))


def but_one(case, rng, broken_at, counts, parts):
    """Prices at which no crowd gains but one, which does; None where none are found. `broken_at`: how many gain."""
    prices = [0] * len(counts)
    if broken_at(prices):
        return None
    for i in [int(x) for _ in range(2) for x in rng.permutation(len(prices))]:
        for step in (4 * parts, parts, 1):
            for _ in range(4):
                prices[i] += step
                if broken_at(prices):
                    prices[i] -= step
                    break
    for _ in range(12):
        i, step = int(rng.integers(len(prices))), int(rng.choice([1, parts, 2 * parts]))
        prices[i] += step
        if broken_at(prices) == 1:
            while step < 64 * parts and broken_at([p + step * (j == i) for j, p in enumerate(prices)]) == 1:
                prices[i] += step
                step *= 2
            return prices
        prices[i] -= step
    return None


def one_price_too_high(case, rng):
    """A certificate of prices that asks too much of one crowd, and claims what it would prove otherwise."""
    counts = [int(n) for n in case.table.counts]
    parts = int(rng.integers(1, 7))
    some = case.crowds

    def broken_at(prices):
        return sum(gain(members, need, cost * parts, counts, prices) > 0 for members, need, cost in some)

    prices = but_one(case, rng, broken_at, counts, parts)
    if prices is None:
        return None
    total = sum(p * n for p, n in zip(prices, counts, strict=True))
    made = copy.deepcopy(case.certificate) | {"parts": parts, "prices": prices, "trees": []}
    return claimed(made, -(-total // parts))


def one_class_too_dear(case, rng):
    """The same under requirements, where the classes of a crowd are those that meet them."""
    asked, counts = case.asked, [int(n) for n in case.table.counts]
    parts, rows = int(rng.integers(1, 7)), case.asked.rows.tolist()
    some = defaultdict(list)
    for g, part in asked.classes:
        some[g].append([rows[b] for b in range(len(rows)) if part >> b & 1])

    def broken_at(prices):
        return sum(
            any(sum(prices[i] for i in one) > len(one) * asked.instances[g][2] * parts for one in ones)
            for g, ones in some.items()
        )

    prices = but_one(case, rng, broken_at, counts, parts)
    if prices is None:
        return None
    total = sum(p * n for p, n in zip(prices, counts, strict=True))
    made = copy.deepcopy(case.certificate) | {"parts": parts, "prices": prices, "multipliers": []}
    made.pop("trees", None)
    return claimed(made, -(-total // parts))


def one_pair_too_dear(case, rng):
    """A matching's certificate with one pair, or one triple of a set, that asks for more than it costs."""
    made = copy.deepcopy(case.certificate)
    inner, table = made["matching"], case.table
    who, y, unit = inner["rows"], inner["prices"], inner["scale"]
    listed = Counter(who)
    others = [i for i, n in enumerate(table.counts.tolist()) if listed[i] < n]
    everyone = who + others

    def cost(rows):
        """What a group of row types costs at least; None where there is none."""
        if case.sens is not None and any(
            len({int(case.sens[i][s]) for i in rows}) < len(rows) for s in range(case.sens.shape[1])
        ):
            return None
        return min((price for members, price in case.cheapest if members.issuperset(rows)), default=None)

    groups = list(itertools.combinations(range(len(everyone)), 2))
    groups += sorted({three for one in inner["sets"] for three in itertools.combinations(sorted(one["rows"]), 3)})
    known = {group: cost([everyone[x] for x in group]) for group in groups}

    def broken():
        """Groups that ask for more than they cost, and by how much."""
        found = {}
        for group, price in known.items():
            if price is None:
                continue
            asked = sum(y[x] for x in group if x < len(who))
            for one in inner["sets"]:
                held = len(set(group) & set(one["rows"]))
                asked += one["price"] * (held == 1 if len(group) == 2 else held % 2)
            if asked * inner["divisor"] > len(group) * unit * price:
                found[group] = asked - len(group) * unit * price // inner["divisor"]
        return found

    if not y or broken():
        return None
    for _ in range(6):
        kept, a = list(y), int(rng.integers(len(y)))
        y[a] += int(rng.choice([1, unit, 2 * unit]))
        for _ in range(len(y)):  # the partners give way, one after the other
            bad = broken()
            apart = [(x, by) for group, by in bad.items() for x in group if x != a and x < len(y)]
            if len(bad) < 2 or not apart:
                break
            x, by = one_of(rng, apart)
            y[x] -= by
        if len(bad) == 1:
            total = sum(y) + sum(one["price"] for one in inner["sets"])
            return claimed(made, -(-total // unit) * inner["divisor"])
        y[:] = kept
    return None


# --- to where a verdict turns ----------------------------------------------------------------------------------------


def edges(certificate, verdict_on, rng):
    """A number moved to the last value at which the verdict is as it was, and to the first at which it is another."""
    numbered = [path for path in places(certificate) if path and type(at(certificate, path)) is int]
    by_root = defaultdict(list)
    for path in numbered:
        by_root[path[0]].append(path)
    path = one_of(rng, by_root[one_of(rng, list(by_root))])
    way, begun = int(rng.choice([-1, 1])), at(certificate, path)

    def moved(by):
        made = copy.deepcopy(certificate)
        at(made, path[:-1])[path[-1]] = begun + way * by
        return made

    first, low, high = verdict_on(certificate), 0, 1
    while verdict_on(moved(high)) == first:
        low, high = high, high * 4
        if high > 2**66:
            return [moved(low)]
    while high - low > 1:
        middle = (low + high) // 2
        if verdict_on(moved(middle)) == first:
            low = middle
        else:
            high = middle
    return [moved(low), moved(high)]


# --- texts -----------------------------------------------------------------------------------------------------------


def garbled(certificate, rng):
    """The certificate as a text, not quite as JSON has it, or with numbers and names that a reader may take for others."""
    text = json.dumps(certificate)
    spots = [i for i, c in enumerate(text) if c.isdigit() and not text[i + 1].isdigit()]
    spot = one_of(rng, spots) + 1
    names = [key for path in places(certificate) if isinstance(value := at(certificate, path), dict) for key in value]
    name = one_of(rng, names)
    what = int(rng.integers(12))
    if what < 5:
        return (
            text[:spot]
            + one_of(rng, [".0", "e0", "E2", ".5", "0" * 30, "0" * 5000, " 1", "_0", "n", "e-1"])
            + text[spot:]
        )
    if what == 5:
        return text.replace(f'"{name}":', f'"{name}": {one_of(rng, ["0", "null", "[]"])}, "{name}":', 1)
    if what == 6:
        spelled = "".join("\\u" + format(ord(c), "04x") for c in name)  # the same name, as JSON may write it
        return text.replace(f'"{name}":', f'"{spelled}":')
    if what == 7:
        return text[: int(rng.integers(len(text)))]
    if what == 8:
        return (
            text[:spot].rstrip("0123456789")
            + one_of(rng, ["NaN", "Infinity", "-0", "007", "+1", "0x1", "-", "true"])
            + text[spot:]
        )
    if what == 9:
        return one_of(rng, ["\ufeff", " \n", "[", "//\n", "\0", "\u00a0"]) + text
    if what == 10:
        return text + one_of(rng, [",", "{}", " ", "\n\n", "\0", "]"])
    return json.dumps(certificate, indent=int(rng.integers(4)))
