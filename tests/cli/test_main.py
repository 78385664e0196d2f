"""The command line: answers on standard output, sentences on standard error, exit statuses as promised."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from incrowd.cli.main import cli
from incrowd.policy.job import MASK_SETTINGS, Policy
from incrowd.settings import settings_of

CANARY = "Zebedee-4711"
ROWS = [
    ("31", "f", "PL"),
    ("31", "f", "PL"),
    ("47", "m", "PL"),
    ("52", "m", "DE"),
    ("47", "m", "DE"),
    ("52", "f", "DE"),
]
COMMAND = Path(sys.executable).with_name("incrowd")


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "people.csv"
    lines = [f"{CANARY}-{i},{','.join(row)},note {i}" for i, row in enumerate(ROWS)]
    path.write_text("name,age,sex,land,remark\n" + "\n".join(lines) + "\n")
    return path


GOOD = ("--qi", "age,sex,land", "--identifier", "name", "--k", "2")


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


def test_verify_finds_what_is_wrong(run, table, tmp_path):
    run("anonymize", table, "-o", "release.csv", *GOOD)
    status, out, _ = run("verify", table, "release.csv", *GOOD[:-1], "6")
    assert status == 1
    assert "have fewer than 6 rows; the smallest has 2." in out
    text = (tmp_path / "release.csv").read_text()
    (tmp_path / "bad.csv").write_text(text.replace("note 3", "note 9"))
    status, out, _ = run("verify", table, "bad.csv", *GOOD, "--json")
    found = json.loads(out)
    assert status == 1
    assert found["ok"] is False
    assert set(found["violations"][0]) == {"rule", "count", "example_group_size"}


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


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_one_sentence_with_exit_status_2_and_leaves_nothing_behind(run, table, tmp_path, case):
    arguments, said = MISTAKES[case]
    status, out, err = run("anonymize", *arguments)
    assert status == 2
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert CANARY not in err
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


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


def test_an_interrupted_run_leaves_nothing_and_says_so(tmp_path):
    import random

    rng = random.Random(0)
    m = 15
    rows = "\n".join(",".join(str(rng.randrange(12)) for _ in range(m)) for _ in range(60_000))
    (tmp_path / "big.csv").write_text(",".join(f"q{j}" for j in range(m)) + "\n" + rows + "\n")
    kept = tmp_path / "temporary"  # of this run alone: others keep folders of theirs meanwhile
    kept.mkdir()
    names = ",".join(f"q{j}" for j in range(m))
    started = subprocess.Popen(
        [COMMAND, "anonymize", "big.csv", "-o", "r.csv", "--qi", names, "--k", "50", "--numeric", names],
        cwd=tmp_path, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(kept)},
    )  # fmt: skip
    while not any(kept.iterdir()) and started.poll() is None:  # until it has begun
        time.sleep(0.05)
    time.sleep(0.5)
    started.send_signal(signal.SIGINT)
    _, err = started.communicate(timeout=60)
    assert started.returncode == 130, err
    assert b"interrupted" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["big.csv", "temporary"]
    assert list(kept.glob("incrowd-*")) == []


def test_init_proposes_roles_and_decides_nothing(run, table, tmp_path):
    status, out, _ = run("init", table)
    assert status == 0
    assert CANARY not in out
    assert all(line.startswith("#") for line in out.splitlines() if line)
    assert '# identifiers = ["name", "remark"]' in out
    assert '# quasi_identifiers = ["age", "sex", "land"]' in out
    (tmp_path / "p.toml").write_text(out)
    assert "no quasi-identifiers" in run("anonymize", table, "-o", "r.csv", "--policy", "p.toml")[2]
    (tmp_path / "p.toml").write_text(re.sub(r"^# (?=quasi|identifiers|k )", "", out, flags=re.MULTILINE))
    assert run("anonymize", table, "-o", "r.csv", "--policy", "p.toml", "--k", "2")[0] == 0


def test_init_writes_down_how_the_table_was_read(run, tmp_path):
    (tmp_path / "raw.csv").write_text("1;x\n2;y\n2;y\n")
    out = run("init", "raw.csv", "--no-header", "--columns", "n,w")[1]
    assert '[read]\nheader = false\ncolumns = [\n    "n",\n    "w",\n]\n' in out


@pytest.mark.parametrize("kind", ["models", "solvers", "costs", "measures"])
def test_list_names_every_part(run, kind):
    from incrowd import registry

    parts = json.loads(run("list", kind, "--json")[1])
    assert [part["name"] for part in parts] == registry.names(kind)
    text = run("list", kind)[1]
    assert all(part["name"] in text and part["summary"] in text for part in parts)


def test_the_demo_leaves_a_release_that_verifies(run, tmp_path):
    status, out, _ = run("demo")
    folder = tmp_path / "incrowd-demo"
    assert status == 0
    assert "What was lost" in out
    assert (folder / "summary.txt").read_text() in out
    assert "<h1>Release report: release.csv</h1>" in (folder / "report.html").read_text()
    policy = ("--policy", folder / "hospital.toml")
    assert run("verify", folder / "hospital.csv", folder / "release.csv", *policy)[0] == 0


def test_version_and_help_with_an_example_for_every_command(run):
    import incrowd

    assert run("--version")[1] == f"incrowd {incrowd.__version__}\n"
    listing = run("--help")[1]
    for name in re.findall(r"^  ([a-z]+)  ", listing.partition("Commands:")[2], re.MULTILINE):
        assert "Example: incrowd" in run(name, "--help")[1]


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom incrowd.cli.main import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'ibis', 'duckdb', 'numba', 'pyarrow', 'pandas', 'polars', 'scipy', 'altair', 'jinja2', 'vl_convert'}\n"
        "heavy &= set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


def test_an_unforeseen_error_quotes_nothing(run, table, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError(CANARY)

    monkeypatch.setattr("incrowd.tables.engine.base.Engine.fingerprint", broken)
    status, _, err = run("anonymize", table, "-o", "r.csv", *GOOD)
    assert status in (2, 70)
    assert CANARY not in err
    assert not Path("r.csv").exists()


def test_progress_is_a_line_per_stage_on_a_terminal_and_nothing_elsewhere(table, tmp_path):
    import pty

    ours, theirs = pty.openpty()
    command = [COMMAND, "anonymize", table, "-o", "r.csv", *GOOD]
    try:
        subprocess.run(command, stderr=theirs, stdout=subprocess.DEVNULL, cwd=tmp_path, check=True)
        said = os.read(ours, 1 << 16).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    for stage in ("read", "compress", "solve", "expand", "verify", "measure", "write"):
        assert re.search(rf"\d s +{stage} ", said), stage
    assert CANARY not in said
    quiet = subprocess.run(command, capture_output=True, cwd=tmp_path, check=True)
    assert quiet.stderr == b""


@pytest.mark.alone  # the signal comes a moment after it has begun to solve
def test_an_interrupted_run_can_keep_its_best(tmp_path):
    import pty
    import random

    rng = random.Random(0)
    m = 18
    names = ",".join(f"q{j}" for j in range(m))
    rows = "\n".join(",".join(str(rng.randrange(6)) for _ in range(m)) for _ in range(30_000))
    (tmp_path / "big.csv").write_text(f"{names}\n{rows}\n")
    ours, theirs = pty.openpty()
    started = subprocess.Popen(
        [COMMAND, "anonymize", "big.csv", "-o", "r.csv", "--qi", names, "--k", "9", "--keep-best", "--json"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs,
    )  # fmt: skip
    os.close(theirs)
    said = b""
    while b" solve " not in said and started.poll() is None:  # on a terminal it says what it does
        said += os.read(ours, 1 << 16)
    time.sleep(0.5)
    started.send_signal(signal.SIGINT)
    out, _ = started.communicate(timeout=120)
    os.close(ours)
    assert started.returncode == 130, said
    assert json.loads(out)["status"] == "interrupted"
    assert len((tmp_path / "r.csv").read_text().splitlines()) == 30_001


def test_a_certificate_is_written_and_recounted(run, table, tmp_path):
    assert run("anonymize", table, "-o", "r.csv", *GOOD, "--certificate", "c.json")[0] == 0
    text = (tmp_path / "c.json").read_text()
    assert CANARY not in text
    assert not any(value in text for row in ROWS for value in row[2:])
    status, out, _ = run("verify", table, "r.csv", *GOOD, "--certificate", "c.json", "--json")
    found = json.loads(out)
    assert status == 0
    assert found["ok"] is True
    assert found["proven"] is True
    facts = json.loads(run("anonymize", table, "-o", "r.csv", *GOOD, "--json")[1])
    assert found["cost"] == facts["cost"]
    assert found["lower_bound"] == facts["lower_bound_checked"]
    assert "The certificate holds" in run("verify", table, "r.csv", *GOOD, "--certificate", "c.json")[1]


def test_a_forged_certificate_is_caught_and_an_unreadable_one_is_refused(run, table, tmp_path):
    run("anonymize", table, "-o", "r.csv", *GOOD, "--certificate", "c.json")
    forged = json.loads((tmp_path / "c.json").read_text())
    for name in ("lower_bound", "lower_bound_checked"):
        forged[name] += 1
    (tmp_path / "c.json").write_text(json.dumps(forged))
    assert run("verify", table, "r.csv", *GOOD, "--certificate", "c.json")[0] == 1
    for text in ("{", "[]", "{}"):
        (tmp_path / "c.json").write_text(text)
        status, _out, err = run("verify", table, "r.csv", *GOOD, "--certificate", "c.json")
        assert status == 2
        assert err.count("\n") == 1
    assert run("verify", table, "r.csv", *GOOD, "--certificate", "none.json")[0] == 2
    assert "is also an input" in run("anonymize", table, "-o", "r.csv", *GOOD, "--certificate", "people.csv")[2]


ILL = [("31", "f", "flu"), ("31", "f", "flu"), ("47", "m", "flu"), ("47", "m", "cold"), ("52", "m", "cold"), ("52", "f", "cold")]  # fmt: skip
ASK = ("--qi", "age,sex", "--sensitive", "ill", "--k", "2")


@pytest.fixture
def patients(tmp_path):
    path = tmp_path / "patients.csv"
    path.write_text("age,sex,ill\n" + "\n".join(map(",".join, ILL)) + "\n")
    return path


def test_a_homogeneous_class_betrays_its_secret_and_l_diversity_mends_it(run, patients):
    assert run("anonymize", patients, "-o", "plain.csv", *ASK)[0] == 0
    status, out, _ = run("audit", "plain.csv", *ASK, "--l", "2")
    assert status == 1
    assert "l-diversity of ill: 2 asked, NOT met: 1 reached; not met in" in " ".join(out.split())
    assert run("verify", patients, "plain.csv", *ASK, "--l", "2")[0] == 1
    assert run("anonymize", patients, "-o", "mended.csv", *ASK, "--l", "2")[0] == 0
    assert run("audit", "mended.csv", *ASK, "--l", "2")[0] == 0
    assert run("verify", patients, "mended.csv", *ASK, "--l", "2")[0] == 0


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


@pytest.mark.parametrize(
    ("options", "said"),
    [
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
    ],
)
def test_requirements_that_make_no_sense_are_wrong_use(run, patients, options, said):
    status, out, err = run("anonymize", patients, "-o", "out.csv", *options)
    assert (status, out) == (2, "")
    assert said in err
    assert "flu" not in err


def test_a_bare_command_says_where_to_begin(run):
    status, out, err = run()
    assert (status, out) == (2, "")
    assert err == "incrowd: no command is given: begin with `incrowd demo`; `incrowd --help` names all commands\n"


KEYS = {
    **{name: spec for name, spec in settings_of(Policy).items() if not spec.off_help},
    **{name: spec for name, spec in MASK_SETTINGS.items() if not spec.off_help},
}


@pytest.mark.parametrize("spelled", [str, lambda name: name.replace("_", "-")], ids=["key", "hyphens"])
def test_every_key_of_the_policy_file_that_says_what_is_asked_is_an_option_too(spelled):
    takes_one = [option for option in cli.commands["anonymize"].params if option.param_type_name == "option"]
    by_name = {option.name: option for option in takes_one}
    for name in (*KEYS, "requirements"):
        option = by_name["require" if name == "requirements" else name]
        value = option.type.choices[0] if hasattr(option.type, "choices") else "1"
        words = [f"--{spelled(name)}", *([] if option.is_flag else [value])]
        context = cli.make_context("incrowd", ["anonymize", "people.csv", *words], resilient_parsing=False)
        found = cli.commands["anonymize"].make_context("anonymize", ["people.csv", *words], parent=context)
        assert found.params[option.name] not in (None, ()), name


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
