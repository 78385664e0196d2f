"""Source problems of the hard instances by trying everything, what the theorems say of their tables, and all partitions.

A source problem is as ``source.json`` holds it. Nothing here knows how a table or a network is made from it: what the
least release costs is said twice, by the theorem from the source problem's answer and by all partitions of the rows.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import networkx as nx

# ------------------------------------------------------------------------------------------- source problems


def least_cover(source) -> int | None:
    """The fewest sets that hold every element; None where all do not."""
    sets = source["sets"]
    for size in range(len(sets) + 1):
        for chosen in itertools.combinations(sets, size):
            if len({u for one in chosen for u in one}) == source["universe"]:
                return size
    return None


def has_exact_cover(source) -> bool:
    return any(
        sorted(u for one in chosen for u in one) == list(range(source["universe"]))
        for size in range(len(source["sets"]) + 1)
        for chosen in itertools.combinations(source["sets"], size)
    )


def is_part(three, *, stars: bool) -> bool:
    """Whether three edges are a triangle, or (with `stars`) meet in one node."""
    a, b, c = (set(edge) for edge in three)
    return len(a | b | c) == 3 or (stars and len(a & b & c) == 1)


def has_partition(edges, *, stars: bool) -> bool:
    """Whether the edges can be cut into triangles (and 4-stars)."""
    if not edges:
        return True
    first, *others = edges
    for pair in itertools.combinations(others, 2):
        if is_part((first, *pair), stars=stars):
            rest = [e for e in others if e not in pair]
            if has_partition(rest, stars=stars):
                return True
    return False


def satisfiable(source) -> bool:
    """Whether some assignment makes exactly one literal of every clause true."""
    return any(one_in_three(source, values) for values in itertools.product((False, True), repeat=source["variables"]))


def one_in_three(source, values) -> bool:
    return all(sum(values[abs(v) - 1] == (v > 0) for v in clause) == 1 for clause in source["clauses"])


def largest_matching(triples) -> int:
    """The most triples of which no two share an element (a place and a number)."""
    if not triples:
        return 0
    first, *others = triples
    free = [t for t in others if all(a != b for a, b in zip(first, t, strict=True))]
    return max(largest_matching(others), 1 + largest_matching(free))


def cut(source, half) -> int:
    return sum((u in half) != (v in half) for u, v in source["edges"])


def least_cut(source) -> int:
    return min(cut(source, set(half)) for half in itertools.combinations(range(source["nodes"]), source["nodes"] // 2))


def inside(source, members) -> int:
    return sum(u in members and v in members for u, v in source["edges"])


def densest(source, count: int) -> int:
    return max(inside(source, set(some)) for some in itertools.combinations(range(source["nodes"]), count))


def clique_number(source) -> int:
    return max(y for y in range(source["nodes"] + 1) if densest(source, y) == y * (y - 1) // 2)


def dominates(source, members) -> bool:
    near = {v for u, w in source["edges"] for a, v in ((u, w), (w, u)) if a in members}
    return len(set(members) | near) == source["nodes"]


def domination_number(source) -> int:
    nodes = range(source["nodes"])
    return min(size for size in nodes if any(dominates(source, s) for s in itertools.combinations(nodes, size + 1))) + 1


# ------------------------------------------------------------------------------------------- what the theorems say


def told(name: str, parameters, problem: str | None, source, answer):
    """The threshold, whether it is met, and the least stars or nodes (None: the theorem does not say) of an instance."""
    goal = parameters.get("goal")
    if name == "greedy-worst":
        return parameters["size"] ** 2, True, parameters["size"] ** 2
    if name == "set-cover":
        base, h = 4 * source["universe"] + 3 * len(source["sets"]), least_cover(source)
        return base + 3 * goal, h <= goal, base + 3 * h
    if name in ("set-cover-network", "set-cover-domination-network"):
        h = least_cover(source)
        return goal, h <= goal, h
    if name == "exact-cover-network":
        return source["universe"] // 3, has_exact_cover(source), least_cover(source)
    if name == "dominating-set-network":
        h = domination_number(source)
        return goal, h <= goal, h
    if name == "one-in-three-sat":
        stars, yes = 3 * answer["edges"], satisfiable(source)
        return stars, yes, stars if yes else None
    if name == "matching-27":
        stars, best = 81 * source["side"], largest_matching(source["triples"])
        return stars - 3 * goal, best >= goal, stars - 3 * best
    if name in ("matching-closeness", "matching-metric"):
        n, m, best = source["side"], len(source["triples"]), largest_matching(source["triples"])
        return 3 * n * (m - 1), best == n, 3 * n * m - 3 * best
    if name == "closeness-from-anonymity" and problem == "rows":
        stars = least_stars(source["rows"], parameters["k"])[0]
        return goal, stars <= goal, stars
    n, m = source["nodes"], len(source["edges"])
    if name in ("triangles-and-stars", "triangles-2-diversity", "triangles-3-diversity"):
        yes = has_partition(source["edges"], stars=name == "triangles-and-stars")
        return 3 * m, yes, 3 * m if yes else None
    if name == "triangles-ternary":
        blocks, yes = 1 + (m - 1).bit_length(), has_partition(source["edges"], stars=False)
        return 3 * blocks * m, yes, 3 * blocks * m if yes else None
    if name.startswith("bisection"):
        least = least_cut(source)
        return n // 2 * (m + goal), least <= goal, n // 2 * (m + least)
    if name.startswith("half-clique"):
        rows = n + parameters["rows"]
        most = max((n - y) * densest(source, y) for y in range(n // 2 - parameters["rows"], n // 2 + 1))
        return rows * m - n * n * (n - 2) // 16, clique_number(source) >= n // 2, rows * m - most
    assert name == "clique"
    return answer["threshold"], clique_number(source) >= goal, None


def solves(name: str, parameters, source, facts) -> bool:
    """Whether what came back is a solution of the source problem as good as asked for; names are numbers here."""
    goal = parameters.get("goal")
    if name == "greedy-worst":
        return facts["stars"] <= parameters["size"] ** 2
    if "cover" in facts:
        chosen = [source["sets"][int(one[1:])] for one in facts["cover"]]
        held = [u for one in chosen for u in one]
        whole = set(held) == set(range(source["universe"]))
        return whole and (len(held) == len(set(held)) if name.startswith("exact") else len(chosen) <= goal)
    if "dominating_set" in facts:
        members = [int(v) for v in facts["dominating_set"]]
        return dominates(source, members) and len(members) <= goal
    if "assignment" in facts:
        values = [v > 0 for v in facts["assignment"]]
        return [abs(v) for v in facts["assignment"]] == list(range(1, source["variables"] + 1)) and one_in_three(
            source, values
        )
    if "matching" in facts:
        triples = [[int(c) for c in one] for one in facts["matching"]]
        apart = largest_matching(triples) == len(triples) and all(one in source["triples"] for one in triples)
        return apart and len(triples) >= (source["side"] if goal is None else goal)
    if "classes" in facts:
        blocks = [[i - 1 for i in block] for block in facts["classes"]]
        whole = sorted(i for block in blocks for i in block) == list(range(len(source["rows"])))
        cost = sum(len(b) * differing([source["rows"][i] for i in b]) for b in blocks)
        return whole and min(map(len, blocks)) >= parameters["k"] and cost == facts["stars"] <= goal
    if "half" in facts:
        half, other = ({int(v) for v in facts[side]} for side in ("half", "other_half"))
        even = len(half) == len(other) == source["nodes"] // 2 and not half & other
        return even and cut(source, half) == facts["cut"] <= goal
    if "clique" in facts:
        members = {int(v) for v in facts["clique"]}
        size = len(facts["clique"])
        joined = len(members) == size and inside(source, members) == size * (size - 1) // 2
        return joined and (size >= goal if goal is not None else 2 * size == source["nodes"])
    parts = [[tuple(sorted(int(v) for v in edge)) for edge in part] for part in facts["parts"]]
    once = sorted(edge for part in parts for edge in part) == sorted(tuple(edge) for edge in source["edges"])
    return once and all(is_part(part, stars=name == "triangles-and-stars") for part in parts)


# ------------------------------------------------------------------------------------------- all partitions of the rows


def differing(rows) -> int:
    """In how many columns some rows differ."""
    return sum(len(set(column)) > 1 for column in zip(*rows, strict=True))


def least_stars(rows, k, price=None):
    """The least stars over all partitions of the rows, and one that has them; 3^n steps.

    `price` gives the stars of each row of a block, None where it can be no class; by default the columns that differ.
    """
    n = len(rows)
    costs = [math.inf] * (1 << n)
    for bits in range(1, 1 << n):
        block = [i for i in range(n) if bits >> i & 1]
        if len(block) >= k:
            a_row = differing([rows[i] for i in block]) if price is None else price(block)
            costs[bits] = math.inf if a_row is None else a_row * len(block)
    best, taken = [0.0] + [math.inf] * ((1 << n) - 1), [0] * (1 << n)
    for have in range(1, 1 << n):
        low = have & -have
        rest = part = have ^ low
        while True:
            whole = costs[part | low] + best[rest ^ part]
            if whole < best[have]:
                best[have], taken[have] = whole, part | low
            if part == 0:
                break
            part = (part - 1) & rest
    blocks, left = [], (1 << n) - 1
    while left and best[-1] < math.inf:
        blocks.append([i for i in range(n) if taken[left] >> i & 1])
        left ^= taken[left]
    return (None, None) if best[-1] == math.inf else (int(best[-1]), blocks)


def by_definition(columns, rows, policy):
    """The least stars of a table under a policy of stars, read literally: patterns, k, diversity, closeness."""
    names, mask = policy["quasi_identifiers"], policy.get("mask", {})
    width = len(names)
    cells = [row[:width] for row in rows]
    patterns = [{names.index(c) for c in one} for one in mask["patterns"]] if "patterns" in mask else None
    if patterns is not None and mask.get("full_suppression", True):
        patterns.append(set(range(width)))

    def price(block):
        if not all(met(one, block) for one in policy.get("require", ())):
            return None
        need = {j for j, column in enumerate(zip(*(cells[i] for i in block), strict=True)) if len(set(column)) > 1}
        if patterns is not None:
            return min((len(one) for one in patterns if need <= one), default=None)
        for group in mask.get("together", ()):
            places = {names.index(c) for c in group}
            need |= places if need & places else set()
        return width if len(need) > mask.get("max_stars", width) else len(need)

    def met(one, block):
        whole = [row[columns.index(one["column"])] for row in rows]
        values = [whole[i] for i in block]
        if one["model"] == "l-diversity":
            assert one["kind"] == "distinct"
            return len(set(values)) >= one["l"]
        domain = one.get("order") or sorted(set(whole))
        metric = one["distance"]
        if metric == "equal":
            metric = [[int(a != b) for b in domain] for a in domain]
        return moved(values, whole, domain, metric) <= Fraction(one["t"])

    return least_stars(cells, policy["k"], price)


def moved(values, whole, domain, metric) -> Fraction:
    """The earth mover's distance of some values from all: mass times distance, by a flow of least cost."""
    metric = [[Fraction(d) for d in row] for row in metric]
    unit = math.lcm(*(d.denominator for row in metric for d in row))
    have, want = Counter(values), Counter(whole)
    graph = nx.DiGraph()
    for i, v in enumerate(domain):
        graph.add_node(("from", i), demand=-have[v] * len(whole))
        graph.add_node(("to", i), demand=want[v] * len(values))
    for i, j in itertools.product(range(len(domain)), repeat=2):
        graph.add_edge(("from", i), ("to", j), weight=int(metric[i][j] * unit))
    return Fraction(int(nx.min_cost_flow_cost(graph)), unit * len(values) * len(whole))
