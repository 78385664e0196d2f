"""Ways of `incrowd anonymize` and of the shell that one answer does not show: two commands that have to agree."""

from __future__ import annotations

import hashlib
import json
import random
import re
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

import incrowd
from cases.told_files import EIGHT
from checkers.ask import sum_of
from incrowd.cli.main import main

GOOD = ("--qi", "age,sex", "--k", "2", "--solver", "exact")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(EIGHT)
    return tmp_path


def facts(run, *words):
    status, out, err = run(*words, "--json")
    assert (status, err) == (0, ""), err
    return json.loads(out)


def test_long_names_stars_as_nulls_and_a_policy_file_do_what_options_do(run, here):
    one = facts(run, "anonymize", "t.csv", "-o", "one.csv", *GOOD)
    (here / "p.toml").write_text(
        'quasi_identifiers = ["age", "sex"]\nk = 3\n[job]\nsource = "t.csv"\noutput = "three.csv"\nsolver = "exact"\n'
    )
    assert facts(run, "anonymize", "--policy", "p.toml")["k"] == 3
    assert facts(run, "anonymize", "--policy", "p.toml", "--k", "2", "-o", "four.csv")["cost"] == one["cost"]
    assert (here / "one.csv").read_bytes() == (here / "four.csv").read_bytes()
    assert run("verify", "t.csv", "three.csv", "--policy", "p.toml")[0] == 0
    assert run("verify", "t.csv", "four.csv", "--policy", "p.toml")[0] == 1
    long = ("--quasi-identifiers", *GOOD[1:], "--suppressed", "null")
    assert run("anonymize", "t.csv", "-o", "null.csv", *long)[0] == 0
    assert (here / "null.csv").read_text() == (here / "one.csv").read_text().replace("*", "")
    assert run("verify", "t.csv", "null.csv", *GOOD[:4], "--suppressed", "null")[0] == 0


def test_an_estimate_says_what_it_would_take_and_releases_nothing(run, here):
    asked = ("anonymize", "t.csv", "--qi", "age,sex", "--k", "2", "--dry-run", "--time-limit", "0")
    told = facts(run, *asked, "-o", "o.csv")
    assert {"rows", "row_types", "memory_mb", "disk_mb", "seconds", "measured", "solver", "factor"} <= set(told)
    assert (told["rows"], told["row_types"]) == (8, 6)
    status, out, _ = run(*asked)
    assert status == 0 and "8 rows, 6 row types; nothing was released." in out
    assert "solve: 60.0 s" in out  # what it has where no limit is named
    assert out.count("(measured)") == len(told["measured"])
    found = incrowd.estimate("t.csv", qi=["age", "sex"], k=2, solver="exact", time_limit=7)
    assert found.facts["seconds"]["solve"] == 7
    seconds = [taken for stage, taken in found.facts["seconds"].items() if stage != "total"]
    assert f", {sum(seconds):.1f} s>" in repr(found) and repr(found).startswith("<Estimate of 8 rows: ")
    assert found.facts["seconds"]["total"] == pytest.approx(sum(seconds), abs=0.5)
    plain = re.sub(r"<[^>]*>", " ", found._repr_html_())
    assert "Estimate of 8 rows" in plain and "Nothing was searched" in plain
    endless = incrowd.estimate("t.csv", qi=["age", "sex"], k=2, solver="matching")
    assert endless.facts["seconds"]["solve"] is None and "a search of unknown length" in repr(endless)
    assert "solve: not known (matching has no time limit)" in endless.summary()
    assert "not known" in endless._repr_html_()
    files = incrowd.estimate(
        "t.csv", qi=["age", "sex"], k=2, solver="greedy", output=here / "o.csv", certificate=here / "c.json"
    )
    assert files.facts["disk_mb"] >= found.facts["disk_mb"]
    assert [path.name for path in here.iterdir()] == ["t.csv"]


