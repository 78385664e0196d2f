"""`audit`: from a table to its risks, by Python and by the command line."""

import csv
import json
import logging
import random

import pyarrow as pa
import pytest

import incrowd
from incrowd import registry
from incrowd.errors import InputError, PolicyError
from oracles import audit as plain
from seeds import seeds

CANARY = "Zebedee4711"
KEYS = {
    "rows", "quasi_identifiers", "classes", "k", "unique_rows", "unique_fraction", "risks", "models", "columns", "pairs",
}  # fmt: skip
ROWS = [
    ("31", "f", "PL", "flu"),
    ("31", "f", "PL", "flu"),
    ("47", "m", "PL", "flu"),
    ("52", "m", "DE", "gout"),
    ("47", "m", "DE", "flu"),
    ("52", "f", "DE", "gout"),
]


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    lines = [f"{CANARY}{i}," + ",".join(row) for i, row in enumerate(ROWS)]
    path.write_text("name,age,sex,land,ill\n" + "\n".join(lines) + "\n")
    return path


def written(path, rows, names):
    with path.open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([names, *rows])
    return path


def test_the_facts_by_hand():
    table = pa.table({"age": ["31", "31", "47", "52"], "sex": ["f", "f", "m", "m"]})
    found = incrowd.audit(table, quasi_identifiers=["age", "sex"], k=2)
    assert (found.rows, found.k, found.unique_rows, found.unique_fraction) == (4, 1, 2, 0.5)
    assert found.classes == {"count": 3, "min": 1, "mean": 4 / 3, "max": 2}
    assert found.risks["prosecutor"] == found.risks["journalist"] == 1
    assert found.risks["marketer"] == 3 / 4
    assert found.ok is False
    assert found.models == [
        {
            "name": "k-anonymity",
            "column": None,
            "reached": 1,
            "asked": 2,
            "ok": False,
            "failing_classes": 2,
            "failing_rows": 2,
        }
    ]
    age, sex = found.columns
    assert (age["name"], age["distinct"], age["alone_unique"], age["unique_without"]) == ("age", 3, 2, 0)
    assert (sex["name"], sex["distinct"], sex["alone_unique"], sex["unique_without"]) == ("sex", 2, 0, 2)
    assert age["distinction"] == 3 / 4
    assert age["separation"] == 10 / 12
    assert found.pairs == [
        {"columns": ["age", "sex"], "distinct": 3, "unique": 2, "distinction": 3 / 4, "separation": 10 / 12}
    ]
    assert "2 unique rows" in repr(found)


@seeds(20)
def test_facts_agree_with_a_plain_recount(seed):
    rng = random.Random(seed)
    rows = [tuple(rng.choice(["*", "a", "b"]) for _ in range(3)) for _ in range(rng.randint(1, 60))]
    outliers = rng.choice(["forbid", "suppress"])
    table = pa.table({f"q{j}": [row[j] for row in rows] for j in range(3)})
    found = incrowd.audit(table, quasi_identifiers=["q0", "q1", "q2"], outliers=outliers)
    expected = plain.audit(rows, outliers=outliers)
    for key in ("rows", "k", "unique_rows", "outliers"):
        assert found.facts[key] == expected[key]
    assert found.classes == pytest.approx(expected["classes"])
    assert found.unique_fraction == expected["unique_rows"] / len(rows)
    for risk in ("prosecutor", "marketer"):
        assert found.risks[risk] == pytest.approx(expected[risk])
    assert [above["rows"] for above in found.risks["above"]] == expected["above"]


def test_json_has_the_contracts_keys(run, people):
    status, out, err = run("audit", people, "--qi", "age,sex,land", "--sensitive", "ill", "--json")
    facts = json.loads(out)
    assert (status, err) == (0, "")
    assert set(facts) >= KEYS
    assert facts["quasi_identifiers"] == ["age", "sex", "land"]
    assert {"prosecutor", "journalist", "marketer"} <= set(facts["risks"])
    assert {"name", "column", "reached", "asked", "ok", "failing_classes"} <= set(facts["models"][0])
    assert {"name", "distinct", "alone_unique"} <= set(facts["columns"][0])
    assert set(facts["risk_meanings"]) == set(facts["risks"])
    assert facts["table"] == "people.csv"


@pytest.mark.parametrize(("k", "status"), [(1, 0), (2, 1), (7, 1)])
def test_the_exit_status_says_whether_k_is_met(run, people, k, status):
    found, out, _ = run("audit", people, "--qi", "age,sex,land", "--k", k)
    assert found == status
    assert ("NOT met" in out) == bool(status)


STARRED = [("*", "*"), ("a", "b"), ("a", "b")]


