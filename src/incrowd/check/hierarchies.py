"""The levels of a column: a hierarchy's lines, their costs, and grids of ranges."""

from __future__ import annotations

import bisect
import datetime
import itertools
import re
from collections import Counter, defaultdict
from fractions import Fraction

from .exact import exact, grouped, micro_bits, refuse
from .tables import lines_of
from .words import made

PLAIN_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


class Hierarchy:
    """The levels of one column: per value its label at level 0, 1, ... h - 1; the star stands at level h [T3]."""

    def __init__(self, lines, values, policy, level_costs=None, node_costs=None):
        refuse(len({len(line) for line in lines}) != 1, "a hierarchy has no lines, or lines of several lengths")
        if len(lines[0]) > 1 and all(line[-1] == "*" for line in lines):
            lines = [line[:-1] for line in lines]
        self.height, missing, leaves = len(lines[0]), None in values, {line[0] for line in lines}
        lacking = [v for v in values if ("NULL" if v is None else v) not in leaves]
        lacking += ["NULL"] if missing and "NULL" in values and "NULL" in leaves else []
        lost, there = (sum(v is not None for v in some) for some in (lacking, values))
        refuse(lost and lost == there, "no value of its column is in a hierarchy")
        refuse(lacking and not policy.complete, "a hierarchy lacks values of its column")
        self.lines = lines = [*lines, *(("NULL" if v is None else v,) * self.height for v in lacking)]
        self.check(lines)
        hidden = policy.star not in (None, "*") and any(policy.star in line[1:] for line in lines)
        refuse(hidden, "a label of a hierarchy is the star text")
        refuse(None not in (level_costs, node_costs), "a hierarchy has costs by level and by node")
        self.level_costs = level_costs and [exact(cost, "a level's cost") for cost in level_costs]
        self.node_costs = {label: exact(cost, "a node's cost") for label, cost in (node_costs or {}).items()}
        strange = not set(self.node_costs) <= {"*", *(label for line in lines for label in line[1:])}
        strange = strange or (level_costs is not None and len(level_costs) != self.height)
        refuse(strange, "the costs of a hierarchy name a label that it does not have, or are not one for every level")
        # where the column has missing values, the line NULL stands for them, and its NULL is shown as one
        self.shown = [
            tuple(None if cell == "NULL" else cell for cell in line) if missing and line[0] == "NULL" else line
            for line in lines
        ]
        self.of = {line[0]: i for i, line in enumerate(self.shown)}
        self.low, self.high, self.first = {}, {}, {}
        for i, line in enumerate(self.shown):
            for level, label in enumerate(line):
                self.low[label] = min(self.low.get(label, level), level)
                self.high[label] = max(self.high.get(label, level), level)
                self.first.setdefault(label, i)

    @staticmethod
    def check(lines):
        """Refuse lines that are no tree, or a label that names two sets of values."""
        bad = len({line[0] for line in lines}) < len(lines) or len(lines[0]) > 120 or any("*" in line for line in lines)
        refuse(bad, "a hierarchy has a value twice, a star below its top, or too many levels")
        named = {}
        for level in range(len(lines[0])):
            for label, members in grouped(range(len(lines)), lambda i, level=level: lines[i][level]).items():
                parted = 0 < level < len(lines[0]) - 1 and len({lines[i][level + 1] for i in members}) > 1
                bad = parted or named.setdefault(label, members) != members
                refuse(bad, "the lines of a hierarchy are no tree, or a label names two sets of values")

    def costs(self, kind, held=None):
        """Return what every line costs at level 0, 1, ... h, as lists of fractions [T4]; `held`: of the table."""
        if held is not None:
            return held.costs(kind, self)
        zero, one, h, last = Fraction(0), Fraction(1), self.height, max(len(self.lines) - 1, 1)
        below = [Counter(line[level] for line in self.lines) for level in range(h)]
        found = [[zero] + [one] * h] if kind == "cells" else [[Fraction(level, h) for level in range(h + 1)]]
        if kind == "leaves" and self.level_costs is not None:
            found = [[zero, *self.level_costs]]
        elif kind == "leaves":
            own, star = self.node_costs, self.node_costs.get("*", one)
            found = [[zero, *(own.get(line[j], Fraction(below[j][line[j]] - 1, last)) for j in range(1, h)), star]
                     for line in self.lines]  # fmt: skip
        falls = any(a > b for line in found for a, b in itertools.pairwise(line))
        refuse(falls, "the costs of a hierarchy fall towards its star")
        return found if len(found) > 1 else found * len(self.lines)


class Held:
    """What a table holds of a column, for costs that look at it [T4]: rows by value, and by the values of targets."""

    def __init__(self, policy, column, original):
        (cells,) = zip(*original.cells([column]), strict=True)
        self.rows, self.numeric, self.counting, self.telling = Counter(cells), column in policy.numeric, Fraction(0), []
        for columns, weight, target in policy.queries:
            refuse(target is not None and target not in original.names, "a target is no column of the original")
            if column in columns and target is None:
                self.counting += weight
            elif column in columns:
                told = defaultdict(Counter)
                for value, (other,) in zip(cells, original.cells([target]), strict=True):
                    told[value][other] += 1
                refuse(sum(map(len, told.values())) > 10**6, "a column and a target have too many pairs of values")
                self.telling.append((weight, told))

    def costs(self, kind, tree):
        """Return what every line of a tree costs at level 0, 1, ... h."""
        levels = [[micro_bits(self.rows[line[0]]) if kind == "entropy" else Fraction(0) for line in tree.shown]]
        for level in range(1, tree.height + 1):
            labels = ["*" if level == tree.height else line[level] for line in tree.lines]
            below = grouped((i for i, line in enumerate(tree.shown) if self.rows[line[0]]), labels.__getitem__)
            found = dict.fromkeys(labels, Fraction(0))
            for label, lines in below.items():
                values = [tree.shown[i][0] for i in lines]
                if kind == "entropy":
                    found[label] = micro_bits(sum(self.rows[value] for value in values))
                elif kind == "ncp":
                    found[label] = self.penalty(values)
                else:
                    found[label] = max([self.lost(values), *(levels[-1][i] for i in lines)])
            if kind == "ncp" and level == tree.height:
                found = {"*": Fraction(1)}
            levels.append([found[label] for label in labels])
        return [list(line) for line in zip(*levels, strict=True)]

    def penalty(self, values):
        """Return the share of the column's values, or of their width if it is numeric, that some values are."""
        if not self.numeric:
            return Fraction(len(values) if len(values) > 1 else 0, len(self.rows))
        numbers, every = ([number_of(v) for v in some if v is not None] for some in (values, self.rows))
        if not numbers or len(numbers) < len(values):
            return Fraction(1 if numbers else 0)
        width = max(every) - min(every)
        return (max(numbers) - min(numbers)) / width if width else Fraction(0)

    def lost(self, values):
        """Return what the workload's queries lose where some values are one."""
        cost = self.counting * Fraction((len(values) - 1) * 10**6 // len(values), 10**6)
        for weight, told in self.telling:
            apart = [told[value] for value in values]
            joined = sum(apart, Counter())
            grown = (spread(joined) - sum(map(spread, apart))) * 10**6 // joined.total()
            cost += weight * Fraction(max(grown, 0), 10**6)
        return cost


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


def hierarchy_of(spec, values, policy):
    """Return the hierarchy that a policy names by a CSV file, or makes by words, for a column with some values."""
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
    refuse(not lines, "a hierarchy is made of no values")
    return Hierarchy([*lines, *(("NULL",) * len(lines[0]) for value in values if value is None)], values, policy)