def test_recursions_and_the_kernel_have_the_same_least_cost(run, here):
    (here / "t.csv").write_text("a,b\n" + "x,u\n" * 5 + "y,u\ny,v\nz,v\nz,u\n")
    asked = ("anonymize", "t.csv", "--dry-run", "--qi", "a,b", "--k", "2", "--solver")
    ways = ("", ":recursion=halves", ":recursion=thirds", ":reduce=kernel")
    told = [facts(run, *asked, f"subset_dp{way}") for way in ways]
    assert {one["cost"] for one in told} == {4} and all(one["optimal"] for one in told)
    assert ["kernel" in one for one in told] == [False, False, False, True]
    (here / "t.csv").write_text("a,b\n" + "x,u\n" * 15)
    status, _, err = run(*asked, "subset_dp:recursion=thirds")
    assert status == 2 and "takes up to 14 rows, not 15" in err


@pytest.mark.parametrize(
    ("solver", "said"),
    [
        ("greedy:tied=first", "solver greedy has no option 'tied' (did you mean 'ties'?); it has threads, ties, visits, reduce"),
        ("greedy:ties=last", "ties must be one of domains, pattern, first, colexicographic, not 'last'"),
        ("greedy:visits=many", "solver greedy: visits must be a whole number, not 'many'"),
        ("greedy:visits=" + "9" * 400, f"solver greedy: visits must be a whole number and below 2^256, not '{'9' * 79}..."),
        ("mondrian:relaxed=perhaps", "solver mondrian: relaxed must be yes or no, not 'perhaps'"),
        ("greedy:reduce=half", "solver greedy: reduce must be kernel or none, not 'half'"),
        ("improve:seed=3", "solver improve has no option 'seed'; give it as an option of the job (seed = 3)"),
        ("auto:ties=first", "solver auto has no option 'ties'; auto stands for several; name one of `incrowd list solvers`"),
        ("greedy:ties", "solver 'greedy': 'ties' has no value; write NAME:key=value,key=value, each key once"),
        ("greedy:ties=first,ties=first", "solver 'greedy': 'ties' is given twice; write NAME:key=value,key=value, each key once"),
    ],
)  # fmt: skip
def test_an_option_of_a_solver_is_refused_by_its_name(run, here, solver, said):
    (here / "t.csv").write_text("a,b\n" + "x,u\n" * 5)
    status, out, err = run("anonymize", "t.csv", "--dry-run", "--qi", "a,b", "--k", "2", "--solver", solver)
    assert (status, out, err) == (2, "", f"incrowd: {said}\n")


def test_options_of_a_solver_are_the_same_in_python_and_in_a_policy_file(run, here):
    (here / "t.csv").write_text("a,b\n" + "x,u\nx,v\ny,u\n" * 5)
    (here / "p.toml").write_text(
        'quasi_identifiers = ["a", "b"]\nk = 6\n[job]\nsolver = "greedy:visits=1000000,ties=first"\n'
    )
    told = facts(run, "anonymize", "t.csv", "--dry-run", "--policy", "p.toml")
    with incrowd.anonymize(here / "t.csv", quasi_identifiers=["a", "b"], k=6, solver="greedy:ties=first") as release:
        assert (told["solver"], told["cost"]) == (release.solver, release.cost) == ("greedy", release.cost)


def test_hierarchies_are_made_from_the_values_and_verify_gets_the_same(run, here):
    lines = [f"{20 + i % 70},{'01' if i % 2 else '80'}{i % 37:03},20{i % 20:02}-03-04" for i in range(120)]
    (here / "t.csv").write_text("\n".join(["age,zip,seen", "NA,?,0000-00-00", *lines, "", "x,inf,nan"]) + "\n")
    asked = ("--qi", "age,zip,seen", "--k", "3", "--na", "x")
    told = facts(run, "anonymize", "t.csv", "-o", "r.csv", *asked, "--hierarchies", "auto", "--solver", "greedy")
    found = {one["column"]: one["hierarchy"] for one in told["proposed_hierarchies"]}
    assert found == {"age": "intervals:5,10,20,90+", "zip": "prefix:3,2,1", "seen": "dates:month,year,decade"}
    assert run("verify", "t.csv", "r.csv", *asked, "--hierarchies", "auto")[0] == 0
    spelled = [part for column, text in found.items() for part in ("--hierarchy", f"{column}={text}")]
    assert run("verify", "t.csv", "r.csv", *asked, *spelled, "--complete-hierarchies")[0] == 0
    assert run("verify", "t.csv", "r.csv", *asked)[0] == 1


