"""`incrowd anonymize`: answers on standard output, sentences on standard error, exit statuses as promised."""

import json
import os
import random
import signal
import subprocess

import pytest

from people import ASK, CANARY, COMMAND, GOOD, ROWS
from terminals import on_terminal


def test_a_newcomer_gets_a_verified_release_and_a_summary(run, table, tmp_path):
    status, out, err = run("anonymize", table, "-o", "release.csv", *GOOD)
    assert (status, err) == (0, "")
    for said in ("What was asked", "What was lost", "How good that is", "What is left to worry about"):
        assert said in out
    lines = (tmp_path / "release.csv").read_text().splitlines()
    assert lines[0] == "age,sex,land,remark"
    assert len(lines) == 1 + len(ROWS)
    assert CANARY not in out + "".join(lines)
    assert run("verify", table, "release.csv", *GOOD)[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv", "release.csv"]


def test_json_has_the_contracts_keys(run, table):
    status, out, _ = run("anonymize", table, "-o", "release.csv", *GOOD, "--json")
    facts = json.loads(out)
    assert status == 0
    promised = [
        "rows",
        "columns",
        "quasi_identifiers",
        "row_types",
        "k",
        "k_anonymous",
        "cost",
        "suppressed_cells",
        "changed_cells",
        "suppressed_fraction",
        "lower_bound",
        "lower_bound_checked",
        "gap",
        "optimal",
        "proof",
        "status",
        "solver",
        "outliers",
        "classes",
        "measures",
        "seconds",
        "peak_mb",
        "seed",
        "version",
    ]
    assert set(promised) <= set(facts)
    assert set(facts["classes"]) == {"count", "min", "mean", "max"}
    assert {"usefulness", "discernibility", "c_avg"} <= set(facts["measures"])
    assert {"read", "compress", "solve", "bound", "expand", "verify", "write", "total"} <= set(facts["seconds"])
    assert facts["rows"] == 6
    assert facts["classes"]["min"] >= 2
    assert facts["lower_bound"] <= facts["cost"] == facts["suppressed_cells"]
    assert facts["solver"] != "auto"


def test_a_policy_file_does_the_same_and_an_option_replaces_its_key(run, table, tmp_path):
    (tmp_path / "p.toml").write_text(
        'quasi_identifiers = ["age", "sex", "land"]\nidentifiers = ["name"]\nk = 3\n'
        '[job]\nsource = "people.csv"\noutput = "r.csv"\n'
    )
    assert run("anonymize", "--policy", "p.toml")[0] == 0
    assert run("verify", table, "r.csv", "--policy", "p.toml")[0] == 0
    assert json.loads(run("anonymize", "--policy", "p.toml", "--k", "2", "--json")[1])["k"] == 2
    assert run("verify", table, "r.csv", "--policy", "p.toml", "--k", "2")[0] == 0


def test_the_release_can_go_to_standard_output_and_the_summary_to_standard_error(run, table):
    status, out, err = run("anonymize", table, "-o", "-", *GOOD)
    assert status == 0
    assert out.startswith("age,sex,land,remark\n")
    assert "What was lost" in err


def test_a_dry_run_writes_nothing(run, table, tmp_path):
    status, out, _ = run("anonymize", table, "--dry-run", *GOOD)
    assert status == 0
    assert "What was lost" in out
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_parquet_in_and_out(run, table, tmp_path):
    import pyarrow.csv
    import pyarrow.parquet as pq

    pq.write_table(pyarrow.csv.read_csv(table), tmp_path / "people.parquet")
    assert run("anonymize", "people.parquet", "-o", "r.parquet", *GOOD)[0] == 0
    assert run("verify", "people.parquet", "r.parquet", *GOOD)[0] == 0
    assert run("anonymize", "people.parquet", "-o", "r.csv", *GOOD)[0] == 0
    assert run("verify", "people.parquet", "r.csv", *GOOD)[0] == 0


def test_stars_as_nulls(run, table, tmp_path):
    assert run("anonymize", table, "-o", "r.csv", *GOOD, "--suppressed", "null")[0] == 0
    assert "*" not in (tmp_path / "r.csv").read_text()
    assert run("verify", table, "r.csv", *GOOD, "--suppressed", "null")[0] == 0


MISTAKES = {
    "no table": ((), "no table is given"),
    "no output": (("people.csv", *GOOD), "no output is given"),
    "no quasi-identifiers": (("people.csv", "-o", "r.csv", "--k", "2"), "no quasi-identifiers are named"),
    "no k": (("people.csv", "-o", "r.csv", "--qi", "age"), "no k is given"),
    "k too large": (("people.csv", "-o", "r.csv", *GOOD[:-1], "7"), "k=7 is more than the table's 6 rows"),
    "k zero": (("people.csv", "-o", "r.csv", *GOOD[:-1], "0"), "k must be a whole number of at least 1"),
    "no file": (("nobody.csv", "-o", "r.csv", *GOOD), "there is no file 'nobody.csv'"),
    "no column": (("people.csv", "-o", "r.csv", "--qi", "agee", "--k", "2"), "did you mean 'age'?"),
    "unknown option": (("people.csv", "-o", "r.csv", "--kk", "2"), "No such option"),
    "unknown solver": (("people.csv", "-o", "r.csv", *GOOD, "--solver", "gredy"), "did you mean 'greedy'?"),
    "output is input": (("people.csv", "-o", "people.csv", *GOOD), "is also an input"),
    "output folder": (("people.csv", "-o", "no/r.csv", *GOOD), "folder does not exist"),
    "output ending": (("people.csv", "-o", "r.doc", *GOOD), "must end in .csv"),
    "two answers": (("people.csv", "-o", "-", "--json", *GOOD), "both want standard output"),
    "mask column": (("people.csv", "-o", "r.csv", *GOOD, "--keep", "remark"), "mask.keep names 'remark'"),
    "mask level": (("people.csv", "-o", "r.csv", *GOOD, "--max-level", "age=4"), "max_level"),
    "weight": (("people.csv", "-o", "r.csv", *GOOD, "--weight", "age=x"), "weight of 'age' must be a number"),
    "weight digits": (("people.csv", "-o", "r.csv", *GOOD, "--weight", "age=1/1e30"), "weight of 'age'"),
    "weights too fine": (
        ("people.csv", "-o", "r.csv", *GOOD, "--weight", "age=0.0000000000000000001"),
        "too many digits",
    ),
    "star in use": (("people.csv", "-o", "r.csv", *GOOD, "--star", "f"), "column 'sex' already holds the star text"),
    "numeric": (("people.csv", "-o", "r.csv", *GOOD, "--numeric", "land"), "column 'land' is declared numeric"),
    "memory": (("people.csv", "-o", "r.csv", *GOOD, "--memory", "lots"), "memory must be a size such as 4GB"),
    "policy file": (("people.csv", "-o", "r.csv", "--policy", "p.toml"), "there is no policy file 'p.toml'"),
    "choice": (("people.csv", "-o", "r.csv", *GOOD, "--outliers", "keep"), "'keep' is not one of"),
    "role twice": (("people.csv", "-o", "r.csv", *GOOD, "--sensitive", "age"), "in both quasi_identifiers and sensitive"),
    "width": (("people.csv", "-o", "r.csv", *GOOD, "--columns", "a,b"), "columns gives 2 names"),
    "delimiter": (("people.csv", "-o", "r.csv", *GOOD, "--delimiter", ";"), "'age'"),
}  # fmt: skip


def test_a_mistake_is_one_sentence_with_exit_status_2_and_leaves_nothing_behind(run, table, tmp_path):
    for case, (arguments, said) in MISTAKES.items():
        status, out, err = run("anonymize", *arguments)
        assert (status, out) == (2, ""), case
        assert said in err, case
        assert err.count("\n") == 1, case
        assert CANARY not in err, case
        assert [path.name for path in tmp_path.iterdir()] == ["people.csv"], case


def test_an_infeasible_policy_is_exit_status_3(run, table, tmp_path):
    options = (*GOOD, "--keep", "age,sex,land", "--no-full-suppression")
    status, out, err = run("anonymize", table, "-o", "r.csv", *options)
    assert status == 3
    assert out == ""
    assert "k=2" in err
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_an_exact_solver_that_declines_is_exit_status_2(run, table):
    status, _, err = run("anonymize", table, "-o", "r.csv", "--qi", "age,sex", "--k", "2", "--solver", "exact")
    assert status in (0, 2)
    if status == 2:
        assert "declines" in err


def test_a_table_on_standard_input(table, tmp_path):
    with table.open("rb") as source:
        done = subprocess.run(
            [COMMAND, "anonymize", "-", "-o", "-", *GOOD],
            stdin=source,
            capture_output=True,
            cwd=tmp_path,
            check=True,
        )
    assert done.stdout.startswith(b"age,sex,land,remark\n")


def drawn(rows, columns, values):
    rng = random.Random(0)
    names = ",".join(f"q{j}" for j in range(columns))
    lines = [",".join(str(rng.randrange(values)) for _ in range(columns)) for _ in range(rows)]
    return names, "\n".join([names, *lines]) + "\n"


@pytest.fixture
def places(tmp_path):
    """A folder to work in and one for temporary files, both of this test alone."""
    for name in ("work", "temporary"):
        (tmp_path / name).mkdir()
    return tmp_path / "work", tmp_path / "temporary"


def test_an_interrupted_run_leaves_nothing_and_says_so(places):
    work, temporary = places
    names, text = drawn(6_000, 15, 12)
    (work / "big.csv").write_text(text)
    command = [COMMAND, "anonymize", "big.csv", "-o", "r.csv", "--qi", names, "--k", "50", "--numeric", names]
    with on_terminal(command, cwd=work, env={**os.environ, "TMPDIR": str(temporary)}) as running:
        running.wait_for(r"solve +\[")  # the search begins
        running.process.send_signal(signal.SIGINT)
        status, _ = running.end()
    assert status == 130, running.said
    assert "interrupted" in running.said
    assert [path.name for path in work.iterdir()] == ["big.csv"]
    assert not list(temporary.glob("incrowd-*"))


@pytest.mark.proofs
def test_an_interrupted_run_can_keep_its_best(places):
    work, temporary = places
    names, text = drawn(2_000, 14, 6)
    (work / "big.csv").write_text(text)
    command = [COMMAND, "anonymize", "big.csv", "-o", "r.csv", "--qi", names, "--k", "9", "--keep-best", "--json"]
    with on_terminal(command, cwd=work, env={**os.environ, "TMPDIR": str(temporary)}) as running:
        running.wait_for(r"(solve|bound) +\[.*cost \d")  # something is there to keep
        running.process.send_signal(signal.SIGINT)
        status, out = running.end()
    assert status == 130, running.said
    assert json.loads(out)["status"] == "interrupted"
    assert len((work / "r.csv").read_text().splitlines()) == 2_001


def test_json_says_what_every_requirement_reaches(run, patients):
    asked = (*ASK, "--t", "0.5", "--require", "p-sensitive p=2 column=ill", "--sensitive-distance", "ill=ordered")
    status, out, _ = run("anonymize", patients, "-o", "out.csv", *asked, "--json")
    told = {line["rule"]: line for line in json.loads(out)["requirements"]}
    assert status == 0
    assert told["p-sensitive p=2 column=ill"]["reached"] == 2
    assert told["t-closeness t=0.5 column=ill distance=ordered"]["reached"] <= 0.5
    assert all(line["columns"] == ["ill"] for line in told.values())


def test_a_requirement_that_no_release_meets_has_exit_status_3_and_is_named(run, patients, tmp_path):
    status, out, err = run("anonymize", patients, "-o", "out.csv", *ASK, "--require", "l-diversity l=3 column=ill")
    assert (status, out) == (3, "")
    assert "no release can meet l-diversity l=3 column=ill" in err
    assert not (tmp_path / "out.csv").exists()


NONSENSE = [
    (("--qi", "age", "--k", "2", "--t", "0.1"), "t is about sensitive columns, and none is named"),
    (("--qi", "age", "--sensitive", "ill", "--k", "2", "--t", "2"), "t must be a number from 0 to 1, not 2"),
    (
        ("--qi", "age,ill", "--sensitive", "ill", "--k", "2", "--l", "2"),
        "is in both quasi_identifiers and sensitive",
    ),
    (("--qi", "age", "--k", "2", "--require", "l-diverse l=2"), "did you mean 'l-diversity'"),
    (
        ("--qi", "age", "--sensitive", "ill", "--k", "2", "--t", "0.1", "--sensitive-distance", "ill=numeric"),
        "2 of the 2 values of column 'ill' are no numbers",
    ),
]


def test_requirements_that_make_no_sense_are_wrong_use(run, patients):
    for options, said in NONSENSE:
        status, out, err = run("anonymize", patients, "-o", "out.csv", *options)
        assert (status, out) == (2, ""), said
        assert said in err
        assert "flu" not in err


def test_the_long_names_of_the_policy_file_do_what_the_short_ones_do(run, table):
    long = ("--quasi-identifiers", "age,sex,land", "--identifiers", "name", "--k", "2")
    assert json.loads(run("anonymize", table, "-o", "r.csv", *long, "--json")[1])["quasi_identifiers"] == [
        "age",
        "sex",
        "land",
    ]
    assert run("verify", table, "r.csv", *GOOD)[0] == 0


def test_details_are_told_when_they_are_asked_for(run, table):
    short = run("anonymize", table, "-o", "r.csv", *GOOD)[1]
    long = run("anonymize", table, "-o", "r.csv", *GOOD, "--details")[1]
    assert "Details" not in short
    assert "Details" in long
    assert "found by" in long


def test_an_estimate_says_what_it_would_take_and_releases_nothing(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n" + "x,u\ny,v\n" * 10)
    asked = ("anonymize", "t.csv", "--qi", "a,b", "--k", "5", "--dry-run", "--time-limit", "0")
    status, out, _ = run(*asked, "-o", "o.csv", "--json")
    assert status == 0
    told = json.loads(out)
    assert {"rows", "row_types", "memory_mb", "disk_mb", "seconds"} <= set(told) and told["rows"] == 20
    status, out, _ = run(*asked)
    assert status == 0 and "20 rows, 2 row types; nothing was released." in out
    assert "solve        60.0 s" in out  # what it has where no limit is named
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def test_the_papers_recursions_and_the_kernel_are_options_with_the_same_least_cost(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n" + "x,u\n" * 5 + "y,u\ny,v\nz,v\nz,u\n")
    asked = ("anonymize", "t.csv", "--dry-run", "--qi", "a,b", "--k", "2", "--solver", "subset_dp", "--json")
    ways = ((), ("--recursion", "halves"), ("--recursion", "thirds"), ("--reduce", "kernel"))
    told = [json.loads(run(*asked, *way)[1]) for way in ways]
    assert {one["cost"] for one in told} == {4} and all(one["optimal"] for one in told)
    assert ["kernel" in one for one in told] == [False, False, False, True]
    (tmp_path / "t.csv").write_text("a,b\n" + "x,u\n" * 15)
    status, _, err = run(*asked, "--recursion", "thirds")
    assert status == 2 and "the literal recursion 'thirds' takes up to 14 rows, not 15" in err


def test_distances_come_from_a_file_and_a_bad_one_is_told_without_a_value(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,ill\nx,flu\nx,cold\ny,flu\ny,gout\n")
    far = ",flu,cold,gout\nflu,0,0.5,1\ncold,0.5,0,1\ngout,1,1,0\n"
    asked = ("anonymize", "t.csv", "--dry-run", "--qi", "a", "--sensitive", "ill", "--k", "2", "--t", "0.3", "--json")
    for text, status, said in (
        (far, 0, ""),
        (far.replace("gout", "gouty"), 2, "the distance matrix has no row for 1 of the 3 values of column 'ill'"),
        (far.replace("0.5", "nan"), 2, "row 1, column 2 of distances is no number"),
        (far + far, 2, "more rows of distances than its 3 columns"),
    ):
        (tmp_path / "far.csv").write_text(text)
        found = run(*asked, "--sensitive-distance", "ill=far.csv")
        assert found[0] == status and said in found[2]
        assert not any(value in found[2] for value in ("flu", "cold", "gout"))


def test_hierarchies_are_made_from_the_values_and_verify_gets_the_same(run, tmp_path):
    lines = [f"{20 + i % 70},{'01' if i % 2 else '80'}{i % 37:03},20{i % 20:02}-03-04" for i in range(120)]
    (tmp_path / "t.csv").write_text("\n".join(["age,zip,seen", "NA,?,0000-00-00", *lines, "", "x,inf,nan"]) + "\n")
    asked = ("--qi", "age,zip,seen", "--k", "3", "--na", "x")
    status, out, err = run(
        "anonymize", "t.csv", "-o", "r.csv", *asked, "--hierarchies", "auto", "--solver", "greedy", "--json"
    )
    assert (status, err) == (0, "")
    found = {one["column"]: one["hierarchy"] for one in json.loads(out)["proposed_hierarchies"]}
    assert found == {"age": "intervals:5,10,20,90+", "zip": "prefix:3,2,1", "seen": "dates:month,year,decade"}
    assert run("verify", "t.csv", "r.csv", *asked, "--hierarchies", "auto")[0] == 0
    spelled = [part for column, text in found.items() for part in ("--hierarchy", f"{column}={text}")]
    assert run("verify", "t.csv", "r.csv", *asked, *spelled, "--complete-hierarchies")[0] == 0
    assert run("verify", "t.csv", "r.csv", *asked)[0] == 1
    out = run("anonymize", "t.csv", "-o", "r.csv", *asked, "--hierarchies", "auto", "--hierarchy", "age=intervals:50", "--solver", "greedy", "--complete-hierarchies")[1]  # fmt: skip
    assert "age:" not in out and "zip: postcodes by their first 3, 2 and 1 characters" in " ".join(out.split())
    assert run("anonymize", "t.csv", "-o", "r.csv", *asked, "--hierarchies", "auto", "--recoding", "ranges")[0] == 2
