"""The second checker gives the verdict of the check: on the page's examples, on changed certificates, on bad releases."""

from __future__ import annotations

import ast
import json
import random
import re
import shutil
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import incrowd
from checker import page_script, red_team
from incrowd.errors import IncrowdError
from incrowd.tables.engine.open import open_engine
from incrowd.tables.models.parse import plain_model
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading
from incrowd.tables.verify.requirements.reading import reading_of, settings_of
from oracles import models_drawn
from oracles.lined import gzip_bytes
from seeds import how_many, seeds

second = red_team.second
ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "certificate.md").read_text(encoding="utf-8")
ALLOWED = {
    "argparse", "bisect", "csv", "datetime", "decimal", "functools", "io", "itertools", "json", "math", "re", "shlex", "sys", "tomllib", "time", "collections",
    "fractions", "pathlib", "unicodedata", "zlib", "__future__", "incrowd_check_bound", "incrowd_check_words",
}  # fmt: skip


def examples():
    """The page's examples by name: their blocks by what they are called."""
    parts = re.split(r"<!-- example: (.*?) -->", PAGE)[1:]
    return {
        name: dict(re.findall(r"```\w+ (\w+)\n(.*?)```", body.partition("\n## ")[0], re.DOTALL))
        for name, body in zip(parts[::2], parts[1::2], strict=True)
    }


def of_lines(certificate):
    """Whether a certificate's text has a price a line."""
    return '"version": 3' in certificate


def claims_of(certificate):
    """The object in a certificate's text, or its head."""
    return json.loads(certificate.partition("\n")[0] if of_lines(certificate) else certificate)


def claiming_so(certificate, claims):
    """A certificate's text with another object, or another head before the same prices."""
    prices = certificate.partition("\n")[2] if of_lines(certificate) else ""
    return f"{json.dumps(claims)}\n{prices}"


def written(folder, blocks):
    """An example's files."""
    for name, ending in (("original", "csv"), ("release", "csv"), ("policy", "toml"), ("certificate", "json")):
        if name == "certificate" and of_lines(blocks[name]):  # packed, whatever its name
            (folder / "certificate.json").write_bytes(gzip_bytes(blocks[name].encode()))
            continue
        (folder / f"{name}.{ending}").write_text(blocks[name], encoding="utf-8")


def by_second(folder, capsys, *, certificate="certificate.json", release="release.csv"):
    """Exit status and answer of the second checker."""
    arguments = [str(folder / "original.csv"), str(folder / release), "--policy", str(folder / "policy.toml"), "--json"]
    if certificate:
        arguments += ["--certificate", str(folder / certificate)]
    status = second.main(arguments)
    out = capsys.readouterr().out
    return status, json.loads(out) if out else {}


def by_check(folder, *, certificate="certificate.json", release="release.csv"):
    """Exit status and answer of the check."""
    try:
        found = incrowd.verify(
            folder / "original.csv", folder / release, policy=folder / "policy.toml",
            certificate=folder / certificate if certificate else None,
        )  # fmt: skip
    except IncrowdError:
        return 2, {}
    facts = {"proven": found.proven, "cost": found.cost, "lower_bound": found.lower_bound}
    return (1 if found else 0), facts


def by_page(folder, *, certificate="certificate.json", release="release.csv"):
    """Exit status and answer of the page's check, where there is Node to run it."""
    given = {"original": "original.csv", "release": release, "policy": "policy.toml", "certificate": certificate}
    found = page_script.page().checked(
        **{name: folder / file for name, file in given.items() if file},
        others=[path for path in folder.iterdir() if path.name not in given.values()],
    )
    facts = found["facts"] and {
        "cost": found["facts"]["cost"], "lower_bound": found["facts"]["bound"], **{
            name: found["facts"][name] for name in ("proven", "question", "k")
        },
    }  # fmt: skip
    held = {name: told for name, told in (found.get("held") or {}).items() if name != "telling"}
    said = {"ok": not found["violations"], "violations": found["violations"]} | (facts or {}) | held
    return ("good", "violation", "unreadable").index(found["verdict"]), said if found["why"] is None else {}


def agree(folder, capsys, **names):
    status, said = by_second(folder, capsys, **names)
    if page_script.NODE is not None:
        assert (status, said) == by_page(folder, **names)
    again, facts = by_check(folder, **names)
    assert status == again, (status, said, again, facts)
    if status < 2 and names.get("certificate", True):
        told = {key: None if said[key] is None else Fraction(said[key]) for key in ("cost", "lower_bound")}
        assert told == {key: facts[key] for key in told}
        assert said["proven"] == facts["proven"]
    return status, said