def test_fully_suppressed_rows_need_a_crowd_only_where_outliers_are_forbidden(run, tmp_path):
    table = written(tmp_path / "r.csv", STARRED, "xy")
    assert run("audit", table, "--qi", "x,y", "--k", "2")[0] == 1
    status, out, _ = run("audit", table, "--qi", "x,y", "--k", "2", "--outliers", "suppress", "--json")
    assert (status, json.loads(out)["k"], json.loads(out)["outliers"]) == (0, 2, 1)
    assert "1 row fully suppressed" in run("audit", table, "--qi", "x,y", "--outliers", "suppress")[1]


def test_the_star_is_what_the_policy_says_it_is(run, tmp_path):
    rows = [tuple(cell.replace("*", "#") for cell in row) for row in STARRED]
    table = written(tmp_path / "r.csv", rows, "xy")
    options = ("--qi", "x,y", "--k", "2", "--outliers", "suppress")
    assert run("audit", table, *options)[0] == 1
    assert run("audit", table, *options, "--star", "#")[0] == 0
    empty = written(tmp_path / "n.csv", [tuple(cell.replace("*", "") for cell in row) for row in STARRED], "xy")
    assert run("audit", empty, *options)[0] == 1
    assert run("audit", empty, *options, "--suppressed", "null")[0] == 0


def test_without_quasi_identifiers_every_other_column_is_one_and_that_is_said(run, people):
    status, out, _ = run("audit", people, "--identifier", "name", "--sensitive", "ill", "--json")
    assert status == 0
    assert json.loads(out)["quasi_identifiers"] == ["age", "sex", "land"]
    assert json.loads(out)["assumed_quasi_identifiers"] is True
    assert "No quasi-identifiers were named" in run("audit", people)[1]
    assert "No quasi-identifiers" not in run("audit", people, "--qi", "age")[1]


def test_a_release_audits_to_the_classes_it_was_made_with(run, people):
    options = ("--qi", "age,sex,land", "--k", "2")
    out = run("anonymize", people, "-o", "r.csv", *options, "--identifier", "name", "--json")[1]
    status, audited, _ = run("audit", "r.csv", *options, "--json")
    assert status == 0
    assert json.loads(audited)["classes"] == json.loads(out)["classes"]
    measured = json.loads(out)["measures"]["risks"]
    assert json.loads(audited)["unique_rows"] == measured.pop("unique_rows")
    assert json.loads(audited)["risks"] == measured


def test_a_policy_file_says_the_same_and_names_the_table(run, people, tmp_path):
    (tmp_path / "p.toml").write_text(
        'quasi_identifiers = ["age", "sex", "land"]\nk = 2\n[job]\nsource = "people.csv"\n'
    )
    assert run("audit", "--policy", "p.toml")[0] == 1
    assert run("audit", "--policy", "p.toml", "--k", "1")[0] == 0
    assert incrowd.audit(policy=tmp_path / "p.toml").k == 1


def test_a_numeric_column_may_hold_stars_in_an_audit():
    found = incrowd.audit(pa.table({"age": ["3", "*"]}), quasi_identifiers=["age"], numeric=["age"])
    assert found.columns[0]["stars"] == 1


def test_a_kept_column_that_is_nearly_unique_is_named(run, people):
    out = run("audit", people, "--qi", "age,sex")[1]
    assert "name is none of the columns an attacker is taken to know" in out


def test_the_words_say_what_the_numbers_are(run, people):
    out = " ".join(run("audit", people, "--qi", "age,sex,land", "--k", "2")[1].split())
    assert "4 rows of 6 (66.7%) are unlike any other" in out
    assert "prosecutor risk 100.0% at most, 83.3% on average" in out
    assert "marketer risk 83.3%" in out
    assert "k-anonymity: 2 asked, NOT met: 1 reached; not met in 4 classes with 4 rows" in out
    assert "unique rows that would be left without one column (now 4)" in out
    assert "rows that two columns are enough to find: age and sex 2, age and land 2, sex and land 2" in out


def test_a_table_that_meets_what_was_asked_reads_so(run, tmp_path):
    table = written(tmp_path / "t.csv", [("a", "b")] * 5, "xy")
    out = run("audit", table, "--qi", "x,y", "--k", "5")[1]
    assert "Every row looks like at least 4 others" in out
    assert "5 asked, 5 reached" in out
    assert "NOT met" not in out


