"""What a policy's file says: its keys, the models it asks for, and their settings."""

from __future__ import annotations

import importlib
import itertools
import math
import re
import shlex
import tomllib
from fractions import Fraction
from pathlib import Path

from .exact import Unreadable, choice, exact, plainest, refuse, table_of, texts
from .tables import lines_of

ALIASES = {
    "qi": "quasi_identifiers", "identifier": "identifiers", "requirements": "require", "weight": "weights",
    "hierarchy": "hierarchies", "pattern": "patterns",
}  # fmt: skip
LOOKING = ("entropy", "workload")  # costs that look at every value of every column
CHOICES = {  # what a key may say, first what it says where it is left out
    "other": ("keep", "drop"), "outliers": ("forbid", "suppress"),
    "complete_hierarchies": (False, True), "recoding": ("levels", "ranges", "grid", "global"),
    "suppressed": ("text", "null"), "other_hierarchies": ("none", "auto"), "spreadsheet_safe": (False, True),
}  # fmt: skip
MASK_WORDS = (
    "max_stars", "keep", "together", "at_most_one", "never_together", "max_level", "patterns", "full_suppression",
)  # fmt: skip
READ_WORDS = ("header", "columns", "delimiter", "encoding", "na", "strip")
JOB_WORDS = (
    "source", "output", "certificate", "report", "save_policy", "solver", "time_limit", "gap", "work", "seed", "ties",
    "recursion", "reduce", "blunt", "quiet_facts", "keep_order", "spreadsheet_safe", "keep_best", "dry_run", "memory",
    "types_in_memory", "engine",
)  # fmt: skip
WORDS = (
    "quasi_identifiers", "sensitive", "identifiers", "numeric", "cost", "k", "l", "t", "require", "sensitive_distance",
    "mask", "weights", "hierarchies", "star", "round", "suppression_limit",
    *CHOICES, *MASK_WORDS, *READ_WORDS, *JOB_WORDS,
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


def words_of(path):
    """Return the keys of a policy's file."""
    try:
        return flat(tomllib.loads(Path(path).read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        raise Unreadable("the policy cannot be read as TOML") from None


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
    """What a release must be, as its TOML file says, or words that are given instead of the file's."""

    def __init__(self, path, said=None):
        said = words_of(path) if said is None else dict(said)
        self.cost, file = workload_file(said.get("cost", "leaves"))
        chosen = {name: choice(said.get(name, some[0]), name, *some) for name, some in CHOICES.items()}
        every = said.get("hierarchies") == "auto"
        self.auto = every or chosen["other_hierarchies"] == "auto"
        self.other, self.outliers, self.complete = list(chosen.values())[:3]
        self.single, self.ranges = chosen["recoding"] == "global", chosen["recoding"] == "ranges"
        self.outliers = "forbid" if self.ranges else self.outliers
        limit = said.get("suppression_limit")
        self.limit = None if limit is None else exact(limit, "suppression_limit", 0)
        refuse(limit is not None and self.limit > 1, "suppression_limit is above 1")
        self.star = None if chosen["suppressed"] == "null" else said.get("star", "*")
        refuse(not isinstance(said.get("star", "*"), str) or said.get("star") == "", "star is no text")
        self.folder, self.reading = Path(path).parent, {name: said[name] for name in READ_WORDS if name in said}
        self.encodings = ("utf-8", self.reading.get("encoding", "utf-8"))  # of hierarchies
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
        quasi, self.identifiers, named = (
            texts(said.get(name, []), name) for name in ("quasi_identifiers", "identifiers", "sensitive")
        )
        self.quasi_identifiers = quasi
        refuse(self.k is None or not quasi, "the policy names no k, or no quasi-identifiers")
        self.models = [model for model in asked if model.name != "k-anonymity"]
        judged = dict.fromkeys(column for model in self.models for column in model.judged)
        self.sensitive = (*named, *(column for column in judged if column not in named))
        known = {model.key for model in self.models}
        self.models += [model for model in self.everywhere(said) if model.key not in known]
        roles = (*quasi, *self.sensitive, *self.identifiers)
        good = len(set(roles)) == len(roles) and {*self.weights, *self.hierarchies} <= set(quasi)
        refuse(not good, "a column has two roles, or a weight or hierarchy is of no quasi-identifier")
        asked = {column for columns, _, _ in self.queries for column in columns}
        refuse(not asked <= set(quasi), "a query of the workload names a column that is no quasi-identifier")
        refuse(not set(self.numeric) <= set(quasi), "numeric names a column that is no quasi-identifier")
        self.ranged = [column for column in quasi if column in self.numeric and column not in self.hierarchies]
        refuse(self.grid and not self.on_grid(), "recoding = 'grid' lacks a column, or does not go with the rest")

    def kept(self, names):
        """Return the columns of a table that its release has."""
        named, gone = {*self.quasi_identifiers, *self.sensitive}, set(self.identifiers)
        return tuple(c for c in names if c in named or (self.other == "keep" and c not in gone))

    def most_suppressed(self, rows):
        """Return how many of some rows may be fully suppressed."""
        return int((1 if self.limit is None else self.limit) * rows // 1)

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


def settings_of(name):
    """Return the settings of a model; one that is not listed here may have a module of its own beside this one."""
    if name not in MODELS and re.fullmatch("[a-z]+(-[a-z]+)+", name):
        try:
            return own_reading(name).SETTINGS
        except (AttributeError, ModuleNotFoundError):
            return None
    return MODELS.get(name)


def own_reading(name):
    """Return the module of a model that is not listed here: its SETTINGS, and whether a class meets it."""
    return importlib.import_module(f".{name.replace('-', '_')}", __package__)


class Model:
    """A model as the policy names it: its settings, the columns it judges, and its rule as text."""

    def __init__(self, name, settings, folder):
        known = settings_of(name) if isinstance(name, str) else None
        refuse(known is None, "the policy asks for a model that is not known here")
        self.name, self.asked, words = name, {}, [name]
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
    return plainest(value) if isinstance(value, Fraction) else "true" if value is True else str(value)


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
