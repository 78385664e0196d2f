"""A second check of a release and of the certificate of its bound, with Python's standard library alone.

    python checker/incrowd_check.py ORIGINAL.csv RELEASE.csv --policy POLICY.toml [--certificate FILE.json] [--json]

Exit status: 0 good, 1 something asked or claimed does not hold, 2 something cannot be read. Nothing here is taken from
`incrowd`: it is written from the page `docs/certificate.md`, and the numbers in brackets, [P1] for example, are the
rules of that page. Tables are CSV; numbers are Python's integers and fractions, so nothing is rounded or wraps around.
No cell of a table is ever printed.

The file reads from the top: what is read (policy, tables, hierarchies), what is asked of classes (models), the release
against its original, and the command. What proves a bound is in `incrowd_check_bound.py` beside it.
"""

from __future__ import annotations

import argparse
import csv
import io
import itertools
import json
import math
import re
import shlex
import sys
import tomllib
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

from incrowd_check_bound import (
    MOST_VECTORS,
    Problem,
    Unreadable,
    Verdict,
    by_bytes,
    kind_of,
    logarithm_sign,
    read_certificate,
    refuse,
)  # fmt: skip

A_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")
BLANKS = " \t\n\r\v\f"


# ---------------------------------------------------------------------------------------------------------- the policy


def exact(value, name):
    """Return a number of the policy exactly; a float means the decimal that it prints as."""
    try:
        if isinstance(value, bool) or not isinstance(value, (int, float, str, Fraction)):
            raise ValueError
        text = (repr(value) if isinstance(value, float) else str(value)).strip()
        power = text.lower().rpartition("e")[2] if "e" in text.lower() else "0"
        if len(text) > 1000 or abs(int(power)) > 999:
            raise ValueError
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise Unreadable(f"{name} is no number") from None


def whole_number(value, name, least=0):
    """Return a whole number of the policy."""
    number = exact(value, name)
    refuse(number.denominator != 1 or number < least, f"{name} is no whole number of at least {least}")
    return int(number)


def plainest(value):
    """Return the plainest text of a fraction, as a rule of a policy is written."""
    if value.denominator == 1:
        return str(int(value))
    short = repr(float(value))
    return short if Fraction(short) == value else f"{value.numerator}/{value.denominator}"


def texts(value, name, *, split=True):
    """Return a list of texts; one text is split at its commas."""
    if isinstance(value, str):
        parts = next(csv.reader([value], skipinitialspace=True), []) if split else [value]
        return tuple(part.strip() for part in parts if part.strip()) if split else tuple(parts)
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    raise Unreadable(f"{name} is no list of texts")


def choice(value, name, *choices):
    """Return a value that is one of some."""
    if not isinstance(value, type(choices[0])) or value not in choices:
        raise Unreadable(f"{name} is none of {', '.join(map(str, choices))}")
    return value


ALIASES = {
    "qi": "quasi_identifiers", "identifier": "identifiers", "requirements": "require", "weight": "weights",
    "hierarchy": "hierarchies", "pattern": "patterns",
}  # fmt: skip
MASK_WORDS = (
    "max_stars", "keep", "together", "at_most_one", "never_together", "max_level", "patterns", "full_suppression",
)  # fmt: skip
READ_WORDS = ("header", "columns", "delimiter", "encoding", "na", "strip")
JOB_WORDS = (
    "source", "output", "certificate", "report", "solver", "time_limit", "gap", "work", "seed", "keep_order",
    "keep_best", "dry_run", "memory", "engine",
)  # fmt: skip
OWN_WORDS = (
    "quasi_identifiers", "sensitive", "identifiers", "other", "numeric", "k", "l", "t", "require",
    "sensitive_distance", "mask", "weights", "cost", "hierarchies", "complete_hierarchies", "recoding", "outliers",
    "suppressed", "star",
)  # fmt: skip


class Policy:
    """What a release must be, as its TOML file says; unknown keys are refused."""

    def __init__(self, path):
        try:
            document = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            raise Unreadable("the policy cannot be read as TOML") from None
        self.folder = Path(path).parent
        said = self._flat(document)
        self.quasi = texts(said.get("quasi_identifiers", []), "quasi_identifiers")
        self.identifiers = texts(said.get("identifiers", []), "identifiers")
        self.other = choice(said.get("other", "keep"), "other", "keep", "drop")
        self.cost = choice(said.get("cost", "leaves"), "cost", "leaves", "cells", "levels")
        self.outliers = choice(said.get("outliers", "forbid"), "outliers", "forbid", "suppress")
        self.complete = choice(said.get("complete_hierarchies", False), "complete_hierarchies", True, False)
        if choice(said.get("recoding", "levels"), "recoding", "levels", "ranges") == "ranges":
            raise Unreadable("recoding = 'ranges' is not read by this program")
        null = choice(said.get("suppressed", "text"), "suppressed", "text", "null") == "null"
        star = said.get("star", "*")
        refuse(not isinstance(star, str) or not star, "star is no text")
        self.star = None if null else star
        self.reading = {name: said[name] for name in READ_WORDS if name in said}
        self.mask = self._mask(said)
        self.weights = {c: exact(w, "a weight") for c, w in self._table(said, "weights").items()}
        refuse(min(self.weights.values(), default=0) < 0, "a weight is below 0")
        self.hierarchies = self._table(said, "hierarchies")
        asked = said.get("require", [])
        asked = [self._model(one) for one in (asked if isinstance(asked, list) else [asked])]
        ks = [model.asked["k"] for model in asked if model.name == "k-anonymity"]
        ks += [whole_number(said["k"], "k", 1)] if "k" in said else []
        refuse(not ks or not self.quasi, "the policy names no k, or no quasi-identifiers")
        self.k = max(ks)
        asked = [model for model in asked if model.name != "k-anonymity"]
        named = texts(said.get("sensitive", []), "sensitive")
        judged = dict.fromkeys(column for model in asked for column in model.judged)
        self.sensitive = (*named, *(column for column in judged if column not in named))
        self.models = asked + [model for model in self._everywhere(said) if model.key not in {m.key for m in asked}]
        roles = (*self.quasi, *self.sensitive, *self.identifiers)
        if len(set(roles)) < len(roles) or not {*self.weights, *self.hierarchies} <= set(self.quasi):
            raise Unreadable("a column has two roles, or a weight or hierarchy is of no quasi-identifier")
        refuse(null and self.hierarchies, "suppressed = 'null' goes with no hierarchies")

    @staticmethod
    def _flat(document):
        flat = {}
        for name, value in document.items():
            inner = value if name in ("read", "job") else {name: value}
            known = {"read": READ_WORDS, "job": JOB_WORDS}.get(name, (*OWN_WORDS, *MASK_WORDS, *READ_WORDS, *JOB_WORDS))
            refuse(not isinstance(inner, dict), f"[{name}] is no table")
            for key, entry in inner.items():
                key = ALIASES.get(key, key)
                refuse(key not in known or key in flat, f"the policy has a key that is unknown or given twice: {key!r}")
                flat[key] = entry
        return flat

    @staticmethod
    def _table(said, name):
        value = said.get(name, {})
        refuse(not isinstance(value, dict), f"[{name}] is no table")
        return value

    def _mask(self, said):
        mask = dict(self._table(said, "mask"))
        words = {name: said[name] for name in MASK_WORDS if name in said}
        refuse(words and ("any" in mask or "all" in mask), "a word of the mask stands beside a composed mask")
        return mask | words

    def _everywhere(self, said):
        """Return the models that l and t alone ask for: one for every sensitive column."""
        apart = self._table(said, "sensitive_distance")
        if (("l" in said or "t" in said) and not self.sensitive) or not set(apart) <= set(self.sensitive):
            raise Unreadable("l, t or a sensitive_distance is about no sensitive column")
        refuse(apart and "t" not in said, "sensitive_distance is given without t")
        if "l" in said:
            yield from (Model("l-diversity", {"l": said["l"], "column": c}, self.folder) for c in self.sensitive)
        if "t" in said:
            for column in self.sensitive:
                kind, sign, file = str(apart.get(column, "equal")).partition(":")
                more = {"hierarchy": file} if sign else {}
                settings = {"t": said["t"], "column": column, "distance": kind, **more}
                yield Model("t-closeness", settings, self.folder)

    def _model(self, said):
        if isinstance(said, str):
            try:
                name, *words = shlex.split(said)
            except ValueError:
                raise Unreadable("require cannot be read") from None
            pairs = [word.partition("=") for word in words]
            settings = {key: value for key, _, value in pairs}
            refuse(len(settings) < len(pairs) or not all(sign for _, sign, _ in pairs), "require cannot be read")
        elif isinstance(said, dict):
            settings = dict(said)
            name = settings.pop("model", None) or settings.pop("name", None)
        else:
            raise Unreadable("require cannot be read")
        return Model(name, settings, self.folder)