@pytest.mark.parametrize("name", [name for name in examples() if name != "network"])
def test_both_checks_confirm_the_pages_examples(name, tmp_path, capsys):
    blocks = examples()[name]
    written(tmp_path, blocks)
    status, said = agree(tmp_path, capsys)
    claims = claims_of(blocks["certificate"])
    assert status == 0
    assert said["lower_bound"] == str(Fraction(claims["lower_bound_checked"], claims["scale"]))
    assert said["proven"] == (claims["proof"] == "certificate")


@pytest.mark.parametrize("name", [name for name in examples() if name.startswith("cut") or name == "tree"])
def test_an_examples_cuts_and_branches_are_needed(name, tmp_path, capsys):
    blocks = examples()[name]
    bare = json.loads(blocks["certificate"]) | {"trees": []}
    written(tmp_path, blocks | {"certificate": json.dumps(bare)})
    status, said = agree(tmp_path, capsys)
    assert status == 1
    assert Fraction(said["lower_bound"]) < bare["lower_bound"]


def test_a_cost_is_that_of_a_reading_that_keeps_the_mask(tmp_path, capsys):
    """Column a shows p at level 0 or 1, and changes with b: a release with b starred costs 2 in every such row."""
    mask = 'quasi_identifiers = ["a", "b"]\nk = 2\ncost = "cells"\nhierarchies = { a = "a.csv" }\n'
    claims = {
        "certificate": "incrowd k-anonymity bound", "version": 1, "rows": 4, "row_types": 3, "k": 2,
        "outliers": "forbid", "scale": 1, "proof": "certificate", "parts": 1, "components": None, "prices": [2, 2, 0],
        "trees": [],
    }  # fmt: skip
    blocks = {
        "original": "a,b\np,x\np,y\nq,z\nq,z\n", "release": "a,b\np,*\np,*\nq,z\nq,z\n",
        "policy": mask + '[mask]\ntogether = [["a", "b"]]\n',
    }  # fmt: skip
    (tmp_path / "a.csv").write_text("p;p;*\nq;q;*\n", encoding="utf-8")
    for cost, status in ((4, 0), (2, 1), (3, 1), (5, 1)):
        told = claims | {"cost": cost, "lower_bound": min(cost, 4), "lower_bound_checked": min(cost, 4)}
        written(tmp_path, blocks | {"certificate": json.dumps(told)})
        assert agree(tmp_path, capsys)[0] == status
        assert agree(tmp_path, capsys, certificate=None)[0] == 0


def claiming(cost, **facts):
    """A certificate that proves nothing and claims a cost."""
    return json.dumps({
        "certificate": "incrowd k-anonymity bound", "version": 1, "outliers": "forbid", "scale": 1, "cost": cost,
        "lower_bound": 0, "lower_bound_checked": 0, "proof": "solver", "parts": 1, "components": None, "trees": [],
        "prices": [0] * facts["row_types"], **facts,
    })  # fmt: skip


def test_a_values_own_label_costs_what_the_level_costs_at_which_the_mask_allows_it(tmp_path, capsys):
    """Column a shows p at level 0 for nothing or at level 1 for 3, and changes with b."""
    blocks = {
        "original": "a,b\np,x\np,y\nq,z\nq,z\n", "release": "a,b\np,*\np,*\nq,z\nq,z\n",
        "policy": 'quasi_identifiers = ["a", "b"]\nk = 2\nhierarchies = {a = {file = "a.csv", node_costs = {p = 3, "*" = 4}}}\n'
        + '[mask]\ntogether = [["a", "b"]]\n',
    }  # fmt: skip
    (tmp_path / "a.csv").write_text("p;p;*\nq;q;*\n", encoding="utf-8")
    for cost, status in ((8, 0), (7, 1), (2, 1), (9, 1)):
        written(tmp_path, blocks | {"certificate": claiming(cost, rows=4, row_types=3, k=2)})
        assert agree(tmp_path, capsys)[0] == status


