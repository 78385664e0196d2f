"""Costs of cells that can be read at several levels: the page and the second checker allow the same claims."""

from __future__ import annotations

import itertools
import json
import math
import random

from checkers.ask import by_verify, sum_of, told_by_page, told_by_second
from checkers.corpus import toml
from incrowd.check.exact import Unreadable
from incrowd.check.mask import Mask
from incrowd.check.policy import Policy
from incrowd.check.release import Fitted, cost_of
from incrowd.check.tables import Table
from incrowd.check.verdict import problem_of
from seeds import seeds

MASKS = [
    {}, {"together": [["a", "b"]]}, {"max_stars": 1}, {"keep": ["b"]}, {"at_most_one": [["a", "b"]]}, {"max_level": {"a": 1}},
    {"max_level": {"a": 0}}, {"patterns": [["a"], {"a": 1, "b": 1}, {"b": 1, "c": 1}]}, {"full_suppression": False},
    {"any": [{"keep": ["a"]}, {"together": [["a", "c"]]}]}, {"never_together": [["a", "c"]]},
]  # fmt: skip


def tree(values, rng, letter):
    """A hierarchy's lines of three levels, in which a group of one value or of one group may be called as it."""
    groups = {value: f"{letter}{rng.randrange(3)}" for value in values}
    above = {group: f"{letter.upper()}{rng.randrange(2)}" for group in groups.values()}
    inside = {group: [v for v in values if groups[v] == group] for group in above}
    known = {group: some[0] if len(some) == 1 and rng.random() < 0.8 else group for group, some in inside.items()}
    beside = {top: [group for group in above if above[group] == top] for top in above.values()}
    higher = {top: known[some[0]] if len(some) == 1 and rng.random() < 0.8 else top for top, some in beside.items()}
    return [[v, known[groups[v]], higher[above[groups[v]]], "*"] for v in values]


def drawn(folder, rng):
    """An original, a policy with k = 1 and a release at levels drawn row by row; the trees of columns a and c."""
    values = {"a": ["p", "q", "r", "s"][: rng.randrange(1, 5)], "b": ["x", "y"], "c": ["u", "v", "w"]}
    rows = [[rng.choice(values[name]) for name in "abc"] for _ in range(rng.randrange(2, 9))]
    trees = {name: tree(values[name], rng, letter) for name, letter in (("a", "g"), ("c", "h")) if rng.random() < 0.8}
    said = [
        'quasi_identifiers = ["a", "b", "c"]',
        "k = 1",
        f"outliers = {json.dumps(rng.choice(['forbid', 'suppress']))}",
    ]
    said += [f'cost = "{rng.choice(["leaves", "cells", "levels"])}"'] if rng.random() < 0.8 else []
    by_level, by_node = 'level_costs = ["1/3", 0.5, 2]', 'node_costs = {"*" = 2}'
    own = {
        name: f"node_costs = {{{', '.join(f'{label} = 0.5' for label in sorted({x for one in lines for x in one[1:3]}))}}}"
        for name, lines in trees.items()
    }
    for name, lines in trees.items():
        (folder / f"{name}.csv").write_text("".join(";".join(line) + "\n" for line in lines), encoding="utf-8")
    if trees:
        more = {"": 4, by_level: 3, by_node: 1, "own": 3} if 'cost = "leaves"' in said else {"": 1}
        drawn_ones = {name: rng.choices(list(more), list(more.values()))[0].replace("own", own[name]) for name in trees}
        said += [
            "[hierarchies]",
            *(f'{name} = {{file = "{name}.csv"{", " * bool(one)}{one}}}' for name, one in drawn_ones.items()),
        ]
    if rng.random() < 0.5:
        said += ["[weights]", f"{rng.choice('abc')} = {rng.choice(['2', '0.5', '0'])}"]
    mask = rng.choice(MASKS)
    said += ["[mask]", *(f"{word} = {toml(value)}" for word, value in mask.items())]
    (folder / "policy.toml").write_text("\n".join(said) + "\n", encoding="utf-8")
    shown = []
    for row in rows:
        lines = [
            next((line for line in trees.get(n, ()) if line[0] == v), [v, "*"]) for n, v in zip("abc", row, strict=True)
        ]
        shown.append([rng.choice([line[0], *line]) for line in lines])
    for name, some in (("original", rows), ("release", shown)):
        text = "".join(",".join(row) + "\n" for row in (list("abc"), *some))
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")


def claims(folder):
    """A certificate that proves nothing, but for its cost; and the costs that readings come to."""
    fitted = Fitted(Policy(folder / "policy.toml"), Table(folder / "original.csv"))
    problem = problem_of(fitted)
    costs = cost_of(fitted, Table(folder / "release.csv", header=True, delimiter=",", strip=False))
    low, high = (int(end * fitted.scale) for end in costs)
    return low, high, {
        "certificate": "incrowd k-anonymity bound", "version": 11, **problem.facts, "lower_bound": 0,
        "lower_bound_checked": 0, "proof": "solver", "parts": 1, "components": None, "prices": [0] * problem.t, "trees": [], "released_sum": sum_of((folder / "release.csv").read_text()),
    }  # fmt: skip