# ------------------------------------------------------------------------------------------------------------ the mask


class Rules:
    """Plain rules of a mask: a level vector obeys all of them [T6]."""

    def __init__(self, said, columns, heights):
        refuse(not set(said) <= set(MASK_WORDS), "the mask has a word that is not known")
        self.heights = heights
        place = {column: j for j, column in enumerate(columns)}

        def at(column):
            refuse(column not in place, "the mask names a column that is no quasi-identifier")
            return place[column]

        def level(number, j):
            if type(number) is not int or not 0 <= number <= heights[j]:
                raise Unreadable("the mask names a level that a column does not have")
            return number

        def groups(word):
            value = said.get(word, [])
            value = [value] if value and all(isinstance(one, str) for one in value) else value
            found = [[at(column) for column in texts(group, word)] for group in value]
            refuse(any(len(set(group)) < 2 for group in found), f"{word} has a group of fewer than two columns")
            return found

        self.stars_alone = choice(said.get("full_suppression", True), "full_suppression", True, False)
        self.most_stars = whole_number(said.get("max_stars", len(heights)), "max_stars")
        tops = said.get("max_level", {})
        refuse(not isinstance(tops, dict), "max_level is no table")
        self.tops = [(at(column), 0) for column in texts(said.get("keep", []), "keep")]
        self.tops += [(at(column), level(top, at(column))) for column, top in tops.items()]
        self.together, self.at_most_one, self.never = map(groups, ("together", "at_most_one", "never_together"))
        self.listed = None
        if "patterns" in said:
            self.listed = set()
            for one in [said["patterns"]] if isinstance(said["patterns"], dict) else said["patterns"]:
                vector = [0] * len(heights)
                for column in one:
                    j = at(column)
                    vector[j] = level(one[column], j) if isinstance(one, dict) else heights[j]
                self.listed.add(tuple(vector))

    def allows(self, vector):
        """Return whether a level vector obeys the rules; that of stars alone is judged by full_suppression only."""
        if vector == self.heights and any(vector):
            return self.stars_alone
        if any(0 < sum(vector[j] > 0 for j in group) < len(group) for group in self.together):
            return False
        return not self.too_high(vector) and (self.listed is None or vector in self.listed)

    def too_high(self, vector):
        """Return whether a rule is broken that higher levels break too."""
        return (
            sum(level == top > 0 for level, top in zip(vector, self.heights, strict=True)) > self.most_stars
            or any(vector[j] > top for j, top in self.tops)
            or any(sum(vector[j] > 0 for j in group) > 1 for group in self.at_most_one)
            or any(all(vector[j] > 0 for j in group) for group in self.never)
        )

    def raised(self, vector):
        """Return levels that every allowed vector at or above one has, but stars alone; None: there is none."""
        low, moved = list(vector), True
        while moved:
            moved = False
            for group in self.together:
                for j in group:
                    if low[j] == 0 and any(low[i] > 0 for i in group):
                        if self.heights[j] == 0:
                            return None
                        low[j], moved = 1, True
        if self.listed is not None:
            above = [one for one in self.listed if all(a >= b for a, b in zip(one, low, strict=True))]
            if not above:
                return None
            low = [min(levels) for levels in zip(*above, strict=True)]
        return None if self.too_high(tuple(low)) else tuple(low)


class Composed:
    """Masks joined by `any` or `all`."""

    def __init__(self, join, parts):
        self.join, self.parts = join, parts

    def allows(self, vector):
        """Return whether one part (all parts) allow a vector."""
        return self.join(part.allows(vector) for part in self.parts)

    def raised(self, vector):
        """Return levels that every allowed vector at or above one has, but stars alone."""
        if self.join is all:
            for part in self.parts:
                vector = None if vector is None else part.raised(vector)
            return vector
        each = [low for part in self.parts if (low := part.raised(vector)) is not None]
        return tuple(map(min, zip(*each, strict=True))) if each else None


def mask_of(said, columns, heights):
    """Return the mask that a policy describes, over some columns."""
    refuse(not isinstance(said, dict), "a mask is no table")
    for word, join in (("any", any), ("all", all)):
        if word in said:
            if len(said) > 1 or not isinstance(said[word], list) or not said[word]:
                raise Unreadable(f"a mask with {word!r} has other words, or no list of masks")
            return Composed(join, [mask_of(part, columns, heights) for part in said[word]])
    return Rules(said, columns, heights)


# ---------------------------------------------------------------------------------------------------------- the tables


