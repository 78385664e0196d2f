"""A second check of a release and of the certificate of its bound, with Python's standard library alone.

    python checker/incrowd_check.py ORIGINAL.csv RELEASE.csv --policy POLICY.toml [--certificate FILE.json] [--json]

Exit status: 0 good, 1 something asked or claimed does not hold, 2 something cannot be read. Nothing here is taken from
`incrowd`: it is written from the page `docs/certificate.md`, and the numbers in brackets, [P1] for example, are the
rules of that page. Tables are CSV; numbers are Python's integers and fractions, so nothing is rounded or wraps around.
No cell of a table is ever printed.

The file reads from the top: the policy with its models and mask, tables and hierarchies, what is asked of classes, the
release against its original, and the command. What proves a bound is in `incrowd_check_bound.py` beside it, and what
words make of a column in `incrowd_check_words.py`.
"""

from __future__ import annotations

import argparse
import bisect
import csv
import datetime
import functools
import io
import itertools
import json
import math
import re
import shlex
import sys
import tomllib
import unicodedata
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import incrowd_check_bound as proofs
import incrowd_check_words as words_for
from incrowd_check_bound import Problem, Unreadable, Verdict, allowed_vectors, by_bytes, grouped, logarithm_sign, refuse

A_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?")
PLAIN_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
A_MARK = re.compile(r"'(?!'*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\Z)'*[=+\-@\t\r]")
BLANKS = " \t\n\r\v\f"
MOST_READINGS = 1 << 16  # [R6] in so many ways a row may be read

# --------------------------------------------------------------------------------------------- what a policy's keys say


def exact(value, name, least=None, *, whole=False):
    """Return a number of the policy exactly; a float means the decimal that it prints as."""
    try:
        text = (repr(value) if isinstance(value, float) else str(value)).strip().lower()
        known = isinstance(value, (int, float, str, Fraction)) and not isinstance(value, bool) and len(text) <= 1000
        if not known or abs(int(text.rpartition("e")[2] if "e" in text else 0)) > 999:
            raise ValueError
        if whole and isinstance(value, str):
            text = str(int(text))
        number = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise Unreadable(f"{name} is no number") from None
    refuse(whole and number.denominator != 1, f"{name} is no whole number")
    refuse(least is not None and number < least, f"{name} is below {least}")
    return int(number) if whole else number


def texts(value, name, *, split=True):
    """Return a list of texts; one text is split at its commas."""
    if isinstance(value, str):
        parts = next(csv.reader([value], skipinitialspace=True), [])
        return tuple(part.strip() for part in parts if part.strip()) if split else (value,)
    good = isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value)
    refuse(not good, f"{name} is no list of texts")
    return tuple(value)


def choice(value, name, *choices):
    """Return a value that is one of some."""
    good = isinstance(value, type(choices[0])) and value in choices
    refuse(not good, f"{name} is none of {', '.join(map(str, choices))}")
    return value


def table_of(said, name):
    """Return a table of the policy."""
    refuse(not isinstance(said.get(name, {}), dict), f"[{name}] is no table")
    return dict(said.get(name, {}))


ALIASES = {
    "qi": "quasi_identifiers", "identifier": "identifiers", "requirements": "require", "weight": "weights",
    "hierarchy": "hierarchies", "pattern": "patterns",
}  # fmt: skip
COSTS = ("leaves", "cells", "levels", "ncp", "entropy", "workload")
LOOKING = ("entropy", "workload")  # costs that look at every value of every column
CHOICES = {  # what a key may say, first what it says where it is left out
    "other": ("keep", "drop"), "cost": COSTS, "outliers": ("forbid", "suppress"),
    "complete_hierarchies": (False, True), "recoding": ("levels", "ranges", "grid", "global"),
    "suppressed": ("text", "null"), "other_hierarchies": ("none", "auto"), "spreadsheet_safe": (False, True),
}  # fmt: skip
MASK_WORDS = (
    "max_stars", "keep", "together", "at_most_one", "never_together", "max_level", "patterns", "full_suppression",
)  # fmt: skip
READ_WORDS = ("header", "columns", "delimiter", "encoding", "na", "strip")
JOB_WORDS = (
    "source", "output", "certificate", "report", "solver", "time_limit", "gap", "work", "seed", "ties",
    "recursion", "reduce", "blunt", "quiet_facts", "keep_order", "spreadsheet_safe", "keep_best", "dry_run", "memory",
    "types_in_memory", "engine",
)  # fmt: skip
WORDS = (
    "quasi_identifiers", "sensitive", "identifiers", "numeric", "k", "l", "t", "require", "sensitive_distance", "mask",
    "weights", "hierarchies", "star", "round", "suppression_limit", *CHOICES, *MASK_WORDS, *READ_WORDS, *JOB_WORDS,
)  # fmt: skip


def flat(document):
    """Return the keys of a policy, those of [read] and [job] among them; none is unknown or stands twice."""
    said = {}
    for name, value in document.items():
        known = {"read": READ_WORDS, "job": JOB_WORDS}.get(name, WORDS)
        for key, entry in (table_of(document, name) if known is not WORDS else {name: value}).items():
            key = ALIASES.get(key, key)
            refuse(key not in known or key in said, f"the policy has a key that is unknown or given twice: {key!r}")
            said[key] = entry
    return said


def workload_file(cost):
    """Return the name of a cost, and the file of its queries (None: it has none)."""
    name, sign, file = cost.partition(":") if isinstance(cost, str) else (cost, "", "")
    refuse((name == "workload") != bool(sign and file), "cost is no workload with a file, and no other without one")
    return name, file or None