PROPOSED = [
    ("age", range(1, 99), "intervals:5,10,20,90+"), ("age", range(3, 17), "intervals:2,10"), ("x", range(100), "intervals:5,10,20"),
    ("x", range(8), "intervals:2"), ("year", range(1950, 2000), "intervals:2,10,20"), ("income", range(0, 90_000, 130), "intervals:5000,10000,20000"),
    ("bmi", [f"{n / 10}" for n in range(160, 420)], "intervals:1,5,10"), ("x", [f"{n / 1000}" for n in range(100)], "intervals:0.005,0.01,0.02"),
    ("x", ["2021-03-05", "2022-12-31"], "dates:month,quarter,year"), ("x", ["2021-03-05", "2021-12-31"], "dates:month,quarter"),
    ("x", ["2021-03-05T10:00", "2021-03-05T11:00", "2021-03-06T10:00"], "dates:day"), ("zip", ["01067", "01069", "01071"], "prefix:4"),
    ("zip", ["01067", "01299"], "prefix:3"), ("postcode", ["10", "11", "80"], "prefix:1"), ("icd", ["A41.9", "I10", "E11.90"], "prefix:3,1"),
    ("x", ["NA", "?"], "it holds no values"), ("x", ["7"], "all its values are one"), ("x", ["f", "m"], "it has 2 values"), ("x", ["1", "2", "3"], "it has 3 values"),
    ("x", ["2021-03-05", "2021-03-06"], "its dates are of one month"), ("x", [f"{n}e300" for n in range(9)], "its numbers lie too near or too far apart"),
    ("x", ["red", "green", "blue", "pink", "grey", "black"], "its values are texts of no common form"),
    ("x", [*map(str, range(60)), "20-24"], "some of its values read like the labels of others"),
    ("x", ["B1*", "B12", "B13", "A10", "A20", "C30", "C40", "C50", "C60", "C70", "C80"], "some of its values read"),
]  # fmt: skip


def proposed(**columns):
    """What is proposed for columns of one table, the shorter ones with missing values at their ends."""
    rows = max(map(len, columns.values()))
    table = pa.table({name: [*map(str, cells), *[None] * (rows - len(cells))] for name, cells in columns.items()})
    asked = {"qi": list(columns), "k": 1, "solver": "greedy", "hierarchies": "auto"}
    release = incrowd.anonymize(table, **asked, dry_run=True, quiet_facts=True)
    return {one["column"]: one for one in release.facts["proposed_hierarchies"]}


def test_what_is_proposed_for_a_column_goes_by_its_values():
    cases = sorted(PROPOSED, key=lambda case: len(case[1]))
    for first in range(0, len(cases), 4):
        some = {name + " " * i: case for i, (name, *case) in enumerate(cases[first : first + 4])}
        found = proposed(**{name: cells for name, (cells, _) in some.items()})
        for name, (cells, said) in some.items():
            assert (found[name]["hierarchy"] or found[name]["why"]).startswith(said), (name, cells[:3], found[name])
    assert proposed(age=["31", "47", "NA", "?"])["age"]["under_the_root"] == 2


OFFERED = [
    ("anonymize p.csv --qi ", ["age", "sex", "zip code", "admitted"]), ("anonymize p.csv --qi a", ["age", "admitted"]),
    ("anonymize p.csv --qi age,a", ["age,admitted"]), ("audit p.csv --sensitive z", ["zip code"]), ("tradeoff q.parquet --qi a", ["age", "area"]),
    ("verify p.csv r.csv --weight s", ["sex="]), ("anonymize p.csv --hierarchy ad", ["admitted="]), ("anonymize p*.csv --keep s", ["sex"]),
    ("anonymize s.csv --delimiter ; --k 3 --qi s", ["sex"]), ("anonymize --policy job.toml --qi s", ["sex"]), ("anonymize rows.csv --qi ", []),
    ("anonymize nobody.csv --qi ", []), ("anonymize --qi ", []),
]  # fmt: skip