def test_a_missing_value_costs_a_star_where_the_mask_asks_it_to_be_one(tmp_path, capsys):
    """Columns a and b change together: a released row without both costs two stars, also where a was missing before."""
    blocks = {
        "original": "a,b\n,x\np,y\n,z\n,z\n", "release": "a,b\n,\n,\n,z\n,z\n",
        "policy": 'quasi_identifiers = ["a", "b"]\nk = 2\nsuppressed = "null"\n[mask]\ntogether = [["a", "b"]]\n',
    }  # fmt: skip
    for cost, status in ((4, 0), (3, 1), (6, 0), (7, 1)):
        written(tmp_path, blocks | {"certificate": claiming(cost, rows=4, row_types=3, k=2)})
        assert agree(tmp_path, capsys)[0] == status


def test_missing_values_cost_what_the_cheapest_pairing_asks(tmp_path, capsys):
    """Two rows lack a. One of them became the row without b, which then has a as a star; the other may be shown."""
    blocks = {
        "original": "a,b,c\n,x,u\n,x,v\np,x,u\n", "release": "a,b,c\n,,u\n,x,\np,x,u\n",
        "policy": 'quasi_identifiers = ["a", "b", "c"]\nk = 1\nsuppressed = "null"\n[mask]\ntogether = [["a", "b"]]\n',
    }  # fmt: skip
    for cost, status in ((3, 0), (2, 1), (4, 0)):
        written(tmp_path, blocks | {"certificate": claiming(cost, rows=3, row_types=3, k=1)})
        assert agree(tmp_path, capsys)[0] == status


@pytest.mark.proofs
def test_a_row_with_too_many_readings_decides_whatever_other_rows_say(tmp_path, capsys):
    """Eleven columns of which every label stands at four levels, and a mask that neither end of a row's readings keeps."""
    names = [f"c{j}" for j in range(11)]
    (tmp_path / "tree.csv").write_text("p;p;p;p;*\nq;q;q;q;*\n", encoding="utf-8")
    (tmp_path / "tree2.csv").write_text("x;*\n", encoding="utf-8")
    trees = ", ".join(f'{name} = "tree.csv"' for name in names)
    listed = ", ".join(f"{name} = {2 - bool(j)}" for j, name in enumerate(names))
    policy = f"quasi_identifiers = {json.dumps(['d', *names])}\nk = 1\nhierarchies = {{{trees}}}\n"
    policy += f"[mask]\npatterns = [{{{listed}}}, {{}}]\n"
    rows = [",".join(["x", *"p" * 11]), ",".join(["x", *"q" * 11])]
    head = ",".join(["d", *names]) + "\n"
    for order in (rows, rows[::-1])[: how_many(2, 1)]:
        broken = ",".join(
            ["*", *"p" * 11]
        )  # d never changes: no reading keeps the mask, of which there are 4 to the 11th
        blocks = {
            "original": head + "\n".join(order) + "\n", "policy": policy, "certificate": claiming(0, rows=2, row_types=2, k=1),
            "release": head + "\n".join([broken, order[1]]) + "\n",
        }  # fmt: skip
        written(tmp_path, blocks)
        assert agree(tmp_path, capsys, certificate=None)[0] == 2
        assert agree(tmp_path, capsys)[0] == 2
        written(tmp_path, blocks | {"release": head + "\n".join(order) + "\n"})
        assert agree(tmp_path, capsys, certificate=None)[0] == 0


def test_only_the_standard_library_is_used_and_nothing_of_the_machine():
    for path in (ROOT / "checker").glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        named = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
        named |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert named <= ALLOWED
        calls = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not calls & {"exec", "eval", "compile", "__import__"}