def queries_of(path):
    """Return the queries of a workload: columns, weight and target (None: rows are counted)."""
    try:
        raw = Path(path).read_bytes()
        said = tomllib.loads(raw.decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        raise Unreadable("the workload cannot be read as TOML") from None
    queries, found = said.get("query"), []
    good = len(raw) <= 1 << 20 and set(said) == {"query"} and isinstance(queries, list) and 1 <= len(queries) <= 1000
    refuse(not good, "the workload is no list of 1 to 1000 queries in at most 1 MiB")
    for one in queries:
        good = isinstance(one, dict) and {"columns"} <= set(one) <= {"columns", "weight", "target"}
        columns = one["columns"] if good else []
        columns = [columns] if isinstance(columns, str) else columns
        good = good and isinstance(columns, list) and columns and all(isinstance(name, str) for name in columns)
        good = good and len(set(columns)) == len(columns) and isinstance(one.get("target", ""), str)
        refuse(not good, "a query of the workload has no columns, or something else than columns, weight and target")
        weight = exact(one.get("weight", 1), "a query's weight")
        refuse(weight <= 0, "a query's weight is not above 0")
        found.append((tuple(columns), weight, one.get("target")))
    return found


def mask_word(name, value):
    """Return a word of the mask that stands outside its table: there it is written as an option of the command line."""
    if name == "max_stars":
        return exact(value, name, 0, whole=True)
    if name == "max_level":
        return {column: exact(level, name, 0, whole=True) for column, level in table_of({name: value}, name).items()}
    one = isinstance(value, str) and name in ("keep", "together", "at_most_one", "never_together")
    return value if not one else texts(value, name) if name == "keep" else [texts(value, name)]


class Policy:
    """What a release must be, as its TOML file says."""

    def __init__(self, path):
        try:
            said = flat(tomllib.loads(Path(path).read_text(encoding="utf-8")))
        except (OSError, ValueError, RecursionError):
            raise Unreadable("the policy cannot be read as TOML") from None
        said["cost"], file = workload_file(said.get("cost", "leaves"))
        chosen = {name: choice(said.get(name, some[0]), name, *some) for name, some in CHOICES.items()}
        refuse(chosen["recoding"] == "ranges", "recoding = 'ranges' is not read by this program")
        every = said.get("hierarchies") == "auto"
        self.auto = every or chosen["other_hierarchies"] == "auto"
        self.other, self.cost, self.outliers, self.complete = list(chosen.values())[:4]
        self.single, limit = chosen["recoding"] == "global", said.get("suppression_limit")
        self.limit = None if limit is None else exact(limit, "suppression_limit", 0)
        refuse(limit is not None and self.limit > 1, "suppression_limit is above 1")
        self.star = None if chosen["suppressed"] == "null" else said.get("star", "*")
        refuse(not isinstance(said.get("star", "*"), str) or said.get("star") == "", "star is no text")
        self.folder, self.reading = Path(path).parent, {name: said[name] for name in READ_WORDS if name in said}
        blanks = self.star is not None and self.star != self.star.strip() and self.reading.get("strip", True)
        refuse(blanks, "star begins or ends with a blank")
        self.marked, self.mask = chosen["spreadsheet_safe"], table_of(said, "mask")
        words = {name: mask_word(name, said[name]) for name in MASK_WORDS if name in said}
        refuse(words and {"any", "all"} & set(self.mask), "a word of the mask stands beside a composed mask")
        self.mask |= words
        self.weights = {column: exact(weight, "a weight", 0) for column, weight in table_of(said, "weights").items()}
        self.hierarchies = {} if every else table_of(said, "hierarchies")
        looks = self.hierarchies or self.auto or self.cost in LOOKING
        refuse(self.star is None and looks, "suppressed = 'null' goes with no hierarchies, and not with this cost")
        counted = self.single or self.limit is not None
        refuse(self.star is None and counted, "suppressed = 'null' does not tell which rows are fully suppressed")
        self.numeric = texts(said.get("numeric", []), "numeric")
        self.grid, self.step = chosen["recoding"] == "grid", exact(said["round"], "round") if "round" in said else None
        refuse(self.step is not None and (self.step <= 0 or not self.grid), "round is no step of a grid above 0")
        self.queries = queries_of(self.folder / file) if file is not None else []
        asked = said.get("require", [])
        asked = [self.model(one) for one in (asked if isinstance(asked, list) else [asked])]
        ks = [model.asked["k"] for model in asked if model.name == "k-anonymity"]
        ks += [exact(said["k"], "k", 1, whole=True)] if "k" in said else []
        self.k = max(ks, default=None)
        self.quasi, self.identifiers, named = (
            texts(said.get(name, []), name) for name in ("quasi_identifiers", "identifiers", "sensitive")
        )
        refuse(self.k is None or not self.quasi, "the policy names no k, or no quasi-identifiers")
        self.models = [model for model in asked if model.name != "k-anonymity"]
        judged = dict.fromkeys(column for model in self.models for column in model.judged)
        self.sensitive = (*named, *(column for column in judged if column not in named))
        known = {model.key for model in self.models}
        self.models += [model for model in self.everywhere(said) if model.key not in known]
        roles = (*self.quasi, *self.sensitive, *self.identifiers)
        good = len(set(roles)) == len(roles) and {*self.weights, *self.hierarchies} <= set(self.quasi)
        refuse(not good, "a column has two roles, or a weight or hierarchy is of no quasi-identifier")
        asked = {column for columns, _, _ in self.queries for column in columns}
        refuse(not asked <= set(self.quasi), "a query of the workload names a column that is no quasi-identifier")
        refuse(not set(self.numeric) <= set(self.quasi), "numeric names a column that is no quasi-identifier")
        self.ranged = [column for column in self.quasi if column in self.numeric and column not in self.hierarchies]
        refuse(self.grid and not self.on_grid(), "recoding = 'grid' lacks a column, or does not go with the rest")

    def on_grid(self):
        """Return whether all else that the policy says goes with ranges on a grid [G1]."""
        costs = {"level_costs", "node_costs"}
        own = any(isinstance(spec, dict) and costs & set(spec) for spec in self.hierarchies.values())
        plain = self.cost in ("leaves", "ncp") and self.star is not None and self.limit is None and not self.models
        return bool(self.ranged) and not own and plain

    def everywhere(self, said):
        """Yield the models that l and t alone ask for: one for every sensitive column."""
        apart, asked = table_of(said, "sensitive_distance"), [name for name in ("l", "t") if name in said]
        refuse((asked and not self.sensitive) or not set(apart) <= set(self.sensitive), "l or t: no sensitive column")
        refuse(apart and "t" not in said, "sensitive_distance is given without t")
        for name, column in itertools.product(asked, self.sensitive):
            if name == "l":
                yield Model("l-diversity", {"l": said["l"], "column": column}, self.folder)
            else:
                said_of = str(apart.get(column, "equal"))
                kind, sign, file = (said_of, "", "") if matrix_file(said_of) else said_of.partition(":")
                more = {"distance": kind} | ({"hierarchy": file} if sign else {})
                yield Model("t-closeness", {"t": said["t"], "column": column, **more}, self.folder)

    def model(self, said):
        """Return a model that is asked for in words or as a table."""
        settings = dict(said) if isinstance(said, dict) else {}
        name = settings.pop("model", None) or settings.pop("name", None)
        if isinstance(said, str):
            try:
                name, *words = shlex.split(said)
            except ValueError:
                raise Unreadable("require cannot be read") from None
            settings = dict(word.split("=", 1) for word in words if "=" in word)
            refuse(len(settings) < len(words), "require cannot be read")
        return Model(name, settings, self.folder)


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
        refuse(not isinstance(name, str) or name not in MODELS, "the policy asks for a model that is not known here")
        self.name, self.asked, words, known = name, {}, [name], MODELS[name]
        refuse(not set(settings) <= {key for key, _, _ in known}, f"a setting of {name} is not known")
        if file := matrix_file(settings.get("distance")):
            refuse(settings.get("order"), "a file of distances names its values, and so does an order")
            settings = settings | dict(zip(("order", "distance"), distances_of(folder / file), strict=True))
        for key, kind, default in known:
            value = settings.get(key, default)
            refuse(value is NEEDED, f"{name} needs {key}")
            value = self.asked[key] = value if value is default else setting(kind, value, key, folder)
            if value is not None and value not in (default, ()):
                words.append(f"{key}={'given' if key == 'order' else written(value)}")
        self.rule, asked = " ".join(words), self.asked  # [V2]
        self.judged = asked.get("columns", ()) if asked.get("column") is None else (asked["column"],)
        self.key = (name, repr(sorted(asked.items())))
        good = fits_together(asked, asked.get("kind"), asked.get("distance"))
        refuse(not good or (name != "k-anonymity" and not self.judged), f"the settings of {name} are out of range")

    def share_limit(self):
        """Return the share of a class that no value may exceed, if one number says it."""
        frequency = self.name == "l-diversity" and self.asked["kind"] == "frequency"
        return 1 / self.asked["l"] if frequency else self.asked.get("alpha")


def setting(kind, value, name, folder):
    """Return a setting of a model as what it is: a number, a flag, texts, lines of a tree, a matrix."""
    if kind in ("whole", "fraction"):
        return exact(value, name, 1 if kind == "whole" else None, whole=kind == "whole")
    if kind == "flag":
        return value if isinstance(value, bool) else choice(value, name, "true", "false") == "true"
    if kind == "list":
        return texts(value, name)
    if kind == "distance" and isinstance(value, (list, tuple)):
        return tuple(tuple(exact(x, "a distance") for x in row) for row in value)
    if kind != "lines":
        refuse(not isinstance(value, str), f"{name} is no text")
        return value
    lines = lines_of(folder / value) if isinstance(value, str) else [tuple(map(str, line)) for line in value]
    widths, leaves = {len(line) for line in lines}, {line[0] for line in lines}
    good = len(widths) == 1 < max(widths) and len(leaves) == len(lines)
    pairs = {(j, line[j], line[j + 1]) for line in lines for j in range(1, len(line) - 1)}
    good = good and len({line[-1] for line in lines}) == 1 and len({pair[:2] for pair in pairs}) == len(pairs)
    refuse(not good, "a tree of sensitive values has a value twice, or is no tree with one root")
    return tuple(lines)


def matrix_file(value):
    """Return the file of distances that a distance names, if it does: `matrix:FILE`, or a path that ends in .csv."""
    text = value if isinstance(value, str) else ""
    if text.startswith("matrix:"):
        return text.removeprefix("matrix:")
    return text if text.lower().endswith(".csv") and not text.startswith("hierarchical:") else None


def distances_of(path):
    """Return the values that the header of a file of distances names, and its rows of numbers."""
    head, *lines = lines_of(path) or [()]
    values = head[1:]
    good = values and all(values) and len(set(values)) == len(values) <= 256
    good = good and [line[0] for line in lines] == list(values) and {len(line) for line in lines} == {len(head)}
    refuse(not good, "a file of distances is no square of at most 256 values, each with one name")
    return values, tuple(line[1:] for line in lines)


def written(value):
    """Return a setting as a rule of a policy writes it."""
    if isinstance(value, tuple):
        return ",".join(value) if all(isinstance(one, str) for one in value) else "given"
    return (
        words_for.plainest(value)
        if isinstance(value, Fraction)
        else str(value).lower()
        if value is True
        else str(value)
    )


def fits_together(asked, kind, apart):
    """Return whether the settings of a model are in range and go together; a matrix is rescaled if that is asked."""
    if kind is not None:  # l-diversity
        c, columns, joint = asked["c"], asked["columns"], kind == "joint"
        return (
            kind in ("frequency", "distinct", "entropy", "recursive", "joint") and asked["l"] >= 1
            and (kind in ("frequency", "entropy") or asked["l"].denominator == 1)
            and (kind == "recursive") == (c is not None) and (c is None or c > 0)
            and (asked["column"] is None) == joint == bool(columns) and len(set(columns)) == len(columns)
        )  # fmt: skip
    if apart is None:
        return min(asked.get(name, 1) for name in ("alpha", "beta", "delta")) > 0 and asked.get("alpha", 1) <= 1
    order, matrix, n = asked["order"], isinstance(apart, tuple), range(len(apart))
    if matrix:
        most = max((x for row in apart for x in row), default=0)
        if asked["rescale"] and most:
            apart = asked["distance"] = tuple(tuple(x / most for x in row) for row in apart)
        square = apart and all(len(row) == len(apart) for row in apart) and max(map(max, apart)) in (0, 1)
        bad = not square or any(apart[i][i] or apart[i][j] != apart[j][i] or apart[i][j] < 0 for i in n for j in n)
        parts = math.lcm(*(x.denominator for row in apart for x in row))
        whole = [[int(x * parts) for x in row] for row in apart] if not bad else []
        if bad or any(a > one[m] + b for one in whole for m in n for a, b in zip(one, whole[m], strict=True)):
            return False
    return (
        0 <= asked["t"] <= 1 and (matrix or apart in ("equal", "ordered", "numeric", "hierarchical"))
        and (apart == "hierarchical") == bool(asked["hierarchy"]) and (matrix or not asked["rescale"])
        and (matrix or apart == "ordered" or not order) and len(set(order)) == len(order)
    )  # fmt: skip


class Mask:
    """A set of level vectors: those that obey all rules, or that `any` or `all` of some masks allow [T6]."""

    def __init__(self, said, columns, heights):
        refuse(not isinstance(said, dict), "a mask is no table")
        self.heights, place = heights, {column: j for j, column in enumerate(columns)}
        self.join = next((join for word, join in (("any", any), ("all", all)) if word in said), None)
        if self.join:
            parts = next(iter(said.values()))
            good = len(said) == 1 and isinstance(parts, list) and parts
            refuse(not good, "a mask with 'any' or 'all' has other words, or no list of masks")
            self.parts = [Mask(part, columns, heights) for part in parts]
            return
        refuse(not set(said) <= set(MASK_WORDS), "the mask has a word that is not known")

        def at(column):
            refuse(column not in place, "the mask names a column that is no quasi-identifier")
            return place[column]

        def columns_of(one, word):
            names = [one] if isinstance(one, str) else one
            good = isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names)
            refuse(not good or len(set(names)) < len(names), f"{word} is no list of columns, or names one twice")
            return [at(name) for name in names]

        def level(number, j):
            good = type(number) is int and 0 <= number <= heights[j]
            refuse(not good, "the mask names a level that a column does not have")
            return number

        def listed(word):
            """Return the entries of a list; one that is a list of columns itself is a list of one."""
            value = said.get(word, [])
            refuse(not isinstance(value, (list, tuple)), f"{word} is no list")
            alone = [isinstance(one, str) for one in value]
            refuse(any(alone) and not all(alone), f"{word} mixes columns and lists of them")
            return [value] if any(alone) else value

        def groups(word):
            found = [columns_of(group, word) for group in listed(word)]
            refuse(any(len(group) < 2 for group in found), f"{word} has a group of fewer than two columns")
            return found

        self.stars_alone = choice(said.get("full_suppression", True), "full_suppression", True, False)
        self.most_stars = said.get("max_stars", len(heights))
        refuse(type(self.most_stars) is not int or self.most_stars < 0, "max_stars is no whole number")
        self.tops = [(j, 0) for j in columns_of(said.get("keep", []), "keep")]
        self.tops += [(at(column), level(top, at(column))) for column, top in table_of(said, "max_level").items()]
        self.together, self.at_most_one, self.never = map(groups, ("together", "at_most_one", "never_together"))
        self.listed = None if "patterns" not in said else set()
        for one in [said["patterns"]] if isinstance(said.get("patterns"), dict) else listed("patterns"):
            vector = [0] * len(heights)
            if isinstance(one, dict):
                for column, number in one.items():
                    vector[at(column)] = level(number, at(column))
            else:
                for j in columns_of(one, "patterns"):
                    vector[j] = heights[j]
            self.listed.add(tuple(vector))
        refuse(self.listed is not None and not self.listed, "patterns lists no pattern")

    def allows(self, vector):
        """Return whether a level vector is allowed; that of stars alone is judged by full_suppression only."""
        if self.join:
            return self.join(part.allows(vector) for part in self.parts)
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
        """Return levels that every allowed vector at or above one has, but stars alone; None: there is none [M4]."""
        if self.join is all:
            for part in self.parts:
                vector = None if vector is None else part.raised(vector)
            return vector
        if self.join is any:
            above = [low for part in self.parts if (low := part.raised(vector)) is not None]
            return tuple(map(min, zip(*above, strict=True))) if above else None
        low = list(vector)
        while more := [j for group in self.together if any(low[i] for i in group) for j in group if not low[j]]:
            for j in more:
                low[j] = 1
        if self.listed is not None:
            above = [one for one in self.listed if all(map(int.__ge__, one, low))]
            low = list(map(min, zip(*above, strict=True))) if above else None
        return None if low is None or self.too_high(tuple(low)) else tuple(low)