def test_a_shell_is_offered_the_columns_of_the_table_that_stands_in_the_command(here, monkeypatch, capfd):
    (here / "p.csv").write_text("age,sex,zip code,admitted\n31,f,01067,2024-01-02\n47,m,01099,2024-01-03\n")
    pd.DataFrame({"age": [1], "area": [2]}).to_parquet("q.parquet")
    (here / "rows.csv").write_text("31,f\n47,m\n")
    (here / "s.csv").write_text("age;sex,or none;sex\n31;a;f\n")
    (here / "job.toml").write_text('source = "p.csv"\n')
    for words, names in OFFERED:
        monkeypatch.setenv("_INCROWD_COMPLETE", "zsh_complete")
        monkeypatch.setenv("COMP_WORDS", f"incrowd {words}".replace(" ; ", " ';' "))
        monkeypatch.setenv("COMP_CWORD", str(len(words.split(" "))))
        with pytest.raises(SystemExit):
            main([])
        out, err = capfd.readouterr()
        assert (out.splitlines()[1::3], err) == (names, ""), words


def audited(cells, require):
    table = pa.table({"a": ["x"] * len(cells), "s": cells})
    found = incrowd.audit(table, quasi_identifiers=["a"], require=[require])
    return next(one for one in found.models if one["asked"] is not None)


def test_models_are_decided_exactly_a_hair_from_their_thresholds():
    # entropy log 4 with 1/2 and four times 1/8: told by prime factors where digits do not do; 5001 of 5003 is a hair below log 2
    tied = [value for value, n in zip("abcde", (4, 1, 1, 1, 1), strict=True) for _ in range(7001 * n)]
    assert audited(tied, "l-diversity l=4 column=s kind=entropy")["ok"]
    assert not audited(tied, "l-diversity l=4.000000000000000000000000000001 column=s kind=entropy")["ok"]
    near = ["a"] * 5001 + ["b"] * 5003
    assert not audited(near, "l-diversity l=2 column=s kind=entropy")["ok"]
    assert audited(near, "l-diversity l=1.9999 column=s kind=entropy")["ok"]
    # of two rows each doubles the share of its value: ln 2 = 0.693147180559945309417232121458176568...
    for digits, ok in (("66", True), ("65", False)):
        asked = f"delta-disclosure delta=0.69314718055994530941723212145817{digits} column=s"
        found = incrowd.audit(pa.table({"a": list("xy"), "s": list("ab")}), quasi_identifiers=["a"], require=[asked])
        assert next(one for one in found.models if one["asked"] is not None)["ok"] is ok
    # a closeness of exactly a tenth passes, and a digit less does not
    table = pa.table({"a": ["x"] * 10 + ["y"] * 90, "s": ["p"] * 3 + ["q"] * 7 + ["p"] * 37 + ["q"] * 53})
    for t, ok in ((0.1, True), ("0.09999999999999999999", False)):
        found = incrowd.audit(table, quasi_identifiers=["a"], require=[incrowd.TCloseness(t, "s")])
        line = next(one for one in found.models if one["asked"] is not None)
        assert line["ok"] is ok and Fraction(str(line["reached"])) == Fraction(1, 10)
    assert incrowd.LDiversity(1.1, "x").l == Fraction(11, 10) == incrowd.LDiversity("1.1", "x").l
    assert incrowd.KAnonymity("7") == incrowd.KAnonymity(7.0) == incrowd.KAnonymity(k=7)


def test_a_limit_of_no_time_ends_a_point_of_a_curve_with_what_it_has():
    rng = random.Random(1)
    rows = [{"a": rng.choice("abcdefgh"), "b": rng.choice("pqrst"), "c": rng.choice("uvwxyz")} for _ in range(90)]
    asked = {"qi": ["a", "b", "c"], "ks": [4], "solvers": ["exact"]}
    point = incrowd.tradeoff(rows, **asked, time_limit=0).points[0]
    assert point["status"] == "time_limit" and point["lower_bound"] < point["cost"] and not point["optimal"]