def decoded(path, encoding):
    """Return the text of a file."""
    try:
        raw = Path(path).read_bytes()
        text = raw.decode("utf-8-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else encoding)
    except (OSError, ValueError, LookupError):
        raise Unreadable(f"a file cannot be read as {encoding} text") from None
    refuse("\0" in text, "a file holds zero bytes: it is no text")
    return text.removeprefix("\ufeff")


def records_of(lines, delimiter, most=None, *, strict=False):
    """Return the first records of CSV lines, without empty ones."""
    try:
        return list(itertools.islice((r for r in csv.reader(lines, delimiter=delimiter, strict=strict) if r), most))
    except csv.Error:
        if strict:
            raise Unreadable("a table is no CSV: a quote is not closed or not doubled") from None
        return []


def detected(lines):
    """Return the delimiter by which most records have equally many, and more than one, fields."""
    best = (0.0, 0, 0, ",")
    for rank, sign in enumerate(",;\t|"):
        widths = Counter(len(record) for record in records_of(lines, sign, 201))
        if widths and (common := widths.most_common(1)[0])[0] > 1:
            best = max(best, (common[1] / widths.total(), common[0], -rank, sign))
    return best[3]


def looks_like_data(first, rest):
    """Return whether the first record is more likely a row than a header."""
    data = re.compile(
        r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?%?$|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T].*)?$"
    )  # fmt: skip
    if any(data.match(field) for field in first):
        return True
    again = sum(1 for j, f in enumerate(first) if f and any(len(r) > j and r[j].strip() == f for r in rest))
    return again * 2 >= len(first) and again >= min(2, len(first))


class Table:
    """A CSV table: column names, and rows of texts; a missing value is None."""

    def __init__(self, path, *, header=None, columns=(), delimiter=None, encoding="utf-8", na=(), strip=True):
        if Path(path).suffix.lower() not in (".csv", ".tsv", ".txt", ".data"):
            raise Unreadable("this program reads tables as CSV only")
        text = decoded(path, encoding)
        lines = io.StringIO(text, newline="").readlines()
        lines = lines[next((i for i, line in enumerate(lines) if line.strip("\r\n")), len(lines)) :]
        sign = {"\\t": "\t", "tab": "\t", None: None}.get(delimiter, delimiter) or detected(lines[:800])
        sample = records_of(lines[:800], sign, 201)
        refuse(not sample, "a table is empty")
        first = [field.strip() if strip else field for field in sample[0]]
        columns = texts(columns, "columns") if columns else ()
        if columns and len(columns) != len(first):
            raise Unreadable("columns gives another number of names than the table has columns")
        doubtful = header is None and looks_like_data([f.strip() for f in first], sample[1:])
        refuse(doubtful, "the first line looks like a row of data: say with header whether it names the columns")
        header = header is None or header
        self.names = tuple(columns or (first if header else (f"c{i + 1}" for i in range(len(first)))))
        if len(set(self.names)) < len(self.names) or not all(self.names):
            raise Unreadable("a column has no name, or two have the same")
        width, csv_rows = len(first), csv.reader(lines, delimiter=sign, strict=True)
        absent = {"", *(texts(na, "na", split=False) if na else ())}
        self.rows = []
        csv.field_size_limit(1 << 30)
        try:
            for number, record in enumerate(csv_rows):
                if number == 0 and header:
                    continue
                if not record and width == 1:
                    record = [""]
                if not record:
                    continue
                refuse(len(record) != width, "a row of a table has more or fewer fields than its first")
                cells = [field.strip(BLANKS) for field in record] if strip else record
                self.rows.append(tuple(None if field in absent else field for field in cells))
        except csv.Error:
            raise Unreadable("a table is no CSV: a quote is not closed or not doubled") from None

    def column(self, name):
        """Return the place of a column."""
        return self.names.index(name)


class Hierarchy:
    """The levels of one column: per value its label at level 0, 1, ... h - 1; the star stands at level h [T3]."""

    def __init__(self, lines, values, *, complete, star, level_costs=None, node_costs=None):
        widths = {len(line) for line in lines}
        refuse(not lines or len(widths) > 1, "a hierarchy has no lines, or lines of several lengths")
        if widths != {1} and all(line[-1] == "*" for line in lines):
            lines = [line[:-1] for line in lines]
        self.height = len(lines[0])
        missing = None in values
        leaves = {line[0] for line in lines}
        lacking = [v for v in values if (v is None and "NULL" not in leaves) or (v is not None and v not in leaves)]
        lacking += ["NULL"] if missing and "NULL" in values and "NULL" in leaves else []
        refuse(lacking and not complete, "a hierarchy lacks values of its column")
        self._check(lines)
        lines = [*lines, *(("NULL" if v is None else v,) * self.height for v in lacking)]
        self._check(lines)
        if star not in (None, "*") and any(star in line[1:] for line in lines):
            raise Unreadable("a label of a hierarchy is the star text")
        self.lines = lines
        self.level_costs, self.node_costs = self._own(level_costs, node_costs)
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
    def _check(lines):
        """Refuse lines that are no tree, or a label that names two sets of values."""
        if len({line[0] for line in lines}) < len(lines) or len(lines[0]) > 120 or any("*" in line for line in lines):
            raise Unreadable("a hierarchy has a value twice, a star below its top, or too many levels")
        named = {}
        for level in range(len(lines[0])):
            below = defaultdict(list)
            for i, line in enumerate(lines):
                below[line[level]].append(i)
            for label, members in below.items():
                parted = level + 1 < len(lines[0]) and level and len({lines[i][level + 1] for i in members}) > 1
                if parted or named.setdefault(label, members) != members:
                    raise Unreadable("the lines of a hierarchy are no tree, or a label names two sets of values")

    def _own(self, levels, nodes):
        refuse(levels is not None and nodes is not None, "a hierarchy has costs by level and by node")
        if levels is not None:
            levels = [exact(cost, "a level's cost") for cost in levels]
            if len(levels) != self.height or any(a > b for a, b in itertools.pairwise([0, *levels])):
                raise Unreadable("level_costs fall, or are not one for every level")
        if nodes is not None:
            nodes = {label: exact(cost, "a node's cost") for label, cost in nodes.items()}
            if not set(nodes) <= {"*", *(label for line in self.lines for label in line[1:])}:
                raise Unreadable("node_costs names labels that the hierarchy does not have")
        return levels, nodes or {}

    def costs(self, kind):
        """Return what every line costs at level 0, 1, ... h, as lists of fractions [T4]."""
        zero, one, h = Fraction(0), Fraction(1), self.height
        if kind == "cells":
            return [[zero] + [one] * h] * len(self.lines)
        if kind == "levels":
            return [[Fraction(level, h) for level in range(h + 1)]] * len(self.lines)
        if self.level_costs is not None:
            return [[zero, *self.level_costs]] * len(self.lines)
        below = [Counter(line[level] for line in self.lines) for level in range(h)]
        last = max(len(self.lines) - 1, 1)
        found = [
            [
                zero,
                *(self.node_costs.get(line[j], Fraction(below[j][line[j]] - 1, last)) for j in range(1, h)),
                self.node_costs.get("*", one),
            ]
            for line in self.lines
        ]
        if any(a > b for line in found for a, b in itertools.pairwise(line)):
            raise Unreadable("the costs of a hierarchy fall towards its star")
        return found