# ---------------------------------------------------------------------------------------------- tables and hierarchies


def decoded(path, encoding):
    """Return the text of a file."""
    try:
        raw = Path(path).read_bytes()
        text = raw.decode("utf-8-sig" if encoding.lower().replace("_", "-") in ("utf-8", "utf8") else encoding)
    except (OSError, ValueError, LookupError):
        raise Unreadable(f"a file cannot be read as {encoding} text") from None
    refuse("\0" in text, "a file holds zero bytes: it is no text")
    return text.removeprefix("\ufeff")


def end_of(line):
    """Return with what a line ends: LF, CRLF, CR or nothing."""
    return line[len(line.rstrip("\r\n")) :]


def records_of(lines, delimiter, *, strict=True, ends=None):
    """Return the records of CSV lines; of a sample, which may end inside one, the first that are not empty.

    `ends`, if given, takes in what the records end with.
    """
    try:
        found = csv.reader(lines, delimiter=delimiter, strict=strict)
        if ends is not None:
            return [record for record in found if ends.add(end_of(lines[found.line_num - 1])) is None]
        return list(found) if strict else list(itertools.islice(filter(None, found), 201))
    except csv.Error:
        refuse(strict, "a table is no CSV: a quote is not closed or not doubled")
        return []


def detected(lines):
    """Return the delimiter by which most records have equally many, and more than one, fields."""
    best = (0.0, 0, 0, ",")
    for rank, sign in enumerate(",;\t|"):
        widths = Counter(len(record) for record in records_of(lines, sign, strict=False))
        if widths and (common := widths.most_common(1)[0])[0] > 1:
            best = max(best, (common[1] / widths.total(), common[0], -rank, sign))
    return best[3]


