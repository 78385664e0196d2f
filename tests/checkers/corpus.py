"""True releases of every kind: a table, a policy in its words, a solver; what certifies each, and the oracle's question."""

from __future__ import annotations

import csv
import functools
import json
import random
import re
import shutil
import string
import tempfile
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import incrowd
from checkers.ask import ROOT, packed, save
from oracle.release_checks import Question

FOLDER = Path(tempfile.mkdtemp(prefix="corpus"))  # conftest.py takes it away
NAMES = ("age", "sex", "town", "ill", "pay", "note")
QUASI = list(NAMES[:3])


def table(seed, rows, *, ages=5, missing=False, sexes="fm", towns="xyz", ills="pqr", pays=4, notes="no"):
    """Rows of six columns, many alike."""
    rng = random.Random(seed)
    pool = [str(rng.randrange(20, 60)) for _ in range(ages)]
    return [
        (
            rng.choice(pool), rng.choice([*sexes, None] if missing else sexes), rng.choice(towns), rng.choice(ills),
            str(rng.randrange(pays)), rng.choice(notes),
        )
        for _ in range(rows)
    ]  # fmt: skip


def ages_of(rows):
    """The lines of a hierarchy of three levels below the star."""
    ages = sorted({row[0] for row in rows if row[0]}, key=int)
    return [(age, f"{int(age) // 10}0s", "young" if int(age) < 40 else "old") for age in ages]


@dataclass(frozen=True, eq=False)
class Entry:
    """A release of the corpus: `said` is the policy but for its files."""

    rows: list
    said: dict
    solver: str = "exact"
    names: tuple = NAMES
    trees: dict = field(default_factory=dict)
    own_costs: dict = field(default_factory=dict)
    files: dict = field(default_factory=dict)  # further ones, by name
    job: dict = field(default_factory=dict)
    queries: tuple = ()
    tiny: bool = True  # few enough rows for the oracle to try everything
    typed: bool = False
    packed: bool = False

    @functools.cached_property
    def question(self):
        return Question(self.names, self.rows, self.said, self.trees, self.own_costs, self.queries)

    @property
    def ending(self):
        return "json.gz" if self.packed else "json"


def lines_of(rows, names):
    """A CSV of rows without commas and quotes."""
    return "".join(",".join(cell or "" for cell in row) + "\n" for row in (names, *rows))


def write(entry, folder):
    """Write an entry's original, hierarchies and policy."""
    folder.mkdir(exist_ok=True)
    (folder / "original.csv").write_text(lines_of(entry.rows, entry.names), encoding="utf-8")
    said = dict(entry.said)
    for name, lines in entry.trees.items():
        (folder / f"{name}.csv").write_text("".join(";".join([*line, "*"]) + "\n" for line in lines), encoding="utf-8")
        own = entry.own_costs.get(name)
        spec = {"file": f"{name}.csv", **own} if own else f"{name}.csv"
        if name not in said.get("hierarchies", {}):
            said["hierarchies"] = {**said.get("hierarchies", {}), name: spec}
    for name, text in entry.files.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "policy.toml").write_text(toml_of(said, entry.job), encoding="utf-8")


def toml(value):
    """A value as TOML writes it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}" = {toml(one)}' for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return (
        str(value)
        if isinstance(value, (int, float))
        else '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'
    )


def toml_of(said, job=None):
    """A policy file."""
    lines = [f"{key} = {toml(value)}" for key, value in said.items()]
    marked = {key: value for key, value in (job or {}).items() if key in ("spreadsheet_safe", "keep_order")}
    return (
        "\n".join(
            [*lines, *(["[job]", *(f"{key} = {toml(value)}" for key, value in marked.items())] if marked else [])]
        )
        + "\n"
    )


def release(entry, folder):
    """Write an entry's files and make its release and certificate; they become release.csv and certificate.json."""
    write(entry, folder)
    incrowd.anonymize(
        folder / "original.csv", policy=folder / "policy.toml", output=folder / "release.csv", solver=entry.solver,
        certificate=folder / f"made.{entry.ending}", **({} if "work" in entry.job else {"time_limit": 5}), **entry.job,
    )  # fmt: skip
    (folder / f"made.{entry.ending}").rename(folder / "certificate.json")


@functools.cache
def made(name):
    """The folder of an entry, made once a run: never to be changed."""
    folder = FOLDER / str(len(list(FOLDER.iterdir())))
    release(ENTRIES[name], folder)
    return folder


