"""Hard instances the slow way: every partition, every assignment of patterns, every subset; and as solvers see them."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import networkx as nx
import numpy as np

from incrowd.tables.mask import Mask, mask_from_dict
from incrowd.tables.models.parse import as_models
from incrowd.tables.values import Domain, Problem, RowTypes, Sensitive
from oracle import masks
from oracles.problems import star_levels

NONE = 10**9


# --- releases ----------------------------------------------------------------------------------------------------


def stars(rows):
    """Columns in which some rows differ."""
    return sum(len(set(column)) > 1 for column in zip(*rows, strict=True))


def partition(rows, allowed, *, price=None):
    """The least stars over all partitions of the rows into allowed blocks, and one that has them (3^n steps).

    `allowed` takes a tuple of row numbers. `price` gives the stars of a row in a block (None: it cannot be one); by
    default the columns in which the block differs.
    """
    n = len(rows)
    price = price or (lambda block: stars([rows[i] for i in block]))
    cost = [NONE] * (1 << n)
    for mask in range(1, 1 << n):
        block = tuple(i for i in range(n) if mask >> i & 1)
        if allowed(block):
            per_row = price(block)
            if per_row is not None:
                cost[mask] = per_row * len(block)
    best = [0] + [NONE] * ((1 << n) - 1)
    taken = [0] * (1 << n)
    for have in range(1, 1 << n):
        low = have & -have
        rest = part = have ^ low
        found, which = NONE, 0
        while True:
            whole = cost[part | low] + best[rest ^ part]
            if whole < found:
                found, which = whole, part | low
            if part == 0:
                break
            part = (part - 1) & rest
        best[have], taken[have] = found, which
    if best[-1] >= NONE:
        return None, None
    blocks, left = [], (1 << n) - 1
    while left:
        blocks.append(tuple(i for i in range(n) if taken[left] >> i & 1))
        left ^= taken[left]
    return best[-1], tuple(blocks)


def by_patterns(rows, patterns, k):
    """The least stars over all ways to give every row one of the patterns (tuples of starred columns), and one way.

    p^n ways at once in arrays; classes are judged by what they show.
    """
    n, p = len(rows), len(patterns)
    ways = np.arange(p**n)
    digits = [(ways // p**i % p).astype(np.int8) for i in range(n)]
    good = np.ones(p**n, bool)
    for number, starred in enumerate(patterns):
        shown = {}
        for i, row in enumerate(rows):
            shown.setdefault(tuple("*" if j in starred else cell for j, cell in enumerate(row)), []).append(i)
        for members in shown.values():
            count = np.zeros(p**n, np.int8)
            for i in members:
                count += digits[i] == number
            good &= (count == 0) | (count >= k)
    if not good.any():
        return None, None
    width = np.array([len(starred) for starred in patterns])
    total = sum(width[d.astype(int)] for d in digits)
    way = int(np.flatnonzero(good)[np.argmin(total[good])])
    chosen = [patterns[way // p**i % p] for i in range(n)]
    released = tuple(
        tuple("*" if j in starred else cell for j, cell in enumerate(row))
        for row, starred in zip(rows, chosen, strict=True)
    )
    return int(total[way]), released


# --- sensitive values --------------------------------------------------------------------------------------------


def distinct(values):
    return len(set(values))


def frequency(values, ell):
    """Whether no value is in more than 1/ell of them."""
    return max(Counter(values).values()) * ell <= len(values)


def joint(rows, ell):
    """Definition 1 of Blocki and Williams: every row lies in ell rows that differ pairwise in every column."""

    def differ(some):
        return all(x != y for a, b in itertools.combinations(some, 2) for x, y in zip(a, b, strict=True))

    return all(any(row in some and differ(some) for some in itertools.combinations(rows, ell)) for row in rows)


def shares(values, domain):
    found = Counter(values)
    return [Fraction(found[v], len(values)) for v in domain]


def emd_equal(values, table):
    """Fact 1: half the sum of differences."""
    domain = sorted(set(table))
    return sum(abs(a - b) for a, b in zip(shares(values, domain), shares(table, domain), strict=True)) / 2


def emd(p, q, distance):
    """Earth mover's distance by a flow of least cost in whole numbers."""
    scale = np.lcm.reduce([x.denominator for x in (*p, *q)])
    unit = np.lcm.reduce([d.denominator for row in distance for d in row])
    graph = nx.DiGraph()
    for i, x in enumerate(p):
        graph.add_node(("from", i), demand=-int(x * scale))
    for j, x in enumerate(q):
        graph.add_node(("to", j), demand=int(x * scale))
    for i, row in enumerate(distance):
        for j, d in enumerate(row):
            graph.add_edge(("from", i), ("to", j), weight=int(d * unit))
    return Fraction(int(nx.min_cost_flow_cost(graph)), int(scale) * int(unit))


# --- source problems ---------------------------------------------------------------------------------------------


def least_cover(universe, sets):
    for size in range(len(sets) + 1):
        for chosen in itertools.combinations(range(len(sets)), size):
            if len({u for s in chosen for u in sets[s]}) == universe:
                return size
    return None


