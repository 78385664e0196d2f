"""A release held against its original [R1-R11]."""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections import Counter, defaultdict
from fractions import Fraction

from .exact import Unreadable, by_bytes, grouped, refuse
from .hierarchies import READINGS, Grid, held_of, tree_of
from .mask import Mask, allowed_vectors, keeps, paid_between
from .policy import LOOKING
from .rules import Requirement, least_cost


class Fitted:
    """A policy on one original: hierarchies, heights, mask, costs; and how a released cell reads."""

    def __init__(self, policy, original, steps=None):
        """Fit a policy; `steps` are those of a certificate, one for every column of ranges."""
        self.policy, self.original = policy, original
        refuse(policy.ranges, "recoding = 'ranges' is not read by this program")
        refuse(policy.cost not in READINGS, f"cost is none of {', '.join(READINGS)}")
        lost = {*policy.quasi_identifiers, *policy.sensitive, *policy.identifiers} - set(original.names)
        refuse(lost, "the original lacks a column that the policy names")
        refuse(policy.k > len(original.rows), "the original has no rows, or fewer than k")
        self.kept = list(policy.kept(original.names))
        self.others = [c for c in self.kept if c not in policy.quasi_identifiers]
        self.judged = [c for c in original.names if any(c in model.judged for model in policy.models)]
        self.cells = original.cells(policy.quasi_identifiers)
        self.values = [sorted(set(column), key=by_bytes) for column in zip(*self.cells, strict=True)]
        held = policy.star is not None and any(policy.star in values for values in self.values)
        refuse(held, "the original already holds the star text")
        told = zip(policy.quasi_identifiers, self.values, strict=True)
        self.trees = [tree_of(policy, column, values) for column, values in told]
        self.grids = [None] * len(policy.quasi_identifiers)
        for at, column in enumerate(policy.ranged if policy.grid else ()):
            j, step = policy.quasi_identifiers.index(column), steps[at] if steps and at < len(steps) else None
            self.grids[j] = Grid(self.values[j], policy.step or step, wide=policy.cost == "ncp")
        pairs = zip(self.trees, self.grids, strict=True)  # a ranged column shows a value, a run or a star [G4]
        self.heights = tuple(tree.height if tree else 2 if grid else 1 for tree, grid in pairs)
        self.mask, changing = Mask(policy.mask, policy.quasi_identifiers, self.heights), [True] * len(self.heights)
        if math.prod(h + 1 for h in self.heights) <= 1 << 16:
            vectors = allowed_vectors(self.mask, self.heights)
            refuse(not vectors, "the mask allows no pattern at all")
            changing = [any(levels) for levels in zip(*vectors, strict=True)]
        # what is never changed shows no labels
        self.labelled = [tree if tree and on else None for tree, on in zip(self.trees, changing, strict=True)]
        held = [
            held_of(policy, column, original.names, lambda names: Counter(original.cells(names)))
            if policy.cost in ("ncp", *LOOKING) else None
            for column in policy.quasi_identifiers
        ]  # fmt: skip
        # where stars are NULL a missing value is a second line: it looks like a star at every level, and is paid as one
        # by the original already [T8]
        self.gapped = [j for j, values in enumerate(self.values) if policy.star is None and None in values]
        plain = [READINGS[policy.cost](tree, of) if tree else [[Fraction(0), Fraction(1)], [Fraction(1)] * 2]
                 for tree, of in zip(self.trees, held, strict=True)]  # fmt: skip
        weights = [policy.weights.get(column, Fraction(1)) for column in policy.quasi_identifiers]
        # per column and line the costs of its levels [T4]
        self.costs = [[[cost * w for cost in line] for line in told] for told, w in zip(plain, weights, strict=True)]
        told = {cost for column in self.costs for line in column for cost in line}
        # by the places of a column's values, what a run ends with and begins with [G3]
        self.paid_at = [[w * x for x in grid.paid] if grid else [] for grid, w in zip(self.grids, weights, strict=True)]
        told.update(cost for paid in self.paid_at for cost in paid)
        self.scale = math.lcm(*(cost.denominator for cost in told))
        most = max(self.scale, len(original.rows) * len(self.trees) * max(told) * self.scale)
        refuse(most >= 2**62, "the costs have too many digits to be added up")

    def line(self, j, value):
        """Return the line of a value in the costs of its column."""
        return self.trees[j].of[value] if self.trees[j] else int(j in self.gapped and value is None)

    def unchanged(self, trees):
        """Return what the original's rows cost as they are, in columns with some trees and with gaps [T4, T8]."""
        some = [j for j, tree in enumerate(trees) if tree or j in self.gapped]
        return sum((self.costs[j][self.line(j, cells[j])][0] for cells in self.cells for j in some), Fraction(0))

    def run(self, j, cell):
        """Return the run of cells that a released cell shows; None: it is a value, a star, or nothing that is known."""
        grid = self.grids[j]
        return None if grid is None or cell == self.policy.star or cell in grid.numbers else grid.run(cell)

    def readings(self, cells):
        """Return the lowest and the highest levels at which released cells may stand [R3]."""
        star, low, high = self.policy.star, [], []
        for j, (cell, tree) in enumerate(zip(cells, self.labelled, strict=True)):
            top = self.heights[j] if star is not None and cell == star else 1 if self.run(j, cell) else 0
            low.append(tree.low.get(cell, top) if tree and not top else top)
            high.append(tree.high.get(cell, top) if tree and not top else top)
        return tuple(low), tuple(high)

    def readable(self, before, after):
        """Return whether the mask allows some reading of the NULLs of a row that misses values: gaps or stars [R6]."""
        low = tuple(int(b is None and a is not None) for a, b in zip(before, after, strict=True))
        return keeps(self.mask, low, tuple(int(cell is None) for cell in after))