def hierarchy_of(spec, values, policy):
    """Return the hierarchy that a policy names by a CSV file, for a column with some values."""
    spec = {"file": spec} if isinstance(spec, str) else spec
    if not isinstance(spec, dict) or not isinstance(spec.get("file"), str):
        raise Unreadable("this program reads hierarchies from CSV files only")
    if re.match(r"(intervals:|(dates|prefix)(:|$))", spec["file"]) or set(spec) - {"file", "level_costs", "node_costs"}:
        raise Unreadable("this program reads hierarchies from CSV files only")
    more = {name: spec[name] for name in ("level_costs", "node_costs") if name in spec}
    refuse(more and policy.cost != "leaves", "a hierarchy has costs of its own, which the policy's cost does not use")
    lines = lines_of(policy.folder / spec["file"])
    return Hierarchy(lines, values, complete=policy.complete, star=policy.star, **more)


def lines_of(path):
    """Return the lines of a hierarchy's CSV file."""
    text = decoded(path, "utf-8")
    first = next((line for line in text.splitlines() if line.strip()), "")
    sign = next((sign for sign in ";\t,|" if sign in first), ";")
    found = records_of(io.StringIO(text, newline=""), sign, strict=True)
    return [tuple(cell.strip() for cell in line) for line in found if any(line)]


# ----------------------------------------------------------------------------------- what is asked of classes beside k

NEEDED = object()
MODELS = {  # settings in the order in which a rule writes them: name, kind, default
    "k-anonymity": [("k", "whole", NEEDED)],
    "alpha-k": [("alpha", "fraction", NEEDED), ("column", "text", NEEDED)],
    "beta-likeness": [("beta", "fraction", NEEDED), ("column", "text", NEEDED), ("enhanced", "flag", False)],
    "delta-disclosure": [("delta", "fraction", NEEDED), ("column", "text", NEEDED)],
    "l-diversity": [
        ("l", "fraction", NEEDED), ("column", "text", None), ("kind", "text", "frequency"), ("c", "fraction", None),
        ("columns", "list", ()),
    ],
    "p-sensitive": [("p", "whole", NEEDED), ("column", "text", NEEDED)],
    "t-closeness": [
        ("t", "fraction", NEEDED), ("column", "text", NEEDED), ("distance", "distance", "equal"),
        ("rescale", "flag", False), ("order", "list", ()), ("hierarchy", "lines", ()),
    ],
}  # fmt: skip


class Model:
    """A model as the policy names it: its settings, the columns it judges, and its rule as text."""

    def __init__(self, name, settings, folder):
        refuse(name not in MODELS, "the policy asks for a model that is not known here")
        known = MODELS[name]
        refuse(not set(settings) <= {key for key, _, _ in known}, f"a setting of {name} is not known")
        self.name, self.asked = name, {}
        for key, kind, default in known:
            refuse(key not in settings and default is NEEDED, f"{name} needs {key}")
            value = settings.get(key, default)
            self.asked[key] = value if value is default else self._cleaned(kind, value, key, folder)
        asked = self.asked
        column = asked.get("column")
        self.judged = () if name == "k-anonymity" else asked.get("columns") if column is None else (column,)
        self.key = (name, repr(sorted(asked.items())))
        if not self._fits() or (name != "k-anonymity" and not self.judged):
            raise Unreadable(f"the settings of {name} are out of range, or do not go together")
        words = [name]
        for key, kind, default in known:
            if asked[key] is not None and asked[key] != default and asked[key] != ():
                words.append(f"{key}={'given' if key == 'order' else self._written(kind, asked[key])}")
        self.rule = " ".join(words)  # [V2]

    @staticmethod
    def _cleaned(kind, value, key, folder):
        if kind == "whole":
            return whole_number(value, key, 1)
        if kind == "fraction":
            return exact(value, key)
        if kind == "flag":
            return value if isinstance(value, bool) else choice(value, key, "true", "false") == "true"
        if kind == "list":
            return texts(value, key)
        if kind == "lines" and isinstance(value, str):
            lines = lines_of(folder / value)
        elif kind == "lines":
            lines = [tuple(map(str, line)) for line in value]
        elif kind == "distance" and isinstance(value, list):
            return tuple(tuple(exact(x, "a distance") for x in row) for row in value)
        elif isinstance(value, str):
            return value
        else:
            raise Unreadable(f"{key} is no text")
        widths = {len(line) for line in lines}
        if len(widths) != 1 or max(widths) < 2 or len({line[0] for line in lines}) < len(lines):
            raise Unreadable("a tree of sensitive values has a value twice, or lines of several lengths")
        pairs = {(j, line[j], line[j + 1]) for line in lines for j in range(1, len(line) - 1)}
        if len({line[-1] for line in lines}) > 1 or len({pair[:2] for pair in pairs}) < len(pairs):
            raise Unreadable("a tree of sensitive values is no tree with one root")
        return tuple(lines)

    def _fits(self):
        a = self.asked
        if self.name == "alpha-k":
            return 0 < a["alpha"] <= 1
        if self.name in ("beta-likeness", "delta-disclosure"):
            return (a["beta"] if "beta" in a else a["delta"]) > 0
        if self.name == "l-diversity":
            kind, joint = a["kind"], a["kind"] == "joint"
            return (
                kind in ("frequency", "distinct", "entropy", "recursive", "joint") and a["l"] >= 1
                and (kind in ("frequency", "entropy") or a["l"].denominator == 1)
                and (kind == "recursive") == (a["c"] is not None) and (a["c"] is None or a["c"] > 0)
                and (a["column"] is None) == joint and bool(a["columns"]) == joint
                and len(set(a["columns"])) == len(a["columns"])
            )  # fmt: skip
        if self.name == "t-closeness":
            kind, matrix = a["distance"], isinstance(a["distance"], tuple)
            if matrix:
                most = max(max(row, default=0) for row in kind) if kind else 0
                if a["rescale"] and most:
                    a["distance"] = kind = tuple(tuple(x / most for x in row) for row in kind)
                n = range(len(kind))
                if not kind or any(len(row) != len(kind) for row in kind):
                    return False
                if any(kind[i][i] or kind[i][j] != kind[j][i] or kind[i][j] < 0 for i in n for j in n):
                    return False
                if any(kind[i][j] > kind[i][m] + kind[m][j] for i in n for j in n for m in n):
                    return False
            return (
                0 <= a["t"] <= 1 and (matrix or kind in ("equal", "ordered", "numeric", "hierarchical"))
                and (kind == "hierarchical") == bool(a["hierarchy"]) and (matrix or not a["rescale"])
                and (matrix or kind == "ordered" or not a["order"]) and len(set(a["order"])) == len(a["order"])
                and (not matrix or max(max(row) for row in kind) in (0, 1))
            )  # fmt: skip
        return True

    @staticmethod
    def _written(kind, value):
        if kind == "fraction":
            return plainest(value)
        if kind == "flag":
            return str(value).lower()
        if isinstance(value, tuple):
            return ",".join(value) if all(isinstance(one, str) for one in value) else "given"
        return str(value)

    def share_limit(self):
        """Return the share of a class that no value may exceed, if one number says it."""
        if self.name == "alpha-k":
            return self.asked["alpha"]
        return 1 / self.asked["l"] if self.name == "l-diversity" and self.asked["kind"] == "frequency" else None