MISTAKES = {
    "no table": ((), "no table is given"),
    "no file": (("nobody.csv",), "there is no file 'nobody.csv'"),
    "no column": (("people.csv", "--qi", "agee"), "did you mean 'age'?"),
    "nothing left": (("people.csv", "--identifier", "name,age,sex,land", "--sensitive", "ill"), "every column of"),
    "k zero": (("people.csv", "--k", "0"), "k must be a whole number of at least 1"),
    "memory": (("people.csv", "--memory", "lots"), "memory must be a size"),
    "option": (("people.csv", "--solver", "greedy"), "No such option"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_one_sentence_with_exit_status_2(run, people, case):
    arguments, said = MISTAKES[case]
    status, out, err = run("audit", *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_table_without_rows_is_refused(run, tmp_path):
    (tmp_path / "t.csv").write_text("x,y\n")
    assert run("audit", "t.csv")[0] == 2


def test_a_column_of_lists_is_refused_by_name():
    with pytest.raises(InputError, match="column 'tags' holds array values"):
        incrowd.audit(pa.table({"tags": [["a"], ["b"]], "age": ["1", "2"]}))


def test_a_first_line_that_looks_like_data_is_never_repeated(run, tmp_path):
    (tmp_path / "t.csv").write_text(f"{CANARY},31,PL\nother,47,DE\n")
    for options in ((), ("--header",), ("--header", "--json")):
        status, out, err = run("audit", "t.csv", *options)
        assert (status, out) == (2, "")
        assert CANARY not in err
    with pytest.raises(PolicyError, match="quasi_identifiers"):
        incrowd.audit(tmp_path / "t.csv", header=True)
    status, out, err = run("audit", "t.csv", "--header", "--qi", "31", "--json")
    assert status == 0
    assert CANARY not in out + err


def test_no_cell_is_ever_said(caplog):
    n = 40
    columns = {
        "who": [f"{CANARY}{i}" for i in range(n)],
        "place": [f"{CANARY}p{i % 4}" for i in range(n)],
        "work": [f"{CANARY}w{i % 7}" for i in range(n)],
        "ill": [f"{CANARY}s{i % 5}" for i in range(n)],
    }
    events = []
    settings = [
        {},
        {"quasi_identifiers": ["place", "work"], "k": 5},
        {"quasi_identifiers": ["place"], "sensitive": ["ill"], "identifiers": ["who"], "outliers": "suppress"},
    ]
    with caplog.at_level(logging.DEBUG):
        for some in settings:
            found = incrowd.audit(pa.table(columns), on_event=events.append, **some)
            assert CANARY not in found.summary() + found.to_json() + repr(found)
        with pytest.raises(PolicyError) as caught:
            incrowd.audit(pa.table(columns), quasi_identifiers=["plaice"])
    assert CANARY not in str(caught.value) + caplog.text + str(events)
    assert {event.stage for event in events} >= {"read", "classes", "columns", "pairs"}


def test_every_registered_model_is_measured_or_cannot_be(run, people):
    facts = json.loads(run("audit", people, "--qi", "age", "--sensitive", "ill", "--json")[1])
    assert {model["name"] for model in facts["models"]} == set(registry.names("models"))


@pytest.mark.parametrize("frame", ["adult2", "cmc"])
def test_pycanon_counts_the_same(request, frame):
    """Its pins are exact and clash with ours, so it is no part of the development extra."""
    anonymity = pytest.importorskip(
        "pycanon.anonymity", reason="pycanon is not installed: it pins older numpy and pandas"
    )
    metrics = pytest.importorskip("pycanon.metrics")
    table = request.getfixturevalue(frame)
    names = [c.name for c in table.quasi_identifiers]
    data = table.engine.fetch(table.data.select(*(c.id for c in table.quasi_identifiers))).rename_columns(names)
    pandas = data.to_pandas()
    for some in (names, names[:3], names[-2:]):
        found = incrowd.audit(data, quasi_identifiers=some)
        sizes = metrics.sizes_ec(pandas, some)
        assert found.k == anonymity.k_anonymity(pandas, some)
        assert found.classes["count"] == sizes["n_ec"]
        assert found.classes["max"] == sizes["max_ec"]
        assert found.classes["mean"] == pytest.approx(sizes["mean_ec"])
        assert found.risks["prosecutor"] == metrics.max_rir(pandas, some)


def test_unique_rows_are_said_in_the_order_of_words():
    found = incrowd.audit(pa.table({"a": ["x", "x", "y", "z"]}), quasi_identifiers=["a"])
    one = incrowd.audit(pa.table({"a": ["x", "x", "y"]}), quasi_identifiers=["a"])
    assert "2 rows (50.0%) are unlike any other: whoever knows these columns finds them." in found._repr_html_()
    assert "1 row (33.3%) is unlike any other: whoever knows these columns finds it." in one._repr_html_()