def copied(name, folder):
    """The files of an entry, to be changed."""
    shutil.copytree(made(name), folder, dirs_exist_ok=True)
    return folder


def question_of(certificate):
    """The kind of a certificate."""
    name, version = certificate["certificate"], certificate["version"]
    return {
        "incrowd k-anonymity bound": ("prices", "requirements", "lines")[(version - 11) % 3],
        "incrowd 2-anonymity bound": "2-diversity" if certificate.get("diverse") else "matching",
        "incrowd ranges bound": "ranges", "incrowd single recoding bound": "one recoding",
    }[name]  # fmt: skip


def kind_of(certificate):
    """The same, told apart by what it is proved with."""
    kind = question_of(certificate)
    if kind == "prices" and certificate.get("components"):
        return "trees" if certificate["trees"] else "components"
    return "lattice cuts" if kind == "prices" and certificate["trees"] else kind


FEW, MORE = table(3, 7), table(5, 9)
EVEN = table(28, 8, ills="pq", towns="xy", ages=3)  # at most half of the rows have one illness
GAPS = table(12, 8, missing=True)
WIDE = table(8, 240, ages=14, towns="uvwxyz", ills="pqrst")
BASE = {"quasi_identifiers": QUASI, "sensitive": ["ill", "pay"], "k": 3}
PAIRS, SUPPRESS = {**BASE, "k": 2}, {**BASE, "outliers": "suppress"}
MODELS = {
    "frequency": "l-diversity l=2 column=ill", "frequency of 3/2": "l-diversity l=3/2 column=pay",
    "distinct": "l-diversity l=2 column=ill kind=distinct", "entropy": "l-diversity l=3/2 column=ill kind=entropy",
    "recursive": "l-diversity l=2 c=2 column=ill kind=recursive", "joint": "l-diversity l=2 columns=ill,pay kind=joint",
    "equal distance": "t-closeness t=0.4 column=ill", "numeric distance": "t-closeness t=0.3 column=pay distance=numeric",
    "ordered distance": "t-closeness t=1/4 column=pay distance=ordered", "p-sensitive": "p-sensitive p=2 column=ill",
    "alpha-k": "alpha-k alpha=0.6 column=ill", "beta-likeness": "beta-likeness beta=1 column=ill",
    "enhanced beta": "beta-likeness beta=1 column=ill enhanced=true", "delta-disclosure": "delta-disclosure delta=1.2 column=ill",
}  # fmt: skip
OF_EACH = ["l-diversity l=5/2 column=ill kind=entropy", "l-diversity l=2 c=1 column=ill kind=recursive",
           "t-closeness t=1/8 column=pay distance=numeric", "alpha-k alpha=0.45 column=ill"]  # fmt: skip
MASKS = {
    "max_stars": {"max_stars": 2}, "keep": {"keep": ["sex"]}, "together": {"together": [["age", "town"]]},
    "at_most_one": {"at_most_one": [["age", "sex"]]}, "never_together": {"never_together": [["sex", "town"]]},
    "patterns": {"patterns": [["age"], ["age", "town"], []]}, "max_level": {"max_level": {"town": 0}},
    "any": {"any": [{"max_stars": 1}, {"keep": ["age"]}]}, "all": {"all": [{"max_stars": 2}, {"keep": ["town"]}]},
    "no full suppression": {"full_suppression": False, "max_stars": 2},
}  # fmt: skip
FAR = {
    "model": "t-closeness",
    "t": 0.5,
    "column": "ill",
    "distance": [[0, 0.5, 1], [0.5, 0, 1], [1, 1, 0]],
    "order": list("pqr"),
}
TREED = {"model": "t-closeness", "t": 0.4, "column": "ill", "distance": "hierarchical",
         "hierarchy": [["p", "a", "*"], ["q", "a", "*"], ["r", "b", "*"]]}  # fmt: skip