SAVED = [
    {"k": 3}, {"qi": ["a", "b c"], "k": 2, "cost": "levels", "outliers": "suppress", "suppression_limit": "1/3"},
    {"qi": ["a"], "sensitive": ["s"], "l": "7/3", "t": 0.1, "sensitive_distance": {"s": "ordered"}, "star": "#"},
    {"qi": ["a", "b"], "mask": incrowd.Mask(max_stars=1, keep=["a"]) | incrowd.Mask(patterns=[{"b": 1}, []])},
    {"qi": ["a", "b"], "weights": {"a": "1/3", "b": 2}, "hierarchies": {"a": "intervals:5,10,90+", "b": "dates:month,year"}},
    {"qi": ["a"], "hierarchies": {"a": {"file": "a.csv", "level_costs": [0.5, 1]}}, "complete_hierarchies": True},
    {"qi": ["a"], "require": [incrowd.BetaLikeness(1, "s", enhanced=True), incrowd.TCloseness("1/3", "s", [[0, 1], [1, 0]], order=["x", "y"])]},
    {"qi": ["a"], "numeric": ["a"], "recoding": "grid", "round": "1/2", "na": ["?", "-"], "delimiter": ";", "header": False, "columns": ["a", "b"]},
    {"qi": ["a"], "solver": "improve", "seed": 7, "work": 500, "gap": 0.25, "memory": "4GB", "keep_order": True, "identifiers": ["n"], "other": "drop"},
    {"source": "t.csv", "output": "r.csv", "certificate": "c.json", "report": "r.html", "qi": ["a"], "k": 5, "time_limit": 2.5},
]  # fmt: skip


@pytest.mark.parametrize("asked", SAVED)
def test_a_job_comes_back_from_its_file_and_says_what_differs(here, monkeypatch, asked):
    job = incrowd.Job().replace(**asked)
    (here / "inside").mkdir()
    job.save(here / "inside" / "p.toml")
    monkeypatch.chdir(here.parent)
    again = incrowd.Job.load(here / "inside" / "p.toml")
    for name in ("source", "output", "certificate", "report"):  # they lie beside the file, wherever it is read from
        if asked.get(name):
            assert Path(getattr(job, name)).name == Path(getattr(again, name)).name == asked[name]
            assert Path(getattr(again, name)).resolve() == (here / asked[name]).resolve(), name
    same = [name for name in asked if hasattr(job.policy, name) and name not in ("hierarchies", "quasi_identifiers")]
    assert [getattr(again.policy, name) for name in same] == [getattr(job.policy, name) for name in same]
    for name in ("solver", "seed", "work", "gap", "memory", "keep_order", "time_limit"):
        assert getattr(again, name) == getattr(job, name), name
    if "hierarchies" not in asked:
        assert again.policy == job.policy
    again.save(here / "inside" / "q.toml")
    assert (here / "inside" / "q.toml").read_text() == (here / "inside" / "p.toml").read_text()


def test_init_says_what_dates_and_capital_letters_hide_and_help_is_a_command(run, here):
    rows = [f"{1 + i % 12:02}/{1 + i % 28:02}/20{20 + i % 3},{('it', 'IT', 'cook')[i % 3]},flu" for i in range(200)]
    (here / "v.csv").write_text("\n".join(["visit,work,diagnosis", *rows]) + "\n")
    status, out, _ = run("init", "v.csv")
    assert status == 0
    assert re.search(
        r"## visit .*its dates are not all written as 2023-04-27: write them so, and they can be grouped", out
    )
    assert re.search(r"## work .*; what differs in capital letters alone is counted apart \(1 value\)", out)
    assert run("help") == run("--help") and run("help", "list") == run("list", "--help")
    assert run("version") == run("--version")
    assert "..." not in run("--help")[1].partition("Commands:")[2]


def test_report_and_json_name_the_hash_of_the_file_that_they_are_about(run, here):
    told = facts(run, "anonymize", "t.csv", "-o", "r.csv", *GOOD, "--report", "r.html", "--certificate", "c.json")
    found = hashlib.sha256((here / "r.csv").read_bytes()).hexdigest()
    assert told["released_sha256"] == found
    assert f"the file with the SHA-256 {found}, and about no other" in (here / "r.html").read_text()
    assert "released_sha256" not in facts(run, "anonymize", "t.csv", *GOOD, "--dry-run")
    assert told["released_sum"] == sum_of((here / "r.csv").read_text())
    assert told["released_sum"] in (here / "r.html").read_text()
    (here / "u.csv").write_text(EIGHT.replace("20,f,cold", "20,f,flu"))
    other = facts(run, "anonymize", "u.csv", "-o", "q.csv", *GOOD)
    status, out, _ = run("verify", "u.csv", "q.csv", *GOOD[:4], "--certificate", "c.json")
    assert (other["cost"], status) == (told["cost"], 1)
    assert "The certificate is of another release" in out