def released_as_asked(fitted, released):
    """Return what is wrong with a release."""
    policy, original, star = fitted.policy, fitted.original, fitted.policy.star
    found = [f"columns: missing number {j + 1}" for j, c in enumerate(fitted.kept) if c not in released.names]  # [R1]
    if found:
        return found
    if list(released.names) != fitted.kept:
        found.append("columns: others than those kept, or in another order")
    if len(released.rows) != len(original.rows):
        found.append("rows")  # [R2]
    shown, classes = released.cells(policy.quasi_identifiers), defaultdict(Counter)
    for cells, kind in zip(shown, released.cells(fitted.judged), strict=True):
        classes[cells][kind] += 1
    free = policy.outliers == "suppress"
    if any(kinds.total() < policy.k and not (free and set(cells) == {star}) for cells, kinds in classes.items()):
        found.append(f"k={policy.k}")  # [R4]
    table = Counter(original.cells(fitted.judged))
    # every class is asked, whatever others say: one that cannot be decided is not passed over
    for model in policy.models:  # [R5]
        asked = Requirement(model, fitted.judged, table)
        if sum(not (set(kinds) <= set(table) and asked.met(kinds)) for kinds in classes.values()):
            found.append(model.rule)
    if star is not None and sum(not keeps(fitted.mask, *fitted.readings(cells)) for cells in classes):
        found.append("mask")  # [R6]
    suppressed, low, high = shown_at(fitted, classes)
    if policy.limit is not None and suppressed > policy.most_suppressed(len(shown)):
        found.append("suppression limit")  # [U2]
    if (
        policy.single
        and suppressed < len(shown)
        and not (all(map(int.__le__, low, high)) and keeps(fitted.mask, low, high))
    ):
        found.append("recoding")  # [U1]
    known = [{*values, star, *(tree.low if tree else ())}
             for values, tree in zip(fitted.values, fitted.labelled, strict=True)]  # fmt: skip
    if not all(cell in known[j] or fitted.run(j, cell) for cells in classes for j, cell in enumerate(cells)):
        found.append("invented value")  # [R7]
    try:
        faithful = paired(fitted, shown, released.cells(fitted.others))
    except Unreadable:
        refuse(not found, "a row of the release can be read at too many levels")
        faithful = False
    return found + ["faithful"] * (not faithful)  # [R8]


def held_to(fitted, released):
    """Return what a release is held to, the columns that passed unchanged, and the rows unique on them [R11]."""
    policy, names = fitted.policy, [name for name in released.names if name not in fitted.policy.quasi_identifiers]
    cells, rows = released.cells(names), len(released.rows)
    kept = []
    for name, column in zip(names, zip(*cells, strict=True) if cells else [()] * len(names), strict=True):
        distinct = len(set(column) - {None})
        role = "sensitive" if name in policy.sensitive else "other"
        near = distinct > 1 and rows <= 2 * distinct
        kept.append({"name": name, "role": role, "distinct": distinct, "nearly_unique": near})
    alone = sum(count == 1 for count in Counter(cells).values()) if names else 0
    return {
        "k": policy.k, "asked": [model.rule for model in policy.models],
        "quasi_identifiers": list(policy.quasi_identifiers),
        "kept_columns": kept, "kept_unique_rows": alone, "rows": rows,
    }  # fmt: skip