def looks_like_data(first, rest):
    """Return whether the first record is more likely a row than a header."""
    data = r"[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?%?$|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T].*)?$"
    again = sum(1 for j, f in enumerate(first) if f and any(len(r) > j and r[j].strip() == f for r in rest))
    return any(re.match(data, field) for field in first) or (again * 2 >= len(first) and again >= min(2, len(first)))


def unmarked(text):
    """Return a text without the apostrophe that `spreadsheet_safe` puts before what a spreadsheet would run [R10]."""
    return text[1:] if A_MARK.match(text) else text


class Table:
    """A CSV table: column names, and rows of texts; a missing value is None."""

    def __init__(
        self, path, *, header=None, columns=(), delimiter=None, encoding="utf-8", na=(), strip=True, marked=False
    ):
        """Read a file as a policy says; `marked`: with apostrophes before what a spreadsheet would run."""
        known = Path(path).suffix.lower() in (".csv", ".tsv", ".txt", ".data")
        refuse(not known, "this program reads tables as CSV only")
        lines = io.StringIO(decoded(path, encoding), newline="").readlines()
        start = next((i for i, line in enumerate(lines) if line.strip("\r\n")), len(lines))
        ends, lines = set(lines[:start]), lines[start:]
        switches = isinstance(header, bool | None) and isinstance(strip, bool)
        refuse(not switches, "header or strip is neither true nor false")
        refuse(not isinstance(delimiter, str | None), "delimiter is no text")
        sign = detected(lines[:800]) if delimiter is None else {"\\t": "\t", "tab": "\t"}.get(delimiter, delimiter)
        refuse(len(sign) != 1 or sign in '"\r\n', "delimiter is not one sign, or a quote or line end")
        sample = records_of(lines[:800], sign, strict=False)
        refuse(not sample, "a table is empty")
        first = [field.strip() if strip else field for field in sample[0]]
        columns = texts(columns, "columns")
        refuse(columns and len(columns) != len(first), "columns gives another number of names than the table has")
        doubtful = header is None and looks_like_data([f.strip() for f in first], sample[1:])
        refuse(doubtful, "the first line looks like a row of data: say with header whether it names the columns")
        header = header is None or header
        self.names = tuple(columns or (first if header else (f"c{i + 1}" for i in range(len(first)))))
        named = len(set(self.names)) == len(self.names) and all(self.names)
        refuse(not named, "a column has no name, or two have the same")
        absent, self.rows = {"", *texts(na, "na", split=False)}, []
        if marked:
            self.names = tuple(map(unmarked, self.names))
        csv.field_size_limit(1 << 30)
        records = records_of(lines, sign, ends=ends)
        refuse(len(ends - {""}) > 1, "the lines of a table do not all end alike, by LF, CRLF or CR")
        for record in records[1 if header else 0 :]:
            cells = record or [""] * (len(first) == 1)
            refuse(len(cells) not in (0, len(first)), "a row of a table has more or fewer fields than its first")
            cells = [field.strip(BLANKS) for field in cells] if strip else cells
            cells = list(map(unmarked, cells)) if marked else cells
            self.rows += [tuple(None if field in absent else field for field in cells)] if cells else []

    def cells(self, columns):
        """Return every row's cells of some columns."""
        places = [self.names.index(name) for name in columns]
        return [tuple(row[j] for j in places) for row in self.rows]


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


@functools.lru_cache(maxsize=1 << 16)
def micro_bits(number):
    """Return log2 of a whole number, rounded down to 10^-6 [T4]; 0 of 0."""
    whole = max(number.bit_length() - 1, 0)
    if number in (0, 1 << whole):
        return Fraction(whole)
    parts = int(math.log2(number) * 10**6)  # about; the sign of a sum of logarithms tells which number it is
    while logarithm_sign([(number, 10**6), (2, -parts - 1)]) > 0:
        parts += 1
    while logarithm_sign([(number, 10**6), (2, -parts)]) < 0:
        parts -= 1
    return Fraction(parts, 10**6)


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
    words = words_for.made(spec, exact)
    if words is not None:
        return made_hierarchy(words, values, policy, complete=policy.complete)
    spec = {"file": spec} if isinstance(spec, str) else spec
    good = isinstance(spec["file"], str) and set(spec) <= {"file", "level_costs", "node_costs"}
    refuse(not good, "a hierarchy names no file, or has a word that is not known")
    more = {name: spec[name] for name in spec if name != "file"}
    refuse(more and policy.cost != "leaves", "a hierarchy has costs of its own, which the policy's cost does not use")
    return Hierarchy(lines_of(policy.folder / spec["file"]), values, policy, **more)