def hospital(folder, rows=150):
    """The bundled table cut short, its policy, a release and a certificate."""
    data = ROOT / "src" / "incrowd" / "data"
    lines = (data / "hospital.csv").read_text(encoding="utf-8").splitlines()[: rows + 1]
    (folder / "original.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copy(data / "hospital.toml", folder / "policy.toml")
    incrowd.anonymize(
        folder / "original.csv", policy=folder / "policy.toml", output=folder / "release.csv",
        certificate=folder / "certificate.json", time_limit=0.3,
    )  # fmt: skip


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    hospital(folder)
    return folder


def test_both_confirm_the_demo_and_refuse_what_is_no_json(demo, capsys):
    assert agree(demo, capsys)[0] == 0
    text = (demo / "certificate.json").read_text(encoding="utf-8")
    bad = [
        text.replace('"k":', '"k": 5, "k":'), text.replace('"parts":', '"parts": NaN, "q":'), text[:-2], "[]", "7",
        text.replace('"rows": 150', '"rows": 150.0'), "[" * 100_000, text.replace('"version": 1', '"version": "1"'),
        text.replace('"parts":', '"note": 1, "parts":'), text.replace('"for": "', '"for": 1, "note": "'),
    ]  # fmt: skip
    for other in bad[: how_many(len(bad), 5)]:
        (demo / "bad.json").write_text(other, encoding="utf-8")
        assert agree(demo, capsys, certificate="bad.json")[0] == 2


def tampered(lines, rng):
    """A release with one thing or two changed."""
    rows = [line.split(",") for line in lines]
    for _ in range(1 + (rng.random() < 0.3)):
        a, b = rng.randrange(1, len(rows)), rng.randrange(1, len(rows))
        j = rng.randrange(len(rows[0]))
        what = rng.choice(
            ["cell", "star", "swap", "invented", "gone", "doubled", "column", "header", "ragged", "empty", "order"]
        )
        if what == "cell":
            rows[a][j] = rows[b][j]
        elif what == "star":
            rows[a][j] = "*"
        elif what == "swap":
            rows[a][j], rows[b][j] = rows[b][j], rows[a][j]
        elif what == "invented":
            rows[a][j] = "made up"
        elif what == "gone":
            del rows[a]
        elif what == "doubled":
            rows.append(list(rows[a]))
        elif what == "column":
            rows = [[cell for i, cell in enumerate(row) if i != j] for row in rows]
        elif what == "header":
            rows[0][j] = "another"
        elif what == "ragged":
            rows[a] = rows[a][:-1]
        elif what == "empty":
            rows[a][j] = ""
        elif what == "order":
            rows[1:] = rng.sample(rows[1:], len(rows) - 1)
        if len(rows) < 3 or len(rows[0]) < 3:
            break
    return [",".join(row) for row in rows]


@seeds(10_000, 2)
def test_tampered_releases_get_one_verdict(demo, capsys, seed):
    rng = random.Random(seed)
    lines = (demo / "release.csv").read_text(encoding="utf-8").splitlines()
    (demo / "bad.csv").write_text("\n".join(tampered(lines, rng)) + "\n", encoding="utf-8")
    agree(demo, capsys, release="bad.csv", certificate="certificate.json" if seed % 2 else None)


def tables(folder, rng):
    """A small table with a hierarchy, weights, missing values, a mask and requirements; its policy; a release."""
    null = rng.random() < 0.2
    ages = [str(rng.randrange(20, 60)) for _ in range(8)]
    rows = [
        (rng.choice(ages), rng.choice(["f", "m", ""]), rng.choice("wxyz"), rng.choice("pqr"), str(rng.randrange(5)))
        for _ in range(rng.randrange(6, 30))
    ]
    if rng.random() < 0.5:
        rows = [(a, b or "d", *rest) for a, b, *rest in rows]
    lines = ["age,sex,town,ill,note", *(",".join(row) for row in rows)]
    (folder / "original.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = {"quasi_identifiers": ["age", "sex", "town"], "sensitive": ["ill"], "k": rng.randrange(2, 4)}
    said |= {"other": rng.choice(["keep", "drop"]), "outliers": rng.choice(["forbid", "suppress"])}
    said |= {"suppressed": "null"} if null else {"star": rng.choice(["*", "?"])}
    if not null and rng.random() < 0.7:
        tree = [f"{age};{int(age) // 10}0s;{'young' if int(age) < 40 else 'old'};*" for age in sorted(set(ages))]
        (folder / "age.csv").write_text("\n".join(tree) + "\n", encoding="utf-8")
        said["hierarchies"] = {"age": "age.csv"}
        said["cost"] = rng.choice(["leaves", "cells", "levels"])
    if rng.random() < 0.5:
        said["weights"] = {"sex": rng.choice([2, 0.5, "1/3"])}
    said["mask"] = rng.choice(
        [{}, {"max_stars": 2}, {"keep": ["sex"]}, {"together": [["age", "town"]]}, {"at_most_one": [["age", "sex"]]},
         {"never_together": [["sex", "town"]]}, {"patterns": [["age"], ["age", "town"]]},
         {"any": [{"max_stars": 1}, {"keep": ["age"]}]}]
    )  # fmt: skip
    said["require"] = rng.choice([[], [], ["l-diversity l=2 column=ill"], ["t-closeness t=0.5 column=ill"],
                                  ["p-sensitive p=2 column=ill", "alpha-k alpha=0.8 column=ill"]])  # fmt: skip
    incrowd.Job().replace(
        **{**said, "hierarchies": {"age": folder / "age.csv"}} if "hierarchies" in said else said
    ).policy.save(folder / "policy.toml")
    incrowd.anonymize(
        folder / "original.csv", policy=folder / "policy.toml", output=folder / "release.csv",
        certificate=folder / "certificate.json", solver="greedy",
    )  # fmt: skip


@seeds(1500, 1)
def test_small_tables_of_every_make_and_their_tampered_releases_get_one_verdict(tmp_path, capsys, seed):
    rng = random.Random(seed)
    try:
        tables(tmp_path, rng)
    except IncrowdError:
        pytest.skip("no release")
    has = (tmp_path / "certificate.json").exists()
    name = "certificate.json" if has else None
    assert agree(tmp_path, capsys, certificate=name)[0] == 0
    for _ in range(2):
        lines = (tmp_path / "release.csv").read_text(encoding="utf-8").splitlines()
        (tmp_path / "bad.csv").write_text("\n".join(tampered(lines, rng)) + "\n", encoding="utf-8")
        agree(tmp_path, capsys, release="bad.csv", certificate=name)


@pytest.mark.parametrize(
    "name", ["l-diversity", "t-closeness", "p-sensitive", "alpha-k", "beta-likeness", "delta-disclosure"]
)
@seeds(800, 15)
def test_classes_are_judged_as_the_check_judges_them(name, seed):
    drawn = models_drawn.Drawn(seed)
    table = Counter(drawn.rows)
    for model, _ in getattr(models_drawn, name.replace("-", "_"))(drawn):
        settings = plain_model(model)
        asked = second.Model(settings.pop("model"), settings, ROOT)
        assert asked.rule == model.rule
        judged = reading_of(name).judge(settings_of(model), drawn.classes()).met.tolist()
        mine = second.Requirement(asked, ["s0", "s1", "s2"], table)
        for group in range(drawn.groups):
            rows = drawn.members(group)
            assert not rows or mine.met(Counter(rows)) == judged[group]
        if page_script.NODE is not None:
            number = {kind: s for s, kind in enumerate(table)}
            groups = [g for g in range(drawn.groups) if drawn.members(g)]
            classes = [[(number[kind], n) for kind, n in Counter(drawn.members(g)).items()] for g in groups]
            told = page_script.page().told(
                model=name, settings=json.dumps(settings), names=["s0", "s1", "s2"], kinds=list(table), rows=list(table.values()),
                classes=classes,
            )  # fmt: skip
            assert told == {"rule": asked.rule, "met": [judged[g] for g in groups]}


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("a;b\nx;1\ny; 2 \n\n", {}),
        ("\ufeffa,b\r\nx,\r\n?,y", {"na": ["?"]}),
        ("a\tb\n x\t1\n", {"strip": False}),
        ("1,2\n3,4\n", {"header": False}),
        ("1,2\n3,4\n", {"columns": ["p", "q"], "header": False}),
        ("1,2\n3,4\n", {}),
        ('a,b\n"x,1","say ""so"""\n', {}),
        ("a\nx\n\ny\n", {}),
        ("a,b\nx\n", {}),
        ("a,a\nx,y\n", {}),
        ('a,b\n"x"y,1\n', {}),
        ("", {}),
        ("\n\na|b\nx|y\n", {}),
        ("name,town\nÄ,é\n", {"encoding": "latin-1"}),
    ],
)
def test_a_table_is_read_as_the_tool_reads_it(text, reading, tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(text.encode(reading.get("encoding", "utf-8")))
    try:
        with open_engine("duckdb", None, path) as engine:
            opened = open_source(engine, path, Reading(**reading))
            columns = [engine.fetch(opened.data.select(v=opened.data[f"c{j}"])) for j in range(len(opened.names))]
            told = opened.names, list(zip(*(c.column("v").to_pylist() for c in columns), strict=True))
    except IncrowdError:
        told = None
    try:
        read = second.Table(path, **reading)
        mine = read.names, read.rows
    except second.Unreadable:
        mine = None
    assert mine == told
    if page_script.NODE is not None:
        page = page_script.page().told(table=str(path), reading=json.dumps(reading))
        assert page == (
            "unreadable" if told is None else {"names": list(told[0]), "rows": [list(row) for row in told[1]]}
        )
