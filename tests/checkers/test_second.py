"""The second checker: of the standard library alone, and a reader of tables, costs and cells as `incrowd` is one."""

from __future__ import annotations

import ast
import csv
import json
import random
import subprocess
import sys

import pytest

import incrowd
from checkers import ask, corpus
from checkers.ask import ROOT
from checkers.needed import needs_node
from checkers.page_script import page
from incrowd.check.exact import Unreadable
from incrowd.check.tables import Table
from seeds import seeds

PATH = {  # the page's example of a network
    "format": "incrowd-network-certificate", "version": 1, "nodes": 5, "edges": 4, "question": "adim",
    "claims": [
        {"kind": "at_least", "k": 2, "members": [2], "lower": 1},
        {"kind": "at_least", "k": 3, "members": None, "lower": None},
    ],
}  # fmt: skip
PACKAGE = ROOT / "src" / "incrowd" / "check"


def test_only_the_standard_library_and_its_own_modules_are_used_and_nothing_of_the_machine():
    paths, own = sorted(PACKAGE.glob("*.py")), {path.stem for path in PACKAGE.glob("*.py")}
    for path in (*paths, *(ROOT / "checker").glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
        told = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        named |= {node.module for node in told if not node.level}
        assert named <= sys.stdlib_module_names - {"os", "subprocess", "socket", "ctypes"} | {"__future__"}
        assert all(node.level <= 1 and node.module in own for node in told if node.level)
        calls = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not calls & {"exec", "eval", "compile", "__import__"}


@pytest.mark.parametrize("program", ["incrowd_check", "incrowd_check_network"])
def test_it_runs_where_nothing_is_installed_and_nothing_of_the_environment_is_read(program, tmp_path):
    """Under `python -I -S` no package is found, not even beside the program."""
    if program == "incrowd_check":
        corpus.example("ranges", tmp_path)
        given, good = ["original.csv", "release.csv", "policy.toml", "certificate.json"], "good: the release"
    else:
        (tmp_path / "edges.txt").write_text("0 1\n1 2\n2 3\n3 4\n")
        (tmp_path / "c.json").write_text(json.dumps(PATH))
        given, good = ["edges.txt", "c.json"], "good: no claim"
    asked = [sys.executable, "-I", "-S", ROOT / "checker" / f"{program}.py", *given]
    found = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (0, "")
    assert found.stdout.startswith(good)


# --- tables: shown as they are under k = 1, a table is a release of itself ------------------------------------------------

TABLES = [
    ("a;b\nx;1\ny; 2 \n\n", {}, (("a", "b"), [("x", "1"), ("y", "2")])),
    ("\ufeffa,b\r\nx,\r\n?,y", {"na": ["?"]}, (("a", "b"), [("x", None), (None, "y")])),
    ("a\tb\n x\t1\n", {"strip": False}, (("a", "b"), [(" x", "1")])),
    ("1,2\n3,4\n", {"header": False}, (("c1", "c2"), [("1", "2"), ("3", "4")])),
    ("1,2\n3,4\n", {"columns": ["p", "q"], "header": False}, (("p", "q"), [("1", "2"), ("3", "4")])),
    ("1,2\n3,4\n", {}, None),
    ('a,b\n"x,1","say ""so"""\n', {}, (("a", "b"), [("x,1", 'say "so"')])),
    ("a\nx\n\ny\n", {}, (("a",), [("x",), (None,), ("y",)])),
    ("a,b\nx\n", {}, None),
    ("a,a\nx,y\n", {}, None),
    ('a,b\n"x"y,1\n', {}, None),
    ("", {}, None),
    ("\n\na|b\nx|y\n", {}, (("a", "b"), [("x", "y")])),
    ("name,town\nÄ,é\n", {"encoding": "latin-1"}, (("name", "town"), [("Ä", "é")])),
    ("a,b\rx,y\r", {}, (("a", "b"), [("x", "y")])),
    ("a,b\nx,y\r\nz,w\n", {}, None),
    ("a,b\nx,\0\n", {}, None),
]  # fmt: skip


@pytest.mark.few(5)
@pytest.mark.parametrize(("text", "reading", "told"), TABLES)
def test_a_table_is_read_as_the_tool_reads_it(text, reading, told, tmp_path):
    """Its columns and cells by the second checker and the page; the tool holds the same cells, written plainly, against it."""
    path = tmp_path / "table.csv"
    path.write_bytes(text.encode(reading.get("encoding", "utf-8")))
    try:
        read = Table(path, **reading)
        mine = tuple(read.names), [tuple(row) for row in read.rows]
    except Unreadable:
        mine = None
    if told is not None and mine is not None and len(mine[0]) == 1:
        told = (
            mine if mine[0] == told[0] else told
        )  # whether an empty line of one column is a row the tool decides below
    assert mine == told
    if ask.has_page():
        shown = page().told(table=str(path), reading=json.dumps(reading))
        assert shown == (
            "unreadable" if told is None else {"names": list(told[0]), "rows": [list(row) for row in told[1]]}
        )
    names, rows = told or (("a",), [])
    with (tmp_path / "plain.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([names, *([cell or "" for cell in row] for row in rows)])
    said = {"quasi_identifiers": list(names), "k": 1} | ({"read": reading} if reading else {})
    (tmp_path / "policy.toml").write_text(corpus.toml_of(said), encoding="utf-8")
    try:
        assert list(incrowd.verify(path, tmp_path / "plain.csv", policy=tmp_path / "policy.toml")) == []
    except incrowd.InputError:
        assert told is None
    else:
        assert told is not None


# --- costs where cells can be read in several ways -----------------------------------------------------------------------------


def claiming(cost, release, types, k):
    """A certificate that proves nothing and claims a cost."""
    return {
        "certificate": "incrowd k-anonymity bound", "version": 11, "rows": release.count("\n") - 1, "row_types": types, "k": k, "outliers": "forbid", "scale": 1,
        "cost": cost, "lower_bound": 0, "lower_bound_checked": 0, "proof": "solver", "parts": 1, "components": None, "prices": [0] * types, "trees": [], "released_sum": ask.sum_of(release),
    }  # fmt: skip


LABELLED = 'quasi_identifiers = ["a", "b"]\nk = 2\n'
READINGS = {  # original, release, policy, hierarchy of a; the costs that may be claimed and those that may not
    # Column a shows p at level 0 or 1, and changes with b: a release with b starred costs 2 in every such row.
    "a cost of a reading that keeps the mask": (
        "a,b\np,x\np,y\nq,z\nq,z\n", "a,b\np,*\np,*\nq,z\nq,z\n",
        LABELLED + 'cost = "cells"\nhierarchies = { a = "a.csv" }\n[mask]\ntogether = [["a", "b"]]\n', "p;p;*\nq;q;*\n", [4], [2, 3, 5], 3, 2,
    ),
    # p at level 0 for nothing or at level 1 for 3
    "a label of the price of its level": (
        "a,b\np,x\np,y\nq,z\nq,z\n", "a,b\np,*\np,*\nq,z\nq,z\n",
        LABELLED + 'hierarchies = {a = {file = "a.csv", node_costs = {p = 3, "*" = 4}}}\n[mask]\ntogether = [["a", "b"]]\n', "p;p;*\nq;q;*\n",
        [8], [7, 2, 9], 3, 2,
    ),
    # a and b change together; a missing value costs nothing, also where it has to be a star
    "a missing value that the mask asks to be a star": (
        "a,b\n,x\np,y\n,z\n,z\n", "a,b\n,\n,\n,z\n,z\n", LABELLED + 'suppressed = "null"\n[mask]\ntogether = [["a", "b"]]\n', None, [3, 6], [2, 7], 3, 2,
    ),
    "weights of missing values": (
        "a,b\n,x\np,\nq,y\nq,y\n", "a,b\n,\n,\nq,y\nq,y\n", LABELLED + 'suppressed = "null"\nweights = {a = 3}\n', None, [4, 8], [3, 9], 3, 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", READINGS)
def test_a_cost_may_be_claimed_that_some_reading_has(name, tmp_path):
    original, release, policy, tree, right, wrong, types, k = READINGS[name]
    for file, text in (("original.csv", original), ("release.csv", release), ("policy.toml", policy), ("a.csv", tree)):
        if text is not None:
            (tmp_path / file).write_text(text, encoding="utf-8")
    for cost in right + wrong:
        ask.save(tmp_path, claiming(cost, release, types, k) | {"version": 14 if "null" in policy else 11})
        said = (ask.everyone if cost in (right[-1], wrong[0]) else ask.both)(tmp_path)
        assert said.status == int(cost in wrong), cost
        assert cost in wrong or said.cost == cost


# --- costs that look at the table, and hierarchies from it, on drawn tables -----------------------------------------------------

COSTS = ("ncp", "entropy", "workload:w.toml", "leaves", "levels")


@seeds(60, 1)
def test_releases_are_confirmed_at_their_cost_and_under_no_other(seed, tmp_path):
    rng, cost = random.Random(seed), COSTS[seed % len(COSTS)]
    rows = corpus.table(seed, rng.randrange(6, 9), missing=rng.random() < 0.3)
    said = {**corpus.BASE, "k": rng.choice([2, 3]), "cost": cost, "outliers": rng.choice(["forbid", "suppress"])}
    said |= {"numeric": ["age"]} if rng.random() < 0.5 else {}
    said |= {"weights": {"sex": "1/3", "age": 2}} if rng.random() < 0.5 else {}
    entry = corpus.Entry(rows, said, rng.choice(["exact", "greedy"]), trees={"age": corpus.ages_of(rows)},
                         files={"w.toml": corpus.QUERIES}, queries=corpus.ASKED)  # fmt: skip
    folder = tmp_path / str(seed)
    corpus.release(entry, folder)
    said = ask.everyone(folder)
    assert said.status == 0
    assert said.bound <= entry.question.least <= said.cost
    if entry.solver == "exact":
        assert said.cost == entry.question.least
    other = COSTS[(seed + 1) % len(COSTS)]
    policy = (folder / "policy.toml").read_text()
    (folder / "policy.toml").write_text(policy.replace(f'cost = "{cost}"', f'cost = "{other}"'))
    elsewhere = ask.both(folder)
    assert elsewhere.status in (1, 2) or elsewhere.cost == said.cost


# --- labels of ranges on a grid ----------------------------------------------------------------------------------------------------

CELLS = [
    (["21", "", "35", "38", "52", "58"], 2), (["21"] * 6, 2), (["21", "21.0", "+21"] * 2, 2), (["21", "x", "35", "38", "52", "58"], 2),
    (["21", "1e1", "35", "38", "52", "58"], 2), (["21", "2020-01-01", "35", "38", "52", "58"], 2), (["2020-01-01", "2020-02-30"] * 3, 2),
    (["\u0661", "\u0662"] * 3, 2), (["1234567890123456", "2"] * 3, 2), (["2020-01-01", "2020-02-28"] * 3, 0), (["-3", "2.50"] * 3, 0),
]  # fmt: skip


@pytest.mark.few(6)
@pytest.mark.parametrize(("cells", "status"), CELLS)
def test_a_column_on_a_grid_holds_numbers_or_dates(cells, status, tmp_path):
    corpus.example("ranges", tmp_path)
    text = "age,sex\n" + "".join(f"{cell},f\n" for cell in cells)
    (tmp_path / "original.csv").write_text(text, encoding="utf-8")
    (tmp_path / "release.csv").write_text("age,sex\n" + "*,f\n" * 6, encoding="utf-8")
    assert ask.everyone(tmp_path, None).status == status


WITH_A_GRID = {
    "max_level = {age = 3}": 2, "[mask]\nkeep = ['sex']": 2, 'cost = "cells"': 2, 'cost = "entropy"': 2, 'suppressed = "null"': 2,
    "suppression_limit = 1": 2, 'require = ["l-diversity l=2 column=sex"]': 2, "round = 0": 2, "round = -1": 2, 'round = "x"': 2,
    'recoding = "levels"': 2, 'recoding = "global"': 2, "numeric = []": 2, 'hierarchies = {age = "age.csv"}': 2,
    'hierarchies = {age = {file = "age.csv", level_costs = [1]}}': 2, "full_suppression = true": 0, "keep = []": 0, "max_stars = 0": 0,
    "max_level = {age = 1}": 0, "full_suppression = false": 0, 'sensitive = ["sex"]': 0, 'star = "?"': 0, "weights = {age = 2}": 0,
    "keep = ['age']": 1, "max_level = {age = 0}": 1, "patterns = [['age']]": 1, "patterns = [{age = 2}]": 1, "patterns = [{age = 1}]": 0,
}  # fmt: skip


@pytest.mark.few(4, 'hierarchies = {age = {file = "age.csv", level_costs = [1]}}')
@pytest.mark.parametrize("more", WITH_A_GRID)
def test_what_goes_with_a_grid_is_read_and_nothing_else(more, tmp_path):
    ages = (21, 24, 35, 38, 52, 58)
    (tmp_path / "age.csv").write_text("".join(f"{age};*\n" for age in ages), encoding="utf-8")
    (tmp_path / "original.csv").write_text("age,sex\n" + "".join(f"{age},f\n" for age in ages))
    rows = "".join(f"{label},f\n" for label in ("< 30", "30-39", ">= 50") for _ in range(2))
    (tmp_path / "release.csv").write_text(f"age,sex\n{rows}", encoding="utf-8")
    word = more.partition(" ")[0]
    policy = corpus.EXAMPLES["ranges"]["policy"]
    text = "\n".join(line for line in policy.splitlines() if not line.startswith(word))
    (tmp_path / "policy.toml").write_text(f"{text}\n{more}\n", encoding="utf-8")
    assert ask.everyone(tmp_path, None).status == WITH_A_GRID[more]


STEPS = [
    ([10, 1], 0, 0),
    ([20, 2], 0, 0),
    ([20, 1], 1, 1),
    ([5, 1], 1, 0),
    ([1, 3], 1, 0),
    ([0, 1], 2, 2),
    ([10], 2, 2),
    (10, 2, 2),
]


@pytest.mark.few(3)
@pytest.mark.parametrize(("step", "said", "unsaid"), STEPS)
def test_the_certificates_step_is_the_policys_or_the_labels_and_the_bound_must_fit_it(step, said, unsaid, tmp_path):
    """On another grid of which all ends are lines the bound is another, and the labels may be right."""
    corpus.example("ranges", tmp_path)
    ask.save(tmp_path, ask.certificate_of(tmp_path) | {"step": step})
    assert ask.everyone(tmp_path).status == said
    policy = tmp_path / "policy.toml"
    policy.write_text(policy.read_text().replace("round = 10\n", ""))
    assert ask.everyone(tmp_path).status == unsaid


LABELS = [
    "20-29", "<30", "< 30.0", "< 030", "30-39 ", "30 to 39", "30-39.0", "30-40", "30-38", "[30-39]", "30\u201339", "< 40", ">= 30", "> 49", ">= 50.0",
    "< 99999999999999999", ">= 2024-02-30", "9-0", "< 1e3", "-0 to 9", "30-49", "21-24", "< 21", "> 58", "", "< ", "\u0663\u0660-39", "+30-39", "30.5-39.5",
]  # fmt: skip


@needs_node
@pytest.mark.few(2, "9-0", ">= 2024-02-30")
@pytest.mark.parametrize("label", LABELS)
def test_a_label_is_a_run_of_the_grid_or_nothing(label, tmp_path):
    corpus.example("ranges", tmp_path)
    original = corpus.example_question("ranges")
    rows = [("< 30",), ("< 30",), (label or None,), (label or None,), (">= 50",), (">= 50",)]
    (tmp_path / "release.csv").write_text(corpus.lines_of(rows, ("age",)))
    said = ask.everyone(tmp_path, None)
    assert (said.status == 0) == original.good(("age",), rows), label