LETTERS = string.ascii_letters
FOREST = {**TREED, "t": 0.3, "hierarchy": [[one, one.lower(), "*"] for one in LETTERS]}
ON_GRID = {**PAIRS, "recoding": "grid", "round": 10, "numeric": ["age"]}
TWO_GRIDS = {
    **ON_GRID,
    "quasi_identifiers": ["age", "pay", "sex"],
    "sensitive": ["ill"],
    "round": 2,
    "numeric": ["age", "pay"],
}
QUERIES = '[[query]]\ncolumns = ["age", "town"]\nweight = "1/3"\n[[query]]\ncolumns = ["sex", "age"]\ntarget = "ill"\nweight = 2\n'
ASKED = (
    {"columns": ["age", "town"], "weight": "1/3"}, {"columns": ["sex", "age"], "target": "ill", "weight": 2},
)  # fmt: skip
DATES = [(f"2024-0{1 + i % 3}-{10 + 3 * i}", *row[1:]) for i, row in enumerate(FEW)]
AGES = {"age": ages_of(FEW)}
SEXES = {"sex": [("NULL", "unknown"), ("f", "known"), ("m", "known")]}
ALONE = {"age": [(a, a if int(a) < 40 else "old", b) for a, _, b in ages_of(FEW)]}  # a value is its own label above
WORDS = {"age": [(a, f"{a[0]}*") for a, *_ in ages_of(FEW)]}
GRIDS = {"solver": "auto", "job": {"work": 200}}

ENTRIES = {
    "k": Entry(FEW, BASE),
    "k, some suppressed": Entry(MORE, SUPPRESS),
    "blocks": Entry(table(21, 40, ages=12, towns="tuvwxyz"), SUPPRESS, tiny=False),
    "pairs": Entry(MORE, PAIRS, "matching"),
    "pairs, some suppressed": Entry(MORE, {**PAIRS, "outliers": "suppress"}, "matching"),
    "pairs of many rows": Entry(WIDE, PAIRS, "matching", tiny=False),
    "2-diversity": Entry(EVEN, {**PAIRS, "require": [MODELS["frequency"]]}, "matching"),
    "2-diversity of two columns": Entry(EVEN, {**PAIRS, "require": ["alpha-k alpha=1/2 column=ill", "alpha-k alpha=1/2 column=pay"]},
                                        "auto"),
    "lines": Entry(MORE, BASE, "greedy", packed=True),
    "lines of many rows": Entry(WIDE, {**BASE, "k": 5}, "greedy", packed=True, tiny=False),
    "per row": Entry(MORE, BASE, "mondrian"),
    "many rows": Entry(WIDE, {**BASE, "k": 5}, "improve", tiny=False, job={"work": 2000}),
    "one recoding": Entry(FEW, {**SUPPRESS, "recoding": "global", "suppression_limit": 0.25}, "auto", trees=AGES),
    "one recoding with a model": Entry(EVEN, {**PAIRS, "recoding": "global", "require": [MODELS["frequency"]]}, "auto"),
    "one recoding without stars": Entry(EVEN, {**PAIRS, "recoding": "global", "mask": {"full_suppression": False}}, "auto", trees={"age": ages_of(EVEN)}),
    "a suppression limit": Entry(MORE, {**SUPPRESS, "suppression_limit": "1/4"}, "auto"),
    "a grid": Entry(FEW, ON_GRID, **GRIDS),
    "a grid at its width": Entry(FEW, {**ON_GRID, "cost": "ncp", "outliers": "suppress", "weights": {"age": 2}}, **GRIDS),
    "a grid under a mask": Entry(FEW, {**ON_GRID, "mask": {"at_most_one": [["age", "town"]]}}, **GRIDS),
    "a grid of dates": Entry(DATES, {**ON_GRID, "round": 7}, **GRIDS),
    "two grids": Entry(FEW, TWO_GRIDS, **GRIDS),
    "a hierarchy": Entry(FEW, BASE, trees=AGES),
    "a hierarchy at its levels": Entry(FEW, {**BASE, "cost": "levels", "weights": {"sex": "1/3"}}, trees=AGES),
    "a hierarchy by cells": Entry(FEW, {**SUPPRESS, "cost": "cells"}, trees=AGES),
    "costs of levels": Entry(FEW, BASE, trees=AGES, own_costs={"age": {"level_costs": ["1/4", 0.5, 2]}}),
    "costs of nodes": Entry(FEW, PAIRS, trees=AGES, own_costs={"age": {"node_costs": {"young": 0.75, "*": 3}}}),
    "a value that is its own label": Entry(FEW, {**BASE, "cost": "cells"}, trees=ALONE),
    "a hierarchy by words": Entry(FEW, {**PAIRS, "hierarchies": {"age": "prefix:1"}}, trees=WORDS),
    "a line for missing values": Entry(GAPS, BASE, trees=SEXES),
    "ncp": Entry(FEW, {**BASE, "cost": "ncp", "numeric": ["age"]}, trees=AGES),
    "ncp of texts": Entry(FEW, {**BASE, "cost": "ncp"}, trees=AGES),
    "entropy": Entry(FEW, {**BASE, "cost": "entropy"}, trees=AGES),
    "workload": Entry(FEW, {**BASE, "cost": "workload:w.toml"}, trees=AGES, files={"w.toml": QUERIES}, queries=ASKED),
    "stars that are NULL": Entry(FEW, {**BASE, "suppressed": "null", "mask": {"max_stars": 2}}),
    "NULL among NULLs": Entry(GAPS, {**BASE, "suppressed": "null", "mask": {"together": [["age", "sex"]]}}, "greedy"),
    "missing values": Entry(GAPS, BASE),
    "columns dropped": Entry(FEW, {**BASE, "other": "drop", "identifiers": ["note"], "star": "?"}),
    "spreadsheet-safe": Entry([(f"={row[0]}", *row[1:]) for row in FEW], PAIRS, job={"spreadsheet_safe": True}),
    "in the same order": Entry(FEW, BASE, job={"keep_order": True}),
    **{
        f"mask: {name}": Entry(FEW, {**BASE, "k": 3 - at % 2, "outliers": ("forbid", "suppress")[at % 2], "mask": mask},
                               trees=AGES if at % 3 == 0 else {})
        for at, (name, mask) in enumerate(MASKS.items())
    },
    **{
        f"model: {name}": Entry(EVEN if name == "frequency" else FEW,
                                {**PAIRS, "outliers": ("suppress", "forbid")[at % 2], "require": [model]}, "subset_dp" if at % 2 and name != "delta-disclosure" else "auto",
                                job={} if at % 2 and name != "delta-disclosure" else {"work": 100})
        for at, (name, model) in enumerate({**MODELS, "matrix": FAR, "tree": TREED}.items())
    },
    "two models": Entry(FEW, {**PAIRS, "l": "3/2", "require": [MODELS["equal distance"]]}, "subset_dp"),
    "four models": Entry(table(4, 120, ages=2, ills="ppqqrs", towns="xy"), {**BASE, "require": OF_EACH}, "improve", tiny=False, job={"work": 60}),
    "models of many values": Entry(table(8, 90, ages=14, towns="uvwxyz", ills=LETTERS), {**BASE, "require": ["l-diversity l=5 column=ill", FOREST, "p-sensitive p=3 column=pay"]},
                                   "improve", tiny=False, job={"work": 300}),
}  # fmt: skip