def made_hierarchy(words, values, policy, *, complete):
    """Return the hierarchy that words make of a column's values; a missing value is under the root [W1]."""
    lines = words.lines([value for value in values if value is not None], complete=complete)
    refuse(not lines, "a hierarchy is made of no values")
    return Hierarchy([*lines, *(("NULL",) * len(lines[0]) for value in values if value is None)], values, policy)


def lines_of(path):
    """Return the lines of a hierarchy's CSV file."""
    text = decoded(path, "utf-8")
    first = next((line for line in text.splitlines() if line.strip()), "")
    sign = next((sign for sign in ";\t,|" if sign in first), ";")
    found = records_of(io.StringIO(text, newline=""), sign)
    return [tuple(cell.strip() for cell in line) for line in found if any(line)]


# ----------------------------------------------------------------------------------- what is asked of classes beside k


class Metric:
    """How far apart values are: nodes of a tree by height, steps of a line, or a matrix; all in fractions."""

    def __init__(self, asked, values):
        kind, order, self.nodes, self.steps, self.matrix = asked["distance"], asked["order"], None, None, None
        if kind == "equal":
            self.nodes = [list(range(len(values)))]
            return
        if kind == "hierarchical":
            lines = {line[0]: line for line in asked["hierarchy"]}
            refuse(any(value not in lines for value in values), "the tree of sensitive values lacks some")
            self.nodes = list(zip(*(lines[value][:-1] for value in values), strict=True))
            return
        refuse(None in values, "missing values have no place in an ordered, numeric or given distance")
        numbers = [Fraction(v) if len(v) <= 1000 and A_NUMBER.fullmatch(v) else None for v in values]
        refuse(kind == "numeric" and None in numbers, "the numeric distance is asked of values that are no numbers")
        refuse(order and not set(values) <= set(order), "order lacks values of its column")
        plain = order or None in numbers
        keys = list(values) if plain else numbers
        ranks = order or sorted(set(keys), key=str.encode if plain else None)
        at = {key: i for i, key in enumerate(ranks)}
        self.place = [at[key] for key in keys]
        if isinstance(kind, tuple):
            fits = len(kind) == len(ranks if order else keys) and len(set(self.place)) == len(keys)
            refuse(not fits, "the distance matrix does not fit the values")
            self.matrix = [[kind[a][b] for b in self.place] for a in self.place]
        else:
            steps = [b - a if kind == "numeric" else Fraction(1) for a, b in itertools.pairwise(ranks)]
            span = sum(steps)
            self.steps = [step / span for step in steps]

    def apart(self, u, v):
        """Return the distance of two values."""
        if self.nodes is not None:
            meets = next((h for h, nodes in enumerate(self.nodes) if nodes[u] == nodes[v]), len(self.nodes))
            return Fraction(meets, len(self.nodes))
        low, high = sorted((self.place[u], self.place[v]))
        return self.matrix[u][v] if self.steps is None else sum(self.steps[low:high], Fraction(0))

    def work(self, rows, totals):
        """Return the earth mover's distance of a class from the table, a fraction."""
        size, n = sum(rows.values()), sum(totals)
        excess = [rows.get(v, 0) * n - total * size for v, total in enumerate(totals)]  # times n N
        if self.nodes is not None:
            sums = [Counter() for _ in self.nodes]
            for level, nodes in zip(sums, self.nodes, strict=True):
                for node, amount in zip(nodes, excess, strict=True):
                    level[node] += amount
            return Fraction(sum(abs(x) for level in sums for x in level.values()), 2 * len(sums) * n * size)
        if self.steps is not None:
            at = [0] * (len(self.steps) + 1)
            for place, amount in zip(self.place, excess, strict=True):
                at[place] += amount
            crossing = itertools.accumulate(at)
            return sum((step * abs(x) for step, x in zip(self.steps, crossing, strict=False)), Fraction(0)) / (n * size)
        more, less = ([v for v, x in enumerate(excess) if x * sign > 0] for sign in (1, -1))
        ways = [{i: self.matrix[v][u] for i, v in enumerate(more)} for u in less]
        return Fraction(least_cost([excess[v] for v in more], [-excess[u] for u in less], ways)) / (n * size)


class Requirement:
    """A model on one table: whether a class meets it, exactly; and what its rules for bounds need [V5].

    `kinds` are the combinations of the judged columns' values (texts), `of_table` their rows in the table.
    """

    def __init__(self, model, names, of_table):
        self.model, self.asked, self.kinds, self.n = model, model.asked, list(of_table), sum(of_table.values())
        self.places = [names.index(column) for column in model.judged]
        first, totals = self.places[0], Counter()
        for kind, rows in of_table.items():
            totals[kind[first]] += rows
        self.values = sorted(totals, key=by_bytes)
        rank = {value: v for v, value in enumerate(self.values)}
        self.code = {kind: rank[kind[first]] for kind in self.kinds}  # the value of every kind, by its rank
        self.totals = [totals[value] for value in self.values]
        self.metric = Metric(self.asked, self.values) if model.name == "t-closeness" else None
        forms = {"p-sensitive": "distinct", "t-closeness": "distance", "frequency": "shares", "joint": "distinct"}
        kind = self.asked.get("kind", model.name)
        self.form = forms.get(kind, kind if model.name == "l-diversity" else "shares")  # which rules say it
        self.least = int(self.asked["p"] if "p" in self.asked else self.asked.get("l", 0))

    def met(self, counted):
        """Return whether a class with so many rows of each kind (a dictionary) meets the model."""
        asked, limit, size = self.asked, self.model.share_limit(), sum(counted.values())
        if len(self.places) > 1:
            lines = dict.fromkeys(tuple(kind[j] for j in self.places) for kind, rows in counted.items() if rows)
            return jointly_diverse(list(lines), self.least)
        rows = Counter()
        for kind, number in counted.items():
            rows[self.code[kind]] += number
        rows = +rows  # those above 0
        if self.form == "distinct":
            return len(rows) >= self.least
        if self.form == "entropy":
            return even_enough(list(rows.values()), asked["l"])
        if self.form == "recursive":
            ordered = sorted(rows.values(), reverse=True)
            return ordered[0] < asked["c"] * sum(ordered[self.least - 1 :])
        if self.form == "distance":
            return self.metric.work(rows, self.totals) <= asked["t"]
        if limit is not None:
            return max(rows.values()) <= limit * size
        ratios = [(Fraction(r * self.n, size * self.totals[v]), self.totals[v]) for v, r in rows.items()]
        if "beta" in asked:
            # a gain above -ln p; a gain above 0 is no logarithm of a fraction
            above = (x > 1 and logarithm_sign([(self.n, 1), (c, -1)], x - 1) < 0 for x, c in ratios)
            return max(ratios)[0] - 1 <= asked["beta"] and not (asked["enhanced"] and any(above))
        apart = [max(x, 1 / x) for x, _ in ratios]  # delta-disclosure: |ln ratio| < delta
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
    return l <= 1 or all(most_apart([o for o in lines if differ(o, one)], l - 1) >= l - 1 for one in lines)