class Metric:
    """How far apart values are: nodes of a tree by height, steps of a line, or a matrix; all in fractions."""

    def __init__(self, asked, values):
        kind, self.nodes, self.steps, self.matrix = asked["distance"], None, None, None
        known = [value for value in values if value is not None]
        if kind == "equal":
            self.nodes = [list(range(len(values)))]
        elif kind == "hierarchical":
            lines = {line[0]: line for line in asked["hierarchy"]}
            refuse(any(value not in lines for value in values), "the tree of sensitive values lacks some")
            height = len(asked["hierarchy"][0]) - 1
            self.nodes = [[lines[value][level] for value in values] for level in range(height)]
        elif None in values:
            raise Unreadable("missing values have no place in an ordered, numeric or given distance")
        else:
            numbers = [Fraction(v) if len(v) <= 1000 and A_NUMBER.fullmatch(v) else None for v in known]
            refuse(kind == "numeric" and None in numbers, "the numeric distance is asked of values that are no numbers")
            order = asked["order"]
            if order:
                refuse(not set(known) <= set(order), "order lacks values of its column")
                self.place = [order.index(value) for value in known]
                size = len(order)
            else:
                keys = known if None in numbers else numbers
                ranks = sorted(set(keys), key=str.encode if None in numbers else None)
                at = {key: i for i, key in enumerate(ranks)}
                self.place, size = [at[key] for key in keys], len(ranks)
            if isinstance(kind, tuple):
                if len(kind) != (size if order else len(known)) or len(set(self.place)) < len(known):
                    raise Unreadable("the distance matrix does not fit the values")
                self.matrix = [[kind[a][b] for b in self.place] for a in self.place]
            else:
                steps = [Fraction(1)] * (size - 1)
                if kind == "numeric":
                    steps = [high - low for low, high in itertools.pairwise(ranks)]
                span = sum(steps)
                self.steps = [step / span for step in steps]

    def apart(self, u, v):
        """Return the distance of two values."""
        if self.nodes is not None:
            meets = next((h for h, nodes in enumerate(self.nodes) if nodes[u] == nodes[v]), len(self.nodes))
            return Fraction(meets, len(self.nodes))
        if self.steps is not None:
            low, high = sorted((self.place[u], self.place[v]))
            return sum(self.steps[low:high], Fraction(0))
        return self.matrix[u][v]

    def work(self, rows, totals):
        """Return the earth mover's distance of a class from the table, a fraction."""
        size, n = sum(rows.values()), sum(totals)
        excess = [rows.get(v, 0) * n - total * size for v, total in enumerate(totals)]  # times n N
        if self.nodes is not None:
            moved = Fraction(0)
            for nodes in self.nodes:
                sums = defaultdict(int)
                for node, amount in zip(nodes, excess, strict=True):
                    sums[node] += amount
                moved += sum(map(abs, sums.values()))
            return moved / (2 * len(self.nodes) * n * size)
        if self.steps is not None:
            at = [0] * (len(self.steps) + 1)
            for place, amount in zip(self.place, excess, strict=True):
                at[place] += amount
            crossing = itertools.accumulate(at)
            return sum((step * abs(x) for step, x in zip(self.steps, crossing, strict=False)), Fraction(0)) / (n * size)
        return least_work(excess, self.matrix) / (n * size)


def least_work(excess, costs):
    """Return the least cost of moving what is too much to where it lacks: cheapest ways, one after another."""
    more = {v: x for v, x in enumerate(excess) if x > 0}
    less = {v: -x for v, x in enumerate(excess) if x < 0}
    flow, paid = defaultdict(int), Fraction(0)
    while less:
        near = {("from", v): (Fraction(0), None) for v, left in more.items() if left}
        again = True
        while again:  # the shortest ways in what is left of the graph
            again = False
            for (side, v), (far, _) in list(near.items()):
                arcs = (
                    [(("to", u), costs[v][u]) for u, x in enumerate(excess) if x < 0] if side == "from"
                    else [(("from", u), -costs[u][v]) for u in more if flow[u, v]]
                )  # fmt: skip
                for node, length in arcs:
                    if node not in near or far + length < near[node][0]:
                        near[node] = (far + length, (side, v))
                        again = True
        goal = min((("to", v) for v in less), key=lambda node: near[node][0])
        path = [goal]
        while near[path[-1]][1] is not None:
            path.append(near[path[-1]][1])
        path.reverse()
        backward = [(b[1], a[1]) for a, b in itertools.pairwise(path) if a[0] == "to"]
        amount = min([more[path[0][1]], less[goal[1]], *(flow[arc] for arc in backward)])
        for a, b in itertools.pairwise(path):
            if a[0] == "from":
                flow[a[1], b[1]] += amount
            else:
                flow[b[1], a[1]] -= amount
        paid += amount * near[goal][0]
        more[path[0][1]] -= amount
        less[goal[1]] -= amount
        if not less[goal[1]]:
            del less[goal[1]]
    return paid


class Requirement:
    """A model on one table: whether a class meets it, exactly; and its rules for bounds [V5].

    `kinds` are the combinations of the judged columns' values (texts), `of_table` their rows in the table.
    """

    def __init__(self, model, names, of_table):
        self.model, self.asked = model, model.asked
        self.places = [names.index(column) for column in model.judged]
        self.kinds = list(of_table)
        first = self.places[0]
        self.values = sorted({kind[first] for kind in self.kinds}, key=by_bytes)
        rank = {value: v for v, value in enumerate(self.values)}
        self.code = {kind: rank[kind[first]] for kind in self.kinds}  # the value of every kind, by its rank
        self.totals = [0] * len(self.values)
        for kind, rows in of_table.items():
            self.totals[self.code[kind]] += rows
        self.n = sum(self.totals)
        self.metric = Metric(self.asked, self.values) if model.name == "t-closeness" else None
        kind = self.asked.get("kind")
        self.form = {  # which rules say it
            "alpha-k": "shares", "beta-likeness": "shares", "delta-disclosure": "shares", "p-sensitive": "distinct",
            "t-closeness": "distance",
        }.get(model.name) or {"frequency": "shares", "joint": "distinct"}.get(kind, kind)  # fmt: skip
        self.least = int(self.asked["p"] if "p" in self.asked else self.asked.get("l", 0))

    def met(self, counted):
        """Return whether a class with so many rows of each kind (a dictionary) meets the model."""
        asked, name, size = self.asked, self.model.name, sum(counted.values())
        if self.asked.get("kind") == "joint" and len(self.places) > 1:
            lines = list({tuple(kind[j] for j in self.places) for kind, rows in counted.items() if rows})
            return jointly_diverse(lines, self.least)
        rows = defaultdict(int)
        for kind, number in counted.items():
            if number:
                rows[self.code[kind]] += number
        if self.form == "distinct":
            return len(rows) >= self.least
        if self.form == "entropy":
            return even_enough(list(rows.values()), asked["l"])
        if self.form == "recursive":
            ordered = sorted(rows.values(), reverse=True)
            return ordered[0] < asked["c"] * sum(ordered[self.least - 1 :])
        if name == "t-closeness":
            return self.metric.work(rows, self.totals) <= asked["t"]
        if self.model.share_limit() is not None:
            return max(rows.values()) <= self.model.share_limit() * size
        ratios = [(Fraction(r * self.n, size * self.totals[v]), self.totals[v]) for v, r in rows.items()]
        if name == "beta-likeness":
            if any(ratio - 1 > asked["beta"] for ratio, _ in ratios):
                return False
            # a gain above -ln p; a gain above 0 is no logarithm of a fraction
            above = (ratio > 1 and logarithm_sign([(self.n, 1), (c, -1)], ratio - 1) < 0 for ratio, c in ratios)
            return not (asked["enhanced"] and any(above))
        apart = [max(ratio, 1 / ratio) for ratio, _ in ratios]  # delta-disclosure: |ln ratio| < delta
        return all(x == 1 or logarithm_sign([(x.numerator, 1), (x.denominator, -1)], asked["delta"]) < 0 for x in apart)


