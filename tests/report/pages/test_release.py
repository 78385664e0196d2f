"""The report of a release: whole, readable by everybody, and enough to decide and to check."""

import re
import shlex
from collections import Counter

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError
from report_pages import check_page
from seeds import few_of

QI = ["age", "sex", "land"]


def people(n=60, **more):
    columns = {
        "age": [str(20 + 10 * (i % 5)) for i in range(n)],
        "sex": ["fm"[i % 2] for i in range(n)],
        "land": [["PL", "DE", "FR"][i // 7 % 3] for i in range(n)],
        "ill": [["flu", "gout", "cold"][i % 3] for i in range(n)],
    }
    return pa.table({**columns, **more})


@pytest.fixture(scope="module")
def usual_page(tmp_path_factory):
    """The report of one release, for whoever asks for nothing else."""
    return page_of(tmp_path_factory.mktemp("usual"))


def page_of(tmp_path, table=None, **settings):
    settings = {"quasi_identifiers": QI, "k": 3, "solver": "greedy", **settings}
    with incrowd.anonymize(people() if table is None else table, **settings) as release:
        release.report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    return check_page(text), text


def test_a_report_has_every_part_that_was_promised(tmp_path):
    parts, _ = page_of(tmp_path, sensitive=["ill"], mask=incrowd.Mask(max_stars=2))
    for said in (
        "What was asked", "What was done", "How safe it is", "What was lost", "What each column still shows",
        "How close to the least possible loss", "What this does not protect from", "Check it yourself", "What to cite",
        "nobody who knows age, sex and land of a person can tell their row from 2 others", "at most 2 stars",
        "An independent check", "It passed", "recount the release independently", "solver greedy", "seed 0",
        "Risk that a known person's row is found", "usefulness", "ncp", "gap", "Sweeney", "Pattern-Guided",
        f"incrowd {incrowd.__version__}",
    ):  # fmt: skip
        assert said in parts.text, said


def test_every_chart_says_what_it_shows(usual_page):
    parts, _ = usual_page
    labels = " ".join(a["aria-label"] for a in parts.all("svg"))
    for said in ("rows in crowds of", "rows suppressed, by column", "Heat map", "Share of rows after the release"):
        assert said in labels


def test_a_release_that_leaves_nothing_open_says_yes(tmp_path):
    parts, text = page_of(tmp_path, people().select(QI))
    assert 'class="verdict yes"' in text
    assert "nothing in it calls for a second look" in parts.text


def test_a_sensitive_column_without_a_model_is_a_question(tmp_path):
    parts, text = page_of(tmp_path, sensitive=["ill"])
    assert 'class="verdict look"' in text
    assert "Is it acceptable that ill may be learned?" in parts.text


def test_a_kept_column_is_a_question_and_a_nearly_unique_one_too(tmp_path):
    parts, text = page_of(tmp_path, people(number=[str(i) for i in range(60)]), sensitive=["ill"])
    assert 'class="verdict look"' in text
    assert "Answer 2 questions" in parts.text
    assert "Could anybody know a person's number?" in parts.text


def test_k_of_one_and_too_few_outliers_say_no(tmp_path):
    parts, text = page_of(tmp_path, k=1)
    assert 'class="verdict no"' in text
    assert "nobody is hidden" in parts.text
    table = pa.table({"age": ["1"] * 5 + ["2"], "sex": ["f"] * 5 + ["m"], "land": ["x"] * 5 + ["y"]})
    parts, text = page_of(tmp_path, table, outliers="suppress")
    assert 'class="verdict no"' in text
    assert "1 row is fully suppressed and fewer than k = 3" in parts.text


@pytest.mark.few(1)
@pytest.mark.parametrize(("ok", "word"), [(True, "yes"), (False, "no")])
def test_models_are_shown_whichever_they_are_and_decide(tmp_path, ok, word):
    line = {"name": "some-model", "column": "ill", "asked": 2.5, "reached": 3, "ok": ok, "failing_classes": 0}
    with incrowd.anonymize(people(), quasi_identifiers=QI, sensitive=["ill"], k=3, solver="greedy") as release:
        release.facts["models"] = [line]
        release.report(tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    parts = check_page(text)
    assert "some-model of ill 2.5 3 " + ("met" if ok else "NOT met") in parts.text
    assert f'class="verdict {word}"' in text
    assert ("some-model of ill is not met: 2.5 asked, 3 reached" in parts.text) is not ok


def test_an_auditor_can_run_what_the_report_says(tmp_path, run):
    table = people()
    original = tmp_path / "people.csv"
    original.write_text("age,sex,land,ill\n" + "\n".join(",".join(row.values()) for row in table.to_pylist()) + "\n")
    asked = ("--qi", "age,sex,land", "--sensitive", "ill", "--k", "4", "--max-stars", "2", "--weight", "age=1/3")
    files = ("-o", "release.csv", "--report", "report.html", "--certificate", "proof.json")
    assert run("anonymize", original, *files, *asked, "--solver", "greedy")[0] == 0
    parts = check_page((tmp_path / "report.html").read_text())
    command, policy, page = parts.code
    assert page == "incrowd checker -o check.html"
    (tmp_path / "policy.toml").write_text(policy)
    words = shlex.split(command)
    assert words[0] == "incrowd"
    assert {"people.csv", "release.csv", "proof.json"} <= set(words)
    status, out, _ = run(*words[1:])
    assert status == 0
    assert "The certificate holds" in out
    broken = (tmp_path / "release.csv").read_text().replace("flu", "gout", 1)
    (tmp_path / "release.csv").write_text(broken)
    assert run(*words[1:])[0] == 1


def test_files_are_named_without_their_folders(tmp_path):
    secret = tmp_path / "folder-4711"
    secret.mkdir()
    source = secret / "people.csv"
    source.write_text("age,sex,land\n" + "30,f,PL\n" * 9)
    incrowd.anonymize(source, quasi_identifiers=QI, k=3, output=secret / "out.csv", report=secret / "report.html")
    text = (secret / "report.html").read_text()
    assert "people.csv" in text
    assert "out.csv" in text
    assert "folder-4711" not in text


def test_names_of_columns_are_escaped(tmp_path):
    bad = "<script>alert(1)</script>&\"'"
    table = people().rename_columns(["age", "sex", bad, "ill"])
    parts, text = page_of(tmp_path, table, quasi_identifiers=["age", "sex", bad])
    assert "<script" not in text
    assert bad in parts.text


def test_values_with_markup_are_escaped(tmp_path):
    table = people(land=["<b onclick=x>"] * 60)
    _, text = page_of(tmp_path, table)
    assert "<b " not in text.replace("<b>", "")


def test_stages_stand_in_the_order_they_were_performed(usual_page):
    parts, _ = usual_page
    order = ["read the table", "group equal rows", "search for a release", "write the stars", "recount the release"]
    places = [parts.text.index(stage) for stage in order]
    assert places == sorted(places)


def test_a_heat_map_has_a_star_for_every_suppressed_cell(tmp_path):
    table = people()
    with incrowd.anonymize(table, quasi_identifiers=QI, k=7, solver="greedy") as release:
        release.report(tmp_path / "report.html")
        used = release.facts["patterns_used"][:14]
    text = (tmp_path / "report.html").read_text()
    figure = text[text.index('aria-label="Heat map') :]
    figure = figure[: figure.index("</svg>")]
    assert figure.count(">★</text>") == sum(len(pattern["levels"]) for pattern in used) > 0


def test_cost_and_bound_over_time_end_where_the_release_does(tmp_path):
    with incrowd.anonymize(people(), quasi_identifiers=QI, k=7, solver="auto", time_limit=2) as release:
        points = release.facts["progress"]
        assert (points[-1]["cost"], points[-1]["lower_bound"]) == (release.cost, release.lower_bound)
        costs = [p["cost"] for p in points if p["cost"] is not None]
        bounds = [p["lower_bound"] for p in points if p["lower_bound"] is not None]
        assert costs == sorted(costs, reverse=True)
        assert bounds == sorted(bounds)
        assert [p["seconds"] for p in points] == sorted(p["seconds"] for p in points)


def test_a_report_is_whole_or_absent_and_never_the_table_itself(tmp_path, run):
    original = tmp_path / "people.csv"
    original.write_text("age,sex,land\n" + "30,f,PL\n" * 9)
    good = ("--qi", "age,sex,land", "--k", "3")
    assert run("anonymize", original, "-o", "out.csv", *good, "--report", original)[0] == 2
    assert run("anonymize", original, "-o", "out.csv", *good, "--report", "out.csv")[0] == 2
    status, _, err = run("anonymize", original, "-o", "out.csv", *good, "--report", "nowhere/report.html")
    assert status == 2
    assert "report.html" in err
    assert run("anonymize", original, "--dry-run", *good, "--report", "report.html")[0] == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv"]


def test_a_release_is_not_written_where_its_report_cannot_be(tmp_path, monkeypatch):
    source = tmp_path / "people.csv"
    source.write_text("age,sex,land\n" + "30,f,PL\n" * 9)

    def broken(*_):
        raise InputError("no report")

    monkeypatch.setattr("incrowd.report.pages.html.write_page", broken)
    with pytest.raises(InputError, match="no report"):
        incrowd.anonymize(source, quasi_identifiers=QI, k=3, output=tmp_path / "o.csv", report=tmp_path / "r.html")
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


def test_a_report_alone_can_be_asked_for(tmp_path):
    incrowd.anonymize(people(), quasi_identifiers=QI, k=3, report=tmp_path / "report.html", solver="greedy")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


DEGENERATE = {
    "one row": (1, {"k": 1}),
    "all fully suppressed": (4, {"k": 4, "outliers": "suppress"}),
    "one class": (4, {"k": 4}),
    "nothing changed": (2, {"k": 1}),
    "stars are NULL": (30, {"k": 3, "suppressed": "null"}),
    "exact": (30, {"k": 3, "solver": "exact"}),
    "weights": (30, {"k": 3, "weights": {"age": "1/3", "land": 0}}),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("case", few_of(list(DEGENERATE), 4))
def test_odd_releases_have_reports_too(tmp_path, case):
    n, settings = DEGENERATE[case]
    table = people(n).set_column(0, "age", pa.array([str(i) for i in range(n)]))
    parts, _ = page_of(tmp_path, table, **settings)
    assert "None" not in parts.text
    assert "nan" not in parts.text.split()


@pytest.mark.proofs
def test_many_columns_are_drawn_as_far_as_a_reader_wants(tmp_path):
    names = [f"column number {j}" for j in range(26)]
    table = pa.table({name: [str(i % (2 + j % 3)) for i in range(48)] for j, name in enumerate(names)})
    parts, text = page_of(tmp_path, table, quasi_identifiers=names, mask=incrowd.Mask(max_stars=1))
    assert "The 24 columns with most stars of 26 are drawn." in parts.text
    assert len(text) < 600_000


def test_levels_of_a_hierarchy_are_numbers_in_the_heat_map(tmp_path):
    table = people().set_column(0, "age", pa.array([str(20 + i % 30) for i in range(60)]))
    hierarchies = {"age": {"intervals": [5, 10]}}
    parts, text = page_of(tmp_path, table, hierarchies=hierarchies, k=4)
    assert "A number is the level of a coarser label." in parts.text
    figure = text[text.index('aria-label="Heat map') :]
    assert re.search(r">[12]</text>", figure[: figure.index("</svg>")])
    assert "20 to 29" in parts.text


def test_what_was_asked_of_sensitive_values_is_shown_and_leaves_no_question(tmp_path):
    parts, text = page_of(tmp_path, sensitive=["ill"], l=2, k=6)
    assert "l-diversity of ill 2 " in parts.text
    assert parts.text.index("l-diversity") < parts.text.rindex("What was done")
    assert "k-anonymity 6 " in parts.text
    assert 'class="verdict yes"' in text
    assert "Machanavajjhala" in parts.text


def test_ranges_are_named_where_enough_rows_show_them(tmp_path):
    table = people().set_column(0, "age", pa.array([str(20 + i % 30) for i in range(60)]))
    settings = {"recoding": "ranges", "solver": "mondrian", "numeric": ["age"], "k": 5}
    parts, _ = page_of(tmp_path, table, **settings)
    with incrowd.anonymize(table, quasi_identifiers=QI, **settings) as release:
        shown = Counter(release.table["age"].to_pylist())
        told = next(c for c in release._report_facts["columns_after"] if c["name"] == "age")
    assert {value["label"]: value["rows"] for value in told["values"]}.items() <= shown.items()
    assert all(value["rows"] >= 5 for value in told["values"])
    assert told["starred"] == shown["*"]
    assert "is a range" in parts.text