def differ(one, other):
    """Return whether two lines differ in every column."""
    return all(a != b for a, b in zip(one, other, strict=True))


def most_apart(lines, enough):
    """Return how many lines differ pairwise in every column at most, or `enough` if that is less."""
    if not lines or enough <= 0:
        return 0
    if len(lines[0]) == 2:  # a largest matching between the values of two columns
        beside, mate = grouped(lines, lambda line: line[0]), {}

        def place(a, seen):
            for _, b in beside[a]:
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
        narrow = min(len({line[j] for line in left}) for j in range(len(lines[0])))
        if left and size + narrow > best:
            stack.append((left[1:], size))
            stack.append(([other for other in left if differ(left[0], other)], size + 1))
    return min(best, enough)


# ------------------------------------------------------------------------------------ the release against its original


class Fitted:
    """A policy on one original: hierarchies, heights, mask, costs; and how a released cell reads."""

    def __init__(self, policy, original, steps=None):
        """Fit a policy; `steps` are those of a certificate, one for every column of ranges."""
        self.policy, self.original = policy, original
        lost = {*policy.quasi, *policy.sensitive, *policy.identifiers} - set(original.names)
        refuse(lost, "the original lacks a column that the policy names")
        refuse(policy.k > len(original.rows), "the original has no rows, or fewer than k")
        named, gone = {*policy.quasi, *policy.sensitive}, set(policy.identifiers)
        self.kept = [c for c in original.names if c in named or (policy.other == "keep" and c not in gone)]
        self.others = [c for c in self.kept if c not in policy.quasi]
        self.judged = [c for c in original.names if any(c in model.judged for model in policy.models)]
        self.cells = original.cells(policy.quasi)
        self.values = [sorted(set(column), key=by_bytes) for column in zip(*self.cells, strict=True)]
        held = policy.star is not None and any(policy.star in values for values in self.values)
        refuse(held, "the original already holds the star text")
        specs = zip(map(policy.hierarchies.get, policy.quasi), self.values, strict=True)
        self.trees = [None if spec is None else hierarchy_of(spec, values, policy) for spec, values in specs]
        self.grids = [None] * len(policy.quasi)
        for at, column in enumerate(policy.ranged if policy.grid else ()):
            j, step = policy.quasi.index(column), policy.step or (steps[at] if steps and at < len(steps) else None)
            self.grids[j] = Grid(self.values[j], step, wide=policy.cost == "ncp")
        if policy.auto:
            told = zip(policy.quasi, self.values, self.trees, strict=True)
            self.trees = [tree or self.proposed(column, values) for column, values, tree in told]
        if policy.cost in LOOKING:  # a column without a hierarchy has its values and the star
            flat = ([("NULL" if value is None else value,) for value in values] for values in self.values)
            pairs = zip(self.trees, flat, self.values, strict=True)
            self.trees = [tree or Hierarchy(lines, values, policy) for tree, lines, values in pairs]
        pairs = zip(self.trees, self.grids, strict=True)  # a ranged column shows a value, a run or a star [G4]
        self.heights = tuple(tree.height if tree else 2 if grid else 1 for tree, grid in pairs)
        self.mask, changing = Mask(policy.mask, policy.quasi, self.heights), [True] * len(self.heights)
        if math.prod(h + 1 for h in self.heights) <= 1 << 16:
            vectors = allowed_vectors(self.mask, self.heights)
            refuse(not vectors, "the mask allows no pattern at all")
            changing = [any(levels) for levels in zip(*vectors, strict=True)]
        # what is never changed shows no labels
        self.labelled = [tree if tree and on else None for tree, on in zip(self.trees, changing, strict=True)]
        looked = policy.cost in ("ncp", *LOOKING)
        held = [Held(policy, column, original) if looked else None for column in policy.quasi]
        plain = [tree.costs(policy.cost, of) if tree else [[Fraction(0), Fraction(1)]]
                 for tree, of in zip(self.trees, held, strict=True)]  # fmt: skip
        weights = [policy.weights.get(column, Fraction(1)) for column in policy.quasi]
        # per column and line the costs of its levels [T4]
        self.costs = [[[cost * w for cost in line] for line in told] for told, w in zip(plain, weights, strict=True)]
        told = {cost for column in self.costs for line in column for cost in line}
        # by the places of a column's values, what a run ends with and begins with [G3]
        self.paid_at = [[w * x for x in grid.paid] if grid else [] for grid, w in zip(self.grids, weights, strict=True)]
        told.update(cost for paid in self.paid_at for cost in paid)
        self.scale = math.lcm(*(cost.denominator for cost in told))
        most = max(self.scale, len(original.rows) * len(self.trees) * max(told) * self.scale)
        refuse(most >= 2**62, "the costs have too many digits to be added up")

    def proposed(self, column, values):
        """Return the hierarchy that `auto` makes of a column's values; None: it makes none [W6]."""
        told = [value for value in values if value is not None]
        words = None if self.policy.grid and column in self.policy.ranged else words_for.proposed(column, told)
        return words and made_hierarchy(words, values, self.policy, complete=True)

    def unchanged(self, trees):
        """Return what the original's rows cost as they are, in the columns of some trees: 0 but for entropy [T4]."""
        lines = [[tree.of[v] if tree else 0 for v, tree in zip(cells, trees, strict=True)] for cells in self.cells]
        return sum((self.costs[j][line[j]][0] for line in lines for j, tree in enumerate(trees) if tree), Fraction(0))

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

    def between(self, low, high):
        """Return the level vectors from a lowest to a highest one that keep the mask."""
        ways = [range(a, b + 1) for a, b in zip(low, high, strict=True)]
        refuse(math.prod(map(len, ways)) > MOST_READINGS, "a row of the release can be read at too many levels")
        return filter(self.mask.allows, itertools.product(*ways))

    def keeps(self, low, high):
        """Return whether some reading of a row keeps the mask; the ends are looked at first [R6]."""
        return self.mask.allows(low) or self.mask.allows(high) or any(self.between(low, high))

    def paid(self, low, high, costs):
        """Return what a row costs least and most, at readings that keep the mask if there is one [R9]."""

        def cost(vector):
            return sum(line[level] for line, level in zip(costs, vector, strict=True))

        ends = [cost(low), cost(high)]
        if ends[0] == ends[1] or (self.mask.allows(low) and self.mask.allows(high)):
            return ends
        kept = [cost(vector) for vector in self.between(low, high)] or ends
        return [min(kept), max(kept)]

    def asked(self, before, after):
        """Return what a row's missing values cost that the mask asks to be stars; None: it allows no reading [R9]."""
        low = tuple(int(b is None and a is not None) for a, b in zip(before, after, strict=True))
        high = tuple(int(cell is None) for cell in after)
        if self.mask.allows(low) or (2 ** (sum(high) - sum(low)) > MOST_READINGS and self.mask.allows(high)):
            return Fraction(0)
        stars = [line[1] for (line,) in self.costs]
        kept = (sum(map(Fraction.__mul__, stars, map(int.__sub__, vector, low))) for vector in self.between(low, high))
        return min(kept, default=None)