def even_enough(rows, l):  # noqa: E741
    """Return whether values with so many rows have an entropy of at least ln l: N^N >= l^N prod c^c, in integers."""
    common = math.gcd(*rows)
    rows = [number // common for number in rows]
    size = sum(rows)
    about = size * math.log(size) - sum(c * math.log(c) for c in rows) - size * math.log(l)
    if abs(about) > 1e-9 * (1 + size * (math.log(size) + abs(math.log(l)))):  # far above the error of a few floats
        return about > 0
    return size**size * l.denominator**size >= l.numerator**size * math.prod(c**c for c in rows)


def jointly_diverse(lines, l):  # noqa: E741
    """Return whether every line lies in l lines that differ pairwise in every column."""
    if l <= 1 or not lines:
        return True
    return all(most_apart([o for o in lines if differ(o, line)], l - 1) >= l - 1 for line in lines)


def differ(one, other):
    """Return whether two lines differ in every column."""
    return all(a != b for a, b in zip(one, other, strict=True))


def most_apart(lines, enough):
    """Return how many lines differ pairwise in every column at most, or `enough` if that is less."""
    if not lines or enough <= 0:
        return 0
    if len(lines[0]) == 2:  # a largest matching between the values of two columns
        beside, mate = defaultdict(list), {}
        for a, b in lines:
            beside[a].append(b)

        def place(a, seen):
            for b in beside[a]:
                if b not in seen:
                    seen.add(b)
                    if b not in mate or place(mate[b], seen):
                        mate[b] = a
                        return True
            return False

        return min(sum(place(a, set()) for a in list(beside)), enough)
    best, steps, stack = 0, 0, [(lines, 0)]
    while stack and best < enough:
        left, size = stack.pop()
        best, steps = max(best, size), steps + 1
        refuse(steps > 200_000, "joint l-diversity of three columns and more is not decided within 200,000 steps")
        narrow = min(({line[j] for line in left} for j in range(len(lines[0]))), key=len)
        if not left or size + len(narrow) <= best:
            continue
        one = left[0]
        stack.append((left[1:], size))
        stack.append(([other for other in left if differ(one, other)], size + 1))
    return min(best, enough)


# ------------------------------------------------------------------------------------ the release against its original


class Fitted:
    """A policy on one original: hierarchies, heights, mask, costs; and how a released cell reads."""

    def __init__(self, policy, original):
        self.policy, self.original = policy, original
        lost = {*policy.quasi, *policy.sensitive, *policy.identifiers} - set(original.names)
        if lost or not original.rows or policy.k > len(original.rows):
            raise Unreadable("the original lacks a column that the policy names, or has no rows, or fewer than k")
        named, gone = {*policy.quasi, *policy.sensitive}, set(policy.identifiers)
        self.kept = [c for c in original.names if c in named or (policy.other == "keep" and c not in gone)]
        self.others = [c for c in self.kept if c not in policy.quasi]
        self.judged = [c for c in original.names if any(c in model.judged for model in policy.models)]
        self.at = [original.column(c) for c in policy.quasi]
        self.values = [sorted({row[j] for row in original.rows}, key=by_bytes) for j in self.at]
        if policy.star is not None and any(policy.star in values for values in self.values):
            raise Unreadable("the original already holds the star text")
        found = {c: hierarchy_of(spec, self.values[policy.quasi.index(c)], policy) for c, spec in
                 policy.hierarchies.items()}  # fmt: skip
        self.trees = [found.get(column) for column in policy.quasi]
        self.heights = tuple(tree.height if tree else 1 for tree in self.trees)
        self.mask = mask_of(policy.mask, policy.quasi, self.heights)
        self.vectors, changing = None, [True] * len(self.heights)
        if math.prod(h + 1 for h in self.heights) <= 1 << 16:
            self.vectors = self.allowed()
            changing = [any(vector[j] for vector in self.vectors) for j in range(len(self.heights))]
            refuse(not self.vectors, "the mask allows no pattern at all")
        # what is never changed shows no labels
        self.labelled = [tree if tree and on else None for tree, on in zip(self.trees, changing, strict=True)]
        self.weights = [policy.weights.get(column, Fraction(1)) for column in policy.quasi]
        self.costs = []  # per column and line the costs of its levels [T4]
        for tree, weight in zip(self.trees, self.weights, strict=True):
            plain = [[Fraction(0), Fraction(1)]] if tree is None else tree.costs(policy.cost)
            self.costs.append([[cost * weight for cost in line] for line in plain])
        told = {cost for column in self.costs for line in column for cost in line}
        self.scale = math.lcm(1, *(cost.denominator for cost in told))
        if max(self.scale, len(original.rows) * len(self.at) * max(told) * self.scale) >= 2**62:
            raise Unreadable("the costs have too many digits to be added up")

    def allowed(self):
        """Return the allowed level vectors in lexicographic order."""
        if math.prod(h + 1 for h in self.heights) > MOST_VECTORS:
            raise Unreadable("there are too many level vectors to recount")  # [T7]
        return [v for v in itertools.product(*(range(h + 1) for h in self.heights)) if self.mask.allows(v)]

    def reading(self, j, cell):
        """Return the lowest and highest level that a released cell may stand at [R3]."""
        tree, star = self.labelled[j], self.policy.star
        if star is not None and cell == star:
            return (tree.height, tree.height) if tree else (1, 1)
        return (tree.low[cell], tree.high[cell]) if tree and cell in tree.low else (0, 0)


def released_as_asked(fitted, released):
    """Return what is wrong with a release, and its least and greatest cost (None where it lacks a column)."""
    policy, original = fitted.policy, fitted.original
    found = [f"columns: missing number {j + 1}" for j, c in enumerate(fitted.kept) if c not in released.names]  # [R1]
    if found:
        return found, cost_of(fitted, released)
    if list(released.names) != fitted.kept:
        found.append("columns: others than those kept, or in another order")
    if len(released.rows) != len(original.rows):
        found.append("rows")  # [R2]
    places = [released.column(c) for c in policy.quasi]
    others = [released.column(c) for c in fitted.others]
    judged = [released.column(c) for c in fitted.judged]
    star, m = policy.star, len(places)
    classes = defaultdict(Counter)
    for row in released.rows:
        classes[tuple(row[j] for j in places)][tuple(row[j] for j in judged)] += 1
    small = sum(
        kinds.total() < policy.k
        for cells, kinds in classes.items()
        if policy.outliers == "forbid" or any(cell != star for cell in cells)
    )
    if small:
        found.append(f"k={policy.k}")  # [R4]
    table = Counter(tuple(row[original.column(c)] for c in fitted.judged) for row in original.rows)
    for model in policy.models:  # [R5]
        asked = Requirement(model, fitted.judged, table)
        if not all(set(kinds) <= set(table) and asked.met(kinds) for kinds in classes.values()):
            found.append(model.rule)
    if star is not None:  # [R6]
        readings = {tuple(fitted.reading(j, cell) for j, cell in enumerate(cells)) for cells in classes}
        if not all(kept_readings(fitted, reading) for reading in readings):
            found.append("mask")
    known = [set(values) for values in fitted.values]
    if any(
        cell not in known[j] and fitted.reading(j, cell) == (0, 0) and cell != star
        for cells in classes
        for j, cell in enumerate(cells)
    ):
        found.append("invented value")  # [R7]
    before = Counter((tuple(r[j] for j in fitted.at), tuple(r[original.column(c)] for c in fitted.others))
                     for r in original.rows)  # fmt: skip
    after = Counter((tuple(r[j] for j in places), tuple(r[j] for j in others)) for r in released.rows)
    if not paired(fitted, before, after, m):
        found.append("faithful")  # [R8]
    return found, cost_of(fitted, released)


def kept_readings(fitted, reading):
    """Return the level vectors among the readings of some cells that keep the mask [R6]."""
    refuse(math.prod(high - low + 1 for low, high in reading) > 1 << 16, "a row can be read at too many levels")
    return list(filter(fitted.mask.allows, itertools.product(*(range(low, high + 1) for low, high in reading))))


def cost_of(fitted, released):
    """Return what the release costs, least and most [R9]."""
    policy, star, weights = fitted.policy, fitted.policy.star, fitted.weights
    if not set(policy.quasi) <= set(released.names):
        return None
    places = [released.column(column) for column in policy.quasi]
    if star is None:  # a star is NULL, and so may be what was missing before
        after = [sum(row[place] is None for row in released.rows) for place in places]
        before = [sum(row[at] is None for row in fitted.original.rows) for at in fitted.at]
        low = sum(max(a - b, 0) * weight for a, b, weight in zip(after, before, weights, strict=True))
        return low, sum(map(Fraction.__mul__, weights, map(Fraction, after)))
    low = high = Fraction(0)
    by_level = {}  # what a level costs, whatever it shows
    for j, (tree, costs) in enumerate(zip(fitted.labelled, fitted.costs, strict=True)):
        if tree is None:
            by_level[j] = [Fraction(0)] * fitted.heights[j] + [weights[j]]
        elif all(line == costs[0] for line in costs):
            by_level[j] = costs[0]
    for cells, rows in Counter(tuple(row[place] for place in places) for row in released.rows).items():
        reading = [fitted.reading(j, cell) for j, cell in enumerate(cells)]
        ends = [sum(cost[reading[j][end]] for j, cost in by_level.items()) for end in (0, 1)]
        if ends[0] != ends[1] and (kept := kept_readings(fitted, reading)):
            every = [sum(cost[vector[j]] for j, cost in by_level.items()) for vector in kept]
            ends = [min(every), max(every)]
        for j, cell in enumerate(cells):
            if j not in by_level:
                tree = fitted.labelled[j]
                line = fitted.costs[j][tree.first.get(cell, 0)]
                ends = [paid + line[level] for paid, level in zip(ends, reading[j], strict=True)]
        low, high = low + ends[0] * rows, high + ends[1] * rows
    return low, high


def paired(fitted, before, after, m):
    """Return whether every released row comes from an original of its own: a maximum flow between kinds of rows."""
    blocks = defaultdict(lambda: ([], []))
    for (cells, others), rows in before.items():
        blocks[others][0].append((cells, rows))
    for (cells, others), rows in after.items():
        if others not in blocks:
            return False
        blocks[others][1].append((cells, rows))
    star = fitted.policy.star
    for have, want in blocks.values():
        if sum(rows for _, rows in want) > sum(rows for _, rows in have):
            return False
        if len(have) == 1 and len(want) == 1 and want[0][0] == have[0][0] and star is not None:
            continue  # counted: the same cells
        patterns = defaultdict(list)  # by which cell shows which level, the released kinds
        for r, (cells, _) in enumerate(want):
            levels = tuple(
                None if cell == star else fitted.reading(j, cell)[0] for j, cell in enumerate(cells)
            )  # None: shows nothing
            patterns[levels].append(r)
        fits = [[] for _ in want]
        for levels, kinds in patterns.items():
            shown = [(j, level, fitted.trees[j]) for j, level in enumerate(levels) if level is not None]
            by_shown = {tuple(want[r][0][j] for j, _, _ in shown): r for r in kinds}
            for o, (cells, _) in enumerate(have):
                key = tuple(cells[j] if not level else tree.shown[tree.of[cells[j]]][level] for j, level, tree in shown)
                r = by_shown.get(key)
                if r is not None and (star is not None or null_fits(fitted, want[r][0], cells, m)):
                    fits[r].append(o)
        if not all_supplied([rows for _, rows in have], [rows for _, rows in want], fits):
            return False
    return True


def null_fits(fitted, after, before, m):
    """Return whether a row may have become another with NULLs for stars, the mask kept by some reading of them."""
    reading = [(int(after[j] is None and before[j] is not None), int(after[j] is None)) for j in range(m)]
    return bool(kept_readings(fitted, reading))


def all_supplied(supply, demand, fits):
    """Return whether every kind r of `demand` rows can get them all from the kinds in `fits[r]`: a maximum flow."""
    left, flow, open_for = list(supply), [defaultdict(int) for _ in supply], Counter()
    for some in fits:
        open_for.update(some)
    lacks = list(demand)
    for r in sorted(range(len(demand)), key=lambda r: len(fits[r])):
        fits[r].sort(key=open_for.__getitem__)
        for o in fits[r]:
            if not lacks[r]:
                break
            amount = min(left[o], lacks[r])
            if amount:
                left[o] -= amount
                lacks[r] -= amount
                flow[o][r] += amount
    while any(lacks):  # shortest ways to what is left: from r to an o that fits, from o to the kinds that it supplies
        came, through = {}, {r: None for r, lack in enumerate(lacks) if lack}
        queue, ends = list(through), []
        for r in queue:
            for o in fits[r]:
                if o not in came:
                    came[o] = r
                    if left[o]:
                        ends.append(o)
                    for x, amount in flow[o].items():
                        if amount and x not in through:
                            through[x] = o
                            queue.append(x)
        if not ends:
            return False
        for end in ends:
            path, o = [], end
            while o is not None:
                path.append((o, came[o]))
                o = through[came[o]]
            kept = [flow[o][r] for (_, r), (o, _) in itertools.pairwise(path)]
            amount = min([left[end], lacks[path[-1][1]], *kept])
            left[end] -= amount
            lacks[path[-1][1]] -= amount
            for o, r in path:
                flow[o][r] += amount
            for (_, r), (o, _) in itertools.pairwise(path):
                flow[o][r] -= amount
    return True


# --------------------------------------------------------------------------------------------------------- the command


def problem_of(fitted, columns=()):
    """Return the row types told apart by the quasi-identifiers and some columns beside, with what they cost [T1-T5]."""
    policy, original = fitted.policy, fitted.original
    ranks = [{value: i for i, value in enumerate(values)} for values in fitted.values]
    beside = [original.column(c) for c in columns]
    more = [sorted({row[j] for row in original.rows}, key=by_bytes) for j in beside]
    ranks += [{value: i for i, value in enumerate(values)} for values in more]
    counted = sorted(Counter(
        tuple(rank[row[j]] for rank, j in zip(ranks, fitted.at + beside, strict=True)) for row in original.rows
    ).items())  # fmt: skip
    m, levels = len(fitted.at), []
    for j, values in enumerate(fitted.values):
        tree, costs = fitted.trees[j], fitted.costs[j]
        lines = [tree.of[value] if tree else 0 for value in values]
        column = [(list(range(len(values))), [0] * len(values))]
        for level in range(1, fitted.heights[j] + 1):
            labels = ["*"] * len(values) if level == fitted.heights[j] else [tree.shown[i][level] for i in lines]
            names = {label: number for number, label in enumerate(dict.fromkeys(labels))}
            column.append(([names[x] for x in labels], [int(costs[i][level] * fitted.scale) for i in lines]))
        levels.append(column)
    codes, counts = [codes[:m] for codes, _ in counted], [rows for _, rows in counted]
    p = Problem(codes, counts, levels, fitted.mask, policy.k, policy.outliers, fitted.scale)
    apart = {}  # columns that tell the same values apart as an earlier one are left out [M1]
    for column in zip(*(codes[m:] for codes, _ in counted), strict=True):
        apart.setdefault(tuple(map(column.index, column)), column)
    p.secret = list(zip(*apart.values(), strict=True)) if apart else None
    texts_of = [tuple(more[s][x] for s, x in enumerate(codes[m:])) for codes, _ in counted]
    table = Counter()
    for kind, rows in zip(texts_of, counts, strict=True):
        table[kind] += rows
    p.kinds = sorted(table, key=lambda kind: tuple(map(by_bytes, kind)))
    number = {kind: s for s, kind in enumerate(p.kinds)}
    p.kind, p.kind_rows = [number[kind] for kind in texts_of], [table[kind] for kind in p.kinds]
    every = {kind: table[kind] for kind in p.kinds}
    told = set(columns).issuperset(column for model in policy.models for column in model.judged)
    p.asked = [Requirement(model, list(columns), every) for model in policy.models if told]
    return p


def verdict_on(fitted, certificate, costs):
    """Return the verdict on a certificate, what it is about, and the problem's scale."""
    policy, (name, version) = fitted.policy, kind_of(certificate)[0]
    matched, second = name == "incrowd 2-anonymity bound", version == 2
    halved = {m.asked["column"] for m in policy.models if m.share_limit() is not None and 2 * m.share_limit() <= 1}
    about, columns = "k-anonymity", []
    if matched and certificate.get("diverse") is True and set(fitted.judged) <= halved:
        columns = fitted.judged
        about = "2-diversity" if columns else about
    if second:
        columns, about = fitted.judged, "k-anonymity and the requirements"
    p = problem_of(fitted, columns)
    if second:
        p.facts["requirements"] = [model.rule for model in policy.models]
    cost = None
    if costs is not None:
        low, high = (int(end * fitted.scale) for end in costs)
        claimed = certificate.get("cost")
        cost = claimed if type(claimed) is int and low <= claimed <= high else low
    found = Verdict(p, certificate, cost)
    if cost is None:
        found.wrong.append("certificate: cost")
        found.proven = False
    return found, about, cost is not None


def main(arguments=None):
    """Check a release as the command line says, and return the exit status."""
    parser = argparse.ArgumentParser(description="Check a release (and the certificate of its bound) once more.")
    parser.add_argument("original")
    parser.add_argument("released")
    parser.add_argument("policy", nargs="?")
    parser.add_argument("certificate", nargs="?")
    parser.add_argument("--policy", dest="named_policy", metavar="FILE")
    parser.add_argument("--certificate", dest="named_certificate", metavar="FILE")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    named, written = asked.named_policy or asked.policy, asked.named_certificate or asked.certificate
    if named is None:
        parser.error("name the policy's file")
    try:
        policy = Policy(named)
        certificate = None if written is None else read_certificate(written)
        fitted = Fitted(policy, Table(asked.original, **policy.reading))
        found, costs = released_as_asked(fitted, Table(asked.released, header=True, delimiter=",", strip=False))
        facts = {}
        if certificate is not None:
            verdict, about, known = verdict_on(fitted, certificate, costs)
            found += verdict.wrong
            cost, bound = (str(Fraction(x, fitted.scale)) for x in (verdict.cost, verdict.bound))
            facts = {"cost": cost if known else None, "lower_bound": bound, "proven": verdict.proven}
            facts |= {"question": about, "k": policy.k}
    except Unreadable as error:
        sys.stderr.write(f"incrowd_check: {error}\n")
        return 2
    except (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as error:
        # what this program was not written for is never called good, and its text may quote a cell
        sys.stderr.write(f"incrowd_check: something is not of the form that is read here ({type(error).__name__})\n")
        return 2
    if asked.json:
        sys.stdout.write(json.dumps({"ok": not found, "violations": found} | facts) + "\n")
    else:
        said = [f"refused: {rule}" for rule in found] or ["good: the release is what the policy asks for"]
        sys.stdout.write("\n".join([*said, *(f"{name}: {value}" for name, value in facts.items())]) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