def threes(edges, *, star, triangle):
    """Every way to cut the edges into triangles and (or) 4-stars, as sets of triples of edge numbers."""

    def fits(three):
        a, b, c = (set(edges[e]) for e in three)
        return (star and len(a & b & c) == 1) or (triangle and len(a | b | c) == 3)

    def cut(left):
        if not left:
            yield ()
            return
        first, *others = left
        for pair in itertools.combinations(others, 2):
            three = (first, *pair)
            if fits(three):
                for rest in cut([e for e in others if e not in pair]):
                    yield (three, *rest)

    yield from cut(list(range(len(edges))))


def largest_matching(members):
    """Size of the largest choice of disjoint triples, by trying all."""

    def best(left):
        if not left:
            return 0
        first, *others = left
        free = [t for t in others if not set(t) & set(first)]
        return max(best(others), 1 + best(free))

    return best(list(members))


def least_cut(nodes, edges):
    halves = itertools.combinations(range(nodes), nodes // 2)
    return min(sum((u in half) != (v in half) for u, v in edges) for half in map(set, halves))


def has_clique(nodes, edges, size):
    there = set(edges)
    return any(
        all(pair in there for pair in itertools.combinations(some, 2))
        for some in itertools.combinations(range(nodes), size)
    )


def one_in_three(variables, clauses):
    """All solutions, from the truth table."""
    return [
        values
        for values in itertools.product((False, True), repeat=variables)
        if all(sum(values[abs(v) - 1] == (v > 0) for v in clause) == 1 for clause in clauses)
    ]


# --- as solvers see it -------------------------------------------------------------------------------------------


def problem_of(instance, **more):
    """The problem of a table instance: row types, stars of cost 1, its mask, its requirements bound; and row -> type."""
    table, policy = instance.table, {**instance.policy, **more}
    m = len(table.quasi_identifiers)
    judged = sorted({one["column"] for one in policy.get("require", ())}, key=table.columns.index)
    wanted = [*range(m), *(table.columns.index(name) for name in judged)]
    domains = [sorted({row[j] for row in table.rows}, key=str.encode) for j in wanted]
    place = [{value: code for code, value in enumerate(domain)} for domain in domains]
    codes = np.array([[place[c][row[j]] for c, j in enumerate(wanted)] for row in table.rows], np.int64)
    distinct_rows, types, counts = np.unique(codes, axis=0, return_inverse=True, return_counts=True)
    sizes = tuple(len(domain) for domain in domains)
    kinds, requirements, sensitive = None, (), None
    if judged:
        combinations, kind = np.unique(distinct_rows[:, m:], axis=0, return_inverse=True)
        kinds = kind.reshape(-1).astype(np.int32)
        times = np.zeros(len(combinations), np.int64)
        np.add.at(times, kinds, counts)
        sensitive = Sensitive(combinations.astype(np.int32), tuple(judged), sizes[m:])
        domain = Domain(sensitive, tuple(map(tuple, domains[m:])), times)
        requirements = tuple(model.bind(domain) for model in as_models(policy["require"]))
    row_types = RowTypes(distinct_rows[:, :m].astype(np.int32), counts.astype(np.int64), sizes[:m], kinds)
    mask = mask_from_dict(policy["mask"]) if "mask" in policy else Mask()
    patterns = mask.compile(table.quasi_identifiers, [1] * m)
    problem = Problem(
        row_types, star_levels(row_types), patterns, policy["k"], outliers=policy["outliers"],
        columns=table.quasi_identifiers, requirements=requirements, sensitive=sensitive,
    )  # fmt: skip
    return problem, types.reshape(-1)


def released(instance, plan, types):
    """The rows of a plan, in the table's order."""
    width = len(instance.table.quasi_identifiers)
    left = {}
    for t, g, rows in zip(plan.part_type, plan.part_group, plan.part_rows, strict=True):
        left.setdefault(int(t), []).extend([int(g)] * int(rows))
    out = []
    for row, t in zip(instance.table.rows, types, strict=True):
        levels = plan.levels[left[int(t)].pop()]
        out.append(tuple("*" if levels[j] else row[j] for j in range(width)) + row[width:])
    return tuple(out)


def by_definition(instance):
    """The optimum of a table instance of up to a dozen rows, with its mask and requirements read literally, and blocks."""
    table, policy = instance.table, instance.policy
    width = len(table.quasi_identifiers)
    rows = [row[:width] for row in table.rows]
    names = table.quasi_identifiers
    tops = dict.fromkeys(names, 1)
    vectors = []
    if "mask" in policy:
        every = itertools.product((0, 1), repeat=width)
        vectors = [v for v in every if masks.allowed(policy["mask"], dict(zip(names, v, strict=True)), tops)]

    def price(block):
        need = [len(set(column)) > 1 for column in zip(*(rows[i] for i in block), strict=True)]
        if "mask" not in policy:
            return sum(need)
        return min((sum(v) for v in vectors if all(a >= b for a, b in zip(v, need, strict=True))), default=None)

    def allowed(block):
        return len(block) >= policy["k"] and all(met(one, block) for one in policy.get("require", ()))

    def met(one, block):
        whole = [row[table.columns.index(one["column"])] for row in table.rows]
        values = [whole[i] for i in block]
        if one["model"] == "l-diversity":
            return distinct(values) >= one["l"]
        if one["distance"] == "equal":
            return emd_equal(values, whole) <= Fraction(one["t"])
        metric = [[Fraction(d) for d in row] for row in one["distance"]]
        return emd(shares(values, one["order"]), shares(whole, one["order"]), metric) <= Fraction(one["t"])

    return partition(rows, allowed, price=price)
