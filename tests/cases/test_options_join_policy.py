"""What holds a table or a list joins the policy's, from the shell and from Python; what is one value replaces it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import incrowd
from checkers import page_script
from checkers.needed import NODE
from incrowd import PolicyError

ROWS = [
    (f"{30 + i % 8}", "fm"[i % 2], f"{1000 + i % 6}", f"0{1 + i % 9}/1{i % 9}/2023", "uvw"[i % 3], f"n{i}")
    for i in range(72)
]
NAMES = ("age", "sex", "zip", "day", "ill", "name")
POLICY = """\
k = 2
quasi_identifiers = ["age", "sex", "zip"]
sensitive = ["ill"]
identifiers = ["name"]
complete_hierarchies = true
require = ["alpha-k alpha=0.9 column=ill"]
[mask]
keep = ["sex"]
max_level = {age = 2}
never_together = [["age", "sex"]]
[weights]
age = 3
[hierarchies]
age = "intervals:5,10"
zip = "prefix"
[read]
na = ["?"]
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_text("\n".join(",".join(row) for row in (NAMES, *ROWS)) + "\n")
    (tmp_path / "policy.toml").write_text(POLICY)
    return tmp_path


JOINED = [
    (["--hierarchy", "sex=prefix"], {"hierarchies": {"sex": "prefix"}}, "hierarchies", {"age": {"intervals": [5, 10]}, "zip": {"prefix": []}, "sex": {"prefix": []}}),
    (["--hierarchy", "age=intervals:20"], {"hierarchies": {"age": "intervals:20"}}, "hierarchies", {"age": {"intervals": [20]}, "zip": {"prefix": []}}),
    (["--weight", "zip=2"], {"weights": {"zip": 2}}, "weights", {"age": 3, "zip": 2}),
    (["--weight", "age=2"], {"weight": {"age": 2}}, "weights", {"age": 2}),
    (["--max-level", "zip=1"], {"max_level": {"zip": 1}}, "mask.max_level", {"age": 2, "zip": 1}),
    (["--keep", "zip"], {"keep": ["zip"]}, "mask.keep", ["sex", "zip"]),
    (["--never-together", "age,zip"], {"never_together": ["age", "zip"]}, "mask.never_together", [["age", "sex"], ["age", "zip"]]),
    (["--together", "age,zip"], {"together": ["age", "zip"]}, "mask.together", [["age", "zip"]]),
    (["--qi", "day"], {"quasi_identifiers": ["day"]}, "quasi_identifiers", ["age", "sex", "zip", "day"]),
    (["--qi", "age"], {"qi": "age"}, "quasi_identifiers", ["sex", "zip", "age"]),
    (["--sensitive", "day"], {"sensitive": ["day"]}, "sensitive", ["ill", "day"]),
    (["--identifier", "day"], {"identifiers": "day"}, "identifiers", ["name", "day"]),
    (["--numeric", "age"], {"numeric": ["age"]}, "numeric", ["age"]),
    (["--sensitive-distance", "ill=equal", "--t", "0.9"], {"sensitive_distance": {"ill": "equal"}, "t": 0.9}, "sensitive_distance", {"ill": "equal"}),
    (["--require", "p-sensitive p=2 column=ill"], {"require": "p-sensitive p=2 column=ill"}, "require", [{"model": "alpha-k", "column": "ill", "alpha": 0.9}, {"model": "p-sensitive", "column": "ill", "p": 2}]),
    (["--na", "-"], {"na": "-"}, "read.na", ["?", "-"]),
    (["--k", "3"], {"k": 3}, "k", 3),
]  # fmt: skip


@pytest.mark.few(1)
@pytest.mark.parametrize(("options", "keywords", "key", "expected"), JOINED)
def test_a_table_or_list_joins_the_policy_s(here, run, options, keywords, key, expected):
    release = incrowd.anonymize("table.csv", policy="policy.toml", dry_run=True, solver="greedy", **keywords)
    release.job.policy.save("joined.toml")
    found = tomllib.loads((here / "joined.toml").read_text())
    for part in key.split("."):
        found = found[part]
    assert found == expected
    for policy, more, output in (("policy.toml", options, "one.csv"), ("joined.toml", [], "two.csv")):
        code, _, err = run("anonymize", "table.csv", "--policy", policy, *more, "-o", output, "--solver", "greedy")
        assert code == 0, err
    assert (here / "one.csv").read_bytes() == (here / "two.csv").read_bytes()
    assert run("verify", "table.csv", "one.csv", "--policy", "policy.toml", *options)[0] == 0