def released_as_asked(fitted, released):
    """Return what is wrong with a release, and what missing values cost as stars; None where it lacks a column."""
    policy, original, star = fitted.policy, fitted.original, fitted.policy.star
    found = [f"columns: missing number {j + 1}" for j, c in enumerate(fitted.kept) if c not in released.names]  # [R1]
    if found:
        return found, None
    if list(released.names) != fitted.kept:
        found.append("columns: others than those kept, or in another order")
    if len(released.rows) != len(original.rows):
        found.append("rows")  # [R2]
    shown, classes = released.cells(policy.quasi), defaultdict(Counter)
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
    if star is not None and sum(not fitted.keeps(*fitted.readings(cells)) for cells in classes):
        found.append("mask")  # [R6]
    suppressed, low, high = shown_at(fitted, classes)
    if policy.limit is not None and suppressed > policy.limit * len(shown) // 1:
        found.append("suppression limit")  # [U2]
    if policy.single and suppressed < len(shown) and not (all(map(int.__le__, low, high)) and fitted.keeps(low, high)):
        found.append("recoding")  # [U1]
    known = [{*values, star, *(tree.low if tree else ())}
             for values, tree in zip(fitted.values, fitted.labelled, strict=True)]  # fmt: skip
    if not all(cell in known[j] or fitted.run(j, cell) for cells in classes for j, cell in enumerate(cells)):
        found.append("invented value")  # [R7]
    try:
        extra = paired(fitted, shown, released.cells(fitted.others))
    except Unreadable:
        refuse(not found, "a row of the release can be read at too many levels")
        extra = None
    return found + ["faithful"] * (extra is None), extra or 0  # [R8]