# --- the examples of docs/certificate.md: a certificate of every kind, written by hand --------------------------------

PARTS = re.split(r"<!-- example: (.*?) -->", (ROOT / "docs" / "certificate.md").read_text(encoding="utf-8"))[1:]
EXAMPLES = {
    name: dict(re.findall(r"```\w+ (\w+)\n(.*?)```", body.partition("\n## ")[0], re.DOTALL))
    for name, body in zip(PARTS[::2], PARTS[1::2], strict=True)
}
NETWORK = EXAMPLES.pop("network")
# A proof under requirements that is nothing without its multiplier: classes are not listed, and there is no tree.
ALONE_BY_MULTIPLIERS = json.loads(EXAMPLES["requirements"]["certificate"]) | {
    "whole_below": 1, "multipliers": [[0, 0, 0, 0, 2]], "trees": [], "lower_bound_checked": 1, "proof": "solver",
}  # fmt: skip
EXAMPLES["multipliers"] = EXAMPLES["requirements"] | {"certificate": json.dumps(ALONE_BY_MULTIPLIERS)}


def example(name, folder, **others):
    """Write an example's files, or others in their place."""
    blocks = EXAMPLES[name] | others
    for file, ending in (("original", "csv"), ("release", "csv"), ("policy", "toml")):
        (folder / f"{file}.{ending}").write_text(blocks[file], encoding="utf-8")
    text = blocks["certificate"]
    save(folder, packed(text) if name == "lines" else text)
    return folder


def example_question(name):
    """The oracle's question of an example."""
    blocks = EXAMPLES[name]
    names, *rows = csv.reader(blocks["original"].splitlines())
    return Question(
        tuple(names), [tuple(cell or None for cell in row) for row in rows], tomllib.loads(blocks["policy"])
    )