@seeds(600, 5)
def test_a_claimed_cost_is_that_of_some_reading_or_of_none_for_both(tmp_path, seed):
    rng = random.Random(seed)
    drawn(tmp_path, rng)
    (tmp_path / "certificate.json").write_text("{}", encoding="utf-8")
    try:
        low, high, head = claims(tmp_path)
    except Unreadable:
        assert told_by_page(tmp_path) == told_by_second(tmp_path)
        return
    for cost in sorted({max(low - 1, 0), low, rng.randint(low, high), high, high + 1}):
        (tmp_path / "certificate.json").write_text(json.dumps(head | {"cost": cost}), encoding="utf-8")
        status, said = told_by_second(tmp_path)
        assert (status, said) == told_by_page(tmp_path), cost
        if seed % 4 == 0 and cost in (low, low - 1):
            assert by_verify(tmp_path).status == status, cost
        assert ("certificate: cost" not in said["violations"]) == (low <= cost <= high)


NULL_MASKS = [
    {}, {"together": [["a", "b"]]}, {"together": [["a", "b", "c"]]}, {"max_stars": 1}, {"patterns": [["a", "b"], ["c"]]},
    {"patterns": [[], ["a", "b"], ["a", "b", "c"]]}, {"any": [{"keep": ["a"]}, {"together": [["a", "c"]]}]},
]  # fmt: skip


def with_nulls(folder, rng):
    """An original with missing values, a policy whose stars are NULLs, and a release at vectors that its mask allows."""
    rows = [[rng.choice(["", *values]) for values in ("pq", "xy", "u")] for _ in range(rng.randrange(2, 6))]
    mask, costs = rng.choice(NULL_MASKS), [rng.choice([1, 2]), 1, rng.choice([1, 3])]
    said = [
        'quasi_identifiers = ["a", "b", "c"]',
        "k = 1",
        'suppressed = "null"',
        f"weights = {{a = {costs[0]}, c = {costs[2]}}}",
    ]
    said += ["[mask]", *(f"{word} = {toml(value)}" for word, value in mask.items())]
    (folder / "policy.toml").write_text("\n".join(said) + "\n", encoding="utf-8")
    allows = Mask(Policy(folder / "policy.toml").mask, "abc", (1, 1, 1)).allows
    allowed = [v for v in itertools.product((0, 1), repeat=3) if allows(v)]
    shown = [["" if star else x for star, x in zip(rng.choice(allowed), row, strict=True)] for row in rows]
    rng.shuffle(shown)
    for name, some in (("original", rows), ("release", shown)):
        lines = "".join(",".join([*row, "t"]) + "\n" for row in (list("abc"), *some)).replace("a,b,c,t", "a,b,c,d", 1)
        (folder / f"{name}.csv").write_text(lines, encoding="utf-8")
    return rows, shown, allowed, costs


def cheapest_pairing(rows, shown, allowed, costs):
    """The least that a release costs over all ways to pair its rows with originals, tried one by one."""

    def of_pair(row, released):
        fits = [
            sum(cost for cost, star, x in zip(costs, vector, row, strict=True) if star and x) for vector in allowed
            if all(y == ("" if star else x) for x, y, star in zip(row, released, vector, strict=True))
        ]  # fmt: skip
        return min(fits, default=math.inf)

    paid = [[of_pair(row, released) for released in shown] for row in rows]
    size = range(len(rows))
    return min(sum(paid[i][p[i]] for i in size) for p in itertools.permutations(size))


@seeds(400, 4)
def test_missing_values_cost_nothing_in_a_pairing_that_keeps_the_mask(tmp_path, seed):
    rng = random.Random(seed)
    drawn_one = with_nulls(tmp_path, rng)
    least = cheapest_pairing(*drawn_one)
    rows = drawn_one[0]
    for cost in {max(least - 1, 0), least}:
        head = {
            "certificate": "incrowd k-anonymity bound", "version": 14 if any("" in row for row in rows) else 11, "rows": len(rows), "k": 1, "outliers": "forbid",
            "row_types": len({tuple(row) for row in rows}), "scale": 1, "cost": cost, "lower_bound": 0,
            "lower_bound_checked": 0, "proof": "solver", "parts": 1, "components": None, "trees": [], "released_sum": sum_of((tmp_path / "release.csv").read_text()),
        }  # fmt: skip
        head["prices"] = [0] * head["row_types"]
        (tmp_path / "certificate.json").write_text(json.dumps(head), encoding="utf-8")
        status, said = told_by_second(tmp_path)
        assert (status, said) == told_by_page(tmp_path), cost
        assert status == int(cost < least), cost
        if seed % 4 == 0:
            assert by_verify(tmp_path).status == status
