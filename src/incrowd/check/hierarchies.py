"""The levels of a column: a hierarchy's lines, their costs, and grids of ranges."""

from __future__ import annotations

import bisect
import datetime
import functools
import itertools
import re
from collections import Counter, defaultdict
from fractions import Fraction

from .exact import Unreadable, exact, grouped, micro_bits, refuse
from .policy import LOOKING
from .tables import lines_of
from .words import bare, check_tree, made, proposed

PLAIN_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


class Hierarchy:
    """The levels of one column: per value its label at level 0, 1, ... h - 1; the star stands at level h [T3]."""

    def __init__(self, lines, values, policy, level_costs=None, node_costs=None):
        refuse(len({len(line) for line in lines}) != 1, "its hierarchy needs lines, all with as many entries")
        lines = bare(lines)
        self.height, missing, known = len(lines[0]), None in values, {line[0] for line in lines}
        lacking = [v for v in values if ("NULL" if v is None else v) not in known]
        lacking += ["NULL"] if missing and "NULL" in values and "NULL" in known else []
        lost, there = (sum(v is not None for v in some) for some in (lacking, values))
        refuse(
            lost and lost == there, f"none of the column's {there} distinct values has a line in its hierarchy; is it "
            "that of another column, or are the values written otherwise there?",
        )  # fmt: skip
        mend = "add a line for each, or put them under the root (complete_hierarchies = true)"
        refuse(lacking and not policy.complete, f"its hierarchy lacks {len(lacking)} of the column's values; {mend}")
        self.lines = lines = [*lines, *(("NULL" if v is None else v,) * self.height for v in lacking)]
        check_tree(lines)
        hidden = policy.star not in (None, "*") and any(policy.star in line[1:] for line in lines)
        refuse(hidden, "a label of its hierarchy is the star text; choose another star")
        refuse(None not in (level_costs, node_costs), "its hierarchy has costs by level and by node; give one of them")
        self.level_costs = level_costs and [exact(cost, "a level's cost") for cost in level_costs]
        self.node_costs = {label: exact(cost, "a node's cost") for label, cost in (node_costs or {}).items()}
        strange = not set(self.node_costs) <= {"*", *(label for line in lines for label in line[1:])}
        strange = strange or (level_costs is not None and len(level_costs) != self.height)
        refuse(
            strange,
            "the costs of its hierarchy name a label that it does not have, or are not one for every level above 0",
        )
        own = leaves(self) if level_costs or self.node_costs else ()
        falls = any(a > b for line in own for a, b in itertools.pairwise(line))
        refuse(
            falls,
            "the costs of its hierarchy fall towards the star; a coarser label costs at least as much as a finer one",
        )
        # where the column has missing values, the line NULL stands for them, and its NULL is shown as one
        self.shown = [
            tuple(None if cell == "NULL" else cell for cell in line) if missing and line[0] == "NULL" else line
            for line in lines
        ]
        self.of = {line[0]: i for i, line in enumerate(self.shown)}
        self.low, self.high, self.first = places_of(self.shown)


def places_of(shown):
    """Return the lowest and the highest level of every label, and the first line in which it stands [R3]."""
    low, high, first = {}, {}, {}
    for i, line in enumerate(shown):
        for level, label in enumerate(line):
            low[label], high[label] = min(low.get(label, level), level), max(high.get(label, level), level)
            first.setdefault(label, i)
    return low, high, first


def leaves(tree, held=None):
    """Return (leaves below - 1) / (leaves - 1) of every node, or what the tree says itself."""
    del held
    if tree.level_costs is not None:
        return [[Fraction(0), *tree.level_costs]] * len(tree.lines)
    below, own = [Counter(line[level] for line in tree.lines) for level in range(1, tree.height)], tree.node_costs
    share = {n: Fraction(n - 1, max(len(tree.lines) - 1, 1)) for counted in below for n in set(counted.values())}
    zero, star = Fraction(0), own.get("*", Fraction(1))
    inner = [[own.get(label, share[counted[label]]) for label, counted in zip(line[1:], below, strict=True)]
             for line in tree.lines]  # fmt: skip
    return [[zero, *costs, star] for costs in inner]


def cells(tree, held=None):
    """Return 1 for all but the values themselves."""
    del held
    return [[Fraction(0)] + [Fraction(1)] * tree.height] * len(tree.lines)


def levels(tree, held=None):
    """Return level / height."""
    del held
    return [[Fraction(level, tree.height) for level in range(tree.height + 1)]] * len(tree.lines)