def held_to(fitted, released):
    """Return what a release is held to, the columns that passed unchanged, and the rows unique on them [R11]."""
    policy, names = fitted.policy, [name for name in released.names if name not in fitted.policy.quasi]
    cells, rows = released.cells(names), len(released.rows)
    kept = []
    for name, column in zip(names, zip(*cells, strict=True) if cells else [()] * len(names), strict=True):
        distinct = len(set(column) - {None})
        role = "sensitive" if name in policy.sensitive else "other"
        near = distinct > 1 and rows <= 2 * distinct
        kept.append({"name": name, "role": role, "distinct": distinct, "nearly_unique": near})
    alone = sum(count == 1 for count in Counter(cells).values()) if names else 0
    return {
        "k": policy.k, "asked": [model.rule for model in policy.models], "quasi_identifiers": list(policy.quasi),
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


def cost_of(fitted, released, extra=0):
    """Return what the release costs, least and most [R9]."""
    policy, low, high = fitted.policy, Fraction(extra), Fraction(0)
    if not set(policy.quasi) <= set(released.names):
        return None
    shown = released.cells(policy.quasi)
    if policy.star is None:  # a star is NULL, and so may be what was missing before
        for j, ((_, star),) in enumerate(fitted.costs):
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
        ends = fitted.paid(*fitted.readings(cells), costs)
        low, high = low + ends[0] * rows, high + ends[1] * rows
    own = fitted.unchanged(fitted.labelled)
    return low - own, high - own


def paired(fitted, shown, others):
    """Return what missing values cost as stars at least; None where some released row can have no original [R8]."""
    star, blocks, ways, least = fitted.policy.star, defaultdict(lambda: (Counter(), Counter())), [], Fraction(0)
    for side, every, rows in ((0, fitted.original.cells(fitted.others), fitted.cells), (1, others, shown)):
        for block, cells in zip(every, rows, strict=True):
            blocks[block][side][cells] += 1
    if any(want.total() > have.total() for have, want in blocks.values()):
        return None
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
                    if all(fitted.grids[j].holds(fitted.run(j, after[j]), cells[j]) for j in runs):  # [G2]
                        cost = 0 if star is not None else fitted.asked(cells, after)
                        if cost is not None:
                            fits[r][o] = cost
        ways.append((list(have.values()), list(want.values()), fits))
    for supply, demand, fits in ways:
        cost = least_cost(supply, demand, fits)
        if cost is None:
            return None
        least += cost if len(shown) == len(fitted.cells) else 0
    return least


def least_cost(supply, demand, ways):
    """Return the least cost of giving every taker r its demand by ways[r], givers with costs; None: there is no way.

    A maximum flow uses the ways that cost two prices together; where it lacks prices move (the Hungarian method).
    """
    of_giver, of_taker = [math.inf] * len(supply), [0] * len(demand)
    for own in ways:
        for o, cost in own.items():
            of_giver[o] = min(of_giver[o], cost)
    while True:
        tight = [[o for o, c in own.items() if c == of_giver[o] + of_taker[r]] for r, own in enumerate(ways)]
        lacking = short_of(supply, demand, tight)
        if not lacking:
            return sum(a * b for a, b in zip([*of_giver, *of_taker], [*supply, *demand], strict=True))
        near = {o for r in lacking for o in tight[r]}
        far = (c - of_giver[o] - of_taker[r] for r in lacking for o, c in ways[r].items() if o not in near)
        step = min(far, default=None)
        if step is None:
            return None
        for r in lacking:
            of_taker[r] += step
        for o in near:
            of_giver[o] -= step


def short_of(supply, demand, fits):
    """Return the takers that a maximum flow leaves short, and those whose rows they could have; `fits` has givers."""
    left, lacks, flow, open_for = list(supply), list(demand), [Counter() for _ in supply], Counter()
    for some in fits:
        open_for.update(some)
    for r in sorted(range(len(demand)), key=lambda r: len(fits[r])):
        for o in sorted(fits[r], key=open_for.__getitem__):
            amount = min(left[o], lacks[r])
            if amount:
                left[o], lacks[r], flow[o][r] = left[o] - amount, lacks[r] - amount, amount
    while any(lacks):  # shortest ways to what is left: from r to an o that fits, from o to the takers that it supplies
        came, through, ends = {}, {r: None for r, lack in enumerate(lacks) if lack}, []
        queue = list(through)
        for r in queue:
            for o in fits[r]:
                if o not in came:
                    came[o] = r
                    ends += [o] if left[o] else []
                    for x, amount in flow[o].items():
                        if amount and x not in through:
                            through[x] = o
                            queue.append(x)
        if not ends:
            return queue
        for end in ends:
            path, o = [], end
            while o is not None:
                path.append((o, came[o]))
                o = through[came[o]]
            back = [(o, r) for (_, r), (o, _) in itertools.pairwise(path)]
            amount = min([left[end], lacks[path[-1][1]], *(flow[o][r] for o, r in back)])
            left[end] -= amount
            lacks[path[-1][1]] -= amount
            for way, sign in ((path, 1), (back, -1)):
                for o, r in way:
                    flow[o][r] += sign * amount
    return []


# --------------------------------------------------------------------------------------------------------- the command


def problem_of(fitted, columns=()):
    """Return the row types told apart by the quasi-identifiers and some columns beside, with what they cost [T1-T5]."""
    policy, beside, m, levels = fitted.policy, fitted.original.cells(columns), len(fitted.trees), []
    more = [sorted(set(column), key=by_bytes) for column in zip(*beside, strict=True)]
    ranks = [{value: i for i, value in enumerate(values)} for values in (*fitted.values, *more)]
    counted = Counter(tuple(rank[x] for rank, x in zip(ranks, cells + secret, strict=True))
                      for cells, secret in zip(fitted.cells, beside, strict=True))  # fmt: skip
    types, counts = zip(*sorted(counted.items()), strict=True)
    for values, tree, costs in zip(fitted.values, fitted.trees, fitted.costs, strict=True):
        lines = [tree.of[value] if tree else 0 for value in values]
        shown = [(*(tree.shown[i] if tree else (value,)), "*") for value, i in zip(values, lines, strict=True)]
        ups = [{label: n for n, label in enumerate(dict.fromkeys(level))} for level in zip(*shown, strict=True)]
        levels.append([([names[line[level]] for line in shown], [int(costs[i][level] * fitted.scale) for i in lines])
                       for level, names in enumerate(ups)])  # fmt: skip
    p = Problem([codes[:m] for codes in types], counts, levels, fitted.mask, policy.k, policy.outliers, fitted.scale)
    apart = {}  # columns that tell the same values apart as an earlier one are left out [M1]
    for column in zip(*(codes[m:] for codes in types), strict=True):
        apart.setdefault(tuple(map(column.index, column)), column)
    p.secret = list(zip(*apart.values(), strict=True)) or None
    texts_of, table = [tuple(more[s][x] for s, x in enumerate(codes[m:])) for codes in types], Counter(beside)
    p.kinds = sorted(table, key=lambda kind: tuple(map(by_bytes, kind)))
    number = {kind: s for s, kind in enumerate(p.kinds)}
    p.kind, p.kind_rows = [number[kind] for kind in texts_of], [table[kind] for kind in p.kinds]
    every = {kind: table[kind] for kind in p.kinds}
    told = set(columns).issuperset(column for model in policy.models for column in model.judged)
    p.asked = [Requirement(model, list(columns), every) for model in policy.models if told]
    said = all(value is True or value in ([], {}, "") for value in policy.mask.values())
    p.kinds_mask = None if said else (fitted.mask, fitted.heights)
    p.grids = [(j, grid.step, grid.sorted, [int(cost * fitted.scale) for cost in fitted.paid_at[j]],
                [grid.numbers[value] for value in fitted.values[j]])
               for j, grid in enumerate(fitted.grids) if grid]  # fmt: skip
    return p


def verdict_on(fitted, certificate, costs, released):
    """Return the verdict on a certificate, and what it is about."""
    policy, (name, version) = fitted.policy, proofs.kind_of(certificate)
    halved = {m.asked["column"] for m in policy.models if m.share_limit() is not None and 2 * m.share_limit() <= 1}
    about, columns = "k-anonymity", []
    if name == "incrowd 2-anonymity bound" and certificate.get("diverse") is True and set(fitted.judged) <= halved:
        about, columns = "2-diversity" if fitted.judged else about, fitted.judged
    elif (name, version) == ("incrowd k-anonymity bound", 2):
        about, columns = "k-anonymity and the requirements", fitted.judged
    one, on_grid = name == "incrowd single recoding bound", name == "incrowd ranges bound"
    refuse(on_grid != policy.grid, "of certificate and policy, one is about ranges on a grid and the other is not")
    about += f" with ranges on {'this grid' if len(policy.ranged) == 1 else 'these grids'}" if on_grid else ""
    refuse(one and not policy.single, "the certificate is about one recoding for the whole table, the policy is not")
    if one:
        about, columns = "k-anonymity and the requirements" if policy.models else about, fitted.judged
        about += " with one recoding for the whole table"
    unsure = policy.star is None and any(None in values for values in fitted.values)  # what is a star, what was missing
    bold = certificate.get("lower_bound_checked") != 0 or certificate.get("proof") != "solver"
    refuse(
        unsure and bold, "the certificate claims a proof, and stars are NULL beside missing values: there is none"
    )  # [H7]
    p, cost, own = problem_of(fitted, columns), None, int(fitted.unchanged(fitted.trees) * fitted.scale)
    refuse(own and name == "incrowd 2-anonymity bound", "a certificate of 2-anonymity is not read under this cost")
    packed = getattr(certificate, "path", None)
    claims = {name: certificate.get(name) for name in ("cost", "lower_bound", "lower_bound_checked")}
    certificate = certificate | {name: told + own for name, told in claims.items() if type(told) is int}
    if one:
        p.facts["most_suppressed"] = int((1 if policy.limit is None else policy.limit) * p.rows // 1)
        p.of_release = None if costs is None else shown_at(fitted, Counter(released.cells(policy.quasi)))
    if one or (version == 2 and not on_grid):
        p.facts["requirements"] = [model.rule for model in policy.models]
    if costs is not None:
        low, high = (int(end * fitted.scale) + own for end in costs)
        claimed = certificate.get("cost")
        cost = claimed if type(claimed) is int and low <= claimed <= high else low
    found = Verdict(p, certificate, cost, packed)
    if cost is None:
        found.wrong.append("certificate: cost")
        found.proven = False
    if unsure:
        found.bound, found.proven = 0, False
    found.cost, found.bound = found.cost - own, max(found.bound - own, 0)
    return found, about


def main(arguments=None):
    """Check a release as the command line says, and return the exit status."""
    parser = argparse.ArgumentParser(description="Check a release (and the certificate of its bound) once more.")
    for name, times in (("original", None), ("released", None), ("policy", "?"), ("certificate", "?")):
        parser.add_argument(name, nargs=times)
        if times:
            parser.add_argument(f"--{name}", dest=f"named_{name}", metavar="FILE")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    named, written = asked.named_policy or asked.policy, asked.named_certificate or asked.certificate
    if named is None:
        parser.error("name the policy's file")
    try:
        policy = Policy(named)
        certificate = None if written is None else proofs.read_certificate(written)
        steps = proofs.steps_of(certificate) if policy.grid and certificate else None
        other = steps and policy.step is None and len(steps) != len(policy.ranged)
        refuse(other, "the certificate is about other ranged columns than the policy")
        fitted = Fitted(policy, Table(asked.original, **policy.reading), steps)
        released, facts = Table(asked.released, header=True, delimiter=",", strip=False, marked=policy.marked), {}
        found, extra = released_as_asked(fitted, released)
        costs = None if certificate is None and extra is None else cost_of(fitted, released, extra or 0)
        if certificate is not None:
            verdict, about = verdict_on(fitted, certificate, costs, released)
            found += verdict.wrong
            cost, bound = (str(Fraction(x, fitted.scale)) for x in (verdict.cost, verdict.bound))
            facts = {"cost": None if costs is None else cost, "lower_bound": bound, "proven": verdict.proven}
            facts |= {"question": about, "k": policy.k}
        held = held_to(fitted, released)
    except Unreadable as error:
        sys.stderr.write(f"incrowd_check: {error}\n")
        return 2
    except (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError) as error:
        # what this program was not written for is never called good, and its text may quote a cell
        sys.stderr.write(f"incrowd_check: something is not of the form that is read here ({type(error).__name__})\n")
        return 2
    said = ["".join(map(visible, f"refused: {rule}")) for rule in found] or [
        "good: the release is what the policy asks for"
    ]
    text = "\n".join([*said, *(f"{name}: {value}" for name, value in facts.items()), *held_words(held)])
    sys.stdout.write((json.dumps({"ok": not found, "violations": found} | facts | held) if asked.json else text) + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