def test_a_column_takes_the_role_that_an_option_gives_it(here):
    release = incrowd.anonymize(
        "table.csv",
        policy="policy.toml",
        sensitive=["sex"],
        keep=None,
        never_together=None,
        dry_run=True,
        solver="greedy",
    )
    policy = release.job.policy
    assert policy.quasi_identifiers == ("age", "zip")
    assert policy.sensitive == ("ill", "sex")
    with pytest.raises(PolicyError, match="'age'"):  # its hierarchy and its rules stand in the policy
        incrowd.anonymize("table.csv", policy="policy.toml", identifiers=["age"], dry_run=True)


def test_none_takes_away_what_the_policy_has(here):
    release = incrowd.anonymize(
        "table.csv", policy="policy.toml", hierarchies=None, weights=None, max_level=None, dry_run=True, solver="greedy"
    )
    policy = release.job.policy
    assert (policy.hierarchies, policy.weights, policy.mask.max_level) == ((), (), ())
    assert policy.quasi_identifiers == ("age", "sex", "zip")


def test_auto_beside_a_policy_leaves_its_hierarchies(here):
    release = incrowd.anonymize(
        "table.csv", policy="policy.toml", hierarchies=["auto", "age=intervals:20"], dry_run=True, solver="greedy"
    )
    release.job.policy.save("joined.toml")
    found = tomllib.loads((here / "joined.toml").read_text())["hierarchies"]
    assert {"age": {"intervals": [20]}, "zip": {"prefix": []}}.items() <= found.items()


def test_every_function_joins(here):
    release = incrowd.anonymize("table.csv", policy="policy.toml", hierarchies={"sex": "prefix"}, solver="greedy")
    assert not incrowd.verify("table.csv", release.table, policy="policy.toml", hierarchies={"sex": "prefix"})
    assert incrowd.usefulness(
        "table.csv", release.table, policy="policy.toml", hierarchies={"sex": "prefix"}, queries=9
    )
    assert [one["name"] for one in incrowd.audit("table.csv", policy="policy.toml", qi="day").facts["columns"]] == [
        "age",
        "sex",
        "zip",
        "day",
    ]


@pytest.mark.parametrize("complete", [True, False])
def test_a_hierarchy_without_a_place_for_any_value_is_refused(here, run, complete):
    (here / "other.csv").write_text("x;y;*\nz;y;*\n")
    days = len({row[3] for row in ROWS})
    text = POLICY if complete else POLICY.replace("complete_hierarchies = true", "")
    (here / "policy.toml").write_text(text)
    for spec, said in (("dates", "2026-11-21"), ("intervals:5", "numbers"), ("other.csv", "line in its hierarchy")):
        code, _, err = run(
            "anonymize",
            "table.csv",
            "--policy",
            "policy.toml",
            "--qi",
            "day",
            "--hierarchy",
            f"day={spec}",
            "-o",
            "out.csv",
        )
        assert code == 2
        assert "column 'day'" in err
        assert f"none of the column's {days} distinct values" in err
        assert said in err
        assert "2023" not in err
        assert not (here / "out.csv").exists()


@pytest.mark.parametrize("spec", ["other.csv", "intervals:5", "dates"])
def test_the_checkers_refuse_such_a_hierarchy_too(here, spec):
    (here / "other.csv").write_text("x;y;*\nz;y;*\n")
    (here / "small.toml").write_text(
        f'k = 2\nquasi_identifiers = ["sex"]\ncomplete_hierarchies = true\n[hierarchies]\nsex = "{spec}"\n'
    )
    with pytest.raises(PolicyError, match="none of the column's 2 distinct values"):
        incrowd.verify("table.csv", "table.csv", policy="small.toml")
    program = Path(__file__).resolve().parents[2] / "checker" / "incrowd_check.py"
    asked = [sys.executable, program, "table.csv", "table.csv", "--policy", "small.toml"]
    assert subprocess.run(asked, capture_output=True, check=False).returncode == 2
    if NODE is None:
        pytest.skip("needs Node, which this machine does not have")
    files = {"original": here / "table.csv", "release": here / "table.csv", "policy": here / "small.toml"}
    assert page_script.page().checked(**files, others=[here / "other.csv"])["verdict"] == "unreadable"