class Held:
    """What a table holds of a column, for costs that look at it [T4]: rows by value, and by the values of targets."""

    def __init__(self, rows, *, numeric=False, counting=Fraction(0), telling=()):
        """Keep it: weights of queries that count rows, added up, and (weight, rows by value and target) of others."""
        self.rows, self.numeric, self.counting, self.telling = rows, numeric, counting, telling

    @functools.cached_property
    def numbers(self):
        """Return the number of every value, missing ones left out."""
        return {value: number_of(value) for value in self.rows if value is not None}

    @functools.cached_property
    def width(self):
        """Return how far apart the least and the greatest number are."""
        return max(self.numbers.values()) - min(self.numbers.values())

    def penalty(self, values):
        """Return the share of the column's values, or of their width if it is numeric, that some values are."""
        if not self.numeric:
            return Fraction(len(values) if len(values) > 1 else 0, len(self.rows))
        numbers = [self.numbers[value] for value in values if value is not None]
        if not numbers or len(numbers) < len(values):
            return Fraction(1 if numbers else 0)
        return (max(numbers) - min(numbers)) / self.width if self.width else Fraction(0)

    def lost(self, values):
        """Return what the workload's queries lose where some values are one."""
        cost = self.counting * Fraction((len(values) - 1) * 10**6 // len(values), 10**6)
        for weight, told in self.telling:
            apart = [told[value] for value in values]
            joined = Counter()
            for rows in apart:
                joined.update(rows)
            grown = (spread(joined) - sum(map(spread, apart))) * 10**6 // joined.total()
            cost += weight * Fraction(max(grown, 0), 10**6)
        return cost


def held_of(policy, column, names, counted):
    """Return what a table with such columns holds of one; `counted` says how many rows have which cells of columns."""
    counting, telling = Fraction(0), []
    for columns, weight, target in policy.queries:
        refuse(target is not None and target not in names, "a target is no column of the original")
        if column in columns and target is None:
            counting += weight
        elif column in columns:
            told = defaultdict(Counter)
            for (value, other), rows in counted([column, target]).items():
                told[value][other] += rows
            refuse(sum(map(len, told.values())) > 10**6, "a column and a target have too many pairs of values")
            telling.append((weight, told))
    rows = Counter({value: rows for (value,), rows in counted([column]).items()})
    return Held(rows, numeric=column in policy.numeric, counting=counting, telling=telling)


def by_members(tree, held, first, cost):
    """Return costs of what stands at a level: of the values below that the table holds, and what these cost before."""
    found = [[first(line[0]) for line in tree.shown]]
    for level in range(1, tree.height + 1):
        labels = ["*" if level == tree.height else line[level] for line in tree.lines]
        below = grouped((i for i, line in enumerate(tree.shown) if held.rows[line[0]]), labels.__getitem__)
        told = {label: cost([tree.shown[i][0] for i in some], [found[-1][i] for i in some])
                for label, some in below.items()}  # fmt: skip
        found.append([told.get(label, Fraction(0)) for label in labels])
    return [list(line) for line in zip(*found, strict=True)]


def ncp(tree, held):
    """Return each label's share of the values of the table; of a numeric column its share of their width."""
    found = by_members(tree, held, lambda _: Fraction(0), lambda values, _: held.penalty(values))
    return [[*line[:-1], Fraction(1)] for line in found]


def entropy(tree, held):
    """Return log2 of the rows below each node, also at level 0: what rows cost as they are is taken off later."""
    rows = held.rows
    return by_members(tree, held, lambda v: micro_bits(rows[v]), lambda some, _: micro_bits(sum(rows[v] for v in some)))


def workload(tree, held):
    """Return what the queries lose by each label; a label never costs less than one below it."""
    return by_members(tree, held, lambda _: Fraction(0), lambda some, before: max([held.lost(some), *before]))


READINGS = {"leaves": leaves, "cells": cells, "levels": levels, "ncp": ncp, "entropy": entropy, "workload": workload}


def spread(rows):
    """Return N log2 N - sum of n log2 n for N rows of which n have each value."""
    return rows.total() * micro_bits(rows.total()) - sum(n * micro_bits(n) for n in rows.values())


def number_of(text):
    """Return the number that a cell of a numeric column writes."""
    refuse(len(text) > 1000 or not PLAIN_NUMBER.fullmatch(text), "a numeric column holds what is no decimal number")
    return Fraction(text)


RANGED_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(?:\.([0-9]{1,9}))?")
A_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
AN_END = r"(?:-?(?:0|[1-9][0-9]{0,15})(?:\.[0-9]{1,9})?|[0-9]{4}-[0-9]{2}-[0-9]{2})"
A_RUN = re.compile(rf"< (?P<below>{AN_END})|>= (?P<least>{AN_END})|(?P<a>{AN_END})(?P<to>-| to )(?P<b>{AN_END})")


class Grid:
    """A column of numbers or dates that may show runs of cells of a grid [G1, G2]."""

    def __init__(self, values, step, *, wide=False):
        refuse(None in values, "a column for ranges has missing values")
        self.dated = all(map(A_DATE.fullmatch, values))
        refuse(self.dated and wide, "a column of dates has no width under this cost")
        found = [RANGED_NUMBER.fullmatch(value) for value in values]
        refuse(not self.dated and None in found, "a column for ranges holds what is no number and no date")
        self.unit = Fraction(1, 1 if self.dated else 10 ** max(len(match[1] or "") for match in found))
        self.numbers = {value: self.number(value) for value in values}
        refuse(None in self.numbers.values(), "a column for ranges holds a date that there is not")
        refuse(len(set(self.numbers.values())) < 2, "a column for ranges holds one number only")
        self.step, self.sorted, self.known = step or self.unit, sorted(self.numbers.values()), {}
        least, most, last = self.sorted[0], self.sorted[-1], len(values) - 1
        # a run costs, before the weight, what stands at its last place less what stands at its first [G3]
        self.paid = [(x - least) / (most - least) if wide else Fraction(i, last) for i, x in enumerate(self.sorted)]

    def number(self, text):
        """Return the number that a value or an end of a label writes; None: it is none of this column's kind."""
        if not self.dated or not A_DATE.fullmatch(text):
            return None if self.dated or A_DATE.fullmatch(text) else Fraction(text)
        try:
            return Fraction(datetime.date.fromisoformat(text).toordinal())
        except ValueError:
            return None

    def run(self, cell):
        """Return the values of a run as places (first, behind its last) in their order; None: it is no run."""
        if cell not in self.known:
            self.known[cell] = None if cell is None else self.run_of(cell)
        return self.known[cell]

    def run_of(self, label):
        """Read a label as G2 says."""
        match = A_RUN.fullmatch(label)
        if match is None or (match["to"] == "-" and (self.dated or match["a"].startswith("-"))):
            return None
        ends = [match[name] and self.number(match[name]) for name in ("below", "least", "a", "b")]
        if any(match[name] and end is None for name, end in zip(("below", "least", "a", "b"), ends, strict=True)):
            return None
        below, least, a, b = ends
        if match["to"]:
            decimals = max(len(match[name].partition(".")[2]) for name in "ab")
            least, below = a, b + min(self.unit, Fraction(1, 10**decimals))
            if b < a:
                return None
        if any(end is not None and (end / self.step).denominator != 1 for end in (below, least)):
            return None
        first = 0 if least is None else bisect.bisect_left(self.sorted, least)
        last = len(self.sorted) if below is None else bisect.bisect_left(self.sorted, below)
        inside = first < last and (least is None) == (first == 0) and (below is None) == (last == len(self.sorted))
        return (first, last) if inside else None

    def holds(self, run, value):
        """Return whether a value of the column lies in a run."""
        return run[0] <= bisect.bisect_left(self.sorted, self.numbers[value]) < run[1]


def tree_of(policy, column, values):
    """Return the hierarchy of a column with some values; None: it has none. A refusal names the column."""
    told, ranged = [value for value in values if value is not None], policy.grid and column in policy.ranged
    try:
        if column in policy.hierarchies:
            return hierarchy_of(policy.hierarchies[column], values, policy)
        if policy.auto and not ranged and (words := proposed(column, told)):  # [W6]
            return made_hierarchy(words, values, policy, complete=True)
    except Unreadable as error:
        raise Unreadable(f"column {column!r}: {error}") from None
    flat = [("NULL" if value is None else value,) for value in values]  # these and the star
    return Hierarchy(flat, values, policy) if policy.cost in LOOKING else None


def hierarchy_of(spec, values, policy):
    """Return the hierarchy that a policy names by a CSV file, or makes by words, for a column with some values."""
    if isinstance(spec, tuple):  # no file says that: lines, and their costs, of a policy in memory
        return Hierarchy(spec[0], values, policy, **spec[1])
    words = made(spec)
    if words is not None:
        return made_hierarchy(words, values, policy, complete=policy.complete)
    spec = {"file": spec} if isinstance(spec, str) else spec
    good = isinstance(spec["file"], str) and set(spec) <= {"file", "level_costs", "node_costs"}
    refuse(not good, "a hierarchy names no file, or has a word that is not known")
    more = {name: spec[name] for name in spec if name != "file"}
    refuse(more and policy.cost != "leaves", "a hierarchy has costs of its own, which the policy's cost does not use")
    return Hierarchy(lines_of(policy.folder / spec["file"], policy.encodings), values, policy, **more)


def made_hierarchy(words, values, policy, *, complete):
    """Return the hierarchy that words make of a column's values; a missing value is under the root [W1]."""
    lines = words.lines([value for value in values if value is not None], complete=complete)
    refuse(not lines, "its hierarchy is made of no values")
    return Hierarchy([*lines, *(("NULL",) * len(lines[0]) for value in values if value is None)], values, policy)