def held_words(held):
    """Return that in words, and a warning where columns without a role tell who somebody is."""
    kept, alone, rows = held["kept_columns"], held["kept_unique_rows"], held["rows"]
    names = [f"{one['name']} (sensitive)" if one["role"] == "sensitive" else one["name"] for one in kept]
    asked = "; ".join([f"k = {held['k']}", *held["asked"]])
    lines = [f"held to: {asked}", f"columns that counted: {', '.join(held['quasi_identifiers'])}"]
    lines.append(f"passed unchanged: {', '.join(names) or 'no other column'}")
    lines += [f"unlike any other on what passed unchanged: {alone} of {rows} rows"] if kept else []
    near = [one["name"] for one in kept if one["nearly_unique"] and one["role"] == "other"]
    if near or (any(one["role"] == "other" for one in kept) and 0 < rows <= 2 * alone):
        about = f": nearly unique: {', '.join(near)}" if near else ""
        lines.append(f"WARNING: who knows columns without a role finds people{about}")
    return ["".join(map(visible, line)) for line in lines]


def visible(sign):
    """Return a sign that is seen, for controls and for signs that nobody sees or that turn the way of reading."""
    return "\ufffd" if unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Zl", "Zp") else sign


def shown_at(fitted, classes):
    """Return the fully suppressed rows, and the lowest and highest levels at which all others can be read [U1]."""
    suppressed, low, high = 0, (0,) * len(fitted.heights), fitted.heights
    for cells, kinds in classes.items():
        ends = fitted.readings(cells)
        if ends[0] == fitted.heights:
            suppressed += kinds.total() if isinstance(kinds, Counter) else kinds
        else:
            low, high = tuple(map(max, low, ends[0])), tuple(map(min, high, ends[1]))
    return suppressed, low, high


def sum_of(released):
    """Return the sum modulo 2^128 of the MD5 of every released row, as 32 digits [H8]."""
    total = 0
    for row in released.rows:
        text = "".join("n" if cell is None else f"{len(cell)}:{cell}" for cell in row)
        total += int.from_bytes(hashlib.md5(text.encode(), usedforsecurity=False).digest(), "big")
    return f"{total % 2**128:032x}"


def cost_of(fitted, released):
    """Return what the release costs, least and most [R9]."""
    policy, low, high = fitted.policy, Fraction(0), Fraction(0)
    if not set(policy.quasi_identifiers) <= set(released.names):
        return None
    shown = released.cells(policy.quasi_identifiers)
    if policy.star is None:  # a star is NULL, and so may be what was missing before
        for j, ((_, star), _) in enumerate(fitted.costs):
            after, before = (sum(cells[j] is None for cells in rows) for rows in (shown, fitted.cells))
            low, high = low + max(after - before, 0) * star, high + after * star
        return low, high
    for cells, rows in Counter(shown).items():
        costs = [
            line[tree.first.get(cell, 0)] if tree else [Fraction(0)] * top + line[0][-1:]
            for cell, tree, line, top in zip(cells, fitted.labelled, fitted.costs, fitted.heights, strict=True)
        ]
        for j, run in ((j, fitted.run(j, cell)) for j, cell in enumerate(cells)):
            if run:
                costs[j] = [fitted.paid_at[j][run[1] - 1] - fitted.paid_at[j][run[0]]] * 3  # [G3]
        ends = paid_between(fitted.mask, *fitted.readings(cells), costs)
        low, high = low + ends[0] * rows, high + ends[1] * rows
    own = fitted.unchanged(fitted.labelled)
    return low - own, high - own


def paired(fitted, shown, others):
    """Return whether every released row can have an original of its own [R8]."""
    star, blocks, ways = fitted.policy.star, defaultdict(lambda: (Counter(), Counter())), []
    for side, every, rows in ((0, fitted.original.cells(fitted.others), fitted.cells), (1, others, shown)):
        for block, cells in zip(every, rows, strict=True):
            blocks[block][side][cells] += 1
    if any(want.total() > have.total() for have, want in blocks.values()):
        return False
    for have, want in blocks.values():
        if star is not None and want <= have:
            continue  # the same cells
        fits, patterns = [{} for _ in want], defaultdict(list)  # which cell shows which level; None: it shows nothing
        for r, cells in enumerate(want):
            low, _ = fitted.readings(cells)
            runs = tuple(j for j, cell in enumerate(cells) if fitted.run(j, cell))
            levels = tuple(None if cell == star or j in runs else low[j] for j, cell in enumerate(cells))
            patterns[levels, runs].append((r, cells))
        for (levels, runs), some in patterns.items():
            told = [(j, level, fitted.trees[j]) for j, level in enumerate(levels) if level is not None]
            by_shown = grouped(some, lambda one, told=told: tuple(one[1][j] for j, _, _ in told))
            for o, cells in enumerate(have):
                key = tuple(cells[j] if not level else tree.shown[tree.of[cells[j]]][level] for j, level, tree in told)
                for r, after in by_shown.get(key, ()):
                    held = all(fitted.grids[j].holds(fitted.run(j, after[j]), cells[j]) for j in runs)  # [G2]
                    if held and (star is not None or fitted.readable(cells, after)):
                        fits[r][o] = 0
        ways.append((list(have.values()), list(want.values()), fits))
    return all(least_cost(*way) is not None for way in ways)
